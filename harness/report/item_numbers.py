"""The numbers of items: their places, from 0, among the generated items or the records of a dataset."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from harness.report.log_facts import ReadLog


def numbers(logs: Sequence[ReadLog]) -> dict[int, dict[str, int]]:
    """Return the number of each item by its id, by each log's place; nothing of a log that may lack earlier items."""
    sizes = {
        (part["set"], part["number"]): len(log.spec.dataset.sample_ids or [])
        for log in logs
        if (part := _shard(log))
    }
    numbers_of_log = {}
    for log in logs:
        ids = [str(name) for name in log.spec.dataset.sample_ids or []]
        part = _shard(log)
        before = [(part["set"], number) for number in range(1, part["number"])] if part else []
        whole = all(key in sizes for key in before) and _from_the_start(log, len(ids))
        start = sum(sizes[key] for key in before) if whole else 0
        numbers_of_log[log.place] = (
            {name: at for at, name in enumerate(ids, start)} if whole else {}
        )
    return numbers_of_log


def _shard(log: ReadLog) -> Mapping[str, Any]:
    """Return which part of a run a log is: ``set`` and ``number``, from 1; empty if it is all of it."""
    part = (log.spec.metadata or {}).get("shards")
    if not isinstance(part, Mapping) or not isinstance(part.get("set"), str):
        return {}
    return part if type(part.get("number")) is int and 0 < part["number"] < 10**6 else {}


def _from_the_start(log: ReadLog, items: int) -> bool:
    """Say whether a log's samples are the first items, in order: none was left out, chosen or shuffled."""
    config = log.spec.config
    chosen = config.sample_shuffle or config.sample_id or isinstance(config.limit, list | tuple)
    pruned = (log.spec.metadata or {}).get("pruning")
    return not chosen and not pruned and log.responses.get("items", items) == items
