"""Small SVG plots of how features and labels are spread; the same bytes for the same numbers."""

from __future__ import annotations

import io
import warnings
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any

from harness.core.facts import printable
from harness.datasets.features import BINS, Feature

BARS = 12
INTEGERS = 40  # distinct whole numbers that are drawn a bar each
_STYLE = {
    "svg.hashsalt": "temporal-harness",  # ids within the file, else made up at random
    "svg.fonttype": "none",  # letters stay letters: small files, and text that can be searched
    "text.parse_math": False,  # a $ in a name is a $
    "font.size": 8,
    "axes.spines.top": False,
    "axes.spines.right": False,
}
_COLOUR = "#4c72b0"


def feature(name: str, values: Feature) -> bytes | None:
    """Return the plot of a feature; None where there is nothing to see (one value, or texts)."""
    counts = values.counts.values
    if counts is not None and len(counts) < 2:
        return None
    if values.numeric and counts is not None and _whole(counts) and len(counts) <= INTEGERS:
        return _columns(name, sorted(counts.items()))
    if values.numeric:
        return _columns(name, _histogram(values))
    if counts is None or values.kind == "json":
        return None
    return bars(name, counts)


def _whole(counts: Mapping[Any, int]) -> bool:
    low, high = min(counts), max(counts)
    return all(float(value).is_integer() for value in counts) and high - low <= 2 * INTEGERS


def _histogram(feature: Feature) -> list[tuple[float, int]]:
    """Return the middle of each bin and what it holds."""
    low, high = float(feature.low or 0), float(feature.high or 0)
    if not feature.bins:
        for value, times in (feature.counts.values or {}).items():
            for _ in range(times):
                feature.bin(value)
    step = high / BINS - low / BINS
    return [(low + step * (at + 0.5), n) for at, n in enumerate(feature.bins)]


def bars(name: str, counts: Mapping[Any, int]) -> bytes:
    """Return horizontal bars of the commonest values of something, the commonest on top."""
    ordered = sorted(counts.items(), key=lambda pair: (-pair[1], str(pair[0])))
    top = ordered[:BARS]
    labels = [printable(str(value), 24) for value, _ in top]
    numbers = [n for _, n in top]
    rest = sum(n for _, n in ordered[BARS:])
    if rest:
        labels.append(f"{len(ordered) - BARS} others")
        numbers.append(rest)

    def draw(axes: Any) -> None:
        places = range(len(labels))
        axes.barh(places, numbers, color=_COLOUR)
        axes.set_yticks(places, labels)
        axes.invert_yaxis()
        axes.set_xlabel("items")
        axes.xaxis.get_major_locator().set_params(integer=True)

    return _svg(name, 0.5 + 0.2 * len(labels), draw)


def _columns(name: str, points: Sequence[tuple[float, int]]) -> bytes:
    gap = min((b[0] - a[0] for a, b in pairwise(points)), default=1.0)

    def draw(axes: Any) -> None:
        axes.bar([x for x, _ in points], [n for _, n in points], width=0.9 * gap, color=_COLOUR)
        axes.set_ylabel("items")
        axes.yaxis.get_major_locator().set_params(integer=True)
        if all(float(x).is_integer() for x, _ in points):
            axes.xaxis.get_major_locator().set_params(integer=True)

    return _svg(name, 1.6, draw)


def _svg(name: str, height: float, draw: Any) -> bytes:
    from matplotlib import style
    from matplotlib.figure import Figure

    file = io.BytesIO()
    with warnings.catch_warnings(), style.context(["default", _STYLE]):
        # A letter that the measuring font lacks is drawn by the reader's font all the same.
        warnings.filterwarnings("ignore", message="Glyph")
        figure = Figure(figsize=(3.6, max(1.2, height)), layout="tight")
        axes = figure.add_subplot()
        draw(axes)
        axes.set_title(printable(name, 40))
        figure.savefig(file, format="svg", metadata={"Date": None, "Creator": None})
    return file.getvalue()
