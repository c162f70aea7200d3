"""What cheap answers win of each benchmark: makes docs/validity.md.

    python benchmarks/validity.py [PATH/TO/DATA] [n=300]

Items are made anew, n of each setting (a third of it for levels). The folder holds published sets
(``ltlbench/300_….csv``); without it, those that stand on the page stay. Figures alone reach the page.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from harness import HarnessError, Item
from harness.core import fresh
from harness.core.features import settings
from harness.core.plugins import Plugin, registry
from harness.core.spec import make
from harness.core.words import points
from harness.datasets import dataset
from harness.report import statistics
from harness.run import floors, stats

PAGE = Path(__file__).resolve().parents[1] / "docs" / "validity.md"
BEGIN, SETS, END = ("<!-- made by benchmarks/validity.py -->", "<!-- sets -->", "<!-- end -->")
NAMES = ("ltlbench", "tempobench", "timepuzzles", "vltl")
SEED = 1
PUBLISHED = {"ltlbench": "ltlbench/300_*.csv"}


def cells(plugin: Plugin, items: list[Item]) -> dict[str, str]:
    """Return each shortcut's headline with its 95 % interval on some items."""
    headline = floors.headline_of(plugin.benchmark)
    found = {}
    for shortcut in plugin.shortcuts():
        rows = [floors.shortcut_row(plugin, shortcut, item) for item in items]
        if values := stats.numbers_of(headline, stats.counted(rows)):
            mean = statistics.mean(np.array(values))
            ends = "" if mean.low != mean.low else f" ({mean.low:.2f} – {mean.high:.2f})"
            found[shortcut.name] = f"{mean.value:.2f}{ends}"
    return found


def made(plugin: Plugin, n: int, **values: Any) -> list[Item]:
    """Return items of a setting, of a sweep as many of each point."""
    chosen = points(plugin.benchmark, {"seed": SEED, **values}, settings())
    specs = [make(plugin, {**point, "n": n // len(chosen)}) for point in chosen]
    return [item for spec in specs for item in fresh.items(plugin, spec)]


def table(columns: Mapping[str, Mapping[str, str]]) -> str:
    """Return a table of shortcuts by settings."""
    names = list(dict.fromkeys(name for column in columns.values() for name in column))
    head = f"| shortcut | {' | '.join(columns)} |\n| --- |{' ---: |' * len(columns)}"
    rows = (
        f"| `{name}` | {' | '.join(column.get(name, '–') for column in columns.values())} |"
        for name in names
    )
    return "\n".join([head, *rows])


def benchmark(name: str, n: int) -> Iterator[str]:
    """Yield the heading and the tables of one benchmark."""
    plugin = registry().get(name)
    said = plugin.benchmark
    yield f"## {name}\n\n{said.headline}, {n} items of version {said.version} each."
    columns = {"default": cells(plugin, made(plugin, n))}
    if "paper" in said.presets:
        columns["preset=paper"] = cells(plugin, made(plugin, n, preset="paper"))
    yield table(columns)
    levels = range(1, len(said.levels) + 1)
    if levels:
        yield f"By difficulty, {n // 3} items each:"
        yield table(
            {str(k): short(cells(plugin, made(plugin, n // 3, difficulty=k))) for k in levels}
        )


def short(column: Mapping[str, str]) -> dict[str, str]:
    """Return the values without their intervals."""
    return {name: value.partition(" ")[0] for name, value in column.items()}


def published(folder: Path) -> Iterator[str]:
    """Yield a table for each benchmark whose published sets the folder holds."""
    for name, pattern in PUBLISHED.items():
        plugin = registry().get(name)
        columns = {}
        for path in sorted(folder.glob(pattern)):
            items = dataset.load(plugin, make(plugin, {"dataset": str(path)}))
            _, events, _, operators, *_ = path.stem.split("_")
            columns[f"{events} events, {operators} operators"] = cells(plugin, items)
        if columns:
            yield f"## Published sets of {name}\n\n{table(columns)}"


def main(words: list[str]) -> int:
    """Write the page."""
    n = int(dict(word.split("=") for word in words if "=" in word).get("n", "300"))
    text = PAGE.read_text(encoding="utf-8")
    before, _, rest = text.partition(BEGIN)
    _, _, rest = rest.partition(SETS)
    sets, _, after = rest.partition(END)
    folders = [Path(word) for word in words if "=" not in word]
    try:
        parts = [part for name in NAMES for part in benchmark(name, n)]
        sets = "\n\n" + "\n\n".join(published(folders[0])) + "\n\n" if folders else sets
    except HarnessError as error:
        sys.exit(f"validity.py: {error}")
    made_parts = "\n\n".join(parts)
    PAGE.write_text(
        f"{before}{BEGIN}\n\n{made_parts}\n\n{SETS}{sets}{END}{after}", encoding="utf-8"
    )
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
