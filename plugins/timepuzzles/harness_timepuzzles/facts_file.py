"""From the text of a file of facts to rows of text; what the rows say is for `facts` to judge."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from harness_errors import did_you_mean

from harness import HarnessError

COLUMNS = ("kind", "name", "start", "end", "years", "office", "source")
MAX_BYTES = 5_000_000
MAX_ROWS = 20_000
MAX_VALUES = 500_000  # in all of a YAML file
MAX_SHOWN = 60  # characters of a cell, in a message
MAX_DEPTH = 3  # of YAML: a list of mappings, one value of which may be a list


class FactsError(HarnessError):
    """A file of facts that cannot be read, or a fact in it that makes no sense."""


@dataclass(frozen=True, slots=True)
class Row:
    """One fact as text: where it stands, and its cells by column."""

    where: str
    cells: Mapping[str, str]

    def __getitem__(self, column: str) -> str:
        return self.cells.get(column, "")

    def wrong(self, why: str) -> FactsError:
        """Return the error that says what is wrong with this fact."""
        name = f" ({shown(self['name'])})" if self["name"] else ""
        return FactsError(f"{self.where}{name}: {why}")


def shown(text: str) -> str:
    """Return a cell in quotes, short and on one line."""
    line = "".join(char if char.isprintable() else "�" for char in text)
    return f"'{line[:MAX_SHOWN]}…'" if len(line) > MAX_SHOWN else f"'{line}'"


def content(path: str) -> bytes:
    """Return the bytes of a file.

    Raises:
        FactsError: it cannot be read or is too large.
    """
    try:
        with Path(path).open("rb") as file:
            data = file.read(MAX_BYTES + 1)
    except (OSError, ValueError) as error:  # a null byte in the name is a ValueError
        why = error.strerror if isinstance(error, OSError) else str(error)
        raise FactsError(f"{path}: cannot be read: {why}") from None
    if len(data) > MAX_BYTES:
        raise FactsError(
            f"{path}: more than {MAX_BYTES // 1_000_000} MB, which is the most a file of facts may have"
        )
    return data


def rows(path: str, data: bytes) -> Iterator[Row]:
    """Return one row per fact of a CSV or YAML file.

    Raises:
        FactsError: it is neither, is not UTF-8, is empty, malformed or too long, or has a column
            that there is none of.
    """
    suffix = Path(path).suffix.lower()
    if suffix not in (".csv", ".yaml", ".yml"):
        raise FactsError(f"{path}: the name of a file of facts ends in .csv, .yaml or .yml")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise FactsError(f"{path}: not UTF-8 text (byte {error.start + 1})") from None
    if not text.strip():
        raise FactsError(
            f"{path}: empty; it needs the names of the columns and a row for each fact"
        )
    return _csv_rows(path, text) if suffix == ".csv" else _yaml_rows(path, text)


def _csv_rows(path: str, text: str) -> Iterator[Row]:
    header: list[str] = []
    # The limit is the process's, and others raise it too: never below what a whole file may hold.
    csv.field_size_limit(max(csv.field_size_limit(), MAX_BYTES))
    reader = csv.reader(io.StringIO(text, newline=""), strict=True)
    number = 0
    try:
        for number, cells in enumerate(reader, 1):
            where = f"{path}: row {number}"
            if not cells:
                continue
            if not header:
                header = cells
                _check_columns(where, header)
                continue
            if len(cells) != len(header):
                raise FactsError(
                    f"{where}: {len(cells)} fields, but the header names {len(header)}; quote a field with a comma"
                )
            if number > MAX_ROWS + 1:
                raise FactsError(f"{path}: more than {MAX_ROWS:,} rows")
            yield Row(where, dict(zip(header, cells, strict=True)))
    except csv.Error as error:
        raise FactsError(f"{path}: row {number + 1}: malformed CSV: {error}") from None


def _check_columns(where: str, columns: list[str]) -> None:
    for at, column in enumerate(columns):
        if column not in COLUMNS:
            raise FactsError(
                f"{where}: unknown column {shown(column)}; {did_you_mean(column[:MAX_SHOWN], COLUMNS)}"
            )
        if column in columns[:at]:
            raise FactsError(f"{where}: the column '{column}' stands there twice")
    for column in ("kind", "name"):
        if column not in columns:
            raise FactsError(f"{where}: the column '{column}' is missing")


def _yaml_rows(path: str, text: str) -> Iterator[Row]:
    """Take scalars as they are written, so that 1805-10-21 and 1869 stay text and `no` a word."""
    import yaml

    loader: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    try:
        _check_nesting(path, yaml.parse(text, Loader=loader))
        root = yaml.compose(text, Loader=loader)
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        line = f"line {mark.line + 1}: " if mark else ""
        why = str(getattr(error, "problem", None) or error).splitlines()[0]
        raise FactsError(f"{path}: {line}malformed YAML: {why}") from None
    if not isinstance(root, yaml.SequenceNode):
        raise FactsError(
            f"{path}: a list of facts is needed, each a mapping with kind, name, start …"
        )
    if len(root.value) > MAX_ROWS:
        raise FactsError(f"{path}: more than {MAX_ROWS:,} rows")
    for number, entry in enumerate(root.value, 1):
        where = f"{path}: row {number}"
        if not isinstance(entry, yaml.MappingNode):
            raise FactsError(f"{where}: a mapping is needed, with kind, name, start …")
        columns = [str(key.value) for key, _ in entry.value]
        _check_columns(where, columns)
        values = (
            _yaml_text(where, column, node)
            for column, (_, node) in zip(columns, entry.value, strict=True)
        )
        yield Row(where, dict(zip(columns, values, strict=True)))


def _check_nesting(path: str, events: Any) -> None:
    """Refuse what would be deep or huge once put together, before it is."""
    depth = 0
    for number, event in enumerate(events):
        if number > MAX_VALUES:
            raise FactsError(f"{path}: more than {MAX_VALUES:,} values")
        name = type(event).__name__
        depth += name.endswith("StartEvent") and not name.startswith(("Stream", "Document"))
        depth -= name in ("SequenceEndEvent", "MappingEndEvent")
        if depth > MAX_DEPTH:
            raise FactsError(
                f"{path}: line {event.start_mark.line + 1}: nested too deep for a list of mappings"
            )
        if name == "AliasEvent":
            raise FactsError(
                f"{path}: line {event.start_mark.line + 1}: an alias (*{event.anchor}); write it out"
            )


def _yaml_text(where: str, column: str, node: Any) -> str:
    if isinstance(node.value, str):
        return "" if node.tag == "tag:yaml.org,2002:null" else node.value
    parts = [getattr(part, "value", None) for part in node.value]
    if column == "years" and all(isinstance(part, str) for part in parts):
        return ";".join(map(str, parts))
    raise FactsError(f"{where}: '{column}' must be text, not a list or a mapping")
