"""What is drawn, read back from the text of an SVG."""

import re
from itertools import pairwise
from xml.etree import ElementTree as ET

NS = "{http://www.w3.org/2000/svg}"
NUMBER = re.compile(r"-?\d+(?:\.\d+)?")
STEPS = re.compile(r"([MLHVZ])([^MLHVZ]*)")
SLACK = 4  # units that a stroke or a rounded estimate may take


def parsed(svg):
    """Return the root, having made sure that the whole is well-formed, of fair size, and runs nothing."""
    assert len(svg) <= 150_000, len(svg)
    root = ET.fromstring(svg)
    assert root.tag == f"{NS}svg"
    names = {one.tag.removeprefix(NS) for one in root.iter()}
    assert names <= {"svg", "title", "style", "rect", "text", "path", "polygon", "circle"}
    assert all(
        not name.startswith("on") and "href" not in name
        for one in root.iter()
        for name in one.attrib
    )
    return root


def every(root, name, /, **data):
    """Return the elements of a name that have all these data attributes (any value where it is None)."""
    wanted = {f"data-{key}": value for key, value in data.items()}
    return [
        one
        for one in root.iter(f"{NS}{name}")
        if all(k in one.attrib and v in (None, one.get(k)) for k, v in wanted.items())
    ]


def texts(root):
    """Return all texts in the order in which they are drawn."""
    return [one.text or "" for one in every(root, "text")]


def columns(words):
    return sum(2 if 0x1100 <= ord(char) < 0xFF60 and ord(char) > 0x2E80 else 1 for char in words)


def _corners(one):
    if one.tag.endswith("text"):
        x, wide = (
            float(one.get("x")),
            columns(one.text or "") * 0.6 * float(one.get("font-size", 14)),
        )
        left = x - {"start": 0, "middle": wide / 2, "end": wide}[one.get("text-anchor")]
        yield from ((left, float(one.get("y")) - 10), (left + wide, float(one.get("y")) + 3))
    elif one.tag.endswith("rect") and one.get("class") != "ground":
        x, y, w, h = (float(one.get(key)) for key in ("x", "y", "width", "height"))
        yield from ((x, y), (x + w, y + h))
    elif one.tag.endswith("path"):
        yield from points(one.get("d"))
    elif one.tag.endswith("polygon"):
        yield from (tuple(map(float, pair.split(","))) for pair in one.get("points").split())


def points(steps):
    """Return the points of a path of absolute straight steps."""
    x = y = 0.0
    for letter, rest in STEPS.findall(steps):
        numbers = [float(number) for number in NUMBER.findall(rest)]
        if letter in "ML":
            x, y = numbers
        elif letter == "H":
            (x,) = numbers
        elif letter == "V":
            (y,) = numbers
        yield x, y


def assert_inside(root):
    """Assert that nothing reaches beyond the view box, texts estimated at 0.6 em a column."""
    width, height = (float(root.get(key)) for key in ("width", "height"))
    for one in root.iter():
        for x, y in _corners(one):
            assert -SLACK <= x <= width + SLACK, (one.attrib, one.text, width)
            assert -SLACK <= y <= height + SLACK, (one.attrib, one.text, height)


def levels(root):
    """Return, per wave in the order drawn, its name and the levels that its line takes, read off its path."""
    found = []
    for wave in every(root, "path", name=None):
        steps = len(wave.get("data-levels"))
        way = list(points(wave.get("d")))
        start, end = way[0][0], way[-1][0]
        wide = (end - start) / steps if steps else 0
        heights = [_height(way, start + (step + 0.5) * wide) for step in range(steps)]
        found.append((wave.get("data-name"), heights))
    return found


def _height(way, x):
    for (left, y), (right, after) in pairwise(way):
        if y == after and left <= x <= right:
            return y
    raise AssertionError(f"no line over {x}")
