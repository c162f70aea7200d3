"""Claims about the hypothesis in other words, said plainly: "no possible sequence violates C5" is "C5 is True".

What is rewritten is still no answer: whether it stands where an answer stands, is a condition or an aim, is for
`harness_ltlbench.answers.extraction` to tell. "C5 holds" alone is left as it is: the hypotheses are worded so.
All patterns are linear in the text.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache

from harness_ltlbench.answers.verdicts import ANY_WORD, MEANING, SUBJECTS

_RUN = ("sequence", "path", "run", "trace", "execution")
_OF_RUNS = (*_RUN, *(f"{word}s" for word in _RUN))
_TRUTH = ("true", "false")
_TICKS, _CROSSES = "✓✔✅☑", "✗✘❌✖"
_RUNS = rf"(?:{'|'.join(_RUN)})s?(?: of events)?"
_POSSIBLE = r"(?:(?:possible|valid|infinite|admissible|allowed|single)[ ]){0,2}"
_EVERY = (
    r"(?:at the (?:first|initial) moment[ ])?(?:in|on|for|over|along|of|across)[ ]"
    rf"(?:every|all|each|any)(?: of the| the)?[ ]{_POSSIBLE}{_RUNS}"
)
_SOME = rf"(?:some|an?|one|at least one)[ ]{_POSSIBLE}{_RUNS}"
_BREAKS = r"(?:violates?|falsif(?:y|ies)|refutes?|breaks?|contradicts?)"
_END = r"(?=[ \t]*(?:[^\w\s]|$))"
_TRUE = r"(?:true|correct|right|the case)"
_UNTRUE = r"(?:false|wrong|incorrect|untrue|mistaken|refuted|disproved|not (?:true|correct|right|the case|so))"

_HYPOTHESES = (
    "hypothese|hypothèse|hipótesis|hipótese|ipotesi|гипотеза|гіпотеза|hipoteza|hipotez|hypotesen"
)
_HYPOTHESIS_SIGNS = "假设|命题|假說|命題|仮説|가설"
_HYPOTHESIS = rf"(?:(?:die|der|la|l'|a|o|de|to)[ ]?)?\b(?:{_HYPOTHESES})\b|[该此这本]?个?(?:{_HYPOTHESIS_SIGNS})"
_NAMES = f"{_HYPOTHESES}|{_HYPOTHESIS_SIGNS}".split("|")
_SO = (
    r"(?:\b(?:donc|ainsi|also|daher|damit|somit|folglich|por (?:lo )?tanto|luego|portanto|logo|quindi|dunque"
    r"|итак|значит|следовательно|więc|zatem|dus)\b[ ,:]{0,3}"
    r"|(?:所以|因此|综上所述|综上|したがって|よって|따라서)[ ,]{0,3})?"
)
_IS_NOT = (
    r"n'est pas|no es|não é|non è|nie jest|ist nicht|is niet|är inte|er ikke|не(?: является)?"
    r"|并非(?:为|是)?|并?不(?:为|是)"
)
_IS = r"est|es|é|è|ist|is|jest|är|er|это|为|為|是|は|은|는|가"
_EVERYWHERE = (
    r"in (?:jeder|allen)(?: möglichen)? (?:folgen?|sequenz(?:en)?)|(?:dans|sur|pour) (?:toutes les|chaque) "
    r"(?:séquences?|suites?)(?: possibles?)?|en (?:todas las|cada) secuencias?(?: posibles?)?"
    r"|em (?:todas as|cada) sequências?(?: possíveis)?|in (?:ogni|tutte le) sequenz[ae](?: possibil[ei])?"
    r"|w każdym(?: możliwym)? ciągu|на (?:каждой|всех)(?: возможн(?:ой|ых))? последовательност(?:и|ях)"
    r"|in elke(?: mogelijke)? reeks|her(?: olası)? dizide"
)
_HOLDS = "gilt|vaut|se cumple|vale|zachodzi|выполняется|geldt"
_NOT_THAT = (
    r"(?:nieprawda|неверно|неправда|es ist nicht wahr|il est faux|il n'est pas vrai|no es cierto|no es verdad"
    r"|não é verdade|non è vero)[ ]?,?[ ](?:że|что|dass|que|che)[ ]"
)
_EVERYWHERE_CHINESE = r"在?所有(?:可能的?)?的?(?:序列|路径|情况)[中上里下]?,?[ ]?"


def said_plainly(text: str, name: str) -> str:
    """Return a text in which claims about the last hypothesis say that it is True or False.

    Args:
        text: a plain text.
        name: a pattern for the number of the last hypothesis.
    """
    low = text.lower()
    if "true" in low and "false" in low:
        text = _lettered(text)
    if "true" in low or "false" in low:
        text = _INVERTED.sub(r"it is \1", _SWITCHED.sub("so it is ", text))
        low = text.lower()
    if _named(name).search(low) is None and not any(word in low for word in _NAMES):
        return text
    words = {*re.findall(r"\w+", low)}
    for pattern, says, needed in _rules(name):
        # A pattern takes long at each place of a text, so it is tried only where what it needs stands.
        if any(word in (words if word.isascii() else low) for word in needed):
            text, claims = pattern.subn(says, text)
            words |= {"true", "false"} if claims else set()
    return text


# "True it is.", "I'm switching to False"
_INVERTED = re.compile(r"\b(true|false) it is(?=[^\w\n?]*$)", re.IGNORECASE | re.MULTILINE)
_SWITCHED = re.compile(
    r"\bI(?:'m| am| will|'ll)?(?: now| therefore| thus| hereby)* (?:switch(?:ing)?|chang(?:e|ing)|revis(?:e|ing)"
    r"|correct(?:ing)?)(?: my (?:final )?(?:answer|verdict|mind))?(?: from \w+)? to (?=(?:true|false)\b(?!\.\.))",
    re.IGNORECASE,
)


@lru_cache(maxsize=64)
def _named(name: str) -> re.Pattern[str]:
    return re.compile(SUBJECTS % name)


_Says = Callable[[re.Match[str]], str]


@lru_cache(maxsize=64)
def _rules(name: str) -> tuple[tuple[re.Pattern[str], _Says, tuple[str, ...]], ...]:
    """Return patterns of claims, what stands instead, and words of which each has one.

    Those that others contain come first.
    """
    one = f"(?P<subject>{SUBJECTS % name})"
    rules = (*_english(one), *_of_languages(name), *_about_claims(one, name))
    return tuple(
        (re.compile(pattern, re.IGNORECASE | re.MULTILINE), says, words)
        for pattern, says, words in rules
    )


def _english(one: str) -> tuple[tuple[str, _Says, tuple[str, ...]], ...]:
    of_runs = (
        (rf"{one}[ ](?:always )?(?:holds?|is satisfied)[ ]{_EVERY}{_END}", _that(True)),
        (
            rf"{one}[ ](?:(?:does not|doesn't|fails to)(?: necessarily)?[ ]hold|is not satisfied)[ ]"
            rf"{_EVERY}{_END}",
            _that(False),
        ),
        (rf"{one}[ ](?:fails|is violated|does not hold)[ ](?:in|on|for|by)[ ]{_SOME}{_END}", _that(False)),
        (rf"\bno[ ]{_POSSIBLE}{_RUNS}[ ](?:(?:that|which)[ ])?{_BREAKS}[ ]{one}{_END}", _that(True)),
        (rf"\b{_SOME}[ ](?:(?:that|which)[ ])?{_BREAKS}[ ]{one}{_END}", _that(False)),
    )  # fmt: skip
    return (
        *((*rule, _OF_RUNS) for rule in of_runs),
        (
            rf"{one}[ ](?:is not|isn't)[ ](?P<word>true(?:[ ]in general)?|false){_END}",
            lambda found: _claim(found, found["word"].lower() == "false"),
            _TRUTH,
        ),
    )


def _of_languages(name: str) -> tuple[tuple[str, _Says, tuple[str, ...]], ...]:
    any_one = rf"(?P<subject>\bc_?{name}(?![0-9])|{_HYPOTHESIS})(?:[ ]c_?{name}(?![0-9]))?"
    return (
        (
            rf"{_SO}{any_one}[ ]?:?[ ]?(?:(?P<not>{_IS_NOT})|(?:{_IS})(?!\w)|[为為是は은는])?[ ]?{_SO}"
            rf"(?P<word>{ANY_WORD})(?P<no>[ ]değil(?:dir)?|ではない)?(?:です|である|입니다|이다)?"
            rf"(?P<every>[ ](?:{_EVERYWHERE}))?{_END}",
            _foreign,
            tuple(MEANING),
        ),
        (
            rf"{_SO}{any_one}[ ](?P<not>не[ ]|nie[ ]|no[ ]|não[ ])?(?:{_HOLDS})(?P<nicht> nicht| niet)?[ ]"
            rf"(?:{_EVERYWHERE}){_END}",
            lambda found: _claim(found, not (found["not"] or found["nicht"])),
            tuple(_HOLDS.replace("se cumple", "cumple").split("|")),
        ),
        (
            rf"{_SO}(?P<before>{_EVERYWHERE_CHINESE})?{any_one}[ ]?(?P<not>并?不(?P<must>一定|总是)?|并非|未必)?"
            rf"(?P<behind>{_EVERYWHERE_CHINESE})?[都均总]?成立(?P<shown>[,;:.][ ]?(?:存在|有)?反例)?",
            _chinese,
            ("成立",),
        ),
    )  # fmt: skip


def _about_claims(one: str, name: str) -> tuple[tuple[str, _Says, tuple[str, ...]], ...]:
    stated = rf"\"?{one}[ ](?:is|=)[ ](?P<word>true|false)\b\"?"
    return (
        (
            rf"{_NOT_THAT}{stated}",
            lambda found: _claim(found, found["word"].lower() == "false"),
            _TRUTH,
        ),
        (
            rf"\b(?:it is|it's)[ ](?:indeed[ ])?(?:(?P<not>{_UNTRUE})|{_TRUE})[ ]that[ ]{stated}",
            _judged,
            _TRUTH,
        ),
        (
            rf"(?:\bthe (?:statement|claim|assertion|sentence)[ ](?:that[ ])?|(?=\")){stated}[ ](?:(?:is|was)[ ]"
            rf"(?:(?P<not>{_UNTRUE})|{_TRUE})|(?P<fails>(?:does not|doesn't)[ ]"
            r"(?:survive|stand)(?:[ ]\w+){0,4}))\b",
            _judged,
            _TRUTH,
        ),
        (
            rf"^(?P<lead>[^\w\n]{{0,9}})(?:is[ ](?:it true that[ ])?{one}[ ](?:is[ ])?(?P<word>true|false)"
            rf"|does[ ](?P<holding>{SUBJECTS % name})[ ]hold[ ]{_EVERY})[ ]?\?"
            r"[^\w]{1,9}(?P<yes>yes|no)\b(?! and no\b)",
            _replied,
            ("yes", "no"),
        ),
        (
            rf"^(?P<lead>[^\w\n]{{0,9}}){one}[ ]?[:=][ ]?(?:(?P<yes>[{_TICKS}])|[{_CROSSES}])(?=[ \t]*(?:$|[—–(-]))",
            lambda found: f"{found['lead']}{found['subject']}: {found['yes'] is not None}",
            tuple(_TICKS + _CROSSES),
        ),
    )  # fmt: skip


def _claim(found: re.Match[str], truth: bool) -> str:
    subject = found["subject"]
    return f"{subject if re.match(r'c_?[0-9]', subject, re.I) else 'the hypothesis'} is {truth}"


def _that(truth: bool) -> _Says:
    return lambda found: _claim(found, truth)


def _foreign(found: re.Match[str]) -> str:
    meaning = MEANING.get(found["word"].lower())
    negated = bool(found["not"]) is not bool(found["no"])
    if meaning is None or (found["every"] and negated and not meaning):
        return found[0]
    return f"{_claim(found, meaning is not negated)}"


def _chinese(found: re.Match[str]) -> str:
    """A claim with 成立, "to hold": only where it is about all sequences."""
    everywhere = found["before"] or found["behind"] or found["must"] or found["not"] == "未必"
    if not (everywhere or (found["not"] and found["shown"])):
        return found[0]
    return f"{_claim(found, not found['not'])}{found['shown'] or ''}"


def _judged(found: re.Match[str]) -> str:
    negated = bool(found["not"] or found.groupdict().get("fails"))
    return _claim(found, (found["word"].lower() == "true") is not negated)


def _replied(found: re.Match[str]) -> str:
    asked = (found["word"] or "true").lower() == "true"
    return f"{found['lead']}Answer: {asked is (found['yes'].lower() == 'yes')}"


# "Options: (A) True (B) False. I choose B": what the letters, or 0 and 1, stand for.
_NAMED = r"\(?(?<!\w)(?P<%s>[a-d01])[ \t]?[).=:][ \t]?(?P<%s>true|false)\b"
_KEY = re.compile(
    _NAMED % ("one", "means") + r"[\s,;|/]{1,5}(?:(?:and|or)[ ])?" + _NAMED % ("other", "else"),
    re.IGNORECASE,
)
_TAKEN = re.compile(
    r"\b((?:answer|choice|option|verdict|i (?:choose|pick|select|take))[ ]?(?:is\b|:)?[ ]?(?:option[ ])?)"
    r"\(?([a-d01])\)?(?:[).:]?[ ](?P<word>true|false))?(?=[^\w\n]*$)"
    r"|(?<=\n\n)(\W*(?:(?:so|thus|hence|therefore),? )?)(?:option )?\(?([a-d01])\)?(?:[).:]?[ ](?P<said>true|false))?"
    r"(?:[ ]is (?:the )?(?:correct|right)(?: (?:one|option|answer|choice))?)?(?=[^\w\n]*\Z)",
    re.IGNORECASE | re.MULTILINE,
)


def _lettered(text: str) -> str:
    """Return a text with True and False for the two letters or digits that it says to stand for them."""
    key = _KEY.search(text)
    if key is None or key["one"] == key["other"] or key["means"].lower() == key["else"].lower():
        return text
    means = {key["one"].lower(): key["means"], key["other"].lower(): key["else"]}

    def word(taken: re.Match[str]) -> str:
        meaning = means.get((taken[2] or taken[5]).lower(), "")
        said = taken["word"] or taken["said"] or meaning
        if said.lower() != meaning.lower():
            return "?"
        return (taken[1] or taken[4]) + meaning.capitalize() if meaning else taken[0]

    return _TAKEN.sub(word, text[: key.start()] + text[key.end() :])
