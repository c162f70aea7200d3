"""A trace told in sentences, and what would have happened otherwise: the wording ``narrative``.

The reader of these sentences is `harness_tempobench.reading`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
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


def step(told: Sequence[str]) -> str:
    """Return what is said of a step, from its inputs, and its outputs if the trace has them, in words."""
    return "the inputs are " + ", and the machine answers ".join(told)


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
