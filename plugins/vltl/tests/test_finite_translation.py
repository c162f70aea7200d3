"""Translation into LTL on finite traces (semantics=ltlf): two engines of equivalence, two readers, items, answers."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import replace
from functools import cache

import pytest
from cases import ALL, each, slow, some
from drawn import parsed
from harness_vltl import certificate, config, engines, reading, suites, templates, wording
from harness_vltl.answers import extraction, score, stages
from harness_vltl.draw import svg
from harness_vltl.engines import equivalence, finite_automaton, finite_spot
from harness_vltl.engines.evaluator import freeze
from harness_vltl.formulas import syntax
from harness_vltl.formulas.formula import operators, propositions, substitute, text
from harness_vltl.mutants import Mutants
from harness_vltl.pool import ended_of
from harness_vltl.published import audit, publish, readings
from harness_vltl.traces import reader as trace_reader
from harness_vltl.traces import writer
from test_finite_traces import every_trace, formula_of, naive, swapped_next

from harness import Abstained, EngineError, Item, SpecError
from harness.core import fresh
from harness.core.plugins import registry
from harness.core.schemas import schema_errors
from harness.core.spec import make

PLUGIN = registry().get("vltl")
NAMES = ("prop_1", "prop_2", "prop_3")
FIRST, DEEP = max(some(85), 24), max(some(40), 10)


def items_of(**values):
    spec = make(PLUGIN, {"unique": False, "task": "translate", "semantics": "ltlf", **values})
    return list(fresh.items(PLUGIN, spec))


@cache
def sample():
    return (
        *items_of(n=FIRST),
        *items_of(n=DEEP, depth=2),
        *items_of(n=DEEP, task="end_to_end"),
        *items_of(n=max(some(15), 5), task="end_to_end", scenario="traffic_light", depth=2),
    )


# ------------------------------------------------------------------------------------ equivalence


def differ(left, right, names, longest):
    return any(
        naive(left, trace["states"]) is not naive(right, trace["states"])
        for _, listed in every_trace(names, longest)
        for trace in listed
    )


def test_both_engines_find_the_difference_that_enumeration_finds():
    rng, seen = random.Random(11), Counter()
    for at in range(some(1500)):
        names, longest = (("a",), 5) if at % 2 else (("a", "b"), 3)
        left = formula_of(rng, rng.randrange(1, 5), names)
        right = swapped_next(left) if at % 3 else formula_of(rng, rng.randrange(1, 5), names)
        ours, theirs = finite_automaton.difference(left, right), finite_spot.difference(left, right)
        assert (ours is None) is (theirs is None), (left, right)
        for trace in filter(None, (ours, theirs)):
            assert naive(left, trace["states"]) is not naive(right, trace["states"])
        assert ours or not differ(left, right, names, longest)
        if ours and len(ours["states"]) > 1:  # there is no shorter one
            assert not differ(left, right, names, min(len(ours["states"]) - 1, longest))
        seen[ours is None] += 1
    assert min(seen.values()) > some(300)


def test_constants_and_numbers_are_not_confused():
    for left, right, same in (
        (True, "a", False),
        (True, ["|", "a", ["!", "a"]], True),
        (False, True, False),
    ):
        assert equivalence.compare(left, right, finite=True).equivalent is same


def test_engines_that_contradict_each_other_are_an_error(monkeypatch):
    monkeypatch.setattr(equivalence, "_by_spot", lambda module, gold, answer: {"states": [["a"]]})
    with pytest.raises(EngineError, match="contradict each other"):
        equivalence.compare(["G", "a"], ["!", ["F", ["!", "a"]]], finite=True)
    monkeypatch.setattr(finite_automaton, "difference", lambda left, right: {"states": [["a"]]})
    with pytest.raises(EngineError, match="contradict each other"):
        equivalence.compare(["F", "a"], ["|", "a", ["F", "a"]], finite=True)


def test_where_one_engine_gives_up_the_other_decides():
    wide = ["&", *[["F", f"p{at}"] for at in range(2)]]
    for at in range(2, finite_automaton.MAX_LETTERS + 1):
        wide = ["&", wide, ["F", f"p{at}"]]
    with pytest.raises(Abstained, match="propositions"):
        finite_automaton.difference(wide, ["!", wide])
    assert equivalence.compare(wide, ["!", ["!", wide]], finite=True).equivalent
    found = equivalence.compare(wide, ["G", wide], finite=True)
    assert not found.equivalent
    assert naive(wide, found.trace["states"]) is not naive(["G", wide], found.trace["states"])


# ----------------------------------------------------------------------------- readers and suites


@slow
def test_templates_say_what_a_second_reader_reads_in_every_form():
    """`generate` refuses what differs; here nothing is refused, so that every form is of use."""
    missing = {form.text for _, form in templates.every_form(finite=True)}
    for seed in range(1, some(40)):
        for item in items_of(n=85, seed=seed, suite=False):
            assert item.notes["rejected"] == {} or set(item.notes["rejected"]) <= {"unread"}
            missing -= {node["form"] for node in item.certificate["derivation"]}
    assert len(missing) < (0.02 if ALL else 0.8) * len(templates.every_form(finite=True))


def test_no_form_speaks_of_infinitely_many_steps():
    own = {entry["id"] for entry in templates.contents("templates_finite.yaml")}
    for skeleton, form in templates.every_form(finite=True):
        assert "finite" not in form.text
        assert not {"X", "N"} & operators(skeleton.formula) or skeleton.id in own
    assert sum("N" in operators(s.formula) for s in templates.skeletons(finite=True)) >= 10


@slow
def test_pools_of_finite_traces_agree_with_the_words():
    rng, pool = random.Random(12), ended_of(2)
    listed = [pool.trace(number) for number in range(pool.words)]
    for _ in range(max(some(60), 12)):
        formula = formula_of(rng, rng.randrange(1, 8), NAMES[:2])
        made = Mutants(formula, finite=True)

        def value(number, made=made):
            part = made.parts[number]
            if isinstance(part, tuple):
                return pool.meanings[part[0]](*map(value, made.operands(number)))
            return pool.values(part)

        holds = value(made.formula) & pool.first
        expected = [naive(formula, trace["states"]) for trace in listed]
        assert [bool(holds >> at & 1) for at in range(pool.words)] == expected


@slow
def test_suites_tell_mutants_apart():
    killed, rates = Counter(), []
    for item in sample()[:FIRST]:
        gold = item.certificate["formula"]
        found = suites.suite(gold, finite=True)
        traces = [*found.satisfying, *found.violating]
        assert len(traces) <= 8
        assert all("loop" not in trace for trace in traces)
        rates.append(found.rate)
        verdicts = [naive(gold, trace["states"]) for trace in traces]
        assert verdicts == [True] * len(found.satisfying) + [False] * len(found.violating)
        swapped = swapped_next(gold)
        if finite_automaton.difference(gold, swapped):
            killed[[naive(swapped, trace["states"]) for trace in traces] != verdicts] += 1
    assert sum(rates) / len(rates) > 0.995
    assert killed[True] > FIRST / 5
    assert not killed[False]
    made = Mutants(["X", "prop_1"], finite=True)
    assert freeze(["N", "prop_1"]) in map(made.frozen, made.single)


# ------------------------------------------------------------------------------------------ items


@slow
def test_items_hold_together():
    for item in sample():
        assert item.features["semantics"] == item.problem["semantics"] == "ltlf"
        assert certificate.errors(item) == []
        assert schema_errors(config.PROBLEM, item.problem) == []
        assert reading.read(item.prompt) == item.problem
        assert wording.FINITE_PLAIN in item.prompt
        assert wording.FINITE_OPERATORS in item.prompt
        assert "never ends" not in item.prompt
        assert {engines.solve(item.problem, e).answer for e in ("evaluator",)} == {item.target}
        assert (
            score.score(item, f"Answer: {engines.solve(item.problem, 'spot').answer}").value[
                "correct"
            ]
            == 1
        )
        assert trace_reader.findings(item, writer.written(item)) == []
        assert parsed(svg(item)) is not None
        assert audit.audit(item) == []
        assert readings.readings(item) == {}
        assert publish.publish(item, config.FORMAT, {}) is None
    found = Counter(
        op for item in sample() for op in operators(item.certificate["formula"]) & {*"XN"}
    )
    assert min(found["X"], found["N"]) > 0.1 * len(sample())


def test_a_prompt_of_the_other_semantics_is_another_problem():
    for item in sample()[::20]:
        for before, after in (
            (wording.FINITE_PLAIN, wording.PLAIN), (wording.FINITE_OPERATORS, wording.OPERATORS),
            (wording.FINITE_HEADERS[item.problem["task"]], wording.HEADERS[item.problem["task"]]),
        ):  # fmt: skip
            assert reading.read(item.prompt.replace(before, after)) is None


def test_exact_sentences_are_refused():
    with pytest.raises(SpecError, match="style=plain"):
        items_of(n=1, style="exact")


def test_changed_certificates_are_noticed():
    rng = random.Random(13)
    for item in sample()[::6]:
        gold = item.certificate["formula"]
        swapped = swapped_next(gold)
        proof = item.certificate
        if swapped != gold:
            assert certificate.errors(
                replace(item, id="", certificate={**proof, "formula": swapped})
            )
            target = text(substitute(swapped, certificate.actions(proof)))
            assert certificate.errors(replace(item, id="", target=target))
        kind = rng.choice(("satisfying", "violating"))
        looped = [{**proof[kind][0], "loop": 0}, *proof[kind][1:]]
        assert certificate.errors(replace(item, id="", certificate={**proof, kind: looped}))
        other = [*proof[kind], proof["violating" if kind == "satisfying" else "satisfying"][0]]
        assert certificate.errors(replace(item, id="", certificate={**proof, kind: other}))
        infinite = {key: value for key, value in item.problem.items() if key != "semantics"}
        assert certificate.errors(replace(item, id="", problem=infinite))


# ---------------------------------------------------------------------------------------- answers


@cache
def example(formula):
    """An item of ours with another gold formula: only what is scored is looked at."""
    gold = syntax.parse(formula, NAMES, finite=True)
    found = suites.suite(gold, finite=True)
    proof = {
        "formula": gold,
        "satisfying": list(found.satisfying),
        "violating": list(found.violating),
    }
    problem = {"task": "translate", "lifted": "…", "style": "plain", "semantics": "ltlf"}
    return Item(
        plugin="vltl", version="1", prompt="", target=text(gold), problem=problem, certificate=proof
    )


@each(
    ("gold", "reply", "right"),
    [
        ("G (prop_1 -> N prop_2)", said, right)
        for said, right in (
            ("G (prop_1 -> N prop_2)", 1), ("G(prop_1 -> WX prop_2)", 1), ("G(prop_1 -> wX(prop_2))", 1),
            ("G (prop_1 -> weak_next prop_2)", 1), ("G (prop_1 -> X_w prop_2)", 1), ("G (prop_1 -> X_{w} prop_2)", 1),
            ("G (prop_1 -> !X !prop_2)", 1), ("globally (prop_1 implies weak next prop_2)", 1),
            ('["G", ["->", "prop_1", ["N", "prop_2"]]]', 1), (r"$\square (prop_1 \to \mathsf{N}\, prop_2)$", 1),
            ("G (prop_1 -> X prop_2)", 0), ("G (prop_1 -> X[!] prop_2)", 0), ("G (prop_1 -> Xs prop_2)", 0),
            ("G (prop_1 -> strong next prop_2)", 0), ("G (prop_1 -> N prop_1)", 0),
            ("G (prop_1 -> N prop_2) (weak next)", 1), ("G (X true -> (prop_1 -> X prop_2))", 1),
        )
    ]
    + [
        ("F (prop_1 & X prop_2)", said, right)
        for said, right in (
            ("F (prop_1 & X[!] prop_2)", 1), ("F (prop_1 & next prop_2)", 1), ("F(prop_1 & !N!prop_2)", 1),
            ("F (prop_1 & N prop_2)", 0), ("F(prop_1 & ○ prop_2)", 1), ("F (prop_1 & X prop_2) (strong next)", 1),
        )
    ]
    + [("N N prop_1", "NN prop_1", 1), ("G N prop_1", "GN prop_1", 1), ("N N prop_1", "N[2] prop_1", 1),
       ("prop_1 & N prop_1", "G[0,1] prop_1", 1), ("prop_1 | X prop_1", "F[0,1] prop_1", 1),
       ("G F prop_1", "F G prop_1", 1)],
)  # fmt: skip
def test_notations(gold, reply, right):
    verdict = score.score(example(gold), f"Answer: {reply}")
    assert verdict.outcome == "scored", verdict.explanation
    assert verdict.value["correct"] == right
    if not right:
        assert "there it ends" in verdict.explanation
        assert "forever" not in verdict.explanation


@each("reply", [
    "N", "G (prop_1 N prop_2)", "N (", "Y prop_1", "prop_1 S prop_2", "N" * 3000 + " prop_1", "(" * 500 + "prop_1",
    "A N prop_1", "I do not know", "", "X[999999] prop_1", '["N", ["N"]]', '["N", "a", "b"]',
])  # fmt: skip
def test_what_is_no_formula_is_no_answer(reply):
    verdict = score.score(example("G (prop_1 -> N prop_2)"), f"Answer: {reply}")
    assert verdict.outcome == "unparsed"


def test_answers_over_other_names_are_wrong():
    verdict = score.score(example("G (prop_1 -> N prop_2)"), "Answer: G (prop_1 -> N prop_7)")
    assert (verdict.outcome, verdict.value["correct"]) == ("scored", 0)


def test_a_broken_item_is_unscored():
    item = example("G (prop_1 -> N prop_2)")
    proof = {**item.certificate, "satisfying": [{"states": [["prop_1"], []]}]}
    assert score.score(replace(item, certificate=proof), "Answer: N prop_1").outcome == "unscored"
    looped = {**proof, "satisfying": [{"states": [[]], "loop": 0}]}
    assert score.score(replace(item, certificate=looped), "Answer: N prop_1").outcome == "unscored"


def test_random_answers_are_judged_as_enumeration_says():
    rng, seen = random.Random(14), Counter()
    for item in sample()[:FIRST]:
        gold = item.certificate["formula"]
        names = propositions(gold)
        for other in (swapped_next(gold), formula_of(rng, 4, names), ["!", ["!", gold]]):
            verdict = score.score(item, f"Answer: {text(other)}")
            if isinstance(other, bool | str):
                continue
            assert verdict.outcome == "scored"
            right = verdict.value["correct"] == 1
            assert not (right and differ(gold, other, names, 3 if len(names) < 3 else 2))
            seen[right] += 1
    assert min(seen.values()) > FIRST * 2 / 3


def test_stages_keep_to_the_semantics():
    for item in sample()[FIRST + DEEP :][:10]:
        replies = {"lift": stages.gold(item, "lift")}
        asked = reading.read(stages.prompt(item, "translate", replies))
        assert asked["semantics"] == "ltlf"
        replies |= {stage: stages.gold(item, stage) for stage in ("translate", "ground")}
        joined = stages.joined(item, replies)
        verdict = score.score(item, joined)
        assert verdict.value["correct"] == 1
        assert verdict.extra["broke_at"] == "nowhere"
        assert "semantics" not in reading.read(stages.prompt(item, "ground", replies))


def test_the_weak_next_of_answers_on_infinite_traces_is_the_only_next():
    for said in ("N prop_1", "WX prop_1", "weak next prop_1"):
        answer = extraction.formula(f"Answer: {said}", "", NAMES)
        assert answer.value == ["X", "prop_1"]
