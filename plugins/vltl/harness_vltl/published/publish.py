"""Write items as records of the published VLTL-Bench JSONL: the inverse of `adopt`.

A record has one satisfying and one violating trace, both finite, and nine operators; of a suite it holds the first
finite trace of each kind. What needs more (a lasso, weak until, release) cannot be said in it, and no record is
written rather than another item.
"""

from __future__ import annotations

import copy
import json
from collections.abc import Callable, Iterator, Mapping
from itertools import count, islice
from typing import Any

from harness_answers.text import quoted

from harness import DatasetError, HarnessError, Item
from harness_vltl import certificate, lassos, suites
from harness_vltl.answers import lifting
from harness_vltl.config import FORMAT, PAIRS, SCENARIOS
from harness_vltl.engines import evaluator
from harness_vltl.formulas import syntax
from harness_vltl.formulas.formula import Formula, propositions, substitute
from harness_vltl.problem import is_pair
from harness_vltl.published import adopt, pairs
from harness_vltl.scenarios import scenario
from harness_vltl.scenarios.model import Scenario

_WORDS = {
    "!": "not", "X": "next", "F": "finally", "G": "globally", "&": "and", "|": "or",
    "->": "implies", "<->": "double_implies", "U": "until",
}  # fmt: skip
_TRIES = 200


class _UnsayableError(HarnessError):
    """What a published record has no words for."""


def publish(item: Item, format: str, record: Mapping[str, Any]) -> dict[str, Any] | None:  # noqa: A002
    """Return the published record of an item; `adopt` makes the same problem, prompt and target of it.

    Args:
        item: an adopted item, perhaps with another target, or one of our own.
        format: "vltl_jsonl", or "pairs" for an item that was one.
        record: the record that the item was adopted from, or empty. What does not hold the label of the
            item's task stays as it is; nothing is changed where the label is the record's.

    Returns:
        None for another format, and for an item that the format cannot say: with no finite trace of a kind,
        with W, R, M or a constant, with a scenario of one's own, or of task verify with no sentence.
    """
    if format not in (FORMAT, PAIRS) or is_pair(item.problem) is not (format == PAIRS):
        return None
    try:
        if format == PAIRS:
            return pairs.publish(item, record)
        written = _corrected(item, record) if record else _fresh(item)
        return written if _same(item, written) else None
    except (HarnessError, KeyError, TypeError, ValueError, IndexError, AttributeError):
        return None  # an item whose certificate does not hold what a record needs


def _same(item: Item, record: Mapping[str, Any]) -> bool:
    """Tell whether adopting a record gives the item back."""
    back = _adopted(item, record)
    same = (back.problem, back.prompt) == (item.problem, item.prompt)
    return same and _label(back) == _label(item)


def _label(item: Item) -> Any:
    """Return a target in a form that can be compared: the order within a dictionary does not matter."""
    return json.loads(item.target) if item.problem["task"] == "ground" else item.target


def _adopted(item: Item, record: Mapping[str, Any]) -> Item:
    world = item.features.get("scenario")
    config = {
        "task": item.problem["task"],
        "scenario": world if world in SCENARIOS else SCENARIOS[0],
        "world": item.features.get("world", "signatures"),
    }
    adopted = adopt.adopt(record, config, FORMAT)
    if adopted is None:
        raise DatasetError(f"not a record of {FORMAT}")
    return adopted


# --------------------------------------------------------------------------------------- formulas


def words(formula: Formula) -> list[str]:
    """Return a formula as the tokens of the published format, every binary operand in parentheses.

    Raises:
        HarnessError: an operator or constant that the format has no word for.
    """
    return list(_tokens(formula, outer=True))


def _tokens(formula: Formula, *, outer: bool = False) -> Iterator[str]:
    if isinstance(formula, str):
        yield formula
        return
    if not isinstance(formula, list) or formula[0] not in _WORDS:
        shown = formula[0] if isinstance(formula, list) else formula
        raise _UnsayableError(f"the published format has no word for {quoted(str(shown), 20)}")
    operator, *parts = formula
    if len(parts) == 1:
        yield _WORDS[operator]
        yield from _tokens(parts[0])
        return
    inner = (*_tokens(parts[0]), _WORDS[operator], *_tokens(parts[1]))
    yield from inner if outer else ("(", *inner, ")")


# ---------------------------------------------------------------------------- records of our own


def _fresh(item: Item) -> dict[str, Any]:
    """Return a record made from the certificate alone."""
    proof = item.certificate
    names = certificate.actions(proof)
    pair = []
    for kind in ("satisfying", "violating"):
        finite = next(filter(lassos.is_finite, proof[kind]), None)
        if finite is None:
            raise _UnsayableError(f"a record has a {kind} trace that is finite")
        pair.append(lassos.renamed(finite, names)["states"])
    world = scenario.known(str(item.features.get("scenario", "")))
    record = {
        "id": item.notes.get("source_id") or item.id,
        "sentence": list(proof["tokens"]),
        "tl": words(substitute(proof["formula"], names)),
        "grounded_tl": words(proof["formula"]),
        "lifted_sentence": proof["lifted"].split(" "),
        "lifted_sentence_prop_ids": list(proof["ids"]),
        "prop_dict": {name: _entry(prop, world) for name, prop in proof["propositions"].items()},
        "good_trace": pair[0],
        "bad_trace": pair[1],
    }
    if item.features.get("style", "exact") != "exact":
        record["style"] = item.features["style"]
    return record if item.version == certificate.PUBLISHED else _numbered(item, record)


def _entry(prop: Mapping[str, Any], world: Scenario | None) -> dict[str, Any]:
    """Return a proposition with its words: those of the arguments, and the others."""
    words = prop.get("words")
    if not words:
        action = world.actions[prop["action"]] if world else None
        pairs = zip(prop["arguments"], action.arguments, strict=True) if action and world else ()
        rest, arguments = f" {prop['text']} ", []
        for value, kind in pairs:
            forms = world.types[kind].values[value] if world else ()
            form_ = max((form for form in forms if f" {form} " in rest), key=len, default=value)
            rest = rest.replace(f" {form_} ", " ", 1)
            arguments.append(form_)
        bare = [word for word in rest.split() if word not in ("the", "to", "at", "on", "in")]
        words = [" ".join(bare) or prop["text"], *arguments]
    return {
        "action_canon": prop["action"],
        "action_ref": words[0],
        "args_canon": list(prop["arguments"]),
        "args_ref": list(words[1:]),
    }


def _numbered(item: Item, record: dict[str, Any]) -> dict[str, Any]:
    """Return the record with a number by which task=verify is about the trace that the item is about."""
    if item.problem["task"] != "verify":
        return record
    for suffix in islice(count(), _TRIES):
        numbered = {**record, "id": f"{item.id}-{suffix}" if suffix else item.id}
        if _same(item, numbered):
            return numbered
    raise _UnsayableError("the item's trace is neither of the two")


# -------------------------------------------------------------------------------- corrected labels


def _corrected(item: Item, record: Mapping[str, Any]) -> dict[str, Any]:
    """Return the record with the item's target as its label; all that holds no label is the record's."""
    corrected = copy.deepcopy(dict(record))
    before = _adopted(item, corrected)
    if _label(before) != _label(item):
        corrected = adopt.renamed(corrected)
        _CORRECT[item.problem["task"]](item, before, corrected)
    return corrected


def _formulas(item: Item, before: Item, record: dict[str, Any]) -> None:
    """Put the formula in, lifted and grounded, and a new trace in place of one that it contradicts."""
    names = certificate.actions(before.certificate)
    back = {action: name for name, action in names.items()}
    formula = syntax.parse(item.target, [*names, *back])
    lifted = substitute(formula, back) if item.problem["task"] == "end_to_end" else formula
    if not set(propositions(lifted)) <= set(names):
        raise _UnsayableError("the formula has a proposition that the record lacks")
    record["grounded_tl"] = words(lifted)
    record["tl"] = words(substitute(lifted, names))
    for kind, field in (("satisfying", "good_trace"), ("violating", "bad_trace")):
        wanted = kind == "satisfying"
        if evaluator.holds(lifted, before.certificate[kind][0]) is not wanted:
            states = next(_longer_traces(lifted, wanted), None)
            if states is None:
                raise _UnsayableError(f"no finite {kind} trace was found")
            record[field] = [[names[name] for name in state] for state in states]


def _grounding(item: Item, before: Item, record: dict[str, Any]) -> None:
    """Put the actions in, also in the formula over them, and in traces that have the wrong ones as well."""
    old = certificate.actions(before.certificate)
    new = json.loads(item.target)
    consistent = record["tl"] == [old.get(token, token) for token in record["grounded_tl"]]
    for name, action in new.items():
        head, _, inside = action.partition("(")
        entry = record["prop_dict"][name]
        entry["action_canon"] = head
        entry["args_canon"] = inside.rstrip(")").split(",") if inside else []
    record["tl"] = [new.get(token, token) for token in record["grounded_tl"]]
    by = {action: new[name] for name, action in old.items()} if consistent else {}
    for field in ("good_trace", "bad_trace"):
        record[field] = [[by.get(true, true) for true in state] for state in record[field]]


def _lifting(item: Item, before: Item, record: dict[str, Any]) -> None:
    answer = lifting.lifted(f"Answer: {item.target}", item.prompt, before.certificate["tokens"])
    if answer is None:
        raise _UnsayableError("the label marks no tokens of the sentence")
    record["lifted_sentence_prop_ids"] = list(answer.value)
    record["lifted_sentence"] = item.target.split(" ")


def _verdict(item: Item, before: Item, record: dict[str, Any]) -> None:
    """Put the trace where it belongs; the other one changes places with it if it belongs there, or is made anew."""
    right, other = ("good_trace", "bad_trace")
    if item.target != "satisfied":
        right, other = other, right
    trace, rest = record[other], record[right]
    record[right] = trace
    proof = before.certificate
    formula, names = proof["formula"], certificate.actions(proof)
    back = {action: name for name, action in names.items()}
    kept = lassos.renamed(lassos.make(rest), back)
    wanted = other == "good_trace"
    if evaluator.holds(formula, kept) is wanted:
        record[other] = rest
        return
    for states in _longer_traces(formula, wanted):
        record[other] = [[names[name] for name in state] for state in states]
        if _same(item, record):
            return
    raise _UnsayableError("no other trace was found")


def _longer_traces(formula: Formula, wanted: bool) -> Iterator[list[list[str]]]:
    """Yield finite traces on which the formula is what is wanted: the same one, its last state said more often."""
    inner = {name: f"prop_{number}" for number, name in enumerate(sorted(propositions(formula)), 1)}
    pair = suites.pair(substitute(formula, inner))
    first = (pair.satisfying if wanted else pair.violating)[0]
    first = lassos.renamed(first, {number: name for name, number in inner.items()})
    if lassos.is_finite(first):
        for more in range(_TRIES):
            yield [*first["states"], *first["states"][-1:] * more]


_CORRECT: dict[str, Callable[[Item, Item, dict[str, Any]], None]] = {
    "translate": _formulas, "end_to_end": _formulas, "ground": _grounding, "lift": _lifting,
    "verify": _verdict,
}  # fmt: skip
