"""The worked solution of an item, as text: held against the item, and scored as an answer to it."""

from __future__ import annotations

from harness_errors import PluginError

from harness.core.items import Item
from harness.core.plugins import Plugin

MAX_CHARACTERS = 60_000
"""Longest trace that is written; an item whose trace would be longer has none."""


def text_of(plugin: Plugin, item: Item) -> str | None:
    """Return the trace of an item, None where it has none.

    It is what the hook `trace` says, or, where the plugin has no such hook, the worked solution (`explain`) with
    the answer after it: that is a trace if `reread` finds it to be one. Nothing is read back here.

    Raises:
        PluginError: a hook failed, or returned what it must not.
    """
    if plugin.has("trace"):
        text: str | None = plugin.call("trace", item=item)
    else:
        solution = plugin.call("explain", item=item)
        text = None if solution is None else f"{solution.rstrip()}\nAnswer: {item.target}"
    return None if text is None or len(text) > MAX_CHARACTERS else text


def findings(plugin: Plugin, item: Item, text: str) -> list[str]:
    """Return what is wrong with a trace: what its reader finds, and that it does not score as right."""
    reread: list[str] | None = plugin.call("reread", item=item, text=text)
    if reread is None:
        name = plugin.benchmark.name
        raise PluginError(f"plugin '{name}': reread() returned None, expected a list of strings")
    wrong = list(reread)
    verdict = plugin.call("score", item=item, completion=text)
    if verdict.outcome != "scored":
        wrong.append(f"as an answer it is {verdict.outcome}: {verdict.explanation}")
    elif verdict.value[plugin.benchmark.values[0]] != 1:
        wrong.append(f"as an answer it is wrong: {verdict.explanation}")
    return wrong
