"""The page that says what the conformance kit and the bare verifiers were found to be, from measured rows."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from harness_reasoning_gym.measure import CHECKS, ELSEWHERE, JUNK, SAME

Row = Mapping[str, Any]


def written(rows: Sequence[Row], n: int, facts: Mapping[str, str]) -> str:
    """Return the page in Markdown."""
    versions = ", ".join(f"{name} {version}" for name, version in facts.items() if name != "date")
    parts = [
        "# What the conformance kit finds of reasoning-gym's datasets",
        f"Made by `python -m harness_reasoning_gym.measure out=docs/reasoning-gym.md n={n}` on {facts['date']} with "
        f"{versions}; not written by hand. {len(rows)} datasets, {n} items of each in its default settings, through "
        "the adapter in [examples/reasoning_gym](../examples/reasoning_gym/README.md). What each check demands: "
        "[conformance.md](conformance.md).",
        *_of_all(rows),
        *_counts(rows),
        *_kit(rows),
        *_bare(rows),
    ]
    return "\n\n".join(parts) + "\n"


def _of_all(rows: Sequence[Row]) -> list[str]:
    made = [row for row in rows if not {"time", "generate"} & set(row["failures"])]
    everywhere = [name for name in SAME if all(name in row["failures"] for row in made)]
    return [
        "## What holds for all of them",
        f"The checks {', '.join(f'`{name}`' for name in everywhere)} fail for every dataset, and are left out below: "
        "a question cannot be read back into a problem, the only engine is the generator itself (so that no "
        "label is confirmed by anybody), and there is no certificate. Their items are as good as the code "
        "that made them. `harness/reference` cannot answer them either.",
    ]


def _own(row: Row) -> dict[str, str]:
    none = row["raw"].get("without")  # of an answer that is not there the prompt tells nothing
    return {
        name: said
        for name, said in row["failures"].items()
        if name not in SAME and not (none and name == "leak")
    }


def _counts(rows: Sequence[Row]) -> list[str]:
    table = ["| check | datasets that fail it |", "| --- | --- |"]
    names = ["time", "generate", ELSEWHERE, *(name for name in CHECKS if name not in SAME)]
    for name in names:
        failing = [row["task"] for row in rows if name in _own(row)]
        if failing:
            table.append(f"| `{name}` | {len(failing)}: {', '.join(failing)} |")
    clean = [row["task"] for row in rows if not _own(row)]
    return [
        "## By check",
        "\n".join(table),
        f"{len(clean)} of {len(rows)} pass everything else: {', '.join(clean) or 'none'}.",
    ]


def _kit(rows: Sequence[Row]) -> list[str]:
    table = ["| dataset | check | what was found |", "| --- | --- | --- |"]
    for row in rows:
        for name, said in _own(row).items():
            table.append(f"| {row['task']} | `{name}` | {_cell(said)} |")
    return [
        "## By dataset",
        "`leak` says that the target stands in the prompt: for answers of a digit or a word out of a list that is "
        "no fault. `prefixes` says that a shorter number is as good, as verifiers round. `seeds` says that the "
        "dataset has few questions. `values` and `target` fail where entries come without an answer. `time` says "
        "that all checks together took too long: a verifier that takes seconds for an answer, for one.",
        "\n".join(table),
    ]


def _bare(rows: Sequence[Row]) -> list[str]:
    head = (
        "dataset",
        "gold",
        "no gold",
        "no answer",
        "hedge",
        "another's",
        "runs answers",
        "global chance",
        "raised",
    )
    table = [_line(head), _line(["---"] * len(head))]
    for row in rows:
        raw = row["raw"]
        if "gold" not in raw:
            table.append(_line([row["task"], _cell(raw.get("error", "not measured")), *[""] * 7]))
            continue
        cells = [
            raw["gold"],
            raw["without"] or "",
            raw["junk"] or "",
            raw["hedge"] or "",
            raw["foreign"] or "",
        ]
        flags = [
            "yes" if raw["evaluates"] else "",
            "yes" if raw["global"] else "",
            _cell(raw["raised"] or ""),
        ]
        if cells != [1.0, "", "", "", ""] or any(flags):
            table.append(_line([row["task"], *map(_number, cells), *flags]))
    full = [
        f"Full marks for {what}: {', '.join(_full(rows, key)) or 'none'}."
        for key, what in (
            ("junk", "no answer"),
            ("hedge", "a hedge"),
            ("foreign", "another entry's answer"),
        )
    ]
    shifted = sum(bool(row["raw"].get("neighbours")) for row in rows)
    junk = ", ".join("nothing" if one is None else f"`{one!r}`" for one in JUNK)
    return [
        "## The bare verifiers",
        "What `score_answer` itself gives, without the adapter's reading of answers; only datasets of which there is "
        "something to say. **gold**: the least that the dataset's own answer gets. **no gold**: entries without an "
        f'answer. **no answer**: the most for one of {junk}. **hedge**: the most for "A or B", one of them right, '
        "the other another entry's. **another's**: the most for another entry's answer (which may be right: where "
        "a few words are all there is, or several answers are). **runs answers**: whether words of the answer "
        "reached `eval`; the adapter keeps such answers away from it (`fence.py`). **global chance**: whether the "
        "question depends on Python's or NumPy's global generator; the adapter seeds both. **raised**: what the "
        "verifier raised on one of all these.",
        "\n".join(table),
        " ".join(full),
        f"In {shifted} of {len(rows)} datasets entry 1 of seed s is entry 0 of seed s+1 (`Random(seed + index)`), so "
        "that neighbouring seeds share all entries but one. The adapter gives each item a seed of its own, of 63 "
        "bits.",
    ]


def _full(rows: Sequence[Row], key: str) -> list[str]:
    return [row["task"] for row in rows if (row["raw"].get(key) or 0) >= 1]


def _line(cells: Iterable[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _number(value: Any) -> str:
    return f"{value:.3g}" if isinstance(value, float) else str(value)


def _cell(said: str) -> str:
    """Return a message that may hold anything as one cell of a table."""
    kept = " ".join(re.sub(r"[|`<>\\]", " ", said).split())
    return kept if len(kept) <= 160 else f"{kept[:160]}…"
