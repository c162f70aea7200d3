"""What the blind solvers share: the error for a prompt that a solver cannot read."""

from __future__ import annotations


class UnreadError(Exception):
    """A prompt, or an answer, that a solver cannot read; the message says which words."""
