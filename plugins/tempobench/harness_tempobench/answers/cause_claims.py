"""What an object claims about an effect's cause, and the clauses over several steps in it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from harness_answers.json_objects import Parsed, value_of
from harness_answers.object_answers import is_remark, plain_key
from harness_answers.text import quoted

from harness_tempobench.answers.answer_objects import (
    LIKELY,
    SURE,
    UNSURE,
    Claim,
    goes_on_in,
    is_step,
    is_wrapper,
    step_of,
)
from harness_tempobench.answers.effect_names import Name
from harness_tempobench.answers.sentences import Sentences, Unreadable
from harness_tempobench.constraint import TRUE, ConstraintError, parse
from harness_tempobench.formulas import Literal
from harness_tempobench.targets import Effect

_WRAPPED = 3  # objects around an answer
_CROSSING = re.compile(r"cross[ _-]?steps?(?:[ _-]?clauses?)?", re.IGNORECASE)
_NEXTS = re.compile(r"[\s!~¬(]*X[X\s!~¬(^\[]")
_STEP_FIELDS = frozenset(["step", "time", "t", "index"])
_VALUE_FIELDS = frozenset(["constraints", "constraint", "literals", "clauses"])


class Question:
    """The effect that a problem asks about, and what objects claim about it.

    ``effect``: what is to be explained; ``names``: the propositions, if they are known.
    """

    def __init__(self, effect: Effect, names: Iterable[str] = ()) -> None:
        self.name = Name(effect, frozenset(names))
        self.matches = self.name.matches

    def key_rank(self, key: str) -> int:
        """Return how surely an object that begins with a key means to be an answer; 0: not at all."""
        if self.matches(key) or is_wrapper(key) or _CROSSING.fullmatch(key):
            return SURE
        return LIKELY if is_step(key) else 0

    def joins(self, first: Parsed, second: Parsed, near: bool) -> bool:
        """Tell if two objects are one answer: effect and clauses, or the next steps without either."""
        if not near:
            return False
        if all(map(_CROSSING.fullmatch, second.value)):
            return not any(map(_CROSSING.fullmatch, first.value))
        keys = [*first.value, *second.value]
        return all(map(is_step, keys)) and len(set(keys)) == len(keys) and goes_on_in(first, second)

    def claim(self, parsed: Parsed) -> Claim | None:
        """Return what an object claims, or None if it is no answer."""
        claim = self._claim(parsed.value)
        if not claim or claim.named or claim.other or not (claim.stated or claim.crossing):
            return claim
        above = self.name.above(parsed.before)
        if above is not None and not self.matches(above):
            claim.other, claim.rank = above[:100], UNSURE
        return claim

    def _claim(self, value: Any, named: str = "", depth: int = 0) -> Claim | None:
        """Return what a value states; ``named`` is another effect that the objects around it name."""
        if isinstance(value, str):
            value = value_of(value)
        if isinstance(value, list) and len(value) == 1:
            value = value[0]
        if not isinstance(value, dict) or depth > _WRAPPED:
            return None
        if not value:
            return Claim(other=named)
        fault = ""
        if "effect" in value and not self.matches("effect"):
            other = self.name.other_of(value["effect"])
            fault = "" if other is not None else "the effect that it names is unclear"
            named = other or named
        claim = self._direct(value)
        if not claim:
            inner = (
                self._claim(part, named, depth + 1)
                for key, part in value.items()
                if is_wrapper(key) or (isinstance(part, dict) and any(map(self.matches, part)))
            )
            claim = next((claim for claim in inner if claim), None)
            return self._faulty(claim, fault) or self._other_effect(value)
        if named and not claim.named:
            claim.other, claim.rank = named, UNSURE
        return self._faulty(claim, fault)

    @staticmethod
    def _faulty(claim: Claim | None, fault: str) -> Claim | None:
        if claim and not claim.named:
            claim.fault = claim.fault or fault
        return claim

    def _direct(self, value: dict[str, Any]) -> Claim | None:
        """Return the claim of an object that has effects, steps or clauses as its keys."""
        named = [key for key in value if self.matches(key)]
        effects = [key for key in named if isinstance(value[key], dict) or not is_step(key)]
        crossing = [value[key] for key in value if _CROSSING.fullmatch(key)]
        if len(effects) > 1:
            return Claim(SURE, True, fault="the effect stands twice")
        if effects:
            stated = self._by_step(value[effects[0]])
            if isinstance(stated, dict):
                crossing += [stated[key] for key in stated if _CROSSING.fullmatch(key)]
                stated = {key: stated[key] for key in stated if not _CROSSING.fullmatch(key)}
            return Claim(
                SURE, True, stated=stated, crossing=self._clauses_of(crossing, self.matches)
            )
        stated = {key: value[key] for key in value if is_step(key)}
        if stated:
            return Claim(LIKELY, stated=stated, crossing=self._clauses_of(crossing, self.matches))
        return self._crossing_alone(value, crossing)

    def _by_step(self, stated: Any) -> Any:
        """Return constraints by step as an object, also where a list gives the steps by place or by number."""
        alone = stated[0] if isinstance(stated, list) and len(stated) == 1 else stated
        if stated == [] or (isinstance(alone, str) and _states_nothing(alone)):
            return {}
        if not isinstance(stated, list):
            return stated
        if len(stated) == self.name.step + 1 and all(isinstance(entry, list) for entry in stated):
            return {str(step): entry for step, entry in enumerate(stated)}
        if all(isinstance(entry, dict) and entry for entry in stated):
            pairs = [pair for entry in stated for pair in _numbered_pairs(entry)]
            keys = [key for key, _ in pairs]
            return dict(pairs) if len(set(keys)) == len(keys) else stated
        return stated

    def _crossing_alone(self, value: dict[str, Any], crossing: list[Any]) -> Claim | None:
        if not crossing or self._other_effect(value):
            return None
        of_effect = self._clauses_of(crossing, self.matches)
        return Claim(SURE, isinstance(crossing[-1], dict), crossing=of_effect)

    @staticmethod
    def _clauses_of(crossing: list[Any], wanted: Callable[[str], bool]) -> list[Any]:
        """Return the clauses stated for the wanted effect, and those stated for none."""
        of_effect = []
        for stated in crossing:
            if isinstance(stated, dict) and not {"step", "literal"} <= stated.keys():
                of_effect += [stated[key] for key in stated if wanted(key)]
            else:
                of_effect.append(stated)
        return of_effect

    def _other_effect(self, value: dict[str, Any]) -> Claim | None:
        """Return the claim of an object that states another effect."""
        crossing = [value[key] for key in value if _CROSSING.fullmatch(key)]
        for key, stated in value.items():
            if _CROSSING.fullmatch(key) or is_remark(key) or not isinstance(stated, dict):
                continue
            if _NEXTS.match(key) or (stated and all(map(is_step, stated))):
                if self.name.is_unclear(key):
                    return Claim(SURE, fault=f"it is unclear which effect {quoted(key, 60)} names")
                crosses = self._clauses_of(crossing, lambda wanted, key=key: wanted == key)  # type: ignore[misc]
                return Claim(stated=stated, crossing=crosses, other=key[:100])
        return None


def _states_nothing(sentence: str, known: frozenset[str] = frozenset()) -> bool:
    try:
        return parse(sentence, known) == TRUE
    except ConstraintError:
        return False


def _numbered_pairs(entry: dict[str, Any]) -> list[tuple[str, Any]]:
    """Return (step, constraints) of ``{"step": 0, "constraints": […]}``, else the object's own pairs."""
    fields = {plain_key(key): key for key in entry}
    step, stated = fields.keys() & _STEP_FIELDS, fields.keys() & _VALUE_FIELDS
    if len(step) == len(stated) == 1:
        return [(str(entry[fields[step.pop()]]), entry[fields[stated.pop()]])]
    return list(entry.items())


_TIMED = re.compile(r"\s*(?:step|t)?[\s_]*([0-9]{1,30})\s*[:@]\s*(.*)", re.I | re.S)
_TIMED_BEHIND = re.compile(
    r"\s*([^\s@\[][^@\[]{0,110}?)\s?(?:@\s?(?:step )?|\s(?:at|in) (?:time )?step |\[)([0-9]{1,30})\]?\s*",
    re.I,
)
_OR_TIMED = re.compile(
    r"\s{0,9}(?:\bor\b|\|\|?|∨)\s{0,9}(?=\(?(?:step|t)?[\s_]{0,9}[0-9]{1,30}\s{0,9}[:@])", re.I
)


def clauses(listed: Any, sentences: Sentences) -> Iterator[tuple[Literal, ...]]:
    """Yield the clauses of a list: lists of ``"0:a"``, or sentences ``"0:a or 2:!b"``.

    A flat list of literals of several steps is one clause: of one literal, none would be of several.

    Raises `Unreadable`: it is no such list.
    """
    if listed is None or listed == {}:
        return
    if isinstance(listed, str):
        listed = [listed]
    if not isinstance(listed, list):
        raise Unreadable("not a list of clauses")
    single = (
        isinstance(text, str) and _TIMED.match(text) and len(_OR_TIMED.split(text)) == 1
        for text in listed
    )
    if len(listed) > 1 and all(single):
        flat = tuple(literal for text in listed for literal in _timed(text, sentences))
        if len({step for step, _, _ in flat}) == 1:
            raise Unreadable("a flat list of literals of one step may be one clause or several")
        yield flat
        return
    for clause in listed:
        if _is_nothing(clause, sentences):
            continue
        parts = _parts(clause) if isinstance(clause, list) else [clause]
        if not parts:
            raise Unreadable("an empty clause")
        yield tuple(literal for part in parts for literal in _timed(part, sentences))


def _parts(clause: list[Any]) -> list[Any]:
    """Return the literals of a clause, ``{"0": "a"}`` as ``[0, "a"]``."""
    return [
        {"step": key, "literal": part[key]}
        if isinstance(part, dict) and len(part) == 1 and is_step(key := next(iter(part)))
        else part
        for part in clause
    ]


def _is_nothing(clause: Any, sentences: Sentences) -> bool:
    """Tell if a sentence such as ``"no constraints"`` stands in the place of a clause."""
    if isinstance(clause, list) and len(clause) == 1:
        clause = clause[0]
    return isinstance(clause, str) and _states_nothing(clause, sentences.known)


def _timed(part: Any, sentences: Sentences) -> Iterable[Literal]:
    return [
        (step_of(step), *sentences.literal(stated))
        for step, stated in _pieces(part, sentences.known)
    ]


def _pieces(part: Any, known: frozenset[str]) -> list[tuple[Any, Any]]:
    """Return the (step, literal) of ``"0:a or 2:b"``, ``"a@0"``, ``[0, "a"]`` and such."""
    if isinstance(part, dict) and {"step", "literal"} <= part.keys():
        return [(part["step"], part["literal"])]
    if isinstance(part, list) and len(part) == 2 and type(part[0]) is int:
        return [(part[0], part[1])]
    if not isinstance(part, str):
        raise Unreadable(f"{quoted(str(part)[:80], 40)} is not like `2:!b`, a step and a literal")
    return [_piece(piece, known) for piece in _OR_TIMED.split(part)]


def _piece(piece: str, known: frozenset[str]) -> tuple[str, str]:
    text = piece.strip()
    if text[:1] == "(" and text[-1:] == ")" and not set("()") & set(text[1:-1]):
        text = text[1:-1]
    if timed := _TIMED.fullmatch(text):
        return timed[1], timed[2]
    behind = _TIMED_BEHIND.fullmatch(text)
    if behind and text.lstrip("!~¬ ") not in known:
        return behind[2], behind[1]
    raise Unreadable(f"{quoted(piece, 40)} is not like `2:!b`, a step and a literal")
