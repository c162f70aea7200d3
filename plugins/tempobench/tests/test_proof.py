"""Complete certificates: the default of every task has one; nothing changed proves what is not so."""

import json
import re
from dataclasses import replace
from random import Random

import pytest
from cases import each, slow, some
from harness_proof import PROVED, REFUTED, UNCHECKED, outcome
from harness_tempobench import proof, reading
from harness_tempobench.engines import solve

from harness.core import fresh
from harness.core.plugins import registry
from harness.core.spec import make

TASKS = ("tce", "tte", "sim", "min")


def items(n=20, **settings):
    plugin = registry().get("tempobench")
    return list(fresh.items(plugin, make(plugin, {"n": n, **settings})))


def record(item, **changes):
    data = {"plugin": "tempobench", "prompt": item.prompt, "target": item.target}
    return json.loads(json.dumps({**data, "proof": proof.prove(item), **changes}))


@pytest.mark.parametrize("task", TASKS)
def test_every_label_has_one(task):
    for item in items(max(some(30), 8), task=task):
        assert outcome(record(item)) == (PROVED, "")


@each(
    "settings",
    [
        {"label": "per_step"}, {"difficulty": 1}, {"machines": "fresh"}, {"preset": "paper", "task": "tte"},
        {"task": "min", "effects": "negative"}, {"trivial": 1.0},
    ],
)  # fmt: skip
def test_settings_in_the_same_words_have_them_too(settings):
    assert {outcome(record(item))[0] for item in items(max(some(8), 2), **settings)} == {PROVED}


OTHERS = (
    {"wording": "narrative", "notation": "prose"}, {"wording": "narrative", "task": "min", "effects": "combined"},
    {"wording": "narrative", "task": "sim", "hoa": "numbers"}, {"task": "tte", "unseen": 1, "notation": "table"},
    {"start": "unknown", "unseen": 1}, {"start": "unknown", "task": "min"}, {"effects": "combined"},
    {"effects": "window", "notation": "table"}, {"contingencies": True, "notation": "prose"},
    {"contingencies": True, "task": "min", "wording": "narrative"},
)  # fmt: skip


@slow
@each("settings", OTHERS)
def test_other_questions_have_them_too(settings):
    for item in items(max(some(8), 2), **settings):
        assert outcome(record(item)) == (PROVED, "")
        if item.problem["task"] == "tce":
            assert outcome(record(item, proof={"table": [{}]}))[0] == REFUTED


@slow
def test_outputs_that_are_kept_and_a_state_that_is_not_said_go_together_if_only_one_is_possible():
    found = [
        outcome(record(item))[0] for item in items(30, start="unknown", contingencies=True, seed=1)
    ]
    assert {*found} == {PROVED, UNCHECKED}
    assert found.count(PROVED) > 20


VALUES = ["0", "1", "2", "5", "-1", "255", "1.0", "NaN", "null", "[]", "true"]


def changed_numbers(text, rng, numbers=r"\d+", by=lambda number: str(int(number) + 1)):
    spots = list(re.finditer(numbers, text))
    for spot in sorted(
        rng.sample(spots, min(len(spots), rng.choice([1, 1, 2, 3]))),
        key=re.Match.start,
        reverse=True,
    ):
        text = text[: spot.start()] + by(spot[0]) + text[spot.end() :]
    return text


def wrong_targets(item, others, rng):
    """Yield other labels: of other items, a literal with another sign, a clause left out, another number."""
    yield from rng.sample([other.target for other in others if other.target != item.target], 3)
    quoted = r'"!?[a-z_0-9]+(?: (?:or|and) !?[a-z_0-9]+)*"'
    names = [name for name in re.findall(quoted, item.target) if "step" not in name]
    for name in names[:4]:
        other = name.replace('"!', '"') if '"!' in name else name.replace('"', '"!', 1)
        yield item.target.replace(name, other)
    for clause in re.findall(r'\["[^\]]*"\]', item.target)[:3]:
        yield item.target.replace(
            clause, "[]" if "no constraints" in clause else '["no constraints"]'
        )
    yield changed_numbers(item.target, rng)


@slow
@pytest.mark.parametrize("task", TASKS)
def test_no_other_label_is_proved_whatever_the_certificate(task):
    rng, known = Random(3), items(max(some(15), 5), task=task)
    tried = 0
    for item in known:
        genuine = record(item)
        for target in wrong_targets(item, known, rng):
            if json.loads(target) == json.loads(item.target):
                continue
            assert outcome({**genuine, "target": target})[0] != PROVED, target
            for _ in range(max(some(6), 3)):
                forged = changed_numbers(
                    json.dumps(genuine["proof"]),
                    rng,
                    r"(?<![\"\d])\d+",
                    lambda _: rng.choice(VALUES),
                )
                tried += 1
                assert (
                    outcome({**genuine, "target": target, "proof": json.loads(forged)})[0] != PROVED
                )
    assert tried > some(500)


@slow
@each("settings", [*({"task": task} for task in TASKS), *OTHERS])
def test_a_changed_prompt_is_proved_only_if_it_has_the_label(settings):
    """Signs, names, numbers and words changed: what is still proved is what our reader and engine say, too."""
    rng, proved, other = Random(5), 0, 0
    for item in items(max(some(6), 2), **settings):
        words = re.split(r"([^\w!]+)", item.prompt)
        for _ in range(max(some(20), 10)):
            mutant, at = list(words), rng.randrange(len(words))
            kind = rng.randrange(3)
            if kind == 0:
                mutant[at] = rng.choice(words)
            elif kind == 1:
                mutant[at] = mutant[at][1:] if mutant[at].startswith("!") else f"!{mutant[at]}"
            else:
                mutant[at] = re.sub(
                    r"\d+", lambda number: str(int(number[0]) + rng.choice([-1, 1])), mutant[at]
                )
            prompt = "".join(mutant)
            claim = record(replace(item, prompt=prompt))
            if prompt == item.prompt or outcome(claim)[0] != PROVED:
                other += 1
                continue
            proved += 1
            problem = reading.read(prompt)
            if problem is None:  # our reader looks at what the label does not depend on, too
                lines = zip(item.prompt.split("\n"), prompt.split("\n"), strict=True)
                before, line = next((old, new) for old, new in lines if old != new)
                assert "".join(before.split()) == "".join(line.split()) or line.startswith(
                    ("JSON Schema of", "Form of the object", "properties:", "[", "| ", "In state ")
                ), line
                continue
            answer = solve(problem, "exact").answer
            assert json.loads(answer) == json.loads(item.target), prompt
    assert other > some(100)
