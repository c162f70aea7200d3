"""From samples as JSON objects to rows by item: votes counted, equal parts shared in memory."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, TypeVar

from harness_errors import DatasetError
from inspect_ai.log import EvalConfig
from inspect_ai.scorer import Score

from harness.core.facts import printable
from harness.core.hookspecs import Benchmark, Row
from harness.core.items import OUTCOMES as JUDGED
from harness.core.items import OWN_FACTS
from harness.rerun import log_samples
from harness.rerun.log_samples import Raw
from harness.rerun.logs import shown
from harness.run import stats
from harness.run.metrics import SCORER, registered
from harness.run.samples import constants_of, is_cheap
from harness.run.scorer import vote

_POOL = 100_000  # different values of a kind that are shared; more would cost more than it saves
_CUT = "..."  # how Inspect ends a text that it has cut for a summary
_CUT_TARGET = "...\n(content truncated)"

T = TypeVar("T")

OUTCOMES = ("right", "partial", "wrong", "unparsed", "unscored")


def outcome(benchmark: Benchmark, row: Row) -> str:
    """Return one of `OUTCOMES`.

    Right: the first of ``values`` is 1. Partial: it is not, but it or another of them is above 0 (an F1 of 0.8, a
    right label without a valid path).
    """
    if row.outcome != "scored":
        return row.outcome
    if row.value[benchmark.values[0]] >= 1:
        return "right"
    return "partial" if any(value > 0 for value in row.value.values()) else "wrong"


class Pool:
    """Keeps one of equal texts and of equal JSON objects; 1, 1.0 and True are not equal here."""

    def __init__(self) -> None:
        self._texts: dict[str, str] = {}
        self._objects: dict[str, dict[str, Any]] = {}

    def text(self, value: str) -> str:
        """Return the first text seen that equals this one."""
        return _shared(self._texts, value, value)

    def object(self, value: dict[str, Any]) -> dict[str, Any]:
        """Return the first object seen that is written like this one."""
        return _shared(self._objects, repr(value), value)


def _shared(kept: dict[str, T], key: str, value: T) -> T:
    return kept.setdefault(key, value) if len(kept) < _POOL else kept.get(key, value)


@dataclass(frozen=True, slots=True)
class Judged:
    """One item of a log with its row; ``source`` is empty where the plugin's sources say nothing.

    ``repeats`` are the rows of its answers where it was asked several times and all of them count; ``row`` is then
    what they say together (`reduced`).
    """

    row: Row
    source: str
    family: str
    repeats: tuple[Row, ...] = ()


@dataclass(slots=True)
class _Item:
    """What the samples of one item have said so far."""

    target: str
    features: Mapping[str, Any]
    source: str
    family: str
    # By epoch: what is voted on, or the row where nobody votes.
    scores: dict[int, Score | Row | None]


@dataclass(slots=True)
class Sheet:
    """The items of one log by id, and what the log says of them all."""

    judged: dict[str, Judged] = field(default_factory=dict)
    versions: set[str] = field(default_factory=set)


class Reader:
    """Reads the logs of one benchmark; ``constants`` grows with them, each item once."""

    def __init__(self, benchmark: Benchmark) -> None:
        self.benchmark = benchmark
        self.constants: dict[str, Mapping[str, Row]] = {}
        self._pool = Pool()
        self._vote = vote()

    def read(self, path: Path, config: EvalConfig) -> Sheet:
        """Return the items of a log with this configuration; texts that its summaries have cut are read whole.

        Raises:
            DatasetError: the log cannot be read, or a sample is none of the harness's.
        """
        epochs, vote = config.epochs or 1, is_vote(config)
        if other := other_reducers(config):
            raise DatasetError(
                f"{shown(path)}: {epochs} epochs reduced by {other}, and only the mean and a vote (samples=N) are "
                "read; harness score LOG makes a log in which every answer counts"
            )
        sheet, items = Sheet(), dict[str, _Item]()
        cut: dict[tuple[str, int], None] = {}
        for raw in log_samples.summaries(path):
            place = _place(path, raw)
            if path.suffix.lower() == ".eval" and self._is_cut(raw):
                cut[place] = None
            else:
                cut.pop(place, None)
            self._add(path, raw, items, sheet, vote)
        for raw in log_samples.full(path, list(cut)):
            self._add(path, raw, items, sheet, vote)
        for sample_id in list(items):  # each is let go as it is done with
            item = items.pop(sample_id)
            row, rows = self._one_row(path, sample_id, item)
            sheet.judged[sample_id] = Judged(
                row, item.source, item.family, rows if epochs > 1 and not vote else ()
            )
        return sheet

    def _add(self, path: Path, raw: Raw, items: dict[str, _Item], sheet: Sheet, vote: bool) -> None:
        sample_id, epoch = _place(path, raw)
        metadata = _mapping(raw.get("metadata"))
        if metadata.get("plugin") != self.benchmark.name:
            raise DatasetError(
                f"{shown(path)}: sample '{printable(sample_id, 60)}' does not hold an item of {self.benchmark.name}; "
                "was the log changed?"
            )
        target = self._pool.text(_text(raw.get("target")))
        item = items.get(sample_id)
        if item is not None and item.target != target and not target.startswith(
            item.target.removesuffix(_CUT_TARGET)
        ):  # fmt: skip
            raise DatasetError(
                f"{shown(path)}: sample '{printable(sample_id, 60)}' is there with two targets"
            )
        version = metadata.get("version")
        if isinstance(version, str):
            sheet.versions.add(version)
        scores = item.scores if item is not None else {}
        features = self._pool.object(_features(metadata.get("features")))
        source = self._pool.text(self._source(features, metadata))
        family = self._pool.text(_text(metadata.get("family")))
        items[sample_id] = _Item(target, features, source, family, scores)
        score = _mapping(_mapping(raw.get("scores")).get(SCORER))
        scores[epoch] = (
            _score(score) if vote else self._row(path, sample_id, items[sample_id], score)
        )
        self._keep_constants(sample_id, target, features, metadata)

    def _is_cut(self, raw: Raw) -> bool:
        """Return whether a summary lacks something that a row, its source or its floors are made of.

        A summary folds blanks, too, though not those of a target: an answer could no longer equal it.
        """
        metadata = _mapping(raw.get("metadata"))
        score = _mapping(_mapping(raw.get("scores")).get(SCORER))
        target = _text(raw.get("target"))
        if target.endswith(_CUT_TARGET) or target != " ".join(target.split()):
            return True
        if isinstance(metadata.get("features"), str):
            return True
        texts = [score.get("answer"), *_mapping(score.get("metadata")).values()]
        texts += [text for key, text in metadata.items() if is_cheap(key)]
        if self.benchmark.sources:
            texts.append(metadata.get("notes"))
        return any(
            isinstance(text, str) and (text.endswith(_CUT) or text.startswith("Key removed"))
            for text in texts
        )

    def _source(self, features: Mapping[str, Any], metadata: Mapping[str, Any]) -> str:
        """Return what the plugin says an item shares with others; empty where a part of it is not known."""
        if not self.benchmark.sources:
            return ""
        parts = []
        notes: Mapping[str, Any] | None = None
        for key in self.benchmark.sources:
            if key not in features and notes is None:
                notes = _notes(metadata.get("notes"))
            value = features.get(key, (notes or {}).get(key))
            if value is None:
                return ""
            parts.append(str(value))
        return "\x1f".join(parts)

    def _keep_constants(
        self, sample_id: str, target: str, features: Mapping[str, Any], metadata: Mapping[str, Any]
    ) -> None:
        texts = {key: text for key, text in metadata.items() if is_cheap(key)}
        rows = constants_of(self.benchmark, {**texts, "features": features}, target)
        share = self._pool.object
        if rows:
            self.constants[sample_id] = {
                choice: replace(row, value=share(dict(row.value)), extra=share(dict(row.extra)))
                for choice, row in rows.items()
            }

    def _one_row(self, path: Path, sample_id: str, item: _Item) -> tuple[Row, tuple[Row, ...]]:
        """Return what an item's answers say together, and their rows where there was no vote."""
        scores = [item.scores[epoch] for epoch in sorted(item.scores)]
        rows = tuple(row for row in scores if isinstance(row, Row))
        if rows:
            return reduced(rows), rows
        judged = [score_given for score_given in scores if isinstance(score_given, Score)]
        if not judged:
            return self._unscored(item), ()
        won: Any = self._vote(judged)
        score = {"value": won.value, "answer": won.answer, "metadata": won.metadata}
        return self._row(path, sample_id, item, score), ()

    def _row(self, path: Path, sample_id: str, item: _Item, score: Mapping[str, Any]) -> Row:
        """Return the row of one score as `harness.run.metrics.rows_of` makes it; of none, an unscored one."""
        facts = _mapping(score.get("metadata"))
        value = score.get("value")
        if not isinstance(value, Mapping) or facts.get("outcome") not in JUDGED:
            return self._unscored(item)
        numbers = {str(key): number(part) for key, part in value.items() if part is not None}
        if facts["outcome"] == "unscored" or None in numbers.values():
            return self._unscored(item)
        missing = [key for key in self.benchmark.values if key not in numbers]
        if missing:
            raise DatasetError(
                f"{shown(path)}: the verdict on sample '{printable(sample_id, 60)}' lacks the value "
                f"'{missing[0]}' of {self.benchmark.name} {self.benchmark.version}; harness score LOG judges it anew"
            )
        answer, tokens = score.get("answer"), facts.get("output_tokens")
        text, share = self._pool.text, self._pool.object
        return Row(
            target=item.target,
            answer=None if answer is None else text(_text(answer)),
            outcome=text(facts["outcome"]),
            value=share(numbers),
            features=item.features,
            probability=_share(facts.get("probability")),
            extra=share({str(k): v for k, v in facts.items() if k not in OWN_FACTS}),
            output_tokens=_count(tokens),
            searches=_count(facts.get("searches")),
        )

    def _unscored(self, item: _Item) -> Row:
        return Row(item.target, None, "unscored", self._pool.object({}), item.features)


def is_vote(config: EvalConfig) -> bool:
    """Return whether several answers to an item were made one by a vote of ours."""
    return (config.epochs or 1) > 1 and config.epochs_reducer == [registered("vote")]


def other_reducers(config: EvalConfig) -> str:
    """Return what made several answers to an item one, where that is neither the mean nor a vote of ours; else ""."""
    names = config.epochs_reducer or ["mean"]
    known = (config.epochs or 1) < 2 or names == ["mean"] or is_vote(config)
    return "" if known else printable(", ".join(names), 80)


def _place(path: Path, raw: Raw) -> tuple[str, int]:
    sample_id, epoch = raw.get("id"), raw.get("epoch")
    if not isinstance(sample_id, str | int) or not isinstance(epoch, int):
        raise DatasetError(f"{shown(path)}: a sample without an id")
    return str(sample_id), epoch


def _score(score: Mapping[str, Any]) -> Score | None:
    """Return a score as votes are counted on; None: that try was never judged."""
    if not score:
        return None
    value, answer = score.get("value"), score.get("answer")
    return Score(
        value=dict(value) if isinstance(value, Mapping) else math.nan,
        answer=None if answer is None else _text(answer),
        metadata=dict(_mapping(score["metadata"])) if score.get("metadata") else None,
    )


def _mapping(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}


def _notes(text: Any) -> Mapping[str, Any]:
    try:
        return _mapping(json.loads(text))
    except (ValueError, TypeError, RecursionError):
        return {}


def _text(value: Any) -> str:
    """Return a text; of a list of targets the first."""
    if isinstance(value, list):
        return _text(value[0]) if value else ""
    return value if isinstance(value, str) else "" if value is None else str(value)


MOST_TOKENS = 10**12  # of one answer; a log that says more is no log of a run


def _count(value: Any) -> int | None:
    whole = isinstance(value, int) and not isinstance(value, bool)
    return value if whole and 0 <= value <= MOST_TOKENS else None


def _share(value: Any) -> float | None:
    share = None if isinstance(value, bool) else number(value)
    return share if share is not None and 0 <= share <= 1 else None


def number(value: Any) -> float | None:
    """Return a finite number, else None."""
    if not isinstance(value, int | float):
        return None
    try:
        result = float(value)
    except OverflowError:
        return None
    return result if math.isfinite(result) else None


def _features(value: Any) -> dict[str, Any]:
    """Return the features that are what features may be: words and finite numbers."""
    return {
        str(key): part
        for key, part in _mapping(value).items()
        if isinstance(part, str) or number(part) is not None
    }


def reduced(rows: Sequence[Row]) -> Row:
    """Return the answers to an item as one row: the means of their values, and the answer if all gave the same.

    Unscored ones are left out; it is ``unparsed`` where nobody could read one of the others.
    """
    judged = stats.counted(rows)
    if len(judged) < 2:
        return (judged or rows)[0]
    same = len({row.answer for row in judged}) == 1
    read = any(row.outcome == "scored" for row in judged)
    written = stats.output_tokens(judged)
    return replace(
        judged[0],
        answer=judged[0].answer if same else None,
        outcome="scored" if read else "unparsed",
        value={key: sum(row.value[key] for row in judged) / len(judged) for key in judged[0].value},
        probability=None,
        extra={},
        output_tokens=round(sum(written) / len(written)) if written else None,
        searches=None,
    )
