"""Metrics against their definitions, computed the slow way."""

from __future__ import annotations

import csv
import math
from itertools import product
from pathlib import Path
from random import Random

import pytest
from harness_ltlbench import metrics
from harness_ltlbench.answers.score import score
from harness_ltlbench.config import BENCHMARK
from harness_ltlbench.published.adopt import adopt

from harness import Row
from harness.run import stats

RESPONSES = Path(__file__).parents[4] / "shared/data/ltlbench/responses"


def row(target: str, answer: str | None, p: float | None = None, published: str = "") -> Row:
    outcome = "scored" if answer else "unparsed"
    value = {"accuracy": float(target == answer), "label": float(target == answer)}
    extra = {"published": published} if published else {}
    return Row(target, answer, outcome, value, probability=p, extra=extra)


def f1_by_definition(pairs: list[tuple[str, str | None]], name: str) -> float:
    hits = [gold for gold, said in pairs if gold == name and said == name]
    said = [said for _, said in pairs if said == name]
    gold = [gold for gold, _ in pairs if gold == name]
    precision = len(hits) / len(said) if said else 0.0
    recall = len(hits) / len(gold) if gold else 0.0
    return 2 * precision * recall / (precision + recall) if precision + recall else 0.0


def macro_f1_by_definition(pairs: list[tuple[str, str | None]]) -> float:
    """Mean over the classes that occur at all, as scikit-learn takes them."""
    present = {name for pair in pairs for name in pair if name}
    return sum(f1_by_definition(pairs, name) for name in present) / len(present)


def auc_by_pairs(points: list[tuple[str, float]]) -> float:
    high = [value for gold, value in points if gold == "True"]
    low = [value for gold, value in points if gold == "False"]
    if not high or not low:
        return math.nan
    wins = sum((a > b) + (a == b) / 2 for a, b in product(high, low))
    return wins / (len(high) * len(low))


def same(a: float, b: float) -> bool:
    return (math.isnan(a) and math.isnan(b)) or math.isclose(a, b, abs_tol=1e-12)


# An answer nobody could read ranks on the wrong end: it wins against nothing.
UNPARSED = {"True": -math.inf, "False": math.inf}


def random_pairs(rng: Random) -> list[tuple[str, str | None]]:
    return [
        (rng.choice(["True", "False"]), rng.choice(["True", "False", None]))
        for _ in range(rng.randint(1, 12))
    ]


def test_macro_f1_is_the_mean_of_both_classes() -> None:
    rng = Random(1)
    for _ in range(500):
        pairs = random_pairs(rng)
        expected = macro_f1_by_definition(pairs)
        assert same(metrics.macro_f1([row(*pair) for pair in pairs]), expected)


def test_macro_f1_by_hand() -> None:
    rows = [row("True", "True"), row("True", None), row("False", "True"), row("False", "False")]
    # True: precision 1/2, recall 1/2. False: precision 1, recall 1/2.
    assert same(metrics.macro_f1(rows), (1 / 2 + 2 / 3) / 2)
    assert metrics.macro_f1([row("True", "True")]) == 1.0  # there is no False to get wrong
    assert metrics.macro_f1([row("True", None), row("False", None)]) == 0.0
    assert math.isnan(metrics.macro_f1([]))


def test_a_path_does_not_hide_the_label() -> None:
    rows = [row("False: event1, (event2)", "False: event1, (event3)"), row("True", "True")]
    assert metrics.macro_f1(rows) == 1.0
    assert metrics.auc(rows) == 1.0


def test_auc_of_hard_labels_is_that_of_all_pairs() -> None:
    rng, value = Random(2), {"True": 1.0, "False": 0.0}
    for _ in range(500):
        pairs = random_pairs(rng)
        points = [(gold, value[said] if said else UNPARSED[gold]) for gold, said in pairs]
        expected = auc_by_pairs(points)
        assert same(metrics.auc([row(*pair) for pair in pairs]), expected)


def test_auc_of_probabilities_is_that_of_all_pairs() -> None:
    rng = Random(3)
    for _ in range(500):
        rows, points = [], []
        for gold, said in random_pairs(rng):
            p = rng.choice([0.1, 0.3, 0.3, 0.5, 0.9]) if said else None
            rows.append(row(gold, said, p))
            points.append((gold, UNPARSED[gold] if p is None else p))
        assert same(metrics.auc(rows), auc_by_pairs(points))


def test_one_missing_probability_makes_all_labels_hard() -> None:
    rows = [row("True", "True", 0.6), row("False", "True", 0.5), row("False", "False")]
    assert same(metrics.auc(rows), auc_by_pairs([("True", 1), ("False", 1), ("False", 0)]))
    assert metrics.auc(rows[:2]) == 1.0


def test_auc_needs_both_classes() -> None:
    assert math.isnan(metrics.auc([]))
    assert math.isnan(metrics.auc([row("True", "True"), row("True", "False")]))


def test_constant_answers_earn_chance() -> None:
    for said in ("True", "False", None):
        rows = [row("True", said), row("False", said)] * 5
        assert metrics.auc(rows) == (0.0 if said is None else 0.5)
        assert metrics.macro_f1(rows) == (0.0 if said is None else pytest.approx(1 / 3))


def mean(name: str, rows: list[Row]) -> float:
    """The metric that is a mean over answers, as a run computes it."""
    every = (*BENCHMARK.metrics, *BENCHMARK.published)
    return stats.value_of(next(one for one in every if one.name == name), rows)


def test_unscored_rows_are_left_out() -> None:
    rows = [row("True", "True"), row("False", "False")]
    lost = Row("True", None, "unscored", {}, extra={"published": "False"})
    for metric in (metrics.macro_f1, metrics.auc):
        assert metric([*rows, lost]) == metric(rows)
    assert math.isnan(mean("published_accuracy", [lost]))


def test_unread_paths_are_counted_apart() -> None:
    unread = Row("False: (event1)", "False", "scored", {}, extra={"path_unread": "yes"})
    assert mean("path_unread", [unread, row("True", "True"), row("False", None)]) == 1 / 3
    assert mean("path_unread", [row("True", "True")]) == 0
    assert math.isnan(mean("path_unread", []))


def test_the_published_convention() -> None:
    rng = Random(4)
    for _ in range(300):
        pairs = [(gold, said or "False") for gold, said in random_pairs(rng)]
        rows = [row(gold, None, 0.9, published=said) for gold, said in pairs]
        accuracy = sum(gold == said for gold, said in pairs) / len(pairs)
        assert same(mean("published_accuracy", rows), accuracy)
        assert same(metrics.published_f1(rows), macro_f1_by_definition(list(pairs)))
        hard = auc_by_pairs([(gold, float(said == "True")) for gold, said in pairs])
        assert same(metrics.published_auc(rows), hard)


def test_without_published_predictions_there_is_no_published_figure() -> None:
    rows = [row("True", "True")]
    assert math.isnan(mean("published_accuracy", rows))
    assert math.isnan(mean("published_unparsed", rows))
    for metric in (metrics.published_f1, metrics.published_auc):
        assert math.isnan(metric(rows))


def test_replies_without_a_word_are_counted_as_the_published_reader_counts_them() -> None:
    silent = Row(
        "True", None, "unparsed", {}, extra={"published": "False", "published_unparsed": "yes"}
    )
    assert mean("published_unparsed", [silent, row("True", "True", published="True")]) == 0.5


@pytest.mark.skipif(not RESPONSES.is_dir(), reason=f"no published responses at {RESPONSES}")
def test_a_silent_model_is_paid_for_silence_by_the_published_convention_only() -> None:
    name = RESPONSES / "300_2_events_2_deepseek-reasoner_direct.csv"
    rows = []
    with name.open(newline="") as file:
        for record in csv.DictReader(file):
            item = adopt(record)
            assert item is not None
            found = score(item, record["prediction_raw"])
            rows.append(
                Row(item.target, found.answer, found.outcome, found.value, extra=found.extra)
            )
    ours = sum(one.value["accuracy"] for one in rows) / len(rows)
    assert sum(one.outcome == "unparsed" for one in rows) == 30
    assert mean("published_accuracy", rows) - ours == pytest.approx(17 / 300)
    pairs = [(one.target, one.answer) for one in rows]
    expected = (f1_by_definition(pairs, "True") + f1_by_definition(pairs, "False")) / 2
    assert same(metrics.macro_f1(rows), expected)


# How many we cannot read, and how many of those the published convention counts as right.
UNREAD = {
    "deepseek-reasoner_direct": (30, 17),
    "gpt-5-mini_few_shot_cot": (0, 0),
    "qwen-turbo_direct": (0, 0),
}


@pytest.mark.skipif(not RESPONSES.is_dir(), reason=f"no published responses at {RESPONSES}")
@pytest.mark.parametrize("name", UNREAD)
def test_the_published_figures_are_those_of_the_published_predictions(name: str) -> None:
    rows, pairs, unread = [], [], []
    with (RESPONSES / f"300_2_events_2_{name}.csv").open(newline="") as file:
        for record in csv.DictReader(file):
            item = adopt(record)
            assert item is not None
            found = score(item, record["prediction_raw"])
            rows.append(
                Row(item.target, found.answer, found.outcome, found.value, extra=found.extra)
            )
            theirs = str(record["prediction"] == "1")  # -1, no answer found, counts as 0 there
            pairs.append((record["answer"], theirs))
            if found.outcome == "unparsed":
                unread.append(theirs == record["answer"])
    assert (len(unread), sum(unread)) == UNREAD[name]
    right = sum(gold == said for gold, said in pairs) / len(pairs)
    assert same(mean("published_accuracy", rows), right)
    assert same(metrics.published_f1(rows), macro_f1_by_definition(list(pairs)))
    assert same(metrics.published_auc(rows), auc_by_pairs([(g, s == "True") for g, s in pairs]))
