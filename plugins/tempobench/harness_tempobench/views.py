"""What a report shows of the benchmark, as the paper does: figures 6 to 11 and 15 to 18, tables 1 to 4."""

from __future__ import annotations

from harness import View
from harness_tempobench.metrics import ERRORS

TASKS = {"tce": "causes", "tte": "traces", "sim": "runs", "min": "necessary inputs"}
FIGURES = ("precision_ap", "recall_ap", "f1_ap", "precision_ts", "recall_ts", "f1_ts")
POOLED = tuple(f"pooled_{name}" for name in FIGURES)
# The paper's features: states, transitions, inputs that occur in the trace, depth.
_MACHINE = ("states", "transitions", "unique_inputs")
_DEPTH = {"tce": "effect_depth", "tte": "run_length", "sim": "run_length", "min": "effect_depth"}
# Figures 7 to 9 have the logarithms of the first three.
PLOTTED = {task: (*(f"log10 {name}" for name in _MACHINE), depth) for task, depth in _DEPTH.items()}
FORESTS = {"tce": (*_MACHINE, "effect_depth", "causal_inputs"), "tte": (*_MACHINE, "run_length")}
FORESTS |= {"min": FORESTS["tce"], "sim": FORESTS["tte"]}


def _views(task: str, what: str) -> tuple[View, ...]:
    where = {"task": task}
    return (
        View(
            f"{task}_hardness", "split", f"Normal and hard: F1 of {what} ({task})",
            ("f1_ap", "f1_ts"), ("hardness",), where,
        ),
        View(
            f"{task}_precision_recall", "split", f"Normal and hard: precision, recall and F1 of {what} ({task})",
            FIGURES, ("hardness",), where,
        ),
        View(
            f"{task}_pooled", "split", f"Normal and hard: precision, recall and F1 over all {what} together ({task})",
            POOLED, ("hardness",), where,
        ),
        View(
            f"{task}_features", "scatter", f"F1 of {what} against features of difficulty ({task})",
            ("f1_ap", "f1_ts"), PLOTTED[task], where,
        ),
        *(
            View(
                f"{task}_forest_{name}", "forest", f"What foretells {name} of {what} ({task})",
                (name,), FORESTS[task], where,
            )
            for name in ("f1_ap", "f1_ts")
        ),
        View(
            f"{task}_spread", "distribution", f"How F1 of {what} spreads ({task})",
            ("f1_ap", "f1_ts"), where=where,
        ),
    )  # fmt: skip


def _errors(task: str) -> View:
    """Return the figure of what is wrong with wrong answers, as the paper's second version counts it."""
    title = f"What is wrong with wrong {TASKS[task]} ({task})"
    return View(f"{task}_errors", "split", title, tuple(ERRORS), ("depth",), {"task": task})


VIEWS = (
    *(view for task, what in TASKS.items() for view in _views(task, what)),
    *map(_errors, ("tce", "min")),
)

# Items about one machine: its specification with its parameters, or the file that it was read from.
SOURCES = ("family", "parameters")
