"""Which logs are one series: a model asked in one way about items of one kind, each item answered once."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from scipy import cluster

from harness.core.facts import printable
from harness.core.hookspecs import Benchmark
from harness.report.labels import apart, plain, told_apart, unique
from harness.report.log_facts import WORD, ReadLog, differing_keys, settings_of
from harness.report.model import ASKED, Answer, Kind, Series

# What a way of asking is called in a label where its value alone would not say what it is.
_NAMED = ("tools", "context", "structured", "gold", "wrappers")
_NONE = ("none", "no", "null", "")  # words of what there is not: they are no part of a label
_SETTING = re.compile(r"\w+=.*?(?= \w+=|$)")
_LABEL = 200
_KINDS: Mapping[str, Kind] = {
    "harness/reference": "reference",
    "harness/constant": "baseline",
    "harness/random": "baseline",
}


@dataclass(frozen=True, slots=True)
class _Way:
    """What the logs of a series have in common; ``again`` says which judgement of the same answers it is."""

    model: str
    asked: tuple[str, ...]
    settings: tuple[tuple[str, str], ...]
    again: str


def series(benchmark: Benchmark, logs: Sequence[ReadLog]) -> tuple[Series, ...]:
    """Return the series of one benchmark's logs, in the order in which their models and ways first come.

    Logs of a model that was asked in one way about items of one kind are one series as long as no item comes twice
    (a sweep); a log that has an item again begins the series' next run, in the order in which the logs were made,
    but for the retry of an earlier one, which goes on with it (`inspect eval-retry`): its answers count. A
    log of answers that another log holds too (the run, and the run judged anew) is never a run: it is a series of
    its own that says so.
    """
    again = _judged_before(logs)
    settings = settings_of(benchmark, logs)
    ways: dict[_Way, list[ReadLog]] = defaultdict(list)
    for log in logs:
        manner = tuple(log.facts.asked[key] for key in ASKED)
        kept = tuple(sorted(settings[log.place].items()))
        ways[_Way(log.facts.model, manner, kept, again[log.place][1])].append(log)
    keys = differing_keys([dict(way.settings) for way in ways])
    merged, numbers = _merged_sources(logs), _numbers(logs)
    names, unnamed = [], []
    for words, (way, members) in zip(_words(list(ways), keys), ways.items(), strict=True):
        runs = _runs(members)
        for run, end in zip(runs, told_apart([_facts_of(run) for run in runs]), strict=True):
            told = words | ({"run": printable(" · ".join(end), _LABEL)} if end else {})
            remark = f" ({way.again})" if way.again else ""
            names.append(" · ".join([way.model, *told.values()]) + remark)
            unnamed.append(
                Series(
                    label="",
                    kind=_KINDS.get(way.model, "recorded" if _recorded(way) else "model"),
                    model=way.model,
                    asked=run[0].facts.asked,
                    logs=tuple(log.place for log in run),
                    answers=_answers(run, merged, numbers),
                    settings={key: value for key, value in way.settings if key in keys},
                    again=any(again[log.place][0] for log in run),
                    words=told,
                )
            )
    names = unique(names, "{} [{}]")
    short = apart(names, _LABEL, plain)
    return tuple(
        replace(part, label=short[name]) for name, part in zip(names, unnamed, strict=True)
    )


def _judged_before(logs: Sequence[ReadLog]) -> dict[int, tuple[bool, str]]:
    """Return, by each log's place, whether an earlier log holds answers of it, and how its label says so.

    It need not say so where the two were judged by different conventions: the labels do. The run as it was judged
    first comes first, whatever the order of the logs.
    """

    def age(log: ReadLog) -> tuple[bool, str, int, str, int]:
        name = Path(log.facts.path).name
        return log.judged_anew, log.facts.created, len(name), name, log.place

    runs: dict[str, list[ReadLog]] = defaultdict(list)
    for log in sorted(logs, key=age):
        runs[log.run].append(log)
    marks = {}
    for members in runs.values():
        for count, log in enumerate(members):
            known = [other for other in members[:count] if not other.ids.isdisjoint(log.ids)]
            alike = [other for other in known if other.facts.asked == log.facts.asked]
            word = "judged anew" if log.judged_anew else "same run"
            number = f" {len(alike)}" if len(alike) > 1 else ""
            marks[log.place] = bool(known), f"{word}{number}" if alike else ""
    return marks


def _runs(logs: Sequence[ReadLog]) -> list[list[ReadLog]]:
    """Return the logs run by run: a run has no item twice, but for retries."""
    runs: list[tuple[list[ReadLog], set[str]]] = []
    for log in sorted(logs, key=lambda log: (log.facts.created, log.place)):
        for run, known in runs:
            # Inspect gives one task id to a log and to what goes on with its run.
            retried = log.spec.task_id and (log.spec.task_id, log.spec.model) in {
                (earlier.spec.task_id, earlier.spec.model) for earlier in run
            }
            if retried or known.isdisjoint(log.ids):
                run.append(log)
                known.update(log.ids)
                break
        else:
            runs.append(([log], set(log.ids)))
    return [run for run, _ in runs]


def _answers(
    run: Sequence[ReadLog], merged: Mapping[str, str], numbers: Mapping[int, Mapping[str, int]]
) -> tuple[Answer, ...]:
    answers: dict[str, Answer] = {}
    for log in run:  # a retry comes after what it retries
        for item_id, judged in log.sheet.judged.items():
            if item_id not in answers or judged.row.outcome != "unscored":
                source = judged.source or judged.family or item_id
                answers[item_id] = Answer(
                    judged.row,
                    item_id,
                    merged.get(source, source),
                    log.place,
                    judged.repeats,
                    numbers[log.place].get(item_id),
                )
    return tuple(sorted(answers.values(), key=lambda answer: answer.id))


def _merged_sources(logs: Sequence[ReadLog]) -> dict[str, str]:
    """Return what stands for each source that shares a family with another: the first of them by name.

    A family's forms are one problem, so they are never counted as independent, whatever else they share.
    """
    sources = cluster.hierarchy.DisjointSet()
    first: dict[str, str] = {}
    for log in logs:
        for judged in log.sheet.judged.values():
            if judged.source and judged.family:
                sources.add(judged.source)
                sources.merge(first.setdefault(judged.family, judged.source), judged.source)
    return {name: min(names) for names in sources.subsets() for name in names}


def _facts_of(run: Sequence[ReadLog]) -> tuple[str, ...]:
    args = [log.spec.task_args for log in run]
    seeds, splits = (
        ",".join(dict.fromkeys(str(values[key]) for values in args if values.get(key) is not None))
        for key in ("seed", "split")
    )
    created = run[0].facts.created.replace("T", " ")
    return (
        f"n {len({item for log in run for item in log.ids})}",
        f"seed {seeds}" if seeds else "",
        splits,
        f"version {run[0].facts.version}",
        *(created[:end] for end in (10, 16, 19)),
    )


def _words(ways: Sequence[_Way], keys: Sequence[str]) -> list[dict[str, str]]:
    """Return what of the asking and of the items differs between the ways, in words, but for what is "none"."""
    differing = [
        at
        for at, key in enumerate(ASKED)
        if len({way.asked[at] for way in ways if key != "strategy" or not _recorded(way)}) > 1
    ]
    shared = set.intersection(*(set(_given(way)) for way in ways)) if ways else set()
    values = {
        key: apart((dict(way.settings).get(key, "") for way in ways), WORD, plain) for key in keys
    }
    return [
        {ASKED[at]: text for at in differing if (text := _asked_text(way, at, shared))}
        | {
            key: f"{key}={values[key][value]}"
            for key in keys
            if (value := dict(way.settings).get(key, _NONE[0])) not in _NONE
        }
        for way in ways
    ]


def _asked_text(way: _Way, at: int, shared: Collection[str]) -> str:
    """Return how one thing was asked for, as a label says it; nothing where it was not."""
    key, text = ASKED[at], way.asked[at]
    if text in _NONE or (key == "strategy" and _recorded(way)):
        return ""  # of recorded answers it says "recorded" once more
    if key == "generation":
        return " ".join(setting for setting in _given(way) if setting not in shared)
    return f"{key}={text}" if key in _NAMED else text


def _recorded(way: _Way) -> bool:
    return way.model.startswith("recorded/")


def _given(way: _Way) -> list[str]:
    """Return the settings of a model that were given, each as ``key=value``."""
    return _SETTING.findall(way.asked[ASKED.index("generation")])


def _numbers(logs: Sequence[ReadLog]) -> dict[int, dict[str, int]]:
    """Return the number of each item by its id, by each log's place; nothing of a log that may lack earlier items.

    It is the item's place, from 0, among the generated items or the records of a dataset.
    """
    sizes = {
        (part["set"], part["number"]): len(log.spec.dataset.sample_ids or [])
        for log in logs
        if (part := _shard(log))
    }
    numbers_of_log = {}
    for log in logs:
        ids = [str(name) for name in log.spec.dataset.sample_ids or []]
        part = _shard(log)
        before = [(part["set"], number) for number in range(1, part["number"])] if part else []
        whole = all(key in sizes for key in before) and _from_the_start(log, len(ids))
        start = sum(sizes[key] for key in before) if whole else 0
        numbers_of_log[log.place] = (
            {name: at for at, name in enumerate(ids, start)} if whole else {}
        )
    return numbers_of_log


def _shard(log: ReadLog) -> Mapping[str, Any]:
    """Return which part of a run a log is: ``set`` and ``number``, from 1; empty if it is all of it."""
    part = (log.spec.metadata or {}).get("shards")
    if not isinstance(part, Mapping) or not isinstance(part.get("set"), str):
        return {}
    return part if type(part.get("number")) is int and 0 < part["number"] < 10**6 else {}


def _from_the_start(log: ReadLog, items: int) -> bool:
    """Say whether a log's samples are the first items, in order: none was left out, chosen or shuffled."""
    config = log.spec.config
    chosen = config.sample_shuffle or config.sample_id or isinstance(config.limit, list | tuple)
    pruned = (log.spec.metadata or {}).get("pruning")
    return not chosen and not pruned and log.responses.get("items", items) == items
