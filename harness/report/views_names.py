"""Names in a report: one file each, and short ones of series in figures, whose legends have little room."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TypeVar

from harness.report.model import Figure, Panel, Section, Series, Table
from harness.report.views_base import label

SHORT = {"reference": "symbolic reference", "baseline": "baseline"}

_Named = TypeVar("_Named", Table, Figure)


def named(sections: Sequence[Section], series: Sequence[Series]) -> tuple[Section, ...]:
    """Return the sections with no two tables or figures of one name, and short labels in figures."""
    taken: set[str] = set()
    short = {label(one): f"{one.label} ({SHORT[one.kind]})" for one in series if one.kind in SHORT}
    return tuple(
        replace(
            one,
            tables=tuple(_renamed(table, taken) for table in one.tables),
            figures=tuple(_shortened(_renamed(figure, taken), short) for figure in one.figures),
        )
        for one in sections
    )


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
