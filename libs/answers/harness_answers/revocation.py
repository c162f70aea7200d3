"""What takes an answer back that stands above it, without another one in its place."""

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


def is_revoked(behind: str) -> bool:
    """Tell whether the text behind an answer takes it back."""
    return _REVOKED.search(behind[:20_000]) is not None
