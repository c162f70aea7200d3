"""Reading prompts: from the text alone back to the formal problem.

`read` takes what `harness_ltlbench.wording` writes, and also the published questions and the
paper's listing, which state no rules.

It shares no phrase with that writer: what is understood here and what is said there are written
out separately, so that a slip in one of them is seen instead of undone by the other. A new
phrase is therefore entered twice, never imported.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from harness_ltlbench.formula import (
    MAX_EVENTS,
    MAX_OPERATORS,
    Formula,
    FormulaError,
    validate,
)

MAX_TEXT = 1_000_000

_N = "([1-9][0-9]{0,3})"
_INITIAL = re.compile(f"Initially, event{_N} happened")
_AFTER = re.compile(
    f"After event{_N}, "
    f"(?:(no other events) can|event{_N} can|event{_N} must"
    f"|either ((?:event[1-9][0-9]{{0,3}}, )+)or event{_N} must) happen"
)
_NUMBER = re.compile("[0-9]+")
_STATEMENT = re.compile(rf"C{_N}: (.+)\.")
_QUESTION = re.compile(rf"C{_N} is True or False\?[ \t]*")
_SINGLE = re.compile(f"(?:[Ee]vent{_N}|C{_N}) ([a-z ]{{5,50}})")
_PAIR = re.compile(
    rf"(If |That )?(?:[Ee]vent{_N} happens|C{_N} holds)"
    r"(, then | implies that | and | or | until | up to and including the first moment when )"
    rf"(?:event{_N} happens|C{_N} holds)(, or else forever)?"
)

_EVENT_PHRASES = {
    "happens": "",
    "does not happen": "!",
    "happens in the next state": "X",
    "eventually happens": "F",
    "always happens": "G",
    "will happen at the next moment": "X",
    "will happen at next time": "X",
    "will happen eventually": "F",
    "will always happen at any future time": "G",
}
_STATEMENT_PHRASES = {
    "does not hold": "!",
    "holds in the next state": "X",
    "eventually holds": "F",
    "always holds": "G",
    "will be true at the next moment": "X",
    "will be true at next time": "X",
    "will happen at next time": "X",
    "will be true eventually": "F",
    "will happen eventually": "F",
    "will always be true at any future time": "G",
    "will always happen at any future time": "G",
}
# (opening, between, closing) -> operator; M and R name their second operand first.
_PAIR_PHRASES = {
    ("If ", ", then ", None): "->",
    ("That ", " implies that ", None): "->",
    (None, " and ", None): "&",
    (None, " or ", None): "|",
    (None, " until ", None): "U",
    (None, " until ", ", or else forever"): "W",
    (None, " up to and including the first moment when ", None): "M",
    (None, " up to and including the first moment when ", ", or else forever"): "R",
}

# A prompt that states rules must state those its words call for, and none that we do not know.
_RULES_ALWAYS = (
    "Time is an endless sequence of moments, and exactly one event happens at each moment. The "
    "initial event happens at the first moment.",
    "At the moment after an event, one of the events listed for it happens. Each of them is "
    "possible every time, and nothing else is.",
    "A statement is judged in one such sequence and at one of its moments, called now. "
    '"Happens" and "holds" without a word of time mean now.',
    "The hypothesis, that is the last statement, is True if it holds at the first moment of every "
    "possible sequence, and False if there is a possible sequence where it does not.",
)
_RULE_REPEATS = "An event after which no other events can happen repeats forever."
_RULE_OTHER = (
    "Where a statement names another statement, that one is judged in the same sequence, at the "
    "moment for which it is named."
)
_RULE_ALWAYS = '"Always" means now and at every later moment.'
_RULE_OR = '"Or" between two parts means at least one of them.'
_RULES_OF_WORDS = (
    ("in the next state", '"In the next state" means at the moment right after now.'),
    ("at the next moment", '"At the next moment" means at the moment right after now.'),
    ("eventually", '"Eventually" means now or at some later moment.'),
    ("always happens", _RULE_ALWAYS),
    ("always holds", _RULE_ALWAYS),
    (
        "at any future time",
        '"Always" and "at any future time" mean now and at every later moment.',
    ),
    (" or event", _RULE_OR),
    (" or C", _RULE_OR),
    (
        ", then ",
        '"If one thing, then another" means: now the first is not the case, or the second is, or '
        "both.",
    ),
    (
        " implies that ",
        "That one thing implies another means: now the first is not the case, or the second is, "
        "or both.",
    ),
    (
        " until ",
        '"A until B" means: B is the case now or at some later moment, and A is the case at every '
        "moment from now on that comes before the first such moment.",
    ),
    (
        " up to and including ",
        '"A up to and including the first moment when B" means: B is the case now or at some '
        "later moment, and A is the case at every moment from now on through the first such "
        "moment.",
    ),
    (
        ", or else forever",
        '"Or else forever" means: it is also enough that A is the case now and at every later '
        "moment, whether or not B ever is.",
    ),
)
_RULES_KNOWN = frozenset(
    (*_RULES_ALWAYS, _RULE_REPEATS, _RULE_OTHER, *(rule for _, rule in _RULES_OF_WORDS))
)

_DECIDE_TAIL = 'End your reply with a line that reads either "Answer: True" or "Answer: False".'
_COUNTEREXAMPLE_TAIL = (
    'If it is True, end your reply with the line "Answer: True". If it is False, end your reply '
    "with one line that also gives a possible sequence in which it does not hold, in the form "
    '"Answer: False: eventA, eventB, (eventC, eventD)" with numbers in place of the letters: '
    "first the events in order, starting with the initial event, and last, in a single pair of "
    "parentheses, one or more events that repeat forever from there on. Nothing needs to stand "
    "before the parentheses."
)


class _RefusedError(Exception):
    """The text is not a prompt of this benchmark."""


# An operator with its operands: events are positive, numbers of earlier statements negative.
_Definition = tuple[str, tuple[int, ...]]


def read(prompt: str) -> dict[str, Any] | None:
    """Return the formal problem that a prompt states, or None when it states none.

    Takes prompts of all wordings and tasks, published questions and the paper's listing,
    with any text before them and after them; of several prompts in one text, the last. Never
    raises; time is linear in the text, of which more than `MAX_TEXT` characters are refused.
    """
    if not isinstance(prompt, str) or len(prompt) > MAX_TEXT:
        return None
    try:
        return _problem(prompt)
    except (_RefusedError, FormulaError):
        return None


def _problem(prompt: str) -> dict[str, Any]:
    head, marker, hypothesis = prompt.rpartition("=== Hypothesis ===")
    _require(marker)
    context, rules = _context_and_rules(head)
    initial, followers = _followers(context)
    bodies, tail = _statements(hypothesis)
    formula = _formula(bodies)
    validate(formula, len(followers))
    if rules is not None:
        _check_rules(rules, bodies, repeats=not all(followers.values()))
        _require(tail.startswith((_DECIDE_TAIL, _COUNTEREXAMPLE_TAIL)))
    return {
        "task": "counterexample" if tail.startswith(_COUNTEREXAMPLE_TAIL) else "decide",
        "events": len(followers),
        "initial": initial,
        "edges": [[s, t] for s in sorted(followers) for t in sorted(followers[s])],
        "formula": formula,
    }


def _require(condition: object) -> None:
    if not condition:
        raise _RefusedError


def _context_and_rules(head: str) -> tuple[str, list[str] | None]:
    """Split what stands before the hypothesis; rules are None where there is no such section."""
    _, marker, rest = head.rpartition("=== Context ===")
    if not marker:
        start = head.rfind("Initially, event")
        _require(start >= 0)
        rest = head[start:]
    context, marker, rules = rest.partition("=== Rules ===")
    if not marker:
        return context, None
    return context, [line for line in map(str.strip, rules.split("\n")) if line]


def _followers(context: str) -> tuple[int, dict[int, set[int]]]:
    """Return the initial event and the followers of each event, all of 1…n described."""
    words = " ".join(context.split())
    _require(words.endswith("."))
    first, *sentences = words[:-1].split(". ")
    match = _INITIAL.fullmatch(first)
    if match is None:
        raise _RefusedError
    initial = int(match[1])
    followers: dict[int, set[int]] = {}
    complete: set[int] = set()
    for sentence in dict.fromkeys(sentences):  # the published data repeats whole sentences
        _add_followers(sentence, followers, complete)
    events = len(followers)
    _require(initial <= events <= MAX_EVENTS and max(followers) == events)
    _require(max((max(targets) for targets in followers.values() if targets), default=0) <= events)
    return initial, followers


def _add_followers(sentence: str, followers: dict[int, set[int]], complete: set[int]) -> None:
    """Enter one sentence; an event that one sentence describes in full may have no second one."""
    match = _AFTER.fullmatch(sentence)
    if match is None:
        raise _RefusedError
    source, nothing, possible, only, several, last = match.groups()
    event = int(source)
    _require(event not in complete)
    if possible is not None:
        followers.setdefault(event, set()).add(int(possible))
        return
    _require(event not in followers)
    complete.add(event)
    if nothing is not None:
        followers[event] = set()
    elif only is not None:
        followers[event] = {int(only)}
    else:
        names = [*map(int, _NUMBER.findall(several)), int(last)]
        followers[event] = set(names)
        _require(len(followers[event]) == len(names))


def _statements(hypothesis: str) -> tuple[list[str], str]:
    """Return the texts of C1…Ck, and what follows the question on its line."""
    bodies: list[str] = []
    for line in map(str.strip, hypothesis.split("\n")):
        if not line:
            continue
        match = _STATEMENT.fullmatch(line)
        if match is None:
            question = _QUESTION.match(line)
            if question is None or not bodies or int(question[1]) != len(bodies):
                break
            return bodies, line[question.end() :]
        bodies.append(match[2])
        _require(int(match[1]) == len(bodies) <= MAX_OPERATORS)
    raise _RefusedError


def _formula(bodies: Iterable[str]) -> Formula:
    """Return the formula of the last statement; bounded before it is written out."""
    definitions: list[_Definition] = []
    sizes: list[int] = []
    for body in bodies:
        operator, operands = _definition(body)
        size = int(operator != "")
        for operand in operands:
            _require(-operand <= len(sizes))
            size += sizes[-operand - 1] if operand < 0 else 0
        _require(size <= MAX_OPERATORS)
        definitions.append((operator, operands))
        sizes.append(size)
    return _expand(definitions)


def _definition(body: str) -> _Definition:
    match = _SINGLE.fullmatch(body)
    if match is not None:
        event, statement, phrase = match.groups()
        operator = (_EVENT_PHRASES if event else _STATEMENT_PHRASES).get(phrase)
        operands: tuple[int, ...] = (_operand(event, statement),)
    else:
        match = _PAIR.fullmatch(body)
        if match is None:
            raise _RefusedError
        opening, event1, statement1, between, event2, statement2, closing = match.groups()
        operator = _PAIR_PHRASES.get((opening, between, closing))
        operands = (_operand(event1, statement1), _operand(event2, statement2))
        if operator in ("M", "R"):
            operands = operands[::-1]
    if operator is None:
        raise _RefusedError
    return operator, operands


def _operand(event: str | None, statement: str | None) -> int:
    return int(event) if event else -int(statement or 0)


def _expand(definitions: list[_Definition]) -> Formula:
    """Write the last definition out in full, every occurrence a list of its own."""
    top: list[Any] = [0]
    todo = [(top, 0, -len(definitions))]
    while todo:
        parent, slot, operand = todo.pop()
        if operand > 0:
            parent[slot] = operand
            continue
        operator, operands = definitions[-operand - 1]
        if not operator:
            parent[slot] = operands[0]
            continue
        node: list[Any] = [operator, *operands]
        parent[slot] = node
        todo.extend((node, i, part) for i, part in enumerate(operands, 1))
    formula: Formula = top[0]
    return formula


def _check_rules(lines: list[str], bodies: list[str], repeats: bool) -> None:
    """Refuse a rules section that lacks a rule the text needs or has one that we do not know."""
    _require(all(line.startswith("- ") for line in lines))
    stated = {line[2:] for line in lines}
    needed = set(_RULES_ALWAYS)
    if repeats:
        needed.add(_RULE_REPEATS)
    text = "\n".join(bodies)
    if len(bodies) > 1:
        needed.add(_RULE_OTHER)
    needed.update(rule for words, rule in _RULES_OF_WORDS if words in text)
    _require(needed <= stated <= _RULES_KNOWN)
