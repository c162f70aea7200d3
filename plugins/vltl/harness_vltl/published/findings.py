"""How a published record contradicts itself, or the prompt that is made of it; nothing is corrected."""

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
from harness_vltl.scenarios import scenario
from harness_vltl.scenarios.model import Scenario

_END = ",.;:?!"
# Words that say nothing of which action or thing is meant.
_SMALL = frozenset(["the", "a", "an", "to", "on", "in", "at", "from", "of", "with", "by", "for"])
_PROP = re.compile(r"prop_[1-9][0-9]?(?![0-9])")


@dataclass(frozen=True, slots=True)
class Contradictions:
    """How a record contradicts itself, in short lines.

    ``wrong``: why the label that the task asks for cannot be right, by the record's own content.
    ``findings``: all else.
    """

    wrong: list[str]
    findings: list[str]


def contradictions(
    record: Mapping[str, Any], proof: Mapping[str, Any], problem: Mapping[str, Any], world: str
) -> Contradictions:
    """Return how a record contradicts its label, itself or its prompt."""
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
            (_trace(proof, kind), (*formulas, "verify" if _is_asked(problem, proof, kind) else ""))
            for kind in ("satisfying", "violating")
        ),
    ):
        (wrong if task in labels else findings).extend(lines)
    if task in ("ground", "end_to_end"):
        wrong += _words(proof["propositions"], scenario.known(problem["scenario"]))
    if task in ("translate", "end_to_end"):
        wrong += _meanings(proof, task)
    if task == "lift":
        findings += _numbering(proof["ids"])
    if task in ("ground", "end_to_end") and world != "none":
        findings += _vocabulary(proof, problem["scenario"])
    return Contradictions(wrong, findings)


def _is_asked(problem: Mapping[str, Any], proof: Mapping[str, Any], kind: str) -> bool:
    """Return whether a trace is the one that task=verify is about."""
    return bool(problem.get("trace") == lassos.renamed(proof[kind][0], certificate.actions(proof)))


def _formulas(record: Mapping[str, Any], proof: Mapping[str, Any]) -> list[str]:
    if syntax.parse(" ".join(record["tl"]), ()) != proof["grounded"]:
        return ["'tl' is not 'grounded_tl' with its propositions put in"]
    return []


def _marks(proof: Mapping[str, Any]) -> list[str]:
    """Hold the marked tokens against the lifted sentence and against the words of each proposition."""
    if set(proof["spans"]) != set(proof["propositions"]):
        return ["some proposition is not marked in the sentence"]
    lines = []
    if _bare(certificate.lifted(proof["tokens"], proof["ids"])) != _bare(proof["lifted"]):
        lines.append("'lifted_sentence' is not the sentence with its marked tokens replaced")
    for name, places in proof["spans"].items():
        text_of, words = proof["propositions"][name]["text"], proof["tokens"]
        for start, end in places:
            if not _fits(_bare(" ".join(words[start:end])), _bare(text_of)):
                marked = quoted(" ".join(words[start:end]), 80)
                lines.append(
                    f"{name} marks {marked}, its words in 'prop_dict' are {quoted(text_of, 80)}"
                )
    return lines[:5]


def _bare(words: str) -> list[str]:
    return [word.rstrip(_END).lower() for word in words.split()]


def _fits(tokens: Sequence[str], words: Sequence[str]) -> bool:
    """Tell whether tokens are some words in any order, but for the form of the verb and small words."""
    if not tokens or not words:
        return False
    if not (_form_of(tokens[0], words[0]) or _form_of(words[0], tokens[0])):
        return False
    rest, wanted = Counter(tokens[1:]), Counter(words[1:])
    return set((rest - wanted) + (wanted - rest)) <= _SMALL


def _form_of(token: str, verb: str) -> bool:
    stem = verb[:-1] if verb[-1:] in "ey" and len(verb) > 2 else verb
    return token.startswith(stem) and len(token) <= len(verb) + 4


def _mentions(proof: Mapping[str, Any]) -> list[str]:
    """Hold the propositions of the formula against those of the lifted sentence."""
    used, needed = set(_PROP.findall(proof["lifted"])), set(propositions(proof["formula"]))
    return [
        *(f"the formula has {name}, the lifted sentence has not" for name in sorted(needed - used)),
        *(f"the lifted sentence has {name}, the formula has not" for name in sorted(used - needed)),
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


def _same(formula: Formula, other: Formula) -> bool:
    try:
        return compare(formula, other).equivalent
    except HarnessError:  # too large to be compared: nothing is said of it
        return True


def _numbering(ids: Sequence[int]) -> list[str]:
    firsts = [number for number in dict.fromkeys(ids) if number]
    if firsts == sorted(firsts):
        return []
    order = ", ".join(f"prop_{number}" for number in firsts)
    return [f"the label's order of first mention is {order}; the prompt asks for prop_1, prop_2, …"]


def _vocabulary(proof: Mapping[str, Any], world_name: str) -> list[str]:
    """Return which names of the label the prompt does not tell."""
    world = scenario.known(world_name)
    if world is None:
        return []
    unnamed = []
    for prop in proof["propositions"].values():
        kinds = world.kinds(prop["action"])
        if prop["action"] not in world.actions or len(kinds) != len(prop["arguments"]):
            unnamed.append(certificate.canonical(prop))
        else:
            for value, kind in zip(prop["arguments"], kinds, strict=True):
                if value.replace("-", "_") not in world.types[kind].values:
                    unnamed.append(value)
    return [
        f"the label needs {quoted(name, 80)}, which the prompt does not name"
        for name in unnamed[:5]
    ]


def _words(propositions: Mapping[str, Mapping[str, Any]], world: Scenario | None) -> list[str]:
    """Return which words say something else than the action and arguments beside them, in one line each."""
    lines = []
    for name, prop in propositions.items():
        others = [other for key, other in propositions.items() if key != name]
        meant = _meant(prop, others, world)
        if meant:
            words, canonical = (
                quoted(" ".join(prop["words"]), 80),
                quoted(certificate.canonical(prop), 80),
            )
            lines.append(f"the words {words} of {name} say {meant}, its action is {canonical}")
    return lines[:5]


def _meant(prop: Mapping[str, Any], others: list[Mapping[str, Any]], world: Scenario | None) -> str:
    """Return what a proposition's words say if that is not its action and arguments; else empty."""
    phrases, arguments = prop["words"], prop["arguments"]
    if len(phrases) - 1 != len(arguments):
        return f"{len(phrases) - 1} argument(s)"
    elsewhere = {value for other in others for value in other["arguments"]}
    for words, value in zip(phrases[1:], arguments, strict=True):
        plain = _identifier(words)
        if plain in elsewhere and plain != _identifier(value):
            return quoted(plain, 80)
    return _by_scenario(prop, world) if world is not None else ""


def _by_scenario(prop: Mapping[str, Any], world: Scenario) -> str:
    actions = _actions(world, prop["words"][0])
    if actions and prop["action"] not in actions:
        return quoted(" or ".join(sorted(actions)), 80)
    kinds = world.kinds(prop["action"])
    for words, value, kind in zip(prop["words"][1:], prop["arguments"], kinds, strict=False):
        values = world.types[kind].values
        owners = sorted(owner for owner, forms in values.items() if words in forms)
        # a name that is not ours: the published scenario may call the same thing otherwise
        if owners and value in values and value not in owners:
            return quoted(" or ".join(owners), 80)
    return ""


def _actions(world: Scenario, words: str) -> set[str]:
    """Return the actions that have a phrase of these words, but for arguments and small words."""
    wanted = _content(words)
    return {
        name
        for name, action in world.actions.items()
        if any(_content(phrase.base) == wanted for phrase in action.phrases)
    }


def _content(words: str) -> list[str]:
    return [
        word for word in words.split() if word not in _SMALL | {"up"} and not word.startswith("{")
    ]


def _identifier(words: str) -> str:
    return words.strip().lower().replace(" ", "_").replace("-", "_")
