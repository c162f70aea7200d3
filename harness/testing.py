"""The conformance kit: what every plugin must survive before anybody trusts its numbers.

    from harness.testing import conformance
    report = conformance(registry().get("mybench"), n=50)
    assert not report["failures"], report["failures"]

or ``harness check plugin=mybench``. Each check has a name; docs/conformance.md has a
paragraph per name that says what it demands and why.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from harness import checks_answers, checks_formats, checks_items, checks_published, dataset
from harness.checks_answers import EVAL
from harness.checks_items import GOLDEN, fingerprints, golden_path, write_golden
from harness.errors import HarnessError, SpecError
from harness.items import Item
from harness.kit import SECONDS, Failure, Kit, replace_options
from harness.plugins import Plugin, one_line
from harness.spec import make

__all__ = [
    "CHECKS",
    "EVAL",
    "GOLDEN",
    "SECONDS",
    "Failure",
    "HarnessError",
    "Kit",
    "conformance",
    "fingerprints",
    "golden_path",
    "replace_options",
    "write_golden",
]

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
    "stages": checks_answers.stages,
    "structure": checks_answers.structure,
    "formats": checks_formats.formats,
    "leak": checks_items.leak,
    "read": checks_items.read,
    "engines": checks_answers.engines,
    "certificates": checks_answers.certificates,
    "published": checks_published.published,
    "weaknesses": checks_published.weaknesses,
    "readings": checks_published.readings,
    "golden": checks_items.golden,
    "inspect": checks_answers.inspect,
}


def conformance(
    plugin: Plugin,
    config: Mapping[str, Any] | None = None,
    *,
    n: int = 40,
    seed: int = 0,
    golden: str = "check",
    only: tuple[str, ...] = (),
) -> dict[str, Any]:
    """Run every check (or ``only`` some) and return ``{plugin, version, checks, failures}``.

    A check is ``{name, failure, note}``; ``failure`` is None or says what was found where.
    ``golden="write"`` pins the first items of this version instead of comparing with them.
    """
    checks: list[dict[str, Any]] = []
    items: list[Item] = []
    try:
        spec = make(plugin, {**(config or {}), "n": n, "seed": seed, "unique": False})
        for item in dataset.fresh(plugin, spec):
            items.append(item)  # noqa: PERF402 (after an error the length says which item)
    except HarnessError as error:
        where = "" if isinstance(error, SpecError) else f"item {len(items)}: "
        checks.append({"name": "generate", "failure": f"{where}{error}", "note": ""})
        return _report(plugin, checks)
    kit = Kit(plugin, spec, items)
    checks.append({"name": "generate", "failure": None, "note": f"{n} items"})
    if golden == "write":
        write_golden(kit)
    for name, act in CHECKS.items():
        if only and name not in only:
            continue
        failure, note = None, ""
        try:
            note = act(kit)
        except (Failure, HarnessError) as error:
            failure = str(error)
        except Exception as error:
            failure = f"unexpected {one_line(error)}"
        checks.append({"name": name, "failure": failure, "note": note})
    return _report(plugin, checks)


def _report(plugin: Plugin, checks: list[dict[str, Any]]) -> dict[str, Any]:
    return {
        "plugin": plugin.benchmark.name,
        "version": plugin.benchmark.version,
        "checks": checks,
        "failures": [check["name"] for check in checks if check["failure"]],
    }
