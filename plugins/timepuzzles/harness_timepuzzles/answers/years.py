"""A day of several years, written as whole dates: "June 1 of 1945 and 1947", "every June 1 from 1945 to 1948"."""

from __future__ import annotations

import re

from harness_timepuzzles.answers.words import MONTH

MAX_YEARS = 200

_YEARS = r"[0-9]{4}(?:(?:,? (?:and|und|y) |, ?)(?:of )?[0-9]{4}){1,99}"
_YEARLY = re.compile(
    rf"(?:(?:every|each) )?(?<!\w)(?P<day>{MONTH}\.? [0-9]{{1,2}}(?:st|nd|rd|th)?"
    rf"|[0-9]{{1,2}}(?:st|nd|rd|th|\.)?(?: (?:of|de))? {MONTH}),?"
    r"(?: (?:of|in|de|en)(?: (?:each|every) year| the years| den jahren| los años)?(?: from)?| from) "
    r"(?:(?<= from | year |years )(?P<first>[0-9]{4}) ?(?:to|through|-) ?(?P<last>[0-9]{4})"
    rf"|(?P<years>{_YEARS}))(?![\w-])"
    rf"(?:,? (?:except|excluding|without)(?: for)? (?P<out>{_YEARS}|[0-9]{{4}})(?![\w-]))?"
)


# 2002年6月1日、2日、5日
_DAYS = re.compile(r"([0-9]{4}年[0-9]{1,2}月)([0-9]{1,2}日(?:[,、和及][0-9]{1,2}日){1,99})")


def with_whole_dates(text: str) -> str:
    """Return a text in small letters in which each day of several years, or of a month, stands as so many dates."""
    text = _DAYS.sub(
        lambda days: ",".join(days[1] + day for day in re.split("[,、和及]", days[2])), text
    )
    return _YEARLY.sub(_dates, text)


def _dates(found: re.Match[str]) -> str:
    years = _numbers(found["years"])
    if found["first"]:
        years = list(range(int(found["first"]), int(found["last"]) + 1))
    left_out = _numbers(found["out"])
    if len(years) > MAX_YEARS or not set(left_out) < set(years):
        return found[0]
    return ", ".join(f"{found['day']} {year:04}" for year in years if year not in left_out)


def _numbers(text: str | None) -> list[int]:
    return [int(year) for year in re.findall("[0-9]{4}", text or "")]
