"""Bootstrap intervals and group splits over judged answers; Wilson intervals are Inspect's own."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache
from random import Random
from typing import Any, TypeVar

from harness_errors import PluginError

from harness.core.hookspecs import Benchmark, Metric, Row
from harness.core.plugins import one_line

T = TypeVar("T")

RESAMPLES = 300
SEED = 20240229  # of every resample: the same rows give the same numbers
ANSWERS = 30_000  # drawn for a random floor


def counted(rows: Sequence[Row]) -> list[Row]:
    """Return the rows that enter a mean: all but the unscored ones."""
    return [row for row in rows if row.outcome != "unscored"]


def value_of(metric: Metric, rows: Sequence[Row]) -> float:
    """Return a metric over the counted rows; nan where it is undefined (none, one class only)."""
    rows = counted(rows)
    if not rows:
        return math.nan
    try:
        if metric.compute is not None:
            return float(metric.compute(rows))
        values = numbers_of(metric, rows)
    except Exception as error:
        raise PluginError(f"metric '{metric.name}' raised {one_line(error)}") from error
    return sum(values) / len(values) if values else math.nan


def numbers_of(metric: Metric, rows: Sequence[Row]) -> list[float]:
    """Return the numbers that a metric is the mean of: one per row that has one."""
    if metric.each is None:
        return [row.value[metric.name] for row in rows]
    numbers = (metric.each(row) for row in rows)
    return [float(number) for number in numbers if number is not None]


def mean_of(numbers: Sequence[float]) -> float:
    """Return a mean to the last bit the same in any order of the numbers."""
    return sum(sorted(numbers)) / len(numbers)


def value_by_item(metric: Metric, items: Sequence[Sequence[Row]]) -> float:
    """Return a metric over the answers to some items: of a mean, that over the items of each one's own mean."""
    if metric.compute is not None or all(len(rows) == 1 for rows in items):
        return value_of(metric, [row for rows in items for row in rows])
    known = (numbers_of(metric, counted(rows)) for rows in items)
    values = [mean_of(numbers) for numbers in known if numbers]
    return sum(values) / len(values) if values else math.nan


def bootstrap(
    compute: Callable[[Sequence[Any]], float],
    rows: Sequence[Row] | Sequence[Sequence[Row]],
    level: float = 0.95,
) -> dict[str, float]:
    """Return the value of a whole-run metric with its percentile bootstrap interval and error.

    Resamples items (a row each, or the rows of their answers) with replacement, `RESAMPLES` times, from a fixed
    seed: the same rows give the same interval. Keys: ``value``, ``stderr``, ``lower``, ``upper``; nan without rows.
    """
    if not rows:
        return dict.fromkeys(("value", "stderr", "lower", "upper"), math.nan)
    # Samples end in another order each time; the interval must not depend on it.
    return bootstrap_of(compute, sorted(rows, key=order), level)


def marks_of_groups(
    compute: Callable[[Sequence[Any]], float], groups: Sequence[Any]
) -> list[float]:
    """Return the 1 or 0 of each group of items that a whole-run metric is the share of; nothing if it is no share.

    Groups in which it is undefined have nan.
    """
    marks = [float(compute([group])) for group in groups]
    known = [mark for mark in marks if math.isfinite(mark)]
    if not known or any(mark not in (0, 1) for mark in known):
        return []
    return marks if math.isclose(sum(known) / len(known), compute(groups)) else []


def bootstrap_of(
    compute: Callable[[Sequence[T]], float], units: Sequence[T], level: float = 0.95
) -> dict[str, float]:
    """Return what `bootstrap` returns, of things that stand in an order of their own; there is one at least."""
    rng = Random(SEED)
    draws = [compute(rng.choices(units, k=len(units))) for _ in range(RESAMPLES)]
    return _interval(float(compute(units)), draws, level)


def bootstrap_mean(values: Sequence[float], level: float = 0.95) -> dict[str, float]:
    """Return what `bootstrap` returns for a mean, from the numbers alone: a tenth of the time."""
    if not values:
        return dict.fromkeys(("value", "stderr", "lower", "upper"), math.nan)
    values, size = sorted(values), len(values)
    rng = Random(SEED)
    draws = [sum(rng.choices(values, k=size)) / size for _ in range(RESAMPLES)]
    return _interval(sum(values) / size, draws, level)


def score_ends(share: float, half: float, critical: float, most: float) -> tuple[float, float]:
    """Return Wilson's score interval of a mean of numbers between 0 and 1 that is neither, from its t interval.

    ``half`` is half the width of that interval, ``critical`` the t it was made with. ``most``: how many independent
    zeros and ones the mean can be worth; numbers that do not vary say nothing of what was not seen. The effective
    number p(1-p)/error² is that of Korn & Graubard 1998, in Wilson's interval as by Dean & Pagano 2015.
    """
    spread = share * (1 - share)
    ratio = max(half * half / spread, critical**2 / most)  # of critical² and the effective number
    middle = (share + ratio / 2) / (1 + ratio)
    reach = math.sqrt(ratio * spread + ratio * ratio / 4) / (1 + ratio)
    return max(0.0, middle - reach), min(1.0, middle + reach)


def _interval(value: float, draws: Sequence[float], level: float) -> dict[str, float]:
    finite = sorted(draw for draw in draws if math.isfinite(draw))
    # Where every draw is the same the bootstrap says nothing about what was not seen.
    if not finite or not math.isfinite(value) or finite[0] == finite[-1]:
        return {"value": value, "stderr": math.nan, "lower": math.nan, "upper": math.nan}
    tail = (1 - level) / 2
    mean = sum(finite) / len(finite)
    spread = math.sqrt(sum((x - mean) ** 2 for x in finite) / max(1, len(finite) - 1))
    last = len(finite) - 1
    return {
        "value": value,
        "stderr": spread,
        "lower": finite[math.floor(tail * last)],
        "upper": finite[math.ceil((1 - tail) * last)],
    }


def order(row: Any) -> tuple[Any, ...]:
    """Return what rows (or items) are ordered by before a seeded draw: whatever may tell two of them apart."""
    if not isinstance(row, Row):
        return tuple(sorted(map(order, row)))
    parts = (row.probability, row.output_tokens, *sorted(row.value.items()))
    others = (*sorted(row.extra.items()), *sorted(row.features.items(), key=str))
    first = (row.target, row.answer or "", row.outcome, row.probability or 0.0)
    return (*first, repr(parts), repr(others))


def output_tokens(rows: Sequence[Row]) -> list[float]:
    """Return how much was written for each counted row whose model says so; unparsed ones count."""
    return [float(row.output_tokens) for row in counted(rows) if row.output_tokens is not None]


# Before the name of a number of answers; no plugin's metric can be called so.
SEARCHED = "searched: "


def searched(items: Iterable[Sequence[Row]]) -> dict[str, int]:
    """Return how many answers a web search was made for, and of how many; nothing where none could search."""
    rows = (row for answers in items for row in counted(answers))
    made = [row.searches > 0 for row in rows if row.searches is not None]
    return {f"{SEARCHED}answers": sum(made), f"{SEARCHED}of": len(made)} if made else {}


def by_group(
    benchmark: Benchmark, items: Sequence[Sequence[Row]]
) -> dict[str, dict[str, dict[str, float]]]:
    """Return {feature: {its value: {metric: number, "n": count of items}}} for features that vary.

    ``items`` are the answers to each item. A feature among ``benchmark.tags`` counts under every word it holds.
    ``output_tokens`` is the mean, where the model reports any.
    """
    tables: dict[str, dict[str, dict[str, float]]] = {}
    for feature in (*benchmark.groups, *benchmark.tags):
        parts: dict[Any, list[Sequence[Row]]] = {}
        for rows in items:
            if feature not in rows[0].features:
                continue
            value = rows[0].features[feature]
            for key in set(str(value).split()) if feature in benchmark.tags else (value,):
                parts.setdefault(key, []).append(rows)
        if len(parts) > 1:
            tables[feature] = {
                str(key): _numbers(benchmark, parts[key])
                for key in sorted(parts, key=lambda key: (isinstance(key, str), key))
            }
    return tables


def _numbers(benchmark: Benchmark, items: Sequence[Sequence[Row]]) -> dict[str, float]:
    numbers = {m.name: value_by_item(m, items) for m in benchmark.metrics}
    numbers["n"] = float(len(items))
    tokens = [mean_of(known) for rows in items if (known := output_tokens(rows))]
    return numbers | ({"output_tokens": sum(tokens) / len(tokens)} if tokens else {})


def floors(
    benchmark: Benchmark, constant: Mapping[str, Sequence[Row]], published: bool = False
) -> dict[str, dict[str, float]]:
    """Return what answers given without reading the problem score, from really judged ones.

    ``constant`` holds, per choice (there may be none), the rows of giving that answer to every item. ``majority``
    is the best constant by the headline; ``constant`` the first of each item's choices; ``random`` the mean over
    choices for means, and the average over seeded random answerers, the more the fewer items, for whole-run metrics.
    ``published``: those of the paper's own convention, too.
    """
    if not constant:
        return {}
    headline = benchmark.headline_metric
    scores = {choice: value_of(headline, rows) for choice, rows in constant.items()}
    metrics = (*benchmark.metrics, *(benchmark.published if published else ()))
    best = max(scores, key=lambda choice: (math.isfinite(scores[choice]), scores[choice]))
    first = [
        constant[(*benchmark.choices_for(row.features), *constant)[0]][at]
        for at, row in enumerate(constant[best])
    ]
    return {
        "majority": {m.name: value_of(m, constant[best]) for m in metrics},
        "constant": {m.name: value_of(m, first) for m in metrics},
        "random": {m.name: _random(m, tuple(constant), constant) for m in metrics},
    }


def _random(metric: Metric, choices: Sequence[str], constant: Mapping[str, Sequence[Row]]) -> float:
    if metric.compute is None:
        return sum(value_of(metric, constant[choice]) for choice in choices) / len(choices)
    columns = list(zip(*(constant[choice] for choice in choices), strict=True))
    values = []
    known: dict[Sequence[int], float] = {}  # of few items there are few sheets, which come again
    for sheet in _answer_sheets(len(choices), len(columns)):
        if sheet not in known:
            rows = [column[at] for column, at in zip(columns, sheet, strict=True)]
            known[sheet] = value_of(metric, rows)
        values.append(known[sheet])
    return sum(values) / len(values)


@lru_cache(maxsize=1)
def _answer_sheets(choices: int, items: int) -> list[Sequence[int]]:
    """Return the places of the choices that each random answerer makes, drawn once for all metrics of a run."""
    rng, places = Random(SEED), range(choices)
    sheet = bytes if choices <= 256 else tuple[int, ...]  # a run may have a million items
    answerers = max(20, ANSWERS // items)
    return [sheet([rng.choice(places) for _ in range(items)]) for _ in range(answerers)]
