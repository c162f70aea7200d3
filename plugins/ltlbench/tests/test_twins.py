"""Twins differ in one edge and their labels; the chance of a walk is that of brute force and of Spot's automata."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from functools import cache
from itertools import combinations, pairwise, product
from random import Random
from typing import Any

import numpy as np
import pytest
from cases import slow, some
from harness_logic import spot_library
from harness_ltlbench import generate, twins, walks
from harness_ltlbench.engines import lasso, spot, tableau
from harness_ltlbench.engines.closure import Graph, bits_of
from ltl_brute import graphs
from ltl_items import PLUGIN, TWINS, items_of, spec_of
from ltl_random import any_shape

from harness import Item
from harness.core import fresh

FEW: dict[str, Any] = {**TWINS, "events": 7, "operators": 2}
KINDS: list[dict[str, Any]] = [
    {"n": max(8, some(40))},
    {"n": max(4, some(16)), "logic": "full", "wording": "can"},
    {"n": max(4, some(10)), "rarity": 0.1},
    {"n": max(4, some(10)), "events": 5, "operators": 5, "rarity": 0.1},
    {"n": max(4, some(6)), "events": 4, "operators": 3, "edge_probability": 0.5},
    {"n": max(4, some(10)), "events": 3, "operators": 5, "edge_probability": 0.5, "rarity": 0.1},
    {"n": max(4, some(8)), "events": 12, "edge_probability": 0.15},
]


@cache
def pairs_of(**values: Any) -> list[tuple[Item, Item]]:
    items = items_of(**{**TWINS, **values})
    return list(zip(items[::2], items[1::2], strict=True))


def reached(problem: dict[str, Any]) -> set[int]:
    found, before = {problem["initial"]}, set[int]()
    while found != before:
        before = set(found)
        found |= {target for source, target in problem["edges"] if source in found}
    return found


def degrees(problem: dict[str, Any], end: int) -> list[int]:
    return sorted(Counter(edge[end] for edge in problem["edges"]).values())


@pytest.mark.parametrize("kind", KINDS, ids=str)
def test_twins_differ_in_the_target_of_one_edge_and_in_their_labels(kind: dict[str, Any]) -> None:
    for one, other in pairs_of(**kind):
        a, b = one.problem, other.problem
        assert {one.target, other.target} == {"True", "False"}
        assert all(a[key] == b[key] for key in ("formula", "initial", "events", "task"))
        (gone,) = [edge for edge in a["edges"] if edge not in b["edges"]]
        (came,) = [edge for edge in b["edges"] if edge not in a["edges"]]
        assert gone[0] == came[0]
        assert reached(a) == reached(b)
        assert degrees(a, 0) == degrees(b, 0)
        assert a["events"] == 3 or degrees(a, 1) == degrees(b, 1)
        assert len(one.prompt) == len(other.prompt)
        assert one.features == other.features
        lines = zip(one.prompt.split(". "), other.prompt.split(". "), strict=True)
        changed = sum(mine != yours for mine, yours in lines)
        assert 1 <= changed <= (1 if kind.get("wording") != "can" else len(reached(a)))


@pytest.mark.parametrize("kind", KINDS, ids=str)
def test_graphs_branch_and_walks_seldom_violate(kind: dict[str, Any]) -> None:
    for pair in pairs_of(**kind):
        for item in pair:
            leaving = Counter(source for source, _ in item.problem["edges"])
            assert max(leaving[event] for event in reached(item.problem)) > 1
            chance = walks.violation(item.problem)
            if item.target == "True":
                assert chance == 0
            else:
                assert chance <= kind.get("rarity", 0.25)
                assert item.certificate["walk"] == str(chance)
                assert item.features["walk_violation"] == pytest.approx(float(chance), abs=1e-6)


def circling(problem: dict[str, Any]) -> Fraction:
    """The chance that a walk violates which goes on in circles once an event comes again, path by path."""
    after, chance = Graph(problem, [problem["initial"]]).after, Fraction(0)
    open_paths = [([problem["initial"]], Fraction(1))]
    for path, share in open_paths:
        followers = after[path[-1]] or [path[-1]]
        for event in followers:
            if event not in path:
                open_paths.append(([*path, event], share / len(followers)))
            elif not lasso.holds(
                problem["formula"], path[: path.index(event)], path[path.index(event) :]
            ):
                chance += share / len(followers)
    return chance


@pytest.mark.parametrize("kind", KINDS[:5], ids=str)
def test_walks_in_circles_violate_still_more_seldom(kind: dict[str, Any]) -> None:
    for pair in pairs_of(**kind):
        for item in pair:
            assert circling(item.problem) <= twins.CIRCLES * kind.get("rarity", 0.25)


@pytest.mark.parametrize(("events", "operators"), [(3, 3), (4, 2)])
def test_small_graphs_and_formulas_leave_the_rarity_to_walks_in_circles(
    events: int, operators: int
) -> None:
    for pair in pairs_of(n=4, events=events, operators=operators, edge_probability=0.5):
        for item in pair:
            assert circling(item.problem) <= Fraction(1, 4)


def test_a_wrong_chance_is_no_certificate() -> None:
    from dataclasses import replace

    for pair in pairs_of(n=6):
        for item in pair:
            fake = {**item.certificate, "walk": "1/77"}
            assert len(PLUGIN.call("check", item=replace(item, certificate=fake))) == 1


def test_a_redraw_gives_another_pair_with_the_same_label() -> None:
    spec = spec_of(**TWINS, n=4)
    for index in range(4):
        first, again = (fresh.item_at(PLUGIN, spec, index, attempt) for attempt in (0, 1))
        assert first.target == again.target
        assert first.problem != again.problem
        assert first.features["twin"] != again.features["twin"]


def test_other_splits_have_other_pairs() -> None:
    seen = [
        {item.features["twin"] for item in items_of(**TWINS, n=20, split=split)}
        for split in ("test", "train", "examples")
    ]
    assert [len(part) for part in seen] == [10, 10, 10]
    assert len(set().union(*seen)) == 30


@slow
def test_of_few_problems_none_has_a_formula_of_the_test_split() -> None:
    test, train, examples = (
        {str(item.problem["formula"]) for item in items_of(**FEW, n=20, split=split)}
        for split in ("test", "train", "examples")
    )
    assert test.isdisjoint(train | examples)


# ------------------------------------------------------------------------- the chance of a walk


def chain_of(problem: dict[str, Any]) -> list[dict[int, float]]:
    followers: dict[int, list[int]] = {}
    for source, target in problem["edges"]:
        followers.setdefault(source, []).append(target)
    return [
        {t: 1 / len(followers.get(e, [e])) for t in followers.get(e, [e])}
        for e in range(1, problem["events"] + 1)
    ]


def by_automaton(problem: dict[str, Any]) -> float:
    """The chance by the textbook: a deterministic automaton of the negation, and the product's end components."""
    session = spot_library.current(spot._Session)
    library = session.spot
    formula = library.formula.Not(session.build(problem["formula"]))
    automaton = library.translate(formula, "parity", "deterministic", "complete", "sbacc")
    names = [ap.ap_name() for ap in automaton.ap()]
    events, chain = problem["events"], chain_of(problem)

    def step(state: int, event: int) -> int:
        literals = [
            session.buddy.bdd_ithvar(automaton.register_ap(name))
            if name == f"e{event}"
            else session.buddy.bdd_nithvar(automaton.register_ap(name))
            for name in names
        ]
        letter = session.buddy.bddtrue
        for literal in literals:
            letter = letter & literal
        for edge in automaton.out(state):
            if (edge.cond & letter) != session.buddy.bddfalse:
                return int(edge.dst)
        raise AssertionError

    states = list(product(range(automaton.num_states()), range(1, events + 1)))
    place = {state: at for at, state in enumerate(states)}
    matrix = np.zeros((len(states), len(states)))
    for (state, event), at in place.items():
        then = step(state, event)
        for target, chance in chain[event - 1].items():
            matrix[at, place[then, target]] += chance
    reach = np.linalg.matrix_power((matrix + np.eye(len(states))) > 0, len(states)) > 0
    bottom = [
        at for at in range(len(states)) if all(reach[t, at] for t in np.flatnonzero(reach[at]))
    ]
    wins = np.zeros(len(states))
    for at in bottom:
        group = np.flatnonzero(reach[at])
        colours = {c for t in group for c in automaton.state_acc_sets(states[t][0]).sets()}
        wins[at] = automaton.acc().accepting(library.mark_t(sorted(colours)))
    values = wins.copy()
    rest = [at for at in range(len(states)) if at not in bottom]
    if rest:
        inner = matrix[np.ix_(rest, rest)]
        known = matrix[np.ix_(rest, bottom)] @ wins[bottom]
        values[rest] = np.linalg.solve(np.eye(len(rest)) - inner, known)
    return float(values[place[automaton.get_init_state_number(), problem["initial"]]])


@pytest.mark.parametrize(("events", "operators"), [(2, 3), (3, 3), (3, 5), (4, 4), (6, 6)])
def test_the_chance_of_a_walk_is_that_of_the_automaton(events: int, operators: int) -> None:
    rng = Random(f"{events} {operators}")
    every = [list(map(list, graph)) for graph in graphs(events)] if events < 4 else []
    between = Counter[bool]()
    tried = max(30, some(60))
    for _ in range(tried):
        edges = (
            rng.choice(every)
            if every
            else generate.random_edges({"events": events, "edge_probability": 0.4}, rng)
        )
        problem = {
            "task": "decide", "events": events, "initial": rng.randint(1, events), "edges": edges,
            "formula": any_shape(rng, events, operators),
        }  # fmt: skip
        chance = walks.violation(problem)
        assert float(chance) == pytest.approx(by_automaton(problem), abs=1e-9), problem
        assert chance == 0 or not tableau.check(problem).holds
        between[0 < chance < 1] += 1
    assert between[True] > (some(3) if events > 3 else -1)


@pytest.mark.parametrize("events", [2, 3])
def test_what_a_step_decides_is_counted_on_every_small_graph(events: int) -> None:
    """X e, and e until f, by sums over paths: exact on all graphs."""
    for graph in graphs(events):
        problem = {
            "task": "decide",
            "events": events,
            "initial": 1,
            "edges": list(map(list, graph)),
        }
        chain = chain_of(problem)
        for event in range(1, events + 1):
            chance = 1 - walks.violation({**problem, "formula": ["X", event]})
            assert chance == Fraction(chain[0].get(event, 0)).limit_denominator(100)
            reach = [0.0] * events
            for _ in range(200):
                reach = [
                    1.0 if e == event - 1 else sum(p * reach[t - 1] for t, p in chain[e].items())
                    for e in range(events)
                ]
            found = 1 - walks.violation({**problem, "formula": ["F", event]})
            assert float(found) == pytest.approx(reach[0], abs=1e-6)


# ------------------------------------------------------------------------- mutations


@pytest.mark.parametrize("broken", ["chance", "alike", "shape"])
def test_a_generator_without_its_conditions_is_found_out(
    monkeypatch: pytest.MonkeyPatch, broken: str
) -> None:
    generate._pair.cache_clear()
    if broken == "chance":
        monkeypatch.setattr(twins.Trials, "_chance", lambda *_: 0.0)
        monkeypatch.setattr(walks, "violation", lambda _: Fraction(0))
    elif broken == "alike":
        monkeypatch.setattr(
            twins.Fork, "_alike",
            lambda self, _: list(combinations({*range(1, 9)} - {self.event, self.initial}, 2)),
        )  # fmt: skip
    else:
        monkeypatch.setattr(twins.Fork, "_closed", lambda *_: (1 << 9 * 9) - 1)
    drawn = items_of(**TWINS, n=40, seed=3)
    monkeypatch.undo()
    generate._pair.cache_clear()
    found = False
    for one, other in zip(drawn[::2], drawn[1::2], strict=True):
        if broken == "shape":
            found |= reached(one.problem) != reached(other.problem)
        elif broken == "alike":
            found |= degrees(one.problem, 1) != degrees(other.problem, 1)
        else:
            found |= max(walks.violation(item.problem) for item in (one, other)) > 0.25
    assert found


# ------------------------------------------------------------------------- forks and their paths


def forks(events: int, chance: float, count: int) -> list[twins.Fork]:
    rng = Random(f"forks|{events}")
    found = []
    while len(found) < count:
        drawn = generate.random_graph({"events": events, "edge_probability": chance}, rng)
        fork = twins.Fork(events, rng.randint(1, events), drawn, rng)
        if fork.choices:
            found.append(fork)
    return found


def graph_of(fork: twins.Fork, targets: int) -> dict[str, Any]:
    edges = [*fork.edges, *([fork.event, t] for t in bits_of(targets))]
    return {"task": "decide", "events": fork.events, "initial": fork.initial, "edges": edges}


def cycles(problem: dict[str, Any]) -> list[int]:
    """For each event within reach, how many it shares cycles with."""
    after: dict[int, set[int]] = {event: set() for event in range(1, problem["events"] + 1)}
    for source, target in problem["edges"]:
        after[source].add(target)
    for middle, source in product(after, after):
        if middle in after[source]:
            after[source] |= after[middle]
    ahead = {event: after[event] for event in reached(problem)}
    return sorted(sum(o in ahead[e] and e in ahead[o] for o in ahead) for e in ahead)


@pytest.mark.parametrize(("events", "chance"), [(3, 0.5), (5, 0.4), (8, 0.25)])
def test_both_sets_of_targets_give_graphs_of_one_shape(events: int, chance: float) -> None:
    for fork in forks(events, chance, max(12, some(60))):
        for shared, one, other in fork.choices:
            a, b = graph_of(fork, shared | 1 << one), graph_of(fork, shared | 1 << other)
            assert reached(a) == reached(b)
            assert cycles(a) == cycles(b)
            assert events == 3 or degrees(a, 1) == degrees(b, 1)
            leaving = Counter(source for source, _ in a["edges"] if source in reached(a))
            assert max(leaving.values()) > 1


@slow
@pytest.mark.parametrize(("events", "chance"), [(4, 0.5), (6, 0.35), (8, 0.25)])
def test_paths_of_a_fork_say_what_the_tableau_says(events: int, chance: float) -> None:
    """On thousands of formulas: a path that fails is a violation, and one by way of a target is of that graph."""
    rng, checked, agreed = Random(events), 0, 0
    for fork in forks(events, chance, max(10, some(40))):  # they take long to find
        trials = twins.Trials(fork, 0.25, 5)
        if trials.sampled:  # a path too many: not all are known
            continue
        paths = twins._simple(fork.initial, trials.followers)
        loops = [loop for _, loop in paths + twins._again(fork, trials.followers)]
        for _ in range(max(16, some(30))):
            formula = any_shape(rng, events, rng.randint(1, 5))
            failing = trials.pool.first & ~value_of(trials, formula)
            for number, path in enumerate(trials.paths):
                loop = loops[number]
                assert lasso.holds(formula, path[:loop], path[loop:]) is not bool(
                    failing >> number & 1
                )
            shared, one, _ = rng.choice(fork.choices)
            targets = shared | 1 << one
            on_it = trials.elsewhere
            for target, paths in trials.by_target.items():
                on_it |= paths if targets >> target & 1 else 0
            label = tableau.check({**graph_of(fork, targets), "formula": formula}).holds
            assert not (label and failing & on_it)
            checked, agreed = checked + 1, agreed + (label is not bool(failing & on_it))
    assert checked >= some(1100)
    assert agreed > 0.98 * checked  # a few formulas fail on longer paths alone


@pytest.mark.parametrize("operators", [3, 5])
def test_a_graph_that_is_not_tried_has_no_twins(operators: int) -> None:
    """A thousand formulas on each such graph fail on no path alone that walks take seldom."""
    skipped, tried, kinds = 0, 0, Counter[str]()
    for fork in forks(5, 0.4, 60):
        trials = twins.Trials(fork, 0.1, operators)
        skipped, tried = skipped + trials.hopeless, tried + (not trials.hopeless)
        if trials.hopeless:
            rng = Random(skipped)
            for _ in range(some(1000)):
                formula = any_shape(rng, 5, rng.randint(1, operators))
                pair = trials.pair("decide", formula, value_of(trials, formula))
                kinds[pair if isinstance(pair, str) else "found"] += 1
    assert min(skipped, tried) >= 5
    assert kinds["walk"] >= 5
    assert kinds["found"] == 0


def value_of(trials: twins.Trials, formula: Any) -> int:
    if isinstance(formula, int):
        return trials.pool.columns.get(formula, 0)
    return trials.pool.meaning(formula[0])(*(value_of(trials, part) for part in formula[1:]))


@pytest.mark.parametrize(("events", "chance"), [(4, 0.5), (8, 0.25)])
def test_the_chance_of_paths_is_how_often_walks_take_them(events: int, chance: float) -> None:
    rng = Random(events)
    for fork in forks(events, chance, 12):
        trials = twins.Trials(fork, 0.25, 5)
        shared, one, _ = rng.choice(fork.choices)
        graph = graph_of(fork, shared | 1 << one)
        after = Graph(graph, range(1, events + 1)).after
        taken = 0
        for _ in range(2000):
            path, loop = walks.closed(fork.initial, after, rng)
            path.append(path[loop])
            taken += (fork.event, one) in pairwise(path)
        assert trials._chance(trials.by_target[one]) == pytest.approx(taken / 2000, abs=0.05)


def test_many_paths_are_drawn() -> None:
    fork = forks(30, 0.3, 1)[0]
    trials = twins.Trials(fork, 0.25, 5)
    assert trials.sampled
    assert len(trials.paths) == twins.PATHS


def test_steps_are_paths() -> None:
    for pair in pairs_of(n=4):
        for item in pair:
            path = item.certificate["witness"] or item.certificate["violation"]
            steps = pairwise([*path["prefix"], *path["cycle"], path["cycle"][0]])
            assert all(list(step) in item.problem["edges"] or step[0] == step[1] for step in steps)
