"""Causes with contingencies: all engines against brute force by definition, and what the items say."""

import json
import random
import re
from collections import Counter
from dataclasses import replace
from itertools import combinations

import pytest
from cases import some
from harness_tempobench import certificate, draws, engines, hoa, reading, targets
from harness_tempobench import problem as problems
from harness_tempobench.answers.score import score
from harness_tempobench.engines import spot
from tb_items import PLUGIN, Walker, items_of
from tb_machines import lazy_machine, random_letters, random_machine

from harness import SpecError
from harness.core.items import rng_for, salt_for
from harness.core.spec import make

STEPS = 4


class Drawn:
    """A random machine with a run and an effect; which flips can break it, by trying all that may be kept."""

    def __init__(self, rng):
        make = rng.choice((random_machine, lazy_machine))
        self.machine = make(
            rng, rng.randint(2, 6), rng.randint(1, 2), rng.randint(1, 3)
        ).canonical()
        self.letters = random_letters(rng, self.machine, STEPS)
        self.actual = self.machine.run(self.letters)[1]
        self.step, self.place = rng.randrange(STEPS), rng.randrange(len(self.machine.outputs))
        self.value = bool(self.actual[self.step] >> self.place & 1)

    def breaks(self, flips, kept=True):
        word = list(self.letters)
        for step, index in flips:
            word[step] ^= 1 << index
        return self.fails(word, 0, self.machine.start, kept)

    def fails(self, word, step, state, kept):
        to, own = self.machine.table[state][word[step]]
        if step == self.step:
            return bool(own >> self.place & 1) is not self.value
        following = {to}
        for chosen in range(1 << len(self.machine.outputs)) if kept else ():
            mask = own & ~chosen | self.actual[step] & chosen
            if mask != own:
                rows = self.machine.table
                following |= {end for row in rows for end, given in row if given == mask}
        return any(self.fails(word, step + 1, each, kept) for each in following)

    def minimal(self, most, kept=True):
        inputs = range(len(self.machine.inputs))
        pairs = [(step, index) for step in range(self.step + 1) for index in inputs]
        found = []
        for size in range(min(most, len(pairs)) + 1):
            for flips in combinations(pairs, size):
                smaller = any(set(known) <= set(flips) for known in found)
                if not smaller and self.breaks(flips, kept):
                    found.append(flips)
        return found

    def problem(self, task):
        effect = {"output": self.machine.outputs[self.place], "value": self.value}
        trace = problems.trace(self.machine, self.letters, self.actual)
        problem = {"task": task, "hoa": hoa.write(self.machine), "trace": trace}
        problem |= {"effect": effect | {"step": self.step}, "contingencies": True}
        return problem | ({"label": "full"} if task == "tce" else {})


def test_every_engine_finds_what_brute_force_finds():
    rng, seen = random.Random(6), Counter()
    for _ in range(some(200)):
        drawn = Drawn(rng)
        for task, most, names in (
            ("tce", 99, ("exact", "spot", "sat")), ("min", 1, ("exact", "spot")),
        ):  # fmt: skip
            clauses = drawn.minimal(most)
            problem = drawn.problem(task)
            target = targets.cause_target(
                problem["effect"], drawn.machine.inputs, drawn.letters, clauses, task == "tce"
            )
            seen[task, clauses != drawn.minimal(most, kept=False)] += 1
            for engine in names:
                assert engines.solve(problem, engine).answer == target
    assert seen["tce", True] > some(10)
    assert seen["min", True] > some(10)


@pytest.mark.parametrize(
    "values",
    [
        {}, {"start": "unknown", "max_states": 8}, {"label": "per_step", "notation": "table"},
        {"task": "min", "wording": "narrative"}, {"notation": "prose", "unseen": 1},
        {"task": "min", "hoa": "numbers"},
    ],
)  # fmt: skip
def test_items_are_read_back_and_solved(values):
    for item in items_of(max(some(6), 2), contingencies=True, **values):
        assert reading.read(item.prompt) == item.problem
        assert (
            engines.solve(item.problem, "sat" if item.problem["task"] == "tce" else "spot").answer
            == item.target
        )
        assert certificate.errors(item) == []
        assert score(item, f"Answer: {item.target}").value["exact"] == 1
        assert "outputs are kept" in PLUGIN.call("explain", item=item)
        assert PLUGIN.call("trace", item=item) is None


def test_the_answer_without_contingencies_is_often_wrong():
    differ = 0
    for item in items_of(max(some(30), 8), contingencies=True):
        usual = {key: value for key, value in item.problem.items() if key != "contingencies"}
        answer = engines.solve(usual, "exact").answer
        verdict = score(item, f"Answer: {answer}")
        assert verdict.outcome == "scored"
        assert verdict.value["exact"] == (answer == item.target)
        differ += answer != item.target
    assert differ > some(5)


@pytest.mark.parametrize("task", ["tce", "min"])
def test_what_a_flip_leads_to_is_the_same_from_each_possible_start(task):
    """Causes may be the same where single flips are not, as outputs that are kept count in causes only."""
    values = {"task": task, "contingencies": True, "start": "unknown", "wording": "narrative"}
    several = 0
    for item in items_of(max(some(12), 6), seed=8, **values):
        asked = item.problem["effect"]
        starts = spot.starts(item.problem["hoa"], item.problem["trace"], asked, None, True)
        several += len(starts) > 1
        said = re.findall(
            r"^If (\S+) had been (true|false) at step (\d+), (\S+) would have been (true|false) at step",
            item.prompt,
            re.MULTILINE,
        )
        walker = Walker(item.problem["hoa"])
        assert len(said) == (asked["step"] + 1) * len(walker.names[: -len(walker.outputs)])
        for walker.start, _ in starts:
            for name, value, step, output, then in said:
                words = [set(true) - walker.outputs for true in item.problem["trace"]]
                assert (name in words[int(step)]) is (value == "false")
                words[int(step)] ^= {name}
                given = walker.run(words)[1][asked["step"]]
                assert (output in given) is (then == "true")
    assert several


def drawn(spec):
    """One of some 150 items that differ in this, whatever the version is by now."""
    stream = (spec.plugin, "2.2", spec.config_json, spec.split, spec.seed)
    return PLUGIN.call(
        "generate", config=dict(spec.config), index=21, rng=rng_for(*stream, 21, 0), salt=salt_for(*stream),
        split=spec.split, attempt=0,
    )  # fmt: skip


def test_a_cause_whose_single_flips_depend_on_the_start_is_found(monkeypatch):
    spec = make(PLUGIN, {"contingencies": True, "start": "unknown", "machines": "fresh"})
    with monkeypatch.context() as patched:  # as if they were not compared
        patched.setattr(draws.problems, "after_flips", lambda problem: [])
        item = drawn(spec)
        assert certificate.errors(item) == []
    fault = "what the flip of one input leads to depends on the state at step 0"
    assert {*certificate.errors(item)} == {fault}
    assert drawn(spec).problem != item.problem


def test_a_run_that_keeps_what_it_may_not_is_found():
    item = next(
        item for item in items_of(20, contingencies=True) if item.certificate["counterfactuals"]
    )
    first, *others = item.certificate["counterfactuals"]
    for forged, why in (
        (first | {"states": [state + 1 for state in first["states"]]}, "no run in which"),
        (first | {"states": first["states"][:-1]}, "does not fail"),
    ):
        wrong = replace(
            item, certificate={**item.certificate, "counterfactuals": [forged, *others]}
        )
        assert why in certificate.errors(wrong)[0]


def test_no_contingencies_for_effects_of_several_outputs():
    with pytest.raises(SpecError, match="effects of one output"):
        items_of(1, contingencies=True, effects="window")


def test_what_the_account_says_of_single_changes_is_what_the_machine_does_without_keeping():
    line = re.compile(
        r"If (\w+) had been (true|false) at step (\d+), (\w+) would have been (true|false) at step (\d+)"
    )
    kept = 0
    for item in items_of(6, task="min", contingencies=True, wording="narrative"):
        machine, trace = hoa.read(item.problem["hoa"]), item.problem["trace"]
        letters = [
            sum(1 << k for k, name in enumerate(machine.inputs) if name in true) for true in trace
        ]
        listed = line.findall(item.prompt)
        needed = {
            (int(step), literal.removeprefix("!"))
            for step, literals in next(iter(json.loads(item.target).values())).items()
            for literal in literals
        }
        assert len(listed) == len(machine.inputs) * (item.problem["effect"]["step"] + 1)
        for name, value, step, output, then, last in listed:
            word = letters[:]
            word[int(step)] ^= 1 << machine.inputs.index(name)
            assert (name in trace[int(step)]) is not (value == "true")
            mask = machine.run(word)[1][int(last)]
            assert bool(mask >> machine.outputs.index(output) & 1) is (then == "true")
            broken = (then == "true") is not item.problem["effect"]["value"]
            kept += ((int(step), name) in needed) is not broken
    assert kept > 0  # with outputs kept, other inputs are necessary
