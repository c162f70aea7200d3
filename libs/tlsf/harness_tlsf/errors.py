"""The error of text that is no specification in TLSF."""

from __future__ import annotations

from harness_errors import HarnessError


class TlsfError(HarnessError):
    """Text that is no TLSF specification, or one that cannot be evaluated; the message gives line and column."""
