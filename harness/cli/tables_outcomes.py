"""How it reads in a terminal what a run used, what failed, and what several answers to each item tell."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from harness.cli.colour import alarm
from harness.core.facts import printable

# Why nobody could read an answer, by the reason in its score.
_WHY = {
    "refusal": "refused",
    "cut_off": "cut off",
    "no_response": "empty",
    "invalid_response_format": "unreadable",
}


def lines(result: Mapping[str, Any]) -> list[str]:
    """Return what was used, why answers are unparsed, and what failed: a line for each that there is."""
    shown = [f"used: {model}: {used(counts)}" for model, counts in result["usage"].items()]
    if result["unparsed"] is not None:
        shares = [f"{_WHY.get(why, why)} {x:.1%}" for why, x in result["unparsed_by"].items()]
        why = f" ({', '.join(shares)})" if shares else ""
        shown.append(
            f"unparsed: {result['unparsed']:.1%} of the scored answers could not be read{why}"
        )
    if unscored := result["unscored"]:
        share = f"{unscored} of {result['n']} items ({unscored / result['n']:.1%})"
        shown.append(alarm(f"WARNING: {share} could not be scored and are left out of all means:"))
    elif result["errors"]:
        line = "WARNING: some samples failed; their items are judged by the remaining samples:"
        shown.append(alarm(line))
    return shown + [f"  {printable(line, 1000)}" for line in result["errors"]]


def used_in_all(results: Sequence[Mapping[str, Any]]) -> list[str]:
    """Return what each model used in several runs together."""
    from harness.run.models import total  # slow to import, and there by now

    spent = total(result["usage"] for result in results)
    return [f"used in all: {model}: {used(counts)}" for model, counts in spent.items()]


def used(usage: Mapping[str, float | None]) -> str:
    """Return the tokens that a model read and wrote, and their price where it is known."""
    read = [usage[f"input_tokens{kind}"] for kind in ("", "_cache_read", "_cache_write")]
    known = [count for count in read if count is not None]
    counts = (sum(known) if read[0] is not None else None, usage["output_tokens"])
    words = ["unknown" if count is None else f"{count:,}" for count in counts]
    price = "" if usage["total_cost"] is None else f", {usage['total_cost']:.4f} USD"
    return f"{words[0]} tokens in, {words[1]} out{price}"


_SPREAD = {
    "agreement": "pairs of answers to an item that agree",
    "variance_within": "variance within items",
    "variance_between": "variance between items",
}


def repeats_rows(result: Mapping[str, Any]) -> list[tuple[str, Mapping[str, float | None]]]:
    """Return name and interval of each number, pass@k and pass^k last; nothing where items have one answer."""
    repeats = result["repeats"]
    if repeats is None:
        return []
    share = result["metrics"].get(repeats["right"], {}).get("value")
    numbers = [(name, repeats[key]) for key, name in _SPREAD.items()]
    for sign, key in (("@", "pass_at"), ("^", "pass_all")):
        for k, chance in repeats[key].items():
            if k != "1" or chance["value"] != share:
                numbers.append((f"pass{sign}{k}", chance))
    return numbers


def repeats_title(result: Mapping[str, Any]) -> str:
    """Return how often items were asked, and what is right."""
    repeats = result["repeats"]
    return (
        f"{repeats['epochs']} answers to each item, right where {repeats['right']} is 1; pass@k: one of k answers "
        "is right, pass^k: all of them are"
    )
