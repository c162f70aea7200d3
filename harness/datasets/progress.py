"""The line that shows how far the making of a dataset is."""

from __future__ import annotations

import shutil
import sys
import time
from collections.abc import Callable
from typing import IO

from harness.run.progress import EVERY, span

SELDOM = 30.0  # seconds between two lines where lines stay, as in a file


class Making:
    """How far a dataset is, in a with block: a line on a terminal, now and then one elsewhere.

    ``done`` items were there before; they count, but not for the rate.
    """

    def __init__(
        self,
        total: int,
        done: int = 0,
        stream: IO[str] | None = None,
        clock: Callable[[], float] = time.monotonic,
        what: str = "items",
    ) -> None:
        self._total, self._before, self._clock, self._what = total, done, clock, what
        self._stream = stream or sys.stderr
        self._live = self._stream.isatty()
        self._items = done
        self._draws = self._rejected = 0
        self._start = self._painted = clock()

    def __enter__(self) -> Making:
        return self

    def __exit__(self, *_: object) -> None:
        if self._live:
            self._stream.write("\r\x1b[K")
            self._stream.flush()

    def begin(self) -> None:
        """Count what is there by now as there before: work begins now."""
        self._before, self._start = self._items, self._clock()

    def at(self, items: int, draws: int = 0, rejected: int = 0, total: int | None = None) -> None:
        """Say how many items there are, and how many draws and rejections there were for those made so far.

        ``total`` is how many there will be, where that has changed.
        """
        self._items, self._draws, self._rejected = items, draws, rejected
        self._total = self._total if total is None else total
        now = self._clock()
        if now - self._painted >= (EVERY if self._live else SELDOM):
            self._painted = now
            self._paint()

    def line(self) -> str:
        """Return the line: items, items a second, time left, the share of draws that were rejected."""
        rate = (self._items - self._before) / max(self._clock() - self._start, 1e-9)
        left = span((self._total - self._items) / rate) if rate > 0 else "?"
        parts = [f"{self._items}/{self._total} {self._what}", f"{rate:.1f}/s", f"{left} left"]
        if self._draws:
            parts.append(f"rejected {self._rejected / self._draws:.1%}")
        return " · ".join(parts)

    def _paint(self) -> None:
        width = shutil.get_terminal_size().columns - 1
        text = f"\r{self.line()[:width]}\x1b[K" if self._live else f"{self.line()}\n"
        self._stream.write(text)
        self._stream.flush()
