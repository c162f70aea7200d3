"""The complete certificate of a label, for `harness_proof`: of a cause a table of breaking sets, else nothing.

Nothing here is trusted: what is written is proved by the checker, from the prompt, or it is refuted.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from harness_proof import tempobench
from harness_proof.ltl import MAX_WORK
from harness_proof.outcomes import UncheckedError

from harness import Item


def prove(item: Item) -> dict[str, Any] | None:
    """Return the certificate; None where it would be too large, or the prompt is not the checker's."""
    try:
        question = tempobench.read(item.prompt)
        return {"table": _table(tempobench.cases(question))} if "tce" in question.like else {}
    except UncheckedError:
        return None


def _table(cases: list[tempobench.Question]) -> tempobench.Table:
    """Return for each step, and each state that some inputs lead to, the minimal sets that break the effect."""
    case = cases[0]  # of the others the inputs are the same, and no outputs are kept
    every = range(1 << len(case.machine.inputs))
    reached = [{each.machine.start for each in cases}]
    for step in range(case.last):
        moves = (case.move(step, state, flips) for state in reached[-1] for flips in every)
        reached.append({to for _, states in moves for to in states})
    table: tempobench.Table = [{} for _ in reached]
    work = 0
    for place in range(case.last, -1, -1):
        for state in sorted(reached[place]):
            breaking = list(tempobench.breaking(case, table, place, state))
            found = table[place][state] = _minimal(breaking)
            work += len(breaking) * len(found)
            if work > MAX_WORK:
                raise UncheckedError("the table would be too large")
    return table


def _minimal(sets: Iterable[int]) -> list[int]:
    """Return the sets that contain no other one."""
    minimal: list[int] = []
    for one in sorted(set(sets), key=int.bit_count):
        if not any(known & one == known for known in minimal):
            minimal.append(one)
    return minimal
