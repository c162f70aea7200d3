"""The worker's side of `harness_guard`: ``python -m harness_guard.worker`` answers its calls.

Started by `harness_guard` alone, and kept light, for every worker imports it first. The limits
and the frame of messages stand here, as both sides know them.
"""

from __future__ import annotations

import fcntl
import importlib
import json
import os
import resource
import signal
import struct
import sys
from collections.abc import Callable
from functools import cache
from typing import Any, cast

from harness_errors import HarnessError

MAX_BYTES = 16 * 2**20  # of one request or one reply
MAX_CALLS = 5_000  # then a worker is replaced: native libraries leak

LENGTH = struct.Struct(">I")
_GRACE = 5.0  # seconds after which a worker ends itself when its parent should have ended it
_MEMORY_REPLY = b'["memory",null,true]'  # made in advance: there may be no memory to make it


def _serve(requests: int, replies: int) -> None:
    """Answer requests until the pipe closes."""
    _settle(requests, replies)
    functions: dict[str, Callable[..., Any]] = {}
    calls, pid = 0, os.getpid()
    while request := _read_request(requests):
        calls += 1
        reply = _answer(request, functions, calls >= MAX_CALLS)
        if os.getpid() != pid:  # a fork that came back: its reply would be that to the next call
            os._exit(1)
        signal.setitimer(signal.ITIMER_REAL, 0)
        _limit_memory(resource.RLIM_INFINITY)  # a call's limits are not for imports, or the next
        head = LENGTH.pack(LENGTH.size + len(reply)) + LENGTH.pack(calls)
        unsent = memoryview(head + reply)
        while unsent:
            unsent = unsent[os.write(replies, unsent) :]


def _settle(requests: int, replies: int) -> None:
    """Keep prints off the pipes, dump no core, and die with the parent."""
    lifeline = os.dup(0)
    with open(os.devnull, "rb") as nothing:  # noqa: PTH123 - only the descriptor is of use
        os.dup2(nothing.fileno(), 0)
    for fd in (requests, replies):
        os.set_inheritable(fd, False)
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    signal.pthread_sigmask(signal.SIG_SETMASK, [])
    for number in (signal.SIGINT, signal.SIGALRM, signal.SIGIO):
        signal.signal(number, signal.SIG_DFL)  # no Python handler runs inside native code
    # When the parent dies its end of the lifeline closes and the kernel sends SIGIO, which is fatal
    # on Linux, to this worker's process group: to what it has forked as well. (PR_SET_PDEATHSIG
    # would fire as soon as the *thread* that started this worker ends.) macOS ignores SIGIO: there
    # the timer of each call does it, later.
    fcntl.fcntl(lifeline, fcntl.F_SETOWN, -os.getpgrp())
    fcntl.fcntl(lifeline, fcntl.F_SETFL, fcntl.fcntl(lifeline, fcntl.F_GETFL) | os.O_ASYNC)


def _read_request(fd: int) -> bytes:
    """Return the next request, or nothing when the parent is gone."""
    data, wanted = bytearray(), LENGTH.size
    while len(data) < wanted:
        chunk = os.read(fd, min(wanted - len(data), 2**20))
        if not chunk:
            return b""
        data += chunk
        if len(data) == wanted == LENGTH.size:
            wanted += LENGTH.unpack(data)[0]
    return bytes(data[LENGTH.size :])


def _answer(request: bytes, functions: dict[str, Callable[..., Any]], old: bool) -> bytes:
    """Return the reply: kind, value, and whether this worker should be replaced."""
    failure, enough = "raised", 0 if old else sys.maxsize
    try:
        message = json.loads(request)
        signal.setitimer(signal.ITIMER_REAL, message["seconds"] + _GRACE)
        if "load" in message:
            failure = "cannot be imported:"
            functions[message["load"]] = _load(message["load"], message["path"])
            return _reply("ok", None, enough)
        _limit_memory(message["memory_mb"] * 2**20)
        enough = min(enough, message["memory_mb"] * 2**19)  # half of it: leave room for work
        return _reply("ok", functions[message["call"]](*message["args"]), enough)
    except MemoryError:
        return _MEMORY_REPLY
    except HarnessError as error:
        return _reply(type(error).__name__, str(error), enough)
    except Exception as error:
        if "bad_alloc" in str(error):  # as bindings render C++'s MemoryError
            return _MEMORY_REPLY
        reason = " ".join(str(error).split())[:500]
        return _reply("failed", f"{failure} {type(error).__name__}: {reason}", enough)


def _reply(kind: str, value: Any, enough: int) -> bytes:
    """Encode a reply; a worker that holds more than ``enough`` bytes is to be replaced."""
    try:
        reply = json.dumps([kind, value, _resident() > enough], allow_nan=False).encode()
    except (TypeError, ValueError, RecursionError) as error:
        return _reply("failed", f"returned something that is not JSON: {error}", enough)
    if len(reply) > MAX_BYTES:
        return _reply("failed", f"returned {too_big(len(reply))}", enough)
    return reply


def too_big(size: int) -> str:
    """Say how much too big a message is."""
    return f"{size / 2**20:.1f} MB of JSON, more than {MAX_BYTES / 2**20:g} MB"


def _load(function: str, path: list[str]) -> Callable[..., Any]:
    sys.path[:] = path
    module, _, name = function.partition(":")
    return cast("Callable[..., Any]", getattr(importlib.import_module(module), name))


def _limit_memory(size: int) -> None:
    if sys.platform == "darwin":  # there RLIMIT_AS is refused, or accepted and not enforced
        return
    _, most = resource.getrlimit(resource.RLIMIT_AS)
    if most != resource.RLIM_INFINITY and (size == resource.RLIM_INFINITY or size > most):
        size = most
    resource.setrlimit(resource.RLIMIT_AS, (size, most))


@cache
def _statm() -> int:
    """Return a descriptor of what the system says of this process's memory: to open it takes longest."""
    return os.open("/proc/self/statm", os.O_RDONLY)


def _resident() -> int:
    """Return the bytes of memory this process holds (on macOS: the most it ever held)."""
    try:
        return int(os.pread(_statm(), 100, 0).split()[1]) * resource.getpagesize()
    except OSError:
        # Not on Linux: a worker inherits this figure from the process that started it.
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss


if __name__ == "__main__":
    _serve(int(sys.argv[1]), int(sys.argv[2]))
