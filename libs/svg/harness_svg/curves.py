"""Plane geometry for drawings of graphs: bent arrows between circles, and boxes that must not meet."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import cos, hypot, sin, tau

FINE = 40  # parts that a curve is cut into where it is measured
_WHERE = (0.5, 0.42, 0.58, 0.34, 0.66, 0.27, 0.73, 0.2, 0.8, 0.13, 0.87)  # along an arrow

Point = tuple[float, float]
Box = tuple[float, float, float, float]  # left, top, right, bottom


@dataclass(frozen=True, slots=True)
class Curve:
    """An arrow: where it starts, its control points, where its tip is; and points along it."""

    start: Point
    controls: tuple[Point, ...]
    tip: Point
    points: tuple[Point, ...]

    @property
    def before(self) -> Point:
        """The point that the arrow comes from at its tip."""
        return self.controls[-1]

    @property
    def middle(self) -> Point:
        """The point half way."""
        return self.points[FINE // 2]

    def at(self, t: float) -> Point:
        """Return the point at ``t``, 0 to 1."""
        if len(self.controls) == 1:
            return quadratic(self.start, self.controls[0], self.tip, t)
        return cubic(self.start, self.controls[0], self.controls[1], self.tip, t)


def bent(p: Point, q: Point, bend: float, radius: float) -> Curve:
    """Return the arrow between two circles whose middle is ``bend`` units to the side."""
    length = hypot(q[0] - p[0], q[1] - p[1]) or 1.0
    nx, ny = (q[1] - p[1]) / length, -(q[0] - p[0]) / length
    control = ((p[0] + q[0]) / 2 + 2 * bend * nx, (p[1] + q[1]) / 2 + 2 * bend * ny)
    out, into = unit(p, control), unit(control, q)
    start = (p[0] + out[0] * radius, p[1] + out[1] * radius)
    tip = (q[0] - into[0] * radius, q[1] - into[1] * radius)
    points = tuple(quadratic(start, control, tip, t / FINE) for t in range(FINE + 1))
    return Curve(start, (control,), tip, points)


def quadratic(p: Point, c: Point, q: Point, t: float) -> Point:
    """Return the point at ``t`` (0 to 1) of a quadratic Bézier curve."""
    a, b, d = (1 - t) ** 2, 2 * t * (1 - t), t * t
    return a * p[0] + b * c[0] + d * q[0], a * p[1] + b * c[1] + d * q[1]


def cubic(p: Point, c: Point, d: Point, q: Point, t: float) -> Point:
    """Return the point at ``t`` (0 to 1) of a cubic Bézier curve."""
    u = 1 - t
    weights = (u**3, 3 * u * u * t, 3 * u * t * t, t**3)
    x, y = (sum(w * at[i] for w, at in zip(weights, (p, c, d, q), strict=True)) for i in (0, 1))
    return x, y


def unit(p: Point, q: Point) -> Point:
    """Return the direction from a point to another, of length 1."""
    length = hypot(q[0] - p[0], q[1] - p[1]) or 1.0
    return (q[0] - p[0]) / length, (q[1] - p[1]) / length


def clear(points: Sequence[Point], others: Sequence[Point], far: float) -> bool:
    """Return whether all points but the ends are that far from all others."""
    far *= far
    return all(
        (x - cx) * (x - cx) + (y - cy) * (y - cy) >= far
        for cx, cy in others
        for x, y in points[1:-1]
    )


def meet(first: Box, second: Box) -> bool:
    """Return whether two boxes overlap."""
    return (
        first[0] < second[2] and second[0] < first[2] and first[1] < second[3] and second[1] < first[3]
    )  # fmt: skip


def inside(point: Point, box: Box) -> bool:
    """Return whether a box holds a point."""
    return box[0] <= point[0] <= box[2] and box[1] <= point[1] <= box[3]


def around(middle: Point, width: float, height: float) -> Box:
    """Return the box of a size around a point."""
    x, y = middle
    return x - width / 2, y - height / 2, x + width / 2, y + height / 2


def on_curve(curve: Curve, width: float, height: float) -> Iterator[Box]:
    """Yield boxes on a curve, the best place first."""
    for t in _WHERE:
        yield around(curve.at(t), width, height)


def about_curve(curve: Curve, width: float, height: float) -> Iterator[Box]:
    """Yield boxes around the middle of a curve, the nearest first."""
    x, y = curve.middle
    for far in (14.0, 22.0, 32.0, 44.0, 58.0, 74.0):
        for turn in range(8):
            ux, uy = cos(turn * tau / 8), sin(turn * tau / 8)
            yield around((x + ux * far, y + uy * far), width, height)


def beside_curve(curve: Curve, width: float, height: float) -> Iterator[Box]:
    """Yield boxes that touch a curve from either side, or a loop from outside, the best place first."""
    if len(curve.controls) == 2:
        base = ((curve.start[0] + curve.tip[0]) / 2, (curve.start[1] + curve.tip[1]) / 2)
        ux, uy = unit(base, curve.middle)
        for far in (5.0, 16.0):  # farther out where a badge stands on the loop
            start = (curve.middle[0] + ux * far, curve.middle[1] + uy * far)
            for turn in (0.0, 0.5, -0.5, 1.0, -1.0):
                way = (ux * cos(turn) - uy * sin(turn), ux * sin(turn) + uy * cos(turn))
                yield _beyond(start, way, width, height)
        return
    for t in _WHERE:
        ux, uy = unit(curve.at(t - 0.1), curve.at(t + 0.1))
        for way in ((uy, -ux), (-uy, ux)):
            yield _beyond(curve.at(t), way, width, height, clear_of_line=True)


def _beyond(
    point: Point, way: Point, width: float, height: float, *, clear_of_line: bool = False
) -> Box:
    """Return the box that lies in a direction from a point and touches it, or the line across there."""
    x, y = abs(way[0]) or 1e-9, abs(way[1]) or 1e-9
    far = min(width / 2 / x, height / 2 / y)
    if clear_of_line:
        far = width / 2 * x + height / 2 * y
    return around((point[0] + way[0] * (far + 2), point[1] + way[1] * (far + 2)), width, height)
