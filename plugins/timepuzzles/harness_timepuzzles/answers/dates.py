"""Read a list of dates, strictly: every word of the text has to be understood, or nothing is.

The text is cut into tokens, each token into one letter, and the letters are checked against a
small grammar (`harness_timepuzzles.answers.date_lists`): ``D`` a whole date, ``Y``, ``M``, ``N`` a year, a month's
name, a number of a day, ``,`` a separator, ``&`` a conjunction, ``-`` "to", ``F`` "from", ``(``, ``0`` "none", ``I``
"in" before a year or month, ``E`` "in each of the years", ``X`` "except", ``e`` "every". "Sunday", "the", brackets
and quotes mean nothing, nor does what confirms the list: "(2 dates)", "is the only date". Whatever else stands there
("not", "before", "?", "...", a date cut off) makes the list unreadable, and so does a date that can be read in two
ways.

Words of other languages come from `harness_timepuzzles.answers.words`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from harness_timepuzzles.answers import date_lists, words
from harness_timepuzzles.answers.words import MONTH, MONTH_NUMBERS, WEEKDAY

_APART = 100  # tokens without a day, of which a list has no more in a row
_NO_DATE = (
    rf"(?:no|zero) (?:(?:such|valid|possible|matching|common|{MONTH}) )*(?:dates?|days?|solutions?)"
)
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
    rf"(?:none(?: of the dates)?|(?:there(?:'s| is| are| exists?) )?{_NO_DATE}|(?:the )?empty set"
    r"|(?:the )?(?:set of (?:all )?(?:valid )?(?:dates|solutions)|solution set|list) is empty)\b"
    rf"(?! of\b){THE_CLUES}|\[\s*\]|\{{\s*\}}|∅"
    rf"|{words.NO_DATES}"
)
# A bracket or tail says nothing if each word of it is one of these: they cannot take a date back.
_BENIGN = (
    rf"(?:an?|the|and|in|it|is|are|this|that|both|all|each|{COUNT}|only(?= (?:{COUNT}|dates?|valid|solutions?)\b)"
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
    rf"|,[ \t]{{1,3}}an?[ ]{WEEKDAY}|[,;]?[ \t]{{1,3}}(?:-[ \t]{{1,3}})?(?:jeweils|beide|ambos|ambas|cada))\b"
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
    r"|\((?:(?:d{1,2}|day|m{1,2}|month|y{2,4}|year)[/.-]?){3}\)"
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
_A_YEAR = r"[0-9]{4}(?![-/\w]|\.[0-9])"
_IN = r"(?:in|of|for|de[ns]?|en|im)[ ]"
_NO_OTHER = rf"(?:- )?(?=[^\W\d_])(?<!\w)(?:{words.NO_OTHER})(?!\w)"
_TOKEN = re.compile(
    rf"""
      (?P<bullet>^[ \t]*(?:[>\#]+[ \t]*)*(?:[-+][ \t]*(?=[^\s-]))?
        (?:\(?[0-9]{{1,3}}[.)][ \t]+(?=\S)(?!{MONTH}\b(?!\.?[ ][0-9]{{1,2}}(?!\d))))?(?<=[^\n]))
    | (?P<remark>{_BRACKET.replace(" ", "[ ]")}|{_TAIL.replace(" ", "[ ]")}|{_NO_OTHER.replace(" ", "[ ]")})
    | (?P<era>(?<![\w.])(?:(?:c\.?e|a\.?d)(?!\w)\.?|gregorian\b|[公西][历曆元]|阳历))
    | (?P<none>{NO_DATES.replace(" ", "[ ]")})
    | (?P<gloss>{_GLOSS.replace(" ", "[ ]")})
    | (?P<iso>(?P<y>[0-9]{{4}})(?P<s>[-/.])(?P<m>[0-9]{{1,2}})(?P=s)(?P<d>[0-9]{{1,2}})
        (?:[t ]00:00(?::00(?:\.0{{1,9}})?)?(?:z|[+-]00:?00)?)?
        (?![\w/]|[-.][0-9]{{1,2}}(?![0-9])))
    | (?P<named>(?:([0-9]{{4}})-({MONTH})-([0-9]{{1,2}})|([0-9]{{1,2}})-({MONTH})-([0-9]{{4}}))(?![\w/-]))
    | (?P<us>([0-9]{{1,2}})(?P<t>[-/.])([0-9]{{1,2}})(?P=t)([0-9]{{4}})(?![\w/]|[-.][0-9]))
    | (?P<compact>[0-9]{{8}}(?![\w/-]))
    | (?P<year>[0-9]{{4}}(?:[ ]?[年년]|(?![\w/]|\.[0-9])))
    | (?P<day>[0-9]{{1,2}}(?:[ ]?[日号號일]|(?:st|nd|rd|th|er|\.?[º°])?(?![\w/]|[ ][月월]|\.[0-9])))
    | (?P<month>[0-9]{{1,2}}[ ]?[月월](?![ ]?[0-9]{{1,2}}(?![0-9]|[ ]?[日号號일]))
        |(?=[^\W\d_]){MONTH}(?!\w)\.?)
    | (?P<every>(?:every|each)(?=[ ](?:{MONTH}\b|[0-9]{{1,2}}(?!\d))))
    | (?P<in>{_IN}(?:each[ ]of[ ])?(?:the[ ](?:months[ ](?:of[ ])?)?)?(?={MONTH}\b)|(?=[^\W\d_])(?:{_IN})?
        (?:(?:each|every|both|all|cada|chaque)(?:[ ]of)?[ ])?(?:(?:the|these|den|los|les)[ ])?
        (?:(?:{COUNT}[ ])?(?:years?|jahren?|años?|années?)[ ])?(?:from[ ])?(?={_A_YEAR})
        |:[ ]?(?={_A_YEAR}))
    | (?P<except>(?:except|excluding|without)(?:[ ]for)?(?=[ ]{_A_YEAR}))
    | (?P<weekday>(?=-|[^\W\d_])(?:-[ \t]*(?:an?[ ])?{WEEKDAY}\b(?=[ \t]*(?:[;)|\n]|\Z))
        |(?:an?[ ])?{WEEKDAY}(?:s(?=[ ][0-9]))?\b\.?
        |(?<=[-•][ ]){WEEKDAY}s(?=[ \t]*:?[ \t]*$)|(?:mo|di|mi|do|fr|sa|so)\.?,?(?=[ ][0-9])))
    | (?P<same>,?[ \t]*(?:i\.[ ]?e\.|that[ ]is),?(?=[ \t]*\w))
    | (?P<conj>(?:and(?:[ ](?:again|also))?|as[ ]well[ ]as|(?:together|along)[ ]with|{words.AND})\b|&|以?及|[和与與]
        |و(?=[ ]?[0-9]))
    | (?P<line>\n)
    | (?P<semicolon>;)
    | (?P<sep>[,|、•·▪●◦‣]|(?<=[0-9])[ ]?/(?=[ ]{WEEKDAY}\b))
    | (?P<to>(?:-|(?:to|through|thru|{words.TO})\b)(?:[ \t]*{WEEKDAY}\b\.?,?)?)
    | (?P<from>(?:from|vom|du)\b(?:[ \t]*{WEEKDAY}\b\.?,)?)
    | (?P<open>\()
    | (?P<noise>(?:the|of|on|only|just|both|inclusive|de|del|{words.NOISE})\b|\b[rгр]\.|(?<!\.)\.(?!\.)|!(?!\S)
        |[ \t"'\[\]{{}})$:✅✓✔🎉🎊🥳🎯🏆👍💯🌟⭐✨📅📆]+)
    """,
    re.VERBOSE | re.MULTILINE,
)
_LETTERS = {
    "none": "0", "conj": "&", "sep": ",", "line": "\n", "semicolon": ";", "to": "-", "from": "F", "open": "(",
    "same": "(", "every": "e", "except": "X",
}  # fmt: skip
_OF_DATES = {
    *_LETTERS, "iso", "named", "us", "year", "day", "month", "in", "weekday", "era", "noise", "bullet",
} - {"none"}  # fmt: skip
_COUNTED = re.compile(
    r"[ ]?-?(?:dates?|days?|others?|more|years?|clues?|months?|weeks?|lunar|solutions?|candidates?|times)\b"
)
# In front of days without a month: "and the Tuesdays are the 15th and 22nd"
_NAMES_DAYS = re.compile(
    rf"(?:\b(?:is|are|falls? on|sind|sont|son)|:|{WEEKDAY}s)"
    rf"(?:[ ]+(?:the|der|die|den|les?|el|los|{WEEKDAY}\.?,?))*[ ]*\Z",
    re.IGNORECASE,
)
_ANY_WORD = re.compile(r"(?:(?![\u2e80-\ua000\uac00-\ud7ff])\w)+")
_TABLE_RULE = re.compile(r"^[ \t]*\|[ \t]*:?-[-|: \t]*$", re.MULTILINE)
_TABLE_HEAD = re.compile(
    r"^[ \t]*+\|(?:[ \t]*+(?:dates?|(?:week)?days?(?: of (?:the )?week)?|years?|months?|check(?:ed)?|ok|zodiac"
    r"|\#|no\.?|nr\.?|number)?[ \t]*+\|)+[ \t]*+$",
    re.MULTILINE | re.IGNORECASE,
)
# Of a row that begins with a whole date: the year again, and that it was checked.
_TABLE_ROW = re.compile(
    r"^[ \t]*\|(?![ \t]*[0-9]{4}[ \t]*\|)[^|\n]*[0-9]{4}[^|\n]*\|[^\n]*$", re.MULTILINE
)
_TABLE_CELL = re.compile(r"(?<=\|)[ \t]*(?:yes|ok|[0-9]{4})[ \t]*(?=\|)", re.IGNORECASE)
_TABLE_INDEX = re.compile(r"^[ \t]*\|[ \t]*[0-9]{1,3}[.)]?[ \t]*\|", re.MULTILINE)

_EACH = re.compile("each|every|both|all|cada|chaque|(?:year|month|año|année)s|jahren|from")
_CLAIM = re.compile(r"\b(?:dates?|days?|solutions?|valid|satisf|meets?|match|fits?)", re.IGNORECASE)


def tokenise(text: str, compact: bool = True) -> list[date_lists.Token] | None:
    """Return the tokens of a text, or None if a word of it is not understood.

    ``compact``: 19990304 is a date.
    """
    try:
        return _tokens(_untabled(text).lower(), compact)
    except date_lists.Unreadable:
        return None


@lru_cache(maxsize=256)  # the parts of a reply are read in several ways
def read(text: str, compact: bool = True) -> date_lists.Listed | None:
    """Return the dates that a text lists, or None if it is anything but a list of dates."""
    tokens = tokenise(text, compact)
    try:
        return None if tokens is None else date_lists.listed(tokens)
    except date_lists.Unreadable:
        return None


def apart(said: str) -> tuple[str, str, date_lists.Listed | None]:
    """Return what stands before the dates of a sentence and around them, and these; None if one cannot be read.

    The dates are one list with all that the sentence says of months and years, or else each stretch is a list.
    """
    try:
        stretches = [(*found, _has_days(said, *found)) for found in _stretches(said)]
        dated = [(start, end, tokens) for start, end, tokens, days in stretches if days]
        if not dated:
            return said, said, None
        parts = (tokens for *_, tokens, days in stretches if days is not None)
        try:
            lists = [
                date_lists.listed(
                    [token for part in parts for token in ((";", ()), *part)], shared=True
                )
            ]
        except date_lists.Unreadable:
            lists = [date_lists.listed(tokens) for *_, tokens in dated]
            years = {
                value[0]
                for start, _, tokens, days in stretches
                if days is False and start > dated[0][0] and tokens[0][0] in "IE"
                for letter, value in tokens
                if letter == "Y"
            }
            if years - {int(day[:4]) for found in lists for day in found.dates}:
                raise  # "5 July 1950, and three days in 1958"
    except date_lists.Unreadable:
        return "", said, None
    pieces, position = [], 0
    for start, end, _ in dated:
        pieces.append(said[position:start])
        position = end
    around = " D ".join([*pieces, said[position:]])
    dates = frozenset[str]().union(*(found.dates for found in lists))
    real = dates and not any(found.impossible for found in lists)
    return pieces[0], around, date_lists.Listed(dates, ()) if real else None


def _has_days(said: str, start: int, end: int, tokens: list[date_lists.Token]) -> bool | None:
    """Tell whether a stretch of a sentence has days, not only months or years; None if it has just numbers.

    Raises:
        Unreadable: it is a part of a date, as 2001-05 is.
    """
    letters = date_lists.letters_of(tokens)
    if "D" in letters or ("N" in letters and ("M" in letters or _NAMES_DAYS.search(said[:start]))):
        return True
    if "Y-N" in letters and "-" in said[start:end]:
        raise date_lists.Unreadable
    return None if "N" in letters else False


def _stretches(text: str) -> Iterator[tuple[int, int, list[date_lists.Token]]]:
    """Yield what a sentence says of dates and parts of them: from where to where, and the tokens.

    A number that counts something is left out: "2001-05-06 and 3 others".

    Raises:
        Unreadable: a date can be read in two ways, or is cut off.
    """
    text = lower if len(lower := text.lower()) == len(text) else text
    tokens: list[date_lists.Token] = []
    begin, end, kept, position = -1, 0, 0, 0
    while position <= len(text):
        match = _TOKEN.match(text, position)
        if match and match.end() > position and match.lastgroup in _OF_DATES:
            token, position = _token(match, compact=False), match.end()
            if begin < 0 and (match["weekday"] or (token and token[0] in "DYMNIEeF")):
                begin = match.start()
            if token and begin >= 0:
                tokens.append(token)
                if token[0] in "DYM" or (token[0] == "N" and not _COUNTED.match(text, position)):
                    end, kept = position, len(tokens)
            continue
        if kept:
            if (
                date_lists.letters_of(tokens[:kept]).endswith("Y,Y")
                and text[end : end + 2].strip().isalpha()
            ):
                kept -= 2  # "…, 1958 drops out"
            yield begin, end, tokens[:kept]
        tokens, begin, kept = [], -1, 0
        word = _ANY_WORD.match(text, position)
        position = word.end() if word else position + 1


def _untabled(text: str) -> str:
    if "|" in text:
        text = _TABLE_HEAD.sub("", _TABLE_RULE.sub("", text))
        text = _TABLE_INDEX.sub("|", text)
        text = _TABLE_ROW.sub(lambda row: _TABLE_CELL.sub("", row[0]), text)
    return text


# ------------------------------------------------------------------------------------ tokens


def _tokens(text: str, compact: bool) -> list[date_lists.Token]:
    tokens: list[date_lists.Token] = []
    position, days, apart, loose, cut = 0, 0, 0, False, False
    remarks, glossed = "", False
    letters: set[str] = set()
    while position < len(text):
        match = _TOKEN.match(text, position)
        if match is None or match.end() == position:
            raise date_lists.Unreadable
        position = match.end()
        remarks += match["remark"] or ""
        glossed = glossed or match["gloss"] is not None
        token = _token(match, compact)
        is_day = token is not None and token[0] in "DN"
        days, apart = days + is_day, 0 if is_day else apart + 1
        if days > date_lists.MAX_DATES or apart > _APART:
            raise date_lists.Unreadable
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
        raise date_lists.Unreadable
    if cut and not loose:  # 2001-12-1, where no other date is without its zeros
        raise date_lists.Unreadable
    return tokens


def _token(match: re.Match[str], compact: bool) -> date_lists.Token | None:
    kind = match.lastgroup or ""
    text = match[kind]
    if kind in ("bullet", "noise", "remark", "gloss", "weekday", "era"):
        return None
    if text == "all of ":  # "…, all of 1964" is the year, no row of years
        return None
    if kind in _LETTERS:
        return _LETTERS[kind], ()
    if kind == "in":
        return "E" if _EACH.search(text) else "I", ()
    if kind in ("year", "day", "month"):
        number = re.match("[0-9]+", text)
        if number is None:
            return "M", (_month(text),)
        ordinal = (0,) if kind == "day" and text != number[0] else ()
        return {"year": "Y", "day": "N", "month": "M"}[kind], (int(number[0]), *ordinal)
    return "D", _whole(kind, match, compact)


def _month(name: str) -> int:
    return MONTH_NUMBERS[name.rstrip(".")]


def _whole(kind: str, match: re.Match[str], compact: bool) -> tuple[int, int, int]:
    """Return year, month and day of a date written in one piece."""
    text = match[kind]
    if kind == "iso":
        if len(match["d"]) == 1 and (match["d"] == "0" or match["m"][0] == "0"):
            raise date_lists.Unreadable  # cut off: 2001-05-0
        return int(match["y"]), int(match["m"]), int(match["d"])
    if kind == "compact":
        year, month, day = int(text[:4]), int(text[4:6]), int(text[6:])
        if not compact or not (0 < month <= 12 and 0 < day <= 31):
            raise date_lists.Unreadable
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


def _american_or_not(first: int, second: int, year: int, *, dots: bool) -> tuple[int, int, int]:
    if dots and 0 < second <= 12:  # with full stops the day comes first
        return year, second, first
    if first == second <= 12 or first <= 12 < second <= 31:
        return year, first, second
    if second <= 12 < first <= 31:
        return year, second, first
    raise date_lists.Unreadable
