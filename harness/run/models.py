"""Models by name, and the embedded ones as an Inspect provider: a symbolic reference, two baselines."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from contextvars import ContextVar
from difflib import get_close_matches
from random import Random
from typing import Any

import anyio.to_thread
import harness_guard
from harness_errors import SpecError, did_you_mean
from inspect_ai.model import (
    ChatMessage,
    ChatMessageUser,
    GenerateConfig,
    ModelAPI,
    ModelOutput,
    ModelUsage,
    get_model,
)
from inspect_ai.tool import ToolChoice, ToolInfo

from harness.run import EMBEDDED, faults, masking
from harness.run.compat import PrerequisiteError, registry_find, registry_unqualified_name

SECONDS = 60
RETRIES = 5
TIMEOUT = 600  # seconds for one try at an answer: a server that hangs must not hang the run
COUNTABLE = 10**12  # tokens: what a provider reports beyond that, or below zero, is nonsense

EPOCH = ContextVar("EPOCH", default=1)
"""Which of an item's several answers is asked for: a model is told the text alone."""


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
        if model_name not in EMBEDDED:
            raise SpecError(f"no model harness/{model_name}; {did_you_mean(model_name, EMBEDDED)}")
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
            text = await _worker("harness.run.reference:answer", texts)
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
        choices = await _worker("harness.run.reference:choices", texts)
        if not choices:
            return "None of the installed plugins reads this prompt, or its task has no constant answers."
        # The first answer to a text is always the same, and the others of an item are drawn anew.
        rng = Random(f"{len(texts)}|{texts[-1]}" + f"|{EPOCH.get()}" * (EPOCH.get() > 1))
        return f"Answer: {choices[0] if self.model_name == 'constant' else rng.choice(choices)}"

    def max_connections(self) -> int:
        """Return how many prompts are worked on at once."""
        return 16


async def _worker(function: str, *arguments: Any) -> Any:
    """Run a function on untrusted text in a guarded worker, off the event loop."""
    return await anyio.to_thread.run_sync(
        lambda: harness_guard.call(function, *arguments, seconds=SECONDS)
    )


def model_of(name: str, key: str = "model", made_with: Mapping[str, Any] | None = None) -> Any:
    """Return the Inspect model of a name, given with some key; ``made_with`` are more arguments of `get_model`.

    Raises:
        SpecError: no such provider or model, or the provider lacks its key or package, or takes no such argument.
    """
    family, _, rest = name.partition("/")
    if family == "harness" and rest not in EMBEDDED:
        raise SpecError(f"no model '{name}'; {did_you_mean(rest, EMBEDDED)}")
    try:
        # Inspect would keep a model for the next call, with the address and key of this one.
        return masking.protect(get_model(name, memoize=False, **(made_with or {})))
    except PrerequisiteError as error:
        raise SpecError(f"{key}={name}: {plain(error)}") from None
    except TypeError as error:
        raise SpecError(f"model_args: {name} does not take them: {plain(error)}") from None
    except (ValueError, ImportError) as error:
        raise SpecError(f"{key}={name}: {_unknown(family, error)}; {_FORM}") from None


_FORM = "write provider/model, for example openai/gpt-5"


def _unknown(family: str, error: Exception) -> str:
    """Return what is wrong with a model's name, with the nearest provider where it names none."""
    known = {
        registry_unqualified_name(provider)
        for provider in registry_find(lambda provider: provider.type == "modelapi")
    }
    near = [] if family in known else get_close_matches(family, sorted(known), n=1)
    return f"no provider '{family[:80]}'; did you mean '{near[0]}'?" if near else plain(error)


def options(settings: Mapping[str, Any]) -> dict[str, Any]:
    """Return how Inspect is to ask a model, from a spec's options of the same names.

    ``timeout`` is for one try. Inspect's own option of that name would not end a try that hangs.
    """
    names = ("temperature", "top_p", "max_tokens", "max_retries", "max_connections")
    config = {"max_retries": RETRIES, "attempt_timeout": settings["timeout"] or TIMEOUT}
    return config | {name: settings[name] for name in names if settings[name] is not None}


def tokens(count: int | None) -> int | None:
    """Return a number of tokens as a provider reports it; None of one that cannot be."""
    return count if count is not None and 0 <= count <= COUNTABLE else None


Usage = dict[str, float | None]
"""What one model used: tokens by kind, and ``total_cost`` in dollars; None where it is not known."""


def usage(spent: Mapping[str, ModelUsage]) -> dict[str, Usage]:
    """Return what each model used in a run, all tries that were answered included (see docs/json.md).

    The embedded models make their usage up; theirs is left out.
    """
    names = ("input_tokens", "input_tokens_cache_read", "input_tokens_cache_write", "output_tokens",
             "reasoning_tokens")  # fmt: skip
    counted: dict[str, Usage] = {}
    for model, used in spent.items():
        if not model.startswith("harness/"):
            counts = {name: tokens(getattr(used, name)) for name in names}
            counted[model] = {**counts, "total_cost": used.total_cost}
    return counted


# Of these not every answer has any, so that a sum without it is the sum all the same.
_SOME = ("input_tokens_cache_read", "input_tokens_cache_write", "reasoning_tokens")


def total(parts: Iterable[Mapping[str, Usage]]) -> dict[str, Usage]:
    """Return the sum of what was used, by model; None where a part of it is not known."""
    by_model: dict[str, list[Usage]] = {}
    for part in parts:
        for model, used in part.items():
            by_model.setdefault(model, []).append(used)
    return {model: added(used) for model, used in by_model.items()}


def added(parts: Sequence[Usage]) -> Usage:
    """Return the sum of what was used, whichever model it was; None where a part of it is not known."""
    sums: Usage = {}
    for name in parts[0]:
        known = [count for part in parts if (count := part[name]) is not None]
        sums[name] = sum(known) if known and (name in _SOME or len(known) == len(parts)) else None
    return sums


def plain(error: BaseException) -> str:
    """Return Inspect's message without its console markup, on one line."""
    message = str(getattr(error, "message", error))
    return " ".join(re.sub(r"\[/?[a-z ]*\]", "", message).removeprefix("ERROR: ").split())[:300]


_RAISED = re.compile(
    r"^(?:[\w.]+\.)?(\w+(?:Error|Exception|Timeout)): (.{1,200})|^(\w+Error)\('(.{1,200})'\)$", re.M
)
_WRAPPERS = {"RetryError", "ModelGenerateError"}


def cause(trace: str, message: str) -> str:
    """Return what really went wrong, below the errors that Inspect and its retries wrap it in."""
    if noted := re.search(f"^{faults.NOTE}(.+)$", trace, re.M):
        return noted[1]
    for raised in reversed(list(_RAISED.finditer(trace))):
        kind, message = raised[1] or raised[3], raised[2] or raised[4]
        if kind not in _WRAPPERS:
            return f"{kind}: {message}"
    return (message.strip().splitlines() or ["unknown error"])[0][:200]
