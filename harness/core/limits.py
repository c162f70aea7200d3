"""Time limits of hooks: a plugin's function that does not return is interrupted, so that a run goes on.

An alarm (``ITIMER_REAL``) raises `Interrupt` inside the function. It reaches Python code, `re` and sleeping in
the main thread; elsewhere, and where an alarm is set already (a call within a call, a guarded worker, a program
that has one of its own), the limit is that of whoever set it. Code that never returns to Python cannot be
interrupted: plugins run native code with `harness_guard`.
"""

from __future__ import annotations

import os
import sys
import threading

# Not those of the module `signal`, which take 5 µs a call to turn functions into enumerations and back.
from _signal import ITIMER_REAL, SIG_DFL, SIGALRM, getitimer, setitimer, signal  # type: ignore
from collections.abc import Callable
from typing import Any

from harness_errors import SpecError

VARIABLE = "HARNESS_HOOK_SECONDS"
LEAST, MOST = 0.001, 86_400.0  # seconds

# By hook. An engine, in its own guarded worker, may take 120 s; a plugin may synthesise one specification
# after the other to say what a directory holds.
_SECONDS = {
    "import": 300.0,
    "generate": 600.0,
    "solve": 600.0,
    "about": 3_600.0,
    "capacity": 3_600.0,
}
_OTHER = 60.0
_AGAIN = 1.0  # seconds until an interrupt that was swallowed comes again


class TooLongError(Exception):
    """A call that was interrupted; the cause is what came out of it, if anything did."""


class Interrupt(BaseException):
    """What the alarm raises. Not an `Exception`: a hook must not take it for one of its own and go on."""


def of(hook: str) -> float:
    """Return the seconds that a hook (or ``import``) may take: its own, or those of the environment.

    Raises:
        SpecError: `VARIABLE` is no number of seconds from `LEAST` to `MOST`.
    """
    text = os.environ.get(VARIABLE)
    if text is None:
        return _SECONDS.get(hook, _OTHER)
    try:
        seconds = float(text)
    except ValueError:
        seconds = 0.0
    if not LEAST <= seconds <= MOST:
        raise SpecError(
            f"{VARIABLE}={text[:80]}: expected a number of seconds from {LEAST} to {MOST:,.0f}"
        )
    return seconds


class _Clock:
    """Whether a limited call is under way, and whether it was interrupted; there is one main thread."""

    active = False
    rung = False


def _ring(*_: object) -> None:
    if _Clock.active:
        _Clock.rung = True
        raise Interrupt


def call(function: Callable[..., Any], arguments: dict[str, Any], seconds: float) -> Any:
    """Return ``function(**arguments)``, which has so many seconds; what it prints goes to standard error.

    Raises:
        TooLongError: it was interrupted. What it made of that is not looked at: a scorer that catches
            everything would call the answer unreadable.
    """
    if threading.current_thread() is not threading.main_thread():
        return function(**arguments)
    printing = sys.stdout
    sys.stdout = sys.stderr  # ours is for results alone
    try:
        if getitimer(ITIMER_REAL)[0]:
            return function(**arguments)
        return _limited(function, arguments, seconds)
    finally:
        sys.stdout = printing


def _limited(function: Callable[..., Any], arguments: dict[str, Any], seconds: float) -> Any:
    before = signal(SIGALRM, _ring)
    cause: BaseException | None = None
    result = None
    try:
        try:
            _Clock.active, _Clock.rung = True, False
            setitimer(ITIMER_REAL, seconds, _AGAIN)
            result = function(**arguments)
        finally:
            _Clock.active = False  # first: an alarm from here on is nothing to anybody
            setitimer(ITIMER_REAL, 0)
            signal(SIGALRM, SIG_DFL if before is None else before)
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        if not _Clock.rung:
            raise
        cause = error
    if _Clock.rung:
        raise TooLongError(f"took longer than {seconds:g} s") from cause
    return result
