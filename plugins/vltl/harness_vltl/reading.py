"""From a prompt back to the formal problem, by the text alone."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from harness_vltl import lassos
from harness_vltl.config import MAX_FIELD
from harness_vltl.formulas import syntax
from harness_vltl.formulas.formula import FormulaError
from harness_vltl.problem import LTLF, TRANSLATED
from harness_vltl.wording import FINITE_HEADERS, FINITE_OPERATORS, FINITE_PLAIN, FIXED, HEADERS

MAX_PROMPT = 200_000
_TASKS = {header: (task, False) for task, header in HEADERS.items()}
_TASKS |= {header: (task, True) for task, header in FINITE_HEADERS.items()}
# the last line of a kind: what a scenario is called or a surface form says never begins a line so
_FIELD = re.compile(r"^(Scenario|Requirement|Propositions|Lifted|Formula): (.+)$", re.MULTILINE)
_FIELDS = {
    "lift": {"Scenario": "scenario", "Requirement": "sentence"},
    "translate": {"Requirement": "lifted"},
    "ground": {"Scenario": "scenario", "Requirement": "sentence", "Lifted": "lifted"},
    "end_to_end": {"Scenario": "scenario", "Requirement": "sentence"},
    "verify": {"Formula": "formula"},
}


def read(prompt: str) -> dict[str, Any] | None:
    """Return the problem that a prompt of ours states, None for any other text."""
    if len(prompt) > MAX_PROMPT:
        return None
    # examples and aids may stand before the prompt, strategies add to its end
    starts = [(prompt.rfind(header + "\n"), task) for header, task in _TASKS.items()]
    start, (task, finite) = max(starts)
    if start < 0:
        return None
    body = prompt[start:]
    values: dict[str, str] = {}
    for name, value in _FIELD.findall(body):
        values.setdefault(name, value)
    if task == "translate" and "Propositions" in values and not finite:
        return _pair(values)
    fields = _FIELDS[task]
    if not set(fields) <= set(values):
        return None
    problem: dict[str, Any] = {"task": task}
    problem |= {key: values[name] for name, key in fields.items()}
    if task == "verify":
        return _verification(problem["formula"], body, finite=finite)
    fixed = _fixed(body, finite) if task in TRANSLATED else {}
    if fixed is None or not all(map(_sayable, problem.values())):
        return None
    return problem | fixed


def _fixed(body: str, finite: bool) -> dict[str, str] | None:
    """Return what the prompt of a formula says of words and traces, None if that is nothing of ours."""
    if finite:
        said = f"\n{FINITE_PLAIN}\n{FINITE_OPERATORS}\n" in body
        return {"style": "plain", "semantics": LTLF} if said else None
    styles = [style for style, words in FIXED.items() if f"\n{words}\n" in body]
    if not styles:
        return None
    style = styles[-1]  # plain words stand in what is fixed for timed ones, too
    return {} if style == "exact" else {"style": style}


def _pair(values: Mapping[str, str]) -> dict[str, Any] | None:
    """Return the problem of a pair; the commas within a proposition have no blank behind them."""
    sentence, names = values.get("Requirement", ""), values["Propositions"].split(", ")
    if not sentence or not all(map(_sayable, (sentence, *names))):
        return None
    return {"task": "translate", "sentence": sentence, "propositions": names}


def _sayable(value: str) -> bool:
    """Return whether a field is one that a problem can have: not too long, and no halves of characters."""
    return len(value) <= MAX_FIELD and value.encode("utf-8", "replace").decode() == value


def _verification(formula: str, body: str, *, finite: bool) -> dict[str, Any] | None:
    lines = body.split("\n")
    if "Trace:" not in lines:
        return None
    start = lines.index("Trace:") + 1
    end = next((i for i in range(start, len(lines)) if not lines[i].startswith("Step ")), None)
    stated = lines[start : end + 1] if end is not None and end > start else None
    trace = lassos.read(stated, finite=finite) if stated else None
    if trace is None or (finite and FINITE_OPERATORS not in lines):
        return None
    try:
        parsed = syntax.parse(formula, finite=finite)
    except FormulaError:
        return None
    problem = {"task": "verify", "formula": parsed, "trace": trace}
    return {**problem, "semantics": LTLF} if finite else problem
