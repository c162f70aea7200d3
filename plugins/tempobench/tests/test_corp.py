from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path
from random import Random
from typing import Any

import pytest
from cases import SHARE
from harness_logic import spot_library
from harness_tempobench.engines import corp
from harness_tempobench.engines.corp import Machine
from hypothesis import given, settings
from hypothesis import strategies as st

from harness import Abstained

CASES = Path(__file__).parents[4] / "shared/data/causality/cases.jsonl"


def last(machine: Machine, letters: list[int]) -> int:
    """Return the outputs at the last of some steps."""
    state, output = machine.start, 0
    for letter in letters:
        state, output = machine.table[state][letter]
    return output


@dataclass(frozen=True)
class Case:
    machine: Machine
    letters: list[int]  # of steps 0…k
    place: int
    value: bool

    def cause(self) -> corp.Automaton:
        return corp.cause_automaton(self.machine, self.letters, self.place, self.value)


def random_case(random: Random, states: int, inputs: int, steps: int) -> Case:
    table = [
        [(random.randrange(states), random.randrange(4)) for _ in range(1 << inputs)]
        for _ in range(states)
    ]
    names = tuple(f"in_{i}" for i in range(inputs))
    machine = Machine(names, ("x0", "y"), random.randrange(states), table)
    letters = [random.randrange(1 << inputs) for _ in range(steps)]
    place = random.randrange(2)
    return Case(machine, letters, place, bool(last(machine, letters) >> place & 1))


@st.composite
def cases(draw: st.DrawFn) -> Case:
    inputs = draw(st.integers(0, 3))
    steps = draw(st.integers(1, 8 // max(inputs, 2)))
    states = draw(st.integers(1, 5))
    return random_case(Random(draw(st.integers(0, 10**9))), states, inputs, steps)


def breaking(case: Case) -> list[list[list[int]]]:
    """Try every set of deviations, the smaller ones first; keep those that contain no other."""
    pairs = [(s, i) for s in range(len(case.letters)) for i in range(len(case.machine.inputs))]
    found: list[set[tuple[int, int]]] = []
    for size in range(len(pairs) + 1):
        for chosen in combinations(pairs, size):
            if any(known <= set(chosen) for known in found):
                continue
            letters = list(case.letters)
            for step, place in chosen:
                letters[step] ^= 1 << place
            if bool(last(case.machine, letters) >> case.place & 1) != case.value:
                found.append(set(chosen))
    return [sorted(map(list, one)) for one in found]


def wrong(case: Case, clauses: list[list[list[int]]]) -> Iterator[list[list[list[int]]]]:
    """Yield lists of sets that are not the minimal breaking sets, each nearly so."""
    pairs = [[s, i] for s in range(len(case.letters)) for i in range(len(case.machine.inputs))]
    for n, clause in enumerate(clauses):
        rest = clauses[:n] + clauses[n + 1 :]
        yield rest
        for m in range(len(clause)):
            yield [*rest, clause[:m] + clause[m + 1 :]]
            for other in (pair for pair in pairs if pair not in clause):
                yield [*rest, [*clause[:m], other, *clause[m + 1 :]]]
        for n2 in range(n):
            yield [c for i, c in enumerate(clauses) if i not in (n, n2)] + [clauses[n2] + clause]
        yield [*clauses, [*clause, *([pairs[0]] if pairs[0] not in clause else [])]]
        yield [*clauses, clause]
    yield [*clauses, []]
    yield [*clauses, [[len(case.letters), 0]]]
    yield [*clauses, [[0, len(case.machine.inputs)]]]
    yield [*clauses, [[-1, 0]]]
    yield [*clauses, [[0, corp.MAX_INPUTS]]]
    yield [*clauses, [[0, -1 - corp.MAX_INPUTS]]]
    if not clauses and pairs:
        yield [[pairs[-1]]]


@given(cases())
@settings(max_examples=75, deadline=None)
def test_the_cause_is_what_trying_every_deviation_says(case: Case) -> None:
    clauses = breaking(case)
    cause = case.cause()
    assert cause.equals(clauses)
    assert cause.equals(clauses[::-1])
    assert cause.equals([]) == (not clauses)


@given(cases())
@settings(max_examples=40, deadline=None)
def test_a_list_of_clauses_that_is_nearly_right_is_refused(case: Case) -> None:
    clauses = breaking(case)
    cause = case.cause()
    for candidate in wrong(case, clauses):
        assert not cause.equals(candidate), candidate


BUFFER = Machine(("a", "b"), ("out",), 0, [[(0, 0), (1, 0)] * 2, [(0, 1), (1, 1)] * 2])


def test_a_step_that_the_trace_does_not_have_is_in_no_cause() -> None:
    cause = Case(BUFFER, [1, 3], 0, True).cause()
    assert cause.equals([[[0, 0]]])
    assert not cause.equals([[[0, 0]], [[2, 0]]])


def test_an_effect_that_nothing_can_break_has_the_cause_true() -> None:
    cause = Case(BUFFER, [1], 0, False).cause()
    assert cause.equals([])
    assert cause.equals([])
    assert not cause.equals([[[0, 0]]])
    assert not cause.equals([[]])


@pytest.mark.parametrize(
    ("states", "inputs", "steps"), [(30, 3, 12), (150, 1, 18), (2, 12, 300), (2, 13, 1)]
)
def test_it_abstains_where_it_would_take_too_long(states: int, inputs: int, steps: int) -> None:
    case = random_case(Random(1), states, inputs, steps)
    with pytest.raises(Abstained, match="corp: "):
        case.cause()


def test_simulation_helps_where_there_are_too_many_sets(monkeypatch: pytest.MonkeyPatch) -> None:
    case = random_case(Random(1), 12, 2, 5)
    clauses = breaking(case)
    monkeypatch.setattr(corp, "MAX_SUBSETS", 300)
    assert case.cause().equals(clauses)
    monkeypatch.setattr(corp, "MAX_SIMULATION", 0)
    monkeypatch.setattr(corp, "MAX_SUBSETS", 300 // 8)
    with pytest.raises(Abstained, match="too many sets"):
        case.cause()


def test_it_confirms_no_other_clauses() -> None:
    case = random_case(Random(5), 4, 2, 4)
    clauses = breaking(case)
    assert clauses
    assert case.cause().equals(clauses)
    assert not case.cause().equals(clauses[1:])


def machine_of(text: str, inputs: list[str], outputs: list[str]) -> Machine:
    """Read a machine with Spot, so that no reader of the plugin's is taken on trust."""
    spot, buddy = spot_library.modules()
    graph = spot.automaton_stream_parser(text, "machine").parse(spot.make_bdd_dict()).aut
    names = [proposition.ap_name() for proposition in graph.ap()]
    variables = {name: graph.register_ap(name) for name in names}

    def row(state: int) -> Iterator[tuple[int, int]]:
        for letter in range(1 << len(inputs)):
            label = buddy.bddtrue
            for i, name in enumerate(inputs):
                if name in variables:
                    literal = buddy.bdd_ithvar if letter >> i & 1 else buddy.bdd_nithvar
                    label &= literal(variables[name])
            edges = [(edge.dst, edge.cond & label) for edge in graph.out(state)]
            [(to, condition)] = [edge for edge in edges if edge[1] != buddy.bddfalse]
            true = [
                (condition & buddy.bdd_nithvar(variables[name])) == buddy.bddfalse
                if name in variables
                else False
                for name in outputs
            ]
            yield to, sum(bit << i for i, bit in enumerate(true))

    table = [list(row(state)) for state in range(graph.num_states())]
    return Machine(tuple(inputs), tuple(outputs), graph.get_init_state_number(), table)


def published(data: dict[str, Any]) -> Any:
    """The automaton of a reference cause, its inputs called as the engine calls them."""
    session = corp._session()
    stream = session.spot.automaton_stream_parser(data["cause_hoa"], "cause")
    automaton = stream.parse(session.dictionary).aut
    renaming = session.spot.relabeling_map()
    for place, name in enumerate(data["inputs"]):
        proposition = session.spot.formula.ap
        renaming[proposition(name)] = proposition(f"x{place}")
    session.spot.relabel_here(automaton, renaming)
    return automaton


@pytest.mark.skipif(not CASES.is_file(), reason=f"no {CASES}: the project's reference causes")
def test_the_reference_causes() -> None:
    lines, spot = CASES.read_text().splitlines(), spot_library.modules()[0]
    assert len(lines) == 300
    for number, line in [*enumerate(lines, 1)][::SHARE]:
        data = json.loads(line)
        machine = machine_of(data["machine"], data["inputs"], data["outputs"])
        letters = [
            sum(bool(step[name]) << i for i, name in enumerate(data["inputs"]))
            for step in data["trace"]
        ]
        at, name = data["effect"]["step"], data["effect"]["ap"]
        place, value = data["outputs"].index(name), bool(data["trace"][at][name])
        cause = corp.cause_automaton(machine, letters[: at + 1], place, value)
        assert spot.are_equivalent(cause._cause, published(data)), number
        assert cause.equals([]) == (data["clauses"] == 0), number


@given(cases())
@settings(max_examples=50, deadline=None)
def test_the_clauses_read_off_the_automaton_are_the_breaking_sets(case: Case) -> None:
    clauses = breaking(case)
    assert [[list(pair) for pair in one] for one in case.cause().clauses()] == clauses


def test_the_clauses_of_larger_machines_are_those_that_it_confirms() -> None:
    for seed, states, inputs, steps in ((1, 12, 3, 5), (2, 8, 1, 20), (3, 6, 4, 3), (4, 20, 2, 5)):
        cause = random_case(Random(seed), states, inputs, steps).cause()
        clauses = cause.clauses()
        assert len(clauses) > 2
        assert list(clauses) == sorted(clauses, key=lambda clause: (len(clause), clause))
        assert cause.equals(clauses)
        assert not cause.equals(clauses[1:])


def test_more_clauses_than_allowed(monkeypatch: pytest.MonkeyPatch) -> None:
    cause = random_case(Random(5), 8, 2, 6).cause()
    number = len(cause.clauses())
    assert number > 2
    monkeypatch.setattr(corp, "MAX_CLAUSES", number)
    clauses = cause.clauses()
    monkeypatch.setattr(corp, "MAX_CLAUSES", number - 1)
    with pytest.raises(Abstained, match=f"more than {number - 1} clauses"):
        cause.clauses()
    monkeypatch.setattr(corp, "MAX_LEFT", 500)
    for call in (cause.clauses, lambda: cause.equals(clauses)):
        with pytest.raises(Abstained, match="too many states"):
            call()
    monkeypatch.setattr(corp, "MAX_LISTED", number - 1)
    with pytest.raises(Abstained, match=f"{number} clauses are more than"):
        cause.equals(clauses)
