"""The door of this room: items for training."""

from __future__ import annotations

import click

from harness.cli.command import Command
from harness.core.feature_hooks import featureimpl


@featureimpl
def register_commands(group: click.Group) -> None:
    """Add ``traces``."""
    group.add_command(Command(
        "traces",
        "write step-by-step solutions for supervised training, each re-read and scored before it is written",
        "harness traces plugin=NAME n=1000 out=FILE.jsonl [dataset=FILE] [split=train]",
        "harness.training.traces:command", "harness.training.traces:text", settings=True,
    ))  # fmt: skip
