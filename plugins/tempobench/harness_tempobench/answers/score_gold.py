"""What the scorers of both tasks share: the item's machine and trace, counts, judgements."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from harness_answers.text import quoted

from harness import HarnessError, Item
from harness_tempobench import problem as problems
from harness_tempobench.problem import Case

MAX_TARGET = 4_000_000
"""The longest target read, in characters."""


class BrokenItemError(HarnessError):
    """An item that nothing can be scored against."""


@dataclass(frozen=True, slots=True)
class Counts:
    """True positives, false positives and false negatives."""

    tp: int = 0
    fp: int = 0
    fn: int = 0

    @classmethod
    def of(cls, gold: set[Any], stated: set[Any]) -> Counts:
        """Count what two sets share and what only one of them has."""
        return cls(len(gold & stated), len(stated - gold), len(gold - stated))

    @classmethod
    def total(cls, parts: Iterable[Counts]) -> Counts:
        """Return the sums of counts."""
        listed = list(parts)
        return cls(*(sum(getattr(part, kind) for part in listed) for kind in ("tp", "fp", "fn")))

    def figures(self) -> tuple[float, float, float]:
        """Return precision, recall and F1: all 1 if there is nothing to find and nothing found."""
        if not self.tp:
            nothing = float(not (self.fp or self.fn))
            return nothing, nothing, nothing
        precision, recall = self.tp / (self.tp + self.fp), self.tp / (self.tp + self.fn)
        return precision, recall, 2 * self.tp / (2 * self.tp + self.fp + self.fn)


@dataclass(slots=True)
class Judged:
    """The judgement on one answer: both answers in a line each, right or not, counts, facts for metrics, and why.

    ``gold`` is empty where it would only hide the difference, ``void`` tells that the answer is
    one to another question, which earns nothing whatever the counts are. ``quote`` is the text that the answer was
    read from.
    """

    answer: str
    gold: Callable[[], str]
    correct: bool
    exact: bool
    ap: Counts
    ts: Counts
    extra: dict[str, str | float] = field(default_factory=dict)
    why: Callable[[], str] = str
    void: bool = False
    quote: str = ""


def case_of(item: Item) -> Case:
    """Return the machine and the trace of an item.

    Raises `HarnessError`: the problem has none, or they do not fit together.
    """
    problem = item.problem
    if not isinstance(problem, Mapping) or not isinstance(problem.get("hoa"), str):
        raise BrokenItemError("the item's problem has no 'hoa', the text of a machine")
    trace = problem.get("trace")
    if not isinstance(trace, list | tuple) or not all(map(is_texts, trace)):
        raise BrokenItemError("the item's problem has no 'trace', a list of lists of propositions")
    return problems.traced(problem)


def is_texts(value: Any) -> bool:
    """Tell if a value is a list of texts."""
    return isinstance(value, list | tuple) and all(isinstance(text, str) for text in value)


def target_of(item: Item) -> dict[str, Any]:
    """Return the gold answer as JSON.

    Raises `BrokenItemError`: the target is no JSON object.
    """
    text = item.target
    if not isinstance(text, str) or len(text) > MAX_TARGET:
        raise BrokenItemError("the item's target is no JSON text of a bearable length")
    try:
        target = json.loads(text)
    except (ValueError, RecursionError):
        target = None
    if not isinstance(target, dict):
        raise BrokenItemError(f"the item's target is no JSON object: {quoted(text, 60)}")
    return target


def signed(name: str, value: bool) -> str:
    """Return a literal as it is written: ``r`` or ``!r``."""
    return name if value else f"!{name}"
