"""Effects of several outputs, or of several steps: literals of outputs, all of which hold, or one of them at least.

The exact engine knows effects of one output at one step. So it is given a machine with one output more, which is true
at a step if the effect holds that ends there: beside its state that machine keeps, for each effect that has begun,
what its literals so far amount to. `engines.history` does the same in another way for the confirming engines.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias

from harness_tempobench.errors import TempobenchError
from harness_tempobench.machine import MAX_NAME, MAX_STATES, Machine
from harness_tempobench.notation import shown

SIGNS = {"and": " & ", "or": " | "}
MAX_LITERALS = 12

Shape: TypeAlias = "tuple[str, tuple[tuple[int, int, bool], ...]]"
"""How literals are joined, and each one's steps before the last, place of the output, and value."""


def effect(join: str, literals: Sequence[tuple[int, str, bool]]) -> dict[str, Any]:
    """Return the effect that all of some literals hold ("and"), or one at least ("or"): each step, output, value."""
    listed = sorted(literals)
    names = [
        f"{'X' * step} {'' if v else '!'}{shown(output)}".lstrip() for step, output, v in listed
    ]
    return {
        "output": SIGNS[join].join(names),
        "value": True,
        "step": max(step for step, _, _ in listed),
        "join": join,
        "literals": [list(literal) for literal in listed],
    }


def check(stated: Mapping[str, Any], outputs: Sequence[str]) -> None:
    """Refuse an effect of several literals that is not as `effect` makes it, or not about some outputs.

    Raises `TempobenchError`: one line.
    """
    literals = [(step, output, value) for step, output, value in stated["literals"]]
    if not 2 <= len(set(literals)) == len(literals) <= MAX_LITERALS:
        raise TempobenchError(f"an effect has 2 to {MAX_LITERALS} different literals")
    if unknown := sorted({output for _, output, _ in literals} - set(outputs)):
        raise TempobenchError(f"the effect names {unknown[0][:60]!r}, which is no output")
    if effect(stated["join"], literals) != dict(stated):
        raise TempobenchError("the effect's name or step is not that of its literals")
    if len(stated["output"]) > MAX_NAME or stated["output"] in outputs:
        raise TempobenchError("the effect's name is too long, or that of an output")


def holds(stated: Mapping[str, Any], true: Sequence[Sequence[str]]) -> bool:
    """Return whether an effect holds where these outputs are true at each step."""
    literals = stated.get("literals", [[stated["step"], stated["output"], stated["value"]]])
    values = [(output in true[step]) is value for step, output, value in literals]
    return any(values) if stated.get("join") == "or" else all(values)


def shape(stated: Mapping[str, Any], outputs: Sequence[str]) -> Shape:
    """Return what the machine of an effect depends on."""
    places, last = {name: place for place, name in enumerate(outputs)}, stated["step"]
    literals = [(last - step, places[name], value) for step, name, value in stated["literals"]]
    return stated["join"], tuple(literals)


def product(machine: Machine, form: Shape, name: str) -> Machine:
    """Return a machine that has one output more: whether the effect holds that ends at the step.

    Raises `TempobenchError`: it would have too many states.
    """
    join, literals = form
    depth, every = max(before for before, _, _ in literals), join == "and"
    by_step = [[(p, v) for before, p, v in literals if before == at] for at in range(depth + 1)]
    together, bit = (all if every else any), 1 << len(machine.outputs)
    first = (machine.start, (every,) * depth)
    numbers, rows = {first: 0}, []
    for state, kept in (queue := [first]):
        row = []
        for following, mask in machine.table[state]:
            # of the effect that ends so many steps later, what it amounts to with this step
            after = [
                together([before, *(bool(mask >> place & 1) is value for place, value in now)])
                for before, now in zip((*kept, every), by_step, strict=True)
            ]
            target = (following, tuple(after[1:]))
            if target not in numbers:
                numbers[target] = len(queue)
                queue.append(target)
            row.append((numbers[target], mask | bit * after[0]))
        rows.append(tuple(row))
        if len(queue) > MAX_STATES:
            raise TempobenchError(
                f"the effect makes more than {MAX_STATES:,} states of the machine"
            )
    return Machine(machine.inputs, (*machine.outputs, name), 0, tuple(rows))
