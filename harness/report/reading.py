"""Logs → studies: which answers there are, who gave them, and which of them belong together.

Rows come from the samples' summaries, so that a log of any length is read in little memory; whole samples are read
for the few that a page shows (`contents`) and where a summary has cut what a row is made of.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from inspect_ai.log import EvalLog, EvalSample

from harness import logs
from harness.errors import DatasetError, PluginError
from harness.facts import printable
from harness.hookspecs import Benchmark
from harness.plugins import registry
from harness.report import reading_archive, reading_notes, reading_series
from harness.report.model import LogFacts, Study
from harness.report.reading_archive import check, one_line_errors, shown
from harness.report.reading_rows import Reader, Sheet, number

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
    found: dict[Path, Path] = {}
    for word in words:
        path = Path(word)
        with one_line_errors(path):
            if not path.exists():
                raise DatasetError(f"{shown(path)}: there is no such file")
            files = _below(path) if path.is_dir() else [path]
            for file in files:
                found.setdefault(file.resolve(), file)
    if not found:
        raise DatasetError("no log is named: give .eval files, or directories that hold some")
    return list(found.values())


def _below(folder: Path) -> list[Path]:
    files = [
        path
        for path in sorted(folder.rglob("*"))
        if path.suffix.lower() in SUFFIXES and not path.name.startswith(".") and path.is_file()
    ]
    files = [path for path in files if path.suffix.lower() == ".eval" or _looks_like_a_log(path)]
    if not files:
        raise DatasetError(f"{shown(folder)}: the directory holds no log (*.eval)")
    return files


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
    runs: dict[tuple[str, bool, int], Path] = {}
    for path in {path.resolve(): path for path in paths}.values():
        head = _head(path)
        facts = head.log.eval.metadata or {}
        own = (head.log.eval.eval_id, "rescored" in facts, path.stat().st_size)
        if own in runs:
            warn(
                f"warning: {shown(path)} is a copy of {shown(runs[own])}; their answers count once"
            )
            continue
        runs[own] = path
        plugins.setdefault(head.plugin, []).append(head)
    return [_study(registry().get(name).benchmark, heads) for name, heads in plugins.items()]


def _head(path: Path) -> _Head:
    with one_line_errors(path):
        check(path)
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
    reading_notes.same_targets(facts, sheets)
    series = reading_series.series(facts, sheets)
    heard = [head.log.eval for head in heads]
    warnings = reading_notes.warnings(benchmark, facts, heard, sheets, series)
    return Study(benchmark, tuple(facts), series, reader.constants, tuple(warnings))


def _facts(head: _Head, sheet: Sheet) -> LogFacts:
    spec = head.log.eval
    told = spec.metadata or {}
    rescored = _mapping(told.get("rescored"))
    args = spec.task_args if isinstance(spec.task_args, Mapping) else {}
    versions = _words(rescored.get("versions") or told.get("versions"))
    floors = {kind: _numbers(one) for kind, one in _mapping(told.get("floors")).items()}
    return LogFacts(
        path=str(head.path),
        plugin=head.plugin,
        version=", ".join(sorted(sheet.versions)) or str(spec.task_version),
        model=spec.model,
        created=str(spec.created),
        status=head.log.status,
        asked=_asked(told, rescored.get("convention") or args.get("convention")),
        config=_mapping(told.get("config")),
        dataset=str(told["dataset"]) if told.get("dataset") else None,
        items_digest=str(told.get("items_digest", "")),
        n=spec.dataset.samples or len(sheet.judged),
        floors=floors,
        versions=versions,
        wrappers=_words(told.get("wrappers")),
    )


def _asked(told: Mapping[str, Any], convention: Any) -> dict[str, str]:
    """Return how a model was asked, in words; ``none`` and ``no`` are words, too."""
    gold, context = told.get("gold"), told.get("context")
    return {
        "strategy": str(told.get("strategy") or "direct"),
        "tools": str(told.get("tools") or "none"),
        "context": _context(context) if isinstance(context, Mapping) else "none",
        "structured": "yes" if told.get("structured") else "no",
        "gold": ",".join(map(str, gold)) if isinstance(gold, list) and gold else "none",
        "convention": str(convention or "harness"),
    }


def _context(found: Mapping[str, Any]) -> str:
    """Return a context's file name with the first digits of what it held: names are given twice."""
    name = Path(str(found.get("file", ""))).name
    digest = str(found.get("sha256", ""))[:6]
    return f"{name} ({digest})" if digest else name


def _mapping(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}


def _words(value: Any) -> dict[str, str]:
    return {str(key): str(one) for key, one in _mapping(value).items()}


def _numbers(value: Any) -> dict[str, float]:
    found = {str(key): number(one) for key, one in _mapping(value).items()}
    return {key: one for key, one in found.items() if one is not None}


def contents(study: Study, ids: Collection[str]) -> Iterator[tuple[int, EvalSample]]:
    """Yield the whole samples (without events and store) of some items, each with its series' index.

    Series by series, log by log, in the order of the items' ids; of an item that was asked several times every
    sample, in order. A batch of them is in memory at a time; what is not in a log any more is left out.

    Raises:
        DatasetError: a log cannot be read any more.
    """
    for index, series in enumerate(study.series):
        for place in series.logs:
            wanted = [one.id for one in series.answers if one.log == place and one.id in ids]
            if not wanted:
                continue
            path = Path(study.logs[place].path)
            there = reading_archive.places(path, wanted)
            yield from ((index, sample) for sample in reading_archive.whole(path, there))
