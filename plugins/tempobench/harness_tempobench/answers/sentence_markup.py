"""The markup around sentences of constraints, and the ways to say that nothing is constrained."""

from __future__ import annotations

import re
from collections.abc import Collection
from functools import lru_cache

_SPELLED = str.maketrans("“”„«»‘’‚！（）：", '"""""\'\'\'!():')
_UNCONSTRAINED = re.compile(
    r"(?:|-{1,3}|[–—⊤∅*]|none(?: needed)?|n/a|null|true|t|unconstrained|(?:is )?not constrained"
    r"|any(?: inputs?| value)?|anything|nothing|irrelevant|free|(?:don't|do not) care"
    r"|no[ _-]?constraints?"
    r"|no (?:(?:input|specific|causal|necessary|minimal|breaking) ){0,2}"
    r"(?:constraints?|restrictions?|requirements?|literals?|inputs?|sets?)"
    r"(?: (?:needed|required|apply|here|at this step|on (?:the )?inputs?))?"
    r")(?: \((?:irrelevant|none)\))?",
    re.IGNORECASE,
)
_SUBSCRIPT = re.compile(r"(?<=\w)_\{(\w{1,90})\}")
_INPUT = re.compile(r"\binput\s+(?=[\w\"'`])", re.IGNORECASE)


def without_markup(text: str, known: frozenset[str]) -> str:
    """Return a sentence without typographic quotes and markup that cannot be part of its names."""
    text = without_full_stop(text.translate(_SPELLED))
    if not known or _has_markup(known):
        return text
    if "\\" in text:
        text = text.replace("\\!", "!")
    text = without_subscripts(text)
    if len(text) > 2 and text[0] == text[-1] == "$" and "$" not in text[1:-1]:
        text = text[1:-1].strip()
    if text[:1] + text[-1:] in ("[]", "{}") and not any(mark in text[1:-1] for mark in "[]{},;"):
        text = text[1:-1].strip()
    lower = _lower(known)
    if "input" not in lower:
        text = _INPUT.sub("", text)
    return text if "both" in lower else _unpaired(text)


def without_subscripts(text: str) -> str:
    """Return a text with the names ``r\\_0`` and ``r_{0}`` in it as ``r_0``."""
    return _SUBSCRIPT.sub(r"_\1", text.replace("\\_", "_"))


def _unpaired(text: str) -> str:
    """Return ``a and b`` for ``both a and b``."""
    words = text.split(" ") if text[:5].lower() == "both " else []
    joining = [word.lower() for word in words if word.lower() in ("and", "or", "both")]
    if joining != ["both", "and"] or any(mark in text for mark in ",;&|()<>"):
        return text
    return text[5:]


@lru_cache(maxsize=64)
def _lower(known: frozenset[str]) -> frozenset[str]:
    return frozenset(name.lower() for name in known)


@lru_cache(maxsize=64)
def _has_markup(known: frozenset[str]) -> bool:
    """Tell if a name has characters that are markup elsewhere."""
    return any(mark in name for name in known for mark in "\\${}")


def says_no_constraint(text: str, known: Collection[str]) -> bool:
    """Tell if a sentence says that nothing is constrained, and is no proposition's name."""
    for _ in range(2):
        if text in known:
            return False
        if _UNCONSTRAINED.fullmatch(" ".join(text.split())):
            return known_name(text, known) not in known
        if text[:1] + text[-1:] not in ("()", "[]", '""', "''", "``") or len(text) < 2:
            return False
        text = without_full_stop(text[1:-1].strip())
    return False


def known_name(name: str, known: Collection[str]) -> str:
    """Return the known name that a name equals but for case, if there is exactly one; else the name itself."""
    lower = name.lower()
    alike = [other for other in known if other.lower() == lower]
    return alike[0] if len(alike) == 1 else name


def without_full_stop(text: str) -> str:
    """Drop a sentence's full stop, but not dots that stand for something left out."""
    return text if text.endswith("..") or len(text) < 2 else text.removesuffix(".")
