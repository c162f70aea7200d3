"""The table that a report opens with: models by benchmarks, each headline with its interval, and the best floor."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import count

from harness.report import numbers, numbers_floors, statistics_tests
from harness.report import views_base as base
from harness.report.compare_pair import comparison, on_common_items
from harness.report.model import ASKED, Cell, Series, Study, Table, answers_of
from harness.report.texts import unique

ALPHA = 0.05
NOTE = (
    "Each benchmark's headline with its 95 % interval; the floor is the best of constant answers, random ones and "
    "shortcuts. Bold: the best language model of a column, where paired tests on the shared items tell it from every "
    f"other one (p < {ALPHA} after Holm's correction)."
)

Key = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Overview:
    """The table, and the cells that are bold, as (row, column)."""

    table: Table
    bold: frozenset[tuple[int, int]]


def overview(studies: Sequence[Study]) -> Overview | None:
    """Return the headline of every series in every benchmark (or task of one); None where there is one number."""
    columns = [part for study in studies for part in base.by_task(study)]
    series_of = list(map(_by_row, columns))
    names = _names(series_of)
    order = sorted(names, key=lambda key: _KINDS.index(key[0]))
    if len(order) * len(columns) < 2:
        return None
    head, bold = ["model"], set()
    floors: list[Cell] = ["best floor"]
    rows: list[list[Cell]] = [[names[key]] for key in order]
    for at, part in enumerate(columns, 1):
        benchmark = part.benchmark
        metric = numbers.metric_of(benchmark, benchmark.headline)
        head.append(f"{benchmark.name}{f', {part.task}' if part.task else ''}: {metric.name}")
        by_key = series_of[at - 1]
        for row, key in zip(rows, order, strict=True):
            series = by_key.get(key)
            row.append(base.cell(numbers.estimate(metric, series.answers)) if series else None)
        if best := _best(part, by_key):
            bold.add((order.index(best), at))
        ids = {answer.id for answer in answers_of(part.series)}
        lowest = numbers_floors.floors([metric], part.study, ids)[metric.name]
        known = [floor for floor in lowest.values() if floor.value is not None]
        floors.append(max(known, key=lambda floor: floor.value or 0, default=None))
    table = Table("overview", "Overview", tuple(head), (*map(tuple, rows), tuple(floors)), NOTE)
    return Overview(table, frozenset(bold))


_KINDS = ("model", "recorded", "reference", "baseline")


def _key(series: Series) -> Key:
    """Return what makes two series of several benchmarks one row: the model, how it was asked, what its items are."""
    asked = (series.asked.get(name, "none") for name in ASKED)
    settings = (
        f"{name}={value}" for name, value in sorted(series.settings.items()) if value != "none"
    )
    return (series.kind, series.model, *asked, " ".join(settings), "again" if series.again else "")


def _by_row(part: base.Part) -> dict[Key, Series]:
    """Return the series by their rows: a second run of the same thing has a row of its own."""
    rows: dict[Key, Series] = {}
    for series in part.series:
        turns = ((*_key(series), f"run {turn}") for turn in count(1))
        rows[next(key for key in turns if key not in rows)] = series
    return rows


def _names(columns: Sequence[Mapping[Key, Series]]) -> dict[Key, str]:
    """Return each row's name: the model, then what tells it from other rows of the same model."""
    keys = list(dict.fromkeys(key for column in columns for key in column))
    names = {}
    for key in keys:
        runs = {column[key].words.get("run", "") for column in columns if key in column}
        alike = [other for other in keys if other[:2] == key[:2]]
        differing = [at for at in range(2, len(key) - 1) if len({other[at] for other in alike}) > 1]
        words = [_word(at, key[at]) for at in differing if key[at] not in ("", "none", "no")]
        # Runs of several benchmarks in one row may differ in what tells them from others.
        run = " / ".join(sorted(runs - {""}))
        words += [run] if run and (len(runs) == 1 or key[-1] != "run 1") else []
        remark = base.SHORT.get(key[0])
        names[key] = " · ".join([key[1], *words]) + (f" ({remark})" if remark else "")
    return dict(zip(names, unique(names.values(), "{} ({})"), strict=True))


def _word(at: int, value: str) -> str:
    name = ASKED[at - 2] if at - 2 < len(ASKED) else ""
    if value == "again":
        return "judged anew"
    return f"{name} {value}" if name and name != "strategy" else value


def _best(part: base.Part, by_key: Mapping[Key, Series]) -> Key | None:
    """Return the language model that tests tell from all others, if there is one."""
    metric = numbers.metric_of(part.benchmark, part.benchmark.headline)
    models = [
        (key, series) for key, series in by_key.items() if series.of_model and not series.again
    ]
    if len(models) < 2:
        return None
    ranked = sorted(models, key=lambda known: base.rank(metric, known[1]))
    (key, best), *others = ranked
    chances = []
    for _, other in others:
        pair = on_common_items(best, other)
        if not pair.first:
            return None
        (result,) = comparison(part.benchmark, pair, [metric], named=True)["metrics"]
        difference = result["difference"]
        if result["p"] is None or difference is None or difference >= 0:
            return None
        chances.append(float(result["p"]))
    return key if max(statistics_tests.holm(chances)) < ALPHA else None
