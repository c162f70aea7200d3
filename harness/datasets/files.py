"""Files that are not finished yet: held by one process, never a link to somebody else's, put in place whole."""

from __future__ import annotations

import errno
import fcntl
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

from harness_errors import OutputError


def opened(path: Path) -> int:
    """Open a file for reading and writing, made if it is missing, and return its descriptor.

    A link, a pipe, a device or a folder is refused (`OutputError`), and nothing is changed.
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


@contextmanager
def aside(path: Path, alone: bool = False) -> Iterator[Path]:
    """Give a name beside ``path``; the file written there takes that place at the end of the block, or is removed.

    ``alone``: no other process writes ``path``. Then the name is the same each time, and replaces what a kill left.

    Raises:
        OSError: it cannot be put in its place.
    """
    partial = path.with_name(f".{path.name}{'' if alone else f'.{os.getpid()}'}.new")
    try:
        yield partial
        partial.replace(path)
    finally:
        partial.unlink(missing_ok=True)


def replace(path: Path, text: str, alone: bool = False) -> None:
    """Write a whole text file: whoever looks sees the old one or the new one; see `aside`."""
    with aside(path, alone) as partial, fresh(partial) as file:
        file.write(text)


def held(file: IO[Any] | int, path: Path | None = None) -> bool:
    """Hold an open file or folder until it is closed; return False where another process holds it.

    ``path``: its name, if whoever held it may have removed or renamed it since it was opened; that is False, too.
    """
    descriptor = file if isinstance(file, int) else file.fileno()
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        return path is None or os.path.samestat(os.fstat(descriptor), path.stat())
    except (BlockingIOError, FileNotFoundError):
        return False


def hold(file: IO[Any] | int, busy: str, path: Path | None = None) -> None:
    """Hold a file as `held` does; raises `OutputError` with the message ``busy`` where another process holds it."""
    if not held(file, path):
        raise OutputError(busy)
