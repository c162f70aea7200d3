from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import combinations
from pathlib import Path
from random import Random
from typing import Any

import harness_guard
import pytest
from harness_tempobench import hoa
from harness_tempobench.engines import brute, sat
from harness_tempobench.errors import CauseError
from harness_tempobench.machine import Machine
from tb_machines import cause_of, lazy_machine, random_letters, random_machine

from harness import Abstained

CASES = Path(__file__).parents[4] / "shared/data/causality/cases.jsonl"

Clauses = tuple[tuple[tuple[int, int], ...], ...]


class Case:
    """A machine, letters and an effect at the last step."""

    def __init__(self, machine: Machine, letters: tuple[int, ...], output: str = "o0") -> None:
        place = machine.outputs.index(output)
        self.machine, self.letters, self.output = machine, letters, output
        self.step = len(letters) - 1
        self.value = bool(machine.run(letters)[1][-1] >> place & 1)
        self.pairs = [(s, i) for s in range(len(letters)) for i in range(len(machine.inputs))]

    def arguments(self) -> tuple[Any, ...]:
        m = self.machine
        data = {"inputs": m.inputs, "outputs": m.outputs, "start": m.start, "table": m.table}
        return json.dumps(data), self.letters, self.step, self.output, self.value

    def exact(self) -> Clauses:
        args = (self.machine, self.letters, None, self.step, self.output, self.value)
        return cause_of(*args).clauses

    def sat(self) -> Clauses:
        return tuple(tuple((s, i) for s, i in c) for c in sat.cause(*self.arguments()))

    def confirmed(self, clauses: Any) -> bool:
        return sat.confirm(*self.arguments(), clauses)


def case_of(seed: int, pairs: int = 12) -> Case:
    random = Random(seed)
    inputs = random.randrange(5)
    make = lazy_machine if inputs and seed % 2 else random_machine
    machine = make(random, random.randint(1, 9), inputs)
    steps = random.randint(1, pairs // inputs if inputs else 5)
    return Case(machine, random_letters(random, machine, steps), f"o{seed % 3 % 2}")


def wrong(clauses: Clauses, pairs: list[tuple[int, int]]) -> Iterator[list[Any]]:
    """Yield lists that are nearly the given one, and none of them a list of what it lists."""
    for n, clause in enumerate(clauses):
        rest = [*clauses[:n], *clauses[n + 1 :]]
        yield rest
        for m in range(len(clause)):
            yield [*rest, clause[:m] + clause[m + 1 :]]
        for other in [pair for pair in pairs if pair not in clause]:
            yield [*rest, (*clause, other)]
            yield [*clauses, (*clause, other)]
            yield [*rest, (*clause[1:], other)]
        yield [*clauses, clause]
    for one in combinations(pairs, 1):
        if one not in clauses:
            yield [*clauses, one]
    yield [*clauses, ()]
    yield [*clauses, ((-1, 0),)]
    yield [*clauses, ((pairs[-1][0] + 1 if pairs else 1, 0),)]
    yield [*clauses, ((0, 12),)]


@pytest.mark.parametrize("block", range(4))
def test_three_engines_agree(block: int) -> None:
    for seed in range(block * 60, block * 60 + 60):
        case = case_of(seed)
        exact = case.exact()
        assert case.sat() == exact, seed
        assert case.confirmed(exact), seed
        if len(case.pairs) <= 8:
            brutal = brute.cause(case.machine, case.letters, case.step, case.output, case.value)
            assert brutal == exact, seed


def test_lists_that_are_nearly_right_are_refused() -> None:
    tried = 0
    for seed in range(60):
        case = case_of(seed, 8)
        exact = case.exact()
        assert case.confirmed(exact[::-1])
        for candidate in wrong(exact, case.pairs):
            assert not case.confirmed(candidate), (seed, candidate)
            tried += 1
    assert tried > 1000


def test_deep_and_wide_machines_agree() -> None:
    for seed, states, inputs, steps in (
        (1, 60, 2, 12),
        (2, 12, 8, 4),
        (3, 6, 1, 41),
        (4, 40, 3, 9),
    ):
        machine = lazy_machine(Random(seed), states, inputs)
        case = Case(machine, random_letters(Random(seed), machine, steps))
        exact = case.exact()
        assert exact
        assert case.confirmed(exact)
        assert not case.confirmed(exact[:-1])
        assert not case.confirmed(exact[1:])


@pytest.mark.skipif(not CASES.is_file(), reason=f"no {CASES}: the project's reference causes")
def test_the_reference_causes_as_far_as_they_are_counted() -> None:
    for line in CASES.read_text().splitlines()[::10]:
        data = json.loads(line)
        machine = hoa.read(data["machine"])
        letters = machine.split(data["trace"])[0][: data["effect"]["step"] + 1]
        case = Case(machine, letters, data["effect"]["ap"])
        found = case.sat()
        assert found == case.exact()
        assert len(found) == data["clauses"]


BUFFER = Machine(("a", "b"), ("o0",), 0, (((0, 0), (1, 0)) * 2, ((0, 1), (1, 1)) * 2))


def test_an_effect_that_nothing_breaks_has_no_clauses() -> None:
    case = Case(BUFFER, (1,))
    assert case.sat() == ()
    assert case.confirmed([])
    assert not case.confirmed([[[0, 0]]])


def test_a_machine_without_inputs() -> None:
    case = Case(Machine((), ("o0",), 0, (((1, 0),), ((0, 1),))), (0, 0, 0, 0))
    assert case.sat() == ()
    assert case.confirmed([])


def test_what_is_no_effect_is_refused_in_one_line() -> None:
    arguments = list(Case(BUFFER, (1, 0)).arguments())
    arguments[4] = False
    for function in (sat.cause, lambda *a: sat.confirm(*a, [])):
        with pytest.raises(
            CauseError, match="o0 is true at step 1 of the trace: no effect"
        ) as caught:
            function(*arguments)
        assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("bound", "value"),
    [("MAX_CELLS", 100), ("MAX_DECISIONS", 100), ("MAX_PROPAGATIONS", 10)],
)
def test_beyond_a_bound_it_abstains(
    monkeypatch: pytest.MonkeyPatch, bound: str, value: int
) -> None:
    machine = random_machine(Random(1), 20, 3)
    case = Case(machine, random_letters(Random(1), machine, 8))
    exact = case.exact()
    monkeypatch.setattr(sat, bound, value)
    with pytest.raises(Abstained, match="sat: "):
        case.confirmed(exact)
    with pytest.raises(Abstained, match="sat: "):
        case.sat()


def test_more_clauses_than_allowed(monkeypatch: pytest.MonkeyPatch) -> None:
    machine = lazy_machine(Random(3), 8, 2)
    case = Case(machine, random_letters(Random(3), machine, 8))
    clauses = len(case.exact())
    assert clauses > 1
    monkeypatch.setattr(sat, "MAX_CLAUSES", clauses)
    assert len(case.sat()) == clauses
    monkeypatch.setattr(sat, "MAX_CLAUSES", clauses - 1)
    with pytest.raises(Abstained, match=f"more than {clauses - 1} clauses"):
        case.sat()


def test_it_works_in_a_worker() -> None:
    case = next(case for case in map(case_of, range(99)) if len(case.exact()) > 2)
    exact = [[list(pair) for pair in clause] for clause in case.exact()]
    assert harness_guard.call("harness_tempobench.engines.sat:cause", *case.arguments()) == exact
    confirm = "harness_tempobench.engines.sat:confirm"
    assert harness_guard.call(confirm, *case.arguments(), exact) is True
    assert harness_guard.call(confirm, *case.arguments(), exact[1:]) is False
