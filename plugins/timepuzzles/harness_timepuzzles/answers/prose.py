"""Judge the prose behind a list of dates: does it leave the list alone?

Prose leaves a list alone unless it retracts, doubts or extends it. It is cut into clauses, and what
a clause may say depends on the dates it names: of a date that is in the list nothing negative, of
any other date only that it is out, or when something else happened. Where both are said in one
breath, the prose is taken to touch the list: a guess is worth nothing.
"""

from __future__ import annotations

import re

from harness_answers.claims import EXPLANATION
from harness_answers.revocation import DENIED, RECONSIDERED

from harness_timepuzzles.answers.date_lists import Listed
from harness_timepuzzles.answers.dates import COUNT, NO_DATES, read
from harness_timepuzzles.answers.words import DATE, DOUBTS, MONTH, WEEKDAY

_LEAD = re.compile(r"\W*(?:\d{1,2}[.)]\s+)?\W*")
_SENTENCES = re.compile(
    r"\n+|(?<=\w\w[.!?])[ \t]+(?=[A-Z(0-9])|(?<=\)[.!?])[ \t]+(?=[A-Z(0-9])|(?<=[\u4e00-\u9fff]\.)"
)
_CLAUSES = re.compile(r";|,?[ \t](?:while|whereas|(?<!all )but|because|since)\b", re.IGNORECASE)

_GOES_ON = re.compile(
    r"(?:also(?!,? note)|and|or|plus|except|excluding|unless|without|provided|either|maybe|perhaps"
    r"|possibly|probably|alternatively|only if|assuming|if(?! (?:you|needed|anything)\b))\b"
    r"|none\W*(?:\n|\Z)|[0-9]{4} (?!(?:is|was|has|had)\b)|[0-9](?![0-9]{3} )"
    rf"|not\b(?![^\n]*[0-9]{{3}})|(?:{MONTH}|{WEEKDAY})\b(?![^\n]*\b(?:is|was|are|were|ha[sd]|i"
    r"|falls?|fell|begins?|starts?|ends?)\b)",
    re.IGNORECASE,
)
_TAKEN_BACK = re.compile(
    rf"\b(?:{RECONSIDERED}|{DENIED}|actually|correction|corrected|erratum"
    r"|i (?:was|am) (?:wrong|mistaken|not sure|unsure)|i'm (?:not sure|unsure)"
    r"|i (?:can ?not|can't|could not|couldn't|don't know|do not know)"
    r"(?! (?:find|see|think of) any (?:other|more|further|additional))"
    r"|(?:that|this|it|which|above|answer|list|dates?) (?:is|was|are|were) (?:in fact |also )?"
    r"(?:not (?:right|correct|complete|certain|sure|valid|final|the answer)|wrong|incorrect"
    r"|mistaken|invalid|incomplete|unknown|a guess)|(?:answer|list) is not"
    r"|(?:is|are)n't (?:right|correct)|can ?not be determined|only a guess"
    r"|(?:this|that|it|they) (?:is|are) excluded|rules? (?:this|that|it|them) out"
    r"|should (?:also )?(?:be|have been|include|read)|(?:that|it)'s (?:wrong|not right|incorrect)|mistakes?"
    r"|strike (?:that|this)|(?:ignore|disregard) (?:the|this|that|my)|take (?:that|this|it) back|not confident"
    r"|after all"
    r"|the (?:real|correct|right|true|actual) (?:answers?|dates?|solutions?) (?:is|are)"
    r"|forg[eo]t\w*|overlooked|(?:left out|omitted)\b(?![^.]* (?:because|since|as) )"
    r"|i(?:'ve| have| may have| might have| could have)? missed)\b"
    r"|\A\W*(?:sorry|apologies|no|nope|not (?:certain|sure))\b(?:[,.!]|\W*\Z)"
    rf"|{DOUBTS}",
    re.IGNORECASE,
)
_OPEN = re.compile(
    r"\bthere (?:may|might|could|can|are|is|must|should|will)\b(?: (?:well|also|still|be|exist))*"
    r" (?:\w+ ){0,2}?(?:others?|more|another|additional|further)\b"
    r"|\b(?:others?|more)(?: \w+)? (?:may|might|could|can|exist|are (?:also )?(?:possible|valid))\b"
    r"|\bi (?:may|might|could|must) (?:\w+ )?(?:be|have) (?:missing|missed|overlooked|wrong|mistaken)"
    r"|\bnot exhaustive|\bincomplete|\band (?:so on|others|more)\b|\betc\b",
    re.IGNORECASE,
)
_MORE = re.compile(
    r"\b(?:another|a second|a third|(?<!all )(?<!any )(?<!the )other|more|additional|further)"
    r" (?:valid |possible |such )?(?:dates?|days?|solutions?|answers?)\b"
    r"|\b(?:next|following|previous|other|(?:days?|weeks?|months?|years?) (?:after|before))\b[^.\n]{0,60}"
    r"\b(?:as well|also|too|valid|fits?|works?"
    r"|satisf\w+)\b|[0-9](?:st|nd|rd|th)\b[^.\n]{0,60}\b(?:also|too|as well|works?|fits?)\b",
    re.IGNORECASE,
)
_CONTRADICTS = re.compile(
    r"\b(?:no (?:such )?dates?|nothing(?<!adds nothing)|none of (?:these|those|them|the above))\b"
    r"(?! (?:outside|before|after|besides|in|other|earlier|later|else|from|between))",
    re.IGNORECASE,
)
_SOME = re.compile(
    rf"\bthere (?:is|are) (?:exactly |only |at least )?(?:an?|some|several|many|{COUNT})\b"
    r"(?: (?:valid|such|possible))* (?:dates?|days?|solutions?|answers?)\b",
    re.IGNORECASE,
)
_DOUBTS = re.compile(
    r"\b(?:this|that|it|they|clues? [0-9]{1,2}|(?<!other )dates?|answer|list) (?:does not|doesn't|do not|don't"
    r"|fails?|violates?|breaks?|(?:is|are) (?:not (?:met|satisfied|fulfilled)|violated|broken))\b",
    re.IGNORECASE,
)
_TURNS = re.compile(r"\W*(?:but|however|though|although|still|yet)\b", re.IGNORECASE)
_POLITE = re.compile(r"\b(?:please|double-check|verify|note|no other)\b", re.IGNORECASE)

NEGATES = re.compile(
    r"\b(?:exclud\w+|rul(?:e|es|ed|ing) out|fail\w*|violat\w+|break\w*|broke\w*|eliminat\w+"
    r"|reject\w*|discard\w*|(?:is|are|was|were) out|lea(?:ves?|ving) (?:it|this|that|them) out"
    r"|outside|close|(?:almost|nearly) (?:fit|work"
    r"|satisf)\w*|all but|not|cannot|never|neither|too (?:early|late)|wrong|invalid|dropped|removed"
    r"|(?:contains?|has|ha[dv]e?|adds?) no(?:thing)?\b(?! (?:but|except|other))"
    r"|contradict\w*|(?:already|still) (?:in|belong\w*|falls?|part))\b|n't\b|[✗✘❌]|×(?! ?[0-9])"
    r"|不(?:符合|满足|滿足|行|对|對|算)|排除|[:|-]\s*no\b",
    re.IGNORECASE,
)
_EXTENDS = re.compile(
    r"\b(?:also|wrongly|mistakenly|erroneously|in error|after all|other than|besides(?! that,? it\b)"
    r"|only(?! (?:years?|months?|weeks?|beg[aiu]n\w*|start\w*|end\w*)\b)"
    r"|(?:except|all but)(?! (?:for )?(?:clue|condition|constraint|one))|too(?! (?:early|late|soon))"
    r"|as well|second (?:date|day|solution|one|answer)|another|should|must|more dates|instead"
    r"|not (?:only|just|bad|to be|be)|(?:out|excluded|rejected) (?:at first|initially)"
    r"|forg\w+|missed"
    r"|ignor\w+|neglect\w*|(?:not|cannot|never|n't|can't) (?:(?:be|been|actually|really|any) )*(?:"
    r"exclud\w+|ruled|fail\w*|violat\w+|break\w*|eliminat\w+|reject\w*|discard\w*|wrong|invalid"
    r"|out|contradict\w*)|no (?:clue|reason|rule|constraint)s?)\b|n't (?:be )?(?:exclud|rule|fail"
    r"|violat|break|eliminat|reject|discard|wrong|invalid|contradict)|\?",
    re.IGNORECASE,
)
_HISTORY = re.compile(
    r"\b(?:new year|was born|died|date range|range of|took place|signed|ended|lasted|beg[ai]nnt?"
    r"|ende(?:te|t)?|dauerte|geboren|eröffnet|starb|nació|comenzó|terminó|commence|finit)\b|开始|结束|出生|去世|开幕",
    re.I,
)
# With D for each date: when something else lasted ("Truman: D to D"), and which dates were tried in vain.
_ON_WEEKDAY = re.compile(
    rf"\bD(?:(?:,| and|, and) D)* (?:is|was|are|were|fell on|falls on) (?:an? )?{WEEKDAY}s?\b", re.I
)
_TRIED = re.compile(
    r"\W*I (?:have )?(?:also )?(?:checked|tried|tested|considered)(?:(?:,| and|, and)? D)+\W*"
)
_PERIODS = re.compile(r"\b(?:range|period|interval|zeitr[aä]um|période)|期间|区间", re.IGNORECASE)
_ANY = DATE.pattern.replace("?P<partial>", "?:")
_PERIOD = re.compile(rf"{_ANY}[ ]?(?:to|until|through|bis|hasta|al?|au|-)[ ]?{_ANY}", DATE.flags)
# "14 years to the day after D"; "D was on my list, too, but …"
_APART = re.compile(
    rf"\b(?:day|week|month|year)s?(?:[ ]to[ ]the[ ]day)?[ ](?:after|before)[ ]{_ANY}", DATE.flags
)
_WAS = re.compile(
    r"\W*D (?:was|were) (?:also )?(?:on (?:my|the) (?:short)?list|an? candidate|tempting)\b[^.;]{0,40}\bbut\b"
    r"(?![^.;]*\b(?:i|my|not|still|fits?|works?|add\w*|includ\w*|above)\b)",
    re.I,
)
_NO_OTHER = re.compile(r"\W*No other (?:dates?|days?)\b", re.IGNORECASE)
_CLAIMS = re.compile(
    r"\b(?:satisf|fit|match|meet|work|valid|right|correct|solution|answer|add(?!s? nothing\b(?! but))|includ"
    r"|list(?!ed)|also|as well|too\b(?! late)|auch|ebenfalls|erfüll|gült|passt|también|cumple|válid|aussi|convient"
    r"|valable)|[也还還另]|符合|满足|滿足|有效|答案",
    re.I,
)

_MAX_REASON = 400
_EXCLUDED = re.compile(
    r"(?:\((?P<bracket>[^()\n]{1,200})\)|(?:,|,? (?:and|but)) not (?P<dates>[^\n]{6,200}))[.!]?[ \t]*\Z",
    re.IGNORECASE,
)
_REASON = re.compile(
    rf"(?P<none>\W*(?:{NO_DATES}))(?P<before>[ \t]*[(,;:-][ \t]*|[ \t]+(?=because|since))"
    r"(?P<reason>(?:because|since|as|no|the|there|all|every|each|clues?|it|its|these|this|both|neither"
    r"|[0-9]{4}(?![-/.0-9]))\b[^\n]*?)[ \t]*[.!]?[ \t]*",
    re.IGNORECASE,
)
_HEDGED = re.compile(
    r"\b(?:except|but|unless|or|if|maybe|perhaps|possibly|probably|might|may(?! [0-9])|could|other than"
    r"|apart from|besides|only|also|too|above|sure|unsure|guess|think|though|although|unclear|unknown"
    r"|not (?:enough|given|provided|known|stated)|insufficient|cannot|can't|unable|ambiguous|missing"
    r"|however|instead|answer|one (?:is|date|:)|no (?:clue|reason|rule|constraint)s?)\b|[?{}\[\]]",
    re.IGNORECASE,
)
# Why there is no date: something about the clues or the days, and what is the matter with them.
_TOPIC = re.compile(
    rf"\b(?:clues?|conditions?|constraints?|dates?|days?|months?|years?|{WEEKDAY}s?|[0-9]{{4}})\b",
    re.IGNORECASE,
)
_MATTER = re.compile(
    r"\b(?:contradict\w*|conflict\w*|no|not|never|neither|none|impossible|incompatible|inconsistent"
    r"|rul(?:e|es|ed) out|exclud\w+|fail\w*|empty|disjoint)\b|n't\b",
    re.IGNORECASE,
)
_NO_MATTER = re.compile(
    r"(?:\b(?:no|not|never|neither|nor)\b|n't\b)[^,;.]{0,30}\b(?:exclud|violat|fail|break|contradict"
    r"|conflict|broken|ruled|impossible|incompatible|inconsistent|empty|doubt|problem)"
    r"|\b(?:given|prompt|tools?|time|comput\w*|ai|truncated|yet|so far|model|(?<!each )other|found)\b",
    re.IGNORECASE,
)


def stands_apart(prose: str, listed: Listed, adjoining: bool = False) -> bool:
    """Tell whether prose behind a list begins a sentence of its own and leaves the list alone.

    Args:
        prose: what follows the list, to the end of the text.
        listed: the dates of the list; none: the answer is that there is no date.
        adjoining: the prose follows lines of dates: without a blank line it may be one of them,
            so that it may name no other date at all.
    """
    words = prose[_LEAD.match(prose).end() :]  # type: ignore[union-attr]  # it always fits
    if not words:
        return not prose.strip(" \t\n.,;\"'()[]{}$|-_=#>")
    first = prose.lstrip(" \t\n.,;:\"'()[]$|-+*#>•✓✔✅☑")
    named = DATE.match(first)
    begins = named or (words[0].isalnum() and not words[0].islower() and not _GOES_ON.match(words))
    if not (begins or WHAT_IF.match(words) or _BRACKETED.fullmatch(prose)):
        return False
    paragraph = _PARAGRAPH.match(prose)
    adjoining = adjoining and not paragraph
    prose = WHAT_IF.sub("", prose)
    called = _EXPLANATION.match(prose)
    lead = ""
    for sentence in _SENTENCES.split(prose):
        explained = called or (paragraph and _is_english(sentence))
        looked_at = bool(called or LOOKED_AT.search(lead))
        alone = _leaves_alone(sentence, listed, adjoining)
        if not alone and (not explained or _touches(sentence, looked_at, listed)):
            return False
        listed_below = sentence.rstrip().endswith(":") or not DATE.search(sentence)
        if listed_below and not sentence.lstrip().startswith("|"):
            lead = sentence
    return True


_EXPLANATION = re.compile(rf"\W*{EXPLANATION}\W{{0,3}}:", re.IGNORECASE)
_BRACKETED = re.compile(r"\s*\([^()\n]{20,}\)[.!]?\s*")
_PARAGRAPH = re.compile(r"[ \t.;!]*\n[ \t]*\n")
# "If the range were longer, D would fit" claims nothing; of another reading of a clue it would.
WHAT_IF = re.compile(
    r"(?:^|(?<=[.!?][ \t]))[^\w\n]{0,9}(?:if|had)\b(?=[^\n.!?]{0,200}\bwould\b)[^\n.!?,]{0,40}"
    r"\b(?:range|period|interval|window|clue [0-9]{1,2}|clues?)\b[^\n.!?,]{0,20}"
    r"\b(?:were|was|had|been|went|ran|started|began|ended|did not|didn't|extended)\b"
    r"(?![^\n.!?]*\b(?:read|interpret\w*|taken|meant|understood|answer)\b)[^\n.!?]{0,300}(?:[.!]|$)",
    re.IGNORECASE | re.MULTILINE,
)
# Dates behind this were only looked at.
LOOKED_AT = re.compile(
    r"\b(?:candidates?|list(?:ing)?|check(?:s|ed|ing)?|test(?:s|ed|ing)?|tried|try|consider(?:ed|ing)?"
    r"|examin\w+|go(?:ing)? through|(?:others?|rest)\b[^.\n]{0,40} (?:fails?|failed|(?:is|are) (?:out|excluded))"
    r"|look(?:ing)? at|enumerat\w+|calendar|table|all (?:the )?(?:days|[0-9]{1,2}(?:st|nd|rd|th)s|\w+days))\b",
    re.IGNORECASE,
)
_PLANS = re.compile(
    r"\b(?:let me|let us|let's|i(?:'ll| will)?|we(?:'ll| will)?)(?: now| first)? (?:list|check|test)\b",
    re.I,
)
_STAYS = re.compile(
    r"\b(?:stays?|remain\w*|left(?! out)|leav\w+|surviv\w+|pass(?:es|ed)?|qualif\w+|holds?|keeps?|kept|complies"
    r"|result|ok(?:ay)?"
    r"|yes|good|in(?= ?[.!;,\n]|\Z)|candidates? (?:is|are)|final\w*|conclu\w+|true|accept\w*|consistent"
    r"|is the (?:\w+ )?(?:day|date|one)"
    r"|it is(?=\W*\Z)|is it(?=\W*\Z)|(?:is|are) missing|moreover|furthermore|in addition|additionally)\b|[✓✔✅☑]",
    re.IGNORECASE,
)


_ENGLISH = re.compile(
    r"\b(?:the|are|were|it|its|from|and|which|by|has|been|not|month|lunar|year|(?:is|was) an?|begins|began"
    r"|that|had|but|table|on|up to|[a-z]{3,}ed)\b"
)
_WORD = re.compile(r"\b[a-z]{2,}\b")
_FOREIGN = re.compile("[\u0250-\u1fff\u2e80-\ua000\uac00-\ud7ff]")


def _is_english(sentence: str) -> bool:
    """Tell whether a sentence is in English, or has no words: what claims a date is known in English alone."""
    words = _WORD.search(DATE.sub("", sentence))
    return not _FOREIGN.search(sentence) and bool(not words or _ENGLISH.search(sentence))


# "D is a Wednesday as well but fails clue 4"
_CONCEDED = re.compile(
    r"\b(?:as well|too|also|would (?:\w+ )?(?:fit|match|satisfy|meet|work))\b([^.;]*)\bbut\b"
    rf"(?=[^.;]*(?:{NEGATES.pattern}))",
    re.IGNORECASE,
)
_YEAR_APART = re.compile(r"\((?:and|but|not) [0-9]{4}\b(?![-/.])[^()\n]{0,120}\)", re.IGNORECASE)


# A tick before a line of a checklist, and "only", claim no other date by themselves.
_ONLY = re.compile(r"\A\W*[✓✔✅☑]|\bonly[ ]", re.IGNORECASE)


def _touches(sentence: str, looked_at: bool, listed: Listed) -> bool:
    """Tell whether a sentence of an explanation takes dates back, or claims another one.

    A date without a sentence around it is a claim, unless the dates here are only ``looked_at``.
    """
    sentence = _CONCEDED.sub(r"\1", _YEAR_APART.sub("", sentence))
    doubts = (_TAKEN_BACK, _OPEN, _DOUBTS, _CONTRADICTS if listed.dates else _SOME)
    if _TURNS.match(sentence) or any(sign.search(sentence) for sign in doubts):
        return True
    if _MORE.search(sentence) and not NEGATES.search(sentence):
        return True
    named, others = _named(sentence, listed)
    if not others:
        return bool(named and NEGATES.search(sentence))
    said = _PLANS.sub("", sentence)
    said = _ONLY.sub("", said) if listed.dates else said
    claims = any(sign.search(said) for sign in (_CLAIMS, _STAYS, _EXTENDS))
    return claims or (not looked_at and len(_WORD.findall(DATE.sub("", sentence))) < 2)


def retracts(prose: str) -> bool:
    """Tell whether prose takes an answer back that stands above it."""
    return _TAKEN_BACK.search(prose) is not None


def without_reason(line: str) -> str:
    """Return a line "none, because …" without the reason, if the reason takes nothing back."""
    parts = _REASON.fullmatch(line) if len(line) <= _MAX_REASON else None
    if parts is None:
        return line
    reason = parts["reason"]
    if _HEDGED.search(reason) or len(reason.split()) < 3:
        return line
    if not (_TOPIC.search(reason) and _MATTER.search(reason)) or _NO_MATTER.search(reason):
        return line
    if ("(" in parts["before"]) is not reason.endswith(")"):
        return line
    return parts["none"] if _leaves_alone(reason, Listed(frozenset(), ()), False) else line


def without_excluded(line: str) -> str:
    """Return a list of dates without the others behind it that it excludes: "none (not 2001-05-06)"."""
    found = _EXCLUDED.search(line[-_MAX_REASON:])
    if found is None:
        return line
    before = line[: len(line) - len(found[0])]
    listed, said = read(before), _CONCEDED.sub(r"\1", found["bracket"] or f"not {found['dates']}")
    if listed is None or _HEDGED.search(said) or _TAKEN_BACK.search(said) or _EXTENDS.search(said):
        return line
    named, others = _named(said, listed)
    years = set(re.findall("(?<![0-9-])[0-9]{4}(?![0-9])", said))
    others = others or (bool(years) and years.isdisjoint(day[:4] for day in listed.dates))
    apart = bool(others and not named and NEGATES.search(said))
    if found["dates"]:
        apart = apart and read(found["dates"]) is not None
    return before if apart else line


# "All of them fall in the spring of a leap year (1984)"
_OF_THEM = re.compile(
    r"\W*(?:all|each|every one|both)(?: \w+)? (?:of (?:them|these)|are|fall|were)\b", re.IGNORECASE
)


def _leaves_alone(sentence: str, listed: Listed, adjoining: bool) -> bool:
    if _OF_THEM.match(sentence) and not NEGATES.search(sentence) and not _OPEN.search(sentence):
        return not _TURNS.search(sentence)
    if _TAKEN_BACK.search(sentence) or _OPEN.search(sentence):
        return False
    if _WAS.match(DATE.sub("D", sentence)) and not _named(sentence, listed)[0]:
        return True
    turns = bool(_TURNS.match(sentence) and not _POLITE.search(sentence))
    clauses = _CLAUSES.split(sentence)
    if _NO_OTHER.match(sentence):
        clauses = [part for part in clauses if not _TRIED.fullmatch(DATE.sub("D", part))]
    return all(_harmless(clause, listed, adjoining, turns) for clause in clauses)


def _harmless(clause: str, listed: Listed, adjoining: bool, turns: bool) -> bool:
    named, others = _named(clause, listed)
    negates = NEGATES.search(clause) is not None
    if others:
        out = negates and not named and not _EXTENDS.search(clause)
        bare = DATE.sub("D", clause)
        past = _HISTORY.search(clause) or _ON_WEEKDAY.search(bare)
        history = past and not (_CLAIMS.search(clause) or _EXTENDS.search(clause))
        return bool(out or history) and not adjoining
    if named:
        fewer = len(named) < len(listed.dates) and re.search(r"\bonly\b", clause, re.IGNORECASE)
        return not (negates or turns or fewer)
    if not listed.dates and not listed.impossible:
        return _SOME.search(clause) is None
    more = _MORE.search(clause) and not (
        negates or re.search(r"\b(?:no|none|if you)\b", clause, re.I)
    )
    return not (turns or more or _DOUBTS.search(clause) or _CONTRADICTS.search(clause))


def _named(clause: str, listed: Listed) -> tuple[set[str], bool]:
    """Return the dates of the list that a clause names, and whether it names any other."""
    if not re.search("[0-9]", clause):
        return set(), False
    dates = {*listed.dates, *listed.impossible}
    named: set[str] = set()
    others = False
    if _PERIODS.search(clause) and not _CLAIMS.search(clause):
        clause = _PERIOD.sub("", clause)
    for name in DATE.finditer(_APART.sub("", clause)):
        days = _matching(name, dates)
        if days is None:
            continue
        named |= days & dates
        others = others or not days or not days <= dates
    return named, others


def _matching(name: re.Match[str], dates: set[str]) -> set[str] | None:
    """Return the dates that a name of one may mean; None if it is the verb "may"."""
    if name["partial"] is None:
        read_as = read(name[0])
        return {*read_as.dates, *read_as.impossible} if read_as else set()
    text = name[0].rstrip(",.")
    if not re.search("[A-Z]", text):
        return None
    whole = read(f"{text} 2000")
    ends = {day[4:] for day in (*whole.dates, *whole.impossible)} if whole else set()
    return {day for day in dates if day[4:] in ends}
