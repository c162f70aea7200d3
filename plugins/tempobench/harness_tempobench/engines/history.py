"""A machine that remembers its last outputs, so that an effect of several steps is one of its outputs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from harness import Abstained

MAX_STATES = 4_000
"""States with what they remember."""

Table = Sequence[Sequence[Sequence[int]]]


def remembering(
    table: Table, start: int, outputs: Sequence[str], effect: Mapping[str, Any]
) -> tuple[list[list[tuple[int, int]]], int]:
    """Return table and first state of a machine with one output more, which is last: that an effect ends at the step.

    Args:
        table: for each state and letter the next state and the output mask.
        start: the first state.
        outputs: names of the outputs.
        effect: "join", "step" and "literals" (CONTRACT.md).

    Raises:
        Abstained: too many states.
    """
    last = effect["step"]
    wanted = [
        (step - last - 1, outputs.index(name), value) for step, name, value in effect["literals"]
    ]
    past, looked_at = -min(at for at, _, _ in wanted), 0
    for _, place, _ in wanted:
        looked_at |= 1 << place
    pending: list[tuple[int, tuple[int, ...]]] = [(start, ())]
    known = {pending[0]: 0}
    rows: list[list[tuple[int, int]]] = []
    while len(rows) < len(pending):
        state, memory = pending[len(rows)]
        row = []
        for to, mask in table[state]:
            seen = (*memory, mask & looked_at)[-past:]
            told = [
                bool(seen[at] >> place & 1) is value
                for at, place, value in wanted
                if -at <= len(seen)
            ]
            holds = len(seen) == past and (any(told) if effect["join"] == "or" else all(told))
            there = (to, seen[1:] if len(seen) == past else seen)
            if there not in known:
                known[there] = len(pending)
                pending.append(there)
            row.append((known[there], mask | holds << len(outputs)))
        rows.append(row)
        if len(pending) > MAX_STATES:
            raise Abstained(
                f"the effect's steps make more than {MAX_STATES:,} states of the machine"
            )
    return rows, 0
