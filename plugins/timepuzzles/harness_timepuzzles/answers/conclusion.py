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

from harness_timepuzzles.answers import statements
from harness_timepuzzles.answers.date_lists import Listed
from harness_timepuzzles.answers.dates import COUNT, THE_CLUES, apart, read, tokenise
from harness_timepuzzles.answers.prose import LOOKED_AT, NEGATES, WHAT_IF, stands_apart
from harness_timepuzzles.answers.statements import Answer, affirmed, answer_of
from harness_timepuzzles.answers.words import CLUES, DATE, MONTH, NO_OTHER, WEEKDAY

_MAX_TEXT = 6_000  # of the end of a reply, in which its conclusion stands
_MAX_UNITS = 12  # with dates, that are tried from the end
_MAX_LINE = 2_000

_SENTENCE = re.compile(
    r"(?<=[\w)\]\"'][\w)\]\"'])[.!?][\"')\]]*(?<![0-9]\.)[ \t]+(?=[^a-z ])"
    rf"|(?:(?<=[\w)][0-9]\.)|(?<=[\w,] [0-9]\.))[ \t]+(?=[^a-z ])(?!(?i:{MONTH})\b)"
    "|(?<=[\u3040-\u30ff\u4e00-\u9fff]\\.)(?=\\S)"
)
_PERIOD = re.compile(
    r"[ ]?\((?:\w+ ){0,3}(?:period|month|range|from|runs|lasts|zeitraum|periodo|période)\b[^()\n]{0,20}"
    r"[0-9][^()\n]{0,30} (?:-|to|bis|al?|au) [^()\n]{0,30}\)"
    r"|(?:(?<=month)|(?<=window)|(?<=season)|(?<=period)) \([^()\n]{3,40} (?:-|to) [^()\n]{3,40}\)",
    re.IGNORECASE,
)
# "That's the only one: in 2003, June 16 was a Monday."
_BACK = re.compile(r"\W*(?:that|this|it)(?:'s| is) (?:all|it|the only \w+)\b", re.IGNORECASE)
_CHECKING = re.compile(r"\W*(?:checking\b|testing\b|step [0-9]{1,2}\W*\Z)", re.IGNORECASE)
_TICKS = "✅✓✔☑"
_FITS = re.compile(r"\bonly\b[^\n]*\b(?:satisf|meet|match|fit)", re.IGNORECASE)
_WEEKDAY = re.compile(rf"(?<!\w){WEEKDAY}s?(?!\w)", re.IGNORECASE)
_YEAR = re.compile(r"(?<![\w/.-])[0-9]{4}(?![\w/-])")
_A_YEAR = re.compile("[0-9]{4}")
_BRACKET = re.compile(r"[ \t]?\([^()\n]{1,300}\)")

# Words in front of the dates that a reply draws from what stands before, and words anywhere near them.
_HENCE = re.compile(
    r"\b(?:so(?!\.?,? [0-9]| far)|thus|therefore|hence|consequently|somit|daher|damit|folglich|por (?:lo )?tanto|así"
    r"|donc|par conséquent|ainsi|quindi|dunque|pertanto|portanto|dus|daarom|следовательно|итак|поэтому|więc|zatem)\b"
    r"|→|=>|[➡➜⇒⟹]|因此|所以|故",
    re.IGNORECASE,
)
_ARROW = re.compile("→|=>|[➡➜⇒⟹]")
_DATES = r"dates?(?! of (?:the|his|her|its) (?!puzzle|question|solution|answer))"  # not of an event
_DRAWN = re.compile(
    r"\b(?:finally|in (?:short|summary)|leav(?:es|ing)|get|find|obtain|arrive|settle|end up|namely|merged|it is|it's"
    rf"|together(?=:)|(?:(?:{_DATES}|days|{WEEKDAY}s?)\b[^.]{{0,99}}|these|those|they|that) (?:is|are)|that's"
    r"|(?:keeping|intersecting|combining)\b[^.]{0,120} (?:gives|yields)|it (?:must|has to) be|narrow\w* \w+ down to"
    r"|nämlich|fechas? (?:son|es)|(?:dates?|jours|date)\b[^.]{0,40} (?:sont|est|sono|são))\b|→|=>|即",
    re.IGNORECASE,
)
_SAID_OF = re.compile(
    r"\b(?:(?:is|are) left|remain\w*|survives?|ke(?:ep|pt)|found|output|final (?:response|dates?|set)|results?"
    r"|answers?|solutions?|valid|satisf\w+|match(?:es|ing)?|fit(?:s|ting)?|meets?|works?|qualif\w+|clues?|conditions?"
    r"|constraints?|only|exactly|unique|in total|conclu\w+|list|format|prints|todos los días|qued(?:a|an)"
    rf"|{COUNT} (?:\w+ ){{0,2}}(?:dates?|days|of them)|(?:there (?:is|are)|just) (?:exactly )?{COUNT}"
    rf"|{_DATES}\b[^.]{{0,60}} (?:is|are)|(?:daten|tage|fechas|dates) (?:sind|lauten|son|sont)"
    r"|(?:ones|dates?|days?)(?: that)? (?:we|i|you)(?:'re| are| were)? (?:after|looking for|seeking|wanted)"
    r"|son (?:dos|tres|cuatro|cinco|seis|siete|ocho)|D\W{1,3}it is(?=(?:, then)?\W*\Z)|pass(?:t|en)|bleib(?:t|en)"
    r"|erfüll\w+|gesucht(?:e\w*)?|ergebnis\w*|lösung(?:en)?|hinweise|(?:genau|exactement|exac?tamente) \w+|einzige\w*"
    r"|cumpl\w+|únic\w+|seule?s?|(?:re)?cherchée?s?|conviennent|convient|uniche|unica|resultado|pistas|respuesta)\b"
    rf"|{CLUES}|\bdates?\s*[:=]|共有|满足|符合|唯一|答案|结果|求める|該当|得到|全部解|日期[是为]",
    re.IGNORECASE,
)
_NO_OTHER = re.compile(
    rf"{NO_OTHER}|not empty|,? (?:and|und|y) (?:no others?|sonst kein\w*|ningun[oa] más)"
    r"(?: (?:dates?|days?|tag|datum|día|fecha))?"
    r"|\b[0-9]{1,2}\w{0,2} or (?:the )?[0-9]{1,2}\w{0,2}\b(?! (?:dates|days|others))",
    re.IGNORECASE,
)
# "La única fecha posible es …" leaves nothing open.
_ONLY_POSSIBLE = re.compile(
    r"\b(?:only|única|unica|seule|einzig\w*) (?:\w+ )?(?:possible|posible|possibile)\b", re.I
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
    r"\s*(?:(?P<all>(?:(?:that's|that is|th[eo]se(?: \w+){0,2} are) all(?: (?:the )?(?:dates|days|solutions))?(?= )"
    rf"|(?:all|both|th[eo]se)(?: (?:of|the|these|{COUNT}|dates|days)){{0,3}}"
    rf"(?= (?:satisfy|meet|match|fit))){THE_CLUES}"
    r"|(?:so,? )?(?:only )?the (?:dates|days|ones|lines|rows|entries) (?:marked |with )*(?:an? )?"
    r"(?:[✅✓✔☑]|tick|check ?mark)s? (?:are|is) (?:the|my) (?:final )?(?:answer|solution|result)s?"
    r"|(?:and )?(?:there (?:is|are) )?no (?:other|further|more) (?:\w+ ){0,2}(?:dates?|days?|matche?s?|solutions?"
    r"|years?|months?)\b(?![^\n]*\b(?:check|yet))[^\n?]{0,250}"
    rf"|{statements.HOLDS})"
    rf"|\W*{COUNT} (?:dates|days) (?:in total|altogether)|(?:only|exactly) {COUNT} da(?:te|y)s?{THE_CLUES}"
    r"|(?:(?:so|and) )?(?:that's|that is|that makes|th[eo]se(?: \w+){0,2} are|this is"
    r"|is the (?:\w+ )?(?:set|list)|all (?:of them|of these|are|(?:\w+ )?(?:dates|rows)|days))\b"
    r"(?![^\n]*\b(?:not(?! other| more)|nothing|never|except|exclud\w+|fail\w*|wrong|candidates?|checking|if|or)\b)"
    r"[^\n?]{1,250})?[.!]?\s*",
    re.IGNORECASE,
)
_CONFIRMS = re.compile(
    r"\b(?:both|all|these|those)(?: \w+)? (?:dates |days )?(?:work|fit|qualify|fits?|meet)\b[^.\n]*nothing else"
    r"|\A\W*(?:that(?:'s| is) the only (?:one|date|day)(?=[:.!])|(?:nothing else|no other (?:date|day|year)s?)\b)",
    re.IGNORECASE,
)
# What leaves a sentence open, so that it states no result. D stands for its dates.
_OPEN = re.compile(
    r"\b(?:or|whether|if|unless|maybe|perhaps|possibl[ey]|probabl\w+|might|could|would|should|[ck]andidat\w*|likely"
    r"|depend\w*|unsure|sure|guess\w*|assum\w+|suppos\w+|consider\w*|so far|draft|at first|i first|no longer"
    r"|withdr\w+|yet|initially|potential\w*|reading|let (?:me|us)|let's|i'll (?:list|check|go|try|need)|next|step"
    r"|plan|rest|around|some|among|e\.g|example|such as|previous\w*|earlier|printed|once|different"
    r"|attempt\w*|tried|incorrect|mistak\w+|except|excluding|(?:first|third|fourth|most)\b[^.]{0,12} clues?"
    r"|intermediate|partial|summary of (?:the )?clues|nor|too|to be \w+ed|to (?:check|test|try|examine|verify)"
    r"|ou|pas|peut-être|pourrai\w*|serai\w*|sauf|forse|oppure|tranne|non(?!-)|potrebb\w*|sarebb\w*|não|talvez|exceto"
    r"|niet|misschien|behalve|tenzij|или|если|возможно|кроме|не|бы)\b|\banswers?\s*(?:[:=]|is\b|are\b)|\bclues? [0-9]"
    r"|\A\W*(?:also(?=[^.]*(?:satisf|fits?\b|works?\b))|auch|además|aussi)\b"
    r"|\b(?:convient aussi|passt auch|cumple también)\b"
    r"|\b(?:before|after|until|since|near|(?<!satisfied )(?<!fulfilled )(?<!met )by|between|o)(?: el| la)?\s+D\b"
    r"|(?-i:\bmay\b)|\?|…|\.\.\."
    r"|\b(?:oder|ob|wenn|falls (?:der|die|das|es|ein)|vielleicht|prüf\w+|möglich\w*|könnte\w*"
    r"|wäre\w*|entweder|nicht"
    r"|kein\w*|si|quizás?|tal vez|podría\w*|sería\w*|no (?:es|son|se|hay|está)|posibles?)\b"
    r"|か|または|如果|若|或|可能|不|无|大概|也许|是否|吗|？",
    re.IGNORECASE,
)
# A line that a cross puts out; the rule below the head of a table, and a cell that says that its row is out.
_OUT = re.compile(
    r"^(?:[-*•\d.) \t]{0,9}[✗✘❌][^\n]*|[^\n✅✓✔☑]*[✗✘❌](?![^\n]*[0-9]{3})[^\n✅✓✔☑]*$)\n?",
    re.MULTILINE,
)
_RULE = re.compile(r"[ \t]*(?:\|[ \t]*)?:?-{3}[-|: \t]*$", re.MULTILINE)
_OTHERS = re.compile(r"\b(?:candidat|reject|exclu|fail|tried|test|wrong|not\b|non?-)", re.I)
_NO_CELL = re.compile(r"\|\s*(?:no|nein|否|fails?|out|✗|❌|✘)\b|\|[^|]*[✗❌✘?]", re.IGNORECASE)
_NO_DATE = re.compile(
    r"\A(?:(?:(?:conclusi[oó]n|fazit|result|结论)\s*:|(?:so|thus|therefore|hence|finally|in conclusion)\b,?"
    r"|(?:(?:i|we) conclude|it follows|this means),?(?: that)?)\s*)+",
    re.IGNORECASE,
)
# A sentence that begins with "there is no date", goes on with the reason.
_NONE_AT_ALL = re.compile(
    r"(?:there (?:is|are) no such dates?|not (?:a single|one) (?:date|day)\b[^,;:.]{0,60})[.!:;,]",
    re.IGNORECASE,
)
_IF = re.compile(r"\b(?:if|unless|suppos\w+|assum\w+|perhaps|maybe|or)\b", re.IGNORECASE)
_WHOLE = re.compile(
    rf"(?:\b(?:clues?|conditions?|constraints?)|{CLUES}|solutions is empty|no solutions?)\W{{0,3}}[.!]\Z",
    re.IGNORECASE,
)
# Behind an answer: something is still to be done.
_UNDECIDED = re.compile(
    r"\b(?:hm+|let me|(?:i|we)(?:'ll| will|'d| would)?(?: still)? (?:need|have|should) (?:to|(?:to )?now)"
    r"|i'll (?:now )?check|did not check|(?:one|some) of [^.\n]{1,30}\bm(?:ay|ight)\b"
    r"|next\b(?!:)|the (?:remaining|last) clue|(?:has|have) (?:still )?to be|still to|which (?:one"
    r"|of \w+) (?:did|do|is)"
    r"|falta\w*|noch|moment,|zurücknehmen)\b|还(?:需|要)",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class _Unit:
    """A sentence, or lines that are each a date: where it stands, what it says, what leads to it."""

    start: int
    end: int
    said: str
    lead: str
    whole: bool = False  # the reply
    listed: bool = False  # lines that are each a date
    apart: bool = False  # from the lead, by a blank line
    ends: bool = False  # the reply, but for words that close a list
    said_all: bool = False  # by the words that close it


def concluded(text: str) -> Answer | None:
    """Return the dates that a reply without marks concludes with, and where they stand; None if it leaves that open.

    Args:
        text: the plain text of a reply.
    """
    crossed = {day for line in _OUT.findall(text) if (name := DATE.search(line))
               for day in getattr(read(name[0]), "dates", ())}  # fmt: skip
    text = _OUT.sub("", text).strip()
    units = list(_units(text, max(0, len(text) - _MAX_TEXT)))
    if not units:
        return None
    nothing = [unit for unit in units[-_MAX_UNITS:] if _nothing(unit.said)]
    if units[-1] in nothing:
        return answer_of(Listed(frozenset(), ()), units[-1].said)
    if nothing or text[:1] in "{[" or statements.BROKEN_OFF.search(text[-400:]):
        return None
    ended = text[-1:] not in ",:;({[…→⇒=-" or units[-1].ends
    one_list = sum(unit.listed for unit in units) == 1
    dated = [
        unit for unit in units if unit.listed or DATE.search(unit.said) or _YEAR.search(unit.said)
    ]
    count = affirmed(text)
    for unit in reversed(dated[-_MAX_UNITS:]):
        listing = _listed(unit, one_list, vouched=bool(count and unit.listed))
        if listing is not None and count in (0, len(listing.dates)):
            listing = _with_rows(text, unit, listing)
            stands = count or _stands(text, unit, listing, ended)
            out = is_revoked(text[unit.start :]) or not crossed.isdisjoint(listing.dates)
            return answer_of(listing, unit.said) if stands and not out else None
    return None


def _stands(text: str, unit: _Unit, listing: Listed, ended: bool) -> bool:
    """Tell whether the text behind a conclusion leaves it alone; behind a weak one only closing words may stand."""
    behind = WHAT_IF.sub("", text[unit.end :]).strip()
    behind = behind if re.search(r"\w", behind) else ""
    opens = unit.listed and not unit.start
    closing = ended and (opens or _CLOSES.fullmatch(behind))
    said = apart(unit.said)[1] if read(unit.said) is None else unit.lead  # without the dates
    if not (closing or _SAID_OF.search(said) or _CONFIRMS.search(behind)):
        return False
    if _UNDECIDED.search(behind):
        return False
    return unit.ends or stands_apart(behind and f"\n\n{behind}", listing)


def _nothing(said: str) -> bool:
    """Tell whether a whole sentence, or one with words of a conclusion, says that there is no date."""
    drawn = _NO_DATE.sub("", said)
    for part in (drawn, *re.split(r"[,:;] | - ", drawn)):
        tokens = tokenise(part)
        none = bool(tokens) and {letter for letter, _ in tokens or ()} <= {"0", ",", "-"}
        none = none and not _IF.search(drawn[: drawn.index(part)])
        if (none and (drawn != said or _WHOLE.search(part))) or _NONE_AT_ALL.match(drawn):
            return True
    return False


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
    position, top, lead = begin, begin, ""  # top: above the head of a table
    lines = text[begin:].splitlines(keepends=True)
    at = tried = 0
    while at < len(lines):
        head = _RULE.match(lines[at + 1]) if at + 1 < len(lines) else None
        dates = list(takewhile(bool, (_dates_of(lines[row]) for row in range(at, len(lines)))))
        if at >= tried and _A_YEAR.search(lines[at]):
            rows = list(_rows(lines, at, bool(dates)))
            tried = at + len(rows)
            listing = read("\n".join(rows), compact=False) if len(rows) > len(dates) else None
            dates = rows if listing and listing.dates else dates
        taken = "".join(lines[at : at + max(len(dates), 1)])
        at += max(len(dates), 1)
        if dates:
            end = position + len(taken)
            closes = _CLOSES.fullmatch(text[end:])
            alone = text[:top].endswith("\n\n") or not top
            alone = alone or bool(not lead and closes and closes[0].strip())
            yield _Unit(
                position, end, "\n".join(dates), lead,
                listed=True, apart=alone, ends=bool(closes), said_all=bool(closes and closes["all"]),
            )  # fmt: skip
            lead = "a list"
        elif not head and not _RULE.match(taken) and taken.lstrip()[:1] not in "✗✘❌":
            ends = [*(cut.end() for cut in _SENTENCE.finditer(taken)), len(taken)]
            for start, end in pairwise([0, *ends]):
                if said := taken[start:end].strip():
                    place, last = position + start, position + end
                    alone = not place and _CONFIRMS.match(taken[end:]) is not None
                    yield _Unit(place, last, said, lead, said == text, apart=alone)
                    lead = said
        elif _OTHERS.search(taken):
            lead = taken
        position += len(taken)
        top = top if head or (not dates and _RULE.match(taken)) else position


def _rows(lines: list[str], begin: int, whole: bool) -> Iterator[str]:
    """Yield lines that may be one list together, such as years with their days below or behind them.

    A blank line ends it if its first line is a ``whole`` list, and before one that is.
    """
    blank = False
    for line in (lines[at] for at in range(begin, len(lines))):
        said = _without_glosses(line.strip())
        if not said and whole:
            return
        if said and (
            len(said) > _MAX_LINE
            or not tokenise(said, compact=False)
            or (blank and _dates_of(line))
            or (said[:1] == "|" and len(DATE.findall(said)) > 1)
        ):
            return
        blank = not said
        yield said


def _dates_of(line: str) -> str:
    """Return the dates that a line or a row of a table is, perhaps with a bullet in front and a gloss; "" if more."""
    line = _without_glosses(line.strip()) if _A_YEAR.search(line) else ""
    if len(line) > _MAX_LINE or line.endswith(":") or _NO_CELL.search(line):
        return ""
    if line[:1] == "|":
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        dated = [cell for cell in cells if DATE.search(cell)]
        years = [cell for cell in cells if _YEAR.fullmatch(cell)]
        if len(dated) != 1:
            return ""
        line = dated[0] if read(dated[0]) or len(years) != 1 else f"{dated[0]} {years[0]}"
    listing = read(line, compact=False)
    return line if listing and listing.dates else ""


def _listed(unit: _Unit, one_list: bool, vouched: bool) -> Listed | None:
    """Return the whole dates of a unit, if it concludes with them."""
    if len(unit.said) > _MAX_LINE:
        return None
    said = _without_glosses(unit.said)
    said = said if _OPEN.search(unit.lead) else statements.WOULD_BE.sub("it is", said)
    listing = read(said, compact=False)
    if listing is not None:
        return listing if listing.dates and (vouched or _leads(unit, one_list)) else None
    if (back := _BACK.match(said)) and read(said[back.end() :]) is None:
        return None
    if _CHECKING.fullmatch(unit.lead) or (unit.lead.endswith(":") and NEGATES.search(unit.lead)):
        return None
    *_, drawn = _HENCE.split(said)
    if not DATE.search(drawn) and _SAID_OF.search(drawn):
        drawn = said
    before, around, listing = apart(drawn)
    if listing and drawn == said and not re.search(r"[^\W\d_]{2}", around):
        return listing if _leads(unit, one_list) else None
    hence = drawn != said and len(before) < 100
    hence = hence or (
        not unit.start and unit.whole and ":" in said and bool(_WEEKDAY.search(before))
    )
    return listing if listing and _concludes(before, around, hence) else None


def _leads(unit: _Unit, one_list: bool) -> bool:
    """Tell whether what stands before a list leads to it as to the result, or only to what is looked at."""
    if unit.said[:1] in _TICKS or unit.said[-1:] in _TICKS or (unit.ends and unit.said[:1] == "["):
        return True
    lead = _BRACKET.sub("", unit.lead).rpartition(";")[2]
    if _CHECKING.match(lead):
        return False
    opens, negates, looked_at = (sign.search(lead) for sign in (_OPEN, NEGATES, LOOKED_AT))
    headed = unit.ends and statements.HEADING.fullmatch(lead)
    if headed or (_NO_OTHER.search(unit.said) and not (negates or looked_at)):
        return True
    if _FITS.search(unit.said) and not (opens and lead.endswith(":")):
        return True
    said_all = unit.said_all and one_list and not _OTHERS.search(lead)
    joined = unit.apart or lead[-1:] not in ".!"
    if joined and (said_all or _concludes(lead, lead, bool(_HENCE.search(lead)))):
        return True
    if opens or negates or looked_at or _ALL_WEEKDAYS.match(lead):
        return False
    if unit.start and not (unit.ends and one_list):
        return False
    return lead.endswith(":") or (unit.apart and lead[-1:] in ".!)" and (not lead or " " in lead))


def _concludes(before: str, around: str, hence: bool) -> bool:
    """Tell whether what stands before dates, or around them, says that they are the result."""
    around = _ONLY_POSSIBLE.sub("only", _NO_OTHER.sub("", _WEEKDAYS.sub("", around)))
    headed = hence or statements.HEADING.fullmatch(before)
    said = headed or _DRAWN.search(before) or _SAID_OF.search(around)
    return bool(said) and not _OPEN.search(around) and not NEGATES.search(around)


def _without_glosses(said: str) -> str:
    """Return a text without its brackets, but for those that name a date of theirs or reject one outside."""
    said = _PERIOD.sub("", said)
    return _BRACKET.sub(lambda gloss: gloss[0] if _says_more(gloss[0]) else "", said)


def _says_more(gloss: str) -> bool:
    """Tell whether a bracket says more than what a date is: leaves it open, rejects it, or names another."""
    return bool(_OPEN.search(gloss)) or bool(NEGATES.search(gloss)) != bool(DATE.search(gloss))
