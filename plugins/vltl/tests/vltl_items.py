"""Items for the tests of scoring: generated ones, ones made by hand, and an evaluator that is nobody's.

What is compared with an explanation here is worked out by `holds`, which shares nothing with
the engines: it walks along a trace from one position, as the semantics is written down.
"""

import math
import re
from functools import cache
from random import Random

from harness_vltl import config, generate, suites, wording
from harness_vltl.formulas.formula import substitute, text
from harness_vltl.problem import dictionary

from harness import Item

DEFAULTS = {name: one["default"] for name, one in config.CONFIG["properties"].items()}
TASKS = config.TASKS

# Requirements made by hand, so that what an answer is worth can be counted on fingers.
SENTENCE = "If the robot grabs the red fork, then the robot drops the bench."
LIFTED = "If the robot prop_1, then the robot prop_2."
IDS = [0, 0, 0, 1, 1, 1, 1, 0, 0, 0, 2, 2, 2]
NAMES = {
    "prop_1": ("deliver", ["bench", "loading_dock"], "take the bench to the dock"),
    "prop_2": ("pickup", ["dining_table"], "pick up the eating table"),
    "prop_3": ("idle", [], "idle"),
}
CANONICAL = {
    "prop_1": "deliver(bench,loading_dock)",
    "prop_2": "pickup(dining_table)",
    "prop_3": "idle",
}
RESPONSE = ["G", ["->", "prop_1", ["F", ["&", "prop_2", "prop_3"]]]]


def generated(task, count, **changes):
    """Return items as a run would make them; lists are given as tuples."""
    return [_generated(task, number, **changes) for number in range(count)]


@cache
def _generated(task, number, **changes):
    settings = {name: list(v) if isinstance(v, tuple) else v for name, v in changes.items()}
    made = {**DEFAULTS, "task": task, **settings}
    return generate.item(made, number, Random(f"{task}{number}"), "tests")


@cache
def _suite(formula):
    return suites.suite(thawed(formula))


def thawed(formula):
    """Return nested tuples as nested lists."""
    return [thawed(part) for part in formula] if isinstance(formula, tuple) else formula


def frozen(formula):
    return tuple(map(frozen, formula)) if isinstance(formula, list) else formula


def made(task, formula=RESPONSE, **certificate):
    """Return an item over `NAMES` with a suite for the formula; more keys replace the certificate's."""
    suite = _suite(frozen(formula))
    proof = {
        "sentence": SENTENCE,
        "tokens": SENTENCE.split(),
        "lifted": LIFTED,
        "ids": list(IDS),
        "formula": formula,
        "propositions": {
            name: {"action": action, "arguments": arguments, "text": said}
            for name, (action, arguments, said) in NAMES.items()
        },
        "satisfying": list(suite.satisfying),
        "violating": list(suite.violating),
        **certificate,
    }
    where = {"task": task, "scenario": "warehouse", "sentence": proof["sentence"]}
    problem, target = {
        "lift": (where, proof["lifted"]),
        "translate": ({"task": task, "lifted": proof["lifted"]}, text(formula)),
        "ground": ({**where, "lifted": proof["lifted"]}, dictionary(CANONICAL)),
        "end_to_end": (where, text(substitute(formula, CANONICAL))),
    }[task]
    prompt = wording.prompt(problem, "signatures")
    return Item("vltl", "1.0", prompt, target, problem, proof, {"task": task})


def verification(formula, trace, label=None):
    """Return an item of task verify; its label is worked out by `holds`."""
    problem = {"task": "verify", "formula": formula, "trace": trace}
    label = label or ("satisfied" if holds(formula, trace) else "violated")
    return Item("vltl", "1.0", wording.prompt(problem, "signatures"), label, problem, {})


def names_of(item):
    """Return the canonical propositions of an item of task end_to_end, none for other tasks."""
    if item.problem["task"] != "end_to_end":
        return {}
    return {
        name: one["action"] + (f"({','.join(one['arguments'])})" if one["arguments"] else "")
        for name, one in item.certificate["propositions"].items()
    }


def gold(item):
    """Return the formula that an item asks for."""
    return substitute(item.certificate["formula"], names_of(item))


def suite_of(item):
    """Return the traces of an item over the propositions of `gold`, each with its label."""
    names = names_of(item)
    return [
        ({**trace, "states": [[names.get(p, p) for p in s] for s in trace["states"]]}, label)
        for kind, label in (("satisfying", True), ("violating", False))
        for trace in item.certificate[kind]
    ]


def measured(metric, rows):
    """Return a metric of the plugin's own over rows, as the core works it out."""
    if metric.compute:
        return metric.compute(rows)
    numbers = [number for row in rows if (number := metric.each(row)) is not None]
    return sum(numbers) / len(numbers) if numbers else math.nan


# ------------------------------------------------------------------------- an evaluator of ours


def holds(formula, trace, at=0):
    """Tell whether a formula holds at a position of a trace, by walking along it."""
    return _Walk(trace).value(formula, at)


class _Walk:
    def __init__(self, trace):
        self.states, self.loop, self.known = trace["states"], trace["loop"], {}

    def path(self, start):
        """Yield every position from one on, each at least once."""
        length = len(self.states)
        for step in range(start, start + 2 * length):
            yield step if step < length else self.loop + (step - length) % (length - self.loop)

    def value(self, part, at):
        key = (repr(part), at)
        if key not in self.known:
            self.known[key] = self.work_out(part, at)
        return self.known[key]

    def work_out(self, part, at):
        if isinstance(part, bool):
            return part
        if isinstance(part, str):
            return part in self.states[at]
        operator, a, b = part[0], part[1], part[-1]
        if operator == "X":
            return self.value(a, at + 1 if at + 1 < len(self.states) else self.loop)
        if operator in "RM":
            a, b = b, ["&", a, b]
        return _MEANING[operator](self, a, b, at)

    def until(self, a, b, at):
        for position in self.path(at):
            if self.value(b, position):
                return True
            if not self.value(a, position):
                return False
        return False

    def always(self, a, at):
        return all(self.value(a, position) for position in self.path(at))


_MEANING = {
    "!": lambda walk, a, b, at: not walk.value(a, at),
    "&": lambda walk, a, b, at: walk.value(a, at) and walk.value(b, at),
    "|": lambda walk, a, b, at: walk.value(a, at) or walk.value(b, at),
    "->": lambda walk, a, b, at: not walk.value(a, at) or walk.value(b, at),
    "<->": lambda walk, a, b, at: walk.value(a, at) == walk.value(b, at),
    "F": lambda walk, a, b, at: any(walk.value(a, position) for position in walk.path(at)),
    "G": lambda walk, a, b, at: walk.always(a, at),
    "U": _Walk.until,
    "M": _Walk.until,
    "W": lambda walk, a, b, at: walk.until(a, b, at) or walk.always(a, at),
    "R": lambda walk, a, b, at: walk.until(a, b, at) or walk.always(a, at),
}


_STEP = re.compile(r"(\d+)\. (.*)")
_BACK = re.compile(r"\(then again from step (\d+), forever\)")


def shown_trace(explanation):
    """Return the trace that an explanation shows, and whether it says that the answer holds on it."""
    listed = [_STEP.fullmatch(line) for line in explanation.splitlines()]
    states = [re.findall("`([^`]+)`", step[2]) for step in listed if step]
    assert [int(step[1]) for step in listed if step] == list(range(1, len(states) + 1))
    back = _BACK.search(explanation)
    assert back or "(the last step repeats forever)" in explanation
    loop = int(back[1]) - 1 if back else len(states) - 1
    answers = "which the answer holds, the gold formula does not" in explanation
    assert answers or "which the gold formula holds, the answer does not" in explanation
    return {"states": states, "loop": loop}, answers
