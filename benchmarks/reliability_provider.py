"""Rows of the reliability table: what a provider does wrong, each fault to two of the items of one run."""

from __future__ import annotations

import json
import threading
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

import reliability_kit as kit
from reliability_kit import Broken, Command, Row, Tally
from reliability_run import right

Answer = Any  # of the local server
completion, failure = kit.server.completion, kit.server.failure

EACH, WELL = 2, 6  # items of each fault, and without any
BIG = 10_000_000


def _altered(text: str, **changes: Any) -> Answer:
    return 200, json.dumps(json.loads(completion(text)[1]) | changes).encode()


def _choice(finish: str, **message: Any) -> Answer:
    own = {"index": 0, "finish_reason": finish, "message": {"role": "assistant", **message}}
    return _altered("", choices=[own])


@dataclass(frozen=True, slots=True)
class Fault:
    """What the server does, to the first request of an item or to all, and what must become of the item."""

    name: str
    how: str
    answer: Answer
    outcome: str = "unscored"
    once: bool = False


_GOOD = completion("Answer: True")
_HTML = {"Content-Type": "text/html"}
_LONG = {"Content-Length": "999"}
_WAIT = (*failure(429), {"Retry-After": "1"})
HANG = object()

FAULTS = (
    Fault("429 with Retry-After", "once, 1 second; then an answer", _WAIT, "scored", True),
    Fault("429 without Retry-After", "once; then an answer", failure(429), "scored", True),
    Fault("429 for ever", "on every request", failure(429)),
    Fault("500", "on every request", failure(500)),
    Fault("500 that passes", "once; then an answer", failure(500), "scored", True),
    Fault("hang", "no answer to any request, timeout=20", HANG),
    Fault("connection cut", "no byte of an answer, on every request", None),
    Fault("half an answer", "40 bytes of what Content-Length promises", (200, _GOOD[1][:40], _LONG)),
    Fault("half JSON", "40 bytes, and their Content-Length", (200, _GOOD[1][:40])),
    Fault("wrong content type", "text/html, an error page with status 200", (200, b"<html>busy</html>", _HTML)),
    Fault("10 MB", "an answer of 10,000,000 characters without an end", completion("so " * (BIG // 3)), "unparsed"),
    Fault("invalid UTF-8", "0xff in the text", (200, _GOOD[1].replace(b"True", b"Tr\xffue"))),
    Fault("empty choices", '`"choices": []`', _altered("", choices=[])),
    Fault("refusal", "`message.refusal`", _choice("stop", content=None, refusal="I cannot."), "refusal"),
    Fault("content filter", "content_filter, no text", _choice("content_filter", content=""), "refusal"),
    Fault("length", "finish_reason length, in mid-sentence", _choice("length", content="Let us see"), "cut_off"),
)  # fmt: skip


@dataclass
class Server:
    """Gives each prompt a fault of its own, or none."""

    order: list[Fault | None]
    mine: dict[str, Fault | None] = field(default_factory=dict)
    asked: Counter[str] = field(default_factory=Counter)
    over: threading.Event = field(default_factory=threading.Event)
    _lock: Any = field(default_factory=threading.Lock)

    def __call__(self, request: dict[str, Any], number: int) -> Answer:
        """Do what befalls the prompt."""
        prompt = request["messages"][-1]["content"]
        with self._lock:
            if prompt not in self.mine:
                self.mine[prompt] = self.order.pop()
            fault = self.mine[prompt]
            self.asked[prompt] += 1
            again = self.asked[prompt] > 1
        if fault is None or (fault.once and again):
            return completion(right(prompt))
        if fault.answer is HANG:
            self.over.wait(300)
            return None
        return fault.answer


class Runs:
    """One run for each number of a try: all rows are taken from it."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._made: dict[str, dict[str, tuple[int, int]]] = {}

    def of(self, folder: Path, rng: Random, key: str) -> dict[str, tuple[int, int]]:
        """Return for each fault how many of its items were lost and how many came twice."""
        with self._lock:
            if key not in self._made:
                self._made[key] = run(folder, rng, FAULTS)
            return self._made[key]


_RUNS = Runs()


def run(folder: Path, rng: Random, faults: tuple[Fault, ...]) -> dict[str, tuple[int, int]]:
    """Run items with these faults and as many without; return for each fault items lost and doubled.

    Raises:
        Broken: an outcome is not what it should be, of an item with a fault or without.
    """
    order: list[Fault | None] = [*faults * EACH, *[None] * WELL]
    rng.shuffle(order)
    server, n = Server(order[:]), len(order)
    with kit.server.serving(server) as found:
        env = {"LOCAL_API_KEY": "none", "LOCAL_BASE_URL": found.url}
        words = (f"n={n}", "max_connections=12", "max_retries=1", "timeout=20", "log_dir=logs")
        command = Command(
            folder,
            "run",
            "plugin=ltlbench",
            "model=openai-api/local/test",
            *words,
            "--json",
            env=env,
        )
        failing = any(one.outcome == "unscored" for one in faults)
        try:
            said = command.ended(int(failing))
        finally:
            server.over.set()
    (result,) = json.loads(said)["results"]
    wanted = Counter(_kind(one.outcome) for one in order if one)
    if (result["n"], result["unscored"]) != (n, wanted["unscored"]):
        raise Broken(f"n={result['n']}, unscored={result['unscored']}, expected {n}, {wanted}")
    return _by_fault(str(folder / result["log"]), server, faults)


def _kind(outcome: str) -> str:
    return outcome if outcome in ("scored", "unscored") else "unparsed"


def _by_fault(log: str, server: Server, faults: tuple[Fault, ...]) -> dict[str, tuple[int, int]]:
    from inspect_ai.log import read_eval_log

    found: dict[str, list[str]] = {}
    for sample in read_eval_log(log).samples or []:
        score = (sample.scores or {}).get("verdict")
        outcome = str((score.metadata or {})["outcome"]) if score else "unscored"
        reason = (score.reason if score else None) or outcome
        found.setdefault(str(sample.input), []).append(outcome)
        fault = server.mine[str(sample.input)]
        expected = fault.outcome if fault else "scored"
        if expected not in (outcome, reason):
            name = fault.name if fault else "none"
            raise Broken(f"{name}: {outcome}, {reason} instead of {expected}")
        if outcome == "scored" and sample.output.completion != right(str(sample.input)):
            raise Broken("an answer is not the one that was given to its prompt")
    told = {}
    for fault in (*faults, None):
        own = [found.get(prompt, []) for prompt, given in server.mine.items() if given is fault]
        name = fault.name if fault else ""
        told[name] = (sum(not one for one in own), sum(len(one) > 1 for one in own))
    if told.pop("") != (0, 0):
        raise Broken("items without a fault were lost or came twice")
    return told


def trial(fault: Fault, folder: Path, rng: Random) -> Tally:
    """Take a fault's items from the run of this try."""
    lost, doubled = _RUNS.of(folder, rng, _try_of(fault))[fault.name]
    return Tally(EACH, lost, doubled)


_begun: Counter[str] = Counter()


def _try_of(fault: Fault) -> str:
    _begun[fault.name] += 1
    return str(_begun[fault.name])


def rows() -> list[Row]:
    """Return a row for each fault."""
    return list(_rows())


def _rows() -> Iterator[Row]:
    for fault in FAULTS:
        kind = _kind(fault.outcome)
        reason = f", {fault.outcome}" if kind != fault.outcome else ""
        yield Row(
            "run: provider", fault.name, f"{fault.how}: {kind}{reason}", partial(trial, fault)
        )
