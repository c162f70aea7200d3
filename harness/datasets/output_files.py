"""Files and folders that stand under their names only when all of them is written, with a manifest beside them."""

from __future__ import annotations

import hashlib
import os
import shutil
from collections.abc import Collection, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

from harness_errors import OutputError, SpecError

from harness.datasets import manifests, reading
from harness.datasets.files import hold, opened, replace


def check_ending(path: Path, suffix: str) -> None:
    """Refuse a name that does not end as what is written."""
    if path.suffix != suffix:
        raise SpecError(f"out={str(path)[:200]}: expected a name that ends in {suffix}")


def _must_be_new(path: Path) -> None:
    if path.exists() or path.is_symlink():
        raise OutputError(f"{path} exists; choose another out= or remove it")


def _busy(partial: Path, what: str) -> str:
    return f"{partial}: another process is writing {what}; wait for it, or choose another out="


@contextmanager
def unfinished(path: Path, what: str = "this") -> Iterator[IO[bytes]]:
    """Hold the file ``<path>.partial`` for this process, with what an earlier try left in it, and give it open.

    Refused (`OutputError`) where ``path`` exists, or another process is writing it (``what`` it is to a user).
    """
    _must_be_new(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    partial = path.with_name(path.name + ".partial")
    with os.fdopen(opened(partial), "r+b") as file:
        hold(file, _busy(partial, what))
        try:
            _must_be_new(path)  # again: another process may just have finished it
        except OutputError:
            if partial.exists() and not partial.stat().st_size:
                partial.unlink()  # made only to be held
            raise
        yield file


@contextmanager
def whole_file(path: Path) -> Iterator[IO[bytes]]:
    """Give a file that stands under its name only when all of it is written.

    Raises:
        OutputError: it exists, another process is writing it, or an unfinished dataset lies there.
        OSError: it cannot be written.
    """
    _must_be_new(path)
    partial = path.with_name(path.name + ".partial")
    if partial.with_name(partial.name + ".json").exists():
        raise OutputError(
            f"{partial} belongs to an unfinished harness generate; finish it, or choose another out="
        )
    with unfinished(path) as file:
        file.truncate()
        try:
            yield file
        except BaseException:
            partial.unlink()
            raise
        partial.rename(path)


@contextmanager
def whole_folder(path: Path, parts: Collection[str]) -> Iterator[Path]:
    """Give a folder that stands under its name only when all of it is written.

    ``parts`` are the names of what is written into it: those that a killed process left are removed.

    Raises:
        OutputError: it exists, another process is writing it, or something else lies there.
        OSError: it cannot be written.
    """
    _must_be_new(path)
    partial = path.with_name(path.name + ".partial")
    if partial.is_symlink():
        raise OutputError(f"{partial} is a link; remove it, or choose another out=")
    partial.mkdir(parents=True, exist_ok=True)
    descriptor = os.open(partial, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
    try:
        hold(descriptor, _busy(partial, "this"))
        _must_be_new(path)
        _clear(partial, parts)
        try:
            yield partial
        except BaseException:
            shutil.rmtree(partial)
            raise
        partial.rename(path)
    finally:
        os.close(descriptor)


def _clear(partial: Path, parts: Collection[str]) -> None:
    """Remove what a killed process left, and nothing else."""
    left = sorted(partial.iterdir())
    for entry in left:
        if entry.name not in parts and entry.suffix != ".partial":
            raise OutputError(f"{partial} holds what is not ours ('{entry.name[:60]}'); remove it")
    for entry in left:
        shutil.rmtree(entry) if entry.is_dir() else entry.unlink()


def with_manifest(
    file: IO[bytes], path: Path, sha: str, manifest: dict[str, Any]
) -> dict[str, Any]:
    """Write the manifest of a file that is complete, before that has its name; return what the export returns."""
    sync(file)
    manifest = {**manifest, "sha256": sha}
    beside = reading.manifest_path(path)
    write_json(beside, manifest)
    return {"manifest": str(beside), "files": {path.name: sha}, **manifest}


def write_json(path: Path, manifest: dict[str, Any]) -> None:
    """Write a manifest whole, in place of another; only whoever holds the dataset writes it."""
    replace(path, manifests.text(manifest), alone=True)


def copied(file: IO[bytes], chunks: Iterable[bytes]) -> str:
    """Write all chunks; return their SHA-256."""
    sha = hashlib.sha256()
    for chunk in chunks:
        sha.update(chunk)
        file.write(chunk)
    return sha.hexdigest()


def checksum_of(file: IO[bytes]) -> str:
    """Return the SHA-256 of an open file as it is by now."""
    file.flush()
    file.seek(0)
    return hashlib.file_digest(file, "sha256").hexdigest()  # type: ignore[arg-type]


def write_new(path: Path, content: bytes) -> None:
    """Write a file that is not there yet, onto the disk."""
    with path.open("xb") as file:
        file.write(content)
        sync(file)


def sync(file: IO[Any]) -> None:
    """Have on the disk what was written."""
    file.flush()
    os.fsync(file.fileno())
