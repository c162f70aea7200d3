"""The door of this room: the audit of a dataset."""

from __future__ import annotations

import click

from harness.cli.command import Command
from harness.core.feature_hooks import Option, featureimpl


@featureimpl
def register_options() -> tuple[Option, ...]:
    """Return the settings of this room."""
    return (
        Option(
            "corrected", "string", "a file that is written: the dataset with its wrong labels corrected", "place",
            ("verify",), path=True, meant_by=("out",),
        ),
        Option(
            "report", "string", "folder of the report; `none`: no report", "place", ("verify",), path=True,
            words=lambda benchmark, settings: [("none", "")],
        ),
    )  # fmt: skip


@featureimpl
def register_commands(group: click.Group) -> None:
    """Add ``verify`` and ``prove``."""
    group.add_command(Command(
        "verify", "audit a dataset: re-derive every label with every engine, and say what else is wrong",
        "harness verify plugin=NAME [dataset=FILE] [corrected=FILE] [report=DIR|none]",
        "harness.audit.verify:command", "harness.audit.text:text", settings=True,
    ))  # fmt: skip
    group.add_command(Command(
        "prove", "prove every label by a certificate that a small program checks, with nothing else installed",
        "harness prove plugin=NAME [dataset=FILE] [out=FILE.jsonl]",
        "harness.audit.proofs:command", "harness.audit.proofs:text", settings=True,
    ))  # fmt: skip
