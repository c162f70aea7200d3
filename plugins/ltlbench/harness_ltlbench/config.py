"""What the benchmark says of itself: configuration, presets, metrics, schemas."""

from __future__ import annotations

from typing import Any

from harness import Benchmark, Metric, Strategy, Weakness, both_right
from harness_ltlbench import engines, metrics
from harness_ltlbench.views import VIEWS

NAME = "ltlbench"
VERSION = "2.7.1"  # the last number rises where only what a reply scores has changed

# Operators that a formula may be drawn from, by the name of the set.
LOGICS: dict[str, tuple[str, ...]] = {
    "paper": ("X", "F", "G", "&", "|", "->"),
    "published": ("X", "F", "G", "!", "&", "|", "->"),
    "full": ("X", "F", "G", "!", "&", "|", "->", "U", "R", "W", "M"),
}

CONFIG: dict[str, Any] = {
    "type": "object",
    "additionalProperties": False,
    "properties": {
        "events": {
            "type": "integer", "minimum": 2, "maximum": 200, "default": 8,
            "description": "events in the graph (n)",
        },
        "operators": {
            "type": "integer", "minimum": 1, "maximum": 50, "default": 5,
            "description": "operators in the formula (m)",
        },
        "logic": {
            "type": "string", "enum": list(LOGICS), "default": "paper",
            "description": "paper: X F G & | ->; published: with !; full: with U R W M too",
        },
        "edge_probability": {
            "type": "number", "minimum": 0, "maximum": 1, "default": 0.25,
            "description": "chance of each edge between two different events",
        },
        "task": {
            "type": "string", "enum": ["decide", "counterexample"], "default": "decide",
            "description": "True or False; or, if False, a path that violates the hypothesis",
        },
        "wording": {
            "type": "string", "enum": ["must", "can", "published", "paper"], "default": "must",
            "description": "must, can: sentences of the published data, of the paper, with rules; "
            "published, paper: their prompts as they are",
        },
        "twins": {
            "type": "boolean", "default": True,
            "description": "items 2k and 2k+1 differ in the target of one edge and in their labels",
        },
        "rarity": {
            "type": "number", "exclusiveMinimum": 0, "maximum": 1, "default": 0.25,
            "description": "of twins: chance, at most, that a random walk violates a False hypothesis",
        },
    },
}  # fmt: skip

PAPER: dict[str, Any] = {
    "logic": "paper", "wording": "paper", "twins": False, "unique": False,
    "edge_probability": 0.5,
}  # fmt: skip
PRESETS: dict[str, dict[str, Any]] = {
    "paper": {"n": 2000, "events": 3, "operators": 3, **PAPER},
    "paper_operators": {"n": 300, "events": 2, "operators": (1, 2, 3, 4, 5, 7, 9), **PAPER},
    "paper_events": {"n": 300, "events": (2, 3, 4, 5, 7, 9), "operators": 2, **PAPER},
}

# From easy to hard: what eight walks win falls evenly (docs/validity.md).
_LEVELS = (
    (5, 3, 0.25, 0.25), (7, 3, 0.25, 0.25), (7, 4, 0.25, 0.25), (8, 5, 0.25, 0.25), (8, 5, 0.25, 0.2),
    (9, 6, 0.25, 0.19), (9, 7, 0.25, 0.14), (10, 8, 0.22, 0.11), (11, 9, 0.2, 0.085), (12, 10, 0.17, 0.06),
)  # fmt: skip
LEVELS: tuple[dict[str, Any], ...] = tuple(
    {"events": events, "operators": operators, "edge_probability": chance, "rarity": rarity}
    for events, operators, chance, rarity in _LEVELS
)

_EVENT: dict[str, Any] = {"type": "integer", "minimum": 1, "maximum": 1000}
PROBLEM: dict[str, Any] = {
    "type": "object",
    "additionalProperties": False,
    "required": ["task", "events", "initial", "edges", "formula"],
    "properties": {
        "task": {"enum": ["decide", "counterexample"]},
        "events": _EVENT,
        "initial": _EVENT,
        "edges": {
            "type": "array", "maxItems": 40_000,
            "items": {"type": "array", "minItems": 2, "maxItems": 2, "items": _EVENT},
        },
        # The shape of a formula is recursive; `formula.validate` checks it without recursion.
        "formula": {"type": ["integer", "array"]},
    },
}  # fmt: skip

ANSWER: dict[str, Any] = {
    "type": "string",
    "pattern": r"^(True|False(: (event\d+, )*\(event\d+(, event\d+)*\))?)$",
    "description": "True, False, or False with a path whose part in parentheses repeats forever",
}

STRATEGIES = (
    Strategy(
        "least_to_most",
        "the statements one by one, then the hypothesis",
        steps=(
            "Do not answer yet. Take the statements C1, C2, … in this order and work out for each "
            "of them, with the results before it, after which events it holds.",
        ),
        suffix="Now use what you worked out and give the answer in the form asked for above.",
    ),
)

# What `harness_ltlbench.published.audit` finds.
WEAKNESSES = {
    kind: Weakness(message, level)
    for kind, level, message in (
        ("valid", "grave", "the formula holds on every sequence of events: True, whatever the rest says"),
        ("unsatisfiable", "grave", "the formula holds on no sequence of events: False, whatever the rest says"),
        ("initial_event", "grave", "the initial event alone decides the formula, whatever may follow it"),
        ("any_graph", "grave", "no graph over these events with this initial event gives the other label"),
        ("frozen", "note", "the initial event repeats forever: nothing changes, and time plays no part"),
    )
}  # fmt: skip

BENCHMARK = Benchmark(
    name=NAME,
    version=VERSION,
    summary="LTL over random event graphs: does a hypothesis hold on every path?",
    config_schema=CONFIG,
    engines=engines.NAMES,
    values=("accuracy", "label"),
    agreement="label",
    metrics=(
        Metric("accuracy", "share of items answered right (a counterexample must be valid)"),
        Metric("macro_f1", "mean of the F1 of True and of False (the paper's F1)", metrics.macro_f1),
        Metric(
            "pairs", "share of pairs of twins that are both answered right; a coin has a quarter",
            both_right("accuracy"), together="twin",
        ),
        Metric(
            "auc",
            "area under the ROC curve, from answer log-probabilities if every answer has one, "
            "else from hard labels; an unparsed answer ranks beyond every wrong one",
            metrics.auc,
            probabilistic=True,
        ),
        Metric("label", "share of right True/False labels, whatever the path"),
        Metric(
            "path_unread",
            "share of answers whose path we could not read for certain: no accuracy, but no fault",
            each=metrics.path_unread,
        ),
    ),
    published=(
        Metric("published_accuracy", "the paper's own extraction: unreadable counts as False",
               each=metrics.published_accuracy),
        Metric("published_f1", "macro F1 on the paper's own extraction", metrics.published_f1),
        Metric("published_auc", "AUC of hard labels on the paper's own extraction",
               metrics.published_auc),
        Metric("published_unparsed", "share of answers without true or false, -1 in the published files",
               each=metrics.published_unparsed),
    ),
    headline="accuracy",
    choices=("True", "False"),
    problem_schema=PROBLEM,
    answer_schema=ANSWER,
    strategies=STRATEGIES,
    presets=PRESETS,
    groups=("operators", "events"),
    formats=("nusmv", "json", "svg"),
    dataset_formats=("ltlbench_csv",),
    weaknesses=WEAKNESSES,
    solution_features=("product_states",),
    views=VIEWS,
    collision_rate=0.05,
    shortcut_ceiling=0.82,
    levels=LEVELS,
    citation="Tang and Belle: LTLBench (2024). Problems and labels here are generated anew.",
    licence="GPL-3.0-or-later",
)  # fmt: skip
