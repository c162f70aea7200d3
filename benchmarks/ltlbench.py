"""Speed of the ltlbench plugin and of a harness run, as ratios against a peer in one run.

    make bench        or        python benchmarks/ltlbench.py [seconds per setting]

Generation: items per second of processor time, every label made by the tableau and confirmed
by Spot, prompt and certificate written. The peer is the upstream pipeline: one model-checker
process per draw, 10 to 19 ms each, about 1.4 draws per item; the ratio is given for both ends.
It compares with the rows where the graph need not matter, as upstream does not ask for that. What
starting one empty process costs here is measured beside it, as the least any such pipeline pays.

Run: wall time of `harness run` (generation, floors and result table included) against plain
Inspect with the same prompts, the same model and Inspect's own `match` scorer.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from statistics import median
from typing import Any

from harness.cli.tables import grid
from harness.core import fresh
from harness.core.plugins import Plugin, registry
from harness.core.spec import make

UPSTREAM_MS = (10 * 1.4, 19 * 1.4)
SIZES = ((8, 5), (3, 3), (2, 9), (9, 2), (50, 20), (200, 50))
RUN_ITEMS = 1000


def rate(plugin: Plugin, seconds: float, **config: Any) -> tuple[float, float]:
    """Return (items per second, draws per item) of generating for a while, caches warm."""
    spec = make(plugin, {**config, "n": 10**9, "unique": False})
    for index in range(3):
        fresh.item_at(plugin, spec, index)
    start, count, draws = time.process_time(), 0, 0
    while time.process_time() - start < seconds:
        item = fresh.item_at(plugin, spec, 3 + count)
        _ = item.problem_id
        count, draws = count + 1, draws + int(item.notes["draws"])
    return count / (time.process_time() - start), draws / count


def process_ms() -> float:
    """Return the median time in milliseconds to start and end one empty process."""
    times = []
    for _ in range(30):
        start = time.perf_counter()
        subprocess.run(["true"], check=True)
        times.append(time.perf_counter() - start)
    return 1000 * median(times)


def generation(seconds: float) -> str:
    """Return the table of generation speeds."""
    plugin = registry().get("ltlbench")
    rows = [["events", "operators", "twins", "items/s/core", "draws/item", "× upstream"]]
    for events, operators in SIZES:
        for pairs in (True, False):
            config = {"events": events, "operators": operators, "twins": pairs}
            speed, draws = rate(plugin, seconds, **config)
            ratio = " – ".join(f"{speed * ms / 1000:,.0f}" for ms in UPSTREAM_MS)
            cells = [str(events), str(operators), "yes" if pairs else "no"]
            rows.append([*cells, f"{speed:,.0f}", f"{draws:.1f}", ratio])
    return grid(rows)


def seconds_of(action: Callable[[], Any]) -> float:
    """Return the wall time of an action."""
    start = time.perf_counter()
    action()
    return time.perf_counter() - start


def overhead() -> str:
    """Return the table of run times: plain Inspect against a harness run, alternating."""
    from inspect_ai import Task
    from inspect_ai import eval as inspect_eval
    from inspect_ai.dataset import Sample
    from inspect_ai.model import get_model
    from inspect_ai.scorer import match
    from inspect_ai.solver import generate

    from harness.run import evaluation
    from harness.run.results import result_of_log

    plugin = registry().get("ltlbench")
    with tempfile.TemporaryDirectory() as folder:
        spec = make(plugin, {"n": RUN_ITEMS, "model": "harness/constant", "log_dir": folder})
        samples = [
            Sample(id=item.id, input=item.prompt, target=item.target)
            for item in fresh.items(plugin, spec)
        ]

        def plain() -> None:
            task = Task(dataset=samples, solver=generate(), scorer=match(location="end"))
            model = get_model("harness/constant", memoize=False)
            inspect_eval(task, model=model, log_dir=folder, display="none", score_display=False)

        def ours() -> None:
            result_of_log(evaluation.run(spec))

        plain()
        ours()
        pairs = [(seconds_of(plain), seconds_of(ours)) for _ in range(3)]
    inspect_s, harness_s = (median(column) for column in zip(*pairs, strict=True))
    rows = [
        ["what", "seconds", "ratio"],
        [f"plain Inspect, {RUN_ITEMS} samples", f"{inspect_s:.2f}", "1.000"],
        ["harness run, everything included", f"{harness_s:.2f}", f"{harness_s / inspect_s:.3f}"],
    ]
    return grid(rows)


def main() -> None:
    """Print the tables."""
    seconds = float(sys.argv[1]) if len(sys.argv) > 1 else 3.0
    print(generation(seconds))
    low, high = UPSTREAM_MS
    print(
        f"\nupstream: {low:.0f} to {high:.1f} ms per item; an empty process here: {process_ms():.2f} ms\n"
    )
    print(overhead())


if __name__ == "__main__":
    main()
