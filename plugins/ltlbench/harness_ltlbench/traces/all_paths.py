"""Read back the trace of a True label: what it claims of all sequences from each event on.

It has to be all that follows, by the rules, from what was claimed of the statements named, and it has to be so:
Spot is asked. The rules are written here from the greatest and the least sets that keep them, not as the writer's.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from harness_answers.trace_lines import Lines

from harness import Abstained
from harness_ltlbench.engines import spot
from harness_ltlbench.formula import Formula
from harness_ltlbench.traces.cases_reader import CasesReader
from harness_ltlbench.traces.graph import EVENT, Graph, Part, numbers

_LIST = rf"{EVENT}(?: or {EVENT})*"

Events = frozenset[int]
Known = tuple[Events, Events]
"""The events from which a statement holds on every sequence, and on none."""


class AllPaths:
    """The claims of a trace: what holds on every sequence, and on none, from each event on."""

    def __init__(self, problem: dict[str, Any], first: str, lines: Lines) -> None:
        self.problem, self.graph = problem, Graph(problem)
        reached = [self.graph.initial]
        for event in reached:
            reached += [then for then in self.graph.after(event) if then not in reached]
        self.all = frozenset(reached)
        self.after = {event: frozenset(self.graph.after(event)) for event in reached}
        self.claims: list[Known] = []
        self.parts: list[Part] = []
        named = " or ".join(f"event{event}" for event in sorted(self.all))
        initial = self.graph.initial
        if first != f"From event{initial} on, no other events can happen than {named}.":
            raise lines.wrong("those are not the events that can happen")

    def claim(self, part: Part, text: str) -> str | None:
        """Return what is wrong with what is said of a statement."""
        known = self._claimed(text)
        if known is None:
            return "it is not said on which sequences it holds"
        self.claims.append(known)
        self.parts.append(part)
        if known != self._follows(*part):
            return "that is not what follows from what was said before"
        formula = part[0]
        for events, side in zip(known, (formula, ["!", formula]), strict=True):
            if events and not self._is_so(events, side):
                return "Spot finds a sequence on which it is not so"
        return None

    def _claimed(self, text: str) -> Known | None:
        if text == "It may hold or not, whatever a sequence begins with.":
            return frozenset(), frozenset()
        whole = re.fullmatch(r"It holds on (every|no) sequence from there on\.", text)
        if whole is not None:
            return (self.all, frozenset()) if whole[1] == "every" else (frozenset(), self.all)
        match = re.fullmatch(
            rf"It holds on (?:every sequence that begins with ({_LIST}))?(?:(?(1), and on )no sequence that "
            rf"begins with ({_LIST}))?\.",
            text,
        )
        if match is None:
            return None
        listed = [numbers(group or "") for group in match.groups()]
        if any(events != sorted(set(events)) for events in listed) or self.all in map(
            frozenset, listed
        ):
            return None
        return frozenset(listed[0]), frozenset(listed[1])

    def _follows(self, part: Formula, operands: Sequence[int]) -> Known:
        """Return all that the rules let follow for a statement from what was said of those it names."""
        if isinstance(part, int):
            return self._event(part)
        known = [
            self.claims[number - 1] if number else self._event(inner)
            for number, inner in zip(operands, part[1:], strict=True)
        ]
        return self._rule(part[0], known)

    def _event(self, event: int) -> Known:
        itself = self.all & {event}
        return itself, self.all - itself

    def _rule(self, operator: str, known: Sequence[Known]) -> Known:
        a, b = known[0], known[-1]
        nothing, anything = (frozenset[int](), self.all), (self.all, frozenset[int]())
        if operator == "!":
            return a[::-1]
        if operator == "->":
            a, operator = a[::-1], "|"
        if operator in "&|":
            return _both(a, b) if operator == "&" else _both(a[::-1], b[::-1])[::-1]
        if operator == "X":
            return self._all_next(a[0]), self._all_next(a[1])
        if operator in "FU":
            return self._until(anything if operator == "F" else a, b)
        if operator == "M":
            return self._until(b, _both(a, b))
        # The rest are the opposites of an until of opposites.
        if operator == "W":
            a, b = b, _both(a[::-1], b[::-1])[::-1]
        return self._until((nothing if operator == "G" else a)[::-1], b[::-1])[::-1]

    def _all_next(self, events: Events) -> Events:
        return frozenset(event for event in self.all if self.after[event] <= events)

    def _until(self, a: Known, b: Known) -> Known:
        """Return where an until is bound to come true, and where it cannot.

        What stays when, again and again, events are taken away that could not be among them: it does not come
        true on some sequence that never leaves the one set; it cannot where no way leads to the other.
        """
        avoids = set(self.all - b[0])
        while gone := {
            event for event in avoids if event in a[0] and not self.after[event] & avoids
        }:
            avoids -= gone
        could = set(self.all - b[1])
        while more := {event for event in self.all - could - a[1] if self.after[event] & could}:
            could |= more
        return self.all - avoids, self.all - could

    def _is_so(self, events: Events, formula: Formula) -> bool:
        """Ask Spot about all sequences from some events at once: from one that stands before them."""
        start = self.problem["events"] + 1
        problem = {
            "events": start,
            "initial": start,
            "edges": [*self.problem["edges"], *([start, event] for event in sorted(events))],
            "formula": ["X", formula],
        }
        try:
            return spot.check(problem).holds
        except Abstained:  # too large a formula; then the rules alone have to do
            return True

    def conclude(self, last: int, lines: Lines) -> None:
        """Refuse a conclusion that does not follow."""
        initial = self.graph.initial
        if initial in self.claims[-1][0]:
            lines.take(
                rf"Every possible sequence begins with event{initial}, so C{last} holds on it: "
                r"the hypothesis is True\."
            )
        else:
            CasesReader(self.parts, self.claims, self.after).read(lines, initial)
            lines.take(rf"C{last} holds on every possible sequence: the hypothesis is True\.")
        lines.take("Answer: True")


def _both(a: Known, b: Known) -> Known:
    return a[0] & b[0], a[1] | b[1]
