import hashlib
import inspect
import itertools
import math
import re
import subprocess
import sys
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree

import pytest
from cases import each, slow

pytest.importorskip("matplotlib")
from harness.report import figures, figures_points, figures_style
from harness.report.figures import draw
from harness.report.figures_points import POINTS, correlation
from harness.report.labels import shortened
from harness.report.model import Cloud, Curve, Estimate, Figure, Panel

HOSTILE = [
    "",
    "   ",
    "_hidden",
    "$\\frac{1}{0}$ $",
    "<script>alert(1)</script>",
    "a&b<c>\"d'e]]>",
    "two\nlines\ttab\r\n",
    "\x00\x1b[31m\x7f\ud800\ufffe",
    "模型 한국어 🙂",
    "‮שלום עולם مرحبا",
    "e\u0301\u0302\u200b\u200d",
    "x" * 10_000,
    "W" * 60,
    "wort " * 2_000,
    "url(#x) #0b0d0f #ffffff",
]


def est(value, low=None, high=None):
    return Estimate(value, low, high, 10)


def named(kind, labels, title="title", n=3):
    """A panel of the kind in which every text is one of the labels."""
    label = itertools.cycle(labels)
    places = tuple(labels)
    texts = {"title": title, "x": next(label), "y": next(label)}
    series = [(name, i) for i, name in enumerate(labels[:n])]
    if kind == "scatter":
        clouds = tuple(Cloud(s, (1, 2, 3), (0, 0.5, 0.4), 0.2, 0.1, 0.3, 0.4) for s, _ in series)
        return Panel(**texts, clouds=clouds)
    if kind == "distribution":
        return Panel(**texts, samples=tuple((s, (0.0, 1.0, 0.5)) for s, _ in series))
    if kind == "beeswarm":
        return Panel(**texts, places=places, swarm=(((0.1, 0.0), (-0.1, 1.0)),) * len(places))
    curves = tuple(
        Curve(s, tuple(est(0.1 + 0.2 * (j % 4), 0.05, 0.9) for j in range(len(places))))
        for s, _ in series
    )
    floors = (Curve("majority", (est(0.5),) * len(places), True),)
    return Panel(**texts, places=places, curves=curves + (() if kind == "stack" else floors))


def one(kind, *panels, name="some_figure", alt="what it shows"):
    return Figure(name, "A title", kind, tuple(panels), alt)


def composed(figure, columns=1):
    from matplotlib import style

    with style.context(["default", figures_style.STYLE]):
        sheet = figures.compose(figure, columns)
        sheet.draw_without_rendering()
    return sheet


def root_of(text):
    return ElementTree.fromstring(text.encode())


def by_id(root, name):
    return next(e for e in root.iter() if e.get("id") == name)


def path_of(root, name):
    return next(e.get("d") for e in by_id(root, name).iter() if e.tag.endswith("path"))


def numbers(path):
    found = [float(x) for x in re.findall(r"-?\d+(?:\.\d+)?", path)]
    return list(zip(found[::2], found[1::2], strict=True))


def scale(root, name, axis):
    """The line from a place in the SVG to the number there, read from its ticks."""
    found = []
    for tick in by_id(root, f"{name}-matplotlib.axis_{1 if axis == 'x' else 2}"):
        if "tick" in tick.get("id", ""):
            (label,) = (e.text for e in tick.iter() if e.tag.endswith("text"))
            place = next(e for e in tick.iter() if e.tag.endswith("use")).get(axis)
            found.append((float(place), float(label.replace("−", "-"))))
    (a, first), (b, last) = found[0], found[-1]
    return lambda place: first + (place - a) * (last - first) / (b - a)


KINDS = list(figures._PAINTERS)


def test_a_line_goes_through_its_numbers_and_is_broken_at_a_gap():
    points = (est(0.9, 0.8, 0.95), est(0.5, 0.4, 0.6), None, est(None), est(0.25), est(1.0, 0.9, 1))
    floor = Curve("majority", (est(0.5),) * 6, True)
    panel = Panel(
        "t",
        places=("1", "2", "4", "5", "8", "10"),
        numeric=True,
        curves=(Curve("a", points), floor),
    )
    root = root_of(draw(one("lines", panel, name="f")).inline[0])
    path = path_of(root, "f-0-curve-0-0")
    assert path.count("M") == 2
    x, y = scale(root, "f-0", "x"), scale(root, "f-0", "y")
    found = [(x(a), y(b)) for a, b in numbers(path)]
    wanted = [(1, 0.9), (2, 0.5), (8, 0.25), (10, 1.0)]
    assert found == [pytest.approx(pair, abs=1e-3) for pair in wanted]
    band = {(round(x(a)), round(y(b), 3)) for a, b in numbers(path_of(root, "f-0-band-0-0"))}
    assert band >= {(1, 0.8), (1, 0.95), (2, 0.4), (2, 0.6)}
    alone = [(x(a), y(b)) for a, b in numbers(path_of(root, "f-0-interval-0-0"))]
    assert sorted(alone) == [pytest.approx(pair, abs=1e-3) for pair in ((10, 0.9), (10, 1.0))]
    ends = [y(b) for _, b in numbers(path_of(root, "f-0-floor-0-0"))]
    assert ends == pytest.approx([0.5] * len(ends), abs=1e-3)


def test_bars_are_as_high_as_their_numbers_and_a_missing_one_is_not_drawn():
    a = Curve("a", (est(0.7, 0.6, 0.8), None))
    b = Curve("b", (est(0.0), est(0.25)))
    root = root_of(draw(one("bars", Panel("t", places=("p", "q"), curves=(a, b)), name="f")).svg)
    y = scale(root, "f", "y")
    for which, place, value in ((0, 0, 0.7), (1, 0, 0.0), (1, 1, 0.25)):
        heights = [y(b) for _, b in numbers(path_of(root, f"f-bar-0-{which}-{place}"))]
        assert (min(heights), max(heights)) == pytest.approx((0, value), abs=1e-3)
    ids = {e.get("id") for e in root.iter()}
    assert "f-bar-0-0-1" not in ids
    assert "f-interval-0-1" not in ids
    ends = [y(b) for _, b in numbers(path_of(root, "f-interval-0-0"))]
    assert sorted(ends) == pytest.approx([0.6, 0.8], abs=1e-3)


def test_lying_bars_swap_the_names_of_the_axes_too():
    places = tuple(f"a place with a long name {i}" for i in range(9))
    curve = Curve("a", tuple(est(i / 10) for i in range(9)))
    figure = one("bars", Panel("t", "size", "accuracy", places, curves=(curve,)), name="f")
    (axes,) = composed(figure).axes
    assert (axes.get_xlabel(), axes.get_ylabel()) == ("accuracy", "size")
    assert [p.get_width() for p in axes.patches] == pytest.approx([i / 10 for i in range(9)])
    assert axes.get_xlim() == (0, 1)


def test_points_and_fit_of_a_scatter_lie_where_the_numbers_say():
    cloud = Cloud("a", (1, 5, 9, math.nan), (0.2, 0.6, 0.4, 0.5), 0.025, 0.275, 0.5, 0.0001)
    drawn = draw(one("scatter", Panel("t", clouds=(cloud,)), name="f"))
    root = root_of(drawn.inline[0])
    x, y = scale(root, "f-0", "x"), scale(root, "f-0", "y")
    found = []
    for element in by_id(root, "f-0-points-0-0").iter():
        if element.tag.endswith("path"):
            across, down = zip(*numbers(element.get("d")), strict=True)
            middle = (min(across) + max(across)) / 2, (min(down) + max(down)) / 2
            found.append((x(middle[0]), y(middle[1])))
    assert found == [pytest.approx(p, abs=2e-3) for p in ((1, 0.2), (5, 0.6), (9, 0.4))]
    line = [(x(a), y(b)) for a, b in numbers(path_of(root, "f-0-fit-0-0"))]
    assert [line[0], line[-1]] == [pytest.approx(p, abs=2e-3) for p in ((1, 0.3), (9, 0.5))]
    assert "r = 0.50, p (uncorrected) &lt; 0.001" in drawn.inline[0]


@each(
    "r, p, said",
    [
        (None, None, "r = –, p (uncorrected) = –"),
        (-0.123, 0.0426, "r = −0.12, p (uncorrected) = 0.043"),
        (1.0, 0.0, "r = 1.00, p (uncorrected) < 0.001"),
        (math.nan, 1.0, "r = –, p (uncorrected) = 1.000"),
    ],
)
def test_a_correlation_is_said_and_an_undefined_one_is_a_dash(r, p, said):
    assert correlation(r, p) == said


@slow
def test_many_points_become_one_picture_and_the_panel_says_how_many_are_shown():
    n = 20_000
    cloud = Cloud("a", tuple(range(n)), tuple(i / n for i in range(n)), None, None, None, None)
    same = Cloud("a", (1,) * 500, (0.5,) * 500, None, None, None, None)
    drawn = draw(one("scatter", Panel("t", clouds=(cloud,))))
    assert f"{POINTS:,} of 20,000 different points drawn" in drawn.inline[0].replace("\n", " ")
    assert drawn.inline[0].count("<image") == 1
    assert len(drawn.inline[0]) < 300_000
    assert "up to 500 items at one point" in draw(one("scatter", Panel("t", clouds=(same,)))).svg


def test_a_stack_shows_shares_side_by_side_in_colours_of_their_own_names():
    labels = ("wrong", "right", "unscored")
    curves = [Curve(s, (est(v),)) for s, v in zip(labels, (0.25, 0.65, 0.1), strict=True)]
    figure = one("stack", Panel("t", places=("m",), curves=tuple(curves)))
    (axes,) = composed(figure).axes
    found = [(p.get_x(), p.get_width()) for p in axes.patches]
    assert found == [pytest.approx(p) for p in ((0, 0.25), (0.25, 0.65), (0.9, 0.1))]
    from matplotlib.colors import to_hex

    assert [to_hex(p.get_facecolor()) for p in axes.patches] == [
        figures_style.PARTS[label][0] for label in labels
    ]
    looks = {figures_style.PARTS[s] for s in ("right", "partial", "wrong", "unparsed", "unscored")}
    assert len({hatch for _, hatch in looks}) == 5


def test_a_distribution_is_a_share_per_bin_on_one_scale_with_mean_and_median():
    samples = (("a", (0.0,) * 3 + (1.0,)), ("b", (1.0, math.nan)))
    (axes,) = composed(one("distribution", Panel("t", samples=samples))).axes
    tops = {line.get_gid(): line.get_xdata()[0] for line in axes.lines if line.get_gid()}
    assert tops == {"mean-0-0": 0.25, "median-0-0": 0.0, "mean-0-1": 1.0, "median-0-1": 1.0}
    heights = []
    for i, part in enumerate(c for c in axes.collections if c.get_gid()):
        y = part.get_paths()[0].vertices[:, 1]
        heights.append(round(float(i + 0.45 - y.min()), 6))
    assert heights == [pytest.approx(0.9 * 0.75), pytest.approx(0.9)]
    assert "the highest bar is 100% of a series" in axes.get_xlabel().replace("\n", " ")


def test_a_matrix_writes_every_number_and_a_dash_for_none():
    curves = (Curve("a", (est(1.0), None)), Curve("b", (est(-0.456), est(-0.001))))
    (axes,) = composed(one("matrix", Panel("t", places=("a", "b"), curves=curves))).axes
    found = {t.get_position(): t.get_text() for t in axes.texts}
    assert found == {(0, 0): "1.00", (1, 0): "–", (0, 1): "−0.46", (1, 1): "0.00"}


def test_a_beeswarm_keeps_every_effect_where_it_is_and_points_apart():
    swarm = (tuple((0.1, 0.5) for _ in range(9)), ((-0.2, 0.0), (0.3, 1.0), (0.1, math.nan)))
    axes = composed(one("beeswarm", Panel("", places=("f", "g"), swarm=swarm))).axes[0]
    first, second = (c.get_offsets() for c in axes.collections if c.get_gid())
    assert {float(x) for x in first[:, 0]} == {0.1}
    assert len({float(y) for y in first[:, 1]}) == 9
    assert abs(first[:, 1]).max() < 0.45
    assert second[:, 0].tolist() == [-0.2, 0.3, 0.1]
    assert [t.get_text() for t in axes.child_axes[0].get_yticklabels()] == ["low", "high"]


@slow
def test_foreign_text_stays_text_and_the_svg_well_formed():
    for at, kind in enumerate(KINDS):
        # All kinds treat text alike: half of it in each is enough, and takes half the time.
        labels = list(dict.fromkeys(["", "_hidden", *HOSTILE[at % 2 :: 2]]))
        drawn = draw(one(kind, named(kind, labels, "\n".join(labels)), alt="".join(HOSTILE)))
        signs = [sign for sign, _ in drawn.legend if sign]
        for text, inline in ((drawn.svg, False), *((one, True) for one in (*drawn.inline, *signs))):
            root = root_of(text)
            tags = {e.tag.rpartition("}")[2] for e in root.iter()}
            assert not tags & {"script", "style", "metadata", "foreignObject", "a"}
            ids = [e.get("id") for e in root.iter() if e.get("id")]
            assert len(ids) == len(set(ids))
            assert all(i == "some_figure" or i.startswith("some_figure-") for i in ids)
            shown = [v for e in root.iter() for k, v in e.attrib.items() if k != "aria-label"]
            linked = [u for v in shown for u in re.findall(r"url\(#(.*?)\)", v)]
            hrefs = [v for e in root.iter() for k, v in e.attrib.items() if k.endswith("href")]
            linked += [v[1:] for v in hrefs if v.startswith("#")]
            assert set(linked) <= set(ids)
            assert all(v.startswith(("#", "data:image/png;base64,")) for v in hrefs)
            assert not any(k.startswith("on") for e in root.iter() for k in e.attrib)
            if inline:
                assert root.get("aria-hidden") == "true"
            else:
                assert root.get("role") == "img"
                assert root.get("aria-label").startswith("_hidden")
            styles = " ".join(v for v in shown if not v.startswith("data:"))
            assert not inline or figures_style.INK not in styles
            assert (figures_style.GROUND in styles) is not inline
            assert "<!DOCTYPE" not in text
        assert "currentColor" in drawn.inline[0]
        assert drawn.png.startswith(b"\x89PNG")


def test_text_that_looks_like_our_colours_is_left_alone():
    inline = draw(one("lines", named("lines", ["#0b0d0f", "url(#x)", "#ffffff"]))).inline[0]
    assert ">#0b0d0f<" in inline
    assert ">url(#x)<" in inline


@slow
@each("labels", [HOSTILE, [f"category number {i}" for i in range(24)]])
def test_names_do_not_overlap_and_nothing_is_clipped(labels):
    columns = 2 if labels is HOSTILE else 1
    for kind in KINDS:
        if columns == 1 and kind in ("scatter", "distribution"):
            continue  # their names are in the legend, or alike in the other case
        panel = named(kind, labels, title="a rather long title of a panel " * 3)
        beside = named(kind, labels[:3], title="beside it")
        sheet = composed(one(kind, panel, *[beside] * (columns - 1)), columns)
        renderer = sheet.canvas.get_renderer()
        whole = sheet.bbox
        for axes in sheet.axes:
            _apart(axes.get_yticklabels(), renderer)
            _apart(axes.get_xticklabels(), renderer)
            box = axes.get_tightbbox(renderer)
            assert box.x0 >= -1
            assert box.x1 <= whole.x1 + 1
            assert box.y0 >= -1
            assert box.y1 <= whole.y1 + 1
            assert axes.get_window_extent().width > 60
        around = [axes.get_window_extent() for axes in sheet.axes]
        for legend in [*sheet.legends, *filter(None, (a.get_legend() for a in sheet.axes))]:
            box = legend.get_window_extent(renderer)
            assert box.x0 >= 0
            assert box.y0 >= 0
            assert box.x1 <= whole.x1
            assert not any(box.overlaps(other) for other in around)


def _apart(labels, renderer):
    """Names that stand level do not touch; turned ones keep a line's height between their lines."""
    shown = [label for label in labels if label.get_text()]
    for a, b in itertools.pairwise(shown):
        if a.get_rotation() == 0:
            one, other = a.get_window_extent(renderer), b.get_window_extent(renderer)
            # A label is a little higher than its letters; side by side they are apart at once.
            assert not one.padded(-1).overlaps(other.padded(-1)), (a, b)
        else:
            ends = [t.get_transform().transform(t.get_position())[0] for t in (a, b)]
            lines = max(t.get_text().count("\n") + 1 for t in (a, b))
            assert abs(ends[1] - ends[0]) * math.sin(math.radians(40)) > 9.5 * lines


def luminance(colour):
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    parts = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts]
    return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]


def contrast(a, b):
    low, high = sorted((luminance(a), luminance(b)))
    return (high + 0.05) / (low + 0.05)


def test_colours_stand_out_on_light_and_dark():
    shades = [*figures_style.PALETTE, *(colour for colour, _ in figures_style.PARTS.values())]
    for colour in shades:
        assert contrast(colour, "#ffffff") >= 3
        assert contrast(colour, "#14181d") >= 3
    for colour, _ in figures_style.PARTS.values():
        assert contrast(colour, figures_style.LIGHT) >= 4.5
    assert len(set(figures_style.PALETTE)) == len(set(figures_style.MARKERS)) == 12
    assert len(set(figures_style.HATCHES)) == 12


def test_numbers_in_cells_can_be_read():
    from matplotlib.colors import to_hex

    curves = (Curve("a", tuple(est(i / 20) for i in range(-20, 0))),)
    curves += (Curve("b", tuple(est(i / 20) for i in range(1, 21))),)
    places = tuple(map(str, range(20)))
    (axes,) = composed(one("matrix", Panel("t", places=places, curves=curves))).axes
    for cell, text in zip(axes.patches, axes.texts, strict=True):
        assert contrast(to_hex(cell.get_facecolor()), text.get_color()) >= 4.5


def test_a_series_keeps_its_colour_and_those_beyond_twelve_are_only_counted():
    full = tuple(Curve(f"s{i}", (est(0.1), est(0.2))) for i in range(15))
    panels = [
        Panel("t", places=("a", "b"), curves=full),
        Panel("t", places=("a", "b"), curves=full[2:3]),
    ]
    sheet = composed(one("lines", *panels), 2)
    first, second = sheet.axes
    assert [line.get_color() for line in first.lines] == list(figures_style.PALETTE)
    assert [line.get_color() for line in second.lines] == [figures_style.PALETTE[2]]
    texts = [t.get_text() for t in sheet.legends[0].get_texts()]
    assert texts[0] == "s0"
    assert texts[-1] == "… and 3 more, in the table"


def looks(labels, order, kind="lines"):
    panel = named(kind, labels, n=len(labels))
    return figures.looks_of(replace(one(kind, panel), order=order)).series


def test_a_series_has_the_same_colour_in_every_figure_of_its_study():
    from matplotlib.colors import to_hex

    order = ("a", "b", "c")
    for kind in ("lines", "bars", "scatter", "distribution"):
        assert looks(["c", "a"], order, kind) == {"c": 2, "a": 0}
    # What is no series of the study takes no series' colour while there is another.
    assert looks(["b", "other", "a"], order) == {"b": 1, "other": 3, "a": 0}
    many = tuple(f"s{i}" for i in range(20))
    assert looks(["s15", "s1", "s0", "s19"], many) == {"s15": 2, "s1": 1, "s0": 0, "s19": 3}
    found = looks(list(many), many)
    assert found == {name: i for i, name in enumerate(many[:12])}
    assert len(set(looks(list(reversed(many)), many).values())) == 12
    figure = replace(one("distribution", Panel("t", samples=(("c", (0.0, 1.0)),))), order=order)
    (axes,) = composed(figure).axes
    assert to_hex(axes.collections[0].get_facecolor()) == figures_style.PALETTE[2]
    figure = replace(one("bars", named("bars", ["b"], n=1)), order=order)
    (axes,) = composed(figure).axes
    assert to_hex(axes.patches[0].get_facecolor()) == figures_style.PALETTE[1]
    legend = figures.signs(figure, figures.looks_of(figure))
    assert legend[0] == (("series", "bars", 1), "b")


@slow
def test_a_bar_of_nothing_is_marked_and_a_single_place_without_a_name_is_not_named():
    curves = (
        Curve("a", (est(0.0),)), Curve("b", (est(0.0, 0.0, 0.3),)), Curve("c", (est(0.5),)),
        Curve("d", (None,)), Curve("e", (est(math.nan),)), Curve("f", (est(0.002),)),
    )  # fmt: skip
    svg = draw(one("bars", Panel("t", places=("",), curves=curves), name="f")).svg
    assert re.findall('id="f-zero-0-([0-9])"', svg) == ["0", "1", "4"]
    # What was not measured is neither a bar nor a zero; d has no number anywhere, and so no place.
    assert re.findall('id="f-none-0-([0-9])"', svg) == ["3"]
    shown = dict(re.findall('id="f-(?:value|none)-0-([0-9])">.*?<text[^>]*>([^<]*)<', svg, re.S))
    assert shown == {"0": "0", "1": "0", "4": "0.002", "3": "–"}
    upright, lying = (
        composed(one("bars", Panel("t", places=places, curves=curves * times))).axes[0]
        for places, times in ((("",), 1), (("",), 30))
    )
    assert [t.get_text() for t in upright.get_xticklabels()] == []
    assert "–" not in [t.get_text() for t in lying.get_yticklabels()]


@slow
def test_a_line_never_ends_where_a_blank_forbids_it():
    assert figures_style.clean(" a  R²\N{NO-BREAK SPACE}0.5\n") == "a R²\N{NO-BREAK SPACE}0.5"
    assert figures_style.clean("\N{NO-BREAK SPACE}") == "–"
    title = f"{'a name ' * 8}R²\N{NO-BREAK SPACE}0.123"
    for width in range(3, 8):
        panel = named("beeswarm", ["x" * width], title=title[width:])
        text = composed(one("beeswarm", panel)).axes[0].get_title(loc="left")
        assert "R²\N{NO-BREAK SPACE}0.123" in text.split("\n")[-1]


@each("kind", KINDS)
def test_a_panel_without_numbers_is_left_out_and_a_figure_without_panels_says_so(kind):
    none = Curve("a", (None, est(None), est(math.nan)))
    empty = Panel(
        "nothing here",
        places=("p", "q", "r"),
        curves=(none,),
        clouds=(Cloud("a", (), (), None, None, None, None),),
        samples=(("a", ()),),
        swarm=((),) * 3,
    )
    full = named(kind, ["a", "b", "c"])
    assert not figures._has_numbers(kind, empty)
    assert figures._has_numbers(kind, full)
    if kind == "bars":
        none = draw(one(kind, empty))
        assert all(">no data<" in text for text in (none.svg, *none.inline))
        assert none.legend == ()
        (drawn,) = draw(one(kind, empty, full)).inline
        assert "nothing here" not in drawn
        assert "no data" not in drawn


@slow
@each("kind", KINDS)
def test_numbers_beyond_drawing_and_shapes_at_the_edge_draw(kind):
    wild = (
        est(math.inf),
        est(1e300),
        est(-3.0, -4.0, 7.0),
        est(0.5, 0.6, 0.7),
        est(0.5, None, 1.0),
    )
    places = ("a", "b", "c", "d", "e")
    panel = Panel(
        "t",
        places=places,
        numeric=True,
        curves=(Curve("a", wild), Curve("m", (est(0.5),) * 5, True)),
        clouds=(Cloud("a", (1, 1, math.inf), (2, 2, 0), math.inf, 0.0, math.nan, None),),
        samples=(("a", (5.0, 5.0)), ("b", (-1e9, 1e9, math.inf)), ("c", ())),
        swarm=((((0.0, 0.5), (math.nan, 1.0))), ((1e-9, -5.0),), (), (), ()),
        unit=False,
    )
    composed(one(kind, panel))
    single = Panel("t", places=("1",), numeric=True, curves=(Curve("a", (est(0.5, 0.4, 0.6),)),))
    if kind in ("lines", "bars", "stack", "matrix"):
        composed(one(kind, single))


def everything():
    names = ["m1", "a longer name · cot", "模型"]
    return [
        one(k, *[named(k, names, n=2)] * (1 + (i == 3)), name=f"f{i}") for i, k in enumerate(KINDS)
    ]


def digest(figure):
    drawn = draw(figure)
    texts = (drawn.svg, *drawn.inline, *itertools.chain(*drawn.legend))
    return hashlib.sha256("".join(texts).encode() + drawn.png).hexdigest()


@slow
def test_the_same_figure_is_the_same_bytes_in_every_process_and_thread():
    figure = everything()[1]
    code = (
        "import hashlib, itertools, sys\n"
        "from harness.report.figures import draw\n"
        "assert not {'matplotlib', 'numpy'} & set(sys.modules)\n"
        "from harness.report.model import *\n"
        f"{inspect.getsource(digest)}\n"
        f"print(digest({figure!r}))"
    )
    # Without what the test needs beside: importing that takes longer than the figure.
    environment = {"PYTHONPATH": ".", "PYTHONHASHSEED": "7", "LC_ALL": "C", "TZ": "UTC"}
    run = [sys.executable, "-c", code]
    root = Path(__file__).parents[2]
    process = subprocess.run(
        run, cwd=root, env=environment, capture_output=True, text=True, check=True
    )
    with ThreadPoolExecutor(2) as threads:
        found = {future.result() for future in [threads.submit(digest, figure) for _ in range(2)]}
    assert found == {process.stdout.strip()}


@slow
def test_panels_and_signs_of_one_page_share_no_id():
    drawn = [draw(figure) for figure in everything()[1:4]]
    pieces = [text for d in drawn for text in (*d.inline, *(sign for sign, _ in d.legend)) if text]
    ids = [[e.get("id") for e in root_of(text).iter() if e.get("id")] for text in pieces]
    assert len(pieces) > 8
    assert len(set().union(*ids)) == sum(map(len, ids))


@slow
def test_a_page_gets_a_picture_per_panel_and_one_legend_with_whole_names():
    name = "m" * 80
    panels = [named("bars", [name, "b"], title=f"panel {i}", n=2) for i in range(2)]
    drawn = draw(one("bars", *panels))
    assert [f"panel {i}" in text for i, text in enumerate(drawn.inline)] == [True] * 2
    assert [label for _, label in drawn.legend] == [name, "b", "majority"]
    assert all(sign.startswith("<svg") for sign, _ in drawn.legend)


def test_floors_that_coincide_are_one_line_that_names_both():
    def floor(label, *values):
        return Curve(label, tuple(est(v) for v in values), True)

    model = Curve("m", (est(0.7), est(0.8)))
    same = [floor(f"{kind} floor", 0.5, 0.5) for kind in ("majority", "constant", "random")]
    apart = [same[0], floor("random floor", 0.5, 0.4)]
    panels = [Panel("t", places=("a", "b"), curves=(model, *own)) for own in (same, apart)]
    found = map(figures.with_merged_floors, panels)
    told = [[c.label for c in panel.curves] for panel in found]
    assert told == [
        ["m", "majority, constant and random floor"],
        ["m", "majority floor", "random floor"],
    ]
    joined = figures._joined_label(["majority and constant floor", "random floor"])
    assert joined == "majority, constant and random floor"
    assert figures._joined_label(["low", "high floor"]) == "low and high floor"


def test_zeros_and_ones_are_drawn_as_means_of_neighbours_sized_by_count():
    cloud = Cloud("a", (1, 1, 1, 1, 2, 2, 5), (0, 1, 1, 1, 0, 1, 0), 0.1, 0.5, 0.1, 0.2)
    (axes,) = composed(one("scatter", Panel("t", clouds=(cloud,)))).axes
    (dots,) = axes.collections
    assert dots.get_offsets().tolist() == [[1, 0.75], [2, 0.5], [5, 0]]
    assert list(dots.get_sizes()) == sorted(dots.get_sizes(), reverse=True)
    assert "points: means, each of up to 4 items" in axes.get_xlabel().replace("\n", " ")
    many = Counter({(x, x % 2): 1 for x in range(1000)})
    grouped = figures_points.means(many)
    assert set(grouped.values()) == {100}
    assert sum(x * n for (x, _), n in grouped.items()) == sum(range(1000))
    assert {y for _, y in grouped} == {0.5}
    assert not figures_points.mostly_binary([Counter({(0, 0.5): 1, (0, 1): 2})])
    assert figures_points.mostly_binary([Counter({(0, 0.5): 1, (0, 1): 3})])


@each(
    "text, limit, wanted",
    [
        ("short", 10, "short"),
        ("openai/gpt-4o-mini", 11, "opena…-mini"),
        ("abcdef", 2, "a…"),
        ("abcdef", 6, "abcdef"),
    ],
)
def test_a_long_name_loses_its_middle(text, limit, wanted):
    assert shortened(text, limit) == wanted
    assert len(wanted) <= limit


def test_names_that_nothing_short_tells_apart_are_numbered():
    first, second = figures_style.names(["模" * 50, "型" * 50]).values()
    assert (len(first), second) == (figures_style.LABEL, f"{first[:18]}…{first[:17]} (2)")
    assert figures_style.clean("a\x00b\n 模") == "a□b □"
