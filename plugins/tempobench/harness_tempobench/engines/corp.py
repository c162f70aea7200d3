"""The automata construction of a cause, on Spot: the second opinion on what the exact engine says.

After Finkbeiner, Frenkel, Metzger, Siber, Synthesis of temporal causality (CAV 2024), for effects
`X^k o` and `X^k !o`. An automaton reads the inputs of steps 0…k and guesses, step by step, inputs
that deviate from the actual trace at most where those that it reads do; it moves the machine with
its guess, and accepts if the effect fails. Determinised and complemented it is the cause.

Determinising is exponential in the machine's states, hence `Abstained` beyond the bounds
below. Nothing written by somebody else reaches Spot: automata are built edge by edge,
inputs are called x0, x1, … inside. Spot keeps global state: one thread at a time, and best in a
guarded worker, as `spot` is called.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache, reduce
from itertools import combinations
from operator import and_, or_
from typing import Any, TypeAlias

from harness_logic import spot_library

from harness import Abstained

MAX_INPUTS = 12
"""Inputs that a machine may have."""

MAX_SIZE = 250_000
"""States × steps × letters beyond which this engine abstains without looking."""

MAX_LAYERS = 10_000  # states × steps, likewise: both bounds take 2–3 s (2 GHz, one core)

MAX_MATRIX = 500_000_000
"""Square of the guessing automaton's states × letters: bits of a table that Spot makes."""

MAX_SIMULATION = 500_000
"""The same, for looking which states simulate which: that took up to 4 s (2 GHz, one core)."""

MAX_SUBSETS = 400_000
"""Sets of states × letters up to which Spot determinises."""

MAX_STATES = 20_000
"""Sets of states up to which Spot determinises; finding the smallest automaton takes 2 s then."""

MAX_CLAUSES = 500
"""Sets beyond which `Automaton.clauses` abstains."""

MAX_LISTED = 2_000
"""Sets that are compared with a cause."""

MAX_LEFT = 2_000_000
"""States × letters + 20 × edges of all automata that this takes: 0.2–2 s (2 GHz, one core)."""


Clause: TypeAlias = "tuple[tuple[int, int], ...]"
"""The (step, input) of a minimal breaking set, in order."""


@dataclass(frozen=True, slots=True)
class Machine:
    """A machine: for every state and letter the next state and the output mask (CONTRACT.md)."""

    inputs: tuple[str, ...]
    outputs: tuple[str, ...]
    start: int
    table: Sequence[Sequence[tuple[int, int]]]


class Automaton:
    """A cause as a deterministic automaton over a machine's inputs; free after the effect's step."""

    def __init__(self, inputs: int, letters: Sequence[int], violations: Any) -> None:
        """Take the deterministic automaton of the words that do not satisfy the cause."""
        self._inputs = inputs
        self._letters = tuple(letters)  # of steps 0…k
        self._violations = violations
        self._cause = _session().complement(violations)

    def equals(self, clauses: Sequence[Sequence[Sequence[int]]]) -> bool:
        """Return whether the cause is this list of minimal breaking sets (CONTRACT.md).

        Each is a list of [step, input]; as sets, none may contain another one.

        Raises `Abstained`: more than `MAX_LISTED` of them, or automata beyond `MAX_LEFT`.
        """
        if len(clauses) > MAX_LISTED:
            raise Abstained(f"corp: {len(clauses)} clauses are more than {MAX_LISTED}")
        sets = [frozenset((step, place) for step, place in clause) for clause in clauses]
        steps, places = range(len(self._letters)), range(self._inputs)
        if not all(s in steps and p in places for clause in sets for s, p in clause):
            return False
        if any(first <= other or other <= first for first, other in combinations(sets, 2)):
            return False
        left = _Left(self._violations, len(places), self._letters)
        for clause in sets:
            fails = left.leave_out(clause)
            if self._cause.intersects(fails):
                return False
        return bool(left.words.is_empty())

    def clauses(self) -> tuple[Clause, ...]:
        """Return the minimal breaking sets (CONTRACT.md), by size and content.

        Each is read off a violating word by undoing its deviations one by one, as long as the word
        still violates; the words that violate by this set are then left out.

        Raises `Abstained`: more than `MAX_CLAUSES` of them, or automata beyond `MAX_LEFT`.
        """
        walk = _Walk(_session().read_vars[: self._inputs], self._violations, self._letters)
        left = _Left(self._violations, self._inputs, self._letters)
        minimal: list[Clause] = []
        while (run := left.words.accepting_run()) is not None:
            if len(minimal) == MAX_CLAUSES:
                raise Abstained(f"corp: the cause has more than {MAX_CLAUSES} clauses")
            minimal.append(walk.smallest(walk.deviations(run)))
            left.leave_out(frozenset(minimal[-1]))
        return tuple(sorted(minimal, key=lambda clause: (len(clause), clause)))


class _Walk:
    """Runs of a deterministic automaton on words that deviate from the actual letters."""

    def __init__(self, variables: Sequence[int], automaton: Any, letters: Sequence[int]) -> None:
        """Take the BDD variables of the inputs, Spot's automaton, and the letters of steps 0…k."""
        self._buddy = spot_library.modules()[1]
        self._variables, self._letters = variables, letters
        self._start = automaton.get_init_state_number()
        self._edges = [
            [(edge.dst, edge.cond) for edge in automaton.out(state)]
            for state in range(automaton.num_states())
        ]
        self._known: dict[tuple[int, int], int | None] = {}

    def deviations(self, run: Any) -> list[tuple[int, int]]:
        """Return (step, input) where a run says that its word deviates; else it need not.

        The run is one of Spot's. What its cycle reads comes after step k or does not matter: no
        state but the one that accepts everything can be visited twice.
        """
        deviating = []
        for step, (letter, part) in enumerate(zip(self._letters, run.prefix, strict=False)):
            label = part.label
            for place in range(len(self._variables)):
                actual = self._literal(place, letter)
                if label & actual == self._buddy.bddfalse:
                    deviating.append((step, place))
                else:
                    label &= actual
        return deviating

    def smallest(self, deviations: Iterable[tuple[int, int]]) -> Clause:
        """Return deviations none of which can be undone: the automaton accepts more, never fewer."""
        letters, kept = list(self._letters), list(deviations)
        for step, place in kept:
            letters[step] ^= 1 << place
        for step, place in kept.copy():
            letters[step] ^= 1 << place
            if self._accepts(letters):
                kept.remove((step, place))
            else:
                letters[step] ^= 1 << place
        return tuple(kept)

    def _accepts(self, letters: Iterable[int]) -> bool:
        state: int | None = self._start
        for letter in letters:
            if state is None:
                return False
            if (state, letter) not in self._known:
                label, no = self._buddy.bddtrue, self._buddy.bddfalse
                for place in range(len(self._variables)):
                    label &= self._literal(place, letter)
                fits = (to for to, condition in self._edges[state] if condition & label != no)
                self._known[state, letter] = next(fits, None)
            state = self._known[state, letter]
        return state is not None

    def _literal(self, place: int, letter: int) -> Any:
        make = self._buddy.bdd_ithvar if letter >> place & 1 else self._buddy.bdd_nithvar
        return make(self._variables[place])


class _Left:
    """The violating words that are left when those that violate by some sets are taken out."""

    def __init__(self, violations: Any, inputs: int, letters: Sequence[int]) -> None:
        self.words = violations
        self._inputs, self._letters, self._work = inputs, letters, 0

    def leave_out(self, clause: frozenset[tuple[int, int]]) -> Any:
        """Take out the words that deviate wherever a set does, and return their automaton."""
        self._work += (self.words.num_states() << self._inputs) + 20 * self.words.num_edges()
        if self._work > MAX_LEFT:
            raise Abstained("corp: telling the clauses apart takes too many states")
        holds, fails = _session().clause(self._inputs, self._letters, clause)
        self.words = _session().both(self.words, holds)
        return fails


def cause_automaton(machine: Machine, letters: Sequence[int], place: int, value: bool) -> Automaton:
    """Return the cause of an output having a value at the last step of a trace.

    Args:
        machine: complete, and sound: nothing of it is checked here.
        letters: the trace's inputs up to the effect's step.
        place: the number of the output.
        value: the value that it has at that step.

    Raises:
        Abstained: beyond this module's bounds.
    """
    layers, inputs = len(machine.table) * len(letters), len(machine.inputs)
    if inputs > MAX_INPUTS or layers > MAX_LAYERS or layers << inputs > MAX_SIZE:
        raise Abstained(
            f"corp: {len(machine.table)} states, {inputs} inputs and"
            f" {len(letters)} steps are beyond its bounds"
        )
    session, mask = _session(), 1 << place
    violating = session.violating(machine, len(letters), mask, mask * value)
    guessing = session.guessing(violating, inputs, letters)
    return Automaton(inputs, letters, session.deterministic(guessing))


class _Session:
    """Spot with its dictionary, and the variables of what is read and of what is guessed."""

    def __init__(self) -> None:
        self.spot, self.buddy = spot_library.modules()
        self.dictionary = self.spot.make_bdd_dict()
        # holds on to the propositions, so that their BDD variables are not made anew each time
        self.owner = self.spot.make_twa_graph(self.dictionary)
        self.read_vars, self.guess_vars = [], []
        for i in range(MAX_INPUTS):  # each beside its twin, or "at most where" has 2^n nodes
            self.read_vars.append(self.owner.register_ap(f"x{i}"))
            self.guess_vars.append(self.owner.register_ap(f"y{i}"))

    def all(self, parts: Iterable[Any]) -> Any:
        return reduce(and_, parts, self.buddy.bddtrue)

    def literal(self, variable: int, value: int) -> Any:
        return (self.buddy.bdd_ithvar if value else self.buddy.bdd_nithvar)(variable)

    def graph(self, inputs: int, states: int, kind: str = "x") -> Any:
        """Return an automaton without edges: state 0 is first, the last one accepts everything."""
        graph = self.spot.make_twa_graph(self.dictionary)
        for i in range(inputs):
            graph.register_ap(f"{kind}{i}")
        graph.new_states(states)
        graph.set_init_state(0)
        graph.new_edge(states - 1, states - 1, self.buddy.bddtrue)
        return graph

    def violating(self, machine: Machine, steps: int, mask: int, kept: int) -> Any:
        """Return the smallest automaton of the guesses on which the effect fails at the last step."""
        inputs, count, last = len(machine.inputs), len(machine.table), steps - 1
        graph = self.graph(inputs, count * steps + 1, "y")
        graph.set_init_state(machine.start)
        splits: dict[Any, dict[Any, Any]] = {}
        moves = [self.split(tuple(to for to, _ in row), splits) for row in machine.table]
        fails = [tuple(out & mask != kept for _, out in row) for row in machine.table]
        reached = {machine.start}
        for here in range(0, count * last, count):
            for state in reached:
                for to, label in moves[state].items():
                    graph.new_edge(here + state, here + count + to, label)
            reached = {to for state in reached for to in moves[state]}
        for state in reached:
            label = self.split(fails[state], splits).get(True)
            if label is not None:
                graph.new_edge(count * last + state, count * steps, label)
        graph.purge_dead_states()
        return self.spot.minimize_monitor(graph)

    def guessing(self, violating: Any, inputs: int, letters: Sequence[int]) -> Any:
        """Return the automaton of the words some of whose deviations are in an automaton."""
        guessed = self.all(map(self.buddy.bdd_ithvar, self.guess_vars[:inputs]))
        count, steps = violating.num_states(), len(letters)
        graph = self.graph(inputs, count * steps + 1)
        first = violating.get_init_state_number()
        graph.set_init_state(first)
        edges: dict[int, list[tuple[int, Any]]] = {
            state: [(edge.dst, edge.cond) for edge in violating.out(state)]
            for state in range(count)
        }
        reached = {first}
        for step, letter in enumerate(letters):
            between = self.between(inputs, letter)
            here, there = count * step, count * (step + 1)
            following = set()
            for state in reached:
                for to, label in edges[state]:
                    read = self.buddy.bdd_appex(label, between, self.buddy.bddop_and, guessed)
                    graph.new_edge(here + state, there + to if step < steps - 1 else there, read)
                    following.add(to)
            reached = following
        graph.purge_dead_states()
        return graph

    def split(self, row: tuple[Any, ...], known: dict[Any, dict[Any, Any]]) -> dict[Any, Any]:
        """Return, for each entry of a row, which letters are guessed to get it."""
        if len(row) == 1:
            return {row[0]: self.buddy.bddtrue}
        if row not in known:
            half = len(row) // 2
            variable = self.buddy.bdd_ithvar(self.guess_vars[half.bit_length() - 1])
            low, high = self.split(row[:half], known), self.split(row[half:], known)
            no = self.buddy.bddfalse
            known[row] = {
                entry: self.buddy.bdd_ite(variable, high.get(entry, no), low.get(entry, no))
                for entry in dict.fromkeys((*low, *high))
            }
        return known[row]

    def between(self, inputs: int, letter: int) -> Any:
        """Return the relation "what is guessed deviates at most where what is read does"."""
        parts = (
            self.literal(self.guess_vars[i], letter >> i & 1)
            | self.literal(self.read_vars[i], not letter >> i & 1)
            for i in range(inputs)
        )
        return self.all(parts)

    def deterministic(self, guessing: Any) -> Any:
        """Return the smallest deterministic automaton of the words that an automaton accepts."""
        letters, states = 1 << len(guessing.ap()), guessing.num_states()
        if states**2 * letters > MAX_MATRIX:
            raise Abstained(f"corp: determinising {states} states takes too much memory")
        simple = states**2 * letters <= MAX_SIMULATION
        # simulation makes the automaton smaller, but mostly costs more than it saves
        subsets = self.subsets(guessing, MAX_SUBSETS // 8 if simple else MAX_SUBSETS)
        if subsets is None and simple:
            subsets = self.subsets(self.spot.reduce_direct_sim(guessing), MAX_SUBSETS)
        if subsets is None:
            raise Abstained(f"corp: determinising {states} states takes too many sets of them")
        return self.spot.minimize_monitor(subsets)

    def subsets(self, guessing: Any, limit: int) -> Any:
        """Return the subset automaton, or None if its states times letters exceed a limit."""
        states = min(MAX_STATES, limit >> len(guessing.ap()))
        return self.spot.tgba_powerset(guessing, self.spot.output_aborter(states, limit))

    def both(self, first: Any, other: Any) -> Any:
        """Return the smallest automaton of the words that two deterministic ones accept."""
        product = self.spot.product(first, other)
        product.purge_dead_states()
        return self.spot.minimize_monitor(product)

    def complement(self, graph: Any) -> Any:
        """Return the automaton of the words that another one rejects; all of its runs accept."""
        # without what cannot accept any more, the one loop left is the last state's
        return self.spot.minimize_monitor(self.spot.scc_filter(self.spot.complement(graph)))

    def clause(
        self, inputs: int, letters: Sequence[int], clause: frozenset[tuple[int, int]]
    ) -> tuple[Any, Any]:
        """Return the automata of a disjunction of actual literals and of its negation."""
        steps = len(letters)
        holds, fails = (self.graph(inputs, steps + 1) for _ in range(2))
        for step, letter in enumerate(letters):
            literals = [
                self.literal(self.read_vars[place], letter >> place & 1)
                for at, place in clause
                if at == step
            ]
            some = reduce(or_, literals, self.buddy.bddfalse)
            if literals:
                holds.new_edge(step, steps, some)
            if step < steps - 1:
                holds.new_edge(step, step + 1, -some)
            fails.new_edge(step, step + 1, -some)
        return holds, fails


@cache
def _session() -> _Session:
    return _Session()
