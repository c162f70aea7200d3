"""The writer: from a formal problem to its prompt.

It shares no phrase with its reader, `harness_mybench.reading`: what is said here
and what is understood there are written out separately, so that a slip in one of them is seen
instead of undone by the other. A new phrase is therefore entered twice, never imported.
"""

from __future__ import annotations

from random import Random
from string import ascii_uppercase
from typing import Any

# Forms of one statement: a happened first.
FORMS = (
    "Event {a} happened before event {b}.",
    "Event {b} happened after event {a}.",
)


def write(problem: dict[str, Any], rng: Random) -> str:
    """Return the prompt of a problem: complete on its own, statements in any order and form.

    ``rng`` draws order and forms; they are no part of the problem.
    """
    said = [_statement(first, second, rng) for first, second in problem["before"]]
    rng.shuffle(said)
    count = problem["events"]
    first, second = (ascii_uppercase[event] for event in problem["ask"])
    return "\n".join([
        f"There were {count} events, A to {ascii_uppercase[count - 1]}, no two of them at the same moment.",
        "This is all that is known of them:",
        "",
        *(f"- {sentence}" for sentence in said),
        "",
        f"Did event {first} happen before event {second}? Answer yes if it must have, no if it "
        "cannot have, and unknown if what is known leaves both possible. End your reply with one "
        'of the lines "Answer: yes", "Answer: no" and "Answer: unknown".',
    ])  # fmt: skip


def _statement(first: int, second: int, rng: Random) -> str:
    return rng.choice(FORMS).format(a=ascii_uppercase[first], b=ascii_uppercase[second])
