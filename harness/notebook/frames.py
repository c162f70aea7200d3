"""Items, and the judged items of runs, as tables of pandas, which is no requirement of the harness."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from harness_errors import EngineError

from harness.core.hookspecs import Row
from harness.core.items import Item
from harness.core.plugins import registry
from harness.datasets.extras import command_for
from harness.rerun import log_rows, logs

if TYPE_CHECKING:
    import pandas as pd  # type: ignore[import-untyped]

# What else of a run may differ within a sweep (see docs/json.md).
_ASKED = ("dataset", "tools", "tool_choice", "gold", "context", "structured")


class Judged(NamedTuple):
    """One item of one run; one of its answers where it was asked several times and each of them counts."""

    result: Mapping[str, Any]
    log: Path
    id: str
    epoch: int
    row: Row
    right: str  # one of `harness.rerun.log_rows.OUTCOMES`


def judged(results: Sequence[Mapping[str, Any]], paths: Sequence[Path]) -> Iterator[Judged]:
    """Yield the items of all runs in the order they were asked in, a vote's samples as one, others one by one.

    Raises:
        DatasetError: a log is not there any more, or cannot be read.
    """
    left = iter(paths)
    for result in results:
        benchmark = registry().get(str(result["plugin"])).benchmark
        reader = log_rows.Reader(benchmark)
        for path in (next(left) for _ in result.get("shards", [None])):
            head = logs.beginning(path)
            rows = reader.read(path, head.config).judged
            for sample_id in map(str, head.dataset.sample_ids or rows):
                known = rows.get(sample_id)
                answers = known.repeats or (known.row,) if known else ()
                for epoch, row in enumerate(answers, 1):
                    right = log_rows.outcome(benchmark, row)
                    yield Judged(result, path, sample_id, epoch, row, right)


def of_items(items: Iterable[Item]) -> pd.DataFrame:
    """Return one row per item; see `harness.notebook.notebook.Items.frame`."""
    frame, rows = _pandas().DataFrame, []
    for item in items:
        first = {key: getattr(item, key) for key in ("id", "index", "seed", "split", "target")}
        last = {"prompt": item.prompt, "problem": item.problem, "certificate": item.certificate,
                "notes": dict(item.notes)}  # fmt: skip
        rows.append({**first, **_named(item.features, {**first, **last}), **last})
    return frame(rows)


def of_results(results: Sequence[Mapping[str, Any]], paths: Sequence[Path]) -> pd.DataFrame:
    """Return one row per judged answer; see `harness.notebook.notebook.Evaluation.frame`."""
    frame, rows, keys = _pandas().DataFrame, [], differing(results)
    for item in judged(results, paths):
        row = item.row
        first = {key: item.result[key] for key in ("plugin", "model", "strategy")}
        first |= {f"config.{key}": config(item.result).get(key) for key in keys}
        first |= {"id": item.id, "epoch": item.epoch, "target": row.target, "answer": row.answer,
                  "outcome": row.outcome, "right": item.right}  # fmt: skip
        last = {"output_tokens": row.output_tokens, "log": str(item.log)}
        values = _named(row.value, {**first, **last}, "value")
        features = _named(row.features, {**first, **last, **values})
        rows.append({**first, **values, **features, **last})
    return frame(rows)


def _named(
    columns: Mapping[str, Any], taken: Mapping[str, Any], kind: str = "feature"
) -> dict[str, Any]:
    return {f"{key} ({kind})" if key in taken else key: value for key, value in columns.items()}


def differing(results: Sequence[Mapping[str, Any]]) -> list[str]:
    """Return the keys of runs that not all runs have alike, in the order that the runs have them in."""
    configs = [config(result) for result in results]
    names = dict.fromkeys(key for settings in configs for key in settings)
    return [key for key in names if any(c.get(key) != configs[0].get(key) for c in configs)]


def config(result: Mapping[str, Any]) -> dict[str, Any]:
    """Return the settings of a run that may differ within a sweep."""
    epochs = result["repeats"]["epochs"] if result["repeats"] else 1
    return {**result["config"], **{key: result[key] for key in _ASKED}, "epochs": epochs}


def _pandas() -> Any:
    try:
        import pandas as pd
    except ModuleNotFoundError as error:
        if error.name != "pandas":
            raise
        raise EngineError(f"frame() needs pandas: {command_for('notebook')}") from None
    return pd
