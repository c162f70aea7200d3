"""Import of a large dataset: time and memory of a million records in each form of file.

    python benchmarks/reading.py [records]

Every record is made from scratch (different numbers, an id of its own) and goes the whole way: read,
adopted by a plugin, held against the schema, its id looked up among all before. The plugin is the
smallest there can be, so that what is measured is the core; the plugins' own times are in their
benchmarks. Each form runs in a process of its own; the memory is the most that process ever had
(resident), beside what it had before it opened the file.
"""

from __future__ import annotations

import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

from harness import Benchmark, Item, Metric, hookimpl
from harness.cli.tables import grid
from harness.core.plugins import Plugin, load
from harness.core.spec import make
from harness.datasets.reading import entries

RECORDS = 1_000_000
FORMS = ("csv", "jsonl", "json")


def plugin() -> Plugin:
    """Return a benchmark that adopts records of an id, a prompt and a label."""
    schema = {"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]}

    @hookimpl
    def describe() -> Benchmark:
        return Benchmark(
            name="small", version="1", summary="", config_schema={"type": "object", "properties": {}},
            engines=("one", "two"), values=("right",), metrics=(Metric("right", ""),), headline="right",
            choices=("True", "False"), problem_schema=schema, answer_schema={},
            dataset_formats=("plain",),
        )  # fmt: skip

    @hookimpl
    def adopt(record: dict[str, Any]) -> Item:
        notes = {"source_id": record["id"], "format": "plain"}
        problem = {"n": int(record["n"])}
        return Item("small", "published", record["prompt"], record["label"], problem, notes=notes)

    module = ModuleType("small")
    hooks: dict[str, Any] = {"describe": describe, "adopt": adopt}
    for name in ("generate", "solve", "read", "score", "check"):
        hooks[name] = hookimpl(specname=name)(lambda: None)
    vars(module).update(hooks)
    return load([("small", lambda: module, "", "")]).get("small")


def lines(form: str, n: int) -> Iterator[str]:
    """Yield the lines of a file of ``n`` records."""
    yield {"csv": "id,n,prompt,label\n", "json": '{"records": [\n', "jsonl": ""}[form]
    for i in range(n):
        prompt, label = f"Is the number {i * 7919 % 1_000_003} of record {i} even?", str(i % 3 == 0)
        if form == "csv":
            yield f'r{i},{i},"{prompt}",{label}\n'
        else:
            comma = "," if form == "json" and i + 1 < n else ""
            yield f'{{"id": "r{i}", "n": {i}, "prompt": "{prompt}", "label": "{label}"}}{comma}\n'
    yield "]}\n" if form == "json" else ""


def read(path: Path) -> str:
    """Read a file as `harness verify` does; return a line with records, seconds and kilobytes."""
    small = plugin()
    spec = make(small, {"dataset": str(path)})
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    start, count = time.perf_counter(), 0
    for entry in entries(small, spec):
        if entry.error is not None:
            raise entry.error
        count += 1
    spent = time.perf_counter() - start
    return f"{count} {spent} {before} {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss}"


def main() -> None:
    """Print the table."""
    n = int(sys.argv[1]) if len(sys.argv) > 1 else RECORDS
    rows = [["form", "file MB", "records", "seconds", "records/s", "MB before", "MB at most"]]
    with tempfile.TemporaryDirectory() as folder:
        for form in FORMS:
            path = Path(folder) / f"d.{form}"
            with path.open("w", encoding="utf-8") as file:
                file.writelines(lines(form, n))
            done = subprocess.run(
                [sys.executable, __file__, "--read", str(path)],
                capture_output=True, text=True, check=True,
            )  # fmt: skip
            count, spent, before, most = map(float, done.stdout.split())
            size = path.stat().st_size / 1e6
            rows.append([
                form, f"{size:.0f}", f"{count:.0f}", f"{spent:.1f}", f"{count / spent:.0f}",
                f"{before / 1024:.0f}", f"{most / 1024:.0f}",
            ])  # fmt: skip
            path.unlink()
    print(grid(rows))


if __name__ == "__main__":
    if sys.argv[1:2] == ["--read"]:
        print(read(Path(sys.argv[2])))
    else:
        main()
