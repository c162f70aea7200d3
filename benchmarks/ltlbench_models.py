"""Train the shortcuts of ltlbench that learn, on a split of their own, and write them into the plugin.

    python benchmarks/ltlbench_models.py [n=2000]

Items are those of `preset=paper` and of the default, n each. Needs scikit-learn (the extra `test`).
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from importlib.resources import files
from pathlib import Path
from typing import Any

from harness_ltlbench import shortcuts
from sklearn.ensemble import GradientBoostingClassifier

from harness import Item
from harness.core import fresh
from harness.core.plugins import registry
from harness.core.spec import make

SPLIT = "shortcuts"


def main(words: list[str]) -> None:
    """Train and write all models."""
    n = int(dict(word.split("=") for word in words).get("n", "2000"))
    items = [*_items(n, preset="paper"), *_items(n)]
    version = registry().get("ltlbench").benchmark.version
    models: dict[str, Any] = {"version": version, "outermost": _commoner(items)}
    for name, features in (("graph_shape", shortcuts.shape), ("surface", shortcuts.surface)):
        models[name] = _trees([features(item.problem) for item in items], items)
    path = Path(str(files("harness_ltlbench").joinpath("shortcuts.json")))
    path.write_text(json.dumps(models, separators=(",", ":")) + "\n", encoding="utf-8")
    print(f"{path}: {path.stat().st_size:,} bytes, from {len(items)} items")


def _items(n: int, **values: Any) -> list[Item]:
    plugin = registry().get("ltlbench")
    return list(fresh.items(plugin, make(plugin, {**values, "n": n, "split": SPLIT})))


def _commoner(items: list[Item]) -> dict[str, bool]:
    counts = Counter(
        (shortcuts.outermost(item.problem["formula"]), item.target == "True") for item in items
    )
    return {key: counts[key, True] >= counts[key, False] for key in sorted({k for k, _ in counts})}


def _trees(rows: list[list[int]], items: list[Item]) -> dict[str, Any]:
    model = GradientBoostingClassifier(n_estimators=60, max_depth=3, random_state=0)
    labels = [item.target == "True" for item in items]
    model.fit(rows, labels)
    trees = []
    for (estimator,) in model.estimators_:
        tree = estimator.tree_
        nodes = zip(
            tree.feature, tree.threshold, tree.children_left, tree.children_right, tree.value, strict=True
        )  # fmt: skip
        trees.append([
            [round(float(value[0][0]) * model.learning_rate, 6)] if left < 0
            else [int(feature), round(float(threshold), 3), int(left), int(right)]
            for feature, threshold, left, right, value in nodes
        ])  # fmt: skip
    return {"trees": trees}  # labels are balanced: it starts from 0


if __name__ == "__main__":
    main(sys.argv[1:])
