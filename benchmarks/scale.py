"""Large datasets: items per second against workers, memory against their number, and what 10⁹ items cost.

    python benchmarks/scale.py [n …]

Each row is one `harness generate` into a folder of shards, in a process of its own. Memory is the most that the
driver, and that any one of its workers, ever had (resident, looked at five times a second); CPU is that of all of
them. On cores that are shared, items per second of CPU say more than those of the clock. The last table is on
paper: the constants of the largest row, times 10⁹.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

import psutil  # type: ignore[import-untyped]

from harness.cli.tables import grid

SIZES = (5_000, 20_000, 80_000)
SETTINGS = ("operators=7",)  # with fewer, most of a million formulas on three events come twice
WORKERS = (1, 2)
BILLION = 1_000_000_000
EVERY = 0.2  # seconds between two looks at the memory


@dataclass(frozen=True, slots=True)
class Row:
    """One run; memory in bytes, time in seconds."""

    n: int
    workers: int
    wall: float
    cpu: float
    driver: int
    worker: int
    disk: int
    manifest: int
    redrawn: int


def measured(n: int, workers: int, folder: Path) -> Row:
    """Generate ``n`` ltlbench items with so many workers; see `Row`."""
    words = ["plugin=ltlbench", *SETTINGS, f"n={n}", f"workers={workers}", f"out={folder}"]
    start = time.monotonic()
    child = subprocess.Popen(
        [sys.executable, "-m", "harness.cli", "generate", *words], stdout=subprocess.DEVNULL
    )
    process, driver, worker = psutil.Process(child.pid), 0, 0
    while True:
        done, status, usage = os.wait4(child.pid, os.WNOHANG)
        if done:
            break
        driver = max(driver, _memory(process))
        worker = max([worker, *map(_memory, process.children())])
        time.sleep(EVERY)
    child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode:
        raise SystemExit(f"harness generate ended with code {child.returncode}")
    wall = time.monotonic() - start
    shards = sorted(folder.glob("part-*"))
    manifest = (folder / "manifest.json").stat().st_size
    disk = sum(path.stat().st_size for path in shards)
    redrawn = sum(_redrawn(path) for path in shards)
    return Row(
        n, workers, wall, usage.ru_utime + usage.ru_stime, driver, worker, disk, manifest, redrawn
    )


def _memory(process: psutil.Process) -> int:
    try:
        return int(process.memory_info().rss)
    except psutil.Error:  # it has ended
        return 0


def _redrawn(path: Path) -> int:
    with path.open(encoding="utf-8") as file:
        return sum(json.loads(line)["attempt"] > 0 for line in file)


def billion(row: Row) -> list[list[str]]:
    """Return, on paper, what 10⁹ items cost at the constants of one row."""
    seconds = row.cpu / row.n * BILLION
    identities = 18 * BILLION
    return [
        ["core hours", f"{row.cpu / row.n * 1e6:.0f} µs × 10⁹", f"{seconds / 3600:,.0f}"],
        ["hours on 1,000 cores", "core hours / 1,000", f"{seconds / 3.6e6:.1f}"],
        ["TB of JSON lines", f"{row.disk / row.n:,.0f} B × 10⁹", f"{row.disk / row.n / 1e3:.2f}"],
        ["GB of identities, while it is made", "(18 + 18) B × 10⁹", f"{2 * identities / 1e9:.0f}"],
        ["shards", "10⁹ / 10,000", "100,000"],
    ]


def main() -> None:
    """Print both tables."""
    sizes = [int(word) for word in sys.argv[1:]] or list(SIZES)
    rows = []
    head = ["items", "workers", "seconds", "items/s", "CPU s", "items/s of CPU", "driver MB", "worker MB",
            "disk MB", "drawn again"]  # fmt: skip
    table = [head]
    for n in sizes:
        for workers in WORKERS if n == sizes[0] or len(sizes) == 1 else WORKERS[-1:]:
            with tempfile.TemporaryDirectory() as folder:
                row = measured(n, workers, Path(folder, "made"))
            rows.append(row)
            table.append([
                f"{row.n:,}", str(row.workers), f"{row.wall:.0f}", f"{row.n / row.wall:,.0f}", f"{row.cpu:.0f}",
                f"{row.n / row.cpu:,.0f}", f"{row.driver / 1e6:.0f}", f"{row.worker / 1e6:.0f}",
                f"{row.disk / 1e6:,.0f}", f"{row.redrawn:,}",
            ])  # fmt: skip
    print(grid(table))
    print()
    print(grid([["what", "how", "10⁹ items"], *billion(rows[-1])]))


if __name__ == "__main__":
    main()
