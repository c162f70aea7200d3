"""Graphs read back from the text of an SVG: circles, arrows, and whether all of it can be seen."""

import re
from itertools import pairwise
from math import hypot

from drawn import SLACK, assert_inside, every

NUMBER = re.compile(r"-?\d+(?:\.\d+)?")


def nodes(root):
    """Return name → style of the circles."""
    return {one.get("data-node"): one.get("class") for one in every(root, "circle", node=None)}


def edges(root):
    """Return (source, target) → (style, badge) of the arrows, each drawn once."""
    found = every(root, "path", source=None)
    pairs = {
        (one.get("data-source"), one.get("data-target")): (
            one.get("class"),
            one.get("data-badge", ""),
        )
        for one in found
    }
    assert len(pairs) == len(found)
    return pairs


def taken(root):
    """Return (source, target) → badge of the arrows that stand out."""
    return {
        pair: badge
        for pair, (style, badge) in edges(root).items()
        if style.split()[0] in ("strong", "good-line")
    }


def badge(numbers):
    """Return how some numbers are written at an arrow: three or more in a row as a span, four parts at most."""
    left, parts = sorted(numbers), []
    while left:
        run = 1
        while left[: run + 1] == list(range(left[0], left[0] + run + 1)):
            run += 1
        run = run if run > 2 else 1
        parts.append(str(left[0]) if run == 1 else f"{left[0]}–{left[run - 1]}")
        left = left[run:]
    fits = max(k for k in range(1, 5) if k == 1 or len(", ".join(parts[:k])) <= 15)
    return ", ".join(parts[:fits]) + "…" * (len(parts) > fits)


def assert_graph_inside(root):
    """Assert that nothing reaches beyond the view box, and no arrow or circle does."""
    width, height = (float(root.get(key)) for key in ("width", "height"))
    assert width <= 900
    for one in every(root, "circle"):
        x, y, r = (float(one.get(key)) for key in ("cx", "cy", "r"))
        assert r <= x <= width - r
        assert r <= y <= height - r
    for one in every(root, "path", source=None):
        for x, y in samples(one):
            assert -SLACK <= x <= width + SLACK
            assert -SLACK <= y <= height + SLACK
        root.remove(one)  # `assert_inside` reads straight paths alone
    assert_inside(root)


def samples(path):
    """Return points along a curved path of one step."""
    numbers = [float(number) for number in NUMBER.findall(path.get("d"))]
    points = list(zip(numbers[::2], numbers[1::2], strict=True))
    for i in range(13):
        level = points
        while len(level) > 1:  # de Casteljau
            level = [
                (a[0] + (b[0] - a[0]) * i / 12, a[1] + (b[1] - a[1]) * i / 12)
                for a, b in pairwise(level)
            ]
        yield level[0]


def assert_heads_touch(root):
    """Assert that every arrow's head ends on its target's circle, and its line leaves the source's."""
    at = {
        one.get("data-node"): tuple(float(one.get(key)) for key in ("cx", "cy", "r"))
        for one in every(root, "circle", node=None)
    }
    shapes = list(root)
    for number, one in enumerate(shapes):
        if one.get("data-source"):
            tip = tuple(map(float, shapes[number + 1].get("points").split()[0].split(",")))
            begin = next(samples(one))
            for (x, y), name in (
                (begin, one.get("data-source")),
                (tip, one.get("data-target")),
            ):
                cx, cy, r = at[name]
                assert abs(hypot(x - cx, y - cy) - r) < 0.5
