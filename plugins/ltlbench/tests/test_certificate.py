"""Certificates: genuine ones hold, forged ones do not, and no JSON value makes the check raise."""

from __future__ import annotations

from copy import deepcopy
from dataclasses import replace
from functools import cache
from typing import Any

import pytest
from cases import each, some
from harness_ltlbench import certificate, engines
from harness_ltlbench.formula import FormulaError, path_text
from hypothesis import given, settings
from hypothesis import strategies as st
from ltl_items import PLUGIN, TWINS, items_of

from harness import EngineError, HarnessError, Item

CONFIGS: list[dict[str, Any]] = [
    {"task": "counterexample"},
    {"wording": "can", "logic": "full", "operators": 5},
    {},
    {**TWINS, "n": 8},
    {**TWINS, "n": 8, "task": "counterexample", "logic": "full"},
    {"events": 9, "operators": 2, "task": "counterexample"},
    {"events": 2, "operators": 9, "logic": "published"},
    {"edge_probability": 0},
    {"edge_probability": 1, "events": 6, "operators": 6},
    {"events": 40, "operators": 20, "task": "counterexample"},
]


@cache  # not at import: a defect in the generator is to fail tests, not their collection
def made() -> list[Item]:
    return items_of(12) + items_of(12, task="counterexample", operators=4)


def with_certificate(item: Item, **parts: Any) -> Item:
    return replace(item, certificate={**item.certificate, **parts})


@pytest.mark.parametrize("config", CONFIGS, ids=str)
def test_genuine_certificates_hold(config: dict[str, Any]) -> None:
    for item in items_of(**config):
        assert certificate.errors(item) == []
        assert (item.certificate["violation"] is None) == (item.target == "True")
        assert (item.certificate["contrast"] is None) == (not config.get("twins"))


@pytest.mark.parametrize("config", CONFIGS, ids=str)
def test_forged_certificates_do_not_hold(config: dict[str, Any]) -> None:
    for item in items_of(**config):
        for what, fake in forgeries(item).items():
            assert len(certificate.errors(fake)) == 1, what


def forgeries(item: Item) -> dict[str, Item]:
    label, events = item.target == "True", item.problem["events"]
    name = "witness" if label else "violation"
    path = item.certificate[name]
    found = {
        "another label": replace(item, target="False" if label else "True"),
        "no label": replace(item, target="Falsehood"),
        "an empty target": replace(item, target=""),
        "no certificate": replace(item, certificate=None),
        "less": replace(item, certificate={name: path}),
        "more": with_certificate(item, more=None),
        "no evidence": with_certificate(item, **{name: None}),
        "evidence of both": with_certificate(item, violation=path, witness=path),
        "evidence of the other": with_certificate(
            item, violation=item.certificate["witness"], witness=item.certificate["violation"]
        ),
        "a list": replace(item, certificate=[item.certificate]),
        "a formula that is none": replace(item, problem={**item.problem, "formula": ["G"]}),
        "a formula of an event too many": replace(
            item, problem={**item.problem, "formula": ["G", events + 1]}
        ),
        "the opposite formula": replace(
            item, problem={**item.problem, "formula": ["!", item.problem["formula"]]}
        ),
        "another start": replace(
            item, problem={**item.problem, "initial": item.problem["initial"] % events + 1}
        ),
    }
    for part in ("prefix", "cycle"):
        for place, event in ((0, events + 1), (-1, 0), (-1, None), (0, "event1"), (0, 1.0)):
            if path[part]:
                fake = deepcopy(path)
                fake[part][place] = event
                found[f"{part}[{place}] = {event}"] = with_certificate(item, **{name: fake})
    if item.certificate["contrast"] is not None:
        found["itself as contrast"] = with_certificate(item, contrast=path)
        found["junk as contrast"] = with_certificate(item, contrast={"prefix": [], "cycle": []})
    return found


def test_the_path_in_a_counterexample_target_is_checked_too() -> None:
    for item in (i for i in made() if i.target.startswith("False:")):
        for fake in (
            "False",
            "False: ",
            f"False: {path_text({'prefix': [], 'cycle': [item.problem['initial'] % 3 + 1]})}",
            f"{item.target}, event1",
            item.target.lower(),
        ):
            assert certificate.errors(replace(item, target=fake)), fake
        assert certificate.errors(replace(item, problem={**item.problem, "task": "decide"})), (
            "a path where only a word is asked for"
        )


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(
            st.sampled_from(["prefix", "cycle", "violation", "witness", "contrast", "x"]),
            inner,
            max_size=4,
        )
    ),
    max_leaves=12,
)
NEARLY = st.fixed_dictionaries(
    {part: st.lists(st.integers(0, 4) | JSON, max_size=3) | JSON for part in ("prefix", "cycle")}
)


@settings(max_examples=some(150), deadline=None)
@given(st.integers(0, 23), JSON)
def test_no_json_is_too_much(place: int, junk: Any) -> None:
    assert certificate.errors(replace(made()[place], certificate=junk))


@settings(max_examples=some(150), deadline=None)
@given(st.integers(0, 23), st.sampled_from(sorted(certificate.KEYS)), NEARLY | JSON)
def test_no_json_is_too_much_in_a_part(place: int, name: str, junk: Any) -> None:
    item = made()[place]
    found = certificate.errors(with_certificate(item, **{name: junk}))
    assert isinstance(found, list)
    if not isinstance(junk, dict) and not (junk is None and item.certificate[name] is None):
        assert found or (name == "contrast" and junk is None)


def test_deep_and_long_certificates_are_refused_in_no_time() -> None:
    deep: Any = []
    for _ in range(5000):
        deep = [deep]
    for item in made()[:4]:
        name = "witness" if item.target == "True" else "violation"
        for junk in (deep, {"prefix": [deep], "cycle": [[deep]]}, [1] * 10**6,
                     {"prefix": [1, 2] * 10**5, "cycle": [1]}, {"prefix": [10**999], "cycle": [1]}):  # fmt: skip
            for key in (name, "contrast"):
                assert certificate.errors(with_certificate(item, **{key: junk}))


# --------------------------------------------------------------------------- problems from outside

PROBLEM = {"task": "decide", "events": 3, "initial": 1, "edges": [[1, 2]], "formula": ["X", 2]}


@pytest.mark.parametrize("engine", engines.NAMES)
def test_engines_solve_what_is_a_problem(engine: str) -> None:
    found = engines.solve(PROBLEM, engine)
    assert (found.answer, found.engine) == ("True", engine)
    wrong = engines.solve({**PROBLEM, "formula": ["X", ["X", 1]]}, engine)
    assert wrong.answer == "False"
    asked = engines.solve({**PROBLEM, "task": "counterexample", "formula": ["G", 1]}, engine)
    if engine == "pymodelchecking":  # it gives labels alone
        assert (asked.answer, asked.certificate) == ("False", {"violation": None})
        return
    path = asked.certificate["violation"]
    assert asked.answer == f"False: {path_text(path)}"
    # The only path, however it is written down.
    assert [*path["prefix"], *path["cycle"] * 2][:2] == [1, 2]
    assert set(path["cycle"]) == {2}


@each("engine", engines.NAMES)
@each(
    "change",
    [
        {"edges": [[1, 4]]},
        {"edges": [[4, 1]]},
        {"edges": [[0, 1]]},
        {"initial": 4},
        {"initial": 0},
        {"formula": 4},
        {"formula": 0},
        {"formula": True},
        {"formula": None},
        {"formula": "event1"},
        {"formula": []},
        {"formula": ["X"]},
        {"formula": ["X", 1, 2]},
        {"formula": ["->", 1]},
        {"formula": ["Y", 1]},
        {"formula": [["X"], 1]},
        {"formula": {"X": 1}},
        {"formula": ["&", 1, ["F", "G"]]},
    ],
)
def test_engines_refuse_what_is_none(engine: str, change: dict[str, Any]) -> None:
    with pytest.raises(FormulaError):
        engines.solve({**PROBLEM, **change}, engine)


def test_engines_refuse_formulas_without_end() -> None:
    formula: Any = 1
    for _ in range(5000):
        formula = ["X", formula]
    for engine in engines.NAMES:
        with pytest.raises(HarnessError):
            engines.solve({**PROBLEM, "formula": formula}, engine)


@each("junk", [None, 1, [], {}, {"events": 3}, {**PROBLEM, "edges": [[1]]}])
def test_the_core_gets_an_error_of_ours_for_what_is_no_problem_at_all(junk: Any) -> None:
    with pytest.raises(HarnessError):
        PLUGIN.call("solve", problem=junk, engine="tableau")


def test_unknown_engines_get_a_suggestion() -> None:
    with pytest.raises(EngineError, match="no engine 'tablo'; did you mean 'tableau'"):
        engines.solve(PROBLEM, "tablo")
