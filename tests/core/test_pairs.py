"""Pairs: both right, counted by hand, and by brute force where answers are several."""

import math
from itertools import product
from random import Random
from types import SimpleNamespace

from harness import both_right


def row(twin, target, value):
    features = {} if twin is None else {"twin": twin}
    return SimpleNamespace(features=features, target=target, value={"right": value})


def test_both_must_be_right():
    rows = [
        *(row("a", "True", 1.0), row("a", "False", 1.0)),
        *(row("b", "True", 1.0), row("b", "False", 0.0)),
        *(row("c", "True", 0.0), row("c", "False", 0.0)),
        *(row("d", "True", 1.0), row(None, "True", 0.0)),  # no pair
        *(row("e", "True", 1.0), row("e", "True", 1.0)),  # no pair either: one target
    ]
    assert both_right("right")(rows) == 1 / 3
    assert math.isnan(both_right("right")([row("a", "True", 1.0)]))
    assert both_right("right", "other")([]) != 0


def test_of_several_answers_it_is_the_chance_of_two_right_ones():
    rng = Random(3)
    for _ in range(50):
        halves = [[float(rng.random() < 0.6) for _ in range(3)] for _ in "ab"]
        rows = [
            row("t", target, v) for target, half in zip("ab", halves, strict=True) for v in half
        ]
        chosen = [a * b for a, b in product(*halves)]
        assert math.isclose(both_right("right")(rows), sum(chosen) / len(chosen))
