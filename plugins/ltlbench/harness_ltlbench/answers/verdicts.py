"""Verdicts in plain text: which words say True or False, and what around them undoes that.

The vocabulary that all of `harness_ltlbench.answers.extraction`' rules share: the word itself, the words
that announce an answer, and the sentences that state the last hypothesis. Text is lowered.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal, TypeAlias

from harness_answers.languages import ANSWER, ANSWER_SIGNS, RESULT, RESULT_SIGNS, TRUTH, meaning
from harness_answers.revocation import DENIED, LEFT_OPEN, RECONSIDERED
from harness_answers.text import from_the_end

from harness_ltlbench.answers.cleaning import end_of_line

MAX_LINE = 2_000


@dataclass(frozen=True, slots=True)
class Reading:
    """A verdict and where it stands: the text from start to end says it, a path may follow at end."""

    label: bool
    start: int
    end: int


# What a piece of text says of the answer: a verdict, expressly none, or nothing at all.
Finding: TypeAlias = "Reading | Literal['none'] | None"

_ALPHABETIC = f"answer|{ANSWER}"
_CLOSING_WORDS = f"conclusion|verdict|result|decision|label|solution|{RESULT}"
MARK = re.compile(
    rf"(?:(?<!\w)|(?<=final_))(?:(?P<answer>{_ALPHABETIC})|(?P<closing>{_CLOSING_WORDS}|final(?=[ \t]*[:=])))(?!\w)"
    rf"|(?P<cjk>{ANSWER_SIGNS})|(?P<cjk_closing>{RESULT_SIGNS})"
)
_MARKS = "|".join(("final", _ALPHABETIC, _CLOSING_WORDS, ANSWER_SIGNS, RESULT_SIGNS)).split("|")
_ASCII_MARKS = [word for word in _MARKS if word.isascii()]


def marks_of(low: str) -> Iterator[re.Match[str]]:
    """Return the marks of answers from the last to the first."""
    return from_the_end(MARK, low, _ASCII_MARKS if low.isascii() else _MARKS)


MEANING = meaning(TRUTH)
_ASCII_WORDS = [word for word in MEANING if word.isascii()]
_IS = r"(?:(?:est|es|è|é|ist|is|jest|är|er|on|это|είναι|là)(?!\w)|是|为|為|は|은|는)"
ANY_WORD = "|".join(sorted(map(re.escape, MEANING), key=len, reverse=True))
_TRANSLATED = re.compile(
    rf"((?:(?<!\w)(?:{_ALPHABETIC}|result)(?!\w)|{ANSWER_SIGNS}|{RESULT_SIGNS})[^\w\n?!¬~≠]{{0,9}}"
    rf"(?:{_IS}[^\w\n?!¬~≠]{{0,5}})?|^[^\w\n?!¬~≠]{{0,9}})({ANY_WORD})"
    r"(?=[^\w\n?/|]{0,9}$|[*\"]{0,3}[ \t]?[.:,;(—–](?P<rest>[^\n]{0,1000}))",
    re.IGNORECASE | re.MULTILINE,
)
# Directly behind a translation: a condition, "but" or "or" in these languages.
_UNSETTLED = re.compile(
    r"[^\w\n]{0,5}(?:(?:wenn|falls|sofern|oder|nur|si|ou|seulement|o|oppure|se|solo|sólo|só|если|или|только"
    r"|якщо|або|als|indien|tenzij|alleen|of|jeśli|lub|albo|tylko|pokud|nebo|ha|vagy|om|eller|hvis|jos|tai|eğer|veya|ama|aber|mais"
    r"|pero|mas|ma|но|але|maar|ale|men|mutta|jika|atau|tetapi|nếu|hoặc|nhưng|if|or|unless|but|only|when)(?!\w)"
    r"|如果|除非|或|但|もし|または|ただし|만약|또는|하지만|यदि|अगर|या|لو|إذا|أو|لكن|אם|או|אבל|หาก|ถ้า|หรือ|แต่|اگر|یا|اما)"
)

_EVENT = re.compile(
    r"(?:évén[eè]ment|evento|olay|ereignis|gebeurtenis|zdarzenie|událost|событие|подія|sự kiện|事件|イベント|이벤트)"
    r"(?=[ _]?[0-9])",
    re.IGNORECASE,
)


def translated(text: str) -> str:
    """Return the text with True or False for a translation that is all of a line or a marked answer."""
    # Of letters that are another's only to a pattern (ſ for s) nothing is made.
    low = text.lower()
    if not any(word in low for word in (_ASCII_WORDS if low.isascii() else MEANING)):
        return text

    def english(found: re.Match[str]) -> str:
        meaning, rest = MEANING.get(found[2].lower()), (found["rest"] or "").lower()
        if meaning is None or _UNSETTLED.match(rest) or _gainsaid(rest, meaning):
            return found[0]
        unmarked = found["rest"] is not None and not re.search(r"\w", found[1])
        if unmarked and not _GLOSSED.fullmatch(rest):
            return found[0]
        return found[1] + str(meaning)

    said = _TRANSLATED.sub(english, text)
    return said if said == text else _EVENT.sub("event", said)


_GLOSSED = re.compile(r"(?:true|false)\)[^\w\n?]*")  # "Wahr (True)"


def _gainsaid(rest: str, truth: bool) -> bool:
    """Tell whether behind a translation stands a word for the other verdict, in whatever language."""
    words = re.findall(r"\w+", rest)
    return any(MEANING.get(word, truth) is not truth for word in words) or (
        str(not truth).lower() in words
    )


ADVERBS = (
    r"(?:(?:also|indeed|therefore|thus|hence|always|logically|vacuously|trivially|necessarily"
    r"|definitely|clearly|certainly|obviously|still|itself|then|simply|just|actually|again"
    r"|in fact|(?:most |very )?(?:probably|likely)|equal to|equals|evaluated (?:as|to))[ \t:]+){0,3}"
)
WORD = r"""["']?(?P<word>true|false)(?!\w|['-]\w)["']?"""

_WORD = re.compile(rf"(?<![\w-]){WORD}")

# Behind the word: it is not what the reply says, but what a first look or another problem would.
OF_OTHERS = re.compile(
    r"[^\w\n]{0,9}(?:that )?is what (?:[\w']+ ){0,3}(?:quick|first|na[iï]ve|superficial|cursory|hasty|casual|old"
    r"|older|earlier|previous|other|original|wrong)\b"
)

# A sign before the word that negates it, which makes it no verdict at all.
NEGATED = re.compile(r"(?:[!¬~≠]|<>)[\s=\"'(\[]*$")

_HOPED = "ideally|hopefully|hop(?:es?|ed|ing)|wish|pray|with (?:some |any )?luck|would be nice"
# Behind the word: what makes it a question, a choice, a condition or part of a longer phrase.
_UNDONE = re.compile(
    r"[^\w\n.?!]{0,20}(?:\?|(?:or|vs|nor|if|iff|when|whenever|unless|only|provided|otherwise|else"
    rf"|depending|(?:i |we )?(?:{_HOPED})|{LEFT_OPEN}|and (?:also )?(?:true|false))\b"
    rf"|but (?:only|if|could|may|might|{LEFT_OPEN}|it depends)\b|[/|&][ \t]*(?:true|false))"
)
_GOES_ON = re.compile(
    r"[ \t]*(?:[^\w \t]|$|(?:because|since|as|for|given|by|in|at|on|under|due|assuming|based|with"
    r"|from|regardless|rather than|instead of|so|here|overall|altogether|event[\s_]?[0-9]+|[0-9]+|です|입니다)\b)"
)
_UNSURE = re.compile(
    r"\b50 ?[/:-] ?50\b|\bcoin\b|\bcould (?:also |just as well )?be (?:true|false)\b"
    r"|\b(?:can ?not|can't|could not|couldn't|unable to) (?:be )?"
    r"(?:tell|say|decide|determine|determined|decided|know|answer)"
    rf"|\b{RECONSIDERED}\b"
)
_REJECTED = re.compile(
    r"^[^\w\n]{0,9}(?:is )?(?:wrong|incorrect|mistaken)\b"
    rf"|\b{DENIED}\b|\b(?:it|this|that|which)(?:'s| is| would be| seems) an? trap\b"
)
_QUALIFIED = re.compile(
    r"[^\w\n.;]{0,9}(?:but (?:not|only)\b|(?:for|in|on|along|at|with|under|of)[ \t]+(?:only[ \t]+)?"
    r"(?:some|one|an?|most|many|few|several|certain|none|no|neither|half|exactly|just|at least"
    r"|(?:the )?(?:first|second|third|fourth|last|other|next)"
    r"|the (?:paths|sequences|runs|traces) (?:through|via|with|without|from|that|which|where))\b)"
    r"|[^.;:()\n]{0,80}\b(?:(?:path|sequence|case|run|trace)s? only\b|but (?:not|only) (?:on|in|for|all"
    r"|every|always|the)\b|(?:but|except)(?: for)? (?:one|the (?:last|first))\b)"
)
_JSON_REASON = re.compile(
    r"\s*,\s*\"(?:reason(?:s|ing)?|explanation|rationale|justification|why|analysis|proof|details"
    r"|comments?|thoughts?)\"\s*:"
)
UNTICKED = re.compile(r"\[ ?\]|\( \)|[☐□]")
_AMENDED = (
    r"[.!;,—-][ \t]*(?:(?:or|no|actually|rather|sorry|i mean|it is|it's|make that)[\s,:]*){0,3}"
    r"%s\b"
)
_REASON = re.compile(r"\(|\b(?:because|since|as|given|assuming|due)\b|[.;]\s")
_NOT_THE = "".join(
    f"(?<!{words} )"
    for words in (
        *("not", "rather than", "instead of"),
        *("not necessarily", "not always", "not guaranteed to be"),
    )
)
LEAD = re.compile(
    r"[^\w?]{0,40}(?:(?:therefore|thus|hence|so|consequently|overall|finally|correct(?:ion|ed))\b[\s,:]{0,5})?"
    + WORD
)


def undone(low: str, end: int, label: str) -> bool:
    """Tell whether the rest of its line makes a verdict a question, a choice, a condition, or takes it back."""
    rest = low[end : min(end_of_line(low, end), end + 300)]
    if _JSON_REASON.match(rest):
        return False
    if _QUALIFIED.match(rest) or _REJECTED.search(rest):
        return True
    if OF_OTHERS.match(rest):
        return True
    if _UNDONE.match(rest) or not _GOES_ON.match(rest) or _UNSURE.search(rest):
        return True
    if mark := MARK.search(rest):  # another answer, which `marks` compares
        rest = rest[: mark.start()]
    other = "false" if label == "true" else "true"
    amended = re.search(_AMENDED % other, rest)
    reason = _REASON.search(rest)
    aside = rest[: reason.start()] if reason else rest
    return bool(amended or re.search(rf"{_NOT_THE}\b{other}\b", aside))


# The subject of a statement is the last hypothesis; %s is its number.
SUBJECTS = r"(?:\bc_?%s(?![0-9])|\bthe (?:(?:final|last|whole|given|overall) )?"
SUBJECTS += r"(?:hypothesis|statement|(?:ltl )?(?:formula|property|specification))\b(?! c))"
# What a verdict may be about: the last hypothesis, a part of it, or something else; %s is the hypothesis' number.
_NOUNS = r"(?:hypothesis|statement|claim|assertion|(?:ltl )?(?:formula|property|specification))"
_PARTS = (
    r"(?:premise|antecedent|precondition|consequent|consequence|negation|conjunct(?:ion)?s?"
    r"|disjunct(?:ion)?s?|part|half|side|operand|condition|argument|sub-?formula|body|clause|trigger)"
)
_ABOUT = (
    rf"(?P<own>\bc_?%s(?![0-9])(?:'s (?:truth |final |overall )?(?:value|verdict|status)\b)?(?!'s)"
    rf"|\b{_NOUNS}\b(?! c_?[0-9]))"
    r"|(?P<event>\bevent[\s_]?[0-9]+|\bimplication\b)"
    rf"|\b(?:{_PARTS}|(?:inner|outer|nested|left|right|same|next|previous|other|smaller) {_NOUNS}"
    r"|c_?[0-9]{1,4}(?:'s \w+)?)\b"
    rf"(?: (?:of|in) (?:the )?(?:(?:last|final) )?(?:c_?[0-9]+|{_NOUNS}))?"
)
_CONDITION = re.compile(
    r"\b(?:if|whether|when|whenever|unless|otherwise|suppose|assume|assuming|false that|doubt(?:ful)?|unlikely"
    rf"|hard to believe|claims|claim that|{_HOPED})\b"
)
_DENIES = re.compile(r"\b(?:would|can|cannot|could|might|not)\b|n't\b")
_CONSEQUENCE = re.compile(
    r"\b(?:so(?! far\b| that\b)|therefore|thus|hence|consequently|but|mean(?:s|ing)|which makes|making|i\.e\b"
    r"|that is,|in other words|(?:i|we)(?: can| must|'d| would)?(?: therefore| thus)? (?:conclude|say|get|choose"
    r"|pick|answer)(?: that)?)|(?<![\w<\"/])>"
)
_CLAUSE = re.compile(r"[,;—–]| - ")
_STATED = re.compile(r"[,;:—–]| - |\band\b")
_GLOSS = re.compile(
    r"\((?!(?:i\.e\.,? |so |= ?)?(?:true|false)\))[^()\n]{0,200}\)|\"[^\"\n]{0,200}\""
)
SENTENCE = re.compile(r"(?<=[.!?])[\s\"]+")

# A verdict that is about nothing named stands behind a consequence, or these words are all that leads to it.
_BARE = re.compile(
    r"\W*(?!(?:this|that)(?:'s| is)\b)(?:(?:so|then|and|that|this|which|it|it's|i'm|i'd|i|we|my|the|its|must|has"
    r"|to|be|is|say|get|conclude|find|declare|call|answer|choose|pick|going|go|with|final|finally|overall|short|long|direct|quick"
    r"|version|all|told|things?|everything|considered|ok|okay|verdict|result|conclusion|correct|right|choice|option|truth|value|as|a|basically|simply|yes|no"
    r"|therefore|thus|hence|in|summary|sum|ultimately|judged|rules?|bottom|line|formally|asked|format)\b\W*){0,9}"
)
# A plain conclusion has none of these in its clause before it, …
_SCOPED = re.compile(
    r"\b(?:no|none|neither|nor|never|nobody|not|cannot|impossible|some|any|where|wherever|paths?|sequences?"
    r"|runs?|traces?|moments?|steps?|exists?|there|here|first|second|third|at|event[\s_]?[0-9]+|that is)\b|n't\b"
    r"|\b(?:is|does|was)\W*$"
)
# … none of these between its subject and the word, …
_LOOSE = re.compile(
    r"\b(?:not|never|no|cannot|if|whether|unless|would|could|might|may|can|or|either|when|whenever|until|only|some"
    rf"|{_HOPED}|where|requires?|needs?|demands?|says|asks|wants?|expects?|about|both)\b|n't\b"
    r"|(?<!out )(?<!has )\bto be\b|\?"
)
_ALL = re.compile(
    r"\b(?:in|on|for|along|over|across|of|under) (?:(?:every|all|each|any)(?: of the)?"
    r"(?: single| possible| infinite)* (?:paths?|sequences?|runs?|traces?|cases?|executions?)"
    r"|the (?:given )?(?:rules?|definitions?))\b"
    r"|(?:,|\band|\bas|\bsince)(?: there (?:is|are))? no (?:violating |such |possible )?"
    r"(?:counter-?examples?|sequence|path|run)(?: exists?)?\b(?=\W*$)"
)
# … and these nowhere before it: an intent, or (but for what breaks the hypothesis) one path that is looked at.
_INTENT = re.compile(
    r"\b(?:initially|at first (?:glance|sight)|first (?:thought|impression|guess|instinct)|seems|appears|looks"
    r"|let us|let's|let me|(?:need|needs|want|try|trying|have|has|aim|remains|ought|going) to"
    r"(?! hold\b(?! c_?[0-9]))"
    r"|must (?:show|check|prove|decide|find|see|verify)|goal|task|proof|to (?:prove|show|check|refute"
    r"|disprove|see|verify|decide|determine|find|test)|looking|look for|search(?:ing)? for|consider"
    r"|check|claim(?: to|:)|(?<!your )question|so as to|in order)\b"
)
_ON_ONE = re.compile(
    r"\W*(?:[0-9]{1,3}[.)]\W*)?(?:path\b|sequence\b|case\b|branch\b|(?:take|try|test|taking|trying|testing)\b"
    r"(?! (?:all|everything|th))"
    r"|with (?:(?:the|an?|this) )?(?:path|sequence|run|event)|(?:on|along|at|for|in|after|during|of)\b"
    r"(?! (?:(?:the|this) (?:\w+ )?(?:version|puzzle|problem|task|question|system|graph)\b|conclusion|summary"
    r"|short|sum|total|fact|other words|all\b|every\b|each\b|any\b|both\b|the end\b|definition\b|contrast\b)))"
)
_PARTIAL = re.compile(
    r"\b(?:some|none|no|not|only|but|except|apart|unless|one|first|second|third|fourth|fifth|last"
    r"|most|many|few|several|certain|half|neither|nor|never|sometimes|moments?|position|step|branch\w*|there"
    r"|event[\s_]?[0-9]+|if|when|whenever|where|this|that|another|other|assuming|assumption"
    r"|provided)\b|\b(?:on|in|along|for)[ \t]+(?:the|an?)[ \t]+(?:\w+[ \t]+)?(?:path|sequence|run)\b"
)
_GIVEN_REASON = re.compile(
    r"\(|\b(?:because|since|as|given|due|so|by|consider|take|see"
    r"|(?:and|with) (?:an?|one|the)(?: \w+)? (?:sequence|path|run|trace|counter-?example))\b|[.;:]"
)
_INITIAL = re.compile(
    r"\b(?:at|in|from) (?:the |its )?(?:very )?(?:first|initial|start\w*) (?:event|moment|state"
    r"|position|step|one)\b"
)
_THE_WHOLE = re.compile(
    r"\b(?:in|on|for|over) this (?:(?:event|trace|transition) )?"
    r"(?:system|graph|setting|scenario|context|model|world)\b"
)


def states(sentence: str, name: str) -> str | None:
    """Return "true" or "false" if a sentence concludes just that of the last hypothesis."""
    if not any(word in sentence for word in ("true", "false")):
        return None
    sentence = _ALL.sub(
        "", _glossed(name).sub(r"\1", _IS_ANSWER.sub(r"\1", _SURE.sub("", sentence)))
    )
    words = set()
    for match in deque(_WORD.finditer(sentence), _MAX_VERDICTS):
        rest = sentence[match.end() :]
        if not _concluded(sentence[: match.start()], name, match["word"]):
            continue
        if _UNDONE.match(rest) or not _GOES_ON.match(rest):
            return None
        if not _partial(rest):
            words.add(match["word"])
    return words.pop() if len(words) == 1 else None


def _concluded(before: str, name: str, word: str) -> bool:
    """Tell whether a verdict is a plain conclusion about the last hypothesis, by what stands before it."""
    begin = max((found.end() for found in _CONSEQUENCE.finditer(before)), default=0)
    broken = word == "false" and begin and before[begin - 1] != ">"
    if _ON_ONE.match(before) and not broken:
        return False
    if _INTENT.search(before) or NEGATED.search(before[-60:]) or UNTICKED.search(before[-6:]):
        return False
    if conditional(before):
        return False
    subject = next(iter(deque(_about(name).finditer(before), 1)), None)
    if subject is None or (subject["event"] and subject.end() < begin):
        return _BARE.fullmatch(before, begin) is not None
    if subject["own"] is None or _LOOSE.search(before[max(begin, subject.end()) :]):
        return False
    clause = _STATED.split(before[begin : max(begin, subject.start())])[-1]
    return _SCOPED.search(clause) is None


_MAX_VERDICTS = 9  # in a sentence, of which the last ones count
_IS_ANSWER = re.compile(
    r"\b(true|false) is (?:the|my) (?:final |correct |right )?(?:answer|choice|option|verdict)\b"
)


# What only stresses the statement behind it: "There is no doubt that", "I take my first instinct back:".
_FIRST = r"(?:my|the) (?:first|initial) (?:thought|impression|guess|instinct|intuition|look)"
_SURE = re.compile(
    r"\b(?:(?:(?:there is|i have|without|beyond) (?:no|an?y?|all)|no)(?: reasonable)? doubt(?: that|[,:])? "
    r"(?=(?:it|true|false|the (?:hypothesis|statement|answer)|c_?[0-9]{1,4})\b)"
    r"|the (?:hypothesis|statement) (?:is not (?:valid|true)|is invalid|does not hold|fails)[:;,] "
    r"(?=c_?[0-9]{1,4} is false\b)"
    rf"|(?:contrary to {_FIRST}|i (?:take|revise) {_FIRST}(?: back)?|{_FIRST} was wrong)[,:;] )"
)


@lru_cache(maxsize=64)
def _glossed(name: str) -> re.Pattern[str]:
    """Return a pattern of the last hypothesis, and what it says behind it."""
    return re.compile(
        rf"(\bc_?{name})(?:,? which [^,\n]{{1,200}},| ?: [^,;:.\n]{{1,200}}?)(?= (?:is|=) )"
    )


@lru_cache(maxsize=64)
def _about(name: str) -> re.Pattern[str]:
    return re.compile(_ABOUT % name)


def _partial(rest: str) -> bool:
    """Return whether what follows a statement confines it to a path or a moment."""
    reason = _GIVEN_REASON.search(rest)
    aside = rest[: reason.start()] if reason else rest
    aside = _THE_WHOLE.sub("", _INITIAL.sub("", aside))
    return bool(_PARTIAL.search(aside) or _REJECTED.search(rest))


def conditional(before: str) -> bool:
    """Return whether a statement depends on what stands before it in its sentence."""
    clauses = _CLAUSE.split(before)
    if _CONSEQUENCE.match(clauses[-1].lstrip()):  # "so nothing can go wrong and C5 is true"
        clauses[-1] = f"so {clauses[-1].rpartition(' and ')[2]}"
    consequences = list(_CONSEQUENCE.finditer(clauses[-1]))
    begin = consequences[-1].end() if consequences else 0
    if _CONDITION.search(clauses[-1]) or _DENIES.search(clauses[-1], begin):
        return True
    heads = (clause.lstrip(" (-#>0123456789.") for clause in clauses)
    return not consequences and any(_CONDITION.match(head) or _DENIES.match(head) for head in heads)


def sentences_of(line: str, name: str) -> list[str]:
    """Split a line into sentences, without the glosses that quote what a hypothesis says."""
    line = re.sub(rf"\((c_?{name})\)", r"\1", line.strip())
    line = re.sub(r"\"(true|false|c_?[0-9]{1,4})\"", r"\1", line)
    if line.startswith("(") and line.endswith(")"):
        line = line[1:-1]
    return [part for part in SENTENCE.split(_GLOSS.sub(" ", line)) if re.search(r"\w", part)]


def verdict(low: str, start: int, end: int) -> Reading | None:
    """Return the verdict with which a line begins."""
    match = LEAD.match(low, start, end)
    if match is None or UNTICKED.search(match[0]) or undone(low, match.end(), match["word"]):
        return None
    if NEGATED.search(low[start : match.start("word")][-60:]):
        return None
    return Reading(match["word"] == "true", start, match.end())
