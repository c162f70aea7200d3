"""Prompts: everything that a model needs to know, and nothing that tells the answer. `reading` is the inverse."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from harness_vltl import lassos
from harness_vltl.formulas.formula import text
from harness_vltl.problem import is_finite, is_pair
from harness_vltl.scenarios import scenario

HEADERS = {
    "lift": "Task: mark the atomic propositions of a requirement.",
    "translate": "Task: translate a requirement into linear temporal logic (LTL).",
    "ground": "Task: find the action that each proposition of a requirement stands for.",
    "end_to_end": "Task: translate a requirement about actions into linear temporal logic (LTL).",
    "verify": "Task: decide whether a trace satisfies a formula of linear temporal logic (LTL).",
}

FINITE_HEADERS = {
    "translate": "Task: translate a requirement into LTL on finite traces (LTLf).",
    "end_to_end": "Task: translate a requirement about actions into LTL on finite traces (LTLf).",
    "verify": "Task: decide whether a finite trace satisfies a formula of LTL on finite traces (LTLf).",
}

CONVENTIONS = (
    "How requirements are meant: time is a sequence of steps, which begins with the present one and never ends. "
    'In a step, any number of propositions may be true. "At some point", "eventually" and "until" include the '
    'present step; "until" means that the second thing does happen, unless the requirement says otherwise; '
    '"the next step" is the one right after; "later" alone means after the step spoken of.'
)
PLAIN = (
    "How requirements are meant: time is a sequence of steps, which begins with the present one, called now, and "
    'never ends. In a step, any number of propositions may be true. A requirement is judged now. "Always", '
    '"never", "whenever" and "at all times" speak of all steps from now on. "Eventually" and "at some point" mean '
    'in some step from then on: now or that same step included; after "whenever" or "if", they count from the '
    'step spoken of. "Later" and "afterwards" mean in some step after that one; "next" and "in the next step" '
    'mean the very next step; "within two steps" means in that step or in one of the two after it. "A until B": B '
    'does happen, and A in every step before the first B. "A unless B" and "A until B, if ever": the same, or A '
    'forever if B never happens. "Before" means in an earlier step. "A only after B": no A unless there was B in '
    'an earlier step; "A only once B has happened": no A unless there was B in an earlier step or is in the same '
    'one. "Infinitely often" means in infinitely many steps; "from some point on" means in some step and in all '
    'after it. "Whenever A, B" and "A only when B" speak of the same step. "If A ever happens" means if there is '
    'A in some step from now on. "Initially" means now. "Or" includes both, unless "not both" is said. "N means: '
    '..." says that N holds in exactly the steps in which the sentence is true, judged as if that step were now.'
)
TIMED = (
    'Steps are counted from the step spoken of (now, or the one that "whenever", "if" or "each" speaks of), which'
    ' is step 0. "Within three steps" and "after at most three steps" mean in at least one of the steps 0 to 3; '
    '"three steps later" means in step 3, "two to four steps later" in at least one of the steps 2 to 4. "For at '
    'least three steps" and "lasts at least three steps" mean in the steps 0, 1 and 2 at least. "The next three '
    'steps" are the steps 1 to 3; "the step after these" is the one after the last of the steps counted. "A '
    'begins" in a step in which A is true and was not in the step before, and in the first step if A is true '
    'there; a streak of A is all the consecutive steps from there on in which A is true. "Exactly every three '
    'steps" means in the steps 0, 3, 6 and so on, and in no other. Looking back, "within the last three steps" '
    'means in that step or in one of the three before it, as far as there are so many; "at most three steps after'
    ' A" means that A is true in that step or in one of the three before it; "the three steps before" and '
    '"directly after three consecutive steps" need three steps before that step.'
)
FINITE_PLAIN = (
    "How requirements are meant: time is a sequence of steps, which begins with the present one, called now, "
    "and ends with a last one, after which nothing comes. In a step, any number of propositions may be true. A"
    ' requirement is judged now. "Always", "never", "whenever", "forever" and "at all times" speak of all '
    'steps from now on, up to the last. "Eventually" and "at some point" mean in some step from then on: now '
    'or that same step included; after "whenever" or "if", they count from the step spoken of. "Later" and '
    '"afterwards" mean in some step after that one; "next" and "in the next step" mean the very next step; '
    '"within two steps" means in that step or in one of the two after it. What is said of a step after another'
    " (the next one, the one two steps later, some later one) asks for that step: it is false if the steps end"
    ' before. But what is forbidden, or said of any steps, asks for none: "in no later step", "no two '
    'consecutive steps", "never directly followed by", "in exactly one step", "in any three consecutive '
    'steps", "forever after" speak of the steps that there are. "A until B": B does happen, and A in every '
    'step before the first B. "A unless B" and "A until B, if ever": the same, or A up to the last step if B '
    'never happens. "Before" means in an earlier step. "A only after B": no A unless there was B in an earlier'
    ' step; "A only once B has happened": no A unless there was B in an earlier step or is in the same one. '
    '"Whenever A, B" and "A only when B" speak of the same step. "If A ever happens" means if there is A in '
    'some step from now on. "Initially" means now. "Or" includes both, unless "not both" is said. "K means: '
    '..." says that K holds in exactly the steps in which the sentence is true, judged as if that step were '
    "now."
)
OPERATORS = (
    "Operators: ! (not), & (and), | (or), -> (implies), <-> (if and only if); X p: p in the next step; F p: p now "
    "or in some later step; G p: p now and in all later steps; p U q: q now or in some later step, and p in every "
    "step up to, not including, the first such step; p W q: p U q or G p; p R q: q holds up to and including the "
    "first step in which p holds, forever if there is none; p M q: p R q and F p. The operators with one operand "
    "bind most, then U W R M, then &, then |, then -> and <->; use parentheses where that is not what is meant."
)
FINITE_OPERATORS = (
    "Operators: ! (not), & (and), | (or), -> (implies), <-> (if and only if); X p (strong next): there is a next "
    "step, and p holds in it; N p (weak next): there is no next step, or p holds in it; so in the last step X p is "
    "false and N p is true, whatever p is. F p: p now or in some later step of the trace; G p: p now and in all "
    "later steps of the trace; p U q: q now or in some later step of the trace, and p in every step up to, not "
    "including, the first such step; p W q: p U q or G p; p R q: q holds up to and including the first step in which "
    "p holds, to the end of the trace if there is none; p M q: p R q and F p. The operators with one operand bind "
    "most, then U W R M, then &, then |, then -> and <->; use parentheses where that is not what is meant."
)
FIXED = {"plain": PLAIN, "exact": CONVENTIONS, "timed": f"{PLAIN}\n{TIMED}"}
"""What prompts of each style fix, where a formula is asked for."""
_LIFT = (
    "Every action that the requirement speaks of is an atomic proposition. Write the requirement again, with the "
    "words of each action (the verb and what goes with it; not who acts, and not is, does, must or not before it) "
    "replaced by prop_1, prop_2 and so on, numbered in the order of first mention. An action mentioned again, in "
    "the same or other words, keeps its number. Leave all other words and the punctuation as they are."
)
_GROUND = (
    "In the lifted form of the requirement, every action is replaced by a proposition. For each proposition, "
    "write the action with its arguments: action(argument1,argument2), or only action if it has no arguments."
)
_ACTIONS = (
    "Every action is an atomic proposition, true in the steps in which it happens. Write it as "
    "action(argument1,argument2), or only action if it has no arguments."
)
_NAMED = (
    "Time is a sequence of steps, which begins with the present one and never ends. In a step, any number of "
    "propositions may be true. The formula is over the propositions listed above, and no others: write their names "
    "exactly as they stand there. Not all of them need to occur."
)
_JUDGED = (
    "Each line of the trace names what is true in that step; all else is false in it. "
    "The formula is judged at step 1."
)
_ENDS = {
    "lift": "<the requirement with prop_1, prop_2, … in place of the actions>",
    "translate": "<formula over prop_1, prop_2, …>",
    "ground": '{"prop_1": "<action with arguments>", …} with all propositions',
    "end_to_end": "<formula over actions>",
}
_BODY = {
    "lift": (_LIFT,),
    "translate": (
        "Each of prop_1, prop_2, … stands for something that the agent does or does not do in a step.",
        CONVENTIONS,
        OPERATORS,
    ),
    "ground": (_GROUND,),
    "end_to_end": (_ACTIONS, CONVENTIONS, OPERATORS),
}


def prompt(problem: Mapping[str, Any], world: str) -> str:
    """Return the prompt of a problem; ``world`` as in `config.CONFIG`."""
    task = problem["task"]
    finite = is_finite(problem)
    header = (FINITE_HEADERS if finite else HEADERS)[task]
    if task == "verify":
        return "\n".join([header, *_verification(problem)])
    if is_pair(problem):
        return "\n".join([header, *_pair(problem)])
    lines = [header]
    if "scenario" in problem:
        lines += _scenario(problem["scenario"], "none" if task == "lift" else world)
    lines.append(f"Requirement: {problem['lifted' if task == 'translate' else 'sentence']}")
    if task == "ground":
        lines.append(f"Lifted: {problem['lifted']}")
    end = ["End your reply with one line of this form:", f"Answer: {_ENDS[task]}"]
    said = {CONVENTIONS: FIXED[problem.get("style", "exact")]}
    if finite:
        said = {CONVENTIONS: FINITE_PLAIN, OPERATORS: FINITE_OPERATORS}
    return "\n".join([*lines, *(said.get(line, line) for line in _BODY[task]), *end])


def _verification(problem: Mapping[str, Any]) -> list[str]:
    finite = is_finite(problem)
    return [
        f"Formula: {text(problem['formula'])}",
        "Trace:",
        lassos.text(problem["trace"]),
        FINITE_OPERATORS if finite else OPERATORS,
        _JUDGED,
        "End your reply with one of these two lines:",
        "Answer: satisfied",
        "Answer: violated",
    ]


def _pair(problem: Mapping[str, Any]) -> list[str]:
    return [
        f"Requirement: {problem['sentence']}",
        f"Propositions: {', '.join(problem['propositions'])}",
        _NAMED,
        OPERATORS,
        "End your reply with one line of this form:",
        "Answer: <formula over the propositions>",
    ]


def _scenario(name: str, world: str) -> list[str]:
    known = scenario.known(name) if world != "none" else None
    if known is None:
        return [f"Scenario: {name}"]
    return [f"Scenario: {name}", scenario.describe(known, full=world == "full")]
