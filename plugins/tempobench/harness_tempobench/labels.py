"""Labels of HOA text: Boolean expressions over inputs and outputs, read and written.

A label that was read is a decision diagram over the outputs, the highest one on top, whose leaves
are sets of letters (ints with one bit per letter): "these outputs are allowed on these letters".
So no label costs more than the work it is allowed, whatever its text is.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from operator import and_, or_, xor
from typing import Any, TypeAlias, cast

from harness_tempobench.errors import HoaError

MAX_WORK = 2_000_000
"""Steps spent on all labels of one text (about three seconds); a hostile text ends here."""

MAX_NESTING = 200
MAX_KEPT = 20_000  # diagram nodes kept to share: bounds memory

_PLAIN = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_TOKEN = re.compile(
    r"\s*+(?:(?P<op>[!&|()])|(?P<number>[0-9]++)|(?P<alias>@[0-9A-Za-z_-]++)"
    r'|(?P<name>[A-Za-z_][A-Za-z0-9_]*+)|(?P<string>"[^"\\]*+(?:\\.[^"\\]*+)*"))',
    re.DOTALL,
)
_BINDS = {"|": 1, "&": 2, "!": 3}


class Node:
    """A choice on one output; equal by identity, so that hashing is cheap."""

    __slots__ = ("bit", "high", "low")

    def __init__(self, bit: int, low: Diagram, high: Diagram) -> None:
        self.bit, self.low, self.high = bit, low, high


Diagram: TypeAlias = "int | Node"
Least: TypeAlias = "list[tuple[int, int]]"  # (output mask, set of letters)


class Labels:
    """The labels of one text: what their propositions mean, and what they cost so far.

    ``names``: all propositions, by number; ``outputs``: the numbers of those that are outputs.
    """

    def __init__(self, names: Sequence[str], outputs: frozenset[int]) -> None:
        inputs = [i for i in range(len(names)) if i not in outputs]
        self.full = (1 << (1 << len(inputs))) - 1
        self.work = 0
        self._step = 8 + (self.full.bit_length() >> 7)  # a new node costs time and memory
        self._literals: list[Diagram] = [0] * len(names)
        for bit, i in enumerate(inputs):
            self._literals[i] = letters_with(bit, self.full)
        for bit, i in enumerate(sorted(outputs)):
            self._literals[i] = Node(bit, 0, self.full)
        self._names = {name: i for i, name in enumerate(names)}
        self._aliases: dict[str, Diagram] = {}
        self._texts: dict[str, Diagram] = {}
        self._forget()

    def _forget(self) -> None:
        self._nodes: dict[Any, Node] = {}
        self._known: dict[Any, Diagram] = {}
        self._possible: dict[Node, int] = {}
        self._least: dict[Diagram, Least] = {}
        self._texts.clear()

    def define(self, alias: str, text: str) -> None:
        """Give an expression a name, ``@name``.

        Raises `HoaError`: one line, without its place; as in `read`.
        """
        if alias in self._aliases:
            raise HoaError(f"alias {alias[:40]} is defined twice")
        self._aliases[alias] = self.read(text)

    def read(self, text: str) -> Diagram:
        """Return the meaning of an expression.

        Raises:
            HoaError: one line, without its place: no expression, unknown proposition, too complex.
        """
        if text not in self._texts:
            if max(len(self._nodes), len(self._known), len(self._possible)) > MAX_KEPT:
                self._forget()
            self._texts[text] = _Expression(self).read(text)
        return self._texts[text]

    def operand(self, kind: str, text: str) -> Diagram:
        """Return the meaning of one token that is no operator."""
        if kind == "name" and text in ("t", "f"):
            return self.full if text == "t" else 0
        if kind == "alias":
            if text not in self._aliases:
                raise HoaError(f"alias {text[:40]} is not defined before it is used")
            return self._aliases[text]
        if kind == "number":
            if len(text) > 9 or int(text) >= len(self._literals):
                raise HoaError(
                    f"proposition {text[:12]} does not exist: AP names {len(self._names)}"
                )
            return self._literals[int(text)]
        name = unquote(text) if kind == "string" else text
        if name not in self._names:
            raise HoaError(f"proposition {name[:40]!r} is not among those that AP names")
        return self._literals[self._names[name]]

    def combine(self, op: Callable[[int, int], int], a: Diagram, b: Diagram) -> Diagram:
        """Return ``a op b`` for a bitwise operator."""
        if isinstance(a, int):
            a, b = b, a
        if isinstance(a, int):
            return op(a, cast("int", b))
        if b == 0:
            return 0 if op is and_ else a
        if b == self.full and op is not xor:
            return a if op is and_ else b
        key = (op, a, b)
        known = self._known.get(key)
        if known is None:
            self.spend(self._step)
            bit = a.bit if isinstance(b, int) else max(a.bit, b.bit)
            (a0, a1), (b0, b1) = _branches(a, bit), _branches(b, bit)
            low, high = self.combine(op, a0, b0), self.combine(op, a1, b1)
            known = self._known[key] = self._node(bit, low, high)
        return known

    def _node(self, bit: int, low: Diagram, high: Diagram) -> Diagram:
        if low is high or (isinstance(low, int) and low == high):
            return low
        key = (bit, low, high)
        if key not in self._nodes:
            self._nodes[key] = Node(bit, low, high)
        return self._nodes[key]

    def least(self, label: Diagram) -> Least:
        """Return for each letter that the label allows its least output mask, grouped by mask."""
        if label not in self._least:
            groups: Least = []
            self._split(label, self.possible(label), 0, groups)
            self._least[label] = groups
        self.spend(len(self._least[label]))
        return self._least[label]

    def possible(self, label: Diagram) -> int:
        """Return the letters on which the label allows any outputs at all."""
        if isinstance(label, int):
            return label
        if label not in self._possible:
            self.spend(1)
            self._possible[label] = self.possible(label.low) | self.possible(label.high)
        return self._possible[label]

    def _split(self, label: Diagram, letters: int, mask: int, groups: Least) -> None:
        if not letters:
            return
        self.spend(1)
        if isinstance(label, int):
            groups.append((mask, letters))
            return
        low = letters & self.possible(label.low)
        self._split(label.low, low, mask, groups)
        self._split(label.high, letters & ~low, mask | 1 << label.bit, groups)

    def spend(self, steps: int) -> None:
        """Count work.

        Raises `HoaError`: more than `MAX_WORK`.
        """
        self.work += steps
        if self.work > MAX_WORK:
            raise HoaError("the labels are too complex to be read: write simpler or fewer ones")


def _branches(diagram: Diagram, bit: int) -> tuple[Diagram, Diagram]:
    if isinstance(diagram, Node) and diagram.bit == bit:
        return diagram.low, diagram.high
    return diagram, diagram


class _Expression:
    """One expression being read, with a stack of operators in place of recursion."""

    def __init__(self, labels: Labels) -> None:
        self.labels = labels
        self.values: list[Diagram] = []
        self.pending: list[str] = []
        self.open = 0

    def read(self, text: str) -> Diagram:
        position, complete, end = 0, False, len(text.rstrip())
        while position < end:
            token = _TOKEN.match(text, position)
            if token is None:
                raise HoaError(f"{text[position:].strip()[:20]!r} is no part of a label")
            position, kind = token.end(), str(token.lastgroup)
            word = token[kind]
            # an operand, "!" and "(" begin a part of the expression, all else needs one before it
            if (kind != "op" or word in "!(") == complete:
                raise HoaError(
                    f"{word[:20]!r} stands where {'an operator' if complete else 'a proposition'} is due"
                )
            complete = self.take(kind, word)
        if not complete:
            raise HoaError("it is empty or ends too early")
        self.reduce(0)
        if self.pending:
            raise HoaError("a parenthesis is not closed")
        return self.values.pop()

    def take(self, kind: str, word: str) -> bool:
        """Take one token; return whether what was read so far is complete."""
        if kind != "op":
            self.values.append(self.labels.operand(kind, word))
            return True
        if word == ")":
            self.close()
            return True
        if word in "&|":
            self.reduce(_BINDS[word])
        self.open += word == "("
        self.pending.append(word)
        if len(self.pending) > MAX_NESTING:
            raise HoaError(f"it nests deeper than {MAX_NESTING} levels")
        return False

    def close(self) -> None:
        if not self.open:
            raise HoaError("a parenthesis is closed that was not opened")
        self.reduce(0)
        self.pending.pop()
        self.open -= 1

    def reduce(self, binds: int) -> None:
        """Apply the pending operators that bind at least so tightly."""
        while self.pending and self.pending[-1] != "(" and _BINDS[self.pending[-1]] >= binds:
            op = self.pending.pop()
            value = self.values.pop()
            if op == "!":
                result = self.labels.combine(xor, value, self.labels.full)
            else:
                result = self.labels.combine(and_ if op == "&" else or_, self.values.pop(), value)
            self.values.append(result)


def letters_with(bit: int, full: int) -> int:
    """Return the set of the letters in which an input is true; ``full`` is the set of all."""
    return full // ((1 << (1 << bit)) + 1) << (1 << bit)


def bits_of(letters: int) -> list[int]:
    """Return the letters of a set, in order."""
    if letters.bit_count() <= 1:  # by far the most frequent
        return [letters.bit_length() - 1] if letters else []
    return [letter for letter, mark in enumerate(reversed(f"{letters:b}")) if mark == "1"]


def unquote(text: str) -> str:
    """Return what a quoted string of HOA text says."""
    return re.sub(r"\\(.)", r"\1", text[1:-1], flags=re.DOTALL)


def quote(name: str) -> str:
    """Return a string of HOA text that says this."""
    return '"' + name.replace("\\", "\\\\").replace('"', '\\"') + '"'


def by_name(name: str) -> str:
    """Return a proposition's name as it stands in a label, in quotes only where it needs them."""
    return name if _PLAIN.fullmatch(name) and name not in ("t", "f") else quote(name)


@lru_cache(maxsize=256)  # few sets make up most machines
def cubes(letters: int, inputs: int) -> list[dict[int, bool]]:
    """Return conjunctions of literals (input → value) whose union is this set; none can be left out.

    After Minato and Morreale: irredundant sums of products by recursion over an interval.
    """
    return _cover(letters, letters, inputs)[0]


def _cover(lower: int, upper: int, inputs: int) -> tuple[list[dict[int, bool]], int]:
    """Return cubes for some set between two bounds, and that set."""
    if not lower:
        return [], 0
    half = 1 << inputs >> 1
    full = (1 << (1 << inputs)) - 1
    if upper == full:
        return [{}], full
    bit, ones = inputs - 1, (1 << half) - 1
    lower0, lower1, upper0, upper1 = lower & ones, lower >> half, upper & ones, upper >> half
    cubes0, set0 = _cover(lower0 & ~upper1, upper0, bit)
    cubes1, set1 = _cover(lower1 & ~upper0, upper1, bit)
    both, shared = _cover((lower0 & ~set0) | (lower1 & ~set1), upper0 & upper1, bit)
    fixed = [cube | {bit: False} for cube in cubes0] + [cube | {bit: True} for cube in cubes1]
    return fixed + both, (set0 | shared) | (set1 | shared) << half


def literal_text(values: Mapping[int, bool], names: Sequence[str]) -> str:
    """Return a conjunction: ``!0&1``, ``t`` for none."""
    return "&".join(("" if values[i] else "!") + names[i] for i in sorted(values)) or "t"
