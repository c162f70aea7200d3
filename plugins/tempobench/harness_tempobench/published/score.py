"""The figures of the published scorer, its behaviour in our code, for comparison with published numbers.

Source: the public repository nik-hz/tempobench, ``src/tempobench/benchmark.py``. What it does:

- It reads the first ```` ```json ```` fence with an object in it, and nothing else; no such fence, broken
  JSON or an empty object give 0.
- Constraints are cut at ``and`` and ``or`` in any case, inside words too (``sensor`` is ``sens``, and
  ``command`` is ``comm``), so that AND equals OR; blanks and round brackets are dropped. Sentences are joined by
  a blank first, so that without ``and`` between them two of them are one literal.
- Of a cause it compares the first key's value, whatever the key is. Steps that the gold answer does not have
  are free. A missing step says ``no constraints``; where gold says so too, this is a true positive.
- Two steps are equal if the lists of sentences (of a run: the objects) are, to the letter.
- ``accepted`` is not looked at. An item is correct if both F1 are 1, and the printed accuracy counts it
  twice: `metrics.published_accuracy` does as well.

Where this differs from it, on purpose: where a reply has no ```` ```json ```` at all, the object that our own
reader takes for the answer is used (our prompts ask for a line "Answer: …", theirs for a fence); JSON on which
their code crashes gives 0 throughout; of a reply longer than `MAX_REPLY` only the beginning is read. The gold
answer is our target without ``accepted`` and ``cross_step_clauses``, which theirs has not.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any, TypeAlias

from harness_answers.kept import kept

from harness_tempobench.answers import extraction
from harness_tempobench.answers.score_gold import Counts
from harness_tempobench.metrics import PUBLISHED
from harness_tempobench.targets import CROSSING, UNCONSTRAINED

MAX_REPLY = 200_000
"""How much of a reply is read, in characters."""

NAMES = tuple(metric.name for metric in PUBLISHED if metric.name != "published_accuracy")

_START = re.compile(r"```json\s*+(?=\{)")
_END = re.compile(r"\}\s*+```")
_CUT = re.compile("and|or", re.IGNORECASE)
_DROPPED = re.compile(r"[()\s]+")
_NONE = [UNCONSTRAINED]

_GoldStep: TypeAlias = (
    "tuple[str, Any, set[str]]"  # its name, what stands there, the literals in it
)


def figures(
    completion: str, target: str, problem: Mapping[str, Any], prompt: str = ""
) -> dict[str, float]:
    """Return what the published scorer gives for a reply: the numbers of `NAMES`, all from 0 to 1.

    Args:
        completion: the reply, thinking included.
        target: the gold answer.
        problem: the item's problem; its ``task`` is looked at, and by our own reader its ``effect``.
        prompt: what was asked, for our own reader.
    """
    trace = problem["task"] == "tte"
    try:
        gold = (_gold_run if trace else _gold_cause)(target)
        if "```json" in completion:
            answer = _fenced(completion[:MAX_REPLY])
        else:
            answer = _chosen(completion, prompt, None if trace else problem["effect"])
        if gold and answer:
            return _numbers(*(_trace if trace else _cause)(gold, answer))
    except (AttributeError, LookupError, RecursionError, TypeError, ValueError):
        pass  # where their code crashes
    return dict.fromkeys(NAMES, 0.0)


def _chosen(completion: str, prompt: str, effect: Any) -> Any:
    """Return the object that our own reader takes for the answer."""
    try:
        return extraction.chosen(completion, prompt, effect)
    except extraction.Unreadable:
        return None


def _fenced(text: str) -> Any:
    start = _START.search(text)
    end = _END.search(text, start.end() + 1) if start else None
    return json.loads(text[start.end() : end.start() + 1]) if start and end else None


def _numbers(ap: Counts, ts: Counts) -> dict[str, float]:
    numbers: dict[str, float] = {}
    for level, counts in (("ap", ap), ("ts", ts)):
        precision, recall, f1 = counts.figures() if counts.tp else (0.0, 0.0, 0.0)
        for name, value in (("f1", f1), ("precision", precision), ("recall", recall)):
            numbers[f"published_{name}_{level}"] = value
    right = numbers["published_f1_ap"] == numbers["published_f1_ts"] == 1
    return numbers | {"published_correct": float(right)}


@kept
def _gold_cause(target: str) -> list[_GoldStep]:
    """Return the steps of the gold answer's first effect; none where it has no effect."""
    gold = json.loads(target)
    gold.pop(CROSSING, None)
    wanted: dict[str, Any] = next(iter(gold.values()), {})
    return [(step, value, _literals(value)) for step, value in wanted.items()]


def _cause(gold: list[_GoldStep], answer: dict[str, Any]) -> tuple[Counts, Counts]:
    stated = next(iter(answer.values()))
    steps = [(value, literals, stated.get(step, _NONE)) for step, value, literals in gold]
    ap = (
        Counts(1) if value == said == _NONE else Counts.of(literals, _literals(said))
        for value, literals, said in steps
    )
    ts = (
        Counts(1) if value == said else Counts(0, int(said != _NONE), int(value != _NONE))
        for value, _, said in steps
    )
    return Counts.total(ap), Counts.total(ts)


@kept
def _gold_run(target: str) -> list[_GoldStep]:
    """Return the steps of the gold answer."""
    gold = json.loads(target)
    gold.pop("accepted", None)
    return [(name, step, _inputs(step)) for name, step in gold.items()]


def _trace(gold: list[_GoldStep], answer: dict[str, Any]) -> tuple[Counts, Counts]:
    inputs = [(literals, _inputs(answer.get(name, {}))) for name, _, literals in gold]
    steps = [(step, answer.get(name)) for name, step, _ in gold]
    ap = (Counts.of(true, said) if true or said else Counts(1) for true, said in inputs)
    ts = (
        Counts(1) if step and step == said else Counts(0, int(bool(said)), int(bool(step)))
        for step, said in steps
    )
    return Counts.total(ap), Counts.total(ts)


def _inputs(step: Any) -> set[str]:
    inputs = step.get("defining inputs", UNCONSTRAINED)
    return _literals(inputs if isinstance(inputs, list) else [inputs])


def _literals(sentences: Any) -> set[str]:
    """Return the literals of some sentences; a text in the place of a list is a list of its characters."""
    if not sentences or sentences == _NONE:
        return set()
    parts = (part.strip() for part in _CUT.split(" ".join(sentences)))
    kept = (_DROPPED.sub("", part) for part in parts if part.lower() != UNCONSTRAINED)
    return {part for part in kept if part}
