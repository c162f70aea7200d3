"""The logs of a run in shards as the log of one run, in so far as its result is taken from it."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from inspect_ai.log import EvalLog, EvalSample
from inspect_ai.scorer import SampleScore, Score

from harness.core.hookspecs import Row
from harness.core.plugins import Plugin
from harness.rerun import logs
from harness.rerun.log_rows import is_vote
from harness.rerun.run_logs import total_usage
from harness.run import floors, metrics

# Not public: what Inspect itself makes of the scores of all samples of a run.
from harness.run.compat import eval_results
from harness.run.metrics import SCORER
from harness.run.samples import RULED_OUT, constants_of, is_cheap
from harness.run.scorer import vote

_ASIDE = logs.ASIDE - {"scores"}


def joined(plugin: Plugin, paths: Sequence[Path], convention: str) -> tuple[EvalLog, list[Row]]:
    """Return one log's head with the results over the samples of all logs, but no samples; and their rows.

    Raises:
        DatasetError: a log cannot be read.
    """
    heads = [logs.header(path) for path in paths]
    scores: list[dict[str, SampleScore]] = []
    constant: defaultdict[str, list[Row]] = defaultdict(list)
    for path, head in zip(paths, heads, strict=True):
        for sample in logs.samples(path, head, _ASIDE):
            if score := (sample.scores or {}).get(SCORER):
                scores.append({SCORER: _slim(sample, score)})
            if sample.epoch == 1:
                target = sample.target if isinstance(sample.target, str) else sample.target[0]
                rows = constants_of(plugin.benchmark, sample.metadata or {}, target)
                for choice, row in rows.items():
                    constant[choice].append(row)
    whole = heads[0].model_copy(deep=True)
    votes = is_vote(whole.eval.config)
    whole.results, _ = eval_results(
        sum(head.results.total_samples for head in heads if head.results),
        scores,
        [vote()] if votes else None,
        None,  # the scores name their scorer
        metrics.named(plugin.benchmark, convention, votes),
        completed_samples=sum(head.results.completed_samples for head in heads if head.results),
    )
    whole.eval.dataset.samples = sum(head.eval.dataset.samples or 0 for head in heads)
    whole.eval.metadata = _facts(plugin, heads, constant, convention)
    whole.stats.model_usage = total_usage(head.stats.model_usage for head in heads)
    whole.samples, whole.location = [], str(paths[0].parent)
    return whole, metrics.rows_of([scores_of_sample[SCORER] for scores_of_sample in scores])


def _slim(sample: EvalSample, score: Score) -> SampleScore:
    """Return what a number is made of, and no more: a million explanations are many gigabytes."""
    needed = ("features", RULED_OUT)
    metadata = {k: v for k, v in (sample.metadata or {}).items() if k in needed or is_cheap(k)}
    slim = Score(
        value=score.value, answer=score.answer, metadata=score.metadata, reason=score.reason
    )
    return SampleScore(score=slim, sample_id=sample.id, sample_metadata=metadata)


def _facts(
    plugin: Plugin, heads: Sequence[EvalLog], constant: Mapping[str, list[Row]], convention: str
) -> dict[str, Any]:
    """Return the metadata of the first log with what is counted added up."""
    parts = [dict(head.eval.metadata or {}) for head in heads]
    facts = dict(parts[0])
    most = max(map(len, constant.values()), default=0)
    whole = {choice: rows for choice, rows in constant.items() if len(rows) == most}
    facts |= floors.facts(plugin.benchmark, whole, convention == "published")
    if wrong := [part["wrong"] for part in parts if "wrong" in part]:
        counts = {key: sum(part[key] for part in wrong) for key in ("labels", "items")}
        facts["wrong"] = {**wrong[0], **counts}
    if "draws" in facts:
        from harness.datasets.manifests import tally_of

        rejected: Counter[str] = Counter()
        for part in parts:
            rejected.update(part["rejected"])
        facts |= tally_of(sum(part["draws"] for part in parts), rejected)
    return facts
