"""What the doctor finds of plugins and engines: each is tried for real, in guarded workers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import harness_guard
from harness_errors import HarnessError, SpecError, did_you_mean

from harness.author import doctor_packages
from harness.core.installed import sources
from harness.datasets.extras import OWN

AREA = "plugins and engines"
SECONDS = 120.0  # for one question to a worker: an engine may be slow
ITEMS = 2  # of each setting, tried until every engine has had one that it does not decline


@dataclass(frozen=True, slots=True)
class Check:
    """One thing that was looked at.

    ``state``: ``ok``; ``note``, something optional is missing or worth knowing; ``broken``, something needed does
    not work. ``remedy``: what to do, a command where there is one.
    """

    area: str
    name: str
    state: str
    said: str
    remedy: str = ""


def ask(question: str, *arguments: Any, patience: int = 1) -> Any:
    """Return what a function of `harness.author.doctor_plugins` does in a guarded worker, or raise HarnessError."""
    function = f"harness.author.doctor_plugins:{question}"
    return harness_guard.call(function, *arguments, seconds=SECONDS * patience)


def checks(names: Sequence[str]) -> Iterator[Check]:
    """Load each plugin (or those named) by itself, in a worker, and have every engine solve something.

    Raises:
        SpecError: a name that no installed plugin has.
    """
    try:
        known = {name: distribution for name, _, distribution, _ in sources()}
    except Exception as error:  # the metadata of some package: no reason to say nothing more
        reason = f"cannot be looked for: {type(error).__name__}: {error}"
        yield Check(AREA, "plugins", "broken", reason)
        return
    for name in names:
        if name not in known:
            raise SpecError(f"no plugin '{name[:80]}'; {did_you_mean(name, known)}")
    if not known:
        remedy = "pip install -e plugins/ltlbench in a checkout, for example"
        yield Check(AREA, "plugins", "broken", "there are none: nothing can be run", remedy)
    loaded = True
    for name in names or known:
        first, *others = _plugin(name, known[name])
        loaded = loaded and first.state == "ok"
        yield from (first, *others)
    if loaded and not names:
        yield from _together()


def _plugin(name: str, distribution: str) -> Iterator[Check]:
    remedy = f"mend or reinstall {distribution or 'it'}, or pip uninstall {distribution or 'it'}"
    try:
        plugin = ask("load", name, patience=3)
    except HarnessError as error:
        plugin = {"kind": "failure", "why": str(error)}
    if plugin["kind"] == "failure":
        yield Check(AREA, name, "broken", f"could not be loaded: {plugin['why']}", remedy)
    else:
        required = doctor_packages.required(distribution)
        beside = ", ".join(str(package) for package in required if package.name != OWN)
        parts = f" ({beside})" if beside else ""
        yield Check(AREA, name, "ok", f"{plugin['kind']} {plugin['version']}{parts}")
    yield from needs(AREA, distribution)
    if plugin["kind"] == "benchmark":
        yield from _engines(name, plugin["engines"])


def _engines(name: str, engines: Sequence[str]) -> Iterator[Check]:
    """Have each engine solve the first item that it does not decline, and compare it with the label."""
    left = dict.fromkeys(engines)
    try:
        for settings in ask("settings", name):
            for index in range(ITEMS):
                if not left:
                    return
                data = ask("problem", name, settings, index)
                for engine in list(left):
                    check = _solved(name, data, engine)
                    if check is not None:
                        del left[engine]
                        yield check
    except HarnessError as error:
        yield Check(AREA, f"{name}: an item", "broken", f"cannot be made: {error}")
        return
    for engine in left:
        yield Check(AREA, f"{name}: {engine}", "note", "declined every problem that was tried")


def _solved(name: str, data: dict[str, Any], engine: str) -> Check | None:
    """Have an engine solve an item; None where it declines."""
    try:
        opinion = ask("solved", name, data, engine)
    except HarnessError as error:
        opinion = {"opinion": "fail", "message": str(error)}
    if opinion["opinion"] == "abstain":
        return None
    if opinion["opinion"] == "agree":
        said = "solves a problem, and agrees with its label"
        return Check(AREA, f"{name}: {engine}", "ok", said)
    reason = str(opinion.get("message", opinion["opinion"]))
    if opinion["opinion"] == "contradict":
        reason = "contradicts a label that the other engines made"
    remedy = "harness verify plugin=… says more; reinstall its libraries"
    return Check(AREA, f"{name}: {engine}", "broken", reason, remedy)


def _together() -> Iterator[Check]:
    remedy = "uninstall one of them"
    try:
        loaded = ask("together", patience=3)
    except HarnessError as error:
        yield Check(AREA, "all together", "broken", str(error), remedy)
        return
    for name, why in loaded["failures"].items():
        yield Check(AREA, name, "broken", f"could not be loaded with the others: {why}", remedy)
    for line in loaded["warnings"]:
        yield Check(AREA, "contract", "note", line)


def needs(area: str, distribution: str) -> Iterator[Check]:
    """Yield a broken check where a distribution lacks something that it requires."""
    packages = doctor_packages.required(distribution)
    ours = [package.name for package in packages if package.name.startswith("harness-")]
    for library in ours:
        packages += doctor_packages.required(library)
    bad = list(dict.fromkeys(package for package in packages if not package.good))
    if bad:
        command = "pip install " + " ".join(f"'{package.name}{package.wanted}'" for package in bad)
        missing = "; ".join(map(str, bad))
        yield Check(area, f"what {distribution} requires", "broken", missing, command)
