"""What a reader of a report has to know about its logs, one line each; and what makes them contradict each other."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from harness_errors import DatasetError
from inspect_ai.log import EvalSpec

from harness.core.facts import printable
from harness.core.hookspecs import Benchmark
from harness.report.model import LogFacts, Series
from harness.rerun.log_rows import Sheet
from harness.run.logs import shown


def same_targets(facts: Sequence[LogFacts], sheets: Sequence[Sheet]) -> None:
    """Refuse logs that hold one item with two targets; raises `DatasetError`."""
    known: dict[str, tuple[str, int]] = {}
    for at, sheet in enumerate(sheets):
        for item_id, judged in sheet.judged.items():
            target, first = known.setdefault(item_id, (judged.row.target, at))
            if target != judged.row.target:
                raise DatasetError(
                    f"{shown(facts[at].path)}: item '{printable(item_id, 60)}' has the target "
                    f"'{printable(judged.row.target, 60)}', in {shown(facts[first].path)} it has "
                    f"'{printable(target, 60)}'"
                )


def warnings(
    benchmark: Benchmark,
    facts: Sequence[LogFacts],
    specs: Sequence[EvalSpec],
    runs: Sequence[str],
    sheets: Sequence[Sheet],
    series: Sequence[Series],
) -> list[str]:
    """Return what is to be known of the logs of one benchmark, each as a printable line.

    ``runs`` says of each log whose answers it holds.
    """
    lines = [
        *_unfinished(facts, sheets),
        *_unanswered(facts, specs),
        *_versions(benchmark, facts),
        *_conventions(facts),
        *_wrappers(facts),
        *_common(series),
        *_judged_again(facts, runs, series),
    ]
    return [printable(line, 600) for line in lines]


def _unfinished(facts: Sequence[LogFacts], sheets: Sequence[Sheet]) -> Iterator[str]:
    for log, sheet in zip(facts, sheets, strict=True):
        missing = log.n - len(sheet.judged)
        if missing > 0:
            yield (
                f"{_name(log)}: {missing} of {log.n} items were never asked (the run's status is "
                f"{log.status}); they are in no number"
            )
        elif log.status != "success":
            yield f"{_name(log)}: the run did not end (status {log.status}); what there is of it counts"


def _unanswered(facts: Sequence[LogFacts], specs: Sequence[EvalSpec]) -> Iterator[str]:
    """Yield what recorded answers left out: such items are not even in the log."""
    for log, spec in zip(facts, specs, strict=True):
        recorded = (spec.metadata or {}).get("responses")
        items = recorded.get("items") if isinstance(recorded, Mapping) else None
        if isinstance(items, int) and items > log.n:
            yield f"{_name(log)}: {items - log.n} of {items} items had no recorded answer; they are in no number"


def _versions(benchmark: Benchmark, facts: Sequence[LogFacts]) -> Iterator[str]:
    versions = sorted({log.version for log in facts})
    if len(versions) > 1:
        yield f"the items were made by different versions of {benchmark.name}: {', '.join(versions)}"
    judged: dict[str, list[LogFacts]] = {}
    for log in facts:
        version = log.versions.get(benchmark.name, "")
        if version != benchmark.version:
            judged.setdefault(version or "an unknown version", []).append(log)
    for version, logs in sorted(judged.items()):
        yield (
            f"{_names(logs)}: judged by {benchmark.name} {version}, installed is {benchmark.version}; "
            "harness score LOG judges a log anew"
        )


def _conventions(facts: Sequence[LogFacts]) -> Iterator[str]:
    conventions = sorted({log.asked["convention"] for log in facts})
    if len(conventions) > 1:
        yield f"the logs were scored by different conventions: {', '.join(conventions)}"


def _wrappers(facts: Sequence[LogFacts]) -> Iterator[str]:
    active: dict[str, list[LogFacts]] = {}
    for log in facts:
        if log.wrappers:
            names = ", ".join(f"{name} {version}" for name, version in sorted(log.wrappers.items()))
            active.setdefault(names, []).append(log)
    for names, logs in sorted(active.items()):
        yield f"{_names(logs)}: wrapper plugins were active, and may have changed anything: {names}"


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


def _judged_again(
    facts: Sequence[LogFacts], runs: Sequence[str], series: Sequence[Series]
) -> Iterator[str]:
    again = {runs[at] for shown in series if shown.again for at in shown.logs}
    for run in dict.fromkeys(runs):
        if run in again:
            logs = [log for log, other in zip(facts, runs, strict=True) if other == run]
            yield f"{_names(logs)}: the same answers, judged more than once; they are no independent runs"


def _name(log: LogFacts) -> str:
    return shown(Path(log.path).name)


def _names(logs: Iterable[LogFacts]) -> str:
    listed = list(logs)
    more = f" and {len(listed) - 1} more" if len(listed) > 1 else ""
    return f"{_name(listed[0])}{more}"
