"""Names in a report: one file each, and short ones of series in figures, whose legends have little room."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TypeVar

from harness.report.model import Figure, Panel, Section, Series, Table
from harness.report.views_base import label

SHORT = {"reference": "symbolic reference", "baseline": "baseline"}
MEANT = {
    "reference": "the answers of a program that reads and solves the formal problem; not a language model",
    "baseline": "answers that are made without reading the problem; not a language model",
}
"""What the short word after a name says, by kind of series."""

_Named = TypeVar("_Named", Table, Figure)


def named(sections: Sequence[Section], series: Sequence[Series]) -> tuple[Section, ...]:
    """Return the sections with no two tables or figures of one name, and short labels in figures.

    ``series``: of the study, those that figures show first; colours go by their order.
    """
    taken: set[str] = set()
    short = short_labels(series)
    order = tuple(short.get(label(one), one.label) for one in series)
    return tuple(
        replace(
            one,
            tables=tuple(_renamed(table, taken) for table in one.tables),
            figures=tuple(
                replace(_shortened(_renamed(figure, taken), short), order=order)
                for figure in one.figures
            ),
        )
        for one in sections
    )


def short_labels(series: Sequence[Series]) -> dict[str, str]:
    """Return a shorter label for each of those that have one: "(baseline)" instead of what that is."""
    return {label(one): f"{one.label} ({SHORT[one.kind]})" for one in series if one.kind in SHORT}


def _renamed(one: _Named, taken: set[str]) -> _Named:
    name, number = one.name, 1
    while name in taken:
        number += 1
        name = f"{one.name}_{number}"
    taken.add(name)
    return replace(one, name=name)


def _shortened(figure: Figure, short: Mapping[str, str]) -> Figure:
    alt = figure.alt
    for name, other in short.items():
        alt = alt.replace(name, other)
    return replace(figure, alt=alt, panels=tuple(_panel(one, short) for one in figure.panels))


def _panel(panel: Panel, short: Mapping[str, str]) -> Panel:
    def own(name: str) -> str:
        return short.get(name, name)

    return replace(
        panel,
        title=own(panel.title),
        places=tuple(map(own, panel.places)),
        curves=tuple(replace(one, label=own(one.label)) for one in panel.curves),
        clouds=tuple(replace(one, label=own(one.label)) for one in panel.clouds),
        samples=tuple((own(name), values) for name, values in panel.samples),
    )
