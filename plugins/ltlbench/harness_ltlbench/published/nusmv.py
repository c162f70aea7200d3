"""NuSMV text of a problem: `source` writes it, `parse` reads the ``code`` column as published.

Transitions have the *set* reading of the published labels: the next state may be any member of
the set that the arm of the current event names. The listing in the paper has one arm for each
edge instead; there NuSMV takes the first arm that matches, which is another problem, so `parse`
refuses two arms for one event.

`parse` shares nothing with `source`; it takes formulas with all their parentheses, as published.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from harness import DatasetError
from harness_ltlbench.formula import MAX_EVENTS, MAX_OPERATORS, Formula, FormulaError, validate

MAX_TEXT = 1_000_000


def source(problem: Mapping[str, Any]) -> str:
    """Return a NuSMV module with one LTLSPEC; NuSMV's verdict on it is the problem's label.

    An event without followers follows itself. NuSMV knows neither W nor M: they are written
    with V (its name for R) and U, see `_term`.
    """
    followers: dict[int, list[str]] = {k: [] for k in range(1, problem["events"] + 1)}
    for start, end in problem["edges"]:
        followers[start].append(f"event{end}")
    arms = []
    for event, names in followers.items():
        choice = names[0] if len(names) == 1 else f"{{{', '.join(names)}}}"
        arms.append(f"        state = event{event} : {choice if names else f'event{event}'};")
    return "\n".join(
        [
            "MODULE main",
            "VAR",
            f"    state : {{{', '.join(f'event{k}' for k in followers)}}};",
            "ASSIGN",
            f"    init(state) := event{problem['initial']};",
            "    next(state) := case",
            *arms,
            "    esac;",
            f"LTLSPEC {_term(problem['formula'])}",
            "",
        ]
    )


def _term(formula: Formula) -> str:
    """Write a formula with all its parentheses, as deep as the formula itself.

    W and M repeat one operand. Each can be written so that either of the two is the repeated
    one; repeating the shorter keeps nested ones from doubling in length at every level.
    """
    if isinstance(formula, int):
        return f"(state=event{formula})"
    operator, *operands = formula
    texts = [_term(part) for part in operands]
    if len(texts) == 1:
        return f"({operator} {texts[0]})"
    a, b = texts
    if operator == "W":
        return f"({b} V ({a} | {b}))" if len(b) <= len(a) else f"(({a} U {b}) | (G {a}))"
    if operator == "M":
        return f"({b} U ({a} & {b}))" if len(b) <= len(a) else f"(({a} V {b}) & (F {a}))"
    return f"({a} {'V' if operator == 'R' else operator} {b})"


_EVENT = "event[1-9][0-9]{0,3}"
# Matched on text whose white space is single spaces, so that no two parts compete for it.
_MODULE = re.compile(
    r"MODULE main VAR state : \{(?P<states>[^{}]*)\};"
    rf" ASSIGN init\(state\) := (?P<initial>{_EVENT});"
    r" next\(state\) := case (?P<arms>[^()]*) esac;"
    r" LTLSPEC (?P<formula>.+)"
)
_ARM = re.compile(rf"state = ({_EVENT}) : (?:({_EVENT})|\{{([^{{}}]*)\}})")
_TOKEN = re.compile("(?:[()]|state ?= ?event(?P<event>[1-9][0-9]{0,3})|->|[XFGUV!&|]) ?")


def parse(text: str) -> dict[str, Any]:
    """Return the problem (task "decide") that NuSMV code states; linear time.

    An arm that leads from an event to itself alone is read as an event without followers:
    in NuSMV the two are one. V is read as R.

    Raises:
        DatasetError: the reason, when the text is anything but such a module.
    """
    if len(text) > MAX_TEXT:
        raise DatasetError(f"code has more than {MAX_TEXT} characters")
    match = _MODULE.fullmatch(" ".join(text.split()))
    if match is None:
        raise DatasetError("code is not a NuSMV module of the published form")
    states = _events(match["states"])
    events = len(states)
    if sorted(states) != list(range(1, events + 1)) or events > MAX_EVENTS:
        raise DatasetError(f"code declares states other than event1 to event{events}")
    (initial,) = _events(match["initial"])
    if initial > events:
        raise DatasetError(f"code starts with the unknown event{initial}")
    edges = _edges(match["arms"], events)
    formula = _formula(match["formula"])
    try:
        validate(formula, events)
    except FormulaError as error:
        raise DatasetError(f"LTLSPEC in code: {error}") from None
    return {
        "task": "decide",
        "events": events,
        "initial": initial,
        "edges": edges,
        "formula": formula,
    }


def _events(listed: str) -> list[int]:
    """Return the numbers in a list of events, refusing anything else and repetitions."""
    names = [name.strip() for name in listed.split(",")]
    for name in names:
        if not re.fullmatch(_EVENT, name):
            raise DatasetError(f"code has {name[:40]!r} where an event is due")
    if len(set(names)) != len(names):
        raise DatasetError("code names an event twice in one list")
    return [int(name.removeprefix("event")) for name in names]


def _edges(arms: str, events: int) -> list[list[int]]:
    """Return the edges, sorted; every event needs exactly one arm."""
    followers: dict[int, list[int]] = {}
    *pieces, rest = arms.split(";")
    if rest.strip():
        raise DatasetError("code has a case arm without its semicolon")
    for piece in pieces:
        match = _ARM.fullmatch(piece.strip())
        if match is None:
            raise DatasetError(f"code has the case arm {piece.strip()[:40]!r}")
        (event,) = _events(match[1])
        if event in followers:
            raise DatasetError(f"code has two case arms for event{event}; NuSMV takes the first")
        followers[event] = sorted(_events(match[2] or match[3]))
    if sorted(followers) != list(range(1, events + 1)):
        raise DatasetError("code lacks a case arm for an event, or has one too many")
    for event, targets in followers.items():
        if targets[-1] > events:
            raise DatasetError(f"code leads from event{event} to the unknown event{targets[-1]}")
    return [[s, t] for s in sorted(followers) for t in followers[s] if followers[s] != [s]]


def _formula(text: str) -> Formula:
    """Read a formula: at each closing parenthesis, what stands inside becomes one formula."""
    groups: list[list[Any]] = [[]]
    for symbol in _tokens(text):
        if symbol == "(":
            groups.append([])
        elif symbol == ")":
            if len(groups) == 1:
                raise DatasetError("LTLSPEC in code has a parenthesis too many")
            node = _reduce(groups.pop())
            groups[-1].append(node)
        else:
            groups[-1].append(symbol)
    if len(groups) > 1:
        raise DatasetError("LTLSPEC in code lacks a closing parenthesis")
    return _reduce(groups[0])


def _tokens(text: str) -> Iterator[str | int]:
    """Yield parentheses and operators as they stand, ``state=event3`` as 3."""
    position = count = 0
    while position < len(text):
        match = _TOKEN.match(text, position)
        if match is None:
            raise DatasetError(f"LTLSPEC in code has {text[position : position + 20]!r}")
        position = match.end()
        count += 1
        # Two parentheses for each operator and event, one operator or event between them.
        if count > 6 * (MAX_OPERATORS + 1):
            raise DatasetError(f"LTLSPEC in code has more than {MAX_OPERATORS} operators")
        yield int(match["event"]) if match["event"] else match[0].rstrip()


def _reduce(group: list[Any]) -> Formula:
    """Return the formula of what stood between two parentheses."""
    match group:
        case [int() | list() as inner]:
            return inner
        case ["X" | "F" | "G" | "!" as word, int() | list() as inner]:
            return [word, inner]
        case [int() | list() as a, "&" | "|" | "->" | "U" | "V" as word, int() | list() as b]:
            return ["R" if word == "V" else word, a, b]
    raise DatasetError("LTLSPEC in code has a group that is not one operator with its operands")
