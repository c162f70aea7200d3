"""What tells the items of one log from those of another: the keys of the run and the published file they are from.

Answers to items of different kinds have no number in common. They are pooled only where the report keeps the kinds
apart again: over keys that are features of every item and that a table splits by (a sweep over `operators`).
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from itertools import combinations
from pathlib import PurePath
from typing import Any

from scipy import cluster

from harness.core.hookspecs import Benchmark
from harness.report.log_facts import ReadLog

DATASET = "dataset"
GENERATED = "none"
WORD = 60  # characters of a value in a label


def settings(benchmark: Benchmark, logs: Sequence[ReadLog]) -> dict[int, dict[str, str]]:
    """Return, by each log's place, the settings that tell its items from those of other logs.

    Settings are words: ``dataset`` (the published file) and keys of the configuration. Logs whose words are the
    same can be one series. Left out are keys over which logs may be pooled; `DATASET` is one word for several
    published files where such a key has one value in each of them, and no two files agree in all of these.
    """
    words = {}
    for published in (False, True):
        members = [log for log in logs if bool(log.facts.dataset) == published]
        pooled = _pooled(benchmark, members)
        files = _files(members, pooled) if published else {}
        for log in members:
            words[log.place] = {DATASET: files.get(log.place, GENERATED)} | {
                key: _word(value)
                for key, value in sorted(log.facts.config.items())
                if key not in pooled
            }
    return words


def differing_keys(ways: Sequence[Mapping[str, str]]) -> list[str]:
    """Return the keys by which settings differ, `DATASET` first; those of other files are not compared."""
    files: dict[str, list[Mapping[str, str]]] = defaultdict(list)
    for way in ways:
        files[way[DATASET]].append(way)
    keys = sorted({key for way in ways for key in way} - {DATASET})
    unequal = [
        key
        for key in keys
        if any(len({way.get(key) for way in group}) > 1 for group in files.values())
    ]
    return [DATASET, *unequal] if len(files) > 1 else unequal


def _word(value: Any) -> str:
    """Return a value of a configuration as it is written on the command line; equal values read alike."""
    if isinstance(value, str):
        return value
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False, default=str)


def _pooled(benchmark: Benchmark, logs: Sequence[ReadLog]) -> set[str]:
    """Return the features that tables split by and that every item of these logs has."""
    views = [view for view in benchmark.views if view.kind in ("split", "pairs")]
    features = {
        "task",  # every report has its results per task
        *benchmark.groups,
        *benchmark.tags,
        *(key for view in views for key in view.features),
        *(key for view in views for key in view.where),
    }
    for log in logs:
        for judged in log.sheet.judged.values():
            if not features <= judged.row.features.keys():
                features &= judged.row.features.keys()
    return features


def _files(logs: Sequence[ReadLog], pooled: Collection[str]) -> dict[int, str]:
    """Return, by each log's place, the name of its file; one name for all files if pooled keys tell them apart.

    Logs that name one path, or have an item in common, are of one file.
    """
    by_place = {log.place: log for log in logs}
    same = cluster.hierarchy.DisjointSet(by_place)
    first: dict[tuple[str, str], int] = {}
    for log in logs:
        for key in (("path", _path(log)), *(("item", name) for name in log.ids)):
            same.merge(first.setdefault(key, log.place), log.place)
    files = [[by_place[place] for place in places] for places in same.subsets()]
    files.sort(key=lambda file: min(map(_path, file)))
    paths = [min(map(_path, file)) for file in files]
    short = [PurePath(path).name for path in paths]
    names = [
        path if short.count(name) > 1 else name for path, name in zip(paths, short, strict=True)
    ]
    constants = [_constants(file, pooled) for file in files]
    if len(files) > 1 and all(
        any(one_file[key] != other[key] for key in one_file.keys() & other.keys())
        for one_file, other in combinations(constants, 2)
    ):
        names = [f"{names[0]} and {len(names) - 1} more"] * len(names)
    return {log.place: name for file, name in zip(files, names, strict=True) for log in file}


def _path(log: ReadLog) -> str:
    return str(log.facts.dataset)


def _constants(file: Sequence[ReadLog], pooled: Collection[str]) -> dict[str, Any]:
    """Return the pooled features that have one value in a file, and that value."""
    values_of: dict[str, set[Any]] = {key: set() for key in pooled}
    for log in file:
        for judged in log.sheet.judged.values():
            for key, values in values_of.items():
                if len(values) < 2:  # more need not be held: a file may have a million items
                    values.add(judged.row.features[key])
    return {key: next(iter(values)) for key, values in values_of.items() if len(values) == 1}
