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
from harness.kit import checks_answers as answers
from harness.kit import checks_golden as golden_items
from harness.kit import checks_hooks as hooks
from harness.kit import checks_items as items
from harness.kit import checks_published as published
from harness.kit.checks_shortcuts import shortcuts
from harness.kit.checks_traces import traces
from harness.kit.kit import Failure, Kit, Remark, failing, input_text, patient, timed_out

CHECKS: dict[str, Callable[[Kit], str]] = {check.__name__: check for check in (
    items.describe, items.schema, answers.values, items.roundtrip, items.order, items.processes, items.about,
    items.seeds, answers.target, answers.junk, answers.hedge, answers.constants, answers.foreign, answers.prefixes,
    hooks.stages, hooks.structure, hooks.formats, hooks.explain, traces, items.leak, shortcuts, items.read,
    answers.engines, answers.certificates, answers.proofs, published.published, published.weaknesses,
    published.readings, golden_items.golden, answers.inspect,
)}  # fmt: skip

PAGE = "docs/conformance.md"
LOADING = "loading"


# What each check demands, in one sentence.
RULES: dict[str, str] = {
    LOADING: "A benchmark is a module named by an entry point in the group `harness`, with describe() and the "
    "required hooks, each a plain function with its own signature.",
    "generate": "generate() returns an item for every index: no error, nothing else, and in time.",
    **{
        name: " ".join((inspect.getdoc(check) or "").partition("\n\n")[0].split())
        for name, check in CHECKS.items()
    },
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
    made: list[Item] = []

    def done(check: dict[str, Any]) -> None:
        checks.append(check)
        tell(check["name"], check)

    tell("generate", None)
    try:
        with failing(None):
            spec = make(plugin, {**(config or {}), "n": n, "seed": seed, "unique": False})
            for item in fresh.items(plugin, spec):
                made.append(item)  # noqa: PERF402 (after an error the length says which item)
    except Failure as error:
        done(_not_made(error, len(made)))
        return report_of(plugin, checks)
    kit = Kit(plugin, spec, made)
    done(entry("generate", None, f"{n} items"))
    if golden == "write":
        golden_items.write_golden(kit)
    stuck = ""
    for name in [name for name in CHECKS if not only or name in only]:
        tell(name, None)
        if name == "inspect" and stuck:  # each of its answers would be waited for in vain
            done(entry(name, None, f"not tried: a hook did not return ({stuck})"))
            continue
        try:
            with failing(None):
                note = CHECKS[name](kit)
        except Failure as error:
            done(entry(name, str(error), "", error.item, error.hook_input))
            stuck = stuck or (name if timed_out(error) else "")
        else:
            done(entry(name, None, note))
    return report_of(plugin, checks)


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
