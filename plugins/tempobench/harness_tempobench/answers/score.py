"""Judge a completion: right, wrong, unparsable, or not to be scored by us; see CONTRACT.md.

The facts beside the values are listed in `metrics`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from harness_answers.markdown import ending
from harness_answers.places import read_at
from harness_answers.text import bounded, quoted

from harness import HarnessError, Item, Verdict
from harness_tempobench.answers import extraction, score_cause, score_label, score_trace
from harness_tempobench.answers.score_gold import BrokenItemError, Counts, Judged, case_of
from harness_tempobench.config import BENCHMARK
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
    names = case_of(item).machine.propositions
    facts: _Extra = {"accepted": 0.0, "f1_state": 0.0} if item.problem["task"] == "tte" else {}
    return (
        lambda reply: score_label.judge(item, reply, names, why),
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
    except extraction.Unreadable as error:
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
