"""A trace told in sentences, and what would have happened otherwise: the wording ``narrative``.

The reader of these sentences is `harness_tempobench.reading`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from harness_tempobench import problem as problems
from harness_tempobench.notation import shown
from harness_tempobench.targets import truth

TRACE = (
    'The trace is told in sentences. A name means that it is true at that step, "not" and a name that it is false; '
    '"not" goes with the next name only.'
)
HEADING = "What would have happened otherwise:"
OTHERWISE = (
    "The list below the trace says, for each input at each step up to the effect's, what the output would have been "
    "at the effect's step if this one input had been the opposite there, and all other inputs at all steps as in the "
    "trace."
)
WHETHER = (
    "The list below the trace says, for each input at each step up to the effect's last, whether the effect would "
    "have come if this one input had been the opposite there, and all other inputs at all steps as in the trace."
)
KEPT = " In this list, no outputs are kept."


def steps(trace: Sequence[Sequence[str]], groups: Sequence[Iterable[str]]) -> list[str]:
    """Return a sentence for each step of a trace; ``groups``: the inputs, and the outputs if the trace has them."""
    sentences = []
    for number, step in enumerate(trace):
        true = frozenset(step)
        told = [_told(names, true) for names in groups]
        answer = f", and the machine answers {told[1]}" if len(told) > 1 else ""
        sentences.append(f"At step {number}, the inputs are {told[0]}{answer}.")
    return sentences


def _told(names: Iterable[str], true: frozenset[str]) -> str:
    words = [shown(name) if name in true else f"not {shown(name)}" for name in names]
    return " and ".join(words) or "none"


def otherwise(problem: Mapping[str, Any]) -> Iterator[str]:
    """Yield a sentence on what each input of each step, flipped alone, makes of the effect of a problem."""
    effect = problem["effect"]
    last, output = effect["step"], shown(effect["output"])
    for step, name, before, value in problems.after_flips(problem):
        same = " all the same" if value is effect["value"] else ""
        then = f"{output} would have been {truth(value)} at step {last}{same}"
        if "literals" in effect:
            then = f"the effect would {'' if value else 'not '}have come{same}"
        yield f"If {shown(name)} had been {truth(not before)} at step {step}, {then}."
