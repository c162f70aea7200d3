"""What the views of a report share: the answers they are about, their labels, places and cells."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from harness.core.hookspecs import Benchmark, Metric
from harness.report import numbers, statistics
from harness.report.labels import first_four, number_text, stem
from harness.report.model import (
    Answer,
    Curve,
    Estimate,
    Panel,
    Section,
    Series,
    Study,
    Table,
    answers_of,
)  # fmt: skip

SHOWN = 12  # series in a figure; tables have all
# Of a number that is plotted and fitted: its square, and as a short float it, is one, too.
LARGEST = 1e30
PLACES = 40  # values of a feature that a split shows
TOGETHER = "all language models together"
SHORT = {"reference": "symbolic reference", "baseline": "baseline"}
_NO_MODEL = ", not a language model"
NOT_MODELS = {kind: f"{short}{_NO_MODEL}" for kind, short in SHORT.items()}


@dataclass(frozen=True, slots=True)
class Part:
    """Some answers of a study: ``series`` has only those that a view is about, and none without any."""

    study: Study
    series: tuple[Series, ...]
    where: Mapping[str, Any] = field(default_factory=dict)  # features of all the items
    task: str = ""  # where there are several

    @property
    def benchmark(self) -> Benchmark:
        """Return the benchmark that the answers are to."""
        return self.study.benchmark

    def title(self, words: str) -> str:
        """Return the title of what is of one task."""
        return f"{words}: {self.task}" if self.task else words

    def name(self, words: str) -> str:
        """Return the name of what is of one task."""
        return f"{words}_{stem(self.task)}" if self.task else words


def part_of(study: Study, where: Mapping[str, Any], task: str = "") -> Part:
    """Return the answers to items with these features; None stands for a feature that an item lacks."""
    parts = study.series
    if where:
        chosen = ([a for a in series.answers if matches(a, where)] for series in parts)
        parts = tuple(replace(s, answers=kept) for s, kept in zip(parts, chosen, strict=True))
    return Part(study, tuple(series for series in parts if series.answers), where, task)


def by_task(study: Study) -> list[Part]:
    """Return the answers of each task; all together where there is but one."""
    names = {answer.row.features.get("task") for answer in answers_of(study.series)}
    if len(names) < 2:
        return [part_of(study, {})]
    return [
        part_of(study, {"task": name}, "no task" if name is None else str(name))
        for name in sorted(names, key=lambda name: (name is None, str(name)))
    ]


def matches(answer: Answer, where: Mapping[str, Any]) -> bool:
    """Say whether an answer's item has these features."""
    return all(answer.row.features.get(key) == value for key, value in where.items())


def features_by_item(part: Part) -> dict[str, Mapping[str, Any]]:
    """Return the features of each item that is answered, by its id."""
    return {answer.id: answer.row.features for answer in answers_of(part.series)}


def label(series: Series) -> str:
    """Return the name of a series in tables and figures, which says where it is no language model."""
    remark = NOT_MODELS.get(series.kind)
    return f"{series.label} ({remark})" if remark else series.label


def brief(text: str) -> str:
    """Return a text where labels say "(baseline)" and no more: figures and screens have little room."""
    return text.replace(f"{_NO_MODEL})", ")")


def brief_table(table: Table) -> Table:
    """Return a table with `brief` texts in its cells."""
    rows = [[brief(cell) if isinstance(cell, str) else cell for cell in row] for row in table.rows]
    return replace(table, rows=tuple(map(tuple, rows)))


def leading(part: Part) -> tuple[tuple[Series, ...], str]:
    """Return the series that figures show, in the study's order, and a note where some are left out."""
    shown, every = highest(part.series, part, SHOWN), len(part.series)
    if len(shown) == every:
        return part.series, ""
    most = f"the {SHOWN} of {every} series with the highest {part.benchmark.headline}"
    return tuple(shown), f"Figures show {most}; tables have all."


def highest(all_series: Sequence[Series], part: Part, most: int) -> Sequence[Series]:
    """Return so many series, those with the highest headline, in the order given."""
    if len(all_series) <= most:
        return all_series
    headline = numbers.metric_of(part.benchmark, part.benchmark.headline)
    kept = {s.label for s in sorted(all_series, key=lambda series: rank(headline, series))[:most]}
    return [series for series in all_series if series.label in kept]


def rank(metric: Metric, series: Series) -> float:
    """Return what series are sorted by so that the highest value comes first, and one that is undefined last."""
    value = numbers.value_of(metric, series.answers)
    return -value if math.isfinite(value) else math.inf


def cell(estimate: Estimate | None) -> Estimate | None:
    """Return what a table's cell holds: nothing for an estimate without a value."""
    return None if estimate is None or estimate.value is None else estimate


def number(value: float, n: int, method: str = "") -> Estimate | None:
    """Return a bare number as a cell; nothing for nan."""
    return Estimate(float(value), n=n, method=method) if math.isfinite(value) else None


def with_all_models(all_series: Sequence[Series]) -> tuple[tuple[Series, ...], str]:
    """Return the series of a table and a note: after all series, that of all language models together.

    There is none of fewer than two, nor where they were judged by several conventions or asked about items of
    several kinds.
    """
    models = language_models(all_series)
    kinds = {
        (model.asked.get("convention", ""), *sorted(model.settings.items())) for model in models
    }
    if len(models) < 2 or len(kinds) > 1:
        return tuple(all_series), ""
    name = TOGETHER
    while any(label(series) == name for series in all_series):  # a model may be called anything
        name += "*"
    logs = tuple(sorted({log for model in models for log in model.logs}))
    last = Series(name, "model", name, {}, logs, with_common_sources(models))
    note = (
        f"All language models together: the answers of {len(models)} series; for intervals, an item's answers "
        "share a source."
    )
    return (*all_series, last), note


def language_models(all_series: Iterable[Series]) -> list[Series]:
    """Return the series of language models, those left out whose answers another holds too."""
    return [series for series in all_series if series.of_model and not series.again]


def with_common_sources(all_series: Sequence[Series]) -> list[Answer]:
    """Return the answers of several series, all to one item with one source: they are not independent."""
    sources: dict[str, str] = {}
    answers = []
    for answer in answers_of(all_series):
        source = sources.setdefault(answer.id, answer.source)
        answers.append(answer if answer.source == source else replace(answer, source=source))
    return answers


def proportion(hits: NDArray[np.bool_], sources: Sequence[str]) -> Estimate:
    """Return the share of hits, with the interval of a mean."""
    interval = statistics.mean(hits.astype(np.float64), sources)
    return numbers.estimate_of(interval, len(hits))


def unparsed(answers: Sequence[Answer]) -> Estimate | None:
    """Return the share of unparsed answers among all but the unscored ones."""
    marks = numbers.unparsed_marks(answers)
    sources = [answer.source for answer in answers]
    return numbers.estimate_mean(marks, sources) if any(marks) else None


def floors(
    metrics: Sequence[Metric], study: Study, places: Mapping[str, set[str]]
) -> dict[str, dict[str, list[Estimate | None]]]:
    """Return the floors by place and by name: one number per metric for the items of the place.

    Where the first constant answer scores as the best one does, at all places and by all metrics, both are one floor.
    """
    kinds = numbers.KINDS
    every = {}
    for place, ids in places.items():
        lowest = numbers.floors(metrics, study, ids)
        every[place] = {kind: [cell(lowest[m.name].get(kind)) for m in metrics] for kind in kinds}
    called = {kind: f"{kind} floor" for kind in kinds}
    if all(rows["majority"] == rows["constant"] for rows in every.values()):
        del called["constant"]
        called["majority"] = "majority and constant floor"
    return {
        place: {name: rows[kind] for kind, name in called.items() if any(rows[kind])}
        for place, rows in every.items()
    }


def is_number(value: object) -> bool:
    """Say whether a feature's value is a number that can be reckoned with; yes and no are none."""
    return isinstance(value, int | float) and not isinstance(value, bool) and abs(value) <= LARGEST


def word(value: object) -> str:
    """Return a feature's value as a place's label."""
    return f"{value:.6g}" if isinstance(value, float) else str(value)


def notes(*parts: str) -> str:
    """Return the notes that there are, as one text."""
    return " ".join(part for part in parts if part)


def joined_sections(title: str, pieces: Iterable[Section | None], note: str = "") -> Section | None:
    """Return several sections as one; None if there is nothing in them."""
    present = [piece for piece in pieces if piece is not None]
    tables = tuple(table for piece in present for table in piece.tables)
    figures = tuple(figure for piece in present for figure in piece.figures)
    remarks = dict.fromkeys([note, *(piece.note for piece in present)])
    return Section(title, tables, figures, notes(*remarks)) if tables or figures else None


def curves_text(panels: Sequence[Panel]) -> str:
    """Say in words what lines or bars show: each series of the first panel, and the range of all."""
    first = panels[0]
    texts = [text for curve in first.curves if (text := _curve_text(curve, first.places))]
    points = [
        (point.value, curve.label, place if len(panel.places) > 1 else "", panel.title)
        for panel in panels
        for curve in panel.curves
        if not curve.floor
        for place, point in zip(panel.places, curve.points, strict=True)
        if point is not None and point.value is not None
    ]
    low, high = (
        f"{number_text(value)} ({title}, {name}{' at ' if place else ''}{place})"
        for value, name, place, title in (min(points), max(points))
    )
    ends = f"The lowest value is {low}, the highest {high}." if len(points) > 1 else ""
    return f"{first.title}: {first_four(texts)} {ends}".strip()


def _curve_text(curve: Curve, places: Sequence[str]) -> str:
    defined = [
        (place, point.value)
        for place, point in zip(places, curve.points, strict=True)
        if point is not None and point.value is not None
    ]
    if not defined:
        return ""
    if len(places) == 1:
        return f"{curve.label} {number_text(defined[0][1])}"
    ends = defined if len(defined) < 3 else [defined[0], defined[-1]]
    shown = ", ".join(f"{number_text(value)} at {place}" for place, value in ends)
    return f"{curve.label} {shown}"
