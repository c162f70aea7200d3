"""Judge an answer against a published label that is wrong: by what the two state, literal by literal.

A label of ours that the machine contradicts leaves an item unscored. A published one is what answers to
it have always been held against: so it is compared as it stands, without a look at the machine, and the
explanation says that it is wrong.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from harness_answers.text import quoted

from harness import Item
from harness_tempobench.answers import extraction
from harness_tempobench.answers.extraction import StatedCause, StatedRun
from harness_tempobench.answers.score_gold import BrokenItemError, Counts, Judged
from harness_tempobench.constraint import Formula
from harness_tempobench.formulas import nodes

_Steps = Mapping[Any, Any]


def judge(item: Item, reply: str, names: Iterable[str], why: str) -> Judged:
    """Judge an answer by a wrong label; ``why`` is what is wrong with it.

    Raises:
        answers.Unreadable: there is no answer.
        BrokenItemError: the label cannot be read as one.
    """
    known = frozenset(names)
    try:
        gold = _steps(item, f"Answer: {item.target}", "", known)
    except extraction.Unreadable as error:
        raise BrokenItemError(f"{why}; nor can it be read: {error}") from None
    stated = _steps(item, reply, item.prompt, known)
    right = gold == stated
    ap = Counts.of(_literals(gold), _literals(stated))
    ts = Counts.of(set(gold.items()), set(stated.items()))
    return Judged(
        answer=quoted(reply.strip()[-200:], 200),
        gold=lambda: quoted(item.target, 300),
        correct=right,
        exact=right,
        ap=ap,
        ts=ts,
        extra={"accepted": float(gold.get("accepted") == stated.get("accepted")), "f1_state": 0.0}
        if item.problem["task"] == "tte"
        else {},
        why=lambda: (
            f"The published label is wrong, and the answer is held against it as it stands: {why}."
        ),
    )


def _steps(item: Item, text: str, prompt: str, known: frozenset[str]) -> dict[Any, Any]:
    """Return what an answer states by step, in a form in which equal answers are equal."""
    if item.problem["task"] == "tte":
        return _run(extraction.run(text, prompt, known))
    return _cause(extraction.cause(text, prompt, item.problem["effect"], known))


def _cause(stated: StatedCause) -> dict[Any, Any]:
    steps: dict[Any, Any] = {
        step: frozenset(_plain(formula) for formula in formulas)
        for step, formulas in stated.steps.items()
        if formulas
    }
    if stated.crosses:
        steps["crossing"] = frozenset(map(frozenset, stated.crosses))
    return steps | ({"effect": stated.other} if stated.other else {})


def _run(stated: StatedRun) -> dict[Any, Any]:
    steps: dict[Any, Any] = {
        number: (step.state, step.inputs and _plain(step.inputs), step.next)
        for number, step in stated.steps.items()
    }
    return steps | {"accepted": stated.accepted}


def _plain(formula: Formula) -> Formula:
    """Return a formula with its parts in a fixed order."""
    if formula[0] not in ("and", "or"):
        return formula
    return (formula[0], *sorted(map(_plain, formula[1:]), key=repr))


def _literals(steps: _Steps) -> set[Any]:
    literals = set()
    for step, value in steps.items():
        parts = (value[1],) if isinstance(value, tuple) else value
        parts = parts if isinstance(parts, tuple | frozenset) else ()
        formulas = [part for part in parts if isinstance(part, tuple)]
        literals |= {(step, *node[1:]) for node in nodes(formulas) if node[0] == "literal"}
    return literals
