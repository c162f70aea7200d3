"""Conformance check of traces: they hold, they score as right, and every change in one is found.

The tests of plugins use `mutants`, too.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from random import Random

from harness.datasets import solution
from harness.kit.kit import Failure, Kit, failing, short

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
    for match in _NUMBER.finditer(text):
        more = str(int(match[0]) + 1).zfill(len(match[0]))
        yield f"number {match[0]} → {more}", _replaced(text, match, more)
    for match in _WORD.finditer(text):
        yield f"word {match[0]} → {_OTHER[match[0]]}", _replaced(text, match, _OTHER[match[0]])
    for match in _ENTRY.finditer(text):
        yield f"entry left out: {short(match[0])}", _replaced(text, match, "")
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


def _replaced(text: str, match: re.Match[str], by: str) -> str:
    return text[: match.start()] + by + text[match.end() :]


def traces(kit: Kit) -> str:
    """A trace is re-read without a finding and scores as right, and whatever is changed in it is found."""
    if not kit.plugin.has("reread"):
        return "has no traces"
    looked_at = kit.items[:ITEMS]
    traced = []
    for item in looked_at:
        with failing(item):
            text = solution.text_of(kit.plugin, item)
            wrong = [] if text is None else solution.findings(kit.plugin, item, text)
        if wrong:
            raise Failure(f"its trace does not hold: {short(wrong[0])}", item, text)
        if text is not None:
            traced.append((item, text))
    changed, missed = 0, list[Failure]()
    for item, text in traced[:MUTATED]:
        other = next((one.target for one in kit.items if one.target != item.target), "")
        every = list(mutants(text, other))
        drawn = Random(item.id).sample(every, min(MUTANTS, len(every)))
        changed += len(drawn)
        with failing(item):
            missed += [
                Failure(f"reread() does not see a change in the trace: {what}", item, mutant)
                for what, mutant in drawn
                if not solution.findings(kit.plugin, item, mutant)
            ]
    if len(missed) > HARMLESS * changed:
        raise missed[0]
    found = f"{changed - len(missed)} of {changed} changes found"
    return f"{len(traced)} of {len(looked_at)} items have one, {found}"
