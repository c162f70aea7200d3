"""TLSF specifications, basic and full format 1.1, as LTL formulas over inputs and outputs.

Format: Jacobs, Klein, Schirmer, "A high-level LTL synthesis format: TLSF v1.1", SYNT 2016; precedences,
spellings and reserved words were taken from its tool syfco, not from the report's text. With initial
conditions e and s, invariants E and S, assumptions a and guarantees g, the formula is
`e -> (s && ((G E && a) -> (G S && g)))`, and with strict semantics
`e -> (s && (S W !E) && ((G E && a) -> g))`.

Bit i of a bus `r` is the proposition `r_i`. Where semantics and target differ, the formula is for the
target: a Mealy system reads an input one step later than the Moore system it stands for (X before
inputs), and a Moore system answers one step later than a Mealy system (X before outputs).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from harness_tlsf.errors import TlsfError
from harness_tlsf.formula import FormulaError, spot_name, written
from harness_tlsf.lexer import Source
from harness_tlsf.parser import parse_tree
from harness_tlsf.sections import Unfolded, combined, unfolded
from harness_tlsf.syntax import Tree

__all__ = ["Specification", "load", "parse"]


@dataclass(frozen=True)
class Specification:
    """A specification with its parameters put in.

    `ltl` is one formula with every operator in parentheses, as Spot reads it (propositions that Spot
    would misread are in quotes); `inputs` and `outputs` are the propositions in order of declaration,
    without quotes. `semantics` is `Mealy`, `Moore`, `Mealy,Strict` or `Moore,Strict`, and the formula is
    to be realised by a system of the kind `target`, `Mealy` or `Moore`. `sections` are the formulas of
    the basic format: INITIALLY, PRESET, REQUIRE, ASSERT, ASSUME, GUARANTEE, where not empty.
    """

    title: str
    description: str
    ltl: str
    inputs: tuple[str, ...]
    outputs: tuple[str, ...]
    semantics: str
    target: str
    parameters: dict[str, int] = field(default_factory=dict)
    tags: tuple[str, ...] = ()
    sections: tuple[tuple[str, tuple[str, ...]], ...] = ()

    def text(self) -> str:
        """The specification in the basic format; `load` reads it to the same formula."""
        info = [f'TITLE: "{self.title}"', f'DESCRIPTION: "{self.description}"']
        info += [f"SEMANTICS: {self.semantics}", f"TARGET: {self.target}"]
        if self.tags:
            info.append("TAGS: " + ", ".join(self.tags))
        parts = [("INPUTS", self.inputs), ("OUTPUTS", self.outputs), *self.sections]
        main = [line for name, items in parts for line in _block(name, items)]
        lines = ["INFO {", *(f"  {line}" for line in info), "}", "", "MAIN {"]
        return "\n".join([*lines, *(f"  {line}" for line in main), "}", ""])


def parse(text: str) -> Tree:
    """The specification as it is written, nothing evaluated; what is no TLSF is a TlsfError."""
    return parse_tree(Source(text))


def load(text: str, parameters: Mapping[str, int] | None = None) -> Specification:
    """The specification that the TLSF text stands for, with these parameters instead of its own.

    Every error is a TlsfError of one line, with the line and column of the text it is about. Bounded: text
    of a million characters, 200,000 nodes and 1,000 levels of formula, 10,000 propositions.
    """
    if not isinstance(text, str):
        raise TlsfError(f"a specification is text, not a {type(text).__name__}")
    if not isinstance(parameters or {}, Mapping):
        raise TlsfError(
            f"parameters are a dict such as {{'n': 3}}, not a {type(parameters).__name__}"
        )
    source = Source(text)
    tree = parse_tree(source)
    result = unfolded(source, tree, dict(parameters or {}))
    try:
        formula = combined(tree, result)
    except FormulaError as error:
        raise TlsfError(f"all sections together: {error}") from None
    return Specification(
        title=tree.title,
        description=tree.description,
        ltl=written(formula, spot_name),
        inputs=result.inputs,
        outputs=result.outputs,
        semantics=tree.semantics + (",Strict" if tree.strict else ""),
        target=tree.target,
        parameters=result.parameters,
        tags=tree.tags,
        sections=_section_texts(result),
    )


def _section_texts(result: Unfolded) -> tuple[tuple[str, tuple[str, ...]], ...]:
    return tuple(
        (name, tuple(written(formula) for formula in formulas))
        for name, formulas in result.sections.items()
        if formulas
    )


def _block(name: str, items: tuple[str, ...]) -> list[str]:
    return [f"{name} {{", *(f"  {item};" for item in items), "}"]
