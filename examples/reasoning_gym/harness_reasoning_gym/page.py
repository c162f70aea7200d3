"""The page that says what the conformance kit and the bare verifiers were found to be, from measured rows."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from harness_reasoning_gym.measure import CHECKS, ELSEWHERE, JUNK, SAME

Row = Mapping[str, Any]
MEANINGS = {
    "time": "all checks together took too long",
    "generate": "no items could be made",
    ELSEWHERE: "items differ in another process",
    "values": "entries come without an answer",
    "target": "entries come without an answer",
    "seeds": "the dataset has few questions",
    "prefixes": "an answer that is cut off scores full marks, mostly a number that verifiers round",
    "leak": "the target stands in the prompt, no fault where it is a digit or a word out of a list",
}
"""What a check that fails says of such a dataset, where the name of the check does not."""

LEAST = 0.5  # what a verifier gives where its dataset is named


def written(rows: Sequence[Row], n: int, facts: Mapping[str, str]) -> str:
    """Return the page in Markdown."""
    versions = ", ".join(f"{name} {version}" for name, version in facts.items() if name != "date")
    parts = [
        "# What the conformance kit finds of reasoning-gym's datasets",
        f"Made by `python -m harness_reasoning_gym.measure out=docs/reasoning-gym.md n={n}` on {facts['date']} with "
        f"{versions}: {len(rows)} datasets, {n} items of each in its default settings, through the adapter in "
        "[examples/reasoning_gym](../examples/reasoning_gym/README.md).",
        *_kit(rows),
        *_bare(rows),
    ]
    return "\n\n".join(parts) + "\n"


def _kit(rows: Sequence[Row]) -> list[str]:
    generated = [row for row in rows if not {"time", "generate"} & set(row["failures"])]
    everywhere = [name for name in SAME if all(name in row["failures"] for row in generated)]
    by_outcome: dict[tuple[str, tuple[str, ...]], list[str]] = {}
    for name in ["time", "generate", ELSEWHERE, *(name for name in CHECKS if name not in SAME)]:
        failing = tuple(row["task"] for row in rows if name in _own(row))
        by_outcome.setdefault((MEANINGS.get(name, ""), failing), []).append(f"`{name}`")
    lines = [
        f"- {', '.join(names)}{f' ({meaning})' if meaning else ''}, {len(failing)}: {', '.join(failing)}"
        for (meaning, failing), names in by_outcome.items()
        if failing
    ]
    clean = sum(not _own(row) for row in rows)
    return [
        "## The conformance kit",
        f"The checks {', '.join(f'`{name}`' for name in everywhere)} fail for every dataset: a question cannot be "
        "read back into a problem, only the generator itself knows the answer, and there is no certificate. The "
        "datasets that fail another [check](conformance.md):",
        "\n".join(lines),
        f"{clean} of {len(rows)} pass everything else.",
    ]


def _own(row: Row) -> set[str]:
    """Return the checks that fail for a dataset and not for all."""
    none = row["raw"].get("without")  # of an answer that is not there the prompt tells nothing
    return {name for name in row["failures"] if name not in SAME and not (none and name == "leak")}


def _bare(rows: Sequence[Row]) -> list[str]:
    junk = ", ".join("nothing" if text is None else f"`{text!r}`" for text in JUNK)
    measured = [row for row in rows if "gold" in row["raw"]]
    lines = [
        f"- the most for no answer (one of {junk}): {_scores(measured, 'junk')}",
        '- the most for a hedge, "A or B", one of them another entry\'s answer: '
        + _scores(measured, "hedge"),
        "- the most for another entry's answer (right where a few words are all there is, or several answers are): "
        f"{_scores(measured, 'foreign')}",
        "- less than 1 for the dataset's own answer: "
        + _some(measured, lambda raw: raw["gold"] < 1, lambda raw: f" {_number(raw['gold'])}"),
        "- words of the answer reach `eval`, from which the adapter keeps them (`fence.py`): "
        + _some(measured, lambda raw: raw["evaluates"]),
        "- the question depends on Python's or NumPy's global generator, which the adapter seeds: "
        + _some(measured, lambda raw: raw["global"]),
        "- raised an error: "
        + _some(measured, lambda raw: raw["raised"], lambda raw: f" ({_cell(raw['raised'])})"),
    ]
    if failed := [row for row in rows if "gold" not in row["raw"]]:
        why = "; ".join(f"{row['task']}: {_cell(row['raw'].get('error', '?'))}" for row in failed)
        lines.append(f"- not measured: {why}")
    shifted = sum(bool(row["raw"].get("neighbours")) for row in rows)
    return [
        "## The bare verifiers",
        "What `score_answer` gives, without the adapter's reading of answers (datasets where it gives half or more):",
        "\n".join(lines),
        f"In {shifted} of {len(rows)} datasets entry 1 of seed s is entry 0 of seed s+1 (`Random(seed + index)`).",
    ]


def _scores(rows: Iterable[Row], key: str) -> str:
    """Return the datasets whose verifier gives half or more, the highest first, and how many give less."""
    scoring = sorted((row for row in rows if row["raw"][key]), key=lambda row: -row["raw"][key])
    named = _some(scoring, lambda raw: raw[key] >= LEAST, lambda raw: f" {_number(raw[key])}")
    less = sum(row["raw"][key] < LEAST for row in scoring)
    return f"{named}; {less} more give less" if less else named


def _some(
    rows: Iterable[Row],
    wanted: Callable[[Any], Any],
    shown: Callable[[Any], str] = lambda raw: "",
) -> str:
    """Return the datasets of which something holds, each with what is shown of it."""
    return (
        ", ".join(f"{row['task']}{shown(row['raw'])}" for row in rows if wanted(row["raw"]))
        or "none"
    )


def _number(value: Any) -> str:
    return f"{value:.3g}" if isinstance(value, float) else str(value)


def _cell(message: str) -> str:
    """Return a message that may hold anything as a short text without marks of Markdown."""
    kept = " ".join(re.sub(r"[|`<>\\]", " ", message).split())
    return kept if len(kept) <= 160 else f"{kept[:160]}…"
