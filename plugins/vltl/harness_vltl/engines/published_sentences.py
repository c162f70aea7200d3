"""What each sentence skeleton of the published VLTL-Bench plainly says, as one reader wrote it down from the text.

The 64 distinct skeletons are those of the field `lifted_sentence` of the 2,317 published records. On 2026-11-25 a
reader listed them from the data alone and wrote down what each says, before reading any code of this project that
gives a sentence a meaning (`plain_reader` among it), and without the formulas of the records. (Those of five records
had been seen by then. Three of their skeletons are UNCLEAR here; the other two say `always avoid` and `never occurs
again`.)

How was read: `eventually`, `finally` and `some point` include the present step, `until` is strong, `or` is inclusive,
`infinitely often` is G F. UNCLEAR stands where two careful readers could differ; a comment says in what.
"""

from __future__ import annotations

import re
from functools import cache

from harness_answers.text import quoted

from harness import Abstained
from harness_vltl.formulas import syntax
from harness_vltl.formulas.formula import Formula, substitute

_PROP = re.compile(r"prop_[1-9][0-9]?")

SUBJECTS = ("Our agent", "The robot", "The system", "This controller", "You")
UNCLEAR = None

# After "SUBJECT must": what follows, and what the whole sentence says.
OBLIGATIONS: dict[str, str | None] = {
    "always avoid prop_1": "G !prop_1",
    "always have either prop_1 or prop_2": "G (prop_1 | prop_2)",
    "always maintain both prop_1 and prop_2": "G (prop_1 & prop_2)",
    "eventually prop_1 or prop_2": "F (prop_1 | prop_2)",
    "eventually prop_1 and prop_2": UNCLEAR,  # at one step, or each at its own
    "eventually, avoid prop_1": UNCLEAR,  # not at some step, or never again from some step on
    "prop_1 holds at all times.": "G prop_1",
    "Please prop_1 and then prop_2": UNCLEAR,  # at once or some time; the next step or later
}

SENTENCES: dict[str, str | None] = {
    # Always, and never.
    "prop_1 holds at all times.": "G prop_1",
    "Both prop_1 and prop_2 hold at every step.": "G (prop_1 & prop_2)",
    "prop_1 and prop_2 are mutually exclusive at all times.": "G !(prop_1 & prop_2)",
    "Globally, it is not the case that both prop_1 and prop_2 hold simultaneously.": "G !(prop_1 & prop_2)",
    "Globally, it is not the case that both prop_1 and prop_2 holding simultaneously.": "G !(prop_1 & prop_2)",
    "At every step, prop_1 equals the value of prop_2 in the next step.": "G (prop_1 <-> X prop_2)",
    # Some time, and infinitely often.
    "prop_1 and prop_2 will each happen at some point.": "F prop_1 & F prop_2",
    "From some point onwards, prop_1 never occurs again.": "F G !prop_1",
    "Either prop_1 or prop_2 happens infinitely often.": "G F prop_1 | G F prop_2",
    "If prop_1 happens infinitely often, then so does prop_2": "G F prop_1 -> G F prop_2",
    "Either prop_1 happens infinitely often, or prop_2 happens in the next step.": "G F prop_1 | X prop_2",
    "Either prop_1 happensing infinitely often, or prop_2 happens in the next step.": "G F prop_1 | X prop_2",
    # Whenever one thing, another.
    "Whenever prop_1 holds, prop_2 holds as well.": "G (prop_1 -> prop_2)",
    "Whenever prop_1 and prop_2 are equal, prop_2 and prop_3 are equal as well.": (
        "G ((prop_1 <-> prop_2) -> (prop_2 <-> prop_3))"
    ),
    "Every prop_1 is directly followed by prop_2 in the next step.": "G (prop_1 -> X prop_2)",
    "Whenever prop_1 holds, prop_2 holds exactly three steps later.": "G (prop_1 -> X X X prop_2)",
    "Whenever prop_1 holds, eventually prop_2 will hold.": "G (prop_1 -> F prop_2)",
    "Globally, if prop_1 occurs then finally prop_2 happens.": "G (prop_1 -> F prop_2)",
    "Whenever neither prop_1 nor prop_2 holds, prop_3 eventually holds.": "G (!prop_1 & !prop_2 -> F prop_3)",
    # Eventually from the next step on, or again and again from there on.
    "Whenever prop_1 holds, from the next step onwards prop_2 will eventually hold.": UNCLEAR,
    # Followed at the same step, or only later.
    "If every prop_1 is eventually followed by prop_2 then prop_3 must occur infinitely often.": UNCLEAR,
    # "If" with no "always": of the first step, or of every step.
    "If prop_1 holds and prop_2 holds next, then prop_3 holds in the step after that.": UNCLEAR,
    "If prop_1 holds, then in the next step prop_2 persists until prop_3 holds, or else prop_2 holds forever.": (
        UNCLEAR
    ),
    # Order.
    "prop_1 must hold until prop_2 does, or else prop_1 holds forever.": "(prop_1 U prop_2) | G prop_1",
    "In this task, prop_1 then prop_2": UNCLEAR,  # at once or some time; the next step or later
    "If prop_1 ever holds, prop_2 must have held beforehand.": UNCLEAR,  # strictly before, or at the same step too
    "prop_1 can only happen after prop_2": UNCLEAR,  # strictly after or not; every time anew, or after the first
    "Once prop_1 has occurred, prop_2 will never occur again.": UNCLEAR,  # from the same step on, or from the next
    # How many steps in a row may lack it: one or two.
    "prop_1 should always hold, with at most a two-step grace period for recovery.": UNCLEAR,
}

READINGS: dict[str, str | None] = SENTENCES | {
    f"{subject} must {duty}": formula
    for subject in SUBJECTS
    for duty, formula in OBLIGATIONS.items()
}


def read(lifted: str) -> Formula:
    """Return what a sentence over prop_1, prop_2, … says; propositions may be numbered in any order.

    Raises:
        Abstained: it is none of the published sentences, or one that is UNCLEAR.
    """
    text, names = skeleton(lifted)
    formula = readings().get(text)
    if formula is None:
        raise Abstained(f"no plain reading was written down of: {quoted(lifted, 200)}")
    return substitute(formula, names)


def skeleton(lifted: str) -> tuple[str, dict[str, str]]:
    """Return a sentence with its propositions numbered as they are mentioned, and what each is called in it."""
    numbers: dict[str, str] = {}
    text = _PROP.sub(lambda name: numbers.setdefault(name[0], f"prop_{len(numbers) + 1}"), lifted)
    return text, {number: name for name, number in numbers.items()}


@cache
def readings() -> dict[str, Formula]:
    """Return the formula of each skeleton that is clear."""
    return {
        text: syntax.parse(formula, _PROP.findall(text))
        for text, formula in READINGS.items()
        if formula is not None
    }
