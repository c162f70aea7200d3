"""Patterns of TLSF guards: `formula ~ a U _` asks for a formula's form and names its parts."""

from __future__ import annotations

from collections.abc import Callable

from harness_tlsf.errors import TlsfError
from harness_tlsf.formula import Formulas, Truth
from harness_tlsf.lexer import Source
from harness_tlsf.syntax import Expr

_FORMS = ("!", "X", "G", "F", "U", "W", "R", "->", "<->", "&&", "||")


def matched(
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
                raise _refused(
                    source, form, f"'{form.text}' has a meaning already; a pattern needs a new name"
                )
        elif form.kind not in (*_FORMS, "true", "false"):
            raise _refused(source, form, "a pattern is made of new names, '_' and LTL operators")
        waiting += form.args


def _refused(source: Source, form: Expr, message: str) -> TlsfError:
    return source.error(form.place, message)
