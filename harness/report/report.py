"""The command ``harness report``: from logs to a folder with a page, tables and figures, put in its place whole."""

from __future__ import annotations

import json
import math
import os
import shutil
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import asdict
from pathlib import Path
from typing import Any

from harness_errors import OutputError, SpecError

from harness.datasets import files
from harness.report import figures, log_studies, sections, tables
from harness.report.commands import logs_and_keys
from harness.report.model import Summary
from harness.report.page import explorer, page
from harness.report.summary import overview, summarise

KEYS = ("out", "items", "prices")
ITEMS = 300  # shown in the explorer of each benchmark where ``items`` is not given
MOST = 5_000

WRITERS = {"csv": tables.csv, "md": tables.markdown, "tex": tables.latex}


def report(words: Sequence[str], warn: Callable[[str], object]) -> dict[str, Any]:
    """Make the report that the words ask for and return what is in it (see docs/json.md).

    Words without ``=`` are logs or folders of logs; ``out=DIR`` is where the page goes (without it there are tables
    in the terminal only), ``items=`` how many items each benchmark's explorer shows, ``prices=`` a file of what
    models cost, for logs that do not say. Raises `SpecError`: an unknown key, no log named; `DatasetError`: a log
    that cannot be read; `OutputError`: the folder cannot be written, or holds something else than a report.
    """
    logs, options = logs_and_keys(words, KEYS, "report", "LOG_OR_DIR… out=DIR")
    raw = {key: ",".join(values) for key, values in options.items()}
    text, out, paid = raw.get("items", str(ITEMS)), raw.get("out"), raw.get("prices")
    if not text.isascii() or not text.isdecimal() or len(text) > 6 or int(text) > MOST:
        raise SpecError(f"items={text[:40]}: expected a number from 0 to {MOST}")

    def summaries() -> list[Summary]:
        studies = log_studies.load(log_studies.logs_of(logs), warn)
        # Several benchmarks share the folders.
        if paid:
            studies = [sections.priced(study, paid) for study in studies]
        return [summarise(study, f"{study.benchmark.name}_") for study in studies]

    if out is None:
        return {"out": None, "page": None, **_studies(summaries())}
    with replaced(out) as folder:
        content = summaries()
        _write_folder(folder, content, int(text))
    return {"out": out, "page": str(Path(out, "index.html")), **_studies(content)}


def _write_folder(folder: Path, summaries: Sequence[Summary], limit: int) -> None:
    for name in ("tables", "figures"):
        (folder / name).mkdir()
    drawn = {}
    first = overview([summary.study for summary in summaries])
    for table in [*([first.table] if first else []), *(t for s in summaries for t in s.tables)]:
        for end, writer in WRITERS.items():
            _write_text(folder / "tables" / f"{table.name}.{end}", writer(table))
    for summary in summaries:
        for figure in summary.figures:
            drawn[figure.name] = drawing = figures.draw(figure)
            _write_text(folder / "figures" / f"{figure.name}.svg", drawing.svg)
            (folder / "figures" / f"{figure.name}.png").write_bytes(drawing.png)
        tables.write_answers(folder / f"answers_{summary.study.benchmark.name}.csv", summary.study)
    entries = {s.study.benchmark.name: explorer.entries(s.study, limit) for s in summaries}
    _write_text(
        folder / "report.json",
        json.dumps({"made_by": MARK, **_studies(summaries)}, indent=1, allow_nan=False),
    )
    title = " · ".join(entries)
    _write_text(folder / "index.html", page.page(summaries, drawn, entries, title, first))


def _write_text(path: Path, text: str) -> None:
    # Half a character (a lone surrogate) has no bytes in UTF-8.
    path.write_text(text, encoding="utf-8", errors="replace", newline="\n")


def _studies(summaries: Sequence[Summary]) -> dict[str, Any]:
    return {
        "studies": [_study(summary) for summary in summaries],
        "usage": sections.in_all([summary.study for summary in summaries]),
    }


def _study(summary: Summary) -> dict[str, Any]:
    study = summary.study
    return {
        "plugin": study.benchmark.name,
        "warnings": list(study.warnings),
        "logs": [_plain(asdict(log)) for log in study.logs],
        "series": [
            {
                "label": series.label,
                "kind": series.kind,
                "model": series.model,
                "asked": dict(series.asked),
                "settings": dict(series.settings),
                "again": series.again,
                "logs": list(series.logs),
                "answers": sum(len(answer.rows) for answer in series.answers),
            }
            for series in study.series
        ],
        "tables": [_plain(asdict(table)) for table in summary.tables],
        "figures": [{"name": f.name, "title": f.title, "alt": f.alt} for f in summary.figures],
    }


def _plain(value: Any) -> Any:
    """Return a value that JSON can say; nan, which a log may say of its run, is None."""
    if isinstance(value, float) and not math.isfinite(value):
        return None
    if isinstance(value, Mapping):
        return {str(key): _plain(item) for key, item in value.items()}
    return [_plain(item) for item in value] if isinstance(value, list | tuple) else value


MARK = "harness report"
# What report.json begins with, and what else a report's folder holds.
_BEGIN = f'{{\n "made_by": "{MARK}"'.encode()
_END = ".report-in-work"  # of the name of a folder that a report is written in
_NEW, _OLD = "new", "old"  # in it: the report, and the one whose place it takes
_OWN = ("index.html", "report.json", "tables", "figures")


@contextmanager
def replaced(out: str) -> Iterator[Path]:
    """Yield an empty folder that takes the place of ``out`` when the block ends well; else nothing is left.

    ``out`` may be new, empty, or an earlier report, which is then replaced. What runs that were killed left beside
    it is taken away; a report that one of them was about to replace is put back. Raises `OutputError`: there is
    something else, or nothing can be written there. Noticed before the block.
    """
    try:
        target = Path(os.path.realpath(out))  # of a link, what it leads to is replaced
        _check(target, out)
        missing = [place for place in target.parents if not place.exists()]
        target.parent.mkdir(parents=True, exist_ok=True)
        _clean(target)
        work, held = _work(target)
    except (OSError, ValueError) as error:
        raise _unwritten(out, error) from None
    try:
        (work / _NEW).mkdir()
        yield work / _NEW
        _swap(work, target)
    except OSError as error:
        raise _unwritten(out, error) from None
    finally:
        shutil.rmtree(work, ignore_errors=True)
        os.close(held)
        for folder in missing:  # the innermost first; one that holds the report stays
            with suppress(OSError):
                folder.rmdir()


def _unwritten(out: str, error: OSError | ValueError) -> OutputError:
    why = getattr(error, "strerror", None) or str(error)
    return OutputError(f"out={out[:200]}: the report cannot be written: {why}")


def _check(target: Path, out: str) -> None:
    """Refuse a place below a file, or that holds anything but an earlier report; raises `OSError` for bad names."""
    shown = f"out={out[:200]}"
    if target == Path.cwd() or target in Path.cwd().parents:
        raise OutputError(f"{shown}: you are in that folder; name one of the report's own")
    existing = next(parent for parent in target.parents if os.path.lexists(parent))
    if not existing.is_dir():
        raise OutputError(f"{shown}: '{existing.name[:80]}' is no folder")
    for name in target.relative_to(existing).parts:
        with suppress(FileNotFoundError):  # of other names that cannot be had there it tells
            (existing / name).lstat()
    if not os.path.lexists(target):
        return
    if not target.is_dir():
        raise OutputError(f"{shown}: there is a file of that name; name a new folder")
    names = sorted(file.name for file in target.iterdir())
    if names and not _ours(target / "report.json"):
        raise OutputError(f"{shown}: there is something else than a report; name a new folder")
    for name in names:
        if name not in _OWN and not name.startswith("answers_"):
            raise OutputError(
                f"{shown}: beside an earlier report there is '{name[:80]}', which would be lost; "
                "move it away or name a new folder"
            )


def _ours(path: Path) -> bool:
    if not path.is_file():
        return False
    with path.open("rb") as file:
        return file.read(len(_BEGIN)) == _BEGIN


def _work(target: Path) -> tuple[Path, int]:
    """Make a folder beside the target, and return it with what holds it for this process until that is closed."""
    while True:
        work = Path(tempfile.mkdtemp(_END, f".{target.name[:100]}.", target.parent))
        descriptor = os.open(work, os.O_RDONLY)
        with suppress(OSError):  # some file systems hold nothing
            if not files.held(descriptor, work):  # another run took it for a leftover
                os.close(descriptor)
                continue
        return work, descriptor


def _clean(target: Path) -> None:
    """Take away what killed runs left beside the target; a report that one of them had moved aside is put back."""
    for left in target.parent.glob(f".*{_END}"):
        ours = left.name.startswith(f".{target.name[:100]}.")
        # The earlier report of another target is put back when that is written again.
        if left.is_symlink() or not left.is_dir() or ((left / _OLD).exists() and not ours):
            continue
        descriptor = os.open(left, os.O_RDONLY)
        with suppress(OSError):
            if files.held(descriptor, left):
                if (left / _OLD).exists() and not target.exists():
                    (left / _OLD).rename(target)
                shutil.rmtree(left, ignore_errors=True)
        os.close(descriptor)


def _swap(work: Path, target: Path) -> None:
    """Put the new report in its place; an earlier one is put back if that fails or is broken off."""
    try:
        if target.exists():
            target.rename(work / _OLD)
        (work / _NEW).rename(target)
    except BaseException:
        if (work / _OLD).exists() and not target.exists():
            (work / _OLD).rename(target)
        raise
