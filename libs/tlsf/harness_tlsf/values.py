"""What TLSF expressions stand for besides formulas; numbers of bounded size, ranges of bounded length."""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TypeAlias, TypeGuard

from harness_tlsf.formula import Formula, Truth
from harness_tlsf.syntax import EnumValue

# Numbers stay below this, so that no product takes long.
MAX_NUMBER = 2**63
MAX_SET = 100_000
MAX_SET_DEPTH = 8


@dataclass(frozen=True, slots=True)
class Bus:
    """A bus: its name, its bits, and the enumeration it is of."""

    name: str
    bits: tuple[Formula, ...]
    enum: str | None = None


@dataclass(frozen=True, slots=True)
class ValueSet:
    """A set: each value once, in the order in which they came."""

    values: tuple[Value, ...]
    keys: frozenset[object]
    depth: int = 1

    def __contains__(self, value: Value) -> bool:
        return _key(value) in self.keys


Value: TypeAlias = "Truth | int | Bus | ValueSet | EnumValue"


def is_number(value: object) -> TypeGuard[int]:
    """Whether it is a number (and no truth value, which Python counts as one)."""
    return isinstance(value, int) and not isinstance(value, bool)


def described(value: object) -> str:
    """What kind of value it is, as a message says it."""
    if isinstance(value, bool):
        return "a truth value"
    if isinstance(value, int):
        return "a number"
    if isinstance(value, Bus):
        return f"the bus '{value.name}'"
    if isinstance(value, EnumValue):
        return f"the value '{value.name}' of the enumeration '{value.enum}'"
    return "a set" if isinstance(value, ValueSet) else "a formula"


def united(values: Iterable[Value]) -> ValueSet:
    """The set of these values."""
    by_key = {_key(value): value for value in values}
    depths = (value.depth for value in by_key.values() if isinstance(value, ValueSet))
    inner = max(depths, default=0)
    return ValueSet(tuple(by_key.values()), frozenset(by_key), 1 + inner)


def _key(value: Value) -> object:
    """What tells values apart: sets by their elements; and Python takes True for 1."""
    if isinstance(value, ValueSet):
        return value.keys
    return (value,) if isinstance(value, bool) else value


class NumberError(Exception):
    """Numbers that cannot be computed with; the caller, who knows the place, says where."""


def bounded(number: int) -> int:
    """The number, if it is not too large."""
    if abs(number) > MAX_NUMBER:
        raise NumberError("a number beyond 2^63")
    return number


def _dividing(operation: Callable[[int, int], int], name: str) -> Callable[[int, int], int]:
    def divided(left: int, right: int) -> int:
        if right == 0:
            raise NumberError(f"{name} by zero")
        return operation(left, right)

    return divided


# Division rounds down, and the remainder has the sign of the divisor.
ARITHMETIC: dict[str, Callable[[int, int], int]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "/": _dividing(operator.floordiv, "division"),
    "%": _dividing(operator.mod, "the remainder of a division"),
}
COMPARISONS: dict[str, Callable[[int, int], bool]] = {
    "==": operator.eq, "!=": operator.ne, "<": operator.lt, "<=": operator.le, ">": operator.gt,
    ">=": operator.ge,
}  # fmt: skip


def evenly_spaced(first: int, second: int, last: int) -> range:
    """The numbers of `{first, second .. last}`, up or down, none beyond the last."""
    step = second - first
    if step == 0:
        raise NumberError(f"the range {{{first}, {second} .. {last}}} never moves on")
    return short(range(first, last + (1 if step > 0 else -1), step))


def between(low: int, high: int, strict: tuple[bool, bool]) -> range:
    """The numbers of `low <= i < high` and its variants."""
    return short(range(low + strict[0], high + (not strict[1])))


def short(numbers: range) -> range:
    """The numbers, if they are not too many."""
    # len() fails beyond the size of a machine word.
    count = max(0, -((numbers.start - numbers.stop) // numbers.step))
    if count > MAX_SET:
        raise NumberError(f"a range of {count:,} values; at most {MAX_SET:,} are unfolded")
    return numbers
