"""What one log says of its run: the facts in its header, and the judged answers of its samples."""

from __future__ import annotations

import hashlib
from collections.abc import KeysView, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from harness_errors import DatasetError
from inspect_ai.log import EvalLog, EvalSpec

from harness.core.facts import printable
from harness.report.model import LogFacts
from harness.rerun.log_rows import Reader, Sheet, is_vote, number
from harness.rerun.logs import shown
from harness.run import models


@dataclass(frozen=True, slots=True)
class ReadLog:
    """One log that has been read, before it is part of a series; ``place`` is its index in `Study.logs`."""

    place: int
    facts: LogFacts
    sheet: Sheet
    spec: EvalSpec

    @property
    def ids(self) -> KeysView[str]:
        """The ids of its items."""
        return self.sheet.judged.keys()

    @property
    def responses(self) -> Mapping[str, Any]:
        """What it says of the recorded answers that it judges; empty where a model was asked."""
        return _mapping((self.spec.metadata or {}).get("responses"))

    @property
    def run(self) -> str:
        """What is the same of logs that hold the same answers: recorded ones may be scored any number of times."""
        return f"{self.spec.model}\n{self.responses.get('sha256') or self.spec.eval_id}"

    @property
    def judged_anew(self) -> bool:
        """Whether the answers were judged once more after the run."""
        return "rescored" in (self.spec.metadata or {})


def read(reader: Reader, place: int, path: Path, log: EvalLog) -> ReadLog:
    """Return a log, of which ``log`` is the header, with its judged answers.

    Raises:
        DatasetError: it cannot be read, or holds no samples.
    """
    sheet = reader.read(path, log.eval.config)
    if not sheet.judged:
        raise DatasetError(f"{shown(path)}: the log holds no samples")
    return ReadLog(place, _facts(path, log, sheet), sheet, log.eval)


def _facts(path: Path, log: EvalLog, sheet: Sheet) -> LogFacts:
    spec = log.eval
    metadata = spec.metadata or {}
    rescored = _mapping(metadata.get("rescored"))
    args = spec.task_args if isinstance(spec.task_args, Mapping) else {}
    versions = _words(rescored.get("versions") or metadata.get("versions"))
    floors = {
        kind: {name: value for name, raw in _mapping(scores).items() if (value := number(raw)) is not None}
        for kind, scores in _mapping(metadata.get("floors")).items()
    }  # fmt: skip
    return LogFacts(
        path=str(path),
        plugin=str(metadata["plugin"]),
        version=", ".join(sorted(sheet.versions)) or str(spec.task_version),
        model=spec.model,
        created=str(spec.created),
        status=log.status,
        asked=_asked(spec, metadata, rescored.get("convention") or args.get("convention")),
        config=_mapping(metadata.get("config")),
        dataset=str(metadata["dataset"]) if metadata.get("dataset") else None,
        items_digest=str(metadata.get("items_digest", "")),
        n=spec.dataset.samples or len(sheet.judged),
        floors=floors,
        versions=versions,
        wrappers=_words(metadata.get("wrappers")),
        task_id=spec.task_id,
        usage=models.usage(log.stats.model_usage),
    )


def _asked(spec: EvalSpec, metadata: Mapping[str, Any], convention: Any) -> dict[str, str]:
    """Return how a model was asked, in words; ``none`` and ``no`` are words, too."""
    gold, context, forced = map(metadata.get, ("gold", "context", "tool_choice"))
    wrappers = sorted(_words(metadata.get("wrappers")).items())
    file = "none"
    if isinstance(context, Mapping):  # with the first digits of what it held: names are given twice
        digest = str(context.get("sha256", ""))[:6]
        file = Path(str(context.get("file", ""))).name + (f" ({digest})" if digest else "")
    return {
        "strategy": str(metadata.get("strategy") or "direct"),
        "tools": str(metadata.get("tools") or "none") + (f" ({forced})" if forced else ""),
        "context": file,
        "structured": "yes" if metadata.get("structured") else "no",
        "gold": ",".join(map(str, gold)) if isinstance(gold, list) and gold else "none",
        "generation": _generation(spec) or "none",
        "wrappers": ", ".join(f"{name} {version}" for name, version in wrappers) or "none",
        "convention": str(convention or "harness"),
    }


# What a run does with a model's answer, not how it is asked.
_ASIDE = {
    *("max_retries", "max_connections", "timeout", "attempt_timeout", "logprobs", "top_logprobs"),
    *("num_choices", "cache", "batch", "adaptive_connections"),
}


def _generation(spec: EvalSpec) -> str:
    """Return the settings of a model that were given, and how many samples and examples there were, as words."""
    settings = {**spec.model_generate_config.model_dump(exclude_none=True), **spec.model_args}
    epochs = spec.config.epochs or 1
    name = "samples" if is_vote(spec.config) else "epochs"
    settings |= {name: epochs} if epochs > 1 else {}
    settings |= {"shots": shots} if (shots := _mapping(spec.task_args).get("shots")) else {}
    words = (f"{key}={setting}" for key, setting in sorted(settings.items()) if key not in _ASIDE)
    text = " ".join(words)
    digest = hashlib.sha256(text.encode(errors="replace")).hexdigest()[:6]
    # What is cut off may be all that two ways of asking differ in.
    return printable(text, 200) + (f" ({digest})" if len(text) > 200 else "")


def _mapping(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}


def _words(value: Any) -> dict[str, str]:
    return {str(key): str(word) for key, word in _mapping(value).items()}
