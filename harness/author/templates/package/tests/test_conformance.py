"""The conformance kit on mybench, in its default and at its edges."""

from __future__ import annotations

from typing import Any

import pytest
from harness.testing import CHECKS, conformance, registry

PLUGIN = registry().get("mybench")


@pytest.mark.parametrize(
    ("config", "left_out"),
    [
        ({}, ()),
        ({"events": 12, "statements": 18}, ("inspect", "junk")),
        ({"events": 26, "statements": 60, "steps": 3}, ("inspect", "junk")),
    ],
    ids=str,
)
def test_conformance(config: dict[str, Any], left_out: tuple[str, ...]) -> None:
    only = tuple(name for name in CHECKS if name not in left_out)
    report = conformance(PLUGIN, config, n=12, only=only)
    assert [check for check in report["checks"] if check["failure"]] == []


@pytest.mark.parametrize(
    ("config", "said"),
    [
        ({"events": 4, "statements": 7}, "statements=7: 4 events have 6 pairs"),
        ({"events": 4, "statements": 6}, "in 1000 draws; take fewer steps"),
        ({"events": 1}, "events=1: 1 is less than the minimum of 3"),
    ],
    ids=str,
)
def test_what_cannot_be_had_is_one_line(config: dict[str, Any], said: str) -> None:
    (check,) = conformance(PLUGIN, config, n=3)["checks"]
    assert said in check["failure"]
