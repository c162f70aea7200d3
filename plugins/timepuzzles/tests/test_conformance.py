"""The conformance kit on timepuzzles, in every form its puzzles take."""

from __future__ import annotations

import gc
from typing import Any

import pytest
from cases import each, slow, some
from harness_timepuzzles.config import ANSWER
from other_processes import assert_same_items

from harness.core.plugins import registry
from harness.core.schemas import schema_errors
from harness.testing import CHECKS, conformance

PLUGIN = registry().get("timepuzzles")
# What does not depend on the settings is checked once, and what takes other processes for two settings at once.
ONCE = ("inspect", "golden", "processes", "junk")


@slow
@pytest.mark.parametrize(
    ("config", "n", "left_out"),
    [
        ({}, 6, ONCE[2:3]),
        ({"mode": "explicit"}, 2, ONCE),
        ({"mode": "spelled", "calendar_clue": True}, 2, ONCE),
        ({"necessary": "all", "clues": "3-5"}, 2, ONCE),
        ({"necessary": "none", "clues": "4-6", "extra": ["all"]}, 2, ONCE),
        # Every label is "none" here, which is what the floors of `constants` are there to notice.
        (
            {"solutions": "0", "from_year": 1900},
            4,
            (*ONCE, "constants", "certificates", "foreign"),
        ),
        ({"solutions": "0-1", "clues": "4", "from_year": 1900}, 2, ONCE),
        ({"language": "de"}, 2, (*ONCE[:1], *ONCE[2:])),
        ({"language": "es", "mode": "explicit"}, 2, ONCE),
        ({"language": "zh", "mode": "spelled", "necessary": "none", "extra": ["all"]}, 2, ONCE),
        ({"task": "convert"}, 30, ONCE[:3]),
        ({"task": "convert", "calendars": ["hebrew", "chinese"]}, 12, ONCE),
        ({"task": "convert", "language": "zh"}, max(12, some(30)), ONCE),
    ],
    ids=str,
)
def test_conformance(config: dict[str, Any], n: int, left_out: tuple[str, ...]) -> None:
    only = tuple(name for name in CHECKS if name not in left_out)
    report = conformance(PLUGIN, config, n=n, only=only)
    if "inspect" in only:
        gc.collect()  # what Inspect leaves unclosed is named now, not in some later test
    assert [check for check in report["checks"] if check["failure"]] == []
    assert [check["name"] for check in report["checks"]] == ["generate", *only]


@slow
def test_items_are_the_same_in_other_processes_with_another_locale_and_time_zone() -> None:
    calendars = {"extra": ["easter", "hebrew", "islamic", "iso_week"]}
    assert_same_items(PLUGIN, [({}, 6), (calendars, 6), ({"task": "convert"}, 20)])


@each(
    ("answer", "fits"),
    [
        ("none", True),
        ("1999-12-31", True),
        ("1999-12-31, 2000-01-01", True),
        ("1999-12-31,2000-01-01", False),
        ("1999-12-31, ", False),
        ("None", False),
        ("31 December 1999", False),
        ("", False),
    ],
)
def test_the_schema_of_answers(answer: str, fits: bool) -> None:
    assert (schema_errors(ANSWER, answer) == []) is fits
