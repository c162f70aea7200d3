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


def scored(result: Mapping[str, Any], verbose: bool = False) -> str:
    """Return the tables of answers scored without a model: the run's, what was left out, what changed."""
    parts = [result_table(result, verbose)]
    if result["responses"]:
        parts.append("\n".join(_responses(result["responses"])))
    if result["published"]:
        parts.append("\n".join(_conventions(result["published"])))
    if "changes" in result:
        parts.append("\n".join(_changes(result)))
    return "\n\n".join([*parts, f"log: {result['log']}\nview: {result['view']}"])


def _responses(responses: Mapping[str, Any]) -> list[str]:
    columns, guessed = responses["columns"], responses["guessed"]
    named = ", ".join(
        f"{part} from '{columns[part]}'{' (guessed)' if part in guessed else ''}"
        for part in ("id", "response")
    )
    lines = [
        f"responses: {responses['file']} ({named})",
        f"{responses['scored']} of {responses['items']} items scored; {responses['records']} records read, "
        f"{responses['empty']} empty answers (unparsed)",
    ]
    if responses["labels_only"]:
        question = f"is '{columns['response']}' a column of labels?"
        lines.append(alarm(f"WARNING: every answer is just its item's label; {question}"))
    for kind, meaning in _LEFT_OUT.items():
        if count := responses[kind]["count"]:
            shown = ", ".join(map(printable, responses[kind]["examples"]))
            more = ", …" if count > len(responses[kind]["examples"]) else ""
            lines.append(f"{kind}: {count} {meaning}: {shown}{more}")
    return lines


def _conventions(differences: Mapping[str, Any]) -> list[str]:
    name, unparsed = differences["metric"], differences["unparsed"]
    return [
        f"conventions: {number(differences['ours'])} by ours, {name} {number(differences['published'])}",
        f"  {unparsed} of {differences['scored']} answers are unparsable; the published convention counts "
        f"{differences['unparsed_right']} of them as right",
        f"  of the readable ones it counts {differences['wrong_right']} as right that are not by ours, "
        f"and {differences['right_wrong']} as wrong that are right by ours",
    ]


def _changes(result: Mapping[str, Any]) -> list[str]:
    changes = result["changes"]
    lines = [
        f"scored anew: {result['from']}",
        f"{changes['changed']} of {changes['verdicts']} verdicts changed",
    ]
    if changes["steps"]:
        rows = [["from", "to", "verdicts"]]
        rows += [
            [change["from"], change["to"], str(change["count"])] for change in changes["steps"]
        ]
        lines += ["", grid(rows), ""]
    for change in changes["first"]:
        answers = f"{change['answer_before']!r:.60} → {change['answer']!r:.60}"
        lines.append(
            printable(
                f"{change['id']}: {change['from']} → {change['to']}, answer {answers}: {change['why']}",
                1000,
            )
        )
    return lines
