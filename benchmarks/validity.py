"""What cheap answers win of each benchmark: makes docs/validity.md.

    python benchmarks/validity.py [PATH/TO/DATA] [n=500] [levels=1000] [only=tempobench]

Items are made anew, n of each setting, ``levels`` of each difficulty. The folder holds published sets
(``ltlbench/300_….csv``, ``vltl/….jsonl``); without it, those that stand on the page stay. ``only`` does one benchmark
(``only=sets``: the published sets alone) and leaves the rest of the page. What published models win is taken from
docs/published-answers.md. Figures alone reach the page.
"""

from __future__ import annotations

import re
import sys
import textwrap
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from harness import HarnessError, Item, Metric
from harness.core import fresh
from harness.core.features import settings
from harness.core.plugins import Plugin, registry
from harness.core.spec import make
from harness.datasets import dataset, surface
from harness.rerun.points import points
from harness.run import floors, judging

PAGE = Path(__file__).resolve().parents[1] / "docs" / "validity.md"
BEGIN, SETS, END = ("<!-- made by benchmarks/validity.py -->", "<!-- sets -->", "<!-- end -->")
NAMES = ("ltlbench", "tempobench", "timepuzzles", "vltl")
SEED = 1
ANSWERS = PAGE.with_name("published-answers.md")
VLTL_TASKS = ("lift", "translate", "ground", "end_to_end")

# What a number above the best shortcut tells, and what not.
MEANINGS = {
    "ltlbench": "Above eight walks, a model has looked at more than a handful of paths, or knows why none violates "
    "the hypothesis; `pairs` and the tables by operator say more. Below one walk, nothing is shown.",
    "tempobench": "Above `single_flips`, a model has found inputs that count only together: it followed the machine "
    "along runs that are not shown; above `late_flips` (`task=min`), it followed it for more than two steps; above "
    "`two_steps` (`task=tte`) or `start_state` (`task=sim`), it kept track of a state. None of this shows that a "
    "model finds causes in a system that is not written out. `preset=paper` asks tce and tte.",
    "timepuzzles": "Above `guess_rest`, a model knew or found the dates of events; which of the two, only runs with "
    "and without tools tell. Above `mean_lengths` (`task=convert`), it knew or worked out when months and years "
    "begin.",
    "vltl": "Above `nearest`, a model has read the sentence and not only its words. Templates are few, so one that "
    "was trained on them may fail on free text.",
}


GENERIC = "the last five shortcuts are [generic](conformance.md#shortcuts)"


def cells(
    plugin: Plugin, items: list[Item], metric: Metric | None = None, generic: bool = False
) -> dict[str, str]:
    """Return each shortcut's headline, or a metric, with its interval on some items, pairs allowed for.

    ``generic``: of the generic shortcuts, too, learnt from the others of these items.
    """
    metric = metric or plugin.benchmark.headline_metric
    groups = surface.groups(plugin.benchmark, items)
    columns = {
        shortcut.name: [floors.shortcut_row(plugin, shortcut, item) for item in items]
        for shortcut in plugin.shortcuts()
    }
    if generic and not surface.hindrance(items):
        for shortcut, guesses in surface.guessed(plugin.benchmark, items):
            replies = zip(items, map(surface.completion, guesses), strict=True)
            columns[shortcut.name] = [judging.row(plugin, *reply) for reply in replies]
    found = {}
    for name, rows in columns.items():
        number: dict[str, Any] = surface.interval(metric, rows, groups)
        if number["value"] is not None:
            found[name] = cell(number["value"], number["ci_low"], number["ci_high"])
    return found


def cell(value: float, low: float | None, high: float | None) -> str:
    """Return a number and its interval as one word; without an interval, the number alone."""
    ends = "" if low is None or high is None else f"({short(low)}–{short(high)})"
    return f"{short(value)}{ends}"


def short(number: float) -> str:
    """Return a share to two places, ``.57``, without what every share has before the point."""
    return f"{number:.2f}".removeprefix("0")


def made(plugin: Plugin, n: int, **values: Any) -> list[Item]:
    """Return n items of a setting, of a sweep n of each point."""
    chosen = points(plugin.benchmark, {"seed": SEED, **values}, settings())
    specs = [make(plugin, {**point, "n": n}) for point in chosen]
    return [item for spec in specs for item in fresh.items(plugin, spec)]


def table(columns: Mapping[str, Mapping[str, str]], first: str = "shortcut") -> str:
    """Return a table of shortcuts, or models, by settings."""
    names = list(dict.fromkeys(name for column in columns.values() for name in column))
    head = f"|{first}|{'|'.join(columns)}|\n|---|{'---:|' * len(columns)}"
    rows = (
        f"|`{name}`|{'|'.join(column.get(name, '–') for column in columns.values())}|"
        for name in names
    )
    return "\n".join([head, *rows])


def benchmark(name: str, n: int, each: int) -> Iterator[str]:
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
    items = {key: made(plugin, n, **keys) for key, keys in settings_of.items()}
    yield table({key: cells(plugin, some) for key, some in items.items()})
    for metric in said.metrics:
        if metric.together:
            yield f"Both items of a pair right (`{metric.name}`):"
            found = {key: cells(plugin, some, metric) for key, some in items.items()}
            yield table({key: column for key, column in found.items() if column})
    levels = range(1, len(said.levels) + 1)
    if levels:
        yield f"By difficulty, {each} items each:"
        yield table({str(k): cells(plugin, made(plugin, each, difficulty=k)) for k in levels})


def published(folder: Path) -> Iterator[str]:
    """Yield the tables of the published sets that the folder holds, and of the models that answered them."""
    ltlbench, vltl = registry().get("ltlbench"), registry().get("vltl")
    columns = {}
    for path in sorted(folder.glob("ltlbench/300_*.csv")):
        items = dataset.load(ltlbench, make(ltlbench, {"dataset": str(path)}))
        _, events, _, operators, *_ = path.stem.split("_")
        columns[f"{events} events, {operators} operators"] = cells(ltlbench, items, generic=True)
    if columns:
        yield f"## Published sets of LTLBench\n\n300 problems each; {GENERIC}.\n\n{table(columns)}"
        answers = {name: column for name in columns if (column := answered(name))}
        yield f"[Published models](published-answers.md) on the same problems:\n\n{table(answers, 'model,asked')}"
    columns = {}
    for path in sorted(folder.glob("vltl/*.jsonl")):
        found: dict[str, str] = {}
        for task in VLTL_TASKS:
            items = dataset.load(vltl, make(vltl, {"dataset": str(path), "task": task}))
            won = cells(vltl, items, generic=True)
            found |= {f"{name},{task}": value for name, value in won.items()}
        columns[f"{path.stem} ({len(items)})"] = found
    if columns:
        yield f"## Published sets of VLTL-Bench\n\nRecords by task; {GENERIC}.\n\n{table(columns)}"


def answered(name: str) -> dict[str, str]:
    """Return the accuracy of each published model and prompt on a set, by our reading."""
    _, _, rest = ANSWERS.read_text(encoding="utf-8").partition(f"## {name}\n")
    rows = (line.split("|") for line in rest.partition("\n## ")[0].splitlines())
    found = {}
    for row in rows:
        if len(row) > 5 and (numbers := re.findall(r"\d\.\d+", row[5])):
            value, low, high = map(float, numbers)
            found[f"{row[1]},{row[2]}"] = cell(value, low, high)
    return found


def main(words: list[str]) -> int:
    """Write the page."""
    given = dict(word.split("=") for word in words if "=" in word)
    n, each, only = int(given.get("n", "500")), int(given.get("levels", "1000")), given.get("only")
    if only not in (None, "sets", *NAMES):
        sys.exit(f"validity.py: only={only}: expected one of {', '.join((*NAMES, 'sets'))}")
    folders = [Path(word) for word in words if "=" not in word]
    chosen = [name for name in NAMES if only in (None, name)]
    try:
        new = {name: "\n\n".join(benchmark(name, n, each)) for name in chosen}
        new_sets = "\n\n".join(published(folders[0])) if folders else ""
    except HarnessError as error:
        sys.exit(f"validity.py: {error}")
    # The page is read only now: several parts may be made side by side.
    text = PAGE.read_text(encoding="utf-8")
    before, _, rest = text.partition(BEGIN)
    there, _, rest = rest.partition(SETS)
    sets, _, after = rest.partition(END)
    sections = {part.partition("\n")[0]: part for part in there.split("\n## ")[1:]}
    sections |= {name: section.removeprefix("## ") for name, section in new.items()}
    parts = "\n\n".join(f"## {sections[name].strip()}" for name in NAMES)
    sets = f"\n\n{new_sets}\n\n" if new_sets else sets
    PAGE.write_text(f"{before}{BEGIN}\n\n{parts}\n\n{SETS}{sets}{END}{after}", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
