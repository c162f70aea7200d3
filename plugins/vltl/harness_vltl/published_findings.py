"""What a published record says otherwise than itself, or than the prompt that is made of it; nothing is mended."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from harness import Abstained, HarnessError
from harness.text import quoted
from harness_vltl import certificate, evaluate, plain, published_words, scenario, syntax
from harness_vltl.equivalence import compare
from harness_vltl.formula import Formula, text

_SMALL = frozenset(["the", "a", "an", "to", "on", "in", "at", "from", "of", "with", "by", "for"])
_END = ",.;:?!"


def of(
    record: Mapping[str, Any], proof: Mapping[str, Any], problem: Mapping[str, Any], world: str
) -> list[str]:
    """Return how a record contradicts itself or its prompt, in short lines.

    Args:
        record: a valid record.
        proof: the certificate that was made of it.
        problem: what is asked for.
        world: how much of the scenario the prompt tells.
    """
    found = [*_formulas(record, proof), *_marks(proof), *_traces(record, proof)]
    if problem["task"] in ("ground", "end_to_end"):
        found += published_words.of(proof["propositions"], scenario.known(problem["scenario"]))
    if problem["task"] in ("translate", "end_to_end"):
        found += _meanings(proof, problem["task"])
    if problem["task"] == "lift":
        found += _numbering(proof["ids"])
    if problem["task"] in ("ground", "end_to_end") and world != "none":
        found += _vocabulary(proof, problem["scenario"])
    return found


def _formulas(record: Mapping[str, Any], proof: Mapping[str, Any]) -> list[str]:
    if syntax.parse(" ".join(record["tl"]), ()) != proof["grounded"]:
        return ["'tl' is not 'grounded_tl' with its propositions put in"]
    return []


def _marks(proof: Mapping[str, Any]) -> list[str]:
    """Hold the marked tokens against the lifted sentence and against the words of each proposition."""
    if set(proof["spans"]) != set(proof["propositions"]):
        return ["some proposition is not marked in the sentence"]
    found = []
    if _bare(certificate.lifted(proof["tokens"], proof["ids"])) != _bare(proof["lifted"]):
        found.append("'lifted_sentence' is not the sentence with its marked tokens replaced")
    for name, places in proof["spans"].items():
        said, words = proof["propositions"][name]["text"], proof["tokens"]
        for start, end in places:
            if not _fits(_bare(" ".join(words[start:end])), _bare(said)):
                marked = quoted(" ".join(words[start:end]), 80)
                found.append(
                    f"{name} marks {marked}, its words in 'prop_dict' are {quoted(said, 80)}"
                )
    return found[:5]


def _bare(words: str) -> list[str]:
    return [word.rstrip(_END).lower() for word in words.split()]


def _fits(tokens: Sequence[str], words: Sequence[str]) -> bool:
    """Tell whether tokens are some words in any order, but for the form of the verb and small words."""
    if not tokens or not words or not _one_verb(tokens[0], words[0]):
        return False
    rest, said = Counter(tokens[1:]), Counter(words[1:])
    return set((rest - said) + (said - rest)) <= _SMALL


def _one_verb(token: str, verb: str) -> bool:
    stem = verb[:-1] if verb[-1:] in "ey" and len(verb) > 2 else verb
    return token.startswith(stem) and len(token) <= len(verb) + 4


def _traces(record: Mapping[str, Any], proof: Mapping[str, Any]) -> list[str]:
    found = []
    names = {certificate.canonical(one) for one in proof["propositions"].values()}
    if any(set(state) - names for kind in ("good_trace", "bad_trace") for state in record[kind]):
        found.append("a trace has an action that 'prop_dict' lacks")
    for kind, expected in (("satisfying", True), ("violating", False)):
        if evaluate.holds(proof["formula"], proof[kind][0]) is not expected:
            found.append(f"the {kind} trace is not {kind}")
    return found


def _meanings(proof: Mapping[str, Any], task: str) -> list[str]:
    """Hold the formula against what its sentence says, or may say; for translate an engine reads plain ones."""
    ways = [*plain.doubtful(proof["lifted"]).values()]
    if not ways and task == "end_to_end":
        try:
            ways = [plain.read(proof["lifted"])]
        except Abstained:
            return []
    if not ways or any(_same(proof["formula"], way) for way in ways):
        return []
    listed = " or ".join(text(way) for way in ways)
    return [f"the lifted sentence says {quoted(listed, 300)}, the label is another formula"]


def _same(one: Formula, other: Formula) -> bool:
    try:
        return compare(one, other).equivalent
    except HarnessError:  # too large to be compared: nothing is said of it
        return True


def _numbering(ids: Sequence[int]) -> list[str]:
    firsts = [own for own in dict.fromkeys(ids) if own]
    if firsts == sorted(firsts):
        return []
    order = ", ".join(f"prop_{own}" for own in firsts)
    return [f"the label's order of first mention is {order}; the prompt asks for prop_1, prop_2, …"]


def _vocabulary(proof: Mapping[str, Any], name: str) -> list[str]:
    """Return which names of the label the prompt does not tell."""
    world = scenario.known(name)
    if world is None:
        return []
    found = []
    for one in proof["propositions"].values():
        action = world.actions.get(one["action"])
        kinds = action.arguments if action else ()
        if action is None or len(kinds) != len(one["arguments"]):
            found.append(certificate.canonical(one))
        else:
            pairs = zip(one["arguments"], kinds, strict=True)
            found += [
                value
                for value, kind in pairs
                if value.replace("-", "_") not in world.types[kind].values
            ]
    return [
        f"the label needs {quoted(one, 80)}, which the prompt does not name" for one in found[:5]
    ]
