"""What the manifest of any dataset says: a canary, what was drawn and rejected, what the plugin says."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping
from typing import Any

from harness_errors import PluginError

from harness.core import provenance
from harness.core.items import salt_for
from harness.core.plugins import Plugin
from harness.core.spec import Spec

CANARY = "harness-canary 5b1f3b0e-1d0c-4c8e-9d3e-7a6c2f0b9a11: benchmark data, not for training"


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


def head(plugin: Plugin, spec: Spec) -> dict[str, Any]:
    """Return what every manifest begins with: canary, settings, versions."""
    return {
        "canary": CANARY,
        "spec": spec.data(),
        "fingerprint": spec.fingerprint,
        "versions": provenance.versions(plugin),
    }


def text(manifest: Mapping[str, Any]) -> str:
    """Return a manifest as its file holds it."""
    return json.dumps(manifest, indent=2, ensure_ascii=False) + "\n"


def about_of(plugin: Plugin, spec: Spec) -> dict[str, Any]:
    """Return what the plugin says of the items (`about`) under ``plugin``, if it says anything."""
    facts = about(plugin, spec)
    return {} if facts is None else {"plugin": facts}


def about(plugin: Plugin, spec: Spec) -> dict[str, Any] | None:
    """Return what the plugin says of the generated items of a spec; None: nothing, or they were read.

    Call it once the items are made: what a plugin finds out on the way is known then.

    Raises:
        PluginError: what the hook returned is no JSON object, or its warnings are no list of strings.
    """
    if spec.dataset:
        return None
    salt = salt_for(spec.plugin, spec.version, spec.config_json, spec.split, spec.seed)
    facts = plugin.call_json("about", config=dict(spec.config), salt=salt)
    lines = (facts or {}).get("warnings", [])
    if not (isinstance(lines, list) and all(isinstance(line, str) for line in lines)):
        raise PluginError(
            f"plugin '{spec.plugin}': about() returned warnings that are no list of strings"
        )
    return facts
