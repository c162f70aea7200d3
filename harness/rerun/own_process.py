"""Runs in this process, or in one of their own (``python -m harness.rerun.own_process``) within an event loop.

Inspect starts an event loop, which it cannot do within another one without patching asyncio for good. A process of
its own needs no patch; there the time limits of hooks hold as on the command line, and an interrupt ends the run as
carefully.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from threading import Lock
from typing import Any, NamedTuple, cast

from harness.core.feature_hooks import Warn
from harness.core.plugins import registry
from harness.core.spec import make
from harness.datasets.child import Process, serve
from harness.datasets.event_loops import looping
from harness.run import progress

EVERY = 10.0  # seconds between lines that say how far a run is
_alone = Lock()  # Inspect runs one evaluation of a process at a time


class Point(NamedTuple):
    """One run of a sweep: the benchmark's name and the values that `harness.core.spec.make` takes, all JSON."""

    plugin: str
    values: Mapping[str, Any]


def results(points: Sequence[Point], warn: Warn) -> list[dict[str, Any]]:
    """Run each point of a sweep and return the results (docs/json.md); ``warn`` is given what is said on the way."""
    if not looping():
        return _run(points, warn)
    request = {"points": [list(point) for point in points]}
    process = Process(request, module=__name__, what="the run", tell=warn)
    try:
        return cast(list[dict[str, Any]], process.result())
    except KeyboardInterrupt:
        process.interrupt()
        raise


def _run(points: Sequence[Point], warn: Warn) -> list[dict[str, Any]]:
    from harness.run import evaluation

    plugins = registry()
    with _alone:
        specs = [make(plugins.get(point.plugin), point.values) for point in points]
        return evaluation.results(specs, warn)


def say(line: str) -> None:
    """Write a line on standard error."""
    sys.stderr.write(f"{line}\n")


def _serve(request: dict[str, Any]) -> list[dict[str, Any]]:
    progress.lasting(EVERY)
    return _run([Point(*point) for point in request["points"]], say)


if __name__ == "__main__":
    sys.exit(serve(_serve))
