"""What proves a label, and the few lines that check it without any engine.

The certificate of a requirement holds how its sentence was put together, which words are which proposition,
and for the designated traces the value of every subformula in every state. Whether such a table is right can be
seen line by line: each value follows from those of the operands there and of the same line one state on.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Any

from harness import HarnessError, Item
from harness_vltl import lassos
from harness_vltl.engines.evaluator import parts, rows
from harness_vltl.formulas.formula import Formula, propositions, substitute, text, validate
from harness_vltl.problem import dictionary, is_finite, is_pair
from harness_vltl.scenarios import scenario
from harness_vltl.sentences import Requirement
from harness_vltl.suites import Suite
from harness_vltl.templates import Form, Skeleton, Slot, defining, every_form, holding

PUBLISHED = "published"
"""The version of items that were taken over from VLTL-Bench."""

_MAX_DEPTH, _MAX_NODES = 3, 13  # of templates within templates, each with three slots at most
_AGENT = "[Tt]he (?P<agent>[a-z0-9' -]{1,60}?)"
_SAME_AGENT = "[Tt]he (?P=agent)"  # open at every place, it would take time without bounds


def certificate(requirement: Requirement, suite: Suite) -> dict[str, Any]:
    """Return the certificate of a generated requirement with its suite of traces."""
    return {
        "sentence": requirement.sentence,
        "tokens": requirement.tokens,
        "lifted": requirement.lifted,
        "ids": requirement.ids,
        "spans": spans(requirement.ids),
        "formula": requirement.formula,
        "grounded": requirement.grounded,
        "propositions": {
            name: {"action": choice.action, "arguments": list(choice.arguments), "text": words}
            for name, choice, words in zip(
                requirement.names, requirement.choices, requirement.texts, strict=True
            )
        },
        "derivation": requirement.derivation,
        "satisfying": list(suite.satisfying),
        "violating": list(suite.violating),
        "values": {"satisfying": list(suite.values[0]), "violating": list(suite.values[1])},
    }


def spans(ids: Sequence[int]) -> dict[str, list[list[int]]]:
    """Return where each proposition is mentioned: first token, and the token after the last."""
    by_name: dict[str, list[list[int]]] = {}
    for at, number in enumerate(ids):
        if number and at and ids[at - 1] == number:
            by_name[f"prop_{number}"][-1][1] = at + 1
        elif number:
            by_name.setdefault(f"prop_{number}", []).append([at, at + 1])
    return by_name


def canonical(proposition: Mapping[str, Any]) -> str:
    """Return an action with its arguments, as a formula names it."""
    arguments = ",".join(proposition["arguments"])
    return f"{proposition['action']}({arguments})" if arguments else str(proposition["action"])


def actions(proof: Mapping[str, Any]) -> dict[str, str]:
    """Return the action of each prop_i of a certificate, as a formula names it."""
    return {name: canonical(entry) for name, entry in proof["propositions"].items()}


def errors(item: Item) -> list[str]:
    """Return what is wrong with an item's certificate; an empty list means that it proves the label."""
    proof = item.certificate
    try:
        if is_pair(item.problem):
            return _pair_errors(item, proof)
        if item.problem["task"] == "verify":
            return _verification_errors(item, proof)
        problems = _sentence_errors(proof)
        # what a published record says of its traces is no part of the label of the other two tasks
        if item.version != PUBLISHED or item.problem["task"] in ("translate", "end_to_end"):
            problems += _trace_errors(item, proof)
        # published sentences keep other rules, and come without derivation
        if item.version != PUBLISHED:
            problems += [*_wording_errors(proof), *_derivation_errors(item, proof)]
            problems = problems or _style_errors(item, proof)
        return problems or _target_errors(item, proof)
    except HarnessError as error:
        return [str(error)]
    except (KeyError, TypeError, IndexError, ValueError, AttributeError) as error:
        return [f"the certificate is not in its form: {type(error).__name__}: {error}"]


def _pair_errors(item: Item, proof: Mapping[str, Any]) -> list[str]:
    """Check that a pair's formula is its label: nothing but its record says what the sentence means."""
    validate(proof["grounded"])
    problems = []
    if substitute(proof["formula"], actions(proof)) != proof["grounded"]:
        problems.append("the grounded formula is not the lifted one with its propositions replaced")
    if item.target != text(proof["grounded"]):
        problems.append(f"the target is not {text(proof['grounded'])[:200]}")
    if not {*propositions(proof["grounded"])} <= {*item.problem["propositions"]}:
        problems.append("the formula has a proposition that the problem lacks")
    return problems


# ------------------------------------------------------------------------------------- values


def _verification_errors(item: Item, proof: Mapping[str, Any]) -> list[str]:
    lassos.check(item.problem)
    holds, wrong = _value(item.problem["formula"], item.problem["trace"], proof["values"])
    if wrong:
        return [wrong]
    if item.target != ("satisfied" if holds else "violated"):
        return [f"the values say {holds}, the target is {item.target}"]
    return []


def _trace_errors(item: Item, proof: Mapping[str, Any]) -> list[str]:
    problems = []
    for kind, expected in (("satisfying", True), ("violating", False)):
        told = [{**item.problem, "formula": proof["formula"], "trace": t} for t in proof[kind]]
        for problem in told:
            lassos.check(problem)
        holds, wrong = _value(proof["formula"], proof[kind][0], proof["values"][kind])
        if wrong:
            problems.append(f"{kind} trace: {wrong}")
        elif holds is not expected:
            problems.append(f"the {kind} trace is not: the formula is {holds} in its first state")
        # the tables of the other traces are not kept, and made anew
        for number, problem in enumerate(told[1:], 2):
            table = rows(proof["formula"], problem["trace"])
            holds, wrong = _value(proof["formula"], problem["trace"], table)
            if wrong or holds is not expected:
                problems.append(
                    f"{kind} trace {number} is not: {wrong or f'the formula is {holds}'}"
                )
    return problems


def _value(formula: Formula, trace: Mapping[str, Any], lines: Sequence[str]) -> tuple[bool, str]:
    """Check a table of values line by line; return the formula's value in the first state, and what is wrong."""
    states, length = trace["states"], len(trace["states"])
    loop = trace.get("loop")  # None: the trace ends
    after = [*range(1, length), loop]
    known: dict[str, str] = {}
    listed = parts(formula)
    if len(lines) != len(listed):
        return False, "the table lacks a subformula"
    for part, line in zip(listed, lines, strict=True):
        shown = text(part)
        if not re.fullmatch(f"[01]{{{length}}}", line):
            return False, f"no value for each state of {shown}"
        known[repr(part)] = line
        for at in range(length):
            if (line[at] == "1") is not _follows(part, known, at, after[at], states[at], line):
                return False, f"the value of {shown} in state {at + 1} does not follow"
        if loop is not None and not _kept(part, known, line, loop):
            return False, f"the value of {shown} in the loop is a promise never kept"
    return known[repr(formula)][0] == "1", ""


# What must happen in the loop if it holds throughout, and what fails somewhere if it fails throughout.
_LEAST = {"F": lambda a, b: a, "U": lambda a, b: b, "M": lambda a, b: a and b}
_GREATEST = {"G": lambda a, b: a, "W": lambda a, b: a or b, "R": lambda a, b: b}


# For each operator but X and N, from its operands (an only one twice) in a state and its own value one state on.
_LAWS: dict[str, Callable[[bool, bool, bool], bool]] = {
    "!": lambda a, b, on: not a,
    "&": lambda a, b, on: a and b,
    "|": lambda a, b, on: a or b,
    "->": lambda a, b, on: b or not a,
    "<->": lambda a, b, on: a is b,
    "F": lambda a, b, on: a or on,
    "G": lambda a, b, on: a and on,
    "U": lambda a, b, on: b or (a and on),
    "W": lambda a, b, on: b or (a and on),
    "R": lambda a, b, on: b and (a or on),
    "M": lambda a, b, on: b and (a or on),
}


def _follows(
    part: Formula, known: Mapping[str, str], at: int, after: int | None, state: Sequence[str], line: str
) -> bool:  # fmt: skip
    if isinstance(part, bool):
        return part
    if isinstance(part, str):
        return part in state
    operands = [known[repr(operand)] for operand in part[1:]]
    if part[0] in ("X", "N"):
        return part[0] == "N" if after is None else operands[0][after] == "1"
    now = [operand[at] == "1" for operand in operands]
    # after the end what was promised has not come, and what was feared neither
    on = part[0] in _GREATEST if after is None else line[after] == "1"
    return _LAWS[part[0]](now[0], now[-1], on)


def _kept(part: Formula, known: Mapping[str, str], line: str, loop: int) -> bool:
    operator = part[0] if isinstance(part, list) else ""
    if operator not in {**_LEAST, **_GREATEST}:
        return True
    lines = [known[repr(operand)][loop:] for operand in part[1:]]
    each = [(x == "1", y == "1") for x, y in zip(lines[0], lines[-1], strict=True)]
    if operator in _LEAST:
        return "0" in line[loop:] or any(_LEAST[operator](x, y) for x, y in each)
    return "1" in line[loop:] or not all(_GREATEST[operator](x, y) for x, y in each)


# ----------------------------------------------------------------------------------- sentence


def _sentence_errors(proof: Mapping[str, Any]) -> list[str]:
    problems = []
    tokens, ids = proof["tokens"], proof["ids"]
    if tokens != proof["sentence"].split() or len(tokens) != len(ids):
        problems.append("tokens, their numbers and the sentence do not fit")
    if spans(ids) != proof["spans"]:
        problems.append("the spans are not those of the tokens' numbers")
    if substitute(proof["formula"], actions(proof)) != proof["grounded"]:
        problems.append("the grounded formula is not the lifted one with its propositions replaced")
    return problems


def _wording_errors(proof: Mapping[str, Any]) -> list[str]:
    problems = []
    tokens, ids = proof["tokens"], proof["ids"]
    firsts = list(dict.fromkeys(number for number in ids if number))
    if firsts != list(range(1, len(proof["propositions"]) + 1)):
        problems.append("propositions are not numbered in the order of their first mention")
    elif lifted(tokens, ids) != proof["lifted"]:
        problems.append("the lifted sentence is not the sentence with its propositions replaced")
    for name, entry in proof["propositions"].items():
        start, end = proof["spans"][name][0]
        if entry["text"] != " ".join(tokens[start:end]).rstrip(",.;:"):
            problems.append(f"the text of {name} is not what the sentence says")
    return problems


def lifted(tokens: Sequence[str], ids: Sequence[int]) -> str:
    """Return the sentence with each run of a proposition's tokens replaced by its name."""
    words: list[str] = []
    for at, (token, number) in enumerate(zip(tokens, ids, strict=True)):
        if not number:
            words.append(token)
        elif at + 1 == len(ids) or ids[at + 1] != number:
            words.append(f"prop_{number}{token[len(token.rstrip(',.;:')) :]}")
    return " ".join(words)


@cache
def _forms(finite: bool) -> dict[str, tuple[Form, Skeleton]]:
    """Return every form of every template by its text, with the template."""
    return {form.text: (form, skeleton) for skeleton, form in every_form(finite)}


def _derivation_errors(item: Item, proof: Mapping[str, Any]) -> list[str]:
    """Check that the templates used say the sentence, and their formulas, put into one another, are the formula."""
    listed, forms = proof["derivation"], _forms(is_finite(item.problem))
    if len(listed) > _MAX_NODES:
        return [f"a derivation of more than {_MAX_NODES} templates"]
    for node in listed:
        if node["form"] not in forms or node["formula"] != forms[node["form"]][1].formula:
            return ["the derivation has a form that is of no template, or says another formula"]
    nodes = {node["condition"]: node for node in listed}

    def formula(name: str, depth: int) -> Formula:
        if depth > _MAX_DEPTH:
            raise ValueError("conditions define each other")
        node = nodes[name]
        by = {
            letter: formula(slot, depth + 1) if slot in nodes else slot
            for letter, slot in node["slots"].items()
        }
        return substitute(node["formula"], by)

    if formula("", 1) != proof["formula"]:
        return ["the formulas of the derivation do not make the formula"]
    pattern = _sentence_pattern([(node, forms[node["form"]][0]) for node in listed])
    if not re.fullmatch(pattern, proof["lifted"]):
        return ["the forms of the derivation do not make the sentence"]
    return []


def _style_errors(item: Item, proof: Mapping[str, Any]) -> list[str]:
    """Check that the prompt of a formula fixes the meanings that the sentence was written with."""
    forms = _forms(is_finite(item.problem))
    styles = {forms[node["form"]][1].style for node in proof["derivation"]}
    told = item.problem.get("style", "exact")
    if told == "timed" and told in styles:  # plain sentences stand within timed ones
        styles -= {"plain"}
    asked = item.problem["task"] in ("translate", "end_to_end")
    return [f"the sentence is not of style {told}"] if asked and styles != {told} else []


def _sentence_pattern(nodes: Sequence[tuple[Mapping[str, Any], Form]]) -> str:
    """Return the pattern of the sentences that the forms of a derivation make, whoever the one agent is."""
    pieces: list[str | None] = []
    for node, form in nodes:
        if node["condition"]:
            pieces.append(re.escape(defining(node["condition"])))
        for piece in form.pieces:
            pieces += _piece_patterns(piece, node)
    first = pieces.index(None) if None in pieces else -1
    return "".join(
        piece if piece is not None else _AGENT if at == first else _SAME_AGENT
        for at, piece in enumerate(pieces)
    )


def _piece_patterns(piece: str | Slot | None, node: Mapping[str, Any]) -> list[str | None]:
    """Return the patterns of one piece of a form; None stands for the agent."""
    if piece is None:
        return [None]
    if isinstance(piece, str):
        return [re.escape(piece)]
    filling = node["slots"][piece.letter]
    if not filling.startswith("prop_"):
        clause = holding(filling)
        return [f"[{clause[0]}{clause[0].upper()}]{re.escape(clause[1:])}"]
    return [None, f" {re.escape(filling)}"] if piece.kind == "clause" else [re.escape(filling)]


def _target_errors(item: Item, proof: Mapping[str, Any]) -> list[str]:
    right = {
        "lift": lifted(proof["tokens"], proof["ids"]),
        "translate": text(proof["formula"]),
        "ground": dictionary(actions(proof)),
        "end_to_end": text(proof["grounded"]),
    }[item.problem["task"]]
    problems = [] if item.target == right else [f"the target is not {right[:200]}"]
    return problems + [
        f"the problem's {key} is not the certificate's"
        for key in ("sentence", "lifted")
        if item.problem.get(key, proof[key]) != proof[key]
    ]


def prove(item: Item) -> dict[str, Any] | None:
    """Return what `harness_proof` needs beside prompt and label; None where it does not know how to judge.

    That is which words are which action, and who acts. What forms mean the checker knows, from readers who had not
    seen a formula.
    """
    stated, task = item.certificate, item.problem["task"]
    if task == "verify":
        return {}
    if not stated or "derivation" not in stated:
        return None
    world = scenario.known(str(item.features.get("scenario")))
    agents = world.agents if world else ()
    named = (who for who in agents if re.search(rf"\b[Tt]he {who}\b", stated["lifted"]))
    proof: dict[str, Any] = {"agent": next(named, "agent")}
    if task != "translate":
        source = f"scenario {item.problem['scenario']}"
        proof |= {"scenario": item.problem["scenario"], "words": _mentions(stated, source)}
    return proof


def _mentions(stated: dict[str, Any], source: str) -> dict[str, list[str]]:
    """Return the action that the words of each mention are, and who says so."""
    named = actions(stated)
    return {
        " ".join(stated["tokens"][start:end]).rstrip(",.;:"): [named[name], source]
        for name, mentions in stated["spans"].items()
        for start, end in mentions
    }
