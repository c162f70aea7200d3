"""A command of ``harness``: what it is, which settings it takes, and where its body and its text are."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from functools import cache
from importlib import import_module
from typing import IO, TYPE_CHECKING, Any, cast

import click
from harness_errors import PluginError, SpecError, did_you_mean
from pluggy import HookImpl

from harness.core.feature_hooks import Option
from harness.core.features import FAILURES, extend, features, keys_of, options

if TYPE_CHECKING:
    from harness.core.plugins import Plugin
    from harness.core.spec import Spec

FLAGS = ("--help", "-h", "--json", "--version")
WORDS = {
    "--minimal": "minimal=yes",
    "--verbose": "verbose=yes",
}  # flags that are another way to write a setting

VERBOSE = Option(
    "verbose", "boolean", "print what varies by group, too, and each run of a sweep", "command",
    ("run", "score", "report", "verify", "doctor", "check"), False, help_for={
        "report": "print every table, not the headline alone",
        "verify": "print more findings, and weaknesses that no item has",
        "check": "print what each check that passes has looked at",
        "doctor": "print a line for each check that passes",
    },
)  # fmt: skip
Found = tuple[dict[str, Any], int]
"""What a command found, as JSON data, and its exit code."""


class Command(click.Command):
    """One command, whose ``body`` and ``text`` are named as ``module:function`` and imported when it runs.

    ``body(words, warn)`` returns `Found`; ``text(found)`` says it in words, ``text(found, verbose=…)`` of a command
    that takes `VERBOSE`. ``settings``: it takes ``plugin=``,
    ``preset=`` and the keys of that benchmark beside its own. ``positional`` says what may stand without a key:
    ``log`` files, a ``shell``, or nothing. ``late``: it takes settings that features know late (`extend`).
    A ``hidden`` one is for programs: it is in no list, and gets all words.
    """

    def __init__(
        self, name: str, summary: str, usage: str, body: str, text: str, *,
        settings: bool = False, positional: str = "", hidden: bool = False, late: bool = False,
    ) -> None:  # fmt: skip
        params: list[click.Parameter] = [click.Argument(["words"], nargs=-1)]
        super().__init__(name, params=params, add_help_option=False, hidden=hidden)
        self.summary, self.usage, self.body, self.text = summary, usage, body, text
        self.settings, self.positional, self.late = settings, positional, late

    @property
    def keys(self) -> tuple[str, ...]:
        """The names of its options; ``plugin`` and ``preset`` are not among them where it takes settings."""
        return keys_of(str(self.name))

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Take all words as ``key=value``: what a key means is not click's affair."""
        ctx.params["words"] = args if self.hidden else self.settled(args)
        return []

    def invoke(self, ctx: click.Context) -> tuple[dict[str, Any], int, Callable[[Any], str]]:
        """Run the body; return what it found, the exit code, and what makes a text of it."""
        words, manner = self._shown(ctx.params["words"])
        result, code = named(self.body)(words, warn)
        return result, code, lambda data: str(named(self.text)(data, **manner))

    def _shown(self, words: Sequence[str]) -> tuple[list[str], dict[str, bool]]:
        """Return the words without `VERBOSE`, and how the result is shown; nothing where it is shown in one way."""
        if VERBOSE.name not in self.keys:
            return list(words), {}
        values = [word.partition("=")[2] for word in words if word.startswith("verbose=")]
        for value in values:
            if value.lower() not in ("yes", "no", "true", "false"):
                raise SpecError(f"verbose={value[:80]}: write yes or no")
        rest = [word for word in words if not word.startswith("verbose=")]
        return rest, {"verbose": bool(values) and values[-1].lower() in ("yes", "true")}

    def settled(self, args: Sequence[str]) -> list[str]:
        """Return the words of a command with ``--key value``, ``--key=value`` and ``-n 5`` as ``key=value``.

        Where it takes settings, a word without a key is the benchmark: ``harness run ltlbench``.

        Raises:
            SpecError: an option that there is not, or without a value.
        """
        words: list[str] = []
        left = iter(args)
        named = False
        for word in left:
            if word.startswith("-") and word.strip("-"):
                words.append(self._setting(word, left))
            elif self.settings and not self.positional and "=" not in word and not named:
                ended = (key for key in self.keys if word.endswith(options()[key].endings))
                words.append(f"{next(ended, 'plugin')}={word}")
                named = True
            else:
                words.append(word)
            named = named or words[-1].startswith("plugin=")
        return words + self._from_environment(given(words))

    def _from_environment(self, taken: Set[str]) -> list[str]:
        """Return the settings that the environment has for options without a value of their own."""
        if self.late and any(name.startswith("INSPECT_EVAL_") for name in os.environ):
            extend()
        values = {
            key: next(filter(None, map(os.environ.get, options()[key].variables)), None)
            for key in self.keys
            if key not in taken
        }
        return [f"{key}={value}" for key, value in values.items() if value is not None]

    def _setting(self, word: str, following: Iterator[str]) -> str:
        """Return an option as ``key=value``, its value taken from the words that follow where it has none itself."""
        name, equals, value = word.lstrip("-").partition("=")
        key = name.replace("-", "_")
        known = (*self.keys, "plugin", "preset", "difficulty") if self.settings else self.keys
        value = value if equals else next(following, "")
        if key not in known and (not self.settings or not value or "=" in value):
            hint = did_you_mean(f"--{name}", (*FLAGS, *WORDS, *(f"--{key}" for key in known)))
            raise SpecError(f"unknown option '{word[:80]}'; {hint}")
        if not value:
            raise SpecError(f"the option '{word[:80]}' has no value")
        return f"{key}={value}"


@cache
def group() -> click.Group:
    """Return ``harness`` itself, with the commands of every feature, in the order of their registration."""
    program_group = click.Group("harness", add_help_option=False)
    for hook in features().hook.register_commands.get_hookimpls():
        _add(program_group, hook)
    return program_group


def _add(group: click.Group, hook: HookImpl) -> None:
    """Add the commands of a feature; one that fails, or whose command is there already, adds none."""
    added = click.Group("feature")
    try:
        hook.function(added)
        for name in added.commands:
            if name in group.commands:
                raise PluginError(f"the command '{name}' exists already: choose another name")
    except Exception as error:  # of foreign code
        FAILURES[hook.plugin_name] = " ".join(str(error).split())[:300]
        return
    group.commands.update(added.commands)


def commands() -> dict[str, Command]:
    """Return every command by name, but for hidden ones."""
    known = cast(dict[str, Command], group().commands)
    return {name: command for name, command in known.items() if not command.hidden}


def named(place: str) -> Callable[..., Any]:
    """Return the function of a name ``module:function``."""
    module, _, name = place.partition(":")
    function: Callable[..., Any] = getattr(import_module(module), name)
    return function


def warn(line: str) -> None:
    """Say something on standard error, beside the result; a reader of it that is gone stops nothing."""
    try:
        sys.stderr.write(f"{line}\n")
        sys.stderr.flush()
    except OSError:
        discard(sys.stderr)


def discard(stream: IO[str]) -> None:
    """Let a stream that cannot be written lead nowhere: Python flushes it once more at exit, which must not fail."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


# ------------------------------------------------------------------------------- what bodies share


def specs_of(words: Sequence[str], command: str, taken: Sequence[str] = ()) -> list[Spec]:
    """Return the specs that the words of a command describe, one for each point of a sweep.

    ``taken`` are settings that the command has taken out of the words itself, to be suggested.
    """
    from harness.core.plugins import registry
    from harness.core.spec import find
    from harness.core.words import build, parse

    settings = parse(words)
    for name in settings.pop("plugin", ()) if commands()[command].late else ():
        find(registry().get(name).benchmark, settings)
    return build(registry(), words, (*keys_of(command), "preset", "difficulty"), taken)


def one_spec(words: Sequence[str], command: str, taken: Sequence[str] = ()) -> tuple[Spec, Plugin]:
    """Return the one spec that the words of a command describe, and its plugin.

    Raises:
        SpecError: they describe a sweep.
    """
    from harness.core.plugins import registry

    specs = specs_of(words, command, taken)
    if len(specs) != 1:
        raise SpecError(f"this command takes one value of each key, got {len(specs)} combinations")
    return specs[0], registry().get(specs[0].plugin)


def given(words: Sequence[str]) -> set[str]:
    """Return the keys that words give a value to."""
    return {word.partition("=")[0] for word in words}


def values_of(words: Sequence[str], known: Sequence[str]) -> Mapping[str, str]:
    """Return the values of words that are no settings of a benchmark.

    Raises:
        SpecError: a key that is not known.
    """
    from harness.core.words import parse

    raw = {key: ",".join(values) for key, values in parse(words).items()}
    for key in sorted(set(raw) - set(known)):
        raise SpecError(f"unknown key '{key}'; {did_you_mean(key, known)}")
    return raw


def program() -> str:
    """Return how to call this program again: by its path where it is not on PATH."""
    import shutil
    from pathlib import Path

    called = sys.argv[0] if Path(sys.argv[0]).name == "harness" else "harness"
    return "harness" if shutil.which("harness") else called
