"""Reading minimal breaking sets off the automaton of the words that violate a cause; see `corp`."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, TypeAlias

from harness_logic import spot_library

Clause: TypeAlias = "tuple[tuple[int, int], ...]"
"""The (step, input) of a minimal breaking set, in order."""


class Walk:
    """Runs of a deterministic automaton on words that deviate from the actual letters."""

    def __init__(self, variables: Sequence[int], automaton: Any, letters: Sequence[int]) -> None:
        """Take the BDD variables of the inputs, Spot's automaton, and the letters of steps 0…k."""
        self._buddy = spot_library.modules()[1]
        self._variables, self._letters = variables, letters
        self._start = automaton.get_init_state_number()
        self._edges = [
            [(edge.dst, edge.cond) for edge in automaton.out(state)]
            for state in range(automaton.num_states())
        ]
        self._known: dict[tuple[int, int], int | None] = {}

    def deviations(self, run: Any) -> list[tuple[int, int]]:
        """Return (step, input) where a run says that its word deviates; else it need not.

        The run is one of Spot's. What its cycle reads comes after step k or does not matter: no
        state but the one that accepts everything can be visited twice.
        """
        deviating = []
        for step, (letter, part) in enumerate(zip(self._letters, run.prefix, strict=False)):
            label = part.label
            for place in range(len(self._variables)):
                actual = self._literal(place, letter)
                if label & actual == self._buddy.bddfalse:
                    deviating.append((step, place))
                else:
                    label &= actual
        return deviating

    def smallest(self, deviations: Iterable[tuple[int, int]]) -> Clause:
        """Return deviations none of which can be undone: the automaton accepts more, never fewer."""
        letters, kept = list(self._letters), list(deviations)
        for step, place in kept:
            letters[step] ^= 1 << place
        for step, place in kept.copy():
            letters[step] ^= 1 << place
            if self._accepts(letters):
                kept.remove((step, place))
            else:
                letters[step] ^= 1 << place
        return tuple(kept)

    def _accepts(self, letters: Iterable[int]) -> bool:
        state: int | None = self._start
        for letter in letters:
            if state is None:
                return False
            if (state, letter) not in self._known:
                label, no = self._buddy.bddtrue, self._buddy.bddfalse
                for place in range(len(self._variables)):
                    label &= self._literal(place, letter)
                fits = (to for to, condition in self._edges[state] if condition & label != no)
                self._known[state, letter] = next(fits, None)
            state = self._known[state, letter]
        return state is not None

    def _literal(self, place: int, letter: int) -> Any:
        make = self._buddy.bdd_ithvar if letter >> place & 1 else self._buddy.bdd_nithvar
        return make(self._variables[place])
