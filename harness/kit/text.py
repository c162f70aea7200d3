"""How the report of `harness check` reads on a terminal: one line a check, and below a failed one why."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from harness.core.facts import printable

_LONG = 600  # characters of a message


def text(found: Mapping[str, Any]) -> str:
    """Return the checks one a line; of those that failed also the item, the input, the rule and its paragraph."""
    lines = [line for check in found["checks"] for line in _lines(check)]
    end = f"{len(found['failures'])} checks failed" if found["failures"] else "conforms"
    return "\n".join([*lines, f"{found['plugin']} {found['version']}".strip() + f": {end}"])


def _lines(check: Mapping[str, Any]) -> Iterator[str]:
    if not check["failure"]:
        yield f"ok    {check['name']}: {check['note']}"
        return
    yield f"FAIL  {check['name']}: {printable(check['failure'], _LONG)}"
    parts = {
        "item": _item(check["item"]),
        "input": None if check["input"] is None else _quoted(check["input"]),
        "rule": check["rule"],
        "see": check["link"],
    }
    for name, said in parts.items():
        if said is not None:
            yield f"      {name:<6} {said}"


def _item(item: Mapping[str, Any] | None) -> str | None:
    if item is None:
        return None
    if item["id"] is None:
        return f"{item['index']} (there is none yet)"
    return f"{item['index']}, {item['id']}: {_quoted(item['prompt'])}"


def _quoted(said: str) -> str:
    """Return foreign text in one line that cannot steer a terminal."""
    return printable(" ".join(said.split()) or repr(said))
