"""The small texts of published records: traces, effects, lists of names, sets of propositions.

Every pattern is linear in the text, and nothing is evaluated. Errors are one line that says where.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from harness_answers.text import quoted

from harness import DatasetError
from harness_tempobench.labels import by_name, unquote

MAX_STEPS = 10_000
MAX_TEXT = 4_000_000

_TOKEN = re.compile(
    r'\s*+(?:(?P<cycle>cycle\{[^{}]{0,200}\})|(?P<op>[!&;])|(?P<quoted>"[^"\\]*+(?:\\.[^"\\]*+)*")'
    r'|(?P<name>[^\s!&;|(){}"]++))'
)
_STRING = re.compile(
    r"\s*+(?:'([^'\\]*+(?:\\.[^'\\]*+)*)'|\"([^\"\\]*+(?:\\.[^\"\\]*+)*)\")\s*+(,?)"
)
_LINE = re.compile(
    r"\s*+[0-9]{1,9}\s*+:\s*+\(\s*+([0-9]{1,9})\s*+,\s*+(set\(\)|\{[^{}]*+\})\s*+,"
    r"\s*+([0-9]{1,9}|None)\s*+\)\s*+"
)

Step = dict[str, bool]
HoaxStep = tuple[int, Sequence[str], int | None]
"""The literals of one step of a trace."""


def trace(text: str) -> tuple[list[Step], bool]:
    """Return the literals of every step of a trace, and whether it ends in ``cycle{1}``.

    Raises:
        DatasetError: it is no such trace, empty, or too long.
    """
    text = text.strip()
    if not text or len(text) > MAX_TEXT:
        raise DatasetError("trace: it is empty" if not text else "trace: it is too long")
    steps: list[Step] = []
    parts, cycle = _steps(text)
    for number, tokens in enumerate(parts):
        if number >= MAX_STEPS:
            raise DatasetError(f"trace: more than {MAX_STEPS:,} steps")
        steps.append(_step(number, tokens))
    if not steps:
        raise DatasetError("trace: it has no step before its cycle")
    return steps, cycle


def _steps(text: str) -> tuple[list[list[tuple[str, str]]], bool]:
    """Return the tokens of each step, and whether a cycle ends the text."""
    parts: list[list[tuple[str, str]]] = [[]]
    position = 0
    while position < len(text):
        token = _TOKEN.match(text, position)
        if token is None:
            raise DatasetError(
                f"trace, step {len(parts) - 1}: {quoted(text[position : position + 20].strip())} "
                "stands where literals joined by & are due"
            )
        kind = str(token.lastgroup)
        position = token.end()
        if kind == "cycle":
            _check_cycle(token[kind], bool(parts[-1]), text[position:])
            return parts[:-1], True
        if token[kind] == ";":
            parts.append([])
        else:
            parts[-1].append((kind, token[kind]))
    return parts if parts[-1] else parts[:-1], False


def _check_cycle(cycle: str, amid: bool, rest: str) -> None:
    if cycle[6:-1].strip() not in ("1", "t") or amid or rest.strip("; \n"):
        raise DatasetError(f"trace: {quoted(cycle, 40)} is not a cycle{{1}} at its end")


def _step(number: int, tokens: Sequence[tuple[str, str]]) -> Step:
    literals: Step = {}
    if [text for _, text in tokens] in (["1"], ["t"]):
        return literals
    value, due = True, True
    for kind, text in tokens:
        if kind == "op":
            if (text == "!") is not due:
                raise _stray(number, text)
            value, due = (not value, True) if text == "!" else (True, True)
            continue
        if not due:
            raise _stray(number, text)
        name = unquote(text) if kind == "quoted" else text
        if literals.setdefault(name, value) is not value:
            raise DatasetError(f"trace, step {number}: {quoted(name)} is both true and false")
        value, due = True, False
    if due:
        raise DatasetError(f"trace, step {number}: a literal is missing")
    return literals


def _stray(number: int, text: str) -> DatasetError:
    return DatasetError(f"trace, step {number}: {quoted(text)} stands where it cannot")


def write_trace(steps: Sequence[Sequence[str]], propositions: Sequence[str]) -> str:
    """Return a trace as published: ``!g&r;…;cycle{1}``; ``steps`` are the true propositions of each."""
    parts = [
        "&".join(("" if name in true else "!") + by_name(name) for name in propositions)
        for true in steps
    ]
    return ";".join([*parts, "cycle{1}"])


def effect(text: str, outputs: Sequence[str]) -> tuple[str, bool, int]:
    """Return output, value and step of an effect: ``XXX !g`` is g false at step 3.

    Raises:
        DatasetError: it is none, or not about an output.
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


def is_texts(value: Any) -> bool:
    """Tell if a value is a list of texts."""
    return isinstance(value, list) and all(isinstance(text, str) for text in value)


def strings(text: str, where: str) -> list[str]:
    """Return the strings of a list or set as Python writes it: ``['g', 'r']``.

    Raises:
        DatasetError: it is none.
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

    Raises:
        DatasetError: a line is none of these.
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
        listed = ", ".join(map(_quoted, sorted(names)))
        lines.append(f"0: ({state}, {'{' + listed + '}' if listed else 'set()'}, {following})")
    return "\n".join(lines)


def _quoted(name: str) -> str:
    escaped = name.replace("\\", "\\\\").replace("'", "\\'")
    return f"'{escaped}'"
