"""Synthesis and model checking by Spot, for workers of `harness_guard` alone: it can hang, crash or eat all memory.

Each call of `synthesise` is answered by a fork of the worker. Spot's results depend on the formulas a process has
seen before, and a fork has seen none: the same specification always gives the same machine.
"""

from __future__ import annotations

import json
import os
import signal
import sys
import traceback
from collections.abc import Iterator
from typing import Any, NoReturn

from harness_logic import spot_library

spot, buddy = spot_library.modules()

_GRACE = 5.0  # seconds after which a fork ends itself when its worker should have been ended


def synthesise(
    ltl: str, inputs: list[str], outputs: list[str], algorithm: str, most: int, seconds: float
) -> dict[str, Any]:
    """Return a machine for a specification.

    Args:
        ltl: checked text for `spot.formula`, over propositions of ``inputs`` and ``outputs`` only.
        inputs: as in `Machine`.
        outputs: as in `Machine`.
        algorithm: name of a constant of Spot's ``synthesis_info``, without ``algo_``.
        most: the largest number of states to return.
        seconds: after these and a little more the work ends by itself.

    Returns:
        ``{"error": line}``, or ``{"realizable": False}``, or ``{"realizable": True, "start": …,
        "rows": …}`` with a row ``[next state, output mask, next state, …]`` for each state.
    """
    receive, send = os.pipe()
    child = os.fork()
    if child == 0:
        signal.setitimer(signal.ITIMER_REAL, seconds + _GRACE)  # a fork inherits no timer
        os.close(receive)
        _answer(send, ltl, inputs, outputs, algorithm, most)
    os.close(send)
    with os.fdopen(receive, "rb") as reply:
        data = reply.read()
    code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    if code < 0:  # die the same death: the guard knows how to report it
        os.kill(os.getpid(), -code)
    if code:
        os._exit(code)
    result: dict[str, Any] = json.loads(data)
    return result


def parts(ltl: str, outputs: list[str]) -> list[tuple[str, list[str]]]:
    """Return specifications of different outputs that say together what a specification says, each with its outputs.

    What names no output goes with the first part.
    """
    groups: list[tuple[set[str], list[Any]]] = []
    for part in _duties(spot.formula(ltl)):
        names, formulas = _names(part) & {*outputs}, [part]
        apart = []
        for group in groups:
            if group[0] & names:
                names, formulas = names | group[0], group[1] + formulas
            else:
                apart.append(group)
        groups = [*apart, (names, formulas)]
    idle = [formula for names, formulas in groups if not names for formula in formulas]
    told = [group for group in groups if group[0]] or [(set(), [])]
    told[0] = (told[0][0], told[0][1] + idle)
    missing = set(outputs).difference(*(names for names, _ in told))
    told[0] = (told[0][0] | missing, told[0][1])
    return [
        (str(spot.formula_And(formulas)), [name for name in outputs if name in names])
        for names, formulas in told
    ]


def _names(formula: Any) -> set[str]:
    return {ap.ap_name() for ap in spot.atomic_prop_collect(formula)}


def _answer(send: int, *request: Any) -> NoReturn:
    """Write the result and end this fork without the worker's clean-up."""
    code = 1
    try:
        with os.fdopen(send, "wb") as reply:
            reply.write(json.dumps(_solve(*request)).encode())
        code = 0
    except BaseException:
        traceback.print_exc()  # its last line is what the guard reports
        sys.stderr.flush()
    finally:
        os._exit(code)


def _solve(
    ltl: str, inputs: list[str], outputs: list[str], algorithm: str, most: int
) -> dict[str, Any]:
    try:
        formula = spot.formula(ltl)
    except SyntaxError as error:
        return {"error": f"Spot cannot read the LTL formula: {' '.join(str(error).split())[:200]}"}
    if not formula.is_ltl_formula():
        return {"error": "the formula is not one of LTL"}
    foreign = _names(formula) - {*inputs, *outputs}
    if foreign:
        # Spot reads "Go" without quotes as G(o)
        name = sorted(foreign)[0][:40]
        return {"error": f"the LTL formula names {name!r}, which is neither input nor output"}
    info = spot.synthesis_info()
    info.s = getattr(spot.synthesis_info, f"algo_{algorithm}")
    info.minimize_lvl = 2
    game = spot.ltl_to_game(formula, outputs, info)
    if not spot.solve_game(game, info):
        return {"realizable": False}
    mealy = spot.solved_game_to_mealy(game, info)
    spot.simplify_mealy_here(mealy, info, False)
    if mealy.num_states() > most:
        return {"error": f"the machine has {mealy.num_states():,} states, more than {most:,}"}
    return {
        "realizable": True,
        "start": mealy.get_init_state_number(),
        "rows": _Table(mealy, inputs, outputs).rows(),
    }


class _Table:
    """Reads the cells of a machine off its guards, input by input."""

    def __init__(self, mealy: Any, inputs: list[str], outputs: list[str]) -> None:
        self.mealy = mealy
        # Spot drops what a machine does not use; registering it again does no harm
        self.inputs = [mealy.register_ap(name) for name in inputs]
        self.outputs = [mealy.register_ap(name) for name in outputs]
        # with the guards of each key: while they live, no other guard has their numbers
        self.known: dict[Any, tuple[list[int], Any]] = {}

    def rows(self) -> list[list[int]]:
        return [
            self.cells([(edge.cond, edge.dst) for edge in self.mealy.out(state)], len(self.inputs))
            for state in range(self.mealy.num_states())
        ]

    def cells(self, edges: list[tuple[Any, int]], left: int) -> list[int]:
        """Return the cells of all letters, the values of inputs from ``left`` on being fixed."""
        if left == 0:
            target, mask = min((self.mask(guard), target) for guard, target in edges)[::-1]
            return [target, mask]
        key = (left, *((guard.id(), target) for guard, target in edges))
        if key not in self.known:
            cells: list[int] = []
            for literal in (buddy.bdd_nithvar, buddy.bdd_ithvar):
                value = literal(self.inputs[left - 1])
                restricted = [(buddy.bdd_restrict(guard, value), to) for guard, to in edges]
                possible = [edge for edge in restricted if edge[0] != buddy.bddfalse]
                cells += self.cells(possible, left - 1)
            self.known[key] = (cells, edges)
        return self.known[key][0]

    def mask(self, guard: Any) -> int:
        """Return the least mask that a guard over outputs alone allows."""
        mask = 0
        for i in reversed(range(len(self.outputs))):
            low = buddy.bdd_restrict(guard, buddy.bdd_nithvar(self.outputs[i]))
            if low == buddy.bddfalse:
                mask |= 1 << i
                low = buddy.bdd_restrict(guard, buddy.bdd_ithvar(self.outputs[i]))
            guard = low
        return mask


def violates(
    ltl: str, inputs: list[str], outputs: list[str], start: int, table: list[list[list[int]]]
) -> bool:
    """Tell whether a machine has a run that is one of the negated formula; for workers alone.

    The machine is built edge by edge: no text of it is written or read.
    """
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
    for duty in _duties(spot.formula(ltl)):
        negated = spot.formula.Not(duty)
        if graph.intersects(spot.translate(negated, "generic", "any", dict=graph.get_dict())):
            return True
    return False


def _duties(formula: Any) -> Iterator[Any]:
    """Yield formulas whose conjunction is the formula: all at once would take Spot minutes.

    By the laws a -> (b & c) = (a -> b) & (a -> c) and G (a & b) = G a & G b.
    """
    if formula._is(spot.op_And):
        for part in formula:
            yield from _duties(part)
    elif formula._is(spot.op_Implies):
        for duty in _duties(formula[1]):
            yield spot.formula.Implies(formula[0], duty)
    elif formula._is(spot.op_G) and formula[0]._is(spot.op_And):
        for part in formula[0]:
            yield from _duties(spot.formula.G(part))
    else:
        yield formula
