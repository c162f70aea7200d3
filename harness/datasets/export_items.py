"""What an export knows of its items: where they come from, a spool on disk, and what they are like in sum."""

from __future__ import annotations

import hashlib
import json
import math
import tempfile
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import IO, Any

from harness_errors import DatasetError, HarnessError, PluginError

from harness.core import facts, fresh, provenance
from harness.core.items import Item, to_json
from harness.core.plugins import Plugin, one_line
from harness.core.spec import Spec
from harness.datasets import dataset, reading

SHOWN = 20  # messages that a result holds in full; all are counted
MAX_FEATURES = 500
MAX_SPLITS = 20
DISTINCT = 2_000  # values of one feature, or targets, that are counted one by one
LONG = 80  # characters of a text beyond which it is no category to be counted
FEW = 20  # values that a manifest lists
BINS = 20
_EXACT = 2**53  # beyond it a float cannot hold every integer
_WIDE = 2**63


@dataclass(slots=True)
class Told:
    """Things that were left out: how many, and what the first ones say."""

    count: int = 0
    first: list[str] = field(default_factory=list)

    def add(self, message: str) -> None:
        """Count one more."""
        self.count += 1
        if len(self.first) < SHOWN:
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
    for found in reading.records(plugin, spec):
        if isinstance(found, HarnessError):
            # The message goes on a card that others read: not where the file lies here.
            unreadable.add(facts.printable(str(found).replace(spec.dataset, name)))
        else:
            good += 1
            yield found
    if not good:
        raise DatasetError(f"{spec.dataset}: no record can be read; {unreadable.first[0]}")


def line(item: Item) -> bytes:
    """Return the line of an item, as ``harness generate`` writes it.

    Raises:
        PluginError: the item holds what is not JSON.
    """
    try:
        return (to_json(item) + "\n").encode()
    except (TypeError, ValueError, RecursionError) as error:
        raise PluginError(
            f"plugin '{item.plugin}': item {item.index} is not JSON: {one_line(error)}"
        ) from error


class Counts:
    """How often each of few, short values came; None once they are too many or too long."""

    def __init__(self) -> None:
        self.values: Counter[Any] | None = Counter()

    def add(self, value: Any, times: int = 1) -> None:
        """Count a value."""
        if self.values is None:
            return
        if isinstance(value, str) and len(value) > LONG:
            self.values = None
            return
        self.values[value] += times
        if len(self.values) > DISTINCT:
            self.values = None


class Feature:
    """One feature over all items: the type of its column, its range, and how its values are spread."""

    def __init__(self) -> None:
        self.kinds: set[str] = set()
        self.count = 0
        self.total = 0.0
        self.low: float | None = None
        self.high: float | None = None
        self.counts = Counts()
        self.bins: list[int] = []

    @property
    def kind(self) -> str:
        """One of ``bool``, ``int``, ``float``, ``string``, and ``json`` for whatever is none of these."""
        if self.kinds == {"int", "float"} and max(-(self.low or 0), self.high or 0) <= _EXACT:
            return "float"
        return next(iter(self.kinds)) if len(self.kinds) == 1 else "json"

    @property
    def numeric(self) -> bool:
        """Whether the feature has a range and a mean."""
        return self.kind in ("int", "float") and self.low is not None

    def add(self, value: Any, tags: bool) -> None:
        """Take in one item's value; of ``tags`` every word counts."""
        kind = kind_of(value)
        self.kinds.add(kind)
        self.count += 1
        if kind == "json":
            self.counts.values = None
            return
        if kind in ("int", "float"):
            self.total += value
            self.low = value if self.low is None else min(self.low, value)
            self.high = value if self.high is None else max(self.high, value)
        for one in sorted(set(value.split())) if tags and kind == "string" else (value,):
            self.counts.add(one)

    @property
    def mean(self) -> float | None:
        """The mean of a numeric feature; None where it is none, or too large to be said."""
        if not self.numeric or not math.isfinite(self.total):
            return None
        return self.total / self.count

    def data(self) -> dict[str, Any]:
        """Return what a manifest says of the feature; the counts of values where they are few."""
        found: dict[str, Any] = {"type": self.kind, "items": self.count}
        if self.numeric:
            found |= {"min": self.low, "max": self.high, "mean": self.mean}
        counts = self.counts.values
        if self.kind != "json" and counts is not None and len(counts) <= FEW:
            ordered = sorted(counts.items(), key=lambda pair: str(pair[0]))
            found["values"] = {str(value): n for value, n in ordered}
        return found

    def bin(self, value: float) -> None:
        """Take in a value for the histogram, once the range is known."""
        if self.low is None or self.high is None:
            return
        self.bins = self.bins or [0] * BINS
        # Halved, or the span of the largest floats would be infinite.
        width = (self.high / 2 - self.low / 2) or 1.0
        self.bins[min(BINS - 1, int((value / 2 - self.low / 2) / width * BINS))] += 1


def kind_of(value: Any) -> str:
    """Return the type of column that one value of a feature fits."""
    if isinstance(value, bool):
        return "bool"
    if isinstance(value, int):
        return "int" if -_WIDE <= value < _WIDE else "json"
    return {float: "float", str: "string"}.get(type(value), "json")


class Profile:
    """What all items are like in sum, in memory that does not grow with their number."""

    def __init__(self, plugin: Plugin) -> None:
        self.tags = frozenset(plugin.benchmark.tags)
        self.items = 0
        self.features: dict[str, Feature] = {}
        self.splits: Counter[str] = Counter()
        self.versions: Counter[str] = Counter()
        self.targets = Counts()
        self.tally = provenance.Tally()
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
        # The verdict of "False: (event1)"; an object has none.
        target = item.target
        self.targets.add(target if target.startswith("{") else target.split(":")[0])
        self.tally.add(item.notes)
        for name, value in item.features.items():
            self.features.setdefault(name, Feature()).add(value, name in self.tags)
        for what, found, most in (
            ("features", self.features, MAX_FEATURES),
            ("splits", self.splits, MAX_SPLITS),
            ("versions", self.versions, MAX_SPLITS),
        ):
            if len(found) > most:
                raise DatasetError(f"item {self.items}: more than {most} different {what}")

    def bin(self, item: Item) -> None:
        """Take in an item once more, for the histograms of features with many values."""
        for name, value in item.features.items():
            feature = self.features[name]
            if feature.numeric and feature.counts.values is None:
                feature.bin(float(value))

    def summary(self) -> dict[str, Any]:
        """Return the part of a manifest that says what the items are."""
        counts = self.targets.values
        few = counts is not None and len(counts) <= FEW and not any(t[:1] == "{" for t in counts)
        many = f"more than {DISTINCT}" if counts is None else len(counts)
        return {
            "items": self.items,
            "targets": dict(sorted(counts.items())) if few and counts is not None else many,
            "splits": dict(sorted(self.splits.items())),
            "features": {name: one.data() for name, one in sorted(self.features.items())},
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
    found = {
        "canary": dataset.CANARY,
        "spec": spec.data(),
        "fingerprint": spec.fingerprint,
        "versions": provenance.versions(plugin) | _installed(packages),
        **profile.summary(),
    }
    found |= {"unreadable": unreadable.data()} if spec.dataset else {}
    said = facts.about(plugin, spec)
    return found | ({} if said is None else {"plugin": said})


def _installed(packages: tuple[str, ...]) -> dict[str, str]:
    from importlib import metadata

    return {name: metadata.version(name) for name in packages}


def recognised(spec: Spec) -> Spec:
    """Return the spec with the format of its dataset left to be recognised by content."""
    return replace(spec, options={**spec.options, "format": None})
