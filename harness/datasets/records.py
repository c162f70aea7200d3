"""The records of a file (a table, JSON, a JSON value a line), one after the other, however long the file is."""

from __future__ import annotations

import io
import re
import shutil
import stat
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, cast

from harness_errors import DatasetError

from harness.datasets import tables
from harness.datasets.foreign_json import (
    CHUNK,
    LONE,
    MAX_RECORD,
    Document,
    Record,
    Row,
    as_record,
    parse,
    why,
)

BOM = b"\xef\xbb\xbf"  # Excel begins a UTF-8 file with it
_BINARY = {
    b"PAR1": "a Parquet file",
    b"PK\x03\x04": "a zip archive (as .xlsx and Inspect's .eval are)",
    b"\x1f\x8b": "compressed with gzip",
    b"\xff\xfe": "text in UTF-16, not UTF-8",
    b"\xfe\xff": "text in UTF-16, not UTF-8",
}


class Records:
    """The records of one file with their numbers, each a dict or the error that says why it is none.

    ``known`` says whether an object is a record: a JSON file that is one object may be a record, or
    hold the list of them. A file that cannot be read as a whole is a `DatasetError`.
    """

    def __init__(self, path: Path, known: Callable[[Record], bool]) -> None:
        self.path, self.known = path, known
        self.table = tables.Form()
        with _readable(path):
            self.file = _open(path)
            try:
                _refuse_binary(path, self.file)
                self.form = self._form()
            except BaseException:
                self.file.close()
                raise

    def where(self, number: int) -> str:
        """Return what to call a record: by its line, where each is one, else by its number."""
        return f"{self.path}:{number}" if self.form == "lines" else f"{self.path}: record {number}"

    def __iter__(self) -> Iterator[Row]:
        with self.file as file, _readable(self.path):
            if self.form == "lines":
                yield from _lines(file)
                return
            # What is no UTF-8 is carried on and found in the record that holds it.
            with io.TextIOWrapper(file, "utf-8-sig", errors="surrogateescape", newline="") as text:
                if self.form == "csv":
                    yield from tables.records(text, self.path, self.table, self.known)
                else:
                    yield from Document(text, self.path).rows(self.known)

    def _form(self) -> str:
        """Return ``csv`` for a table, by the ending of its name, else `_json_form`."""
        if self.path.suffix.lower() not in tables.SEPARATORS:
            return self._json_form()
        sample = self.file.read(tables.SAMPLE)
        self.file.seek(0)
        start = sample.removeprefix(BOM).lstrip()[:1]
        if self.path.suffix.lower() == ".txt" and start in (b"", b"{", b"["):
            return self._json_form()
        self.table = tables.form_of(self.path, sample)
        return "csv"

    def _json_form(self) -> str:
        """Return ``lines`` (a record each) or ``json`` (one document), by what the file begins with."""
        line = b"\n"
        while line and not line.strip():
            line = self.file.readline(LONE).removeprefix(BOM)
        more = any(piece.strip() for piece in iter(lambda: self.file.readline(CHUNK), b""))
        self.file.seek(0)
        start, named = line.strip(), self.path.suffix.lower() == ".json"
        # A longer one would be much to take apart, and is a line of its own or all there is.
        if len(line) < LONE:
            with suppress(ValueError, RecursionError):
                parse(start)
                return "json" if not more and (named or start.startswith(b"[")) else "lines"
        document = named or start == b"{" or re.match(rb"\[\s*(\{|$)", start)
        return "json" if document else "lines"


class ParquetRows(Records):
    """The rows of a Parquet file of ours."""

    def __init__(self, path: Path) -> None:
        self.path, self.form = path, "parquet"

    def __iter__(self) -> Iterator[Row]:
        from harness.datasets.export_parquet import rows_of_parquet

        return iter(enumerate(rows_of_parquet(self.path), 1))


def rows_in(path: Path, known: Callable[[Record], bool]) -> Records:
    """Return the records of one file, by the ending of its name; raises as `Records` does."""
    return ParquetRows(path) if path.suffix.lower() == ".parquet" else Records(path, known)


@contextmanager
def _readable(path: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise DatasetError(f"{path}: cannot be read: {error.strerror}") from None


def _open(path: Path) -> IO[bytes]:
    """Open a file; what comes through a pipe is put into a temporary one, since it is read twice."""
    try:
        kind = path.stat().st_mode
        if stat.S_ISDIR(kind):
            raise DatasetError(f"{path} is a directory, expected a file")
        if stat.S_ISREG(kind):
            return path.open("rb")
        if not stat.S_ISFIFO(kind):
            raise DatasetError(f"{path} is a device, expected a file")
        copy = tempfile.TemporaryFile()  # noqa: SIM115 (whoever reads it closes it)
        with path.open("rb") as pipe:
            shutil.copyfileobj(pipe, copy)
        copy.seek(0)
        return cast(IO[bytes], copy)
    except FileNotFoundError:
        raise DatasetError(f"there is no file {path}") from None
    except ValueError:
        raise DatasetError(f"{ascii(str(path))[:200]} cannot be the name of a file") from None


def _refuse_binary(path: Path, file: IO[bytes]) -> None:
    """Refuse what is known to be no text by how it begins, in words that say what it is."""
    start = file.read(4)
    file.seek(0)
    for magic, name in _BINARY.items():
        if start.startswith(magic):
            raise DatasetError(f"{path} is {name}: CSV, JSON or a JSON value a line is read")


def _lines(file: IO[bytes]) -> Iterator[Row]:
    number = 0
    while line := file.readline(MAX_RECORD + 1):
        number += 1
        if len(line) > MAX_RECORD:
            yield number, DatasetError(f"longer than the {MAX_RECORD:,} bytes of a record")
            while line and not line.endswith(b"\n"):
                line = file.readline(CHUNK)
            continue
        line = line.removeprefix(BOM) if number == 1 else line
        if line.strip():
            yield number, _line(line)


def _line(line: bytes) -> Record | DatasetError:
    try:
        return as_record(parse(line))
    except UnicodeDecodeError as error:
        return DatasetError(why(error))
    except (ValueError, RecursionError) as error:
        if not line.endswith(b"\n"):
            return DatasetError("not a line of JSON (the file ends in mid-line: cut off?)")
        return DatasetError(f"not a line of JSON ({why(error)})")
