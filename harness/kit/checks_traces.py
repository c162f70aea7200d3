"""Conformance check of traces: they hold, they score as right, and what is changed in one is found.

See `harness.kit.checks_items` for how checks work. `mutants` is what plugins' own tests use, too.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from random import Random

from harness_errors import HarnessError

from harness.core.items import Item
from harness.kit.kit import Failure, Kit, short
from harness.training import traces

ITEMS = 20  # whose traces are looked at
MUTATED = 8  # of these, whose traces are changed
MUTANTS = 40  # of each, drawn among all there are
HARMLESS = 0.02  # share of changes that may pass: what is said otherwise may be so, too

_PAIRS = (
    ("true", "false"), ("True", "False"), ("yes", "no"), ("satisfied", "violated"),
    ("holds", "fails"), ("every", "some"), ("always", "never"), ("accepted", "rejected"),
)  # fmt: skip
_OTHER = {**dict(_PAIRS), **{b: a for a, b in _PAIRS}}
_WORD = re.compile(rf"\b(?:{'|'.join(_OTHER)})\b")
_NUMBER = re.compile(r"[0-9]+")
_ENTRY = re.compile(r", [^,;.\n]+(?=[,;.\n])")


def mutants(text: str, other: str = "") -> Iterator[tuple[str, str]]:
    """Yield changes of a trace, each as what was changed and the text with that one change.

    A number is one more, a word is its opposite, an entry of a list or a line is left out, a line stands twice,
    two lines change places, the answer is ``other`` (where one is given).
    """
    for found in _NUMBER.finditer(text):
        more = str(int(found[0]) + 1).zfill(len(found[0]))
        yield f"number {found[0]} → {more}", _replaced(text, found, more)
    for found in _WORD.finditer(text):
        yield f"word {found[0]} → {_OTHER[found[0]]}", _replaced(text, found, _OTHER[found[0]])
    for found in _ENTRY.finditer(text):
        yield f"entry left out: {short(found[0])}", _replaced(text, found, "")
    lines = text.split("\n")
    for at, line in enumerate(lines):
        if not line.strip():
            continue
        yield f"line {at + 1} left out", "\n".join(lines[:at] + lines[at + 1 :])
        yield f"line {at + 1} twice", "\n".join(lines[: at + 1] + lines[at:])
        if at + 1 < len(lines) and lines[at + 1] != line:
            swapped = [*lines[:at], lines[at + 1], line, *lines[at + 2 :]]
            yield f"lines {at + 1} and {at + 2} swapped", "\n".join(swapped)
    if other and lines[-1] != f"Answer: {other}":
        yield f"answer → {short(other)}", "\n".join([*lines[:-1], f"Answer: {other}"])


def _replaced(text: str, found: re.Match[str], by: str) -> str:
    return text[: found.start()] + by + text[found.end() :]


def check(kit: Kit) -> str:
    """Traces are re-read without a finding and score as right; whatever is changed in one is found."""
    if not kit.plugin.has("reread"):
        return "has no traces"
    told = [(item, text) for item in kit.items[:ITEMS] if (text := _text(kit, item)) is not None]
    for item, text in told:
        for wrong in _findings(kit, item, text):
            raise Failure(f"its trace does not hold: {short(wrong)}", item, text)
    changed, missed = 0, list[Failure]()
    for item, text in told[:MUTATED]:
        count, own = _mutate(kit, item, text)
        changed += count
        missed += own
    if len(missed) > HARMLESS * changed:
        raise missed[0]
    return (
        f"{len(told)} of {len(kit.items[:ITEMS])} items have one, {changed - len(missed)} of {changed} "
        "changes found"
    )


def _mutate(kit: Kit, item: Item, text: str) -> tuple[int, list[Failure]]:
    """Change a trace in many ways; return in how many, and those that were not found."""
    targets = [one.target for one in kit.items if one.target != item.target]
    every = list(mutants(text, targets[0] if targets else ""))
    drawn = Random(item.id).sample(every, min(MUTANTS, len(every)))
    missed = [
        Failure(f"reread() does not see a change in the trace: {what}", item, mutant)
        for what, mutant in drawn
        if not _findings(kit, item, mutant)
    ]
    return len(drawn), missed


def _text(kit: Kit, item: Item) -> str | None:
    try:
        return traces.text_of(kit.plugin, item)
    except HarnessError as error:
        raise Failure(str(error), item) from error


def _findings(kit: Kit, item: Item, text: str) -> list[str]:
    try:
        return traces.findings(kit.plugin, item, text)
    except HarnessError as error:
        raise Failure(str(error), item) from error
