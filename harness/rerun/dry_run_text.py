"""How it reads in a terminal what runs would ask."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from harness.cli.tables import grid

HEAD = ("answers", "calls", "tokens in", "tokens out", "USD")


def text(outcome: Mapping[str, Any]) -> str:
    """Return a line for each run and one for all, and what the numbers rest on."""
    runs = outcome["dry_run"]
    facts = [
        {key: run[key] for key in ("plugin", "model", "strategy")} | run["config"] | {"dataset": run["dataset"]}
        for run in runs
    ]  # fmt: skip
    keys = list(dict.fromkeys(("plugin", "model", *_varied(facts))))
    rows = [[*keys, *HEAD]]
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
