"""How an audit reads in a terminal."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from harness.audit.findings import KINDS, item_place
from harness.cli.tables import grid, paragraph
from harness.core.facts import printable

FINDINGS = 20  # shown if verbose
FEW = 4  # shown else
BEST = 3  # shortcuts shown else
WIDE = 300  # characters of a finding


def text(audit: Mapping[str, Any], verbose: bool = False) -> str:
    """Return counts, engines, readings, baselines, and the first findings; nothing in it steers a terminal."""
    audit = {**_harmless({**audit, "findings": []}), "findings": audit["findings"]}
    parts = [
        _head(audit),
        _engines(audit, verbose),
        *_readings(audit),
        _labels(audit),
        _constants(audit),
        _shortcuts(audit, verbose),
        *_weaknesses(audit, verbose),
        *_reasons(audit),
        *_findings(audit, verbose),
        *_files(audit),
    ]
    return "\n\n".join(filter(None, parts))


def _harmless(value: Any) -> Any:
    """Return JSON data with all text in it, which may be a dataset's, as printable lines."""
    if isinstance(value, str):
        return printable(value, len(value))
    if isinstance(value, Mapping):
        return {_harmless(key): _harmless(part) for key, part in value.items()}
    return [_harmless(part) for part in value] if isinstance(value, list | tuple) else value


def _head(audit: Mapping[str, Any]) -> str:
    by = "; ".join(f"{count} by {source}" for source, count in audit["wrong_by"].items())
    lines = [
        f"{audit['plugin']}: {audit['items']} items, labels: {audit['agree']} agree, "
        f"{audit['wrong']} wrong{f' ({by})' if by else ''}, "
        f"{audit['undecided']} undecided, {audit['unscored']} unscored; unreadable records: {audit['unreadable']}"
        + (f"; declined records: {audit['declined']}" if audit["declined"] else "")
    ]
    prompts, twice = audit["prompts"], audit["duplicates"]
    lines.append(
        f"prompts: {prompts['same']} state the formal problem, {prompts['other']} another one, "
        f"{prompts['nothing'] + prompts['failed']} cannot be read back"
    )
    if audit["proofs"]:
        told = ", ".join(f"{count} {outcome}" for outcome, count in audit["proofs"].items())
        lines.append(f"labels by their complete certificates: {told}")
    lines.append(
        f"duplicates: {twice['problem']} by problem, {twice['prompt']} by prompt, "
        f"{twice['contradicting']} of them with another label"
    )
    return "\n".join(map(paragraph, lines))


def _engines(audit: Mapping[str, Any], verbose: bool) -> str:
    """Return a table of what engines say; only their names where all agree with every label, unless ``verbose``."""
    agreed = [counts["agree"] == audit["items"] > 0 for counts in audit["engines"].values()]
    if agreed and all(agreed) and not verbose:
        return paragraph(f"engines: {', '.join(audit['engines'])} (each agrees with every label)")
    rows = [["engine", "agree", "contradict", "abstain", "fail", "unscored"]]
    rows += [[name, *(str(c[k]) for k in rows[0][1:])] for name, c in audit["engines"].items()]
    return grid(rows)


def _readings(audit: Mapping[str, Any]) -> Iterator[str]:
    for question, results in audit["readings"].items():
        rows = [[question, "agree", "contradict"]]
        for name, counts in results["readings"].items():
            rows.append([name, str(counts["agree"]), str(counts["contradict"])])
        best = "" if results["follows"] in results["readings"] else " under the best"
        share = results["share"]
        held = "" if share is None else f" ({share:.1%} of labels hold{best})"
        left = f"; {results['left_out']} wrong labels left out" if results["left_out"] else ""
        yield f"{grid(rows)}\nthe data follows: {results['follows']}{held}{left}"


def _labels(audit: Mapping[str, Any]) -> str:
    labels, order = audit["labels"], audit["labels"]["order"]
    counted = ", ".join(f"{label} {n}" for label, n in (labels["counts"] or {}).items())
    counted = counted or f"{labels['distinct']} different"
    if order["repeats"] is None:
        return f"labels: {counted}"
    return f"labels: {counted}; {order['repeats']:.1%} repeat the one before ({order['chance']:.1%} by chance)"


def _constants(audit: Mapping[str, Any]) -> str:
    constants = audit["constants"]
    metrics = dict.fromkeys(name for scores in constants.values() for name in scores["metrics"])
    names = list(metrics)[:6]
    rows = [["answer without reading", "items", *names]]
    for choice, scores in constants.items():
        numbers = [f"{scores['metrics'][n]:.3f}" if n in scores["metrics"] else "–" for n in names]
        rows.append([choice[:60], str(scores["items"]), *numbers])
    return grid(rows) if metrics else ""


def _shortcuts(audit: Mapping[str, Any], verbose: bool) -> str:
    """Return a table of the best shortcuts, of all only if ``verbose``."""
    cheap = audit["shortcuts"]
    rows = [["shortcut", "items", cheap["metric"], "95 %", "how it answers"]]
    for score in cheap["scores"][: None if verbose else BEST]:
        if score["value"] is not None:
            ends = [score["ci_low"], score["ci_high"]]
            interval = "–" if None in ends else " to ".join(f"{end:.3f}" for end in ends)
            name = f"{score['name']}{' (generic)' if score['generic'] else ''}"
            numbers = str(score["items"]), f"{score['value']:.3f}", interval
            rows.append([name, *numbers, score["summary"]])
    table = [grid(rows)] if rows[1:] else []
    more = len(cheap["scores"]) - BEST
    left = f"… {more} more (verbose=yes)" if more > 0 and not verbose else ""
    return "\n".join(filter(None, [*table, left, paragraph(cheap["note"])]))


def _weaknesses(audit: Mapping[str, Any], verbose: bool) -> Iterator[str]:
    """Yield a table of the grave weaknesses and one of the others; those that no item has only if ``verbose``."""
    grave = [["grave weakness", "items", "share", "meaning"]]
    others = [["other weakness", "items", "share", "level", "meaning"]]
    for kind, weak in audit["weaknesses"].items():
        if audit["items"] and (weak["items"] or verbose):
            row = [kind, str(weak["items"]), f"{weak['items'] / audit['items']:.1%}"]
            if weak["level"] == "grave":
                grave.append([*row, weak["meaning"]])
            else:
                others.append([*row, weak["level"].replace("_", " "), weak["meaning"]])
    yield from (grid(rows) for rows in (grave, others) if len(rows) > 1)


def _reasons(audit: Mapping[str, Any]) -> Iterator[str]:
    for state in ("undecided", "unreadable", "declined"):
        rows = [[str(count), reason] for reason, count in audit[f"{state}_reasons"].items()]
        yield grid([[state, "reason"], *rows[:10]]) if rows else ""


def _findings(audit: Mapping[str, Any], verbose: bool) -> Iterator[str]:
    """Yield the first findings; weaknesses, whose tables stand above, only if ``verbose``."""
    kinds = ", ".join(f"{kind} {count}" for kind, count in audit["kinds"].items())
    order = list(KINDS)
    listed = [finding for finding in audit["findings"] if verbose or "weakness" not in finding]
    most = FINDINGS if verbose else FEW
    shown = sorted(listed, key=lambda finding: order.index(finding["kind"]))[:most]
    if not audit["findings_total"]:
        return
    lines = [f"findings: {kinds}"]
    for finding in shown:
        name = finding.get("source_id") or finding["id"]
        where = f"{item_place(finding, audit['dataset'])}{f' (id {name})' if name else ''}"
        kind = f"{finding['kind']} {finding.get('weakness', '')}".rstrip()
        line = " ".join(f"{where}: {kind}: {finding['message']}".split())
        lines.append(paragraph(printable(line[:WIDE], 10 * WIDE)))
    if more := audit["findings_total"] - len(shown):
        where = "verbose=yes shows more, report=DIR keeps them"
        where = audit["report"]["json"] if audit["report"] else where
        lines.append(f"… {more} {'more' if shown else 'in all'} ({where})")
    yield "\n".join(lines)


def _files(audit: Mapping[str, Any]) -> Iterator[str]:
    if "corrected" in audit:
        left = f", {audit['left_out']} unreadable left out" if audit["left_out"] else ""
        labels = "1 label" if audit["changed"] == 1 else f"{audit['changed']} labels"
        yield f"corrected: {audit['corrected']} ({labels} changed{left}; see {audit['changes']})"
    if audit["report"]:
        yield f"report: {audit['report']['page']}"
