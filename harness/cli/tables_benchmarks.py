"""How benchmarks read in a terminal: the list of them, and what one says of itself."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any

from harness.cli.tables import grid, number, paragraph, words
from harness.core.hookspecs import DIFFICULTY


def listing(installed: Mapping[str, Any]) -> str:
    """Return the installed benchmarks, wrappers and failures."""
    rows = [["plugin", "version", "licence", "description"]]
    rows += [[p["name"], p["version"], p["licence"], p["summary"]] for p in installed["plugins"]]
    lines = [grid(rows)]
    if installed["wrappers"]:
        lines.append(f"wrappers: {', '.join(installed['wrappers'])}")
    lines += [f"could not be loaded: {name}: {why}" for name, why in installed["failures"].items()]
    return "\n".join(lines)


def description(benchmark: Mapping[str, Any]) -> str:
    """Return a benchmark's keys, presets, levels, strategies, metrics and engines."""
    levels = _settings_lines(enumerate(benchmark["levels"], 1))
    lines = [
        f"{benchmark['name']} {benchmark['version']} ({benchmark['licence']}): {benchmark['summary']}",
        f"{benchmark['citation']}", "",
        grid(config_rows(benchmark["config_schema"])), "",
        "presets:", *_settings_lines(benchmark["presets"].items()),
        *([f"difficulty, {DIFFICULTY}:"] if levels else []), *levels,
        "strategies:", *(f"  {n}: {text}{_stages(benchmark, n)}" for n, text in benchmark["strategies"].items()),
        "metrics:", *(f"  {n}: {text}" for n, text in benchmark["metrics"].items()),
        *_shortcut_lines(benchmark),
        f"headline: {benchmark['headline']}",
        f"engines: {', '.join(benchmark['engines'])} (the first makes the label, the second confirms it)",
        f"formats: {', '.join(benchmark['formats']) or 'none'}",
        f"distinct items: {benchmark['capacity'] if benchmark['capacity'] is not None else 'too many to count'}",
    ]  # fmt: skip
    return "\n".join(text if "\n" in text else paragraph(text) for text in lines)


def _settings_lines(named_settings: Iterable[tuple[object, Mapping[str, Any]]]) -> list[str]:
    """Return a line for each name with the settings that it stands for."""
    return [
        f"  {name}: {' '.join(f'{key}={words(value)}' for key, value in settings.items())}"
        for name, settings in named_settings
    ]


def _shortcut_lines(benchmark: Mapping[str, Any]) -> list[str]:
    """Return what each shortcut scores by the headline, and on which items; nothing where there are none."""
    scored = benchmark["shortcuts"]
    if not scored:
        return []
    ceiling = benchmark["shortcut_ceiling"]
    most = "" if ceiling is None else f" (of the default ones at most {ceiling:g} by design)"
    n = benchmark["shortcut_items"]
    items = f", {benchmark['headline']} on {n} items of these settings{most}" if n else ""
    lines = []
    for name, entry in scored.items():
        known = entry["score"] is not None
        other = "" if known or not entry["tasks"] else f" (task={', '.join(entry['tasks'])})"
        value = f" {number(entry['score'])}." if known else ""
        lines.append(f"  {name}{other}:{value} {entry['summary']} It ignores {entry['ignores']}.")
    return [f"shortcuts{items}:", *lines]


def config_rows(config_schema: Mapping[str, Any]) -> list[list[str]]:
    """Return the keys of a benchmark as rows: key, default, values, meaning."""
    rows = [["key", "default", "values", "meaning"]]
    for key, schema in config_schema["properties"].items():
        default = json.dumps(schema["default"])
        rows.append([key, default, _range(schema), schema.get("description", "")])
    return rows


def _stages(benchmark: Mapping[str, Any], strategy: str) -> str:
    stages = benchmark["stages"].get(strategy)
    return f" (stages: {', '.join(stages)})" if stages else ""


def _range(schema: Mapping[str, Any]) -> str:
    if "enum" in schema:
        return " | ".join(map(str, schema["enum"]))
    if "minimum" in schema and "maximum" in schema:
        return f"{schema['minimum']} … {schema['maximum']}"
    return str(schema.get("type", "see describe --json"))
