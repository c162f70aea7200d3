"""What proves the label of a sentence, for `harness_proof`: which words are which action, and who acts.

What forms mean the checker knows, from readers who had not seen a formula.
"""

from __future__ import annotations

import re
from typing import Any

from harness import Item
from harness_vltl.certificate import actions
from harness_vltl.scenarios import scenario


def prove(item: Item) -> dict[str, Any] | None:
    """Return what a checker needs beside prompt and label; None where it does not know how to judge."""
    stated, task = item.certificate, item.problem["task"]
    if task == "verify":
        return {}
    if not stated or "derivation" not in stated:
        return None
    world = scenario.known(str(item.features.get("scenario")))
    agents = world.agents if world else ()
    named = (who for who in agents if re.search(rf"\b[Tt]he {who}\b", stated["lifted"]))
    proof: dict[str, Any] = {"agent": next(named, "agent")}
    if task != "translate":
        source = f"scenario {item.problem['scenario']}"
        proof |= {"scenario": item.problem["scenario"], "words": _words(stated, source)}
    return proof


def _words(stated: dict[str, Any], source: str) -> dict[str, list[str]]:
    """Return the action that the words of each mention are, and who says so."""
    named = actions(stated)
    return {
        " ".join(stated["tokens"][start:end]).rstrip(",.;:"): [named[name], source]
        for name, mentions in stated["spans"].items()
        for start, end in mentions
    }
