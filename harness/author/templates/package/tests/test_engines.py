"""Both engines, and the certificates, against all orders of a few events, tried one by one."""

from __future__ import annotations

from itertools import combinations, permutations, product
from random import Random
from typing import Any

import pytest
from harness import EngineError, Item

from harness_mybench import certificate, engines
from harness_mybench.config import BENCHMARK
from harness_mybench.engines import closure, orders


def brute(problem: dict[str, Any]) -> str | None:
    """The label by trying every order, None where none fits."""
    told = set()
    for order in permutations(range(problem["events"])):
        place = {event: at for at, event in enumerate(order)}
        if all(place[first] < place[second] for first, second in problem["before"]):
            first, second = problem["ask"]
            told.add("yes" if place[first] < place[second] else "no")
    return "unknown" if len(told) == 2 else next(iter(told), None)


def random_problem(rng: Random) -> dict[str, Any]:
    events = rng.randint(2, 5)
    pairs = [list(pair) for pair in permutations(range(events), 2)]
    count = rng.randint(0, min(5, len(pairs)))
    return {"events": events, "before": sorted(rng.sample(pairs, count)), "ask": rng.choice(pairs)}


def test_engines_and_certificates_agree_with_brute_force() -> None:
    rng, labels = Random(0), set()
    for _ in range(500):
        problem = random_problem(rng)
        label = brute(problem)
        labels.add(label)
        if label is None:
            for engine in engines.NAMES:
                with pytest.raises(EngineError, match="contradict each other"):
                    engines.solve(problem, engine)
            continue
        assert [engines.solve(problem, engine).answer for engine in engines.NAMES] == [label] * 2
        evidence = {"chain": closure.decide(problem)[1], "orders": orders.decide(problem)[1]}
        for target, said in product(BENCHMARK.choices, repeat=2):
            item = Item("x", "1", "", target, problem, {**evidence, "label": said}, {})
            assert (certificate.errors(item) == []) is (target == said == label)
    assert labels == {"yes", "no", "unknown", None}


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"ask": [0, 3]}, "an event is beyond the 3 there are"),
        ({"before": [[4, 0]]}, "an event is beyond the 3 there are"),
        ({"ask": [1, 1]}, "the question names one event twice"),
    ],
    ids=str,
)
def test_foreign_problems_are_refused(change: dict[str, Any], said: str) -> None:
    problem = {"events": 3, "before": [[0, 1]], "ask": [0, 2], **change}
    for engine in engines.NAMES:
        with pytest.raises(EngineError, match=said):
            engines.solve(problem, engine)


def test_an_engine_that_is_not_there() -> None:
    with pytest.raises(EngineError, match="did you mean 'closure'"):
        engines.solve({"events": 2, "before": [], "ask": [0, 1]}, "closur")


def test_chains_are_the_shortest() -> None:
    everything = closure.Closure(6, combinations(range(6), 2))
    assert everything.chain(0, 5) == [0, 5]
    line = closure.Closure(6, [(event, event + 1) for event in range(5)])
    assert line.chain(5, 0) == [0, 1, 2, 3, 4, 5]
    assert line.steps(0, 5) == 5
    assert line.steps(5, 0) == 0
