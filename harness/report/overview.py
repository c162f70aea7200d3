"""The table that a report opens with: models by benchmarks, each headline with its interval, and the best floor."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from harness.report import numbers, numbers_floors, statistics_tests
from harness.report import views_base as base
from harness.report.compare_pair import comparison, on_common_items
from harness.report.model import ASKED, Cell, Series, Study, Table, answers_of
from harness.report.summary import parts

ALPHA = 0.05
NOTE = (
    "Each benchmark's headline with its 95 % interval; the floor is the best of answers given without reading. Bold: "
    "the best language model of a column, where paired tests on the shared items tell it from every other one "
    f"(p < {ALPHA} after Holm's correction)."
)

Key = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Overview:
    """The table, and the cells that are bold, as (row, column)."""

    table: Table
    bold: frozenset[tuple[int, int]]


def overview(studies: Sequence[Study]) -> Overview | None:
    """Return the headline of every series in every benchmark (or task of one); None where there is one number."""
    columns = [
        (study, name, base.part_of(study, where))
        for study in studies
        for name, where in parts(study)
    ]
    names = _names([series for _, _, part in columns for series in part.series])
    order = sorted(names, key=lambda key: _KINDS.index(key[0]))
    if len(order) * len(columns) < 2:
        return None
    head, cells, bold = ["model"], [[names[key]] for key in order], set()
    floors: list[Cell] = ["best floor"]
    rows: list[list[Cell]] = [list(row) for row in cells]
    for at, (study, task, part) in enumerate(columns, 1):
        benchmark = study.benchmark
        metric = numbers.metric_of(benchmark, benchmark.headline)
        head.append(f"{benchmark.name}{f', {task}' if task else ''}: {metric.name}")
        by_key = {_key(series): series for series in part.series}
        for row, key in zip(rows, order, strict=True):
            series = by_key.get(key)
            row.append(base.cell(numbers.estimate(metric, series.answers)) if series else None)
        best = _best(part, by_key)
        bold |= {(order.index(key), at) for key in best}
        ids = {answer.id for answer in answers_of(part.series)}
        lowest = numbers_floors.floors([metric], study, ids)[metric.name]
        known = [floor for floor in lowest.values() if floor.value is not None]
        floors.append(max(known, key=lambda floor: floor.value or 0, default=None))
    table = Table("overview", "Overview", tuple(head), (*map(tuple, rows), tuple(floors)), NOTE)
    return Overview(table, frozenset(bold))


_KINDS = ("model", "recorded", "reference", "baseline")


def _key(series: Series) -> Key:
    """Return what makes two series of several benchmarks one row: the model, how it was asked, what its items are."""
    asked = (series.asked.get(name, "none") for name in ASKED)
    settings = (f"{name}={value}" for name, value in sorted(series.settings.items()))
    number = (
        series.label.rpartition(" (run ")[2].removesuffix(")") if " (run " in series.label else ""
    )
    return (
        series.kind,
        series.model,
        *asked,
        " ".join(settings),
        f"run {number}" if number else "",
    )


def _names(every: Sequence[Series]) -> dict[Key, str]:
    """Return each row's name: the model, then what tells it from other rows of the same model."""
    remarks = {_key(series): base.NOT_MODELS.get(series.kind, "") for series in every}
    names = {}
    for key, remark in remarks.items():
        alike = [other for other in remarks if other[:2] == key[:2]]
        differing = [at for at in range(2, len(key)) if len({other[at] for other in alike}) > 1]
        words = [_word(at, key[at]) for at in differing if key[at] not in ("", "none", "no")]
        kind = f" ({remark.partition(',')[0]})" if remark else ""
        names[key] = " · ".join([key[1], *words]) + kind
    return names


def _word(at: int, value: str) -> str:
    name = ASKED[at - 2] if at - 2 < len(ASKED) else ""
    return f"{name} {value}" if name and name != "strategy" else value


def _best(part: base.Part, by_key: Mapping[Key, Series]) -> list[Key]:
    """Return the language model that tests tell from all others, in a list; an empty one where there is none."""
    metric = numbers.metric_of(part.benchmark, part.benchmark.headline)
    models = [
        (key, series) for key, series in by_key.items() if series.of_model and not series.again
    ]
    if len(models) < 2:
        return []
    ranked = sorted(models, key=lambda known: base.rank(metric, known[1]))
    (key, best), *others = ranked
    chances = []
    for _, other in others:
        pair = on_common_items(best, other)
        if not pair.first:
            return []
        (result,) = comparison(part.benchmark, pair, [metric], named=True)["metrics"]
        difference = result["difference"]
        if result["p"] is None or difference is None or difference >= 0:
            return []
        chances.append(float(result["p"]))
    return [key] if max(statistics_tests.holm(chances)) < ALPHA else []
