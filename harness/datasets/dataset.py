"""Items in and out: fresh ones without duplicates, JSONL with a manifest, and published files."""

from __future__ import annotations

import hashlib
import json
import os
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from typing import Any, cast

from harness_errors import HarnessError, OutputError

from harness.core import fresh
from harness.core.features import features
from harness.core.items import Item, canonical_json
from harness.core.plugins import Plugin
from harness.core.spec import Spec
from harness.datasets import export_items, manifests, proofs, reading
from harness.datasets.features import label_of, shown
from harness.datasets.files import replace
from harness.datasets.output_files import unfinished, write_json
from harness.datasets.progress import Making
from harness.datasets.reading import manifest_path


def load(plugin: Plugin, spec: Spec, left_out: list[str] | None = None) -> list[Item]:
    """Return all items of a spec, generated or read (of the first ``n`` records); a bad record ends it.

    ``left_out`` gets the reasons why the plugin declined a record.
    """
    if spec.dataset is None:
        return list(fresh.items(plugin, spec))
    return list(reading.items(plugin, spec, left_out))


def write(
    plugin: Plugin,
    spec: Spec,
    path: Path,
    ahead: Callable[[int], Iterable[tuple[Item, str]]] | None = None,
) -> dict[str, Any]:
    """Generate a dataset into a JSONL file with a manifest beside it; return the manifest.

    ``ahead`` makes the first draws of all positions from one on, with their lines, where workers do that.

    Lines go to ``<file>.partial`` and the file appears under its name only when complete, so
    an interrupted run leaves no half dataset; the same command picks the partial one up.

    Raises:
        OutputError: the file exists, another dataset is half written there, or writing fails.
    """
    step_facts: dict[str, Any] = {}
    chosen = features().hook.items_of(plugin=plugin, spec=spec, facts=step_facts, kept=path)
    partial = path.with_name(path.name + ".partial")
    head = path.with_name(path.name + ".partial.json")
    try:
        finished = _finished(path, head, spec)
        if finished is not None:
            return finished
        with unfinished(path, "this dataset"):
            written = _resume(partial, head, spec)
            done = written.problems
            # What was dropped is on file, so what is done already is found again.
            firsts = _Ahead(ahead(len(done))) if ahead else None
            rest = fresh.items(plugin, spec, done, firsts=firsts)
            if chosen is not None:
                rest = islice(chosen, len(done), None)
            with _nothing_left(partial, head):
                line_of = firsts.line if firsts else export_items.line
                _append(spec, partial, rest, written, line_of)
            manifest = written.manifest(plugin, spec)
            manifest |= step_facts | manifests.about_of(plugin, spec)
            write_json(manifest_path(path), manifest)
            partial.rename(path)
            head.unlink(missing_ok=True)
    except KeyboardInterrupt:
        raise KeyboardInterrupt(
            f"finished items are kept in {partial}; the same command goes on from there"
        ) from None
    except OSError as error:
        kept = f"what is finished is kept in {partial.name}, the same command goes on from there"
        # Not Path.exists(), which raises where the name itself is at fault.
        more = f"; {kept}" if os.path.exists(partial) else ""  # noqa: PTH110
        raise OutputError(f"{path}: cannot be written: {error.strerror}{more}") from None
    return manifest


@contextmanager
def _nothing_left(partial: Path, head: Path) -> Iterator[None]:
    """Remove the unfinished file if what should fill it is refused before the first item."""
    try:
        yield
    except HarnessError:
        if not partial.stat().st_size:
            partial.unlink()
            head.unlink()
        raise


def _finished(path: Path, head: Path, spec: Spec) -> dict[str, Any] | None:
    """Return the manifest where all that an earlier try of this was killed before is to tidy up."""
    beside = manifest_path(path)
    if not path.exists() or {_fingerprint(head), _fingerprint(beside)} != {spec.fingerprint}:
        return None
    head.unlink(missing_ok=True)
    return cast(dict[str, Any], json.loads(beside.read_text(encoding="utf-8")))


class _Ahead:
    """First draws that workers made: the lines of those that are kept need not be written anew."""

    def __init__(self, drawn: Iterable[tuple[Item, str]]) -> None:
        self._drawn = drawn
        self._last: tuple[Item | None, str] = None, ""

    def __iter__(self) -> Iterator[Item]:
        for item, line in self._drawn:
            self._last = item, line
            yield item

    def line(self, item: Item) -> bytes:
        """Return an item's line: the worker's if the item is its last draw, a new one if it was drawn again."""
        drawn, line = self._last
        return line.encode() if item is drawn else export_items.line(item)


def _fingerprint(path: Path) -> str | None:
    """Return the fingerprint that a file of JSON holds; None: it is not there, or holds none."""
    try:
        return str(json.loads(path.read_text(encoding="utf-8"))["fingerprint"])
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        return None


class _Written:
    """What the lines of a file say in sum, those of an earlier try included."""

    def __init__(self) -> None:
        self.problems: list[str] = []
        self.size = self.items = 0
        self.tally = manifests.Tally()
        self._targets: Counter[str] = Counter()
        self._sha = hashlib.sha256()
        self._first: list[Item] = []

    def add(self, line: bytes, item: Item) -> None:
        """Take in a line and its item."""
        self.items += 1
        self.size += len(line)
        self._sha.update(line)
        if self.items <= proofs.SAMPLE:
            self._first.append(item)
        self._targets[label_of(item.target)] += 1
        self.tally.add(item.notes)

    def manifest(self, plugin: Plugin, spec: Spec) -> dict[str, Any]:
        """Return the manifest of the file."""
        return {
            **manifests.head(plugin, spec),
            "items": self.items,
            "targets": shown(self._targets, ""),
            **self.tally.summary(),
            **proofs.of_sample(plugin, self._first, foreign=False),
            "sha256": self._sha.hexdigest(),
        }


def _resume(partial: Path, head: Path, spec: Spec) -> _Written:
    """Return what the finished lines of an earlier try say; cut off what is no item."""
    written = _Written()
    if not (head.exists() and partial.stat().st_size):
        replace(head, canonical_json({"fingerprint": spec.fingerprint}), alone=True)
        os.truncate(partial, 0)
        return written
    if _fingerprint(head) != spec.fingerprint:
        raise OutputError(
            f"{partial} belongs to a dataset with other settings; remove it and {head.name}, "
            "or choose another out="
        )
    with partial.open("rb") as file:
        for line, item in export_items.finished(file):
            written.problems.append(item.problem_id)
            written.add(line, item)
    os.truncate(partial, written.size)
    return written


def _append(
    spec: Spec,
    partial: Path,
    items: Iterable[Item],
    written: _Written,
    line_of: Callable[[Item], bytes],
) -> None:
    # Line by line: what was generated is kept even when the process is killed.
    with Making(spec.n, written.items) as shown, partial.open("ab") as file:
        for item in items:
            line = line_of(item)
            file.write(line)
            file.flush()
            written.add(line, item)
            shown.at(written.items, written.tally.draws, written.tally.refused)
        os.fsync(file.fileno())
