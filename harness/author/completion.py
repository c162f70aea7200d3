"""The command `completion`, and the words that a shell's script asks for while somebody types.

The words are those of the commands and options of all features, and what the plugin named says of itself. Nothing
here imports Inspect, and only the plugin that is named is loaded.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

from harness_errors import SpecError, did_you_mean

from harness.cli.command import FLAGS, WORDS, Command, Found, commands
from harness.core.facts import printable
from harness.core.feature_hooks import Warn
from harness.core.features import features, options
from harness.core.hookspecs import DIFFICULTIES, DIFFICULTY, Benchmark

# A script each, in the folder completions. bash takes `=` and `:` for the ends of words, so its script cuts the words
# anew from the line, and of what is found only what stands behind the last such sign is put in.
SHELLS = ("bash", "zsh", "fish")
FILES = "\x01files"  # a line that tells the script to complete names of files
SHORT = 70  # characters of what is said beside a word
MOST = 500  # words


class Word(NamedTuple):
    """A word that could stand there, and what it means."""

    text: str
    meaning: str = ""


def command(words: Sequence[str], warn: Warn) -> Found:
    """Return the script for a shell.

    Raises:
        SpecError: no shell is named, or one that there is no script for.
    """
    if len(words) != 1:
        raise SpecError(f"name one shell: harness completion {'|'.join(SHELLS)}")
    shell = words[0]
    if shell not in SHELLS:
        raise SpecError(f"no script for the shell '{shell[:80]}'; {did_you_mean(shell, SHELLS)}")
    script = Path(__file__).with_name("completions") / f"harness.{shell}"
    return {"shell": shell, "script": script.read_text(encoding="utf-8")}, 0


def text(result: Mapping[str, Any]) -> str:
    """Return the script, or the words for one."""
    return str(result["script"])


def complete(words: Sequence[str], warn: Warn) -> Found:
    """Answer a script of ours: whatever is wrong, it gets no words, and no error."""
    return {"script": answer(words)}, 0


def answer(words: Sequence[str]) -> str:
    """Return the lines that a script reads: words that could be the last one given, each with a tab and its meaning.

    ``words`` are those of the command line after ``harness``, the last of them as far as it is typed.
    `FILES` stands for names of files. Whatever fails, there are no words.
    """
    current = words[-1] if words else ""
    try:
        known = _words(list(words[:-1]), current)
        found = [word for word in known if word.text == FILES or word.text.startswith(current)]
    except Exception:
        return ""
    return "\n".join(
        text if text == FILES else f"{text}\t{printable(meaning, SHORT)}"
        for text, meaning in found[:MOST]
    )


def _words(before: list[str], current: str) -> Iterator[Word]:
    """Yield the words that may stand there, whatever their beginning."""
    rest = [word for word in before if word not in (*FLAGS, *WORDS)]
    command = commands().get(rest[0]) if rest else None
    if current.startswith("-"):
        flags = (*FLAGS, *(flag for flag in WORDS if command and flag in command.usage))
        yield from (Word(flag) for flag in flags if flag not in before)
    elif not rest:
        yield from (Word(name, command.summary) for name, command in commands().items())
    elif command:
        settled = rest[1:]
        with suppress(SpecError):  # the first word without a key may be the benchmark
            settled = command.settled(settled)
        typed = {key: value for key, _, value in (word.partition("=") for word in settled)}
        key, equals, value = current.partition("=")
        if equals:
            yield from _values(command, typed, key, value)
        else:
            yield from _keys(command, typed, bool(current))
            yield from _positional(command, typed, bool(current))


def _positional(command: Command, typed: Mapping[str, str], begun: bool) -> Iterator[Word]:
    """Yield what may stand without a key: a shell, names of logs, or the benchmark."""
    if command.positional == "shell":
        yield from map(Word, SHELLS)
    elif command.positional == "log":
        yield Word(FILES)
    elif begun and command.settings and "plugin" not in typed:
        yield from _plugins()


def _keys(command: Command, typed: Mapping[str, str], begun: bool) -> Iterator[Word]:
    """Yield the keys that a command takes, those of the plugin named among them, without those that are given.

    Those that features know late are many: they come once a word is ``begun``.
    """
    known = {key: options()[key] for key in command.keys}
    keys = {
        key: option.help_for.get(str(command.name), option.help) for key, option in known.items()
    }
    if command.late and begun:
        keys = {**{key: meaning for key, (meaning, _) in _late().items()}, **keys}
    if command.settings:
        keys = {
            "plugin": "name of a benchmark",
            **keys,
            "preset": "settings that the benchmark has ready",
            "difficulty": f"a level, {DIFFICULTY}",
        }
        for key, schema in _properties(_benchmark(typed)).items():
            description, default = schema.get("description", ""), schema.get("default")
            keys[key] = f"{description} ({default})" if description else f"default {default}"
    return (Word(f"{key}=", meaning) for key, meaning in keys.items() if key not in typed)


def _late() -> dict[str, tuple[str, tuple[str, ...]]]:
    """Return settings that features know late: their meaning, and words that they take."""
    parts = reversed(features().hook.late_words())
    return {key: words for part in parts for key, words in part.items()}


def _values(command: Command, typed: Mapping[str, str], key: str, value: str) -> Iterator[Word]:
    """Yield the values of a key; behind a comma the next one of a sweep or a list."""
    if key not in command.keys and not (command.settings or key == "plugin"):
        return
    begun, comma, _ = value.rpartition(",")
    for word in _choices(typed, key):
        if word.text == FILES:
            yield word
        elif word.text not in begun.split(","):
            yield Word(f"{key}={begun}{comma}{word.text}", word.meaning)


def _choices(typed: Mapping[str, str], key: str) -> Iterable[Word]:
    if key == "plugin":
        return _plugins()
    benchmark, option = _benchmark(typed), options().get(key)
    if key == "preset":
        return map(Word, benchmark.presets if benchmark else ())
    if key == "difficulty":
        return map(Word, DIFFICULTIES if benchmark and benchmark.levels else ())
    if option is None:
        schema = _properties(benchmark).get(key)
        return _of_schema(schema) if schema else map(Word, _late().get(key, ("", ()))[1])
    words = [Word(*word) for word in option.words(benchmark, typed)] if option.words else []
    words += map(Word, option.choices)
    words += map(Word, ("yes", "no") if option.type == "boolean" else ())
    return [*words, Word(FILES)] if option.path else words


def _of_schema(schema: Mapping[str, Any]) -> Iterator[Word]:
    """Yield the values that a schema names."""
    default = schema.get("default")
    inner = schema.get("items", {}) if schema.get("type") == "array" else schema
    values = list(inner.get("enum", ()))
    if inner.get("type") == "boolean":
        values = ["true", "false"]
        default = str(default).lower()
    values += schema.get("x-names", ())
    yield from (Word(str(value), "the default" if value == default else "") for value in values)
    if schema.get("format") == "path":
        yield Word(FILES)


def _properties(benchmark: Benchmark | None) -> Mapping[str, Mapping[str, Any]]:
    return benchmark.config_schema["properties"] if benchmark else {}


def _benchmark(typed: Mapping[str, str]) -> Benchmark | None:
    """Return what the plugin named says of itself; of several the first. Only that one is loaded."""
    from harness.core.installed import sources
    from harness.core.plugins import load

    name = typed.get("plugin", "").partition(",")[0]
    if not name:
        return None
    benchmarks = load(source for source in sources() if source[0] == name).benchmarks
    return benchmarks[name].benchmark if name in benchmarks else None


def _plugins() -> Iterator[Word]:
    from harness.core.plugins import registry

    for name, plugin in sorted(registry().benchmarks.items()):
        yield Word(name, plugin.benchmark.summary)
