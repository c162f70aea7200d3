"""Items as a Hugging Face dataset, and their reward as TRL's GRPOTrainer (or RLOOTrainer) calls one.

`dataset` needs the package datasets when it is called; nothing here imports TRL or torch.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import Any

from harness_errors import HarnessError, SpecError

from harness.core.facts import printable
from harness.core.items import Item, to_json
from harness.datasets.extras import command_for
from harness.training.rewards import Shaping, graded, item_of
from harness.training.streams import Stream, check_count, stream


def dataset(
    source: str | Iterator[Item],
    config: Mapping[str, Any] | None = None,
    n: int | None = None,
    seed: int = 0,
    split: str = "train",
    *,
    avoid: str | Path | Iterable[str | Item] = (),
    conversational: bool = False,
) -> Any:
    """Return a `datasets.Dataset` of ``n`` items: ``prompt``, and ``item`` as its line of JSON for the reward.

    Without ``n`` it is a `datasets.IterableDataset` without end, made as it is read; TRL wants ``max_steps`` then.
    Each pass over it begins anew where ``source`` is a name, and goes on where it is a stream.

    Args:
        source: a benchmark's name, or items: a stream, a mix, a curriculum.
        config: keys of the benchmark's configuration.
        n: how many items.
        seed: which items.
        split: which items.
        avoid: problems that must not come, as for `harness.stream`.
        conversational: whether a prompt is a list with one message, to be put into a chat template.

    Raises:
        SpecError: datasets is not installed, or a key or value does not fit.
        PluginError: there is no such plugin.
        ExhaustedError: there are not so many items.
    """
    items = _items(source, config, seed, split, avoid)
    if n is not None:
        check_count("n", n)
    try:
        from datasets import Dataset, IterableDataset
    except ImportError as error:
        why = printable(str(error), 120)
        raise SpecError(f"the package datasets is missing: {command_for('trl')} ({why})") from None
    if n is not None:
        return Dataset.from_list([_row(item, conversational) for item in islice(items, n)])

    def endless() -> Iterator[dict[str, Any]]:
        # Of a name each pass is the same; of a stream that was handed over each goes on.
        again = items.fresh() if isinstance(source, str) and isinstance(items, Stream) else items
        return (_row(item, conversational) for item in again)

    return IterableDataset.from_generator(endless)


def _items(
    source: str | Iterator[Item],
    config: Mapping[str, Any] | None,
    seed: int,
    split: str,
    avoid: str | Path | Iterable[str | Item],
) -> Iterator[Item]:
    if isinstance(source, str):
        return stream(source, config, seed, split, avoid=avoid)
    if not isinstance(source, Iterator):
        shown = printable(ascii(source), 60)
        raise SpecError(f"{shown} is neither a benchmark's name nor a stream of items")
    if config or seed or avoid or split != "train":
        raise SpecError("config=, seed=, split= and avoid= go with a benchmark's name")
    return source


def _row(item: Item, conversational: bool) -> dict[str, Any]:
    prompt = [{"role": "user", "content": item.prompt}] if conversational else item.prompt
    return {"prompt": prompt, "item": to_json(item)}


def reward_function(
    shaping: Shaping | None = None,
    *,
    plugin: str = "",
    max_tokens: int | None = None,
    eos: int | None = None,
    report: Callable[[Item, float], object] | None = None,
) -> Callable[..., list[float]]:
    """Return a function for ``reward_funcs=``: it scores every completion against the column ``item`` of its row.

    The share of completions that nobody can read is logged as ``unparsed`` where the trainer takes metrics.

    A completion that cannot be scored ends the training with `UnscoredError`, unless the shaping gives it a number.
    TRL would take None as "no reward of this kind" and add nothing, which is a 0 where there is no other.

    Args:
        shaping: how a verdict becomes a number.
        plugin: the only benchmark whose items are taken; "" takes those of all.
        max_tokens: the trainer's ``max_completion_length``: a completion as long was cut off, half an answer is none.
        eos: the id of the token that ends a text; one that ends with it was not cut off.
        report: is told every item with its reward (`harness.Curriculum.report`).

    Raises:
        SpecError: ``max_tokens`` is no number of tokens. The function itself raises what `harness.reward` does.
    """
    chosen = shaping or Shaping()
    if max_tokens is not None:
        check_count("max_tokens", max_tokens, "")

    def harness_reward(
        completions: Sequence[Any],
        item: Sequence[str] | None = None,
        completion_ids: Sequence[Sequence[int]] | None = None,
        log_metric: Callable[[str, float], object] | None = None,
        **_: Any,
    ) -> list[float]:
        if item is None or len(item) != len(completions):
            raise SpecError(
                "harness_reward needs the column 'item' of the dataset (harness.training.trl.dataset makes it; "
                "TRL keeps it unless remove_unused_columns=True)"
            )
        ids = completion_ids or [()] * len(item)
        numbers: list[float] = []
        unparsed = 0
        for at, (line, completion, tokens) in enumerate(zip(item, completions, ids, strict=True)):
            cut = max_tokens is not None and len(tokens) >= max_tokens and tokens[-1] != eos
            try:
                result = graded(plugin, line, text_of(completion), chosen, truncated=cut)
            except HarnessError as error:
                raise type(error)(f"completion {at}: {error}") from error
            numbers.append(result.reward)
            unparsed += result.outcome == "unparsed"
            if report is not None and result.outcome != "unscored":
                report(item_of(line), result.reward)
        if log_metric is not None and numbers:
            log_metric("unparsed", unparsed / len(numbers))
        return numbers

    return harness_reward


def text_of(completion: Any) -> str:
    """Return the text of a completion: itself, or of a conversation what its last message says.

    Raises:
        SpecError: it is neither.
    """
    if isinstance(completion, str):
        return completion
    if isinstance(completion, Sequence) and not isinstance(completion, bytes):
        last: Any = completion[-1] if completion else {"content": ""}
        content = last.get("content") if isinstance(last, Mapping) else 0
        if content is None:  # a message that calls a tool
            return ""
        if isinstance(content, str):
            return content
        if isinstance(content, Sequence) and all(isinstance(part, Mapping) for part in content):
            return "".join(str(part.get("text", "")) for part in content)
    raise SpecError(f"completion is {type(completion).__name__}, expected text or messages")
