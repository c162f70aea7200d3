"""What proves the label of a sentence, for `harness_proof`: which words are which action, formulas written otherwise.

What forms mean the checker knows, from readers who had not seen a formula. Where a template says the same in another
way, a table proves that it is the same. Nothing here is trusted.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Any

from harness_logic import obligations
from harness_proof import vltl, words
from harness_proof.outcomes import UncheckedError

from harness import Item
from harness_vltl.certificate import actions
from harness_vltl.formulas.formula import substitute, text
from harness_vltl.problem import TRANSLATED, is_finite
from harness_vltl.scenarios import scenario
from harness_vltl.templates import definitions


def prove(item: Item) -> dict[str, Any] | None:
    """Return what a checker needs beside prompt and label; None where it does not know how to judge."""
    stated, task = item.certificate, item.problem["task"]
    if task == "verify":
        return {}
    if not stated or "derivation" not in stated:
        return None
    world = scenario.known(str(item.features.get("scenario")))
    named = (
        (who for who in world.agents if re.search(rf"\b[Tt]he {who}\b", stated["lifted"]))
        if world
        else iter(())
    )
    proof: dict[str, Any] = {"agent": next(named, "agent")}
    if task != "translate":
        source = f"scenario {item.problem['scenario']}"
        proof |= {"scenario": item.problem["scenario"], "words": _words(stated, source)}
    try:
        forms = _otherwise(item, proof["agent"]) if task in TRANSLATED else {}
    except UncheckedError:  # words of another style
        return None
    return None if forms is None else {**proof, "forms": forms}


def _words(stated: dict[str, Any], source: str) -> dict[str, list[str]]:
    """Return the action that the words of each mention are, and who says so."""
    named = actions(stated)
    return {
        " ".join(stated["tokens"][start:end]).rstrip(",.;:"): [named[name], source]
        for name, mentions in stated["spans"].items()
        for start, end in mentions
    }


def _otherwise(item: Item, agent: str) -> dict[str, Any] | None:
    """Return the forms whose formulas are written otherwise than the checker knows them; None if one is unknown."""
    known = vltl.forms(*words.read("vltl", item.prompt)[0])
    found = {}
    parts = definitions(item.certificate["lifted"])
    for (_, sentence), node in zip(parts, item.certificate["derivation"], strict=True):
        form, places = vltl.formed(sentence, agent)
        letters = {letter: "pqr"[places.index(place)] for letter, place in node["slots"].items()}
        written = text(substitute(node["formula"], letters))
        if form not in known:
            return None
        table = _same(known[form], written, is_finite(item.problem))
        if table is None:
            return None
        if table:
            found[form] = {"formula": written, **table}
    return found


@lru_cache(maxsize=4096)
def _same(formula: str, other: str, finite: bool) -> dict[str, Any] | None:
    """Return the table that two formulas are the same; empty if the checker reads the same; None if it is too large."""
    reader = vltl.Reader(finite)
    if reader.read(formula) == reader.read(other):
        return {}
    return obligations.table(vltl.alike(formula, other, finite))
