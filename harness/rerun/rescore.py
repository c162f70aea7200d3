"""A log scored anew by the installed scorer, and which verdicts changed."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import count
from pathlib import Path
from typing import Any

from harness_errors import DatasetError, OutputError, SpecError, did_you_mean
from inspect_ai import score as inspect_score
from inspect_ai.log import EvalLog, write_eval_log
from inspect_ai.model import ModelName, get_model
from inspect_ai.scorer import SampleScore, Score, Target
from inspect_ai.solver import TaskState

from harness.core import provenance
from harness.core.facts import printable
from harness.core.features import settings
from harness.core.hookspecs import Benchmark
from harness.core.items import PUBLISHED, Item
from harness.core.plugins import Plugin, registry
from harness.core.words import parse
from harness.rerun import logs
from harness.rerun.conventions import judgement, our_score, published_of
from harness.rerun.log_rows import is_vote, other_reducers
from harness.run import floors, metrics
from harness.run.results import result_of_log
from harness.run.samples import item_of, keep_constants
from harness.run.scorer import verdict

FIRST = 10  # changed verdicts that are shown one by one
AGAIN = ("plugin", "convention", "log_dir")  # what goes with a log


def again(words: Sequence[str], warn: Callable[[str], object]) -> dict[str, Any]:
    """Score the log that the words name anew (``LOG key=value …``); raises as `rescore` does, or `SpecError`."""
    files = [word for word in words if "=" not in word]
    if len(files) > 1:
        raise SpecError(f"one log at a time, got '{files[0][:80]}' and '{files[1][:80]}'")
    raw = {key: ",".join(values) for key, values in parse([w for w in words if "=" in w]).items()}
    for key in raw:
        if key not in AGAIN:
            raise SpecError(f"'{key}' does not apply to a log; {did_you_mean(key, AGAIN)}")
    convention, known = raw.get("convention"), settings()["convention"].choices
    if convention not in (None, *known):
        raise SpecError(f"convention={convention}; {did_you_mean(str(convention), known)}")
    path = Path(files[0])
    folder = Path(raw.get("log_dir", path.parent))
    return rescore(path, folder, convention, warn, raw.get("plugin"))


def rescore(
    path: Path,
    folder: Path,
    convention: str | None,
    warn: Callable[[str], object],
    plugin: str | None = None,
) -> dict[str, Any]:
    """Score a log anew with the installed scorer, write the new log, and say which verdicts changed.

    The new log lies in ``folder``, as ``<name>-scored.eval``. ``convention`` is the old log's where it is
    None; ``plugin`` is the one that the log has to be of. No model is asked.

    Raises:
        DatasetError: no such log, or none of ours, or of another plugin.
        OutputError: the new log cannot be written.
    """
    old = logs.whole(path)
    owner = _owner(path, old, plugin)
    convention = convention or str(old.eval.task_args.get("convention", "harness"))
    if convention == "published" and not owner.benchmark.published:
        raise SpecError(
            f"convention=published: {owner.benchmark.name} has no other convention of scoring than its own"
        )
    items = _items(path, old)
    for line in _warnings(old, owner, items):
        warn(line)
    new = _scored(old, owner, items, convention)
    new.location = str(_write(new, path, folder))
    result = result_of_log(new)
    return {
        **result,
        "responses": None,
        "published": published_of(new, convention),
        "from": str(path),
        "changes": _changes(old, new, owner.benchmark),
    }


def _owner(path: Path, log: EvalLog, wanted: str | None) -> Plugin:
    """Return the plugin whose run a log is of."""
    name = (log.eval.metadata or {}).get("plugin")
    if not isinstance(name, str):
        raise DatasetError(
            f"{path}: a log of the task '{log.eval.task[:80]}', which is none of the harness's"
        )
    if wanted is not None and wanted != name:
        raise DatasetError(f"{path}: a log of plugin '{name}', not '{wanted}'")
    owner = registry().get(name)
    if not log.samples:
        raise DatasetError(f"{path}: the log holds no samples")
    return owner


def _items(path: Path, log: EvalLog) -> dict[str, Item]:
    """Return the items of a log by sample id, in the order of the run (the random floor depends on it)."""
    order = {str(sample_id): at for at, sample_id in enumerate(log.eval.dataset.sample_ids or [])}
    items = {}
    for sample in sorted(
        log.samples or [], key=lambda logged: order.get(str(logged.id), len(order))
    ):
        try:
            target = Target(sample.target)
            state = TaskState(
                model=ModelName("none/none"), sample_id=sample.id, epoch=sample.epoch,
                input=sample.input, messages=[], target=target, metadata=sample.metadata,
            )  # fmt: skip
            items[str(sample.id)] = item_of(state, target)
        except (KeyError, TypeError, ValueError):
            raise DatasetError(
                f"{path}: sample '{str(sample.id)[:60]}' does not hold the item it was made of; "
                "was the log changed, or written by another version of the harness?"
            ) from None
    return items


def _warnings(log: EvalLog, owner: Plugin, items: Mapping[str, Item]) -> Iterator[str]:
    """Yield what makes the new figures other than the old ones apart from the scorer."""
    benchmark = owner.benchmark
    versions = {item.version for item in items.values()} - {PUBLISHED, benchmark.version}
    for version in sorted(versions):
        yield (
            f"warning: the items were made by {benchmark.name} {version}; they are scored by the installed "
            f"{benchmark.version}, with the labels they had"
        )
    if other := other_reducers(log.eval.config):
        yield (
            f"warning: {log.eval.config.epochs} answers to each item were reduced by {other}; here each of them "
            "counts (the mean)"
        )
    if log.status != "success":
        yield f"warning: the run did not end (status {log.status}); what there is of it is scored"


def _scored(old: EvalLog, owner: Plugin, items: Mapping[str, Item], convention: str) -> EvalLog:
    config = old.eval.config
    log = inspect_score(
        old,
        verdict(),
        epochs_reducer="mean" if other_reducers(config) else None,
        metrics=metrics.named(owner.benchmark, convention, is_vote(config)),
        model=get_model("none/none"),  # else the model of the run would be looked for
        action="overwrite",
        display="none",
    )
    facts = dict(log.eval.metadata or {})
    cheap = floors.rows_of(owner, list(items.values()))
    facts |= floors.facts(owner.benchmark, cheap, convention == "published")
    places = {rows_of_sample: place for place, rows_of_sample in enumerate(items)}
    for sample in log.samples or []:
        rows_of_sample = {choice: [rows[places[str(sample.id)]]] for choice, rows in cheap.items()}
        keep_constants(owner.benchmark, [sample], rows_of_sample)
    facts["rescored"] = {"versions": provenance.versions(owner), "convention": convention}
    log.eval.metadata = facts
    return log


def _write(log: EvalLog, path: Path, folder: Path) -> Path:
    """Write a log under a name that nothing has yet; return the name."""
    names = (f"{path.stem}-scored{f'-{number}' if number > 1 else ''}.eval" for number in count(1))
    target = next(folder / name for name in names if not os.path.lexists(folder / name))
    partial = target.with_name(f".{target.stem}.{os.getpid()}.eval")
    try:
        folder.mkdir(parents=True, exist_ok=True)
        write_eval_log(log, str(partial))
        partial.rename(target)
    except OSError as error:
        raise OutputError(f"{target}: the log cannot be written: {error.strerror}") from None
    finally:
        if os.path.lexists(partial):
            partial.unlink()
    return target


def _changes(old: EvalLog, new: EvalLog, benchmark: Benchmark) -> dict[str, Any]:
    """Return how many verdicts changed from what to what, and the first of them with the reason."""
    before = {(sample.id, sample.epoch): sample for sample in old.samples or []}
    counts: Counter[tuple[str, str]] = Counter()
    first: list[dict[str, Any]] = []
    for sample in new.samples or []:
        was, now = our_score(before[sample.id, sample.epoch]), our_score(sample)
        if _facts(was) == _facts(now):
            continue
        steps = _verdict(was, benchmark), _verdict(now, benchmark)
        counts[steps] += 1
        if len(first) < FIRST:
            why = (now.explanation if now else None) or "no reason given"
            change = {
                "id": str(sample.id),
                "epoch": sample.epoch,
                "from": steps[0],
                "to": steps[1],
                "answer_before": was.answer if was else None,
                "answer": now.answer if now else None,
                "why": printable(" ".join(why.replace("**", "").split())),
            }
            first.append(change)
    return {
        "verdicts": len(new.samples or []),
        "changed": counts.total(),
        "steps": [{"from": was, "to": now, "count": n} for (was, now), n in counts.most_common()],
        "first": first,
    }


def _facts(score: Score | None) -> tuple[Any, Any] | None:
    """Return what of a score is a verdict: values and answer; wording is not."""
    if score is None or not isinstance(score.value, Mapping):
        return None
    return dict(score.value), score.answer


def _verdict(score: Score | None, benchmark: Benchmark) -> str:
    if score is None or not isinstance(score.value, Mapping):
        return "unscored"
    (row,) = metrics.rows_of([SampleScore(score=score)]) or (None,)
    return judgement(row, benchmark) if row else "unscored"
