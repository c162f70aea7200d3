"""``python problems.py FILE.jsonl``: the certificates of ltlbench as lines that the proved checker reads."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from harness_proof.ltlbench import read


def line(record: Mapping[str, Any]) -> str:
    """Return the problem of an item with its certificate, as ``driver.ml`` describes it.

    Raises:
        UncheckedError: the prompt is not in the words that are known.
        LookupError, TypeError: the certificate is not of the form that proofs.md describes.
    """
    graph, initial, formulas, formula, _ = read(record["prompt"])
    words: list[Any] = [initial, len(graph)]
    for event, followers in graph.items():
        words += [event, *_counted(sorted(followers))]
    words += _formulas(
        [op, left] if op in ("atom", "not", *"XFG") else [op, left, right]
        for op, left, right in formulas.parts[: formula + 1]
    )
    proof = record["proof"]
    if record["target"] != "True":
        words = ["path", *words, *_counted(proof["prefix"]), *_counted(proof["cycle"])]
    else:
        words = ["table", *words, *_formulas(proof["formulas"]), len(proof["entries"])]
        for event, places, rank in proof["entries"]:
            words += [event, *_counted(places), rank]
        words += _counted([-1 if place is None else place for place in proof["promises"]])
    return " ".join(map(str, words))


def _counted(values: Sequence[Any]) -> list[Any]:
    return [len(values), *values]


def _formulas(parts: Iterable[Sequence[Any]]) -> list[Any]:
    listed = [*parts]
    return [len(listed), *(word for part in listed for word in part)]


if __name__ == "__main__":
    with Path(sys.argv[1]).open(encoding="utf-8") as file:
        sys.stdout.writelines(line(record) + "\n" for record in map(json.loads, file))
