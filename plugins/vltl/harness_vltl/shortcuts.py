"""Cheap ways to answer, each of which leaves a part of the problem out; none of them sees the label."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from random import Random
from typing import Any

from harness import Item, Shortcut
from harness_vltl import lassos, sentences, templates, twins
from harness_vltl.engines import evaluator, named_sentences, truth
from harness_vltl.formulas.formula import Formula, propositions, substitute, text
from harness_vltl.matching import LIFTED, Matcher
from harness_vltl.problem import dictionary, is_finite, is_pair
from harness_vltl.scenarios import scenario
from harness_vltl.scenarios.model import Scenario

_TRANSLATED = ("translate", "end_to_end")
SHORTCUTS = (
    Shortcut(
        "commonest",
        "The commonest formula among requirements of the same length and number of propositions.",
        "the words", _TRANSLATED,
    ),
    Shortcut(
        "nearest",
        "The formula of the requirement that shares most words, out of 300 of another split.",
        "the order of the words", _TRANSLATED,
    ),
    Shortcut(
        "word_by_word",
        "Each connective translated alone, in the order of the words: always G, until U, if ->.",
        "what belongs to what", _TRANSLATED,
    ),
    Shortcut(
        "string_match",
        "The action and arguments whose names look most like the words.",
        "what the words mean", ("ground",),
    ),
    Shortcut(
        "after_agent",
        "What follows the one who acts, up to the next comma or full stop, is an action.",
        "where an action ends, and which are the same", ("lift",),
    ),
    Shortcut(
        "majority", "The verdict of most traces drawn by chance for the formula.", "the trace",
        ("verify",),
    ),
    Shortcut(
        "last_state", "The formula judged as if the trace were its last state only.",
        "all other states, and where the trace goes back to", ("verify",),
    ),
    Shortcut(
        "last_repeats", "The formula judged as if the last state were repeated forever.",
        "where the trace goes back to, or that it ends", ("verify",),
    ),
    Shortcut(
        "loop_alone",
        "The formula judged as if the trace began where its loop does; semantics=ltlf: as last_state.",
        "all that is before the loop", ("verify",),
    ),
)  # fmt: skip

_KNOWN = 300  # requirements of another split
_TRACES = 31  # traces drawn for a majority


def shortcut(item: Item, name: str, rng: Random) -> str:
    """Return the answer of a shortcut to an item of its tasks."""
    return f"Answer: {_ANSWERS[name](item, rng)}"


# ------------------------------------------------------------------------------------- translation


@dataclass(frozen=True, slots=True)
class _Known:
    """A requirement of another split: words without its actions, how many, its formula."""

    words: frozenset[str]
    length: int
    formula: Formula
    count: int  # propositions


@lru_cache(maxsize=16)
def _known(name: str, depth: int, style: str, finite: bool) -> tuple[_Known, ...]:
    """Return requirements of a scenario, depth and style that no dataset has: their seed is of no split."""
    world = _world(name)
    most = scenario.capacity(world)
    listed = templates.skeletons(style, finite)
    pool = inner = tuple(s for s in listed if s.arity <= most)
    if style == "timed":
        inner += tuple(s for s in templates.skeletons("plain") if s.arity <= most)
    rng = Random(f"vltl shortcuts {world.name} {depth}")
    drawn = (
        sentences.requirement(world, rng.choice(pool), inner, depth, rng) for _ in range(_KNOWN)
    )
    return tuple(
        _Known(_bag(one.lifted), len(one.lifted.split()), one.formula, len(one.choices))
        for one in drawn
    )


def _world(name: str) -> Scenario:
    return scenario.known(name) or scenario.load(scenario.NAMES[0])


@dataclass(frozen=True, slots=True)
class _Sentence:
    """What a shortcut makes of a requirement: lifted as far as strings tell, and the actions in their order."""

    lifted: str
    actions: Mapping[str, str]

    @property
    def numbers(self) -> list[str]:
        return list(dict.fromkeys(LIFTED.findall(self.lifted)))


def _sentence(item: Item) -> tuple[_Sentence, tuple[_Known, ...]]:
    """Return the requirement of an item with requirements to compare it with."""
    problem = item.problem
    if is_pair(problem):
        names = problem["propositions"]
        lifted, actions = named_sentences.lift(problem["sentence"], names)
        lifted, name = lifted or f"{problem['sentence']} prop_1", scenario.NAMES[0]
        read = _Sentence(lifted, actions)
    elif problem["task"] == "translate":
        lifted, name = problem["lifted"], scenario.NAMES[0]
        read = _Sentence(lifted, {number: number for number in LIFTED.findall(lifted)})
    else:
        name = problem["scenario"]
        matcher = _matcher(item)
        lifted, actions = matcher.lift(problem["sentence"])
        # no words look like an action: then any one
        read = (
            _Sentence(lifted, actions)
            if actions
            else _Sentence(f"{lifted} prop_1", {"prop_1": matcher.action("")})
        )
    depth = min(len(templates.definitions(read.lifted)), 3)
    style, finite = problem.get("style", "exact"), is_finite(problem)
    return read, _known(_world(name).name, depth, style, finite)


def _filled(formula: Formula, sentence: _Sentence) -> str:
    """Return a formula with the sentence's actions in it, in their order."""
    actions = [sentence.actions[number] for number in sentence.numbers]
    names = sorted(propositions(formula), key=lambda name: int(name[5:]))
    by = {name: actions[min(at, len(actions) - 1)] for at, name in enumerate(names)}
    return text(substitute(formula, by))


def _commonest(item: Item, rng: Random) -> str:
    sentence, known = _sentence(item)
    length, count = len(sentence.lifted.split()), len(sentence.numbers)
    alike = [one for one in known if one.count == count] or known
    near = sorted(alike, key=lambda one: abs(one.length - length))[:15]
    shapes = Counter(text(one.formula) for one in near)
    shape = shapes.most_common(1)[0][0]
    return _filled(next(one.formula for one in near if text(one.formula) == shape), sentence)


def _nearest(item: Item, rng: Random) -> str:
    sentence, known = _sentence(item)
    bag, count = _bag(sentence.lifted), len(sentence.numbers)
    best = max(known, key=lambda one: (_overlap(bag, one.words), one.count == count))
    return _filled(best.formula, sentence)


def _bag(lifted: str) -> frozenset[str]:
    return frozenset(re.findall(r"[a-z]+", LIFTED.sub("", lifted).lower()))


def _overlap(bag: frozenset[str], other: frozenset[str]) -> float:
    shared = len(bag & other)
    return shared / (len(bag) + len(other) - shared)


_CONNECTIVES = (
    (r"prop_\d+", ""), (r"\b(?:never|not|no|neither|nor|refrain|forbidden|avoid)\b", "!"),
    (r"\b(?:always|every|each|all|whenever|henceforth|forever)\b", "G"),
    (r"\b(?:eventually|sooner|later|some point|some step|at least one)\b", "F"),
    (r"\b(?:next step|step right after|right after)\b", "X"),
    (r"\buntil\b", "U"), (r"\b(?:unless)\b", "W"), (r"\b(?:and|but|both)\b", "&"), (r"\bor\b", "|"),
    (r"\b(?:exactly if|if and only if|exactly when)\b", "<->"), (r"\b(?:if|then|whenever|when)\b", "->"),
)  # fmt: skip
_WORDS = re.compile("|".join(f"({pattern})" for pattern, _ in _CONNECTIVES), re.IGNORECASE)


def _word_by_word(item: Item, rng: Random) -> str:
    """Put an operator for each connective: those with one operand before, others between propositions."""
    sentence, _ = _sentence(item)
    formula: Formula = None
    unary: list[str] = []
    binary = "&"
    for match in _WORDS.finditer(sentence.lifted):
        operator = _CONNECTIVES[int(match.lastindex or 1) - 1][1]
        if operator in ("!", "G", "F", "X"):
            unary = [*unary, operator] if operator not in unary else unary
        elif operator:
            binary = operator
        else:
            part: Formula = sentence.actions.get(match[0], match[0])
            for sign in reversed(unary):
                part = [sign, part]
            # an "if" at the beginning joins the first proposition with the second
            formula, binary = (part, binary) if formula is None else ([binary, formula, part], "&")
            unary = []
    return text(formula)


# ------------------------------------------------------------------------------ grounding, lifting


def _matcher(item: Item) -> Matcher:
    """Return the matcher of the names that the item's prompt tells."""
    world = _world(item.problem["scenario"])
    return Matcher.of(world, scenario.describe(world, full=True) in item.prompt)


def _string_match(item: Item, rng: Random) -> str:
    matcher = _matcher(item)
    phrases = _phrases(item.problem["sentence"], item.problem["lifted"])
    return dictionary({name: matcher.action(words) for name, words in phrases.items()})


def _phrases(sentence: str, lifted: str) -> dict[str, str]:
    """Return the words of each proposition: what stands in a sentence where the lifted one has its name."""
    names: list[str] = LIFTED.findall(lifted)
    between = "(.+?)".join(map(re.escape, LIFTED.split(lifted)))
    match = re.fullmatch(between, sentence) if len(names) < 50 else None
    words = match.groups() if match else [sentence] * len(names)
    phrases: dict[str, str] = {}
    for name, phrase in zip(names, words, strict=True):
        phrases.setdefault(name, phrase)
    return phrases


def _after_agent(item: Item, rng: Random) -> str:
    """Replace the words behind each agent, without those that say whether it acts."""
    agents = "|".join(map(re.escape, _world(item.problem["scenario"]).agents))
    names: dict[str, str] = {}
    helping = r"(?:(?:is|does|must|not|never|keeps|to|refrain|from)\b,? )*"
    return re.sub(
        rf"((?:{agents}) {helping})([^,.]+)",
        lambda match: f"{match[1]}{names.setdefault(match[2], f'prop_{len(names) + 1}')}",
        item.problem["sentence"],
    )


# ------------------------------------------------------------------------------------ verification


def _majority(item: Item, rng: Random) -> str:
    formula = item.problem["formula"]
    names = propositions(formula)
    finite = is_finite(item.problem)
    drawn = []
    for _ in range(_TRACES):
        states = [[name for name in names if rng.random() < 0.5] for _ in range(4)]
        drawn.append(lassos.ended(states) if finite else lassos.make(states, rng.randrange(4)))
    return truth(2 * sum(evaluator.verdicts(formula, drawn)) > _TRACES)


def _last_state(item: Item, rng: Random) -> str:
    last = item.problem["trace"]["states"][-1:]
    trace = lassos.ended(last) if is_finite(item.problem) else lassos.make(last)
    return truth(evaluator.holds(item.problem["formula"], trace))


def _last_repeats(item: Item, rng: Random) -> str:
    return truth(twins.repeating(item.problem["formula"], [item.problem["trace"]])[0])


def _loop_alone(item: Item, rng: Random) -> str:
    if is_finite(item.problem):
        return _last_state(item, rng)
    return truth(twins.loop_alone(item.problem["formula"], [item.problem["trace"]])[0])


_ANSWERS: dict[str, Callable[[Item, Random], Any]] = {
    "commonest": _commonest,
    "nearest": _nearest,
    "word_by_word": _word_by_word,
    "string_match": _string_match,
    "after_agent": _after_agent,
    "majority": _majority,
    "last_state": _last_state,
    "last_repeats": _last_repeats,
    "loop_alone": _loop_alone,
}
