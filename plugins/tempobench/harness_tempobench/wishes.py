"""What an item is to be, chosen before its draws."""

from __future__ import annotations

from dataclasses import dataclass

SHARES = {"tce": ("trivial", "joint"), "tte": ("hidden",)}
"""Keys that hold the share of items of a kind, by task."""

KINDS = {
    "trivial": "effect that no input could have prevented",
    "joint": "effect that some inputs prevent only together",
    "hidden": "trace whose steps alone do not tell the states",
    "cause": "effect with a cause",
}


@dataclass(frozen=True, slots=True)
class Wish:
    """What an item is to be.

    Attributes:
        trivial: no input could have prevented the effect (tce).
        joint: some inputs prevent it only together (tce).
        accepted: the machine has a run with the trace (tte).
        hidden: no look at single steps finds the run, nor the fault of a trace without one (tte).
    """

    trivial: bool = False
    joint: bool = False
    accepted: bool = False
    hidden: bool = False

    def question(self, task: str) -> str:
        """Return what is asked for, as messages name it."""
        if task == "tce":
            return KINDS["trivial" if self.trivial else "joint" if self.joint else "cause"]
        kind = "accepted" if self.accepted else "rejected"
        return f"{kind} {KINDS['hidden'] if self.hidden else 'trace'}"
