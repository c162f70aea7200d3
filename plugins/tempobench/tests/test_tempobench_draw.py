"""Drawings of items: the machine with exactly the run standing out, the trace, effect, cause, counterfactual."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import cache
from random import Random

import pytest
from cases import each, slow, some
from drawn import every, parsed, texts
from drawn_graph import assert_graph_inside, assert_heads_touch, badge, edges, nodes, taken
from harness_tempobench import hoa
from harness_tempobench import problem as problems
from harness_tempobench.draw import svg
from harness_tempobench.errors import TempobenchError
from harness_tempobench.machine import Machine, walk
from harness_tempobench.published import adopt
from pace import within
from tb_items import PLUGIN, Walker, items_of
from tb_published import prebuilt, raw

KINDS = [
    {"task": "tce"}, {"task": "tte"}, {"task": "tce", "label": "full", "notation": "table"},
    {"task": "tte", "notation": "prose"}, {"task": "tce", "max_inputs": 2, "effects": "positive"},
    {"task": "tte", "length": 40}, {"task": "tce", "min_states": 20, "max_states": 60},
    {"task": "tte", "min_states": 100, "max_states": 256, "length": 20},
]  # fmt: skip
NAMES = ("<script>alert(1)</script>", "\"&'>", "x" * 100, "x" * 99 + "y", "日本語", "a b")


N = max(some(6), 2)  # of each kind


@cache
def drawn():
    return [(item, svg(item)) for kind in KINDS for item in items_of(N, confirm=False, **kind)]


def run_of(item):
    """Return the pairs of states of the run, until the trace departs."""
    walker, pairs = Walker(item.problem["hoa"]), []
    state = walker.start
    for true in item.problem["trace"]:
        following, outputs = walker.step(state, set(true) - walker.outputs)
        if outputs != set(true) & walker.outputs:
            return pairs, False
        pairs.append((str(state), str(following)))
        state = following
    return pairs, True


def waves(root):
    """Return name → levels of every diagram, in order."""
    found, seen = [{}], every(root, "path", name=None)
    for one in seen:
        if one.get("data-name") in found[-1]:
            found.append({})
        found[-1][one.get("data-name")] = one.get("data-levels")
    return found


def marks(root):
    return sorted(
        (int(one.get("data-step")), one.get("data-mark")) for one in every(root, "rect", mark=None)
    )


@slow
def test_items_of_every_kind_are_drawn_within_their_view_box():
    assert len(drawn()) == 8 * N
    for item, text in drawn()[::4]:
        assert svg(item) == text
    for _, text in drawn():
        root = parsed(text)
        assert_heads_touch(root)
        assert_graph_inside(root)


def test_what_stands_out_is_the_run_with_its_steps():
    for item, text in drawn():
        pairs, accepted = run_of(item)
        steps = {}
        for step, pair in enumerate(pairs):
            steps.setdefault(pair, []).append(step)
        root = parsed(text)
        shown = taken(root)
        met = {state for pair in pairs for state in pair}
        if len(met) <= 16:
            assert shown == {pair: badge(at) for pair, at in steps.items()}
        assert shown.keys() <= steps.keys()
        (start,) = every(root, "path", initial=None)
        assert start.get("data-initial") == str(Walker(item.problem["hoa"]).start)
        said = root[0].text
        if item.problem["task"] == "tte":
            assert ("accepts" in said) == accepted
            assert accepted or said.endswith(f"rejects the trace at step {len(pairs)}")
        else:
            effect = item.problem["effect"]
            value = "true" if effect["value"] else "false"
            assert said.endswith(f"why is {effect['output']} {value} at step {effect['step']}?")


def test_every_arrow_is_a_transition_and_what_is_left_out_is_counted():
    cut, drawings = 0, list(drawn())
    for item, text in drawings:
        walker, root = Walker(item.problem["hoa"]), parsed(text)
        pairs = {(str(a), str(b)) for a, ways in walker.edges.items() for _, b in ways}
        found = edges(root)
        assert set(found) <= pairs
        assert len(nodes(root)) <= 16
        assert len(found) <= 48
        words = " ".join(texts(root)).replace("\n", " ")
        assert (f"{len(found)} of {len(pairs)} transitions" in words) == (len(found) < len(pairs))
        some = len(nodes(root)) < len(walker.edges)
        assert (f"{len(nodes(root))} of {len(walker.edges)} states" in words) == some
        cut += some
    assert 2 * N <= cut <= len(drawings) - 2 * N


def test_every_transition_has_its_guard_whole_beside_it_or_below():
    labelled = keyed = 0
    for item, text in drawn():
        walker, root = Walker(item.problem["hoa"]), parsed(text)
        beside = [one.text for one in every(root, "text") if "halo" in one.get("class").split()]
        if not beside:
            assert len(edges(root)) > 16 or len(walker.inputs) > 8
            continue
        keys = {word for word in beside if len(word) == 1}
        below = [line for line in texts(root) if re.match(r"[a-z]: \d+ → \d+: ", line)]
        assert {line[0] for line in below} == keys
        for line in below:
            _, source, target = re.match(r"([a-z]): (\d+) → (\d+)", line).groups()
            assert (source, target) in edges(root)
        assert not any("…" in words for words in [*beside, *below])
        labelled += len(set(beside) - keys)
        keyed += len(keys)
    assert labelled > 50 * N // 6
    assert keyed > 20 * N // 6


def test_the_trace_is_drawn_as_it_is():
    for item, text in drawn():
        trace, found = item.problem["trace"], waves(parsed(text))[0]
        steps = len(next(iter(found.values())))
        assert steps >= min(len(trace), 20)
        for name, levels in found.items():
            # a trace that does not fit is shown from a later step on
            want = "".join("1" if name in true else "0" for true in trace)
            assert levels in want
            if steps == len(trace):
                assert levels == want


def test_effect_cause_and_a_counterfactual_are_marked():
    several = 0
    for item, text in drawn():
        if item.problem["task"] != "tce":
            continue
        effect, found = item.problem["effect"], item.certificate["counterfactuals"]
        asked = (effect["step"], effect["output"])
        cause = {(step, name) for one in found for step, name in one["flips"]}
        want = [*cause, asked]
        diagrams = waves(parsed(text))
        if found:
            flips = {(step, name) for step, name in found[0]["flips"]}
            want += [*flips, asked]
            changed = diagrams[1]
            for name, levels in changed.items():
                assert levels == "".join("1" if name in true else "0" for true in found[0]["trace"])
            assert changed[effect["output"]][effect["step"]] == "01"[not effect["value"]]
            for step, name in flips:
                assert changed[name][step] != diagrams[0][name][step]
        else:
            assert any("the cause is empty" in words for words in texts(parsed(text)))
        assert len(diagrams) == (2 if found else 1)
        assert marks(parsed(text)) == sorted(want)
        for one in every(parsed(text), "rect", mark=None):
            assert one.get("class") == ("marked" if one.get("data-mark") == asked[1] else "cause")
        said = texts(parsed(text))
        assert ("effect" in said, "cause" in said) == (True, bool(found))
        several += len(found) > 1
    assert several >= N


def test_where_a_trace_is_rejected_the_outputs_that_differ_are_marked():
    for item in items_of(25, task="tte", confirm=False):
        pairs, accepted = run_of(item)
        root = parsed(svg(item))
        if accepted:
            assert marks(root) == []
            continue
        at = len(pairs)
        walker = Walker(item.problem["hoa"])
        state = int(pairs[-1][1]) if pairs else walker.start
        true = set(item.problem["trace"][at])
        own = walker.step(state, true - walker.outputs)[1]
        assert marks(root) == sorted((at, name) for name in own ^ (true & walker.outputs))


def test_published_items_are_drawn_without_a_cause():
    for task in ("tce", "tte"):
        for item in items_of(max(some(4), 2), task=task, confirm=False):
            for record in (prebuilt(item), raw(item)):
                found = adopt.adopt(record, {"task": task}, "")
                root = parsed(svg(found))
                assert taken(root) == taken(parsed(svg(item)))
                if task == "tce":
                    effect = item.problem["effect"]
                    assert marks(root) == [(effect["step"], effect["output"])]
                    assert any("no certificate" in words for words in texts(root))
                assert_graph_inside(root)


def big(states, inputs, outputs, length, seed):
    rng = Random(seed)
    names = [*NAMES, *(f"p{i}" for i in range(60))]
    table = [
        tuple((rng.randrange(states), rng.randrange(1 << outputs)) for _ in range(1 << inputs))
        for _ in range(states)
    ]
    machine = Machine(
        tuple(names[:inputs]), tuple(names[inputs : inputs + outputs]), 0, tuple(table)
    )
    letters, masks = walk(machine, length, rng)
    trace = problems.trace(machine, letters, masks)
    effect = {"output": machine.outputs[0], "step": length - 1}
    effect["value"] = bool(masks[-1] & 1)
    problem = {"task": "tce", "hoa": hoa.write(machine), "trace": trace, "effect": effect}
    return replace(items_of(1)[0], id="", problem={**problem, "label": "full"}, certificate=None)


@slow
@each(
    "states, inputs, outputs, length",
    [(1, 1, 1, 1), (1, 0, 1, 3), (2, 3, 3, 5), (5, 2, 4, 300), (40, 5, 40, 12), (60, 6, 5, 3000)],
)
def test_hostile_names_and_sizes(states, inputs, outputs, length):
    item = big(states, inputs, outputs, length, states)
    svg(item)  # the machine is read and kept
    with within(0.5):
        text = svg(item)
    root = parsed(text)
    assert "<script" not in text
    assert len(waves(root)[0]) == min(inputs + outputs, 20)
    assert marks(root)[0][0] <= item.problem["effect"]["step"]
    assert_graph_inside(root)


def test_a_malformed_problem_is_refused_in_one_line():
    item = items_of(1)[0]
    with pytest.raises(TempobenchError, match="nobody"):
        svg(replace(item, problem={**item.problem, "trace": [["nobody"]]}))


def test_the_hook_draws_it():
    item = items_of(1)[0]
    assert PLUGIN.call("render", item=item, format="svg") == svg(item)
    assert "svg" in PLUGIN.benchmark.formats
