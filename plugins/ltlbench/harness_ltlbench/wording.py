"""Writing prompts: from a formal problem to its text.

`write` puts a problem into the sentences of LTLBench: "can" is the style printed in the paper,
"must" the style of the published data. Both state in plain words every rule of reading that the
answer depends on. "paper" and "published" are the prompts of these two as they are: the same
sentences without rules, as the published code puts them together, and with their own last line.

It shares no phrase with its reader, `harness_ltlbench.reading`: what is said here and what is
understood there are written out separately, so that a slip in one of them is seen instead of
undone by the other. A new phrase is therefore entered twice, never imported.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Mapping
from itertools import islice
from random import Random
from typing import Any, Literal

from harness import SpecError
from harness_ltlbench.formula import Formula, walk
from harness_ltlbench.reading import MAX_TEXT

Wording = Literal["must", "can", "published", "paper"]

# The prompts of others: whose sentences they are made of, and their last line.
_BARE: dict[str, tuple[str, str]] = {
    "published": ("must", "C%d is True or False?\n"),
    "paper": ("can", 'C%d is True or False? Answer with "True" or "False" directly:\n'),
}
_SHORTEST = len("After event1, event1 can happen.")

# Operand first: an event, then a statement.
_UNARY: dict[str, dict[str, tuple[str, str]]] = {
    "must": {
        "X": ("Event%d happens in the next state.", "C%d holds in the next state."),
        "F": ("Event%d eventually happens.", "C%d eventually holds."),
        "G": ("Event%d always happens.", "C%d always holds."),
        "!": ("Event%d does not happen.", "C%d does not hold."),
    },
    "can": {
        "X": ("Event%d will happen at the next moment.", "C%d will be true at the next moment."),
        "F": ("Event%d will happen eventually.", "C%d will be true eventually."),
        "G": (
            "Event%d will always happen at any future time.",
            "C%d will always be true at any future time.",
        ),
        "!": ("Event%d does not happen.", "C%d does not hold."),
    },
}

# {a} and {b} are the operands in the formula's order; {A} and {B} open a sentence.
_BINARY = {
    "&": "{A} and {b}.",
    "|": "{A} or {b}.",
    "U": "{A} until {b}.",
    "W": "{A} until {b}, or else forever.",
    "M": "{B} up to and including the first moment when {a}.",
    "R": "{B} up to and including the first moment when {a}, or else forever.",
}
_IMPLIES = {"must": "If {a}, then {b}.", "can": "That {a} implies that {b}."}

_TIME = (
    "- Time is an endless sequence of moments, and exactly one event happens at each moment. "
    "The initial event happens at the first moment."
)
_FOLLOW = (
    "- At the moment after an event, one of the events listed for it happens. Each of them is "
    "possible every time, and nothing else is."
)
_SINK = "- An event after which no other events can happen repeats forever."
_NOW = (
    "- A statement is judged in one such sequence and at one of its moments, called now. "
    '"Happens" and "holds" without a word of time mean now.'
)
_REFER = (
    "- Where a statement names another statement, that one is judged in the same sequence, at "
    "the moment for which it is named."
)
_UNTIL = (
    '- "A until B" means: B is the case now or at some later moment, and A is the case at every '
    "moment from now on that comes before the first such moment."
)
_UP_TO = (
    '- "A up to and including the first moment when B" means: B is the case now or at some later '
    "moment, and A is the case at every moment from now on through the first such moment."
)
_ELSE = (
    '- "Or else forever" means: it is also enough that A is the case now and at every later '
    "moment, whether or not B ever is."
)
_EVENTUALLY = '- "Eventually" means now or at some later moment.'
_OR = '- "Or" between two parts means at least one of them.'
_VERDICT = (
    "- The hypothesis, that is the last statement, is True if it holds at the first moment of "
    "every possible sequence, and False if there is a possible sequence where it does not."
)
_EXPLAIN: dict[str, dict[str, str]] = {
    "must": {
        "X": '- "In the next state" means at the moment right after now.',
        "F": _EVENTUALLY,
        "G": '- "Always" means now and at every later moment.',
        "|": _OR,
        "->": (
            '- "If one thing, then another" means: now the first is not the case, or the second '
            "is, or both."
        ),
    },
    "can": {
        "X": '- "At the next moment" means at the moment right after now.',
        "F": _EVENTUALLY,
        "G": '- "Always" and "at any future time" mean now and at every later moment.',
        "|": _OR,
        "->": (
            "- That one thing implies another means: now the first is not the case, or the "
            "second is, or both."
        ),
    },
}

_ASK = {
    "decide": (
        "C%d is True or False? End your reply with a line that reads either "
        '"Answer: True" or "Answer: False".'
    ),
    # Letters, not numbers: an example with real events could be the path that is asked for.
    "counterexample": (
        'C%d is True or False? If it is True, end your reply with the line "Answer: True". '
        "If it is False, end your reply with one line that also gives a possible sequence in "
        'which it does not hold, in the form "Answer: False: eventA, eventB, (eventC, eventD)" '
        "with numbers in place of the letters: first the events in order, starting with the "
        "initial event, and last, in a single pair of parentheses, one or more events that "
        "repeat forever from there on. Nothing needs to stand before the parentheses."
    ),
}


def write(problem: Mapping[str, Any], wording: Wording = "must", rng: Random | None = None) -> str:
    """Return the prompt of a valid problem; ``rng``, if given, orders the context's sentences.

    Every operator gets a statement of its own (C1, C2, …, operands before their operator), so
    the number of statements is the number of operators; a formula that is a single event is
    one statement. The prompt needs nothing from outside and tells nothing of the answer. In
    "published" and "paper" there may be fewer statements, and rules are left to be guessed.

    Raises:
        SpecError: the prompt would be longer than `read` takes.
    """
    style, question = _BARE.get(wording, (wording, ""))
    ruled = wording not in _BARE
    followers: list[list[int]] = [[] for _ in range(problem["events"])]
    for source, target in problem["edges"]:
        followers[source - 1].append(target)
    sentences = _context_sentences(followers, style)
    rules: list[str] = []
    if ruled:
        context = [sentence for about in sentences for sentence in about]
        if rng is not None:
            rng.shuffle(context)
        listed = _rules(problem["formula"], style, sinks=[] in followers)
        rules = ["\n=== Rules ===\n", *listed]
    else:
        # No more events than can be written: their number may grow without a sensible bound.
        order = islice(_order(followers, rng), MAX_TEXT // _SHORTEST)
        context = [sentence for event in order for sentence in sentences[event - 1]]
    if ruled or problem["task"] != "decide":
        question = _ASK[problem["task"]]
    statements: list[str] = []
    if isinstance(problem["formula"], int):
        statements.append(f"C1: Event{problem['formula']} happens.")
    else:
        _state_operator(problem["formula"], style, statements, None if ruled else {})
    prompt = "\n".join(
        [
            f"=== Context ===\n\nInitially, event{problem['initial']} happened. "
            + " ".join(context),
            *rules,
            "\n=== Hypothesis ===\n",
            *statements,
            "",
            question % len(statements),
        ]
    )
    if len(prompt) > MAX_TEXT:
        raise SpecError(
            f"prompt would have {len(prompt)} characters, at most {MAX_TEXT} can be read: "
            "take fewer events or edges"
        )
    return prompt


def _context_sentences(followers: list[list[int]], style: str) -> list[list[str]]:
    """Return the sentences on the followers of each event."""
    sentences = []
    for event, targets in enumerate(followers, 1):
        names = [f"event{target}" for target in targets]
        if not names:
            about = [f"After event{event}, no other events can happen."]
        elif style == "can":
            about = [f"After event{event}, {name} can happen." for name in names]
        elif len(names) == 1:
            about = [f"After event{event}, {names[0]} must happen."]
        else:
            listed = ", ".join(names[:-1])
            about = [f"After event{event}, either {listed}, or {names[-1]} must happen."]
        sentences.append(about)
    return sentences


def _order(followers: list[list[int]], rng: Random | None) -> Iterator[int]:
    """Yield events in the order of the published code: breadth first from a random event.

    As there, an event that is reached again before its turn has come is told of again, and
    where nothing new can be reached, any event that is left comes next.
    """
    left = set(range(1, len(followers) + 1))
    queue: deque[int] = deque()
    while left or queue:
        if not queue:
            queue.append(min(left) if rng is None else rng.choice(sorted(left)))
        event = queue.popleft()
        left.discard(event)
        queue.extend(target for target in followers[event - 1] if target in left)
        yield event


# What parts of a formula are made of, by their text; None where each is stated in full.
_Stated = dict[str, list[int]] | None


def _state_operator(formula: list[Any], style: str, statements: list[str], stated: _Stated) -> int:
    """Append the statements for an operator and all below it; return the number of its own.

    As in the published code, with ``stated`` a part that comes again is one statement, of the
    operands that it had before. As deep as the formula, which `validate` bounds.
    """
    operator, key = formula[0], repr(formula)
    operands = (stated or {}).get(key)
    if operands is None:
        operands = [
            # Events stay positive, numbers of statements become negative.
            part if isinstance(part, int) else -_state_operator(part, style, statements, stated)
            for part in formula[1:]
        ]
        if stated is not None:
            stated[key] = operands
    number = len(statements) + 1
    if len(operands) == 1:
        (operand,) = operands
        body = _UNARY[style][operator][operand < 0] % abs(operand)
    else:
        a, b = (f"event{x} happens" if x > 0 else f"C{-x} holds" for x in operands)
        template = _IMPLIES[style] if operator == "->" else _BINARY[operator]
        body = template.format(a=a, b=b, A=_capital(a), B=_capital(b))
    statements.append(f"C{number}: {body}")
    return number


def _capital(text: str) -> str:
    return text[0].upper() + text[1:]


def _rules(formula: Formula, style: str, sinks: bool) -> Iterator[str]:
    """Yield the rules that this problem needs, in a fixed order."""
    operators = [node[0] for node in walk(formula) if isinstance(node, list)]
    used = set(operators)
    yield _TIME
    yield _FOLLOW
    if sinks:
        yield _SINK
    yield _NOW
    if len(operators) > 1:
        yield _REFER
    yield from (rule for word, rule in _EXPLAIN[style].items() if word in used)
    if "U" in used or "W" in used:
        yield _UNTIL
    if "M" in used or "R" in used:
        yield _UP_TO
    if "W" in used or "R" in used:
        yield _ELSE
    yield _VERDICT
