"""The description of the benchmark: configuration, presets, metrics, schemas."""

from __future__ import annotations

from typing import Any

from harness import Benchmark, Metric, Strategy, Weakness
from harness_timepuzzles import metrics, problem
from harness_timepuzzles.clues.catalogue import GROUPS
from harness_timepuzzles.conversions import problem as conversion
from harness_timepuzzles.languages.language import ENGLISH, OTHERS
from harness_timepuzzles.published import scoring
from harness_timepuzzles.views import VIEWS

NAME = "timepuzzles"
VERSION = "2.10.1"  # the last number rises where only what a reply scores has changed

_SPAN = r"([1-9][0-9]?)(-[1-9][0-9]?)?"
CONFIG: dict[str, Any] = {
    "type": "object",
    "additionalProperties": False,
    "properties": {
        "mode": {
            "type": "string", "enum": ["implicit", "spelled", "explicit"], "default": "implicit",
            "x-form": True, "x-adopt": True,
            "description": "the same puzzles with facts of history spelled out in dates (spelled), or calendars "
            "too (explicit)",
        },
        "calendar_clue": {
            "type": "boolean", "default": False,
            "description": "true: only puzzles with a clue of another calendar or the sky, so that all forms differ",
        },
        "solutions": {
            "type": "string", "pattern": r"^[0-9]{1,2}(-[1-9][0-9]?)?$", "default": "1-6",
            "description": "dates that satisfy a puzzle: a number, or least-most, evenly spread",
        },
        "clues": {
            "type": "string", "pattern": rf"^{_SPAN}$", "default": "3-6",
            "description": "clues of a puzzle, the event included: a number (3 to 12), or least-most",
        },
        "necessary": {
            "type": "string", "enum": ["event", "all", "none"], "default": "all",
            "description": "clues without which there would be more solutions: all, the event, or as it comes",
        },
        "from_year": {
            "type": "integer", "minimum": 1700, "maximum": 2100, "default": 1800,
            "description": "first year of the range of dates",
        },
        "to_year": {
            "type": "integer", "minimum": 1700, "maximum": 2100, "default": 2050,
            "description": "last year of the range of dates",
        },
        "extra": {
            "type": "array", "items": {"type": "string", "enum": ["all", *GROUPS]},
            "uniqueItems": True, "default": [],
            "description": "groups of clue types beyond the paper's, for example [easter, iso_week]",
        },
        "facts": {
            "type": "string", "format": "path", "default": "", "x-adopt": True,
            "description": "a CSV or YAML file of your own facts (FACTS.md)",
        },
        "builtin_facts": {
            "type": "boolean", "default": True,
            "description": "false: only the facts of your file",
        },
        "task": {
            "type": "string", "enum": ["puzzle", conversion.CONVERT], "default": "puzzle", "x-added": True,
            "description": "dates that satisfy clues (puzzle), or one date of another calendar (convert)",
        },
        "calendars": {
            "type": "array", "items": {"type": "string", "enum": list(conversion.CALENDARS)}, "minItems": 2,
            "uniqueItems": True, "default": list(conversion.CALENDARS), "x-added": True,
            "description": "with task=convert, the calendars between which dates are converted: two or more",
        },
        "language": {
            "type": "string", "enum": [ENGLISH, *OTHERS], "default": ENGLISH, "x-form": True, "x-added": True,
            "description": "the language of the prompt: English, German (de), Spanish (es) or Chinese (zh)",
        },
    },
}  # fmt: skip

PRESETS: dict[str, dict[str, Any]] = {
    "paper": {"n": 600, "clues": "4-6", "necessary": "none"},
    "paper_explicit": {"n": 600, "clues": "4-6", "necessary": "none", "mode": "explicit"},
    "triples": {"calendar_clue": True, "mode": ("implicit", "spelled", "explicit")},
    "paper_pairs": {"n": 600, "clues": "4-6", "necessary": "none", "mode": ("implicit", "explicit")},
    "convert": {"task": conversion.CONVERT, "n": 300},
}  # fmt: skip

ANSWER: dict[str, Any] = {
    "type": "string",
    "pattern": r"^(none|\d{4}-\d{2}-\d{2}(, \d{4}-\d{2}-\d{2})*)$",
    "description": "all dates in ascending order, separated by a comma and a blank, or none",
}

# From easy to hard: what `guess_rest` wins falls evenly (docs/validity.md).
LEVELS: tuple[dict[str, Any], ...] = (
    {"clues": "7", "necessary": "event", "from_year": 1990, "to_year": 2020},
    {"clues": "7", "necessary": "event", "from_year": 1970, "to_year": 2020},
    {"clues": "7", "necessary": "event"},
    {"clues": "6", "necessary": "event"},
    {"clues": "5-6", "necessary": "event"},
    {"clues": "5", "necessary": "event", "from_year": 1970, "to_year": 2020},
    {"clues": "5", "necessary": "event"},
    {"clues": "4-5"},
    {"clues": "4"},
    {"clues": "3", "from_year": 1700, "to_year": 2100, "extra": ["hebrew"]},
)

WEAKNESSES = {
    kind: Weakness(message, level)
    for kind, level, message in (
        ("idle_clue", "by_design", "a clue rules nothing out: the other clues alone have the same solutions"),
        ("spare_clue", "by_design", "a clue rules nothing out, as its setting necessary= allows"),
        ("idle_event", "grave", "an event need not be searched for: the other clues alone have the same solutions"),
        ("contradiction", "grave",
         "two clues contradict each other on their own, so that nothing has to be worked out"),
        ("impossible_clue", "grave",
         "no day can satisfy a clue: it names a month, day or weekday that there is not"),
        ("range_unstated", "grave",
         "the prompt does not say which years count, and other years would add solutions"),
        ("range_assumed", "note", "the record does not say which years count; the published setting was assumed"),
        ("beyond_calendar", "note", "a Chinese clue decides in years for which no two calendars confirm the label"),
        ("one_year_of_many", "grave",
         "the prompt means every year in which something happened, the record keeps one"),
        ("uncompared", "note",
         "a sentence is in words that cannot be read, so it was not held against its meaning"),
    )
}  # fmt: skip

STRATEGIES = (
    Strategy(
        "least_to_most",
        "what each clue means first, then the dates",
        steps=(
            "Do not answer yet. For each clue, write down the years, months or days that it allows; "
            "look up or recall what it refers to.",
        ),
        suffix="Now combine the clues and give the answer in the form asked for above.",
    ),
)

BENCHMARK = Benchmark(
    name=NAME,
    version=VERSION,
    summary="Time Puzzles: which dates satisfy all clues about calendars and history?",
    config_schema=CONFIG,
    engines=("masks", "arithmetic", "days"),
    values=("exact", "precision", "recall", "f1", "jaccard"),
    metrics=(
        Metric("exact", "share of answers that are exactly the gold set (the paper's exact match)"),
        Metric("precision", "share of the answered dates that are right, mean over items"),
        Metric("recall", "share of the right dates that are answered, mean over items"),
        Metric("f1", "harmonic mean of an item's precision and recall, mean over items"),
        Metric("jaccard", "right answered dates among all right or answered ones, mean over items"),
        Metric("none_claimed", "share of answers that say no date satisfies", each=metrics.none_claimed),
        Metric("impossible", "share of answers with a date that does not exist", each=metrics.impossible),
    ),
    published=scoring.PUBLISHED,
    headline="exact",
    choices=("none",),
    choices_by_task={conversion.CONVERT: ()},
    problem_schema={"if": {"required": ["task"]}, "then": conversion.SCHEMA, "else": problem.SCHEMA},
    answer_schema={"anyOf": [ANSWER, conversion.ANSWER]},
    strategies=STRATEGIES,
    presets=PRESETS,
    levels=LEVELS,
    shortcut_ceiling=0.2,
    groups=("solutions", "mode", "clues", "relation"),
    tags=("clue",),
    formats=("json", "svg"),
    dataset_formats=("timepuzzles_json",),
    weaknesses=WEAKNESSES,
    solution_features=("solutions", "without_event"),
    views=VIEWS,
    collision_rate=0.01,
    citation="Wang and Dong: Measuring Iterative Temporal Reasoning with Time Puzzles. Puzzles and "
    "facts here are made anew.",
    licence="GPL-3.0-or-later",
)  # fmt: skip
