"""The operators of LTL at their word, on one path that ends in a loop: for readers that check what others worked out.

No fixpoint and no automaton: "a until b" is that there is a moment with b such that all moments before it have a.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence


def ahead(at: int, length: int, loop: int) -> list[int]:
    """Return the moments of a path from one on, far enough to come to each that there is, and once more.

    Args:
        at: the moment to begin with, counted from 0.
        length: how many moments the path has; ``loop`` is the one that follows the last.
    """
    moments = [at]
    while len(moments) <= 2 * length:
        moments.append(moments[-1] + 1 if moments[-1] + 1 < length else loop)
    return moments


def holds(operator: str, operands: Sequence[Sequence[bool]]) -> bool:
    """Return whether an operator holds at a moment, by where its operands hold from there on (`ahead`)."""
    return _MEANING[operator](operands[0], operands[-1])


def _until(a: Sequence[bool], b: Sequence[bool]) -> bool:
    return any(b[k] and all(a[:k]) for k in range(len(b)))


def _through(a: Sequence[bool], b: Sequence[bool]) -> bool:
    return any(a[k] and all(b[: k + 1]) for k in range(len(a)))


_MEANING: dict[str, Callable[[Sequence[bool], Sequence[bool]], bool]] = {
    "!": lambda a, b: not a[0],
    "&": lambda a, b: a[0] and b[0],
    "|": lambda a, b: a[0] or b[0],
    "->": lambda a, b: not a[0] or b[0],
    "<->": lambda a, b: a[0] == b[0],
    "X": lambda a, b: a[1],
    "F": lambda a, b: any(a),
    "G": lambda a, b: all(a),
    "U": _until,
    "W": lambda a, b: all(a) or _until(a, b),
    "M": _through,
    "R": lambda a, b: all(b) or _through(a, b),
}
