"""pyModelChecking's LTL model checker (`harness_logic.model_checking`) as an engine on event graphs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from harness_logic.model_checking import MAX_OPERATORS, combined, library, satisfying

from harness import Abstained
from harness_ltlbench.formula import Formula, walk


@dataclass(frozen=True, slots=True)
class PymcResult:
    """The label; this engine gives no counterexample."""

    holds: bool


def check(problem: Mapping[str, Any]) -> PymcResult:
    """Decide a valid problem.

    Raises:
        Abstained: more than `MAX_OPERATORS` operators, or a tableau beyond the library's bounds.
    """
    operators = sum(isinstance(node, list) for node in walk(problem["formula"]))
    if operators > MAX_OPERATORS:
        raise Abstained(f"pymc: {operators} operators are more than {MAX_OPERATORS}")
    formula = _build(problem["formula"]).get_equivalent_restricted_formula()
    ltl, edges = library().LTL, _reachable(problem)
    labels = {source: {ltl.AtomicProposition(f"e{source}")} for source, _ in edges}
    kripke = library().kripke.Kripke(S=sorted(labels), R=edges, L=labels)
    return PymcResult(problem["initial"] not in satisfying(kripke, ltl.LNot(formula)))


def _build(formula: Formula) -> Any:
    """Return the library's formula object."""
    if isinstance(formula, int):
        return library().LTL.AtomicProposition(f"e{formula}")
    return combined(formula[0], [_build(part) for part in formula[1:]])


def _reachable(problem: Mapping[str, Any]) -> list[tuple[int, int]]:
    """Return the edges that can be taken; an event without one gets an edge to itself."""
    successors: dict[int, list[int]] = {}
    for source, target in problem["edges"]:
        successors.setdefault(source, []).append(target)
    seen = {problem["initial"]}
    todo = [problem["initial"]]
    edges = []
    for source in todo:
        for target in successors.get(source, [source]):
            edges.append((source, target))
            if target not in seen:
                seen.add(target)
                todo.append(target)
    return edges
