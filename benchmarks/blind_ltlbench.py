"""A solver of ltlbench that knows the prompts only: sentences in, True or False out.

The negated hypothesis becomes obligations. At each event they split into what must hold at the
next moment; a sequence that never postpones an "until" for ever is a counterexample. Written
from prompts alone, apart from the plugin and its engines.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import Any

import numpy as np
from blind_kit import UnreadError
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

Formula = tuple[Any, ...]
Obligations = frozenset[Formula]
Step = tuple[Obligations, Obligations]  # due at the next moment, and the untils put off
STATES = 200_000

_PART = r"(event\d+|c\d+)"
_VERB = r"(?: happens| holds)"
# Sentences of the hypothesis in small letters, and what they mean for their parts.
_SENTENCES: tuple[tuple[str, Callable[..., Formula]], ...] = (
    (rf"{_PART} does not (?:happen|hold)", lambda a: ("not", a)),
    (rf"{_PART}{_VERB} in the next state", lambda a: ("next", a)),
    (rf"{_PART} will (?:happen|be true) at the next moment", lambda a: ("next", a)),
    (rf"{_PART} eventually{_VERB}", lambda a: ("until", ("true",), a)),
    (rf"{_PART} will (?:happen|be true) eventually", lambda a: ("until", ("true",), a)),
    (rf"{_PART} always{_VERB}", lambda a: ("release", ("false",), a)),
    (
        rf"{_PART} will always (?:happen|be true) at any future time",
        lambda a: ("release", ("false",), a),
    ),
    (rf"{_PART}{_VERB} and {_PART}{_VERB}", lambda a, b: ("and", a, b)),
    (rf"{_PART}{_VERB} or {_PART}{_VERB}", lambda a, b: ("or", a, b)),
    (rf"if {_PART}{_VERB}, then {_PART}{_VERB}", lambda a, b: ("or", ("not", a), b)),
    (rf"that {_PART}{_VERB} implies that {_PART}{_VERB}", lambda a, b: ("or", ("not", a), b)),
    (rf"{_PART}{_VERB} until {_PART}{_VERB}", lambda a, b: ("until", a, b)),
    (
        rf"{_PART}{_VERB} until {_PART}{_VERB}, or else forever",
        lambda a, b: ("release", b, ("or", a, b)),
    ),
    (
        rf"{_PART}{_VERB} up to and including the first moment when {_PART}{_VERB}",
        lambda a, b: ("until", a, ("and", a, b)),
    ),
    (
        rf"{_PART}{_VERB} up to and including the first moment when {_PART}{_VERB},"
        " or else forever",
        lambda a, b: ("release", b, a),
    ),
)


def hypothesis(text: str) -> Formula:
    """Return the formula that the last of the numbered statements stands for."""
    known: dict[str, Formula] = {}
    last: Formula | None = None
    for name, sentence in re.findall(r"^(C\d+): (.*)\.$", text, re.M):
        last = known[name.lower()] = _meaning(sentence.lower(), known)
    asked = re.search(r"^(C\d+) is True or False\?", text, re.M)
    if last is None or asked is None or known.get(asked[1].lower()) is not last:
        raise UnreadError("no hypothesis")
    return last


def _meaning(sentence: str, known: Mapping[str, Formula]) -> Formula:
    for pattern, build in _SENTENCES:
        if found := re.fullmatch(pattern, sentence):
            parts = [
                known[word] if word in known else ("event", int(word.removeprefix("event")))
                for word in found.groups()
            ]
            return build(*parts)
    raise UnreadError(sentence)


def graph(text: str) -> tuple[int, dict[int, set[int]]]:
    """Return the first event, and the events that can follow each."""
    first = re.search(r"Initially, event(\d+) happened\.", text)
    if first is None:
        raise UnreadError("no initial event")
    follows: dict[int, set[int]] = {}
    for event, what in re.findall(r"After event(\d+), ([^.]*)\.", text):
        targets = {int(number) for number in re.findall(r"event(\d+)", what)}
        if what == "no other events can happen":
            targets = {int(event)}
        elif not re.fullmatch(r"(either )?[event\d, or]+ (must|can) happen", what):
            raise UnreadError(what)
        follows.setdefault(int(event), set()).update(targets)
    return int(first[1]), follows


def positive(formula: Formula, negated: bool) -> Formula:
    """Return an equal formula, of the negation if asked, with "not" before events only."""
    kind = formula[0]
    if kind == "not":
        return positive(formula[1], not negated)
    if not negated:
        return (kind, *(positive(p, False) if isinstance(p, tuple) else p for p in formula[1:]))
    if kind == "event":
        return ("other", formula[1])
    dual = {"and": "or", "or": "and", "until": "release", "release": "until", "next": "next"}
    dual |= {"true": "false", "false": "true"}
    return (dual[kind], *(positive(part, True) for part in formula[1:]))


@lru_cache(maxsize=100_000)
def choices(formula: Formula, event: int) -> tuple[Step, ...]:
    """Return the ways in which a formula can hold at a moment with this event."""
    kind = formula[0]
    nothing: Step = (frozenset(), frozenset())
    if kind in ("true", "false", "event", "other"):
        holds = kind == "true" or (kind != "false" and (formula[1] == event) == (kind == "event"))
        return (nothing,) if holds else ()
    if kind == "next":
        return ((frozenset({formula[1]}), frozenset()),)
    first, second = choices(formula[1], event), choices(formula[2], event)
    if kind == "and":
        return _both(first, second)
    if kind == "or":
        return _least(first + second)
    due = frozenset({formula})
    if kind == "until":
        return _least(second + _both(first, ((due, due),)))
    return _both(second, _least((*first, (due, frozenset()))))


def _both(first: Sequence[Step], second: Sequence[Step]) -> tuple[Step, ...]:
    return _least([(a | c, b | d) for a, b in first for c, d in second])


def _least(steps: Sequence[Step]) -> tuple[Step, ...]:
    """Return the steps without those that ask for more than another one does."""
    kept: list[Step] = []
    for due, late in sorted(set(steps), key=lambda step: len(step[0]) + len(step[1])):
        if not any(a <= due and b <= late for a, b in kept):
            kept.append((due, late))
    return tuple(kept)


def violated(formula: Formula, first: int, follows: Mapping[int, set[int]]) -> bool:
    """Return whether some sequence of events does not satisfy the formula."""
    choices.cache_clear()
    nodes = {(first, frozenset({positive(formula, True)})): 0}
    waiting = list(nodes)
    walks: list[tuple[int, int, Obligations]] = []
    while waiting:
        event, obligations = node = waiting.pop()
        if event not in follows:
            raise UnreadError(f"nothing said of what follows event{event}")
        steps: tuple[Step, ...] = ((frozenset(), frozenset()),)
        for each in obligations:
            steps = _both(steps, choices(each, event))
        for due, late in steps:
            for target in follows[event]:
                if (target, due) not in nodes:
                    nodes[target, due] = len(nodes)
                    waiting.append((target, due))
                walks.append((nodes[node], nodes[target, due], late))
        if len(nodes) > STATES:
            raise UnreadError("too many states")
    return bool(walks) and _fair(len(nodes), walks)


def _fair(size: int, walks: Sequence[tuple[int, int, Obligations]]) -> bool:
    """Return whether some cycle meets every until again and again."""
    ends = np.array([walk[:2] for walk in walks]).T
    matrix = coo_array((np.ones(len(walks)), tuple(ends)), shape=(size, size))
    _, part_of = connected_components(matrix, connection="strong")
    always_late: dict[int, Obligations] = {}
    for source, target, late in walks:
        part = int(part_of[source])
        if part == part_of[target]:
            always_late[part] = always_late.get(part, late) & late
    return any(not late for late in always_late.values())


def holds(formula: Formula, events: Sequence[int], back: int) -> bool:
    """Return whether a formula holds at the start of a sequence that goes back for ever."""
    return _values(formula, events, [*range(1, len(events)), back])[0]


def _values(formula: Formula, events: Sequence[int], after: Sequence[int]) -> list[bool]:
    """Return where in a sequence a formula holds."""
    kind = formula[0]
    if kind in ("true", "false"):
        return [kind == "true"] * len(events)
    if kind == "event":
        return [event == formula[1] for event in events]
    first, *others = (_values(part, events, after) for part in formula[1:])
    if kind == "not":
        return [not value for value in first]
    if kind == "next":
        return [first[place] for place in after]
    pairs = list(zip(first, *others, strict=True))
    if kind in ("and", "or"):
        return [(all if kind == "and" else any)(pair) for pair in pairs]
    # The least row of values that fits itself for until, the greatest for release.
    row = [kind == "release"] * len(events)
    for _ in events:
        then = [row[place] for place in after]
        if kind == "until":
            row = [b or (a and later) for (a, b), later in zip(pairs, then, strict=True)]
        else:
            row = [b and (a or later) for (a, b), later in zip(pairs, then, strict=True)]
    return row


def solve(prompt: str) -> bool:
    """Return whether the hypothesis of a prompt is true."""
    return not violated(hypothesis(prompt), *graph(prompt))


def agrees(answer: bool, target: str, prompt: str) -> bool:
    """Return whether a target says the same; a path that it names must be a counterexample."""
    word, _, path = target.partition(":")
    if word not in ("True", "False"):
        raise UnreadError(target)
    wanted = not answer and "a possible sequence in which it does not hold, in the form" in prompt
    if word != str(answer) or bool(path) != wanted:
        return False
    return not path or _is_counterexample(path, prompt)


def _is_counterexample(path: str, prompt: str) -> bool:
    """Return whether a path is one of the graph and violates the hypothesis."""
    found = re.fullmatch(r"((?: event\d+,)*) \((event\d+(?:, event\d+)*)\)", path)
    if found is None:
        raise UnreadError(path)
    stem, loop = ([int(n) for n in re.findall(r"\d+", part)] for part in found.groups())
    first, follows = graph(prompt)
    events = [*stem, *loop]
    pairs = zip(events, [*events[1:], loop[0]], strict=True)
    possible = events[0] == first and all(b in follows.get(a, ()) for a, b in pairs)
    return possible and not holds(hypothesis(prompt), events, len(stem))
