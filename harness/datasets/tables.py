"""Tables in text: which separator a file has, whether its first row names the columns, and its rows."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterable, Iterator
from itertools import chain, islice
from pathlib import Path
from typing import IO, NamedTuple

from harness_errors import DatasetError

from harness.datasets.foreign_json import MAX_RECORD, NO_MORE, Record, Row, is_text

SAMPLE = 1 << 16  # bytes from which the separator is found
ROWS = 10  # rows by which a file is known to have a header, or none
# What separates fields, by the ending of the file's name: the likeliest first.
SEPARATORS = {".csv": ",;\t", ".tsv": "\t", ".tab": "\t", ".txt": "\t;,"}


class Form(NamedTuple):
    """How the fields of a table are separated; whether quotes around a field are no part of it."""

    separator: str = ","
    quoted: bool = True

    def rows(self, lines: Iterable[str]) -> Iterator[list[str]]:
        """Return the rows of a table's lines; raises `csv.Error` where they are malformed."""
        return csv.reader(
            lines,
            delimiter=self.separator,
            quoting=csv.QUOTE_MINIMAL if self.quoted else csv.QUOTE_NONE,
            strict=True,
        )


def form_of(path: Path, sample: bytes) -> Form:
    """Return the form of a table by how it begins: the first separator by which all rows are equally long.

    Where there is none, it is one of the first line.
    """
    separators = SEPARATORS[path.suffix.lower()]
    text = sample.decode("utf-8-sig", "surrogateescape")
    if len(sample) == SAMPLE:
        text = text[: text.rfind("\n") + 1]
    forms = [Form(separator) for separator in separators]
    if path.suffix.lower() != ".csv":  # where a quote may be part of a sentence
        forms += [Form(separator, quoted=False) for separator in separators]
    first_line = text.lstrip("\n\r").partition("\n")[0]
    there = [form for form in forms if form.separator in first_line]
    return next((form for form in forms if _is_even(form, text)), (there or forms)[0])


def _is_even(form: Form, text: str) -> bool:
    lengths: list[int] = []
    try:
        lengths.extend(map(len, filter(None, form.rows(io.StringIO(text, newline="")))))
    except csv.Error:  # of CSV, what was read before it counts: the sample may end within a field
        if not form.quoted or form.separator != ",":
            return False
    return len(set(lengths)) == 1 and lengths[0] > 1


class _TooLong(Exception):
    """A record that is longer than it may be."""


class _Bounded:
    """The lines of a table, as many at a time as one record may have."""

    def __init__(self, file: IO[str]) -> None:
        self.file, self.room = file, MAX_RECORD

    def __iter__(self) -> Iterator[str]:
        while line := self.file.readline(self.room + 1):
            self.room -= len(line)
            if self.room < 0:
                raise _TooLong
            yield line


def records(
    file: IO[str], path: Path, form: Form, known: Callable[[Record], bool]
) -> Iterator[Row]:
    """Yield the rows of a table as records, each with its number or the error that says why it is none.

    The first row names the columns. Where the records so made are none that are ``known``, and those are
    whose columns are called 1, 2, …, there is no header.
    """
    rows = _rows(file, form)
    first = list(islice(rows, ROWS + 1))
    if not first:
        return
    header = first[0]
    width = len(header) if isinstance(header, list) else 0
    numbered = [str(number) for number in range(1, width + 1)]
    # The same name twice is a header gone wrong, unless that row is a record itself.
    telling = first if _is_unique(header) else first[:1]
    if not _knows(header, first[1:], known) and _knows(numbered, telling, known):
        named, rest = numbered, chain(first, rows)
    else:
        if isinstance(header, DatasetError):
            yield 1, header
            return
        named, rest = _header(header, path), chain(first[1:], rows)
    for number, row in enumerate(rest, 1):
        yield number, row if isinstance(row, DatasetError) else _fields(named, row)


def _is_unique(header: list[str] | DatasetError) -> bool:
    return isinstance(header, list) and len(set(header)) == len(header)


def _knows(
    header: list[str] | DatasetError,
    rows: Iterable[list[str] | DatasetError],
    known: Callable[[Record], bool],
) -> bool:
    if not isinstance(header, list) or not _is_unique(header):
        return False
    made = (_fields(header, row) for row in rows if isinstance(row, list))
    return any(isinstance(record, dict) and known(record) for record in made)


def _rows(file: IO[str], form: Form) -> Iterator[list[str] | DatasetError]:
    csv.field_size_limit(MAX_RECORD)
    source = _Bounded(file)
    reader = form.rows(source)
    while True:
        source.room = MAX_RECORD
        try:
            fields = next(reader, None)
        except csv.Error as error:
            yield DatasetError(f"cut off or malformed: {error}; {NO_MORE}")
            return
        except _TooLong:
            yield DatasetError(f"longer than the {MAX_RECORD:,} characters of a record; {NO_MORE}")
            return
        if fields is None:
            return
        if fields:
            yield fields


def _header(fields: list[str], path: Path) -> list[str]:
    if not is_text("".join(fields)):
        raise DatasetError(f"{path}: not UTF-8 in the first line, which names the columns")
    for name in fields:
        if fields.count(name) > 1:
            raise DatasetError(f"{path}: two columns are called '{name[:60]}'")
    return fields


def _fields(header: list[str], fields: list[str]) -> Record | DatasetError:
    got, expected = len(fields), len(header)
    if got < expected:
        return DatasetError(f"has {got} of {expected} fields")
    if got > expected:
        return DatasetError(f"has {got} fields, expected {expected}")
    for name, value in zip(header, fields, strict=True):
        if not is_text(value):
            return DatasetError(f"not UTF-8 in the field '{name[:60]}'")
    return dict(zip(header, fields, strict=True))
