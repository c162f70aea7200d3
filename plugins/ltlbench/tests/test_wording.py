"""Prompts and problems are two forms of one thing: reading undoes writing, and nothing else."""

from __future__ import annotations

import json
import time
from itertools import product
from random import Random

import pytest
from harness_ltlbench.formula import BINARY, UNARY
from harness_ltlbench.wording import MAX_TEXT, read, write
from hypothesis import given, settings
from hypothesis import strategies as st

from harness import SpecError

WORDINGS = ("must", "can")
TASKS = ("decide", "counterexample")
QUICK = settings(max_examples=3000, deadline=None, derandomize=True, database=None)


def random_formula(rng, events, operators):
    """The paper's generator, over all operators."""
    levels = [list(range(1, events + 1))]
    for j in range(1, operators + 1):
        operator = rng.choice(UNARY + BINARY)
        if operator in UNARY:
            levels.append([[operator, rng.choice(levels[j - 1])]])
        else:
            s = rng.randrange(j)
            levels.append([[operator, rng.choice(levels[s]), rng.choice(levels[j - 1 - s])]])
    return rng.choice(levels[operators])


def random_problem(rng):
    events = rng.choice((1, 2, 2, 3, 3, 4, 6, 9, 20, rng.randint(1, 200)))
    density = rng.random() * min(1.0, 8 / events)
    pairs = product(range(1, events + 1), repeat=2)
    operators = rng.choice((0, 1, 2, 3, 3, 5, 9, rng.randint(0, 50)))
    return {
        "task": rng.choice(TASKS),
        "events": events,
        "initial": rng.randint(1, events),
        "edges": [list(pair) for pair in pairs if rng.random() < density],
        "formula": random_formula(rng, events, operators),
    }


PROBLEM = {
    "task": "decide",
    "events": 3,
    "initial": 3,
    "edges": [[1, 2], [1, 3], [3, 1], [3, 2]],
    "formula": ["->", 1, ["G", ["F", 2]]],
}
RICH = {
    "task": "counterexample",
    "events": 4,
    "initial": 2,
    "edges": [[1, 1], [1, 4], [2, 3], [4, 1], [4, 2], [4, 3]],
    "formula": [
        "|",
        ["U", ["!", 1], ["W", ["X", 2], 3]],
        ["&", ["R", 1, ["G", 2]], ["->", ["M", 3, 4], ["F", ["X", ["G", ["!", 1]]]]]],
    ],
}


def prompts():
    return [write(dict(p, task=t), w) for p in (PROBLEM, RICH) for t in TASKS for w in WORDINGS]


# --------------------------------------------------------------------------- round trip


@QUICK
@given(st.integers(0, 2**64), st.sampled_from(WORDINGS), st.booleans())
def test_reading_undoes_writing(seed, wording, shuffle):
    problem = random_problem(Random(seed))
    before = json.dumps(problem)
    prompt = write(problem, wording, Random(seed) if shuffle else None)
    assert read(prompt) == problem
    assert json.dumps(problem) == before
    assert read(f"Hello! Event1 happened, C1: no.\n\n{prompt}\n\nThink step by step.\n") == problem
    assert read(prompt.replace("\n", "\r\n")) == problem


@pytest.mark.parametrize("wording", WORDINGS)
def test_all_small_problems_have_different_prompts(wording):
    formulas = [1, 2]
    formulas += [[o, a] for o in UNARY for a in (1, 2)]
    formulas += [[o, a, b] for o in BINARY for a in (1, 2) for b in (1, 2)]
    formulas += [["X", f] for f in formulas[2:]] + [["U", f, 1] for f in formulas[2:]]
    pairs = [[1, 1], [1, 2], [2, 1], [2, 2]]
    graphs = [[e for e, keep in zip(pairs, bits, strict=True) if keep] for bits in SUBSETS]
    seen = set()
    for task, initial, edges, formula in product(TASKS, (1, 2), graphs, formulas):
        problem = {"task": task, "events": 2, "initial": initial, "edges": edges}
        problem["formula"] = formula
        prompt = write(problem, wording)
        assert read(prompt) == problem
        seen.add(prompt)
    assert len(seen) == 2 * 2 * 16 * len(formulas)


SUBSETS = list(product((False, True), repeat=4))


@pytest.mark.parametrize("wording", WORDINGS)
def test_the_largest_problems(wording):
    n, m = 200, 200
    edges = [[s, t] for s in range(1, n + 1) for t in range(s % 3 + 1, n + 1, 3)]
    formula = 1
    for i in range(m):
        operator = (UNARY + BINARY)[i % 11]
        formula = [operator, formula] if operator in UNARY else [operator, i % n + 1, formula]
    problem = dict(PROBLEM, events=n, edges=edges, formula=formula)
    assert read(write(problem, wording)) == problem


def test_shuffling_is_a_function_of_the_generator_and_keeps_the_problem():
    plain = write(RICH, "can")
    shuffled = [write(RICH, "can", Random(seed)) for seed in range(10)]
    assert shuffled == [write(RICH, "can", Random(seed)) for seed in range(10)]
    assert len({plain, *shuffled}) > 5
    assert all(read(prompt) == RICH for prompt in shuffled)


def test_of_several_prompts_the_last_counts():
    assert read("\n\n".join(prompts()) + "\n\nBegin.") == RICH


def test_a_prompt_too_long_to_read_is_not_written():
    n = 300
    edges = [[s, t] for s in range(1, n + 1) for t in range(1, n + 1)]
    with pytest.raises(SpecError, match="at most 1000000"):
        write(dict(PROBLEM, events=n, edges=edges), "can")
    assert len(write(dict(PROBLEM, events=n, edges=edges), "must")) < MAX_TEXT


def test_subformulas_of_what_was_read_are_lists_of_their_own():
    text = write(dict(PROBLEM, formula=["&", ["X", 1], ["X", 1]])).replace(
        "C1 holds and C2 holds", "C1 holds and C1 holds"
    )
    _, a, b = read(text)["formula"]
    assert a == b == ["X", 1]
    assert a is not b


# ----------------------------------------------------------------------------- wording


SENTENCES = {
    "must": {
        ("X", 1): "Event1 happens in the next state.",
        ("F", 1): "Event1 eventually happens.",
        ("G", 1): "Event1 always happens.",
        ("!", 1): "Event1 does not happen.",
        ("&", 1, 2): "Event1 happens and event2 happens.",
        ("|", 1, 2): "Event1 happens or event2 happens.",
        ("->", 1, 2): "If event1 happens, then event2 happens.",
        ("U", 1, 2): "Event1 happens until event2 happens.",
        ("W", 1, 2): "Event1 happens until event2 happens, or else forever.",
        ("M", 1, 2): "Event2 happens up to and including the first moment when event1 happens.",
        ("R", 1, 2): (
            "Event2 happens up to and including the first moment when event1 happens, "
            "or else forever."
        ),
    },
    "can": {
        ("X", 1): "Event1 will happen at the next moment.",
        ("F", 1): "Event1 will happen eventually.",
        ("G", 1): "Event1 will always happen at any future time.",
        ("->", 1, 2): "That event1 happens implies that event2 happens.",
    },
}


@pytest.mark.parametrize("wording", WORDINGS)
def test_each_operator_has_its_sentence(wording):
    for operator, *operands in SENTENCES["must"]:
        key = (operator, *operands)
        sentence = SENTENCES[wording].get(key, SENTENCES["must"][key])
        text = write(dict(PROBLEM, formula=list(key)), wording)
        assert f"\n\nC1: {sentence}\n\nC1 is True or False?" in text


@pytest.mark.parametrize(
    ("wording", "formula", "sentence"),
    [
        ("must", ["X", ["!", 1]], "C2: C1 holds in the next state."),
        ("must", ["F", ["!", 1]], "C2: C1 eventually holds."),
        ("must", ["G", ["!", 1]], "C2: C1 always holds."),
        ("must", ["!", ["!", 1]], "C2: C1 does not hold."),
        ("must", ["->", 3, ["!", 1]], "C2: If event3 happens, then C1 holds."),
        (
            "must",
            ["R", 3, ["!", 1]],
            "C2: C1 holds up to and including the first moment when event3",
        ),
        ("can", ["X", ["!", 1]], "C2: C1 will be true at the next moment."),
        ("can", ["F", ["!", 1]], "C2: C1 will be true eventually."),
        ("can", ["G", ["!", 1]], "C2: C1 will always be true at any future time."),
        ("can", ["->", ["!", 1], 3], "C2: That C1 holds implies that event3 happens."),
    ],
)
def test_statements_about_statements(wording, formula, sentence):
    assert sentence in write(dict(PROBLEM, formula=formula), wording)


def test_only_the_rules_that_are_needed():
    plain = {"task": "decide", "events": 1, "initial": 1, "edges": [[1, 1]], "formula": 1}
    text = write(plain)
    assert text.count("\n- ") == 4
    assert write(dict(plain, edges=[])).count("\n- ") == 5
    assert '"Eventually"' not in text
    assert '"Eventually"' in write(dict(plain, formula=["F", 1]))


def test_the_answer_is_not_told():
    for prompt in prompts():
        assert prompt.count("Answer: True") == prompt.count("Answer: False") == 1
        assert "Answer: False: eventA, eventB, (eventC, eventD)" in prompt or "eventA" not in prompt


# -------------------------------------------------------------------- texts of other hands


LISTING = """=== Context ===

Initially, event3 happened. After event1, event2 can happen. After event1, event3 can
happen. After event2, no other events can happen. After event3, event1 can happen. After
event3, event2 can happen.

=== Hypothesis ===

C1: Event2 will happen eventually.
C2: C1 will always be true at any future time.

C3: That event1 happens implies that C2 holds.

C3 is True or False? Answer with "True" or "False" directly:
"""
PUBLISHED = """=== Context ===

Initially, event1 happened. After event1, either event2, or event3 must happen. After event2, \
event1 must happen. After event1, either event2, or event3 must happen. After event3, no other \
events can happen.

=== Hypothesis ===

C1: Event1 happens or event2 happens.
C2: C1 holds in the next state.
C3: If C1 holds, then C2 holds.

C3 is True or False?
"""


def test_the_listing_of_the_paper():
    assert read(LISTING) == PROBLEM
    assert read("As an example: " + LISTING.removeprefix("=== Context ===\n\n")) == PROBLEM


def test_a_published_question_may_share_a_statement():
    assert read(PUBLISHED) == {
        "task": "decide",
        "events": 3,
        "initial": 1,
        "edges": [[1, 2], [1, 3], [2, 1]],
        "formula": ["->", ["|", 1, 2], ["X", ["|", 1, 2]]],
    }
    assert read(PUBLISHED + "\n\nThe answer must be either 'True' or 'False'.") == read(PUBLISHED)


# ---------------------------------------------------------------------------- refusals


@pytest.mark.parametrize("prompt", prompts())
def test_a_truncated_prompt_is_none(prompt):
    assert all(read(prompt[:k]) is None for k in range(len(prompt)))
    start = prompt.index("Initially")
    assert all(read(prompt[k:]) is None for k in range(start + 1, len(prompt)))


@pytest.mark.parametrize("prompt", prompts())
def test_without_one_rule_it_is_none(prompt):
    rules = [line for line in prompt.split("\n") if line.startswith("- ")]
    for rule in rules:
        assert read(prompt.replace(rule + "\n", "")) is None
        assert read(prompt.replace(rule, rule.replace(" ", "  ", 3))) is None
        assert read(prompt.replace(rule, rule[2:])) is None
    assert (
        read(prompt.replace("=== Hypothesis", "- Event2 means event1.\n\n=== Hypothesis")) is None
    )


@pytest.mark.parametrize("prompt", prompts())
def test_one_changed_character_is_seen(prompt):
    """A changed prompt is refused or read as what it now says, which only digits can change."""
    problem, rng = read(prompt), Random(prompt)
    start = prompt.index("Initially")
    for _ in range(1500):
        k = rng.randrange(start, len(prompt))
        new = rng.choice("0123456789 .,:;eEcCnto\n\x00<\u0661")
        changed = prompt[:k] + new + prompt[k + rng.randint(0, 1) :]
        result = read(changed)
        if result is not None and result != problem:
            assert new in "0123456789" or prompt[k].isdigit()
            assert read(write(result)) == result


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("C2: C1", "C3: C1"),
        ("C2: C1", "C1: C1"),
        ("C2: C1", "C2: C2"),
        ("C2: C1", "C2: C3"),
        ("C2: C1", "C2: C0"),
        ("C2: C1", "C2: C4"),
        ("C3 is True", "C2 is True"),
        ("C3 is True", "C4 is True"),
        ("C2: C1 always holds.", "C2: C1 always holds.\nC2: C1 eventually holds."),
        ("C2: C1 always holds.", "C2: C1 always happens."),
        ("C2: C1 always holds.", "C2: C1 holds."),
        ("C2: C1 always holds.", "C2: C1 always holds"),
        ("C2: C1 always holds.", "C2: C1 never holds."),
        ("C2 holds", "event2 holds"),
        ("C2 holds", "C2 holds, or else forever"),
        ("If event1", "That event1"),
        ("C1: Event2", "C1: Event4"),
        ("C1: Event2", "C1: Event0"),
        ("C1: Event2", "C1: Event02"),
        ("C1: Event2", "C1: Event2000"),
        ("Initially, event3", "Initially, event4"),
        ("either event2, or event3", "either event2, or event4"),
        ("either event2, or event3", "either event2, or event2"),
        ("either event2, or event3", "either event2 or event3"),
        ("either event2, or event3 must", "either event2, or event3 can"),
        ("After event2, no other events can happen. ", ""),
        ("After event2, no other events can happen.", "After event2, event1 will happen."),
        (
            "After event2, no other events can happen.",
            "After event2, no other events can happen. After event2, event1 can happen.",
        ),
        (
            "After event2, no other events can happen.",
            "After event2, event1 can happen. After event2, no other events can happen.",
        ),
        (
            "After event2, no other events can happen.",
            "After event2, event1 must happen. After event2, event3 must happen.",
        ),
        ("After event2, no other", "After event4, no other"),
        ("Initially, ", "Initially, event3 happened. Initially, "),
        ("Initially, ", "Suddenly, event2 happened. Initially, "),
        ("=== Hypothesis ===", "=== Hypotheses ==="),
        ("Answer: True", "Answer: Yes"),
    ],
)
def test_what_contradicts_itself_is_none(old, new):
    prompt = write(PROBLEM)
    assert prompt.count(old) >= 1
    assert read(prompt.replace(old, new)) is None


def test_swapped_numbers_are_read_as_they_stand():
    text = write(dict(PROBLEM, formula=["->", ["X", 1], ["F", 2]]))
    swapped = text.replace("If C1 holds, then C2 holds", "If C2 holds, then C1 holds")
    assert read(swapped)["formula"] == ["->", ["F", 2], ["X", 1]]


HEAD = "=== Context ===\nInitially, event1 happened. After event1, event1 can happen.\n"
HYPOTHESIS = "=== Hypothesis ===\n"
JUNK = [
    "",
    " ",
    "\x00" * 1000,
    "<html><body>C1 is True or False?</body></html>",
    "=== Context ===",
    "=== Hypothesis ===",
    "=== Context ======Hypothesis ===C1 is True or False?",
    "=== Context ===\n\n=== Hypothesis ===\n\nC1: Event1 happens.\n\nC1 is True or False?",
    HEAD + HYPOTHESIS + "C1 is True or False?",
    HEAD + HYPOTHESIS + "C1: Event1 happens.\n<b>C1</b> is True or False?",
    HEAD + HYPOTHESIS + "C1: C1 happens.\nC1 is True or False?",
    HEAD + "=== Rules ===\n" + HYPOTHESIS + "C1: Event1 happens.\nC1 is True or False?",
    HEAD.replace("happened.", "happened. <!-- x -->") + HYPOTHESIS + "C1: Event1 happens.\nC1 is",
    "\ud800" + HEAD,
]


@pytest.mark.parametrize("text", JUNK)
def test_junk_is_none(text):
    assert read(text) is None


def test_what_is_no_text_is_none():
    for value in (None, 3, b"=== Hypothesis ===", ["x"], {}):
        assert read(value) is None


@QUICK
@given(st.text(max_size=400) | st.lists(st.sampled_from(JUNK + prompts()[:2])).map("\n".join))
def test_any_text_is_read_without_an_exception(text):
    result = read(text)
    assert result is None or read(write(result)) == result


def _sized(unit: str, head: str = "", tail: str = "") -> str:
    return head + unit * ((MAX_TEXT - len(head) - len(tail)) // len(unit)) + tail


ASK = "\n" + HYPOTHESIS + "C1: Event1 happens.\n\nC1 is True or False?"
BIG = {
    "brackets": _sized("("),
    "closing brackets": _sized(")", HEAD + HYPOTHESIS, "\nC1 is True or False?"),
    "newlines": _sized("\n", HEAD + HYPOTHESIS),
    "spaces": _sized(" ", HEAD + HYPOTHESIS + "C1: Event1", "happens."),
    "spaces before the question": _sized(" ", HEAD + HYPOTHESIS + "C1: Event1 happens.\n", "x"),
    "contexts": _sized("=== Context ===\n", tail=ASK),
    "hypotheses": _sized("=== Hypothesis ==="),
    "beginnings": _sized("Initially, event1 happened. ", tail=ASK),
    "followers": _sized(
        "event1, ", "Initially, event1 happened. After event1, either ", "must happen." + ASK
    ),
    "unlike followers": _sized("After event1, either event2, or ", HEAD, ASK),
    "open followers": _sized("event2, ", HEAD + "After event2, either "),
    "letters": _sized("a", HEAD + HYPOTHESIS + "C1: Event1 ", ".\n\nC1 is True or False?"),
    "digits": _sized("1", HEAD + HYPOTHESIS + "C1: Event", " happens.\n\nC1 is True or False?"),
    "statements": _sized("C1: Event1 happens.\n", HEAD + HYPOTHESIS),
    "untils": _sized("event1 happens until ", HEAD + HYPOTHESIS + "C1: ", "."),
    "too long": HEAD + HYPOTHESIS + "C1: Event1 happens.\nC1 is True or False?" + "x" * MAX_TEXT,
}


@pytest.mark.parametrize("name", BIG)
def test_a_megabyte_is_refused_at_once(name):
    start = time.perf_counter()
    assert read(BIG[name]) is None
    assert time.perf_counter() - start < 2


def test_shared_statements_cannot_blow_up():
    def doubling(count):
        lines = ["C1: Event1 happens and event1 happens."]
        lines += [f"C{k}: C{k - 1} holds and C{k - 1} holds." for k in range(2, count + 1)]
        return HEAD + HYPOTHESIS + "\n".join(lines) + f"\n\nC{count} is True or False?"

    assert read(doubling(7))["formula"][0] == "&"
    for count in (8, 60, 199, 200, 201, 500):
        assert read(doubling(count)) is None


def test_as_many_operators_as_allowed_and_one_more():
    def chain(count):
        lines = ["C1: Event1 does not happen."]
        lines += [f"C{k}: C{k - 1} eventually holds." for k in range(2, count + 1)]
        return HEAD + HYPOTHESIS + "\n".join(lines) + f"\nC{count} is True or False?"

    assert read(chain(200)) is not None
    assert read(chain(201)) is None


def test_as_many_events_as_allowed_and_one_more():
    def ring(n):
        sentences = [f"After event{k}, event{k % n + 1} must happen." for k in range(1, n + 1)]
        return "Initially, event1 happened. " + " ".join(sentences) + ASK

    assert read(ring(1000))["events"] == 1000
    assert read(ring(1001)) is None


# ------------------------------------------------------------------------------- speed


def _best(function, *args):
    best = float("inf")
    for _ in range(30):
        start = time.perf_counter()
        for _ in range(50):
            function(*args)
        best = min(best, (time.perf_counter() - start) / 50)
    return best * 1e6


@pytest.mark.parametrize("wording", WORDINGS)
def test_writing_and_reading_cost_microseconds(wording):
    assert _best(write, PROBLEM, wording) < 40
    assert _best(read, write(PROBLEM, wording)) < 100
