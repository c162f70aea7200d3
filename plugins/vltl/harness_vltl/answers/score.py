"""Judge a completion: right, wrong, unparsable, or not to be scored by us. Formulas: `formula_score`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from harness_answers.markdown import ending
from harness_answers.places import read_at
from harness_answers.text import bounded, quoted

from harness import HarnessError, Item, Verdict
from harness_vltl import certificate, lassos
from harness_vltl.answers import extraction, stages, verdicts
from harness_vltl.answers.formula_score import BrokenItemError, Judged, judge, judge_pair, table
from harness_vltl.engines import evaluator, truth
from harness_vltl.engines.equivalence import plain
from harness_vltl.problem import is_pair
from harness_vltl.published import convention

VALUES = ("correct", "partial")
_SHOWN = 8


def score(item: Item, completion: str) -> Verdict:
    """Judge any text whatever; never raises, and a failure of ours is ``unscored``."""
    reply = completion if isinstance(completion, str) else ""
    try:
        task = item.problem["task"] if isinstance(item.problem, Mapping) else None
        if task not in _TASKS:
            raise BrokenItemError("the item's problem has no task of this benchmark")
        judged = _TASKS[task](item, reply)
        if task == "end_to_end":
            judged.extra.update(stages.marks(item, reply))
        judged.extra.update(convention.figures(item, reply))
    except HarnessError as error:
        reason = str(error)
    except Exception as error:  # whatever fails here is our defect, never the model's answer
        reason = f"{type(error).__name__} while scoring: {error}"
    else:
        return _verdict(item, judged, reply)
    return Verdict("unscored", dict.fromkeys(VALUES, 0.0), None, quoted(reason, 300))


def _verdict(item: Item, judged: Judged, reply: str) -> Verdict:
    if judged.answer is None:
        why = f"**Unparsable**: {judged.why or 'no answer can be read'}. {_ending(judged, reply)}"
        why += f"\n\nGold: {quoted(item.target, 300)}"
        return Verdict("unparsed", dict.fromkeys(VALUES, 0.0), None, bounded(why), judged.extra)
    head = f"**{'Right' if judged.correct else 'Wrong'}**: answered {quoted(judged.answer, 200)}, "
    head += f"gold is {quoted(item.target, 200)}."
    place = read_at(f"Answer: {judged.quote}", reply)
    why = bounded("\n\n".join(part for part in (head, place, judged.why) if part))
    values = {"correct": float(judged.correct), "partial": judged.partial}
    return Verdict("scored", values, judged.answer[:1000], why, judged.extra)


def _ending(judged: Judged, reply: str) -> str:
    if "unread" in judged.extra:
        return f"What cannot be read is the reply to: {judged.extra['unread']}."
    return ending(reply)


# ---------------------------------------------------------------------------------------- lift


def _lift(item: Item, reply: str) -> Judged:
    proof = _proof(item, "tokens", "ids")
    tokens, gold = proof["tokens"], proof["ids"]
    known = sorted({prop for prop in gold if prop})
    if len(tokens) != len(gold) or not known or not all(type(prop) is int for prop in gold):
        raise BrokenItemError("the item's tokens and their numbers do not fit")
    answer = extraction.lifted(reply, item.prompt, tokens)
    if answer is None:
        return Judged(None, False, 0.0, {"iou_sum": 0.0, "iou_of": float(len(known)), "spans": 0.0})
    ids = list(answer.value)
    if certificate.lifted(tokens, ids) == certificate.lifted(tokens, gold):
        ids = gold  # the same text may be cut in two ways
    shares = [_iou(gold, ids, prop) for prop in known]
    correct = ids == gold
    extra: dict[str, str | float] = {
        "iou_sum": sum(shares),
        "iou_of": float(len(known)),
        "spans": float(correct),
        "vote": " ".join(map(str, ids)),
    }
    lines = [
        f"- prop_{prop}: gold {quoted(_words(tokens, gold, prop))}, answered {quoted(_words(tokens, ids, prop))}"
        for prop, share in zip(known, shares, strict=True)
        if share < 1
    ]
    strange = sorted({prop for prop in ids if prop} - set(known))
    lines += [
        f"- prop_{prop} is none, answered {quoted(_words(tokens, ids, prop))}" for prop in strange
    ]
    shown = certificate.lifted(tokens, ids)
    why = "\n".join(lines[:_SHOWN])
    return Judged(shown, correct, sum(shares) / len(shares), extra, why, answer.quote)


def _iou(gold: Sequence[int], answered: Sequence[int], prop: int) -> float:
    """Return the Jaccard index of the tokens that both give to a proposition."""
    pairs = [(a == prop, b == prop) for a, b in zip(gold, answered, strict=True)]
    either = sum(a or b for a, b in pairs)
    return sum(a and b for a, b in pairs) / either if either else 0.0


def _words(tokens: Sequence[str], ids: Sequence[int], prop: int) -> str:
    words = [token for token, number in zip(tokens, ids, strict=True) if number == prop]
    return " ".join(words) or "nothing"


# -------------------------------------------------------------------------- formulas, and others


def _translate(item: Item, reply: str) -> Judged:
    if is_pair(item.problem):
        return judge_pair(item, reply)
    proof = _proof(item, "formula", "satisfying", "violating")
    return judge(item, reply, proof["formula"], proof["satisfying"], proof["violating"], {})


def _end_to_end(item: Item, reply: str) -> Judged:
    proof = _proof(item, "formula", "propositions", "satisfying", "violating")
    names = certificate.actions(proof)
    return judge(item, reply, proof["formula"], proof["satisfying"], proof["violating"], names)


def _ground(item: Item, reply: str) -> Judged:
    proof = _proof(item, "propositions")
    gold = certificate.actions(proof)
    answer = extraction.grounding(reply, item.prompt)
    if answer is None:
        return Judged(
            None, False, 0.0, {"grounded": 0.0, "grounded_of": float(len(gold)), "dictionary": 0.0}
        )
    names = dict(answer.value)
    right = [name for name, action in gold.items() if plain(names.get(name, "")) == plain(action)]
    # a proposition that the sentence has not is no part of the dictionary, but no proposition wrong
    correct = len(right) == len(gold) and set(names) <= set(gold)
    extra: dict[str, str | float] = {
        "grounded": float(len(right)),
        "grounded_of": float(len(gold)),
        "dictionary": float(correct),
        "vote": repr(sorted(names.items()))[:2000],
    }
    lines = [
        f"- {name}, {quoted(proof['propositions'][name]['text'])}: gold {quoted(action)}, "
        f"answered {quoted(names[name]) if name in names else 'nothing'}"
        for name, action in gold.items()
        if name not in right
    ]
    lines += [
        f"- {quoted(name)} is no proposition of the requirement"
        for name in names
        if name not in gold
    ]
    shown = ", ".join(f"{name}: {action}" for name, action in names.items())
    why = "\n".join(lines[:_SHOWN])
    return Judged(shown or "{}", correct, len(right) / len(gold), extra, why, answer.quote)


def _verify(item: Item, reply: str) -> Judged:
    if item.target not in ("satisfied", "violated"):
        raise BrokenItemError("the item's target is neither 'satisfied' nor 'violated'")
    lassos.check(item.problem)
    if truth(evaluator.holds(item.problem["formula"], item.problem["trace"])) != item.target:
        raise BrokenItemError(f"the item is wrong: its trace is not {item.target}")
    answer = verdicts.truth(reply, item.prompt)
    if answer is None:
        return Judged(None, False, 0.0, {"judged": 0.0})
    shown = "satisfied" if answer.value else "violated"
    correct = shown == item.target
    extra: dict[str, str | float] = {"judged": float(correct), "vote": shown}
    return Judged(shown, correct, float(correct), extra, table(item.problem), answer.quote)


_TASKS = {
    "lift": _lift, "translate": _translate, "ground": _ground, "end_to_end": _end_to_end,
    "verify": _verify,
}  # fmt: skip


def _proof(item: Item, *keys: str) -> Mapping[str, Any]:
    proof = item.certificate
    missing = [key for key in keys if not isinstance(proof, Mapping) or not proof.get(key)]
    if missing:
        raise BrokenItemError(f"the item's certificate has no '{missing[0]}'")
    checked: Mapping[str, Any] = proof
    return checked
