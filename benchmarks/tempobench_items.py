"""Items of the tempobench plugin: how fast, how deep, and whether the engines agree on many machines.

    make bench        or        python benchmarks/tempobench_items.py [quick]

Processor time, the guard's workers included, so that a busy machine does not matter much. Deep items: 20 of depth 12
to 20 on arbiters of 17 to 32 states. Abstentions: causes of random walks on the shipped machines, up to depth 20.
Agreement: on random small machines the exact engine against the SAT solver and, up to 12 pairs, brute force.
"""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from harness_tempobench.engines import brute, causes, sat
from harness_tempobench.machine import Machine, walk
from harness_tempobench.shipped_machines import machine, shipped
from tempobench import random_machine

from harness import Abstained
from harness.cli.tables import grid
from harness.core import fresh
from harness.core.items import to_json
from harness.core.plugins import registry
from harness.core.spec import make

ARBITERS = [entry.family for entry in shipped() if "arbiter" in entry.family]
DEEP = {
    "families": sorted(set(ARBITERS)),
    "min_states": 17,
    "max_states": 32,
    "min_depth": 12,
    "length": 21,
}
ITEMS: tuple[dict[str, Any], ...] = (
    {"max_states": 8, "confirm": False},
    {"max_states": 8},
    {},
    {"label": "per_step"},
    {"task": "tte", "max_states": 8},
    {"task": "sim", "max_states": 8},
    {"task": "tte"},
    {"task": "sim"},
)
FEW = 1_000
"""Clauses up to which no cause may be given up."""

_CHILD = """
import json, os, re, sys, time
from pathlib import Path
from harness.core import fresh
from harness.core.plugins import registry
from harness.core.spec import make
plugin = registry().get("tempobench")
first, count, config = int(sys.argv[1]), int(sys.argv[2]), json.loads(sys.argv[3])
spec = make(plugin, {**config, "n": 10**9, "unique": False})
start = time.perf_counter()
for index in range(first, first + count):
    fresh.item_at(plugin, spec, index)
seconds, own = time.perf_counter() - start, os.getpid()
workers = Path(f"/proc/self/task/{own}/children").read_text().split()
texts = [Path(f"/proc/{pid}/status").read_text() for pid in (own, *workers)]
peaks = [int(re.search(r"VmHWM:\\s*(\\d+)", text)[1]) / 1024 for text in texts]
print(json.dumps([seconds, sum(peaks)]))
"""


def workers_time() -> float:
    """Return the processor time of this process's workers, in seconds."""
    ticks = 0
    for pid in Path(f"/proc/self/task/{os.getpid()}/children").read_text().split():
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        ticks += int(fields[11]) + int(fields[12])
    return ticks / os.sysconf("SC_CLK_TCK")


def made(config: dict[str, Any], indices: Iterable[int]) -> float:
    """Return the processor time that items and their lines take, workers included."""
    plugin = registry().get("tempobench")
    spec = make(plugin, {**config, "n": 10**9, "unique": False})
    start = time.process_time() + workers_time()
    for index in indices:
        to_json(fresh.item_at(plugin, spec, index))
    return time.process_time() + workers_time() - start


def items(count: int) -> str:
    """Return the table of items per second and core, after as many others."""
    rows = [["settings", "items/s of a core"]]
    for config in ITEMS:
        made(config, range(count))
        speed = count / made(config, range(count, 2 * count))
        words = " ".join(f"{key}={value}" for key, value in config.items()) or "(defaults)"
        rows.append([words, f"{speed:,.0f}"])
    return grid(rows)


def abstentions(seconds: float) -> str:
    """Return how many causes on shipped machines are given up, up to depth 20, and those with few clauses."""
    rng, seen, engines = random.Random(0), Counter[str](), dict[Any, causes.Engine]()
    entries, start = list(shipped()), time.process_time()
    while time.process_time() - start < seconds:
        entry = rng.choice(entries)
        engine = engines.setdefault(entry, causes.Engine(machine(entry)))
        letters, masks = walk(engine.machine, rng.randint(1, 21), rng)
        place = rng.randrange(len(engine.machine.outputs))
        search = causes.Search(engine, letters, place, bool(masks[-1] >> place & 1))
        try:
            search.clauses(FEW)
            seen["listed"] += 1
        except Abstained as error:
            seen[f"more than {FEW:,} clauses" if "clauses" in str(error) else "given up"] += 1
    return ", ".join(f"{kind}: {number:,}" for kind, number in sorted(seen.items()))


def agreement(count: int) -> str:
    """Return how many random machines were compared; ends the program where engines disagree."""
    rng, seen = random.Random(0), Counter[str]()
    for number in range(count):
        made = random_machine(rng, rng.randint(1, 9), rng.randint(0, 4))
        letters, masks = walk(made, rng.randint(1, 8), rng)
        step, value = len(letters) - 1, bool(masks[-1] & 1)
        found = causes.Engine(made).cause(letters, masks, step, 0, value).clauses
        asked = (step, made.outputs[0], value)
        others = {"sat": [*map(_tuples, sat.cause(_text(made), letters, *asked))]}
        if len(letters) * len(made.inputs) <= 12:
            others["brute"] = list(brute.cause(made, letters, *asked))
        for name, clauses in others.items():
            if clauses != list(found):
                sys.exit(f"case {number}: {name} says {clauses}, exact {found}")
            seen[name] += 1
    return ", ".join(f"equal to {name} on {number:,} machines" for name, number in seen.items())


def _tuples(clause: list[list[int]]) -> tuple[tuple[int, int], ...]:
    return tuple((step, place) for step, place in clause)


def _text(made: Machine) -> str:
    names = ("inputs", "outputs", "start", "table")
    return json.dumps({name: getattr(made, name) for name in names})


def two_processes(count: int) -> str:
    """Return what two processes at once take for confirmed items of the default settings."""
    words = [sys.executable, "-c", _CHILD]
    started = [
        subprocess.Popen([*words, str(first), str(count), "{}"], stdout=subprocess.PIPE)
        for first in (0, count)
    ]
    answers = [json.loads(process.communicate()[0]) for process in started]
    longest = max(seconds for seconds, _ in answers)
    whole = 20_000 / (2 * count) * longest / 60
    return (
        f"two processes, {2 * count:,} confirmed items: {longest:.1f} s; 20,000 at this pace: {whole:.1f} min;"
        f" peaks of memory of all processes: {sum(peak for _, peak in answers):.0f} MB"
    )


def main() -> None:
    """Print the tables."""
    quick = "quick" in sys.argv[1:]
    print(agreement(500 if quick else 5_000), "\n", flush=True)
    print(items(100 if quick else 800), "\n", flush=True)
    print(f"20 deep items: {made(DEEP, range(20)):.1f} s\n", flush=True)
    print("causes on shipped machines:", abstentions(5 if quick else 60), "\n", flush=True)
    print(two_processes(100 if quick else 500))


if __name__ == "__main__":
    main()
