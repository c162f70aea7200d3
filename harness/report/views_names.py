"""Names in a report: one file each, and short ones of series in figures, whose legends have little room."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from harness.report.model import Figure, Panel, Section, Series, Table
from harness.report.texts import unused
from harness.report.views_base import label

SHORT = {"reference": "symbolic reference", "baseline": "baseline"}
MEANT = {
    "reference": "the answers of a program that reads and solves the formal problem; not a language model",
    "baseline": "answers that are made without reading the problem; not a language model",
}
"""What the short word after a name says, by kind of series."""


def with_unique_names(
    sections: Iterable[Section], all_series: Sequence[Series], prefix: str
) -> tuple[Section, ...]:
    """Return the sections with no two tables or figures of one name, all with a prefix, and short labels in figures.

    ``all_series``: of the study, those that figures show first; colours go by their order.
    """
    taken: set[str] = set()
    short = short_labels(all_series)
    order = tuple(short.get(label(series), series.label) for series in all_series)

    def name_of(item: Table | Figure) -> str:
        name = unused(prefix + item.name, taken, "{}_{}")
        taken.add(name)
        return name

    return tuple(
        replace(
            section,
            tables=tuple(replace(table, name=name_of(table)) for table in section.tables),
            figures=tuple(
                replace(_with_short_labels(figure, short), name=name_of(figure), order=order)
                for figure in section.figures
            ),
        )
        for section in sections
    )


def short_labels(all_series: Sequence[Series]) -> dict[str, str]:
    """Return a shorter label for each of those that have one: "(baseline)" instead of what that is."""
    return {
        label(series): f"{series.label} ({SHORT[series.kind]})"
        for series in all_series
        if series.kind in SHORT
    }


def _with_short_labels(figure: Figure, short: Mapping[str, str]) -> Figure:
    alt = figure.alt
    for name, other in short.items():
        alt = alt.replace(name, other)
    return replace(figure, alt=alt, panels=tuple(_panel(panel, short) for panel in figure.panels))


def _panel(panel: Panel, short: Mapping[str, str]) -> Panel:
    def brief(name: str) -> str:
        return short.get(name, name)

    return replace(
        panel,
        title=brief(panel.title),
        places=tuple(map(brief, panel.places)),
        curves=tuple(replace(curve, label=brief(curve.label)) for curve in panel.curves),
        clouds=tuple(replace(cloud, label=brief(cloud.label)) for cloud in panel.clouds),
        samples=tuple((brief(name), values) for name, values in panel.samples),
    )
