"""How an audit reads in a terminal."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from harness.audit.tally import KINDS, place
from harness.cli.tables import grid
from harness.core.facts import printable

FINDINGS = 20
WIDE = 300  # characters of a finding


def text(found: Mapping[str, Any]) -> str:
    """Return counts, engines, readings, baselines, and the first findings; nothing in it steers a terminal."""
    found = {**_harmless({**found, "findings": []}), "findings": found["findings"]}
    parts = [_head(found), _engines(found), *_readings(found), _labels(found)]
    parts += [part for part in (_constants(found), _weaknesses(found), _reasons(found)) if part]
    return "\n\n".join([*parts, *_findings(found), *_files(found)])


def _harmless(value: Any) -> Any:
    """Return JSON data with all text in it, which may be a dataset's, as printable lines."""
    if isinstance(value, str):
        return printable(value, len(value))
    if isinstance(value, Mapping):
        return {_harmless(key): _harmless(one) for key, one in value.items()}
    return [_harmless(one) for one in value] if isinstance(value, list | tuple) else value


def _head(found: Mapping[str, Any]) -> str:
    lines = [
        f"{found['plugin']}: {found['items']} items, labels: {found['agree']} agree, {found['wrong']} wrong, "
        f"{found['undecided']} undecided, {found['unscored']} unscored; {found['unreadable']} records unreadable"
    ]
    prompts, twice = found["prompts"], found["duplicates"]
    lines.append(
        f"prompts: {prompts['same']} state the formal problem, {prompts['other']} another one, "
        f"{prompts['nothing'] + prompts['failed']} cannot be read back"
    )
    lines.append(
        f"duplicates: {twice['problem']} by problem, {twice['prompt']} by prompt, "
        f"{twice['contradicting']} of them with another label"
    )
    return "\n".join(lines)


def _engines(found: Mapping[str, Any]) -> str:
    rows = [["engine", "agree", "contradict", "abstain", "fail", "unscored"]]
    rows += [[name, *(str(c[k]) for k in rows[0][1:])] for name, c in found["engines"].items()]
    return grid(rows)


def _readings(found: Mapping[str, Any]) -> Iterator[str]:
    for question, one in found["readings"].items():
        rows = [[question, "agree", "contradict"]]
        for name, counts in one["readings"].items():
            rows.append([name, str(counts["agree"]), str(counts["contradict"])])
        yield f"{grid(rows)}\n{_followed(one)}"


def _followed(one: Mapping[str, Any]) -> str:
    share = "" if one["share"] is None else f" ({one['share']:.1%} of labels hold under the best)"
    if one["follows"] in one["readings"]:
        share = f" ({one['share']:.1%} of labels hold)"
    left = f"; {one['left_out']} wrong labels left out" if one["left_out"] else ""
    return f"the data follows: {one['follows']}{share}{left}"


def _labels(found: Mapping[str, Any]) -> str:
    labels = found["labels"]
    counts = labels["counts"]
    said = (
        ", ".join(f"{label} {n}" for label, n in counts.items())
        if counts
        else f"{labels['distinct']} different"
    )
    order = labels["order"]
    if order["repeats"] is None:
        return f"labels: {said}"
    return f"labels: {said}; {order['repeats']:.1%} repeat the one before ({order['chance']:.1%} by chance)"


def _constants(found: Mapping[str, Any]) -> str:
    constants = found["constants"]
    names = list(dict.fromkeys(name for one in constants.values() for name in one["metrics"]))[:6]
    if not names:
        return ""
    rows = [["answer without reading", "items", *names]]
    for choice, one in constants.items():
        numbers = [f"{one['metrics'][n]:.3f}" if n in one["metrics"] else "–" for n in names]
        rows.append([choice[:60], str(one["items"]), *numbers])
    return grid(rows)


def _weaknesses(found: Mapping[str, Any]) -> str:
    if not any(one["items"] for one in found["weaknesses"].values()):
        return ""
    rows = [["weakness", "items", "share", "meaning"]]
    for kind, one in found["weaknesses"].items():
        rows.append(
            [kind, str(one["items"]), f"{one['items'] / found['items']:.1%}", one["meaning"]]
        )
    return grid(rows)


def _reasons(found: Mapping[str, Any]) -> str:
    reasons = list(found["unreadable_reasons"].items())
    return (
        grid([["unreadable", "reason"], *([str(n), why] for why, n in reasons[:10])])
        if reasons
        else ""
    )


def _findings(found: Mapping[str, Any]) -> Iterator[str]:
    kinds = ", ".join(f"{kind} {count}" for kind, count in found["kinds"].items())
    order = list(KINDS)
    shown = sorted(found["findings"], key=lambda one: order.index(one["kind"]))[:FINDINGS]
    if not shown:
        return
    lines = [f"findings: {kinds}", *(_finding(one, found["dataset"]) for one in shown)]
    if found["findings_total"] > len(shown):
        where = found["report"]["json"] if found["report"] else "report=DIR keeps them"
        lines.append(f"… {found['findings_total'] - len(shown)} findings more ({where})")
    yield "\n".join(lines)


def _finding(one: Mapping[str, Any], dataset: str | None) -> str:
    name = one.get("source_id") or one["id"]
    where = place(printable(one["where"], len(one["where"])), dataset)
    said = f"{where}{f' (id {name})' if name else ''}: {_kind(one)}: {one['message']}"
    return printable(" ".join(said.split())[:WIDE], 10 * WIDE)


def _kind(one: Mapping[str, Any]) -> str:
    return f"{one['kind']} {one['weakness']}" if "weakness" in one else str(one["kind"])


def _files(found: Mapping[str, Any]) -> Iterator[str]:
    if "out" in found:
        left = f", {found['left_out']} unreadable left out" if found["left_out"] else ""
        labels = "1 label" if found["changed"] == 1 else f"{found['changed']} labels"
        yield f"corrected: {found['out']} ({labels} changed{left}; see {found['changes']})"
    if found["report"]:
        yield f"report: {found['report']['page']}"
