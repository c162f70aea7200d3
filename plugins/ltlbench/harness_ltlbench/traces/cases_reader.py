"""Read back the cases which show that no sequence violates a hypothesis.

A case leads to certain others if, whatever is true at the next moment, one of those holds there: truth values are
tried, as far as they matter, for the statements of time, and no tableau is built. A sequence cannot stay in some
cases if a statement that has to come true in them does so only where the sequence leaves them.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from harness_answers.trace_lines import Lines, WrongTraceError

from harness_ltlbench.traces.graph import EVENT, Part
from harness_ltlbench.traces.moment import Due, Moment

_SIGN = r"C[0-9]+ (?:holds|does not hold)"
_CASE = rf"Case ([0-9]+): ({EVENT}), where ({_SIGN}(?: and {_SIGN})*)\. Next: (.+)\."

Known = tuple[frozenset[int], frozenset[int]]


@dataclass(slots=True)
class _Case:
    event: int
    due: Due
    next: list[int] = field(default_factory=list)


class CasesReader:
    """The cases of a violation that a trace tells of, checked.

    Args:
        parts: what the statements say, with their operands.
        known: the events from which each is known to hold on every sequence, and on none.
        after: what can follow each event.
    """

    def __init__(
        self, parts: Sequence[Part], known: Sequence[Known], after: Mapping[int, frozenset[int]]
    ) -> None:
        self.parts, self.known, self.after = parts, known, after
        self.cases: list[_Case] = []
        self.operands = [self._inner(part) for part in parts]

    def _inner(self, part: Part) -> list[int]:
        """Return the operands of a statement: the first one that says so, or an event, negative."""
        formula, operands = part
        if not isinstance(formula, list):
            return []
        return [
            self._first(place) if place else -event
            for place, event in zip(operands, formula[1:], strict=True)
        ]

    def _first(self, number: int) -> int:
        """Return the first statement that says the same as one."""
        formulas = [part[0] for part in self.parts]
        return formulas.index(formulas[number - 1]) + 1

    def read(self, lines: Lines, initial: int) -> None:
        """Read all cases, and where no sequence can stay.

        Raises:
            WrongTraceError: what is wrong first.
        """
        last = len(self.parts)
        lines.take(
            rf"The rules do not decide it\. Suppose that C{last} does not hold on some sequence: then each of its "
            r"moments is one of these cases\."
        )
        self._take_cases(lines)
        first = self.cases[0] if self.cases else None
        if first is None or (first.event, first.due) != (initial, ((last, False),)):
            raise WrongTraceError(
                f"case 1 is not that C{last} does not hold from event{initial} on"
            )
        self._check_order()
        for number, case in enumerate(self.cases, 1):
            self._check_next(number, case)
        for knot in self._knots():
            self._take_knot(lines, knot)
        lines.take(r"So there is no such sequence\.")

    # the cases

    def _take_cases(self, lines: Lines) -> None:
        while line := lines.maybe(_CASE):
            if int(line[1]) != len(self.cases) + 1:
                raise lines.wrong("the cases are not counted one by one")
            due = tuple(
                (int(number), word == "holds")
                for number, word in re.findall(r"C([0-9]+) (holds|does not hold)", line[3])
            )
            numbers = [number for number, _ in due]
            if numbers != sorted(set(numbers)) or not 1 <= numbers[-1] <= len(self.parts):
                raise lines.wrong("its statements are not told in order, each once")
            if any(self._first(number) != number for number in numbers):
                raise lines.wrong("an earlier statement says the same")
            case = _Case(int(line[2][5:]), due)
            if line[4] != "nothing is possible":
                named = re.fullmatch(r"case [0-9]+(?: or case [0-9]+)*", line[4])
                case.next = [
                    int(number) for number in re.findall("[0-9]+", line[4] if named else "")
                ]
                if not case.next or case.next != sorted(set(case.next)):
                    raise lines.wrong("it is not said in order which cases come next")
            if (case.event, case.due) in [(other.event, other.due) for other in self.cases]:
                raise lines.wrong("the case came before")
            if case.event not in self.after:
                raise lines.wrong("the event cannot happen")
            self.cases.append(case)

    def _check_order(self) -> None:
        """Refuse cases that nothing leads to, or that are not counted as they are first named."""
        named = 1
        for number, case in enumerate(self.cases, 1):
            if number > named:
                raise WrongTraceError(f"nothing leads to case {number} before it is told of")
            fresh = [to for to in case.next if to > named]
            if fresh != list(range(named + 1, named + 1 + len(fresh))):
                raise WrongTraceError(f"case {number}: cases are counted as they are first named")
            named += len(fresh)
        if named != len(self.cases):
            raise WrongTraceError(f"case {named} is missing")

    def _check_next(self, number: int, case: _Case) -> None:
        to = [self.cases[place - 1] for place in case.next]
        for sign in case.due:
            rest, other = tuple(d for d in case.due if d != sign), [(sign[0], not sign[1])]
            moments = (Moment(self, case.event, then) for then in sorted(self.after[case.event]))
            if not any(moment.some(rest, (), (), other) for moment in moments):
                raise WrongTraceError(f"case {number}: C{sign[0]} follows from the rest")
        if any(other.event not in self.after[case.event] for other in to):
            raise WrongTraceError(f"case {number}: the event of a case that comes next cannot")
        for then in sorted(self.after[case.event]):
            dues = [other.due for other in to if other.event == then]
            moment = Moment(self, case.event, then)
            if moment.some(case.due, (), dues):
                raise WrongTraceError(
                    f"case {number}: with event{then} next another case is possible"
                )
            for due in dues:
                others = [other for other in dues if other != due]
                if not moment.some(case.due, due, others):
                    raise WrongTraceError(f"case {number}: a case that comes next is not needed")

    # where no sequence can stay

    def _knots(self) -> list[list[int]]:
        """Return the cases that lead back to themselves, those that lead to each other together."""
        count = len(self.cases)
        leads = [[False] * (count + 1) for _ in range(count + 1)]
        for number, case in enumerate(self.cases, 1):
            for to in case.next:
                leads[number][to] = True
        for by in range(1, count + 1):
            for start in range(1, count + 1):
                if leads[start][by]:
                    for end in range(1, count + 1):
                        leads[start][end] = leads[start][end] or leads[by][end]
        knots = {
            tuple(b for b in range(1, count + 1) if leads[a][b] and leads[b][a])
            for a in range(1, count + 1)
            if leads[a][a]
        }
        return [list(knot) for knot in sorted(knots)]

    def _take_knot(self, lines: Lines, knot: list[int]) -> None:
        line = lines.take(
            r"No sequence stays in (case [0-9]+(?: or case [0-9]+)*) forever: C([0-9]+) would have to "
            r"(come true|fail) there, and can only where it leaves\."
        )
        if line[1] != " or ".join(f"case {number}" for number in knot):
            raise lines.wrong("those are not the next cases that lead to each other")
        number, holds = int(line[2]), line[3] == "come true"
        if not 1 <= number <= len(self.parts):
            raise lines.wrong("there is no such statement")
        comes = self._comes(number, holds)
        if comes is None:
            raise lines.wrong("the statement may be put off forever")
        for place in knot:
            case = self.cases[place - 1]
            if (number, holds) not in case.due:
                raise lines.wrong(f"it is not what case {place} says")
            out = [self.cases[to - 1] for to in case.next if to not in knot]
            for then in sorted(self.after[case.event]):
                dues = [other.due for other in out if other.event == then]
                if Moment(self, case.event, then).some(case.due, (), dues, comes):
                    raise lines.wrong(f"in case {place} it may come about without leaving")

    def _comes(self, number: int, holds: bool) -> list[tuple[int, bool]] | None:
        """Return what has to be the case at some moment if a statement is due: operands with their values."""
        formula, inner = self.parts[number - 1][0], self.operands[number - 1]
        if not isinstance(formula, list):
            return None
        wanted = {
            ("F", True): [(0, True)], ("G", False): [(0, False)], ("U", True): [(1, True)],
            ("R", False): [(1, False)], ("M", True): [(0, True), (1, True)],
            ("W", False): [(0, False), (1, False)],
        }.get((formula[0], holds))  # fmt: skip
        return wanted and [(inner[place], value) for place, value in wanted]
