"""The audit of one item, as a plain function that runs in a guarded worker.

An item's parts are examined in one call; where that call is lost (a crash, a hang), the caller asks
for them one by one, so that one engine costs its own opinion and nothing else.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from harness_errors import Abstained, HarnessError

from harness.core.items import Item, Solution, Verdict, canonical_json
from harness.core.plugins import Plugin, registry
from harness.core.schemas import schema_errors
from harness.datasets import proofs
from harness.run import judging, stats

ENGINE = "engine:"  # begins the names of the parts that are engines
SHORT = 300  # characters of a certificate or a label within a message
LONG = 20_000  # characters of evidence
MOST = 20  # lines that a plugin noted of an item


def parts_of(plugin: Plugin) -> list[str]:
    """Return the names of what there is to examine in an item of a plugin, engines first."""
    hooks = [hook for hook in ("audit", "readings") if plugin.has(hook)]
    engines = [ENGINE + name for name in plugin.benchmark.engines]
    proof = ["proof"] if plugin.has("prove") else []
    return [*engines, "prompt", "certificate", *proof, *hooks, "constants"]


def examine(name: str, data: dict[str, Any], parts: list[str]) -> dict[str, Any]:
    """Return what each of the parts named says of an item (`Item.to_dict`), by its name.

    An error of a hook is the result ``{"error": "…"}`` of that part alone. Where the problem has not
    the form that the benchmark describes, that is all that is said: ``{"schema": "…"}``.
    """
    plugin, item = registry().get(name), Item(**data)
    for message in schema_errors(plugin.benchmark.problem_schema, item.problem):
        return {"schema": message}
    results: dict[str, Any] = {}
    for part in parts:
        try:
            if part.startswith(ENGINE):
                results[part] = opinion(plugin, item, item.problem, part.removeprefix(ENGINE))
            else:
                results[part] = _PARTS[part](plugin, item)
        except HarnessError as error:
            results[part] = {"error": str(error)}
    return results


def same(name: str, data: dict[str, Any], label: str, other: str) -> bool:
    """Return whether two labels of an item mean the same: the second scores 1 against the first."""
    plugin, item = registry().get(name), Item(**data)
    return _right(plugin, _score(plugin, replace(item, target=label, id=""), other))


def opinion(plugin: Plugin, item: Item, problem: Any, engine: str) -> dict[str, Any]:
    """Return what an engine, given a problem, thinks of an item's label.

    ``opinion`` is ``agree``, ``contradict``, ``abstain``, ``fail`` or ``unscored`` (the score hook
    could not judge); ``answer`` is the engine's, and ``message`` says why there is none. For a label
    contradicted, ``certificate`` is the engine's and ``evidence`` what scoring the label says.
    """
    try:
        solution = plugin.call("solve", problem=problem, engine=engine)
    except Abstained as error:
        return {"opinion": "abstain", "message": str(error)}
    except HarnessError as error:
        return {"opinion": "fail", "message": str(error)}
    answered = {"answer": solution.answer}
    verdict = _score(plugin, item, solution.answer)
    if verdict.outcome == "unscored":
        # A judge may refuse an item whose label it sees to be wrong: ask the other way round.
        reason = verdict.explanation
        verdict = _as_answer(plugin, item, solution)
        if verdict.outcome == "unscored":
            return {**answered, "opinion": "unscored", "message": reason}
    elif verdict.outcome == "unparsed":
        message = f"its answer {solution.answer[:SHORT]} cannot be read: {verdict.explanation}"
        return {**answered, "opinion": "fail", "message": message}
    if _right(plugin, verdict) and _holds(plugin, item, solution):
        return {**answered, "opinion": "agree"}
    evidence = _evidence(plugin, item, solution)
    proof = {"certificate": solution.certificate, "evidence": evidence}
    return {**answered, "opinion": "contradict", **proof}


def _holds(plugin: Plugin, item: Item, solution: Solution) -> bool:
    """Return whether the label, too, is right by the engine's answer: a judge may know an item by more than it."""
    if solution.answer == item.target:
        return True
    verdict = _as_answer(plugin, item, solution)
    return verdict.outcome == "unscored" or _right(plugin, verdict)


def _as_answer(plugin: Plugin, item: Item, solution: Solution) -> Verdict:
    """Judge the published label as if it were an answer, with the engine's answer as the gold."""
    gold = replace(item, target=solution.answer, certificate=solution.certificate, id="")
    return _score(plugin, gold, item.target)


def _score(plugin: Plugin, item: Item, answer: str) -> Verdict:
    return judging.judged(plugin, item, f"Answer: {answer}")


def _right(plugin: Plugin, verdict: Verdict) -> bool:
    """An answer and a label agree when the answer scores 1 against the label."""
    key = plugin.benchmark.agreement or plugin.benchmark.values[0]
    return verdict.outcome == "scored" and verdict.value[key] == 1


def _evidence(plugin: Plugin, item: Item, solution: Solution) -> str:
    """Return why a published label is wrong, as the scorer tells it of an answer."""
    try:
        reason = _as_answer(plugin, item, solution).explanation.strip()
        reason = f"The label, judged as an answer:\n\n{reason}" if reason else ""
    except ValueError as error:  # an answer that is no text
        reason = f"(no explanation: {error})"
    certificate = short(solution.certificate)
    proof = f"{solution.engine}'s certificate: {certificate}" if certificate else ""
    return "\n\n".join(part for part in (reason[:LONG], proof) if part)


def short(value: Any) -> str:
    """Return a JSON value as text of at most `SHORT` characters; nothing for None."""
    if value is None:
        return ""
    text = value if isinstance(value, str) else canonical_json(value)
    return text if len(text) <= SHORT else f"{text[: SHORT - 1]}…"


def from_prompt(item: Item, opinions: Mapping[str, Mapping[str, Any]]) -> str:
    """Return what engines derive from the problem that the prompt states."""
    lines = [f"label {short(item.target)}; from the prompt alone:"]
    verdict = {"agree": ", as the label says", "contradict": ", against the label"}
    for name, opinion in opinions.items():
        found = "answer" in opinion
        derived = short(opinion["answer"]) if found else f"nothing ({opinion['message']})"
        lines.append(f"{name} derives {derived}{verdict.get(opinion['opinion'], '')}")
    return "\n".join(lines)


def noted(item: Item, note: str) -> list[str]:
    """Return the lines in one of an item's notes; none where a foreign file holds anything but a list there."""
    lines = item.notes.get(note)
    return [str(line)[:LONG] for line in lines[:MOST]] if isinstance(lines, list) else []


def _prompt(plugin: Plugin, item: Item) -> dict[str, Any]:
    """Return the problem that the prompt alone states, if it is not the formal one, and what follows."""
    problem = plugin.call("read", prompt=item.prompt)
    if problem is None:
        return {"reads": "nothing"}
    if canonical_json(problem) == canonical_json(item.problem):
        return {"reads": "same"}
    engines = plugin.benchmark.engines
    opinions = {engine: opinion(plugin, item, problem, engine) for engine in engines}
    return {"reads": "other", "differs": _differs(problem, item.problem), "engines": opinions}


def _differs(stated: Any, formal: Any) -> str:
    """Return the first part in which the problem of the prompt differs from the formal one, with both values."""
    place = ""
    if isinstance(stated, dict) and isinstance(formal, dict):
        for key in dict.fromkeys((*formal, *stated)):
            if canonical_json(stated.get(key)) != canonical_json(formal.get(key)):
                place, stated, formal = f"{key}: ", stated.get(key), formal.get(key)
                break
    return f"{place}the prompt has {short(stated) or 'none'}, the formal problem {short(formal) or 'none'}"


def _certificate(plugin: Plugin, item: Item) -> list[str]:
    if item.certificate is not None:
        return [str(message) for message in plugin.call("check", item=item)[:1]]
    # A published record never had one; an item of ours without it was tampered with.
    ours = item.version == plugin.benchmark.version
    return ["the item has no certificate"] if ours else []


def _proof(plugin: Plugin, item: Item) -> dict[str, str]:
    _, outcome, why = proofs.checked(item, plugin.call("prove", item=item))
    return {"outcome": outcome, "why": why}


def _weaknesses(plugin: Plugin, item: Item) -> list[dict[str, str]]:
    weaknesses, known = [], plugin.benchmark.weaknesses
    for weakness in plugin.call("audit", item=item) or []:
        if not isinstance(weakness, Mapping) or weakness.get("kind") not in known:
            shown = str(weakness)[:80]
            raise HarnessError(f"audit() returned {shown}, expected a kind of its weaknesses")
        message = str(weakness.get("message", ""))[:LONG]
        weaknesses.append({"kind": weakness["kind"], "message": message})
    return weaknesses


def _readings(plugin: Plugin, item: Item) -> dict[str, dict[str, bool]]:
    readings = plugin.call("readings", item=item) or {}
    if not all(
        isinstance(v, Mapping) and all(isinstance(holds, bool) for holds in v.values())
        for v in readings.values()
    ):
        raise HarnessError("readings() returned no {question: {reading: true or false}}")
    return {str(q): {str(r): holds for r, holds in v.items()} for q, v in readings.items()}


def _constants(plugin: Plugin, item: Item) -> dict[str, dict[str, float]]:
    """Return what each answer that ignores the problem scores, in every metric that is a mean."""
    scores = {}
    means = [metric for metric in plugin.benchmark.metrics if metric.compute is None]
    for choice in plugin.benchmark.choices_for(item.features):
        row = judging.row(plugin, item, f"Answer: {choice}")
        if row.outcome != "unscored":
            numbers = ((metric.name, stats.numbers_of(metric, [row])) for metric in means)
            scores[choice] = {name: known[0] for name, known in numbers if known}
    return scores


_PARTS = {
    "prompt": _prompt, "certificate": _certificate, "proof": _proof, "audit": _weaknesses, "readings": _readings,
    "constants": _constants,
}  # fmt: skip
