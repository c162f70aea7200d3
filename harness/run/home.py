"""Folders for what libraries keep between runs, where the user's home cannot be written."""

from __future__ import annotations

import atexit
import os
import shutil
import tempfile
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

FOLDERS: Mapping[str, str] = {
    "XDG_DATA_HOME": "~/.local/share",
    "XDG_CACHE_HOME": "~/.cache",
    "XDG_CONFIG_HOME": "~/.config",
}
"""Variables of the XDG specification, and the folders that stand for them where they are not set."""


def replace_unwritable() -> None:
    """Name temporary folders in the environment for those of `FOLDERS` that cannot be written.

    Inspect refuses to run without its own, and its complaint would read as one about the log.
    """
    for variable, default in FOLDERS.items():
        if not _is_writable(os.environ.get(variable) or default):
            with suppress(OSError):  # no temporary folder either: a run says so
                os.environ[variable] = folder = tempfile.mkdtemp(prefix="harness-home-")
                atexit.register(_remove, folder, os.getpid())


def _is_writable(folder: str) -> bool:
    """Return whether a folder can be written, or made; nothing is made."""
    try:
        path = Path(folder).expanduser()
        while not (path.exists() or path.is_symlink()):
            path = path.parent
        return path.is_dir() and os.access(path, os.W_OK | os.X_OK)
    except (OSError, RuntimeError):  # a folder that may not be searched; nobody knows where home is
        return False


def _remove(folder: str, process: int) -> None:
    if os.getpid() == process:  # not a fork of it
        shutil.rmtree(folder, ignore_errors=True)
