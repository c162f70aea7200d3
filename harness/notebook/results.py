"""How an evaluation looks in a notebook: metrics with their intervals, floors, and what became of the answers."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from harness_errors import HarnessError
from markupsafe import Markup

from harness.cli.tables_outcomes import repeats_rows
from harness.notebook import displays as html
from harness.notebook.frames import config, differing, judged
from harness.rerun.log_rows import OUTCOMES
from harness.run.floors import SHORTCUT

if TYPE_CHECKING:
    from harness.notebook.notebook import Evaluation

_NAMES = ("plugin", "model", "strategy")
_SYMBOLIC = "harness/reference is a symbolic reference, not a language model"


def evaluation(evaluated: Evaluation) -> str:
    """Return one run as a table of its metrics, several as a table with a row each."""
    results, notes = evaluated.results, _notes(evaluated.results)
    outcomes: dict[int, list[str]] = defaultdict(list)
    try:
        for item in judged(results, evaluated.paths):
            outcomes[id(item.result)].append(item.right)
    except HarnessError as error:  # the logs cannot be read
        outcomes.clear()
        notes.insert(0, str(error))
    counts = [_present(outcomes[id(result)]) for result in results]
    table = _run(results[0], counts[0]) if len(results) == 1 else _sweep(results, counts)
    return str(html.macros().evaluation(*table, [html.text(note, 1_000) for note in notes]))


def _present(outcomes: Sequence[str]) -> dict[str, int]:
    """Return how often each outcome came, in their usual order."""
    return {name: outcomes.count(name) for name in OUTCOMES if name in outcomes}


def _run(result: Mapping[str, Any], count: Mapping[str, int]) -> tuple[Any, ...]:
    """Return names, settings, head and rows of the table, and counts of outcomes of one run."""
    floors = {kind: row for kind, row in result["floors"].items() if not kind.startswith(SHORTCUT)}
    rows = [
        [name, _number(metric["value"]), _span(metric), *(_number(kind.get(name)) for kind in floors.values())]
        for name, metric in result["metrics"].items()
        if metric["value"] is not None
    ]  # fmt: skip
    blank = [""] * len(floors)
    if worth := result["above_shortcut"]:
        rows.append(["above the shortcut", _number(worth["value"]), _span(worth), *blank])
    again = repeats_rows(result)
    rows += [[name, _number(metric["value"]), _span(metric), *blank] for name, metric in again]
    head = ["metric", "value", "95 % interval", *(f"{kind} floor" for kind in floors)]
    names = [
        result["plugin"],
        result["model"],
        f"strategy={html.short(result['strategy'])}",
        f"n={result['n']}",
    ]
    names += [f"epochs={result['repeats']['epochs']}"] if result["repeats"] else []
    return names, html.facts(result["config"]), head, rows, count


def _sweep(
    results: Sequence[Mapping[str, Any]], counts: Sequence[Mapping[str, int]]
) -> tuple[Any, ...]:
    """Return of several runs what `_run` does of one, the outcomes in the table."""
    names = [name for name in _NAMES if len({result[name] for result in results}) > 1]
    keys = differing(results)
    metrics = dict.fromkeys(
        name
        for result in results
        for name in result["metrics"]
        if any(one["metrics"].get(name, {}).get("value") is not None for one in results)
    )
    rows = []
    for result, count in zip(results, counts, strict=True):
        varied = [config(result).get(key, "") for key in keys]
        cells = [_cell(result, name) for name in metrics]
        bar = html.macros().bar(count)
        rows.append([*(result[name] for name in names), *varied, result["n"], *cells, bar])
    fixed = [str(results[0][name]) for name in _NAMES if name not in names]
    shared = {k: v for k, v in results[0]["config"].items() if k not in keys}
    title = " · ".join([*fixed, f"{len(results)} runs"])
    settings = html.facts(shared if "plugin" not in names else {})
    return [title], settings, [*names, *keys, "n", *metrics, "answers"], rows, {}


def _cell(result: Mapping[str, Any], name: str) -> Markup:
    """Return a metric's value, its interval, and what the commonest answer alone would have."""
    metric = result["metrics"].get(name, {})
    floor = result["floors"].get("majority", {}).get(name)
    below = "" if floor is None else f"floor {floor:.3f}"
    cell: Markup = html.macros().score(_number(metric.get("value")), _span(metric), below)
    return cell


def _notes(results: Sequence[Mapping[str, Any]]) -> list[str]:
    lost = sum(result["unscored"] for result in results)
    notes = [f"WARNING: {lost} items are unscored: they are in no mean"] if lost else []
    notes += dict.fromkeys(reason for result in results for reason in result["errors"])
    return notes + ([_SYMBOLIC] if any(r["model"] == "harness/reference" for r in results) else [])


def _number(value: float | None) -> str:
    return "–" if value is None else f"{value:.3f}"


def _span(metric: Mapping[str, Any]) -> str:
    low, high = metric.get("ci_low"), metric.get("ci_high")
    return "–" if low is None or high is None else f"{low:.3f} – {high:.3f}"
