"""Which logs are one series: a model asked in one way about items of one kind, each item answered once."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from harness.core.facts import printable
from harness.report import log_settings
from harness.report.model import ASKED, Answer, Kind, LogFacts, Series
from harness.rerun.log_rows import Sheet

# What a way of asking is called in a label where its value alone would not say what it is.
_NAMED = ("tools", "context", "structured", "gold", "wrappers")
_LABEL = 200


@dataclass(frozen=True, slots=True)
class Entry:
    """One log on its way into a series.

    ``run`` is the run whose answers it holds, ``task`` what a retry has in common with what it retries, ``anew``
    whether the answers were judged anew after the run; ``settings`` see `log_settings`.
    """

    facts: LogFacts
    sheet: Sheet
    settings: Mapping[str, str]
    run: str
    task: str
    anew: bool


@dataclass(frozen=True, slots=True)
class _Way:
    """What the logs of a series have in common; ``again`` says which judgement of the same answers it is."""

    model: str
    asked: tuple[str, ...]
    settings: tuple[tuple[str, str], ...]
    again: str


def series(entries: Sequence[Entry]) -> tuple[Series, ...]:
    """Return the series of one benchmark's logs, in the order in which their models and ways first come.

    Logs of a model that was asked in one way about items of one kind are one series as long as no item comes twice
    (a sweep); a log that has an item again begins the series' next run, in the order in which the logs were made,
    but for the retry of an earlier one, which goes on with it (`inspect eval-retry`): its answers count. A
    log of answers that another log holds too (the run, and the run judged anew) is never a run: it is a series of
    its own that says so.
    """
    again = _again(entries)
    ways: dict[_Way, list[int]] = {}
    for at, entry in enumerate(entries):
        asked = tuple(entry.facts.asked[key] for key in ASKED)
        way = _Way(entry.facts.model, asked, tuple(sorted(entry.settings.items())), again[at][1])
        ways.setdefault(way, []).append(at)
    keys = log_settings.differing([dict(way.settings) for way in ways])
    merged = _merged(entry.sheet for entry in entries)
    parts = []
    for name, (way, places) in zip(_labels(list(ways), keys), ways.items(), strict=True):
        settings = {key: value for key, value in way.settings if key in keys}
        for number, run in enumerate(_runs(entries, places), 1):
            first = entries[run[0]].facts
            parts.append(
                Series(
                    label=name if number == 1 else f"{name} (run {number})",
                    kind=_kind(first.model),
                    model=first.model,
                    asked=first.asked,
                    logs=tuple(run),
                    answers=_answers(entries, run, merged),
                    settings=settings,
                    again=any(again[at][0] for at in run),
                )
            )
    return tuple(parts)


def _again(entries: Sequence[Entry]) -> list[tuple[bool, str]]:
    """Return of each log whether an earlier one holds answers of it, and how its series says so.

    It need not say so where the two were judged by different conventions: the labels do. The run as it was judged
    first comes first, whatever the order of the logs.
    """
    marks = [(False, "")] * len(entries)
    runs: dict[str, list[int]] = {}
    for at in sorted(range(len(entries)), key=lambda at: _age(entries[at], at)):
        runs.setdefault(entries[at].run, []).append(at)
    for places in runs.values():
        for count, at in enumerate(places):
            ids = entries[at].sheet.judged.keys()
            known = [
                earlier
                for earlier in places[:count]
                if not entries[earlier].sheet.judged.keys().isdisjoint(ids)
            ]
            alike = [
                earlier
                for earlier in known
                if entries[earlier].facts.asked == entries[at].facts.asked
            ]
            word = "judged anew" if entries[at].anew else "same run"
            number = f" {len(alike)}" if len(alike) > 1 else ""
            marks[at] = bool(known), f"{word}{number}" if alike else ""
    return marks


def _age(entry: Entry, at: int) -> tuple[bool, str, int, str, int]:
    name = Path(entry.facts.path).name
    return entry.anew, entry.facts.created, len(name), name, at


def _runs(entries: Sequence[Entry], places: Sequence[int]) -> list[list[int]]:
    runs: list[tuple[list[int], set[str]]] = []
    for at in sorted(places, key=lambda at: (entries[at].facts.created, at)):
        ids = entries[at].sheet.judged.keys()
        for run, known in runs:
            if known.isdisjoint(ids) or any(
                retried(entries[earlier], entries[at]) for earlier in run
            ):
                run.append(at)
                known.update(ids)
                break
        else:
            runs.append(([at], set(ids)))
    return [run for run, _ in runs]


def retried(first: Entry, second: Entry) -> bool:
    """Return whether a log goes on with the run of an earlier one."""
    return bool(first.task) and (first.task, first.facts.model) == (
        second.task,
        second.facts.model,
    )


def _answers(
    entries: Sequence[Entry], run: Sequence[int], merged: Mapping[str, str]
) -> tuple[Answer, ...]:
    answers: dict[str, Answer] = {}
    for at in run:  # a retry comes after what it retries
        for item_id, judged in entries[at].sheet.judged.items():
            source = judged.source or judged.family or item_id
            if item_id not in answers or judged.row.outcome != "unscored":
                answers[item_id] = Answer(judged.row, item_id, merged.get(source, source), at)
    return tuple(sorted(answers.values(), key=lambda answer: answer.id))


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
        for judged in sheet.judged.values():
            if not (judged.source and judged.family):
                continue
            a, b = sorted(
                (root(first.setdefault(judged.family, judged.source)), root(judged.source))
            )
            parent[b] = a
    return {name: root(name) for name in list(parent) if root(name) != name}


def _labels(ways: Sequence[_Way], keys: Sequence[str]) -> list[str]:
    """Return a unique name for each way: the model, and what of the asking and the items differs between the ways."""
    differing = [at for at in range(len(ASKED)) if len({way.asked[at] for way in ways}) > 1]
    return _unique([_label(way, differing, keys) for way in ways])


def _label(way: _Way, differing: Sequence[int], keys: Sequence[str]) -> str:
    words = {ASKED[at]: way.asked[at] for at in differing}
    if way.model.startswith("recorded/"):
        words.pop("strategy", None)  # it says "recorded" once more
    if words.get("generation") == "none":
        del words["generation"]  # as the provider has it
    parts = [f"{key}={word}" if key in _NAMED else word for key, word in words.items()]
    settings = dict(way.settings)
    parts += [f"{key}={log_settings.shown(settings[key])}" for key in keys if key in settings]
    end = f" ({way.again})" if way.again else ""
    return printable(" · ".join([way.model, *parts]), _LABEL) + end


def _unique(names: Sequence[str]) -> list[str]:
    """Number names that are the same once they are cut and printable."""
    unique: list[str] = []
    for name in names:
        number, label = 2, name
        while label in unique:
            label, number = f"{name} [{number}]", number + 1
        unique.append(label)
    return unique
