"""Records in the published shape, made from items of ours by code that shares nothing with the plugin's."""

from __future__ import annotations

import json
import re
from typing import Any

from harness import Item

EXAMPLE = """HOA: v1
States: 2
Start: 0
AP: 2 "r" "g"
acc-name: all
Acceptance: 0 t
properties: trans-labels explicit-labels state-acc deterministic
controllable-AP: 1
--BODY--
State: 0
[!r&!g] 0
[r&!g] 1
State: 1
[!r&g] 0
[r&g] 1
--END--"""
_OUTER = (
    "Here is a Prompt and a Label.\nSample start:\nPrompt:\n{example}\n\nLabel:\n{label}\n=====\n"
)


def named(hoa: str) -> str:
    """HOA text with names in its labels."""
    names = re.findall(r'"([^"]*)"', re.search(r"^AP:.*$", hoa, re.M)[0])  # type: ignore[index]

    def label(found: re.Match[str]) -> str:
        return re.sub(r"\d+", lambda n: names[int(n[0])], found[0])

    return re.sub(r"^\[.*?\]", label, hoa, flags=re.M).strip()


def propositions(hoa: str) -> list[str]:
    return re.findall(r'"([^"]*)"', re.search(r"^AP:.*$", hoa, re.M)[0])  # type: ignore[index]


def trace_text(hoa: str, trace: list[list[str]]) -> str:
    names = propositions(hoa)
    steps = ["&".join(n if n in true else f"!{n}" for n in names) for true in trace]
    return ";".join([*steps, "cycle{1}"])


def question(task: str, aps: list[str], hoa: str, trace: str, effects: list[str]) -> str:
    parts = [f"You are given an automaton (HOA format) with APs: {aps}", "", "Automaton:", hoa, ""]
    parts += ["Trace:", trace, ""]
    if task == "tce":
        return "\n".join([*parts, "Effects to analyze:", str(effects), "", "Explain."])
    return "\n".join([*parts, "Question: Does the automaton accept this trace? Go step by step."])


def prebuilt(item: Item, label: str | None = None, **changed: Any) -> dict[str, Any]:
    """A record with prompt, label and stats."""
    problem = item.problem
    told = {
        "task": problem["task"],
        "aps": propositions(problem["hoa"]),
        "hoa": named(problem["hoa"]),
        "trace": trace_text(problem["hoa"], problem["trace"]),
        "effects": [effect(item)] if problem["task"] == "tce" else [],
    } | changed
    example = question(told["task"], ["r", "g"], EXAMPLE, "r&!g;r&g;!r&g;cycle{1}", ["X g"])
    shown = '```json\n{"X g": {"0": ["r"], "1": ["no constraints"]}}\n```'
    prompt = _OUTER.format(example=example, label=shown) + "Problem start:\n" + question(**told)
    return {"prompt": prompt, "label": text_of(item) if label is None else label, "stats": {}}


def effect(item: Item) -> str:
    asked = item.problem["effect"]
    return f"{'X' * asked['step']} {'' if asked['value'] else '!'}{asked['output']}"


def text_of(item: Item, answer: dict[str, Any] | None = None) -> str:
    """The label of a prebuilt record: words, a fence, a verdict."""
    answer = dict(json.loads(item.target)) if answer is None else answer
    if item.problem["task"] == "tce":
        return f"Causal explanations:\nstep by step\n```json\n{json.dumps(answer, indent=2)}```"
    accepted = answer.pop("accepted")
    for key, step in answer.items():
        true = sorted(item.problem["trace"][int(key[5:])])
        step["defining inputs"] = " and ".join(true) or "no inputs"
    said = json.dumps(answer, indent=4)
    return f"Transitions.\n\n```json\n{said}```\n\nAccepted: {accepted.capitalize()}"


def raw(item: Item, **changed: Any) -> dict[str, Any]:
    """A raw record; it has the fields of both tasks."""
    problem, answer = item.problem, json.loads(item.target)
    found: dict[str, Any] = {
        "hoa": problem["hoa"],
        "aps": propositions(problem["hoa"]),
        "trace": trace_text(problem["hoa"], problem["trace"]),
        "effects": [],
        "causality": {},
        "hoax": None,
        "accepted": None,
        "error": None,
    }
    if problem["task"] == "tce":
        found |= {"effects": [effect(item)], "causality": answer}
    else:
        accepted = answer.pop("accepted") == "yes"
        lines = []
        for key, step in answer.items():
            true = set(problem["trace"][int(key[5:])])
            lines.append(f"0: ({step['current state']}, {true}, {step['next state']})")
        found |= {"hoax": "\n".join(lines), "accepted": accepted}
    return found | changed
