"""The numbers over a run, as Inspect's metrics: means with intervals, whole-run metrics, groups, tokens."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from inspect_ai.log import EvalLog, HeadlineMetric
from inspect_ai.scorer import (
    Metric,
    SampleScore,
    Score,
    Value,
    ci_wilson,
    mean,
    metric,
    stderr,
)

from harness.core.hookspecs import Benchmark, Row
from harness.core.plugins import registry
from harness.run import stats
from harness.run.compat import get_installed_package_name


def registered(name: str) -> str:
    """Return the name to register something under, so that it ends up as ``harness/<name>``.

    Inspect adds the package's prefix by itself for an ordinary installation, but not for an
    editable one whose distribution is called otherwise than its import name, as ours is.
    """
    return name if get_installed_package_name(registered) else f"harness/{name}"


SCORER = "verdict"

# What the core keeps with a score beside `Verdict.extra`.
OWN = ("outcome", "target", "probability", "output_tokens")


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
                extra={k: v for k, v in facts.items() if k not in OWN},
                output_tokens=facts.get("output_tokens"),
            )
        )
    return rows


@metric(name=registered("interval"))
def interval() -> Metric:
    """Compute the 95 % interval of a mean: Wilson's for shares, else the percentile bootstrap's.

    A share is a mean of zeros and ones. Equal values of any other kind have no interval.
    """

    def compute(scores: list[SampleScore]) -> Value:
        values = [scored.score.as_float() for scored in scores]
        numbers = _mean(values)
        kind = "wilson" if _shares(values) else "bootstrap"
        return {
            f"{kind}_{end}": numbers[end]
            for end in ("lower", "upper")
            if math.isfinite(numbers[end])
        }

    return compute


def _mean(values: Sequence[float]) -> dict[str, float]:
    """Return the mean of some numbers with its interval and error (see `interval`)."""
    numbers = stats.bootstrap_mean(values)
    if values and _shares(values):
        wilson: Any = ci_wilson()  # its type allows for metrics of other kinds
        numbers |= wilson([SampleScore(score=Score(value=value)) for value in values])
    return numbers


def _shares(values: Sequence[float]) -> bool:
    return all(value in (0, 1) for value in values)


@metric(name=registered("tokens"))
def tokens() -> Metric:
    """Compute the mean output tokens an item, with its bootstrap interval; nothing if unknown."""

    def compute(scores: list[SampleScore]) -> Value:
        return _finite("output_tokens", stats.bootstrap_mean(stats.output_tokens(rows_of(scores))))

    return compute


@metric(name=registered("whole"))
def whole(plugin: str, name: str) -> Metric:
    """Compute one whole-run metric of a plugin with its bootstrap interval."""

    def compute(scores: list[SampleScore]) -> Value:
        benchmark = registry().get(plugin).benchmark
        chosen = next(m for m in (*benchmark.metrics, *benchmark.published) if m.name == name)
        rows = rows_of(scores)
        if chosen.compute is None:
            return _finite(name, _mean(stats.numbers_of(chosen, rows)))
        numbers = stats.bootstrap(chosen.compute, rows)
        if chosen.probabilistic:
            readable = [row for row in rows if row.outcome == "scored"]
            soft = readable and all(row.probability is not None for row in readable)
            numbers["hard"] = float(not soft)
        return _finite(name, numbers)

    return compute


@metric(name=registered("groups"))
def groups(plugin: str) -> Metric:
    """Compute every metric per value of each feature the plugin groups by."""

    def compute(scores: list[SampleScore]) -> Value:
        tables = stats.by_group(registry().get(plugin).benchmark, rows_of(scores))
        # The viewer cuts a label's trailing digits off, so the number comes first.
        return {
            f"{name} at {key} {feature}": number
            for feature, table in tables.items()
            for key, numbers in table.items()
            for name, number in numbers.items()
            if math.isfinite(number)
        }

    return compute


# Before the reason in the name of a share; no plugin's metric can be called so.
_UNPARSED = "unparsed: "


@metric(name=registered("reasons"))
def reasons() -> Metric:
    """Compute the shares of answers that nobody could read, by the reason; only reasons there are."""

    def compute(scores: list[SampleScore]) -> Value:
        rows = rows_of(scores)
        counts = Counter(str(scored.score.reason) for scored in scores if _is_unparsed(scored))
        return {f"{_UNPARSED}{why}": count / len(rows) for why, count in sorted(counts.items())}

    return compute


def _is_unparsed(scored: SampleScore) -> bool:
    return (scored.score.metadata or {}).get("outcome") == "unparsed"


def unparsed_by(log: EvalLog) -> dict[str, float]:
    """Return what `reasons` found in a log, by the reason, the commonest first."""
    scores = log.results.scores if log.results else []
    numbers = [
        (key, metric_value.value) for score in scores for key, metric_value in score.metrics.items()
    ]
    shares = [(key, value) for key, value in numbers if key.startswith(_UNPARSED)]
    shares.sort(key=lambda metric_value: (-metric_value[1], metric_value[0]))
    return {key.removeprefix(_UNPARSED): round(value, 6) for key, value in shares}


def _finite(name: str, numbers: Mapping[str, float]) -> dict[str, str | int | float | bool | None]:
    return {
        name if key == "value" else f"{name}_{key}": number
        for key, number in numbers.items()
        if math.isfinite(number)
    }


def named(benchmark: Benchmark, convention: str) -> list[Metric | dict[str, list[Metric]]]:
    """Return all metrics of a benchmark under a convention, as an Inspect task takes them."""
    means = [m.name for m in benchmark.metrics if m.compute is None and m.each is None]
    each: dict[str, list[Metric]] = {
        name: [mean(), stderr(), interval()] for name in (*means, "unparsed")
    }
    extra = [m for m in benchmark.metrics if m.name not in means]
    if convention == "published":
        extra += benchmark.published
    runs = [whole(benchmark.name, m.name) for m in extra]
    return [each, *runs, tokens(), reasons(), groups(benchmark.name)]


def headline(benchmark: Benchmark) -> HeadlineMetric:
    """Return the number that stands for a run, as Inspect names it."""
    chosen = next(m for m in benchmark.metrics if m.name == benchmark.headline)
    if chosen.compute is None and chosen.each is None:
        return HeadlineMetric(scorer=SCORER, score=chosen.name, metric="mean")
    return HeadlineMetric(scorer=SCORER, metric=chosen.name)
