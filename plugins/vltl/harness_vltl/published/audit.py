"""In what way an item measures less than it claims, whatever its label: each with evidence that can be checked.

Everything about a formula alone is worked out once for all items of its shape; nothing here takes longer than a
few milliseconds for an item of one of the shapes seen before.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Any

from harness_answers.text import quoted

from harness import HarnessError, Item
from harness_vltl import lassos
from harness_vltl.certificate import PUBLISHED
from harness_vltl.engines import evaluator, plain_reader, spot
from harness_vltl.engines.equivalence import refuted
from harness_vltl.engines.evaluator import Frozen, freeze, thaw
from harness_vltl.formulas.formula import (
    Formula,
    operators,
    propositions,
    size,
    substitute,
    temporal,
    text,
    validate,
)
from harness_vltl.mutants import mutants
from harness_vltl.problem import is_finite, is_pair
from harness_vltl.published import readings
from harness_vltl.scenarios import scenario
from harness_vltl.templates import LETTERS, skeletons

_MAX_OPERATORS = 14  # beyond, there are thousands of mutants, and Spot takes its time
_MAX_PROPOSITIONS = 3  # as many as a template has; all orders of them are tried

Weakness = tuple[str, str]  # kind and message


def audit(item: Item) -> list[dict[str, str]]:
    """Return the weaknesses of an item: kinds of `config.WEAKNESSES`, each with a message that holds the evidence."""
    try:
        task = item.problem["task"]
        parts = _PAIR if is_pair(item.problem) else _PARTS[task]
        pairs = [pair for part in parts for pair in part(item)]
    except (HarnessError, KeyError, TypeError, ValueError, IndexError, AttributeError):
        return []  # an item that is not in its form is said elsewhere to be so
    return [{"kind": kind, "message": message} for kind, message in pairs]


# ------------------------------------------------------------------------------------------ traces


def _wrong_traces(item: Item) -> Iterator[Weakness]:
    """Yield the traces labelled satisfying that do not satisfy, and those labelled violating that do."""
    if item.problem["task"] == "verify":
        formula, listed = (
            item.problem["formula"],
            [(item.problem["trace"], item.target == "satisfied")],
        )
    else:
        proof = item.certificate
        formula, listed = proof["formula"], [(trace, True) for trace in proof["satisfying"]]
        listed += [(trace, False) for trace in proof["violating"]]
    for trace, expected in listed:
        problem = {**item.problem, "formula": formula, "trace": trace}
        lassos.check(problem)
        if evaluator.holds(formula, trace) is not expected:
            kind, does = "violating_trace", "satisfies"
            if expected:
                kind, does = "satisfying_trace", "does not satisfy"
            line = evaluator.rows(formula, trace)[-1]
            yield (
                kind,
                f"{lassos.shown(trace)} {does} {quoted(text(formula), 200)}: true (1) or false in its states: {line}",
            )


def _still_trace(item: Item) -> Iterator[Weakness]:
    """Yield a trace on which a formula about time is decided without any."""
    formula, trace = item.problem["formula"], item.problem["trace"]
    names = set(propositions(formula))
    seen = {frozenset(names & set(state)) for state in trace["states"]}
    if len(seen) == 1 and temporal(formula):
        state = ", ".join(sorted(*seen)) or "nothing"
        yield (
            "still_trace",
            f"in all {len(trace['states'])} states of what the formula names is true: {quoted(state, 200)}",
        )


# ------------------------------------------------------------------------------- what passes traces


def _weak_traces(item: Item) -> Iterator[Weakness]:
    if is_finite(item.problem):  # as below
        return
    proof = item.certificate
    formula = proof["formula"]
    if size(formula) > _MAX_OPERATORS or len(propositions(formula)) > _MAX_PROPOSITIONS:
        return
    listed = (*proof["satisfying"], *proof["violating"])
    key = tuple((tuple(map(tuple, trace["states"])), trace["loop"]) for trace in listed)
    message = _passing_mutants(freeze(formula), key)
    if message:
        yield "weak_traces", message


@lru_cache(maxsize=4096)
def _passing_mutants(formula: Frozen, listed: Sequence[tuple[Sequence[Sequence[str]], int]]) -> str:
    """Return how many mutants the traces do not tell from the formula, with one and a trace that does."""
    pools = [pool for pool, _ in evaluator.pools({"states": s, "loop": loop} for s, loop in listed)]
    verdicts = [pool.holds(formula) for pool in pools]
    wrong = _wrong_formulas(formula)
    passing = [pair for pair in wrong if [pool.holds(pair[0]) for pool in pools] == verdicts]
    if not passing:
        return ""
    mutant, trace = min(passing, key=lambda pair: len(text(thaw(pair[0]))))
    return (
        f"{len(passing)} of {len(wrong)} wrong formulas pass all {len(listed)} traces, such as "
        f"{quoted(text(thaw(mutant)), 100)}, which differs from {quoted(text(thaw(formula)), 100)} on "
        f"{lassos.shown(trace)}"
    )


@lru_cache(maxsize=512)
def _wrong_formulas(formula: Frozen) -> list[tuple[Frozen, dict[str, Any]]]:
    """Return the mutants of a formula that a trace tells from it, each with that trace."""
    refutations = ((mutant, refuted(formula, mutant)) for mutant in mutants(thaw(formula)))
    return [(mutant, trace) for mutant, trace in refutations if trace is not None]


# -------------------------------------------------------------------------------------- the formula


def _superfluous_parts(item: Item) -> Iterator[Weakness]:
    """Yield that a formula is constant, has a proposition that does not matter, or is equivalent to a simpler one."""
    problem = item.problem
    if is_finite(problem):  # equivalence here is over infinite traces
        return
    whole = problem["formula"] if problem["task"] == "verify" else item.certificate["formula"]
    if is_pair(problem):
        whole = item.certificate["grounded"]
    validate(whole)
    names = propositions(whole)
    if size(whole) > _MAX_OPERATORS or len(names) > _MAX_PROPOSITIONS:
        return
    inner = {name: f"prop_{number}" for number, name in enumerate(names, 1)}
    back = {number: name for name, number in inner.items()}
    for kind, simpler, named in _superfluous(freeze(substitute(whole, inner))):
        other = quoted(text(substitute(thaw(simpler), back)), 200)
        about = f", whatever {quoted(back[named], 100)} is" if named else ""
        yield kind, f"{quoted(text(whole), 200)} is equivalent to {other}{about}"


@lru_cache(maxsize=2048)
def _superfluous(formula: Frozen) -> list[tuple[str, Frozen, str]]:
    """Return of each thing too much its kind, a simpler equivalent formula, the proposition that does not matter."""
    for value in (True, False):
        if _same(formula, value):
            return [("constant", value, "")]
    idle = []
    for name in propositions(thaw(formula)):
        fixed = freeze(_folded(substitute(thaw(formula), {name: True})))
        if _same(formula, fixed):
            idle.append(("idle_proposition", fixed, name))
    if idle:
        return idle
    smaller = next((other for other in _simpler(formula) if _same(formula, other)), None)
    return [] if smaller is None else [("simpler_formula", smaller, "")]


def _simpler(formula: Frozen) -> list[Frozen]:
    """Return formulas with fewer operators to compare with: parts left out, and templates; the smallest first."""
    whole = thaw(formula)
    names = propositions(whole)
    candidates = {freeze(other): None for other in _without(whole)}
    for skeleton in skeletons():
        if skeleton.arity == len(names):
            filled = substitute(skeleton.formula, dict(zip(LETTERS, names, strict=False)))
            candidates[freeze(filled)] = None
    fewer = [other for other in candidates if size(thaw(other)) < size(whole)]
    # with an operator that the formula has not it may be shorter, but no slip
    kept = [other for other in fewer if operators(thaw(other)) <= operators(whole) | {"F", "G"}]
    return sorted(kept, key=lambda other: size(thaw(other)))


def _without(formula: Formula) -> Iterator[Formula]:
    """Yield the formula with one operator left out, or a negation brought inside F or G."""
    if not isinstance(formula, list):
        return
    yield from formula[1:]
    if formula[0] == "!" and isinstance(formula[1], list) and formula[1][0] in "FG":
        inner = formula[1][1]
        dual = {"F": "G", "G": "F"}[formula[1][0]]
        yield [dual, inner[1] if isinstance(inner, list) and inner[0] == "!" else ["!", inner]]
    for at in range(1, len(formula)):
        for part in _without(formula[at]):
            yield [*formula[:at], part, *formula[at + 1 :]]


def _folded(formula: Formula) -> Formula:
    """Return the formula simplified where true was put in for a proposition, as far as one look shows."""
    if not isinstance(formula, list):
        return formula
    operator, *parts = [formula[0], *map(_folded, formula[1:])]
    constant = [part for part in parts if isinstance(part, bool)]
    if operator == "!" and constant:
        return not parts[0]
    if operator in "XFG" and constant:
        return parts[0]
    if operator == "U" and parts[0] is True:
        return _folded(["F", parts[1]])
    if operator == "F" and isinstance(parts[0], list) and parts[0][:1] == ["G"]:
        inner = parts[0][1]
        if isinstance(inner, list) and inner[0] == "F":
            return parts[0]
    return [operator, *parts]


def _same(formula: Frozen, other: Frozen) -> bool:
    if refuted(formula, other) is not None:
        return False
    try:
        return spot.difference(thaw(formula), thaw(other)) is None
    except HarnessError:
        return False


def _pair_parts(item: Item) -> Iterator[Weakness]:
    """Yield the same of a pair, of any size that Spot takes on, and propositions that are listed only."""
    formula = item.certificate["grounded"]
    names = propositions(formula)
    unused = [name for name in item.problem["propositions"] if name not in names]
    if unused:
        yield (
            "idle_proposition",
            f"the formula lacks {quoted(', '.join(unused), 200)}, which the record lists",
        )
    if size(formula) <= _MAX_OPERATORS and len(names) <= _MAX_PROPOSITIONS:
        yield from _superfluous_parts(item)
        return
    frozen = freeze(formula)
    for value, word in ((True, "true"), (False, "false")):
        if _same(frozen, value):
            yield "constant", f"{quoted(text(formula), 200)} is equivalent to {word}"
            return
    for name in names:
        fixed = freeze(_folded(substitute(formula, {name: True})))
        if _same(frozen, fixed):
            yield (
                "idle_proposition",
                f"{quoted(text(formula), 200)} means the same whatever {quoted(name, 100)} is",
            )


# ------------------------------------------------------------------------------------- the sentence


def _doubtful_sentence(item: Item) -> Iterator[Weakness]:
    meanings = list(readings.meanings(item))
    if not meanings:
        return
    lifted, formula = item.certificate["lifted"], item.certificate["formula"]
    ways = "; ".join(
        f"{name} – {quoted(text(other), 120)}{' (the label)' if same else _counterexample(formula, other)}"
        for name, other, same in meanings
        if name not in plain_reader.OF_LABELS_ONLY
    )
    label = "".join(
        f"; the label is another formula ({name} – {quoted(text(formula), 120)})"
        for name, _, same in meanings
        if same and name in plain_reader.OF_LABELS_ONLY
    )
    yield "doubtful_sentence", f"{quoted(lifted, 200)} may say: {ways}{label}"


def _counterexample(formula: Formula, other: Formula) -> str:
    trace = refuted(freeze(formula), freeze(other))
    return f", not the label on {lassos.shown(trace)}" if trace else ""


def _other_meaning(item: Item) -> Iterator[Weakness]:
    """Yield a published sentence that plainly says another formula than the label."""
    proof = item.certificate
    if item.version != PUBLISHED:
        return
    try:
        other = plain_reader.read(proof["lifted"])
    except HarnessError:
        return
    trace = refuted(freeze(proof["formula"]), freeze(other))
    if trace is not None:
        yield (
            "doubtful_sentence",
            f"{quoted(proof['lifted'], 200)} says {quoted(text(other), 120)}, the label is "
            f"{quoted(text(proof['formula']), 120)}; they differ on {lassos.shown(trace)}",
        )


def _broken_sentence(item: Item) -> Iterator[Weakness]:
    slip = plain_reader.broken(item.certificate["lifted"]) if item.version == PUBLISHED else ""
    if slip:
        yield (
            "broken_sentence",
            f"{quoted(slip, 100)} in: {quoted(item.certificate['sentence'], 300)}",
        )


def _ambiguous_words(item: Item) -> Iterator[Weakness]:
    """Yield words of arguments that name another thing in our scenario, or are known to fit two things."""
    world = scenario.known(item.problem["scenario"]) if item.version == PUBLISHED else None
    if world is None:
        return
    for name, prop in item.certificate["propositions"].items():
        kinds = world.kinds(prop["action"])
        forms = [pair for kind in kinds for pair in world.types[kind].values.items()]
        for value, words in zip(prop["arguments"], prop["words"][1:], strict=False):
            if value not in dict(forms) or words.replace(" ", "_") == value:
                continue  # what else the word fits is not known, or it is the very name
            owners = {owner for owner, known in forms if words in known}
            others = sorted(_AMBIGUOUS.get(words, set()) | owners)
            if others and others != [value]:
                fits = ", ".join(sorted({*others, value}))
                yield (
                    "two_things",
                    f"{name}: {quoted(words, 80)} is {quoted(value, 80)} in the label and fits: {quoted(fits, 200)}",
                )


# Words that fit more things than one by their plain meaning, among the things of the warehouse.
_AMBIGUOUS: dict[str, set[str]] = {
    "seat": {"chair", "sofa", "bench"},
    "vehicle": {"car", "bus", "truck", "train", "motorbike"},
    "tree fruit": {"apple", "orange"},
    "cooking device": {"microwave", "oven", "toaster"},
    "portable device": {"laptop", "cell_phone"},
}


_SENTENCE = (
    _wrong_traces, _weak_traces, _superfluous_parts, _doubtful_sentence, _other_meaning,
    _broken_sentence,
)  # fmt: skip
_PAIR = (_pair_parts, _doubtful_sentence, _other_meaning, _broken_sentence)
_PARTS: dict[str, tuple[Any, ...]] = {
    "lift": (_broken_sentence,),
    "ground": (_broken_sentence, _ambiguous_words),
    "translate": _SENTENCE,
    "end_to_end": (*_SENTENCE, _ambiguous_words),
    "verify": (_wrong_traces, _still_trace, _superfluous_parts),
}
