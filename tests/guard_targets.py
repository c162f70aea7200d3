"""What tests/test_guard.py runs in worker processes; imported there by name."""

import ctypes
import os
import re
import subprocess
import sys
import time

import harness.errors


def echo(value):
    return value


def segfault():
    ctypes.string_at(0)


def abort_loudly():
    os.write(2, b"first words\nlast words\n")
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
    raise {**vars(harness.errors), **globals(), "ValueError": ValueError}[name](text)


class ForeignError(harness.errors.HarnessError):
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
    time.sleep(30)


def close_prints():
    os.close(1)
    os.close(2)
    time.sleep(0.2)
    return time.process_time()


def with_child():
    """Leave a child behind that keeps all pipes open, and crash."""
    child = subprocess.Popen(["sleep", "60"], close_fds=False)
    os.write(2, b"%d\n" % child.pid)
    os.abort()


def spot_formula(text):
    import spot

    return str(spot.formula(text))


def spot_hog():
    import spot

    spot.formula("a" * 300_000_000)
