"""The hooks of features: what a room of the harness, or somebody else's package, adds to the core.

A feature is a module (or any object) with functions marked `featureimpl`. Built-in ones are named by
`harness.core.features.DEFAULT_FEATURES`, others by the entry point group ``harness.features``. Hooks for
benchmarks are `harness.core.hookspecs`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import pluggy

if TYPE_CHECKING:
    import click
    from inspect_ai import Task
    from inspect_ai.log import EvalLog, EvalSample
    from inspect_ai.model import Model

    from harness.core.hookspecs import Benchmark
    from harness.core.items import Item
    from harness.core.plugins import Plugin
    from harness.core.spec import Spec
    from harness.run.draft import Aid, Draft

PROJECT = "harness_features"
featurespec = pluggy.HookspecMarker(PROJECT)
featureimpl = pluggy.HookimplMarker(PROJECT)

Warn = Callable[[str], object]

Type = Literal["integer", "number", "boolean", "string", "list", "object"]
Scope = Literal["items", "ask", "model", "service", "place", "command"]
"""What a setting decides.

``items``: which items there are. It is part of their fingerprint.
``ask``: how items are put to a model, and how its answers are judged. With ``items``, the parameters of a task.
``model``: which model answers, with which settings.
``service``: how often and how long it is asked.
``place``: where work is done and where things lie; it changes no result.
``command``: something of one command alone, which reads it itself; no part of a `Spec`.
"""


@dataclass(frozen=True, slots=True)
class Option:
    """A setting ``name=value``.

    ``commands`` take it. ``default`` None means "not given". ``least`` is the smallest number. ``help`` says in a
    line what it means, ``help_for`` what it means for one command. ``choices`` are all values there are; ``words``
    yields (value, meaning) of some, given the benchmark that is named, if one is, and the settings before.
    ``path``: a file or folder. ``source``: it goes only with items that are generated, or read from a dataset.
    ``keeps``: what it made is found again in ``log_dir``, so that a task with it names that folder, too.
    ``meant_by``: what other programs call it; such a name is answered with this one. ``check`` refuses a value of
    the right type by a `SpecError` that says what would be right. ``variables``: of the environment, the first that
    is set is its value on the command line where none is given there. ``endings``: a word without a key that ends
    so is its value.
    """

    name: str
    type: Type
    help: str
    scope: Scope
    commands: tuple[str, ...] = ()
    default: Any = None
    least: int | None = None
    choices: tuple[str, ...] = ()
    words: Callable[[Benchmark | None, Mapping[str, str]], Iterable[tuple[str, str]]] | None = None
    path: bool = False
    source: Literal["generated", "read"] | None = None
    keeps: bool = False
    meant_by: tuple[str, ...] = ()
    check: Callable[[Any], None] | None = None
    variables: tuple[str, ...] = ()
    endings: tuple[str, ...] = ()
    help_for: Mapping[str, str] = field(default_factory=dict)


@featurespec
def register_commands(group: click.Group) -> None:
    """Add commands to ``harness``: a `harness.cli.command.Command` each, whose body is imported when it runs."""


@featurespec
def register_options() -> tuple[Option, ...]:  # type: ignore[empty-body]
    """Return the settings that this feature owns, also those of commands of others."""


@featurespec
def late_options() -> tuple[Option, ...]:  # type: ignore[empty-body]
    """Return settings that are known only once a large library is imported.

    Asked for where a key is not known otherwise. A benchmark's own key of the same name goes before one of them.
    """


@featurespec
def late_words() -> dict[str, tuple[str, tuple[str, ...]]]:  # type: ignore[empty-body]
    """Return the names of `late_options`, each with its meaning and the words it takes, without a slow import.

    They are for completion in shells, which waits for nothing.
    """


@featurespec
def check_options(plugin: Plugin, options: dict[str, Any]) -> None:
    """Refuse, by a `SpecError`, settings that do not fit a benchmark or each other, whenever a spec is made.

    ``options`` holds all settings by name, checked for their types; a value may be put in its one form.
    """


@featurespec(firstresult=True)
def specs_of(words: Sequence[str]) -> list[Spec] | None:
    """Return the runs that the words of ``harness run`` describe, where they do not name a benchmark themselves."""


@featurespec
def check_spec(spec: Spec, model: str | None) -> None:
    """Refuse, by a `SpecError`, settings that cannot work together, before anything is run or written.

    ``model`` is the one that will be asked, None where that is not known yet.
    """


@featurespec(firstresult=True)
def items_of(
    plugin: Plugin, spec: Spec, facts: dict[str, Any], kept: Path | None
) -> Iterable[Item] | None:
    """Return the items that a spec stands for, where they are not simply generated one after the other.

    ``facts`` is what the log or manifest will say of them, to be added to (at the latest when the last item is
    taken). ``kept`` is the file of the dataset that they are written to, None for a run.
    """


@featurespec
def prepare(draft: Draft) -> None:
    """Change what a run is made of, before its solver is: samples, aids of the model, facts, limits."""


@featurespec(firstresult=True)
def aid_of(name: str, value: Any) -> Aid | None:
    """Return what a setting of a draft's ``aids`` does for the model while it is asked."""


@featurespec(firstresult=True)
def model_of(spec: Spec) -> Model | None:
    """Return the model that answers, where it is not the one that Inspect has by the spec's name of it."""


@featurespec
def asked_with(spec: Spec) -> dict[str, Any]:  # type: ignore[empty-body]
    """Return arguments of Inspect's ``eval`` that settings of this feature are: how a model is asked and limited."""


@featurespec(firstresult=True)
def evaluate(
    spec: Spec, task: Task, model: Model, facts: dict[str, Any], warn: Warn
) -> EvalLog | None:
    """Have Inspect run a task and return its log, which lies in the spec's ``log_dir``.

    ``facts`` are added to the log's metadata.
    """


@featurespec(firstresult=True)
def result_of(spec: Spec, warn: Warn) -> dict[str, Any] | None:
    """Run one spec and return its result (docs/json.md), where it is not one log of one process."""


@featurespec(firstresult=True)
def results_of(specs: Sequence[Spec], warn: Warn) -> list[dict[str, Any]] | None:
    """Run all specs of a command and return their results, in order."""


@featurespec(firstresult=True)
def samples_of(log: EvalLog) -> Iterable[EvalSample] | None:
    """Return the samples of a log that lie in its file alone, with their scores."""


@featurespec(firstresult=True)
def instead_of_run(specs: Sequence[Spec], warn: Warn) -> dict[str, Any] | None:
    """Return what ``harness run`` finds (docs/json.md) where these specs are not to be run at all."""


@featurespec(firstresult=True)
def text_of(outcome: Mapping[str, Any]) -> str | None:
    """Return how it reads in a terminal, where a feature found it instead of a run."""


@featurespec
def facts_of(log: Mapping[str, Any]) -> dict[str, Any]:  # type: ignore[empty-body]
    """Return what a result (docs/json.md) says of this feature, from the metadata of its log."""


@featurespec
def asked_of(result: Mapping[str, Any]) -> dict[str, Any]:  # type: ignore[empty-body]
    """Return settings of this feature that tables name beside the strategy, with what each was in a result.

    None, ``none`` and ``no`` say that the model had nothing of the kind.
    """


@featurespec
def notes_of(result: Mapping[str, Any]) -> list[str]:  # type: ignore[empty-body]
    """Return lines below the table of a result, or of a written dataset's manifest."""


@featurespec(firstresult=True)
def html_of(value: Any) -> str | None:
    """Return how a notebook shows a value of ours, None of one that this feature does not show."""
