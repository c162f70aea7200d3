"""The numbers over a run, as Inspect's metrics: means with intervals, whole-run metrics, groups, tokens."""

from __future__ import annotations

import math
import statistics
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from functools import cache
from typing import Any, ParamSpec

from inspect_ai.log import HeadlineMetric
from inspect_ai.scorer import (
    Metric,
    SampleScore,
    Score,
    Value,
    ci,
    ci_wilson,
    mean,
    metric,
    stderr,
)

from harness.core.hookspecs import Benchmark, Row
from harness.core.items import OWN_FACTS
from harness.core.plugins import registry
from harness.run import floors, repeats, stats
from harness.run.compat import get_installed_package_name
from harness.run.samples import RULED_OUT, constants_of


def registered(name: str) -> str:
    """Return the name to register something under, so that it ends up as ``harness/<name>``.

    Inspect adds the package's prefix by itself for an ordinary installation, but not for an
    editable one whose distribution is called otherwise than its import name, as ours is.
    """
    return name if get_installed_package_name(registered) else f"harness/{name}"


SCORER = "verdict"


def rows_of(scores: Sequence[SampleScore]) -> list[Row]:
    """Return Inspect's sample scores as rows, unscored ones left out."""
    rows = []
    for scored in scores:
        facts = scored.score.metadata or {}
        if not isinstance(scored.score.value, Mapping) or "outcome" not in facts:
            continue
        rows.append(
            Row(
                target=str(facts["target"]),
                answer=scored.score.answer,
                outcome=str(facts["outcome"]),
                value={k: float(v) for k, v in scored.score.value.items() if v is not None},
                features=(scored.sample_metadata or {}).get("features", {}),
                probability=facts.get("probability"),
                extra={k: v for k, v in facts.items() if k not in OWN_FACTS},
                output_tokens=facts.get("output_tokens"),
                searches=facts.get("searches"),
            )
        )
    return rows


def by_item(scores: Sequence[SampleScore]) -> list[list[Row]]:
    """Return the rows of the answers to each item, unscored ones left out; items without any are, too."""
    every = ([*rows_of(group)] for group in _grouped(scores))
    return [rows for rows in every if rows]


def _grouped(scores: Sequence[SampleScore]) -> list[list[SampleScore]]:
    """Return the scores of each item: several where it was asked several times."""
    groups: dict[Any, list[SampleScore]] = {}
    for place, scored in enumerate(scores):
        name = scored.sample_id
        groups.setdefault(("nameless", place) if name is None else name, []).append(scored)
    return list(groups.values())


P = ParamSpec("P")


def _both(name: str, kind: Callable[P, Metric]) -> tuple[Callable[P, Metric], Callable[P, Metric]]:
    """Register a metric twice: over all answers to each item, and over what a vote on them has left."""
    of_answers = metric(name=registered(name), scores="unreduced")(kind)
    return of_answers, metric(name=registered(f"{name}_of_votes"))(kind)


@metric(name=registered("interval"))
def interval() -> Metric:
    """Compute the 95 % interval of a mean: Wilson's for shares, else the percentile bootstrap's.

    A share is a mean of zeros and ones. Equal values of any other kind have no interval. Several answers to an item
    are dependent: it is the items that are resampled, and that a share has its effective number from.
    """

    def compute(scores: list[SampleScore]) -> Value:
        return _ends([[scored.score.as_float() for scored in group] for group in _grouped(scores)])

    return compute


def _ends(values: Sequence[Sequence[float]]) -> dict[str, str | int | float | bool | None]:
    """Return the ends of the interval of a mean, its kind in their names."""
    wilson = _wilson(values)
    kind, numbers = ("wilson", wilson) if wilson else ("bootstrap", _mean(values))
    ends = {f"{kind}_{end}": numbers[end] for end in ("lower", "upper")}
    return {name: end for name, end in ends.items() if math.isfinite(end)}


@metric(name=registered("intervals"), scores="unreduced")
def intervals(plugin: str) -> Metric:
    """Compute the interval of every mean of a plugin's values from all answers (see `interval`)."""

    def compute(scores: list[SampleScore]) -> Value:
        items = by_item(scores)
        unparsed = [[float(row.outcome == "unparsed") for row in rows] for rows in items]
        known = {"unparsed": unparsed} | {
            name: [[row.value[name] for row in rows] for rows in items]
            for name in _means(registry().get(plugin).benchmark)
        }
        return {
            f"{name}_{end}": number
            for name, values in known.items()
            for end, number in _ends(values).items()
        }

    return compute


def _means(benchmark: Benchmark) -> list[str]:
    """Return the metrics that are means of values of their names."""
    return [m.name for m in benchmark.metrics if m.compute is None and m.each is None]


def _mean(values: Sequence[Sequence[float]]) -> dict[str, float]:
    """Return the mean over items of the mean of each one's numbers, with its interval and error (see `interval`)."""
    return stats.bootstrap_mean([stats.mean_of(numbers) for numbers in values]) | _wilson(values)


def _wilson(values: Sequence[Sequence[float]]) -> dict[str, float]:
    """Return the ends of Wilson's interval of a share, nothing of what is none.

    Items whose answers agree count once each. Where some do not, the interval has the effective number of answers
    and Student's t of Inspect's `ci_wilson`, for items with equally many answers; of others there is none.
    """
    if not values or any(value not in (0, 1) for numbers in values for value in numbers):
        return {}
    # Inspect's types allow for metrics of other kinds.
    interval: Any = ci_wilson()
    if all(len(set(numbers)) == 1 for numbers in values):
        ends = interval([SampleScore(score=Score(value=numbers[0])) for numbers in values])
    elif len(values) < 2 or len(set(map(len, values))) > 1:
        ends = {}
    else:
        interval = ci_wilson(cluster="item")
        ends = interval([
            SampleScore(score=Score(value=number), sample_metadata={"item": place})
            for place, numbers in enumerate(values)
            for number in numbers
        ])  # fmt: skip
    return dict(ends)


def _tokens() -> Metric:
    """Compute the mean output tokens an answer, with its bootstrap interval, and count searches; nothing unknown."""

    def compute(scores: list[SampleScore]) -> Value:
        items = by_item(scores)
        means = [stats.mean_of(counts) for counts in map(stats.output_tokens, items) if counts]
        return _finite("output_tokens", stats.bootstrap_mean(means)) | stats.searched(items)

    return compute


tokens = _both("tokens", _tokens)


def _whole(plugin: str, name: str) -> Metric:
    """Compute one whole-run metric of a plugin with its bootstrap interval."""

    def compute(scores: list[SampleScore]) -> Value:
        return _finite(name, _over(registry().get(plugin).benchmark, name, scores))

    return compute


def _over(benchmark: Benchmark, name: str, scores: Sequence[SampleScore]) -> dict[str, float]:
    chosen = next(m for m in (*benchmark.metrics, *benchmark.published) if m.name == name)
    items = by_item(scores)
    if chosen.compute is None:
        every = (stats.numbers_of(chosen, rows) for rows in items)
        return _mean([numbers for numbers in every if numbers])
    compute, units = repeats.units(chosen.compute, items, chosen.together)
    marks = stats.marks_of_groups(compute, units) if chosen.together else []
    known = [[mark] for mark in marks if math.isfinite(mark)]
    numbers = _mean(known) if known else stats.bootstrap(compute, units)
    if chosen.probabilistic:
        readable = [row for rows in items for row in rows if row.outcome == "scored"]
        soft = readable and all(row.probability is not None for row in readable)
        numbers["hard"] = float(not soft)
    return numbers


whole = _both("whole", _whole)


def _above(plugin: str) -> Metric:
    """Compute the score above the best shortcut (see `harness.run.floors.above`); nothing where there are none."""

    def compute(scores: list[SampleScore]) -> Value:
        benchmark = registry().get(plugin).benchmark
        items = [
            (rows, constants_of(benchmark, group[0].sample_metadata or {}, rows[0].target))
            for group in _grouped(scores)
            if (rows := rows_of(group))
        ]
        return _finite(floors.ABOVE, floors.above_best(benchmark, items))

    return compute


above = _both(floors.ABOVE, _above)


WITHOUT_WRONG = "without_wrong"


def _without_wrong(plugin: str) -> Metric:
    """Compute the headline of the items whose label can be right by their own record; nothing if those are all."""

    def compute(scores: list[SampleScore]) -> Value:
        benchmark = registry().get(plugin).benchmark
        sound = [scored for scored in scores if not (scored.sample_metadata or {}).get(RULED_OUT)]
        if len(sound) in (0, len(scores)):
            return {}
        return _finite(WITHOUT_WRONG, _over(benchmark, benchmark.headline, sound))

    return compute


without_wrong = _both(WITHOUT_WRONG, _without_wrong)


def _groups(plugin: str) -> Metric:
    """Compute every metric per value of each feature the plugin groups by."""

    def compute(scores: list[SampleScore]) -> Value:
        tables = stats.by_group(registry().get(plugin).benchmark, by_item(scores))
        # The viewer cuts a label's trailing digits off, so the number comes first.
        return {
            f"{name} at {key} {feature}": number
            for feature, table in tables.items()
            for key, numbers in table.items()
            for name, number in numbers.items()
            if math.isfinite(number)
        }

    return compute


groups = _both("groups", _groups)


SPREAD = ("agreement", "variance_within", "variance_between")
AGAIN = "again"  # the metric of what several answers to an item tell, and its name in a log


@metric(name=registered(AGAIN), scores="unreduced")
def again(plugin: str) -> Metric:
    """Compute what several answers to an item tell beside their mean; nothing where no item has several.

    Variances within and between items, how often answers to one item agree, pass@k and pass^k
    (see `harness.run.repeats`), each with its interval over items.
    """

    def compute(scores: list[SampleScore]) -> Value:
        benchmark = registry().get(plugin).benchmark
        items = by_item(scores)
        most = max(map(len, items), default=0)
        if most < 2:
            return {}
        metric = repeats.graded(benchmark)
        numbers = [known for rows in items if (known := stats.numbers_of(metric, rows))]
        intervals: dict[str, Mapping[str, float]] = {
            SPREAD[0]: _chance([(repeats.agreement(rows), len(rows) / 2) for rows in items]),
            SPREAD[1]: repeats.variance(numbers, 0),
            SPREAD[2]: repeats.variance(numbers, 1),
        }
        marks = [*map(repeats.marks, numbers)]
        first, *others = repeats.sizes(most)
        for sign, chance in (("@", repeats.pass_at), ("^", repeats.pass_all)):
            intervals[f"pass{sign}{first}"] = _mean(marks)
            for k in others:
                chances = [
                    (chance(len(right), round(sum(right)), k), len(right) / k) for right in marks
                ]
                intervals[f"pass{sign}{k}"] = _chance(chances)
        return {
            key: x for name, part in intervals.items() for key, x in _finite(name, part).items()
        }

    return compute


def _chance(items: Sequence[tuple[float, float]]) -> dict[str, float]:
    """Return the mean of an estimated chance over items, with its interval; nan is left out.

    Beside each item's chance stands how many independent tries it is estimated from.
    """
    known = [(value, tries) for value, tries in items if math.isfinite(value)]
    values = [value for value, _ in known]
    interval = _mean([[value] for value in values])
    if len(values) < 2 or all(value in (0, 1) for value in values):
        return interval
    critical = _critical(len(values))
    half = critical * statistics.stdev(values) / math.sqrt(len(values))
    most = sum(tries for _, tries in known)
    ends = stats.score_ends(interval["value"], half, critical, most)
    return interval | dict(zip(("lower", "upper"), ends, strict=True))


@cache
def _critical(n: int) -> float:
    """Return Student's t of a 95 % interval of the mean of n numbers, which Inspect has."""
    values = range(n)
    interval: Any = ci()
    upper = interval([SampleScore(score=Score(value=value)) for value in values])["upper"]
    error = statistics.stdev(values) / math.sqrt(n)
    return float(upper - statistics.fmean(values)) / error


# Before the reason in the name of a share; no plugin's metric can be called so.
UNPARSED = "unparsed: "


def _reasons() -> Metric:
    """Compute the shares of answers that nobody could read, by the reason; only reasons there are."""

    def compute(scores: list[SampleScore]) -> Value:
        shares: dict[str, Fraction] = {}
        judged = [(group, size) for group in _grouped(scores) if (size := len(rows_of(group)))]
        for group, size in judged:
            for scored in filter(_is_unparsed, group):
                why = str(scored.score.reason)
                shares[why] = shares.get(why, Fraction()) + Fraction(1, size)
        return {f"{UNPARSED}{why}": float(x / len(judged)) for why, x in sorted(shares.items())}

    return compute


reasons = _both("reasons", _reasons)


def _is_unparsed(scored: SampleScore) -> bool:
    return (scored.score.metadata or {}).get("outcome") == "unparsed"


def _finite(name: str, numbers: Mapping[str, float]) -> dict[str, str | int | float | bool | None]:
    return {
        name if key == "value" else f"{name}_{key}": number
        for key, number in numbers.items()
        if math.isfinite(number)
    }


def named(
    benchmark: Benchmark, convention: str, vote: bool = False
) -> list[Metric | dict[str, list[Metric]]]:
    """Return all metrics of a benchmark under a convention, as an Inspect task takes them.

    ``vote``: several answers to an item are reduced by a vote; else each of them counts.
    """
    means = _means(benchmark)
    ends = [interval()] if vote else []
    each: dict[str, list[Metric]] = {
        name: [mean(), stderr(), *ends] for name in (*means, "unparsed")
    }
    extra = [m for m in benchmark.metrics if m.name not in means]
    if convention == "published":
        extra += benchmark.published
    name, at = benchmark.name, int(vote)
    return [
        each,
        *(whole[at](name, m.name) for m in extra),
        *([] if vote else [intervals(name), again(name)]),
        *(kind[at](name) for kind in (above, without_wrong, groups)),
        *(kind[at]() for kind in (tokens, reasons)),
    ]


def headline(benchmark: Benchmark) -> HeadlineMetric:
    """Return the number that stands for a run, as Inspect names it."""
    chosen = benchmark.headline_metric
    if chosen.compute is None and chosen.each is None:
        return HeadlineMetric(scorer=SCORER, score=chosen.name, metric="mean")
    return HeadlineMetric(scorer=SCORER, metric=chosen.name)
