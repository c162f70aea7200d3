"""The report of an audit as one HTML page: no network, and nothing of a record is ever more than text."""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from jinja2 import Environment, StrictUndefined
from markupsafe import Markup, escape

from harness.audit import template
from harness.audit.findings import GRAVE, KINDS, place

MOST = 5_000  # findings on the page
LONG = 4_000  # characters of a message or of evidence on the page
OPEN = 20  # evidence of the first so many wrong labels is open from the start
METRICS = 6  # columns of the table of constant answers
# The little Markdown that scorers write in their explanations; bounded and within a line.
MARKED = re.compile(r"`([^`\n]{1,300})`|(?<!\w)\*\*([^\s*][^*\n]{0,300})\*\*(?!\w)")


def lines(summary: Mapping[str, Any], findings: Iterable[Mapping[str, Any]]) -> Iterator[str]:
    """Yield the page in pieces; ``findings`` are at most `MOST`, and appear with the gravest kinds first."""
    environment = Environment(autoescape=True, undefined=StrictUndefined)
    head, body, row, foot = (
        environment.from_string(text)
        for text in (
            template.HEAD, template.SUMMARY, template.ROW, template.FOOT,
        )
    )  # fmt: skip
    # Our own text, and the page's policy lets nothing run that has not these digests.
    style, script = Markup(template.STYLE), Markup(template.SCRIPT)  # noqa: S704
    facts = _facts(summary)
    yield head.render(facts, style=style, style_hash=_hash(style), script_hash=_hash(script))
    yield body.render(facts)
    wrong = 0
    kinds = list(KINDS)
    for finding in sorted(map(_row, findings), key=lambda one: kinds.index(one["kind"])):
        wrong += finding["kind"] == "label"
        where = place(finding["where"], summary["dataset"])
        yield row.render(finding, where=where, open=finding["kind"] == "label" and wrong <= OPEN)
    yield foot.render(facts, script=script)


def _hash(text: str) -> str:
    digest = hashlib.sha256(text.encode()).digest()
    return f"sha256-{base64.b64encode(digest).decode()}"


def _facts(summary: Mapping[str, Any]) -> dict[str, Any]:
    constants = summary["constants"].values()
    metrics = list(dict.fromkeys(name for one in constants for name in one["metrics"]))
    return {
        **summary,
        "readings": _placed(summary["readings"], summary["dataset"]),
        "name": summary["dataset"] or f"fresh items of {summary['plugin']}",
        "most": MOST,
        "meaning": KINDS,
        "metrics": metrics[:METRICS],
        "cards": [
            ("records", summary["records"], ""),
            ("labels agree", summary["agree"], "good"),
            ("labels wrong", summary["wrong"], "bad"),
            ("undecided", summary["undecided"], "warn"),
            ("unscored", summary["unscored"], "warn"),
            ("unreadable records", summary["unreadable"], "bad"),
        ],
    }


def _placed(readings: Mapping[str, Any], dataset: str | None) -> dict[str, Any]:
    """Return the readings with the places of their examples shortened."""
    placed: dict[str, Any] = {}
    for question, one in readings.items():
        counts = {
            name: {**c, "against": [place(where, dataset) for where in c["against"]]}
            for name, c in one["readings"].items()
        }
        placed[question] = {**one, "readings": counts}
    return placed


def _row(finding: Mapping[str, Any]) -> dict[str, Any]:
    kind = finding["kind"]
    tone = "bad" if kind == "label" else "warn" if kind in GRAVE else "dim"
    return {
        "source_id": "",
        "weakness": "",
        **finding,
        "tone": tone,
        "message": _cut(finding["message"]),
        "evidence": _marked(_cut(finding.get("evidence", ""))),
    }


def _marked(text: str) -> Markup:
    """Return escaped text with ``**bold**`` and ```code``` as elements; nothing else is ever more than text."""

    def element(found: re.Match[str]) -> str:
        code, bold = found.groups()
        return f"<code>{code}</code>" if code is not None else f"<b>{bold}</b>"

    return Markup(MARKED.sub(element, str(escape(text))))  # noqa: S704 - what is not an element is escaped


def _cut(text: str) -> str:
    return (
        text
        if len(text) <= LONG
        else f"{text[:LONG]}… ({len(text) - LONG} characters more in audit.json)"
    )
