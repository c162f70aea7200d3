"""How long an audit takes a record, for each published format, on records made of our own items.

python benchmarks/auditing.py [n]
"""

from __future__ import annotations

import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from harness.audit.verify import audit
from harness.core.plugins import Plugin, registry
from harness.core.spec import make
from harness.datasets.export import export
from harness.datasets.reading import entries

# Settings with which a format can say most items, and with which its records are adopted.
SETTINGS: dict[str, tuple[dict[str, Any], dict[str, Any]]] = {
    "ltlbench_csv": ({}, {}),
    "vltl_jsonl": ({"task": "translate"}, {"task": "translate"}),
    "timepuzzles_json": ({}, {}),
    "tempobench_jsonl": ({}, {}),
    "tempobench_raw": ({}, {}),
}


def main() -> None:
    """Print one row for each format."""
    n = int(sys.argv[1]) if len(sys.argv) > 1 else 200
    print(
        f"{'format':18} {'records':>7} {'adopt ms':>9} {'audit ms':>9} {'readings ms':>12} {'verify records/s':>17}"
    )
    with tempfile.TemporaryDirectory() as folder:
        for plugin in registry().benchmarks.values():
            for name in plugin.benchmark.dataset_formats:
                print(_row(plugin, name, n, Path(folder)), flush=True)


def _row(plugin: Plugin, name: str, n: int, folder: Path) -> str:
    made, adopted = SETTINGS[name]
    path = folder / f"{name}.{name.rpartition('_')[2].replace('raw', 'jsonl')}"
    options = {"n": n, "out": str(path), "to": "published", "format": name}
    export(plugin, make(plugin, {**made, **options}))
    spec = make(plugin, {**adopted, "dataset": str(path), "format": name, "report": "none"})
    start = time.process_time()
    items = [entry.item for entry in entries(plugin, spec) if entry.item]
    adopt = (time.process_time() - start) / len(items)
    weak = _per_item(lambda item: plugin.call("audit", item=item), items)
    read = _per_item(lambda item: plugin.call("readings", item=item), items)
    start = time.perf_counter()
    audit(plugin, spec)
    rate = len(items) / (time.perf_counter() - start)
    return f"{name:18} {len(items):7} {1e3 * adopt:9.2f} {1e3 * weak:9.2f} {1e3 * read:12.2f} {rate:17.0f}"


def _per_item(work: Callable[[Any], Any], items: list[Any]) -> float:
    start = time.process_time()
    for item in items:
        work(item)
    return (time.process_time() - start) / len(items)


if __name__ == "__main__":
    main()
