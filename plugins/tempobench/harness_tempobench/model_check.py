"""Whether a machine satisfies a formula, by Spot; for workers of `harness_guard` alone."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from harness_logic import spot_library


def violates(
    ltl: str, inputs: list[str], outputs: list[str], start: int, table: list[list[list[int]]]
) -> bool:
    """Tell whether a machine has a run that is one of the negated formula; for workers alone.

    The machine is built edge by edge: no text of it is written or read.
    """
    spot, buddy = spot_library.modules()
    graph = spot.make_twa_graph(spot.make_bdd_dict())
    propositions = [[graph.register_ap(name) for name in names] for names in (inputs, outputs)]

    def minterm(which: int, bits: int) -> Any:
        product = buddy.bddtrue
        for place, variable in enumerate(propositions[which]):
            literal = buddy.bdd_ithvar if bits >> place & 1 else buddy.bdd_nithvar
            product &= literal(variable)
        return product

    graph.new_states(len(table))
    graph.set_init_state(start)
    for state, row in enumerate(table):
        for letter, (following, mask) in enumerate(row):
            graph.new_edge(state, following, minterm(0, letter) & minterm(1, mask))
    graph.merge_edges()
    for duty in duties(spot.formula(ltl), spot):
        negated = spot.formula.Not(duty)
        if graph.intersects(spot.translate(negated, "generic", "any", dict=graph.get_dict())):
            return True
    return False


def duties(formula: Any, spot: Any) -> Iterator[Any]:
    """Yield formulas whose conjunction is the formula: all at once would take Spot minutes.

    By the laws a -> (b & c) = (a -> b) & (a -> c) and G (a & b) = G a & G b.
    """
    if formula._is(spot.op_And):
        for part in formula:
            yield from duties(part, spot)
    elif formula._is(spot.op_Implies):
        for duty in duties(formula[1], spot):
            yield spot.formula.Implies(formula[0], duty)
    elif formula._is(spot.op_G) and formula[0]._is(spot.op_And):
        for part in formula[0]:
            yield from duties(spot.formula.G(part), spot)
    else:
        yield formula
