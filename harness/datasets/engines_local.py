"""The local engine: worker processes of this machine. A task is a function's name and JSON."""

from __future__ import annotations

import os
from typing import Any, Protocol

import harness_guard
from harness_errors import EngineError
from harness_guard import Guard

from harness.datasets.child import Process

SECONDS = 86_400.0  # the longest that a task may take
MEMORY_MB = 8_192  # of address space, for a worker that generates: engines have their own workers


class Engine(Protocol):
    """Workers that run functions by name; `call` may be called from as many threads as there are workers."""

    workers: int

    def call(
        self, function: str, *args: Any, seconds: float = SECONDS, memory_mb: int = MEMORY_MB
    ) -> Any:
        """Return ``function(*args)`` as `harness_guard.call` does, and with its errors."""

    def process(self, request: dict[str, Any], module: str) -> dict[str, Any]:
        """Serve a request by ``python -m module`` in a process of its own; see `harness.datasets.child.Process`."""

    def close(self) -> None:
        """End the workers; calls under way fail, shards write down what is finished."""


class Local:
    """Worker processes of this machine; ``shared``: those of the whole program, where no number is asked for."""

    def __init__(self, workers: int | None = None, shared: bool = False) -> None:
        self.workers = workers or processors()
        self._guard = None if shared and workers is None else Guard(self.workers)
        self._processes: set[Process] = set()
        self._closed = False

    def call(
        self, function: str, *args: Any, seconds: float = SECONDS, memory_mb: int = MEMORY_MB
    ) -> Any:
        """Return ``function(*args)`` from a worker process; see `harness_guard.call`."""
        call = harness_guard.call if self._guard is None else self._guard.call
        return call(function, *args, seconds=seconds, memory_mb=memory_mb)

    def process(self, request: dict[str, Any], module: str) -> dict[str, Any]:
        """Serve a request by a process of this machine; see `harness.datasets.child.Process`."""
        if self._closed:  # a thread that would begin an interrupted shard again
            raise EngineError("the engine is closed")
        process = Process(request, module, "a shard")
        self._processes.add(process)
        try:
            return process.result()
        finally:
            self._processes.discard(process)

    def close(self) -> None:
        """End the workers; the shards' processes, first."""
        self._closed = True
        processes = list(self._processes)
        for process in processes:
            process.leave()
        for process in processes:
            process.end()
        if self._guard is not None:
            self._guard.close()


def processors() -> int:
    """Return how many processors this process may use."""
    if hasattr(os, "sched_getaffinity"):  # not on macOS
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
