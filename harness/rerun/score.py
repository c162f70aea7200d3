"""The command ``score``: answers produced elsewhere, or a log anew, scored without a model."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from harness_errors import SpecError

from harness.cli.command import Found, given, one_spec, program
from harness.core.feature_hooks import Warn
from harness.core.plugins import registry
from harness.core.spec import Spec
from harness.rerun import run_shards
from harness.rerun.conventions import conventions, published_of
from harness.rerun.recorded import KINDS, label_of
from harness.rerun.rescore import again
from harness.run import evaluation
from harness.run.results import result_of_log


def score(spec: Spec, named: bool, warn: Warn) -> dict[str, Any]:
    """Score the answers in ``spec.responses`` and return the result of the run (see docs/json.md).

    ``named``: whether the model's name was given, and is not to be taken from the file.

    Raises:
        SpecError: no file of answers is named.
        DatasetError: the dataset or the file of answers cannot be read, or they have nothing in common.
    """
    if spec.responses is None:
        raise SpecError("responses=FILE is missing (or name a log: harness score LOG)")
    if not named:
        spec = replace(spec, options={**spec.options, "model": label_of(Path(spec.responses))})
    if spec.shards:
        plugin = registry().get(spec.plugin)
        whole = run_shards.run(plugin, spec, warn)
        published = spec.convention == "published"
        differences = conventions(plugin.benchmark, whole.rows) if published else None
        return {**whole.result, "responses": whole.responses, "published": differences}
    log = evaluation.run(spec, warn)
    result = result_of_log(log)
    responses = (log.eval.metadata or {})["responses"]
    return {**result, "responses": responses, "published": published_of(log, spec.convention)}


def command(words: Sequence[str], warn: Warn) -> Found:
    """Run ``harness score``; it fails where an answer or item was left out.

    A word without a key is a log, beside ``responses=`` the benchmark.
    """
    if "responses" in given(words):
        words = [word if "=" in word else f"plugin={word}" for word in words]
    if any("=" not in word for word in words):
        result = again(words, warn)
    else:
        spec, _ = one_spec(words, "score")
        result = score(spec, "model" in given(words), warn)
    result["view"] = f"{program()} view log_dir={Path(result['log']).parent}"
    responses = result["responses"]
    left_out = responses and any(responses[kind]["count"] for kind in KINDS)
    return result, int(bool(result["unscored"] or left_out))
