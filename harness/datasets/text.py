"""How it reads in a terminal what the commands of this room found."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from harness.cli.tables import added
from harness.core.facts import printable
from harness.datasets.show import unsayable


def items(found: Mapping[str, Any]) -> str:
    """Return items in full, or in the format asked for, or where the one item was written to."""
    if "out" in found:
        return f"item {found['items'][0]['id']}: {found['out']}"
    parts = []
    for item in found["items"]:
        if "text" in item:
            parts.append(unsayable(item) if item["text"] is None else item["text"])
            continue
        facts = {k: item[k] for k in ("features", "problem", "certificate", "notes")}
        body = "\n".join(
            f"{key}: {json.dumps(value, ensure_ascii=False)}" for key, value in facts.items()
        )
        rule = f"── item {item['index']} · {item['id']} " + "─" * 30
        parts.append(f"{rule}\n{item['prompt']}\n\n── target: {item['target']}\n{body}")
    # What is in a format of its own may go to a file as it is printed.
    if "rejected" in found and not any("text" in item for item in found["items"]):
        reasons = ", ".join(f"{why} {count}" for why, count in found["rejected"].items()) or "none"
        parts.append(
            f"rejected: {found['rejected_share']:.0%} of {found['draws']} draws ({reasons})"
        )
    return "\n\n".join(parts)


def written(found: Mapping[str, Any]) -> str:
    """Return what was written and how much was rejected on the way."""
    lines = [
        f"{found['items']} items: {found['out']}",
        f"manifest: {found['manifest']}",
        f"targets: {json.dumps(found['targets'])}; rejected {found['rejected_share']:.0%} of {found['draws']} draws",
    ]
    return "\n".join([*lines, *added(found)])


def exported(found: Mapping[str, Any]) -> str:
    """Return what was exported, and what could not be."""
    written = found.get("records", found["items"])
    lines = [f"{written} items: {found['out']} ({found['to']})"]
    if found.get("manifest"):
        lines.append(f"manifest: {found['manifest']}")
    for kind, meaning in (
        ("unsaid", "items that the format cannot say"),
        ("unreadable", "records that cannot be read"),
    ):
        told = found.get(kind) or {}
        if told.get("count"):
            first = printable(str(told["first"][0]), 1000)
            lines.append(f"left out: {told['count']} {meaning}; the first: {first}")
    return "\n".join(lines)
