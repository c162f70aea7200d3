"""What tells the items of one log from those of another: the keys of the run and the published file they are from.

Answers to items of different kinds have no number in common. They are pooled only where the report keeps the kinds
apart again: over keys that are features of every item and that a table splits by (a sweep over `operators`).
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import PurePath
from typing import Any

from harness.core.facts import printable
from harness.core.hookspecs import Benchmark
from harness.report.model import LogFacts
from harness.rerun.log_rows import Sheet

DATASET = "dataset"
GENERATED = "none"
_WORD = 60  # characters of a value in a label


@dataclass(slots=True)
class _File:
    """A published file: the names that logs know it by, its items, the logs of it."""

    paths: set[str]
    ids: set[str]
    logs: list[int] = field(default_factory=list)


def settings(
    benchmark: Benchmark, facts: Sequence[LogFacts], sheets: Sequence[Sheet]
) -> list[dict[str, str]]:
    """Return for each log what tells its items from others', as words: ``dataset`` and keys of its configuration.

    Logs whose words are the same can be one series. Left out are keys over which logs may be pooled; `DATASET` is
    one word for several published files where such a key has one value in each of them, and no two files agree in
    all of these.
    """
    words: list[dict[str, str]] = [{} for _ in facts]
    for published in (False, True):
        places = [at for at, log in enumerate(facts) if bool(log.dataset) == published]
        pooled = _pooled(benchmark, [sheets[at] for at in places])
        files = _files(facts, sheets, places, pooled) if published else {}
        for at in places:
            config = facts[at].config
            words[at] = {DATASET: files.get(at, GENERATED)} | {
                key: said(config[key]) for key in sorted(config) if key not in pooled
            }
    return words


def differing(ways: Sequence[Mapping[str, str]]) -> list[str]:
    """Return the keys by which settings differ, `DATASET` first; those of other files are not compared."""
    files: dict[str, list[Mapping[str, str]]] = {}
    for way in ways:
        files.setdefault(way[DATASET], []).append(way)
    keys = sorted({key for way in ways for key in way} - {DATASET})
    keys_apart = [
        key
        for key in keys
        if any(len({way.get(key) for way in group}) > 1 for group in files.values())
    ]
    return [DATASET, *keys_apart] if len(files) > 1 else keys_apart


def said(value: Any) -> str:
    """Return a value of a configuration as it is written on the command line, and equal values alike."""
    if isinstance(value, str):
        return value
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False, default=str)


def shown(value: str) -> str:
    """Return a setting as a label has room for it."""
    return printable(value, _WORD)


def _pooled(benchmark: Benchmark, sheets: Iterable[Sheet]) -> set[str]:
    """Return the features that tables split by and that every item of these logs has."""
    views = [view for view in benchmark.views if view.kind in ("split", "pairs")]
    features = {
        "task",  # every report has its results per task
        *benchmark.groups,
        *benchmark.tags,
        *(key for view in views for key in view.features),
        *(key for view in views for key in view.where),
    }
    for sheet in sheets:
        for judged in sheet.judged.values():
            if not features <= judged.row.features.keys():
                features &= judged.row.features.keys()
    return features


def _files(
    facts: Sequence[LogFacts],
    sheets: Sequence[Sheet],
    places: Sequence[int],
    pooled: Collection[str],
) -> dict[int, str]:
    """Return by log what its published file is called; all files one name where the pooled keys tell them apart."""
    files: list[_File] = []
    for at in places:
        now = _File({str(facts[at].dataset)}, set(sheets[at].judged), [at])
        for file in [file for file in files if not _apart(file, now)]:
            files.remove(file)
            now = _File(now.paths | file.paths, now.ids | file.ids, [*file.logs, *now.logs])
        files.append(now)
    files.sort(key=lambda file: min(file.paths))
    short = [PurePath(min(file.paths)).name for file in files]
    names = [
        min(file.paths) if short.count(name) > 1 else name
        for file, name in zip(files, short, strict=True)
    ]
    values = [_constant(file, sheets, pooled) for file in files]
    if len(files) > 1 and all(
        any(constants[key] != other[key] for key in constants.keys() & other.keys())
        for at, constants in enumerate(values)
        for other in values[:at]
    ):
        names = [f"{names[0]} and {len(names) - 1} more"] * len(names)
    return {at: name for file, name in zip(files, names, strict=True) for at in file.logs}


def _apart(file: _File, other: _File) -> bool:
    return file.paths.isdisjoint(other.paths) and file.ids.isdisjoint(other.ids)


def _constant(file: _File, sheets: Sequence[Sheet], pooled: Collection[str]) -> dict[str, Any]:
    """Return the pooled features that have one value in a file, and that value."""
    values_of: dict[str, set[Any]] = {key: set() for key in pooled}
    for at in file.logs:
        for judged in sheets[at].judged.values():
            for key, values in values_of.items():
                if len(values) < 2:
                    values.add(judged.row.features[key])
    return {key: next(iter(values)) for key, values in values_of.items() if len(values) == 1}
