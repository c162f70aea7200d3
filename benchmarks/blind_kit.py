"""What the blind solvers share: errors for prompts that they cannot read, or that are not true."""

from __future__ import annotations


class UnreadError(Exception):
    """A prompt, or an answer, that a solver cannot read; the message says which words."""


class UntrueError(Exception):
    """A prompt that says what is not so, of which a solver can be sure; counted as a difference."""
