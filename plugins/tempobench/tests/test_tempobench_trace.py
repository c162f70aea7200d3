"""Traces: every step and every set of changes is found anew, and not one changed claim passes."""

from __future__ import annotations

import ast
import importlib
import inspect
import re
from dataclasses import replace
from functools import cache
from itertools import combinations, product
from random import Random
from typing import Any

import pytest
from cases import some
from harness_answers.trace_lines import WrongTraceError
from harness_tempobench.traces import machine as trace_machine
from harness_tempobench.traces import reader, writer
from tb_items import PLUGIN, Walker, items_of

from harness import Item
from harness.datasets import solution
from harness.kit.checks_traces import mutants

CONFIGS: list[dict[str, Any]] = [
    {"task": "tte"},
    {"task": "tte", "notation": "prose"},
    {"task": "tce"},
    {"task": "tce", "label": "full", "notation": "table"},
    {"task": "tce", "effects": "positive", "length": 4, "trivial": 0.5},
]
CLAIM = re.compile(r"^Step (\d+), states? ([\d, ]+): \S+ \w+ at step \d+ comes (.+)\.$", re.M)


@cache
def told(n: int, **config: Any) -> list[tuple[Item, str]]:
    pairs = [(item, writer.written(item)) for item in items_of(n, split="train", **config)]
    return [(item, text) for item, text in pairs if text is not None]


@pytest.mark.parametrize("config", CONFIGS, ids=str)
def test_every_trace_holds_and_scores_as_right(config: dict[str, Any]) -> None:
    found = told(40, **config)
    assert len(found) >= 36
    for item, text in found[: max(some(25), 5)]:
        assert solution.findings(PLUGIN, item, text) == [], text
        assert text.splitlines()[-1] == f"Answer: {item.target}"


def test_traces_of_both_verdicts_and_of_effects_that_nothing_prevents() -> None:
    runs = [text for _, text in told(40, task="tte")]
    assert any("cannot be taken, so the trace is rejected" in text for text in runs)
    assert any("steps can be taken, so the trace is accepted" in text for text in runs)
    causes = [text for _, text in told(40, **CONFIGS[4])]
    assert any("Step 0, state 0:" in text and "comes by no change" in text for text in causes)


@pytest.mark.parametrize("config", CONFIGS, ids=str)
def test_no_change_passes(config: dict[str, Any]) -> None:
    rng = Random(str(config))
    found = told(40, **config)
    count = 0
    for item, text in sorted(found, key=lambda pair: len(pair[1]))[: max(some(20), 5)]:
        changes = list(mutants(text, found[0][0].target if item is not found[0][0] else "{}"))
        for what, changed in rng.sample(changes, min(20, len(changes))):
            assert reader.findings(item, changed), (what, text)
            count += 1
    assert count > some(250)


def brute(item: Item, state: int, step: int) -> list[list[tuple[int, str]]]:
    """All sets of changes from a step and a state on are tried, with a machine that is nobody's."""
    walker, effect = Walker(item.problem["hoa"]), item.problem["effect"]
    inputs = [name for name in walker.names if name not in walker.outputs]
    places = list(product(range(step, effect["step"] + 1), inputs))
    found: list[list[tuple[int, str]]] = []
    for size in range(len(places) + 1):
        for chosen in combinations(places, size):
            if any(set(one) <= set(chosen) for one in found):
                continue
            at, outputs = state, set[str]()
            for when in range(step, effect["step"] + 1):
                true = set(item.problem["trace"][when]) & set(inputs)
                at, outputs = walker.step(at, true ^ {name for w, name in chosen if w == when})
            if (effect["output"] in outputs) is not effect["value"]:
                found.append(list(chosen))
    return found


def test_each_family_is_what_trying_all_sets_gives() -> None:
    count = 0
    for item, text in told(30, task="tce", label="full", length=4, max_inputs=2):
        for step, states, said in CLAIM.findall(text):
            for state in map(int, states.split(", ")):
                sets = brute(item, state, int(step))
                plain = {"by no change": [], "without a change": [[]]}.get(said)
                claimed = [
                    [(int(when), name) for name, when in re.findall(r"(\w+) at step (\d+)", way)]
                    for way in said.split("; ")
                ]
                assert sorted(sets) == sorted(claimed if plain is None else plain), (state, text)
                count += 1
    assert count > 150


def test_no_other_family_passes() -> None:
    """A set more, a set less, a set with a change more or less, of every claim of some traces."""
    rng = Random(4)
    count = 0
    for item, text in sorted(told(40, **CONFIGS[3]), key=lambda pair: len(pair[1]))[
        6 : 6 + max(some(16), 4)
    ]:
        last = item.problem["effect"]["step"]
        names = trace_machine.Traced(item.problem).inputs
        for found in CLAIM.finditer(text):
            step, said = int(found[1]), found[3]
            ways = [] if said in ("by no change", "without a change") else said[3:].split("; ")
            more = f"{rng.choice(names)} at step {rng.randint(step, last)}"
            others = [[*ways, more], ways[1:], ways[:-1], [f"{way} and {more}" for way in ways]]
            others += [["without a change"], ["by no change"]]
            for other in others:
                claim = (
                    other[0] if other[:1] and " change" in other[0] else f"by {'; '.join(other)}"
                )
                if claim not in (said, "by "):
                    start, end = found.span(3)
                    changed = text[:start] + claim + text[end:]
                    assert reader.findings(item, changed), (said, claim, text)
                    count += 1
    assert count > some(200)


def test_states_told_together_cannot_be_told_apart() -> None:
    found = [
        (item, text, claim)
        for item, text in told(40, task="tce")
        for claim in CLAIM.finditer(text)
        if "," in claim[2]
    ]
    assert found
    for item, text, claim in found[: max(some(40), 10)]:
        start, end = claim.span(2)
        fewer = claim[2].rpartition(", ")[0]
        assert reader.findings(item, text[:start] + fewer + text[end:])
        line = f"\n{claim[0]}\n"
        apart = "".join(
            f"\n{claim[0].replace(f'states {claim[2]}', f'state {state}')}"
            for state in claim[2].split(", ")
        )
        if line in text:  # true, though the sentence says it in another way
            assert reader.findings(item, text.replace(line, f"{apart}\n")) == []


def test_a_writer_that_goes_wrong_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    told_of = sorted(told(40, **CONFIGS[3]), key=lambda pair: len(pair[1]))[:24]
    items = [item for item, _ in told_of]
    real = writer._smallest
    spoiled = {
        "the first set is left out": lambda sets: real(sets)[1:],
        "only the smallest set": lambda sets: real(sets)[:1],
        "larger sets stay": lambda sets: sorted(set(sets), key=lambda s: (len(s), sorted(s)))[:60],
    }
    for what, spoil in spoiled.items():
        with monkeypatch.context() as patch:
            patch.setattr(writer, "_smallest", spoil)
            texts = [(item, writer.written(item) or "") for item in items]
            assert sum(bool(reader.findings(*pair)) for pair in texts) > len(texts) // 3, what


def test_a_machine_that_was_read_wrong_is_found() -> None:
    for item, text in told(40, task="tte")[:10]:
        walker = Walker(item.problem["hoa"])
        other = item.problem["hoa"].replace(f"Start: {walker.start}", f"Start: {walker.start + 1}")
        broken = replace(item, problem={**item.problem, "hoa": other}, id="")
        assert reader.findings(broken, text)


@pytest.mark.parametrize("config", CONFIGS[::2], ids=str)
def test_the_readers_machine_is_the_machine(config: dict[str, Any]) -> None:
    for item in items_of(40, split="train", **config)[: max(some(25), 5)]:
        machine, walker = trace_machine.Machine(item.problem["hoa"]), Walker(item.problem["hoa"])
        assert machine.start == walker.start
        for state in walker.edges:
            for letter in product((False, True), repeat=len(machine.inputs)):
                true = {name for name, value in zip(machine.inputs, letter, strict=True) if value}
                to, outputs = machine.step(state, letter)
                said = {n for n, value in zip(machine.outputs, outputs, strict=True) if value}
                assert (to, said) == walker.step(state, true)


def test_labels_that_no_machine_of_ours_has() -> None:
    head = 'HOA: v1\nStart: 0\nAP: 2 "a" "o"\ncontrollable-AP: 1\n--BODY--\nState: 0\n'
    assert trace_machine.Machine(f"{head}[t&1] 0\n").step(0, (False,)) == (0, (True,))
    assert trace_machine.Machine(f"{head}[!(0&!1 | f)&1] 0\n").step(0, (True,)) == (0, (True,))
    for label in ("[0&1] 0\n[1] 0\n", "[f] 0\n", "[1 1] 0\n"):
        with pytest.raises(WrongTraceError):
            trace_machine.Machine(head + label).step(0, (True,))


def test_what_has_no_trace(monkeypatch: pytest.MonkeyPatch) -> None:
    (item, text), *_ = told(40, task="tce")
    assert writer.written(replace(item, certificate=None)) is None
    for name, bound in (
        ("MAX_CHARACTERS", len(text) - 1),
        ("MAX_REACHED", 1),
        ("MAX_WAYS", 1),
        ("MAX_SETS", -1),
    ):
        with monkeypatch.context() as patch:
            patch.setattr(writer, name, bound)
            assert writer.written(item) is None, name
    odd = {
        **item.problem,
        "hoa": re.sub(r'AP: (\d+) "[^"]*"', r'AP: \1 "so much"', item.problem["hoa"]),
    }
    assert writer.written(replace(item, problem=_without_trace(odd), id="")) is None


def _without_trace(problem: dict[str, Any]) -> dict[str, Any]:
    """The trace names propositions, of which one has another name now."""
    return {**problem, "trace": [[] for _ in problem["trace"]]}


def test_the_reader_shares_no_code_with_the_writer() -> None:
    assert _imports("traces.reader") & _imports("traces.writer") == set()


def _imports(module: str) -> set[str]:
    found: set[str] = set()
    todo = [module]
    for name in todo:
        source = inspect.getsource(importlib.import_module(f"harness_tempobench.{name}"))
        for node in ast.parse(source).body:
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("harness_tempo"):
                inner = (node.module or "").partition(".")[2]
                names = [inner] if inner else [one.name for one in node.names]
                todo += [one for one in names if one not in todo]
                found.update(names)
    return found
