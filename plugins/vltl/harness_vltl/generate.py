"""Items: a template filled from a scenario, confirmed by a second reader, with traces confirmed by Spot."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Mapping
from functools import lru_cache
from random import Random
from typing import Any

from harness import Abstained, EngineError, ExhaustedError, Item, SpecError, digest
from harness_vltl import certificate, lassos, sentences, suites, templates, twins, wording
from harness_vltl.config import NAME, VERSION
from harness_vltl.engines import evaluator, finite_spot, second_reader, spot, truth
from harness_vltl.formulas.formula import (
    Formula,
    FormulaError,
    nesting,
    propositions,
    size,
    substitute,
    text,
)
from harness_vltl.matching import Matcher
from harness_vltl.problem import LTLF, OF_RECORDS, TRANSLATED, is_finite, problem_of, target_of
from harness_vltl.scenarios import scenario
from harness_vltl.scenarios.model import Scenario
from harness_vltl.sentences import Requirement
from harness_vltl.suites import Suite
from harness_vltl.templates import Skeleton

MAX_DRAWS = 2_000
MAX_OPERATORS = 60
MAX_TIMED = 120  # operators with style=timed: a bound of k steps has its operand k + 1 times
# Of sentences on finite traces: one condition more would be called N, as the weak next.
_CONDITIONS = 10
_PATIENCE = 100  # draws that have to mislead by letters; some scenarios have no words for that


class _Reject(Exception):
    """A draw that makes no item; its message is the reason that is counted."""


def item(config: dict[str, Any], index: int, rng: Random, salt: str, attempt: int = 0) -> Item:
    """Return requirement ``index``: its template is fixed by the index, its words are drawn.

    For task=verify, two neighbours are twins: they share all that is drawn, from salt and number, and one trace of
    the two is satisfied.

    Raises:
        ExhaustedError: no requirement was found in `MAX_DRAWS` draws.
        SpecError: no template has the families and arities asked for.
        ScenarioError: the scenario's file is none.
        EngineError: engines contradict each other.
    """
    _refuse_idle_keys(config)
    world = scenario.load(config["scenario"])
    style = config["style"]
    finite = is_finite(config)
    pool = inner = _pool_of(config, world)
    if style == "timed":
        inner = _pool((), tuple(config["arity"]), world, "plain", False) + pool
    if config["task"] == "verify":
        skeleton = _with_twins(index // 2, pool, salt, finite)
        rng = Random(hashlib.sha256(f"{salt}|twins|{index // 2}|{attempt}".encode()).hexdigest())
    else:
        skeleton = balanced(index, pool, salt)
    make = _verification if config["task"] == "verify" else _item
    rejected: Counter[str] = Counter()
    for draw in range(1, MAX_DRAWS + 1):
        try:
            requirement = sentences.requirement(world, skeleton, inner, config["depth"], rng)
            if config["task"] == "ground" and draw <= _PATIENCE:
                _mislead(requirement, world, config["distractors"])
            _refuse_long(requirement, style, finite)
            wanted = _wanted(index, salt)
            problem, target, proof, features = make(
                config, world, skeleton, requirement, wanted, rng
            )
        except _Reject as reason:
            rejected[str(reason)] += 1
            continue
        except Abstained:
            rejected["unconfirmed"] += 1
            continue
        notes = {"draws": draw, "rejected": dict(sorted(rejected.items()))}
        return Item(
            plugin=NAME, version=VERSION, prompt=wording.prompt(problem, config["world"]),
            target=target, problem=problem, certificate=proof, features=features,
            family=digest(problem)[:12], notes=notes,
        )  # fmt: skip
    why = ", ".join(f"{reason} {count}" for reason, count in sorted(rejected.items()))
    raise ExhaustedError(
        f"no requirement in {MAX_DRAWS} draws ({why}); use other families or depth=1"
    )


def _refuse_idle_keys(config: Mapping[str, Any]) -> None:
    """Refuse keys that would do nothing."""
    for key in ("sentence_column", "formula_column"):
        if config.get(key):
            raise SpecError(
                f"{key}={config[key][:60]} says how dataset= is read, and there is none"
            )
    if config["style"] == OF_RECORDS:
        raise SpecError(
            "style=published makes no sentences, it takes those of a file: give VLTL-Bench's records, or pairs of "
            "sentence and formula, as dataset=FILE"
        )
    if is_finite(config) and config["task"] in ("lift", "ground"):
        raise SpecError("semantics=ltlf is for task=verify, translate and end_to_end")
    if is_finite(config) and config["task"] in TRANSLATED and config["style"] != "plain":
        raise SpecError(
            f"semantics=ltlf has no style={config['style']}: its sentences speak of time without end; "
            "write style=plain"
        )


def _with_twins(number: int, pool: tuple[Skeleton, ...], salt: str, finite: bool) -> Skeleton:
    """Return the template of a pair of twins.

    Every second pair has one whose verdict may depend on the loop; those of finite traces all depend on the end.
    """
    ending, others = _kinds(pool, finite)
    if not (ending and others):
        return balanced(number, ending or others or pool, salt)
    return balanced(number // 2, ending if number % 2 else others, salt)


@lru_cache(maxsize=64)
def _kinds(
    pool: tuple[Skeleton, ...], finite: bool
) -> tuple[tuple[Skeleton, ...], tuple[Skeleton, ...]]:
    """Return the templates with twins that no count tells apart: where loop or end matters, and where it does not."""
    *matters, even, _ = twins.WAYS
    ending = tuple(s for s in pool if twins.way(s, finite) in matters)
    return ending, () if finite else tuple(s for s in pool if twins.way(s, finite) == even)


def _pool_of(config: Mapping[str, Any], world: Scenario) -> tuple[Skeleton, ...]:
    finite = is_finite(config) and config["task"] in TRANSLATED
    families, arities = tuple(config["families"]), tuple(config["arity"])
    return _pool(families, arities, world, config["style"], finite)


@lru_cache(maxsize=64)
def _pool(
    families: tuple[str, ...], arities: tuple[int, ...], world: Scenario, style: str, finite: bool
) -> tuple[Skeleton, ...]:
    """Return the templates of some families and arities that a scenario has enough actions for."""
    known = templates.families(style)
    if unknown := [name for name in families if name not in known]:
        raise SpecError(
            f"families={unknown[0]}: no such family of style={style}; there are {', '.join(known)}"
        )
    both = tuple(
        skeleton
        for skeleton in templates.skeletons(style, finite)
        if not families or skeleton.family in families
        for _ in range(arities.count(skeleton.arity))
    )
    choice = f"families=[{','.join(families)}] arity={list(arities)}"
    if not both:
        raise SpecError(f"{choice}: no template has both")
    available = scenario.capacity(world)
    fitting = tuple(skeleton for skeleton in both if skeleton.arity <= available)
    if not fitting:
        raise SpecError(
            f"{choice}: all templates need more propositions than the {available} of scenario {world.name}"
        )
    return fitting


def balanced(index: int, pool: tuple[Skeleton, ...], salt: str) -> Skeleton:
    """Return the template of an index: each block of as many items as templates has every one once."""
    block, at = divmod(index, len(pool))
    return _order(pool, f"{salt}|{block}")[at]


@lru_cache(maxsize=64)
def _order(pool: tuple[Skeleton, ...], seed: str) -> tuple[Skeleton, ...]:
    order = list(pool)
    Random(hashlib.sha256(seed.encode()).hexdigest()).shuffle(order)
    return tuple(order)


def _wanted(index: int, salt: str) -> bool:
    """Return the label of an index for task=verify: of two neighbours one is satisfied."""
    first = hashlib.sha256(f"{salt}|label|{index // 2}".encode()).digest()[0] & 1
    return bool(first ^ (index & 1))


def _refuse_long(requirement: Requirement, style: str, finite: bool) -> None:
    most = MAX_TIMED if style == "timed" else MAX_OPERATORS
    conditions = len(requirement.derivation)
    if size(requirement.formula) > most or (finite and conditions > _CONDITIONS):
        raise _Reject("long")


def _suite(requirement: Requirement, config: Mapping[str, Any]) -> Suite:
    finite = is_finite(config)
    make = suites.suite if config["suite"] else suites.pair
    try:
        return make(requirement.formula, finite=finite)
    except suites.ConstantError:
        raise _Reject("constant") from None


_Made = tuple[dict[str, Any], str, dict[str, Any], dict[str, Any]]
"""Problem, target, certificate and features."""


def _verification(
    config: Mapping[str, Any], world: Scenario, skeleton: Skeleton, requirement: Requirement, wanted: bool,
    rng: Random,
) -> _Made:  # fmt: skip
    """Return what an item about a trace is made of, the satisfied or the violated one of twins.

    Raises:
        Abstained: the formula is too much for Spot.
        EngineError: Spot's verdict is the other one.
    """
    finite, names = is_finite(config), requirement.names
    features = _features(config, world, skeleton, requirement)
    if not finite:
        features |= _suite_features(config, _suite(requirement, config))
    formula, pair = _twins(requirement, skeleton, config, rng)
    pair = twins.grounded(pair, names, _others(config, world, names, rng), rng)
    formula, trace = substitute(formula, names), pair[not wanted]
    judge = finite_spot if finite else spot
    if judge.holds(formula, trace) is not wanted:
        raise EngineError(f"engines contradict each other on {text(formula)} and {trace}")
    problem = {"task": "verify", "formula": formula, "trace": trace}
    problem |= {"semantics": LTLF} if finite else {}
    features |= {
        "operators": size(formula),
        "nesting": nesting(formula),
        "states": len(trace["states"]),
        **({"semantics": LTLF} if finite else {"lasso": not lassos.is_finite(trace)}),
        "twin": digest([formula, *pair])[:12],
    }
    return problem, truth(wanted), {"values": evaluator.rows(formula, trace)}, features


def _item(
    config: Mapping[str, Any], world: Scenario, skeleton: Skeleton, requirement: Requirement, wanted: bool,
    rng: Random,
) -> _Made:  # fmt: skip
    """Return what an item is made of, of another task than verify."""
    task, finite = config["task"], is_finite(config)
    suite = _suite(requirement, config)
    features = _features(config, world, skeleton, requirement) | _suite_features(config, suite)
    _confirm(requirement, world, finite)
    problem = problem_of(
        task, world.name, requirement.sentence, requirement.lifted, config["style"], finite=finite
    )
    features |= {"semantics": LTLF} if finite else {}
    target = target_of(task, requirement.lifted, requirement.formula, requirement.names)
    return problem, target, certificate.certificate(requirement, suite), features


def _mislead(requirement: Requirement, world: Scenario, least: int) -> None:
    """Refuse a requirement with too few actions whose words look like the name of another one, letter by letter."""
    matcher = Matcher.of(world, full=False)
    pairs = zip(requirement.texts, requirement.choices, strict=True)
    misled = sum(matcher.action(words) != choice.canonical for words, choice in pairs)
    if misled < min(least, len(requirement.choices)):
        raise _Reject("told by letters")


def _confirm(requirement: Requirement, world: Scenario, finite: bool) -> None:
    """Refuse a requirement that the second reader, who knows no template, reads otherwise.

    Raises:
        EngineError: the words or the meaning come out different.
    """
    try:
        second = second_reader.read(requirement.sentence, world, finite=finite)
    except second_reader.NotUnderstoodError:
        raise _Reject("unread") from None
    except FormulaError:  # the reading of a bound may have more parts than its formula
        raise _Reject("long") from None
    if second.names != requirement.names or second.lifted != requirement.lifted:
        raise EngineError(
            f"the readers see different propositions in: {requirement.sentence} "
            f"({requirement.lifted} {requirement.names}, {second.lifted} {second.names})"
        )
    formulas = map(evaluator.freeze, (second.formula, requirement.formula))
    if not _same(*formulas, finite):
        raise EngineError(
            f"the readers understand differently: {requirement.lifted} "
            f"({text(requirement.formula)}, {text(second.formula)})"
        )


@lru_cache(maxsize=8192)
def _same(formula: evaluator.Frozen, other: evaluator.Frozen, finite: bool) -> bool:
    if formula == other:
        return True
    difference = finite_spot.difference if finite else spot.difference
    return difference(evaluator.thaw(formula), evaluator.thaw(other)) is None


def _features(
    config: Mapping[str, Any], world: Scenario, skeleton: Skeleton, requirement: Requirement
) -> dict[str, Any]:
    return {
        "task": config["task"],
        "scenario": world.name,
        "family": skeleton.family,
        "skeleton": skeleton.id,
        "arity": skeleton.arity,
        "depth": config["depth"],
        "style": config["style"],
        "world": config["world"],
        "propositions": len(propositions(requirement.formula)),
        "operators": size(requirement.formula),
        "nesting": nesting(requirement.formula),
        "words": len(requirement.tokens),
    }


def _suite_features(config: Mapping[str, Any], suite: Suite) -> dict[str, Any]:
    whole = config["suite"]
    return {
        "traces": len(suite.satisfying) + len(suite.violating),
        **({"mutants": suite.mutants, "kill_rate": round(suite.rate, 6),
            "pair_kill_rate": round(suite.pair_rate, 6)} if whole else {}),
    }  # fmt: skip


def _twins(
    requirement: Requirement, skeleton: Skeleton, config: Mapping[str, Any], rng: Random
) -> tuple[Formula, twins.Pair]:
    """Return a formula with a satisfying and a violating trace."""
    formula, finite = requirement.formula, is_finite(config)
    found = twins.drawn(formula, skeleton, config["states"], rng, finite=finite)
    if found is not None:
        return found
    if finite or twins.way(skeleton, finite):
        raise _Reject("twins")
    designated = suites.pair(formula)
    return formula, (designated.satisfying[0], designated.violating[0])


def _others(
    config: Mapping[str, Any], world: Scenario, names: Mapping[str, str], rng: Random
) -> list[str]:
    """Return actions for a trace of which the formula does not speak: as many as distractors= says if it can."""
    found: dict[str, None] = {}
    for _ in range(20 * config["distractors"]):
        if len(found) < config["distractors"]:
            action = scenario.draw(world, rng).canonical
            if action not in names.values():
                found.setdefault(action)
    return list(found)


def capacity(config: dict[str, Any]) -> int | None:
    """Return how many different lifted sentences task=translate can ask; None where there are too many to count.

    All templates come equally often, so the one with the fewest sentences sets the bound.
    """
    if config["task"] != "translate" or config["depth"] > 1:
        return None
    world = scenario.load(config["scenario"])
    pool = _pool_of(config, world)
    agents = len(world.agents)
    return len(pool) * min(
        sum(agents if form.names_agent else 1 for form in skeleton.forms) // pool.count(skeleton)
        for skeleton in pool
    )
