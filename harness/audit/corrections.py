"""Write a dataset anew with the labels corrected that two engines contradict, and a record of each change."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

from harness_errors import DatasetError, HarnessError, OutputError

from harness.audit.writers import partial, sync, whole, writer
from harness.core.items import Item
from harness.core.plugins import Plugin
from harness.datasets.foreign_json import NO_MORE
from harness.datasets.reading import Entry


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
        """Write one record, with the label that ``derived`` says, if any does.

        Raises `DatasetError`: the record is where reading ends before the file does.
        """
        with self._own_errors():
            if entry.record is None:
                if str(entry.error).endswith(NO_MORE):
                    lost = "so corrected= would lose the rest; mend the file first"
                    raise DatasetError(f"{entry.error}, {lost}")
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
