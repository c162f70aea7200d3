"""Programs that tests start: none outlives its test, and no clock says how far one is."""

from __future__ import annotations

import multiprocessing
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import Any
from warnings import catch_warnings, simplefilter

# `harness`, which on a slow machine would say now and then how far it is.
QUIET = "from harness.datasets import progress; progress.SELDOM = float('inf')"
COMMAND = [
    sys.executable,
    "-c",
    f"import sys; {QUIET}; from harness.cli.main import main; sys.exit(main())",
]
SECONDS = 240.0  # more than an honest program needs: on a machine that does much else, one starts in a minute


@contextmanager
def started(*words: Any, **options: Any) -> Iterator[subprocess.Popen[str]]:
    """Run a program for the length of a with block at most."""
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    with subprocess.Popen(words, text=True, **pipes, **options) as child:
        try:
            yield child
        finally:
            child.kill()


def until(true: Callable[[], object], child: subprocess.Popen[str] | None = None) -> None:
    """Wait until something is true; a program that is to make it so must not end before."""
    deadline = time.monotonic() + SECONDS
    while not true():
        assert child is None or child.poll() is None, f"it ended before: {child.communicate()}"
        assert time.monotonic() < deadline, f"it did not come about in {SECONDS:g} s"
        time.sleep(0.01)


def ended(child: subprocess.Popen[str]) -> tuple[str, str]:
    """Wait for the end of a program; return what it said on both of its outputs."""
    return child.communicate(timeout=SECONDS)


# A kill at a moment drawn by a clock may come before a slow process has begun, or after a quick one has ended.
# These count what happens in it, which is the same on every machine: calls and returns of all functions.


def steps_of(work: Callable[[], object]) -> int:
    """Return how many steps some work takes."""
    count = 0

    def step(*_: object) -> None:
        nonlocal count
        count += 1

    sys.setprofile(step)
    work()
    sys.setprofile(None)
    return count


def killed_at(number: int) -> None:
    """Have this process killed at a step from here on."""
    left = number

    def step(*_: object) -> None:
        nonlocal left
        left -= 1
        if not left:
            os.kill(os.getpid(), signal.SIGKILL)

    sys.setprofile(step)


@contextmanager
def forked(work: Callable[[], int], said: Path) -> Iterator[BaseProcess]:
    """Do some work in a fork of this process, which has imported all, for the length of a with block at most.

    What it says on both of its outputs is found in a file, and what the work returns is its exit code.
    """

    def body() -> None:
        with said.open("w", 1) as file, redirect_stdout(file), redirect_stderr(file):
            code = work()
        os._exit(code)

    with catch_warnings():
        simplefilter(
            "ignore", DeprecationWarning
        )  # of threads: those of a server that listens here
        process = multiprocessing.get_context("fork").Process(target=body)
        process.start()
    try:
        yield process
    finally:
        process.kill()
        process.join()
