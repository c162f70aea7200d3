import math
from importlib.util import find_spec
from itertools import combinations

import numpy as np
import pytest
from cases import slow

from harness.report import views_forest as module
from harness.report.views_forest import Size, forest

# Not imported here: collecting the tests is work that every worker of xdist does.
pytestmark = pytest.mark.skipif(find_spec("shap") is None, reason="shap is not installed")

FEW = Size(5_000, 10, 20)


def data(n, k=3, noise=0.1, seed=1):
    chance = np.random.default_rng(seed)
    x = chance.normal(size=(n, k))
    return x, 2 * x[:, 0] + noise * chance.normal(size=n)


@slow
def test_a_known_function_is_found_and_what_does_not_matter_comes_last():
    x, y = data(200)
    x = np.insert(x, 1, 7.0, axis=1)
    y = y + 0.5 * x[:, 3]
    found = forest(x, y, ["strong", "constant", "nothing", "weak"])
    assert found.order == ("strong", "weak", "nothing")
    assert found.r2 > 0.9
    assert found.n == 200
    strengths = [np.mean([abs(effect) for effect, _ in swarm]) for swarm in found.swarm]
    assert strengths == sorted(strengths, reverse=True)
    assert strengths[0] > 10 * strengths[2]
    effect, value = np.array(found.swarm[0]).T
    assert (value.min(), value.max()) == (0, 1)
    assert value == pytest.approx((x[:, 0] - x[:, 0].min()) / np.ptp(x[:, 0]))
    assert np.corrcoef(effect, value)[0, 1] > 0.9
    again = [forest(x, y, ["strong", "constant", "nothing", "weak"], None, FEW) for _ in range(2)]
    assert again[0] == again[1]


def test_nothing_to_find_is_no_r2_above_chance():
    chance = np.random.default_rng(2)
    found = forest(chance.normal(size=(300, 2)), chance.normal(size=300), ["a", "b"], None, FEW)
    assert found.r2 < 0.1


def test_r2_is_that_of_items_a_forest_has_not_seen(monkeypatch):
    x, y = data(120, noise=1.5)
    calls = []
    own = module._fitted

    def fitted(x, y, trees):
        calls.append((x, y, own(x, y, trees)))
        return calls[-1][2]

    monkeypatch.setattr(module, "_fitted", fitted)
    for sources in (None, np.arange(120) // 8):
        calls.clear()
        found = forest(x, y, ["a", "b", "c"], sources, FEW)
        errors, held = 0.0, []
        for known_x, _, one in calls[1:]:
            unseen = ~(x[:, None] == known_x).all(axis=2).any(axis=1)
            errors += float(((y[unseen] - one.predict(x[unseen])) ** 2).sum())
            held.append(np.flatnonzero(unseen))
        assert sorted(np.concatenate(held).tolist()) == list(range(120))
        assert len(held) == 5
        assert found.r2 == pytest.approx(1 - errors / (len(y) * np.var(y)))
        if sources is not None:
            assert sum(len(set(sources[fold].tolist())) for fold in held) == 15


def test_what_is_known_of_a_source_does_not_count_as_foretold():
    # A number that only names the source, and values that only the source decides: nothing foretells a new source.
    rng = np.random.default_rng(3)
    sources = np.repeat(np.arange(30), 8)
    x, y = sources[:, None].astype(float), rng.normal(size=30)[sources]
    assert forest(x, y, ["a"], None, FEW).r2 > 0.5
    assert forest(x, y, ["a"], sources, FEW).r2 < 0.2
    assert math.isnan(forest(x, y, ["a"], sources // 8, FEW).r2)


def expected(tree, row, known, node=0):
    """A tree's mean prediction where only some features of the row are known."""
    if tree.children_left[node] < 0:
        return tree.value[node].item()
    left, right = tree.children_left[node], tree.children_right[node]
    if tree.feature[node] in known:
        down = left if np.float32(row[tree.feature[node]]) <= tree.threshold[node] else right
        return expected(tree, row, known, down)
    weights = tree.weighted_n_node_samples[[left, right]] / tree.weighted_n_node_samples[node]
    parts = [expected(tree, row, known, child) for child in (left, right)]
    return float(weights @ parts)


def shapley(trees, row, feature, k):
    others = [i for i in range(k) if i != feature]
    total = 0.0
    for size in range(k):
        weight = math.factorial(size) * math.factorial(k - size - 1) / math.factorial(k)
        for known in combinations(others, size):
            gain = [
                expected(t, row, {*known, feature}) - expected(t, row, set(known)) for t in trees
            ]
            total += weight * float(np.mean(gain))
    return total


def test_effects_are_shapley_values_by_their_definition_and_add_up(monkeypatch):
    monkeypatch.setattr(module, "DEPTH", 4)
    x, y = data(80, noise=0.5)
    y = y + x[:, 0] * x[:, 1]
    fitted = module._fitted(x, y, 3)
    effects = module._shap(fitted, x[:6])
    trees = [one.tree_ for one in fitted.estimators_]
    for row, found in zip(x[:6], effects, strict=True):
        assert found == pytest.approx([shapley(trees, row, i, 3) for i in range(3)], abs=1e-6)
        base = np.mean([expected(t, row, set()) for t in trees])
        assert found.sum() == pytest.approx(fitted.predict(row[None])[0] - base, abs=1e-6)


def test_without_enough_items_or_anything_that_varies_there_is_no_forest():
    x, y = data(50)
    assert forest(x[:49], y[:49], ["a", "b", "c"]) is None
    assert forest(x, np.ones(50), ["a", "b", "c"]) is None
    assert forest(np.ones((50, 2)), y, ["a", "b"]) is None
    assert forest(np.empty((50, 0)), y, []) is None


def test_of_many_items_a_fixed_choice_is_used():
    x, y = data(300)
    size = Size(120, 10, 60)
    found = forest(x, y, ["a", "b", "c"], np.arange(300) // 2, size)
    assert (found.n, len(found.swarm[0])) == (120, 60)
    assert all(0 <= value <= 1 for swarm in found.swarm for _, value in swarm)
    assert forest(x, y, ["a", "b", "c"], np.arange(300) // 2, size) == found


@pytest.mark.parametrize("at", ["x", "y", "names"])
def test_undefined_numbers_and_missing_names_are_refused(at):
    x, y = data(60)
    names = ["a", "b", "c"]
    if at == "x":
        x[3, 1] = math.nan
    elif at == "y":
        y[3] = math.inf
    else:
        names.pop()
    with pytest.raises(AssertionError):
        forest(x, y, names)
