"""The second engine: every clue by arithmetic on day numbers, apart from the first engine.

It uses no calendar library but sxtwl for the Chinese months, none of `datetime`, and nothing
of the plugin's other modules: what both engines say has been found twice.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import reduce
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
from harness_errors import Abstained

from harness_timepuzzles.engines.arithmetic_clues import BOUNDS, Admitted, Clue, admitted
from harness_timepuzzles.engines.arithmetic_days import DAYS, day_number, iso_texts


def solutions(problem: Mapping[str, Any], *, one_broken: bool = False) -> list[str]:
    """Return the dates on which every clue holds, as ``YYYY-MM-DD``, ascending.

    Args:
        problem: ``{"range": [first, last], "clues": [...]}``, valid against the plugin's schema.
        one_broken: whether dates that break a single clue matter, too, as they do in a certificate.

    Raises:
        Abstained: if the range leaves the bounds of a clue or the years 1700 to 2100, or if a
            doubtful date decides the answer (or, if ``one_broken``, what one clue rules out).
        DatasetError: for an unknown clue type, or parameters no schema would let pass.
    """
    begin, end = _range(problem["range"], problem["clues"])
    rules = [_rule(clue) for clue in problem["clues"]]
    _refuse_doubt(rules, begin, end, int(one_broken))
    everywhere = reduce(np.bitwise_and, (rule.words for rule in rules))
    places = everywhere.nonzero()[0]  # of few words a day is left, mostly
    bits = np.unpackbits(everywhere[places].view(np.uint8)).nonzero()[0]
    days = places[bits >> 6] * 64 + (bits & 63)
    return iso_texts(days[(begin <= days) & (days < end)])


class _Rule(NamedTuple):
    """What one clue admits, and what it may admit, as its doubtful days are counted in.

    Both are bits, one for each day number from the highest bit of the first byte on; ``words`` are eight bytes each.
    """

    words: npt.NDArray[np.uint64]
    possible: bytes
    doubtful: frozenset[int]


def _rule(clue: Clue) -> _Rule:
    key = repr(clue)
    rule = _RULES.get(key)
    if rule is None:
        if len(_RULES) >= _REMEMBERED or len(_DISTINCT) >= _MOST_DISTINCT:
            _RULES.clear()
            _DISTINCT.clear()
        made = _packed(admitted(clue))
        rule = _RULES[key] = _DISTINCT.setdefault((made.possible, made.doubtful), made)
    return rule


def _packed(days: Admitted) -> _Rule:
    marks = np.zeros(DAYS + -DAYS % 64, dtype=np.bool_)
    marks[:DAYS] = days.mask
    bits = np.packbits(marks).tobytes()
    marks[list(days.doubtful)] = True
    possible = np.packbits(marks).tobytes() if days.doubtful else bits
    return _Rule(np.frombuffer(bits, np.uint64), possible, days.doubtful)


# Most clues come again and again. Many events share a year, a month or a day, and so a rule of 18 kB.
_REMEMBERED, _MOST_DISTINCT = 8_000, 2_000
_RULES: dict[str, _Rule] = {}
_DISTINCT: dict[tuple[bytes, frozenset[int]], _Rule] = {}


def doubtful(clue: Clue) -> set[str]:
    """Return the dates from 1700 to 2100 on which this engine may be wrong about a clue.

    A phase or equinox within three minutes of midnight makes the dates on both sides doubtful;
    a beginning of an Islamic month too close to call its first day; until 1900 a new moon within 25
    minutes of midnight the first day of a Chinese month, and all of one month of 1805.

    Raises:
        DatasetError: for an unknown clue type, or parameters no schema would let pass.
    """
    return set(iso_texts(np.array(list(admitted(clue).doubtful), dtype=np.int64)))


def _range(dates: Sequence[str], clues: Sequence[Clue]) -> tuple[int, int]:
    """Day numbers of the first day and the day after the last."""
    begin, end = day_number(dates[0]), day_number(dates[1]) + 1
    if begin < 0 or end > DAYS:
        raise Abstained(f"the range {dates[0]} to {dates[1]} is not within 1700 to 2100")
    for kind in {str(clue.get("type")) for clue in clues} & BOUNDS.keys():
        first, last = BOUNDS[kind]
        if dates[0] < first or dates[1] > last:
            raise Abstained(
                f"the range {dates[0]} to {dates[1]} goes beyond a clue of type {kind}:"
                f" confirmed from {first} to {last}"
            )
    return begin, max(begin, end)


def _refuse_doubt(rules: Sequence[_Rule], begin: int, end: int, breaking: int) -> None:
    """Refuse if a date on which a clue is doubtful could break no more clues than given."""
    for day in frozenset().union(*(rule.doubtful for rule in rules)):
        if begin <= day < end:
            byte, bit = day >> 3, 128 >> (day & 7)
            if breaking >= sum([not rule.possible[byte] & bit for rule in rules]):
                raise Abstained(
                    f"which clues {iso_texts(np.array([day]))[0]} satisfies is too close to call"
                )
