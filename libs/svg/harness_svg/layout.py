"""Where the nodes of a graph go: their order around an ellipse, and the points along it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from itertools import pairwise
from math import cos, hypot, sin, tau

from harness_svg.curves import Point

_PASSES = 8  # rounds of exchanging nodes


def ordered(
    names: Sequence[str], edges: Sequence[tuple[str, str, int]], first: str | None
) -> list[str]:
    """Return nodes in an order around a circle that keeps arrows short; ``first`` (if there) comes first."""
    near: defaultdict[str, dict[str, int]] = defaultdict(dict)
    for source, target, weight in edges:
        if source != target:
            for a, b in ((source, target), (target, source)):
                near[a][b] = near[a].get(b, 0) + weight
    order = _reached(names, near, first)
    place = {name: i for i, name in enumerate(order)}
    for _ in range(_PASSES):
        better = False
        for i in range(1 if first in place else 0, len(order)):
            for j in range(i + 1, len(order)):
                better |= _exchanged(order, place, near, i, j)
        if not better:
            break
    return order


def _reached(
    names: Sequence[str], near: defaultdict[str, dict[str, int]], first: str | None
) -> list[str]:
    """Return the nodes depth first, along heavy edges first."""
    known, order = set(names), list[str]()
    seen: set[str] = set()
    for root in [*([first] if first in known else []), *names]:
        todo = [root]
        while todo:
            name = todo.pop()
            if name not in seen:
                seen.add(name)
                order.append(name)
                todo += sorted(near[name], key=lambda other: near[name][other])
    return order


def _exchanged(
    order: list[str], place: dict[str, int], near: defaultdict[str, dict[str, int]], i: int, j: int
) -> bool:
    """Exchange two nodes if that makes the arrows shorter; say whether it did."""
    a, b = order[i], order[j]

    def length() -> int:
        count, total = len(order), 0
        for name in (a, b):
            at = place[name]
            for other, weight in near[name].items():
                apart = abs(at - place[other])
                total += weight * min(apart, count - apart)
        return total

    before = length()
    place[a], place[b] = j, i
    if length() < before:
        order[i], order[j] = b, a
        return True
    place[a], place[b] = i, j
    return False


def on_ellipse(wide: float, high: float, count: int) -> list[Point]:
    """Return points at equal distances along an ellipse, clockwise from its left end."""
    fine = max(360, count * 8)
    outline = [(-wide * cos(tau * i / fine), -high * sin(tau * i / fine)) for i in range(fine + 1)]
    lengths = [0.0]
    for (x0, y0), (x1, y1) in pairwise(outline):
        lengths.append(lengths[-1] + hypot(x1 - x0, y1 - y0))
    points, at = [], 0
    for i in range(count):
        while lengths[at] < lengths[-1] * i / count - 1e-9:
            at += 1
        points.append(outline[at])
    return points
