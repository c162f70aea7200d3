"""Write records in the form of the file they were read from: CSV, JSON lines, a JSON document."""

from __future__ import annotations

import csv
import io
import json
import os
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from pathlib import Path
from typing import IO, Any

from harness_errors import DatasetError, OutputError

from harness.datasets import files, foreign_json
from harness.datasets.foreign_json import LONE, parse
from harness.datasets.records import Records
from harness.datasets.tables import Form


def partial(path: Path) -> Path:
    """Return where a file is written until it is complete: one name, so that a kill leaves one file at most."""
    return path.with_name(f"{path.name}.partial")


def hold(path: Path) -> IO[str]:
    """Open the `partial` file of a path, emptied, for this process alone until it is closed.

    Half a surrogate pair is written as JSON writes it. Raises `OSError`: it cannot be opened; `OutputError`:
    another process holds it, or it is a link.
    """
    unfinished = partial(path)
    if unfinished.is_symlink():
        raise OutputError(f"{unfinished} is a link; remove it, or choose another name than {path}")
    file = unfinished.open("a", encoding="utf-8", errors="backslashreplace", newline="")
    busy = f"{unfinished}: another process is writing it; wait for it, or choose another name than {path}"
    try:
        files.hold(file, busy, unfinished)  # whoever held it may have removed or renamed it
        file.truncate(0)
    except BaseException:
        file.close()
        raise
    return file


@contextmanager
def whole(path: Path) -> Iterator[IO[str]]:
    """Write a file that takes its place once all of it is on disk, and leaves nothing if that fails.

    Raises as `hold` does.
    """
    with hold(path) as file:
        try:
            yield file
            sync(file)
            partial(path).replace(path)
        except BaseException:  # before it is closed: from then on it may be another process's
            partial(path).unlink(missing_ok=True)
            raise


def sync(file: IO[str]) -> None:
    """Have all that was written to a file on disk; raises OSError where there is no room."""
    file.flush()
    os.fsync(file.fileno())


def writer(file: IO[str], source: Path) -> Lines:
    """Return what writes records into ``file`` in the form of the dataset ``source``."""
    records = Records(source, lambda _: True)
    with closing(records.file):
        form = records.form
    if form == "csv":
        return Table(file, source, records.table)
    return {"json": Document, "lines": Lines}[form](file, source)


class Lines:
    """Writes JSON lines."""

    def __init__(self, file: IO[str], source: Path) -> None:
        self._file, self._source = file, source

    def record(self, record: Mapping[str, Any]) -> None:
        """Write a record."""
        self._file.write(json.dumps(record, ensure_ascii=False) + "\n")

    def end(self) -> None:
        """Write what follows the last record."""


class Table(Lines):
    """Writes a table with the columns of the first record and the source's separators and line ends."""

    def __init__(self, file: IO[str], source: Path, form: Form) -> None:
        super().__init__(file, source)
        self._form = form
        self._row = io.StringIO()
        self._writer: csv.DictWriter[str] | None = None
        with source.open("rb") as original:
            self._end = "\r\n" if original.readline(2**20).endswith(b"\r\n") else "\n"

    def record(self, record: Mapping[str, Any]) -> None:
        """Write a row, after the names of the columns if it is the first."""
        if self._writer is None:
            # Python quotes a field for a carriage return only where that belongs to the line's end.
            self._writer = csv.DictWriter(
                self._row,
                list(record),
                lineterminator="\r\n",
                delimiter=self._form.separator,
                quotechar='"' if self._form.quoted else None,
                quoting=csv.QUOTE_MINIMAL if self._form.quoted else csv.QUOTE_NONE,
            )
            if list(record) != [str(number) for number in range(1, len(record) + 1)]:
                self._writer.writeheader()  # else there was no header
                self._take()
        self._writer.writerow(record)
        self._take()

    def _take(self) -> None:
        self._file.write(self._row.getvalue().removesuffix("\r\n") + self._end)
        self._row.seek(0)
        self._row.truncate()


class Document(Lines):
    """Writes one JSON document: a list of records, an object that holds such a list, or a single record."""

    _begun = False
    _after = ""

    def record(self, record: Mapping[str, Any]) -> None:
        """Write an element of the list."""
        text = json.dumps(record, ensure_ascii=False)
        if self._begun:
            text = f",\n{text}"
        else:
            self._begin(record)
        self._file.write(text)

    def _begin(self, record: Mapping[str, Any] | None) -> None:
        self._begun = True
        before, self._after = "[", "]"
        members = _Around.of(self._source)
        if members is not None:
            # One record that is all of the document has its fields, whatever its label is by now.
            bare = record is not None and _keys(self._source) == set(record)
            before, self._after = ("", "") if bare else members
        self._file.write(before + "\n" if before else "")

    def end(self) -> None:
        """Close the list, and the object around it."""
        if not self._begun:
            self._begin(None)
        self._file.write(f"\n{self._after}\n" if self._after else "\n")


def _keys(source: Path) -> set[str]:
    """Return the keys of a document so short that it may be a single record."""
    if source.stat().st_size > LONE:
        return set()
    try:
        return set(parse(source.read_text(encoding="utf-8-sig")))
    except (ValueError, RecursionError):
        return set()


class _Around(foreign_json.Document):
    """What an object holds beside its list of records."""

    @classmethod
    def of(cls, source: Path) -> tuple[str, str] | None:
        """Return the texts of a document before and after the elements of its list; None if it is that list."""
        with source.open(encoding="utf-8-sig", errors="surrogateescape", newline="") as file:
            document = cls(file, source)
            try:
                return document._texts() if document._next() == "{" else None
            except Exception as error:  # the reader's own, which it would turn into error records
                raise DatasetError(f"{source}: {error}; corrected= would lose the rest") from None

    def _texts(self) -> tuple[str, str]:
        parts: list[str] = []
        before: str | None = None
        self.at += 1
        while self._next() not in ("}", ""):
            key = json.dumps(self._value(), ensure_ascii=False)
            self._next()
            self.at += 1
            if before is None and self._opens_records():
                before = "".join(f"{part},\n" for part in parts)
                before, parts = f"{{{before}{key}: [", []
                for _ in self._list():
                    pass
            else:
                parts.append(f"{key}: {json.dumps(self._value(), ensure_ascii=False)}")
            if self._after("}") == "}":
                break
        rest = "".join(f",\n{part}" for part in parts)
        return ("{", "}") if before is None else (before, f"]{rest}}}")
