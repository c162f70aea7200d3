"""Read the answers of both tasks out of what a model wrote; see CONTRACT.md, "Answers".

The last object of the reply that is an answer of the task counts, whether it can be read or not.
Objects that stand in the prompt word for word are an echo, remarks are no answers, and an object
that states nothing, or another effect, counts only if it is marked ("Answer: …") or there is no
other. What cannot be read for certain makes the answer unreadable as a whole.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, TypeAlias

from harness.text import quoted
from harness_tempobench.answers_choice import (
    LIKELY,
    MAX_STEP,
    SURE,
    UNSURE,
    Claim,
    Unreadable,
    chosen,
    formulas,
    is_step,
    numbered,
    plain_key,
    step_of,
    wraps,
)
from harness_tempobench.constraint import TRUE, Formula, conjunction
from harness_tempobench.targets import Effect, effect_name

__all__ = ["MAX_STEP", "StatedCause", "StatedRun", "StatedStep", "Unreadable", "cause", "run"]

Literal: TypeAlias = "tuple[int, str, bool]"


@dataclass(frozen=True, slots=True)
class StatedCause:
    """The cause that a model states.

    Attributes:
        steps: the formulas stated for each step, all of which are to hold; without `TRUE`.
        crosses: clauses over several steps: at least one of the ``(step, name, value)`` holds.
        other: the effect that the answer names if it is not the one asked about, else "".
    """

    steps: dict[int, tuple[Formula, ...]]
    crosses: tuple[tuple[Literal, ...], ...]
    other: str = ""


@dataclass(frozen=True, slots=True)
class StatedStep:
    """One step of a stated run; None for what is left out."""

    state: int | None
    inputs: Formula | None
    next: int | None


@dataclass(frozen=True, slots=True)
class StatedRun:
    """The run that a model states; ``accepted`` is None without a verdict, or with two."""

    steps: dict[int, StatedStep]
    accepted: bool | None


# ------------------------------------------------------------------------------------ causes

_WRAPPED = 3  # objects around an answer
_CROSSING = re.compile(r"cross[ _-]?steps?(?:[ _-]?clauses?)?", re.IGNORECASE)
_NUMBER = r"[0-9]{1,4}"
_BEFORE = re.compile(
    rf"X(?:\^?\{{(?P<braced>{_NUMBER})\}}|\^\(?(?P<raised>{_NUMBER})\)?|\[(?P<index>{_NUMBER})\])?"
    r"|(?P<open>\()|(?P<not>[!~¬]|not(?=[\s(]))|\s+"
)
_NEXTS = re.compile(r"[\s!~¬(]*X[X\s!~¬(^\[]")
_TIMED = re.compile(r"\s*(?:step|t)?[\s_]*([0-9]{1,30})\s*[:@]\s*(.*)", re.I | re.S)
_OR_TIMED = re.compile(
    r"\s{0,9}(?:\bor\b|\|\|?|∨)\s{0,9}(?=(?:step|t)?[\s_]{0,9}[0-9]{1,30}\s{0,9}[:@])", re.I
)


def cause(completion: str, prompt: str, effect: Effect, names: Iterable[str] = ()) -> StatedCause:
    """Return the cause that a completion states for an effect.

    Args:
        completion: any text whatever.
        prompt: what the model was asked.
        effect: what was to be explained.
        names: the propositions, so that odd ones are read as well; others may occur.

    Raises:
        Unreadable: there is no answer, or it cannot be read.
    """
    asked = _Asked(effect)
    _, claim = chosen(completion, prompt, asked.claim, asked.key_rank)
    known = frozenset(names)
    steps: dict[int, tuple[Formula, ...]] = {}
    for step, said in numbered(claim.stated):
        with_step = _about(f"step {step}", formulas, said, known)
        stated = tuple(formula for formula in with_step if formula != TRUE)
        steps[step] = steps.get(step, ()) + stated
    crosses = [
        clause
        for said in claim.crossing
        for clause in _about("cross-step clauses", _clauses, said, known)
    ]
    return StatedCause(steps, tuple(crosses), claim.other)


def _about(where: str, read: Any, said: Any, known: frozenset[str]) -> list[Any]:
    """Read a part of an answer; what is wrong in it is said with where it is."""
    try:
        return list(read(said, known))
    except Unreadable as error:
        raise Unreadable(f"{where}: {error.reason}") from None


class _Asked:
    """The effect that a problem asks about, and how answers may name it."""

    def __init__(self, effect: Effect) -> None:
        self.name, self.output = effect_name(effect), effect["output"]
        self.step, self.value = effect["step"], bool(effect["value"])

    def matches(self, key: str) -> bool:
        """Tell if a key names this effect: ``XXX g``, ``X X X(g)``, ``X^3 g``, ``XXX not g``."""
        key = key.strip(" \t\"'`")
        body = key if key.endswith(self.output) else key.rstrip(") ")
        if len(body) > 2_000 or not body.endswith(self.output):
            return False
        before = body[: len(body) - len(self.output)]
        at = nexts = opened = 0
        value = True
        while at < len(before):
            part = _BEFORE.match(before, at)
            if not part:
                return False
            if part[0][0] == "X":
                nexts += int(part["braced"] or part["raised"] or part["index"] or 1)
            opened += part["open"] is not None
            value ^= part["not"] is not None
            at = part.end()
        closed = key[len(body) :].count(")")
        return nexts == self.step and value == self.value and opened == closed

    def key_rank(self, key: str) -> int:
        """Return how surely an object that begins with a key means to be an answer; 0: not at all."""
        if self.matches(key) or wraps(key) or _CROSSING.fullmatch(key):
            return SURE
        return LIKELY if is_step(key) else 0

    def claim(self, value: Any, named: str = "", depth: int = 0) -> Claim | None:
        """Return what an object claims, or None if it is no answer.

        Args:
            value: the object.
            named: another effect, which was named around it.
            depth: the number of objects around it.
        """
        if isinstance(value, list) and len(value) == 1:
            value = value[0]
        if not isinstance(value, dict) or depth > _WRAPPED:
            return None
        if not value:
            return Claim(other=named)
        said = value.get("effect")
        if isinstance(said, str) and not self.matches(said):
            named = said[:100]
        if claim := self._direct(value):
            if named and not claim.named:
                claim.other, claim.rank = named, UNSURE
            return claim
        inner = (self.claim(said, named, depth + 1) for said in self._inner(value))
        return next((claim for claim in inner if claim), None) or self._another(value)

    def _direct(self, value: dict[str, Any]) -> Claim | None:
        """Return the claim of an object that has effects, steps or clauses as its keys."""
        own = [key for key in value if self.matches(key) and self._is_effect(key, value[key])]
        crossing = [value[key] for key in value if _CROSSING.fullmatch(key)]
        if len(own) > 1:
            return Claim(SURE, True, fault="the effect stands twice")
        if own:
            stated = value[own[0]]
            if isinstance(stated, dict):
                crossing += [stated[key] for key in stated if _CROSSING.fullmatch(key)]
                stated = {key: stated[key] for key in stated if not _CROSSING.fullmatch(key)}
            return Claim(SURE, True, stated, self._of(crossing, self.matches))
        stated = {key: value[key] for key in value if is_step(key)}
        if stated:
            return Claim(LIKELY, False, stated, self._of(crossing, self.matches))
        return self._crossing_alone(value, crossing)

    def _crossing_alone(self, value: dict[str, Any], crossing: list[Any]) -> Claim | None:
        if not crossing or self._another(value):
            return None
        said = crossing[-1]
        if isinstance(said, dict) and said and not any(map(self.matches, said)):
            first = next(iter(said))
            return Claim(crossing=[said[first]], other=first[:100])
        return Claim(SURE, isinstance(said, dict), {}, self._of(crossing, self.matches))

    @staticmethod
    def _is_effect(key: str, said: Any) -> bool:
        return isinstance(said, dict) or not is_step(key)

    @staticmethod
    def _of(crossing: list[Any], wanted: Any) -> list[Any]:
        """Return the clauses stated for an effect, and those stated for none."""
        of_effect = []
        for said in crossing:
            if isinstance(said, dict) and not {"step", "literal"} <= said.keys():
                of_effect += [said[key] for key in said if wanted(key)]
            else:
                of_effect.append(said)
        return of_effect

    def _inner(self, value: dict[str, Any]) -> Iterator[Any]:
        """Yield what stands in wrappers."""
        for key, said in value.items():
            if wraps(key) or (isinstance(said, dict) and any(map(self.matches, said))):
                yield said

    def _another(self, value: dict[str, Any]) -> Claim | None:
        """Return the claim of an object that states another effect."""
        crossing = [value[key] for key in value if _CROSSING.fullmatch(key)]
        for key, said in value.items():
            if _CROSSING.fullmatch(key) or not isinstance(said, dict):
                continue
            if _NEXTS.match(key) or (said and all(map(is_step, said))):
                crosses = self._of(crossing, lambda wanted, key=key: wanted == key)
                return Claim(stated=said, crossing=crosses, other=key[:100])
        return None


def _clauses(said: Any, known: frozenset[str]) -> Iterator[tuple[Literal, ...]]:
    """Yield the clauses of a list: lists of ``"0:a"``, or sentences ``"0:a or 2:!b"``."""
    if said is None:
        return
    if isinstance(said, str):
        said = [said]
    if not isinstance(said, list):
        raise Unreadable("not a list of clauses")
    for clause in said:
        if (
            isinstance(clause, str)
            and not _TIMED.match(clause)
            and formulas(clause, known) == [TRUE]
        ):
            continue
        parts = clause if isinstance(clause, list) else [clause]
        if not parts:
            raise Unreadable("an empty clause")
        yield tuple(literal for part in parts for literal in _timed(part, known))


def _timed(part: Any, known: frozenset[str]) -> Iterator[Literal]:
    if isinstance(part, dict) and {"step", "literal"} <= part.keys():
        pieces = [(part["step"], part["literal"])]
    elif isinstance(part, str):
        found = [(piece, _TIMED.fullmatch(piece)) for piece in _OR_TIMED.split(part)]
        if wrong := next((piece for piece, timed in found if not timed), None):
            raise Unreadable(f"{quoted(wrong, 40)} is not like `2:!b`, a step and a literal")
        pieces = [(timed[1], timed[2]) for _, timed in found if timed]
    else:
        raise Unreadable(f"{quoted(str(part)[:80], 40)} is not like `2:!b`, a step and a literal")
    for step, said in pieces:
        read = formulas(said, known) if isinstance(said, str) else []
        if len(read) != 1 or read[0][0] != "literal":
            raise Unreadable(f"{quoted(str(said)[:80], 40)} is no literal")
        yield step_of(step), read[0][1], read[0][2]


# -------------------------------------------------------------------------------------- runs

_FIELDS = {
    "state": frozenset(["current_state", "state", "current"]),
    "inputs": frozenset(["defining_inputs", "defining_input", "inputs", "input"]),
    "next": frozenset(["next_state", "next", "successor"]),
}
_NUMBERED = ("step", "time", "timestep", "time_step", "t", "index")
_ACCEPTED = frozenset(["accepted", "accept", "acceptance", "is_accepted", "verdict"])
_STATE = re.compile(r"(?:state|[qs])?[ _#]?(-?[0-9]{1,9})", re.IGNORECASE)
_NO_STATE = frozenset(("", "-", "none", "null", "n/a", "undefined", "no transition"))
_VERDICT = re.compile(
    r"^[^\w\n]{0,9}(?:accepted|acceptance|accept)\b[^\w\n]{0,9}"
    r"(yes|no|true|false|accepted|rejected|not accepted)\b(?=[^\w\n/|]{0,9}$|[*_]{0,3}\s{0,3}[(,.;—–])",
    re.IGNORECASE | re.MULTILINE,
)


def run(completion: str, prompt: str, names: Iterable[str] = ()) -> StatedRun:
    """Return the run that a completion states; the arguments and errors are those of `cause`.

    A verdict may stand in the answer and, on a line "Accepted: yes", behind it: if they
    contradict one another, there is none.
    """
    found, claim = chosen(completion, prompt, _run_claim, _run_key_rank)
    known = frozenset(names)
    steps: dict[int, StatedStep] = {}
    for step, said in numbered(claim.stated):
        read = StatedStep(*_about(f"step {step}", _step, said, known))
        if steps.setdefault(step, read) != read:
            raise Unreadable(f"step {step} is given twice with different values")
    verdicts = {_verdict(said) for said in claim.verdicts}
    if outside := _VERDICT.findall(found.after):
        verdicts.add(_verdict(outside[-1]))
    verdicts.discard(None)
    return StatedRun(steps, verdicts.pop() if len(verdicts) == 1 else None)


def _run_key_rank(key: str) -> int:
    return SURE if is_step(key) or wraps(key) or plain_key(key) in _ACCEPTED else 0


def _run_claim(value: Any, depth: int = 0) -> Claim | None:
    if isinstance(value, list):
        return _listed(value)
    if not isinstance(value, dict) or depth > _WRAPPED:
        return None
    verdicts = [value[key] for key in value if plain_key(key) in _ACCEPTED]
    stated = {key: value[key] for key in value if is_step(key)}
    if any(isinstance(said, dict) for said in stated.values()):
        return Claim(SURE, stated=stated, verdicts=verdicts)
    inner = (_run_claim(value[key], depth + 1) for key in value if wraps(key))
    if claim := next((claim for claim in inner if claim), None):
        claim.verdicts += verdicts
        return claim
    return Claim(verdicts=verdicts) if verdicts or not value else None


def _listed(value: list[Any]) -> Claim | None:
    """Return the claim of a list of steps: by their own numbers, or by place if none has one."""
    if not value or not all(isinstance(step, dict) and _known(step) for step in value):
        return None
    numbers = [
        next((step[key] for key in step if plain_key(key) in _NUMBERED), None) for step in value
    ]
    if all(number is None for number in numbers):
        return Claim(SURE, stated={str(place): step for place, step in enumerate(value)})
    stated = {str(number): step for number, step in zip(numbers, value, strict=True)}
    fault = "a step stands twice in the list" if len(stated) < len(value) else ""
    return Claim(SURE, stated=stated, fault=fault)


def _known(step: dict[str, Any]) -> dict[str, list[Any]]:
    """Return the values of a step's known fields."""
    said = {
        field: [step[key] for key in step if plain_key(key) in spelled]
        for field, spelled in _FIELDS.items()
    }
    return {field: values for field, values in said.items() if values}


def _step(said: Any, known: frozenset[str]) -> tuple[int | None, Formula | None, int | None]:
    fields = _known(said) if isinstance(said, dict) else {}
    if not fields or any(len(values) > 1 for values in fields.values()):
        raise Unreadable("not an object with one current state, defining inputs and next state")
    inputs = fields.get("inputs", [None])[0]
    return (
        _state(fields.get("state", [None])[0]),
        None if inputs is None else conjunction(formulas(inputs, known)),
        _state(fields.get("next", [None])[0]),
    )


def _state(said: Any) -> int | None:
    if said is None or (isinstance(said, str) and said.strip().lower() in _NO_STATE):
        return None
    number = None if isinstance(said, bool) else _STATE.fullmatch(str(said)[:100].strip())
    if not number:
        raise Unreadable(f"{quoted(str(said)[:80], 40)} is no number of a state")
    return int(number[1])


def _verdict(said: Any) -> bool | None:
    if isinstance(said, bool):
        return said
    word = said.strip(" .!").lower() if isinstance(said, str) else ""
    if word in ("yes", "true", "accepted", "accept"):
        return True
    return False if word in ("no", "false", "rejected", "reject", "not accepted") else None
