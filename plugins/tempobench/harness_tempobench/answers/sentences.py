"""What an answer states about a step (sentences, lists of them, objects), read as formulas."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from harness_answers.text import quoted

from harness_tempobench.answers.sentence_markup import known_name
from harness_tempobench.constraint import ConstraintError, Formula, conjunction, parse
from harness_tempobench.errors import TempobenchError

MAX_STATED = 40_000
"""The most literals in all sentences of one answer, in negation normal form."""

_TRUTH = {True: True, False: False, "true": True, "false": False}
_OWN_STEP = re.compile(
    r"(?<![\w.@\]])(?:step[ _]?|time[ _]?|t)?([0-9]{1,9})[ ]?:[ ]?(?!\s*(?:true|false|[01])\b)"
    r"|\s\(?(?:at|in) (?:(?:time )?step |(?:t|time|step) ?= ?|time )([0-9]{1,9})\)?(?![\w.])",
    re.IGNORECASE,
)
# A reason in brackets behind a sentence; no formula, no step, no other condition.
_GLOSS = re.compile(
    r"\s\((?![^()]*(?:[0-9&|!~¬∧∨@=]|\b(?:not?|and|or|if|unless|only|when)\b))[^()]{3,200}\)\s*\Z",
    re.I,
)
_EITHER = re.compile(r"either\s+(?=.{1,200}\sor\s)", re.IGNORECASE)
_TIMED_NAME = re.compile(r"(.{1,100}?)(?:@([0-9]{1,9})|\[([0-9]{1,9})\])")


class Unreadable(TempobenchError):
    """A reply without an answer, or with one that cannot be read; ``reason`` says why in one line."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class Sentences:
    """Reads the sentences of one answer, which together are bounded by `MAX_STATED`.

    ``names``: the propositions that may be meant.
    """

    def __init__(self, names: Iterable[str] = ()) -> None:
        self.known = frozenset(names)
        self._literals = 0

    def formulas(self, value: Any, step: int | None = None) -> list[Formula]:
        """Return what a step's value states: a sentence, a list of them, or truth values by name.

        A list in the list stands for its only element; of several it is unclear if "and" or "or"
        is meant.

        ``value``: the value. ``step``: the step that it stands at. A literal may repeat it:
        ``2:a``, ``a@2``.
        Raises `Unreadable`: it is none of them, a sentence cannot be read, or there are too many.
        """
        if value is None:
            return []
        if (
            isinstance(value, dict)
            and len(value) == 1
            and {"constraints", "constraint"} & value.keys()
        ):
            value = next(iter(value.values()))
        if isinstance(value, str):
            return [self._formula(value, step)]
        if isinstance(value, dict):
            return [self._valued(value)] if value else []
        if not isinstance(value, list):
            raise Unreadable(f"{quoted(str(value), 40)} is no sentence")
        return [self._part(part, step, len(value) == 1) for part in value]

    def literal(self, sentence: Any) -> tuple[str, bool]:
        """Return the name and the value of a sentence that is one literal.

        Raises `Unreadable`: it is none.
        """
        read = self.formulas(sentence) if isinstance(sentence, str) else []
        if len(read) != 1 or read[0][0] != "literal":
            raise Unreadable(f"{quoted(str(sentence)[:80], 40)} is no literal")
        return read[0][1], read[0][2]

    def _part(self, part: Any, step: int | None, alone: bool) -> Formula:
        while isinstance(part, list) and len(part) == 1:
            part = part[0]
        if isinstance(part, list) and part:
            raise Unreadable("a list in a list of constraints may mean `and` or `or`")
        if isinstance(part, dict) and part and (alone or len(part) == 1):
            return self._valued(part)
        if not isinstance(part, str):
            raise Unreadable(f"{quoted(str(part)[:80], 40)} is no sentence")
        return self._formula(part, step)

    def _formula(self, sentence: str, step: int | None) -> Formula:
        try:
            formula = parse(sentence, self.known)
        except ConstraintError as error:
            plainer = _GLOSS.sub("", sentence)
            if "either" not in self.known:
                plainer = _EITHER.sub("", plainer, count=1)
            if plainer != sentence:
                return self._formula(plainer, step)
            timed = None if step is None else self._with_own_step(sentence, step)
            if timed is None:
                raise Unreadable(str(error)) from None
            formula = timed
        if step is not None:
            formula = self._of_step(formula, step)
        self.count(_size(formula))
        return formula

    def count(self, literals: int) -> None:
        """Count literals that are stated; raises `Unreadable` where they are too many."""
        self._literals += literals
        if self._literals > MAX_STATED:
            raise Unreadable(f"more than {MAX_STATED:,} literals in all")

    def _with_own_step(self, sentence: str, step: int) -> Formula | None:
        """Return the formula of a sentence that names its step itself, or None if it names none."""
        mentions = list(_OWN_STEP.finditer(sentence))
        tokens = {mention[0].strip(" :") for mention in mentions}
        if not mentions or tokens & self.known:
            return None
        for mention in mentions:
            if int(mention[1] or mention[2]) != step:
                raise Unreadable(f"{quoted(mention[0].strip(), 40)} stands at step {step}")
        try:
            return parse(_OWN_STEP.sub("", sentence), self.known)
        except ConstraintError:
            return None

    def _of_step(self, formula: Formula, step: int) -> Formula:
        """Return a formula with ``a@2`` and ``a[2]`` read as a, where they are no names."""
        if formula[0] != "literal":
            return (formula[0], *(self._of_step(part, step) for part in formula[1:]))
        timed = None if formula[1] in self.known else _TIMED_NAME.fullmatch(formula[1])
        name = known_name(timed[1], self.known) if timed else ""
        if not timed or name not in self.known:
            return formula
        if int(timed[2] or timed[3]) != step:
            raise Unreadable(f"{quoted(formula[1], 40)} stands at step {step}")
        return ("literal", name, formula[2])

    def _valued(self, stated: dict[str, Any]) -> Formula:
        """Return the conjunction of ``{"r": true, "g": false}``."""
        values = [value.lower() if isinstance(value, str) else value for value in stated.values()]
        if any(not isinstance(truth, str | bool | int) or truth not in _TRUTH for truth in values):
            raise Unreadable(
                "an object of constraints that is not from propositions to truth values"
            )
        self.count(len(stated))
        return conjunction(
            ("literal", known_name(name, self.known), _TRUTH[value])
            for name, value in zip(stated, values, strict=True)
        )


def _size(formula: Formula) -> int:
    if formula[0] not in ("and", "or"):
        return 1
    return sum(map(_size, formula[1:]))
