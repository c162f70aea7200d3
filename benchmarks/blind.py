"""Blind check of labels: solvers that read prompts only, against the targets of fresh items.

    python benchmarks/blind.py                                 every plugin, 300 items a setting
    python benchmarks/blind.py plugin=ltlbench n=3000          every setting of one plugin
    python benchmarks/blind.py plugin=ltlbench n=3000 task=counterexample      one setting

Each solver (`blind_NAME.py`) was written from prompts alone, apart from the plugin: it shares no
parser, evaluator or table with it, and imports nothing of the house. It is given the text of a
prompt; its answer is compared with the target by meaning. The exit code is 1 where any differs.
Prompts that a solver cannot read are counted apart. seconds= is processor time of the solver.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path
from typing import Any

from blind_kit import UnreadError, UntrueError

SETTINGS: dict[str, tuple[str, ...]] = {
    "ltlbench": (
        "",
        "preset=paper",
        "preset=paper_operators operators=9",
        "preset=paper_events events=9",
        "task=counterexample",
        "task=counterexample logic=full wording=can",
        "logic=full twins=false",
        "logic=full wording=published",
        "logic=published wording=paper",
        "rarity=0.05",
        "rarity=1 edge_probability=0.5",
        "difficulty=1",
        "difficulty=4",
        "difficulty=7",
        "difficulty=10",
        "events=30 operators=12 twins=false",
    ),
    "tempobench": (
        "task=tce",
        "task=tte",
        "task=sim",
        "task=min",
        "task=tce preset=paper",
        "task=tte preset=paper",
        "task=tce label=per_step",
        "task=tce effects=combined",
        "task=tce effects=window",
        "task=min effects=window",
        "task=tce start=unknown",
        "task=min start=unknown",
        "task=tce contingencies=true",
        "task=min contingencies=true",
        "task=tce contingencies=true unseen=1",
        "task=tce unseen=2",
        "task=tte unseen=2",
        "task=tce notation=prose wording=narrative",
        "task=min notation=table wording=narrative effects=combined",
        "task=tce wording=narrative contingencies=true start=unknown",
        "task=tte notation=prose wording=narrative unseen=1",
        "task=sim notation=table hoa=numbers",
        "task=tce hoa=numbers inputs=biased",
        "task=tce machines=fresh max_states=8",
        "task=tce length=16 max_states=16",
    ),
    "timepuzzles": (
        "mode=spelled",
        "mode=explicit",
        "preset=paper_explicit",
        "mode=spelled calendar_clue=true",
        "mode=spelled extra=[all]",
        "mode=explicit extra=[all]",
        "mode=spelled solutions=0",
        "mode=spelled extra=[all] clues=5-8 necessary=event from_year=1700 to_year=2100",
        "task=convert",
        "task=convert language=de",
        "task=convert language=es",
        "task=convert language=zh",
    ),
    "vltl": (
        "task=translate unique=false",
        "task=translate arity=3 unique=false",
        "task=translate depth=2",
        "task=translate depth=3",
        "world=full",
        "world=full scenario=search_and_rescue depth=2",
        "world=full scenario=traffic_light depth=3",
        "task=ground world=full",
        "task=ground world=full scenario=traffic_light",
        "task=verify",
        "task=verify depth=3 states=16",
        "task=verify difficulty=10",
        "style=timed task=translate unique=false",
        "style=timed world=full",
        "style=timed world=full depth=2",
        "style=timed task=ground world=full",
        "style=timed task=verify depth=2",
        "task=translate semantics=ltlf unique=false",
        "task=translate semantics=ltlf depth=2",
        "task=translate semantics=ltlf depth=3",
        "world=full semantics=ltlf",
        "world=full semantics=ltlf scenario=search_and_rescue depth=2",
        "task=verify semantics=ltlf",
        "task=verify semantics=ltlf depth=2",
        "task=verify semantics=ltlf depth=3 states=16",
    ),
}
SHOWN = 5  # differences and unread prompts that are told at length


@dataclass
class Tally:
    """How the items of one setting compare."""

    counts: Counter[str] = field(default_factory=Counter)
    told: list[str] = field(default_factory=list)
    seconds: float = 0.0

    def tell(self, kind: str, what: str) -> None:
        """Count an item, and keep what is said of the first few of its kind."""
        self.counts[kind] += 1
        if self.counts[kind] <= SHOWN:
            self.told.append(f"{kind}: {what}")


def compare(plugin: str, items: Sequence[Mapping[str, Any]]) -> Tally:
    """Return how a plugin's solver and the targets of items compare."""
    solver = import_module(f"blind_{plugin}")
    tally, start = Tally(), time.process_time()
    for item in items:
        prompt = item["prompt"]
        try:
            answer = solver.solve(prompt)
            equal = solver.agrees(answer, item["target"], prompt)
        except UnreadError as error:
            tally.tell("unread", f"index {item['index']}: {error}")
            continue
        except UntrueError as error:
            tally.tell("different", f"index {item['index']}, the prompt: {error}")
            continue
        if equal:
            tally.counts["equal"] += 1
        else:
            tally.tell("different", f"index {item['index']}: {item['target']!r}, not {answer!r}")
    tally.seconds = time.process_time() - start
    return tally


def generated(plugin: str, n: int, setting: str) -> list[dict[str, Any]]:
    """Return items that `harness generate` writes for a setting."""
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder, "items.jsonl")
        words = ["generate", f"plugin={plugin}", f"n={n}", f"out={out}", *setting.split()]
        if not setting.startswith("seed="):
            words.append("seed=24")
        command = [str(Path(sys.executable).with_name("harness")), *words]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode:
            sys.exit(f"{' '.join(words)}\n{done.stderr}")
        with out.open(encoding="utf-8") as lines:
            return [json.loads(line) for line in lines]


def rows(plugins: Sequence[str], n: int, setting: str | None) -> Iterator[tuple[str, Tally]]:
    """Yield each setting's row of the table, and its tally."""
    for plugin in plugins:
        for each in SETTINGS[plugin] if setting is None else (setting,):
            tally = compare(plugin, generated(plugin, n, each))
            counts = [tally.counts[kind] for kind in ("equal", "different", "unread")]
            cells = [f"{plugin} {each}".strip(), sum(counts), *counts, f"{tally.seconds:.1f}"]
            yield "|" + "|".join(map(str, cells)) + "|", tally


def main(words: Sequence[str]) -> int:
    """Print the table; return 1 if any answer differs from its target."""
    given = dict(word.partition("=")[::2] for word in words)
    plugin, count = given.pop("plugin", None), given.pop("n", "300")
    if not count.isdecimal() or int(count) == 0:
        print(f"n={count}: write a whole number from 1", file=sys.stderr)
        return 2
    if plugin is not None and plugin not in SETTINGS:
        print(f"no solver for {plugin}; there are: {', '.join(SETTINGS)}", file=sys.stderr)
        return 2
    setting = " ".join(f"{key}={value}" for key, value in given.items()) or None
    print("|setting|items|equal|different|not read|seconds|\n|---|---|---|---|---|---|")
    wrong = 0
    for row, tally in rows([plugin] if plugin else list(SETTINGS), int(count), setting):
        print(row, *(f"    {line}" for line in tally.told), sep="\n", flush=True)
        wrong += tally.counts["different"]
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
