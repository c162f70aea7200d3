"""The door of this room: runs that are gone on with, runs in shards, and answers produced elsewhere."""

from __future__ import annotations

from collections.abc import Generator, Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from harness.core.feature_hooks import Warn, featureimpl

if TYPE_CHECKING:
    from inspect_ai import Task
    from inspect_ai.log import EvalLog
    from inspect_ai.model import Model

    from harness.core.items import Item
    from harness.core.plugins import Plugin
    from harness.core.spec import Spec
    from harness.run.draft import Draft


@featureimpl(tryfirst=True)
def items_of(
    plugin: Plugin, spec: Spec, facts: dict[str, Any], kept: Path | None
) -> Iterable[Item] | None:
    """Return the items of one shard of a run, where a spec is that of a shard."""
    if spec.shard is None:
        return None
    from harness.rerun import slices

    return slices.items(plugin, spec)


@featureimpl
def prepare(draft: Draft) -> None:
    """Put recorded answers in the place of a model's, and leave out the items that have none."""
    if draft.spec.responses:
        from harness.rerun import recorded

        recorded.prepare(draft)


@featureimpl
def model_of(spec: Spec) -> Model | None:
    """Return the name of who gave recorded answers, as a model."""
    if not spec.responses:
        return None
    from harness.rerun import recorded

    return recorded.model_of(spec.model)


@featureimpl
def evaluate(
    spec: Spec, task: Task, model: Model, facts: dict[str, Any], warn: Warn
) -> EvalLog | None:
    """Run a task on top of what there is of the same run; recorded answers, into a log of their own."""
    from harness.rerun import recorded, resume

    run = recorded.evaluate if spec.responses else resume.evaluate
    return run(spec, task, model, facts, warn)


@featureimpl
def result_of(spec: Spec, warn: Warn) -> dict[str, Any] | None:
    """Run a spec in shards, where it says how many."""
    if not spec.shards:
        return None
    from harness.core.plugins import registry
    from harness.rerun import run_shards

    return run_shards.run(registry().get(spec.plugin), spec, warn).result


@featureimpl(wrapper=True)
def results_of(
    specs: Sequence[Spec], warn: Warn
) -> Generator[None, list[dict[str, Any]], list[dict[str, Any]]]:
    """Keep a note of what a sweep has begun until all of it is done."""
    from harness.rerun import sweeps

    with sweeps.under_way(specs):
        return (yield)
