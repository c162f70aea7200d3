"""The judged items of runs, one after the other, with what each run was."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from harness.core.hookspecs import Row
from harness.core.plugins import registry
from harness.rerun.log_rows import OUTCOMES, Reader, outcome
from harness.run import logs

__all__ = ["OUTCOMES", "Judged", "of_results", "outcome"]


class Judged(NamedTuple):
    """One item of one run."""

    result: Mapping[str, Any]
    log: Path
    id: str
    row: Row
    right: str  # one of `OUTCOMES`


def of_results(results: Sequence[Mapping[str, Any]], paths: Sequence[Path]) -> Iterator[Judged]:
    """Yield the items of all runs in the order they were asked in, a vote's samples as one.

    Raises:
        DatasetError: a log is not there any more, or cannot be read.
    """
    left = iter(paths)
    for result in results:
        benchmark = registry().get(str(result["plugin"])).benchmark
        reader = Reader(benchmark)
        for path in (next(left) for _ in result.get("shards", [None])):
            head = logs.beginning(path)
            judged = reader.read(path, head.config.epochs or 1).judged
            order = [str(own) for own in head.dataset.sample_ids or judged]
            for own in order:
                if own in judged:
                    row = judged[own].row
                    yield Judged(result, path, own, row, outcome(benchmark, row))
