"""The command ``run``."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from harness_errors import SpecError

from harness.cli.command import Found, program, specs_of
from harness.core.feature_hooks import Warn
from harness.core.schemas import shown
from harness.core.spec import Spec


def run(words: Sequence[str], warn: Warn) -> Found:
    """Evaluate a model on a benchmark, at each point of a sweep, or do the runs of a file."""
    specs = _specs(words)
    for spec in specs:
        # Before Inspect is imported: the commonest slip is told of at once.
        if "/" not in spec.model:
            raise SpecError(
                f"model={shown(spec.model)}: write provider/model, for example openai/gpt-5"
            )
    from harness.run import evaluation

    results = evaluation.results(specs, warn)
    bad = any(result["unscored"] or result["errors"] for result in results)
    view = f"{program()} view log_dir={specs[0].log_dir}"
    logs = [log for result in results for log in result.get("shards", [result["log"]])]
    return {"logs": logs, "results": results, "view": view}, int(bad)


def _specs(words: Sequence[str]) -> list[Spec]:
    named = dict(word.partition("=")[::2] for word in words)
    rest = [word for word in words if word.partition("=")[0] not in ("study", "save")]
    if not {"study", "save"} & set(named):
        return specs_of(words, "run")
    from harness.core import run_file

    if "study" in named:
        specs = run_file.specs(Path(named["study"]), rest)
        if "save" not in named:
            return specs
        raise SpecError("'save' does not go with a file of runs: it is saved already")
    specs_of(rest, "run")  # what is wrong with them is said before anything is written
    run_file.save(Path(named["save"]), rest)
    return run_file.specs(Path(named["save"]), [])
