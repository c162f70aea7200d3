"""The engines by name, and what they derive as a `Solution` (see CONTRACT.md)."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

import harness_guard

from harness import Abstained, EngineError, Solution, did_you_mean
from harness_tempobench import hoa as hoa_reader
from harness_tempobench import problem as problems
from harness_tempobench import targets
from harness_tempobench.cause_value import Clause
from harness_tempobench.config import ENGINES
from harness_tempobench.engines import brute, flips, history, restoring, text

SECONDS = 120.0
"""Limit of a call of a confirming engine: its own bounds end it far earlier."""

MEMORY_MB = 2048

SMALL = 1_000
"""States × steps × letters up to which Spot's construction may be asked first: milliseconds."""

SPOT_EVERY = 20
"""Of so many items, one is confirmed by Spot first: another engine takes a tenth of its time or less."""

MAX_CLAUSES = 1_000
"""Clauses beyond which an item is not made: nobody could write them down."""


def solve(problem: Any, engine: str) -> Solution:
    """Derive the answer to a problem with one engine.

    Raises:
        TempobenchError: the problem is malformed.
        Abstained: the engine declines a problem beyond its bounds, or of this kind.
        EngineError: there is no such engine.
    """
    if engine not in ENGINES:
        raise EngineError(f"no engine '{engine}'; {did_you_mean(engine, ENGINES)}")
    if problems.is_partial(problem) and problem["task"] in problems.EFFECTS:
        solutions = [solve(known, engine) for known in _variants(problem, engine)]
        if len({solution.answer for solution in solutions}) > 1:
            raise Abstained("the answer depends on what the problem leaves open")
        return solutions[0]
    case = problems.case(problem)
    inputs = case.machine.inputs
    if problem["task"] == "sim":
        states, masks = run(problem, case, engine)
        outputs = case.machine.outputs
        answer = targets.run_target(inputs, case.letters, states, None, outputs, masks)
        return Solution(answer, engine, {"states": list(states)})
    if problem["task"] == "tte":
        states, accepted = run(problem, case, engine)
        answer = targets.run_target(inputs, case.letters, states, accepted)
        return Solution(answer, engine, {"states": list(states), "accepted": accepted})
    cause = clauses(problem, case, engine)
    # a published question whose form cannot state the cause: our items are made so that it can
    full = problem.get("label") == "full" or any(clause[0][0] != clause[-1][0] for clause in cause)
    answer = targets.cause_target(problem["effect"], inputs, case.letters, cause, full)
    return Solution(answer, engine, {"clauses": [list(map(list, clause)) for clause in cause]})


def clauses(problem: Mapping[str, Any], case: problems.Case, engine: str) -> tuple[Clause, ...]:
    """Return the cause of a problem's effect by one engine, or, with task=min, the necessary inputs."""
    effect = problem["effect"]
    question = (effect["step"], effect["output"], effect["value"])
    if problem["task"] == "min":
        return _necessary(problem, case, engine)
    if engine == "exact":
        cause = case.engine.cause(case.letters, case.masks, *question, max_clauses=MAX_CLAUSES)
        return cause.clauses
    if engine == "brute":
        if "literals" in effect or "contingencies" in problem:
            raise Abstained("brute: made for effects of one output, without contingencies")
        return brute.cause(case.machine, case.letters, *question)
    if engine == "text":
        raise Abstained("text: made for runs, not for causes")
    pairs = _ask(engine, "cause", problem, case)
    return tuple(tuple((step, place) for step, place in clause) for clause in pairs)


def confirm(
    problem: Mapping[str, Any], case: problems.Case, proposed: Sequence[Clause], spot: bool
) -> tuple[str, bool] | None:
    """Ask a confirming engine, and where it abstains another one, whether these clauses are the cause.

    Args:
        problem: the problem.
        case: the same, read.
        proposed: the clauses.
        spot: ask Spot first, unless the machine is large: it takes seconds to find out that one is
            beyond its bounds.

    Returns:
        the engine that decided and what it says, or None if all abstain.
    """
    if problems.is_partial(problem):
        decisions = [
            confirm(known, problems.case(known), proposed, spot)
            for known in _variants(problem, "spot")
        ]
        decided = [decision for decision in decisions if decision is not None]
        if len(decided) < len(decisions):
            return None
        return decided[0][0], all(right for _, right in decided)
    listed = [list(map(list, clause)) for clause in proposed]
    machine, steps = case.machine, problem["effect"]["step"] + 1
    small = len(machine.table) * steps << len(machine.inputs) <= SMALL
    for engine in ("spot", "sat") if spot and small else ("sat", "spot"):
        try:
            return engine, bool(_ask(engine, "confirm", problem, case, listed))
        except Abstained:
            continue
    return None


def _variants(problem: Mapping[str, Any], engine: str) -> list[dict[str, Any]]:
    """Return a complete problem for each state that the machine may be in at step 0, by an engine's own reading."""
    if engine != "spot":
        return problems.variants(problem)
    text, trace, effect = problem["hoa"], problem["trace"], dict(problem["effect"])
    found = _call(
        "engines.spot:starts", text, trace, effect, problem.get("shown"), "start" in problem
    )
    known = {key: value for key, value in problem.items() if key != "shown"}
    return [problems.started(known, state) | {"trace": run} for state, run in found]


def confirm_run(
    problem: Mapping[str, Any], case: problems.Case, spot: bool
) -> tuple[str, bool] | None:
    """Ask a confirming engine whether a run is right, that of a trace or the one that is asked for.

    It is Spot, or another one if that does not abstain.
    """
    for engine in ("spot",) if spot else ("text", "spot"):
        try:
            return engine, run(problem, case, engine) == run(problem, case, "exact")
        except Abstained:
            continue
    return None


def _ask(
    engine: str, function: str, problem: Mapping[str, Any], case: problems.Case, *more: Any
) -> Any:
    """Call a confirming engine: ``spot`` gets the problem's text, ``sat`` the machine as it was read."""
    effect, name = problem["effect"], f"engines.{engine}:{function}"
    if engine == "spot":
        asked = effect | {"contingencies": problem.get("contingencies", False)}
        return _call(name, problem["hoa"], problem["trace"], asked, *more)
    question = (effect["step"], effect["output"], effect["value"])
    machine = _machine_text(problem["hoa"])
    if "literals" in effect:
        machine = _joined_text(problem["hoa"], json.dumps(effect))
    if "contingencies" in problem:
        machine = _restoring(machine, list(case.letters), effect)
    return _call(name, machine, list(case.letters), *question, *more)


def run(
    problem: Mapping[str, Any], case: problems.Case, engine: str
) -> tuple[tuple[int, ...], Any]:
    """Return the states of a run, the first one included, and more.

    Of one on given inputs (task=sim) that is the output masks; of a trace's, which ends at the first step that no run
    can take, whether all were taken.
    """
    simulated = problem["task"] == "sim"
    if engine == "exact":
        return case.machine.run(case.letters) if simulated else case.run()
    if engine == "text":
        return (text.simulate if simulated else text.run)(problem)
    if engine != "spot":
        raise Abstained(f"{engine}: made for causes, not for runs")
    if simulated:
        reply = _call("engines.spot:simulate", problem["hoa"], problem["trace"])
        return tuple(reply["states"]), tuple(reply["masks"])
    reply = _call("engines.spot:run", problem["hoa"], problem["trace"], problem.get("shown"))
    return tuple(reply["states"]), bool(reply["accepted"])


def _necessary(problem: Mapping[str, Any], case: problems.Case, engine: str) -> tuple[Clause, ...]:
    """Return each input whose flip alone breaks the effect, as a clause of its own."""
    if engine == "exact":
        return flips.necessary(case.machine, case.letters, problem["effect"])
    if engine == "spot":
        pairs = _ask(engine, "necessary", problem, case)
        return tuple(((step, place),) for step, place in pairs)
    raise Abstained(f"{engine}: made for causes, not for single inputs")


@lru_cache(maxsize=256)
def _machine_text(hoa: str) -> str:
    """Return a machine as the worker of ``sat`` gets it, which keeps what it made of an equal text.

    It is read as ``text`` reads it, not as the engine that makes labels does, unless it is too large for that.
    """
    try:
        table = text.table(hoa)
    except Abstained:
        machine = hoa_reader.read(hoa)
        names = ("inputs", "outputs", "start", "table")
        table = {name: getattr(machine, name) for name in names}
    return json.dumps(table, separators=(",", ":"))


@lru_cache(maxsize=256)
def _joined_text(hoa: str, effect_text: str) -> str:
    """Return such a text with an effect of several literals, as JSON, for an output more."""
    data, effect = json.loads(_machine_text(hoa)), json.loads(effect_text)
    rows, start = history.remembering(data["table"], data["start"], data["outputs"], effect)
    data |= {"table": rows, "start": start, "outputs": [*data["outputs"], effect["output"]]}
    return json.dumps(data, separators=(",", ":"))


def _restoring(machine: str, letters: Sequence[int], effect: Mapping[str, Any]) -> str:
    """Return such a text whose outputs may be restored."""
    data = json.loads(machine)
    place, value = data["outputs"].index(effect["output"]), effect["value"]
    word = letters[: effect["step"] + 1]
    rows, start = restoring.determined(data["table"], data["start"], word, place, value)
    return json.dumps(data | {"table": rows, "start": start}, separators=(",", ":"))


def _call(function: str, *args: Any) -> Any:
    return harness_guard.call(
        f"harness_tempobench.{function}", *args, seconds=SECONDS, memory_mb=MEMORY_MB
    )
