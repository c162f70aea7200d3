"""What a reader of a report has to know about its logs, one line each; and what makes them contradict each other."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path

from harness_errors import DatasetError

from harness.core.facts import printable
from harness.core.hookspecs import Benchmark
from harness.report.log_facts import ReadLog
from harness.report.model import Series, answers_of
from harness.rerun import log_samples
from harness.rerun import logs as logs_of
from harness.rerun.logs import shown
from harness.run import results

MAX_LOST = 100
"""Items without a score of one log whose samples are read for the reason."""

_NOT_READ = logs_of.ASIDE - {"scores"}


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
    lines = [
        *_unfinished(logs),
        *_unscored(logs, series),
        *_versions(benchmark, logs),
        *_wrappers(logs),
        *_common(series),
        *_judged_again(logs, series),
    ]
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
        samples = logs_of.samples_at(path, places, _NOT_READ)
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
