"""Answers produced elsewhere, one by one: from a CSV, JSON or JSONL file, or from an Inspect log."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from harness_errors import DatasetError, HarnessError, did_you_mean

from harness.datasets.records import Records

# Columns by the names that people give them, the surest first. Those that may as well hold
# labels come last.
ID_NAMES = (
    *("id", "sample_id", "item_id", "custom_id", "problem_id", "question_id", "example_id"),
    *("source_id", "uid", "uuid", "key", "idx", "index"),
)
RESPONSE_NAMES = (
    *("response", "raw_response", "response_raw", "model_response", "completion", "raw_completion"),
    *("output", "raw_output", "output_raw", "model_output", "prediction_raw", "raw_prediction"),
    *("generation", "generated_text", "reply", "model_answer", "answer_raw", "raw_answer"),
    *("prediction", "text", "answer"),
)
PROMPT_NAMES = ("question", "prompt")  # held against the item's prompt where they are there


@dataclass(frozen=True, slots=True)
class Reply:
    """One record: where it stands, whose answer it is, and the answer; or what is wrong with it.

    ``text`` is None where the record says that there is no answer. ``prompt`` is what was asked,
    where the record holds it.
    """

    where: str
    id: str = ""
    text: str | None = None
    prompt: str | None = None
    error: HarnessError | None = None


def is_log(path: Path) -> bool:
    """Return whether a file is named as Inspect's logs are, and not a JSON list of records.

    Raises:
        DatasetError: there is no such file.
    """
    if path.suffix.lower() not in (".eval", ".json"):
        return False
    try:
        with path.open("rb") as file:
            return path.suffix.lower() == ".eval" or not file.read(1000).lstrip().startswith(b"[")
    except (OSError, ValueError) as error:  # a null byte in the name is a ValueError
        why = getattr(error, "strerror", None) or str(error)
        raise DatasetError(f"responses={str(path)[:200]}: cannot be read: {why}") from None


@dataclass(slots=True)
class Source:
    """The answers of a file, in order, read as they are asked for.

    ``columns``: the fields that hold id, response and (perhaps) prompt, ``guessed`` those among the
    first two that nobody named. Both are there once `replies` has yielded something.

    Raises:
        DatasetError: on reading, if the file as a whole is no file of answers.
    """

    path: Path
    id: str | None = None
    response: str | None = None
    columns: dict[str, str] = field(default_factory=dict)
    guessed: tuple[str, ...] = ()

    def replies(self) -> Iterator[Reply]:
        """Yield every record of the file; a bad one as an error with its place."""
        if is_log(self.path):
            yield from self._log()
            return
        records = Records(self.path, self._is_record)
        for number, row in records:
            where = records.where(number)
            if isinstance(row, DatasetError):
                yield Reply(where, error=DatasetError(f"{where}: {row}"))
                continue
            try:
                if not self.columns:
                    self._choose(row)
                yield self._reply(where, row)
            except DatasetError as error:
                yield Reply(where, error=DatasetError(f"{where}: {error}"))

    def _is_record(self, row: Mapping[str, Any]) -> bool:
        """Return whether an object has what a record has, and is not the list of records with a name."""
        return all(
            _at(row, name) is not _ABSENT if name else _first(row, names) is not None
            for name, names in ((self.id, ID_NAMES), (self.response, RESPONSE_NAMES))
        )

    def _choose(self, row: Mapping[str, Any]) -> None:
        """Settle which fields are read, by the first record that has them."""
        columns = {}
        for part, name, known in (
            ("id", self.id, ID_NAMES),
            ("response", self.response, RESPONSE_NAMES),
        ):
            column = name or _first(row, known)
            if column is None:
                columns_shown = ", ".join(map(str, row))[:200]
                raise DatasetError(
                    f"no column looks like the {part} (columns: {columns_shown}); name it with {part}=COLUMN"
                )
            columns[part] = column
        if columns["id"] == columns["response"]:
            raise DatasetError(f"'{columns['id'][:60]}' cannot be both the id and the response")
        self.guessed = tuple(part for part in columns if getattr(self, part) is None)
        if question := _first(row, PROMPT_NAMES):
            columns["prompt"] = question
        self.columns = columns

    def _reply(self, where: str, row: Mapping[str, Any]) -> Reply:
        sample_id, text = (_field(row, part, self.columns[part]) for part in ("id", "response"))
        question = _at(row, self.columns.get("prompt", ""))
        return Reply(
            where,
            _id(sample_id, self.columns["id"]),
            _text(text, self.columns["response"]),
            question if isinstance(question, str) else None,
        )

    def _log(self) -> Iterator[Reply]:
        from harness.rerun import logs

        header = logs.header(self.path)
        self.columns = {"id": "sample id", "response": "output", "prompt": "input"}
        for sample in logs.samples(self.path, header):
            where = f"{self.path}: sample '{str(sample.id)[:60]}' epoch {sample.epoch}"
            # A sample that failed has no answer; one that a limit ended has said nothing.
            answer = None if sample.error else sample.output.completion
            question = sample.input if isinstance(sample.input, str) else None
            yield Reply(where, str(sample.id), answer, question)


_ABSENT = object()
_HALVES = re.compile("[\ud800-\udfff]")


def _at(row: Mapping[str, Any], name: str) -> Any:
    """Return a field by its name, or by a path of names and positions (``choices.0.text``)."""
    if name in row:
        return row[name]
    value: Any = row
    for part in name.split("."):
        if isinstance(value, Mapping) and part in value:
            value = value[part]
        elif isinstance(value, list) and part.isdecimal() and int(part[:9]) < len(value):
            value = value[int(part[:9])]
        else:
            return _ABSENT
    return value


def _field(row: Mapping[str, Any], part: str, name: str) -> Any:
    value = _at(row, name)
    if value is _ABSENT:
        hint = did_you_mean(name, map(str, row))
        raise DatasetError(f"has no field '{name[:60]}' for the {part}; {hint}"[:300])
    return value


def _first(row: Mapping[str, Any], names: Sequence[str]) -> str | None:
    plain = {str(name).strip().casefold().replace(" ", "_"): str(name) for name in row}
    return next((plain[name] for name in names if name in plain), None)


def _id(value: Any, column: str) -> str:
    """Return an id as the text that it is; a number counts as its digits, and nothing else is one."""
    if isinstance(value, str) and value:
        return value
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    shown = json.dumps(value, ensure_ascii=False)[:60]
    raise DatasetError(f"the id ('{column[:60]}') is {shown}, expected text or a whole number")


def _text(value: Any, column: str) -> str | None:
    if isinstance(value, str):
        # No log can hold half of a character. A "?" in its place would make an answer a question.
        return _HALVES.sub("\ufffd", value)
    if value is None:
        return None
    raise DatasetError(f"the response ('{column[:60]}') is {type(value).__name__}, expected text")
