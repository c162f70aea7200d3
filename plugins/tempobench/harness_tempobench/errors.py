"""Every error of this plugin that a user can cause, each one line long."""

from __future__ import annotations

from harness import HarnessError


class TempobenchError(HarnessError):
    """Base of this plugin's errors."""


class HoaError(TempobenchError):
    """Text that is no HOA automaton, or one that is no Mealy machine."""


class SynthesisError(TempobenchError):
    """A specification that cannot be synthesised here: unrealizable, or beyond the limits of time and memory."""


class CauseError(TempobenchError):
    """An effect that has no cause, or whose cause is beyond the bounds."""
