"""Problems by the paper's pipeline: random graph, random formula, label, sentences (section 3).

Every label is made by the tableau and confirmed by Spot before the item exists.
"""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import islice, permutations, product
from random import Random
from typing import Any
from zlib import crc32

from harness_logic.lassos import Mixed

from harness import Abstained, EngineError, ExhaustedError, Item, digest
from harness_ltlbench import twins
from harness_ltlbench.config import LOGICS, NAME, VERSION
from harness_ltlbench.engines import pymodelchecking, spot, tableau
from harness_ltlbench.engines.closure import Graph, Lasso
from harness_ltlbench.formula import TEMPORAL, UNARY, Formula, answer, atoms, depth, walk
from harness_ltlbench.wording import write

MAX_DRAWS = 20_000
MAX_PAIR_DRAWS = 1_000_000  # of formulas, or graphs
# Of so few events there are few twins: so many redraws of a pair in vain, and all seem to have been found.
FEW_EVENTS = 4
REDRAWS = 100
# With fewer events and operators together, the test split has three of four formulas: others might share problems.
FEW_PROBLEMS, SHARES = 10, 4
FORMULAS = 80  # tried on one graph
PARTS = 8  # formulas of each lower level that they are made of
COUNTABLE = 30_000  # draws that `capacity` enumerates at the most

_Valued = tuple[Formula, int]  # a formula with its value on some words
# Its name, whether it is unary, and what it means there.
_Operator = tuple[str, bool, Callable[..., int]]


def item(
    config: dict[str, Any], index: int, rng: Random, salt: str, split: str, attempt: int
) -> Item:
    """Return item ``index``: its label is fixed by the index, the rest is drawn until it fits.

    Items 2k and 2k + 1 are twins (see `harness_ltlbench.twins`), drawn from ``salt``, k and ``attempt``. Where
    there are few problems, the test split has formulas of its own.

    Raises:
        ExhaustedError: no problem with this label, or no pair, was found in `MAX_DRAWS` draws; or all twins of few
            events, where each takes thousands of draws, seem to have been found.
        EngineError: the two engines contradict each other.
    """
    label = balanced(index, salt)
    if not config["twins"]:
        return _single(config, label, rng)
    if config["events"] < 3:
        raise ExhaustedError(
            "events=2 leaves no edge to move for twins; use 3 or more, or twins=false"
        )
    if config["events"] <= FEW_EVENTS and attempt >= REDRAWS:
        raise ExhaustedError(
            f"no new twins in {REDRAWS} pairs with events={config['events']} operators={config['operators']}; "
            "use more events or operators, a smaller n, twins=false, or unique=false"
        )
    tested = split == "test" if config["events"] + config["operators"] < FEW_PROBLEMS else None
    found = _pair(json.dumps(config, sort_keys=True), f"{salt}|{index // 2}|{attempt}", tested)
    pair, path = found.pair, found.path
    # Each half's contrast is what the other half shows.
    certificate: dict[str, Any] = {
        "violation": None if label else pair.violation,
        "witness": path if label else None,
        "contrast": pair.violation if label else path,
        "walk": None if label else str(pair.chance),
    }
    problem = dict(pair.satisfied if label else pair.violated)
    return _item(problem, config, certificate, found.features, Random(found.seed), found.notes)


@dataclass(frozen=True, slots=True)
class _Found:
    """A confirmed pair with a path of the satisfied half, and what both halves have in common.

    ``seed`` gives the order of their sentences.
    """

    pair: twins.Pair
    path: Lasso
    features: Mapping[str, Any]
    notes: Mapping[str, Any]
    seed: float


@lru_cache(maxsize=8)  # the other half is asked for next
def _pair(known: str, seed: str, tested: bool | None) -> _Found:
    """Return a pair drawn from a seed; ``tested``: only with formulas of the test split, or only with others."""
    config = json.loads(known)
    rng = Random(hashlib.sha256(seed.encode()).hexdigest())
    rejected: Counter[str] = Counter()
    events, draws = config["events"], 0
    while draws < MAX_PAIR_DRAWS:
        draws += 1
        fork = twins.Fork(events, rng.randint(1, events), random_graph(config, rng), rng)
        if not fork.choices:
            rejected["graph"] += 1
            continue
        trials = twins.Trials(fork, config["rarity"], config["operators"])
        if trials.hopeless:
            rejected["walk"] += 1
            continue
        for formula, value in islice(_formulas(trials.pool, config, rng), FORMULAS):
            draws += 1
            if tested is (crc32(repr(formula).encode()) % SHARES == 0):
                rejected["split"] += 1
                continue
            pair = trials.pair(config["task"], formula, value)
            if isinstance(pair, str):
                rejected[pair] += 1
                continue
            if _confirmed(pair.violated, label=False) and _confirmed(pair.satisfied, label=True):
                features = {
                    **_features(pair.violated, config, pair.nodes),
                    "walk_violation": round(float(pair.chance), 6),
                    "twin": digest([pair.violated, pair.satisfied])[:12],
                }
                path = Graph(pair.satisfied, [fork.initial]).walk(fork.initial)
                notes = {"draws": draws, "rejected": dict(sorted(rejected.items()))}
                return _Found(pair, path, features, notes, rng.random())
            rejected["unconfirmed"] += 1
    raise ExhaustedError(
        f"no twins in {MAX_PAIR_DRAWS} draws ({_reasons(rejected)}); "
        "use more events or operators, a higher rarity, or twins=false"
    )


def _single(config: dict[str, Any], label: bool, rng: Random) -> Item:
    rejected: Counter[str] = Counter()
    for draw in range(1, MAX_DRAWS + 1):
        initial = rng.randint(1, config["events"])
        formula = random_formula(
            config["events"], config["operators"], LOGICS[config["logic"]], rng
        )
        problem = {
            "task": config["task"], "events": config["events"], "initial": initial,
            "edges": random_edges(config, rng), "formula": formula,
        }  # fmt: skip
        reason, violation, nodes = _judge(problem, label)
        if reason is None:
            # of a True item every path is a witness
            witness = None if violation else Graph(problem, [initial]).walk(initial)
            certificate = {
                "violation": violation,
                "witness": witness,
                "contrast": None,
                "walk": None,
            }
            notes = {"draws": draw, "rejected": dict(sorted(rejected.items()))}
            features = _features(problem, config, nodes)
            return _item(problem, config, certificate, features, rng, notes)
        rejected[reason] += 1
    raise ExhaustedError(
        f"no problem labelled {label} in {MAX_DRAWS} draws ({_reasons(rejected)}); "
        "use more events or operators"
    )


def _reasons(rejected: Counter[str]) -> str:
    return ", ".join(f"{reason} {count}" for reason, count in sorted(rejected.items()))


def balanced(index: int, salt: str) -> bool:
    """Return the label of an index: each pair 2k, 2k+1 has one of each, in an order drawn per pair."""
    coin = hashlib.sha256(f"{salt}|{index // 2}".encode()).digest()[0] & 1
    return bool(coin ^ (index & 1))


def random_edges(config: dict[str, Any], rng: Random) -> list[list[int]]:
    """Draw a directed graph without self-loops: each edge with the configured probability."""
    targets = twins.targets(random_graph(config, rng), config["events"])
    return [[source, event] for source, after in enumerate(targets) for event in after]


def random_graph(config: dict[str, Any], rng: Random) -> bytes:
    """Draw such a graph as a square of bytes (see `twins.targets`).

    The probability is rounded to a multiple of 2**-32.
    """
    events: int = config["events"]
    chance = round(config["edge_probability"] * 2**32)
    data = rng.randbytes(4 * events * (events - 1))
    # The highest bytes of the numbers: most often they say it all.
    drawn = data[3::4].translate(_below(chance >> 24))
    at = drawn.find(b"?")
    while at >= 0:
        kept = int.from_bytes(data[4 * at : 4 * at + 4], "little") < chance
        drawn = drawn.replace(b"?", b"\1" if kept else b"\0", 1)
        at = drawn.find(b"?", at)
    # Between two places where an event would follow itself there are as many others as events.
    return b"\0".join([b"", *twins.cut(drawn, events), b""])


@cache
def _below(chance: int) -> bytes:
    """Return a table from the highest byte of a number to whether the number is below a chance, ? if others tell."""
    return (b"\1" * chance + b"?" + bytes(256))[:256]


def random_formula(events: int, operators: int, logic: tuple[str, ...], rng: Random) -> Formula:
    """Draw a formula level by level (paper, Algorithm 1, one formula per level)."""
    levels: list[list[_Valued]] = [[(event, 0) for event in range(1, events + 1)]]
    drawn = _drawer(levels, [(name, name in UNARY, lambda *_: 0) for name in logic], rng)
    while len(levels) <= operators:
        levels.append([drawn()])
    return levels[operators][-1][0]


def _drawer(
    levels: Sequence[Sequence[_Valued]], operators: Sequence[_Operator], rng: Random
) -> Callable[[], _Valued]:
    """Return what draws an operator and its operands from the levels below, with its value from theirs."""
    random, count = rng.random, len(operators)

    def drawn() -> _Valued:
        operator, unary, apply = operators[int(random() * count)]
        if unary:
            below = levels[-1]
            part, value = below[int(random() * len(below))]
            return [operator, part], apply(value)
        left = int(random() * len(levels))
        lefts, rights = levels[left], levels[-1 - left]
        one, first = lefts[int(random() * len(lefts))]
        other, last = rights[int(random() * len(rights))]
        return [operator, one, other], apply(first, last)

    return drawn


def _formulas(pool: Mixed, config: Mapping[str, Any], rng: Random) -> Iterator[_Valued]:
    """Return formulas with their values on some words, drawn level by level from `PARTS` formulas a level.

    No two parts have the same value, and none the same everywhere: each says something.
    """
    operators = [(name, name in UNARY, pool.meaning(name)) for name in LOGICS[config["logic"]]]
    levels: list[list[_Valued]] = [
        [(event, pool.columns.get(event, 0)) for event in range(1, config["events"] + 1)]
    ]
    drawn = _drawer(levels, operators, rng)
    seen = {0, pool.full}
    for _ in range(1, config["operators"]):
        parts: list[_Valued] = []
        for _ in range(4 * PARTS):
            latest = drawn()
            if latest[1] not in seen:
                parts.append(latest)
                seen.add(latest[1])
            if len(parts) == PARTS:
                break
        levels.append(parts or [latest])
    return iter(drawn, None)


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
    if _confirmed(problem, label):
        return None, result.violation, result.nodes
    return "unconfirmed", None, 0


def _confirmed(problem: Mapping[str, Any], label: bool) -> bool:
    """Return whether an engine confirms what the tableau says; False if all decline.

    Raises:
        EngineError: it says the opposite.
    """
    for confirm in (spot.check, pymodelchecking.check):
        try:
            confirmed = confirm(problem)
        except Abstained:
            continue
        if confirmed.holds is not label:
            raise EngineError(f"the tableau says {label}, {confirm.__module__} not: {problem}")
        return True
    return False


def _item(
    problem: dict[str, Any], config: dict[str, Any], certificate: dict[str, Any], features: Mapping[str, Any],
    rng: Random, notes: Mapping[str, Any],
) -> Item:  # fmt: skip
    return Item(
        plugin=NAME,
        version=VERSION,
        prompt=write(problem, config["wording"], rng),
        target=answer(problem["task"], certificate["violation"]),
        problem=problem,
        certificate=certificate,
        features=dict(features),
        notes=dict(notes),
    )


def _features(problem: Mapping[str, Any], config: Mapping[str, Any], nodes: int) -> dict[str, Any]:
    formula = problem["formula"]
    return {
        "events": problem["events"],
        "operators": config["operators"],
        "depth": depth(formula),
        "temporal_operators": sum(isinstance(f, list) and f[0] in TEMPORAL for f in walk(formula)),
        "formula_events": len(atoms(formula)),
        "edges": len(problem["edges"]),
        "product_states": nodes,
    }


def capacity(config: dict[str, Any]) -> int | None:
    """Return how many distinct items a small configuration can yield, by trying every problem.

    None for twins, or when there are more than `COUNTABLE` problems to try. As labels come in pairs, it is
    twice the number of problems with the rarer label.
    """
    if config["twins"]:
        return None
    events, chance = config["events"], config["edge_probability"]
    drawn = None if 0 < chance < 1 else chance == 1
    return _capacity(events, config["operators"], config["logic"], drawn)


@cache  # a dataset asks again at its end, and whoever goes on with one at the beginning, too
def _capacity(events: int, operators: int, named: str, drawn: bool | None) -> int | None:
    """Return the capacity; ``drawn`` is whether each edge is there, None where that is up to chance."""
    pairs = tuple(permutations(range(1, events + 1), 2))
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
        counts[label] += 1
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
