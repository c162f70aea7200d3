"""Generic shortcuts: learnt on items that share nothing with those they are asked about; their intervals."""

from dataclasses import replace
from random import Random

import pytest
from cases import each, slow

from harness import Benchmark, Item, Metric, Row
from harness.datasets import surface

RIGHT = Metric("right", "share")
BENCHMARK = Benchmark(
    name="toy", version="1", summary="s", config_schema={"type": "object"}, engines=("a", "b"), values=("right",),
    metrics=(RIGHT,), headline="right", choices=("yes", "no"), problem_schema={}, answer_schema={},
)  # fmt: skip


def item(number, target, prompt="", **more):
    return Item(
        "toy", "1", prompt=prompt or f"number {number}", target=target, problem=number, **more
    )


def twins(n):
    """Items of which two have a word that no other has, and the same answer."""
    rng, made = Random(1), []
    for pair in range(n):
        target = rng.choice(["yes", "no"])
        made += [
            item(2 * pair + half, target, f"about w{pair}", features={"pair": pair, "task": "t"})
            for half in (0, 1)
        ]
    return made


def shares(benchmark, items, known=None, last="boosted_features"):
    """The share of right guesses of each shortcut, up to the last one named."""
    found = {}
    for shortcut, guesses in surface.guessed(benchmark, items, known):
        hits = sum(guess == one.target for guess, one in zip(guesses, items, strict=True))
        found[shortcut.name] = hits / len(items)
        if shortcut.name == last:
            return found
    raise LookupError(last)


@slow
@each("known", [None, 1])
@each(
    "named",
    [
        {"sources": ("pair",)},
        {"metrics": (RIGHT, Metric("pairs", "both", compute=len, together="pair"))},
    ],
)
def test_items_that_share_a_source_are_not_learnt_from(known, named):
    items = twins(100)
    known = known and items
    blind = replace(BENCHMARK, solution_features=("pair",))
    assert (
        shares(blind, items, known and [*map(other_problem, items)], "word_bag")["word_bag"] > 0.9
    )
    told = shares(
        replace(blind, **named), items, known and [*map(other_problem, items)], "word_bag"
    )
    assert told["word_bag"] < 0.65


def other_problem(one):
    """The same item, put as another problem."""
    return replace(one, problem=-1 - one.problem, id="")


@slow
def test_what_comes_of_solving_is_no_feature():
    items = [
        item(number, "yes" if number % 2 else "no", "?", features={"odd": number % 2})
        for number in range(100)
    ]
    assert shares(BENCHMARK, items)["boosted_features"] == 1
    assert shares(replace(BENCHMARK, solution_features=("odd",)), items)["boosted_features"] <= 0.5


@slow
def test_foreign_items_may_have_anything():
    odd = [10**400, -1e300, None, [1, 2], {"a": [3]}, "x" * 10_000, True, 0.5]
    items = [
        item(
            number,
            "yes" if number % 2 else "no",
            " \n" if number % 3 else "\0",
            features={"odd": odd[number % 8], "pair": [number // 2]},
        )
        for number in range(80)
    ]
    pairs = replace(
        BENCHMARK, metrics=(RIGHT, Metric("pairs", "both", compute=len, together="pair"))
    )
    assert all(
        guess in ("yes", "no") for _, guesses in surface.guessed(pairs, items) for guess in guesses
    )
    blank = [replace(one, prompt=" ", features={}, id="") for one in items]
    assert {*shares(BENCHMARK, blank).values()} == {0.5}


@slow
def test_each_surface_is_seen_by_its_own_shortcut():
    rng = Random(3)
    items = [
        item(number, target, f"{'x' * (3 if target == 'yes' else 7)} {rng.random()}")
        for number, target in enumerate(rng.choices(["yes", "no"], k=200))
    ]
    found = shares(BENCHMARK, items)
    assert found["word_bag"] == 1
    assert found["prompt_length"] > 0.55
    ordered = [
        replace(one, prompt="a b a" if one.target == "yes" else "a a b", id="") for one in items
    ]
    found = shares(BENCHMARK, ordered)
    assert found["word_bag"] < 0.65 < found["boosted_words"] == 1


def test_each_task_has_answers_of_its_own():
    items = [
        item(number, f"{task} {number % 2}", f"is it {number % 2}?", features={"task": task})
        for number in range(100)
        for task in ("left", "right")
    ]
    assert shares(BENCHMARK, items, last="word_bag")["word_bag"] == 1


@each(
    "targets,repeat",
    [
        (lambda n: str(n), False),
        (lambda n: "none" if n % 20 == 0 else str(n), False),
        (lambda n: "none" if n % 5 == 0 else str(n), True),
        (lambda n: "yes", True),
    ],
)
def test_what_hardly_ever_repeats_is_not_guessed(targets, repeat):
    items = [item(number, targets(number)) for number in range(200)]
    assert bool(surface.hindrance(items)) != repeat
    for _, guesses in surface.guessed(BENCHMARK, items):
        assert {*guesses} == {targets(0) if repeat else None}


@each("right,n", [(0, 30), (30, 30), (17, 40), (1, 500)])
def test_a_share_has_wilsons_interval(right, n):
    from statsmodels.stats.proportion import proportion_confint  # slow to import

    rows = [Row("yes", "yes", "scored", {"right": float(place < right)}) for place in range(n)]
    lost = Row("yes", None, "unscored", {})
    found = surface.interval(RIGHT, [*rows, lost], [[place] for place in range(n + 1)])
    low, high = proportion_confint(right, n, method="wilson")
    assert found == {
        "items": n, "value": pytest.approx(right / n, abs=1e-6),
        "ci_low": pytest.approx(low, abs=1e-6), "ci_high": pytest.approx(high, abs=1e-6),
    }  # fmt: skip


def test_items_that_share_a_source_are_resampled_together():
    values = [float(pair % 2) for pair in range(60) for _ in (0, 1)]
    rows = [Row("yes", "yes", "scored", {"right": value}) for value in values]
    alone = surface.interval(RIGHT, rows, [[place] for place in range(120)])
    paired = surface.interval(RIGHT, rows, [[place, place + 1] for place in range(0, 120, 2)])
    whole = replace(RIGHT, compute=lambda rows: sum(row.value["right"] for row in rows) / len(rows))
    assert paired == surface.interval(
        whole, rows, [[place, place + 1] for place in range(0, 120, 2)]
    )
    widths = [one["ci_high"] - one["ci_low"] for one in (alone, paired)]
    assert widths[1] > 1.3 * widths[0]  # √2, but for chance
    alike = [Row("yes", "yes", "scored", {"right": 1.0})] * 120
    pairs, single = ([[*range(at, at + n)] for at in range(0, 120, n)] for n in (2, 1))
    fewer = surface.interval(RIGHT, alike[:60], single[:60])
    assert surface.interval(RIGHT, alike, pairs) == {**fewer, "items": 120}  # a pair counts once
    nothing = {"items": 0, "value": None, "ci_low": None, "ci_high": None}
    assert surface.interval(RIGHT, [], []) == surface.interval(whole, [], []) == nothing
