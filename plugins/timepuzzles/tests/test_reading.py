"""From a prompt back to its problem: letter by letter, or not at all."""

from __future__ import annotations

import os
from collections import Counter
from datetime import date
from random import Random

import pytest
from cases import SHARE, each, slow, some
from harness_timepuzzles import facts, reading
from harness_timepuzzles.clues import catalogue
from harness_timepuzzles.facts import Facts
from harness_timepuzzles.reading import MAX_CLUES, read
from harness_timepuzzles.wording import CLUES, CONVENTIONS, OPENING
from hypothesis import given, settings
from hypothesis import strategies as st
from pace import within
from tp_worlds import FACTS, STRATEGIES, bounds, clue_of, named_clues, pool, some_problem, write

QUICK = settings(max_examples=some(150), deadline=None, derandomize=True, database=None)
IMPLICIT = tuple(name for name in STRATEGIES if name not in ("years", "periods"))
PROBLEM = {
    "range": ["1800-01-01", "2050-12-31"],
    "clues": [
        {"type": "event", "name": "the Nine Days’ Fair", "date": "1908-03-08", "edge": "end", "relation": "day"},
        {"type": "office", "name": "Grover X", "office": "president of Freedonia",
         "terms": [["1885-03-04", "1889-03-04"], ["1893-03-04", "1897-03-04"]]},
        {"type": "weekday_in_month", "weekday": 4, "nth": -2},
        {"type": "season", "season": "winter"},
    ],
}  # fmt: skip
PROMPT = """\
Which dates satisfy all of the clues below?

Clues:
1. Whatever the month and year, it has the same day of the month as the last day of the Nine Days’ Fair.
2. On that day, Grover X held the office of president of Freedonia.
3. It is the 2nd-to-last Friday of its month.
4. The season is winter.

How to read the clues:
- Only dates of the Gregorian calendar from 1800-01-01 to 2050-12-31 count, both days included.
- The date of a historical event is the Gregorian date at the place where it happened, unless the clue says otherwise.
- An office is held from the first to the last day of a term, both days included; a pope's term \
begins with his election.
- Counted from the end, the last one is the first; the 2nd-to-last is the one before it.
- Seasons are those of the northern hemisphere in whole months: spring is March to May, summer June to August, \
autumn September to November, winter December to February.

There may be one such date, several, or none. Find all of them. End your reply with one line that lists them \
in ascending order, in the form
Answer: YYYY-MM-DD, YYYY-MM-DD
or, if no date satisfies all clues,
Answer: none"""


@pytest.fixture(autouse=True)
def _by_hand(monkeypatch):
    """Names are looked up in the table made by hand."""
    monkeypatch.setattr(reading, "known", lambda: (FACTS,))


def spelled(problem):
    """The same problem without anything to know."""
    first, last = map(date.fromisoformat, problem["range"])
    explicit = [clue.explicit(first, last).params() for clue in catalogue.parse_all(problem)]
    return {**problem, "clues": explicit}


def test_the_words_of_a_prompt():
    assert write(PROBLEM) == PROMPT
    assert read(PROMPT) == PROBLEM


@slow
def test_more_than_a_thousand_problems_are_read_back():
    rng, met = Random(1), Counter()
    for number in range(1250):
        names = [list(STRATEGIES)[number % len(STRATEGIES)], *IMPLICIT]
        if number % 12 == 0:  # to list the moon's dates takes seconds
            names = [name for name in names if name != "moon"]
        problem = some_problem(rng, names)
        if number % 12 == 0:
            problem = spelled(problem)
        met.update(clue["type"] for clue in problem["clues"])
        assert read(write(problem)) == problem
    assert set(met) == set(STRATEGIES)
    assert min(met.values()) > 25


def test_a_convention_is_stated_once_for_each_kind_of_clue_and_no_other():
    rng = Random(2)
    for _ in range(300):
        problem = some_problem(rng)
        lines = write(problem).split(CONVENTIONS)[1].split("\n\n")[0].strip().split("\n")[1:]
        wanted = {clue.note for clue in catalogue.parse_all(problem)} - {""}
        assert len(lines) == len(wanted)
        assert {line.removeprefix("- ") for line in lines} == wanted


# ------------------------------------------------------------------------- around the prompt


@each("before", ["", "\n", "You are an expert.\n\n", "x" * 1000, "1. The month is May.\n",
                                    f"{OPENING}\n\n", f"{CLUES}\n1. It is a Monday.\n"])  # fmt: skip
@each("after", ["", "\n", " ", "\n\nThink step by step.", "\nAnswer: 1999-01-01",
    "\n5. It is a Monday.",
                                   f"\n\n{CONVENTIONS}\n- Weeks begin on Sunday."])  # fmt: skip
def test_text_before_and_after_does_not_matter(before, after):
    assert read(before + PROMPT + after) == PROBLEM


def test_of_two_puzzles_the_last_one_counts():
    rng = Random(3)
    for _ in range(50):
        one, two = some_problem(rng), some_problem(rng)
        context = f"An example:\n{write(one)}\n\nAnswer: none\n\nNow yours.\n\n"
        assert read(context + write(two)) == two
        assert read(context + write(two) + "\nThink.") == two
        assert read(write(two) + f"\n{OPENING} That is the question.") is None


def test_other_line_ends_are_another_text():
    assert read(PROMPT.replace("\n", "\r\n")) is None
    assert read(PROMPT.replace("\n", "\n\n")) is None
    assert read("> " + PROMPT.replace("\n", "\n> ")) is None


# ----------------------------------------------------------------------------- changed texts

LETTERS = "0123456789aeMstT .,-;()’\n\r\0\u00a0\u2028٣"


def changed(text: str, at: int, rng: Random) -> list[str]:
    letter = rng.choice(LETTERS)
    return [
        text[:at] + text[at + 1 :],
        text[:at] + letter + text[at:],
        text[:at] + letter + text[at + 1 :],
    ]


def is_its_own(text, problem):
    """Whether what was read states exactly the last puzzle of the text."""
    return problem is None or text[text.rfind(OPENING) :].startswith(write(problem))


def test_a_changed_letter_gives_nothing_or_another_problem():
    rng, others = Random(4), 0
    problems = [PROBLEM] + [some_problem(rng, years=30) for _ in range(5)]
    for problem in [*problems, spelled(PROBLEM)]:
        prompt = write(problem)
        for at in range(0, len(prompt), SHARE):
            for text in changed(prompt, at, rng):
                found = read(text)
                assert is_its_own(text, found), (at, text)
                if found == problem:
                    assert prompt in text  # the change is outside
                else:
                    others += found is not None
    assert others > (20 if SHARE == 1 else 1)


def test_every_digit_of_clues_and_range_matters():
    problem = {
        "range": ["1812-03-04", "1999-10-11"],
        "clues": [{"type": "year", "year": 1987}, {"type": "day_of_month", "day": 23},
        {"type": "year_day", "day": 123},
                  {"type": "periods", "periods": [["1871-02-03", "1872-11-12"]]},
                  {"type": "years", "years": [1821, 1931]}, {"type": "decade", "decade": 1870}],
    }  # fmt: skip
    prompt = write(problem)
    end = prompt.index("count, both")
    for at in [at for at in range(end) if prompt[at].isdigit()]:
        for digit in "0123456789":
            text = prompt[:at] + digit + prompt[at + 1 :]
            found = read(text)
            assert is_its_own(text, found)
            assert (found == problem) == (text == prompt)


def lines_of(prompt):
    return prompt.split("\n")


def test_lines_that_are_moved_doubled_or_taken_out():
    prompt = lines_of(PROMPT)
    for at in range(len(prompt)):
        for lines in (
            prompt[:at] + prompt[at + 1 :],
            prompt[:at] + prompt[at : at + 1] + prompt[at:],
        ):
            text = "\n".join(lines)
            # A first or last line that is doubled is text before or after.
            assert read(text) == (PROBLEM if PROMPT in text else None)
        if 0 < at < len(prompt) - 1 and prompt[at] != prompt[at + 1]:
            lines = [*prompt[:at], prompt[at + 1], prompt[at], *prompt[at + 2 :]]
            assert read("\n".join(lines)) is None
    assert read("\n".join(prompt[:-1])) is None


@each(
    ("old", "new"),
    [
        ("1800-01-01 to", "1699-12-31 to"), ("2050-12-31", "2101-01-01"), ("1800-01-01 to", "2050-13-01 to"),
        ("1800-01-01 to", "1800-02-30 to"), ("1800-01-01 to", "2050-12-32 to"), ("2050-12-31", "1799-12-31"),
        ("1800-01-01", "18000101"), ("1800-01-01 to", "１８００-01-01 to"), ("1800-01-01 to", "0000-00-00 to"),
        ("Nine Days’ Fair", "Nine Days' Fair"), ("Nine Days’ Fair", "Ten Days’ Fair"), ("Grover X", "Grover  X"),
        ("Grover X", "grover X"), ("Grover X", "Nobody"), ("president", "mayor"), ("the last day of ", ""),
        ("the last day of ", "the second day of "), ("2nd-to-last", "2st-to-last"), ("2nd-to-last", "02nd-to-last"),
        ("2nd-to-last", "1st-to-last"), ("The season is winter", "The season is Winter"),
        ("1. Whatever", "0. Whatever"), ("2. On", "3. On"), ("4. The season", "04. The season"), ("3. It is",
        "3.  It is"),
        ("both days included.\n- The date", "both days excluded.\n- The date"),
        ("winter December to February", "winter December to January"), ("northern", "southern"),
        ("the clue says otherwise", "the clues say otherwise"), ("Answer: none", "Answer: None"),
        ("Find all of them.", "Find one of them."), ("Clues:", "Clues"), ("How to read the clues:",
        "How to read them:"),
    ],
)  # fmt: skip
def test_what_we_would_not_have_written_is_refused(old, new):
    assert PROMPT.count(old) >= 1
    assert read(PROMPT.replace(old, new, 1)) is None


def test_no_clues_and_too_many():
    for size, right in (
        (0, False),
        (1, True),
        (9, True),
        (10, True),
        (MAX_CLUES, True),
        (MAX_CLUES + 1, False),
        (99, False),
    ):
        problem = {
            "range": ["1900-01-01", "1999-12-31"],
            "clues": [{"type": "month", "month": 3}] * size,
        }
        assert read(write(problem)) == (problem if right else None)


@each("text", [
    "", " ", "\n", "\0", "?", OPENING, OPENING * 3, f"{OPENING}\n\n{CLUES}",
    f"{OPENING}\n\n{CLUES}\n1. It is a Monday.",





    f"{OPENING}\n\n{CLUES}\n\n{CONVENTIONS}\n- Only dates of the Gregorian calendar from 1800-01-01",
    PROMPT[:-1], PROMPT[1:], PROMPT.upper(), PROMPT.encode("utf-16").decode("latin-1"), "\ud800" + PROMPT[:50],
])  # fmt: skip
def test_texts_without_a_puzzle(text):
    assert read(text) is None


@settings(QUICK, max_examples=some(60))
@given(st.text(max_size=200), st.integers(0, len(PROMPT)), st.integers(0, len(PROMPT)))
def test_any_text_anywhere(text, a, b):
    whole = PROMPT[:a] + text + PROMPT[b:]
    found = read(whole)
    assert is_its_own(whole, found)
    assert found is None or found == PROBLEM or (0 < a < len(PROMPT))


# --------------------------------------------------------------------------------- names


def test_names_come_from_the_tables_in_their_order(monkeypatch):
    one = Facts(persons=(facts.Person("Twin", "1900-01-01", "1950-01-01", ""),))
    two = Facts(persons=(facts.Person("Twin", "1901-01-01", "1951-01-01", ""),))
    for tables, born in (
        ((one, two), "1900-01-01"),
        ((two, one), "1901-01-01"),
        ((FACTS, two), "1901-01-01"),
    ):
        monkeypatch.setattr(reading, "known", lambda tables=tables: tables)
        clue = clue_of("alive", {"name": "Twin", "born": born, "died": born.replace("190", "195")})
        problem = {"range": ["1800-01-01", "2000-01-01"], "clues": [clue.params()]}
        assert read(write(problem)) == problem
    monkeypatch.setattr(reading, "known", lambda: (FACTS,))
    assert read(write(problem)) is None
    monkeypatch.setattr(reading, "known", lambda: ())
    assert read(write(problem)) is None
    assert read(PROMPT) is None


OWN = """\
kind,name,start,end,years,office,source
person,Zoë Q. Äpfel,1870-01-02,1950-03-04,,,by hand
event,the raising of the Great Kite,1888-08-08,,,,by hand
"""


def alive(name, born, died):
    clue = clue_of("alive", {"name": name, "born": born, "died": died})
    return {"range": ["1800-01-01", "2000-01-01"], "clues": [clue.params()]}


def test_a_file_of_facts_is_known_once_it_is_remembered(monkeypatch, tmp_path):
    monkeypatch.undo()  # the real tables
    path = tmp_path / "own facts.csv"
    path.write_text(OWN, encoding="utf-8")
    problem = alive("Zoë Q. Äpfel", "1870-01-02", "1950-03-04")
    monkeypatch.delenv(reading.FACTS, raising=False)
    assert read(write(problem)) is None
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv(reading.FACTS, "")
    for _ in range(3):
        reading.remember("own facts.csv")
    assert os.environ[reading.FACTS] == str(path)  # once, and wherever a worker is started
    monkeypatch.chdir("/")
    assert read(write(problem)) == problem
    builtin = facts.builtin().persons[0]
    mine = alive(builtin.name, builtin.born, builtin.died)
    assert read(write(mine)) == mine
    assert read(PROMPT) is None  # the table made by hand is known to nobody now


def test_two_files_and_the_order_they_were_named_in(monkeypatch, tmp_path):
    monkeypatch.undo()
    monkeypatch.setenv(reading.FACTS, "")
    for number in (1, 2):
        path = tmp_path / f"{number}.csv"
        path.write_text(
            OWN.replace("1870", f"187{number}").replace("Kite", f"Kite {number}"), encoding="utf-8"
        )
        reading.remember(str(path))
    assert os.environ[reading.FACTS].split("\n") == [
        str(tmp_path / "1.csv"),
        str(tmp_path / "2.csv"),
    ]
    first, second = (alive("Zoë Q. Äpfel", f"187{n}-01-02", "1950-03-04") for n in (1, 2))
    assert write(first) == write(second)
    assert read(write(first)) == first


def test_a_file_of_persons_alone_is_read_too(monkeypatch, tmp_path):
    """With the built-in table such a file is enough to make puzzles from, so it is to read them."""
    monkeypatch.undo()
    path = tmp_path / "persons.csv"
    path.write_text("\n".join(OWN.split("\n")[:2]) + "\n", encoding="utf-8")
    assert facts.with_file(str(path), True).person("Zoë Q. Äpfel")
    monkeypatch.setenv(reading.FACTS, str(path))
    problem = alive("Zoë Q. Äpfel", "1870-01-02", "1950-03-04")
    assert read(write(problem)) == problem


def test_every_built_in_fact_is_read_back(monkeypatch):
    monkeypatch.undo()
    monkeypatch.delenv(reading.FACTS, raising=False)
    sentences = Counter()
    for clue in named_clues(facts.builtin()):
        sentence = clue.sentence()
        sentences[sentence] += 1
        assert catalogue.parse_sentence(sentence, [facts.builtin()]) == clue
        fitting = [
            kind.type for kind in catalogue.TYPES.values() if kind.regex().fullmatch(sentence)
        ]
        assert fitting == [clue.type], sentence
    assert max(sentences.values()) == 1
    for clue in Random(5).sample(named_clues(facts.builtin()), 150):
        problem = {"range": ["1800-01-01", "2050-12-31"], "clues": [clue.params()]}
        assert read(write(problem)) == problem


# ------------------------------------------------------------------------------- hostile

MB = 1_000_000


def framed(*lines: str) -> str:
    return PROMPT.replace("4. The season is winter.", "\n".join(lines))


HOSTILE = {
    "openings": OPENING * (MB // len(OPENING)),
    "opening lines": (OPENING + "\n\n" + CLUES + "\n") * 20_000,
    "blanks": PROMPT + " " * MB,
    "nulls": "\0" * MB + PROMPT.replace("Clues:", "Clues:\0"),
    "newlines": OPENING + "\n" * MB,
    "ten thousand clues": framed(*(f"{n}. It is a Monday." for n in range(4, 10_000))),
    "ten thousand empty clues": framed(*("1. " for n in range(10_000))),
    "a clue of a megabyte": framed("4. " + "x" * MB),
    "a clue of words": framed("4. " + "It is a Monday, a " * (MB // 20)),
    "a number of a megabyte": framed("4. The year is " + "1" * MB + "."),
    "a list of years": framed("4. The year is one of these: " + "1999, " * 80_000 + "1999."),
    "a list of periods": framed("4. The date lies in one of these periods: " + "1999-01-01; " * 40_000 + "none."),
    "offices": framed("4. On that day," + " held the office of x." * 22_000 + "!"),
    "offices and dots": framed("4. On that day, " + "." * 200_000 + " held the office of " + "." * 200_000 + "!"),
    "alive": framed("4. On that day, " + "x was alive." * 40_000 + "!"),
    "events": framed(
        "4. Whatever the year, it is in the same month of the year as " + "a, whatever the year" * 20_000 + "."
    ),
    "days": framed(
        "4. Whatever the month and year, it has the same day of the month as " + ", whatever the month" * 16_000
    ),
    "first days": framed("4. It is in the same year as " + "the first day of " * 20_000 + "Quux."),
    "signs": framed("4. The star sign is Leo (" + "(" * 400_000 + ", both days included)."),
    "islamic": framed("4. It is a day in Rajab, the " + "7" * 400_000 + "th month of the Umm al-Qura calendar."),
    "digits": framed("4. It is in ISO week " + "٣" * 400_000 + "."),
    "conventions": PROMPT.replace(CONVENTIONS, f"{CONVENTIONS}\n" + "- Weeks.\n" * 100_000),
    "a range of digits": PROMPT.replace("1800-01-01", "1" * MB),
}  # fmt: skip


@each("name", HOSTILE)
def test_hostile_texts_are_refused_in_bounded_time(name):
    with within(1.5):
        found = read(HOSTILE[name])
    assert found == (PROBLEM if name == "blanks" else None)


def test_long_lists_are_read():
    clue = pool("periods")[0]
    problem = {"range": [day.isoformat() for day in bounds([clue])], "clues": [
        {"type": "periods", "periods": [[f"{y}-{m:02}-{d:02}"] * 2 for y in range(1700, 1800) for m in range(1,
        13) for d in (1, 9)]},
        {"type": "years", "years": [*range(1700, 2101)]},
    ]}  # fmt: skip
    assert read(write(problem)) == problem
