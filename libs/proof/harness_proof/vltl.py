"""Items of vltl: a trace is judged, or what a sentence means follows from what its forms mean.

**Theorem (finite traces).** Let a finite trace be followed by one more state, which repeats forever, and in which
nothing is true, not even `_WITHIN`. A formula holds on the trace just if it does on this path once what F, X, M and U
ask for is asked for within the trace (`_WITHIN` and it), and what G, N, W and R ask to last may end with it (not
`_WITHIN`, or it). **Theorem (sentences).** If ``prompts/vltl_forms*.txt`` say what forms mean, and the certificate
which words are which action, the label is right: with these words put in, the forms are the sentence.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from functools import cache
from typing import Any

from harness_proof import words
from harness_proof.ltl import Formulas
from harness_proof.outcomes import known, proven

MAX_LENGTH = 5_000
_LEVELS = {"->": 1, "<->": 1, "|": 2, "&": 3, "U": 4, "W": 4, "R": 4, "M": 4}
_BOUNDS = {"F": "&", "X": "&", "G": "|", "N": "|", "U": "|&", "W": "|&", "R": "&|", "M": "&|"}
"""Of each operand, whether it has to hold within a finite trace (&), or need not beyond it (|)."""
_WITHIN = "."
"""What is true in each state of a finite trace."""


def check(prompt: str, target: str, proof: Any) -> str:
    """Check an item's label; return what it rests on."""
    like, parts = words.read("vltl", prompt)
    reader = Reader("finite" in like)
    if "verify" in like:
        _check_verdict(parts, reader, target)
        return ""
    sentence, actions = parts["requirement"], dict[str, str]()
    if "translate" not in like:
        sentence, actions = _lifted(sentence, proof["words"])
        proven(proof["scenario"] == parts["scenario"], "the words are those of another scenario")
    if "named" in like:
        allowed = _actions(parts["actions"])
        listed = all(re.fullmatch(allowed, action) for action in actions.values())
        proven(listed, "an action is not among those that the prompt lists")
    said = _said(sentence, reader, proof, forms(*like), actions)
    right = {"lift": sentence, "ground": json.dumps(actions)}
    kind = next((kind for kind in right if kind in like), "")
    same = target == right[kind] if kind else reader.read(target) == said
    proven(same, "the label is not what the forms of the sentence say")
    proven(parts.get("lifted", sentence) == sentence, "the prompt lifts the sentence otherwise")
    return f"given what forms mean, words: {len(actions)}"


def _check_verdict(parts: Mapping[str, str], reader: Reader, target: str) -> None:
    formula = reader.read(parts["formula"])
    *lines, end = parts["trace"].split("\n")
    read = [words.match("vltl", "state", line) for line in lines]
    states = [{_WITHIN, *found[2].split(", ")} - {"nothing"} for found in read]
    known(all(int(found[1]) == n for n, found in enumerate(read, 1)), "steps are not numbered")
    kind = "finite" if reader.finite else "infinite"
    numbers = [int(number) for number in words.match("vltl", kind, end).groups() if number]
    last, back = numbers[0], numbers[-1]
    known(last == len(states) and 1 <= back <= last, "what repeats is not where the trace ends")
    if reader.finite:
        states.append(set())
        back = len(states)
    holds = reader.formulas.holds(
        formula, back - 1, len(states), lambda at, atom: reader.names[atom] in states[at]
    )
    told = f"the trace {'satisfies' if holds else 'violates'} the formula"
    proven(target == ("satisfied" if holds else "violated"), told)


@cache
def forms(*like: str) -> Mapping[str, str]:
    """Return the formula of each form that prompts like this one may have, as it is written last."""
    plain, timed, finite = (
        {form: text.rpartition("=")[2] for form, _, text in words.lines(f"vltl_forms{kind}")}
        for kind in ("", "_timed", "_finite")
    )
    if "finite" not in like:
        return plain if "fixed" in like and "timed" not in like else {**plain, **timed}
    # What speaks of no next step says the same of traces that end.
    return {**{form: text for form, text in plain.items() if "X" not in text}, **finite}


def _lifted(sentence: str, told: Any) -> tuple[str, dict[str, str]]:
    """Return a sentence with propositions in place of words, by first mention, and the action of each."""
    for text in told:
        words.match("vltl", "words", text.lower())
    known(told and "prop_" not in sentence, "the sentence has propositions, or no words")
    longest = "|".join(map(re.escape, sorted(told, key=len, reverse=True)))
    names: dict[str, str] = {}
    for text in re.findall(longest, sentence):
        names.setdefault(told[text][0], f"prop_{len(names) + 1}")
    lifted = re.sub(longest, lambda found: names[told[found[0]][0]], sentence)
    return lifted, {name: action for action, name in names.items()}


def _actions(listed: str) -> str:
    """Return the regular expression of the actions that a prompt lists."""
    lines, *kinds = listed.split("\nValues of ")
    values = {}
    for kind in kinds:
        name, _, said = kind.partition(":")
        combined = re.fullmatch(words.told("vltl")["combined"], said)
        lists = re.findall(r"\(([^()]*)\)", combined[1]) if combined else [said]
        entry = r"\n- (\w+):" if said.startswith("\n") else r"(?:^ ?|, )(\w+)(?=, |$)"
        values[name] = "_".join(f"(?:{'|'.join(re.findall(entry, one))})" for one in lists)
    actions = []
    for line in lines.split("\n"):
        found = words.match("vltl", "listed", line)
        slots = ",".join(values[slot] for slot in found[2].split(",")) if found[2] else ""
        actions.append(found[1] + (rf"\({slots}\)" if slots else ""))
    return "|".join(actions)


def _said(
    sentence: str, reader: Reader, proof: Any, means: Mapping[str, str], actions: Mapping[str, str]
) -> int:
    """Return the formula of a lifted sentence: those of its forms, put into one another."""
    agent = words.match("vltl", "agent", proof["agent"])[0]
    called = re.sub(rf"\b([Tt])he {re.escape(agent)}\b", r"\1he agent", sentence)
    told = words.told("vltl")
    first, *rest = re.split(told["defines"], called)
    parts = {"": first, **dict(zip(rest[::2], rest[1::2]))}
    known(2 * len(parts) == len(rest) + 2, "a condition is defined twice")
    said: dict[str, int] = {}
    for condition, text in reversed(parts.items()):
        places = [*dict.fromkeys(a or b for a, b in re.findall(told["mention"], text))]
        form = re.sub(told["mention"], r"<\1\2>", text)
        for letter, place in zip("PQR", places):
            form = form.replace(f"<{place}>", f"[{letter}]")
        known(form in means, f"this form is not known: {form[:80]}")
        for place in places:
            if place.startswith("prop_"):
                said[place] = reader.read(actions.get(place, place))
        known({*places} <= {*said}, "what a condition means is not said after it is named")
        said[condition] = reader.read(means[form], dict(zip("pqr", map(said.__getitem__, places))))
    return said[""]


class Reader:
    """Formulas, read by the precedence that prompts state; their names are atoms."""

    def __init__(self, finite: bool) -> None:
        self.formulas, self.finite = Formulas(), finite
        self.names = [_WITHIN]
        self.formulas.add("atom", 0)

    def read(self, text: str, values: Mapping[str, int] | None = None) -> int:
        """Return a formula; ``values``: what stands for some names."""
        known(len(text) <= MAX_LENGTH, f"the formula has more than {MAX_LENGTH} signs")
        tokens = re.findall(words.told("vltl")["token"], text)
        self.tokens, self.values = ["", *reversed(tokens)], values or {}
        formula = self.operand(1)
        whole = "".join(text.split()) == "".join(tokens) and len(self.tokens) == 1
        known(whole, "the formula has signs that are not known, or does not end")
        return formula

    def operand(self, level: int) -> int:
        """Read what stands before an operator that binds less than a level: of one operand all bind more."""
        sign = self.tokens.pop()
        if sign == "(":
            left = self.operand(1)
            known(self.tokens.pop() == ")", "the formula lacks a closing parenthesis")
        elif sign in ("!", "F", "G", "X") or (sign == "N" and self.finite):
            left = self.join(sign, self.operand(max(_LEVELS.values()) + 1))
        else:
            known(sign[:1].islower(), "the formula lacks an operand")
            self.names += [] if sign in self.names else [sign]
            left = self.values.get(sign, self.formulas.add("atom", self.names.index(sign)))
        while _LEVELS.get(self.tokens[-1], 0) >= level:
            operator = self.tokens.pop()
            left = self.join(operator, left, self.operand(_LEVELS[operator] + 1))
            again = self.tokens[-1]
            clear = operator in "&|" or _LEVELS.get(again) != _LEVELS[operator]
            known(clear, f"the formula has {operator} and {again} side by side")
        return left

    def join(self, operator: str, *parts: int) -> int:
        """Return the formula of an operator, each part bound to a finite trace as it has to be."""
        if self.finite and operator in _BOUNDS:
            # Of all formulas the first is _WITHIN, the second its negation.
            sides = zip(_BOUNDS[operator], parts)
            parts = tuple(self.formulas.add(side, "&|".index(side), part) for side, part in sides)
        return self.formulas.join(operator.replace("N", "X"), *parts)
