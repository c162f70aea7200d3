"""Items: a machine, a random run, a question, its answer by one engine confirmed by another.

Every draw is made from the item's own source of chance. A draw that does not fit (no such effect, a cause
that the label cannot state, too easy for ``hard=yes``, not confirmed) is counted by its reason and
another one is made; no reason depends on the clock. What an item is to be (`Wish`) and the step of its effect are
chosen before its draws, so that no filter shifts them.
"""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Mapping
from functools import lru_cache
from random import Random
from typing import Any

from harness_logic import spot_library

from harness import EngineError, ExhaustedError, Item, SpecError, canonical_json, digest
from harness_tempobench import engines, sources, wording
from harness_tempobench import problem as problems
from harness_tempobench.config import ADDED, CONFIG, ITEMS, NAME, VERSION
from harness_tempobench.draws import (
    KINDS,
    SHARES,
    Draw,
    Rejected,
    Wish,
    effect_step,
    last_step,
    question,
)
from harness_tempobench.features import Bar, bar

MAX_DRAWS = 20_000
LOOKS = 3_000
"""Draws after which it is believed that machines have no problems of a kind."""

PATIENCE = 500
"""Draws for an effect at one step, before another step is chosen."""

FORMS = ("notation", "wording", "hoa")
"""Keys that change how a problem is put, never which one it is."""

_MEASURED = tuple(key for key in CONFIG["properties"] if key not in ("families", *FORMS))


def item(config: dict[str, Any], index: int, rng: Random, salt: str) -> Item:
    """Return item ``index``.

    Raises:
        SpecError: keys that contradict each other.
        TempobenchError: no machine to draw from.
        ExhaustedError: nothing fitted in `MAX_DRAWS` draws.
        EngineError: two engines contradict each other.
    """
    check(config)
    source = sources.source(config)
    wish = _wish(config, rng, _first(config, index, rng, salt))
    patience = 1 if config["hard"] else PATIENCE  # hard problems are deep ones
    rejected: Counter[str] = Counter()
    step = 0
    for number in range(1, MAX_DRAWS + 1):
        if number % patience == 1 % patience:
            step = effect_step(config, rng, wish)
        try:
            draw = question(config, source, rng, wish, step)
            if config["hard"]:
                limit = _bar(_pool_key(config), _kind(config["task"], wish.trivial))
                if limit.hardness(draw.features) < limit.threshold:
                    raise Rejected("easy")
            by = _confirmed(config, draw, index % engines.SPOT_EVERY == 0)
        except Rejected as reason:
            rejected[str(reason)] += 1
            continue
        return _item(
            config, draw, {"draws": number, "rejected": dict(sorted(rejected.items())), **by}
        )
    raise ExhaustedError(_exhausted(config, wish, rejected))


def check(config: Mapping[str, Any]) -> None:
    """Refuse keys that contradict each other.

    Raises `SpecError`: one line.
    """
    last = last_step(config)
    if config["task"] in problems.EFFECTS and config["min_depth"] > last:
        raise SpecError(
            f"min_depth={config['min_depth']} leaves no step for an effect: the last one is {last} "
            "(max_depth, and length - 1)"
        )
    if config["contingencies"] and config["effects"] in ("combined", "window"):
        raise SpecError(
            f"contingencies go with effects of one output, not effects={config['effects']}"
        )
    if config["min_states"] > config["max_states"]:
        raise SpecError(
            f"min_states={config['min_states']} is more than max_states={config['max_states']}"
        )


def _first(config: Mapping[str, Any], index: int, rng: Random, salt: str) -> bool:
    """Return whether the effect is to be trivial, or the trace accepted."""
    if config["task"] in problems.EFFECTS:
        return rng.random() < float(config["trivial"]) and _can(config, "trivial")
    if config["task"] == "sim":
        return True
    # Each pair of items 2k, 2k + 1 has one of each, in an order drawn per pair.
    coin = hashlib.sha256(f"{salt}|{index // 2}".encode()).digest()[0] & 1
    return bool(coin ^ (index & 1))


def _wish(config: Mapping[str, Any], rng: Random, first: bool) -> Wish:
    """Return all that an item is to be, given whether it is to be trivial or accepted."""
    if config["task"] == "tte":
        hidden = rng.random() < float(config["hidden"]) and _can(config, "hidden")
        return Wish(accepted=first, hidden=hidden)
    kind = "joint" if config["task"] == "tce" else "early"
    wished = not first and rng.random() < float(config[kind]) and _can(config, kind)
    return Wish(trivial=first, **{kind: wished})


def _confirmed(config: Mapping[str, Any], draw: Draw, spot: bool) -> dict[str, Any]:
    """Have the label confirmed by an engine that did not make it, Spot or another; return a note of which."""
    if not config["confirm"]:
        return {"confirmed": "no"}
    task = draw.problem["task"]
    if task == "tce":
        decision = engines.confirm(draw.problem, draw.case, draw.clauses, spot)
    elif task == "min":
        decision = "spot", engines.solve(draw.problem, "spot").answer == draw.target
    else:
        decision = engines.confirm_run(draw.problem, draw.case, spot)
    if decision is None:
        raise Rejected("unconfirmed")
    by, right = decision
    if not right:
        raise EngineError(f"the exact engine and {by} contradict each other: {draw.problem}")
    return {"confirmed": by}


def _item(config: Mapping[str, Any], draw: Draw, notes: dict[str, Any]) -> Item:
    loaded = draw.loaded
    origin: dict[str, Any] = {"parameters": dict(loaded.parameters)}
    if loaded.specification:
        origin = {"specification": loaded.specification, "spot": spot_library.version()}
    # As `digest` would have it: the HOA text, and what else makes it another question.
    asked = f"[{loaded.hoa_json},{canonical_json(draw.key)[1:]}"
    return Item(
        plugin=NAME,
        version=VERSION,
        prompt=wording.write(draw.problem, config["notation"], config["hoa"], config["wording"]),
        target=draw.target,
        problem=draw.problem,
        certificate=draw.certificate,
        features=draw.features | {"hardness": "hard" if config["hard"] else "normal"},
        notes=notes | origin,
        family=hashlib.sha256(asked.encode()).hexdigest()[:12],
    )


def _exhausted(config: Mapping[str, Any], wish: Wish, rejected: Mapping[str, int]) -> str:
    why = ", ".join(f"{reason} {count}" for reason, count in sorted(rejected.items()))
    message = f"no {wish.question(config['task'])} in {MAX_DRAWS} draws ({why})"
    shares = ", ".join(f"a smaller {kind}" for kind in SHARES[config["task"]])
    return f"{message}; allow more machines (families, min_states, max_states), label=full, or {shares}"


def _kind(task: str, trivial: bool) -> str:
    """Return which pool a problem is measured by; if acceptance counted, the bar would tell it."""
    if task not in problems.EFFECTS:
        return "traces"
    return "trivial" if trivial else "causes"


def _pool_key(config: Mapping[str, Any]) -> str:
    """Return what the pool depends on: everything but the form that problems are put in."""
    return _settings(tuple(config["families"]), *map(config.__getitem__, _MEASURED))


@lru_cache(maxsize=256, typed=True)  # each item asks for it
def _settings(families: tuple[str, ...], *values: Any) -> str:
    return canonical_json({"families": families, **dict(zip(_MEASURED, values, strict=True))})


@lru_cache(maxsize=16)
def _bar(key: str, kind: str) -> Bar:
    config = json.loads(key)
    source, rng = sources.source(config), _pool_rng(config, kind)
    pool: list[dict[str, Any]] = []
    for _ in range(MAX_DRAWS):
        if len(pool) == config["pool"]:
            break
        first = bool(len(pool) & 1) if kind == "traces" else kind == "trivial"
        try:
            wish = _wish(config, rng, first)
            step = effect_step(config, rng, wish)
            pool.append(question(config, source, rng, wish, step).features)
        except Rejected:
            continue
    if len(pool) < config["pool"]:
        raise ExhaustedError(
            f"hard=yes: {len(pool)} of {config['pool']} problems of the pool in {MAX_DRAWS} draws; "
            "allow more machines (families, min_states, max_states), or a smaller pool"
        )
    return bar(config["task"], pool, config["hardest"])


def _can(config: Mapping[str, Any], kind: str) -> bool:
    """Tell whether problems of a kind can be had; where only they are asked for, they must."""
    share = float(config[kind])
    return share == 1 or (share > 0 and _has(_pool_key(config), kind))


@lru_cache(maxsize=64)
def _has(key: str, kind: str) -> bool:
    """Tell whether the machines have problems of a kind: some have none."""
    config = json.loads(key)
    source, rng = sources.source(config), _pool_rng(config, f"has {kind}")
    for _ in range(LOOKS):
        try:
            wish = Wish(**{kind: True})
            question(config, source, rng, wish, effect_step(config, rng, wish))
        except Rejected:
            continue
        return True
    return False


def _pool_rng(config: Mapping[str, Any], kind: str) -> Random:
    # A directory's name is no part of the source of chance: it may lie elsewhere tomorrow.
    settings = {
        name: value
        for name, value in config.items()
        if name not in ("specs", "machines") and (name not in ADDED or value != ADDED[name])
    }
    return Random(int(digest([NAME, ITEMS, "pool", settings, kind]), 16))


def about(config: dict[str, Any]) -> dict[str, Any]:
    """Return what a manifest says: machines, what was skipped and why, and what counts as hard."""
    check(config)
    source = sources.source(config)
    survey = source.survey()
    summary: dict[str, Any] = {"machines": survey.usable}
    skipped = sorted(survey.skipped.items())
    warnings = [f"{path} was skipped: {why}" for path, why in skipped]
    if survey.unfit:
        path, why = min(survey.unfit.items())
        warnings.append(
            f"{len(survey.unfit)} files were left out by min_states, max_states or max_inputs, such as {path}: {why}"
        )
    warnings += [
        f"{kind}={config[kind]}: these machines have no {KINDS[kind]}"
        for kind in SHARES[config["task"]]
        if config[kind] and not _can(config, kind)
    ]
    summary |= {"skipped": dict(skipped), "unfit": survey.unfit} if skipped or survey.unfit else {}
    summary |= {"warnings": warnings} if warnings else {}
    if config["hard"]:
        trivial = config["task"] in problems.EFFECTS and _can(config, "trivial")
        key = _pool_key(config)
        kinds = [_kind(config["task"], first) for first in ((False, True) if trivial else (False,))]
        summary["hard"] = {kind: _bar(key, kind).summary() for kind in kinds}
    return summary
