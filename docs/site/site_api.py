"""The pages of the Python interface: which public names stand on which; mkdocstrings reads the rest from the code."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import harness


@dataclass(frozen=True, slots=True)
class Group:
    """One page: its place, its title, what is said above, and the names on it, as they are imported."""

    place: str
    title: str
    words: str
    names: tuple[str, ...]


GROUPS = (
    Group(
        "reference/api-plugins.md",
        "Items and plugins",
        "What crosses the hooks, and what a plugin imports. [The hooks](../hooks.md) say when each is called,"
        " [the contract](../contract.md) what may be relied on.",
        (
            "harness.Item", "harness.Solution", "harness.Verdict", "harness.Benchmark", "harness.Strategy",
            "harness.Metric", "harness.Row", "harness.Shortcut", "harness.View", "harness.Weakness",
            "harness.hookimpl", "harness.CONTRACT", "harness.__version__", "harness.rng_for", "harness.digest",
            "harness.canonical_json", "harness.both_right", "harness.did_you_mean",
        ),
    ),
    Group(
        "reference/api-features.md",
        "Features",
        "What a feature of somebody else's registers itself with. [Its hooks](../hooks.md#hooks-of-features) say when"
        " each is called.",
        ("harness.featureimpl", "harness.Option", "harness.Command"),
    ),
    Group(
        "reference/api-notebooks.md",
        "Loading and evaluating",
        "For notebooks and scripts; [with examples](../notebooks.md).",
        (
            "harness.load", "harness.notebook.notebook.Items", "harness.evaluate",
            "harness.notebook.notebook.Evaluation",
        ),
    ),
    Group(
        "reference/api-training.md",
        "Rewards and training",
        "Rewards, endless items, mixes and curricula; [with examples](../training.md).",
        (
            "harness.reward", "harness.Shaping", "harness.training.rewards.UnscoredError", "harness.stream",
            "harness.training.streams.Stream", "harness.mix", "harness.training.mixes.Mix", "harness.Curriculum",
            "harness.training.trl.dataset", "harness.training.trl.reward_function",
            "harness.training.verifiers.environment",
        ),
    ),
    Group(
        "reference/api-errors.md",
        "Errors",
        "Every error that a user can cause is a `HarnessError`, one line long when shown.",
        (
            "harness.HarnessError", "harness.SpecError", "harness.PluginError", "harness.DatasetError",
            "harness.OutputError", "harness.ExhaustedError", "harness.EngineError", "harness.Abstained",
        ),
    ),
    Group(
        "reference/api-testing.md",
        "Testing kit",
        "For the tests of a plugin; [what each check demands](../conformance.md).",
        ("harness.testing.conformance", "harness.testing.CHECKS", "harness.core.plugins.registry"),
    ),
    Group(
        "reference/api-helpers.md",
        "Helpers of plugins",
        "Modules that the [contract](../contract.md) lets a plugin import.",
        (
            "harness_answers.text", "harness_guard.call", "harness_svg.drawing", "harness_svg.graph",
            "harness_svg.timing", "harness_svg.text",
        ),
    ),
)  # fmt: skip


def public() -> set[str]:
    """Return the public names of ``harness``, those that are imported at their first use among them."""
    return {f"harness.{name}" for name in (*harness.__all__, *harness._LAZY)}


def pages() -> Iterator[tuple[str, str]]:
    """Yield place and Markdown of every page.

    Raises:
        ValueError: a public name stands on no page.
    """
    missing = sorted(public() - {name for group in GROUPS for name in group.names})
    if missing:
        raise ValueError(f"docs/site/site_api.py: on no page of the site: {', '.join(missing)}")
    for group in GROUPS:
        yield group.place, page(group)


def page(group: Group) -> str:
    """Return one page in Markdown."""
    lines = [f"# {group.title}", "", group.words, ""]
    for name in group.names:
        lines += [f"::: {name}", f"    options: {{heading: {name}, toc_label: {name}}}", ""]
    return "\n".join(lines)
