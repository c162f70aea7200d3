"""What the embedded models answer, as plain functions that run in a guarded worker.

The symbolic reference gets the text that a language model would get, nothing else.
"""

from __future__ import annotations

from typing import Any

from harness_errors import Abstained, HarnessError

from harness.core.plugins import Plugin, registry


def owner_of(texts: list[str]) -> tuple[Plugin, Any] | None:
    """Return the plugin that can read one of the texts, last first, with the problem it reads.

    Raises:
        HarnessError: none can, and one of them failed.
    """
    failed: HarnessError | None = None
    for text in reversed(texts):
        for plugin in registry().benchmarks.values():
            try:
                problem = plugin.call("read", prompt=text)
            except HarnessError as error:  # perhaps of a plugin that has nothing to do with it
                failed = failed or error
                continue
            if problem is not None:
                return plugin, problem
    if failed is not None:
        raise failed
    return None


def answer(texts: list[str]) -> str:
    """Answer the last readable prompt among the user's messages with an engine that made no label.

    Engines after the first are tried in order; an engine that abstains or fails passes the problem on.

    Raises:
        HarnessError: an engine failed, and none after it could decide the problem.
    """
    owner = owner_of(texts)
    if owner is None:
        return (
            "I can only answer prompts of the installed plugins, and none of them reads this one."
        )
    plugin, problem = owner
    engines = plugin.benchmark.engines
    failed: HarnessError | None = None
    for engine in engines[1:] or engines:
        try:
            solution = plugin.call("solve", problem=problem, engine=engine)
        except Abstained:
            continue
        except HarnessError as error:
            failed = failed or error
            continue
        return (
            f"Derived from the prompt's text with the {engine} engine.\n\nAnswer: {solution.answer}"
        )
    if failed is not None:
        raise failed
    return "I read the problem, but no engine of mine could decide it."


def choices(texts: list[str]) -> list[str]:
    """Return the constant answers of the plugin whose prompt this is; empty when none reads it."""
    owner = owner_of(texts)
    return list(owner[0].benchmark.choices_for(owner[1])) if owner else []
