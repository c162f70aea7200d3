"""Logs → studies: which answers there are, who gave them, and which of them belong together.

Rows come from the samples' summaries, so that a log of any length is read in little memory; whole samples are read
for the few that a page shows (`contents`) and where a summary has cut what a row is made of.
"""

from __future__ import annotations

import os
import stat
from collections import defaultdict
from collections.abc import Callable, Collection, Iterator, Sequence
from pathlib import Path

from harness_errors import DatasetError, PluginError
from inspect_ai.log import EvalLog, EvalSample

from harness.core.facts import printable
from harness.core.hookspecs import Benchmark
from harness.core.plugins import registry
from harness.core.spec import checksum
from harness.report import log_facts, log_series, log_warnings
from harness.report.model import Study
from harness.rerun import log_samples, logs
from harness.rerun.log_rows import Reader
from harness.rerun.logs import one_line_errors, shown

SUFFIXES = (".eval", ".json")
_SNIFFED = 4096


def logs_of(words: Sequence[str]) -> list[Path]:
    """Return the logs that the words name: files as they are, of a directory all logs below it, sorted.

    JSON files below a directory that are no logs, and files whose names begin with a dot, are passed over. Raises
    `DatasetError`: there is no such file, or no log in a directory, or no word.
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
            for file in _logs_below(path) if stat.S_ISDIR(mode) else [path]:
                files.setdefault(file.resolve(), file)
    if not files:
        raise DatasetError("no log is named: give .eval files, or directories that hold some")
    return list(files.values())


def _logs_below(folder: Path) -> list[Path]:
    def refuse(error: OSError) -> None:  # logs in it would be left out without a word
        raise DatasetError(f"{shown(error.filename)}: cannot be read: {error.strerror}")

    places = (Path(at, name) for at, _, names in os.walk(folder, onerror=refuse) for name in names)
    files = [path for path in places if not path.name.startswith(".") and _looks_like_a_log(path)]
    if not files:
        raise DatasetError(f"{shown(folder)}: the directory holds no log (*.eval)")
    return sorted(files)


def _looks_like_a_log(path: Path) -> bool:
    if path.suffix.lower() not in SUFFIXES or not path.is_file():
        return False
    if path.suffix.lower() == ".eval":
        return True
    with path.open("rb") as file:
        start = file.read(_SNIFFED)
    keys = (b'"version"', b'"eval"', b'"task"')
    return start.lstrip().startswith(b"{") and all(key in start for key in keys)


def load(paths: Sequence[Path], warn: Callable[[str], object]) -> list[Study]:
    """Read logs and return one study per plugin, in the order in which the plugins first come.

    ``warn`` is told of logs that are passed over because they are copies of others; what is to be known of the
    answers themselves is in `Study.warnings`. Raises `DatasetError`: a log that cannot be read, is none of the
    harness's, or of a plugin that is not installed; or logs that contradict each other.
    """
    if not paths:
        raise DatasetError("no log is named")
    plugins: dict[str, list[tuple[Path, EvalLog]]] = defaultdict(list)
    for path in _without_copies(paths, warn):
        plugin, header = _header(path)
        plugins[plugin].append((path, header))
    return [_study(registry().get(name).benchmark, headers) for name, headers in plugins.items()]


def _without_copies(paths: Sequence[Path], warn: Callable[[str], object]) -> list[Path]:
    """Return the files without copies: those that are byte by byte the same as one before; it warns of them."""
    sizes: dict[int, list[Path]] = defaultdict(list)
    different = []
    for path in {path.resolve(): path for path in paths}.values():
        with one_line_errors(path):
            size = path.stat().st_size
            alike = sizes[size]
            digest = checksum(path) if alike and size else ""
            twin = next((known for known in alike if digest and checksum(known) == digest), None)
        if twin is not None:
            warn(f"warning: {shown(path)} is a copy of {shown(twin)}; their answers count once")
            continue
        alike.append(path)
        different.append(path)
    return different


def _header(path: Path) -> tuple[str, EvalLog]:
    """Return the plugin that a log names, and the log without its samples."""
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
    return name, log


def _study(benchmark: Benchmark, headers: Sequence[tuple[Path, EvalLog]]) -> Study:
    reader = Reader(benchmark)
    logs = [log_facts.read(reader, at, path, log) for at, (path, log) in enumerate(headers)]
    log_warnings.same_targets(logs)
    series = log_series.series(benchmark, logs)
    warnings = log_warnings.warnings(benchmark, logs, series)
    facts = tuple(log.facts for log in logs)
    return Study(benchmark, facts, series, reader.constants, tuple(warnings))


def contents(study: Study, ids: Collection[str]) -> Iterator[tuple[int, EvalSample]]:
    """Yield the whole samples (without events and store) of some items, each with its series' index.

    Series by series, log by log, in the order of the items' ids; of an item that was asked several times every
    sample, in order. A batch of them is in memory at a time; what is not in a log any more is left out. Raises
    `DatasetError`: a log cannot be read any more.
    """
    for index, series in enumerate(study.series):
        for place in series.logs:
            wanted = [a.id for a in series.answers if a.log == place and a.id in ids]
            if wanted:
                path = Path(study.logs[place].path)
                places = log_samples.places(path, wanted)
                for sample in logs.samples_at(path, places, log_samples.ASIDE):
                    yield index, sample
