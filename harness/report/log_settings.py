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
    found: list[dict[str, str]] = [{} for _ in facts]
    for published in (False, True):
        places = [at for at, one in enumerate(facts) if bool(one.dataset) == published]
        pooled = _pooled(benchmark, [sheets[at] for at in places])
        files = _files(facts, sheets, places, pooled) if published else {}
        for at in places:
            own = facts[at].config
            found[at] = {DATASET: files.get(at, GENERATED)} | {
                key: said(own[key]) for key in sorted(own) if key not in pooled
            }
    return found


def differing(ways: Sequence[Mapping[str, str]]) -> list[str]:
    """Return the keys by which settings differ, `DATASET` first; those of other files are not compared."""
    files: dict[str, list[Mapping[str, str]]] = {}
    for one in ways:
        files.setdefault(one[DATASET], []).append(one)
    keys = sorted({key for one in ways for key in one} - {DATASET})
    found = [
        key for key in keys if any(len({one.get(key) for one in own}) > 1 for own in files.values())
    ]
    return [DATASET, *found] if len(files) > 1 else found


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
    found = {
        "task",  # every report has its results per task
        *benchmark.groups,
        *benchmark.tags,
        *(key for view in views for key in view.features),
        *(key for view in views for key in view.where),
    }
    for sheet in sheets:
        for one in sheet.judged.values():
            if not found <= one.row.features.keys():
                found &= one.row.features.keys()
    return found


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
        for one in [one for one in files if not _apart(one, now)]:
            files.remove(one)
            now = _File(now.paths | one.paths, now.ids | one.ids, [*one.logs, *now.logs])
        files.append(now)
    files.sort(key=lambda one: min(one.paths))
    short = [PurePath(min(one.paths)).name for one in files]
    names = [
        min(one.paths) if short.count(own) > 1 else own
        for one, own in zip(files, short, strict=True)
    ]
    values = [_constant(one, sheets, pooled) for one in files]
    if len(files) > 1 and all(
        any(own[key] != other[key] for key in own.keys() & other.keys())
        for at, own in enumerate(values)
        for other in values[:at]
    ):
        names = [f"{names[0]} and {len(names) - 1} more"] * len(names)
    return {at: name for one, name in zip(files, names, strict=True) for at in one.logs}


def _apart(one: _File, other: _File) -> bool:
    return one.paths.isdisjoint(other.paths) and one.ids.isdisjoint(other.ids)


def _constant(file: _File, sheets: Sequence[Sheet], pooled: Collection[str]) -> dict[str, Any]:
    """Return the pooled features that have one value in a file, and that value."""
    found: dict[str, set[Any]] = {key: set() for key in pooled}
    for at in file.logs:
        for one in sheets[at].judged.values():
            for key, values in found.items():
                if len(values) < 2:
                    values.add(one.row.features[key])
    return {key: next(iter(values)) for key, values in found.items() if len(values) == 1}
