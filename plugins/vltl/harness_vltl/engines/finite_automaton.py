"""Equivalence over finite traces by an automaton that reads them from the end: exact, and without Spot.

What a formula's parts are worth in a step follows from the step's state and from what they are worth one step on;
after the last step there is nothing. So the values of all parts, as bits of a number, are the states of a
deterministic automaton. Two formulas are equivalent if no state that is reached gives them different values; a
shortest way to one that does, turned round, is a shortest trace that tells them apart.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from harness import Abstained
from harness_vltl.formulas.formula import Formula, propositions

MAX_STATES = 4_000
"""States of the automaton, beyond which it is given up."""
MAX_LETTERS = 6
"""Propositions of the two formulas together; there are two to that power of states of a trace."""


def difference(left: Formula, right: Formula) -> dict[str, Any] | None:
    """Return a shortest finite trace on which exactly one of two valid formulas holds; None if they are equivalent.

    Raises:
        Abstained: more than `MAX_STATES` states or `MAX_LETTERS` propositions.
    """
    names = propositions(["&", left, right])
    if len(names) > MAX_LETTERS:
        raise Abstained(f"automaton of finite traces: more than {MAX_LETTERS} propositions")
    automaton = _Automaton(names)
    one, other = automaton.add(left), automaton.add(right)
    came: dict[int, tuple[int, int]] = {}  # from which state, by which letter
    level = [-1]  # after the last step
    while level:
        reached: list[int] = []
        for state in level:
            for letter, after in enumerate(automaton.before(state)):
                if after in came:
                    continue
                came[after] = state, letter
                reached.append(after)
                if (after >> one ^ after >> other) & 1:
                    return {"states": _trace(after, came, names)}
        if len(came) > MAX_STATES:
            raise Abstained(f"automaton of finite traces: more than {MAX_STATES} states")
        level = reached
    return None


def _trace(state: int, came: dict[int, tuple[int, int]], names: Sequence[str]) -> list[list[str]]:
    states = []
    while state != -1:
        state, letter = came[state]
        states.append(sorted(name for bit, name in enumerate(names) if letter >> bit & 1))
    return states


class _Automaton:
    """The parts of formulas by number, operands first, and the states before a state, one for each letter."""

    def __init__(self, names: Sequence[str]) -> None:
        self.letters = 1 << len(names)
        self.every = (1 << self.letters) - 1
        self.parts: list[tuple[Any, ...]] = []
        self.numbers: dict[tuple[Any, ...], int] = {}
        # bit l of a proposition's column says whether letter l has it
        self.columns = {
            name: sum(1 << letter for letter in range(self.letters) if letter >> bit & 1)
            for bit, name in enumerate(names)
        }

    def add(self, formula: Formula) -> int:
        """Return the number of a formula."""
        part = (
            (formula[0], *map(self.add, formula[1:]))
            if isinstance(formula, list)
            else ("", formula)
        )
        if part not in self.numbers:
            self.numbers[part] = len(self.parts)
            self.parts.append(part)
        return self.numbers[part]

    def before(self, state: int) -> list[int]:
        """Return the values of all parts in a step of each letter, by those one step on; -1: there is none."""
        columns: list[int] = []
        for number, (operator, *operands) in enumerate(self.parts):
            if operator:
                a, b = columns[operands[0]], columns[operands[-1]]
                # X and N look at their operand one step on, the others at themselves
                at = operands[0] if operator in "XN" else number
                columns.append(self._value(operator, a, b, self._on(operator, state, at)))
            else:
                columns.append(self._leaf(operands[0]))
        return [
            sum((column >> letter & 1) << number for number, column in enumerate(columns))
            for letter in range(self.letters)
        ]

    def _on(self, operator: str, state: int, at: int) -> int:
        holds = operator in "GWRN" if state == -1 else state >> at & 1
        return self.every if holds else 0

    def _leaf(self, value: str | bool) -> int:
        if isinstance(value, bool):
            return self.every if value else 0
        return self.columns[value]

    def _value(self, operator: str, a: int, b: int, on: int) -> int:
        match operator:
            case "X" | "N":
                return on
            case "!":
                return self.every ^ a
            case "&":
                return a & b
            case "|":
                return a | b
            case "->":
                return self.every ^ a | b
            case "<->":
                return self.every ^ a ^ b
            case "F":
                return a | on
            case "G":
                return a & on
            case "U" | "W":
                return b | a & on
            case _:  # R and M
                return b & (a | on)
