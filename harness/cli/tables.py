"""How results read in a terminal."""

from __future__ import annotations

import re
import shutil
import sys
import textwrap
from collections.abc import Container, Iterable, Mapping, Sequence
from itertools import zip_longest
from pathlib import Path
from typing import Any

from rich.cells import cell_len

from harness.cli import colour, tables_outcomes
from harness.core.features import features
from harness.core.plugins import registry
from harness.run.floors import SHORTCUT

UNDEFINED = "–"
WIDEST = 28  # characters of a cell before the last, where a table is wider than the terminal
NARROWEST = 16  # characters that the last cell has at least


def grid(rows: Sequence[Sequence[str]], right: Container[int] = ()) -> str:
    """Return rows as aligned columns, wrapped where a terminal is narrow; the first row is the head.

    ``right``: the places of columns that are set flush right.
    """
    rows = _fitting(rows) if sys.stdout.isatty() else rows
    widths = [max(cell_len(row[i]) for row in rows) for i in range(len(rows[0]))]
    lines = []
    for row in rows:
        blanks = [" " * (width - cell_len(cell)) for cell, width in zip(row, widths, strict=True)]
        cells = enumerate(zip(row, blanks, strict=True))
        line = (f"{room}{cell}" if at in right else f"{cell}{room}" for at, (cell, room) in cells)
        lines.append("  ".join(line).rstrip())
    return "\n".join([colour.head(lines[0]), "  ".join("-" * w for w in widths), *lines[1:]])


def _fitting(rows: Sequence[Sequence[str]]) -> Sequence[Sequence[str]]:
    """Return rows whose long cells go on in the rows below, between words, where a terminal is narrower than they."""
    columns = shutil.get_terminal_size().columns
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    if sum(widths) + 2 * len(widths) - 2 <= columns:
        return rows
    *before, _ = (min(width, WIDEST) for width in widths)
    caps = [*before, max(columns - sum(before) - 2 * len(before), NARROWEST)]
    parts = (
        [
            textwrap.wrap(cell, cap, break_long_words=False, break_on_hyphens=False)
            for cell, cap in zip(row, caps, strict=True)
        ]
        for row in rows
    )
    return [line for row in parts for line in zip_longest(*row, fillvalue="")]


def paragraph(line: str) -> str:
    """Return a line broken between words where a terminal ends, with what follows set in by four more blanks."""
    if not sys.stdout.isatty():
        return line
    blanks = " " * (len(line) - len(line.lstrip()) + 4)
    return textwrap.fill(
        line, max(shutil.get_terminal_size().columns, NARROWEST), subsequent_indent=blanks,
        break_long_words=False, break_on_hyphens=False,
    )  # fmt: skip


def number(value: float | None, digits: int = 3) -> str:
    """Return a number in so many digits, a dash where there is none."""
    return UNDEFINED if value is None else f"{value:.{digits}f}"


def run(outcome: Mapping[str, Any], verbose: bool = False) -> str:
    """Return what came of a run and where its logs are; of several runs a line each, the tables if ``verbose``.

    Or whatever a feature found instead.
    """
    instead: str | None = features().hook.text_of(outcome=outcome)
    if instead is not None:
        return instead
    results = outcome["results"]
    parts = [result_table(result, verbose) for result in results if verbose or len(results) == 1]
    if len(results) > 1:
        parts.append("\n".join([_sweep(results, verbose), *tables_outcomes.used_in_all(results)]))
        parts += [] if verbose else _warnings(results)
    logs = [f"log: {log}" for log in outcome["logs"]]
    if len(logs) > MANY and not verbose:
        logs = [f"logs: {len(logs)} in {Path(outcome['logs'][0]).parent}"]
    if not verbose and any(result["groups"] for result in results):
        called, _, folder = outcome["view"].partition(" view log_dir=")
        logs.append(f"by group: verbose=yes, or {called} report {folder} out=report")
    return "\n\n".join([*parts, "\n".join([*logs, f"view: {outcome['view']}"])])


MANY = 3  # logs that are named each


def _sweep(results: Sequence[Mapping[str, Any]], verbose: bool) -> str:
    """Return one line per run: what was varied, and the headline with its interval; every metric if ``verbose``."""
    facts = [
        {"plugin": r["plugin"], "model": r["model"], "strategy": r["strategy"], **r["config"]}
        | _asked(r)
        | {"gold": ",".join(r["gold"]), "dataset": r["dataset"]}
        for r in results
    ]
    keys = [
        key for key in dict.fromkeys(key for fact in facts for key in fact)
        if len({str(fact.get(key)) for fact in facts}) > 1 and (key in _SHARED or all(key in fact for fact in facts))
    ]  # fmt: skip
    gone = set.intersection(*(set(_undefined(r)) for r in results))
    metrics = [
        m for m in dict.fromkeys(name for r in results for name in r["metrics"]) if m not in gone
    ]
    headlines = {registry().get(r["plugin"]).benchmark.headline for r in results}
    short = ["95 % interval", "best floor", "above shortcut", "95 % interval"]
    short = [*headlines, *short] if len(headlines) == 1 else ["headline", "value", *short]
    searched = ["searched"] if any(r.get("searched") for r in results) else []
    rows = [[*keys, "n", *(metrics if verbose else short), "unparsed", "unscored", *searched]]
    for fact, r in zip(facts, results, strict=True):
        shown = [number(r["metrics"].get(name, {}).get("value")) for name in metrics]
        cells = [words(fact.get(key, "")) for key in keys]
        cells += [str(r["n"]), *(shown if verbose else _headline(r)[len(headlines) == 1 :])]
        counts = " of ".join(map(str, (r.get("searched") or {}).values()))
        rows.append([*cells, _unparsed(r), str(r["unscored"]), *([counts] if searched else [])])
    return grid(rows)


def _unparsed(result: Mapping[str, Any]) -> str:
    """Return how many answers could not be read, or which share where the log does not say of how many."""
    if result["unparsed"] is None:
        return UNDEFINED
    if result["repeats"]:
        return f"{result['unparsed']:.1%}"
    return str(round(result["unparsed"] * (result["n"] - result["unscored"])))


_SHARED = ("plugin", "model", "strategy", "gold", "dataset")


def _headline(result: Mapping[str, Any]) -> list[str]:
    """Return the number that stands for a run: its name, value and interval, the best floor, what is above it."""
    name = registry().get(result["plugin"]).benchmark.headline
    metric = result["metrics"].get(name, {})
    kinds = _floor_kinds(result["floors"])
    floors = [
        floor[name] for kind, floor in result["floors"].items() if kind in kinds and name in floor
    ]
    above = result["above_shortcut"] or {}
    best = number(max(floors, default=None))
    worth = [number(above.get("value")), _span(above)]
    return [name, number(metric.get("value")), _span(metric), best, *worth]


def _warnings(results: Sequence[Mapping[str, Any]]) -> list[str]:
    """Return what of several runs must be known beside their numbers: a block each, equal ones once."""
    blocks = (
        _notes(r, verbose=False) for r in results if r["unscored"] or r["errors"] or r["wrappers"]
    )
    return list(dict.fromkeys("\n".join(block).strip() for block in blocks))


def result_table(result: Mapping[str, Any], verbose: bool = False) -> str:
    """Return the result of one run: what it was, its metrics with floors, and notes; by group if ``verbose``."""
    symbolic = {
        "harness/reference": " (symbolic reference, not a language model)",
        "harness/constant": " (baseline)",
        "harness/random": " (baseline)",
    }.get(result["model"], "")
    floors = result["floors"]
    kinds = _floor_kinds(floors)
    short = len(kinds) > 2  # so that three floors fit 80 columns
    heads = kinds if short else [f"{kind} floor" for kind in kinds]
    rows = [["metric", "value", "95 % interval", *heads]]
    bare: list[list[str]] = []  # numbers that have no interval
    blank = [""] * len(kinds)
    undefined = _undefined(result)
    for name, metric in result["metrics"].items():
        if name in undefined:
            continue
        floor = [number(floors.get(kind, {}).get(name)) for kind in kinds]
        shown = f"{name} (hard labels)" if metric.get("hard_labels") else name
        row = [shown, number(metric.get("value")), _span(metric), *floor]
        (bare if row[2] == UNDEFINED else rows).append(row)
    headline = registry().get(result["plugin"]).benchmark.headline
    for key, words_of in (
        ("above_shortcut", "above the shortcut"),
        ("without_wrong", "without wrong labels"),
    ):
        if other := result.get(key):
            row = [f"{headline} {words_of}", number(other["value"]), _span(other), *blank]
            (bare if row[2] == UNDEFINED else rows).append(row)
    if written := result["output_tokens"]:
        row = ["output_tokens", number(written["value"], 1), _span(written, 1), *blank]
        (bare if row[2] == UNDEFINED else rows).append(row)
    if len(rows) == 1:
        rows, bare = rows + bare, []
    manner = f"strategy={result['strategy']}{_aids(result)} · n={result['n']}"
    head = f"{result['plugin']} · {result['model']}{symbolic} · {manner}"
    rest = [paragraph(f"not defined for these items: {', '.join(undefined)}")]
    rest = rest if undefined and verbose else []
    groups = _groups(result) if verbose else []
    parts = [head, *_settings(result, verbose), "", grid(rows), *_bare(bare, kinds, verbose), *rest]
    parts += _shortcuts(result, verbose)
    parts += [*_repeats(result), *groups]
    return "\n".join([*parts, *_notes(result, verbose)])


def _bare(rows: Sequence[Sequence[str]], kinds: Sequence[str], verbose: bool) -> list[str]:
    """Return the metrics without interval: in a line those defined, or if ``verbose`` all in a table with floors."""
    if not rows:
        return []
    if not verbose:
        listed = [f"{name} {value}" for name, value, *_ in rows if value != UNDEFINED]
        return [paragraph(f"without interval: {', '.join(listed)}")] if listed else []
    head = ["without interval", "value", *(f"{kind} floor" for kind in kinds)]
    return ["", grid([head, *([*row[:2], *row[3:]] for row in rows)])]


def _shortcuts(result: Mapping[str, Any], verbose: bool) -> list[str]:
    """Return a line that names the best shortcut; what each of them scores and how it answers if ``verbose``."""
    if not result["best_shortcut"]:
        return []
    plugin = registry().get(result["plugin"])
    floors, name = result["floors"], plugin.benchmark.headline
    scored = [s for s in plugin.shortcuts() if f"{SHORTCUT}{s.name}" in floors]
    if not verbose:
        sentence = {s.name: f": {s.summary}" for s in scored}.get(result["best_shortcut"], "")
        perfect = floors.get("shortcut", {}).get(name) == 1
        sentence += " It wins all of these items: no score is above it." if perfect else ""
        return [paragraph(f"best shortcut: {result['best_shortcut']}{sentence}")]
    rows = [["shortcut", name, "how it answers", "what it ignores"]]
    rows += [
        [s.name, number(floors[f"{SHORTCUT}{s.name}"].get(name)), s.summary, s.ignores]
        for s in scored
    ]
    return ["", grid(rows)]


def _settings(result: Mapping[str, Any], verbose: bool) -> list[str]:
    """Return the benchmark's settings in a line: those that are not its defaults, all of them if ``verbose``."""
    properties = registry().get(result["plugin"]).benchmark.config_schema["properties"]
    config = {
        key: value
        for key, value in result["config"].items()
        if verbose or value != properties.get(key, {}).get("default")
    }
    source = {"dataset": result["dataset"]} if result["dataset"] else {}
    settings = [f"{key}={words(value)}" for key, value in {**source, **config}.items()]
    return [paragraph(" ".join(settings))] if settings else []


def _repeats(result: Mapping[str, Any]) -> list[str]:
    """Return what several answers to each item tell; nothing where an item has one."""
    numbers = tables_outcomes.repeats_rows(result)
    if not numbers:
        return []
    cells = [[name, number(metric["value"]), _span(metric)] for name, metric in numbers]
    title = tables_outcomes.repeats_title(result)
    return ["", title, grid([["answers", "value", "95 % interval"], *cells])]


def _floor_kinds(floors: Mapping[str, Mapping[str, float]]) -> list[str]:
    """Return which floors are shown: the constant one only where it is not the majority's."""
    same = floors.get("constant", {}) == floors.get("majority", {})
    shortcut = ["shortcut"] if "shortcut" in floors else []
    return ["majority", *([] if same else ["constant"]), "random", *shortcut]


def _undefined(result: Mapping[str, Any]) -> list[str]:
    """Return the metrics that none of the items has: those of a plugin's other tasks."""
    floors = [floor for numbers in result["floors"].values() for floor in numbers]
    return [
        name
        for name, metric in result["metrics"].items()
        if metric.get("value") is None and name not in floors
    ]


def _aids(result: Mapping[str, Any]) -> str:
    """Return what the model had beside the prompt; nothing where it had nothing."""
    gold = {"gold": ",".join(result["gold"])} if result["gold"] else {}
    had = {k: v for k, v in _asked(result).items() if v not in (None, "none", "no")}
    return "".join(f" {key}={value}" for key, value in {**gold, **had}.items())


def _asked(result: Mapping[str, Any]) -> dict[str, Any]:
    parts = features().hook.asked_of(result=result)
    return {key: value for part in parts for key, value in part.items()}


def added(result: Mapping[str, Any]) -> list[str]:
    """Return what features note below a result or a manifest, each in a line."""
    return [line for part in features().hook.notes_of(result=result) for line in part]


def _span(metric: Mapping[str, float | None], digits: int = 3) -> str:
    low, high = metric.get("ci_low"), metric.get("ci_high")
    return UNDEFINED if low is None or high is None else f"{low:.{digits}f} – {high:.{digits}f}"


# Counts and means of counts; all else is a share.
_DIGITS = {"n": 0, "output_tokens": 1}


# Columns of a table of groups; all of them are in --json.
_WIDE = 8


def _groups(result: Mapping[str, Any]) -> list[str]:
    parts: dict[str, dict[str, str]] = {}
    names: list[str] = []
    for key, value in result["groups"].items():
        name, _, group = key.partition(" at ")
        parts.setdefault(group, {})[name] = number(value, _DIGITS.get(name, 3))
        if name not in names:
            names.append(name)
    if not parts:
        return []
    names = [*[n for n in names if n not in _DIGITS][:_WIDE], *[n for n in names if n in _DIGITS]]
    rows = [
        ["group", *names],
        *([_phrase(g), *(parts[g].get(n, UNDEFINED) for n in names)] for g in _ordered(parts)),
    ]
    return ["", grid(rows)]


def _phrase(label: str) -> str:
    """Return the label of a group as one says it: ``depth 7`` of "7 depth"."""
    value, _, feature = label.rpartition(" ")
    return f"{feature} {value}"


def _ordered(labels: Iterable[str]) -> list[str]:
    """Return labels such as "9 to 16 size" with each feature's together, as they come, and by number."""
    listed = list(labels)
    features = list(dict.fromkeys(label.rpartition(" ")[2] for label in listed))

    def key(label: str) -> tuple[int, list[str | int]]:
        parts = re.split(r"(\d+)", label)  # text and numbers by turns
        natural = [int(part) if place % 2 else part for place, part in enumerate(parts)]
        return features.index(label.rpartition(" ")[2]), natural

    return sorted(listed, key=key)


def _notes(result: Mapping[str, Any], verbose: bool) -> list[str]:
    notes = []
    if result["wrappers"]:
        active = ", ".join(f"{name} {version}" for name, version in result["wrappers"].items())
        line = f"NOTE: wrapper plugins were active and may have changed prompts or scores: {active}"
        notes.append(colour.note(line))
    notes += tables_outcomes.lines(result)
    if result["rejected_share"] and verbose:
        reasons = ", ".join(f"{why} {count}" for why, count in result["rejected"].items())
        notes.append(
            f"generation: {result['rejected_share']:.0%} of {result['draws']} draws rejected ({reasons})"
        )
    notes += added(result)
    return ["", *notes] if notes else []


def words(value: Any) -> str:
    """Return a value as it would be written on the command line; a tuple is a sweep."""
    if isinstance(value, list):
        return f"[{','.join(map(words, value))}]"
    return ",".join(map(words, value)) if isinstance(value, tuple) else str(value)
