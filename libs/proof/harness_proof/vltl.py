"""Items of vltl that ask whether a trace satisfies a formula (task=verify): both are read and evaluated here.

A certificate could add nothing. What a sentence means, which the other tasks ask for, is not proved here.
"""

from __future__ import annotations

import re
from typing import Any

from harness_proof import words
from harness_proof.ltl import UNARY, Formulas
from harness_proof.outcomes import RefutedError, UncheckedError

_PROMPT = re.compile(
    r".+\nFormula: (.{1,5000})\nTrace:\n((?:Step \d{1,4}: .+\n)+)"
    r"((?:From step (\d+) on, the state stays as it is|After step (\d+) it goes back to step (\d+), again and again)"
    r" forever\.)\n"
)
_NAME = r"(?!(?:true|false)\b)[a-z][a-z0-9_]*(?:\([a-z0-9_]+(?:,[a-z0-9_]+)*\))?"
_TOKEN = re.compile(rf"\s*(?:({_NAME})|([XFGUWRM](?![A-Za-z0-9_])|<->|->|[!&|()]))")
_LEVELS = (("->", "<->"), ("|",), ("&",), ("U", "W", "R", "M"))
_ONCE = ("->", "<->", "U", "W", "R", "M")
"""Operators that the prompt does not say how to group where several stand side by side."""


def check(prompt: str, target: str, proof: Any) -> None:
    """Check an item's label."""
    found = _PROMPT.match(prompt)
    told = dict(zip(("formula", "trace", "end"), found.groups() if found else ()))
    if found is None or words.prompt("vltl", (), told) != prompt:
        raise UncheckedError("the prompt is not of task=verify, or not in the words that we know")
    states = [
        _state(number, line) for number, line in enumerate(found[2].rstrip("\n").split("\n"), 1)
    ]
    last, back = int(found[4] or found[5]), int(found[4] or found[6])
    if last != len(states) or not 1 <= back <= last:
        raise UncheckedError("what repeats is not where the trace ends")
    reader = _Reader(found[1])
    holds = reader.formulas.holds(
        reader.formula, back - 1, last, lambda state, atom: reader.names[atom] in states[state]
    )
    if target != ("satisfied" if holds else "violated"):
        raise RefutedError(f"the trace {'satisfies' if holds else 'violates'} the formula")


def _state(number: int, line: str) -> set[str]:
    head, _, listed = line.partition(": ")
    names = [] if listed == "nothing" else listed.split(", ")
    if head != f"Step {number}" or not all(re.fullmatch(_NAME, name) for name in names):
        raise UncheckedError(f"this line of the trace is not known here: {line[:80]}")
    return {*names}


class _Reader:
    """A formula, read by the precedence that the prompt states."""

    def __init__(self, text: str) -> None:
        self.formulas = Formulas()
        self.names: list[str] = []
        self.tokens: list[tuple[str, str]] = []
        at = 0
        while at < len(text):
            token = _TOKEN.match(text, at)
            if token is None:
                raise UncheckedError(f"in the formula this is not known: {text[at : at + 40]}")
            self.tokens.append((token[1] or "", token[2] or ""))
            at = token.end()
        self.tokens.reverse()
        self.formula = self.binary(0)
        if self.tokens:
            raise UncheckedError("the formula does not end where it should")

    def next(self, *operators: str) -> str:
        """Take the next token if it is one of these operators; return it, or nothing."""
        return self.tokens.pop()[1] if self.tokens and self.tokens[-1][1] in operators else ""

    def binary(self, level: int) -> int:
        """Read operands joined by the operators of a level, and all that binds more."""
        if level == len(_LEVELS):
            return self.unary()
        add, negation = self.formulas.add, self.formulas.negation
        left, operators = self.binary(level + 1), _LEVELS[level]
        operator = self.next(*operators)
        while operator:
            right = self.binary(level + 1)
            if operator == "->":
                left = add("|", negation(left), right)
            elif operator == "<->":
                both, neither = add("&", left, right), add("&", negation(left), negation(right))
                left = add("|", both, neither)
            else:
                left = add(operator, left, right)
            again = self.next(*operators)
            if again and operator in _ONCE:
                raise UncheckedError(f"the formula has {operator} and {again} side by side")
            operator = again
        return left

    def unary(self) -> int:
        """Read a name, a formula in parentheses, or either behind operators of one operand."""
        operator = self.next("!", "(", *UNARY)
        if operator == "(":
            inner = self.binary(0)
            if not self.next(")"):
                raise UncheckedError("the formula lacks a closing parenthesis")
            return inner
        if operator:
            inner = self.unary()
            negated = operator == "!"
            return self.formulas.negation(inner) if negated else self.formulas.add(operator, inner)
        name = self.tokens.pop()[0] if self.tokens else ""
        if not name:
            raise UncheckedError("the formula lacks an operand")
        if name not in self.names:
            self.names.append(name)
        return self.formulas.add("atom", self.names.index(name))
