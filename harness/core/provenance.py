"""Where items come from: the versions behind a label, what was drawn and rejected on the way, and a digest."""

from __future__ import annotations

import platform
from collections import Counter
from collections.abc import Mapping
from importlib import metadata
from typing import Any

from packaging.requirements import Requirement

from harness.core.plugins import Plugin

CANARY = "harness-canary 5b1f3b0e-1d0c-4c8e-9d3e-7a6c2f0b9a11: benchmark data, not for training"


def versions(plugin: Plugin) -> dict[str, str]:
    """Return the versions of everything a label depends on: us, the plugin, what it requires."""
    names = {"temporal-harness", "pluggy", plugin.distribution} - {""}
    for name in [plugin.distribution] if plugin.distribution else []:
        for requirement in metadata.requires(name) or []:
            if "extra ==" not in requirement:
                names.add(Requirement(requirement).name)
    known = {"python": platform.python_version(), plugin.benchmark.name: plugin.benchmark.version}
    known |= {f"wrapper {name}": version for name, version in plugin.wrappers.items()}
    for name in sorted(names):
        try:
            known[name] = metadata.version(name)
        except metadata.PackageNotFoundError:
            continue
    return known


class Tally:
    """Sum of what the items say was drawn and rejected on the way to them (``notes``)."""

    def __init__(self) -> None:
        self.draws = 0
        self.rejected: Counter[str] = Counter()

    def add(self, notes: Mapping[str, Any]) -> None:
        """Add one item's notes."""
        draws, rejected = notes.get("draws", 1), notes.get("rejected", {})
        if isinstance(draws, int) and isinstance(rejected, dict):
            self.draws += draws
            self.rejected.update({k: v for k, v in rejected.items() if isinstance(v, int)})

    @property
    def refused(self) -> int:
        """How many draws were rejected."""
        return sum(self.rejected.values())

    def summary(self) -> dict[str, Any]:
        """Return the draws, the rejections by reason, and their share of all draws."""
        return tally_of(self.draws, self.rejected)


def tally_of(draws: int, rejected: Mapping[str, int]) -> dict[str, Any]:
    """Return draws, rejections by reason, and their share of all draws, as a manifest holds them."""
    return {
        "draws": draws,
        "rejected": dict(sorted(rejected.items())),
        "rejected_share": round(sum(rejected.values()) / draws, 4) if draws else 0.0,
    }
