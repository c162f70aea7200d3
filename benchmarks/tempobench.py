"""Speed of the tempobench plugin: causes against the automata construction, and traces.

    make bench        or        python benchmarks/tempobench.py [quick]

Causes. Two peers, each in a guarded worker with a limit per call, both on Spot and both timed in the
same run as the exact engine (CPU time, so that a busy machine does not matter):

- "literal" follows the literature (Finkbeiner et al., CAV 2024) step by step, as its tool CORP does: product
  of the system with the effect's negation and with the closeness to the trace, which is a lasso;
  projection; complement of the Büchi automaton. It is written here, not taken from CORP.
- "own" is `harness_tempobench.engines.corp`, the second engine of the plugin: the same construction, cut to
  effects `X^k o`, with its bounds lifted. It is faster than the literature's by an order of magnitude.

Every call of a peer also confirms the exact engine's clauses, outside of what is timed. Where a
peer runs out of time or memory, the seconds that it had are a lower bound, shown by ≥.

`quick` takes a minute at most, otherwise two to four. `tempobench_causes.py` has other peers,
`tempobench_items.py` items, and causes that are deep.
"""

from __future__ import annotations

import random
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from statistics import median
from typing import Any

import harness_guard
from harness_logic import spot_library
from harness_tempobench import hoa, shipped_machines
from harness_tempobench.engines import causes, corp
from harness_tempobench.machine import Machine, walk

from harness import Abstained, EngineError
from harness.cli.tables import grid

PEERS = ("literal", "own")
CASES = 15
GIVE_UP = 3  # calls of a peer without a result after which a row asks it no more

DEPTHS = (0, 5, 10, 20, 30, 40)
SIZES = ((2, 3), (4, 8), (9, 16), (17, 32), (33, 100))


@dataclass(frozen=True)
class Case:
    """An effect on a trace: output ``output`` at ``step``."""

    machine: Machine
    letters: tuple[int, ...]
    step: int
    output: int

    @property
    def value(self) -> bool:
        """The value that the output has there."""
        return bool(self.machine.run(self.letters)[1][self.step] >> self.output & 1)


# The machines


def random_machine(rng: random.Random, states: int, inputs: int) -> Machine:
    """Return a machine whose moves depend on all inputs, or on two of them as in controllers."""
    seen = range(inputs) if rng.random() < 0.5 else rng.sample(range(inputs), min(2, inputs))

    def row() -> list[tuple[int, int]]:
        ends = [(rng.randrange(states), rng.randrange(4)) for _ in range(1 << len(seen))]
        return [
            ends[sum((letter >> bit & 1) << i for i, bit in enumerate(seen))]
            for letter in range(1 << inputs)
        ]

    names = tuple(f"i{i}" for i in range(inputs))
    return Machine(names, ("o0", "o1"), 0, tuple(map(tuple, (row() for _ in range(states)))))


@cache
def shipped(fewest: int, most: int) -> tuple[Machine, ...]:
    """Return the machines of the shipped families that have so many states."""
    entries = shipped_machines.shipped()
    return tuple(
        shipped_machines.machine(entry) for entry in entries if fewest <= entry.states <= most
    )


def case_of(rng: random.Random, machine: Machine, depth: int) -> Case:
    """Return an effect at the last step of a random walk."""
    letters = walk(machine, depth + 1, rng)[0]
    return Case(machine, letters, depth, rng.randrange(len(machine.outputs)))


# The peers: what runs in a guarded worker


def peer(
    kind: str, text: str, letters: list[int], step: int, output: str, clauses: list[Any]
) -> dict[str, Any]:
    """Return CPU seconds of a construction, and whether it confirms the clauses (None: not known)."""
    machine = hoa.read(text)
    place = machine.outputs.index(output)
    value = bool(machine.run(letters)[1][step] >> place & 1)
    corp.MAX_SIZE = corp.MAX_LAYERS = corp.MAX_MATRIX = 2**40
    corp.MAX_SUBSETS = corp.MAX_STATES = 2**30
    start = time.process_time()
    if kind == "literal":
        result = literal(machine, letters, place, value)
        seconds = time.process_time() - start
        if len(machine.table) > 8:
            return {"seconds": seconds, "agrees": None}  # comparing would take longer than all else
    own = corp.cause_automaton(
        corp.Machine(machine.inputs, machine.outputs, machine.start, machine.table),
        letters[: step + 1], place, value,
    )  # fmt: skip
    if kind == "own":
        seconds = time.process_time() - start
    try:
        agrees = own.equals(clauses) and (kind == "own" or same(own, result, machine.inputs))
    except Abstained:  # there are bounds to comparing, too
        return {"seconds": seconds, "agrees": None}
    return {"seconds": seconds, "agrees": agrees}


def same(own: corp.Automaton, text: str, names: Iterable[str]) -> bool:
    """Return whether an automaton in HOA over these inputs, which "own" numbers, is its cause."""
    session = corp._session()
    proposition, renaming = session.spot.formula.ap, session.spot.relabeling_map()
    for place, name in enumerate(names):
        renaming[proposition(name)] = proposition(f"x{place}")
    automaton = session.spot.automaton_stream_parser(text, "literal").parse(session.dictionary).aut
    session.spot.relabel_here(automaton, renaming)
    return bool(session.spot.are_equivalent(own._cause, automaton))


def literal(machine: Machine, letters: list[int], place: int, value: bool) -> str:
    """Return the cause of an output's value at the last step, as the literature makes it, in HOA.

    What is read and what it is compared with are two traces side by side; the compared one may
    deviate from the actual trace at most where the other does.
    """
    spot, buddy = spot_library.modules()
    dictionary = spot.make_bdd_dict()
    steps = len(letters)

    def signed(variable: int, positive: int) -> Any:
        return (buddy.bdd_ithvar if positive else buddy.bdd_nithvar)(variable)

    system = spot.make_twa_graph(dictionary)
    compared = [system.register_ap(f"compared {name}") for name in machine.inputs]
    effect = system.register_ap("effect")
    system.new_states(len(machine.table))
    system.set_init_state(machine.start)
    for state, row in enumerate(machine.table):
        for letter, (following, mask) in enumerate(row):
            label = signed(effect, mask >> place & 1)
            for i, variable in enumerate(compared):
                label &= signed(variable, letter >> i & 1)
            system.new_edge(state, following, label)
    system.merge_edges()

    close = spot.make_twa_graph(dictionary)
    read = [close.register_ap(name) for name in machine.inputs]
    compared = [close.register_ap(f"compared {name}") for name in machine.inputs]
    close.new_states(steps)
    close.set_init_state(0)
    for step, letter in enumerate(letters):
        label = buddy.bddtrue
        for i, (x, y) in enumerate(zip(read, compared, strict=True)):
            label &= signed(y, letter >> i & 1) | signed(x, not letter >> i & 1)
        close.new_edge(step, min(step + 1, steps - 1), label)

    formula = spot.formula("X" * (steps - 1) + ("!effect" if value else " effect"))
    fails = spot.translate(formula, "Buchi", "small", dict=dictionary)
    projection = spot.remove_ap()
    for name in machine.inputs:
        projection.add_ap(f"compared {name}")
    projection.add_ap("effect")
    violating = projection.strip(spot.product(spot.product(system, fails), close))
    return str(spot.complement(violating).to_str("hoa"))


# Causes


class Row:
    """Times of the exact engine and of the peers on cases of one kind."""

    def __init__(self, limit: float) -> None:
        self.limit = limit
        self.exact: list[float] = []
        self.abstained = 0
        self.ratios: dict[str, list[float]] = {kind: [] for kind in PEERS}
        self.lost = dict.fromkeys(PEERS, 0)
        self.confirmed = 0

    def add(self, case: Case) -> None:
        """Measure one case."""
        value = case.value
        start = time.process_time()
        try:
            cause = causes.Engine(case.machine).cause(
                case.letters, None, case.step, case.output, value
            )
        except causes.Abstained:
            self.abstained += 1
            return
        finally:
            self.exact.append(time.process_time() - start)
        for kind in PEERS:
            if self.lost[kind] < GIVE_UP:
                self._ask(kind, case, cause)

    def _ask(self, kind: str, case: Case, cause: causes.Cause) -> None:
        begun = time.perf_counter()
        try:
            said = harness_guard.call(
                f"{Path(__file__).stem}:peer",
                *(kind, hoa.write(case.machine), case.letters[: case.step + 1], case.step),
                *(case.machine.outputs[case.output], cause.clauses),
                seconds=self.limit,
                memory_mb=1024,
            )
        except EngineError:  # Abstained is one
            self.lost[kind] += 1
            seconds = min(self.limit, time.perf_counter() - begun)
        else:
            if said["agrees"] is False:
                sys.exit(f"the {kind} construction does not confirm {cause.clauses} on {case}")
            self.confirmed += said["agrees"] is True
            seconds = said["seconds"]
        self.ratios[kind].append(seconds / self.exact[-1])

    def cells(self) -> list[str]:
        """Return the cells of the table."""
        if not self.exact:
            return ["–"] * 6
        per_second = 1 / median(self.exact)
        return [
            str(len(self.exact)),
            str(self.abstained),
            f"{per_second:,.0f}",
            *(self._ratio(kind) for kind in PEERS),
            str(self.confirmed),
        ]

    def _ratio(self, kind: str) -> str:
        if not self.ratios[kind]:
            return "–"
        return ("≥ " if self.lost[kind] else "") + f"{median(self.ratios[kind]):,.0f}"


HEAD = ["cases", "exact abstains", "causes/s", "× literal (median)", "× own (median)", "confirmed"]


def measured(cases: Iterable[Case], limit: float, budget: float) -> list[str]:
    """Return the cells of a row: as many of the cases as fit into a budget of wall time."""
    row, start = Row(limit), time.perf_counter()
    for case in cases:
        row.add(case)
        if time.perf_counter() - start > budget:
            break
    return row.cells()


def random_cases(states: int, inputs: int, depth: int) -> Iterator[Case]:
    """Return effects on random machines."""
    rng = random.Random(f"{states} {inputs} {depth}")
    for _ in range(CASES):
        yield case_of(rng, random_machine(rng, states, inputs), depth)


def shipped_cases(sizes: tuple[int, int], depth: int | None) -> Iterator[Case]:
    """Return effects on machines of the shipped families; no depth: 0 to 12."""
    rng = random.Random(f"{sizes} {depth}")
    for _ in range(CASES):
        machine = rng.choice(shipped(*sizes))
        yield case_of(rng, machine, rng.randint(0, 12) if depth is None else depth)


def cause_tables(quick: bool) -> Iterator[str]:
    """Yield the tables of ratios."""
    limit, budget = (2.0, 2.0) if quick else (8.0, 6.0)
    list(random_cases(4, 2, 4))  # nobody is timed while modules are still being imported
    harness_guard.call(f"{Path(__file__).stem}:peer", *_TINY, seconds=60)

    rows = [["random machines", *HEAD]]
    for states in (4, 8, 16, 24, 32):
        cells = measured(random_cases(states, 2, 8), limit, budget)
        rows.append([f"{states} states, 2 inputs, depth 8", *cells])
    for inputs in (1, 4, 6, 8) if quick else range(1, 9):
        cells = measured(random_cases(6, inputs, 4), limit, budget)
        rows.append([f"6 states, {inputs} inputs, depth 4", *cells])
    yield grid(rows)

    rows = [["shipped families", *HEAD]]
    for sizes in SIZES:
        cells = measured(shipped_cases(sizes, None), limit, budget)
        rows.append([f"{sizes[0]} to {sizes[1]} states, depth 0 to 12", *cells])
    for depth in DEPTHS[::2] if quick else DEPTHS:
        cells = measured(shipped_cases((4, 8), depth), limit, budget)
        rows.append([f"4 to 8 states, depth {depth}", *cells])
    yield grid(rows)


_TINY = (
    "own",
    hoa.write(Machine(("i",), ("o",), 0, (((0, 0), (0, 1)),))),
    *([1], 0, "o", [[[0, 0]]]),
)


def large(quick: bool) -> str:
    """Return the table of big machines: 200 states and more at depth 20, none above a second."""
    rng = random.Random(0)
    kinds: tuple[tuple[str, Callable[[], Machine]], ...] = (
        ("shipped, 200 to 300 states", lambda: rng.choice(shipped(200, 300))),
        ("random, 200 states, 1 input", lambda: random_machine(rng, 200, 1)),
        ("random, 200 states, 2 inputs", lambda: random_machine(rng, 200, 2)),
        ("random, 200 states, 4 inputs", lambda: random_machine(rng, 200, 4)),
    )
    rows = [["depth 20", "cases", "exact abstains", "median s", "longest s"]]
    for name, machine in kinds:
        row = Row(0)
        row.lost = dict.fromkeys(PEERS, GIVE_UP)
        for _ in range(8 if quick else 30):
            row.add(case_of(rng, machine(), 20))
        times = [f"{median(row.exact):.4f}", f"{max(row.exact):.3f}"]
        rows.append([name, str(len(row.exact)), str(row.abstained), *times])
    return grid(rows)


# Traces


def traces(seconds: float) -> str:
    """Return the table of steps per second, on a machine of each shipped family."""
    machines = shipped(4, 32)
    rng = random.Random(0)

    def walks(steps: int) -> None:
        for machine in machines:
            walk(machine, steps, rng)

    def runs(steps: int) -> None:
        for machine in machines:
            machine.run([machine.letters - 1] * steps)

    kinds: tuple[tuple[str, Callable[[int], None], int], ...] = (
        ("random walks of 10 steps", walks, 10),
        ("random walks of 1,000 steps", walks, 1_000),
        ("runs of 1,000 given steps", runs, 1_000),
    )
    rows = [["traces", "steps/s"]]
    for name, work, steps in kinds:
        start, done = time.process_time(), 0
        while time.process_time() - start < seconds:
            work(steps)
            done += steps * len(machines)
        rows.append([name, f"{done / (time.process_time() - start):,.0f}"])
    return grid(rows)


def main() -> None:
    """Print the tables."""
    quick = "quick" in sys.argv[1:]
    for table in cause_tables(quick):
        print(table, "\n", flush=True)
    print(large(quick), "\n", flush=True)
    print(traces(0.3 if quick else 2.0))


if __name__ == "__main__":
    main()
