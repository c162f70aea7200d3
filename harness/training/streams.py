"""Endless distinct items for training: the items of `harness generate`, one after the other, for as long as asked.

**Which items.** Item k of a stream is item k of ``harness generate n=…`` with the same settings, seed and split, for
any n above k: a position whose problem came before is drawn again, the same number of times.

**Splits.** Another split draws from another source of chance, as another seed does. That keeps items apart where
there are many; a small setting has few problems, and they come in every split. What *guarantees* that no problem of
an evaluation is trained on is ``avoid=``: the problems named there never come, in none of their forms.

**Memory.** A stream remembers ten bytes of each problem it gave (about 100 bytes in a set of Python's), no items.

A stream is for one thread. A copy of it in another process gives the same items: processes need seeds of their own.
"""

from __future__ import annotations

import base64
import binascii
import copy
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
            number = _number(item.problem_id)
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
        mark = state.get("stream") if isinstance(state, Mapping) else None
        if mark != self.mark:
            what = "of a stream with other settings, another version or other items to avoid"
            raise SpecError(
                f"the state is {what if mark else 'no state of a stream'}; this is {self}"
            )
        position, identities = state.get("position"), state.get("given")
        try:
            packed = base64.b64decode(identities, validate=True)  # type: ignore[arg-type]
        except (TypeError, ValueError, binascii.Error):
            packed = b""
        numbers = {
            int.from_bytes(packed[at : at + _BYTES], "big") for at in range(0, len(packed), _BYTES)
        }
        if (
            type(position) is not int
            or len(numbers) != position
            or len(packed) != _BYTES * position
        ):
            raise SpecError(
                "the state of the stream is damaged: its problems are not as many as told"
            )
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
        if attempt and attempt % fresh.PATIENCE == 0:
            room = self.plugin.call("capacity", config=dict(self.spec.config))
            # Of those to avoid nobody knows how many these settings yield, so all are drawn for often enough.
            needed = _OFTEN * (room or 0) if self._avoid else 0
            if (
                room is not None
                and room <= len(self._given) + len(self._avoid)
                and attempt >= needed
            ):
                left = ", and some of them are to be avoided" if self._avoid else ""
                raise ExhaustedError(
                    f"{self}: there are {room} distinct problems{left}; after {len(self._given)} items "
                    "no other is left; use larger settings"
                )
        if attempt + 1 >= fresh.LIMIT:
            raise ExhaustedError(
                f"{self}: no further problem was found in {fresh.LIMIT} draws after "
                f"{len(self._given)} items; use larger settings"
            )


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
    endless = Stream(owner, _spec(owner, config or {}, seed, split), problem_ids(owner, avoid))
    if type(start) is not int or start < 0:
        raise SpecError(f"start={printable(str(start), 40)}: expected a number of items, 0 or more")
    if state is not None:
        if start:
            raise SpecError("start= and state= both say where to begin; give one of them")
        return endless.restore(state)
    for _ in range(start):
        next(endless)
    return endless


def _spec(plugin: Plugin, config: Mapping[str, Any], seed: int, split: str) -> Spec:
    known = {*plugin.benchmark.config_schema["properties"], "preset", "difficulty"}
    for key in config:
        if key not in known:
            hint = did_you_mean(str(key), known)
            raise SpecError(
                f"unknown key '{printable(str(key), 80)}' for plugin {plugin.benchmark.name}; {hint}"
            )
    # What cannot be changed under way: the caller keeps the configuration.
    unchanging = copy.deepcopy(dict(config))
    return make(plugin, {**unchanging, "seed": seed, "split": split, "n": 1, "unique": True})


def problem_ids(plugin: Plugin, problems: str | Path | Iterable[str | Item]) -> frozenset[int]:
    """Return the identities of problems: of items, of ids, or of all records of a dataset's file or folder."""
    if isinstance(problems, str | Path):
        problems = reading.items(plugin, make(plugin, {"dataset": str(problems)}))
    ids = (problem.problem_id if isinstance(problem, Item) else problem for problem in problems)
    return frozenset(map(_number, ids))


def check_count(name: str, value: object, unit: str = " of items") -> None:
    """Raise SpecError unless an argument, shown under its name, is a whole number from 1."""
    if type(value) is not int or value < 1:
        expected = f"expected a number{unit}, 1 or more"
        raise SpecError(f"{name}={printable(ascii(value), 40)}: {expected}")


def _number(problem: str) -> int:
    """Return a problem's id as a number; the digits say which of the two kinds of id it is."""
    try:
        if len(problem) in (12, 2 * _BYTES) and problem.isalnum():
            return int(problem, 16)
    except (TypeError, ValueError):
        pass
    raise DatasetError(
        f"{printable(ascii(problem), 60)} is no problem's id (20 hexadecimal digits, Item.problem_id)"
    )
