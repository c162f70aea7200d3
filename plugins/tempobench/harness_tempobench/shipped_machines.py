"""The shipped machines: those of the families in ``specs/``, synthesised once and kept as text.

They are data and not made on the spot, so that items are the same on any machine and under any
version of Spot. ``tools/make_machines.py`` makes ``machines/``; the tests make some of them again.

Formats: ``machines/index.jsonl`` has one JSON object for each machine, the fields of `Entry`;
``machines/FAMILY.jsonl`` one for each of that family's, in the index's order, with the names of the
inputs and outputs and, for each state, a text such as ``abba 1.0 2.3``: a digit of `DIGITS` for
each letter, which says which of the cells (next state and output mask) behind it is the letter's.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from importlib import resources

from harness_tempobench import hoa
from harness_tempobench.machine import Machine, Row

DIGITS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789+/"
"""Digits of a row, by the number of the cell: 64 of them, for 6 inputs."""

_DIGIT = {digit: number for number, digit in enumerate(DIGITS)}


@dataclass(frozen=True, slots=True, eq=False)  # each is made once, and hashed often
class Entry:
    """What is known of a shipped machine without reading it.

    Attributes:
        family: name of the specification, ``lift`` for ``specs/lift.tlsf``.
        parameters: names and values, in the order of ``specs/INDEX.yaml``.
        states: how many; all are reachable.
        inputs: how many.
        outputs: how many.
        transitions: how many pairs of a state and a next state there are.
    """

    family: str
    parameters: tuple[tuple[str, int], ...]
    states: int
    inputs: int
    outputs: int
    transitions: int


@cache
def shipped() -> tuple[Entry, ...]:
    """Return all shipped machines, in the order of ``specs/INDEX.yaml``."""
    entries = map(json.loads, _lines("index"))
    return tuple(
        Entry(**entry | {"parameters": tuple(entry["parameters"].items())}) for entry in entries
    )


@cache  # all of them together are a few megabytes
def machine(entry: Entry) -> Machine:
    """Return a shipped machine: canonical, with the specification's inputs and outputs in order."""
    family = [other for other in shipped() if other.family == entry.family]
    kept = json.loads(_lines(entry.family)[family.index(entry)])
    return Machine(tuple(kept["inputs"]), tuple(kept["outputs"]), 0, tuple(_rows(kept["rows"])))


@cache
def hoa_text(entry: Entry) -> str:
    """Return a shipped machine as `hoa.write` writes it, propositions by number."""
    return hoa.write(machine(entry))


@cache
def _lines(name: str) -> tuple[str, ...]:
    path = resources.files("harness_tempobench").joinpath("machines", f"{name}.jsonl")
    return tuple(path.read_text("ascii").splitlines())


def _rows(texts: list[str]) -> Iterator[Row]:
    for text in texts:
        digits, *cells = text.split(" ")
        pairs = [cell.split(".") for cell in cells]
        known = [(int(following), int(mask)) for following, mask in pairs]
        yield tuple(known[_DIGIT[digit]] for digit in digits)
