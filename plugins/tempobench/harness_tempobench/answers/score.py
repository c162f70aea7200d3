"""Judge a completion: right, wrong, unparsable, or not to be scored by us; see CONTRACT.md.

The facts beside the values are listed in `metrics`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from harness_answers.markdown import ending
from harness_answers.places import read_at
from harness_answers.text import bounded, quoted

from harness import HarnessError, Item, Verdict
from harness_tempobench.answers import extraction, score_cause, score_trace
from harness_tempobench.answers.extraction import StatedCause, StatedRun
from harness_tempobench.answers.score_gold import BrokenItemError, Counts, Judged, case_of
from harness_tempobench.config import BENCHMARK
from harness_tempobench.constraint import Formula
from harness_tempobench.formulas import TooLargeError, nodes
from harness_tempobench.published import adopt
from harness_tempobench.published import score as published_score

VALUES = BENCHMARK.values

_Extra = dict[str, "str | float"]


def score(item: Item, completion: str, explain: bool = True) -> Verdict:
    """Judge any text whatever; never raises, and a failure of ours is ``unscored``."""
    reply = completion if isinstance(completion, str) else ""
    try:
        return _score(item, reply, explain)
    except HarnessError as error:
        reason = str(error)
    except Exception as error:  # whatever fails here is our defect, never the model's answer
        reason = f"{type(error).__name__} while scoring: {error}"
    return Verdict("unscored", dict.fromkeys(VALUES, 0.0), None, quoted(reason, 300))


def _score(item: Item, reply: str, explain: bool) -> Verdict:
    task = item.problem.get("task") if isinstance(item.problem, Mapping) else None
    prepare = _PREPARED.get(str(task))
    if prepare is None:
        raise BrokenItemError("the item's problem has no task 'tce', 'tte', 'sim' or 'min'")
    try:
        judge, nothing = prepare(item)
        return _verdict(item, reply, explain, judge, nothing)
    except BrokenItemError as error:
        if item.version != adopt.VERSION:
            raise
        return _verdict(item, reply, explain, *_by_label(item, str(error)))


_Judge = Callable[[str], Judged]
_Nothing = Callable[[], Judged]


def _by_label(item: Item, why: str) -> tuple[_Judge, _Nothing]:
    """Prepare to judge answers by a published label that is wrong."""
    names = frozenset(case_of(item).machine.propositions)
    facts: _Extra = {"accepted": 0.0, "f1_state": 0.0} if item.problem["task"] == "tte" else {}
    return (
        lambda reply: _judge_by_label(item, reply, names, why),
        lambda: Judged("", str, False, False, Counts(), Counts(), facts),
    )


def _by_cause(item: Item) -> tuple[_Judge, _Nothing]:
    gold = score_cause.gold_of(item)

    def judge(reply: str) -> Judged:
        names = gold.case.machine.propositions
        stated = extraction.cause(reply, item.prompt, gold.effect, names, gold.single)
        return score_cause.judge(gold, stated)

    return judge, lambda: score_cause.nothing(gold)


def _by_run(item: Item) -> tuple[_Judge, _Nothing]:
    gold = score_trace.gold_of(item)

    def judge(reply: str) -> Judged:
        machine, simulated = gold.case.machine, gold.accepted is None
        names, count = machine.propositions, len(gold.case.letters)
        stated = extraction.run(reply, item.prompt, names, simulated, count, machine.inputs)
        if item.notes.get("wording") == "published":
            stated = score_trace.as_published(gold, stated)
        return score_trace.judge(gold, stated)

    return judge, lambda: score_trace.nothing(gold)


_PREPARED = {"tce": _by_cause, "min": _by_cause, "tte": _by_run, "sim": _by_run}
"""By task what returns how to judge a reply, and the counts of one that cannot be read."""


def _verdict(item: Item, reply: str, explain: bool, judge: _Judge, nothing: _Nothing) -> Verdict:
    try:
        return _scored(item, reply, judge(reply), explain)
    except (extraction.Unreadable, TooLargeError) as error:
        why = f"**Unparsable**: {quoted(str(error), 200)}. {ending(reply)}"
        why = bounded(f"{why}\n\nGold: {quoted(item.target, 300)}")
        extra = _extra(item, reply, nothing())
        return Verdict("unparsed", dict.fromkeys(VALUES, 0.0), None, why, extra)


def _scored(item: Item, reply: str, judged: Judged, explain: bool) -> Verdict:
    values = {"correct": float(judged.correct), "exact": float(judged.exact)}
    for level, counts in (("ap", judged.ap), ("ts", judged.ts)):
        precision, recall, f1 = (0.0, 0.0, 0.0) if judged.void else counts.figures()
        values |= {f"precision_{level}": precision, f"recall_{level}": recall, f"f1_{level}": f1}
    why = ""
    if explain:
        place = read_at(f"Answer: {judged.quote}", reply) if judged.quote else ""
        why = bounded("\n\n".join(filter(None, (_head(judged), place, judged.why()))))
    return Verdict("scored", values, _whole(judged.answer), why, _extra(item, reply, judged))


def _head(judged: Judged) -> str:
    verdict = f"**{'Right' if judged.correct else 'Wrong'}**"
    gold = judged.gold()
    if not judged.correct and not gold:
        return f"{verdict}."
    line = f"{verdict}: answered {quoted(judged.answer, 300)}"
    if judged.exact:
        return f"{line}."
    remark = " It means the same in another form." if judged.correct else ""
    return f"{line}, gold is {quoted(gold, 300)}.{remark}"


def _whole(text: str) -> str:
    """Return a text without lone surrogates, which no log can hold."""
    return text.encode("utf-8", "replace").decode()


def _extra(item: Item, reply: str, judged: Judged) -> _Extra:
    extra: _Extra = dict(judged.extra)
    if "vote" in judged.extra:
        extra["vote"] = _whole(str(judged.extra["vote"]))
    for level, counts in (("ap", judged.ap), ("ts", judged.ts)):
        extra |= {f"{level}_{kind}": float(getattr(counts, kind)) for kind in ("tp", "fp", "fn")}
    if item.problem["task"] not in ("tce", "tte"):  # what was never published
        return extra
    return extra | published_score.figures(reply, adopt.gold(item), item.problem, item.prompt)


def _judge_by_label(item: Item, reply: str, known: frozenset[str], why: str) -> Judged:
    """Judge an answer by a published label that is wrong: by what the two state, literal by literal.

    A label of ours that the machine contradicts leaves an item unscored. A published one is what answers to
    it have always been held against: so it is compared as it stands, without a look at the machine. ``why``:
    what is wrong with it.
    """
    try:
        gold = _stated(item, f"Answer: {item.target}", "", known)
    except extraction.Unreadable as error:
        raise BrokenItemError(f"{why}; nor can it be read: {error}") from None
    stated = _stated(item, reply, item.prompt, known)
    right = gold == stated
    ap = Counts.of(_literals(gold), _literals(stated))
    ts = Counts.of(set(gold.items()), set(stated.items()))
    return Judged(
        answer=quoted(reply.strip()[-200:], 200),
        gold=lambda: quoted(item.target, 300),
        correct=right,
        exact=right,
        ap=ap,
        ts=ts,
        extra={"accepted": float(gold.get("accepted") == stated.get("accepted")), "f1_state": 0.0}
        if item.problem["task"] == "tte"
        else {},
        why=lambda: (
            f"The published label is wrong, and the answer is held against it as it stands: {why}."
        ),
    )


def _stated(item: Item, text: str, prompt: str, known: frozenset[str]) -> dict[Any, Any]:
    """Return what an answer states by step, in a form in which equal answers are equal."""
    if item.problem["task"] == "tte":
        return _run_stated(extraction.run(text, prompt, known))
    return _cause_stated(extraction.cause(text, prompt, item.problem["effect"], known))


def _cause_stated(stated: StatedCause) -> dict[Any, Any]:
    steps: dict[Any, Any] = {
        step: frozenset(_plain(formula) for formula in formulas)
        for step, formulas in stated.steps.items()
        if formulas
    }
    if stated.crosses:
        steps["crossing"] = frozenset(map(frozenset, stated.crosses))
    return steps | ({"effect": stated.other} if stated.other else {})


def _run_stated(stated: StatedRun) -> dict[Any, Any]:
    steps: dict[Any, Any] = {
        number: (step.state, step.inputs and _plain(step.inputs), step.next)
        for number, step in stated.steps.items()
    }
    return steps | {"accepted": stated.accepted}


def _plain(formula: Formula) -> Formula:
    """Return a formula with its parts in a fixed order."""
    if formula[0] not in ("and", "or"):
        return formula
    return (formula[0], *sorted(map(_plain, formula[1:]), key=repr))


def _literals(steps: Mapping[Any, Any]) -> set[Any]:
    literals = set()
    for step, value in steps.items():
        parts = (value[1],) if isinstance(value, tuple) else value
        parts = parts if isinstance(parts, tuple | frozenset) else ()
        formulas = [part for part in parts if isinstance(part, tuple)]
        literals |= {(step, *node[1:]) for node in nodes(formulas) if node[0] == "literal"}
    return literals
