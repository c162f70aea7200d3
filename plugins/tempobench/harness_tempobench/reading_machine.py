"""Machines read back from tables and plain English: the inverse of `harness_tempobench.notation`.

Sizes are bounded before anything is built, and every pattern is linear in the text.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import NoReturn, TypeAlias

from harness_tempobench import hoa
from harness_tempobench.errors import TempobenchError
from harness_tempobench.labels import bits_of, letters_with, unquote
from harness_tempobench.machine import Machine, check_size

NAME = r'(?:[A-Za-z_][A-Za-z0-9_]*+|"[^"\\]*+(?:\\.[^"\\]*+)*")'
"""A pattern: the name of a proposition, as prompts show it."""

MAX_SEEN = 200_000
"""The longest description, in characters, whose machine is kept in memory."""

_STATE = "(0|[1-9][0-9]{0,3})"
_SIGNS = f"!?{NAME}(?: & !?{NAME})*"
_LIST = f"{NAME}(?:(?:, {NAME})* and {NAME})?"
_ASSERTION = f"{_LIST} (?:is|are) (?:true|false)"
_WORDS = f"{_ASSERTION}(?: and {_ASSERTION})*"
_TABLE_HEAD = ["| state | inputs | outputs | next state |", "| --- | --- | --- | --- |"]
_ROW = re.compile(rf"\| {_STATE} \| ({_SIGNS}(?: or {_SIGNS})*) \| ({_SIGNS}) \| {_STATE} \|")
_PLACE = re.compile(f"In state {_STATE}:")
_SENTENCE = re.compile(
    f" (?:If ({_WORDS}(?:, or if {_WORDS})*), then|Whatever the inputs,) ({_WORDS}), "
    rf"and the next state is {_STATE}\."
)
_ONE_NAME = re.compile(NAME)
_ONE_SIGN = re.compile(f"( or )?(?: & )?(!?)({NAME})")
_ONE_ASSERTION = re.compile(f"(, or if )?(?: and )?({_LIST}) (?:is|are) (true|false)")

_Literal: TypeAlias = "tuple[bool, str, bool]"  # whether it begins an alternative; name; value
_Edge: TypeAlias = "tuple[str, list[_Literal], list[_Literal], str]"


def names(text: str) -> list[str]:
    """Return the names in a text that is nothing but names with commas between."""
    words = _ONE_NAME.findall(text)
    require(", ".join(words) == text)
    return [name_of(word) for word in words]


def name_of(word: str) -> str:
    """Return the name that a word of a prompt shows."""
    return unquote(word) if word.startswith('"') else word


def machine(text: str, inputs: Sequence[str], outputs: Sequence[str], start: int | None) -> str:
    """Return, as HOA text with numbers, the machine that a description gives.

    Args:
        text: HOA text, a table, or sentences.
        inputs: names of the inputs, in order; a table and sentences need not use them all.
        outputs: names of the outputs.
        start: the initial state, None if the description itself has to give it (HOA text).

    Raises:
        TempobenchError: it is none, or of other propositions.
    """
    read = _kept if len(text) <= MAX_SEEN else _read
    return read(text, tuple(inputs), tuple(outputs), start)


def _read(text: str, inputs: tuple[str, ...], outputs: tuple[str, ...], start: int | None) -> str:
    if start is None:
        result = hoa.read(text)
    else:
        lines = text.split("\n")
        edges = _table(lines) if lines[:2] == _TABLE_HEAD else _sentences(lines)
        result = _machine(edges, inputs, outputs, start)
    require(result.inputs == inputs and result.outputs == outputs)
    return hoa.write(result)


_kept = lru_cache(maxsize=256)(_read)


def _table(lines: Sequence[str]) -> list[_Edge]:
    edges: list[_Edge] = []
    for line in lines[2:]:
        state, when, then, following = _parts(_ROW.fullmatch(line))
        edges.append((state, [] if when == "any" else _signs(when), _signs(then), following))
    return edges


def _sentences(lines: Iterable[str]) -> list[_Edge]:
    edges: list[_Edge] = []
    for line in lines:
        (state,) = _parts(_PLACE.match(line))
        for when, then, following in _SENTENCE.findall(line):
            edges.append((state, _words(when), _words(then), following))
    return edges


def _signs(text: str) -> list[_Literal]:
    return [(bool(new), name_of(word), not sign) for new, sign, word in _ONE_SIGN.findall(text)]


def _words(text: str) -> list[_Literal]:
    literals: list[_Literal] = []
    for new, listed, value in _ONE_ASSERTION.findall(text):
        # the name "and" stands in quotes
        subjects = [name_of(word) for word in _ONE_NAME.findall(listed) if word != "and"]
        literals += [
            (bool(new and not place), name, value == "true") for place, name in enumerate(subjects)
        ]
    return literals


def _machine(
    edges: Sequence[_Edge], inputs: tuple[str, ...], outputs: tuple[str, ...], start: int
) -> Machine:
    """Return the machine of some edges, each cell of which is given once."""
    count = max((int(edge[0]) for edge in edges), default=-1) + 1
    check_size(inputs, outputs, count)
    full = (1 << (1 << len(inputs))) - 1
    true = {name: letters_with(bit, full) for bit, name in enumerate(inputs)}
    bits = {name: 1 << bit for bit, name in enumerate(outputs)}
    rows: list[dict[int, tuple[int, int]]] = [{} for _ in range(count)]
    for state, when, then, following in edges:
        require({name for _, name, _ in when} <= true.keys())
        require({name for _, name, _ in then} <= bits.keys())
        union, product = 0, full
        for new, name, value in when:
            if new:
                union, product = union | product, full
            product &= true[name] if value else full & ~true[name]
        letters, row = bits_of(union | product), rows[int(state)]
        require(row.keys().isdisjoint(letters))
        cell = (int(following), sum(bits[name] for _, name, value in then if value))
        row.update(dict.fromkeys(letters, cell))
    table = [tuple(cell for _, cell in sorted(row.items())) for row in rows]
    return Machine(inputs, outputs, start, tuple(table))


def _parts(found: re.Match[str] | None) -> tuple[str, ...]:
    """Return the groups of what a pattern found, or refuse a description."""
    if found is None:
        refuse()
    return found.groups()


def require(condition: object) -> None:
    """Refuse a description where a condition does not hold."""
    if not condition:
        refuse()


def refuse() -> NoReturn:
    """Refuse a description."""
    raise TempobenchError("no machine as this plugin describes them")
