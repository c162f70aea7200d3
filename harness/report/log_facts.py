"""What one log says of its run: facts, judged answers, and the settings that tell its items from other logs'.

Answers to items of different kinds have no number in common. They are pooled only where the report keeps the kinds
apart again: over keys that are features of every item and that a table splits by (a sweep over `operators`).
"""

from __future__ import annotations

import hashlib
import json
from collections import defaultdict
from collections.abc import Collection, KeysView, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path, PurePath
from typing import Any

from harness_errors import DatasetError
from inspect_ai.log import EvalLog, EvalSpec
from scipy import cluster

from harness.core.facts import printable
from harness.core.hookspecs import Benchmark
from harness.report.model import LogFacts
from harness.rerun.log_rows import Reader, Sheet, is_vote, number
from harness.rerun.logs import shown
from harness.run import models


@dataclass(frozen=True, slots=True)
class ReadLog:
    """One log that has been read, before it is part of a series; ``place`` is its index in `Study.logs`."""

    place: int
    facts: LogFacts
    sheet: Sheet
    spec: EvalSpec

    @property
    def ids(self) -> KeysView[str]:
        """The ids of its items."""
        return self.sheet.judged.keys()

    @property
    def responses(self) -> Mapping[str, Any]:
        """What it says of the recorded answers that it judges; empty where a model was asked."""
        return _mapping((self.spec.metadata or {}).get("responses"))

    @property
    def run(self) -> str:
        """What is the same of logs that hold the same answers: recorded ones may be scored any number of times."""
        return f"{self.spec.model}\n{self.responses.get('sha256') or self.spec.eval_id}"

    @property
    def judged_anew(self) -> bool:
        """Whether the answers were judged once more after the run."""
        return "rescored" in (self.spec.metadata or {})


def read(reader: Reader, place: int, path: Path, log: EvalLog) -> ReadLog:
    """Return a log (``log``: its header) with its answers; `DatasetError`: unreadable, or without samples."""
    sheet = reader.read(path, log.eval.config)
    if not sheet.judged:
        raise DatasetError(f"{shown(path)}: the log holds no samples")
    return ReadLog(place, _facts(path, log, sheet), sheet, log.eval)


def _facts(path: Path, log: EvalLog, sheet: Sheet) -> LogFacts:
    spec = log.eval
    metadata = spec.metadata or {}
    rescored = _mapping(metadata.get("rescored"))
    args = spec.task_args if isinstance(spec.task_args, Mapping) else {}
    versions = _words(rescored.get("versions") or metadata.get("versions"))
    floors = {
        kind: {
            name: value
            for name, raw in _mapping(scores).items()
            if (value := number(raw)) is not None
        }
        for kind, scores in _mapping(metadata.get("floors")).items()
    }
    return LogFacts(
        path=str(path),
        plugin=str(metadata["plugin"]),
        version=", ".join(sorted(sheet.versions)) or str(spec.task_version),
        model=spec.model,
        created=str(spec.created),
        status=log.status,
        asked=_asked(spec, metadata, rescored.get("convention") or args.get("convention")),
        config=_mapping(metadata.get("config")),
        dataset=str(metadata["dataset"]) if metadata.get("dataset") else None,
        items_digest=str(metadata.get("items_digest", "")),
        n=spec.dataset.samples or len(sheet.judged),
        floors=floors,
        versions=versions,
        wrappers=_words(metadata.get("wrappers")),
        task_id=spec.task_id,
        usage=models.usage(log.stats.model_usage),
    )


def _asked(spec: EvalSpec, metadata: Mapping[str, Any], convention: Any) -> dict[str, str]:
    """Return how a model was asked, in words; ``none`` and ``no`` are words, too."""
    gold, context, forced = map(metadata.get, ("gold", "context", "tool_choice"))
    wrappers = sorted(_words(metadata.get("wrappers")).items())
    file = "none"
    if isinstance(context, Mapping):  # with the first digits of what it held: names are given twice
        digest = str(context.get("sha256", ""))[:6]
        file = Path(str(context.get("file", ""))).name + (f" ({digest})" if digest else "")
    return {
        "strategy": str(metadata.get("strategy") or "direct"),
        "tools": str(metadata.get("tools") or "none") + (f" ({forced})" if forced else ""),
        "context": file,
        "structured": "yes" if metadata.get("structured") else "no",
        "gold": ",".join(map(str, gold)) if isinstance(gold, list) and gold else "none",
        "generation": _generation(spec) or "none",
        "wrappers": ", ".join(f"{name} {version}" for name, version in wrappers) or "none",
        "convention": str(convention or "harness"),
    }


# What a run does with a model's answer, not how it is asked.
_ASIDE = {
    *("max_retries", "max_connections", "timeout", "attempt_timeout", "logprobs", "top_logprobs"),
    *("num_choices", "cache", "batch", "adaptive_connections"),
}


def _generation(spec: EvalSpec) -> str:
    """Return the settings of a model that were given, and how many samples and examples there were, as words."""
    settings = {**spec.model_generate_config.model_dump(exclude_none=True), **spec.model_args}
    epochs = spec.config.epochs or 1
    name = "samples" if is_vote(spec.config) else "epochs"
    settings |= {name: epochs} if epochs > 1 else {}
    settings |= {"shots": shots} if (shots := _mapping(spec.task_args).get("shots")) else {}
    words = (f"{key}={setting}" for key, setting in sorted(settings.items()) if key not in _ASIDE)
    text = " ".join(words)
    digest = hashlib.sha256(text.encode(errors="replace")).hexdigest()[:6]
    # What is cut off may be all that two ways of asking differ in.
    return printable(text, 200) + (f" ({digest})" if len(text) > 200 else "")


def _mapping(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}


def _words(value: Any) -> dict[str, str]:
    return {str(key): str(word) for key, word in _mapping(value).items()}


DATASET = "dataset"
GENERATED = "none"
WORD = 60  # characters of a value in a label


def settings_of(benchmark: Benchmark, logs: Sequence[ReadLog]) -> dict[int, dict[str, str]]:
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
