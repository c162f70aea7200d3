"""The first reader of requirements: it finds the form of the template that a sentence was made with.

It knows the templates and the scenario's words, and finds the propositions by taking the sentence
apart the way it was put together. `second_reader` knows neither templates nor formulas of theirs.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import pairwise

from harness_answers.text import quoted

from harness import Abstained
from harness_vltl.engines import phrases
from harness_vltl.engines.evaluator import freeze
from harness_vltl.formulas.formula import Formula, propositions, substitute, validate
from harness_vltl.problem import Meaning
from harness_vltl.scenarios.model import Scenario
from harness_vltl.templates import Form, Skeleton, Slot, defining, definitions, every_form

MAX_SENTENCE = 10_000
_CONDITION = r"(?:[Cc]ondition R[0-9]+|[A-Z]) holds"
_NAME = re.compile(r"R[0-9]+|[A-Z]")
_LIFTED_SLOT = re.compile(r"prop_[1-9][0-9]?")


class UnreadableError(Abstained):
    """A sentence that is none of ours, or one with two meanings."""


def read(sentence: str, scenario: Scenario | None = None, *, finite: bool = False) -> Meaning:
    """Read a requirement; without a scenario, a lifted one (with prop_i in it already).

    ``finite``: it is about traces that end, and made of a template for these.

    Raises:
        UnreadableError: no form fits every part of it, or forms with different formulas do.
        FormulaError: what it says is beyond the bounds of formulas.
    """
    if len(sentence) > MAX_SENTENCE:
        raise UnreadableError(f"the sentence is longer than {MAX_SENTENCE} characters")
    listed = definitions(sentence)
    parts = dict(listed)
    if len(parts) != len(listed):
        raise UnreadableError("a condition is defined twice")
    names: dict[str, str] = {}
    read_parts: dict[str, Formula] = {}
    lifted = ""
    for name, part in parts.items():
        match = _matching_form(part, scenario, finite)
        if name:
            lifted += defining(name)
        text, read_parts[name] = _numbered(part, match, names, scenario is None)
        lifted += text
    formula = _joined("", read_parts, (), {})
    validate(
        formula, finite=finite
    )  # conditions that name each other twice make it grow without bound
    return Meaning(formula, lifted, {v: k for k, v in names.items()})


@dataclass(frozen=True, slots=True)
class _Match:
    """One form fitted to one part: what stands in its slots, and where propositions are."""

    skeleton: Skeleton
    slots: Mapping[str, str]
    spans: tuple[tuple[int, int, str], ...]  # of propositions: start, end, canonical name


def _matching_form(part: str, scenario: Scenario | None, finite: bool) -> _Match:
    matches: dict[object, _Match] = {}
    agent, words = _agent_and_slot(scenario)
    compiled = _compiled(agent, words, finite)
    for number, (fixed, skeleton, form) in enumerate(_forms(finite)):
        if fixed not in part:
            continue
        if number not in compiled:  # most forms never come up, and a pattern takes a while to make
            compiled[number] = re.compile(_pattern(form, agent, words))
        groups = compiled[number].fullmatch(part)
        if groups is None:
            continue
        match = _fit(skeleton, form, groups, scenario)
        if match is not None:
            matches.setdefault(freeze(substitute(skeleton.formula, match.slots)), match)
    if not matches:
        raise UnreadableError(f"no template says: {quoted(part, 200)}")
    if len(matches) > 1:
        raise UnreadableError(f"templates with different formulas say: {quoted(part, 200)}")
    return next(iter(matches.values()))


def _fit(
    skeleton: Skeleton, form: Form, groups: re.Match[str], scenario: Scenario | None
) -> _Match | None:
    slots: dict[str, str] = {}
    spans = []
    pieces = [piece for piece in form.pieces if isinstance(piece, Slot)]
    for number, slot in enumerate(pieces, 1):
        text, start = groups[f"slot{number}"], groups.start(f"slot{number}")
        if slot.kind == "clause" and re.fullmatch(_CONDITION, text):
            meant: str | None = text.split()[-2]
        else:
            if slot.kind == "clause":  # the words behind the agent
                start = groups.start(f"verb{number}")
                text = groups[f"verb{number}"]
            meant = _meaning(text, slot, start == 0, scenario)
            spans.append((start, start + len(text), meant or ""))
        if meant is None or slots.setdefault(slot.letter, meant) != meant:
            return None
    return _Match(skeleton, slots, tuple(spans))


def _meaning(text: str, slot: Slot, begins: bool, scenario: Scenario | None) -> str | None:
    if scenario is None:
        return text if _LIFTED_SLOT.fullmatch(text) else None
    if begins:
        text = text[:1].lower() + text[1:]
    return phrases.parse(scenario, text, slot.words)


def _numbered(part: str, match: _Match, names: dict[str, str], lifted: bool) -> tuple[str, Formula]:
    """Return the part lifted, and its formula over prop_i and conditions; ``names`` numbers the propositions."""
    text, end = "", 0
    for start, stop, name in match.spans:
        prop = name if lifted else names.setdefault(name, f"prop_{len(names) + 1}")
        text += part[end:start] + prop
        end = stop
    by = {letter: slot if lifted else names.get(slot, slot) for letter, slot in match.slots.items()}
    return text + part[end:], substitute(match.skeleton.formula, by)


def _joined(
    name: str, parts: Mapping[str, Formula], above: tuple[str, ...], known: dict[str, Formula]
) -> Formula:
    """Return the formula of a part with those of its conditions put in; ``known`` keeps what was joined."""
    if name in above:
        raise UnreadableError(f"condition {name} is defined by itself")
    if name not in known:
        inner = {
            other: _joined(other, parts, (*above, name), known)
            for other in _conditions(parts[name], parts)
        }
        known[name] = substitute(parts[name], inner)
    return known[name]


def _conditions(formula: Formula, parts: Mapping[str, Formula]) -> Iterator[str]:
    for name in sorted(part for part in propositions(formula) if _NAME.fullmatch(part)):
        if name not in parts:
            raise UnreadableError(f"condition {name} is not defined")
        yield name


@cache
def _forms(finite: bool) -> tuple[tuple[str, Skeleton, Form], ...]:
    """Return all forms, each behind its longest fixed text, which rules out most sentences at once."""
    return tuple(
        (max((p for p in form.pieces if isinstance(p, str)), key=len, default=""), skeleton, form)
        for skeleton, form in every_form(finite)
    )


def _agent_and_slot(scenario: Scenario | None) -> tuple[str, str]:
    """Return the patterns of an agent and of what a slot holds."""
    if scenario is None:
        return _lifted_agent(), _LIFTED_SLOT.pattern
    # what a slot holds has neither commas nor full stops
    return f"the (?:{'|'.join(map(re.escape, scenario.agents))})", r"[^,.:;]+?"


@cache
def _lifted_agent() -> str:
    """Return the pattern of the agents of all scenarios: no word of it stands behind the agent in a form."""
    behind = {
        after.split()[0]
        for _, form in every_form()
        for piece, after in pairwise(form.pieces)
        if piece is None and isinstance(after, str) and after.startswith(" ") and after.strip()
    }
    word = rf"(?!(?:{'|'.join(sorted(map(re.escape, behind)))})\b)[a-z][a-z0-9'-]*"
    return f"the {word}(?: {word}){{0,3}}?"


@lru_cache(maxsize=16)
def _compiled(agent: str, words: str, finite: bool) -> dict[int, re.Pattern[str]]:
    """Return the patterns of forms made so far, by the place of the form."""
    return {}


def _pattern(form: Form, agent: str, words: str) -> str:
    pattern = ""
    slots = 0
    for piece in form.pieces:
        if piece is None:
            pattern += _either(agent)
        elif isinstance(piece, str):
            pattern += re.escape(piece)
        else:
            slots += 1
            held = words
            if piece.kind == "clause":
                held = f"{_either(agent)} (?P<verb{slots}>{words})|{_CONDITION}"
            pattern += f"(?P<slot{slots}>{held})"
    return pattern


def _either(words: str) -> str:
    """Return a pattern of words that may begin a sentence."""
    return f"[{words[0].upper()}{words[0]}]{words[1:]}"
