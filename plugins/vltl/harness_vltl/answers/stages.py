"""End-to-end translation in stages: lift, translate, ground; substituting is ours.

Each stage is a prompt of the task of that name, about what the stages before made of the requirement.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

from harness import EngineError, Item, SpecError
from harness_vltl import certificate, wording
from harness_vltl.answers import extraction
from harness_vltl.config import STAGES
from harness_vltl.engines.equivalence import compare, plain
from harness_vltl.formulas.formula import Formula, substitute, text
from harness_vltl.problem import is_finite, problem_of, target_of

_BEGINS = "Replies to the stages: "


def prompt(item: Item, stage: str, replies: Mapping[str, str]) -> str:
    """Return the prompt of a stage.

    Raises:
        SpecError: the item asks for something else than an end-to-end translation.
    """
    if item.problem["task"] != "end_to_end":
        raise SpecError(
            f"strategy=staged is for task=end_to_end, and this item has task={item.problem['task']}"
        )
    world = str(item.features.get("world", "signatures"))
    return wording.prompt(_problem(item, stage, replies), world)


def _problem(item: Item, stage: str, replies: Mapping[str, str]) -> dict[str, Any]:
    lifted = "" if stage == "lift" else _lifted(item, replies["lift"])
    style = item.problem.get("style", "exact")
    where, sentence = item.problem["scenario"], item.problem["sentence"]
    return problem_of(stage, where, sentence, lifted, style, finite=is_finite(item.problem))


def _lifted(item: Item, reply: str) -> str:
    """Return the requirement as a reply lifted it; as it was where that cannot be read."""
    tokens = item.certificate["tokens"]
    question = prompt(item, "lift", {})
    answer = extraction.lifted(reply, question, tokens)
    return certificate.lifted(tokens, answer.value) if answer else item.problem["sentence"]


def gold(item: Item, stage: str) -> str:
    """Return the reply that a perfect model would give to a stage."""
    proof = item.certificate
    actions = certificate.actions(proof)
    return f"Answer: {target_of(stage, proof['lifted'], proof['formula'], actions)}"


def joined(item: Item, replies: Mapping[str, str]) -> str:
    """Return all replies on one line, and behind them the answer they make together, if they can be read."""
    listed = ", ".join(f'"{stage}": {_inert(replies[stage])}' for stage in STAGES)
    kept = f"{_BEGINS}{{{listed}}}"
    formula = _formula(item, replies)
    names = extraction.grounding(replies["ground"], prompt(item, "ground", replies))
    if not isinstance(formula, extraction.Answer) or names is None:
        return f"{kept}\n\nAnswer:"
    return f"{kept}\n\nAnswer: {text(substitute(formula.value, dict(names.value)))}"


def _inert(reply: str) -> str:
    """Return a reply as JSON in which a reader of completions finds no sign of an answer or of thinking.

    A reply's "</think>", "<|im_end|>", "\\boxed{" or "Answer:" would else be taken for the whole's.
    """
    signs = re.compile(r"\\\\|[^\w \"\\()&|>-]")
    return signs.sub(lambda sign: f"\\u{ord(sign[0][0]):04x}", json.dumps(reply))


def marks(item: Item, completion: str) -> dict[str, str | float]:
    """Return which stages of a staged completion are right, the first that is not, and those that cannot be read."""
    first = completion.split("\n", 1)[0]
    if not first.startswith(_BEGINS):
        return {}
    try:
        replies = json.loads(first.removeprefix(_BEGINS))
    except (ValueError, RecursionError):
        return {}
    if not isinstance(replies, dict) or not all(isinstance(replies.get(s), str) for s in STAGES):
        return {}
    try:
        right = {stage: _right(item, stage, replies) for stage in STAGES}
    except EngineError:  # nobody can tell whether that formula is right, the whole has its verdict
        return {}
    broke = next((stage for stage in STAGES if not right[stage]), "nowhere")
    unread = ", ".join(stage for stage in STAGES if right[stage] is None)
    shares = {f"stage_{stage}": float(ok or False) for stage, ok in right.items()}
    return {**shares, "broke_at": broke, **({"unread": unread} if unread else {})}


def _right(item: Item, stage: str, replies: Mapping[str, str]) -> bool | None:
    """Return whether a reply is right; None if it cannot be read."""
    proof = item.certificate
    if stage == "translate":
        formula = _formula(item, replies)
        if not isinstance(formula, extraction.Answer):
            return None
        return compare(proof["formula"], formula.value, finite=is_finite(item.problem)).equivalent
    reply, question = replies[stage], prompt(item, stage, replies)
    if stage == "lift":
        lifted = extraction.lifted(reply, question, proof["tokens"])
        if lifted is None:
            return None
        texts = [certificate.lifted(proof["tokens"], ids) for ids in (lifted.value, proof["ids"])]
        return texts[0] == texts[1]  # the same text may be cut in two ways
    names = extraction.grounding(reply, question)
    if names is None:
        return None
    read, gold = dict(names.value), certificate.actions(proof)
    return read.keys() == gold.keys() and all(plain(read[n]) == plain(gold[n]) for n in gold)


def _formula(
    item: Item, replies: Mapping[str, str]
) -> extraction.Answer[Formula] | extraction.Failure | None:
    """Return the formula of the reply to the second stage."""
    question, known = prompt(item, "translate", replies), item.certificate["propositions"]
    finite = is_finite(item.problem)
    return extraction.formula(replies["translate"], question, known, finite=finite)
