"""The check of a certificate against its item: a few lines, no engine."""

from __future__ import annotations

from typing import Any

from harness import HarnessError, Item
from harness_ltlbench import contrast, walks
from harness_ltlbench.engines import lasso
from harness_ltlbench.formula import answer, validate

KEYS = {"violation", "witness", "contrast", "walk"}


def errors(item: Item) -> list[str]:
    """Return what is wrong with the certificate of an item; empty when it proves what it can.

    A False label is proved by a path of the graph on which the formula fails. A True label
    cannot be proved by one path: there the witness shows that the graph has a path on which
    the formula holds, and ``contrast`` that another graph would have made it False. ``walk`` is the probability that
    a random walk violates a False hypothesis.
    """
    problem, certificate = item.problem, item.certificate
    try:
        validate(problem["formula"], problem["events"])
    except HarnessError as error:
        return [str(error)]
    if not isinstance(certificate, dict) or set(certificate) != KEYS:
        return [f"a certificate has the keys {', '.join(sorted(KEYS))}"]
    label = item.target == "True"
    name, empty = ("witness", "violation") if label else ("violation", "witness")
    if certificate[empty] is not None:
        return [f"the label is {label}, but the certificate holds a {empty}"]
    wrong = _path(problem, certificate[name], label)
    if wrong is None and certificate["contrast"] is not None:
        wrong = contrast.errors(problem, label, certificate["contrast"])
        wrong = f"contrast: {wrong}" if wrong else None
    elif wrong is not None:
        wrong = f"{name}: {wrong}"
    if wrong is None and certificate["walk"] is not None:
        wrong = _walk(problem, certificate["walk"])
    if wrong is None and item.target != answer(problem["task"], certificate["violation"]):
        wrong = f"the target is {item.target[:40]!r}, which is not what the certificate shows"
    return [wrong] if wrong else []


def _walk(problem: dict[str, Any], chance: Any) -> str | None:
    try:
        right = str(walks.violation(problem))
    except HarnessError as error:
        return str(error)
    shown = str(chance)[:40]
    return None if chance == right else f"walk: the probability is {right[:40]}, not {shown}"


def _path(problem: dict[str, Any], path: Any, label: bool) -> str | None:
    wrong = lasso.path_errors(problem, path)
    if (
        wrong is None
        and lasso.holds(problem["formula"], path["prefix"], path["cycle"]) is not label
    ):
        return f"the formula is {not label} on it"
    return wrong
