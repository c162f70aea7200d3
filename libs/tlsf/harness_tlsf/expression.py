"""The parser of TLSF expressions, with the precedences that the reference tool syfco has.

From tight to loose: sums and sizes; `*`; `/ %` (right); `+ -`; big set operators; set minus (right);
intersection; union; comparisons; `IN`; `! X G F` and big `&& ||`; `&&`; `||`; `-> <->` (right); `W`
(right); `U` (right); `R` (left); `~`. W, U and R are looser than `->`, unlike elsewhere.
"""

from __future__ import annotations

from typing import Any

from harness_tlsf.errors import TlsfError
from harness_tlsf.lexer import Source, Token, shown
from harness_tlsf.stack import Task, run
from harness_tlsf.syntax import Binder, Expr

MAX_NESTING = 2_500
MAX_DIGITS = 18

LOOSEST, FORMULA, UNARY, SET, BIG_SET, NUMBER = 2, 3, 9, 12, 15, 19
# Sign: level, and whether it groups to the right.
_INFIX = {
    "*": (18, False), "/": (17, True), "%": (17, True), "+": (16, False), "-": (16, False),
    "(-)": (14, True), "(*)": (13, False), "(+)": (12, False),
    **dict.fromkeys(("==", "!=", "<", "<=", ">", ">="), (11, False)), "IN": (10, False),
    "&&": (8, False), "||": (7, False), "->": (6, True), "<->": (6, True),
    "W": (5, True), "U": (4, True), "R": (3, False), "~": (2, False),
}  # fmt: skip
_OTHER_SPELLING = {
    "(\\)": "(-)", "SETMINUS": "(-)", "CAP": "(*)", "CUP": "(+)", "<-": "IN", "ELEM": "IN",
    "NOT": "!", "AND": "&&", "OR": "||", "IMPLIES": "->", "EQUIV": "<->",
    "/=": "!=", "EQ": "==", "NEQ": "!=", "LE": "<", "LEQ": "<=", "GE": ">", "GEQ": ">=",
    "PLUS": "+", "MINUS": "-", "MUL": "*", "DIV": "/", "MOD": "%",
}  # fmt: skip
_BIG_SPELLING = _OTHER_SPELLING | {"SUM": "+", "PROD": "*", "FORALL": "&&", "EXISTS": "||"}
# Words that begin no name of the user's; the other spellings are words only between operands.
# fmt: off
RESERVED = frozenset({
    "NOT", "AND", "OR", "IMPLIES", "EQUIV", "true", "false", "otherwise", "_", "X", "G", "F", "U", "W", "R",
    "PLUS", "MINUS", "MUL", "DIV", "MOD", "SUM", "PROD", "SIZE", "SIZEOF", "MIN", "MAX", "IN", "CUP", "CAP",
    "SETMINUS",
})
# fmt: on
_PREFIX = {"!": UNARY, "X": UNARY, "G": UNARY, "F": UNARY}
_PREFIX |= dict.fromkeys(("SIZEOF", "SIZE", "MIN", "MAX"), NUMBER)
_BIG = {"&&": UNARY, "||": UNARY, "+": NUMBER, "*": NUMBER, "(+)": BIG_SET, "(*)": BIG_SET}
_BOUNDED = ("X", "G", "F")
_COMPARISONS = ("<", "<=", ">", ">=")


class ExpressionParser:
    """Reads expressions from the words of a source; the sections' parser builds on it."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self._rest = source.tokens()
        self._ahead: list[Token] = []
        self._nesting = 0

    def peek(self, ahead: int = 0) -> Token:
        """The next word, or one further on."""
        while len(self._ahead) <= ahead:
            if self._ahead and self._ahead[-1].kind == "end":
                return self._ahead[-1]
            self._ahead.append(next(self._rest))
        return self._ahead[ahead]

    def take(self) -> Token:
        """The next word, used up; the end of the text stays."""
        token = self.peek()
        if token.kind != "end":
            self._ahead.pop(0)
        return token

    def at(self, text: str, ahead: int = 0) -> bool:
        """Whether the next word is this sign or word."""
        token = self.peek(ahead)
        return token.text == text and token.kind in ("op", "name")

    def skip(self, text: str) -> bool:
        """Use up the next word if it is this one."""
        if self.at(text):
            self.take()
            return True
        return False

    def expect(self, text: str, where: str) -> Token:
        """Use up the next word, which must be this one."""
        if not self.at(text):
            raise self.unexpected(f"'{text}' {where}")
        return self.take()

    def new_name(self, what: str) -> Token:
        """A name of the user's."""
        token = self.peek()
        if token.kind != "name":
            raise self.unexpected(what)
        if token.text in RESERVED:
            raise self.error(token, f"'{token.text}' is a word of TLSF and cannot be {what}")
        return self.take()

    def unexpected(self, wanted: str) -> TlsfError:
        """The error that something else was expected here."""
        return self.error(self.peek(), f"expected {wanted}, found {shown(self.peek())}")

    def error(self, token: Token, message: str) -> TlsfError:
        """An error at this word."""
        return self.source.error(token.start, message)

    def expression(self, level: int = FORMULA) -> Expr:
        """The expression that starts here, with operators at least as tight as `level`."""
        return run(self._binary(level), 10 * MAX_NESTING, self._too_deep)

    def _too_deep(self) -> TlsfError:
        return self.error(self.peek(), f"nested more than {MAX_NESTING:,} levels deep")

    def _infix(self) -> str | None:
        """The operator between operands that stands here, by its sign."""
        token = self.peek()
        sign = _OTHER_SPELLING.get(token.text, token.text)
        # `a +[...] b` is no addition: a sum begins, so the next guard of a definition does.
        big = sign in _BIG and self.at("[", 1)
        return sign if token.kind in ("op", "name") and sign in _INFIX and not big else None

    def _binary(self, level: int) -> Task[Expr]:
        left = self._leaf() or (yield from self._operand())
        chained = 0
        while (sign := self._infix()) is not None and _INFIX[sign][0] >= level:
            tightness, to_right = _INFIX[sign]
            place = self.take().start
            right: Expr = yield self._binary(tightness if to_right else tightness + 1)
            left = Expr(sign, place, (left, right))
            if sign in ("&&", "||"):
                left = yield from self._chain(left)
            chained += 1
            if chained > MAX_NESTING:
                raise self._too_deep()
        return left

    def _leaf(self) -> Expr | None:
        """The operand that stands here if it is a single word, as most are."""
        token = self.peek()
        if token.kind == "number":
            if len(token.text) > MAX_DIGITS:
                raise self.error(token, f"a number of more than {MAX_DIGITS} digits")
            return Expr("number", self.take().start, text=token.text)
        if token.kind != "name" or self.at("(", 1) or self.at("[", 1):
            return None
        if token.text in ("true", "false", "otherwise"):
            return Expr(token.text, self.take().start, text=token.text)
        if token.text == "_" or token.text not in RESERVED:
            return Expr("name", self.take().start, text=token.text)
        return None

    def _chain(self, first: Expr) -> Task[Expr]:
        """`a && b && …` as one node, so that long chains are flat."""
        operands = list(first.args)
        while self._infix() == first.kind:
            self.take()
            operands.append((yield self._binary(_INFIX[first.kind][0] + 1)))
        return Expr(first.kind, first.place, tuple(operands))

    def _operand(self) -> Task[Expr]:
        self._nesting += 1
        if self._nesting > MAX_NESTING:
            raise self._too_deep()
        result = yield from self._prefixed()
        self._nesting -= 1
        return result

    def _prefixed(self) -> Task[Expr]:
        token = self.peek()
        sign = _BIG_SPELLING.get(token.text, token.text)
        if token.kind in ("op", "name"):
            if sign in _BIG and self.at("[", 1):
                return (yield from self._big(sign))
            if sign in _BOUNDED and self.at("[", 1):
                return (yield from self._bounded(sign))
            if sign in _PREFIX:
                self.take()
                operand: Expr = yield self._binary(_PREFIX[sign])
                return Expr(sign, token.start, (operand,))
        if token.kind == "name" and token.text not in RESERVED:
            return (yield from self._named())
        if token.text in ("(", "{", "|"):
            return (yield from self._enclosed(self.take()))
        raise self.unexpected("an expression")

    def _named(self) -> Task[Expr]:
        token = self.take()
        if self.take().text == "(":
            return Expr("call", token.start, (yield from self._passed()), token.text)
        position: Expr = yield self._binary(FORMULA)
        self.expect("]", "after the position in a bus")
        return Expr("index", token.start, (position,), token.text)

    def _enclosed(self, opening: Token) -> Task[Expr]:
        if opening.text == "{":
            return (yield from self._set(opening))
        inner: Expr = yield self._binary(FORMULA)
        if opening.text == "|":
            self.expect("|", "at the end of the size of a set")
            return Expr("SIZE", opening.start, (inner,))
        if not self.at(")"):
            place = self.source.error(opening.start, "").args[0].rstrip(": ")
            raise self.unexpected(f"')' for the '(' of {place}")
        self.take()
        return inner

    def _passed(self) -> Task[tuple[Expr, ...]]:
        entries: list[Expr] = []
        while not self.skip(")"):
            if entries and not self.skip(","):
                raise self.unexpected("',' or ')'")
            entries.append((yield self._binary(FORMULA)))
        return tuple(entries)

    def _set(self, opening: Token) -> Task[Expr]:
        elements: list[Expr] = []
        while not self.skip("}"):
            if elements and not self.skip(","):
                raise self.unexpected("',' or '}' in a set")
            elements.append((yield self._binary(FORMULA)))
            if len(elements) <= 2 and self.skip(".."):
                last: Expr = yield self._binary(FORMULA)
                self.expect("}", "at the end of a range")
                return Expr("range", opening.start, (*elements, last))
        return Expr("set", opening.start, tuple(elements))

    def _bounded(self, sign: str) -> Task[Expr]:
        token = self.take()
        self.take()
        bounds: list[Expr] = [(yield self._binary(FORMULA))]
        if sign != "X":
            self.expect(":", f"between the bounds of {sign}[from:to]")
            bounds.append((yield self._binary(FORMULA)))
        self.expect("]", f"after the bounds of {sign}")
        operand: Expr = yield self._binary(UNARY)
        return Expr(f"{sign}[]", token.start, (*bounds, operand))

    def _big(self, sign: str) -> Task[Expr]:
        token = self.take()
        self.take()
        binders = [(yield from self._binder())]
        while self.skip(","):
            binders.append((yield from self._binder()))
        self.expect("]", f"after what {token.text}[…] ranges over")
        operand: Expr = yield self._binary(_BIG[sign])
        return Expr(f"{sign}[]", token.start, (operand,), binders=tuple(binders))

    def _binder(self) -> Task[Binder]:
        start = self.peek()
        first: Expr = yield self._binary(SET)
        if self._infix() == "IN":
            self.take()
            values: Expr = yield self._binary(SET)
            return Binder(self._bound(first, start), start.start, values=values)
        return (yield from self._between(first))

    def _between(self, first: Expr) -> Task[Binder]:
        """`low < name <= high`, or the same from high to low."""
        signs: list[str] = []
        parts = [first]
        starts: list[Token] = []
        for _ in range(2):
            sign = self._infix()
            if sign not in _COMPARISONS or (signs and sign[0] != signs[0][0]):
                raise self.unexpected("'name IN set' or 'low <= name < high'")
            self.take()
            signs.append(sign)
            starts.append(self.peek())
            parts.append((yield self._binary(SET)))
        name = self._bound(parts[1], starts[0])
        strict: Any = tuple(len(sign) == 1 for sign in signs)
        low, high = parts[0], parts[2]
        if signs[0][0] == ">":
            low, high, strict = high, low, strict[::-1]
        return Binder(name, starts[0].start, low=low, high=high, strict=strict)

    def _bound(self, name: Expr, token: Token) -> str:
        if name.kind != "name" or name.text == "_":
            raise self.error(
                token, f"expected the name that takes the values, found {shown(token)}"
            )
        return name.text
