"""Named engines, and how they answer each task.

An engine is a reader of requirements with a judge of traces, and no two share either: ``evaluator`` reads by the
templates and judges with our own evaluator, ``spot`` reads by the second reader and judges with Spot's automata,
``pymodelchecking`` judges traces only.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from harness import Abstained, EngineError, Solution
from harness_vltl.formulas.formula import Formula, substitute, text
from harness_vltl.problem import Meaning, is_finite, is_pair, target_of

ENGINES = ("evaluator", "spot", "pymodelchecking")


def solve(problem: Mapping[str, Any], engine: str) -> Solution:
    """Answer a problem with one engine.

    Raises:
        Abstained: the engine does not do this task, or the problem is beyond its bounds.
        EngineError: no such engine; a sentence it cannot read.
    """
    if engine not in ENGINES:
        raise EngineError(f"no engine '{engine}'; there are {', '.join(ENGINES)}")
    if problem["task"] == "verify":
        formula, trace = problem["formula"], problem["trace"]
        values = None
        if engine == "evaluator":
            from harness_vltl.engines import evaluator

            values = {"values": evaluator.rows(formula, trace)}
        return Solution(truth(judge(engine)(formula, trace)), engine, values)
    formula, lifted, names = meaning(problem, engine)
    if is_pair(problem):
        answer = text(substitute(formula, names))
    else:
        answer = target_of(problem["task"], lifted, formula, names)
    return Solution(answer, engine, _evidence(problem, formula, lifted, names))


def _evidence(
    problem: Mapping[str, Any], formula: Formula, lifted: str, names: Mapping[str, str]
) -> dict[str, Any]:
    """Return the certificate of an engine's own answer, so that replies can be scored against it."""
    from harness_vltl.answers.lifting import lifted as marks
    from harness_vltl.engines import equivalence, finite_automaton
    from harness_vltl.engines.evaluator import freeze

    tokens = str(problem.get("sentence", lifted)).split()
    evidence: dict[str, Any] = {"lifted": lifted, "tokens": tokens, "formula": formula}
    evidence["propositions"] = {name: _action(action) for name, action in names.items()}
    if problem["task"] == "lift":
        answer = marks(f"Answer: {lifted}", "", tokens)
        return evidence | ({"ids": list(answer.value)} if answer else {})
    if problem["task"] == "ground":
        return evidence
    if is_finite(problem):
        pair = [finite_automaton.difference(formula, constant) for constant in (False, True)]
    else:
        pair = [equivalence.refuted(freeze(formula), constant) for constant in (False, True)]
    if pair[0] and pair[1]:
        evidence |= {"satisfying": [pair[0]], "violating": [pair[1]]}
    return evidence


def _action(text: str) -> dict[str, Any]:
    head, _, inside = text.partition("(")
    arguments = inside.rstrip(")").split(",") if inside else []
    return {"action": head, "arguments": arguments, "text": text}


def truth(holds: bool) -> str:
    """Return the answer of task verify."""
    return "satisfied" if holds else "violated"


def judge(engine: str) -> Callable[[Formula, Mapping[str, Any]], bool]:
    """Return the function of an engine that says whether a formula holds on a trace, one that ends included."""
    if engine == "evaluator":
        from harness_vltl.engines import evaluator

        return evaluator.holds
    if engine == "spot":
        from harness_vltl.engines import finite_spot, spot

        return lambda formula, trace: (spot if "loop" in trace else finite_spot).holds(
            formula, trace
        )
    from harness_vltl.engines import pymodelchecking

    return pymodelchecking.holds


def meaning(problem: Mapping[str, Any], engine: str) -> Meaning:
    """Return what an engine reads in a requirement.

    A sentence that is not in our language, as the published ones, is read by `foreign_sentences` where it can be.

    Raises:
        Abstained: the engine reads no sentences, the scenario is not known here, or it has no reading.
    """
    if engine == "pymodelchecking":
        raise Abstained("pymodelchecking: judges traces and reads no sentences")
    if is_pair(problem):
        from harness_vltl.engines import named_sentences

        return named_sentences.meaning(problem, engine)
    from harness_vltl.scenarios import scenario

    world = None
    if problem["task"] != "translate":
        world = scenario.known(problem["scenario"])
        if world is None:
            raise Abstained(
                f"scenario '{problem['scenario']}' is not known here: name its file in {scenario.FILES}"
            )
    sentence = problem["lifted"] if world is None else problem["sentence"]
    finite = is_finite(problem)
    try:
        if engine == "evaluator":
            from harness_vltl.engines import forms_reader

            return forms_reader.read(sentence, world, finite=finite)
        from harness_vltl.engines import second_reader

        return second_reader.read(sentence, world, finite=finite)
    except Abstained:
        if finite:
            raise
        from harness_vltl.engines import foreign_sentences

        return foreign_sentences.meaning(problem, world, engine)
