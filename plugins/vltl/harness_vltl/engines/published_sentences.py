"""What each sentence skeleton of the published VLTL-Bench plainly says, as one reader wrote it down from the text.

The 64 distinct skeletons are those of the field `lifted_sentence` of the 2,317 published records. On 2026-11-25 a
reader listed them from the data alone and wrote down what each says, before reading any code of this project that
gives a sentence a meaning (`plain_reader` among it), and without the formulas of the records. (Those of five records
had been seen by then. Three of their skeletons are UNCLEAR here; the other two say `always avoid` and `never occurs
again`.)

How was read: `eventually`, `finally` and `some point` include the present step, `until` is strong, `or` is inclusive,
`infinitely often` is G F. The table is `published_sentences.tsv`.
"""

from __future__ import annotations

import re
from functools import cache
from importlib import resources

from harness_answers.text import quoted

from harness import Abstained
from harness_vltl.formulas import syntax
from harness_vltl.formulas.formula import Formula, substitute

_PROP = re.compile(r"prop_[1-9][0-9]?")
_SUBJECTS = ("Our agent", "The robot", "The system", "This controller", "You")


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
def table() -> dict[str, str]:
    """Return of each skeleton its formula, or "UNCLEAR"."""
    file = resources.files("harness_vltl.engines").joinpath("published_sentences.tsv")
    rows = [line.split("\t") for line in file.read_text("utf-8").splitlines() if line[0] != "#"]
    return {
        text.replace("SUBJECT", subject): formula for text, formula in rows for subject in _SUBJECTS
    }


@cache
def readings() -> dict[str, Formula]:
    """Return the formula of each skeleton that is clear."""
    return {
        text: syntax.parse(formula, _PROP.findall(text))
        for text, formula in table().items()
        if formula != "UNCLEAR"
    }
