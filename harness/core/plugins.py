"""Find plugins, load each on its own, name every failure, and call one benchmark's hooks."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib import metadata
from types import SimpleNamespace
from typing import Any, NoReturn, cast

import pluggy
from harness_errors import HarnessError, PluginError, did_you_mean

from harness.core import contract, hookspecs, limits, return_types
from harness.core.contract import HOOKS
from harness.core.facts import printable
from harness.core.hookspecs import PROJECT, Benchmark, Shortcut
from harness.core.installed import Source, sources


@dataclass(frozen=True, slots=True)
class Hook:
    """One hook of one benchmark, wrappers included, that has so many seconds to return."""

    benchmark: str
    name: str
    caller: pluggy.HookCaller
    seconds: float

    def __call__(self, **arguments: Any) -> Any:
        """Call it; an `Exception` of its own passes, whatever else would end the program does not.

        Raises:
            PluginError: it took too long, or raised SystemExit or the like.
        """
        if self.name == "score":  # who does not say so wants the explanation
            arguments.setdefault("explain", True)
        try:
            return limits.call(self.caller, arguments, self.seconds)
        except limits.TooLongError as error:
            cause = error.__cause__
            raise PluginError(f"{self._blamed(cause)} {error}") from cause
        except BaseException as error:
            if not _ends_a_program(error):
                raise
            raise PluginError(f"{self._blamed(error)} failed: {one_line(error)}") from error

    def get_hookimpls(self) -> list[pluggy.HookImpl]:
        """Return the implementations, wrappers last."""
        return self.caller.get_hookimpls()

    def _blamed(self, error: BaseException | None) -> str:
        return _blamed(self.benchmark, self.name, self.get_hookimpls(), error)


def _ends_a_program(error: BaseException) -> bool:
    """Return whether an error would end a program or a task of it, though no user and no alarm wants that."""
    from asyncio import CancelledError  # takes long, and is hardly ever of interest

    return isinstance(error, SystemExit | GeneratorExit | CancelledError)


def _blamed(
    benchmark: str, hook: str, implementations: list[pluggy.HookImpl], error: BaseException | None
) -> str:
    """Return whose fault an error is, and which hook's: the benchmark's, or a wrapper's around it."""
    wrapper = _culprit(implementations, error) if error else None
    subject = f"plugin '{benchmark}': {hook}()"
    return f"wrapper '{wrapper}': {hook}() of '{benchmark}'" if wrapper else subject


def _culprit(implementations: list[pluggy.HookImpl], error: BaseException) -> str | None:
    """Return the wrapper that an error comes from, None where it comes from the benchmark.

    It comes from the innermost of their functions that it passed through.
    """
    owners = {
        impl.function.__code__: impl.plugin_name if _is_wrapper(impl) else None
        for impl in implementations
    }
    culprit: str | None = None
    last, trace = None, error.__traceback__
    while trace is not None:
        culprit = owners.get(trace.tb_frame.f_code, culprit)
        last, trace = trace.tb_frame, trace.tb_next
    # One that yields never, or twice, is found out by pluggy, outside of it.
    controller = last.f_locals.get("wrap_controller") if last else None
    return owners.get(controller.gi_code, culprit) if controller else culprit


def _is_wrapper(implementation: pluggy.HookImpl) -> bool:
    return implementation.wrapper or implementation.hookwrapper


# What pluggy says, with a place in a file, of a wrapper that does not yield once.
_YIELDS = re.compile(r"RuntimeError: wrap_controller at .* (did not yield|has second yield)")


@dataclass(frozen=True, slots=True)
class Plugin:
    """One loaded benchmark: what it says of itself and its hooks, wrappers included."""

    benchmark: Benchmark
    hooks: SimpleNamespace
    source: str = ""
    distribution: str = ""
    wrappers: Mapping[str, str] = field(default_factory=dict)  # active around every hook: versions

    def call(self, hook: str, **arguments: Any) -> Any:
        """Call a hook and return what it returns.

        Raises:
            PluginError: it raised anything other than our own errors (those pass), took too long, or
                returned what it must not; the message names plugin (or wrapper) and hook.
        """
        caller = getattr(self.hooks, hook)
        try:
            result = caller(**arguments)
        except HarnessError:
            raise
        except Exception as error:
            self._fail(hook, error)
        breach = return_types.breach(self.benchmark, hook, result)
        if breach is not None:
            raise PluginError(
                f"plugin '{self.benchmark.name}': {hook}() returned {breach}{self._around(hook)}"
            )
        return result

    def _fail(self, hook: str, error: Exception) -> NoReturn:
        message = _YIELDS.sub(r"\1 (a wrapper yields once)", one_line(error))
        blamed = _blamed(self.benchmark.name, hook, self._implementations(hook), error)
        raise PluginError(f"{blamed} failed: {message}") from error

    def _around(self, hook: str) -> str:
        """Return whom to suspect, too, where a hook returns what it must not."""
        names = sorted(
            each.plugin_name for each in self._implementations(hook) if _is_wrapper(each)
        )
        return f"; wrappers around it: {', '.join(names)}" if names else ""

    def _implementations(self, hook: str) -> list[pluggy.HookImpl]:
        caller = getattr(self.hooks, hook)
        return caller.get_hookimpls() if isinstance(caller, Hook) else []

    def call_json(self, hook: str, **arguments: Any) -> dict[str, Any] | None:
        """Call a hook that returns a JSON object or None; whatever else it returns is a `PluginError`."""
        result = self.call(hook, **arguments)
        if result is None:
            return None
        subject = f"plugin '{self.benchmark.name}': {hook}() returned"
        if not isinstance(result, dict):
            raise PluginError(f"{subject} {type(result).__name__}, expected a dict or None")
        try:
            # Keys stay in their order: that of a schema is the order in which a model writes.
            text = json.dumps(result, ensure_ascii=False, allow_nan=False)
            text.encode()  # half a surrogate pair is no text, and cannot be written
        except (TypeError, ValueError, RecursionError) as error:
            raise PluginError(f"{subject} what is not JSON: {one_line(error)}") from error
        return cast(dict[str, Any], json.loads(text))

    def shortcuts(self) -> tuple[Shortcut, ...]:
        """Return the benchmark's shortcuts; none where it has no such hook."""
        return tuple(self.call("shortcuts")) if self.has("shortcuts") else ()

    def has(self, hook: str) -> bool:
        """Return whether the benchmark itself, and not only a wrapper around it, has an optional hook."""
        return any(
            not _is_wrapper(implementation) for implementation in self._implementations(hook)
        )


@dataclass(slots=True)
class Registry:
    """All plugins of this environment: benchmarks, wrappers, and the ones that failed, with reasons.

    ``warnings`` are lines about hooks of theirs that go with a later contract.
    """

    benchmarks: dict[str, Plugin] = field(default_factory=dict)
    wrappers: dict[str, str] = field(default_factory=dict)
    failures: dict[str, str] = field(default_factory=dict)
    warnings: list[str] = field(default_factory=list)

    def get(self, name: str) -> Plugin:
        """Return a benchmark by name.

        Raises:
            PluginError: it failed to load (with its reason), or is unknown (with a suggestion).
        """
        if not isinstance(name, str):
            raise PluginError(f"{printable(repr(name))[:80]}: expected the name of a plugin")
        if name in self.benchmarks:
            return self.benchmarks[name]
        if name in self.failures:
            raise PluginError(f"plugin '{name}' could not be loaded: {self.failures[name]}")
        raise PluginError(f"no plugin '{name}'; {did_you_mean(name, self.benchmarks)}")


_FIELDS = re.compile(
    r"(Benchmark|Metric|Shortcut|Strategy|View|Weakness|Item|Solution|Verdict)\.__init__\(\) (?:missing \d+ required "
    r"(?:positional|keyword-only) arguments?: (.+)|got an unexpected keyword argument ('\w+').*)"
)


def one_line(error: BaseException) -> str:
    """Return an exception as one short line: class and the first line of its message."""
    try:
        message = str(error)
    except Exception:  # a class of a plugin's own
        message = ""
    text = (message.strip().splitlines() or [""])[0][:300]
    # What is made of our own classes: which field it is about, not how Python says so.
    if isinstance(error, TypeError) and (fields := _FIELDS.fullmatch(text)):
        kind, missing, unknown = fields.groups()
        return f"{kind} lacks {missing}" if missing else f"{kind} has no field {unknown}"
    return f"{type(error).__name__}: {text}" if text else type(error).__name__


@cache
def registry() -> Registry:
    """Return the plugins installed in this environment, loaded once."""
    return load(sources())


def load(sources: Iterable[Source]) -> Registry:
    """Build a registry; a plugin that fails never stops the others, and of two of one name neither is had.

    Pluggy's own entry-point loading stops at the first broken import and leaves nothing
    registered, so each plugin is imported, registered and validated by itself.
    """
    manager = pluggy.PluginManager(PROJECT)
    manager.add_hookspecs(hookspecs)
    registry = Registry()
    seconds = {hook: limits.of(hook) for hook in ("import", *HOOKS)}
    described: dict[str, tuple[Any, Benchmark, Source]] = {}
    named: dict[str, list[Source]] = {}
    for source in sources:
        named.setdefault(source[0], []).append(source)
    for name, same in named.items():
        try:
            module = _loaded(name, same, seconds["import"])
            benchmark = _register(manager, name, module, seconds["describe"])
        except KeyboardInterrupt:
            raise
        # A plugin is foreign code: SystemExit at import must not end the harness either.
        except BaseException as error:
            registry.failures[name] = _why(error)
            continue
        taken = {hook: set(impl.argnames) for hook, impl in _own(manager, module)}
        registry.warnings += contract.warnings(name, taken)
        if benchmark is None:
            registry.wrappers[name] = _version(same[0][2])
        else:
            described[name] = (module, benchmark, same[0])
    _describe_anew(manager, described, registry, seconds["describe"])
    for name, (_, benchmark, (_, _, distribution, where)) in described.items():
        others = [module for other, (module, *_) in described.items() if other != name]
        callers = {hook: manager.subset_hook_caller(hook, others) for hook in HOOKS}
        hooks = {hook: Hook(name, hook, caller, seconds[hook]) for hook, caller in callers.items()}
        registry.benchmarks[name] = Plugin(
            benchmark, SimpleNamespace(**hooks), where, distribution, registry.wrappers
        )
    return registry


def _own(manager: pluggy.PluginManager, module: Any) -> list[tuple[str, pluggy.HookImpl]]:
    """Return the hooks that a module implements or wraps, by name."""
    callers = manager.get_hookcallers(module) or []
    return [(c.name, impl) for c in callers for impl in c.get_hookimpls() if impl.plugin is module]


def _implemented(manager: pluggy.PluginManager, module: Any) -> set[str]:
    """Return the hooks that a module implements itself, and does not only wrap."""
    return {hook for hook, impl in _own(manager, module) if not _is_wrapper(impl)}


def _why(error: BaseException) -> str:
    """Return what to say of an error that keeps a plugin out."""
    return str(error) if isinstance(error, HarnessError) else one_line(error)


def _describe_anew(
    manager: pluggy.PluginManager,
    described: dict[str, tuple[Any, Benchmark, Source]],
    registry: Registry,
    seconds: float,
) -> None:
    """Let each wrapper of describe() add to every description; one that spoils a single one is no plugin.

    Afterwards ``described`` holds what they made of it, and ``found`` those that failed.
    """
    waiting = {
        impl.plugin_name: impl.plugin
        for impl in manager.hook.describe.get_hookimpls()
        if impl.plugin_name in registry.wrappers
    }
    for wrapper in list(waiting):
        module = waiting.pop(wrapper)
        try:
            added = {
                name: _wrapped(manager, name, described, [*waiting.values()], seconds)
                for name in described
            }
        except HarnessError as error:
            manager.unregister(module)
            del registry.wrappers[wrapper]
            registry.failures[wrapper] = str(error)
            continue
        for name, benchmark in added.items():
            described[name] = (described[name][0], benchmark, described[name][2])


def _wrapped(
    manager: pluggy.PluginManager,
    name: str,
    described: Mapping[str, tuple[Any, Benchmark, Source]],
    waiting: list[Any],
    seconds: float,
) -> Benchmark:
    """Return what a benchmark says of itself with the wrappers around that are not ``waiting``.

    Raises:
        PluginError: it raised, took too long, or said what the contract, or the plugin itself, forbids.
    """
    module, before, _ = described[name]
    others = [other for other, *_ in described.values() if other is not module]
    caller = manager.subset_hook_caller("describe", [*others, *waiting])
    try:
        description = limits.call(caller, {}, seconds)
        after = contract.validated(name, description, _implemented(manager, module))
        if after.version != before.version:
            raise PluginError(f"version '{after.version}', and its items are of '{before.version}'")
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        raise PluginError(f"describe() around '{name}': {_why(error)}") from error
    return after


def _loaded(name: str, same: list[Source], seconds: float) -> Any:
    """Return the module (or object) that an entry point names."""
    if len(same) > 1:
        owners = sorted({f"'{distribution}'" for *_, distribution, _ in same if distribution})
        of = f", by {' and '.join(owners)}: uninstall one" if len(owners) > 1 else ""
        raise PluginError(f"two installed plugins are called '{name}'{of}")
    return _timed("its import", same[0][1], seconds)


def _timed(what: str, function: Callable[[], Any], seconds: float) -> Any:
    try:
        return limits.call(function, {}, seconds)
    except limits.TooLongError as error:
        raise PluginError(f"{what} {error}") from error.__cause__


def _version(distribution: str) -> str:
    try:
        return metadata.version(distribution)
    except (metadata.PackageNotFoundError, ValueError):
        return "unknown"


def _register(
    manager: pluggy.PluginManager, name: str, module: Any, seconds: float
) -> Benchmark | None:
    """Register one module; return its description, or None for a wrapper. On any error nothing stays."""
    if module is None:
        raise PluginError("names no module, but None")
    contract.check_hooks(manager, module)
    manager.register(module, name=name)
    try:
        implemented = _implemented(manager, module)
        if "describe" not in implemented:
            if implemented:
                raise PluginError(f"has {sorted(implemented)[0]}() but no describe()")
            if not manager.get_hookcallers(module):
                raise PluginError("implements no hook")
            return None
        lack = contract.lacking(module, implemented)
        if lack:
            raise PluginError(lack)
        described = _timed("describe()", module.describe, seconds)
        return contract.validated(name, described, implemented)
    except BaseException:
        manager.unregister(module)
        raise
