"""The small texts of published records: traces, effects, lists of names, sets of propositions.

Every pattern is linear in the text, and nothing is evaluated. Errors are one line that says where.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from harness_answers.text import quoted

from harness import DatasetError
from harness_tempobench.labels import by_name, unquote

MAX_STEPS = 10_000

_LITERAL = re.compile(r'([!\s]*+)(?:("[^"\\]*+(?:\\.[^"\\]*+)*")|([^\s!&;|(){}"]++))\s*+')
_FREE = re.compile(r"\s*+[1t]\s*+(?:;|\Z)")
_CYCLE = re.compile(r"\s*+(cycle\{[^{}]{0,200}\})")
_STRING = re.compile(
    r"\s*+(?:'([^'\\]*+(?:\\.[^'\\]*+)*)'|\"([^\"\\]*+(?:\\.[^\"\\]*+)*)\")\s*+(,?)"
)
_LINE = re.compile(
    r"\s*+[0-9]{1,9}\s*+:\s*+\(\s*+([0-9]{1,9})\s*+,\s*+(set\(\)|\{[^{}]*+\})\s*+,"
    r"\s*+([0-9]{1,9}|None)\s*+\)\s*+"
)

Step = dict[str, bool]
"""The literals of one step of a trace."""

HoaxStep = tuple[int, Sequence[str], int | None]
"""State, true propositions and next state of a step of a run."""


def trace(text: str) -> tuple[list[Step], bool]:
    """Return the literals of every step of a trace, and whether it ends in ``cycle{1}``.

    Raises `DatasetError`: it is no such trace, or empty.
    """
    text = text.strip()
    if not text:
        raise DatasetError("trace: it is empty")
    steps: list[Step] = []
    position = 0
    while position < len(text):
        if cycle := _CYCLE.match(text, position):
            if cycle[1][6:-1].strip() not in ("1", "t") or text[cycle.end() :].strip("; \n"):
                raise DatasetError(f"trace: {quoted(cycle[1], 40)} is not a cycle{{1}} at its end")
            break
        if len(steps) >= MAX_STEPS:
            raise DatasetError(f"trace: more than {MAX_STEPS:,} steps")
        step, position = _step(text, position, f"trace, step {len(steps)}")
        steps.append(step)
    else:
        cycle = None
    if not steps:
        raise DatasetError("trace: it has no step before its cycle")
    return steps, cycle is not None


def _step(text: str, position: int, where: str) -> tuple[Step, int]:
    """Return the literals of the step that begins at a position, and where the next one begins."""
    literals: Step = {}
    if free := _FREE.match(text, position):
        return literals, free.end()
    sign = "&"
    while sign == "&":
        literal = _LITERAL.match(text, position)
        if literal is None:
            break
        name = unquote(literal[2]) if literal[2] else literal[3]
        value = literal[1].count("!") % 2 == 0
        if literals.setdefault(name, value) is not value:
            raise DatasetError(f"{where}: {quoted(name)} is both true and false")
        position = literal.end()
        sign = text[position : position + 1]
        position += sign in ("&", ";")
    if sign == "&" and text[position:].lstrip()[:1] in ("", ";"):
        raise DatasetError(f"{where}: a literal is missing")
    if sign not in ("", ";"):
        rest = quoted(text[position : position + 20].strip())
        raise DatasetError(f"{where}: {rest} stands where literals joined by & are due")
    return literals, position


def write_trace(steps: Sequence[Sequence[str]], propositions: Sequence[str]) -> str:
    """Return a trace as published: ``!g&r;…;cycle{1}``; ``steps`` are the true propositions of each."""
    parts = [
        "&".join(("" if name in true else "!") + by_name(name) for name in propositions)
        for true in steps
    ]
    return ";".join([*parts, "cycle{1}"])


def effect(text: str, outputs: Sequence[str]) -> tuple[str, bool, int]:
    """Return output, value and step of an effect: ``XXX !g`` is g false at step 3.

    Raises `DatasetError`: it is none, or not about an output.
    """
    marks, _, rest = text.strip().partition(" ")
    if not marks.strip("X") and (literal := _literal(rest.strip(), outputs)):
        return *literal, len(marks)
    rest, step = text.strip(), 0
    while not (literal := _literal(rest, outputs)) and rest.startswith("X"):
        rest, step = rest[1:].lstrip(), step + 1
    if not literal:
        raise DatasetError(
            f"effect {quoted(text, 60)}: not an output of the machine after one X for each step"
        )
    return *literal, step


def _literal(text: str, outputs: Sequence[str]) -> tuple[str, bool] | None:
    name = text.removeprefix("!").strip()
    value = not text.startswith("!")
    if name.startswith('"'):
        name = unquote(name)
    return (name, value) if name in outputs else None


def strings(text: str, where: str) -> list[str]:
    """Return the strings of a list or set as Python writes it: ``['g', 'r']``.

    Raises `DatasetError`: it is none.
    """
    text = text.strip()
    inner, position, names = text[1:-1].strip(), 0, []
    if text[:1] + text[-1:] in ("[]", "{}"):
        while (string := _STRING.match(inner, position)) is not None:
            content = string[1] if string[1] is not None else string[2]
            names.append(re.sub(r"\\(.)", r"\1", content))
            position = string.end()
            if not string[3]:
                break
        if position == len(inner):
            return names
    raise DatasetError(f"{where}: {quoted(text, 60)} is no list of names in quotes")


def hoax(text: str) -> list[tuple[int, list[str], int]]:
    """Return state, true propositions and next state of every line ``0: (3, {'g'}, 5)``.

    A line whose next state is None is a step that cannot be taken: there is none after it.

    Raises `DatasetError`: a line is none of these.
    """
    steps = []
    for number, line in enumerate(text.strip().split("\n") if text.strip() else []):
        read = _LINE.fullmatch(line)
        if read is None or number >= MAX_STEPS:
            raise DatasetError(
                f"hoax, line {number + 1}: {quoted(line, 60)} is not of the form 0: (0, {{'g'}}, 1)"
            )
        if read[3] == "None":
            break
        names = [] if read[2] == "set()" else strings(read[2], f"hoax, line {number + 1}")
        steps.append((int(read[1]), names, int(read[3])))
    return steps


def write_hoax(steps: Sequence[HoaxStep]) -> str:
    """Return steps as `hoax` reads them; a next state None stands for a step that cannot be taken."""
    lines = []
    for state, names, following in steps:
        listed = ", ".join(map(repr, sorted(names)))
        lines.append(f"0: ({state}, {'{' + listed + '}' if listed else 'set()'}, {following})")
    return "\n".join(lines)
