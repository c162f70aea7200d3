"""A cause as an automaton in HOA.

It speaks about inputs only, accepts by never getting stuck (`Acceptance: 0 t`) and is deterministic.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from harness_tempobench.labels import quote

MAX_EDGES = 200_000
MAX_WORK = 20_000_000
"""Comparisons of two clauses while an automaton is written: a few seconds."""

Clause = Sequence[tuple[int, int]]
Residue = tuple[int, ...]
"""What is left of the open clauses, sorted: bit `step * inputs + input` of an int is a literal."""


def text_of(inputs: Sequence[str], letters: Sequence[int], clauses: Iterable[Clause]) -> str:
    """Return the automaton of a cause: the conjunction of clauses whose literals are as in `letters`.

    A state is a step with what is left of the open clauses, those that contain another one left
    out, so that two states of a step never mean the same. Behind the last open clause everything
    is accepted. No clause may contain another.

    Raises `OverflowError`: more than `MAX_EDGES` edges, or too much work.
    """
    width = len(inputs)
    begin = tuple(sorted(sum(1 << t * width + i for t, i in clause) for clause in clauses))
    branches = _Branches(width)
    numbers: dict[tuple[int, Residue], int] = {(0 if begin else -1, begin): 0}
    body: list[str] = []
    queue = list(numbers)
    for step, residue in queue:
        body.append(f"State: {numbers[step, residue]}")
        if not residue:
            body.append(f"[t] {numbers[step, residue]}")
            continue
        for cube, rest in branches.of(residue, step):
            target = (step + 1 if rest else -1, rest)
            if target not in numbers:
                numbers[target] = len(numbers)
                queue.append(target)
            body.append(f"[{_label(cube, letters[step])}] {numbers[target]}")
            if len(body) - len(numbers) > MAX_EDGES:
                raise OverflowError(f"the automaton of the cause has more than {MAX_EDGES} edges")
    names = "".join(f" {quote(name)}" for name in inputs)
    head = ["HOA: v1", f"States: {len(numbers)}", "Start: 0", f"AP: {width}{names}"]
    head += ["acc-name: all", "Acceptance: 0 t"]
    head += ["properties: trans-labels explicit-labels state-acc deterministic", "--BODY--"]
    return "\n".join([*head, *body, "--END--"]) + "\n"


class _Branches:
    """The ways in which the letters of one step can satisfy what is left of a cause."""

    def __init__(self, width: int) -> None:
        self._width, self._left = width, MAX_WORK

    def of(self, residue: Residue, step: int) -> Iterator[tuple[dict[int, bool], Residue]]:
        """Yield (which inputs are as in the trace, what stays open), one for each set of letters."""
        now = (1 << self._width) - 1 << step * self._width
        present = 0
        for clause in residue:
            present |= clause & now
        self._spend(len(residue))
        if not present:
            yield {}, residue
            return
        literal = present & -present
        index = literal.bit_length() - 1 - step * self._width
        kept = tuple(clause for clause in residue if not clause & literal)
        for cube, end in self.of(kept, step):
            yield {index: True, **cube}, end
        if literal not in residue:  # else the letter leaves a clause without a literal
            shorter = [clause ^ literal for clause in residue if clause & literal]
            self._spend(len(kept) * len(shorter))
            longer = [
                clause for clause in kept if not any(clause & other == other for other in shorter)
            ]
            for cube, end in self.of(tuple(sorted(longer + shorter)), step):
                yield {index: False, **cube}, end

    def _spend(self, amount: int) -> None:
        self._left -= amount
        if self._left < 0:
            raise OverflowError("the automaton of the cause takes more work than allowed")


def _label(cube: dict[int, bool], letter: int) -> str:
    parts = [("" if bool(letter >> i & 1) is same else "!") + str(i) for i, same in cube.items()]
    return "&".join(parts) or "t"
