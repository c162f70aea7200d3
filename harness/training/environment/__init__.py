"""The benchmarks as a taskset of `verifiers`, installed as the package `harness_verifiers`, the name it is found by.

A task is an item, its reward `harness.training.rewards`, and the way it is played one question and one answer: the
harness here (a word of verifiers' for what plays a task) asks the model once, in this process, and starts no program.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from itertools import islice
from typing import Any

import httpx
import verifiers.v1 as vf
from pydantic import Field

from harness.core.items import Item, to_json
from harness.core.plugins import Plugin
from harness.training.rewards import Graded, Shaping, graded, plugins
from harness.training.streams import stream

__all__ = ["HarnessTaskset", "OneAnswer"]


class ItemData(vf.TaskData):  # type: ignore[misc]
    """What a task is: the prompt, and the item as its line of JSON."""

    item: str


class ItemConfig(vf.TaskConfig):  # type: ignore[misc]
    """How a task is scored: the arguments of `harness.Shaping`."""

    shaping: dict[str, Any] = Field(default_factory=dict)


class ItemsConfig(vf.TasksetConfig):  # type: ignore[misc]
    """Which items there are, as for `harness.stream`; of ``n`` none is without end."""

    plugin: str = ""
    config: dict[str, Any] = Field(default_factory=dict)
    seed: int = 0
    split: str = "train"
    n: int | None = Field(None, ge=1)
    avoid: str | list[str] = Field(default_factory=list)
    task: ItemConfig = ItemConfig()


class ItemTask(vf.Task[ItemData, vf.State, ItemConfig]):  # type: ignore[misc]
    """One item; its reward is `harness.reward`."""

    @property
    def key(self) -> str:
        """The item's id, whatever its place."""
        return str(self.data.id)

    @vf.reward  # type: ignore[untyped-decorator]
    async def harness_reward(self, trace: vf.Trace) -> float:
        """Score the last thing that the model said."""
        # In a thread: a scorer that compares formulas waits for another process.
        graded = await asyncio.to_thread(self.graded, trace)
        trace.record_metrics({"unparsed": float(graded.outcome == "unparsed"), **graded.values})
        return graded.reward

    def graded(self, trace: vf.Trace) -> Graded:
        """Return the reward of a trace, with its reasons; of a reply that was cut off, as a run would score it."""
        replies = trace.assistant_messages
        text = (replies[-1].content if replies else None) or ""
        shaping = Shaping(**self.config.shaping)
        return graded("", self.data.item, text, shaping, truncated=trace.is_truncated)


class HarnessTaskset(vf.Taskset[ItemTask, ItemsConfig]):  # type: ignore[misc]
    """The items of a plugin, in the order of `harness.stream`."""

    def __init__(self, config: ItemsConfig) -> None:
        super().__init__(config)
        self.INFINITE = config.n is None
        self.plugin: Plugin = plugins().get(config.plugin)
        self._items()  # what does not fit is said now
        Shaping(**config.task.shaping).of(
            self.plugin.benchmark, dict.fromkeys(self.plugin.benchmark.values, 0.0)
        )

    def _items(self) -> Iterator[Item]:
        config = self.config
        return stream(config.plugin, config.config, config.seed, config.split, avoid=config.avoid)

    def load(self) -> Iterator[ItemTask]:
        """Yield one task for each item."""
        for item in islice(self._items(), self.config.n):
            data = ItemData(id=item.id, prompt=item.prompt, item=to_json(item))
            yield ItemTask(data, self.config.task)


class OneAnswer(vf.Harness[vf.HarnessConfig]):  # type: ignore[misc]
    """Asks the model once."""

    APPENDS_SYSTEM_PROMPT = True
    EXECUTES_CODE = False
    NEEDS_CONTAINER = False

    async def launch(
        self,
        ctx: vf.ModelContext,
        trace: vf.Trace,
        runtime: vf.Runtime,
        endpoint: str,
        secret: str,
        mcp_urls: dict[str, str],
        data: vf.TaskData,
    ) -> vf.ProgramResult:
        """Ask; the trace holds what was said."""
        system, prompt = self.resolve_text_prompt(data)
        messages = [{"role": "system", "content": system}] if system else []
        messages.append({"role": "user", "content": prompt or ""})
        async with httpx.AsyncClient(timeout=None) as client:  # noqa: S113 (the agent's own limit holds)
            reply = await client.post(
                f"{endpoint}/chat/completions",
                json={"model": ctx.model, "messages": messages},
                headers={"Authorization": f"Bearer {secret}"},
            )
        failed = reply.status_code >= 400
        error = reply.text[:2000] if failed else ""
        return vf.ProgramResult(exit_code=int(failed), stdout="", stderr=error)
