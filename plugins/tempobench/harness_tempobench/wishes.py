"""What an item is to be, chosen before its draws."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from random import Random
from typing import Any

from harness_tempobench.problem import EFFECTS

LATE = 2
"""Steps up to the effect's own one that are not early."""

SHARES = {"tce": ("trivial", "joint"), "min": ("trivial", "early"), "tte": ("hidden",), "sim": ()}
"""Keys that hold the share of items of a kind, by task."""

KINDS = {
    "trivial": "effect that no input could have prevented",
    "joint": "effect that some inputs prevent only together",
    "early": "effect that an input before the last two steps is necessary for",
    "hidden": "trace whose steps alone do not tell the states",
    "cause": "effect with a cause",
}


@dataclass(frozen=True, slots=True)
class Wish:
    """What an item is to be.

    Attributes:
        trivial: no input could have prevented the effect (tce), none alone (min).
        joint: some inputs prevent it only together (tce).
        early: an input before the last two steps is necessary (min).
        accepted: the machine has a run with the trace (tte).
        hidden: no look at single steps finds the run, nor the fault of a trace without one (tte).
    """

    trivial: bool = False
    joint: bool = False
    early: bool = False
    accepted: bool = False
    hidden: bool = False

    def question(self, task: str) -> str:
        """Return what is asked for, as messages name it."""
        if task == "sim":
            return "run"
        if task != "tte":
            kinds = {"trivial": self.trivial, "joint": self.joint, "early": self.early}
            return KINDS[next((kind for kind, wished in kinds.items() if wished), "cause")]
        kind = "accepted" if self.accepted else "rejected"
        return f"{kind} {KINDS['hidden'] if self.hidden else 'trace'}"


def last(config: Mapping[str, Any]) -> int:
    """Return the last step that an effect may have."""
    return int(min(config["max_depth"], config["length"] - 1))


def step(config: Mapping[str, Any], rng: Random, wish: Wish) -> int:
    """Return the step of an effect; 0 where none is asked for."""
    if config["task"] not in EFFECTS:
        return 0
    first = max(config["min_depth"], LATE) if wish.early else config["min_depth"]
    return rng.randint(min(first, last(config)), last(config))
