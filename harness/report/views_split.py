"""Metrics at every value of a feature, or at every way a model was asked."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from harness.core.hookspecs import Metric, View
from harness.report import numbers
from harness.report import views_base as base
from harness.report.labels import natural, stem, unique
from harness.report.model import (
    ASKED,
    Answer,
    Cell,
    Curve,
    Estimate,
    Figure,
    FigureKind,
    Panel,
    Section,
    Series,
    Study,
    Table,
)

SETTINGS = ("strategy", "tools", "context", "structured")
DISTINCT = 12  # numbers that are places of their own; more are put in bins
BINS = 8


@dataclass(frozen=True, slots=True)
class Places:
    """The values of a feature in order, and the answers at each: per line, place by place.

    ``shown``: labels of the lines that figures show; ``pooled``: a note on the line of all language models, which
    only tables have.
    """

    names: tuple[str, ...]
    lines: tuple[tuple[str, Mapping[str, Sequence[Answer]]], ...]
    shown: frozenset[str]
    numeric: bool = False  # places are numbers on a scale
    ordered: bool = False  # numbers or bins of them
    note: str = ""
    pooled: str = ""


def split(part: base.Part, view: View) -> Section | None:
    """Return a table and a figure per feature with several values: every metric at every value."""
    metrics = [numbers.metric_of(part.benchmark, name) for name in view.metrics]
    pieces = []
    for feature in view.features:
        setting = feature in SETTINGS
        places = _settings(part, feature) if setting else _values(part, feature)
        if places is not None and len(places.names) > 1:
            name = view.name if len(view.features) == 1 else f"{view.name}_{stem(feature)}"
            title = view.title if len(view.features) == 1 else f"{view.title}: {feature}"
            pieces.append(_section(part, places, metrics, (name, title, feature), setting))
    return base.joined_sections(view.title, pieces, view.note)


def _values(part: base.Part, feature: str) -> Places | None:
    """Return the values of a feature of the items; nothing where no item has it."""
    tags = feature in part.benchmark.tags
    items = base.features_by_item(part)
    values = {key: row[feature] for key, row in items.items() if feature in row}
    if not values:
        return None
    ordered = not tags and all(base.is_number(value) for value in values.values())
    binned = ordered and len(set(values.values())) > DISTINCT
    if ordered:
        every = sorted(values.values())
        word_of = _bins(every) if binned else {value: base.word(value) for value in every}
        names = tuple(dict.fromkeys(word_of[value] for value in every))
        words = {key: [word_of[value]] for key, value in values.items()}
    else:
        words = {
            key: sorted(set(str(value).split())) if tags else [base.word(value)]
            for key, value in values.items()
        }
        names = tuple(sorted({word for own in words.values() for word in own}, key=natural))
    notes = ["An item counts under each of its words."] if tags else []
    if len(names) > base.PLACES:
        notes.append(f"Only the {base.PLACES} most frequent of {len(names)} values are shown.")
        counts = Counter(word for several in words.values() for word in several)
        frequent = sorted(names, key=lambda name: (-counts[name], name))[: base.PLACES]
        names = tuple(name for name in names if name in frequent)
    if missing := len(items) - len(values):
        notes.append(f"Items that have no {feature} are left out ({missing}).")
    rows, pooled = base.with_all_models(part.series)
    lines: list[tuple[str, dict[str, list[Answer]]]] = []
    for series in rows:
        answers_at: dict[str, list[Answer]] = defaultdict(list)
        for answer in series.answers:
            for word in words.get(answer.id, ()):
                answers_at[word].append(answer)
        lines.append((base.label(series), {at: answers_at[at] for at in answers_at if at in names}))
    return Places(
        names=names,
        lines=tuple(lines),
        shown=frozenset(map(base.label, base.leading(part)[0])),
        numeric=ordered and not binned,
        ordered=ordered,
        note=" ".join(notes),
        pooled=pooled,
    )


def _bins(values: Sequence[float]) -> dict[float, str]:
    """Return a label per number: up to `BINS` bins with about as many items each, equal ones together."""
    counts, below = Counter(values), 0
    bins: dict[int, list[float]] = defaultdict(list)
    for value in sorted(counts):
        bins[BINS * below // len(values)].append(value)
        below += counts[value]
    names: dict[float, str] = {}
    for members in bins.values():
        ends = (members[0], members[-1])[: len(members)]
        names |= dict.fromkeys(members, "–".join(map(base.word, ends)))
    return names


def _settings(part: base.Part, feature: str) -> Places | None:
    """Return the ways in which the same model was asked; nothing where none was asked in several."""
    groups: dict[tuple[str, ...], dict[str, Series]] = defaultdict(dict)
    for series in part.series:
        others = [series.asked.get(key, "") for key in ASKED if key != feature]
        line = (series.model, series.kind, str(series.again), *others, str(series.settings))
        setting = series.asked.get(feature, "") or "none"
        # A second run of a setting is a line of its own.
        turns = ((*line, str(turn)) for turn in range(len(part.series)))
        key = next(key for key in turns if setting not in groups.get(key, {}))
        groups[key][setting] = series
    groups = {key: group for key, group in groups.items() if len(group) > 1}
    members = [list(group.values()) for group in groups.values()]
    names = unique((_line_name(group, feature) for group in members), "{} (run {})")
    lines = tuple(
        (name, {setting: list(series.answers) for setting, series in group.items()})
        for name, group in zip(names, groups.values(), strict=True)
    )
    settings = tuple(sorted({name for _, answers_at in lines for name in answers_at}, key=natural))
    items = [
        {frozenset(a.id for a in answers) for answers in places.values()} for _, places in lines
    ]
    same = all(len(different) == 1 for different in items)
    note = "" if same else "Settings of a model have different items (see n)."
    shown = [line for line, _ in lines[: base.SHOWN]]
    return Places(settings, lines, frozenset(shown), note=note) if lines else None


def _line_name(group: Sequence[Series], feature: str) -> str:
    """Return the name of a model's line: what all of its settings have in common, and all of its runs."""
    first = group[0]
    words = {key: text for key, text in first.words.items() if key != feature}
    if len({series.words.get("run") for series in group}) > 1:
        words.pop("run", None)
    remark = base.NOT_MODELS.get(first.kind, "judged anew" if first.again else "")
    name = " · ".join((first.model, *words.values()))
    return f"{name} ({remark})" if remark else name


def _section(
    part: base.Part,
    places: Places,
    metrics: Sequence[Metric],
    words: tuple[str, str, str],
    setting: bool,
) -> Section | None:
    """Return the table and figure of one feature; ``words`` are the name, the title and the feature."""
    name, title, feature = words
    results = estimates(part.study, places, metrics)
    if not results.metrics:
        return None
    head, rows = results.rows()
    columns = (feature, "model" if setting else "series", *head[:-1])
    note = base.notes(places.note, places.pooled)
    table = Table(name, title, columns, tuple(row[:-1] for row in rows), note)
    note = base.notes(places.note, "" if setting else base.leading(part)[1])
    return Section(title, (table,), results.figure((name, title, feature), note))


@dataclass(frozen=True, slots=True)
class Estimates:
    """The metrics that are defined somewhere, of each line and each floor at every place."""

    places: Places
    metrics: Sequence[Metric]
    cells: Mapping[tuple[str, str], Sequence[Estimate | None]]  # by line and place
    floors: Mapping[str, Mapping[str, Sequence[Estimate | None]]]  # by place and name

    def rows(self, most: int | None = None) -> tuple[tuple[str, ...], list[tuple[Cell, ...]]]:
        """Return the names of the columns after the first two, and all rows: the lines at a place, then its floors.

        A row is the place, the line, n, so many of the metrics, output tokens and searches where any are known, the
        share of unparsed answers and the number of unscored ones.
        """
        counts: dict[str, dict[tuple[str, str], Cell]] = {"output tokens": {}, "searched": {}}
        for line, answers_at in self.places.lines:
            for place, answers in answers_at.items():
                counts["output tokens"][line, place] = base.cell(numbers.output_tokens(answers))
                counts["searched"][line, place] = numbers.searched(answers)
        known = {name: cells for name, cells in counts.items() if any(cells.values())}
        rows: list[tuple[Cell, ...]] = []
        for place in self.places.names:
            for line, answers_at in self.places.lines:
                if place in answers_at:
                    answers, cells = answers_at[place], self.cells[line, place][:most]
                    counted = (column[line, place] for column in known.values())
                    n = sum(answer.counts for answer in answers)
                    ends = (base.unparsed(answers), len(answers) - n)
                    rows.append((place, line, n, *cells, *counted, *ends))
            empty = (None,) * (2 + len(known))
            floors = self.floors[place].items()
            rows += [(place, name, None, *row[:most], *empty) for name, row in floors]
        names = (metric.name for metric in self.metrics[:most])
        last = (*known, "unparsed", "unscored")
        return ("n", *names, *last), rows

    def figure(
        self, words: tuple[str, str, str], note: str, most: int | None = None
    ) -> tuple[Figure, ...]:
        """Return a figure with a panel for each of so many metrics, or none.

        ``words`` are the table's name, the title and the x axis.
        """
        name, title, x = words
        drawn = [self._panel(i, metric.name, x) for i, metric in enumerate(self.metrics[:most])]
        panels = tuple(filter(None, drawn))
        kind: FigureKind = "lines" if self.places.ordered else "bars"
        if not panels:
            return ()
        return (Figure(f"{name}_plot", title, kind, panels, base.curves_text(panels), note),)

    def _panel(self, i: int, metric: str, x: str) -> Panel | None:
        places, floors = self.places, self.floors

        def curve(name: str, cells: Iterable[Sequence[Estimate | None]], floor: bool) -> Curve:
            return Curve(name, tuple(row[i] if row else None for row in cells), floor)

        lines = [
            curve(line, (self.cells.get((line, at), ()) for at in places.names), False)
            for line, _ in places.lines
            if line in places.shown
        ]
        below = [
            curve(name, (floors[at].get(name, ()) for at in places.names), True)
            for name in dict.fromkeys(name for rows in floors.values() for name in rows)
        ]
        curves = tuple(curve for curve in lines if any(curve.points))
        if not curves:
            return None
        curves += tuple(curve for curve in below if any(curve.points))
        points = (point for curve in curves for point in curve.points if point is not None)
        unit = all(point.value is not None and 0 <= point.value <= 1 for point in points)
        return Panel(
            title=metric, x=x, y=metric, places=places.names, numeric=places.numeric,
            curves=curves, unit=unit,
        )  # fmt: skip


def estimates(
    study: Study, places: Places, metrics: Sequence[Metric], first: bool = False
) -> Estimates:
    """Return metrics at every place; left out are those defined nowhere, but the first stays if ``first``."""
    rows = {
        (line, place): [base.cell(numbers.estimate(metric, answers)) for metric in metrics]
        for line, answers_at in places.lines
        for place, answers in answers_at.items()
    }
    defined = [i for i in range(len(metrics)) if any(row[i] for row in rows.values())]
    use = [0, *(i for i in defined if i)] if first else defined
    metrics = [metrics[i] for i in use]
    ids = {
        place: {answer.id for _, answers_at in places.lines for answer in answers_at.get(place, ())}
        for place in places.names
    }
    low = base.floors(metrics, study, ids) if metrics else {}
    cells = {key: [row[i] for i in use] for key, row in rows.items()}
    return Estimates(places, metrics, cells, low)
