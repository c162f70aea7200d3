"""How the figures of a report look: colours, signs, and foreign text made fit to be drawn."""

from __future__ import annotations

import io
import math
import re
import textwrap
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from harness.report.labels import apart
from harness.report.model import Estimate

INK = "#0b0d0f"  # all text and lines without a colour of their own; currentColor on a page
GROUND = "#ffffff"  # nothing else is of this colour: on a page it is left out
LIGHT = "#fdfdfd"  # text and hatches on a filled shape
PALETTE = (
    "#2f7ed8", "#d9541e", "#1f9a63", "#c2459c", "#a67c00", "#7b61d9",
    "#0f8f9c", "#9a6240", "#7a8087", "#e0405f", "#6f8f1f", "#5577a8",
)  # fmt: skip
"""By order of the series; a contrast of 3:1 at least to white and to #14181d."""

MARKERS = "osD^vPX<>*hp"
HATCHES = ("", "///", "\\\\\\", "xxx", "---", "|||", "++", "//--", "\\\\||", "x--", "/|", "o")
DASHES: tuple[Any, ...] = ("-",) * 6 + ((0, (6, 1)),) * 3 + ((0, (2, 1)),) * 3
FLOORS: tuple[Any, ...] = (
    (0, (5, 3)), (0, (1, 2)), (0, (6, 2, 1, 2)), (0, (10, 4)),
    (0, (3, 2, 1, 2, 1, 2)), (0, (2, 4)), (0, (8, 2, 3, 2)),
)  # fmt: skip
PARTS = {
    "right": ("#1f6fb5", ""),
    "partly right": ("#0d7f7a", "///"),
    "partial": ("#0d7f7a", "///"),
    "wrong": ("#b8501a", "\\\\\\"),
    "unparsed": ("#8a5aa8", "xxx"),
    "unscored": ("#6d7277", "+++"),
}
"""Colour and hatch of each outcome; light text on it has a contrast of 4.5:1."""

SIZE = 9.0  # points
PIXELS = 160  # per inch, in PNGs and in pictures within SVGs
_ENOUGH = 300  # characters are wider than a sheet, however narrow they are
_KEPT = "\N{NO-BREAK SPACE}"
LABEL = 40  # characters of a name in a legend
STYLE = {
    "svg.hashsalt": "temporal-harness",  # ids within the file, else made up at random
    "svg.fonttype": "none",  # letters stay letters: small files, and text that can be searched
    "text.parse_math": False,  # a $ in a name is a $
    "font.size": SIZE,
    "font.sans-serif": ["DejaVu Sans"],
    "axes.titlesize": 10,
    "axes.titley": 1.0,  # nothing stands above a panel: no need to look for it, which takes long
    "axes.labelsize": SIZE,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.axisbelow": True,
    "axes.edgecolor": INK,
    "axes.labelcolor": INK,
    "axes.titlecolor": INK,
    "axes.unicode_minus": True,
    "axes.formatter.useoffset": False,
    "grid.color": INK,
    "grid.alpha": 0.15,
    "grid.linewidth": 0.7,
    "hatch.linewidth": 0.6,
    "legend.frameon": False,
    "legend.labelcolor": INK,
    "text.color": INK,
    "xtick.color": INK,
    "ytick.color": INK,
    "figure.facecolor": GROUND,
    "savefig.facecolor": GROUND,
}


@dataclass(frozen=True, slots=True)
class Looks:
    """The names that colours and signs go to, the same in every panel of a figure."""

    series: Mapping[str, int]  # which colour, marker, hatch and dash; no two have one
    floors: tuple[str, ...]
    left_out: int = 0  # series beyond that


@dataclass(slots=True)
class Painted:
    """What a panel's painter leaves to the layout: heights in inches, names still to be fitted in."""

    height: float
    x: tuple[tuple[float, str], ...] = ()  # named places along x; none: numbers
    rows: tuple[tuple[float, str], ...] = ()  # named places along y
    numeric: bool = False  # the names along x are numbers
    legend: tuple[tuple[Any, str], ...] = ()
    lying: bool = False  # the panel's x is drawn along y
    note: str = ""


def saved(sheet: Any, kind: str) -> bytes:
    """Return matplotlib's figure as ``svg`` or ``png``, without a date or a program's name."""
    file = io.BytesIO()
    empty = {"svg": ("Date", "Creator", "Format", "Type"), "png": ("Software",)}[kind]
    sheet.savefig(file, format=kind, dpi=PIXELS, metadata=dict.fromkeys(empty))
    return file.getvalue()


def finite(value: float | None) -> float:
    """Return the number where it can be drawn, nan else."""
    return float(value) if value is not None and abs(value) < 1e100 else math.nan


def number(point: Estimate | None) -> float:
    """Return the value to draw; nan is a gap."""
    return math.nan if point is None else finite(point.value)


def interval(point: Estimate | None) -> tuple[float, float]:
    """Return the interval to draw; (nan, nan): none."""
    if point is None or math.isnan(number(point)):
        return math.nan, math.nan
    low, high = finite(point.low), finite(point.high)
    return (math.nan, math.nan) if math.isnan(low) or math.isnan(high) else (low, high)


@lru_cache(maxsize=1)
def _letters() -> frozenset[int]:
    """Return the code points that the font has."""
    from matplotlib.font_manager import findfont, get_font

    return frozenset(get_font(findfont("DejaVu Sans")).get_charmap())


@lru_cache(maxsize=1024)
def clean(text: str) -> str:
    """Return foreign text in one line, □ for all that is no letter of the font."""
    letters = _letters()
    # A blank that no line ends at stays one.
    spaced = re.sub(r"\s+", lambda blank: _KEPT if blank[0] == _KEPT else " ", text).strip()
    drawn = (c if c == _KEPT or (c.isprintable() and ord(c) in letters) else "□" for c in spaced)
    return "".join(drawn) or "–"


def names(texts: Iterable[str], limit: int | Mapping[str, int] = LABEL) -> dict[str, str]:
    """Return a clean, short name of each text; different texts have different names."""
    return apart(texts, limit, clean)


def whiskers(
    axes: Any, bars: Sequence[tuple[float, float, float]], cap: float, gid: str, lying: bool = False,
    **look: Any,
) -> None:  # fmt: skip
    """Draw intervals (place, low, high) with caps of so many points; ``lying``: along x."""
    if not bars:
        return
    at, low, high = zip(*bars, strict=True)
    (axes.hlines if lying else axes.vlines)(at, low, high, linewidth=1, gid=gid, **look)
    ends, twice = [*low, *high], [*at, *at]
    places = (ends, twice) if lying else (twice, ends)
    axes.plot(
        *places, linestyle="none", marker="|" if lying else "_", markersize=cap, gid=f"{gid}-caps",
        **look,
    )  # fmt: skip


def crossbars(
    axes: Any, marks: Sequence[tuple[float, float]], reach: float, lying: bool = False, **look: Any
) -> None:
    """Draw a short line across each place (place, value), so far to either side; ``lying``: the values along x."""
    if marks:
        places, values = zip(*marks, strict=True)
        ends = [place - reach for place in places], [place + reach for place in places]
        (axes.vlines if lying else axes.hlines)(values, *ends, **look)


def numbered(names: Iterable[str]) -> tuple[tuple[float, str], ...]:
    """Return names with their places: 0, 1, 2, …"""
    return tuple((float(at), name) for at, name in enumerate(names))


def hide_axis(axes: Any, axis: str = "y", sides: Sequence[str] = ("left",)) -> None:
    """Leave the axis line and the ticks away where names stand for them."""
    for side in sides:
        axes.spines[side].set_visible(False)
    axes.tick_params(axis=axis, length=0)


def empty_sheet(width: float, height: float) -> Any:
    """Return an empty figure of matplotlib that nothing global knows of; sizes in inches."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure as Sheet

    sheet = Sheet(figsize=(width, height), dpi=72)
    FigureCanvasAgg(sheet)
    return sheet


def cut_note(number_of: int, most: int, what: str) -> str:
    """Return the note that says what of a table a panel leaves out; empty: nothing."""
    return f"the first {most} of {number_of:,} {what}" if number_of > most else ""


class Ruler:
    """Measures text in points, as it will be drawn."""

    def __init__(self, renderer: Any) -> None:
        from matplotlib.font_manager import FontProperties

        self._renderer = renderer
        self._font = FontProperties()
        self._known: dict[tuple[str, float], float] = {}

    def width(self, text: str, size: float = SIZE) -> float:
        """Return the width of the widest line in points; that of one wider than a sheet is only known to be so."""
        return max(self._line(line[:_ENOUGH], size) for line in text.split("\n"))

    def _line(self, line: str, size: float) -> float:
        if (line, size) not in self._known:
            self._font.set_size(size)
            size_of = self._renderer.get_text_width_height_descent(line, self._font, ismath=False)
            self._known[line, size] = float(size_of[0])
        return self._known[line, size]

    def all_fitted(
        self, texts: Iterable[str], width: float, lines: int, size: float = SIZE
    ) -> dict[str, str]:
        """Return clean texts, cut to so many lines of so many points; different ones stay different."""
        per_line = dict.fromkeys(texts, max(3, int(width / (0.35 * size))))
        limits = {text: most * lines for text, most in per_line.items()}
        while True:
            short = names(per_line, limits)
            broken = {}
            for text, size_of_line in per_line.items():
                # A line ends at a blank, or where something is left out.
                parts = textwrap.wrap(short[text].replace("…", "… "), size_of_line + 1)
                broken[text] = [line.replace("… ", "…") for line in parts]
                if len(parts) > lines and limits[text] <= size_of_line:
                    starts = range(0, len(short[text]), size_of_line)
                    broken[text] = [short[text][at : at + size_of_line] for at in starts]
            shown = {text: "\n".join(parts) for text, parts in broken.items()}
            wide = {text: self.width(shown[text], size) for text in per_line}
            tight = [text for text, most in per_line.items() if most > 3 and wide[text] > width]
            long = [text for text, parts in broken.items() if len(parts) > lines]
            if not tight and not long:
                return shown
            for text in tight:
                fits = int(per_line[text] * width / wide[text])
                per_line[text] = max(3, min(per_line[text] - 1, fits))
                limits[text] = per_line[text] * lines
            for text in set(long) - set(tight):  # shorter, rather than broken within a word
                limits[text] = max(per_line[text], limits[text] - 2)
