"""The door of this room: runs that are gone on with, runs in shards, and answers produced elsewhere."""

from __future__ import annotations

from collections.abc import Generator, Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from harness_errors import SpecError

from harness.cli.command import Command, given
from harness.core.feature_hooks import Option, Warn, featureimpl

if TYPE_CHECKING:
    from inspect_ai import Task
    from inspect_ai.log import EvalLog, EvalSample
    from inspect_ai.model import Model

    from harness.core.items import Item
    from harness.core.plugins import Plugin
    from harness.core.spec import Spec
    from harness.run.draft import Draft


OPTIONS = (
    Option(
        "study", "string", "a file of runs, each a benchmark with its settings; its name may stand alone: study.yaml",
        "place", ("run",), path=True, endings=(".yaml", ".yml"),
    ),
    Option("save", "string", "write the settings as a file of runs, FILE.yaml, first", "place", ("run",), path=True),
    Option("dry_run", "boolean", "count calls, tokens and dollars, and ask nobody", "place", ("run",), False),
    Option(
        "resume", "boolean", "go on with an interrupted run, ask nothing of a finished one", "place", ("run",), True
    ),
    Option("again", "boolean", "ask a model again although the run is finished", "place", ("run",), False),
    Option(
        "responses", "string", "a file of answers: CSV, JSONL, or an Inspect log", "ask", ("score",), path=True
    ),
    Option("id", "string", "column or field of the answer's id", "ask", ("score",)),
    Option("response", "string", "column or field of the answer's text", "ask", ("score",)),
    Option(
        "prices", "string", "a file, MODEL: {input: 1.25, output: 10}, in dollars per million tokens",
        "service", ("run", "report"), path=True, meant_by=("model_cost_config",),
        variables=("INSPECT_EVAL_MODEL_COST_CONFIG",),
        help_for={"report": "a file, MODEL: {input: 1.25, output: 10}, for logs that do not say what they cost"},
    ),
    # What the process of a shard is told by whoever asked for it.
    Option("shard", "string", "which part of the items: k/N", "ask"),
    Option("redrawn", "string", "positions that are drawn again, and attempts", "ask"),
    Option("avoided", "string", "problems that no worked example may have", "ask"),
)  # fmt: skip


@featureimpl
def register_options() -> tuple[Option, ...]:
    """Return the settings of this room."""
    return OPTIONS


@featureimpl
def specs_of(words: Sequence[str]) -> list[Spec] | None:
    """Return the runs of a file, where one is named or to be written."""
    if not {"study", "save"} & given(words):
        return None
    from harness.rerun import run_file

    return run_file.named_in(words)


@featureimpl(tryfirst=True)
def items_of(
    plugin: Plugin, spec: Spec, facts: dict[str, Any], kept: Path | None
) -> Iterable[Item] | None:
    """Return the items of one shard of a run, where a spec is that of a shard."""
    if spec.shard is None:
        return None
    from harness.rerun import slices

    return slices.items(plugin, spec)


@featureimpl
def prepare(draft: Draft) -> None:
    """Note the file that a run stands in; put recorded answers in the place of a model's, leave out what has none.

    A shard is told which problems of the others a worked example would have.
    """
    draft.avoid |= set((draft.spec.avoided or "").split())
    if draft.spec.study:
        from harness.rerun import run_file

        path = Path(draft.spec.study)
        draft.facts["study"] = {"file": str(path), **run_file.read(path)}
    if draft.spec.responses:
        from harness.rerun import recorded

        recorded.prepare(draft)


@featureimpl
def check_spec(spec: Spec, model: str | None) -> None:
    """Refuse a file of prices that has none of the model."""
    if spec.prices and model is not None:
        from harness.rerun import prices

        prices.price_of(prices.read(spec.prices), spec.prices, model)


@featureimpl
def model_of(spec: Spec) -> Model | None:
    """Return the name of who gave recorded answers, as a model."""
    if not spec.responses:
        return None
    from harness.rerun import recorded

    return recorded.model_of(spec.model)


@featureimpl
def evaluate(
    spec: Spec, task: Task, model: Model, facts: dict[str, Any], warn: Warn
) -> EvalLog | None:
    """Run a task on top of what there is of the same run; recorded answers, into a log of their own."""
    if spec.responses:
        from harness.rerun import recorded

        return recorded.evaluate(spec, task, model, facts, warn)
    from harness.rerun import resume

    return resume.evaluate(spec, task, model, facts, warn)


@featureimpl(wrapper=True, specname="evaluate")
def priced(spec: Spec, model: Model, facts: dict[str, Any]) -> Generator[None, EvalLog, EvalLog]:
    """Have Inspect know what the model costs, by a file of prices, while a task runs."""
    if not spec.prices:
        return (yield)
    from harness.rerun import prices

    with prices.known(spec.prices, model) as cost:
        facts["prices"] = cost
        return (yield)


@featureimpl
def result_of(spec: Spec, warn: Warn) -> dict[str, Any] | None:
    """Run a spec in shards, where it says how many."""
    if not spec.shards:
        return None
    from harness.core.plugins import registry
    from harness.rerun import run_shards

    return run_shards.run(registry().get(spec.plugin), spec, warn).result


@featureimpl
def samples_of(log: EvalLog) -> Iterable[EvalSample]:
    """Read the samples of a log from its file."""
    from harness.rerun import logs

    return logs.samples(Path(log.location.removeprefix("file://")), log, logs.ASIDE - {"scores"})


@featureimpl
def instead_of_run(specs: Sequence[Spec], warn: Warn) -> dict[str, Any] | None:
    """Count what would be asked, where that is all that is wanted."""
    if not any(spec.dry_run for spec in specs):
        return None
    from harness.rerun import dry_run

    return dry_run.counted(specs, warn)


@featureimpl
def text_of(outcome: Mapping[str, Any]) -> str | None:
    """Return what would be asked as a table."""
    if "dry_run" not in outcome:
        return None
    from harness.rerun import text

    return text.dry_run(outcome)


@featureimpl(tryfirst=True)
def results_of(specs: Sequence[Spec], warn: Warn) -> None:
    """Refuse to run what was only to be counted, whoever asks for it."""
    if any(spec.dry_run for spec in specs):
        raise SpecError("dry_run=yes goes with `harness run` alone")


@featureimpl
def register_commands(group: click.Group) -> None:
    """Add ``score``."""
    group.add_command(Command(
        "score", "score answers produced elsewhere, or a log anew, without asking a model",
        "harness score plugin=NAME [dataset=FILE] responses=FILE, or harness score LOG",
        "harness.rerun.score:command", "harness.rerun.text:scored", settings=True, positional="log",
    ))  # fmt: skip
