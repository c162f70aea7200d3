"""The operators of TLSF on numbers, sets, enumerations and formulas."""

from __future__ import annotations

from functools import reduce

from harness_tlsf.evaluator import Env, Evaluator
from harness_tlsf.formula import MAX_DEPTH, Formulas, Truth
from harness_tlsf.stack import Task
from harness_tlsf.syntax import EnumValue, Expr
from harness_tlsf.values import (
    ARITHMETIC,
    COMPARISONS,
    MAX_SET,
    MAX_SET_DEPTH,
    Bus,
    Value,
    ValueSet,
    bounded,
    described,
    evenly_spaced,
    is_number,
    united,
)


class Operators:
    """Teaches an evaluator every operator."""

    def __init__(self, evaluator: Evaluator) -> None:
        self._on = evaluator
        self._formulas = evaluator.formulas
        evaluator.handlers |= {
            **dict.fromkeys(ARITHMETIC, self._arithmetic),
            **dict.fromkeys(COMPARISONS, self._comparison),
            **dict.fromkeys(("MIN", "MAX", "SIZE"), self._of_set),
            **dict.fromkeys(("(+)", "(*)", "(-)"), self._set_operation),
            **dict.fromkeys(("+[]", "*[]"), self._big_number),
            **dict.fromkeys(("(+)[]", "(*)[]"), self._big_set),
            **dict.fromkeys(("&&", "||"), self._chain),
            **dict.fromkeys(("&&[]", "||[]"), self._big_chain),
            **dict.fromkeys(("->", "<->", "U", "W", "R"), self._connective),
            **dict.fromkeys(("!", "X", "G", "F"), self._unary),
            **dict.fromkeys(("G[]", "F[]"), self._bounded),
            "X[]": self._repeated_next,
            "SIZEOF": self._size_of_bus,
            "IN": self._element,
            "set": self._set,
            "range": self._range,
            "index": self._bit,
            "~": self._stray_pattern,
        }

    # Numbers

    def _arithmetic(self, expr: Expr, env: Env) -> Task[Value]:
        left, right = yield from self._on.all_of(expr.args, env, self._on.number)
        return self._on.guarded(expr, lambda: bounded(ARITHMETIC[expr.kind](left, right)))

    def _big_number(self, expr: Expr, env: Env) -> Task[Value]:
        terms = yield from self._on.each(expr, env, self._on.number)
        operator = ARITHMETIC[expr.kind[0]]
        neutral = 0 if expr.kind[0] == "+" else 1
        return self._on.guarded(
            expr, lambda: reduce(lambda a, b: bounded(operator(a, b)), terms, neutral)
        )

    def _comparison(self, expr: Expr, env: Env) -> Task[Value]:
        left, right = yield from self._on.all_of(expr.args, env, self._on.value)
        if is_number(left) and is_number(right):
            return COMPARISONS[expr.kind](left, right)
        if expr.kind in ("==", "!="):
            same = self._same(left, right)
            if same is not None:
                return same if expr.kind == "==" else self._formulas.negation(same)
        hint = "; '<->' compares formulas" if expr.kind == "==" else ""
        raise self._on.error(
            expr, f"'{expr.kind}' cannot compare {described(left)} and {described(right)}{hint}"
        )

    def _same(self, left: Value, right: Value) -> Truth | None:
        """Whether a signal has a value of its enumeration; None for operands of other kinds."""
        if isinstance(right, Bus):
            left, right = right, left
        if not isinstance(right, EnumValue):
            return None
        if isinstance(left, EnumValue):
            return left == right if left.enum == right.enum else None
        if isinstance(left, Bus) and left.enum == right.enum:
            return has_value(self._formulas, left, right)
        return None

    def _size_of_bus(self, expr: Expr, env: Env) -> Task[Value]:
        value: Value = yield self._on.value(expr.args[0], env)
        if isinstance(value, Bus):
            return len(value.bits)
        raise self._on.error(expr, f"SIZEOF is of a bus, not of {described(value)}")

    # Sets

    def _set(self, expr: Expr, env: Env) -> Task[Value]:
        result = united((yield from self._on.all_of(expr.args, env, self._on.value)))
        if result.depth > MAX_SET_DEPTH:
            raise self._on.error(expr, f"sets within sets, more than {MAX_SET_DEPTH} deep")
        return result

    def _range(self, expr: Expr, env: Env) -> Task[Value]:
        ends = yield from self._on.all_of(expr.args, env, self._on.number)
        second = ends[0] + 1 if len(ends) == 2 else ends[1]
        numbers = self._on.guarded(expr, lambda: evenly_spaced(ends[0], second, ends[-1]))
        self._on.spend(len(numbers) // 2)
        return united(numbers)

    def _of_set(self, expr: Expr, env: Env) -> Task[Value]:
        values = (yield from self._on.set_of(expr.args[0], env)).values
        if expr.kind == "SIZE":
            return len(values)
        if not values:
            raise self._on.error(expr, f"{expr.kind} of an empty set")
        numbers = [value for value in values if is_number(value)]
        if len(numbers) < len(values):
            strange = next(value for value in values if not is_number(value))
            raise self._on.error(expr, f"{expr.kind} of a set with {described(strange)}")
        return min(numbers) if expr.kind == "MIN" else max(numbers)

    def _set_operation(self, expr: Expr, env: Env) -> Task[Value]:
        left, right = yield from self._on.all_of(expr.args, env, self._on.set_of)
        return self._combined(expr, expr.kind, left, right)

    def _combined(self, expr: Expr, sign: str, left: ValueSet, right: ValueSet) -> ValueSet:
        self._on.spend((len(left.values) + len(right.values)) // 2)
        if sign == "(+)":
            both = united([*left.values, *right.values])
            if len(both.values) > MAX_SET:
                raise self._on.error(expr, f"a set of more than {MAX_SET:,} values")
            return both
        keep = sign == "(*)"
        return united(v for v in left.values if (v in right) is keep)

    def _big_set(self, expr: Expr, env: Env) -> Task[Value]:
        sets = yield from self._on.each(expr, env, self._on.set_of)
        sign = expr.kind[:3]
        if not sets and sign == "(*)":
            raise self._on.error(expr, "the intersection of no sets at all")
        return reduce(lambda a, b: self._combined(expr, sign, a, b), sets or [united([])])

    def _element(self, expr: Expr, env: Env) -> Task[Value]:
        value: Value = yield self._on.value(expr.args[0], env)
        return value in (yield from self._on.set_of(expr.args[1], env))

    # Formulas

    def _bit(self, expr: Expr, env: Env) -> Task[Value]:
        bus = yield from self._on.bus(expr.text, expr, env)
        place = yield from self._on.number(expr.args[0], env)
        if 0 <= place < len(bus.bits):
            return bus.bits[place]
        last = len(bus.bits) - 1
        inside = f"its bits are 0 to {last}" if bus.bits else "it has no bits"
        raise self._on.error(expr, f"the bus '{bus.name}' has no bit {place}: {inside}")

    def _chain(self, expr: Expr, env: Env) -> Task[Value]:
        truths: list[Truth] = []
        for operand in expr.args:
            truth = yield from self._on.truth(operand, env)
            if truth is (expr.kind == "||"):
                # The rest may be meant for other cases only, as in `i > 0 && r[i - 1]`.
                return truth
            truths.append(truth)
        return self._on.guarded(expr, lambda: self._formulas.chain(expr.kind, truths))

    def _big_chain(self, expr: Expr, env: Env) -> Task[Value]:
        truths = yield from self._on.each(expr, env, self._on.truth)
        return self._on.guarded(expr, lambda: self._formulas.chain(expr.kind[:2], truths))

    def _connective(self, expr: Expr, env: Env) -> Task[Value]:
        left = yield from self._on.truth(expr.args[0], env)
        if expr.kind == "->" and left is False:
            return True
        right = yield from self._on.truth(expr.args[1], env)
        return self._on.guarded(expr, lambda: self._connected(expr.kind, left, right))

    def _connected(self, sign: str, left: Truth, right: Truth) -> Truth:
        if sign == "->":
            return self._formulas.implication(left, right)
        if sign == "<->":
            return self._formulas.equivalence(left, right)
        return self._formulas.temporal(sign, left, right)

    def _unary(self, expr: Expr, env: Env) -> Task[Value]:
        operand = yield from self._on.truth(expr.args[0], env)
        if expr.kind == "!":
            return self._on.guarded(expr, lambda: self._formulas.negation(operand))
        return self._on.guarded(expr, lambda: self._formulas.unary(expr.kind, operand))

    def _repeated_next(self, expr: Expr, env: Env) -> Task[Value]:
        times = yield from self._on.number(expr.args[0], env)
        operand = yield from self._on.truth(expr.args[1], env)
        self._check_bounds(expr, times)
        return self._on.guarded(expr, lambda: self._nexts(times, operand))

    def _nexts(self, times: int, operand: Truth) -> Truth:
        for _ in range(times):
            operand = self._formulas.unary("X", operand)
        return operand

    def _bounded(self, expr: Expr, env: Env) -> Task[Value]:
        """`G[a:b] f` as X^a (f && X (f && …)); over no steps G holds and F does not."""
        first, last = yield from self._on.all_of(expr.args[:2], env, self._on.number)
        operand = yield from self._on.truth(expr.args[2], env)
        self._check_bounds(expr, first, last)
        if first > last:
            return expr.kind == "G[]"
        sign = "&&" if expr.kind == "G[]" else "||"

        def unfolded() -> Truth:
            result = operand
            for _ in range(last - first):
                later = self._formulas.unary("X", result)
                result = self._formulas.chain(sign, [operand, later])
            return self._nexts(first, result)

        return self._on.guarded(expr, unfolded)

    def _check_bounds(self, expr: Expr, *bounds: int) -> None:
        for bound in bounds:
            if not 0 <= bound <= MAX_DEPTH:
                allowed = f"the bounds of {expr.kind[0]}[…] are from 0 to {MAX_DEPTH:,}"
                raise self._on.error(expr, f"{allowed}, not {bound}")

    def _stray_pattern(self, expr: Expr, env: Env) -> Task[Value]:
        raise self._on.error(expr, "a pattern belongs in a guard: 'formula ~ pattern : value'")


def has_value(formulas: Formulas, bus: Bus, value: EnumValue) -> Truth:
    """That the signal has this value of its enumeration."""

    def fits(pattern: str) -> Truth:
        pairs = zip(pattern, bus.bits, strict=True)
        return formulas.chain(
            "&&", [b if bit == "1" else formulas.negation(b) for bit, b in pairs if bit != "*"]
        )

    return formulas.chain("||", [fits(pattern) for pattern in value.patterns])
