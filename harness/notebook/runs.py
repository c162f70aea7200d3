"""Runs for notebooks: in this process, or where an event loop is running in one of their own.

Inspect starts an event loop. Within another one it patches asyncio for good to do so (``nest_asyncio``), and in a
notebook it asks for ipywidgets besides. A process of its own needs neither; there the time limits of hooks hold as
on the command line, and an interrupt ends the run as carefully.
"""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Any, TypeVar, cast

from harness.core.plugins import registry
from harness.core.spec import make
from harness.datasets.child import Process, serve
from harness.notebook.settings import Point
from harness.run import progress

if TYPE_CHECKING:
    from inspect_ai.log import EvalLog

EVERY = 10.0  # seconds between lines that say how far a run is
T = TypeVar("T")
_alone = Lock()  # Inspect runs one evaluation of a process at a time


def results(points: Sequence[Point]) -> list[dict[str, Any]]:
    """Run each point of a sweep and return the results; raises as `harness.evaluate` does."""
    if not looping():
        return _run(points)
    request = {"points": [list(point) for point in points]}
    process = Process(request, module=__name__, what="the run", tell=_tell)
    try:
        return cast(list[dict[str, Any]], process.result())
    except KeyboardInterrupt:
        process.interrupt()
        raise


def logs(paths: Sequence[Path]) -> list[EvalLog]:
    """Return logs with all their samples; raises `DatasetError`."""
    from harness.run import logs as reading

    return outside(lambda: [reading.whole(path) for path in paths])


def outside(work: Callable[[], T]) -> T:
    """Return ``work()``, done in another thread where an event loop is running in this one."""
    if not looping():
        return work()
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(work).result()


def looping() -> bool:
    """Return whether this thread is within a running event loop, as a notebook's cells are."""
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return False
    return True


def _run(points: Sequence[Point]) -> list[dict[str, Any]]:
    from harness.run import evaluation

    found = registry()
    with _alone:
        specs = [make(found.get(point.plugin), point.values) for point in points]
        return evaluation.results(specs, _tell)


def _tell(line: str) -> None:
    sys.stderr.write(f"{line}\n")


def _serve(request: dict[str, Any]) -> list[dict[str, Any]]:
    progress.lasting(EVERY)
    return _run([Point(*point) for point in request["points"]])


if __name__ == "__main__":
    sys.exit(serve(_serve))
