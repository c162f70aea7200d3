"""How a report reads in a terminal."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any

from harness.cli import colour, tables_outcomes
from harness.core.facts import printable
from harness.report.model import Cell, Table
from harness.report.report import table_from_json

ROWS = 40  # of one table; all of them are in the files


def report(result: Mapping[str, Any], verbose: bool = False) -> str:
    """Return the headline of each series, or all tables of a report if ``verbose``, and where its page lies."""
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
        every = [_with_short_marks(table_from_json(raw)) for raw in study["tables"]]
        for table in every if verbose else _headlines(every):
            more = len(table.rows) - ROWS
            shown = replace(table, rows=table.rows[:ROWS])
            rest = f"\n… {more} rows more in {table.name}.csv" if more > 0 else ""
            parts.append(f"{tables.terminal(shown)}{rest}")
    parts += ["\n".join(tables_outcomes.used_in_all([result]))] if result["usage"] else []
    page = result["page"]
    hint = [] if verbose else ["verbose=yes prints all tables"]
    where = f"page: {page}" if page else "out=DIR writes a page, with figures and files"
    parts.append("\n".join([*hint, where]))
    return "\n\n".join(parts)


def _with_short_marks(table: Table) -> Table:
    """Return a table that says "(baseline)" instead of what that is."""
    from harness.report.views_base import NOT_MODELS
    from harness.report.views_names import SHORT

    def cell(content: Cell) -> Cell:
        for kind, remark in NOT_MODELS.items():
            if isinstance(content, str):
                content = content.replace(f"({remark})", f"({SHORT[kind]})")
        return content

    return replace(table, rows=tuple(tuple(map(cell, row)) for row in table.rows))


def _headlines(every: Iterable[Table]) -> Iterator[Table]:
    """Yield the table of results, of each task if there are several, with no metric but the headline."""
    for table in every:
        if table.head[:2] == ("series", "n") and table.head[-2:] == ("unparsed", "unscored"):
            if table.title.endswith(": all metrics"):
                continue
            at = (0, 1, 2, -2, -1)
            rows = tuple(tuple(row[column] for column in at) for row in table.rows)
            yield replace(table, head=tuple(table.head[column] for column in at), rows=rows)
