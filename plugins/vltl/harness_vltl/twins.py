"""Twins for task=verify: two traces of one formula that differ little, one satisfied and one violated.

The values of one proposition change places between two steps, neither of them the first or the last, both before the
loop or both in it. So lengths, shares of true values, first and last states, and the words of the prompt are the same
in both, and none of them foretells the verdict.

Where a formula allows it, the loop matters, or that a finite trace ends: of one of the twins the verdict is another
if the last state repeats forever, and where possible, of one it is another if only the loop is read. Who reads traces
so is right on every second one of these.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache, lru_cache, partial
from itertools import chain, combinations, product
from random import Random
from typing import Any, NamedTuple

from harness_logic.lassos import shortest

from harness_vltl import lassos
from harness_vltl.engines import evaluator
from harness_vltl.formulas.formula import Formula, exchanged, operators, propositions, size
from harness_vltl.templates import Skeleton, contents

Trace = dict[str, Any]
Pair = tuple[Trace, Trace]
Places = tuple[tuple[int, str], ...]
"""Steps, each with a proposition."""
_Judge = Callable[[Sequence[Trace]], list[bool]]
_SHAPES = 12  # lengths and loops tried
_LENGTHS = 2  # the same of finite traces
_DRAWN = 30  # traces drawn of each
_JUDGED = 10  # of these, traces that a twin is looked for
_CHANGED = 40  # changes of a trace
_SHORTEST = 4  # states, two of them between the first and the last
_VARIANTS = (False, True, True) * 3  # ways tried to put X and N into a template
_PLAIN = 0.1  # of the formulas of finite traces get no X or N beside those of their template
_TRIES = 12  # formulas drawn for one with twins whose end matters


def _moved(trace: Trace, names: Sequence[str], across: bool) -> Iterator[Places]:
    """Yield where one proposition's values in two inner steps may change places.

    ``across``: one step before the loop, one in it.
    """
    states, loop = trace["states"], trace.get("loop", 0)
    for i, j in combinations(range(1, len(states) - 1), 2):
        if (i < loop <= j) is across:
            for name in sorted({*states[i]} ^ {*states[j]}):
                yield (i, name), (j, name)


def _flipped(trace: Trace, names: Sequence[str]) -> Iterator[Places]:
    """Yield each single value."""
    for at in range(len(trace["states"])):
        for name in names:
            yield ((at, name),)


def loop_alone(formula: Formula, traces: Sequence[Trace]) -> list[bool]:
    """Return the verdicts of somebody who looks at the loops of traces only."""
    alone = [lassos.make(trace["states"][trace["loop"] :], 0) for trace in traces]
    return evaluator.verdicts(formula, alone)


def repeating(formula: Formula, traces: Sequence[Trace]) -> list[bool]:
    """Return the verdicts of somebody who takes it that the last state of traces repeats forever."""
    endless = [lassos.make(trace["states"]) for trace in traces]
    return evaluator.verdicts(exchanged(formula, {"N": "X"}), endless)


class Way(NamedTuple):
    """How twins are made.

    Args:
        changes: of a trace, the one that tells least first.
        misreadings: each gives the same verdict on both twins, so that it is wrong of one.
    """

    changes: tuple[Callable[[Trace, Sequence[str]], Iterator[Places]], ...]
    misreadings: tuple[Callable[[Formula, Sequence[Trace]], list[bool]], ...]


_EVEN = (partial(_moved, across=False), partial(_moved, across=True))
WAYS = (
    Way(_EVEN, (repeating, loop_alone)),
    Way(_EVEN, (repeating,)),
    Way(_EVEN, ()),
    Way((*_EVEN, _flipped), ()),
)
"""The better first; the first is for lassos only. All but the last leave counts, first and last state as they are."""


def drawn(
    formula: Formula, skeleton: Skeleton, most: int, rng: Random, *, finite: bool
) -> tuple[Formula, Pair] | None:
    """Return twins of a requirement with their formula; None if none were found, as of constants.

    Args:
        formula: the requirement's. Of finite traces, each X becomes strong or weak, and most get one more.
        skeleton: the outermost template of the requirement.
        most: the states that the traces may have, 4 at the least.
        finite: the traces end.
    """
    best = way(skeleton, finite) or WAYS[-1]
    if not finite:
        # what few traces allow is done without where none of those drawn does
        ways = WAYS[:2] if best == WAYS[0] else (best,)
        pair = next(filter(None, (twins(formula, most, rng, each) for each in ways)), None)
        return (formula, pair) if pair else None
    plain = rng.random() < _PLAIN
    for number in range(_TRIES):
        planted = number >= _TRIES // 2 or not has_next(formula)
        ended = variant(formula, rng, planted and not plain)
        if not has_next(ended):
            break
        pair = twins(ended, most, rng, WAYS[1], finite=True)
        if pair:
            return ended, pair
    pair = twins(ended, most, rng, best._replace(misreadings=()), finite=True)
    return (ended, pair) if pair else None


def twins(
    formula: Formula, most: int, rng: Random, how: Way, *, finite: bool = False
) -> Pair | None:
    """Return a satisfying and a violating trace of a formula that differ by a change; None if none were found.

    ``most`` states, 4 at the least.
    """
    names = propositions(formula)
    judge = partial(evaluator.verdicts, formula)
    misread = [partial(each, formula) for each in how.misreadings]
    shapes = range(_LENGTHS if finite else _SHAPES)
    candidates = chain.from_iterable(
        _misread(_of_one_shape(names, most, rng, finite, bool(misread)), judge, misread)
        for _ in shapes
    )
    pairs = (
        _pair(trace, list(change(trace, names)), judge, misread, rng)
        for trace, change in product(candidates, how.changes)
    )
    return next(filter(None, pairs), None)


def has_next(formula: Formula) -> bool:
    """Tell whether a formula has a strong or a weak next."""
    return not operators(formula).isdisjoint("XN")


def variant(formula: Formula, rng: Random, plant: bool) -> Formula:
    """Return a formula of infinite traces as one of finite traces: each X stays strong or becomes weak.

    ``plant``: with X or N before one of its operators or propositions more, but not before the whole.
    """
    strong_or_weak = _either_next(formula, rng)
    if not plant:
        return strong_or_weak
    part, path = strong_or_weak, list[int]()
    while isinstance(part, list) and (not path or rng.random() < size(part) / (size(part) + 1)):
        path.append(rng.randrange(1, len(part)))
        part = part[path[-1]]
    return _replaced(strong_or_weak, path, [rng.choice("XN"), part])


def _either_next(formula: Formula, rng: Random) -> Formula:
    if not isinstance(formula, list):
        return formula
    operator = rng.choice("XN") if formula[0] == "X" else formula[0]
    return [operator, *(_either_next(part, rng) for part in formula[1:])]


def _replaced(formula: Formula, path: Sequence[int], part: Formula) -> Formula:
    """Return the formula with another part at the end of a path."""
    if not path:
        return part
    at, *rest = path
    return [*formula[:at], _replaced(formula[at], rest, part), *formula[at + 1 :]]


def _misread(traces: list[Trace], judge: _Judge, misreadings: Sequence[_Judge]) -> list[Trace]:
    """Return the traces that a twin is looked for: of which the first misreading is wrong, if there is one."""
    for each in misreadings[:1]:
        verdicts = zip(traces, judge(traces), each(traces), strict=True)
        traces = [trace for trace, one, other in verdicts if one is not other]
    return traces[:_JUDGED]


def _pair(
    trace: Trace, possible: list[Places], judge: _Judge, misreadings: Sequence[_Judge], rng: Random
) -> Pair | None:
    """Return a trace with a twin, the satisfying one first; None if it has none."""
    places = rng.sample(possible, min(_CHANGED, len(possible)))
    tried = list(filter(_shortest, (_changed(trace, each) for each in places)))
    if not tried:
        return None
    first, *verdicts = judge([trace, *tried])
    others = [other for other, holds in zip(tried, verdicts, strict=True) if holds is not first]
    for each in misreadings if others else ():
        said, *verdicts = each([trace, *others])
        others = [other for other, holds in zip(others, verdicts, strict=True) if holds is said]
    if not others:
        return None
    other = rng.choice(others)
    return (trace, other) if first else (other, trace)


def way(skeleton: Skeleton, finite: bool) -> Way | None:
    """Return the first of `WAYS` that makes twins of a template: `ways.yaml` has it of those that we ship."""
    if skeleton.id not in _ways():
        return found(skeleton, finite)
    number = _ways()[skeleton.id][finite]
    return None if number is None else WAYS[number]


@cache
def _ways() -> dict[str, list[int | None]]:
    return dict(contents("ways.yaml"))


@lru_cache(maxsize=1024)
def found(skeleton: Skeleton, finite: bool) -> Way | None:
    """Find the first of `WAYS` that makes twins of a template, of finite traces with X or N as it may be."""
    rng = Random(f"twins {skeleton.id}")
    formulas = [skeleton.formula]
    if finite:
        formulas = [variant(skeleton.formula, rng, plant) for plant in _VARIANTS]
    for how in WAYS[finite:]:
        if any(twins(each, 8, rng, how, finite=finite) for each in formulas):
            return how
    return None


def _of_one_shape(
    names: Sequence[str], most: int, rng: Random, finite: bool, lasso: bool
) -> list[Trace]:
    """Return traces by chance that have the same length and loop, each in its shortest form."""
    length = rng.randint(_SHORTEST, max(most, _SHORTEST))
    loop = length - 1
    if lasso or rng.random() < 0.5:
        loop = rng.randrange(loop)
    traces, ordered = [], sorted(names)
    for _ in range(_DRAWN):
        rows = [(name, _bits(length, rng)) for name in ordered]
        states = [[name for name, row in rows if row >> at & 1] for at in range(length)]
        traces.append({"states": states} if finite else {"states": states, "loop": loop})
    return list(filter(_shortest, traces))


def _bits(count: int, rng: Random) -> int:
    """Return so many bits, of which about a quarter, a half or three quarters are set."""
    one, other, kind = rng.getrandbits(count), rng.getrandbits(count), rng.getrandbits(2)
    return (one & other, one | other, one, other)[kind]


def _changed(trace: Trace, places: Places) -> Trace:
    """Return what becomes of a trace where a proposition has its other value in some steps."""
    states = [*trace["states"]]
    for at, name in places:
        states[at] = sorted({*states[at]} ^ {name})
    return {**trace, "states": states}


def _shortest(trace: Trace) -> bool:
    """Tell whether no trace of the same word is shorter; its states list their propositions in order."""
    if "loop" not in trace:
        return True
    prefix, cycle = trace["states"][: trace["loop"]], trace["states"][trace["loop"] :]
    if prefix and prefix[-1] == cycle[-1]:  # as of many
        return False
    return len(shortest(prefix, cycle)[1]) == len(cycle)


def grounded(
    pair: Pair, names: Mapping[str, str], others: Sequence[str], rng: Random
) -> tuple[Trace, Trace]:
    """Return twins with canonical propositions, and other actions put into the same steps of both by chance."""
    longest = max(len(trace["states"]) for trace in pair)
    added = [[other for other in others if rng.random() < 0.4] for _ in range(longest)]
    first, second = (
        {
            **trace,
            "states": [
                sorted([*map(names.__getitem__, state), *more])
                for state, more in zip(trace["states"], added, strict=False)
            ],
        }
        for trace in pair
    )
    return first, second
