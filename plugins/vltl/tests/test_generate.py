"""Items: made by the generator, read back, answered by two engines, and proven by their certificates."""

import copy
import json
import random
from collections import Counter
from dataclasses import replace
from functools import cache
from itertools import chain

import pytest
from cases import SHARE, each, slow, some
from harness_vltl import certificate, engines, generate, reading, templates, twins, wording
from harness_vltl.answers import explain, score
from harness_vltl.config import CONFIG, TASKS
from harness_vltl.engines import spot
from harness_vltl.formulas.formula import propositions, size, text
from harness_vltl.lassos import is_finite
from harness_vltl.matching import Matcher
from harness_vltl.scenarios import scenario
from harness_vltl.templates import skeletons
from pace import within
from vltl_fixpoint import naive
from vltl_records import WARD
from vltl_sentences import WORLDS

from harness import Abstained, EngineError, ExhaustedError, HarnessError, Item, SpecError
from harness.core import fresh
from harness.core.items import to_json
from harness.core.plugins import registry
from harness.core.spec import make

PLUGIN = registry().get("vltl")
READERS = ("evaluator", "spot")
EACH, DEEP = max(some(10), 4), max(some(6), 2)


def spec_of(**values):
    return make(PLUGIN, {"unique": False, **values})


def items_of(**values):
    return list(fresh.items(PLUGIN, spec_of(**values)))


@cache
def sample(task):
    """Items of all scenarios and depths; suites only where they are quick."""
    found = [item for world in WORLDS for item in items_of(n=EACH, task=task, scenario=world)]
    for depth, world in ((2, "warehouse"), (2, "search_and_rescue"), (3, "traffic_light")):
        found += items_of(n=DEEP, task=task, scenario=world, depth=depth, suite=False)
    return tuple(found)


each_task = pytest.mark.parametrize("task", TASKS)


# -------------------------------------------------------------------------- proven and readable


@each_task
def test_certificates_prove_the_labels(task):
    for item in sample(task):
        assert certificate.errors(item) == []
        assert certificate.errors(Item.from_dict(item.to_dict())) == []
        to_json(item)


@each_task
def test_prompts_read_back_to_their_problems(task):
    for item in sample(task):
        assert reading.read(item.prompt) == item.problem
        assert item.problem["task"] == task


@each_task
def test_two_engines_answer_with_full_marks(task):
    for item in sample(task):
        for engine in READERS:
            found = engines.solve(reading.read(item.prompt), engine)
            try:
                verdict = score.score(item, f"Answer: {found.answer}")
            except EngineError:  # pragma: no cover
                pytest.fail(item.prompt)
            assert verdict.outcome == "scored", (engine, item.prompt, verdict.explanation)
            assert verdict.value["correct"] == 1.0, (engine, item.prompt, found.answer)
            assert verdict.value["partial"] == 1.0


@each_task
def test_a_wrong_answer_has_no_full_marks(task):
    own = sample(task)
    for item, other in zip(own[:EACH], own[EACH : 2 * EACH], strict=True):
        if item.target != other.target:
            verdict = score.score(item, f"Answer: {other.target}")
            assert verdict.value["correct"] == 0.0


def test_pymodelchecking_agrees_on_the_traces_it_can_do_and_reads_no_sentence():
    done = 0
    for item in sample("verify"):
        if size(item.problem["formula"]) > 4:
            continue
        try:
            found = engines.solve(item.problem, "pymodelchecking")
        except Abstained:
            continue
        done += 1
        assert found.answer == item.target
    assert done >= EACH
    for task in TASKS[:4]:
        with pytest.raises(Abstained, match="reads no sentences"):
            engines.solve(sample(task)[0].problem, "pymodelchecking")


def test_labels_of_traces_are_right():
    for item in sample("verify"):
        formula, trace = item.problem["formula"], item.problem["trace"]
        assert item.target == ("satisfied" if naive(formula, trace) else "violated")


# ------------------------------------------------------------------------------------- balance


def test_every_template_comes_once_in_each_block():
    count = len(skeletons())
    found = items_of(n=2 * count, task="translate", suite=False)
    names = [item.features["skeleton"] for item in found]
    for block in (names[:count], names[count:]):
        assert sorted(block) == sorted(skeleton.id for skeleton in skeletons())
    assert names[:count] != names[count:]


@pytest.mark.parametrize("finite", [False, True])
@pytest.mark.parametrize("style", ["plain", "timed"])
def test_the_ways_on_file_are_those_that_are_found(style, finite):
    for skeleton in skeletons(style)[::SHARE]:
        assert twins.way(skeleton, finite) == twins.found(skeleton, finite), skeleton.id


@slow
def test_templates_of_verify_come_equally_often_half_of_them_with_loops_that_may_matter():
    *matters, even, _ = (
        [s.id for s in skeletons() if twins.way(s, False) == way] for way in twins.WAYS
    )
    assert [*map(len, matters), len(even)] == [14, 29, 36]
    names = [item.features["skeleton"] for item in items_of(n=4 * 43, task="verify", suite=False)]
    pairs = names[::2]
    assert pairs == names[1::2]
    assert Counter(pairs[1::2]) == dict.fromkeys(chain(*matters), 1)
    others = Counter(pairs[::2])
    assert set(others) == {*even}
    assert max(others.values()) <= 2


@cache
def verified(depth):
    return items_of(n=max(some(60), 12), task="verify", depth=depth, suite=False)


@pytest.mark.parametrize("depth", [1, 2])
def test_twins_differ_in_places_that_no_count_tells(depth):
    found = verified(depth)
    for one, other in zip(found[::2], found[1::2], strict=True):
        assert one.problem["formula"] == other.problem["formula"]
        assert {one.target, other.target} == {"satisfied", "violated"}
        first, second = one.problem["trace"], other.problem["trace"]
        assert first["loop"] == second["loop"]
        assert first["states"][0] == second["states"][0]
        assert first["states"][-1] == second["states"][-1]
        assert Counter(chain(*first["states"])) == Counter(chain(*second["states"]))
        changed = [set(a) ^ set(b) for a, b in zip(first["states"], second["states"], strict=True)]
        assert sorted(map(len, changed))[-3:] == [0, 1, 1]


@pytest.mark.parametrize("depth", [1, 2])
def test_of_every_second_pair_one_is_misread_by_who_ignores_the_loop(depth):
    found = verified(depth)
    for at, pair in enumerate(zip(found[::2], found[1::2], strict=True)):
        traces = [{**item.problem["trace"], "loop": item.features["states"] - 1} for item in pair]
        read = [
            naive(item.problem["formula"], trace) for item, trace in zip(pair, traces, strict=True)
        ]
        right = [
            said is (item.target == "satisfied") for said, item in zip(read, pair, strict=True)
        ]
        assert not at % 2 or sum(right) == 1


@pytest.mark.parametrize("families", [["universality"], ["existence"]])
def test_templates_without_such_twins_come_on_request(families):
    found = items_of(n=16, task="verify", families=families, arity=[1])
    assert Counter(item.target for item in found) == {"satisfied": 8, "violated": 8}


def test_letters_do_not_tell_the_action():
    for item in items_of(n=20, task="ground", distractors=2):
        names = json.loads(item.target)
        words = item.certificate["propositions"]
        matcher = Matcher.of(scenario.load("warehouse"), full=False)
        misled = [matcher.action(words[name]["text"]) != action for name, action in names.items()]
        assert sum(misled) >= min(2, len(names))


def test_chosen_templates_are_balanced_as_well():
    pool = [s for s in skeletons() if s.family in ("until", "response") and s.arity == 2]
    found = items_of(n=3 * len(pool), families=["until", "response"], arity=[2], suite=False)
    names = Counter(item.features["skeleton"] for item in found)
    assert names == dict.fromkeys((s.id for s in pool), 3)
    assert {item.features["arity"] for item in found} == {2}
    assert {item.features["family"] for item in found} == {"until", "response"}


def test_templates_come_as_often_as_their_number_of_propositions_is_named():
    found = items_of(n=2 * (2 * 3 + 3), families=["next"], arity=[1, 1, 2], suite=False)
    names = Counter((item.features["arity"], item.features["skeleton"]) for item in found)
    assert names == {
        (s.arity, s.id): 2 * (3 - s.arity)
        for s in skeletons()
        if s.family == "next" and s.arity < 3
    }


@pytest.mark.parametrize("seed", [0, 1, 7])
def test_half_of_the_traces_satisfy(seed):
    half = max(some(20), 8)
    labels = [i.target for i in items_of(n=2 * half, task="verify", seed=seed, suite=False)]
    assert Counter(labels) == {"satisfied": half, "violated": half}
    assert all({a, b} == {"satisfied", "violated"} for a, b in zip(labels[::2], labels[1::2]))  # noqa: B905
    assert labels[::2].count("satisfied") not in (0, half)  # the order within a pair is no hint


def test_traces_are_finite_and_lassos_short_and_with_distractors():
    count = max(some(120), 40)
    found = items_of(n=count, task="verify", states=6, distractors=2, suite=False)
    lassos = [item for item in found if item.features["lasso"]]
    assert 0.1 * count < len(lassos) < 0.9 * count
    for item in found:
        trace, named = item.problem["trace"], set(propositions(item.problem["formula"]))
        assert item.features["lasso"] is not is_finite(trace)
        assert item.features["states"] == len(trace["states"]) <= 6
        others = {name for state in trace["states"] for name in state} - named
        assert len(others) <= 2
        assert all(known("warehouse", name) for name in others | named)
        without = {
            "states": [[name for name in state if name in named] for state in trace["states"]],
            "loop": trace["loop"],
        }
        assert naive(item.problem["formula"], without) is (item.target == "satisfied")
    both = [item for item in found if any(set(s) - set(propositions(item.problem["formula"]))
            for s in item.problem["trace"]["states"])]  # fmt: skip
    assert len(both) > count * 2 / 3


def known(world, name):
    action, _, arguments = name.partition("(")
    own = scenario.load(world)
    values = arguments.rstrip(")").split(",") if arguments else []
    kinds = own.actions[action].arguments
    return len(kinds) == len(values) and all(
        value in own.types[kind].values for kind, value in zip(kinds, values, strict=True)
    )


def test_without_distractors_a_trace_tells_of_the_formula_only():
    for item in items_of(n=max(some(40), 12), task="verify", distractors=0, suite=False):
        named = set(propositions(item.problem["formula"]))
        assert {name for state in item.problem["trace"]["states"] for name in state} <= named


def test_depth_is_what_it_says():
    for task in TASKS[:4]:
        for item in sample(task):
            nodes = {node["condition"]: node for node in item.certificate["derivation"]}

            def depth(name, nodes=nodes):
                inner = [slot for slot in nodes[name]["slots"].values() if slot in nodes]
                return 1 + max(map(depth, inner), default=0)

            assert depth("") == item.features["depth"]
            assert item.features["skeleton"] == nodes[""]["skeleton"]


# ---------------------------------------------------------------------------------- determinism


@each_task
def test_an_item_does_not_depend_on_the_others(task):
    spec = spec_of(n=8, task=task, suite=False)
    forward = [fresh.item_at(PLUGIN, spec, i) for i in range(8)]
    fresh.item_at(PLUGIN, spec_of(n=1, task="verify", seed=5), 3)
    backward = [fresh.item_at(PLUGIN, spec, i) for i in reversed(range(8))]
    assert [item.to_dict() for item in forward] == [item.to_dict() for item in backward[::-1]]


@each_task
def test_other_seeds_make_other_items(task):
    one, other = (items_of(n=8, task=task, seed=seed, suite=False) for seed in (0, 3))
    assert not {item.family for item in one} & {item.family for item in other}


@slow
@each("task", TASKS)
@each("states", [6, 12])
def test_forms_leave_the_problem_as_it_is(task, states):
    count = max(some(43), 10) if (task, states) == ("verify", 6) else max(some(10), 4)
    options = {"n": count, "task": task, **({"states": states} if task == "verify" else {})}
    plain = items_of(**options)
    for form in ({"suite": False}, {"world": "full"}, {"world": "none", "suite": False}):
        for one, other in zip(plain, items_of(**options, **form), strict=True):
            assert one.problem == other.problem
            assert one.target == other.target
            assert one.family == other.family


def test_forms_change_the_prompt_only_where_a_scenario_is_told():
    worlds = CONFIG["properties"]["world"]["enum"]
    for task in TASKS:
        said = [items_of(n=1, task=task, world=world)[0].prompt for world in worlds]
        assert len(set(said)) == (3 if task in ("ground", "end_to_end") else 1)


# -------------------------------------------------------------------------------------- errors


@pytest.mark.parametrize(
    ("values", "said"),
    [
        (
            {"families": ["nonsense"]},
            "families=nonsense: no such family of style=plain; there are ",
        ),
        ({"families": ["until", "Until"]}, "families=Until: no such family"),
        ({"families": ["release"], "arity": [3], "depth": 1}, "no template has both"),
        ({"families": ["release"], "arity": [3], "depth": 3}, "no template has both"),
    ],
)
def test_what_no_template_has_is_one_line(values, said):
    if "arity" in values:  # only if it is true
        assert not [s for s in skeletons() if s.family in values["families"] and s.arity in (3,)]
    with pytest.raises(SpecError) as caught:
        items_of(n=1, **values)
    assert said in str(caught.value)
    assert "\n" not in str(caught.value)


@each(
    "values",
    [
        {"task": "guess"}, {"depth": 0}, {"depth": 4}, {"arity": []}, {"arity": [4]},
        {"arity": [1] * 13}, {"states": 5}, {"states": 31}, {"distractors": 6}, {"distractors": -1},
        {"scenario": "moonbase"}, {"scenario": "no/such/file.yaml"}, {"world": "all"},
        {"families": ["until", "until"]}, {"suite": "maybe"},
    ],
)  # fmt: skip
def test_other_settings_are_refused_in_one_line(values):
    with pytest.raises(HarnessError) as caught:
        items_of(n=1, **values)
    assert "\n" not in str(caught.value)


def test_a_list_that_is_too_long_is_told_how_long_it_may_be():
    with pytest.raises(HarnessError, match="expected at most 12 values"):
        items_of(n=1, arity=[1] * 13)


def test_a_contradiction_of_engines_ends_generation(monkeypatch):
    monkeypatch.setattr(spot, "holds", lambda formula, trace: None)
    with pytest.raises(EngineError, match="contradict each other"):
        items_of(n=4, task="verify", suite=False, seed=99)


def test_a_second_reader_who_reads_otherwise_ends_generation(monkeypatch):
    from harness_vltl.engines import second_reader

    right = second_reader.read

    def other_formula(sentence, world, **how):
        found = right(sentence, world, **how)
        return found._replace(formula=["X", found.formula])

    def other_names(sentence, world, **how):
        return right(sentence, world, **how)._replace(names={"prop_1": "idle", "prop_2": "idle"})

    for wrong, said in ((other_formula, "understand differently"), (other_names, "different prop")):
        monkeypatch.setattr(second_reader, "read", wrong)
        for task in TASKS[:4]:
            with pytest.raises(EngineError, match=said) as caught:
                items_of(n=4, task=task, suite=False, families=["response"])
            assert "\n" not in str(caught.value)


# ------------------------------------------------------------------------------------ capacity


@slow
@pytest.mark.parametrize(
    ("families", "arity", "world"),
    [
        (["release"], [2], "warehouse"),
        (["next"], [1], "search_and_rescue"),
        (["next"], [1, 1, 2], "search_and_rescue"),
    ],
)
def test_capacity_is_what_can_be_had_when_every_template_comes_as_often_as_it_should(
    families, arity, world
):
    values = {
        "task": "translate", "style": "exact", "families": families, "arity": arity, "scenario": world,
    }  # fmt: skip
    spec = spec_of(n=1, suite=False, **values)
    room = generate.capacity(dict(spec.config))
    assert 0 < room < 200
    drawn = [fresh.item_at(PLUGIN, spec, i) for i in range(room * 8)]
    prompts = {(item.features["skeleton"], item.features["arity"], item.prompt) for item in drawn}
    each = Counter((name, arity.count(count)) for name, count, _ in prompts)
    block = sum(often for _, often in each)
    # prompts exhausted, template by template
    assert room == block * min(number // often for (_, often), number in each.items())
    found = items_of(n=room, suite=False, unique=True, **values)
    assert len({item.prompt for item in found}) == room
    with pytest.raises(ExhaustedError, match=f"can yield {room} distinct items"):
        items_of(n=room + block, suite=False, unique=True, **values)


def test_capacity_is_not_told_where_it_is_not_known():
    for values in ({"task": "lift"}, {"task": "translate", "depth": 2}, {"task": "verify"}):
        assert generate.capacity(dict(spec_of(n=1, **values).config)) is None


# ----------------------------------------------------------------------------------- tampering


def leaves(value, path=()):
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from leaves(inner, (*path, key))
    elif isinstance(value, list):
        for at, inner in enumerate(value):
            yield from leaves(inner, (*path, at))
        if not value:
            yield path, value
    else:
        yield path, value


def put(value, path, new):
    if not path:
        return new
    value = copy.copy(value)
    value[path[0]] = put(value[path[0]], path[1:], new)
    return value


OPERATORS = {
    "&": ["|", "U"], "|": ["&"], "G": ["F", "X"], "F": ["G", "X"], "X": ["F"], "U": ["W", "M"],
    "->": ["<->"], "<->": ["->"], "!": ["X"], "W": ["U"], "R": ["M"], "M": ["R"],
}  # fmt: skip


def changes(leaf):
    """Other values for a leaf: a bit turned, a neighbour, another operator, another name."""
    if isinstance(leaf, bool):
        return [not leaf]
    if isinstance(leaf, int):
        return [leaf + 1, leaf - 1]
    if not isinstance(leaf, str):
        return [["idle"], None]
    found = [leaf + "x", "", {"prop_1": "prop_2"}.get(leaf, "prop_1"), *OPERATORS.get(leaf, [])]
    if leaf and set(leaf) <= {"0", "1"}:
        found += [leaf[:i] + "10"[int(bit)] + leaf[i + 1 :] for i, bit in enumerate(leaf)]
    return [one for one in found if one != leaf]


# What says where an item came from, or in which words, but proves nothing; reading.read ties the
# problem's scenario to the prompt.
FREE = {"form", "skeleton", "scenario"}


def still_right(item):
    """Whether an altered item is nevertheless true, by the naive evaluator."""
    proof, problem = item.certificate, item.problem
    if problem["task"] == "verify":
        return naive(problem["formula"], problem["trace"]) is (item.target == "satisfied")
    formula = proof["formula"]
    return all(naive(formula, trace) for trace in proof["satisfying"]) and not any(
        naive(formula, trace) for trace in proof["violating"]
    )


@each_task
def test_whatever_is_altered_is_noticed_unless_it_stays_right(task):
    rng = random.Random(f"tamper|{task}")
    noticed = Counter()
    for item in (*rng.sample(sample(task)[:-DEEP], max(some(6), 2)), sample(task)[-DEEP]):
        places = [
            (part, path, change)
            for part in ("problem", "target", "certificate")
            for path, leaf in leaves(getattr(item, part))
            if not (path and path[-1] in FREE) and (task, path) != ("verify", ("sentence",))
            for change in changes(leaf)
        ]
        for part, path, change in rng.sample(places, min(len(places), 60)):
            changed = replace(item, id="", **{part: put(getattr(item, part), path, change)})
            found = certificate.errors(changed)
            noticed[bool(found)] += 1
            assert all("\n" not in one for one in found)
            if not found:
                assert may_change(part, path), (part, path, change)
                assert still_right(changed), (part, path, change)
    assert noticed[True] > 2 * noticed[False]


def may_change(part, path):
    """Traces as long as they do their job, and how a formula comes about if it comes out the same."""
    if part == "certificate":
        return path[0] in ("satisfying", "violating") or (
            path[0] == "derivation" and path[2] in ("formula", "slots")
        )
    return part == "problem" and path[0] in ("trace", "formula")


@each_task
def test_whatever_is_taken_away_is_noticed(task):
    item = sample(task)[0]
    for key in item.certificate:
        if task == "verify" and key == "sentence":
            continue
        less = {name: value for name, value in item.certificate.items() if name != key}
        assert certificate.errors(replace(item, id="", certificate=less)), key
        assert certificate.errors(replace(item, id="", certificate={**item.certificate, key: None}))
    for nothing in (None, [], {}, "x", 0):
        assert certificate.errors(replace(item, id="", certificate=nothing))
    problem = {name: value for name, value in item.problem.items() if name == "task"}
    assert certificate.errors(replace(item, id="", problem={**problem, "task": "other"}))


def test_designated_traces_cannot_be_exchanged():
    item = sample("translate")[0]
    proof = item.certificate
    for changed in (
        {"satisfying": proof["violating"], "violating": proof["satisfying"]},
        {"satisfying": [*proof["satisfying"], proof["violating"][0]]},
        {"violating": [*proof["violating"], proof["satisfying"][-1]]},
        {"satisfying": []},
        {"values": {"satisfying": proof["values"]["violating"],
                    "violating": proof["values"]["satisfying"]}},
    ):  # fmt: skip
        assert certificate.errors(replace(item, id="", certificate={**proof, **changed}))


@each(
    ("formula", "trace", "values", "target"),
    [
        # F and U may not live on a promise, G and R not die of a doubt that nothing confirms
        (["F", "p"], {"states": [[], []], "loop": 0}, ["00", "11"], "satisfied"),
        (["G", "p"], {"states": [["p"], ["p"]], "loop": 0}, ["11", "00"], "violated"),
        (["U", "p", "q"], {"states": [["p"]], "loop": 0}, ["1", "0", "1"], "satisfied"),
        (["M", "p", "q"], {"states": [["q"]], "loop": 0}, ["0", "1", "1"], "satisfied"),
        (["R", "p", "q"], {"states": [["q"]], "loop": 0}, ["0", "1", "0"], "violated"),
        (["W", "p", "q"], {"states": [["p"]], "loop": 0}, ["1", "0", "0"], "violated"),
        (["F", "p"], {"states": [["p"], [], []], "loop": 1}, ["100", "111"], "satisfied"),
    ],
)
def test_a_table_that_only_follows_from_itself_proves_nothing(formula, trace, values, target):
    problem = {"task": "verify", "formula": formula, "trace": trace}
    proof = {"sentence": "", "values": values}
    item = Item(
        plugin="vltl", version="1", prompt="", target=target, problem=problem, certificate=proof
    )
    assert "promise never kept" in certificate.errors(item)[0]


# ------------------------------------------------------------------------------ wording, reading


def test_prompts_say_how_to_answer_and_not_what():
    for task in TASKS:
        for item in sample(task)[:10]:
            lines = item.prompt.split("\n")
            assert lines[0] == wording.HEADERS[task]
            assert lines[-1].startswith("Answer: ")
            assert item.prompt == item.prompt.strip()
            assert "  " not in item.prompt
            if task != "verify":
                assert item.target not in item.prompt
            if task in ("translate", "end_to_end"):
                assert wording.PLAIN in lines
                exact = {key: value for key, value in item.problem.items() if key != "style"}
                assert wording.CONVENTIONS in wording.prompt(exact, "signatures").split("\n")
                assert wording.OPERATORS in lines


def test_a_scenario_is_told_as_far_as_asked():
    for task in ("ground", "end_to_end"):
        none, signatures, full = (
            items_of(n=1, task=task, world=world)[0].prompt
            for world in ("none", "signatures", "full")
        )
        assert "Actions:" not in none
        assert "Actions:" in signatures
        assert len(none) < len(signatures) < len(full)
        for action in scenario.load("warehouse").actions.values():
            assert action.name in signatures
            assert all(phrase.base.split(" ")[0] in full for phrase in action.phrases)


def test_what_stands_around_a_prompt_does_not_matter():
    for task in TASKS:
        one, other = sample(task)[:2]
        around = f"{one.prompt}\n{one.target}\n\n{other.prompt}\n\nThink step by step."
        assert reading.read(around) == other.problem
        assert reading.read(f"{other.prompt}\n\nAnswer: {other.target}") == other.problem


@each_task
def test_a_prompt_with_a_line_less_is_not_read_as_another_problem(task):
    for item in sample(task)[:: EACH - 1]:
        lines = item.prompt.split("\n")
        for at in range(len(lines)):
            found = reading.read("\n".join([*lines[:at], *lines[at + 1 :]]))
            assert found is None or found == item.problem


@each(
    "prompt",
    [
        "", "\n", "What is LTL?", *wording.HEADERS.values(),
        f"{wording.HEADERS['lift']}\nScenario: warehouse",
        f"{wording.HEADERS['verify']}\nFormula: G p\nTrace:\n",
        f"{wording.HEADERS['verify']}\nFormula: G p\nTrace:\nStep 1: p",
        f"{wording.HEADERS['verify']}\nFormula: G (\nTrace:\nStep 1: p\n"
        "From step 1 on, the state stays as it is forever.",
        f"{wording.HEADERS['verify']}\nFormula: G p\nTrace:\nStep 2: p\n"
        "From step 2 on, the state stays as it is forever.",
        "x" * 200_001,
    ],
)  # fmt: skip
def test_other_texts_are_no_prompts(prompt):
    with within(1):
        assert reading.read(prompt) is None


# ------------------------------------------------------------------------------ engines, explain


@pytest.mark.parametrize("engine", ["", "Spot", "nusmv", "evaluate"])
def test_engines_that_are_none(engine):
    with pytest.raises(EngineError, match="there are evaluator, spot, pymodelchecking") as caught:
        engines.solve(sample("lift")[0].problem, engine)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("engine", READERS)
def test_sentences_that_are_none_of_ours_are_refused(engine):
    for sentence in ("The robot dreams.", "", "G (prop_1 -> F prop_2)", "Whenever, whenever."):
        with pytest.raises(EngineError):
            engines.solve({"task": "translate", "lifted": sentence}, engine)
        problem = {"task": "end_to_end", "scenario": "warehouse", "sentence": sentence}
        with pytest.raises(EngineError):
            engines.solve(problem, engine)
    with pytest.raises(Abstained, match="'moonbase' is not known here"):
        engines.solve(
            {"task": "lift", "scenario": "moonbase", "sentence": "The robot waits."}, engine
        )


@each_task
def test_worked_solutions_tell_how_and_do_not_answer(task):
    for item in sample(task):
        said = explain.worked(item)
        assert said.strip()
        assert "Answer:" not in said
        assert said.isprintable() or "\n" in said
        last = said.split("\n")[-1]
        assert item.target != last


def test_worked_solutions_name_what_was_found():
    item = sample("end_to_end")[0]
    said = explain.worked(item)
    for name, one in item.certificate["propositions"].items():
        assert f'{name} is "{one["text"]}"' in said
        assert certificate.canonical(one) in said
    for node in item.certificate["derivation"]:
        assert text(node["formula"]) in said
    item = sample("verify")[0]
    assert text(item.problem["formula"]) in explain.worked(item)


def test_items_without_a_derivation_have_no_worked_solution():
    item = sample("translate")[0]
    proof = {key: value for key, value in item.certificate.items() if key != "derivation"}
    assert explain.worked(replace(item, id="", certificate=proof)) is None


SHOP = """
name: shop
agents: [clerk, shop assistant]
types:
  thing: {article: the, values: {cup: [cup, mug], tea_pot: [tea pot]}}
  shelf: {article: none, combine: [[upper, lower], [left, right], [shelf]]}
actions:
  nothing_much: {arguments: [], phrases: [loaf about, dawdle]}
  carry: {arguments: [thing, shelf], phrases: ["carry {thing} to {shelf}", "put {thing} on {shelf}"]}
  swap: {arguments: [thing, thing], phrases: ["swap {thing} for {thing2}"]}
"""


@slow
@pytest.mark.parametrize("task", TASKS)
@pytest.mark.parametrize("file", ["shop.yaml", WARD])
def test_a_scenario_of_ones_own_works_throughout(file, task, tmp_path, monkeypatch):
    monkeypatch.setenv(scenario.FILES, "")
    if file != WARD:
        file = tmp_path / file
        file.write_text(SHOP, encoding="utf-8")
    for item in items_of(n=max(some(12), 4), task=task, scenario=str(file), world="full"):
        assert certificate.errors(item) == []
        assert reading.read(item.prompt) == item.problem
        for engine in READERS:
            found = engines.solve(item.problem, engine)
            assert score.score(item, f"Answer: {found.answer}").value["correct"] == 1.0
    assert templates.families()


# ---------------------------------------------------------------------- scenarios with few actions

SMALL = """name: {name}
agents: [technician]
types: {{}}
actions:
{actions}
"""


def small(tmp_path, *verbs):
    """Return the file of a scenario in which nothing can be done but so many things without arguments."""
    actions = "\n".join(f"  {verb}:\n    arguments: []\n    phrases: [{verb}]" for verb in verbs)
    file = tmp_path / f"{len(verbs)}.yaml"
    file.write_text(SMALL.format(name=f"small{len(verbs)}", actions=actions))
    return str(file)


@pytest.mark.parametrize("depth", [1, 2, 3])
@pytest.mark.parametrize("verbs", [("wait",), ("wait", "sing"), ("wait", "sing", "rest")])
def test_a_scenario_with_few_actions_gets_the_templates_that_fit(tmp_path, verbs, depth):
    for item in items_of(n=6, scenario=small(tmp_path, *verbs), depth=depth, suite=False):
        assert item.features["propositions"] <= len(verbs)
        assert item.features["arity"] <= len(verbs)
        assert certificate.errors(item) == []


def test_more_propositions_than_a_scenario_has_are_refused(tmp_path):
    with pytest.raises(
        SpecError, match=r"all templates need more propositions than the 2 of scenario small2$"
    ):
        items_of(n=1, scenario=small(tmp_path, "wait", "sing"), arity=[3])


def test_traces_to_verify_change_unless_nothing_else_will_do():
    found = items_of(n=max(some(200), 40), task="verify", suite=False)
    still = [item for item in found if len(item.problem["trace"]["states"]) == 1]
    assert len(still) < len(found) / 20


@slow
def test_a_sentence_without_a_reading_makes_no_item(monkeypatch):
    whole = generate.second_reader._readings(False)
    fewer = {text: formula for text, formula in whole.items() if "[R]" not in text}
    monkeypatch.setattr(generate.second_reader, "_readings", lambda finite: fewer)
    generate.second_reader._formula.cache_clear()
    with pytest.raises(ExhaustedError, match="unread 200"):
        items_of(n=1, arity=[3])
    generate.second_reader._formula.cache_clear()
