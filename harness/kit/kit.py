"""What the conformance checks share: the kit they are given, how they fail, text without an answer."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from types import SimpleNamespace
from typing import Any

from harness_errors import HarnessError

from harness.core import limits, return_types
from harness.core.items import Item, Verdict, canonical_json
from harness.core.plugins import Hook, Plugin, one_line
from harness.core.spec import Spec

SECONDS = 2.0  # the longest that judging one answer, however long, may take
PATIENCE = 120.0  # seconds that any other hook has in a check: who waits for it wants to know


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

    def judge(self, item: Item, completion: str, explain: bool = True) -> Verdict:
        """Score a completion; a scorer that raises or breaks the contract fails the check."""
        where = f"score() on {short(completion)}"
        arguments = {"item": item, "completion": completion, "explain": explain}
        start = time.perf_counter()
        try:
            verdict: Verdict = limits.call(self.plugin.hooks.score, arguments, SECONDS)
        except limits.TooLongError as error:
            raise Failure(f"{where} is not done after {SECONDS:g} s", item, completion) from error
        except Exception as error:
            raise Failure(f"{where} raised {one_line(error)}", item, completion) from error
        spent = time.perf_counter() - start
        if spent > SECONDS:  # elsewhere than in the main thread nothing is interrupted
            wrong = f"{where} took {spent:.1f} s, allowed are {SECONDS:g} s"
            raise Failure(wrong, item, completion)
        breach = return_types.breach(self.plugin.benchmark, "score", verdict)
        if breach is not None:
            raise Failure(f"{where} returned {breach}", item, completion)
        return verdict

    def same_again(self, hook: str, item: Item) -> Any:
        """Return what a hook says of an item; it is asked twice, and has to say the same."""
        with failing(item):
            first, second = (self.plugin.call(hook, item=item) for _ in range(2))
        if first != second:
            wrong = f"{hook}() says something else when it is asked again"
            raise Failure(wrong, item, second)
        return first

    def full(self, item: Item, completion: str) -> bool:
        """Return whether a completion earns full marks on the first value."""
        verdict = self.judge(item, completion)
        return verdict.outcome == "scored" and verdict.value[self.plugin.benchmark.values[0]] == 1


class Remark(str):
    """A note of a check that passes on what its user should know: it is shown where other notes are not."""

    __slots__ = ()


class Failure(Exception):
    """A check that found what must not be.

    ``item`` is the one it was found in, ``hook_input`` what the hook was given to find it: a completion, a prompt, a
    record. The message begins with the item.
    """

    def __init__(self, message: str, item: Item | None = None, hook_input: Any = None) -> None:
        super().__init__(message if item is None else f"item {item.index}: {message}")
        self.item = item
        self.hook_input = hook_input


@contextmanager
def failing(item: Item | None, hook_input: Any = None) -> Iterator[None]:
    """Turn whatever a hook raises into a `Failure` of this item on this input."""
    try:
        yield
    except Failure:
        raise
    except Exception as error:
        message = str(error) if isinstance(error, HarnessError) else f"unexpected {one_line(error)}"
        raise Failure(message, item, hook_input) from error


def patient(plugin: Plugin) -> Plugin:
    """Return the plugin with hooks that nobody waits for longer than `PATIENCE`."""
    hooks = {
        name: replace(hook, seconds=min(hook.seconds, PATIENCE)) if isinstance(hook, Hook) else hook
        for name, hook in vars(plugin.hooks).items()
    }
    return replace(plugin, hooks=SimpleNamespace(**hooks))


def timed_out(error: BaseException | None) -> bool:
    """Return whether an error comes from a hook that did not return in time."""
    while error is not None and not isinstance(error, limits.TooLongError):
        error = error.__context__
    return error is not None


_PROMPT = 200  # characters of a prompt or an input that are shown


def input_text(value: Any) -> str:
    """Return an input as a text of limited length; what is no text as JSON."""
    if not isinstance(value, str):
        try:
            value = canonical_json(value)
        except (TypeError, ValueError, RecursionError):
            value = ascii(value)
    return value if len(value) <= _PROMPT else f"{value[:_PROMPT]}… ({len(value)} characters)"


def short(text: str) -> str:
    """Return a text as a message may show it: printable, in one line, and not long."""
    return ascii(text) if len(text) <= 60 else f"{text[:40]!a}… ({len(text)} characters)"


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
)  # an answer somewhere, but never the right one
HUGE = ("(" * 1_000_000, "[" * 500_000 + "]" * 500_000, "{" * 1_000_000, "Answer: " * 125_000, "\\boxed{" * 100_000,
        "\n" * 1_000_000, "a" * 1_000_000, "\x00" * 1_000_000)  # fmt: skip
