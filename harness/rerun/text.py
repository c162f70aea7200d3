"""How answers that were scored elsewhere, or anew, read in a terminal."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from harness.cli.colour import alarm
from harness.cli.tables import grid, number, result_table
from harness.core.facts import printable

_LEFT_OUT = {
    "missing": "items have no answer; they are in no mean",
    "unknown": "answers have an id that no item has",
    "duplicate": "answers came after the one that was expected; all answers to these items are left out",
    "ambiguous": "answers have an id that several items have",
    "mismatched": "answers are to another question than the item of that id asks",
    "unreadable": "records cannot be read",
}


def scored(found: Mapping[str, Any]) -> str:
    """Return the tables of answers scored without a model: the run's, what was left out, what changed."""
    parts = [result_table(found)]
    if found["responses"]:
        parts.append("\n".join(_responses(found["responses"])))
    if found["published"]:
        parts.append("\n".join(_conventions(found["published"])))
    if "changes" in found:
        parts.append("\n".join(_changes(found)))
    return "\n\n".join([*parts, f"log: {found['log']}\nview: {found['view']}"])


def _responses(found: Mapping[str, Any]) -> list[str]:
    columns, guessed = found["columns"], found["guessed"]
    named = ", ".join(
        f"{part} from '{columns[part]}'{' (guessed)' if part in guessed else ''}"
        for part in ("id", "response")
    )
    lines = [
        f"responses: {found['file']} ({named})",
        f"{found['scored']} of {found['items']} items scored; {found['records']} records read, "
        f"{found['empty']} empty answers (unparsed)",
    ]
    if found["labels_only"]:
        asked = f"is '{columns['response']}' a column of labels?"
        lines.append(alarm(f"WARNING: every answer is just its item's label; {asked}"))
    for kind, meaning in _LEFT_OUT.items():
        if count := found[kind]["count"]:
            shown = ", ".join(map(printable, found[kind]["examples"]))
            more = ", …" if count > len(found[kind]["examples"]) else ""
            lines.append(f"{kind}: {count} {meaning}: {shown}{more}")
    return lines


def _conventions(found: Mapping[str, Any]) -> list[str]:
    name, unparsed = found["metric"], found["unparsed"]
    return [
        f"conventions: {number(found['ours'])} by ours, {name} {number(found['published'])}",
        f"  {unparsed} of {found['scored']} answers are unparsable; the published convention counts "
        f"{found['unparsed_right']} of them as right",
        f"  of the readable ones it counts {found['wrong_right']} as right that are not by ours, "
        f"and {found['right_wrong']} as wrong that are right by ours",
    ]


def _changes(found: Mapping[str, Any]) -> list[str]:
    changes = found["changes"]
    lines = [
        f"scored anew: {found['from']}",
        f"{changes['changed']} of {changes['verdicts']} verdicts changed",
    ]
    if changes["steps"]:
        rows = [["from", "to", "verdicts"]]
        rows += [[one["from"], one["to"], str(one["count"])] for one in changes["steps"]]
        lines += ["", grid(rows), ""]
    for one in changes["first"]:
        said = f"{one['answer_before']!r:.60} → {one['answer']!r:.60}"
        lines.append(
            printable(
                f"{one['id']}: {one['from']} → {one['to']}, answer {said}: {one['why']}", 1000
            )
        )
    return lines
