"""What the core's keys mean, for the table of each command; their types, defaults and values come from the code."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from harness.cli.main import GOLDEN
from harness.core.spec import CONVENTIONS, EMBEDDED, TOOLS
from harness.datasets.engines import ENGINES
from harness.datasets.export import KINDS
from harness.testing import CHECKS

VALUES: Mapping[str, Sequence[str]] = {
    "convention": CONVENTIONS,
    "engine": ENGINES,
    "golden": GOLDEN,
    "to": KINDS,
    "tools": TOOLS,
}

MEANINGS: Mapping[str, str] = {
    "plugin": "name of a benchmark (`harness list`)",
    "preset": "settings that the benchmark has ready; keys given beside it win",
    "n": "how many items; 100, or of a dataset all",
    "seed": "which items",
    "split": "which of the streams of a seed; examples come from one of their own",
    "unique": "no problem comes twice",
    "prune_model": "a model that is asked about every item, and drops those that read badly",
    "strategy": "how the model is asked (`harness describe`)",
    "gold": "stages of the strategy that are not asked: their right replies are used",
    "shots": "examples before the prompt; one per label if not given",
    "samples": "answers per item, on which a vote is held; 1, or what the strategy says",
    "convention": "`published` shows the paper's own way of scoring beside ours",
    "model": f"a model in Inspect's words, or one of {', '.join(f'`harness/{one}`' for one in EMBEDDED)}",
    "dataset": "a file of items or of published records, or a folder or URL of shards, in place of generated items",
    "format": "how the records of the dataset are read, where their form does not say it",
    "log_dir": "where Inspect's logs are",
    "temperature": "of the model; the provider's own if not given",
    "top_p": "of the model; the provider's own if not given",
    "max_tokens": "of one answer; the provider's own if not given",
    "timeout": "seconds for one try; 3600 if not given",
    "max_retries": "tries after a failure that may pass; 5 if not given",
    "max_connections": "requests under way at a time",
    "logprobs": "ask for probabilities of the answer's tokens, from which AUC is computed",
    "tools": "what the model may use",
    "sandbox": "where code of the model runs: `docker`, and nothing else",
    "context": "a file of text per item that is put before the prompt",
    "structured": "hold the model to the JSON Schema of the answer, where the benchmark says one",
    "resume": "go on with a run that was interrupted",
    "engine": "where the work is done",
    "workers": "processes at a time; those of the machine if not given",
    "address": "of the Ray cluster",
    "shards": "parts, each a file or a log",
    "index": "of the first item",
    "item": "one item, by index or by id",
    "out": "what is written",
    "licence": "of the new plugin, an SPDX identifier; Apache-2.0 if not given",
    "to": "the form that is written",
    "report": "folder of the report; `none`: no report",
    "responses": "a file of answers: CSV, JSONL, or an Inspect log",
    "id": "column or field of the answer's id",
    "response": "column or field of the answer's text",
    "items": "how many items the explorer of each benchmark shows; 300 if not given",
    "metrics": "which metrics; the headline and the first others if not given",
    "d": "the difference to be seen",
    "power": "the probability to see it; 0.8 if not given",
    "alpha": "of the two-sided test; 0.05 if not given",
    "pilot": "logs from which spread and correlation are taken",
    "golden": "compare the first items with those pinned, or pin them",
    "only": f"just these checks, some of {len(CHECKS)}",
    "host": "what the viewer listens on; 127.0.0.1 if not given",
    "port": "what the viewer listens on; 7575 if not given",
    "bundle": "a folder to write the viewer to, as a static site",
}

# Where a key means something else for one command.
SPECIAL: Mapping[tuple[str, str], str] = {
    ("show", "format"): "a form to show items in (`harness describe`), or how the records of the dataset are read",
    ("show", "out"): "a file for the one item; else it is printed",
    ("generate", "out"): "FILE.jsonl, or a folder or URL for shards",
    ("verify", "out"): "a file: the dataset, with labels that are wrong corrected",
    ("score", "model"): "a name for what gave the answers",
    ("export", "out"): "a file, or a folder",
    ("traces", "out"): "FILE.jsonl",
    ("traces", "split"): "which of the streams of a seed; `train` if not given",
    ("report", "out"): "a folder",
    ("new", "out"): "a folder that is not there yet; the plugin's name if not given",
    ("check", "n"): "how many items; at most 200",
    ("compare", "plugin"): "one of the benchmarks in the logs",
    ("plan", "metrics"): "which metrics; the headline if not given",
    ("doctor", "plugin"): "only this one",
}  # fmt: skip


def meaning(command: str, key: str) -> str:
    """Return what a key means for a command.

    Raises:
        KeyError: nobody has said it yet.
    """
    return SPECIAL.get((command, key)) or MEANINGS[key]
