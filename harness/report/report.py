"""The command ``harness report``: from logs to a folder with a page, tables and figures."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from harness_errors import SpecError

from harness.report import output_folder
from harness.report.commands import extra_needed, logs_and_keys
from harness.report.model import Estimate, Series, Summary, Table

KEYS = ("out", "items", "prices")
ITEMS = 300  # shown in the explorer of each benchmark where ``items`` is not given
MOST = 5_000

WRITERS = {"csv": "csv", "md": "markdown", "tex": "latex"}


def report(words: Sequence[str], warn: Callable[[str], object]) -> dict[str, Any]:
    """Make the report that the words ask for and return what is in it (see docs/json.md).

    Words without ``=`` are logs or folders of logs; ``out=DIR`` is where the page goes (without it there are
    tables in the terminal only), ``items=`` how many items each benchmark's explorer shows, ``prices=`` a file of
    what models cost, for logs that do not say.

    Raises:
        SpecError: an unknown key, no log named.
        DatasetError: a log that cannot be read.
        OutputError: the folder cannot be written, or holds something else than a report.
        EngineError: the extra ``report`` is not installed.
    """
    logs, out, limit, paid = _options(words)
    with extra_needed():
        from harness.report import log_studies, spending
        from harness.report.summary import summarise

        def summaries() -> list[Summary]:
            studies = log_studies.load(log_studies.logs_of(logs), warn)
            # Several benchmarks share the folders.
            if paid:
                studies = [spending.priced(study, paid) for study in studies]
            return [summarise(study, f"{study.benchmark.name}_") for study in studies]

        if out is None:
            return {"out": None, "page": None, **_studies(summaries())}
        with output_folder.replaced(out) as folder:
            content = summaries()
            _write_folder(folder, content, limit)
    return {"out": out, "page": str(Path(out, "index.html")), **_studies(content)}


def _options(words: Sequence[str]) -> tuple[list[str], str | None, int, str | None]:
    logs, options = logs_and_keys(words, KEYS, "report", "LOG_OR_DIR… out=DIR")
    raw = {key: ",".join(values) for key, values in options.items()}
    text = raw.get("items", str(ITEMS))
    if not text.isascii() or not text.isdecimal() or len(text) > 6 or int(text) > MOST:
        raise SpecError(f"items={text[:40]}: expected a number from 0 to {MOST}")
    return logs, raw.get("out"), int(text), raw.get("prices")


def _write_folder(folder: Path, summaries: Sequence[Summary], limit: int) -> None:
    from harness.report import answers_csv, figures, overview, tables
    from harness.report.page import explorer, page

    for name in ("tables", "figures"):
        (folder / name).mkdir()
    drawn = {}
    first = overview.overview([summary.study for summary in summaries])
    for table in [*([first.table] if first else []), *(t for s in summaries for t in s.tables)]:
        for end, writer in WRITERS.items():
            text = getattr(tables, writer)(table)
            _write_text(folder / "tables" / f"{table.name}.{end}", text)
    for summary in summaries:
        for figure in summary.figures:
            drawn[figure.name] = drawing = figures.draw(figure)
            _write_text(folder / "figures" / f"{figure.name}.svg", drawing.svg)
            (folder / "figures" / f"{figure.name}.png").write_bytes(drawing.png)
        answers_csv.write(folder / f"answers_{summary.study.benchmark.name}.csv", summary.study)
    entries = {
        summary.study.benchmark.name: explorer.entries(summary.study, limit)
        for summary in summaries
    }
    _write_text(
        folder / "report.json",
        json.dumps(
            {"made_by": output_folder.MARK, **_studies(summaries)}, indent=1, allow_nan=False
        ),
    )
    title = " · ".join(entries)
    _write_text(folder / "index.html", page.page(summaries, drawn, entries, title, first))


def _write_text(path: Path, text: str) -> None:
    # Half a character (a lone surrogate) has no bytes in UTF-8.
    path.write_text(text, encoding="utf-8", errors="replace", newline="\n")


def _studies(summaries: Sequence[Summary]) -> dict[str, Any]:
    from harness.report import spending

    return {
        "studies": [_study(summary) for summary in summaries],
        "usage": spending.in_all([summary.study for summary in summaries]),
    }


def _study(summary: Summary) -> dict[str, Any]:
    study = summary.study
    return {
        "plugin": study.benchmark.name,
        "warnings": [*study.warnings, *summary.warnings],
        "logs": [_plain(asdict(log)) for log in study.logs],
        "series": [_series(series) for series in study.series],
        "tables": [_plain(asdict(table)) for table in summary.tables],
        "figures": [
            {"name": figure.name, "title": figure.title, "alt": figure.alt}
            for figure in summary.figures
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
        "answers": sum(len(answer.rows) for answer in series.answers),
    }


def table_from_json(raw: Mapping[str, Any]) -> Table:
    """Return the table that its JSON form says."""
    rows = tuple(
        tuple(Estimate(**cell) if isinstance(cell, Mapping) else cell for cell in row)
        for row in raw["rows"]
    )
    return Table(raw["name"], raw["title"], tuple(raw["head"]), rows, raw["note"], raw["digits"])
