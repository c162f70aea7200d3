"""Items for the tests, as a run would make them, and a machine read from a prompt by other means."""

from __future__ import annotations

import re
from functools import cache
from typing import Any

from harness import Item
from harness.core import fresh
from harness.core.plugins import registry
from harness.core.spec import make

PLUGIN = registry().get("tempobench")


@cache
def items_of(n: int, **values: Any) -> tuple[Item, ...]:
    """Return items; a list is given as a tuple."""
    told = {key: list(v) if isinstance(v, tuple) else v for key, v in values.items()}
    return tuple(fresh.items(PLUGIN, make(PLUGIN, {"n": n, **told})))


class Walker:
    """A machine in HOA with numbered propositions, walked by evaluating its labels as Python sets."""

    def __init__(self, text: str) -> None:
        names = re.search(r"^AP: \d+ (.*)$", text, re.M)
        assert names
        self.names = re.findall(r'"([^"]*)"', names[1])
        outputs = re.search(r"^controllable-AP:(.*)$", text, re.M)
        assert outputs
        self.outputs = {self.names[int(place)] for place in outputs[1].split()}
        self.start = int(re.search(r"^Start: (\d+)$", text, re.M)[1])  # type: ignore[index]
        self.edges: dict[int, list[tuple[list[dict[int, bool]], int]]] = {}
        state = -1
        for line in text.partition("--BODY--\n")[2].splitlines():
            if found := re.fullmatch(r"State: (\d+)", line):
                state = int(found[1])
                self.edges[state] = []
            elif found := re.fullmatch(r"\[(.*)\] (\d+)", line):
                self.edges[state].append((_cubes(found[1]), int(found[2])))

    def step(self, state: int, true_inputs: set[str]) -> tuple[int, set[str]]:
        """Return the next state and the true outputs."""
        for cubes, following in self.edges[state]:
            for cube in cubes:
                inputs = {p: v for p, v in cube.items() if self.names[p] not in self.outputs}
                if all((self.names[p] in true_inputs) is v for p, v in inputs.items()):
                    true = {self.names[p] for p, v in cube.items() if v}
                    return following, true & self.outputs
        raise AssertionError("no edge")

    def run(self, words: list[set[str]]) -> tuple[list[int], list[set[str]]]:
        """Return the states, the first one included, and the outputs of every step."""
        states, outputs = [self.start], []
        for word in words:
            state, given = self.step(states[-1], word)
            states.append(state)
            outputs.append(given)
        return states, outputs


def _cubes(label: str) -> list[dict[int, bool]]:
    """Return a label `(a | b)&c` or `a&c` as cubes, each from proposition to value."""
    found = re.fullmatch(r"(?:\(([^()]*)\)&?)?([^()]*)", label)
    assert found, label
    rest = _cube(found[2])
    if found[1] is None:
        return [rest]
    return [_cube(one.strip()) | rest for one in found[1].split("|")]


def _cube(text: str) -> dict[int, bool]:
    parts = [part.strip() for part in text.split("&") if part.strip() not in ("", "t")]
    return {int(part.lstrip("!")): not part.startswith("!") for part in parts}
