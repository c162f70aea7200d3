"""Judging completions: gold answers, near misses, hostile text, damaged items."""

import dataclasses
import itertools
import json
import random
from functools import cache
from types import SimpleNamespace

import pytest
from cases import some
from harness_tempobench import metrics, targets
from harness_tempobench.answers import extraction, score_cause, score_trace
from harness_tempobench.answers.effect_names import Name
from harness_tempobench.answers.score import VALUES, score
from harness_tempobench.answers.score_gold import Counts
from harness_tempobench.equivalence import compare
from harness_tempobench.formulas import at_step, conjuncts
from harness_tempobench.machine import Machine
from hypothesis import given, settings
from hypothesis import strategies as st
from pace import within
from tb_machines import cause_of, lazy_machine, random_letters, satisfies
from tb_scores import (
    ARBITER,
    COUNTS,
    CROSSING,
    NAME,
    PUBLISHED,
    REJECTED,
    RUN,
    SIMPLE,
    TRIVIAL,
    WORD,
    cause_item,
    judged,
    run_item,
    say,
)

from harness import Row


@cache
def items():
    rng = random.Random(11)
    found = []
    while len(found) < 60:
        machine = lazy_machine(rng, rng.randint(2, 6), rng.randint(1, 4))
        letters = random_letters(rng, machine, 6)
        found.append(cause_item(machine, letters, rng.randrange(6), rng.choice(machine.outputs)))
        found.append(run_item(machine, letters, rng.choice([None, *range(6)])))
    return found


def simple(steps, name=NAME):
    return judged(SIMPLE, {name: steps})


def test_the_items_of_these_tests_are_what_they_should_be():
    steps = {"0": ["no constraints"], "1": ["r"], "2": ["!s"]}
    assert json.loads(SIMPLE.target) == {NAME: steps}
    assert json.loads(CROSSING.target)["cross_step_clauses"] == {"XXX !g": [["2:!r", "3:s"]]}
    assert json.loads(TRIVIAL.target)["XX h"]["0"] == ["no constraints"]


# ------------------------------------------------------------------------------------- causes


def test_gold_is_right_in_everything():
    for item in items():
        verdict = judged(item, item.target)
        assert set(verdict.value.values()) == {1.0}
        assert verdict.extra["ap_fp"] == verdict.extra["ap_fn"] == verdict.extra["ts_fp"] == 0
        assert "**Right**" in verdict.explanation
        fenced = score(item, f"Hence\n```json\n{item.target}\n```")
        assert fenced.outcome == "scored"
        assert fenced.value["correct"] == 1


@pytest.mark.parametrize(
    "steps",
    [
        {"2": ["!s"], "1": ["r"]},
        {"1": "r", "2": "not s"},
        {"1": ["(r)", "r"], "2": ["¬s"]},
        {"0": [], "1": ["r and r"], "2": ["!(s or s)"]},
    ],
)
def test_the_same_clauses_in_other_words_are_exact(steps):
    verdict = simple(steps)
    assert set(verdict.value.values()) == {1.0}


@pytest.mark.parametrize(
    "steps",
    [
        {"1": ["r", "r or s"], "2": ["!s"]},
        {"1": ["r or (r and s)"], "2": ["!s"]},
        {"1": ["(r and s) or (r and !s)"], "2": ["!s or !s"]},
        {"0": ["r or !r"], "1": ["r"], "2": ["!s"]},
        {"1": ["r", "zz or !zz"], "2": ["!s"]},
        {"1": ["r"], "2": ["!s"], "3": ["r or not r"]},
    ],
)
def test_the_same_cause_otherwise_stated_is_correct_and_not_exact(steps):
    verdict = simple(steps)
    assert (verdict.value["correct"], verdict.value["exact"]) == (1, 0)
    assert verdict.value["f1_ts"] == 1
    assert verdict.value["f1_ap"] < 1
    assert "another form" in verdict.explanation


def test_a_step_beyond_the_effect_is_not_exact_even_if_it_says_nothing():
    verdict = simple({"1": ["r"], "2": ["!s"], "3": ["no constraints"]})
    assert (verdict.value["correct"], verdict.value["exact"]) == (1, 0)
    assert verdict.value["f1_ap"] == verdict.value["f1_ts"] == 1


@pytest.mark.parametrize(
    ("steps", "ap", "ts", "said"),
    [
        ({"1": ["r"]}, (1, 0, 1), (1, 0, 1), "`2:!s`: flip `s` at step 2 and `g` is false at step 2"),
        ({"2": ["!s"]}, (1, 0, 1), (1, 0, 1), "`1:r`: flip `r` at step 1 and `g` is false at step 2"),
        ({"0": ["!s"], "1": ["r"], "2": ["!s"]}, (2, 1, 0), (2, 1, 0),
         "`0:!s`: flip `s` at step 0 and `g` is true at step 2 all the same"),
        ({"1": ["r and !s"], "2": ["!s"]}, (2, 1, 0), (1, 1, 1), "`1:!s`: flip `s` at step 1"),
        ({"1": ["r or !s"], "2": ["!s"]}, (2, 1, 0), (1, 1, 1), "`1:r`: flip `r` at step 1"),
        ({"1": ["!r"], "2": ["!s"]}, (1, 1, 1), (1, 1, 1), "does not hold in the trace itself"),
        ({"1": ["r and !r"], "2": ["!s"]}, (2, 1, 0), (1, 1, 1), "does not hold in the trace"),
        ({"1": ["r"], "2": ["!s", "g"]}, (2, 1, 0), (1, 1, 1), "`g` is an output of the machine"),
        ({"1": ["r"], "2": ["!s", "qq"]}, (2, 1, 0), (1, 1, 1), "`qq` is no input of the machine"),
        ({"1": ["r"], "2": ["!s"], "3": ["r"]}, (2, 1, 0), (2, 1, 0), "steps 0 to 2 alone"),
        ({"1": ["r"], "2": ["!s"], "999": ["r"]}, (2, 1, 0), (2, 1, 0), "steps 0 to 2 alone"),
        ({"0": ["r"], "1": ["!s"]}, (0, 2, 2), (0, 2, 2), "flip `s` at step 1"),
        ({}, (0, 0, 2), (0, 0, 2), "flip `r` at step 1"),
    ],
)  # fmt: skip
def test_wrong_causes(steps, ap, ts, said):
    verdict = simple(steps)
    extra = verdict.extra
    assert verdict.value["correct"] == verdict.value["exact"] == 0
    assert tuple(extra[f"ap_{kind}"] for kind in ("tp", "fp", "fn")) == ap
    assert tuple(extra[f"ts_{kind}"] for kind in ("tp", "fp", "fn")) == ts
    assert said in verdict.explanation
    assert "**Wrong**" in verdict.explanation


def test_the_empty_answer_earns_what_the_definition_gives():
    assert not any(judged(SIMPLE, "{}").value.values())
    assert not any(judged(CROSSING, "{}").value.values())
    assert set(judged(TRIVIAL, "{}").value.values()) == {1.0}
    assert judged(SIMPLE, {NAME: {}}).extra["published_f1_ap"] > 0  # theirs pays for it


def test_something_stated_where_there_is_nothing_to_find():
    verdict = judged(TRIVIAL, {"XX h": {"1": ["r"]}})
    assert not any(verdict.value.values())
    assert verdict.extra["ap_fp"] == verdict.extra["ts_fp"] == 1
    assert "`h` is true at step 2 all the same" in verdict.explanation


@pytest.mark.parametrize("name", ["X g", "XXX g", "XX !g", "XX h", "g", "the cause of it all"])
def test_another_effect(name):
    verdict = simple({"1": ["r"], "2": ["!s"]}, name)
    assert not any(verdict.value.values())
    assert [verdict.extra[one] for one in ("ap_tp", "ap_fp", "ap_fn")] == [0, 2, 2]
    assert [verdict.extra[one] for one in ("ts_tp", "ts_fp", "ts_fn")] == [0, 2, 2]
    assert "was asked about" in verdict.explanation
    assert verdict.extra["published_correct"] == 1  # theirs looks at no name, and gives step 0 away


def test_another_effect_without_a_cause_earns_nothing():
    verdict = judged(TRIVIAL, {"XX g": {"0": ["no constraints"]}})
    assert not any(verdict.value.values())
    assert not any(verdict.extra[one] for one in COUNTS)
    assert "nothing that it says counts" in verdict.explanation


def test_another_cause_is_given_its_chance_at_each_step():
    verdict = simple({"1": ["r or !r"], "2": ["!s", "zz"]})
    assert [verdict.extra[one] for one in ("ts_tp", "ts_fp", "ts_fn")] == [0, 1, 2]


def crossing(clauses, steps=None):
    name = "XXX !g"
    return judged(CROSSING, {name: steps or {}, "cross_step_clauses": {name: clauses}})


def test_clauses_over_several_steps():
    assert set(crossing([["3:s", "2:!r"]]).value.values()) == {1.0}
    weaker = crossing([["3:s", "2:!r"], ["3:s", "2:!r", "0:r"]])
    assert (weaker.value["correct"], weaker.value["exact"]) == (1, 0)
    assert [weaker.extra[one] for one in ("ts_tp", "ts_fp", "ts_fn")] == [0, 3, 2]
    stronger = crossing([], {"3": ["s"]})
    assert stronger.value["correct"] == 0
    assert [stronger.extra[one] for one in ("ap_tp", "ap_fp", "ap_fn")] == [1, 0, 1]
    assert (
        "`3:s`: flip `s` at step 3 and `g` is false at step 3 all the same" in stronger.explanation
    )
    missing = crossing([["3:s", "2:!r", "1:r"]])
    assert missing.value["correct"] == 0
    assert "`2:!r or 3:s`: flip `r` at step 2, `s` at step 3 and `g` is true" in missing.explanation
    one_step = judged(SIMPLE, {NAME: {"1": ["r"]}, "cross_step_clauses": {NAME: [["2:!s"]]}})
    assert set(one_step.value.values()) == {1.0}


def test_the_worked_example_of_the_paper():
    def literals(*groups):
        return [(step, name) for step, names in enumerate(groups) for name in names]

    gold = [frozenset([(step, name, True)]) for step, name in literals("ab", "bc", "c")]
    stated = {}
    for step, name in literals("ac", "b", "cd"):
        stated.setdefault(step, []).append(("literal", name, True))
    parts = score_cause.stated_parts(extraction.StatedCause(stated, (), ""))
    trace = {(step, name): True for step in range(3) for name in "abcd"}
    ap, ts = score_cause.counts(gold, parts, True, trace)
    assert (ap, ts) == (Counts(3, 2, 2), Counts(0, 3, 3))
    assert ap.figures() == pytest.approx((0.6, 0.6, 0.6))
    assert ts.figures() == (0, 0, 0)


def test_figures_of_counts():
    assert Counts().figures() == (1, 1, 1)
    assert Counts(0, 3, 0).figures() == Counts(0, 0, 3).figures() == (0, 0, 0)
    assert Counts(1, 1, 3).figures() == pytest.approx((1 / 2, 1 / 4, 1 / 3))


def flipped(target, rng):
    """A gold answer with one literal negated, dropped or moved; None if there is none."""
    answer = json.loads(target)
    steps = answer[next(iter(answer))]
    places = [
        (t, i) for t, said in steps.items() for i, one in enumerate(said) if one != "no constraints"
    ]
    if not places:
        return None
    step, index = rng.choice(places)
    sentence = steps[step].pop(index)
    if rng.random() < 0.5:
        literal = sentence.split(" or ")[0]
        other = literal[1:] if literal[0] == "!" else f"!{literal}"
        steps[step].append(sentence.replace(literal, other, 1))
    return answer


def test_near_misses_are_wrong_and_say_why():
    rng = random.Random(7)
    seen = 0
    for item in items():
        if item.problem["task"] == "tce" and (answer := flipped(item.target, rng)):
            verdict = judged(item, answer)
            assert verdict.value["correct"] == 0
            assert verdict.value["f1_ts"] < 1
            assert "flip" in verdict.explanation
            seen += 1
    assert seen > 10


def meant(stated, machine, word):
    """Whether an input word satisfies stated steps: (literal texts, joined by or) by step."""
    for step, clauses in stated.items():
        for clause in clauses:
            values = (
                (word[step] >> machine.inputs.index(text.lstrip("!")) & 1) != text.startswith("!")
                for text in clause
            )
            if not any(values):
                return False
    return True


def test_correct_is_what_all_input_words_say():
    rng = random.Random(13)
    right = 0
    for _ in range(some(250)):
        machine = lazy_machine(rng, 3, 2)
        letters = random_letters(rng, machine, 3)
        item = cause_item(machine, letters, 2, "o0")
        value = item.problem["effect"]["value"]
        true = cause_of(machine, letters, None, 2, "o0", value)
        stated = {
            step: [one.split(" or ") for one in said if one != "no constraints"]
            for step, said in enumerate(next(iter(json.loads(item.target).values())).values())
        }
        for _ in range(rng.randint(0, 2)):
            texts = [targets.literal(machine.inputs, rng.randrange(4), i) for i in range(2)]
            stated[rng.randrange(3)].append(rng.sample(texts, rng.randint(1, 2)))
        name = targets.effect_name(item.problem["effect"])
        said = {
            str(step): [" or ".join(one) for one in clauses] for step, clauses in stated.items()
        }
        gold_crosses = json.loads(item.target)["cross_step_clauses"][name]
        kept = gold_crosses if rng.random() < 0.5 else []
        verdict = judged(item, {name: said, "cross_step_clauses": {name: kept}})
        crosses = [[one.split(":") for one in clause] for clause in kept]
        same = all(
            satisfies(true, word)
            == (
                meant(stated, machine, word)
                and all(
                    any(meant({int(t): [[text]]}, machine, word) for t, text in clause)
                    for clause in crosses
                )
            )
            for word in itertools.product(range(4), repeat=3)
        )
        assert verdict.value["correct"] == same
        right += same
    assert some(30) < right < some(220)


def test_equal_answers_have_equal_votes():
    one, other = simple({"1": ["r"], "2": ["!s", "!s"]}), simple({"2": ["not s"], "1": ["(r)"]})
    assert one.extra["vote"] == other.extra["vote"] == one.answer == "1:r; 2:!s"
    assert simple({"1": ["r"]}).extra["vote"] != one.extra["vote"]
    assert simple({"1": ["r"], "2": ["!s"]}, "X g").extra["vote"] != one.extra["vote"]


# --------------------------------------------------------------------------------------- runs


def steps_of(item):
    return json.loads(item.target)


def test_the_runs_of_these_tests():
    assert [one["next state"] for one in list(steps_of(RUN).values())[:4]] == [0, 1, 0, 0]
    assert list(steps_of(REJECTED)) == ["step_0", "step_1", "accepted"]


@pytest.mark.parametrize(
    ("change", "ap", "ts", "said"),
    [
        ({"step_1": {"next state": 0}}, (8, 0, 0), (3, 1, 1), "step 1: in state 0 the machine reads `r and !s`"),
        ({"step_2": {"current state": 0}}, (8, 0, 0), (3, 1, 1), "the answer starts in state 0"),
        ({"step_1": {"defining inputs": "r"}}, (7, 0, 1), (3, 1, 1), "the answer reads `r`"),
        ({"step_1": {"defining inputs": "r or !s"}}, (8, 0, 0), (3, 1, 1), "the answer reads `r or !s`"),
        ({"step_1": {"defining inputs": "r and s"}}, (7, 1, 1), (3, 1, 1), "reads `r and s`"),
        ({"step_1": None}, (6, 0, 2), (3, 0, 1), "step 1: nothing is said of it"),
        ({"step_4": {"current state": 0, "defining inputs": "r", "next state": 1}}, (8, 1, 0), (4, 1, 0),
         "Step 4 is stated, and the run takes 4 steps"),
    ],
)  # fmt: skip
def test_wrong_runs(change, ap, ts, said):
    answer = steps_of(RUN)
    for step, part in change.items():
        if part is None:
            del answer[step]
        else:
            answer[step] = answer.get(step, {}) | part
    verdict = judged(RUN, answer)
    assert verdict.value["correct"] == verdict.value["exact"] == 0
    assert tuple(verdict.extra[f"ap_{kind}"] for kind in ("tp", "fp", "fn")) == ap
    assert tuple(verdict.extra[f"ts_{kind}"] for kind in ("tp", "fp", "fn")) == ts
    assert verdict.extra["accepted"] == 1
    assert said in verdict.explanation


def test_accepted_or_not_is_a_question_of_its_own():
    for item, other in ((RUN, "no"), (REJECTED, "yes")):
        verdict = judged(item, steps_of(item) | {"accepted": other})
        assert verdict.value["correct"] == verdict.extra["accepted"] == 0
        assert verdict.value["f1_ap"] == verdict.value["f1_ts"] == verdict.extra["f1_state"] == 1
        assert verdict.explanation.startswith("**Wrong**.\n\nRead on line 1 of 1: ")
        assert "\n\nAccepted is " in verdict.explanation
        assert f"answered {other}" in verdict.explanation
    assert "at step 2, in state 1, `g` is false in the trace" in verdict.explanation
    silent = {key: value for key, value in steps_of(RUN).items() if key != "accepted"}
    verdict = judged(RUN, silent)
    assert verdict.extra["accepted"] == 0
    assert "Accepted is yes, the answer does not say" in verdict.explanation


def test_a_wrong_run_is_explained_without_repeating_it():
    answer = steps_of(RUN)
    answer["step_2"]["next state"] = 1
    verdict = judged(RUN, answer)
    head, place, rest = verdict.explanation.split("\n\n", 2)
    assert (head, place[:21]) == ("**Wrong**.", "Read on line 1 of 1: ")
    assert rest.startswith(
        "Accepted is yes, as answered.\n\nThe first step that is off is step 2: "
    )
    assert verdict.answer not in verdict.explanation
    assert len(verdict.explanation) < 500
    assert verdict.answer in judged(RUN, RUN.target).explanation.replace(
        "2: 1 [!r and !s] 0", "2: 1 [!r and !s] 1"
    )


@pytest.mark.parametrize(
    ("left_out", "said"),
    [
        ("current state", "does not say in which state it starts"),
        ("defining inputs", "does not say what is read"),
        ("next state", "does not say where it goes"),
    ],
)
def test_what_a_step_leaves_out_is_said_to_be_left_out(left_out, said):
    answer = steps_of(RUN)
    del answer["step_1"][left_out]
    verdict = judged(RUN, answer)
    assert verdict.value["correct"] == 0
    assert f"the answer {said}." in verdict.explanation


def test_the_steps_that_a_rejected_trace_goes_on_with_are_wrong():
    verdict = judged(REJECTED, steps_of(RUN) | {"accepted": "no"})
    assert verdict.value["correct"] == 0
    assert verdict.value["recall_ts"] == 1
    assert verdict.value["precision_ts"] == verdict.value["precision_ap"] == 0.5
    assert verdict.extra["f1_state"] == pytest.approx(2 / 3)


def test_equivalent_inputs_are_right():
    answer = steps_of(RUN)
    answer["step_1"]["defining inputs"] = "!s & (r)"
    answer["step_2"]["defining inputs"] = ["!r", "!s"]
    assert set(judged(RUN, answer).value.values()) == {1.0}


def test_only_a_verdict_without_steps():
    verdict = judged(RUN, {"accepted": "yes"})
    assert verdict.extra["accepted"] == 1
    assert not any(verdict.value.values())
    assert verdict.extra["ts_fn"] == 4
    at_once = run_item(ARBITER, WORD, 0)
    assert set(judged(at_once, {"accepted": "no"}).value.values()) == {1.0}


def test_a_machine_without_inputs():
    clock = Machine((), ("o",), 0, (((1, 1),), ((0, 0),)))
    item = run_item(clock, (0, 0))
    assert set(judged(item, item.target).value.values()) == {1.0}
    answer = {
        "step_0": {"current state": 0, "next state": 1},
        "step_1": {"current state": 1, "next state": 0},
    }
    assert judged(item, answer | {"accepted": "yes"}).value["correct"] == 1
    item = cause_item(clock, (0, 0), 1, "o")
    assert set(judged(item, item.target).value.values()) == {1.0}
    assert judged(item, {"X !o": {"1": ["o"]}}).value["correct"] == 0


def test_odd_names():
    names = ("or if", "and", "a b", "or", "not")
    table = (tuple((0, int(x == 31)) for x in range(32)),)
    machine = Machine(names, ("G h",), 0, table)
    for letters in ((31, 31), (31, 3)):
        item = cause_item(machine, letters, 1, "G h")
        gold = score_cause.gold_of(item)
        assert len(gold.clauses) == (5 if letters[1] == 31 else 1)
        assert set(judged(item, item.target).value.values()) == {1.0}
    item = run_item(machine, (31, 3))
    assert score_trace.gold_of(item).steps == 2
    assert set(judged(item, item.target).value.values()) == {1.0}


def test_inputs_of_a_step_are_right_exactly_if_the_formulas_mean_the_same():
    gold = score_trace.gold_of(RUN)
    literals = [
        ("literal", name, value) for name in ("r", "s", "g", "x") for value in (True, False)
    ]
    formulas = [("true",), ("false",), *literals]
    for joined in itertools.product(literals, repeat=2):
        formulas += [(kind, *joined) for kind in ("and", "or")]
        formulas += [("and", ("and", *joined), last) for last in literals[:4]]
    right = 0
    for step, formula in itertools.product(range(gold.steps), formulas):
        clauses = [frozenset([literal]) for literal in gold.inputs(step)]
        stated = conjuncts([(step, at_step(step, formula))])
        same = not compare(clauses, stated, gold.case.inputs_at(step))
        assert score_trace._reads(gold, step, formula) is same, formula
        right += same
    assert right > gold.steps


def test_a_name_that_is_looked_at_shortly_is_read_as_in_full():
    keys = [
        "0",
        "12",
        "step_0",
        "g",
        "G",
        "Xg",
        "XXg",
        "xxg",
        "XX_g",
        "X_g",
        "not_g",
        "og",
        "g2",
        "XXX",
    ]
    for names in (frozenset(), frozenset(["g", "r"])):
        for step, value in itertools.product(range(3), (True, False)):
            name = Name({"output": "g", "step": step, "value": value}, names)
            wanted = (step, value)
            assert [name.matches(key) for key in keys] == [
                name._read(key) == wanted for key in keys
            ]


# ------------------------------------------------------------------------- unparsed and hostile


@pytest.mark.parametrize(
    "text", ["", " ", "I do not know.", "{", "Answer: {", "[]", "\x00", "\ud800", "null"]
)
def test_what_is_no_answer_is_unparsed_and_misses_all_of_gold(text):
    for item, ap, ts in ((SIMPLE, 2, 2), (CROSSING, 2, 2), (RUN, 8, 4), (TRIVIAL, 0, 0)):
        verdict = score(item, text)
        assert not verdict.problems(VALUES)
        assert verdict.outcome == "unparsed"
        assert not any(verdict.value.values())
        assert set(verdict.extra) >= COUNTS | PUBLISHED
        assert (verdict.extra["ap_fn"], verdict.extra["ts_fn"]) == (ap, ts)
        assert verdict.extra.get("accepted", 0) == verdict.extra.get("f1_state", 0) == 0
        assert "vote" not in verdict.extra
        json.dumps(dataclasses.asdict(verdict)).encode()


@pytest.mark.parametrize(
    "text", ["<think>so {}", "{}\n<think>", "<think>a</think><think>{}", "<|channel|>analysis {}"]
)
def test_thinking_that_never_ends_is_said_to(text):
    for item in (SIMPLE, RUN):
        verdict = score(item, text.replace("{}", item.target))
        assert verdict.outcome == "unparsed"
        assert "the thinking never ends" in verdict.explanation
    for other in ("no idea", "", "<think>a</think>no idea"):
        assert "never ends" not in score(SIMPLE, other).explanation


def test_a_completion_that_is_no_text_is_no_answer():
    assert score(SIMPLE, None).outcome == "unparsed"  # type: ignore[arg-type]


def in_steps(sentence):
    return json.dumps({NAME: {"1": [sentence], "2": ["!s"]}})


PIGEONS = json.dumps(
    {
        NAME: {"2": ["!s"]},
        "cross_step_clauses": {
            NAME: [["1:r", *(f"0:p{p}{h}" for h in range(8))] for p in range(9)]
            + [["1:r", f"0:!p{p}{h}", f"0:!p{q}{h}"] for h in range(8) for p in range(9) for q in range(p)]
        },
    }
)  # fmt: skip
HOSTILE = [
    "{" * 100_000, "[" * 100_000, "(" * 100_000, '{"' * 50_000, '{"a":' * 20_000, "```json\n" * 20_000,
    "```json{" * 20_000,
    "Answer: " * 20_000, "Answer: {}" * 10_000, " " * 200_000, "\n" * 100_000, "\\" * 100_000, '"' * 100_000,
    in_steps("(" * 900 + "r" + ")" * 900), in_steps("!" * 1_900 + "r"), in_steps("r <-> " * 300 + "r"),
    in_steps(" <-> ".join(f"x{i}" for i in range(8))), in_steps(" and ".join(f"x{i}" for i in range(190))),
    in_steps("r or " * 390 + "r"), in_steps("a" * 1_900), in_steps("`*_<script>|[x](y)"), in_steps("\ud800\u202e"),
    json.dumps({NAME: {str(step): ["r or s"] for step in range(3_000)}}),
    json.dumps({NAME: {"1": [f"x{i} or y{i}" for i in range(4_000)]}}),
    json.dumps({NAME: {"9" * 5_000: ["r"], "-1": ["r"], "1e5": ["r"], "": ["s"]}}),
    json.dumps({"X" * 90_000 + " g": {"0": ["r"]}}),
    json.dumps({NAME: {}, "cross_step_clauses": {NAME: [[]]}}),
    json.dumps({NAME: {"0": {"1": {"2": ["r"]}}}}), PIGEONS, f"Answer: {PIGEONS}" * 3, "<think>" * 20_000,
    json.dumps({f"step_{i}": {"current state": 10**300, "defining inputs": "r", "next": -1} for i in range(300)}),
    json.dumps({"step_0": {"current state": "0", "defining inputs": "r <-> s <-> t", "next state": 1e308}}),
    "\u0301" * 50_000, "Answer: " + "a" * 150_000, "\x00" * 10_000 + '{"step_0": null}', '{"accepted": NaN}',
]  # fmt: skip


@pytest.mark.parametrize("number", range(len(HOSTILE)))
def test_hostile_text_gets_its_verdict_at_once(number):
    for item in (SIMPLE, RUN) if number > 12 else (SIMPLE,) if number % 2 else (RUN,):
        with within(0.5):
            verdict = score(item, HOSTILE[number])
        assert not verdict.problems(VALUES)
        assert verdict.value["correct"] == 0 or verdict.outcome == "scored"
        assert len(verdict.explanation) <= 2_000
        assert len(verdict.answer or "") <= 1_000
        json.dumps(dataclasses.asdict(verdict), ensure_ascii=False).encode()


# o at step 9 because of i0 there, whatever the other 59 inputs are
BUTTON = cause_item(
    Machine(tuple(f"i{i}" for i in range(6)), ("o",), 0, (tuple((0, x & 1) for x in range(64)),)),
    (63,) * 10, 9, "o",
)  # fmt: skip


def pigeons_of_inputs(*common, holes=6):
    """No way to put pigeons into holes, in real inputs, or one of the common literals."""
    free = iter([f"{step}:{{}}i{place}" for step in range(9) for place in range(6)])
    into = [[next(free) for _ in range(holes)] for _ in range(holes + 1)]
    clauses = [[one.format("") for one in row] for row in into]
    clauses += [
        [row[hole].format("!"), other[hole].format("!")]
        for hole in range(holes)
        for row, other in itertools.combinations(into, 2)
    ]
    return {f"{'X' * 9} o": {}, "cross_step_clauses": [[*common, *one] for one in clauses]}


def test_an_equivalence_beyond_the_bounds_is_our_fault_not_the_answers(monkeypatch):
    monkeypatch.setattr("harness_tempobench.equivalence.MAX_CONFLICTS", 100)
    verdict = say(BUTTON, pigeons_of_inputs("9:i0"))  # which means i0 indeed
    assert verdict.outcome == "unscored"
    assert "conflicts" in verdict.explanation


@pytest.mark.parametrize(
    "common", [["9:i1"], ["9:!i0"], ["9:i0", "9:i1"], ["9:i0", "9:i1", "9:i2", "9:i3"], ["9:i0", "9:zz"], []]
)  # fmt: skip
def test_nobody_buys_an_unscored_answer(common):
    verdict = judged(BUTTON, pigeons_of_inputs(*common))
    assert verdict.value["correct"] == 0


def test_what_is_too_large_to_be_compared_is_unparsed(monkeypatch):
    monkeypatch.setattr("harness_tempobench.formulas.MAX_NODES", 20)
    answer = steps_of(RUN)
    answer["step_1"]["defining inputs"] = ["r", "!s"] * 11
    for item, said in ((SIMPLE, {NAME: {"1": ["r", "s"] * 11}}), (RUN, answer)):
        verdict = say(item, said)
        assert verdict.outcome == "unparsed"
        assert "more than 20 parts" in verdict.explanation
        assert verdict.extra["ap_fn"] > 0


JUNK = {
    "foreign": ["a<->b<->c<->d<->e<->f<->g"] * 120,
    "inputs": ["r <-> s <-> r <-> s <-> !r <-> !s"] * 100,
    "constants": ["⊤<->" * 8 + "⊤"] * 8,
    "names": [" and ".join(f"{'x' * 95}{i}" for i in range(19))] * 40,
    "either": [" or ".join(f"(x{i} and y{j})" for i in range(40)) for j in range(60)],
}


@pytest.mark.parametrize(
    ("kind", "run"),
    [*((kind, False) for kind in JUNK if kind != "inputs"), ("inputs", True), ("either", True)],
)
def test_junk_beside_the_right_answer_is_wrong_or_unreadable_at_once(kind, run):
    answer = {NAME: {"1": ["r", *JUNK[kind]], "2": ["!s"]}}
    if run:
        answer = steps_of(RUN)
        answer["step_1"]["defining inputs"] = ["r", "!s", *JUNK[kind]]
    with within(0.8):
        verdict = say(RUN if run else SIMPLE, answer)
    assert verdict.outcome in ("scored", "unparsed")
    # "true <-> true" says nothing, so it is no junk if it can be read
    assert verdict.value["correct"] == 0 or kind == "constants"


@pytest.mark.parametrize(
    "junk", ["zz or r", "(zz and r) or (!zz and r)", "r or (r and zz)", "g or !s or r"]
)
def test_what_is_no_input_is_never_a_cause_however_it_is_said(junk):
    verdict = simple({"1": ["r", junk], "2": ["!s"]})
    assert verdict.value["correct"] == 0
    assert "of the machine, and only inputs are causes" in verdict.explanation
    answer = steps_of(RUN)
    answer["step_1"]["defining inputs"] += f" and ({junk})"
    assert judged(RUN, answer).value["correct"] == 0


@settings(max_examples=some(60), deadline=None)
@given(st.text(max_size=80) | st.text('{}[]":,rsg!0123 XX()andor', max_size=80), st.booleans())
def test_any_text_has_a_verdict(text, run):
    verdict = score(RUN if run else SIMPLE, f"Answer: {text}")
    assert verdict.outcome != "unscored"
    assert not verdict.problems(VALUES)


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.sampled_from(["r", "!s", "r or s", NAME]),
    lambda part: st.lists(part, max_size=3)
    | st.dictionaries(st.sampled_from(["0", "1", "2", NAME, "step_0", "accepted", "next state"]), part, max_size=3),
    max_leaves=8,
)  # fmt: skip


@settings(max_examples=some(60), deadline=None)
@given(st.dictionaries(st.sampled_from([NAME, "X h", "cross_step_clauses", "step_0", "step_1", "accepted", "1"]),
                       json_values, max_size=4), st.booleans())  # fmt: skip
def test_any_json_has_a_verdict(answer, run):
    verdict = score(RUN if run else CROSSING, f"Answer: {json.dumps(answer)}")
    assert verdict.outcome != "unscored"
    assert not verdict.problems(VALUES)


# ------------------------------------------------------------------------------ damaged items


def damaged(item, **changes):
    parts = {
        "problem": item.problem,
        "target": item.target,
        "version": "1.0",
        "notes": {},
    } | changes
    return SimpleNamespace(prompt=item.prompt, plugin=item.plugin, **parts)


def with_problem(item, **changes):
    return damaged(item, problem=item.problem | changes)


GOLD = SIMPLE.target
EFFECT = SIMPLE.problem["effect"]
TRACE = SIMPLE.problem["trace"]
TARGETS = (
    "", "no JSON", "[]", "{}", "5", None, "{" * 100_000, '{"XX h": {}}', '{"XX g": []}', '{"XX g": {"0": []}}',
    GOLD.replace('"r"', '"!r"'), GOLD.replace('"r"', '"g"'), GOLD.replace('"r"', "5"), GOLD.replace('["r"]', '"r"'),
    GOLD.replace('["r"]', "[]"), GOLD.replace('"1"', '"7"'), GOLD.replace('"r"', f'"r or {"s or " * 999}s"'),
    GOLD.replace('["no constraints"]', '["!r"]'),  # not necessary
    GOLD[:-1] + ', "cross_step_clauses": 5}',
    GOLD[:-1] + ', "cross_step_clauses": {"XX g": [[]]}}',
    GOLD[:-1] + ', "cross_step_clauses": {"XX g": [["0:!r", "1:!s"]]}}',
)  # fmt: skip
PROBLEMS = (
    {"hoa": ""}, {"hoa": None}, {"hoa": "HOA: v1 States: 10000000000 --BODY-- --END--"}, {"hoa": "ls |"},
    {"trace": None}, {"trace": "r"}, {"trace": [["zz"]]}, {"trace": [5]}, {"trace": [[5]]}, {"trace": [[["r"]]]},
    {"task": "x"}, {"task": ["tce"]}, {"task": None},
)  # fmt: skip
EFFECTS = (
    None, 5, {}, {"output": "g"}, EFFECT | {"output": ["g"]}, EFFECT | {"output": "r"}, EFFECT | {"value": False},
    EFFECT | {"value": 1}, EFFECT | {"step": 99}, EFFECT | {"step": -1}, EFFECT | {"step": True},
)  # fmt: skip


@pytest.mark.parametrize(
    "item",
    [
        *(damaged(SIMPLE, target=one) for one in TARGETS),
        *(
            damaged(RUN, target=one)
            for one in (*TARGETS[:5], '{"accepted": "yes"}', REJECTED.target)
        ),
        *(
            damaged(SIMPLE, problem=one)
            for one in (None, 5, [], {}, {"task": "tce"}, {"task": "tte"})
        ),
        *(with_problem(SIMPLE, **one) for one in PROBLEMS),
        *(with_problem(RUN, **one) for one in PROBLEMS),
        with_problem(SIMPLE, trace=[]),
        with_problem(SIMPLE, trace=[["g"], *TRACE[1:]]),
        *(with_problem(SIMPLE, effect=one) for one in EFFECTS),
    ],
)
def test_a_damaged_item_is_never_the_answers_fault(item):
    for text in ("", "Answer: {}", SIMPLE.target):
        verdict = score(item, text)
        assert verdict.outcome == "unscored"
        assert verdict.explanation
        assert not verdict.problems(VALUES)


def test_a_target_that_misses_a_clause_is_found_out_by_an_answer_that_has_it():
    item = damaged(SIMPLE, target=SIMPLE.target.replace('"r"', '"no constraints"'))
    assert score(item, "Answer: {}").outcome == "scored"
    verdict = score(item, f"Answer: {SIMPLE.target}")
    assert verdict.outcome == "unscored"
    assert "is necessary" in verdict.explanation


# ------------------------------------------------------------------------------------ metrics


def rows(*pairs):
    found = [(item, score(item, text)) for item, text in pairs]
    return [Row(item.target, v.answer, v.outcome, v.value, extra=v.extra) for item, v in found]


def metric(name):
    return next(one for one in (*metrics.METRICS, *metrics.PUBLISHED) if one.name == name)


def mean(name, table):
    found = [one for row in table if (one := metric(name).each(row)) is not None]
    return sum(found) / len(found) if found else None


def test_pooled_figures_count_unparsed_replies_as_missing():
    table = rows(
        (SIMPLE, f"Answer: {SIMPLE.target}"),
        (CROSSING, "no idea"),
        (TRIVIAL, '{"XX h": {"0": ["r"]}}'),
    )
    assert metric("pooled_precision_ap").compute(table) == pytest.approx(2 / 3)
    assert metric("pooled_recall_ap").compute(table) == pytest.approx(2 / 4)
    assert metric("pooled_f1_ap").compute(table) == pytest.approx(4 / 7)
    assert metric("pooled_f1_ts").compute(table) == pytest.approx(4 / 7)
    assert metric("pooled_f1_ts").compute([]) != metric("pooled_f1_ts").compute([])  # nan


def test_metrics_of_one_task_leave_the_other_out():
    table = rows((SIMPLE, SIMPLE.target), (RUN, RUN.target), (REJECTED, "no idea"))
    assert mean("accepted", table) == mean("f1_state", table) == 0.5
    assert mean("accepted", table[:1]) is None
    assert mean("published_correct", table) == pytest.approx(2 / 3)
    assert metric("published_accuracy").compute(table) == pytest.approx(4 / 3)
    assert metric("published_accuracy").compute(table[:0]) != 0


def test_every_value_has_its_metric():
    names = [one.name for one in (*metrics.METRICS, *metrics.PUBLISHED)]
    assert len(set(names)) == len(names)
    assert set(VALUES) <= set(names)
    for one in (*metrics.METRICS, *metrics.PUBLISHED):
        assert (one.name in VALUES) is (one.compute is None and one.each is None)
