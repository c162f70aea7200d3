"""Traces: every step is read back and computed anew, and not one changed claim passes."""

from __future__ import annotations

import ast
import importlib
import importlib.util
import inspect
import re
from dataclasses import replace
from functools import cache
from random import Random
from typing import Any

import pytest
from cases import some
from harness_ltlbench.engines import lasso, spot
from harness_ltlbench.formula import path_text
from harness_ltlbench.traces import cases_writer, reader, writer
from ltl_items import PLUGIN, items_of

from harness import Item
from harness.datasets import solution
from harness.kit.checks_traces import mutants

CONFIGS: list[dict[str, Any]] = [
    {"operators": 3},
    {"operators": 5, "task": "counterexample", "wording": "can"},
    {"operators": 4, "logic": "full", "twins": False},
    {"operators": 9, "events": 6, "logic": "full", "task": "counterexample"},
    {"operators": 1},
    {"operators": 25, "events": 9, "edge_probability": 0.2},
]


def told(n: int, **config: Any) -> list[tuple[Item, str]]:
    pairs = [(item, writer.written(item)) for item in items_of(n, **config)]
    return [(item, text) for item, text in pairs if text is not None]


@pytest.mark.parametrize("config", CONFIGS, ids=str)
def test_every_trace_holds_and_scores_as_right(config: dict[str, Any]) -> None:
    found = told(max(8, some(40 if config["operators"] < 6 else 20)), **config)
    assert {item.target[:4] for item, _ in found} == {"True", "Fals"}
    for item, text in found:
        assert solution.findings(PLUGIN, item, text) == [], item.prompt
        assert text.splitlines()[-1] == f"Answer: {item.target}"


def test_only_large_true_items_lack_one() -> None:
    assert len(told(some(200), operators=3)) == some(200)
    items = items_of(max(8, some(24)), operators=40, events=15, edge_probability=0.3)
    without = [item for item in items if writer.written(item) is None]
    assert {item.target for item in without} <= {"True"}
    assert len(without) < len(items) / 4


def test_the_steps_quote_the_prompt_word_for_word() -> None:
    for item, text in told(40, operators=4):
        statements = re.findall(r"^C\d+: .*$", item.prompt, re.MULTILINE)
        said = re.findall(r"^(C\d+: .*?) It (?:holds|may)", text, re.MULTILINE)
        assert said == statements


@pytest.mark.parametrize("config", CONFIGS, ids=str)
def test_no_change_passes(config: dict[str, Any]) -> None:
    rng = Random(str(config))
    count = 0
    for item, text in told(20 if config["operators"] < 20 else 10, **config):
        other = "False" if item.target == "True" else "True"
        changes = list(mutants(text, other))
        for what, changed in rng.sample(changes, min(some(50), len(changes))):
            assert reader.findings(item, changed), (what, text)
            count += 1
    assert count > some(350)


CLAIMS = {
    "moments": re.compile(r"It holds at [^.]*\."),
    "events": re.compile(r"It (?:holds on|may hold)[^.]*\."),
}


def other_claim(rng: Random, kind: str, item: Item) -> str:
    """Another claim in the very form of the one that is there."""
    if kind == "moments":
        length = 1 + rng.randrange(5)
        chosen = sorted(rng.sample(range(1, length + 3), length))
        listed = ", ".join(map(str, chosen))
        forms = [f"moment {chosen[0]}", f"moments {listed}", "every moment", "no moment"]
        return f"It holds at {rng.choice(forms)}."
    events = list(range(1, item.problem["events"] + 1))
    rng.shuffle(events)
    cut = rng.randrange(len(events) + 1)
    true, false = (
        " or ".join(f"event{event}" for event in sorted(part))
        for part in (events[:cut], events[cut:])
    )
    forms = [
        "It holds on every sequence from there on.",
        "It holds on no sequence from there on.",
        "It may hold or not, whatever a sequence begins with.",
    ]
    if true:
        forms.append(f"It holds on every sequence that begins with {true}.")
    if false:
        forms.append(f"It holds on no sequence that begins with {false}.")
    if true and false:
        forms.append(
            f"It holds on every sequence that begins with {true}, and on no sequence that begins with {false}."
        )
    return rng.choice(forms)


@pytest.mark.parametrize("kind", CLAIMS)
def test_no_other_claim_in_the_form_of_one_passes(kind: str) -> None:
    rng = Random(kind)
    count = 0
    for item, text in told(max(10, some(40)), operators=5, events=4, logic="full"):
        for found in CLAIMS[kind].finditer(text):
            for _ in range(6):
                claim = other_claim(rng, kind, item)
                if claim != found[0]:
                    changed = text[: found.start()] + claim + text[found.end() :]
                    assert reader.findings(item, changed), (found[0], claim, text)
                    count += 1
    assert count > some(300)


def test_another_sequence_passes_only_if_the_hypothesis_fails_on_it() -> None:
    """The steps of a random sequence of events, told as the writer would: judged by what it shows."""
    rng = Random(7)
    passed = wrong = 0
    for item in items_of(40, operators=3, events=4, edge_probability=0.7, task="counterexample"):
        if item.target == "True":
            continue
        for _ in range(20):
            path = [item.problem["initial"], *(rng.randint(1, 4) for _ in range(rng.randrange(5)))]
            loop = rng.randrange(len(path))
            shown = {"prefix": path[:loop], "cycle": path[loop:]}
            certificate = {**item.certificate, "violation": shown}
            other = replace(
                item, certificate=certificate, target=f"False: {path_text(shown)}", id=""
            )
            text = writer.written(other)
            assert text is not None
            fails = lasso.path_errors(item.problem, shown) is None and not lasso.holds(
                item.problem["formula"], path[:loop], path[loop:]
            )
            assert (reader.findings(item, text) == []) is fails, text
            passed, wrong = passed + fails, wrong + (not fails)
    assert passed > 20
    assert wrong > 100


CASES: dict[str, Any] = {"operators": 16, "events": 7}
SUPPOSED = "The rules do not decide it."


@cache
def supposed() -> list[tuple[Item, str]]:
    """Items whose traces go through cases."""
    return [(item, text) for item, text in told(150, **CASES) if SUPPOSED in text]


def test_cases_hold_where_the_rules_do_not_decide() -> None:
    found = supposed()
    assert len(found) > 4
    assert any("No sequence stays in case" in text for _, text in found)
    for item, text in found:
        assert solution.findings(PLUGIN, item, text) == [], text


def changes_of_cases(text: str) -> list[tuple[str, str]]:
    """Changes behind the rules; more than `mutants` knows: a sign, a case less, a statement less."""
    begin = text.index(SUPPOSED)
    found = [
        (what, other) for what, other in mutants(text, "False") if other[:begin] == text[:begin]
    ]
    for sign in re.finditer(r"C\d+ (holds|does not hold)", text):
        if sign.start() > begin:
            other = "does not hold" if sign[1] == "holds" else "holds"
            found.append(("sign", text[: sign.start(1)] + other + text[sign.end(1) :]))
    parts = re.finditer(r" or case \d+| and C\d+ (?:holds|does not hold)", text)
    found += [("less", text[: p.start()] + text[p.end() :]) for p in parts if p.start() > begin]
    for knot in re.finditer(r"come true|fail(?= there)", text):
        other = "fail" if knot[0] == "come true" else "come true"
        found.append(("comes", text[: knot.start()] + other + text[knot.end() :]))
    return found


def test_hardly_a_change_of_cases_passes_and_none_that_is_false() -> None:
    """Another statement, or another case, may do as well: the proof holds, though it is not what was written."""
    count, passed, few = 0, 0, max(8, some(30))
    for item, text in supposed():
        changes = changes_of_cases(text)
        for what, changed in Random(item.id).sample(changes, min(few, len(changes))):
            count += 1
            if reader.findings(item, changed) == []:
                passed += 1
                assert what.startswith(("number", "less")), (what, text)
    assert count > 20 * few / 3
    assert passed < 0.02 * count


def test_no_cases_make_a_false_hypothesis_true(monkeypatch: pytest.MonkeyPatch) -> None:
    """The writer is made to leave out what it should have stopped at: the reader misses it."""
    real = cases_writer.Cases._following

    def lax(
        cases: cases_writer.Cases, event: int, due: cases_writer.Due
    ) -> list[cases_writer.Case]:
        try:
            return real(cases, event, due)
        except cases_writer.TooManyError:
            return []

    monkeypatch.setattr(cases_writer.Cases, "_following", lax)
    monkeypatch.setattr(cases_writer.Cases, "_leaves", lambda *_: True)
    tried = 0
    for item in items_of(60, **CASES):
        if item.target == "True":
            continue
        claimed = replace(item, certificate={**item.certificate, "violation": None}, target="True")
        text = writer.written(claimed)
        if text is not None:
            tried += 1
            assert reader.findings(item, text), text
    assert tried > 10


def test_beyond_the_bounds_there_is_no_trace(monkeypatch: pytest.MonkeyPatch) -> None:
    item, _ = max(supposed(), key=lambda pair: len(pair[1]))
    for name in ("MAX_CASES", "MAX_OPEN"):
        with monkeypatch.context() as patch:
            patch.setattr(cases_writer, name, 0)
            assert writer.written(item) is None, name


def test_a_rule_that_goes_wrong_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """The writer's rules are spoiled one by one: what then follows otherwise is found."""
    items = [item for item in items_of(150, operators=4, logic="full") if item.target == "True"]
    right = {item.id: writer.written(item) for item in items}
    spoiled = {
        "X": lambda rules, a: a,
        "F": lambda rules, a: (rules.all, 0),
        "G": lambda rules, a: (rules.all, 0),
        "U": lambda rules, a, b: (a[0] | b[0], 0),
        "W": lambda rules, a, b: rules.until(a, b),
        "R": lambda rules, a, b: (rules.all, 0),
        "M": lambda rules, a, b: (a[0] & b[0], 0),
        "->": lambda rules, a, b: (a[0] | b[0], a[1] & b[1]),
    }
    for operator, rule in spoiled.items():
        changed = 0
        with monkeypatch.context() as patch:
            patch.setitem(writer._RULES, operator, rule)
            for item in items:
                text = writer.written(item)
                if text is not None and text != right[item.id]:
                    changed += 1
                    assert reader.findings(item, text), (operator, text)
        assert changed, operator


def test_a_false_evaluation_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    items = items_of(90, operators=4)
    monkeypatch.setitem(lasso._MEANING, "X", lambda word, a: a)
    texts = [(item, writer.written(item) or "") for item in items]
    wrong = [item for item, text in texts if text and reader.findings(item, text)]
    assert len(wrong) > 5
    assert all("next state" in item.prompt for item in wrong)


def test_spot_is_asked_and_has_the_last_word(monkeypatch: pytest.MonkeyPatch) -> None:
    (item, text), *_ = (pair for pair in told(30, operators=4) if pair[0].target == "True")
    monkeypatch.setattr(spot, "check", lambda problem, **_: spot.SpotResult(False))
    assert "Spot" in reader.findings(item, text)[0]


def test_adopted_items_and_very_long_traces_are_none(monkeypatch: pytest.MonkeyPatch) -> None:
    (item, text), *_ = told(3)
    assert writer.written(replace(item, certificate=None)) is None
    monkeypatch.setattr(writer, "MAX_CHARACTERS", len(text) - 1)
    assert writer.written(item) is None


def test_the_reader_shares_no_code_with_the_writer() -> None:
    """Modules of ours that each of them comes to, but the type of formulas."""
    shared = _imports("traces.reader") & _imports("traces.writer")
    assert shared == {"formula"}


def find_spec(name: str) -> object:
    """Return whether there is a module of a name; within a module there is none."""
    try:
        return importlib.util.find_spec(name)
    except ModuleNotFoundError:
        return None


def _imports(module: str) -> set[str]:
    found: set[str] = set()
    todo = [module]
    for name in todo:
        source = inspect.getsource(importlib.import_module(f"harness_ltlbench.{name}"))
        for node in ast.parse(source).body:
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith(
                "harness_ltlbench"
            ):
                inner = (node.module or "").partition(".")[2]
                names = [f"{inner}.{one.name}".lstrip(".") for one in node.names]
                # Of a module its names are imported, of a package its modules.
                names = [one if find_spec(f"harness_ltlbench.{one}") else inner for one in names]
                todo += [one for one in names if one not in todo]
                found.update(names)
    return found
