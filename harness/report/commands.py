"""The bodies of this room's commands: an object for ``--json``, and an exit code."""

from __future__ import annotations

from collections.abc import Sequence

from harness.cli.command import Found
from harness.core.feature_hooks import Warn
from harness.report.command_words import extra_needed


def report(words: Sequence[str], warn: Warn) -> Found:
    """Run ``harness report``."""
    from harness.report import report as body

    return body.report(words, warn), 0


def compare(words: Sequence[str], warn: Warn) -> Found:
    """Run ``harness compare``."""
    with extra_needed():
        from harness.report import compare as body

        return body.compare(words, warn), 0


def plan(words: Sequence[str], warn: Warn) -> Found:
    """Run ``harness plan``."""
    with extra_needed():
        from harness.report import plan as body

        return body.plan(words, warn), 0
