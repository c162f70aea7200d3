"""What readers of traces share: they take the lines one after the other and report the first thing that is wrong.

    from harness_answers.trace_lines import Lines, findings

    def reread(item, text):
        return findings(text, lambda lines: _read(item.problem, lines))

Writers of traces have no use for it: a reader shares no code with the writer whose sentences it reads.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from harness_errors import HarnessError

MAX_TEXT = 200_000
"""Characters of a text that is read at all; a longer one is no trace."""


class WrongTraceError(Exception):
    """The first thing that is wrong with a trace."""


class Lines:
    """The lines of a trace, a sentence or more each, taken one after the other."""

    def __init__(self, text: str) -> None:
        self._left = text.split("\n")[::-1]
        self.number = 0
        """How many lines were taken."""

    @property
    def left(self) -> int:
        """How many lines are still to come."""
        return len(self._left)

    def next(self) -> str:
        """Return the next line whatever it is.

        Raises:
            WrongTraceError: there is none.
        """
        if not self._left:
            raise WrongTraceError(f"line {self.number + 1} is missing: the trace breaks off")
        self.number += 1
        return self._left.pop()

    def take(self, pattern: str) -> re.Match[str]:
        """Return the next line, which has to fit a regular expression as a whole.

        Raises:
            WrongTraceError: it does not, or there is none.
        """
        match = self.maybe(pattern)
        if match is None:
            raise WrongTraceError(
                f"line {self.number + 1} is missing or not what has to come there"
            )
        return match

    def maybe(self, pattern: str) -> re.Match[str] | None:
        """Return the next line if it fits a regular expression as a whole; else it stays the next one."""
        match = re.fullmatch(pattern, self._left[-1]) if self._left else None
        if match is not None:
            self.next()
        return match

    def wrong(self, why: str) -> WrongTraceError:
        """Return the error that the last line is wrong, to be raised."""
        return WrongTraceError(f"line {self.number}: {why}")

    def end(self) -> None:
        """Refuse more lines.

        Raises:
            WrongTraceError: there are some.
        """
        if self._left:
            raise WrongTraceError(f"line {self.number + 1}: the trace goes on behind its end")


def findings(text: str, read: Callable[[Lines], None]) -> list[str]:
    """Return what a reader finds wrong with a text, at most one thing: the result of a hook `reread`.

    ``read`` takes all lines, and raises `WrongTraceError`; what it raises on a text or an item that it is
    not made for (`HarnessError`, LookupError, ValueError, TypeError, RecursionError) is a finding, too.
    """
    if len(text) > MAX_TEXT:
        return [f"the text has {len(text)} characters, of {MAX_TEXT} that are read"]
    lines = Lines(text)
    try:
        read(lines)
        lines.end()
    except WrongTraceError as wrong:
        return [str(wrong)]
    except (HarnessError, LookupError, ValueError, TypeError, RecursionError) as error:
        return [f"line {lines.number}: it cannot be held against the item: {error}"]
    return []
