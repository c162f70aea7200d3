"""Random walks through the graph of a problem: the exact probability that one violates the hypothesis.

A walk takes each of an event's followers with equal chance; where nothing can follow, the event repeats. It is a
Markov chain, and the formula is decided on it operator by operator (Courcoubetis and Yannakakis 1995): innermost
first, each temporal operator gets its probability in every state from a linear system, and a state where it is
neither 0 nor 1 is split in two, one where it holds and one where it does not. In the end each state says whether the
whole formula holds. All numbers are whole: of the weights of a state's steps only the ratios count.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from math import gcd, lcm
from random import Random
from typing import Any

from harness import Abstained
from harness_ltlbench.formula import Formula

MAX_STATES = 300
"""States that a chain may be split into."""

_KNOWN = -1  # in a linear equation: what stands for no state

_Weights = dict[int, int]
_Odds = dict[int, tuple[int, int]]


def violation(problem: Mapping[str, Any]) -> Fraction:
    """Return the probability that a random walk from the initial event violates the hypothesis.

    Raises:
        Abstained: more than `MAX_STATES` states are needed.
    """
    return 1 - _Chain(problem).probability(problem["formula"])


def entries(
    problem: Mapping[str, Any], parts: Iterable[Sequence[Any]]
) -> list[tuple[int, list[int], int]]:
    """Return how likely formulas hold together on random walks from each event that the initial one leads to.

    Args:
        problem: a graph and its initial event.
        parts: formulas in negation normal form, as certificates have them (docs/proofs.md): operands come first and
            are named by their places.

    Returns:
        Of each event, and each set of places of formulas that can hold there and no others: event, places, and a
        weight, of which only the ratio to the others of the event counts.

    Raises:
        Abstained: more than `MAX_STATES` states are needed.
    """
    return _Chain(problem).entries(parts)


def closed(
    initial: int, after: Mapping[int, Sequence[int]] | Sequence[Sequence[int]], rng: Random
) -> tuple[list[int], int]:
    """Return a random walk until an event comes again, and where in it that is: it goes on in circles from there.

    ``after``: each event's followers; where there is none, it repeats.
    """
    path: list[int] = []
    event, random = initial, rng.random
    while event not in path:
        path.append(event)
        followers = after[event] or (event,)
        event = followers[int(random() * len(followers))]
    return path, path.index(event)


class _Chain:
    """States with weighted steps; a set of states is a bit mask."""

    def __init__(self, problem: Mapping[str, Any]) -> None:
        followers: dict[int, list[int]] = {}
        for source, target in problem["edges"]:
            followers.setdefault(source, []).append(target)
        place = {problem["initial"]: 0}
        self.steps: list[_Weights] = []
        for event in (events := [problem["initial"]]):
            targets = followers.get(event, [event])
            for target in targets:
                if target not in place:
                    place[target] = len(events)
                    events.append(target)
            self.steps.append({place[target]: 1 for target in targets})
        self.targets = [_set(steps) for steps in self.steps]
        # Into which states the first events are split, and with which weights.
        self.shares: list[_Weights] = [{0: 1}]
        self.last = False
        self.values = [1 << state for state in place.values()]
        self.at = place

    def probability(self, formula: Formula) -> Fraction:
        """Return the probability that a formula holds at the start."""
        self.whole = formula
        self._judge(formula)
        start = self.shares[0]
        return Fraction(_weight(start, self.values.pop()), sum(start.values()))

    def entries(self, parts: Iterable[Sequence[Any]]) -> list[tuple[int, list[int], int]]:
        """Return events with the places of formulas that hold together, and weights: see `entries`."""
        self.shares = [{state: 1} for state in self.at.values()]
        first = len(self.values)
        for operator, *operands in parts:
            if operator in ("atom", "not"):
                at = self.at.get(operands[0])
                holds = 0 if at is None else self.values[at]
                holds = holds if operator == "atom" else self.every & ~holds
            else:
                masks = [self.values[first + place] for place in operands]
                holds = _MEANING[operator](self, masks[0], masks[-1])
            self.values.append(holds)
        held = list(enumerate(self.values[first:]))
        return [
            (event, [place for place, states in held if states >> state & 1], weight)
            for event, share in zip(self.at, self.shares, strict=True)
            for state, weight in share.items()
        ]

    def _judge(self, formula: Formula) -> None:
        """Put the states where a formula holds behind `values`; splits states."""
        if isinstance(formula, int):
            at = self.at.get(formula)
            self.values.append(0 if at is None else self.values[at])
            return
        for part in formula[1:]:
            self._judge(part)
        right = self.values.pop()
        left = self.values.pop() if len(formula) == 3 else right
        self.last = formula is self.whole
        holds = _MEANING[formula[0]](self, left, right)  # first: it may replace the list
        self.values.append(holds)

    @property
    def every(self) -> int:
        return (1 << len(self.steps)) - 1

    def next(self, a: int) -> int:
        """X a."""
        certain, odds = 0, {}
        for state, targets in enumerate(self.targets):
            if not targets & ~a:
                certain |= 1 << state
            elif targets & a:
                yes, no = _weight(self.steps[state], a), _weight(self.steps[state], ~a)
                odds[state] = yes, no
        return self._split(certain, odds, a)

    def until(self, a: int, b: int) -> int:
        """a U b."""
        open_here = a & ~b
        possible = self._back(b, open_here)
        unsure = self._back(self.every & ~possible, open_here) & possible
        certain = possible & ~unsure
        return self._split(certain, self._solved(unsure, certain) if unsure else {}, None)

    def _back(self, goals: int, through: int) -> int:
        """Return the goals and the states from which some steps through others of ``through`` lead to them."""
        left = [state for state in range(through.bit_length()) if through >> state & 1]
        found, before = goals, -1
        while found != before:
            before = found
            for state in left:
                if self.targets[state] & found:
                    found |= 1 << state
        return found

    def _solved(self, unsure: int, certain: int) -> _Odds:
        """Solve p(s) = sum of P(s, t) p(t) for the unsure states, p being 1 in the certain ones, else 0."""
        rows: dict[int, _Weights] = {}
        for state in range(unsure.bit_length()):
            if unsure >> state & 1:
                steps = self.steps[state]
                row = {target: -weight for target, weight in steps.items() if unsure >> target & 1}
                row[state] = row.get(state, 0) + sum(steps.values())
                row[_KNOWN] = _weight(steps, certain)
                rows[state] = row
        for state in rows:
            row = rows[state]
            for other, changed in rows.items():
                if other != state and (share := changed.get(state)):
                    # Both rows times a whole number, so that the state is gone.
                    sums = {
                        t: row[state] * changed.get(t, 0) - share * row.get(t, 0)
                        for t in changed.keys() | row.keys()
                        if t != state
                    }
                    divisor = gcd(*sums.values())
                    rows[other] = {t: number // divisor for t, number in sums.items()}
        return {state: (row[_KNOWN], row[state] - row[_KNOWN]) for state, row in rows.items()}

    def _split(self, certain: int, odds: _Odds, onward: int | None) -> int:
        """Split the states in which a formula holds by odds, a ratio of two chances; return those where it holds.

        ``certain``: where it holds for certain. ``onward``: it holds in a split state if the next one is among
        these; None: if it holds in the next one.
        """
        if not odds:
            return certain
        count = len(self.steps)
        if count + len(odds) > MAX_STATES:
            raise Abstained(f"walks: more than {MAX_STATES} states are needed")
        split, holds = _set(odds), certain | _set(odds)
        copies = dict(zip(odds, range(count, count + len(odds)), strict=True))  # where it fails

        def copied(states: int) -> int:
            if not states & split:
                return states
            return states | _set([copy for state, copy in copies.items() if states >> state & 1])

        self.shares = [_spread(share, odds, copies) for share in self.shares]
        self.steps += [{} for _ in copies]
        if self.last:  # nobody goes on from here
            return holds
        self.values = [copied(states) for states in self.values]
        wanted = holds if onward is None else copied(onward)
        self.targets += [0 for _ in copies]
        for state in range(count):
            steps = self.steps[state]
            if self.targets[state] & split:
                steps = _spread(steps, odds, copies)
            elif state not in odds:
                continue
            if state in odds:
                copy = copies[state]
                self.steps[copy] = {t: w for t, w in steps.items() if not wanted >> t & 1}
                self.targets[copy] = _set(self.steps[copy])
                steps = {t: w for t, w in steps.items() if wanted >> t & 1}
            self.steps[state], self.targets[state] = steps, _set(steps)
        return holds


def _spread(weights: _Weights, odds: _Odds, copies: Mapping[int, int]) -> _Weights:
    """Return the weights of states of which some are split by odds."""
    scale = lcm(*[sum(odds[state]) for state in weights if state in odds])
    apart: _Weights = {}
    for state, weight in weights.items():
        if state in odds:
            holds, fails = odds[state]
            share = weight * scale // (holds + fails)
            apart[state], apart[copies[state]] = share * holds, share * fails
        else:
            apart[state] = weight * scale
    divisor = gcd(*apart.values())
    return {state: weight // divisor for state, weight in apart.items()}


def _set(states: Iterable[int]) -> int:
    return sum([1 << state for state in states])


def _weight(weights: _Weights, states: int) -> int:
    """Return the sum of the weights of some states."""
    return sum([weight for state, weight in weights.items() if states >> state & 1])


def _release(chain: _Chain, a: int, b: int) -> int:
    """a R b is !(!a U !b)."""
    until = chain.until(chain.every & ~a, chain.every & ~b)
    return chain.every & ~until  # of the states that there are now


_MEANING: dict[str, Callable[[_Chain, int, int], int]] = {
    "!": lambda chain, a, _: chain.every & ~a,
    "&": lambda _, a, b: a & b,
    "|": lambda _, a, b: a | b,
    "->": lambda chain, a, b: chain.every & ~a | b,
    "X": lambda chain, a, _: chain.next(a),
    "F": lambda chain, a, _: chain.until(chain.every, a),
    "G": lambda chain, a, _: _release(chain, 0, a),
    "U": lambda chain, a, b: chain.until(a, b),
    "R": _release,
    "W": lambda chain, a, b: _release(chain, b, a | b),
    "M": lambda chain, a, b: chain.until(b, a & b),
}
