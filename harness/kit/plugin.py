"""The door of this room: the conformance kit."""

from __future__ import annotations

import click

from harness.cli.command import Command
from harness.core.feature_hooks import Option, featureimpl


@featureimpl
def register_options() -> tuple[Option, ...]:
    """Return the settings of this room."""
    return (
        Option(
            "golden", "string", "compare the first items with those pinned, or pin them", "command", ("check",),
            choices=("check", "write"),
        ),
        Option("only", "string", "just these checks (docs/conformance.md)", "command", ("check",)),
    )  # fmt: skip


@featureimpl
def register_commands(group: click.Group) -> None:
    """Add ``check``."""
    group.add_command(Command(
        "check", "run the conformance kit on a plugin",
        "harness check plugin=NAME [only=read,engines] [golden=write]",
        "harness.kit.check:command", "harness.kit.check:text", settings=True,
    ))  # fmt: skip
