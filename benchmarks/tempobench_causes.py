"""Speed of tempobench's causes against the literature's tool, and against the definition word by word.

    make bench        or        python benchmarks/tempobench_causes.py [quick]

CORP, the literature's tool, is not to be had here: the 300 cases that were computed with it came with the
time that it took elsewhere. "Definition" tries every set of flips on the machine, the small ones first, and
keeps those that break the effect and contain none that was kept; its clauses must be those of the exact
engine. Processor time; the exact engine is new for each case, and its time is the least of some.
"""

from __future__ import annotations

import json
import sys
import time
from itertools import islice
from pathlib import Path
from statistics import median
from typing import Any

from harness_tempobench import hoa
from harness_tempobench.engines import causes
from tempobench import Case, random_cases

from harness.cli.tables import grid

RECORDED = Path(__file__).parents[2] / "shared" / "data" / "causality" / "cases.jsonl"
REPEATED = 5  # times that a case of milliseconds is measured: the least of them is least disturbed


def recorded() -> str:
    """Return the table of the cases that CORP computed: times recorded elsewhere, by states."""
    ratios: dict[int, list[float]] = {}
    for line in RECORDED.read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        machine = hoa.read(row["machine"])
        letters, _ = machine.split(row["trace"])
        step, output = row["effect"]["step"], row["effect"]["ap"]
        case = Case(machine, letters, step, machine.outputs.index(output))
        taken = min(timed(case)[0] for _ in range(REPEATED))
        ratios.setdefault(len(machine.table), []).append(row["reference_seconds"] / taken)
    rows = [["states", "cases", "× CORP (median)", "at least"]]
    for states, found in sorted(ratios.items()):
        cells = [states, len(found), round(median(found)), round(min(found))]
        rows.append([str(cell) for cell in cells])
    return grid(rows)


def timed(case: Case) -> tuple[float, tuple[Any, ...]]:
    """Return the processor time that a new engine takes for a case, and the clauses."""
    start = time.process_time()
    engine = causes.Engine(case.machine)
    cause = engine.cause(case.letters, None, case.step, case.output, case.value)
    return time.process_time() - start, cause.clauses


def by_definition(case: Case) -> tuple[Any, ...]:
    """Return the minimal breaking sets of a case: all sets of flips are tried, the small ones first."""
    width, table = len(case.machine.inputs), case.machine.table
    steps = range(0, (case.step + 1) * width, width)
    actual = sum(letter << at for letter, at in zip(case.letters, steps, strict=True))
    minimal: list[int] = []
    for flips in sorted(range(1 << len(steps) * width), key=int.bit_count):
        if any(flips & smaller == smaller for smaller in minimal):
            continue
        state, mask = case.machine.start, 0
        for at in steps:
            state, mask = table[state][(actual ^ flips) >> at & case.machine.letters - 1]
        if bool(mask >> case.output & 1) is not case.value:
            minimal.append(flips)
    pairs = [(at // width, place) for at in steps for place in range(width)]
    sets = (tuple(pair for i, pair in enumerate(pairs) if m >> i & 1) for m in minimal)
    return tuple(sorted(sets, key=lambda clause: (len(clause), clause)))


def defined(quick: bool) -> str:
    """Return the table of ratios to the definition word by word; ends the program where they disagree."""
    rows = [["random machines, 2 inputs", "cases", "× definition (median)", "at least"]]
    for states, depth, count in ((4, 8, 5), (24, 8, 5), (24, 10, 1 if quick else 5)):
        ratios = []
        for case in islice(random_cases(states, 2, depth), count):
            seconds, clauses = min(timed(case) for _ in range(REPEATED))
            start = time.process_time()
            if by_definition(case) != clauses:
                sys.exit(f"the definition does not give {clauses} on {case}")
            ratios.append((time.process_time() - start) / seconds)
        rows.append(
            [
                f"{states} states, depth {depth}",
                str(len(ratios)),
                f"{median(ratios):,.0f}",
                f"{min(ratios):,.0f}",
            ]
        )
    return grid(rows)


def main() -> None:
    """Print the tables."""
    if RECORDED.exists():
        print(recorded(), "\n", flush=True)
    print(defined("quick" in sys.argv[1:]))


if __name__ == "__main__":
    main()
