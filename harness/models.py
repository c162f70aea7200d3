"""The embedded models as an Inspect provider: a symbolic reference and two baselines."""

from __future__ import annotations

from random import Random
from typing import Any

import anyio.to_thread
from inspect_ai.model import (
    ChatMessage,
    ChatMessageUser,
    GenerateConfig,
    ModelAPI,
    ModelOutput,
    ModelUsage,
)
from inspect_ai.tool import ToolChoice, ToolInfo

from harness import guard
from harness.errors import SpecError, did_you_mean

NAMES = ("reference", "constant", "random")
SECONDS = 60


class EmbeddedAPI(ModelAPI):
    """`harness/reference`, `harness/constant` (``answer=…`` to choose) and `harness/random`."""

    def __init__(
        self,
        model_name: str,
        base_url: str | None = None,
        api_key: str | None = None,
        config: GenerateConfig = GenerateConfig(),  # noqa: B008 (Inspect's own signature)
        answer: str | None = None,
    ) -> None:
        super().__init__(model_name, base_url, api_key, [], config)
        if model_name not in NAMES:
            raise SpecError(f"no model harness/{model_name}; {did_you_mean(model_name, NAMES)}")
        self.answer = answer

    async def generate(
        self,
        input: list[ChatMessage],  # noqa: A002 (Inspect's own signature)
        tools: list[ToolInfo],
        tool_choice: ToolChoice,
        config: GenerateConfig,
    ) -> ModelOutput:
        """Answer from the text of the user's messages alone."""
        texts = [m.text for m in input if isinstance(m, ChatMessageUser)]
        if self.model_name == "reference":
            text = await _worker("harness.reference:answer", texts)
        else:
            text = await self._baseline(texts)
        output = ModelOutput.from_content(f"harness/{self.model_name}", text)
        # Without usage Inspect would fetch tokenizer data to count tokens itself.
        size = sum(len(t.split()) for t in texts), len(text.split())
        output.usage = ModelUsage(
            input_tokens=size[0], output_tokens=size[1], total_tokens=sum(size)
        )
        return output

    async def _baseline(self, texts: list[str]) -> str:
        if self.answer is not None:
            return f"Answer: {self.answer}"
        choices = await _worker("harness.reference:choices", texts)
        if not choices:
            return "None of the installed plugins reads this prompt."
        rng = Random(f"{len(texts)}|{texts[-1]}")
        return f"Answer: {choices[0] if self.model_name == 'constant' else rng.choice(choices)}"

    def max_connections(self) -> int:
        """Return how many prompts are worked on at once."""
        return 16


async def _worker(function: str, *arguments: Any) -> Any:
    """Run a function on untrusted text in a guarded worker, off the event loop."""
    return await anyio.to_thread.run_sync(lambda: guard.call(function, *arguments, seconds=SECONDS))
