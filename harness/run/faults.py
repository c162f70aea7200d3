"""Why requests to a provider failed: told on standard error at once, and kept with the sample that they lost.

Inspect keeps the last failure of a sample alone, which may be a timeout of ours, and tells of none on the way.
"""

from __future__ import annotations

import logging
import os
import socket
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import IO

from harness_errors import EngineError

from harness.core.plugins import one_line
from harness.run.compat import active_generate_config

LINES = 20  # told of one run, at most: a server may word each failure differently
CAUSES = 5  # kept of one sample, at most
# Begins the note of an error that names the causes of all failures of its sample.
NOTE = "requests failed: "
# Clients that send a request again by themselves before they raise anything.
_CLIENTS = ("openai._base_client", "anthropic._base_client", "groq._base_client")
_UNREACHED = {"ConnectError", "ConnectTimeout", "ConnectionRefusedError", "gaierror"}
_WRAPPERS = {"RetryError", "ModelGenerateError"}
_CANNOT = "cannot connect to "


@dataclass(slots=True)
class Run:
    """The failures of one run: which kinds are known at which try, whether anything was answered, a dead server."""

    stream: IO[str]
    known: set[tuple[str, int]] = field(default_factory=set)
    answered: bool = False
    dead: str | None = None


@dataclass(slots=True)
class Sample:
    """The failures of one sample: their causes in order, each once, and how many tries failed in a row.

    ``within`` is the cause that the client noticed in the try under way; it has sent the request again.
    """

    model: str
    address: str
    mask: Callable[[str], str]
    causes: list[str] = field(default_factory=list)
    within: str | None = None
    tries: int = 0
    last: BaseException | None = None

    def cause(self, error: BaseException) -> tuple[str, str]:
        """Return the kind of a failure and its reason: what a server says, or what is behind a client's words."""
        links = _links(error)
        if _UNREACHED & {type(link).__name__ for link in links}:
            numbered = [link for link in links if isinstance(link, OSError) and link.errno]
            why = f": {_reason(numbered[-1])}" if numbered else ""
            return _CANNOT, self.mask(f"{_CANNOT}{self.address}{why}")
        shown = self.mask(one_line(links[0])).partition(" for url ")[0][:200]
        status = getattr(getattr(links[0], "response", None), "status_code", None)
        if status is not None:
            return str(status), shown
        behind = type(links[-1]).__name__
        if behind != type(links[0]).__name__:
            shown += f" ({self.mask(one_line(links[-1]))[:100]})"
        return behind, shown

    def tell(self, kind: str, cause: str) -> None:
        """Tell of a failure in the try under way, unless a sample failed so at this try before."""
        tries = self.tries + 1
        if _run is None or (kind, tries) in _run.known or len(_run.known) >= LINES:
            return
        _run.known.add((kind, tries))
        total = active_generate_config().max_retries
        of = f" of {total + 1}" if total is not None else ""
        start, end = (
            ("\r", "\x1b[K") if _run.stream.isatty() else ("", "")
        )  # over the line of the progress
        _run.stream.write(f"{start}{self.model}: {cause} (try {tries}{of}){end}\n")
        _run.stream.flush()


_run: Run | None = None
_sample: ContextVar[Sample | None] = ContextVar("sample", default=None)


@contextmanager
def watched() -> Iterator[None]:
    """Tell of failures on standard error while the block runs a task."""
    global _run
    before = _run
    _run = Run(sys.stderr)  # Inspect puts another in its place while it runs
    loggers = [logging.getLogger(name) for name in _CLIENTS]
    levels = [logger.level for logger in loggers]
    for logger in loggers:
        logger.addFilter(_sent_again)
        if not logger.isEnabledFor(logging.INFO):
            logger.setLevel(logging.INFO)
    try:
        yield
    finally:
        _run = before
        for logger, level in zip(loggers, levels, strict=True):
            logger.removeFilter(_sent_again)
            logger.setLevel(level)


def begin(model: str, address: str | None, mask: Callable[[str], str]) -> None:
    """Begin a sample, which asks a model at an address; ``mask`` takes keys out of a text.

    Raises:
        EngineError: nothing was answered in this run so far, and a sample before gave up connecting.
    """
    _sample.set(Sample(model, address or "the server", mask))
    if _run is not None and _run.dead:
        error = EngineError(_run.dead)
        error.add_note(NOTE + _run.dead)
        raise error


def answered() -> None:
    """Take note that a request was answered."""
    if _run is not None:
        _run.answered = True
    if (sample := _sample.get()) is not None:
        sample.tries, sample.last, sample.within = 0, None, None


def failed(error: BaseException) -> None:
    """Take note that a try failed, with an error that names no key."""
    if (sample := _sample.get()) is not None:
        kind, cause = sample.cause(error)
        sample.tell(kind, cause)
        if cause not in sample.causes:
            sample.causes = [*sample.causes[: CAUSES - 1], cause]
        sample.tries, sample.last, sample.within = sample.tries + 1, error, None


def _sent_again(record: logging.LogRecord) -> bool:
    """Take note of a failure after which a client sends its request again; its own line is not shown."""
    sample, error = _sample.get(), sys.exc_info()[1]
    if sample is not None and error is not None and record.msg.startswith("Retrying request"):
        kind, sample.within = sample.cause(error)
        sample.tell(kind, sample.within)
    return record.levelno > logging.INFO


def explain(error: Exception) -> None:
    """Add a note of all causes to the error that a sample ends with, where it does not name them itself."""
    sample = _sample.get()
    if sample is None or not (sample.causes or sample.within):
        return
    causes = [*sample.causes, *([sample.within] if sample.within else [])]
    if sample.last not in list(_chain(error)):
        causes.append(sample.cause(error)[1])
    causes = list(dict.fromkeys(causes))
    unreached = all(cause.startswith(_CANNOT) for cause in causes)
    if _run is not None and not _run.answered and unreached:
        _run.dead = causes[-1]
    if len(causes) > 1 or unreached or _links(error)[0] is sample.last:
        error.add_note(NOTE + "; then ".join(causes))


def _links(error: BaseException) -> list[BaseException]:
    """Return an error and those behind it, without what retries wrap them in."""
    return [link for link in _chain(error) if type(link).__name__ not in _WRAPPERS] or [error]


def _chain(error: BaseException | None) -> Iterator[BaseException]:
    """Yield an error and those behind it."""
    seen: set[int] = set()
    while error is not None and id(error) not in seen:
        seen.add(id(error))
        yield error
        if isinstance(error, BaseExceptionGroup) and error.__cause__ is None:
            error = error.exceptions[0]
        else:
            error = error.__cause__ or error.__context__


def _reason(error: OSError) -> str:
    """Return what an error number says; those of names that no server has are numbers of their own."""
    return (
        str(error.strerror) if isinstance(error, socket.gaierror) else os.strerror(error.errno or 0)
    )
