"""Questions drawn at random: a machine, a random run, what is asked of it, and the answer by the exact engine."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from random import Random
from typing import Any

from harness import Abstained
from harness_tempobench import certificate, engines, features, mutation, targets, wishes
from harness_tempobench import problem as problems
from harness_tempobench.cause_value import Clause
from harness_tempobench.engines import flips
from harness_tempobench.engines.causes import Engine, Search
from harness_tempobench.loaded import Loaded
from harness_tempobench.machine import walk
from harness_tempobench.sources import Source
from harness_tempobench.wishes import Wish

BIASES = (0.1, 0.25, 0.5, 0.75, 0.9)
"""What ``inputs=biased`` draws each input's chance from."""


@dataclass(frozen=True, slots=True)
class Draw:
    """A question with its answer, not yet confirmed."""

    loaded: Loaded
    problem: dict[str, Any]
    target: str
    certificate: dict[str, Any]
    features: dict[str, Any]
    key: Any
    """What makes it another question than others: neither notation nor what follows the effect."""

    case: problems.Case
    clauses: tuple[Clause, ...] = ()


class Rejected(Exception):
    """A draw that does not fit, with the reason that is counted."""


def question(config: Mapping[str, Any], source: Source, rng: Random, wish: Wish, step: int) -> Draw:
    """Return a question of the kind that is wished for, about an effect at a step.

    Raises:
        Rejected: what was drawn does not fit.
    """
    loaded = source.draw(rng)
    if not isinstance(loaded, Loaded):
        raise Rejected("skipped")
    if wish.hidden and not loaded.open:
        raise Rejected("shown")  # as each of its traces would be
    unknown = config["start"] == "unknown" and config["task"] in problems.EFFECTS
    before = rng.randint(1, config["length"]) if unknown else 0
    letters, masks = (
        word[before:]
        for word in walk(loaded.machine, before + config["length"], rng, _bias(config, loaded, rng))
    )
    if config["task"] == "sim":
        return _simulation(loaded, letters)
    if config["task"] == "tte":
        return _trace(loaded, letters, masks, rng, wish)
    return _effect(config, loaded, letters, masks, rng, wish, step)


def _bias(config: Mapping[str, Any], loaded: Loaded, rng: Random) -> float | dict[str, float]:
    if config["inputs"] == "uniform":
        return 0.5
    return {name: rng.choice(BIASES) for name in loaded.machine.inputs}


# ---------------------------------------------------------------------------------- causes


def _effect(
    config: Mapping[str, Any],
    loaded: Loaded,
    letters: tuple[int, ...],
    masks: tuple[int, ...],
    rng: Random,
    wish: Wish,
    step: int,
) -> Draw:
    place = rng.randrange(len(loaded.machine.outputs))
    value = bool(masks[step] >> place & 1)
    if config["effects"] not in ("both", "positive" if value else "negative"):
        raise Rejected("effect")
    task, full = config["task"], config["label"] == "full" and config["task"] == "tce"
    effect = {"output": loaded.machine.outputs[place], "value": value, "step": step}
    known, word = {loaded.hoa: loaded.machine}, letters[: step + 1]
    if unknown := config["start"] == "unknown":
        known = {
            problems.restarted(loaded.hoa, state): replace(loaded.machine, start=state)
            for state in problems.starts(loaded.machine, letters, masks)
        }
    exact = [problems.engine(text, machine) for text, machine in known.items()]
    causes = {_clauses(each, task, word, place, value, wish) for each in exact}
    if len(causes) > 1:
        raise Rejected("depends on the start")
    clauses, case = causes.pop(), problems.Case(exact[0], letters, masks)
    if not full and any(clause[0][0] != clause[-1][0] for clause in clauses):
        raise Rejected("several steps")
    machine, trace = case.machine, problems.trace(loaded.machine, letters, masks)
    problem = {"task": task, "hoa": loaded.hoa, "trace": trace, "effect": effect}
    problem |= {"label": config["label"]} if task == "tce" else {}
    problem |= {"start": "unknown"} if unknown else {}
    return Draw(
        loaded,
        problem,
        targets.cause_target(effect, loaded.machine.inputs, letters, clauses, full),
        # Of an effect without a cause the counterfactuals are none: the run tells its proof from another one's.
        {
            **({"states": list(machine.run(letters)[0])} if task == "min" else {}),
            "counterfactuals": certificate.counterfactuals(machine, word, clauses),
        },
        features.of_cause(task, loaded, letters, step, clauses),
        [loaded.hoa, trace[: step + 1], effect],
        case,
        clauses,
    )


def _clauses(
    engine: Engine, task: str, letters: tuple[int, ...], place: int, value: bool, wish: Wish
) -> tuple[Clause, ...]:
    """Return the cause of an output's value at the last step, if it is of the kind that is wished for."""
    step = len(letters) - 1
    if task == "min":
        needed = flips.necessary(engine.machine, letters, step, place, value)
        if wish.trivial != (not needed):
            raise Rejected("not trivial" if wish.trivial else "trivial")
        if wish.early and all(clause[0][0] > step - wishes.LATE for clause in needed):
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


# ---------------------------------------------------------------------------------- traces


def _trace(
    loaded: Loaded, letters: tuple[int, ...], masks: tuple[int, ...], rng: Random, wish: Wish
) -> Draw:
    machine = loaded.machine
    changed = mutation.mutated(machine, letters, masks, rng, wish.hidden)
    # Accepted traces are such that can be mutated, too, or the machine would foretell the answer.
    if changed is None:
        raise Rejected("shown" if wish.hidden else "mutation")
    if not wish.accepted:
        letters, masks = changed
    fault = machine.deviation(letters, masks)
    states, machine_masks = machine.run(letters)
    length = len(letters) if fault is None else fault
    states = states[: length + 1]
    trace = problems.trace(machine, letters, masks)
    required = None if fault is None else problems.outputs(machine, machine_masks[fault])
    return Draw(
        loaded,
        {"task": "tte", "hoa": loaded.hoa, "trace": trace},
        targets.run_target(machine.inputs, letters, states, fault is None),
        {"states": list(states), "required": required},
        features.of_run("tte", loaded, letters, length),
        [loaded.hoa, trace[: length + 1]],
        problems.Case(problems.engine(loaded.hoa, loaded.machine), letters, masks),
    )


def _simulation(loaded: Loaded, letters: tuple[int, ...]) -> Draw:
    machine = loaded.machine
    inputs = problems.trace(machine, letters, [0] * len(letters))
    states, masks = machine.run(letters)
    return Draw(
        loaded,
        {"task": "sim", "hoa": loaded.hoa, "trace": inputs},
        targets.simulation_target(states, masks, letters, machine),
        {"states": list(states)},
        features.of_run("sim", loaded, letters, len(letters)),
        [loaded.hoa, inputs],
        problems.Case(problems.engine(loaded.hoa, loaded.machine), letters, masks),
    )
