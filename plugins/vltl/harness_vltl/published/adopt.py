"""Take over records of the published VLTL-Bench JSONL, labels and traces as they are.

Mind the names there: ``tl`` is the formula over concrete actions, ``grounded_tl`` the *lifted* one. Traces
are lists of states, the last of which repeats forever. Sentences are lists of tokens, numbered by
``lifted_sentence_prop_ids``. The files of published answers have the records under older names (`_OLDER`).
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from harness import DatasetError, Item, digest
from harness_vltl import certificate, lassos, wording
from harness_vltl.config import FORMAT, NAME
from harness_vltl.engines import evaluator
from harness_vltl.formulas import syntax
from harness_vltl.formulas.formula import (
    Formula,
    FormulaError,
    nesting,
    propositions,
    size,
    substitute,
)
from harness_vltl.problem import OF_RECORDS, STYLES, problem_of, target_of
from harness_vltl.published import findings, pairs, readings
from harness_vltl.scenarios import scenario

_CHARACTERISTIC = ("tl", "grounded_tl", "lifted_sentence_prop_ids")
_NEEDED = ("sentence", "tl", "grounded_tl", "lifted_sentence", "lifted_sentence_prop_ids",
           "prop_dict", "good_trace", "bad_trace")  # fmt: skip
_OLDER = {"masked_tl": "grounded_tl", "grounded_sentence": "lifted_sentence"}
_MAX_TOKENS = 500
_DEFAULTS = {"task": "end_to_end", "scenario": "warehouse", "world": "signatures"}
_VERDICTS = {"satisfying": "satisfied", "violating": "violated"}
_FIELDS = {"satisfying": "good_trace", "violating": "bad_trace"}
_PROP = re.compile(r"prop_[1-9][0-9]?")
# Actions that only one of the published scenarios has.
_SIGNS = {
    "idle": "warehouse", "search": "warehouse", "pickup": "warehouse", "deliver": "warehouse",
    "change": "traffic_light", "go_home": "search_and_rescue", "communicate": "search_and_rescue",
    "deliver_aid": "search_and_rescue", "avoid": "search_and_rescue",
}  # fmt: skip


def adopt(record: Mapping[str, Any], config: Mapping[str, Any], format: str = "") -> Item | None:  # noqa: A002
    """Return the item of a published record or a pair, with ``style=published`` only if its sentence is plain.

    A record without traces is one of `pairs`.

    Returns:
        None for a record of another format: it has none of the characteristic fields.

    Raises:
        Abstained: it is left out; the reason in one line, without the record's position.
        DatasetError: it is none; likewise.
    """
    if pairs.is_one(record, config, format):
        item = pairs.adopt(record, config, forced=bool(format))
    elif format == FORMAT or (not format and any(name in record for name in _CHARACTERISTIC)):
        item = _adopted(renamed(record), {**_DEFAULTS, **config})
    else:
        return None
    if item is not None and config.get("style") == OF_RECORDS:
        readings.must_be_plain(item)
    return item


def _adopted(record: Mapping[str, Any], config: Mapping[str, Any]) -> Item:
    """Return the item that ``config["task"]`` makes of one published record; its label and traces are kept.

    For task=verify the trace is the satisfying or the violating one, by a hash of the record's number and the two
    traces, and the label is what the record says of it. ``notes["label"]`` is the label as published,
    ``notes["wrong"]`` says why it cannot be right by the record's own content, and ``notes["findings"]`` what else
    contradicts itself or the prompt.
    """
    missing = [name for name in _NEEDED if name not in record]
    if missing:
        raise DatasetError(f"field '{missing[0]}' is missing")
    proof = _proof(record)
    named = _scenario(proof, config["scenario"])
    world = named.removesuffix(scenario.OF_RECORDS)
    problem, target, label = _question(config["task"], record, proof, named)
    proof["values"] = _values(problem, proof)
    faults = findings.contradictions(record, proof, problem, config["world"])
    formula = proof["formula"]
    return Item(
        plugin=NAME,
        version=certificate.PUBLISHED,
        prompt=wording.prompt(problem, config["world"]),
        target=target,
        problem=problem,
        certificate=proof,
        features={
            "task": config["task"],
            "scenario": world,
            "family": "published",
            "arity": len(propositions(formula)),
            "depth": 1,
            "world": config["world"],
            **({"style": record["style"]} if record.get("style") in STYLES else {}),
            "operators": size(formula),
            "nesting": nesting(formula),
            "words": len(proof["tokens"]),
        },
        split="published",
        family=digest(["published", proof["sentence"], str(record.get("id", ""))])[:12],
        notes={
            "source_id": str(record.get("id", ""))[:200],
            "format": FORMAT,
            "label": label,
            **({"wrong": faults.wrong} if faults.wrong else {}),
            **({"findings": faults.findings} if faults.findings else {}),
        },
    )


def renamed(record: Mapping[str, Any]) -> dict[str, Any]:
    """Return the record without older names of its fields."""
    return {
        _OLDER.get(name, name): value
        for name, value in record.items()
        if _OLDER.get(name) not in record
    }


def _proof(record: Mapping[str, Any]) -> dict[str, Any]:
    tokens = _strings(record, "sentence")
    ids = record["lifted_sentence_prop_ids"]
    if not isinstance(ids, list) or len(ids) != len(tokens):
        raise DatasetError("'lifted_sentence_prop_ids' has not one number per token of 'sentence'")
    if not all(type(number) is int and 0 <= number < 100 for number in ids):
        raise DatasetError("'lifted_sentence_prop_ids' has something else than numbers from 0")
    named = _propositions(record)
    formula = _formula(record, "grounded_tl", list(named))
    names = {name: certificate.canonical(entry) for name, entry in named.items()}
    unknown = [name for name in propositions(formula) if name not in names]
    if unknown:
        raise DatasetError(f"'grounded_tl' has {unknown[0][:40]!r}, which 'prop_dict' lacks")
    back = {canonical: name for name, canonical in names.items()}
    _formula(record, "tl", ())  # so that `findings` may read it
    return {
        "sentence": " ".join(tokens),
        "tokens": tokens,
        "lifted": " ".join(_strings(record, "lifted_sentence")),
        "ids": ids,
        "spans": certificate.spans(ids),
        "formula": formula,
        "said": " ".join(record["grounded_tl"]),
        "grounded": substitute(formula, names),
        "propositions": named,
        "satisfying": [_trace(record, "good_trace", back)],
        "violating": [_trace(record, "bad_trace", back)],
    }


def _strings(record: Mapping[str, Any], name: str) -> list[str]:
    value = record[name]
    if not isinstance(value, list) or not 1 <= len(value) <= _MAX_TOKENS:
        raise DatasetError(f"'{name}' is no list of 1 to {_MAX_TOKENS} tokens")
    if not all(isinstance(token, str) and token and token.isprintable() for token in value):
        raise DatasetError(f"'{name}' has something else than tokens")
    return list(value)


def _propositions(record: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
    value = record["prop_dict"]
    if not isinstance(value, dict) or not 1 <= len(value) <= 20:
        raise DatasetError("'prop_dict' is no object of 1 to 20 propositions")
    named = {}
    for name, entry in value.items():
        if not _PROP.fullmatch(name):
            raise DatasetError(f"'prop_dict' has {name[:40]!r} instead of prop_1, prop_2, …")
        try:
            action, arguments = entry["action_canon"], list(entry["args_canon"])
            words = [entry["action_ref"], *entry["args_ref"]]
        except (KeyError, TypeError):
            raise DatasetError(f"'prop_dict' says no action and arguments of {name}") from None
        if not all(isinstance(word, str) and word for word in (action, *arguments, *words)):
            raise DatasetError(f"'prop_dict' has something else than words for {name}")
        named[name] = {
            "action": action,
            "arguments": arguments,
            "text": " ".join(words),
            "words": words,
        }
    return named


def _formula(record: Mapping[str, Any], name: str, known: Sequence[str]) -> Formula:
    try:
        return syntax.parse(" ".join(_strings(record, name)), known)
    except FormulaError as error:
        raise DatasetError(f"'{name}': {error}") from None


def _trace(record: Mapping[str, Any], name: str, back: Mapping[str, str]) -> dict[str, Any]:
    value = record[name]
    if not isinstance(value, list) or not value or not all(isinstance(s, list) for s in value):
        raise DatasetError(f"'{name}' is no list of states")
    try:
        trace = lassos.make([[back.get(true, true) for true in set(state)] for state in value])
        lassos.validate(trace)
    except (TypeError, lassos.TraceError) as error:
        raise DatasetError(f"'{name}': {error}") from None
    return trace


def _question(
    task: str, record: Mapping[str, Any], proof: Mapping[str, Any], world: str
) -> tuple[dict[str, Any], str, str]:
    """Return the problem, its target, and the label as it is published."""
    names = certificate.actions(proof)
    if task == "verify":
        kind = chosen(str(record.get("id", "")), proof["satisfying"][0], proof["violating"][0])
        problem = {
            "task": task,
            "formula": proof["grounded"],
            "trace": lassos.renamed(proof[kind][0], names),
        }
        return problem, _VERDICTS[kind], _FIELDS[kind]
    said = record.get("style")  # of records that we wrote
    style = said if said in STYLES else "exact"
    problem = problem_of(task, world, proof["sentence"], proof["lifted"], style)
    lifted = certificate.lifted(proof["tokens"], proof["ids"])
    target = target_of(task, lifted, proof["formula"], names)
    labels = {
        "lift": proof["lifted"],
        "translate": proof["said"],
        "ground": target,
        "end_to_end": " ".join(record["tl"]),
    }
    return problem, target, labels[task]


def chosen(source: str, satisfying: Mapping[str, Any], violating: Mapping[str, Any]) -> str:
    """Return which trace of a record task=verify is about; exchanging the two changes its label, not the trace."""

    def rank(kind: str) -> str:
        return digest([source, {"satisfying": satisfying, "violating": violating}[kind]])

    return min(("satisfying", "violating"), key=rank)


def _values(problem: Mapping[str, Any], proof: Mapping[str, Any]) -> Any:
    """Return the value of every subformula on the traces that the item speaks of."""
    if problem["task"] == "verify":
        return evaluator.rows(problem["formula"], problem["trace"])
    kinds = ("satisfying", "violating")
    return {kind: evaluator.rows(proof["formula"], proof[kind][0]) for kind in kinds}


def _scenario(proof: Mapping[str, Any], name_or_path: str) -> str:
    """Return the scenario of a user's file, else the built-in one, by the record's actions where they tell.

    It is the one with the names of published labels if the record has any.
    """
    name = scenario.load(name_or_path).name
    if name not in scenario.NAMES:
        return name
    for prop in proof["propositions"].values():
        if prop["action"] in _SIGNS:
            name = _SIGNS[prop["action"]]
            break
        if prop["action"] in ("record", "photo"):
            name = "traffic_light" if len(prop["arguments"]) == 2 else "search_and_rescue"
            break
    values = {value for prop in proof["propositions"].values() for value in prop["arguments"]}
    return scenario.of_record(name, values)
