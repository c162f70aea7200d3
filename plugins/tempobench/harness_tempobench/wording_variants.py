"""What prompts say of variants: outputs that are not shown, effects of several literals, outputs that may be kept."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from harness_tempobench import narrative
from harness_tempobench.joined import SIGNS
from harness_tempobench.notation import shown

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


def limited(outputs: Sequence[str], unknown: bool) -> str:
    """Return what is said of a trace that shows some outputs only."""
    return _SHOWN.format(names=", ".join(map(shown, outputs))) + (_POSSIBLE if unknown else "")


def joined(effect: Mapping[str, Any], words: Mapping[str, Any]) -> str:
    """Return what an effect of several literals is."""
    truth, both = ("false", "true"), effect["join"] == "and"
    listed = [f"output {shown(o)} is {truth[v]} at step {at}" for at, o, v in effect["literals"]]
    return _JOINED.format(
        join="all" if both else "at least one",
        holds="hold" if both else "holds",
        literals="; ".join(listed),
        key=words["key"],
        sign=SIGNS[effect["join"]].strip(),
        join_word=effect["join"],
    )


def otherwise(problem: Mapping[str, Any]) -> str:
    """Return what the list of single changes says."""
    listed = narrative.WHETHER if "literals" in problem["effect"] else narrative.OTHERWISE
    return listed + (narrative.KEPT if "contingencies" in problem else "")


def broken(problem: Mapping[str, Any], sentence: str) -> str:
    """Return the definition of what breaks an effect, with what the effect of a problem needs."""
    if "contingencies" in problem:
        return f"{sentence.replace(*_CAN_FAIL)}\n{_KEPT}"
    return sentence.replace(*_FAILS) if "literals" in problem["effect"] else sentence
