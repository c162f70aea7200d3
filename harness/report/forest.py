"""How far features foretell a number: a random forest, its R² on unseen items, and SHAP values."""

from __future__ import annotations

import math
import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from harness.report.statistics_sources import Sources, batches_of, codes_of, members

FEWEST = 50  # items; below, a forest says nothing
FOLDS = 5
DEPTH = 8  # bounds a tree, and with it the time of TreeExplainer, to 256 leaves
LEAF = 5  # items in a leaf at least
SEEN = 1_500  # items that a tree is grown from at most
SEED = 0


@dataclass(frozen=True, slots=True)
class Forest:
    """What a forest found.

    ``r2``: 1 − (squared errors) ÷ (squared deviations from the mean), over the ``n`` items, each predicted
    by a forest that was fitted without it and without all that share its source (five folds of whole
    sources, errors of all folds pooled); it may be below 0, and is nan of fewer than five sources.
    ``order``: the features that are not constant, by mean |SHAP|, the greatest first; equal ones in the
    order given. ``swarm[i]``: for the feature ``order[i]``, per explained item, (SHAP value in the unit of
    ``y``, the feature's value scaled to 0…1 between its least and greatest).
    """

    r2: float
    order: tuple[str, ...]
    swarm: tuple[tuple[tuple[float, float], ...], ...]
    n: int


@dataclass(frozen=True, slots=True)
class Size:
    """How much a forest is grown from: items and trees, and how many items get SHAP values, at most."""

    items: int
    trees: int
    explained: int


FULL = Size(5_000, 100, 1_000)
SMALL = Size(1_000, 50, 200)


def forest(
    x: NDArray[np.float64],
    y: NDArray[np.float64],
    names: Sequence[str],
    sources: Sources = None,
    size: Size = FULL,
) -> Forest | None:
    """Return what a random forest finds of y, (n,), from x, (n, k) with k names; all numbers finite.

    Of more items than the size allows a fixed random choice is used. SHAP values are those of the forest fitted
    to all items used, path-dependent (Lundberg et al. 2020, doi:10.1038/s42256-019-0138-9): for each
    item they add up to its prediction less the forest's mean. None: under FEWEST items, or y or every
    feature is constant.
    """
    x, y = np.asarray(x, dtype=np.float64), np.asarray(y, dtype=np.float64)
    assert x.ndim == 2
    assert x.shape == (len(y), len(names))
    assert np.isfinite(x).all()
    assert np.isfinite(y).all()
    if len(y) < FEWEST:
        return None
    used = _some(len(y), size.items)
    x, y = x[used], y[used]
    groups = members(
        codes_of(None if sources is None else [sources[i] for i in used], len(y)), len(y)
    )
    varied = np.flatnonzero(np.ptp(x, axis=0) > 0)
    if not len(varied) or np.ptp(y) == 0:
        return None
    x = x[:, varied]
    shown = _some(len(y), size.explained)
    effects = _effects(_fitted(x, y, size.trees), x[shown])
    scaled = (x[shown] - x.min(axis=0)) / np.ptp(x, axis=0)
    order = np.argsort(-np.abs(effects).mean(axis=0), kind="stable")
    return Forest(
        r2=_held_out(x, y, groups, size.trees),
        order=tuple(names[varied[i]] for i in order),
        swarm=tuple(
            tuple(zip(effects[:, i].tolist(), scaled[:, i].tolist(), strict=True)) for i in order
        ),
        n=len(y),
    )


def _some(n: int, most: int) -> NDArray[np.int64]:
    """Return at most so many of the numbers below n: a fixed random choice, in rising order."""
    if n <= most:
        return np.arange(n)
    return np.sort(np.random.default_rng(SEED).permutation(n)[:most])


def _fitted(x: NDArray[np.float64], y: NDArray[np.float64], trees: int) -> Any:
    from sklearn.ensemble import RandomForestRegressor

    model = RandomForestRegressor(
        n_estimators=trees,
        max_depth=DEPTH,
        min_samples_leaf=LEAF,
        max_samples=min(len(y), SEEN),
        random_state=SEED,
        n_jobs=1,
    )
    return model.fit(x, y)


def _held_out(
    x: NDArray[np.float64], y: NDArray[np.float64], groups: Sequence[Sequence[int]], trees: int
) -> float:
    """Return the R² of predictions for items of whose sources the predicting forest has seen nothing."""
    if len(groups) < FOLDS:
        return math.nan
    predicted = np.empty_like(y)
    for unseen in batches_of(groups, FOLDS):
        known = np.ones(len(y), dtype=bool)
        known[unseen] = False
        predicted[unseen] = _fitted(x[known], y[known], trees).predict(x[unseen])
    return float(1 - ((y - predicted) ** 2).sum() / ((y - y.mean()) ** 2).sum())


def _effects(model: Any, x: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the SHAP value of every feature for every row of x, (n, k)."""
    with warnings.catch_warnings():
        # shap and numba warn at import of what their own dependencies do.
        warnings.simplefilter("ignore")
        import shap

        values = shap.TreeExplainer(model).shap_values(x, check_additivity=True)
    return np.asarray(values, dtype=np.float64).reshape(x.shape)
