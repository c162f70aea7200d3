"""Items of ltlbench: the prompt read anew, and its label checked by its certificate.

The sentences are those of LTLBench, as printed ("can happen") and as published ("must happen"). A section of
rules has to be there whole, or not at all: a rule that says something else changes the question.
"""

from __future__ import annotations

import re
from typing import Any, NamedTuple

from harness_proof.graph_paths import check_no_violation, check_violation
from harness_proof.ltl import Formulas
from harness_proof.outcomes import RefutedError, UncheckedError

_FIRST = re.compile(r"Initially, event([1-9]\d{0,3}) happened")
_AFTER = re.compile(
    r"After event([1-9]\d{0,3}), (?:(no other events) can|event([1-9]\d{0,3}) (can|must)"
    r"|either ((?:event[1-9]\d{0,3}, )+or event[1-9]\d{0,3}) must) happen"
)
_LINE = re.compile(r"C([1-9]\d{0,2}): (.+)\.")
_QUESTION = re.compile(r"C([1-9]\d{0,2}) is True or False\?(.*)")
_ONE = re.compile(r"(Event|C)([1-9]\d{0,3}) ([a-z ]+)")
_TWO = re.compile(
    r"(If |That )?(?:[Ee]vent([1-9]\d{0,3}) happens|C([1-9]\d{0,3}) holds)(,? [a-z ]+) "
    r"(?:event([1-9]\d{0,3}) happens|C([1-9]\d{0,3}) holds)(, or else forever)?"
)
_EVENT_VERBS = {
    "does not happen": "!",
    "happens in the next state": "X", "eventually happens": "F", "always happens": "G",
    "will happen at the next moment": "X", "will happen at next time": "X",
    "will happen eventually": "F", "will always happen at any future time": "G",
}  # fmt: skip
_STATEMENT_VERBS = {
    "does not hold": "!",
    "holds in the next state": "X", "eventually holds": "F", "always holds": "G",
    "will be true at the next moment": "X", "will be true at next time": "X",
    "will happen at next time": "X", "will be true eventually": "F", "will happen eventually": "F",
    "will always be true at any future time": "G", "will always happen at any future time": "G",
}  # fmt: skip
_UP_TO = " up to and including the first moment when"
_JOINTS = {
    ("", " and", ""): "&", ("", " or", ""): "|",
    ("If ", ", then", ""): "->", ("That ", " implies that", ""): "->",
    ("", " until", ""): "U", ("", " until", ", or else forever"): "W",
    ("", _UP_TO, ""): "M", ("", _UP_TO, ", or else forever"): "R",
}  # fmt: skip
_RULES = (
    "Time is an endless sequence of moments, and exactly one event happens at each moment. The initial "
    "event happens at the first moment.",
    "At the moment after an event, one of the events listed for it happens. Each of them is possible every "
    "time, and nothing else is.",
    'A statement is judged in one such sequence and at one of its moments, called now. "Happens" and '
    '"holds" without a word of time mean now.',
    "The hypothesis, that is the last statement, is True if it holds at the first moment of every possible "
    "sequence, and False if there is a possible sequence where it does not.",
)
_REPEATS = "An event after which no other events can happen repeats forever."
_OTHERS = (
    "Where a statement names another statement, that one is judged in the same sequence, at the moment for "
    "which it is named."
)
_WORDS = {
    " in the next state": '"In the next state" means at the moment right after now.',
    " at the next moment": '"At the next moment" means at the moment right after now.',
    " eventually": '"Eventually" means now or at some later moment.',
    " always happens": '"Always" means now and at every later moment.',
    " always holds": '"Always" means now and at every later moment.',
    " at any future time": '"Always" and "at any future time" mean now and at every later moment.',
    " or event": '"Or" between two parts means at least one of them.',
    " or C": '"Or" between two parts means at least one of them.',
    ", then ": '"If one thing, then another" means: now the first is not the case, or the second is, or both.',
    " implies that ": "That one thing implies another means: now the first is not the case, or the second is, "
    "or both.",
    " until ": '"A until B" means: B is the case now or at some later moment, and A is the case at every '
    "moment from now on that comes before the first such moment.",
    " up to and ": '"A up to and including the first moment when B" means: B is the case now or at some later '
    "moment, and A is the case at every moment from now on through the first such moment.",
    "or else forever": '"Or else forever" means: it is also enough that A is the case now and at every later '
    "moment, whether or not B ever is.",
}
_ANSWER = ' End your reply with a line that reads either "Answer: True" or "Answer: False".'
_ANSWER_PATH = (
    ' If it is True, end your reply with the line "Answer: True". If it is False, end your reply with one line '
    'that also gives a possible sequence in which it does not hold, in the form "Answer: False: eventA, eventB, '
    '(eventC, eventD)" with numbers in place of the letters: first the events in order, starting with the initial '
    "event, and last, in a single pair of parentheses, one or more events that repeat forever from there on. "
    "Nothing needs to stand before the parentheses."
)
_ANSWERS = ("", _ANSWER, _ANSWER_PATH, ' Answer with "True" or "False" directly:')


Graph = dict[int, set[int]]
"""The events that can follow each event."""


class Question(NamedTuple):
    """What a prompt asks: do all paths from the initial event satisfy the formula?"""

    graph: Graph
    initial: int
    formulas: Formulas
    formula: int
    path: bool
    """Whether a path is asked for, too."""


def check(prompt: str, target: str, proof: Any) -> None:
    """Check an item's label.

    Raises:
        RefutedError: the certificate does not prove it.
        UncheckedError: the prompt is not in the words that we know, or the certificate is too large.
    """
    graph, initial, formulas, formula, path = read(prompt)
    if target == "True":
        check_no_violation(graph, initial, formulas, formula, proof)
        return
    check_violation(graph, initial, formulas, formula, proof)
    names = [f"event{event}" for event in proof["cycle"]]
    shown = ", ".join([*(f"event{event}" for event in proof["prefix"]), f"({', '.join(names)})"])
    if target != ("False: " + shown if path else "False"):
        raise RefutedError("the target is not what the path shows")


def read(prompt: str) -> Question:
    """Return what a prompt asks.

    Raises:
        UncheckedError: it is not in the words that we know.
    """
    head, found, tail = prompt.partition("=== Hypothesis ===")
    start, context_found, context = head.partition("=== Context ===")
    if not found or not context_found or start.strip() or "===" in tail:
        raise UncheckedError("the prompt has not one context and one hypothesis")
    context, ruled, rules = context.partition("=== Rules ===")
    graph, initial, repeats = _graph(context)
    lines = [line for line in map(str.rstrip, tail.split("\n")) if line]
    asked = _QUESTION.fullmatch(lines.pop()) if lines else None
    if asked is None or int(asked[1]) != len(lines) or asked[2] not in _ANSWERS:
        raise UncheckedError("the question is not in words that we know")
    formulas = Formulas()
    formula = _formula(lines, formulas, graph)
    if ruled:
        text = "\n".join(lines)
        needed = {*_RULES, *(rule for words, rule in _WORDS.items() if words in text)}
        needed |= {rule for rule, due in ((_REPEATS, repeats), (_OTHERS, len(lines) > 1)) if due}
        stated = [line for line in rules.split("\n") if line.strip()]
        if sorted(stated) != sorted("- " + rule for rule in needed):
            raise UncheckedError("the rules are not those of the words that are used")
    return Question(graph, initial, formulas, formula, asked[2] == _ANSWER_PATH)


def _graph(context: str) -> tuple[Graph, int, bool]:
    """Return which events can follow each, the initial event, and whether some event repeats forever."""
    first, *sentences = " ".join(context.split()).removesuffix(".").split(". ")
    begun = _FIRST.fullmatch(first)
    if begun is None:
        raise UncheckedError("the prompt does not say which event is the first")
    graph: Graph = {}
    complete: set[int] = set()
    repeats = False
    for sentence in dict.fromkeys(sentences):
        read = _AFTER.fullmatch(sentence)
        event = int(read[1]) if read else 0
        if read is None or event in complete or (event in graph and read[4] != "can"):
            raise UncheckedError(f"this sentence is not known here: {sentence[:80]}")
        if read[4] != "can":
            complete.add(event)
        repeats = repeats or bool(read[2])
        named = [int(name) for name in re.findall(r"\d+", read[3] or read[5] or "")]
        targets = set(named) or {event}
        if len(targets) < len(named):
            raise UncheckedError(f"this sentence names an event twice: {sentence[:80]}")
        graph.setdefault(event, set()).update(targets)
    initial = int(begun[1])
    every = {initial, *(event for targets in graph.values() for event in targets)}
    if not every <= graph.keys() == set(range(1, len(graph) + 1)):
        raise UncheckedError("the prompt does not say what follows each event")
    return graph, initial, repeats


class _Statements:
    """The formulas of the statements so far: each speaks of events and of earlier ones."""

    def __init__(self, formulas: Formulas, events: Graph) -> None:
        self.formulas, self.events = formulas, events
        self.stated: list[int] = []

    def add(self, body: str, alone: bool) -> None:
        two = _TWO.fullmatch(body)
        joint = _JOINTS.get((two[1] or "", two[4], two[7] or "")) if two else None
        if two and joint:
            left, right = self.thing(two[2], two[3]), self.thing(two[5], two[6])
            self.stated.append(self.joined(joint, left, right))
            return
        one = _ONE.fullmatch(body)
        if one is None:
            raise UncheckedError(f"this statement is not known here: {body[:80]}")
        event = one[2] if one[1] == "Event" else ""
        thing = self.thing(event, one[2])
        operator = (_EVENT_VERBS if event else _STATEMENT_VERBS).get(one[3])
        if alone and event and one[3] == "happens":
            self.stated.append(thing)
        elif operator is None:
            raise UncheckedError(f"this statement is not known here: {body[:80]}")
        elif operator == "!":
            self.stated.append(self.formulas.negation(thing))
        else:
            self.stated.append(self.formulas.add(operator, thing))

    def joined(self, joint: str, left: int, right: int) -> int:
        if joint == "->":
            return self.formulas.add("|", self.formulas.negation(left), right)
        if joint in "MR":  # their sentences name the second operand first
            left, right = right, left
        return self.formulas.add(joint, left, right)

    def thing(self, event: str, statement: str) -> int:
        number = int(event or statement)
        if number not in self.events if event else number > len(self.stated):
            raise UncheckedError(f"{'event' if event else 'C'}{number} is not described")
        return self.formulas.add("atom", number) if event else self.stated[number - 1]


def _formula(lines: list[str], formulas: Formulas, events: Graph) -> int:
    """Return the formula of the last statement."""
    statements = _Statements(formulas, events)
    for place, line in enumerate(lines, 1):
        stated = _LINE.fullmatch(line)
        if stated is None or int(stated[1]) != place:
            raise UncheckedError(f"this line is no statement: {line[:80]}")
        statements.add(stated[2], len(lines) == 1)
    return statements.stated[-1]
