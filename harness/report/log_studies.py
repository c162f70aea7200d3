"""Logs → studies: which answers there are, who gave them, which belong together, and what a reader has to know.

Rows come from the samples' summaries, so that a log of any length is read in little memory; whole samples are read
for the few that a page shows (`contents`) and where a summary has cut what a row is made of.
"""

from __future__ import annotations

import os
import stat
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterator, Sequence
from itertools import chain
from pathlib import Path

from harness_errors import DatasetError, PluginError
from inspect_ai.log import EvalLog, EvalSample

from harness.core.facts import printable
from harness.core.hookspecs import Benchmark
from harness.core.plugins import registry
from harness.core.spec import checksum
from harness.report import log_facts, log_series
from harness.report.log_facts import ReadLog
from harness.report.model import Series, Study, answers_of
from harness.rerun import log_samples
from harness.rerun.log_rows import Reader
from harness.rerun.logs import ASIDE, header, one_line_errors, samples_at, shown
from harness.run import results

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
        log = header(path)
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
    same_targets(logs)
    series = log_series.series(benchmark, logs)
    told = warnings(benchmark, logs, series)
    facts = tuple(log.facts for log in logs)
    return Study(benchmark, facts, series, reader.constants, tuple(told))


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
                for sample in samples_at(path, places, log_samples.ASIDE):
                    yield index, sample


MAX_LOST = 100
"""Items without a score of one log whose samples are read for the reason."""

_NOT_READ = ASIDE - {"scores"}


def same_targets(logs: Sequence[ReadLog]) -> None:
    """Refuse logs that hold one item with two targets; raises `DatasetError`."""
    known: dict[str, tuple[str, ReadLog]] = {}
    for log in logs:
        for item_id, judged in log.sheet.judged.items():
            target, first = known.setdefault(item_id, (judged.row.target, log))
            if target != judged.row.target:
                raise DatasetError(
                    f"{shown(log.facts.path)}: item '{printable(item_id, 60)}' has the target "
                    f"'{printable(judged.row.target, 60)}', in {shown(first.facts.path)} it has "
                    f"'{printable(target, 60)}'"
                )


def warnings(benchmark: Benchmark, logs: Sequence[ReadLog], series: Sequence[Series]) -> list[str]:
    """Return what is to be known of the logs of one benchmark, each as a printable line."""
    lines = chain(
        _unfinished(logs),
        _unscored(logs, series),
        _versions(benchmark, logs),
        _wrappers(logs),
        _common(series),
        _judged_again(logs, series),
    )
    return [printable(line, 600) for line in lines]


def _unfinished(logs: Sequence[ReadLog]) -> Iterator[str]:
    """Yield what was never asked, then what recorded answers left out: such items are not even in the log."""
    for log in logs:
        n, status = log.facts.n, log.facts.status
        missing = n - len(log.ids)
        if missing > 0:
            why = f"were never asked (the run's status is {status}); they are in no number"
            yield f"{_names([log])}: {missing} of {n} items {why}"
        elif status != "success":
            yield f"{_names([log])}: the run did not end (status {status}); what there is of it counts"
    for log in logs:
        n, items = log.facts.n, log.responses.get("items")
        if isinstance(items, int) and items > n:
            yield f"{_names([log])}: {items - n} of {items} items had no recorded answer; they are in no number"


def _unscored(logs: Sequence[ReadLog], series: Sequence[Series]) -> Iterator[str]:
    """Yield how many items have an answer without a score, by log, and why; later tries may have given one."""
    lost: dict[int, dict[str, None]] = defaultdict(dict)
    for answer in answers_of(series):
        if any(row.outcome == "unscored" for row in answer.rows):
            lost[answer.log][answer.id] = None
    for log in (log for log in logs if log.place in lost):
        names, path = list(lost[log.place]), Path(log.facts.path)
        places = log_samples.places(path, names[:MAX_LOST])
        samples = samples_at(path, places, _NOT_READ)
        reasons = Counter(reason for sample in samples for reason in results.reasons_of(sample))
        causes = ", ".join(f"{count} × {reason}" for reason, count in reasons.most_common(5))
        which = f" (of the first {MAX_LOST})" if len(names) > MAX_LOST else ""
        yield (
            f"{_names([log])}: {len(names)} of {log.facts.n} items have answers that could not be scored; these "
            f"are in no number: {causes or 'no reason given'}{which}"
        )


def _versions(benchmark: Benchmark, logs: Sequence[ReadLog]) -> Iterator[str]:
    versions = sorted({log.facts.version for log in logs})
    if len(versions) > 1:
        yield f"the items were made by different versions of {benchmark.name}: {', '.join(versions)}"
    judged: dict[str, list[ReadLog]] = defaultdict(list)
    for log in logs:
        version = log.facts.versions.get(benchmark.name, "")
        if version != benchmark.version:
            judged[version or "an unknown version"].append(log)
    for version, group in sorted(judged.items()):
        yield (
            f"{_names(group)}: judged by {benchmark.name} {version}, installed is {benchmark.version}; "
            "harness score LOG judges a log anew"
        )
    conventions = sorted({log.facts.asked["convention"] for log in logs})
    if len(conventions) > 1:
        yield f"the logs were scored by different conventions: {', '.join(conventions)}"


def _wrappers(logs: Sequence[ReadLog]) -> Iterator[str]:
    active: dict[str, list[ReadLog]] = defaultdict(list)
    for log in logs:
        if log.facts.wrappers:
            active[log.facts.asked["wrappers"]].append(log)
    for names, group in sorted(active.items()):
        yield f"{_names(group)}: wrapper plugins were active, and may have changed anything: {names}"


def _common(series: Sequence[Series]) -> Iterator[str]:
    if len(series) < 2:
        return
    item_ids = [{answer.id for answer in each.answers} for each in series]
    common, total = set.intersection(*item_ids), set.union(*item_ids)
    if len(common) < len(total):
        yield (
            f"the {len(series)} series did not answer the same items: {len(common)} of {len(total)} are in all "
            "of them; scores on different items are not comparable"
        )


def _judged_again(logs: Sequence[ReadLog], series: Sequence[Series]) -> Iterator[str]:
    again = {logs[at].run for part in series if part.again for at in part.logs}
    for run in dict.fromkeys(log.run for log in logs):
        if run in again:
            names = _names([log for log in logs if log.run == run])
            yield f"{names}: the same answers, judged more than once; they are no independent runs"


def _names(logs: Sequence[ReadLog]) -> str:
    """Return the file's name of the first log, and how many more there are."""
    more = f" and {len(logs) - 1} more" if len(logs) > 1 else ""
    return f"{shown(Path(logs[0].facts.path).name)}{more}"
