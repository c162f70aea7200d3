"""What the doctor finds of plugins and engines: each is tried for real, in guarded workers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import harness_guard
from harness_errors import HarnessError, SpecError, did_you_mean

from harness.author import doctor_packages
from harness.author.doctor_packages import OWN
from harness.core.installed import sources

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


def checks(names: Sequence[str]) -> Iterator[Check]:
    """Load each plugin by itself, in a worker, and have every engine solve something; only those named, if any are.

    Raises:
        SpecError: a name that no installed plugin has.
    """
    try:
        known = {name: distribution for name, _, distribution, _ in sources()}
    except Exception as error:  # the metadata of some package: no reason to say nothing more
        yield Check(
            AREA, "plugins", "broken", f"cannot be looked for: {type(error).__name__}: {error}"
        )
        return
    for name in names:
        if name not in known:
            raise SpecError(f"no plugin '{name[:80]}'; {did_you_mean(name, known)}")
    if not known:
        said = "there are none: nothing can be run"
        yield Check(AREA, "plugins", "broken", said, "pip install harness-ltlbench, for example")
    loaded = True
    for name in names or known:
        found = list(_plugin(name, known[name]))
        loaded = loaded and found[0].state == "ok"
        yield from found
    if loaded and not names:
        yield from _together()


def _plugin(name: str, distribution: str) -> Iterator[Check]:
    remedy = f"mend or reinstall {distribution or 'it'}, or pip uninstall {distribution or 'it'}"
    try:
        own = harness_guard.call("harness.author.doctor_plugins:load", name, seconds=SECONDS * 3)
    except HarnessError as error:
        yield Check(AREA, name, "broken", f"could not be loaded: {error}", remedy)
        own = {"kind": "lost"}
    if own["kind"] == "failure":
        yield Check(AREA, name, "broken", f"could not be loaded: {own['why']}", remedy)
    elif own["kind"] != "lost":
        yield Check(AREA, name, "ok", f"{own['kind']} {own['version']}{_parts(distribution)}")
    if distribution:
        yield from needs(AREA, distribution)
    if own["kind"] == "benchmark":
        yield from _engines(name, own["engines"])


def _parts(distribution: str) -> str:
    """Return what a plugin stands on beside the harness, with versions: its native libraries are among these."""
    found = doctor_packages.required(distribution) if distribution else []
    names = [one for one in found if one.name != OWN]
    return f" ({', '.join(map(str, names))})" if names else ""


def _engines(name: str, engines: Sequence[str]) -> Iterator[Check]:
    """Have each engine solve the first item that it does not decline, and compare it with the label."""
    left = dict.fromkeys(engines)
    try:
        for settings in harness_guard.call(
            "harness.author.doctor_plugins:settings", name, seconds=SECONDS
        ):
            for index in range(ITEMS):
                if not left:
                    return
                data = harness_guard.call(
                    "harness.author.doctor_plugins:problem", name, settings, index, seconds=SECONDS
                )
                for engine in list(left):
                    found = _opinion(name, data, engine)
                    if found["opinion"] != "abstain":
                        del left[engine]
                        yield _judged(f"{name}: {engine}", found)
    except HarnessError as error:
        yield Check(AREA, f"{name}: an item", "broken", f"cannot be made: {error}")
        return
    for engine in left:
        yield Check(AREA, f"{name}: {engine}", "note", "declined every problem that was tried")


def _opinion(name: str, data: dict[str, Any], engine: str) -> dict[str, Any]:
    try:
        found: dict[str, Any] = harness_guard.call(
            "harness.author.doctor_plugins:solved", name, data, engine, seconds=SECONDS
        )
    except HarnessError as error:
        return {"opinion": "fail", "message": str(error)}
    return found


def _judged(name: str, found: Mapping[str, Any]) -> Check:
    if found["opinion"] == "agree":
        return Check(AREA, name, "ok", "solves a problem, and agrees with its label")
    said = {"contradict": "contradicts a label that the other engines made"}.get(
        found["opinion"], str(found.get("message", found["opinion"]))
    )
    return Check(
        AREA, name, "broken", said, "harness verify plugin=… says more; reinstall its libraries"
    )


def _together() -> Iterator[Check]:
    try:
        found = harness_guard.call("harness.author.doctor_plugins:together", seconds=SECONDS * 3)
    except HarnessError as error:
        yield Check(AREA, "all together", "broken", str(error), "uninstall one of them")
        return
    for name, why in found["failures"].items():
        yield Check(
            AREA,
            name,
            "broken",
            f"could not be loaded with the others: {why}",
            "uninstall one of them",
        )
    for line in found["warnings"]:
        yield Check(AREA, "contract", "note", line)


def needs(area: str, distribution: str) -> Iterator[Check]:
    """Yield what a distribution requires and has not."""
    found = doctor_packages.required(distribution)
    for library in [one.name for one in found if one.name.startswith("harness-")]:  # one of ours
        found += doctor_packages.required(library)
    bad = list(dict.fromkeys(one for one in found if not one.good))
    if bad:
        command = "pip install " + " ".join(f"'{one.name}{one.wanted}'" for one in bad)
        yield Check(
            area, f"what {distribution} requires", "broken", "; ".join(map(str, bad)), command
        )
