"""Work that is done once for each object: many answers are judged by the same item."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import TypeVar

T = TypeVar("T")
V = TypeVar("V")


def kept(work: Callable[[T], V], most: int = 512) -> Callable[[T], V]:
    """Return a function that keeps what ``work`` returned for the last objects it was called with.

    Objects are told apart by identity, not by value, and are not to change. An error is not kept.

    Args:
        work: a function of one object.
        most: how many results are kept; the oldest goes first.
    """
    results: dict[int, tuple[T, V]] = {}  # holds the objects too, so that no other gets their id

    def known(thing: T) -> V:
        found = results.get(id(thing))
        if found is None:
            found = thing, work(thing)
            while len(results) >= most:
                with suppress(RuntimeError):  # another thread is at it
                    results.pop(next(iter(results), 0), None)
            results[id(thing)] = found
        return found[1]

    return known
