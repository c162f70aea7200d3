"""How results read in a terminal."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from harness.cli import tables_outcomes
from harness.core.facts import printable


def grid(rows: Sequence[Sequence[str]]) -> str:
    """Return rows as aligned columns; the first row is the head."""
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    lines = [
        "  ".join(cell.ljust(w) for cell, w in zip(row, widths, strict=True)).rstrip()
        for row in rows
    ]
    return "\n".join([lines[0], "  ".join("-" * w for w in widths), *lines[1:]])


def _number(value: float | None, digits: int = 3) -> str:
    return "–" if value is None else f"{value:.{digits}f}"


def run(found: Mapping[str, Any]) -> str:
    """Return the metric tables of a run and how to look at its logs."""
    parts = [_result(result) for result in found["results"]]
    if len(parts) > 1:
        parts.append(_sweep(found["results"]))
    logs = "\n".join(f"log: {log}" for log in found["logs"])
    return "\n\n".join([*parts, f"{logs}\nview: {found['view']}"])


def _sweep(results: Sequence[Mapping[str, Any]]) -> str:
    """Return one line per run of a sweep: what was varied, and every metric."""
    facts = [
        {"plugin": r["plugin"], "model": r["model"], "strategy": r["strategy"], **r["config"]}
        | {
            "tools": r["tools"],
            "context": (r["context"] or {}).get("file"),
            "structured": "yes" if r["structured"] else "no",
            "gold": ",".join(r["gold"]),
            "dataset": r["dataset"],
        }
        for r in results
    ]
    keys = [key for key in facts[0] if len({str(fact.get(key)) for fact in facts}) > 1]
    gone = set.intersection(*(set(_undefined(r)) for r in results))
    metrics = [
        m for m in dict.fromkeys(name for r in results for name in r["metrics"]) if m not in gone
    ]
    rows = [[*keys, "n", *metrics, "unparsed", "unscored"]]
    for fact, r in zip(facts, results, strict=True):
        numbers = [_number(r["metrics"].get(name, {}).get("value")) for name in metrics]
        cells = [_words(fact.get(key, "")) for key in keys]
        rows.append([*cells, str(r["n"]), *numbers, _number(r["unparsed"]), str(r["unscored"])])
    return grid(rows)


def _result(result: Mapping[str, Any]) -> str:
    given = {"dataset": result["dataset"]} if result["dataset"] else {}
    config = " ".join(f"{k}={_words(v)}" for k, v in {**given, **result["config"]}.items())
    symbolic = {
        "harness/reference": " (symbolic reference, not a language model)",
        "harness/constant": " (baseline)",
        "harness/random": " (baseline)",
    }.get(result["model"], "")
    floors = result["floors"]
    kinds = _floor_kinds(floors)
    rows = [["metric", "value", "95 % interval", *(f"{kind} floor" for kind in kinds)]]
    blank = [""] * len(kinds)
    undefined = _undefined(result)
    for name, one in result["metrics"].items():
        if name in undefined:
            continue
        floor = [_number(floors.get(kind, {}).get(name)) for kind in kinds]
        shown = f"{name} (hard labels)" if one.get("hard_labels") else name
        rows.append([shown, _number(one.get("value")), _span(one), *floor])
    rows.append(
        ["unparsed", _number(result["unparsed"]), "share of answers nobody could read", *blank]
    )
    if written := result["output_tokens"]:
        rows.append(["output_tokens", _number(written["value"], 1), _span(written, 1), *blank])
    asked = f"strategy={result['strategy']}{_aids(result)}"
    head = f"{result['plugin']} · {result['model']}{symbolic} · {asked} · n={result['n']}\n{config}"
    rest = [f"not defined for these items: {', '.join(undefined)}"] if undefined else []
    return "\n".join([head, "", grid(rows), *rest, *_groups(result), *_notes(result)])


def _floor_kinds(floors: Mapping[str, Mapping[str, float]]) -> list[str]:
    """Return which floors are shown: the constant one only where it is not the majority's."""
    same = floors.get("constant", {}) == floors.get("majority", {})
    return ["majority", *([] if same else ["constant"]), "random"]


def _undefined(result: Mapping[str, Any]) -> list[str]:
    """Return the metrics that none of the items has: those of a plugin's other tasks."""
    floors = [floor for found in result["floors"].values() for floor in found]
    return [
        name
        for name, one in result["metrics"].items()
        if one.get("value") is None and name not in floors
    ]


def _aids(result: Mapping[str, Any]) -> str:
    """Return what the model had beside the prompt; nothing where it had nothing."""
    gold = f" gold={','.join(result['gold'])}" if result["gold"] else ""
    tools = "" if result["tools"] == "none" else f" tools={result['tools']}"
    context = f" context={result['context']['file']}" if result["context"] else ""
    return gold + tools + context + (" structured=yes" if result["structured"] else "")


def _span(one: Mapping[str, float | None], digits: int = 3) -> str:
    low, high = one.get("ci_low"), one.get("ci_high")
    return "–" if low is None or high is None else f"{low:.{digits}f} – {high:.{digits}f}"


# Counts and means of counts; all else is a share.
_DIGITS = {"n": 0, "output_tokens": 1}


# Columns of a table of groups; all of them are in --json.
_WIDE = 8


def _groups(result: Mapping[str, Any]) -> list[str]:
    parts: dict[str, dict[str, str]] = {}
    names: list[str] = []
    for key, value in result["groups"].items():
        name, _, group = key.partition(" at ")
        parts.setdefault(group, {})[name] = _number(value, _DIGITS.get(name, 3))
        if name not in names:
            names.append(name)
    if not parts:
        return []
    names = [*[n for n in names if n not in _DIGITS][:_WIDE], *[n for n in names if n in _DIGITS]]
    rows = [
        ["at", *names],
        *([g, *(parts[g].get(n, "–") for n in names)] for g in _ordered(parts)),
    ]
    return ["", grid(rows)]


def _ordered(labels: Iterable[str]) -> list[str]:
    """Return labels such as "9 to 16 size" with each feature's together, as they come, and by number."""
    listed = list(labels)
    features = list(dict.fromkeys(label.rpartition(" ")[2] for label in listed))

    def key(label: str) -> tuple[int, list[str | int]]:
        parts = re.split(r"(\d+)", label)  # text and numbers by turns
        natural = [int(part) if place % 2 else part for place, part in enumerate(parts)]
        return features.index(label.rpartition(" ")[2]), natural

    return sorted(listed, key=key)


def _notes(result: Mapping[str, Any]) -> list[str]:
    notes = []
    if result["wrappers"]:
        active = ", ".join(f"{name} {version}" for name, version in result["wrappers"].items())
        notes.append(f"NOTE: wrapper plugins were active, and may have changed anything: {active}")
    notes += tables_outcomes.lines(result)
    if result["rejected_share"]:
        reasons = ", ".join(f"{why} {count}" for why, count in result["rejected"].items())
        notes.append(
            f"generation: {result['rejected_share']:.0%} of {result['draws']} draws rejected ({reasons})"
        )
    if result["pruning"]:
        notes.append(_pruned(result["pruning"]))
    return ["", *notes] if notes else []


def _pruned(found: Mapping[str, Any]) -> str:
    return (
        f"pruning: {found['model']} dropped {found['dropped']} of {found['asked']} items, "
        f"{found['unclear']} answers unclear ({found['file']})"
    )


def listing(found: Mapping[str, Any]) -> str:
    """Return the installed benchmarks, wrappers and failures."""
    rows = [["plugin", "version", "licence", "what it is"]]
    rows += [[p["name"], p["version"], p["licence"], p["summary"]] for p in found["plugins"]]
    lines = [grid(rows)]
    if found["wrappers"]:
        lines.append(f"wrappers: {', '.join(found['wrappers'])}")
    lines += [f"could not be loaded: {name}: {why}" for name, why in found["failures"].items()]
    return "\n".join(lines)


def description(found: Mapping[str, Any]) -> str:
    """Return a benchmark's keys, presets, strategies, metrics and engines."""
    rows = [["key", "default", "values", "meaning"]]
    for key, schema in found["config_schema"]["properties"].items():
        rows.append(
            [key, json.dumps(schema["default"]), _range(schema), schema.get("description", "")]
        )
    presets = [
        f"  {n}: {' '.join(f'{k}={_words(v)}' for k, v in p.items())}"
        for n, p in found["presets"].items()
    ]
    return "\n".join([
        f"{found['name']} {found['version']} ({found['licence']}): {found['summary']}",
        f"{found['citation']}", "",
        grid(rows), "",
        "presets:", *presets,
        "strategies:", *(f"  {n}: {text}{_stages(found, n)}" for n, text in found["strategies"].items()),
        "metrics:", *(f"  {n}: {text}" for n, text in found["metrics"].items()),
        f"headline: {found['headline']}",
        f"engines: {', '.join(found['engines'])} (the first makes the label, the second confirms it)",
        f"formats: {', '.join(found['formats']) or 'none'}",
        f"distinct items: {found['capacity'] if found['capacity'] is not None else 'too many to count'}",
    ])  # fmt: skip


def _stages(found: Mapping[str, Any], strategy: str) -> str:
    stages = found["stages"].get(strategy)
    return f" (stages: {', '.join(stages)})" if stages else ""


def _words(value: Any) -> str:
    """Return a value as it would be written on the command line; a tuple is a sweep."""
    if isinstance(value, list):
        return f"[{','.join(map(_words, value))}]"
    return ",".join(map(_words, value)) if isinstance(value, tuple) else str(value)


def _range(schema: Mapping[str, Any]) -> str:
    if "enum" in schema:
        return " | ".join(map(str, schema["enum"]))
    if "minimum" in schema and "maximum" in schema:
        return f"{schema['minimum']} … {schema['maximum']}"
    return str(schema.get("type", "see describe --json"))


def items(found: Mapping[str, Any]) -> str:
    """Return items in full, or in the format asked for, or where the one item was written to."""
    from harness.datasets.show import unsayable  # not needed by the other tables

    if "out" in found:
        return f"item {found['items'][0]['id']}: {found['out']}"
    parts = []
    for item in found["items"]:
        if "text" in item:
            parts.append(unsayable(item) if item["text"] is None else item["text"])
            continue
        facts = {k: item[k] for k in ("features", "problem", "certificate", "notes")}
        body = "\n".join(
            f"{key}: {json.dumps(value, ensure_ascii=False)}" for key, value in facts.items()
        )
        rule = f"── item {item['index']} · {item['id']} " + "─" * 30
        parts.append(f"{rule}\n{item['prompt']}\n\n── target: {item['target']}\n{body}")
    # What is in a format of its own may go to a file as it is printed.
    if "rejected" in found and not any("text" in item for item in found["items"]):
        reasons = ", ".join(f"{why} {count}" for why, count in found["rejected"].items()) or "none"
        parts.append(
            f"rejected: {found['rejected_share']:.0%} of {found['draws']} draws ({reasons})"
        )
    return "\n\n".join(parts)


def written(found: Mapping[str, Any]) -> str:
    """Return what was written and how much was rejected on the way."""
    lines = [
        f"{found['items']} items: {found['out']}",
        f"manifest: {found['manifest']}",
        f"targets: {json.dumps(found['targets'])}; rejected {found['rejected_share']:.0%} of {found['draws']} draws",
    ]
    return "\n".join(lines + ([_pruned(found["pruning"])] if "pruning" in found else []))


def verification(found: Mapping[str, Any]) -> str:
    """Return an audit: counts, each engine's opinion, readings, baselines, the first findings."""
    from harness.audit import text as audit_text

    return audit_text.text(found)


def viewed(found: Mapping[str, Any]) -> str:
    """Return what became of the viewer."""
    if "bundle" in found:
        return f"static site: {found['bundle']} (any web server shows it: python -m http.server)"
    return f"closed: {found['log_dir']}"


def scored(found: Mapping[str, Any]) -> str:
    """Return the tables of answers scored without a model: the run's, what was left out, what changed."""
    parts = [_result(found)]
    if found["responses"]:
        parts.append("\n".join(_responses(found["responses"])))
    if found["published"]:
        parts.append("\n".join(_conventions(found["published"])))
    if "changes" in found:
        parts.append("\n".join(_changes(found)))
    return "\n\n".join([*parts, f"log: {found['log']}\nview: {found['view']}"])


# What each kind of finding means, in the words of whoever has to mend it.
_LEFT_OUT = {
    "missing": "items have no answer; they are in no mean",
    "unknown": "answers have an id that no item has",
    "duplicate": "answers came after the one that was expected; all answers to these items are left out",
    "ambiguous": "answers have an id that several items have",
    "mismatched": "answers are to another question than the item of that id asks",
    "unreadable": "records cannot be read",
}


def _responses(found: Mapping[str, Any]) -> list[str]:
    columns, guessed = found["columns"], found["guessed"]
    named = ", ".join(
        f"{part} from '{columns[part]}'{' (guessed)' if part in guessed else ''}"
        for part in ("id", "response")
    )
    lines = [
        f"responses: {found['file']} ({named})",
        f"{found['scored']} of {found['items']} items scored; {found['records']} records read, "
        f"{found['empty']} empty answers (unparsed)",
    ]
    if found["labels_only"]:
        lines.append(
            f"WARNING: every answer is just its item's label; is '{columns['response']}' a column of labels?"
        )
    for kind, meaning in _LEFT_OUT.items():
        if count := found[kind]["count"]:
            shown = ", ".join(map(printable, found[kind]["examples"]))
            more = ", …" if count > len(found[kind]["examples"]) else ""
            lines.append(f"{kind}: {count} {meaning}: {shown}{more}")
    return lines


def _conventions(found: Mapping[str, Any]) -> list[str]:
    name, unparsed = found["metric"], found["unparsed"]
    return [
        f"conventions: {_number(found['ours'])} by ours, {name} {_number(found['published'])}",
        f"  {unparsed} of {found['scored']} answers are unparsable; the published convention counts "
        f"{found['unparsed_right']} of them as right",
        f"  of the readable ones it counts {found['wrong_right']} as right that are not by ours, "
        f"and {found['right_wrong']} as wrong that are right by ours",
    ]


def _changes(found: Mapping[str, Any]) -> list[str]:
    changes = found["changes"]
    lines = [
        f"scored anew: {found['from']}",
        f"{changes['changed']} of {changes['verdicts']} verdicts changed",
    ]
    if changes["steps"]:
        rows = [["from", "to", "verdicts"]]
        rows += [[one["from"], one["to"], str(one["count"])] for one in changes["steps"]]
        lines += ["", grid(rows), ""]
    for one in changes["first"]:
        said = f"{one['answer_before']!r:.60} → {one['answer']!r:.60}"
        lines.append(
            printable(
                f"{one['id']}: {one['from']} → {one['to']}, answer {said}: {one['why']}", 1000
            )
        )
    return lines


def exported(found: Mapping[str, Any]) -> str:
    """Return what was exported, and what could not be."""
    written = found.get("records", found["items"])
    lines = [f"{written} items: {found['out']} ({found['to']})"]
    if found.get("manifest"):
        lines.append(f"manifest: {found['manifest']}")
    for kind, meaning in (
        ("unsaid", "items that the format cannot say"),
        ("unreadable", "records that cannot be read"),
    ):
        told = found.get(kind) or {}
        if told.get("count"):
            first = printable(str(told["first"][0]), 1000)
            lines.append(f"left out: {told['count']} {meaning}; the first: {first}")
    return "\n".join(lines)
