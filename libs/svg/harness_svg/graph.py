"""Graphs for drawings of items: circles on an ellipse, curved arrows, labels that keep clear of both.

    placed = Graph([Node("a"), Node("b")], [Edge("a", "b", "go"), Edge("b", "b")], initial="a")
    drawing = Drawing(placed.width, placed.height, "Graph with 2 nodes")
    placed.draw(drawing, 0, 0)

The layout is a pure function of what is given, and takes about 10 ms for 24 nodes and 60 edges. Every circle
has the attribute ``data-node``, every arrow ``data-source``, ``data-target`` and, with a badge, ``data-badge``.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import cos, hypot, sin, tau
from string import ascii_lowercase
from typing import Literal, TypeAlias

from harness_svg.curves import (
    FINE,
    Box,
    Curve,
    Point,
    around,
    bent,
    beside_curve,
    clear,
    cubic,
    inside,
    meet,
    on_curve,
    unit,
)
from harness_svg.drawing import Drawing
from harness_svg.layout import on_ellipse, ordered
from harness_svg.text import EM, columns, plain, shortened

MOST_NODES, MOST_EDGES = 24, 60  # what `fitting` takes for readable
MOST_LINES, LABEL, BADGE = 3, 30, 16  # lines of a label; columns of a line and of a badge
_SIZE, _NODE_SIZE = 11.0, 12.0  # units: font sizes of labels, of what circles hold
_SMALLEST, _LARGEST = 16.0, 36.0  # units: radius of a circle
MANY = 20  # edges beyond which those without a badge are drawn weakly
_LINE = 13.0  # units: height of a line of a label
_LOOP = 30.0  # units that a self loop stands out
_HEAD = 9.0  # units: length of an arrow's head
_ARROW = 30.0  # units: length of the arrow to the initial node
_FLAT = 0.62  # height of the ellipse for its width
_APART = 24.0  # units between the arrows that join two nodes
_COVERED = 2  # points of arrows that a label may not cover


@dataclass(frozen=True, slots=True)
class Node:
    """A circle: ``name`` identifies it, ``label`` (or else the name, cut to fit) stands in it."""

    name: str
    label: str = ""
    style: str = "plain"


@dataclass(frozen=True, slots=True)
class Edge:
    """An arrow between two nodes by name; at most one for each ordered pair.

    ``label``: lines of text, of which a key stands for those that find no room (see `Graph`); ``badge``: a few
    characters that are always shown; ``style``: a class of paths, ``head`` one of arrow heads, ``pill`` and
    ``ink`` those of the badge.
    ``weight``: how much it matters that the arrow is short.
    """

    source: str
    target: str
    label: str = ""
    badge: str = ""
    style: str = "line"
    head: str = "head"
    pill: str = "marked"
    ink: str = "accent"
    weight: int = 1


Kind: TypeAlias = Literal["badge", "label", "key"]


@dataclass(frozen=True, slots=True)
class _Label:
    box: Box
    edge: Edge
    lines: tuple[str, ...]
    kind: Kind


def fitting(
    choices: Iterable[tuple[Sequence[Node], Sequence[Edge]]],
    nodes: int = MOST_NODES, edges: int = MOST_EDGES,
) -> tuple[list[Node], list[Edge]]:  # fmt: skip
    """Return the first graph with at most so many nodes and edges; if there is none, the last one, cut to them.

    Choices go from all there is to what matters most; each lists its most important parts first.
    """
    circles: Sequence[Node] = ()
    arrows: Sequence[Edge] = ()
    for circles, arrows in choices:
        if len(circles) <= nodes and len(arrows) <= edges:
            break
    kept = {node.name for node in circles[:nodes]}
    left = [edge for edge in arrows if edge.source in kept and edge.target in kept]
    return list(circles[:nodes]), left[:edges]


def spans(numbers: Sequence[int], most: int = 4) -> str:
    """Return ascending numbers as a badge: ``1, 2, 5–8``; of too many parts, the first and "…"."""
    parts: list[tuple[int, int]] = []
    for number in numbers:
        if parts and number == parts[-1][1] + 1:
            parts[-1] = (parts[-1][0], number)
        else:
            parts.append((number, number))
    words: list[str] = []
    for first, last in parts:
        words += [f"{first}–{last}"] if last > first + 1 else map(str, range(first, last + 1))
    kept = words[:most]
    while len(", ".join(kept)) >= BADGE and len(kept) > 1:  # rather than cut a number in two
        kept.pop()
    return ", ".join(kept) + ("…" if len(words) > len(kept) else "")


class Graph:
    """A graph laid out: every node, edge and label has its place.

    ``width`` and ``height`` are in units. A label of an edge (not a badge) is drawn whole or not at all: ``keyed``
    are the edges whose label is too long or finds no room, each after the letter that stands at its arrow.
    """

    width: float
    height: float
    keyed: tuple[tuple[str, Edge], ...]

    def __init__(
        self, nodes: Sequence[Node], edges: Sequence[Edge], *, initial: str | None = None,
        widest: float = 860.0,
    ) -> None:  # fmt: skip
        """Lay a graph out; ``initial`` names the node that an arrow from nowhere leads to.

        Raises:
            ValueError: a node named twice, or an edge from or to a node that is not there.
        """
        names = [node.name for node in nodes]
        if len(set(names)) != len(names):
            raise ValueError("a graph has a node twice")
        if any(edge.source not in names or edge.target not in names for edge in edges):
            raise ValueError("an edge of a graph leads from or to a node that is not there")
        self._nodes, self._edges, self._initial = list(nodes), list(edges), initial
        self._shown = {node.name: shortened(node.label or node.name, 9) for node in nodes}
        longest = max((columns(words) for words in self._shown.values()), default=0)
        self.radius = min(max(longest * EM * _NODE_SIZE / 2 + 5, _SMALLEST), _LARGEST)
        order = ordered(names, [(e.source, e.target, e.weight) for e in edges], initial)
        self._limit = widest / 2 - 6
        self._centres = self._place(order)
        self._curves = self._drawn_edges()
        self._labels = self._placed_labels()
        self.keyed = tuple(
            (label.lines[0], label.edge) for label in self._labels if label.kind == "key"
        )
        self._fit()

    def draw(self, drawing: Drawing, x: float, y: float) -> None:
        """Draw the graph with its upper left corner at a point."""
        dx, dy = x + self._shift[0], y + self._shift[1]
        at = sorted(range(len(self._edges)), key=lambda i: self._edges[i].style != "line")
        for i in at:
            self._draw_edge(drawing, self._edges[i], self._curves[i], dx, dy)
        if self._initial in self._centres:
            cx, cy = self._centres[self._initial]
            tip = (cx + dx - self.radius, cy + dy)
            drawing.path(f"M{tip[0] - _ARROW:.1f} {tip[1]:.1f}H{tip[0] - _HEAD + 1:.1f}", "line")
            drawing.data(initial=self._initial)
            _head(drawing, tip, (1.0, 0.0), "head")
        for node in self._nodes:
            cx, cy = self._centres[node.name]
            drawing.circle(cx + dx, cy + dy, self.radius, node.style)
            drawing.data(node=node.name)
            drawing.text(cx + dx, cy + dy + 4, self._shown[node.name], "ink", "middle", _NODE_SIZE)
        for label in self._labels:
            _draw_label(drawing, label, dx, dy)

    def _place(self, order: Sequence[str]) -> dict[str, Point]:
        """Put the nodes on an ellipse at equal distances, the first one at the left."""
        count = len(order)
        if count < 2:
            return dict.fromkeys(order, (0.0, 0.0))
        lines = [columns(line) for edge in self._edges for line in _lines(edge)]
        room = min(max(lines, default=0), LABEL) * EM * _SIZE
        gap = max(
            90.0 if count < 6 else 64.0 if count <= 12 else 46.0,
            min(room + 40, 170.0 if count < 9 else 120.0),
        )
        total = count * (2 * self.radius + gap)
        badges = max((columns(_badge(edge)) for edge in self._edges), default=0)
        outside = max(room / 2, badges * EM * _SIZE / 2 + 4, _ARROW)
        side = self._limit - self.radius - _LOOP - outside
        wide = min(total / (tau * ((1 + _FLAT**2) / 2) ** 0.5), side)
        high = max(_FLAT * wide, (2 * (total / tau) ** 2 - wide**2) ** 0.5 if wide == side else 0)
        return dict(zip(order, on_ellipse(wide, high if count > 2 else 0.0, count), strict=True))

    def _drawn_edges(self) -> list[Curve]:
        pairs = {(edge.source, edge.target) for edge in self._edges}
        used: defaultdict[tuple[str, str], list[float]] = defaultdict(list)
        curves = []
        for edge in self._edges:
            if edge.source == edge.target:
                curves.append(self._loop(edge.source))
            else:
                both = (edge.target, edge.source) in pairs
                curves.append(self._arrow(edge.source, edge.target, both, used))
        return curves

    def _arrow(
        self, source: str, target: str, both: bool, used: defaultdict[tuple[str, str], list[float]]
    ) -> Curve:
        """Bend an arrow as little as keeps it clear of other circles and of the arrow back."""
        p, q = self._centres[source], self._centres[target]
        length = hypot(q[0] - p[0], q[1] - p[1]) or 1.0
        sign = 1 if source < target else -1
        taken = used[min(source, target), max(source, target)]
        wish = max(0.11 * length, 16.0) if both else 0.0
        bends = [wish + side * 14.0 * k for k in range(9) for side in ((1, -1) if k else (1,))]
        free = [b for b in bends if all(abs(b * sign - other) >= _APART for other in taken)]
        others = [at for name, at in self._centres.items() if name not in (source, target)]
        # one loop over bends: the first that is clear, else the straightest
        clear_curve, bend = None, wish
        for bend in free or bends:
            curve = bent(p, q, bend, self.radius)
            if clear(curve.points, others, self.radius + 6):
                clear_curve = curve
                break
        else:
            bend = (free or bends)[0]
        taken.append(bend * sign)
        return clear_curve or bent(p, q, bend, self.radius)

    def _loop(self, name: str) -> Curve:
        """Return a loop on the side of a node that looks away from the middle."""
        cx, cy = self._centres[name]
        away = hypot(cx, cy)
        ux, uy = (cx / away, cy / away) if away > 1 else (0.0, -1.0)
        if name == self._initial and away > 1:  # where its own arrow comes in
            ux, uy = (-0.35, 0.94) if ux < -0.7 else (ux, uy)
        r = self.radius

        def at(turn: float, far: float) -> Point:
            x, y = ux * cos(turn) - uy * sin(turn), ux * sin(turn) + uy * cos(turn)
            return cx + x * far, cy + y * far

        start, tip = at(-0.5, r), at(0.5, r)
        controls = (at(-0.62, r + _LOOP * 1.3), at(0.62, r + _LOOP * 1.3))
        points = tuple(cubic(start, *controls, tip, t / FINE) for t in range(FINE + 1))
        return Curve(start, controls, tip, points)

    def _placed_labels(self) -> list[_Label]:
        """Place badges on their arrows, then labels beside theirs where there is room, and keys for the others."""
        r = self.radius + 2
        taken: list[Box] = [(x - r, y - r, x + r, y + r) for x, y in self._centres.values()]
        if self._initial in self._centres:
            x, y = self._centres[self._initial]
            taken.append((x - r - _ARROW, y - 7, x, y + 7))
        labels: list[_Label] = []
        without: list[tuple[Edge, Curve]] = []
        drawn = list(zip(self._edges, self._curves, strict=True))

        def place(edge: Edge, curve: Curve, lines: tuple[str, ...], kind: Kind) -> None:
            box = self._spot(curve, lines, taken, kind) if lines else None
            if box is None and kind == "label":
                without.append((edge, curve))
                return
            box = box or around(curve.middle, *_extent(lines))
            taken.append(box)
            labels.append(_Label(box, edge, lines, kind))

        for edge, curve in drawn:
            if edge.badge:
                place(edge, curve, (_badge(edge),), "badge")
        for edge, curve in drawn:
            if edge.label:
                place(edge, curve, _lines(edge), "label")
        for number, (edge, curve) in enumerate(without):
            turn, letter = divmod(number, len(ascii_lowercase))
            place(edge, curve, (f"{ascii_lowercase[letter]}{turn or ''}",), "key")
        return labels

    def _spot(
        self, curve: Curve, lines: tuple[str, ...], taken: Sequence[Box], kind: Kind
    ) -> Box | None:
        """Return the place that covers nothing and fewest arrows; None where all cover too much."""
        width, height = _extent(lines)
        best, least = None, _COVERED if kind == "label" else 10**9
        boxes = on_curve if kind == "badge" else beside_curve
        for box in boxes(curve, width, height):
            if max(-box[0], box[2]) > self._limit or any(meet(box, other) for other in taken):
                continue
            covered = sum(
                inside(point, box) * (_COVERED if other is curve else 1)
                for other in self._curves
                if kind != "badge" or other is not curve
                for point in other.points
            )
            if covered < least:
                best, least = box, covered
            if not covered:
                break
        return best

    def _fit(self) -> None:
        """Find the box around everything, and so the size and where the middle goes."""
        xs, ys = [0.0], [0.0]
        for x, y in self._centres.values():
            xs += [x - self.radius, x + self.radius]
            ys += [y - self.radius, y + self.radius]
        if self._initial in self._centres:
            xs.append(self._centres[self._initial][0] - self.radius - _ARROW)
        for curve in self._curves:
            xs += [x for x, _ in curve.points]
            ys += [y for _, y in curve.points]
        for label in self._labels:
            xs += [label.box[0], label.box[2]]
            ys += [label.box[1], label.box[3]]
        left, top = min(xs) - 6, min(ys) - 6
        self.width, self.height = max(xs) + 6 - left, max(ys) + 6 - top
        self._shift = (-left, -top)

    def _draw_edge(
        self, drawing: Drawing, edge: Edge, curve: Curve, dx: float, dy: float
    ) -> None:  # fmt: skip
        ux, uy = unit(curve.before, curve.tip)
        end = (curve.tip[0] - ux * (_HEAD - 1), curve.tip[1] - uy * (_HEAD - 1))
        steps = " ".join(f"{x + dx:.1f} {y + dy:.1f}" for x, y in (*curve.controls, end))
        weak = " thin" if len(self._edges) > MANY and not edge.badge else ""
        letter = "Q" if len(curve.controls) == 1 else "C"
        begin = f"M{curve.start[0] + dx:.1f} {curve.start[1] + dy:.1f}"
        drawing.path(f"{begin}{letter}{steps}", edge.style + weak)
        badge = {"badge": edge.badge} if edge.badge else {}
        drawing.data(source=edge.source, target=edge.target, **badge)
        _head(drawing, (curve.tip[0] + dx, curve.tip[1] + dy), (ux, uy), edge.head + weak)


def _badge(edge: Edge) -> str:
    return shortened(edge.badge, BADGE)


def _lines(edge: Edge) -> tuple[str, ...]:
    """Return the lines of a label; none where they are too many or too long to be drawn whole."""
    lines = tuple(plain(line) for line in edge.label.split("\n") if line)
    fits = len(lines) <= MOST_LINES and all(columns(line) <= LABEL for line in lines)
    return lines if fits else ()


def _extent(lines: Sequence[str]) -> tuple[float, float]:
    return max(map(columns, lines)) * EM * _SIZE + 8, len(lines) * _LINE + 2


def _head(drawing: Drawing, tip: Point, towards: Point, style: str) -> None:
    (x, y), (ux, uy) = tip, towards
    bx, by, half = x - ux * _HEAD, y - uy * _HEAD, _HEAD * 0.48
    drawing.polygon(
        [(x, y), (bx - uy * half, by + ux * half), (bx + uy * half, by - ux * half)], style
    )


def _draw_label(drawing: Drawing, label: _Label, dx: float, dy: float) -> None:
    left, top, right, _ = label.box
    middle, low = (left + right) / 2 + dx, top + dy + 1
    if label.kind == "badge":
        drawing.rect(left + dx, low, right - left, _LINE, label.edge.pill, _LINE / 2)
        drawing.text(middle, low + 10, label.lines[0], label.edge.ink, "middle", _SIZE, True)
        return
    for line in label.lines:
        drawing.text(middle, low + 10, line, "ink halo", "middle", _SIZE, label.kind == "key")
        low += _LINE
