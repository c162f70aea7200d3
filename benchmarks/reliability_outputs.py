"""Rows of the reliability table: commands that read a dataset or logs and write a log, files or a folder."""

from __future__ import annotations

import json
import shutil
import signal
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path
from random import Random
from typing import Any

import reliability_kit as kit
from reliability_kit import Broken, Command, Row, Tally

N = 250
ROOM = 64_000_000  # bytes
DATA = ("plugin=ltlbench", "dataset=in/d.jsonl")
COMMANDS = {
    "score": ("score", *DATA, "responses=in/said.jsonl", "log_dir=made"),
    "rescore": ("score", "in/log.eval", "log_dir=made"),
    "verify": ("verify", *DATA, "corrected=made/fixed.jsonl", "report=made/audit"),
    "export to=jsonl": ("export", *DATA, "to=jsonl", "out=made/e.jsonl"),
    "export to=parquet": ("export", *DATA, "to=parquet", "out=made/e.parquet"),
    "export to=huggingface": ("export", *DATA, "to=huggingface", "out=made/e"),
    "export to=published": (
        "export",
        *DATA,
        "to=published",
        "format=ltlbench_csv",
        "out=made/e.csv",
    ),
    "report": ("report", "in/log.eval", "out=made/page"),
}


@dataclass(frozen=True, slots=True)
class Whole:
    """What an undisturbed command leaves, and how many seconds it took."""

    files: Mapping[str, Any]
    seconds: float


@cache
def inputs() -> Path:
    """Make a dataset, answers to it and a log; return their folder, which lasts as long as the program."""
    with _once:
        folder = tempfile.TemporaryDirectory(prefix="reliability-")
        _kept.append(folder)
        place = Path(folder.name)
        (place / "in").mkdir()
        Command(place, "generate", "plugin=ltlbench", f"n={N}", "out=in/d.jsonl").ended(0)
        lines = [json.loads(line) for line in (place / "in/d.jsonl").read_text().splitlines()]
        said = [
            {"id": one["id"], "response": f"Answer: {number % 3 > 0}"}
            for number, one in enumerate(lines)
        ]
        (place / "in/said.jsonl").write_text("".join(json.dumps(one) + "\n" for one in said))
        Command(place, *COMMANDS["score"]).ended(0)
        (log,) = (place / "made").glob("*.eval")
        log.replace(place / "in/log.eval")
        shutil.rmtree(place / "made")
        return place / "in"


_kept: list[tempfile.TemporaryDirectory[str]] = []
_once = threading.RLock()


def start(place: Path, name: str, **how: Any) -> Command:
    """Start a command in a folder that has, or gets, the inputs."""
    if not (place / "in").exists():
        shutil.copytree(inputs(), place / "in")
    return Command(place, *COMMANDS[name], **how)


@cache
def whole(name: str) -> Whole:
    """Return what an undisturbed command leaves."""
    with _once, tempfile.TemporaryDirectory(prefix="reliability-") as folder:
        inputs()  # before the clock starts: the first command makes them
        begun = time.monotonic()
        start(Path(folder), name).ended(0, 1)  # an audit with findings ends with 1
        return Whole(files(Path(folder)), time.monotonic() - begun)


def files(place: Path) -> dict[str, Any]:
    """Return what stands under final names: bytes, or what a log says."""
    found: dict[str, Any] = {}
    for path in sorted((place / "made").rglob("*")):
        name = path.relative_to(place / "made")
        hidden = any(part.startswith(".") or ".partial" in part for part in name.parts)
        if path.is_file() and not hidden and path.name != "filler":
            if path.suffix == ".eval":
                found[f"log {len(found)}"] = _log(path)
            else:
                found[str(name)] = path.read_bytes()
    return found


def _log(path: Path) -> list[Any]:
    from inspect_ai.log import read_eval_log

    log = read_eval_log(str(path))
    if log.status != "success":
        raise Broken(f"a log under its final name is {log.status}")
    return [
        (str(one.id), one.epoch, repr((score.value, score.answer, score.explanation)))
        for one in sorted(log.samples or [], key=lambda one: (str(one.id), one.epoch))
        for score in (one.scores or {}).values()
    ]


def nothing_half(place: Path, name: str) -> None:
    """Refuse whatever stands under a final name and is not whole."""
    for file, data in files(place).items():
        if whole(name).files.get(file) != data:
            raise Broken(f"{file} stands there and is not what it should be")


def finished(place: Path, name: str) -> Tally:
    """Compare what is there with what an undisturbed command leaves."""
    there, wanted = files(place), whole(name).files
    logs = [one for one in wanted if one.startswith("log ")]
    if logs:  # samples can be counted
        found = [sample for data in there.values() for sample in data]
        return kit.counted(wanted[logs[0]], found)
    if there != wanted:
        other = sorted(one for one in {*there, *wanted} if there.get(one) != wanted.get(one))
        raise Broken(f"not the same bytes: {', '.join(other)}")
    return Tally()


def goes_on(place: Path, name: str) -> Tally:
    """Give the command again and compare what it leaves; not where its log was there: another would be another."""
    nothing_half(place, name)
    if files(place) == whole(name).files and any(one.startswith("log ") for one in files(place)):
        return finished(place, name)
    start(place, name).ended(*((0, 1, 2) if files(place) == whole(name).files else (0, 1)))
    return finished(place, name)


# ------------------------------------------------------------------------------- faults


def signalled(name: str, number: signal.Signals, place: Path, rng: Random) -> Tally:
    """End it at some moment, and give it again."""
    whole(name)

    def once(share: float) -> bool:
        shutil.rmtree(place / "made", ignore_errors=True)
        command = start(place, name)
        end = time.monotonic() + (0.2 + 0.8 * rng.random()) * whole(name).seconds * share
        if not kit.waited(command, lambda: time.monotonic() > end):
            command.ended(0, 1)
            return False
        command.signalled(number)
        return True

    kit.hit(once)
    return goes_on(place, name)


def full(name: str, place: Path, rng: Random) -> Tally:
    """Have room for a part only, then for all."""
    whole(name)
    made = place / "made"
    need = sum(len(data) for data in whole(name).files.values() if isinstance(data, bytes))
    most = max(need, 12_000)  # a log is compressed
    if not kit.may_mount():
        start(place, name, largest=rng.randrange(1, most)).refused()
        return goes_on(place, name)
    with kit.disk(made, 4096 * rng.randint(2, max(2, most // 5000))):
        _refused(start(place, name))
        nothing_half(place, name)
        kit.remounted(made, f"size={ROOM}")
        return goes_on(place, name)


def _refused(command: Command) -> None:
    line = command.refused()
    if "space" not in line and "File too large" not in line:
        raise Broken(f"the line does not say that the disk is full: {line}")


# ------------------------------------------------------------------------------- rows


def rows() -> list[Row]:
    """Return the rows of all commands."""
    return [row for name in COMMANDS for row in _rows(name)]


def _rows(name: str) -> Iterator[Row]:
    def one(fault: str, how: str, trial: Callable[..., Tally], *more: Any) -> Row:
        return Row(name, fault, how, partial(trial, name, *more))

    for number in (signal.SIGKILL, signal.SIGTERM):
        yield one(number.name, "sent to the command", signalled, number)
    small = "tmpfs too small for all of it" if kit.may_mount() else "RLIMIT_FSIZE"
    yield one("full disk", f"{small}; then room", full)
