"""What a report shows of the benchmark: the paper's curves over operators and events, and two of our own."""

from __future__ import annotations

from harness import View

VIEWS = (
    View(
        "operators", "split", "Accuracy and AUC against the number of operators",
        ("accuracy", "auc"), ("operators",),
    ),
    View(
        "events", "split", "Accuracy and AUC against the number of events",
        ("accuracy", "auc"), ("events",),
    ),
    View("depth", "split", "Accuracy against the depth of the formula", ("accuracy",), ("depth",)),
    View(
        "temporal_operators", "split", "Accuracy against the number of temporal operators",
        ("accuracy",), ("temporal_operators",),
    ),
)  # fmt: skip
