"""Complete certificates: how many labels are proved, how large they are, and what they cost beside their items.

    python benchmarks/proofs.py [n=200]

Times are of the processor, and ratios to what the item itself took to make, in the same run.
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from itertools import islice
from time import process_time

import harness_proof

from harness.core import fresh
from harness.core.plugins import registry
from harness.core.spec import make

SETTINGS: tuple[tuple[str, dict[str, object]], ...] = (
    ("ltlbench", {}), ("ltlbench", {"difficulty": 10}), ("ltlbench", {"task": "counterexample"}),
    ("tempobench", {"task": "tce"}), ("tempobench", {"task": "tte"}), ("tempobench", {"task": "sim"}),
    ("tempobench", {"task": "min"}), ("tempobench", {"difficulty": 9}),
    ("tempobench", {"wording": "narrative", "notation": "prose"}), ("tempobench", {"start": "unknown", "unseen": 1}),
    ("tempobench", {"effects": "window", "notation": "table"}), ("tempobench", {"contingencies": True}),
    ("timepuzzles", {}), ("timepuzzles", {"mode": "explicit"}), ("timepuzzles", {"task": "convert"}),
    ("timepuzzles", {"extra": ["all"], "clues": "7"}), ("timepuzzles", {"difficulty": 10}),
    ("timepuzzles", {"language": "de"}), ("timepuzzles", {"language": "es"}), ("timepuzzles", {"language": "zh"}),
    ("vltl", {"task": "verify"}), ("vltl", {"task": "verify", "semantics": "ltlf"}),
    ("vltl", {"task": "lift"}), ("vltl", {"task": "translate"}), ("vltl", {"task": "ground"}),
    ("vltl", {"task": "end_to_end"}),
    ("vltl", {"task": "end_to_end", "depth": 3}), ("vltl", {"task": "translate", "semantics": "ltlf"}),
    ("vltl", {"task": "translate", "style": "timed"}),
)  # fmt: skip


def row(name: str, settings: dict[str, object], n: int) -> str:
    """Return the line of one setting."""
    plugin = registry().get(name)
    plugin.call("prove", item=next(iter(fresh.items(plugin, make(plugin, {"n": 1, **settings})))))
    start = process_time()
    items = list(islice(fresh.items(plugin, make(plugin, {"n": n, **settings})), n))
    made = process_time()
    proofs = [plugin.call("prove", item=item) for item in items]
    proved = process_time()
    lines = [json.dumps(proof) for proof in proofs]
    records = [
        {"plugin": name, "prompt": item.prompt, "target": item.target, "proof": json.loads(line)}
        for item, line in zip(items, lines, strict=True)
    ]
    begun = process_time()
    outcomes = Counter(harness_proof.outcome(record)[0] for record in records)
    seconds = process_time() - begun
    sizes = sorted(map(len, lines))
    what = " ".join([name, *(f"{key}={value}" for key, value in settings.items())])
    share = f"{outcomes[harness_proof.PROVED]} of {n}"
    times = f"{(proved - made) / (made - start):8.2f} {seconds / (made - start):9.2f} {n / seconds:11.0f}"
    return f"{what:34} {share:>11} {sizes[n // 2]:8} {sizes[n * 99 // 100]:8} {times}"


if __name__ == "__main__":
    number = next((int(word[2:]) for word in sys.argv[1:] if word.startswith("n=")), 200)
    head = f"{'setting':34} {'proved':>11} {'median':>8} {'99 %':>8} {'to make':>8} {'to check':>9} {'checked/s':>11}"
    print(head + "\n" + f"{'':34} {'':11} {'bytes':>8} {'bytes':>8} {'beside the item':>18}")
    for name, settings in SETTINGS:
        print(row(name, settings, number))
