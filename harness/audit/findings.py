"""The findings of an audit: their kinds, and a file that holds them in the order of the records."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from harness.core.items import Item

# Kinds of findings, gravest first, with what each means.
KINDS: Mapping[str, str] = {
    "label": "the published label is not what the engines derive, or its record rules it out",
    "contradiction": "the same problem or prompt came before with another label",
    "prompt": "the prompt states another problem than the formal one",
    "record": "the record contradicts itself, or is malformed in part",
    "certificate": "the item's own certificate does not prove its label",
    "schema": "the problem has not the form that the benchmark describes",
    "unreadable": "the record could not be understood",
    "id": "the record's id was used before, so that no answer can be told to be this one's",
    "engine": "an engine failed on the item",
    "unscored": "the answer could not be judged",
    "hook": "a check of the plugin failed on the item",
    "weakness": "the item does not measure what it claims",
    "undecided": "no engine could decide the item",
    "declined": "the benchmark cannot ask the record, or the settings leave it out",
    "unread": "the prompt of a published record cannot be read back into a problem",
    "duplicate": "the same problem or prompt came before",
    "by_design": "the item is weak in a way that its settings allow",
    "note": "the item has a property that is worth knowing",
}
# The kind of the finding that an item has a weakness, by its level.
WEAK: Mapping[str, str] = {"grave": "weakness", "by_design": "by_design", "note": "note"}
# The rest says something of a dataset's quality, and nothing against its truth or its worth.
GRAVE = tuple(KINDS)[: tuple(KINDS).index("undecided")]


def item_place(finding: Mapping[str, Any], dataset: str | None) -> str:
    """Return the number of a finding's item, from 0, and where it is within its dataset."""
    within = place(str(finding["where"]), dataset)
    return ", ".join(dict.fromkeys((f"item {finding['position']}", within)))


def place(where: str, dataset: str | None) -> str:
    """Return where a record is within its dataset, without the name of the file."""
    rest = where.removeprefix(dataset or "")
    return f"line {rest[1:]}" if re.fullmatch(":[0-9]+", rest) else rest.removeprefix(": ")


class Findings:
    """Findings in the order of the records, one JSON line each in a file."""

    def __init__(self, path: Path) -> None:
        self._file = path.open("w+", encoding="utf-8")
        self.kinds: Counter[str] = Counter()

    def add(
        self, position: int, where: str, item: Item | None, kind: str, message: str, **more: Any
    ) -> None:
        """Add a finding; ``more`` are further fields, left out where empty."""
        self.kinds[kind] += 1
        name = "" if item is None else item.id
        source = "" if item is None else str(item.notes.get("source_id", ""))
        finding = {"position": position, "where": where, "id": name, "source_id": source, "kind": kind,
                   "message": message, **more}  # fmt: skip
        kept = {k: v for k, v in finding.items() if v != "" or k in ("id", "message")}
        self._file.write(json.dumps(kept, ensure_ascii=True) + "\n")

    @property
    def total(self) -> int:
        """How many there are."""
        return self.kinds.total()

    @property
    def grave(self) -> int:
        """How many of them say that something is not true, or measures nothing."""
        return sum(self.kinds[kind] for kind in GRAVE)

    def lines(self) -> Iterator[str]:
        """Yield all findings as JSON texts."""
        self._file.seek(0)
        for line in self._file:
            yield line.rstrip("\n")

    def gravest(self, most: int) -> Iterator[dict[str, Any]]:
        """Yield findings in the order of the records; of more than ``most`` those of the gravest kinds."""
        left: dict[str, int] = {}
        for kind in KINDS:
            left[kind] = min(self.kinds[kind], most - sum(left.values()))
        for line in self.lines():
            if not sum(left.values()):
                return
            finding = json.loads(line)
            if left[finding["kind"]]:
                left[finding["kind"]] -= 1
                yield finding

    def close(self) -> None:
        """Close the file."""
        self._file.close()


@dataclass(frozen=True, slots=True)
class At:
    """One record of the dataset: takes the findings on its item."""

    findings: Findings
    position: int
    where: str
    item: Item

    def note(self, kind: str, message: str, **more: Any) -> None:
        """Add a finding on the item."""
        self.findings.add(self.position, self.where, self.item, kind, message, **more)
