"""The command ``run``."""

from __future__ import annotations

from collections.abc import Sequence

from harness.cli.command import Found, program, specs_of
from harness.core.feature_hooks import Warn


def run(words: Sequence[str], warn: Warn) -> Found:
    """Evaluate a model on a benchmark, at each point of a sweep."""
    from harness.run import evaluation

    specs = specs_of(words, "run")
    results = evaluation.results(specs, warn)
    bad = any(result["unscored"] or result["errors"] for result in results)
    view = f"{program()} view log_dir={specs[0].log_dir}"
    logs = [log for result in results for log in result.get("shards", [result["log"]])]
    return {"logs": logs, "results": results, "view": view}, int(bad)
