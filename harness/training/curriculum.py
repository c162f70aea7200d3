"""Harder items as a model gets better, easier ones where it is lost, by rules that are the same every time.

What is reported of a level's items goes into a window: 1 where the reward is ``solved`` or more, else 0. When there
are ``window`` reports, their share of ones decides: at ``up`` or above the next level begins, at ``down`` or below
the one before, and the window is emptied. Between the two the level stays, and each further report takes the place of
the oldest. With the defaults a model that solves half of a level's items leaves it at about one look in 40,000.

A level whose problems have all been given counts as passed: the next one begins, and it is not returned to. Reports
of items of a level that has been left (they may come late, from workers) are not counted. The same items and reports
in the same order give the same levels: there is no clock and no chance in it.
"""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from numbers import Real
from pathlib import Path
from typing import Any

from harness_errors import ExhaustedError, SpecError

from harness.core.facts import printable
from harness.core.items import Item, digest
from harness.training.rewards import finite
from harness.training.streams import check_count, check_mark, stream

_PENDING = 100_000  # items of a level whose reports are waited for


class Curriculum(Iterator[Item]):
    """Items of one level of difficulty at a time, which follows the rewards that are reported; see the module.

    >>> import harness
    >>> items = harness.Curriculum("ltlbench", key="operators", values=[1, 2, 3], window=4)
    >>> for _ in range(4):
    ...     item = items.next()
    ...     counted = items.report(item, 1.0)
    >>> items.level, items.levels[items.level]
    (1, {'operators': 2})

    Args:
        plugin: the benchmark's name.
        levels: configurations, the easiest first.
        key: instead of ``levels``: the key of the configuration that differs between them,
        values: and what it is, level by level.
        config: what all levels have in common.
        seed, split, avoid: as for `harness.stream`.
        window: reports that decide.
        up: the share of solved ones that raises the level.
        down: the share that lowers it.
        solved: the least reward that counts as solved.
        state: what `state` told, to go on from there.

    Raises:
        SpecError: fewer than two levels, or anything that does not fit.
        PluginError: there is no such plugin.
    """

    def __init__(
        self,
        plugin: str,
        levels: Sequence[Mapping[str, Any]] | None = None,
        *,
        key: str = "",
        values: Sequence[Any] = (),
        config: Mapping[str, Any] | None = None,
        seed: int = 0,
        split: str = "train",
        avoid: str | Path | Iterable[str | Item] = (),
        window: int = 50,
        up: float = 0.8,
        down: float = 0.2,
        solved: float = 1.0,
        state: Mapping[str, Any] | None = None,
    ) -> None:
        self.levels = _levels(levels, key, values, config or {})
        _check(window, up, down, solved)
        self.window, self.up, self.down, self.solved = window, up, down, solved
        held_out = avoid if isinstance(avoid, str | Path) else list(avoid)
        self._streams = [
            stream(plugin, settings, seed, split, avoid=held_out) for settings in self.levels
        ]
        self.plugin = plugin
        self._level = 0
        self._reports: deque[int] = deque(maxlen=window)
        self._pending: dict[str, None] = {}
        self._spent: set[int] = set()
        if state is not None:
            self.restore(state)

    def __str__(self) -> str:
        return f"curriculum of {len(self.levels)} levels of {self._streams[0]}"

    @property
    def level(self) -> int:
        """The number of the level at hand, from 0."""
        return self._level

    @property
    def success(self) -> float | None:
        """The share of solved ones among the reports in the window; None where there are none."""
        return sum(self._reports) / len(self._reports) if self._reports else None

    def __next__(self) -> Item:
        """Return an item of the level at hand.

        Raises:
            ExhaustedError: its problems have all been given, and those of all levels above.
            EngineError: an engine failed on this item; asked again, it is tried again.
        """
        try:
            item = next(self._streams[self._level])
        except ExhaustedError as error:
            self._spent.add(self._level)
            if self._moved(1):
                return next(self)
            raise ExhaustedError(f"level {self._level}: {error}") from error
        self._pending[item.id] = None
        if len(self._pending) > _PENDING:
            del self._pending[next(iter(self._pending))]
        return item

    def next(self) -> Item:
        """Return an item of the level at hand, as ``next(curriculum)`` does."""
        return next(self)

    def report(self, item: Item, reward: float) -> bool:
        """Take in the reward of an answer to an item, as often as there are answers; return whether it counts.

        It does not where the item's level has been left.

        Raises:
            SpecError: the item is another plugin's, or the reward is no finite number.
        """
        if not isinstance(item, Item) or item.plugin != self.plugin:
            whose = f"an item of {item.plugin}" if isinstance(item, Item) else type(item).__name__
            raise SpecError(f"report() takes an item of {self.plugin}, got {printable(whose, 80)}")
        if not (isinstance(reward, Real) and abs(reward) < math.inf):  # nan is not
            shown = printable(ascii(reward), 40)
            raise SpecError(f"the reward is {shown}, expected a finite number")
        if item.id not in self._pending:
            return False
        self._reports.append(int(reward >= self.solved))
        if len(self._reports) == self.window:
            share = sum(self._reports) / self.window
            if share >= self.up or share <= self.down:
                self._moved(1 if share >= self.up else -1)
        return True

    def state(self) -> dict[str, Any]:
        """Return where the curriculum is as JSON data: level, reports, items waited for, and all streams."""
        return {
            "curriculum": self._mark(),
            "level": self._level,
            "reports": list(self._reports),
            "pending": list(self._pending),
            "spent": sorted(self._spent),
            "streams": [source.state() for source in self._streams],
        }

    def restore(self, state: Mapping[str, Any]) -> Curriculum:
        """Go to where a curriculum was when it told its `state`; return this one.

        Raises:
            SpecError: the state is none, or of another curriculum.
        """
        check_mark(state, "curriculum", self._mark(), "with other levels or rules", f"a {self}")
        level, reports, pending, spent, streams = (
            state.get(name) for name in ("level", "reports", "pending", "spent", "streams")
        )
        last = range(len(self.levels))
        whole = (
            type(level) is int and level in last,
            _all(reports, lambda report: report in (0, 1)),
            _all(pending, lambda item_id: isinstance(item_id, str)),
            _all(spent, last.__contains__),
            isinstance(streams, list) and len(streams) == len(self.levels),
        )
        if not all(whole):
            raise SpecError("the state of the curriculum is damaged")
        for source, stream_state in zip(self._streams, streams or (), strict=True):
            source.restore(stream_state)
        self._level = int(level or 0)
        self._reports = deque(reports or (), maxlen=self.window)
        self._pending, self._spent = dict.fromkeys(pending or ()), set(spent or ())
        return self

    def _moved(self, step: int) -> bool:
        """Go to the next level in a direction that still has problems; return whether there is one."""
        level = self._level + step
        while level in self._spent:
            level += step
        if not 0 <= level < len(self.levels):
            return False
        self._level = level
        self._reports.clear()
        self._pending.clear()
        return True

    def _mark(self) -> str:
        marks = [source.mark for source in self._streams]
        return digest([marks, self.window, self.up, self.down, self.solved])[:20]


def _levels(
    levels: Sequence[Mapping[str, Any]] | None,
    key: str,
    values: Sequence[Any],
    common: Mapping[str, Any],
) -> list[dict[str, Any]]:
    if (levels is None) == (not key):
        raise SpecError("give levels=[{…}, …], or key= with values=[…]")
    if key and (isinstance(values, str) or not isinstance(values, Sequence)):
        raise SpecError(f"values is {type(values).__name__}, expected a list of what '{key}' is")
    if levels is not None and len(values):
        raise SpecError("values= goes with key=, not with levels=")
    configs = [{key: value} for value in values] if levels is None else levels
    if len(configs) < 2 or not all(isinstance(config, Mapping) for config in configs):
        expected = "expected two configurations or more, the easiest first"
        raise SpecError(f"{len(configs)} levels: {expected}")
    return [{**common, **config} for config in configs]


def _check(window: int, up: float, down: float, solved: float) -> None:
    check_count("window", window, " of reports")
    for name, share in (("up", up), ("down", down), ("solved", solved)):
        if not finite(share):
            raise SpecError(f"{name}={printable(ascii(share), 40)}: expected a number")
    if not down < up <= 1:
        raise SpecError(f"up={up:g} down={down:g}: expected down below up, and up at most 1")


def _all(values: Any, right: Any) -> bool:
    return isinstance(values, list) and all(right(value) for value in values)
