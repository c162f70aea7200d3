"""The metrics themselves: what is wrong with a cause, and the order in which numbers are shown."""

import pytest
from harness_tempobench import metrics

from harness import Row

R1, S2, S3 = (1, "r", True), (2, "s", False), (3, "s", False)


@pytest.mark.parametrize(
    ("true", "stated", "error"),
    [
        ({R1, S2}, {R1, S2}, "other_form"),
        ({R1}, {R1, S2}, "overspecified"),
        (set(), {S2}, "overspecified"),
        ({R1, S2}, {R1}, "underspecified"),
        ({R1, S2}, set(), "underspecified"),
        ({R1, S2}, {R1, S3}, "other_step"),
        ({S2}, {S3}, "other_step"),
        ({R1}, {S2}, "mixed"),
        ({R1, S2}, {S2, S3}, "mixed"),
        ({R1, S2}, {R1, (2, "s", True)}, "mixed"),
    ],
)
def test_what_is_wrong_with_a_cause(true, stated, error):
    assert metrics.kind_of_error(true, stated, True) == error
    assert metrics.kind_of_error(true, stated, False) == "other_effect"


def test_the_share_of_a_kind_is_of_the_wrong_answers_alone():
    (metric,) = [m for m in metrics.METRICS if m.name == "overspecified"]
    rows = [
        Row("t", "a", "scored", {}, extra={"error": error} if error else {})
        for error in ("exact", None, "overspecified", "mixed")
    ]
    assert [metric.each(row) for row in rows] == [None, None, 1.0, 0.0]


def test_f1_stands_before_precision_and_recall():
    names = [metric.name for metric in metrics.METRICS]
    assert names[2:8] == [
        *("f1_ap", "f1_ts"),
        *("precision_ap", "recall_ap", "precision_ts", "recall_ts"),
    ]
