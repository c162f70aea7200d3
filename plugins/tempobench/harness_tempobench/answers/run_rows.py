"""A run that is stated without JSON (in a table, in lines, in sentences), as the object that states the same.

What a reply says of a step is read by the names in it and by its numbers, whatever the words between them are: the
literals of inputs and outputs, and two states, of which the second one comes next.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from harness_answers.json_objects import Parsed
from harness_answers.revocation import LEFT_OPEN

from harness_tempobench.answers.rows import (
    STEP,
    TRUTHS,
    Found,
    Line,
    lines,
    literal_pattern,
    number,
    signed,
    standing,
)
from harness_tempobench.answers.run_claims import outside

_LABEL = re.compile(
    rf"(?:(?:\A|(?<=[.;,])\s)\W*(?:\w+[ ']){{0,2}}?{STEP}[ _:=#]{{0,2}}|(?:\A|(?<=;)\s)\W*(?=[0-9]+:)|\bt ?= ?)"
    r"([0-9]{1,3})(?!\w)[\s:.,*)|]*",
    re.IGNORECASE,
)
_STATE = r"(?<![\w.])(?:[qsz]_?)?(?P<state>[0-9]{1,6})(?!\.?\w)"
_JOINED = re.compile(r"(?:[\s,;&∧()\[\]{}`]|\b(?:and|und|y|et|e|en)\b)*", re.IGNORECASE)
_NEXT = re.compile(
    r"\b(?:next|new|successor|afterwards?|then|to|ends?|folge\w*|nächste\w*|danach|siguiente|suivant\w*"
    r"|successiv\w*|seguinte|próxim\w*|volgende\w*)\b|[→⇒]|[-=]>",
    re.IGNORECASE,
)
_UNTAKEN = re.compile(
    r"\b(?:not|cannot|would|if|or|maybe|perhaps|instead|but|while|differs?|mismatch|nicht|aber|wenn|oder|pas|no)\b|n't\b|[?…]|\.\.",
    re.IGNORECASE,
)
_ENDS = re.compile(r"(?<=[.!])\s")
_VERDICT = re.compile(
    r"(?P<no>(?:\b(?:not|nicht|no|non|pas|cannot)\b|n't\b)(?: \w+){0,2} (?:accept|akzep|acept|accett|aceit)\w*"
    r"|\b(?:accept|akzep|acept|accett|aceit)\w*\W{1,4}(?:no|nein|non|não|nee)\b"
    r"|\b(?:reject(?:ed|s)|abgelehnt|verworfen|lehnt|rechaza\w*|reje[tiy]\w+|rifiut\w+|verwor?pen)\b)"
    r"|\b(?:accept(?:ed|s)|akzeptier\w+|acepta\w*|accept[eé]\w*|accetta\w*|aceit[ao]\w*)\b",
    re.IGNORECASE,
)
_CONDITION = re.compile(
    rf"\b(?:{LEFT_OPEN}|if|unless|or|whether|would|either|probably|likely|presumably|only|before|until|wenn|falls|ob|oder|si|se)\b|\?",
    re.IGNORECASE,
)
_SENTENCE_END = re.compile(r"(?<=[.!?;])\s|\n")
_CELLS = {"t": "true", "yes": "true", "✓": "true", "f": "false", "no": "false", "✗": "false"}
_NEAR = 400
_PARTS = 8  # lines that speak of one step


@dataclass(frozen=True, slots=True)
class _Step:
    """A step as the object of an answer, and the names of its literals."""

    value: dict[str, Any]
    names: frozenset[str]


@dataclass(slots=True)
class _Part:
    """What a reply says of one step; ``step`` is None of what belongs to no step."""

    start: int
    end: int
    step: int | None
    texts: list[str] = field(default_factory=list)


def run(
    text: str, count: int, known: frozenset[str], inputs: Iterable[str], simulated: bool
) -> Parsed | None:
    """Return the run that a reply states without JSON, as an object of steps and a verdict; None if it states none.

    Args:
        text: the reply without its markup.
        count: the steps of the trace.
        known: the propositions.
        inputs: those that are inputs.
        simulated: whether the outputs were asked for, and no verdict.
    """
    found = []
    for start, last, end, steps in _found(text, _Reader(known, frozenset(inputs), simulated)):
        accepted = None if simulated else _verdict(text, start, last, end)
        whole = len(steps) == count or (accepted is False and len(steps) < count)
        alike = len({step.names for step in steps}) == 1  # else literals are left out
        value: dict[str, Any] | None = None
        if whole and alike and (simulated or accepted is not None):
            value = {f"step_{place}": step.value for place, step in enumerate(steps)}
            value |= {} if accepted is None else {"accepted": "yes" if accepted else "no"}
        found.append(Found(start, end, value))
    best = standing(text, found)
    return Parsed(text, best.start, best.end, False, best.value) if best else None


def _found(text: str, reader: _Reader) -> Iterator[tuple[int, int, int, list[_Step]]]:
    """Yield the steps from 0 on that are stated one after the other: start, start of the last one, and end."""
    steps: list[_Step] = []
    start = last = end = 0
    for part in _parts(text, reader):
        step = None if part.step is None else reader.step(part.texts)
        if steps and (step is None or part.step != len(steps)):
            yield start, last, end, steps
            steps = []
        if step is not None and part.step == len(steps):
            start, last, end = start if steps else part.start, part.start, part.end
            steps.append(step)
    if steps:
        yield start, last, end, steps


def _parts(text: str, reader: _Reader) -> Iterator[_Part]:
    """Yield what is said of each step: a row, a line, a sentence, or a heading with the lines below it."""
    part: _Part | None = None
    for line in lines(text):
        for start, end, step, said in _pieces(line, reader):
            goes_on = part and step is None and not line.cells
            if part and goes_on and len(part.texts) < _PARTS and not reader.step(part.texts):
                part.texts.append(said)
                part.end = end
                continue
            if part:
                yield part
            part = _Part(start, end, step, [said])
    if part:
        yield part


def _pieces(line: Line, reader: _Reader) -> Iterator[tuple[int, int, int | None, str]]:
    """Yield start, end, step and text of what a line says of one step after the other."""
    if line.cells:
        said = [reader.cell(*each) for each in line.cells.items() if each[0] != line.step]
        yield line.start, line.end, number(line.cells[line.step]), " | ".join(said)
        return
    labels = list(_LABEL.finditer(line.text))
    ends = [*(label.start() for label in labels), len(line.text)]
    shift = line.end - len(line.text)
    if before := line.text[: ends[0]].strip():
        yield line.start, shift + ends[0], None, before
    for label, end in zip(labels, ends[1:], strict=True):
        yield shift + label.start(), shift + end, int(label[1]), line.text[label.end() : end]


class _Reader:
    """Reads what is said of one step."""

    def __init__(self, known: frozenset[str], inputs: frozenset[str], simulated: bool) -> None:
        self.known, self.inputs, self.simulated = known, inputs, simulated
        self.term = re.compile(f"{literal_pattern(known)}|{_STATE}", re.IGNORECASE)

    def cell(self, head: str, cell: str) -> str:
        """Return what the cell of a table says: a literal where the head is its name, else a state or literals."""
        valued = f"{head} = {_CELLS.get(cell.lower(), cell)}"
        if head in self.known and self.term.fullmatch(valued):
            return valued
        return f"→ {cell}" if _NEXT.search(head) else cell

    def step(self, texts: list[str]) -> _Step | None:
        """Return the object of what is said of a step: of all, or of the first sentence; None if it is unclear."""
        text = " | ".join(texts)
        return self._step(text) or (self._step(_ENDS.split(text)[0]) if len(texts) == 1 else None)

    def _step(self, text: str) -> _Step | None:
        states: list[tuple[int, bool]] = []
        groups: list[list[tuple[str, bool]]] = []
        position, between, plain = 0, "", False
        for term in self.term.finditer(text):
            gap = text[position : term.start()]
            between += gap
            position = term.end()
            if term["state"]:
                states.append((int(term["state"]), bool(_NEXT.search(between))))
                groups.append([])
                between = ""
                continue
            literal = signed(term, self.known)
            if literal is None:
                return None
            if not groups or not _JOINED.fullmatch(gap):
                groups.append([])
            elif plain and term["truth"] and not literal[1]:  # "r and s are false"
                return None
            plain = not (term["sign"] or term["truth"])
            groups[-1].append(literal)
        rest = self.term.sub(" ", text)
        valued = any(word in TRUTHS for word in re.findall(r"[^\W\d]+", rest.lower()))
        if len(states) != 2 or valued or _UNTAKEN.search(rest):
            return None
        return self._stated(states, [group for group in groups if group])

    def _stated(
        self, states: list[tuple[int, bool]], groups: list[list[tuple[str, bool]]]
    ) -> _Step | None:
        """Return the object of two states and of literals; a group with an input states what is read."""
        if states[0][1] and not states[1][1]:
            states.reverse()
        if self.simulated:
            groups = [[literal] for group in groups for literal in group]
        read = [each for group in groups if self._reads(group) for each in group]
        written = [each for group in groups if not self._reads(group) for each in group]
        sides = [read, written] if self.simulated else [read]
        if any(len(dict(side)) < len(set(side)) for side in sides):
            return None
        asked = (self.inputs, self.known - self.inputs)
        if any(names and not side for names, side in zip(asked, sides, strict=False)):
            return None
        fields = {"defining inputs": read, "outputs": written}
        value: dict[str, Any] = {"current state": states[0][0], "next state": states[1][0]}
        value |= {
            name: " and ".join(dict.fromkeys(name if value else f"!{name}" for name, value in side))
            or "no constraints"
            for name, side in list(fields.items())[: len(sides)]
        }
        return _Step(value, frozenset(name for side in sides for name, _ in side))

    def _reads(self, group: list[tuple[str, bool]]) -> bool:
        return any(name in self.inputs for name, _ in group)


def _verdict(text: str, start: int, last: int, end: int) -> bool | None:
    """Return the verdict from the last step on or, without one, before the first; None without any, or with two."""
    behind, before = text[last : end + _NEAR], text[max(0, start - _NEAR) : start]
    for near in (behind, before):
        said = outside(near)
        if said is None:
            verdicts = set()
            for sentence in _SENTENCE_END.split(near):
                found = None if _CONDITION.search(sentence) else _VERDICT.search(sentence)
                verdicts |= {not found["no"]} if found else set()
            said = verdicts.pop() if len(verdicts) == 1 else None
            if verdicts:
                return None
        if said is not None:
            cut = near is before and text[end:].strip() and not _UNTAKEN.search(text, end)
            return None if cut and said is False else said
    return None
