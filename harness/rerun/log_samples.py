"""The samples of a log as plain JSON objects, one at a time: from the summaries, or whole.

An ``.eval`` file is a zip with all summaries in ``summaries.json``; a run that did not end has one file of them per
flush instead. Inspect's own reader holds all of them at once as pydantic objects, ten times the memory.
"""

from __future__ import annotations

import codecs
import json
import re
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import IO, Any

from harness_errors import DatasetError

# Imported for its side effect, too: it teaches `zipfile` the compression of these archives.
from inspect_ai.log import EvalSample

from harness.rerun import logs
from harness.rerun.logs import one_line_errors, shown

SUMMARIES = "summaries.json"
JOURNAL = "_journal/summaries/"
CHUNK = 1 << 18
PIECE = 1 << 14
MAX_RECORD = 50_000_000  # bytes of one summary
MAX_HEADER = 1_000_000_000  # bytes of a log's own facts
MAX_SAMPLES = 5_000_000  # summaries of one log
# Never looked at: what happened on the way, and what tools kept.
ASIDE = {"events", "store", "timelines"}
_BLANK = re.compile(r"[ \t\r\n]*+")
_ASIDE_TEXT = "attachment://"
_ROW_ASIDE = ASIDE | {"messages", "output"}

Raw = dict[str, Any]


def check(path: Path) -> None:
    """Refuse an archive whose header alone would fill the memory; raises `DatasetError`."""
    if path.suffix.lower() != ".eval":
        return
    with one_line_errors(path), zipfile.ZipFile(path) as archive:
        size = sum(member.file_size for member in archive.infolist() if "/" not in member.filename
                   and member.filename not in (SUMMARIES, "reductions.json"))  # fmt: skip
        if size > MAX_HEADER:
            raise DatasetError(f"{shown(path)}: a header of {size} bytes, at most {MAX_HEADER}")


def summaries(path: Path) -> Iterator[Raw]:
    """Yield the summary of every sample (of ``.json``: the sample itself) in the order they were written.

    One sample may come twice (a try that was repeated): the later one stands.

    Raises:
        DatasetError: the log cannot be read, or holds more than `MAX_SAMPLES`.
    """
    if path.suffix.lower() == ".json":
        with one_line_errors(path):
            samples = logs.whole(path).samples or []
        yield from map(as_raw, samples)
        return
    count = 0
    with one_line_errors(path), zipfile.ZipFile(path) as archive:
        logs.check_parts(path)
        for name in _members(archive):
            with archive.open(name) as stream:
                for summary in _elements(stream):
                    count += 1
                    if count > MAX_SAMPLES:
                        raise DatasetError(f"{shown(path)}: more than {MAX_SAMPLES} samples")
                    yield summary


def _members(archive: zipfile.ZipFile) -> list[str]:
    names = set(archive.namelist())
    if SUMMARIES in names:
        return [SUMMARIES]
    parts = {name.removeprefix(JOURNAL).removesuffix(".json"): name
             for name in names if name.startswith(JOURNAL)}  # fmt: skip
    return [parts[key] for key in sorted((k for k in parts if k.isdecimal()), key=int)]


def _elements(stream: IO[bytes]) -> Iterator[Raw]:
    """Yield the objects of a JSON list, decoding no more of it at a time than needed.

    Raises:
        ValueError: it is none, or is cut off.
    """
    text = _Text(stream)
    text.step("[")
    if text.sign() == "]":
        return
    while True:
        yield text.record()
        if text.step(",]") == "]":
            return


class _Text:
    """The part of a JSON text that is in memory, and where in it the reader is."""

    def __init__(self, stream: IO[bytes]) -> None:
        self._stream, self._text, self._at = stream, "", 0
        self._decode = codecs.getincrementaldecoder("utf-8")("replace").decode
        self._parse = json.JSONDecoder().raw_decode

    def sign(self) -> str:
        """Go to the next character that is not blank and return it; raises `ValueError` at the end."""
        while True:
            self._at += len(_BLANK.match(self._text, self._at)[0])  # type: ignore[index]
            if self._at < len(self._text):
                return self._text[self._at]
            self._more()

    def step(self, expected: str) -> str:
        """Step over one of the signs expected and return it; raises `ValueError`: it is another."""
        sign = self.sign()
        if sign not in expected:
            raise ValueError(f"expected {' or '.join(expected)}, found {sign}")
        self._at += 1
        return sign

    def record(self) -> Raw:
        """Return the object that begins here and go behind it; raises `ValueError`: there is none."""
        if (sign := self.sign()) != "{":
            raise ValueError(f"expected an object, found {sign}")
        while True:
            try:
                record_text, self._at = self._parse(self._text, self._at)
            except json.JSONDecodeError:  # wrong, or not all there yet
                if len(self._text) - self._at > MAX_RECORD:
                    raise ValueError("a summary is not JSON, or too long") from None
                self._more()
            else:
                return dict(record_text)

    def _more(self) -> None:
        # As much again as there is: an object is tried few times.
        rest = self._text[self._at :]
        data = self._read(max(CHUNK, len(rest)))
        if not data:
            raise ValueError("the summaries are cut off")
        self._text, self._at = rest + self._decode(data), 0

    def _read(self, size: int) -> bytes:
        """Read in small pieces: zipfile unpacks all of a piece at once, whatever is in it."""
        data = bytearray()
        while len(data) < size and (piece := self._stream.read(min(PIECE, size))):
            data += piece
        return bytes(data)


def full(path: Path, places: Sequence[tuple[str, int]]) -> Iterator[Raw]:
    """Yield what rows are made of, uncut, of the samples of an ``.eval`` file at these (id, epoch).

    Raises:
        DatasetError: one is not there or cannot be read.
    """
    if not places:
        return
    with one_line_errors(path), zipfile.ZipFile(path) as archive:
        for sample_id, epoch in places:
            member = archive.getinfo(f"{logs.SAMPLES}{sample_id}_epoch_{epoch}.json")
            if member.file_size > MAX_RECORD:  # Inspect skips what is not wanted while it reads
                yield from map(as_raw, logs.samples_at(path, [(sample_id, epoch)], _ROW_ASIDE))
                continue
            sample = json.loads(archive.read(member))
            texts = sample.get("attachments") or {}
            kept = ("id", "epoch", "target", "metadata", "scores")
            yield {key: _attached(sample.get(key), texts) for key in kept}


def _attached(value: Any, texts: Mapping[str, str]) -> Any:
    """Return a JSON value with the long texts that Inspect keeps aside put back."""
    if isinstance(value, dict):
        return {key: _attached(part, texts) for key, part in value.items()}
    if isinstance(value, list):
        return [_attached(part, texts) for part in value]
    if isinstance(value, str) and value.startswith(_ASIDE_TEXT):
        return texts.get(value.removeprefix(_ASIDE_TEXT), value)
    return value


def places(path: Path, ids: Sequence[str]) -> list[tuple[str, int]]:
    """Return where the samples of some items lie (id, epoch), item by item; raises `DatasetError`."""
    epochs: dict[str, list[int]] = {sample_id: [] for sample_id in ids}
    is_json = path.suffix.lower() == ".json"
    answered = (
        ((raw["id"], raw["epoch"]) for raw in summaries(path)) if is_json else logs.places(path)
    )
    for sample_id, epoch in ((str(sample_id), epoch) for sample_id, epoch in answered):
        if sample_id in epochs:
            epochs[sample_id].append(epoch)
    return [(sample_id, epoch) for sample_id in ids for epoch in sorted(epochs[sample_id])]


def as_raw(sample: EvalSample) -> Raw:
    """Return of a sample what a summary holds, uncut."""
    scores = {
        name: {"value": score.value, "answer": score.answer, "metadata": score.metadata}
        for name, score in (sample.scores or {}).items()
    }
    return {
        "id": sample.id,
        "epoch": sample.epoch,
        "target": sample.target,
        "metadata": sample.metadata,
        "scores": scores,
    }
