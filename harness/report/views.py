"""One section of a report per view that a plugin declares."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from harness.core.hookspecs import View
from harness.report.model import Section, Study
from harness.report.views_base import Part, part_of
from harness.report.views_forest import forests
from harness.report.views_items import agreement, distribution
from harness.report.views_pairs import pairs
from harness.report.views_scatter import scatter
from harness.report.views_split import split

KINDS: Mapping[str, Callable[[Part, View], Section | None]] = {
    "split": split,
    "pairs": pairs,
    "scatter": scatter,
    "forest": forests,
    "distribution": distribution,
    "agreement": agreement,
}
"""What is done for each of `harness.core.hookspecs.VIEWS`."""


def show(study: Study, view: View) -> Section | None:
    """Return what a view shows of a study; nothing where its answers have nothing of the kind."""
    part = part_of(study, view.where)
    return KINDS[view.kind](part, view) if part.series else None
