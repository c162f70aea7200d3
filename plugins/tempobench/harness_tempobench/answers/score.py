"""Judge a completion: right, wrong, unparsable, or not to be scored by us; see CONTRACT.md.

The facts beside the values are listed in `metrics`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from harness_answers.text import bounded, quoted

from harness import HarnessError, Item, Verdict
from harness_tempobench.answers import extraction, score_cause, score_label, score_trace
from harness_tempobench.answers.score_gold import BrokenItemError, Counts, Judged, setting
from harness_tempobench.config import BENCHMARK
from harness_tempobench.formulas import TooLargeError
from harness_tempobench.published import adopt
from harness_tempobench.published import score as published_score

VALUES = BENCHMARK.values

_Extra = dict[str, "str | float"]


def score(item: Item, completion: str) -> Verdict:
    """Judge any text whatever; never raises, and a failure of ours is ``unscored``."""
    said = completion if isinstance(completion, str) else ""
    try:
        return _score(item, said)
    except HarnessError as error:
        reason = str(error)
    except Exception as error:  # whatever fails here is our defect, never the model's answer
        reason = f"{type(error).__name__} while scoring: {error}"
    return Verdict("unscored", dict.fromkeys(VALUES, 0.0), None, quoted(reason, 300))


def _score(item: Item, said: str) -> Verdict:
    task = item.problem.get("task") if isinstance(item.problem, Mapping) else None
    if task not in ("tce", "tte"):
        raise BrokenItemError("the item's problem has no task 'tce' or 'tte'")
    try:
        return (_cause if task == "tce" else _trace)(item, said)
    except BrokenItemError as error:
        if item.version != adopt.VERSION:
            raise
        return _label(item, said, str(error))


def _label(item: Item, said: str, why: str) -> Verdict:
    """Judge an answer by a published label that is wrong."""
    names = setting(item).machine.propositions
    facts = {"accepted": 0.0, "f1_state": 0.0} if item.problem["task"] == "tte" else {}
    nothing = Judged("", "", False, False, Counts(), Counts(), {**facts})
    return _verdict(item, said, lambda: score_label.judge(item, said, names, why), nothing)


def _cause(item: Item, said: str) -> Verdict:
    gold = score_cause.gold_of(item)

    def judge() -> Judged:
        names = gold.setting.machine.propositions
        return score_cause.judge(gold, extraction.cause(said, item.prompt, gold.effect, names))

    return _verdict(item, said, judge, score_cause.nothing(gold))


def _trace(item: Item, said: str) -> Verdict:
    gold = score_trace.gold_of(item)

    def judge() -> Judged:
        stated = extraction.run(said, item.prompt, gold.setting.machine.propositions)
        if item.notes.get("wording") == "published":
            stated = score_trace.as_published(gold, stated)
        return score_trace.judge(gold, stated)

    return _verdict(item, said, judge, score_trace.nothing(gold))


def _verdict(item: Item, said: str, judge: Callable[[], Judged], nothing: Judged) -> Verdict:
    """Return the verdict on what is judged; ``nothing`` has the counts of a reply that cannot be read."""
    try:
        judged = judge()
    except (extraction.Unreadable, TooLargeError) as error:
        return _unparsed(item, said, error, nothing)
    return _scored(item, said, judged)


def _unparsed(item: Item, said: str, error: Exception, nothing: Judged) -> Verdict:
    tail = said.strip()[-100:]
    ending = f"The reply ends with {quoted(tail)}." if tail else "The reply is empty."
    why = f"**Unparsable**: {quoted(str(error), 200)}. {ending}\n\nGold: {quoted(item.target, 300)}"
    return Verdict(
        "unparsed", dict.fromkeys(VALUES, 0.0), None, bounded(why), _extra(item, said, nothing)
    )


def _scored(item: Item, said: str, judged: Judged) -> Verdict:
    why = bounded("\n\n".join(part for part in (_head(judged), judged.why) if part))
    values = {"correct": float(judged.correct), "exact": float(judged.exact)}
    for level, counts in (("ap", judged.ap), ("ts", judged.ts)):
        precision, recall, f1 = (0.0, 0.0, 0.0) if judged.void else counts.figures()
        values |= {f"precision_{level}": precision, f"recall_{level}": recall, f"f1_{level}": f1}
    return Verdict("scored", values, _whole(judged.answer), why, _extra(item, said, judged))


def _head(judged: Judged) -> str:
    verdict = f"**{'Right' if judged.correct else 'Wrong'}**"
    if not judged.correct and not judged.gold:
        return f"{verdict}."
    said = f"{verdict}: answered {quoted(judged.answer, 300)}"
    if judged.exact:
        return f"{said}."
    ending = " It means the same in another form." if judged.correct else ""
    return f"{said}, gold is {quoted(judged.gold, 300)}.{ending}"


def _whole(text: str) -> str:
    """Return a text without halves of characters, which no log can hold."""
    return text.encode("utf-8", "replace").decode()


def _extra(item: Item, said: str, judged: Judged) -> _Extra:
    extra: _Extra = dict(judged.extra)
    if "vote" in judged.extra:
        extra["vote"] = _whole(str(judged.extra["vote"]))
    for level, counts in (("ap", judged.ap), ("ts", judged.ts)):
        extra |= {f"{level}_{kind}": float(getattr(counts, kind)) for kind in ("tp", "fp", "fn")}
    return extra | published_score.figures(said, adopt.gold(item), item.problem, item.prompt)
