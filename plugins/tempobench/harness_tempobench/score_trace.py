"""Judge a stated run against the true one: steps, states, inputs, accepted or not."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

from harness import Item
from harness.text import quoted
from harness_tempobench import targets
from harness_tempobench.equivalence import Formula, Literal, equivalent, literals, sited
from harness_tempobench.score_explain import written
from harness_tempobench.score_gold import (
    BrokenItemError,
    Counts,
    Judged,
    Setting,
    setting,
    target_of,
)

if TYPE_CHECKING:
    from harness_tempobench.answers import StatedRun, StatedStep

_SHOWN = 1_000


@dataclass(frozen=True, slots=True)
class Gold:
    """The true run: the states of the steps that are taken, one more than those, and whether all are."""

    setting: Setting
    states: tuple[int, ...]
    accepted: bool

    @property
    def steps(self) -> int:
        """How many steps are taken."""
        return len(self.states) - 1

    def inputs(self, step: int) -> frozenset[Literal]:
        """Return the literals of all inputs at a step."""
        return frozenset(
            (step, name, self.setting.value(step, index))
            for index, name in enumerate(self.setting.machine.inputs)
        )

    def literals(self) -> set[Literal]:
        """Return the literals of all steps taken."""
        return {one for step in range(self.steps) for one in self.inputs(step)}

    def moves(self) -> set[tuple[int, int]]:
        """Return (step, next state) of all steps taken."""
        return set(enumerate(self.states[1:]))


def gold_of(item: Item) -> Gold:
    """Return the true run of an item, taken anew on its machine.

    Raises:
        HarnessError: the item is damaged, or its target is none of its problem's.
    """
    own = setting(item)
    off = own.machine.deviation(own.letters, own.masks)
    taken = own.letters if off is None else own.letters[:off]
    states, _ = own.machine.run(taken)
    line = targets.run_target(own.machine.inputs, own.letters, states, off is None)
    if target_of(item) != json.loads(line):
        raise BrokenItemError("the item's target is not the run of its machine on its trace")
    return Gold(own, states, off is None)


# ------------------------------------------------------------------------------------- judging


def judge(gold: Gold, stated: StatedRun) -> Judged:
    """Judge what an answer states.

    Raises:
        harness.Abstained: it is too large or too hard to be compared with the true run.
    """
    steps = {step: one for step, one in stated.steps.items() if _says(one)}
    said = {
        (step, name, value)
        for step, one in steps.items()
        for name, value in literals(one.inputs or ("true",))
    }
    right = {step for step, one in steps.items() if _is_right(gold, step, one)}
    moves = {(step, one.next) for step, one in steps.items() if one.next is not None}
    accepted = stated.accepted is gold.accepted
    correct = accepted and len(right) == len(steps) == gold.steps
    shown = _text(stated)
    return Judged(
        answer=shown[:_SHOWN],
        gold=_line(gold),
        correct=correct,
        exact=correct,
        ap=Counts.of(gold.literals(), said),
        ts=Counts(len(right), len(steps) - len(right), gold.steps - len(right)),
        extra={
            "accepted": float(accepted),
            "f1_state": Counts.of(gold.moves(), moves).figures()[2],
            "vote": shown[: 2 * _SHOWN],
        },
        why="" if correct else "\n\n".join(_why(gold, stated, right)),
    )


def nothing(gold: Gold) -> Judged:
    """Return the counts of a reply without an answer: all of the true run is missed."""
    ap, ts = Counts(0, 0, len(gold.literals())), Counts(0, 0, gold.steps)
    return Judged("", "", False, False, ap, ts, {"accepted": 0.0, "f1_state": 0.0})


def _says(step: StatedStep) -> bool:
    return not (step.state is None and step.inputs is None and step.next is None)


def _is_right(gold: Gold, step: int, said: StatedStep) -> bool:
    if not 0 <= step < gold.steps:
        return False
    if (said.state, said.next) != (gold.states[step], gold.states[step + 1]):
        return False
    return _reads(gold, step, said.inputs)


def _reads(gold: Gold, step: int, inputs: Formula | None) -> bool:
    """Tell whether inputs are those of a step; none stated constrain nothing."""
    true = tuple(frozenset([literal]) for literal in sorted(gold.inputs(step)))
    return equivalent(true, [sited(step, inputs or ("true",))])


def _text(stated: StatedRun) -> str:
    """Return what is stated in one line."""
    said = [
        f"{step}: {_number(one.state)} [{_inputs(one)}] {_number(one.next)}"
        for step, one in sorted(stated.steps.items())
    ]
    return "; ".join([*said, f"accepted: {_yes(stated.accepted)}"])


def _line(gold: Gold) -> str:
    """Return the true run in the form of `_text`."""
    machine, letters = gold.setting.machine, gold.setting.letters
    moves = [
        f"{step}: {state} [{targets.inputs_text(machine.inputs, letters[step])}] {following}"
        for step, (state, following) in enumerate(pairwise(gold.states))
    ]
    return "; ".join([*moves, f"accepted: {_yes(gold.accepted)}"])


def _number(state: int | None) -> str:
    return "?" if state is None else str(state)


def _yes(accepted: bool | None) -> str:
    return "?" if accepted is None else "yes" if accepted else "no"


def _inputs(said: StatedStep) -> str:
    return "?" if said.inputs is None else written(said.inputs, steps=False)


# ----------------------------------------------------------------------------------- explaining


def _why(gold: Gold, stated: StatedRun, right: set[int]) -> Iterator[str]:
    off = next((step for step in range(gold.steps) if step not in right), None)
    if off is not None:
        yield f"The first step that is off is step {off}: {_off(gold, off, stated.steps.get(off))}."
    if beyond := sorted(step for step in stated.steps if not 0 <= step < gold.steps):
        yield f"Step {_short(beyond[0])} is stated, and the run takes {gold.steps} steps (from 0 on)."
    if stated.accepted is not gold.accepted:
        yield f"Accepted is {_yes(gold.accepted)}, answered {_yes(stated.accepted)}{_proof(gold)}."


def _off(gold: Gold, step: int, said: StatedStep | None) -> str:
    if said is None or not _says(said):
        return f"nothing is said of it; {_move(gold, step)}"
    faults = []
    if said.state != gold.states[step]:
        faults.append(f"starts in state {_short(said.state)}")
    if not _reads(gold, step, said.inputs):
        faults.append(f"reads {quoted(_inputs(said), 80)}")
    if said.next != gold.states[step + 1]:
        faults.append(f"goes to state {_short(said.next)}")
    return f"{_move(gold, step)}, but the answer {', '.join(faults)}"


def _move(gold: Gold, step: int) -> str:
    machine, letter = gold.setting.machine, gold.setting.letters[step]
    names = range(len(machine.inputs))
    read = " and ".join(targets.literal(machine.inputs, letter, i) for i in names)
    before, after = gold.states[step : step + 2]
    return (
        f"in state {before} the machine reads {quoted(read or targets.UNCONSTRAINED, 120)} "
        f"and goes to state {after}"
    )


def _proof(gold: Gold) -> str:
    """Return which outputs of a rejected trace are none of the machine's."""
    if gold.accepted:
        return ": all outputs of the trace are the machine's"
    own, step = gold.setting, gold.steps
    _, mask = own.machine.table[gold.states[-1]][own.letters[step]]
    wrong = [
        f"{quoted(name, 40)} is {'true' if own.masks[step] >> i & 1 else 'false'} in the trace"
        for i, name in enumerate(own.machine.outputs)
        if (own.masks[step] ^ mask) >> i & 1
    ]
    return (
        f": at step {step}, in state {gold.states[-1]}, {', '.join(wrong[:4])}, "
        "and the machine's output is the opposite"
    )


def _short(number: int | None) -> str:
    """Write a number that may have hundreds of digits."""
    if number is None:
        return "?"
    return str(number) if abs(number) < 10**9 else "far beyond the machine's"
