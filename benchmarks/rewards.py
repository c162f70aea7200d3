"""Rewards per second on one core, for every plugin, and the same of reasoning-gym in the same run.

    python benchmarks/rewards.py [items]

CPU time of this process, each item asked about a right answer, a wrong one and none, with so many characters of
reasoning before it; the best of fifteen rounds. `harness.reward` gets items, and the lines of JSON of a dataset.

The peer is reasoning-gym (where it is installed: pip install reasoning-gym): `extract_answer` of the same text,
between its tags, and `score_answer` of the data set. It compares with a known answer, in most of its sets by the
text alone; ours reads any form of answer, checks it against the problem, and says why: costs are compared, not work.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator, Sequence
from itertools import cycle, islice
from typing import Any

import harness
from harness.core.items import Item, to_json
from harness.training.rewards import reward

ITEMS = 100
ROUNDS = 15
LENGTHS = (0, 2_000)  # characters of reasoning
GOAL = 5_000  # of ltlbench, a second
SETTINGS: tuple[tuple[str, dict[str, Any]], ...] = (
    ("ltlbench", {}),
    ("ltlbench", {"operators": 9, "events": 9}),
    ("ltlbench", {"task": "counterexample"}),
    ("timepuzzles", {}),
    ("vltl", {"suite": False}),
    ("vltl", {"task": "lift"}),
    ("vltl", {"task": "verify"}),
    ("tempobench", {"confirm": False}),
    ("tempobench", {"task": "tte", "confirm": False}),
)
PEERS = ("chain_sum", "propositional_logic", "calendar_arithmetic", "graph_color", "zebra_puzzles")
WORDS = "Then the first rule says what follows, so we look at the next step and go on from there.\n"

Call = Callable[[], object]


def rate(calls: list[Call]) -> float:
    """Return calls per second of CPU time, the best of some rounds."""
    best = 0.0
    for _ in range(ROUNDS):
        start = time.process_time()
        for call in calls:
            call()
        best = max(best, len(calls) / (time.process_time() - start))
    return best


def texts(targets: list[str], length: int, form: str) -> list[str]:
    """Return for each item a right answer, another item's, or none, after so much reasoning."""
    thought = (WORDS * (1 + length // len(WORDS)))[:length]
    others = [*targets[1:], targets[0]]
    nothing: list[str | None] = [None] * len(targets)
    kinds: cycle[Sequence[str | None]] = cycle((targets, others, nothing))
    found = []
    for at, kind in zip(range(len(targets)), kinds, strict=False):
        said = kind[at]
        found.append(f"{thought}\n" + ("I cannot say." if said is None else form.format(said)))
    return found


def ours(n: int) -> Iterator[tuple[str, list[float]]]:
    """Yield the rates of every setting: by length, then from lines of JSON."""
    for plugin, config in SETTINGS:
        items: list[Item] = harness.stream(plugin, config).take(n)
        targets = [item.target for item in items]
        rates = []
        for length in LENGTHS:
            said = texts(targets, length, "Answer: {}")
            rates.append(rate([_call(plugin, *pair) for pair in zip(items, said, strict=True)]))
        lines = list(map(to_json, items))
        said = texts(targets, 0, "Answer: {}")
        rates.append(rate([_call(plugin, *pair) for pair in zip(lines, said, strict=True)]))
        words = " ".join(f"{key}={value}" for key, value in config.items())
        yield f"{plugin} {words}".strip(), rates


def _call(plugin: str, item: Item | str, text: str) -> Call:
    return lambda: reward(plugin, item, text)


def peers(n: int) -> Iterator[tuple[str, list[float]]]:
    """Yield the rates of reasoning-gym's sets, by length."""
    import reasoning_gym
    from reasoning_gym.utils import extract_answer

    for name in PEERS:
        data = reasoning_gym.create_dataset(name, size=n, seed=0)
        entries = list(islice(data, n))
        targets = [str(entry["answer"]) for entry in entries]
        rates = []
        for length in LENGTHS:
            said = texts(targets, length, "<answer>{}</answer>")
            pairs = zip(entries, said, strict=True)
            rates.append(rate([_peer(data, extract_answer, *pair) for pair in pairs]))
        yield name, rates


def _peer(data: Any, extract: Callable[[str], str | None], entry: Any, text: str) -> Call:
    return lambda: data.score_answer(extract(text), entry)


def main() -> None:
    """Print both tables, and whether the goal is met."""
    n = int(sys.argv[1]) if len(sys.argv) > 1 else ITEMS
    print(f"{n} items a row; rewards per second of CPU, one core\n")
    print(f"| settings | bare answer | {LENGTHS[1]:,} characters | bare, from JSON lines |")
    print("| --- | --- | --- | --- |")
    first: list[float] = []
    for name, rates in ours(n):
        first = first or rates
        print(f"| {name} | {' | '.join(f'{one:,.0f}' for one in rates)} |", flush=True)
    try:
        import reasoning_gym  # noqa: F401
    except ImportError:
        print("\nreasoning-gym is not installed: pip install reasoning-gym")
    else:
        print(f"\n| reasoning-gym | bare answer | {LENGTHS[1]:,} characters |\n| --- | --- | --- |")
        for name, rates in peers(n):
            print(f"| {name} | {' | '.join(f'{one:,.0f}' for one in rates)} |", flush=True)
    print(f"\nltlbench: {min(first):,.0f} a second at least, the goal is {GOAL:,}")


if __name__ == "__main__":
    main()
