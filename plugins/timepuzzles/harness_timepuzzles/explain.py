"""Worked solutions in words, from the masks: which dates each clue leaves, the narrowest clue first."""

from __future__ import annotations

from datetime import date

from harness import Item
from harness_timepuzzles import clues, masks
from harness_timepuzzles.clue import Clue
from harness_timepuzzles.engines import ends

_LISTED = 14  # dates or periods written out
_SPELLED = 400  # characters of a fact spelled out


def worked(item: Item) -> str:
    """Return a solution that leads up to the target: what the clues mean, then what they leave."""
    first, last = ends(item.problem)
    numbered = list(enumerate(clues.parse_all(item.problem), 1))
    lines = [
        line
        for number, clue in numbered
        if (line := _meaning(number, clue, first, last)) is not None
    ]
    left = masks.run(first, last)
    numbered.sort(key=lambda pair: ((left & clues.mask(pair[1])).bit_count(), pair[0]))
    for at, (number, clue) in enumerate(numbered):
        left &= clues.mask(clue)
        begin = "Start with" if at == 0 else "Add"
        lines.append(f"{begin} clue {number} ({clue.sentence()[:120]}): {_remaining(left)}")
    return "\n".join(lines)


def _meaning(number: int, clue: Clue, first: date, last: date) -> str | None:
    """Say what an implicit clue means, as far as it is short; None for one that says it itself."""
    if not clue.implicit:
        return None
    spelled = clue.explicit(first, last).sentence()
    if len(spelled) > _SPELLED:
        cut = max(spelled.rfind(mark, 0, _SPELLED) for mark in ",;")  # years; periods
        spelled = f"{spelled[:cut]}; and so on."
    return f"Clue {number} means: {spelled}"


def _remaining(left: int) -> str:
    count = left.bit_count()
    if count == 0:
        return "no date is left."
    plural = "1 date is" if count == 1 else f"{count} dates are"
    runs = masks.periods(left) if count <= 40 * _LISTED else []
    if not 0 < len(runs) <= _LISTED:
        return f"{plural} left."
    listed = (str(a) if a == b else f"{a} to {b}" for a, b in runs)
    return f"{plural} left: {', '.join(listed)}."
