"""Write an item as a record of the published CSV; `harness_ltlbench.published.adopt` reads it back.

The two share no text: a slip in one is seen by the other, not undone.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from harness import Item
from harness_ltlbench.formula import text, walk
from harness_ltlbench.published import nusmv
from harness_ltlbench.published.adopt import FORMAT

_GRAPHML = "http://graphml.graphdrawing.org/xmlns"
_SCHEMA = "http://www.w3.org/2001/XMLSchema-instance"


def record_of(item: Item, form: str, record: Mapping[str, Any]) -> dict[str, Any] | None:
    """Return the columns of a published record that says this item, all of them text.

    With the ``record`` that the item was adopted from, all but a changed ``answer`` stays as it
    was. ``question`` is the item's own prompt; ``context`` and ``query`` are its parts under the
    headings of these names, empty where it has none.

    Returns:
        None when the format is another, or cannot say it: it knows no task but "decide", and
        no W or M.
    """
    operators = {node[0] for node in walk(item.problem["formula"]) if isinstance(node, list)}
    sayable = item.problem["task"] == "decide" and not operators & {"W", "M"}
    if form not in ("", FORMAT) or not sayable:
        return None
    if record:
        kept = str(record.get("answer", "")).strip() == item.target
        return dict(record) if kept else {**record, "answer": item.target}
    problem = {**item.problem, "edges": sorted(map(list, set(map(tuple, item.problem["edges"]))))}
    return {
        "id": str(item.notes.get("source_id") or item.id),
        "context": _section(item.prompt, "Context"),
        "query": _section(item.prompt, "Hypothesis"),
        "question": item.prompt,
        "code": nusmv.source(problem),
        "formula": text(problem["formula"]),
        "answer": item.target,
        "graph": _graph(problem),
    }


def _section(prompt: str, title: str) -> str:
    """Return the paragraph below a heading of a prompt."""
    _, heading, rest = prompt.partition(f"=== {title} ===\n\n")
    return rest.partition("\n\n")[0].strip() if heading else ""


def _graph(problem: Mapping[str, Any]) -> str:
    """Return the graph as GraphML: the events by number, then the edges."""
    nodes = [f'    <node id="event{event}" />' for event in range(1, problem["events"] + 1)]
    edges = [
        f'    <edge source="event{source}" target="event{target}" />'
        for source, target in problem["edges"]
    ]
    head = (
        f'<graphml xmlns="{_GRAPHML}" xmlns:xsi="{_SCHEMA}" '
        f'xsi:schemaLocation="{_GRAPHML} {_GRAPHML}/1.0/graphml.xsd">'
    )
    lines = [head, '  <graph edgedefault="directed">', *nodes, *edges, "  </graph>", "</graphml>"]
    return "\n".join(lines)
