"""A sweep that was interrupted: which runs it had begun, so that the same command repeats none that is finished."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from dataclasses import dataclass, field
from pathlib import Path

from harness_errors import OutputError

from harness.core.files import replace
from harness.core.items import digest
from harness.core.spec import Spec


@dataclass(slots=True)
class Sweep:
    """The names of the runs that one command has begun; ``earlier`` are those of a command that was interrupted."""

    path: Path
    earlier: set[str] = field(default_factory=set)
    lacking: bool = False  # whether a run of it ended with items that the provider failed on
    after: list[Callable[[], None]] = field(default_factory=list)  # what to forget when all is done
    _begun: set[str] = field(default_factory=set)

    def begin(self, run: str) -> None:
        """Note a run before its first question is asked.

        Raises:
            OSError: the note cannot be written.
        """
        self._begun.add(run)
        replace(self.path, json.dumps(sorted(self._begun | self.earlier)))

    def took(self, run: str) -> None:
        """Note that a finished run stands for one point of the sweep, and for no other."""
        self._begun.add(run)
        self.earlier.discard(run)


_current: ContextVar[Sweep | None] = ContextVar("_current", default=None)


def current() -> Sweep | None:
    """Return the sweep that is under way, None where a single run is."""
    return _current.get()


@contextmanager
def under_way(specs: Sequence[Spec]) -> Iterator[Sweep | None]:
    """Keep a note of the runs of a command among its logs until all of them are done; None for a single run.

    Raises:
        OutputError: the directory of the logs cannot be made or written.
    """
    sweep = noted(specs)
    if sweep is None:
        yield None
        return
    folder = sweep.path.parent
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise OutputError(f"{folder}: the log cannot be written: {error.strerror}") from None
    token = _current.set(sweep)
    try:
        yield sweep
    finally:
        _current.reset(token)
    for forget in sweep.after:
        forget()
    if not sweep.lacking:
        with suppress(OSError):  # what is left of it is one command that has nothing to do
            sweep.path.unlink(missing_ok=True)


def noted(specs: Sequence[Spec]) -> Sweep | None:
    """Return the sweep that specs are, with the runs that an interrupted command has begun; None for a single run."""
    if len(specs) == 1:
        return None
    runs = [{**spec.data(), "options": dict(spec.options), "shown": spec.shown} for spec in specs]
    path = Path(specs[0].log_dir) / f".{digest(runs)[:20]}.sweep"
    return Sweep(path, _read(path) if specs[0].resume else set())


def _read(path: Path) -> set[str]:
    try:
        note = json.loads(path.read_text())
    except (OSError, ValueError, RecursionError):
        return set()
    return {name for name in note if isinstance(name, str)} if isinstance(note, list) else set()
