"""How reports, comparisons and plans read in a terminal."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from harness.cli import colour, tables_outcomes
from harness.cli.tables import UNDEFINED, grid, number, paragraph
from harness.core.facts import printable
from harness.report.labels import apart, plain
from harness.report.model import Cell, Estimate, Table

ITEMS = 20  # on which two series differ; up to 1,000 are in --json
LABEL = 80  # characters of a series' label
WIDE = 40  # characters of an answer, a target, the features of an item


def compare(result: Mapping[str, Any]) -> str:
    """Return a table of the series, then of every pair with the items on which the two differ."""
    names = apart((series["label"] for series in result["series"]), LABEL, plain)
    rows = [["series", "items", "unparsed", "unscored"]]
    rows += [
        [names[s["label"]], str(s["n"]), number(s["unparsed"]), str(s["unscored"])]
        for s in result["series"]
    ]
    count = result["comparisons"]
    tests = "1 comparison" if count == 1 else f"{count} comparisons"
    head = f"{result['plugin']} · {len(result['series'])} series · {tests}, p after Holm over all of them"
    parts = [f"{head}\n\n{grid(rows)}"]
    for pair in result["pairs"]:
        parts += _pair(pair, names, result["headline"])
    return "\n\n".join(parts)


def _pair(pair: Mapping[str, Any], names: Mapping[str, str], headline: str) -> Iterator[str]:
    unparsed = f"unparsed: A {number(pair['unparsed_a'])}, B {number(pair['unparsed_b'])}"
    lost = f", {pair['unscored']} unscored left out" if pair["unscored"] else ""
    shared = f", {pair['sources']} sources" if pair["sources"] is not None else ""
    yield (
        f"A: {names[pair['a']]}\nB: {names[pair['b']]}\n"
        f"{pair['n']} items that both answered{lost}{shared}; {unparsed}"
    )
    rows = [["metric", "A", "B", "B − A", "95 % interval", "p", "p (Holm)", "n", "test"]]
    rows += [_metric(result) for result in pair["metrics"]]
    notes = [f"{printable(row['metric'], 80)}: {row['verdict']}" for row in pair["metrics"]]
    if pair["undefined"]:
        notes.append(f"not defined for these items: {', '.join(pair['undefined'])}")
    beyond = [left for left in pair["not_compared"] if left["why"].startswith("beyond")]
    for left in pair["not_compared"]:
        if left not in beyond:
            why = printable(left["why"], 120)
            notes.append(f"{printable(left['metric'], 80)}: {why}; not compared")
    if beyond:
        listed = ", ".join(printable(left["metric"], 80) for left in beyond)
        notes.append(f"not compared, {beyond[0]['why']}: {listed}")
    right = pair["right"]
    every = " (every time)" if pair["epochs"] > 1 else ""
    notes.append(
        f"right by {headline}{every}: both {right['both']}, only A {right['only_a']}, "
        f"only B {right['only_b']}, neither {right['neither']}"
    )
    yield grid(rows) + "\n\n" + "\n".join(notes)
    if pair["items"]:
        yield _items(pair)


def _metric(result: Mapping[str, Any]) -> list[str]:
    name = printable(result["metric"], 80)
    return [
        f"{name} (hard labels)" if len(result["hard_labels"]) == 2 else name,
        number(result["a"]), number(result["b"]), signed(result["difference"]),
        span(result["ci_low"], result["ci_high"]), chance(result["p"]), chance(result["p_holm"]), str(result["n"]),
        result["test"] or "–",
    ]  # fmt: skip


def _items(pair: Mapping[str, Any]) -> str:
    shown = pair["items"][:ITEMS]
    rows = [["item", "features", "target", "A", "B"]]
    for item in shown:
        features = " ".join(f"{key}={value}" for key, value in item["features"].items())
        words = (printable(text, WIDE) for text in (item["id"], features, item["target"]))
        rows.append([*words, _answer(item, "a"), _answer(item, "b")])
    total = pair["items_total"]
    more = f"; the first {len(shown)}, more in --json" if total > len(shown) else ""
    return f"right in only one of the two: {total} items{more}\n{grid(rows)}"


def _answer(item: Mapping[str, Any], side: str) -> str:
    outcome, answer = item[f"outcome_{side}"], item[f"answer_{side}"]
    return outcome if answer is None else f"{outcome}: {printable(answer, WIDE)}"


def signed(value: float | None) -> str:
    """Return a difference with its sign; a dash where it is undefined."""
    return "–" if value is None else f"{value:+.3f}".replace("-", "−")


def span(low: float | None, high: float | None) -> str:
    """Return an interval; a dash where it is undefined."""
    return "–" if low is None or high is None else f"{low:.3f} – {high:.3f}".replace("-", "−")


def chance(p: float | None) -> str:
    """Return a p with two significant digits; a dash where it is undefined."""
    if p is None:
        return "–"
    return "< 0.0001" if p < 0.0001 else f"{p:.2g}"


def plan(result: Mapping[str, Any]) -> str:
    """Return how many items each question takes, and what the numbers rest on."""
    if result["pilot"] is not None:
        basis = f"pilot: {', '.join(map(printable, result['pilot']))}"
    else:
        source = {"dataset": result["dataset"]} if result["dataset"] else {}
        settings = {**source, **result["config"]}
        basis = printable(" ".join(f"{key}={value}" for key, value in settings.items()), 1000)
    head = (
        f"{result['plugin']} · {result['metric']} · d={result['d']:g} · power={result['power']:g} · "
        f"alpha={result['alpha']:g}\n{basis}"
    )
    rows = [["question", "case", "discordant", "items", "decided by", "± half width"]]
    for row in result["rows"]:
        half, many = number(row["half_width"]), number(row["discordant"])
        rows.append([row["question"], row["case"], many, str(row["n"]), row["decided_by"], half])
    parts = [head, grid(rows)]
    if result["designs"]:  # many items once, or few items often
        rows = [
            ["items", "answers to each", "± half width", "power, one model", "power, two models"]
        ]
        for design in result["designs"]:
            counts = (str(design[key]) for key in ("items", "repeats"))
            shares = (number(design[key]) for key in ("half_width", "power", "power_paired"))
            rows.append([*counts, *shares])
        parts.append(
            f"{result['calls']} answers of a model, to see d={result['d']:g}\n{grid(rows)}"
        )
    notes = "\n".join(paragraph(f"- {printable(line, 1000)}") for line in result["assumptions"])
    return "\n\n".join([*parts, notes])


ROWS = 40  # of one table; all of them are in the files


HEAD = (
    "benchmark", "series", "n", "headline", "value", "95 % interval", "best floor", "above shortcut",
    "95 % interval", "unparsed", "unscored",
)  # fmt: skip


def report(result: Mapping[str, Any], verbose: bool = False) -> str:
    """Return the headline of each series, or all tables of a report if ``verbose``, and where its page lies."""
    from harness.report.views_base import brief_table

    parts: list[str] = []
    rows: list[tuple[str, ...]] = []
    for study in result["studies"]:
        every = [brief_table(_table(raw)) for raw in study["tables"]]
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


def _table(raw: Mapping[str, Any]) -> Table:
    """Return the table that its JSON form says."""
    rows = [
        tuple(Estimate(**cell) if isinstance(cell, Mapping) else cell for cell in row)
        for row in raw["rows"]
    ]
    return Table(**{**raw, "head": tuple(raw["head"]), "rows": tuple(rows)})


def _head(study: Mapping[str, Any]) -> str:
    """Return how much there is of a benchmark, and what is to be known of it."""
    answers = sum(entry["answers"] for entry in study["series"])
    head = f"{study['plugin']}: {len(study['series'])} series, {answers} answers, {len(study['logs'])} logs"
    warnings = (paragraph(f"warning: {printable(line, 1000)}") for line in study["warnings"])
    return "\n".join([head, *map(colour.note, warnings)])


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
