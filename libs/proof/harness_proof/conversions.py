"""Items of timepuzzles that ask for a date of another calendar (task=convert).

The certificate names the day in the Gregorian calendar. **Theorem.** If its tables of Chinese and Islamic months are
true, the label is the date of the calendar asked for of the day that the prompt names: the day is written in both
calendars, and no other day is written so in either, as months are named differently and their days are counted.
"""

from __future__ import annotations

from datetime import date
from typing import Any

from harness_proof import words
from harness_proof.calendars import months
from harness_proof.outcomes import RefutedError, UncheckedError

CALENDARS = ("gregorian", "ordinal", "iso_week", "hebrew", "islamic", "chinese")


def check(prompt: str, target: str, proof: Any) -> None:
    """Check an item's label."""
    parts = words.read("conversions", (), prompt)
    told = {calendar: words.told("conversions", [calendar]) for calendar in CALENDARS}
    source = {(said["name"], said["rule"]): calendar for calendar, said in told.items()}
    wanted = {(*said, told[calendar]["form"]): calendar for said, calendar in source.items()}
    if not parts or parts["source"] == parts["wanted"]:
        raise UncheckedError("the prompt is not in the words that we know")
    ends = [
        source.get((parts["source"], parts["given"])),
        wanted.get((parts["wanted"], parts["asked"], parts["form"])),
    ]
    day = date.fromisoformat(proof["day"])
    for calendar, text in zip(ends, (parts["date"], target)):
        if calendar is None:
            raise UncheckedError("the prompt names a calendar that is not known here")
        if written(day, calendar, proof) != text:
            raise RefutedError(f"the day {day} is not {text[:40]} in the {calendar} calendar")


def written(day: date, calendar: str, proof: Any) -> str:
    """Return the date of a day in a calendar, in the form that prompts ask for."""
    if calendar == "gregorian":
        return day.isoformat()
    if calendar == "ordinal":
        return f"{day.year:04}-{day.timetuple().tm_yday:03}"
    if calendar == "iso_week":
        return "{:04}-W{:02}-{}".format(*day.isocalendar())
    every = [*months(calendar, proof.get(calendar, ()), day, day)]
    month = next(month for month in every if month.first <= day.toordinal() <= month.last)
    number = day.toordinal() - month.first + 1
    if calendar == "hebrew":
        name = words.told("conversions")["hebrew"].split("|")[month.number - 1]
        return f"{month.year:04} {name}{' ' * bool(month.again)}{'I' * month.again} {number}"
    return f"{month.year:04}-{month.number:02}{'L' * month.again}-{number:02}"
