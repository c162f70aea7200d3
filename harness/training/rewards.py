"""What a completion is worth to a trainer: the number that `harness run` would score it with, shaped or not.

It depends on the item, the text, the plugin's scorer and nothing else. An item made by another version of its plugin
is refused unless ``Shaping(any_version=True)``: that version's scorer might have given it another number.

All functions may be called by many threads at once. The time limit of hooks (docs/limits.md) interrupts Python code
in the main thread only; in others the bounds of the scorer hold. A call that was interrupted is ``unscored``, an
error and never a number, so time decides no reward.
"""

from __future__ import annotations

import math
import re
import threading
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, NamedTuple

from harness_errors import DatasetError, HarnessError, SpecError, did_you_mean

from harness.core.facts import printable
from harness.core.hookspecs import Benchmark
from harness.core.items import PUBLISHED, Item, Outcome, canonical_json
from harness.core.plugins import Registry, registry
from harness.core.return_types import MAX_ITEM
from harness.core.schemas import schema_errors
from harness.datasets.foreign_json import parse, why
from harness.run import judging

_KEPT = 512  # items read from JSON that are kept: a group of answers is to one of them
_KEPT_CHARACTERS = 50_000  # of a line that is kept
_LARGEST = 1e100  # of a number of a shaping, so that no sum of products of them is infinite

_HALVES = re.compile("[\ud800-\udfff]")


class UnscoredError(HarnessError):
    """A completion that could not be scored, by no fault of the model: no reward says the truth about it."""

    exit_code = 1


@dataclass(frozen=True, slots=True)
class Shaping:
    """How a verdict becomes a number.

    A scored completion gets ``offset + scale * x``, held between ``low`` and ``high``; x is ``value``, a key of
    the plugin's values (default: the first), or the sum of several keys by ``weights``.
    ``unparsed`` and ``unscored`` are given as they are: no scale, no bounds. With the defaults a wrong answer and
    one that nobody can read are both 0; ``unparsed=-0.1`` tells them apart, and so does `graded`.

    Args:
        value: a key of the benchmark's ``values``, or "" for the first, which is 1 for what is wholly right. (By its
            ``agreement`` a bare "False" would be right where a counterexample is asked for.)
        weights: weights of several keys instead, ``{"exact": 0.5, "f1": 0.5}``.
        unparsed: the reward of a completion that holds no answer.
        unscored: the reward where scoring failed; None raises `UnscoredError`.
        scale: factor.
        offset: what is added.
        low: the least reward of a scored completion.
        high: the greatest.
        any_version: also score items made by other versions of the plugin.
    """

    value: str = ""
    weights: Mapping[str, float] | Iterable[tuple[str, float]] = ()
    unparsed: float = 0.0
    unscored: float | None = None
    scale: float = 1.0
    offset: float = 0.0
    low: float | None = None
    high: float | None = None
    any_version: bool = False

    def __post_init__(self) -> None:
        for name in ("unparsed", "scale", "offset", "unscored", "low", "high"):
            number = getattr(self, name)
            left_out = number is None and name in ("unscored", "low", "high")
            if not (left_out or finite(number)):
                raise SpecError(f"Shaping: {name} is {_quoted(number)}, expected a finite number")
        if self.low is not None and self.high is not None and self.low > self.high:
            raise SpecError(f"Shaping: low={self.low} is above high={self.high}")
        if not isinstance(self.value, str):
            raise SpecError(f"Shaping: value is {_quoted(self.value)}, expected a name")
        object.__setattr__(self, "weights", self._pairs())

    def _pairs(self) -> tuple[tuple[str, float], ...]:
        """Return the weights as pairs in the order of their names, so that the sum is always the same."""
        try:
            pairs = dict(self.weights)
        except (TypeError, ValueError):
            wrong = f"weights is {_quoted(self.weights)}, expected numbers by name"
            raise SpecError(f"Shaping: {wrong}") from None
        if pairs and self.value:
            raise SpecError("Shaping: give value or weights, not both")
        for key, number in pairs.items():
            if not (isinstance(key, str) and finite(number)):
                wrong = f"weights[{_quoted(key)}] is {_quoted(number)}, expected a finite number"
                raise SpecError(f"Shaping: {wrong}")
        return tuple(sorted(pairs.items()))

    def of(self, benchmark: Benchmark, values: Mapping[str, float]) -> float:
        """Return the reward of a scored completion.

        Raises:
            SpecError: the benchmark has no such value.
        """
        pairs: Any = self.weights or ((self.value or benchmark.values[0], 1),)
        for key, _ in pairs:
            if key not in values:
                hint = did_you_mean(key, benchmark.values)
                raise SpecError(f"Shaping: no value '{key[:80]}' of {benchmark.name}; {hint}")
        number = self.offset + self.scale * math.fsum(weight * values[key] for key, weight in pairs)
        number = number if self.low is None else max(number, self.low)
        return float(number if self.high is None else min(number, self.high))


def finite(number: object) -> bool:
    """Return whether a value is a number, none beyond all bounds, and no bool."""
    if not isinstance(number, int | float) or isinstance(number, bool):
        return False
    return abs(number) <= _LARGEST  # nan is not


def _quoted(value: object) -> str:
    return printable(ascii(value), 80)


class Graded(NamedTuple):
    """A reward with what it was made of: the outcome tells a wrong answer from none at all."""

    reward: float
    outcome: Outcome
    values: Mapping[str, float]
    answer: str | None
    explanation: str


_PLAIN = Shaping()


def reward(
    plugin: str,
    item: Item | Mapping[str, Any] | str,
    completion: str,
    shaping: Shaping = _PLAIN,
    *,
    truncated: bool = False,
) -> float:
    """Return what a completion is worth: with the default shaping, what `harness run` scores it with.

    >>> import harness
    >>> item = next(harness.stream("ltlbench", {"operators": 2}))
    >>> harness.reward("ltlbench", item, f"Answer: {item.target}")
    1.0
    >>> harness.reward("ltlbench", item, "I do not know.", harness.Shaping(unparsed=-0.5))
    -0.5

    Args:
        plugin: the benchmark's name; "" takes the item's.
        item: an item, its dict, or its line of JSON.
        completion: any text whatever.
        shaping: how the verdict becomes a number.
        truncated: whether a limit of tokens ended the text: half an answer is none then.

    Raises:
        UnscoredError: scoring failed, and the shaping has no number for that.
        DatasetError: the item is none, or of another version of the plugin.
        PluginError: there is no such plugin.
        SpecError: the item is another plugin's, the completion is no text, or the shaping names no value.
    """
    return _graded(plugin, item, completion, shaping, truncated, explain=False).reward


def graded(
    plugin: str,
    item: Item | Mapping[str, Any] | str,
    completion: str,
    shaping: Shaping = _PLAIN,
    *,
    truncated: bool = False,
) -> Graded:
    """Return the reward with its outcome (``scored``, ``unparsed`` or ``unscored``) and the reasons.

    Takes and raises what `reward` does.
    """
    return _graded(plugin, item, completion, shaping, truncated, explain=True)


def _graded(
    plugin: str,
    item: Item | Mapping[str, Any] | str,
    completion: str,
    shaping: Shaping,
    truncated: bool,
    explain: bool,
) -> Graded:
    known = item_of(item)
    owner = plugins().get(plugin or known.plugin)
    name, version = owner.benchmark.name, owner.benchmark.version
    if known.plugin != name:
        whose = f"the item is of '{printable(known.plugin, 80)}'"
        raise SpecError(f"plugin='{name}', but {whose}; plugin=\"\" takes the item's")
    if not (shaping.any_version or known.version in (version, PUBLISHED)):
        raise DatasetError(
            f"item {known.id} was made by {known.plugin} {printable(known.version, 40)}, installed is {version}, "
            "whose reward may be another; generate it again, install that version, or say any_version=True"
        )
    if not isinstance(completion, str):
        raise SpecError(f"completion is {type(completion).__name__}, expected text (str)")
    # Half of a character becomes U+FFFD, as in recorded answers.
    text = completion if completion.isascii() else _HALVES.sub("\ufffd", completion)
    uncut = text.rpartition("\n")[0] if truncated else None
    verdict = judging.judged_cut(owner, known, text, uncut, explain)
    if verdict.outcome == "unscored":
        if shaping.unscored is None:
            reason = printable(verdict.explanation.partition("\n")[0], 300)
            raise UnscoredError(
                f"item {known.id} of {known.plugin} could not be scored: {reason}; "
                "Shaping(unscored=NUMBER) gives such items a reward"
            )
        number, values = float(shaping.unscored), dict[str, float]()
    else:
        values = judging.rounded(owner.benchmark, verdict)
        # Asked of an unparsed one, too: a wrong name must not wait for the first answer that can be read.
        number = shaping.of(owner.benchmark, values)
        number = number if verdict.outcome == "scored" else float(shaping.unparsed)
    return Graded(number, verdict.outcome, values, verdict.answer, verdict.explanation)


def rewards(
    plugin: str,
    items: Sequence[Item | Mapping[str, Any] | str],
    completions: Sequence[str],
    shaping: Shaping = _PLAIN,
    *,
    truncated: Sequence[bool] = (),
) -> list[float]:
    """Return the rewards of a batch, one completion for each item, in order; an error says which one it is of.

    Raises:
        SpecError: there are not as many completions (or marks of truncation) as items; and as `reward` does.
    """
    if isinstance(items, str | Item | Mapping) or isinstance(completions, str):
        raise SpecError("rewards() takes lists of items and completions; reward() one of each")
    cut = truncated or [False] * len(items)
    if not len(items) == len(completions) == len(cut):
        counts = (
            f"{len(items)} items, {len(completions)} completions, {len(cut)} marks of truncation"
        )
        raise SpecError(f"{counts}: expected as many of each")
    numbers = []
    for at, (item, text, end) in enumerate(zip(items, completions, cut, strict=True)):
        try:
            numbers.append(reward(plugin, item, text, shaping, truncated=end))
        except HarnessError as error:
            raise type(error)(f"position {at} of the batch: {error}") from error
    return numbers


# ---------------------------------------------------------------------------------- the item


_LOADING = threading.Lock()


def plugins() -> Registry:
    """Return the plugins of this environment; where many threads ask at once, one of them loads the plugins."""
    with _LOADING:
        return registry()


def item_of(source: Item | Mapping[str, Any] | str) -> Item:
    """Return an item, that of a dict, or that of a line of JSON, held against its id and its plugin's schema.

    Raises:
        DatasetError: it is none.
        SpecError: it is neither of the three.
    """
    if isinstance(source, Item):
        return source
    if isinstance(source, Mapping):
        try:
            line = canonical_json(dict(source))
        except (TypeError, ValueError, RecursionError) as error:
            raise DatasetError(f"the item is not JSON: {why(error)}") from None
    elif isinstance(source, str):
        line = source
    else:
        raise SpecError(f"item is {type(source).__name__}, expected an Item, its dict or its JSON")
    return _read(line) if len(line) > _KEPT_CHARACTERS else _read_kept(line)


def _read(line: str) -> Item:
    """Return the item of a line, held against its id and its plugin's schema, as one of a dataset is."""
    if len(line) > MAX_ITEM:
        raise DatasetError(f"the item has {len(line):,} characters, more than {MAX_ITEM:,}")
    try:
        data = parse(line)
        if isinstance(data, dict) and "id" not in data:
            raise DatasetError("item lacks 'id', so nothing shows whether it was changed")
        item = Item.from_dict(data)
        canonical_json(item.to_dict()).encode()
    except (ValueError, RecursionError) as error:  # half of a character is a ValueError
        raise DatasetError(f"the item is not JSON: {why(error)}") from None
    known = plugins().benchmarks.get(item.plugin)
    for message in schema_errors(known.benchmark.problem_schema, item.problem) if known else ():
        raise DatasetError(f"item {item.id}: problem.{message}")
    return item


_read_kept = lru_cache(maxsize=_KEPT)(_read)
