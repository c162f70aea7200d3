"""What a reply scores, as Inspect's scorer, and a vote on several."""

from __future__ import annotations

import math
from collections import Counter

from inspect_ai.model import ModelOutput
from inspect_ai.scorer import (
    Score,
    Scorer,
    ScoreReducer,
    Target,
    mean,
    score_reducer,
    scorer,
    stderr,
)
from inspect_ai.solver import TaskState

from harness.core.hookspecs import Benchmark
from harness.core.items import Item, Verdict
from harness.core.plugins import registry
from harness.run import judging, progress, replies
from harness.run.metrics import SCORER, interval, registered
from harness.run.samples import item_of


@scorer(metrics={"*": [mean(), stderr(), interval()]}, name=registered(SCORER))
def verdict() -> Scorer:
    """Judge a completion with its plugin's scorer; a failure of ours is `unscored`, never wrong."""

    async def judge(state: TaskState, target: Target) -> Score:
        if replies.failed(state):
            return Score(value=math.nan, reason="scoring_failed", explanation=FAILED)
        item = item_of(state, target)
        owner = registry().get(item.plugin)
        judged = judging.judged_cut(
            owner, item, state.output.completion, replies.complete_lines(state.output)
        )
        score = _score(owner.benchmark, item, judged, state.output)
        counts = {"output_tokens": replies.written(state), "searches": replies.searches()}
        known = {name: count for name, count in counts.items() if count is not None}
        score.metadata = {**(score.metadata or {}), **known}
        values = score.value if isinstance(score.value, dict) else {}
        progress.judged(str((score.metadata or {}).get("outcome")), values)
        return score

    return judge


FAILED = (
    "**Could not be scored** (not the model's fault): the sample failed before there was an answer."
)


def _score(benchmark: Benchmark, item: Item, verdict: Verdict, output: ModelOutput) -> Score:
    facts = {"outcome": verdict.outcome, "target": item.target, **verdict.extra}
    if verdict.outcome == "unscored":
        return Score(
            value=math.nan, reason="scoring_failed", metadata=facts,
            explanation=f"**Could not be scored** (not the model's fault): {verdict.explanation}",
        )  # fmt: skip
    probability = _probability(benchmark, verdict, output)
    if probability is not None:
        facts["probability"] = round(probability, 6)
    unparsed = verdict.outcome == "unparsed"
    reason = replies.reason(output) if unparsed else None
    values = judging.rounded(benchmark, verdict)
    return Score(
        value={**values, "unparsed": float(unparsed)},
        answer=verdict.answer,
        explanation=verdict.explanation + replies.NOTES.get(reason or "", ""),
        reason=reason,
        metadata=facts,
    )


def _probability(benchmark: Benchmark, verdict: Verdict, output: ModelOutput) -> float | None:
    """Return P(first choice) over the two choices at the last token that states the answer.

    None unless there are two choices and the model gave log-probabilities of both there.
    """
    if len(benchmark.choices) != 2 or not output.choices or not output.choices[0].logprobs:
        return None
    words = [choice.casefold() for choice in benchmark.choices]
    for token in reversed(output.choices[0].logprobs.content):
        word_said = token.token.strip(" \t\n*\"'`.").casefold()
        if word_said not in words or word_said != (verdict.answer or "").split(":")[0].casefold():
            continue
        mass = dict.fromkeys(words, 0.0)
        for other in token.top_logprobs or []:
            word = other.token.strip().casefold()
            if word in mass:
                mass[word] += math.exp(other.logprob)
        total = sum(mass.values())
        return mass[words[0]] / total if all(mass.values()) and total > 0 else None
    return None


@score_reducer(name=registered("vote"))
def vote() -> ScoreReducer:
    """Return the score of the answer most samples gave; the earliest wins a tie.

    Votes are on answers, not on scores; answers that a plugin's ``extra["vote"]`` calls the same
    (a label with different counterexamples) vote together, and the commonest of them stands.
    Samples without a readable answer do not vote; with none readable the item is unparsed, or
    unscored when nothing could be scored. Output tokens and searches are those of all samples together.
    """

    def reduce(scores: list[Score]) -> Score:
        chosen = _elected(scores)
        facts = [score.metadata or {} for score in scores]
        total = dict(chosen.metadata or {})
        for name in ("output_tokens", "searches"):
            counts = [fact[name] for fact in facts if name in fact]
            total |= {name: sum(counts)} if counts else {}
        return chosen.model_copy(update={"metadata": total})

    return reduce


def _elected(scores: list[Score]) -> Score:
    readable = [score for score in scores if score.answer is not None]
    if readable:
        counts = Counter(_ballot(score) for score in readable)
        winner = counts.most_common(1)[0][0]
        party = [score for score in readable if _ballot(score) == winner]
        answer = Counter(score.answer for score in party).most_common(1)[0][0]
        won = next(score for score in party if score.answer == answer)
        votes = {"votes": dict(counts), "of": len(scores)}
        return won.model_copy(update={"metadata": {**(won.metadata or {}), **votes}})
    judged = [score for score in scores if isinstance(score.value, dict)]
    return (judged or scores)[0]


def _ballot(score: Score) -> str:
    return str((score.metadata or {}).get("vote", score.answer))
