"""Read the trace of a verification back: what holds where is decided by the definitions of the operators.

So many words (`harness_logic.path_semantics`), tried along the path, and no fixpoint.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any

from harness_answers.trace_lines import Lines, WrongTraceError
from harness_logic import path_semantics

from harness_vltl.formulas import syntax
from harness_vltl.formulas.formula import Formula
from harness_vltl.problem import is_finite


def read(problem: Mapping[str, Any], lines: Lines) -> None:
    """Read the trace of a verification: which part holds where, each made of parts before it."""
    finite = is_finite(problem)
    path = _Finite(problem["trace"]) if finite else _Path(problem["trace"])
    parts: list[Formula] = []
    used: set[int] = set()
    lines.take(r"The parts of the formula one by one, each after its own parts:")
    while line := lines.maybe(
        r"Part ([0-9]+): (.+?)(?:, that is (.+),)? holds at (no step|every step|steps? [0-9, ]+)\."
    ):
        if int(line[1]) != len(parts) + 1:
            raise lines.wrong("the parts are not counted one by one")
        part = syntax.parse(line[2], finite=finite)
        if line[3] is None and isinstance(part, list):
            raise lines.wrong("it is not steps_in_words of which parts it is made")
        if line[3] is not None and part != _composed(line[3], parts, used, lines):
            raise lines.wrong("that is not what its parts make")
        if part in parts:
            raise lines.wrong("the part came before")
        if path.steps_in_words(part) != line[4]:
            raise lines.wrong("that is not where the part holds")
        parts.append(part)
    if not parts or parts[-1] != problem["formula"]:
        raise WrongTraceError("the last part is not the whole formula")
    if used != set(range(1, len(parts))):
        raise WrongTraceError("there are parts that the formula does not have")
    holds = path.holds(parts[-1], 0)
    verb = "holds" if holds else "does not hold"
    lines.take(rf"The last part is the whole formula, and it {verb} at step 1\.")
    lines.take(f"Answer: {'satisfied' if holds else 'violated'}")


def _composed(text: str, parts: Sequence[Formula], used: set[int], lines: Lines) -> Formula:
    match = re.fullmatch(r"(?:part ([0-9]+) )?([!&|A-Z<>-]+) part ([0-9]+)", text)
    if match is None:
        raise lines.wrong("that is no way to make a part of others")
    numbers = [int(number) for number in (match[1], match[3]) if number]
    if not all(1 <= number <= len(parts) for number in numbers):
        raise lines.wrong("it is made of a part that has not come yet")
    used.update(numbers)
    return [match[2], *(parts[number - 1] for number in numbers)]


class _Path:
    """An infinite trace, on which operators are taken at their word."""

    def __init__(self, trace: Mapping[str, Any]) -> None:
        self.states, self.trace = trace["states"], trace
        self.known: dict[tuple[str, int], bool] = {}

    def steps_in_words(self, part: Formula) -> str:
        """Return where a part holds, in words."""
        steps = [str(at + 1) for at in range(len(self.states)) if self.holds(part, at)]
        if len(steps) == len(self.states):
            return "every step"
        word = "step" if len(steps) == 1 else "steps"
        return f"{word} {', '.join(steps)}" if steps else "no step"

    def holds(self, part: Formula, at: int) -> bool:
        """Tell whether a part holds at a state."""
        key = (json.dumps(part), at)
        if key not in self.known:
            self.known[key] = self._holds(part, at)
        return self.known[key]

    def _holds(self, part: Formula, at: int) -> bool:
        if isinstance(part, bool):
            return part
        if isinstance(part, str):
            return part in self.states[at]
        moments = self.ahead(at)
        operands = [[self.holds(operand, moment) for moment in moments] for operand in part[1:]]
        return self.meaning(part[0], operands)

    def ahead(self, at: int) -> Sequence[int]:
        """Return the moments from one on."""
        return path_semantics.ahead(at, len(self.states), self.trace["loop"])

    def meaning(self, operator: str, operands: Sequence[Sequence[bool]]) -> bool:
        """Tell whether an operator holds at a moment, by where its operands hold from there on."""
        return path_semantics.holds(operator, operands)


class _Finite(_Path):
    """A trace that ends."""

    def ahead(self, at: int) -> Sequence[int]:
        return range(at, len(self.states))

    def meaning(self, operator: str, operands: Sequence[Sequence[bool]]) -> bool:
        if operator in "XN":
            return operands[0][1] if len(operands[0]) > 1 else operator == "N"
        return path_semantics.holds(operator, operands)
