"""A folder for whole files, on this machine's disk or behind any URL that fsspec knows (S3, say)."""

from __future__ import annotations

import os
import re
import shutil
import stat
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from secrets import token_hex
from typing import Any

from harness_errors import HarnessError, OutputError, SpecError

# What a storage behind a URL may need of the environment; it goes to this machine's own workers, and no further.
_ACCESS = re.compile(
    r"(AWS|BOTO|FSSPEC|AZURE_STORAGE|AZURE_CLIENT|AZURE_TENANT|GOOGLE_APPLICATION|GOOGLE_CLOUD)_\w+"
    r"|(https?|no)_proxy|SSL_CERT_(FILE|DIR)|REQUESTS_CA_BUNDLE",
    re.IGNORECASE,
)
_SECRET = re.compile(r"://[^@]*:[^@]*@|\?")  # a name and a password, or a signature


def is_url(name: str) -> bool:
    """Return whether a name is an address, and no path."""
    return "://" in name


def hidden(url: str) -> str:
    """Return an address without what may be a name and a password in it."""
    scheme, separator, rest = url.partition("://")
    return f"{scheme}{separator}{rest.rpartition('@')[2].partition('?')[0]}"


def access() -> dict[str, str]:
    """Return the part of the environment by which storages are reached; it holds keys."""
    return {name: value for name, value in os.environ.items() if _ACCESS.fullmatch(name)}


class Storage:
    """Files under one folder, by their names; a file is there whole or not at all.

    Raises:
        SpecError: an address that cannot be used here.
    """

    def __init__(self, place: str) -> None:
        place = re.sub(r"^(file|local)://", "", place)
        far = is_url(place)
        if far and _SECRET.search(place):
            raise SpecError(
                f"out={hidden(place)[:200]}: a password or a signature in an address would end up in logs; leave it "
                "to the environment (AWS_ACCESS_KEY_ID, say) or to fsspec's configuration"
            )
        self.shown = place
        self.local = None if far else Path(place).absolute()
        self.url = place if far else str(self.local)
        self._fs: Any = None
        self._root = ""
        if far:
            self._fs, self._root = _filesystem(place)

    def path(self, name: str) -> str:
        """Return a file's full name, as a message shows it."""
        return f"{self.shown.rstrip('/')}/{name}"

    def size(self, name: str) -> int | None:
        """Return how many bytes a file has; None: there is none. What is no regular file is refused."""
        with self.failures_named(name):
            try:
                if self.local is None:
                    self._fs.invalidate_cache()  # others write here, too
                    return int(self._fs.info(self._of(name))["size"])
                facts = self._at(name).stat()
            except FileNotFoundError:
                return None
        if not stat.S_ISREG(facts.st_mode):
            raise OutputError(f"{self.path(name)}: not a regular file")
        return facts.st_size

    def empty(self) -> bool:
        """Return whether the folder holds nothing, or is not there."""
        return not self.names("")

    def names(self, folder: str) -> set[str]:
        """Return the names of what lies in a folder; none where there is no such folder."""
        with self.failures_named(folder):
            try:
                if self.local is not None:
                    return {path.name for path in self._at(folder).iterdir()}
                self._fs.invalidate_cache()
                paths = self._fs.ls(self._of(folder), detail=False)
                return {path.rpartition("/")[2] for path in paths}
            except FileNotFoundError:
                return set()

    def read(self, name: str) -> bytes | None:
        """Return what a file holds; None: there is none."""
        if self.size(name) is None:
            return None
        with self.failures_named(name):
            try:
                if self.local is not None:
                    return self._at(name).read_bytes()
                return bytes(self._fs.cat_file(self._of(name)))
            except FileNotFoundError:
                return None

    def write(self, name: str, data: bytes) -> None:
        """Write a small file; whoever looks sees the old one or the new one."""
        with self.failures_named(name):
            if self.local is None:
                self._fs.pipe_file(self._of(name), data)
                return
            target = self._at(name)
            target.parent.mkdir(parents=True, exist_ok=True)
            # A name of its own, and new: workers of several machines may be at the same file.
            partial = target.with_name(f".{target.name}.{token_hex(8)}.new")
            try:
                with partial.open("xb") as file:
                    file.write(data)
                _move(partial, target)
            finally:
                partial.unlink(missing_ok=True)

    def put(self, source: Path, name: str) -> None:
        """Move a finished file here, from the same disk if this is one; whoever looks sees all of it or nothing."""
        with self.failures_named(name):
            if self.local is None:
                self._fs.put_file(str(source), self._of(name))
                source.unlink()
                return
            _move(source, self._at(name))

    def remove(self, name: str) -> None:
        """Remove a file or folder, if it is there."""
        with self.failures_named(name):
            if self.local is not None:
                target = self._at(name)
                if target.is_dir() and not target.is_symlink():
                    shutil.rmtree(target)
                else:
                    target.unlink(missing_ok=True)
                return
            self._fs.invalidate_cache()
            if self._fs.exists(self._of(name)):
                self._fs.rm(self._of(name), recursive=True)

    @contextmanager
    def fetched(self, name: str) -> Iterator[Path]:
        """Give a file as one of this machine's."""
        if self.local is not None:
            yield self._at(name)
            return
        with tempfile.TemporaryDirectory(prefix="harness-") as folder:
            path = Path(folder, Path(name).name)
            with self.failures_named(name):
                self._fs.get_file(self._of(name), str(path))
            yield path

    def _at(self, name: str) -> Path:
        assert self.local is not None
        return self.local / name

    def _of(self, name: str) -> str:
        return f"{self._root.rstrip('/')}/{name}"

    @contextmanager
    def failures_named(self, name: str) -> Iterator[None]:
        """Turn what a file system raises within the block into one line (`OutputError`)."""
        try:
            yield
        except HarnessError:
            raise
        except OSError as error:
            why = error.strerror or " ".join(str(error).split())[:200] or type(error).__name__
            raise OutputError(f"{self.path(name)}: {why}") from None
        except Exception as error:
            if self.local is not None:
                raise
            # Every kind of storage has errors of its own, of any class.
            why = " ".join(str(error).split())[:200]
            raise OutputError(f"{self.path(name)}: {type(error).__name__}: {why}") from None


def _move(source: Path, target: Path) -> None:
    """Give a file its name once its bytes are on the disk, and have the name there, too."""
    with source.open("rb") as file:
        os.fsync(file.fileno())
    source.replace(target)
    folder = os.open(target.parent, os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)


def _filesystem(url: str) -> tuple[Any, str]:
    import fsspec

    try:
        filesystem, root = fsspec.core.url_to_fs(url)
    except Exception as error:
        kind = "" if isinstance(error, ImportError) else "no address that can be used: "
        raise SpecError(f"out={url}: {kind}{' '.join(str(error).split())[:200]}") from None
    return filesystem, str(root)
