"""Read a trace back: every day it names and every number is found anew with the second engine's calendar.

Nothing is taken from the writer: sentences are known here by patterns of their own, and what a clue admits
is asked of `arithmetic_clues`. A day on which that engine is not certain may be claimed or not.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from harness_answers import trace_lines
from harness_answers.trace_lines import Lines, WrongTraceError

from harness import Item
from harness_timepuzzles.engines.arithmetic_clues import admitted
from harness_timepuzzles.engines.arithmetic_days import DAYS, Mask, day_number, iso_texts

_LISTABLE = 60  # periods up to which a list has to be given
_OPENING = "The clues are used one after the other; after each it is said which dates are left."
_DAY = r"[0-9]{4}-[0-9]{2}-[0-9]{2}"
_PERIODS = rf"{_DAY}(?: to {_DAY})?(?:, {_DAY}(?: to {_DAY})?)*"
_HEAD = re.compile(r"Step ([1-9][0-9]{0,2})\. Clue ([1-9][0-9]{0,2}) says: ")
_TAIL = re.compile(
    r"(?: The date of that event is (?P<date>[0-9]{4}(?:-[0-9]{2}){0,2})\.)?"
    rf"(?: From (?P<first>{_DAY}) to (?P<last>{_DAY}) it holds on (?P<on>no day|{_PERIODS})\.)?"
    rf" (?P<count>[0-9]{{1,7}}) dates? (?:is|are) left(?:: (?P<left>{_PERIODS}))?\."
)
_CLUE = re.compile(r"^([0-9]+)\. (.*)$", re.MULTILINE)


@dataclass(slots=True)
class _Left:
    """The days that are left: for certain, and at most, where the engine is in doubt about some."""

    surely: Mask
    perhaps: Mask

    def with_clue(self, clue: Any) -> _Left:
        """Return the days that a clue leaves of these."""
        clue_days = admitted(clue)
        doubt = np.zeros(DAYS, dtype=np.bool_)
        doubt[[day for day in clue_days.doubtful if 0 <= day < DAYS]] = True
        return _Left(self.surely & clue_days.mask & ~doubt, self.perhaps & (clue_days.mask | doubt))

    def allows(self, days: Mask) -> bool:
        """Return whether a set of days may be these."""
        return not bool((self.surely & ~days).any() or (days & ~self.perhaps).any())


def findings(item: Item, text: str) -> list[str]:
    """Return what is wrong with a trace, at most one thing; an empty list if every step holds."""
    return trace_lines.findings(text, lambda lines: _read(item, lines))


def _read(item: Item, lines: Lines) -> None:
    lines.take(re.escape(_OPENING))
    sentences = dict(_CLUE.findall(item.prompt))
    puzzle, span = item.problem["clues"], item.problem["range"]
    left, used = _between(day_number(span[0]), day_number(span[1]) + 1), set[int]()
    while lines.left > 2:
        step = lines.number
        if step > 1 and not left.perhaps.any():
            raise WrongTraceError(f"step {step}: no date was left before it")
        number, tail = _head(lines.next(), step, sentences)
        if number in used:
            raise WrongTraceError(f"step {step}: clue {number} was used before")
        used.add(number)
        left = _step(step, tail, left, puzzle[number - 1])
    _conclusion([lines.next(), lines.next()], left, len(used) == len(puzzle))


def _head(line: str, step: int, sentences: dict[str, str]) -> tuple[int, re.Match[str]]:
    """Return which clue a step is about, and what it says of days."""
    head = _HEAD.match(line)
    if head is None or int(head[1]) != step:
        raise WrongTraceError(f"step {step} is missing or no step")
    sentence = sentences.get(head[2])
    if sentence is None or not line.startswith(sentence, head.end()):
        raise WrongTraceError(f"step {step}: clue {head[2]} does not say so")
    tail = _TAIL.fullmatch(line, head.end() + len(sentence))
    if tail is None:
        raise WrongTraceError(f"step {step}: what follows the clue is no claim")
    return int(head[2]), tail


def _step(step: int, tail: re.Match[str], before: _Left, clue: Any) -> _Left:
    after = before.with_clue(clue)
    if tail["date"] != (clue["date"] if clue["type"] == "event" else None):
        raise WrongTraceError(f"step {step}: that is not the date of the clue's event")
    if tail["first"]:
        if step == 1:
            raise WrongTraceError("step 1: it is said of no days before any are left")
        _meaning(step, tail, before, clue)
    elif step > 1:
        days = np.flatnonzero(before.perhaps)
        inside = _between(int(days[0]), int(days[-1]) + 1).with_clue(clue)
        if _periods(inside.surely) <= _LISTABLE and _certain(inside) and _certain(before):
            raise WrongTraceError(f"step {step}: it is not said on which days the clue holds")
    _remaining(step, tail, after)
    return after


def _meaning(step: int, tail: re.Match[str], before: _Left, clue: Any) -> None:
    first, last = day_number(tail["first"]), day_number(tail["last"])
    days = np.flatnonzero(before.surely)
    if _certain(before) and (first, last) != (days[0], days[-1]):
        raise WrongTraceError(f"step {step}: the days left do not begin and end there")
    inside = _between(first, last + 1).with_clue(clue)
    if not inside.allows(_days(tail["on"])):
        raise WrongTraceError(f"step {step}: those are not the days on which the clue holds")


def _remaining(step: int, tail: re.Match[str], after: _Left) -> None:
    count, least, most = int(tail["count"]), int(after.surely.sum()), int(after.perhaps.sum())
    if not least <= count <= most:
        raise WrongTraceError(f"step {step}: {count} dates are not what is left, but {most}")
    if (count == 1) != (" 1 date is left" in tail[0]):
        raise WrongTraceError(f"step {step}: one date is, others are")
    if tail["left"] is not None:
        days = _days(tail["left"])
        if not after.allows(days) or int(days.sum()) != count:
            raise WrongTraceError(f"step {step}: those are not the dates left")
    elif count and _certain(after) and _periods(after.surely) <= _LISTABLE:
        raise WrongTraceError(f"step {step}: it is not said which dates are left")


def _conclusion(lines: Sequence[str], left: _Left, complete: bool) -> None:
    some = bool(left.perhaps.any())
    expected = "All clues are used." if some else "No date satisfies all clues."
    if lines[0] != expected:
        raise WrongTraceError("the last sentence is not what follows")
    if some and not complete:
        raise WrongTraceError("not all clues were used")
    listed = lines[1].removeprefix("Answer: ")
    days = [] if listed == "none" else listed.split(", ")
    claimed = np.zeros(DAYS, dtype=np.bool_)
    numbers = [day_number(day) for day in days]
    claimed[numbers] = True
    if numbers != sorted(set(numbers)) or not left.allows(claimed):
        raise WrongTraceError("the answer is not what is left")
    if lines[1] != f"Answer: {', '.join(iso_texts(np.array(numbers, dtype=np.int64))) or 'none'}":
        raise WrongTraceError("the last line is not the answer in the form asked for")


def _certain(left: _Left) -> bool:
    return bool((left.surely == left.perhaps).all())


def _between(begin: int, end: int) -> _Left:
    days = np.zeros(DAYS, dtype=np.bool_)
    days[begin:end] = True
    return _Left(days, days)


def _periods(days: Mask) -> int:
    """Return the number of runs of consecutive days in a set."""
    return int(days[0]) + int(np.count_nonzero(days[1:] & ~days[:-1]))


def _days(listed: str) -> Mask:
    """Return the set of some periods, each after the one before and not touching it."""
    days = np.zeros(DAYS, dtype=np.bool_)
    end = -1
    for begin, stop in _pairs(listed):
        if not end < begin <= stop < DAYS:
            raise WrongTraceError(f"the periods {listed[:60]}… are not in order")
        days[begin : stop + 1] = True
        end = stop + 1  # one that follows at once would be the same period
    return days


def _pairs(listed: str) -> Iterator[tuple[int, int]]:
    for period in [] if listed == "no day" else listed.split(", "):
        first, _, last = period.partition(" to ")
        begin, stop = day_number(first), day_number(last or first)
        if last and begin == stop:
            raise WrongTraceError(f"the period {period} is one day")
        yield begin, stop
