"""Drawings of graphs: nothing overlaps, nothing is lost, nothing leaves the picture, whatever the names."""

from __future__ import annotations

from functools import cache
from itertools import combinations, pairwise
from math import hypot
from random import Random
from time import process_time

import pytest
from cases import ALL, each, slow
from drawn import every, parsed, texts
from drawn_graph import assert_graph_inside, assert_heads_touch, edges, nodes, samples
from harness_svg.curves import meet
from harness_svg.drawing import Drawing
from harness_svg.graph import Edge, Graph, Node, fitting, spans
from harness_svg.layout import ordered
from harness_svg.text import shortened, wrapped

NASTY = (
    "<script>alert(1)</script>",
    "\"&'>",
    "x" * 200,
    "a\x00\x1b[31m\u202eb",
    "日本語" * 30,
    " ",
)


def drawn(circles, arrows, initial=None, widest=860.0):
    graph = Graph(circles, arrows, initial=initial, widest=widest)
    drawing = Drawing(graph.width, graph.height, "A graph")
    graph.draw(drawing, 0, 0)
    return graph, drawing.svg()


def random_graph(count, share, seed, label=""):
    rng = Random(seed)
    names = [f"n{i}" for i in range(count)]
    arrows = [
        Edge(a, b, label, badge="1, 2" if rng.random() < 0.1 else "")
        for a in names
        for b in names
        if rng.random() < share
    ]
    return [Node(name) for name in names], arrows


@cache
def drawn_at_random(count, share, label):
    circles, arrows = random_graph(count, share, count, label)
    return circles, arrows, *drawn(circles, arrows, "n0")


GRAPHS = [
    (count, share, label)
    for count, share in ((1, 1.0), (2, 1.0), (3, 0.7), (5, 0.5), (9, 0.4), (16, 0.2), (24, 0.1), (40, 0.04))
    for label in ("", "a & !b / c", "x" * 40 + "\ny\nz\nw\nv")
]  # fmt: skip


@slow
@each("count, share, label", GRAPHS)
def test_a_graph_is_drawn_whole_inside_its_view_box(count, share, label):
    circles, arrows, graph, svg = drawn_at_random(count, share, label)
    root = parsed(svg)
    assert set(nodes(root)) == {node.name for node in circles}
    assert {pair: badge for pair, (_, badge) in edges(root).items()} == {
        (edge.source, edge.target): edge.badge for edge in arrows
    }
    assert_heads_touch(root)
    assert graph.width <= 860
    assert_graph_inside(root)
    if ALL or count < 24:  # most of the time
        assert drawn(circles, arrows, "n0")[1] == svg


@each("count, share, label", GRAPHS)
def test_circles_keep_apart_and_labels_keep_off_them(count, share, label):
    root = parsed(drawn_at_random(count, share, label)[3])
    places = [
        tuple(float(one.get(key)) for key in ("cx", "cy", "r")) for one in every(root, "circle")
    ]
    for (x, y, r), (u, v, _) in combinations(places, 2):
        assert hypot(x - u, y - v) >= 2 * r + 10
    for one in every(root, "text"):
        if "halo" in one.get("class"):
            x, y = float(one.get("x")), float(one.get("y")) - 4
            assert all(hypot(x - cx, y - cy) > r for cx, cy, r in places)


@each("count, share, label", GRAPHS)
def test_a_label_is_drawn_whole_or_a_letter_of_its_own_stands_for_it(count, share, label):
    _, arrows, graph, svg = drawn_at_random(count, share, label)
    written = [one.text for one in every(parsed(svg), "text") if "halo" in one.get("class").split()]
    keys = [key for key, _ in graph.keyed]
    assert len(set(keys)) == len(keys)
    assert sorted(written) == sorted([*keys, *[label] * (len(arrows) - len(keys))] * bool(label))
    assert not label or "x" not in label or len(keys) == len(arrows)  # too long anywhere


def test_the_arrows_between_two_nodes_are_told_apart():
    for count in (2, 3, 8, 20):
        circles = [Node(f"n{i}") for i in range(count)]
        arrows = [Edge("n0", "n1"), Edge("n1", "n0")]
        arrows += [Edge(f"n{i}", f"n{i + 1}") for i in range(1, count - 1)]
        there, back = every(parsed(drawn(circles, arrows)[1]), "path", source=None)[:2]
        (x, y), (u, v) = list(samples(there))[6], list(samples(back))[6]
        assert hypot(x - u, y - v) > 15


def test_arrows_of_a_ring_do_not_run_through_other_circles():
    names = [f"n{i}" for i in range(20)]
    arrows = [Edge(names[i], names[(i + k) % 20]) for i in range(20) for k in (1, 2)]
    root = parsed(drawn([Node(name) for name in names], arrows)[1])
    places = {
        one.get("data-node"): tuple(float(one.get(key)) for key in ("cx", "cy", "r"))
        for one in every(root, "circle")
    }
    for one in every(root, "path", source=None):
        ends = (one.get("data-source"), one.get("data-target"))
        for name, (cx, cy, r) in places.items():
            if name not in ends:
                assert all(hypot(x - cx, y - cy) > r for x, y in samples(one))


def test_hostile_names_are_escaped_and_cut():
    circles = [Node(name) for name in NASTY]
    arrows = [Edge(a, b, f"{a}\n{b}", badge=a, style="strong") for a, b in pairwise(NASTY)]
    svg = drawn(circles, arrows, NASTY[0])[1]
    root = parsed(svg)
    assert "<script" not in svg
    assert all(len(words) <= 30 for words in texts(root))
    assert_graph_inside(root)


def test_an_empty_graph_and_a_start_that_is_not_there_are_drawn():
    graph, svg = drawn([], [], "nowhere")
    assert not nodes(parsed(svg))
    assert not graph.keyed


@each(
    "circles, arrows, said",
    [
        ([Node("a"), Node("a")], [], "twice"),
        ([Node("a")], [Edge("a", "b")], "not there"),
        ([Node("a")], [Edge("b", "a")], "not there"),
    ],
)
def test_what_is_no_graph_is_refused(circles, arrows, said):
    with pytest.raises(ValueError, match=said):
        Graph(circles, arrows)


def test_fitting_takes_the_first_that_fits_and_cuts_the_last():
    def ring(count):
        return (
            [Node(str(i)) for i in range(count)],
            [Edge(str(i), str((i + 1) % count)) for i in range(count)],
        )

    assert fitting([ring(9), ring(4), ring(3)], 5, 5) == ring(4)
    circles, arrows = fitting([ring(9), ring(7)], 5, 3)
    assert [node.name for node in circles] == list("01234")
    assert [(edge.source, edge.target) for edge in arrows] == [("0", "1"), ("1", "2"), ("2", "3")]
    assert fitting([]) == ([], [])


def test_three_numbers_in_a_row_are_a_span_and_long_lists_are_cut():
    assert spans([]) == ""
    assert spans([3]) == "3"
    assert spans([1, 2, 5, 6, 7, 9]) == "1, 2, 5–7, 9"
    assert spans([1, 3, 5, 7, 9]) == "1, 3, 5, 7…"
    assert spans(range(1000)) == "0–999"
    assert spans([17, 37, 112, 148, 150]) == "17, 37, 112…"
    assert spans([1000, 2000, 3000, 3001, 3002]) == "1000, 2000…"


def test_a_chain_in_any_order_is_laid_out_as_a_chain():
    names = [f"n{i}" for i in range(12)]
    mixed = Random(1).sample(names, 12)
    order = ordered(mixed, [(names[i], names[i + 1], 1) for i in range(11)], "n0")
    assert order[0] == "n0"
    places = [order.index(name) for name in names]
    assert all(min(abs(a - b), 12 - abs(a - b)) <= 2 for a, b in pairwise(places))


def test_the_biggest_readable_graph_takes_a_fraction_of_a_second():
    circles, arrows = random_graph(24, 0.11, 5, "in / out")
    begun = process_time()
    drawn(circles, arrows[:60], "n0")
    assert process_time() - begun < 0.5


@each("count", range(2, 9))
def test_badges_cover_neither_each_other_nor_labels_nor_circles(count):
    pairs = [
        (f"n{i}", f"n{(i + k) % count}") for i in range(count) for k in range(min(count, 3))
    ]  # self loops, neighbours, and one beyond: as machines are
    arrows = [Edge(a, b, "in / out", badge="10, 12, 14, 21…") for a, b in pairs]
    root = parsed(drawn([Node(f"n{i}") for i in range(count)], arrows, "n0")[1])
    boxes = []
    for one in every(root, "rect"):
        if one.get("class") == "marked":
            x, y, wide, high = (float(one.get(key)) for key in ("x", "y", "width", "height"))
            boxes.append((x, y, x + wide, y + high))
    assert len(boxes) == len(arrows)
    for one in every(root, "text"):
        if one.get("class") == "ink halo":
            x, y, half = float(one.get("x")), float(one.get("y")), len(one.text) * 11 * 0.3
            boxes.append((x - half, y - 9, x + half, y + 2))
    assert not [pair for pair in combinations(boxes, 2) if meet(*pair)]
    for one in every(root, "circle"):
        x, y, r = (float(one.get(key)) for key in ("cx", "cy", "r"))
        assert not [box for box in boxes if meet(box, (x - r / 2, y - r / 2, x + r / 2, y + r / 2))]


def test_text_that_is_too_long_ends_after_a_word():
    assert (
        shortened("delivers the roadside meter to the shelf", 30) == "delivers the roadside meter…"
    )
    assert shortened("a & !b & longer_name", 12) == "a & !b &…"
    assert shortened("x" * 40, 10) == "x" * 9 + "…"
    assert shortened(f"a {'x' * 40}", 10) == "a xxxxxxx…"  # little else would be left
    assert wrapped("one two three four five", 9, 2) == ["one two", "three…"]
