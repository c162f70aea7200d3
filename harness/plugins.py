"""Find plugins, load each on its own, name every failure, and call one benchmark's hooks."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Callable, Iterable, Mapping, Set
from contextlib import redirect_stdout, suppress
from dataclasses import dataclass, field
from functools import cache
from importlib import metadata
from itertools import chain
from types import SimpleNamespace
from typing import Any, cast

import pluggy

from harness import hookspecs
from harness.errors import HarnessError, PluginError, did_you_mean
from harness.hookspecs import PROJECT, VIEWS, Benchmark, Strategy

GROUP = "harness"
REQUIRED = ("generate", "solve", "read", "score", "check")
STAGED = ("stage_prompt", "stage_gold", "stage_join")
OPTIONAL = (
    *("adopt", "publish", "audit", "readings"),
    *("capacity", "explain", "render", "about", "structure"),
    *STAGED,
)

# Keys of the command line that belong to the core: a plugin whose configuration would
# shadow one is refused, because `n=5` must mean the same for every benchmark.
RESERVED = frozenset(
    (
        *("plugin", "n", "seed", "split", "unique", "preset", "strategy", "shots", "samples"),
        *("convention", "model", "model_args", "dataset", "out", "format", "index", "log_dir"),
        *("temperature", "max_tokens", "top_p", "logprobs", "timeout", "max_retries", "limit"),
        *(
            "tools",
            "sandbox",
            "context",
            "max_connections",
            "retry",
            "engine",
            "workers",
            "address",
            "shards",
            "responses",
            "response",
            "id",
            "to",
            "report",
            "gold",
            "prune_model",
            "structured",
            *("item", "items", "metrics", "pilot", "d", "power", "alpha", "bundle"),
        ),
    )
)


@dataclass(frozen=True, slots=True)
class Plugin:
    """One loaded benchmark: what it says of itself and its hooks, wrappers included."""

    benchmark: Benchmark
    hooks: SimpleNamespace
    source: str = ""
    distribution: str = ""
    wrappers: Mapping[str, str] = field(default_factory=dict)  # active around every hook: versions

    def call(self, hook: str, **arguments: Any) -> Any:
        """Call a hook and turn whatever it raises, other than our own errors, into a `PluginError`."""
        try:
            return getattr(self.hooks, hook)(**arguments)
        except HarnessError:
            raise
        except Exception as error:
            raise PluginError(
                f"plugin '{self.benchmark.name}': {hook}() failed: {one_line(error)}"
            ) from error

    def call_json(self, hook: str, **arguments: Any) -> dict[str, Any] | None:
        """Call a hook that returns a JSON object or None; whatever else it returns is a `PluginError`."""
        found = self.call(hook, **arguments)
        if found is None:
            return None
        own = f"plugin '{self.benchmark.name}': {hook}() returned"
        if not isinstance(found, dict):
            raise PluginError(f"{own} {type(found).__name__}, expected a dict or None")
        try:
            # Keys stay in their order: that of a schema is the order in which a model writes.
            text = json.dumps(found, ensure_ascii=False, allow_nan=False)
            text.encode()  # half a surrogate pair is no text, and cannot be written
        except (TypeError, ValueError, RecursionError) as error:
            raise PluginError(f"{own} what is not JSON: {one_line(error)}") from error
        return cast(dict[str, Any], json.loads(text))

    def has(self, hook: str) -> bool:
        """Return whether the benchmark itself, and not only a wrapper around it, has an optional hook."""
        implementations = getattr(self.hooks, hook).get_hookimpls()
        return any(not (one.wrapper or one.hookwrapper) for one in implementations)


@dataclass(slots=True)
class Registry:
    """All plugins of this environment: benchmarks, wrappers, and the ones that failed, with reasons."""

    benchmarks: dict[str, Plugin] = field(default_factory=dict)
    wrappers: dict[str, str] = field(default_factory=dict)
    failures: dict[str, str] = field(default_factory=dict)

    def get(self, name: str) -> Plugin:
        """Return a benchmark by name.

        Raises:
            PluginError: it failed to load (with its reason), or is unknown (with a suggestion).
        """
        if name in self.benchmarks:
            return self.benchmarks[name]
        if name in self.failures:
            raise PluginError(f"plugin '{name}' could not be loaded: {self.failures[name]}")
        raise PluginError(f"no plugin '{name}'; {did_you_mean(name, self.benchmarks)}")


def one_line(error: BaseException) -> str:
    """Return an exception as one short line: class and the first line of its message."""
    text = (str(error).strip().splitlines() or [""])[0][:300]
    return f"{type(error).__name__}: {text}" if text else type(error).__name__


@cache
def registry() -> Registry:
    """Return the plugins installed in this environment, loaded once."""
    points = sorted(_points(), key=lambda p: (p.name, p.value))
    # Not p.module: where the value is malformed it raises here, outside the plugin's own try.
    modules = [p.value.partition(":")[0].partition("[")[0].strip() for p in points]
    return load(
        (p.name, p.load, p.dist.name if p.dist else "", module)
        for p, module in zip(points, modules, strict=True)
    )


def _points() -> list[metadata.EntryPoint]:
    """Return all entry points of our group; a package whose metadata cannot be read has none."""
    try:
        return list(metadata.entry_points(group=GROUP))
    except (ValueError, OSError):
        points: dict[tuple[str, str], metadata.EntryPoint] = {}
        for distribution in metadata.distributions():
            with suppress(ValueError, OSError):
                own = distribution.entry_points.select(group=GROUP)
                points.update({(point.name, point.value): point for point in own})
        return list(points.values())


def load(sources: Iterable[tuple[str, Callable[[], Any], str, str]]) -> Registry:
    """Build a registry from (name, loader, distribution, module); a failure never stops the others.

    Pluggy's own entry-point loading stops at the first broken import and leaves nothing
    registered, so each plugin is imported, registered and validated by itself.
    """
    manager = pluggy.PluginManager(PROJECT)
    manager.add_hookspecs(hookspecs)
    found = Registry()
    described: dict[str, tuple[Any, Benchmark, str, str]] = {}
    for name, loader, distribution, source in sources:
        try:
            if name in described or name in found.wrappers:
                raise PluginError(f"two installed plugins are called '{name}'")
            with redirect_stdout(sys.stderr):  # ours is for results alone
                module = loader()
            benchmark = _register(manager, name, module)
        # A plugin is foreign code: SystemExit at import must not end the harness either.
        except (Exception, SystemExit) as error:
            reason = str(error) if isinstance(error, HarnessError) else one_line(error)
            found.failures[name] = reason
            continue
        if benchmark is None:
            found.wrappers[name] = _version(distribution)
        else:
            described[name] = (module, benchmark, source, distribution)
    modules = {name: module for name, (module, *_) in described.items()}
    for name, (_, benchmark, source, distribution) in described.items():
        others = [module for other, module in modules.items() if other != name]
        found.benchmarks[name] = Plugin(
            benchmark, _hooks(manager, others), source, distribution, found.wrappers
        )
    return found


def _version(distribution: str) -> str:
    try:
        return metadata.version(distribution)
    except (metadata.PackageNotFoundError, ValueError):
        return "unknown"


def _hooks(manager: pluggy.PluginManager, others: list[Any]) -> SimpleNamespace:
    names = ("describe", *REQUIRED, *OPTIONAL)
    return SimpleNamespace(
        **{n: manager.subset_hook_caller(n, remove_plugins=others) for n in names}
    )


def _register(manager: pluggy.PluginManager, name: str, module: Any) -> Benchmark | None:
    """Register one module; return its description, or None for a wrapper. On any error nothing stays."""
    manager.register(module, name=name)
    try:
        own = manager.get_hookcallers(module) or []
        typos = [caller.name for caller in own if not caller.has_spec()]
        if typos:
            known = ("describe", *REQUIRED, *OPTIONAL)
            raise PluginError(f"unknown hook '{typos[0]}'; {did_you_mean(typos[0], known)}")
        implemented = {caller.name for caller in own if _non_wrapper(caller, name)}
        if "describe" not in implemented:
            if implemented:
                raise PluginError(f"has {sorted(implemented)[0]}() but no describe()")
            if not own:
                raise PluginError("implements no hook")
            return None
        missing = [hook for hook in REQUIRED if hook not in implemented]
        if missing:
            raise PluginError(f"lacks the hook {missing[0]}()")
        return _validated(name, cast(Callable[[], Any], module.describe)(), implemented)
    except BaseException:
        manager.unregister(module)
        raise


def _non_wrapper(caller: pluggy.HookCaller, name: str) -> bool:
    return any(
        impl.plugin_name == name and not (impl.wrapper or impl.hookwrapper)
        for impl in caller.get_hookimpls()
    )


def _validated(name: str, benchmark: Any, hooks: Set[str]) -> Benchmark:
    """Return the description if it keeps the contract, else raise `PluginError` with the first breach."""
    if not isinstance(benchmark, Benchmark):
        raise PluginError(f"describe() returned {type(benchmark).__name__}, expected Benchmark")
    if benchmark.name != name:
        raise PluginError(f"entry point '{name}' describes itself as '{benchmark.name}'")
    breaches = (
        _breaches(benchmark),
        _view_breaches(benchmark),
        _asking_breaches(benchmark, hooks),
        _data_breaches(benchmark, hooks),
    )
    for breach in chain.from_iterable(breaches):
        raise PluginError(breach)
    return benchmark


def _breaches(benchmark: Benchmark) -> Iterable[str]:
    properties = benchmark.config_schema.get("properties", {})
    if benchmark.config_schema.get("type") != "object":
        yield "config_schema must be a JSON Schema of type object"
    for key, schema in properties.items():
        yield from _key_breaches(key, schema)
    for preset, keys in benchmark.presets.items():
        for key in keys:
            if key not in properties and key not in RESERVED:
                yield f"preset '{preset}' sets the unknown key '{key}'"
    for name in ("values", "engines", "choices"):
        if not getattr(benchmark, name):
            yield f"names no {name}"
    yield from _metric_breaches(benchmark)


def _key_breaches(key: str, schema: Mapping[str, Any]) -> Iterable[str]:
    if key in RESERVED:
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
    for own in sorted({"n", "output_tokens"} & {*metrics, *benchmark.values}):
        yield f"'{own}' is a number of the core's own; call the metric otherwise"
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
    if not isinstance(formats, tuple) or not all(isinstance(one, str) for one in formats):
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
    yield from _weakness_breaches(benchmark.weaknesses, hooks)


def _weakness_breaches(weaknesses: Any, hooks: Set[str]) -> Iterable[str]:
    if not isinstance(weaknesses, Mapping):
        yield "weaknesses must be a mapping from kinds to what they mean"
        return
    for kind, meaning in weaknesses.items():
        if not isinstance(kind, str) or not _NAME.fullmatch(kind):
            yield f"weaknesses: '{str(kind)[:40]}' is no name (small letters, digits and _)"
        if not isinstance(meaning, str) or not meaning.strip() or len(meaning.splitlines()) > 1:
            yield f"weaknesses: '{str(kind)[:40]}' is not explained in one line"
    if ("audit" in hooks) != bool(weaknesses):
        has, lacks = ("audit()", "weaknesses") if "audit" in hooks else ("weaknesses", "audit()")
        yield f"has {has} but no {lacks}"


def _view_breaches(benchmark: Benchmark) -> Iterable[str]:
    """Yield what is wrong with the views of a report."""
    known = {metric.name for metric in benchmark.metrics} | set(benchmark.values)
    names = [view.name for view in benchmark.views]
    for view in benchmark.views:
        own = f"view '{str(view.name)[:40]}'"
        if not _NAME.fullmatch(view.name) or names.count(view.name) > 1:
            yield f"{own}: no name (small letters, digits and _), or that of two views"
        if view.kind not in VIEWS:
            yield f"{own}: no kind '{str(view.kind)[:40]}'; {did_you_mean(view.kind, VIEWS)}"
        if not view.metrics:
            yield f"{own} names no metrics"
        for metric in view.metrics:
            if metric not in known:
                yield f"{own}: no metric '{str(metric)[:40]}'; {did_you_mean(metric, known)}"
        if view.kind in ("split", "pairs", "scatter", "forest") and not view.features:
            yield f"{own} is a {view.kind} and names no features"
        if view.kind == "forest" and len(view.metrics) > 1:
            yield f"{own} is a forest and predicts one metric, not {len(view.metrics)}"


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
    own = f"strategy '{plan.name}' has stages"
    for hook in STAGED:
        if hook not in hooks:
            yield f"{own} but the plugin lacks the hook {hook}()"
    if plan.suffix or plan.examples or plan.rationale or plan.steps:
        yield f"{own}; suffix, examples, rationale and steps do not combine with them"
    for stage in plan.stages:
        # They are written on the command line, in a list.
        if not _STAGE.fullmatch(stage):
            yield f"{own}, but '{stage}' cannot be the name of one"
    if len(set(plan.stages)) < len(plan.stages):
        yield f"{own}, two of one name"
