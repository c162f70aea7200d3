"""Metrics at every value of a feature, or at every way a model was asked."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

from harness.core.hookspecs import Metric, View
from harness.report import numbers
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
    Table,
)
from harness.report.views_base import (
    PLACES,
    SHOWN,
    Part,
    cell,
    counted,
    curves_told,
    defined,
    floors,
    in_unit,
    is_number,
    label,
    leading,
    natural,
    notes,
    pooled,
    section,
    stem,
    unparsed,
    word,
)

SETTINGS = ("strategy", "tools", "context", "structured")
DISTINCT = 12  # numbers that are places of their own; more are put in bins
BINS = 8

_Key = TypeVar("_Key")


@dataclass(frozen=True, slots=True)
class _Places:
    """The values of a feature in order, and the answers at each: per line, place by place."""

    names: tuple[str, ...]
    numeric: bool  # places are numbers on a scale
    ordered: bool  # numbers or bins of them
    lines: tuple[tuple[str, Mapping[str, list[Answer]]], ...]
    shown: frozenset[str]  # labels of the lines that figures show
    note: str = ""
    pooled: str = ""  # of the table's line of all language models, which figures do not show


def split(part: Part, view: View) -> Section | None:
    """Return a table and a figure per feature with several values: every metric at every value."""
    metrics = [numbers.metric_of(part.benchmark, name) for name in view.metrics]
    pieces = []
    for feature in view.features:
        setting = feature in SETTINGS
        places = _settings(part, feature) if setting else _values(part, feature)
        if places is not None and len(places.names) > 1:
            name = view.name if len(view.features) == 1 else f"{view.name}_{stem(feature)}"
            title = view.title if len(view.features) == 1 else f"{view.title}: {feature}"
            pieces.append(_shown(part, places, metrics, (name, title, feature), setting))
    return section(view.title, pieces, view.note)


# -------------------------------------------------------------------------------- places


def _values(part: Part, feature: str) -> _Places | None:
    """Return the values of a feature of the items; nothing where no item has it."""
    tags = feature in part.benchmark.tags
    items = {a.id: a.row.features for one in part.series for a in one.answers}
    values = {key: row[feature] for key, row in items.items() if feature in row}
    if not values:
        return None
    ordered = not tags and all(is_number(value) for value in values.values())
    binned = ordered and len(set(values.values())) > DISTINCT
    if binned:
        of = _bins(list(values.values()))
        names = tuple(dict.fromkeys(of[value] for value in sorted(of)))
        words = {key: [of[value]] for key, value in values.items()}
    else:
        words = {
            key: sorted(set(str(value).split())) if tags else [word(value)]
            for key, value in values.items()
        }
        names = _order(values.values(), words.values(), ordered)
    kept, note = _frequent(names, words)
    shown, _ = leading(part)
    series, pool = pooled(part.series)
    return _Places(
        names=kept,
        numeric=ordered and not binned,
        ordered=ordered,
        lines=tuple((label(one), _grouped(one, words, set(kept))) for one in series),
        shown=frozenset(label(one) for one in shown),
        note=notes(
            "An item counts under each of its words." if tags else "",
            note,
            _missing(len(items) - len(values), feature),
        ),
        pooled=pool,
    )


def _missing(count: int, feature: str) -> str:
    return f"Items that have no {feature} are left out ({count})." if count else ""


def _order(values: object, words: object, ordered: bool) -> tuple[str, ...]:
    """Return the labels in order: of the numbers, or of the alphabet and the numbers in them."""
    if ordered:
        return tuple(dict.fromkeys(word(value) for value in sorted(values)))  # type: ignore[call-overload]
    return tuple(sorted({one for several in words for one in several}, key=natural))  # type: ignore[attr-defined]


def _bins(values: Sequence[float]) -> dict[float, str]:
    """Return a label per number: up to `BINS` bins with about as many items each, equal ones together."""
    counts, below = Counter(values), 0
    bins: dict[int, list[float]] = {}
    for value in sorted(counts):
        bins.setdefault(BINS * below // len(values), []).append(value)
        below += counts[value]
    names = {
        key: word(found[0]) if len(found) == 1 else f"{word(found[0])}–{word(found[-1])}"
        for key, found in bins.items()
    }
    return {value: names[key] for key, found in bins.items() for value in found}


def _frequent(
    names: tuple[str, ...], words: Mapping[str, Sequence[str]]
) -> tuple[tuple[str, ...], str]:
    if len(names) <= PLACES:
        return names, ""
    counts = Counter(one for several in words.values() for one in several)
    kept = set(sorted(names, key=lambda name: (-counts[name], name))[:PLACES])
    note = f"Only the {PLACES} most frequent of {len(names)} values are shown."
    return tuple(name for name in names if name in kept), note


def _grouped(
    series: Series, words: Mapping[str, Sequence[str]], kept: set[str]
) -> dict[str, list[Answer]]:
    found: dict[str, list[Answer]] = {}
    for answer in series.answers:
        for one in words.get(answer.id, ()):
            if one in kept:
                found.setdefault(one, []).append(answer)
    return found


def _settings(part: Part, feature: str) -> _Places | None:
    """Return the ways in which the same model was asked; nothing where none was asked in several."""
    others = [key for key in ASKED if key != feature]
    varied = [key for key in others if len({one.asked.get(key, "") for one in part.series}) > 1]
    groups: dict[str, dict[str, list[Answer]]] = {}
    for one in part.series:
        told = [f"{key}={one.asked.get(key, '') or 'none'}" for key in varied]
        name = label(one) if one.kind in ("reference", "baseline") else one.model
        line = f"{name} ({', '.join(told)})" if told else name
        setting = one.asked.get(feature, "") or "none"
        run = 1
        while setting in groups.setdefault(_run(line, run), {}):
            run += 1
        groups[_run(line, run)][setting] = list(one.answers)
    lines = tuple((line, by) for line, by in groups.items() if len(by) > 1)
    names = tuple(sorted({name for _, by in lines for name in by}, key=natural))
    items = [{frozenset(a.id for a in answers) for answers in by.values()} for _, by in lines]
    same = all(len(different) == 1 for different in items)
    note = "" if same else "Settings of a model have different items (see n)."
    shown = [line for line, _ in lines[:SHOWN]]
    return _Places(names, False, False, lines, frozenset(shown), note) if lines else None


def _run(line: str, number: int) -> str:
    return line if number == 1 else f"{line} (run {number})"


# -------------------------------------------------------------------------------- output


def _shown(
    part: Part,
    places: _Places,
    metrics: Sequence[Metric],
    words: tuple[str, str, str],
    setting: bool,
) -> Section | None:
    """Return the table and figure of one feature; ``words`` are the name, the title and the feature."""
    name, title, feature = words
    found = {
        (line, place): [numbers.estimate(metric, answers) for metric in metrics]
        for line, by in places.lines
        for place, answers in by.items()
    }
    use = defined(metrics, found.values())
    if not use:
        return None
    metrics = [metrics[i] for i in use]
    cells = {key: [cell(row[i]) for i in use] for key, row in found.items()}
    low = floors(metrics, part.study, {place: _ids(places, place) for place in places.names})
    head, rows = _rows(places, cells, low)
    columns = (feature, "model" if setting else "series", "n", *(m.name for m in metrics), *head)
    table = Table(name, title, columns, rows, notes(places.note, places.pooled))
    panels = tuple(
        panel
        for i, metric in enumerate(metrics)
        if (panel := _panel(places, cells, low, (i, metric.name, feature))) is not None
    )
    kind: FigureKind = "lines" if places.ordered else "bars"
    note = notes(places.note, "" if setting else leading(part)[1])
    figure = (
        Figure(f"{name}_plot", title, kind, panels, curves_told(panels), note) if panels else None
    )
    return Section(title, (table,), (figure,) if figure else ())


def _ids(places: _Places, place: str) -> set[str]:
    return {answer.id for _, by in places.lines for answer in by.get(place, ())}


def _rows(
    places: _Places,
    cells: Mapping[tuple[str, str], Sequence[Estimate | None]],
    low: Mapping[str, Mapping[str, Sequence[Estimate | None]]],
) -> tuple[tuple[str, ...], tuple[tuple[Cell, ...], ...]]:
    """Return the last columns' names, and all rows: the lines at a place, then its floors."""
    tokens = {
        (line, place): cell(numbers.output_tokens(answers))
        for line, by in places.lines
        for place, answers in by.items()
    }
    known = any(tokens.values())
    rows: list[tuple[Cell, ...]] = []
    for place in places.names:
        for line, by in places.lines:
            if place in by:
                own = (tokens[line, place],) if known else ()
                n = len(counted(by[place]))
                rows.append((place, line, n, *cells[line, place], *own, unparsed(by[place])))
        empty = (None,) * (1 + known)
        rows += [(place, name, None, *row, *empty) for name, row in low[place].items()]
    return (*(("output tokens",) if known else ()), "unparsed"), tuple(rows)


def _panel(
    places: _Places,
    cells: Mapping[tuple[str, str], Sequence[Estimate | None]],
    low: Mapping[str, Mapping[str, Sequence[Estimate | None]]],
    words: tuple[int, str, str],
) -> Panel | None:
    """Return the axes of one metric: its place among the metrics, its name, the feature's."""
    i, metric, feature = words
    lines = [
        Curve(line, tuple(_at(cells, (line, place), i) for place in places.names))
        for line, _ in places.lines
        if line in places.shown
    ]
    below = [
        Curve(name, tuple(_at(low[place], name, i) for place in places.names), floor=True)
        for name in dict.fromkeys(name for rows in low.values() for name in rows)
    ]
    curves = tuple(one for one in lines if any(one.points))
    if not curves:
        return None
    curves += tuple(one for one in below if any(one.points))
    return Panel(
        title=metric, x=feature, y=metric, places=places.names, numeric=places.numeric,
        curves=curves, unit=in_unit(curves),
    )  # fmt: skip


def _at(found: Mapping[_Key, Sequence[Estimate | None]], key: _Key, i: int) -> Estimate | None:
    return found[key][i] if key in found else None
