"""Where a report goes: a folder that is written aside and put in its place whole."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from harness_errors import OutputError

MARK = "harness report"
# What report.json begins with, and what else a report's folder holds.
_BEGIN = f'{{\n "made_by": "{MARK}"'.encode()
_OWN = ("index.html", "report.json", "tables", "figures")


@contextmanager
def replaced(out: str) -> Iterator[Path]:
    """Yield an empty folder that takes the place of ``out`` when the block ends well; else nothing is left.

    ``out`` may be new, empty, or an earlier report, which is then replaced.

    Raises:
        OutputError: there is something else, or nothing can be written there. Noticed before the block.
    """
    try:
        target = Path(os.path.realpath(out))  # of a link, what it leads to is replaced
        _check(target, out)
        missing = _missing(target.parent)
        partial = target.parent / f".report-{os.getpid()}.partial"
        partial.parent.mkdir(parents=True, exist_ok=True)
        shutil.rmtree(partial, ignore_errors=True)
        partial.mkdir()
    except (OSError, ValueError) as error:
        raise _unwritten(out, error) from None
    try:
        yield partial
        _swap(partial, target)
    except OSError as error:
        raise _unwritten(out, error) from None
    finally:
        shutil.rmtree(partial, ignore_errors=True)
        for folder in missing:  # the innermost first; one that holds the report stays
            with suppress(OSError):
                folder.rmdir()


def _unwritten(out: str, error: OSError | ValueError) -> OutputError:
    why = getattr(error, "strerror", None) or str(error)
    return OutputError(f"out={out[:200]}: the report cannot be written: {why}")


def _check(target: Path, out: str) -> None:
    """Refuse a place that holds anything but an earlier report."""
    shown = f"out={out[:200]}"
    if target == Path.cwd() or target in Path.cwd().parents:
        raise OutputError(f"{shown}: you are in that folder; name one of the report's own")
    _check_parents(target, shown)
    try:
        target.lstat()
    except FileNotFoundError:
        return
    if not target.is_dir():
        raise OutputError(f"{shown}: there is a file of that name; name a new folder")
    names = [file.name for file in target.iterdir()]
    if names and not _ours(target / "report.json"):
        raise OutputError(f"{shown}: there is something else than a report; name a new folder")
    for name in sorted(names):
        if name not in _OWN and not name.startswith("answers_"):
            raise OutputError(
                f"{shown}: beside an earlier report there is '{name[:80]}', which would be lost; "
                "move it away or name a new folder"
            )


def _check_parents(target: Path, shown: str) -> None:
    """Refuse a place below a file; raises `OSError` for names that cannot be had there."""
    existing = next(parent for parent in target.parents if os.path.lexists(parent))
    if not existing.is_dir():
        raise OutputError(f"{shown}: '{existing.name[:80]}' is no folder")
    for name in target.relative_to(existing).parts:
        with suppress(FileNotFoundError):
            (existing / name).lstat()


def _ours(path: Path) -> bool:
    if not path.is_file():
        return False
    with path.open("rb") as file:
        return file.read(len(_BEGIN)) == _BEGIN


def _missing(folder: Path) -> list[Path]:
    """Return the folders that have to be made, the innermost first."""
    return [place for place in (folder, *folder.parents) if not place.exists()]


def _swap(partial: Path, target: Path) -> None:
    if not target.exists():
        partial.rename(target)
        return
    old = partial.with_suffix(".old")
    target.rename(old)
    try:
        partial.rename(target)
    except OSError:
        old.rename(target)
        raise
    shutil.rmtree(old, ignore_errors=True)
