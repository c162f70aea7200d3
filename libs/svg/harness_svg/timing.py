"""Timing diagrams for drawings of items: one square wave per proposition along the steps of a trace."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from math import ceil
from types import MappingProxyType

from harness_svg.drawing import Drawing
from harness_svg.text import EM, columns, shortened

MOST_ROWS, MOST_STEPS = 40, 60  # more are counted in a last line instead of drawn
LONGEST = 48  # columns of a name; a longer one is cut with "…"
STEP, ROW = 26.0, 26.0  # units: width of a step, height of a row
_HIGH, _LOW = 5.0, 21.0  # units below a row's upper edge: the two levels of a wave
_SIZE, _SMALL = 13.0, 11.0  # units: size of names, and of step numbers and remarks
_HEAD, _LINE, _LOOP = 20.0, 18.0, 14.0  # units: height of the numbers, of a remark, of the bracket
_GAP = 10.0  # units between the names and the waves
_NARROWEST = 200.0  # units of waves; room for the remarks below them


def timing_size(
    names: Sequence[str], steps: int, *, loop: int | None = None
) -> tuple[float, float]:
    """Return the width and height, in units, that `timing` takes for these rows and number of steps."""
    shown = min(steps, MOST_STEPS)
    width = _names_width(names) + max(shown * STEP, _NARROWEST) + 1
    height = _HEAD + min(len(names), MOST_ROWS) * ROW + 4
    height += _LOOP + _LINE if loop is not None and steps else 0
    height += _LINE if _cut(len(names), steps) else 0
    return width, height


def timing(
    drawing: Drawing, x: float, y: float, names: Sequence[str], values: Sequence[Sequence[bool]],
    *, marks: Mapping[tuple[int, str], str] = MappingProxyType({}),
    strong: Collection[str] = (), loop: int | None = None, first: int = 1,
) -> float:  # fmt: skip
    """Draw a trace with its upper left corner at ``x``, ``y`` (units); return its height in units.

    ``values[row][step]`` is whether ``names[row]`` holds at a step; all rows are equally long. ``marks`` are the
    cells that are highlighted, pairs of a step counted from 0 and a name, each with its class (``marked``,
    ``right`` or ``cause``); the names in ``strong`` stand out.
    ``loop`` is the step, counted from 0, that comes after the last one: for a lasso, or for the last state
    that repeats. ``first`` is the number written over the first step. At most `MOST_ROWS` rows and
    `MOST_STEPS` steps are drawn, the rest is counted in words; names are cut at `LONGEST` columns.

    Every wave is a path with ``data-name`` and ``data-levels`` (one digit a step), every highlight a
    rectangle with ``data-mark`` (its name), ``data-step`` and its class.

    Raises:
        ValueError: there is not one row of values per name, or they differ in length, or ``loop`` is no step.
    """
    steps = _steps(names, values, loop)
    shown = min(steps, MOST_STEPS)
    left, top = x + _names_width(names), y + _HEAD
    rows = list(zip(names, values, strict=True))[:MOST_ROWS]
    _grid(drawing, left, top, shown, len(rows), first)
    for at, (name, row) in enumerate(rows):
        edge, bold = top + at * ROW, name in strong
        style = "ink" if bold or not strong else "faint"
        label = shortened(name, LONGEST)
        drawing.text(left - _GAP, edge + 17, label, f"{style} mono", "end", _SIZE, bold)
        marked = {step: marks[step, name] for step in range(shown) if (step, name) in marks}
        _row(drawing, left, edge, name, row[:shown], marked)
    bottom = top + len(rows) * ROW + 4
    if loop is not None and steps:
        bottom = _bracket(drawing, left, bottom, steps, loop, first)
    if more := _cut(len(names), steps):
        drawing.text(left, bottom + 12, more, "faint", size=_SMALL)
    return timing_size(names, steps, loop=loop)[1]


def _steps(names: Sequence[str], values: Sequence[Sequence[bool]], loop: int | None) -> int:
    lengths = {len(row) for row in values}
    if len(values) != len(names) or len(lengths) > 1:
        raise ValueError("a timing diagram needs one row of values per name, all equally long")
    steps = lengths.pop() if lengths else 0
    if loop is not None and steps and not 0 <= loop < steps:
        raise ValueError(f"a loop back to step {loop} of {steps}")
    return steps


def _names_width(names: Sequence[str]) -> float:
    longest = max((columns(shortened(name, LONGEST)) for name in names[:MOST_ROWS]), default=0)
    return ceil(max(longest, 4) * EM * _SIZE) + _GAP  # 4: the word over them


def _cut(rows: int, steps: int) -> str:
    """Return what is not drawn, in words."""
    counts = ((steps - MOST_STEPS, "step"), (rows - MOST_ROWS, "row"))
    parts = [f"{more} {word}{'s' * (more > 1)}" for more, word in counts if more > 0]
    return f"… {' and '.join(parts)} more" if parts else ""


def _grid(
    drawing: Drawing, left: float, top: float, steps: int, rows: int, first: int
) -> None:  # fmt: skip
    drawing.text(left - _GAP, top - 6, "step", "faint", "end", _SMALL)
    for step in range(steps):
        number = str(first + step)
        drawing.text(left + (step + 0.5) * STEP, top - 6, number, "faint", "middle", _SMALL)
    for step in range(steps + 1):
        drawing.rect(left + step * STEP - 0.5, top, 1, rows * ROW, "quiet")


def _row(
    drawing: Drawing, left: float, edge: float, name: str, row: Sequence[bool],
    marked: Mapping[int, str],
) -> None:  # fmt: skip
    """Draw the areas under the high level, the highlights upon them, and the wave on top."""
    path, before = "", None
    for step, level in enumerate(row):
        height = edge + (_HIGH if level else _LOW)
        if before is None:
            path = f"M{left:g} {height:g}"
        elif before != height:
            path += f"H{left + step * STEP:g}V{height:g}"
        before = height
    path += f"H{left + len(row) * STEP:g}" if path else ""
    if any(row):  # the ground below the wave
        drawing.path(f"{path}V{edge + _LOW:g}H{left:g}Z", "quiet")
    for step, style in marked.items():
        drawing.rect(left + step * STEP + 2, edge + 1, STEP - 4, ROW - 2, style, 3)
        drawing.data(mark=name, step=step)
    if path:
        drawing.path(path, "line")
        drawing.data(name=name, levels="".join("1" if level else "0" for level in row))


def _bracket(
    drawing: Drawing, left: float, top: float, steps: int, loop: int, first: int
) -> float:  # fmt: skip
    """Draw what repeats below the waves; return the lower edge. Steps that are cut off are only named."""
    shown = min(steps, MOST_STEPS)
    right = left + shown * STEP
    if steps == shown:
        start, end, low = left + (loop + 0.5) * STEP, right - 4, top + 9
        start = start if loop + 1 < steps else right - STEP + 4
        drawing.path(f"M{end:g} {top:g}V{low:g}H{start:g}V{top + 4:g}", "line")
        drawing.polygon([(start - 4, top + 5), (start + 4, top + 5), (start, top - 2)], "head")
        drawing.data(loop=loop)
    remark = "the last state repeats"
    if loop + 1 < steps:
        remark = f"after step {first + steps - 1} back to step {first + loop}"
    drawing.text(left, top + _LOOP + 12, remark, "faint", size=_SMALL)
    return top + _LOOP + _LINE
