"""What becomes of a record: its label is proved, or one of these errors says why not."""

from __future__ import annotations

from typing import TypeVar

T = TypeVar("T")


class UncheckedError(Exception):
    """A record is too large, or of a form that is not known here: that says nothing of its label."""


class RefutedError(Exception):
    """A certificate does not prove its label."""


def known(value: T | None, otherwise: str) -> T:
    """Return what has to be there, or to be true, for a record to be checkable."""
    if not value:
        raise UncheckedError(otherwise)
    return value


def proven(value: object, otherwise: str) -> None:
    """Go on if something is true that the proof of a label needs."""
    if not value:
        raise RefutedError(otherwise)
