"""Formulas of linear temporal logic: kept each once, negated, true of a lasso, and unfolded by a step.

A formula is a number: its place in a table. Its operands come before it, so nothing here recurses, and
a part that is shared is looked at once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from harness_proof.outcomes import UncheckedError

MAX_WORK = 5_000_000
"""Values of formulas in the states of paths, and branches that are looked at, with one table of formulas."""

Part = tuple[str, int, int]
"""An operator with its operands: formulas, or for "atom" and "not" the number of an atom."""
Obligations = frozenset[int]
Step = tuple[Obligations, Obligations]
"""What must hold from the next moment on, and the promises that are put off in this one."""

UNARY = ("X", "F", "G")
BINARY = ("&", "|", "U", "R", "W", "M")
_DUAL = {"X": "X", "F": "G", "G": "F", "&": "|", "|": "&", "U": "R", "R": "U", "W": "M", "M": "W"}


class Formulas:
    """A table of formulas in negation normal form, each once, operands before what they are part of."""

    def __init__(self) -> None:
        self.parts: list[Part] = []
        self.work = 0
        self._places: dict[Part, int] = {}

    def add(self, operator: str, left: int, right: int = 0) -> int:
        """Return the number of a formula; "atom" and "not" are of an atom, all else of formulas."""
        part = (operator, left, right)
        if part not in self._places:
            self._places[part] = len(self.parts)
            self.parts.append(part)
        return self._places[part]

    def negation(self, formula: int) -> int:
        """Return the formula that holds where the given one does not, by the laws of de Morgan."""
        negated: dict[int, int] = {}
        for place in range(formula + 1):
            operator, left, right = self.parts[place]
            if operator in ("atom", "not"):
                negated[place] = self.add("not" if operator == "atom" else "atom", left)
            else:
                other = negated[right] if operator in BINARY else 0
                negated[place] = self.add(_DUAL[operator], negated[left], other)
        return negated[formula]

    def spend(self, work: int) -> None:
        """Count work."""
        self.work += work
        if self.work > MAX_WORK:
            raise UncheckedError(f"it takes more than {MAX_WORK} steps")

    def holds(self, formula: int, loop: int, states: int, atom: Callable[[int, int], bool]) -> bool:
        """Tell whether a formula is true of a lasso: states 0, 1, …, the last followed by ``loop``.

        ``atom(state, number)`` says whether an atom is true in a state.
        """
        self.spend(states * (formula + 1))
        after = [*range(1, states), loop]
        truth: list[list[bool]] = []
        for operator, left, right in self.parts[: formula + 1]:
            if operator in ("atom", "not"):
                row = [atom(state, left) == (operator == "atom") for state in range(states)]
            elif operator == "X":
                row = [truth[left][follower] for follower in after]
            elif operator in "&|":
                equation = _EQUATIONS[operator]
                row = [equation(a, b, False) for a, b in zip(truth[left], truth[right])]
            else:
                row = _repeated(operator, truth[left], truth[right], after)
            truth.append(row)
        return truth[formula][0]

    def now(
        self, formulas: Iterable[int], atom: Callable[[int], bool], later: Obligations
    ) -> Obligations:
        """Return which of some formulas hold in a state, by those that hold in the next; parts come before wholes."""
        held: set[int] = set()
        for formula in formulas:
            operator, left, right = self.parts[formula]
            if operator in ("atom", "not"):
                holds = atom(left) == (operator == "atom")
            else:
                on = (left if operator == "X" else formula) in later
                holds = _EQUATIONS[operator](left in held, right in held, on)
            if holds:
                held.add(formula)
        return frozenset(held)

    def decided(self, formula: int, held: Obligations) -> bool:
        """Tell whether a formula's truth, where ``held`` hold, may last or does not rest on the next state."""
        operator, left, right = self.parts[formula]
        if operator not in _LASTING or (formula in held) is _LASTING[operator]:
            return True
        now = {_EQUATIONS[operator](left in held, right in held, on) for on in (True, False)}
        return len(now) == 1

    def steps(self, obligations: Iterable[int], atom: Callable[[int], bool]) -> Iterator[Step]:
        """Yield the ways in which formulas can all hold from a state on, ``atom`` saying what is true in it.

        Of each path on which they hold one is right, where a promise (F, U, M) is put off only if it is not
        kept now: every obligation in it holds from the next state on.
        """
        branches: list[tuple[list[int], Obligations, Obligations]] = [
            (list(obligations), frozenset(), frozenset())
        ]
        while branches:
            todo, later, put_off = branches.pop()
            self.spend(1 + len(todo))
            while todo:
                formula = todo.pop()
                operator, left, right = self.parts[formula]
                if operator in ("atom", "not"):
                    if atom(left) != (operator == "atom"):
                        break
                elif operator == "X":
                    later |= {left}
                elif operator == "&":
                    todo += (left, right)
                elif operator == "G":
                    todo.append(left)
                    later |= {formula}
                elif operator == "|":
                    branches.append(([*todo, right], later, put_off))
                    todo.append(left)
                else:
                    now, on = _CHOICES[operator](left, right)
                    promised = put_off | {formula} if operator in "FUM" else put_off
                    branches.append(([*todo, *on], later | {formula}, promised))
                    todo += now
            else:
                yield later, put_off


# What holds now if an operator needs nothing later, and if it needs itself from the next moment on.
_CHOICES: dict[str, Callable[[int, int], tuple[tuple[int, ...], tuple[int, ...]]]] = {
    "F": lambda a, b: ((a,), ()),
    **dict.fromkeys("UW", lambda a, b: ((b,), (a,))),
    **dict.fromkeys("RM", lambda a, b: ((a, b), (b,))),
}


# What an operator is at a state, by its operands there and its own truth, or that of X's operand, at the next state.
_EQUATIONS: dict[str, Callable[[bool, bool, bool], bool]] = {
    "&": lambda a, b, on: a and b,
    "|": lambda a, b, on: a or b,
    "X": lambda a, b, on: on,
    "F": lambda a, b, on: a or on,
    "G": lambda a, b, on: a and on,
    **dict.fromkeys("UW", lambda a, b, on: b or (a and on)),
    **dict.fromkeys("RM", lambda a, b, on: b and (a or on)),
}


_LASTING = {**dict.fromkeys("FUM", False), **dict.fromkeys("GWR", True)}
"""What an operator is for ever if nothing decides it."""


def _repeated(operator: str, left: list[bool], right: list[bool], after: list[int]) -> list[bool]:
    """Return where F, G, U, W, R or M is true: its least (F, U, M) or greatest (G, W, R) fixed point."""
    row = [_LASTING[operator]] * len(after)
    equation = _EQUATIONS[operator]
    # What the first round finds where the loop begins is right: F, U, M rise, G, W, R fall.
    for _ in range(2):
        for state in reversed(range(len(after))):
            row[state] = equation(left[state], right[state], row[after[state]])
    return row
