"""The Ray engine: functions run in guarded workers on the nodes of a cluster (extra ``ray``)."""

from __future__ import annotations

import json
import os
import socket
from collections.abc import Callable
from contextlib import ExitStack, redirect_stdout
from importlib import import_module
from types import ModuleType
from typing import Any

import harness_guard
from harness_errors import EngineError, HarnessError, SpecError, named

from harness.datasets.child import MEMORY_MB, SECONDS, Process
from harness.datasets.extras import command_for

LOST = 20  # times that a task is begun anew because its node went away
LOCAL = "local"
CONNECT = 10.0  # seconds


class Cluster:
    """The workers of a Ray cluster: one task for each of its processors, or ``workers`` at a time.

    ``address`` is ``auto`` (the cluster that this machine belongs to), ``local`` (start one here, for as long as
    this is open) or what Ray takes (``ray://host:10001``).

    Raises:
        SpecError: Ray is not installed, or there is no such cluster.
    """

    def __init__(self, address: str, workers: int | None = None) -> None:
        self._ray = _ray()
        with ExitStack() as quiet:
            # Ray prints from threads of its own when a node is lost; standard output is for results.
            nowhere = quiet.enter_context(open(os.devnull, "w"))  # noqa: PTH123
            quiet.enter_context(redirect_stdout(nowhere))
            _join(self._ray, address, workers)
            self._quiet = quiet.pop_all()
        cores = int(self._ray.cluster_resources().get("CPU", 0))
        self.workers = workers or max(1, cores)
        remote = self._ray.remote(max_retries=LOST, num_cpus=1)
        self._task, self._shard = remote(on_a_node), remote(shard_on_a_node)

    def call(
        self, function: str, *args: Any, seconds: float = SECONDS, memory_mb: int = MEMORY_MB
    ) -> Any:
        """Return ``function(*args)`` from a worker on a node; see `harness_guard.call`.

        What is lost with a node is begun anew on another.
        """
        limits = {"seconds": seconds, "memory_mb": memory_mb}
        return self._result(self._task, [[function, *args], limits], function)

    def _result(self, task: Any, request: list[Any], what: str) -> Any:
        try:
            kind, value = self._ray.get(task.remote(json.dumps([*request, _environment()])))
        except self._ray.exceptions.RayError as error:
            message = (str(error).strip().splitlines() or [""])[0]
            raise EngineError(
                f"{what} failed on the cluster: {type(error).__name__}: {message[:200]}"
            ) from None
        if kind == "ok":
            return value
        raise named(kind, value)

    def process(self, request: dict[str, Any], module: str) -> dict[str, Any]:
        """Serve a request by ``python -m module`` on a node; see `harness.datasets.child.Process`."""
        reply: dict[str, Any] = self._result(self._shard, [request, module], "a shard")
        return reply

    def close(self) -> None:
        """Leave the cluster; one that was started here ends."""
        with self._quiet:
            self._ray.shutdown()


def _ray() -> ModuleType:
    # Before the import: it reads them then. Nothing is told to anyone, and what workers print stays there.
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    os.environ.setdefault("RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO", "0")
    try:
        return import_module("ray")
    except ImportError as error:
        needs = f"engine=ray needs the package ray: {command_for('ray')} ({error})"
        raise SpecError(needs) from None


def _join(ray: ModuleType, address: str, workers: int | None) -> None:
    quiet = {"log_to_driver": False, "logging_level": "ERROR"}
    try:
        if address == LOCAL:
            ray.init(address=LOCAL, num_cpus=workers, include_dashboard=False, **quiet)
        else:
            _reach(os.environ.get("RAY_ADDRESS", "") if address == "auto" else address)
            ray.init(address=address, **quiet)
    except Exception as error:  # of a node that does not come up Ray raises no class of its own
        message = (str(error).strip().splitlines() or [""])[0]
        raise SpecError(
            f"address={address[:200]}: no Ray cluster there ({message[:200]}); start one with `ray start --head`, "
            "or give address=local for one on this machine"
        ) from None


def _reach(address: str) -> None:
    """Raise unless somebody listens at an address of a host and a port: Ray would end this process."""
    host, _, port = address.rpartition("/")[2].rpartition(":")
    if host and port.isdecimal():
        socket.create_connection((host.strip("[]"), int(port)), CONNECT).close()


def _environment() -> dict[str, str]:
    """Return what a plugin tells its own workers by the environment; nothing else goes to the nodes."""
    return {name: value for name, value in os.environ.items() if name.startswith("HARNESS_")}


def on_a_node(request: str) -> tuple[str, Any]:
    """Run one request in a guarded worker on this node; return ``("ok", result)`` or an error's class and message."""
    call, limits, environment = json.loads(request)
    return _answer(environment, lambda: harness_guard.call(*call, **limits))


def shard_on_a_node(request: str) -> tuple[str, Any]:
    """Run one shard of an evaluation on this node, with the node's environment; returns as `on_a_node` does."""
    shard, module, environment = json.loads(request)
    return _answer(environment, lambda: Process(shard, module, "a shard").result())


def _answer(environment: dict[str, str], work: Callable[[], Any]) -> tuple[str, Any]:
    os.environ.update(environment)
    try:
        return "ok", work()
    except HarnessError as error:
        return type(error).__name__, str(error)
