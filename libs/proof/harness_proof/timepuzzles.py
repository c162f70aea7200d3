"""Items of timepuzzles: every date of the range is tried, given the facts that the certificate names.

**Theorem.** If its facts and its tables of Chinese and Islamic months are true, which no program can derive, the
label is the set of all dates of the range on which every clue holds (docs/proofs.md). **Theorem (task=convert).** If
its tables are true, and its day is written as the prompt says in one calendar and as the label, in English, in the
other one, the label is right: no two days are written alike.
"""

from __future__ import annotations

import re
from calendar import isleap
from collections.abc import Callable, Iterator
from datetime import date, timedelta
from functools import cache
from typing import Any

from harness_proof import words
from harness_proof.calendars import Clue, Facts, easter, months, ordinal, within
from harness_proof.outcomes import UncheckedError, known, proven

MAX_YEARS = 1_000
MAX_CLUES = 40
FILES = [kind + end for kind in ("timepuzzles", "conversions") for end in ("", "_de", "_es", "_zh")]
"""The files of words, one for each task and language of prompts."""
CALENDARS = ("gregorian", "ordinal", "iso_week", "hebrew", "islamic", "chinese")
_SIGNS = (20, 19, 21, 20, 21, 21, 23, 23, 23, 23, 22, 22)
"""On which day of each month a star sign begins; Aquarius, the first, in January."""


def check(prompt: str, target: str, proof: Any) -> str:
    """Check an item's label; return what it rests on."""
    begins = ((name, words.lines(name)[0][2].partition("«")[0]) for name in FILES)
    name = next((name for name, begin in begins if prompt.startswith(begin)), FILES[0])
    _, parts = words.read(name, prompt)
    if name.startswith("conversions"):
        _check_conversion(name, parts, target, proof)
    else:
        days = ", ".join(day.isoformat() for day in _solutions(name, parts, proof)) or "none"
        proven(days == target, "other dates than those of the target satisfy all clues")
    told = {"facts": "facts", "chinese": "Chinese years", "islamic": "Islamic years"}
    counts = [f"{said}: {len(proof[key])}" for key, said in told.items() if proof.get(key)]
    return f"given {', '.join(counts)}" if counts else ""


def _check_conversion(name: str, parts: dict[str, str], target: str, proof: Any) -> None:
    told = {calendar: words.told(name, calendar) for calendar in CALENDARS}
    source = {(said["name"], said["rule"]): calendar for calendar, said in told.items()}
    wanted = {(*said, told[calendar]["form"]): calendar for said, calendar in source.items()}
    given = source.get((parts["source"], parts["given"]), "")
    asked = wanted.get((parts["wanted"], parts["asked"], parts["form"]), "")
    known(given and asked and given != asked, "the prompt does not speak of two known calendars")
    day = date.fromordinal(ordinal(proof["day"]))
    for file, calendar, text in ((name, given, parts["date"]), ("conversions", asked, target)):
        proven(_written(day, calendar, proof, file) == text, f"the day {day} is not {text[:40]}")


def _written(day: date, calendar: str, proof: Any, name: str) -> str:
    """Return the date of a day in a calendar, in the form that prompts ask for by a file of words."""
    if calendar == "gregorian":
        return day.isoformat()
    if calendar == "ordinal":
        return f"{day.year:04}-{day.timetuple().tm_yday:03}"
    if calendar == "iso_week":
        return "{:04}-W{:02}-{}".format(*day.isocalendar())
    every = [*months(calendar, proof.get(calendar, ()), day, day, lambda _, __: True)]
    month = next(month for month in every if month.first <= day.toordinal() <= month.last)
    number = day.toordinal() - month.first + 1
    if calendar == "hebrew":
        told = words.told(name)
        named = told["hebrew"].split("|")[month.number - 1 + month.again]
        parts = {"year": f"{month.year:04}", "month": named, "day": str(number)}
        return words.filled(told["written"], parts)
    return f"{month.year:04}-{month.number:02}{'L' * month.again}-{number:02}"


def _solutions(name: str, parts: dict[str, str], proof: Any) -> Iterator[date]:
    """Yield the dates that satisfy all clues of a puzzle in a language."""
    lines, ends = parts["clues"].split("\n"), (parts["first"], parts["last"])
    first, last = (date.fromisoformat(words.match(name, "day", end)[0]) for end in ends)
    small = last.year - first.year <= MAX_YEARS and len(lines) <= MAX_CLUES
    known(small, f"the puzzle has more than {MAX_YEARS} years or {MAX_CLUES} clues")
    facts, clues, notes = Facts(proof, first, last), [], dict[str, None]()
    for number, line in enumerate(lines, 1):
        head, _, sentence = line.partition(". ")
        known(head == str(number), "the clues are not numbered")
        clue, note = _clue(sentence, facts, name)
        clues.append(clue)
        notes[note] = None
    needed = "".join(f"- {words.told(name)[note]}\n" for note in notes if note)
    known(parts["notes"] == needed, "the notes are not those of the clues")
    for year in range(first.year, last.year + 1):
        count = 365 + isleap(year) if all(year in clue.years for clue in clues) else 0
        begin = date(year, 1, 1).toordinal()
        days: Iterator[date] = map(date.fromordinal, range(begin, begin + count))
        for clue in clues:
            days = filter(clue.days, days)
        yield from (day for day in days if first <= day <= last)


def _clue(sentence: str, facts: Facts, name: str) -> tuple[Clue, str]:
    """Return what a sentence of a language allows, and the note that it needs."""
    sentences, numbers = _language(name)
    for pattern, meaning, constants, note in sentences:
        found = pattern.fullmatch(sentence)
        if found:
            texts = found.groups("")
            values = [numbers.get(text, int(text) if text.isdecimal() else text) for text in texts]
            return _MEANINGS[meaning](facts, *values, *constants), note
    raise UncheckedError(f"this clue is not known here: {sentence[:80]}")


@cache
def _language(name: str) -> tuple[list[Any], dict[str, int]]:
    """Return of each sentence its pattern, meaning, numbers and note; of each word of a list its place, from 1 on."""
    heads = [(head.split(" "), text) for head, _, text in words.lines(name)]
    lists = {head[1]: text.split("|") for head, text in heads if head[0] == "list"}
    told = {key: "|".join(map(re.escape, entries)) for key, entries in lists.items()}
    told = {**words.told(name), **told}
    sentences = []
    for (kind, *rest), text in heads:
        if kind == "clue":
            meaning, *constants = rest[0].split(":")
            pattern = re.compile(words.filled(text, told))
            sentences.append((pattern, meaning, [*map(int, constants)], "".join(rest[1:])))
    return sentences, {word: n for listed in lists.values() for n, word in enumerate(listed, 1)}


def _event(facts: Facts, words: str, place: int) -> Clue:
    """Return a clue that allows the year (0), month (1) or day of the month (2) of what happened."""
    text = facts.of(words)
    ordinal((text + "-01-01")[: max(10, len(text))])  # no day, or no month, has to be known
    part = int(text.split("-")[place])
    return Clue(days=lambda day: (day.month, day.day)[place - 1] == part) if place else Clue([part])


def _nth(_: Facts, nth: int, weekday: int, parts: int, sign: int = 1) -> Clue:
    """Return a clue that allows the nth of a weekday in each month (2 parts of a date) or year (1 part).

    With the sign -1 it is counted from the end. Going back n - 1 weeks stays in the month, going back n does not.
    """
    weeks = [timedelta(7 * (nth + more) * sign) for more in (-1, 0)]

    def test(day: date) -> bool:
        there, beyond = ((day - back).timetuple()[:parts] for back in weeks)
        return there == day.timetuple()[:parts] != beyond

    return Clue(days=lambda day: day.isoweekday() == weekday and test(day))


def _easter(_: Facts, days: int, church: int, sign: int) -> Clue:
    return Clue(days=lambda day: day.toordinal() == easter(day.year, church == 2) + days * sign)


_MEANINGS: dict[str, Callable[..., Clue]] = {
    "year": lambda _, year: Clue([year]),
    "decade": lambda _, year, __: Clue(range(year, year + 10)),
    "leap": lambda facts: Clue({*filter(isleap, range(facts.first.year, facts.last.year + 1))}),
    "years": lambda _, listed: Clue({int(year) for year in re.findall(r"\d+", str(listed))}),
    "zodiac": lambda facts, animal: facts.months("chinese", lambda year, _: (year - 4) % 12 + 1 == animal),
    "period": Facts.period,
    "office": lambda facts, name, office: facts.period(f"{name} held the office of {office}"),
    "fact": lambda facts, words: Clue({date(year, 1, 1).year for year in facts.of(words)}),
    "month": lambda _, number: Clue(days=lambda day: day.month == number),
    # December belongs to winter, which is the first.
    "season": lambda _, number: Clue(days=lambda day: day.month % 12 // 3 == number - 1),
    "sign": lambda _, sign: Clue(days=lambda day: (day.month - (day.day < _SIGNS[day.month - 1])) % 12 == sign % 12),
    "calendar": lambda facts, number, which: facts.months(CALENDARS[which], lambda _, month: month == number),
    "week": lambda _, number: Clue(days=lambda day: day.isocalendar()[1] == number),
    "nth": _nth,
    "end": lambda _: Clue(days=lambda day: (day + timedelta(1)).day == 1),
    "day": lambda _, number: Clue(days=lambda day: day.day == number),
    "day-of-year": lambda _, number: Clue(days=lambda day: day.timetuple().tm_yday == number),
    "before": lambda _, number: Clue(days=lambda day: day.day < number),
    "after": lambda _, number: Clue(days=lambda day: day.day > number),
    "weekday": lambda _, *named: Clue(days=lambda day: day.isoweekday() in named),
    "event": _event,
    "easter": lambda facts, church: _easter(facts, 0, church, 1),
    "from-easter": _easter,
    "again": Facts.again,
    "spans": lambda _, listed: within(
        (ordinal(one[:10]), ordinal(one[-10:])) for one in re.split("; ?|；", listed) if one[:1].isdecimal()
    ),
}  # fmt: skip
