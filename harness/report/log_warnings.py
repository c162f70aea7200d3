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
        for own, one in sheet.judged.items():
            target, first = known.setdefault(own, (one.row.target, at))
            if target != one.row.target:
                raise DatasetError(
                    f"{shown(facts[at].path)}: item '{printable(own, 60)}' has the target "
                    f"'{printable(one.row.target, 60)}', in {shown(facts[first].path)} it has "
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
    for one, sheet in zip(facts, sheets, strict=True):
        missing = one.n - len(sheet.judged)
        if missing > 0:
            yield (
                f"{_name(one)}: {missing} of {one.n} items were never asked (the run's status is "
                f"{one.status}); they are in no number"
            )
        elif one.status != "success":
            yield f"{_name(one)}: the run did not end (status {one.status}); what there is of it counts"


def _unanswered(facts: Sequence[LogFacts], specs: Sequence[EvalSpec]) -> Iterator[str]:
    """Yield what recorded answers left out: such items are not even in the log."""
    for one, spec in zip(facts, specs, strict=True):
        told = (spec.metadata or {}).get("responses")
        items = told.get("items") if isinstance(told, Mapping) else None
        if isinstance(items, int) and items > one.n:
            yield f"{_name(one)}: {items - one.n} of {items} items had no recorded answer; they are in no number"


def _versions(benchmark: Benchmark, facts: Sequence[LogFacts]) -> Iterator[str]:
    made = sorted({one.version for one in facts})
    if len(made) > 1:
        yield f"the items were made by different versions of {benchmark.name}: {', '.join(made)}"
    judged: dict[str, list[LogFacts]] = {}
    for one in facts:
        version = one.versions.get(benchmark.name, "")
        if version != benchmark.version:
            judged.setdefault(version or "an unknown version", []).append(one)
    for version, ones in sorted(judged.items()):
        yield (
            f"{_names(ones)}: judged by {benchmark.name} {version}, installed is {benchmark.version}; "
            "harness score LOG judges a log anew"
        )


def _conventions(facts: Sequence[LogFacts]) -> Iterator[str]:
    found = sorted({one.asked["convention"] for one in facts})
    if len(found) > 1:
        yield f"the logs were scored by different conventions: {', '.join(found)}"


def _wrappers(facts: Sequence[LogFacts]) -> Iterator[str]:
    active: dict[str, list[LogFacts]] = {}
    for one in facts:
        if one.wrappers:
            own = ", ".join(f"{name} {version}" for name, version in sorted(one.wrappers.items()))
            active.setdefault(own, []).append(one)
    for own, ones in sorted(active.items()):
        yield f"{_names(ones)}: wrapper plugins were active, and may have changed anything: {own}"


def _common(series: Sequence[Series]) -> Iterator[str]:
    if len(series) < 2:
        return
    own = [{one.id for one in each.answers} for each in series]
    common, total = set.intersection(*own), set.union(*own)
    if len(common) < len(total):
        yield (
            f"the {len(series)} series did not answer the same items: {len(common)} of {len(total)} are in all "
            "of them; scores on different items are not comparable"
        )


def _judged_again(
    facts: Sequence[LogFacts], runs: Sequence[str], series: Sequence[Series]
) -> Iterator[str]:
    again = {runs[at] for one in series if one.again for at in one.logs}
    for run in dict.fromkeys(runs):
        if run in again:
            ones = [one for one, own in zip(facts, runs, strict=True) if own == run]
            yield f"{_names(ones)}: the same answers, judged more than once; they are no independent runs"


def _name(one: LogFacts) -> str:
    return shown(Path(one.path).name)


def _names(ones: Iterable[LogFacts]) -> str:
    listed = list(ones)
    more = f" and {len(listed) - 1} more" if len(listed) > 1 else ""
    return f"{_name(listed[0])}{more}"
