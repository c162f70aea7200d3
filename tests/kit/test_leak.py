"""Targets that stand in their own prompts: as words, and more often than chance puts them there."""

import random

import pytest

from harness.core.items import Item
from harness.kit.checks_items import _check_targets
from harness.kit.kit import Failure


def items(*pairs):
    return [
        Item("toy", "1", prompt, target, number) for number, (prompt, target) in enumerate(pairs)
    ]


@pytest.mark.parametrize(
    "pairs",
    [
        [],
        [("day 47", "4")],
        [("the 4th", "4"), ("40 or 14", "4")],
        [("a is b", "b is a"), ("a b c", "a c")],
        [("which is it: 1, 2 or 3?", str(target)) for target in (1, 2, 3)],
    ],
)
def test_what_is_no_word_of_the_prompt_or_in_every_prompt_is_no_leak(pairs):
    _check_targets(items(*pairs))


@pytest.mark.parametrize(
    "pairs",
    [
        [("day 4 of 47", "4")],
        [("(4)", "4"), ("no 5", "6")],
        [("so G(a -> F b) holds", "G (a->F b)")],
        [(f"the code is {target}", str(target)) for target in range(1000, 1100)],
        [
            *((f"item {number}", f"answer {number}") for number in range(200)),
            ("see: answer 777", "answer 777"),
        ],
    ],
)
def test_a_target_in_its_prompt_is_a_leak(pairs):
    with pytest.raises(Failure, match="the prompt contains the target"):
        _check_targets(items(*pairs))


def test_numbers_by_chance_are_none_and_a_fifth_beyond_chance_is():
    alarms = 0
    for seed in range(200):
        rng = random.Random(seed)
        pairs = [
            (" ".join(str(rng.randrange(10)) for _ in range(3)), str(rng.randrange(10)))
            for _ in range(100)
        ]
        try:
            _check_targets(items(*pairs))
        except Failure:
            alarms += 1
        planted = [
            (f"{prompt} {target}" if number % 5 == 0 else prompt, target)
            for number, (prompt, target) in enumerate(pairs)
        ]
        if seed < 20:
            planted += [(f"{rng.randrange(10)} {target}", target) for _, target in pairs]
            with pytest.raises(Failure):
                _check_targets(items(*planted))
    assert alarms <= 2
