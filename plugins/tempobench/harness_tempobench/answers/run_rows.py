"""A run that is stated without JSON (in a table, in lines with named fields), as the object that states the same."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from harness_answers.json_objects import Parsed
from harness_answers.revocation import LEFT_OPEN

from harness_tempobench.answers.rows import Found, Line, lines, number, standing
from harness_tempobench.answers.run_claims import is_untaken, outside, step
from harness_tempobench.answers.sentences import Sentences, Unreadable
from harness_tempobench.constraint import TRUE
from harness_tempobench.formulas import nodes

_LABEL = re.compile(
    r"\W*(?:at )?(?:(?:time )?step[ _]?|t ?= ?)([0-9]{1,3})(?!\w)[\s:.,*—–)|-]*", re.IGNORECASE
)
_FIELD = re.compile(
    r"(?:^|(?<=[\s;,|(]))(?:(?:the|machine|it|is) ){0,3}"
    r"(?:(?P<next>(?:next|new|(?:goes|moves) to)(?: state)?|successor)"
    r"|(?P<state>(?:in |current |start(?:ing)? )?state)"
    r"|(?P<inputs>(?:defining )?inputs?|on|reads)|(?P<outputs>outputs?|sets|gives))\b(?: is| are)?\s?[:=]?(?=[\s`*])"
    r"|(?P<arrow>(?:→|->|⇒|=>) ?(?:next )?(?:state )?(?=[0-9]))",
    re.IGNORECASE,
)
_REST = re.compile(r"(?:[\s;,.*`|]|\):|→|->|=>|\b(?:and|with|the|machine|it)\b)+\Z", re.IGNORECASE)
_VERDICT = re.compile(
    r"(?P<no>(?:\bnot\b|n't\b|\bcannot\b)(?: be)? accept\w*|\breject(?:ed|s)\b)|\baccept(?:ed|s)\b",
    re.IGNORECASE,
)
_CONDITION = re.compile(
    rf"\b(?:{LEFT_OPEN}|if|unless|or|whether|would|either|only|before|until)\b|\?", re.IGNORECASE
)
_SENTENCE_END = re.compile(r"(?<=[.!?;])\s|\n")
_NEAR = 400

_Rows = list[tuple[int, dict[str, str]]]


def run(text: str, count: int, known: frozenset[str], simulated: bool) -> Parsed | None:
    """Return the run that a reply states without JSON, as an object of steps and a verdict; None if it states none.

    Args:
        text: the reply without its markup.
        count: the steps of the trace.
        known: the propositions.
        simulated: whether the outputs were asked for, and no verdict.
    """
    found = []
    for read, rows in _found(text):
        start, end = read[0].start, read[-1].end
        accepted = (
            None if simulated else _verdict(text, start, end if read[-1].cells else read[-1].start)
        )
        value = _value(rows, count, accepted, known) if simulated or accepted is not None else None
        found.append(Found(start, end, value))
    best = standing(text, found)
    return Parsed(text, best.start, best.end, False, best.value) if best else None


def _found(text: str) -> Iterator[tuple[list[Line], _Rows]]:
    """Yield lines of one kind that follow one another, and the steps in them, each with its fields."""
    rows: _Rows = []
    read: list[Line] = []
    for line in lines(text):
        label = None if line.cells else _LABEL.match(line.text)
        said = line.text[label.end() :] if label else line.text
        fields = line.cells or _fields(said)
        place = number(next(iter(line.cells.values()))) if line.cells else label and int(label[1])
        begins = place is not None and (fields or not said)
        goes_on = read and fields and place is None and not line.cells
        if read and (bool(read[0].cells) != bool(line.cells) or not (begins or goes_on)):
            yield read, rows
            read, rows = [], []
        if place is not None and begins:
            rows.append((place, {}))
        if rows and (begins or goes_on):
            read.append(line)
            for name, field in fields.items():
                rows[-1][1][f"{name} again" if name in rows[-1][1] else name] = field
    if read:
        yield read, rows


def _fields(text: str) -> dict[str, str]:
    """Return what stands behind the names of fields in a line; nothing if it begins with something else."""
    marks = list(_FIELD.finditer(text))
    if not marks or text[: marks[0].start()].strip(" *`("):
        return {}
    fields: dict[str, str] = {}
    for mark, end in zip(marks, [*(each.start() for each in marks[1:]), len(text)], strict=True):
        name = str(mark.lastgroup).replace("arrow", "next")
        if said := _REST.sub("", text[mark.end() : end]).strip():
            fields[f"{name} again" if name in fields else name] = said
    return fields


def _value(
    rows: _Rows, count: int, accepted: bool | None, known: frozenset[str]
) -> dict[str, Any] | None:
    """Return the object of a whole run; None where a step or one of its fields is missing, or cannot be read."""
    if accepted is False:
        while rows and (is_untaken(rows[-1][1]) or len(rows[-1][1]) < len(rows[0][1])):
            rows.pop()
    if [place for place, _ in rows] != list(range(len(rows))) or not 0 < len(rows) <= count:
        return None
    if accepted is not False and len(rows) < count:
        return None
    inputs = set()
    for place, fields in rows:
        try:
            read = step(place, fields, Sentences(known), simulated=accepted is None)
        except Unreadable:
            return None
        written = TRUE if accepted is not None else read.outputs
        if read.state is None or read.next is None or read.inputs is None or written is None:
            return None
        names, outputs = (
            {node[1] for node in nodes([formula]) if node[0] == "literal"}
            for formula in (read.inputs, written)
        )
        inputs.add(frozenset(names))
        if not names | outputs <= known:
            return None
    if len(inputs) > 1:  # shortened, as in a log
        return None
    value: dict[str, Any] = {f"step_{place}": fields for place, fields in rows}
    return value if accepted is None else {**value, "accepted": "yes" if accepted else "no"}


def _verdict(text: str, start: int, end: int) -> bool | None:
    """Return the verdict from ``end`` on or, without one, before ``start``; None without any, or with two."""
    for near in (text[end : end + _NEAR], text[max(0, start - _NEAR) : start]):
        if (said := outside(near)) is not None:
            return said
        verdicts = set()
        for sentence in _SENTENCE_END.split(near):
            found = None if _CONDITION.search(sentence) else _VERDICT.search(sentence)
            verdicts |= {not found["no"]} if found else set()
        if verdicts:
            return verdicts.pop() if len(verdicts) == 1 else None
    return None
