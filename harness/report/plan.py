"""The command ``harness plan``: how many items it takes to see a difference."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from harness_errors import SpecError
from scipy import stats as scipy_stats

from harness.cli.command import given, one_spec
from harness.core.hookspecs import Benchmark, Metric
from harness.core.plugins import Plugin, registry
from harness.core.spec import Spec
from harness.core.words import parse
from harness.report import log_studies, numbers, plan_known, power, statistics
from harness.report.compare import named_metrics, one_study, task_warnings, warn_once
from harness.report.model import Study
from harness.report.plan_known import Known, from_items, from_pilot, models
from harness.report.statistics_sources import share_sources

KEYS = ("d", "power", "alpha", "metrics", "pilot", "calls", "within")
ITEMS = ("n", "seed", "split", "unique", "dataset", "format")
LEAST = 1e-12  # alpha; below, the tails of the distributions are no longer found
SAMPLE = 200  # items the floor is measured on, where ``n`` is not given
BLIND = {
    "majority": "the best constant answer",
    "constant": "the first constant answer",
    "random": "random answers",
    "shortcut": "the best shortcut",
}
NO_MODELS = (
    "the pilot holds answers of baselines or of the symbolic reference only: they are no pilot for language models, "
    "whose answers spread and differ in other ways"
)
AGAINST_FLOOR, PAIRED = "one model above the floor", "two models on the same items"


@dataclass(frozen=True, slots=True)
class Aim:
    """The difference to be seen: ``d``, with probability ``power``, by a two-sided test at ``alpha``."""

    d: float
    power: float
    alpha: float


def plan(words: Sequence[str], warn: Callable[[str], object]) -> dict[str, Any]:
    """Return how many items it takes to see the difference that the words name (see docs/comparing.md).

    Raises `SpecError`: a key, a number, a metric that does not fit; a sweep; a difference that cannot be;
    `DatasetError`: a pilot or a dataset that cannot be read.
    """
    own_words = [word for word in words if word.partition("=")[0] in KEYS]
    rest = [word for word in words if word not in own_words]  # say which items are meant
    raw: dict[str, list[str]] = {key: [] for key in KEYS} | parse(own_words)
    aim = Aim(
        _number(raw, "d", None, 0, 1),
        _number(raw, "power", 0.8, 0.5, 0.999),
        _number(raw, "alpha", 0.05, LEAST, 0.5),
    )
    calls, share = _calls(raw), _number(raw, "within", plan_known.WITHIN, 0, 1)
    warned: list[str] = []
    tell = warn_once(warned, warn)
    study = _pilot(raw["pilot"], rest, tell) if raw["pilot"] else None
    if study and "plugin" not in given(rest):
        rest = [f"plugin={study.benchmark.name}", *rest]
    spec, plugin = _spec(rest)
    metric = _metric(plugin.benchmark, raw["metrics"])
    if study:
        _check_pilot(study, spec, rest, tell)
        known = from_pilot(study, metric)
        if not models(study):
            tell(NO_MODELS)
    else:
        known = from_items(plugin, spec, metric)
    for line in task_warnings(known.tasks):
        tell(line)
    _check_room(known, aim)
    if plan_known.is_known(known):
        if raw["within"]:
            raise SpecError(
                "'within' has no effect: the pilot has several answers to an item and tells"
            )
        if calls is None and known.series:
            calls = len(known.series.values) * known.series.repeats
    return {
        "plugin": spec.plugin,
        "metric": metric.name,
        "d": aim.d,
        "power": aim.power,
        "alpha": aim.alpha,
        "config": None if study else spec.shown,
        "dataset": None if study else spec.dataset,
        "pilot": [log.path for log in study.logs] if study else None,
        "floor": None
        if known.floor is None
        else {"kind": known.kind, "value": numbers.rounded(known.floor), "n": known.n},
        "rows": list(_rows(known, aim)),
        "calls": calls,
        "designs": plan_known.rows(known, calls, aim.d, aim.alpha, share) if calls else None,
        "assumptions": [
            *_assumptions(known, aim, plugin.benchmark),
            *(plan_known.assumptions(known, aim.d, share) if calls else ()),
        ],
        "warnings": warned,
    }


def _number(
    raw: Mapping[str, list[str]], key: str, default: float | None, low: float, high: float
) -> float:
    """Return the number of a key, which lies between ``low`` and ``high``, both left out."""
    fits = f"expected one number between {low:g} and {high:g}"
    if not raw[key]:
        if default is None:
            raise SpecError(
                f"{key}=… is missing: the difference that shall be seen, such as {key}=0.05"
            )
        return default
    text = ",".join(raw[key])
    try:
        value = float(text)
    except ValueError:
        raise SpecError(f"{key}={text[:40]}: {fits}") from None
    if not low < value < high:
        raise SpecError(f"{key}={text[:40]}: {fits}, both left out")
    return value


def _calls(raw: Mapping[str, list[str]]) -> int | None:
    """Return the number of answers asked for, that designs are held against each other for; None: none is."""
    text = ",".join(raw["calls"])
    if not text:
        return None
    least = plan_known.LEAST
    if not (text.isascii() and text.isdecimal() and least <= int(text[:9]) <= power.BOUND):
        fits = f"expected one whole number from {least} to {power.BOUND:,}"
        raise SpecError(f"calls={text[:40]}: {fits}")
    return int(text)


def _pilot(logs: Sequence[str], words: Sequence[str], tell: Callable[[str], None]) -> Study:
    """Return what the pilot's logs say of the plugin that the words name; of the only one where they name none."""
    named = next((word.removeprefix("plugin=") for word in words if word.startswith("plugin=")), "")
    if named:
        registry().get(named)  # a word that is no plugin's name is said before any log is read
    return one_study(log_studies.load(log_studies.logs_of(logs), tell), named)


def _spec(words: Sequence[str]) -> tuple[Spec, Plugin]:
    """Return the one setting that the words describe, with a small ``n`` unless they say which, and its plugin."""
    spec, plugin = one_spec(words, "plan", KEYS)
    if not spec.dataset and "n" not in given(words):
        room = plugin.call("capacity", config=dict(spec.config))
        n = SAMPLE if room is None else max(1, min(SAMPLE, room))
        spec = replace(spec, options={**spec.options, "n": n})
    return spec, plugin


def _check_room(known: Known, aim: Aim) -> None:
    """Refuse a difference that the floor leaves no room for."""
    unit = known.share or (known.series is not None and float(known.series.values.max()) <= 1)
    if known.floor is not None and unit and known.floor + aim.d > 1 + 1e-12:
        most = f"so d can be {1 - known.floor:.3f} at most"
        floor = f"the {known.kind} floor is {known.floor:.3f} already"
        raise SpecError(f"d={aim.d:g}: {floor}, {most}")


def _metric(benchmark: Benchmark, names: Sequence[str]) -> Metric:
    if len(names) > 1:
        raise SpecError(f"metrics={','.join(names)[:80]}: one metric is planned for at a time")
    metric = named_metrics(benchmark, names)[0]
    if metric.compute is not None:
        raise SpecError(
            f"metrics={metric.name}: it is no mean over items, and no number of items follows from it; "
            f"plan for metrics={benchmark.headline}"
        )
    return metric


def _check_pilot(
    study: Study, spec: Spec, words: Sequence[str], tell: Callable[[str], None]
) -> None:
    """Refuse keys that would make items; warn of settings that are not the pilot's."""
    keys = given(words)
    for key in ITEMS:
        if key in keys:
            raise SpecError(f"'{key}' has no effect with a pilot: its items are taken")
    for line in study.warnings:
        tell(line)
    for key in sorted(keys & set(spec.config)):
        values = sorted({str(log.config[key]) for log in study.logs if key in log.config})
        if values and values != [str(spec.config[key])]:
            made = f"the pilot was made with {key}={','.join(values)}, not {key}={spec.config[key]}"
            tell(f"{made}: the plan is for items as the pilot's")


def _rows(known: Known, aim: Aim) -> Iterator[dict[str, Any]]:
    """Yield a row per question and case of it: how many items it takes, and how wide the interval is then."""
    if known.share:
        if known.floor is not None:
            yield _floor_row(known, known.floor, aim)
        spread = known.pair or known.series
        for case, discordant in _discordant(known, aim):
            sd = math.sqrt(max(0.0, discordant - aim.d**2))
            seen = power.items_paired(discordant, aim.d, aim.power, aim.alpha)
            row = _spread_row(PAIRED, case, sd, spread.effect if spread else 1.0, aim, seen)
            yield row | {"discordant": numbers.rounded(discordant), "sd": None}
        return
    series, pair = known.series, known.pair
    if series is None:
        raise ValueError("a metric that is no share needs a pilot")
    if series.sd:
        of = f" of the mean of {series.repeats} answers" * (series.repeats > 1)
        case = f"standard deviation {series.sd:.3f}{of}"
        yield _spread_row(AGAINST_FLOOR, case, series.sd, series.effect, aim)
    if pair is not None and pair.sd:
        case = f"as the pilot's: their difference has standard deviation {pair.sd:.3f}"
        yield _spread_row(PAIRED, case, pair.sd, pair.effect, aim)
    elif series.sd:
        sd = math.sqrt(2) * series.sd
        case = f"independent answers: their difference has standard deviation {sd:.3f}"
        yield _spread_row(PAIRED, case, sd, series.effect, aim)


def _floor_row(known: Known, floor: float, aim: Aim) -> dict[str, Any]:
    effect = known.series.effect if known.series else 1.0
    share = min(1.0, floor + aim.d)
    seen = power.items_against(floor, aim.d, aim.power, aim.alpha)
    case = f"{known.kind} floor {floor:.3f}, the model at {share:.3f}"
    row = _row(AGAINST_FLOOR, case, seen, power.items_width(aim.d, share), effect)
    interval = statistics.wilson(share * row["n"] / effect, row["n"] / effect)
    return row | {"half_width": numbers.rounded((interval.high - interval.low) / 2)}


def _discordant(known: Known, aim: Aim) -> Iterator[tuple[str, float]]:
    """Yield how large a share of the items exactly one of two models may get right; never less than d."""
    if known.pair is not None:
        interval = statistics.mean(known.pair.values**2, known.pair.sources)
        high = interval.high if math.isfinite(interval.high) else 1.0
        yield "as in the pilot", max(interval.value, aim.d)
        yield "upper limit of the pilot's", max(high, aim.d)
        return
    share = float(known.series.values.mean()) if known.series else known.floor
    if share is not None:
        other = share + aim.d if share + aim.d <= 1 else share - aim.d
        both = share * (1 - other) + other * (1 - share)
        yield f"independent errors, models at {share:.3f} and {other:.3f}", max(both, aim.d)
    yield "independent errors, worst case: models around 0.500", (1 + aim.d**2) / 2
    yield "best case: the better one is right wherever the other is", aim.d


def _spread_row(
    question: str, case: str, sd: float, effect: float, aim: Aim, seen: int | None = None
) -> dict[str, Any]:
    """Return the row of numbers with a standard deviation; ``seen``: as in `_row`, if a t test does not say it."""
    if seen is None:
        seen = power.items_mean(sd, aim.d, aim.power, aim.alpha)
    row = _row(question, case, seen, power.items_width_mean(aim.d, sd) if sd > 0 else 1, effect)
    half = power.half_width(sd, row["n"], effect)
    return row | {"half_width": numbers.rounded(half), "sd": numbers.rounded(sd)}


def _row(question: str, case: str, seen: int, narrow: int, effect: float) -> dict[str, Any]:
    """Return a row but for its half width: ``seen`` items show the difference, ``narrow`` make the interval so."""
    return {
        "question": question,
        "case": case,
        "n": math.ceil(max(seen, narrow) * effect),
        "half_width": None,
        "decided_by": "power" if seen >= narrow else "half width",
        "design_effect": numbers.rounded(effect),
        "discordant": None,
        "sd": None,
    }


def _assumptions(known: Known, aim: Aim, benchmark: Benchmark) -> Iterator[str]:
    """Yield what the numbers rest on, a sentence each."""
    yield (
        f"tests are two-sided at alpha = {aim.alpha:g}; with so many items a true difference of {aim.d:g} is seen "
        f"with probability {aim.power:g} at least; for k comparisons at once plan with alpha = {aim.alpha:g} / k"
    )
    where = "items of the pilot" if known.series else "items made or read for this plan"
    if known.floor is None:
        yield "there are no constant answers to these items, so there is no floor to compare with"
    else:
        blind = BLIND[known.kind]
        counted = scipy_stats.binomtest(round(known.floor * known.n), known.n)
        sure = counted.proportion_ci(statistics.LEVEL)  # Clopper and Pearson's
        inside = f" (95 % interval {sure.low:.3f} – {sure.high:.3f})"
        inside = inside if known.share and known.kind != "random" else ""
        yield f"the floor is what {blind} scored on {known.n} {where}, and is taken as known exactly{inside}"
    if known.pair is not None:
        yield f"two models differ as {known.pair.label} did on {len(known.pair.values)} items of the pilot"
    else:
        start = f"as {known.series.label} in the pilot" if known.series else "at the floor"
        yield f"nothing is known of how two models' errors go together: one is {start}, errors independent"
    if known.share and not known.series:
        yield "every answer tried on these items scored 0 or 1"
    spreads = [spread for spread in (known.series, known.pair) if spread is not None]
    if any(share_sources(spread.sources) for spread in spreads):
        effects = " and ".join(f"{spread.effect:.2f}" for spread in spreads)
        yield f"items of the pilot share sources: the design effect ({effects}) is in the numbers of items"
    elif benchmark.sources and not spreads:
        names = ", ".join(benchmark.sources)
        yield f"items may share their {names}; it is supposed that they do not (a pilot would tell)"
    yield (
        f"half width: that of the 95 % interval with so many items, never above {aim.d:g}, even where fewer would do "
        "for the test (decided by half width); items without a score come on top"
    )
