"""Pairs of problems that differ in the target of one edge and have opposite labels.

First comes a graph with a *fork*: an event whose targets are open, but for their number. A *choice* is two sets of
targets that differ in one event and give graphs of the same shape: the same in-degrees, the same events within reach,
as many events on cycles of each size. All simple paths, through all targets, are looked at together
(`harness_logic.lassos`), in small graphs longer ones, too: a walk takes each of their few simple paths too often.
Then formulas are drawn until one fails on paths through one target of a choice, which walks seldom take, and on no
other. So only what the formula says of the paths tells the twins apart.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, lru_cache
from itertools import combinations, compress, count, islice, repeat
from math import comb, prod
from random import Random
from struct import unpack
from typing import Any

from harness_logic.lassos import Mixed, places, shortest

from harness import Abstained
from harness_ltlbench import walks
from harness_ltlbench.engines import tableau
from harness_ltlbench.engines.closure import Lasso, bits_of
from harness_ltlbench.formula import MAX_EVENTS, Formula, atoms

SMALL = 3  # events: no move would keep in-degrees, too
WIDE = 5  # events: in larger graphs there is hardly ever no path that walks take seldom
CHOICES = 12  # that a graph of more than these has at least
COMBINED = 60  # pairs of targets, and sets of the others, that are combined at the most
CIRCLES = (
    0.8  # of the rarity: so seldom walks violate that go on in circles once an event comes again
)
PATHS = 400  # simple paths through a graph; where there are more, as many random ones
# Operators, by the number of events: with no more, there are hardly any twins that walks in circles tell more seldom.
FEW = {3: 4, 4: 2}
AGAIN = {3: 7, 4: 6}  # by the number of events: states of paths on which events come again

_LENGTHS = [len(str(event)) for event in range(1, MAX_EVENTS + 1)]
_DIGITS = b"01" + bytes(254)
_BYTES = [bytes([event]) for event in range(256)]

Edges = list[list[int]]
Choice = tuple[int, int, int]
"""Targets of both twins, as a bit mask, and the two that each of them has one of."""


@dataclass(frozen=True, slots=True)
class Pair:
    """Two problems of opposite labels: on ``violated`` the path ``violation`` violates the formula.

    ``chance`` is the probability that a random walk does; ``nodes`` what the larger of the two tableaux had.
    """

    violated: Mapping[str, Any]
    satisfied: Mapping[str, Any]
    violation: Lasso
    chance: Fraction
    nodes: int


class Fork:
    """A graph with one event, met by a random walk, whose targets are open, and what they may be.

    Args:
        events: how many there are.
        initial: the initial event.
        graph: as a square (see `targets`); that the fork has as many targets is kept.
        rng: chooses the fork.
    """

    def __init__(self, events: int, initial: int, graph: bytes, rng: Random) -> None:
        self.events, self.initial, self.rng = events, initial, rng
        self.after = after = targets(graph, events)
        path, _ = walks.closed(initial, after, rng)
        least = 1 if events <= SMALL else 2
        met = [event for event in path if len(after[event]) >= least]
        self.choices: list[Choice] = []
        if met:
            self.event = met[int(rng.random() * len(met))]
            self.degree = len(after[self.event])
            after[self.event] = ()
            end = self.event * events
            self.choices = self._choices(graph[: end - events] + bytes(events) + graph[end:])

    @property
    def edges(self) -> Edges:
        """The edges from all events but the fork."""
        return [[event, target] for event, after in enumerate(self.after) for target in after]

    @property
    def least(self) -> int:
        """How many choices there must be for it to be worth while."""
        return CHOICES if self.events > WIDE else 1

    def _choices(self, graph: bytes) -> list[Choice]:
        """Return the choices for which in-degrees only change places, and the graph's shape stays.

        None where there are not enough of them: most graphs are drawn in vain.
        """
        pairs = self._alike(graph)
        if not pairs:
            return []
        others = [event for event in range(1, self.events + 1) if event != self.event]
        if self.events > 2 * SMALL:
            self.rng.shuffle(others)
            pairs = self.rng.sample(pairs, min(len(pairs), COMBINED))
        apart = min(comb(len(others) - 2, self.degree - 1), COMBINED)  # from a pair, sets of others
        if len(pairs) * apart < self.least:
            return []
        closed, row = self._closed(graph), _row(self.events)
        ahead = [
            closed >> event * self.events & row | 1 << event for event in range(self.events + 1)
        ]
        within = ahead[self.initial]
        back = sum(1 << event for event in others if ahead[event] >> self.event & 1)
        known = within & ~back
        # Who is reached otherwise makes no difference, unless that changes who is on cycles through the fork.
        changes = [(ahead[one] ^ ahead[other]) & ~known for one, other in pairs]
        tried = [
            (changed, 1 << one | 1 << other, one, other)
            for (one, other), changed in zip(pairs, changes, strict=True)
        ]
        if self.degree == 1:
            branching = sum(1 << e for e in others if len(self.after[e]) > 1)
            tried = [one for one in tried if (within | ahead[one[2]]) & branching]
        choices = []
        for rest in islice(combinations(others, self.degree - 1), COMBINED):
            shared = reached = 0
            for event in rest:
                shared |= 1 << event
                reached |= ahead[event]
            choices += [
                (shared, one, other)
                for changed, both, one, other in tried
                if not (changed & ~reached or shared & both)
            ]
        return choices if len(choices) >= self.least else []

    def _alike(self, graph: bytes) -> list[tuple[int, int]]:
        """Return pairs of targets that nobody who counts edges can tell apart; their prompts are equally long."""
        events, fork = self.events, self.event
        kinds: Iterable[Any] = repeat(None, events)
        known = {fork}
        if events > SMALL:
            known.add(self.initial)
            # Most graphs are drawn in vain, so this must take no time: modulo this number, rows add up.
            sums = int.from_bytes(graph, "little") % ((1 << 8 * events) - 1)
            entering, leaving = sums.to_bytes(events, "little"), map(len, self.after[1:])
            kinds = zip(entering, leaving, graph[fork - 1 :: events], _LENGTHS, strict=False)
        groups: defaultdict[Any, list[int]] = defaultdict(list)
        for event, kind in enumerate(kinds, 1):
            if event not in known:
                groups[kind].append(event)
        alike = [group for group in groups.values() if len(group) > 1]
        return [pair for group in alike for pair in combinations(group, 2)]

    def _closed(self, graph: bytes) -> int:
        """Return a graph's transitive closure: event ``e`` leads to ``t`` if bit ``e * events + t`` is set."""
        events = self.events
        column, row = _column(events), _row(events)
        closed = int(graph[::-1].translate(_DIGITS), 2) << events + 1
        for at in range(1, events + 1):  # Warshall's, all rows at once
            closed |= (closed >> at & column) * (closed >> at * events & row)
        return closed


def targets(graph: bytes, events: int) -> list[tuple[int, ...]]:
    """Return each event's targets, and first none.

    A graph is a square of bytes, a row for each event: 1 for its targets, 0 for others.
    """
    return [(), *map(_targets, cut(graph, events))]


def cut(square: bytes, events: int) -> tuple[bytes, ...]:
    """Return the rows of a square, or of a part of it."""
    return unpack(f"{events}s" * (len(square) // events), square)


@lru_cache(maxsize=4096)  # few events have few rows, and they come again and again
def _targets(row: bytes) -> tuple[int, ...]:
    return tuple(compress(count(1), row))


def _row(events: int) -> int:
    """Return the bits of all events."""
    return (2 << events) - 2


@cache
def _column(events: int) -> int:
    """Return for each event the bit before those of its row."""
    return sum(1 << event * events for event in range(1, events + 1))


class Trials:
    """A fork with its paths, on which formulas are tried; `pool` gives their values.

    Args:
        fork: with at least one choice.
        rarity: the chance, at most, that a walk violates the formula on the twin where it fails.
        operators: of the formulas.
    """

    def __init__(self, fork: Fork, rarity: float, operators: int) -> None:
        self.fork, self.rarity = fork, rarity
        few = operators <= FEW.get(fork.events, 0)
        self.in_circles = rarity if few else CIRCLES * rarity
        open_targets = 0
        for shared, one, other in fork.choices:
            open_targets |= shared | 1 << one | 1 << other
        self.followers = [after or (event,) for event, after in enumerate(fork.after)]
        self.followers[fork.event] = bits_of(open_targets)
        paths = _simple(fork.initial, self.followers)
        self.sampled = not paths
        self.simple = (1 << (len(paths) or PATHS)) - 1
        for _ in range(PATHS if self.sampled else 0):
            path, loop = walks.closed(fork.initial, self.followers, fork.rng)
            paths.append((bytes(path), loop))
        if not few:
            paths += _again(fork, self.followers)
        self.paths = [path for path, _ in paths]
        self.pool = Mixed(paths)
        steps = [(path + path[loop : loop + 1], path.find(fork.event) + 1) for path, loop in paths]
        self.by_target = places(bytes([path[at] if at else 0 for path, at in steps]))
        self.elsewhere = self.by_target.pop(0, 0)
        self.apart: dict[int, list[Choice]] = {}  # by the targets on whose paths a formula fails

    @property
    def hopeless(self) -> bool:
        """Whether walks take each path by way of the fork too often for a formula to fail on it alone."""
        if self.fork.events > WIDE or len(self.paths) > self.simple.bit_length():
            return False
        paths = (1 << number for through in self.by_target.values() for number in bits_of(through))
        return all(self._chance(path) > self.in_circles for path in paths)

    def pair(self, task: str, formula: Formula, value: int) -> Pair | str:
        """Return twins with a formula, given its value in the pool, or why there are none."""
        failing = self.pool.first & ~value
        if not failing:
            return "label"
        if failing & self.elsewhere:
            return "path"
        bad = 0
        for target, paths in self.by_target.items():
            if paths & failing:
                bad |= 1 << target
        choices = self.apart.get(bad)
        if choices is None:
            choices = self.apart[bad] = [
                (shared, one, other) if bad >> one & 1 else (shared, other, one)
                for shared, one, other in self.fork.choices
                if not bad & shared and (bad >> one ^ bad >> other) & 1
            ]
        if choices:
            named = set(atoms(formula))
            choices = [c for c in choices if (c[1] in named) is (c[2] in named)]
        if not choices:
            return "twin"
        try:
            return self._twins(task, formula, failing, choices)
        except Abstained:
            return "undecided"

    def _twins(
        self, task: str, formula: Formula, failing: int, choices: list[Choice]
    ) -> Pair | str:
        chance, worst = min(
            (self._chance(failing & self.by_target[e]), e) for e in sorted({c[1] for c in choices})
        )
        if chance > self.in_circles:
            return "walk"
        choices = [choice for choice in choices if choice[1] == worst]
        shared, failed, held = choices[int(self.fork.rng.random() * len(choices))]
        problem = {
            "task": task, "events": self.fork.events, "initial": self.fork.initial, "formula": formula,
        }  # fmt: skip
        satisfied = {**problem, "edges": self._edges(shared | 1 << held)}
        result = tableau.check(satisfied)
        if not result.holds:
            return "twin"
        violated = {**problem, "edges": self._edges(shared | 1 << failed)}
        other = tableau.check(violated)
        if other.violation is None:
            raise AssertionError("a path fails, and the tableau finds none")
        exact = walks.violation(violated)
        if exact > self.rarity:
            return "walk"
        return Pair(violated, satisfied, other.violation, exact, max(result.nodes, other.nodes))

    def _chance(self, paths: int) -> float:
        """Return the chance that a walk in circles takes one of some paths by way of the same target."""
        fork, chance, paths = self.fork.event, 0.0, paths & self.simple
        if self.sampled:
            chance = paths.bit_count() * len(self.followers[fork]) / PATHS
        else:
            for number in bits_of(paths):
                path = self.paths[number]
                chance += 1 / prod(len(self.followers[event]) for event in path if event != fork)
        return chance / self.fork.degree

    def _edges(self, targets: int) -> Edges:
        fork = self.fork
        return sorted([*fork.edges, *([fork.event, target] for target in bits_of(targets))])


def _simple(initial: int, followers: Sequence[Sequence[int]]) -> list[tuple[bytes, int]]:
    """Return all paths until an event comes again, and where that is; none if there are more than `PATHS`."""
    found: list[tuple[bytes, int]] = []
    open_paths = [_BYTES[initial]]
    for path in open_paths:
        for event in followers[path[-1]]:
            at = path.find(event)
            if at >= 0:
                found.append((path, at))
            else:
                open_paths.append(path + _BYTES[event])
        if len(found) + len(open_paths) > 2 * PATHS:
            return []
    return found


def _again(fork: Fork, followers: Sequence[Sequence[int]]) -> list[tuple[bytes, int]]:
    """Return paths of a small graph on which an event comes again before they go on in circles.

    A walk that goes on in circles as soon as an event comes again takes none of them. After the fork comes the same
    target each time.
    """
    if fork.events not in AGAIN:
        return []
    found: dict[tuple[bytes, bytes], tuple[bytes, int]] = {}
    open_paths = [_BYTES[fork.initial]]
    for path in open_paths:
        last, known = path[-1], path.find(fork.event) + 1
        chosen = path[known : known + 1] if known and last == fork.event else b""
        for event in chosen or followers[last]:
            for at in range(len(path)):
                if path[at] == event:
                    prefix, cycle = map(bytes, shortest(path[:at], path[at:]))
                    found[prefix, cycle] = (prefix + cycle, len(prefix))
            if len(path) < AGAIN[fork.events]:
                open_paths.append(path + _BYTES[event])
    return [(path, loop) for path, loop in found.values() if len(set(path)) < len(path)]
