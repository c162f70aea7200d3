"""How it reads in a terminal what runs would ask."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from harness.cli.tables import grid

HEAD = ("answers", "calls", "tokens in", "tokens out", "USD")


def text(found: Mapping[str, Any]) -> str:
    """Return a line for each run and one for all, and what the numbers rest on."""
    runs = found["dry_run"]
    facts = [
        {key: run[key] for key in ("plugin", "model", "strategy")} | run["config"] | {"dataset": run["dataset"]}
        for run in runs
    ]  # fmt: skip
    keys = [key for key in facts[0] if len({str(fact.get(key)) for fact in facts}) > 1]
    keys = list(dict.fromkeys(("plugin", "model", *keys)))
    rows = [[*keys, *HEAD]]
    for fact, run in zip(facts, runs, strict=True):
        rows.append([*(str(fact.get(key, "")) for key in keys), *_cells(run)])
    if len(runs) > 1:
        rows.append(["all", *[""] * (len(keys) - 1), *_cells(found["total"])])
    return "\n".join(
        ["dry run: nobody was asked", "", grid(rows), "", *dict.fromkeys(_notes(found))]
    )


def _cells(run: Mapping[str, Any]) -> list[str]:
    counts = ("answers", "calls", "input_tokens", "output_tokens")
    read, written = run["input_cost"], run["output_cost"]
    money = "–"
    if read is not None:
        money = f"{read:,.4f} + tokens out" if written is None else f"{read + written:,.4f}"
    return [*("–" if run[key] is None else f"{run[key]:,}" for key in counts), money]


def _notes(found: Mapping[str, Any]) -> Iterator[str]:
    several = len(found["dry_run"]) > 1
    for run in found["dry_run"]:
        model = f", {run['model']}" if several else ""
        yield f"tokens in{model}: {run['input_from']}"
        if run["output_from"]:
            yield f"tokens out{model}: {run['output_from']}"
        if run["there"]:
            yield f"{run['plugin']}{model}: {run['there']} answers are there already and are not counted"
        for line in run["left_out"]:
            yield f"not counted{model}: {line}"
    if found["total"]["input_cost"] is None:
        yield "USD: prices=FILE.yaml says what a model costs"
