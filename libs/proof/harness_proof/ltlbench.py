"""Items of ltlbench: the prompt read anew, and its label checked by its certificate.

The sentences are those of LTLBench, as printed ("can happen") and as published ("must happen"). A section of
rules has to be there whole, or not at all: a rule that says something else changes the question.
"""

from __future__ import annotations

import re
from typing import Any

from harness_proof import graph_paths, words
from harness_proof.graph_paths import Graph, Question
from harness_proof.ltl import Formulas
from harness_proof.outcomes import UncheckedError, known, proven

_PATTERNS = words.told("ltlbench")
_MEANINGS = {
    (*head.split(" "), text)[::2]: head.split(" ")[1]
    for head, sign, text in words.lines("ltlbench")
    if sign == "=" and " " in head
}
"""The operators of sentences on an event, on a statement, on both of two things; what an answer gives."""


def check(prompt: str, target: str, proof: Any) -> None:
    """Check an item's label."""
    question = read(prompt)
    if "contrast" in proof:
        graph_paths.check_contrast(question, target == "True", proof["contrast"])
    if "walk" in proof:
        graph_paths.check_chance(question, proof["walk"])
    if target == "True":
        graph_paths.check_no_violation(question, proof)
        return
    graph_paths.check_violation(question, proof)
    names = [f"event{event}" for event in proof["cycle"]]
    shown = ", ".join([*(f"event{event}" for event in proof["prefix"]), f"({', '.join(names)})"])
    due = "False: " + shown if question.path else "False"
    proven(target == due, "the target is not what the path shows")


def read(prompt: str) -> Question:
    """Return what a prompt asks."""
    head, found, tail = prompt.partition("=== Hypothesis ===")
    start, context_found, context = head.partition("=== Context ===")
    one_each = found and context_found and not start.strip() and "===" not in tail
    known(one_each, "the prompt has not one context and one hypothesis")
    context, ruled, rules = context.partition("=== Rules ===")
    graph, initial = _graph(context)
    lines = [line for line in map(str.rstrip, tail.split("\n")) if line]
    asked = words.match("ltlbench", "question", lines.pop() if lines else "")
    gives = _MEANINGS.get(("answer", asked[2]))
    known(gives and int(asked[1]) == len(lines), "the question is not in words that we know")
    formulas = Formulas()
    formula = _stated(lines, formulas, graph)
    if ruled:
        text = "\n".join([*lines, *re.findall("no other events", context)])
        every = words.lines("ltlbench")
        needed = {rule for due, sign, rule in every if sign == "|" and due in text}
        stated = [line for line in rules.split("\n") if line.strip()]
        known(sorted(stated) == sorted("- " + rule for rule in needed), "the rules are other ones")
    return Question(graph, initial, formulas, formula, gives == "path")


def _graph(context: str) -> tuple[Graph, int]:
    """Return which events can follow each, and the initial event."""
    first, *sentences = " ".join(context.split()).removesuffix(".").split(". ")
    initial = int(words.match("ltlbench", "first", first)[1])
    graph: Graph = {}
    complete: set[int] = set()
    for sentence in dict.fromkeys(sentences):
        read = words.match("ltlbench", "after", sentence)
        event = int(read[1])
        once = event not in complete and (event not in graph or read[4] == "can")
        known(once, f"what comes after event{event} is said twice")
        if read[4] != "can":
            complete.add(event)
        named = [int(name) for name in re.findall(r"\d+", read[3] or read[5] or "")]
        targets = set(named) or {event}
        known(len(targets) >= len(named), f"this sentence names an event twice: {sentence[:80]}")
        graph.setdefault(event, set()).update(targets)
    every = {initial, *(event for targets in graph.values() for event in targets)}
    known(every <= graph.keys() == {*range(1, len(graph) + 1)}, "not all followers are said")
    return graph, initial


def _stated(lines: list[str], formulas: Formulas, events: Graph) -> int:
    """Return the formula of the last of some statements: each speaks of events and of earlier ones."""
    stated: list[int] = []

    def thing(event: str, statement: str) -> int:
        number = int(event or statement)
        if number not in events if event else number > len(stated):
            raise UncheckedError(f"{'event' if event else 'C'}{number} is not described")
        return formulas.add("atom", number) if event else stated[number - 1]

    for place, line in enumerate(lines, 1):
        head, _, body = line.partition(": ")
        both = _MEANINGS.get(("both", re.sub(_PATTERNS["thing"], "…", body)))
        one = re.fullmatch(_PATTERNS["one"], body)
        verb = _MEANINGS.get(("event" if one[1] else "statement", one[3])) if one else None
        if head != f"C{place}" or not (both or verb) or (verb == "is" and len(lines) > 1):
            raise UncheckedError(f"this statement is not known here: {line[:80]}")
        if both:
            things = [thing(*found) for found in re.findall(_PATTERNS["thing"], body)]
            # The sentences of M and R name the second operand first.
            stated.append(formulas.join(both, *(things[::-1] if both in "MR" else things)))
        elif one and verb:
            part = thing(one[1] or "", one[2] or "")
            stated.append(part if verb == "is" else formulas.join(verb, part))
    return stated[-1]
