"""What cheap answers score on the items of a run: constant ones, random ones, and a benchmark's shortcuts."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import cache, partial
from random import Random
from statistics import NormalDist
from typing import Any, TypeAlias

from harness_errors import HarnessError

from harness.core.hookspecs import Benchmark, Metric, Row, Shortcut
from harness.core.items import Item
from harness.core.plugins import Plugin
from harness.run import judging, stats

SHORTCUT = "shortcut: "
"""Before the name of a shortcut among `Rows`; the other keys are constant answers."""

ABOVE = "above_shortcut"
"""The name of (score - best shortcut) / (1 - best shortcut) of the headline, see `above`."""

Rows: TypeAlias = Mapping[str, Sequence[Row]]
"""Cheap answers, really scored: of each constant answer and each shortcut a row per item."""


def rows_of(plugin: Plugin, items: Sequence[Item]) -> dict[str, list[Row]]:
    """Return what each constant answer of the items' tasks and each of their shortcuts scores on every item."""
    choices = (choice for item in items for choice in plugin.benchmark.choices_for(item.features))
    judges = [_judge(plugin, item) for item in items]
    rows = {
        choice: [judge(f"Answer: {choice}") for judge in judges]
        for choice in dict.fromkeys(choices)
    }
    for shortcut in plugin.shortcuts():
        if any(is_for(shortcut, item.features.get("task")) for item in items):
            rows[f"{SHORTCUT}{shortcut.name}"] = [
                _shortcut_row(plugin, shortcut, item, judge)
                for item, judge in zip(items, judges, strict=True)
            ]
    return rows


def _judge(plugin: Plugin, item: Item) -> Callable[[str], Row]:
    """Return what judges answers to an item, each text once: most shortcuts say what a constant answer is."""
    return cache(partial(judging.row, plugin, item))


def is_for(shortcut: Shortcut, task: object) -> bool:
    """Return whether a shortcut is for the items of a task."""
    return not shortcut.tasks or task in shortcut.tasks


def shortcut_row(plugin: Plugin, shortcut: Shortcut, item: Item) -> Row:
    """Return what a shortcut scores on an item: it sees neither the label nor what was noted with it.

    The row is ``unscored`` where the shortcut fails, or is for other tasks.
    """
    return _shortcut_row(plugin, shortcut, item, _judge(plugin, item))


def _shortcut_row(
    plugin: Plugin, shortcut: Shortcut, item: Item, judge: Callable[[str], Row]
) -> Row:
    if is_for(shortcut, item.features.get("task")):
        blind = replace(item, target="", certificate=None, notes={})
        rng = Random(f"{shortcut.name}|{item.id}")
        try:
            completion = plugin.call("shortcut", item=blind, name=shortcut.name, rng=rng)
            return judge(completion)
        except HarnessError:
            pass
    return Row(item.target, None, "unscored", {}, item.features)


def facts(benchmark: Benchmark, rows: Rows, published: bool = False) -> dict[str, Any]:
    """Return ``floors`` and ``best_shortcut`` as a run's log holds them, from `rows_of`.

    ``majority`` is the best constant answer by the headline; ``constant`` the first of each item's choices;
    ``random`` what answers drawn from the choices score. Where the benchmark has shortcuts: ``shortcut: NAME`` is
    each of them, on the items that it is for, and ``shortcut`` the best cheap answer of each task by the headline,
    which may be a constant one; ``best_shortcut`` names it. ``published``: of the paper's own convention, too. What
    is not defined is left out.
    """
    metrics = (*benchmark.metrics, *(benchmark.published if published else ()))
    constant = {key: column for key, column in rows.items() if not key.startswith(SHORTCUT)}
    numbers = stats.floors(benchmark, constant, published)
    named = {}
    if len(constant) < len(rows):
        cheap = [
            dict(zip(rows, column, strict=True)) for column in zip(*rows.values(), strict=True)
        ]
        best = best_by_task(benchmark, cheap)
        named = {"best_shortcut": best_name(best)}
        columns = {key: column for key, column in rows.items() if key not in constant}
        columns["shortcut"] = [chosen(answers, best) for answers in cheap]
        for kind, column in columns.items():
            numbers[kind] = {m.name: stats.value_of(m, column) for m in metrics}
    floors = {
        kind: {name: round(value, 6) for name, value in values.items() if math.isfinite(value)}
        for kind, values in numbers.items()
    }
    return {"floors": floors, **named}


def best_by_task(benchmark: Benchmark, items: Sequence[Mapping[str, Row]]) -> dict[str, str]:
    """Return the key of the best cheap answer of each task by the headline (of equals the first).

    ``items``: of each the row of every cheap answer, by its key.
    """
    tasks: dict[str, list[Mapping[str, Row]]] = {}
    for cheap in items:
        tasks.setdefault(_task(cheap), []).append(cheap)
    best = {}
    for task, members in sorted(tasks.items()):
        keys = shared_keys(members)
        scores = {
            key: stats.value_of(benchmark.headline_metric, [cheap[key] for cheap in members])
            for key in keys
        }
        best[task] = max(scores, key=lambda key: (math.isfinite(scores[key]), scores[key]))
    return best


def shared_keys(items: Sequence[Mapping[str, Row]]) -> list[str]:
    """Return the cheap answers that all of some items have, constant ones first."""
    keys = set.intersection(*(set(cheap) for cheap in items))
    return sorted(keys, key=lambda key: (key.startswith(SHORTCUT), key))


def chosen(cheap: Mapping[str, Row], best: Mapping[str, str]) -> Row:
    """Return an item's row of the best cheap answer of its task."""
    return cheap[best[_task(cheap)]]


def _task(cheap: Mapping[str, Row]) -> str:
    return str(next(iter(cheap.values())).features.get("task", ""))


def best_name(best: Mapping[str, str]) -> str:
    """Return the best cheap answers in words, ``one_walk`` or ``always True``, with their tasks where they differ."""
    names = {
        task: key.removeprefix(SHORTCUT) if key.startswith(SHORTCUT) else f"always {key}"
        for task, key in best.items()
    }
    if len(set(names.values())) == 1:
        return next(iter(names.values()))
    return ", ".join(f"{name} ({task})" for task, name in names.items())


def above_best(
    benchmark: Benchmark, items: Sequence[tuple[Sequence[Row], Mapping[str, Row]]]
) -> dict[str, float]:
    """Return `above` the best cheap answer, from each item's rows and those of its cheap answers; {} without any."""
    cheap = [answers for _, answers in items]
    if not all(any(key.startswith(SHORTCUT) for key in answers) for answers in cheap):
        return {}
    best = best_by_task(benchmark, cheap)
    return above(benchmark, [(rows, chosen(answers, best)) for rows, answers in items])


def above(benchmark: Benchmark, items: Sequence[tuple[Sequence[Row], Row]]) -> dict[str, float]:
    """Return the headline above the best shortcut with its interval, as `stats.bootstrap` does.

    ``items``: of each the rows of its answers, and that of the shortcut. The value is (score - floor) / (1 - floor):
    0 where a model does no better than the shortcut, 1 where it is perfect; nan where the shortcut is perfect.
    """
    headline = benchmark.headline_metric
    kept = [
        (counted, row)
        for rows, row in items
        if row.outcome != "unscored" and (counted := stats.counted(rows))
    ]
    if headline.compute is None:
        parts = [part for part in above_parts(headline, kept) if math.isfinite(part)]
        numbers = stats.bootstrap_mean(parts)
        if len(set(parts)) == 1:
            floor = stats.value_of(headline, [row for _, row in kept])
            square = NormalDist().inv_cdf(0.975) ** 2
            ends = alike_ends(parts[0], floor, square / (len(parts) + square))
            numbers |= dict(zip(("lower", "upper"), ends, strict=True))
        return numbers
    if not kept:
        return stats.bootstrap_mean(())
    return stats.bootstrap_of(
        lambda units: _ratio(headline, units), sorted(kept, key=lambda pair: stats.order(pair[0]))
    )


def alike_ends(value: float, floor: float, unseen: float) -> tuple[float, float]:
    """Return the ends of a score above a shortcut where all `above_parts` are alike, as of a model that is perfect.

    ``unseen``: the share of items that may differ though none was seen, the upper end of Wilson's interval of 0 of n.
    """
    reach = unseen / (1 - floor)
    return value - reach, min(1.0, value + reach)


def above_parts(headline: Metric, items: Sequence[tuple[Sequence[Row], Row]]) -> list[float]:
    """Return a number for each item, nan where it has none: their mean is the score above the shortcut, see `above`.

    Their spread is that of the ratio, linearised (Taylor). For a headline that is a mean.
    """
    numbers = (
        (stats.numbers_of(headline, rows), stats.numbers_of(headline, [row])) for rows, row in items
    )
    pairs = [
        (stats.mean_of(scores), floor[0]) if scores and floor else None for scores, floor in numbers
    ]
    known = [pair for pair in pairs if pair]
    score, floor = (
        (stats.mean_of(column) for column in zip(*known, strict=True)) if known else (0, 1)
    )
    if floor >= 1:
        return [math.nan] * len(items)
    value = (score - floor) / (1 - floor)
    return [
        value + (pair[0] - pair[1] - value * (1 - pair[1])) / (1 - floor) if pair else math.nan
        for pair in pairs
    ]


def _ratio(headline: Metric, items: Sequence[tuple[Sequence[Row], Row]]) -> float:
    score = stats.value_of(headline, [row for rows, _ in items for row in rows])
    floor = stats.value_of(headline, [row for _, row in items])
    return (score - floor) / (1 - floor) if floor < 1 else math.nan
