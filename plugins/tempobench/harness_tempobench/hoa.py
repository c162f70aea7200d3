"""Mealy machines as HOA text: own reader and writer; nothing here runs or opens anything.

Format: the Hanoi Omega-Automata format, version 1 (adl.github.io/hoaf), with the extension
``controllable-AP`` that Spot and SYNTCOMP use for the propositions that the machine sets: its
outputs. What has no sense for a Mealy machine is refused: other acceptance than ``0 t``, several
initial states, alternation, implicit labels. Labels may name propositions by number (the standard)
or by name, as the listings of TempoBench do.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from operator import and_, or_
from typing import TypeAlias

from harness_tempobench.errors import HoaError, TempobenchError
from harness_tempobench.hoa_items import Item, items, shown
from harness_tempobench.labels import (
    Diagram,
    Labels,
    bits_of,
    by_name,
    cubes,
    literal_text,
    quote,
    unquote,
)
from harness_tempobench.machine import MAX_STATES, Machine, Row, cells, check_size

MAX_TEXT = 4_000_000
"""The longest text read, in characters."""

_MAX_PROPOSITIONS = 64  # more than any machine has, few enough to look at each
_IGNORED = ("acc-name", "tool", "name", "properties")
_Edge: TypeAlias = "tuple[Diagram, int]"  # label and next state


@dataclass(frozen=True, slots=True, eq=False)
class Opened:
    """A machine with what its text leaves open.

    Attributes:
        machine: a state that has no edge for a letter has one back to itself, with all outputs false. This is
            our convention and none of the format: the machine ignores what was not foreseen.
        labels: what evaluates the diagrams.
        edges: for every state that the text defines, the labels of its edges and where they lead.
    """

    machine: Machine
    labels: Labels
    edges: dict[int, list[_Edge]]


def read(text: str) -> Machine:
    """Read a Mealy machine from one automaton, whole; its states keep their numbers.

    Inputs and outputs are ordered as ``AP`` orders them. Where a letter has several outputs, as
    controllers that leave some open have, the machine gets the least output mask.

    Raises:
        HoaError: one line with the line number: no HOA, no Mealy machine, or beyond the bounds.
    """
    return _read(text, complete=False).machine


def read_open(text: str) -> Opened:
    """Read a machine that need not be complete nor determined in its outputs, with its edges as they are.

    Raises:
        HoaError: as `read`; two next states for the same inputs and outputs are refused here, too.
    """
    return _read(text, complete=True)


def _read(text: str, complete: bool) -> Opened:
    if not isinstance(text, str):
        raise HoaError(f"a HOA automaton is text, not a {type(text).__name__}")
    if len(text) > MAX_TEXT:
        raise HoaError(f"HOA text of {len(text):,} characters: at most {MAX_TEXT:,} are read")
    if not text.lstrip().startswith("HOA:"):
        raise HoaError(f"no HOA automaton: the text starts {text.strip()[:20]!r}, not 'HOA: v1'")
    parts = items(text)
    try:
        header = _Header(parts)
        rows = _rows(parts, header, complete)
        machine = Machine(header.inputs, header.outputs, header.start, tuple(rows.table()))
        return Opened(machine, header.labels, rows.edges)
    except TempobenchError as error:  # the bounds of machines and labels do not say where
        message = str(error)
        raise HoaError(message if message.startswith("HOA") else f"HOA: {message}") from None


class _Header:
    """What stands before the body; takes the items up to ``--BODY--``."""

    def __init__(self, items: Iterator[Item]) -> None:
        first = next(items)
        if first.tokens != [("name", "v1")]:
            raise first.fail("only version 1 is known: 'HOA: v1'")
        fields, aliases = self._collect(items)
        for needed in ("Start", "AP", "Acceptance"):
            if needed not in fields:
                raise HoaError(f"HOA: the header has no '{needed}:'")
        states = fields.get("States")
        self.states = states.only_number("the number of states", MAX_STATES) if states else None
        self.start = fields["Start"].only_number("the initial state", MAX_STATES - 1)
        if fields["Acceptance"].tokens != [("int", "0"), ("name", "t")]:
            raise fields["Acceptance"].fail("a Mealy machine accepts every run: 'Acceptance: 0 t'")
        names = _names(fields["AP"])
        outputs = _controllable(fields.get("controllable-AP"), len(names))
        self.inputs = tuple(name for i, name in enumerate(names) if i not in outputs)
        self.outputs = tuple(name for i, name in enumerate(names) if i in outputs)
        check_size(self.inputs, self.outputs, self.states or 1)
        self.labels = Labels(names, outputs)
        for alias in aliases:
            self._define(alias)

    def _collect(self, items: Iterator[Item]) -> tuple[dict[str, Item], list[Item]]:
        fields: dict[str, Item] = {}
        aliases: list[Item] = []
        for item in items:
            if item.name == "--BODY--":
                if item.tokens:
                    raise item.fail(f"{shown(item.tokens[0][1])} stands where 'State:' is due")
                return fields, aliases
            if item.name == "Alias":
                aliases.append(item)
            elif item.name in ("States", "Start", "AP", "Acceptance", "controllable-AP"):
                if item.name in fields:
                    raise item.fail(f"'{item.name}:' is given twice")
                fields[item.name] = item
            elif item.name not in _IGNORED and not item.name[0].islower():
                # the format: what may be ignored starts with a small letter
                raise item.fail(f"{shown(item.name + ':')} is not known in a header")
        raise HoaError("HOA: there is no '--BODY--'")

    def _define(self, item: Item) -> None:
        if not item.tokens or item.tokens[0][0] != "alias":
            raise item.fail("an alias is '@name' and an expression")
        try:
            self.labels.define(item.tokens[0][1], " ".join(text for _, text in item.tokens[1:]))
        except HoaError as error:
            raise item.fail(f"Alias: {error}") from None


def _names(item: Item) -> list[str]:
    if not item.tokens:
        raise item.fail("'AP:' takes a number and as many names in quotes")
    count = item.number(item.tokens[0], "the number of propositions", _MAX_PROPOSITIONS)
    texts = [text for kind, text in item.tokens[1:] if kind == "string"]
    if len(texts) != count or len(item.tokens) != count + 1:
        raise item.fail(f"'AP:' announces {count} names in quotes and has {len(item.tokens) - 1}")
    return [unquote(text) for text in texts]


def _controllable(item: Item | None, names: int) -> frozenset[int]:
    if item is None or not item.tokens:
        raise HoaError(
            "HOA: no output is named: 'controllable-AP:' gives the numbers of the outputs in AP"
        )
    if len(item.tokens) > names:
        raise item.fail(f"{len(item.tokens)} outputs are named, and AP has {names} propositions")
    numbers = [item.number(token, "the number of an output", names - 1) for token in item.tokens]
    if len(set(numbers)) < len(numbers):
        raise item.fail("an output is named twice")
    return frozenset(numbers)


def _rows(items: Iterator[Item], header: _Header, complete: bool) -> _Rows:
    """Return the rows that the body defines."""
    rows = _Rows(header, complete)
    for item in items:
        if item.name == "--END--":
            if item.tokens or next(items, None) is not None:
                raise item.fail("text after '--END--': one automaton is read, and nothing else")
            return rows
        if item.name != "State":
            raise item.fail(f"{shown(item.name)} stands where 'State:' or '--END--' is due")
        rows.add(item)
    raise HoaError("HOA: there is no '--END--'")


class _Rows:
    """The rows of the states read so far, by number."""

    def __init__(self, header: _Header, complete: bool) -> None:
        self.header, self.complete = header, complete
        self.rows: dict[int, Row] = {}
        self.edges: dict[int, list[_Edge]] = {}
        self.highest = header.start
        self.cells: dict[tuple[int, int], tuple[int, int]] = {}  # shared, or big ones would not fit

    def add(self, item: Item) -> None:
        number, edges = _EdgeReader(item, self.header).read()
        if number in self.rows:
            raise item.fail(f"state {number} is defined twice")
        self.rows[number] = self.row(number, edges, f" line {item.line}")
        self.edges[number] = edges
        self.highest = max(self.highest, number, *(to for _, to in edges))
        size = self.header.states or self.highest + 1
        check_size(self.header.inputs, self.header.outputs, size)

    def table(self) -> list[Row]:
        count = self.header.states if self.header.states is not None else self.highest + 1
        if self.header.start >= count:
            start = self.header.start
            raise HoaError(f"HOA: the initial state is {start}, and there are {count} states")
        return [self.rows.get(number) or self.row(number, [], "") for number in range(count)]

    def row(self, number: int, edges: list[_Edge], place: str) -> Row:
        if twice := _ambiguous(edges, self.header.labels):
            raise HoaError(
                f"HOA{place}: state {number} has two next states for {self._described(*twice)}"
            )
        row, missing = _determine(edges, self.header.labels)
        if missing and not self.complete:
            inputs = self._described(bits_of(missing)[0])
            raise HoaError(f"HOA{place}: state {number} has no edge for {inputs}")
        for letter in bits_of(missing):
            row[letter] = (number, 0)
        return tuple(self.cells.setdefault(cell, cell) for cell in row)

    def _described(self, letter: int, mask: int | None = None) -> str:
        inputs = f"the inputs {_literals(letter, self.header.inputs)}"
        outputs = "" if mask is None else f" and outputs {_literals(mask, self.header.outputs)}"
        return inputs + outputs


def _literals(bits: int, names: Sequence[str]) -> str:
    values = {i: bool(bits >> i & 1) for i in range(len(names))}
    return literal_text(values, [name[:20] for name in names])


class _EdgeReader:
    """Reads one state's tokens from left to right."""

    def __init__(self, item: Item, header: _Header) -> None:
        self.item, self.labels = item, header.labels
        self.most = (header.states or MAX_STATES) - 1
        self.place = 0

    def read(self) -> tuple[int, list[_Edge]]:
        shared = self.label()
        number = self.number("the number of a state")
        self.skip("string")
        self.marks()
        # equal edges are one: repeating an expensive label costs nothing
        edges: dict[_Edge, None] = {}
        while self.place < len(self.item.tokens):
            label = self.label()
            if label is not None and shared is not None:
                raise self.item.fail("a state has a label, or its edges have: not both")
            label = shared if label is None else label
            if label is None:
                raise self.item.fail(f"an edge of state {number} has no label: write it in [ ]")
            edges[label, self.number("the state an edge leads to")] = None
            self.marks()
        return number, list(edges)

    def skip(self, kind: str) -> str | None:
        tokens = self.item.tokens
        if self.place < len(tokens) and tokens[self.place][0] == kind:
            self.place += 1
            return tokens[self.place - 1][1]
        return None

    def label(self) -> Diagram | None:
        text = self.skip("label")
        if text is None:
            return None
        try:
            return self.labels.read(text[1:-1])
        except HoaError as error:
            raise self.item.fail(f"label {shown(text)}: {error}") from None

    def number(self, what: str) -> int:
        if self.place == len(self.item.tokens):
            raise self.item.fail(f"{what} is missing at the end of '{self.item.name}:'")
        self.place += 1
        return self.item.number(self.item.tokens[self.place - 1], what, self.most)

    def marks(self) -> None:
        marks = self.skip("marks")
        if marks is not None and marks[1:-1].strip():
            raise self.item.fail(f"acceptance sets {shown(marks)}, and 'Acceptance: 0 t' has none")


def _ambiguous(edges: list[_Edge], labels: Labels) -> tuple[int, int] | None:
    """Return inputs and outputs with which edges lead to several states; None if there are none."""
    ways: dict[int, Diagram] = {}
    for label, target in edges:
        ways[target] = labels.combine(or_, ways.get(target, 0), label)
    seen: Diagram = 0
    for label in ways.values():
        both = labels.least(labels.combine(and_, seen, label))
        if both:
            mask, letters = min(both)
            return bits_of(letters)[0], mask
        seen = labels.combine(or_, seen, label)
    return None


def _determine(edges: list[_Edge], labels: Labels) -> tuple[list[tuple[int, int]], int]:
    """Return the cells of a state, and the letters that have none."""
    missing = labels.full
    row = [(0, 0)] * missing.bit_length()
    choices = []
    for label, target in edges:
        choices += [(mask, target, letters) for mask, letters in labels.least(label)]
    for mask, target, letters in sorted(choices):
        for letter in bits_of(letters & missing):
            row[letter] = (target, mask)
        missing &= ~letters
    return row, missing


def write(machine: Machine, *, names: bool = False) -> str:
    """Return a machine as HOA text, ending in a newline; `read` gives back an equal machine.

    Args:
        machine: what to write; its states keep their numbers.
        names: whether labels have the propositions' names in place of their numbers. Only labels
            with numbers are standard HOA.
    """
    propositions = machine.propositions
    words = [by_name(name) if names else str(i) for i, name in enumerate(propositions)]
    outputs = range(len(machine.inputs), len(propositions))
    lines = [
        "HOA: v1",
        f"States: {len(machine.table)}",
        f"Start: {machine.start}",
        " ".join([f"AP: {len(propositions)}", *map(quote, propositions)]),
        "acc-name: all",
        "Acceptance: 0 t",
        "properties: trans-labels explicit-labels state-acc deterministic",
        f"controllable-AP: {' '.join(map(str, outputs))}",
        "--BODY--",
    ]
    for state, row in enumerate(machine.table):
        lines.append(f"State: {state}")
        lines += _edges(row, words, len(machine.inputs))
    return "\n".join([*lines, "--END--", ""])


def _edges(row: Row, words: Sequence[str], inputs: int) -> list[str]:
    """Return one line for each next state and output mask, ordered by their least letters."""
    lines = []
    for (target, mask), letters in cells(row).items():
        guards = [literal_text(cube, words) for cube in cubes(letters, inputs)]
        outputs = {i: bool(mask >> i - inputs & 1) for i in range(inputs, len(words))}
        parts = [] if guards == ["t"] else [" | ".join(sorted(guards))]
        if len(guards) > 1:
            parts = [f"({parts[0]})"]
        lines.append(f"[{'&'.join([*parts, literal_text(outputs, words)])}] {target}")
    return lines
