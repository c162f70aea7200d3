"""How it reads in a terminal what the commands of this room found."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from harness.cli.tables import added
from harness.core.facts import printable
from harness.datasets.show import unsayable

LISTED = 60  # characters of the targets of a dataset


def items(result: Mapping[str, Any]) -> str:
    """Return items in full, or in the format asked for, or where the one item was written to."""
    if "out" in result:
        return f"item {result['items'][0]['id']}: {result['out']}"
    parts = []
    for number, item in zip(result["positions"], result["items"], strict=True):
        if "text" in item:
            parts.append(unsayable(item) if item["text"] is None else item["text"])
            continue
        facts = {k: item[k] for k in ("features", "problem", "certificate", "notes")}
        body = "\n".join(
            f"{key}: {json.dumps(value, ensure_ascii=False)}" for key, value in facts.items()
        )
        rule = f"── item {number} · {item['id']} " + "─" * 30
        parts.append(f"{rule}\n{item['prompt']}\n\n── target: {item['target']}\n{body}")
    # What is in a format of its own may go to a file as it is printed.
    if "rejected" in result and not any("text" in item for item in result["items"]):
        reasons = ", ".join(f"{why} {count}" for why, count in result["rejected"].items()) or "none"
        parts.append(
            f"rejected: {result['rejected_share']:.0%} of {result['draws']} draws ({reasons})"
        )
    return "\n\n".join(parts)


def written(manifest: Mapping[str, Any]) -> str:
    """Return what was written and how much was rejected on the way."""
    targets = manifest["targets"]
    if isinstance(targets, Mapping):
        few = ", ".join(f"{target} {count}" for target, count in targets.items())
        targets = few if len(few) <= LISTED else len(targets)
    shown = f"{targets} different" if isinstance(targets, int) else printable(targets)
    lines = [
        f"{manifest['items']} items: {manifest['out']}",
        f"manifest: {manifest['manifest']}",
        f"targets: {shown}; rejected {manifest['rejected_share']:.0%} of {manifest['draws']} draws",
    ]
    return "\n".join([*lines, *added(manifest)])


def exported(result: Mapping[str, Any]) -> str:
    """Return what was exported, and what could not be."""
    written = result.get("records", result["items"])
    lines = [f"{written} items: {result['out']} ({result['to']})"]
    if result.get("manifest"):
        lines.append(f"manifest: {result['manifest']}")
    for kind, meaning in (
        ("unsaid", "items that the format cannot say"),
        ("unreadable", "records that are no items"),
    ):
        notes = result.get(kind) or {}
        if notes.get("count"):
            first = printable(str(notes["first"][0]), 1000)
            lines.append(f"left out: {notes['count']} {meaning}; the first: {first}")
    return "\n".join(lines)
