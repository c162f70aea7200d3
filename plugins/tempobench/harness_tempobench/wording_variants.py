"""What prompts say of variants, beside `wording`: the reader of all of them is `reading`.

Of outputs that are not shown, effects of several literals, outputs that may be kept; and in the wording ``narrative``
of a trace told in sentences, with what would have happened otherwise.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from harness_tempobench import problem as problems
from harness_tempobench.joined import SIGNS
from harness_tempobench.notation import shown
from harness_tempobench.targets import truth

_SHOWN = "Of the outputs, the trace shows only {names}; what the others are at a step is not said."
_POSSIBLE = (
    " From a state the machine does what the whole trace says if, on the inputs of the trace, it gives from there "
    "the outputs that are shown, and the effect below holds."
)
_JOINED = (
    "Effect: {join} of these {holds}: {literals}. In the answer, it is written as {key}: for each output one X for "
    "each step before it, then the output, with ! before its name if it is false; {sign} is {join_word}."
)
_KEPT = (
    "In such a run, outputs may be kept: at each step, some of the outputs that the machine gives, any or none, may "
    "be replaced by their values in the trace at this step. Where that changes what the machine gives, the next "
    "state is that of some transition of the machine, from any state on any inputs, with exactly the outputs that "
    "result; if there is no such transition, they cannot be kept so. Where it changes nothing, the machine goes on "
    "as always."
)
_CAN_FAIL = (
    "then output {output} is {other} at step {step}. States",
    "then, in some run in which outputs may be kept as said below, output {output} is {other} at step {step} as the "
    "machine itself gives it. States",
)
_FAILS = (
    "then output {output} is {other} at step {step}. States, other outputs, and this output at other steps may "
    "change, too.",
    "then the effect does not hold. States, other outputs, and its outputs at other steps may change, too.",
)
ACCEPTS_SHOWN = (
    "Run the machine from its initial state on the inputs of the trace. A step can be taken if the machine gives "
    "each output that is shown the value that the trace has there; the others do not matter. If all steps can be "
    "taken, the trace is accepted; otherwise it is rejected, and the run ends before the first step that cannot be "
    "taken."
)
TOLD = (
    'The trace is told in sentences. A name means that it is true at that step, "not" and a name that it is false; '
    '"not" goes with the next name only.'
)
HEADING = "What would have happened otherwise:"
_OTHERWISE = (
    "The list below the trace says, for each input at each step up to the effect's, what the output would have been "
    "at the effect's step if this one input had been the opposite there, and all other inputs at all steps as in the "
    "trace."
)
_WHETHER = (
    "The list below the trace says, for each input at each step up to the effect's last, whether the effect would "
    "have come if this one input had been the opposite there, and all other inputs at all steps as in the trace."
)
_NOTHING_KEPT = " In this list, no outputs are kept."


def limited(outputs: Sequence[str], unknown: bool) -> str:
    """Return what is said of a trace that shows some outputs only."""
    return _SHOWN.format(names=", ".join(map(shown, outputs))) + (_POSSIBLE if unknown else "")


def joined(effect: Mapping[str, Any], words: Mapping[str, Any]) -> str:
    """Return what an effect of several literals is."""
    both = effect["join"] == "and"
    listed = [f"output {shown(o)} is {truth(v)} at step {at}" for at, o, v in effect["literals"]]
    return _JOINED.format(
        join="all" if both else "at least one",
        holds="hold" if both else "holds",
        literals="; ".join(listed),
        key=words["key"],
        sign=SIGNS[effect["join"]].strip(),
        join_word=effect["join"],
    )


def about_changes(problem: Mapping[str, Any]) -> str:
    """Return what the list of single changes says."""
    listed = _WHETHER if "literals" in problem["effect"] else _OTHERWISE
    return listed + (_NOTHING_KEPT if "contingencies" in problem else "")


def broken(problem: Mapping[str, Any], sentence: str) -> str:
    """Return the definition of what breaks an effect, with what the effect of a problem needs."""
    if "contingencies" in problem:
        return f"{sentence.replace(*_CAN_FAIL)}\n{_KEPT}"
    return sentence.replace(*_FAILS) if "literals" in problem["effect"] else sentence


def step(told: Sequence[str]) -> str:
    """Return what is said of a step, from its inputs, and its outputs if the trace has them, in words."""
    return "the inputs are " + ", and the machine answers ".join(told)


def changes(problem: Mapping[str, Any]) -> Iterator[str]:
    """Yield a sentence on what each input of each step, flipped alone, makes of the effect of a problem."""
    effect = problem["effect"]
    last, output = effect["step"], shown(effect["output"])
    for step, name, before, value in problems.after_flips(problem):
        same = " all the same" if value is effect["value"] else ""
        then = f"{output} would have been {truth(value)} at step {last}{same}"
        if "literals" in effect:
            then = f"the effect would {'' if value else 'not '}have come{same}"
        yield f"If {shown(name)} had been {truth(not before)} at step {step}, {then}."
