"""Read back the cases which show that no sequence violates a hypothesis.

A case leads to certain others if, whatever is true at the next moment, one of those holds there: truth values are
tried, as far as they matter, for the statements of time, and no tableau is built. A sequence cannot stay in some
cases if a statement that has to come true in them does so only where the sequence leaves them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from harness_answers.trace_lines import Lines, WrongTraceError

from harness_ltlbench.traces.graph import EVENT, Part

_SIGN = r"C[0-9]+ (?:holds|does not hold)"
_CASE = rf"Case ([0-9]+): ({EVENT}), where ({_SIGN}(?: and {_SIGN})*)\. Next: (.+)\."

Known = tuple[frozenset[int], frozenset[int]]
Due = tuple[tuple[int, bool], ...]
"""Statements by number, in ascending order, each with whether it holds."""

_Value = bool | tuple[int, ...]
"""True, false, or open: the statement whose value at the next moment it hangs on."""
_Ask = Callable[[int], _Value]
_BOOLEAN = ("!", "&", "|", "->")


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


class Moment:
    """An event and the one that follows; what is true at the next moment is tried as far as it matters."""

    def __init__(self, whole: CasesReader, event: int, then: int) -> None:
        self.whole, self.event, self.then = whole, event, then
        self.tried: dict[int, bool] = {}

    def some(
        self,
        due: Due,
        later: Due,
        excluded: Sequence[Due],
        also: Iterable[tuple[int, bool]] = (),
    ) -> bool:
        """Return whether truth values meet what is due now and later, and none of what is excluded later.

        ``also`` are operands that have to have a value now.
        """
        open_: int | None = None
        wanted = [self._now(number, value) for number, value in (*due, *also)]
        wanted += [self._next(number, value) for number, value in later]
        for met in wanted:
            if met is False:
                return False
            if not isinstance(met, bool):
                open_ = open_ or met[0]
        for signs in excluded:
            values = [self._next(number, value) for number, value in signs]
            if all(value is True for value in values):
                return False
            if not any(value is False for value in values):
                open_ = open_ or next(v[0] for v in values if not isinstance(v, bool))
        if open_ is None:
            return True
        for value in (True, False):
            self.tried[open_] = value
            if self.some(due, later, excluded, also):
                del self.tried[open_]
                return True
        del self.tried[open_]
        return False

    def _known(self, event: int, number: int) -> bool | None:
        if number < 0:
            return event == -number
        always, never = self.whole.known[number - 1]
        return True if event in always else False if event in never else None

    def _next(self, number: int, wanted: bool = True) -> _Value:
        """Return whether an operand has a value at the next moment; if that is open, what it hangs on."""
        known = self._known(self.then, number)
        if known is None:
            operator = self._operator(number)
            if operator in _BOOLEAN:
                return _signed(self._boolean(operator, number, self._next), wanted)
            if number not in self.tried:
                return (number,)
            known = self.tried[number]
        return known is wanted

    def _now(self, number: int, wanted: bool = True) -> _Value:
        """Return whether an operand has a value now; if that is open, what it hangs on."""
        known = self._known(self.event, number)
        if known is not None:
            return known is wanted
        operator = self._operator(number)
        if operator in _BOOLEAN:
            return _signed(self._boolean(operator, number, self._now), wanted)
        operands = self._operands(number)
        if operator == "X":
            return self._next(operands[0], wanted)
        on = self._next(number)
        a, b = self._now(operands[0]), self._now(operands[-1])
        if operator in "FG":
            value = _or(a, on) if operator == "F" else _and(a, on)
        elif operator in "UW":
            value = _or(b, _and(a, on))
        else:
            value = _and(b, _or(a, on))
        return _signed(value, wanted)

    def _boolean(self, operator: str, number: int, value: _Ask) -> _Value:
        operands = self._operands(number)
        a, b = value(operands[0]), value(operands[-1])
        if operator == "!":
            return _signed(a, False)
        if operator == "&":
            return _and(a, b)
        return _or(_signed(a, False) if operator == "->" else a, b)

    def _operator(self, number: int) -> str:
        formula = self.whole.parts[number - 1][0]
        assert isinstance(formula, list)  # a single event is always known
        return str(formula[0])

    def _operands(self, number: int) -> list[int]:
        return self.whole.operands[number - 1]


def _signed(value: _Value, wanted: bool) -> _Value:
    return value is wanted if isinstance(value, bool) else value


def _and(a: _Value, b: _Value) -> _Value:
    if a is False or b is False:
        return False
    return b if a is True else a


def _or(a: _Value, b: _Value) -> _Value:
    if a is True or b is True:
        return True
    return b if a is False else a
