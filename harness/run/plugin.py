"""The door of this room: how specs are run where no feature does it in another way."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from harness.core.feature_hooks import Warn, featureimpl

if TYPE_CHECKING:
    from inspect_ai import Task
    from inspect_ai.log import EvalLog
    from inspect_ai.model import Model

    from harness.core.spec import Spec


@featureimpl(trylast=True)
def model_of(spec: Spec) -> Model:
    """Return the model that Inspect has by this name."""
    from harness.run import models

    found: Model = models.model_of(spec.model)
    return found


@featureimpl(trylast=True)
def evaluate(spec: Spec, task: Task, model: Model, facts: dict[str, Any], warn: Warn) -> EvalLog:
    """Run a task into a new log."""
    from harness.run import evaluation

    return evaluation.log_of(spec, task, model, facts)


@featureimpl(trylast=True)
def result_of(spec: Spec, warn: Warn) -> dict[str, Any]:
    """Run one spec in this process, into one log."""
    from harness.run import evaluation

    return evaluation.result(evaluation.run(spec, warn))


@featureimpl(trylast=True)
def results_of(specs: Sequence[Spec], warn: Warn) -> list[dict[str, Any]]:
    """Run all specs, one after the other."""
    from harness.run import evaluation

    return evaluation.each(specs, warn)
