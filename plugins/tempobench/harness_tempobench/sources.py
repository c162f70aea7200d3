"""Where the machines of items come from: the shipped families, or a user's specifications or machines.

A draw depends on the configuration, the files and the source of chance alone: a file that cannot be
used stays among those drawn from, and drawing it says why it is skipped.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Mapping
from functools import cache, lru_cache
from random import Random
from typing import Any, TypeAlias

from harness import did_you_mean
from harness_tempobench.errors import TempobenchError
from harness_tempobench.fresh_machines import FRESH, Fresh
from harness_tempobench.shipped_machines import Entry, hoa_text, machine, shipped
from harness_tempobench.source_files import (
    Limits,
    Loaded,
    Stamp,
    Survey,
    UnfitError,
    UnusableError,
    listed,
    load,
)

MAX_KEPT = 50_000_000
"""Bytes, roughly, of a user's machines that are kept in memory."""

_POINTER = 8


SHOWN = 3
"""Files whose reasons are told where none can be used."""


Source: TypeAlias = "Shipped | Files | Fresh"


def source(config: Mapping[str, Any]) -> Source:
    """Return what a configuration draws from; the same one again while no file has changed, but of fresh machines.

    Args:
        config: ``families`` (names; all if empty), ``min_states``, ``max_states``, ``max_inputs``,
            ``specs`` (directory of TLSF files or ""), ``machines`` (directory of HOA files, "fresh" or "")
            and ``seconds`` (limit of the synthesis of one specification).

    Raises:
        TempobenchError: keys that contradict each other, no such family, no shipped machine within
            the limits, no such directory or no file of the right kind in it.
    """
    limits = Limits(*map(config.__getitem__, Limits._fields))
    keys = [key for key in ("specs", "machines") if config[key]]
    if len(keys) > 1:
        raise TempobenchError("specs and machines are both given: machines come from one of them")
    if not keys:
        return _shipped(tuple(sorted(set(config["families"]))), limits)
    (key,) = keys
    if config["families"]:
        raise TempobenchError(f"families are those shipped: they have no effect with {key}=…")
    if config[key] == FRESH:
        return Fresh(limits)
    return _files(key, config[key], listed(key, config[key]), limits)


class Shipped:
    """The shipped families, all equally likely; within a family all its machines are."""

    def __init__(self, families: list[tuple[Entry, ...]]) -> None:
        self._families = families

    def draw(self, rng: Random) -> Loaded:
        """Return a machine."""
        return _loaded(rng.choice(rng.choice(self._families)))

    def survey(self) -> Survey:
        """Count the machines."""
        return Survey(sum(map(len, self._families)))


@cache
def _loaded(entry: Entry) -> Loaded:
    return Loaded(machine(entry), hoa_text(entry), entry.family, dict(entry.parameters))


@lru_cache(maxsize=16)
def _shipped(families: tuple[str, ...], limits: Limits) -> Shipped:
    known = dict.fromkeys(entry.family for entry in shipped())
    for family in families:
        if family not in known:
            raise TempobenchError(
                f"families: no family {family[:80]!r}; {did_you_mean(family, known)}"
            )
    wanted = [entry for entry in shipped() if not families or entry.family in families]
    fitting: dict[str, tuple[Entry, ...]] = {}
    for entry in wanted:
        if not limits.misfit(entry.states, entry.inputs):
            fitting[entry.family] = (*fitting.get(entry.family, ()), entry)
    if not fitting:
        few = [entry for entry in wanted if entry.inputs <= limits.max_inputs]
        raise TempobenchError(_none_left(families, limits, few or wanted))
    return Shipped(list(fitting.values()))


def _none_left(families: tuple[str, ...], limits: Limits, others: list[Entry]) -> str:
    of = f" of {', '.join(families)}" if families else ""
    states = sorted({entry.states for entry in others})
    inputs = min(entry.inputs for entry in others)
    numbers = ", ".join(map(str, states)) if len(states) <= 20 else f"{states[0]} to {states[-1]}"
    return (
        f"no shipped machine{of} has {limits.min_states} to {limits.max_states} states and at most "
        f"{limits.max_inputs} inputs: there are {numbers} states, and {inputs} inputs at least"
    )


class Files:
    """A user's files, all equally likely; each is loaded when it is first drawn."""

    def __init__(self, key: str, root: str, stamps: tuple[Stamp, ...], limits: Limits) -> None:
        self._key, self._root = key, root
        self._stamps = stamps
        self._limits = limits
        self._reasons: dict[Stamp, str] = {}
        self._unfit: set[Stamp] = set()
        self._kept: OrderedDict[Stamp, Loaded] = OrderedDict()
        self._weight = 0

    def draw(self, rng: Random) -> Loaded | None:
        """Return a machine; None if the file drawn cannot be used.

        Raises `TempobenchError`: nothing of the source can be used.
        """
        if len(self._reasons) == len(self._stamps):
            listed = sorted(self.skipped().items())
            why = "; ".join(f"{name[:80]}: {reason}" for name, reason in listed[:SHOWN])
            more = f"; and {len(listed) - SHOWN} more" if len(listed) > SHOWN else ""
            raise TempobenchError(
                f"{self._key}={self._root[:80]}: of {len(listed)} files none can be used; {why}{more}"
            )
        return self._look(rng.choice(self._stamps))

    def skipped(self) -> dict[str, str]:
        """Return the files that turned out to be unusable so far, with the reasons."""
        return {
            stamp.shown: self._reasons[stamp] for stamp in self._stamps if stamp in self._reasons
        }

    def survey(self) -> Survey:
        """Look at everything there is, which may take `Limits.seconds` for each specification."""
        usable = sum(isinstance(self._look(stamp), Loaded) for stamp in self._stamps)
        unfit = {stamp.shown for stamp in self._unfit}
        reasons = self.skipped()
        return Survey(
            usable,
            {path: why for path, why in reasons.items() if path not in unfit},
            {path: why for path, why in reasons.items() if path in unfit},
        )

    def _look(self, stamp: Stamp) -> Loaded | None:
        if stamp in self._reasons:
            return None
        if stamp in self._kept:
            self._kept.move_to_end(stamp)
            return self._kept[stamp]
        try:
            machine, text, parameters = load(self._key, stamp, self._limits)
        except UnusableError as error:
            self._reasons[stamp] = str(error)
            if isinstance(error, UnfitError):
                self._unfit.add(stamp)
            return None
        loaded = self._kept[stamp] = Loaded(machine, text, stamp.stem, parameters)
        self._weight += _weight(loaded)
        while self._weight > MAX_KEPT and len(self._kept) > 1:  # those not used for longest go
            self._weight -= _weight(self._kept.popitem(last=False)[1])
        return loaded


def _weight(loaded: Loaded) -> int:
    return len(loaded.machine.table) * loaded.machine.letters * _POINTER + len(loaded.hoa)


_files = lru_cache(maxsize=4)(Files)
