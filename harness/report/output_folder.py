"""Where a report goes: a folder that is written aside and put in its place whole."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from harness_errors import OutputError

from harness.datasets import files

MARK = "harness report"
# What report.json begins with, and what else a report's folder holds.
_BEGIN = f'{{\n "made_by": "{MARK}"'.encode()
_END = ".report-in-work"  # of the name of a folder that a report is written in
_NEW, _OLD = "new", "old"  # in it: the report, and the one whose place it takes
_OWN = ("index.html", "report.json", "tables", "figures")


@contextmanager
def replaced(out: str) -> Iterator[Path]:
    """Yield an empty folder that takes the place of ``out`` when the block ends well; else nothing is left.

    ``out`` may be new, empty, or an earlier report, which is then replaced. What runs that were killed left beside it
    is taken away; a report that one of them was about to replace is put back.

    Raises:
        OutputError: there is something else, or nothing can be written there. Noticed before the block.
    """
    try:
        target = Path(os.path.realpath(out))  # of a link, what it leads to is replaced
        _check(target, out)
        missing = [place for place in target.parents if not place.exists()]
        target.parent.mkdir(parents=True, exist_ok=True)
        _clean(target)
        work, held = _work(target)
    except (OSError, ValueError) as error:
        raise _unwritten(out, error) from None
    try:
        (work / _NEW).mkdir()
        yield work / _NEW
        _swap(work, target)
    except OSError as error:
        raise _unwritten(out, error) from None
    finally:
        shutil.rmtree(work, ignore_errors=True)
        os.close(held)
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


def _work(target: Path) -> tuple[Path, int]:
    """Make a folder beside the target, and return it with what holds it for this process until that is closed."""
    while True:
        work = Path(tempfile.mkdtemp(_END, f".{target.name[:100]}.", target.parent))
        descriptor = os.open(work, os.O_RDONLY)
        with suppress(OSError):  # some file systems hold nothing
            if not files.held(descriptor, work):  # another run took it for a leftover
                os.close(descriptor)
                continue
        return work, descriptor


def _clean(target: Path) -> None:
    """Take away what killed runs left beside the target; a report that one of them had moved aside is put back."""
    for left in target.parent.glob(f".*{_END}"):
        ours = left.name.startswith(f".{target.name[:100]}.")
        # The earlier report of another target is put back when that is written again.
        if left.is_symlink() or not left.is_dir() or ((left / _OLD).exists() and not ours):
            continue
        descriptor = os.open(left, os.O_RDONLY)
        with suppress(OSError):
            if files.held(descriptor, left):
                if (left / _OLD).exists() and not target.exists():
                    (left / _OLD).rename(target)
                shutil.rmtree(left, ignore_errors=True)
        os.close(descriptor)


def _swap(work: Path, target: Path) -> None:
    """Put the new report in its place; an earlier one is put back if that fails or is broken off."""
    try:
        if target.exists():
            target.rename(work / _OLD)
        (work / _NEW).rename(target)
    except BaseException:
        if (work / _OLD).exists() and not target.exists():
            (work / _OLD).rename(target)
        raise
