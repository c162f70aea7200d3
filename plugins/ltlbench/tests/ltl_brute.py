"""Labels by brute force, with no engine involved.

A path and a formula fix the truth of every subformula at every moment. So guess the truth of
the temporal ones at each moment, and keep the guesses that fit: each step by the rule of its
operator below, and in the long run by what must come about again and again if the guess is to
be more than a promise put off forever. The formula is False if some fitting path starts with it
untrue.
"""

from __future__ import annotations

from functools import cache
from itertools import chain, combinations, product
from typing import Any

# operator: (truth now, from the operands now and the guess at the next moment;
#            what has to be the case infinitely often, from the operands and the guess now)
RULES: dict[str, tuple[Any, Any]] = {
    "F": (lambda a, z: a or z, lambda a, z: not z or a),
    "G": (lambda a, z: a and z, lambda a, z: z or not a),
    "U": (lambda a, b, z: b or (a and z), lambda a, b, z: not z or b),
    "W": (lambda a, b, z: b or (a and z), lambda a, b, z: z or not (a or b)),
    "R": (lambda a, b, z: b and (a or z), lambda a, b, z: z or not b),
    "M": (lambda a, b, z: b and (a or z), lambda a, b, z: not z or (a and b)),
}
BOOLEAN: dict[str, Any] = {
    "!": lambda a: not a,
    "&": lambda a, b: a and b,
    "|": lambda a, b: a or b,
    "->": lambda a, b: not a or b,
}


def frozen(formula: Any) -> Any:
    return formula if isinstance(formula, int) else (formula[0], *map(frozen, formula[1:]))


def subformulas(formula: Any) -> list[Any]:
    """Distinct ones, operands first."""
    if isinstance(formula, int):
        return [formula]
    parts = chain.from_iterable(subformulas(part) for part in formula[1:])
    return list(dict.fromkeys([*parts, formula]))


class Brute:
    """One formula over some events, ready to be labelled on any graph."""

    def __init__(self, formula: Any, events: int) -> None:
        formula = frozen(formula)
        subs = subformulas(formula)
        temporal = [f for f in subs if not isinstance(f, int) and f[0] in (*RULES, "X")]
        self.moments: list[tuple[int, dict[Any, bool]]] = []
        for event in range(1, events + 1):
            for guess in product((False, True), repeat=len(temporal)):
                truth: dict[Any, bool] = dict(zip(temporal, guess, strict=True))
                for f in subs:
                    if isinstance(f, int):
                        truth[f] = event == f
                    elif f not in truth:
                        truth[f] = BOOLEAN[f[0]](*(truth[part] for part in f[1:]))
                self.moments.append((event, truth))
        self.at = {
            event: self.mask(lambda e, _, event=event: e == event)  # type: ignore[misc]
            for event in range(1, events + 1)
        }
        self.untrue = self.mask(lambda _, truth: not truth[formula])
        self.often = [
            self.mask(lambda _, t, f=f: RULES[f[0]][1](*(t[p] for p in f[1:]), t[f]))  # type: ignore[misc]
            for f in temporal
            if f[0] != "X"
        ] or [self.mask(lambda *_: True)]
        self.after = [
            self.mask(lambda _, t, now=now: all(fits(f, now, t) for f in temporal))  # type: ignore[misc]
            for _, now in self.moments
        ]

    def mask(self, wanted: Any) -> int:
        return sum(1 << i for i, moment in enumerate(self.moments) if wanted(*moment))

    def label(self, edges: Any, initial: int) -> bool:
        allowed = dict.fromkeys(self.at, 0)
        for source, target in edges:
            allowed[source] |= self.at[target]
        for event, states in self.at.items():
            allowed[event] = allowed[event] or states
        step = [s & allowed[e] for (e, _), s in zip(self.moments, self.after, strict=True)]

        def before(states: int) -> int:
            return sum(1 << i for i, targets in enumerate(step) if targets & states)

        endless = -1
        while True:
            found = endless
            for often in self.often:
                reach, grown = 0, endless & often & ((1 << len(step)) - 1)
                while reach != grown:
                    reach, grown = grown, grown | before(grown)
                found &= before(reach)
            if found == endless:
                return not endless & self.untrue & self.at[initial]
            endless = found


def fits(f: Any, now: dict[Any, bool], then: dict[Any, bool]) -> bool:
    if f[0] == "X":
        return now[f] == then[f[1]]
    return now[f] == RULES[f[0]][0](*(now[part] for part in f[1:]), then[f])


@cache
def graphs(events: int) -> list[tuple[tuple[int, int], ...]]:
    pairs = [(a, b) for a in range(1, events + 1) for b in range(1, events + 1) if a != b]
    return [g for size in range(len(pairs) + 1) for g in combinations(pairs, size)]
