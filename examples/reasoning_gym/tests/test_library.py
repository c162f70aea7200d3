"""The adapter against the library: names, options, seeds, outcomes."""

import json
import random
from dataclasses import replace

import pytest
from gym_items import item_of, judged
from harness_reasoning_gym import names

from harness import EngineError, SpecError, did_you_mean
from harness.testing import conformance, registry


def test_the_names_are_those_of_the_library():
    from importlib import metadata

    from reasoning_gym.factory import DATASETS

    assert set(names.TASKS) == set(DATASETS) - {"composite"}
    assert list(names.TASKS) == sorted(names.TASKS)
    assert metadata.version("reasoning-gym") == names.LIBRARY
    assert set(names.CHOICES) <= set(names.TASKS)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"min_term": 2}, "options: chain_sum has no 'min_term'; did you mean 'min_terms'?"),
        ({"seed": 3}, "options: 'seed' is the harness's own; use seed=… and n=…"),
        ({"size": 3}, "options: 'size' is the harness's own; use seed=… and n=…"),
        ({"min_terms": 9, "max_terms": 2}, 'options={"min_terms": 9, "max_terms": 2}: chain_sum refuses them: '),
        ({"min_terms": "two"}, 'options={"min_terms": "two"}: chain_sum refuses them: '),
        ({"min_terms": None}, 'options={"min_terms": null}: chain_sum refuses them: '),
    ],
)  # fmt: skip
def test_wrong_options_are_one_line(options, message):
    from harness_reasoning_gym.library import check_options

    with pytest.raises(SpecError) as caught:
        check_options("chain_sum", options)
    assert str(caught.value).startswith(message)
    assert "\n" not in str(caught.value)


def test_options_reach_the_dataset():
    items = [item_of("chain_sum", index, min_terms=2, max_terms=2) for index in range(10)]
    assert all(
        item.problem["question"].count("+") + item.problem["question"].count("-") >= 1
        for item in items
    )
    assert all(len(item.problem["question"].split("problem:")[1].split()) == 4 for item in items)


def test_a_wrong_name_gets_a_suggestion():
    assert did_you_mean("chain_sun", names.TASKS) == "did you mean 'chain_sum'?"


@pytest.mark.parametrize("task", ["list_functions", "pool_matrix", "gcd", "simple_geometry"])
def test_an_item_is_a_function_of_its_seed_whatever_was_drawn_before(task):
    from harness_reasoning_gym import library

    before = item_of(task)
    library._made.cache_clear()
    random.seed(99)
    state = random.getstate()
    assert item_of(task) == before
    assert random.getstate() == state
    assert item_of(task, seed=1).problem["seed"] != before.problem["seed"]


def test_neighbouring_seeds_share_nothing():
    ours = {item_of("chain_sum", index, seed).id for seed in (1, 2) for index in range(30)}
    assert len(ours) == 60


def test_equal_questions_are_one_problem():
    one = item_of("coin_flip")
    other = replace(one, problem={**one.problem, "seed": 1}, id="")
    assert one.problem_id == other.problem_id
    assert one.id != other.id


@pytest.mark.parametrize(
    ("text", "outcome", "correct"),
    [
        ("{gold}", "scored", 1), ("Answer: {gold}", "scored", 1), ("<answer>{gold}</answer>", "scored", 1),
        ("Hm.\n\n**Answer:** {gold}", "scored", 1), ("<answer> {gold} </answer> bye", "scored", 1),
        ("Final answer: {gold}", "scored", 1), ("<think>Answer: 0</think>Answer: {gold}", "scored", 1),
        ("Answer: {gold}\nAnswer: {gold}", "scored", 1),
        ("Answer: 123456", "scored", 0), ("Answer: {gold} or 5", "scored", 0),
        ("<answer>{gold}5</answer>", "scored", 0),
        ("", "unparsed", 0), ("Answer:", "unparsed", 0), ("I don't know.", "unparsed", 0), ("123456", "unparsed", 0),
        ("Answer: {gold}\nAnswer: 5", "unparsed", 0), ("<answer>{gold}</answer><answer>5</answer>", "unparsed", 0),
        ("<think>" + "hm " * 100_000 + "\nAnswer: {gold}", "unparsed", 0),
        ("<think>Answer: {gold}", "unparsed", 0), ("It is {gold}, I think.", "unparsed", 0),
        ("<answer></answer>", "unparsed", 0),
        ("Answer: " * 125_000, "unparsed", 0), ("Answer: " + "1" * 20_001, "unparsed", 0),
        ("(" * 10**6, "unparsed", 0),
    ],
)  # fmt: skip
def test_outcomes(text, outcome, correct):
    item = item_of("gcd")
    found = judged(item, text.replace("{gold}", item.target))
    assert (found.outcome, found.value["correct"]) == (outcome, correct)


def test_an_answer_of_several_lines_is_read_whole():
    item = item_of("rotate_matrix")
    assert "\n" in item.target
    assert judged(item, f"Let me see.\n\nAnswer:\n{item.target}").value["correct"] == 1
    assert judged(item, f"Answer: {item.target.splitlines()[0]}").value["correct"] == 0


@pytest.mark.parametrize(
    "mark", ["Answer: ", "Answer:\n", "**Answer:** ", "**Answer**: ", "", "<answer>"]
)
@pytest.mark.parametrize("task", ["n_queens", "tower_of_hanoi", "power_function", "tsumego"])
def test_gold_answers_keep_their_underscores_and_their_length(task, mark):
    items = [item_of(task, index) for index in range(6)]
    end = "</answer>" if mark == "<answer>" else ""
    assert [judged(item, f"{mark}{item.target}{end}").value["correct"] for item in items] == [1] * 6


def test_a_reply_without_a_mark_on_which_the_verifier_raises_is_no_answer():
    item = item_of("prime_factorization")
    assert judged(item, "I don't know.").outcome == "unparsed"
    found = judged(item, "Answer: I don't know.")
    assert (found.outcome, found.value["correct"]) == ("unscored", 0)


def test_what_two_verifiers_take_for_right():
    """Findings, written down in the README: should the library mend them, this says so."""
    assert judged(item_of("game_of_life_halting"), "I don't know.").value["correct"] == 1
    items = [item_of("puzzle24", index) for index in range(4)]
    assert [judged(items[0], f"Answer: {item.target}").value["correct"] for item in items] == [
        1
    ] * 4


def test_an_entry_without_an_answer_has_no_gold_that_scores():
    item = item_of("boxnet")
    assert (item.target, item.notes["gold"]) == ("", 0)
    assert judged(item, "Answer: ").outcome == "unparsed"


def test_a_verifier_that_raises_is_not_the_models_fault(monkeypatch):
    from reasoning_gym.factory import DATASETS

    item = item_of("gcd")
    monkeypatch.setattr(DATASETS["gcd"][0], "score_answer", lambda self, answer, entry: 1 / 0)
    found = judged(item, "Answer: 5")
    assert found.outcome == "unscored"
    assert "the verifier of gcd raised ZeroDivisionError" in found.explanation


def test_making_an_entry_again_finds_a_changed_library():
    from harness_reasoning_gym import items

    problem = item_of("gcd").problem
    assert items.solve(problem, "generator").answer == item_of("gcd").target
    with pytest.raises(EngineError, match="gcd makes another question of this seed now"):
        items.solve({**problem, "question": "?"}, "generator")
    with pytest.raises(EngineError, match="no engine 'oracle'; known: generator"):
        items.solve(problem, "oracle")


def test_the_kit_finds_what_the_library_has_not_and_nothing_else():
    plugin = registry().get("reasoning_gym")
    only = ("describe", "schema", "values", "roundtrip", "order", "processes", "seeds", "target", "hedge", "foreign",
            "read", "engines", "certificates")  # fmt: skip
    report = conformance(plugin, {"task": "caesar_cipher"}, n=4, only=only)
    assert report["failures"] == ["describe", "read", "engines", "certificates"]
    found = {check["name"]: check["failure"] for check in report["checks"]}
    assert "fewer than two engines" in found["describe"]
    assert "reasoning-gym gives no certificate" in found["certificates"]


def test_the_page_is_made_of_what_is_measured(tmp_path):
    from harness_reasoning_gym.measure import main

    out = tmp_path / "page.md"
    assert main([f"out={out}", "n=2", "tasks=string_insertion"]) == 0
    kept = tmp_path / "page.md.json"
    rows = json.loads(kept.read_text())
    rows["rows"][0]["raw"]["hedge"] = 0.625  # it is not measured again
    kept.write_text(json.dumps(rows))
    assert main([f"out={out}", "n=2", "tasks=string_insertion,boxnet"]) == 0
    text = out.read_text()
    assert "- `values`, `target` (entries come without an answer), 1: boxnet\n" in text
    assert "another entry's answer: string_insertion 0.625\n" in text
    assert "own answer: boxnet 0\n" in text
    assert "(`fence.py`): string_insertion\n" in text
