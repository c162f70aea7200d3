"""What Inspect finds through its entry point: the embedded models and one task per plugin."""

from __future__ import annotations

from functools import cache
from typing import Any

from harness_errors import HarnessError
from inspect_ai import Task, task
from inspect_ai.model import ModelAPI, modelapi

from harness.core.plugins import registry
from harness.run import inspect_task
from harness.run.compat import PrerequisiteError
from harness.run.metrics import registered


@modelapi(name="harness")
def harness() -> type[ModelAPI]:
    """Provide `harness/reference`, `harness/constant` and `harness/random`."""
    from harness.run.models import EmbeddedAPI

    return EmbeddedAPI


@cache
def task_of(name: str) -> Any:
    """Return the Inspect task function of a plugin, registered as ``harness/<name>``."""

    def factory(**params: Any) -> Task:
        try:
            return inspect_task.from_params(name, params)
        except HarnessError as error:
            raise PrerequisiteError(str(error)) from error

    factory.__name__ = name
    factory.__doc__ = registry().get(name).benchmark.summary
    return task(name=registered(name))(factory)


for _name in registry().benchmarks:
    task_of(_name)
