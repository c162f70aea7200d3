"""What a reply about dates states without a mark as a whole, and what else says so: headings and sentences below."""

from __future__ import annotations

import re
from dataclasses import dataclass

from harness_timepuzzles.answers.date_lists import Listed
from harness_timepuzzles.answers.dates import COUNT, THE_CLUES, read
from harness_timepuzzles.answers.prose import NEGATES
from harness_timepuzzles.answers.words import MONTH, WEEKDAY

MAX_QUOTE = 120
MAX_CONTENT = 40_000

SENTENCE_END = re.compile(r"(?<=[\w)\]\"'][\w)\]\"'])[.!?][\"')\]]*\s+")


@dataclass(frozen=True, slots=True)
class Answer:
    """What a model answered.

    ``dates`` are ISO texts; none means that the model says there is no such date. ``impossible``
    are dates that no calendar has, such as 2001-02-30. ``quote`` is the text they were read from.
    """

    dates: frozenset[str]
    impossible: tuple[str, ...]
    quote: str


_COUNTS = ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"]
_AFFIRMED = re.compile(
    rf"(?:^|[.!?]\s|, so )(?:(?:so|thus|hence|therefore),? )?(?:(?:all|of|the|these|those|are|exactly) ){{1,4}}"
    rf"(?P<count>{COUNT})\b(?:(?: dates?| days?)?(?: above (?:stand|remain|are|stay)"
    r"|(?: listed| given| at the top)? (?:are|remain|stand|stay)(?= (?:as )?my | the ))"
    r"(?: (?:(?:as )?my (?:final )?|the (?:full|whole|complete|final|only) )(?:answers?|result|solutions?|list|set))?"
    rf"|[^\n.!?:;]{{0,40}}(?=(?: that| which)? (?:satisf|meet|match|fit)){THE_CLUES})[.!]?\s*\Z",
    re.IGNORECASE | re.MULTILINE,
)
_UNSURE = re.compile(
    r"\b(?:(?:un|not )(?:sure|certain|clear)|guess\w*|doubt\w*)\b"
    r"|\b(?:not|n't|could|would|might|may|if|or|prob\w+|must|should|yet)\b[^\n]*\Z",
    re.IGNORECASE,
)


def affirmed(text: str) -> int:
    """Return how many dates a reply says at its end to be its answer: "The three dates above remain my answer."."""
    found = _AFFIRMED.search(text, max(0, len(text) - 150))
    unsure = _UNSURE.search(text[-300:])
    count = found["count"] if found and not unsure else "0"
    return int(count) if count.isdecimal() else _COUNTS.index(count.lower())


def bare(text: str) -> Answer | None:
    """Return the answer of a text that consists of nothing but dates, or of "none"."""
    text = text.strip()
    listing = read(text, compact=False) if len(text) <= MAX_CONTENT else None
    if listing is None:
        return None
    empty = not listing.dates and not listing.impossible
    if empty and re.fullmatch(r"\W*none\W*", text, re.IGNORECASE) is None:
        return None
    return answer_of(listing, text)


def answer_of(listing: Listed | None, quote: str) -> Answer | None:
    """Return what a list that was read answers, with the text it was read from; None of none."""
    if listing is None:
        return None
    return Answer(listing.dates, listing.impossible, quote.strip()[:MAX_QUOTE].strip())


HEADING = re.compile(
    r"[^\w\"'{]*(?:(?:the|my|final|overall|valid|matching|correct|resulting|satisfying|qualifying|only|complete|gültige|gesuchtes?"
    r"|las?|los|el|die|das|les?)\s+|(?:summary|list|set)\s+of\s+(?:the\s+|all\s+)?){0,4}"
    r"(?:summary|conclusions?|results?|solutions?|answers?|outcome|dates?|fazit|ergebnis(?:se)?|lösung(?:en)?|antwort"
    r"|zusammenfassung|datum|daten|conclusión|resultados?|solución|soluciones|respuesta|resumen|fechas?|résultats?"
    r"|réponse|résumé|[最终終]*(?:结论|結論|结果|結果|答案|日期|总结|總結))"
    r"(?:\s+(?:found|list|set|summary|final(?:es)?|válidas?|valides?|buscadas?))?[^\w\"'{]*",
    re.IGNORECASE,
)
"""A line, or the words before a colon, that calls what stands below a result."""

WOULD_BE = re.compile(
    r"\A(?:so,? )?(?:that|this) would be\b(?![^.]*\b(?:if|unless|but|only|too|also|before|after)\b)",
    re.I,
)
HOLDS = (
    r"(?:all|any) (?:the )?other (?:dates?|days?|years?)\b[^\n?.]{0,80} (?:are|is) (?:excluded|ruled out|eliminated)"
    r"(?: by\b[^\n?.]{1,60})?"
    r"|(?![^\n]*\b(?:not|never|no|none|if|only|could|would|may|might|check\w*|must)\b)[^\n?.:]{5,150} (?:on|for|in)"
    rf" (?:(?:all|both|each|every one) of (?:them|these(?: \w+)?|those(?: \w+)?)"
    rf"|all (?:{COUNT}|these|those)(?: of them| dates| days)?)"
)
"""That the other days are out, or that the last clue holds on all of the list: a sentence below a list."""

# The last line begins a sentence behind another one and does not end it, or ends in a word that cannot.
BROKEN_OFF = re.compile(
    r"(?:[.!?]['\")]?|\n[ \t]*\n)[ \t]*(?:[A-Z][\w']*,?|[0-9]{1,4})(?:[ ][^\s.!?:|]+){2,}[ ](?:[a-z]{2,}|a),?\Z"
    r"(?<!clues)(?<!conditions)(?<!constraints)(?<!date)(?<!dates)"
    r"|\b(?:and|or|the|an?|of|to|is|are|in|on|by|for|with|that|which|from|at|as|but|be|must)\Z|\.\.\.\Z"
)
_LABEL = re.compile(
    rf"^[-*•\d.) ]*{WEEKDAY}s?:|^[-*•] |[ \t]?\([^()\n]{{1,200}}\)", re.I | re.MULTILINE
)
_WHEN = re.compile(rf"(?:(?<!\w)(?P<month>{MONTH}) )?(?<![\w-])(?P<year>[0-9]{{4}})(?![\w-])", re.I)


def counted(text: str) -> Answer | None:
    """Return the days of a list whose last sentence says how many they are; it or the line above has their year."""
    above, _, said = text.rstrip().rpartition("\n")
    above, _, block = above[-MAX_CONTENT:].rstrip().rpartition("\n\n")
    lead = above.rstrip().rpartition("\n")[2]
    whens = list(_WHEN.finditer(said[-200:])) or list(_WHEN.finditer(lead))
    count = affirmed(text)
    if not count or len({when["year"] for when in whens}) != 1 or NEGATES.search(said):
        return None
    days = _LABEL.sub("", block).replace("\n", "; ")
    month = "" if re.search(rf"\b{MONTH}\b", days, re.IGNORECASE) else whens[0]["month"] or ""
    listing = read(f"{days} {month} {whens[0]['year']}", compact=False)
    return answer_of(listing, said) if listing and len(listing.dates) == count else None
