"""From the prompt's text alone back to the formal problem.

Nothing but the text is used, and the table of facts that the names in it are looked up in: the
built-in one, then the files named in the environment variable `FACTS`, one a line.
"""

from __future__ import annotations

import os
import re
from contextlib import suppress
from typing import Any

from harness import HarnessError
from harness_timepuzzles import facts, facts_file
from harness_timepuzzles.clues import catalogue
from harness_timepuzzles.clues.clue import Clue
from harness_timepuzzles.languages import language as languages
from harness_timepuzzles.languages.language import ENGLISH
from harness_timepuzzles.problem import Problem
from harness_timepuzzles.wording import FRAME, OPENING, write

FACTS = "HARNESS_TIMEPUZZLES_FACTS"
MAX_CLUES = 40

_NUMBERED = re.compile(r"(\d{1,2})\. (.{1,500000})")
_ISO = r"(\d{4}-\d{2}-\d{2})"


def read(prompt: str) -> dict[str, Any] | None:
    """Return the problem of the last puzzle in a text; None if it holds none that we could have written.

    Whatever is read is written again and has to be found in the text, letter by letter: a clue or a
    convention that was changed makes the text another's, not a problem read wrongly.
    """
    language, at = languages.spoken(prompt, OPENING)
    if at < 0:
        return None
    frame = FRAME if language == ENGLISH else languages.of(language).words
    lines = prompt[at:].split("\n")
    if lines[1:3] != ["", frame["clues"]]:
        return None
    sentences = []
    for line in lines[3 : 3 + MAX_CLUES]:
        clue_line = _NUMBERED.fullmatch(line)
        if clue_line is None:
            break
        sentences.append(clue_line[2])
    rest = lines[3 + len(sentences) :]
    named = len(rest) > 2 and rest[1] == frame["conventions"]
    before, between, after = map(re.escape, re.split(r"\{first\}|\{last\}", frame["range"]))
    pattern = f"- {before}{_ISO}{between}{_ISO}{after}"
    span = re.fullmatch(pattern, rest[2]) if named else None
    clues = _clues(sentences, language) if span else []
    if span is None or not clues:
        return None
    problem = {"range": [span[1], span[2]], "clues": [clue.params() for clue in clues]}
    try:
        # Parsing refuses a weekday 0th of its month.
        written = write(Problem.parse(problem), language)
    except HarnessError:
        return None
    return problem if prompt[at:].startswith(written) else None


def _clues(sentences: list[str], language: str) -> list[Clue]:
    """Return the clues that sentences state, none if one of them states none."""
    if language == ENGLISH:
        tables = known()
        read = [catalogue.parse_sentence(sentence, tables) for sentence in sentences]
    else:
        read = [languages.of(language).clue(sentence) for sentence in sentences]
    clues = [clue for clue in read if clue]
    return clues if len(clues) == len(read) else []


def known() -> tuple[facts.Facts, ...]:
    """Return the tables of facts that names are looked up in; a file that is gone knows nothing."""
    tables = [facts.builtin()]
    for path in _named():
        with suppress(facts_file.FactsError):
            tables.append(facts.with_file(path, True))
    return tuple(tables)


def _named() -> list[str]:
    return [path for path in os.environ.get(FACTS, "").split("\n") if path]


def remember(path: str) -> None:
    """Let this process, and the workers it starts, look names up in a file of facts as well."""
    path = os.path.abspath(path)  # noqa: PTH100 (a worker may have another working directory)
    named = _named()
    if path not in named:
        os.environ[FACTS] = "\n".join([*named, path])
