"""The benchmark mybench in one file: which weekday is it in so many days?

    pip install -e .
    harness check plugin=mybench
    harness run plugin=mybench

After a change that alters items raise VERSION, and renew golden.json, which pins the first items to
it: harness check plugin=mybench golden=write
"""

from __future__ import annotations

import re
from random import Random
from typing import Any

from harness import Benchmark, EngineError, Item, Metric, Solution, Verdict, did_you_mean, hookimpl
from harness_answers.text import last_marked, plain, quoted

NAME = "mybench"
VERSION = "0.1"
DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
MOST = 100_000
ENGINES = ("modulo", "counting")  # the first makes the label, the second confirms it


@hookimpl
def describe() -> Benchmark:
    """Say what the benchmark is, which keys it takes, and what its problems look like."""
    today = {"type": "integer", "minimum": 0, "maximum": 6}
    days = {"type": "integer", "minimum": 1, "maximum": MOST}
    return Benchmark(
        name=NAME,
        version=VERSION,
        summary="which weekday is it in so many days?",
        config_schema={
            "type": "object",
            "additionalProperties": False,
            "properties": {"longest": {**days, "default": 1_000, "description": "days, at most"}},
        },
        engines=ENGINES,
        values=("accuracy",),
        metrics=(Metric("accuracy", "share of items answered right"),),
        headline="accuracy",
        choices=DAYS,
        problem_schema={
            "type": "object",
            "additionalProperties": False,
            "required": ["today", "days"],
            "properties": {"today": today, "days": days},
        },
        answer_schema={"enum": list(DAYS)},
        licence="Apache-2.0",
    )


@hookimpl
def generate(config: dict[str, Any], rng: Random) -> Item:
    """Draw a problem; both engines must agree on its label."""
    problem = {"today": rng.randrange(7), "days": rng.randint(1, config["longest"])}
    label, confirmed = (solve(problem, engine).answer for engine in ENGINES)
    if label != confirmed:
        raise EngineError(f"the engines say {label} and {confirmed}: {problem}")
    weeks, rest = divmod(problem["days"], 7)
    return Item(
        plugin=NAME,
        version=VERSION,
        prompt=f"Today is {DAYS[problem['today']]}. Which day of the week is it in "
        f"{problem['days']} days? End your reply with a line like this: Answer: DAY",
        target=label,
        problem=problem,
        certificate={"today": problem["today"], "weeks": weeks, "rest": rest},
        features={"digits": len(str(problem["days"]))},
    )


@hookimpl
def capacity(config: dict[str, Any]) -> int:
    """Return how many different problems there are."""
    return int(7 * config["longest"])


@hookimpl
def solve(problem: Any, engine: str) -> Solution:
    """Derive the day with one engine: by a remainder, or day by day."""
    if engine == "modulo":
        return Solution(DAYS[(problem["today"] + problem["days"]) % 7], engine)
    if engine == "counting":
        day = DAYS[problem["today"]]
        following = dict(zip(DAYS, (*DAYS[1:], DAYS[0]), strict=True))
        for _ in range(problem["days"]):
            day = following[day]
        return Solution(day, engine)
    raise EngineError(f"no engine '{engine}'; {did_you_mean(engine, ENGINES)}")


@hookimpl
def check(item: Item) -> list[str]:
    """Hold the certificate against the label: whole weeks and a rest are the days, the rest leads there."""
    found = item.certificate
    if not isinstance(found, dict) or set(found) != {"today", "weeks", "rest"}:
        return ["a certificate has the keys today, weeks, rest"]
    today, weeks, rest = found["today"], found["weeks"], found["rest"]
    if not all(type(number) is int for number in (today, weeks, rest)) or not 0 <= rest < 7:
        return ["today, weeks and rest are whole numbers, and a rest is less than a week"]
    if {"today": today, "days": 7 * weeks + rest} != item.problem:
        return ["it is not about the day and the days asked for"]
    reached = (*DAYS, *DAYS)[today + rest]
    return [] if item.target == reached else [f"the rest leads to {reached}"]


_PROMPT = re.compile(r"Today is (\w{6,9})\. Which day of the week is it in ([0-9]{1,6}) days\?")


@hookimpl
def read(prompt: str) -> dict[str, int] | None:
    """Read a prompt back into its problem; None: it is none of ours."""
    found = _PROMPT.search(prompt)
    if found is None or found[1] not in DAYS or not 1 <= int(found[2]) <= MOST:
        return None
    return {"today": DAYS.index(found[1]), "days": int(found[2])}


@hookimpl
def score(item: Item, completion: str) -> Verdict:
    """Judge any text whatever: the last marked answer, or a reply that is one day and nothing else."""
    text = plain(completion, item.prompt)
    marked = last_marked(text)
    answer = _day(marked.content if marked else text)
    if marked and marked.above and _day(marked.above) != answer:
        answer = None  # two answers are none
    if answer is None:
        tail = quoted(completion.strip()[-100:])
        why = f"**Unparsed**: no day can be read. The reply ends with {tail}."
        return Verdict("unparsed", {"accuracy": 0.0}, None, why)
    why = f"Answered {answer}, it is {item.target}: {item.problem['days'] % 7} days after whole weeks."
    return Verdict("scored", {"accuracy": float(answer == item.target)}, answer, why)


def _day(text: str) -> str | None:
    word = text[:100].strip(" \t\n.!*_'\"`").capitalize()
    return word if word in DAYS else None
