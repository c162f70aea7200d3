"""Answers that a reply gives of another case or to show the form, and what would have been: none are its own."""

from __future__ import annotations

import re

_MARK = re.compile(
    r"(?:^[^\w\n]{0,9}|(?<=[.!:;][ \t])[\"'`*]{0,3})(?:the |my )?(?:final )?answer[*_ ]{0,3}:[^\n]*",
    re.IGNORECASE | re.MULTILINE,
)
_LEAD = 300  # characters before a mark that are looked at
_SO = re.compile(r"\b(?:so|hence|thus|therefore|also|daher|donc|(?:por lo )?tanto)\b", re.I)
_CASE = (
    r"\b(?:if|suppose|illustrat\w+|(?<!counter[ -])examples?|instance|e\.g|were"
    r"|wenn|falls|beispiel|si|exemple|ejemplo)\b"
)
# How the sentence ends that leads to a mark: "If it does not fail, the last line must be", "it must look like".
_SHOWS = re.compile(
    rf"{_CASE}.*\b(?:would|could|might|must|should|may|can)(?: (?:then|have to|need to|simply|just)){{0,2}}"
    r" (?:look|read|be|say|state|end|run|become|(?:take|have) the form)"
    r"(?: (?:like|so|this|that|as follows|with|as|something|the following)){0,3}\W*\Z"
    r"|\b(?:would|could|might|must|should|has to|needs to)(?: then)? look (?:\w+ )?like(?: this)?\W*\Z"
    rf"|{_CASE}.*\b(?:w[üu]rde|müsste|muss|sollte|serait|devrait|doit|sería|debería|debe)\b[^.:]{{0,60}}\W*\Z"
    r"|(?:(?<!counter[ -])\bexample|\billustration)(?: (?:of|the|an?|such|my|final|last|expected|requested)){0,4}"
    r" (?:answers?|output|(?:last |final )?line|form|format|reply|response)\W*\Z",
    re.IGNORECASE | re.DOTALL,
)
# Not "had I read it rightly": who says so corrects himself.
_ELSE = re.compile(
    r"(?:(?<=[.!?;,] )|(?<=[—–] )|^[^\w\n]{0,3})(?![^\n.!?;]{0,200}\b(?:I|we|my)\b)"
    r"(?:otherwise\b|(?:had|if|were) (?=[^\n.!?;]{1,200}\bwould have\b))"
    r"[^\n.!?;]{1,200}?\bwould have been\b[^\n.!?;]{1,200}(?:[.!;][\"')]{0,2}|$)",
    re.IGNORECASE | re.MULTILINE,
)


def without_suppositions(text: str) -> str:
    """Return a text without marked answers whose lead makes them one of another case, or an example of the form."""

    def kept(mark: re.Match[str]) -> str:
        before = text[max(0, mark.start() - _LEAD) : mark.start()].strip(" \t\n\"'`*>")
        lead = re.split(r"[.!?;](?=\s)|\n", before)[-1]
        return "" if _SHOWS.search(_SO.split(lead)[-1]) else mark[0]

    return _MARK.sub(kept, text)


def without_counterfactuals(text: str) -> str:
    """Return a text without what would have been: "Had step 3 held p, it would have been satisfied."."""
    return _ELSE.sub("", text) if "would have been" in text else text
