"""What an export knows of its items: where they come from, a spool on disk, and what they are like in sum."""

from __future__ import annotations

import hashlib
import json
import tempfile
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import IO, Any

from harness_errors import DatasetError, HarnessError, PluginError

from harness.core import facts, fresh
from harness.core.items import Item, json_bytes
from harness.core.plugins import Plugin, one_line
from harness.core.spec import Spec
from harness.datasets import manifests, reading
from harness.datasets.features import DISTINCT, MAX_FEATURES, Counts, Feature, label_of, shown

SHOWN = 20  # messages that a result holds in full; all are counted
MAX_SPLITS = 20


@dataclass(slots=True)
class Told:
    """Things that were left out: how many, and what the first ones say."""

    most: int = SHOWN
    count: int = 0
    first: list[str] = field(default_factory=list)

    def add(self, message: str) -> None:
        """Count one more."""
        self.count += 1
        if len(self.first) < self.most:
            self.first.append(message)

    def data(self) -> dict[str, Any]:
        """Return ``{"count": …, "first": […]}``."""
        return {"count": self.count, "first": list(self.first)}


def read(plugin: Plugin, spec: Spec, unreadable: Told) -> Iterator[Item]:
    """Yield the items of a spec, generated or read; what cannot be read is told, not yielded.

    Raises:
        DatasetError: the file as a whole cannot be read, or not one of its records.
    """
    if not spec.dataset:
        yield from fresh.items(plugin, spec)
        return
    good, name = 0, Path(spec.dataset).name
    for item in reading.records(plugin, spec):
        if isinstance(item, HarnessError):
            # The message goes on a card that others read: not where the file lies here.
            unreadable.add(facts.printable(str(item).replace(spec.dataset, name)))
        else:
            good += 1
            yield item
    if not good:
        raise DatasetError(f"{spec.dataset}: no record can be read; {unreadable.first[0]}")


def line(item: Item) -> bytes:
    """Return the line of an item, as ``harness generate`` writes it.

    Raises:
        PluginError: the item holds what is not JSON.
    """
    try:
        return json_bytes(item) + b"\n"
    except (TypeError, ValueError, RecursionError) as error:
        raise PluginError(
            f"plugin '{item.plugin}': item {item.index} is not JSON: {one_line(error)}"
        ) from error


def finished(lines: Iterable[bytes]) -> Iterator[tuple[bytes, Item]]:
    """Yield the lines of an unfinished file with their items, up to one that a kill or a crash tore."""
    for text in lines:
        try:
            item = Item.from_dict(json.loads(text))
        except (ValueError, RecursionError, DatasetError):
            return
        if not text.endswith(b"\n"):
            return
        yield text, item


class Profile:
    """What all items are like in sum, in memory that does not grow with their number."""

    def __init__(self, plugin: Plugin) -> None:
        self.tags = frozenset(plugin.benchmark.tags)
        self.items = 0
        self.features: dict[str, Feature] = {}
        self.splits: Counter[str] = Counter()
        self.versions: Counter[str] = Counter()
        self.targets = Counts()
        self.tally = manifests.Tally()
        self.sha = hashlib.sha256()

    def add(self, item: Item, text: bytes) -> None:
        """Take in an item and the line that it is written as.

        Raises:
            DatasetError: the items have too many different features or splits.
        """
        self.items += 1
        self.sha.update(text)
        self.splits[item.split] += 1
        self.versions[item.version] += 1
        self.targets.add(label_of(item.target))
        self.tally.add(item.notes)
        for name, value in item.features.items():
            self.features.setdefault(name, Feature()).add(value, name in self.tags)
        for what, values, most in (
            ("features", self.features, MAX_FEATURES),
            ("splits", self.splits, MAX_SPLITS),
            ("versions", self.versions, MAX_SPLITS),
        ):
            if len(values) > most:
                raise DatasetError(f"item {self.items}: more than {most} different {what}")

    def bin(self, item: Item) -> None:
        """Take in an item once more, for the histograms of features with many values."""
        for name, value in item.features.items():
            feature = self.features[name]
            if feature.numeric and feature.counts.values is None:
                feature.bin(float(value))

    def summary(self) -> dict[str, Any]:
        """Return the part of a manifest that says what the items are."""
        return {
            "items": self.items,
            "targets": shown(self.targets.values, f"more than {DISTINCT}"),
            "splits": dict(sorted(self.splits.items())),
            "features": {name: feature.data() for name, feature in sorted(self.features.items())},
            **self.tally.summary(),
        }


class Spool:
    """All items of an export in a nameless file, so that they can be gone through again.

    The system removes the file when the process ends, however it ends.
    """

    def __init__(self, folder: Path) -> None:
        # Some file systems need a name for a moment: it says what a leftover would be.
        self._file: IO[bytes] = tempfile.TemporaryFile(dir=folder, suffix=".partial")  # noqa: SIM115

    def __enter__(self) -> Spool:
        return self

    def __exit__(self, *_: object) -> None:
        self._file.close()

    def fill(self, items: Iterable[Item], profile: Profile) -> None:
        """Write the items, and take them into the profile."""
        for item in items:
            text = line(item)
            profile.add(item, text)
            self._file.write(text)

    def items(self) -> Iterator[Item]:
        """Yield the items again; their ids are those that were written."""
        self._file.seek(0)
        for text in self._file:
            yield Item(**json.loads(text))


def manifest(
    plugin: Plugin, spec: Spec, profile: Profile, unreadable: Told, packages: tuple[str, ...] = ()
) -> dict[str, Any]:
    """Return what every export says of itself: maker, settings, versions, items, what was left out."""
    from importlib import metadata

    whole = manifests.head(plugin, spec)
    whole["versions"] |= {name: metadata.version(name) for name in packages}
    whole |= profile.summary()
    whole |= {"unreadable": unreadable.data()} if spec.dataset else {}
    return whole | manifests.about_of(plugin, spec)


def recognised(spec: Spec) -> Spec:
    """Return the spec with the format of its dataset left to be recognised by content."""
    return replace(spec, options={**spec.options, "format": None})
