"""Prompts: everything that a model needs to know, and nothing that tells the answer. `reading` is the inverse."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import resources
from typing import Any

import yaml

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

_TEXTS: dict[str, str] = yaml.safe_load(
    resources.files("harness_vltl").joinpath("wording.yaml").read_text("utf-8")
)
CONVENTIONS = _TEXTS["exact"]
PLAIN = _TEXTS["plain"]
TIMED = _TEXTS["timed"]
FINITE_PLAIN = _TEXTS["plain_finite"]
OPERATORS = _TEXTS["operators"]
FINITE_OPERATORS = _TEXTS["operators_finite"]
FIXED = {"plain": PLAIN, "exact": CONVENTIONS, "timed": f"{PLAIN}\n{TIMED}"}
"""What prompts of each style fix, where a formula is asked for."""
_ENDS = {
    "lift": "<the requirement with prop_1, prop_2, … in place of the actions>",
    "translate": "<formula over prop_1, prop_2, …>",
    "ground": '{"prop_1": "<action with arguments>", …} with all propositions',
    "end_to_end": "<formula over actions>",
}
_BODY = {
    "lift": (_TEXTS["lift"],),
    "translate": (
        "Each of prop_1, prop_2, … stands for something that the agent does or does not do in a step.",
        CONVENTIONS,
        OPERATORS,
    ),
    "ground": (_TEXTS["ground"],),
    "end_to_end": (_TEXTS["actions"], CONVENTIONS, OPERATORS),
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
        _TEXTS["judged"],
        "End your reply with one of these two lines:",
        "Answer: satisfied",
        "Answer: violated",
    ]


def _pair(problem: Mapping[str, Any]) -> list[str]:
    return [
        f"Requirement: {problem['sentence']}",
        f"Propositions: {', '.join(problem['propositions'])}",
        _TEXTS["named"],
        OPERATORS,
        "End your reply with one line of this form:",
        "Answer: <formula over the propositions>",
    ]


def _scenario(name: str, world: str) -> list[str]:
    known = scenario.known(name) if world != "none" else None
    if known is None:
        return [f"Scenario: {name}"]
    return [f"Scenario: {name}", scenario.describe(known, full=world == "full")]
