"""Self-consistency: several samples of one item become one score, by a vote on their answers."""

from __future__ import annotations

from collections import Counter

from inspect_ai.scorer import Score, ScoreReducer, score_reducer

from harness.run.metrics import registered


@score_reducer(name=registered("vote"))
def vote() -> ScoreReducer:
    """Return the score of the answer most samples gave; the earliest wins a tie.

    Votes are on answers, not on scores; answers that a plugin's ``extra["vote"]`` calls the same
    (a label with different counterexamples) vote together, and the commonest of them stands.
    Samples without a readable answer do not vote; with none readable the item is unparsed, or
    unscored when nothing could be scored. Output tokens are those of all samples together.
    """

    def reduce(scores: list[Score]) -> Score:
        chosen = _elected(scores)
        facts = [score.metadata or {} for score in scores]
        written = [one["output_tokens"] for one in facts if "output_tokens" in one]
        if not written:
            return chosen
        total = {**(chosen.metadata or {}), "output_tokens": sum(written)}
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
