"""Machines and traces as prompts of tempobench tell them, read into tables of bits.

Conditions become cubes: what each proposition named must be. A machine is a table that gives for
a state and the inputs the outputs and the next state; inputs and outputs are bits of a number.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from blind_kit import UnreadError, UntrueError

Cube = dict[str, bool]


@dataclass(frozen=True)
class Machine:
    """A Mealy machine: for each state, by the number of the inputs, outputs and next state."""

    inputs: tuple[str, ...]
    outputs: tuple[str, ...]
    start: int
    table: Mapping[int, Sequence[tuple[int, int]]]


@dataclass(frozen=True)
class Trace:
    """The steps of a prompt: inputs, outputs, and which outputs are shown."""

    inputs: tuple[int, ...]
    outputs: tuple[int, ...]
    shown: int


def _conjoined(first: Sequence[Cube], second: Sequence[Cube]) -> list[Cube]:
    return [
        {**a, **b}
        for a in first
        for b in second
        if all(a.get(name, b[name]) == b[name] for name in b)
    ]


def _label(tokens: list[str], names: Mapping[str, str]) -> list[Cube]:
    """Return the cubes of a label from the front of its tokens: | of & of names, "!" and groups."""
    found: list[Cube] = []
    while True:
        term: list[Cube] = [{}]
        while True:
            term = _conjoined(term, _atom(tokens, names))
            if tokens[0] != "&":
                break
            tokens.pop(0)
        found += term
        if tokens[0] != "|":
            return found
        tokens.pop(0)


def _atom(tokens: list[str], names: Mapping[str, str]) -> list[Cube]:
    token = tokens.pop(0)
    if token == "(":
        inner = _label(tokens, names)
        if tokens.pop(0) != ")":
            raise UnreadError("a group does not end")
        return inner
    value = token != "!"
    if not value:
        token = tokens.pop(0)
    if token == "t" and "t" not in names:
        return [{}] if value else []
    if token not in names:
        raise UnreadError(f"proposition {token}")
    return [{names[token]: value}]


def _cubes(label: str, names: Mapping[str, str]) -> list[Cube]:
    tokens = [*re.findall(r"[\w.]+|[!&|()]", label), ""]
    found = _label(tokens, names)
    if tokens != [""]:
        raise UnreadError(f"label {label}")
    return found


Rows = list[tuple[int, Cube, int]]


def _hoa(text: str, by_number: bool) -> tuple[int, Rows]:
    """Return the start and the rows of a machine in HOA."""
    start = re.search(r"^Start: (\d+)$", text, re.M)
    quoted = re.search(r"^AP: \d+ (.*)$", text, re.M)
    if start is None or quoted is None:
        raise UnreadError("the head of the machine")
    told = re.findall(r'"([^"]*)"', quoted[1])
    names = {str(i) if by_number else name: name for i, name in enumerate(told)}
    rows: Rows = []
    state = -1
    for line in text.partition("--BODY--")[2].partition("--END--")[0].split("\n"):
        if found := re.match(r"State: (\d+)", line):
            state = int(found[1])
        elif found := re.fullmatch(r"\[(.*)\] (\d+)", line):
            rows += [(state, cube, int(found[2])) for cube in _cubes(found[1], names)]
    return int(start[1]), rows


def _table(text: str, names: Mapping[str, str]) -> Rows:
    """Return the rows of a machine in a table."""
    rows: Rows = []
    for line in re.findall(r"^\| (\d+ \|.*) \|$", text, re.M):
        state, inputs, outputs, after = [cell.strip() for cell in line.split(" | ")]
        when = [{}] if inputs == "any" else _cubes(re.sub(r"\bor\b", "|", inputs), names)
        rows += [
            (int(state), cube, int(after)) for cube in _conjoined(when, _cubes(outputs, names))
        ]
    return rows


def _told(words: str) -> Cube:
    """Return what a phrase like "a and b are true and c is false" says."""
    cube: Cube = {}
    rest = words
    while rest:
        found = re.match(r"((?:\w+(?:, | and ))*\w+) (?:is|are) (true|false)(?:,? and |$)", rest)
        if found is None:
            raise UnreadError(words)
        cube |= dict.fromkeys(re.split(", | and ", found[1]), found[2] == "true")
        rest = rest[found.end() :]
    return cube


def _prose(text: str) -> Rows:
    """Return the rows of a machine in sentences."""
    rows: Rows = []
    for state, said in re.findall(r"^In state (\d+): (.*)$", text, re.M):
        for sentence in re.split(r"(?<=\d)\. ", said.removesuffix(".")):
            found = re.fullmatch(
                r"(?:If (.*), then|Whatever the inputs,) (.*), and the next state is (\d+)",
                sentence,
            )
            if found is None:
                raise UnreadError(sentence)
            when = [_told(part) for part in found[1].split(", or if ")] if found[1] else [{}]
            cubes = _conjoined(when, [_told(found[2])])
            rows += [(int(state), cube, int(found[3])) for cube in cubes]
    return rows


def _names(prompt: str, kind: str) -> tuple[str, ...]:
    found = re.search(rf"^{kind}: (.+)$", prompt, re.M)
    if found is None:
        raise UnreadError(f"no {kind.lower()}")
    return tuple(found[1].split(", "))


def bits(names: Sequence[str], cube: Mapping[str, bool]) -> int:
    """Return the number with the bits of the names that are true."""
    return sum(1 << place for place, name in enumerate(names) if cube[name])


def machine_of(prompt: str) -> Machine:
    """Return the machine that a prompt describes."""
    inputs, outputs = _names(prompt, "Inputs"), _names(prompt, "Outputs")
    body = prompt.partition("\nMachine:\n")[2].partition("\n\n")[0]
    if body.startswith("HOA:"):
        start, rows = _hoa(body, "propositions stand by number" in prompt)
    else:
        said = re.search(r"The initial state is (\d+)\.", prompt)
        if said is None:
            raise UnreadError("no initial state")
        start = int(said[1])
        own = {name: name for name in (*inputs, *outputs)}
        rows = _table(body, own) if body.startswith("|") else _prose(body)
    table: dict[int, list[set[tuple[int, int]]]] = {}
    for state, cube, after in rows:
        result = bits(outputs, cube), after
        free = [place for place, name in enumerate(inputs) if name not in cube]
        least = sum(1 << place for place, name in enumerate(inputs) if cube.get(name))
        cells = table.setdefault(state, [set() for _ in range(1 << len(inputs))])
        for choice in range(1 << len(free)):
            extra = sum(1 << place for i, place in enumerate(free) if choice >> i & 1)
            cells[least | extra].add(result)
    if any(len(cell) != 1 for cells in table.values() for cell in cells):
        raise UntrueError("not exactly one line fits")
    return Machine(
        inputs, outputs, start, {s: [min(c) for c in cells] for s, cells in table.items()}
    )


def _literals(words: str) -> Cube:
    """Return what "a & !b", or "a and not b", says."""
    cube: Cube = {}
    for part in re.split(r" & | and ", words):
        name = part.removeprefix("!").removeprefix("not ")
        cube[name] = name == part
    return cube


def trace_of(prompt: str, machine: Machine) -> Trace:
    """Return the trace of a prompt; one of inputs only shows no outputs."""
    after = re.split(r"\n(?:Trace|Inputs of each step):\n", prompt)
    if len(after) != 2:
        raise UnreadError("no trace")
    shown: set[str] = set()
    ins, outs = [], []
    for number, line in enumerate(after[1].partition("\n\n")[0].split("\n")):
        found = re.fullmatch(r"(\d+): (.*?)(?: / (.*))?", line) or re.fullmatch(
            r"At step (\d+), the inputs? (?:is|are) (.*?)(?:, and the machine answers (.*))?\.",
            line,
        )
        if found is None or int(found[1]) != number:
            raise UnreadError(line)
        ins.append(bits(machine.inputs, _literals(found[2])))
        given = _literals(found[3]) if found[3] else {}
        shown |= set(given)
        outs.append(bits(machine.outputs, dict.fromkeys(machine.outputs, False) | given))
    mask = bits(machine.outputs, {name: name in shown for name in machine.outputs})
    return Trace(tuple(ins), tuple(outs), mask)
