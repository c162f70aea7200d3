"""The command ``harness report``: from logs to a folder with a page, tables and figures."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

from harness_errors import SpecError

from harness.report import output_folder
from harness.report.command_words import logs_and_keys, needed
from harness.report.model import Estimate, Figure, Section, Series, Study, Summary, Table

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
        from harness.report import log_studies
        from harness.report.summary import summarise

        def summaries() -> list[Summary]:
            studies = log_studies.load(log_studies.logs_of(logs), warn)
            return [_named(summarise(study)) for study in studies]

        if out is None:
            return {"out": None, "page": None, **_told(summaries())}
        with output_folder.replaced(out) as folder:
            content = summaries()
            _fill(folder, content, limit)
    return {"out": out, "page": str(Path(out, "index.html")), **_told(content)}


def _asked(words: Sequence[str]) -> tuple[list[str], str | None, int]:
    logs, options = logs_and_keys(words, KEYS, "report", "LOG_OR_DIR… out=DIR")
    raw = {key: ",".join(values) for key, values in options.items()}
    text = raw.get("items", str(ITEMS))
    if not text.isascii() or not text.isdecimal() or len(text) > 6 or int(text) > MOST:
        raise SpecError(f"items={text[:40]}: expected a number from 0 to {MOST}")
    return logs, raw.get("out"), int(text)


def _named(summary: Summary) -> Summary:
    """Put the benchmark's name before those of its tables and figures: they share folders with others'."""
    plugin = summary.study.benchmark.name
    return replace(
        summary, sections=tuple(_prefixed(plugin, section) for section in summary.sections)
    )


def _prefixed(plugin: str, section: Section) -> Section:
    return replace(
        section,
        tables=tuple(replace(table, name=f"{plugin}_{table.name}") for table in section.tables),
        figures=tuple(
            replace(figure, name=f"{plugin}_{figure.name}") for figure in section.figures
        ),
    )


def _fill(folder: Path, summaries: Sequence[Summary], limit: int) -> None:
    from harness.report import answers_csv, figures, tables
    from harness.report.page import explorer, page

    for name in ("tables", "figures"):
        (folder / name).mkdir()
    drawn = {}
    for summary in summaries:
        for table in _tables(summary):
            for end, writer in WRITERS.items():
                text = getattr(tables, writer)(table)
                _put(folder / "tables" / f"{table.name}.{end}", text)
        for figure in _figures(summary):
            drawn[figure.name] = drawing = figures.draw(figure)
            _put(folder / "figures" / f"{figure.name}.svg", drawing.svg)
            (folder / "figures" / f"{figure.name}.png").write_bytes(drawing.png)
        answers_csv.write(folder / f"answers_{summary.study.benchmark.name}.csv", summary.study)
    entries = {
        summary.study.benchmark.name: explorer.entries(summary.study, limit)
        for summary in summaries
    }
    _put(
        folder / "report.json",
        json.dumps({"made_by": output_folder.MARK, **_told(summaries)}, indent=1, allow_nan=False),
    )
    _put(folder / "index.html", page.page(summaries, drawn, entries, " · ".join(entries)))


def _put(path: Path, text: str) -> None:
    # Half a character (a lone surrogate) has no bytes in UTF-8.
    path.write_text(text, encoding="utf-8", errors="replace", newline="\n")


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
        "logs": [_plain(asdict(log)) for log in study.logs],
        "series": [_series(series) for series in study.series],
        "tables": [_plain(asdict(table)) for table in _tables(summary)],
        "figures": [
            {"name": figure.name, "title": figure.title, "alt": figure.alt}
            for figure in _figures(summary)
        ],
    }


def _plain(value: Any) -> Any:
    """Return a value that JSON can say; nan, which a log may say of its run, is None."""
    if isinstance(value, float) and not math.isfinite(value):
        return None
    if isinstance(value, Mapping):
        return {str(key): _plain(item) for key, item in value.items()}
    return [_plain(item) for item in value] if isinstance(value, list | tuple) else value


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


def table_of(raw: Mapping[str, Any]) -> Table:
    """Return the table that its JSON form says."""
    rows = tuple(
        tuple(Estimate(**cell) if isinstance(cell, Mapping) else cell for cell in row)
        for row in raw["rows"]
    )
    return Table(raw["name"], raw["title"], tuple(raw["head"]), rows, raw["note"], raw["digits"])
