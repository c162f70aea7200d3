"""The terms of a sentence about a cause: its steps, literals, sets, and words such as "none" and "the others".

They are found by the names of the inputs and by numbers; the words between them count only where they deny or doubt.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import takewhile
from typing import Any, TypeAlias

from harness_tempobench.answers.effect_names import Name
from harness_tempobench.answers.rows import STEP, TRUTHS, is_open, literal_pattern, signed
from harness_tempobench.targets import Effect

REST, CROSSING = -1, -2
"""What something is stated of, if not of a step: the other steps, several steps at once."""

_NESTED = 4  # brackets in brackets
_SHORT = 4  # a word such as "at" between literals of a set
_NUM = r"[0-9]{1,3}(?![\w.]?\w)"
_TO = r"(?:-|–|—|(?:to|through|until|bis|a|à|al|hasta|até|tot)\b|\.{2,3})"
_AND = r"(?:(?:and|und|y|et|e|en|or|oder|o|ou|nor)\b|&)"
_LIST = rf"{_NUM}(?:\s?(?:{_TO}|,\s?{_AND}?|{_AND})\s?(?:(?:\w{{1,3}}\s)?{STEP}\s)?{_NUM}){{0,99}}"
_RANGE = re.compile(rf"([0-9]+)(?:\s?{_TO}\s?(?:{STEP} )?([0-9]+))?", re.IGNORECASE)
_SEVERAL = (
    r"(?:several|multiple|different|more(?: than one)?|mehrere\w*|verschiedene\w*|vari[oa]s|múltiples|plusieurs|più"
    r"|vários|diverse|(?:over|across|of|über|sobre|sur|su|em) (?:two|three|zwei|drei|dos|tres|deux|trois|due|dois))"
)
_OTHER = (
    r"others?|remaining|rest|elsewhere|otherwise|else|übrigen?|anderen?|restlichen?|sonst|otr[oa]s?|demás|autres?"
    r"|altr[oaie]|outr[oa]s?|overige|andere"
)
_NONE = (
    rf"no(?! {STEP} [0-9])|none|nothing|nor|neither|nowhere|kein\w*|nichts|nirgends|ning[uú]n\w*|nada|aucune?s?|rien"
    r"|nessun\w*|nenhum\w*|geen|нет|(?:un|not )constrained|free|empty|irrelevant|do(?:es)? not matter"
)
_GLOSS = r"because|since|as(?! well)|so|which|where|otherwise|i\.e\.|weil|da|denn|porque|car"
# What goes on with the same behind a dash, or "so": "steps 1 and 2 all have no constraints".
_SAME = re.compile(r"\W*(?:so\b)?(?:\W*\b(?:all|each|every|ha(?:ve|s)|gets?|constraints?)\b)*\W*")
_LABELS = (
    r"(?:^|(?<=[,;:{(\[|])|(?<=[,;:{(\[|]\s)|(?<=\bor\s)|(?<=\band\s)|(?<=\bund\s)|(?<=\bwith\s))"
)
_PATTERN = "|".join(
    (
        rf"(?P<across>\b(?:cross|multi|inter)[- _]?steps?|\bacross steps|\bschrittübergreifend\w*|\b{_SEVERAL} {STEP}"
        r"|跨步骤?|多个?步骤?)",
        rf"{STEP}\s\((?P<braced>{_LIST})\)",
        rf"(?:{STEP}[ _]?(?:(?:from|von|del?|des) )?|(?:@|\bat)\s?(?:{STEP} )?|\bt\s?=?\s?|第\s?)(?P<steps>{_LIST})",
        rf"{_LABELS}(?P<bare>{_LIST})(?=[)\]]?\s?(?:[:→=—–|]|->|-\s))",
        rf"(?<=[(\[])(?P<first>{_NUM})(?=,\s?[!~¬\\\w])",
        rf"(?P<other>\b(?:{_OTHER})\b|其[他余]|\b(?:any|every|each) step\b(?! (?:from )?[0-9]))",
        rf"(?P<none>\b(?:{_NONE})\b|[∅⊤]|(?<=: )[–—-]\Z|无|無|なし"
        r"|(?:\bnot|n't) (?:an?|any|one|needed|necessary|required)\b)",
        r"(?P<not>\b(?:not|nicht|non|pas|niet|не)\b|n't\b)",
        r"(?P<open>[\[({])|(?P<close>[\])}])|(?P<end>;)|(?P<arrow>→|->|=>)",
        rf"(?P<gloss>\s[—–-]\s|,?\s(?:{_GLOSS})(?=\W))",
        r"(?P<or>\|\||∨|\\(?:lor|vee)(?![a-z])|\b(?:or|oder|ou|o|u)\b)",
        r"(?P<and>&&?|∧|\\(?:land|wedge)(?![a-z])|\b(?:and|und|et|y|e|en)\b)|(?P<comma>,)",
        r"(?P<together>\b(?:together|jointly|zusammen|gemeinsam|junt[oa]s|ensemble|insieme|samen)\b)",
        r"(?P<only>\b(?:only|sole|single|exactly|nur|einzig\w*|sólo|solo|únic[oa]s?|seule?s?|apenas)\b)",
        r"\b(?:the|das|die|el|la|los|le|les|inputs?|literals?|literale|literales)\b",
        r"\beither(?=\s[!~¬]?\s?\w+\s(?:or|oder)\b)",
        r"(?P<strange>[!~¬]\s?\w+)|(?P<word>\w+?(?=n['’]t\b)|\w+|[?|])",
    )
)
_HEDGES = (
    r"unless|maybe|perhaps|possibly|probably|only w[hi]\w+|unclear|may|might|could|wait|actually|vielleicht|wohl"
    r"|möglich\w*|vermutlich|wahrscheinlich|entweder|quizás?|tal vez|posible\w*|probable\w*|peut-être|probablement"
    r"|forse|talvez|misschien|if(?! (?:it |this |that )?(?:is |were |was )?(?:flipped|changed|true|false)\b)"
)
_DENIES = re.compile(
    rf"\b(?:{_HEDGES}|either|never|without|except|yet|trace|spur|traza|inputs? (?:is|are|was|were)(?! (?:needed"
    r"|necessary|required))|flip\w*|sure|certain|know|claim\w*|says?|someone|suppos\w*|alleged\w*|according"
    r"|könnte\w*|wenn|falls|weiß|unklar|ohne|außer|podría\w*|sé|si|salvo|sin|excepto|peut|pourrai\w*|sais|sauf|sans)\b|\?",
    re.IGNORECASE,
)
_DOUBTS = re.compile(
    rf"\b(?:{_HEDGES}|or|not (?:sure|certain|needed|necessary|required))\b|\?", re.IGNORECASE
)
_UNDONE = re.compile(  # what "not" is said of, if not of steps or literals
    r"\b(?:i|we|ich|wir|je|nous|yo|io|eu|look\w*|check\w*|consider\w*|examin\w*|untersuch\w*|geprüft)\b",
    re.I,
)
_ARGUED = re.compile(
    r"\b(?:so|thus|hence|therefore|(?:shows?|means|found|conclude|follows) that)\b", re.I
)
_LEFT_OUT = re.compile(r"[$\"“”„«»`*]|(?<!\w)'|'(?!\w)|\\text\b")


@dataclass(frozen=True, slots=True)
class Term:
    """A part of a sentence that counts.

    ``value``: the steps of a "place", the formula that is "said", the literals of a "set"; other kinds have none.
    """

    kind: str
    value: Any = None


Pair: TypeAlias = "tuple[list[int], Term]"
"""Steps, and what is stated of them."""


class Terms:
    """Finds the terms of sentences.

    Args:
        known: the propositions.
        effect: what is to be explained, which a sentence may name.
        single: whether each literal counts alone, and sets are lists.
    """

    def __init__(self, known: frozenset[str], effect: Effect, single: bool) -> None:
        output, last = effect["output"], effect["step"]
        self.names, self.single = known - {output}, single
        self.pattern = re.compile(
            f"(?P<literal>{literal_pattern(self.names)})|{_PATTERN}", re.IGNORECASE
        )
        self.name = Name(effect, known)
        named = rf"(?:[!~¬]\s?|\\(?:lnot|neg)\s?|\bnot\s)?(?<!\w){re.escape(output)}(?!\w)"
        of = r"\b(?:for|of|für|von|para|de|pour|per|do|van) (?:the )?(?:effect |output )?"
        self.effect = re.compile(
            rf"(?:{of})?(?:(?P<nexts>\bX[X^{{}}()0-9\s]*{named}\)*)|{named}\s(?:\w+\s){{0,3}}?{STEP}\s?{last}\b)|{of}{named}",
            re.IGNORECASE,
        )
        self.output = re.compile(named, re.IGNORECASE)

    def plain(self, text: str) -> str:
        """Return a text without quotation marks and the effect that it names; with "?" for another one."""
        text = self.effect.sub(
            lambda named: (
                " ? " if named["nexts"] and not self.name.matches(named["nexts"]) else " "
            ),
            _LEFT_OUT.sub("", text),
        )
        return " ".join(text.split())

    def of(self, text: str) -> list[Term] | None:
        """Return the terms of a sentence; None where it denies, doubts or derives what it says."""
        reading = _Reading(self)
        if not reading.read(list(self.pattern.finditer(text))):
            return None
        behind = " ".join(reading.behind)
        lead = " ".join(reading.words[: len(reading.words) - len(reading.behind)])
        if is_open(f"{lead} {behind}") or self.output.search(behind):
            return None
        if any(word.lower() in TRUTHS and not word.isdigit() for word in reading.behind):
            return None  # a value that belongs to no name
        if _DENIES.search(f"{_ARGUED.split(lead)[-1]} {behind}"):
            return None
        stated = any(term.kind in ("said", "set") for term in reading.terms)
        if any(term.kind == "not" for term in reading.terms):
            undone = stated or _UNDONE.search(f"{lead} {behind}")
            return None if undone else [Term("none"), *reading.terms]
        return reading.terms


class _Reading:
    """Reads the terms of a sentence, or of what stands in brackets, from left to right."""

    def __init__(self, owner: Terms, depth: int = 0) -> None:
        self.owner, self.depth = owner, depth
        self.terms: list[Term] = []
        self.words: list[str] = []
        self.behind: list[str] = []  # the words behind the first term
        self.joint: str | None = None  # what joins a literal to the one before it
        self.either = False
        self.plain = False  # whether the last literal is a name alone

    def read(self, found: list[re.Match[str]]) -> bool:
        """Read some tokens; False where they cannot be read."""
        if self.depth > _NESTED:
            return False
        at = 0
        while at < len(found):
            token, kind = found[at], _kind(found[at])
            at += 1
            if kind == "gloss" and not self._states():
                self.joint = None
            elif kind in ("open", "gloss"):
                end = _end(found, at, kind)
                if kind == "open" and end == len(found):
                    return False
                read = self._bracket if kind == "open" else self._gloss
                if not read(token[0], found[at:end]):
                    return False
                at = end + (kind == "open")
            elif not self._token(token, kind):
                return False
        return True

    def _token(self, token: re.Match[str], kind: str) -> bool:
        if kind == "literal":
            literal = signed(token, self.owner.names)
            near = bool(self.terms) and self.terms[-1].kind == "none" and self.joint == ""
            shared = self.plain and self.joint and literal and not literal[1] and token["truth"]
            self.plain = not (token["sign"] or token["truth"])
            if literal is None or near or shared:
                return False
            return self._said(literal[0] if literal[1] else f"!{literal[0]}")
        if kind in ("or", "and", "comma"):
            self._join(kind)
        elif kind == "place":
            self._add(Term("place", _steps(token[0])))
            self.either |= bool({"or", "oder", "ou"} & {*token[0].lower().split()})
        elif kind in ("arrow", "strange"):  # a sign before what is no name
            return kind == "arrow" and not self._states()
        elif kind == "word":
            self._word(token[0])
        elif kind in ("other", "across", "none", "not", "end", "together", "only"):
            if kind == "only":
                self._word(token[0])
            if not (kind == "none" and self._last("none") and self.joint is None):
                self._add(Term(kind))
            self.joint = "" if kind == "none" else None
        return True

    def _word(self, word: str) -> None:
        self.words.append(word)
        self.behind += [word] if self.terms else []
        self.joint = None

    def _join(self, kind: str) -> None:
        if self._last("said") and self.joint is not None:
            comma = kind == "comma" or (kind == "and" and self.joint == ", ")
            self.joint = ", " if comma else f" {kind} "
        elif kind == "or":
            self.either = True
        else:
            self.joint = None

    def _last(self, kind: str) -> bool:
        return bool(self.terms) and self.terms[-1].kind == kind

    def _states(self) -> bool:
        """Tell if something is stated since the last semicolon."""
        recent = takewhile(lambda term: term.kind != "end", reversed(self.terms))
        return any(term.kind in ("said", "set", "none") for term in recent)

    def _add(self, term: Term) -> None:
        if self.terms and (self.either or self.joint == " or "):
            self.terms.append(Term("or"))
        self.either = False
        self.terms.append(term)
        self.joint = None

    def _said(self, text: str) -> bool:
        """Add a literal, or a formula of them in brackets."""
        if self.joint and self._last("said"):
            if self.joint == " or " and "{" in self.terms[-1].value + text:
                return False
            self.terms[-1] = Term("said", self.terms[-1].value + self.joint + text)
        else:
            self._add(Term("said", text))
        self.joint = ""
        return True

    def _gloss(self, sign: str, inner: list[re.Match[str]]) -> bool:
        """Pass over an explanation; False where it doubts, or states more."""
        below = _Reading(self.owner, self.depth + 1)
        kinds = {term.kind for term in below.terms} if below.read(inner) else set()
        if {"none", "other"} <= kinds:
            self.terms += [Term("end"), Term("none"), Term("other")]
        elif kinds == {"none", "place"} and _SAME.fullmatch(" ".join([sign, *below.words])):
            self.terms += [Term("end"), *below.terms]
        return not {"place", "said"} <= kinds and "set" not in kinds and not _doubts(inner)

    def _bracket(self, sign: str, inner: list[re.Match[str]]) -> bool:
        """Read what stands in brackets: a set, a formula, a step, "none", or else an explanation."""
        below = _Reading(self.owner, self.depth + 1)
        if not below.read(inner):
            return not _doubts(inner) and sign == "("
        kept = [term for term in below.terms if term.kind not in ("or", "end")]
        kinds = {term.kind for term in kept}
        if not inner or (kinds == {"none"} and not (self._last("said") or self._last("set"))):
            if not self._last("none"):
                self._add(Term("none"))
        elif "set" in kinds or {"said", "place"} <= kinds:
            self.words += below.words
            self.behind += below.words
            spliced = self.owner.single or "none" in kinds or inner[0]["first"]
            return self._timed(sign, below.words, kept, bool(spliced))
        elif "said" in kinds:
            return self._formula(sign, below)
        elif kinds and kinds <= {"place", "other"} and not below.words:
            if not (self._last("place") or self._last("other")):
                self.terms += kept
        else:
            return sign == "(" and not inner[0]["first"] and not _doubts(inner)
        return True

    def _timed(self, sign: str, words: list[str], terms: list[Term], spliced: bool) -> bool:
        """Add literals with their steps, as one set where sets count, or the sets in outer brackets."""
        sets = [term for term in terms if term.kind == "set"]
        pairs = [term for term in terms if term.kind in ("said", "place")]
        strange = sign != "(" and any(len(word) > _SHORT for word in words)
        if strange or (sets and pairs):
            return False
        if not sets and not spliced:
            sets = [Term("set", clause_of(paired(pairs)))]
        for term in sets or terms:
            self._add(term)
        return self.terms[-1].kind != "set" or self.terms[-1].value is not None

    def _formula(self, sign: str, below: _Reading) -> bool:
        """Add a formula in brackets, or put it in the place of what it says again; pass over an explanation."""
        said = [term.value for term in below.terms if term.kind == "said"]
        if below.words:
            at = len(self.terms) - 1
            while at >= 0 and self.terms[at].kind in ("together", "only"):
                at -= 1
            before = self.terms[at] if at >= 0 else Term("none")
            if before.kind == "said" and {*_literals(said[0])} == {*_literals(before.value)}:
                self.terms[at] = Term("said", said[0])
            return not _DOUBTS.search(" ".join(below.words))
        if sign == "(":
            text = f"({said[0]})"
        elif sign == "[" or self.owner.single:  # a list: each part counts
            text = said[0]
        else:
            text = f"{{{' or '.join(_literals(said[0]))}}}"
        return len(said) == 1 and self._said(text)


def _kind(token: re.Match[str]) -> str:
    if token["literal"]:
        return "literal"
    kind = token.lastgroup or ""
    return "place" if kind in ("steps", "braced", "bare", "first") else kind


def _end(found: list[re.Match[str]], at: int, kind: str) -> int:
    """Return where brackets that open before a place close, or where an explanation ends."""
    depth = 1
    for place in range(at, len(found)):
        depth += (found[place]["open"] is not None) - (found[place]["close"] is not None)
        if depth == 0 or (kind == "gloss" and found[place]["end"]):
            return place
    return len(found)


def _doubts(tokens: list[re.Match[str]]) -> bool:
    words = " ".join(token[0] for token in tokens if not token["literal"])
    return _DOUBTS.search(words) is not None


def _literals(text: str) -> list[str]:
    return re.split(r" or | and |, ", re.sub("[(){}]", "", text))


def _steps(text: str) -> list[int]:
    steps: list[int] = []
    for first, end in _RANGE.findall(text):
        steps += range(int(first), int(end or first) + 1)
    return steps


def clause_of(pairs: list[Pair] | None) -> list[str] | None:
    """Return the clause that literals with their steps are together, as ``2:!b``; None if one has no step."""
    clause: list[str] = []
    for places, said in pairs or ():
        if said.kind != "said" or len(places) != 1 or places[0] < 0:
            return None
        clause += [f"{places[0]}:{literal}" for literal in _literals(said.value)]
    return clause or None


def paired(terms: list[Term]) -> list[Pair] | None:
    """Return each statement with the steps that stand right before it, or else right behind it.

    None if one of them is left over.
    """
    places = [term.kind in ("place", "other", "across") for term in terms]
    pairs: list[Pair] = []
    at = 0
    while at < len(terms):
        end = at + 1
        while places[end : end + 1] == [True]:
            end += 1
        if places[at]:
            end += 1
        elif end < len(terms) and places[end + 1 : end + 2] != [True]:
            end -= 1  # the last step is that of the next statement
        part = terms[at:end]
        if len(part) < max(2, end - at):
            return None
        steps = [where for term in part for where in places_of(term)]
        pairs.append((steps, part[-1] if places[at] else part[0]))
        at = end
    return pairs


def places_of(term: Term) -> list[int]:
    """Return the steps that a term names; `REST` and `CROSSING` for the other steps, and several at once."""
    if term.kind == "place":
        return list(term.value)
    return {"other": [REST], "across": [CROSSING]}.get(term.kind, [])
