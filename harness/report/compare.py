"""The command ``harness compare``: series of answers against each other, on identical items only."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import combinations
from typing import Any

from harness_errors import DatasetError, SpecError

from harness.core.facts import printable
from harness.core.hookspecs import Benchmark, Metric
from harness.report import log_studies, numbers, statistics, statistics_tests
from harness.report.commands import logs_and_keys
from harness.report.compare_pair import Pair, comparison, on_common_items, tasks_of
from harness.report.model import Series, Study
from harness.report.numbers import best_shortcut
from harness.report.text import chance, span
from harness.run import stats

KEYS = ("metrics", "plugin")
TASKS = 8  # named in a warning
UNSCORED = 0.01  # share of the common items from which a warning says so
ALPHA = 0.05  # of the verdict, on p after Holm
NO_VERSION = ("python", "pluggy")  # decide no label and no verdict


def compare(words: Sequence[str], warn: Callable[[str], object]) -> dict[str, Any]:
    """Compare every pair of series in the logs that the words name (see docs/comparing.md).

    Words without ``=`` are logs or folders of logs; ``metrics=`` says which metrics are compared, ``plugin=`` whose
    logs are, where there are several plugins'. Raises `SpecError`: an unknown key or metric, logs of several
    plugins, fewer than two series; `DatasetError`: a log that cannot be read, or logs that cannot be compared.
    """
    logs, options = logs_and_keys(words, KEYS, "compare", "LOG_A LOG_B [metrics=a,b]")
    wanted, plugin = options.get("metrics", []), ",".join(options.get("plugin", []))
    warned: list[str] = []
    tell = warn_once(warned, warn)
    study = one_study(log_studies.load(log_studies.logs_of(logs), tell), plugin)
    metrics = named_metrics(study.benchmark, wanted)
    if len(study.series) < 2:
        names = ", ".join(series.label for series in study.series)
        raise SpecError(
            f"only one series of answers is in these logs ({names}): name logs of two models, or of two runs"
        )
    _check_alike(study)
    for line in study.warnings:  # they may say why there is nothing to compare
        tell(line)
    pairs = _pairs(study, tell)
    for line in _warnings(study, pairs):
        tell(line)
    results = [comparison(study.benchmark, pair, metrics, bool(wanted)) for pair in pairs]
    rows = [row for pair in results for row in pair["metrics"]]
    chances = statistics_tests.holm([math.nan if row["p"] is None else row["p"] for row in rows])
    for row, p in zip(rows, chances, strict=True):
        row["p_holm"] = numbers.six_digits(p)
        row["verdict"] = _verdict(row, study.benchmark.headline)
    return {
        "plugin": study.benchmark.name,
        "headline": study.benchmark.headline,
        "level": statistics.LEVEL,
        "series": [_series(study, series) for series in study.series],
        "comparisons": sum(row["p"] is not None for row in rows),
        "pairs": results,
        "warnings": warned,
    }


def warn_once(warned: list[str], warn: Callable[[str], object]) -> Callable[[str], None]:
    """Return a function that notes a warning in ``warned`` and passes it on, each only once."""

    def tell(line: str) -> None:
        line = printable(line.removeprefix("warning: "), 600)
        if line not in warned:
            warned.append(line)
            warn(f"warning: {line}")

    return tell


def one_study(studies: Sequence[Study], plugin: str) -> Study:
    """Return the study of the plugin, or the only one if none is named; `SpecError` if there is no such one."""
    by_name = {study.benchmark.name: study for study in studies}
    if plugin in by_name:
        return by_name[plugin]
    names = ", ".join(by_name)
    if plugin:
        raise SpecError(f"no log here is of plugin={printable(plugin)[:80]}: they are of {names}")
    if len(studies) != 1:
        raise SpecError(
            f"these logs are of {len(studies)} plugins ({names}): say which one with plugin={next(iter(by_name))}"
        )
    return studies[0]


def named_metrics(benchmark: Benchmark, wanted: Sequence[str]) -> list[Metric]:
    """Return the metrics named, or all of a benchmark's with the headline first; SpecError for an unknown one."""
    names = wanted or [benchmark.headline, *(metric.name for metric in benchmark.metrics)]
    return [numbers.metric_of(benchmark, name) for name in dict.fromkeys(names)]


def _check_alike(study: Study) -> None:
    """Refuse several conventions, and versions that differ before the first point: they measure different things."""
    conventions = sorted({series.asked["convention"] for series in study.series})
    if len(conventions) > 1:
        raise DatasetError(
            f"these logs are scored by different conventions ({', '.join(conventions)}): "
            "score them anew by one, harness score LOG convention=…"
        )
    versions = {
        word for log in study.logs for word in log.version.split(", ") if word[:1].isdigit()
    }
    if len({version.partition(".")[0] for version in versions}) > 1:
        raise DatasetError(
            f"these logs hold items of {study.benchmark.name} {' and '.join(sorted(versions))}, whose numbers do not "
            "compare: run one version with both models"
        )


def _pairs(study: Study, tell: Callable[[str], None]) -> list[Pair]:
    """Return all pairs that share items; DatasetError where none does."""
    overlapping, disjoint = [], []
    for a, b in combinations(study.series, 2):
        pair = on_common_items(a, b)
        if pair.first:
            overlapping.append(pair)
        else:
            disjoint.append(_why_apart(study, pair))
    if not overlapping:
        raise DatasetError(disjoint[0])
    for line in disjoint:
        tell(f"not compared: {line}")
    return overlapping


def _why_apart(study: Study, pair: Pair) -> str:
    """Return why two series have nothing to compare."""
    names = f"'{pair.a.label}' and '{pair.b.label}'"
    if pair.common:
        return f"{names} have {pair.common} items in common, and none is scored in both"
    ours, other = (_settings(study, series) for series in (pair.a, pair.b))
    keys = [key for key in {**ours, **other} if ours.get(key) != other.get(key)]
    if not keys:
        why = "the settings are the same, so seed, split or dataset differ"
    else:
        why = " / ".join(
            " ".join(f"{key}={settings.get(key, '–')}" for key in keys[:5])[:150]
            for settings in (ours, other)
        )
    return (
        f"{names} have no item in common ({why}): "
        "compare logs made with the same settings, seed and dataset"
    )


def _settings(study: Study, series: Series) -> dict[str, str]:
    """Return how the items of a series came about; several values of a key with commas between them."""
    values_of: dict[str, dict[str, None]] = defaultdict(dict)
    for log in (study.logs[at] for at in series.logs):
        for key, value in {"dataset": log.dataset or "", **log.config}.items():
            values_of[key][str(value)] = None
    return {key: ",".join(values) or "–" for key, values in values_of.items()}


def _warnings(study: Study, pairs: Sequence[Pair]) -> Iterator[str]:
    """Yield what a reader of the comparison has to know of the logs."""
    versions: dict[str, set[str]] = defaultdict(set)
    for log in study.logs:
        for name, version in log.versions.items():
            versions[name].add(version)
    for name, values in versions.items():
        if len(values) > 1 and name not in NO_VERSION:
            yield f"versions of {name} differ: {', '.join(sorted(values))}"
    for pair in pairs:
        yield from _pair_warnings(study, pair)
    yield from task_warnings(tasks_of(answer for pair in pairs for answer in pair.first))
    if any(pair.clustered for pair in pairs):
        yield "items share sources: intervals and tests are clustered, whole sources are resampled together"


def task_warnings(tasks: Iterable[object]) -> Iterator[str]:
    """Yield a warning if items of several tasks are taken together; ``tasks``: one per item, None for none."""
    counts = Counter("no task" if task is None else str(task) for task in tasks)
    if len(counts) > 1:
        shown = [f"{task[:40]} {count}" for task, count in sorted(counts.items())]
        more = ", …" if len(shown) > TASKS else ""
        yield f"items of {len(counts)} tasks are taken together ({', '.join(shown[:TASKS])}{more})"


def _pair_warnings(study: Study, pair: Pair) -> Iterator[str]:
    """Yield what is left out of a comparison, and a warning if neither model does better than the best shortcut."""
    names = f"{pair.a.label} and {pair.b.label}"
    sizes = len(pair.a.answers), len(pair.b.answers)
    if sizes != (pair.common, pair.common):
        yield f"{names}: {pair.common} items in common of {sizes[0]} and {sizes[1]}; only those are compared"
    left = pair.common - len(pair.first)
    if left > UNSCORED * pair.common:
        yield f"{names}: {left} of {pair.common} items are unscored in one or both, and left out"
    best = best_shortcut(study, [answer.id for answer in pair.first])
    if best is None or not (pair.a.of_model and pair.b.of_model):
        return
    metric = numbers.metric_of(study.benchmark, study.benchmark.headline)
    floor = stats.value_of(metric, list(best.rows.values()))
    scores = [numbers.value_of(metric, answers) for answers in (pair.first, pair.second)]
    if max(scores) <= floor:
        shown = " and ".join(f"{score:.3f}" for score in scores)
        yield (
            f"{names}: neither beats the best shortcut on the same items ({metric.name} "
            f"{shown}, {best.name} {floor:.3f}): their difference shows no difference in reasoning"
        )


def _series(study: Study, series: Series) -> dict[str, Any]:
    return {
        "label": series.label,
        "kind": series.kind,
        "model": series.model,
        "asked": dict(series.asked),
        "logs": [study.logs[at].path for at in series.logs],
        "n": len(series.answers),
        "unparsed": numbers.rounded(numbers.unparsed_share(series.answers)),
        "unscored": sum(not answer.counts for answer in series.answers),
    }


def _verdict(result: Mapping[str, Any], headline: str) -> str:
    """Return in words what was shown. Only of the headline is it known that more is better."""
    if len(result["hard_labels"]) == 1:
        return f"no comparison: {result['hard_labels'][0]} is from labels only, the other from probabilities"
    if result["p_holm"] is None:
        return "not defined for these items"
    if not result["p_holm"] < ALPHA or not result["difference"]:
        return "no difference shown"
    word = "better" if result["metric"] == headline else "higher"
    side, low, high = "B", result["ci_low"], result["ci_high"]
    if result["difference"] < 0:
        side, low, high = "A", *(None if end is None else -end for end in (high, low))
    inside = "no interval" if low is None else span(low, high)
    p = f"p = {chance(result['p_holm'])} after Holm".replace("= <", "<")
    return f"{side} is {word} by {abs(result['difference']):.3f} ({inside}), {p}"
