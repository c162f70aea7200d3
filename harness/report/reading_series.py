"""Which logs are one series: a model asked in one way, each item answered once."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from harness.facts import printable
from harness.report.model import ASKED, Answer, Kind, LogFacts, Series
from harness.report.reading_rows import Sheet

# What a way of asking is called in a label where its value alone would not say what it is.
_NAMED = ("tools", "context", "structured", "gold")


def series(facts: Sequence[LogFacts], sheets: Sequence[Sheet]) -> tuple[Series, ...]:
    """Return the series of one benchmark's logs, in the order in which their models and ways first come.

    Logs of a model that was asked in one way are one series as long as no item comes twice (a sweep); a log that
    has an item again begins the series' next run, in the order in which the logs were made.
    """
    ways: dict[tuple[str, ...], list[int]] = {}
    for at, one in enumerate(facts):
        ways.setdefault((one.model, *(one.asked[key] for key in ASKED)), []).append(at)
    names = _labels([facts[places[0]] for places in ways.values()])
    merged = _merged(sheets)
    found = []
    for name, places in zip(names, ways.values(), strict=True):
        for number, run in enumerate(_runs(facts, sheets, places), 1):
            label = name if number == 1 else f"{name} (run {number})"
            found.append(_series(label, run, facts, sheets, merged))
    return tuple(found)


def _runs(
    facts: Sequence[LogFacts], sheets: Sequence[Sheet], places: Sequence[int]
) -> list[list[int]]:
    runs: list[tuple[list[int], set[str]]] = []
    for at in sorted(places, key=lambda at: (facts[at].created, at)):
        own = sheets[at].judged.keys()
        for run, known in runs:
            if known.isdisjoint(own):
                run.append(at)
                known.update(own)
                break
        else:
            runs.append(([at], set(own)))
    return [run for run, _ in runs]


def _series(
    label: str,
    run: Sequence[int],
    facts: Sequence[LogFacts],
    sheets: Sequence[Sheet],
    merged: Mapping[str, str],
) -> Series:
    answers = []
    for at in run:
        for own, one in sheets[at].judged.items():
            source = one.source or one.family or own
            answers.append(Answer(one.row, own, merged.get(source, source), at))
    answers.sort(key=lambda one: one.id)
    first = facts[run[0]]
    return Series(label, _kind(first.model), first.model, first.asked, tuple(run), tuple(answers))


def _kind(model: str) -> Kind:
    if model == "harness/reference":
        return "reference"
    if model in ("harness/constant", "harness/random"):
        return "baseline"
    return "recorded" if model.startswith("recorded/") else "model"


def _merged(sheets: Iterable[Sheet]) -> dict[str, str]:
    """Return what stands for each source that shares a family with another: the first of them by name.

    A family's forms are one problem, so they are never counted as independent, whatever else they share.
    """
    parent: dict[str, str] = {}

    def root(name: str) -> str:
        while parent.setdefault(name, name) != name:
            parent[name] = parent[parent[name]]
            name = parent[name]
        return name

    first: dict[str, str] = {}
    for sheet in sheets:
        for one in sheet.judged.values():
            if not (one.source and one.family):
                continue
            a, b = sorted((root(first.setdefault(one.family, one.source)), root(one.source)))
            parent[b] = a
    return {name: root(name) for name in list(parent) if root(name) != name}


def _labels(ways: Sequence[LogFacts]) -> list[str]:
    """Return a unique name for each way: the model, and what of the asking differs between the ways."""
    differing = [key for key in ASKED if len({one.asked[key] for one in ways}) > 1]
    return _unique([_label(one, differing) for one in ways])


def _label(one: LogFacts, differing: Sequence[str]) -> str:
    words = {key: one.asked[key] for key in differing}
    if one.model.startswith("recorded/"):
        words.pop("strategy", None)  # it says "recorded" once more
    parts = [f"{key}={word}" if key in _NAMED else word for key, word in words.items()]
    return printable(" · ".join([one.model, *parts]), 200)


def _unique(names: Sequence[str]) -> list[str]:
    """Number names that are the same once they are cut and printable."""
    found: list[str] = []
    for name in names:
        number, own = 2, name
        while own in found:
            own, number = f"{name} [{number}]", number + 1
        found.append(own)
    return found
