"""From the records of a dataset file to items: none is dropped, and memory stays flat."""

from __future__ import annotations

import hashlib
import json
import re
import sqlite3
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from typing import Any

from harness_errors import Abstained, DatasetError, HarnessError, SpecError, did_you_mean

from harness.core.facts import printable
from harness.core.items import PUBLISHED, Item
from harness.core.plugins import Plugin
from harness.core.schemas import schema_errors
from harness.core.spec import Spec, checksum
from harness.datasets.foreign_json import Record
from harness.datasets.records import Records, rows_in
from harness.datasets.sharded import Shards, is_sharded

MAX_REASONS = 50
FEW = 4  # reasons that are shown
LONGEST = 400  # characters of one


class Reasons:
    """Why records say nothing; reasons that differ in names and numbers only count as one."""

    def __init__(self, messages: Iterable[str] = ()) -> None:
        self._counts: Counter[str] = Counter()
        self._first: dict[str, str] = {}
        for message in messages:
            self.add(message)

    def add(self, message: str) -> None:
        """Count a reason; those beyond `MAX_REASONS` are counted together."""
        reason = re.sub(r"'[^']*'|\"[^\"]*\"|`[^`]*`", "'…'", message[:300])
        reason = re.sub(r"[0-9]+", "#", reason)
        if reason not in self._counts and len(self._counts) >= MAX_REASONS:
            reason = "other reasons"
            message = reason
        self._counts[reason] += 1
        self._first.setdefault(reason, message[:300])

    def summary(self) -> dict[str, int]:
        """Return the reasons, most frequent first."""
        return dict(self._counts.most_common())

    def examples(self) -> dict[str, int]:
        """Return the same, each reason in the words of its first record."""
        return {self._first[reason]: count for reason, count in self._counts.most_common()}


@dataclass(frozen=True, slots=True)
class Entry:
    """One record of a dataset file.

    ``where`` names file and record. ``record`` is what the file holds, None where that cannot be told.
    ``item`` is what became of it, ``error`` why it is not to be used. Both are there where the item is
    sound but its id was used before.
    """

    where: str
    record: dict[str, Any] | None = None
    item: Item | None = None
    error: HarnessError | None = None


def entries(plugin: Plugin, spec: Spec) -> Iterator[Entry]:
    """Yield the records of a dataset, the first ``n`` if that is given, one entry each, in order.

    Reads tables (CSV, other separators), a JSON value a line, a JSON document (a list of objects, or an
    object that holds one such list), and Parquet as ``harness export`` writes it: items of our own, and records
    that the plugin adopts, of the format named by ``format`` or any. Memory does not grow with their number.

    Raises:
        DatasetError: the file as a whole cannot be read.
        SpecError: ``format`` is none of published datasets.
    """
    path, known = spec.dataset, plugin.benchmark.dataset_formats
    if spec.format is not None and spec.format not in known:
        hint = did_you_mean(spec.format, known)
        raise SpecError(f"format={spec.format} is no format of published datasets; {hint}")
    records = _records_of(plugin, spec)
    count = own_items = 0
    with closing(_Seen()) as seen:
        for number, row in islice(records, spec.n):
            count += 1
            where = records.where(number)
            if isinstance(row, DatasetError):
                yield Entry(where, error=DatasetError(f"{where}: {row}"))
                continue
            own_items += _is_own(row)
            item: Item | None = None
            try:
                item = _item(plugin, spec, row)
                source_id = str(item.notes.get("source_id", item.id)) or where
                before = seen.add(source_id, number)
                if before is not None and item.notes.get("ids_repeat"):
                    item = replace(item, notes={**item.notes, "source_id": ""})
                elif before is not None:
                    first = records.where(before)
                    raise DatasetError(f"id '{source_id[:60]}' was used before at {first}")
                yield Entry(where, row, item)
            except Abstained as error:
                yield Entry(where, row, item, Abstained(f"{where}: {error}"))
            except HarnessError as error:
                yield Entry(where, row, item, DatasetError(f"{where}: {error}"))
    if count == 0:
        raise DatasetError(f"{path}: the dataset is empty")
    if own_items == count and spec.adopting:
        raise DatasetError(
            f"'{spec.adopting[0]}' has no effect: {path} holds items, not published records"
        )


def records(plugin: Plugin, spec: Spec) -> Iterator[Item | HarnessError]:
    """Yield every entry of a dataset as its item, or as the error that says why it is none.

    Raises:
        DatasetError: the file as a whole cannot be read.
        SpecError: ``format`` is none of published datasets.
    """
    for entry in entries(plugin, spec):
        result = entry.error or entry.item
        assert result is not None
        yield result


def items(plugin: Plugin, spec: Spec, left_out: list[str] | None = None) -> Iterator[Item]:
    """Yield the items of a dataset; raises what is wrong with the first record that is none.

    Records that the plugin declines (`Abstained`) are no error unless all are: ``left_out`` gets the reasons.
    """
    reasons = [] if left_out is None else left_out
    count = 0
    for result in records(plugin, spec):
        if isinstance(result, Abstained):
            reasons.append(str(result))
        elif isinstance(result, HarnessError):
            raise result
        else:
            count += 1
            yield result
    if reasons and not count:
        many = f"none of its {len(reasons)} records can"
        which = "its only record cannot" if len(reasons) == 1 else many
        raise DatasetError(f"{spec.dataset}: {which} be asked; the first: {reasons[0]}")


def left_out_lines(reasons: Mapping[str, int]) -> list[str]:
    """Return how many records were left out and why, the commonest reasons first; [] if none were."""
    if not reasons:
        return []
    count = sum(reasons.values())
    what = "1 record is" if count == 1 else f"{count} records are"
    if len(reasons) == 1:
        return [f"WARNING: {what} left out; the first: {printable(next(iter(reasons)), LONGEST)}"]
    lines = [f"{number} like {printable(why, LONGEST)}" for why, number in reasons.items()]
    more = [f"… {len(lines) - FEW} more reasons"] if len(lines) > FEW else []
    return [f"WARNING: {what} left out:", *lines[:FEW], *more]


def _records_of(plugin: Plugin, spec: Spec) -> Records | Shards:
    """Return the records of a file, or of a folder or URL of shards; what they are is held against their maker."""
    path = Path(spec.dataset)

    def known(record: Record) -> bool:
        return _is_record(plugin, spec, record)

    try:
        if is_sharded(spec.dataset):
            return Shards(spec.dataset, spec.plugin, known)
        _check_manifest(path, spec)
    except OSError as error:
        raise DatasetError(f"{str(path)[:200]}: cannot be read: {error.strerror}") from None
    return rows_in(path, known)


class _Seen:
    """The ids there were, each with the number of its record, on disk as soon as they are many."""

    def __init__(self) -> None:
        try:
            # An empty name is a private file of SQLite's own, which goes away with the connection.
            self.base = sqlite3.connect("", isolation_level=None, check_same_thread=False)
            for pragma in ("journal_mode=OFF", "synchronous=OFF", "cache_size=-16000"):
                self.base.execute(f"PRAGMA {pragma}")
            self.base.execute("CREATE TABLE seen (id BLOB PRIMARY KEY, number INT) WITHOUT ROWID")
            self.base.execute("BEGIN")
        except sqlite3.Error as error:
            raise DatasetError(f"no temporary file for the ids of a dataset: {error}") from None

    def add(self, source_id: str, number: int) -> int | None:
        """Remember an id; return the number of the record that had it before, or None."""
        # Not hash(): two ids of one digest would make a sound record a duplicate.
        key = hashlib.blake2b(source_id.encode("utf-8", "surrogatepass"), digest_size=16).digest()
        try:
            done = self.base.execute("INSERT OR IGNORE INTO seen VALUES (?, ?)", (key, number))
            if done.rowcount:
                return None
            (before,) = self.base.execute("SELECT number FROM seen WHERE id = ?", (key,)).fetchone()
        except sqlite3.Error as error:
            raise DatasetError(f"no temporary file for the ids of a dataset: {error}") from None
        return int(before)

    def close(self) -> None:
        """Let go of the ids and their file."""
        self.base.close()


def _is_own(row: Mapping[str, Any]) -> bool:
    """Return whether a record is an item as we write it, not one to be adopted."""
    return {"plugin", "problem", "prompt"} <= set(row)


def _is_record(plugin: Plugin, spec: Spec, row: dict[str, Any]) -> bool:
    """Return whether an object that is all of a file is a record, if a wrong one."""
    try:
        return _is_own(row) or _adopted(plugin, spec, row) is not None
    except DatasetError:  # of the right form
        return True
    except HarnessError:  # the plugin cannot take it
        return False


def _adopted(plugin: Plugin, spec: Spec, row: dict[str, Any]) -> Item | None:
    # A copy: what the plugin does to it must not change what the file held.
    item = plugin.call(
        "adopt", record=dict(row), config=dict(spec.config), format=spec.format or ""
    )
    if item is not None and not isinstance(item, Item):
        raise DatasetError(f"adopt() returned {type(item).__name__}, expected an item or None")
    return item


def _check_text(row: Mapping[str, Any]) -> None:
    """Refuse what JSON can say but no file can hold: half of a character, as ``\\ud83d`` alone is."""
    try:
        # Parquet has bytes and dates, too.
        json.dumps(row, ensure_ascii=False, default=str).encode()
    except UnicodeEncodeError as error:
        half = ascii(error.object[error.start])[1:-1]
        raise DatasetError(f"holds half of a character ({half}), which is no text") from None


def _item(plugin: Plugin, spec: Spec, row: Record) -> Item:
    try:
        item = _own_item(spec, row) if _is_own(row) else _adopted(plugin, spec, row)
    except HarnessError:
        _check_text(row)  # what is wrong may come of that
        raise
    if item is None:
        named = f" of the format {spec.format}" if spec.format else ""
        fields = ", ".join(map(str, row))[:200]
        raise DatasetError(
            f"not a record{named} that plugin '{spec.plugin}' knows (fields: {fields})"
        )
    _check_text(item.to_dict())
    for message in schema_errors(plugin.benchmark.problem_schema, item.problem):
        raise DatasetError(f"problem.{message}")
    return item


def _own_item(spec: Spec, row: dict[str, Any]) -> Item:
    if "id" not in row:
        raise DatasetError("item lacks 'id', so nothing shows whether it was changed")
    item = Item.from_dict(row)
    if item.plugin != spec.plugin:
        raise DatasetError(f"made for plugin '{item.plugin}', not '{spec.plugin}'")
    if item.version not in (spec.version, PUBLISHED):
        raise DatasetError(
            f"made by {item.plugin} {item.version}, installed is {spec.version}; "
            "generate it again or install that version"
        )
    return item


def manifest_path(path: Path) -> Path:
    """Return where the manifest of a dataset file lies: beside it."""
    return path.with_name(path.name + ".manifest.json")


def _check_manifest(path: Path, spec: Spec) -> None:
    """Hold a dataset of ours against its manifest, if it has one: checksum and maker."""
    if not path.is_file():
        return
    beside = manifest_path(path)
    if not beside.exists():
        return
    try:
        manifest = json.loads(beside.read_text(encoding="utf-8"))
        maker, expected = manifest["spec"]["plugin"], manifest["sha256"]
    except (OSError, ValueError, KeyError, TypeError, RecursionError) as error:
        raise DatasetError(f"{beside}: not a readable manifest ({type(error).__name__})") from None
    if maker != spec.plugin:
        raise DatasetError(f"{path} was made for plugin '{maker}', not '{spec.plugin}'")
    if checksum(path) != expected:
        raise DatasetError(f"{path}: contents do not match the checksum in {beside.name}")
