"""Clues said in another language and read back: the words are data, a file of YAML beside this one.

A sentence is read by looking it up among all that there are: each type has finitely many, but for the lists
of years and periods, of which the numbers are read. `reading` writes again whatever is read, so that a list
said in any other words is none.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import fields
from functools import cache, cached_property
from pathlib import Path
from typing import Any

import yaml

from harness import HarnessError
from harness_timepuzzles import facts
from harness_timepuzzles.clues.catalogue import TYPES
from harness_timepuzzles.clues.clue import LEVELS, Clue, ClueError
from harness_timepuzzles.clues.day import (
    DayOfMonth,
    DayRange,
    WeekdayInMonth,
    WeekdayOfYear,
    Weekdays,
)
from harness_timepuzzles.clues.explicit import Periods, Years
from harness_timepuzzles.clues.facts import Alive, Event, Office, Recurring, edges_of
from harness_timepuzzles.clues.religions import Easter
from harness_timepuzzles.clues.year import Decade

ENGLISH = "en"
OTHERS = ("de", "es", "zh")

_ISO = r"[0-9]{4}-[0-9]{2}-[0-9]{2}"
_FACTS = (Alive, Office, Event, Recurring)


class LanguageError(HarnessError):
    """A fact that a language has no words for."""


class Language:
    """The words of one language, by what they stand for in a prompt."""

    def __init__(self, name: str) -> None:
        text = Path(__file__).with_name(f"{name}.yaml").read_text(encoding="utf-8")
        self.name = name
        self.words: dict[str, Any] = yaml.load(
            text,
            Loader=yaml.CSafeLoader if yaml.__with_libyaml__ else yaml.SafeLoader,  # noqa: S506 (both are safe)
        )

    def __getitem__(self, key: str) -> str:
        """Return a part of the frame that all prompts share."""
        return str(self.words[key])

    def sentence(self, clue: Clue) -> str:
        """Return a clue as a prompt words it.

        Raises:
            LanguageError: the language has no words for a fact it names.
        """
        key = f"{clue.type} {_case(clue)}".rstrip()
        try:
            sentence: str = self.words["sentences"][key].format_map(self._values(clue))
        except KeyError as missing:
            raise LanguageError(f"language={self.name} has no words for {missing}") from None
        # A name may end in a full stop: "Elisabeth II."
        return sentence[:-1] if sentence.endswith("..") else sentence

    def note(self, clue: Clue) -> str:
        """Return what a reader has to know beside the sentence; empty if nothing."""
        return str(self.words["notes"][clue.type]) if clue.note else ""

    def fact(self, clue: Clue) -> str:
        """Return the words of a clue's sentence that stand for a fact; of an office, who held it and which one."""
        words = " held the office of ".join(self._values(clue).values())
        return words.removesuffix(".") if isinstance(clue, (Event, Recurring)) else words

    def clue(self, sentence: str) -> Clue | None:
        """Return the clue that a sentence states, or the one that is nearest to it; None if there is none."""
        known = self._sentences.get(sentence)
        if known is not None:
            return known
        periods = re.findall(rf"({_ISO})(?:{re.escape(self['to'])}({_ISO}))?", sentence)
        if periods:
            return Periods(tuple((first, last or first) for first, last in periods))
        years = re.findall(r"[0-9]{4}", sentence)
        return Years(tuple(map(int, years))) if years else None

    @cached_property
    def _sentences(self) -> dict[str, Clue]:
        """Every sentence but the lists, with its clue."""
        return {self.sentence(clue): clue for clue in all_clues()}

    # ------------------------------------------------------------------- what stands in a sentence

    def _values(self, clue: Clue) -> dict[str, str]:
        """Return what stands in the braces of a clue's sentence."""
        if isinstance(clue, _FACTS):
            return self._of_fact(clue)
        if isinstance(clue, Years):
            return {"years": self["comma"].join(map(str, clue.years))}
        if isinstance(clue, Periods):
            listed = (a if a == b else f"{a}{self['to']}{b}" for a, b in clue.periods)
            return {"periods": self["semicolon"].join(listed)}
        if isinstance(clue, Weekdays):
            *names, last = (self._word("weekday", day) for day in clue.weekdays)
            return {"weekdays": f"{self['comma'].join(names)}{self['or']}{last}"}
        if isinstance(clue, (WeekdayInMonth, WeekdayOfYear)):
            nth = self._word(clue.type, abs(clue.nth))
            return {"nth": nth, "weekday": self._word("weekday", clue.weekday)}
        if isinstance(clue, Easter):
            return {"church": self._word("easter", clue.church), "offset": str(abs(clue.offset))}
        if isinstance(clue, Decade):
            return {"decade": str(clue.decade), "last": str(clue.decade + 9)}
        return {f.name: self._word(clue.type, getattr(clue, f.name)) for f in fields(clue)}

    def _of_fact(self, clue: Clue) -> dict[str, str]:
        if isinstance(clue, Event):
            phrase = self.words["events"][clue.name]
            return {"event": self.words["edges"][clue.edge].format(event=phrase)}
        if isinstance(clue, Recurring):
            return {"recurring": self.words["recurring"][clue.name]}
        if isinstance(clue, Office):
            office = self.words["offices"][clue.office]
            return {"name": self.words["names"][clue.name], "office": office}
        assert isinstance(clue, Alive)
        return {"name": self.words["names"][clue.name]}

    def _word(self, kind: str, value: Any) -> str:
        """Return what a value is called in the sentences of a type: its number, if it has no name."""
        words = self.words["words"].get(kind, {})
        return str(words.get(value, value) if isinstance(words, Mapping) else words[value])


@cache
def of(name: str) -> Language:
    """Return a language that is not English, by its name in `OTHERS`."""
    return Language(name)


def spoken(prompt: str, english: str) -> tuple[str, int]:
    """Return the language of the last puzzle in a text and where it begins; -1 if there is none.

    ``english`` is what puzzles in English open with.
    """
    begins = {ENGLISH: prompt.rfind(english)} | {
        name: prompt.rfind(of(name)["opening"]) for name in OTHERS
    }
    return max(begins.items(), key=lambda item: item[1])


def _case(clue: Clue) -> str:
    """Return which of the things that its type can say a clue says."""
    if isinstance(clue, Event):
        return clue.relation
    if isinstance(clue, DayRange):
        return clue.side
    if isinstance(clue, DayOfMonth):
        return {1: "first", -1: "last"}.get(clue.day, "")
    if isinstance(clue, (WeekdayInMonth, WeekdayOfYear)):
        return "" if clue.nth > 0 else "last" if clue.nth == -1 else "end"
    if isinstance(clue, Easter):
        side = "before" if clue.offset < 0 else "after"
        return f"{side}{' one' * (abs(clue.offset) == 1)}" if clue.offset else ""
    if isinstance(clue, Years):
        return "" if clue.years else "none"
    if isinstance(clue, Periods):
        whole = len(clue.periods) == 1 and len(set(clue.periods[0])) == 2
        return "one" if whole else "" if clue.periods else "none"
    return ""


def all_clues() -> Iterator[Clue]:
    """Yield every clue there is, with the built-in facts; of the lists of years and periods only the empty one."""
    for kind in TYPES.values():
        yield from _all(kind)


def _all(kind: type[Clue]) -> Iterator[Clue]:
    """Yield every clue of a type."""
    table = facts.builtin()
    if kind is Recurring:
        yield from (Recurring(known.name, known.years) for known in table.recurring)
    elif kind is Event:
        edges = [edge for event in table.events for edge in edges_of(event)]
        yield from (Event(*edge, level) for edge in edges for level in LEVELS[: len(edge[1]) // 3])
    else:
        for values in kind.all_values(table):
            clue = kind(*values)
            with suppress(ClueError):  # before the 1st
                clue.check()
                yield clue
