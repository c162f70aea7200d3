"""A page per benchmark: what `harness describe` says of it, which is what its plugin says of itself."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from harness.core.hookspecs import Benchmark
from harness.core.plugins import registry
from harness.run.strategies import strategies

Row = Sequence[str]


def pages(root: Path) -> Iterator[tuple[str, str]]:
    """Yield place and Markdown of the page of every plugin of the repository.

    Raises:
        PluginError: one is not installed, or cannot be loaded.
    """
    for folder in sorted(root.glob("plugins/*/pyproject.toml")):
        name = folder.parent.name
        yield f"reference/{name}.md", page(registry().get(name).benchmark)


def page(benchmark: Benchmark) -> str:
    """Return the page of a benchmark in Markdown."""
    return "\n".join(_lines(benchmark)) + "\n"


def _lines(benchmark: Benchmark) -> Iterator[str]:
    name = benchmark.name
    yield f"# {name}: keys, metrics, engines"
    yield ""
    yield f"{sentence(benchmark.summary)} Version {benchmark.version}, {benchmark.licence}."
    yield ""
    yield f"What it is and how its answers are judged: [its plugin](../plugins/{name}/README.md)."
    yield f"The same from the code: `harness describe plugin={name}`."
    yield ""
    yield f"> {cell(benchmark.citation)}"
    yield ""
    yield from _keys(benchmark)
    yield from _presets(benchmark)
    yield from _strategies(benchmark)
    yield from _metrics(benchmark)
    yield from _tasks(benchmark)
    yield from _rest(benchmark)


def _keys(benchmark: Benchmark) -> Iterator[str]:
    properties = benchmark.config_schema["properties"]
    yield "## Keys"
    yield ""
    rows = [
        (
            f"`{key}`", kind(schema), code(schema["default"]), values(schema),
            cell(schema.get("description", "")) + _form(schema),
        )
        for key, schema in properties.items()
    ]  # fmt: skip
    yield from table(("key", "type", "default", "values", "meaning"), rows)


def _form(schema: Mapping[str, Any]) -> str:
    return " (changes the form of a problem, not which one it is)" if schema.get("x-form") else ""


def _presets(benchmark: Benchmark) -> Iterator[str]:
    yield "## Presets"
    yield ""
    rows = [
        (f"`preset={name}`", " ".join(f"`{key}={_setting(value)}`" for key, value in one.items()))
        for name, one in benchmark.presets.items()
    ]
    yield from table(("preset", "settings; a comma is a sweep"), rows)


def _setting(value: Any) -> str:
    """Return a value as it is written on the command line; a tuple is a sweep."""
    if isinstance(value, (list, tuple)):
        joined = ",".join(map(_setting, value))
        return joined if isinstance(value, tuple) else f"[{joined}]"
    return json.dumps(value) if isinstance(value, bool) else str(value)


def _strategies(benchmark: Benchmark) -> Iterator[str]:
    yield "## Strategies"
    yield ""
    rows = [
        (f"`strategy={name}`", cell(one.summary), ", ".join(f"`{stage}`" for stage in one.stages))
        for name, one in strategies(benchmark).items()
    ]
    yield from table(("strategy", "how the model is asked", "stages"), rows)


def _metrics(benchmark: Benchmark) -> Iterator[str]:
    yield "## Metrics"
    yield ""
    rows = [
        (f"`{metric.name}`", cell(metric.summary), "headline" * (metric.name == benchmark.headline))
        for metric in benchmark.metrics
    ]
    published = [
        (f"`{metric.name}`", cell(metric.summary), "`convention=published`")
        for metric in benchmark.published
    ]
    yield from table(("metric", "meaning", ""), [*rows, *published])


def _tasks(benchmark: Benchmark) -> Iterator[str]:
    tasks = benchmark.config_schema["properties"].get("task")
    if tasks is None:
        return
    yield "## Tasks"
    yield ""
    named = tasks.get("enum") or tasks.get("items", {}).get("enum") or []
    rows = [(f"`task={one}`", _choices(benchmark, one), _for(benchmark, one)) for one in named]
    yield from table(("task", "constant answers", "strategies for it alone"), rows)


def _choices(benchmark: Benchmark, task: str) -> str:
    found = benchmark.choices_for({"task": task})
    return ", ".join(code_words(one) for one in found) or "none"


def _for(benchmark: Benchmark, task: str) -> str:
    return ", ".join(f"`{one.name}`" for one in benchmark.strategies if task in one.tasks)


def _rest(benchmark: Benchmark) -> Iterator[str]:
    yield "## Engines, formats, weaknesses"
    yield ""
    first, second, *more = [f"`{engine}`" for engine in benchmark.engines]
    others = f"; {', '.join(more)} with `harness verify`" if more else ""
    rows = [
        ("engines", f"{first} makes the label, {second} confirms it{others}"),
        ("`harness show format=`", _names(benchmark.formats)),
        ("published formats", _names(benchmark.dataset_formats)),
        ("results are split by", _names((*benchmark.groups, *benchmark.tags))),
    ]
    yield from table(("what", "which"), rows)
    weaknesses = [
        (f"`{name}`", weakness.level.replace("_", " "), cell(weakness.meaning))
        for name, weakness in benchmark.weaknesses.items()
    ]
    yield from table(("weakness that an audit finds", "level", "meaning"), weaknesses)


def _names(names: Sequence[str]) -> str:
    return ", ".join(f"`{name}`" for name in names) or "none"


def kind(schema: Mapping[str, Any]) -> str:
    """Return the type of a key in words."""
    found = schema.get("type", "one of a list" if "enum" in schema else "any")
    if found == "array":
        return f"list of {kind(schema.get('items', {}))}"
    if schema.get("format") == "path":
        return "file or folder, or a name" if schema.get("x-names") else "file or folder"
    return " or ".join(found) if isinstance(found, list) else str(found)


def values(schema: Mapping[str, Any]) -> str:
    """Return which values a key takes, as far as its schema says."""
    inner = schema.get("items", {}) if schema.get("type") == "array" else {}
    enum = schema.get("enum") or inner.get("enum") or schema.get("x-names")
    if enum:
        return ", ".join(code(one) if not isinstance(one, str) else code_words(one) for one in enum)
    if "minimum" in schema or "maximum" in schema:
        low, high = schema.get("minimum"), schema.get("maximum")
        return f"{'' if low is None else low} … {'' if high is None else high}".strip()
    return code_words(schema["pattern"]) if "pattern" in schema else ""


def code(value: Any) -> str:
    """Return a value as JSON in a span of code."""
    return code_words(json.dumps(value, ensure_ascii=False))


def code_words(words: str) -> str:
    """Return words as a span of code in a cell of a table, backticks and bars among them."""
    ticks = "``" if "`" in words else "`"
    inner = words.replace("|", "\\|")
    return f"{ticks} {inner} {ticks}" if "`" in words else f"{ticks}{inner}{ticks}"


def cell(words: str) -> str:
    """Return plain words for a cell of a table: one line, and nothing that is Markdown or HTML."""
    found = " ".join(words.split())
    for sign in "\\`*_[]|":
        found = found.replace(sign, f"\\{sign}")
    return found.replace("&", "&amp;").replace("<", "&lt;")


def sentence(words: str) -> str:
    """Return plain words as a sentence."""
    found = words[:1].upper() + words[1:]
    return cell(found if found.endswith((".", "?", "!")) else f"{found}.")


def table(head: Row, rows: Sequence[Row]) -> Iterator[str]:
    """Yield a table, without the columns that are empty throughout; of no rows, a line that says so."""
    if not rows:
        yield "None."
        yield ""
        return
    kept = [at for at in range(len(head)) if any(row[at] for row in rows)]
    for row in (head, ["---"] * len(head), *rows):
        yield f"| {' | '.join(row[at] for at in kept)} |"
    yield ""
