"""Sections that every report has where there is something to say: shortcuts, repeats, tokens and money."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from harness.core.hookspecs import Metric
from harness.core.plugins import registry
from harness.report import numbers, statistics
from harness.report import views_base as base
from harness.report.model import (
    Answer,
    Cell,
    Estimate,
    LogFacts,
    Section,
    Series,
    Study,
    Table,
    answers_of,
)
from harness.report.numbers import best_shortcut
from harness.report.statistics_sources import Floats
from harness.rerun import prices
from harness.run import floors, models, repeats, stats

ABOVE = (
    "Above the shortcut: (score - best shortcut) / (1 - best shortcut). 0: no better than the best cheap answer to "
    "the same items, 1: perfect; below 0: worse. The best is chosen on these very items."
)


def shortcuts(part: base.Part) -> Section | None:
    """Return the tables of one task; nothing where its items have no shortcuts."""
    ids = sorted({answer.id for answer in answers_of(part.series)})
    if best_shortcut(part.study, ids) is None:
        return None
    title, name = part.title("Shortcuts"), part.benchmark.headline
    head = ("series", "n", name, "best shortcut", f"{name} of it", "above the shortcut")
    rows = tuple(_worth(part, series) for series in part.series)
    worth = Table(part.name("above_shortcut"), f"{title}: what scores are worth", head, rows, ABOVE)
    return Section(title, (worth, _each(part, ids, part.name("shortcuts"), title)))


def _worth(part: base.Part, series: Series) -> tuple[Cell, ...]:
    """Return a series' row: the best shortcut on its items, what that scores, and what is scored above it."""
    headline = part.benchmark.headline_metric
    best = best_shortcut(part.study, [answer.id for answer in series.answers])
    assert best is not None  # all items of the part have shortcuts
    scored = [a for a in series.answers if a.judged and best.rows[a.id].outcome != "unscored"]
    pairs = [(answer.judged, best.rows[answer.id]) for answer in scored]
    floor = stats.value_of(headline, [row for _, row in pairs])
    if headline.compute is None:
        parts = np.array(floors.above_parts(headline, pairs))
        interval = _mean_above(parts, floor, [answer.source for answer in scored])
    else:
        ends = floors.above(part.benchmark, pairs)
        interval = statistics.Interval(ends["value"], ends["lower"], ends["upper"], "bootstrap")
    own = base.cell(numbers.estimate(headline, series.answers))
    above = base.cell(numbers.estimate_of(interval, len(pairs)))
    n = sum(answer.counts for answer in series.answers)
    return base.label(series), n, own, best.name, base.number(floor, len(pairs)), above


def _mean_above(parts: Floats, floor: float, sources: Sequence[str]) -> statistics.Interval:
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
    own = registry().get(part.benchmark.name).shortcuts()
    known = {floors.SHORTCUT + s.name: (s.summary, s.ignores) for s in own}
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


def repeated(part: base.Part) -> Section | None:
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


SPENT = (
    "series", "items", "tokens in", "cached", "tokens out", "reasoning", "USD", "USD per 1,000 items",
)  # fmt: skip
COUNTED = (
    "As the provider counted: every answer, also those asked for again and those that failed. A run in several logs "
    "counts once. Tokens in include cached ones, tokens out reasoning. –: not reported, or no price given (prices=)."
)


def spending(study: Study) -> Section | None:
    """Return a row for each series and model that a provider counted tokens of, and one for all."""
    rows: list[tuple[Cell, ...]] = []
    items = 0
    for series in study.series:
        if not series.again:
            spent = models.total(_once(study.logs[place] for place in series.logs))
            items += len(series.answers) if spent else 0
            for name, used in spent.items():
                label = series.label if name == series.model else f"{series.label}: {name}"
                rows.append(_row(label, len(series.answers), used))
    if not rows:
        return None
    if len(rows) > 1:
        rows.append(_row("all", items, models.added(list(in_all([study]).values()))))
    table = Table("spending", "Tokens and money", SPENT, tuple(rows), COUNTED, digits=4)
    return Section("Tokens and money", (table,))


def in_all(studies: Sequence[Study]) -> dict[str, models.Usage]:
    """Return what each model used in all logs of some studies."""
    return models.total(part for study in studies for part in _once(study.logs))


def priced(study: Study, file: str) -> Study:
    """Return a study with dollars, by a file of prices, that its logs do not say; `SpecError`: a bad file."""
    known = prices.read(file)

    def with_cost(log: LogFacts) -> LogFacts:
        usage = {
            name: {**used, "total_cost": prices.cost_of(known[name], used)}
            if used["total_cost"] is None and name in known
            else used
            for name, used in log.usage.items()
        }
        return replace(log, usage=usage)

    return replace(study, logs=tuple(map(with_cost, study.logs)))


def _once(logs: Iterable[LogFacts]) -> list[Mapping[str, models.Usage]]:
    """Return what each run used, of the log that has most of it where there are several of one run."""
    largest: dict[str, LogFacts] = {}
    for log in logs:
        before = largest.setdefault(log.task_id or log.path, log)
        if _tokens(log) > _tokens(before):
            largest[log.task_id or log.path] = log
    return [log.usage for log in largest.values()]


def _tokens(log: LogFacts) -> float:
    return sum(used["output_tokens"] or 0 for used in log.usage.values())


def _row(label: str, items: int, used: models.Usage) -> tuple[Cell, ...]:
    read = [used["input_tokens"], used["input_tokens_cache_read"], used["input_tokens_cache_write"]]
    cost = used["total_cost"]
    together = None if read[0] is None else sum(part or 0 for part in read)
    counts = (together, read[1], used["output_tokens"], used["reasoning_tokens"])
    whole = (None if count is None else int(count) for count in counts)
    each = Estimate(cost / items * 1000 if cost is not None and items else None)
    return (label, items, *whole, Estimate(cost), each)
