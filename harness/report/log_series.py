"""Which logs are one series: a model asked in one way about items of one kind, each item answered once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from scipy import cluster

from harness.core.facts import printable
from harness.core.hookspecs import Benchmark
from harness.report import log_settings
from harness.report.log_facts import ReadLog
from harness.report.model import ASKED, Answer, Kind, Series
from harness.report.texts import unique

# What a way of asking is called in a label where its value alone would not say what it is.
_NAMED = ("tools", "context", "structured", "gold", "wrappers")
_LABEL = 200


@dataclass(frozen=True, slots=True)
class _Way:
    """What the logs of a series have in common; ``again`` says which judgement of the same answers it is."""

    model: str
    asked: tuple[str, ...]
    settings: tuple[tuple[str, str], ...]
    again: str


def series(benchmark: Benchmark, logs: Sequence[ReadLog]) -> tuple[Series, ...]:
    """Return the series of one benchmark's logs, in the order in which their models and ways first come.

    Logs of a model that was asked in one way about items of one kind are one series as long as no item comes twice
    (a sweep); a log that has an item again begins the series' next run, in the order in which the logs were made,
    but for the retry of an earlier one, which goes on with it (`inspect eval-retry`): its answers count. A
    log of answers that another log holds too (the run, and the run judged anew) is never a run: it is a series of
    its own that says so.
    """
    again = _judged_before(logs)
    settings = log_settings.settings(benchmark, logs)
    ways: dict[_Way, list[ReadLog]] = {}
    for log in logs:
        manner = tuple(log.facts.asked[key] for key in ASKED)
        kept = tuple(sorted(settings[log.place].items()))
        ways.setdefault(_Way(log.facts.model, manner, kept, again[log.place][1]), []).append(log)
    keys = log_settings.differing_keys([dict(way.settings) for way in ways])
    merged = _merged_sources(logs)
    return tuple(
        Series(
            label=label if number == 1 else f"{label} (run {number})",
            kind=_kind(way.model),
            model=way.model,
            asked=run[0].facts.asked,
            logs=tuple(log.place for log in run),
            answers=_answers(run, merged),
            settings={key: value for key, value in way.settings if key in keys},
            again=any(again[log.place][0] for log in run),
        )
        for label, (way, members) in zip(_labels(list(ways), keys), ways.items(), strict=True)
        for number, run in enumerate(_runs(members), 1)
    )


def _judged_before(logs: Sequence[ReadLog]) -> dict[int, tuple[bool, str]]:
    """Return, by each log's place, whether an earlier log holds answers of it, and how its label says so.

    It need not say so where the two were judged by different conventions: the labels do. The run as it was judged
    first comes first, whatever the order of the logs.
    """
    runs: dict[str, list[ReadLog]] = {}
    for log in sorted(logs, key=_age):
        runs.setdefault(log.run, []).append(log)
    marks = {}
    for members in runs.values():
        for count, log in enumerate(members):
            known = [other for other in members[:count] if not other.ids.isdisjoint(log.ids)]
            alike = [other for other in known if other.facts.asked == log.facts.asked]
            word = "judged anew" if log.judged_anew else "same run"
            number = f" {len(alike)}" if len(alike) > 1 else ""
            marks[log.place] = bool(known), f"{word}{number}" if alike else ""
    return marks


def _age(log: ReadLog) -> tuple[bool, str, int, str, int]:
    name = Path(log.facts.path).name
    return log.judged_anew, log.facts.created, len(name), name, log.place


def _runs(logs: Sequence[ReadLog]) -> list[list[ReadLog]]:
    """Return the logs run by run: a run has no item twice, but for retries."""
    runs: list[tuple[list[ReadLog], set[str]]] = []
    for log in sorted(logs, key=lambda log: (log.facts.created, log.place)):
        for run, known in runs:
            if known.isdisjoint(log.ids) or any(_retried(earlier, log) for earlier in run):
                run.append(log)
                known.update(log.ids)
                break
        else:
            runs.append(([log], set(log.ids)))
    return [run for run, _ in runs]


def _retried(first: ReadLog, second: ReadLog) -> bool:
    """Return whether a log goes on with the run of an earlier one: Inspect gives both one task id."""
    same = first.spec.task_id == second.spec.task_id and first.spec.model == second.spec.model
    return bool(first.spec.task_id) and same


def _answers(run: Sequence[ReadLog], merged: Mapping[str, str]) -> tuple[Answer, ...]:
    answers: dict[str, Answer] = {}
    for log in run:  # a retry comes after what it retries
        for item_id, judged in log.sheet.judged.items():
            source = judged.source or judged.family or item_id
            if item_id not in answers or judged.row.outcome != "unscored":
                source = merged.get(source, source)
                answers[item_id] = Answer(judged.row, item_id, source, log.place, judged.repeats)
    return tuple(sorted(answers.values(), key=lambda answer: answer.id))


def _kind(model: str) -> Kind:
    if model == "harness/reference":
        return "reference"
    if model in ("harness/constant", "harness/random"):
        return "baseline"
    return "recorded" if model.startswith("recorded/") else "model"


def _merged_sources(logs: Sequence[ReadLog]) -> dict[str, str]:
    """Return what stands for each source that shares a family with another: the first of them by name.

    A family's forms are one problem, so they are never counted as independent, whatever else they share.
    """
    sources = cluster.hierarchy.DisjointSet()
    first: dict[str, str] = {}
    for log in logs:
        for judged in log.sheet.judged.values():
            if judged.source and judged.family:
                sources.add(judged.source)
                sources.merge(first.setdefault(judged.family, judged.source), judged.source)
    return {name: min(names) for names in sources.subsets() for name in names}


def _labels(ways: Sequence[_Way], keys: Sequence[str]) -> list[str]:
    """Return a unique name for each way: the model, and what of the asking and the items differs between the ways."""
    differing = [at for at in range(len(ASKED)) if len({way.asked[at] for way in ways}) > 1]
    return unique((_label(way, differing, keys) for way in ways), "{} [{}]")


def _label(way: _Way, differing: Sequence[int], keys: Sequence[str]) -> str:
    words = {ASKED[at]: way.asked[at] for at in differing}
    if way.model.startswith("recorded/"):
        words.pop("strategy", None)  # it says "recorded" once more
    if words.get("generation") == "none":
        del words["generation"]  # as the provider has it
    parts = [f"{key}={word}" if key in _NAMED else word for key, word in words.items()]
    settings = dict(way.settings)
    parts += [f"{key}={log_settings.label_text(settings[key])}" for key in keys if key in settings]
    end = f" ({way.again})" if way.again else ""
    return printable(" · ".join([way.model, *parts]), _LABEL) + end
