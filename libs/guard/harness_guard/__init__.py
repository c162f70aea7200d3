"""Run functions that call native code in worker processes with time and memory limits.

Native code (Spot, say) can crash, hang or eat all memory on text that a model wrote. Here
that costs one worker: the caller gets one `EngineError`, the next call a fresh worker.
This is a fence against accidents, not a sandbox: a worker has the rights of its user.

Calls and results are length-prefixed JSON on two pipes of their own; what native code
prints goes elsewhere. A worker keeps its modules and their state between calls. This is the
caller's side; what runs in the worker is `harness_guard.worker`.
"""

from __future__ import annotations

import atexit
import contextlib
import json
import os
import select
import signal
import struct
import subprocess
import sys
import threading
import time
import weakref
from typing import Any

from harness_errors import EngineError, named

from harness_guard.worker import LENGTH, MAX_BYTES, MAX_CALLS, too_big

__all__ = ["MAX_BYTES", "MAX_CALLS", "START_SECONDS", "Guard", "call"]

START_SECONDS = 60.0  # for starting a worker and importing a function's module

_ENDING = 10.0  # seconds for a process to be gone, once its pipe is closed: a machine may be busy
_CHUNK = 2**16
_TAIL = 4_096  # bytes kept of what a worker printed last
# Last words of C++, of Python, and of the library of Spot's decision diagrams.
_NO_MEMORY = (b"bad_alloc", b"MemoryError", b"BDD error: Out of memory")
# Nothing else of the environment reaches native code; above all no API keys. Names that begin with
# HARNESS_ are how a plugin tells its own workers something (where a user's table of facts lies).
_ENVIRONMENT = (
    *("PATH", "HOME", "LANG", "LC_ALL", "LC_CTYPE", "TZ", "TMPDIR", "VIRTUAL_ENV"),
    *("LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH", "PYTHONHOME", "PYTHONHASHSEED"),
)


def call(function: str, *args: Any, seconds: float = 10, memory_mb: int = 2048) -> Any:
    """Return ``function(*args)``, run in a worker process shared by the whole program.

    Safe to call from several threads at once; blocks its thread (KeyboardInterrupt ends it).

    Args:
        function: "package.module:name", importable with this process's ``sys.path``.
        args: JSON values (tuples arrive as lists), `MAX_BYTES` in all.
        seconds: wall-clock limit of the function alone, at most 86,400; neither waiting
            for a free worker nor importing the module counts.
        memory_mb: limit of the worker's address space in MiB, code and libraries included.
            macOS does not enforce it.

    Raises:
        EngineError: one line that says why there is no result: crash, limit, exception,
            arguments or a result that are not JSON or too big, no such function.
        HarnessError: the function's own, of the same class and with the same message.
    """
    return _shared.call(function, *args, seconds=seconds, memory_mb=memory_mb)


class Guard:
    """A pool of at most ``workers`` (default: one per processor) workers, started on demand."""

    def __init__(self, workers: int | None = None) -> None:
        self._workers = workers or os.cpu_count() or 1
        self._renew()
        _guards.add(self)

    def _renew(self) -> None:
        self._lock = threading.Lock()
        self._slots = threading.BoundedSemaphore(self._workers)
        self._idle: list[_Worker] = []
        self._busy: set[_Worker] = set()
        self._closed = False

    def __enter__(self) -> Guard:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def call(self, function: str, *args: Any, seconds: float = 10, memory_mb: int = 2048) -> Any:
        """Return ``function(*args)`` from a worker of this pool; see the module's `call`."""
        if not (0 < seconds <= 86_400 and memory_mb > 0):
            raise ValueError(f"limits out of range: {seconds} s, {memory_mb} MB")
        request = _request(function, args, seconds, memory_mb)
        with self._slots:
            worker = self._take()
            retire = True  # unless it answers: after a KeyboardInterrupt it is still at work
            try:
                kind, value, retire = worker.run(function, request, seconds)
            except _LostError as lost:
                kind, value = lost.args
            finally:
                self._give(worker, retire)
        if kind == "ok":
            return value
        if kind == "memory":
            raise EngineError(f"{function} exceeded {memory_mb} MB of memory")
        if kind == "failed":
            raise EngineError(f"{function} {value}")
        raise named(kind, value)

    def close(self) -> None:
        """End all workers; calls under way and later ones raise EngineError."""
        with self._lock:
            self._closed = True
            for worker in self._busy:
                worker.kill()  # its own thread notices, reaps it and closes the pipes
            while self._idle:
                self._idle.pop().end()

    def _take(self) -> _Worker:
        with self._lock:
            if self._closed:
                raise EngineError("the guard is closed")
            worker = None
            while self._idle and worker is None:
                worker = self._idle.pop()
                # Somebody else killed it meanwhile, or what it was told at its start is out of date.
                if worker.process.poll() is not None or worker.settings != _plugin_settings():
                    worker.end()
                    worker = None
            worker = worker or _Worker()
            self._busy.add(worker)
            return worker

    def _give(self, worker: _Worker, retire: bool) -> None:
        with self._lock:
            self._busy.discard(worker)
            if retire or self._closed:
                worker.end()
            else:
                self._idle.append(worker)

    def _after_fork(self) -> None:
        """Forget, in a forked child, workers that belong to the parent, and maybe-held locks."""
        for worker in (*self._idle, *self._busy):
            worker.process.returncode = 0  # not our child: nothing to wait for or warn about
            worker.close()
        self._renew()


class _LostError(Exception):
    """A worker that will not answer: the kind and the value of the reply to use instead."""


class _Worker:
    """The parent's side of one worker process; used by one thread at a time."""

    def __init__(self) -> None:
        self._loaded: set[str] = set()
        self._sent = 0  # requests: a reply carries the number of the one that it answers
        self._tail = b""
        self.settings = _plugin_settings()
        child_requests, self._requests = os.pipe()
        self._replies, child_replies = os.pipe()
        pipes = (child_requests, child_replies)
        try:
            self.process = subprocess.Popen(  # noqa: S603 - our own interpreter and module
                # -P: the working directory is no place to import from unless sys.path says so.
                [sys.executable, "-P", "-m", "harness_guard.worker", *map(str, pipes)],
                stdin=subprocess.PIPE,  # never written to: it closes when this process dies
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                bufsize=0,
                pass_fds=pipes,
                env=_environment(),
                start_new_session=True,  # Ctrl-C goes to us alone, and its children die with it
            )
        except OSError as error:
            os.close(self._requests)
            os.close(self._replies)
            raise EngineError(f"cannot start a worker: {error}") from error
        finally:
            for fd in pipes:
                os.close(fd)
        assert self.process.stdout is not None
        self._prints = self.process.stdout.fileno()
        for fd in (self._requests, self._replies, self._prints):
            os.set_blocking(fd, False)
        self._receiving, self._sending = select.poll(), select.poll()
        self._end = _end_of(self.process.pid)
        for poll in (self._receiving, self._sending):
            for fd in (self._replies, self._prints, *self._end):
                poll.register(fd, select.POLLIN)
        self._sending.register(self._requests, select.POLLOUT)

    def run(self, function: str, request: bytes, seconds: float) -> tuple[str, Any, bool]:
        """Return kind and value of the reply, and whether to replace this worker; import a new function first."""
        if function not in self._loaded:
            load = {"load": function, "path": _path(), "seconds": START_SECONDS}
            reply = self._exchange(json.dumps(load).encode(), START_SECONDS)
            if reply[0] != "ok":
                return reply
            self._loaded.add(function)
        return self._exchange(request, seconds)

    def _exchange(self, request: bytes, seconds: float) -> tuple[str, Any, bool]:
        deadline = time.monotonic() + seconds
        self._tail = b""
        self._sent += 1
        unsent = memoryview(LENGTH.pack(len(request)) + request)
        reply, wanted = bytearray(), LENGTH.size
        while len(reply) < wanted:
            unsent = self._send(unsent)
            left = deadline - time.monotonic()
            data = self._receive(self._sending if unsent else self._receiving, max(left, 0))
            if left <= 0 and not data:  # what came while this process itself was held up counts
                raise self._lost(f"ran longer than {seconds:g} s", patience=0)
            reply += data
            if wanted == LENGTH.size <= len(reply):
                wanted += min(LENGTH.unpack_from(reply)[0], LENGTH.size + MAX_BYTES)
        try:
            (number,) = LENGTH.unpack_from(reply, LENGTH.size)
            kind, value, retire = json.loads(reply[2 * LENGTH.size :])
        except (ValueError, TypeError, RecursionError, struct.error):
            number = 0
        if number != self._sent:  # what the engine itself wrote there, by mistake
            raise _LostError("failed", "sent a reply that cannot be read")
        return kind, value, retire

    def _send(self, unsent: memoryview) -> memoryview:
        try:
            return unsent[os.write(self._requests, unsent) :] if unsent else unsent
        except BlockingIOError:
            return unsent
        except BrokenPipeError:  # it died: reading will show that
            return unsent[:0]

    def _receive(self, poll: select.poll, seconds: float) -> bytes:
        """Return the next bytes of the reply, if any come in time; swallow what is printed."""
        ready = [fd for fd, _ in poll.poll(seconds * 1_000)]
        if self._prints in ready:
            self._swallow()
        data = os.read(self._replies, _CHUNK) if self._replies in ready else b""
        # A dead worker's pipe stays open where a process that it forked holds it.
        if not data and (self._replies in ready or any(fd in ready for fd in self._end)):
            raise self._lost("closed its pipe", patience=_ENDING)
        return data

    def _swallow(self) -> None:
        with contextlib.suppress(BlockingIOError):
            printed = os.read(self._prints, _CHUNK)
            self._tail = (self._tail + printed)[-_TAIL:]
            if not printed:  # closed: poll would report it for ever
                for poll in (self._receiving, self._sending):
                    with contextlib.suppress(KeyError):
                        poll.unregister(self._prints)

    def _lost(self, alive: str, patience: float) -> _LostError:
        """Say how the process ended, or ``alive`` if it has not, and leave nothing running."""
        with contextlib.suppress(subprocess.TimeoutExpired):
            self.process.wait(patience)
        self.kill()
        self._swallow()
        code = self.process.returncode
        if code is None:
            return _LostError("failed", alive)
        if code in (1, -signal.SIGABRT) and any(word in self._tail for word in _NO_MEMORY):
            return _LostError("memory", None)
        lines = self._tail.decode(errors="replace").split("\n")
        printed = [line.strip()[:200] for line in lines if line.strip()]
        last_words = f"; it last said: {printed[-1]}" if printed else ""
        if code >= 0:
            return _LostError("failed", f"exited with code {code}{last_words}")
        name = next((known.name for known in signal.Signals if known == -code), "real-time")
        return _LostError("failed", f"was killed by signal {-code} ({name}){last_words}")

    def kill(self) -> None:
        """Kill the process and all that it started."""
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self.process.pid, signal.SIGKILL)

    def end(self) -> None:
        """Kill, reap and close; nothing of the worker is left."""
        self.kill()
        self.process.wait()
        self.close()

    def close(self) -> None:
        """Close this process's ends of the pipes."""
        for fd in (self._requests, self._replies, *self._end):
            os.close(fd)
        for pipe in (self.process.stdin, self.process.stdout):
            assert pipe is not None
            pipe.close()


def _end_of(pid: int) -> list[int]:
    """Return a descriptor that can be read once a process has ended, where the system has such."""
    if sys.platform != "linux":
        return []
    with contextlib.suppress(OSError):  # an old kernel
        return [os.pidfd_open(pid)]
    return []


def _path() -> list[str]:
    return [str(entry) for entry in sys.path]


def _plugin_settings() -> dict[str, str]:
    # asked at every call: to decode all values as well would take longer than a short call does
    names = [name for name in os.environb if name.startswith(b"HARNESS_")]
    return {os.fsdecode(name): os.fsdecode(os.environb[name]) for name in names}


def _environment() -> dict[str, str]:
    kept = {name: os.environ[name] for name in _ENVIRONMENT if name in os.environ}
    return kept | _plugin_settings() | {"PYTHONPATH": os.pathsep.join(_path())}


def _request(function: str, args: tuple[Any, ...], seconds: float, memory_mb: int) -> bytes:
    body = {"call": function, "args": args, "seconds": seconds, "memory_mb": memory_mb}
    try:
        request = json.dumps(body, allow_nan=False).encode()
    except (TypeError, ValueError, RecursionError) as error:
        raise EngineError(f"{function} was given something that is not JSON: {error}") from None
    if len(request) > MAX_BYTES:
        raise EngineError(f"{function} was given {too_big(len(request))}")
    return request


def _after_fork() -> None:
    for guard in list(_guards):
        guard._after_fork()


def _close_all() -> None:
    for guard in list(_guards):
        guard.close()


_guards: weakref.WeakSet[Guard] = weakref.WeakSet()
_shared = Guard()
atexit.register(_close_all)
os.register_at_fork(after_in_child=_after_fork)
