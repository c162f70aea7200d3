"""Logs → studies: which answers there are, who gave them, and which of them belong together.

Rows come from the samples' summaries, so that a log of any length is read in little memory; whole samples are read
for the few that a page shows (`contents`) and where a summary has cut what a row is made of.
"""

from __future__ import annotations

import hashlib
import os
import stat
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from harness_errors import DatasetError, PluginError
from inspect_ai.log import EvalLog, EvalSample, EvalSpec

from harness.core.facts import printable
from harness.core.hookspecs import Benchmark
from harness.core.plugins import registry
from harness.report import log_series, log_settings, log_warnings
from harness.report.log_series import Entry
from harness.report.model import LogFacts, Study
from harness.rerun import log_samples
from harness.rerun.log_rows import Reader, Sheet, number
from harness.run import logs
from harness.run.logs import one_line_errors, shown

SUFFIXES = (".eval", ".json")
_SNIFFED = 4096


@dataclass(frozen=True, slots=True)
class _Head:
    path: Path
    log: EvalLog
    plugin: str


def logs_of(words: Sequence[str]) -> list[Path]:
    """Return the logs that the words name: files as they are, of a directory all logs below it, sorted.

    JSON files below a directory that are no logs, and files whose names begin with a dot, are passed over.

    Raises:
        DatasetError: there is no such file, or no log in a directory, or no word.
    """
    files: dict[Path, Path] = {}
    for word in words:
        if not word:  # `Path` would take it for the folder one is in
            raise DatasetError("the name of a log is empty")
        path = Path(word)
        with one_line_errors(path):
            mode = path.stat().st_mode if path.exists() else 0
            if not mode:
                raise DatasetError(f"{shown(path)}: there is no such file")
            if not stat.S_ISDIR(mode) and not stat.S_ISREG(mode):
                raise DatasetError(f"{shown(path)}: neither a file nor a directory")
            for file in _below(path) if stat.S_ISDIR(mode) else [path]:
                files.setdefault(file.resolve(), file)
    if not files:
        raise DatasetError("no log is named: give .eval files, or directories that hold some")
    return list(files.values())


def _below(folder: Path) -> list[Path]:
    files = sorted(
        path
        for place, _, names in os.walk(folder, onerror=_raise)
        for path in (Path(place, name) for name in names)
        if path.suffix.lower() in SUFFIXES and not path.name.startswith(".") and path.is_file()
    )
    files = [path for path in files if path.suffix.lower() == ".eval" or _looks_like_a_log(path)]
    if not files:
        raise DatasetError(f"{shown(folder)}: the directory holds no log (*.eval)")
    return files


def _raise(error: OSError) -> None:
    """Refuse a folder that cannot be looked into: logs in it would be left out without a word."""
    raise DatasetError(f"{shown(error.filename)}: cannot be read: {error.strerror}")


def _looks_like_a_log(path: Path) -> bool:
    with path.open("rb") as file:
        start = file.read(_SNIFFED)
    return start.lstrip().startswith(b"{") and all(
        key in start for key in (b'"version"', b'"eval"', b'"task"')
    )


def load(paths: Sequence[Path], warn: Callable[[str], object]) -> list[Study]:
    """Read logs and return one study per plugin, in the order in which the plugins first come.

    ``warn`` is told of logs that are passed over because they are copies of others; what is to be known of the
    answers themselves is in `Study.warnings`.

    Raises:
        DatasetError: a log that cannot be read, is none of the harness's, or of a plugin that is not installed;
            or logs that contradict each other.
    """
    if not paths:
        raise DatasetError("no log is named")
    plugins: dict[str, list[_Head]] = {}
    for path in _different(paths, warn):
        head = _head(path)
        plugins.setdefault(head.plugin, []).append(head)
    return [_study(registry().get(name).benchmark, heads) for name, heads in plugins.items()]


def _different(paths: Sequence[Path], warn: Callable[[str], object]) -> list[Path]:
    """Return the files without those that are byte by byte the same as one before, which it tells."""
    sizes: dict[int, list[Path]] = {}
    different = []
    for path in {path.resolve(): path for path in paths}.values():
        with one_line_errors(path):
            size = path.stat().st_size
            alike = sizes.setdefault(size, [])
            digest = _digest(path) if alike and size else b""
            twin = next(
                (earlier for earlier in alike if digest and _digest(earlier) == digest), None
            )
        if twin is not None:
            warn(f"warning: {shown(path)} is a copy of {shown(twin)}; their answers count once")
            continue
        alike.append(path)
        different.append(path)
    return different


def _digest(path: Path) -> bytes:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").digest()


def _head(path: Path) -> _Head:
    with one_line_errors(path):
        log_samples.check(path)
        log = logs.header(path)
    name = (log.eval.metadata or {}).get("plugin")
    if not isinstance(name, str):
        raise DatasetError(
            f"{shown(path)}: a log of the task '{printable(log.eval.task, 80)}', which is none of the harness's"
        )
    try:
        registry().get(name)
    except PluginError as error:
        raise DatasetError(f"{shown(path)}: {printable(str(error), 300)}") from None
    return _Head(path, log, name)


def _study(benchmark: Benchmark, heads: Sequence[_Head]) -> Study:
    reader = Reader(benchmark)
    sheets: list[Sheet] = []
    facts: list[LogFacts] = []
    for head in heads:
        sheet = reader.read(head.path, head.log.eval.config.epochs or 1)
        if not sheet.judged:
            raise DatasetError(f"{shown(head.path)}: the log holds no samples")
        sheets.append(sheet)
        facts.append(_facts(head, sheet))
    log_warnings.same_targets(facts, sheets)
    specs = [head.log.eval for head in heads]
    settings = log_settings.settings(benchmark, facts, sheets)
    runs = [_run(spec) for spec in specs]
    entries = [
        Entry(log, sheet, words, run, spec.task_id, "rescored" in (spec.metadata or {}))
        for log, sheet, words, run, spec in zip(facts, sheets, settings, runs, specs, strict=True)
    ]
    series = log_series.series(entries)
    warnings = log_warnings.warnings(benchmark, facts, specs, runs, sheets, series)
    return Study(benchmark, tuple(facts), series, reader.constants, tuple(warnings))


def _run(spec: EvalSpec) -> str:
    """Return what is the same of logs that hold the same answers; recorded ones may be scored any number of times."""
    answers = _mapping((spec.metadata or {}).get("responses")).get("sha256")
    return f"{spec.model}\n{answers or spec.eval_id}"


def _facts(head: _Head, sheet: Sheet) -> LogFacts:
    spec = head.log.eval
    metadata = spec.metadata or {}
    rescored = _mapping(metadata.get("rescored"))
    args = spec.task_args if isinstance(spec.task_args, Mapping) else {}
    versions = _words(rescored.get("versions") or metadata.get("versions"))
    floors = {kind: _numbers(scores) for kind, scores in _mapping(metadata.get("floors")).items()}
    return LogFacts(
        path=str(head.path),
        plugin=head.plugin,
        version=", ".join(sorted(sheet.versions)) or str(spec.task_version),
        model=spec.model,
        created=str(spec.created),
        status=head.log.status,
        asked=_asked(spec, metadata, rescored.get("convention") or args.get("convention")),
        config=_mapping(metadata.get("config")),
        dataset=str(metadata["dataset"]) if metadata.get("dataset") else None,
        items_digest=str(metadata.get("items_digest", "")),
        n=spec.dataset.samples or len(sheet.judged),
        floors=floors,
        versions=versions,
        wrappers=_words(metadata.get("wrappers")),
    )


def _asked(spec: EvalSpec, metadata: Mapping[str, Any], convention: Any) -> dict[str, str]:
    """Return how a model was asked, in words; ``none`` and ``no`` are words, too."""
    gold, context = metadata.get("gold"), metadata.get("context")
    return {
        "strategy": str(metadata.get("strategy") or "direct"),
        "tools": str(metadata.get("tools") or "none"),
        "context": _context(context) if isinstance(context, Mapping) else "none",
        "structured": "yes" if metadata.get("structured") else "no",
        "gold": ",".join(map(str, gold)) if isinstance(gold, list) and gold else "none",
        "generation": _generation(spec) or "none",
        "wrappers": _named(metadata.get("wrappers")) or "none",
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
    settings |= {"samples": epochs} if epochs > 1 else {}
    settings |= {"shots": shots} if (shots := _mapping(spec.task_args).get("shots")) else {}
    words = (f"{key}={setting}" for key, setting in sorted(settings.items()) if key not in _ASIDE)
    return printable(" ".join(words), 200)


def _context(context: Mapping[str, Any]) -> str:
    """Return a context's file name with the first digits of what it held: names are given twice."""
    name = Path(str(context.get("file", ""))).name
    digest = str(context.get("sha256", ""))[:6]
    return f"{name} ({digest})" if digest else name


def _named(wrappers: Any) -> str:
    """Return the wrapper plugins that were active, which may have changed what was asked, or how it was scored."""
    return ", ".join(f"{name} {version}" for name, version in sorted(_words(wrappers).items()))


def _mapping(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}


def _words(value: Any) -> dict[str, str]:
    return {str(key): str(word) for key, word in _mapping(value).items()}


def _numbers(value: Any) -> dict[str, float]:
    numbers = {str(key): number(raw) for key, raw in _mapping(value).items()}
    return {key: parsed for key, parsed in numbers.items() if parsed is not None}


def contents(study: Study, ids: Collection[str]) -> Iterator[tuple[int, EvalSample]]:
    """Yield the whole samples (without events and store) of some items, each with its series' index.

    Series by series, log by log, in the order of the items' ids; of an item that was asked several times every
    sample, in order. A batch of them is in memory at a time; what is not in a log any more is left out.

    Raises:
        DatasetError: a log cannot be read any more.
    """
    for index, series in enumerate(study.series):
        for place in series.logs:
            wanted = [
                answer.id for answer in series.answers if answer.log == place and answer.id in ids
            ]
            if not wanted:
                continue
            path = Path(study.logs[place].path)
            there = log_samples.places(path, wanted)
            yield from (
                (index, sample) for sample in logs.samples_at(path, there, log_samples.ASIDE)
            )
