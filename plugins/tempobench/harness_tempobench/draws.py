"""Questions drawn at random, of a kind chosen before, with their answers by the exact engine."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

from harness import Abstained
from harness_tempobench import certificate, engines, features, joined, mutation, targets
from harness_tempobench import problem as problems
from harness_tempobench.cause_value import Clause
from harness_tempobench.engines import flips
from harness_tempobench.engines.causes import Search
from harness_tempobench.errors import TempobenchError
from harness_tempobench.machine import MAX_NAME, Machine, walk
from harness_tempobench.source_files import Loaded
from harness_tempobench.sources import Source

LONGEST = 4
"""Steps of the longest window of an effect."""

BIASES = (0.1, 0.25, 0.5, 0.75, 0.9)
"""What ``inputs=biased`` draws each input's chance from."""


LATE = 2
"""Steps up to the effect's own one that are not early."""

SHARES = {"tce": ("trivial", "joint"), "min": ("trivial", "early"), "tte": ("hidden",), "sim": ()}
"""Keys that hold the share of items of a kind, by task."""

KINDS = {
    "trivial": "effect that no input could have prevented",
    "joint": "effect that some inputs prevent only together",
    "early": "effect that an input before the last two steps is necessary for",
    "hidden": "trace whose steps alone do not tell the states",
    "cause": "effect with a cause",
}


@dataclass(frozen=True, slots=True)
class Wish:
    """What an item is to be.

    Attributes:
        trivial: no input could have prevented the effect (tce), none alone (min).
        joint: some inputs prevent it only together (tce).
        early: an input before the last two steps is necessary (min).
        accepted: the machine has a run with the trace (tte).
        hidden: no look at single steps finds the run, nor the fault of a trace without one (tte).
    """

    trivial: bool = False
    joint: bool = False
    early: bool = False
    accepted: bool = False
    hidden: bool = False

    def question(self, task: str) -> str:
        """Return what is asked for, as messages name it."""
        if task == "sim":
            return "run"
        if task != "tte":
            kinds = {"trivial": self.trivial, "joint": self.joint, "early": self.early}
            return KINDS[next((kind for kind, wished in kinds.items() if wished), "cause")]
        kind = "accepted" if self.accepted else "rejected"
        return f"{kind} {KINDS['hidden'] if self.hidden else 'trace'}"


def last_step(config: Mapping[str, Any]) -> int:
    """Return the last step that an effect may have."""
    return int(min(config["max_depth"], config["length"] - 1))


def effect_step(config: Mapping[str, Any], rng: Random, wish: Wish) -> int:
    """Return the step of an effect; 0 where none is asked for."""
    if config["task"] not in problems.EFFECTS:
        return 0
    first = max(config["min_depth"], LATE) if wish.early else config["min_depth"]
    return rng.randint(min(first, last_step(config)), last_step(config))


@dataclass(frozen=True, slots=True)
class Draw:
    """A question with its answer, not yet confirmed."""

    loaded: Loaded
    problem: dict[str, Any]
    target: str
    certificate: dict[str, Any]
    features: dict[str, Any]
    key: list[Any]
    """What makes it another question about its machine: neither notation nor what follows the effect."""

    case: problems.Case
    clauses: tuple[Clause, ...] = ()


class Rejected(Exception):
    """A draw that does not fit, with the reason that is counted."""


def question(config: Mapping[str, Any], source: Source, rng: Random, wish: Wish, step: int) -> Draw:
    """Return a question of the kind that is wished for, about an effect at a step.

    Raises `Rejected`: what was drawn does not fit.
    """
    loaded = source.draw(rng)
    if loaded is None:
        raise Rejected("skipped")
    if wish.hidden and not loaded.open:
        raise Rejected("shown")  # as each of its traces would be
    problems.engine(loaded.hoa, loaded.machine)  # kept, so that its text need not be read
    unknown = config["start"] == "unknown" and config["task"] in problems.EFFECTS
    before = rng.randint(1, config["length"]) if unknown else 0
    names = loaded.machine.inputs if config["inputs"] == "biased" else ()
    chances = {name: rng.choice(BIASES) for name in names}
    words = walk(loaded.machine, before + config["length"], rng, chances)
    letters, masks = (word[before:] for word in words)
    if config["task"] == "sim":
        return _simulation(loaded, letters)
    shown = _shown(config, loaded.machine, rng)
    if config["task"] == "tte":
        return _trace(loaded, letters, masks, rng, wish, shown)
    return _effect(config, loaded, letters, masks, rng, wish, step, shown)


def _shown(config: Mapping[str, Any], machine: Machine, rng: Random) -> dict[str, list[str]]:
    """Return what a problem says of the outputs that its trace shows: nothing, if that is all of them."""
    if not config["unseen"]:
        return {}
    if config["unseen"] >= len(machine.outputs):
        raise Rejected("few outputs")
    hidden = rng.sample(machine.outputs, config["unseen"])
    return {"shown": [name for name in machine.outputs if name not in hidden]}


def _cut(
    trace: list[list[str]], machine: Machine, shown: Mapping[str, Sequence[str]]
) -> list[list[str]]:
    """Return a trace without the outputs that are not shown."""
    if not shown:
        return trace
    seen = {*machine.inputs, *shown["shown"]}
    return [[name for name in step if name in seen] for step in trace]


def _effect(
    config: Mapping[str, Any],
    loaded: Loaded,
    letters: tuple[int, ...],
    masks: tuple[int, ...],
    rng: Random,
    wish: Wish,
    step: int,
    shown: Mapping[str, list[str]],
) -> Draw:
    task, full = config["task"], config["label"] == "full" and config["task"] == "tce"
    effect = _asked(config["effects"], loaded.machine, masks, rng, step)
    trace = _cut(problems.trace(loaded.machine, letters, masks), loaded.machine, shown)
    problem = {"task": task, "hoa": loaded.hoa, "trace": trace, "effect": effect, **shown}
    problem |= {"label": config["label"]} if task == "tce" else {}
    problem |= {"start": "unknown"} if config["start"] == "unknown" else {}
    problem |= {"contingencies": True} if config["contingencies"] else {}
    known = problems.variants(problem)
    causes = {_clauses(each, letters[: step + 1], wish) for each in known}
    # A prompt may tell what each single flip leads to when no outputs are kept: that, too, must be the same.
    flipped = {tuple(problems.after_flips(each)) for each in known if config["contingencies"]}
    if len(causes) > 1 or len(flipped) > 1:
        raise Rejected("depends on the start")
    clauses, machine = causes.pop(), problems.engine(known[0]["hoa"]).machine
    if not full and any(clause[0][0] != clause[-1][0] for clause in clauses):
        raise Rejected("several steps")
    return Draw(
        loaded,
        problem,
        targets.cause_target(effect, loaded.machine.inputs, letters, clauses, full),
        # Of an effect without a cause the counterfactuals are none: the run tells its proof from another one's.
        {
            **({"states": list(machine.run(letters)[0])} if task == "min" else {}),
            "counterfactuals": certificate.counterfactuals(
                machine, letters[: step + 1], clauses, effect if config["contingencies"] else None
            ),
        },
        features.of_cause(task, loaded, letters, step, clauses),
        [
            trace[: step + 1],
            effect,
            *shown.values(),
            *["kept"] * config["contingencies"],
        ],
        _case(problem, loaded, letters, masks),
        clauses,
    )


def _case(
    problem: Mapping[str, Any], loaded: Loaded, letters: tuple[int, ...], masks: tuple[int, ...]
) -> problems.Case:
    """Return a problem as it is read; one that speaks of the machine and the trace as drawn need not be read."""
    if (
        problems.is_partial(problem)
        or "contingencies" in problem
        or "literals" in problem.get("effect", {})
    ):
        return problems.case(problem)
    return problems.Case(problems.engine(loaded.hoa, loaded.machine), letters, masks)


def _asked(
    kind: str, machine: Machine, masks: Sequence[int], rng: Random, step: int
) -> dict[str, Any]:
    """Return an effect of a kind that a run has, ending at a step.

    Raises `Rejected`: the run has none with what was drawn.
    """
    place = rng.randrange(len(machine.outputs))
    value = bool(masks[step] >> place & 1)
    if kind not in ("combined", "window"):
        if kind not in ("both", "positive" if value else "negative"):
            raise Rejected("effect")
        return {"output": machine.outputs[place], "value": value, "step": step}
    if kind == "window":
        cells = [(at, place) for at in range(step + 1)][-rng.randint(2, LONGEST) :]
    else:
        places = rng.sample(
            range(len(machine.outputs)), min(len(machine.outputs), rng.randint(2, 3))
        )
        cells = [(step, each) for each in places]
    if len(cells) < 2:
        raise Rejected("effect")
    join = rng.choice(("and", "or"))
    values = [bool(masks[at] >> each & 1) for at, each in cells]
    if kind == "window":
        wanted = [rng.random() < 0.5] * len(cells)
    else:
        wanted = values if join == "and" else [rng.random() < 0.5 for _ in cells]
    pairs = zip(cells, wanted, strict=True)
    effect = joined.effect(join, [(at, machine.outputs[each], v) for (at, each), v in pairs])
    true = [problems.outputs(machine, mask) for mask in masks]
    if not joined.holds(effect, true) or len(effect["output"]) > MAX_NAME:
        raise Rejected("effect")
    return effect


def _clauses(
    problem: Mapping[str, Any], letters: tuple[int, ...], wish: Wish
) -> tuple[Clause, ...]:
    """Return the cause of an effect at the last step, if it is of the kind that is wished for."""
    try:
        engine, effect = problems.asked(problem), problem["effect"]
    except TempobenchError:
        raise Rejected("large") from None
    step, value = len(letters) - 1, effect["value"]
    place = engine.machine.outputs.index(effect["output"])
    if problem["task"] == "min":
        needed = flips.necessary(engine.machine, letters, effect)
        if wish.trivial != (not needed):
            raise Rejected("not trivial" if wish.trivial else "trivial")
        if wish.early and all(clause[0][0] > step - LATE for clause in needed):
            raise Rejected("not early")
        return needed
    if engine.avoidable(step, place, value) == wish.trivial:
        raise Rejected("not trivial" if wish.trivial else "trivial")
    search = Search(engine, letters, place, value)
    if wish.joint and not search.joint:
        raise Rejected("not joint")
    try:
        return search.clauses(engines.MAX_CLAUSES)
    except Abstained:
        raise Rejected("large") from None


def _trace(
    loaded: Loaded, letters: tuple[int, ...], masks: tuple[int, ...], rng: Random, wish: Wish,
    shown: Mapping[str, list[str]],
) -> Draw:  # fmt: skip
    machine = loaded.machine
    changed = mutation.mutated(machine, letters, masks, rng, wish.hidden)
    # Accepted traces are such that can be mutated, too, or the machine would foretell the answer.
    if changed is None:
        raise Rejected("shown" if wish.hidden else "mutation")
    if not wish.accepted:
        letters, masks = changed
    trace = _cut(problems.trace(machine, letters, masks), machine, shown)
    problem = {"task": "tte", "hoa": loaded.hoa, "trace": trace, **shown}
    masks = problems.case(problem).masks if shown else masks
    fault = machine.deviation(letters, masks)
    if (fault is None) is not wish.accepted:
        raise Rejected("fault not shown")
    states, machine_masks = machine.run(letters)
    length = len(letters) if fault is None else fault
    states = states[: length + 1]
    required = None if fault is None else problems.outputs(machine, machine_masks[fault])
    return Draw(
        loaded,
        problem,
        targets.run_target(machine.inputs, letters, states, wish.accepted),
        {"states": list(states), "required": required},
        features.of_run("tte", loaded, letters, length),
        [trace[: length + 1], *shown.values()],
        _case(problem, loaded, letters, masks),
    )


def _simulation(loaded: Loaded, letters: tuple[int, ...]) -> Draw:
    machine = loaded.machine
    inputs = problems.trace(machine, letters, [0] * len(letters))
    states, masks = machine.run(letters)
    problem = {"task": "sim", "hoa": loaded.hoa, "trace": inputs}
    return Draw(
        loaded,
        problem,
        targets.run_target(machine.inputs, letters, states, None, machine.outputs, masks),
        {"states": list(states)},
        features.of_run("sim", loaded, letters, len(letters)),
        [inputs],
        _case(problem, loaded, letters, masks),
    )
