"""What a model is given beside the prompt, by a feature: see the hook `aid_of`."""

from __future__ import annotations

from inspect_ai.model import GenerateConfigArgs
from inspect_ai.solver import Generate, TaskState

from harness.core.items import Item
from harness.core.plugins import Plugin


class Aid:
    """One of them; each method returns what it was given where this one has nothing to add."""

    async def equip(self, state: TaskState, generate: Generate) -> TaskState:
        """Return the state of a sample, made ready before its first message."""
        return state

    def before(self, item: Item, prompt: str) -> str:
        """Return a prompt of an item's with what comes before it."""
        return prompt

    def form(self, plugin: Plugin, item: Item) -> GenerateConfigArgs:
        """Return settings of the request for an item's answer."""
        return {}
