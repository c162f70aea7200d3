"""Machines as a model sees them: HOA text, a Markdown table, or plain English.

Each form is lossless: `harness_tempobench.reading_machine` gives an equal machine back, with the
same numbers of states.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Literal

from harness_tempobench import hoa
from harness_tempobench.labels import by_name, cubes, quote
from harness_tempobench.machine import Machine, Row, cells

Notation = Literal["hoa", "prose", "table"]
HoaForm = Literal["names", "numbers"]
Wording = Literal["formal", "narrative"]

_WORDS = frozenset(
    [
        "and", "any", "are", "both", "either", "else", "false", "if", "iff", "implies", "is", "nand",
        "neither", "no", "none", "nor", "not", "or", "then", "true", "unless", "until", "xor",
    ]
)  # fmt: skip


@lru_cache(maxsize=1024)
def shown(name: str) -> str:
    """Return a proposition's name as prompts show it: in quotes if it could be read as anything else."""
    return quote(name) if name.lower() in _WORDS else by_name(name)


def describe(subject: Machine, notation: Notation, form: HoaForm) -> str:
    """Return a machine in a notation, without a newline at the end.

    A table and prose do not name inputs that nothing depends on, nor the initial state.

    ``subject``: what to describe; ``notation``: how; ``form``: of HOA text alone, whether its
    labels have names or numbers.
    """
    if notation == "hoa":
        return hoa.write(subject, names=form == "names").rstrip("\n")
    return _table(subject) if notation == "table" else _prose(subject)


def _table(subject: Machine) -> str:
    # a bar would end the cell: Markdown wants it escaped
    inputs, outputs = (
        [shown(name).replace("|", "\\|") for name in names]
        for names in (subject.inputs, subject.outputs)
    )
    lines = ["| state | inputs | outputs | next state |", "| --- | --- | --- | --- |"]
    for state, row in enumerate(subject.table):
        for (following, mask), guards in _edges(row, len(inputs)):
            when = " or ".join(_signs(guard, inputs) for guard in guards) or "any"
            lines.append(
                f"| {state} | {when} | {_signs(_bits(mask, outputs), outputs)} | {following} |"
            )
    return "\n".join(lines)


def _prose(subject: Machine) -> str:
    inputs, outputs = (list(map(shown, names)) for names in (subject.inputs, subject.outputs))
    lines = []
    for state, row in enumerate(subject.table):
        sentences = []
        for (following, mask), guards in _edges(row, len(inputs)):
            when = ", or if ".join(_words(guard, inputs) for guard in guards)
            opening = f"If {when}, then" if when else "Whatever the inputs,"
            then = _words(_bits(mask, outputs), outputs)
            sentences.append(f"{opening} {then}, and the next state is {following}.")
        lines.append(f"In state {state}: {' '.join(sentences)}")
    return "\n".join(lines)


def _edges(row: Row, inputs: int) -> list[tuple[tuple[int, int], list[dict[int, bool]]]]:
    """Return the different cells of a row, each with its conjunctions; none if it is on all letters."""
    groups = cells(row)
    if len(groups) == 1:
        return [(row[0], [])]
    return [(cell, cubes(letters, inputs)) for cell, letters in groups.items()]


def _bits(mask: int, names: Sequence[str]) -> dict[int, bool]:
    return {i: bool(mask >> i & 1) for i in range(len(names))}


def _signs(values: Mapping[int, bool], names: Sequence[str]) -> str:
    return " & ".join(("" if values[i] else "!") + names[i] for i in sorted(values))


def _words(values: Mapping[int, bool], names: Sequence[str]) -> str:
    """Return what is true, then what is false: ``a and c are true and b is false``."""
    parts = []
    for truth, word in ((True, "true"), (False, "false")):
        chosen = [names[i] for i in sorted(values) if values[i] is truth]
        if chosen:
            listed = " and ".join(filter(None, (", ".join(chosen[:-1]), chosen[-1])))
            parts.append(f"{listed} {'are' if len(chosen) > 1 else 'is'} {word}")
    return " and ".join(parts)
