"""How comparisons and plans read in a terminal."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from harness.cli.tables import grid, number, paragraph
from harness.core.facts import printable
from harness.report.texts import apart, plain

ITEMS = 20  # on which two series differ; up to 1,000 are in --json
LABEL = 80  # characters of a series' label
WIDE = 40  # characters of an answer, a target, the features of an item


def compare(result: Mapping[str, Any]) -> str:
    """Return a table of the series, then of every pair with the items on which the two differ."""
    names = apart((series["label"] for series in result["series"]), LABEL, plain)
    rows = [["series", "items", "unparsed", "unscored"]]
    rows += [
        [names[s["label"]], str(s["n"]), number(s["unparsed"]), str(s["unscored"])]
        for s in result["series"]
    ]
    count = result["comparisons"]
    tests = "1 comparison" if count == 1 else f"{count} comparisons"
    head = f"{result['plugin']} · {len(result['series'])} series · {tests}, p after Holm over all of them"
    parts = [f"{head}\n\n{grid(rows)}"]
    for pair in result["pairs"]:
        parts += _pair(pair, names, result["headline"])
    return "\n\n".join(parts)


def _pair(pair: Mapping[str, Any], names: Mapping[str, str], headline: str) -> Iterator[str]:
    unparsed = f"unparsed: A {number(pair['unparsed_a'])}, B {number(pair['unparsed_b'])}"
    lost = f", {pair['unscored']} unscored left out" if pair["unscored"] else ""
    shared = f", {pair['sources']} sources" if pair["sources"] is not None else ""
    yield (
        f"A: {names[pair['a']]}\nB: {names[pair['b']]}\n"
        f"{pair['n']} items that both answered{lost}{shared}; {unparsed}"
    )
    rows = [["metric", "A", "B", "B − A", "95 % interval", "p", "p (Holm)", "n", "test"]]
    rows += [_metric(result) for result in pair["metrics"]]
    notes = [f"{printable(row['metric'], 80)}: {row['verdict']}" for row in pair["metrics"]]
    if pair["undefined"]:
        notes.append(f"not defined for these items: {', '.join(pair['undefined'])}")
    beyond = [left for left in pair["not_compared"] if left["why"].startswith("beyond")]
    for left in pair["not_compared"]:
        if left not in beyond:
            why = printable(left["why"], 120)
            notes.append(f"{printable(left['metric'], 80)}: {why}; not compared")
    if beyond:
        listed = ", ".join(printable(left["metric"], 80) for left in beyond)
        notes.append(f"not compared, {beyond[0]['why']}: {listed}")
    right = pair["right"]
    every = " (every time)" if pair["epochs"] > 1 else ""
    notes.append(
        f"right by {headline}{every}: both {right['both']}, only A {right['only_a']}, "
        f"only B {right['only_b']}, neither {right['neither']}"
    )
    yield grid(rows) + "\n\n" + "\n".join(notes)
    if pair["items"]:
        yield _items(pair)


def _metric(result: Mapping[str, Any]) -> list[str]:
    name = printable(result["metric"], 80)
    return [
        f"{name} (hard labels)" if len(result["hard_labels"]) == 2 else name,
        number(result["a"]), number(result["b"]), signed(result["difference"]),
        span(result["ci_low"], result["ci_high"]), chance(result["p"]), chance(result["p_holm"]), str(result["n"]),
        result["test"] or "–",
    ]  # fmt: skip


def _items(pair: Mapping[str, Any]) -> str:
    shown = pair["items"][:ITEMS]
    rows = [["item", "features", "target", "A", "B"]]
    for item in shown:
        features = " ".join(f"{key}={value}" for key, value in item["features"].items())
        words = (printable(text, WIDE) for text in (item["id"], features, item["target"]))
        rows.append([*words, _answer(item, "a"), _answer(item, "b")])
    total = pair["items_total"]
    more = f"; the first {len(shown)}, more in --json" if total > len(shown) else ""
    return f"right in only one of the two: {total} items{more}\n{grid(rows)}"


def _answer(item: Mapping[str, Any], side: str) -> str:
    outcome, answer = item[f"outcome_{side}"], item[f"answer_{side}"]
    return outcome if answer is None else f"{outcome}: {printable(answer, WIDE)}"


def signed(value: float | None) -> str:
    """Return a difference with its sign; a dash where it is undefined."""
    return "–" if value is None else f"{value:+.3f}".replace("-", "−")


def span(low: float | None, high: float | None) -> str:
    """Return an interval; a dash where it is undefined."""
    return "–" if low is None or high is None else f"{low:.3f} – {high:.3f}".replace("-", "−")


def chance(p: float | None) -> str:
    """Return a p with two significant digits; a dash where it is undefined."""
    if p is None:
        return "–"
    return "< 0.0001" if p < 0.0001 else f"{p:.2g}"


def plan(result: Mapping[str, Any]) -> str:
    """Return how many items each question takes, and what the numbers rest on."""
    if result["pilot"] is not None:
        basis = f"pilot: {', '.join(map(printable, result['pilot']))}"
    else:
        source = {"dataset": result["dataset"]} if result["dataset"] else {}
        settings = {**source, **result["config"]}
        basis = printable(" ".join(f"{key}={value}" for key, value in settings.items()), 1000)
    head = (
        f"{result['plugin']} · {result['metric']} · d={result['d']:g} · power={result['power']:g} · "
        f"alpha={result['alpha']:g}\n{basis}"
    )
    rows = [["question", "case", "discordant", "items", "decided by", "± half width"]]
    for row in result["rows"]:
        half, many = number(row["half_width"]), number(row["discordant"])
        rows.append([row["question"], row["case"], many, str(row["n"]), row["decided_by"], half])
    parts = [head, grid(rows)]
    if result["designs"]:  # many items once, or few items often
        rows = [
            ["items", "answers to each", "± half width", "power, one model", "power, two models"]
        ]
        for design in result["designs"]:
            counts = (str(design[key]) for key in ("items", "repeats"))
            shares = (number(design[key]) for key in ("half_width", "power", "power_paired"))
            rows.append([*counts, *shares])
        parts.append(
            f"{result['calls']} answers of a model, to see d={result['d']:g}\n{grid(rows)}"
        )
    notes = "\n".join(paragraph(f"- {printable(line, 1000)}") for line in result["assumptions"])
    return "\n\n".join([*parts, notes])
