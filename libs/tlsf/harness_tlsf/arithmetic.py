"""Arithmetic of TLSF: numbers of bounded size, ranges of bounded length."""

from __future__ import annotations

import operator
from collections.abc import Callable

from harness_tlsf.values import MAX_NUMBER, MAX_SET


class NumberError(Exception):
    """Numbers that cannot be computed with; the caller, who knows the place, says where."""


def bounded(number: int) -> int:
    """The number, if it is not too large."""
    if abs(number) > MAX_NUMBER:
        raise NumberError("a number beyond 2^63")
    return number


def _divided(left: int, right: int) -> int:
    if right == 0:
        raise NumberError("division by zero")
    return left // right


def _remainder(left: int, right: int) -> int:
    if right == 0:
        raise NumberError("the remainder of a division by zero")
    return left % right


# Division rounds down, and the remainder has the sign of the divisor.
ARITHMETIC: dict[str, Callable[[int, int], int]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "/": _divided,
    "%": _remainder,
}
COMPARISONS: dict[str, Callable[[int, int], bool]] = {
    "==": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}


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
