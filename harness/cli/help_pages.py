"""What ``harness --help`` and ``harness COMMAND --help`` print."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence

from harness.cli.command import Command, commands
from harness.cli.tables import grid
from harness.cli.tables_benchmarks import config_rows
from harness.core.feature_hooks import Option, Scope
from harness.core.features import extend, options
from harness.core.hookspecs import DIFFICULTY

# Headings, and what the options under them decide.
GROUPS: tuple[tuple[str, tuple[Scope, ...]], ...] = (
    ("items", ("items",)),
    ("asking", ("ask", "model")),
    ("serving", ("service",)),
    ("place", ("place",)),
    ("this command", ("command",)),
)
BENCHMARK = {
    "plugin": "the benchmark (`harness list`); its name may also stand first, without `plugin=`",
    "preset": "settings that the benchmark has ready; keys given beside it win",
    "difficulty": f"a level of the benchmark's own, {DIFFICULTY}; keys given beside it win",
}
"""What is no option: it names the benchmark whose own keys are options, too."""


def of_program() -> str:
    """Return the help of ``harness`` itself."""
    width = max(map(len, commands()))
    rows = [f"  {name:<{width}}  {command.summary}" for name, command in commands().items()]
    return "\n".join([
        "usage: harness COMMAND key=value … [--json]",
        "",
        "Evaluate temporal reasoning in language models with labels two engines agree on.",
        "",
        "commands:",
        *rows,
        "",
        "harness COMMAND --help explains a command's keys, harness COMMAND BENCHMARK --help a benchmark's, too.",
        "A comma makes a sweep: operators=1,2,3. --key value means key=value. --json prints one JSON object.",
    ])  # fmt: skip


def of_command(name: str, words: Sequence[str]) -> str:
    """Return the help of a command, with the keys of the benchmark that its words name, if they name one.

    Raises:
        SpecError: words that the command cannot take.
        PluginError: no such benchmark.
    """
    command = commands()[name]
    settled = dict(word.partition("=")[::2] for word in command.settled(words))
    if command.late and "plugin" in settled:
        extend()
    parts = [
        f"usage: {command.usage} [--json]",
        f"{command.summary[:1].upper()}{command.summary[1:]}.",
    ]
    parts += [f"{heading}\n{table}" for heading, table in _tables(command)]
    if command.settings:
        parts += list(_benchmark(command, settled.get("plugin")))
    return "\n\n".join(parts)


def _tables(command: Command) -> Iterator[tuple[str, str]]:
    head = ["key", "type", "default", "meaning"]
    if command.settings:
        yield (
            "benchmark",
            grid([head, *([key, "string", "", text] for key, text in BENCHMARK.items())]),
        )
    known = [options()[key] for key in command.keys]
    for heading, scopes in GROUPS:
        rows = [_row(option, str(command.name)) for option in known if option.scope in scopes]
        if rows:
            yield heading, grid([head, *rows])


def _row(option: Option, command: str) -> list[str]:
    default = "" if option.default is None else json.dumps(option.default, ensure_ascii=False)
    meaning = option.help_for.get(command, option.help)
    if option.choices:
        meaning += f" ({' | '.join(option.choices)})"
    kind = option.type if option.least is None else f"{option.type} ≥ {option.least}"
    return [option.name, kind, default, meaning]


def _benchmark(command: Command, named: str | None) -> Iterator[str]:
    if named is None:
        more = " and all else that Inspect can ask" if command.late else ""
        yield f"harness {command.name} BENCHMARK --help adds the keys of a benchmark{more}."
        return
    from harness.core.plugins import registry

    for name in named.split(","):
        benchmark = registry().get(name).benchmark
        yield f"keys of {name}\n{grid(config_rows(benchmark.config_schema))}"
