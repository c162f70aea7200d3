"""A requirement as a picture: its sentence with the actions marked, its formula, and what holds when on a trace."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from harness_svg.drawing import Drawing
from harness_svg.text import EM, columns, shortened, wrapped
from harness_svg.timing import timing, timing_size

from harness import HarnessError, Item
from harness_vltl import lassos
from harness_vltl.certificate import actions
from harness_vltl.engines.evaluator import parts
from harness_vltl.formulas.formula import Formula, substitute, text

_EDGE, _LINE, _HEAD = 24.0, 18.0, 28.0  # units: around everything, a line of text, a heading
_ROOM, _LINES = 84, 8  # columns and lines of a sentence or a formula
_SIZE = 14.0  # units: size of sentences
_CELLS = (8, 38, 14, 32)  # columns of the table's cells; two between them
_SENTENCE = 30  # lines of a sentence with marks; each has a line of names below
_TITLE = 600  # characters of a formula or sentence in the title for screen readers
_STYLES = ("marked", "right", "plain")  # of marked words, by turns


@dataclass(frozen=True, slots=True)
class _Wave:
    """A trace with the values of all its rows; ``root`` is the row of the whole formula."""

    heading: str
    names: list[str]
    values: list[list[bool]]
    root: str
    loop: int | None
    style: str

    def size(self) -> tuple[float, float]:
        """Return its width and height in units, the heading included."""
        width, height = timing_size(self.names, len(self.values[0]), loop=self.loop)
        return width, height + self.head + 10

    @property
    def head(self) -> float:
        """The height of its heading in units, if it has one."""
        return _HEAD if self.heading else 0


@dataclass(frozen=True, slots=True)
class _Run:
    """Words on one line that are mentioned together; ``name`` is their proposition, or empty."""

    column: int
    words: str
    name: str


@dataclass(frozen=True, slots=True)
class _Picture:
    """What is drawn, from top to bottom; empty parts are left out."""

    title: str
    heading: str
    style: str = "ink"
    sentence: list[list[_Run]] = field(default_factory=list)
    formula: list[str] = field(default_factory=list)
    table: list[tuple[str, str, str, str]] = field(default_factory=list)
    waves: list[_Wave] = field(default_factory=list)


def svg(item: Item) -> str | None:
    """Return the picture of an item; None where its problem or certificate is not in its form."""
    try:
        picture = _PICTURES[item.problem["task"]](item)
    except (HarnessError, KeyError, TypeError, IndexError, ValueError, AttributeError):
        return None  # the pictures are put together, and nothing is drawn so far
    return _drawn(picture)


# ------------------------------------------------------------------------------- what to draw


def _verification(item: Item) -> _Picture:
    formula, trace = item.problem["formula"], item.problem["trace"]
    lassos.check(item.problem)
    satisfied = item.target == "satisfied"
    steps = len(trace["states"])
    title = (
        f"Timing diagram of a trace of {_counted(steps, 'step')}, with what holds in each step of the formula "
        f"{shortened(text(formula), _TITLE)} and its parts. {_end(trace)} The formula is {item.target} by it."
    )
    heading = f"The trace {'satisfies' if satisfied else 'violates'} the formula"
    wave = _wave("", formula, {}, trace, item.certificate["values"])
    return _Picture(
        title, heading, "good" if satisfied else "accent", formula=_formula(formula), waves=[wave]
    )


def _translation(item: Item) -> _Picture:
    proof = item.certificate
    grounded = item.problem["task"] == "end_to_end"
    names = actions(proof) if grounded else {}
    formula = substitute(proof["formula"], names)
    waves = [
        _wave(f"A {kind} trace", proof["formula"], names, proof[kind][0], proof["values"][kind])
        for kind in ("satisfying", "violating")
    ]
    words = proof["sentence"] if grounded else proof["lifted"]
    title = (
        f"A requirement and its formula, and on a satisfying and a violating trace what holds of its parts in "
        f"each step. Requirement: {shortened(words, _TITLE)} Formula: {shortened(text(formula), _TITLE)}."
    )
    unmarked = [[_Run(0, line, "")] for line in wrapped(words, _ROOM, _LINES)]
    sentence = _marked(proof) if grounded else unmarked
    return _Picture(
        title, "A requirement and its formula", sentence=sentence, formula=_formula(formula), waves=waves
    )  # fmt: skip


def _propositions(item: Item) -> _Picture:
    proof = item.certificate
    sentence = shortened(proof["sentence"], _TITLE)
    if item.problem["task"] == "lift":
        heading = "The words of each proposition"
        words = f"with the words of {_counted(len(proof['spans']), 'proposition')} marked"
        meaning = f"Lifted, it is: {shortened(proof['lifted'], _TITLE)}"
    else:
        heading, words = (
            "The action and arguments of each proposition",
            "and what its propositions stand for",
        )
        meant = "; ".join(f"{name} is {action}" for name, action in actions(proof).items())
        meaning = f"{shortened(meant, _TITLE)}."
    title = f"A sentence {words}: {sentence} {meaning}"
    return _Picture(title, heading, sentence=_marked(proof), table=_table(proof))


_PICTURES = {
    "verify": _verification,
    "translate": _translation,
    "end_to_end": _translation,
    "lift": _propositions,
    "ground": _propositions,
}


def _counted(number: int, what: str) -> str:
    return f"{number} {what}{'' if number == 1 else 's'}"


def _end(trace: Mapping[str, Any]) -> str:
    if "loop" not in trace:
        return "It ends after the last step."
    if lassos.is_finite(trace):
        return "The last state repeats forever."
    return f"After the last step it goes back to step {trace['loop'] + 1}, again and again."


def _formula(formula: Formula) -> list[str]:
    return wrapped(text(formula), _ROOM, _LINES)


def _wave(
    heading: str, formula: Formula, names: Mapping[str, str], trace: Mapping[str, Any],
    lines: Sequence[str],
) -> _Wave:  # fmt: skip
    """Return a trace's rows: the whole formula, propositions, others of the trace, then the formula's parts.

    ``lines`` are a certificate's: of each distinct subformula, operands first, a digit for each state.
    """
    states = trace["states"]
    listed = parts(formula)
    values = dict(zip(map(repr, listed), lines, strict=True))
    used = [part for part in listed if isinstance(part, str)]
    others = sorted({name for state in states for name in state} - set(used))
    rows = [(name, [name in state for state in states]) for name in [*sorted(used), *others]]
    inner = [part for part in listed[:-1] if not isinstance(part, str)]
    rows += [(part, [digit == "1" for digit in values[repr(part)]]) for part in inner]
    # the last of its parts, and first here: rows that are too many are cut
    if not isinstance(formula, str):
        rows.insert(0, (formula, [digit == "1" for digit in values[repr(formula)]]))
    labels = [text(substitute(part, names)) for part, _ in rows]
    if any(len(row) != len(states) for _, row in rows):
        raise ValueError("a line of values has not one digit a state")
    return _Wave(
        heading, labels, [row for _, row in rows], text(substitute(formula, names)), trace.get("loop"),
        "right" if values[repr(formula)][0] == "1" else "marked",
    )  # fmt: skip


def _table(proof: Mapping[str, Any]) -> list[tuple[str, str, str, str]]:
    """Return a row per proposition: its name, its words, its action, its arguments."""
    rows = [
        (name, str(prop.get("text", "")), str(prop["action"]), ", ".join(prop["arguments"]))
        for name, prop in proof["propositions"].items()
    ]
    return rows[:40]


# --------------------------------------------------------------------------------- sentences


def _marked(proof: Mapping[str, Any]) -> list[list[_Run]]:
    """Return the sentence in lines, each cut where a proposition's words begin and end."""
    lines: list[list[_Run]] = [[]]
    column = 0
    ids = proof["ids"]
    for at, (token, number) in enumerate(zip(proof["tokens"], ids, strict=True)):
        word, name = shortened(token, _ROOM // 2), f"prop_{number}" if number else ""
        if column + columns(word) > _ROOM:
            if len(lines) == _SENTENCE:
                lines[-1].append(_Run(column, "…", ""))
                break
            lines.append([])
            column = 0
        ends = number and ids[at + 1 : at + 2] != [number]
        core = (word.rstrip(",.;:") or word) if ends else word  # as `certificate.lifted` cuts it
        _join(lines[-1], _Run(column, core, name))
        if rest := word[len(core) :]:
            lines[-1].append(_Run(column + columns(core), rest, ""))
        column += columns(word) + 1
    return lines


def _join(line: list[_Run], run: _Run) -> None:
    """Append a word to a line, to its last run where it is of the same proposition."""
    last = line[-1] if line else None
    if last and last.name == run.name:
        line[-1] = _Run(last.column, f"{last.words} {run.words}", run.name)
    else:
        line.append(run)


# ----------------------------------------------------------------------------------- drawing


def _drawn(picture: _Picture) -> str:
    heights = [
        48.0,
        sum(map(_line_height, picture.sentence)) + 8 if picture.sentence else 0,
        len(picture.formula) * _LINE + 26 if picture.formula else 0,
        sum(map(_row_height, picture.table)) + 36 if picture.table else 0,
    ]
    waves = [wave.size() for wave in picture.waves]
    width = max([_ROOM * _SIZE * EM, *(wide for wide, _ in waves)]) + 2 * _EDGE
    height = sum(heights) + sum(tall for _, tall in waves) + _EDGE
    drawing = Drawing(width, height, picture.title)
    drawing.text(_EDGE, 34, picture.heading, picture.style, size=18, bold=True)
    y = heights[0]
    _draw_sentence(drawing, y, picture.sentence)
    y += heights[1]
    for at, line in enumerate(picture.formula):
        drawing.text(_EDGE, y + 18 + at * _LINE, line, "ink mono", bold=True)
    y += heights[2]
    _draw_table(drawing, y, picture.table)
    y += heights[3]
    for wave in picture.waves:
        y = _draw_wave(drawing, y, wave)
    return drawing.svg()


def _draw_sentence(drawing: Drawing, y: float, lines: Sequence[Sequence[_Run]]) -> None:
    column = _SIZE * EM
    for line in lines:
        base = y + 18
        y += _line_height(line)
        for run in line:
            x, wide = _EDGE + run.column * column, columns(run.words) * column
            if run.name:
                number = int(run.name.removeprefix("prop_"))
                drawing.rect(x - 2, base - 15, wide + 4, 20, _STYLES[(number - 1) % 3], 4)
                drawing.data(proposition=run.name)
                drawing.text(x + wide / 2, base + 17, run.name, "faint", "middle", 11)
            drawing.text(x, base, run.words, "ink mono")


def _line_height(line: Sequence[_Run]) -> float:
    """Return the height of a line in units: more where names of propositions stand below."""
    return 40 if any(run.name for run in line) else 23


def _table_lines(row: Sequence[str]) -> list[list[str]]:
    """Return the lines of each cell of a row of the table."""
    return [wrapped(words, room, _LINES) or ["–"] for room, words in zip(_CELLS, row, strict=True)]


def _row_height(row: Sequence[str]) -> float:
    """Return the height of a row of the table in units."""
    return 8 + 16 * max(map(len, _table_lines(row)))


def _draw_table(drawing: Drawing, y: float, rows: Sequence[tuple[str, str, str, str]]) -> None:
    places = [_EDGE + EM * 12 * (sum(_CELLS[:at]) + 2 * at) for at in range(4)]
    if rows:
        for x, head in zip(places, ("name", "words", "action", "arguments"), strict=True):
            drawing.text(x, y + 14, head, "faint", size=12)
        drawing.path(f"M{_EDGE:g} {y + 21:g}H{_EDGE + EM * _SIZE * _ROOM:g}")
    for row in rows:
        for x, lines in zip(places, _table_lines(row), strict=True):
            for at, line in enumerate(lines):
                drawing.text(x, y + 41 + at * 16, line, "ink mono", size=12)
        y += _row_height(row)


def _draw_wave(drawing: Drawing, y: float, wave: _Wave) -> float:
    if wave.heading:
        drawing.text(_EDGE, y + 16, wave.heading, "ink", bold=True)
    timing(
        drawing, _EDGE, y + wave.head, wave.names, wave.values, marks={(0, wave.root): wave.style},
        strong={wave.root}, loop=wave.loop,
    )  # fmt: skip
    return y + wave.size()[1]
