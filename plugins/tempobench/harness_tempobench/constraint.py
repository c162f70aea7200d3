r"""Read one sentence of a constraint, ``a and not (b or c)``, as a formula in negation normal form.

From the tightest to the loosest: not, and, or, ``->`` (to the right), ``<->``, comma (an "and").
Operators may be words in any case, ASCII, Unicode or LaTeX; ``g = 1`` and "g must be false" are
literals. Names keep their case and may be quoted; a quoted operator is a name. What has two
readings, or none, is refused, never taken for "no constraints". Where the names are known, case is
overlooked if that leaves one name alone, and so is markup: ``$\neg a$``, ``r_{0}``, ``[a & b]``.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache, reduce
from typing import Any, TypeAlias

from harness_answers.text import quoted

from harness_tempobench.answers.sentence_markup import (
    known_name,
    says_no_constraint,
    without_markup,
)
from harness_tempobench.errors import TempobenchError
from harness_tempobench.machine import MAX_NAME

MAX_SENTENCE = 2_000
MAX_LITERALS = 200
MAX_NESTING = 20
"""Of parentheses, and of formulas in formulas."""

Formula: TypeAlias = "tuple[Any, ...]"
"""``("literal", name, value)``, ``("and", *parts)``, ``("or", *parts)``, ``("true",)``, ``("false",)``."""

TRUE: Formula = ("true",)
FALSE: Formula = ("false",)


class ConstraintError(TempobenchError):
    """A sentence that is no constraint, has two readings or is beyond the bounds; one line."""


_WORD = re.compile(r"[\w@]+(?:\[\w+\])*(?:\.[\w@]+(?:\[\w+\])*)*")
_QUOTED = re.compile(r"\"([^\"]*)\"|'([^']*)'|`([^`]*)`")
_SPACE = re.compile(r"\s*")
_NOT = re.compile(r"[!~¬]|\\(?:lnot|neg)(?![a-z])|not\b", re.IGNORECASE)
_VALUE = re.compile(
    r"""\s*(?:(?P<unequal>!==?|≠)
    |(?:={1,3}(?!>)|:|(?:is|equals|(?:must|should|has\ to|needs\ to)(?P<never>\s+not)?\s+be)\b)
     (?P<not>\s+not\b)?)
    \s*(?P<word>(?P<true>true|1|high|asserted|on|t)|false|0|low|deasserted|off|f)(?!\w)""",
    re.VERBOSE | re.IGNORECASE,
)
_LEVELS = ("comma", "iff", "implies", "or", "and")
"""Loosest first: a part of one level is made of parts of the next."""

_OPERATOR = re.compile(
    r"""\s*(?:(?P<comma>[,;](?!\s*or\b)(?:\s*and\b)?)
    |(?P<iff><-{1,2}>|<=>|↔|⇔|\\(?:leftrightarrow|iff)(?![a-z])|iff\b)
    |(?P<implies>-{1,2}>|=>|→|⇒|\\(?:rightarrow|to|implies)(?![a-z])|implies\b)
    |(?P<or>\|\|?|∨|\\/|\\(?:lor|vee)(?![a-z])|or\b)
    |(?P<and>&&?|∧|/\\|\\(?:land|wedge)(?![a-z])|and\b))""",
    re.VERBOSE | re.IGNORECASE,
)
_RESERVED = frozenset(
    [
        "and", "or", "not", "xor", "nor", "nand", "implies", "iff", "if", "then", "else", "unless",
        "until", "is", "no", "either", "neither", "both",
    ]
)  # fmt: skip
_CONSTANTS = {"true": TRUE, "false": FALSE, "⊤": TRUE, "⊥": FALSE}


def parse(sentence: str, names: Iterable[str] = ()) -> Formula:
    """Return what a sentence says, in negation normal form; `TRUE` if it says "no constraints".

    Args:
        sentence: any text whatever.
        names: the propositions that may be meant, if they are known. One of them is found also if
            it has blanks or odd characters, or is called like an operator.

    Raises:
        ConstraintError: one line: it is longer than `MAX_SENTENCE` characters, nested deeper than
            `MAX_NESTING`, has more than `MAX_LITERALS` literals, or cannot be read for certain.
    """
    if len(sentence) > MAX_SENTENCE:
        raise ConstraintError(
            f"a sentence of {len(sentence):,} characters; at most {MAX_SENTENCE:,} are read"
        )
    return _parsed(sentence.strip(), frozenset(names))


@lru_cache(maxsize=4096)  # many answers state the same of a step
def _parsed(text: str, known: frozenset[str]) -> Formula:
    if text not in known:
        text = without_markup(text, known)
        if says_no_constraint(text, known):
            return TRUE
    odd = _odd(known)
    reader = _Reader(text, known, odd)
    formula = reader.formula()
    if reader.odd_used and formula != (other := _otherwise(text, known)) and other is not None:
        raise ConstraintError(f"{quoted(text)} can be read in two ways: quote the names in it")
    return formula


def conjunction(parts: Iterable[Formula]) -> Formula:
    """Return the "and" of any number of formulas: `TRUE` of none, the formula itself of one."""
    return _joined("and", [part for part in parts if part != TRUE], TRUE)


@lru_cache(maxsize=64)
def _odd(known: frozenset[str]) -> tuple[str, ...]:
    """Return the names that do not read as one word, the longest first."""
    odd = [name for name in known if name and not _WORD.fullmatch(name)]
    return tuple(sorted(odd, key=lambda name: (-len(name), name)))


def _otherwise(text: str, known: frozenset[str]) -> Formula | None:
    """Return the formula of a text read without names of several words, or None if it cannot be read so."""
    try:
        formula = _Reader(text, known, ()).formula()
    except ConstraintError:
        return None
    return formula if _names(formula) <= known else None


def _names(formula: Formula) -> set[str]:
    if formula[0] == "literal":
        return {formula[1]}
    return set().union(*map(_names, formula[1:]))


class _Reader:
    """Reads one sentence from left to right."""

    def __init__(self, text: str, known: frozenset[str], odd: tuple[str, ...], depth: int = 0):
        self.text, self.known, self.odd, self.depth = text, known, odd, depth
        self.at = 0
        self.odd_used = False

    def formula(self) -> Formula:
        return _Normal().of(self.whole(), True, 0)

    def whole(self) -> Formula:
        node = self._level(0)
        self._skip()
        if self.at < len(self.text):
            raise self._error("stands where an operator or the end should")
        return node

    def _error(self, problem: str) -> ConstraintError:
        rest = self.text[self.at : self.at + 40]
        return ConstraintError(
            f"{quoted(rest)} {problem}" if rest else "the sentence ends too early"
        )

    def _skip(self) -> None:
        self.at = _SPACE.match(self.text, self.at).end()  # type: ignore[union-attr]  # always one

    def _level(self, level: int) -> Formula:
        if level == len(_LEVELS):
            return self._negated()
        parts = [self._level(level + 1)]
        kind = _LEVELS[level]
        while (operator := _OPERATOR.match(self.text, self.at)) and operator[kind]:
            self.at = operator.end()
            parts.append(self._level(level + 1))
        return parts[0] if len(parts) == 1 else _combined(kind, parts)

    def _negated(self) -> Formula:
        value = True
        self._skip()
        while not self._names_here() and (sign := _NOT.match(self.text, self.at)):
            value = not value
            self.at = sign.end()
            self._skip()
        node = self._operand()
        comparison = _VALUE.match(self.text, self.at)
        if comparison:
            if known_name(comparison["word"], self.known) in self.known:
                raise self._error("compares propositions: say `and`, `or`, `->` or `<->`")
            self.at = comparison.end()
            negations = (*comparison.group("unequal", "never", "not"), not comparison["true"])
            value ^= sum(map(bool, negations)) % 2 == 1
        return node if value else ("not", node)

    def _names_here(self) -> bool:
        """Tell if what stands here is a known name, though it looks like a negation."""
        if self._odd_here():
            return True
        word = _WORD.match(self.text, self.at)
        if not word or word[0] not in self.known:
            return False
        after = _SPACE.match(self.text, word.end()).end()  # type: ignore[union-attr]
        return (
            after == len(self.text)
            or self.text[after] == ")"
            or _OPERATOR.match(self.text, after) is not None
        )

    def _odd_here(self) -> str | None:
        for name in self.odd:
            end = self.at + len(name)
            if self.text.startswith(name, self.at) and not (
                _wordy(name[-1]) and _wordy(self.text[end : end + 1])
            ):
                return name
        return None

    def _operand(self) -> Formula:
        if name := self._odd_here():
            self.at += len(name)
            self.odd_used = True
            return ("literal", name, True)
        start = self.text[self.at : self.at + 1]
        if start == "(":
            return self._group()
        if start in ("⊤", "⊥"):
            self.at += 1
            return _CONSTANTS[start]
        if quotation := _QUOTED.match(self.text, self.at):
            return self._quotation(quotation)
        word = _WORD.match(self.text, self.at)
        if not word:
            raise self._error("stands where a proposition should")
        return self._named(word)

    def _group(self) -> Formula:
        self._deeper()
        self.at += 1
        node = self._level(0)
        self._skip()
        if self.text[self.at : self.at + 1] != ")":
            raise self._error("stands where `)` should")
        self.at += 1
        self.depth -= 1
        return ("group", node)

    def _deeper(self) -> None:
        self.depth += 1
        if self.depth > MAX_NESTING:
            raise ConstraintError(f"parentheses nested deeper than {MAX_NESTING}")

    def _quotation(self, quotation: re.Match[str]) -> Formula:
        content = quotation[quotation.lastindex or 0].strip()
        if not content or len(content) > MAX_NAME or not content.isprintable():
            raise self._error("is no quoted name")
        if self.known and content not in self.known and not _WORD.fullmatch(content):
            self._deeper()  # not a name but a formula in quotes
            inner = _Reader(content, self.known, self.odd, self.depth)
            node: Formula = ("group", inner.whole())
            self.odd_used |= inner.odd_used
            self.depth -= 1
        else:
            node = ("literal", content, True)
        self.at = quotation.end()
        return node

    def _named(self, word: re.Match[str]) -> Formula:
        name = word[0]
        if name not in self.known:
            if name.lower() in _CONSTANTS:
                self.at = word.end()
                return _CONSTANTS[name.lower()]
            if name.lower() in _RESERVED or not any(c.isalpha() or c in "_@" for c in name):
                raise self._error("stands where a proposition should")
            if len(name) > MAX_NAME:
                raise ConstraintError(f"a name of {len(name)} characters; {MAX_NAME} are allowed")
            name = known_name(name, self.known)
        self.at = word.end()
        return ("literal", name, True)


def _wordy(character: str) -> bool:
    return character.isalnum() or character == "_"


def _combined(kind: str, parts: list[Formula]) -> Formula:
    if kind == "comma":
        if parts[-1][0] == "or" and all(part[0] != "or" for part in parts[:-1]):
            raise ConstraintError("`a, b or c` may be an or of all: put parentheses")
        return ("and", *parts)
    if kind in ("and", "or"):
        return (kind, *parts)
    if kind == "implies":  # it groups to the right
        return reduce(lambda node, part: (kind, part, node), reversed(parts))
    return reduce(lambda node, part: (kind, node, part), parts)


def _joined(kind: str, parts: Iterable[Formula], empty: Formula) -> Formula:
    flat: list[Formula] = []
    for part in parts:
        flat += part[1:] if part[0] == kind else [part]
    if len(flat) < 2:
        return flat[0] if flat else empty
    return (kind, *flat)


class _Normal:
    """Brings one formula into negation normal form; an equivalence doubles what it joins."""

    def __init__(self) -> None:
        self.literals = 0

    def of(self, node: Formula, value: bool, depth: int) -> Formula:
        while node[0] in ("group", "not"):
            value ^= node[0] == "not"
            node = node[1]
        if depth > 2 * MAX_NESTING:
            raise ConstraintError(f"a formula nested deeper than {2 * MAX_NESTING}")
        kind = node[0]
        if kind in ("literal", "true", "false"):  # of constants, too, an equivalence makes many
            self.literals += 1
            if self.literals > MAX_LITERALS:
                raise ConstraintError(f"more than {MAX_LITERALS} literals in one sentence")
        if kind == "literal":
            return ("literal", node[1], value)
        if kind in ("true", "false"):
            return TRUE if (kind == "true") == value else FALSE
        if kind in ("and", "or"):
            dual = kind if value else {"and": "or", "or": "and"}[kind]
            return _joined(dual, [self.of(part, value, depth + 1) for part in node[1:]], TRUE)
        return self._conditional(kind, node[1], node[2], value, depth + 1)

    def _conditional(
        self, kind: str, left: Formula, right: Formula, value: bool, depth: int
    ) -> Formula:
        if kind == "implies":
            return self.of(("or", ("not", left), right), value, depth)
        both = ("or", ("not", left), right), ("or", left, ("not", right))
        return self.of(("and", *both), value, depth)
