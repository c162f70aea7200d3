"""Items of vltl that ask whether a trace satisfies a formula (task=verify): both are read and evaluated here.

A certificate could add nothing. **Theorem (finite traces).** Let a finite trace be followed by one more state, which
repeats forever, and in which nothing is true; `_WITHIN` is true in the states of the trace. A formula holds on the
trace just if it does on this path once what F, X, M and U ask for is asked for within the trace (`_WITHIN` and it),
and what G, N, W and R ask to last need not last beyond it (not `_WITHIN`, or it).
"""

from __future__ import annotations

import re
from typing import Any

from harness_proof import words
from harness_proof.ltl import Formulas
from harness_proof.outcomes import known, proven

MAX_LENGTH = 5_000
_LEVELS = {"->": 1, "<->": 1, "|": 2, "&": 3, "U": 4, "W": 4, "R": 4, "M": 4}
_BOUNDS = {"F": "&", "X": "&", "G": "|", "N": "|", "U": "|&", "W": "|&", "R": "&|", "M": "&|"}
"""Of each operand, whether it has to hold within a finite trace (&), or need not beyond it (|)."""
_WITHIN = "."
"""What is true in each state of a finite trace."""


def check(prompt: str, target: str, proof: Any) -> None:
    """Check an item's label."""
    kind = "finite" if "finite" in prompt.partition("\n")[0] else "infinite"
    parts = words.read("vltl", (kind,), prompt)
    known(len(parts["formula"]) <= MAX_LENGTH, f"the formula has more than {MAX_LENGTH} signs")
    *lines, end = parts["trace"].split("\n")
    read = [words.match("vltl", "state", line) for line in lines]
    states = [{_WITHIN, *found[2].split(", ")} - {"nothing"} for found in read]
    known(all(int(found[1]) == n for n, found in enumerate(read, 1)), "steps are not numbered")
    numbers = [int(number) for number in words.match("vltl", kind, end).groups() if number]
    last, back = numbers[0], numbers[-1]
    known(last == len(states) and 1 <= back <= last, "what repeats is not where the trace ends")
    if kind == "finite":
        states.append(set())
        back = len(states)
    reader = _Reader(parts["formula"], kind == "finite")
    holds = reader.formulas.holds(
        reader.formula, back - 1, len(states), lambda at, atom: reader.names[atom] in states[at]
    )
    told = f"the trace {'satisfies' if holds else 'violates'} the formula"
    proven(target == ("satisfied" if holds else "violated"), told)


class _Reader:
    """A formula, read by the precedence that the prompt states."""

    def __init__(self, text: str, finite: bool) -> None:
        self.formulas, self.finite = Formulas(), finite
        self.names = [_WITHIN]
        tokens = re.findall(words.told("vltl")["token"], text)
        self.tokens = ["", *reversed(tokens)]
        self.formula = self.binary(1)
        whole = "".join(text.split()) == "".join(tokens) and len(self.tokens) == 1
        known(whole, "the formula has signs that are not known, or does not end")

    def binary(self, level: int) -> int:
        """Read operands joined by operators that bind at least as much as a level."""
        left = self.unary()
        while _LEVELS.get(self.tokens[-1], 0) >= level:
            operator = self.tokens.pop()
            right = self.binary(_LEVELS[operator] + 1)
            sides = _BOUNDS.get(operator, ("", ""))
            left = self.formulas.join(operator, *map(self.bounded, sides, (left, right)))
            again = self.tokens[-1]
            clear = operator in "&|" or _LEVELS.get(again) != _LEVELS[operator]
            known(clear, f"the formula has {operator} and {again} side by side")
        return left

    def unary(self) -> int:
        """Read a name, a formula in parentheses, or either behind operators of one operand."""
        sign = self.tokens.pop()
        if sign == "(":
            inner = self.binary(1)
            known(self.tokens.pop() == ")", "the formula lacks a closing parenthesis")
            return inner
        if sign in ("!", "F", "G", "X") or (sign == "N" and self.finite):
            inner = self.bounded(_BOUNDS.get(sign, ""), self.unary())
            return self.formulas.join(sign.replace("N", "X"), inner)
        known(sign[:1].islower(), "the formula lacks an operand")
        if sign not in self.names:
            self.names.append(sign)
        return self.formulas.add("atom", self.names.index(sign))

    def bounded(self, operator: str, part: int) -> int:
        """Return that a part holds within the trace (&), or that it does not end before (|), if it is finite."""
        within = self.formulas.add("atom" if operator == "&" else "not", 0)
        return self.formulas.add(operator, within, part) if self.finite and operator else part
