"""Verdicts in plain text: which words say True or False, and what around them undoes that.

The vocabulary that all of `harness_ltlbench.answers`' rules share: the word itself, the words
that announce an answer, and the sentences that state the last hypothesis. Text is lowered.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal, TypeAlias

from harness_ltlbench.cleaning import end_of_line

MAX_LINE = 2_000


@dataclass(frozen=True, slots=True)
class Reading:
    """A verdict at a place: the text from start to end says it, a path may follow at end."""

    label: bool
    start: int
    end: int


# What a place says that is looked at for a verdict: one, expressly none, or nothing at all.
Said: TypeAlias = "Reading | Literal['none'] | None"

_ALPHABETIC = (
    "answer|réponse|reponse|respuesta|resposta|risposta|antwort|antwoord|svar|vastaus|odpowiedź"
    "|odpověď|válasz|răspuns|cevap|jawaban|đáp án|trả lời|ответ|відповідь|απάντηση|תשובה|उत्तर"
    "|الإجابة|الجواب"
)
_IDEOGRAPHIC = "答案|回答|解答|答え|答|정답|답변|답"
_CLOSING_WORDS = (
    "conclusion|verdict|result|decision|label|conclusión|conclusão|conclusione|fazit|ergebnis"
    "|вывод|итог"
)
MARK = re.compile(
    rf"(?:(?<!\w)|(?<=final_))(?:(?P<answer>{_ALPHABETIC})|(?P<closing>{_CLOSING_WORDS}))(?!\w)"
    rf"|(?P<cjk>{_IDEOGRAPHIC})|(?P<cjk_closing>结论|結論|결론)"
)

ADVERBS = (
    r"(?:(?:also|indeed|therefore|thus|hence|always|logically|vacuously|trivially|necessarily"
    r"|definitely|clearly|certainly|obviously|still|itself|then|simply|just|actually|again"
    r"|in fact|(?:most |very )?(?:probably|likely)|equal to|equals|evaluated (?:as|to))[ \t]+){0,3}"
)
WORD = r"""["']?(?P<word>true|false)(?!\w|['-]\w)["']?"""

# Behind the word: what makes it a question, a choice, a condition or part of a longer phrase.
_UNDONE = re.compile(
    r"[^\w\n.?!]{0,20}(?:\?|(?:or|vs|nor|if|iff|when|whenever|unless|only|provided|otherwise|else"
    r"|depending|maybe|perhaps|possibly|and (?:also )?(?:true|false))\b"
    r"|but (?:only|if|could|may|might|maybe|perhaps|it depends)\b|[/|&][ \t]*(?:true|false))"
)
_GOES_ON = re.compile(
    r"[ \t]*(?:[^\w \t]|$|(?:because|since|as|for|given|by|in|at|on|under|due|assuming|based|with"
    r"|from|regardless|so|here|event[\s_]?[0-9]+|[0-9]+|です|입니다)\b)"
)
_UNSURE = re.compile(
    r"\b50 ?[/:-] ?50\b|\bcoin\b|\bcould (?:also |just as well )?be (?:true|false)\b"
    r"|\b(?:can ?not|can't|could not|couldn't|unable to) (?:be )?"
    r"(?:tell|say|decide|determine|determined|decided|know|answer)"
    r"|\bwait\b|\bscratch that\b|\bon second thought\b"
)
UNTICKED = re.compile(r"\[ ?\]|[☐□]")
_AMENDED = (
    r"[.!;,—-][ \t]*(?:(?:or|no|actually|rather|sorry|i mean|it is|it's|make that)[\s,:]*){0,3}"
    r"%s\b"
)
_REASON = re.compile(r"\(|\b(?:because|since|as|given|assuming|due)\b|[.;]\s")
LEAD = re.compile(
    r"[^\w?]{0,40}(?:(?:therefore|thus|hence|so|consequently|overall|finally)\b[\s,:]{0,5})?" + WORD
)


def undone(low: str, end: int, label: str) -> bool:
    """Return whether what follows a verdict on its line makes it none."""
    rest = low[end : min(end_of_line(low, end), end + 300)]
    if _UNDONE.match(rest) or not _GOES_ON.match(rest) or _UNSURE.search(rest):
        return True
    if mark := MARK.search(rest):  # another answer, which `marks` compares
        rest = rest[: mark.start()]
    other = "false" if label == "true" else "true"
    amended = re.search(_AMENDED % other, rest)
    reason = _REASON.search(rest)
    aside = rest[: reason.start()] if reason else rest
    return bool(amended or re.search(rf"(?<!not )\b{other}\b", aside))


# The subject of a statement is the last hypothesis; %s is its number.
_SUBJECTS = r"(?:\bc_?%s(?![0-9])|\bthe (?:final |last )?hypothesis\b(?! c))"
_STATEMENT = (
    r"(?:[ \t]*,? which [^,\n]{1,200},)?[\s,:]*"
    r"(?:(?:is|=|equals|must be|has to be|evaluates to|>)\s*)" + ADVERBS + WORD
)
_MADE = r"\b(?:makes|making)[ \t]+(?:the )?%s[\s,:]*" + WORD
_LISTED = r"^[^\w?]{0,20}%s[\s,:=>-]{1,9}" + WORD
_CONDITION = re.compile(
    r"\b(?:if|whether|when|whenever|unless|otherwise|suppose|assume|assuming|would|can|could|might"
    r"|not|false that|doubt|claims?)\b|n't\b"
)
_CONSEQUENCE = re.compile(r"\b(?:so|therefore|thus|hence|consequently|but|which means)\b")
_CLAUSE = re.compile(r"[,;—–]| - ")
_GLOSS = re.compile(r"\([^()\n]{0,200}\)|\"[^\"\n]{0,200}\"")
SENTENCE = re.compile(r"(?<=[.!?])[\s\"]+")


def states(sentence: str, name: str) -> str | None:
    """Return "true" or "false" if a sentence states just that of the last hypothesis."""
    subject = _SUBJECTS % name
    found = set()
    for pattern in (subject + _STATEMENT, _MADE % subject, _LISTED % subject):
        for match in re.finditer(pattern, sentence):
            rest = sentence[match.end() :]
            before = sentence[: match.start()]
            if _UNDONE.match(rest) or not _GOES_ON.match(rest) or conditional(before):
                return None
            found.add(match["word"])
    return found.pop() if len(found) == 1 else None


def conditional(before: str) -> bool:
    """Return whether a statement depends on what stands before it in its sentence."""
    clauses = _CLAUSE.split(before)
    if _CONDITION.search(clauses[-1]):
        return True
    return _CONSEQUENCE.search(clauses[-1]) is None and any(
        _CONDITION.match(clause.lstrip(" (-#>0123456789.")) for clause in clauses
    )


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
    return Reading(match["word"] == "true", start, match.end())
