"""How it reads in a terminal what several answers to each item tell beside their mean."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

NAMES = {
    "agreement": "pairs of answers to an item that agree",
    "variance_within": "variance within items",
    "variance_between": "variance between items",
}


def rows(result: Mapping[str, Any]) -> list[tuple[str, Mapping[str, float | None]]]:
    """Return name and interval of each number, pass@k and pass^k last; nothing where items have one answer."""
    repeats = result["repeats"]
    if repeats is None:
        return []
    share = result["metrics"].get(repeats["right"], {}).get("value")
    numbers = [(name, repeats[key]) for key, name in NAMES.items()]
    for sign, key in (("@", "pass_at"), ("^", "pass_all")):
        for k, chance in repeats[key].items():
            if k != "1" or chance["value"] != share:
                numbers.append((f"pass{sign}{k}", chance))
    return numbers


def title(result: Mapping[str, Any]) -> str:
    """Return how often items were asked, and what is right."""
    repeats = result["repeats"]
    return (
        f"{repeats['epochs']} answers to each item, right where {repeats['right']} is 1; pass@k: one of k answers "
        "is right, pass^k: all of them are"
    )
