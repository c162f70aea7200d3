"""What takes an answer back that stands above it, with another one in its place or without, and what doubts it.

The words are said here once. A reader looks for them where they count for its answers: at the start of
what stands behind a list of dates, anywhere on the line of a formula.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

RECONSIDERED = (
    r"(?:wait|hmm+|oops|scratch that|on second thoughts?|hold on(?! (?:\w+ ){0,3}(?:runs?|paths?|sequences?|traces?))"
    r"|let me (?:re-?\w+|think))"
)
"""What somebody says who thinks again."""

DENIED = (
    r"(?:that|this|it|which|the above|(?:(?:my|the|this|that) )?(?:(?:first|above|previous|last) )?"
    r"(?:answer|object|formula|list|mapping|translation)(?: above)?)"
    r"(?: is|'s| was) (?:(?:in fact|actually|also) )?"
    r"(?:wrong|incorrect|mistaken|an? (?:mistake|error)|not (?:right|correct))"
)
"""What says of an answer that it is wrong."""

LEFT_OPEN = (
    r"(?:maybe|perhaps|possibly|guess\w*|(?:do not|don't) know|(?:can ?not|can't|could not|couldn't|unable to)"
    r" (?:really )?(?:tell|say|decide)|(?:not|un)[ -]?(?:\w+ly |so |quite )?(?:sure|certain|clear)"
    r"|I doubt|doubtful|unlikely|hard to believe"
    r"|ideally|(?:hopefully|supposedly|(?:I|we) (?:\w+ )?(?:hope|wish)|my (?:hope|wish) is)"
    r"(?! (?:(?:that|this|it|the \w+) )?(?:to\b|help|clarif|is (?:clear|useful|helpful)|answers|makes|explains))"
    r"|(?:would|'d) (?:like|love) (?:\S+ ){1,4}?to (?:be|read|say)|I want (?:\S+ ){1,4}?to (?:be|read|say))"
)
"""What leaves an answer open wherever it is said beside it, as does a wish. A reader adds its own."""

# What introduces the answer that takes the place of the one above.
TURN_WORDS = (
    r"wait|no(?=[ ]?[,.:;!—–-])|sorry|oops|hmm+|well|actually|correct(?:ion|ed)|edit|update|erratum"
    r"|on (?:reflection|second thoughts?|closer (?:look|inspection)|re-?reading|reconsideration)"
    r"|scratch that|make that|i meant?|i (?:was|am) (?:wrong|mistaken)|i take (?:that|it) back"
    r"|i (?:have )?made (?:a|an) (?:mistake|error)|(?:let me|i) correct (?:that|myself|this)"
    r"|re-?thinking(?: (?:it|this))?|after (?:reconsidering|re-?checking|further (?:thought|reflection))"
    r"|(?:that|this|it) (?:should|must) (?:be|read|have been)|(?:should|must) be|rather|instead"
    r"|(?:the |my )?(?:correct|right|corrected|revised|final) (?:answer|one|formula|list) (?:is|should be)"
)
_DOUBTS = (
    r"alternatively|strictly speaking|then again|that said|on the other hand|otherwise"
    r"|under (?:another|the other|a stricter|a different) reading"
)
_NOUN = r"(?:answer|line|reply|object|json|mapping|dictionary|formula|translation|verdict|list|run|sentence)"
_ANSWER = rf"(?:this|that|it|(?:the|my|this|that) (?:above |previous |last )?{_NOUN}(?: above)?)"
_NAMED = rf"(?:the|my|this|that) (?:above |previous |last )?{_NOUN}(?: above)?"
_NOT_SURE = r"(?:not|no longer) (?:so |really |quite )?(?:sure|certain|convinced)"
# Who doubts has to speak of the answer or of themselves: an explanation, too, says "cannot decide" or "is void".
_REVOKED = re.compile(
    r"\b(?:"
    + "|".join(
        (
            r"\bI (?:(?:hereby|must|need to|have to|should|will) )?"
            rf"(?:(?:retract|withdraw|revoke|take back) {_ANSWER}|take {_ANSWER} back)\b",
            rf"\b(?:forget|discard) (?:(?:this|that|my|the above) {_NOUN}|the {_NOUN} above)\b",
            r"\b(?:disregard|ignore) (?:the|this|that|my)"
            rf" (?:(?:line|answer|reply)(?: above)?|above|previous|{_NOUN} above)\b",
            r"(?:^|(?<=[.!?…\n] )|(?<=\n)|\b(?:actually|please|no|sorry)[,.!]? )"
            rf"(?:scratch|scrap|ignore|disregard|forget|discard) (?:that|this|the)(?: {_NOUN})?(?=[.!;,])",
            r"(?:^|(?<=[.!?…\n] )|(?<=\n))(?:(?:actually|wait|hold on|hmm+|no)[,.!… —–-]{1,4}){1,2}(?:let me"
            r"|i (?:should|need to|must|have to)) (?:reconsider|rethink|re-?think|redo|start over)\b",
            r"(?:^|(?<=[.!?…\n] )|(?<=\n))that (?:does |really )?changes? (?:things|everything"
            r"|my answer|the (?:answer|result))",
            r"\b(?:either|both) (?:of them |one |of these |readings? |answers? |versions? |interpretations? )?"
            r"(?:may|might|could|seems?) (?:well )?(?:be |to be )?(?:right|correct|possible"
            r"|plausible|valid)\b(?! to)",
            r"\b(?:leave (?:the )?(?:choice|decision) to you|take the one (?:that|which|you)"
            r"|(?:do not|don't) rely on (?:either|it|this|that|any of (?:them|these))|keep going back and forth)\b",
            r"\b(?:(?:(?:do not|don't) take (?:it|this|that)|(?:should ?n[o']t|must not|cannot) be (?:taken|read))"
            r" as (?:my|an|the) (?:final )?answer"
            r"|strike (?:that|this) line"
            r"|I (?:do not|don't) have (?:a|an|any) (?:final )?answer)\b",
            r"\bI(?: am|'m| was| have) (?:not able|unable|no (?:means|way)) to"
            r" (?:work out|determine|find|decide|tell|say)\b",
            r"(?:^|(?<=[.!?…,;] )|(?<=\n))(?:so )?(?:please )?(?:take|choose|pick|use) (?:whichever|either)\b",
            r"\b(?:this|that|it)(?: is|'s) (?:not|no longer) my (?:final )?answer\b",
            rf"\bcorrection: {_ANSWER} (?:is|was) (?:wrong|incorrect|mistaken)\b",
            r"\b(?:actually|on reflection|on second thoughts?|wait|sorry),? (?:no,? )?"
            rf"(?:{_ANSWER} (?:is|was) (?:in fact )?(?:wrong|incorrect|mistaken|not (?:correct|right))"
            rf"|I(?: am|'m) {_NOT_SURE})\b",
            r"(?:\bmy|(?:^|(?<=[.!?…] )|(?<=\n))(?:(?:but|so|thus|hence|then again),? )?(?:the above|this))"
            rf"(?: (?:above|previous|last))?(?: {_NOUN}(?: above)?|(?<=above))(?: (?:is|was)(?: (?:wrong|incorrect"
            r"|mistaken)|(?: not|n't) (?:correct|right))| (?:can ?not|can't) be (?:correct|right)"
            r"| (?:does not|doesn't) work)\b",
            r"\bI(?: am|'m) no longer (?:sure|certain|convinced)\b|\bno answer from me\b",
            r"\bboth (?:(?:of )?(?:these|them|answers) )?are (?:my (?:final )?answers?|defensible)\b"
            r"|\ba coin (?:flip|toss)\b",
            r"\bI (?:do not|don't|won't) (?:pick|choose)\b|\bI leave (?:it|that|the answer) (?:to you|open)\b",
            r"\bI(?: am|'m) (?:not sure|unsure) which\b(?=\W*$| (?:\w+ )?(?:convention|reading"
            r"|interpretation|one|answer|is)\b)",
            r"\bI (?:can ?not|can't|could ?n[o']t) (?:really )?(?:settle|decide"
            r"|(?:say|tell) (?:which|for (?:sure|certain)|with certainty))\b",
            r"\bI(?:'d| would) rather leave (?:this|it|the)(?: \w+)? (?:unanswered|open)\b",
            r"\bI (?:do not|don't) (?:know which \w+ is right|commit myself|have a replacement)\b",
            r"\b(?:do not|don't) trust (?:the|this|that|my) (?:answer|conclusion|result)\b",
            r"\b(?:answer|argument|conclusion|result) (?:should not|shouldn't) be relied on\b",
            r"\b(?:choice|decision|question)\b[^.\n]{0,60} (?:stays|remains|is) open\b",
            r"\bboth\b[^.\n]{0,80} (?:remain|stay) possible\b|\bI leave both\b[^.\n]{0,40} open\b",
            r"\bI(?:'ve| have) given both\b|\b(?:this|that|it|the answer) (?:is not|isn't) settled\b",
            r"\bI (?:could ?n[o']t|can ?not|can't|do not|don't) (?:establish|see|work out|determine|tell)\b"
            r"[^.\n]{0,80}\b(?:which|the right one)\b",
            # "Had I read step 3 rightly, the answer would have been True."
            r"\b(?:(?:had (?:I|we)|if (?:I|we)(?: had|'d)) (?:only )?(?:read|looked|been|counted|seen|noticed|checked"
            r"|paid|understood|not (?:\w+ )?(?:mis\w+|overlooked|forgotten)"
            r"|(?!not\b)[^\n.!?]{1,99} (?:rightly|correctly|properly|carefully))"
            r"|read (?:right|correct|proper)ly)\b[^.!?;\n]{1,200} would\b",
            r"\bI should(?: have|'ve) (?:said|answered|written|concluded)\b"
            r"|\b(?:but|sorry|no|oops|wait),? I(?: have)? mis(?:read|counted|took|understood|applied)\b",
            rf"\b(?:{_NAMED}(?: is|'s)|so (?:this|that|it)(?: is|'s)|treat {_NAMED} as) void\b",
        )
    )
    + ")",
    re.IGNORECASE | re.MULTILINE,
)
_REVISED = re.compile(
    rf"\s*[^\w\n]{{0,9}}(?:(?:{TURN_WORDS}|{DENIED})\b[\s,.:;!…*—–-]{{1,9}}){{1,5}}(?P<said>[^\n]{{1,2000}}?)[.!\s]*\Z",
    re.IGNORECASE,
)
_TURN = re.compile(
    r"(?:^|(?<=[.!?;…][ \t]))[^\w\n]{0,9}(?=\w)"
    r"(?:(?:but|or|hmm+|oh|oops|sorry|no|well|ah|hold on)\b[ \t,.!:;…—–-]{1,5}){0,3}"
    rf"(?:(?P<revises>{TURN_WORDS})|(?P<doubts>{_DOUBTS}))\b[^\w\n]{{0,9}}",
    re.IGNORECASE | re.MULTILINE,
)

_DOUBT = re.compile(
    r"(?:^|(?<=[.!?…][ \t]))[^\w\n]{0,9}(?=\w)(?:but )?"
    r"(?:(?:wait|hmm+|hold on)\b[^\w\n]{0,9}(?:let me (?:just )?(?:re-?|double[- ]?)check\b[^\n.:;!?…]{0,99})?"
    r"|let me (?:just )?(?:re-?|double[- ]?)check\b[^\n.:;!?…]{0,99})",
    re.IGNORECASE | re.MULTILINE,
)
_STANDS = re.compile(
    r"(?<=[.!?…:;,—–-][ \t\n])(?:(?:ok(?:ay)?|yes|fine|no|right|good|so|and|thus|therefore|hence)\b,? ){0,3}"
    r"(?:(?:my|the) (?:final )?(?:answer|list|verdict|formula|result)(?: above)? "
    r"(?:stands|(?:remains|stays|is)(?: the same| unchanged| as (?:it is|above|given|stated))|does(?: not"
    r"|n't) change)"
    r"|i (?:keep|stand by|stick (?:to|with)|maintain|confirm)(?: (?:it|my|the|this|that|above|final|same)){1,3}"
    r"(?: (?:answer|list|verdict|formula|result|translation))?"
    r"|(?:it(?:'s| is) )?still (?P<still>[^\n.!?,;:]{2,60}))[.!]?[ \t]*$",
    re.IGNORECASE | re.MULTILINE,
)

_LONGEST_DOUBT = 2_000
_MAX_CLEARED = 50
# Who says so has not only weighed the answer.
_CHANGES = re.compile(
    r"\b(?:actually|corrections?|instead|rather|also|too|as well|should (?:be|have)|must be|wrong|mistake\w*"
    r"|new|revised|answers? (?:is|are)|i(?:'ve| have)? (?:missed|forgot\w*|overlooked|was)|sorry|oops|or)\b",
    re.IGNORECASE,
)
_FITS = re.compile(
    r"\b(?:fits|works|satisf\w+|meets|match\w*|is (?:valid|right|correct))\b", re.IGNORECASE
)
_FITS_NOT = re.compile(r"\b(?:not|no|nor|but|fails?|out|except|however|only)\b|n't", re.IGNORECASE)
_QUESTION = re.compile(r"(?:^|(?<=[.!?]))[^\n.!?]*\?[\"')]{0,3}", re.MULTILINE)


def cleared(behind: str) -> tuple[str, str]:
    """Return the text behind an answer without doubts that are cleared in it, and what is "still" so, or "".

    "Wait, what about step 4? It is out, so my answer stands.", "Hmm, let me recheck … OK, still violated." Of what is
    weighed all but the questions is kept.
    """
    ends = [*_STANDS.finditer(behind)][-_MAX_CLEARED:] if _DOUBT.search(behind) else []
    kept, position, still = "", 0, ""
    for end in ends:
        doubt = _DOUBT.search(behind, max(position, end.start() - _LONGEST_DOUBT), end.start())
        weighed = behind[doubt.end() : end.start()] if doubt else ""
        fits = _FITS.search(weighed) and not _FITS_NOT.search(weighed)
        if doubt and not fits and not _CHANGES.search(weighed):
            kept += behind[position : doubt.start()] + _QUESTION.sub("", weighed)
            position, still = end.end(), end["still"] or still
    return kept + behind[position:], still


def turns(text: str, begin: int) -> Iterator[re.Match[str]]:
    """Yield what begins a sentence behind a place and ``revises`` the answer above, or ``doubts`` it."""
    return _TURN.finditer(text, begin)


def revised(behind: str) -> str | None:
    """Return what an answer is revised to, where that is all that stands behind it: "Correction: …"; else None."""
    found = _REVISED.match(behind[:3_000]) if len(behind) < 3_000 else None
    return found["said"] if found else None


def is_revoked(behind: str) -> bool:
    """Tell whether the text behind an answer takes it back."""
    return _REVOKED.search(behind[:20_000]) is not None
