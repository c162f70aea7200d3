"""Traces that show some outputs only: what is possible then, by definition, and what the items say."""

import random
from collections import Counter
from itertools import combinations

import pytest
from cases import some
from harness_tempobench import certificate, engines, hoa, reading, targets
from harness_tempobench import problem as problems
from harness_tempobench.answers.score import score
from tb_items import PLUGIN, items_of
from tb_machines import lazy_machine, random_letters, random_machine

from harness import Abstained, ExhaustedError, HarnessError

STEPS = 4


def masks_from(machine, state, letters):
    masks = []
    for letter in letters:
        state, mask = machine.table[state][letter]
        masks.append(mask)
    return masks


class Drawn:
    """A random machine with a run, some outputs hidden, and an effect: everything by definition."""

    def __init__(self, rng):
        make = rng.choice((random_machine, lazy_machine))
        self.machine = make(rng, rng.randint(1, 5), rng.randint(1, 2)).canonical()
        self.letters = random_letters(rng, self.machine, STEPS)
        self.hidden = rng.choice(self.machine.outputs)
        self.unknown = rng.random() < 0.6
        states = range(len(self.machine.table))
        first = rng.choice(states) if self.unknown else self.machine.start
        self.masks = masks_from(self.machine, first, self.letters)
        self.step, self.place = rng.randrange(STEPS), rng.randrange(2)
        self.value = bool(self.masks[self.step] >> self.place & 1)
        starts = states if self.unknown else [first]
        self.possible = [state for state in starts if self.fits(state)]

    def fits(self, state):
        masks = masks_from(self.machine, state, self.letters)
        return self.cut(masks) == self.cut(self.masks) and not self.breaks(state, ())

    def cut(self, masks):
        trace = problems.trace(self.machine, self.letters, masks)
        return [[name for name in step if name != self.hidden] for step in trace]

    def breaks(self, state, flips):
        word = list(self.letters)
        for step, index in flips:
            word[step] ^= 1 << index
        mask = masks_from(self.machine, state, word)[self.step]
        return bool(mask >> self.place & 1) is not self.value

    def answers(self, task):
        """Return what each possible state would make the answer."""
        inputs = range(len(self.machine.inputs))
        pairs = [(step, index) for step in range(self.step + 1) for index in inputs]
        most = len(pairs) if task == "tce" else 1
        found = set()
        for state in self.possible:
            minimal = []
            for size in range(1, most + 1):
                for flips in combinations(pairs, size):
                    smaller = any(set(known) <= set(flips) for known in minimal)
                    if not smaller and self.breaks(state, flips):
                        minimal.append(flips)
            found.add(tuple(minimal))
        return found

    def problem(self, task):
        output = self.machine.outputs[self.place]
        shown = [name for name in self.machine.outputs if name != self.hidden]
        problem = {"task": task, "hoa": hoa.write(self.machine), "trace": self.cut(self.masks)}
        problem |= {"effect": {"output": output, "value": self.value, "step": self.step}}
        problem |= {"shown": shown} | ({"label": "full"} if task == "tce" else {})
        return problem | ({"start": "unknown"} if self.unknown else {})


def test_the_answer_is_that_of_every_possible_run_or_there_is_none():
    rng, seen = random.Random(3), Counter()
    for _ in range(max(some(200), 50)):
        drawn = Drawn(rng)
        for task, names in (("tce", ("exact", "spot", "sat")), ("min", ("exact", "spot"))):
            problem, answers = drawn.problem(task), drawn.answers(task)
            seen[task, len(answers) > 1, len(drawn.possible) > 1] += 1
            for engine in names:
                if len(answers) > 1:
                    with pytest.raises(Abstained, match="leaves open"):
                        engines.solve(problem, engine)
                    continue
                target = targets.cause_target(
                    problem["effect"], drawn.machine.inputs, drawn.letters, *answers, task == "tce"
                )
                assert engines.solve(problem, engine).answer == target
    assert len(seen) == 6
    assert min(seen.values()) > some(10)


def test_a_trace_is_accepted_if_what_it_shows_fits():
    rng, seen = random.Random(4), Counter()
    for _ in range(max(some(200), 50)):
        drawn = Drawn(rng)
        own = masks_from(drawn.machine, drawn.machine.start, drawn.letters)
        masks = list(own)
        masks[rng.randrange(STEPS)] ^= rng.randrange(4)
        problem = {key: value for key, value in drawn.problem("tte").items() if key != "effect"}
        problem |= {"trace": drawn.cut(masks)}
        problem.pop("start", None)
        pairs = zip(drawn.cut(masks), drawn.cut(own), strict=True)
        fault = next((step for step, (seen, due) in enumerate(pairs) if seen != due), None)
        seen[fault is None, masks == own] += 1
        states = drawn.machine.run(drawn.letters)[0][: STEPS + 1 if fault is None else fault + 1]
        target = targets.run_target(drawn.machine.inputs, drawn.letters, states, fault is None)
        for engine in ("exact", "spot", "text"):
            assert engines.solve(problem, engine).answer == target
    assert seen[True, False] > some(10)  # the same trace, shown in full, would be rejected


@pytest.mark.parametrize(
    "values",
    [
        {}, {"start": "unknown", "notation": "prose"}, {"task": "min", "wording": "narrative"},
        {"task": "min", "start": "unknown", "notation": "table"}, {"task": "tte"},
        {"task": "tte", "wording": "narrative", "hoa": "numbers"}, {"task": "min", "unseen": 2},
    ],
)  # fmt: skip
def test_items_are_read_back_and_solved(values):
    for item in items_of(max(some(8), 2), **{"unseen": 1, **values}):
        machine = problems.engine(item.problem["hoa"]).machine
        assert len(machine.outputs) - len(item.problem["shown"]) == values.get("unseen", 1)
        hidden = set(machine.outputs) - set(item.problem["shown"])
        assert not hidden & {name for step in item.problem["trace"] for name in step}
        problem = reading.read(item.prompt)
        assert problem == item.problem
        assert engines.solve(problem, "spot").answer == item.target
        assert certificate.errors(item) == []
        assert score(item, f"Answer: {item.target}").value["exact"] == 1
        assert PLUGIN.call_json("trace", item=item) is None


def test_what_cannot_be_hidden():
    with pytest.raises(ExhaustedError, match="few outputs"):
        items_of(1, unseen=39)
    problem = Drawn(random.Random(1)).problem("min")
    for change in ({"shown": ["q"]}, {"trace": [["o0", "o1"]] * STEPS}):
        with pytest.raises(HarnessError, match=r"trace (shows 'q'|names an output)"):
            problems.case({**problem, **change})
    assert "shown" not in items_of(1, task="sim", unseen=1)[0].problem
