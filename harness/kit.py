"""What the conformance checks share: the kit they are given, how they fail, text without an answer."""

from __future__ import annotations

import signal
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any

from harness.items import Item, Verdict
from harness.plugins import Plugin, one_line
from harness.spec import Spec

SECONDS = 2.0  # the longest that judging one answer, however long, may take


@dataclass(frozen=True, slots=True)
class Kit:
    """What the checks share: the plugin, a spec, and its items."""

    plugin: Plugin
    spec: Spec
    items: list[Item]

    @property
    def choices(self) -> tuple[str, ...]:
        """The constant answers to the items at hand."""
        return self.plugin.benchmark.choices_for(self.items[0].features)

    def judge(self, item: Item, completion: str) -> Verdict:
        """Score a completion; a scorer that raises or breaks the contract fails the check."""
        where = f"item {item.index}: score() on {short(completion)}"
        start = time.perf_counter()
        try:
            with _deadline(SECONDS):
                found = self.plugin.hooks.score(item=item, completion=completion)
        except _TooLate:
            raise Failure(f"{where} is not done after {SECONDS:g} s") from None
        except Exception as error:
            raise Failure(f"{where} raised {one_line(error)}") from error
        spent = time.perf_counter() - start
        if spent > SECONDS:
            raise Failure(f"{where} took {spent:.1f} s, allowed are {SECONDS:g} s")
        if not isinstance(found, Verdict):
            raise Failure(f"{where} returned {type(found).__name__}, expected Verdict")
        for breach in found.problems(self.plugin.benchmark.values):
            raise Failure(f"{where}: {breach}")
        return found

    def full(self, item: Item, completion: str) -> bool:
        """Return whether a completion earns full marks on the first value."""
        found = self.judge(item, completion)
        return found.outcome == "scored" and found.value[self.plugin.benchmark.values[0]] == 1


class Failure(Exception):
    """A check that found what must not be."""


class _TooLate(BaseException):
    """Not an `Exception`: a hook must not take it for one of its own and go on."""


@contextmanager
def _deadline(seconds: float) -> Iterator[None]:
    """Interrupt Python code (and `re`) after a time: a stuck hook is a finding, not a stuck check.

    Signals reach the main thread only; elsewhere the time is merely measured afterwards.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def interrupt(*_: object) -> None:
        raise _TooLate

    before = signal.signal(signal.SIGALRM, interrupt)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def short(text: str) -> str:
    """Return a text as a message may show it: printable, in one line, and not long."""
    shown = text if len(text) <= 60 else f"{text[:40]}… ({len(text)} characters)"
    return ascii(shown)


def replace_options(spec: Spec, **options: Any) -> Spec:
    """Return the spec with some core keys changed."""
    return replace(spec, options={**spec.options, **options})


JUNK = (
    "", " ", "\n\n\n", "I don't know.", "?", "Answer:", "Answer: ", "null", "None of the above.", "{}", "[]",
    "As an AI model I cannot answer that.", "<think>", "<think>hm", "\x00\x01\x02\x1b[31m", "\u202e\ufeff\u200b",
    "🙂" * 50, "lorem ipsum " * 200,
)  # fmt: skip
READABLE = (
    "null",
    "None of the above.",
    "{}",
    "[]",
)  # may be an answer somewhere, though never the right one
HUGE = ("(" * 1_000_000, "[" * 500_000 + "]" * 500_000, "{" * 1_000_000, "Answer: " * 125_000, "\\boxed{" * 100_000,
        "\n" * 1_000_000, "a" * 1_000_000, "\x00" * 1_000_000)  # fmt: skip
