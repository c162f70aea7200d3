"""How it reads in a terminal what runs would ask, and how answers were scored elsewhere, or anew."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from harness.cli.colour import alarm
from harness.cli.tables import grid, number, result_table
from harness.core.facts import printable

DRY_RUN_HEAD = ("answers", "calls", "tokens in", "tokens out", "USD")
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


def dry_run(outcome: Mapping[str, Any]) -> str:
    """Return a line for each run and one for all, and what the numbers rest on."""
    runs = outcome["dry_run"]
    facts = [
        {key: run[key] for key in ("plugin", "model", "strategy")} | run["config"] | {"dataset": run["dataset"]}
        for run in runs
    ]  # fmt: skip
    keys = list(dict.fromkeys(("plugin", "model", *_varied(facts))))
    rows = [[*keys, *DRY_RUN_HEAD]]
    for fact, run in zip(facts, runs, strict=True):
        rows.append([*(str(fact.get(key, "")) for key in keys), *_cells(run)])
    if len(runs) > 1:
        rows.append(["all", *[""] * (len(keys) - 1), *_cells(outcome["total"])])
    return "\n".join(["dry run: nobody was asked", "", grid(rows), "", *_notes(outcome)])


def _varied(facts: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    """Yield the keys that have several values in runs of one benchmark."""
    for key in dict.fromkeys(key for fact in facts for key in fact):
        known = {(fact["plugin"], str(fact[key])) for fact in facts if key in fact}
        if len(known) > len({plugin for plugin, _ in known}):
            yield key


def _cells(run: Mapping[str, Any]) -> list[str]:
    read, written = run["input_cost"], run["output_cost"]
    most = "≤ " if run["upper_bound"] else ""
    counts = [f"{run[key]:,}" for key in ("answers", "calls", "input_tokens")]
    counts.append("–" if run["output_tokens"] is None else f"{most}{run['output_tokens']:,}")
    if read is None:
        return [*counts, "–"]
    return [
        *counts,
        f"{read:,.4f} + tokens out" if written is None else f"{most}{read + written:,.4f}",
    ]


def _notes(outcome: Mapping[str, Any]) -> Iterator[str]:
    """Yield what the numbers rest on: each once, with the models that it is true of where those are not all."""
    models: dict[tuple[str, str], list[str]] = {}
    for run in outcome["dry_run"]:
        for note in _notes_of(run):
            models.setdefault(note, []).append(run["model"])
    every = {run["model"] for run in outcome["dry_run"]}
    for (what, line), of in models.items():
        names = "" if every == {*of} else f" of {', '.join(dict.fromkeys(of))}"
        yield f"{what}{names}: {line}"
    if outcome["total"]["input_cost"] is None:
        yield "USD: prices=FILE.yaml says what a model costs"


def _notes_of(run: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    yield "tokens in", run["input_from"]
    if run["output_from"]:
        yield "tokens out", run["output_from"]
    if run["there"]:
        yield run["plugin"], f"{run['there']} answers are there already and are not counted"
    for line in run["left_out"]:
        yield "not counted", line
