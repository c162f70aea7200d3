"""Requirements for the tests: every form of every template, put into words with a scenario."""

from dataclasses import replace
from functools import cache
from itertools import product
from random import Random

from harness_vltl import templates
from harness_vltl.problem import STYLES
from harness_vltl.scenarios import scenario
from harness_vltl.sentences import requirement
from harness_vltl.templates import skeletons

WORLDS = ("warehouse", "traffic_light", "search_and_rescue")


def said_by(skeleton, form, world, rng, depth=1, inner=()):
    """The requirement that one form says, its slots filled."""
    only = replace(skeleton, forms=(form,))
    return requirement(scenario.load(world), only, inner, depth, rng)


@cache
def every_form():
    """One requirement a form, the scenarios in turn: (skeleton, form, world, requirement)."""
    found = []
    for skeleton, form in templates.every_form():
        world = WORLDS[len(found) % 3]
        rng = Random(f"{skeleton.id}|{form.text}")
        found.append((skeleton, form, world, said_by(skeleton, form, world, rng)))
    return tuple(found)


@cache
def compositions(depth, each):
    """Nested requirements: every template of every style ``each`` times on top, with any others in it."""
    found = []
    for number, style in product(range(each), STYLES):
        for at, skeleton in enumerate(skeletons(style)):
            form = skeleton.clausal[number % len(skeleton.clausal)]
            world = WORLDS[(at + number) % 3]
            rng = Random(f"{depth}|{number}|{skeleton.id}")
            inner = skeletons("plain") if style == "timed" else skeletons(style)
            made = said_by(skeleton, form, world, rng, depth, inner)
            found.append((skeleton, form, world, made))
    return tuple(found)
