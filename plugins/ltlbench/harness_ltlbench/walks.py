"""Random walks through the graph of a problem: the exact probability that one violates the hypothesis.

A walk takes each of an event's followers with equal chance; where nothing can follow, the event repeats. It is a
Markov chain, and the formula is decided on it operator by operator (Courcoubetis and Yannakakis 1995): innermost
first, each temporal operator gets its probability in every state from a linear system, and a state where it is
neither 0 nor 1 is split in two, one where it holds and one where it does not. In the end each state says whether the
whole formula holds. All numbers are fractions.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from random import Random
from typing import Any

from harness import Abstained
from harness_ltlbench.formula import Formula

MAX_STATES = 300
"""States that a chain may be split into."""

_ZERO, _ONE = Fraction(0), Fraction(1)


def violation(problem: Mapping[str, Any]) -> Fraction:
    """Return the probability that a random walk from the initial event violates the hypothesis.

    Raises:
        Abstained: more than `MAX_STATES` states are needed.
    """
    return 1 - _Chain(problem).probability(problem["formula"])


def closed(
    initial: int, after: Mapping[int, Sequence[int]] | Sequence[Sequence[int]], rng: Random
) -> tuple[list[int], list[int]]:
    """Return prefix and cycle of a random walk that goes on in circles once an event comes again.

    ``after``: each event's followers, itself where nothing can follow.
    """
    path: list[int] = []
    event = initial
    while event not in path:
        path.append(event)
        followers = after[event]
        event = followers[int(rng.random() * len(followers))]
    loop = path.index(event)
    return path[:loop], path[loop:]


def bits_of(events: int) -> list[int]:
    """Return the events of a bit mask, in order."""
    return [event for event in range(1, events.bit_length()) if events >> event & 1]


class _Chain:
    """States with weighted steps; ``start``: the chances to begin in them."""

    def __init__(self, problem: Mapping[str, Any]) -> None:
        followers: dict[int, list[int]] = {}
        for source, target in problem["edges"]:
            followers.setdefault(source, []).append(target)
        self.events = [problem["initial"]]
        for event in self.events:
            self.events += [e for e in followers.get(event, ()) if e not in self.events]
        place = {event: at for at, event in enumerate(self.events)}
        self.steps: list[dict[int, Fraction]] = []
        for event in self.events:
            targets = followers.get(event, [event])
            self.steps.append({place[target]: Fraction(1, len(targets)) for target in targets})
        self.start: dict[int, Fraction] = {0: _ONE}
        self.values: list[set[int]] = []  # of operands that wait for their operator

    def probability(self, formula: Formula) -> Fraction:
        """Return the probability that a formula holds at the start."""
        self._judge(formula)
        holds = self.values.pop()
        return sum((chance for state, chance in self.start.items() if state in holds), _ZERO)

    def _judge(self, formula: Formula) -> None:
        """Put the states where a formula holds on the stack; splits states."""
        if isinstance(formula, int):
            self.values.append({at for at, event in enumerate(self.events) if event == formula})
            return
        for part in formula[1:]:
            self._judge(part)
        right = self.values.pop()
        left = self.values.pop() if len(formula) == 3 else right
        holds = _MEANING[formula[0]](self, left, right)  # first: it may replace the list
        self.values.append(holds)

    @property
    def every(self) -> set[int]:
        return set(range(len(self.events)))

    def next(self, a: set[int]) -> set[int]:
        """X a."""
        chances = [sum((p for t, p in steps.items() if t in a), _ZERO) for steps in self.steps]
        return self._split(chances, lambda state, holds, target, later: (target in a) is holds)

    def until(self, a: set[int], b: set[int]) -> set[int]:
        """a U b."""
        sources: list[list[int]] = [[] for _ in self.events]
        for state, steps in enumerate(self.steps):
            for target in steps:
                sources[target].append(state)
        open_here = a - b
        possible = _back(b, open_here, sources)
        unsure = _back(self.every - possible, open_here, sources) & possible
        chances = [_ONE if state in possible else _ZERO for state in range(len(self.events))]
        for state, chance in self._solved(sorted(unsure), chances).items():
            chances[state] = chance
        return self._split(
            chances,
            lambda state, holds, target, later: state not in open_here or later is holds,
        )

    def _solved(self, unsure: list[int], chances: list[Fraction]) -> dict[int, Fraction]:
        """Solve p(s) = sum of P(s, t) p(t) for some states, the others' chances being known."""
        rows: dict[int, dict[int, Fraction]] = {}
        known: dict[int, Fraction] = {}
        for state in unsure:
            row = {t: p for t, p in self.steps[state].items() if t in set(unsure)}
            rows[state] = row
            known[state] = sum(
                (p * chances[t] for t, p in self.steps[state].items() if t not in row), _ZERO
            )
        # Each state is put in the place of itself: what is left speaks of later states only.
        for at, state in enumerate(unsure):
            again = rows[state].pop(state, _ZERO)
            scale = 1 / (1 - again)
            rows[state] = {t: p * scale for t, p in rows[state].items()}
            known[state] *= scale
            for other in unsure[at + 1 :]:
                share = rows[other].pop(state, None)
                if share is not None:
                    known[other] += share * known[state]
                    for t, p in rows[state].items():
                        rows[other][t] = rows[other].get(t, _ZERO) + share * p
        solved: dict[int, Fraction] = {}
        for state in reversed(unsure):
            solved[state] = known[state] + sum(
                (p * solved[t] for t, p in rows[state].items()), _ZERO
            )
        return solved

    def _split(
        self, chances: list[Fraction], allowed: Callable[[int, bool, int, bool], bool]
    ) -> set[int]:
        """Split the states by a formula that holds in each with some chance; return those where it holds.

        ``allowed``: whether a state where it holds (or not) can be followed by another one where it does (or not).
        """
        if all(chance in (0, 1) for chance in chances):
            return {state for state, chance in enumerate(chances) if chance}
        copies = [
            (state, holds)
            for state, chance in enumerate(chances)
            for holds in (False, True)
            if (chance if holds else 1 - chance)
        ]
        if len(copies) > MAX_STATES:
            raise Abstained(f"walks: more than {MAX_STATES} states are needed")
        place = {copy: at for at, copy in enumerate(copies)}
        share = {
            (state, holds): chances[state] if holds else 1 - chances[state]
            for state, holds in copies
        }
        steps: list[dict[int, Fraction]] = []
        for state, holds in copies:
            weights = {
                place[target, later]: p * share[target, later]
                for target, p in self.steps[state].items()
                for later in (False, True)
                if (target, later) in place and allowed(state, holds, target, later)
            }
            total = sum(weights.values(), _ZERO)
            steps.append({target: weight / total for target, weight in weights.items()})
        self.start = {
            place[state, holds]: chance * share[state, holds]
            for state, chance in self.start.items()
            for holds in (False, True)
            if (state, holds) in place
        }
        self.values = [{place[c] for c in copies if c[0] in value} for value in self.values]
        self.events = [self.events[state] for state, _ in copies]
        self.steps = steps
        return {place[copy] for copy in copies if copy[1]}


def _back(goals: set[int], through: set[int], sources: list[list[int]]) -> set[int]:
    """Return the goals and the states from which some steps through others of ``through`` lead to them."""
    found, fresh = set(goals), list(goals)
    for state in fresh:
        for source in sources[state]:
            if source in through and source not in found:
                found.add(source)
                fresh.append(source)
    return found


def _release(chain: _Chain, a: set[int], b: set[int]) -> set[int]:
    """a R b is !(!a U !b)."""
    until = chain.until(chain.every - a, chain.every - b)
    return chain.every - until  # of the states that there are now


_MEANING: dict[str, Callable[[_Chain, set[int], set[int]], set[int]]] = {
    "!": lambda chain, a, _: chain.every - a,
    "&": lambda _, a, b: a & b,
    "|": lambda _, a, b: a | b,
    "->": lambda chain, a, b: (chain.every - a) | b,
    "X": lambda chain, a, _: chain.next(a),
    "F": lambda chain, a, _: chain.until(chain.every, a),
    "G": lambda chain, a, _: _release(chain, set(), a),
    "U": lambda chain, a, b: chain.until(a, b),
    "R": _release,
    "W": lambda chain, a, b: _release(chain, b, a | b),
    "M": lambda chain, a, b: chain.until(b, a & b),
}
