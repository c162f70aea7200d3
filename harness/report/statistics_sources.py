"""Which items share a source: such items are resampled, flipped and batched together."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

Floats: TypeAlias = NDArray[np.float64]
Codes: TypeAlias = NDArray[np.int64]
Sources: TypeAlias = Sequence[Hashable] | NDArray[Any] | None
"""One name per item, of any hashable kind; None: every item is its own source."""


def codes_of(sources: Sources, n: int) -> Codes | None:
    """Return a number from 0 per item, equal for equal sources; None where no two items share one.

    Raises:
        ValueError: there is not one source per item.
    """
    if sources is None:
        return None
    names: Sequence[Hashable] = sources.tolist() if isinstance(sources, np.ndarray) else sources
    if len(names) != n:
        raise ValueError(f"{len(names)} sources for {n} items")
    if len(set(names)) == n:
        return None
    numbers = {name: at for at, name in enumerate(dict.fromkeys(names))}
    return np.fromiter((numbers[name] for name in names), np.int64, n)


def floats(values: Iterable[float] | Floats) -> Floats:
    """Return numbers as a flat array."""
    return np.asarray(values if isinstance(values, np.ndarray) else list(values), np.float64)


def kept(sources: Sources, keep: NDArray[np.bool_]) -> Sources:
    """Return the sources of the items to keep."""
    if sources is None or bool(keep.all()):
        return sources
    return [name for name, stays in zip(sources, keep, strict=True) if stays]


def members(codes: Codes | None, n: int) -> list[list[int]]:
    """Return the places of the items of each source, in order of first appearance."""
    if codes is None:
        return [[at] for at in range(n)]
    found: list[list[int]] = [[] for _ in range(int(codes.max()) + 1)]
    for at, code in enumerate(codes.tolist()):
        found[code].append(at)
    return found


def totals(values: Floats, codes: Codes | None) -> tuple[Floats, Floats]:
    """Return the sum and the number of items of each source, in an order that items and names do not decide."""
    if codes is None:
        ordered = np.sort(values)
        return ordered, np.ones(len(ordered))
    # Each source adds its values up from the smallest: the last bit must not depend on the order either.
    order = np.argsort(values, kind="stable")
    sums = np.bincount(codes[order], weights=values[order]).astype(np.float64)
    counts = np.bincount(codes).astype(np.float64)
    places = np.lexsort((sums, counts))
    return sums[places], counts[places]
