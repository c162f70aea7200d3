"""The conformance kit on TempoBench, for both tasks."""

from __future__ import annotations

import gc
from typing import Any

import pytest
from cases import slow, some
from tb_items import PLUGIN

from harness.testing import CHECKS, conformance

# What does not depend on the settings is checked once.
ONCE = ("describe", "inspect", "golden", "processes")


@slow
@pytest.mark.parametrize(
    ("config", "n", "left_out"), [({}, 6, ()), ({"task": "tte"}, 4, ONCE)], ids=str
)
def test_conformance(config: dict[str, Any], n: int, left_out: tuple[str, ...]) -> None:
    only = tuple(name for name in CHECKS if name not in left_out)
    report = conformance(PLUGIN, config, n=max(some(n), 3), only=only)
    if "inspect" in only:
        gc.collect()  # what Inspect leaves unclosed is named now, not in some later test
    assert [check for check in report["checks"] if check["failure"]] == []
    assert [check["name"] for check in report["checks"]] == ["generate", *only]
