"""Contrasts: another graph with the same initial event and the opposite label, so that the graph matters.

An item measures temporal reasoning only if its formula is not decided by the initial event
alone. The proof is a *contrast*: a lasso that, read as a graph of its own, gets the other
label. For an item labelled False it is a graph with one path, and the formula holds on it;
for True it is a graph with that path among others, and the path violates the formula.
"""

from __future__ import annotations

from functools import cache, lru_cache
from itertools import pairwise, permutations
from random import Random
from typing import Any

from harness_logic.lassos import Pool, columns

from harness import Abstained
from harness_ltlbench.engines import lasso, tableau
from harness_ltlbench.engines.closure import Lasso
from harness_ltlbench.formula import Formula

# With this many events or fewer every lasso is tried. With more, a few of the events that the
# formula does not name stand for all, as they are alike; and where even so more are in play,
# the search samples. Then a formula may be rejected though a longer search would find a
# contrast: a path around six events, say, when the formula names but one.
EXHAUSTIVE = 5
SPARE = 3
SAMPLED = 24  # lassos of each shape that the search samples
LENGTHS = (1, 2, 3, 4, 5, 6, 8)


def find(formula: Formula, initial: int, events: int, label: bool) -> Lasso | None:
    """Return a contrast to an item with this label, or None if none exists or is found.

    A pure function of its arguments. Exact for up to `EXHAUSTIVE` events.
    """
    names = [initial]
    key = _canonical(formula, names)
    spare = events - len(names)
    if events > EXHAUSTIVE:
        spare = min(spare, SPARE)
    other = _search(key, len(names) + spare, label)
    if other is None:
        return None
    unnamed = (event for event in range(1, events + 1) if event not in names)
    names += [next(unnamed) for _ in range(spare)]
    return {part: [names[event - 1] for event in other[part]] for part in ("prefix", "cycle")}


def _canonical(formula: Formula, names: list[int]) -> tuple[Any, ...] | int:
    """Return the formula with events renamed 1, 2, … in the order of ``names``, which grows."""
    if isinstance(formula, int):
        if formula not in names:
            names.append(formula)
        return names.index(formula) + 1
    return (formula[0], *(_canonical(child, names) for child in formula[1:]))


@lru_cache(maxsize=50_000)
def _search(formula: Any, events: int, label: bool) -> Lasso | None:
    """Return a contrast to a formula with canonical names, the initial event being 1."""
    for pool, paths in _lassos(events):
        held = pool.holds(formula)
        wanted = pool.first & ~held if label else held
        if wanted:
            path = paths[((wanted & -wanted).bit_length() - 1) // pool.length]
            prefix, cycle = list(path[: pool.loop]), list(path[pool.loop :])
            assert lasso.holds(formula, prefix, cycle) is not label
            return {"prefix": prefix, "cycle": cycle}
    return _complete(_listed(formula), events) if label and events <= EXHAUSTIVE else None


def _listed(formula: Any) -> Formula:
    return formula if isinstance(formula, int) else [formula[0], *map(_listed, formula[1:])]


@cache
def _lassos(events: int) -> tuple[tuple[Pool, list[tuple[int, ...]]], ...]:
    """Return simple lassos from event 1, all of them or a sample, short ones first, as pools of one shape.

    Each is the one path of a graph where every event has one successor.
    """
    rng = Random(events)
    shapes = []
    for length in (n for n in LENGTHS if n <= events):
        if events <= EXHAUSTIVE:
            paths = [(1, *rest) for rest in permutations(range(2, events + 1), length - 1)]
        else:
            paths = [(1, *rng.sample(range(2, events + 1), length - 1)) for _ in range(SAMPLED)]
            paths = list(dict.fromkeys(paths))
        named = columns(([(event,) for event in path] for path in paths), length)
        shapes += [(Pool(length, loop, named, len(paths), 100), paths) for loop in range(length)]
    return tuple(shapes)


def _complete(formula: Formula, events: int) -> Lasso | None:
    """Return a violating path of any graph at all, or None if no graph has one.

    Every path of every graph is a path of the complete graph, or of the complete graph in
    which one event is a dead end: an event can repeat at once only by being the last.
    """
    for last in range(events + 1):
        edges = [
            [source, target]
            for source in range(1, events + 1)
            for target in range(1, events + 1)
            if source not in (target, last)
        ]
        problem = {"events": events, "initial": 1, "edges": edges, "formula": formula}
        try:
            result = tableau.check(problem)
        except Abstained:
            return None
        if result.violation is not None:
            return result.violation
    return None


def errors(problem: dict[str, Any], label: bool, contrast: Any) -> str | None:
    """Return why a contrast proves nothing, or None if it shows that the graph matters."""
    wrong = lasso.path_errors({**problem, "edges": _edges(contrast)}, contrast)
    if wrong is not None:
        return wrong
    edges = _edges(contrast)
    sources = [source for source, _ in edges]
    if not label and len(sources) != len(set(sources)):
        return "an event has two successors, so the graph has other paths"
    if lasso.holds(problem["formula"], contrast["prefix"], contrast["cycle"]) is label:
        return f"the formula is {label} on the contrast as well"
    return None


def _edges(contrast: Any) -> list[list[int]]:
    """Return the edges a lasso takes, an immediate repetition being a dead end and no edge."""
    try:
        path = [*contrast["prefix"], *contrast["cycle"], contrast["cycle"][0]]
        return [list(e) for e in sorted({(a, b) for a, b in pairwise(path) if a != b})]
    except (TypeError, KeyError, IndexError, RecursionError):
        return []
