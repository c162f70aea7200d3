"""The libraries that reports need beside those of the core."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from harness_errors import EngineError


@contextmanager
def needed() -> Iterator[None]:
    """Say in one line which extra is missing where one of its libraries is."""
    try:
        yield
    except ModuleNotFoundError as error:
        if (error.name or "").split(".")[0] in ("harness", ""):
            raise
        raise EngineError(
            f"this needs {error.name}: pip install 'temporal-harness[report]'"
        ) from None
