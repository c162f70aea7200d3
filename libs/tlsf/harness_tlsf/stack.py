"""Recursion without Python's stack: tasks are generators, and one loop runs them to any bounded depth."""

from __future__ import annotations

from collections.abc import Callable, Generator
from typing import Any, TypeVar

T = TypeVar("T")
# A task yields the tasks it needs, is sent their results, and returns its own.
Task = Generator[Any, Any, T]


def run(task: Task[T], limit: int, too_deep: Callable[[], Exception]) -> T:
    """The task's result; more than `limit` tasks waiting on each other raise `too_deep()`."""
    waiting: list[Task[Any]] = [task]
    value: Any = None
    while waiting:
        try:
            needed = waiting[-1].send(value)
        except StopIteration as stop:
            waiting.pop()
            value = stop.value
            continue
        waiting.append(needed)
        value = None
        if len(waiting) > limit:
            raise too_deep()
    result: T = value
    return result


def ready(value: T) -> Task[T]:
    """A task that is done already."""
    return value
    yield
