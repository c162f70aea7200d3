"""What prompts may say: the lines of a text file beside this module, each of them kept where its condition holds."""

from __future__ import annotations

import pkgutil
import re
from collections.abc import Mapping
from functools import cache

from harness_proof.outcomes import UncheckedError, known

_LINE = re.compile(r"^(.*?)(\|(?!=)|=)(.*)$", re.MULTILINE)  # "|=" is an operator that is named
_NAME = "«([a-z]+)»"


@cache
def lines(name: str) -> list[tuple[str, str, str]]:
    """Return of each line of ``prompts/NAME.txt`` what stands before its first | or =, that sign, the rest."""
    data = pkgutil.get_data("harness_proof", f"prompts/{name}.txt") or b""
    return _LINE.findall(data.decode())


@cache
def told(name: str, *conditions: str) -> Mapping[str, str]:
    """Return what lines such as ``origin known=its initial state`` say of a name: the last whose conditions hold."""
    heads = ((head.split(" "), text) for head, sign, text in lines(name) if sign == "=")
    texts = {head[0]: text for head, text in heads if {*head[1:]} <= {*conditions}}
    return {name: filled(text, texts) for name, text in texts.items()}


def filled(text: str, texts: Mapping[str, str]) -> str:
    """Return a text with other texts, which are filled, too, in place of their names in it, such as «origin»."""
    return re.sub(_NAME, lambda n: filled(texts[n[1]], texts) if n[1] in texts else n[0], text)


def match(name: str, sentence: str, text: str) -> re.Match[str]:
    """Return how a text fits a sentence of a file, which is a regular expression."""
    if found := re.fullmatch(told(name)[sentence], text):
        return found
    raise UncheckedError(f"this is not in the words that we know: {text[:80]}")


def read(name: str, text: str) -> tuple[tuple[str, ...], dict[str, str]]:
    """Return what a prompt is like, and the values that it has for names that no text of the file stands for.

    Of a line such as ``like told formal=The trace is told`` a prompt with this sentence is like the first, else like
    the second. A value ends where what follows it in the file first comes.
    """
    heads = ((head.split(), sign) for head, _, sign in lines(name) if head.startswith("like "))
    like = {(*kinds, "")[1 if sign in text else 2] for kinds, sign in heads}
    conditions = tuple(sorted(like))
    begin, *rest = frame(name, *conditions)
    values: dict[str, str] = {}
    left, again = text[len(begin) :] + "\0", begin
    for key, behind in zip(rest[::2], rest[1::2]):
        value, _, left = left.partition(behind)
        again += values.setdefault(key, value) + behind
    known(again == text + "\0", "the prompt is not in the words that we know")
    return conditions, values


@cache
def frame(name: str, *conditions: str) -> list[str]:
    """Return the text of a prompt up to its first value, and in turn the name of a value and the text behind it."""
    heads = ((head.split(), text) for head, sign, text in lines(name) if sign == "|")
    kept = "\n".join(text for head, text in heads if {*head} <= {*conditions})
    return re.split(_NAME, filled(kept, told(name, *conditions)) + "\0")
