"""What a published record says otherwise than itself, or than the prompt that is made of it; nothing is mended."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from harness_answers.text import quoted

from harness import Abstained, HarnessError
from harness_vltl import certificate, lassos
from harness_vltl.engines import evaluator, plain_reader
from harness_vltl.engines.equivalence import compare
from harness_vltl.formulas import syntax
from harness_vltl.formulas.formula import Formula, propositions, text
from harness_vltl.published import vocabulary
from harness_vltl.scenarios import scenario

_SMALL = frozenset(["the", "a", "an", "to", "on", "in", "at", "from", "of", "with", "by", "for"])
_END = ",.;:?!"
_PROP = re.compile(r"prop_[1-9][0-9]?(?![0-9])")


@dataclass(frozen=True, slots=True)
class Found:
    """What a record says otherwise than itself, in short lines.

    ``wrong``: why the label that the task asks for cannot be right, by the record's own content.
    ``findings``: all else.
    """

    wrong: list[str]
    findings: list[str]


def of(
    record: Mapping[str, Any], proof: Mapping[str, Any], problem: Mapping[str, Any], world: str
) -> Found:
    """Return how a record contradicts its label, itself or its prompt.

    Args:
        record: a valid record.
        proof: the certificate that was made of it.
        problem: what is asked for.
        world: how much of the scenario the prompt tells.
    """
    task = problem["task"]
    wrong: list[str] = []
    findings: list[str] = []
    formulas = ("translate", "end_to_end")
    for lines, labels in (
        (_formulas(record, proof), (*formulas, "ground")),
        (_mentions(proof), formulas),
        (_marks(proof), ("lift",)),
        (_strange(record, proof), ("ground",)),
        *(
            (_trace(proof, kind), (*formulas, *_asked(problem, proof, kind)))
            for kind in ("satisfying", "violating")
        ),
    ):
        (wrong if task in labels else findings).extend(lines)
    if task in ("ground", "end_to_end"):
        wrong += vocabulary.of(proof["propositions"], scenario.known(problem["scenario"]))
    if task in ("translate", "end_to_end"):
        wrong += _meanings(proof, task)
    if task == "lift":
        findings += _numbering(proof["ids"])
    if task in ("ground", "end_to_end") and world != "none":
        findings += _vocabulary(proof, problem["scenario"])
    return Found(wrong, findings)


def _asked(problem: Mapping[str, Any], proof: Mapping[str, Any], kind: str) -> tuple[str, ...]:
    """Return the task whose label a trace is: verify, if it is about this one of the two."""
    own = problem.get("trace") == lassos.renamed(proof[kind][0], certificate.actions(proof))
    return ("verify",) if own else ()


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
    if not tokens or not words:
        return False
    if not (_form_of(tokens[0], words[0]) or _form_of(words[0], tokens[0])):
        return False
    rest, said = Counter(tokens[1:]), Counter(words[1:])
    return set((rest - said) + (said - rest)) <= _SMALL


def _form_of(token: str, verb: str) -> bool:
    stem = verb[:-1] if verb[-1:] in "ey" and len(verb) > 2 else verb
    return token.startswith(stem) and len(token) <= len(verb) + 4


def _mentions(proof: Mapping[str, Any]) -> list[str]:
    """Hold the propositions of the formula against those of the lifted sentence."""
    said, needed = set(_PROP.findall(proof["lifted"])), set(propositions(proof["formula"]))
    return [
        *(f"the formula has {name}, the lifted sentence has not" for name in sorted(needed - said)),
        *(f"the lifted sentence has {name}, the formula has not" for name in sorted(said - needed)),
    ]


def _strange(record: Mapping[str, Any], proof: Mapping[str, Any]) -> list[str]:
    names = {*certificate.actions(proof).values()}
    if any(set(state) - names for kind in ("good_trace", "bad_trace") for state in record[kind]):
        return ["a trace has an action that 'prop_dict' lacks"]
    return []


def _trace(proof: Mapping[str, Any], kind: str) -> list[str]:
    """Hold a trace against the formula; the line names both, so that one can check it by hand."""
    formula, trace = proof["formula"], proof[kind][0]
    if evaluator.holds(formula, trace) is (kind == "satisfying"):
        return []
    does = "does not satisfy" if kind == "satisfying" else "satisfies"
    shown = quoted(lassos.shown(trace), 300)
    return [f"the {kind} {shown} {does} {quoted(text(formula), 200)}"]


def _meanings(proof: Mapping[str, Any], task: str) -> list[str]:
    """Hold the formula against what its sentence says, or may say; for translate an engine reads the sound ones."""
    ways = [*plain_reader.doubtful(proof["lifted"]).values()]
    if not ways and (task == "end_to_end" or plain_reader.broken(proof["lifted"])):
        try:
            ways = [plain_reader.read(plain_reader.mended(proof["lifted"]))]
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
            for value, kind in zip(one["arguments"], kinds, strict=True):
                if value.replace("-", "_") not in world.types[kind].values:
                    found.append(value)
    return [
        f"the label needs {quoted(one, 80)}, which the prompt does not name" for one in found[:5]
    ]
