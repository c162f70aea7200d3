"""Which tables and figures a report has of one benchmark, and the table of all benchmarks that it opens with."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import count, product

from harness.core.hookspecs import Metric, View
from harness.report import numbers, statistics_tests
from harness.report import views_base as base
from harness.report.compare_pair import comparison, on_common_items
from harness.report.labels import first_four, stem, unique, unused
from harness.report.model import (
    ASKED,
    Cell,
    Curve,
    Estimate,
    Figure,
    Panel,
    Section,
    Series,
    Study,
    Summary,
    Table,
    answers_of,
)
from harness.report.sections import repeated, shortcuts, spending
from harness.report.views_forest import forests
from harness.report.views_pairs import pairs
from harness.report.views_scatter import agreement, distribution, numeric_features, scatter
from harness.report.views_split import Places, estimates, split
from harness.rerun.log_rows import OUTCOMES, outcome

COLUMNS = 10  # metrics in the first table of results
DRAWN = 3  # metrics in figures of results, and in splits that no view asks for
STRONGEST = 3  # panels of the features that matter most
TOLD = ("right", "partly right", "wrong", "unparsed", "unscored")

KINDS: Mapping[str, Callable[[base.Part, View], Section | None]] = {
    "split": split, "pairs": pairs, "scatter": scatter, "forest": forests, "distribution": distribution,
    "agreement": agreement,
}  # fmt: skip
"""What shows each of `harness.core.hookspecs.VIEWS`."""


def summarise(study: Study, prefix: str = "") -> Summary:
    """Return all sections of a report on a study; what is undefined in it is left out.

    ``prefix``: what the names of its tables and figures begin with.
    """
    tasks = base.by_task(study)
    sections = [
        base.joined_sections("Results", map(_result, tasks)),
        base.joined_sections("Shortcuts", map(shortcuts, tasks)),
        _outcomes(study),
        base.joined_sections("Repeats", map(repeated, tasks)),
        spending(study),
        *(show(study, view) for view in study.benchmark.views),
        *(show(study, view) for view in _splits(tasks)),
        *(show(study, view) for view in _spreads(study)),
        *map(_features, tasks),
    ]
    shown = base.leading(base.part_of(study, {}))[0]
    ordered = [*shown, *(series for series in study.series if series not in shown)]
    return Summary(study, _named(filter(None, sections), tuple(map(base.label, ordered)), prefix))


def _named(sections: Iterable[Section], order: tuple[str, ...], prefix: str) -> tuple[Section, ...]:
    """Return the sections with no two tables or figures of one name, all with a prefix, and brief labels in figures.

    ``order``: the labels of all series, those that figures show first; colours go by it.
    """
    taken: set[str] = set()
    order = tuple(map(base.brief, order))

    def name_of(item: Table | Figure) -> str:
        name = unused(prefix + item.name, taken, "{}_{}")
        taken.add(name)
        return name

    named = []
    for section in sections:
        tables = tuple(replace(table, name=name_of(table)) for table in section.tables)
        figures = []
        for figure in section.figures:
            name, alt = name_of(figure), base.brief(figure.alt)
            panels = tuple(map(_with_brief_labels, figure.panels))
            figures.append(replace(figure, name=name, order=order, alt=alt, panels=panels))
        named.append(replace(section, tables=tables, figures=tuple(figures)))
    return tuple(named)


def _with_brief_labels(panel: Panel) -> Panel:
    brief = base.brief
    return replace(
        panel,
        title=brief(panel.title),
        places=tuple(map(brief, panel.places)),
        curves=tuple(replace(curve, label=brief(curve.label)) for curve in panel.curves),
        clouds=tuple(replace(cloud, label=brief(cloud.label)) for cloud in panel.clouds),
        samples=tuple((brief(name), values) for name, values in panel.samples),
    )


def show(study: Study, view: View) -> Section | None:
    """Return what a view shows of a study; nothing where its answers have nothing of the kind."""
    part = base.part_of(study, view.where)
    return KINDS[view.kind](part, view) if part.series else None


def _result(part: base.Part) -> Section | None:
    """Return the tables and the figure of one task."""
    if not part.series:
        return None
    rows, pool_note = base.with_all_models(part.series)
    answers = tuple((base.label(series), {part.task: series.answers}) for series in rows)
    shown, omitted = base.leading(part)
    places = Places((part.task,), answers, frozenset(map(base.label, shown)))
    # The headline stays where nothing has been judged: its column says so.
    results = estimates(part.study, places, _metrics(part.study), first=True)
    name, title = part.name("results"), part.title("Results")
    note = base.notes(_items(part), pool_note, _probabilities(rows, results.metrics))
    wholes = [(name, title, COLUMNS)]
    if len(results.metrics) > COLUMNS:
        wholes.append((f"{name}_all_metrics", f"{title}: all metrics", len(results.metrics)))
    tables = []
    for table_name, table_title, most in wholes:
        head, lines = results.rows(most)
        cells = tuple(line[1:] for line in lines)
        tables.append(Table(table_name, table_title, ("series", *head), cells, note))
    return Section(title, tuple(tables), results.figure((name, title, ""), omitted, DRAWN), omitted)


def _metrics(study: Study) -> list[Metric]:
    """Return the metrics, the headline first; the paper's own where a log was judged by its convention."""
    benchmark = study.benchmark
    published = any(log.asked.get("convention") == "published" for log in study.logs)
    every = (*benchmark.metrics, *(benchmark.published if published else ()))
    return sorted(every, key=lambda metric: metric.name != benchmark.headline)


def _items(part: base.Part) -> str:
    """Say how many items the series answered, and whether they are the same."""
    sets = [{answer.id for answer in series.answers} for series in part.series]
    shared = len(set.intersection(*sets))
    if all(len(ids) == shared for ids in sets):
        items = f"{shared} item{'' if shared == 1 else 's'}."
        every = "Both" if len(sets) == 2 else f"All {len(sets)}"
        return f"{every} series answered the same {items}" if len(sets) > 1 else items
    total = len(set.union(*sets))
    return (
        f"The series answered different items ({total} in all, {shared} of them answered by every series): "
        "differences between rows may be differences between items; harness compare takes the shared ones."
    )


def _probabilities(all_series: Sequence[Series], metrics: Sequence[Metric]) -> str:
    """Say, of the metrics that use probabilities, which series have them."""
    names = [metric.name for metric in metrics if metric.probabilistic]
    if not names:
        return ""
    soft = [
        base.label(series)
        for series in all_series
        if not numbers.hard_labels(row for answer in series.answers for row in answer.rows)
    ]
    start = f"{', '.join(names)}: from "
    if not soft:
        return f"{start}hard labels; no series has a probability for every answer."
    rest = "" if len(soft) == len(all_series) else "; of the others from hard labels"
    return f"{start}probabilities of {', '.join(soft)}{rest}."


def _outcomes(study: Study) -> Section | None:
    """Return how many answers of each series came out how."""
    part = base.part_of(study, {})
    if not part.series:
        return None
    counts = {}
    for series in part.series:
        answers = (row for answer in series.answers for row in answer.rows)
        seen = Counter(outcome(study.benchmark, row) for row in answers)
        counts[base.label(series)] = [seen[name] for name in OUTCOMES]
    rows: list[tuple[Cell, ...]] = [(name, sum(count), *count) for name, count in counts.items()]
    first, *others = study.benchmark.values
    partly = "it is between 0 and 1"
    if others:
        more = f"it or another value of the answer ({', '.join(others)}) is above 0"
        partly = f"it is below 1, and {more}"
    note = f"Right: {first} is 1; partly right: {partly}. Unscored: no answer could be judged."
    table = Table("outcomes", "Outcomes", ("series", "answers", *TOLD), tuple(rows), note)
    shown, omitted = base.leading(part)
    names = tuple(base.label(series) for series in shown)
    curves = []
    for i, kind in enumerate(TOLD):
        told = [(counts[name][i], sum(counts[name])) for name in names]
        if any(count for count, _ in told):
            curves.append(Curve(kind, tuple(Estimate(count / n, n=n) for count, n in told)))
    panel = Panel(title="Outcomes", y="share of answers", places=names, curves=tuple(curves))
    texts = [
        f"{name}: "
        + ", ".join(f"{n} {kind}" for n, kind in zip(counts[name], TOLD, strict=True) if n)
        for name in names
    ]
    figure = Figure("outcomes_plot", "Outcomes", "stack", (panel,), first_four(texts), omitted)
    return Section("Outcomes", (table,), (figure,), omitted)


def _splits(tasks: Sequence[base.Part]) -> Iterator[View]:
    """Yield a split by each of the plugin's groups and tags that no view of it shows already."""
    benchmark = tasks[0].benchmark
    for feature, part in product(dict.fromkeys((*benchmark.groups, *benchmark.tags)), tasks):
        views = [v for v in benchmark.views if v.kind == "split" and feature in v.features]
        if all(
            any(base.matches(answer, view.where) for view in views)
            for answer in answers_of(part.series)
        ):
            continue
        # Those that some answer has a value for, the headline first.
        metrics = [
            metric.name
            for metric in _metrics(part.study)
            if any(math.isfinite(numbers.value_of(metric, s.answers)) for s in part.series)
        ]
        title = f"By {feature}, {part.task}" if part.task else f"By {feature}"
        if metrics:
            name = part.name(f"by_{stem(feature)}")
            yield View(name, "split", title, tuple(metrics[:DRAWN]), (feature,), part.where)


def _spreads(study: Study) -> Iterator[View]:
    """Yield how the first value that is not just right or wrong spreads, where no view shows it."""
    benchmark = study.benchmark
    rows = [row for answer in answers_of(study.series) for row in answer.rows]
    for key in benchmark.values:
        if any(row.value.get(key, 0) not in (0, 1) for row in rows):
            views = (view for view in benchmark.views if view.kind == "distribution")
            if not any(key in view.metrics for view in views):
                yield View("spread", "distribution", f"How {key} spreads", (key,))
            return


def _features(part: base.Part) -> Section | None:
    """Return the correlations of the headline with every numeric feature that varies."""
    benchmark = part.benchmark
    headline = numbers.metric_of(benchmark, benchmark.headline)
    # A number of the whole run has no value per item: the first of the items' own values stands for it.
    name = benchmark.values[0] if headline.compute else headline.name
    title = f"Features and {name}, {part.task}" if part.task else f"Features and {name}"
    view = View(part.name("features"), "scatter", title, (name,), numeric_features(part))
    return scatter(part, view, STRONGEST)


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
        lowest = numbers.floors([metric], part.study, ids)[metric.name]
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
