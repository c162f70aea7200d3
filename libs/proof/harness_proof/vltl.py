"""Items of vltl that ask whether a trace satisfies a formula (task=verify): both are read and evaluated here.

A certificate could add nothing. **Theorem (finite traces).** A finite trace is followed by one more state, which repeats
forever, and in which nothing is true, not even `_WITHIN`, which is true in each state of the trace. A formula holds on
the trace just if it does on this path, where of F, X, M and U what has to come comes within the trace (`_WITHIN` and it),
and of G, N, W and R what has to last need not last beyond it. What a sentence means is not proved here.
"""

from __future__ import annotations

import re
from typing import Any

from harness_proof import words
from harness_proof.ltl import Formulas
from harness_proof.outcomes import RefutedError, UncheckedError

MAX_LENGTH = 5000
_NAME = r"(?!(?:true|false)\b)[a-z][a-z0-9_]*(?:\([a-z0-9_]+(?:,[a-z0-9_]+)*\))?"
_TOKEN = re.compile(rf"{_NAME}|[XNFGUWRM](?![A-Za-z0-9_])|<->|->|[!&|()]")
_LEVELS = {"->": 1, "<->": 1, "|": 2, "&": 3, "U": 4, "W": 4, "R": 4, "M": 4}
_WITHIN = "."
"""What is true in each state of a finite trace."""


def check(prompt: str, target: str, proof: Any) -> None:
    """Check an item's label."""
    kind = "finite" if "finite" in prompt.partition("\n")[0] else "infinite"
    parts = words.read("vltl", [kind], prompt)
    if len(parts["formula"]) > MAX_LENGTH:
        raise UncheckedError(f"the formula has more than {MAX_LENGTH} signs")
    *lines, end = parts["trace"].split("\n")
    states = [_state(number, line) for number, line in enumerate(lines, 1)]
    found = re.fullmatch(words.told("vltl", [kind])["end"], end)
    numbers = [int(number) for number in found.groups() if number] if found else [0]
    last, back = numbers[0], numbers[-1]
    if last != len(states) or not 1 <= back <= last:
        raise UncheckedError("what repeats is not where the trace ends")
    if kind == "finite":
        states.append(set())
        back = len(states)
    reader = _Reader(parts["formula"], kind == "finite")
    holds = reader.formulas.holds(
        reader.formula, back - 1, len(states), lambda at, atom: reader.names[atom] in states[at]
    )
    if target != ("satisfied" if holds else "violated"):
        raise RefutedError(f"the trace {'satisfies' if holds else 'violates'} the formula")


def _state(number: int, line: str) -> set[str]:
    head, _, listed = line.partition(": ")
    names = [] if listed == "nothing" else listed.split(", ")
    if head != f"Step {number}" or not all(re.fullmatch(_NAME, name) for name in names):
        raise UncheckedError(f"this line of the trace is not known here: {line[:80]}")
    return {_WITHIN, *names}


class _Reader:
    """A formula, read by the precedence that the prompt states."""

    def __init__(self, text: str, finite: bool) -> None:
        self.formulas, self.finite = Formulas(), finite
        self.names = [_WITHIN]
        self.tokens = ["", *reversed(_TOKEN.findall(text))]
        self.formula = self.binary(1)
        if "".join(text.split()) != "".join(_TOKEN.findall(text)) or len(self.tokens) > 1:
            raise UncheckedError("the formula has signs that are not known, or does not end")

    def binary(self, level: int) -> int:
        """Read operands joined by operators that bind at least as much as a level."""
        left = self.unary()
        while _LEVELS.get(self.tokens[-1], 0) >= level:
            operator = self.tokens.pop()
            left = self.joined(operator, left, self.binary(_LEVELS[operator] + 1))
            again = self.tokens[-1]
            if operator not in "&|" and _LEVELS.get(again) == _LEVELS[operator]:
                raise UncheckedError(f"the formula has {operator} and {again} side by side")
        return left

    def joined(self, operator: str, left: int, right: int) -> int:
        """Return the formula of an operator and its operands."""
        if operator in "UW":
            left, right = self.bounded("|", left), self.bounded("&", right)
        elif operator in "RM":
            left, right = self.bounded("&", left), self.bounded("|", right)
        return self.formulas.join(operator, left, right)

    def unary(self) -> int:
        """Read a name, a formula in parentheses, or either behind operators of one operand."""
        token = self.tokens.pop()
        if token == "(":
            inner = self.binary(1)
            if self.tokens.pop() != ")":
                raise UncheckedError("the formula lacks a closing parenthesis")
            return inner
        if token == "!":
            return self.formulas.negation(self.unary())
        if token in ("F", "G", "X") or (token == "N" and self.finite):
            inner = self.bounded("&" if token in "FX" else "|", self.unary())
            return self.formulas.add(token.replace("N", "X"), inner)
        if not token[:1].islower():
            raise UncheckedError("the formula lacks an operand")
        if token not in self.names:
            self.names.append(token)
        return self.formulas.add("atom", self.names.index(token))

    def bounded(self, operator: str, part: int) -> int:
        """Return that a part holds within the trace (&), or that it does not end before (|), if it is finite."""
        within = self.formulas.add("atom" if operator == "&" else "not", 0)
        return self.formulas.add(operator, within, part) if self.finite else part
