"""Cheap ways to answer: follow a few walks, strike out time, look at operators or at counts."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from importlib.resources import files
from random import Random
from typing import Any

from harness import Item, Shortcut
from harness_ltlbench import walks
from harness_ltlbench.engines import lasso
from harness_ltlbench.engines.closure import Graph
from harness_ltlbench.formula import TEMPORAL, UNARY, Formula, answer, atoms, depth, walk

OPERATORS = ("X", "F", "G", "!", "&", "|", "->", "U", "R", "W", "M")

_WALKS = {"one_walk": 1, "three_walks": 3, "eight_walks": 8}
SHORTCUTS = (
    *(
        Shortcut(
            name,
            f"It follows {name.replace('_', ' random ')} until an event comes again, and says False if the "
            f"hypothesis fails on {'it' if number == 1 else 'one'}.",
            "all other paths",
        )
        for name, number in _WALKS.items()
    ),
    Shortcut(
        "no_time",
        "It strikes the temporal operators out and judges what is left at the initial event.",
        "time, and the graph",
    ),
    Shortcut(
        "outermost",
        "It says what is commoner for the two outermost operators in items of another split.",
        "the graph, and the rest of the formula",
    ),
    Shortcut(
        "graph_shape",
        "A model trained on another split looks at counts of the graph alone.",
        "the formula",
    ),
    Shortcut(
        "surface",
        "A model trained on another split looks at counts of the formula and of the graph.",
        "which event leads where",
    ),
)


def completion(item: Item, name: str, rng: Random) -> str:
    """Return what a shortcut answers, from the problem alone."""
    problem = item.problem
    if name in _WALKS:
        violation = _violation(problem, _WALKS[name], rng)
        return f"Answer: {answer(problem['task'], violation)}"
    return f"Answer: {_GUESSES[name](problem)}"


def _violation(problem: Mapping[str, Any], number: int, rng: Random) -> dict[str, list[int]] | None:
    """Return the first of some random walks on which the hypothesis fails."""
    after = Graph(problem, [problem["initial"]]).after
    for _ in range(number):
        path, loop = walks.closed(problem["initial"], after, rng)
        prefix, cycle = path[:loop], path[loop:]
        if not lasso.holds(problem["formula"], prefix, cycle):
            return {"prefix": prefix, "cycle": cycle}
    return None


def _timeless(problem: Mapping[str, Any]) -> bool:
    def holds(formula: Formula) -> bool:
        if isinstance(formula, int):
            return bool(formula == problem["initial"])
        parts = [holds(part) for part in formula[1:]]
        meaning = _NOW.get(formula[0])
        return meaning(parts[0], parts[-1]) if meaning else parts[-1]

    return holds(problem["formula"])


# Of U, R and their kin the second operand is left, of the others the only one.
_NOW: dict[str, Callable[[bool, bool], bool]] = {
    "!": lambda a, _: not a,
    "&": lambda a, b: a and b,
    "|": lambda a, b: a or b,
    "->": lambda a, b: not a or b,
}


def outermost(formula: Formula) -> str:
    """Return the outermost operators, the first operand's behind the formula's own."""
    if isinstance(formula, int):
        return "event"
    below = (part[0] if isinstance(part, list) else "event" for part in formula[1:])
    return " ".join([formula[0], *below])


def shape(problem: Mapping[str, Any]) -> list[int]:
    """Return counts of the graph: events, edges, reachable ones, dead ends, branchings, edges that lead back."""
    edges = {(source, target) for source, target in problem["edges"]}
    leaving = Counter(source for source, _ in edges)
    entering = Counter(target for _, target in edges)
    reached = [problem["initial"]]
    for event in reached:
        reached += [
            target for source, target in sorted(edges) if source == event and target not in reached
        ]
    return [
        problem["events"], len(edges), len(reached), leaving[problem["initial"]], entering[problem["initial"]],
        sum(not leaving[event] for event in reached), sum(leaving[event] > 1 for event in reached),
        sum((target, source) in edges for source, target in edges), max(leaving.values(), default=0),
    ]  # fmt: skip


def surface(problem: Mapping[str, Any]) -> list[int]:
    """Return counts of the formula and its outermost operators, and those of the graph."""
    formula = problem["formula"]
    used = Counter(node[0] for node in walk(formula) if isinstance(node, list))
    named = set(atoms(formula))
    outer = [formula, *(formula[1:] if isinstance(formula, list) else [])]
    top = [OPERATORS.index(part[0]) if isinstance(part, list) else -1 for part in outer]
    entering = Counter(target for _, target in problem["edges"])
    first = {target for source, target in problem["edges"] if source == problem["initial"]}
    return [
        *(used[operator] for operator in OPERATORS), *[*top, -2, -2][:3], depth(formula), len(named),
        problem["initial"] in named, sum(used[o] for o in TEMPORAL), sum(used[o] for o in UNARY),
        sum(entering[event] for event in named), len(first & named), *shape(problem),
    ]  # fmt: skip


@cache
def _models() -> dict[str, Any]:
    """Return what `benchmarks/ltlbench_models.py` has written."""
    text = files("harness_ltlbench").joinpath("shortcuts.json").read_text(encoding="utf-8")
    models: dict[str, Any] = json.loads(text)
    return models


def boosted(model: Mapping[str, Any], features: Sequence[float]) -> bool:
    """Return the class that boosted trees give: each node is [feature, threshold, left, right], a leaf [value]."""
    total = 0.0
    for tree in model["trees"]:
        node = tree[0]
        while len(node) > 1:
            feature, threshold, left, right = node
            node = tree[left if features[feature] <= threshold else right]
        total += node[0]
    return bool(total > 0)


_GUESSES: dict[str, Callable[[Mapping[str, Any]], bool]] = {
    "no_time": _timeless,
    "outermost": lambda problem: _models()["outermost"].get(outermost(problem["formula"]), True),
    "graph_shape": lambda problem: boosted(_models()["graph_shape"], shape(problem)),
    "surface": lambda problem: boosted(_models()["surface"], surface(problem)),
}
