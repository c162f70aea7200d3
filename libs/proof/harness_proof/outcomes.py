"""What becomes of a record: its label is proved, or one of these errors says why not."""

from __future__ import annotations


class UncheckedError(Exception):
    """A record is too large, or of a form that is not known here: that says nothing of its label."""


class RefutedError(Exception):
    """A certificate does not prove its label."""


def known(value: object, otherwise: str) -> None:
    """Go on if something is true that a record has to be to be checkable."""
    if not value:
        raise UncheckedError(otherwise)


def proven(value: object, otherwise: str) -> None:
    """Go on if something is true that the proof of a label needs."""
    if not value:
        raise RefutedError(otherwise)
