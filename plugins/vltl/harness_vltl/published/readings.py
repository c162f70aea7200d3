"""What the published format leaves open, and whether a label holds under each way to read it.

Three questions: how a trace that just ends is meant, how far a unary operator of a formula without parentheses
reaches, and what a sentence of two meanings says. The label of a requirement is its formula: it holds under
a reading if it is satisfied and violated by the traces that are said to do so.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from harness_answers.text import quoted

from harness import Abstained, HarnessError, Item
from harness_vltl import certificate, engines, lassos
from harness_vltl.engines import evaluator, plain_reader
from harness_vltl.engines.equivalence import compare
from harness_vltl.formulas import syntax
from harness_vltl.formulas.formula import Formula, exchanged, substitute, text
from harness_vltl.problem import OF_RECORDS, is_finite, is_pair

TRACES = "trace semantics"
PRECEDENCE = "precedence"
SEMANTICS = ("last state repeats", "weak next", "strong next", "empty afterwards")
"""The last state goes on forever; nothing follows, and X is true or false there; or empty states follow forever."""
_UNARY = ("not", "next", "finally", "globally")

Judged = tuple[Sequence[Sequence[str]], bool]  # states, and whether they are said to satisfy


def readings(item: Item) -> dict[str, dict[str, bool]]:
    """Return for each open question whether the label holds under each reading; {} where none is open."""
    try:
        if is_pair(item.problem):  # without traces only the words may be open
            return _sentence(item)
        if item.problem["task"] in ("lift", "ground"):  # no label of these is a formula
            return {}
        if is_finite(item.problem):  # the prompt says how its trace is meant
            return {}
        answered = {TRACES: _traces(item), PRECEDENCE: _precedence(item), **_sentence(item)}
    except (HarnessError, KeyError, TypeError, ValueError, IndexError):
        return {}  # an item that holds no formula and traces
    return {question: answers for question, answers in answered.items() if answers}


def judged(item: Item) -> tuple[Formula, list[Judged]]:
    """Return the formula of an item and the finite traces its label is about, with what it says of them."""
    if item.problem["task"] == "verify":
        listed = [(item.problem["trace"], item.target == "satisfied")]
        formula = item.problem["formula"]
    else:
        proof = item.certificate
        formula = proof["formula"]
        listed = [(proof["satisfying"][0], True), (proof["violating"][0], False)]
    return formula, [(trace["states"], right) for trace, right in listed if lassos.is_finite(trace)]


def _traces(item: Item) -> dict[str, bool]:
    """Judge under each trace semantics; traces of our own prompts say how they go on, so nothing is open."""
    if item.version != certificate.PUBLISHED:
        return {}
    formula, listed = judged(item)
    return {
        name: all(holds(formula, states, name) is right for states, right in listed)
        for name in (SEMANTICS if listed else ())
    }


def holds(formula: Formula, states: Sequence[Sequence[str]], semantics: str) -> bool:
    """Tell whether a valid formula holds on a finite trace, under one of `SEMANTICS`."""
    if semantics == "last state repeats":
        return evaluator.holds(formula, lassos.make(states))
    if semantics == "empty afterwards":
        return evaluator.holds(formula, lassos.make([*states, ()]))
    meant = exchanged(formula, {"X": "N"}) if semantics == "weak next" else formula
    return evaluator.holds(meant, lassos.ended(states))


# -------------------------------------------------------------------------------------- precedence


def _precedence(item: Item) -> dict[str, bool]:
    """Judge each way to put the missing parentheses, where they make different formulas."""
    tokens = (item.certificate or {}).get("said", "")
    if not tokens or item.version != certificate.PUBLISHED:
        return {}
    _, listed = judged(item)
    # as the published verifier has it: first, and to the end of the parenthesis
    last = " ".join(reaching(tokens.split()))
    ways = {"unary operators first": tokens, "unary operators last": last}
    formulas = {way: syntax.parse(said) for way, said in ways.items()}
    if len({str(formula) for formula in formulas.values()}) == 1:
        return {}
    names = certificate.actions(item.certificate) if item.problem["task"] == "verify" else {}
    return {
        way: all(
            holds(substitute(formula, names), states, SEMANTICS[0]) is expected
            for states, expected in listed
        )
        for way, formula in formulas.items()
    }


def reaching(tokens: Sequence[str]) -> list[str]:
    """Return a formula's tokens with what a unary operator takes in parentheses: all up to the end of its own."""
    told: list[str] = []
    opened = [0]  # for each parenthesis of the text, and for the whole, those put in
    for token in tokens:
        if token == ")":  # noqa: S105 (no password)
            told += [")"] * opened.pop()
        told.append(token)
        if token == "(":  # noqa: S105
            opened.append(0)
        elif token in _UNARY:
            told.append("(")
            opened[-1] += 1
    return told + [")"] * opened.pop()


# ---------------------------------------------------------------------------------------- sentence


def _sentence(item: Item) -> dict[str, dict[str, bool]]:
    """Return for the doubtful words of a sentence which of their meanings is the formula.

    A meaning that only labels have is left out: that data follow it would be said of a reading nobody has.
    """
    by_words: dict[str, dict[str, bool]] = {}
    for name, _, same in meanings(item):
        if name in plain_reader.OF_LABELS_ONLY:
            continue
        words, _, reading = name.partition(": ")
        by_words.setdefault(f'sentence: "{words}"', {})[reading] = same
    return by_words


def must_be_plain(item: Item) -> None:
    """Refuse an item with a sentence that does not plainly say its formula.

    Both engines that read sentences have to read it, and as formulas that are equivalent to the item's.

    Raises:
        Abstained: one of them reads nothing, or another formula.
    """
    proof, problem = item.certificate, item.problem
    if is_pair(problem):
        sentence, label = problem["sentence"], proof["grounded"]
    else:  # whatever the task, this is the sentence with propositions in place of its actions
        sentence, label = proof["lifted"], proof["formula"]
        problem = {"task": "translate", "lifted": sentence}
    for engine in ("spot", "evaluator"):
        try:
            formula, _, names = engines.meaning(problem, engine)
        except Abstained:
            raise Abstained(
                f"style={OF_RECORDS}: no one plain reading of {quoted(sentence)}"
            ) from None
        formula = substitute(formula, names) if is_pair(problem) else formula
        if not compare(label, formula).equivalent:
            said = quoted(text(formula))
            raise Abstained(
                f"style={OF_RECORDS}: {quoted(sentence)} says {said}, its label {quoted(text(label))} does not"
            )


def meanings(item: Item) -> Iterator[tuple[str, Formula, bool]]:
    """Yield the readings of a doubtful published sentence: its name, its formula, and whether it is the label's."""
    proof: Mapping[str, Any] = item.certificate or {}
    if item.version != certificate.PUBLISHED or item.problem["task"] not in (
        "translate",
        "end_to_end",
    ):
        return
    for name, formula in plain_reader.doubtful(proof["lifted"]).items():
        yield name, formula, compare(proof["formula"], formula).equivalent
