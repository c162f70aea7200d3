"""Items of ``task=convert``: their generation, their certificates, and the cheap ways to answer them.

The certificate of an item is its day: ``gregorian`` (ISO), and as texts the date given, ``from``, and the one
asked for, ``to``.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from datetime import date
from itertools import permutations
from random import Random
from typing import Any

from harness import Abstained, EngineError, ExhaustedError, HarnessError, Item, canonical_json
from harness_timepuzzles.clues.clue import WEEKDAYS
from harness_timepuzzles.config import CONFIG, NAME, VERSION
from harness_timepuzzles.conversions.calendar_dates import BOUNDS, date_of, day_of, reading
from harness_timepuzzles.conversions.problem import CALENDARS, CONVERT, Date, ends, text, write
from harness_timepuzzles.engines import arithmetic_dates
from harness_timepuzzles.engines.conversions import converted
from harness_timepuzzles.languages.language import ENGLISH
from harness_timepuzzles.settings import SettingsError

DRAWS = 200
_OF_BOTH = ("task", "language", "from_year", "to_year")


def item(config: Mapping[str, Any], index: int, rng: Random, salt: str) -> Item:
    """Return conversion ``index``: its two calendars are fixed by the index, its day is drawn.

    Raises:
        ExhaustedError: all days drawn were in doubt.
        EngineError: the two engines contradict each other.
        SettingsError: no day of the years that are asked for has a date of both calendars.
    """
    # Each block of indices has every ordered pair of calendars once.
    pairs = list(permutations(sorted(config["calendars"], key=list(CALENDARS).index), 2))
    block, at = divmod(index, len(pairs))
    Random(hashlib.sha256(f"{salt}|{block}".encode()).hexdigest()).shuffle(pairs)
    source, target = pairs[at]
    first, last = _days(config, (source, target))
    for draw in range(1, DRAWS + 1):
        given = date_of(date.fromordinal(rng.randint(first.toordinal(), last.toordinal())), source)
        if given is not None and (wanted := _confirmed(given, target)):
            rejected = {"undecided": draw - 1} if draw > 1 else {}
            notes = {"draws": draw, "rejected": rejected}
            return _item(given, target, wanted, config["language"], notes)
    raise ExhaustedError(
        f"all of {DRAWS} days drawn from {first} to {last} are in doubt; use a wider range of years"
    )


def check_settings(config: Mapping[str, Any]) -> None:
    """Refuse settings that belong to the other task, and calendars that have no day in the range.

    Raises:
        SettingsError: they are so.
    """
    task, calendars = config["task"], config["calendars"]
    for key, schema in CONFIG["properties"].items():
        foreign = (key == "calendars") is (task != CONVERT) and key not in _OF_BOTH
        if foreign and config[key] != schema["default"]:
            level = " (nor difficulty=, which sets it)" if task == CONVERT else ""
            raise SettingsError(
                f"task={task} takes no {key}={level}: it is a setting of the other task"
            )
    for calendar in calendars if task == CONVERT else ():
        _days(config, (calendar,))


def _days(config: Mapping[str, Any], calendars: tuple[str, ...]) -> tuple[date, date]:
    """Return the first and the last day of the range that some calendars have."""
    if config["from_year"] > config["to_year"]:
        raise SettingsError(f"from_year={config['from_year']} is after to_year={config['to_year']}")
    first = max(date(config["from_year"], 1, 1), *(BOUNDS[name][0] for name in calendars))
    last = min(date(config["to_year"], 12, 31), *(BOUNDS[name][1] for name in calendars))
    if first > last:
        raise SettingsError(
            f"from_year={config['from_year']}, to_year={config['to_year']}: {calendars[0]} dates are known from "
            f"{BOUNDS[calendars[0]][0]} to {BOUNDS[calendars[0]][1]}"
        )
    return first, last


def _confirmed(given: Date, target: str) -> str | None:
    """Return the date asked for, None if the second engine declines it.

    Raises:
        EngineError: that engine finds another one.
    """
    problem = {"task": CONVERT, "date": given, "to": target}
    wanted = converted(given, target)
    try:
        other = arithmetic_dates.converted(problem)
    except Abstained:
        return None
    if other != wanted:
        raise EngineError(
            f"engines contradict each other: masks find {wanted}, arithmetic finds {other} for "
            f"{canonical_json(problem)}"
        )
    return wanted


def _item(given: Date, target: str, wanted: str, language: str, notes: dict[str, Any]) -> Item:
    problem = {"task": CONVERT, "date": dict(given), "to": target}
    source = given["calendar"]
    proof = {"gregorian": str(day_of(given)), "from": text(given), "to": wanted}
    features = {
        "task": CONVERT, "relation": f"{source} to {target}", "from": source, "to": target, "solutions": 1,
        "mode": "implicit", "clues": 0, "clue": "",
    }  # fmt: skip
    if language != ENGLISH:  # as of puzzles
        features["language"] = language
    return Item(
        plugin=NAME, version=VERSION, prompt=write(problem, language), target=wanted, problem=problem,
        certificate=proof, features=features, notes=notes,
    )  # fmt: skip


# -------------------------------------------------------------------------------- certificates


def errors(item: Item) -> list[str]:
    """Return what is wrong with an item's certificate: the libraries read its day, and no engine is used."""
    proof = item.certificate
    if not isinstance(proof, dict) or set(proof) != {"gregorian", "from", "to"}:
        return ["the certificate must have 'gregorian', 'from' and 'to'"]
    try:
        given, target = ends(item.problem)
        day = date.fromisoformat(proof["gregorian"])
        dates = {"from": reading(day, given["calendar"]), "to": reading(day, target)}
    except (HarnessError, ValueError, TypeError) as error:
        return [f"the item or its certificate is malformed: {error}"]
    texts = {"gregorian": str(day)} | {key: read and text(read) for key, read in dates.items()}
    wrong = [
        f"certificate['{key}'] is {str(proof[key])[:80]}, the day read is {right}"
        for key, right in texts.items()
        if proof[key] != right
    ]
    if text(given) != texts["from"]:
        wrong.append("the day of the certificate is not that of the problem")
    if item.target != texts["to"]:
        wrong.append("the target is not the date of the certificate's day")
    return wrong


# ------------------------------------------------------------------------- solutions in words


def worked(item: Item) -> str:
    """Return a solution that leads up to the target by way of the Gregorian date."""
    given, target = ends(item.problem)
    day = day_of(given)
    if day is None:
        return ""
    source, wanted = CALENDARS[given["calendar"]].name, CALENDARS[target].name
    lines = [
        f"The {source} {text(given)} is a {WEEKDAYS[day.weekday()]}, in the Gregorian calendar {day}."
    ]
    months = target in ("hebrew", "islamic", "chinese")
    dated = date_of(day, target) if months else None
    begins = day_of({**dated, "day": 1}) if dated else None
    if begins is not None:
        lines.append(
            f"The month of the {wanted} begins on {begins}, so this day is number {(day - begins).days + 1} of it."
        )
    lines.append(f"The {wanted} of that day is {converted(given, target)}.")
    return "\n".join(lines)
