"""Drawings of items: the graph as the rules read it, the certificate's path and nothing else standing out."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import cache
from itertools import pairwise

from cases import each, slow, some
from drawn import every, parsed, texts
from drawn_graph import assert_graph_inside, assert_heads_touch, badge, edges, nodes, taken
from harness_ltlbench.draw import svg
from harness_ltlbench.engines import lasso
from harness_ltlbench.published.adopt import adopt
from ltl_items import PLUGIN, items_of
from pace import within

KINDS = [
    {"events": 2, "operators": 2}, {"events": 3}, {"events": 4, "logic": "full", "wording": "can"},
    {"events": 5, "task": "counterexample"}, {"events": 9, "operators": 9, "logic": "published"},
    {"events": 15, "operators": 4, "edge_probability": 0.1, "logic": "full"},
    {"events": 40, "edge_probability": 0.05}, {"events": 60},
]  # fmt: skip
EACH = max(5, some(25))


@cache
def drawn():
    return [(item, svg(item)) for kind in KINDS for item in items_of(EACH, **kind)]


@cache
def roots():
    return [(item, parsed(text)) for item, text in drawn()]


def path_of(item):
    found = item.certificate["violation"] or item.certificate["witness"]
    return found["prefix"], found["cycle"]


@slow
def test_all_items_are_drawn_within_their_view_box_and_alike_twice():
    assert len(drawn()) == EACH * len(KINDS)
    for item, text in drawn()[::4]:
        assert svg(item) == text
    for _, text in drawn():
        root = parsed(text)
        assert_heads_touch(root)
        assert_graph_inside(root)


def test_what_stands_out_is_the_path_of_the_certificate_with_its_moments():
    for item, root in roots():
        prefix, cycle = path_of(item)
        path = [*prefix, *cycle, cycle[0]]
        moments = {}
        for moment, (a, b) in enumerate(pairwise(path), 1):
            moments.setdefault((f"event{a}", f"event{b}"), []).append(moment)
        assert taken(root) == {pair: badge(at) for pair, at in moments.items()}
        line = "good-line" if item.target == "True" else "strong"
        for pair, at in moments.items():
            style = edges(root)[pair][0].split()
            assert style[0] == line
            assert ("once" in style) == (max(at) <= len(prefix) and "stay" not in style)
        marked = {name for name, style in nodes(root).items() if style in ("marked", "right")}
        assert marked == {f"event{event}" for event in path}


def test_every_arrow_is_an_edge_and_a_dotted_one_says_that_nothing_else_can_follow():
    for item, root in roots():
        known = {(f"event{a}", f"event{b}") for a, b in item.problem["edges"]}
        sinks = {f"event{i}" for i in range(1, item.problem["events"] + 1)} - {a for a, _ in known}
        for pair, (style, _) in edges(root).items():
            if "stay" in style.split():
                assert pair[0] == pair[1]
                assert pair[0] in sinks
            else:
                assert pair in known
        if item.problem["events"] <= 5:
            assert set(edges(root)) == known | {(name, name) for name in sinks}
        (start,) = every(root, "path", initial=None)
        assert start.get("data-initial") == f"event{item.problem['initial']}"


def test_big_graphs_are_cut_to_what_the_path_meets_and_say_so():
    cut = 0
    for item, root in roots():
        words = " ".join(texts(root))
        assert len(nodes(root)) <= 24
        assert len(edges(root)) <= 60
        events = item.problem["events"]
        assert (f"{len(nodes(root))} of {events} events" in words) == (len(nodes(root)) < events)
        cut += len(nodes(root)) < events
    assert cut >= 2 * EACH


def test_the_table_says_what_holds_when_with_the_numbers_of_the_prompt():
    for item, root in roots():
        prefix, cycle = path_of(item)
        events = [int(one.get("data-event")) for one in every(root, "rect", event=None)]
        assert events == [*prefix, *cycle][:16]
        cells = every(root, "rect", statement=None)
        last = [
            one for one in cells if one.get("data-statement") == cells[-1].get("data-statement")
        ]
        assert last[0].get("data-value") == ("true" if item.target == "True" else "false")
        asked = re.findall(r"^(C\d+): ", item.prompt, re.M)
        drawn = list(dict.fromkeys(one.get("data-statement") for one in cells))
        assert drawn == asked[-24:]
        path = [*prefix, *cycle]
        for one in last[: len(path)]:
            at = int(one.get("data-moment")) - 1
            whole = (
                lasso.holds(item.problem["formula"], path[at : len(prefix)], cycle)
                if at <= len(prefix)
                else lasso.holds(item.problem["formula"], path[at:], cycle)
            )
            assert one.get("data-value") == ("true" if whole else "false")


def test_the_title_says_in_words_what_is_drawn():
    problem = {
        "task": "decide", "events": 3, "initial": 1, "edges": [[1, 2]], "formula": ["G", 1],
    }  # fmt: skip
    violation = {"prefix": [1], "cycle": [2]}
    certificate = {"violation": violation, "witness": None, "contrast": None, "walk": None}
    item = replace(items_of(1)[0], id="", problem=problem, target="False", certificate=certificate)
    root = parsed(svg(item))
    assert root[0].text == (
        "Event graph with 3 events; the hypothesis fails on event1, then event2 for ever"
    )
    assert PLUGIN.call("check", item=item) == []
    assert taken(root) == {("event1", "event2"): "1", ("event2", "event2"): "2"}


def test_a_published_item_is_drawn_without_a_path():
    for item in items_of(4):
        record = PLUGIN.call("publish", item=item, format="ltlbench_csv", record={})
        found = adopt(record, "ltlbench_csv")
        root = parsed(svg(found))
        assert taken(root) == {}
        assert set(edges(root)) == set(edges(parsed(svg(item))))
        assert any("no certificate" in words for words in texts(root))
        assert_graph_inside(root)


@each(
    "certificate",
    [None, 7, {}, {"violation": None}, {"violation": {"prefix": [], "cycle": []}, "contrast": 3},
     {"violation": {"prefix": [1], "cycle": [10**6]}}, {"witness": "event1"}],
)  # fmt: skip
def test_a_certificate_that_is_no_path_is_not_drawn(certificate):
    root = parsed(svg(replace(items_of(1)[0], certificate=certificate)))
    assert taken(root) == {}
    assert nodes(root)


def test_the_largest_problems_stay_small_and_quick():
    everything = [[a, b] for a in range(1, 101) for b in range(1, 101) if a != b]
    cycle = [event for k in range(1, 41) for event in range(1, 101)]
    deep = 1
    for _ in range(199):
        deep = ["!", deep]
    for formula, path in ((deep, list(range(1, 101))), (["G", 1], cycle), (7, [1, 2])):
        problem = {
            "task": "decide", "events": 100, "initial": 1, "edges": everything, "formula": formula,
        }  # fmt: skip
        lies = {"prefix": [], "cycle": path}
        certificate = {"violation": lies, "witness": None, "contrast": lies, "walk": None}
        item = replace(
            items_of(1)[0], id="", problem=problem, target="False", certificate=certificate
        )
        with within(1):
            root = parsed(svg(item))
        assert len(nodes(root)) <= 24
        assert_graph_inside(root)


def test_the_command_shows_it():
    item = items_of(1)[0]
    assert PLUGIN.call("render", item=item, format="svg") == svg(item)
    assert "svg" in PLUGIN.benchmark.formats
