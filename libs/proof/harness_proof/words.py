"""What prompts may say: the lines of a text file beside this module, each of them kept where its condition holds."""

from __future__ import annotations

import pkgutil
import re
from collections.abc import Mapping
from functools import cache

from harness_proof.outcomes import known

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
    found = re.fullmatch(told(name)[sentence], text)
    return known(found, f"this is not in the words that we know: {text[:80]}")


def prompt(name: str, conditions: tuple[str, ...], values: Mapping[str, str]) -> str:
    """Return a prompt: the lines of a file whose conditions hold, filled, with values for names that are left."""
    return re.sub(_NAME, lambda n: values.get(n[1], ""), _frame(name, *conditions))


def like(name: str, text: str) -> tuple[str, ...]:
    """Return what a prompt is like, by lines such as "like told formal=The trace is told": told with it, else formal."""
    signs = (((*head.split(), ""), sign in text) for head, _, sign in lines(name))
    return tuple(sorted({kinds[1 if there else 2] for kinds, there in signs if kinds[0] == "like"}))


def read(name: str, conditions: tuple[str, ...], text: str) -> dict[str, str]:
    """Return the values with which `prompt` gives a text: each ends where what follows it in the file first comes."""
    begin, *rest = re.split(_NAME, _frame(name, *conditions) + "\0")
    values: dict[str, str] = {}
    left = text[len(begin) :] + "\0"
    for key, behind in zip(rest[::2], rest[1::2]):
        value, _, left = left.partition(behind)
        values.setdefault(key, value)
    known(prompt(name, conditions, values) == text, "the prompt is not in the words that we know")
    return values


@cache
def _frame(name: str, *conditions: str) -> str:
    heads = ((head.split(), text) for head, sign, text in lines(name) if sign == "|")
    kept = "\n".join(text for head, text in heads if {*head} <= {*conditions})
    return filled(kept, told(name, *conditions))
