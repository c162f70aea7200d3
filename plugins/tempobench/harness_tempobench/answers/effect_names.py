r"""How answers name the effect that a problem asks about: ``XXX !g``, ``X^3 \neg g``, "g is false at step 3"."""

from __future__ import annotations

import re
from typing import Any

from harness_tempobench.targets import Effect

_NUMBER = r"[0-9]{1,4}"
_BEFORE = re.compile(
    rf"(?:X|x(?=[Xx\s!~¬(^\[]))(?:\^?\{{(?P<braced>{_NUMBER})\}}|\^\(?(?P<raised>{_NUMBER})\)?|\[(?P<index>{_NUMBER})\])?"
    r"|(?P<open>\()|(?P<not>[!~¬]|(?:not|NOT)(?=[\s(]))|\s+|(?:[Tt]he|[Oo]utput)\s+"
)
_NEXTS = re.compile(r"[\s!~¬(]*X[X\s!~¬(^\[]")
_AT = re.compile(
    rf"\s?(?:@|,?\s(?:at|in)\s)\s?(?:time\s)?(?:step\s?|t\s?=\s?)?({_NUMBER})\s?$", re.I
)
_IS = re.compile(
    r"\s?(?:={1,2}|:|\s(?:is|being)\s)\s?(not\s)?(?:(true|1|high)|false|0|low)\s?$", re.IGNORECASE
)
_REMARK = re.compile(r"(.{1,150}?)\s\((.{1,150})\)$")
_PLAIN = re.compile(r"(?:(?:the )?output )?(?:[!~¬] ?|not )?[\w.\[\]@]{1,100}", re.IGNORECASE)
_NEGATION = re.compile(r"\\(?:neg|lnot|not)(?![a-z])")
_RAISED = re.compile("[⁰¹²³⁴-⁹]+")
_DIGITS = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹", "0123456789")
_LAST = re.compile(r"(?:^|[:.,;(])\s{0,5}([^\n:.,;]{1,100})$")
_NAMED = re.compile(
    r"(?<!\w)X[X\s()!~¬^{}\d\[\]]{0,60}(?<=[\s()!~¬}\]])(?:not\s)?[A-Za-z_][\w.\[\]@]{0,100}\){0,60}$"
)


class Name:
    """The effect that a problem asks about, and how answers may name it.

    ``effect``: what is to be explained; ``names``: the propositions, if they are known: then case
    is overlooked where that is certain.
    """

    def __init__(self, effect: Effect, names: frozenset[str] = frozenset()) -> None:
        self.output = effect["output"]
        lower = self.output.lower()
        self._alike = [lower] == [name.lower() for name in names if name.lower() == lower]
        self.joined = "literals" in effect
        self.wanted = (effect["step"], bool(effect["value"]))
        self._seen: dict[str, bool] = {}

    @property
    def step(self) -> int:
        """The step of the effect."""
        return int(self.wanted[0])

    def matches(self, key: str) -> bool:
        """Tell if a key names this effect."""
        if key not in self._seen:
            if self.joined:
                self._seen[key] = _bare(key) == _bare(self.output)
                return self._seen[key]
            self._seen[key] = len(key) <= 2_000 and self._read(key) == self.wanted
        return self._seen[key]

    def is_unclear(self, key: str) -> bool:
        """Tell if a key contains the output's name without clearly naming an effect."""
        word = rf"(?<!\w){re.escape(self.output)}(?!\w)"
        if len(key) > 200 or not re.search(word, key) or self._read(key):
            return False
        text = _cleaned(key)
        return not is_effect(key) or any(part.search(text) for part in (_IS, _AT, _REMARK))

    def other_of(self, named: Any) -> str | None:
        """Return the other effect that a field "effect" names, "" if it names this one, None if that is unclear."""
        if isinstance(named, dict):
            if not {"output", "value", "step"} <= named.keys():
                return None
            same = (named["output"], named["step"], named["value"]) == (self.output, *self.wanted)
            return "" if same else str(named)[:100]
        if not isinstance(named, str):
            return None
        if self.matches(named):
            return ""
        return named[:100] if is_effect(named) or self._read(named[:200]) else None

    def above(self, before: str) -> str | None:
        """Return the effect that stands right before an answer, or None if none does.

        ``before``: the text before it.
        """
        text = before[-200:].rstrip(" \t\r\n`*>$({").removesuffix("json").rstrip(" \t\r\n`*>$")
        joined = text.endswith((":", "=", " is"))
        if "\n" in before[-200:][len(text) :] and not joined:
            return None
        text = text.removesuffix(" is").rstrip(" .:=*`\"'").rpartition("\n")[2]
        last = _LAST.search(text)
        tail = last[1].strip(" *`\"'") if last else ""
        if tail and (self._read(tail) or (tail[0] in "!~¬" and _PLAIN.fullmatch(tail))):
            return tail
        named = _NAMED.search(text)
        return named[0] if named else None

    def _read(self, key: str) -> tuple[int, bool] | None:
        """Return (step, value) if a text names the output at a step, in any of its spellings."""
        for text in dict.fromkeys((key.strip(" \t\"'`"), _cleaned(key))):
            if read := self._effect(text):
                return read
        remark = _REMARK.fullmatch(_cleaned(key)) if len(key) < 300 else None
        if not remark:
            return None
        both = [self._effect(remark[1]), self._effect(remark[2])]
        return both[0] if both[0] == both[1] else None

    def _effect(self, text: str) -> tuple[int, bool] | None:
        plain = self._literal(text)
        if plain or len(text) > 200:
            return plain
        at = _AT.search(text)
        text = text[: at.start()] if at else text
        truth = _IS.search(text)
        text = text[: truth.start()] if truth else text
        read = self._literal(text) if at or truth else None
        if not read:
            return None
        nexts, value = read
        if truth:
            if not value:
                return None  # "!g is false" may mean either
            value = bool(truth[1]) != bool(truth[2])
        if at and nexts and nexts != int(at[1]):
            return None
        return (int(at[1]) if at else nexts, value)

    def _literal(self, key: str) -> tuple[int, bool] | None:
        body = key if key.endswith(self.output) else key.rstrip(") ")
        end = body[-len(self.output) :]
        if end != self.output and not (self._alike and end.lower() == self.output.lower()):
            return None
        before = body[: len(body) - len(self.output)]
        at = nexts = opened = 0
        value = True
        while at < len(before):
            part = _BEFORE.match(before, at)
            if not part:
                return None
            if part[0][0] in "Xx":
                nexts += int(part["braced"] or part["raised"] or part["index"] or 1)
            opened += part["open"] is not None
            value ^= part["not"] is not None
            at = part.end()
        closed = key[len(body) :].count(")")
        return (nexts, value) if opened == closed else None


def _bare(name: str) -> str:
    """Return the name of an effect of several literals without blanks and parentheses, its signs as ours."""
    text = re.sub(r"&&|∧|\band\b", "&", re.sub(r"\|\||∨|\bor\b", "|", _cleaned(name[:500])))
    return re.sub(r"[\s()]", "", text.replace("¬", "!"))


def is_effect(key: str) -> bool:
    """Tell if a text can only be an effect's name, whatever its output: ``XX h``, "h is true at step 2"."""
    if len(key) > 200:
        return False
    text = _IS.sub("", _AT.sub("", _cleaned(key)))
    return bool(_NEXTS.match(text) or _PLAIN.fullmatch(text.strip()))


def _cleaned(key: str) -> str:
    """Return a name without markup, its blanks single."""
    text = (
        _NEGATION.sub("!", key.strip(" \t\"'`*$"))
        .replace("\\_", "_")
        .replace("\\!", "!")
        .replace("！", "!")
    )
    text = _RAISED.sub(lambda raised: f"^({raised[0].translate(_DIGITS)})", text)
    return " ".join(text.split())
