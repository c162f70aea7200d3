"""How a report reads in a terminal."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from harness.cli import colour, tables_outcomes
from harness.core.facts import printable
from harness.report.report import table_from_json

ROWS = 40  # of one table; all of them are in the files


def report(result: Mapping[str, Any]) -> str:
    """Return the tables of a report, and where its page lies."""
    from harness.report import tables

    parts = []
    for study in result["studies"]:
        series, logs = study["series"], study["logs"]
        answers = sum(entry["answers"] for entry in series)
        parts.append(
            f"{study['plugin']}: {len(series)} series, {answers} answers, {len(logs)} logs"
        )
        if study["warnings"]:
            lines = (f"warning: {printable(line, 1000)}" for line in study["warnings"])
            parts.append("\n".join(map(colour.note, lines)))
        for raw in study["tables"]:
            table = table_from_json(raw)
            more = len(table.rows) - ROWS
            shown = replace(table, rows=table.rows[:ROWS])
            rest = f"\n… {more} rows more in {table.name}.csv" if more > 0 else ""
            parts.append(f"{tables.terminal(shown)}{rest}")
    parts += ["\n".join(tables_outcomes.used_in_all([result]))] if result["usage"] else []
    page = result["page"]
    parts.append(
        f"page: {page}" if page else "out=DIR writes these as a page, with figures and files"
    )
    return "\n\n".join(parts)
