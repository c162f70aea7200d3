"""The vltl plugin: speed with and without suites, what suites tell apart, evaluations of formulas, the parser.

    make bench        or        python benchmarks/vltl.py [seconds per setting]

Items per second on one core, every sentence confirmed by the second reader and every trace of a suite by
Spot; prompt, certificate and identity included. The peer is the published generator with its tagger left
out: 500 to 700 items a second with two template traces each and no confirmation (the project's notes); it needs
data that cannot be had here, so it is not measured in the same run. "cold" counts from a process that has made no
item, with the suites of all templates still to be found; "warm" has them.

What suites tell from the right formula is measured with wrong ones that a generator written apart from the plugin's
draws; Spot says which of those that pass are equivalent.

Evaluations count a formula on a trace, all traces of a pool together, against the same formulas on the same
traces one by one in Spot's automata (both with the formula's own preparation done before).
"""

from __future__ import annotations

import itertools
import json
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from importlib import import_module
from pathlib import Path
from random import Random
from statistics import mean, median
from typing import Any

from harness_vltl import lassos, templates
from harness_vltl.engines import evaluator, spot
from harness_vltl.formulas import syntax
from harness_vltl.formulas.formula import substitute

from harness.cli.tables import grid
from harness.core import fresh
from harness.core.plugins import Plugin, registry
from harness.core.spec import make

sys.path += [str(Path(__file__).parents[1] / place) for place in ("tests", "plugins/vltl/tests")]
notations = import_module("vltl_notations")  # the ones that the tests read back
others = import_module("vltl_mutants")  # drawn apart from the plugin's

UPSTREAM = (500.0, 700.0)
SETTINGS: tuple[dict[str, Any], ...] = (
    {"suite": False},
    {},
    {"task": "lift"},
    {"task": "ground", "world": "full"},
    {"task": "verify"},
    {"scenario": "traffic_light"},
    {"depth": 2, "suite": False},
    {"depth": 2},
    {"depth": 3},
)
WARM = 600
COLD = 300
PER_ITEM = 100  # wrong formulas of one change, and of two
_CHILD = """
import json, resource, sys, time
start = time.perf_counter()
from harness.core import fresh
from harness.core.plugins import registry
from harness.core.spec import make
plugin = registry().get("vltl")
spec = make(plugin, {**json.loads(sys.argv[2]), "n": 10**6, "unique": False})
for index in range(int(sys.argv[1])):
    fresh.item_at(plugin, spec, index)
peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
print(json.dumps([time.perf_counter() - start, peak]))
"""


def warm(plugin: Plugin, seconds: float, config: dict[str, Any]) -> float:
    """Return items per second of generating for a while, suites of the templates known."""
    spec = make(plugin, {**config, "n": 10**9, "unique": False})
    start = time.perf_counter()
    for index in range(WARM):
        fresh.item_at(plugin, spec, index)
        if time.perf_counter() - start > 3 * seconds:
            break
    start, count = time.perf_counter(), 0
    while time.perf_counter() - start < seconds:
        _ = fresh.item_at(plugin, spec, WARM + count).problem_id
        count += 1
    return count / (time.perf_counter() - start)


def cold(config: dict[str, Any], items: int) -> tuple[float, float]:
    """Return items per second and the peak of memory (MB) of a process that makes so many."""
    words = [sys.executable, "-c", _CHILD, str(items), json.dumps(config)]
    done = subprocess.run(words, capture_output=True, text=True, check=True)
    seconds, peak = json.loads(done.stdout)
    return items / seconds, peak


def generation(seconds: float) -> str:
    """Return the table of generation speeds."""
    plugin = registry().get("vltl")
    rows = [["settings", "warm, items/s/core", f"first {COLD}, items/s", "MB", "× published"]]
    for config in SETTINGS:
        speed = warm(plugin, seconds, config)
        first, peak = cold(config, COLD)
        ratio = " – ".join(f"{speed / s:.1f}" for s in reversed(UPSTREAM))
        words = " ".join(f"{key}={value}" for key, value in config.items()) or "(defaults)"
        rows.append([words, _shown(speed), _shown(first), f"{peak:.0f}", ratio])
    return grid(rows)


def _shown(speed: float) -> str:
    return f"{speed:,.0f}" if speed >= 10 else f"{speed:.1f}"


def suites(seconds: float) -> str:
    """Return the table of how many wrong formulas suites tell from the right one."""
    plugin = registry().get("vltl")
    rows = [["depth", "items", "traces", "most", "one change", "two changes"]]
    for depth in (1, 2, 3):
        spec = make(plugin, {"depth": depth, "n": 10**9, "unique": False})
        traces: list[int] = []
        totals = {1: [0, 0], 2: [0, 0]}
        start = time.perf_counter()
        for item in fresh.items(plugin, spec):
            proof = item.certificate
            suite = [*proof["satisfying"], *proof["violating"]]
            traces.append(len(suite))
            for changes, total in totals.items():
                counted, untold = others.passing(
                    proof["formula"], suite, Random(item.index), PER_ITEM, changes
                )
                total[0] += counted
                total[1] += len(untold)
            if time.perf_counter() - start > 4 * seconds:
                break
        killed = [
            f"{1 - untold / counted:.2%} of {counted:,}" for counted, untold in totals.values()
        ]
        rows.append(
            [str(depth), str(len(traces)), f"{mean(traces):.1f}", str(max(traces)), *killed]
        )
    return grid(rows)


def evaluation(seconds: float) -> str:
    """Return the table of evaluations per second."""
    rng = Random(1)
    names = ["prop_1", "prop_2", "prop_3"]
    listed = [
        lassos.make([[n for n in names if rng.random() < 0.5] for _ in range(8)])
        for _ in range(500)
    ]
    formulas = [
        substitute(one.formula, dict(zip(templates.LETTERS, names, strict=True)))
        for one in templates.skeletons()
    ]
    texts = [notations.show(formula, "words") for formula in formulas]
    pairs = list(itertools.product(formulas[:20], listed[:20]))
    rows: list[tuple[str, float]] = [
        ("formula-trace pairs, 500 traces of 8 states at once", _pooled(formulas, listed, seconds)),
        ("formula-trace pairs, one at a time", _each(evaluator.holds, pairs, seconds)),
        ("formula-trace pairs, Spot, one at a time", _each(spot.holds, pairs, seconds)),
        ("formulas parsed (words)", _each(syntax.parse, [(t, names) for t in texts], seconds)),
    ]
    cells = [[what, f"{speed:,.0f}"] for what, speed in rows]
    return grid([["what", "per second"], *cells])


def _pooled(formulas: list[Any], listed: list[Any], seconds: float) -> float:
    pool = evaluator.pool_of(listed)
    frozen = [evaluator.freeze(formula) for formula in formulas]

    def work() -> int:
        pool.known.clear()  # not even values of shared parts are kept
        for formula in frozen:
            pool.holds(formula)
        return len(frozen) * len(listed)

    return _rate(work, seconds)


def _each(function: Callable[..., object], arguments: Sequence[Any], seconds: float) -> float:
    def work() -> int:
        for given in arguments:
            function(*given)
        return len(arguments)

    return _rate(work, seconds)


def _rate(work: Callable[[], int], seconds: float) -> float:
    work()
    rates = []
    start = time.perf_counter()
    while time.perf_counter() - start < seconds:
        begun = time.perf_counter()
        count = work()
        rates.append(count / (time.perf_counter() - begun))
    return float(median(rates))


def main() -> None:
    """Print the tables."""
    seconds = float(sys.argv[1]) if len(sys.argv) > 1 else 5.0
    print(generation(seconds))
    print()
    print(suites(seconds))
    print()
    print(evaluation(seconds))


if __name__ == "__main__":
    main()
