"""Worked solutions in words, for few-shot examples: how the answer comes about, without stating it last."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from harness import Item
from harness_vltl.certificate import canonical
from harness_vltl.engines import evaluator
from harness_vltl.formulas.formula import text

_SHOWN = 12


def worked(item: Item) -> str | None:
    """Return a worked solution; None for an item without a derivation, as published ones are."""
    if item.problem["task"] == "verify":
        return _verification(item)
    if "derivation" not in item.certificate:
        return None
    proof = item.certificate
    return "\n".join(line for part in _PARTS[item.problem["task"]] for line in part(proof))


def _propositions(proof: Mapping[str, Any]) -> list[str]:
    return [
        f'{name} is "{entry["text"]}", tokens {_places(proof["spans"][name])}.'
        for name, entry in proof["propositions"].items()
    ]


def _places(spans: list[list[int]]) -> str:
    return " and ".join(f"{start + 1} to {end}" for start, end in spans)


def _formulas(proof: Mapping[str, Any]) -> list[str]:
    lines = []
    for node in reversed(proof["derivation"]):
        slots = ", ".join(f"{letter} is {slot}" for letter, slot in node["slots"].items())
        what = f"Condition {node['condition']}" if node["condition"] else "The requirement"
        lines.append(f"{what} has the form {text(node['formula'])}, where {slots}.")
    return lines


def _actions(proof: Mapping[str, Any]) -> list[str]:
    return [
        f'"{entry["text"]}" is the action {canonical(entry)}, for {name}.'
        for name, entry in proof["propositions"].items()
    ]


def _verification(item: Item) -> str:
    rows = evaluator.table(item.problem["formula"], item.problem["trace"])
    lines = ["Where each part of the formula holds, the smallest part first:"]
    for part, values in rows[-_SHOWN:]:
        steps = [str(at) for at, value in enumerate(values, 1) if value]
        lines.append(f"{text(part)}: {'steps ' + ', '.join(steps) if steps else 'no step'}.")
    lines.append("The last of these is the whole formula, and it counts at step 1.")
    return "\n".join(lines)


_Part = Callable[[Mapping[str, Any]], list[str]]
_PARTS: dict[str, tuple[_Part, ...]] = {
    "lift": (_propositions,),
    "translate": (_formulas,),
    "ground": (_actions,),
    "end_to_end": (_propositions, _formulas, _actions),
}
