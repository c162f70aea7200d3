"""Which engine does the work: processes of this machine or a cluster; and how tasks are spread over its workers."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import Future
from contextlib import AbstractContextManager, closing
from queue import Empty, SimpleQueue
from threading import Thread
from typing import Any, Protocol, TypeVar

import harness_guard
from harness_errors import EngineError, SpecError
from harness_guard import Guard

from harness.datasets.child import MEMORY_MB, SECONDS, Process

MOST = 10_000  # workers
TRIES = 3  # of a task whose worker dies without having made one more item; the next goes on where it ended
AHEAD = 8  # tasks per worker that are under way or done before their turn


T = TypeVar("T")
R = TypeVar("R")


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


def chosen(options: Mapping[str, Any], shared: bool = False) -> AbstractContextManager[Engine]:
    """Return the engine that the keys ``engine``, ``workers`` and ``address`` name, to be used in a with block.

    ``shared`` is for calls that all end soon: see `Local`. What cannot be had is refused (`SpecError`).
    """
    check(options)
    if options["engine"] == "local":
        return closing(Local(options["workers"], shared))
    from harness.datasets.engines_ray import Cluster

    return closing(Cluster(options["address"] or "auto", options["workers"]))


def check(options: Mapping[str, Any]) -> None:
    """Refuse a name that no engine has, and an address where there is nothing to reach."""
    name = options["engine"]
    if options["workers"] is not None and options["workers"] > MOST:
        raise SpecError(f"workers={str(options['workers'])[:80]}: at most {MOST}")
    if name == "local" and options["address"] is not None:
        raise SpecError("'address' is that of a Ray cluster: it goes with engine=ray")


def ordered(work: Callable[[T], R], tasks: Iterable[T], workers: int) -> Iterator[tuple[T, R]]:
    """Yield each task with its result, in order, some tasks ahead in so many threads.

    The threads are daemons: Ctrl-C does not wait for what they wait for.
    """
    waiting: deque[tuple[T, Future[R]]] = deque()
    with _Threads(work, workers) as threads:
        for task in tasks:
            waiting.append((task, threads.put(task)))
            if len(waiting) >= workers * AHEAD:
                done, result = waiting.popleft()
                yield done, result.result()
        while waiting:
            done, result = waiting.popleft()
            yield done, result.result()


def unordered(
    work: Callable[[T], R],
    tasks: Iterable[T],
    workers: int,
    tick: Callable[[], object],
    every: float,
) -> Iterator[tuple[T, R]]:
    """Yield each task with its result as they end; ``tick`` is called every so many seconds while none does."""
    finished: SimpleQueue[tuple[T, Future[R]]] = SimpleQueue()
    with _Threads(work, workers) as threads:
        left = 0
        for task in tasks:
            _tell(finished, task, threads.put(task))
            left += 1
        while left:
            try:
                done, result = finished.get(timeout=every)
            except Empty:
                tick()
                continue
            left -= 1
            yield done, result.result()


def _tell(finished: SimpleQueue[tuple[T, Future[R]]], task: T, future: Future[R]) -> None:
    future.add_done_callback(lambda done: finished.put((task, done)))


class _Threads(AbstractContextManager["_Threads"]):
    """Daemon threads that serve one queue; what is still in it at the end is not begun."""

    def __init__(self, work: Callable[[Any], Any], workers: int) -> None:
        self._queue: SimpleQueue[tuple[Any, Future[Any]] | None] = SimpleQueue()
        self._work, self._workers, self._ended = work, workers, False
        for _ in range(workers):
            Thread(target=self._serve, daemon=True).start()

    def put(self, task: Any) -> Future[Any]:
        """Queue a task; the future holds its result or what it raised."""
        future: Future[Any] = Future()
        self._queue.put((task, future))
        return future

    def _serve(self) -> None:
        while (job := self._queue.get()) is not None and not self._ended:
            try:
                job[1].set_result(self._work(job[0]))
            except BaseException as error:
                job[1].set_exception(error)

    def __exit__(self, *_: object) -> None:
        self._ended = True
        for _worker in range(self._workers):
            self._queue.put(None)
