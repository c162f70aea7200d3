"""How the engines read sentences that are not in our language, as those of the published data.

They know the scenario's words. For the formula ``spot`` has the rules of `plain_reader`, ``evaluator`` the table of
`published_sentences`, which a reader wrote who had not seen those. What goes beyond is declined: an engine's answer
is to mean something. Each engine finds the actions its own way.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from contextlib import suppress
from typing import Any

from harness import Abstained
from harness_vltl.engines import phrases, plain_reader, published_sentences, second_reader
from harness_vltl.problem import Meaning
from harness_vltl.scenarios.model import FORMS, Scenario

MAX_SENTENCE = 2_000
_PROP = re.compile(r"prop_[1-9][0-9]?")
_END = ",.;:?! "
# Which of two names a scenario has for a thing is no question of the sentence: the published one says tv_monitor.
_OTHER_NAMES = frozenset({"tv"})


def meaning(problem: Mapping[str, Any], world: Scenario | None, engine: str) -> Meaning:
    """Return what an engine reads in such a sentence; parts that the task does not ask for are empty.

    Both engines find the actions of a lifted sentence (task=ground), and read the formula of a sentence with
    one plain meaning (translate, end_to_end).

    Raises:
        Abstained: another task, words that are not known, or a sentence without one plain meaning.
    """
    task = problem["task"]
    if (
        len(problem.get("sentence", "")) > MAX_SENTENCE
        or len(problem.get("lifted", "")) > MAX_SENTENCE
    ):
        raise Abstained(f"{engine}: the sentence is longer than {MAX_SENTENCE} characters")
    if task == "ground" and world is not None:
        actions = _GROUND[engine](problem["sentence"], problem["lifted"], world)
        if not actions:
            raise Abstained(f"{engine}: the lifted sentence has no proposition")
        if any(set(re.split(r"[(),]", action)) & _OTHER_NAMES for action in actions.values()):
            raise Abstained(f"{engine}: another scenario may name an action of it otherwise")
        return Meaning(True, problem["lifted"], dict(sorted(actions.items())))
    if task == "translate":
        return Meaning(_FORMULA[engine](problem["lifted"]), problem["lifted"], {})
    if task == "end_to_end" and world is not None:
        return _END_TO_END[engine](problem["sentence"], world)
    raise Abstained(f"{engine}: the sentence is in no language of ours")


def _by_phrases(sentence: str, lifted: str, world: Scenario) -> dict[str, str]:
    """Return each proposition's action: cut the sentence at the words between them, look each piece up whole."""
    between = [piece.strip(_END) for piece in _PROP.split(lifted)]
    names = _PROP.findall(lifted)
    actions: dict[str, str] = {}
    at = len(between[0])
    if not sentence.startswith(between[0]):
        raise Abstained("evaluator: the lifted sentence is not the sentence's")
    for name, after in zip(names, between[1:], strict=True):
        end = _place(after, sentence, at + 1) if after else len(sentence)
        action = _phrase(sentence[at:end].strip(_END), world)
        if end < 0 or action is None or actions.setdefault(name, action) != action:
            raise Abstained(f"evaluator: no action is known for the words of {name}")
        at = end + len(after)
    return actions


def _place(words: str, sentence: str, start: int) -> int:
    """Return where whole words stand in a sentence, from a place on; -1 if they do not."""
    match = re.compile(rf"(?<!\w){re.escape(words)}(?!\w)").search(sentence, start)
    return match.start() if match else -1


def _phrase(text: str, world: Scenario) -> str | None:
    readings = (phrases.parse(world, text, form) for form in FORMS) if text else ()
    return next((action for action in readings if action is not None), None)


def _by_verbs(sentence: str, lifted: str, world: Scenario) -> dict[str, str]:
    """Return each proposition's action: find actions by their verbs, and match them with the lifted sentence."""
    names: dict[str, str] = {}
    lifted_here = second_reader.lift(sentence, world, names)
    ours = [word.rstrip(_END) for word in lifted_here.split()]
    theirs = [word.rstrip(_END) for word in lifted.split()]
    back = {prop: action for action, prop in names.items()}
    actions: dict[str, str] = {}
    if len(ours) != len(theirs):
        raise Abstained("spot: some words are no action known here")
    for mine, other in zip(ours, theirs, strict=True):
        action = back.get(mine)
        if action is None and mine != other:
            raise Abstained("spot: some words are no action known here")
        if action is not None and actions.setdefault(other, action) != action:
            raise Abstained(f"spot: {other} stands for two actions")
    if not all(map(_PROP.fullmatch, actions)):
        raise Abstained("spot: an action stands where the lifted sentence has none")
    return actions


def _by_skeletons(sentence: str, world: Scenario) -> Meaning:
    """Return what a sentence says if one skeleton of the table fits it, with words for the propositions."""
    fitting: list[Meaning] = []
    for skeleton, formula in published_sentences.readings().items():
        with suppress(Abstained):
            fitting.append(Meaning(formula, skeleton, _by_phrases(sentence, skeleton, world)))
    if len(fitting) != 1:
        raise Abstained("evaluator: no one skeleton with words known here fits the sentence")
    return fitting[0]


def _by_rules(sentence: str, world: Scenario) -> Meaning:
    """Return what a sentence says by the rules for plain English, its actions found by their verbs."""
    names: dict[str, str] = {}
    lifted = second_reader.lift(sentence, world, names)
    return Meaning(plain_reader.read(lifted), lifted, {n: action for action, n in names.items()})


_GROUND = {"evaluator": _by_phrases, "spot": _by_verbs}
_FORMULA = {"evaluator": published_sentences.read, "spot": plain_reader.read}
_END_TO_END = {"evaluator": _by_skeletons, "spot": _by_rules}
