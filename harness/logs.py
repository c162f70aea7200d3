"""Inspect's logs as files of others: read one sample at a time, or whole, with errors in one line."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from inspect_ai.log import (
    EvalLog,
    EvalSample,
    read_eval_log,
    read_eval_log_sample_summaries,
    read_eval_log_samples_by_id,
)

from harness.errors import DatasetError
from harness.plugins import one_line

MAX_JSON = 500_000_000  # bytes: a log in Inspect's older format can only be read whole
BATCH = 50
ASIDE = {"events", "store", "messages", "scores", "timelines"}


def header(path: Path) -> EvalLog:
    """Return a log without its samples.

    Raises:
        DatasetError: there is no file, or it is no log of Inspect's.
    """
    return _read(path, header_only=True)


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
        return read_eval_log(str(path), header_only=header_only, resolve_attachments="core")


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


def samples(path: Path, head: EvalLog) -> Iterator[EvalSample]:
    """Yield the samples of a log in their order, `BATCH` in memory at a time (of ``.json``: all).

    Raises:
        DatasetError: a sample cannot be read.
    """
    if path.suffix.lower() == ".json":
        yield from whole(path).samples or []
        return
    with _one_line(path):
        places = [(one.id, one.epoch) for one in read_eval_log_sample_summaries(str(path))]
    order = {str(own): at for at, own in enumerate(head.eval.dataset.sample_ids or [])}
    places.sort(key=lambda place: (order.get(str(place[0]), len(order)), place[1]))
    for start in range(0, len(places), BATCH):
        with _one_line(path):
            found = read_eval_log_samples_by_id(
                str(path), places[start : start + BATCH], resolve_attachments="core", exclude_fields=ASIDE
            )  # fmt: skip
        yield from found
