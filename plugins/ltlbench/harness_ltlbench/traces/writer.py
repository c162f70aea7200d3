"""Traces: the complete solution of an item, step by step, with its answer; `traces.reader` checks them.

False is shown by a possible sequence, on which every statement is followed from moment to moment. True is shown
by rules: from which events a statement holds on every sequence, and from which on none, follows from the same of
the statements that it names. The rules are sound and not complete: where they do not come to the initial event,
`cases_writer` shows case by case that no sequence violates the hypothesis.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from typing import Any

from harness import Item
from harness_ltlbench.engines import lasso
from harness_ltlbench.engines.closure import Graph, bits_of
from harness_ltlbench.formula import Formula, path_text, statements
from harness_ltlbench.traces.cases_writer import Cases, TooManyError

MAX_CHARACTERS = 20_000
"""Longest trace; an item whose trace would be longer has none."""

_STATEMENT = re.compile(r"^C[0-9]+: .+$", re.MULTILINE)

Sets = tuple[int, int]
"""The events from which a statement holds on every sequence, and on none: bit e for event e."""


def written(item: Item) -> str | None:
    """Return the solution with its answer.

    None for an item without certificate (an adopted one), for a True one that takes too many cases, or where
    it would be longer than `MAX_CHARACTERS`.
    """
    sentences = _STATEMENT.findall(item.prompt)
    parts = list(statements(item.problem["formula"]))
    if item.certificate is None or len(sentences) != len(parts):
        return None
    violation = item.certificate["violation"]
    shown = (
        _false(item, violation, parts, sentences) if violation else _true(item, parts, sentences)
    )
    if shown is None:
        return None
    text = "\n".join([*shown, f"Answer: {item.target}"])
    return text if len(text) <= MAX_CHARACTERS else None


# --------------------------------------------------------------------------------------- False


def _false(
    item: Item, violation: dict[str, list[int]], parts: Sequence[Formula], sentences: Sequence[str]
) -> list[str]:
    prefix, cycle = violation["prefix"], violation["cycle"]
    path = [*prefix, *cycle]
    lines = [
        f"Look at the sequence {path_text(violation)}, of which the part in parentheses repeats forever.",
        f"It is possible: event{path[0]} is the initial event{_steps(item.problem, [*path, cycle[0]])}.",
        f"Its moments are counted from 1; after moment {len(path)} comes moment {len(prefix) + 1} again.",
    ]
    for sentence, part in zip(sentences, parts, strict=True):
        truth = lasso.positions(part, prefix, cycle)
        lines.append(f"{sentence} It holds at {_moments(truth)}.")
    lines.append(
        f"C{len(parts)} does not hold at moment 1 of a possible sequence, so the hypothesis is False."
    )
    return lines


def _steps(problem: dict[str, Any], path: Sequence[int]) -> str:
    sources = {source for source, _ in problem["edges"]}
    steps = dict.fromkeys(
        f", after event{a} event{b} can happen" if a in sources else f", event{a} repeats forever"
        for a, b in pairwise(path)
    )
    return "".join(steps)


def _moments(truth: Sequence[bool]) -> str:
    moments = [str(at) for at, true in enumerate(truth, 1) if true]
    if not moments or len(moments) == len(truth):
        return "every moment" if moments else "no moment"
    return f"{'moment' if len(moments) == 1 else 'moments'} {', '.join(moments)}"


# ---------------------------------------------------------------------------------------- True


def _true(item: Item, parts: Sequence[Formula], sentences: Sequence[str]) -> list[str] | None:
    initial = item.problem["initial"]
    rules = _Rules(Graph(item.problem, [initial]))
    sets = [rules.sets(part) for part in parts]
    lines = [f"From event{initial} on, no other events can happen than {_events(rules.all)}."]
    for sentence, known in zip(sentences, sets, strict=True):
        lines.append(f"{sentence} {_claim(known, rules.all)}")
    if sets[-1][0] >> initial & 1:
        lines.append(
            f"Every possible sequence begins with event{initial}, so C{len(parts)} holds on it: "
            f"the hypothesis is True."
        )
        return lines
    try:
        lines += _cases(parts, sets, rules.graph, initial)
    except TooManyError:
        return None
    return lines


def _cases(
    parts: Sequence[Formula], known: Sequence[Sets], graph: Graph, initial: int
) -> Iterator[str]:
    last = len(parts)
    cases = Cases(parts, known, graph.after)
    cases.explore(initial)
    yield (
        f"The rules do not decide it. Suppose that C{last} does not hold on some sequence: then each of its "
        "moments is one of these cases."
    )
    for number, ((event, due), following) in enumerate(
        zip(cases.cases, cases.next, strict=True), 1
    ):
        signs = " and ".join(
            f"C{operand} {'holds' if holds else 'does not hold'}" for operand, holds in sorted(due)
        )
        then = _listed(following) or "nothing is possible"
        yield f"Case {number}: event{event}, where {signs}. Next: {then}."
    for knot, statement in cases.knots():
        holds = (statement, True) in cases.cases[knot[0] - 1][1]
        yield (
            f"No sequence stays in {_listed(knot)} forever: C{statement} would have to "
            f"{'come true' if holds else 'fail'} there, and can only where it leaves."
        )
    yield "So there is no such sequence."
    yield f"C{last} holds on every possible sequence: the hypothesis is True."


def _listed(numbers: Sequence[int]) -> str:
    return " or ".join(f"case {number}" for number in numbers)


def _claim(known: Sets, every: int) -> str:
    always, never = known
    if every in known:
        return f"It holds on {'every' if always == every else 'no'} sequence from there on."
    if not always and not never:
        return "It may hold or not, whatever a sequence begins with."
    some = [
        f"{word} sequence that begins with {_events(events)}"
        for word, events in (("every", always), ("no", never))
        if events
    ]
    return f"It holds on {', and on '.join(some)}."


def _events(events: int) -> str:
    return " or ".join(f"event{event}" for event in bits_of(events))


class _Rules:
    """The rules by which a statement is known from what is known of those it names."""

    def __init__(self, graph: Graph) -> None:
        self.graph = graph
        self.all = graph.all

    def sets(self, formula: Formula) -> Sets:
        """Return from which events a formula is known to hold on every sequence, and on none."""
        if isinstance(formula, int):
            itself = self.all & 1 << formula
            return itself, self.all & ~itself
        operands = [self.sets(part) for part in formula[1:]]
        return _RULES[formula[0]](self, *operands)

    def until(self, a: Sets, b: Sets) -> Sets:
        graph = self.graph
        never = self.all & ~graph.some_until(self.all & ~a[1], self.all & ~b[1])
        return graph.all_until(a[0], b[0]), never

    def next(self, a: Sets) -> Sets:
        return self.graph.all_next(a[0]), self.graph.all_next(a[1])

    def release(self, a: Sets, b: Sets) -> Sets:
        return _not(self.until(_not(a), _not(b)))


def _not(a: Sets) -> Sets:
    return a[1], a[0]


def _and(a: Sets, b: Sets) -> Sets:
    return a[0] & b[0], a[1] | b[1]


def _or(a: Sets, b: Sets) -> Sets:
    return a[0] | b[0], a[1] & b[1]


_RULES: dict[str, Callable[..., Sets]] = {
    "!": lambda _, a: _not(a),
    "&": lambda _, a, b: _and(a, b),
    "|": lambda _, a, b: _or(a, b),
    "->": lambda _, a, b: _or(_not(a), b),
    "X": _Rules.next,
    "F": lambda r, a: r.until((r.all, 0), a),
    "G": lambda r, a: r.release((0, r.all), a),
    "U": _Rules.until,
    "R": _Rules.release,
    "W": lambda r, a, b: r.release(b, _or(a, b)),
    "M": lambda r, a, b: r.until(b, _and(a, b)),
}
