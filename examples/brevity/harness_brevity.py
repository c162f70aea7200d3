"""A plugin that is no benchmark: two metrics more for every benchmark, on how much is written for an answer.

It wraps `describe`. A metric is a function of rows, and a row holds what any benchmark has: the value that is 1
where an answer is right (the first of its values), the answer as it was understood, the tokens that were written.
"""

from __future__ import annotations

import math
from collections.abc import Generator, Sequence
from dataclasses import replace
from functools import partial

from harness import Benchmark, Metric, Row, hookimpl


@hookimpl(wrapper=True)
def describe() -> Generator[None, Benchmark, Benchmark]:
    """Add the metrics to what a benchmark says of itself; its headline stays."""
    benchmark = yield
    right = benchmark.values[0]
    added = (
        Metric(
            "tokens_per_right",
            f"output tokens of all answers by the number of right ones ({right} = 1)",
            compute=partial(tokens_per_right, right),
        ),
        Metric(
            "answer_characters", "characters of the answer as understood", each=answer_characters
        ),
    )
    return replace(benchmark, metrics=(*benchmark.metrics, *added))


def tokens_per_right(right: str, rows: Sequence[Row]) -> float:
    """Return the tokens that a right answer costs; nan where the model does not say, or none is right."""
    tokens = [row.output_tokens for row in rows if row.output_tokens is not None]
    solved = sum(row.value.get(right) == 1 for row in rows)
    return sum(tokens) / solved if solved and len(tokens) == len(rows) else math.nan


def answer_characters(row: Row) -> float | None:
    """Return how long an answer is; None where none was understood."""
    return None if row.answer is None else float(len(row.answer))
