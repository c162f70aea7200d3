"""The door of this room: the items of a dataset file."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from harness_errors import DatasetError, SpecError, did_you_mean

from harness.cli.command import Command
from harness.core.feature_hooks import Option, featureimpl
from harness.core.features import settings

if TYPE_CHECKING:
    from harness.core.hookspecs import Benchmark
    from harness.core.items import Item
    from harness.core.plugins import Plugin
    from harness.core.spec import Spec
    from harness.run.draft import Draft


ENGINES = ("local", "ray")
KINDS = ("jsonl", "parquet", "huggingface", "published")
WRONG = ("keep", "drop", "both")
READ = ("run", "show", "verify", "score", "export", "traces", "prove", "plan")
WORK = ("run", "generate", "verify", "score")


def _formats(benchmark: Benchmark | None, settings: Mapping[str, str]) -> Iterable[tuple[str, str]]:
    names = (*benchmark.formats, *benchmark.dataset_formats) if benchmark else ()
    return [(name, "") for name in names]


def _kinds(benchmark: Benchmark | None, settings: Mapping[str, str]) -> Iterable[tuple[str, str]]:
    return [(name, "") for name in KINDS]


OPTIONS = (
    Option("index", "integer", "of the first item", "place", ("show",), 0, 0),
    Option("item", "string", "one item, by index or by id", "place", ("show",)),
    Option(
        "dataset", "string",
        "a file of items or of published records, or a folder or URL of shards, in place of generated items",
        "items", READ, path=True, source="read",
    ),
    Option(
        "format", "string", "how the records of the dataset are read, where their form does not say it", "items",
        READ, words=_formats, source="read",
        help_for={"show": "a form to show items in (`harness describe`), or how the records of the dataset are read"},
    ),
    Option(
        "wrong", "string",
        "published items whose label cannot be right by their own record: count them, or not, or show both scores",
        "items", ("run", "score"), choices=WRONG, source="read",
    ),
    Option(
        "out", "string", "what is written", "place",
        ("show", "generate", "export", "traces", "prove", "report", "new"),
        path=True,
        help_for={
            "show": "a file for the one item; else it is printed",
            "generate": "FILE.jsonl, or a folder or URL for shards",
            "export": "a file, or a folder",
            "traces": "FILE.jsonl",
            "prove": "FILE.jsonl: each item with its certificate, for `python -m harness_proof`",
            "report": "a folder",
            "new": "a folder that is not there yet; the plugin's name if not given",
        },
    ),
    Option("to", "string", "the form that is written", "place", ("generate", "export"), "jsonl", words=_kinds),
    Option("engine", "string", "where the work is done", "place", WORK, "local", choices=ENGINES),
    Option("workers", "integer", "processes at a time; those of the machine if not given", "place", WORK, least=1),
    Option("address", "string", "of the Ray cluster", "place", WORK),
    Option("shards", "integer", "parts, each a file or a log", "place", ("run", "generate", "score"), least=1),
)  # fmt: skip


@featureimpl
def register_options() -> tuple[Option, ...]:
    """Return the settings of this room."""
    return OPTIONS


def check_reading(spec: Spec) -> None:
    """Refuse what says how a dataset is read where none is."""
    for key in ("format", "wrong"):
        if spec.options[key] and not spec.dataset:
            raise SpecError(
                f"{key}={spec.options[key]} says how a dataset is read: give dataset=FILE, too"
            )


@featureimpl(tryfirst=True)
def check_options(plugin: Plugin, options: dict[str, Any]) -> None:
    """Refuse a format of nothing: neither of what is shown nor of published datasets."""
    from harness.core.schemas import shown

    name = options["format"]
    known = (*plugin.benchmark.formats, *plugin.benchmark.dataset_formats)
    if name is not None and name not in known:
        raise SpecError(f"no format '{shown(name)}'; {did_you_mean(name, known)}")


@featureimpl
def check_spec(spec: Spec, model: str | None) -> None:
    """Refuse a format where nothing is read, and an engine for the one log that one process writes."""
    check_reading(spec)
    if any(spec.options[key] != settings()[key].default for key in ("workers", "address")):
        from harness.datasets import engines

        engines.check(spec.options)
    for key in ("engine", "workers"):
        if not spec.shards and spec.options[key] != settings()[key].default:
            raise SpecError(
                f"{key}={spec.options[key]} goes with shards=N: one log is one process's"
            )


@featureimpl
def items_of(
    plugin: Plugin, spec: Spec, facts: dict[str, Any], kept: Path | None
) -> Iterable[Item] | None:
    """Return the items of a dataset, where one is named."""
    if spec.dataset is None:
        return None
    from harness.datasets import dataset
    from harness.datasets.reading import Reasons

    left_out: list[str] = []
    items = dataset.load(plugin, spec, left_out)
    if left_out:
        facts["left_out"] = {"records": len(left_out), "reasons": Reasons(left_out).examples()}
    return items


@featureimpl(trylast=True)  # once recorded answers have found their items
def prepare(draft: Draft) -> None:
    """Note how generated items were drawn; of items that were read, how many labels cannot be right.

    Such items are left out where that is asked for.
    """
    if not draft.spec.dataset:
        from harness.datasets import manifests

        tally = manifests.Tally()
        for item in draft.items:
            tally.add(item.notes)
        about = manifests.about(draft.plugin, draft.spec)
        draft.facts |= tally.summary() | ({} if about is None else {"about": about})
        return
    from harness.run.samples import RULED_OUT

    kept = []
    for item, sample in zip(draft.items, draft.samples, strict=True):
        if item.notes.get("wrong"):
            sample.metadata = {**(sample.metadata or {}), RULED_OUT: True}
        else:
            kept.append((item, sample))
    decision = draft.spec.wrong or "keep"
    count = len(draft.items) - len(kept)
    draft.facts["wrong"] = {"labels": count, "items": len(draft.items), "decision": decision}
    if decision == "drop":
        if not kept:
            raise DatasetError(
                f"{draft.spec.dataset}: no label can be right, and wrong=drop leaves nothing to ask"
            )
        draft.items, draft.samples = [item for item, _ in kept], [sample for _, sample in kept]


@featureimpl
def facts_of(log: Mapping[str, Any]) -> dict[str, Any]:
    """Return how many labels of a dataset cannot be right, what became of these items, and how many had none."""
    left_out = log.get("left_out")
    return {"wrong": log.get("wrong"), **({"left_out": left_out} if left_out else {})}


@featureimpl
def notes_of(result: Mapping[str, Any]) -> list[str]:
    """Return the warnings of records that were left out, and of labels that cannot be right."""
    wrong, left_out = result.get("wrong"), result.get("left_out")
    lines = []
    if left_out:
        from harness.datasets.reading import left_out_lines

        lines = left_out_lines(left_out["reasons"])
    if not wrong or not wrong["labels"]:
        return lines
    kept = "wrong=drop leaves these items out, wrong=both shows the score without them, too"
    shown = "the score without these items is shown, too"
    then = {
        "keep": kept,
        "drop": "these items are left out",
        "both": shown if result.get("without_wrong") else "there is no score without them",
    }
    return [
        *lines,
        f"WARNING: {wrong['labels']} of {wrong['items']} labels cannot be right by their own records "
        f"(`harness verify` says why); {then[wrong['decision']]}",
    ]


@featureimpl
def register_commands(group: click.Group) -> None:
    """Add ``show``, ``generate``, ``export``."""
    for command in (
        Command(
            "show", "print or draw items of a benchmark",
            "harness show plugin=NAME [n=3 index=0 | item=INDEX_OR_ID] [format=svg out=FILE.svg]",
            "harness.datasets.show:command", "harness.datasets.text:items", settings=True,
        ),
        Command(
            "generate", "write items to a JSONL file, or to a folder of shards, with a manifest (resumable)",
            "harness generate plugin=NAME n=1000 out=FILE.jsonl|FOLDER|URL [shards=8] [engine=ray]",
            "harness.datasets.generate:command", "harness.datasets.text:written", settings=True,
        ),
        Command(
            "export",
            "write a dataset in another form: JSONL, Parquet, a Hugging Face folder, the published format",
            "harness export plugin=NAME [dataset=FILE] out=PATH to=jsonl|parquet|huggingface|published",
            "harness.datasets.export:command", "harness.datasets.text:exported", settings=True,
        ),
    ):  # fmt: skip
        group.add_command(command)
