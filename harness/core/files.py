"""Opening files that are not finished yet: never through a link, which may lead to a file of somebody else's."""

from __future__ import annotations

import errno
import os
import stat
from pathlib import Path
from typing import IO

from harness_errors import OutputError


def opened(path: Path) -> int:
    """Open a file for reading and writing, made if it is missing, and return its descriptor.

    Raises:
        OutputError: a link, a pipe, a device or a folder lies there; nothing was changed.
        OSError: it cannot be opened.
    """
    flags = os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
    try:
        descriptor = os.open(path, flags, 0o666)
    except OSError as error:
        # A pipe without a reader, a socket, a link, a folder.
        if error.errno in (errno.ELOOP, errno.ENXIO, errno.EISDIR):
            raise _not_ours(path) from None
        raise
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        raise _not_ours(path)
    return descriptor


def _not_ours(path: Path) -> OutputError:
    return OutputError(
        f"{path} is a link or no regular file; remove it, or choose another name than the one it stands in for"
    )


def fresh(path: Path) -> IO[str]:
    """Open a new text file under a name that is ours alone; what a kill left there, or a link, is removed first."""
    path.unlink(missing_ok=True)
    return path.open("x", encoding="utf-8", newline="\n")
