"""The bodies of this room's commands, and what they share: the words that they take, the libraries they need."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from importlib import import_module

from harness_errors import EngineError, SpecError, did_you_mean

from harness.cli.command import Found
from harness.core.feature_hooks import Warn
from harness.core.words import parse
from harness.datasets.extras import command_for


def _body(name: str) -> Callable[[Sequence[str], Warn], Found]:
    """Return the body of a command: the function of that name in the module of that name.

    Where a library is missing it says in one line which extra to install.
    """

    def run(words: Sequence[str], warn: Warn) -> Found:
        try:
            return getattr(import_module(f"harness.report.{name}"), name)(words, warn), 0
        except ModuleNotFoundError as error:
            if (error.name or "").split(".")[0] in ("harness", ""):
                raise
            raise EngineError(f"this needs {error.name}: {command_for('report')}") from None

    return run


report, compare, plan = map(_body, ("report", "compare", "plan"))


def logs_and_keys(
    words: Sequence[str], keys: Sequence[str], command: str, usage: str
) -> tuple[list[str], dict[str, list[str]]]:
    """Return the logs that words name, and the values of the keys among them; ``usage``: what the command takes.

    Raises `SpecError`: an unknown key, no log named.
    """
    # A log's name may have a `=` in it.
    logs = [word for word in words if "=" not in word or os.path.exists(word)]  # noqa: PTH110 (Path's raises)
    options = parse([word for word in words if word not in logs])
    for key in options:
        if key not in keys:
            hint = did_you_mean(key, keys)
            raise SpecError(f"unknown key '{key[:80]}' for harness {command}; {hint}")
    if not logs:
        raise SpecError(f"no log is named: harness {command} {usage}")
    return logs, options
