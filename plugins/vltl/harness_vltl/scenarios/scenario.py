"""Scenarios: the built-in ones and a user's, what they say to a model, and propositions drawn from them."""

from __future__ import annotations

import math
import os
import random
from collections.abc import Set
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path

from harness_vltl.scenarios import reader, yaml_tree
from harness_vltl.scenarios.model import Action, Form, Phrase, Scenario, ScenarioError, Type

NAMES = ("warehouse", "traffic_light", "search_and_rescue")
# The variable that names users' files by absolute path, one a line, the last one loaded last.
FILES = "HARNESS_VLTL_SCENARIO"

# What the name of a scenario ends with that has the names of published labels, too.
OF_RECORDS = " of VLTL-Bench"
# These names by type, each with our own value that it replaces, if there is one.
_OF_LABELS: dict[str, dict[str, dict[str, str]]] = {
    "warehouse": {"item": {"tv_monitor": "tv"}},
    "traffic_light": {"target": dict.fromkeys(("vehicle", "person", "jaywalker"), "")},
    "search_and_rescue": {
        "target": dict.fromkeys(("injured_person", "safe_person", "unsafe_person"), "")
    },
}

_COMPACT = 12  # a combined type with more values is described by its parts
_loaded: dict[str, Scenario] = {}


def load(name_or_path: str) -> Scenario:
    """Return a scenario by its built-in name or its file; a file that changed is read anew.

    A user's file is remembered in the environment, so that workers know the scenario by its name as well.

    Raises:
        ScenarioError: neither a name nor a file, or a file that is no scenario: its first fault, with the line.
    """
    if name_or_path in NAMES:
        return _builtin(name_or_path)
    if not Path(name_or_path).suffix and not os.path.lexists(name_or_path):
        what = f"no scenario {yaml_tree.quoted(name_or_path)}"
        raise ScenarioError(f"{what}; write one of {', '.join(NAMES)}, or the path of a YAML file")
    scenario = _user(yaml_tree.read(name_or_path), name_or_path)
    _loaded[scenario.name] = scenario
    path = os.path.abspath(name_or_path)  # noqa: PTH100 (a worker may have another directory)
    os.environ[FILES] = "\n".join([*(named for named in _named() if named != path), path])
    return scenario


def known(name: str) -> Scenario | None:
    """Return the built-in scenario, or the last one loaded of that name, here or by a parent process."""
    if name.removesuffix(OF_RECORDS) in NAMES:
        return _builtin(name)
    if name not in _loaded:
        for path in reversed(_named()):
            with suppress(ScenarioError):
                scenario = _user(yaml_tree.read(path), path)
                _loaded.setdefault(scenario.name, scenario)
    return _loaded.get(name)


def of_record(name: str, values: Set[str]) -> str:
    """Return the name of the scenario to ask a published record with, from its built-in one and its values."""
    labels = {label for labels in _OF_LABELS[name].values() for label in labels}
    return name if values.isdisjoint(labels) else name + OF_RECORDS


def _named() -> list[str]:
    return [path for path in os.environ.get(FILES, "").split("\n") if path]


@lru_cache(maxsize=8)
def _builtin(name: str) -> Scenario:
    bare = name.removesuffix(OF_RECORDS)
    path = Path(__file__).parent / f"{bare}.yaml"
    scenario = reader.parse(yaml_tree.read(path), path.name)
    types = dict(scenario.types)
    for kind, labels in _OF_LABELS[bare].items() if bare != name else ():
        values = dict(types[kind].values)
        for label, ours in labels.items():
            values[label] = values.pop(ours, (label.replace("_", " "),))
        types[kind] = replace(types[kind], values=values)
    return replace(scenario, types=types)


@lru_cache(maxsize=32)
def _user(data: bytes, file: str) -> Scenario:
    return reader.parse(data, file, NAMES)


@dataclass(frozen=True, slots=True)
class Choice:
    """A proposition and the words chosen for it: surface forms (without article) by argument."""

    action: str
    arguments: tuple[str, ...]
    phrase: Phrase
    surfaces: tuple[str, ...]

    @property
    def canonical(self) -> str:
        """The proposition: `deliver(bench,loading_dock)`, or `idle` without arguments."""
        return canonical(self.action, self.arguments)

    def words(self, form: Form) -> str:
        """Return the verb phrase: "drop off …" (base), "dropping off …" (ing), "drops off …" (s)."""
        text: str = getattr(self.phrase, form)
        return text.format(*self.surfaces)


def canonical(action: str, arguments: tuple[str, ...]) -> str:
    """Return the proposition of an action and its canonical arguments."""
    return f"{action}({','.join(arguments)})" if arguments else action


def draw(scenario: Scenario, rng: random.Random) -> Choice:
    """Return a proposition by chance: the action, then arguments, phrase and surface forms, each uniformly."""
    chance = rng.random
    table = _table(scenario)
    name, kinds, phrases = table[int(chance() * len(table))]
    phrase = phrases[int(chance() * len(phrases))]
    arguments = []
    surfaces = []
    for values in kinds:
        argument, forms = values[int(chance() * len(values))]
        arguments.append(argument)
        surfaces.append(forms[int(chance() * len(forms))])
    return Choice(name, tuple(arguments), phrase, tuple(surfaces))


_Values = tuple[tuple[str, tuple[str, ...]], ...]


@lru_cache(maxsize=32)
def _table(scenario: Scenario) -> list[tuple[str, tuple[_Values, ...], tuple[Phrase, ...]]]:
    values = {name: tuple(kind.values.items()) for name, kind in scenario.types.items()}
    return [
        (action.name, tuple(values[name] for name in action.arguments), action.phrases)
        for action in scenario.actions.values()
    ]


def capacity(scenario: Scenario) -> int:
    """Return the number of distinct propositions."""
    return sum(
        math.prod(len(scenario.types[name].values) for name in action.arguments)
        for action in scenario.actions.values()
    )


@lru_cache(maxsize=64)
def describe(scenario: Scenario, full: bool) -> str:
    """Return what a model has to know to write every canonical proposition; ``full``: with all words for them."""
    lines = [f"Agents: {', '.join(f'the {agent}' for agent in scenario.agents)}.", "Actions:"]
    lines += (_action(action, full) for action in scenario.actions.values())
    used = {name for action in scenario.actions.values() for name in action.arguments}
    for name, kind in scenario.types.items():
        if name in used:
            lines += _type(name, kind, full)
    return "\n".join(lines)


def _action(action: Action, full: bool) -> str:
    line = f"- {canonical(action.name, action.slots)}"
    extra = [
        f"{slot} is another {argument}"
        for slot, argument in zip(action.slots, action.arguments, strict=True)
        if slot != argument
    ]
    if extra:
        line += f" ({', '.join(extra)})"
    if full:
        slots = [f"{{{slot}}}" for slot in action.slots]
        line += ": " + "; ".join(phrase.base.format(*slots) for phrase in action.phrases)
    return line


def _type(name: str, kind: Type, full: bool) -> list[str]:
    if kind.combine and len(kind.values) > _COMPACT:
        return [_combined(name, kind, full)]
    if not full:
        return [f"Values of {name}: {', '.join(kind.values)}"]
    values = (f"- {value}: {', '.join(forms)}" for value, forms in kind.values.items())
    return [f"Values of {name}:", *values]


def _combined(name: str, kind: Type, full: bool) -> str:
    parts = []
    for words in kind.combine:
        names = [reader.canonical_part(word) for word in words]
        parts.append(
            ", ".join(
                f'{short} ("{word}")' if full and short != word else short
                for short, word in zip(names, words, strict=True)
            )
        )
    example = next(iter(kind.values))
    how = f"one word of each list, joined by _, as in {example}"
    if full:
        how += f' for "{kind.values[example][0]}"'
    return f"Values of {name}: {how}: " + "; ".join(f"({part})" for part in parts)
