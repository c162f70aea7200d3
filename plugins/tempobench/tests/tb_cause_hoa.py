"""A reader of the automata of causes, and their comparison by simulation: a check on what the plugin writes.

The automata speak about inputs only, accept by never getting stuck (`Acceptance: 0 t`) and are
deterministic: what `Cause.to_hoa` writes, and what Spot prints for a cause.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import product

from harness_tempobench.errors import HoaError

MAX_TEXT = 4_000_000
MAX_WORDS = 1 << 16
MAX_CELLS = 1 << 18
_MAX_STATES = 100_000
_MAX_NESTING = 50
_MAX_APS = 16

Test = Callable[[int], bool]


@dataclass(frozen=True, slots=True)
class Automaton:
    """A labelled graph: `edges[state]` is a list of (test of a letter, next state).

    A letter is an int whose bit `i` is the value of `aps[i]`.
    """

    aps: tuple[str, ...]
    start: int
    edges: tuple[tuple[tuple[Test, int], ...], ...]

    def next(self, state: int, letter: int) -> int | None:
        """Return the next state, or None if there is none.

        Raises:
            HoaError: there are several with different targets.
        """
        targets = {target for test, target in self.edges[state] if test(letter)}
        if len(targets) > 1:
            raise HoaError(
                f"state {state} has several edges for one letter: a deterministic automaton is needed"
            )
        return targets.pop() if targets else None


def read(text: str) -> Automaton:
    """Read an automaton with acceptance `0 t` and labels on its edges, in HOA.

    Raises:
        HoaError: the text is none, or beyond the bounds.
    """
    if len(text) > MAX_TEXT or not text.startswith("HOA:"):
        raise HoaError(
            f"no HOA automaton: it begins with HOA: and has at most {MAX_TEXT} characters"
        )
    head, found, body = text.partition("--BODY--")
    if not found or "--END--" not in body:
        raise HoaError("an HOA automaton has a --BODY-- and an --END--")
    if not re.search(r"^Acceptance: *0 +t *$", head, re.MULTILINE):
        raise HoaError("the automaton of a cause has Acceptance: 0 t")
    states, start = _number(head, "States"), _number(head, "Start")
    if states > _MAX_STATES or start >= states:
        raise HoaError(
            f"{states} states and start {start}: at most {_MAX_STATES}, the start one of them"
        )
    aps = _aps(head)
    edges: list[list[tuple[Test, int]]] = [[] for _ in range(states)]
    state = None
    for line in body.partition("--END--")[0].splitlines():
        state = _line(line.strip(), state, edges, len(aps))
    return Automaton(aps, start, tuple(tuple(row) for row in edges))


def _number(head: str, key: str) -> int:
    found = re.findall(rf"^{key}: *([0-9]{{1,9}}) *$", head, re.MULTILINE)
    if len(found) != 1:
        raise HoaError(f"an HOA automaton says {key}: once, with one number")
    return int(found[0])


def _aps(head: str) -> tuple[str, ...]:
    lines = re.findall(r"^AP: *([0-9]{1,3})((?: +\"(?:[^\"\\\n]|\\.)*\")*) *$", head, re.MULTILINE)
    if len(lines) != 1:
        raise HoaError('an HOA automaton says AP: once, as in AP: 2 "r" "g"')
    names = [re.sub(r"\\(.)", r"\1", n) for n in re.findall(r'"((?:[^"\\]|\\.)*)"', lines[0][1])]
    if len(names) != int(lines[0][0]) or len(set(names)) != len(names) or len(names) > _MAX_APS:
        raise HoaError(f"AP: {lines[0][0]} needs as many different names, and at most {_MAX_APS}")
    return tuple(names)


def _line(
    line: str, state: int | None, edges: list[list[tuple[Test, int]]], width: int
) -> int | None:
    """Read one line of the body and return the state that the lines to come belong to."""
    if not line:
        return state
    if match := re.fullmatch(r'State: *([0-9]{1,9})(?: +"[^"]*")?', line):
        number = int(match[1])
        if number >= len(edges):
            raise HoaError(f"State: {number} is beyond the {len(edges)} states announced")
        return number
    match = re.fullmatch(r"\[([^\]]*)\] *([0-9]{1,9})", line)
    if match is None or state is None or int(match[2]) >= len(edges):
        raise HoaError(f"a line of the body is neither State: n nor [label] n: {line[:60]!r}")
    edges[state].append((_Label(match[1], width).test(), int(match[2])))
    return state


class _Label:
    """A parser of labels: `|` binds looser than `&`, `!` strongest."""

    def __init__(self, text: str, width: int) -> None:
        self._signs = re.findall(r"[0-9]+|\S", text)
        self._text, self._width, self._place = text, width, 0

    def test(self) -> Test:
        found = self._either(0)
        if self._place != len(self._signs):
            raise self._error()
        return found

    def _error(self) -> HoaError:
        return HoaError(
            f"no label of numbers below {self._width}, t, f, !, &, | and ( ): {self._text[:60]!r}"
        )

    def _peek(self) -> str:
        return self._signs[self._place] if self._place < len(self._signs) else ""

    def _either(self, depth: int) -> Test:
        parts = [self._both(depth)]
        while self._peek() == "|":
            self._place += 1
            parts.append(self._both(depth))
        return parts[0] if len(parts) == 1 else lambda letter: any(p(letter) for p in parts)

    def _both(self, depth: int) -> Test:
        parts = [self._atom(depth)]
        while self._peek() == "&":
            self._place += 1
            parts.append(self._atom(depth))
        return parts[0] if len(parts) == 1 else lambda letter: all(p(letter) for p in parts)

    def _atom(self, depth: int) -> Test:
        sign = self._peek()
        self._place += 1
        if depth > _MAX_NESTING:
            raise self._error()
        if sign == "!":
            inner = self._atom(depth + 1)
            return lambda letter: not inner(letter)
        if sign == "(":
            group = self._either(depth + 1)
            if self._peek() != ")":
                raise self._error()
            self._place += 1
            return group
        if sign in ("t", "f"):
            return lambda _letter: sign == "t"
        if not (sign.isascii() and sign.isdecimal() and len(sign) < 4 and int(sign) < self._width):
            raise self._error()
        bit = int(sign)
        return lambda letter: bool(letter >> bit & 1)


def same_language(
    automaton: Automaton,
    inputs: Sequence[str],
    length: int,
    accepts: Callable[[Sequence[int]], bool],
) -> bool:
    """Tell whether an automaton accepts just the words whose first `length` letters are accepted.

    All words of that length are tried: after an accepted one the automaton has to accept
    everything, after another one nothing.

    Args:
        automaton: over some of the inputs, in any order.
        inputs: the names of all inputs.
        length: the number of letters.
        accepts: whether a word of input letters is accepted, say `satisfies` of a cause.

    Raises:
        HoaError: more than `MAX_WORDS` words, or a proposition that is no input.
    """
    if 1 << len(inputs) * length > MAX_WORDS:
        raise HoaError(f"{length} letters of {len(inputs)} inputs make more than {MAX_WORDS} words")
    if not set(automaton.aps) <= set(inputs):
        raise HoaError("the automaton of a cause speaks about inputs only")
    places = [list(inputs).index(name) for name in automaton.aps]
    moves = _moves(automaton)
    everything, something = _futures([set(row) for row in moves])
    wide = [sum((x >> p & 1) << i for i, p in enumerate(places)) for x in range(1 << len(inputs))]
    for word in product(range(1 << len(inputs)), repeat=length):
        state: int | None = automaton.start
        for letter in word:
            state = None if state is None else moves[state][wide[letter]]
        wanted = accepts(word)
        if (state in everything) is not wanted or (state in something) is not wanted:
            return False
    return True


def _moves(automaton: Automaton) -> list[list[int | None]]:
    letters = range(1 << len(automaton.aps))
    if len(letters) * len(automaton.edges) > MAX_CELLS:
        raise HoaError(f"the automaton has more than {MAX_CELLS} states times letters")
    return [[automaton.next(q, letter) for letter in letters] for q in range(len(automaton.edges))]


def _futures(moves: list[set[int | None]]) -> tuple[set[int | None], set[int | None]]:
    """Return the states from which every word, and those from which some word, is accepted."""
    everything: set[int | None] = {*range(len(moves))}
    something = everything.copy()
    while True:
        all_next: set[int | None] = {
            q for q in everything if q is not None and moves[q] <= everything
        }
        some_next: set[int | None] = {
            q for q in something if q is not None and moves[q] & something
        }
        if all_next == everything and some_next == something:
            return everything, something
        everything, something = all_next, some_next
