"""Read a trace back: every sentence is parsed by patterns of its own, and every claim found anew.

`path` reads what is said of one sequence, `all_paths` what is said of all of them.
"""

from __future__ import annotations

import re

from harness_answers import trace_lines
from harness_answers.trace_lines import Lines, WrongTraceError

from harness import Item
from harness_ltlbench.formula import Formula, validate
from harness_ltlbench.traces.all_paths import AllPaths
from harness_ltlbench.traces.graph import Part
from harness_ltlbench.traces.path import Path


def findings(item: Item, text: str) -> list[str]:
    """Return what is wrong with a trace, at most one thing; an empty list if every step holds."""
    return trace_lines.findings(text, lambda lines: _read(item, lines))


def _read(item: Item, lines: Lines) -> None:
    problem = item.problem
    validate(problem["formula"], problem["events"])
    _, _, below = item.prompt.rpartition("=== Hypothesis ===")
    statements = [line for line in below.split("\n") if re.match(r"C[0-9]+: ", line)]
    parts = _numbered(problem["formula"])
    if len(statements) != len(parts):
        raise WrongTraceError("the prompt does not state the formula operator by operator")
    first = lines.next()
    shown = (Path if first.startswith("Look at") else AllPaths)(problem, first, lines)
    for number, (statement, part) in enumerate(zip(statements, parts, strict=True), 1):
        line = lines.next()
        if not statement.startswith(f"C{number}: ") or not line.startswith(f"{statement} "):
            raise lines.wrong(f"C{number} of the prompt has to come here")
        wrong = shown.claim(part, line[len(statement) + 1 :])
        if wrong:
            raise lines.wrong(wrong)
    shown.conclude(len(parts), lines)


def _numbered(formula: Formula) -> list[Part]:
    """Return what the statements say: each operator after its operands, the left before the right."""
    parts: list[Part] = []

    def state(part: Formula) -> int:
        if isinstance(part, int):
            return 0
        operands = tuple(state(inner) for inner in part[1:])
        parts.append((part, operands))
        return len(parts)

    if not state(formula):
        parts.append((formula, ()))
    return parts
