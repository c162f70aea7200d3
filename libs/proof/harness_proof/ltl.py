"""Formulas of linear temporal logic: kept each once, negated, true of a lasso, and unfolded by a step.

A formula is a number: its place in a table. Its operands come before it, so nothing here recurses, and
a part that is shared is looked at once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import product

from harness_proof.outcomes import known

MAX_WORK = 5_000_000
"""Values of formulas in the states of paths, and branches that are looked at, with one table of formulas."""

Part = tuple[str, int, int]
"""An operator with its operands: formulas, or for "atom" and "not" the number of an atom."""
Obligations = frozenset[int]
Step = tuple[Obligations, Obligations]
"""What must hold from the next moment on, and the promises that are put off in this one."""

UNARY = ("X", "F", "G")
BINARY = ("&", "|", "U", "R", "W", "M")
_DUAL = {**dict(zip("XFG&|URWM", "XGF|&RUMW")), "atom": "not", "not": "atom"}
"""The operator of a formula's negation, by the laws of de Morgan."""


class Formulas:
    """A table of formulas in negation normal form, each once, parts first; number ^ 1 is the negation."""

    def __init__(self) -> None:
        self.parts: list[Part] = []
        self.work = 0
        self._places: dict[Part, int] = {}

    def add(self, operator: str, left: int, right: int = 0) -> int:
        """Return the number of a formula; "atom" and "not" are of an atom, all else of formulas."""
        part = (operator, left, right)
        if part not in self._places:
            of_formulas = operator in UNARY or operator in BINARY
            negated = _DUAL[operator], left ^ of_formulas, right ^ (operator in BINARY)
            for one in (part, negated):
                self._places[one] = len(self.parts)
                self.parts.append(one)
        return self._places[part]

    def join(self, operator: str, left: int, right: int = 0) -> int:
        """Return the formula of an operator, of ``! -> <->`` as well, and its operands."""
        if operator == "!":
            return left ^ 1
        if operator == "->":
            return self.add("|", left ^ 1, right)
        if operator == "<->":
            return self.add("&", self.join("->", left, right), self.join("->", right, left))
        return self.add(operator, left, right)

    def spend(self, work: int) -> None:
        """Count work."""
        self.work += work
        known(self.work <= MAX_WORK, f"it takes more than {MAX_WORK} steps")

    def holds(self, formula: int, loop: int, states: int, atom: Callable[[int, int], bool]) -> bool:
        """Tell whether a formula is true of a lasso: states 0, 1, …, the last followed by ``loop``.

        ``atom(state, number)`` says whether an atom is true in a state.
        """
        self.spend(states * (formula + 1))
        truth: list[list[bool]] = []
        for operator, left, right in self.parts[: formula + 1]:
            if operator in ("atom", "not"):
                row = [atom(state, left) == (operator == "atom") for state in range(states)]
            elif operator == "X":
                row = [*truth[left][1:], truth[left][loop]]
            else:
                # Its least (F, U, M) or greatest (G, W, R) fixed point. What the first round finds where the loop
                # begins is right: F, U, M rise, G, W, R fall.
                row = [_LASTING.get(operator, False)] * (states + 1)
                for _ in range(2):
                    row[states] = row[loop]
                    for state in reversed(range(states)):
                        now = operator, truth[left][state], truth[right][state], row[state + 1]
                        row[state] = _TRUTH[now]
            truth.append(row[:states])
        return truth[formula][0]

    def now(self, due: list[int], atom: Callable[[int], bool], later: Obligations) -> Obligations:
        """Return which of some formulas hold in a state, by those that hold in the next; parts come before wholes."""
        held: set[int] = set()
        for formula in due:
            operator, left, right = self.parts[formula]
            if operator in ("atom", "not"):
                holds = atom(left) == (operator == "atom")
            else:
                on = (left if operator == "X" else formula) in later
                holds = _TRUTH[operator, left in held, right in held, on]
            if holds:
                held.add(formula)
        return frozenset(held)

    def decided(self, formula: int, held: Obligations) -> bool:
        """Tell whether a formula's truth, where ``held`` hold, may last or does not rest on the next state."""
        operator, left, right = self.parts[formula]
        may_last = operator not in _LASTING or (formula in held) is _LASTING[operator]
        ways = {_TRUTH.get((operator, left in held, right in held, on)) for on in (True, False)}
        return may_last or len(ways) == 1

    def steps(self, obligations: Iterable[int], atom: Callable[[int], bool]) -> Iterator[Step]:
        """Yield the ways in which formulas can all hold from a state on, ``atom`` saying what is true in it.

        Of each path on which they hold one is right, where a promise (F, U, M) is put off only if it is not
        kept now: every obligation in it holds from the next state on.
        """
        branches = [([*obligations], Obligations(), Obligations())]
        while branches:
            todo, later, put_off = branches.pop()
            self.spend(1)
            if not todo:
                yield later, put_off
                continue
            formula = todo.pop()
            operator, left, right = self.parts[formula]
            ways = _WAYS.get(operator, (("", False),) * (atom(left) == (operator == "atom")))
            for now, on in reversed(ways):
                due = [*todo, *(part for name, part in zip("ab", (left, right)) if name in now)]
                next_time = {left if operator == "X" else formula} if on else set()
                promised = {formula} if on and operator in "FUM" else set()
                branches.append((due, later | next_time, put_off | promised))


_WAYS: dict[str, tuple[tuple[str, bool], ...]] = {
    "X": (("", True),), "F": (("a", False), ("", True)), "G": (("a", True),),
    "&": (("ab", False),), "|": (("a", False), ("b", False)),
    **dict.fromkeys("UW", (("b", False), ("a", True))),
    **dict.fromkeys("RM", (("ab", False), ("b", True))),
}  # fmt: skip
"""In which ways an operator holds: which operands hold now, and whether it holds from the next moment on (X: its
operand)."""
_TRUTH = {
    (operator, a, b, on): any(
        (a or "a" not in now) and (b or "b" not in now) and (on or not later) for now, later in ways
    )
    for operator, ways in _WAYS.items()
    for a, b, on in product((False, True), repeat=3)
}
"""Whether an operator holds, by its operands now, and its own truth, or that of X's operand, at the next moment."""
_LASTING = {**dict.fromkeys("FUM", False), **dict.fromkeys("GWR", True)}
"""What an operator is for ever if nothing decides it."""
