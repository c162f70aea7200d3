"""A run as far as it has been worked out: what features may change before Inspect is given a task."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from inspect_ai.dataset import Sample
from inspect_ai.model import GenerateConfigArgs
from inspect_ai.solver import Generate, Solver, TaskState
from inspect_ai.util import SandboxEnvironmentSpec

from harness.core.hookspecs import Strategy
from harness.core.items import Item
from harness.core.plugins import Plugin
from harness.core.spec import Spec


class Aid:
    """What a model is given beside the prompt, by a feature (hook `aid_of`).

    Each method returns what it was given where this one has nothing to add.
    """

    async def equip(self, state: TaskState, generate: Generate) -> TaskState:
        """Return the state of a sample, made ready before its first message."""
        return state

    def before(self, item: Item, prompt: str) -> str:
        """Return a prompt of an item's with what comes before it."""
        return prompt

    def form(self, plugin: Plugin, item: Item) -> GenerateConfigArgs:
        """Return settings of the request for an item's answer."""
        return {}


@dataclass(slots=True)
class Draft:
    """What a task is made of. ``items`` and ``samples`` go together, one by one.

    Each item is answered ``answers`` times: ``votes`` of them make one by a vote, or each of ``epochs`` counts.

    ``shots`` worked examples are made once the draft is complete, none of them one of the problems ``avoid``
    (`Item.problem_id`) or the twin of one. ``aids`` are settings by name, each known to a feature (hook
    `aid_of`). ``solver`` is None unless the answers come from elsewhere. ``facts`` become metadata of the log.
    ``messages`` limits those of a sample, None: no limit.
    """

    plugin: Plugin
    spec: Spec
    strategy: Strategy
    votes: int
    epochs: int
    items: list[Item]
    samples: list[Sample]
    shots: int
    facts: dict[str, Any]
    avoid: set[str] = field(default_factory=set)
    aids: dict[str, Any] = field(default_factory=dict)
    solver: Solver | None = None
    sandbox: SandboxEnvironmentSpec | None = None
    messages: int | None = None

    @property
    def answers(self) -> int:
        """How many answers each item has."""
        return max(self.votes, self.epochs)
