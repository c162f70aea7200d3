"""From the parts of a TLSF specification to propositions, formulas by section, and one formula."""

from __future__ import annotations

from dataclasses import dataclass

from harness_tlsf.errors import TlsfError
from harness_tlsf.evaluator import Evaluator
from harness_tlsf.formula import Formula, Formulas, Truth
from harness_tlsf.lexer import Source, suggestion
from harness_tlsf.operators import Operators, has_value
from harness_tlsf.syntax import SECTIONS, Clause, Definition, Enumeration, Expr, Signal, Tree
from harness_tlsf.values import MAX_NUMBER, Bus, Value, is_number

MAX_PROPOSITIONS = 10_000
MAX_SECTION_NODES = 200_000


@dataclass
class Unfolded:
    """The specification without parameters, definitions and buses."""

    formulas: Formulas
    parameters: dict[str, int]
    inputs: tuple[str, ...]
    outputs: tuple[str, ...]
    sections: dict[str, list[Formula]]


def unfolded(source: Source, tree: Tree, parameters: dict[str, int]) -> Unfolded:
    """The specification with these parameters put in and everything unfolded."""
    return _Unfolder(source, tree, parameters).result()


def combined(tree: Tree, parts: Unfolded) -> Formula:
    """All sections as one formula for the target."""
    f = parts.formulas
    ready, preset, require, invariant, assume, guarantee = (
        f.chain("&&", parts.sections[name]) for name in SECTIONS
    )
    assumed = f.chain("&&", [f.unary("G", require), assume])
    if tree.strict:
        # The invariants hold as long as the required ones have held.
        if not isinstance(invariant, bool):
            invariant = (
                f.unary("G", invariant)
                if require is True
                else f.temporal("W", invariant, f.negation(require))
            )
        body = f.chain("&&", [preset, invariant, f.implication(assumed, guarantee)])
    else:
        promised = f.chain("&&", [f.unary("G", invariant), guarantee])
        body = f.chain("&&", [preset, f.implication(assumed, promised)])
    whole = f.solid(f.implication(ready, body))
    if tree.semantics == tree.target:
        return whole
    return f.delayed(whole, frozenset(parts.inputs if tree.target == "Mealy" else parts.outputs))


class _Unfolder:
    def __init__(self, source: Source, tree: Tree, parameters: dict[str, int]) -> None:
        self._source = source
        self._tree = tree
        self._chosen = parameters
        self._names: dict[str, int] = {}
        self._propositions: dict[str, int] = {}
        self._evaluator = Evaluator(source)
        self._enumerations: dict[str, Enumeration] = {}
        self._implied: dict[str, list[Truth]] = {name: [] for name in SECTIONS}
        Operators(self._evaluator)

    def result(self) -> Unfolded:
        parameters = self._parameters()
        for definition in self._tree.definitions:
            self._declare(definition.name, definition.place)
            self._evaluator.definitions[definition.name] = definition
        for enumeration in self._tree.enumerations:
            self._enumeration(enumeration)
        inputs = self._signals(self._tree.inputs, "REQUIRE")
        outputs = self._signals(self._tree.outputs, "ASSERT")
        sections = {name: self._section(name) for name in SECTIONS}
        return Unfolded(self._evaluator.formulas, parameters, inputs, outputs, sections)

    def _declare(self, name: str, place: int) -> None:
        if name in self._names:
            first = str(self._source.error(self._names[name], "")).rstrip(": ")
            raise self._source.error(place, f"'{name}' is defined already in {first}")
        self._names[name] = place

    def _parameters(self) -> dict[str, int]:
        known = [parameter.name for parameter in self._tree.parameters]
        for name, value in self._chosen.items():
            if name not in known:
                none = "" if known else "; the specification has none"
                message = f"there is no parameter '{name[:40]}'{none}"
                raise TlsfError(message + suggestion(name, known))
            if not is_number(value) or not 0 <= value <= MAX_NUMBER:
                raise TlsfError(f"the parameter {name} is a number from 0 on, not {value!r:.40}")
        for parameter in self._tree.parameters:
            self._declare(parameter.name, parameter.place)
            self._evaluator.definitions[parameter.name] = self._parameter(parameter)
        return {name: self._parameter_value(name) for name in known}

    def _parameter(self, parameter: Definition) -> Definition:
        if parameter.name not in self._chosen:
            return parameter
        number = Expr("number", parameter.place, text=str(self._chosen[parameter.name]))
        return Definition(parameter.name, parameter.place, (), (Clause(number),))

    def _parameter_value(self, name: str) -> int:
        definition = self._evaluator.definitions[name]
        return self._evaluator.run(
            self._evaluator.number(Expr("name", definition.place, text=name), {})
        )

    def _enumeration(self, enumeration: Enumeration) -> None:
        self._declare(enumeration.name, enumeration.place)
        self._enumerations[enumeration.name] = enumeration
        for value in enumeration.values:
            self._declare(value.name, value.place)
            self._evaluator.values[value.name] = value

    def _signals(self, signals: list[Signal], section: str) -> tuple[str, ...]:
        """The propositions of the signals; what their enumerations imply goes to the section."""
        propositions: list[str] = []
        for signal in signals:
            self._declare(signal.name, signal.place)
            value, names = self._signal(signal, section)
            self._evaluator.values[signal.name] = value
            propositions += names
        return tuple(propositions)

    def _signal(self, signal: Signal, section: str) -> tuple[Value, list[str]]:
        if signal.width is None and signal.enum is None:
            return self._proposition(signal, signal.name), [signal.name]
        width = self._width(signal)
        names = [f"{signal.name}_{i}" for i in range(width)]
        bits = tuple(self._proposition(signal, name) for name in names)
        bus = Bus(signal.name, bits, signal.enum)
        if signal.enum is not None:
            self._implied[section].append(self._some_value(bus, self._enumerations[signal.enum]))
        return bus, names

    def _width(self, signal: Signal) -> int:
        if signal.enum is not None:
            enumeration = self._enumerations.get(signal.enum)
            if enumeration is None:
                raise self._source.error(
                    signal.place,
                    f"there is no enumeration '{signal.enum[:40]}'"
                    + suggestion(signal.enum, list(self._enumerations)),
                )
            return enumeration.width
        assert signal.width is not None
        width = self._evaluator.run(self._evaluator.number(signal.width, {}))
        if not 0 <= width <= MAX_PROPOSITIONS:
            raise self._source.error(
                signal.place,
                f"the bus '{signal.name}' has {width:,} bits; from 0 to {MAX_PROPOSITIONS:,} can be",
            )
        return width

    def _proposition(self, signal: Signal, name: str) -> Formula:
        if name in self._propositions:
            raise self._source.error(
                signal.place, f"'{signal.name}' would be a second proposition '{name}'; rename one"
            )
        self._propositions[name] = signal.place
        if len(self._propositions) > MAX_PROPOSITIONS:
            raise self._source.error(
                signal.place, f"more than {MAX_PROPOSITIONS:,} inputs and outputs"
            )
        return self._evaluator.formulas.proposition(name)

    def _some_value(self, bus: Bus, enumeration: Enumeration) -> Truth:
        """That the signal has one of its values: true where every valuation of its bits is one."""
        if _covers(frozenset(bits for value in enumeration.values for bits in value.patterns)):
            return True
        f = self._evaluator.formulas
        return f.chain("||", [has_value(f, bus, value) for value in enumeration.values])

    def _section(self, name: str) -> list[Formula]:
        truths = list(self._implied[name])
        total = 0
        for expr in self._tree.sections.get(name, []):
            truth = self._evaluator.run(self._evaluator.truth(expr, {}))
            total += 1 if isinstance(truth, bool) else truth.size
            if total > MAX_SECTION_NODES:
                raise self._source.error(expr.place, f"the formulas of {name} are too large")
            truths.append(truth)
        return [self._evaluator.formulas.solid(truth) for truth in truths if truth is not True]


def _covers(patterns: frozenset[str]) -> bool:
    """Whether every valuation fits one of the patterns."""
    if any(not pattern.strip("*") for pattern in patterns):
        return True
    return bool(patterns) and all(
        _covers(frozenset(pattern[1:] for pattern in patterns if pattern[0] in (bit, "*")))
        for bit in "01"
    )
