"""A feature that keeps a journal: a line for each run that ended, in one file, and a command that prints it."""

from __future__ import annotations

import json
from collections.abc import Generator, Mapping, Sequence
from pathlib import Path
from typing import Any

import click
from harness_errors import DatasetError, OutputError, SpecError

from harness import Command, Option, featureimpl

KEPT = ("plugin", "model", "strategy", "n", "config", "metrics", "log")


@featureimpl
def register_options() -> tuple[Option, ...]:
    """Return the one option, which the run and our command take."""
    meaning = "a file of JSON lines that keeps the results of all runs"
    return (Option("journal", "string", meaning, "place", ("run", "journal"), path=True),)


@featureimpl
def register_commands(group: click.Group) -> None:
    """Add ``harness journal``."""
    usage = "harness journal journal=FILE"
    group.add_command(
        Command(
            "journal",
            "print a journal of runs",
            usage,
            "harness_journal:journal",
            "harness_journal:text",
        )
    )


@featureimpl(wrapper=True)
def result_of(spec: Any) -> Generator[None, dict[str, Any], dict[str, Any]]:
    """Add a run to the journal once it has ended.

    Raises:
        OutputError: the journal cannot be written.
    """
    result = yield
    if spec.journal:
        line = json.dumps({key: result[key] for key in KEPT})
        try:
            with Path(spec.journal).open("a", encoding="utf-8") as file:
                file.write(f"{line}\n")
        except OSError as error:
            raise OutputError(
                f"journal={spec.journal}: cannot be written: {error.strerror}"
            ) from None
    return result


def journal(words: Sequence[str], warn: Any) -> tuple[dict[str, Any], int]:
    """Run ``harness journal``.

    Raises:
        SpecError: no file is named.
        DatasetError: it cannot be read, or is no journal.
    """
    key, _, name = (words or [""])[0].partition("=")
    if len(words) != 1 or key != "journal" or not name:
        raise SpecError("name one journal: harness journal journal=FILE")
    try:
        lines = Path(name).read_text(encoding="utf-8").splitlines()
        return {"runs": [{key: run[key] for key in KEPT} for run in map(json.loads, lines)]}, 0
    except OSError as error:
        raise DatasetError(f"{name}: cannot be read: {error.strerror}") from None
    except (ValueError, KeyError, TypeError):
        raise DatasetError(f"{name}: no journal of runs") from None


def text(result: Mapping[str, Any]) -> str:
    """Return a line for each run: benchmark, model, number of items, and its first metric."""
    return "\n".join(map(_line, result["runs"])) or "no runs"


def _line(run: Mapping[str, Any]) -> str:
    name, numbers = next(iter(run["metrics"].items()))
    return f"{run['plugin']}  {run['model']}  n={run['n']}  {name} {numbers['value']}"
