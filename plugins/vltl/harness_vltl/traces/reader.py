"""Read a trace back: every sentence is parsed by patterns of its own, and every claim found anew.

What a requirement's words mean is asked of the second reader, who knows neither templates nor derivations; where
its formula is written otherwise, both are compared in meaning. `path` reads verifications.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from harness_answers import trace_lines
from harness_answers.trace_lines import Lines, WrongTraceError

from harness import Item
from harness_vltl.engines import second_reader
from harness_vltl.engines.equivalence import compare
from harness_vltl.formulas import syntax
from harness_vltl.formulas.formula import Formula, propositions, substitute
from harness_vltl.problem import is_finite
from harness_vltl.scenarios import scenario
from harness_vltl.scenarios.model import Scenario
from harness_vltl.traces import path

_FULL_STOPS = ",.;:"


def findings(item: Item, text: str) -> list[str]:
    """Return what is wrong with a trace, at most one thing; an empty list if every step holds."""
    return trace_lines.findings(
        text, lambda lines: _TASKS[item.problem["task"]](item.problem, lines)
    )


# ------------------------------------------------------------------------------- requirements


def _lift(problem: Mapping[str, Any], lines: Lines) -> None:
    lifted = _mentions(problem["sentence"], _world(problem), lines)
    if lines.take(r"Answer: (.*)")[1] != lifted:
        raise lines.wrong("the answer is not the requirement so lifted")


def _translate(problem: Mapping[str, Any], lines: Lines) -> None:
    _answer_formula(problem, _formulas(problem, problem["lifted"], (), lines), lines)


def _ground(problem: Mapping[str, Any], lines: Lines) -> None:
    names = _actions(problem["sentence"], _world(problem), lines)
    if json.loads(lines.take(r"Answer: (\{.*\})")[1]) != names:
        raise lines.wrong("the answer does not say the same")


def _end_to_end(problem: Mapping[str, Any], lines: Lines) -> None:
    world = _world(problem)
    lifted = _mentions(problem["sentence"], world, lines)
    names = _actions(problem["sentence"], world, lines)
    formula = substitute(_formulas(problem, lifted, world.agents, lines), names)
    put = lines.take(r"With the actions put in: (.+)")[1]
    if syntax.parse(put, list(names.values()), finite=is_finite(problem)) != formula:
        raise lines.wrong("that is not the formula with the actions put in")
    _answer_formula(problem, formula, lines)


def _world(problem: Mapping[str, Any]) -> Scenario:
    world = scenario.known(problem["scenario"])
    if world is None:
        raise WrongTraceError(f"the scenario '{problem['scenario'][:60]}' is not known here")
    return world


def _answer_formula(problem: Mapping[str, Any], formula: Formula, lines: Lines) -> None:
    answer = lines.take(r"Answer: (.+)")[1]
    if syntax.parse(answer, propositions(formula), finite=is_finite(problem)) != formula:
        raise lines.wrong("the answer is not the formula that was found")


def _mentions(sentence: str, world: Scenario, lines: Lines) -> str:
    """Read where the actions are mentioned; return the requirement lifted."""
    words = sentence.split(" ")
    first: dict[str, int] = {}
    lines.take(r"The words of the requirement are counted from 1\.")
    for number, (begin, end, action) in enumerate(second_reader.mentions(sentence, world), 1):
        line = lines.take(
            r'Mention ([0-9]+): words ([0-9]+) to ([0-9]+), "(.+)": '
            r"(?:an action not mentioned before|the action of mention ([0-9]+) again), prop_([0-9]+)\."
        )
        again = first.get(action)
        if action not in first:
            first[action] = number
        if line[1] != str(number) or line[5] != (again and str(again)):
            raise lines.wrong("that is not which action is mentioned next")
        if line[6] != str(list(first).index(action) + 1):
            raise lines.wrong("propositions are numbered in the order of their first mention")
        _quoted(line[4], (line[2], line[3]), words, (begin, end), lines)
    lines.take(r"No other words are an action\.")
    lifted = second_reader.lift(sentence, world, {})
    put = lines.take(r"With the propositions in place of the actions the requirement reads: (.+)")
    if put[1] != lifted:
        raise lines.wrong("that is not the requirement with its actions replaced")
    return lifted


def _quoted(
    text: str, where: tuple[str, str], words: Sequence[str], place: tuple[int, int], lines: Lines
) -> None:
    """Refuse words that are not those of the requirement, or not where they are."""
    begin, end = place
    if where != (str(begin + 1), str(end)):
        raise lines.wrong("the action is not mentioned there")
    if text != " ".join(words[begin:end]).rstrip(_FULL_STOPS):
        raise lines.wrong("the requirement has other words there")


def _actions(sentence: str, world: Scenario, lines: Lines) -> dict[str, str]:
    """Read what each proposition stands for; return it."""
    words = sentence.split(" ")
    first: dict[str, tuple[int, int]] = {}
    for begin, end, action in second_reader.mentions(sentence, world):
        first.setdefault(action, (begin, end))
    names = {f"prop_{number}": action for number, action in enumerate(first, 1)}
    for name, action in names.items():
        line = lines.take(
            r'(prop_[0-9]+) stands for "(.+)", words ([0-9]+) to ([0-9]+) of the requirement: '
            r"the action is (.+)\."
        )
        if line[1] != name:
            raise lines.wrong(f"{name} has to come here")
        _quoted(line[2], (line[3], line[4]), words, first[action], lines)
        if line[5] != action:
            raise lines.wrong("those words are another action")
    return names


def _formulas(
    problem: Mapping[str, Any], lifted: str, agents: Sequence[str], lines: Lines
) -> Formula:
    """Read what each part of a lifted requirement says; return the formula of the whole."""
    finite = is_finite(problem)
    sentences = dict(second_reader.definitions(lifted))
    known: dict[str, Formula] = {}
    for name in reversed(sentences):
        what = f"Condition {name}" if name else "The requirement itself"
        line = lines.take(rf"{what} says: (.+) As a formula: (.+)")
        if line[1] != sentences[name]:
            raise lines.wrong("the requirement has other words there")
        formula = _claimed(line[2], finite)
        meant = second_reader.sense(sentences[name], agents, finite=finite)
        if not compare(meant, formula, finite=finite).equivalent:
            raise lines.wrong("those words mean another formula")
        known[name] = formula
    whole = known.pop("")
    for name in sentences:  # a condition is named before it is defined
        if name:
            whole = substitute(whole, {name: known[name]})
    if known:
        put = lines.take(r"With the formulas of the conditions put in: (.+)")[1]
        if _claimed(put, finite) != whole:
            raise lines.wrong("that is not the formula with those of the conditions put in")
    return whole


def _claimed(text: str, finite: bool) -> Formula:
    """Return a formula over propositions and conditions."""
    letters = "ABCDEHJKLPQST" if finite else "ABCDEHJKLNPQST"  # N may be the weak next
    names = re.findall(rf"\b(?:prop_[0-9]+|R[0-9]+|[{letters}])\b", text)
    return syntax.parse(text, list(dict.fromkeys(names)), finite=finite)


_TASKS: dict[str, Callable[[Mapping[str, Any], Lines], None]] = {
    "lift": _lift,
    "translate": _translate,
    "ground": _ground,
    "end_to_end": _end_to_end,
    "verify": path.read,
}
