"""Problems by the paper's pipeline: random graph, random formula, label, sentences (section 3).

Every label is made by the tableau and confirmed by Spot before the item exists.
"""

from __future__ import annotations

import hashlib
import struct
from collections import Counter
from functools import cache
from itertools import permutations, product
from random import Random
from typing import Any

from harness import Abstained, EngineError, ExhaustedError, Item
from harness_ltlbench import contrast
from harness_ltlbench.config import LOGICS, NAME, VERSION
from harness_ltlbench.engines import pymodelchecking, spot, tableau
from harness_ltlbench.engines.closure import Graph, Lasso
from harness_ltlbench.formula import TEMPORAL, UNARY, Formula, answer, atoms, depth, walk
from harness_ltlbench.wording import write

MAX_DRAWS = 20_000
COUNTABLE = 30_000  # draws that `capacity` enumerates at the most


def item(config: dict[str, Any], index: int, rng: Random, salt: str) -> Item:
    """Return item ``index``: its label is fixed by the index, the rest is drawn until it fits.

    Raises:
        ExhaustedError: no problem with this label was found in `MAX_DRAWS` draws.
        EngineError: the two engines contradict each other.
    """
    label = balanced(index, salt)
    rejected: Counter[str] = Counter()
    for draw in range(1, MAX_DRAWS + 1):
        initial = rng.randint(1, config["events"])
        formula = random_formula(
            config["events"], config["operators"], LOGICS[config["logic"]], rng
        )
        other = None
        if config["graph_dependent"]:
            # Before the graph is drawn: whether graphs matter is up to formula and start alone.
            other = contrast.find(formula, initial, config["events"], label)
            if other is None:
                rejected["graph"] += 1
                continue
        problem = {
            "task": config["task"], "events": config["events"], "initial": initial,
            "edges": random_edges(config, rng), "formula": formula,
        }  # fmt: skip
        reason, violation, nodes = _judge(problem, label)
        if reason is None:
            # of a True item every path is a witness
            witness = None if violation else Graph(problem, [initial]).walk(initial)
            certificate = {"violation": violation, "witness": witness, "contrast": other}
            return _item(problem, config, certificate, nodes, rng, draw, rejected)
        rejected[reason] += 1
    why = ", ".join(f"{reason} {count}" for reason, count in sorted(rejected.items()))
    raise ExhaustedError(
        f"no problem labelled {label} in {MAX_DRAWS} draws ({why}); "
        "use more events or operators, or graph_dependent=false"
    )


def balanced(index: int, salt: str) -> bool:
    """Return the label of an index: each pair 2k, 2k+1 has one of each, in an order drawn per pair."""
    coin = hashlib.sha256(f"{salt}|{index // 2}".encode()).digest()[0] & 1
    return bool(coin ^ (index & 1))


def random_edges(config: dict[str, Any], rng: Random) -> list[list[int]]:
    """Draw a directed graph without self-loops: each edge with the configured probability.

    The probability is rounded to a multiple of 2**-32.
    """
    pairs = _pairs(config["events"])
    chance = round(config["edge_probability"] * 2**32)
    draws = struct.unpack(f"<{len(pairs)}I", rng.randbytes(4 * len(pairs)))
    return [list(pair) for pair, draw in zip(pairs, draws, strict=True) if draw < chance]


@cache
def _pairs(events: int) -> tuple[tuple[int, int], ...]:
    return tuple(permutations(range(1, events + 1), 2))


def random_formula(events: int, operators: int, logic: tuple[str, ...], rng: Random) -> Formula:
    """Draw a formula level by level (paper, Algorithm 1, one formula per level)."""
    levels: list[list[Formula]] = [list(range(1, events + 1))]
    for level in range(1, operators + 1):
        operator = rng.choice(logic)
        if operator in UNARY:
            levels.append([[operator, rng.choice(levels[level - 1])]])
        else:
            left = rng.randrange(level)
            right = level - 1 - left
            levels.append([[operator, rng.choice(levels[left]), rng.choice(levels[right])]])
    return levels[operators][-1]


def _judge(problem: dict[str, Any], label: bool) -> tuple[str | None, Lasso | None, int]:
    """Return (why the draw is rejected or None, the violating path of False, tableau states).

    The tableau makes the label, and Spot, or the third engine where Spot declines, confirms it.
    """
    try:
        result = tableau.check(problem)
    except Abstained:
        return "undecided", None, 0
    if result.holds is not label:
        return "label", None, 0
    for confirm in (spot.check, pymodelchecking.check):
        try:
            confirmed = confirm(problem)
        except Abstained:
            continue
        if confirmed.holds is not label:
            raise EngineError(f"the tableau says {label}, {confirm.__module__} not: {problem}")
        return None, result.violation, result.nodes
    return "unconfirmed", None, 0


def _item(
    problem: dict[str, Any], config: dict[str, Any], certificate: dict[str, Any], nodes: int, rng: Random,
    draws: int, rejected: Counter[str],
) -> Item:  # fmt: skip
    formula = problem["formula"]
    return Item(
        plugin=NAME,
        version=VERSION,
        prompt=write(problem, config["wording"], rng),
        target=answer(problem["task"], certificate["violation"]),
        problem=problem,
        certificate=certificate,
        features={
            "events": problem["events"],
            "operators": config["operators"],
            "depth": depth(formula),
            "temporal_operators": sum(
                isinstance(f, list) and f[0] in TEMPORAL for f in walk(formula)
            ),
            "formula_events": len(atoms(formula)),
            "edges": len(problem["edges"]),
            "product_states": nodes,
        },
        notes={"draws": draws, "rejected": dict(sorted(rejected.items()))},
    )


def capacity(config: dict[str, Any]) -> int | None:
    """Return how many distinct items a small configuration can yield, by trying every problem.

    None when there are more than `COUNTABLE` problems to try. As labels come in pairs, it is
    twice the number of problems with the rarer label.
    """
    events, chance = config["events"], config["edge_probability"]
    drawn = None if 0 < chance < 1 else chance == 1
    return _capacity(events, config["operators"], config["logic"], drawn, config["graph_dependent"])


@cache  # a dataset asks again at its end, and whoever goes on with one at the beginning, too
def _capacity(
    events: int, operators: int, named: str, drawn: bool | None, graph_dependent: bool
) -> int | None:
    """Return the capacity; ``drawn`` is whether each edge is there, None where that is up to chance."""
    pairs = _pairs(events)
    free = len(pairs) if drawn is None else 0
    logic = LOGICS[named]
    total = _count(events, operators, logic)
    if free > 20 or total * events * 2**free > COUNTABLE:
        return None
    fixed = pairs if drawn else ()
    graphs = [
        [list(pair) for pair, kept in zip(pairs, mask, strict=False) if kept]
        or list(map(list, fixed))
        for mask in product((False, True), repeat=free)
    ]
    formulas = filter(_by_levels, _every(events, operators, logic))
    counts: Counter[bool] = Counter()
    for edges, initial, formula in product(graphs, range(1, events + 1), formulas):
        problem = {"events": events, "initial": initial, "edges": edges, "formula": formula}
        label = spot.check(problem).holds
        counts[label] += (
            not graph_dependent or contrast.find(formula, initial, events, label) is not None
        )
    return 2 * min(counts[True], counts[False])


def _count(events: int, operators: int, logic: tuple[str, ...]) -> int:
    unary = sum(operator in UNARY for operator in logic)
    counts = [events]
    for level in range(1, operators + 1):
        splits = sum(counts[s] * counts[level - 1 - s] for s in range(level))
        counts.append(unary * counts[level - 1] + (len(logic) - unary) * splits)
    return counts[operators]


def _every(events: int, operators: int, logic: tuple[str, ...]) -> list[Formula]:
    levels: list[list[Formula]] = [list(range(1, events + 1))]
    for level in range(1, operators + 1):
        grown: list[Formula] = []
        for operator in logic:
            if operator in UNARY:
                grown += [[operator, f] for f in levels[level - 1]]
                continue
            for left in range(level):
                grown += [[operator, f, g] for f in levels[left] for g in levels[level - 1 - left]]
        levels.append(grown)
    return levels[operators]


def _by_levels(formula: Formula) -> bool:
    """Return whether `random_formula` can draw a formula: it has one formula per level."""
    levels: dict[int, Formula] = {}
    for node in walk(formula):
        operators = sum(isinstance(f, list) for f in walk(node))
        if operators and levels.setdefault(operators, node) != node:
            return False
    return True
