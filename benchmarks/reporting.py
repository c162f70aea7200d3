"""Reports over large logs: time and memory of reading one, and of all of the report.

    python benchmarks/reporting.py [samples]

A real run of a few items is multiplied in a temporary folder: every sample gets an id, an index and a feature of
its own, and is written the way Inspect writes it, so that nothing is shared that would not be in a real log. The
peer is Inspect's own `samples_df`, which makes a table of the same summaries. Each step runs in a process of its
own; the memory is the most that process ever had (resident), beside what it had before it opened the log.
"""

from __future__ import annotations

import json
import resource
import subprocess
import sys
import tempfile
import time
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

SAMPLES = 200_000
ITEMS = 20  # of the real run
PLUGIN = "ltlbench"
_HEAD = ("header.json", "_journal/start.json")


def small_log(folder: Path) -> Path:
    """Return the log of a real run."""
    from harness.core.plugins import registry
    from harness.core.spec import make
    from harness.run import evaluation

    words = {"n": ITEMS, "model": "harness/random", "log_dir": str(folder)}
    return Path(evaluation.run(make(registry().get(PLUGIN), words)).location)


def multiply(small: Path, large: Path, n: int) -> None:
    """Write a log of ``n`` samples made of a small one's, in Inspect's own form of file."""
    import inspect_ai.log  # noqa: F401 (teaches zipfile the compression of its logs)

    zstd: int = zipfile.ZIP_ZSTANDARD  # type: ignore[attr-defined]
    with zipfile.ZipFile(small) as source, zipfile.ZipFile(large, "w", zstd) as target:
        found = json.loads(source.read("summaries.json"))
        wholes = [
            _form(json.loads(source.read(f"samples/{one['id']}_epoch_1.json"))) for one in found
        ]
        summaries = list(map(_form, found))
        ids = [f"{at:020x}" for at in range(n)]
        for name in _HEAD:
            head = json.loads(source.read(name))
            head["eval"]["dataset"] |= {"samples": n, "sample_ids": ids}
            target.writestr(name, json.dumps(head))
        for at, own in enumerate(ids):
            text = _own(wholes[at % len(wholes)], at, own)
            # Not read here, and zstandard would start twelve threads for each.
            target.writestr(f"samples/{own}_epoch_1.json", text, zipfile.ZIP_DEFLATED, 1)
        with target.open("summaries.json", "w", force_zip64=True) as stream:
            for at, own in enumerate(ids):
                text = _own(summaries[at % len(summaries)], at, own)
                stream.write(f"{',' if at else '['}{text}".encode())
            stream.write(b"]")


def _form(one: dict[str, Any]) -> str:
    """Return a sample's JSON with places for what is to be its own."""
    one["id"] = one["uuid"] = "@id@"
    one["metadata"] |= {"index": "@at@"}
    one["metadata"]["features"] |= {"events": "@events@", "product_states": "@at@"}
    return json.dumps(one)


def _own(form: str, at: int, own: str) -> str:
    text = form.replace('"@at@"', str(at)).replace('"@events@"', str(3 + at % 9))
    return text.replace("@id@", own)


def make_log(path: Path, n: int) -> None:
    """Make the log that is measured."""
    multiply(small_log(path.parent), path, n)


def read(path: Path) -> int:
    """Read a log into a study and return how many answers it holds."""
    from harness.report import log_studies

    (study,) = log_studies.load([path], print)
    return sum(len(series.answers) for series in study.series)


def peer(path: Path) -> int:
    """Read a log with Inspect's own analysis functions and return how many samples its table has."""
    from inspect_ai.analysis import samples_df

    return len(samples_df(str(path), quiet=True))


def report(path: Path) -> int:
    """Write the whole report of a log and return how many answers it is about."""
    from harness.report import report as command

    found = command.report([str(path), f"out={path.parent / 'report'}"], print)
    return sum(one["answers"] for study in found["studies"] for one in study["series"])


# What is measured, each in a process of its own.
STEPS: dict[str, Callable[[Path], int]] = {"read": read, "samples_df": peer, "report": report}


def measured(step: str, path: Path) -> str:
    """Take a step; return a line with answers, seconds, those of the processor, and kilobytes before and at most."""
    from harness.core.plugins import registry
    from harness.report import log_studies  # noqa: F401 (its imports are not what is measured)

    registry()
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    start, busy = time.perf_counter(), time.process_time()
    count = STEPS[step](path)
    spent, busy = time.perf_counter() - start, time.process_time() - busy
    return f"{count} {spent} {busy} {before} {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss}"


def _alone(*words: str) -> str:
    """Run a step of this script in a process of its own and return what it prints last."""
    done = subprocess.run(
        [sys.executable, __file__, *words], stdout=subprocess.PIPE, text=True, check=True
    )
    return (done.stdout.splitlines() or [""])[-1]


def main() -> None:
    """Print the table."""
    from harness.cli.tables import grid

    n = sys.argv[1] if len(sys.argv) > 1 else str(SAMPLES)
    rows = [["step", "file MB", "answers", "seconds", "CPU s", "MB before", "MB at most"]]
    with tempfile.TemporaryDirectory() as folder:
        large = Path(folder) / "large.eval"
        _alone("--make", str(large), n)
        for step in STEPS:
            count, spent, busy, before, most = map(
                float, _alone("--step", str(large), step).split()
            )
            rows.append([
                step, f"{large.stat().st_size / 1e6:.0f}", f"{count:.0f}", f"{spent:.1f}",
                f"{busy:.1f}", f"{before / 1024:.0f}", f"{most / 1024:.0f}",
            ])  # fmt: skip
    print(grid(rows))


if __name__ == "__main__":
    if sys.argv[1:2] == ["--make"]:
        make_log(Path(sys.argv[2]), int(sys.argv[3]))
    elif sys.argv[1:2] == ["--step"]:
        print(measured(sys.argv[3], Path(sys.argv[2])))
    else:
        main()
