"""Items of timepuzzles: every date of the range is tried, given the facts that the certificate names.

What happened when, and the months of the Chinese calendar, no program can derive: the certificate has them as
tables. All else is computed here. **Theorem.** If the facts are true, the label is the set of all dates of the range
on which every clue holds: each date is tried, or lies in a year or a month that a clue rules out as a whole.
"""

from __future__ import annotations

import re
from calendar import isleap
from collections.abc import Callable, Iterator
from datetime import date, timedelta
from typing import Any

from harness_proof import words
from harness_proof.calendar_facts import Clue, Facts, within
from harness_proof.outcomes import RefutedError, UncheckedError

MAX_YEARS = 1_000
MAX_CLUES = 40
_TOLD = words.told("timepuzzles")
_WEEKDAYS, _MONTHS, _SEASONS, _ANIMALS = (
    _TOLD[name].split("|") for name in ("weekday", "month", "season", "animal")
)
_SENTENCES = [
    (re.compile(words.filled(pattern, _TOLD)), head.split(" ")[1:])
    for head, _, pattern in words.lines("timepuzzles")
    if head.startswith("clue ")
]
"""Of each sentence its pattern, what it means (``_MEANINGS``), and the note that it needs, if any."""

_RANGE = re.compile(
    r"Which .*\n\nClues:\n((?:\d+\. .*\n)+)\nHow to read the clues:\n- Only dates of the Gregorian calendar "
    r"from (\d{4}-\d\d-\d\d) to (\d{4}-\d\d-\d\d) count, both days included\.\n"
)


def check(prompt: str, target: str, proof: Any) -> str:
    """Check an item's label; return what it rests on."""
    first, last, clues = _read(prompt, proof)
    days = ", ".join(day.isoformat() for day in _solutions(first, last, clues)) or "none"
    if days != target:
        raise RefutedError("other dates than those of the target satisfy all clues")
    years = len(proof["chinese"])
    return f"given facts: {len(proof['facts'])}, years of the Chinese calendar: {years}"


def _solutions(first: date, last: date, clues: list[Clue]) -> Iterator[date]:
    years = set(range(first.year, last.year + 1))
    months = set(range(1, 13))
    for clue in clues:
        years &= {*clue.years} if clue.years is not None else years
        months &= {*clue.months} if clue.months is not None else months
    tests = [clue.days for clue in clues if clue.days]
    for year in sorted(years):
        for month in sorted(months):
            day = date(year, month, 1)
            while day.month == month:
                if first <= day <= last and all(test(day) for test in tests):
                    yield day
                day += timedelta(1)


# ------------------------------------------------------------------------------ the prompt


def _read(prompt: str, proof: Any) -> tuple[date, date, list[Clue]]:
    found = _RANGE.match(prompt)
    if found is None:
        raise UncheckedError("the prompt is not in the words that we know")
    first, last = date.fromisoformat(found[2]), date.fromisoformat(found[3])
    facts = Facts(proof["facts"], proof["chinese"], first, last)
    sentences = [line.partition(". ")[2] for line in found[1].rstrip("\n").split("\n")]
    if last.year - first.year > MAX_YEARS or len(sentences) > MAX_CLUES:
        raise UncheckedError(f"the puzzle has more than {MAX_YEARS} years or {MAX_CLUES} clues")
    meanings = [_clue(sentence, facts) for sentence in sentences]
    notes = dict.fromkeys(note for _, note in meanings if note)
    numbered = [f"{number}. {sentence}" for number, sentence in enumerate(sentences, 1)]
    parts = {"clues": "\n".join(numbered), "first": found[2], "last": found[3]}
    parts["notes"] = "".join(f"- {_TOLD[note]}\n" for note in notes)
    if words.prompt("timepuzzles", (), parts) != prompt:
        raise UncheckedError("the prompt is not in the words that we know")
    return first, last, [clue for clue, _ in meanings]


def _clue(sentence: str, facts: Facts) -> tuple[Clue, str]:
    """Return what a sentence allows, and the note that it needs."""
    for pattern, (meaning, *note) in _SENTENCES:
        found = pattern.fullmatch(sentence)
        if found:
            return _MEANINGS[meaning](facts, *found.groups()), "".join(note)
    raise UncheckedError(f"this clue is not known here: {sentence[:80]}")


def _part(facts: Facts, words: str, place: int) -> int:
    """Return year, month or day of what happened, 0 if it has none."""
    return int([*str(facts.of(words)).split("-"), "0", "0"][place])


def _nth(weekday: str, nth: int) -> Clue:
    """Return a clue that allows the nth of a weekday in each month; if it is negative, counted from the end."""
    step, number = timedelta(7 * nth), _WEEKDAYS.index(weekday)
    near = step - timedelta(7 if nth > 0 else -7)

    def test(day: date) -> bool:
        # Going back n - 1 weeks stays in the month, going back n does not.
        return day.weekday() == number and (day - near).month == day.month != (day - step).month

    return Clue(days=test)


def _spans(facts: Facts, listed: str) -> Clue:
    periods = [] if listed == "none" else listed.split("; ")
    return within((date.fromisoformat(one[:10]), date.fromisoformat(one[-10:])) for one in periods)


_MEANINGS: dict[str, Callable[..., Clue]] = {
    "year": lambda _, year: Clue(years=[int(year)]),
    "decade": lambda _, year, __: Clue(years=range(int(year), int(year) + 10)),
    "leap": lambda _: Clue(years=filter(isleap, range(1, 9999))),
    "years": lambda _, listed: Clue(years=[int(year) for year in re.findall(r"\d+", listed)]),
    "zodiac": lambda facts, animal: facts.months_of(lambda year, _: _ANIMALS[(year - 4) % 12] == animal),
    "period": lambda facts, words: facts.period(words),
    "fact": lambda facts, words: Clue(years=facts.of(words)),
    "month": lambda _, name: Clue(months=[_MONTHS.index(name) + 1]),
    # December belongs to winter, as month 0.
    "season": lambda _, name: Clue(months=[(_SEASONS.index(name) * 3 + n - 1) % 12 + 1 for n in range(3)]),
    "lunar": lambda facts, number: facts.months_of(lambda _, month: month == int(number)),
    "nth": lambda _, nth, weekday: _nth(weekday, int(nth)),
    "last": lambda _, weekday: _nth(weekday, -1),
    "back": lambda _, nth, weekday: _nth(weekday, -int(nth)),
    "first": lambda _: Clue(days=lambda day: day.day == 1),
    "end": lambda _: Clue(days=lambda day: (day + timedelta(1)).day == 1),
    "day": lambda _, number: Clue(days=lambda day: day.day == int(number)),
    "before": lambda _, number: Clue(days=lambda day: day.day < int(number)),
    "after": lambda _, number: Clue(days=lambda day: day.day > int(number)),
    "weekday": lambda _, named: Clue(days=lambda day: _WEEKDAYS[day.weekday()] in named),
    "event0": lambda facts, words: Clue(years=[_part(facts, words, 0)]),
    "event1": lambda facts, words: Clue(months=[_part(facts, words, 1)]),
    "event2": lambda facts, words: _MEANINGS["day"](facts, _part(facts, words, 2)),
    "spans": _spans,
}  # fmt: skip
