"""A file of runs: several benchmarks, models and strategies with what they share, as YAML.

    description: for people; what a run is does not depend on it, nor on comments
    defaults: {n: 100, model: [openai/gpt-5, anthropic/claude-sonnet-4-5]}
    runs:
      - {plugin: ltlbench, operators: [1, 3, 9]}
      - {plugin: [timepuzzles, vltl], strategy: few_shot}

Keys and values are those of the command line; a list is a sweep. What is typed beside the file goes before it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import yaml
from harness_errors import OutputError, SpecError, did_you_mean

from harness.cli.command import specs_of
from harness.core.features import keys_of
from harness.core.plugins import registry
from harness.core.schemas import shown
from harness.core.spec import Spec, find, make
from harness.core.words import MAX_POINTS, parse
from harness.datasets import files
from harness.rerun.points import points, values_of

MAX_SIZE = 1_000_000  # bytes
KEYS = {"description": str, "defaults": dict, "runs": list}
NAMES = (".yaml", ".yml")  # how such a file's name ends


def read(path: Path) -> dict[str, Any]:
    """Return what a file of runs says; raises `SpecError` where it is none."""
    if path.exists() and not path.is_file():  # of a pipe nobody may ever write an end
        raise SpecError(f"{shown(path)}: is no file")
    try:
        with path.open("rb") as file:
            text = file.read(MAX_SIZE + 1)
    except (OSError, ValueError) as error:
        why = error.strerror if isinstance(error, OSError) else str(error)
        raise SpecError(f"{shown(path)}: cannot be read: {why}") from None
    if len(text) > MAX_SIZE:
        raise SpecError(f"{shown(path)}: more than {MAX_SIZE:,} bytes")
    try:
        data = yaml.safe_load(text)
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        mark = getattr(error, "problem_mark", None)
        place = f" in line {mark.line + 1}" if mark else ""
        problem = getattr(error, "problem", None) or type(error).__name__
        raise SpecError(f"{shown(path)}: no YAML{place}: {problem}") from None
    for why in _faults(data):
        raise SpecError(f"{shown(path)}: {why}")
    return dict(data)


def _faults(data: Any) -> list[str]:
    """Return what is wrong with the form of a file of runs."""
    if not isinstance(data, dict) or "runs" not in data:
        return ["expected a list of runs under `runs:`"]
    wrong = [
        f"unknown key '{shown(k)}'; {did_you_mean(str(k), KEYS)}" for k in data if k not in KEYS
    ]
    for key, kind in KEYS.items():
        if key in data and not isinstance(data[key], kind):
            wrong.append(f"{key}: expected {'an object' if kind is dict else f'a {kind.__name__}'}")
    if wrong:
        return wrong
    for number, entry in enumerate(data["runs"], 1):
        if not isinstance(entry, dict) or not (
            entry.get("plugin") or data.get("defaults", {}).get("plugin")
        ):
            wrong.append(f"run {number}: expected an object with `plugin:` and settings")
    for settings in (data.get("defaults", {}), *data["runs"]):
        if isinstance(settings, dict):
            wrong += [
                f"'{key}' has no place in a file of runs"
                for key in ("study", "save", "dry_run")
                if key in settings
            ]
            wrong += [f"'{shown(key)}' is no key" for key in settings if not isinstance(key, str)]
    return wrong if data["runs"] else ["runs: there are none"]


def named_in(words: Sequence[str]) -> list[Spec]:
    """Return the runs of the file ``study=`` among words, or write them as ``save=`` first."""
    named = dict(word.partition("=")[::2] for word in words)
    rest = [word for word in words if word.partition("=")[0] not in ("study", "save")]
    if "study" not in named:
        specs_of(rest, "run")  # what is wrong with them is said before anything is written
        once = [word for word in rest if word.startswith("dry_run=")]
        save(Path(named["save"]), [word for word in rest if word not in once])
        return specs(Path(named["save"]), once)
    if "save" in named:
        raise SpecError("'save' does not go with a file of runs: it is saved already")
    return specs(Path(named["study"]), rest)


def specs(path: Path, words: Sequence[str]) -> list[Spec]:
    """Return the runs of a file; ``words`` beside it go before what it says.

    Raises:
        SpecError: the file cannot be read, a setting does not fit, or there are too many runs.
        PluginError: no such benchmark.
    """
    data, texts = read(path), parse(words)
    if "plugin" in texts:
        raise SpecError(f"'plugin' does not go with {shown(path)}, which names its own")
    runs: list[Spec] = []
    for number, entry in enumerate(data["runs"], 1):
        settings = {**data.get("defaults", {}), **entry, "study": str(path)}
        named = settings.pop("plugin")
        for name in named if isinstance(named, list) else [named]:
            plugin = registry().get(str(name))
            find(plugin.benchmark, {**settings, **texts})
            known = {*keys_of("run"), "preset", "difficulty"} - {"save"}
            try:
                runs += [
                    make(plugin, point, known)
                    for point in points(plugin.benchmark, settings, known, texts)
                ]
            except SpecError as error:
                raise SpecError(f"{shown(path)}: run {number}: {error}") from None
            if len(runs) > MAX_POINTS:
                raise SpecError(f"{shown(path)}: more than {MAX_POINTS} runs")
    return runs


def save(path: Path, words: Sequence[str]) -> None:
    """Write the runs that words describe as a file.

    Raises:
        SpecError: its name does not end as it must.
        OutputError: it cannot be written, or something else is there.
    """
    if path.suffix not in NAMES:
        raise SpecError(f"save={shown(path)}: a file of runs ends in {' or '.join(NAMES)}")
    texts = parse(words)
    names = texts.pop("plugin")
    settings: Mapping[str, Any] = values_of(registry().get(names[0]).benchmark, texts)
    entry = {"plugin": names[0] if len(names) == 1 else names, **settings}
    try:
        if path.exists():
            raise OutputError(f"{shown(path)} exists already: remove it, or choose another name")
        files.replace(path, yaml.safe_dump({"runs": [entry]}, sort_keys=False, allow_unicode=True))
    except OSError as error:
        raise OutputError(f"{shown(path)}: cannot be written: {error.strerror}") from None
