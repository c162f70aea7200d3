"""An item as a drawing: the graph of events with the certificate's path, and what holds along that path."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from harness_svg.drawing import Drawing
from harness_svg.graph import MOST_NODES, Edge, Graph, Node, fitting, spans
from harness_svg.text import shortened, wrapped

from harness import Item
from harness_ltlbench import contrast
from harness_ltlbench.engines import closure, lasso
from harness_ltlbench.formula import Formula, path_text, text

WIDTH, MARGIN = 880.0, 16.0  # units
ROOM, SMALL_ROOM = 100, 117  # columns of a line of text of size 14, of size 12
ROWS, MOMENTS = 24, 16  # statements and moments of a path that are drawn
LONGEST_JUDGED = 64  # moments of a path beyond which no truth values are drawn
NAMED = 12  # numbers of events up to which circles have their whole names
_LEFT, _CELL, _NARROW, _ROW = 240.0, 60.0, 38.0, 23.0  # units: names of the rows, cells


@dataclass(frozen=True, slots=True)
class _Path:
    """The path of a certificate: the violation of a label False, or the witness of a label True."""

    prefix: list[int]
    cycle: list[int]
    holds: bool

    @property
    def events(self) -> list[int]:
        return [*self.prefix, *self.cycle]

    def steps(self) -> dict[tuple[int, int], list[int]]:
        """Return the moments, counted from 1, after which each step is taken; the last goes back."""
        moments: dict[tuple[int, int], list[int]] = {}
        for moment, step in enumerate(pairwise([*self.events, self.cycle[0]]), 1):
            moments.setdefault(step, []).append(moment)
        return moments


def svg(item: Item) -> str:
    """Return an item as SVG; without a certificate, as published ones are, the graph and the hypothesis."""
    problem = item.problem
    path = _path(item)
    nodes, edges = _graph(problem, path)
    graph = Graph(nodes, edges, initial=f"event{problem['initial']}", widest=WIDTH - 2 * MARGIN)
    formula = text(problem["formula"])
    formula = formula[1:-1] if formula.startswith("(") else formula
    hypothesis = wrapped(f"Hypothesis: {formula}", ROOM, 3)
    count = len(hypothesis)
    head = [*hypothesis, *wrapped(_caption(item, path, len(nodes)), ROOM, 3)]
    remarks = _remarks(item, nodes, edges, path)
    below = [line for words in remarks for line in wrapped(words, SMALL_ROOM, 2)]
    rows = _rows(problem["formula"], path) if path else []
    table = 74 + len(rows) * _ROW if path else 0
    height = MARGIN * 2 + len(head) * 19 + graph.height + len(below) * 17 + 14 + table
    drawing = Drawing(WIDTH, height, _title(item, path))
    y = MARGIN + 12
    for number, line in enumerate(head):
        drawing.text(MARGIN, y, line, "ink mono" if number < count else "ink", bold=number < count)
        y += 19
    graph.draw(drawing, max((WIDTH - graph.width) / 2, MARGIN), y - 8)
    y += graph.height + 8
    for line in below:
        drawing.text(MARGIN, y, line, "faint", size=12)
        y += 17
    if path:
        _table(drawing, y, path, rows)
    return drawing.svg()


def _path(item: Item) -> _Path | None:
    """Return the certificate's path, or None without one that is a path of the graph."""
    certificate = item.certificate if isinstance(item.certificate, dict) else {}
    for name in ("violation", "witness"):
        path = certificate.get(name)
        if path is not None and lasso.path_errors(item.problem, path) is None:
            return _Path(path["prefix"], path["cycle"], name == "witness")
    return None


def _title(item: Item, path: _Path | None) -> str:
    """Say in words what the drawing shows."""
    events = item.problem["events"]
    graph = f"Event graph with {events} event{'s' * (events != 1)}"
    if path is None:
        return f"{graph}, which begins with event{item.problem['initial']}"
    way = ", then ".join(f"event{event}" for event in path.events[:MOMENTS])
    if len(path.events) > MOMENTS:
        way += " and more"
    ends = " for ever" if len(path.cycle) == 1 else f", the last {len(path.cycle)} of them for ever"
    label = "holds, for example" if path.holds else "fails"
    return f"{graph}; the hypothesis {label} on {way}{ends}"


def _caption(item: Item, path: _Path | None, shown: int) -> str:
    events = item.problem["events"]
    part = f" {shown} of {events} events are shown." if shown < events else ""
    if path is None:
        return f"Label: {item.target}. There is no certificate to draw.{part}"
    if path.holds:
        return f"Label: True. Witness (green): one path of the graph; the hypothesis holds on it, as on all.{part}"
    return (
        f"Label: False. Violation (red): a path of the graph on which the hypothesis fails.{part}"
    )


def _remarks(
    item: Item, nodes: Sequence[Node], edges: Sequence[Edge], path: _Path | None
) -> Iterator[str]:  # fmt: skip
    """Say what the graph's signs mean, where they occur, and what the contrast is."""
    signs, problem = [], item.problem
    if path:
        signs.append("numbers: the moments after which a step is taken")
        if path.prefix:
            signs.append("dashed: taken once")
    if any(edge.style.endswith("stay") for edge in edges):
        signs.append("dotted: nothing else can follow, so the event repeats")
    if len(nodes) and nodes[0].label != nodes[0].name:
        signs.append("circles: events by number")
    total = len({tuple(edge) for edge in problem["edges"]})
    known = {(int(source), int(target)) for source, target in problem["edges"]}
    drawn = sum((_number(edge.source), _number(edge.target)) in known for edge in edges)
    if drawn < total:
        signs.append(f"{drawn} of {total} edges are shown")
    if signs:
        yield f"{'; '.join(signs)}.".capitalize()
    other = item.certificate.get("contrast") if path else None
    if path and other is not None and contrast.errors(problem, path.holds, other) is None:
        words = shortened(path_text(other), 60)
        yield f"Contrast: another graph, with the path {words}, would give the other label."


def _number(name: str) -> int:
    return int(name.removeprefix("event"))


def _graph(problem: Mapping[str, Any], path: _Path | None) -> tuple[list[Node], list[Edge]]:
    """Return what to draw of the graph: all of it if it is small, else what the path meets."""
    following: dict[int, list[int]] = {}
    edges = sorted({(source, target) for source, target in problem["edges"]})
    for source, target in edges:
        following.setdefault(source, []).append(target)
    met = list(dict.fromkeys(path.events if path else [problem["initial"]]))
    taken = path.steps() if path else {}
    near = list(dict.fromkeys([*met, *(t for event in met for t in following.get(event, []))]))
    choices = (
        (range(1, problem["events"] + 1), None),
        (closure.Graph({"edges": edges}, [problem["initial"]]).after, None),
        (near, set(met)),
        (met, None),
        (met, set[int]()),
    )

    def graphs() -> Iterator[tuple[list[Node], list[Edge]]]:
        for events, sources in choices:
            if sources is None and events is not met and len(events) > MOST_NODES:
                continue
            chosen = list(events)
            yield _nodes(chosen, path), _edges(chosen, sources, following, taken, path)

    return fitting(graphs())


def _nodes(events: Sequence[int], path: _Path | None) -> list[Node]:
    style = "plain" if path is None else "right" if path.holds else "marked"
    on = set(path.events) if path else set()
    return [
        Node(
            f"event{event}",
            f"event{event}" if len(events) <= NAMED else str(event),
            style if event in on else "plain",
        )
        for event in events
    ]


def _edges(
    events: Sequence[int], sources: set[int] | None, following: Mapping[int, list[int]],
    taken: Mapping[tuple[int, int], list[int]], path: _Path | None,
) -> list[Edge]:  # fmt: skip
    """Return the steps between some events, those of the path first; ``sources``: only after these events."""
    known = set(events)
    steps = [
        _taken(step, moments, path, step[0] not in following)
        for step, moments in taken.items()
        if path and known.issuperset(step)
    ]
    for event in events:
        stays = event not in following
        if sources is not None and event not in sources and not stays:
            continue
        for target in following.get(event, [event]):
            if target in known and (event, target) not in taken:
                style = "line stay" if stays else "line"
                steps.append(Edge(f"event{event}", f"event{target}", style=style))
    return steps


def _taken(step: tuple[int, int], moments: Sequence[int], path: _Path, stays: bool) -> Edge:
    line, head, pill, ink = (
        ("good-line", "head-good", "right", "good")
        if path.holds
        else ("strong", "head-strong", "marked", "accent")
    )
    once = " once" if max(moments) <= len(path.prefix) else ""
    return Edge(
        f"event{step[0]}", f"event{step[1]}", badge=spans(moments), style=f"{line}{' stay' if stays else once}",
        head=head, pill=pill, ink=ink, weight=3,
    )  # fmt: skip


def _rows(formula: Formula, path: _Path) -> list[tuple[str, Formula]]:
    """Return the hypothesis' statements as our prompts number them, each with its words; the whole one last."""
    if len(path.events) > LONGEST_JUDGED:
        return []
    if isinstance(formula, int):
        return [(f"C1: event{formula}", formula)]
    rows: list[tuple[str, Formula]] = []

    def state(part: Formula) -> str:
        if isinstance(part, int):
            return f"event{part}"
        names = [state(child) for child in part[1:]]
        words = f"{part[0]} {names[0]}" if len(names) == 1 else f" {part[0]} ".join(names)
        rows.append((f"C{len(rows) + 1}: {words}", part))
        return f"C{len(rows)}"

    state(formula)
    return rows[-ROWS:]


def _table(drawing: Drawing, y: float, path: _Path, rows: Sequence[tuple[str, Formula]]) -> None:
    """Draw the path moment by moment and, under it, where each part of the hypothesis holds."""
    shown = len(path.events[:MOMENTS])
    cell = _CELL if shown * _CELL <= WIDTH - 2 * MARGIN - _LEFT else _NARROW
    left = max(MARGIN + _LEFT, (WIDTH - shown * cell) / 2)
    more = len(path.events) - shown
    words = f"moment ({more} more follow)" if more else "moment"
    drawing.text(left - 12, y + 14, words, "faint", "end", 12)
    drawing.text(left - 12, y + 38, "event", "faint", "end", 12)
    for moment, event in enumerate(path.events[:MOMENTS]):
        middle = left + (moment + 0.5) * cell
        drawing.text(middle, y + 14, str(moment + 1), "faint", "middle", 12)
        once = moment < len(path.prefix)
        style = "plain" if once else "right" if path.holds else "marked"
        drawing.rect(middle - cell / 2 + 4, y + 22, cell - 8, 24, style, 6)
        drawing.data(moment=moment + 1, event=event)
        drawing.text(
            middle, y + 38, f"event{event}" if cell == _CELL else str(event), "ink", "middle", 11
        )
    if not more:
        _back(drawing, left, y + 49, cell, len(path.prefix), shown)
    for number, row in enumerate(rows):
        _row(drawing, (left, y + 62 + number * _ROW), cell, path, row, number == len(rows) - 1)


def _back(drawing: Drawing, left: float, y: float, cell: float, loop: int, shown: int) -> None:
    """Draw the way back from the last moment to the first one of the cycle."""
    start, end = left + (loop + 0.5) * cell, left + (shown - 0.5) * cell
    if loop == shown - 1:
        start, end = start - 9, end + 9
    drawing.path(f"M{end:g} {y - 3:g}V{y + 6:g}H{start:g}V{y + 3:g}", "line")
    drawing.polygon([(start, y - 4), (start - 4, y + 4), (start + 4, y + 4)])


def _row(
    drawing: Drawing, corner: tuple[float, float], cell: float, path: _Path, row: tuple[str, Formula], whole: bool
) -> None:  # fmt: skip
    (words, part), (left, y) = row, corner
    drawing.text(left - 12, y + 16, words, "ink mono", "end", 12, whole)
    truth = lasso.positions(part, path.prefix, path.cycle)
    for moment, true in enumerate(truth[:MOMENTS]):
        value = "true" if true else "false"
        at = left + moment * cell + 4
        drawing.rect(at, y + 1.5, cell - 8, _ROW - 3, "right" if true else "quiet", 4)
        drawing.data(statement=words.partition(":")[0], moment=moment + 1, value=value)
        judged = whole and moment == 0
        style = ("good" if path.holds else "accent") if judged else "good" if true else "faint"
        drawing.text(at + cell / 2 - 4, y + 15.5, value, style, "middle", 11, judged)
