"""Complete certificates: every label has one, and no change of prompt, label or certificate proves what is not so."""

import json
import re
from dataclasses import replace
from random import Random

import pytest
from cases import slow, some
from harness_ltlbench import proof, reading
from harness_ltlbench.config import LOGICS
from harness_ltlbench.engines import lasso, tableau
from harness_ltlbench.formula import answer
from harness_ltlbench.wording import write
from harness_proof import PROVED, UNCHECKED, ltlbench, outcome

from harness.core import fresh
from harness.core.plugins import registry
from harness.core.spec import make

SETTINGS = [
    {}, {"difficulty": 1}, {"difficulty": 10}, {"logic": "full"}, {"task": "counterexample"},
    {"wording": "can"}, {"preset": "paper", "logic": "published"},
    {"wording": "published", "logic": "full", "twins": False, "operators": 9},
    {"events": 30, "operators": 12, "twins": False},
]  # fmt: skip


def items(settings, n=30):
    plugin = registry().get("ltlbench")
    if settings.get("preset"):
        settings = {"operators": 3, **settings}
    return list(fresh.items(plugin, make(plugin, {"n": n, **settings})))


def record(item, **changes):
    if "proof" not in changes:
        changes["proof"] = proof.prove(item)
    data = {"plugin": "ltlbench", "prompt": item.prompt, "target": item.target}
    return json.loads(json.dumps({**data, **changes}))


def problem(rng, task="decide"):
    """Return a random problem, small and often with shared parts."""
    events = rng.randint(1, 4)

    def formula(operators):
        if not operators:
            return rng.randint(1, events)
        operator = rng.choice(LOGICS["full"])
        if operator in ("X", "F", "G", "!"):
            return [operator, formula(operators - 1)]
        left = rng.randrange(operators)
        return [operator, formula(left), formula(operators - 1 - left)]

    edges = [
        [a, b] for a in range(1, events + 1) for b in range(1, events + 1) if rng.random() < 0.4
    ]
    size = rng.randint(0, 7)
    return {"task": task, "events": events, "initial": 1, "edges": edges, "formula": formula(size)}


@pytest.mark.parametrize("settings", SETTINGS, ids=str)
def test_every_label_has_one(settings):
    for item in items(settings, max(6, some(30))):
        assert outcome(record(item)) == (PROVED, "")
        other = "False" if item.target == "True" else "True"
        assert outcome(record(item, target=other))[0] != PROVED


def test_a_table_proves_exactly_what_the_tableau_says():
    rng, item = Random(5), items({}, 1)[0]
    labels = set()
    for _ in range(some(1_500)):
        asked = problem(rng)
        label = tableau.check(asked).holds
        labels.add(label)
        prompt = write(asked, rng.choice(["must", "can"]), rng)
        claim = replace(item, prompt=prompt, problem=asked, target="True", certificate={})
        assert (outcome(record(claim))[0] == PROVED) is label, asked
        claim = replace(claim, target="False")
        assert (outcome(record(claim))[0] == PROVED) is not label, asked
    assert labels == {True, False}


def test_formulas_hold_where_another_evaluator_says_so():
    rng = Random(6)
    for _ in range(some(2_000)):
        asked = problem(rng)
        read = ltlbench.read(write(asked))
        prefix = [rng.randint(1, asked["events"]) for _ in range(rng.randint(0, 4))]
        cycle = [rng.randint(1, asked["events"]) for _ in range(rng.randint(1, 4))]
        path = [*prefix, *cycle]
        holds = lasso.holds(asked["formula"], prefix, cycle)
        for formula, right in (
            (read.formula, holds),
            (read.formula ^ 1, not holds),
        ):
            assert right is read.formulas.holds(
                formula,
                len(prefix),
                len(path),
                lambda state, event, path=path: path[state] == event,
            )


def test_no_path_of_lies_and_no_forged_table_is_a_proof():
    """Certificates of other labels, with any number and any entry changed."""
    rng = Random(7)
    sound = items({"logic": "full"}, 40)
    tried = 0
    for item in sound:
        lie = replace(item, target="False" if item.target == "True" else "True")
        forged = record(lie, proof=proof.prove(replace(lie, certificate={})))
        for other in rng.sample(sound, 3):
            assert outcome({**forged, "proof": proof.prove(other)})[0] != PROVED
        if forged["proof"] is None:  # there is no path to begin with
            walk = {"prefix": [], "cycle": [record(item)["proof"]["entries"][0][0]]}
            forged["proof"] = walk
        text = json.dumps(forged["proof"])
        numbers = list(re.finditer(r"\d+|null", text))
        for _ in range(some(150)):
            mutant = text
            for spot in sorted(
                rng.sample(numbers, min(len(numbers), rng.choice([1, 1, 2, 4]))),
                key=re.Match.start,
                reverse=True,
            ):
                value = rng.choice(
                    ["0", "1", "2", "3", "null", "-1", "NaN", "1.0", "true", '"F"', "[]"]
                )
                mutant = mutant[: spot.start()] + value + mutant[spot.end() :]
            tried += 1
            assert outcome({**forged, "proof": json.loads(mutant)})[0] != PROVED
    assert tried >= some(5_000)


def test_a_changed_prompt_is_proved_only_if_it_has_the_label():
    """Words, numbers and lines changed: what is still proved is what our reader and engine say, too."""
    rng = Random(8)
    proved = other = 0
    for settings in ({"logic": "full"}, {"wording": "can"}, {"preset": "paper"}):
        for item in items(settings, 20):
            words = re.split(r"(\W+)", item.prompt)
            for _ in range(some(60)):
                prompt = "".join(changed(words, rng))
                claim = replace(item, prompt=prompt, certificate=item.certificate)
                found = outcome(record(claim, target=item.target))
                if found[0] != PROVED or prompt == item.prompt:
                    other += 1
                    continue
                proved += 1
                read = reading.read(prompt)
                assert read is not None, prompt
                assert answer("decide", tableau.check(read).violation) == item.target
    assert proved > some(100)
    assert other > some(1_000)


def changed(words, rng):
    """Return words with one of them replaced by another of the prompt, left out, doubled, or one number more."""
    words, at = list(words), rng.randrange(len(words))
    kind = rng.randrange(4)
    if kind == 0:
        words[at] = rng.choice(words)
    elif kind == 1:
        words[at] = ""
    elif kind == 2:
        words[at] *= 2
    else:
        numbers = [place for place, word in enumerate(words) if re.search(r"\d", word)]
        at = rng.choice(numbers)
        words[at] = re.sub(r"\d+", lambda number: str(int(number[0]) % 9 + 1), words[at])
    return words


@slow
def test_what_is_too_large_has_none():
    """Eighteen promises that may each be kept at any moment: 2 to the power of 18 ways at each."""
    formula = 1
    for event in (1, 2):
        moment = event
        for _ in range(9):
            moment = ["X", moment]
            formula = ["&", formula, ["F", moment]]
    edges = [[1, 1], [1, 2], [2, 1], [2, 2]]
    asked = {"task": "decide", "events": 2, "initial": 1, "edges": edges, "formula": ["!", formula]}
    claim = replace(items({}, 1)[0], prompt=write(asked), target="True", certificate={})
    assert proof.prove(claim) is None
    assert outcome(record(claim, proof=None))[0] == UNCHECKED
