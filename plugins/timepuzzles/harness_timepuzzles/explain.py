"""Worked solutions in words, from the masks: which dates each clue leaves, the narrowest clue first."""

from __future__ import annotations

from datetime import date

from harness import Item
from harness_timepuzzles import clues, masks
from harness_timepuzzles.clue import Clue
from harness_timepuzzles.engines import ends

_LISTED = 14  # dates or periods written out
_SPELLED = 800  # characters of a fact spelled out


def worked(item: Item) -> str:
    """Return a solution that leads up to the target: clue by clue what it means and what it leaves."""
    first, last = ends(item.problem)
    left = masks.run(first, last)
    numbered = list(enumerate(clues.parse_all(item.problem), 1))
    # Narrow ones first; what needs a long list last, when little of the list matters.
    numbered.sort(
        key=lambda pair: (pair[1].costly, (left & clues.mask(pair[1])).bit_count(), pair[0])
    )
    lines = []
    for number, clue in numbered:
        lines.append(f"Clue {number}: {clue.sentence()}{_meaning(clue, left)}")
        left &= clues.mask(clue)
        lines.append(f"  {_remaining(left)}")
    return "\n".join(lines)


def _meaning(clue: Clue, left: int) -> str:
    """Say what an implicit clue means for the dates that are left, as far as that is short."""
    if not clue.implicit or not left:
        return ""
    first, last = masks.first_day(left), date.fromordinal(masks.ordinals(left)[-1])
    spelled = clue.explicit(first, last).sentence()
    if len(spelled) > _SPELLED:
        cut = max(spelled.rfind(mark, 0, _SPELLED) for mark in ",;")  # years; periods
        spelled = f"{spelled[:cut]}, and so on."
    return f" That is, from {first} to {last}: {spelled}"


def _remaining(left: int) -> str:
    count = left.bit_count()
    if count == 0:
        return "No date is left."
    plural = "1 date is" if count == 1 else f"{count} dates are"
    runs = masks.periods(left) if count <= 40 * _LISTED else []
    if not 0 < len(runs) <= _LISTED:
        return f"{plural} left."
    listed = (str(a) if a == b else f"{a} to {b}" for a, b in runs)
    return f"{plural} left: {', '.join(listed)}."
