"""Read a list of dates, strictly: every word of the text has to be understood, or nothing is.

The text is cut into tokens, each token into one letter, and the letters are checked against a
small grammar: ``D`` a whole date, ``Y``, ``M``, ``N`` a year, a month's name, a number of a day,
``,`` a separator, ``&`` a conjunction, ``-`` "to", ``F`` "from", ``(``, and ``0`` "none".
"Sunday", "the", brackets and quotes mean nothing, nor does what
confirms the list: "(2 dates)", "is the only date". Whatever else stands there ("not", "before",
"?", "...", a date cut off) makes the list unreadable, and so does a date that can be read in two
ways. Missing parts are never guessed: only a year or a month that the list names is shared.

Words of other languages come from `harness_timepuzzles.answers.words`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, timedelta
from functools import lru_cache

from harness_timepuzzles.answers import words
from harness_timepuzzles.answers.words import MONTH, MONTH_NUMBERS, WEEKDAY
from harness_timepuzzles.answers.years import with_whole_dates

MAX_DATES = 1_000
MAX_RANGED = 400  # days that ranges may stand for, all together
_APART = 100  # tokens without a day, of which a list has no more in a row

_Token = tuple[str, tuple[int, ...]]
_Day = tuple[int, int, int]


@dataclass(frozen=True, slots=True)
class Listed:
    """The dates of a text, ISO; ``impossible`` are those no calendar has, ascending; none: no date."""

    dates: frozenset[str]
    impossible: tuple[str, ...]


class _Unreadable(Exception):
    """The text is no list of dates."""


_NO_DATE = r"(?:no|zero) (?:(?:such|valid|possible|matching|common) )*(?:dates?|days?|solutions?)"
COUNT = r"(?:[0-9]{1,2}|one|two|three|four|five|six|seven|eight|nine|ten)"
THE_CLUES = (
    r"(?:(?: that| which)?(?: can| could)? (?:satisf(?:y|ies|ying)|meet(?:s|ing)?|match(?:es|ing)?|fits?"
    r"|fulfil(?:l?s|ls?|ling)?|exists?|found)\b)?"
    rf"(?:(?: (?:all|any|every|each|both|of|the|these|those|given|{COUNT}))* (?:clues?|conditions?"
    r"|constraints?|criteria|requirements?)\b| everything\b| (?:all of (?:them|these)"
    r"|them all)\b)?(?: (?:simultaneously|together|at once)\b)?"
    r"(?: (?:with)?in (?:the )?(?:given )?range\b)?"
)
NO_DATES = (
    rf"(?:none(?: of the dates)?|(?:there (?:is|are|exists?) )?{_NO_DATE}|(?:the )?empty set"
    r"|(?:the )?(?:set of (?:all )?(?:valid )?(?:dates|solutions)|solution set|list) is empty)\b"
    rf"(?! of\b){THE_CLUES}|\[\s*\]|\{{\s*\}}|∅"
    rf"|{words.NO_DATES}"
)
# A bracket or tail says nothing if each word of it is one of these: they cannot take a date back.
_BENIGN = (
    rf"(?:an?|the|in|it|is|are|this|that|both|all|each|{COUNT}|only(?= (?:{COUNT}|dates?|valid|solutions?)\b)"
    rf"|unique|single|exactly|total|final"
    r"|dates?|days?|solutions?|answers?|valid|verified|checked|confirmed|correct|satisf(?:y|ies)"
    r"|meets?|match(?:es)?|fits?|clues?|conditions?|constraints?|ascending|chronological|order"
    rf"|gregorian|lunar|[0-9]{{1,2}}(?:st|nd|rd|th)(?= (?:lunar month|month|{WEEKDAY})\b)"
    r"|confidence|high|medium|leap|year|month|week|last|first|third|fourth|fifth|chinese|new"
    r"|treffer|tage|daten|lösungen|fechas|días|soluciones|resultados|共[0-9]{1,2}[个個]?"
    r"|easter|full|moon|of the|year of|rat|ox|tiger|rabbit|dragon|snake|horse|goat|monkey|rooster|dog"
    rf"|pig|{WEEKDAY}s?|[01]\.[0-9]{{1,3}}|[0-9]{{1,3}}%|[甲乙丙丁戊己庚辛壬癸][子丑寅卯辰巳午未申酉戌亥]年?"
    r"|(?:明治|大正|昭和|平成|令和|民国|民國)[0-9]{1,3}年|[月火水木金土日]曜日?|(?:星期|周|週|礼拜|禮拜)[一二三四五六日天])"
)
# A gloss says what a day is, where it was found or when it was; it names no other date and takes nothing back.
_OTHER_DATE = (
    rf"[0-9]{{1,4}}[-/.][0-9]|[0-9]{{4}}|[0-9](?:st|nd|rd|th)? {MONTH}\b|\b{MONTH}\.? [0-9]"
)
_TAKES_BACK = (
    r"\b(?:no|not|nor|none|never|neither|or|either|if|unless|except|exclud\w*|but|wrong|incorrect|invalid|fail\w*"
    r"|violat\w*|reject\w*|discount\w*|instead|rather|maybe|perhaps|possibl[ey]|probably|might|(?<!a )may|could|would"
    r"|un\w+|guess\w*|about|around|only|also|some|candidates?|alternativ\w*|answer|however|though|although)\b"
    r"|n't|\?"
)
_GLOSS = (
    r"\((?:day [0-9]{1,3}|the [0-9]{1,3}(?:st|nd|rd|th) day|sources?|see|via|per|according to|when|the day|the start"
    r"|the end|birthday|birth|death|anniversary|opening|launch|landing|release|year of|moon landing)\b"
    rf"(?![^()\n]*(?:{_OTHER_DATE}|{_TAKES_BACK}))[^()\n]{{0,120}}\)"
    # the same day in another calendar, its year not one of ours
    r"|\((?=[^()\n]{0,80}(?<!\w)(?:a\.?h|a\.?m|anno mundi|b\.?e|hijri|hebrew|jewish|islamic|lunar|julian|jd|persian"
    r"|ethiopian|buddhist|minguo|sh[oō]wa|meiji|taish[oō]|heisei|reiwa)(?!\w))(?=[^()\n]*[0-9])"
    rf"(?![^()\n]*(?:(?<![0-9])(?:1[5-9]|20)[0-9]{{2}}(?![0-9])|{_TAKES_BACK}))[^()\n]{{0,120}}\)"
)
REASON = (
    r"(?<=[0-9])(?:(?:[,;]?[ \t]{1,3}(?:because|since|as|which)|,[ \t]{1,3}(?:each|both)"
    r"|[,;]?[ \t]{1,3}(?:-[ \t]{1,3})?(?:jeweils|beide|ambos|ambas|cada))\b"
    r"|,?[ \t]{1,3}-[ \t]{1,3}(?=(?:an?|the|it|each|all|both|every)\b))"
    rf"(?![^\n]*(?:{_OTHER_DATE}|{_TAKES_BACK}))[^\n]{{1,300}}$"
    rf"|(?<=[0-9]),?[ \t]{{1,3}}-[ \t]{{1,3}}(?:i\.e\.,?[ ])?(?:every|each|all(?:[ ]the)?)[ ]{WEEKDAY}s?"
    rf"[ ](?:in|of)[ ]{MONTH}(?:[ ][0-9]{{4}})?[.!]?$"
)
"""Why a list is right, behind it on its line; it names no other date and takes nothing back."""

_BRACKET = (
    rf"\(only\)|\((?=[^()\n]{{0,80}}(?:[a-z]{{3}}|%|年|曜|共"
    rf"|[子丑寅卯辰巳午未申酉戌亥]))(?!{COUNT} of )(?:{_BENIGN}(?![\w%])[\x20,;:]*){{1,12}}\.?\)"
    r"|\((?:星期|周|週|礼拜|禮拜)[一二三四五六日天]\)|\([月火水木金土日]曜日?\)"
)
_OF_THE_CLUES = (
    rf"(?:all|every|each)(?: (?:of|the|these|{COUNT}|given))* (?:clues?|conditions?|constraints?)"
)
_TAIL = (
    rf"(?:[-,;|] *)?(?:(?:(?:which|that|it|they|both|all)(?: of (?:them|these))? )?"
    rf"(?:satisf(?:y|ies)|meets?|match(?:es)?|fits?) {_OF_THE_CLUES}"
    rf"|(?:is|are) the only (?:(?:valid|such|possible|matching|{COUNT}) )*(?:dates?|days?|solutions?|answers?)"
    rf"(?: that (?:satisf(?:y|ies)|meets?|match(?:es)?|fits?) {_OF_THE_CLUES})?"
    rf"|(?:both|all)(?: of them)? (?:are|fall on) {WEEKDAY}s?"
    r"|(?:alone )?(?:remains?|(?:is|are) left)"
    r"|confidence *[:=] *(?:high|medium|low|[01]?\.?[0-9]{1,3}%?))"
    r"(?=[.!]?[\x20\t]*(?:\n|\Z))"
)
_NO_OTHER = rf"(?=[^\W\d_])(?<!\w)(?:{words.NO_OTHER})(?!\w)"
_TOKEN = re.compile(
    rf"""
      (?P<bullet>^[ \t]*(?:[>\#]+[ \t]*)*(?:[-+][ \t]*(?=[^\s-]))?
        (?:\(?[0-9]{{1,3}}[.)][ \t]+(?=\S)(?!{MONTH}\b[ ][0-9]{{4}}))?(?<=[^\n]))
    | (?P<remark>{_BRACKET.replace(" ", "[ ]")}|{_TAIL.replace(" ", "[ ]")}|{_NO_OTHER.replace(" ", "[ ]")})
    | (?P<era>(?<![\w.])(?:(?:c\.?e|a\.?d)(?!\w)\.?|gregorian\b))
    | (?P<none>{NO_DATES.replace(" ", "[ ]")})
    | (?P<gloss>{_GLOSS.replace(" ", "[ ]")})
    | (?P<iso>(?P<y>[0-9]{{4}})(?P<s>[-/.])(?P<m>[0-9]{{1,2}})(?P=s)(?P<d>[0-9]{{1,2}})
        (?:[t ]00:00(?::00(?:\.0{{1,9}})?)?(?:z|[+-]00:?00)?)?
        (?![\w/]|[-.][0-9]{{1,2}}(?![0-9])))
    | (?P<cjk>[0-9]{{4}}[ ]?年[ ]?[0-9]{{1,2}}[ ]?月[ ]?[0-9]{{1,2}}[ ]?日
        |[0-9]{{4}}[ ]?년[ ]?[0-9]{{1,2}}[ ]?월[ ]?[0-9]{{1,2}}[ ]?일)
    | (?P<named>(?:([0-9]{{4}})-({MONTH})-([0-9]{{1,2}})|([0-9]{{1,2}})-({MONTH})-([0-9]{{4}}))(?![\w/-]))
    | (?P<us>([0-9]{{1,2}})(?P<t>[-/.])([0-9]{{1,2}})(?P=t)([0-9]{{4}})(?![\w/]|[-.][0-9]))
    | (?P<compact>[0-9]{{8}}(?![\w/-]))
    | (?P<year>[0-9]{{4}}(?![\w/]|\.[0-9]))
    | (?P<day>[0-9]{{1,2}}(?:st|nd|rd|th|er|\.?[º°])?(?![\w/]|\.[0-9]))
    | (?P<month>(?=[^\W\d_]){MONTH}(?!\w)\.?)
    | (?P<weekday>(?=-|[^\W\d_])(?:-[ \t]*(?:an?[ ])?{WEEKDAY}\b(?=[ \t]*(?:[;)|\n]|\Z)))|(?:an?[ ])?{WEEKDAY}\b\.?)
    | (?P<same>,?[ \t]*(?:i\.[ ]?e\.|that[ ]is),?(?=[ \t]*\w))
    | (?P<conj>(?:and|as[ ]well[ ]as|{words.AND})\b|&|和|以及|و(?=[ ]?[0-9]))
    | (?P<sep>[,;|\n•·▪●◦‣])
    | (?P<to>(?:-|(?:to|through|thru|{words.TO})\b)(?:[ \t]*{WEEKDAY}\b\.?,?)?)
    | (?P<from>from\b(?:[ \t]*{WEEKDAY}\b\.?,)?)
    | (?P<open>\()
    | (?P<noise>(?:the|of|on|only|both|inclusive|de|del|{words.NOISE})\b|\b[rгр]\.|(?<!\.)\.(?!\.)|!(?!\S)
        |[ \t"'\[\]{{}})$:✅✓✔🎉🎊🥳🎯🏆👍💯🌟⭐✨📅📆]+)
    """,
    re.VERBOSE | re.MULTILINE,
)
_LETTERS = {"none": "0", "conj": "&", "sep": ",", "to": "-", "from": "F", "open": "(", "same": "("}
_TABLE_RULE = re.compile(r"^[ \t]*\|[ \t]*:?-[-|: \t]*$", re.MULTILINE)
_TABLE_HEAD = re.compile(
    r"^[ \t]*+\|(?:[ \t]*+(?:dates?|(?:week)?day(?: of (?:the )?week)?|year|check(?:ed)?|ok|zodiac"
    r"|\#|no\.?|nr\.?|number)?[ \t]*+\|)+[ \t]*+$",
    re.MULTILINE | re.IGNORECASE,
)
# Of a row that begins with a date: the year again, and that it was checked.
_TABLE_CELL = re.compile(r"(?<=\|)[ \t]*(?:yes|ok|[0-9]{4})[ \t]*(?=\|)", re.IGNORECASE)
_TABLE_INDEX = re.compile(r"^[ \t]*\|[ \t]*[0-9]{1,3}[.)]?[ \t]*\|", re.MULTILINE)

_CLAIM = re.compile(r"\b(?:dates?|days?|solutions?|valid|satisf|meets?|match|fits?)", re.IGNORECASE)
_PART = "(?:MN|NM|N)"
_RUN = re.compile(rf"(?<![DNMY])(?:YMN|{_PART}(?:[,&-]{_PART})*,?Y)(?![DNMYF])")
_PARTS = re.compile("(MN|NM|N)|([,&-])")
_LIST = re.compile(r",?(?:D|F?D-D)(?:[,&(]?(?:D|F?D-D))*,?")
_NOTHING = re.compile(",?0(?:[,-]?0)*,?")
_STEP = re.compile(r"[(]?F?D(?:-D)?")


def tokenise(text: str, compact: bool = True) -> list[_Token] | None:
    """Return the tokens of a text, or None if a word of it is not understood.

    ``compact``: 19990304 is a date.
    """
    try:
        return _tokens(with_whole_dates(_untabled(text).lower()), compact)
    except _Unreadable:
        return None


@lru_cache(maxsize=256)  # the parts of a reply are read in several ways
def read(text: str, compact: bool = True) -> Listed | None:
    """Return the dates that a text lists, or None if it is anything but a list of dates."""
    tokens = tokenise(text, compact)
    try:
        return None if tokens is None else _listed(tokens)
    except _Unreadable:
        return None


def _untabled(text: str) -> str:
    if "|" in text:
        text = _TABLE_HEAD.sub("", _TABLE_RULE.sub("", text))
        text = _TABLE_CELL.sub("", _TABLE_INDEX.sub("|", text))
    return text


# ------------------------------------------------------------------------------------ tokens


def _tokens(text: str, compact: bool) -> list[_Token]:
    tokens: list[_Token] = []
    position, days, apart, loose, cut = 0, 0, 0, False, False
    remarks, glossed = "", False
    letters: set[str] = set()
    while position < len(text):
        match = _TOKEN.match(text, position)
        if match is None or match.end() == position:
            raise _Unreadable
        position = match.end()
        remarks += match["remark"] or ""
        glossed = glossed or match["gloss"] is not None
        token = _token(match, compact)
        is_day = token is not None and token[0] in "DN"
        days, apart = days + is_day, 0 if is_day else apart + 1
        if days > MAX_DATES or apart > _APART:
            raise _Unreadable
        if token is None:
            continue
        letters.add(token[0])
        if match["iso"] and len(match["d"]) == 1:
            loose, cut = loose or len(match["m"]) == 1, cut or len(match["m"]) == 2
        tokens.append(token)
    # "1999-03-04 to 1999-03-25 (all are Thursdays)" may mean only some; "none (all dates fit)"
    if (
        (glossed and "0" in letters)
        or (remarks and "-" in letters)
        or ("0" in letters and _CLAIM.search(remarks))
    ):
        raise _Unreadable
    if cut and not loose:  # 2001-12-1, where no other date is without its zeros
        raise _Unreadable
    return tokens


def _token(match: re.Match[str], compact: bool) -> _Token | None:
    kind = match.lastgroup or ""
    text = match[kind]
    if kind in ("bullet", "noise", "remark", "gloss", "weekday", "era"):
        return None
    if kind in _LETTERS:
        return _LETTERS[kind], ()
    if kind == "year":
        return "Y", (int(text),)
    if kind == "day":
        return "N", (int(text.rstrip("sthnder.º°")),)
    if kind == "month":
        return "M", (_month(text),)
    return "D", _whole(kind, match, compact)


def _month(name: str) -> int:
    return MONTH_NUMBERS[name.rstrip(".")]


def _whole(kind: str, match: re.Match[str], compact: bool) -> _Day:
    """Return year, month and day of a date written in one piece."""
    text = match[kind]
    if kind == "iso":
        if len(match["d"]) == 1 and (match["d"] == "0" or match["m"][0] == "0"):
            raise _Unreadable  # cut off: 2001-05-0
        return int(match["y"]), int(match["m"]), int(match["d"])
    if kind == "compact":
        year, month, day = int(text[:4]), int(text[4:6]), int(text[6:])
        if not compact or not (0 < month <= 12 and 0 < day <= 31):
            raise _Unreadable
        return year, month, day
    if kind == "named":
        first, name, last = text.split("-")
        if len(first) == 4:
            first, last = last, first
        return int(last), _month(name), int(first)
    numbers = [int(number) for number in re.findall("[0-9]+", text)]
    if kind == "us":
        return _american_or_not(*numbers, dots=match["t"] == ".")
    return numbers[0], numbers[1], numbers[2]


def _american_or_not(first: int, second: int, year: int, *, dots: bool) -> _Day:
    if dots and 0 < second <= 12:  # with full stops the day comes first
        return year, second, first
    if first == second <= 12 or first <= 12 < second <= 31:
        return year, first, second
    if second <= 12 < first <= 31:
        return year, second, first
    raise _Unreadable


# --------------------------------------------------------------------------------- the list


def _listed(tokens: list[_Token]) -> Listed:
    letters, days = _without_runs(*_merged(tokens))
    if _NOTHING.fullmatch(letters):
        return Listed(frozenset(), ())
    if _LIST.fullmatch(letters) is None:
        raise _Unreadable
    dates: set[str] = set()
    impossible: set[str] = set()
    for day, real in _expanded(letters, days):
        (dates if real else impossible).add(day)
    return Listed(frozenset(dates), tuple(sorted(impossible)))


def _merged(tokens: list[_Token]) -> tuple[str, list[tuple[int, ...]]]:
    """Join separators in a row, and drop the brackets that do not follow a date at once."""
    letters: list[str] = []
    values: list[tuple[int, ...]] = []
    for letter, value in tokens:
        last = letters[-1] if letters else ""
        if letter == "(" and last not in ("D", "Y"):
            continue
        if letter in ",&" and last in (",", "&", "("):
            letters[-1] = "&" if "&" in (letter, last) else ","
            continue
        letters.append(letter)
        values.append(value)
    if letters and letters[-1] == "(":
        letters.pop()
    return "".join(letters), values


def _without_runs(letters: str, values: list[tuple[int, ...]]) -> tuple[str, list[_Day]]:
    """Replace dates in words by whole dates: "March 4 and 11, 1999" becomes ``D&D``."""
    pieces: list[str] = []
    days: list[_Day] = []
    position = 0
    for run in [*_RUN.finditer(letters), None]:
        end = run.start() if run else len(letters)
        pieces.append(letters[position:end])
        days += [(v[0], v[1], v[2]) for v in values[position:end] if len(v) == 3]
        if run is not None:
            pieces.append(
                re.sub("MN|NM|N", "D", run[0].replace("YMN", "D").rstrip("Y").rstrip(","))
            )
            days += _run(run[0], [v[0] for v in values[end : run.end()] if v])
            position = run.end()
    return "".join(pieces), days


def _run(letters: str, values: list[int]) -> list[_Day]:
    """Return the dates of a run, which shares one year and may share its months."""
    if letters == "YMN":
        return [(values[0], values[1], values[2])]
    year = values.pop()
    kinds = [part[1] for part in _PARTS.finditer(letters) if part[1]]
    if "MN" in kinds and "NM" in kinds:
        raise _Unreadable
    backwards = "NM" in kinds  # "4, 11 March": the month is said last
    if backwards:
        kinds.reverse()
        values.reverse()
    days: list[_Day] = []
    month = None
    numbers = iter(values)
    for kind in kinds:
        month = next(numbers) if "M" in kind else month
        if month is None:
            raise _Unreadable
        days.append((year, month, next(numbers)))
    return days[::-1] if backwards else days


def _expanded(letters: str, days: list[_Day]) -> Iterator[tuple[str, bool]]:
    """Yield each date as text, and whether it exists."""
    left = iter(days)
    last: _Day | None = None
    ranged = 0
    for step in _STEP.finditer(letters):
        first = next(left)
        if step[0].startswith("(") and (first != last or "-" in step[0]):
            raise _Unreadable  # "2001-05-06 (2003-01-02)" is not said to be two dates
        last = first
        if "-" not in step[0]:
            yield "{:04}-{:02}-{:02}".format(*first), _exists(first)
            continue
        last = next(left)
        if not _exists(first) or not _exists(last):
            raise _Unreadable
        begin, span = date(*first), (date(*last) - date(*first)).days
        ranged += span + 1
        if span < 0 or ranged > MAX_RANGED:
            raise _Unreadable
        for number in range(span + 1):
            yield (begin + timedelta(number)).isoformat(), True


def _exists(day: _Day) -> bool:
    try:
        date(*day)
    except ValueError:
        return False
    return True
