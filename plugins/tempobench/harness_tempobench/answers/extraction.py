"""Read the answers of both tasks out of what a model wrote; see CONTRACT.md, "Answers".

The last object of the reply that is an answer of the task counts, whether it can be read or not.
Objects that stand in the prompt word for word are an echo, remarks are no answers, and an object
that states nothing, or another effect, counts only if it is marked ("Answer: …") or there is no
other. What stands amid words counts less than what is marked, and nothing behind a made-up next
task. Without any object the last table, list or sentence counts that states a whole answer
(`rows`). What cannot be read for certain makes the answer unreadable as a whole.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from harness_answers.json_objects import Parsed

from harness_tempobench.answers import cause_claims, cause_rows, run_claims, run_rows
from harness_tempobench.answers.answer_objects import by_step
from harness_tempobench.answers.answer_objects import chosen as chosen_object
from harness_tempobench.answers.run_claims import StatedStep
from harness_tempobench.answers.sentences import Sentences, Unreadable
from harness_tempobench.constraint import TRUE, Formula
from harness_tempobench.formulas import Literal
from harness_tempobench.targets import Effect

__all__ = ["StatedCause", "StatedRun", "StatedStep", "Unreadable", "cause", "chosen", "run"]

_MAX_QUOTE = 1_000


@dataclass(frozen=True, slots=True)
class StatedCause:
    """The cause that a model states.

    Attributes:
        steps: the formulas stated for each step, all of which are to hold; without `TRUE`.
        crosses: clauses over several steps: at least one of the ``(step, name, value)`` holds.
        other: the effect that the answer names if it is not the one asked about, else "".
        quote: the text that it was read from.
    """

    steps: dict[int, tuple[Formula, ...]]
    crosses: tuple[tuple[Literal, ...], ...]
    other: str = ""
    quote: str = field(default="", compare=False)


@dataclass(frozen=True, slots=True)
class StatedRun:
    """The run that a model states; ``accepted`` is None without a verdict, or with two.

    Of a rejected run, the last steps are left out of ``steps`` if the answer says that they
    cannot be taken. ``quote`` is the text that it was read from.
    """

    steps: dict[int, StatedStep]
    accepted: bool | None
    quote: str = field(default="", compare=False)


def cause(
    completion: str,
    prompt: str,
    effect: Effect,
    names: Iterable[str] = (),
    single: bool = False,
) -> StatedCause:
    """Return the cause that a completion states for an effect.

    Args:
        completion: any text whatever.
        prompt: what the model was asked.
        effect: what was to be explained.
        names: the propositions, so that odd ones are read as well; others may occur.
        single: whether necessary literals were asked for, and no sets.

    Raises:
        Unreadable: there is no answer, or it cannot be read.
    """
    known = frozenset(names)
    task = cause_claims.Question(effect, known)
    parsed, claim = chosen_object(
        completion, prompt, task, lambda text: cause_rows.cause(text, effect, known, single)
    )
    sentences = Sentences(known)
    steps: dict[int, tuple[Formula, ...]] = {}
    for step, value in by_step(claim.stated):
        with _located(f"step {step}"):
            stated = sentences.formulas(value, step)
        steps[step] = (*steps.get(step, ()), *(part for part in stated if part != TRUE))
    with _located("cross-step clauses"):
        crosses = tuple(
            clause for value in claim.crossing for clause in cause_claims.clauses(value, sentences)
        )
    return StatedCause(steps, crosses, claim.other, parsed.raw[:_MAX_QUOTE])


def run(
    completion: str,
    prompt: str,
    names: Iterable[str] = (),
    simulated: bool = False,
    count: int = 0,
    inputs: Iterable[str] = (),
) -> StatedRun:
    """Return the run that a completion states; the arguments and errors are those of `cause`.

    ``simulated``: the outputs of each step were asked for, and no verdict. ``count``: the steps of the trace; without
    it only JSON is read. ``inputs``: the propositions that are inputs.

    A verdict may stand in the answer and, on a line "Accepted: yes", behind it (without either,
    right before it): if they contradict one another, there is none.
    """
    known = frozenset(names)
    parsed, claim = chosen_object(
        run_claims.with_json(completion),
        prompt,
        run_claims,
        lambda text: run_rows.run(text, count, known, frozenset(inputs), simulated),
    )
    accepted = None if simulated else _verdict(parsed, claim.verdicts)
    pairs = list(by_step(claim.stated))
    if accepted is False:  # without the steps at its end that cannot be taken
        pairs.sort(key=lambda pair: pair[0])
        while pairs and run_claims.is_untaken(pairs[-1][1]):
            pairs.pop()
    sentences = Sentences(known)
    steps: dict[int, StatedStep] = {}
    for step, value in pairs:
        with _located(f"step {step}"):
            read = run_claims.step(step, value, sentences, simulated)
        if steps.setdefault(step, read) != read:
            raise Unreadable(f"step {step} is given twice with different values")
    return StatedRun(steps, accepted, parsed.raw[:_MAX_QUOTE])


def chosen(completion: str, prompt: str, effect: Effect | None = None) -> Any:
    """Return the parsed JSON that `cause` reads, or `run` if no effect is given.

    Pieces of one answer are joined: ``{"step_0": …}`` and ``{"step_1": …}`` are one object.

    Raises `Unreadable`: there is no answer, or the one that counts is no JSON.
    """
    task = run_claims if effect is None else cause_claims.Question(effect)
    return chosen_object(completion, prompt, task)[0].value


@contextmanager
def _located(where: str) -> Iterator[None]:
    """Put the part of an answer that is being read before the message of an error in it."""
    try:
        yield
    except Unreadable as error:
        raise Unreadable(f"{where}: {error.reason}") from None


def _verdict(parsed: Parsed, inside: list[Any]) -> bool | None:
    with _located("accepted"):
        verdicts = {run_claims.verdict(value) for value in inside}
    verdicts.add(run_claims.outside(parsed.after))
    verdicts.discard(None)
    if not verdicts:
        lines = parsed.before[-300:].split("\n")
        return run_claims.outside("\n".join(line for line in lines if '"' not in line))
    return verdicts.pop() if len(verdicts) == 1 else None
