"""Effects of several outputs or steps: all engines against brute force by definition, and what the items say."""

import random
from collections import Counter
from itertools import combinations

import pytest
from cases import SHARE, some
from harness_tempobench import certificate, draw, engines, hoa, joined, reading, targets
from harness_tempobench import problem as problems
from harness_tempobench.answers.score import score
from tb_items import PLUGIN, Walker, items_of
from tb_machines import lazy_machine, random_letters, random_machine

from harness import HarnessError

STEPS = 4


class Drawn:
    """A random machine with a run and an effect of it; which flips break it, by running the machine."""

    def __init__(self, rng):
        make = rng.choice((random_machine, lazy_machine))
        self.machine = make(rng, rng.randint(1, 5), rng.randint(1, 2)).canonical()
        self.letters = random_letters(rng, self.machine, STEPS)
        masks = self.machine.run(self.letters)[1]
        self.trace = problems.trace(self.machine, self.letters, masks)
        while True:
            cells = [(step, name) for step in range(STEPS) for name in self.machine.outputs]
            chosen = rng.sample(cells, rng.randint(2, 4))
            self.literals = [(*cell, rng.random() < 0.5) for cell in chosen]
            self.join = rng.choice(("and", "or"))
            if not self.breaks(()):
                break
        self.effect = joined.effect(self.join, self.literals)

    def breaks(self, flips):
        word, state, values = list(self.letters), self.machine.start, {}
        for step, index in flips:
            word[step] ^= 1 << index
        for step, letter in enumerate(word):
            state, mask = self.machine.table[state][letter]
            for place, name in enumerate(self.machine.outputs):
                values[step, name] = bool(mask >> place & 1)
        held = [values[step, name] is value for step, name, value in self.literals]
        return not (all(held) if self.join == "and" else any(held))

    def minimal(self, most):
        inputs = range(len(self.machine.inputs))
        pairs = [(step, index) for step in range(self.effect["step"] + 1) for index in inputs]
        found = []
        for size in range(1, min(most, len(pairs)) + 1):
            for flips in combinations(pairs, size):
                if not any(set(known) <= set(flips) for known in found) and self.breaks(flips):
                    found.append(flips)
        return found

    def problem(self, task):
        problem = {"task": task, "hoa": hoa.write(self.machine), "trace": self.trace}
        problem |= {"effect": self.effect} | ({"label": "full"} if task == "tce" else {})
        return problem


def test_every_engine_finds_what_brute_force_finds():
    rng, seen = random.Random(5), Counter()
    for _ in range(max(some(250), 80)):
        drawn = Drawn(rng)
        for task, most, names in (
            ("tce", 99, ("exact", "spot", "sat")),
            ("min", 1, ("exact", "spot")),
        ):
            clauses = drawn.minimal(most)
            target = targets.cause_target(
                drawn.effect, drawn.machine.inputs, drawn.letters, clauses, task == "tce"
            )
            seen[task, drawn.join, len(clauses) > 1] += 1
            for engine in names:
                assert engines.solve(drawn.problem(task), engine).answer == target
    assert min(seen.values()) > 5 // SHARE
    assert len(seen) == 8


@pytest.mark.parametrize("effects", ["combined", "window"])
@pytest.mark.parametrize(
    "values",
    [
        {}, {"start": "unknown", "notation": "prose", "unseen": 1}, {"label": "per_step"},
        {"task": "min", "wording": "narrative"}, {"wording": "narrative", "notation": "table"},
        {"task": "min", "start": "unknown", "hoa": "numbers"}, {"difficulty": 9},
    ],
)  # fmt: skip
def test_items_are_read_back_and_solved(effects, values):
    for item in items_of(max(some(6), 2), **{"effects": effects, **values}):
        effect = item.problem["effect"]
        steps, outputs = ({literal[i] for literal in effect["literals"]} for i in (0, 1))
        assert (len(steps) == 1, len(outputs) > 1) == (effects == "combined",) * 2
        assert reading.read(item.prompt) == item.problem
        assert (
            engines.solve(item.problem, "sat" if item.problem["task"] == "tce" else "spot").answer
            == item.target
        )
        assert certificate.errors(item) == []
        assert score(item, f"Answer: {item.target}").value["exact"] == 1
        assert effect["output"] in PLUGIN.call("explain", item=item)
        assert draw.svg(item).startswith("<svg")
        assert PLUGIN.call("trace", item=item) is None


def test_certificates_break_the_effect_by_the_text_of_the_machine():
    for item in items_of(10, effects="window", task="min"):
        walker, effect = Walker(item.problem["hoa"]), item.problem["effect"]
        for entry in item.certificate["counterfactuals"]:
            outputs = walker.run([set(step) - walker.outputs for step in entry["trace"]])[1]
            held = [(name in outputs[step]) is value for step, name, value in effect["literals"]]
            assert not (all(held) if effect["join"] == "and" else any(held))


def test_an_answer_may_write_the_effect_otherwise():
    item = items_of(1, effects="combined")[0]
    name = item.problem["effect"]["output"]
    for other in (f"({name})", name.replace(" & ", " && "), name.replace(" ", "")):
        verdict = score(item, f"Answer: {item.target.replace(name, other)}")
        assert verdict.value["correct"] == 1
    verdict = score(item, "Answer: {}")
    assert (verdict.outcome, verdict.value["correct"]) == (
        "scored",
        float(item.features["trivial"]),
    )


@pytest.mark.parametrize(
    "change",
    [
        {"step": 1}, {"output": "o0"}, {"literals": [[0, "q", True], [1, "o0", True]]},
        {"literals": [[0, "o0", True], [0, "o0", True]]}, {"value": False},
    ],
)  # fmt: skip
def test_effects_that_contradict_themselves_are_refused(change):
    problem = Drawn(random.Random(2)).problem("min")
    with pytest.raises(HarnessError):
        problems.case({**problem, "effect": problem["effect"] | change})
