"""What a benchmark's shortcuts score on the items of a report, and what scores are worth above the best of them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from harness.core.plugins import registry
from harness.report import numbers, statistics
from harness.report import views_base as base
from harness.report.model import Cell, Section, Series, Table, answers_of
from harness.report.numbers import best_shortcut
from harness.report.statistics_sources import Floats
from harness.run import floors, stats

NOTE = (
    "Above the shortcut: (score - best shortcut) / (1 - best shortcut). 0: no better than the best cheap answer to "
    "the same items, 1: perfect; below 0: worse. The best is chosen on these very items."
)


def section(part: base.Part) -> Section | None:
    """Return the tables of one task; nothing where its items have no shortcuts."""
    ids = sorted({answer.id for answer in answers_of(part.series)})
    if best_shortcut(part.study, ids) is None:
        return None
    title, name = part.title("Shortcuts"), part.benchmark.headline
    head = ("series", "n", name, "best shortcut", f"{name} of it", "above the shortcut")
    rows = tuple(_series(part, series) for series in part.series)
    worth = Table(part.name("above_shortcut"), f"{title}: what scores are worth", head, rows, NOTE)
    return Section(title, (worth, _each(part, ids, part.name("shortcuts"), title)))


def _series(part: base.Part, series: Series) -> tuple[Cell, ...]:
    """Return a series' row: the best shortcut on its items, what that scores, and what is scored above it."""
    headline = floors.headline_of(part.benchmark)
    best = best_shortcut(part.study, [answer.id for answer in series.answers])
    assert best is not None  # all items of the part have shortcuts
    scored = [a for a in series.answers if a.judged and best.rows[a.id].outcome != "unscored"]
    pairs = [(answer.judged, best.rows[answer.id]) for answer in scored]
    floor = stats.value_of(headline, [row for _, row in pairs])
    if headline.compute is None:
        parts = np.array(floors.above_parts(headline, pairs))
        interval = _mean(parts, floor, [answer.source for answer in scored])
    else:
        ends = floors.above(part.benchmark, pairs)
        interval = statistics.Interval(ends["value"], ends["lower"], ends["upper"], "bootstrap")
    own = base.cell(numbers.estimate(headline, series.answers))
    above = base.cell(numbers.estimate_of(interval, len(pairs)))
    n = sum(answer.counts for answer in series.answers)
    return base.label(series), n, own, best.name, base.number(floor, len(pairs)), above


def _mean(parts: Floats, floor: float, sources: Sequence[str]) -> statistics.Interval:
    """Return the mean of `floors.above_parts` with its interval: no shares, even if all are 0 or all are 1."""
    interval = statistics.mean(parts, sources)
    known = np.unique(parts[~np.isnan(parts)])
    if len(known) != 1:
        return interval
    none = statistics.mean(np.where(np.isnan(parts), parts, 0.0), sources)
    low, high = floors.alike_ends(float(known[0]), floor, none.high)
    return statistics.Interval(float(known[0]), low, high, none.method)


def _each(part: base.Part, ids: Sequence[str], name: str, title: str) -> Table:
    """Return a table of all cheap answers: what each scores, how it answers and what it ignores."""
    items = [part.study.constants[item] for item in ids]
    keys = floors.shared_keys(items)
    metrics = [metric for metric in part.benchmark.metrics if metric.each is None]
    shortcuts = registry().get(part.benchmark.name).shortcuts()
    known = {floors.SHORTCUT + s.name: (s.summary, s.ignores) for s in shortcuts}
    rows = []
    for key in keys:
        scored = stats.counted([rows[key] for rows in items])
        if scored:
            words = known.get(key, (f"It always answers {key}.", "the problem"))
            values = (base.number(stats.value_of(m, scored), len(scored)) for m in metrics)
            rows.append((floors.best_name({"": key}), len(scored), *values, *words))
    names = (metric.name for metric in metrics)
    head = ("shortcut", "n", *names, "how it answers", "what it ignores")
    return Table(name, f"{title}: all of them", head, tuple(rows))
