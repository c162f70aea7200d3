"""What the logs of a folder say of runs: whose each is by its mark, what is finished in it, and whether it is whole.

No clock decides anything: a log is known by its mark, a digest of all that decides what is asked and how an answer
is judged, and a changed one by its file's stamp.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from harness_errors import DatasetError
from inspect_ai.model import ModelUsage

from harness.core.feature_hooks import Warn
from harness.core.items import digest
from harness.rerun import log_samples, logs
from harness.rerun.log_samples import Raw

MARK = "resume"  # the key of a log's metadata


@dataclass(frozen=True, slots=True)
class Run:
    """What tells one run from others: its task and arguments, its model, and a digest over everything."""

    task: str
    params: Mapping[str, Any]
    model: str
    ids: str
    digest: str


@dataclass(frozen=True, slots=True)
class RunLog:
    """The facts of one log that matter here, known from its beginning; ``run`` and ``digest`` are its mark."""

    path: Path
    stamp: tuple[int, int, int]
    run: str
    digest: str
    ids: str
    known: tuple[str, str, str]

    def is_of(self, run: Run) -> bool:
        """Return whether this is a log of exactly this run."""
        return (self.digest, self.ids) == (run.digest, run.ids)

    @property
    def status(self) -> str:
        """Inspect's word for how the run ended, ``damaged`` where it cannot be read."""
        return _state(self.path, self.stamp)[0]

    @property
    def whole(self) -> bool:
        """Whether the run has ended and every sample has an answer."""
        return _state(self.path, self.stamp)[1]


def plain(value: Any) -> Any:
    """Return a value as it comes back from a log."""
    return json.loads(json.dumps(value, default=str))


@lru_cache(maxsize=1000)
def _state(path: Path, stamp: tuple[int, int, int]) -> tuple[str, bool]:
    """Return a log's status, and whether every sample has an answer: else asking again is asking for the rest."""
    try:
        log = logs.header(path)
    except DatasetError:
        return "damaged", False
    results = log.results
    counted = results is not None and results.completed_samples == results.total_samples
    return log.status, log.status == "success" and counted


def in_folder(folder: Path, warn: Warn = lambda line: None) -> list[RunLog]:
    """Return the logs of runs in a folder, by name; damaged ones are told of once and passed over."""
    logs_found = []
    for path in sorted(folder.glob("*.eval")):
        if path.name.startswith("."):
            continue
        try:
            facts = path.stat()
        except OSError:  # gone since
            continue
        log = _look(path, (facts.st_ino, facts.st_mtime_ns, facts.st_size))
        if isinstance(log, RunLog):
            logs_found.append(log)
        elif log and (path, log) not in _damaged:
            _damaged.add((path, log))
            warn(f"warning: {log}; it is passed over")
    return logs_found


_damaged: set[tuple[Path, str]] = set()  # damaged logs that were told of


# A sweep looks at the same logs again and again; the stamp tells a changed one.
@lru_cache(maxsize=100_000)
def _look(path: Path, stamp: tuple[int, int, int]) -> RunLog | str | None:
    """Return the facts of a log; what is wrong with it; or None where it is none of these runs'."""
    try:
        spec = logs.beginning(path)
    except DatasetError as error:
        return str(error)
    facts = spec.metadata or {}
    mark = facts.get(MARK)
    named = (mark.get("run"), mark.get("digest")) if isinstance(mark, dict) else (None, None)
    # A log that was scored anew is no run.
    if "rescored" in facts or not all(isinstance(word, str) for word in named):
        return None
    run, content = map(str, named)
    if not run.isalnum():  # it becomes a file's name
        return None
    known = (spec.task_registry_name or "", digest(plain(spec.task_args)), spec.model)
    return RunLog(path, stamp, run, content, digest(spec.dataset.sample_ids or []), known)


def unfinished(logs_of_run: Iterable[RunLog]) -> list[RunLog]:
    """Return those of the logs that are of a run none of whose logs is whole."""
    logs_of_run = list(logs_of_run)
    over = {log.run for log in logs_of_run if log.whole}
    return [log for log in logs_of_run if log.run not in over]


def newest(folder: Path, name: str) -> Path | None:
    """Return the log that holds most of the run of a name, None where there is none yet."""
    paths = [log.path for log in in_folder(folder) if log.run == name]
    return max(paths, key=lambda path: (count_done(path), path.name), default=None)


def done_in(path: Path) -> list[Raw]:
    """Return the summaries of the samples of a log that are finished; raises `DatasetError`."""
    raws = log_samples.summaries(path)
    return [raw for raw in raws if raw.get("completed") and raw.get("error") is None]


def count_done(path: Path) -> int:
    """Return how many samples of a log are finished, -1 of one that cannot be read."""
    try:
        return len(done_in(path))
    except DatasetError:
        return -1


def tries(raws: Iterable[Raw]) -> set[tuple[str, int, str | None]]:
    """Return what names each try at each sample: id, epoch, and a mark of the try."""
    return {(str(raw["id"]), raw["epoch"], raw.get("uuid")) for raw in raws}


def usage(raws: Iterable[Raw]) -> dict[str, ModelUsage]:
    """Return by model what all of these samples used together."""
    parts = (raw.get("model_usage") or {} for raw in raws)
    return total_usage({k: ModelUsage.model_validate(v) for k, v in part.items()} for part in parts)


def total_usage(parts: Iterable[Mapping[str, ModelUsage]]) -> dict[str, ModelUsage]:
    """Return the sum of what was used, by model."""
    total: dict[str, ModelUsage] = {}
    for part in parts:
        for name, used in part.items():
            total[name] = total[name] + used if name in total else used
    return total
