"""The complete certificate of a label, for `harness_proof`: of a cause a table of breaking sets, else nothing.

Nothing here is trusted: what is written is proved by the checker, from the prompt, or it is refuted.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from harness_proof import tempobench
from harness_proof.outcomes import UncheckedError

from harness import Item


def prove(item: Item) -> dict[str, Any] | None:
    """Return the certificate; None where it would be too large, or the prompt is not the checker's."""
    try:
        question = tempobench.read(item.prompt)
        return {"table": _table(question)} if question.kind.startswith("tce") else {}
    except UncheckedError:
        return None


def _table(question: tempobench.Question) -> tempobench.Table:
    """Return for each step, and each state that some inputs lead to, the minimal sets that break the effect."""
    machine = question.machine
    last = question.effect[2] if question.effect else 0
    every = range(1 << len(machine.inputs))
    reached = [{machine.start}]
    for given, _ in question.trace[:last]:
        reached.append(
            {machine.step(state, given ^ flips)[1] for state in reached[-1] for flips in every}
        )
    table: tempobench.Table = [{} for _ in reached]
    work = 0
    for place in range(last, -1, -1):
        for state in sorted(reached[place]):
            breaking = list(tempobench.broken(question, table, place, state))
            found = table[place][state] = _minimal(breaking)
            work += len(breaking) * len(found)
            if work > tempobench.MAX_WORK:
                raise UncheckedError("the table would be too large")
    return table


def _minimal(sets: Iterable[int]) -> list[int]:
    """Return the sets that contain no other one."""
    minimal: list[int] = []
    for one in sorted(set(sets), key=int.bit_count):
        if not any(known & one == known for known in minimal):
            minimal.append(one)
    return minimal
