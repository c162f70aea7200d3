"""Judge a completion: set arithmetic over dates, and for each wrong date the clue that it breaks.

A date that does not exist, such as 2001-02-30, is an answered date like any other wrong one.

A label of ours that breaks a clue is our failure, and nothing is scored. A published label is kept and
scored against as it is; the explanation says where it is wrong itself.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date

from harness_answers.markdown import ending
from harness_answers.places import read_at
from harness_answers.text import bounded, quoted

from harness import HarnessError, Item, Verdict
from harness_timepuzzles.answers.conversions import extract as date_of_conversion
from harness_timepuzzles.answers.extraction import extract
from harness_timepuzzles.answers.statements import Answer
from harness_timepuzzles.clues import catalogue
from harness_timepuzzles.conversions.calendar_dates import BOUNDS, date_of, day_of
from harness_timepuzzles.conversions.problem import CALENDARS, ConversionError, ends, is_conversion
from harness_timepuzzles.conversions.problem import text as as_text
from harness_timepuzzles.metrics import VALUES, values
from harness_timepuzzles.problem import NONE, Problem, answer_days
from harness_timepuzzles.problem import answer as answer_text
from harness_timepuzzles.published import scoring

MAX_EXPLANATION = 2_000
PUBLISHED = "published"  # the version of adopted items

_SHOWN = 10
_LOOKED_AT = 200  # dates of a published label that are held against the clues
_MAX_SENTENCE = 90
_MAX_NUMBERS = 8


class BrokenItemError(HarnessError):
    """An item that nothing can be scored against."""


@dataclass(frozen=True, slots=True)
class _Gold:
    """What an answer is judged by."""

    dates: frozenset[str]
    problem: Problem
    published: bool

    def broken(self, day: date) -> list[int]:
        """Return the numbers of the clues that a day breaks, as far as their calendars are certain."""
        return [
            number
            for number, clue in enumerate(self.problem.clues, 1)
            if clue.bounds[0] <= day <= clue.bounds[1] and not clue.holds(day)
        ]

    def in_range(self, day: date) -> bool:
        """Tell whether a day counts."""
        return self.problem.first <= day <= self.problem.last

    def allows(self, day: date) -> bool:
        """Tell whether a day is in range and breaks no clue."""
        return self.in_range(day) and not self.broken(day)


def score(item: Item, completion: str) -> Verdict:
    """Judge any text whatever; never raises, and a failure of ours is ``unscored``."""
    try:
        judge = _converted if is_conversion(item.problem) else _score
        return judge(item, completion if isinstance(completion, str) else "")
    except HarnessError as error:
        reason = str(error)
    except Exception as error:  # whatever fails here is our defect, never the model's answer
        reason = f"{type(error).__name__} while scoring: {error}"
    return Verdict("unscored", dict.fromkeys(VALUES, 0.0), None, quoted(reason, 300))


def _score(item: Item, reply: str) -> Verdict:
    gold = _gold(item)
    read: dict[str, str | float] = {scoring.EXTRA: scoring.extracted(reply)}
    answer = extract(reply, item.prompt)
    if isinstance(answer, str):
        why = f"**Unparsable**: {answer}. {ending(reply)} Gold is {_few(sorted(gold.dates))}."
        return Verdict("unparsed", dict.fromkeys(VALUES, 0.0), None, why, read)
    claimed = answer.dates | set(answer.impossible)
    missing, superfluous = sorted(gold.dates - claimed), sorted(claimed - gold.dates)
    faults = [_fault(day, gold) for day in superfluous[:_SHOWN]]
    for day in superfluous[_SHOWN:] if not gold.published else ():
        if _is_date(day) and gold.allows(date.fromisoformat(day)):
            raise _missed(day)
    shown = answer_text(sorted(claimed))
    extra: dict[str, str | float] = {
        "missing": len(missing),
        "superfluous": len(superfluous),
        "impossible": len(answer.impossible),
        "vote": shown,
        **read,
    }
    why = _explanation(gold, answer, missing, faults, len(superfluous), reply)
    return Verdict("scored", values(gold.dates, frozenset(claimed)), shown, why, extra)


def _converted(item: Item, reply: str) -> Verdict:
    """Judge the one date that a reply to a conversion gives.

    Raises:
        ConversionError: the item is no conversion, or its label is wrong.
    """
    given, target = ends(item.problem)
    day = day_of(given)
    gold = date_of(day, target) if day else None
    if gold is None or as_text(gold) != item.target:
        raise ConversionError(f"the label is wrong: {item.target[:40]!r} is not the date asked for")
    extra: dict[str, str | float] = {scoring.EXTRA: scoring.extracted(reply)}
    answer = date_of_conversion(reply, item.prompt, given, target)
    name = CALENDARS[target].name
    if answer is None:
        why = f"**Unparsable**: no single {name} is stated. {ending(reply)} Gold is {item.target}."
        return Verdict("unparsed", dict.fromkeys(VALUES, 0.0), None, why, extra)
    stated, answered = as_text(answer.value), day_of(answer.value)
    right = answer.value == gold
    wrong = int(not right)
    extra |= {
        "missing": wrong,
        "superfluous": wrong,
        "impossible": int(answered is None),
        "vote": stated,
    }
    head = f"**{'Right' if right else 'Wrong'}**: answered {stated}, gold is {item.target}."
    lines = [head, read_at(answer.quote, reply)]
    if answered is None:
        first, last = BOUNDS[target]
        lines.append(f"From {first} to {last} there is no {name} {stated}.")
    elif day and not right:
        days = (answered - day).days
        count = f"{abs(days)} day{'s' if abs(days) > 1 else ''}"
        lines.append(f"The answer is {count} too {'late' if days > 0 else 'early'}.")
    lines.append(
        f"The {CALENDARS[given['calendar']].name} {as_text(given)} is that of the day {day}."
    )
    return Verdict("scored", values({item.target}, {stated}), stated, "\n\n".join(lines), extra)


# --------------------------------------------------------------------------------- the item


def _gold(item: Item) -> _Gold:
    """Return the item's label, refused if a date of it breaks a clue."""
    problem = item.problem
    if not isinstance(problem, dict) or not isinstance(problem.get("clues"), list):
        raise BrokenItemError("the item's problem has no list of 'clues'")
    ends = problem.get("range")
    if not isinstance(ends, list) or len(ends) != 2 or not all(map(_is_date, ends)):
        raise BrokenItemError("the item's problem has no 'range' of two dates YYYY-MM-DD")
    days = answer_days(item.target)
    if not all(map(_is_date, days)) or days != sorted(set(days)):
        raise BrokenItemError("the item's target is neither 'none' nor dates in ascending order")
    first, last = map(date.fromisoformat, ends)
    read = Problem(first, last, catalogue.parse_all(problem))
    gold = _Gold(frozenset(days), read, item.version == PUBLISHED)
    for text in days if not gold.published else ():
        day = date.fromisoformat(text)
        if not gold.in_range(day):
            raise BrokenItemError(f"the label is wrong: {text} is outside of the item's range")
        for number in gold.broken(day):
            raise BrokenItemError(f"the label is wrong: {text} breaks clue {number}")
    return gold


def _is_date(text: object) -> bool:
    try:
        return isinstance(text, str) and date.fromisoformat(text).isoformat() == text
    except ValueError:
        return False


def _fault(text: str, gold: _Gold) -> str:
    """Return what is wrong with a date that is not in the label.

    Raises:
        BrokenItemError: nothing is, so it is the label that is wrong.
    """
    if not _is_date(text):
        return f"{text} does not exist"
    day = date.fromisoformat(text)
    broken = gold.broken(day)
    # The range of an adopted puzzle may be narrower than the published one: a clue says more.
    if not gold.in_range(day) and not (gold.published and broken):
        return f"{text} is outside of the range from {gold.problem.first} to {gold.problem.last}"
    if not broken and gold.published:
        return f"{text} is not in the label, though no clue is known to exclude it"
    if not broken:
        raise _missed(text)
    sentence = quoted(gold.problem.clues[broken[0] - 1].sentence(), _MAX_SENTENCE)
    others = ", ".join(map(str, broken[1 : _MAX_NUMBERS + 1]))
    if len(broken) > _MAX_NUMBERS + 1:
        others += f" and {len(broken) - _MAX_NUMBERS - 1} more"
    word = "clue" if len(broken) == 2 else "clues"
    return (
        f"{text} breaks clue {broken[0]}: {sentence}{f' (and {word} {others})' if others else ''}"
    )


def _missed(text: str) -> BrokenItemError:
    return BrokenItemError(f"the label misses {text}, on which every clue holds")


# -------------------------------------------------------------------------------- explaining


def _explanation(
    gold: _Gold, answer: Answer, missing: list[str], faults: list[str], superfluous: int, reply: str
) -> str:
    right = not missing and not superfluous
    claimed = len(answer.dates) + len(answer.impossible)
    lines = [
        f"**{'Right' if right else 'Wrong'}**: answered {_count(claimed)}, gold is "
        f"{_count(len(gold.dates))}.",
        read_at(answer.quote, reply),
    ]
    if right and not gold.published:
        holds = "No date satisfies all clues" if not claimed else "All clues hold on every date"
        lines.append(f"{holds}, and no other answer is right.")
    if missing:
        lines.append(f"Missing: {_few(missing)}.")
    if faults:
        lines.append("Superfluous:\n\n" + "\n".join(f"- {fault}" for fault in faults))
    if superfluous > len(faults):
        lines.append(f"{superfluous - len(faults)} more are superfluous.")
    for text in sorted(gold.dates)[:_LOOKED_AT] if gold.published else ():
        if not gold.allows(date.fromisoformat(text)):
            lines.append(f"The published label is wrong: {_fault(text, gold)}.")
            break
    return bounded("\n\n".join(lines), MAX_EXPLANATION)


def _count(number: int) -> str:
    return NONE if number == 0 else f"{number} date{'s' if number > 1 else ''}"


def _few(days: list[str]) -> str:
    more = f" and {len(days) - _SHOWN} more" if len(days) > _SHOWN else ""
    return answer_text(days[:_SHOWN]) + more
