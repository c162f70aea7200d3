"""Inspect's logs as files of others: read one sample at a time, or whole, with errors in one line."""

from __future__ import annotations

import gc
import json
import logging
import sys
import traceback
import zipfile
from collections.abc import Callable, Collection, Coroutine, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, TypeVar

import inspect_ai.log as inspect_log
from harness_errors import DatasetError
from inspect_ai.log import EvalLog, EvalSample, EvalSpec

from harness.core.facts import printable
from harness.core.plugins import one_line
from harness.datasets.event_loops import complete, looping
from harness.run import compat

T = TypeVar("T")

MAX_JSON = 500_000_000  # bytes: a log in Inspect's older format can only be read whole
MAX_MEMBER = 1_000_000_000  # bytes of a part of an .eval file, unpacked: a small file may hold much
MAX_SUMMARIES = 20_000_000_000  # bytes of all summaries, which stand in one part
MAX_START = 100_000_000  # bytes of a log's beginning
BATCH = 50
SAMPLES = "samples/"  # the folder of an archive that holds them
ASIDE = {"events", "store", "messages", "scores", "timelines"}


def header(path: Path) -> EvalLog:
    """Return a log without its samples; raises `DatasetError` where it is no log of Inspect's."""
    return _read(path, header_only=True)


def beginning(path: Path) -> EvalSpec:
    """Return what a log says of its run before any sample: of ``.eval`` without reading the rest."""
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
    with one_line_errors(path):
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
            check_parts(path)
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


@contextmanager
def _half_read_is_silent() -> Iterator[None]:
    """Print nothing about the coroutines that Inspect leaves half done where the JSON of a sample is damaged."""
    hook, logger = sys.unraisablehook, logging.getLogger("asyncio")
    sys.unraisablehook, logger.disabled = lambda _: None, True
    try:
        yield
    except Exception as error:
        traceback.clear_frames(error.__traceback__)
        gc.collect()
        raise
    finally:
        sys.unraisablehook, logger.disabled = hook, False


def check_parts(path: Path) -> None:
    """Refuse an archive with a part that would fill the memory; raises `DatasetError`."""
    with zipfile.ZipFile(path) as archive:
        for entry in archive.infolist():
            most = MAX_SUMMARIES if entry.filename == "summaries.json" else MAX_MEMBER
            if entry.file_size > most:
                raise DatasetError(
                    f"{printable(str(path))}: '{printable(entry.filename, 80)}' in it holds "
                    f"{entry.file_size:,} bytes, at most {most:,} are read"
                )


def shown(path: Path | str) -> str:
    """Return a file's name as a message may show it: printable and not long."""
    text = str(path)
    return printable(text if len(text) <= 200 else f"…{text[-199:]}")


@contextmanager
def one_line_errors(path: Path) -> Iterator[None]:
    """Turn whatever a damaged archive, or what it holds, is made of into one `DatasetError` that names it."""
    try:
        yield
    except DatasetError as error:
        raise DatasetError(printable(str(error), 600)) from None
    except OSError as error:
        why = error.strerror or one_line(error)
        raise DatasetError(f"{shown(path)}: cannot be read: {printable(why, 150)}") from None
    # zipfile, zstandard, json, pydantic and Inspect raise whatever they like on foreign bytes.
    except Exception as error:
        why = printable(one_line(error), 150)
        raise DatasetError(f"{shown(path)}: not a readable Inspect log ({why})") from None


def places(path: Path) -> list[tuple[str, int]]:
    """Return where the samples of an ``.eval`` file lie (id, epoch), in the order of writing; raises as `header`."""
    with one_line_errors(path), zipfile.ZipFile(path) as archive:
        names = [name for name in archive.namelist() if name.startswith(SAMPLES)]
    parts = [
        name.removeprefix(SAMPLES).removesuffix(".json").rpartition("_epoch_") for name in names
    ]
    return list(
        dict.fromkeys((sample_id, int(epoch)) for sample_id, _, epoch in parts if epoch.isdecimal())
    )


def samples(path: Path, head: EvalLog, aside: Collection[str] = ASIDE) -> Iterator[EvalSample]:
    """Yield the samples of a log in their order, `BATCH` in memory at a time, without the fields in ``aside``.

    Raises:
        DatasetError: a sample cannot be read.
    """
    if path.suffix.lower() == ".json":
        yield from whole(path).samples or []
        return
    order = {str(sample_id): at for at, sample_id in enumerate(head.eval.dataset.sample_ids or [])}
    at_places = sorted(places(path), key=lambda place: (order.get(place[0], len(order)), place[1]))
    yield from samples_at(path, at_places, aside)


def samples_at(
    path: Path, at_places: Sequence[tuple[str, int]], aside: Collection[str]
) -> Iterator[EvalSample]:
    """Yield the samples at these (id, epoch), `BATCH` in memory at a time (of ``.json``: all).

    Raises:
        DatasetError: one is not there or cannot be read.
    """
    if path.suffix.lower() == ".json":
        with one_line_errors(path):
            by_place = {
                (str(sample.id), sample.epoch): sample for sample in whole(path).samples or []
            }
            chosen = [by_place[place] for place in at_places]
        yield from chosen
        return
    for start in range(0, len(at_places), BATCH):
        with one_line_errors(path), _half_read_is_silent():
            batch = _by_inspect(
                inspect_log.read_eval_log_samples_by_id, inspect_log.read_eval_log_samples_by_id_async,
                str(path), at_places[start : start + BATCH], resolve_attachments="core", exclude_fields=set(aside),
            )  # fmt: skip
        yield from batch
