"""The verifiers of reasoning-gym behind the three outcomes of the harness.

``scored``: an answer was marked, and judged by the dataset's own verifier. ``unparsed``: nothing is marked, or
different answers are. Without a mark the whole reply counts if the verifier gives it full marks; whether it was
meant as an answer otherwise, nobody can say. ``unscored``: the verifier raised, or the entry cannot be made again.
"""

from __future__ import annotations

from harness import EngineError, HarnessError, Item, Verdict
from harness_reasoning_gym.answers import MAX_ANSWER, marked, only
from harness_reasoning_gym.grading import grade


def score(item: Item, completion: str) -> Verdict:
    """Judge any text whatever."""
    try:
        return _score(item, completion)
    except HarnessError as error:
        return Verdict("unscored", _values(0.0), None, str(error)[:500])


def _score(item: Item, completion: str) -> Verdict:
    answers = marked(completion)
    answer = only(answers)
    if answer is not None:
        value = grade(item.problem, item.target, answer)
        return Verdict(
            "scored", _values(value), answer[:MAX_ANSWER], f"The verifier gives {value:g}."
        )
    whole = completion.strip()
    if not answers and 0 < len(whole) <= MAX_ANSWER and _full(item, whole):
        return Verdict("scored", _values(1.0), whole, "The whole reply is the answer.")
    why = "Different answers are marked." if answers else "Nothing is marked as the answer."
    return Verdict("unparsed", _values(0.0), None, why)


def _full(item: Item, whole: str) -> bool:
    """Return whether a reply without a mark gets full marks; one on which the verifier raises does not."""
    try:
        return grade(item.problem, item.target, whole) >= 1
    except EngineError:
        return False


def _values(value: float) -> dict[str, float]:
    return {"correct": float(value >= 1), "score": value}
