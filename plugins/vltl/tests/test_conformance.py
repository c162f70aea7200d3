"""The conformance kit on VLTL, for the default task and for the two whose answers are of another kind."""

from __future__ import annotations

import gc
from typing import Any

import pytest
from cases import each, slow
from harness_vltl.config import ANSWER

from harness.core.plugins import registry
from harness.core.schemas import schema_errors
from harness.testing import CHECKS, conformance

PLUGIN = registry().get("vltl")
# What does not depend on the settings is checked once.
ONCE = ("describe", "inspect", "golden", "processes")


@slow
@pytest.mark.parametrize(
    ("config", "n", "left_out"),
    [
        ({}, 6, ()),
        ({"task": "verify"}, 4, ONCE),
        ({"task": "verify", "semantics": "ltlf"}, 4, ONCE),
        ({"task": "lift"}, 4, ONCE),
        ({"style": "timed", "task": "translate"}, 4, ONCE),
    ],
    ids=str,
)
def test_conformance(config: dict[str, Any], n: int, left_out: tuple[str, ...]) -> None:
    only = tuple(name for name in CHECKS if name not in left_out)
    report = conformance(PLUGIN, config, n=n, only=only)
    gc.collect()  # what Inspect leaves unclosed is named now, not in some later test
    assert [check for check in report["checks"] if check["failure"]] == []
    assert [check["name"] for check in report["checks"]] == ["generate", *only]


@each(
    ("answer", "fits"),
    [
        ("satisfied", True),
        ("G (idle -> F get_help)", True),
        ('{"prop_1": "idle"}', True),
        ("x" * 20_001, False),
        ("", False),
        (1, False),
        (None, False),
    ],
)
def test_the_schema_of_answers(answer: Any, fits: bool) -> None:
    assert (schema_errors(ANSWER, answer) == []) is fits
