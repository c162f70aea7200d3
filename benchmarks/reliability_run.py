"""Rows of the reliability table: ``harness run`` against a local server that speaks the OpenAI protocol."""

from __future__ import annotations

import json
import os
import signal
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import partial
from hashlib import sha256
from pathlib import Path
from random import Random
from typing import Any

import reliability_kit as kit
from reliability_kit import Broken, Command, Row, Tally

from harness.core.items import Item, to_json

N = 12
SECONDS = 0.15  # that an answer takes
KEYS = ("plugin=ltlbench", f"n={N}", "model=openai-api/local/test", "max_retries=1", "--json")
FORMS = {
    "run in one log": ("max_connections=3",),
    "run in shards": ("max_connections=1", "shards=3", "workers=2"),
}
UNDER_WAY = {
    "run in one log": 3,
    "run in shards": 2,
}  # answers at a time: what an interruption may cost
ROOM = 4_000_000  # bytes


def right(prompt: str) -> str:
    """Return what the model says to a prompt."""
    return f"Answer: {sha256(prompt.encode()).digest()[0] % 2 == 0}"


@dataclass
class Provider:
    """The server: how often each prompt was asked; ``mark`` is said in each answer.

    As long as it is not ``free``, it keeps the last of its answers: a run cannot end.
    """

    asked: Counter[str] = field(default_factory=Counter)
    mark: str = "first"
    act: Callable[[int], object] = lambda _: None
    free: threading.Event = field(default_factory=threading.Event)
    _lock: Any = field(default_factory=threading.Lock)

    def __call__(self, request: dict[str, Any], number: int) -> Any:
        """Count a request, and answer it."""
        prompt = request["messages"][-1]["content"]
        with self._lock:
            self.asked[prompt] += 1
            self.act(self.asked.total())
            last = len(self.asked) == N
        time.sleep(SECONDS)
        if last:
            self.free.wait(kit.PATIENCE)
        return kit.server.completion(f"({self.mark})\n\n{right(prompt)}")

    @contextmanager
    def unfinished(self) -> Iterator[None]:
        """Let no run end within a with block."""
        self.free.clear()
        try:
            yield
        finally:
            self.free.set()

    @property
    def again(self) -> int:
        """Return how many answers were asked for more often than once."""
        return sum(count - 1 for count in self.asked.values())


@dataclass(frozen=True, slots=True)
class Place:
    """A folder with a server for one try; ``logs`` is where logs go."""

    folder: Path
    form: str
    provider: Provider
    url: str
    logs: Path

    def start(self, *words: str, **how: Any) -> Command:
        """Start the command of the form."""
        env = {"LOCAL_API_KEY": "none", "LOCAL_BASE_URL": self.url, **how.pop("env", {})}
        own = (*KEYS, *FORMS[self.form], f"log_dir={self.logs}", *words)
        return Command(self.folder, "run", *own, env=env, **how)

    def reached(self, command: Command, number: int) -> bool:
        """Wait until so many requests were made in all; return whether the command is still at work."""
        return kit.waited(command, lambda: self.provider.asked.total() >= number)

    def at_some_moment(self, command: Command, rng: Random) -> None:
        """Wait for a moment between its next answer and its last but one."""
        had = self.provider.asked.total()
        number = rng.randint(had + 1, max(had + 1, N - 1))
        if not self.reached(command, number):
            raise Broken("the run was over too soon")
        time.sleep(rng.random() * 2 * SECONDS)

    def goes_on(self, interrupted: int, *words: str, **how: Any) -> Tally:
        """Give the command again and count what there is in the end."""
        said = self.start(*words, **how).ended(0)
        return self.finished(said, interrupted)

    def finished(self, said: str, interrupted: int) -> Tally:
        """Count the answers that a report counts, and hold each against what the server said."""
        (result,) = json.loads(said)["results"]
        if (result["n"], result["unscored"]) != (N, 0):
            raise Broken(f"n={result['n']}, unscored={result['unscored']}")
        told = kit.counted(sorted(self.provider.asked), answers(self.logs))
        if len(self.provider.asked) != N:
            raise Broken(f"{len(self.provider.asked)} prompts were asked about")
        bound = UNDER_WAY[self.form] * interrupted
        return Tally(1, told.lost, told.doubled, self.provider.again, bound)


def answers(logs: Path) -> list[str]:
    """Return the prompt of each answer that a report on a folder counts.

    Raises:
        Broken: an answer is not the one that was given to its prompt, or is not judged.
    """
    from inspect_ai.log import read_eval_log

    from harness.report import log_studies

    paths = log_studies.logs_of([str(logs)])
    (study,) = log_studies.load(paths, lambda line: None)
    prompts = {}
    for path in paths:
        for sample in read_eval_log(str(path)).samples or []:
            prompt = str(sample.input)
            if not sample.output.completion.endswith(right(prompt)):
                raise Broken("an answer is not the one that was given to its prompt")
            prompts[str(sample.id)] = prompt
    found = [one for series in study.series for one in series.answers]
    if any(one.row.outcome != "scored" for one in found):
        raise Broken(f"outcomes {Counter(one.row.outcome for one in found)}")
    return [prompts[one.id] for one in found]


@contextmanager
def placed(folder: Path, form: str, logs: Path | None = None) -> Iterator[Place]:
    """Have a server for one try."""
    provider = Provider()
    provider.free.set()
    with kit.server.serving(provider) as server:
        yield Place(folder, form, provider, server.url, logs or folder / "logs")


# ------------------------------------------------------------------------------- faults


def interrupted(place: Place, rng: Random, number: signal.Signals, **how: Any) -> None:
    """End a run at some moment."""
    with place.provider.unfinished():
        command = place.start(**how)
        place.at_some_moment(command, rng)
        command.signalled(number)


def signalled(form: str, number: signal.Signals, folder: Path, rng: Random) -> Tally:
    """End it once or twice, and give it again."""
    times = rng.randint(1, 2)
    with placed(folder, form) as place:
        for _ in range(times):
            if place.provider.asked.total() < N - 3:
                interrupted(place, rng, number)
        return place.goes_on(times)


def shard_killed(form: str, folder: Path, rng: Random) -> Tally:
    """Kill the process of a shard; the command goes on by itself."""
    with placed(folder, form) as place:
        with place.provider.unfinished():
            command = place.start()
            place.at_some_moment(command, rng)
            with command.held():  # it ends none of them itself
                below = command.below("harness.rerun.shard_process")
                if not below:
                    raise Broken("no shard had a process")
                rng.choice(below).kill()
        return place.finished(command.ended(0), 1)


def full(form: str, folder: Path, rng: Random) -> Tally:
    """Fill the disk in mid-run; then make room."""
    logs = folder / "disk"
    if not kit.may_mount():
        with placed(folder, form) as place:
            place.start(largest=rng.randrange(2_000, 20_000)).ended(1)
            return place.goes_on(1)
    with kit.disk(logs, ROOM), placed(folder, form, logs) as place:
        number = rng.randint(1, N - 4)
        place.provider.act = lambda count: kit.fill(logs) if count == number else None
        place.start().ended(1)
        (logs / "filler").unlink()
        return place.goes_on(1)


def locked(form: str, folder: Path, rng: Random) -> Tally:
    """Have the folder of the logs turn read-only in mid-run; then undo it."""
    logs = folder / "logs"
    number = rng.randint(1, N - 4)
    with placed(folder, form) as place:
        place.provider.act = lambda count: kit.lock(logs, True) if count == number else None
        try:
            place.start().ended(1)
        finally:
            kit.lock(logs, False)
        return place.goes_on(1)


def clocks(form: str, folder: Path, rng: Random) -> Tally:
    """Have the wall clock jump, kill it, and go on with another."""
    path = folder / "clock"
    env = kit.clock_of(path)
    with placed(folder, form) as place:
        kit.clock(path, rng)
        jump = rng.randint(1, 4)
        place.provider.act = lambda count: kit.clock(path, rng) if count == jump else None
        interrupted(place, rng, signal.SIGKILL, env=env)
        kit.aged(place.logs, rng)
        kit.clock(path, rng)
        return place.goes_on(1, env=env)


def changed(form: str, folder: Path, rng: Random) -> Tally:
    """Interrupt it, change its dataset, give it again: no old answer is among the new ones."""
    data = folder / "d.jsonl"
    Command(folder, "generate", "plugin=ltlbench", f"n={N}", f"out={data}").ended(0)
    Path(f"{data}.manifest.json").unlink()  # it holds a checksum
    words = (f"dataset={data}",)
    with placed(folder, form) as place:
        with place.provider.unfinished():
            command = place.start(*words)
            place.at_some_moment(command, rng)
            command.signalled(rng.choice((signal.SIGKILL, signal.SIGTERM)))
        lines = [json.loads(line) for line in data.read_text().splitlines()]
        rng.choice((_flip, _swap, _note))(lines, rng)
        data.write_text("".join(json.dumps(line) + "\n" for line in lines))
        place.provider.asked.clear()
        place.provider.mark = "second"
        said = place.start(*words).ended(0)
        (result,) = json.loads(said)["results"]
        paths = result.get("shards") or [result["log"]]
        found = list(_said([place.logs / Path(path).name for path in paths]))
        if old := sum(mark != "(second)" for _, mark in found):
            raise Broken(f"{old} answers to the old dataset are among the new ones")
        wanted = [line["prompt"] for line in lines]
        told = kit.counted(wanted, [prompt for prompt, _ in found])
        return Tally(1, told.lost, told.doubled, place.provider.again, 0)


def _said(logs: list[Path]) -> Iterator[tuple[str, str]]:
    from inspect_ai.log import read_eval_log

    for path in logs:
        for sample in read_eval_log(str(path)).samples or []:
            yield str(sample.input), sample.output.completion.partition("\n")[0]


def _flip(lines: list[dict[str, Any]], rng: Random) -> None:
    at = rng.randrange(N)
    other = {"True": "False", "False": "True"}[lines[at]["target"]]
    item = replace(Item.from_dict(lines[at]), target=other, id="")
    lines[at] = json.loads(to_json(item))


def _swap(lines: list[dict[str, Any]], rng: Random) -> None:
    one, two = rng.sample(range(N), 2)
    lines[one], lines[two] = lines[two], lines[one]


def _note(lines: list[dict[str, Any]], rng: Random) -> None:
    rng.choice(lines)["features"]["operators"] = 99


# ------------------------------------------------------------------------------- rows


def rows() -> list[Row]:
    """Return the rows of both forms."""
    return [row for form in FORMS for row in _rows(form)]


def _rows(form: str) -> Iterator[Row]:
    def one(fault: str, how: str, trial: Callable[..., Tally], *more: Any) -> Row:
        return Row(form, fault, how, partial(trial, form, *more))

    for number in (signal.SIGKILL, signal.SIGINT, signal.SIGTERM):
        yield one(number.name, "sent to the command, once or twice", signalled, number)
    if "shards" in form:
        how = "sent to the process of one shard; the command goes on by itself"
        yield one("SIGKILL of a shard", how, shard_killed)
    small = "tmpfs filled by another in mid-run" if kit.may_mount() else "RLIMIT_FSIZE"
    yield one("full disk", f"{small}; then room", full)
    flag = "chattr +i" if os.geteuid() == 0 else "chmod 555"
    yield one("read-only directory", f"{flag} on the folder of the logs in mid-run", locked)
    yield one("clock jumps", kit.CLOCK, clocks)
    how = (
        "SIGKILL or SIGTERM; then a label, a feature or the order is another: no old answer is used"
    )
    yield one("changed dataset", how, changed)
