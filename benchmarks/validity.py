"""What cheap answers win of each benchmark: makes docs/validity.md.

    python benchmarks/validity.py [PATH/TO/DATA] [n=1000] [only=tempobench]

Items are made anew, n of each setting (a third of it for levels). The folder holds published sets
(``ltlbench/300_….csv``, ``vltl/….jsonl``); without it, those that stand on the page stay. ``only`` does one benchmark
and leaves the rest of the page. Figures alone reach the page.
"""

from __future__ import annotations

import sys
import textwrap
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from harness import HarnessError, Item
from harness.core import fresh
from harness.core.features import settings
from harness.core.plugins import Plugin, registry
from harness.core.spec import make
from harness.core.words import points
from harness.datasets import dataset
from harness.run import floors, stats

PAGE = Path(__file__).resolve().parents[1] / "docs" / "validity.md"
BEGIN, SETS, END = ("<!-- made by benchmarks/validity.py -->", "<!-- sets -->", "<!-- end -->")
NAMES = ("ltlbench", "tempobench", "timepuzzles", "vltl")
SEED = 1
VLTL_TASKS = ("lift", "translate", "ground", "end_to_end")

# What a number above the best shortcut tells, and what not.
MEANINGS = {
    "ltlbench": "Above eight walks, a model has looked at more than a handful of paths, or knows why none violates "
    "the hypothesis; `pairs` and the tables by operator say more. Below one walk, nothing is shown.",
    "tempobench": "Above `single_flips`, a model has found inputs that count only together: it followed the machine "
    "along runs that are not shown. `task=tte` above `two_steps` takes keeping track of a state. Neither shows that "
    "a model finds causes in a system that is not written out.",
    "timepuzzles": "Above `guess_rest`, a model knew or found the dates of events; which of the two, only runs with "
    "and without tools tell.",
    "vltl": "Above `nearest`, a model has read the sentence and not only its words. Templates are few, so one that "
    "was trained on them may fail on free text.",
}


def cells(plugin: Plugin, items: list[Item]) -> dict[str, str]:
    """Return each shortcut's mean headline on some items."""
    headline = floors.headline_of(plugin.benchmark)
    found = {}
    for shortcut in plugin.shortcuts():
        rows = [floors.shortcut_row(plugin, shortcut, item) for item in items]
        if values := stats.numbers_of(headline, stats.counted(rows)):
            found[shortcut.name] = f"{sum(values) / len(values):.2f}"
    return found


def made(plugin: Plugin, n: int, **values: Any) -> list[Item]:
    """Return items of a setting, of a sweep as many of each point."""
    chosen = points(plugin.benchmark, {"seed": SEED, **values}, settings())
    specs = [make(plugin, {**point, "n": n // len(chosen)}) for point in chosen]
    return [item for spec in specs for item in fresh.items(plugin, spec)]


def table(columns: Mapping[str, Mapping[str, str]]) -> str:
    """Return a table of shortcuts by settings."""
    names = list(dict.fromkeys(name for column in columns.values() for name in column))
    head = f"|shortcut|{'|'.join(columns)}|\n|---|{'---:|' * len(columns)}"
    rows = (
        f"|`{name}`|{'|'.join(column.get(name, '–') for column in columns.values())}|"
        for name in names
    )
    return "\n".join([head, *rows])


def benchmark(name: str, n: int) -> Iterator[str]:
    """Yield the heading and the tables of one benchmark."""
    plugin = registry().get(name)
    said = plugin.benchmark
    yield f"## {name}\n\n{said.headline}, {n} items of version {said.version} each."
    yield textwrap.fill(MEANINGS[name], 118)
    tasks = said.config_schema["properties"].get("task", {})
    settings_of: dict[str, dict[str, Any]] = {"default": {}}
    for task in tasks.get("enum", ()):
        if task != tasks["default"]:
            settings_of[f"task={task}"] = {"task": task}
    if "paper" in said.presets:
        settings_of["preset=paper"] = {"preset": "paper"}
    yield table({key: cells(plugin, made(plugin, n, **keys)) for key, keys in settings_of.items()})
    levels = range(1, len(said.levels) + 1)
    if levels:
        yield f"By difficulty, {n // 3} items each:"
        yield table({str(k): cells(plugin, made(plugin, n // 3, difficulty=k)) for k in levels})


def published(folder: Path) -> Iterator[str]:
    """Yield a table for each benchmark whose published sets the folder holds."""
    ltlbench, vltl = registry().get("ltlbench"), registry().get("vltl")
    columns = {}
    for path in sorted(folder.glob("ltlbench/300_*.csv")):
        items = dataset.load(ltlbench, make(ltlbench, {"dataset": str(path)}))
        _, events, _, operators, *_ = path.stem.split("_")
        columns[f"{events} events, {operators} operators"] = cells(ltlbench, items)
    if columns:
        yield f"## Published sets of LTLBench\n\n300 problems each.\n\n{table(columns)}"
    columns = {}
    for path in sorted(folder.glob("vltl/*.jsonl")):
        found: dict[str, str] = {}
        for task in VLTL_TASKS:
            items = dataset.load(vltl, make(vltl, {"dataset": str(path), "task": task}))
            found |= {f"{name}, {task}": value for name, value in cells(vltl, items).items()}
        columns[f"{path.stem} ({len(items)})"] = found
    if columns:
        yield f"## Published sets of VLTL-Bench\n\nBy task, with the number of records.\n\n{table(columns)}"


def main(words: list[str]) -> int:
    """Write the page."""
    given = dict(word.split("=") for word in words if "=" in word)
    n, only = int(given.get("n", "1000")), given.get("only")
    if only not in (None, *NAMES):
        sys.exit(f"validity.py: only={only}: expected one of {', '.join(NAMES)}")
    text = PAGE.read_text(encoding="utf-8")
    before, _, rest = text.partition(BEGIN)
    there, _, rest = rest.partition(SETS)
    sets, _, after = rest.partition(END)
    sections = {part.partition("\n")[0]: part for part in there.split("\n## ")[1:]}
    folders = [Path(word) for word in words if "=" not in word]
    try:
        for name in NAMES:
            if only in (None, name):
                sections[name] = "\n\n".join(benchmark(name, n)).removeprefix("## ")
        sets = "\n\n" + "\n\n".join(published(folders[0])) + "\n\n" if folders else sets
    except HarnessError as error:
        sys.exit(f"validity.py: {error}")
    parts = "\n\n".join(f"## {sections[name].strip()}" for name in NAMES)
    PAGE.write_text(f"{before}{BEGIN}\n\n{parts}\n\n{SETS}{sets}{END}{after}", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
