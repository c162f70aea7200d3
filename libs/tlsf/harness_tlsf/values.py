"""What TLSF expressions stand for, besides formulas, numbers and truth values."""

from __future__ import annotations

from collections.abc import Iterable
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
