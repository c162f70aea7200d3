"""Conformance checks of the items: what the plugin declares, makes, writes, and reads back."""

from __future__ import annotations

import json
import math
import os
import re
import subprocess
import sys
from collections import Counter, defaultdict
from importlib import import_module
from random import Random
from typing import Any

from harness_errors import SpecError

from harness.core import fresh
from harness.core.features import settings
from harness.core.items import Item, canonical_json, digest
from harness.core.plugins import Plugin, load, one_line
from harness.core.schemas import schema_errors
from harness.core.spec import make
from harness.core.words import combined
from harness.datasets import manifests
from harness.kit.kit import HUGE, JUNK, PATIENCE, Failure, Kit, failing, replace_options, short

_RARE = 1e-5  # chance of a finding where there is nothing


def describe(kit: Kit) -> str:
    """Schemas are JSON Schemas, defaults and presets fit them, and there are two engines or more."""
    from jsonschema import Draft202012Validator

    benchmark = kit.plugin.benchmark
    for name in ("config_schema", "problem_schema", "answer_schema"):
        try:
            Draft202012Validator.check_schema(getattr(benchmark, name))
        except Exception as error:
            raise Failure(f"{name} is not a JSON Schema: {one_line(error)}") from error
    if len(set(benchmark.engines)) < 2:
        raise Failure("names fewer than two engines, so no label can be confirmed")
    for preset in benchmark.presets:
        try:
            for point in combined(benchmark, preset, {}, frozenset(settings())):
                make(kit.plugin, point)
        except SpecError as error:
            raise Failure(f"preset '{preset}': {error}") from error
    return f"{len(benchmark.presets)} presets, engines {', '.join(benchmark.engines)}"


def schema(kit: Kit) -> str:
    """Problems fit problem_schema, targets fit answer_schema, and every item has the features of groups."""
    benchmark = kit.plugin.benchmark
    for item in kit.items:
        for message in schema_errors(benchmark.problem_schema, item.problem):
            raise Failure(f"problem.{message}", item, item.problem)
        for message in schema_errors(benchmark.answer_schema, item.target):
            raise Failure(f"target {message}", item, item.target)
        for group in benchmark.groups:
            if group not in item.features:
                wrong = f"lacks the feature '{group}' that results are split by"
                raise Failure(wrong, item, dict(item.features))
    return f"{len(kit.items)} items"


def roundtrip(kit: Kit) -> str:
    """Items come back from JSON unchanged."""
    for item in kit.items:
        data = item.to_dict()
        back = json.loads(canonical_json(data))
        for name, value in data.items():
            if back[name] != value:
                raise Failure(f"{name} comes back different from JSON", item)
        with failing(item):
            Item.from_dict(data)
    return f"{len(kit.items)} items"


def order(kit: Kit) -> str:
    """Item i is the same whichever items were made before it."""
    indices = list(range(len(kit.items)))
    Random(1).shuffle(indices)
    for index in indices[:20]:
        item = kit.items[index]
        with failing(item):
            again = fresh.item_at(kit.plugin, kit.spec, index).to_dict()
        for name, value in item.to_dict().items():
            if again[name] != value:
                wrong = f"{name} differs when items are generated in another order"
                raise Failure(wrong, item, again[name])
    return f"{len(indices[:20])} items"


_CHILD = """
import json, sys
from harness.kit.checks_items import about_digest, fingerprints
words = json.loads(sys.argv[1])
print(json.dumps([fingerprints(*words), about_digest(*words)]))
"""


def fingerprints(name: str, source: str, config: dict[str, Any], seed: int, n: int) -> list[str]:
    """Return a digest per item, made in this process from the plugin's module (for `processes`)."""
    plugin = _loaded(name, source)
    spec = make(plugin, {**config, "n": n, "seed": seed, "unique": False})
    return [digest(item.to_dict()) for item in fresh.items(plugin, spec)]


def about_digest(name: str, source: str, config: dict[str, Any], seed: int, n: int) -> str:
    """Return a digest of what is said of those items, once they are made (for `processes`)."""
    plugin = _loaded(name, source)
    return digest(manifests.about(plugin, make(plugin, {**config, "n": n, "seed": seed})))


def _loaded(name: str, source: str) -> Plugin:
    """Return a plugin loaded from its module alone."""
    return load([(name, lambda: import_module(source), "", source)]).get(name)


def processes(kit: Kit) -> str:
    """Items and what about() says of them are the same in other processes under any PYTHONHASHSEED."""
    n = min(len(kit.items), 20)
    expected = [digest(item.to_dict()) for item in kit.items[:n]]
    words = [kit.plugin.benchmark.name, kit.plugin.source, dict(kit.spec.config), kit.spec.seed, n]
    abouts, path = set(), os.pathsep.join(filter(None, sys.path))
    for hashseed in ("1", "4242"):
        environment = {**os.environ, "PYTHONHASHSEED": hashseed, "PYTHONPATH": path}
        try:
            done = subprocess.run(  # noqa: S603 (our own interpreter on our own code)
                [sys.executable, "-P", "-c", _CHILD, json.dumps(words)],
                env=environment, capture_output=True, text=True, timeout=PATIENCE, check=False,
            )  # fmt: skip
        except subprocess.TimeoutExpired as error:
            raise Failure(f"another process makes no {n} items in {PATIENCE:g} s") from error
        if done.returncode:
            last = (done.stderr.strip().splitlines() or [f"exit code {done.returncode}"])[-1]
            raise Failure(f"generation failed in another process: {last}")
        try:
            # What a module prints at its import goes there, too: ours is the last line.
            repeated, about_them = json.loads(done.stdout.splitlines()[-1])
        except (IndexError, ValueError) as error:
            raise Failure("another process ends before the items are made") from error
        abouts.add(about_them)
        for index, (ours, theirs) in enumerate(zip(expected, repeated, strict=True)):
            if ours != theirs:
                wrong = f"differs in another process under PYTHONHASHSEED={hashseed}"
                raise Failure(wrong, kit.items[index])
    if len(abouts) > 1:
        raise Failure("what about() says differs in another process under PYTHONHASHSEED=4242")
    return f"{n} items, 2 other processes"


def about(kit: Kit) -> str:
    """about() returns a JSON object or None, its warnings are strings, and it says the same again."""
    if not kit.plugin.has("about"):
        return "nothing is said of datasets"
    first = manifests.about(kit.plugin, kit.spec)
    if manifests.about(kit.plugin, kit.spec) != first:
        raise Failure("about() says something else when it is asked again")
    return f"{len(first or ())} facts, {len((first or {}).get('warnings', ()))} warnings"


def seeds(kit: Kit) -> str:
    """Other seeds and splits share no more problems than collision_rate declares, or chance brings.

    Where it can count them (`capacity`), as many may be shared as chance brings, if that is more.
    """
    seed, n = kit.spec.seed, len(kit.items)
    rates = {}
    known = {item.problem_id for item in kit.items}
    others: dict[str, tuple[dict[str, Any], int]] = {
        f"seed {seed + 1}": ({"seed": seed + 1}, 0),
        "split train": ({"split": "train"}, 0),
        "shifted by one": ({"seed": seed + 1}, 1),
    }
    for name, (change, shift) in others.items():
        spec = replace_options(kit.spec, unique=False, n=n, **change)
        ids = [fresh.item_at(kit.plugin, spec, index + shift).problem_id for index in range(n)]
        rates[name] = sum(problem in known for problem in ids) / n
    allowed, whence = kit.plugin.benchmark.collision_rate, "declared"
    chance = _by_chance(kit, n)
    if chance > allowed:
        allowed, whence = chance, "by chance at most"
    for name, rate in rates.items():
        if rate > allowed:
            raise Failure(
                f"{rate:.1%} of the problems come again with {name}; {whence} are {allowed:.1%}"
            )
    shares = ", ".join(f"{name}: {rate:.1%}" for name, rate in rates.items())
    return f"{shares} ({whence} {allowed:.1%})"


def _by_chance(kit: Kit, n: int) -> float:
    """Return the share of n problems that another n has in common at most, but for one case in 100,000.

    Each is one of the others' with the same probability; a normal distribution would be too narrow for few.
    """
    count: int | None = kit.plugin.call("capacity", config=dict(kit.spec.config))
    if not count:
        return 0.0
    share = min(1.0, n / count)
    most, more = -1, 1.0  # more: how probable it is that more than these are shared
    while more > _RARE and most < n:
        most += 1
        more -= math.comb(n, most) * share**most * (1 - share) ** (n - most)
    return most / n


def leak(kit: Kit) -> str:
    """The prompt neither scores as an answer, nor contains the target, nor tells it by the choices it names."""
    choices = kit.choices
    mentions: dict[tuple[int, ...], list[str]] = defaultdict(list)
    for item in kit.items:
        if kit.full(item, item.prompt):
            wrong = "the prompt given back as the answer scores full marks"
            raise Failure(wrong, item, item.prompt)
        if item.target in choices:
            mentions[tuple(item.prompt.count(choice) for choice in choices)].append(item.target)
    _check_targets([item for item in kit.items if item.target not in choices])
    advantage = _advantage(list(mentions.values()))
    if advantage:
        raise Failure(f"how often a prompt names each choice tells which one is right: {advantage}")
    return f"{len(kit.items)} prompts"


def _check_targets(items: list[Item]) -> None:
    """Refuse prompts that contain their own targets, word by word, more often than other items' targets.

    A small number stands in many a prompt by chance: the target 4 beside "day 4", though never in "day 47".
    """
    pairs = [(_tokens(item.prompt), _tokens(item.target)) for item in items]
    leaks = [item for item, (prompt, own) in zip(items, pairs, strict=True) if own in prompt]
    others = [other in prompt for prompt, own in pairs for _, other in pairs if other != own]
    n, chance = len(items), sum(others) / max(1, len(others))
    if leaks and len(leaks) - n * chance > 4 * (n * chance * (1 - chance)) ** 0.5:
        rate = f"{len(leaks)} of {n} prompts do, and {chance:.0%} contain another's"
        wrong = f"the prompt contains the target {short(leaks[0].target)}: {rate}"
        raise Failure(wrong, leaks[0], leaks[0].prompt)


def _tokens(text: str) -> str:
    """Return a text as words and signs with a blank around each."""
    parts = re.findall(r"[^\W_]+|\S", text)
    return f" {' '.join(parts)} "


def _advantage(parts: list[list[str]]) -> str:
    """Say how much better targets are guessed from the part they are in; empty when by chance.

    Each is guessed to be the most frequent among the others of its part; without the parts
    one would always say what is most frequent in all.
    """
    n = sum(map(len, parts))
    blind = max(Counter(target for part in parts for target in part).values(), default=0)
    seeing = sum(map(_guessed, parts))
    if seeing - blind <= 4 * (blind * (n - blind) / max(n, 1)) ** 0.5:
        return ""
    return f"{seeing:.0f} of {n} guessed so, {blind} without"


def _guessed(targets: list[str]) -> float:
    hits = 0.0
    for target in targets:
        others = Counter(targets)
        others[target] -= 1
        best = max(others.values())
        if 0 < best == others[target]:
            hits += 1 / sum(count == best for count in others.values())
    return hits


def read(kit: Kit) -> str:
    """read() turns every prompt back into exactly its problem, and returns None for any other text."""
    for item in kit.items:
        with failing(item, item.prompt):
            problem = kit.plugin.call("read", prompt=item.prompt)
        if problem is None:
            wrong = f"read() does not recognise the prompt {short(item.prompt)}"
            raise Failure(wrong, item, item.prompt)
        if canonical_json(problem) != canonical_json(item.problem):
            wrong = "read() returns another problem than the prompt was made from"
            raise Failure(f"{wrong}: {_difference(item.problem, problem)}", item, item.prompt)
    for text in (*JUNK, "What is the capital of France?", HUGE[0]):
        with failing(None, text):
            problem = kit.plugin.call("read", prompt=text)
        if problem is not None:
            raise Failure(f"read() takes {short(text)} for a prompt of its own", hook_input=text)
    return f"{len(kit.items)} prompts"


def _difference(original: Any, other: Any) -> str:
    """Say in which part two problems differ, and how."""
    if isinstance(original, dict) and isinstance(other, dict):
        for key in sorted({*original, *other}):
            ours, theirs = original.get(key), other.get(key)
            if ours != theirs:
                return f"'{key}' is {short(str(theirs))}, it was {short(str(ours))}"
    return f"it is {short(str(other))}, it was {short(str(original))}"
