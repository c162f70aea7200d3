"""Traces: the complete solution of an item, step by step, with its answer; `reader` checks them.

A requirement's steps come from its certificate, which says how its sentence was put together; those of a
verification from the evaluator that makes the labels.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from harness import Item
from harness_vltl.certificate import canonical
from harness_vltl.engines import evaluator
from harness_vltl.formulas.formula import substitute, text
from harness_vltl.templates import definitions

MAX_CHARACTERS = 20_000
"""Longest trace; an item whose trace would be longer has none."""

Proof = Mapping[str, Any]


def written(item: Item) -> str | None:
    """Return the solution with its answer.

    None for an item without a derivation (an adopted one), or where it would be longer than `MAX_CHARACTERS`.
    """
    if item.problem["task"] == "verify":
        lines = list(_verification(item.problem))
    elif "derivation" in (item.certificate or {}):
        proof = item.certificate
        lines = [line for part in _PARTS[item.problem["task"]] for line in part(proof)]
    else:
        return None
    whole = "\n".join([*lines, f"Answer: {item.target}"])
    return whole if len(whole) <= MAX_CHARACTERS else None


def _mentions(proof: Proof) -> Iterator[str]:
    yield "The words of the requirement are counted from 1."
    tokens, first = proof["tokens"], dict[str, int]()
    places = ((start, end, name) for name, spans in proof["spans"].items() for start, end in spans)
    for number, (start, end, name) in enumerate(sorted(places), 1):
        words = " ".join(tokens[start:end]).rstrip(",.;:")
        where = f'Mention {number}: words {start + 1} to {end}, "{words}"'
        if name in first:
            yield f"{where}: the action of mention {first[name]} again, {name}."
        else:
            first[name] = number
            yield f"{where}: an action not mentioned before, {name}."
    yield "No other words are an action."
    yield f"With the propositions in place of the actions the requirement reads: {proof['lifted']}"


def _actions(proof: Proof) -> Iterator[str]:
    for name, prop in proof["propositions"].items():
        start, end = proof["spans"][name][0]
        yield (
            f'{name} stands for "{prop["text"]}", words {start + 1} to {end} of the requirement: '
            f"the action is {canonical(prop)}."
        )


def _formulas(proof: Proof) -> Iterator[str]:
    sentences = dict(definitions(proof["lifted"]))
    for node in reversed(proof["derivation"]):
        what = f"Condition {node['condition']}" if node["condition"] else "The requirement itself"
        formula = text(substitute(node["formula"], node["slots"]))
        yield f"{what} says: {sentences[node['condition']]} As a formula: {formula}"
    if len(sentences) > 1:
        yield f"With the formulas of the conditions put in: {text(proof['formula'])}"


def _grounded(proof: Proof) -> Iterator[str]:
    yield f"With the actions put in: {text(proof['grounded'])}"


def _verification(problem: Mapping[str, Any]) -> Iterator[str]:
    yield "The parts of the formula one by one, each after its own parts:"
    number: dict[str, int] = {}
    values: list[bool] = []
    for part, values in evaluator.table(problem["formula"], problem["trace"]):
        number[text(part)] = len(number) + 1
        inner_names = (
            [f"part {number[text(inner)]}" for inner in part[1:]] if isinstance(part, list) else []
        )
        composition = f", that is {_joined(part[0], inner_names)}," if inner_names else ""
        yield f"Part {len(number)}: {text(part)}{composition} holds at {_steps(values)}."
    word = "holds" if values[0] else "does not hold"
    yield f"The last part is the whole formula, and it {word} at step 1."


def _joined(operator: str, names: list[str]) -> str:
    return f"{operator} {names[0]}" if len(names) == 1 else f"{names[0]} {operator} {names[1]}"


def _steps(values: list[bool]) -> str:
    steps = [str(at) for at, value in enumerate(values, 1) if value]
    if not steps:
        return "no step"
    if all(values):
        return "every step"
    return f"{'step' if len(steps) == 1 else 'steps'} {', '.join(steps)}"


_Part = Callable[[Proof], Iterator[str]]
_PARTS: dict[str, tuple[_Part, ...]] = {
    "lift": (_mentions,),
    "translate": (_formulas,),
    "ground": (_actions,),
    "end_to_end": (_mentions, _actions, _formulas, _grounded),
}
