"""A cache of JSON values on disk, one file for each key, named by the key's digest.

It lies in ``$XDG_CACHE_HOME/temporal-harness/tempobench`` or ``~/.cache/…``; the environment
variable ``HARNESS_TEMPOBENCH_CACHE`` names another directory, or switches it off (``off``). It can
be deleted at any time. Nothing that happens to it is an error: what cannot be read, or was changed
since it was written, is made anew; what cannot be written is not kept.
"""

from __future__ import annotations

import contextlib
import json
import os
import tempfile
from hashlib import sha256
from pathlib import Path
from typing import Any

MAX_BYTES = 32 * 2**20
"""The largest file read."""


def directory() -> Path | None:
    """Return where the files lie; None if there is to be no cache."""
    chosen = os.environ.get("HARNESS_TEMPOBENCH_CACHE", "")
    if chosen:
        return None if chosen == "off" else Path(chosen)
    base = Path(os.environ.get("XDG_CACHE_HOME", ""))
    if not base.is_absolute():  # what the XDG specification says to do then
        try:
            base = Path.home() / ".cache"
        except RuntimeError:
            return None
    return base / "temporal-harness" / "tempobench"


def load(key: Any) -> Any:
    """Return the value stored for a key (JSON), None if there is none."""
    path = _path(key)
    try:
        if path is None or path.stat().st_size > MAX_BYTES:
            return None
        digest, _, body = path.read_bytes().partition(b"\n")
        if digest != _digest(body).encode():
            return None
        return json.loads(body)
    except (OSError, ValueError, RecursionError):
        return None


def store(key: Any, value: Any) -> None:
    """Keep a value (JSON) for a key; readers see all of it or nothing."""
    path = _path(key)
    if path is None:
        return
    body = json.dumps(value, separators=(",", ":")).encode()
    with contextlib.suppress(OSError):
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(dir=path.parent, suffix=".new")
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(_digest(body).encode() + b"\n" + body)
            Path(name).replace(path)
        except BaseException:
            Path(name).unlink(missing_ok=True)
            raise


def _path(key: Any) -> Path | None:
    base = directory()
    return base and base / f"{_digest(json.dumps(key).encode())}.json"


def _digest(data: bytes) -> str:
    return sha256(data).hexdigest()
