"""Take over published LTLBench records, label included, checked against themselves.

A record says everything several times: in words (``question``), as a graph and a formula, and
as NuSMV code. `adopt` takes the problem from ``graph`` and ``formula``, refuses the record when
``code`` says something else, and notes it when the words do.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from harness import DatasetError, Item
from harness_ltlbench import reading
from harness_ltlbench.formula import (
    BINARY,
    MAX_EVENTS,
    MAX_OPERATORS,
    UNARY,
    Formula,
    FormulaError,
    validate,
)
from harness_ltlbench.published import nusmv

FORMAT = "ltlbench_csv"
MAX_TEXT = 1_000_000

_CHARACTERISTIC = ("code", "formula", "question")
_NEEDED = ("question", "code", "formula", "answer", "graph")


def adopt(record: Mapping[str, Any], form: str = "") -> Item | None:
    """Return the item of one published record (columns by name), its prompt and label kept.

    Args:
        record: the columns; those that are not of the format are left alone.
        form: the format that the record is said to have, empty to go by its columns.

    ``index`` stays 0: the caller knows the row. ``notes["findings"]`` lists how the words of the
    question differ from the formal problem, and is absent when they agree; ``notes["label"]`` is
    the answer as published where it has white space around it.

    Returns:
        None when the format is not ours, or unsaid and no column is code, formula or question.

    Raises:
        DatasetError: the reason in one line, without the record's position.
    """
    if form not in ("", FORMAT):
        return None
    if not form and not any(name in record for name in _CHARACTERISTIC):
        return None
    columns = {name: _column(record, name) for name in _NEEDED}
    target = columns["answer"].strip()
    if target not in ("True", "False"):
        raise DatasetError(f"answer {target[:40]!r} is neither True nor False")
    problem, operators = _problem(columns)
    notes: dict[str, Any] = {
        "source_id": str(record.get("id", ""))[:200],
        "format": FORMAT,
    }
    if target != columns["answer"]:
        notes["label"] = columns["answer"][:200]
    stated = reading.read(columns["question"])
    if stated is None:
        findings = ["prompt cannot be read as a problem"]
    else:
        differ = [key for key in problem if stated[key] != problem[key]]
        findings = [f"prompt and formal problem differ: {key}" for key in differ]
    if findings:
        notes["findings"] = findings
    return Item(
        plugin="ltlbench",
        version="published",
        prompt=columns["question"],
        target=target,
        problem=problem,
        features={"events": problem["events"], "operators": operators},
        split="published",
        notes=notes,
    )


def _column(record: Mapping[str, Any], name: str) -> str:
    if name not in record:
        raise DatasetError(f"column '{name}' is missing")
    value = record[name]
    if not isinstance(value, str) or not value.strip():
        raise DatasetError(f"column '{name}' is empty or not text")
    if len(value) > MAX_TEXT:
        raise DatasetError(f"column '{name}' has more than {MAX_TEXT} characters")
    return value


def _problem(columns: Mapping[str, str]) -> tuple[dict[str, Any], int]:
    """Return the problem of graph and formula, on which the code must agree, and its operators."""
    events, edges = _graph(columns["graph"])
    formula = _formula(columns["formula"].strip())
    try:
        operators = validate(formula, events)
    except FormulaError as error:
        raise DatasetError(str(error)) from None
    code = nusmv.parse(columns["code"])
    if code["events"] != events:
        raise DatasetError(f"graph has {events} events, code has {code['events']}")
    if _steps(edges) != _steps(code["edges"]):
        raise DatasetError("graph and code have different transitions")
    if code["formula"] != formula:
        raise DatasetError("formula and LTLSPEC in code differ")
    problem = {
        "task": "decide",
        "events": events,
        "initial": code["initial"],
        "edges": edges,
        "formula": formula,
    }
    return problem, operators


def _steps(edges: list[list[int]]) -> list[list[int]]:
    """Return the edges without the loops that an event without followers has anyway."""
    branching = {source for source, target in edges if source != target}
    return [edge for edge in edges if edge[0] in branching]


_NAME = "event([1-9][0-9]{0,3})"
# Written out instead of parsed as XML: a document that declares entities never gets that far.
_GRAPHML = re.compile(
    r"\s*(?:<\?xml[^<>]*\?>\s*)?<graphml[^<>]*>\s*<graph [^<>]*>"
    r"(?P<body>.*)</graph>\s*</graphml>\s*",
    re.DOTALL,
)
_ELEMENT = re.compile(
    rf'\s*(?:<node id="{_NAME}" ?/>|<edge source="{_NAME}" target="{_NAME}" ?/>)\s*'
)


def _graph(text: str) -> tuple[int, list[list[int]]]:
    """Return the number of events and the sorted edges of a GraphML text."""
    if "<!" in text or "&" in text:
        raise DatasetError("graph has a declaration, comment or entity; none is taken")
    match = _GRAPHML.fullmatch(text)
    if match is None or 'edgedefault="directed"' not in text:
        raise DatasetError("graph is not directed GraphML of the published form")
    nodes, edges = _elements(match["body"].strip())
    events = len(nodes)
    if sorted(nodes) != list(range(1, events + 1)) or not 1 <= events <= MAX_EVENTS:
        raise DatasetError(f"graph has nodes other than event1 to event{events}")
    for edge in edges:
        if max(edge) > events:
            raise DatasetError(f"graph has an edge with the unknown event{max(edge)}")
    if len(set(edges)) != len(edges):
        raise DatasetError("graph has an edge twice")
    return events, [[source, target] for source, target in sorted(edges)]


def _elements(body: str) -> tuple[list[int], list[tuple[int, int]]]:
    nodes: list[int] = []
    edges: list[tuple[int, int]] = []
    position = 0
    while position < len(body):
        match = _ELEMENT.match(body, position)
        if match is None:
            raise DatasetError(f"graph has {body[position : position + 40]!r}")
        position = match.end()
        node, source, target = match.groups()
        if node:
            nodes.append(int(node))
        else:
            edges.append((int(source), int(target)))
    return nodes, edges


_TOKEN = re.compile(rf"[() ]|{_NAME}|->|[XFG!&|URWM]")


def _formula(text: str) -> Formula:
    """Read a fully parenthesised formula such as ``(event1 -> (G (F event2)))``.

    Raises:
        DatasetError: the text is no such formula; too long or too deep a one is none either.
    """
    tokens, position = [], 0
    while position < len(text):
        match = _TOKEN.match(text, position)
        if match is None:
            raise DatasetError(f"formula has {text[position : position + 20]!r}")
        position = match.end()
        if match[0] != " ":
            tokens.append(match[0])
            if len(tokens) > 5 * MAX_OPERATORS:
                raise DatasetError(f"formula has more than {MAX_OPERATORS} operators")
    formula, end = _subformula(tokens, 0)
    if end != len(tokens):
        raise DatasetError(f"formula goes on after its end with {tokens[end]!r}")
    return formula


def _subformula(tokens: list[str], start: int, depth: int = 0) -> tuple[Formula, int]:
    """Return the formula that begins at a token, and where the next one begins."""
    if depth > MAX_OPERATORS:
        raise DatasetError("formula is nested too deeply")
    first = _token(tokens, start)
    if first.startswith("event"):
        return int(first.removeprefix("event")), start + 1
    if first != "(":
        raise DatasetError(f"formula has {first!r} where an event or a parenthesis is due")
    operator = _token(tokens, start + 1)
    parts: list[Formula] = []
    if operator in UNARY:
        operand, end = _subformula(tokens, start + 2, depth + 1)
        parts = [operand]
    else:
        left, middle = _subformula(tokens, start + 1, depth + 1)
        operator = _token(tokens, middle)
        if operator not in BINARY:
            raise DatasetError(f"formula has {operator!r} where a binary operator is due")
        right, end = _subformula(tokens, middle + 1, depth + 1)
        parts = [left, right]
    if _token(tokens, end) != ")":
        raise DatasetError(f"formula has {_token(tokens, end)!r} where it should close")
    return [operator, *parts], end + 1


def _token(tokens: list[str], index: int) -> str:
    if index >= len(tokens):
        raise DatasetError("formula ends too early")
    return tokens[index]
