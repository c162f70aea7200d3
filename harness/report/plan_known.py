"""What is known before a run is planned, from generated items or a pilot; many items once, or few items often."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations, compress
from typing import Any

import numpy as np
from harness_errors import DatasetError, SpecError

from harness.core.hookspecs import Metric
from harness.core.plugins import Plugin
from harness.core.spec import Spec
from harness.datasets import dataset
from harness.report import numbers, power
from harness.report.compare_pair import on_common_items, tasks_of
from harness.report.model import Series, Study, answers_of
from harness.report.numbers import KINDS, floors
from harness.report.statistics_sources import Floats, codes_of, totals
from harness.run import floors as run_floors
from harness.run import judging, repeats, stats


@dataclass(frozen=True, slots=True)
class Spread:
    """Numbers, one per item (of a series, or the differences of two), and what the items share.

    ``within``: the variance of one answer around its item's mean (of two series, both together), nan where items have
    one answer; ``noise``: how much of the numbers' variance is due to it. ``repeats``: how many answers items have.
    """

    label: str
    values: Floats
    sources: Sequence[str]
    within: float = math.nan
    noise: float = math.nan
    repeats: int = 1

    @property
    def sd(self) -> float:
        """The standard deviation; 0 of fewer than two numbers."""
        return float(self.values.std(ddof=1)) if len(self.values) > 1 else 0.0

    @property
    def effect(self) -> float:
        """How many times the items are needed because they share sources: variance of the mean over that of a draw.

        Kish's design effect with the variance that is robust to sources; never below 1.
        """
        codes = codes_of(self.sources, len(self.values))
        if codes is None or not self.sd:
            return 1.0
        sums, counts = totals(self.values, codes)
        groups, n = len(sums), len(self.values)
        if groups < 2:
            return 1.0
        left = sums - self.values.mean() * counts
        return max(1.0, groups / (groups - 1) * float(left @ left) / (n * self.sd**2))


@dataclass(frozen=True, slots=True)
class Known:
    """What is known before the run, from generated items or from a pilot.

    ``share``: an item scores 0 or 1. ``floor`` is None where there are no constant answers. ``series`` (the one that
    spreads most) and ``pair`` (the two that differ most) are a pilot's. ``tasks``: of each item, or None.
    """

    floor: float | None
    kind: str  # of the floor
    n: int  # items it is measured on
    share: bool
    series: Spread | None = None
    pair: Spread | None = None
    tasks: Sequence[object] = ()


def from_items(plugin: Plugin, spec: Spec, metric: Metric) -> Known:
    """Measure the floor on the items of a spec.

    Raises `SpecError`: an item can score between 0 and 1, so that the spread of answers is needed.
    """
    items = dataset.load(plugin, spec)
    cheap = run_floors.rows_of(plugin, items)
    probes = [
        judging.row(plugin, item, f"Answer: {text}")
        for item, other in zip(items, [*items[1:], items[0]], strict=True)
        for text in _partial_answers(item.target, other.target)
    ]
    rows = stats.counted([*probes, *(row for rows in cheap.values() for row in rows)])
    if not np.isin(stats.numbers_of(metric, rows), (0, 1)).all():
        raise SpecError(
            f"metrics={metric.name}: an item can score between 0 and 1, so how many it takes depends on how answers "
            "spread: name a pilot=LOG"
        )
    benchmark = plugin.benchmark
    if metric.name not in {known.name for known in benchmark.metrics}:
        benchmark = replace(benchmark, metrics=(*benchmark.metrics, metric))
    facts = run_floors.facts(benchmark, cheap)
    low = {kind: facts["floors"].get(kind, {}).get(metric.name) for kind in KINDS}
    return _known(low, len(items), True, tasks=[item.features.get("task") for item in items])


def _partial_answers(target: str, other: str) -> tuple[str, ...]:
    """Return answers that score in part where anything does: another item's, more than asked, half of it."""
    lines, parts = target.splitlines(), target.split(",")
    half = "\n".join(lines[: len(lines) // 2]), ",".join(parts[: len(parts) // 2])
    answers = [other, f"{target}, {other}", f"{target}\n{other}", *(text for text in half if text)]
    values = [text for text in _TEXT.finditer(target) if not text[2]]
    for text in values:  # of JSON: the last becomes another
        if text[1] != values[-1][1]:
            return (*answers, target[: values[-1].start()] + text[1] + target[values[-1].end() :])
    return tuple(answers)


_TEXT = re.compile(r'("[^"]*")(\s*:)?')  # and whether it is a key


def _known(floors: Mapping[str, float | None], n: int, share: bool, **pilot: Any) -> Known:
    """Return what is known, with the highest of the floors."""
    defined = {k: v for k, v in floors.items() if v is not None and math.isfinite(v)}
    kind = max(defined, key=lambda name: defined[name], default="")
    return Known(defined.get(kind), kind, n, share, **pilot)


def models(study: Study) -> list[Series]:
    """Return the series of language models; baselines and the symbolic reference are none."""
    return [series for series in study.series if series.of_model]


def from_pilot(study: Study, metric: Metric) -> Known:
    """Take floor and spreads from a pilot: its models where there are any, else whatever answered."""
    answering = models(study) or study.series
    ids = sorted({answer.id for answer in answers_of(study.series)})
    of_series = [_of_series(series, metric) for series in answering]
    spreads = [spread for spread in of_series if len(spread.values)]
    if not spreads:
        raise DatasetError(f"no answer of the pilot has a number for {metric.name}")
    pairs = []
    for (a, first), (b, second) in combinations(zip(answering, of_series, strict=True), 2):
        pair = on_common_items(a, b)
        values = numbers.each(metric, pair.second) - numbers.each(metric, pair.first)
        spread = _spread(f"{a.label} and {b.label}", values, pair.sources)
        if len(spread.values):
            noise = first.noise + second.noise
            pairs.append(replace(spread, within=first.within + second.within, noise=noise))
    low = {kind: floor.value for kind, floor in floors((metric,), study, ids)[metric.name].items()}
    share = all(np.isin(spread.values, (0, 1)).all() for spread in spreads)
    return _known(
        low, len(ids), share,
        series=max(spreads, key=lambda spread: spread.sd * math.sqrt(spread.effect)),
        pair=max(pairs, key=lambda spread: float((spread.values**2).mean()), default=None),
        tasks=tasks_of(answers_of(answering)),
    )  # fmt: skip


def _of_series(series: Series, metric: Metric) -> Spread:
    sources = [answer.source for answer in series.answers]
    every = [stats.numbers_of(metric, answer.judged) for answer in series.answers]
    sizes = [len(part) for part in every if part]
    within, _ = repeats.variances(every)
    noise = within * sum(1 / size for size in sizes) / len(sizes) if sizes else math.nan
    spread = _spread(series.label, numbers.each(metric, series.answers), sources)
    return replace(spread, within=within, noise=noise, repeats=max(sizes, default=1))


def _spread(label: str, values: Floats, sources: Sequence[str]) -> Spread:
    """Return the numbers that there are, with their sources."""
    have = ~np.isnan(values)
    return Spread(label, values[have], list(compress(sources, have)))


LEAST = 3  # items; of two, nothing is known but that they differ
REPEATS = (1, 2, 3, 5, 10, 20, 50, 100)
WITHIN = 0.5  # share of an answer's variance within items, where no pilot tells it


@dataclass(frozen=True, slots=True)
class Parts:
    """The variance of one answer: ``between`` items, and ``within`` one; ``effect``: of sources that items share."""

    between: float
    within: float
    effect: float

    def sd(self, repeats: int) -> float:
        """Return the standard deviation of an item's mean over so many answers."""
        return math.sqrt(self.between + self.within / repeats)


def parts(known: Known, d: float, share: float) -> tuple[Parts, Parts]:
    """Return the parts of the variance of one model's answers, and of the difference of two.

    ``share`` is what lies within items, where the pilot's have one answer each.
    """
    if known.series is not None:
        single = _parts(known.series, share)
    else:
        right = min(1.0, (0.5 if known.floor is None else known.floor) + d)
        single = _shared(right * (1 - right), share, 1.0)
    if known.pair is not None:
        return single, _parts(known.pair, share)
    return single, Parts(2 * single.between, 2 * single.within, single.effect)


def _parts(spread: Spread, share: float) -> Parts:
    if math.isnan(spread.within):
        return _shared(spread.sd**2, share, spread.effect)
    return Parts(max(0.0, spread.sd**2 - spread.noise), spread.within, spread.effect)


def _shared(variance: float, share: float, effect: float) -> Parts:
    return Parts((1 - share) * variance, share * variance, effect)


def is_known(known: Known) -> bool:
    """Return whether the pilot tells what lies within items."""
    return known.series is not None and not math.isnan(known.series.within)


def rows(known: Known, calls: int, d: float, alpha: float, share: float) -> list[dict[str, Any]]:
    """Return a row per design: items, answers to each, half width of the interval, and power to see ``d``."""
    single, paired = parts(known, d, share)

    def chance(part: Parts, items: int, repeats: int) -> float | None:
        sd = part.sd(repeats) * math.sqrt(part.effect)
        return numbers.rounded(power.power_mean(items, sd, d, alpha) if sd else 1.0)

    designs = []
    for items, times in ((calls // times, times) for times in REPEATS):
        if items >= LEAST:
            half = power.half_width(single.sd(times), items, single.effect)
            designs.append(
                {
                    "items": items,
                    "repeats": times,
                    "half_width": numbers.rounded(half),
                    "power": chance(single, items, times),
                    "power_paired": chance(paired, items, times),
                }
            )
    return designs


def assumptions(known: Known, d: float, share: float) -> Iterator[str]:
    """Yield what designs rest on, a sentence each."""
    single, _ = parts(known, d, share)
    variance = f"{single.within:.3f} within items, {single.between:.3f} between them"
    if is_known(known) and known.series is not None:
        yield f"designs: the variance of one answer is {variance}, as {known.series.label}'s in the pilot"
    else:
        whence = f"of a share {d:g} above the floor" if known.series is None else "as in the pilot"
        yield (
            f"designs: the variance of one answer ({whence}) is {variance}: {share:g} of it within items is assumed "
            "(within=); a pilot with epochs tells"
        )
    pair = "as in the pilot" if known.pair is not None else "independent"
    yield (
        f"designs: two models answer the same items as often, their errors {pair}; power is that of t tests over the "
        "items' means, of one model against a known number and of two"
    )
