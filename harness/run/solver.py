"""How a model is asked: the solver that turns a strategy into messages, one turn or many, or stage by stage."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from copy import copy
from functools import partial
from typing import Any

from inspect_ai.model import (
    ChatMessage,
    ChatMessageAssistant,
    ChatMessageUser,
    GenerateConfigArgs,
    ModelOutput,
    StopReason,
    get_model,
)
from inspect_ai.solver import Generate, Solver, TaskState, solver
from inspect_ai.util import LimitExceededError

from harness.core.features import features
from harness.core.items import Item
from harness.core.plugins import Plugin, registry
from harness.run import faults, masking, progress
from harness.run.draft import Aid
from harness.run.metrics import registered
from harness.run.models import EPOCH
from harness.run.replies import refused, reply
from harness.run.samples import item_of
from harness.run.strategies import strategy


@solver(name=registered("ask"))
def ask(
    plugin: str,
    strategy_name: str,
    examples: Sequence[tuple[str, str]] = (),
    gold: Sequence[str] = (),
    aids: Mapping[str, Any] | None = None,
) -> Solver:
    """Ask the model as a strategy says: examples as chat turns, steps one a turn, then the answer.

    Or stage by stage, each in a conversation of its own.
    ``gold`` names the stages whose right replies are used; ``aids`` are settings of features (hook `aid_of`).
    """
    answer = conversation(plugin, strategy_name, examples, gold, aids)

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        EPOCH.set(state.epoch)
        api = masking.protect(get_model()).api  # here, too: a retry makes its model without us
        try:
            faults.begin(str(state.model), api.base_url, partial(masking.without_secrets, api))
            return await answer(state, generate)
        except LimitExceededError:
            raise  # what there is by then is judged
        except Exception as error:
            progress.judged("unscored", {})
            faults.explain(error)
            raise

    return solve


def conversation(
    plugin: str,
    strategy_name: str,
    examples: Sequence[tuple[str, str]] = (),
    gold: Sequence[str] = (),
    aids: Mapping[str, Any] | None = None,
) -> Solver:
    """Return what asks as `ask` does, whoever it is that answers: it needs no model that Inspect is running."""
    owner = registry().get(plugin)
    plan = strategy(owner.benchmark, strategy_name)
    known = [features().hook.aid_of(name=name, value=value) for name, value in (aids or {}).items()]
    kit = [aid for aid in known if aid is not None]

    async def answer(state: TaskState, generate: Generate) -> TaskState:
        for aid in kit:
            state = await aid.equip(state, generate)
        if plan.stages:
            return await _staged(owner, plan.stages, gold, kit, state, generate)
        item = item_of(state, state.target)
        prompt = _before(kit, item, state.input_text)
        turns: list[ChatMessage] = []
        for question, answer in examples:
            turns += [ChatMessageUser(content=question), ChatMessageAssistant(content=answer)]
        last = [plan.suffix] if plan.suffix else []
        texts = [f"{prompt}\n\n{first}" for first in [*plan.steps[:1], *last][:1]]
        texts = (texts or [prompt]) + [*plan.steps, *last][1:]
        state.messages = turns
        form: GenerateConfigArgs = {}
        for aid in kit:
            form |= aid.form(owner, item)
        for text in texts:
            state.messages.append(ChatMessageUser(content=text))
            state = await reply(state, generate, form)
        return state

    return answer


def _before(kit: Sequence[Aid], item: Item, prompt: str) -> str:
    """Return a prompt with what each aid puts before it."""
    for aid in kit:
        prompt = aid.before(item, prompt)
    return prompt


async def _staged(
    plugin: Plugin,
    stages: Sequence[str],
    gold: Sequence[str],
    kit: Sequence[Aid],
    state: TaskState,
    generate: Generate,
) -> TaskState:
    """Ask stage by stage; what is scored is what the plugin makes of all replies.

    Each stage works on a copy: where a limit ends the sample half way, the reply to a stage must
    not be taken for the answer.
    """
    item = item_of(state, state.target)
    replies: dict[str, str] = {}
    turns: list[ChatMessage] = []
    stop: StopReason = "stop"
    for stage in stages:
        asked = plugin.call("stage_prompt", item=item, stage=stage, replies=dict(replies))
        facts = {"stage": stage} | ({"source": "gold"} if stage in gold else {})
        question = ChatMessageUser(content=_before(kit, item, asked), metadata=facts)
        if stage in gold:
            replies[stage] = plugin.call("stage_gold", item=item, stage=stage)
            turns += [question, ChatMessageAssistant(content=replies[stage], metadata=facts)]
        else:
            part = copy(state)
            part.messages = [question]
            part = await reply(part, generate, {})
            # A mark on a part of the reply does not outlive the joining.
            stop = "content_filter" if refused(part.output) else part.output.stop_reason
            replies[stage] = part.output.completion
            turns += part.messages
        state.messages = turns
    text = plugin.call("stage_join", item=item, replies=dict(replies))
    state.output = ModelOutput.from_content(str(state.model), text, stop_reason=stop)
    return state
