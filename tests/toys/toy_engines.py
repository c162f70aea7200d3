"""A toy whose engines crash, hang and eat memory where its items say so."""

import json
from dataclasses import replace
from importlib import import_module

import harness_guard
from toy_base import Toy

from harness import hookimpl

SECONDS, MEMORY_MB = 0.4, 300

# What befalls an engine, and what the harness says of it.
FAULTS = {
    "segfault": "was killed by signal 11 (SIGSEGV)",
    "abort_loudly": "was killed by signal 6 (SIGABRT); it last said: last words",
    "leave:3": "exited with code 3",
    "hog": "exceeded 300 MB of memory",
    "hang_natively": "ran longer than 0.4 s",
    "scribble:\0\0\0\3abc": "sent a reply that cannot be read",
    "with_child": "was killed by signal 6 (SIGABRT); it last said: ",
    "forked:idles": "was killed by signal 11 (SIGSEGV)",
}


def parts(fault):
    """Return the name of a function and its arguments."""
    name, _, argument = fault.partition(":")
    return name, [int(argument) if argument.isdecimal() else argument] if argument else []


def engine(fault):
    """Run what a fault names in a worker of the guard, as a plugin runs native code."""
    name, given = parts(fault)
    limit = SECONDS if "ran longer" in FAULTS.get(fault, "") else 300
    return harness_guard.call(f"guard_targets:{name}", *given, seconds=limit, memory_mb=MEMORY_MB)


HOOKS = ["none", "generate", "solve", "inside", "score"]


class Engines(Toy):
    """Every second item has the next of the config's faults, in the hook that it names.

    ``inside`` is solve() that does what it does in its own process, which a guarded worker is.
    """

    @hookimpl
    def describe(self):
        found = super().describe()
        config, problem = found.config_schema, found.problem_schema
        keys = {
            "hook": {"enum": HOOKS, "default": "none"},
            "faults": {"type": "array", "items": {"type": "string"}, "default": list(FAULTS)},
        }
        told = {"hook": {"type": "string"}, "fault": {"type": "string"}}
        return replace(
            found,
            choices=("zero",),  # each is scored on every item, in each run
            config_schema={**config, "properties": {**config["properties"], **keys}},
            problem_schema={**problem, "properties": {**problem["properties"], **told}},
        )

    @hookimpl
    def generate(self, config, index, rng, salt):
        problem = self.draw(config["top"], index, rng)
        if index % 2 and config["hook"] != "none":
            fault = config["faults"][index // 2 % len(config["faults"])]
            problem |= {"hook": config["hook"], "fault": fault}
            self.befall(problem, "generate")
        return self.item(problem, config["style"])

    def befall(self, problem, hook):
        if problem.get("hook") == hook:
            engine(problem["fault"])

    def prompt(self, problem, style):
        told = {key: problem[key] for key in ("hook", "fault") if key in problem}
        return f"{super().prompt(problem, style)}\n{json.dumps(told)}"

    @hookimpl
    def read(self, prompt):
        found = super().read(prompt)
        return found and found | json.loads(prompt.splitlines()[-1])

    @hookimpl
    def solve(self, problem, engine):
        if engine == self.engines[0]:
            self.befall(problem, "solve")
        elif problem.get("hook") == "inside":
            name, given = parts(problem["fault"])
            getattr(import_module("guard_targets"), name)(*given)
        return super().solve({key: problem[key] for key in "ab"}, engine)

    @hookimpl
    def score(self, item, completion):
        self.befall(item.problem, "score")
        return super().score(item, completion)
