"""What a report shows of the benchmark: the paper's tables 2 to 6 by scenario, and the requirements' shape."""

from __future__ import annotations

from harness import View

_SCENARIO = {
    "lift": ("lifting", "Lifting by scenario", ("lifting_iou", "lifting_exact")),
    "translate": (
        "translation", "Lifted translation by scenario",
        ("translation", "exact_string", "suite", "suite_all"),
    ),
    "ground": (
        "grounding", "Grounding by scenario, per proposition and per dictionary",
        ("grounding", "grounding_dictionary"),
    ),
    "end_to_end": (
        "end_to_end", "End to end by scenario",
        ("translation", "exact_string", "suite", "suite_all"),
    ),
    "verify": ("verification", "Verification by scenario", ("verification",)),
}  # fmt: skip
_TRACES = ("sat", "unsat", "both")

VIEWS = (
    *(
        View(name, "split", title, metrics, ("scenario",), {"task": task})
        for task, (name, title, metrics) in _SCENARIO.items()
    ),
    *(
        View(
            f"{task}_traces", "split", f"{_SCENARIO[task][1]}: right on the satisfying, the violating, both traces",
            _TRACES, ("scenario",), {"task": task},
        )
        for task in ("translate", "end_to_end")
    ),
)  # fmt: skip
