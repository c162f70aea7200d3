"""What runs used and cost: tokens and dollars of each series and model, and of all logs together."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from harness.report.model import Cell, Estimate, LogFacts, Section, Study, Table
from harness.rerun import prices
from harness.run import models

HEAD = (
    "series", "items", "tokens in", "cached", "tokens out", "reasoning", "USD", "USD per 1,000 items",
)  # fmt: skip
NOTE = (
    "As the provider counted: every answer, also those asked for again and those that failed. A run in several logs "
    "counts once. Tokens in include cached ones, tokens out reasoning. –: not reported, or no price given (prices=)."
)


def section(study: Study) -> Section | None:
    """Return a row for each series and model that a provider counted tokens of, and one for all."""
    rows: list[tuple[Cell, ...]] = []
    items = 0
    for series in study.series:
        if not series.again:
            spent = models.total(_once(study.logs[place] for place in series.logs))
            items += len(series.answers) if spent else 0
            for name, used in spent.items():
                label = series.label if name == series.model else f"{series.label}: {name}"
                rows.append(_row(label, len(series.answers), used))
    if not rows:
        return None
    if len(rows) > 1:
        rows.append(_row("all", items, models.added(list(in_all([study]).values()))))
    table = Table("spending", "Tokens and money", HEAD, tuple(rows), NOTE, digits=4)
    return Section("Tokens and money", (table,))


def in_all(studies: Sequence[Study]) -> dict[str, models.Usage]:
    """Return what each model used in all logs of some studies."""
    return models.total(part for study in studies for part in _once(study.logs))


def priced(study: Study, file: str) -> Study:
    """Return a study with the dollars, by a file of prices, that its logs do not say.

    Raises `SpecError`: the file cannot be read, or says something else.
    """
    known = prices.read(file)

    def with_cost(log: LogFacts) -> LogFacts:
        usage = {
            name: {**used, "total_cost": prices.cost_of(known[name], used)}
            if used["total_cost"] is None and name in known
            else used
            for name, used in log.usage.items()
        }
        return replace(log, usage=usage)

    return replace(study, logs=tuple(map(with_cost, study.logs)))


def _once(logs: Iterable[LogFacts]) -> list[Mapping[str, models.Usage]]:
    """Return what each run used, of the log that has most of it where there are several of one run."""
    largest: dict[str, LogFacts] = {}
    for log in logs:
        before = largest.setdefault(log.task_id or log.path, log)
        if _tokens(log) > _tokens(before):
            largest[log.task_id or log.path] = log
    return [log.usage for log in largest.values()]


def _tokens(log: LogFacts) -> float:
    return sum(used["output_tokens"] or 0 for used in log.usage.values())


def _row(label: str, items: int, used: models.Usage) -> tuple[Cell, ...]:
    read = [used["input_tokens"], used["input_tokens_cache_read"], used["input_tokens_cache_write"]]
    cost = used["total_cost"]
    together = None if read[0] is None else sum(part or 0 for part in read)
    counts = (together, read[1], used["output_tokens"], used["reasoning_tokens"])
    whole = (None if count is None else int(count) for count in counts)
    each = Estimate(cost / items * 1000 if cost is not None and items else None)
    return (label, items, *whole, Estimate(cost), each)
