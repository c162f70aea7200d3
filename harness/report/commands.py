"""The commands of this room, for those who may lack the libraries that they need."""

from __future__ import annotations

from collections.abc import Sequence

from harness.cli.command import Found
from harness.core.feature_hooks import Warn
from harness.report.words import needed


def report(words: Sequence[str], warn: Warn) -> Found:
    """Run ``harness report``."""
    with needed():
        from harness.report.report import report as act

        return act(words, warn), 0


def compare(words: Sequence[str], warn: Warn) -> Found:
    """Run ``harness compare``."""
    with needed():
        from harness.report.compare import compare as act

        return act(words, warn), 0


def plan(words: Sequence[str], warn: Warn) -> Found:
    """Run ``harness plan``."""
    with needed():
        from harness.report.plan import plan as act

        return act(words, warn), 0
