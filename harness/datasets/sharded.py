"""Read a dataset in shards, in a folder or behind a URL, as one."""

from __future__ import annotations

import json
import re
from bisect import bisect_left
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from harness_errors import DatasetError, OutputError, SpecError

from harness.core.facts import printable
from harness.core.items import digest
from harness.core.spec import MANIFEST, checksum
from harness.datasets.foreign_json import Record, Row
from harness.datasets.records import rows_in
from harness.datasets.storage import Storage, hidden, is_url

MAX_MANIFEST = 64 * 2**20  # bytes


def is_sharded(place: str) -> bool:
    """Return whether a dataset is named by its folder or by a URL."""
    return is_url(place) or Path(place).is_dir()


class Shards:
    """The records of all shards with their numbers, as `harness.datasets.records.Records` are those of one file.

    Each shard is held against its checksum before its first record is used; one that was changed is a `DatasetError`.
    """

    def __init__(self, place: str, plugin: str, known: Callable[[Record], bool]) -> None:
        self.shown = hidden(place) if is_url(place) else place
        self._known = known
        try:
            self._store = Storage(place)
        except SpecError as error:
            raise DatasetError(str(error).replace("out=", "dataset=", 1)) from None
        self._files = self._listed(plugin)
        self._starts = [0]
        for entry in self._files:
            self._starts.append(self._starts[-1] + entry["items"])

    def _listed(self, plugin: str) -> list[dict[str, Any]]:
        with _reading(self.shown):
            size = self._store.size(MANIFEST)
            text = self._store.read(MANIFEST) if size is not None and size <= MAX_MANIFEST else b""
        if size is None:
            raise DatasetError(
                f"{self.shown}: no {MANIFEST}: not a dataset in shards, or an unfinished one "
                "(the same harness generate goes on with it)"
            )
        try:
            manifest = json.loads(text or b"")
            maker, files = manifest["spec"]["plugin"], list(manifest["shards"])
            right = all(map(_is_file, files)) and [manifest["sha256"], manifest["items"]] == [
                digest([entry["sha256"] for entry in files]),
                sum(entry["items"] for entry in files),
            ]  # those that it was written for, in their order
        except (ValueError, KeyError, TypeError, RecursionError):
            right = False
        if not right:
            raise DatasetError(f"{self.shown}/{MANIFEST}: not a readable manifest")
        if maker != plugin:
            name = printable(str(maker), 80)
            raise DatasetError(f"{self.shown} was made for plugin '{name}', not '{plugin}'")
        return files

    def where(self, number: int) -> str:
        """Return what to call a record, from its number (from 1)."""
        at = bisect_left(self._starts, number) - 1
        if not 0 <= at < len(self._files):
            return f"{self.shown}: record {number}"
        return f"{self.shown}/{self._files[at]['file']}: record {number - self._starts[at]}"

    def __iter__(self) -> Iterator[Row]:
        for entry, start in zip(self._files, self._starts, strict=False):
            count = 0
            with self._checked(entry) as path:
                for count, (_, row) in enumerate(rows_in(path, self._known), 1):
                    yield start + count, row
            if count != entry["items"]:
                raise DatasetError(
                    f"{self.shown}/{entry['file']}: {count} records, the manifest says {entry['items']}"
                )

    @contextmanager
    def _checked(self, entry: dict[str, Any]) -> Iterator[Path]:
        with _reading(self.shown):
            if self._store.size(entry["file"]) is None:
                raise DatasetError(
                    f"{self.shown}/{entry['file']}: it is not there; {MANIFEST} names it"
                )
        with _reading(self.shown), self._store.fetched(entry["file"]) as path:
            if checksum(path) != entry["sha256"]:
                raise DatasetError(
                    f"{self.shown}/{entry['file']}: contents do not match the checksum in {MANIFEST}"
                )
            yield path


def _is_file(entry: dict[str, Any]) -> bool:
    """Return whether an entry of a manifest names a file right beside it, with a count and a checksum."""
    name, items, sha = entry["file"], entry["items"], entry["sha256"]
    plain = isinstance(name, str) and re.fullmatch(r"[\w-][\w.-]{0,199}", name) is not None
    return plain and type(items) is int and items >= 0 and isinstance(sha, str)


@contextmanager
def _reading(shown: str) -> Iterator[None]:
    try:
        yield
    except OutputError as error:  # as a storage calls whatever fails
        raise DatasetError(str(error)) from None
    except OSError as error:
        raise DatasetError(f"{shown}: cannot be read: {error.strerror}") from None
