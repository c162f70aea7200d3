"""The door of this room: what the author of a plugin uses, and what makes a workplace of a shell."""

from __future__ import annotations

import click

from harness.cli.command import Command
from harness.core.feature_hooks import Option, featureimpl


@featureimpl
def register_options() -> tuple[Option, ...]:
    """Return the settings of this room."""
    return (
        Option(
            "licence", "string", "of the new plugin, an SPDX identifier; Apache-2.0 if not given", "command", ("new",)
        ),
        Option("host", "string", "what the viewer listens on; 127.0.0.1 if not given", "command", ("view",)),
        Option("port", "integer", "what the viewer listens on; 7575 if not given", "command", ("view",)),
        Option(
            "bundle", "string", "a folder to write the viewer to, as a static site", "command", ("view",), path=True
        ),
    )  # fmt: skip


@featureimpl
def register_commands(group: click.Group) -> None:
    """Add ``new``, ``doctor``, ``view`` and ``completion``."""
    for command in (
        Command(
            "new", "write a new plugin that works at once: a package, or one file",
            "harness new NAME [out=FOLDER] [licence=Apache-2.0] [--minimal]",
            "harness.author.new:command", "harness.author.new:text",
        ),
        Command(
            "doctor", "say what works here, what is missing, and how to get it",
            "harness doctor [plugin=NAME] [log_dir=logs]",
            "harness.author.doctor:command", "harness.author.doctor:text",
        ),
        Command(
            "view", "open the Inspect viewer on the logs, or write it as a static site",
            "harness view log_dir=logs [port=7575 | bundle=DIR]",
            "harness.author.view:command", "harness.author.view:text",
        ),
        Command(
            "completion", "print a completion script for a shell", "harness completion bash|zsh|fish",
            "harness.author.completion:command", "harness.author.completion:text", positional="shell",
        ),
        # What those scripts call while somebody types.
        Command(
            "__complete", "", "", "harness.author.completion:complete", "harness.author.completion:text", hidden=True
        ),
    ):  # fmt: skip
        group.add_command(command)
