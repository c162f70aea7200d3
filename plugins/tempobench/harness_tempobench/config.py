"""The description of the benchmark: configuration, presets, metrics, schemas."""

from __future__ import annotations

from typing import Any

from harness import Benchmark, Weakness
from harness_tempobench import metrics
from harness_tempobench.views import SOURCES, VIEWS

NAME = "tempobench"
ITEMS = "2.8"
VERSION = f"{ITEMS}.1"  # the last number rises where only what a reply scores has changed
JSONL, RAW = "tempobench_jsonl", "tempobench_raw"

WEAKNESSES = {
    "nothing_to_find": Weakness(
        "no input could have prevented the effect: the cause is empty", "by_design"
    ),
    "own_step": Weakness(
        "the cause has inputs of the effect's own step alone: no state need be followed to find it",
        "by_design",
    ),
    "first_step": Weakness("the effect is at step 0: nothing happened before it", "by_design"),
    "one_state": Weakness("the trace never leaves a state", "note"),
    "accepted": Weakness(
        "the published form has accepted traces only: what is asked has one answer", "by_design"
    ),
    "several_steps": Weakness(
        "the cause has a clause over several steps, which the published label cannot state", "grave"
    ),
    "open_machine": Weakness(
        "the machine leaves steps or outputs open: run and cause depend on a convention", "note"
    ),
    "several_effects": Weakness(
        "the prompt names several effects, and the label explains one", "grave"
    ),
    "given_away": Weakness("the worked example of the prompt is the problem itself", "grave"),
    "stats": Weakness(
        "the record's figures of difficulty are not what they are defined to be", "note"
    ),
}

ENGINES = ("exact", "spot", "sat", "text", "brute")


def _choice(values: list[str], default: str, description: str, **marks: bool) -> dict[str, Any]:
    kind = {"type": "string", "enum": values, "default": default}
    return {**kind, **marks, "description": description}


def _switch(default: bool, description: str) -> dict[str, Any]:
    return {"type": "boolean", "default": default, "description": description}


def _number(low: float, high: float, default: float, description: str) -> dict[str, Any]:
    kind = "integer" if isinstance(default, int) else "number"
    bounds = {"type": kind, "minimum": low, "maximum": high}
    return {**bounds, "default": default, "description": description}


def _directory(description: str) -> dict[str, Any]:
    return {"type": "string", "format": "path", "default": "", "description": description}


_ADOPT, _FORM, _ADDED = {"x-adopt": True}, {"x-form": True}, {"x-added": True}

CONFIG: dict[str, Any] = {
    "type": "object",
    "additionalProperties": False,
    "properties": {
        "task": _choice(["tce", "tte", "sim", "min"], "tce",
            "tce: which inputs caused an output; tte: does the machine take this trace; sim: what does it do on "
            "these inputs; min: which inputs were necessary for an output, each alone", **_ADOPT),
        "hard": _switch(False, "only problems as hard as the hardest of a pool (see pool, hardest)"),
        "families": {
            "type": "array", "items": {"type": "string"}, "uniqueItems": True, "default": [],
            "description": "families of shipped specifications, for example [lift,latch]; none means all",
        },
        "specs": _directory("a directory of TLSF files to synthesise machines from, instead of the families"),
        "machines": {"x-names": ["fresh"], **_directory(
            "a directory of Mealy machines in HOA, instead of the families; fresh: machines of no file, "
            "synthesised for each item")},
        "min_states": _number(1, 2000, 3, "fewest states of a machine"),
        "max_states": _number(1, 2000, 32, "most states of a machine"),
        "max_inputs": _number(1, 12, 6, "most inputs of a machine"),
        "seconds": _number(1, 86400, 60, "limit of synthesis for each specification of specs="),
        "length": _number(1, 200, 8, "steps of a trace"),
        "inputs": _choice(["uniform", "biased"], "uniform",
            "biased: for each item and input a chance of its own to be true"),
        "min_depth": _number(0, 199, 1, "first step that an effect may have (task=tce, min)"),
        "max_depth": _number(0, 199, 199, "last step that an effect may have (task=tce, min)"),
        "effects": _choice(["both", "positive", "negative", "combined", "window"], "both",
            "whether the output to explain is true or false; combined: several outputs of a step, joined by and, or; "
            "window: an output at all of some steps, or one of them (task=tce, min)"),
        "label": _choice(["full", "per_step"], "full",
            "full: all causes; per_step: only those that the published form can state (task=tce)"),
        "trivial": _number(0, 1, 0.05,
            "share of effects that no input could have prevented (task=tce), or none alone (task=min)"),
        "joint": _number(0, 1, 0.5,
            "share of the others chosen so that some inputs prevent them only together (task=tce)"),
        "early": _number(0, 1, 0.7,
            "share of the others to which an input before the last two steps is necessary (task=min)"),
        "start": _choice(["known", "unknown"], "known",
            "unknown: the trace is the end of a longer run, whose state at step 0 is not given (task=tce, min)"),
        "contingencies": {**_ADDED, **_switch(False,
            "counterfactual runs may keep outputs as they are in the trace (task=tce, min)")},
        "unseen": {**_ADDED, **_number(0, 39, 0,
            "how many outputs of the machine the trace does not show (task=tce, min, tte)")},
        "hidden": _number(0, 1, 0.9,
            "share of traces chosen so that single steps tell neither states nor fault (task=tte)"),
        "confirm": _switch(True, "false: keep labels that no second engine has confirmed"),
        "pool": _number(20, 5000, 300, "problems that hard=yes is measured on"),
        "hardest": _number(0.001, 0.9, 0.1, "share of the pool that counts as hard"),
        "notation": _choice(["hoa", "prose", "table"], "hoa", "how prompts describe the machine", **_FORM),
        "wording": _choice(["formal", "narrative"], "formal",
            "narrative: the trace told in sentences, with what each input alone would have changed", **_FORM),
        "hoa": _choice(["names", "numbers"], "names",
            "propositions in HOA labels by name, as in the paper, or by number, as in the standard", **_FORM),
    },
}  # fmt: skip

ADDED: dict[str, Any] = {
    key: schema["default"] for key, schema in CONFIG["properties"].items() if schema.get("x-added")
}
"""Keys that came after items had been made, with the default at which these stay as they are."""

PAPER: dict[str, Any] = {
    "n": 400, "task": ("tce", "tte"), "effects": "positive", "length": 10,
    "label": "per_step", "trivial": 0.1, "joint": 0, "hidden": 0,
    "strategy": "few_shot_cot", "shots": 1,
}  # fmt: skip
PRESETS: dict[str, dict[str, Any]] = {"paper": PAPER, "paper_hard": {**PAPER, "hard": True}}

# From easy to hard: what the best shortcut of each task wins falls about evenly (docs/validity.md).
_KEYS = (
    "label", "length", "min_states", "max_states", "min_depth", "trivial", "joint", "early", "hidden",
)  # fmt: skip
_LEVELS = (
    ("per_step", 4, 3, 5, 1, 0.2, 0.0, 0.3, 0.0), ("per_step", 4, 3, 5, 1, 0.2, 0.15, 0.4, 0.15),
    ("full", 4, 3, 5, 1, 0.2, 0.0, 0.5, 0.35), ("full", 5, 3, 6, 1, 0.15, 0.15, 0.5, 0.5),
    ("full", 6, 3, 8, 1, 0.1, 0.2, 0.55, 0.6), ("full", 7, 3, 16, 1, 0.05, 0.35, 0.6, 0.75),
    ("full", 8, 3, 32, 1, 0.05, 0.5, 0.7, 0.9), ("full", 10, 4, 32, 2, 0.03, 0.6, 0.75, 0.95),
    ("full", 14, 6, 48, 5, 0.02, 0.75, 0.85, 0.97), ("full", 20, 10, 64, 10, 0.02, 0.95, 0.95, 1.0),
)  # fmt: skip
LEVELS: tuple[dict[str, Any], ...] = tuple(
    dict(zip(_KEYS, values, strict=True)) for values in _LEVELS
)

_TEXT: dict[str, Any] = {"type": "string", "minLength": 1, "maxLength": 4_000_000}
_NAME: dict[str, Any] = {"type": "string", "minLength": 1, "maxLength": 100}
PROBLEM: dict[str, Any] = {
    "type": "object",
    "additionalProperties": False,
    "required": ["task", "hoa", "trace"],
    "properties": {
        "task": {"enum": ["tce", "tte", "sim", "min"]},
        "hoa": {**_TEXT, "pattern": "^HOA:"},
        "trace": {
            "type": "array", "minItems": 1, "maxItems": 10_000,
            "items": {"type": "array", "maxItems": 60, "items": _NAME},
        },
        "effect": {
            "type": "object",
            "additionalProperties": False,
            "required": ["output", "value", "step"],
            "properties": {
                "output": _NAME,
                "value": {"type": "boolean"},
                "step": {"type": "integer", "minimum": 0, "maximum": 9_999},
                "join": {"enum": ["and", "or"]},
                "literals": {
                    "type": "array", "minItems": 2, "maxItems": 12,
                    "items": {
                        "type": "array", "minItems": 3, "maxItems": 3,
                        "prefixItems": [{"type": "integer", "minimum": 0}, _NAME, {"type": "boolean"}],
                    },
                },
            },
            "dependentRequired": {"join": ["literals"], "literals": ["join"]},
        },
        "label": {"enum": ["per_step", "full"]},
        "start": {"enum": ["unknown"]},
        "contingencies": {"const": True},
        "shown": {"type": "array", "minItems": 1, "maxItems": 40, "items": _NAME, "uniqueItems": True},
    },
    "allOf": [
        {
            "if": {"properties": {"task": {"enum": ["tce", "min"]}}},
            "then": {"required": ["effect"]},
            "else": {"properties": {"effect": False, "start": False, "contingencies": False}},
        },
        {
            "if": {"properties": {"task": {"const": "sim"}}},
            "then": {"properties": {"shown": False}},
        },
        {
            "if": {"properties": {"task": {"const": "tce"}}},
            "then": {"required": ["label"]},
            "else": {"properties": {"label": False}},
        },
    ],
}  # fmt: skip
ANSWER: dict[str, Any] = {
    "type": "string",
    "pattern": r"^\{.*\}$",
    "maxLength": 1_000_000,
    "description": "one line of JSON: the constraints of each step, or the run and whether it was accepted",
}

BENCHMARK = Benchmark(
    name=NAME,
    version=VERSION,
    summary="Mealy machines synthesised from temporal logic: follow a trace, or find what caused an output",
    config_schema=CONFIG,
    engines=ENGINES,
    values=(
        "correct", "exact",
        "f1_ap", "precision_ap", "recall_ap", "f1_ts", "precision_ts", "recall_ts",
    ),
    metrics=metrics.METRICS,
    published=metrics.PUBLISHED,
    headline="correct",
    choices=("{}",),
    choices_by_task={"tte": ('{"accepted": "yes"}', '{"accepted": "no"}')},
    problem_schema=PROBLEM,
    answer_schema=ANSWER,
    presets=PRESETS,
    groups=("depth", "size"),
    formats=("hoa", "json", "svg"),
    dataset_formats=(JSONL, RAW),
    weaknesses=WEAKNESSES,
    shortcut_ceiling=0.3,
    levels=LEVELS,
    solution_features=(
        "depth", "causal_inputs", "clauses", "trivial", "joint", "accepted", "run_length",
    ),
    views=VIEWS,
    sources=SOURCES,
    collision_rate=0.05,
    citation="Holzer, Fishell, Ray, Santolucito: TempoBench (2025). Specifications, machines, traces and labels "
    "here are made anew.",
    licence="GPL-3.0-or-later",
)  # fmt: skip
