r"""Cut the text of a formula into tokens: the lower half of the grammar in `harness_vltl.formulas.syntax`.

Everything that differs between notations is settled here: which word, letter, sign or LaTeX command
is which operator, what is a name, what a bound. Every pattern is linear.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from harness_vltl.formulas.bounds import NoBoundError, Steps, bound, delay
from harness_vltl.formulas.formula import PROPOSITION, UNARY, Formula, FormulaError
from harness_vltl.formulas.typography import TYPES

MAX_TOKENS = 2000

_SPELLINGS = r"""
G globally always henceforth s_always [] □ ◻ ⬜ ☐ ▢ \square \Box
F finally eventually sometime sometimes s_eventually <> ◇ ◊ ♢ ⋄ ⟡ \Diamond \diamond \lozenge
X next nexttime s_nexttime strong_next weak_next strongnext weaknext () ○ ◯ ⃝ ◦ ⚪ \bigcirc \circ \Circle
U until s_until strong_until stronguntil
W weak_until weakuntil unless
R release releases
M strong_release strong_releases strongrelease
! not ! ~ ¬ ∼ \lnot \neg
& and & && /\ ∧ ⋀ \& \land \wedge
| or | || \/ ∨ ⋁ \lor \vee
-> implies -> |-> --> => ==> → ⇒ ⟹ ⟶ ⊃ \rightarrow \Rightarrow \longrightarrow \Longrightarrow \to \implies \supset
<-> iff if_and_only_if double_implies doubleimplies equivalent equivalent_to is_equivalent_to <-> <--> <=> <==>
<-> ↔ ⇔ ⟺ ⟷ ≡ \leftrightarrow \Leftrightarrow \longleftrightarrow \Longleftrightarrow \iff \equiv
~> leads_to leadsto ~> ⇝ ↝ \leadsto
|=> |=>
## ##
xor xor ^ ⊕ ⊻ \oplus \veebar
!= != ≠ ⇎ \ne \neq \nleftrightarrow \nLeftrightarrow
"""
_ALL = {name: line.split()[0] for line in _SPELLINGS.split("\n") for name in line.split()[1:]}
WORDS = {name: operator for name, operator in _ALL.items() if name[0].isalpha()}
# Words that are two operators at once.
COMPOUNDS = {
    "infinitely_often": "GF",
    "infinitely_many_times": "GF",
    "always_eventually": "GF",
    "never": "G!",
}
COMMANDS = {name[1:]: _ALL[name] for name in _ALL if re.match(r"\\[A-Za-z]", name)}
SIGNS = {name: _ALL[name] for name in _ALL if name not in WORDS and name[1:] not in COMMANDS}
LETTERS = {letter: letter for letter in "GFXURWM"}
# to some, where the propositions are known and have no such name
_NEXTS = ("N", "WX", "wX", "Xw", "X_w", "weak_X", "X_weak", "Xs", "X_s", "strong_X", "X_strong")
_WEAK_NEXT = {"n", "wx", "xw", "weakx", "xweak", "weaknext"}
_SOFT = {"V": "R"} | dict.fromkeys(_NEXTS, "X") | {letter.lower(): letter for letter in LETTERS}
_UNEQUAL = ("!=", "≠", r"\ne", r"\neq")  # likewise; else values might be compared
_TRUE, _FALSE = ("true", "top", "⊤", "1"), ("false", "bot", "⊥", "0")
_CONSTANTS = dict.fromkeys(_TRUE, True) | dict.fromkeys(_FALSE, False)

_SPACE = {"left", "right", "big", "Big", "bigl", "bigr", "Bigl", "Bigr", "bigg", "quad", "qquad"}

# PSL's strong operators: the sign belongs to the word, no negation is meant ("X!a" is one).
_STRONG = re.compile(r"!(?=[\s\[]|(?P<call>\())")

# What is written like an operator of other logics, and is a plain name only where it stands alone.
PAST = {*"YOHS", "previously", "yesterday", "once", "since", "historically", "triggered"}
BRANCHING = {"A", "E", *(path + step for path in "AE" for step in "GFXURW")}

_PHRASE = "|".join(
    phrase.replace("_", r"[\s_-]{1,3}")
    for phrase in sorted([*WORDS, *COMPOUNDS], reverse=True)
    if "_" in phrase
)
_LETTER = r"[A-Za-z0-9]|\\_|_\{[A-Za-z0-9_]{1,40}\}|_(?![{\[(<>≤≥\\])|[₀-₉]|-(?=[A-Za-z0-9])"
_NAME = rf"(?![0-9₀-₉-])(?:{_LETTER})+(?!{_LETTER})"
_ARGUMENTS = r"\([^()]{0,700}\)"
_SIGN = "|".join(re.escape(sign) for sign in sorted(SIGNS, key=len, reverse=True))
_TOKEN = re.compile(
    rf"""(?P<blank>[ \t\r\n]++|\\[,;:\ ])
    |(?P<phrase>(?i:{_PHRASE})(?![A-Za-z0-9_-]))
    |(?P<name>{_NAME})
    |(?P<sign>\[\ \]|<\ >|{_SIGN})
    |(?P<mark>\\?[{{}}]|[(\[\]),])
    |(?P<command>\\[A-Za-z]++)
    |(?P<constant>[0-9]++|[⊤⊥])
    |(?P<quoted>(?P<quote>["'`])[^"'`]{{1,700}}(?P=quote))""",
    re.VERBOSE,
)
_CALL = re.compile(rf"[ ]{{0,3}}({_ARGUMENTS})")
_SQUARE = re.compile(r"\[[^\[\]()]{1,700}\]")
_QUOTED = re.compile(rf"({_NAME})({_ARGUMENTS})?")
_ARGUMENT = re.compile(rf"""["'`]?({_NAME}(?:[ \t\r\n]++{_NAME}|[ \t\r\n]++[0-9]++)*)["'`]?""")
_LOWERED = str.maketrans("₀₁₂₃₄₅₆₇₈₉", "0123456789")
_LONGEST = 200  # glued letters and names


@dataclass(slots=True)
class Token:
    """A piece of a formula: kind, operator or proposition or constant, where and how it is written.

    Kinds are ``atom``, ``unary``, ``binary``, ``(``, ``)``, ``,`` and ``end``. ``bound`` is what a
    temporal operator may carry: the steps (first, last) over which it is expanded.
    """

    kind: str
    value: Formula
    place: int
    raw: str
    bound: Steps | None = None


class Names(NamedTuple):
    """The propositions that may appear; others are read too, where nothing else can be meant.

    ``heads`` are the names without arguments, ``called`` the heads of those that have some; ``glued``
    is the pattern of names and operator letters without a blank between: ``GFa``, ``aUb``.
    """

    whole: frozenset[str]
    heads: frozenset[str]
    called: frozenset[str]
    glued: re.Pattern[str] | None


@lru_cache(256)
def names(known: frozenset[str]) -> Names:
    """Return what the lexer has to know about the propositions of one task."""
    heads = frozenset(name.partition("(")[0] for name in known)
    called = frozenset(name.partition("(")[0] for name in known if "(" in name)
    # longest first, and taken for good, so that no text makes the pattern go back and forth
    some = "|".join(re.escape(head) for head in sorted(heads, key=len, reverse=True))
    glued = re.compile(rf"([GFX]*?)(?=({some}))\2([URWM]|$)") if known else None
    return Names(known, heads, called, glued)


def is_weak_next(raw: str) -> bool:
    """Tell whether a next operator, as it is written, is the weak one of finite traces."""
    return re.sub(r"[\s_{}-]", "", raw).lower() in _WEAK_NEXT


def error(place: int, message: str) -> FormulaError:
    """Return the error for a place counted from 0; people count columns from 1."""
    return FormulaError(f"column {place + 1}: {message}")


def tokenise(text: str, known: Names) -> list[Token]:
    """Return the tokens of folded text, the last one of kind ``end``.

    Raises:
        FormulaError: a character or command that no notation has, a name that is none, a bound out of
            bounds, operators of other logics, more than `MAX_TOKENS` tokens.
    """
    lexer = _Lexer(text, known)
    place, tokens, match = 0, lexer.tokens, _TOKEN.match
    while place < len(text):
        piece = match(text, place)
        if piece is None:
            raise error(place, _unknown(text[place]))
        kind = piece.lastgroup or ""
        place = piece.end() if kind == "blank" else lexer.read(kind, piece)
        if len(tokens) > MAX_TOKENS:
            raise error(place, f"a formula has at most {MAX_TOKENS} words and signs")
    tokens.append(Token("end", None, place, "the end"))
    return tokens


def _unknown(character: str) -> str:
    if character in "<>=≤≥≠":
        return f"'{character}' is no operator of LTL, which has no comparisons"
    if not character.isprintable():
        return f"the control character {character!r} cannot stand in a formula"
    return f"'{character}' cannot stand here"


def _named(raw: str) -> str:
    """Return a name as the data has it: ``prop\\_1``, ``prop_{1}`` and ``prop₁`` are ``prop_1``."""
    if "\\" in raw or "{" in raw:
        raw = raw.replace("\\", "").replace("{", "").replace("}", "")
    if not raw.isascii():
        raw = re.sub("_*([₀-₉]+)", lambda low: "_" + low[1].translate(_LOWERED), raw)
    return raw


def _called(head: str, arguments: str, place: int) -> str:
    """Return the canonical form of a name with arguments in parentheses; ``idle()`` is ``idle``."""
    inner = arguments[1:-1].strip()
    if not inner:
        return head
    parts = []
    for part in inner.split(","):
        match = _ARGUMENT.fullmatch(part.strip())
        if match is None:
            raise error(place, f"'{head[:60]}(…' is no operator, {part.strip()[:30]!r} no argument")
        parts.append("_".join(_named(match[1]).split()))
    return _proposition(f"{head}({','.join(parts)})", place)


def _proposition(name: str, place: int) -> str:
    if not PROPOSITION.fullmatch(name):
        raise error(place, f"{name[:60]!r} is no name of a proposition")
    return name


class _Lexer:
    """The tokens so far, and one method per kind of token that returns where the next one begins."""

    def __init__(self, text: str, known: Names) -> None:
        self.text, self.known = text, known
        self.tokens: list[Token] = []

    def read(self, kind: str, match: re.Match[str]) -> int:
        place, raw = match.start(), match[0]
        if kind == "name":
            return self.name(_named(raw), raw, place, match.end())
        if kind == "sign":
            return self.operator(SIGNS[raw.replace(" ", "")], raw, place, match.end())
        if kind in _PLAIN:
            self.tokens.append(_PLAIN[kind](raw, place))
            return match.end()
        if kind == "phrase":
            return self.phrase(raw, place, match.end())
        return self.command(raw, place, match.end())

    def operator(self, operator: str, raw: str, place: int, end: int) -> int:
        if raw in _UNEQUAL and not self.known.whole:
            raise error(place, _unknown("≠"))
        token = Token("unary" if operator in UNARY else "binary", operator, place, raw)
        self.tokens.append(token)
        strong = _STRONG.match(self.text, end) if operator in "XFU" and raw[-1].isalpha() else None
        if strong and (len(raw) > 1 or not strong["call"]):
            end = strong.end()
        try:
            if operator == "##":
                token.kind = "unary"
                token.value, token.bound, end = delay(self.text, end)
            elif operator in LETTERS and (found := bound(operator, self.text, end)):
                token.bound, end = found
        except NoBoundError as problem:
            raise error(end, str(problem)) from None
        return end

    def phrase(self, raw: str, place: int, end: int) -> int:
        first = raw.split()[0]
        if first in self.known.heads:  # the proposition "weak", and then "until"
            return self.name(first, first, place, place + len(first))
        words = re.split(r"[\s_-]+", raw)
        if both := COMPOUNDS.get("_".join(words).lower()):
            return self.compound(both, raw, place, end)
        operator = WORDS.get("_".join(words).lower())
        if operator is None:  # a pattern that ignores case takes ı for i and ſ for s
            strange = next(at for at, sign in enumerate(raw) if not sign.isascii())
            raise error(place + strange, _unknown(raw[strange]))
        return self.operator(operator, " ".join(words), place, end)

    def compound(self, operators: str, raw: str, place: int, end: int) -> int:
        self.tokens += [Token("unary", operator, place, raw) for operator in operators[:-1]]
        return self.operator(operators[-1], raw, place, end)

    def command(self, raw: str, place: int, end: int) -> int:
        name = raw[1:]
        if name in _SPACE or TYPES.fullmatch(name):
            return end
        if name in _CONSTANTS:
            self.tokens.append(_constant(name, place))
            return end
        operator = COMMANDS.get(name) or LETTERS.get(name) or WORDS.get(name.lower())
        if operator is None:
            raise error(place, f"the LaTeX command '{raw[:30]}' is no operator")
        return self.operator(operator, raw, place, end)

    def name(self, name: str, raw: str, place: int, end: int) -> int:
        known, operator = self.known, LETTERS.get(name)
        if operator is None and known.whole and name not in known.heads:
            operator = _SOFT.get(name) if name.upper() not in known.heads else None
        if operator is None:
            if after := self.call(name, place, end):
                return after
            operator = WORDS.get(name.lower())
        if operator:
            return self.operator(operator, raw, place, end)
        if name not in known.whole:
            if both := COMPOUNDS.get(name.lower()):
                return self.compound(both, raw, place, end)
            if name.lower() in ("true", "false"):
                self.tokens.append(_constant(name.lower(), place))
                return end
            if pieces := self.pieces(name):
                return self.glued(pieces, place, end)
        self.tokens.append(Token("atom", _proposition(name, place), place, name))
        return end

    def call(self, head: str, place: int, end: int) -> int:
        """Read a proposition with arguments, if this is one; return 0 if it is not."""
        squared = _SQUARE.match(self.text, end) if head in self.known.called else None
        if squared and (whole := _called(head, squared[0], place)) in self.known.whole:
            self.tokens.append(Token("atom", whole, place, whole))
            return squared.end()
        direct = self.text.startswith("(", end)
        if not direct and head not in self.known.called:
            return 0
        operator = head.lower() in WORDS or bool(self.pieces(head))
        arguments = _CALL.match(self.text, end)
        if arguments is None:
            if direct and not operator:
                raise error(place, f"'{head[:60]}(…' is no operator, and has no list of arguments")
            return 0
        try:
            whole = _called(head, arguments[1], place)
        except FormulaError:
            if operator:  # "release (a & b)" is one, even if "release(hostage)" is a proposition
                return 0
            raise
        if whole not in self.known.whole:
            if operator:
                return 0
            _refuse_other_logics(head, arguments[1], place)
        self.tokens.append(Token("atom", whole, place, whole))
        return arguments.end()

    def pieces(self, name: str) -> list[str]:
        """Return the operator letters and names of which a name is made up, none if it is just a name."""
        if len(name) < 2 or len(name) > _LONGEST or name in self.known.heads:
            return []
        if not name.strip("GFXN" if self.known.whole else "GFX"):
            return list(name)
        glued, place, pieces = self.known.glued, 0, list[str]()
        while glued and place < len(name):
            piece = glued.match(name, place)
            if piece is None:
                return []
            pieces += [*piece[1], piece[2], *piece[3]]
            place = piece.end()
        return pieces if pieces and pieces[-1] not in LETTERS else []

    def glued(self, pieces: list[str], place: int, end: int) -> int:
        *front, last = pieces
        for piece in front:
            operator = LETTERS.get(piece)
            kind = "atom" if operator is None else "unary" if operator in UNARY else "binary"
            self.tokens.append(Token(kind, piece, place, piece))
        return self.name(last, last, place, end)


def _refuse_other_logics(head: str, arguments: str, place: int) -> None:
    if head in BRANCHING:
        raise error(place, f"'{head}' is a path quantifier, which LTL has not")
    if head in PAST or head.lower() in PAST:
        raise error(place, f"'{head}' is a past operator, which this LTL has not")
    words = re.split(r"[(),\s]+", arguments)
    if any(word in LETTERS or word.lower() in WORDS for word in words):
        raise error(place, f"'{head[:60]}' is no operator, and an operator is no argument")


def _quoted(raw: str, place: int) -> Token:
    name = raw[1:-1].strip().replace("\\_", "_")
    match = _QUOTED.fullmatch(name)
    if match and not PROPOSITION.fullmatch(name):
        name = _called(match[1], match[2], place) if match[2] else _named(name)
    return Token("atom", _proposition(name, place), place, raw)


def _constant(raw: str, place: int) -> Token:
    if raw not in _CONSTANTS:
        raise error(place, f"the number {raw[:20]} is no formula")
    return Token("atom", _CONSTANTS[raw], place, raw)


def _mark(raw: str, place: int) -> Token:
    kind = "," if raw == "," else "(" if raw[-1] in "([{" else ")"
    return Token(kind, raw[-1], place, raw)


_PLAIN = {"mark": _mark, "constant": _constant, "quoted": _quoted}
