"""The parser of whole TLSF specifications: INFO, GLOBAL and MAIN."""

from __future__ import annotations

from collections.abc import Callable

from harness_tlsf.expression import LOOSEST, ExpressionParser
from harness_tlsf.lexer import Source, Token, shown, suggestion
from harness_tlsf.syntax import (
    SECTION_NAMES,
    Clause,
    Definition,
    Enumeration,
    EnumValue,
    Expr,
    Signal,
    Tree,
)

MAX_ENUM_WIDTH = 16
MAX_ENUM_PATTERNS = 256
MAX_ARGUMENTS = 50
MAX_DEFINITIONS = 2_000
MAX_STATEMENTS = 50_000
_INFO = ("TITLE", "DESCRIPTION", "SEMANTICS", "TARGET", "TAGS")
_MODELS = ("Mealy", "Moore")


def parse_tree(source: Source) -> Tree:
    """The specification as it is written; every error is a TlsfError with line and column."""
    return _Parser(source).specification()


class _Parser(ExpressionParser):
    def __init__(self, source: Source) -> None:
        super().__init__(source)
        self.tree = Tree()
        self._info: dict[str, Token] = {}

    def specification(self) -> Tree:
        parts = {"INFO": self._info_part, "GLOBAL": self._global_part, "MAIN": self._main_part}
        seen: set[str] = set()
        while self.peek().kind != "end":
            token = self._choice(list(parts), "INFO, GLOBAL or MAIN")
            if token.text in seen:
                raise self.error(token, f"a second {token.text} part")
            seen.add(token.text)
            self._braced(token.text, parts[token.text])
        for part in ("INFO", "MAIN"):
            if part not in seen:
                raise self.error(self.peek(), f"the {part} part is missing")
        return self.tree

    def _choice(self, known: list[str], wanted: str) -> Token:
        """One of these words; a mistyped one is told what is like it."""
        token = self.peek()
        if token.kind == "name" and token.text not in known:
            message = f"expected {wanted}, found {shown(token)}"
            raise self.error(token, message + suggestion(token.text, known))
        if token.kind != "name":
            raise self.unexpected(wanted)
        return self.take()

    def _braced(self, part: str, item: Callable[[], None]) -> None:
        self.expect("{", f"after {part}")
        while not self.skip("}"):
            if self.peek().kind == "end":
                raise self.unexpected(f"'}}' at the end of {part}")
            item()

    def _statements(self, part: str, statement: Callable[[], None]) -> None:
        """Statements with ';' between them; the last one's may be left out."""
        self.expect("{", f"after {part}")
        number = 0
        while not self.skip("}"):
            if self.skip(";"):
                continue
            number += 1
            if number > MAX_STATEMENTS:
                raise self.error(self.peek(), f"more than {MAX_STATEMENTS:,} statements in {part}")
            statement()
            if not self.at(";") and not self.at("}"):
                raise self.unexpected(f"';' or '}}' in {part}")

    # INFO

    def _info_part(self) -> None:
        key = self._choice(list(_INFO), "TITLE, DESCRIPTION, SEMANTICS, TARGET, TAGS or '}'")
        if key.text in self._info:
            raise self.error(key, f"a second {key.text}")
        self._info[key.text] = key
        self.expect(":", f"after {key.text}")
        read: dict[str, Callable[[], object]] = {
            "TITLE": self._string,
            "DESCRIPTION": self._string,
            "SEMANTICS": self._semantics,
            "TARGET": lambda: self._choice(list(_MODELS), "Mealy or Moore").text,
            "TAGS": lambda: tuple(self._listed(self._tag)),
        }
        setattr(self.tree, key.text.lower(), read[key.text]())
        if self.at("}"):
            for needed in ("SEMANTICS", "TARGET"):
                if needed not in self._info:
                    raise self.error(self.peek(), f"INFO says no {needed}: Mealy or Moore?")

    def _listed(self, entry: Callable[[], str]) -> list[str]:
        entries = [entry()]
        while self.skip(","):
            entries.append(entry())
        return entries

    def _string(self) -> str:
        if self.peek().kind != "string":
            raise self.unexpected("a text in double quotes")
        return self.take().text[1:-1]

    def _semantics(self) -> str:
        first = self.peek()
        words = self._listed(self._semantics_word)
        models = [word for word in words if word in _MODELS]
        if len(models) != 1 or len(set(words)) != len(words):
            raise self.error(first, "semantics are Mealy or Moore, and 'Strict' after a comma")
        self.tree.strict = "Strict" in words
        return models[0]

    def _semantics_word(self) -> str:
        token = self._choice([*_MODELS, "Strict", "Finite"], "Mealy, Moore or Strict")
        if token.text == "Finite":
            raise self.error(
                token, "finite semantics cannot be read: formulas here speak of infinite traces"
            )
        return token.text

    def _tag(self) -> str:
        if self.peek().kind not in ("name", "string"):
            raise self.unexpected("a tag")
        return self.take().text

    # GLOBAL

    def _global_part(self) -> None:
        part = self._choice(["PARAMETERS", "DEFINITIONS"], "PARAMETERS, DEFINITIONS or '}'").text
        self._statements(part, self._parameter if part == "PARAMETERS" else self._definition)

    def _parameter(self) -> None:
        name = self.new_name("the name of a parameter")
        self.expect("=", f"after {shown(name)}")
        body = Clause(self.expression())
        self._room(name, len(self.tree.parameters))
        self.tree.parameters.append(Definition(name.text, name.start, (), (body,)))

    def _definition(self) -> None:
        if self.at("enum"):
            self._enumeration()
            return
        name = self.new_name("the name of a definition")
        arguments = self._arguments() if self.skip("(") else ()
        self.expect("=", f"after {shown(name)}" + (" and its arguments" if arguments else ""))
        clauses = tuple(self._clauses())
        self._room(name, len(self.tree.definitions))
        self.tree.definitions.append(Definition(name.text, name.start, arguments, clauses))

    def _room(self, name: Token, number: int) -> None:
        if number == MAX_DEFINITIONS:
            raise self.error(name, f"more than {MAX_DEFINITIONS:,} parameters or definitions")

    def _arguments(self) -> tuple[str, ...]:
        names: list[str] = []
        while not self.skip(")"):
            if names:
                self.expect(",", "or ')' after an argument")
            token = self.new_name("the name of an argument")
            if token.text in names:
                raise self.error(token, f"a second argument {shown(token)}")
            names.append(token.text)
            if len(names) > MAX_ARGUMENTS:
                raise self.error(token, f"more than {MAX_ARGUMENTS} arguments")
        return tuple(names)

    def _clauses(self) -> list[Clause]:
        clauses: list[Clause] = []
        while not (clauses and (self.at(";") or self.at("}"))):
            first = self.expression(LOOSEST)
            if self.skip(":"):
                clauses.append(self._guarded(first))
            elif clauses:
                raise self.unexpected("':' after the guard of a clause")
            else:
                self._no_pattern(first)
                return [Clause(first)]
        return clauses

    def _guarded(self, guard: Expr) -> Clause:
        pattern = None
        if guard.kind == "~":
            guard, pattern = guard.args
        self._no_pattern(guard)
        body = self.expression(LOOSEST)
        self._no_pattern(body)
        return Clause(body, guard, pattern)

    def _no_pattern(self, expression: Expr) -> None:
        if expression.kind == "~":
            raise self.source.error(
                expression.place, "a pattern belongs in a guard: 'formula ~ pattern : value'"
            )

    def _enumeration(self) -> None:
        self.take()
        name = self.new_name("the name of an enumeration")
        self.expect("=", f"after {shown(name)}")
        values: list[EnumValue] = []
        while self.peek().kind == "name" and (not values or self.at(":", 1)):
            values.append(self._enum_value(name.text))
        if not values:
            raise self.unexpected("the first value of the enumeration")
        enumeration = Enumeration(name.text, name.start, tuple(values))
        self._check_enumeration(enumeration)
        self._room(name, len(self.tree.enumerations))
        self.tree.enumerations.append(enumeration)

    def _enum_value(self, enum: str) -> EnumValue:
        name = self.new_name("the name of a value")
        self.expect(":", f"and bits after {shown(name)}")
        return EnumValue(enum, name.text, name.start, tuple(self._listed(self._bits)))

    def _bits(self) -> str:
        """Numbers and stars that stand together, such as `1*0`."""
        start, bits = self.peek(), ""
        while self.peek().kind == "number" or self.at("*"):
            if self.peek().start != start.start + len(bits):
                break
            bits += self.take().text
        if not bits or bits.strip("01*"):
            raise self.error(start, f"expected bits of 0, 1 and *, found {shown(start)}")
        if len(bits) > MAX_ENUM_WIDTH:
            raise self.error(start, f"an enumeration of more than {MAX_ENUM_WIDTH} bits")
        return bits

    def _check_enumeration(self, enumeration: Enumeration) -> None:
        taken: list[tuple[EnumValue, str]] = []
        for value in enumeration.values:
            for bits in value.patterns:
                if len(bits) != enumeration.width:
                    raise self.source.error(
                        value.place,
                        f"'{value.name}' has {len(bits)} bits, the first value {enumeration.width}",
                    )
                for other, theirs in taken:
                    if other is not value and _overlap(bits, theirs):
                        raise self.source.error(
                            value.place, f"'{value.name}' and '{other.name}' share bits: {theirs}"
                        )
                taken.append((value, bits))
                if len(taken) > MAX_ENUM_PATTERNS:
                    raise self.source.error(
                        value.place, f"an enumeration of more than {MAX_ENUM_PATTERNS} patterns"
                    )

    # MAIN

    def _main_part(self) -> None:
        known = ["INPUTS", "OUTPUTS", *SECTION_NAMES]
        part = self._choice(known, "INPUTS, OUTPUTS, a section of formulas or '}'").text
        if part in ("INPUTS", "OUTPUTS"):
            signals = self.tree.inputs if part == "INPUTS" else self.tree.outputs
            self._statements(part, lambda: signals.append(self._signal()))
        else:
            formulas = self.tree.sections.setdefault(SECTION_NAMES[part], [])
            self._statements(part, lambda: formulas.append(self.expression()))

    def _signal(self) -> Signal:
        first = self.new_name("the name of a signal")
        if self.peek().kind == "name":
            name = self.new_name("the name of a signal")
            return Signal(name.text, name.start, enum=first.text)
        if not self.skip("["):
            return Signal(first.text, first.start)
        width = self.expression()
        self.expect("]", "after the width of a bus")
        return Signal(first.text, first.start, width)


def _overlap(left: str, right: str) -> bool:
    """Whether some bits fit both patterns."""
    return all(a == b or "*" in (a, b) for a, b in zip(left, right, strict=True))
