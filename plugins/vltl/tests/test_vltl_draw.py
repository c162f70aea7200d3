"""Pictures of requirements: well-formed, within their bounds, and with exactly the waves of their traces."""

from __future__ import annotations

import json
import os
from dataclasses import replace
from functools import cache
from random import Random

from cases import each, slow, some
from drawn import assert_inside, every, levels, parsed, texts
from harness_vltl import certificate, generate, plugin
from harness_vltl.draw import svg
from harness_vltl.engines.evaluator import parts, rows
from harness_vltl.formulas.formula import substitute, text
from vltl_items import DEFAULTS, TASKS, holds, made, verification
from vltl_records import RECORD, adopt

KINDS = [
    {}, {"depth": 2, "scenario": "traffic_light"}, {"depth": 3, "states": 25, "distractors": 5},
    {"scenario": "search_and_rescue", "world": "full", "suite": False},
]  # fmt: skip
EACH = int(os.environ.get("DRAWN", some(2)))  # items of each kind; they take long to make


@cache
def items():
    return [
        generate.item({**DEFAULTS, **kind, "task": task}, at, Random(f"{task}{at}"), "drawn2")
        for task in TASKS
        for kind in KINDS
        for at in range(EACH)
    ]


@cache
def roots():
    return [(item, parsed(svg(item))) for item in items()]


def expected(formula, trace, names):
    """What every wave must show: propositions of the formula, others of the trace, then what is put together."""
    atoms = sorted(part for part in parts(formula) if isinstance(part, str))
    others = sorted({name for state in trace["states"] for name in state} - set(atoms))
    whole = [part for part in parts(formula)[:-1] if not isinstance(part, str)]
    first = [] if isinstance(formula, str) else [formula]
    steps = range(len(trace["states"]))
    return [
        (text(substitute(part, names))[:200], [holds(part, trace, at) for at in steps])
        for part in [*first, *atoms, *others, *whole]
    ][:40]


def read_back(root):
    """The waves of a picture, with levels as whether they are high."""
    found = []
    heights = {
        float(one.get("y")) for one in every(root, "text") if one.get("text-anchor") == "end"
    }
    for name, line in levels(root):
        middle = min(heights, key=lambda y: abs(y - 4 - sum(line) / len(line)))
        found.append((name, [y < middle - 4 for y in line]))
    return found


@slow
def test_every_item_is_drawn_within_its_bounds():
    assert len(items()) == EACH * len(TASKS) * len(KINDS)
    for _, root in roots():
        assert_inside(root)
        assert len(root.find("{*}title").text) > 60


def test_waves_are_the_values_of_the_trace():
    for item, root in roots():
        task, proof = item.problem["task"], item.certificate
        if task == "verify":
            wanted = expected(item.problem["formula"], item.problem["trace"], {})
        elif task in ("translate", "end_to_end"):
            names = {n: certificate.canonical(one) for n, one in proof["propositions"].items()}
            names = names if task == "end_to_end" else {}
            wanted = [
                row
                for kind in ("satisfying", "violating")
                for row in expected(proof["formula"], proof[kind][0], names)
            ]
        else:
            wanted = []
        assert read_back(root) == wanted
        told = [one.get("data-levels") for one in every(root, "path", name=None)]
        assert told == ["".join("01"[value] for value in line) for _, line in wanted]


def test_the_verdict_is_marked_in_the_first_step_of_the_formula():
    for item, root in roots():
        marks = [
            (one.get("class"), one.get("data-mark"))
            for one in every(root, "rect", mark=None, step="0")
        ]
        if item.problem["task"] == "verify":
            style = "right" if item.target == "satisfied" else "marked"
            assert marks == [(style, text(item.problem["formula"])[:200])]
            verb = "satisfies" if item.target == "satisfied" else "violates"
            assert f"The trace {verb} the formula" in texts(root)
        elif item.problem["task"] in ("translate", "end_to_end"):
            assert [style for style, _ in marks] == ["right", "marked"]


def test_a_loop_goes_back_to_the_state_that_follows_the_last():
    seen = set()
    for item, root in roots():
        if item.problem["task"] != "verify":
            continue
        loop, steps = item.problem["trace"]["loop"], len(item.problem["trace"]["states"])
        assert [one.get("data-loop") for one in every(root, "polygon")] == [str(loop)]
        said = "the last state repeats"
        said = said if loop == steps - 1 else f"after step {steps} back to step {loop + 1}"
        assert said in texts(root)
        seen.add(loop == steps - 1)
    assert seen == {True, False}


def test_the_words_of_every_proposition_are_marked():
    for item, root in roots():
        if item.problem["task"] not in ("lift", "ground", "end_to_end"):
            continue
        if "…" in texts(root):  # a sentence of more lines than there is room for
            assert len(item.certificate["sentence"]) > 2_000
            continue
        said: dict[str, list[str]] = {}
        shapes = list(root)
        for at, one in enumerate(shapes):
            if name := one.get("data-proposition"):
                assert shapes[at + 1].text == name
                assert shapes[at + 2].text
                said.setdefault(name, []).append(shapes[at + 2].text)
        proof = item.certificate
        for name, spans in proof["spans"].items():
            words = [" ".join(proof["tokens"][a:b]).rstrip(",.;:") for a, b in spans]
            assert " ".join(said[name]) == " ".join(words)
        assert set(said) == set(proof["spans"])


def whole(item):
    """The item with all of a certificate that its picture is made of."""
    if item.problem["task"] == "verify":
        formula, trace = item.problem["formula"], item.problem["trace"]
        return replace(item, certificate={"values": rows(formula, trace)})
    proof = item.certificate
    values = {k: rows(proof["formula"], proof[k][0]) for k in ("satisfying", "violating")}
    return replace(
        item, certificate={**proof, "spans": certificate.spans(proof["ids"]), "values": values}
    )


def test_a_picture_is_the_same_for_the_same_item():
    for item in items()[::17]:
        again = replace(item, problem=json.loads(json.dumps(item.problem)))
        assert svg(item) == svg(again) == plugin.render(item, "svg")


@each("task", TASKS)
def test_published_records_and_items_by_hand_are_drawn(task):
    found = [adopt(RECORD, task)] if task != "verify" else []
    if task == "verify":
        trace = {"states": [["prop_1"], []] * 100, "loop": 3}
        deep = "prop_1"
        for at in range(59):
            deep = ["X" if at % 2 else "!", deep]
        found += [
            verification(deep, trace),
            verification(True, trace),
            verification("prop_1", trace),
        ]
    else:
        found.append(made(task))
    for item in found:
        root = parsed(svg(whole(item)))
        assert_inside(root)
        if task == "verify":
            assert any("… 140 steps" in said for said in texts(root))


def test_the_largest_formula_on_the_longest_trace_stays_small():
    names = [f"p{at}({'a' * 100},{'b' * 100})" for at in range(40)]
    formula = names[0]
    for at, name in enumerate(names[1:]):
        formula = ["&" if at % 2 else "U", name, formula]
    trace = {"states": [sorted(names[at % 2 :: 2]) for at in range(200)], "loop": 0}
    root = parsed(svg(whole(verification(formula, trace, "satisfied"))))
    assert_inside(root)
    assert "… 140 steps and 39 rows more" in texts(root)
    proof = {"satisfying": [trace], "violating": [trace]}
    assert_inside(parsed(svg(whole(_long(proof, formula)))))


def _long(proof, formula):
    item = made("translate")
    return replace(item, certificate={**item.certificate, **proof, "formula": formula})


HOSTILE = [
    "</text><script>alert(1)</script>", "\x00\x1b[31m\ud800\ufffe", "\u202eabc", "&lt;&amp;]]>",
    "w" * 5000, "漢" * 300, '" onload="x', "a\nb\tc",
]  # fmt: skip


@each("words", HOSTILE)
def test_hostile_sentences_are_escaped_and_cut(words):
    for task in ("lift", "ground", "end_to_end", "translate"):
        item = whole(made(task))
        proof = dict(item.certificate)
        proof["tokens"] = [words] * 40
        proof["ids"] = [at // 4 % 3 for at in range(40)]
        proof["sentence"] = proof["lifted"] = f"{words} " * 40
        proof["propositions"] = {
            name: {**one, "text": words, "action": words, "arguments": [words] * 3}
            for name, one in proof["propositions"].items()
        }
        drawn = svg(replace(item, certificate=proof))
        root = parsed(drawn)
        assert_inside(root)
        assert "<script" not in drawn
        assert "\u202e" not in "".join(texts(root))


BROKEN = [
    None, {}, [], {"values": []}, {"values": None}, {"values": ["1"]}, {"tokens": "x", "ids": 3},
    {"formula": "p", "satisfying": [], "violating": []}, {"propositions": None}, {"spans": 1},
]  # fmt: skip


@each("proof", BROKEN)
def test_what_is_not_in_form_has_no_picture(proof):
    for task in TASKS:
        item = made(task) if task != "verify" else verification("p", {"states": [["p"]], "loop": 0})
        item = whole(item)
        assert svg(item)
        tampered = {**item.certificate, **proof} if isinstance(proof, dict) and proof else proof
        drawn = svg(replace(item, certificate=tampered))
        assert drawn is None or parsed(drawn) is not None
    for problem in (
        {"task": "verify"},
        {"task": []},
        {"task": "?"},
        {},
        {"task": "verify", "formula": 3, "trace": 1},
    ):
        assert svg(replace(made("lift"), problem=problem)) is None
