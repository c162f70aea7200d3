"""style=timed: templates with bounds in steps, by definitions that count steps and know no operators."""

import random
import re
from dataclasses import replace

import pytest
from cases import each, some
from harness_vltl import certificate, engines, reading, templates, wording
from harness_vltl.engines import evaluator
from harness_vltl.formulas.formula import operators
from harness_vltl.templates import skeletons
from vltl_random import random_trace

from harness import SpecError
from harness.core import fresh
from harness.core.plugins import registry
from harness.core.spec import make

PLUGIN = registry().get("vltl")
NUMBERS = {"two": 2, "three": 3, "four": 4, "five": 5}
ALL = range(40)  # steps that stand for all: no trace below has more states than nine


def streaks(a):
    """The streaks of steps in which something is true: the first step, and the length; 30 where it does not end."""
    for start in ALL:
        if a(start) and not (start and a(start - 1)):
            yield start, next((n for n in range(30) if not a(start + n)), 30)


def since(i, k):
    return range(max(i - k, 0), i + 1)


DEFINED = {
    "within": lambda k, a: any(a(i) for i in range(k + 1)),
    "lasts_from_now": lambda k, a: all(a(i) for i in range(k)),
    "lasts_at_least": lambda k, a: all(n >= k for _, n in streaks(a)),
    "lasts_at_most": lambda k, a: all(n <= k for _, n in streaks(a)),
    "recurs_within": lambda k, a: all(any(a(i + j) for j in range(k)) for i in ALL),
    "every": lambda k, a: all(a(i) is (i % k == 0) for i in ALL),
    "again_after": lambda k, a: all(a(i + k) for i in ALL if a(i)),
    "spaced": lambda k, a: all(not a(i + j) for i in ALL if a(i) for j in range(1, k + 1)),
    "response_within": lambda k, a, b: all(
        any(b(i + j) for j in range(k + 1)) for i in ALL if a(i)
    ),
    "response_between": lambda k, a, b: all(
        any(b(i + j) for j in range(2, k + 1)) for i in ALL if a(i)
    ),
    "until_within": lambda k, a, b: any(b(i) and all(map(a, range(i))) for i in range(k + 1)),
    "ban_after": lambda k, a, b: not any(b(i + j) for i in ALL if a(i) for j in range(1, k + 1)),
    "response_for": lambda k, a, b: all(b(i + j) for i in ALL if a(i) for j in range(k)),
    "after_streak": lambda k, a, b: all(
        b(i + k) for i in ALL if all(a(i + j) for j in range(k))
    ),
    "only_soon_after": lambda k, a, b: all(any(map(a, since(i, k))) for i in ALL if b(i)),
    "only_after_streak": lambda k, a, b: all(
        i >= k and all(a(i - j) for j in range(1, k + 1)) for i in ALL if b(i)
    ),
    "soon_after_both": lambda k, a, b, c: all(
        c(i) for i in ALL if b(i) and any(map(a, since(i, k)))
    ),
    "until_response_within": lambda k, a, b, c: all(
        any(c(i + j) and all(map(b, range(i, i + j))) for j in range(k + 1)) for i in ALL if a(i)
    ),
    "timeout": lambda k, a, b, c: all(
        c(i + k + 1) for i in ALL if a(i) and not any(b(i + j) for j in range(k + 1))
    ),
}  # fmt: skip


@pytest.mark.parametrize("skeleton", skeletons("timed"), ids=lambda one: one.id)
def test_formulas_are_what_counting_steps_says(skeleton):
    name, _, k = skeleton.id.rpartition("_")
    rng = random.Random(skeleton.id)
    letters = "abc"[: skeleton.arity]
    verdicts = []
    for _ in range(max(some(400), 100)):
        trace = random_trace(rng, letters, longest=9)
        states, loop = trace["states"], trace["loop"]

        def true(letter, states=states, loop=loop):
            period = len(states) - loop
            return lambda i: letter in states[i if i < loop else loop + (i - loop) % period]

        verdicts.append(DEFINED[name](int(k), *map(true, letters)))
        assert evaluator.holds(skeleton.formula, trace) is verdicts[-1], trace
    assert len(set(verdicts)) == 2 or name == "every"


def test_each_template_has_a_number_of_steps_its_sentences_say():
    assert {one.id.rpartition("_")[0] for one in skeletons("timed")} == {*DEFINED}
    for skeleton in skeletons("timed"):
        k = int(skeleton.id.rpartition("_")[2])
        for form in skeleton.forms:
            said = {NUMBERS[word] for word in re.findall("two|three|four|five", form.text.lower())}
            assert k in said <= {k, 2}
        assert not operators(skeleton.formula) & {"U", "R", "M"}


def items(n, **settings):
    return list(fresh.items(PLUGIN, make(PLUGIN, {"n": n, "style": "timed", **settings})))


@pytest.mark.parametrize("task", ["lift", "translate", "ground", "end_to_end", "verify"])
@pytest.mark.parametrize("depth", [1, 2])
def test_every_task_has_timed_items_that_both_engines_answer_alike(task, depth):
    for item in items(max(some(6), 2), task=task, depth=depth):
        assert item.features["style"] == "timed"
        assert reading.read(item.prompt) == item.problem
        assert certificate.errors(item) == []
        for engine in ("evaluator", "spot"):
            answer = engines.solve(item.problem, engine).answer
            verdict = PLUGIN.call("score", item=item, completion=f"Answer: {answer}")
            assert verdict.value["correct"] == 1, (engine, answer)
        assert (wording.TIMED in item.prompt) is (task in ("translate", "end_to_end"))


def test_a_formula_in_metric_notation_is_the_right_answer():
    pool, seen = [s for s in skeletons("timed") if s.family == "deadline"], 0
    for item in items(len(pool), task="translate", families=["deadline"], unique=False):
        skeleton = next(s for s in skeletons("timed") if s.id == item.features["skeleton"])
        if skeleton.id.startswith("response_within"):
            k = skeleton.id[-1]
            for answer in (f"G (prop_1 -> F[0,{k}] prop_2)", f"G(prop_1 -> F<={k} prop_2)"):
                verdict = PLUGIN.call("score", item=item, completion=f"Answer: {answer}")
                assert verdict.value["correct"] == 1
            seen += 1
    assert seen == sum(s.id.startswith("response_within") for s in pool) > 1


@each("families", [["deadline"], ["duration"], ["period"], ["past"]])
def test_families_can_be_chosen(families):
    assert {item.features["family"] for item in items(6, families=families)} == {*families}


@each(("style", "family"), [("timed", "fairness"), ("plain", "deadline")])
def test_families_of_another_style_are_refused(style, family):
    with pytest.raises(SpecError, match=f"no such family of style={style}; there are"):
        items(1, families=[family], style=style)


def test_plain_items_have_no_timed_sentence_and_no_word_of_them():
    timed = {form.text for one in skeletons("timed") for form in one.forms}
    for item in fresh.items(
        PLUGIN, make(PLUGIN, {"n": max(some(30), 10), "depth": 2, "suite": False})
    ):
        assert not timed & {node["form"] for node in item.certificate["derivation"]}
        assert wording.TIMED not in item.prompt


def test_a_plain_prompt_around_a_timed_sentence_is_no_certified_item():
    item = items(1)[0]
    problem = {**item.problem, "style": "plain"}
    assert certificate.errors(replace(item, problem=problem)) == [
        "the sentence is not of style plain"
    ]
    assert templates.families("timed") == ("deadline", "duration", "period", "past")
