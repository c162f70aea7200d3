"""What a report shows of the benchmark, as the paper does: tables 1 and 3, figures 2 to 4; and clue types."""

from __future__ import annotations

from harness import View

SCORES = ("exact", "f1", "jaccard")
_SPLIT = {"solutions": "the number of solutions", "tools": "tools", "context": "search results"}

VIEWS = (
    View(
        "mode_pairs", "pairs", "The same puzzles with facts implicit, spelled out and explicit",
        SCORES, ("mode",),
    ),
    View("mode", "split", "Facts implicit, spelled out and explicit", SCORES, ("mode",)),
    *(
        View(
            f"{name}_{mode}", "split", f"By {title}, facts {mode}",
            SCORES, (name,), {"mode": mode},
        )
        for name, title in _SPLIT.items()
        for mode in ("implicit", "spelled", "explicit")
    ),
    View("clue_types", "split", "By clue type", ("exact",), ("clue",)),
    View(
        "metrics_agreement", "agreement", "How far the metrics agree",
        (*SCORES, "precision", "recall"),
    ),
)  # fmt: skip
