"""Endless distinct items for training: the items of `harness generate`, one after the other, for as long as asked.

Item k of a stream is item k of ``harness generate n=…`` with the same settings, seed and split, for any n above k: a
position whose problem came before is drawn again, the same number of times. A stream remembers ten bytes of each
problem it gave, and no items. It is for one thread. docs/training.md has more.
"""

from __future__ import annotations

import base64
import copy
import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from harness_errors import DatasetError, ExhaustedError, SpecError, did_you_mean

from harness.core import fresh
from harness.core.facts import printable
from harness.core.items import Item, digest
from harness.core.plugins import Plugin
from harness.core.spec import Spec, make
from harness.datasets import reading
from harness.training.rewards import plugins

_OFTEN = 20  # draws in vain for each problem that a small setting has, until it counts as exhausted
_BYTES = 10  # of a problem's identity, which is 20 hexadecimal digits, or 12 for a family


class Stream(Iterator[Item]):
    """Distinct items of one setting, without end; see the module and `stream`."""

    def __init__(self, plugin: Plugin, spec: Spec, avoid: frozenset[int] = frozenset()) -> None:
        self.plugin, self.spec = plugin, spec
        self._avoid = avoid
        self._given: set[int] = set()
        self._position = 0

    def __str__(self) -> str:
        config = " ".join(f"{key}={value}" for key, value in self.spec.config.items())
        settings = f"{self.spec.plugin} split={self.spec.split} seed={self.spec.seed} {config}"
        return printable(settings.strip(), 400)

    @property
    def position(self) -> int:
        """The index of the item that comes next."""
        return self._position

    def __next__(self) -> Item:
        """Return the next item.

        Raises:
            ExhaustedError: there is no further problem, or none was found in many draws.
            EngineError: an engine failed on this item; asked again, it is tried again.
        """
        attempt = 0
        while True:
            item = fresh.item_at(self.plugin, self.spec, self._position, attempt)
            number = int(item.problem_id, 16)
            if number not in self._given and number not in self._avoid:
                break
            self._give_up(attempt)
            attempt += 1
        self._given.add(number)
        self._position += 1
        return item

    def take(self, n: int) -> list[Item]:
        """Return the next ``n`` items."""
        return [next(self) for _ in range(n)]

    def state(self) -> dict[str, Any]:
        """Return where the stream is as JSON data: 14 bytes for each item given, and no item is drawn again."""
        identities = b"".join(number.to_bytes(_BYTES, "big") for number in sorted(self._given))
        return {
            "stream": self.mark,
            "position": self._position,
            "given": base64.b64encode(identities).decode(),
        }

    def restore(self, state: Mapping[str, Any]) -> Stream:
        """Go to where a stream was when it told its `state`; return this stream.

        Raises:
            SpecError: the state is none, or of other settings.
        """
        other = "with other settings, another version or other items to avoid"
        check_mark(state, "stream", self.mark, other, str(self))
        position = state.get("position")
        try:
            packed = base64.b64decode(state.get("given"), validate=True)  # type: ignore[arg-type]
        except (TypeError, ValueError):
            packed = b""
        starts = range(0, len(packed), _BYTES)
        numbers = {int.from_bytes(packed[at : at + _BYTES], "big") for at in starts}
        whole = type(position) is int and len(packed) == _BYTES * position
        if not whole or len(numbers) != position:
            wrong = "its problems are not as many as told"
            raise SpecError(f"the state of the stream is damaged: {wrong}")
        self._given, self._position = numbers, position
        return self

    def fresh(self) -> Stream:
        """Return a stream of the same settings that begins at the first item."""
        return Stream(self.plugin, self.spec, self._avoid)

    @property
    def mark(self) -> str:
        """20 hexadecimal digits over all that decides which items come, but where the stream is."""
        avoided = digest(sorted(self._avoid)) if self._avoid else ""
        # Of what decides which items there are, all but their number.
        data = {key: value for key, value in self.spec.data().items() if key != "n"}
        return digest([data, avoided])[:20]

    def _give_up(self, attempt: int) -> None:
        """Raise ExhaustedError where no further problem is to be expected after so many draws."""
        given, why = len(self._given), ""
        if attempt and attempt % fresh.PATIENCE == 0:
            room = self.plugin.call("capacity", config=dict(self.spec.config))
            # Of those to avoid nobody knows how many these settings yield, so all are drawn for often enough.
            needed = _OFTEN * (room or 0) if self._avoid else 0
            if room is not None and room <= given + len(self._avoid) and attempt >= needed:
                left = ", and some of them are to be avoided" if self._avoid else ""
                why = f"there are {room} distinct problems{left}; after {given} items no other is left"
        if not why and attempt + 1 >= fresh.LIMIT:
            why = f"no further problem was found in {fresh.LIMIT} draws after {given} items"
        if why:
            raise ExhaustedError(f"{self}: {why}; use larger settings")


def stream(
    plugin: str,
    config: Mapping[str, Any] | None = None,
    seed: int = 0,
    split: str = "train",
    *,
    start: int = 0,
    avoid: str | Path | Iterable[str | Item] = (),
    state: Mapping[str, Any] | None = None,
) -> Stream:
    """Return an endless iterator of distinct items.

    >>> import harness
    >>> items = harness.stream("ltlbench", {"operators": 3}, seed=1)
    >>> first = next(items)
    >>> first.split, first.index, items.position
    ('train', 0, 1)

    Args:
        plugin: the benchmark's name.
        config: keys of its configuration (and ``preset``), as ``harness describe`` lists them.
        seed: which items; none are those of another seed, but by chance.
        split: which items, as for ``harness generate``, whose default is ``test``.
        start: the index of the first item that is given. Those before are made, to know their problems.
        avoid: what must not come: problem ids, items, or the path of a dataset that is to stay unseen.
        state: what `Stream.state` told, to go on from there at once.

    Raises:
        SpecError: a key, a value or a state that does not fit.
        PluginError: there is no such plugin.
        DatasetError: the dataset to avoid cannot be read, or what should be a problem's id is none.
    """
    owner = plugins().get(plugin)
    known = {*owner.benchmark.config_schema["properties"], "preset", "difficulty"}
    for key in map(str, config or ()):
        if key not in known:
            wrong = f"unknown key '{printable(key, 80)}' for plugin {plugin}"
            raise SpecError(f"{wrong}; {did_you_mean(key, known)}")
    # A copy, which cannot be changed under way: the caller keeps the configuration.
    values = copy.deepcopy(dict(config or {}))
    spec = make(owner, {**values, "seed": seed, "split": split, "n": 1, "unique": True})
    avoided = frozenset(int(name, 16) for name in problem_ids(owner, avoid))
    endless = Stream(owner, spec, avoided)
    if type(start) is not int or start < 0:
        raise SpecError(f"start={printable(str(start), 40)}: expected a number of items, 0 or more")
    if state is not None:
        if start:
            raise SpecError("start= and state= both say where to begin; give one of them")
        return endless.restore(state)
    for _ in range(start):
        next(endless)
    return endless


def problem_ids(plugin: Plugin, problems: str | Path | Iterable[str | Item]) -> set[str]:
    """Return the ids of problems: of items, of ids, or of all records of a dataset's file or folder."""
    if isinstance(problems, str | Path):
        problems = reading.items(plugin, make(plugin, {"dataset": str(problems)}))
    return {_id(item.problem_id if isinstance(item, Item) else item) for item in problems}


def check_mark(state: Any, kind: str, mark: str, other: str, this: str) -> None:
    """Raise SpecError unless a state is of this kind and mark; the message says what else differs (``other``)."""
    given = state.get(kind) if isinstance(state, Mapping) else None
    if given != mark:
        what = f"of a {kind} {other}" if given else f"no state of a {kind}"
        raise SpecError(f"the state is {what}; this is {this}")


def check_count(name: str, value: object, unit: str = " of items") -> None:
    """Raise SpecError unless an argument, shown under its name, is a whole number from 1."""
    if type(value) is not int or value < 1:
        expected = f"expected a number{unit}, 1 or more"
        raise SpecError(f"{name}={printable(ascii(value), 40)}: {expected}")


def _id(problem: object) -> str:
    """Return a problem's id, of which there are two kinds: of 20 digits, and of 12 for a family."""
    if isinstance(problem, str) and re.fullmatch("[0-9a-f]{12}(?:[0-9a-f]{8})?", problem):
        return problem
    shown = printable(ascii(problem), 60)
    raise DatasetError(f"{shown} is no problem's id (20 hexadecimal digits, Item.problem_id)")
