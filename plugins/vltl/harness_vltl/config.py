"""What the benchmark says of itself: configuration, presets, metrics, schemas."""

from __future__ import annotations

from typing import Any

from harness import Benchmark, Strategy, Weakness
from harness_vltl import engines, metrics
from harness_vltl.problem import LTLF, OF_RECORDS, SEMANTICS, STYLES, TRANSLATED
from harness_vltl.published import convention
from harness_vltl.views import VIEWS

NAME = "vltl"
VERSION = "2.8.1"  # the last number rises where only what a reply scores has changed
FORMAT = "vltl_jsonl"
PAIRS = "pairs"

TASKS = ("lift", "translate", "ground", "end_to_end", "verify")
SCENARIOS = ("warehouse", "traffic_light", "search_and_rescue")
STAGES = ("lift", "translate", "ground")

CONFIG: dict[str, Any] = {
    "type": "object",
    "additionalProperties": False,
    "properties": {
        "task": {
            "type": "string", "enum": list(TASKS), "default": "end_to_end", "x-adopt": True,
            "description": "mark the propositions, translate, name the actions, all of this, or judge a trace",
        },
        "scenario": {
            "type": "string", "format": "path", "x-names": list(SCENARIOS), "default": "warehouse",
            "x-adopt": True,
            "description": f"{', '.join(SCENARIOS)}, or a YAML file of your own (SCENARIOS.md)",
        },
        "arity": {
            "type": "array", "items": {"type": "integer", "minimum": 1, "maximum": 3},
            "minItems": 1, "maxItems": 12, "default": [1, 2, 3],
            "description": "propositions of a template, for example [2,3]; [1,1,2]: those of one twice as often",
        },
        "families": {
            "type": "array", "items": {"type": "string"}, "uniqueItems": True, "default": [],
            "description": "families of templates, for example [response,until]; none means all",
        },
        "depth": {
            "type": "integer", "minimum": 1, "maximum": 3, "default": 1,
            "description": "1: one template; 2 or 3: templates within templates",
        },
        "style": {
            "type": "string", "enum": [*STYLES, OF_RECORDS], "default": STYLES[0], "x-adopt": [OF_RECORDS],
            "description": "plain: sentences as engineers write them, with words whose meaning the prompt fixes; "
            "exact: sentences that say all themselves; timed: plain ones of other templates, with bounds (within "
            "three steps); published: with dataset=, only records whose sentence plainly says their formula",
        },
        "suite": {
            "type": "boolean", "default": True, "x-form": True,
            "description": "false: two traces instead of a suite that tells the formula from its mutants",
        },
        "world": {
            "type": "string", "enum": ["signatures", "full", "none"], "default": "signatures",
            "x-form": True, "x-adopt": True,
            "description": "what prompts tell of the scenario: canonical names, all words too, or nothing",
        },
        "states": {
            "type": "integer", "minimum": 6, "maximum": 30, "default": 8,
            "description": "most states of the trace, where the formula allows (task=verify)",
        },
        "distractors": {
            "type": "integer", "minimum": 0, "maximum": 5, "default": 1,
            "description": "task=verify: other actions in the trace, of which the formula does not speak; "
            "task=ground: actions whose words look like the name of another one",
        },
        "semantics": {
            "type": "string", "enum": list(SEMANTICS), "default": SEMANTICS[0], "x-added": True,
            "description": "verify, translate, end_to_end: traces go on forever, or end (LTLf: X strong, N weak)",
        },
        **{
            f"{part}_column": {
                "type": "string", "default": "", "x-adopt": True, "x-added": True,
                "description": f"dataset= of pairs: the column of the {part}, by its name or number",
            }
            for part in ("sentence", "formula")
        },
    },
}  # fmt: skip

PRESETS: dict[str, dict[str, Any]] = {
    f"paper_{task}": {"n": 500, "task": task, "scenario": SCENARIOS, **extra}
    for task, extra in (
        ("lift", {}), ("translate", {"scenario": "warehouse"}), ("ground", {"world": "full", "distractors": 0}),
        ("end_to_end", {"world": "full"}),
    )
}  # fmt: skip

# From easy to hard: what the best shortcut wins falls evenly, to nothing at depth 2 (docs/validity.md).
LEVELS: tuple[dict[str, Any], ...] = tuple(
    {"depth": depth, "arity": arity, "states": states, "distractors": distractors}
    for depth, arity, states, distractors in (
        (1, [1], 6, 0), (1, [1, 1, 1, 1, 2], 7, 1), (1, [1, 2], 8, 1), (1, [2], 9, 2), (1, [3], 10, 2),
        (2, [1], 12, 2), (2, [1, 2], 14, 3), (2, [2, 3], 16, 3), (3, [1, 2], 20, 4), (3, [2, 3], 24, 5),
    )
)  # fmt: skip

_TRACE: dict[str, Any] = {
    "type": "object",
    "additionalProperties": False,
    "required": ["states"],
    "properties": {
        "states": {
            "type": "array", "minItems": 1, "maxItems": 200,
            "items": {"type": "array", "maxItems": 200, "items": {"type": "string"}},
        },
        "loop": {"type": "integer", "minimum": 0},
    },
}  # fmt: skip
MAX_FIELD = 10_000
"""Characters of a sentence or a name in a problem."""
_TEXT: dict[str, Any] = {"type": "string", "minLength": 1, "maxLength": MAX_FIELD}
PROBLEM: dict[str, Any] = {
    "type": "object",
    "additionalProperties": False,
    "required": ["task"],
    "properties": {
        "task": {"enum": list(TASKS)},
        "scenario": _TEXT,
        "sentence": _TEXT,
        "lifted": _TEXT,
        "style": {"enum": ["plain", "timed"]},
        "propositions": {
            "type": "array",
            "minItems": 1,
            "maxItems": 80,
            "uniqueItems": True,
            "items": _TEXT,
        },
        # The shape of a formula is recursive; `formula.validate` checks it without recursion.
        "formula": {"type": ["string", "array", "boolean"]},
        "trace": _TRACE,
        "semantics": {"const": LTLF},
    },
    # a finite trace ends; any other one goes back
    "if": {"required": ["semantics"]},
    "then": {
        "properties": {
            "task": {"enum": ["verify", *TRANSLATED]},
            "trace": {"not": {"required": ["loop"]}},
        }
    },
    "else": {"properties": {"trace": {"required": ["loop"]}}},
}
ANSWER: dict[str, Any] = {
    "type": "string",
    "minLength": 1,
    "maxLength": 20_000,
    "description": "by task: the lifted sentence, a formula, a JSON object of propositions, or satisfied or violated",
}

STRATEGIES = (
    Strategy(
        "lift_then_translate",
        "the requirement with its actions replaced first, then the formula (as NL2TL does)",
        steps=(
            "Do not answer yet. Replace each action of the requirement by prop_1, prop_2, … and say what "
            "each of them stands for.",
        ),
        suffix="Now translate what you wrote, put the actions back where they are asked for, and give the answer in "
        "the form asked for above.",
        tasks=("end_to_end",),
    ),
    Strategy(
        "sub_formulas",
        "each part of the requirement first, with its sub-formula (as nl2spec does)",
        steps=(
            "Do not answer yet. Take the requirement apart: for every phrase that has a meaning of its own, "
            "the smallest first, write the phrase and the sub-formula that says the same.",
        ),
        suffix="Now put the sub-formulas together and give the answer in the form asked for above.",
        tasks=("translate", "end_to_end"),
    ),
    Strategy(
        "staged",
        "task=end_to_end as three questions: lift, translate, ground; we substitute (gold=… replaces a stage)",
        stages=STAGES,
        tasks=("end_to_end",),
    ),
)

WEAKNESSES = {
    "satisfying_trace": Weakness(
        "a trace that is labelled satisfying and does not satisfy", "grave"
    ),
    "violating_trace": Weakness("a trace that is labelled violating and does not violate", "grave"),
    "weak_traces": Weakness(
        "formulas that are wrong, of the same propositions, pass all traces, too", "note"
    ),
    "constant": Weakness("the formula holds on every trace, or on none", "grave"),
    "idle_proposition": Weakness(
        "the formula means the same whatever a proposition of it is", "note"
    ),
    "simpler_formula": Weakness("the formula is equivalent to one with fewer operators", "note"),
    "doubtful_sentence": Weakness(
        "the sentence plainly says, or may say, something else than the formula", "grave"
    ),
    "broken_sentence": Weakness("the sentence is no English: a slip of the words put in", "note"),
    "two_things": Weakness(
        "words of the sentence that fit two things, or a thing other than the label's", "grave"
    ),
    "still_trace": Weakness(
        "nothing changes along the trace, so that no temporal operator matters", "note"
    ),
}

BENCHMARK = Benchmark(
    name=NAME,
    version=VERSION,
    summary="Natural language to LTL: lift, translate, ground, and verify on traces",
    config_schema=CONFIG,
    engines=engines.ENGINES,
    values=("correct", "partial"),
    metrics=metrics.METRICS,
    published=convention.PUBLISHED,
    headline="correct",
    choices=("satisfied", "violated"),
    choices_by_task={
        "lift": (),
        "translate": ("F prop_1", "G (prop_1 -> F prop_2)"),
        "ground": ('{"prop_1": "get_help"}',),
        "end_to_end": ("F get_help", "G !get_help"),
    },
    problem_schema=PROBLEM,
    answer_schema=ANSWER,
    strategies=STRATEGIES,
    presets=PRESETS,
    levels=LEVELS,
    shortcut_ceiling=0.25,
    groups=("scenario", "family", "arity", "depth"),
    formats=("text", "json", "svg"),
    dataset_formats=(FORMAT, PAIRS),
    weaknesses=WEAKNESSES,
    solution_features=("mutants", "kill_rate", "pair_kill_rate"),
    views=VIEWS,
    collision_rate=0.05,
    pruning="Is this requirement, about what is done in a sequence of steps, understandable and grammatical English? "
    "Answer yes or no.\n\n{text}",
    citation="Verifiable Natural Language to Linear Temporal Logic Translation (VLTL-Bench, 2025). Templates, "
    "scenarios and sentences here are made anew.",
    licence="GPL-3.0-or-later",
)
