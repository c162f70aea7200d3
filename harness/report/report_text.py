"""How a report reads in a terminal."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from harness.cli import colour, tables_outcomes
from harness.cli.tables import UNDEFINED, grid, number, paragraph
from harness.core.facts import printable
from harness.report.model import Cell, Estimate, Table
from harness.report.report import table_from_json

ROWS = 40  # of one table; all of them are in the files


HEAD = (
    "benchmark",
    "series",
    "n",
    "headline",
    "value",
    "95 % interval",
    "best floor",
    "above shortcut",
    "95 % interval",
    "unparsed",
    "unscored",
)


def report(result: Mapping[str, Any], verbose: bool = False) -> str:
    """Return the headline of each series, or all tables of a report if ``verbose``, and where its page lies."""
    from harness.report.views_base import brief_table

    parts: list[str] = []
    rows: list[tuple[str, ...]] = []
    for study in result["studies"]:
        every = [brief_table(table_from_json(raw)) for raw in study["tables"]]
        if verbose:
            parts += [_head(study), *map(_whole, every)]
        else:
            worth = _above(every)
            rows += [row for table in every for row in _headlines(study["plugin"], table, worth)]
    if not verbose:
        parts += ["\n".join(map(_head, result["studies"])), _overview(rows)]
    parts += ["\n".join(tables_outcomes.used_in_all([result]))] if result["usage"] else []
    page = result["page"]
    hint = [] if verbose else ["verbose=yes prints all tables"]
    where = f"page: {page}" if page else "out=DIR writes a page, with figures and files"
    parts.append("\n".join([*hint, where]))
    return "\n\n".join(parts)


def _head(study: Mapping[str, Any]) -> str:
    """Return how much there is of a benchmark, and what is to be known of it."""
    answers = sum(entry["answers"] for entry in study["series"])
    lines = (
        colour.note(paragraph(f"warning: {printable(line, 1000)}")) for line in study["warnings"]
    )
    head = f"{study['plugin']}: {len(study['series'])} series, {answers} answers, {len(study['logs'])} logs"
    return "\n".join([head, *lines])


def _whole(table: Table) -> str:
    from harness.report import tables

    more = len(table.rows) - ROWS
    rest = f"\n… {more} rows more in {table.name}.csv" if more > 0 else ""
    return f"{tables.terminal(replace(table, rows=table.rows[:ROWS]))}{rest}"


def _overview(rows: Sequence[Sequence[str]]) -> str:
    """Return one table of the headlines of all benchmarks; what is the same in every row is no column of it."""
    columns = list(zip(HEAD, *rows, strict=True))
    benchmarks, metrics = columns[0][1:], columns[3][1:]
    if not any(value != UNDEFINED for value in columns[7][1:]):
        del columns[7:9]
    if len(set(metrics)) == 1:
        columns[4] = (metrics[0], *columns[4][1:])
        del columns[3]
    if len(set(benchmarks)) == 1:
        del columns[0]
    return grid(list(zip(*columns, strict=True)))


def _above(tables: Sequence[Table]) -> dict[tuple[str, Cell], Cell]:
    """Return the score above the best shortcut, by task and series."""
    return {
        (table.title.removeprefix("Shortcuts: ").rpartition(": ")[0], row[0]): row[-1]
        for table in tables
        if table.head[-1:] == ("above the shortcut",)
        for row in table.rows
    }


def _headlines(
    plugin: str, table: Table, worth: Mapping[tuple[str, Cell], Cell]
) -> Iterator[tuple[str, ...]]:
    """Yield a row of `HEAD` for each series of a table of results; nothing of another table."""
    if table.head[:2] != ("series", "n") or table.head[-2:] != ("unparsed", "unscored"):
        return
    if table.title.endswith(": all metrics"):
        return
    task = table.title.partition(": ")[2]
    name = f"{plugin}, {task}" if task else plugin
    floors = [_value(row[2]) for row in table.rows if row[1] is None]
    best = max((floor for floor in floors if floor is not None), default=None)
    for series, n, headline, *_, unparsed, unscored in table.rows:
        if n is None:
            continue  # a floor
        above = worth.get((task, series))
        yield (
            name, printable(str(series), 200), str(n), table.head[2], number(_value(headline)), _span(headline),
            number(best), number(_value(above)), _span(above),
            _count(_value(unparsed), int(str(n))), str(unscored),
        )  # fmt: skip


def _value(cell: Cell | None) -> float | None:
    return cell.value if isinstance(cell, Estimate) else None


def _span(cell: Cell | None) -> str:
    if not isinstance(cell, Estimate) or cell.low is None:
        return UNDEFINED
    return f"{number(cell.low)} – {number(cell.high)}"


def _count(share: float | None, n: int) -> str:
    """Return of how many items a share is; the share itself where an item has several answers."""
    if share is None:
        return UNDEFINED
    return f"{share:.1%}" if abs(share * n - round(share * n)) > 0.01 else str(round(share * n))
