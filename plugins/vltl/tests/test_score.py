"""Scoring: gold in every shape is right, hundreds of wrong answers are wrong, and our failures neither."""

import json
import math
from dataclasses import replace
from random import Random

import pytest
from cases import each, slow, some
from harness_vltl import lassos, wording
from harness_vltl.answers import formula_score
from harness_vltl.answers.formula_score import NUMBERS
from harness_vltl.answers.score import VALUES, score
from harness_vltl.config import BENCHMARK
from harness_vltl.engines import equivalence, spot
from harness_vltl.engines.evaluator import thaw
from harness_vltl.formulas import syntax
from harness_vltl.formulas.formula import propositions, substitute, text
from harness_vltl.metrics import METRICS
from harness_vltl.mutants import mutants
from hypothesis import given, settings
from hypothesis import strategies as st
from vltl_items import (
    CANONICAL,
    RESPONSE,
    SENTENCE,
    TASKS,
    generated,
    gold,
    holds,
    made,
    measured,
    shown_trace,
    suite_of,
    verification,
)
from vltl_notations import NOTATIONS, show
from vltl_random import formulas, random_formula, random_trace

from harness import EngineError, Row
from harness.core.items import to_json
from harness.kit.kit import HUGE, JUNK

FORMULAS = ("translate", "end_to_end")
GROUNDED = {"prop_1": "deliver(bench,loading_dock)", "prop_2": "pickup(dining_table)"}


def judged(item, said):
    """Score, and check what holds of every verdict."""
    verdict = score(item, said)
    assert verdict.problems(VALUES) == []
    assert set(verdict.value) == set(VALUES)
    assert all(0 <= number <= 1 for number in verdict.value.values())
    assert all(isinstance(v, str) or math.isfinite(v) for v in verdict.extra.values())
    assert 0 < len(verdict.explanation) <= 2000
    assert verdict.explanation.isprintable() or "\n" in verdict.explanation
    to_json(verdict).encode()
    if verdict.outcome != "scored":
        assert verdict.answer is None
    if verdict.outcome == "scored":
        head = "**Right**" if verdict.value["correct"] else "**Wrong**"
        assert verdict.explanation.startswith(head)
    return verdict


def right(item, said):
    verdict = judged(item, said)
    assert (verdict.outcome, verdict.value) == ("scored", {"correct": 1.0, "partial": 1.0}), said
    return verdict


def wrong(item, said):
    verdict = judged(item, said)
    assert (verdict.outcome, verdict.value["correct"]) == ("scored", 0.0), said
    return verdict


def unparsed(item, said):
    verdict = judged(item, said)
    assert verdict.outcome == "unparsed", (said, verdict)
    assert verdict.explanation.startswith("**Unparsable**")
    return verdict


def unscored(item, *said):
    """Check that nothing said is ever wrong or unparsed, and return the one reason given."""
    reasons = set()
    for one in said or SAID:
        verdict = judged(item, one)
        assert verdict.outcome == "unscored", (one, verdict)
        assert "\n" not in verdict.explanation
        reasons.add(verdict.explanation)
    (reason,) = reasons
    return reason


# -------------------------------------------------------------------------------- gold is right


@pytest.mark.parametrize("task", TASKS)
def test_the_target_is_right(task):
    for item in (*generated(task, 6), *generated(task, 2, depth=3)):
        right(item, f"Answer: {item.target}")
        right(item, f"I thought about it.\n\n**Answer: {item.target}**")


@each("notation", NOTATIONS)
@each("task", FORMULAS)
def test_gold_is_right_in_every_notation(task, notation):
    for item in (*generated(task, 6), *generated(task, 2, depth=3), made(task)):
        verdict = right(item, f"Answer: {show(gold(item), notation)}")
        assert {verdict.extra[name] for name in NUMBERS} == {1.0}
        assert verdict.extra["vote"] == text(gold(item))


def reshaped(formula, rng):
    """Return an equivalent formula of another shape, by laws known from any book."""
    if not isinstance(formula, list):
        return ["!", ["!", formula]] if rng.random() < 0.3 else formula
    operator, *parts = formula
    a, b = [reshaped(part, rng) for part in (parts[0], parts[-1])]
    return {
        "!": lambda: ["!", a],
        "X": lambda: ["!", ["X", ["!", a]]],
        "F": lambda: ["U", True, a],
        "G": lambda: ["R", False, a],
        "&": lambda: ["&", b, a],
        "|": lambda: ["!", ["&", ["!", a], ["!", b]]],
        "->": lambda: ["|", ["!", a], b],
        "<->": lambda: ["&", ["->", a, b], ["->", b, a]],
        "U": lambda: ["|", b, ["&", a, ["X", ["U", a, b]]]],
        "W": lambda: ["|", ["G", a], ["U", a, b]],
        "R": lambda: ["W", b, ["&", a, b]],
        "M": lambda: ["U", b, ["&", a, b]],
    }[operator]()


@pytest.mark.parametrize("task", FORMULAS)
def test_equivalent_formulas_of_another_shape_are_right_but_not_exact(task):
    rng = Random(1)
    for item in (*generated(task, 12), made(task)):
        formula = gold(item)
        said = ["|", reshaped(formula, rng), ["&", formula, False]]
        verdict = right(item, f"Answer: {show(said, rng.choice(NOTATIONS))}")
        assert (verdict.extra["equivalent"], verdict.extra["exact"]) == (1.0, 0.0)
        assert verdict.extra["suite_all"] == verdict.extra["both"] == 1.0


def test_a_tautology_over_another_action_changes_nothing():
    item = made("end_to_end")
    for more in ("& (get_help | !get_help)", "| (F get_help & G !get_help)"):
        assert right(item, f"Answer: ({item.target}) {more}").extra["exact"] == 0.0


# -------------------------------------------------------------------------------- wrong formulas


@pytest.mark.parametrize("task", FORMULAS)
def test_mutants_are_wrong_and_the_trace_shown_tells_them_from_gold(task):
    rng = Random(2)
    shown = equivalent = 0
    items = (
        *generated(task, max(some(6), 2)),
        *generated(task, max(some(2), 1), depth=2),
        made(task),
    )
    for item in items:
        formula = gold(item)
        listed = [thaw(mutant) for mutant in mutants(formula)]
        for mutant in rng.sample(listed, min(24, len(listed))):
            said = f"Answer: {show(mutant, rng.choice(NOTATIONS))}"
            if spot.difference(formula, mutant) is None:
                assert right(item, said).extra["exact"] == 0.0
                equivalent += 1
                continue
            verdict = wrong(item, said)
            assert (verdict.extra["equivalent"], verdict.extra["exact"]) == (0.0, 0.0)
            trace, answers = shown_trace(verdict.explanation)
            assert holds(mutant, trace) is answers
            assert holds(formula, trace) is not answers
            hits = [holds(mutant, one) is label for one, label in suite_of(item)]
            assert verdict.value["partial"] == verdict.extra["suite"]
            assert verdict.value["partial"] == pytest.approx(sum(hits) / len(hits))
            assert verdict.extra["suite_all"] == float(all(hits))
            first = len(item.certificate["satisfying"])
            pair = (float(hits[0]), float(hits[first]), float(hits[0] and hits[first]))
            assert tuple(verdict.extra[n] for n in ("sat", "unsat", "both")) == pair
            shown += 1
    assert shown > 14 * len(items)
    assert equivalent < shown / 4


@settings(max_examples=40, deadline=None)
@given(said=formulas(names=sorted(CANONICAL.values()), max_leaves=6))
def test_any_formula_at_all_is_judged_as_spot_does(said):
    item = made("end_to_end")
    verdict = judged(item, f"Answer: {text(said)}")
    if isinstance(said, bool) or (isinstance(said, str) and verdict.outcome == "unparsed"):
        return
    same = spot.difference(gold(item), said) is None
    assert (verdict.outcome, verdict.value["correct"]) == ("scored", float(same))
    if not same:
        trace, answers = shown_trace(verdict.explanation)
        assert (holds(said, trace), holds(gold(item), trace)) == (answers, not answers)


def test_what_survives_the_suite_is_still_told_from_gold():
    """The suite kills mutants; an answer that differs only far from them is wrong all the same."""
    item = made("translate")
    deep = ["X"]
    for _ in range(8):
        deep = ["X", deep] if deep != ["X"] else ["X", "prop_3"]
    # differs only where prop_3 holds in step 9 and prop_1, prop_2 never do so together
    more = ["&", deep, ["&", ["G", ["!", "prop_1"]], ["X", ["X", ["X", "prop_2"]]]]]
    said = ["&", item.certificate["formula"], ["!", more]]
    verdict = wrong(item, f"Answer: {text(said)}")
    assert verdict.extra["equivalent"] == 0.0
    trace, answers = shown_trace(verdict.explanation)
    assert (holds(said, trace), holds(gold(item), trace)) == (answers, not answers)


def test_a_difference_that_no_random_trace_shows_is_found_by_spot():
    item = made("translate")
    never = ["&", ["G", ["<->", "prop_1", ["X", ["!", "prop_1"]]]],
             ["G", ["<->", "prop_2", ["X", ["X", "prop_1"]]]]]  # fmt: skip
    said = ["|", item.certificate["formula"], ["&", never, ["G", ["!", "prop_3"]]]]
    verdict = wrong(item, f"Answer: {text(said)}")
    assert verdict.value["partial"] == verdict.extra["suite_all"] == 1.0
    trace, answers = shown_trace(verdict.explanation)
    assert answers
    assert holds(said, trace)
    assert not holds(gold(item), trace)


@each(
    ("old", "new"),
    [
        ("deliver(bench,loading_dock)", "deliver(loading_dock,bench)"),
        ("deliver(bench,loading_dock)", "deliver(bench,shelf)"),
        ("deliver(bench,loading_dock)", "deliver(bench)"),
        ("deliver(bench,loading_dock)", "deliver"),
        ("deliver(bench,loading_dock)", "search(bench)"),
        ("pickup(dining_table)", "pickup(table)"),
        ("pickup(dining_table)", "pickup(dining_table,idle)"),
        ("idle", "wait"),
        ("idle", "prop_3"),
        ("idle", "pickup(dining_table)"),
    ],
)
def test_a_wrong_proposition_is_wrong_and_named(old, new):
    item = made("end_to_end")
    said = substitute(gold(item), {old: new})
    verdict = wrong(item, f"Answer: {text(said)}")
    strange = new not in CANONICAL.values()
    assert (f"Not a proposition of the gold formula: `{new}`." in verdict.explanation) is strange
    trace, answers = shown_trace(verdict.explanation)
    assert (holds(said, trace), holds(gold(item), trace)) == (answers, not answers)


@pytest.mark.parametrize("name", sorted(CANONICAL.values()))
def test_propositions_left_out_or_put_in_are_wrong(name):
    item = made("end_to_end")
    for instead in (True, False, ["!", name], ["&", name, "get_help"], ["|", name, "get_help"]):
        said = substitute(gold(item), {name: instead})
        verdict = wrong(item, f"Answer: {text(said)}")
        trace, answers = shown_trace(verdict.explanation)
        assert (holds(said, trace), holds(gold(item), trace)) == (answers, not answers)


@pytest.mark.parametrize(
    "said",
    [
        "G (Deliver(Bench,Loading_Dock) -> F (PICKUP(dining_table) & Idle))",
        "G (deliver(bench, loading-dock) -> F (pickup( dining-table ) & idle))",
        "G(deliver(bench,loading_dock) → F(pickup(dining_table) ∧ idle))",
    ],
)
def test_names_are_read_past_case_hyphens_and_blanks(said):
    right(made("end_to_end"), f"Answer: {said}")


def test_lifted_names_are_read_without_their_underscore():
    item = made("translate")
    right(item, "Answer: G (prop1 -> F (prop2 & prop3))")
    right(item, "Answer: G (p1 -> F (p2 & p3))")
    wrong(item, "Answer: G (p2 -> F (p1 & p3))")
    verdict = wrong(item, "Answer: G (prop_1 -> F (prop_2 & prop_4))")
    assert "Not a proposition of the gold formula: `prop_4`." in verdict.explanation


def test_the_last_answer_is_the_one_that_counts():
    item = made("translate")
    wrong(item, f"Answer: {item.target}\n\nNo, I see it now.\n\nAnswer: G prop_1")
    right(item, f"Answer: G prop_1\n\nNo, I see it now.\n\nAnswer: {item.target}")


def test_a_difference_beyond_twelve_steps_says_how_many_more_there_are():
    shown = formula_score._steps({"states": [["a"], *[[]] * 19], "loop": 3})
    assert shown.splitlines()[0] == "1. `a`"
    assert shown.splitlines()[11] == "12. –"
    assert shown.endswith("(and 8 more steps)")


# ------------------------------------------------------------------------------------------ lift


LIFTS = [
    # the answer; the IoU of prop_1 (4 tokens: grabs … fork,) and of prop_2 (3 tokens: drops … bench.)
    ("If the robot prop_1, then the robot prop_2.", 1, 1),
    ("If the prop_1, then the robot prop_2.", 4 / 5, 1),
    ("If prop_1, then the robot prop_2.", 4 / 6, 1),
    ("If the robot grabs prop_1, then the robot prop_2.", 3 / 4, 1),
    ("If the robot grabs the prop_1, then the robot prop_2.", 2 / 4, 1),
    ("If the robot prop_1 fork, then the robot prop_2.", 3 / 4, 1),
    ("If the robot prop_1 red fork, then the robot prop_2.", 2 / 4, 1),
    ("If the robot prop_1, then the prop_2.", 1, 3 / 4),
    ("If the robot prop_1, then the robot drops prop_2.", 1, 2 / 3),
    ("If the prop_1, then the prop_2.", 4 / 5, 3 / 4),
    ("If the robot prop_2, then the robot prop_1.", 0, 0),
    ("If the robot prop_1, then the robot prop_1.", 4 / 7, 0),
    ("If the robot prop_1, then the robot drops the bench.", 1, 0),
    ("If the robot grabs the red fork, then the robot prop_2.", 0, 1),
    ("If the robot prop_1, then the robot prop_3.", 1, 0),
    ("If prop_3 robot prop_1, then the robot prop_2.", 1, 1),
    ("prop_1 the robot grabs the red fork, then the robot prop_2.", 0, 1),
    ('{"prop_1": "grabs the red fork", "prop_2": "drops the bench"}', 1, 1),
    ('{"prop_1": "the red fork", "prop_2": "drops the bench"}', 3 / 4, 1),
    ('{"prop_1": "robot grabs the red fork", "prop_2": "drops"}', 4 / 5, 1 / 3),
    ('{"prop_2": "grabs the red fork", "prop_1": "drops the bench"}', 0, 0),
    ("[0, 0, 0, 1, 1, 1, 1, 0, 0, 0, 2, 2, 2]", 1, 1),
    ("[0, 0, 0, 0, 1, 1, 1, 1, 0, 0, 2, 2, 2]", 3 / 5, 1),
    ("[1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1]", 4 / 13, 0),
]


@each(("said", "first", "second"), LIFTS)
def test_lifting_is_judged_by_the_tokens_that_gold_and_answer_share(said, first, second):
    verdict = judged(made("lift"), f"Answer: {said}")
    exact = first == second == 1 and "prop_3" not in said
    assert verdict.outcome == "scored"
    assert verdict.value == {
        "correct": float(exact),
        "partial": pytest.approx((first + second) / 2),
    }
    assert verdict.extra["iou_sum"] == pytest.approx(first + second)
    assert (verdict.extra["iou_of"], verdict.extra["spans"]) == (2.0, float(exact))
    for name, share in (("prop_1", first), ("prop_2", second)):
        assert (f"- {name}: gold `" in verdict.explanation) is (share < 1)
    assert ("- prop_3 is none, answered `" in verdict.explanation) is ("prop_3" in said)
    assert verdict.explanation.count("is none, answered") == ("prop_3" in said)


def test_a_lifted_sentence_cut_in_two_ways_is_right():
    """Both cuts make the same text, and the text is what is asked for."""
    item = made(
        "lift",
        sentence="It idles, idles.",
        tokens=["It", "idles,", "idles."],
        ids=[0, 1, 2],
        lifted="It prop_1, prop_2.",
    )
    right(item, "Answer: It prop_1, prop_2.")
    wrong(item, "Answer: It prop_2, prop_1.")


@pytest.mark.parametrize("count", [251, 600])
def test_a_long_sentence_is_lifted_like_a_short_one(count):
    """At depth=3 a requirement has up to some hundred words."""
    tokens = (["never", "idle"] * 300)[:count]
    ids = ([0, 1] * 300)[:count]
    lifted = " ".join(["prop_1" if own else "never" for own in ids])
    item = made("lift", sentence=" ".join(tokens), tokens=tokens, ids=ids, lifted=lifted)
    right(item, f"Answer: {lifted}")
    assert (
        0.9
        < wrong(item, f"Answer: never {lifted[6:].replace('prop_1', 'idle', 1)}").value["partial"]
        < 1
    )


@each("which", range(6))
def test_shifted_spans_are_wrong_on_generated_items(which):
    item = generated("lift", 6)[which]
    ids = item.certificate["ids"]
    known = sorted(set(ids) - {0})
    for said in ([*ids[1:], 0], [0, *ids[:-1]], [0 if n == known[-1] else n for n in ids]):
        if not any(said):
            unparsed(item, f"Answer: {said}")
            continue
        verdict = wrong(item, f"Answer: {said}")
        shares = []
        for own in known:
            mine = {at for at, n in enumerate(ids) if n == own}
            theirs = {at for at, n in enumerate(said) if n == own}
            shares.append(len(mine & theirs) / len(mine | theirs))
        assert verdict.value["partial"] == pytest.approx(sum(shares) / len(shares))
        assert verdict.extra["iou_sum"] == pytest.approx(sum(shares))
    wider = [next((n for n in ids[at : at + 2] if n), 0) for at in range(len(ids))]
    assert wrong(item, f"Answer: {wider}").value["partial"] < 1


def test_numbers_swapped_in_a_lifted_sentence_are_wrong():
    for item in generated("lift", 6, arity=(2, 3)):
        by = str.maketrans("12", "21")
        words = [w.translate(by) if w.startswith("prop_") else w for w in item.target.split()]
        verdict = wrong(item, f"Answer: {' '.join(words)}")
        assert verdict.value["partial"] <= 1 / 3  # a third proposition is as it should be


# ---------------------------------------------------------------------------------------- ground


DICTIONARY = dict(CANONICAL)
WRONG = [
    ("prop_1", "deliver(loading_dock,bench)"),
    ("prop_1", "deliver(bench)"),
    ("prop_1", "deliver"),
    ("prop_1", "deliver(bench,loading_dock,shelf)"),
    ("prop_1", "search(bench)"),
    ("prop_2", "pickup(table)"),
    ("prop_2", "pickup(eating_table)"),
    ("prop_3", "wait"),
    ("prop_3", "idle(bench)"),
]


@each(("name", "said"), WRONG)
def test_one_proposition_of_three_wrong_is_two_thirds(name, said):
    item = made("ground")
    verdict = wrong(item, f"Answer: {json.dumps({**DICTIONARY, name: said})}")
    assert verdict.value["partial"] == pytest.approx(2 / 3)
    assert {k: v for k, v in verdict.extra.items() if k != "vote"} == {
        "grounded": 2.0,
        "grounded_of": 3.0,
        "dictionary": 0.0,
    }
    assert f"gold `{CANONICAL[name]}`, answered `{said}`" in verdict.explanation
    assert verdict.explanation.count("\n- ") == 1  # one line, of the wrong one
    for other in set(CANONICAL) - {name}:
        assert f"- {other}," not in verdict.explanation


def test_propositions_missing_or_exchanged():
    item = made("ground")
    for missing in CANONICAL:
        less = {name: value for name, value in DICTIONARY.items() if name != missing}
        verdict = wrong(item, f"Answer: {json.dumps(less)}")
        assert verdict.value["partial"] == pytest.approx(2 / 3)
        assert "answered nothing" in verdict.explanation
    swapped = {**DICTIONARY, "prop_1": CANONICAL["prop_2"], "prop_2": CANONICAL["prop_1"]}
    assert wrong(item, f"Answer: {json.dumps(swapped)}").value["partial"] == pytest.approx(1 / 3)


def test_a_proposition_that_is_none_makes_the_dictionary_wrong_and_no_proposition():
    verdict = wrong(made("ground"), f"Answer: {json.dumps({**DICTIONARY, 'prop_4': 'get_help'})}")
    assert verdict.value["partial"] == 1.0
    assert (verdict.extra["grounded"], verdict.extra["dictionary"]) == (3.0, 0.0)
    assert "prop_4" in verdict.explanation


@each(
    "said",
    [
        '{"prop_1": "Deliver(Bench, Loading Dock)", "prop_2": "pickup(dining-table)", "prop_3": "IDLE"}',
        '{"prop_3": "idle()", "prop_2": "pickup(dining table)", "prop_1": "deliver( bench ,loading-dock)"}',
        '{"prop_1": ["deliver", "bench", "loading_dock"], "prop_2": {"action": "pickup", '
        '"args": ["dining_table"]}, "prop_3": {"action_canon": "idle", "args_canon": []}}',
        "prop_1: deliver(bench,loading_dock)\nprop_2: pickup(dining_table)\nprop_3: idle",
        '{"prop_1": "deliver(bench,loading_dock)", "prop_2": "pickup(dining_table)", '
        '"prop_3": "idle", "note": "none"}',
    ],
)
def test_a_dictionary_in_other_writing_is_right(said):
    right(made("ground"), f"Answer: {said}")


def test_an_item_over_one_scenario_is_wrong_about_another():
    for item in generated("ground", 4):
        said = dict.fromkeys(json.loads(item.target), "get_help(bench)")
        assert wrong(item, f"Answer: {json.dumps(said)}").value["partial"] == 0.0


# ---------------------------------------------------------------------------------------- verify


@pytest.mark.parametrize("which", range(8))
def test_the_other_verdict_is_wrong_and_the_table_shows_why(which):
    item = generated("verify", 8, depth=1 + which % 3)[which]
    other = {"satisfied": "violated", "violated": "satisfied"}[item.target]
    verdict = wrong(item, f"Answer: {other}")
    assert (verdict.value["partial"], verdict.extra["judged"]) == (0.0, 0.0)
    assert right(item, f"Answer: {item.target}").extra["judged"] == 1.0
    trace, formula = item.problem["trace"], item.problem["formula"]
    rows = [line for line in verdict.explanation.splitlines() if line.startswith("| `")]
    cells = [[cell.strip() for cell in row.strip("|").split("|")] for row in rows]
    for name, *values in cells:
        if "…" in name:
            continue
        part = syntax.parse(name.strip("`"), propositions(formula))
        expected = [holds(part, trace, at) for at in range(len(trace["states"]))]
        assert [value == "✓" for value in values] == expected
    assert (cells[-1][1] == "✓") is (item.target == "satisfied")


def test_a_bar_in_a_formula_leaves_its_cell_in_one_piece():
    formula = ["G", ["|", "prop_1", ["|", "prop_2", ["!", "prop_3"]]]]
    item = verification(formula, lassos.make([["prop_1"], ["prop_3"]], 0))
    assert item.target == "violated"
    lines = wrong(item, "Answer: satisfied").explanation.splitlines()
    table = [line for line in lines if line.startswith("|")]
    assert {line.count("|") for line in table} == {4}
    assert table[0] == "| part, true (✓) in step | ↻ 1 | 2 |"
    assert table[-1] == "| `G (prop_1 ∨ (prop_2 ∨ !prop_3))` | ✗ | ✗ |"


def test_random_verifications():
    rng = Random(3)
    for _ in range(40):
        item = verification(random_formula(rng, rng.randint(0, 12)), random_trace(rng, longest=20))
        right(item, item.target)
        wrong(item, "satisfied" if item.target == "violated" else "violated")


# --------------------------------------------------------------------------------- not readable


@pytest.mark.parametrize("task", TASKS)
def test_what_says_nothing_is_unparsed(task):
    item = generated(task, 1)[0]
    others = [
        item.prompt, f"{item.prompt}\n\nAnswer:", "Answer: I cannot tell.", "Answer: maybe", "Answer: ???",
        "I'm sorry, but I can't help with that request.", "Answer: <formula over actions>",
        "Let us think step by step. First,", "Answer: to be done", f"Answer: not sure, {item.target}?",
        f"<think>Answer: {item.target}", "Answer: either one of the two or neither", 17, None, b"Answer",
    ]  # fmt: skip
    for said in (*JUNK, *others):
        verdict = judged(item, said)
        if verdict.outcome == "scored":  # "[]" is a list of no numbers somewhere, never right
            assert verdict.value["correct"] == 0.0, said
            assert said in JUNK, said
            continue
        assert verdict.outcome == "unparsed", said
        assert set(verdict.value.values()) == {0.0}
        assert {v for v in verdict.extra.values() if v} <= {verdict.extra.get("iou_of"),
                                                             verdict.extra.get("grounded_of")}  # fmt: skip


@each("task", FORMULAS)
@each(
    ("said", "reason"),
    [
        ("G (prop_1 -> F prop_2", "')'"),
        ("G prop_1 ->", "end"),
        ("prop_1 U", "end"),
        ("prop_1 prop_2", "prop_2"),
        ("G (prop_1 & )", ")"),
        ("G (prop_1 ++ prop_2)", "+"),
    ],
)
def test_an_error_in_a_formula_is_said(task, said, reason):
    verdict = unparsed(made(task), f"Answer: {said}")
    assert "the formula cannot be read: `" in verdict.explanation
    assert reason in verdict.explanation
    assert {verdict.extra[name] for name in NUMBERS} == {0.0}
    assert f"Gold: `{made(task).target}`" in verdict.explanation


# ------------------------------------------------------------------------------------- unscored


BAD_TRACES = [
    [], None, "x", [{}], [{"states": [["prop_1"]], "loop": 1}], [{"states": [], "loop": 0}], [None],
    [{"states": [["prop_2", "prop_1"]], "loop": 0}], [{"states": [[7]], "loop": 0}],
]  # fmt: skip
SAID = (
    "Answer: G (prop_1 -> F (prop_2 & prop_3))", "Answer: satisfied", f"Answer: {SENTENCE}",
    'Answer: {"prop_1": "idle"}', "Answer: If the robot prop_1, then the robot prop_2.", "", "I refuse.",
)  # fmt: skip


@each("task", TASKS)
def test_an_item_without_its_proof_is_never_the_answers_fault(task):
    item = generated(task, 1)[0]
    proofs = (
        [] if task == "verify" else [{}, None, "proof", [], 3, {"tokens": ["a"], "formula": "a"}]
    )
    problems = [{}, None, "text", 3, {"task": "sing"}, {"task": None}, {"task": [task]}]
    for changed in (
        *(replace(item, certificate=proof) for proof in proofs),
        *(replace(item, problem=problem) for problem in problems),
    ):
        unscored(changed)


@each("bad", BAD_TRACES)
@each("kind", ["satisfying", "violating"])
def test_traces_that_are_none(kind, bad):
    for task in FORMULAS:
        unscored(made(task, **{kind: bad}))


@each("bad", [["G"], ["?", "prop_1"], 7, None, "", ["&", "prop_1", 1], []])
def test_a_gold_formula_that_is_none(bad):
    for task in FORMULAS:
        item = made(task)
        unscored(replace(item, certificate={**item.certificate, "formula": bad}))


@pytest.mark.parametrize("kind", ["satisfying", "violating"])
def test_a_trace_that_does_not_do_its_job_makes_the_item_wrong_and_not_the_answer(kind):
    other = {"satisfying": "violating", "violating": "satisfying"}[kind]
    for task in FORMULAS:
        proof = made(task).certificate
        for at in (0, len(proof[kind]) - 1):
            listed = list(proof[kind])
            listed[at] = proof[other][0]
            number = at + 1 + (kind == "violating") * len(proof["satisfying"])
            why = unscored(made(task, **{kind: listed}))
            assert why == f"`the item is wrong: trace {number} of its suite is not {kind}`"


def test_tokens_and_numbers_that_do_not_fit():
    for proof in ({"ids": [1, 2]}, {"ids": [0] * 13}, {"tokens": ["If"]}, {"ids": None}, {"tokens": 3},
                  {"ids": ["x"] * 13}):  # fmt: skip
        item = made("lift")
        unscored(replace(item, certificate={**item.certificate, **proof}))


def test_a_dictionary_that_is_none():
    for bad in ("x", {"prop_1": None}, {"prop_1": {"action": "idle"}}, {"prop_1": "idle"}, 5,
                {"prop_1": {"action": "idle", "arguments": 3}}):  # fmt: skip
        for task in ("ground", "end_to_end"):
            item = made(task)
            unscored(replace(item, certificate={**item.certificate, "propositions": bad}))


@pytest.mark.parametrize("target", ["", "Satisfied", "true", "G prop_1"])
def test_a_target_that_is_no_verdict(target):
    assert "neither" in unscored(replace(generated("verify", 1)[0], target=target))


def test_a_verification_that_is_broken_or_labelled_against_the_trace():
    item = generated("verify", 1)[0]
    other = {"satisfied": "violated", "violated": "satisfied"}[item.target]
    problems = [
        {"task": "verify"},
        {**item.problem, "formula": ["G"]},
        {**item.problem, "trace": {"states": [], "loop": 0}},
        {**item.problem, "trace": {"states": [["idle"]], "loop": 4}},
        {**item.problem, "trace": None},
    ]
    for changed in (
        *(replace(item, problem=problem) for problem in problems),
        replace(item, target=other),
    ):
        unscored(changed)


def test_what_spot_cannot_decide_is_unscored(monkeypatch):
    def fails(*args, **limits):
        raise EngineError("spot_engine:difference took more than 3 seconds")

    item = made("translate")
    right(item, f"Answer: {item.target}")  # the same formula needs no Spot
    monkeypatch.setattr(equivalence.harness_guard, "call", fails)
    why = unscored(item, "Answer: G (!prop_1 | F (prop_2 & (prop_3 & prop_3 & prop_3)))")
    assert why == "`spot_engine:difference took more than 3 seconds`"
    wrong(item, "Answer: G (prop_1 -> F prop_2)")  # refuted by a trace, without Spot


@slow
def test_a_comparison_that_takes_too_long_is_ended_and_the_next_one_made(monkeypatch):
    item = made("translate")
    said = "Answer: G (!prop_1 | F (prop_2 & prop_3 & prop_2)) & (F prop_1 | G !prop_1)"
    call = equivalence.harness_guard.call
    with monkeypatch.context() as patched:
        patched.setattr(equivalence, "SECONDS", 0.01)
        patched.setattr(
            equivalence.harness_guard,
            "call",
            lambda function, *given, **limits: call("time:sleep", 600, **limits),
        )
        assert "ran longer than" in unscored(item, said)
    right(item, said)


def test_a_defect_of_ours_is_unscored(monkeypatch):
    def fails(*args, **limits):
        raise RecursionError("too deep\nand a second line `with` ticks")

    monkeypatch.setattr(formula_score, "compare", fails)
    why = unscored(made("translate"), f"Answer: {made('translate').target}")
    assert why == "`RecursionError while scoring: too deep and a second line with ticks`"


# ------------------------------------------------------------------------------------- Markdown

EVIL = (
    "`code` **bold** <script>alert(1)</script> [x](javascript:y) ![i](http://z)", "```\n# Title\n```",
    "| a | b |\n|---|---|", "\n\n# Heading\n\n- item", "\x1b[31mred\x00\u202e\u2066", "\u2028\u2029\x85",
)  # fmt: skip


@each("evil", EVIL)
@each("task", TASKS)
def test_what_a_model_wrote_stays_within_inline_code(task, evil):
    item = generated(task, 1)[0]
    values = {f"prop_{i}": f"idle {evil}" for i in range(1, 4)}
    replies = [
        evil, f"Answer: {evil}", f"Answer: {item.target} {evil}", f"{evil}\nAnswer: G ({evil})",
        f"Answer: {json.dumps(values)}", f"Answer: {item.target.replace('prop_1', evil, 1)}",
    ]  # fmt: skip
    for said in replies:
        shown = judged(item, said).explanation
        outside = "".join(shown.split("`")[::2])  # what stands in no inline code
        assert shown.count("`") % 2 == 0
        for mark in ("<", "](", "script", "javascript", "bold", "Heading", "Title", "\x1b", "\x00"):
            assert mark not in outside
        assert not any(line.startswith("#") for line in outside.splitlines())


@pytest.mark.parametrize("task", TASKS)
def test_no_explanation_is_longer_than_it_may_be(task):
    for said in HUGE[::4]:
        judged(generated(task, 1)[0], said)
    for item in (*generated(task, 2, depth=3), *generated(task, 2)):
        for said in ("Answer: " + "word " * 5000, f"Answer: {item.target}" + " " * 9000):
            judged(item, said)
    long = " ".join(["If the robot grabs the red fork,"] * 60)
    item = made("lift", sentence=long, tokens=long.split(), ids=[0, 0, 0, 1, 1, 2, 3] * 60)
    judged(item, f"Answer: {[1] * 420}")


# --------------------------------------------------------------------------------------- metrics

METRIC = {metric.name: metric for metric in METRICS}


def rows_of(pairs):
    found = []
    for item, said in pairs:
        verdict = judged(item, said)
        row = Row(item.target, verdict.answer, verdict.outcome, verdict.value, extra=verdict.extra)
        found.append(row)
    return found


def computed(pairs):
    rows = rows_of(pairs)
    return {name: measured(metric, rows) for name, metric in METRIC.items() if name not in VALUES}


def test_metrics_of_lifting_are_means_over_propositions_and_over_sentences():
    two = made("lift")
    one = made(
        "lift",
        sentence="It never idles.",
        tokens=["It", "never", "idles."],
        ids=[0, 0, 1],
        lifted="It never prop_1.",
    )
    found = computed(
        [
            (two, "Answer: If the prop_1, then the robot prop_2."),  # 4/5 and 1
            (two, ""),  # 0 and 0
            (one, "Answer: It never prop_1."),  # 1
        ]
    )
    assert found["lifting_iou"] == pytest.approx((4 / 5 + 1 + 0 + 0 + 1) / 5)
    assert found["lifting_exact"] == pytest.approx(1 / 3)
    others = set(found) - {"lifting_iou", "lifting_exact"}
    assert all(math.isnan(found[name]) for name in others)


def test_metrics_of_grounding():
    item = made("ground")
    single = made(
        "ground", propositions={"prop_1": {"action": "idle", "arguments": [], "text": ""}}
    )
    pairs = [
        (item, f"Answer: {json.dumps({**DICTIONARY, 'prop_2': 'idle'})}"),  # 2 of 3
        (item, "I do not know."),  # 0 of 3
        (single, 'Answer: {"prop_1": "idle"}'),  # 1 of 1
        (single, 'Answer: {"prop_1": "idle", "prop_2": "idle"}'),  # 1 of 1, but no such dictionary
    ]
    found = computed(pairs)
    assert found["grounding"] == pytest.approx(4 / 8)
    assert found["grounding_dictionary"] == pytest.approx(1 / 4)
    assert math.isnan(found["lifting_iou"])
    assert math.isnan(found["translation"])


def test_metrics_of_formulas():
    proof = {
        "satisfying": [lassos.make([[]]), lassos.make([["prop_2", "prop_3"]])],
        "violating": [lassos.make([["prop_1"]]), lassos.make([["prop_1"], []], 0)],
    }
    item = made("translate", **proof)
    pairs = [
        (item, f"Answer: {item.target}"),  # everything
        (item, "Answer: G (F (prop_3 & prop_2) | !prop_1)"),  # all but the string
        (item, "Answer: G (prop_1 & prop_2)"),  # sat no, unsat yes; 0 of 2 and 2 of 2
        (item, "Answer: G (prop_3 | !prop_3)"),  # sat yes, unsat no; 2 of 2 and 0 of 2
        (item, "Answer: !prop_1"),  # right on all four, and yet not equivalent
        (item, "Answer: G (("),  # unparsed
    ]
    found = computed(pairs)
    assert found["translation"] == pytest.approx(2 / 6)
    assert found["exact_string"] == pytest.approx(1 / 6)
    assert found["sat"] == pytest.approx(4 / 6)
    assert found["unsat"] == pytest.approx(4 / 6)
    assert found["both"] == pytest.approx(3 / 6)
    assert found["suite"] == pytest.approx((1 + 1 + 1 / 2 + 1 / 2 + 1 + 0) / 6)
    assert found["suite_all"] == pytest.approx(3 / 6)
    assert math.isnan(found["verification"])
    assert math.isnan(found["lift_stage"])


def test_metrics_of_verification_count_the_unparsed():
    items = generated("verify", 4)
    others = {"satisfied": "violated", "violated": "satisfied"}
    said = [items[0].target, others[items[1].target], "maybe", items[3].target]
    found = computed([(item, f"Answer: {s}") for item, s in zip(items, said, strict=True)])
    assert found["verification"] == pytest.approx(2 / 4)
    assert math.isnan(found["sat"])


def test_metrics_of_stages():
    rows = [
        Row("", None, "scored", {}, extra={"stage_lift": 1.0, "stage_translate": 0.0}),
        Row("", None, "scored", {}, extra={"stage_lift": 0.0, "stage_translate": 0.0}),
        Row("", None, "unparsed", {}, extra={}),
    ]
    assert measured(METRIC["lift_stage"], rows) == 0.5
    assert measured(METRIC["translate_stage"], rows) == 0.0
    assert math.isnan(measured(METRIC["ground_stage"], rows))


def test_without_rows_no_metric_is_a_number():
    assert all(math.isnan(measured(m, [])) for m in METRICS if m.name not in VALUES)
    plain = {m.name for m in METRICS if m.compute is None and m.each is None}
    assert plain == set(VALUES) == set(BENCHMARK.values)


@settings(max_examples=20, deadline=None)
@given(st.text(max_size=300), st.sampled_from(TASKS))
def test_any_text_gets_a_verdict(said, task):
    item = generated(task, 1)[0]
    judged(item, said)
    judged(item, f"Answer: {said}")


def test_the_prompts_of_made_items_are_those_of_the_plugin():
    item = made("end_to_end")
    assert item.prompt == wording.prompt(item.problem, "signatures")
    assert gold(item) == substitute(RESPONSE, CANONICAL)
