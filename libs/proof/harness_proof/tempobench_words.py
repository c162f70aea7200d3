"""The words of tempobench's prompts: a prompt that says anything else is another question.

«…» stands for what differs from problem to problem. `tempobench` puts the parts that it has read in their places and
compares the whole with the prompt.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

_MACHINE = """\
Task: «task»

The machine below is a Mealy machine. At each step it is in one state, and every input is true or false; the \
state and the inputs of a step decide which outputs are true at this step and which state comes next. Steps are \
counted from 0, and at step 0 the machine is in its initial state.
The machine is in HOA format. "Start" gives the initial state. "AP" gives the number of propositions (inputs and \
outputs) and, in double quotes, their names; the first one is number 0. "controllable-AP" gives the numbers of \
the outputs; the others are inputs. After "State: s", each line "[label] t" says: in state s, if the inputs fit \
the label, then the outputs are as the label says and the next state is t. In labels, propositions stand by name, \
! is not, & is and, | is or; ! binds most, then &, then |, and parentheses group. The other lines before the \
first state do not matter. An input that is not mentioned can have any value. For each state and each combination \
of input values, exactly one line fits.
«lines» A name alone means that it is true at that step, ! before it that it is false.

Inputs: «inputs»
Outputs: «outputs»

Machine:
«machine»

«heading»
«trace»

"""
_LINES = "Each line of the trace is one step: its number, the inputs, a slash, the outputs."
_INPUT_LINES = "Each numbered line below the machine is one step: its number and the inputs."
_ANSWER = """
Form of the object: «form»
JSON Schema of the object: «schema»
End your reply with one line of this form:
Answer: <the JSON object, all of it on this line>"""
_DEFINING = (
    "all inputs, in the order of the list above, whether or not the machine depends on them: each one's name, with "
    '"!" before it if it is false, joined by " and ", such as "u and !v".'
)
_EFFECT = """\
Effect: output «output» is «value» at step «step». In the answer, it is written as "«effect»": one X for each \
step before it, then the output, with ! before its name if it is false.
«question»

The trace is what the machine does when it is given these inputs.
A literal is an input with the value that it has in the trace at a step: its name if it is true there, "!" and \
its name if it is false.
"""
_BREAKING = """\
A set of literals, each at a step from 0 to «step», breaks the effect if the following holds: run the machine \
again from its initial state with exactly the inputs of this set flipped at their steps (true instead of false, \
false instead of true) and all other inputs as in the trace; then output «output» is «other» at step «step». \
States, other outputs, and this output at other steps may change, too. A minimal breaking set is a set that \
breaks the effect and has no proper subset that does. As long as at least one literal of each minimal breaking \
set stays as it is in the trace, the effect stays: this is its cause. If no set breaks the effect, no input could \
have prevented it.
"""
_SAME_STEP = "In this problem, all literals of a minimal breaking set are at the same step.\n"
_CLAUSES = """\
State the cause as a JSON object. For each step from 0 to «step», give a list of strings: one for each minimal \
breaking set whose literals are all at this step, with its literals joined by " or ". A step without such sets \
gets ["no constraints"]. For example, ["u or !v", "w"] would say that a step has two such sets: one is of u, true \
at that step, and v, false at it; the other one is w alone, true at it. The order of strings and of literals does \
not matter."""
_ACROSS = """
Under "cross_step_clauses", list the minimal breaking sets whose literals are at several steps, each as a list of \
strings "step:literal", such as ["0:u", "2:!v"], in any order; if there are none, the list is empty."""
_NECESSARY = """\
A literal at a step from 0 to «step» is necessary for the effect if the following holds: run the machine again \
from its initial state with this one input flipped at this step (true instead of false, false instead of true) \
and all other inputs, at all steps, as in the trace; then output «output» is «other» at step «step». States, \
other outputs, and this output at other steps may change, too. State all literals that are necessary, and no \
others: leave out what breaks the effect only together with another input.
State them as a JSON object. For each step from 0 to «step», give the list of its necessary literals, each as a \
string. A step without a necessary literal gets ["no constraints"]. For example, ["u", "!v"] would say that at a \
step two literals are necessary: u, true at that step, and v, false at it. The order does not matter."""
_RUN = """\
Does the machine accept the trace, and through which states does it go?

Run the machine from its initial state on the inputs of the trace. A step can be taken if the outputs that the \
machine gives at it are exactly those that the trace has there. If all steps can be taken, the trace is accepted; \
otherwise it is rejected, and the run ends before the first step that cannot be taken.
State the run as a JSON object: first, for each step that is taken, from 0 on, in order, a key "step_" and the \
number of the step, with the state at the step ("current state", a number), the inputs at the step ("defining \
inputs") and the state after it ("next state", a number); then "accepted", which is "yes" or "no". Defining \
inputs are """
_SIMULATION = """\
What does the machine do on these inputs?

Run the machine from its initial state on the inputs given for each step. State the run as a JSON object: for \
each step, from 0 to «last», in order, a key "step_" and the number of the step, with the state at the step \
("current state", a number), the inputs at the step ("defining inputs"), the outputs at the step ("outputs") and \
the state after it ("next state", a number).
Defining inputs are """
_OUTPUTS = (
    " Outputs are written in the same way: all outputs in the order of the list above, each one's name, with "
    '"!" before it if it is false, joined by " and ".'
)

TASKS = {
    "tce": "find what caused an output of a machine.",
    "min": "find the inputs that were necessary for an output of a machine.",
    "tte": "follow a trace through a machine.",
    "sim": "run a machine on given inputs.",
}
_QUESTIONS = {
    "tce": "What caused the effect?",
    "min": "Which inputs were necessary for the effect?",
}
_BODIES = {
    "tce": _EFFECT + _BREAKING + _CLAUSES + _ACROSS,
    "tce per step": _EFFECT + _BREAKING + _SAME_STEP + _CLAUSES,
    "min": _EFFECT + _NECESSARY,
    "tte": _RUN + _DEFINING,
    "sim": _SIMULATION + _DEFINING + _OUTPUTS,
}


def prompt(kind: str, parts: Mapping[str, str]) -> str:
    """Return the prompt of a kind of problem, one of tce, tce per step, min, tte, sim, of its parts."""
    task = kind.partition(" ")[0]
    text = _MACHINE + _BODIES[kind] + _ANSWER
    told = {
        **parts,
        "task": TASKS[task],
        "lines": _INPUT_LINES if task == "sim" else _LINES,
        "heading": "Inputs of each step:" if task == "sim" else "Trace:",
        "question": _QUESTIONS.get(task, ""),
    }
    return re.sub(r"«([a-z]+)»", lambda name: told[name[1]], text)
