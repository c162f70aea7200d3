"""Write a dataset anew in the form it was read from, with wrong labels corrected, and a record of each change."""

from __future__ import annotations

import csv
import io
import json
import os
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, closing, contextmanager, suppress
from dataclasses import replace
from pathlib import Path
from typing import IO, Any

from harness_errors import DatasetError, HarnessError, OutputError

from harness.core.items import Item
from harness.core.plugins import Plugin
from harness.datasets import files, foreign_json
from harness.datasets.foreign_json import LONE, NO_MORE, parse
from harness.datasets.output_files import sync
from harness.datasets.reading import Entry
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
    """Write a file that takes its place once all is on disk, leaving nothing if that fails; raises as `hold` does."""
    with hold(path) as file:
        try:
            yield file
            sync(file)
            partial(path).replace(path)
        except BaseException:  # before it is closed: from then on it may be another process's
            partial(path).unlink(missing_ok=True)
            raise


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


class CorrectedDataset:
    """The corrected dataset at ``path``, in the format of ``source``; on disk only once it is complete.

    Its files are closed, and removed if it is not complete, at the end of ``stack``. Raises `OutputError`: one of
    the two files exists, or cannot be written.
    """

    def __init__(self, plugin: Plugin, source: Path, path: Path, stack: ExitStack) -> None:
        self._plugin, self._path = plugin, path
        self._changes_path = path.with_name(path.name + ".changes.jsonl")
        self._must_be_new()
        unfinished = partial(path)
        if os.path.lexists(f"{unfinished}.json"):
            raise OutputError(
                f"{unfinished} is a dataset that generate has not finished; choose another corrected= or remove it "
                f"and {unfinished.name}.json"
            )
        if source.exists() and not source.is_file():
            raise OutputError(f"corrected= reads the dataset twice, and {source} is not a file")
        if path.suffix.lower() != source.suffix.lower():
            raise OutputError(
                f"corrected={path}: expected a name that ends in {source.suffix or 'nothing'}, "
                f"for the dataset keeps its format"
            )
        self._kept = self._changed = self._left_out = 0
        self._files = stack.enter_context(ExitStack())
        with self._own_errors():
            path.parent.mkdir(parents=True, exist_ok=True)
            # The changes are put in place first: a corrected dataset without them must not be seen.
            self._data = self._files.enter_context(whole(path))
            self._changes = self._files.enter_context(whole(self._changes_path))
            self._must_be_new()  # again: another process may just have finished it
            self._writer = writer(self._data, source)

    def _must_be_new(self) -> None:
        for path in (self._path, self._changes_path):
            if os.path.lexists(path):
                raise OutputError(f"{path} exists; choose another corrected= or remove it")

    @contextmanager
    def _own_errors(self) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            raise OutputError(f"{self._path} cannot be written: {error.strerror}") from None

    def entry(self, entry: Entry, derived: Mapping[str, Any] | None) -> None:
        """Write a record, with ``derived``'s label if any; `DatasetError` where reading ends too early."""
        with self._own_errors():
            if entry.record is None:
                if str(entry.error).endswith(NO_MORE):
                    raise DatasetError(
                        f"{entry.error}, so corrected= would lose the rest; mend the file first"
                    )
                self._left_out += 1
                self._note({"where": entry.where, "left_out": str(entry.error)})
                return
            fixed = entry.record
            if entry.item is not None and derived is not None:
                fixed = self._corrected(entry.where, entry.record, entry.item, derived)
            self._writer.record(fixed)
            self._kept += 1

    def _corrected(
        self, where: str, record: dict[str, Any], item: Item, derived: Mapping[str, Any]
    ) -> dict[str, Any]:
        right = replace(item, target=derived["answer"], certificate=derived["certificate"], id="")
        fixed: dict[str, Any] | None
        if "plugin" in record and "problem" in record:
            old = replace(right, certificate=item.certificate, id="")
            with suppress(HarnessError):  # the old certificate stays if it proves the new label
                right = right if self._plugin.call("check", item=old) else old
            fixed = right.to_dict()
        else:
            form = str(item.notes.get("format", ""))
            fixed = self._plugin.call("publish", item=right, format=form, record=dict(record))
        change: dict[str, Any] = {"where": where, "id": item.id}
        if "source_id" in item.notes:
            change["source_id"] = item.notes["source_id"]
        reasons = {"engines": derived["engines"], "evidence": derived["evidence"]}
        if fixed is None:
            why = "the published format cannot say the derived label"
            self._note({**change, "not_corrected": why, "derived": right.target, **reasons})
            return record
        fields = [
            key for key in dict.fromkeys((*record, *fixed)) if record.get(key) != fixed.get(key)
        ]
        self._changed += 1
        self._note({
            **change,
            "fields": {key: {"old": record.get(key), "new": fixed.get(key)} for key in fields},
            "label": {"old": item.target, "new": right.target},
            **reasons,
        })  # fmt: skip
        return fixed

    def _note(self, change: Mapping[str, Any]) -> None:
        self._changes.write(json.dumps(change, ensure_ascii=False) + "\n")

    def commit(self) -> dict[str, Any]:
        """Put both files in their places; return their paths and how many records changed."""
        with self._own_errors():
            self._writer.end()
            sync(self._data)
            self._files.close()
        return {
            "corrected": str(self._path),
            "changes": str(self._changes_path),
            "changed": self._changed,
            "kept": self._kept,
            "left_out": self._left_out,
        }
