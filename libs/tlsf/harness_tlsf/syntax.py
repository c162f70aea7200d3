"""What the parser makes of TLSF text: expressions, definitions, declarations, sections."""

from __future__ import annotations

from dataclasses import dataclass, field

# Sections of formulas by their first name, in the order in which they are printed.
SECTIONS = ("INITIALLY", "PRESET", "REQUIRE", "ASSERT", "ASSUME", "GUARANTEE")
SECTION_NAMES = {name: name for name in SECTIONS} | {
    "REQUIREMENTS": "REQUIRE",
    "ASSERTIONS": "ASSERT",
    "INVARIANTS": "ASSERT",
    "ASSUMPTIONS": "ASSUME",
    "GUARANTEES": "GUARANTEE",
}


@dataclass(frozen=True, slots=True)
class Expr:
    """An expression: `kind` is the operator or the kind of leaf, `text` its name or number.

    Leaves: `number`, `name`, `true`, `false`, `otherwise`. With operands: `call` (text: the
    function), `index` (text: the bus), `set`, `range`, the operators by their signs (`&&` and `||`
    with two operands or more), `size` and so on; the big operators as `&&[]`, with binders; the
    bounded ones as `X[]`, whose bounds come before the operand.
    """

    kind: str
    place: int
    args: tuple[Expr, ...] = ()
    text: str = ""
    binders: tuple[Binder, ...] = ()


@dataclass(frozen=True, slots=True)
class Binder:
    """`name IN values`, or `low < name <= high` with `strict` saying which side is `<`."""

    name: str
    place: int
    values: Expr | None = None
    low: Expr | None = None
    high: Expr | None = None
    strict: tuple[bool, bool] = (False, False)


@dataclass(frozen=True, slots=True)
class Clause:
    """`guard ~ pattern : body`; a lone body has neither guard nor pattern."""

    body: Expr
    guard: Expr | None = None
    pattern: Expr | None = None


@dataclass(frozen=True, slots=True)
class Definition:
    """A function or, without arguments, a name for a value; also each parameter."""

    name: str
    place: int
    arguments: tuple[str, ...]
    clauses: tuple[Clause, ...]


@dataclass(frozen=True, slots=True)
class EnumValue:
    """A value of an enumeration: patterns of 0, 1 and * over the bits, the first is bit 0."""

    enum: str
    name: str
    place: int
    patterns: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Enumeration:
    """`enum name = VALUE: 01 OTHER: 1*`."""

    name: str
    place: int
    values: tuple[EnumValue, ...]

    @property
    def width(self) -> int:
        """The number of bits."""
        return len(self.values[0].patterns[0])


@dataclass(frozen=True, slots=True)
class Signal:
    """A declared signal: single, a bus (`width`), or of an enumeration."""

    name: str
    place: int
    width: Expr | None = None
    enum: str | None = None


@dataclass
class Tree:
    """A specification as it is written."""

    title: str = ""
    description: str = ""
    semantics: str = ""
    target: str = ""
    strict: bool = False
    tags: tuple[str, ...] = ()
    parameters: list[Definition] = field(default_factory=list)
    definitions: list[Definition] = field(default_factory=list)
    enumerations: list[Enumeration] = field(default_factory=list)
    inputs: list[Signal] = field(default_factory=list)
    outputs: list[Signal] = field(default_factory=list)
    sections: dict[str, list[Expr]] = field(default_factory=dict)
