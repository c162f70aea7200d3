"""The complete certificate of a label, for `harness_proof`: a lasso, or a table of obligations.

With it go the item's contrast, and the chance that a random walk violates a False hypothesis.

Nothing here is trusted: what is written is proved by the checker, from the prompt, or it is refuted.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from harness_logic import obligations
from harness_proof import graph_paths, ltlbench
from harness_proof.outcomes import UncheckedError

from harness import Abstained, Item
from harness_ltlbench import walks
from harness_ltlbench.engines import tableau


def prove(item: Item) -> dict[str, Any] | None:
    """Return the certificate; None where it would be too large, or the prompt is not the checker's."""
    try:
        question, stated = ltlbench.read(item.prompt), item.certificate or {}
        label = item.target == "True"
        proof = obligations.table(question) if label else _path(item, stated)
        if proof is None:
            return None
        added = {"contrast": stated.get("contrast"), "walk": _walk(item, question, stated)}
        return {**proof, **{key: part for key, part in added.items() if part is not None}}
    except (UncheckedError, Abstained):
        return None


def _path(item: Item, stated: Mapping[str, Any]) -> Mapping[str, Any] | None:
    return stated.get("violation") or tableau.check(item.problem).violation


def _walk(
    item: Item, question: graph_paths.Question, stated: Mapping[str, Any]
) -> dict[str, Any] | None:
    """Return the table of how likely a walk violates the hypothesis, if the item states it."""
    if stated.get("walk") is None:
        return None
    parts, _ = obligations.listed(question.formulas, [question.formula ^ 1])
    chance = Fraction(stated["walk"])
    return {
        "chance": [chance.numerator, chance.denominator],
        "formulas": parts,
        "entries": walks.entries(item.problem, parts),
    }
