"""Items: made by the generator, read back, answered by two engines, proven by certificates, held against a walker."""

from __future__ import annotations

import copy
import json
import subprocess
import sys
from collections import Counter
from dataclasses import replace
from random import Random
from typing import Any

import pytest
from cases import slow
from cases import some as share
from harness_tempobench import certificate, engines, generate, reading
from harness_tempobench import problem as problems
from harness_tempobench.answers import explain, score
from tb_items import PLUGIN, Walker, items_of

from harness import EngineError, ExhaustedError, Item, SpecError
from harness.core.items import to_json
from harness.core.spec import make

CONFIGS: list[dict[str, Any]] = [
    {},
    {"task": "tte"},
    {"label": "per_step", "joint": 0},
    {"notation": "prose", "inputs": "biased"},
    {"notation": "table", "task": "tte", "length": 20},
    {"hoa": "numbers", "effects": "negative", "min_depth": 0, "length": 5},
    {"trivial": 1},
    {"task": "sim", "notation": "prose"},
    {"task": "min", "wording": "narrative"},
    {"task": "min", "start": "unknown", "max_states": 8},
    {"start": "unknown", "wording": "narrative", "notation": "table", "max_states": 8},
    {"task": "tte", "wording": "narrative"},
    {"task": "sim", "wording": "narrative"},
    {"task": "min", "hoa": "numbers", "min_depth": 0, "early": 0},
]
each_config = pytest.mark.parametrize("config", CONFIGS, ids=str)


def some(config: dict[str, Any]) -> tuple[Item, ...]:
    return items_of(max(share(12), 4), **config)


# ------------------------------------------------------------------------- proven and readable


@each_config
def test_certificates_prove_the_labels(config: dict[str, Any]) -> None:
    for item in some(config):
        assert certificate.errors(item) == []
        assert certificate.errors(Item.from_dict(item.to_dict())) == []
        to_json(item)


@each_config
def test_prompts_read_back_and_say_nothing_of_the_target(config: dict[str, Any]) -> None:
    for item in some(config):
        assert reading.read(item.prompt) == item.problem
        assert item.target not in item.prompt


@each_config
def test_every_engine_answers_with_full_marks(config: dict[str, Any]) -> None:
    said = Counter()
    for item in some(config)[:6]:
        for engine in engines.ENGINES:
            try:
                solution = engines.solve(reading.read(item.prompt), engine)
            except EngineError:
                continue
            verdict = score.score(item, f"Answer: {solution.answer}")
            assert verdict.value["correct"] == verdict.value["f1_ts"] == 1, engine
            said[engine] += 1
    assert said["exact"] == said["spot"] == min(len(some(config)), 6)


@each_config
def test_worked_solutions_name_what_the_certificate_has(config: dict[str, Any]) -> None:
    for item in some(config):
        worked = explain.worked(item) or ""
        assert item.target not in worked
        if item.problem["task"] in ("tce", "min"):
            for one in item.certificate["counterfactuals"][: explain.MAX_CLAUSES]:
                for step, name in one["flips"]:
                    assert f"{name} at step {step}" in worked
        elif item.problem["task"] == "tte":
            assert (": it is accepted." in worked) is item.features["accepted"]
        else:
            assert worked.count("moves to state") == item.features["run_length"]


# -------------------------------------------------------------------------- by other means


def test_causes_by_walking_the_text_of_the_machine() -> None:
    """Clauses break the effect, nothing smaller does, and what contains no clause does not (sampled)."""
    for item in items_of(max(share(40), 10), trivial=0.2):
        walker, effect = Walker(item.problem["hoa"]), item.problem["effect"]
        step, rng = effect["step"], Random(item.id)
        inputs = [name for name in walker.names if name not in walker.outputs]
        actual = [set(true) - walker.outputs for true in item.problem["trace"][: step + 1]]

        def breaks(
            flips: Any, walker: Any = walker, actual: Any = actual, effect: Any = effect
        ) -> bool:
            words = [set(word) for word in actual]
            for when, name in flips:
                words[when] ^= {name}
            return (effect["output"] in walker.run(words)[1][-1]) is not effect["value"]

        clauses = [
            {(when, name) for when, name in one["flips"]}
            for one in item.certificate["counterfactuals"]
        ]
        assert not breaks(())
        for clause in clauses:
            assert breaks(clause)
            for left_out in clause:
                assert not breaks(clause - {left_out})
        pairs = [(when, name) for when in range(step + 1) for name in inputs]
        for _ in range(60):
            flips = {pair for pair in pairs if rng.random() < rng.choice((0.1, 0.5, 0.9))}
            if not any(clause <= flips for clause in clauses):
                assert not breaks(flips)


def test_runs_by_walking_the_text_of_the_machine() -> None:
    seen = Counter()
    for item in items_of(40, task="tte"):
        walker, trace = Walker(item.problem["hoa"]), item.problem["trace"]
        words = [set(true) - walker.outputs for true in trace]
        states, outputs = walker.run(words)
        good = [set(true) & walker.outputs == out for true, out in zip(trace, outputs, strict=True)]
        taken = good.index(False) if False in good else len(good)
        answer = json.loads(item.target)
        assert answer.pop("accepted") == ("yes" if taken == len(trace) else "no")
        assert [one["current state"] for one in answer.values()] == states[:taken]
        assert [one["next state"] for one in answer.values()] == states[1 : taken + 1]
        seen[taken == len(trace)] += 1
    assert seen == {True: 20, False: 20}


# ---------------------------------------------------------------------------------- tampering


def forgeries(item: Item) -> dict[str, Item]:
    """Return the item with one thing changed; none of them may pass."""
    found = {}
    changed = copy.deepcopy(item.certificate)
    if item.problem["task"] in ("tte", "sim"):
        changed["states"][-1] += 1
        found["states"] = replace(item, certificate=changed)
        if item.problem["task"] == "sim":
            target = item.target.replace('"next state": ', '"next state": 1', 1)
            found["target"] = replace(item, target=target)
            return found
        other = {"yes": "no", "no": "yes"}[json.loads(item.target)["accepted"]]
        target = json.dumps(json.loads(item.target) | {"accepted": other})
        found["accepted"] = replace(item, target=target)
        return found
    target = item.target.replace('["no constraints"]', '["x"]', 1)
    found["target"] = replace(item, target=target if target != item.target else "{}")
    effect = {**item.problem["effect"], "value": not item.problem["effect"]["value"]}
    found["effect"] = replace(item, problem={**item.problem, "effect": effect})
    if changed["counterfactuals"]:
        one = changed["counterfactuals"][0]
        found["lost"] = replace(
            item, certificate=changed | {"counterfactuals": changed["counterfactuals"][1:]}
        )
        one["trace"][0] = one["trace"][0][1:] if one["trace"][0] else ["nothing"]
        found["trace"] = replace(item, certificate=changed)
        again = copy.deepcopy(item.certificate)
        again["counterfactuals"][0]["flips"] = []
        found["flips"] = replace(item, certificate=again)
    return found


@each_config
def test_tampered_items_do_not_pass(config: dict[str, Any]) -> None:
    for item in some(config):
        for what, fake in forgeries(item).items():
            assert len(certificate.errors(fake)) == 1, what


@pytest.mark.parametrize(
    "damage",
    [None, {}, [], "x", {"counterfactuals": None}, {"counterfactuals": [1]}, {"states": "a"},
     {"counterfactuals": [{"flips": [[0]], "trace": []}]}],
    ids=str,
)  # fmt: skip
def test_no_certificate_makes_the_check_raise(damage: Any) -> None:
    for item in (some({})[0], some({"task": "tte"})[0]):
        assert len(certificate.errors(replace(item, certificate=damage))) == 1


# ------------------------------------------------------------------------------ configuration


def test_what_the_keys_promise() -> None:
    assert all(item.features["trivial"] for item in some({"trivial": 1}))
    assert not any(item.features["trivial"] for item in some({"trivial": 0}))
    assert all(not i.problem["effect"]["value"] for i in items_of(8, effects="negative"))
    assert all(i.problem["effect"]["value"] for i in items_of(8, effects="positive"))
    deep = items_of(8, min_depth=3, max_depth=4, length=9)
    assert {i.problem["effect"]["step"] for i in deep} == {3, 4}
    assert {len(i.problem["trace"]) for i in deep} == {9}
    small = items_of(8, min_states=5, max_states=7, max_inputs=3)
    assert all(5 <= i.features["states"] <= 7 and i.features["inputs"] <= 3 for i in small)
    assert {i.features["family"] for i in items_of(8, families=("lift",))} == {"lift"}
    assert any("cross" in i.target and '"cross_step_clauses": {"' in i.target for i in deep)
    assert {i.notes["confirmed"] for i in items_of(8, confirm=False)} == {"no"}
    assert {i.notes["confirmed"] for i in some({})} <= {"spot", "sat"}


def test_forms_share_problem_and_family() -> None:
    forms = [items_of(4, notation=n, hoa=h) for n in ("hoa", "prose") for h in ("names", "numbers")]
    for same in zip(*forms, strict=True):
        assert len({to_json_problem(item) for item in same}) == 1
        assert len({item.family for item in same}) == 1
    assert forms[0][0].prompt != forms[1][0].prompt != forms[2][0].prompt
    assert forms[2][0].prompt == forms[3][0].prompt  # prose has no labels


def to_json_problem(item: Item) -> str:
    return json.dumps([item.problem, item.target], sort_keys=True)


@slow
def test_what_follows_the_effect_makes_no_new_question() -> None:
    """Few short questions, drawn often: the same one with another ending has the same family."""
    n = max(share(150), 40)
    items = items_of(
        n,
        families=("watchdog",),
        max_states=4,
        length=6,
        max_depth=2,
        confirm=False,
        unique=False,
    )
    families: dict[str, set[str]] = {}
    for item in items:
        effect = item.problem["effect"]
        asked = [item.problem["hoa"], item.problem["trace"][: effect["step"] + 1], effect]
        families.setdefault(json.dumps(asked), set()).add(item.family)
    assert all(len(found) == 1 for found in families.values())
    assert len({item.family for item in items}) == len(families) < 2 * n // 5
    assert len({item.id for item in items}) > len(families)


@pytest.mark.parametrize(
    ("config", "said"),
    [
        ({"min_depth": 8, "length": 8}, "min_depth=8 leaves no step"),
        ({"min_depth": 5, "max_depth": 4}, "min_depth=5 leaves no step"),
        ({"min_states": 9, "max_states": 8}, "min_states=9 is more than max_states=8"),
    ],
    ids=str,
)
def test_keys_that_contradict_each_other(config: dict[str, Any], said: str) -> None:
    with pytest.raises(SpecError, match=said):
        items_of(1, **config)


def test_machines_without_trivial_effects_give_others_and_say_so() -> None:
    items = items_of(30, families=("latch",), max_states=8)
    assert not any(item.features["trivial"] for item in items)
    config = dict(make(PLUGIN, {"families": ["latch"], "max_states": 8}).config)
    assert generate.about(config)["warnings"] == [
        "trivial=0.05: these machines have no effect that no input could have prevented"
    ]
    assert "warnings" not in generate.about(config | {"trivial": 0})
    assert any(item.features["trivial"] for item in items_of(30, trivial=0.2))


def test_what_cannot_be_found_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(generate, "MAX_DRAWS", 2_000)
    with pytest.raises(ExhaustedError, match="no effect that no input could have prevented in"):
        items_of(1, families=("delay_line",), min_depth=7, max_depth=7, trivial=1, max_states=8)


# --------------------------------------------------------------------------------- difficulty


@pytest.mark.parametrize("task", ["tce", "tte"])
def test_hard_items_are_at_the_top_of_the_pool(task: str) -> None:
    from harness_tempobench.features import HARD

    settings = {"task": task, "trivial": 0, "confirm": False}
    n = max(share(60), 20)
    hard = items_of(n, hard=True, pool=100, **settings)
    told = generate.about(dict(make(PLUGIN, {"hard": True, "pool": 100, **settings}).config))
    assert [one["problems"] for one in told["hard"].values()] == [100]
    normal = items_of(n, **settings)
    for feature in HARD[task][:4]:
        assert mean(hard, feature) > mean(normal, feature), feature
    generate._bar.cache_clear()
    assert hard[: n // 3] == items_of.__wrapped__(n // 3, hard=True, pool=100, **settings)


def mean(items: tuple[Item, ...], feature: str) -> float:
    return sum(float(item.features[feature]) for item in items) / len(items)


def test_ranks_by_hand() -> None:
    from harness_tempobench.features import bar

    names = ("states", "transitions", "unique_inputs", "run_length")
    pool = [dict.fromkeys(names, value) for value in (1, 2, 2, 4)]
    found = bar("tte", pool, 0.25)
    assert found.hardness(pool[0]) == 0.125
    assert found.hardness(pool[1]) == 0.5
    assert found.hardness(pool[3]) == found.threshold == 0.875
    assert found.hardness(dict.fromkeys(names, 9)) == 1


# --------------------------------------------------------------------------------- determinism


@slow
def test_items_do_not_depend_on_order_or_hash_seed() -> None:
    spec = make(PLUGIN, {"n": 5})
    from harness.core import fresh

    whole = [to_json(item) for item in fresh.items(PLUGIN, spec)]
    code = (
        "import tb_items\n"
        "from harness.core.items import to_json\n"
        "for item in reversed(tb_items.items_of(5)): print(to_json(item))"
    )
    path = ":".join(sys.path)
    made = subprocess.run(
        [sys.executable, "-c", code],
        env={"PYTHONPATH": path, "PYTHONHASHSEED": "7", "PATH": "", "HOME": "/nonexistent"},
        capture_output=True,
        text=True,
        check=True,
    )
    assert made.stdout.splitlines()[::-1] == whole


def test_seeds_share_no_items() -> None:
    one = {item.family for item in items_of(60)}
    other = {item.family for item in items_of(60, seed=1)}
    assert len(one & other) <= 2


def test_a_problem_that_is_about_something_else() -> None:
    problem = copy.deepcopy(some({})[0].problem)
    for change, said in (
        ({"effect": {**problem["effect"], "output": "nobody"}}, "is no output"),
        ({"effect": {**problem["effect"], "step": 99}}, "numbered from 0"),
        ({"trace": [["nobody"]] * 9}, "which the machine does not"),
        ({"hoa": "HOA: v1"}, "HOA"),
    ):
        with pytest.raises(Exception, match=said) as caught:
            problems.case({**problem, **change})
        assert "\n" not in str(caught.value)
