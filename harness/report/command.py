"""The command ``harness report``: from logs to a folder with a page, tables and figures."""

from __future__ import annotations

import json
import math
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

from harness_errors import SpecError, did_you_mean

from harness.cli.command import Found
from harness.core.feature_hooks import Warn
from harness.core.spec import parse
from harness.report import place
from harness.report.extra import needed
from harness.report.model import Estimate, Figure, LogFacts, Section, Series, Study, Summary, Table

KEYS = ("out", "items")
ITEMS = 300  # shown in the explorer of each benchmark where ``items`` is not given
MOST = 5_000

WRITERS = {"csv": "csv", "md": "markdown", "tex": "latex"}


def report(words: Sequence[str], warn: Callable[[str], object]) -> dict[str, Any]:
    """Make the report that the words ask for and return what is in it (see docs/json.md).

    Words without ``=`` are logs or folders of logs; ``out=DIR`` is where the page goes (without it there are
    tables in the terminal only), ``items=`` how many items each benchmark's explorer shows.

    Raises:
        SpecError: an unknown key, no log named.
        DatasetError: a log that cannot be read.
        OutputError: the folder cannot be written, or holds something else than a report.
        EngineError: the extra ``report`` is not installed.
    """
    logs, out, limit = _asked(words)
    with needed():
        from harness.report import reading
        from harness.report.summary import summarise

        def summaries() -> list[Summary]:
            studies = reading.load(reading.logs_of(logs), warn)
            return [_named(summarise(study)) for study in studies]

        if out is None:
            return {"out": None, "page": None, **_told(summaries())}
        with place.replaced(out) as folder:
            made = summaries()
            _fill(folder, made, limit)
    return {"out": out, "page": str(Path(out, "index.html")), **_told(made)}


def _asked(words: Sequence[str]) -> tuple[list[str], str | None, int]:
    # A log's name may have a `=` in it.
    logs = [word for word in words if "=" not in word or os.path.exists(word)]  # noqa: PTH110 (Path's raises)
    raw = {
        key: ",".join(values) for key, values in parse([w for w in words if w not in logs]).items()
    }
    for key in raw:
        if key not in KEYS:
            raise SpecError(
                f"unknown key '{key[:80]}' for harness report; {did_you_mean(key, KEYS)}"
            )
    if not logs:
        raise SpecError("no log is named: harness report LOG_OR_DIR… out=DIR")
    text = raw.get("items", str(ITEMS))
    if not text.isascii() or not text.isdecimal() or len(text) > 6 or int(text) > MOST:
        raise SpecError(f"items={text[:40]}: expected a number from 0 to {MOST}")
    return logs, raw.get("out"), int(text)


def _named(summary: Summary) -> Summary:
    """Put the benchmark's name before those of its tables and figures: they share folders with others'."""
    own = summary.study.benchmark.name
    return replace(summary, sections=tuple(_prefixed(own, one) for one in summary.sections))


def _prefixed(own: str, section: Section) -> Section:
    return replace(
        section,
        tables=tuple(replace(table, name=f"{own}_{table.name}") for table in section.tables),
        figures=tuple(replace(figure, name=f"{own}_{figure.name}") for figure in section.figures),
    )


def _fill(folder: Path, summaries: Sequence[Summary], limit: int) -> None:
    from harness.report import answers, explorer, figures, page, tables

    for name in ("tables", "figures"):
        (folder / name).mkdir()
    drawn = {}
    for summary in summaries:
        for table in _tables(summary):
            for end, writer in WRITERS.items():
                text = getattr(tables, writer)(table)
                _put(folder / "tables" / f"{table.name}.{end}", text)
        for figure in _figures(summary):
            drawn[figure.name] = one = figures.draw(figure)
            _put(folder / "figures" / f"{figure.name}.svg", one.svg)
            (folder / "figures" / f"{figure.name}.png").write_bytes(one.png)
        answers.write(folder / f"answers_{summary.study.benchmark.name}.csv", summary.study)
    entries = {
        summary.study.benchmark.name: explorer.entries(summary.study, limit)
        for summary in summaries
    }
    _put(
        folder / "report.json",
        json.dumps({"made_by": place.MARK, **_told(summaries)}, indent=1, allow_nan=False),
    )
    _put(folder / "index.html", page.page(summaries, drawn, entries, _title(summaries)))


def _put(path: Path, text: str) -> None:
    # Half a character (a lone surrogate) has no bytes in UTF-8.
    path.write_text(text, encoding="utf-8", errors="replace", newline="\n")


def _title(summaries: Sequence[Summary]) -> str:
    return " · ".join(summary.study.benchmark.name for summary in summaries)


def _tables(summary: Summary) -> Iterator[Table]:
    for section in summary.sections:
        yield from section.tables


def _figures(summary: Summary) -> Iterator[Figure]:
    for section in summary.sections:
        yield from section.figures


def _told(summaries: Sequence[Summary]) -> dict[str, Any]:
    return {"studies": [_study(summary) for summary in summaries]}


def _study(summary: Summary) -> dict[str, Any]:
    study: Study = summary.study
    return {
        "plugin": study.benchmark.name,
        "warnings": [*study.warnings, *summary.warnings],
        "logs": [_log(log) for log in study.logs],
        "series": [_series(one) for one in study.series],
        "tables": [_table(table) for table in _tables(summary)],
        "figures": [
            {"name": one.name, "title": one.title, "alt": one.alt} for one in _figures(summary)
        ],
    }


def _log(log: LogFacts) -> dict[str, Any]:
    found: dict[str, Any] = _finite(asdict(log))
    return found


def _finite(value: Any) -> Any:
    """Return a value that JSON can say: what a log says of its run may hold nan."""
    if isinstance(value, float) and not math.isfinite(value):
        return None
    if isinstance(value, Mapping):
        return {str(key): _finite(one) for key, one in value.items()}
    return [_finite(one) for one in value] if isinstance(value, list | tuple) else value


def _series(series: Series) -> dict[str, Any]:
    return {
        "label": series.label,
        "kind": series.kind,
        "model": series.model,
        "asked": dict(series.asked),
        "settings": dict(series.settings),
        "again": series.again,
        "logs": list(series.logs),
        "answers": len(series.answers),
    }


def _table(table: Table) -> dict[str, Any]:
    rows = [[_cell(cell) for cell in row] for row in table.rows]
    return {"name": table.name, "title": table.title, "head": list(table.head), "rows": rows,
            "note": table.note, "digits": table.digits}  # fmt: skip


def _cell(cell: Any) -> Any:
    return asdict(cell) if isinstance(cell, Estimate) else cell


def table_of(told: Mapping[str, Any]) -> Table:
    """Return the table that its JSON form says."""
    rows = tuple(
        tuple(Estimate(**cell) if isinstance(cell, Mapping) else cell for cell in row)
        for row in told["rows"]
    )
    return Table(
        told["name"], told["title"], tuple(told["head"]), rows, told["note"], told["digits"]
    )


def command(words: Sequence[str], warn: Warn) -> Found:
    """Run ``harness report``."""
    return report(words, warn), 0
