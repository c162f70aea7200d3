"""The report of an audit as one HTML page: no network, and nothing of a record is ever more than text."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from harness_pages import asset, digest, style, templates
from markupsafe import Markup, escape

from harness.audit.findings import GRAVE, KINDS, item_place, place

MOST = 5_000  # findings on the page
LONG = 4_000  # characters of a message or of evidence on the page
OPEN = 20  # evidence of the first so many wrong labels is open from the start
METRICS = 6  # columns of the table of constant answers
WEAK_TABLES = {  # title and levels
    "Items that do not measure what they claim": ("grave",),
    "Weak by design, and notes": ("by_design", "note"),
}
# The little Markdown that scorers write in their explanations; bounded and within a line.
MARKED = re.compile(r"`([^`\n]{1,300})`|(?<!\w)\*\*([^\s*][^*\n]{0,300})\*\*(?!\w)")


def lines(summary: Mapping[str, Any], findings: Iterable[Mapping[str, Any]]) -> Iterator[str]:
    """Yield the page in pieces; ``findings`` are at most `MOST`, and appear with the gravest kinds first."""
    kinds = list(KINDS)
    gravest = sorted(findings, key=lambda finding: kinds.index(finding["kind"]))
    script, look = asset(__package__, "page.js"), style(__package__, "page.css")
    page = templates(__package__).get_template("page.html.j2")
    yield from page.generate(
        _facts(summary), findings=_rows(gravest), place=place, item_place=item_place,
        style=look, script=script, style_digest=digest(look), script_digest=digest(script),
    )  # fmt: skip


def _facts(summary: Mapping[str, Any]) -> dict[str, Any]:
    constants = summary["constants"].values()
    metrics = list(dict.fromkeys(name for scores in constants for name in scores["metrics"]))
    return {
        **summary,
        "name": summary["dataset"] or f"fresh items of {summary['plugin']}",
        "most": MOST,
        "meaning": KINDS,
        "metrics": metrics[:METRICS],
        "weak_tables": {
            title: {k: w for k, w in summary["weaknesses"].items() if w["level"] in levels}
            for title, levels in WEAK_TABLES.items()
        },
        "reason_tables": {
            "What contradicts wrong labels": summary["wrong_by"],
            "Why labels are undecided": summary["undecided_reasons"],
            "Records that could not be understood": summary["unreadable_reasons"],
            "Records that were declined": summary["declined_reasons"],
        },
        "cards": [
            ("records", summary["records"], ""),
            ("labels agree", summary["agree"], "good"),
            ("labels wrong", summary["wrong"], "bad"),
            ("undecided", summary["undecided"], "warn"),
            ("unscored", summary["unscored"], "warn"),
            ("unreadable records", summary["unreadable"], "bad"),
            ("declined records", summary["declined"], ""),
        ],
    }


def _rows(findings: Iterable[Mapping[str, Any]]) -> Iterator[dict[str, Any]]:
    """Yield what the page shows of each finding; the evidence of the first wrong labels is open."""
    wrong = 0
    for finding in findings:
        kind = finding["kind"]
        wrong += kind == "label"
        yield {
            "source_id": "",
            "weakness": "",
            **finding,
            "tone": "bad" if kind == "label" else "warn" if kind in GRAVE else "dim",
            "message": _cut(finding["message"]),
            "evidence": _marked(_cut(finding.get("evidence", ""))),
            "open": kind == "label" and wrong <= OPEN,
        }


def _marked(text: str) -> Markup:
    """Return escaped text with ``**bold**`` and ```code``` as elements; nothing else is ever more than text."""

    def element(match: re.Match[str]) -> str:
        code, bold = match.groups()
        return f"<code>{code}</code>" if code is not None else f"<b>{bold}</b>"

    return Markup(MARKED.sub(element, str(escape(text))))  # noqa: S704 - what is not an element is escaped


def _cut(text: str) -> str:
    more = len(text) - LONG
    return f"{text[:LONG]}… ({more} characters more in audit.json)" if more > 0 else text
