"""Gold answers as the prompts ask for them: one line of JSON, see CONTRACT.md."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from harness_tempobench.notation import shown

if TYPE_CHECKING:
    from harness_tempobench.cause_value import Clause

UNCONSTRAINED = "no constraints"
CROSSING = "cross_step_clauses"

_JSON = json.JSONEncoder(ensure_ascii=False)

Effect = Mapping[str, Any]
"""``output``, ``value`` and ``step`` of what is to be explained."""


def effect_name(effect: Effect) -> str:
    """Return an effect as the answer's key names it: ``XXX g`` is g at step 3, ``!g`` not g at step 0."""
    if "literals" in effect:
        return str(effect["output"])
    literal = ("" if effect["value"] else "!") + effect["output"]
    return f"{'X' * effect['step']} {literal}".lstrip()


def effect_text(effect: Effect, kept: bool = True, name: str = "") -> str:
    """Return in words that an effect comes, or fails to; ``name``: its output's, if it is to be cut."""
    name = name or str(effect["output"])
    if "literals" in effect:
        return f"{name} {'holds' if kept else 'fails'}"
    return f"{name} is {truth(effect['value'] is kept)} at step {effect['step']}"


def cause_target(
    effect: Effect,
    inputs: Sequence[str],
    letters: Sequence[int],
    clauses: Iterable[Clause],
    full: bool,
) -> str:
    """Return the answer that states these clauses, each a tuple of (step, input index).

    Raises:
        ValueError: a clause spans steps and ``full`` is false.
    """
    entries, crossing = stated(inputs, letters, clauses, effect["step"])
    if crossing and not full:
        raise ValueError("a clause of several steps does not fit the per-step label")
    name = effect_name(effect)
    return _JSON.encode({name: entries} | ({CROSSING: {name: crossing}} if full else {}))


def stated(
    inputs: Sequence[str], letters: Sequence[int], clauses: Iterable[Clause], last: int
) -> tuple[dict[str, list[str]], list[list[str]]]:
    """Return what clauses say: for each step the sentences of those within it, and the literals of each other one."""
    entries: dict[str, list[str]] = {str(step): [] for step in range(last + 1)}
    crossing = []
    for clause in clauses:
        literals = [(step, literal(inputs, letters[step], index)) for step, index in clause]
        if literals[0][0] == literals[-1][0]:
            entries[str(literals[0][0])].append(" or ".join(text for _, text in literals))
        else:
            crossing.append([f"{step}:{text}" for step, text in literals])
    return {step: sentences or [UNCONSTRAINED] for step, sentences in entries.items()}, crossing


def run_target(
    inputs: Sequence[str],
    letters: Sequence[int],
    states: Sequence[int],
    accepted: bool | None,
    outputs: Sequence[str] = (),
    masks: Sequence[int] = (),
) -> str:
    """Return the answer that states a run: ``states`` has one more than the steps it takes.

    ``accepted`` is None where no verdict is asked for, but the outputs of each step are.
    """
    parts = []  # joined as JSON, which is faster than an encoder
    names, others = tuple(inputs), tuple(outputs)
    for step, (state, following) in enumerate(pairwise(states)):
        given = f', "outputs": {_quoted(others, masks[step])}' if outputs else ""
        parts.append(
            f'"step_{step}": {{"current state": {state}, '
            f'"defining inputs": {_quoted(names, letters[step])}{given}, "next state": {following}}}'
        )
    if accepted is not None:
        parts.append(f'"accepted": "{"yes" if accepted else "no"}"')
    return f"{{{', '.join(parts)}}}"


@lru_cache(maxsize=4096)
def _quoted(names: tuple[str, ...], bits: int) -> str:
    """Return all of some inputs, or outputs, as a letter or mask has them, as JSON."""
    return _JSON.encode(inputs_text(names, bits))


def inputs_text(inputs: Sequence[str], letter: int) -> str:
    """Return all inputs as a letter has them: ``r and !s``."""
    return literals(inputs, letter) or UNCONSTRAINED


def literals(names: Sequence[str], bits: int) -> str:
    """Return all of some propositions as a letter or an output mask has them: ``r and !s``."""
    return " and ".join([literal(names, bits, index) for index in range(len(names))])


def literal(inputs: Sequence[str], letter: int, index: int) -> str:
    """Return an input as a letter has it: ``r`` or ``!r``, odd names in double quotes."""
    return signed(inputs[index], bool(letter >> index & 1))


def signed(name: str, value: bool) -> str:
    """Return a literal of a proposition, odd names in double quotes."""
    return ("" if value else "!") + shown(name)


def truth(value: bool) -> str:
    """Return the word for a truth value."""
    return "true" if value else "false"
