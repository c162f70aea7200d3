"""Speed and memory of the timepuzzles plugin, as ratios against the published generator.

    make bench        or        python benchmarks/timepuzzles.py [seconds per setting]

Puzzles per second on one core, 1800 to 2050, solutions spread evenly over 1 to 6, every solution set
made with masks and confirmed by the arithmetic engine; problem, prompt, certificate and identity
included. The peer is the published generator with balanced solution counts: 3 to 4 s per puzzle on
this kind of machine (the project's notes), with neither necessity nor confirmation. It cannot be had
here, so it is not measured in the same run.

The cold start is a process that imports the plugin and makes one puzzle; memory is the peak of a
process that makes a thousand. The engines are compared on the same puzzles.
"""

from __future__ import annotations

import json
import subprocess
import sys
import time
from statistics import median
from typing import Any

from harness.cli.tables import grid
from harness.core import fresh
from harness.core.plugins import Plugin, registry
from harness.core.spec import make

UPSTREAM_SECONDS = (3.0, 4.0)
SETTINGS: tuple[dict[str, Any], ...] = (
    {"necessary": "event"},
    {"necessary": "event", "mode": "explicit"},
    {"necessary": "all"},
    {"necessary": "none", "clues": "4-6"},
    {"solutions": "0"},
    {"extra": ["all"]},
)
WARM = 1_000
_CHILD = """
import json, resource, sys, time
start = time.perf_counter()
from harness.core import fresh
from harness.core.plugins import registry
from harness.core.spec import make
plugin = registry().get("timepuzzles")
spec = make(plugin, {"n": 10**6})
begun = time.perf_counter()
for index in range(int(sys.argv[1])):
    fresh.item_at(plugin, spec, index)
end = time.perf_counter()
peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
print(json.dumps([end - start, end - begun, peak]))
"""


def rate(plugin: Plugin, seconds: float, config: dict[str, Any]) -> tuple[float, float]:
    """Return (puzzles per second, draws per puzzle) of generating for a while, caches warm."""
    spec = make(plugin, {**config, "n": 10**9, "unique": False})
    start = time.perf_counter()
    for index in range(WARM):  # a mask per clue is made once
        fresh.item_at(plugin, spec, index)
        if time.perf_counter() - start > 3 * seconds:
            break
    start, count, draws = time.perf_counter(), 0, 0
    while time.perf_counter() - start < seconds:
        item = fresh.item_at(plugin, spec, WARM + count)
        _ = item.problem_id
        count, draws = count + 1, draws + int(item.notes["draws"])
    return count / (time.perf_counter() - start), draws / count


def generation(seconds: float) -> str:
    """Return the table of generation speeds."""
    plugin = registry().get("timepuzzles")
    rows = [["settings", "puzzles/s/core", "draws/puzzle", "× published"]]
    for config in SETTINGS:
        speed, draws = rate(plugin, seconds, config)
        ratio = " – ".join(f"{speed * s:,.0f}" for s in UPSTREAM_SECONDS)
        words = " ".join(f"{key}={value}" for key, value in config.items())
        rows.append([words.replace("'", ""), f"{speed:,.0f}", f"{draws:.1f}", ratio])
    return grid(rows)


def engines() -> str:
    """Return the table of milliseconds per puzzle of each engine."""
    plugin = registry().get("timepuzzles")
    items = list(fresh.items(plugin, make(plugin, {"n": 60, "seed": 1})))
    rows = [["engine", "ms per puzzle"]]
    for engine in plugin.benchmark.engines:
        times = []
        for item in items:
            start = time.perf_counter()
            solution = plugin.call("solve", problem=item.problem, engine=engine)
            times.append(time.perf_counter() - start)
            assert solution.answer == item.target
        rows.append([engine, f"{1000 * median(times):.2f}"])
    return grid(rows)


def child(count: int) -> list[float]:
    """Return (seconds in all, seconds generating, peak MB) of a process that makes some puzzles."""
    command = [sys.executable, "-c", _CHILD, str(count)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    found: list[float] = json.loads(done.stdout)
    return found


def pace() -> float:
    """Return the milliseconds that a fixed loop takes: how fast this machine is right now."""
    times = []
    for _ in range(5):
        start = time.perf_counter()
        total = 0
        for number in range(300_000):
            total += number * number % 7
        times.append(time.perf_counter() - start)
    return 1000 * median(times)


def main() -> None:
    """Print the tables."""
    first_pace = pace()
    seconds = float(sys.argv[1]) if len(sys.argv) > 1 else 3.0
    print(generation(seconds))
    print()
    print(engines())
    whole, making, _ = (
        median(column) for column in zip(*(child(1) for _ in range(3)), strict=True)
    )
    print(
        f"\ncold start, imports and first puzzle: {whole:.2f} s, of which the puzzle {making:.2f} s"
    )
    _, making, peak = child(1000)
    print(f"1,000 puzzles from cold: {making:.2f} s, {peak:.0f} MB at the most")
    print(
        f"pace of the machine: a fixed loop took {first_pace:.1f} ms before, {pace():.1f} ms after"
    )


if __name__ == "__main__":
    main()
