"""LTL formulas: shared nodes of bounded size and depth, and their text."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass

MAX_NODES = 200_000
MAX_DEPTH = 1_000
MAX_WORK = 5_000_000

# What Spot reads as an operator, or as an operator and a name.
_SPOT_WORDS = frozenset(
    {"U", "R", "W", "M", "V", "xor", "and", "or", "not", "true", "false", "first_match"}
)
_PLAIN = re.compile(r"[A-EH-WYZa-z_][A-Za-z0-9_]*\Z")


class FormulaError(Exception):
    """A formula beyond the bounds; whoever knows the place says where."""


@dataclass(frozen=True, slots=True, eq=False)
class Formula:
    """A formula: `op` is `true`, `false`, `ap` (with `name`) or an operator; equal means identical.

    `&&` and `||` have two operands or more, the first never with the same operator.
    """

    op: str
    args: tuple[Formula, ...] = ()
    name: str = ""
    size: int = 1
    depth: int = 1


# Constants are bools until they are an operand of W, U or R.
Truth = Formula | bool
_CONSTANTS = {True: "true", False: "false"}
_ABSORBING = {"&&": False, "||": True}


class Formulas:
    """Makes formulas, each only once, and folds constants where that is the plain reading."""

    def __init__(self) -> None:
        self._known: dict[tuple[str, str, tuple[Formula, ...]], Formula] = {}
        self._work = 0

    def proposition(self, name: str) -> Formula:
        """The proposition of that name."""
        return self._make("ap", (), name)

    def solid(self, truth: Truth) -> Formula:
        """The formula, where a constant will do as well."""
        return self._make(_CONSTANTS[truth], ()) if isinstance(truth, bool) else truth

    def negation(self, operand: Truth) -> Truth:
        """`! operand`."""
        return not operand if isinstance(operand, bool) else self._make("!", (operand,))

    def unary(self, op: str, operand: Truth) -> Truth:
        """X, G or F of the operand."""
        return operand if isinstance(operand, bool) else self._make(op, (operand,))

    def temporal(self, op: str, left: Truth, right: Truth) -> Formula:
        """U, W or R."""
        return self._make(op, (self.solid(left), self.solid(right)))

    def chain(self, op: str, operands: Iterable[Truth]) -> Truth:
        """`&&` or `||` of all operands; of none, the constant that changes nothing."""
        kept: list[Formula] = []
        for operand in operands:
            if not isinstance(operand, bool):
                kept.append(operand)
            elif operand is _ABSORBING[op]:
                return operand
        if not kept:
            return not _ABSORBING[op]
        if len(kept) == 1:
            return kept[0]
        if kept[0].op == op:
            kept[:1] = kept[0].args
        return self._make(op, tuple(kept))

    def implication(self, left: Truth, right: Truth) -> Truth:
        """`left -> right`."""
        if isinstance(left, bool):
            return right if left else True
        if isinstance(right, bool):
            return right or self.negation(left)
        return self._make("->", (left, right))

    def equivalence(self, left: Truth, right: Truth) -> Truth:
        """`left <-> right`."""
        if isinstance(left, bool):
            return right if left else self.negation(right)
        if isinstance(right, bool):
            return left if right else self.negation(left)
        return self._make("<->", (left, right))

    def delayed(self, formula: Formula, names: frozenset[str]) -> Formula:
        """The formula with X before each of these propositions."""
        done: dict[Formula, Formula] = {}
        waiting = [formula]
        while waiting:
            node = waiting[-1]
            missing = [arg for arg in node.args if arg not in done]
            if missing:
                waiting += missing
                continue
            waiting.pop()
            if node.op == "ap":
                done[node] = self._make("X", (node,)) if node.name in names else node
            else:
                done[node] = self._make(node.op, tuple(done[arg] for arg in node.args), node.name)
        return done[formula]

    def _make(self, op: str, args: tuple[Formula, ...], name: str = "") -> Formula:
        # Wide formulas made again and again take long, though no single one is large.
        self._work += len(args)
        if self._work > MAX_WORK:
            raise FormulaError("the formulas take too long to unfold")
        key = (op, name, args)
        formula = self._known.get(key)
        if formula is None:
            # A long name counts as several nodes, so that the text is bounded as well.
            size = 1 + len(name) // 20 + sum(arg.size for arg in args)
            depth = 1 + max((arg.depth for arg in args), default=0)
            if size > MAX_NODES:
                raise FormulaError(f"the formula grows beyond {MAX_NODES:,} nodes")
            if depth > MAX_DEPTH:
                raise FormulaError(f"the formula grows deeper than {MAX_DEPTH:,} levels")
            formula = self._known[key] = Formula(op, args, name, size, depth)
        return formula


def written(formula: Formula, named: Callable[[str], str] = str) -> str:
    """The formula, every operator with two operands in parentheses; names as `named` has them."""
    parts: list[str] = []
    waiting: list[Formula | str] = [formula]
    while waiting:
        node = waiting.pop()
        if isinstance(node, str):
            parts.append(node)
        elif node.op == "ap":
            parts.append(named(node.name))
        elif not node.args:
            parts.append(node.op)
        elif len(node.args) == 1:
            parts.append(node.op if node.op == "!" else node.op + " ")
            waiting.append(node.args[0])
        else:
            waiting.append(")")
            for arg in reversed(node.args[1:]):
                waiting += [arg, f" {node.op} "]
            waiting += [node.args[0], "("]
    return "".join(parts)


def spot_name(name: str) -> str:
    """The proposition as Spot reads it: in quotes where it would see an operator."""
    return name if _PLAIN.match(name) and name not in _SPOT_WORDS else f'"{name}"'
