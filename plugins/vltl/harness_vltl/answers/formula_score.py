"""Judge a formula that a model answered: on the designated traces, on the suite, and in meaning."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from harness_answers import markdown
from harness_answers.text import quoted

from harness import HarnessError, Item
from harness_vltl import lassos, verification
from harness_vltl.answers import extraction
from harness_vltl.answers.extraction import Failure
from harness_vltl.engines.equivalence import confirmed, renamed_to
from harness_vltl.formulas import syntax
from harness_vltl.formulas.formula import (
    Formula,
    FormulaError,
    propositions,
    substitute,
    text,
)
from harness_vltl.problem import is_finite
from harness_vltl.published.notations import respelled

_COLUMNS = 12
_ROWS = 12
NUMBERS = ("equivalent", "exact", "sat", "unsat", "both", "suite", "suite_all")


class BrokenItemError(HarnessError):
    """An item that nothing can be scored against."""


@dataclass(slots=True)
class Judged:
    """What one answer is worth: the answer as understood (None: unreadable), numbers for metrics, and why.

    ``quote`` is the text that it was read from.
    """

    answer: str | None
    correct: bool
    partial: float
    extra: dict[str, str | float] = field(default_factory=dict)
    why: str = ""
    quote: str = ""


def judge(
    item: Item,
    reply: str,
    lifted: Formula,
    satisfying: Sequence[Mapping[str, Any]],
    violating: Sequence[Mapping[str, Any]],
    names: Mapping[str, str],
) -> Judged:
    """Judge the formula of a reply; ``names`` are the canonical propositions, empty where prop_i are asked for."""
    for trace in (*satisfying, *violating):
        verification.check({**item.problem, "formula": lifted, "trace": trace})
    gold = substitute(lifted, names)
    listed = [lassos.renamed(trace, names) for trace in (*satisfying, *violating)]
    expected = [True] * len(satisfying) + [False] * len(violating)
    _check(
        item, gold, listed, expected
    )  # whatever is answered: a wrong item is never the answer's fault
    known = [*names.values()] if names else propositions(lifted)
    answer = extraction.formula(reply, item.prompt, known, finite=is_finite(item.problem))
    if answer is None or isinstance(answer, Failure):
        why = f"the formula cannot be read: {quoted(answer.reason, 200)}" if answer else ""
        return Judged(None, False, 0.0, dict.fromkeys(NUMBERS, 0.0), why)
    answered = substitute(answer.value, renamed_to(propositions(gold), answer.value))
    verdicts = verification.verdicts(item.problem, answered, listed)
    right = [a is b for a, b in zip(verdicts, expected, strict=True)]
    if all(right):
        comparison = verification.compare(item.problem, gold, answered)
        equivalent, witness = comparison.equivalent, comparison.trace
    else:
        equivalent, witness = False, listed[right.index(False)]
    sat, unsat = right[0], right[len(satisfying)]
    extra: dict[str, str | float] = {
        "equivalent": float(equivalent),
        "exact": float(answered == gold),
        "sat": float(sat),
        "unsat": float(unsat),
        "both": float(sat and unsat),
        "suite": sum(right) / len(right),
        "suite_all": float(all(right)),
        "vote": text(answered)[:2000],
    }
    why = "" if equivalent else _difference(item, gold, answered, witness, known)
    share = sum(right) / len(right)
    return Judged(text(answered), equivalent, share, extra, why, answer.quote)


def judge_pair(item: Item, reply: str) -> Judged:
    """Judge the formula of a reply against a label alone: there are no traces, the verdict is equivalence."""
    names = list(item.problem["propositions"])
    spelled = item.certificate.get("spelled", {}) if isinstance(item.certificate, Mapping) else {}
    try:
        gold = syntax.parse(item.target, names)
    except FormulaError as error:
        raise BrokenItemError(f"the item's target is no formula: {error}") from None
    answer = extraction.formula(respelled(reply, spelled), item.prompt, names)
    if answer is None or isinstance(answer, Failure):
        why = f"the formula cannot be read: {quoted(answer.reason, 200)}" if answer else ""
        return Judged(None, False, 0.0, {"equivalent": 0.0, "exact": 0.0}, why)
    by_plain = renamed_to(names, answer.value)
    answered = substitute(answer.value, by_plain)
    comparison = confirmed(gold, answered)
    extra: dict[str, str | float] = {
        "equivalent": float(comparison.equivalent),
        "exact": float(answered == gold),
        "vote": text(answered)[:2000],
    }
    trace = comparison.trace
    why = "" if comparison.equivalent else _difference(item, gold, answered, trace, names)
    value = float(comparison.equivalent)
    return Judged(text(answered), comparison.equivalent, value, extra, why, answer.quote)


def _check(
    item: Item, gold: Formula, listed: Sequence[Mapping[str, Any]], expected: Sequence[bool]
) -> None:
    """Refuse an item on whose traces the gold formula has other values than the item says."""
    verdicts = verification.verdicts(item.problem, gold, listed)
    for number, (holds, should) in enumerate(zip(verdicts, expected, strict=True), 1):
        if holds is not should:
            kind = "satisfying" if should else "violating"
            raise BrokenItemError(f"the item is wrong: trace {number} of its suite is not {kind}")


def _difference(
    item: Item, gold: Formula, answered: Formula, trace: Mapping[str, Any] | None, known: Sequence[str]
) -> str:  # fmt: skip
    strange = [name for name in propositions(answered) if name not in known]
    notes = []
    if strange:
        notes.append(f"Not a proposition of the gold formula: {quoted(', '.join(strange), 200)}.")
    if trace is not None:
        (holds,) = verification.verdicts(item.problem, answered, [trace])
        which = (
            "the answer holds, the gold formula does not"
            if holds
            else "the gold formula holds, the answer does not"
        )
        notes.append(f"They differ on this trace, on which {which}:\n\n{_steps(trace)}")
    return "\n\n".join(notes)


def _steps(trace: Mapping[str, Any]) -> str:
    """Return a trace as a Markdown list."""
    states = trace["states"]
    lines = [
        f"{number}. {', '.join(map(quoted, state)) or '–'}"
        for number, state in enumerate(states[:_COLUMNS], 1)
    ]
    if len(states) > _COLUMNS:
        return "\n".join(lines) + f"\n\n(and {len(states) - _COLUMNS} more steps)"
    if "loop" not in trace:
        end = "there it ends"
    elif lassos.is_finite(trace):
        end = "the last step repeats forever"
    else:
        end = f"then again from step {trace['loop'] + 1}, forever"
    return "\n".join(lines) + f"\n\n({end})"


def table(problem: Mapping[str, Any]) -> str:
    """Return where along its trace each part of a formula holds, its last row the whole, as Markdown."""
    trace = problem["trace"]
    width = min(len(trace["states"]), _COLUMNS)
    loop = trace.get("loop")
    head = [f"{'↻ ' if at == loop else ''}{at + 1}" for at in range(width)]
    rows = [
        [markdown.formula_cell(text(part)), *("✓" if value else "✗" for value in line[:width])]
        for part, line in verification.table(problem)[-_ROWS:]
    ]
    shown = markdown.table(["part, true (✓) in step", *head], rows)
    end = "The trace ends" if loop is None else "The steps from ↻ on repeat forever"
    return f"{shown}\n\nThe last row is the formula. {end}."
