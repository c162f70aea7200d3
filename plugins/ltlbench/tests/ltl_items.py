"""Items of the plugin for the tests, made by the real generator."""

from __future__ import annotations

from typing import Any

from harness import Item
from harness.core import fresh
from harness.core.plugins import registry
from harness.core.spec import Spec, make

PLUGIN = registry().get("ltlbench")


def spec_of(**values: Any) -> Spec:
    plain = {"unique": False, "twins": False, "events": 3, "operators": 3, "edge_probability": 0.5}
    return make(PLUGIN, {**plain, **values})


def items_of(n: int = 30, **values: Any) -> list[Item]:
    return list(fresh.items(PLUGIN, spec_of(n=n, **values)))


TWINS: dict[str, Any] = {"twins": True, "events": 8, "operators": 5, "edge_probability": 0.25}
"""The default settings; what the other tests ask for is quicker to make."""
