"""The findings of an audit, and what it counts over all records: duplicates, labels, readings, constant answers.

Memory does not grow with the dataset: findings, problems and labels that came before lie on disk.
"""

from __future__ import annotations

import hashlib
import json
import math
import re
import sqlite3
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping
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


class Database:
    """Tables on disk, which are worth nothing after a crash."""

    def __init__(self, path: Path, *tables: str) -> None:
        self._db = sqlite3.connect(path, isolation_level=None)
        for pragma in ("journal_mode=OFF", "synchronous=OFF", "temp_store=FILE"):
            self._db.execute(f"PRAGMA {pragma}")
        for table in tables:
            self._db.execute(f"CREATE TABLE {table}")
        self._db.execute("BEGIN")

    def close(self) -> None:
        """Close the database."""
        self._db.close()


class Findings(Database):
    """Findings in the order of the records, each a JSON text."""

    def __init__(self, path: Path) -> None:
        super().__init__(path, "findings (rank, text)")
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
        row = tuple(KINDS).index(kind), json.dumps(kept)
        self._db.execute("INSERT INTO findings VALUES (?, ?)", row)

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
        return (text for (text,) in self._db.execute("SELECT text FROM findings ORDER BY rowid"))

    def gravest(self, most: int) -> Iterator[dict[str, Any]]:
        """Yield findings in the order of the records; of more than ``most`` those of the gravest kinds."""
        chosen = "SELECT rowid AS place, text FROM findings ORDER BY rank, place LIMIT ?"
        rows = self._db.execute(f"SELECT text FROM ({chosen}) ORDER BY place", (most,))  # noqa: S608
        return (json.loads(text) for (text,) in rows)


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


FEW = 20  # labels that are listed with their counts
SHORT = 60  # characters of a label beyond which none is listed: they are answers, not classes
UNDETERMINED = "undetermined"
ENOUGH = 0.95  # of the labels must hold under the reading that the data follows


class Seen(Database):
    """Problems, prompts and labels seen so far."""

    def __init__(self, path: Path) -> None:
        columns = (
            "seen (key BLOB PRIMARY KEY, place, label)",
            "labels (key BLOB PRIMARY KEY, times)",
        )
        super().__init__(path, *(f"{table} WITHOUT ROWID" for table in columns))

    def first(self, kind: str, identity: str, where: str, label: str) -> tuple[str, str] | None:
        """Return place and label of the first item of this identity, or None and remember this one."""
        key = _key(kind, identity)
        row = self._db.execute("SELECT place, label FROM seen WHERE key = ?", (key,)).fetchone()
        if row is None:
            self._db.execute("INSERT INTO seen VALUES (?, ?, ?)", (key, where, label))
            return None
        return str(row[0]), str(row[1])

    def label(self, label: str) -> None:
        """Count a label."""
        count = "INSERT INTO labels VALUES (?, 1) ON CONFLICT (key) DO UPDATE SET times = times + 1"
        self._db.execute(count, (_key("label", label),))

    def distinct(self) -> tuple[int, int]:
        """Return how many labels there are, and the sum over them of n (n - 1): equal ordered pairs."""
        query = "SELECT count(*), coalesce(sum(times * (times - 1)), 0) FROM labels"
        count, pairs = self._db.execute(query).fetchone()
        return int(count), int(pairs)


def _key(kind: str, identity: str) -> bytes:
    return hashlib.sha256(f"{kind}|{identity}".encode(errors="surrogatepass")).digest()[:16]


class Duplicates:
    """Items whose formal problem or prompt came before, and whether the labels agree."""

    def __init__(self, seen: Seen, same: Callable[[Item, str, str], bool]) -> None:
        self._seen, self._same = seen, same
        self.counts = {"problem": 0, "prompt": 0, "contradicting": 0}

    def item(self, at: At) -> None:
        """Compare an item with all before it."""
        item, places, other = at.item, dict[str, str](), ""
        for kind, identity in (("problem", item.problem_id), ("prompt", item.prompt)):
            first = self._seen.first(kind, identity, at.where, item.target)
            if first is not None:
                places[kind], label = first
                self.counts[kind] += 1
                if label != item.target and not self._same(item, label, item.target):
                    other = label
        if not places:
            return
        message = ", ".join(f"same {kind} as {place}" for kind, place in places.items())
        if len(set(places.values())) == 1 and len(places) == 2:
            message = f"same problem and prompt as {places['problem']}"
        if not other:
            at.note("duplicate", message)
            return
        self.counts["contradicting"] += 1
        message = f"{message}, which has the label {other[:200]}; this one has {item.target[:200]}"
        at.note("contradiction", message)


class Labels:
    """Balance and order of the labels."""

    def __init__(self, seen: Seen) -> None:
        self._seen = seen
        self._counts: Counter[str] | None = Counter()
        self._before: str | None = None
        self._equal = self._n = 0

    def item(self, item: Item) -> None:
        """Count an item's label: the verdict alone where a counterexample follows it."""
        target = item.target
        label = target if target.startswith(("{", "[")) else target.split(":")[0]
        self._seen.label(label)
        if self._counts is not None:
            self._counts[label[:100]] += 1
            if len(self._counts) > FEW or len(label) > SHORT:
                self._counts = None
        self._equal += label == self._before
        self._before = label
        self._n += 1

    def summary(self) -> dict[str, Any]:
        """Return counts where labels are few, and how often one repeats the one before."""
        distinct, pairs = self._seen.distinct()
        n = self._n
        chance = pairs / (n * (n - 1)) if n > 1 else None
        repeats = self._equal / (n - 1) if n > 1 else None
        z = None
        if repeats is not None and chance and chance < 1:
            z = round((repeats - chance) / math.sqrt(chance * (1 - chance) / (n - 1)), 2)
        counts = None if self._counts is None else dict(self._counts.most_common())
        order = {"repeats": repeats, "chance": chance, "z": z}
        return {"distinct": distinct, "counts": counts, "order": order}


class Readings:
    """How many labels hold under each reading of what a format leaves open.

    A wrong label that holds under no reading is left out: it does not say which reading the data follows.
    """

    def __init__(self) -> None:
        self._readings: dict[str, dict[str, dict[str, Any]]] = {}
        # By question and reading, of the labels that say which reading the data follows: all, and those that hold.
        self._telling: Counter[tuple[str, str]] = Counter()
        self._agree: Counter[tuple[str, str]] = Counter()
        self._left_out: Counter[str] = Counter()
        self._differ: Counter[str] = Counter()

    def item(
        self,
        where: str,
        questions: Mapping[str, Mapping[str, bool]],
        wrong: bool = False,
        impossible: bool = False,
    ) -> None:
        """Add what one item says, whose label is ``wrong`` by an engine, ``impossible`` by its record."""
        for question, readings in questions.items():
            telling = not impossible and (not wrong or any(readings.values()))
            self._left_out[question] += not telling
            self._differ[question] += len(set(readings.values())) > 1
            counts = self._readings.setdefault(question, {})
            for name, holds in readings.items():
                count = counts.setdefault(name, {"agree": 0, "contradict": 0, "against": []})
                count["agree" if holds else "contradict"] += 1
                self._telling[question, name] += telling
                self._agree[question, name] += telling and holds
                if not holds and len(count["against"]) < 3:
                    count["against"].append(where)

    def summary(self) -> dict[str, Any]:
        """Return by question: the counts of each reading, which one the data follows, where they differ."""
        return {
            question: {
                "readings": readings,
                **self._followed(question),
                "left_out": self._left_out[question],
                "differ": self._differ[question],
            }
            for question, readings in self._readings.items()
        }

    def _followed(self, question: str) -> dict[str, Any]:
        """Return the reading that the data follows, and the share of labels that hold under the best."""
        told = {
            n: self._agree[question, n]
            for n in self._readings[question]
            if self._telling[question, n]
        }
        best = max(told.values(), default=0)
        names = [name for name, agree in told.items() if agree == best]
        share = max((best / self._telling[question, name] for name in names), default=None)
        clear = len(names) == 1 and share is not None and share >= ENOUGH
        return {"follows": names[0] if clear else UNDETERMINED, "share": share}


class Constants:
    """The mean scores of constant answers, which ignore the problem."""

    def __init__(self) -> None:
        self._sums: dict[str, dict[str, tuple[float, int]]] = defaultdict(dict)
        self._items: Counter[str] = Counter()

    def item(self, scores: Mapping[str, Mapping[str, float]]) -> None:
        """Add what each constant answer scored on one item, in each metric."""
        for choice, numbers in scores.items():
            self._items[choice] += 1
            for name, number in numbers.items():
                total, n = self._sums[choice].get(name, (0.0, 0))
                self._sums[choice][name] = total + number, n + 1

    def summary(self) -> dict[str, Any]:
        """Return by answer: on how many items it was tried, and its mean in each metric."""
        return {
            choice: {
                "items": count,
                "metrics": {name: total / n for name, (total, n) in self._sums[choice].items()},
            }
            for choice, count in self._items.items()
        }
