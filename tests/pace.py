"""Limits of time in tests that a slow machine keeps, too: seconds of the processor, at the pace of this one."""

from __future__ import annotations

import gc
import time
from collections.abc import Iterator
from contextlib import contextmanager

TRIES = 40
HERE = 0.0045  # seconds of the processor that the work below takes where the limits were set


def _work() -> int:
    found: dict[str, int] = {}
    for number in range(20_000):
        word = f"word {number % 97}"
        found[word] = found.get(word, 0) + len(word.split())
    return len(found)


def pace() -> float:
    """Return how many times slower than where the limits were set this machine is at present; 1 if it is not."""
    slowest = 0.0
    for _ in range(TRIES):
        start = time.process_time()
        _work()
        slowest = max(slowest, time.process_time() - start)
    return max(1.0, slowest / HERE)


@contextmanager
def within(seconds: float) -> Iterator[None]:
    """Refuse that a with block takes more seconds of the processor: other processes are no part of it.

    A machine that is slower, by itself or since others share its caches and cores, gets as many times more.
    """
    gc.disable()  # a collection looks at what all other tests left, which takes .2 s
    start = time.process_time()
    try:
        yield
    finally:
        gc.enable()
    spent = time.process_time() - start
    if spent > seconds:
        slower = pace()
        assert spent <= seconds * slower, (
            f"took {spent:.2f} s of the processor; {seconds:g} s are allowed, and {slower:.1f} times that here"
        )
