"""What may stand beside a proposition, in English or in a model checker's language: "p never holds", "p = 0"."""

from __future__ import annotations

import re
from collections.abc import Collection
from functools import lru_cache

_VERB = r"(?:is|are|be|becomes?|stays?|remains?)[ \t]+true|holds?|occurs?|happens?"
_ADVERBS = {
    "infinitely often": "G F ", "always": "G ", "forever": "G ", "at all times": "G ", "eventually": "F ",
    "never": "G !",
}  # fmt: skip
_ADVERB = "|".join(word.replace(" ", r"[ \t]+") for word in _ADVERBS)
_ALWAYS = re.compile(
    r"(?:it is|it's)[ \t]+always[ \t]+(?:the case|true)[ \t]+that[ \t]+(?P<rest>.+)", re.I | re.S
)
_IF = re.compile(
    r"if[ \t]+(?P<one>(?:(?!\bthen\b)[^\n])+?),?[ \t]+then[ \t]+(?P<other>(?:(?!\bthen\b)[^\n])+)",
    re.I,
)
_TRUE = ("1", "true")


@lru_cache(maxsize=64)
def _patterns(names: tuple[str, ...]) -> tuple[re.Pattern[str], re.Pattern[str]]:
    name = rf"(?<!\w)(?P<name>{'|'.join(map(re.escape, names))})"
    return (
        re.compile(
            rf"{name}[ \t]*(?P<sign>={{1,3}}|!==?|≠)[ \t]*(?P<value>[01]|true|false)\b(?!\()", re.I
        ),
        re.compile(
            rf"{name}[ \t]+(?:(?:will|shall|must|does|is)[ \t]+)?(?:"
            rf"(?:(?:{_VERB})[ \t]+)?(?P<after>{_ADVERB}\b)(?![ \t]+(?:{_VERB}|true)\b)"
            rf"|(?P<before>{_ADVERB})[ \t]+(?:{_VERB}|true)\b|(?P<plain>{_VERB})\b)",
            re.I,
        ),
    )


def rephrased(text: str, known: Collection[str]) -> str:
    """Return the text of a formula with ``p = 0`` as ``(! p)`` and "p holds infinitely often" as ``(G F p)``."""
    if not known:
        return text
    if case := _ALWAYS.fullmatch(text.strip()):
        text = f"G ({case['rest']})"
    if (condition := _IF.fullmatch(text.strip())) and "else" not in text:
        text = f"({condition['one']}) -> ({condition['other']})"
    compared, said = _patterns(tuple(sorted(known, key=len, reverse=True)))
    return said.sub(_operator, compared.sub(_literal, text))


def _literal(found: re.Match[str]) -> str:
    true = (found["value"].lower() in _TRUE) is found["sign"].startswith("=")
    return found["name"] if true else f"(! {found['name']})"


def _operator(found: re.Match[str]) -> str:
    adverb = found["after"] or found["before"]
    return (
        f"({_ADVERBS[' '.join(adverb.lower().split())]}{found['name']})"
        if adverb
        else found["name"]
    )
