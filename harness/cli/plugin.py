"""The door of this room: the commands that are the core's own."""

from __future__ import annotations

import click

from harness.cli.command import VERBOSE, Command
from harness.core.feature_hooks import Option, featureimpl


@featureimpl
def register_options() -> tuple[Option, ...]:
    """Return how much of a result is printed."""
    return (VERBOSE,)


@featureimpl
def register_commands(group: click.Group) -> None:
    """Add ``run``, ``list`` and ``describe``."""
    for command in (
        Command(
            "run", "evaluate a model on a benchmark", "harness run plugin=NAME key=value …",
            "harness.cli.run:run", "harness.cli.tables:run", settings=True, late=True,
        ),
        Command(
            "list", "list the installed benchmarks", "harness list",
            "harness.cli.list:benchmarks", "harness.cli.tables_benchmarks:listing",
        ),
        Command(
            "describe", "describe a benchmark and its keys", "harness describe plugin=NAME",
            "harness.cli.describe:describe", "harness.cli.tables_benchmarks:description", settings=True,
        ),
    ):  # fmt: skip
        group.add_command(command)
