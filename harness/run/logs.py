"""Inspect's logs as files of others: read one sample at a time, or whole, with errors in one line."""

from __future__ import annotations

import json
import shutil
import zipfile
from collections.abc import Callable, Collection, Coroutine, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, TypeVar

import inspect_ai.log as inspect_log
from harness_errors import DatasetError
from inspect_ai.log import EvalLog, EvalSample, EvalSampleSummary, EvalSpec

from harness.core.facts import printable
from harness.core.files import aside
from harness.core.plugins import one_line
from harness.run import compat
from harness.run.event_loops import complete, looping

T = TypeVar("T")

MAX_JSON = 500_000_000  # bytes: a log in Inspect's older format can only be read whole
MAX_MEMBER = 1_000_000_000  # bytes of a part of an .eval file, unpacked: a small file may hold much
MAX_SUMMARIES = 20_000_000_000  # bytes of all summaries, which stand in one part
MAX_START = 100_000_000  # bytes of a log's beginning
BATCH = 50
ASIDE = {"events", "store", "messages", "scores", "timelines"}


def header(path: Path) -> EvalLog:
    """Return a log without its samples.

    Raises:
        DatasetError: there is no file, or it is no log of Inspect's.
    """
    return _read(path, header_only=True)


def beginning(path: Path) -> EvalSpec:
    """Return what a log says of its run before any sample: of ``.eval`` without reading the rest.

    Raises as `header` does.
    """
    # Whatever is wrong with it, Inspect's own reader says so, or reads it all the same.
    with suppress(Exception), zipfile.ZipFile(path) as file:
        entry = file.getinfo("_journal/start.json")
        if entry.file_size <= MAX_START:
            return EvalSpec.model_validate(json.loads(file.read(entry))["eval"])
    return header(path).eval


def whole(path: Path) -> EvalLog:
    """Return a log with all its samples in memory; raises as `header` does."""
    return _read(path, header_only=False)


def _read(path: Path, header_only: bool) -> EvalLog:
    with _one_line(path):
        size = path.stat().st_size
        if path.is_dir():
            raise DatasetError(f"{path} is a directory, expected a log")
        if path.suffix.lower() not in (".eval", ".json"):
            raise DatasetError(
                f"{path} is no Inspect log: its name ends in neither .eval nor .json"
            )
        if path.suffix.lower() == ".json" and size > MAX_JSON:
            raise DatasetError(
                f"{path}: {size} bytes of JSON, at most {MAX_JSON} are read; "
                "`inspect log convert` turns it into .eval"
            )
        if path.suffix.lower() == ".json":
            # Inspect's reader of heads alone takes memory with the square of the nesting.
            header_only = False
        else:
            _check_parts(path)
        return _by_inspect(
            inspect_log.read_eval_log, inspect_log.read_eval_log_async,
            str(path), header_only=header_only, resolve_attachments="core",
        )  # fmt: skip


def _by_inspect(
    read: Callable[..., T],
    read_async: Callable[..., Coroutine[Any, Any, T]],
    *args: Any,
    **options: Any,
) -> T:
    """Return what a reader of Inspect's returns, by its asynchronous twin where an event loop is running."""
    if not looping():
        return read(*args, **options)

    async def work() -> T:
        async with compat.AsyncFilesystem():
            return await read_async(*args, **options)

    return complete(work)


def _check_parts(path: Path) -> None:
    """Refuse an archive with a part that would fill the memory; raises `DatasetError`."""
    with zipfile.ZipFile(path) as archive:
        for one in archive.infolist():
            most = MAX_SUMMARIES if one.filename == "summaries.json" else MAX_MEMBER
            if one.file_size > most:
                raise DatasetError(
                    f"{printable(str(path))}: '{printable(one.filename, 80)}' in it holds "
                    f"{one.file_size:,} bytes, at most {most:,} are read"
                )


@contextmanager
def _one_line(path: Path) -> Iterator[None]:
    """Say in one line what Inspect makes of a file that is no log, or a damaged one."""
    try:
        yield
    except DatasetError:
        raise
    except OSError as error:
        why = error.strerror or one_line(error)[:150]
        raise DatasetError(f"{str(path)[:200]}: cannot be read: {why}") from None
    # Whatever a damaged archive, its compression or what it holds makes of them.
    except Exception as error:
        raise DatasetError(
            f"{ascii(str(path))[1:-1][:200]}: not a readable Inspect log ({one_line(error)[:150]})"
        ) from None


def summaries(path: Path) -> list[EvalSampleSummary]:
    """Return what a log says of each of its samples in short; raises as `header` does."""
    with _one_line(path):
        return _by_inspect(
            inspect_log.read_eval_log_sample_summaries,
            inspect_log.read_eval_log_sample_summaries_async,
            str(path),
        )


def samples(path: Path, head: EvalLog, aside: Collection[str] = ASIDE) -> Iterator[EvalSample]:
    """Yield the samples of a log in their order, `BATCH` in memory at a time (of ``.json``: all).

    ``aside`` names fields that are not read.

    Raises:
        DatasetError: a sample cannot be read.
    """
    if path.suffix.lower() == ".json":
        yield from whole(path).samples or []
        return
    places = [(one.id, one.epoch) for one in summaries(path)]
    order = {str(own): at for at, own in enumerate(head.eval.dataset.sample_ids or [])}
    places.sort(key=lambda place: (order.get(str(place[0]), len(order)), place[1]))
    for start in range(0, len(places), BATCH):
        with _one_line(path):
            batch = samples_at(path, places[start : start + BATCH], aside)
        yield from batch


def samples_at(
    path: Path, places: Sequence[tuple[str | int, int]], aside: Collection[str]
) -> list[EvalSample]:
    """Return the samples of an ``.eval`` file at these (id, epoch), all in memory; raises whatever Inspect does."""
    return _by_inspect(
        inspect_log.read_eval_log_samples_by_id, inspect_log.read_eval_log_samples_by_id_async,
        str(path), places, resolve_attachments="core", exclude_fields=set(aside),
    )  # fmt: skip


def placed(made: Path, place: Path) -> Path:
    """Copy a whole log to its place, where nobody sees it before it is all there; return the place.

    Raises:
        OSError: it cannot be written; nothing is left of it.
    """
    with aside(place) as partial:
        shutil.copyfile(made, partial)
    return place
