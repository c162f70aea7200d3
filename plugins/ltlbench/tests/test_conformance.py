"""The conformance kit on ltlbench, and what the installation must be like."""

from __future__ import annotations

import gc
import re
from importlib import metadata
from typing import Any

import pytest
from cases import ALL, each, slow, some
from harness_ltlbench.config import ANSWER
from other_processes import assert_same_items

from harness.core.plugins import registry
from harness.core.schemas import schema_errors
from harness.run import stats
from harness.testing import CHECKS, conformance

PLUGIN = registry().get("ltlbench")


# Other processes make the items of all these settings at once, below.
ONCE = ("processes", "inspect")
SETTINGS: list[tuple[dict[str, Any], int, tuple[str, ...]]] = [
    ({}, max(8, some(16)), ONCE[:1]),
    ({"task": "counterexample"}, max(8, some(16)), ONCE),
    # Junk is junk in any wording and size: it is tried once for each task, above.
    ({"wording": "can", "logic": "full"}, max(8, some(16)), (*ONCE, "junk")),
    ({"events": 9, "operators": 2, "wording": "paper"}, max(8, some(16)), (*ONCE, "junk")),
    ({"events": 2, "operators": 9, "twins": False}, max(4, some(8)), (*ONCE, "junk")),
]


@pytest.mark.parametrize(("config", "n", "left_out"), SETTINGS if ALL else SETTINGS[:1], ids=str)
def test_conformance(
    config: dict[str, Any], n: int, left_out: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(stats, "ANSWERS", 1_000)  # for floors that no check looks at
    only = tuple(name for name in CHECKS if name not in left_out)
    report = conformance(PLUGIN, config, n=n, only=only)
    gc.collect()  # what Inspect leaves unclosed is named now, not in some later test
    assert [check for check in report["checks"] if check["failure"]] == []
    assert [check["name"] for check in report["checks"]] == ["generate", *only]


@slow
def test_all_settings_make_the_same_items_in_other_processes() -> None:
    assert_same_items(PLUGIN, [(config, n) for config, n, _ in SETTINGS])


@each(
    ("answer", "fits"),
    [
        ("True", True),
        ("False", True),
        ("False: (event1)", True),
        ("False: (event1, event22)", True),
        ("False: event3, event1, (event2)", True),
        ("False: event3, event1(event2)", False),
        ("False: event3 (event2)", False),
        ("False: event3", False),
        ("False: event3, ()", False),
        ("False: , (event2)", False),
        ("False: ", False),
        ("True: (event1)", False),
        ("true", False),
        ("", False),
    ],
)
def test_the_schema_of_answers(answer: str, fits: bool) -> None:
    assert (schema_errors(ANSWER, answer) == []) is fits


def test_no_lark_beside_lark_parser() -> None:
    # pyModelChecking needs lark-parser, which installs a module of the same name: with both in
    # one environment, which of them is imported depends on the order of installation.
    installed = {str(found.metadata["Name"]).lower() for found in metadata.distributions()}
    assert "lark-parser" in installed
    assert "lark" not in installed
    needed = metadata.requires("harness-ltlbench") or []
    assert "lark" not in {re.split(r"[^\w.-]", name)[0].lower() for name in needed}
