"""Wrong formulas drawn apart from `harness_vltl.mutants`, and how many of them a suite of traces lets pass."""

from harness_vltl.engines import evaluator, spot
from harness_vltl.formulas.formula import BINARY, UNARY, propositions

from harness import Abstained


def places(formula, path=()):
    """Yield every part with its path, the formula first."""
    yield path, formula
    if isinstance(formula, list):
        for at, part in enumerate(formula[1:], 1):
            yield from places(part, (*path, at))


def replaced(formula, path, part):
    if not path:
        return part
    at, *rest = path
    return [*formula[:at], replaced(formula[at], rest, part), *formula[at + 1 :]]


def changes(part, names):
    """Yield, by its kind, each change of a part."""
    yield "next", ["X", part]
    yield "constant", True
    yield "constant", False
    if isinstance(part, str):
        yield "negation", ["!", part]
        yield from (("name", name) for name in names if name != part)
    if isinstance(part, list):
        operator, *operands = part
        yield from (("dropped", operand) for operand in operands)
        others = BINARY if len(operands) == 2 else UNARY
        for other in others if operator != "!" else ():
            if other not in (operator, "!"):
                yield "operator", [other, *operands]
        if len(operands) == 2:
            yield "swap", [operator, *reversed(operands)]


def changed(formula, rng, names):
    """Return a formula with one change: a place is drawn, then a kind of change, then a change of this kind."""
    path, part = rng.choice([*places(formula)])
    found = [*changes(part, names)]
    kind = rng.choice(sorted({kind for kind, _ in found}))
    return replaced(formula, path, rng.choice([new for other, new in found if other == kind]))


def passing(formula, traces, rng, count, order):
    """Return how many of ``count`` drawn formulas differ from this one, and those that no trace tells from it.

    ``order``: changes in each. Those that Spot finds equivalent, or declines, are not counted.
    """
    names = propositions(formula)
    right = evaluator.verdicts(formula, traces)
    drawn = {}
    for _ in range(count):
        mutant = formula
        for _ in range(order):
            mutant = changed(mutant, rng, names)
        drawn[repr(mutant)] = mutant
    drawn.pop(repr(formula), None)
    told = [mutant for mutant in drawn.values() if evaluator.verdicts(mutant, traces) != right]
    untold = [
        mutant for mutant in drawn.values() if mutant not in told and _differs(formula, mutant)
    ]
    return len(told) + len(untold), untold


def _differs(formula, mutant):
    try:
        return spot.difference(formula, mutant) is not None
    except Abstained:
        return False
