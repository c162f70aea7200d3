"""Proofs of verdicts (task=verify): the checker's own reading of formula and trace, held against ours."""

import json
import re
from dataclasses import replace
from random import Random

import pytest
from harness_proof import PROVED, REFUTED, UNCHECKED, outcome
from harness_vltl import reading
from harness_vltl.engines import solve

from harness.core import fresh
from harness.core.plugins import registry
from harness.core.spec import make

PLUGIN = registry().get("vltl")


def items(n=20, **settings):
    return list(fresh.items(PLUGIN, make(PLUGIN, {"n": n, "task": "verify", **settings})))


def record(item, **changes):
    data = {"plugin": "vltl", "prompt": item.prompt, "target": item.target}
    return json.loads(json.dumps({**data, "proof": PLUGIN.call("prove", item=item), **changes}))


@pytest.mark.parametrize(
    "settings",
    [
        {},
        {"depth": 2},
        {"difficulty": 10},
        {"scenario": "traffic_light"},
        {"semantics": "ltlf"},
        {"semantics": "ltlf", "difficulty": 10},
    ],
    ids=str,
)
def test_every_verdict_is_proved_and_the_other_one_refuted(settings):
    for item in items(**settings):
        assert outcome(record(item)) == (PROVED, "")
        other = "violated" if item.target == "satisfied" else "satisfied"
        assert outcome(record(item, target=other)) == (
            REFUTED,
            f"the trace {_verb(item)} the formula",
        )
        assert outcome(record(item, target=f"{item.target}."))[0] == REFUTED


def _verb(item):
    return "satisfies" if item.target == "satisfied" else "violates"


def test_a_formula_is_read_up_to_its_bound():
    item = items(1)[0]
    for length, known in ((5_000, True), (5_001, False)):
        prompt = re.sub(r"Formula: .*", f"Formula: {'p' * length}", item.prompt)
        found = outcome(record(item, prompt=prompt, target="violated"))[0]
        assert found == (PROVED if known else UNCHECKED)


def brute(formula, states, at):
    """Return whether a formula, as JSON, holds at a step of a finite trace: by the words of the prompt."""
    if isinstance(formula, str):
        return formula in states[at]
    operator, *parts = formula
    steps = range(at, len(states))
    holds = [[brute(part, states, step) for step in steps] for part in parts]
    first, second = holds[0], holds[-1]
    until = any(second[n] and all(first[:n]) for n in range(len(steps)))
    release = all(second[n] or any(first[:n]) for n in range(len(steps)))
    return {
        "!": not first[0], "&": first[0] and second[0], "|": first[0] or second[0],
        "->": not first[0] or second[0], "<->": first[0] == second[0],
        "X": len(first) > 1 and first[1], "N": len(first) == 1 or first[1], "F": any(first), "G": all(first),
        "U": until, "W": until or all(first), "R": release, "M": release and any(first),
    }[operator]  # fmt: skip


def written(formula):
    if isinstance(formula, str):
        return formula
    operator, *parts = formula
    *left, right = (f"({written(part)})" for part in parts)
    return f"{''.join(left)} {operator} {right}"


def drawn(rng, depth):
    if depth == 0:
        return rng.choice("pqr")
    operator = rng.choice(["!", "X", "N", "F", "G", "&", "|", "->", "<->", *"UWRM" * 2])
    return [
        operator,
        *(drawn(rng, rng.randrange(depth)) for _ in range(1 + (operator not in "!XNFG"))),
    ]


def test_finite_traces_are_judged_as_the_words_of_the_prompt_say():
    """Formulas drawn at random on short traces, against a definition by all later steps."""
    rng, seen, item = Random(3), set(), items(1, semantics="ltlf")[0]
    head, _, tail = item.prompt.partition("Formula: ")
    tail = tail[tail.index("\nOperators:") :]
    for _ in range(3_000):
        formula = drawn(rng, 4)
        states = [rng.sample("pqr", rng.randrange(4)) for _ in range(rng.randint(1, 4))]
        lines = [f"Step {n}: {', '.join(state) or 'nothing'}" for n, state in enumerate(states, 1)]
        count = f"{len(states)} step{'s' * (len(states) > 1)}"
        end = f"The trace has {count} and ends after the last one; there are no further steps."
        trace = "\n".join([*lines, end])
        prompt = f"{head}Formula: {written(formula)}\nTrace:\n{trace}{tail}"
        target = "satisfied" if brute(formula, states, 0) else "violated"
        assert outcome(record(item, prompt=prompt, target=target)) == (PROVED, ""), (
            formula,
            states,
        )
        seen.add((str(formula), target))
    assert len(seen) > 1_500


@pytest.mark.parametrize("task", ["lift", "translate", "ground", "end_to_end"])
def test_what_a_sentence_means_is_not_proved(task):
    item = items(1, task=task)[0]
    assert outcome(record(item))[0] == outcome(record(item, proof={}))[0] == UNCHECKED


def test_a_changed_prompt_is_proved_only_if_it_has_the_label():
    """Operators, names and steps changed: what is still proved is what our reader and engine say, too."""
    rng, proved, other = Random(5), 0, 0
    for item in items(40, depth=2):
        words = re.split(r"([^\w]+)", item.prompt)
        inside = [
            at
            for at in range(len(words))
            if len("".join(words[:at])) < item.prompt.index("Operators")
        ]
        for _ in range(40):
            mutant, at = list(words), rng.choice(inside)
            kind = rng.randrange(4)
            if kind == 0:
                mutant[at] = rng.choice([words[at] for at in inside])
            elif kind == 1:
                mutant[at] = ""
            elif kind == 2:
                spots = [at for at in inside if re.fullmatch("[XFGUWRM]", words[at])]
                mutant[rng.choice(spots or inside)] = rng.choice("XFGUWRM")
            else:
                mutant[at] = re.sub(r"->|&|\|", rng.choice(["->", "&", "|", "<->"]), mutant[at])
            prompt = "".join(mutant)
            found, why = outcome(record(replace(item, prompt=prompt)))
            assert "not of the form" not in why, prompt
            problem = reading.read(prompt)
            if (
                found == UNCHECKED or problem is None
            ):  # we read more notations, the checker more names
                other += 1
                continue
            assert (solve(problem, "evaluator").answer == item.target) is (found == PROVED), prompt
            proved += 1
    assert proved > 300
    assert other > 200


@pytest.mark.parametrize(
    "formula",
    [
        *(f"p {one} q {other} r" for one in "UWRM" for other in "UWRM"),
        "p -> q -> r", "p <-> q -> r", "p -> q <-> r", "p <-> q <-> r", "p" * 5_001, "p &", "(p", "p)", "",
        "p q", "U p", "p & & q", "p ! q",
        "p = 1", "P", "X", "p U",
        "f(a b)", "f (a)", "p -> ", "true", "X[3] p", "[] p", "p\u2192q",
    ],
)  # fmt: skip
def test_a_formula_of_doubt_is_not_judged(formula):
    item = items(1)[0]
    text = re.sub(r"Formula: .*", lambda _: f"Formula: {formula}", item.prompt)
    assert outcome(record(item, prompt=text))[0] == UNCHECKED
