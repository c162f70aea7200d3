"""Several streams as one, in shares: which of them gives item k depends on the seed, the weights and k alone."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from hashlib import sha256
from itertools import accumulate
from typing import Any, TypeAlias

from harness_errors import ExhaustedError, SpecError

from harness.core.facts import printable
from harness.core.items import Item, digest
from harness.training.curriculum import Curriculum
from harness.training.rewards import finite
from harness.training.streams import Stream, check_mark, stream

Source: TypeAlias = "Stream | Mix | Curriculum"


class Mix(Iterator[Item]):
    """Items of several sources, interleaved; see `mix`."""

    def __init__(
        self, sources: Mapping[str, Source], weights: Mapping[str, float], seed: int
    ) -> None:
        self.sources, self.weights, self.seed = dict(sources), dict(weights), seed
        total = math.fsum(weights.values())
        self._bounds = [bound / total for bound in accumulate(weights.values())]
        self._position = 0

    def __str__(self) -> str:
        shares = ", ".join(f"{name} {weight:g}" for name, weight in self.weights.items())
        return f"mix of {shares} seed={self.seed}"

    @property
    def position(self) -> int:
        """How many items were given."""
        return self._position

    def __next__(self) -> Item:
        """Return the next item.

        Raises:
            ExhaustedError: the source whose turn it is has no more; the others may have.
            EngineError: an engine failed on this item; asked again, it is tried again.
        """
        name = self._turn(self._position)
        try:
            item = next(self.sources[name])
        except ExhaustedError as error:
            raise ExhaustedError(f"mix, '{name}': {error}") from error
        self._position += 1
        return item

    def take(self, n: int) -> list[Item]:
        """Return the next ``n`` items."""
        return [next(self) for _ in range(n)]

    def state(self) -> dict[str, Any]:
        """Return where the mix and each of its sources are, as JSON data."""
        states = {name: source.state() for name, source in self.sources.items()}
        return {"mix": self._mark(), "position": self._position, "sources": states}

    def restore(self, state: Mapping[str, Any]) -> Mix:
        """Go to where a mix was when it told its `state`; return this mix.

        Raises:
            SpecError: the state is none, or of another mix.
        """
        check_mark(state, "mix", self._mark(), "of other sources, weights or seed", f"a {self}")
        position, states = state.get("position"), state.get("sources")
        if not (type(position) is int and position >= 0 and isinstance(states, Mapping)):
            raise SpecError("the state of the mix is damaged")
        if set(states) != set(self.sources):
            wrong = "its sources are not those of this mix"
            raise SpecError(f"the state of the mix is damaged: {wrong}")
        for name, source in self.sources.items():
            source.restore(states[name])
        self._position = position
        return self

    def _turn(self, position: int) -> str:
        drawn = sha256(f"mix|{self.seed}|{position}".encode()).digest()[:8]
        share = int.from_bytes(drawn, "big") / 2**64
        for name, bound in zip(self.sources, self._bounds, strict=True):
            if share < bound:
                return name
        return next(reversed(self.sources))  # rounding: the last bound is a little below 1

    def _mark(self) -> str:
        return digest([list(self.weights.items()), self.seed])[:20]


def mix(
    sources: Mapping[Any, float],
    seed: int = 0,
    *,
    split: str = "train",
    state: Mapping[str, Any] | None = None,
) -> Mix:
    """Return an endless iterator over items of several sources, each in the share of its weight.

    >>> import harness
    >>> hard = harness.stream("ltlbench", {"operators": 5})
    >>> items = harness.mix({"timepuzzles": 1, hard: 3}, seed=0)
    >>> [item.plugin for item in items.take(4)]
    ['ltlbench', 'timepuzzles', 'ltlbench', 'ltlbench']

    Each draw is independent of the others, so shares are met in the long run, not in every few items.

    Args:
        sources: weights above 0, by the name of a plugin (its default settings), or by a `Stream`, another mix or
            a curriculum. Their order matters.
        seed: of the interleaving, and of the streams that are named by their plugin.
        split: of those.
        state: what `Mix.state` told, to go on from there; the sources are given as they were the first time.

    Raises:
        SpecError: no source, one of no kind that is known, or a weight that is none.
        PluginError: there is no such plugin.
    """
    if not isinstance(sources, Mapping) or not sources:
        example = {"ltlbench": 2, "timepuzzles": 1}
        raise SpecError(f"mix() takes weights by plugin or stream: {example}")
    by_name: dict[str, Source] = {}
    weights: dict[str, float] = {}
    for number, (source, weight) in enumerate(sources.items()):
        items = stream(source, seed=seed, split=split) if isinstance(source, str) else source
        if not isinstance(items, Stream | Mix | Curriculum):
            shown = printable(ascii(source), 60)
            kinds = "a plugin's name nor a stream, mix or curriculum"
            raise SpecError(f"mix: {shown} is neither {kinds}")
        name = f"{number} {str(items)[:200]}"
        if not (finite(weight) and weight > 0):
            shown = printable(ascii(weight), 40)
            raise SpecError(f"mix: the weight of '{items}' is {shown}, expected a number above 0")
        by_name[name], weights[name] = items, float(weight)
    mixed = Mix(by_name, weights, seed)
    return mixed if state is None else mixed.restore(state)
