"""In what way items do not measure what they claim, whatever their labels are.

Everything is derived from the machine and the trace; a cause that takes more than `MAX_NODES` is left alone.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from harness import HarnessError, Item
from harness_tempobench import features, problem
from harness_tempobench.cause_value import Clause
from harness_tempobench.published import content

MAX_NODES = 100_000
"""Nodes that a cause may take: about a fifth of a second."""

MAX_CLAUSES = 1_000

Weakness = tuple[str, str]


def audit(item: Item) -> list[dict[str, str]]:
    """Return the weaknesses of an item: ``kind`` is a key of `config.WEAKNESSES`; none if it is damaged."""
    try:
        case = problem.case(item.problem)
        weaknesses = [*_cause(item, case), *_trace(item, case), *_record(item, case)]
    except (HarnessError, LookupError, TypeError):
        return []
    return [{"kind": kind, "message": message} for kind, message in weaknesses]


def cause_of(item: Item, case: problem.Case) -> tuple[Clause, ...] | None:
    """Return the clauses of an item's cause; None if it does not ask for a cause, or beyond the bounds."""
    effect = item.problem.get("effect")
    if effect is None:
        return None
    try:
        question = (effect["step"], effect["output"], effect["value"])
        return case.engine.cause(
            case.letters, case.masks, *question, max_clauses=MAX_CLAUSES, max_nodes=MAX_NODES
        ).clauses
    except HarnessError:
        return None


def _cause(item: Item, case: problem.Case) -> Iterator[Weakness]:
    effect, clauses = item.problem.get("effect"), cause_of(item, case)
    if effect is None:
        return
    if effect["step"] == 0:
        yield "first_step", f"the effect, {effect['output']}, is at step 0"
    if clauses is None:
        return
    if not clauses:
        yield "nothing_to_find", "no flip of inputs changes the effect: the cause is empty"
        return
    steps = {step for clause in clauses for step, _ in clause}
    if steps == {effect["step"]}:
        yield (
            "own_step",
            f"all {len(clauses)} clauses are of step {effect['step']}, the effect's own",
        )
    crossing = [clause for clause in clauses if clause[0][0] != clause[-1][0]]
    if crossing and item.problem["label"] == "per_step":
        yield "several_steps", _crossing(crossing, clauses, case)


def _crossing(crossing: Sequence[Clause], clauses: Sequence[Clause], case: problem.Case) -> str:
    names = case.machine.inputs
    shown = " or ".join(
        f"{step}:{'' if case.letters[step] >> place & 1 else '!'}{names[place]}"
        for step, place in crossing[0][:8]
    )
    return f"{len(crossing)} of {len(clauses)} clauses are over several steps, such as {shown}"


def _trace(item: Item, case: problem.Case) -> Iterator[Weakness]:
    states, accepted = case.run()
    if len(states) > 2 and len(set(states)) == 1 and len(case.machine.table) > 1:
        yield "one_state", f"all {len(states) - 1} steps are in state {states[0]}"
    theirs = (
        item.notes.get("wording") == "published" or item.notes.get("format") == "tempobench_raw"
    )
    if item.problem["task"] == "tte" and accepted and theirs:
        yield "accepted", "the trace is accepted, as all published ones are"


def _record(item: Item, case: problem.Case) -> Iterator[Weakness]:
    notes = item.notes
    if "hoa" in notes:
        findings = map(str, notes.get("findings", []))
        gaps = [finding for finding in findings if finding.startswith("the machine")]
        yield "open_machine", "; ".join(gaps) or "the machine's text leaves something open"
    if notes.get("effects", 1) > 1:
        yield "several_effects", f"{notes['effects']} effects are named"
    if content.gives_away(item.prompt):
        yield "given_away", "machine, trace and question are those of the worked example"
    stats = notes.get("stats")
    if isinstance(stats, Mapping):
        clauses = cause_of(item, case)
        causes = None if clauses is None else len({pair for clause in clauses for pair in clause})
        wrong = [
            f"{name} is {stats[name]}, by definition {value}"
            for name, value in figures(item, case, causes).items()
            if name in stats and value not in (None, stats[name])
        ]
        if wrong:
            yield "stats", "; ".join(wrong)


def figures(item: Item, case: problem.Case, causal_inputs: int | None) -> dict[str, int | None]:
    """Return the figures of difficulty that records have by the definitions of `features`; None: not of this item."""
    seen, effect = features.of_machine(case.machine, case.letters), item.problem.get("effect")
    return {
        "effect_depth": effect["step"] if effect else None,
        "hoa_states": seen["states"],
        "transition_count": seen["transitions"],
        "trace_length": seen["trace_length"],
        "unique_inputs_in_trace": seen["unique_inputs"],
        "causal_inputs_count": causal_inputs,
    }
