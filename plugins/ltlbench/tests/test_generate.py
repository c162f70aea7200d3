"""The generator: labels, balance, graph dependence and capacity against brute force of our own."""

from __future__ import annotations

from collections import Counter
from itertools import chain, islice, pairwise, product
from random import Random
from typing import Any

import pytest
from cases import each, slow, some
from harness_ltlbench import contrast, generate
from harness_ltlbench.config import LOGICS
from harness_ltlbench.engines import lasso, tableau
from harness_ltlbench.formula import path_text
from ltl_brute import RULES, Brute, frozen, graphs, subformulas
from ltl_items import PLUGIN, TWINS, items_of, spec_of
from ltl_random import any_shape, count

from harness import Abstained, EngineError, ExhaustedError
from harness.core import fresh
from harness.core.features import settings
from harness.core.plugins import registry
from harness.core.spec import Spec
from harness.core.words import build


@each(
    ("formula", "edges", "expected"),
    [
        (["G", 1], [], True),
        (["X", 2], [(1, 2), (1, 3)], False),
        (["U", 1, 2], [(1, 2)], True),
        (["W", 1, 2], [(1, 2), (2, 1)], True),
        (["M", 1, 1], [], True),
        (["M", 2, 1], [(1, 2)], False),
        (["R", 2, 1], [], True),
        (["G", ["F", 1]], [(1, 2), (2, 1), (2, 3)], False),
        (["F", ["G", 2]], [(1, 2)], True),
        (["->", ["G", ["F", 2]], ["G", ["F", 1]]], [(1, 2), (2, 1)], True),
        (["F", ["|", ["G", 1], ["G", ["!", 1]]]], [(1, 2), (2, 1)], False),
    ],
)
def test_the_brute_force_itself(formula: Any, edges: Any, expected: bool) -> None:
    assert Brute(formula, 3).label(edges, 1) is expected


# ------------------------------------------------------------------------------------------ labels


@pytest.mark.parametrize("logic", LOGICS)
@pytest.mark.parametrize("events", [2, 3, 4])
def test_every_label_is_what_brute_force_finds(logic: str, events: int) -> None:
    for operators, task in ((1, "decide"), (2, "decide"), (3, "decide"), (5, "counterexample")):
        for item in items_of(
            events=events, operators=operators, logic=logic, task=task, n=max(4, some(16)), seed=5
        ):
            problem = item.problem
            found = Brute(problem["formula"], events).label(problem["edges"], problem["initial"])
            assert item.target.split(":")[0] == str(found), problem


@each("seed", range(6))
def test_labels_are_balanced_in_pairs_without_order(seed: int) -> None:
    labels = [item.target == "True" for item in items_of(operators=2, n=60, seed=seed)]
    pairs = list(zip(labels[::2], labels[1::2], strict=True))
    assert all(first != second for first, second in pairs)
    assert 5 < sum(first for first, _ in pairs) < 25  # 15 ± 2.7


def test_the_order_of_labels_is_another_for_every_salt() -> None:
    orders = {tuple(generate.balanced(i, f"salt{s}") for i in range(64)) for s in range(50)}
    assert len(orders) == 50
    # no index has the same label everywhere
    assert all({order[i] for order in orders} == {True, False} for i in range(64))


def test_labels_stay_balanced_when_duplicates_are_drawn_again() -> None:
    drawn = items_of(events=2, operators=1, n=30, unique=True)
    assert sum(item.target == "True" for item in drawn) == 15
    assert any(item.attempt for item in drawn)
    assert len({item.problem_id for item in drawn}) == 30


# ------------------------------------------------------------------------------- graph dependence


@pytest.mark.parametrize(
    ("events", "operators", "number"),
    [(2, 2, 60), (2, 4, 60), (2, 6, 30), (3, 1, 60), (3, 2, 90), (3, 3, 90), (3, 4, 40), (4, 2, 3)],
)
def test_a_contrast_exists_exactly_if_some_graph_has_the_other_label(
    events: int, operators: int, number: int
) -> None:
    rng = Random(f"all graphs {events} {operators}")
    seen: Counter[tuple[bool, bool]] = Counter()
    for _ in range(max(min(number, 15), some(number))):
        formula, initial = any_shape(rng, events, operators), rng.randint(1, events)
        brute = Brute(formula, events)
        labels = {brute.label(graph, initial) for graph in graphs(events)}
        for label in (True, False):
            found = contrast.find(formula, initial, events, label)
            assert (found is not None) == ((not label) in labels), (formula, initial, label)
            seen[label, found is None] += 1
    assert len(seen) == 4 or number < 10


def test_items_that_the_graph_does_not_matter_for_come_without_twins() -> None:
    drawn = items_of(operators=2, n=60, twins=False)
    fixed = 0
    for item in drawn:
        brute = Brute(item.problem["formula"], 3)
        fixed += len({brute.label(graph, item.problem["initial"]) for graph in graphs(3)}) == 1
        assert item.certificate["contrast"] is None
        assert set(item.notes["rejected"]) <= {"label"}
    assert fixed > 10  # the published data is full of them


# ------------------------------------------------------------------------------- the distribution


def chi_square(counts: Counter[Any], kinds: int) -> float:
    expected = counts.total() / kinds
    assert len(counts) == kinds
    return sum((seen - expected) ** 2 / expected for seen in counts.values())


@pytest.mark.parametrize("logic", LOGICS)
def test_formulas_follow_the_algorithm_of_the_paper(logic: str) -> None:
    rng = Random(logic)
    roots: Counter[str] = Counter()
    leaves: Counter[int] = Counter()
    splits: Counter[int] = Counter()
    for _ in range(some(6000)):
        formula = generate.random_formula(4, 5, LOGICS[logic], rng)
        assert count(formula) == 5
        by_size: dict[int, Any] = {}
        for part in subformulas(frozen(formula)):
            if isinstance(part, int):
                continue
            # one formula per level: operands of the same size are the same formula
            assert by_size.setdefault(count(part), part) == part
            leaves.update(p for p in part[1:] if isinstance(p, int))
        roots[formula[0]] += 1
        if len(formula) == 3:
            splits[count(formula[1])] += 1
    # chance of more than this: below one in 100,000 (10, 4 and 3 degrees of freedom)
    assert set(roots) == set(LOGICS[logic])
    assert chi_square(roots, len(LOGICS[logic])) < 42
    assert chi_square(splits, 5) < 29
    assert chi_square(leaves, 4) < 26


def test_the_logics() -> None:
    assert set(LOGICS["paper"]) == {"X", "F", "G", "&", "|", "->"}
    assert set(LOGICS["published"]) - set(LOGICS["paper"]) == {"!"}
    assert set(LOGICS["full"]) - set(LOGICS["published"]) == {"U", "R", "W", "M"}


@each("chance", [0, 0.2, 0.5, 0.9, 1])
def test_graphs_have_as_many_edges_as_asked_for(chance: float) -> None:
    config = dict(spec_of(events=6, edge_probability=chance).config)
    rng = Random(f"edges {chance}")
    edges: Counter[Any] = Counter()
    for _ in range(400):
        drawn = generate.random_edges(config, rng)
        assert drawn == sorted(map(list, {tuple(edge) for edge in drawn}))
        edges.update(map(tuple, drawn))
    pairs = [(a, b) for a in range(1, 7) for b in range(1, 7) if a != b]
    assert set(edges) <= set(pairs)  # no event after itself, none beyond the sixth
    spread = (400 * chance * (1 - chance)) ** 0.5
    assert all(abs(edges[pair] - 400 * chance) <= 5 * spread for pair in pairs)


def test_every_event_may_be_the_first() -> None:
    drawn = items_of(events=6, operators=2, n=some(1200), twins=False)
    starts = Counter(item.problem["initial"] for item in drawn)
    assert chi_square(starts, 6) < 32


@pytest.mark.parametrize("chance", [0, 1])
def test_extreme_graphs(chance: int) -> None:
    drawn = items_of(edge_probability=chance, n=12)
    assert {len(item.problem["edges"]) for item in drawn} == {6 * chance}
    assert {item.target for item in drawn} == {"True", "False"}


def test_settings_without_twins_say_so() -> None:
    with pytest.raises(ExhaustedError, match=r"^events=2 leaves no edge to move for twins; use 3"):
        items_of(events=2, n=2, twins=True)


def test_the_search_for_further_twins_of_few_events_ends() -> None:
    last, beyond = generate.REDRAWS - 1, generate.REDRAWS
    few, more = (spec_of(events=events, operators=4, n=1, twins=True) for events in (3, 5))
    assert fresh.item_at(PLUGIN, few, 0, last).features["events"] == 3
    with pytest.raises(ExhaustedError, match=r"^no new twins in 100 pairs with events=3"):
        fresh.item_at(PLUGIN, few, 0, beyond)
    assert fresh.item_at(PLUGIN, more, 0, beyond).features["events"] == 5


def test_settings_without_a_problem_of_one_label_say_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(generate, "MAX_DRAWS", 50)
    monkeypatch.setattr(generate, "random_formula", lambda *_: ["|", 1, ["!", 1]])
    with pytest.raises(
        ExhaustedError, match=r"^no problem labelled False in 50 draws \(label 50\); use more"
    ):
        items_of(n=2)


@pytest.mark.parametrize("logic", ["paper", "full"])
def test_the_largest_settings_work(logic: str) -> None:
    drawn = items_of(events=200, operators=50, logic=logic, n=2, seed=1)
    assert {item.target for item in drawn} == {"True", "False"}
    for item in drawn:
        assert count(item.problem["formula"]) == 50
        assert PLUGIN.call("check", item=item) == []
        assert PLUGIN.call("read", prompt=item.prompt) == item.problem


# ----------------------------------------------------------------------------------------- presets


def preset(name: str) -> list[Spec]:
    return build(registry(), ["plugin=ltlbench", f"preset={name}"], settings())


PAPER = {
    "logic": "paper", "wording": "paper", "task": "decide", "twins": False, "rarity": 0.25,
    "edge_probability": 0.5,
}  # fmt: skip


def test_the_paper_preset_is_the_papers_dataset() -> None:
    (spec,) = preset("paper")
    assert spec.config == {"events": 3, "operators": 3, **PAPER}
    assert (spec.n, spec.unique) == (2000, False)
    drawn = list(islice(fresh.items(PLUGIN, spec), some(2000)))
    assert Counter(item.target for item in drawn) == {"True": some(1000), "False": some(1000)}
    for item in drawn:
        assert "=== Rules" not in item.prompt
        assert item.prompt.endswith('? Answer with "True" or "False" directly:\n')
        assert PLUGIN.call("read", prompt=item.prompt) == item.problem
    assert {reason for item in drawn for reason in item.notes["rejected"]} == {"label"}


@pytest.mark.parametrize(
    ("name", "points"),
    [
        ("paper_operators", [(2, m) for m in (1, 2, 3, 4, 5, 7, 9)]),
        ("paper_events", [(n, 2) for n in (2, 3, 4, 5, 7, 9)]),
    ],
)
def test_the_sweeps_of_the_paper(name: str, points: list[tuple[int, int]]) -> None:
    specs = preset(name)
    assert [(spec.config["events"], spec.config["operators"]) for spec in specs] == points
    for spec in specs:
        assert {key: spec.config[key] for key in PAPER} == PAPER
        assert (spec.n, spec.unique) == (300, False)
    drawn = list(fresh.items(PLUGIN, specs[0]))
    assert Counter(item.target for item in drawn) == {"True": 150, "False": 150}
    # (2, 1) has 144 problems in all, so the paper's 300 must repeat themselves
    assert len({item.problem_id for item in drawn}) < 300 or name != "paper_operators"


# ---------------------------------------------------------------------------------------- capacity


def every_formula(events: int, operators: int) -> list[Any]:
    if operators == 0:
        return list(range(1, events + 1))
    found: list[Any] = [[op, f] for op in "XFG" for f in every_formula(events, operators - 1)]
    for left in range(operators):
        sides = every_formula(events, left), every_formula(events, operators - 1 - left)
        found += [[op, *both] for op in ("&", "|", "->") for both in product(*sides)]
    return found


def drawable(formula: Any) -> bool:
    parts = [f for f in subformulas(frozen(formula)) if not isinstance(f, int)]
    return len({count(part) for part in parts}) == len(parts)


def room(events: int, operators: int, chances: list[Any]) -> int:
    """Twice the number of problems with the rarer label."""
    labels: Counter[bool] = Counter()
    for formula in filter(drawable, every_formula(events, operators)):
        brute = Brute(formula, events)
        for initial in range(1, events + 1):
            labels.update(brute.label(graph, initial) for graph in chances)
    return 2 * min(labels[True], labels[False])


@pytest.mark.parametrize(("events", "operators"), [(2, 1)])
def test_capacity_is_what_can_be_generated(events: int, operators: int) -> None:
    spec = spec_of(events=events, operators=operators)
    size = PLUGIN.call("capacity", config=dict(spec.config))
    assert size == room(events, operators, graphs(events))
    whole = items_of(events=events, operators=operators, n=size, unique=True)
    assert len({item.problem_id for item in whole}) == size
    # Going on behind all there are; from the beginning only where that is soon done.
    all_done = [item.problem_id for item in whole]
    few = size < 100
    # (One more may have the commoner label: two more cannot both.)
    for more, done in product((2, 3)[: 1 + few], (all_done, [])[: 1 + few]):
        asked = spec_of(events=events, operators=operators, n=size + more, unique=True)
        with pytest.raises(
            ExhaustedError,
            match=f"^these settings can yield {size} distinct items, {size + more} were asked for",
        ):
            list(fresh.items(PLUGIN, asked, done))


@slow
def test_capacity_of_one_graph_counts_only_formulas_that_are_drawn() -> None:
    # With three operators some formulas are beyond the paper's algorithm: (X a) & (X b).
    complete = graphs(2)[-1]
    config = dict(spec_of(events=2, operators=3, edge_probability=1).config)
    assert PLUGIN.call("capacity", config=config) == room(2, 3, [complete])


def test_capacity_of_large_settings_and_of_twins() -> None:
    config = dict(spec_of(events=2, operators=1, twins=False).config)
    assert PLUGIN.call("capacity", config=config) == room(2, 1, graphs(2))
    for large in (TWINS, {"events": 200, "operators": 50}, {"events": 9, "edge_probability": 1}):
        assert PLUGIN.call("capacity", config=dict(spec_of(**large).config)) is None


# ------------------------------------------------------------------------- what comes with an item


def depth(formula: Any) -> int:
    return 0 if isinstance(formula, int) else 1 + max(map(depth, formula[1:]))


def flat(formula: Any) -> list[Any]:
    return [formula] if isinstance(formula, int | str) else list(chain(*map(flat, formula)))


def test_notes_and_features() -> None:
    reasons: Counter[str] = Counter()
    for item in items_of(events=4, operators=4, logic="full", n=80):
        assert item.notes["draws"] == 1 + sum(item.notes["rejected"].values())
        assert list(item.notes["rejected"]) == sorted(item.notes["rejected"])
        reasons.update(item.notes["rejected"])
        formula, features = item.problem["formula"], dict(item.features)
        words = flat(formula)
        assert features.pop("product_states") >= 0
        assert features == {
            "events": 4,
            "operators": 4,
            "depth": depth(formula),
            "temporal_operators": sum(word in (*RULES, "X") for word in words),
            "formula_events": len({word for word in words if isinstance(word, int)}),
            "edges": len(item.problem["edges"]),
        }
    assert set(reasons) == {"label"}


@pytest.mark.parametrize("logic", ["paper", "full"])
def test_counterexamples_are_paths_that_violate_the_formula(logic: str) -> None:
    for item in items_of(
        task="counterexample", operators=4, events=4, logic=logic, n=max(20, some(80))
    ):
        brute = Brute(item.problem["formula"], 4)
        if brute.label(item.problem["edges"], item.problem["initial"]):
            assert item.target == "True"
            continue
        path = item.certificate["violation"]
        assert item.target == f"False: {path_text(path)}"
        assert item.target.removeprefix("False: ") not in item.prompt
        walk = [*path["prefix"], *path["cycle"], path["cycle"][0]]
        leaving = {edge[0] for edge in item.problem["edges"]}
        assert walk[0] == item.problem["initial"]
        for now, then in pairwise(walk):
            assert [now, then] in item.problem["edges"] or (now == then and now not in leaving)
        assert not lasso.holds(item.problem["formula"], path["prefix"], path["cycle"])


# ------------------------------------------------------------------------------ when engines differ


def test_engines_that_contradict_each_other_end_the_run(monkeypatch: pytest.MonkeyPatch) -> None:
    check = tableau.check

    def wrong(problem: Any) -> Any:
        found = check(problem)
        return tableau.Result(not found.holds, {"prefix": [], "cycle": [1]}, 0)

    monkeypatch.setattr(generate.tableau, "check", wrong)
    with pytest.raises(
        EngineError, match=r"the tableau says (True|False), harness_ltlbench\.engines\.spot not"
    ):
        items_of(n=1, twins=False)


def abstain(problem: Any) -> Any:
    raise Abstained("too hard")


def test_the_third_engine_confirms_where_spot_abstains(monkeypatch: pytest.MonkeyPatch) -> None:
    usual = items_of(n=40)
    monkeypatch.setattr(generate.spot, "check", abstain)
    assert items_of(n=40) == usual


def test_a_label_that_no_engine_confirms_is_not_given(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(generate, "MAX_DRAWS", 30)
    monkeypatch.setattr(generate.spot, "check", abstain)
    monkeypatch.setattr(generate.pymodelchecking, "check", abstain)
    with pytest.raises(ExhaustedError, match=r"\(label \d+, unconfirmed \d+\)"):
        items_of(n=1)
    monkeypatch.setattr(generate.tableau, "check", abstain)
    with pytest.raises(ExhaustedError, match=r"\(undecided \d+\)"):
        items_of(n=1)
