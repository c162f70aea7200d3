"""The door of this room: pages, tables and figures from logs."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

import click

from harness.cli.command import Command
from harness.core.feature_hooks import Option, featureimpl

if TYPE_CHECKING:
    from harness.core.hookspecs import Benchmark


def _metrics(benchmark: Benchmark | None, settings: Mapping[str, str]) -> Iterable[tuple[str, str]]:
    known = (*benchmark.metrics, *benchmark.published) if benchmark else ()
    return {metric.name: metric.summary for metric in known}.items()


OPTIONS = (
    Option(
        "plugin", "string", "name of a benchmark (`harness list`)", "command", ("compare", "doctor"),
        help_for={"compare": "one of the benchmarks in the logs", "doctor": "only this one"},
    ),
    Option(
        "items", "integer", "how many items the explorer of each benchmark shows; 300 if not given", "command",
        ("report",),
    ),
    Option("d", "number", "the difference to be seen", "command", ("plan",)),
    Option("power", "number", "the probability to see it; 0.8 if not given", "command", ("plan",)),
    Option("alpha", "number", "of the two-sided test; 0.05 if not given", "command", ("plan",)),
    Option("pilot", "string", "logs from which spread and correlation are taken", "command", ("plan",), path=True),
    Option(
        "calls", "integer", "answers of a model: many items once, or few items often? a pilot's, if it has epochs",
        "command", ("plan",), least=3,
    ),
    Option(
        "within", "number", "share of an answer's variance within items; 0.5 if not given and no pilot tells",
        "command", ("plan",),
    ),
    Option(
        "metrics", "list", "which metrics; the headline and the first others if not given", "command",
        ("compare", "plan"), words=_metrics, help_for={"plan": "which metrics; the headline if not given"},
    ),
)  # fmt: skip


@featureimpl
def register_options() -> tuple[Option, ...]:
    """Return the settings of this room."""
    return OPTIONS


@featureimpl
def register_commands(group: click.Group) -> None:
    """Add ``report``, ``compare``, ``plan``."""
    for command in (
        Command(
            "report", "make a page, tables and figures from logs", "harness report LOG_OR_DIR… out=DIR",
            "harness.report.commands:report", "harness.report.text:report", positional="log",
        ),
        Command(
            "compare", "compare models on the items that all of them answered",
            "harness compare LOG_A LOG_B … [metrics=a,b] [plugin=NAME]",
            "harness.report.commands:compare", "harness.report.text:compare", positional="log",
        ),
        Command(
            "plan", "say how many items it takes to see a difference",
            "harness plan plugin=NAME d=0.05 power=0.8 [pilot=LOG]",
            "harness.report.commands:plan", "harness.report.text:plan", settings=True,
        ),
    ):  # fmt: skip
        group.add_command(command)
