"""The door of this room: what a model is given beside the prompt, and items that a model lets pass."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from harness_errors import SpecError

from harness.core.feature_hooks import Option, featureimpl

if TYPE_CHECKING:
    from inspect_ai.model import Model

    from harness.core.items import Item
    from harness.core.plugins import Plugin
    from harness.core.spec import Spec
    from harness.run.draft import Aid, Draft


TOOLS = ("none", "web_search", "code", "both")
OPTIONS = (
    Option(
        "prune_model", "string", "a model that is asked about every item, and drops those that read badly", "items",
        ("run", "generate"), keeps=True,
    ),
    Option("tools", "string", "what the model may use", "ask", ("run",), "none", choices=TOOLS),
    Option(
        "tool_choice", "string", "`required`: the model has to begin with a web search", "ask", ("run",), "auto",
        choices=("auto", "required"),
    ),
    Option("sandbox", "string", "where code of the model runs: `docker`, and nothing else", "ask", ("run",)),
    Option("context", "string", "a file of text per item that is put before the prompt", "ask", ("run",), path=True),
    Option(
        "structured", "boolean",
        "hold the model to the JSON Schema of the answer, where the benchmark says one", "ask", ("run",), False,
    ),
)  # fmt: skip


@featureimpl
def register_options() -> tuple[Option, ...]:
    """Return the settings of this room."""
    return OPTIONS


@featureimpl
def late_options() -> tuple[Option, ...]:
    """Return what else Inspect can be asked."""
    from harness.aids import inspect_options

    return inspect_options.options()


@featureimpl
def late_words() -> dict[str, tuple[str, tuple[str, ...]]]:
    """Return what else Inspect can be asked, as its source says it."""
    from harness.aids import inspect_source

    known = {**inspect_source.of_eval(), **inspect_source.of_config()}
    return {name: setting for name, setting in known.items() if name not in inspect_source.DECIDED}


@featureimpl
def asked_with(spec: Spec) -> dict[str, Any]:
    """Return what Inspect is to be asked with beside the settings of the harness."""
    from harness.aids import inspect_options

    return inspect_options.given(spec.options)


@featureimpl
def model_of(spec: Spec) -> Model | None:
    """Return a model that is made with arguments of its own."""
    address, arguments = spec.options.get("model_base_url"), spec.options.get("model_args")
    made_with = {**({"base_url": address} if address else {}), **(arguments or {})}
    if not made_with:
        return None
    from harness.run import models

    model: Model = models.model_of(spec.model, made_with=made_with)
    return model


@featureimpl
def check_options(plugin: Plugin, options: dict[str, Any]) -> None:
    """Refuse a model to prune with, or schemas of answers, where the benchmark has no use for them."""
    name, judge = plugin.benchmark.name, options["prune_model"]
    if judge is not None and not plugin.benchmark.pruning:
        why = "it has no question to ask of its items"
        raise SpecError(f"'prune_model' does not apply to {name}: {why}")
    if judge is not None and judge.startswith("harness/"):
        from harness.core.schemas import shown

        why = "the embedded models cannot tell how a text reads"
        raise SpecError(f"prune_model={shown(judge)}: {why}")
    if not options["structured"]:
        return
    from harness.run.strategies import strategy

    if not plugin.has("structure"):
        raise SpecError(f"'structured' does not apply to {name}: it says no schema of its answers")
    plan = strategy(plugin.benchmark, options["strategy"])
    if plan.suffix or plan.rationale or plan.steps or plan.stages:
        raise SpecError(
            f"structured=yes leaves no room for the reasoning that strategy={plan.name} asks for; "
            "use strategy=direct or few_shot"
        )


@featureimpl
def check_spec(spec: Spec, model: str | None) -> None:
    """Refuse tools, a sandbox or a model to prune with that cannot be used."""
    if (spec.tools, spec.tool_choice, spec.sandbox) != ("none", "auto", None):
        from harness.aids import tools

        tools.check_settings(spec)
        if model is not None:
            tools.check_model(spec.tools, model)
    if spec.prune_model:
        from harness.run.models import model_of

        model_of(spec.prune_model, "prune_model")


@featureimpl(tryfirst=True)
def items_of(
    plugin: Plugin, spec: Spec, facts: dict[str, Any], kept: Path | None
) -> Iterable[Item] | None:
    """Return the items that a model lets pass, where there is one to ask."""
    if not spec.prune_model:
        return None
    from harness.aids import pruning

    return pruning.items(plugin, spec, facts, kept)


@featureimpl
def prepare(draft: Draft) -> None:
    """Give the model its tools, search context and schemas, and have the log say so."""
    draft.facts["tools"] = draft.spec.tools
    if draft.spec.tools != "none":
        from harness.aids import tools

        tools.prepare(draft)
    if draft.spec.context:
        from harness.aids import context

        draft.aids["context"] = draft.spec.context
        draft.facts["context"] = context.facts(draft.spec.context, draft.items)
    if draft.spec.structured:
        from harness.aids import structure

        draft.aids["structured"] = True
        draft.facts["structured"] = {"without": structure.without(draft.plugin, draft.items)}


@featureimpl
def facts_of(log: Mapping[str, Any]) -> dict[str, Any]:
    """Return what the model had beside the prompt, and what became of items that were pruned."""
    from harness.run.results import relative

    pruning = log.get("pruning")
    return {
        "tools": log.get("tools", "none"),
        "tool_choice": log.get("tool_choice"),
        "context": log.get("context"),
        "structured": log.get("structured"),
        "pruning": {**pruning, "file": relative(pruning["file"])} if pruning else None,
    }


@featureimpl
def asked_of(result: Mapping[str, Any]) -> dict[str, Any]:
    """Return what the model had beside the prompt."""
    return {
        "tools": result["tools"],
        "tool_choice": result["tool_choice"],
        "context": (result["context"] or {}).get("file"),
        "structured": "yes" if result["structured"] else "no",
    }


@featureimpl
def notes_of(result: Mapping[str, Any]) -> list[str]:
    """Return how many answers searched, and what became of items that a model was asked about."""
    notes = []
    if searched := result.get("searched"):
        notes.append(f"searched: {searched['answers']} of {searched['of']} answers")
    if pruning := result.get("pruning"):
        notes.append(
            f"pruning: {pruning['model']} dropped {pruning['dropped']} of {pruning['asked']} items, "
            f"{pruning['unclear']} answers unclear ({pruning['file']})"
        )
    return notes


@featureimpl
def aid_of(name: str, value: Any) -> Aid | None:
    """Return what tools, a file of context or schemas do for the model."""
    if name == "tools":
        from harness.aids.tools import Tools

        return Tools(value)
    if name == "tool_choice":
        from harness.aids.tools import Required

        return Required()
    if name == "context":
        from harness.aids import context

        return context.load(value)
    if name == "structured":
        from harness.aids.structure import Held

        return Held()
    return None
