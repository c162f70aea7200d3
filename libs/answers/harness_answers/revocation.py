"""What takes an answer back that stands above it, with another one in its place or without."""

from __future__ import annotations

import re

_ANSWER = r"(?:this|that|it|(?:the|my|this|that) (?:above |previous |last )?(?:answer|line|reply)(?: above)?)"
_REVOKED = re.compile(
    rf"\bI (?:hereby |must )?(?:retract|withdraw|revoke|take back) {_ANSWER}\b"
    r"|\b(?:please )?(?:disregard|ignore) (?:the|this|that|my) (?:(?:line|answer|reply)(?: above)?|above|previous)\b"
    r"|\b(?:actually|on reflection|on second thought|wait|sorry),? (?:no,? )?"
    rf"{_ANSWER} (?:is|was) (?:in fact )?(?:wrong|incorrect|mistaken|not (?:correct|right))\b",
    re.IGNORECASE,
)

# What introduces the answer that takes the place of the one above.
TURN_WORDS = (
    r"wait|no(?=[ ]?[,.:;!—–-])|sorry|oops|hmm+|well|actually|correction|edit|update|erratum"
    r"|on (?:reflection|second thoughts?)|scratch that|make that|i (?:meant?|was wrong)"
    r"|i made (?:a|an) (?:mistake|error)"
    r"|let me correct (?:that|myself|this)"
    r"|(?:that|this|it) (?:should|must) (?:be|read|have been)|(?:should|must) be|rather|instead"
    r"|(?:the |my )?(?:correct|right|corrected|revised|final) (?:answer|one|formula|list) (?:is|should be)"
)
_DENIED = r"(?:that|this|it)(?: is|'s| was) (?:wrong|incorrect|not (?:right|correct)|a mistake)"
_REVISED = re.compile(
    rf"\s*[^\w\n]{{0,9}}(?:(?:{TURN_WORDS}|{_DENIED})\b[\s,.:;!…*—–-]{{1,9}}){{1,5}}(?P<said>[^\n]{{1,2000}}?)[.!\s]*\Z",
    re.IGNORECASE,
)


def revised(behind: str) -> str | None:
    """Return what an answer is revised to, where that is all that stands behind it: "Correction: …"; else None."""
    found = _REVISED.match(behind[:3_000]) if len(behind) < 3_000 else None
    return found["said"] if found else None


def is_revoked(behind: str) -> bool:
    """Tell whether the text behind an answer takes it back."""
    return _REVOKED.search(behind[:20_000]) is not None
