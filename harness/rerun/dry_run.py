"""What a run would ask, counted without asking: calls, tokens and money (``harness run … dry_run=yes``).

The task is that of the run, and its conversations go as they would, but for the replies: nobody gives any. What of
the run is in an interrupted log is not counted.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import lru_cache
from pathlib import Path
from typing import Any, Literal, NamedTuple, Unpack

import tiktoken
import tiktoken.load
from harness_errors import OutputError, SpecError
from inspect_ai import Task
from inspect_ai.dataset import Sample
from inspect_ai.model import (
    ChatMessageAssistant,
    GenerateConfig,
    GenerateConfigArgs,
    Model,
    ModelName,
    ModelOutput,
)
from inspect_ai.scorer import Target
from inspect_ai.solver import TaskState
from inspect_ai.tool import Tool, ToolDef

from harness.core.facts import warnings
from harness.core.feature_hooks import Warn
from harness.core.features import features, of_scope
from harness.core.plugins import Plugin, registry
from harness.core.spec import Spec
from harness.datasets import event_loops
from harness.rerun import logs, prices, resume, run_logs, run_shards
from harness.run import evaluation, models
from harness.run.compat import registry_params
from harness.run.metrics import registered
from harness.run.samples import item_of
from harness.run.solver import conversation
from harness.run.strategies import strategy

SUMS = ("answers", "calls", "input_tokens", "output_tokens", "input_cost", "output_cost")
CHARACTERS = 4  # of English to a token, about
COMMON = "o200k_base"  # what Inspect, too, counts by where it knows no tokenizer of a model
_CACHED = 10_000  # texts: examples and tools come in every prompt
_STAND_IN = {"reply": "of nobody"}  # marks a message in the place of a reply


class Length(NamedTuple):
    """How many tokens a reply or all replies about a sample have, and a phrase that says how that is known."""

    tokens: float
    each: str  # ``call`` or ``answer``
    phrase: str


@dataclass(slots=True)
class Count:
    """What is asked: samples, calls, their tokens, and how often a reply is sent again with what follows it."""

    answers: int = 0
    calls: int = 0
    tokens: int = 0
    replies: int = 0

    def add(self, other: Count, times: int) -> None:
        """Add a count so many times."""
        self.answers += other.answers * times
        self.calls += other.calls * times
        self.tokens += other.tokens * times
        self.replies += other.replies * times


def counted(specs: Sequence[Spec], warn: Warn) -> dict[str, Any]:
    """Return what runs would ask (docs/json.md); all of them are checked before the first is counted.

    Raises:
        SpecError: a model, setting or file that cannot be used, or items that a model chooses.
        DatasetError, ExhaustedError: items that cannot be read or made.
        OutputError: the folder of the logs cannot be used.
    """
    specs = [replace(spec, options={**spec.options, "dry_run": False}) for spec in specs]
    models = [features().hook.model_of(spec=spec) for spec in specs]
    for spec in specs:
        if spec.prune_model:
            raise SpecError(
                "dry_run=yes cannot tell which items prune_model= leaves; generate with it, then count dataset=…"
            )
        features().hook.check_spec(spec=spec, model=spec.model)
    try:
        runs = [_run(spec, model, warn) for spec, model in zip(specs, models, strict=True)]
    except OSError as error:
        raise OutputError(evaluation.unwritten(Path(specs[0].log_dir), error)) from None
    total: dict[str, Any] = {}
    for key in SUMS:
        parts = [run[key] for run in runs]
        total[key] = None if None in parts else sum(parts)
    total["upper_bound"] = any(run["upper_bound"] for run in runs)
    return {"dry_run": runs, "total": total}


def _run(spec: Spec, model: Model, warn: Warn) -> dict[str, Any]:
    """Return what one run would ask."""
    plugin = registry().get(spec.plugin)
    counter, length = tokenizer_of(spec.model), _length(spec)
    parts, finished = run_shards.left(plugin, spec) if spec.shards else ([spec], 0)
    each = spec.epochs or spec.samples or strategy(plugin.benchmark, spec.strategy).samples
    count, answered = Count(), finished * each
    for part in parts:
        task = evaluation.task_of(part)
        for line in warnings(task.metadata.get("about")):
            warn(line)
        of_part = _left(part, task, model)
        epochs = task.epochs or 1
        answered += len(task.dataset) * epochs - sum(of_part.values())
        count.add(_conversations(plugin, part, task, model, of_part, counter.count), 1)
    return {
        "plugin": spec.plugin,
        "model": spec.model,
        "strategy": spec.strategy,
        "config": spec.shown,
        "dataset": spec.dataset,
        **_numbers(spec, count, length),
        "there": answered,
        "input_from": counter.phrase,
        "output_from": length.phrase if length else None,
        "upper_bound": bool(length and length.each == "call" and length.tokens),
        "left_out": _left_out(spec, plugin, length),
    }


def _left(spec: Spec, task: Task, model: Model) -> dict[str, int]:
    """Return how many answers to each sample, by its id, are still to be asked for."""
    answered = resume.answered(spec, task, model)
    epochs = range(1, (task.epochs or 1) + 1)
    names = [str(sample.id) for sample in task.dataset]
    if answered is None:
        return dict.fromkeys(names, 0)
    return {name: sum((name, epoch) not in answered for epoch in epochs) for name in names}


def _conversations(
    plugin: Plugin,
    spec: Spec,
    task: Task,
    model: Model,
    left: Mapping[str, int],
    count: Callable[[str], int],
) -> Count:
    """Return what is asked about all samples, of which ``left`` says how many answers each is to have."""
    answer = conversation(**registry_params(task.solver))
    system = count(str(evaluation.asked(spec).get("system_message") or ""))
    total = Count()

    async def ask_all() -> None:
        for sample in task.dataset:
            if times := left[str(sample.id)]:
                talk = Talk(plugin, count, system)
                await answer(_state(sample, model), talk.generate)
                total.add(talk.asked, times)

    event_loops.complete(ask_all)
    return total


@dataclass(slots=True)
class Talk:
    """A conversation about a sample in which nobody answers; ``system``: tokens that each call has beside it."""

    plugin: Plugin
    count: Callable[[str], int]
    system: int
    asked: Count = field(default_factory=lambda: Count(answers=1))

    async def generate(
        self,
        state: TaskState,
        tool_calls: Literal["loop", "single", "none"] = "loop",
        **config: Unpack[GenerateConfigArgs],
    ) -> TaskState:
        """Count a call and return the state with a stand-in for the reply: to a stage the right one, else none."""
        texts = [message.text for message in state.messages]
        texts += [_definition(tool) for tool in state.tools]
        if schema := config.get("response_schema"):
            texts.append(schema.json_schema.model_dump_json(exclude_none=True))
        self.asked.calls += 1
        self.asked.tokens += self.system + sum(map(self.count, texts))
        self.asked.replies += sum(message.metadata == _STAND_IN for message in state.messages)
        stage = (state.messages[-1].metadata or {}).get("stage")
        item = item_of(state, state.target)
        text = self.plugin.call("stage_gold", item=item, stage=stage) if stage else ""
        state.messages.append(
            ChatMessageAssistant(content=text, metadata=None if stage else _STAND_IN)
        )
        state.output = ModelOutput.from_content(str(state.model), text)
        return state


def _state(sample: Sample, model: Model) -> TaskState:
    return TaskState(
        ModelName(str(model)), sample.id or "", 1, sample.input, [], Target(sample.target),
        metadata=dict(sample.metadata or {}),
    )  # fmt: skip


def _definition(tool: Tool) -> str:
    """Return a tool as a model is told of it."""
    known = ToolDef(tool)
    parameters = known.parameters.model_dump(exclude_none=True)
    return json.dumps([known.name, known.description, parameters])


def _length(spec: Spec) -> Length | None:
    """Return how long replies are: as those in earlier logs, else at most as long as they may be; None: not known."""
    if spec.model.startswith("harness/"):
        return Length(0, "call", "none: an embedded model costs nothing")
    length = _length_in_logs(spec)
    if length is None and spec.max_tokens:
        length = Length(spec.max_tokens, "call", f"at most max_tokens={spec.max_tokens} a call")
    return length


def _length_in_logs(spec: Spec) -> Length | None:
    """Return the mean over logs in ``log_dir`` of the same benchmark, model, strategy and settings of a request."""
    wanted = _settings(evaluation.asked(spec))
    written, answers, used = 0.0, 0, 0
    for log in run_logs.in_folder(Path(spec.log_dir)):
        whose = (log.known[0], log.known[2])
        if whose != (registered(spec.plugin), spec.model) or log.status != "success":
            continue
        head = logs.header(log.path)
        tokens = models.usage(head.stats.model_usage).get(spec.model, {}).get("output_tokens")
        alike = (head.eval.metadata or {}).get("strategy") == spec.strategy
        if alike and tokens and _settings(head.plan.config.model_dump()) == wanted:
            written, used = written + tokens, used + 1
            answers += head.results.completed_samples if head.results else 0
    if not answers:
        return None
    where = f"{used} log{'' if used == 1 else 's'} in {spec.log_dir}"
    mean = written / answers
    return Length(mean, "answer", f"{mean:.1f} an answer, the mean of {where}")


def _settings(known: Mapping[str, Any]) -> dict[str, Any]:
    """Return those settings of a request that change answers."""
    service = {"attempt_timeout", *of_scope("service")}
    return {
        key: value
        for key, value in known.items()
        if key in GenerateConfig.model_fields and key not in service and value is not None
    }


def _numbers(spec: Spec, count: Count, length: Length | None) -> dict[str, Any]:
    """Return counts, tokens and dollars; None where they are not known."""
    written = None
    again = 0.0
    if length:
        written = length.tokens * (count.calls if length.each == "call" else count.answers)
        again = count.replies * written / max(1, count.calls)
    read = round(count.tokens + again)
    numbers: dict[str, float | None] = {
        "answers": count.answers,
        "calls": count.calls,
        "input_tokens": read,
        "output_tokens": None if written is None else round(written),
        "input_cost": None,
        "output_cost": None,
    }
    if spec.prices:
        price = prices.price_of(prices.read(spec.prices), spec.prices, spec.model)
        numbers["input_cost"] = prices.cost_of(price, {"input_tokens": read, "output_tokens": 0})
        if written is not None:
            used = {"input_tokens": 0, "output_tokens": round(written)}
            numbers["output_cost"] = prices.cost_of(price, used)
    return numbers


def _left_out(spec: Spec, plugin: Plugin, length: Length | None) -> list[str]:
    """Return what the numbers leave out."""
    plan = strategy(plugin.benchmark, spec.strategy)
    missing = []
    if length is None:
        missing.append("tokens out: give max_tokens=, or run a few items first (n=5)")
        if plan.steps:
            missing.append("earlier replies, which are sent again with the next turn")
    if plan.stages:
        missing.append(
            "the right reply to each stage stands for the model's in the stages after it"
        )
    if spec.tools != "none":
        tools = "calls of tools: each adds a call of the model, with all that was said before"
        missing.append(tools)
    return missing


class Tokenizer(NamedTuple):
    """What counts the tokens of a text, and a phrase that says by what."""

    count: Callable[[str], int]
    phrase: str


def tokenizer_of(model: str) -> Tokenizer:
    """Return what counts for a model, ``provider/name``; nothing is downloaded, and nobody asked."""
    provider, _, name = model.partition("/")
    try:
        wanted = tiktoken.encoding_name_for_model(name.rpartition("/")[2])
    except KeyError:
        wanted = ""
    exact = wanted if provider in ("openai", "azureai") else ""
    try:
        with _from_this_machine():
            encoding = tiktoken.get_encoding(exact or COMMON)
    except Exception:  # what a broken file raises is of many kinds
        why = f"{exact or 'its tokenizer'} is not on this machine"
        return Tokenizer(
            lambda text: -(-len(text) // CHARACTERS), f"{CHARACTERS} characters a token: {why}"
        )
    phrase = (
        f"by its tokenizer {exact}" if exact else f"by {COMMON}: its own tokenizer is not known"
    )

    @lru_cache(_CACHED)
    def count(text: str) -> int:
        return len(encoding.encode(text, disallowed_special=()))

    return Tokenizer(count, phrase)


@contextmanager
def _from_this_machine() -> Iterator[None]:
    """Have tiktoken take tables of tokens from its cache alone, where it would download them."""
    before = tiktoken.load.read_file

    def refuse(blobpath: str) -> bytes:
        raise FileNotFoundError(blobpath)

    tiktoken.load.read_file = refuse
    try:
        yield
    finally:
        tiktoken.load.read_file = before
