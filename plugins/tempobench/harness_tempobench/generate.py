"""Items: a machine, a random run, a question, its answer by one engine confirmed by another.

Every draw is made from the item's own source of chance. A draw that does not fit (no such effect, a cause
that the label cannot state, too easy for ``difficulty=hard``, not confirmed) is counted by its reason and
another one is made; no reason depends on the clock.
"""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from random import Random
from typing import Any

from harness import Abstained, EngineError, ExhaustedError, Item, SpecError, canonical_json, digest
from harness_tempobench import engines, features, sources, targets, wording
from harness_tempobench import problem as problems
from harness_tempobench.config import NAME, VERSION
from harness_tempobench.difficulty import Bar, bar
from harness_tempobench.machine import walk
from harness_tempobench.sources import Files, Loaded, Shipped

MAX_DRAWS = 20_000
LOOKS = 3_000
"""Draws after which it is believed that there are no trivial effects."""

FORMS = ("notation", "hoa")
"""Keys that change how a problem is put, never which one it is."""

BIASES = (0.1, 0.25, 0.5, 0.75, 0.9)
"""What ``inputs=biased`` draws each input's chance from."""

TRIES = 8  # at an input whose change a later output betrays


@dataclass(frozen=True, slots=True)
class Draw:
    """A question with its answer, not yet confirmed."""

    loaded: Loaded
    problem: dict[str, Any]
    target: str
    certificate: dict[str, Any]
    features: dict[str, Any]
    key: Any
    """What makes it another question than others: neither notation nor what follows the effect."""

    clauses: tuple[Any, ...] = ()


class Rejected(Exception):
    """A draw that does not fit, with the reason that is counted."""


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
    wanted = _wanted(config, index, rng, salt)
    rejected: Counter[str] = Counter()
    for number in range(1, MAX_DRAWS + 1):
        try:
            draw = _draw(config, source, rng, wanted)
            if config["difficulty"] == "hard" and not _hard(config, wanted, draw):
                raise Rejected("easy")
            by = _confirmed(config, draw)
        except Rejected as reason:
            rejected[str(reason)] += 1
            continue
        return _item(
            config, draw, {"draws": number, "rejected": dict(sorted(rejected.items())), **by}
        )
    raise ExhaustedError(_exhausted(config, source, wanted, rejected))


def check(config: Mapping[str, Any]) -> None:
    """Refuse keys that contradict each other.

    Raises:
        SpecError: one line.
    """
    last = min(config["max_depth"], config["length"] - 1)
    if config["task"] == "tce" and config["min_depth"] > last:
        raise SpecError(
            f"min_depth={config['min_depth']} leaves no step for an effect: the last one is {last} "
            "(max_depth, and length - 1)"
        )
    if config["min_states"] > config["max_states"]:
        raise SpecError(
            f"min_states={config['min_states']} is more than max_states={config['max_states']}"
        )


def _wanted(config: Mapping[str, Any], index: int, rng: Random, salt: str) -> bool:
    """Return what is fixed before the draws: a trivial cause or not; an accepted trace or not."""
    if config["task"] == "tce":
        return rng.random() < float(config["trivial"]) and _trivial_at_all(config)
    # Each pair of items 2k, 2k + 1 has one of each, in an order drawn per pair.
    coin = hashlib.sha256(f"{salt}|{index // 2}".encode()).digest()[0] & 1
    return bool(coin ^ (index & 1))


def _draw(config: Mapping[str, Any], source: Shipped | Files, rng: Random, wanted: bool) -> Draw:
    loaded = source.draw(rng)
    if not isinstance(loaded, Loaded):
        raise Rejected("skipped")
    letters, masks = walk(loaded.machine, config["length"], rng, _bias(config, loaded, rng))
    if config["task"] == "tce":
        return _effect(config, loaded, letters, masks, rng, wanted)
    return _trace(loaded, letters, masks, rng, wanted)


def _bias(config: Mapping[str, Any], loaded: Loaded, rng: Random) -> float | dict[str, float]:
    if config["inputs"] == "uniform":
        return 0.5
    return {name: rng.choice(BIASES) for name in loaded.machine.inputs}


# ---------------------------------------------------------------------------------- causes


def _effect(
    config: Mapping[str, Any],
    loaded: Loaded,
    letters: tuple[int, ...],
    masks: tuple[int, ...],
    rng: Random,
    trivial: bool,
) -> Draw:
    last = min(config["max_depth"], config["length"] - 1)
    step = rng.randint(config["min_depth"], last)
    place = rng.randrange(len(loaded.machine.outputs))
    value = bool(masks[step] >> place & 1)
    if config["effects"] not in ("both", "positive" if value else "negative"):
        raise Rejected("effect")
    engine = problems.engine(loaded.hoa)
    try:
        cause = engine.cause(letters, None, step, place, value, max_clauses=engines.MAX_CLAUSES)
    except Abstained:
        raise Rejected("large") from None
    if trivial != (not cause.clauses):
        raise Rejected("trivial" if not cause.clauses else "not trivial")
    full = config["label"] == "full"
    if not full and cause.per_step is None:
        raise Rejected("several steps")
    effect = {"output": cause.output, "value": value, "step": step}
    trace = problems.trace(loaded.machine, letters, masks)
    problem = {
        "task": "tce", "hoa": loaded.hoa, "trace": trace, "effect": effect, "label": config["label"],
    }  # fmt: skip
    return Draw(
        loaded,
        problem,
        targets.cause_target(effect, loaded.machine.inputs, letters, cause.clauses, full),
        {"counterfactuals": _counterfactuals(loaded, cause.certificates, step)},
        features.of_cause(loaded, letters, step, cause.clauses),
        [loaded.hoa, trace[: step + 1], effect],
        cause.clauses,
    )


def _counterfactuals(
    loaded: Loaded, certificates: Sequence[Any], step: int
) -> list[dict[str, Any]]:
    """Return for every clause what is flipped and the trace that comes of it, up to the effect's step."""
    machine, counterfactuals = loaded.machine, []
    for certificate in certificates:
        word = certificate.letters[: step + 1]
        flips = [[when, machine.inputs[place]] for when, place in certificate.clause]
        changed = problems.trace(machine, word, machine.run(word)[1])
        counterfactuals.append({"flips": flips, "trace": changed})
    return counterfactuals


# ---------------------------------------------------------------------------------- traces


def _trace(
    loaded: Loaded, letters: tuple[int, ...], masks: tuple[int, ...], rng: Random, accepted: bool
) -> Draw:
    machine = loaded.machine
    if not accepted:
        letters, masks = _mutated(loaded, letters, masks, rng)
    fault = machine.deviation(letters, masks)
    if (fault is None) is not accepted:
        raise Rejected("mutation")
    states, machine_masks = machine.run(letters)
    length = len(letters) if fault is None else fault
    states = states[: length + 1]
    trace = problems.trace(machine, letters, masks)
    required = None if fault is None else problems.outputs(machine, machine_masks[fault])
    return Draw(
        loaded,
        {"task": "tte", "hoa": loaded.hoa, "trace": trace},
        targets.run_target(machine.inputs, letters, states, accepted),
        {"states": list(states), "required": required},
        features.of_run(loaded, letters, length),
        [loaded.hoa, trace[: length + 1]],
    )


def _mutated(
    loaded: Loaded, letters: tuple[int, ...], masks: tuple[int, ...], rng: Random
) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return the trace with one step changed so that the machine has no run with it.

    Either outputs of the step are changed, which shows at that step, or its inputs, which shows there or
    later; where no such change of inputs shows, outputs are changed.
    """
    machine = loaded.machine
    step = rng.randrange(len(letters))
    if rng.random() < 0.5:
        for _ in range(TRIES if machine.inputs else 0):
            other = letters[step] ^ rng.randrange(1, machine.letters)
            changed = (*letters[:step], other, *letters[step + 1 :])
            if machine.deviation(changed, masks) is not None:
                return changed, masks
    outputs = range(len(machine.outputs))
    flips = 0
    for place in rng.sample(outputs, rng.choice((1, 1, min(2, len(outputs))))):
        flips |= 1 << place
    return letters, (*masks[:step], masks[step] ^ flips, *masks[step + 1 :])


# ---------------------------------------------------------------------------------- items


def _confirmed(config: Mapping[str, Any], draw: Draw) -> dict[str, Any]:
    """Have the label confirmed by an engine that did not make it; return a note of which."""
    if not config["confirm"]:
        return {"confirmed": "no"}
    case = problems.case(draw.problem)
    if draw.problem["task"] == "tte":
        spot_run = engines.run(draw.problem, case, "spot")
        by, right = "spot", spot_run == case.run()
    else:
        decision = engines.confirm(draw.problem, case, draw.clauses)
        if decision is None:
            raise Rejected("unconfirmed")
        by, right = decision
    if not right:
        raise EngineError(f"the exact engine and {by} contradict each other: {draw.problem}")
    return {"confirmed": by}


def _item(config: Mapping[str, Any], draw: Draw, notes: dict[str, Any]) -> Item:
    return Item(
        plugin=NAME,
        version=VERSION,
        prompt=wording.write(draw.problem, config["notation"], config["hoa"]),
        target=draw.target,
        problem=draw.problem,
        certificate=draw.certificate,
        features=draw.features | {"difficulty": config["difficulty"]},
        notes=notes | {"parameters": dict(draw.loaded.parameters)},
        family=digest(draw.key)[:12],
    )


def _exhausted(
    config: Mapping[str, Any], source: Shipped | Files, wanted: bool, rejected: Mapping[str, int]
) -> str:
    why = ", ".join(f"{reason} {count}" for reason, count in sorted(rejected.items()))
    question = {
        ("tce", True): "effect that no input could have prevented",
        ("tce", False): "effect with a cause",
        ("tte", True): "accepted trace",
        ("tte", False): "rejected trace",
    }[config["task"], wanted]
    message = f"no {question} in {MAX_DRAWS} draws ({why})"
    skipped = sorted(source.skipped().items())
    if rejected.get("skipped") == MAX_DRAWS and skipped:
        return f"{message}; {skipped[0][0]}: {skipped[0][1]}"
    return f"{message}; allow more machines (families, min_states, max_states), or label=full, or trivial=0"


# ------------------------------------------------------------------------------ difficulty


def _hard(config: Mapping[str, Any], wanted: bool, draw: Draw) -> bool:
    limit = _bar(_pool_key(config), _kind(config["task"], wanted))
    return limit.hardness(draw.features) >= limit.threshold


def _kind(task: str, wanted: bool) -> str:
    """Return which pool a problem is measured by; if acceptance counted, the bar would tell it."""
    if task == "tte":
        return "traces"
    return "trivial" if wanted else "causes"


def _pool_key(config: Mapping[str, Any]) -> str:
    """Return what the pool depends on: everything but the form that problems are put in."""
    return canonical_json({key: value for key, value in config.items() if key not in FORMS})


@lru_cache(maxsize=16)
def _bar(key: str, kind: str) -> Bar:
    config = json.loads(key)
    source, rng = sources.source(config), _pool_rng(config, kind)
    pool: list[dict[str, Any]] = []
    for _ in range(MAX_DRAWS):
        if len(pool) == config["pool"]:
            break
        wanted = bool(len(pool) & 1) if kind == "traces" else kind == "trivial"
        try:
            pool.append(_draw(config, source, rng, wanted).features)
        except Rejected:
            continue
    if len(pool) < config["pool"]:
        raise ExhaustedError(
            f"difficulty=hard: {len(pool)} of {config['pool']} problems of the pool in {MAX_DRAWS} draws; "
            "allow more machines (families, min_states, max_states), or a smaller pool"
        )
    return bar(config["task"], pool, config["hardest"])


def _trivial_at_all(config: Mapping[str, Any]) -> bool:
    """Tell whether the share of trivial effects can be had; where only they are asked for, it must."""
    share = float(config["trivial"])
    return share == 1 or (share > 0 and _has_trivial(_pool_key(config)))


@lru_cache(maxsize=64)
def _has_trivial(key: str) -> bool:
    """Tell whether there are effects that no input could have prevented: some machines have none."""
    config = json.loads(key)
    source, rng = sources.source(config), _pool_rng(config, "has trivial")
    for _ in range(LOOKS):
        try:
            _draw(config, source, rng, wanted=True)
        except Rejected:
            continue
        return True
    return False


def _pool_rng(config: Mapping[str, Any], kind: str) -> Random:
    # A directory's name is no part of the source of chance: it may lie elsewhere tomorrow.
    settings = {name: value for name, value in config.items() if name not in ("specs", "machines")}
    return Random(int(digest([NAME, VERSION, "pool", settings, kind]), 16))


def about(config: dict[str, Any]) -> dict[str, Any]:
    """Return what a manifest says: machines, what was skipped and why, and what counts as hard."""
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
    if config["task"] == "tce" and config["trivial"] and not _trivial_at_all(config):
        warnings.append(
            f"trivial={config['trivial']}: no effect of these machines is one that no input could have prevented"
        )
    summary |= {"skipped": dict(skipped), "unfit": survey.unfit} if skipped or survey.unfit else {}
    summary |= {"warnings": warnings} if warnings else {}
    if config["difficulty"] == "hard":
        trivial = config["task"] == "tce" and _trivial_at_all(config)
        both = (False, True) if trivial else (False,)
        kinds = [_kind(config["task"], wanted) for wanted in both]
        key = _pool_key(config)
        summary["hard"] = {kind: _bar(key, kind).summary() for kind in kinds}
    return summary
