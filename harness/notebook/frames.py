"""Items and judged items as tables of pandas, which is no requirement of the harness."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from harness_errors import EngineError

from harness.core.items import Item
from harness.notebook import judged_rows

if TYPE_CHECKING:
    import pandas as pd  # type: ignore[import-untyped]

# What else of a run may differ within a sweep (see docs/json.md).
_ASKED = ("dataset", "tools", "gold", "context", "structured")


def of_items(items: Iterable[Item]) -> pd.DataFrame:
    """Return one row per item; see `harness.notebook.notebook.Items.frame`."""
    frame = _pandas().DataFrame
    rows = []
    for item in items:
        first = {key: getattr(item, key) for key in ("id", "index", "seed", "split", "target")}
        last = {"prompt": item.prompt, "problem": item.problem, "certificate": item.certificate,
                "notes": dict(item.notes)}  # fmt: skip
        rows.append({**first, **_named(item.features, {**first, **last}), **last})
    return frame(rows)


def of_results(results: Sequence[Mapping[str, Any]], paths: Sequence[Path]) -> pd.DataFrame:
    """Return one row per judged item; see `harness.notebook.notebook.Evaluation.frame`."""
    frame = _pandas().DataFrame
    judged = judged_rows.of_results(results, paths)
    keys = differing(results)
    rows = []
    for one in judged:
        row = one.row
        first = {key: one.result[key] for key in ("plugin", "model", "strategy")}
        first |= {f"config.{key}": config(one.result).get(key) for key in keys}
        first |= {"id": one.id, "target": row.target, "answer": row.answer, "outcome": row.outcome,
                  "right": one.right}  # fmt: skip
        last = {"output_tokens": row.output_tokens, "log": str(one.log)}
        values = _named(row.value, {**first, **last}, "value")
        features = _named(row.features, {**first, **last, **values})
        rows.append({**first, **values, **features, **last})
    return frame(rows)


def _named(
    found: Mapping[str, Any], taken: Mapping[str, Any], kind: str = "feature"
) -> dict[str, Any]:
    return {f"{key} ({kind})" if key in taken else key: value for key, value in found.items()}


def differing(results: Sequence[Mapping[str, Any]]) -> list[str]:
    """Return the keys of runs that not all runs have alike, in the order that the runs have them in."""
    told = [config(one) for one in results]
    names = dict.fromkeys(key for one in told for key in one)
    return [key for key in names if any(one.get(key) != told[0].get(key) for one in told)]


def config(result: Mapping[str, Any]) -> dict[str, Any]:
    """Return the settings of a run that may differ within a sweep."""
    return {**result["config"], **{key: result[key] for key in _ASKED}}


def _pandas() -> Any:
    try:
        import pandas as pd
    except ModuleNotFoundError as error:
        if error.name != "pandas":
            raise
        raise EngineError("frame() needs pandas: pip install pandas") from None
    return pd
