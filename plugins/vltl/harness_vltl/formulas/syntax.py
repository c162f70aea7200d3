r"""The one grammar for the text of formulas, in every notation that language models use.

`parse` reads letters (``G (a -> F b)``), words (``globally ( a implies finally b )``), SPIN's signs
(``[] (a -> <> b)``), logical signs (``□ (a → ◇ b)``), LaTeX (``\square (a \rightarrow \Diamond b)``)
and JSON (`CONTRACT.md`, or ``{"op": "G", "args": [...]}``), mixed at will but for JSON, whose
strings are formulas in turn.

**Precedence**, as in Spot and the published data, from the tightest: unary operators; U, R, W, M
(right associative, one level); and; xor; or; implies and iff (right associative, one level).
Chains of and, or, xor group to the left. ``a xor b`` is ``!(a <-> b)``; so is ``a != b``, alone or in
parentheses.

**Names or operators.** ``G F X U R W M`` and the words are operators; where an operand has to stand
and no operator can, a known proposition of that name is meant. A name directly followed by
parentheses is a proposition with arguments (``deliver(dining table, dock)``), an operator is applied
(``G(a)``, ``Until(a, b)``, ``And(a, b, c)``). ``Xa`` and ``aUb`` are taken apart where the known
names allow it, ``GF`` and ``XXX`` always. A name in quotes is always a proposition. ``a unless b``
is weak until. ``V`` between two operands is R, ``N`` before one is X (on finite traces the weak next, as are
``WX``, ``wX``, ``Xw``, ``weak next``; ``X[!]``, ``Xs`` and ``strong next`` are X);
``g f x u r w m`` are operators where the propositions are known and none has that name.

**Other notations.** ``a leads to b`` (``~>``) is ``G (a -> F b)``, ``infinitely often a`` is ``G F a``,
``never a`` is ``G !a``; PSL's ``next!``, ``eventually!`` and ``until!`` are the strong operators, ``|->`` is ``->``,
and ``a |=> b`` is ``a -> X b``. Prefix forms: ``(-> a (F b))`` as in Lisp, ``-> a F b`` where every operator comes
first.

**Bounds** (`formulas.bounds`). ``X[3] a``, ``X^3 a``; ``F[0,2] a``, ``F<=2 a``, ``F{0,2} a`` and ``##[0:2] a`` are
``a | X (a | X a)``, ``G`` likewise with ``&``; ``F[2,inf] a`` is ``X X F a``; ``a U[0,1] b`` is ``b | (a & X b)``;
``X[!]`` is ``X``, as words are infinite. What nobody can tell is refused: ``F[3]``, ``F(0,3)``, bounds of W and M.

What is no LTL over the future is refused: path quantifiers, past operators, comparisons.
"""

from __future__ import annotations

from collections.abc import Collection
from functools import reduce
from typing import NoReturn

from harness_vltl.formulas.bounds import expanded
from harness_vltl.formulas.formula import MAX_DEPTH, Formula, FormulaError, binary, validate
from harness_vltl.formulas.json_form import from_json, json_value
from harness_vltl.formulas.tokens import (
    BRANCHING,
    PAST,
    Names,
    Token,
    error,
    is_weak_next,
    names,
    tokenise,
)
from harness_vltl.formulas.typography import fold

__all__ = ["MAX_TEXT", "parse"]

MAX_TEXT = 20_000
"""Characters of a formula's text beyond which it is not looked at."""

_LEVEL = {
    "!=": 0,
    "->": 1,
    "<->": 1,
    "~>": 1,
    "|=>": 1,
    "|": 2,
    "xor": 3,
    "&": 4,
    "U": 5,
    "R": 5,
    "W": 5,
    "M": 5,
}
_RIGHT = {"->", "<->", "~>", "|=>", "U", "R", "W", "M"}
_CLOSING = {"(": ")", "[": "]", "{": "}"}
_STARTS = {"atom", "unary", "("}


def parse(text: str, known: Collection[str] = (), *, finite: bool = False) -> Formula:
    """Return the formula that a text is, as a JSON value.

    Args:
        text: one formula in any notation, `MAX_TEXT` characters at most.
        known: the propositions that may appear, as written in formulas (``deliver(fork,dock)``). They
            settle what could be a name or an operator or constant; others are no error.
        finite: it is about finite traces, where ``N`` is the weak next.

    Raises:
        FormulaError: text that is no formula or beyond the bounds; it names the column.
    """
    if len(text) > MAX_TEXT:
        raise FormulaError(f"the formula has {len(text)} characters, of {MAX_TEXT} allowed")
    propositions = names(frozenset(known))
    data = json_value(text)
    bounded = False

    def read(part: str) -> Formula:
        nonlocal bounded
        tokens = tokenise(fold(part), propositions)
        bounded = bounded or any(token.bound for token in tokens)
        return _Parser(tokens, propositions, finite).formula()

    formula = read(text) if data is None else from_json(data, read, finite=finite)
    try:
        validate(formula, finite=finite)
    except FormulaError as problem:
        if not bounded:
            raise
        raise FormulaError(f"{problem}, its bounds written out") from None
    return formula


class _Parser:
    """Precedence climbing over tokens; it calls itself at most `_MAX_CALLS` levels deep."""

    def __init__(self, tokens: list[Token], known: Names, finite: bool) -> None:
        self.tokens = tokens
        self.known = known
        self.finite = finite
        self.at = 0
        self.depth = 0  # of parentheses
        self.calls = 0

    def formula(self) -> Formula:
        formula = self.polish() if self.is_polish() else self.expression(0)
        if self.tokens[self.at].kind != "end":
            self.fail("an operator or the end")
        return formula

    def fail(self, expected: str) -> NoReturn:
        token = self.tokens[self.at]
        suspects = self.tokens[max(self.at - 1, 0) : self.at + 1] if token.kind in _STARTS else []
        for suspect in suspects:
            raw = suspect.raw
            if suspect.kind == "atom" and raw not in self.known.whole:
                if raw in BRANCHING:
                    raise error(suspect.place, f"'{raw}' is a path quantifier, which LTL has not")
                if raw in PAST or raw.lower() in PAST:
                    raise error(
                        suspect.place, f"'{raw}' is a past operator, which this LTL has not"
                    )
        shown = "the end" if token.kind == "end" else f"'{token.raw[:30]}'"
        raise error(token.place, f"expected {expected}, found {shown}")

    def expression(self, level: int) -> Formula:
        """Return the longest formula from here whose operators bind at least as tightly as ``level``."""
        self.calls += 1
        if self.calls > _MAX_CALLS:
            raise error(self.tokens[self.at].place, "the formula is nested too deep")
        left = self.operand()
        first = self.at
        while True:
            token = self.tokens[self.at]
            operator = token.value
            if token.kind != "binary":
                if token.raw != "V" or token.kind != "atom":
                    break
                operator = "R"
            tightness = _LEVEL[operator]
            if tightness < level:
                break
            if operator == "!=":
                return self.unequal(left, alone=self.at == first)
            self.at += 1
            right = self.expression(tightness + (operator not in _RIGHT))
            left = self.joined(operator, token, left, right)
        self.calls -= 1
        return left

    def is_polish(self) -> bool:
        """Say whether an operator comes first, and there are as many operands as prefix notation takes."""
        kinds = [token.kind for token in self.tokens[:-1] if token.kind != "unary"]
        return (
            kinds[:1] == ["binary"]
            and kinds.count("atom") == kinds.count("binary") + 1
            and len(kinds) == 2 * kinds.count("binary") + 1
        )

    def polish(self) -> Formula:
        """Return a formula in which every operator stands before its operands: ``-> a F b``."""
        self.calls += 1
        if self.calls > _MAX_CALLS:
            raise error(self.tokens[self.at].place, "the formula is nested too deep")
        token = self.tokens[self.at]
        self.at += 1
        if token.kind == "unary":
            formula = self.unary(token, self.polish())
        elif token.kind == "binary":
            formula = self.joined(token.value, token, self.polish(), self.polish())
        elif token.kind == "atom":
            formula = token.value
        else:
            self.at -= 1
            self.fail("an operator or a proposition")
        self.calls -= 1
        return formula

    def unequal(self, left: Formula, *, alone: bool) -> Formula:
        self.at += alone
        right = self.operand() if alone else left
        if not alone or self.tokens[self.at].kind == "binary":
            self.fail("parentheses around what is unequal, or the end")
        self.calls -= 1
        return binary("xor", left, right)

    def operand(self) -> Formula:
        """Return unary operators with what they apply to: a proposition, constant, call, parenthesis."""
        unary = []
        while self.is_unary():
            unary.append(self.tokens[self.at])
            self.at += 1
            if len(unary) > MAX_DEPTH:
                self.fail(f"at most {MAX_DEPTH} operators in a row")
        formula = self.simple()
        after = self.tokens[self.at]
        if after.kind == "binary" and _LEVEL[after.value] > 1 and any(t.raw == "##" for t in unary):
            self.fail("parentheses around what ## delays")
        for token in reversed(unary):
            formula = self.unary(token, formula)
        return formula

    def unary(self, token: Token, formula: Formula) -> Formula:
        """Return what a unary operator makes of its operand."""
        operator = "X" if token.raw == "N" else token.value
        if self.finite and is_weak_next(token.raw):
            operator = "N"
        return self.joined(operator, token, formula)

    def joined(self, operator: str, token: Token, *operands: Formula) -> Formula:
        """Return an operator with its operands, its bound written out."""
        if token.bound:
            weak = operator == "N" or (self.finite and operator in "GR")
            return expanded(operator, token.bound, operands, "N" if weak else "X")
        return binary(operator, *operands) if len(operands) == 2 else [operator, *operands]

    def is_unary(self) -> bool:
        token = self.tokens[self.at]
        if token.kind == "unary":
            return token.raw not in self.known.whole or self.starts(self.at + 1)
        soft = token.raw == "N" and token.raw not in self.known.whole
        return soft and token.kind == "atom" and self.starts(self.at + 1)

    def starts(self, at: int) -> bool:
        """Say whether an operand begins here; a binary operator stands between two, if it can."""
        return self.tokens[at].kind in _STARTS

    def simple(self) -> Formula:
        token = self.tokens[self.at]
        if token.kind == "atom":
            self.at += 1
            return token.value
        if token.kind == "(":
            if self.is_lisp():
                return self.lisp()
            return self.between(single=True)[0]
        if token.kind == "binary" and self.tokens[self.at + 1].kind == "(":
            self.at += 1
            return self.applied(token, self.between(single=False))
        if token.kind not in ("unary", "binary") or token.raw not in self.known.whole:
            self.fail("a proposition, a constant, a unary operator or '('")
        self.at += 1
        return token.raw

    def is_lisp(self) -> bool:
        operator = self.tokens[self.at + 1]
        return (
            operator.kind == "binary"
            and operator.raw not in self.known.whole
            and self.tokens[self.at + 2].kind in _STARTS
            and not self.commas()
        )

    def commas(self) -> bool:
        """Say whether the operator behind this parenthesis is applied to a list: ``(and (a, b))``."""
        depth = 0
        for token in self.tokens[self.at + 2 :]:
            depth += (token.kind == "(") - (token.kind == ")")
            if depth < 1 or (depth == 1 and token.kind == ","):
                return token.kind == ","
        return False

    def lisp(self) -> Formula:
        """Return ``(-> a (F b))``: an operator and its operands between parentheses."""
        self.depth += 1
        if self.depth > MAX_DEPTH:
            self.fail(f"parentheses of at most {MAX_DEPTH} levels")
        token = self.tokens[self.at + 1]
        self.at += 2
        parts: list[Formula] = []
        while self.tokens[self.at].kind in _STARTS:
            parts.append(self.operand())
        if self.tokens[self.at].raw != ")":
            self.fail("an operand or ')'")
        self.at += 1
        self.depth -= 1
        return self.applied(token, parts)

    def between(self, *, single: bool) -> list[Formula]:
        """Return what stands between parentheses: one formula, or several with commas between."""
        opening = self.tokens[self.at]
        self.depth += 1
        if self.depth > MAX_DEPTH:
            raise error(opening.place, f"parentheses are nested more than {MAX_DEPTH} deep")
        self.at += 1
        parts = [self.expression(0)]
        while not single and self.tokens[self.at].kind == ",":
            self.at += 1
            parts.append(self.expression(0))
        closing = self.tokens[self.at]
        if closing.kind != ")" or closing.value != _CLOSING[opening.value]:
            self.fail(f"an operator or '{_CLOSING[opening.value]}'")
        self.at += 1
        self.depth -= 1
        return parts

    def applied(self, token: Token, parts: list[Formula]) -> Formula:
        if len(parts) < 2 or (len(parts) > 2 and token.value not in ("&", "|")):
            raise error(
                token.place, f"'{token.raw[:30]}' has {len(parts)} operands in parentheses, not 2"
            )
        return reduce(lambda left, right: self.joined(token.value, token, left, right), parts)


_MAX_CALLS = 3 * MAX_DEPTH
