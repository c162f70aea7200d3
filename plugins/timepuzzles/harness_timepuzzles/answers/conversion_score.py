"""Judge the reply to a conversion: the one date it gives is that of the day asked for, or it is not."""

from __future__ import annotations

from harness_answers.markdown import ending
from harness_answers.places import read_at

from harness import Item, Verdict
from harness_timepuzzles.answers.conversions import extract
from harness_timepuzzles.conversions.calendar_dates import BOUNDS, date_of, day_of
from harness_timepuzzles.conversions.problem import CALENDARS, ConversionError, ends, text
from harness_timepuzzles.metrics import VALUES, values
from harness_timepuzzles.published import scoring


def judged(item: Item, reply: str) -> Verdict:
    """Return the verdict on a reply; a date that does not exist is an answered date like any other wrong one.

    Raises:
        ConversionError: the item is no conversion, or its label is wrong.
    """
    given, target = ends(item.problem)
    day = day_of(given)
    gold = date_of(day, target) if day else None
    if gold is None or text(gold) != item.target:
        raise ConversionError(f"the label is wrong: {item.target[:40]!r} is not the date asked for")
    extra: dict[str, str | float] = {scoring.EXTRA: scoring.extracted(reply)}
    answer = extract(reply, item.prompt, given, target)
    name = CALENDARS[target].name
    if answer is None:
        why = f"**Unparsable**: no single {name} is stated. {ending(reply)} Gold is {item.target}."
        return Verdict("unparsed", dict.fromkeys(VALUES, 0.0), None, why, extra)
    stated, answered = text(answer.value), day_of(answer.value)
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
    lines.append(f"The {CALENDARS[given['calendar']].name} {text(given)} is that of the day {day}.")
    return Verdict("scored", values({item.target}, {stated}), stated, "\n\n".join(lines), extra)
