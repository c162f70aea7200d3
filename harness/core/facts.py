"""What a plugin says of a dataset that it has just made, and the warnings in it as lines for a terminal."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from harness_errors import PluginError

from harness.core.items import salt_for

if TYPE_CHECKING:
    # Not to be loaded by a command that is stopped while it begins, and only says so.
    from harness.core.plugins import Plugin
    from harness.core.spec import Spec

MAX_WARNINGS = 20
MAX_LINE = 300  # characters of a warning


def about(plugin: Plugin, spec: Spec) -> dict[str, Any] | None:
    """Return what the plugin says of the generated items of a spec; None: nothing, or they were read.

    Call it once the items are made: what a plugin finds out on the way is known then.

    Raises:
        PluginError: what the hook returned is no JSON object, or its warnings are no list of strings.
    """
    if spec.dataset:
        return None
    salt = salt_for(spec.plugin, spec.version, spec.config_json, spec.split, spec.seed)
    facts = plugin.call_json("about", config=dict(spec.config), salt=salt)
    lines = (facts or {}).get("warnings", [])
    if not (isinstance(lines, list) and all(isinstance(line, str) for line in lines)):
        raise PluginError(
            f"plugin '{spec.plugin}': about() returned warnings that are no list of strings"
        )
    return facts


def warnings(facts: Mapping[str, Any] | None) -> list[str]:
    """Return the warnings in what `about` returned, each as one printable line, and not too many."""
    given_lines = (facts or {}).get("warnings", [])
    lines = [f"warning: {printable(line)}" for line in given_lines[:MAX_WARNINGS]]
    more = len(given_lines) - len(lines)
    return [*lines, f"… and {more} more"] if more else lines


def printable(text: str, limit: int = MAX_LINE) -> str:
    """Return foreign text, cut to a limit, in one line that cannot steer a terminal."""
    cut = f"{text[:limit]}…" if len(text) > limit else text
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in cut)
