"""What libs/guard/tests/test_guard.py runs in worker processes; imported there by name."""

import contextlib
import ctypes
import importlib
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import harness_errors


def echo(value):
    return value


def segfault():
    ctypes.string_at(0)


def abort_loudly():
    os.write(2, b"first words\nlast words\n")
    os.abort()


def run_out(words):
    """End as native code does that was given no memory."""
    os.write(2, words.encode() + b"\n")
    os.abort()


def leave(code):
    os._exit(code)


def sys_exit(code):
    sys.exit(code)


def spin():
    while True:
        pass


def spin_natively():
    """Stay for ages inside C code that never lets go of the interpreter lock."""
    re.match(r"(a+)+$", "a" * 40 + "b")


def hang_natively():
    """Sleep inside C code that never lets go of the interpreter lock."""
    if "HARNESS_HANGS" in os.environ:  # who waits for it knows that it is not merely slow
        Path(os.environ["HARNESS_HANGS"], f"{os.getpid()}-{time.monotonic_ns()}").touch()
    ctypes.PyDLL(None).sleep(600)


def telling(path, name, *args):
    """Call another of these functions once it is written down which process does."""
    part = Path(f"{path}.part")
    part.write_text(str(os.getpid()))
    part.rename(path)
    return globals()[name](*args)


def ages(left):
    """Let this worker be replaced after so many calls more, or a few less."""
    worker = sys.modules["__main__"]
    worker.MAX_CALLS = left


def sleep(seconds):
    time.sleep(seconds)


def meets(folder, own, others):
    """Return once as many calls as are asked for were under way with this one, and a while after."""
    Path(folder, str(own)).touch()
    deadline = time.monotonic() + 300
    while len([*Path(folder).iterdir()]) < others:
        assert time.monotonic() < deadline, "nobody came"
        time.sleep(0.01)
    time.sleep(0.2)


def kill_parent():
    os.kill(os.getppid(), signal.SIGKILL)
    time.sleep(600)


def hog():
    hoard = []
    while True:
        hoard.append(bytearray(10_000_000))


def huge(size):
    return "x" * size


def noise(lines):
    for _ in range(lines):
        os.write(1, b"\x00\x00\x00\x02{}[noise]\n" * 100)
        os.write(2, b"more\n" * 100)
    print("from Python")
    sys.stdout.flush()
    ctypes.CDLL(None).puts(b"from C")
    return [lines, sys.stdin.read()]


def recurse(depth=0):
    return recurse(depth + 1)


def fail(name, text):
    raise {**vars(harness_errors), **globals(), "ValueError": ValueError}[name](text)


class ForeignError(harness_errors.HarnessError):
    pass


def not_json(kind):
    nested = []
    for _ in range(100_000):
        nested = [nested]
    return {"set": {1}, "nan": float("nan"), "nested": nested}[kind]


def environment():
    return dict(os.environ)


def close_pipes():
    os.closerange(3, 100)
    time.sleep(600)


def close_prints():
    os.close(1)
    os.close(2)
    time.sleep(0.2)


def with_child():
    """Leave a child behind that keeps all pipes open, and crash."""
    child = subprocess.Popen(["sleep", "600"], close_fds=False)
    os.write(2, b"%d\n" % child.pid)
    os.abort()


def forked(what):
    """Leave a fork behind that keeps all pipes open: one that idles, or one that comes back, too."""
    if os.fork() == 0:
        if what == "idles":
            time.sleep(600)
        return f"the fork of {what}"
    if what == "idles":
        segfault()
    time.sleep(0.2)
    return what


def forks_and_spins(folder):
    """Write down the numbers of this process and of a fork, and stay in native code, both of them."""
    os.fork()
    Path(folder, str(os.getpid())).touch()
    spin_natively()


def scribble(after):
    """Write what is no reply on every pipe there is; then answer."""
    for fd in range(3, 200):
        with contextlib.suppress(OSError):
            os.write(fd, after.encode("latin-1"))
    return "an answer"


BOUNDS = {
    "harness_ltlbench.engines.spot": (
        "SMALL",
    ),  # operators up to which Spot is asked without a dry run
    "harness_vltl.engines.spot": ("SMALL",),
    "harness_tempobench.engines.spot": ("MAX_CELLS",),
    "harness_tempobench.engines.corp": (
        "MAX_SIZE",
        "MAX_LAYERS",
        "MAX_MATRIX",
        "MAX_SIMULATION",
        "MAX_SUBSETS",
        "MAX_LEFT",
    ),
}


def unbounded(function, limits, *args):
    """Return a function's result where no engine holds itself back, nor in workers of its own."""
    import harness_guard

    def call(function, *args, **_):
        return inside.call("guard_targets:unbounded", function, limits, *args, **limits)

    lifted = {
        (importlib.import_module(module), name): 10**9
        for module, names in BOUNDS.items()
        for name in names
    } | {(harness_guard, "call"): call}
    before = {(module, name): getattr(module, name) for module, name in lifted}
    module, _, name = function.partition(":")
    with harness_guard.Guard(workers=1) as inside:
        try:
            for (owner, bound), value in lifted.items():
                setattr(owner, bound, value)
            return getattr(importlib.import_module(module), name)(*args)
        finally:
            for (owner, bound), value in before.items():
                setattr(owner, bound, value)


def spot_formula(text):
    import spot

    return str(spot.formula(text))


def spot_hog():
    import spot

    spot.formula("a" * 300_000_000)
