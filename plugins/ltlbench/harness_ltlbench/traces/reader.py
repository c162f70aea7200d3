"""Read a trace back: every sentence is parsed by patterns of its own, and every claim found anew.

`Path` reads the trace of a False label: on one sequence the hypothesis fails, moment after moment; `all_paths` reads
what is said of all sequences.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise
from typing import Any

from harness_answers import trace_lines
from harness_answers.trace_lines import Lines, WrongTraceError
from harness_logic import path_semantics

from harness import Item
from harness_ltlbench.formula import Formula, validate
from harness_ltlbench.traces.all_paths import AllPaths
from harness_ltlbench.traces.graph import EVENT, Graph, Part, numbers


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


class Path:
    """The claims of a trace on one sequence, on which the hypothesis fails."""

    def __init__(self, problem: dict[str, Any], first: str, lines: Lines) -> None:
        match = re.fullmatch(
            rf"Look at the sequence ((?:{EVENT}, )*\((?:{EVENT}, )*{EVENT}\)), of which the part in "
            r"parentheses repeats forever\.",
            first,
        )
        if match is None:
            raise WrongTraceError("line 1 names no sequence")
        self.text, self.problem = match[1], problem
        before, _, cycle = self.text.partition("(")
        self.path = [*numbers(before), *numbers(cycle)]
        self.loop = len(numbers(before))
        self.rows: list[list[bool]] = []  # of each statement, at which moments it holds
        self._possible(Graph(problem), lines.next())
        end = f"after moment {len(self.path)} comes moment {self.loop + 1} again"
        if lines.next() != f"Its moments are counted from 1; {end}.":
            raise WrongTraceError("line 3: that is not how its moments go on")

    def _possible(self, graph: Graph, line: str) -> None:
        if self.path[0] != graph.initial:
            raise WrongTraceError(f"the sequence does not begin with event{graph.initial}")
        begin = f"It is possible: event{graph.initial} is the initial event"
        claims: list[str] = []
        for event, then in pairwise([*self.path, self.path[self.loop]]):
            if then not in graph.after(event):
                raise WrongTraceError(f"after event{event}, event{then} cannot happen")
            stays = f"event{event} repeats forever"
            claims.append(
                stays if event in graph.stuck else f"after event{event} event{then} can happen"
            )
        if line != ", ".join([begin, *dict.fromkeys(claims)]) + ".":
            raise WrongTraceError("line 2: it does not say of every step that it is possible")

    def claim(self, part: Part, text: str) -> str | None:
        """Return what is wrong with what is said of a statement."""
        match = re.fullmatch(r"It holds at (?:(every|no) moment|moments? ([0-9, ]+))\.", text)
        if match is None:
            return "it is not said at which moments it holds"
        self.rows.append(self._row(*part))
        true = [at for at, holds in enumerate(self.rows[-1], 1) if holds]
        numbers = ", ".join(map(str, true))
        if not true or len(true) == len(self.path):
            right = match[1] == ("every" if true else "no")
        else:
            right = match[2] == numbers and text.startswith("It holds at moments") == (
                len(true) > 1
            )
        return None if right else "it does not hold at these moments and no others"

    def _row(self, part: Formula, operands: Sequence[int]) -> list[bool]:
        """Return at which moments a statement holds, by the rows of those it names."""
        if isinstance(part, int):
            return [event == part for event in self.path]
        inner = [
            self.rows[number - 1] if number else self._row(operand, ())
            for number, operand in zip(operands, part[1:], strict=True)
        ]
        return [self._holds(part[0], inner, at) for at in range(len(self.path))]

    def _holds(self, operator: str, inner: Sequence[Sequence[bool]], at: int) -> bool:
        moments = path_semantics.ahead(at, len(self.path), self.loop)
        return path_semantics.holds(
            operator, [[row[moment] for moment in moments] for row in inner]
        )

    def conclude(self, last: int, lines: Lines) -> None:
        """Refuse a conclusion that does not follow."""
        line, answer = lines.next(), lines.next()
        if self.rows[-1][0]:
            raise WrongTraceError("the hypothesis holds on the sequence")
        if (
            line
            != f"C{last} does not hold at moment 1 of a possible sequence, so the hypothesis is False."
        ):
            raise WrongTraceError("the last sentence is not what follows")
        shown = f": {self.text}" if self.problem["task"] == "counterexample" else ""
        if answer != f"Answer: False{shown}":
            raise WrongTraceError("the answer is not what follows, in the form asked for")
