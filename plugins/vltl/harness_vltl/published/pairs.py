"""Other people's sentences: pairs of sentence and formula, with no traces, no scenario and no dictionary.

A pair is an item of task=translate. The prompt lists its propositions by name, and the verdict is equivalence.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping
from typing import Any

import harness_guard
from harness_answers.text import quoted

from harness import Abstained, DatasetError, EngineError, Item, digest
from harness_vltl import certificate, wording
from harness_vltl.config import MAX_FIELD, NAME, PAIRS
from harness_vltl.engines import named_sentences, spot
from harness_vltl.engines.equivalence import MEMORY_MB, SECONDS
from harness_vltl.formulas import formula as tree
from harness_vltl.formulas.formula import PROPOSITION, Formula, FormulaError, propositions, text
from harness_vltl.published import columns, notations

_TASKS = ("translate", "end_to_end")  # the second is what task= is if nobody names one
_HEADER = "if the first row is a header, name its columns with sentence_column= and formula_column="
_TRACES = ("good_trace", "bad_trace")


def is_one(record: Mapping[str, Any], config: Mapping[str, Any], format_: str) -> bool:
    """Tell whether a record is to be read as a pair: one of VLTL-Bench has traces."""
    named = config.get("sentence_column") or config.get("formula_column")
    return format_ == PAIRS or (not format_ and bool(named or not {*_TRACES} & {*record}))


def adopt(record: Mapping[str, Any], config: Mapping[str, Any], *, forced: bool) -> Item | None:
    """Return the item of a pair, None where a record has no sentence and formula.

    Args:
        record: any fields; `columns.found` says which two are the pair.
        config: ``sentence_column``, ``formula_column`` and ``task``.
        forced: the format was named, so that a record without a pair is an error.

    Raises:
        Abstained: no formula of LTL, no sentence, or one too large to be compared: it cannot be labelled.
        DatasetError: a task that a pair does not hold.
    """
    names = config.get("sentence_column", ""), config.get("formula_column", "")
    fields = columns.found(record, *names)
    if fields is None:
        if forced or any(names):
            raise Abstained(_no_fields(record, *names))
        return None
    # What much else is called, too, has to be a formula; of such a record nothing is said but by its format.
    certain = fields.certain or any(names)
    said = certain or forced or fields.formula.isdigit()
    try:
        formula, spelled = notations.read(record[fields.formula], columns.propositions(record))
    except FormulaError as error:
        if not said:
            return None
        shown = _shown(record[fields.formula])
        if not shown:
            raise Abstained("the formula is empty") from None
        raise Abstained(f"the formula {shown} cannot be read: {error}") from None
    if not certain and not isinstance(formula, list):
        if said:
            raise Abstained(f"{_shown(record[fields.formula])} is no formula; {_HEADER}")
        return None
    if config.get("task", "translate") not in _TASKS:
        raise DatasetError(
            f"a pair of sentence and formula is for task=translate, not task={config['task']}"
        )
    # what the formula cannot spell is spelled in one way everywhere
    sentence = notations.respelled(_sentence(record[fields.sentence]), spelled)
    return _item(record, fields, sentence, formula, spelled)


def _no_fields(record: Mapping[str, Any], sentence: str, formula: str) -> str:
    fields = ", ".join(map(str, record))[:200]
    for key, name in (("sentence_column", sentence), ("formula_column", formula)):
        if name and name not in record:
            return f"there is no column {quoted(name, 60)} ({key}) among: {fields}"
    return f"no sentence and formula among the columns {fields}: name them with sentence_column= and formula_column="


def _shown(value: Any) -> str:
    said = (
        " ".join(value)
        if isinstance(value, list) and all(isinstance(v, str) for v in value)
        else value
    )
    return quoted(str(said), 80) if str(said).strip() else ""


def _sentence(value: Any) -> str:
    if isinstance(value, list) and all(isinstance(token, str) for token in value):
        value = " ".join(value)
    if not isinstance(value, str):
        raise Abstained(f"the sentence is {type(value).__name__}, not text")
    sentence = " ".join(value.split())
    if not sentence:
        raise Abstained("the sentence is empty")
    if control := next((sign for sign in sentence if unicodedata.category(sign) == "Cc"), ""):
        raise Abstained(f"the sentence has the control character U+{ord(control):04X}")
    if len(sentence) > MAX_FIELD:
        raise Abstained(f"the sentence has {len(sentence)} characters, of {MAX_FIELD} allowed")
    return sentence


def _item(
    record: Mapping[str, Any],
    fields: columns.Columns,
    sentence: str,
    formula: Formula,
    spelled: notations.Names,
) -> Item:
    used = propositions(formula)
    inverse = {said: name for name, said in spelled.items()}
    if not used:
        raise Abstained(f"the formula {text(formula)} has no proposition")
    _must_be_comparable(formula)
    listed = [inverse.get(name, name) for name in columns.propositions(record)]
    listed = [name for name in listed if PROPOSITION.fullmatch(name)]
    known = sorted({*used, *listed}) if {*used} <= {*listed} else sorted(used)
    problem = {"task": "translate", "sentence": sentence, "propositions": known}
    lifted, by_number = named_sentences.lift(sentence, known)
    back = {name: number for number, name in by_number.items()}
    source = str(record.get("id", ""))[:200]
    return Item(
        plugin=NAME,
        version=certificate.PUBLISHED,
        prompt=wording.prompt(problem, "none"),
        target=text(formula),
        problem=problem,
        certificate={
            "sentence": sentence,
            "lifted": lifted,
            "formula": tree.substitute(formula, back),
            "grounded": formula,
            "propositions": {
                number: {"action": name, "arguments": [], "text": spelled.get(name, name)}
                for number, name in by_number.items()
            },
            "spelled": spelled,
        },
        features={
            "task": "translate",
            "scenario": "none",
            "family": "pairs",
            "arity": len(known),
            "depth": 1,
            "operators": tree.size(formula),
            "nesting": tree.nesting(formula),
            "words": len(sentence.split()),
        },
        split="published",
        # all formulas of one sentence are of one family: an audit holds them against each other
        family=digest(["pair", sentence.lower().rstrip(". ")])[:12],
        notes={
            "source_id": source,
            "ids_repeat": True,
            "format": PAIRS,
            "label": _label(record[fields.formula]),
            "columns": [fields.sentence, fields.formula],
        },
    )


def _label(value: Any) -> str:
    return " ".join(map(str, value))[:2000] if isinstance(value, list) else str(value)[:2000]


def _must_be_comparable(formula: Formula) -> None:
    """Refuse a formula that no answer could be compared with."""
    if tree.size(formula) <= spot.SMALL:
        return
    try:
        harness_guard.call(
            "harness_vltl.engines.spot:difference",
            formula,
            True,
            seconds=SECONDS,
            memory_mb=MEMORY_MB,
        )
    except EngineError as error:
        raise Abstained(f"the formula is too large to be compared with answers: {error}") from None


def publish(item: Item, record: Mapping[str, Any]) -> dict[str, Any]:
    """Return the record of a pair; given the one it was adopted from, only the formula changes, if it is another."""
    if not record:
        return {
            "id": item.notes.get("source_id") or item.id,
            "sentence": item.problem["sentence"],
            "ltl": item.target,
            "propositions": list(item.problem["propositions"]),
        }
    column = item.notes["columns"][1]
    before, _ = notations.read(record[column], columns.propositions(record))
    return dict(record) if text(before) == item.target else {**record, column: item.target}
