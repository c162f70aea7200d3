"""The dates that a reply without marks concludes with: its last sentence or list of whole dates that says so.

A reply is cut into units: a sentence, or lines that are each a date. From the end, the first unit with whole dates
that *concludes* is the answer: it or the line that leads to it has a word such as "so", "only", "satisfy", "result",
or a count, and nothing in it leaves anything open ("or", "if", "candidates", a question). A unit that does not
conclude is passed over, but all that stands behind the answer has to leave it alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise, takewhile

from harness_answers.revocation import is_revoked

from harness_timepuzzles.answers.dates import COUNT, THE_CLUES, Listed, read
from harness_timepuzzles.answers.prose import DATE, LOOKED_AT, NEGATES, stands_apart
from harness_timepuzzles.answers.statements import Answer, answer_of
from harness_timepuzzles.answers.words import AND, CLUES, MONTH, NO_OTHER, NOISE, TO, WEEKDAY

_MAX_TEXT = 6_000  # of the end of a reply, in which its conclusion stands
_MAX_UNITS = 12  # with dates, that are tried from the end
_MAX_LINE = 2_000

_SENTENCE = re.compile(
    r"(?<=[\w)\]\"'][\w)\]\"'])[.!?][\"')\]]*(?<![0-9]\.)[ \t]+(?=[^a-z ])"
    rf"|(?<=[\w)][0-9]\.)[ \t]+(?=[^a-z ])(?!(?i:{MONTH})\b)|(?<=[\u4e00-\u9fff]\.)(?=\S)"
)
_PIECE = (
    rf"[0-9]{{4}}[-/.][0-9]{{1,2}}[-/.][0-9]{{1,2}}(?![\w-])|[0-9]{{4}}[ ]?年(?:[ ]?[0-9]{{1,2}}[ ]?月)?"
    rf"|(?:[0-9]{{1,2}}[ ]?月)?[0-9]{{1,2}}[ ]?日|(?<![\w/.-])[0-9]{{1,4}}(?:st|nd|rd|th|\.(?=[ ]{MONTH}))?(?![\w/])"
    rf"|(?<!\w){MONTH}(?!\w)\.?|(?<!\w){WEEKDAY}s?(?!\w)"
)
_LINK = (
    r"[ \t]*(?:[,;、和&/-]|(?:and|to|through|of|in|the|every|each|years?|from|as well as|den|jahren|del?"
    rf"|{AND}|{TO}|{NOISE})(?!\w)|[ \t])*"
)
_RUN = re.compile(rf"(?:{_PIECE})(?:{_LINK}(?:{_PIECE}))*", re.IGNORECASE)
_BRACKET = re.compile(r"[ \t]?\([^()\n]{1,300}\)")

# Words in front of the dates that a reply draws from what stands before, and words anywhere near them.
_HENCE = re.compile(
    r"\b(?:so|thus|therefore|hence|consequently|somit|daher|damit|folglich|por (?:lo )?tanto|así)\b|→|=>"
    r"|因此|所以|故",
    re.IGNORECASE,
)
_ARROW = re.compile("→|=>")
_DRAWN = re.compile(
    r"\b(?:finally|leav(?:es|ing)|get|find|obtain|arrive|namely|merged|it is|it's"
    rf"|(?:(?:dates?|days|{WEEKDAY}s?)\b[^.]{{0,99}}|these|those|they|that) (?:is|are)|that's"
    r"|nämlich|fechas? (?:son|es))\b|→|=>|即",
    re.IGNORECASE,
)
_SAID_OF = re.compile(
    r"\b(?:left|remain\w*|survives?|ke(?:ep|pt)|found|final\w*|results?|answers?|solutions?|valid|satisf\w+|match(?:es|ing)?"
    r"|fit(?:s|ting)?|meets?|works?|qualif\w+|clues?|conditions?|constraints?|only|exactly|unique|in total|conclu\w+"
    rf"|list|format|{COUNT} (?:\w+ ){{0,2}}(?:dates?|days|of them)|there (?:is|are) (?:exactly )?{COUNT}"
    r"|erfüll\w+|ergebnis\w*|lösung(?:en)?|hinweise|gesuchte\w*|einzige\w*|cumpl\w+|únic\w+|resultado|pistas|respuesta)\b"
    rf"|{CLUES}|\bdates?:|[✓✔✅☑]|共有|满足|符合|唯一|答案|结果|求める|該当",
    re.IGNORECASE,
)
_NO_OTHER = re.compile(
    rf"{NO_OTHER}|not empty|,? (?:and|und|y) (?:no others?|sonst kein\w*|ningun[oa] más)"
    r"(?: (?:dates?|days?|tag|datum|día|fecha))?",
    re.IGNORECASE,
)
_WEEKDAYS = re.compile(
    rf"{WEEKDAY}s?(?:, {WEEKDAY}s?)*,? (?:or|oder|o) (?:an? )?{WEEKDAY}s?", re.IGNORECASE
)
_ALL_WEEKDAYS = re.compile(
    r"\W*(?:the \w+days\b|(?:all )?\w+days(?: and \w+days)?(?: (?:in|of)\b[^:]{1,60})?:)",
    re.IGNORECASE,
)
# Words that close a list: "That's five dates in total", "These are all the dates that satisfy the clues."
_CLOSES = re.compile(
    rf"\s*(?:(?P<all>(?:that's|that is|these are|those are) all (?:the )?(?:dates|days|solutions)(?= ){THE_CLUES}"
    r"|(?:and )?(?:there (?:is|are) )?no (?:other|further|more) (?:dates?|days?|matche?s?|solutions?)\b[^\n?]{0,250})"
    r"|(?:so )?(?:that's|that is|these are|those are|this is|all (?:of them|of these|are))\b"
    r"(?![^\n]*\b(?:not(?! other| more)|nothing|never|except|exclud\w+|fail\w*|wrong|candidates?|checking|if|or)\b)"
    r"[^\n?]{1,250})?[.!]?\s*",
    re.IGNORECASE,
)
_OPEN = re.compile(
    r"\b(?:or|whether|if|unless|maybe|perhaps|possibl[ey]|probabl\w+|might|could|would|should|candidates?|likely"
    r"|depend\w*|unsure|sure|guess\w*|assum\w+|suppos\w+|consider\w*|so far|draft|at first|i first|no longer"
    r"|withdr\w+|yet|initially|potential\w*|reading|let (?:me|us)|let's|i'll (?:list|check|go|try|need)|next|step"
    r"|plan|rest|around|some|among|e\.g|example|such as|previous\w*|earlier|incorrect|mistak\w+|except|excluding"
    r"|nor|too)\b|\banswers?\s*(?:[:=]|is\b|are\b)|\bclues? [0-9]"
    r"|\b(?:before|after|until|since|near|by|between|o)(?: el| la)?\s+D\b"
    r"|(?-i:\bmay\b)|\A\W*(?:checking|testing)\b|\?|…|\.\.\."
    r"|\b(?:oder|ob|wenn|falls (?:der|die|das|es|ein)|vielleicht|möglich\w*|könnte\w*|wäre\w*|entweder|nicht"
    r"|kein\w*|si|quizás?|tal vez|podría\w*|sería\w*|no (?:es|son|se|hay|está)|posibles?)\b"
    r"|か|または|如果|若|或|可能|不|无|大概|也许|是否|吗|？",
    re.IGNORECASE,
)
# Of a table: its head and the line below it, and a cell that says that its row is out.
_FRAME = re.compile(r"[ \t]*\|(?![^\n]*[0-9])")
_NO_CELL = re.compile(r"\|\s*(?:no|nein|否|fails?|out|✗|❌|✘)\b|\|[^|]*[✗❌✘]", re.IGNORECASE)
_WORD = re.compile(r"\w")
_NO_DATE = re.compile(
    r"\A(?:(?:(?:conclusi[oó]n|fazit|result|结论)\s*:|(?:so|thus|therefore|hence|finally|in conclusion)\b,?"
    r"|(?:(?:i|we) conclude|it follows) that)\s*)+",
    re.IGNORECASE,
)
_WHOLE = re.compile(
    rf"(?:\b(?:clues?|conditions?|constraints?)|{CLUES}|solutions is empty)\W{{0,3}}[.!]\Z",
    re.IGNORECASE,
)
_UNDECIDED = re.compile(
    r"\b(?:hm+|let me|i(?:'ll| will| need to| have to| should)(?: now)? (?:check|verify|test))\b",
    re.IGNORECASE,
)
_ENDED = re.compile(r"(?:[^\w,:;(\[…-]|[0-9]日?|[✓✔])\Z")


@dataclass(frozen=True, slots=True)
class _Unit:
    """A sentence, or lines that are each a date: where it stands, what it says, what leads to it."""

    start: int
    end: int
    said: str
    lead: str
    listed: bool = False  # lines that are each a date
    apart: bool = False  # from the lead, by a blank line
    ends: bool = False  # the reply, but for words that close a list
    all: bool = False  # the words that close it say that these are all


def concluded(text: str) -> Answer | None:
    """Return the dates that a reply without marks concludes with, and where they stand; None if it leaves that open.

    Args:
        text: the plain text of a reply.
    """
    text = text.rstrip()
    all_units = list(_units(text, max(0, len(text) - _MAX_TEXT)))
    if all_units and (nothing := _nothing(all_units[-1].said)):
        return answer_of(nothing, all_units[-1].said)
    ended = _ENDED.search(text) or (all_units and all_units[-1].ends)
    if text[:1] in "{[" or not ended or text.endswith("..."):
        return None
    units = [unit for unit in all_units if DATE.search(unit.said)][-_MAX_UNITS:]
    while units:
        unit = units.pop()
        listing = _listed(unit, alone=sum(other.listed for other in all_units) == 1)
        if listing is not None:
            listing = _with_rows(text, unit, listing)
            behind = text[unit.end :].strip()
            behind = behind if _WORD.search(behind) else ""
            alone = unit.ends or stands_apart(behind and f"\n\n{behind}", listing)
            alone = alone and not is_revoked(text[unit.start :]) and not _UNDECIDED.search(behind)
            return answer_of(listing, unit.said) if alone else None
    return None


def _nothing(said: str) -> Listed | None:
    """Return the empty list if a whole sentence, or one with words of a conclusion, says that there is no date."""
    drawn = _NO_DATE.sub("", said)
    listing = read(drawn)
    none = listing and not listing.dates and not listing.impossible
    return listing if none and (drawn != said or _WHOLE.search(said)) else None


def _with_rows(text: str, unit: _Unit, listing: Listed) -> Listed:
    """Add what the lines directly above end in, where each line has its own arrow: "1928: … → 1928-12-15"."""
    above = text[: max(0, text.rfind("\n", 0, unit.start))].splitlines()
    while _ARROW.search(unit.said) and above:
        *before, said = _ARROW.split(above.pop())
        more = read(said, compact=False) if before else None
        if more is None:
            break
        listing = Listed(listing.dates | more.dates, ())
    return listing


def _units(text: str, begin: int) -> Iterator[_Unit]:
    """Yield the units of a text from a place on; each is led to by the unit above it."""
    position, lead = begin, ""
    lines = text[begin:].splitlines(keepends=True)
    while lines:
        dates = list(takewhile(bool, map(_dates_of, lines)))
        taken = "".join(lines[: max(len(dates), 1)])
        del lines[: max(len(dates), 1)]
        if dates:
            end = position + len(taken)
            apart = text[:position].endswith("\n\n") or not position
            closes = _CLOSES.fullmatch(text[end:])
            yield _Unit(
                position,
                end,
                "\n".join(dates),
                lead,
                True,
                apart,
                bool(closes),
                bool(closes and closes["all"]),
            )
            lead = "a list"
        elif not _FRAME.match(taken):
            ends = [*(cut.end() for cut in _SENTENCE.finditer(taken)), len(taken)]
            for start, end in pairwise([0, *ends]):
                if said := taken[start:end].strip():
                    yield _Unit(position + start, position + end, said, lead)
                    lead = said
        position += len(taken)


def _dates_of(line: str) -> str:
    """Return the dates that a line or a row of a table is, perhaps with a bullet in front and a gloss; "" if more."""
    line = _without_glosses(line.strip())
    if not DATE.search(line) or len(line) > _MAX_LINE or line.endswith(":"):
        return ""
    cells = (
        [cell for cell in line.strip("|").split("|") if DATE.search(cell)]
        if line[:1] == "|"
        else [line]
    )
    listed = (
        read(cells[0], compact=False) if len(cells) == 1 and not _NO_CELL.search(line) else None
    )
    return cells[0].strip() if listed and listed.dates else ""


def _listed(unit: _Unit, alone: bool) -> Listed | None:
    """Return the whole dates of a unit, if it concludes with them."""
    if len(unit.said) > _MAX_LINE:
        return None
    said = _without_glosses(unit.said)
    listing = read(said, compact=False)
    if listing is not None:
        return listing if listing.dates and _leads(unit, alone) else None
    if unit.lead.endswith(":") and NEGATES.search(unit.lead):
        return None
    *_, drawn = _HENCE.split(said)
    before, around, listing = _apart(drawn)
    hence = drawn != said and len(before) < 100
    return listing if listing and _concludes(before, around, hence) else None


def _leads(unit: _Unit, alone: bool) -> bool:
    """Tell whether what stands before a list leads to it as to the result, or only to what is looked at."""
    lead = _BRACKET.sub("", unit.lead).rpartition(";")[2]
    joined = unit.apart or lead[-1:] not in ".!"
    if joined and ((unit.all and alone) or _concludes(lead, lead, bool(_HENCE.search(lead)))):
        return True
    signs = (
        _OPEN.search(lead),
        NEGATES.search(lead),
        LOOKED_AT.search(lead),
        _ALL_WEEKDAYS.match(lead),
    )
    if any(signs) or not ((unit.ends and alone) or not unit.start):
        return False
    return lead.endswith(":") or (unit.apart and lead[-1:] in ".!)" and (not lead or " " in lead))


def _concludes(before: str, around: str, hence: bool) -> bool:
    """Tell whether what stands before dates, or around them, says that they are the result."""
    around = _NO_OTHER.sub("", _WEEKDAYS.sub("", around))
    said = hence or _DRAWN.search(before) or _SAID_OF.search(around)
    return bool(said) and not _OPEN.search(around) and not NEGATES.search(around)


def _without_glosses(said: str) -> str:
    """Return a text without its brackets, but for those that name a date of theirs or reject one outside."""
    return _BRACKET.sub(lambda gloss: gloss[0] if _says(gloss[0]) else "", said)


def _says(gloss: str) -> bool:
    rejects = NEGATES.search(gloss) is not None
    return bool(_OPEN.search(gloss)) or (rejects != bool(DATE.search(gloss)))


def _apart(said: str) -> tuple[str, str, Listed | None]:
    """Return what stands before the dates of a sentence and around them, and these; None if one cannot be read."""
    dates: set[str] = set()
    pieces, position = [], 0
    for run in _RUN.finditer(said):
        if not DATE.search(run[0]):
            continue
        listing = read(run[0], compact=False)
        if listing is None or not listing.dates or listing.impossible:
            return "", said, None
        dates |= listing.dates
        pieces.append(said[position : run.start()])
        position = run.end()
    around = " D ".join([*pieces, said[position:]])
    return (pieces or [said])[0], around, Listed(frozenset(dates), ()) if dates else None
