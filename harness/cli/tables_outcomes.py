"""How it reads in a terminal what a run used, and what became of the answers that count for nothing."""

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
