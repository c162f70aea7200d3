"""The value of TLSF expressions: names, functions with their clauses, and what big operators range over."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from harness_tlsf.errors import TlsfError
from harness_tlsf.formula import Formula, FormulaError, Formulas, Truth
from harness_tlsf.lexer import SHOWN, Source, suggestion
from harness_tlsf.stack import T, Task, ready, run
from harness_tlsf.syntax import Binder, Clause, Definition, Expr
from harness_tlsf.values import Bus, NumberError, Value, ValueSet, between, described, is_number

MAX_STEPS = 1_000_000
MAX_WAITING = 20_000
_FORMS = ("!", "X", "G", "F", "U", "W", "R", "->", "<->", "&&", "||")  # of patterns
Env = Mapping[str, Value]
Handler = Callable[[Expr, Env], Task[Value]]


class Evaluator:
    """Evaluates expressions over `values`, the names with a value, and `definitions`, worked out when used."""

    def __init__(self, source: Source) -> None:
        self.formulas = Formulas()
        self.values: dict[str, Value] = {}
        self.definitions: dict[str, Definition] = {}
        self.handlers: dict[str, Handler] = {
            "number": lambda expr, env: ready(int(expr.text)),
            "true": lambda expr, env: ready(True),
            "false": lambda expr, env: ready(False),
            "otherwise": self._stray_otherwise,
            "name": lambda expr, env: self.named(expr, env),
            "call": self._call,
        }
        self._source = source
        self._in_work: set[str] = set()
        self._steps = 0
        self._place = 0

    def run(self, task: Task[T]) -> T:
        """The task's result, or an error that says where it could not go on."""
        return run(task, MAX_WAITING, self._too_deep)

    def error(self, expr: Expr, message: str) -> TlsfError:
        """An error at this expression."""
        return self._source.error(expr.place, message)

    def guarded(self, expr: Expr, work: Callable[[], T]) -> T:
        """What the work gives; its errors are told where this expression stands."""
        try:
            return work()
        except (FormulaError, NumberError) as error:
            raise self.error(expr, str(error)) from None

    def value(self, expr: Expr, env: Env) -> Task[Value]:
        """The value of the expression, with the names of `env` bound."""
        self._place = expr.place
        self.spend(1)
        return self.handlers[expr.kind](expr, env)

    def truth(self, expr: Expr, env: Env) -> Task[Truth]:
        """The formula or truth value that the expression stands for."""
        value: Value = yield self.value(expr, env)
        if isinstance(value, bool | Formula):
            return value
        hint = f"; one bit of it is {value.name}[0]" if isinstance(value, Bus) else ""
        raise self.error(expr, f"expected a formula, found {described(value)}{hint}")

    def number(self, expr: Expr, env: Env) -> Task[int]:
        """The number that the expression stands for."""
        value: Value = yield self.value(expr, env)
        if is_number(value):
            return value
        raise self.error(expr, f"expected a number, found {described(value)}")

    def set_of(self, expr: Expr, env: Env) -> Task[ValueSet]:
        """The set that the expression stands for."""
        value: Value = yield self.value(expr, env)
        if isinstance(value, ValueSet):
            return value
        raise self.error(expr, f"expected a set, found {described(value)}")

    def bus(self, name: str, expr: Expr, env: Env) -> Task[Bus]:
        """The bus of that name."""
        value: Value = yield self.named(Expr("name", expr.place, text=name), env)
        if isinstance(value, Bus):
            return value
        raise self.error(expr, f"'{name[:SHOWN]}' is {described(value)}, not a bus")

    def each(self, expr: Expr, env: Env, of: Callable[[Expr, Env], Task[T]]) -> Task[list[T]]:
        """What `of` makes of a big operator's operand for every value of its binders, the first outermost."""
        results: list[T] = []
        yield from self._each(expr, 0, env, of, results)
        return results

    def _each(
        self, expr: Expr, bound: int, env: Env, of: Callable[[Expr, Env], Task[T]], results: list[T]
    ) -> Task[None]:
        if bound == len(expr.binders):
            results.append((yield from of(expr.args[0], env)))
            return
        binder = expr.binders[bound]
        for value in (yield from self._range(binder, env)):
            # To copy many names takes as long as many steps.
            self.spend(1 + len(env) // 4)
            yield self._each(expr, bound + 1, {**env, binder.name: value}, of, results)

    def all_of(
        self, exprs: tuple[Expr, ...], env: Env, of: Callable[[Expr, Env], Task[T]]
    ) -> Task[list[T]]:
        """What `of` makes of each expression."""
        results: list[T] = []
        for expr in exprs:
            result: T = yield of(expr, env)
            results.append(result)
        return results

    def _range(self, binder: Binder, env: Env) -> Task[Iterable[Value]]:
        if binder.values is not None:
            return (yield from self.set_of(binder.values, env)).values
        assert binder.low is not None
        assert binder.high is not None
        low, high = yield from self.all_of((binder.low, binder.high), env, self.number)
        return self.guarded(binder.low, lambda: between(low, high, binder.strict))

    def named(self, expr: Expr, env: Env) -> Task[Value]:
        """The value of a name."""
        name = expr.text
        if name in env:
            return ready(env[name])
        if name in self.values:
            return ready(self.values[name])
        definition = self.definitions.get(name)
        if definition is None:
            known = [*env, *self.values, *self.definitions]
            message = f"'{name[:SHOWN]}' is not defined"
            raise self.error(expr, message + suggestion(name, known))
        if definition.arguments:
            raise self.error(expr, f"'{name}' needs {_count(definition)} in parentheses")
        return self._constant(definition, expr)

    def _constant(self, definition: Definition, expr: Expr) -> Task[Value]:
        """The value of a definition without arguments, worked out once."""
        name = definition.name
        if name in self._in_work:
            raise self.error(expr, f"'{name}' is defined by itself")
        self._in_work.add(name)
        value = yield from self._first_clause(definition, {}, expr)
        self._in_work.discard(name)
        self.values[name] = value
        return value

    def _call(self, expr: Expr, env: Env) -> Task[Value]:
        name = expr.text
        definition = self.definitions.get(name)
        if definition is None:
            functions = [other for other in self.definitions if self.definitions[other].arguments]
            raise self.error(
                expr, f"there is no function '{name[:SHOWN]}'" + suggestion(name, functions)
            )
        if len(expr.args) != len(definition.arguments):
            count = len(expr.args)
            raise self.error(expr, f"'{name}' takes {_count(definition)}, not {count}")
        if not expr.args:
            return (yield from self.named(expr, {}))
        inner: dict[str, Value] = {}
        for argument, operand in zip(definition.arguments, expr.args, strict=True):
            inner[argument] = yield self.value(operand, env)
        return (yield from self._first_clause(definition, inner, expr))

    def _first_clause(self, definition: Definition, env: Env, caller: Expr) -> Task[Value]:
        """The value of the first clause whose guard holds."""
        for clause in definition.clauses:
            bound = yield from self._holds(clause, env)
            if bound is not None:
                result: Value = yield self.value(clause.body, bound)
                return result
        raise self.error(
            caller, f"no clause of '{definition.name}' applies here; 'otherwise :' would"
        )

    def _holds(self, clause: Clause, env: Env) -> Task[Env | None]:
        """The names of the clause if its guard holds, else None."""
        if clause.guard is None:
            return env
        if clause.guard.kind == "otherwise":
            return env if clause.pattern is None else None
        guard = yield from self.truth(clause.guard, env)
        if clause.pattern is not None:
            return self._matching(clause.pattern, guard, env)
        if isinstance(guard, bool):
            return env if guard else None
        raise self.error(
            clause.guard, "this guard is a formula, neither true nor false; forms take '~'"
        )

    def _matching(self, pattern: Expr, formula: Truth, env: Env) -> Env | None:
        def known(name: str) -> bool:
            return name in env or name in self.values or name in self.definitions

        parts = self.guarded(
            pattern, lambda: _matched(self._source, self.formulas, pattern, formula, known)
        )
        return None if parts is None else {**env, **parts}

    def _stray_otherwise(self, expr: Expr, env: Env) -> Task[Value]:
        raise self.error(expr, "'otherwise' is a guard of its own: 'otherwise : value'")

    def spend(self, steps: int) -> None:
        """Count steps of work; too many are an error."""
        self._steps += steps
        if self._steps > MAX_STEPS:
            raise self._source.error(
                self._place, f"the specification takes more than {MAX_STEPS:,} steps to unfold"
            )

    def _too_deep(self) -> TlsfError:
        return self._source.error(self._place, "functions call each other without an end in sight")


def _count(definition: Definition) -> str:
    number = len(definition.arguments)
    return "1 argument" if number == 1 else f"{number} arguments"


def _matched(
    source: Source, formulas: Formulas, pattern: Expr, formula: Truth, known: Callable[[str], bool]
) -> dict[str, Truth] | None:
    """What the names of the pattern stand for in the formula; None if it has another form.

    A name that comes twice must stand for the same formula; a name that is `known` already is refused.
    """
    _check(source, pattern, known)
    parts: dict[str, Truth] = {}
    waiting: list[tuple[Expr, Truth]] = [(pattern, formula)]
    while waiting:
        form, part = waiting.pop()
        if form.kind == "name":
            if form.text != "_" and parts.setdefault(form.text, part) is not part:
                return None
            continue
        inside = _parts(formulas, form, part)
        if inside is None:
            return None
        waiting += zip(form.args, inside, strict=True)
    return parts


def _parts(formulas: Formulas, form: Expr, part: Truth) -> list[Truth] | None:
    """The parts of the formula, one for each of the pattern's; None if the form is another."""
    if form.kind in ("true", "false"):
        return (
            []
            if part is (form.kind == "true") or part is formulas.solid(form.kind == "true")
            else None
        )
    if isinstance(part, bool) or part.op != form.kind or len(part.args) < len(form.args):
        return None
    # `a && b && c` groups to the left.
    surplus = len(part.args) - len(form.args) + 1
    first = part.args[0] if surplus == 1 else formulas.chain(part.op, part.args[:surplus])
    return [first, *part.args[surplus:]]


def _check(source: Source, pattern: Expr, known: Callable[[str], bool]) -> None:
    waiting = [pattern]
    while waiting:
        form = waiting.pop()
        if form.kind == "name":
            if form.text != "_" and known(form.text):
                raise source.error(
                    form.place, f"'{form.text}' has a meaning already; a pattern needs a new name"
                )
        elif form.kind not in (*_FORMS, "true", "false"):
            raise source.error(form.place, "a pattern is made of new names, '_' and LTL operators")
        waiting += form.args
