"""The door of this room: how specs are run where no feature does it in another way."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from harness.core.feature_hooks import Option, Warn, featureimpl
from harness.run import EMBEDDED

if TYPE_CHECKING:
    from inspect_ai import Task
    from inspect_ai.log import EvalLog
    from inspect_ai.model import Model

    from harness.core.hookspecs import Benchmark
    from harness.core.plugins import Plugin
    from harness.core.spec import Spec


ITEMS = ("run", "show", "generate", "verify", "score", "export", "traces", "prove", "plan")


def _strategies(
    benchmark: Benchmark | None, settings: Mapping[str, str]
) -> Iterable[tuple[str, str]]:
    from harness.run.strategies import STRATEGIES, strategies

    known = strategies(benchmark).values() if benchmark else STRATEGIES
    return [(plan.name, plan.summary) for plan in known]


def _stages(benchmark: Benchmark | None, settings: Mapping[str, str]) -> Iterable[tuple[str, str]]:
    from harness.run.strategies import strategies

    plan = strategies(benchmark).get(settings.get("strategy", "")) if benchmark else None
    return [(stage, "") for stage in (plan.stages if plan else ())]


def _models(benchmark: Benchmark | None, settings: Mapping[str, str]) -> Iterable[tuple[str, str]]:
    return [(f"harness/{name}", "embedded, no network") for name in EMBEDDED]


OPTIONS = (
    Option(
        "n", "integer", "number of items; 100 if not given, of a dataset all", "items", (*ITEMS, "check"), least=1,
        help_for={"check": "how many items; at most 200"}, meant_by=("limit", "num_items", "num_samples"),
    ),
    Option(
        "seed", "integer", "seed of the generator: another seed gives other items",
        "items", (*ITEMS, "check"), 0, 0, source="generated",
    ),
    Option(
        "split", "string",
        "train, test or another name: each gives other items; worked examples have their own", "items",
        ITEMS, "test", source="generated",
        help_for={"traces": "train, test or another name: each gives other items; `train` if not given"},
    ),
    Option("unique", "boolean", "never repeat a problem", "items", ITEMS, True, source="generated"),
    Option(
        "strategy", "string", "how the model is asked (`harness describe`)", "ask", ("run",), "direct",
        words=_strategies,
    ),
    Option(
        "gold", "list", "stages that are not asked: their correct replies are used instead", "ask", ("run",),
        words=_stages,
    ),
    Option(
        "shots", "integer", "number of examples before the prompt; one per label if not given",
        "ask", ("run",), least=1,
    ),
    Option(
        "samples", "integer", "answers per item, decided by a vote; if not given the strategy's, else 1", "ask",
        ("run", "score"), least=1,
    ),
    Option(
        "epochs", "integer", "how often each item is asked; every answer counts", "ask", ("run", "score"), least=1,
    ),
    Option("repeats", "integer", "the same as `epochs`", "ask", ("run", "score"), least=1),
    Option(
        "convention", "string", "`published` shows the paper's own way of scoring beside ours", "ask",
        ("run", "score"), "harness", choices=("harness", "published"),
    ),
    Option(
        "model", "string",
        f"the name of a model as Inspect writes it, or one of {', '.join(f'`harness/{one}`' for one in EMBEDDED)}",
        "model", ("run", "score"), "harness/reference", words=_models,
        variables=("HARNESS_MODEL", "INSPECT_EVAL_MODEL"),
        help_for={"score": "a name for the model that gave the answers"},
    ),
    Option(
        "log_dir", "string", "folder of Inspect's logs", "place", ("run", "score", "view", "doctor"), "logs",
        path=True, variables=("HARNESS_LOG_DIR", "INSPECT_LOG_DIR"),
    ),
    Option(
        "temperature", "number", "sampling temperature; the provider's own if not given",
        "model", ("run",), least=0,
    ),
    Option(
        "top_p", "number", "share of the likeliest tokens to sample from; the provider's own if not given",
        "model", ("run",), least=0,
    ),
    Option(
        "max_tokens", "integer", "most tokens of one answer; the provider's own if not given",
        "model", ("run",), least=1,
    ),
    Option("timeout", "integer", "seconds for one request; 600 if not given", "service", ("run",), least=1),
    Option(
        "max_retries", "integer", "retries after a temporary failure; 5 if not given", "service", ("run",), least=0
    ),
    Option("max_connections", "integer", "requests at a time, at most", "service", ("run",), least=1),
    Option(
        "logprobs", "boolean", "ask for probabilities of the answer's tokens, from which AUC is computed", "model",
        ("run",), False,
    ),
)  # fmt: skip


@featureimpl
def register_options() -> tuple[Option, ...]:
    """Return the settings of this room; those that are Inspect's, too, heed its variables of the environment."""
    return tuple(
        replace(option, variables=(f"INSPECT_EVAL_{option.name.upper()}",))
        if option.scope in ("model", "service") and not option.variables
        else option
        for option in OPTIONS
    )


@featureimpl(tryfirst=True)
def check_options(plugin: Plugin, options: dict[str, Any]) -> None:
    """Refuse what does not fit the strategy, and a convention that the benchmark has not."""
    from harness.run import strategies

    strategies.check(plugin.benchmark, options)


@featureimpl
def asked_of(result: Mapping[str, Any]) -> dict[str, Any]:
    """Return how often each item was asked, where every answer counts."""
    return {"epochs": result["repeats"]["epochs"] if result["repeats"] else "no"}


@featureimpl(trylast=True)
def model_of(spec: Spec) -> Model:
    """Return the model that Inspect has by this name."""
    from harness.run import models

    model: Model = models.model_of(spec.model)
    return model


@featureimpl(trylast=True)
def evaluate(spec: Spec, task: Task, model: Model, facts: dict[str, Any], warn: Warn) -> EvalLog:
    """Run a task into a new log."""
    from harness.run import evaluation

    return evaluation.log_of(spec, task, model, facts)


@featureimpl(trylast=True)
def result_of(spec: Spec, warn: Warn) -> dict[str, Any]:
    """Run one spec in this process, into one log."""
    from harness.run import evaluation
    from harness.run.results import result_of_log

    return result_of_log(evaluation.run(spec, warn))


@featureimpl(trylast=True)
def results_of(specs: Sequence[Spec], warn: Warn) -> list[dict[str, Any]]:
    """Run all specs, one after the other."""
    from harness.run import evaluation

    return evaluation.each(specs, warn)
