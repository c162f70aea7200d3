"""The Inspect task of a spec: items become samples, strategies solvers, verdicts scores."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path
from typing import Any

from harness_errors import HarnessError, SpecError
from inspect_ai import Epochs, Task
from inspect_ai.dataset import MemoryDataset
from inspect_ai.viewer import (
    SampleScoreView,
    ScoreColorScale,
    TaskSamplesColumn,
    TaskSamplesSort,
    TaskSamplesView,
    ViewerConfig,
)

from harness.core import fresh, provenance
from harness.core.features import features, of_scope, settings
from harness.core.hookspecs import Benchmark, Strategy
from harness.core.items import Item, digest
from harness.core.plugins import Plugin, registry
from harness.core.spec import Spec, make
from harness.run import floors, metrics
from harness.run.draft import Draft
from harness.run.metrics import SCORER
from harness.run.samples import keep_constants, samples
from harness.run.scorer import verdict, vote
from harness.run.solver import ask
from harness.run.strategies import strategy

EXAMPLES = "examples"  # the split worked examples come from, so that no test item is one


class InstalledTask(Task):
    """A task that Inspect finds by its name ``harness/…``, not by the file that defines it.

    Inspect takes the module of an editable installation for a loose file and notes its path;
    a retry would then look for that file below the working directory.
    """

    def __setattr__(self, name: str, value: Any) -> None:
        if name not in ("__task_file__", "__task_run_dir__"):
            super().__setattr__(name, value)


def build(plugin: Plugin, spec: Spec) -> Task:
    """Return the Inspect task of a spec, its dataset generated or read, floors measured."""
    draft = drafted(plugin, spec)
    cheap = floors.rows_of(plugin, draft.items)
    keep_constants(plugin.benchmark, draft.samples, cheap)
    _check_strategy(plugin, draft.strategy, draft.items[0])
    solver = draft.solver or ask(
        spec.plugin, spec.strategy, _examples(draft), gold=spec.gold or (), aids=draft.aids
    )
    return InstalledTask(
        dataset=MemoryDataset(draft.samples, name=spec.plugin, location=spec.dataset),
        solver=solver,
        scorer=verdict(),
        metrics=metrics.named(plugin.benchmark, spec.convention, draft.votes > 1),
        epochs=_epochs(draft),
        version=spec.version,
        sandbox=draft.sandbox,
        message_limit=draft.messages,
        metadata={
            **draft.facts,
            "items_digest": digest([item.id for item in draft.items])[:16],
            **floors.facts(plugin.benchmark, cheap, spec.convention == "published"),
        },
        headline_metric=metrics.headline(plugin.benchmark),
        viewer=_viewer(plugin.benchmark),
        # One item that fails must not end the run; `evaluation` counts and reports every such item.
        fail_on_error=False,
    )


def _epochs(draft: Draft) -> Epochs | None:
    """Return how often each item is asked, and what becomes of the answers: a vote, or the mean of all."""
    if draft.votes > 1:
        return Epochs(draft.votes, [vote()])
    return Epochs(draft.answers, "mean") if draft.answers > 1 else None


def drafted(plugin: Plugin, spec: Spec) -> Draft:
    """Return what a run is made of, with what every feature adds to it."""
    facts: dict[str, Any] = {
        "plugin": spec.plugin,
        "dataset": spec.dataset,
        "config": spec.shown,
        "strategy": spec.strategy,
        "gold": spec.gold,
        "fingerprint": spec.fingerprint,
        "versions": provenance.versions(plugin),
        "wrappers": dict(plugin.wrappers),
    }
    facts = {name: fact for name, fact in facts.items() if fact}
    hooks = features().hook
    chosen = hooks.items_of(plugin=plugin, spec=spec, facts=facts, kept=None)
    items = list(fresh.items(plugin, spec) if chosen is None else chosen)
    plan = strategy(plugin.benchmark, spec.strategy)
    shots = (spec.shots or len(plugin.benchmark.choices)) if plan.examples else 0
    if shots and spec.split == EXAMPLES:
        raise SpecError(f"split={EXAMPLES} is where the worked examples come from; choose another")
    draft = Draft(
        plugin, spec, plan, spec.samples or plan.samples, spec.epochs or 1, items, samples(items), shots,
        facts, avoid={item.problem_id for item in items},
    )  # fmt: skip
    hooks.prepare(draft=draft)
    return draft


NARROW = 4  # score columns; more of them get narrow ones with slanted heads


def _viewer(benchmark: Benchmark) -> ViewerConfig:
    """Return how the viewer lists the samples of a run: every value coloured, the worst first."""
    names = (*benchmark.values, "unparsed")
    columns = [TaskSamplesColumn(id=key) for key in ("sampleId", "input", "target", "answer")]
    columns += [TaskSamplesColumn.score(SCORER, name) for name in names]
    columns += [TaskSamplesColumn(id=key) for key in ("tokens", "duration", "error")]
    scales = dict.fromkeys(benchmark.values, ScoreColorScale(palette="good-high", min=0, max=1))
    scales["unparsed"] = ScoreColorScale(palette="good-low", min=0, max=1)
    return ViewerConfig(
        sample_score_view=SampleScoreView(default="grid"),
        task_samples_view=TaskSamplesView(
            name=benchmark.name,
            columns=columns,
            sort=[
                TaskSamplesSort.score(SCORER, benchmark.values[0]),
                TaskSamplesSort.score(SCORER, "unparsed", dir="desc"),
            ],
            score_labels={name: name.replace("_", " ") for name in names},
            score_color_scales=scales,
            color_scales_enabled=True,
            multiline=False,
            compact_scores=len(names) > NARROW,
        ),
    )


# The spec whose task is being built: its parameters say less, and Inspect hands on nothing else.
_carried: ContextVar[Spec] = ContextVar("_carried")


@contextmanager
def carried(spec: Spec) -> Iterator[None]:
    """Have the task that Inspect's registry builds in a with block be that of a spec as it stands."""
    token = _carried.set(spec)
    try:
        yield
    finally:
        _carried.reset(token)


def from_params(name: str, params: Mapping[str, Any]) -> Task:
    """Return the task of plugin ``name`` with ``-T key=value`` parameters, as Inspect calls it."""
    plugin = registry().get(name)
    spec = _carried.get(None)
    if spec is None:
        # Inspect offers every task the model; which one answers is no property of the task.
        spec = make(plugin, {key: value for key, value in params.items() if key != "model"})
        features().hook.check_spec(spec=spec, model=None)
    return build(plugin, spec)


def task_params(spec: Spec) -> dict[str, Any]:
    """Return the task arguments that rebuild a spec: all that decides items and answers, but for defaults."""
    options = {
        name: spec.options[name]
        for name in of_scope("items", "ask")
        if spec.options[name] != settings()[name].default
    }
    # Seed and split are part of what a log says it is, even where they are the defaults.
    stream = {} if spec.dataset else {"seed": spec.seed, "split": spec.split}
    # A retry finds what lies there, whichever directory it is called from.
    folder = {"log_dir": str(Path(spec.log_dir).absolute())}
    kept = folder if any(settings()[name].keeps for name in options) else {}
    return {**spec.shown, **stream, **options, **kept}


def _check_strategy(plugin: Plugin, plan: Strategy, item: Item) -> None:
    """Refuse, before the run, items that a strategy is not for; other failures are the samples' own."""
    task = item.features.get("task")
    if plan.tasks and task not in plan.tasks:
        raise SpecError(
            f"strategy={plan.name} is for task={' or '.join(plan.tasks)}, and these items have task={task}"
        )
    if not plan.stages:
        return
    try:
        plugin.call("stage_prompt", item=item, stage=plan.stages[0], replies={})
    except SpecError:
        raise
    except HarnessError:
        return


def _examples(draft: Draft) -> list[tuple[str, str]]:
    """Return (prompt, answer) pairs of worked examples."""
    if not draft.shots:
        return []
    pairs = []
    items, _ = examples(draft.plugin, draft.spec, draft.shots, draft.avoid.__contains__)
    for item in items:
        worked = draft.plugin.call("explain", item=item) if draft.strategy.rationale else None
        answer = f"Answer: {item.target}"
        pairs.append((item.prompt, f"{worked}\n\n{answer}" if worked else answer))
    return pairs


def examples(
    plugin: Plugin, spec: Spec, shots: int, taken: Callable[[str], bool]
) -> tuple[list[Item], set[str]]:
    """Return items of a split of their own to be worked examples, and the problems that these may not have.

    ``taken`` tells whether a problem is one of the run's. A split of its own is not enough: a small setting has few
    problems, and they come again. Twins of the run's problems are left out, too.
    """
    together = {metric.together for metric in plugin.benchmark.metrics} - {""}

    def group(item: Item) -> str:
        return next(
            (str(item.features[name]) for name in together & {*item.features}), item.problem_id
        )

    # Where items go in pairs, with the other one of the last.
    n = shots + shots % 2 if together else shots
    few = make(plugin, {**spec.config, "seed": spec.seed, "split": EXAMPLES, "n": n})
    avoided: set[str] = set()
    while True:
        items = list(fresh.items(plugin, few, avoid=avoided))
        groups = {group(item) for item in items if taken(item.problem_id)}
        if not groups:
            return items[:shots], avoided
        avoided |= {item.problem_id for item in items if group(item) in groups}
