"""The command ``run``."""

from __future__ import annotations

from collections.abc import Sequence

from harness_errors import SpecError

from harness.cli.command import Found, program, specs_of
from harness.core.feature_hooks import Warn
from harness.core.features import features
from harness.core.schemas import shown


def run(words: Sequence[str], warn: Warn) -> Found:
    """Evaluate a model on a benchmark, at each point of a sweep, or do what a feature makes of the words."""
    specs = features().hook.specs_of(words=words) or specs_of(words, "run")
    for spec in specs:
        # Before Inspect is imported: the commonest slip is told of at once.
        if "/" not in spec.model:
            raise SpecError(
                f"model={shown(spec.model)}: write provider/model, for example openai/gpt-5"
            )
    instead = features().hook.instead_of_run(specs=specs, warn=warn)
    if instead is not None:
        return instead, 0
    from harness.run import evaluation

    results = evaluation.results(specs, warn)
    bad = any(result["unscored"] or result["errors"] for result in results)
    view = f"{program()} view log_dir={specs[0].log_dir}"
    logs = [log for result in results for log in result.get("shards", [result["log"]])]
    return {"logs": logs, "results": results, "view": view}, int(bad)
