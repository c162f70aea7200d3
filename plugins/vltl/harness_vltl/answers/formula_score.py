"""Judge a formula that a model answered: on the designated traces, on the suite, and in meaning."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from harness_answers import markdown
from harness_answers.text import quoted

from harness import HarnessError, Item
from harness_vltl import lassos
from harness_vltl.answers import extraction
from harness_vltl.engines import evaluator
from harness_vltl.engines.equivalence import Comparison, compare, confirmed, renamed_to
from harness_vltl.formulas import syntax
from harness_vltl.formulas.formula import Formula, FormulaError, propositions, substitute, text
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
    traces = [*satisfying, *violating]
    for trace in traces:
        lassos.check({**item.problem, "formula": lifted, "trace": trace})
    gold = substitute(lifted, names)
    listed = [lassos.renamed(trace, names) for trace in traces]
    expected = [True] * len(satisfying) + [False] * len(violating)
    # whatever is answered: a wrong item is never the answer's fault
    for number, holds in enumerate(evaluator.verdicts(gold, listed), 1):
        if holds is not expected[number - 1]:
            kind = "violating" if holds else "satisfying"
            raise BrokenItemError(f"the item is wrong: trace {number} of its suite is not {kind}")
    known = [*names.values()] if names else propositions(lifted)
    answer = extraction.formula(reply, item.prompt, known, finite=is_finite(item.problem))
    if not isinstance(answer, extraction.Answer):
        return _unread(answer, NUMBERS)
    answered = substitute(answer.value, renamed_to(propositions(gold), answer.value))
    verdicts = evaluator.verdicts(answered, listed)
    right = [a is b for a, b in zip(verdicts, expected, strict=True)]
    if all(right):
        comparison = compare(gold, answered, finite=is_finite(item.problem))
    else:
        comparison = Comparison(False, listed[right.index(False)])
    sat, unsat = right[0], right[len(satisfying)]
    numbers = {
        "sat": float(sat),
        "unsat": float(unsat),
        "both": float(sat and unsat),
        "suite": sum(right) / len(right),
        "suite_all": float(all(right)),
    }
    why = _difference(answered, comparison, known)
    return _judged(gold, answered, comparison.equivalent, numbers, why, answer.quote)


def judge_pair(item: Item, reply: str) -> Judged:
    """Judge the formula of a reply against a label alone: there are no traces, the verdict is equivalence."""
    names = list(item.problem["propositions"])
    spelled = item.certificate.get("spelled", {}) if isinstance(item.certificate, Mapping) else {}
    try:
        gold = syntax.parse(item.target, names)
    except FormulaError as error:
        raise BrokenItemError(f"the item's target is no formula: {error}") from None
    answer = extraction.formula(respelled(reply, spelled), item.prompt, names)
    if not isinstance(answer, extraction.Answer):
        return _unread(answer, NUMBERS[:2])
    answered = substitute(answer.value, renamed_to(names, answer.value))
    comparison = confirmed(gold, answered)
    why = _difference(answered, comparison, names)
    return _judged(gold, answered, comparison.equivalent, {}, why, answer.quote)


def _unread(answer: extraction.Failure | None, numbers: Sequence[str]) -> Judged:
    why = f"the formula cannot be read: {quoted(answer.reason, 200)}" if answer else ""
    return Judged(None, False, 0.0, dict.fromkeys(numbers, 0.0), why)


def _judged(
    gold: Formula,
    answered: Formula,
    equivalent: bool,
    numbers: Mapping[str, float],
    why: str,
    quote: str,
) -> Judged:
    shown = text(answered)
    extra: dict[str, str | float] = {
        "equivalent": float(equivalent),
        "exact": float(answered == gold),
        **numbers,
        "vote": shown[:2000],
    }
    partial = numbers.get("suite", float(equivalent))
    return Judged(shown, equivalent, partial, extra, why, quote)


def _difference(answered: Formula, comparison: Comparison, known: Sequence[str]) -> str:
    """Return in what an answer differs from the gold formula, "" if it is equivalent."""
    if comparison.equivalent:
        return ""
    strange = [name for name in propositions(answered) if name not in known]
    notes = []
    if strange:
        notes.append(f"Not a proposition of the gold formula: {quoted(', '.join(strange), 200)}.")
    if comparison.trace is not None:
        names = ("the gold formula", "the answer")
        holds = evaluator.holds(answered, comparison.trace)
        which = f"{names[holds]} holds, {names[not holds]} does not"
        notes.append(f"They differ on this trace, on which {which}:\n\n{_steps(comparison.trace)}")
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
        for part, line in evaluator.table(problem["formula"], trace)[-_ROWS:]
    ]
    shown = markdown.table(["part, true (✓) in step", *head], rows)
    end = "The trace ends" if loop is None else "The steps from ↻ on repeat forever"
    return f"{shown}\n\nThe last row is the formula. {end}."
