"""Traces of requirements and verifications: every claim is found anew, and not one changed claim passes."""

import ast
import importlib
import inspect
import re
from dataclasses import replace
from random import Random

import pytest
from cases import each, slow, some
from harness_logic import lassos as words
from harness_vltl.formulas import syntax
from harness_vltl.formulas.formula import text as formula_text
from harness_vltl.formulas.formula import walk
from harness_vltl.traces import path, writer
from harness_vltl.traces import reader as trace_reader
from vltl_items import TASKS, generated, holds, made

from harness.core.plugins import registry
from harness.datasets import solution
from harness.kit.checks_traces import mutants

PLUGIN = registry().get("vltl")
CONFIGS = [
    *((task, {}) for task in TASKS),
    ("translate", {"depth": 2}),
    ("end_to_end", {"depth": 2, "world": "none"}),
    ("verify", {"depth": 2, "states": 12}),
    ("lift", {"scenario": "traffic_light"}),
    ("ground", {"scenario": "search_and_rescue", "world": "full"}),
]


FEW, MANY = max(some(8), 4), max(some(30), 10)


def told(task, count=20, **config):
    pairs = [(item, writer.written(item)) for item in generated(task, count, **config)]
    return [(item, text) for item, text in pairs if text is not None]


@slow
@each("task, config", CONFIGS)
def test_every_trace_holds_and_scores_as_right(task, config):
    found = told(task, FEW if "depth" in config else MANY, **config)
    assert len(found) in (FEW, MANY)
    for item, text in found:
        assert solution.findings(PLUGIN, item, text) == [], text
        assert text.splitlines()[-1] == f"Answer: {item.target}"


@slow
@each("task, config", CONFIGS)
def test_no_change_passes(task, config):
    rng = Random(task)
    count = 0
    found = told(task, FEW if "depth" in config else MANY, **config)[: max(some(16), 6)]
    for item, text in found:
        other = next(one.target for one, _ in found if one.target != item.target)
        changes = list(mutants(text, other))
        for what, changed in rng.sample(changes, min(30, len(changes))):
            assert trace_reader.findings(item, changed), (what, text)
            count += 1
    assert count > max(some(100), 50)


OPERATORS = {"&": "|", "|": "&", "->": "<->", "<->": "->", "U": "R", "W": "M", "R": "U", "M": "W"}
OPERATORS |= {"F": "G", "G": "F", "X": "G"}


@slow
@each("task", ["translate", "end_to_end", "verify"])
def test_no_formula_passes_with_another_operator(task):
    """Nor one that is written otherwise and means the same, where it has to follow word for word."""
    count = 0
    for item, text in told(task, 2 * MANY)[: max(some(40), 16)]:
        for found in re.finditer(r"(?<=[ (])(?:<->|->|[&|UWRMFGX])(?= )", text):
            if task != "verify" and "As a formula: " not in text[: found.start()]:
                continue  # a word of the requirement
            changed = text[: found.start()] + OPERATORS[found[0]] + text[found.end() :]
            if task == "verify" and "Part " not in text[: found.start()].rpartition("\n")[2]:
                continue
            assert trace_reader.findings(item, changed), (found, text)
            count += 1
    assert count > max(some(100), 50)


def test_a_formula_in_other_words_is_no_fault_where_it_is_found_from_words():
    for item, text in told("translate", 2 * MANY):
        line = re.search(r"As a formula: (.*)$", text, re.MULTILINE)
        doubled = f"({line[1]}) & ({line[1]})"
        changed = text.replace(f"As a formula: {line[1]}", f"As a formula: {doubled}")
        changed = changed.replace(f"Answer: {line[1]}", f"Answer: {doubled}")
        assert trace_reader.findings(item, changed) == []


def test_where_a_part_holds_is_what_walking_along_the_path_says():
    for item, text in told("verify", 2 * MANY):
        trace = item.problem["trace"]
        length = len(trace["states"])
        for said, where in re.findall(
            r"^Part \d+: (.+?)(?:, that is .+,)? holds at (.+)\.$", text, re.M
        ):
            steps = [at + 1 for at in range(length) if holds(syntax.parse(said), trace, at)]
            listed = {"no step": [], "every step": list(range(1, length + 1))}.get(where)
            assert steps == (
                list(map(int, re.findall(r"\d+", where))) if listed is None else listed
            )


def test_no_other_steps_pass():
    rng = Random(8)
    count = 0
    for item, text in told("verify", 2 * MANY)[:MANY]:
        length = len(item.problem["trace"]["states"])
        for found in re.finditer(r"(?<= holds at )[^.]+(?=\.)", text):
            for _ in range(4):
                some = sorted(rng.sample(range(1, length + 1), rng.randint(1, length)))
                listed = f"step{'s' * (len(some) > 1)} {', '.join(map(str, some))}"
                claim = rng.choice([listed, "no step", "every step"])
                if claim != found[0]:
                    changed = text[: found.start()] + claim + text[found.end() :]
                    assert trace_reader.findings(item, changed), (found[0], claim, text)
                    count += 1
    assert count > 200


def test_every_part_of_the_formula_is_told_once():
    for item, text in told("verify", 2 * MANY):
        parts = {formula_text(part) for part in walk(item.problem["formula"])}
        said = re.findall(r"^Part \d+: (.+?)(?:, that is .+,)? holds at ", text, re.MULTILINE)
        assert len(said) == len(set(said))
        assert set(said) == parts


@pytest.mark.parametrize("operator", ["X", "F", "U", "R", "W", "M", "->"])
def test_an_evaluator_that_goes_wrong_is_found(operator, monkeypatch):
    items = [item for item, _ in told("verify", 2 * MANY)] + [
        i for i, _ in told("verify", FEW, depth=2, states=12)
    ]
    monkeypatch.setitem(words._MEANING, operator, lambda pool: lambda a, *b: a)
    having = [
        i
        for i in items
        if any(p[0] == operator for p in walk(i.problem["formula"]) if isinstance(p, list))
    ]
    wrong = [item for item in items if trace_reader.findings(item, writer.written(item))]
    assert all(item in having for item in wrong)
    assert not having or wrong


def test_a_derivation_that_goes_wrong_is_found():
    for item, text in told("translate", 2 * MANY):
        proof = item.certificate
        node = {**proof["derivation"][0], "formula": ["!", proof["derivation"][0]["formula"]]}
        spoiled = {**proof, "derivation": [node, *proof["derivation"][1:]]}
        other = writer.written(replace(item, certificate=spoiled, id=""))
        assert other != text
        assert trace_reader.findings(item, other)


def test_an_action_that_is_another_is_found():
    for item, _ in told("ground", 2 * MANY):
        proof = item.certificate
        named = {
            name: {**one, "action": "idle", "arguments": []}
            for name, one in proof["propositions"].items()
        }
        if named != proof["propositions"]:
            other = writer.written(
                replace(item, certificate={**proof, "propositions": named}, id="")
            )
            assert trace_reader.findings(item, other)


def test_what_has_no_trace(monkeypatch):
    assert writer.written(made("translate")) is None  # no derivation, as adopted ones have none
    (item, text), *_ = told("end_to_end")
    assert writer.written(replace(item, certificate=None)) is None
    monkeypatch.setattr(writer, "MAX_CHARACTERS", len(text) - 1)
    assert writer.written(item) is None


def test_the_reader_shares_no_code_with_the_writer():
    """But the type of formulas; what either of them calls is another engine's."""
    reader = _imports("reader") | _imports("path")
    assert reader & _imports("writer") == {"formula"}
    assert not reader & {"evaluator", "finite_traces", "certificate", "templates", "forms_reader"}
    assert path.read


def _imports(module):
    found = set()
    source = inspect.getsource(importlib.import_module(f"harness_vltl.traces.{module}"))
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("harness_vltl"):
            inner = (node.module or "").split(".")[1:]
            # "from package.module import name", or "from package import module"
            is_module = len(inner) > 1 or inner in (["certificate"], ["templates"])
            found.update(inner[-1:] if is_module else [one.name for one in node.names])
    return found
