"""Rows of the reliability table: ``harness generate`` to a file, to shards (JSON lines, Parquet), on a cluster."""

from __future__ import annotations

import json
import os
import signal
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path
from random import Random
from typing import Any

import reliability_kit as kit
from reliability_kit import Broken, Command, Row, Tally

# 1,200 items, of which many are drawn again: that is where something could be lost or come twice.
KEYS = ("plugin=ltlbench", "operators=1", "events=4", "n=1200", "workers=2")
FORMS = {
    "generate to a file": ("out=d.jsonl",),
    "generate to shards": ("out=d", "shards=4"),
    "generate to Parquet": ("out=d", "shards=4", "to=parquet"),
}
ROOM = 64_000_000  # bytes


@dataclass(frozen=True, slots=True)
class Whole:
    """What an undisturbed run left, and the seconds to its first file, and from there to its end."""

    files: Mapping[str, bytes]
    start: float
    seconds: float


def begun(place: Path) -> bool:
    """Return whether anything of a dataset lies in a folder."""
    return any((place / name).exists() for name in ("d.jsonl.partial", "d.jsonl", "d"))


def start(place: Path, form: str, *words: str, **how: Any) -> Command:
    """Start the command of a form in a folder."""
    return Command(place, "generate", *KEYS, *FORMS[form], *words, **how)


@cache
def whole(form: str) -> Whole:
    """Return what an undisturbed run of a form leaves."""
    with _once[form], tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        started = time.monotonic()
        command = start(place, form)
        kit.waited(command, lambda: begun(place))
        first = time.monotonic()
        command.ended(0)
        return Whole(files(place), first - started, time.monotonic() - first)


_once = {form: threading.Lock() for form in FORMS}


def files(place: Path) -> dict[str, bytes]:
    """Return the finished files of a dataset by their names."""
    return {
        str(path.relative_to(place)): path.read_bytes()
        for path in sorted(place.rglob("*"))
        if path.is_file() and not unfinished(path.relative_to(place))
    }


def unfinished(path: Path) -> bool:
    """Return whether a name is one of what is not finished, or of what a command prints."""
    return (
        ".work" in path.parts
        or ".partial" in path.name
        or path.name.startswith(".")
        or path.name in ("clock", "filler")
    )


def ids(name: str, data: bytes) -> list[str]:
    """Return the ids of the items in one file of a dataset."""
    if name.endswith(".parquet"):
        import pyarrow as pa
        import pyarrow.parquet as pq

        return [str(one) for one in pq.read_table(pa.BufferReader(data))["id"].to_pylist()]
    if "manifest" in name:
        return []
    return [json.loads(line)["id"] for line in data.splitlines()]


def nothing_half(place: Path, form: str) -> None:
    """Refuse a file that stands under its final name and is not finished."""
    for name, data in files(place).items():
        if whole(form).files.get(name) != data:
            raise Broken(f"{name} stands there and is not what it should be")


def finished(place: Path, form: str) -> Tally:
    """Compare what is there with what an undisturbed run leaves."""
    there, wanted = files(place), whole(form).files
    found = [one for name, data in there.items() for one in ids(name, data)]
    told = kit.counted([one for name, data in wanted.items() for one in ids(name, data)], found)
    if there != wanted and not (told.lost or told.doubled):
        raise Broken(f"other bytes: {sorted(set(there.items()) ^ set(wanted.items()))!r:.200}")
    left = [path.name for path in place.rglob("*") if ".work" in path.parts]
    if left or any(place.glob("*.partial*")):
        raise Broken("something unfinished was left")
    return told


def goes_on(place: Path, form: str) -> Tally:
    """Give the command again and compare what it leaves."""
    again(place, form)
    return finished(place, form)


def again(place: Path, form: str, **how: Any) -> None:
    """Give the command again: it goes on, or says that all of it is there, where it is."""
    nothing_half(place, form)
    over = files(place) == whole(form).files
    start(place, form, **how).ended(*((0, 1, 2) if over else (0,)))


def at_some_moment(
    command: Command, place: Path, form: str, rng: Random, share: float, going: bool = False
) -> bool:
    """Wait for a moment within a share of the time that a command is at work; return whether it still is."""
    first = time.monotonic() + whole(form).start  # where it goes on with what is there
    kit.waited(command, lambda: begun(place) and (not going or time.monotonic() > first))
    end = time.monotonic() + rng.random() * whole(form).seconds * share
    return kit.waited(command, lambda: time.monotonic() > end)


# ------------------------------------------------------------------------------- faults


def signalled(form: str, number: signal.Signals, place: Path, rng: Random) -> Tally:
    """End it once or twice, and give it again."""
    whole(form)

    def once(share: float) -> bool:
        going = begun(place)
        command = start(place, form)
        if not at_some_moment(command, place, form, rng, share, going=going):
            command.ended(0)
            _clear(place)
            return False
        try:
            command.signalled(number)
        except kit.Over:
            _clear(place)  # it is all there, and the next one would say so
            raise
        return True

    for _ in range(rng.randint(1, 2)):
        if files(place) == whole(form).files:  # the signal met it when all was done
            break
        kit.hit(once)
        nothing_half(place, form)
    return goes_on(place, form)


def _clear(place: Path) -> None:
    for path in sorted(place.rglob("*"), reverse=True):
        path.rmdir() if path.is_dir() and not path.is_symlink() else path.unlink()


def worker_killed(form: str, place: Path, rng: Random) -> Tally:
    """Kill one of its workers; it goes on by itself."""
    whole(form)

    def once(share: float) -> bool:
        _clear(place)
        command = start(place, form)
        at_some_moment(command, place, form, rng, 0.7 * share)
        with command.held() as alive:  # it ends none of them itself
            below = command.below("harness_guard.worker")
            if alive and below:
                rng.choice(below).kill()
        command.ended(0)
        return bool(alive and below)

    kit.hit(once)
    return finished(place, form)


def two(form: str, place: Path, rng: Random) -> Tally:
    """Give it twice at once: one makes the dataset, the other says that it is being made or is there."""
    whole(form)
    first = start(place, form)
    time.sleep(rng.random() * 2)
    second = start(place, form)
    codes = []
    for command in (first, second):
        command.ended(0, 1, 2)
        codes.append(command.process.returncode)
        if codes[-1] and len(command.error.strip().splitlines()) != 1:
            raise Broken(f"more than one line: {command.error[-300:]}")
    if codes.count(0) != 1:
        raise Broken(f"codes {codes}")
    return finished(place, form)


def full(form: str, place: Path, rng: Random) -> Tally:
    """Have room for a part of it only, then for all."""
    sizes = [len(data) for data in whole(form).files.values()]
    if not kit.may_mount():
        largest = rng.randrange(1, max(sizes))
        start(place, form, largest=largest).refused()
        return goes_on(place, form)
    spot = place / "disk"
    with kit.disk(spot, rng.randrange(100_000, sum(sizes))):
        start(spot, form).refused()
        nothing_half(spot, form)
        kit.remounted(spot, f"size={ROOM}")
        return goes_on(spot, form)


def locked(form: str, place: Path, rng: Random) -> Tally:
    """Have its folders turn read-only in mid-run."""
    whole(form)
    spot = place / "spot"
    spot.mkdir()

    def once(share: float) -> bool:
        _clear(spot)
        command = start(spot, form)
        at_some_moment(command, spot, form, rng, share)
        with command.held() as alive:
            kit.lock(spot, True)
        try:
            command.ended(0, 1, 2)
        finally:
            kit.lock(spot, False)
        return alive and bool(command.process.returncode)

    kit.hit(once)
    return goes_on(spot, form)


def read_only(form: str, place: Path, rng: Random) -> Tally:
    """Kill it, have the file system read-only, give it again, and once more when it can be written."""
    whole(form)
    spot = place / "disk"
    with kit.disk(spot, ROOM):

        def once(share: float) -> bool:
            _clear(spot)
            command = start(spot, form)
            alive = at_some_moment(command, spot, form, rng, share)
            if alive:
                command.signalled(signal.SIGKILL)
            else:
                command.ended(0)
            return alive

        kit.hit(once)
        kit.remounted(spot, "ro")
        before = files(spot)
        Command(place, "generate", *KEYS, *_moved(FORMS[form], spot)).refused()
        kit.remounted(spot, "rw")
        if files(spot) != before:
            raise Broken("a read-only file system was written")
        return goes_on(spot, form)


def _moved(words: tuple[str, ...], spot: Path) -> list[str]:
    return [word.replace("out=", f"out={spot}/") for word in words]


def clocks(form: str, place: Path, rng: Random) -> Tally:
    """Have the wall clock jump, kill it, and go on with another."""
    whole(form)
    path = place / "clock"

    def once(share: float) -> bool:
        _clear(place)
        kit.clock(path, rng)
        command = start(place, form, env=kit.clock_of(path))
        if at_some_moment(command, place, form, rng, 0.4 * share):
            kit.clock(path, rng)
        if not at_some_moment(command, place, form, rng, 0.4 * share):
            command.ended(0)
            return False
        command.signalled(signal.SIGKILL)
        return True

    kit.hit(once)
    kit.aged(place, rng)
    kit.clock(path, rng)
    again(place, form, env=kit.clock_of(path))
    return finished(place, form)


# ------------------------------------------------------------------------------- a cluster


@contextmanager
def cluster() -> Iterator[Any]:
    """Have a Ray cluster of three nodes on this machine."""
    os.environ["RAY_USAGE_STATS_ENABLED"] = "0"
    from ray.cluster_utils import Cluster

    node: dict[str, Any] = {"num_cpus": 1, "object_store_memory": 80_000_000}
    found = Cluster(initialize_head=True, head_node_args={**node, "include_dashboard": False})
    try:
        for _ in range(2):
            found.add_node(**node)
        yield found
    finally:
        found.shutdown()


def node_killed(form: str, place: Path, rng: Random) -> Tally:
    """Kill a node of a cluster; the command goes on by itself."""
    whole(form)
    with cluster() as nodes:

        def once(share: float) -> bool:
            _clear(place)
            command = start(place, form, "engine=ray", f"address={nodes.address}")
            alive = at_some_moment(command, place, form, rng, share)
            if alive:
                victim = rng.choice(sorted(nodes.worker_nodes, key=id))
                nodes.remove_node(victim, allow_graceful=False)
            command.ended(0)
            return alive

        kit.hit(once)
        return finished(place, form)


# ------------------------------------------------------------------------------- rows


def rows() -> list[Row]:
    """Return the rows of all forms."""
    return [row for form in FORMS for row in _rows(form)]


def _rows(form: str) -> Iterator[Row]:
    def one(fault: str, how: str, trial: Callable[..., Tally], *more: Any) -> Row:
        return Row(form, fault, how, partial(trial, form, *more))

    for number in (signal.SIGKILL, signal.SIGINT, signal.SIGTERM):
        yield one(number.name, "sent to the command, once or twice", signalled, number)
    yield one("SIGKILL of a worker", "sent to one of the two workers", worker_killed)
    yield one("two at once", "the second starts up to 2 s after the first", two)
    small = "tmpfs too small for all of it" if kit.may_mount() else "RLIMIT_FSIZE"
    yield one("full disk", f"{small}; then room", full)
    flag = "chattr +i" if os.geteuid() == 0 else "chmod 555"
    yield one("read-only directory", f"{flag} on all its folders in mid-run; then undone", locked)
    if kit.may_mount():
        yield one("read-only file system", "SIGKILL; tmpfs remounted ro; then rw", read_only)
    yield one("clock jumps", kit.CLOCK, clocks)
    yield Row(
        form,
        "Ray node killed",
        "one of three nodes of `ray.cluster_utils.Cluster`, engine=ray",
        partial(node_killed, form),
        most=2,
        alone=True,
    )
