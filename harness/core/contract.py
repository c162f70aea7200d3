"""What a plugin must be to be loaded: hooks that can be called, and a description that holds together."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Set
from dataclasses import dataclass
from itertools import chain
from typing import Any

import pluggy
from harness_errors import PluginError, did_you_mean

from harness.core import hookspecs
from harness.core.features import reserved
from harness.core.hookspecs import (
    LEVELS,
    PROJECT,
    VIEWS,
    WEAKNESS_LEVELS,
    Benchmark,
    Shortcut,
    Strategy,
    Weakness,
)

CONTRACT = 1
"""The contract between core and plugins that this harness keeps."""

OLDEST = 1
"""The oldest contract whose plugins it still loads."""

STATED = "harness.contract"
"""The group of entry points in which a distribution says the contract of each of its plugins, ``"v1"``."""

_FIRST = 1  # of a plugin that says nothing: it was written before there was anything to say


@dataclass(frozen=True, slots=True)
class Deprecation:
    """A hook, or an argument of one, that goes with a later contract; ``instead`` says what to write."""

    instead: str
    goes: int


DEPRECATED: Mapping[str, Deprecation] = {}
"""By ``"hook"`` or ``"hook.argument"``. An entry stays until the contract that it goes with."""

REQUIRED = ("generate", "solve", "read", "score", "check")
STAGED = ("stage_prompt", "stage_gold", "stage_join")
OPTIONAL = (
    *("adopt", "publish", "audit", "readings", "shortcuts", "shortcut"),
    *("capacity", "explain", "trace", "reread", "prove", "render", "about", "structure"),
    *STAGED,
)

HOOKS = ("describe", *REQUIRED, *OPTIONAL)


def signature(hook: str) -> str:
    """Return a hook as docs/hooks.md has it, ``check(item: Item) -> list[str]``."""
    return f"{hook}{inspect.signature(getattr(hookspecs, hook))}".replace("'", "")


def check_hooks(manager: pluggy.PluginManager, module: Any) -> None:
    """Refuse hooks that cannot be called as hooks are.

    Raises:
        PluginError: the first of them, what is wrong with it and what would be right.
    """
    hash(module)  # pluggy keeps plugins in sets, all of them at once
    for name in dir(module):
        options = manager.parse_hookimpl_opts(module, name)
        if options is None:
            _check_marked(module, name)
            continue
        hook = options["specname"] or name
        if hook not in HOOKS:
            raise PluginError(f"unknown hook '{hook}'; {did_you_mean(hook, HOOKS)}")
        wrapper = bool(options["wrapper"] or options["hookwrapper"])
        for breach in _call_breaches(hook, getattr(module, name), wrapper):
            raise PluginError(breach)


def _check_marked(module: Any, name: str) -> None:
    """Refuse what is marked as a hook and is none: pluggy takes functions alone, and says nothing."""
    attribute = inspect.getattr_static(module, name, None)
    if name in HOOKS and getattr(attribute, f"{PROJECT}_impl", None) is not None:
        raise PluginError(f"{name} is no function ({type(attribute).__name__}): {_right(name)}")


def _call_breaches(hook: str, function: Callable[..., Any], wrapper: bool) -> Iterable[str]:
    if inspect.iscoroutinefunction(function) or inspect.isasyncgenfunction(function):
        yield f"{hook}() is an async function, and nobody awaits it: {_right(hook)}"
    yields = inspect.isgeneratorfunction(function)
    if wrapper and not yields:
        yield f"{hook}() is marked as a wrapper and has no yield: write result = yield, return result"
    if yields and not wrapper:
        yield f"{hook}() yields, and no value comes out of it: {_right(hook)}"
    parameters = inspect.signature(function).parameters
    known = inspect.signature(getattr(hookspecs, hook)).parameters
    for name, parameter in parameters.items():
        fixed = parameter.default is parameter.empty and parameter.kind not in (
            parameter.VAR_POSITIONAL,
            parameter.VAR_KEYWORD,
        )
        if fixed and name not in known:
            yield f"{hook}({', '.join(parameters)}): there is no argument '{name}': {_right(hook)}"
        if fixed and parameter.kind is parameter.KEYWORD_ONLY:
            yield f"{hook}({', '.join(parameters)}): '{name}' cannot be keyword-only: {_right(hook)}"


def _right(hook: str) -> str:
    return f"the hook is {signature(hook)}"


def lacking(module: Any, implemented: Set[str]) -> str | None:
    """Return what to say of the first required hook that a benchmark has not, None if it has all."""
    for hook in REQUIRED:
        if hook not in implemented:
            defined = callable(getattr(module, hook, None))
            mark = f": its function {hook} is not marked with @hookimpl" if defined else ""
            return f"lacks the hook {hook}(){mark}"
    return None


def validated(name: str, benchmark: Any, hooks: Set[str]) -> Benchmark:
    """Return the description if it keeps the contract, else raise `PluginError` with the first breach."""
    if not isinstance(benchmark, Benchmark):
        raise PluginError(f"describe() returned {type(benchmark).__name__}, expected Benchmark")
    if benchmark.name != name:
        raise PluginError(f"entry point '{name}' describes itself as '{benchmark.name}'")
    breaches = (
        _type_breaches(benchmark),
        _breaches(benchmark),
        _view_breaches(benchmark),
        _asking_breaches(benchmark, hooks),
        _data_breaches(benchmark, hooks),
        _shortcut_breaches(benchmark, hooks),
    )
    for breach in chain.from_iterable(breaches):
        raise PluginError(breach)
    return benchmark


_WORDS = ("version", "summary", "headline", "agreement", "pruning", "citation", "licence")
_LISTS = (
    "engines",
    "values",
    "choices",
    "groups",
    "tags",
    "formats",
    "sources",
    "solution_features",
)


def _type_breaches(benchmark: Benchmark) -> Iterable[str]:
    """Yield what is no text, and the one name in brackets whose comma was forgotten."""
    for name in _WORDS:
        if not isinstance(getattr(benchmark, name), str):
            yield f"{name} must be a string"
    for name in _LISTS:
        value = getattr(benchmark, name)
        if not isinstance(value, tuple | list) or not all(
            isinstance(element, str) for element in value
        ):
            yield f"{name} must be a tuple of strings"


def _breaches(benchmark: Benchmark) -> Iterable[str]:
    properties = benchmark.config_schema.get("properties", {})
    if benchmark.config_schema.get("type") != "object":
        yield "config_schema must be a JSON Schema of type object"
    for key, schema in properties.items():
        yield from _key_breaches(key, schema)
    for preset, keys in benchmark.presets.items():
        for key in keys:
            if key not in properties and key not in reserved():
                yield f"preset '{preset}' sets the unknown key '{key}'"
    for name in ("values", "engines", "choices"):
        if not getattr(benchmark, name):
            yield f"names no {name}"
    yield from _metric_breaches(benchmark)


def _key_breaches(key: str, schema: Mapping[str, Any]) -> Iterable[str]:
    if key in reserved():
        yield f"config key '{key}' is reserved for the core; rename it"
    if "default" not in schema:
        yield f"config key '{key}' has no default"
    if "x-names" in schema and schema.get("format") != "path":
        yield f'config key \'{key}\' has x-names, which go with "format": "path" only'


def _metric_breaches(benchmark: Benchmark) -> Iterable[str]:
    metrics = {metric.name for metric in benchmark.metrics}
    if benchmark.headline not in metrics:
        yield f"headline '{benchmark.headline}' is not one of its metrics"
    for feature in set(benchmark.groups) & set(benchmark.tags):
        yield f"'{feature}' is both a group and a tag"
    for reserved_name in sorted(
        {"n", "output_tokens", "above_shortcut"} & {*metrics, *benchmark.values}
    ):
        yield f"'{reserved_name}' is a number of the core's own; call the metric otherwise"
    for metric in benchmark.metrics:
        if metric.compute is None and metric.each is None and metric.name not in benchmark.values:
            yield f"metric '{metric.name}' has neither compute nor each and is no key of values"
        if metric.compute is not None and metric.each is not None:
            yield f"metric '{metric.name}' has both compute and each; leave one out"
    if benchmark.agreement and benchmark.agreement not in benchmark.values:
        yield f"agreement '{benchmark.agreement}' is no key of values"


# A published format is named on the command line, where a comma would end it; a weakness in reports.
_NAME = re.compile(r"[a-z][a-z0-9_]{0,39}")


def _data_breaches(benchmark: Benchmark, hooks: Set[str]) -> Iterable[str]:
    """Yield what is wrong with formats of published datasets and with kinds of weaknesses."""
    formats = benchmark.dataset_formats
    if not isinstance(formats, tuple) or not all(isinstance(entry, str) for entry in formats):
        yield "dataset_formats must be a tuple of names"
        return
    for name in formats:
        if not _NAME.fullmatch(name):
            yield f"dataset_formats: '{name[:40]}' is no name (small letters, digits and _)"
        if formats.count(name) > 1 or name in benchmark.formats:
            yield f"'{name}' is the name of two formats"
    if formats and "adopt" not in hooks:
        yield "names dataset_formats but lacks the hook adopt()"
    if "publish" in hooks and not formats:
        yield "has publish() but names no dataset_formats"
    if "trace" in hooks and "reread" not in hooks:
        yield "has trace() but lacks the hook reread(): nobody would hold its steps against the items"
    yield from _weakness_breaches(benchmark.weaknesses, hooks)


def _shortcut_breaches(benchmark: Benchmark, hooks: Set[str]) -> Iterable[str]:
    """Yield what is wrong with the hooks for shortcuts, their ceiling, and the levels of difficulty."""
    if ("shortcuts" in hooks) != ("shortcut" in hooks):
        has, lacks = (
            ("shortcuts", "shortcut") if "shortcuts" in hooks else ("shortcut", "shortcuts")
        )
        yield f"has {has}() but lacks the hook {lacks}()"
    ceiling = benchmark.shortcut_ceiling
    if ceiling is not None and not (isinstance(ceiling, int | float) and 0 <= ceiling <= 1):
        yield "shortcut_ceiling must be a number from 0 to 1"
    if ceiling is not None and "shortcuts" not in hooks:
        yield "has a shortcut_ceiling but lacks the hook shortcuts()"
    if benchmark.levels and len(benchmark.levels) != LEVELS:
        yield f"levels must be the settings of difficulty=1 to {LEVELS}, not {len(benchmark.levels)} of them"
    for number, keys in enumerate(benchmark.levels, 1):
        for key in set(keys) - set(benchmark.config_schema.get("properties", {})):
            yield f"difficulty={number} sets the unknown key '{key}'"


def shortcut_breach(shortcuts: Any) -> str | None:
    """Return what is wrong with what `shortcuts` returned, to follow "hook() returned", or None."""
    if not isinstance(shortcuts, tuple) or not all(isinstance(s, Shortcut) for s in shortcuts):
        return "what is no tuple of Shortcut"
    names = [shortcut.name for shortcut in shortcuts]
    for shortcut in shortcuts:
        if not _NAME.fullmatch(str(shortcut.name)) or names.count(shortcut.name) > 1:
            return f"a shortcut '{str(shortcut.name)[:40]}': no name (small letters, digits and _), or that of two"
        for text in (shortcut.summary, shortcut.ignores):
            if not isinstance(text, str) or len(text.strip().splitlines()) != 1:
                return f"a shortcut '{shortcut.name}' whose summary or ignores is not one line"
    return None


def _weakness_breaches(weaknesses: Any, hooks: Set[str]) -> Iterable[str]:
    if not isinstance(weaknesses, Mapping) or not all(
        isinstance(weakness, Weakness) for weakness in weaknesses.values()
    ):
        yield "weaknesses must be a mapping from kinds to Weakness(meaning, level)"
        return
    for kind, weakness in weaknesses.items():
        subject = f"weaknesses: '{str(kind)[:40]}'"
        if not isinstance(kind, str) or not _NAME.fullmatch(kind):
            yield f"{subject} is no name (small letters, digits and _)"
        if not isinstance(weakness.meaning, str) or len(weakness.meaning.strip().splitlines()) != 1:
            yield f"{subject} is not explained in one line"
        if weakness.level not in WEAKNESS_LEVELS:
            levels = ", ".join(WEAKNESS_LEVELS)
            yield f"{subject} has the level '{str(weakness.level)[:40]}', expected one of {levels}"
    if ("audit" in hooks) != bool(weaknesses):
        has, lacks = ("audit()", "weaknesses") if "audit" in hooks else ("weaknesses", "audit()")
        yield f"has {has} but no {lacks}"


def _view_breaches(benchmark: Benchmark) -> Iterable[str]:
    """Yield what is wrong with the views of a report."""
    known = {metric.name for metric in benchmark.metrics} | set(benchmark.values)
    names = [view.name for view in benchmark.views]
    for view in benchmark.views:
        subject = f"view '{str(view.name)[:40]}'"
        if not _NAME.fullmatch(view.name) or names.count(view.name) > 1:
            yield f"{subject}: no name (small letters, digits and _), or that of two views"
        if view.kind not in VIEWS:
            yield f"{subject}: no kind '{str(view.kind)[:40]}'; {did_you_mean(view.kind, VIEWS)}"
        if not view.metrics:
            yield f"{subject} names no metrics"
        for metric in view.metrics:
            if metric not in known:
                yield f"{subject}: no metric '{str(metric)[:40]}'; {did_you_mean(metric, known)}"
        if view.kind in ("split", "pairs", "scatter", "forest") and not view.features:
            yield f"{subject} is a {view.kind} and names no features"
        if view.kind == "forest" and len(view.metrics) > 1:
            yield f"{subject} is a forest and predicts one metric, not {len(view.metrics)}"


_STAGE = re.compile(r"[A-Za-z][\w-]*")


def _asking_breaches(benchmark: Benchmark, hooks: Set[str]) -> Iterable[str]:
    """Yield what is wrong with strategies in stages and with pruning, given the hooks there are."""
    for plan in benchmark.strategies:
        if plan.stages:
            yield from _stage_breaches(plan, hooks)
    if benchmark.pruning and "{text}" not in benchmark.pruning:
        yield "pruning lacks {text}, the place of the text that is asked about"
    if benchmark.pruning and ("text" not in benchmark.formats or "render" not in hooks):
        yield "pruning asks about an item's text, but render() has no format 'text'"


def _stage_breaches(plan: Strategy, hooks: Set[str]) -> Iterable[str]:
    subject = f"strategy '{plan.name}' has stages"
    for hook in STAGED:
        if hook not in hooks:
            yield f"{subject} but the plugin lacks the hook {hook}()"
    if plan.suffix or plan.examples or plan.rationale or plan.steps:
        yield f"{subject}; suffix, examples, rationale and steps do not combine with them"
    for stage in plan.stages:
        # They are written on the command line, in a list.
        if not _STAGE.fullmatch(stage):
            yield f"{subject}, but '{stage}' cannot be the name of one"
    if len(set(plan.stages)) < len(plan.stages):
        yield f"{subject}, two of one name"


# ------------------------------------------------------------------------------- versions of the contract


def refusal(stated: str | None, distribution: str) -> str | None:
    """Return why a plugin that states this contract cannot be loaded, None where it can.

    Args:
        stated: the value of its entry point in the group `STATED`; None where it has none.
        distribution: what there is to update.
    """
    match = re.fullmatch(r"v([0-9]{1,4})", stated) if stated is not None else None
    if stated is not None and match is None:
        return (
            f"states its contract as '{stated[:80]}'; expected v and a number, as in 'v{CONTRACT}'"
        )
    number = int(match[1]) if match else _FIRST
    reason = f"was written for contract {number}" if match else "states no contract, which means 1"
    if number > CONTRACT:
        return f"{reason}, newer than contract {CONTRACT} of this harness: update temporal-harness"
    if number < OLDEST:
        kept = f"{OLDEST} to {CONTRACT}" if OLDEST < CONTRACT else f"{CONTRACT}"
        return f"{reason}, older than this harness still keeps ({kept}): update {distribution}"
    return None


def astray(stated: Iterable[str], plugins: Collection[str]) -> str | None:
    """Return what to say of a contract stated for a plugin that the distribution does not have, if there is one."""
    for name in sorted(set(stated) - set(plugins)):
        return f"its distribution states a contract for '{name}'; {did_you_mean(name, plugins)}"
    return None


def warnings(plugin: str, hooks: Mapping[str, Set[str]]) -> Iterator[str]:
    """Yield a line for each deprecated hook or argument that a plugin has.

    Args:
        plugin: its name.
        hooks: the names of its hooks, each with the arguments that it takes.
    """
    for what, deprecation in DEPRECATED.items():
        hook, _, argument = what.partition(".")
        if hook in hooks and (not argument or argument in hooks[hook]):
            subject = f"the argument '{argument}' of {hook}()" if argument else f"the hook {hook}()"
            yield (
                f"plugin '{plugin}': {subject} is deprecated and goes with contract {deprecation.goes}: "
                f"{deprecation.instead}"
            )
