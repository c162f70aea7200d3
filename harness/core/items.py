"""The data that flows through the harness: frozen, JSON-serialisable, behaviour kept apart."""

from __future__ import annotations

import hashlib
import json
import math
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, field, fields
from functools import lru_cache
from itertools import groupby
from random import Random
from typing import Any, Literal

from harness_errors import DatasetError

PUBLISHED = "published"
"""The version of an item that was adopted from a published dataset."""

Outcome = Literal["scored", "unparsed", "unscored"]
OUTCOMES: tuple[Outcome, ...] = ("scored", "unparsed", "unscored")


_CANONICAL = json.JSONEncoder(
    sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False
)
_CONTROLS = bytes({*range(32)} - {*b"\n"})


def canonical_json(value: Any) -> str:
    """Return the one JSON text of a value: sorted keys, no spaces, finite numbers only."""
    return _CANONICAL.encode(value)


def _utf8_json(value: Any) -> bytes:
    """Return the canonical JSON of a value in UTF-8; of a long text in a third of the time that an encoder takes."""
    if isinstance(value, str):
        text = value.encode()
        if len(text.translate(None, _CONTROLS)) == len(text):
            text = text.replace(b"\\", b"\\\\").replace(b'"', b'\\"').replace(b"\n", b"\\n")
            return b'"%b"' % text
    return canonical_json(value).encode()


def digest(value: Any) -> str:
    """Return 64 hexadecimal digits that identify a JSON value by its content."""
    return hashlib.sha256(canonical_json(value).encode()).hexdigest()


def rng_for(
    plugin: str, version: str, config: str, split: str, seed: int, index: int, attempt: int = 0
) -> Random:
    """Return the only source of randomness of one item.

    The seed is a hash of everything the item depends on, so that neighbouring seeds,
    splits and indices share nothing. ``config`` is the canonical JSON of the validated
    configuration. ``attempt`` counts the redraws that a duplicate caused. Of a version the first two numbers
    count: a third one rises where only what a reply scores has changed, and the items stay.
    """
    key = f"{_stream(plugin, version, config, split, seed)}|{index}"
    if attempt:
        key += f"|{attempt}"
    return Random(int.from_bytes(hashlib.sha256(key.encode()).digest(), "big"))


@lru_cache(maxsize=16)
def salt_for(plugin: str, version: str, config: str, split: str, seed: int) -> str:
    """Return 16 hexadecimal digits shared by all items of a dataset, for balancing by index."""
    key = _stream(plugin, version, config, split, seed)
    return hashlib.sha256(key.encode()).hexdigest()[:16]


def items_version(version: str) -> str:
    """Return the part of a plugin's version that decides its items: the first two numbers."""
    return ".".join(version.split(".")[:2])


def _stream(plugin: str, version: str, config: str, split: str, seed: int) -> str:
    return f"{plugin}|{items_version(version)}|{config}|{split}|{seed}"


@dataclass(frozen=True, slots=True)
class Item:
    """One problem with its label.

    ``problem`` and ``certificate`` are JSON values owned by the plugin; ``problem`` is
    canonical: two items are duplicates when their problems are equal. ``target`` is the
    gold answer in the form that the prompt asks for. ``features`` are finite numbers (or
    short strings) that describe difficulty. ``notes`` says where an item came from. ``family``
    is 12 hexadecimal digits shared by the forms that one problem is put in (the same puzzle with
    and without its facts spelled out, say), or empty; it begins the id.
    """

    plugin: str
    version: str
    prompt: str
    target: str
    problem: Any
    certificate: Any = None
    features: Mapping[str, float | int | str | bool] = field(default_factory=dict)
    split: str = "test"
    seed: int = 0
    index: int = 0
    attempt: int = 0
    notes: Mapping[str, Any] = field(default_factory=dict)
    id: str = ""
    family: str = ""

    def __post_init__(self) -> None:
        if not self.id:
            object.__delattr__(self, "id")

    def __getattr__(self, name: str) -> str:
        # The id is made when it is first asked for. Writing its parts as JSON takes a fifth of the time in which a
        # small item is made, and items that are drawn again, or copied to their place, need no id before.
        if name != "id":
            raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")
        self._encoded()
        return self.id

    def _encoded(self) -> dict[str, bytes]:
        """Return the JSON of each field that the id is made of, and set the id where it is missing."""
        parts = {name: _utf8_json(getattr(self, name)) for name in _IN_ID}
        try:
            object.__getattribute__(self, "id")
        except AttributeError:
            object.__setattr__(self, "id", self._id_of(parts))
        return parts

    def _id_of(self, parts: Mapping[str, bytes]) -> str:
        """Return the family, and 20 hexadecimal digits: what `digest` gives of the list of these parts."""
        content = hashlib.sha256(b"[%b]" % b",".join(parts.values())).hexdigest()[:20]
        return f"{self.family}-{content}" if self.family else content

    def to_dict(self) -> dict[str, Any]:
        """Return a JSON-serialisable dict; `Item.from_dict` is its inverse.

        An item without a family has no such key: most have none, and their digests are pinned.
        """
        data = {name: getattr(self, name) for name in _FIELDS}
        data |= {name: plain(data[name]) for name in ("problem", *_NOT_IN_ID)}
        if not self.family:
            del data["family"]
        return data

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Item:
        """Rebuild an item, refusing unknown fields, wrong types and an id that is not its content's.

        Raises:
            DatasetError: what is wrong, without the record's position (the reader adds it).
        """
        if not isinstance(data, Mapping):
            raise DatasetError(f"{type(data).__name__} instead of an object")
        missing = [k for k in _REQUIRED if k not in data]
        if missing:
            raise DatasetError(f"item lacks '{missing[0]}'")
        unknown = sorted(set(data) - set(_FIELDS))
        if unknown:
            raise DatasetError(f"item has an unknown field '{unknown[0]}'")
        for name, kind in _TYPES.items():
            value = data.get(name, kind())
            if not isinstance(value, kind) or isinstance(value, bool):
                raise DatasetError(
                    f"item field '{name}' is {type(value).__name__}, expected {kind.__name__}"
                )
        if not re.fullmatch(r"|[0-9a-f]{12}", data.get("family", "")):
            raise DatasetError("item field 'family' is not 12 hexadecimal digits")
        try:
            item = cls(**data)
            right_id = item._id_of(item._encoded())
            json.dumps([data.get(name) for name in _NOT_IN_ID], allow_nan=False)
        except (TypeError, ValueError) as error:  # a date of Parquet's; nan, or half a character
            raise DatasetError(f"item is not JSON: {error}") from None
        if item.id != right_id:
            raise DatasetError(f"item id '{item.id}' does not match its content ('{right_id}')")
        return item

    def _repr_html_(self) -> str | None:
        """What a notebook shows: a feature's affair."""
        from harness.core.features import features  # nobody else needs it

        shown: str | None = features().hook.html_of(value=self)
        return shown

    @property
    def problem_id(self) -> str:
        """Identity of the problem alone: equal for items that differ only in words or form."""
        return self.family or digest([self.plugin, self.problem])[:20]


_FIELDS = tuple(f.name for f in fields(Item))
_IN_ID = ("plugin", "problem", "prompt", "target")
# Runs of fields in the order of their names, as canonical JSON has them: of the id's parts, and of others.
_ORDER = [(key, [*names]) for key, names in groupby(sorted(_FIELDS), _IN_ID.__contains__)]
_NOT_IN_ID = ("certificate", "features", "notes")
_REQUIRED = ("plugin", "version", "prompt", "target", "problem")
_TYPES: dict[str, type] = {
    "plugin": str,
    "version": str,
    "prompt": str,
    "target": str,
    "features": dict,
    "split": str,
    "seed": int,
    "index": int,
    "attempt": int,
    "notes": dict,
    "id": str,
    "family": str,
}


def plain(value: Any) -> Any:
    """Return a part of an item as JSON has it: a mapping as a dict."""
    return dict(value) if isinstance(value, Mapping) else value


@dataclass(frozen=True, slots=True)
class Solution:
    """What one engine derives from a problem.

    ``answer`` is in the form the prompt asks for, ``certificate`` is the evidence.
    """

    answer: str
    engine: str
    certificate: Any = None


@dataclass(frozen=True, slots=True)
class Verdict:
    """What scoring one completion yields.

    ``scored``: an answer was read and judged. ``unparsed``: the model said nothing that can
    be read as an answer; it scores 0 and is counted apart. ``unscored``: our own failure;
    left out of every mean and reported loudly. ``extra`` is what a metric needs to know
    beside the values: it is never averaged and may be set whatever the outcome.
    """

    outcome: Outcome
    value: Mapping[str, float]
    answer: str | None = None
    explanation: str = ""
    extra: Mapping[str, str | float] = field(default_factory=dict)

    def problems(self, names: tuple[str, ...]) -> list[str]:
        """Return what breaks the contract: outcome, wrong keys, non-finite values, wrong types.

        An ``unscored`` verdict needs no value: it enters no mean.
        """
        return [*self._type_problems()] or [*self._value_problems(names), *self._extra_problems()]

    def _type_problems(self) -> Iterator[str]:
        if self.outcome not in OUTCOMES:
            yield f"outcome {self.outcome!r} is not one of {', '.join(OUTCOMES)}"
        if self.answer is not None and not isinstance(self.answer, str):
            yield f"answer is {type(self.answer).__name__}, expected str or None"
        if not isinstance(self.explanation, str):
            yield f"explanation is {type(self.explanation).__name__}, expected str"
        for name, kept in (("value", self.value), ("extra", self.extra)):
            if not isinstance(kept, Mapping):
                yield f"{name} is {type(kept).__name__}, expected a mapping"

    def _value_problems(self, names: tuple[str, ...]) -> Iterator[str]:
        if set(self.value) != set(names) and self.outcome != "unscored":
            yield f"value has keys {sorted(map(str, self.value))}, expected {sorted(names)}"
        for key, number in self.value.items():
            if not _finite(number):
                yield f"value['{key}'] is {number!r}, expected a finite number"
        if self.outcome == "unparsed" and any(self.value.values()):
            yield "an unparsed answer has a value other than 0"

    def _extra_problems(self) -> Iterator[str]:
        for key, fact in self.extra.items():
            if key in OWN_FACTS:
                yield f"extra['{key}'] would replace what the core records under that name"
            if not isinstance(fact, str) and not _finite(fact):
                yield f"extra['{key}'] is {fact!r}, expected a string or a finite number"


# Facts about a verdict that the core keeps beside `Verdict.extra`.
OWN_FACTS = ("outcome", "target", "probability", "output_tokens", "searches")


def _finite(number: Any) -> bool:
    return isinstance(number, (int, float)) and math.isfinite(number)


def sample_ids(items: list[Item]) -> list[str]:
    """Return one unique id per item: its content id, with a count behind a repeated one."""
    seen: Counter[str] = Counter()
    ids = []
    for item in items:
        seen[item.id] += 1
        ids.append(item.id if seen[item.id] == 1 else f"{item.id}-{seen[item.id]}")
    return ids


def to_json(data: Item | Solution | Verdict) -> str:
    """Return one line of JSON for an item, a solution or a verdict."""
    return json_bytes(data).decode() if isinstance(data, Item) else canonical_json(asdict(data))


def json_bytes(item: Item) -> bytes:
    """Return the canonical JSON of an item in UTF-8; its longest parts are written once, for the id and for this."""
    encoded = item._encoded()
    values = item.to_dict()
    parts = []
    for in_id, names in _ORDER:
        if in_id:
            parts += [b'"%b":%b' % (name.encode(), encoded[name]) for name in names]
        else:
            others = {name: values[name] for name in names if name in values}
            parts.append(_utf8_json(others)[1:-1])
    return b"{%b}" % b",".join(parts)
