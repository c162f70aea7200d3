"""JSON that is foreign: checked strictly, and read value by value where a document is long."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import IO, Any

from harness_errors import DatasetError

# Bytes or characters of one record: what a guarded worker can be handed (`harness_guard.worker.MAX_BYTES`).
MAX_RECORD = 15_000_000
LONE = 5_000_000  # bytes of a JSON file that may hold one single record
MAX_NESTING = 500  # lists and objects within each other in a record: what works on it may recurse
MAX_DEPTH = 100_000  # of what is no record, but may end; the decoder's own limit is far below
CHUNK = 1 << 16
WINDOW = 1 << 14  # characters that are tried first as a value

Record = dict[str, Any]
Row = tuple[int, Record | DatasetError]
NO_MORE = "nothing after it is read"


def parse(text: str | bytes) -> Any:
    """Return a JSON value; NaN, a key that is there twice and wrong UTF-8 are a `ValueError`.

    Raises:
        ValueError: it is none.
        RecursionError: it is nested too deep.
    """
    return _DECODER.decode(text.decode() if isinstance(text, bytes) else text)


def _no_constant(name: str) -> None:
    raise ValueError(f"{name} is not JSON")


def _unique(pairs: list[tuple[str, Any]]) -> Record:
    record = dict(pairs)
    if len(record) < len(pairs):
        keys = [key for key, _ in pairs]
        twice = next(key for key in keys if keys.count(key) > 1)
        raise ValueError(f"the key {ascii(twice)[:60]} is there twice")
    return record


_DECODER = json.JSONDecoder(parse_constant=_no_constant, object_pairs_hook=_unique)


def why(error: Exception) -> str:
    """Say in a few words what is wrong with JSON text."""
    if isinstance(error, RecursionError):
        return "nested too deep"
    if isinstance(error, UnicodeDecodeError):
        return f"not UTF-8: byte 0x{error.object[error.start]:02x} at byte {error.start + 1}"
    if isinstance(error, json.JSONDecodeError):
        return f"{error.msg} at character {error.pos + 1}"
    return str(error)[:200]


def as_record(value: Any) -> Record | DatasetError:
    """Return a value if it is an object, `MAX_NESTING` deep at most, else the error that says what it is."""
    if isinstance(value, dict):
        deep = f"nested more than {MAX_NESTING} levels deep"
        return DatasetError(deep) if _deeper(value, MAX_NESTING) else value
    return DatasetError(f"{type(value).__name__} instead of an object")


def _deeper(value: Any, levels: int) -> bool:
    """Return whether a JSON value has more than so many lists and objects within each other."""
    level = [value]
    for _ in range(levels):
        parts = (
            container.values() if isinstance(container, dict) else container for container in level
        )
        level = [part for some in parts for part in some if isinstance(part, dict | list)]
        if not level:
            return False
    return True


def is_text(text: str) -> bool:
    """Return whether a text read with ``surrogateescape`` was UTF-8."""
    if text.isascii():
        return True
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


class _Bad(Exception):
    """One value of a document that is not JSON; what follows it can be read."""


class _End(Exception):
    """What is wrong where a document cannot be read any further."""


_BLANK = re.compile(r"[ \t\r\n]*+")
_PIECE = re.compile(r'"[^"\\]*+(?:\\.[^"\\]*+)*"|["\[\]{}]', re.DOTALL)
_SCALAR_END = re.compile(r"[,\]}]")


class Document:
    """A JSON document of any length, of which one value at a time is in memory.

    Values are found by the decoder itself. Where it fails, the end of the value is looked for by its
    brackets alone: that tells one that is wrong from one that is not read to its end yet.
    """

    def __init__(self, file: IO[str], path: Path) -> None:
        self.file, self.path = file, path
        self.text, self.at, self.number = "", 0, 0

    def rows(self, known: Callable[[Record], bool]) -> Iterator[Row]:
        """Yield the elements of the document's list, or the document if that is a record."""
        if not self._next():
            return
        whole = self._whole() if self._next() == "{" else None
        if isinstance(whole, dict) and known(whole):
            yield 1, whole
            return
        try:
            yield from self._list() if self._next() == "[" else self._members()
            if self._next():
                raise _End("the document has ended, but the file goes on")
        except _End as error:
            yield self.number + 1, DatasetError(f"{error}; {NO_MORE}")

    def _whole(self) -> Any:
        """Return the document's value if it is all there is and not too long; nothing is consumed."""
        while len(self.text) - self.at <= LONE and self._more():
            pass
        if len(self.text) > LONE or not is_text(self.text):
            return None
        try:
            return parse(self.text)
        except (ValueError, RecursionError):
            return None

    def _more(self) -> bool:
        """Read on; False at the end of the file. As much again as there is: a value is tried few times."""
        piece = self.file.read(max(CHUNK, len(self.text) - self.at))
        self.text, self.at = self.text[self.at :] + piece, 0
        return bool(piece)

    def _next(self) -> str:
        """Go to the next character that is not blank and return it; empty at the end of the file."""
        while True:
            self.at = _blank_end(self.text, self.at)
            if self.at < len(self.text):
                return self.text[self.at]
            if not self._more():
                return ""

    def _opens_records(self) -> bool:
        """Return whether a list of objects begins here."""
        if self._next() != "[":
            return False
        while (end := _blank_end(self.text, self.at + 1)) == len(self.text):
            if end - self.at > MAX_RECORD or not self._more():
                return False
        return self.text[end] == "{"

    def _list(self) -> Iterator[Row]:
        self.at += 1
        if self._next() == "]":
            self.at += 1
            return
        while True:
            element: Record | DatasetError
            try:
                element = as_record(self._value())
            except _Bad as error:
                element = DatasetError(str(error))
            self.number += 1
            yield self.number, element
            if self._after("]") == "]":
                return

    def _members(self) -> Iterator[Row]:
        """Yield the elements of the one list of objects among an object's values."""
        self.at += 1
        name = ""
        try:
            while self._next() != "}":
                key = self._value()
                if self._next() != ":" or not isinstance(key, str):
                    raise _End("not JSON: expected a key and ':'")
                self.at += 1
                if not self._opens_records():
                    self._value()
                elif name:
                    raise _End(f"'{key[:60]}' is a second list of objects, after '{name}'")
                else:
                    name = key[:60] or "''"
                    yield from self._list()
                if self._after("}") == "}":
                    break
            else:
                self.at += 1
        except _Bad as error:
            raise _End(str(error)) from None
        if not name:
            raise DatasetError(
                f"{self.path}: an object that is no record and holds no list of them"
            )

    def _after(self, end: str) -> str:
        """Step over what must follow an element: a comma or the end of what it is an element of."""
        sign = self._next()
        if not sign:
            raise _End("the file ends within the list (cut off?)")
        if sign not in (",", end):
            raise _End(f"not JSON: expected ',' or '{end}'")
        self.at += 1
        return sign

    def _value(self) -> Any:
        """Return the value that begins here and go behind it; `_Bad`: it is not JSON, `_End`: it has no end."""
        self._next()
        size = WINDOW
        while True:
            # Not the whole text: an error of the decoder's costs a look at all that it was given.
            piece = self.text[self.at : self.at + size]
            whole = self.at + size >= len(self.text)
            value = self._decoded(piece, whole)
            if value is not None:
                return self._taken(*value)
            if len(self.text) - self.at == len(piece):  # nothing more has been read by now
                if len(piece) > MAX_RECORD:
                    raise _End(f"longer than the {MAX_RECORD:,} characters of a record")
                if not self._more():
                    raise _End("cut off: the file ends within it")
            size = max(WINDOW, 4 * len(piece))

    def _decoded(self, piece: str, whole: bool) -> tuple[Any, int] | None:
        """Return the value that a text begins with, and its length; None: it may go on behind the text.

        ``whole``: the text is all that has been read of the file. What ends, but is no JSON, is passed over (`_Bad`).
        """
        try:
            value, end = _DECODER.raw_decode(piece)
        except (ValueError, RecursionError) as error:
            closed = _extent(piece)
            if closed is None:
                return None
            self.at += closed
            raise _Bad(f"not JSON ({why(error)})") from None
        # A number may go on behind what there is: 1 with .5, 1e or 1e- with 5.
        ended = len(piece) - end > 2 or piece[end - 1] in '}]"' or (whole and not self._more())
        return (value, end) if ended else None

    def _taken(self, value: Any, size: int) -> Any:
        text = self.text[self.at : self.at + size]
        self.at += size
        if len(text) > MAX_RECORD:
            raise _Bad(f"longer than the {MAX_RECORD:,} characters of a record")
        if not is_text(text):
            raise _Bad("not UTF-8")
        return value


def _blank_end(text: str, at: int) -> int:
    """Return where the blanks that begin here end."""
    match = _BLANK.match(text, at)
    return match.end() if match else at


def _extent(text: str) -> int | None:
    """Return where the value that a text begins with ends, by its brackets and quotes alone; None: not in it."""
    if text[:1] not in ("{", "[", '"'):
        end = _SCALAR_END.search(text)
        return end.start() if end else None
    depth = 0
    for piece in _PIECE.finditer(text):
        sign = text[piece.start()]
        if sign == '"' and piece.end() - piece.start() == 1:  # it opens and never closes
            return None
        depth += (sign in "[{") - (sign in "]}")
        if depth <= 0:
            return piece.end()
        if depth > MAX_DEPTH:
            raise _End("nested too deep")
    return None
