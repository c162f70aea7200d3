"""What tokens cost: a file of prices in Inspect's own form, in dollars per million tokens, as YAML or JSON.

    openai/gpt-5: {input: 1.25, output: 10, input_cache_read: 0.125}

Inspect is given them before a run, so that its limits of cost and the sums in its logs are in the same money.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import yaml
from harness_errors import SpecError, did_you_mean
from inspect_ai.model import (
    Model,
    ModelCost,
    ModelInfo,
    ModelUsage,
    compute_model_cost,
    get_model_info,
    set_model_info,
)

from harness.core.schemas import shown
from harness.run.models import COUNTABLE, tokens

MAX_SIZE = 1_000_000  # bytes
KEYS = tuple(ModelCost.model_fields)
CACHED = ("input_cache_write", "input_cache_read")  # as dear as other input where no price is given


def read(name: str) -> dict[str, ModelCost]:
    """Return the prices of a file by model; raises `SpecError` where it says something else."""
    try:
        with Path(name).open("rb") as file:
            text = file.read(MAX_SIZE + 1)
        data = yaml.safe_load(text) if len(text) <= MAX_SIZE else None
    except (OSError, ValueError, RecursionError, yaml.YAMLError) as error:
        why = getattr(error, "strerror", None) or getattr(error, "problem", None) or str(error)
        raise SpecError(f"prices={shown(name)}: cannot be read: {why}") from None
    if not isinstance(data, dict) or not data:
        raise SpecError(f"prices={shown(name)}: expected MODEL: {{input: 1.25, output: 10}}")
    return {
        str(model): _cost(f"prices={shown(name)}: {shown(model)}", data[model]) for model in data
    }


def _cost(where: str, prices: Any) -> ModelCost:
    if not isinstance(prices, dict):
        raise SpecError(f"{where}: expected {{input: 1.25, output: 10}}")
    for key, price in prices.items():
        if key not in KEYS:
            raise SpecError(f"{where}: unknown key '{shown(key)}'; {did_you_mean(str(key), KEYS)}")
        if (
            isinstance(price, bool)
            or not isinstance(price, int | float)
            or not 0 <= price < COUNTABLE
        ):
            raise SpecError(f"{where}: {key}={shown(price)}: expected dollars per million tokens")
    for key in ("input", "output"):
        if key not in prices:
            raise SpecError(f"{where}: the price of {key} is missing")
    return ModelCost(**{**dict.fromkeys(CACHED, prices["input"]), **prices})


def price_of(known: Mapping[str, ModelCost], file: str, model: str) -> ModelCost:
    """Return the price of a model among those of a file; the embedded ones cost nothing.

    Raises:
        SpecError: the file has none for it.
    """
    if model.startswith("harness/"):
        return ModelCost(**dict.fromkeys(KEYS, 0.0))
    if model not in known:
        raise SpecError(f"prices={shown(file)}: no price of {model}; {did_you_mean(model, known)}")
    return known[model]


@contextmanager
def known(file: str, model: Model) -> Iterator[dict[str, Any]]:
    """Have Inspect know what a model costs within the block, by a file of prices; yield what a log says of it.

    Raises:
        SpecError: see `read` and `price_of`.
    """
    name, before = str(model), get_model_info(model) or ModelInfo()
    cost = price_of(read(file), file, name)
    set_model_info(name, before.model_copy(update={"cost": cost}))
    try:
        yield {"file": file, **cost.model_dump()}
    finally:
        set_model_info(name, before)


def cost_of(price: ModelCost, used: Mapping[str, Any]) -> float | None:
    """Return the dollars for tokens as `harness.run.models.usage` counts them; None where some are not known."""
    if tokens(used["input_tokens"]) is None or tokens(used["output_tokens"]) is None:
        return None
    known = {name: used[name] for name in used if name in ModelUsage.model_fields}
    return compute_model_cost(price, ModelUsage.model_validate(known))
