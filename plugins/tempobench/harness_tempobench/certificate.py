"""Check a certificate against its item by running the machine; no engine is used."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from harness import HarnessError, Item
from harness_tempobench import contingent, problem, targets
from harness_tempobench.cause_value import Cause, Clause, flipped
from harness_tempobench.engines import flips
from harness_tempobench.machine import Machine


def counterfactuals(
    machine: Machine,
    letters: Sequence[int],
    clauses: Sequence[Clause],
    contingent_effect: Mapping[str, Any] | None = None,
) -> list[dict[str, Any]]:
    """Return for every clause what is flipped and the trace that comes of it, up to the effect's step.

    With contingencies, where an effect is given, it is a run in which that fails, with its states.
    """
    actual = machine.run(letters)[1]
    shown = []
    for clause in clauses:
        word = flipped(letters, clause)
        entry: dict[str, Any] = {"flips": [[when, machine.inputs[place]] for when, place in clause]}
        if contingent_effect is None:
            entry["trace"] = problem.trace(machine, word, machine.run(word)[1])
        else:
            place = machine.outputs.index(contingent_effect["output"])
            run = contingent.run(machine, word, actual, place, contingent_effect["value"])
            entry["trace"] = problem.trace(machine, word, [mask for mask, _ in run])
            entry["states"] = [state for _, state in run]
        shown.append(entry)
    return shown


def errors(item: Item) -> list[str]:
    """Return what is wrong with the certificate of an item; empty when it proves what it can.

    A cause's certificate has for every clause the trace in which its inputs are flipped and nothing else:
    the machine must give that trace, the effect must fail on it, and no part of the clause may do.
    That no clause is missing is not shown by it: that is what the second engine is for. A run's
    certificate has the states, and the outputs that the machine would have had where the trace departs.
    Of necessary inputs it proves all: each other one is flipped, too, and the effect must stay.
    """
    try:
        case = problem.case(item.problem)
        check = _CHECKS[item.problem["task"]]
        if faults := check(item, case):
            return faults
        first, *others = problem.variants(item.problem)
        return [fault for other in others for fault in _other_start(item, first, other)]
    except HarnessError as error:
        return [str(error)]
    except (LookupError, TypeError, ValueError, AttributeError) as error:
        return [f"the certificate is malformed ({type(error).__name__})"]


def _run(item: Item, case: problem.Case) -> list[str]:
    machine, certificate, simulated = case.machine, item.certificate, item.problem["task"] == "sim"
    states, accepted = case.run()
    if certificate["states"] != list(states):
        return ["the states are not those of the machine's run"]
    required = None
    if not accepted:
        fault = len(states) - 1
        required = problem.outputs(machine, machine.table[states[-1]][case.letters[fault]][1])
    if not simulated and certificate["required"] != required:
        return ["the outputs required where the trace departs are not the machine's"]
    expected = case.run_target(simulated)
    return [] if item.target == expected else ["the target is not what the certificate shows"]


def _cause(item: Item, case: problem.Case) -> list[str]:
    machine, effect, plain = case.machine, item.problem["effect"], problem.plain(item.problem)
    if case.machine.deviation(case.letters, case.masks) is not None:
        return ["the trace is none of the machine's"]
    step, value = effect["step"], effect["value"]
    if problem.value_at(case, effect) is not value:
        return ["the effect is not what happens in the trace"]
    clauses = []
    for number, entry in enumerate(item.certificate["counterfactuals"]):
        clause = _clause(case, entry)
        kept = (effect, entry["states"]) if "contingencies" in item.problem else None
        if wrong := _counterfactual(plain, step, clause, entry["trace"], kept):
            return [f"counterfactual {number}: {wrong}"]
        clauses.append(clause)
    word = case.letters[: step + 1]
    cause = Cause(machine, word, step, effect["output"], value, tuple(clauses))
    if faults := cause.faults():
        return faults
    if item.problem["task"] == "min":
        if item.certificate["states"] != list(plain.run()[0]):
            return ["the states are not those of the machine's run"]
        if flips.necessary(machine, word, effect) != cause.clauses:
            return ["the inputs listed are not all that are necessary"]
    full = item.problem.get("label") == "full"
    expected = targets.cause_target(effect, machine.inputs, word, clauses, full)
    return [] if item.target == expected else ["the target is not what the certificate shows"]


def _other_start(item: Item, first: Mapping[str, Any], other: Mapping[str, Any]) -> list[str]:
    """Return what is wrong with a cause if the machine starts in another state, where it is not known in which."""
    if problem.after_flips(first) != problem.after_flips(other):
        return ["what the flip of one input leads to depends on the state at step 0"]
    case, effect = problem.case(other), item.problem["effect"]
    clauses = tuple(_clause(case, entry) for entry in item.certificate["counterfactuals"])
    word = case.letters[: effect["step"] + 1]
    question = (effect["step"], effect["output"], effect["value"])
    return Cause(case.machine, word, *question, clauses).faults()


def _clause(case: problem.Case, entry: Mapping[str, Any]) -> Clause:
    return tuple((when, case.machine.inputs.index(name)) for when, name in entry["flips"])


def _counterfactual(
    case: problem.Case,
    step: int,
    clause: Clause,
    trace: list[list[str]],
    kept: tuple[Mapping[str, Any], Sequence[int]] | None,
) -> str | None:
    """Return what is wrong with the trace that a clause's flips are said to lead to.

    ``kept``: with contingencies, the effect and the states after each step.
    """
    letters, masks = problem.steps(case.machine, trace)
    if letters != flipped(case.letters[: step + 1], clause):
        return "its inputs are not the trace's with the flips made"
    if kept is not None:
        return _contingent_run(case, letters, masks, *kept)
    if case.machine.deviation(letters, masks) is not None:
        return "the machine has no such run"
    return None


def _contingent_run(
    case: problem.Case,
    letters: Sequence[int],
    masks: Sequence[int],
    effect: Mapping[str, Any],
    states: Sequence[int],
) -> str | None:
    """Return what is wrong with a run in which outputs are kept as in the trace."""
    table, state = case.machine.table, case.machine.start
    for letter, mask, actual, to in zip(letters, masks, case.masks, states, strict=False):
        next_, own = table[state][letter]
        ends = {end for row in table for end, answer in row if answer == mask}
        if (mask ^ own) & ~(own ^ actual) or to not in ({next_} if mask == own else ends):
            return "it is no run in which outputs are kept"
        state = to
    place = case.machine.outputs.index(effect["output"])
    if len(masks) != len(states) or bool(masks[-1] >> place & 1) is effect["value"]:
        return "the effect does not fail in it"
    return None


_CHECKS = {"sim": _run, "tte": _run, "tce": _cause, "min": _cause}
