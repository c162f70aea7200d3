"""The line that a run shows while it goes: how far, how fast, how good so far. Only on a terminal."""

from __future__ import annotations

import shutil
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager

EVERY = 0.1  # seconds between two paintings


class Progress:
    """What is known of a run so far; `paint` is given each line to show."""

    def __init__(
        self,
        total: int,
        metric: str,
        paint: Callable[[str], object],
        clock: Callable[[], float],
        every: float | None = None,
    ) -> None:
        self._total, self._metric, self._paint, self._clock = total, metric, paint, clock
        self._every = EVERY if every is None else every
        self._start = self._painted = clock()
        self._judged = self._unparsed = self._lost = 0
        self._sum = 0.0

    def judged(self, outcome: str, values: Mapping[str, float]) -> None:
        """Count one verdict."""
        if outcome == "unscored":
            self.lost()
            return
        self._judged += 1
        self._unparsed += outcome == "unparsed"
        self._sum += values.get(self._metric, 0.0)
        self._show()

    def lost(self) -> None:
        """Count a sample that has no score."""
        self._lost += 1
        self._show()

    def line(self) -> str:
        """Return the line: counts, samples a second, time left, the mean of one value, shares."""
        done = self._judged + self._lost
        rate = done / max(self._clock() - self._start, 1e-9)
        left = max(self._total - done, 0) / rate if rate > 0 else 0.0
        parts = [f"{done}/{self._total}", f"{rate:.1f}/s", f"{span(left)} left"]
        if self._judged:
            parts.append(f"{self._metric} {self._sum / self._judged:.3f}")
            parts.append(f"unparsed {self._unparsed / self._judged:.1%}")
        return " · ".join([*parts, *([f"unscored {self._lost}"] if self._lost else [])])

    def _show(self) -> None:
        now = self._clock()
        if now - self._painted >= self._every:
            self._painted = now
            self._paint(self.line())


def span(seconds: float) -> str:
    """Return a time as a reader has it, hours only where there are some: ``1:02:03``, ``2:03``."""
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"


# The run that is on: solvers and scorers are made by Inspect, and cannot be handed one.
_current: Progress | None = None
_lasting: float | None = None  # seconds between lines that stay, where there is no terminal


def lasting(seconds: float) -> None:
    """Have runs say how far they are where there is no terminal, too: in lines that stay, so far apart."""
    global _lasting
    _lasting = seconds


def judged(outcome: str, values: Mapping[str, float]) -> None:
    """Tell the run that is shown, if one is, of a verdict."""
    if _current is not None:
        _current.judged(outcome, values)


@contextmanager
def shown(total: int, metric: str) -> Iterator[None]:
    """Show a run on standard error while the block runs: in a line that goes along on a terminal, and is wiped out.

    Elsewhere in lines that stay, if that is wanted.
    """
    global _current
    stream = sys.stderr  # Inspect puts another in its place while it runs
    live = stream.isatty()

    def paint(line: str) -> None:
        # Back to the first column; what is right of the new line goes. A line too long would be left behind.
        width = shutil.get_terminal_size().columns - 1
        stream.write(f"\r{line[:width]}\x1b[K" if live else f"{line}\n")
        stream.flush()

    if live or _lasting is not None:
        _current = Progress(total, metric, paint, time.monotonic, None if live else _lasting)
    try:
        yield
    finally:
        _current = None
        if live:
            paint("")
