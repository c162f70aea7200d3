"""All conformance checks of a plugin, run one after the other, and the report on them.

A check is a function that takes the kit, returns a note, and raises `Failure`. The first sentence of its docstring is
its rule, which users are shown; docs/conformance.md has a paragraph on each. `harness.testing` re-exports what the
tests of plugins use.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from typing import Any

from harness_errors import SpecError

from harness.core import fresh
from harness.core.items import Item
from harness.core.plugins import Plugin
from harness.core.spec import make
from harness.kit import (
    checks_answers,
    checks_golden,
    checks_hooks,
    checks_items,
    checks_published,
    checks_shortcuts,
    checks_traces,
)
from harness.kit.kit import Failure, Kit, Remark, failing, input_text, patient, timed_out

CHECKS: dict[str, Callable[[Kit], str]] = {
    "describe": checks_items.describe,
    "schema": checks_items.schema,
    "values": checks_answers.values,
    "roundtrip": checks_items.roundtrip,
    "order": checks_items.order,
    "processes": checks_items.processes,
    "about": checks_items.about,
    "seeds": checks_items.seeds,
    "target": checks_answers.target,
    "junk": checks_answers.junk,
    "hedge": checks_answers.hedge,
    "constants": checks_answers.constants,
    "foreign": checks_answers.foreign,
    "prefixes": checks_answers.prefixes,
    "stages": checks_hooks.stages,
    "structure": checks_hooks.structure,
    "formats": checks_hooks.formats,
    "explain": checks_hooks.explain,
    "traces": checks_traces.check,
    "leak": checks_items.leak,
    "shortcuts": checks_shortcuts.shortcuts,
    "read": checks_items.read,
    "engines": checks_answers.engines,
    "certificates": checks_answers.certificates,
    "proofs": checks_answers.proofs,
    "published": checks_published.published,
    "weaknesses": checks_published.weaknesses,
    "readings": checks_published.readings,
    "golden": checks_golden.golden,
    "inspect": checks_answers.inspect,
}

PAGE = "docs/conformance.md"
LOADING = "loading"


def _rule(check: Callable[[Kit], str]) -> str:
    return " ".join((inspect.getdoc(check) or "").partition("\n\n")[0].split())


# What each check demands, in one sentence.
RULES: dict[str, str] = {
    LOADING: "A benchmark is a module named by an entry point in the group `harness`, with describe() and the "
    "required hooks, each a plain function with its own signature.",
    "generate": "generate() returns an item for every index: no error, nothing else, and in time.",
    **{name: _rule(check) for name, check in CHECKS.items()},
}


def link(check: str) -> str:
    """Return where a check is explained, from the root of the repository: ``docs/conformance.md#read``."""
    return f"{PAGE}#{check}"


def conformance(
    plugin: Plugin,
    config: Mapping[str, Any] | None = None,
    *,
    n: int = 40,
    seed: int = 0,
    golden: str = "check",
    only: tuple[str, ...] = (),
    tell: Callable[[str, dict[str, Any] | None], None] = lambda *_: None,
) -> dict[str, Any]:
    """Run every check (or ``only`` some) and return ``{plugin, version, checks, failures}``.

    A check is ``{name, failure, note, remark, item, input, rule, link}``. ``failure`` is None or says what was found
    where; ``remark``: the check passed, but its note asks for attention. ``item`` is then ``{index, id, prompt}``
    and ``input`` what the hook was given, both None where a failure is not of one item or one input. ``rule`` is what
    the check demands, ``link`` where that is explained.
    ``golden="write"`` pins the first items of this version instead of comparing with them.
    ``tell`` is called with the name of each check when it begins, and again with it when it is done.
    """
    plugin = patient(plugin)
    checks: list[dict[str, Any]] = []
    items: list[Item] = []
    tell("generate", None)
    try:
        with failing(None):
            spec = make(plugin, {**(config or {}), "n": n, "seed": seed, "unique": False})
            for item in fresh.items(plugin, spec):
                items.append(item)  # noqa: PERF402 (after an error the length says which item)
    except Failure as error:
        checks.append(_not_made(error, len(items)))
        tell("generate", checks[-1])
        return report_of(plugin, checks)
    kit = Kit(plugin, spec, items)
    checks.append(entry("generate", None, f"{n} items"))
    tell("generate", checks[-1])
    if golden == "write":
        checks_golden.write_golden(kit)
    stuck = ""
    for name, act in CHECKS.items():
        if only and name not in only:
            continue
        tell(name, None)
        if name == "inspect" and stuck:  # each of its answers would be waited for in vain
            checks.append(entry(name, None, f"not tried: a hook did not return ({stuck})"))
        else:
            check, hung = _tried(name, act, kit)
            checks.append(check)
            stuck = stuck or (name if hung else "")
        tell(name, checks[-1])
    return report_of(plugin, checks)


def _tried(name: str, act: Callable[[Kit], str], kit: Kit) -> tuple[dict[str, Any], bool]:
    """Run one check; return its entry of the report, and whether a hook did not return in time."""
    try:
        with failing(None):
            return entry(name, None, act(kit)), False
    except Failure as error:
        return entry(name, str(error), "", error.item, error.hook_input), timed_out(error)


def _not_made(error: Failure, index: int) -> dict[str, Any]:
    """Say why the items could not be made, and at which index."""
    if isinstance(error.__cause__, SpecError):  # of the settings, not of an item
        return entry("generate", str(error), "")
    check = entry("generate", f"item {index}: {error}", "")
    return {**check, "item": {"index": index, "id": None, "prompt": None}}


def entry(
    name: str, failure: str | None, note: str, item: Item | None = None, hook_input: Any = None
) -> dict[str, Any]:
    """Return the entry of one check in the report; ``failure`` is None where the check passed."""
    seen = {"index": item.index, "id": item.id, "prompt": input_text(item.prompt)} if item else None
    return {
        "name": name,
        "failure": failure,
        "note": note,
        "remark": isinstance(note, Remark),
        "item": seen,
        "input": None if hook_input is None else input_text(hook_input),
        "rule": RULES[name],
        "link": link(name),
    }


def report_of(plugin: Plugin, checks: list[dict[str, Any]]) -> dict[str, Any]:
    """Return the report on a plugin from the entries of its checks."""
    return {
        "plugin": plugin.benchmark.name,
        "version": plugin.benchmark.version,
        "checks": checks,
        "failures": [check["name"] for check in checks if check["failure"]],
    }
