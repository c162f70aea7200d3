"""Every error a user can cause, each one line long when shown.

The command line prints ``str(error)`` and exits with ``error.exit_code``; anything that
is not a `HarnessError` is a defect of ours and keeps its traceback.
"""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches


class HarnessError(Exception):
    """Base of all errors a user can cause; the message says what, where and what would be right."""

    exit_code = 2


class SpecError(HarnessError):
    """A key, value, range, preset, strategy or model name that does not exist or does not fit."""


class PluginError(HarnessError):
    """A plugin that cannot be found, imported or trusted to keep the contract."""


class DatasetError(HarnessError):
    """A dataset that is missing, unreadable, malformed, or made for something else."""


class UnansweredError(DatasetError):
    """Recorded answers of which none is to one of the items."""


class OutputError(HarnessError):
    """An output that exists already or cannot be written."""

    exit_code = 1


class ExhaustedError(HarnessError):
    """A configuration that cannot yield as many distinct items as were asked for."""


class EngineError(HarnessError):
    """An engine that failed: crashed, ran out of time or memory, or contradicted itself."""

    exit_code = 1


class Abstained(EngineError):
    """An engine that declines a problem beyond its bounds: no answer, and not a failure."""


def named(kind: str, message: str) -> HarnessError:
    """Return the error that another process reports, by the name of its class.

    It is an `EngineError` where that class is none of ours, as a plugin's own.
    """
    known = globals().get(kind)
    if isinstance(known, type) and issubclass(known, HarnessError):
        return known(message)
    return EngineError(message)


_LISTED = 400  # characters of names in a hint


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """Return a hint for an unknown name: the nearest known one, else the list, cut where it is long."""
    names = sorted(known)
    near = get_close_matches(name, names, n=1, cutoff=0.6)
    if near:
        return f"did you mean '{near[0]}'?"
    shown = ", ".join(names)
    if len(shown) > _LISTED:
        shown = shown[:_LISTED].rpartition(", ")[0]
        shown += f" and {len(names) - shown.count(', ') - 1} more"
    return f"known: {shown}" if names else "there are none"
