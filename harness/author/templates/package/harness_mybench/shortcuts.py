"""Cheap ways to answer that use a part of the problem: what they score, an answer is worth nothing."""

from __future__ import annotations

from collections import Counter

from harness import Item, Shortcut

from harness_mybench.problem import NO, UNKNOWN, YES

SHORTCUTS = (
    Shortcut(
        "counts",
        "Which of the two events stands more often before another than after one.",
        "which statement leads to which",
    ),
)


def completion(item: Item) -> str:
    """Return the answer of the one shortcut there is."""
    lead: Counter[int] = Counter()
    for earlier, later in item.problem["before"]:
        lead[earlier] += 1
        lead[later] -= 1
    first, second = (lead[event] for event in item.problem["ask"])
    answer = UNKNOWN if first == second else YES if first > second else NO
    return f"Answer: {answer}"
