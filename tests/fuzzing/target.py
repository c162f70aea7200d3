"""What is fuzzed: a function from bytes to nothing that raises only where a property is violated."""

import json
import signal
import threading
import time
import traceback
import zlib
from collections.abc import Callable
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from pace import pace

from fuzzing.mutation import data_of, mutated, mutated_bytes, mutated_tree, text_of

SECONDS = 1.0  # of the processor that looking at one input may take
HANGS = 600.0  # seconds after which an input is given up, however busy the machine is


class Broken(AssertionError):
    """A property that does not hold."""


class TooLate(BaseException):
    """Not an `Exception`: what is looked at must not take it for one of its own."""


@dataclass(frozen=True)
class Target:
    """One parser with its properties.

    ``check(data)`` raises only where a property is violated. ``make()`` returns the seeds, ``kind`` says
    how they are mutated: text, JSON trees or bytes. ``prefix`` is how many bytes in front of the text
    choose the item. ``seconds`` of the processor are what one input may take.
    """

    name: str
    check: Callable[[bytes], None]
    make: Callable[[], list[bytes]]
    words: tuple[str, ...] = ()
    kind: str = "text"
    prefix: int = 0
    seconds: float = SECONDS

    def __hash__(self):
        return hash(self.name)

    @cached_property
    def seeds(self):
        return self.make()

    @cached_property
    def bodies(self):
        bodies = [seed[self.prefix :] for seed in self.seeds]
        return bodies if self.kind == "bytes" else [text_of(body) for body in bodies]

    @cached_property
    def trees(self):
        return [json.loads(body) for body in self.bodies] if self.kind == "tree" else []

    def mutate(self, rng, data):
        """Return another input, made of one that need not be a seed."""
        head, body = data[: self.prefix], data[self.prefix :]
        if self.prefix and (len(head) < self.prefix or rng.random() < 0.05):
            head = rng.randbytes(self.prefix)
        if self.kind == "bytes" or rng.random() < 0.02:
            others = (
                self.bodies
                if self.kind == "bytes"
                else [b.encode("utf-8", "replace") for b in self.bodies]
            )
            return head + mutated_bytes(rng, body, others)
        if self.kind == "tree" and rng.random() < 0.9:
            try:
                tree = json.loads(text_of(body))
                return head + data_of(json.dumps(mutated_tree(rng, tree, self.trees, self.words)))
            except (ValueError, RecursionError):
                pass
        return head + data_of(mutated(rng, text_of(body), self.bodies, self.words))

    def run(self, data):
        """Check one input within bounds of time."""
        with _alarm():
            for attempt in range(3):
                start = time.process_time()
                self.check(data)
                spent = time.process_time() - start
                if spent <= self.seconds:
                    return
                if attempt == 2 and spent > self.seconds * pace():
                    raise Broken(f"takes {spent:.2f} s of the processor")


@contextmanager
def _alarm():
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def interrupt(*_):
        raise TooLate

    before = signal.signal(signal.SIGALRM, interrupt)
    signal.setitimer(signal.ITIMER_REAL, HANGS)
    try:
        yield
    except TooLate:
        raise Broken(f"is not done after {HANGS:g} s") from None
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def now_and_then(data, share=4):
    """Return whether a costly property is looked at, which the input alone decides."""
    return zlib.crc32(data) % share == 0


def require(holds, message):
    if not holds:
        raise Broken(message() if callable(message) else message)


def finding(error):
    """Return what tells one finding from another: the error and the lines of ours it came through."""
    frames = traceback.extract_tb(error.__traceback__)
    own = [f for f in frames if "/harness" in f.filename or "/fuzzing/targets" in f.filename]
    places = [f"{Path(f.filename).name}:{f.lineno}" for f in own[-3:]]
    said = str(error)[:60] if isinstance(error, Broken) else ""
    return f"{type(error).__name__} {' '.join(places)} {said!a}"
