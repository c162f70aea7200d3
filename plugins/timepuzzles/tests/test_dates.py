"""Lists of dates: each way of writing one, and everything that is nearly a list and is refused."""

from __future__ import annotations

import re
from datetime import date, timedelta
from itertools import product

import pytest
from cases import SHARE, each, some
from harness_timepuzzles.answers.date_lists import MAX_DATES, MAX_RANGED
from harness_timepuzzles.answers.dates import read, tokenise
from hypothesis import given, settings
from hypothesis import strategies as st


def days(text: str, compact: bool = True) -> list[str] | None:
    found = read(text, compact)
    return None if found is None else sorted(found.dates) + [f"!{day}" for day in found.impossible]


MARCH = "1999-03-04"

ONE = [
    "1999-03-04", "1999/03/04", "1999.03.04", "04.03.1999", "4.3.1999", "1999-3-4", "1999/3/4", "1999.3.04",
    "19990304",
    "1999-03-04T00:00:00Z", "1999-03-04T00:00:00", "1999-03-04T00:00", "1999-03-04 00:00:00",
    "1999-03-04t00:00:00.000z", "1999-03-04T00:00:00+00:00", "1999-03-04T00:00:00-0000",
    "4 March 1999", "04 March 1999", "4th March 1999", "4th of March 1999", "the 4th of March, 1999",
    "4th of March, 1999", "4 Mar 1999", "4 Mar. 1999", "4 march 1999", "4 MARCH 1999",
    "March 4, 1999", "March 4 1999", "March 4th, 1999", "Mar. 4th 1999", "Mar 04, 1999",
    "March the 4th, 1999", "March 4,\n1999", "on March 4, 1999", "1999 March 4",
    "Thursday, March 4, 1999", "Thursday March 4, 1999", "Thu, 4 Mar 1999", "Thu. 4 Mar 1999",
    "Thursday, 1999-03-04", "1999-03-04 (Thursday)", "1999-03-04 (a Thursday)", "1999-03-04, Thursday",
    "1999-03-04 - Thursday", "1999-03-04: Thursday", "(Thursday) 1999-03-04", "Thurs 4th March 1999",
    "Monday, March 4, 1999",  # it was a Thursday; still that date
    "04-Mar-1999", "4-March-1999", "1999-Mar-04", "1999-03-04.", "1999-03-04!",
    "1999年3月4日", "1999 年 03 月 04 日", "[1999-03-04]", "(1999-03-04)", "{1999-03-04}",
    '"1999-03-04"', "'1999-03-04'", "- 1999-03-04", "+ 1999-03-04", "1. 1999-03-04",
    "1) 1999-03-04", "(1) 1999-03-04", "12. March 4, 1999", "> 1999-03-04", "• 1999-03-04",
    "1999-03-04 only", "only 1999-03-04", "1999-03-04,", "1999-03-04;",
    "1999-03-04, 1999-03-04", "1999-03-04 (March 4, 1999)", "March 4, 1999 (1999-03-04)",
    "| 1999-03-04 |", "| Date |\n|---|\n| 1999-03-04 |", "| # | Date |\n|:-:|---|\n| 1 | 1999-03-04 |",
    "| No. | Date | Weekday |\n| --- | --- | --- |\n| 1 | 1999-03-04 | Thursday |",
    "1999-03-04 (only)", "1999-03-04 (one date)", "1999-03-04 (Year of the Rabbit)", "1999-03-04, i.e. 4 March 1999",
    "1999-03-04 is the only date.", "1999-03-04 satisfies all five clues.", "1999-03-04 | Confidence: 90%",
    "1999-03-04 (confidence: 0.9)", "1999-03-04（星期四）".replace("（", "(").replace("）", ")"),
    "| Date | Weekday | Year |\n|---|---|---|\n| 1999-03-04 | Thursday | 1999 |",
    "✅ 1999-03-04", "1999-03-04 ✓", "1999-03-04 to 1999-03-04",
]  # fmt: skip


@each("text", ONE)
def test_one_date_however_it_is_written(text: str) -> None:
    assert days(text) == [MARCH]


SEVERAL = {
    "2001-05-06, 2003-01-02": "2001-05-06 2003-01-02",
    "2003-01-02; 2001-05-06": "2001-05-06 2003-01-02",
    "2001-05-06 2003-01-02": "2001-05-06 2003-01-02",
    "2001-05-06 and 2003-01-02": "2001-05-06 2003-01-02",
    "2001-05-06 und 2003-01-02": "2001-05-06 2003-01-02",
    "2001-05-06 et 2003-01-02": "2001-05-06 2003-01-02",
    "2001-05-06 (Sunday), 2003-01-02 (Thursday) (2 dates)": "2001-05-06 2003-01-02",
    "both 2001-05-06 & 2003-01-02": "2001-05-06 2003-01-02",
    "2001-05-06, and 2003-01-02.": "2001-05-06 2003-01-02",
    "- 2001-05-06\n- 2003-01-02": "2001-05-06 2003-01-02",
    "1. 2001-05-06\n2. 2003-01-02\n": "2001-05-06 2003-01-02",
    "2001-05-06\n\n\n2003-01-02": "2001-05-06 2003-01-02",
    "| 2001-05-06 | 2003-01-02 |": "2001-05-06 2003-01-02",
    "2001-05-06, (2003-01-02)": "2001-05-06 2003-01-02",
    "4 March 1999, 5 April 2000": "1999-03-04 2000-04-05",
    "March 4, 1999, April 5, 2000": "1999-03-04 2000-04-05",
    "March 4, 1999 and April 5, 2000": "1999-03-04 2000-04-05",
    "March 4, 1999\nApril 5, 2000": "1999-03-04 2000-04-05",
    "Thursday, March 4, 1999; Wednesday, April 5, 2000": "1999-03-04 2000-04-05",
    "March 4 and 11, 1999": "1999-03-04 1999-03-11",
    "March 4, 11, 1999": "1999-03-04 1999-03-11",
    "March 4, 11 and 18, 1999": "1999-03-04 1999-03-11 1999-03-18",
    "4, 11 March 1999": "1999-03-04 1999-03-11",
    "4th and 11th of March 1999": "1999-03-04 1999-03-11",
    "March 4 and April 5, 1999": "1999-03-04 1999-04-05",
    "4 March and 5 April 1999": "1999-03-04 1999-04-05",
    "4, 11 March and 5 April 1999": "1999-03-04 1999-03-11 1999-04-05",
    "March 4, 11, April 5, 1999": "1999-03-04 1999-03-11 1999-04-05",
    "March 4, 1999, 2000-04-05, 6 May 2001": "1999-03-04 2000-04-05 2001-05-06",
    "May 4 and 11, 1999, 3 May 2000": "1999-05-04 1999-05-11 2000-05-03",
    "13/04/1999, 04/14/1999": "1999-04-13 1999-04-14",
    "4/4/1999": "1999-04-04", "04.04.1999": "1999-04-04", "31.12.1999": "1999-12-31",
    "12-31-1999": "1999-12-31", "25/12/1999": "1999-12-25",
    "1999-12-1, 1999-9-1": "1999-09-01 1999-12-01",
    "19990304, 19990305": "1999-03-04 1999-03-05",
    "0999-01-01": "0999-01-01",
    # ranges
    "1999-03-04 to 1999-03-06": "1999-03-04 1999-03-05 1999-03-06",
    "1999-03-04 - 1999-03-06": "1999-03-04 1999-03-05 1999-03-06",
    "1999-03-04-1999-03-06": "1999-03-04 1999-03-05 1999-03-06",
    "from 1999-03-04 through 1999-03-06 (inclusive)": "1999-03-04 1999-03-05 1999-03-06",
    "March 4-6, 1999": "1999-03-04 1999-03-05 1999-03-06",
    "4 - 6 March 1999": "1999-03-04 1999-03-05 1999-03-06",
    "4 to 6 March 1999": "1999-03-04 1999-03-05 1999-03-06",
    "February 28 - March 1, 1999": "1999-02-28 1999-03-01",
    "February 28 - March 1, 2000": "2000-02-28 2000-02-29 2000-03-01",
    "from Sunday, February 28, 1999 to Monday, March 1, 1999": "1999-02-28 1999-03-01",
    "1999-12-31 to 2000-01-01, 2001-01-01": "1999-12-31 2000-01-01 2001-01-01",
    "2001-01-01, 1999-12-31 to 2000-01-01": "1999-12-31 2000-01-01 2001-01-01",
    "1999-03-04 to 1999-03-05 and 1999-03-08 to 1999-03-09":
        "1999-03-04 1999-03-05 1999-03-08 1999-03-09",
    # months and years factored out, of the days before them or behind them
    "1999: March 4, April 5": "1999-03-04 1999-04-05",
    "March 1999: 4, 11": "1999-03-04 1999-03-11",
    "March 4 and April 5 in 1999, together with May 6 in 2000": "1999-03-04 1999-04-05 2000-05-06",
    "In 1999 March 4 and 11; in 2000 March 5": "1999-03-04 1999-03-11 2000-03-05",
    "1999\n- 4 March\n- 11 March\n2000\n- 5 March": "1999-03-04 1999-03-11 2000-03-05",
    "1999 - March 4\n2000 - none\n2001 - March 5, 6": "1999-03-04 2001-03-05 2001-03-06",
    "| Year | Days |\n|---|---|\n| 1999 | 4 March, 11 March |\n| 2000 | none |\n| 2001 | 5 March |":
        "1999-03-04 1999-03-11 2001-03-05",
    "1999 (March 4, 11), 2000 (March 5)": "1999-03-04 1999-03-11 2000-03-05",
    "March 4, 11 (1999)\nApril 5 (2000)": "1999-03-04 1999-03-11 2000-04-05",
    "4 March in each of the three years 1999, 2000 and 2001": "1999-03-04 2000-03-04 2001-03-04",
    "4 de marzo de los años 1999 y 2000": "1999-03-04 2000-03-04",
    "March 4: 1999, 2000; April 5: 2001": "1999-03-04 2000-03-04 2001-04-05",
    "every March 4 from 1999 to 2001 except 2000": "1999-03-04 2001-03-04",
    "the 4th of March, April and May 1999": "1999-03-04 1999-04-04 1999-05-04",
    "les 4, 11 et 18 mars 1999": "1999-03-04 1999-03-11 1999-03-18",
    "4., 11. und 18. März 1999": "1999-03-04 1999-03-11 1999-03-18",
    "5. März und 6. März 1999": "1999-03-05 1999-03-06",
    "Sat 6 / Sun 7 March 1999": "1999-03-06 1999-03-07",
    "1999年3月4日、11日和2000年3月5日": "1999-03-04 1999-03-11 2000-03-05",
    "1999年3月4日, 5 April 2000": "1999-03-04 2000-04-05",
    # dates that no calendar has
    "2001-02-30": "!2001-02-30", "1900-02-29": "!1900-02-29", "30 February 2001": "!2001-02-30",
    "February 30, 2001": "!2001-02-30", "31/04/2001": "!2001-04-31", "2001-13-01": "!2001-13-01",
    "2001-00-10": "!2001-00-10", "2001-01-00": "!2001-01-00", "20010230": "!2001-02-30",
    "0000-01-01": "!0000-01-01", "June 31 and 30, 1999": "1999-06-30 !1999-06-31",
    "2000-02-29": "2000-02-29", "2001-02-29, 2001-02-28": "2001-02-28 !2001-02-29",
    "32 March 1999": "!1999-03-32",
}  # fmt: skip


@each(("text", "expected"), SEVERAL.items())
def test_several_dates(text: str, expected: str) -> None:
    assert days(text) == expected.split()


NONE = [
    "none", "None.", "NONE", "[]", "[ ]", "{}", "∅", "no dates", "no date", "no such date",
    "No such date exists.", "no valid dates", "no date satisfies all clues",
    "no date satisfies all of the clues", "there is no such date", "There are no such dates.",
    "there is no date that satisfies all the given constraints", "the empty set", "empty set",
    "no solution", "no solutions exist", "none (no date satisfies all the clues)",
    "none - no dates exist", "none, there is no such date", "none of the dates satisfy all clues",
    "No date meets every clue", "There are no dates satisfying all six clues.", "无", "no date in the given range",
    "none (verified)", "no possible date fulfils all conditions simultaneously", "'none'", "(none)",
    "- none", "none found",
]  # fmt: skip


@each("text", NONE)
def test_no_date(text: str) -> None:
    assert days(text) == []


REFUSED = [
    "", " ", ",", "-", "()", "and", "Sunday", "March", "1999", "4", "March 4", "4 March", "the", "only",
    "unknown", "N/A", "n/a", "null", "nil", "no", "not none", "nothing", "undefined", "cannot say",
    "none?", "none of the above", "none of the clues", "none of these", "no answer", "no idea",
    "no dates except 2001-05-06", "no date but 2001-05-06", "none, or 2001-05-06", "2001-05-06, none",
    "2001-05-06 or none", "[] 2001-05-06", "- [ ] 2001-05-06", "none and 2001-05-06", "no other dates",
    "no date range given", "no date given", "no dates range", "no dates in", "no date can", "无法",
    "none (all dates fit)",
    "2001-05-06 or 2003-01-02", "2001-05-06 (day 126 or so)", "2001-05-06 (source: 2003-01-02)",
    "either 1999-03-04", "either 2001-05-06 or 2003-01-02", "2001-05-06 (leap year only)", "2001-05-06 (1 of 2)",
    "2001-05-06 (bad)", "2001-05-06 (superseded)", "2001-05-06 (Julian)", "2001-05-06, i.e. 2003-01-02",
    "2001-05-06 satisfies all clues but one", "2001-05-06 is the only date that fails", "2001-05-06 satisfies clue 1",
    "2001-05-01 to 2001-05-31 (first Sunday)", "2001-05-01 to 2001-05-31, all are Sundays", "2001-05-06 i.e.",
    "| Date | Weekday | Valid |\n|---|---|---|\n| 1999-03-04 | Thursday | yes |",
    # cut off or malformed
    "2001-05-0", "2001-05-", "2001-05", "2001-0", "200", "2001-05-6", "2001-12-1", "2001-05-060",
    "02001-05-06", "12001-05-06", "2001-05-06-", "2001-05-06-07", "2001-05-06.5", "2001-05/06",
    "2001 05 06", "2001-05-06x", "x2001-05-06", "2001_05_06", "2001--05--06", "2001-126", "2001-W05-6",
    "2001-05-06, 2003-01-0", "2001-05-06, 2003-01", "2001-05-06, 2003", "2001-05-06, 2", "2001-5-0",
    "2001-05-06 and", "2001-05-06 or", "and 2001-05-06", "2001-05-06 to", "to 2001-05-06",
    "2001-05-06 -", "from 2001-05-06", "since 2001-05-06", "1999-03-04T12:00", "1999-03-04 12:00",
    "1999-03-04T00:00:00+02:00", "1999-03-04T00:00:00-02:00", "1999-03-04T00", "123456789",
    "12345678", "19991301", "2001051", "19990304-19990308",
    # in two ways, or without its century
    "03/04/1999", "3/4/1999", "03-04-1999", "13/14/1999", "32/01/1999", "12/32/1999", "03/04/99",
    "4 March 99", "March 4, '99", "99-03-04", "00/04/1999", "13/04/1999, 03/04/1999",
    # a part that nothing names
    "March 4, 1999, 11", "March 4, 1999 and 11", "4 March, 11 1999", "11, March 4, 1999",
    "March 4, 11 April 1999", "4 March 1999 and 2000", "March 1999", "4, 5 1999", "4 1999",
    "March 4, 1999 and April 5", "4 March 1999, 5 April", "first of March 1999",
    "March 4, April 5", "March 4 5 April 1999", "March 4, 1999 March 5, 1999 6", "4.5 March 1999",
    "March-4-1999-05", "Foo 4, 1999", "4 Marches 1999", "mayday 4, 1999", "Sunday 1999",
    # a part that may be named by two, or that no day takes
    "1999: March 4, 2000", "4 March, April 5, 1999",
    "In 1999 March 4, in 2000", "1999: March 4, 11 April", "5 March of 1999 and 2000, 2001", "March 1999: none",
    "4-6 March in 1999 and 2000", "1999年3月4", "March 4 11, 1999", "4 March of 1999 or 2000",
    # ranges
    "1999-03-08 to 1999-03-04", "1999-03-04 to 2005-03-08", "1999-03-04 to 1999-02-30",
    "1999-02-30 to 1999-03-04", "1999-03-04 to 1999-03-05 to 1999-03-06", "March 8-4, 1999",
    "1999-03-04 to", "1999-03-04/1999-03-08", "between 1999-03-04 and 1999-03-08",
    "1999-03-04 until 1999-03-08", "1999-03-04 through", "from 1999-03-04 and 1999-03-08",
    "Sundays from 1999-03-04 to 1999-03-28", "every Sunday from 1999-03-04 to 1999-03-28",
    "1999-03-04 to 1999-03-08 (Mondays)", "1999-03-04 to none", "1999-03-04 .. 1999-03-08",
    # words that matter
    "not 2001-05-06", "2001-05-06 not", "2001-05-06?", "2001-05-06 (?)", "2001-05-06 is excluded",
    "all but 2001-05-06", "except 2001-05-06", "before 2001-05-06", "after 2001-05-06", "~2001-05-06",
    "about 2001-05-06", "≠ 2001-05-06", "¬2001-05-06", "!2001-05-06", "< 2001-05-06", "≥ 2001-05-06",
    "=2001-05-06", "2001-05-06 + 1 day", "2001-05-06, ...", "2001-05-06, …", "2001-05-06, etc.",
    "2001-05-06 (maybe)", "maybe 2001-05-06", "possibly 2001-05-06", "❌ 2001-05-06", "2001-05-06 ✗",
    "2001-05-06 (2003-01-02)", "2001-05-06 (or 2003-01-02?)", "2001-05-06 instead of 2003-01-02",
    "neither 2001-05-06 nor 2003-01-02", "2001-05-06 rather than 2003-01-02", "2001-05-06 onwards",
    "2001-05-06 BC", "-- 2001-05-06", "2001-05-06 vs 2003-01-02", "2001-05-06 / 2003-01-02",
    "2001-05-06 minus 2003-01-02", "2001-05-06 - 2003-01-02", "2001-05-06 because it is a Sunday",
    "2001-05-06 10", "10 2001-05-06", "2001-05-06 2003-01", "YYYY-MM-DD", "YYYY-MM-DD, 2001-05-06",
    "2001-MM-DD", "[x] 2001-05-06", "a) 2001-05-06", "datetime.date(2001, 5, 6)", "2001-05-06 or Monday",
    "٢٠٠١-٠٥-٠٦", "2001-05-0６", "二〇〇一年五月六日", "2001-05-06²", "MMI-V-VI", "\x00", "🙂",
]  # fmt: skip


@each("text", REFUSED)
def test_what_is_no_list_is_refused(text: str) -> None:
    assert read(text) is None


@pytest.mark.parametrize("text", ["19990304", "1999-03-04, 19990305"])
def test_digits_without_separators_may_be_excluded(text: str) -> None:
    assert read(text) is not None
    assert read(text, compact=False) is None
    assert tokenise(text, compact=False) is None


BEFORE = [
    "not ",
    "no ",
    "never ",
    "except ",
    "before ",
    "since ",
    "all but ",
    "x",
    "if ",
    "?",
    "~",
    "<",
    "≈ ",
]
AFTER = [
    " not",
    "?",
    "x",
    " if",
    " excluded",
    " etc.",
    "...",
    " …",
    " -",
    " and",
    " or",
    " []?",
    "/",
    "≠",
    " BC",
]
FORMS = ["1999-03-04", "4 March 1999", "March 4, 1999", "March 4 and 11, 1999", "1999-03-04 to 1999-03-06",
         "2001-02-30", "19990304", "none", "1999-03-04, 2000-01-01"]  # fmt: skip


@each(("before", "after"), [(b, "") for b in BEFORE] + [("", a) for a in AFTER])
def test_any_form_is_refused_with_such_a_word(before: str, after: str) -> None:
    for form in FORMS:
        assert read(f"{before}{form}{after}") is None, form


def test_two_forms_with_a_contradiction_between_them_are_refused() -> None:
    for first, second in product(FORMS, repeat=2):
        for between in (" not ", " but not ", " minus ", " < ", " / ", " ... ", "? "):
            assert read(first + between + second) is None
        if "none" in (first, second) and first != second:
            assert read(f"{first}, {second}") is None


def test_every_day_of_four_years_in_every_form() -> None:
    months = ("January", "February", "March", "April", "May", "June", "July", "August",
              "September", "October", "November", "December")  # fmt: skip
    for number in range(0, 4 * 365 + 1, SHARE | 1):
        day = date(1899, 1, 1) + timedelta(number)
        name = months[day.month - 1]
        forms = [
            day.isoformat(), f"{day.day} {name} {day.year}", f"{name} {day.day}, {day.year}",
            f"{day.day} {name[:3]}. {day.year}", f"{day:%Y%m%d}", f"{day.year}/{day.month:02}/{day.day:02}",
        ]  # fmt: skip
        for form in forms:
            assert days(form) == [str(day)], form


def test_as_many_dates_as_are_read_and_one_more() -> None:
    many = [(date(1900, 1, 1) + timedelta(number)).isoformat() for number in range(MAX_DATES + 1)]
    assert days(", ".join(many[:MAX_DATES])) == many[:MAX_DATES]
    assert days(", ".join(many)) is None
    assert days(", ".join(many[:1] * (MAX_DATES + 1))) is None


def test_as_long_a_range_as_is_read_and_one_day_more() -> None:
    first = date(1999, 1, 1)
    for length, readable in ((MAX_RANGED, True), (MAX_RANGED + 1, False)):
        found = days(f"{first} to {first + timedelta(length - 1)}")
        assert (found is not None and len(found) == length) is readable
    two = f"{first} to {first + timedelta(250)}"
    assert days(two) is not None
    assert days(f"{two}, {two}") is None


def test_ranges_hold_both_ends_and_all_between() -> None:
    for start, length in product(range(50, 70), range(1, 30)):
        first = date(2000, 1, 1) + timedelta(start)
        last = first + timedelta(length - 1)
        expected = [str(first + timedelta(number)) for number in range(length)]
        assert days(f"{first} to {last}") == expected


@settings(max_examples=some(150), deadline=None)
@given(st.text(alphabet="0123456789-/., :TZ()[]\n|&MarchSunote年", max_size=60))
def test_any_text_yields_dates_that_stand_in_it_or_nothing(text: str) -> None:
    found = read(text)
    if found is not None:
        for day in found.dates:
            assert str(date.fromisoformat(day)) == day
            assert re.search(day[:4], text) or "-" in text or "to" in text.lower()
        for day in found.impossible:
            with pytest.raises(ValueError, match=r"."):
                date.fromisoformat(day)
