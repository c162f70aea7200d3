"""What several answers to each item tell beside their mean: how far they agree, variances, pass@k and pass^k."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from functools import partial
from typing import Any

import numpy as np

from harness.core.hookspecs import Metric
from harness.report import numbers, statistics
from harness.report import views_base as base
from harness.report.model import Answer, Cell, Estimate, Section, Series, Table
from harness.run import repeats, stats


def section(part: base.Part) -> Section | None:
    """Return the tables of one task; nothing where no item has several answers that count."""
    asked = [series for series in part.series if _most(series) > 1]
    if not asked:
        return None
    metric = repeats.graded(part.benchmark)
    title = part.title("Repeats")
    note = (
        f"Agreement: the share of pairs of answers to an item that are the same. Variances of {metric.name}: of one "
        "answer to an item around the item's mean, and of the items' own means. Intervals are over items."
    )
    measures = ("agreement", "variance within", "variance between")
    spread = Table(
        part.name("repeats"), title, ("series", "items", "answers per item", *measures),
        tuple(_spread(metric, series) for series in asked), note,
    )  # fmt: skip
    meant = (
        f"pass@k: one of k answers to an item is right ({metric.name} is 1), pass^k: all of them are; unbiased "
        "estimates. Items with fewer than k answers are left out."
    )
    rows = tuple(row for series in asked for row in _passing(metric, series))
    passing = Table(
        part.name("pass_at_k"), f"{title}: pass@k", ("series", "k", "pass@k", "pass^k"), rows, meant
    )
    return Section(title, (spread, passing))


def _most(series: Series) -> int:
    return max((len(answer.judged) for answer in series.answers), default=0)


def _spread(metric: Metric, series: Series) -> tuple[Cell, ...]:
    answers = [answer for answer in series.answers if answer.counts]
    agreement = _chance([repeats.agreement(answer.judged) for answer in answers], 2, answers)
    items: list[Any] = [answer.judged for answer in answers]
    known = {id(rows): stats.numbers_of(metric, rows) for rows in items}
    moments = {key: repeats.moments(group) for key, group in known.items() if group}
    sources = [answer.source for answer in answers]

    def compute(part: int, chosen: Sequence[Any]) -> float:
        parts = [moments[id(rows)] for rows in chosen if id(rows) in moments]
        return repeats.variances_of(parts)[part]

    within, between = (statistics.whole(partial(compute, part), items, sources) for part in (0, 1))
    cells = (base.cell(numbers.estimate_of(part, len(items))) for part in (within, between))
    return (base.label(series), len(answers), _most(series), agreement, *cells)


def _passing(metric: Metric, series: Series) -> Iterable[tuple[Cell, ...]]:
    """Yield a row for each k."""
    name, sources = base.label(series), [answer.source for answer in series.answers]
    marks = [repeats.marks(stats.numbers_of(metric, answer.judged)) for answer in series.answers]
    first, *others = repeats.sizes(_most(series))
    share = base.cell(numbers.estimate_mean(marks, sources))
    yield name, first, share, share
    for k in others:
        chances = (
            [chance(len(part), round(sum(part)), k) for part in marks]
            for chance in (repeats.pass_at, repeats.pass_all)
        )
        yield (name, k, *(_chance(part, k, series.answers) for part in chances))


def _chance(values: Sequence[float], k: int, answers: Sequence[Answer]) -> Estimate | None:
    """Return the mean of a chance over items, nan where one has none; it takes k answers to see it once."""
    known = [(x, answer) for x, answer in zip(values, answers, strict=True) if math.isfinite(x)]
    if not known:
        return None
    tries = np.array([len(answer.judged) / k for _, answer in known])
    sources = [answer.source for _, answer in known]
    interval = statistics.chance(np.array([value for value, _ in known]), tries, sources)
    return base.cell(numbers.estimate_of(interval, len(known)))
