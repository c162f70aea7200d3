"""How comparisons and plans read in a terminal."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from harness.cli.tables import grid
from harness.core.facts import printable

ITEMS = 20  # on which two series differ; up to 1,000 are in --json
WIDE = 40  # characters of an answer, a target, the features of an item


def compare(found: Mapping[str, Any]) -> str:
    """Return a table of the series, then of every pair with the items on which the two differ."""
    rows = [["series", "answers", "unparsed", "unscored"]]
    rows += [
        [printable(one["label"], 80), str(one["n"]), number(one["unparsed"]), str(one["unscored"])]
        for one in found["series"]
    ]
    count = found["comparisons"]
    tests = "1 comparison" if count == 1 else f"{count} comparisons"
    head = f"{found['plugin']} · {len(found['series'])} series · {tests}, p after Holm over all of them"
    parts = [f"{head}\n\n{grid(rows)}"]
    for pair in found["pairs"]:
        parts += _pair(pair, found["headline"])
    return "\n\n".join(parts)


def _pair(pair: Mapping[str, Any], headline: str) -> Iterator[str]:
    unparsed = f"unparsed: A {number(pair['unparsed_a'])}, B {number(pair['unparsed_b'])}"
    left = f", {pair['unscored']} unscored left out" if pair["unscored"] else ""
    shared = f", {pair['sources']} sources" if pair["sources"] is not None else ""
    yield (
        f"A: {printable(pair['a'], 80)}\nB: {printable(pair['b'], 80)}\n"
        f"{pair['n']} items that both answered{left}{shared}; {unparsed}"
    )
    rows = [["metric", "A", "B", "B − A", "95 % interval", "p", "p (Holm)", "n", "test"]]
    rows += [_metric(one) for one in pair["metrics"]]
    notes = [f"{printable(one['metric'], 80)}: {one['verdict']}" for one in pair["metrics"]]
    if pair["undefined"]:
        notes.append(f"not defined for these items: {', '.join(pair['undefined'])}")
    notes += _left_out(pair["not_compared"])
    right = pair["right"]
    notes.append(
        f"right by {headline}: both {right['both']}, only A {right['only_a']}, "
        f"only B {right['only_b']}, neither {right['neither']}"
    )
    yield grid(rows) + "\n\n" + "\n".join(notes)
    if pair["items"]:
        yield _items(pair)


def _left_out(found: Sequence[Mapping[str, str]]) -> Iterator[str]:
    """Yield a line for each metric that could show nothing new, and one for all that are too many."""
    beyond = [one for one in found if one["why"].startswith("beyond")]
    for one in found:
        if one not in beyond:
            yield f"{printable(one['metric'], 80)}: {printable(one['why'], 120)}; not compared"
    if beyond:
        names = ", ".join(printable(one["metric"], 80) for one in beyond)
        yield f"not compared, {beyond[0]['why']}: {names}"


def _metric(one: Mapping[str, Any]) -> list[str]:
    name = printable(one["metric"], 80)
    return [
        f"{name} (hard labels)" if len(one["hard_labels"]) == 2 else name,
        number(one["a"]), number(one["b"]), signed(one["difference"]),
        span(one["ci_low"], one["ci_high"]), chance(one["p"]), chance(one["p_holm"]), str(one["n"]),
        one["test"] or "–",
    ]  # fmt: skip


def _items(pair: Mapping[str, Any]) -> str:
    shown = pair["items"][:ITEMS]
    rows = [["item", "features", "target", "A", "B"]]
    rows += [
        [
            printable(one["id"], WIDE),
            printable(" ".join(f"{key}={value}" for key, value in one["features"].items()), WIDE),
            printable(one["target"], WIDE),
            _answer(one, "a"),
            _answer(one, "b"),
        ]
        for one in shown
    ]
    total = pair["items_total"]
    more = f"; the first {len(shown)}, more in --json" if total > len(shown) else ""
    return f"right in only one of the two: {total} items{more}\n{grid(rows)}"


def _answer(one: Mapping[str, Any], side: str) -> str:
    outcome, answer = one[f"outcome_{side}"], one[f"answer_{side}"]
    return outcome if answer is None else f"{outcome}: {printable(answer, WIDE)}"


def number(value: float | None) -> str:
    """Return a number with three digits after the point; a dash where it is undefined."""
    return "–" if value is None else f"{value:.3f}"


def signed(value: float | None) -> str:
    """Return a difference with its sign; a dash where it is undefined."""
    return "–" if value is None else f"{value:+.3f}".replace("-", "−")


def span(low: float | None, high: float | None) -> str:
    """Return an interval; a dash where it is undefined."""
    return "–" if low is None or high is None else f"{low:.3f} – {high:.3f}".replace("-", "−")


def chance(p: float | None) -> str:
    """Return a p with two digits that count; a dash where it is undefined."""
    if p is None:
        return "–"
    return "< 0.0001" if p < 0.0001 else f"{p:.2g}"


def plan(found: Mapping[str, Any]) -> str:
    """Return how many items each question takes, and what the numbers rest on."""
    if found["pilot"] is not None:
        told = f"pilot: {', '.join(printable(path) for path in found['pilot'])}"
    else:
        given = {"dataset": found["dataset"]} if found["dataset"] else {}
        told = printable(
            " ".join(f"{k}={v}" for k, v in {**given, **found["config"]}.items()), 1000
        )
    head = (
        f"{found['plugin']} · {found['metric']} · d={found['d']:g} · power={found['power']:g} · "
        f"alpha={found['alpha']:g}\n{told}"
    )
    rows = [["question", "case", "discordant", "items", "decided by", "± half width"]]
    rows += [
        [
            one["question"],
            one["case"],
            number(one["discordant"]),
            str(one["n"]),
            one["decided_by"],
            number(one["half_width"]),
        ]
        for one in found["rows"]
    ]
    notes = "\n".join(f"- {printable(line, 1000)}" for line in found["assumptions"])
    return f"{head}\n\n{grid(rows)}\n\n{notes}"
