"""Items of ltlbench: the prompt read anew, and its label checked by its certificate.

The sentences are those of LTLBench, as printed ("can happen") and as published ("must happen"). A section of
rules has to be there whole, or not at all: a rule that says something else changes the question.
"""

from __future__ import annotations

import re
from typing import Any

from harness_proof import words
from harness_proof.graph_paths import Graph, Question, check_no_violation, check_violation
from harness_proof.ltl import Formulas
from harness_proof.outcomes import RefutedError, UncheckedError
from harness_proof.random_walks import check_chance, check_contrast

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
_MEANINGS = {
    (*head.split(" "), text)[::2]: head.split(" ")[1]
    for head, sign, text in words.lines("ltlbench")
    if sign == "="
}
"""The operators of sentences on an event, on a statement, on both of two things; what an answer gives."""


def check(prompt: str, target: str, proof: Any) -> None:
    """Check an item's label."""
    question = read(prompt)
    if "contrast" in proof:
        check_contrast(question, target == "True", proof["contrast"])
    if "walk" in proof:
        check_chance(question, proof["walk"])
    if target == "True":
        check_no_violation(question, proof)
        return
    check_violation(question, proof)
    names = [f"event{event}" for event in proof["cycle"]]
    shown = ", ".join([*(f"event{event}" for event in proof["prefix"]), f"({', '.join(names)})"])
    if target != ("False: " + shown if question.path else "False"):
        raise RefutedError("the target is not what the path shows")


def read(prompt: str) -> Question:
    """Return what a prompt asks."""
    head, found, tail = prompt.partition("=== Hypothesis ===")
    start, context_found, context = head.partition("=== Context ===")
    if not found or not context_found or start.strip() or "===" in tail:
        raise UncheckedError("the prompt has not one context and one hypothesis")
    context, ruled, rules = context.partition("=== Rules ===")
    graph, initial = _graph(context)
    lines = [line for line in map(str.rstrip, tail.split("\n")) if line]
    asked = _QUESTION.fullmatch(lines.pop()) if lines else None
    if (
        not lines
        or asked is None
        or int(asked[1]) != len(lines)
        or ("answer", asked[2]) not in _MEANINGS
    ):
        raise UncheckedError("the question is not in words that we know")
    formulas = Formulas()
    formula = _Statements(lines, formulas, graph).stated[-1]
    if ruled:
        text = "\n".join([*lines, *re.findall("no other events", context)])
        needed = {
            rule for due, sign, rule in words.lines("ltlbench") if sign == "|" and due in text
        }
        stated = [line for line in rules.split("\n") if line.strip()]
        if sorted(stated) != sorted("- " + rule for rule in needed):
            raise UncheckedError("the rules are not those of the words that are used")
    return Question(graph, initial, formulas, formula, _MEANINGS["answer", asked[2]] == "path")


def _graph(context: str) -> tuple[Graph, int]:
    """Return which events can follow each, and the initial event."""
    first, *sentences = " ".join(context.split()).removesuffix(".").split(". ")
    begun = _FIRST.fullmatch(first)
    if begun is None:
        raise UncheckedError("the prompt does not say which event is the first")
    graph: Graph = {}
    complete: set[int] = set()
    for sentence in dict.fromkeys(sentences):
        read = _AFTER.fullmatch(sentence)
        event = int(read[1]) if read else 0
        if read is None or event in complete or (event in graph and read[4] != "can"):
            raise UncheckedError(f"this sentence is not known here: {sentence[:80]}")
        if read[4] != "can":
            complete.add(event)
        named = [int(name) for name in re.findall(r"\d+", read[3] or read[5] or "")]
        targets = set(named) or {event}
        if len(targets) < len(named):
            raise UncheckedError(f"this sentence names an event twice: {sentence[:80]}")
        graph.setdefault(event, set()).update(targets)
    initial = int(begun[1])
    every = {initial, *(event for targets in graph.values() for event in targets)}
    if not every <= graph.keys() == set(range(1, len(graph) + 1)):
        raise UncheckedError("the prompt does not say what follows each event")
    return graph, initial


class _Statements:
    """The formulas of statements: each speaks of events and of earlier ones."""

    def __init__(self, lines: list[str], formulas: Formulas, events: Graph) -> None:
        self.formulas, self.events = formulas, events
        self.stated: list[int] = []
        for place, line in enumerate(lines, 1):
            stated = _LINE.fullmatch(line)
            if stated is None or int(stated[1]) != place:
                raise UncheckedError(f"this line is no statement: {line[:80]}")
            self.stated.append(self.statement(stated[2], len(lines) == 1))

    def statement(self, body: str, alone: bool) -> int:
        two, one = _TWO.fullmatch(body), _ONE.fullmatch(body)
        said = f"{two[1] or ''}…{two[4]}…{two[7] or ''}" if two else ""
        if two and ("both", said) in _MEANINGS:
            operator = _MEANINGS["both", said]
            left, right = self.thing(two[2], two[3]), self.thing(two[5], two[6])
            if operator == "->":
                return self.formulas.add("|", self.formulas.negation(left), right)
            # The sentences of M and R name the second operand first.
            operands = (right, left) if operator in "MR" else (left, right)
            return self.formulas.add(operator, *operands)
        event = one[2] if one and one[1] == "Event" else ""
        verb = _MEANINGS.get(("event" if event else "statement", one[3])) if one else None
        if one is None or verb is None or (verb == "is" and not alone):
            raise UncheckedError(f"this statement is not known here: {body[:80]}")
        thing = self.thing(event, one[2])
        if verb == "!":
            return self.formulas.negation(thing)
        return thing if verb == "is" else self.formulas.add(verb, thing)

    def thing(self, event: str, statement: str) -> int:
        number = int(event or statement)
        if number not in self.events if event else number > len(self.stated):
            raise UncheckedError(f"{'event' if event else 'C'}{number} is not described")
        return self.formulas.add("atom", number) if event else self.stated[number - 1]
