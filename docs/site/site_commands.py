"""The page of the commands, from the command line's own table, keys and errors."""

from __future__ import annotations

import json
from collections.abc import Iterator
from inspect import getdoc

import harness_errors

from harness.cli.command import FLAGS, WORDS, Command, commands
from harness.cli.help_pages import BENCHMARK
from harness.core.feature_hooks import Option
from harness.core.features import options


def page() -> str:
    """Return the page in Markdown."""
    return "\n".join([*_head(), *_exit_codes(), *_commands()]) + "\n"


def _head() -> Iterator[str]:
    yield "# Commands"
    yield ""
    yield "Made from the command line's own tables. `harness COMMAND --help` says the same in a terminal."
    yield ""
    yield f"Options of every command: {', '.join(f'`{flag}`' for flag in FLAGS)}. {_words()}"
    yield "`--json` prints one JSON object ([its keys](../json.md))."
    yield ""


def _words() -> str:
    return " ".join(f"`{flag}` is short for `{word}`." for flag, word in WORDS.items())


def _exit_codes() -> Iterator[str]:
    yield "## Exit codes"
    yield ""
    yield "| code | when |"
    yield "| --- | --- |"
    yield "| 0 | it is done |"
    yield "| 1 | a finding (`verify`, `check`, `doctor`), an item that could not be scored, an error below with 1 |"
    yield "| 2 | bad input: an error below with 2 |"
    yield "| 130, 143 | ended by Ctrl-C, by SIGTERM |"
    yield ""
    yield "Every error is one line on standard error; with `--json` its name is `error.kind`."
    yield ""
    yield "| error | code | what it says |"
    yield "| --- | --- | --- |"
    for kind in _errors():
        yield f"| `{kind.__name__}` | {kind.exit_code} | {(getdoc(kind) or '').splitlines()[0]} |"
    yield ""


def _errors() -> list[type[harness_errors.HarnessError]]:
    kinds = [one for one in vars(harness_errors).values() if isinstance(one, type)]
    return [one for one in kinds if issubclass(one, harness_errors.HarnessError)]


def _commands() -> Iterator[str]:
    for name, command in commands().items():
        yield f"## `harness {name}`"
        yield ""
        yield f"{command.summary[:1].upper()}{command.summary[1:]}."
        yield ""
        yield "```text"
        yield f"{command.usage} [--json]"
        yield "```"
        yield ""
        yield from _keys(name, command)


def _keys(name: str, command: Command) -> Iterator[str]:
    known = [options()[key] for key in command.keys]
    if not known:
        return
    yield "| key | type | default | values | meaning |"
    yield "| --- | --- | --- | --- | --- |"
    if command.settings:
        yield f"| `plugin` |  |  |  | {BENCHMARK['plugin']} |"
    for one in known:
        shown = "" if one.default is None else f"`{json.dumps(one.default)}`"
        meaning = one.help_for.get(name, one.help)
        yield f"| `{one.name}` | {one.type} | {shown} | {_values(one)} | {meaning} |"
    if command.settings:
        yield f"| `preset` |  |  |  | {BENCHMARK['preset']} |"
    yield ""
    if command.settings:
        yield "Beside these, the keys of the benchmark (`harness describe plugin=NAME`, or its page)."
        yield ""


def _values(option: Option) -> str:
    if option.least is not None:
        return f"{option.least} or more"
    return ", ".join(f"`{value}`" for value in option.choices)
