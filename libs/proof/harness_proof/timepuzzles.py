"""Items of timepuzzles: every date of the range is tried, given the facts that the certificate names.

What happened when, and the months of the Chinese calendar, no program can derive: the certificate has them as
tables. All else is computed here. **Theorem.** If the facts are true, the label is the set of all dates of the range
on which every clue holds: each date is tried, or lies in a year or a month that a clue rules out as a whole.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from datetime import date, timedelta
from operator import eq, gt, lt
from typing import Any

from harness_proof.calendar_facts import Clue, Facts, within
from harness_proof.outcomes import RefutedError, UncheckedError

MAX_YEARS = 1_000
MAX_CLUES = 40
_PROMPT = """\
Which dates satisfy all of the clues below?

Clues:
{clues}

How to read the clues:
- Only dates of the Gregorian calendar from {first} to {last} count, both days included.
{notes}
There may be one such date, several, or none. Find all of them. End your reply with one line that lists them in \
ascending order, in the form
Answer: YYYY-MM-DD, YYYY-MM-DD
or, if no date satisfies all clues,
Answer: none"""
_RANGE = re.compile(
    r"Which .*\n\nClues:\n((?:\d+\. .*\n)+)\nHow to read the clues:\n- Only dates of the Gregorian calendar "
    r"from (\d{4}-\d\d-\d\d) to (\d{4}-\d\d-\d\d) count, both days included\.\n"
)
_WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
_MONTHS = ("January", "February", "March", "April", "May", "June", "July", "August", "September", "October",
           "November", "December")  # fmt: skip
_SEASONS = {"winter": (12, 1, 2), "spring": (3, 4, 5), "summer": (6, 7, 8), "autumn": (9, 10, 11)}
_ANIMALS = ("Rat", "Ox", "Tiger", "Rabbit", "Dragon", "Snake", "Horse", "Goat", "Monkey", "Rooster", "Dog",
            "Pig")  # fmt: skip
_ORDINAL = r"(\d{1,2})(?:st|nd|rd|th)"

_HISTORY = (
    "The date of a historical event is the Gregorian date at the place where it happened, unless the clue says "
    "otherwise."
)
_BETWEEN = '"Before" and "after" a day of the month leave that day itself out.'
_NORTH = (
    "Seasons are those of the northern hemisphere in whole months: spring is March to May, summer June to August, "
    "autumn September to November, winter December to February."
)
_BACKWARDS = (
    "Counted from the end, the last one is the first; the 2nd-to-last is the one before it."
)
_LUNAR = (
    "The Chinese lunar calendar is the official one of China; a leap month counts as the month whose number it "
    "repeats."
)
_ZODIAC = (
    "A Chinese zodiac year is a year of the official Chinese calendar: it begins at the Chinese New Year, neither on "
    "1 January nor at the beginning of spring."
)
_LIFE = "A person was alive from the day of birth to the day of death, both days included."
_OFFICE = (
    "An office is held from the first to the last day of a term, both days included; a pope's term begins with his "
    "election."
)
_AGAIN = "Of something that happened more than once, every such year counts."
_GAMES = (
    "Olympic Games and World Cups count in the year in which they were really held, up to and including 2024; later "
    "ones and cancelled ones do not count, nor do the Intercalated Games of 1906."
)
_PERIODS = "A period from one day to another includes both days."


def check(prompt: str, target: str, proof: Any) -> str:
    """Check an item's label; return what it rests on.

    Raises:
        RefutedError: the certificate does not prove it.
        UncheckedError: the prompt is not in the words that we know.
    """
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
    listed = "".join(f"- {note}\n" for note in notes)
    if _PROMPT.format(clues="\n".join(numbered), first=first, last=last, notes=listed) != prompt:
        raise UncheckedError("the prompt is not in the words that we know")
    return first, last, [clue for clue, _ in meanings]


def _clue(sentence: str, facts: Facts) -> tuple[Clue, str]:
    """Return what a sentence allows, and the note that it needs."""
    for pattern, meaning in _SENTENCES.items():
        found = re.fullmatch(pattern, sentence)
        if found:
            return meaning(found, facts)
    raise UncheckedError(f"this clue is not known here: {sentence[:80]}")


def _event(found: re.Match[str], facts: Facts) -> tuple[Clue, str]:
    parts = str(facts.of(found[1] or found[2] or found[3])).split("-")
    year, month, day = [*map(int, parts), 0, 0][:3]
    if found[1]:
        return Clue(years=[year]), _HISTORY
    if found[2]:
        return Clue(months=[month]), _HISTORY
    return Clue(days=lambda one: one.day == day), _HISTORY


def _nth(found: re.Match[str], facts: Facts) -> tuple[Clue, str]:
    weekday = _WEEKDAYS.index(found[3])
    nth = int(found[1] or found[2] or 1)
    step = timedelta(7 * (nth if found[1] else -nth))
    near = step - timedelta(7 if found[1] else -7)

    def test(day: date) -> bool:
        # The nth one: going back n - 1 weeks stays in the month, going back n does not.
        return day.weekday() == weekday and (day - near).month == day.month != (day - step).month

    return Clue(days=test), _BACKWARDS if found[2] else ""


def _listed(found: re.Match[str], facts: Facts) -> tuple[Clue, str]:
    periods = [] if found[2] == "none" else (found[1] or found[2]).split("; ")
    ends = ((date.fromisoformat(one[:10]), date.fromisoformat(one[-10:])) for one in periods)
    return within(ends), _PERIODS


def _numbered(found: re.Match[str], facts: Facts) -> tuple[Clue, str]:
    number = int(found[1] or found[2] or found[3])
    compare = eq if found[1] else lt if found[2] else gt
    return Clue(days=lambda day: compare(day.day, number)), "" if found[1] else _BETWEEN


Meaning = Callable[[re.Match[str], Facts], tuple[Clue, str]]
_ISO = r"\d{4}-\d\d-\d\d"
_A_DAY = rf"a (?:{'|'.join(_WEEKDAYS)})"
_LEAP = [year for year in range(1, 9999) if year % 4 == 0 and (year % 100 or year % 400 == 0)]
_SENTENCES: dict[str, Meaning] = {
    r"The year is (\d{4})\.": lambda found, _: (Clue(years=[int(found[1])]), ""),
    r"The year is one of the ten years from (\d{3})0 to \1(9)\.": lambda found, _: (
        Clue(years=range(int(found[1] + "0"), int(found[1] + "9") + 1)), ""),
    r"The year is a leap year\.": lambda found, _: (Clue(years=_LEAP), ""),
    r"The year is one of these: (none|\d{4}(?:, \d{4})*)\.": lambda found, _: (
        Clue(years=[int(year) for year in found[1].split(", ") if year != "none"]), ""),
    rf"The Chinese zodiac year is a year of the ({'|'.join(_ANIMALS)})\.": lambda found, facts: (
        facts.months_of(lambda year, _: _ANIMALS[(year - 4) % 12] == found[1]), _ZODIAC),
    r"On that day, (.{1,200}) was alive\.": lambda found, facts: (facts.period(found[1]), _LIFE),
    r"On that day, (.{1,200} held the office of .{1,200})\.": lambda found, facts: (facts.period(found[1]), _OFFICE),
    r"(Summer Olympic Games|Winter Olympic Games|A men's football World Cup) (?:were|was) held in that year\.":
        lambda found, facts: (Clue(years=facts.of(found[1])), _GAMES),
    r"The year is one of the years of (.{1,300})\.": lambda found, facts: (Clue(years=facts.of(found[1])), _AGAIN),
    rf"The month is ({'|'.join(_MONTHS)})\.": lambda found, _: (Clue(months=[_MONTHS.index(found[1]) + 1]), ""),
    r"The season is (winter|spring|summer|autumn)\.": lambda found, _: (Clue(months=_SEASONS[found[1]]), _NORTH),
    rf"It is a day in the {_ORDINAL} month of the Chinese lunar calendar\.": lambda found, facts: (
        facts.months_of(lambda _, month: month == int(found[1])), _LUNAR),
    rf"It is the (?:{_ORDINAL}|last|{_ORDINAL}-to-last) ({'|'.join(_WEEKDAYS)}) of its month\.": _nth,
    r"It is the first day of its month\.": lambda found, _: (Clue(days=lambda day: day.day == 1), ""),
    r"It is the last day of its month\.": lambda found, _: (
        Clue(days=lambda day: (day + timedelta(1)).day == 1), ""),
    rf"The day of the month is (?:(\d{{1,2}})|before the {_ORDINAL}|after the {_ORDINAL})\.": _numbered,
    rf"It is ({_A_DAY}(?:(?:, {_A_DAY})* or {_A_DAY})?)\.": lambda found, _: (
        Clue(days=lambda day: _WEEKDAYS[day.weekday()] in found[1]), ""),
    r"It is in the same year as (.{1,300})\.|Whatever the year, it is in the same month of the year as (.{1,300})\.|"
    r"Whatever the month and year, it has the same day of the month as (.{1,300})\.": _event,
    rf"The date lies in (?:the period from ({_ISO} to {_ISO})|one of these periods: (none|{_ISO}(?: to {_ISO})?"
    rf"(?:; {_ISO}(?: to {_ISO})?)*))\.": _listed,
}  # fmt: skip
