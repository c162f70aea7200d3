"""Items of timepuzzles: every date of the range is tried, given the facts that the certificate names.

What happened when, and the months of the Chinese and the Islamic calendar, no program can derive: the certificate has
them as tables. All else is computed here. **Theorem.** If the facts are true, the label is the set of all dates of
the range on which every clue holds: each date is tried, or lies in a year or a month that a clue rules out as a whole.
"""

from __future__ import annotations

import re
from calendar import isleap
from collections.abc import Callable, Iterator
from datetime import date, timedelta
from functools import cache
from typing import Any, NamedTuple

from harness_proof import conversions, words
from harness_proof.calendar_facts import Clue, Facts, ordinal, within
from harness_proof.calendars import easter
from harness_proof.outcomes import RefutedError, UncheckedError

MAX_YEARS = 1_000
MAX_CLUES = 40
LANGUAGES = ("timepuzzles", "timepuzzles_de", "timepuzzles_es", "timepuzzles_zh")
"""The files of words, one for each language of prompts."""
_SIGNS = (20, 19, 21, 20, 21, 21, 23, 23, 23, 23, 22, 22)
"""On which day of each month a star sign begins; Aquarius, the first, in January."""


class Words(NamedTuple):
    """The words of a language."""

    told: dict[str, str]
    numbers: dict[str, int]
    """What words of lists stand for: their places, from 1 on."""
    sentences: list[tuple[re.Pattern[str], list[str]]]
    """Of each sentence its pattern, what it means (``_MEANINGS``), and the note that it needs, if any."""


@cache
def language(name: str) -> Words:
    """Return the words of a file."""
    heads = [(head.split(" "), text) for head, _, text in words.lines(name)]
    lists = {head[1]: text.split("|") for head, text in heads if head[0] == "list"}
    told = words.told(name)
    told |= {key: "|".join(map(re.escape, entries)) for key, entries in lists.items()}
    return Words(
        told,
        {word: number for entries in lists.values() for number, word in enumerate(entries, 1)},
        [(re.compile(words.filled(text, told)), h[1:]) for h, text in heads if h[0] == "clue"],
    )


def check(prompt: str, target: str, proof: Any) -> str:
    """Check an item's label; return what it rests on."""
    for name in LANGUAGES:
        parts = words.read(name, (), prompt)
        if parts:
            days = ", ".join(day.isoformat() for day in _solutions(name, parts, proof)) or "none"
            if days != target:
                raise RefutedError("other dates than those of the target satisfy all clues")
            break
    else:
        conversions.check(prompt, target, proof)
    given = {key: len(proof.get(key, ())) for key in ("facts", "chinese", "islamic")}
    told = ("facts", "years of the Chinese calendar", "years of the Islamic calendar")
    listed = [f"{words}: {count}" for words, count in zip(told, given.values()) if count]
    return f"given {', '.join(listed)}" if listed else ""


def _solutions(name: str, parts: dict[str, str], proof: Any) -> Iterator[date]:
    first, last, clues = _read(name, parts, proof)
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


def _read(name: str, parts: dict[str, str], proof: Any) -> tuple[date, date, list[Clue]]:
    lines = parts["clues"].split("\n")
    sentences = [line.partition(". ")[2] for line in lines]
    ends = [parts["first"], parts["last"]]
    if lines != [f"{number}. {sentence}" for number, sentence in enumerate(sentences, 1)] or not all(
        re.fullmatch(r"\d{4}-\d\d-\d\d", end) for end in ends
    ):
        raise UncheckedError("the clues are not numbered, or the range has no dates")
    first, last = map(date.fromisoformat, ends)
    if last.year - first.year > MAX_YEARS or len(sentences) > MAX_CLUES:
        raise UncheckedError(f"the puzzle has more than {MAX_YEARS} years or {MAX_CLUES} clues")
    facts, spoken = Facts(proof, first, last), language(name)
    meanings = [_clue(sentence, facts, spoken) for sentence in sentences]
    notes = dict.fromkeys(note for _, note in meanings if note)
    if parts["notes"] != "".join(f"- {spoken.told[note]}\n" for note in notes):
        raise UncheckedError("the notes are not those of the clues")
    return first, last, [clue for clue, _ in meanings]


def _clue(sentence: str, facts: Facts, spoken: Words) -> tuple[Clue, str]:
    """Return what a sentence allows, and the note that it needs."""
    for pattern, (meaning, *note) in spoken.sentences:
        found = pattern.fullmatch(sentence)
        if found:
            values = [
                spoken.numbers.get(text, int(text) if text.isdecimal() else text)
                for text in found.groups("")
            ]
            return _MEANINGS[meaning](facts, *values), "".join(note)
    raise UncheckedError(f"this clue is not known here: {sentence[:80]}")


def _part(facts: Facts, words: str, place: int) -> int:
    """Return year, month or day of what happened, 0 if it has none."""
    return int([*str(facts.of(words)).split("-"), "0", "0"][place])


def _nth(weekday: int, nth: int, parts: int) -> Clue:
    """Return a clue that allows the nth of a weekday in each month (2 parts of a date) or year (1 part).

    If it is negative, it is counted from the end.
    """
    step = timedelta(7 * nth)
    near = step - timedelta(7 if nth > 0 else -7)

    def test(day: date) -> bool:
        # Going back n - 1 weeks stays in the month, going back n does not.
        if day.isoweekday() != weekday:
            return False
        near_by, far = ((day - back).timetuple()[:parts] for back in (near, step))
        return near_by == day.timetuple()[:parts] != far

    return Clue(days=test)


def _easter(church: int, days: int) -> Clue:
    return Clue(days=lambda day: day.toordinal() == easter(day.year, church == 2) + days)


def _spans(_: Facts, listed: str, last: str = "") -> Clue:
    periods = [one for one in re.split("; ?|；", listed) if one[:1].isdecimal()]
    return within((ordinal(one[:10]), ordinal(one[-10:])) for one in periods)


_MEANINGS: dict[str, Callable[..., Clue]] = {
    "year": lambda _, year: Clue(years=[year]),
    "decade": lambda _, year, __: Clue(years=range(year, year + 10)),
    "leap": lambda _: Clue(years=filter(isleap, range(1, 9999))),
    "years": lambda _, listed: Clue(years=[int(year) for year in re.findall(r"\d+", str(listed))]),
    "zodiac": lambda facts, animal: facts.months("chinese", lambda month: (month.year - 4) % 12 + 1 == animal),
    "period": lambda facts, words: facts.period(words),
    "office": lambda facts, name, office: facts.period(f"{name} held the office of {office}"),
    "fact": lambda facts, words: Clue(years=facts.of(words)),
    "month": lambda _, number: Clue(months=[number]),
    # December belongs to winter, which is the first.
    "season": lambda _, number: Clue(months=[(number * 3 + n - 4) % 12 + 1 for n in range(3)]),
    "sign": lambda _, sign: Clue(days=lambda day: (day.month - (day.day < _SIGNS[day.month - 1])) % 12 == sign % 12),
    "lunar": lambda facts, number: facts.months("chinese", lambda month: month.number == number),
    "hebrew": lambda facts, number: facts.months("hebrew", lambda month: month.number == number),
    "islamic": lambda facts, number: facts.months("islamic", lambda month: month.number == number),
    "week": lambda _, number: Clue(days=lambda day: day.isocalendar()[1] == number),
    "nth": lambda _, nth, weekday: _nth(weekday, nth, 2),
    "last": lambda _, weekday: _nth(weekday, -1, 2),
    "back": lambda _, nth, weekday: _nth(weekday, -nth, 2),
    "nth-of-year": lambda _, nth, weekday: _nth(weekday, nth, 1),
    "last-of-year": lambda _, weekday: _nth(weekday, -1, 1),
    "back-of-year": lambda _, nth, weekday: _nth(weekday, -nth, 1),
    "first": lambda _: Clue(days=lambda day: day.day == 1),
    "end": lambda _: Clue(days=lambda day: (day + timedelta(1)).day == 1),
    "day": lambda _, number: Clue(days=lambda day: day.day == number),
    "day-of-year": lambda _, number: Clue(days=lambda day: day.timetuple().tm_yday == number),
    "before": lambda _, number: Clue(days=lambda day: day.day < number),
    "after": lambda _, number: Clue(days=lambda day: day.day > number),
    "weekday": lambda _, *named: Clue(days=lambda day: day.isoweekday() in named),
    "event0": lambda facts, words: Clue(years=[_part(facts, words, 0)]),
    "event1": lambda facts, words: Clue(months=[_part(facts, words, 1)]),
    "event2": lambda facts, words: _MEANINGS["day"](facts, _part(facts, words, 2)),
    "easter": lambda _, church: _easter(church, 0),
    "before-easter": lambda _, days, church: _easter(church, -days),
    "after-easter": lambda _, days, church: _easter(church, days),
    "moon": lambda facts, words: facts.again(words, 29),
    "sun": lambda facts, words: facts.again(words, 365),
    "spans": _spans,
}  # fmt: skip
