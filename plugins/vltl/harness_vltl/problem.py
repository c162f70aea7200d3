"""The data of a problem by task: what is asked about a requirement, and the answer that is right."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, NamedTuple

from harness_vltl.formulas.formula import Formula, substitute, text

STYLES = ("plain", "exact", "timed")
OF_RECORDS = "published"
"""The style of sentences that are read from a file, and not made here."""
TRANSLATED = ("translate", "end_to_end")
"""The tasks that ask for a formula."""
LTLF = "ltlf"
SEMANTICS = ("infinite", LTLF)


class Meaning(NamedTuple):
    """What a requirement says: formula over prop_i, the sentence with prop_i put in, what each prop_i is called."""

    formula: Formula
    lifted: str
    names: dict[str, str]


def problem_of(
    task: str,
    scenario: str,
    sentence: str,
    lifted: str,
    style: str = "exact",
    *,
    finite: bool = False,
) -> dict[str, Any]:
    """Return the problem, as JSON data, that a task other than verify makes of a requirement.

    Where a formula is asked for, it says in which style words have the meanings that prompts fix, if in one, and
    whether it is about traces that end.
    """
    asked = task in TRANSLATED
    fixed = {"style": style} if style != "exact" and asked else {}
    fixed |= {"semantics": LTLF} if finite and asked else {}
    if task == "translate":
        return {"task": task, "lifted": lifted, **fixed}
    where = {"task": task, "scenario": scenario, "sentence": sentence, **fixed}
    return {**where, "lifted": lifted} if task == "ground" else where


def is_pair(problem: Mapping[str, Any]) -> bool:
    """Tell whether a problem is somebody's sentence over propositions by name, without scenario and traces."""
    return "propositions" in problem


def is_finite(problem: Mapping[str, Any]) -> bool:
    """Tell whether a problem, or a configuration, is about finite traces that end: LTLf."""
    return problem.get("semantics") == LTLF


def target_of(task: str, lifted: str, formula: Formula, names: Mapping[str, str]) -> str:
    """Return the right answer of a task other than verify; ``formula`` is over prop_i, which ``names`` explains."""
    if task == "lift":
        return lifted
    if task == "ground":
        return dictionary(names)
    return text(formula if task == "translate" else substitute(formula, names))


def dictionary(names: Mapping[str, str]) -> str:
    """Return the gold answer of task ground: the canonical proposition of each prop_i."""
    return json.dumps(names)
