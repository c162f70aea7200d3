"""What the reliability table is made with: rows, commands in processes of their own, and places that fail."""

from __future__ import annotations

import os
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from random import Random
from typing import IO

import psutil  # type: ignore[import-untyped]

ROOT = Path(__file__).parents[1]
TESTS = ROOT / "tests"
sys.path.append(str(TESTS))
server = import_module("openai_server")  # the one that the tests ask
PATIENCE = 300.0  # seconds that a command may take on a busy machine
AGAIN = 40  # how often another moment is tried where the command was over before it
# The negative ones are of a command that was still starting: it had nothing to say.
CODES = {signal.SIGKILL: (-9,), signal.SIGINT: (130, -2), signal.SIGTERM: (143, -15)}


class Broken(Exception):
    """Something that must hold did not; the message says what, and makes the row fail."""


class Over(Broken):
    """The command was over before the fault came."""


@dataclass(frozen=True, slots=True)
class Tally:
    """What tries came to: how many, items lost, items there twice, answers asked for twice and how many may be."""

    tried: int = 1
    lost: int = 0
    doubled: int = 0
    again: int = 0
    bound: int | None = None

    def __add__(self, other: Tally) -> Tally:
        bounds = [one for one in (self.bound, other.bound) if one is not None]
        return Tally(
            self.tried + other.tried,
            self.lost + other.lost,
            self.doubled + other.doubled,
            self.again + other.again,
            sum(bounds) if bounds else None,
        )


@dataclass(frozen=True, slots=True)
class Row:
    """One line of the table; ``trial`` makes one try in an empty folder, by chance alone that it is given.

    ``most`` bounds the number of tries where one of them takes long; ``alone``: it needs the main thread.
    """

    command: str
    fault: str
    how: str
    trial: Callable[[Path, Random], Tally]
    most: int | None = None
    alone: bool = False


def counted(wanted: Sequence[str], found: Sequence[str]) -> Tally:
    """Return how many of the items wanted are not there, and how many are there that should not be."""
    there = Counter(found)
    lost = sum(one not in there for one in wanted)
    return Tally(1, lost, len(found) - (len(set(wanted)) - lost))


# ------------------------------------------------------------------------------- commands


class Command:
    """A ``harness`` command at work in a folder, in a process of its own.

    No file that it writes may grow beyond ``largest`` bytes.
    """

    def __init__(
        self,
        folder: Path,
        *words: str,
        env: Mapping[str, str] | None = None,
        largest: int | None = None,
    ) -> None:
        self.words = words
        # Files without a name: the folder may be full, or read-only.
        self._said = (tempfile.TemporaryFile("w+"), tempfile.TemporaryFile("w+"))  # noqa: SIM115
        self.error = ""
        self.process = subprocess.Popen(
            [sys.executable, "-m", "harness.cli", *words],
            cwd=folder,
            env={**os.environ, **(env or {})},
            stdin=subprocess.DEVNULL,
            stdout=self._said[0],
            stderr=self._said[1],
            preexec_fn=lambda: _ready(largest),
        )

    def alive(self) -> bool:
        """Return whether it is still at work."""
        return self.process.poll() is None

    def ended(self, *codes: int) -> str:
        """Wait for its end; return what it printed, standard error last.

        Raises:
            Broken: it hung, showed a traceback or ended with another code.
        """
        try:
            code = self.process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
            raise Broken(f"{self.words[0]} hung") from None
        out, err = (_read(file) for file in self._said)
        if "Traceback" in err or code not in codes:
            raise Broken(f"{self.words[0]} ended with code {code}: {err.strip()[-300:]}")
        self.error = err
        return out

    def refused(self) -> str:
        """Wait until it has ended with one line that says why it cannot go on; return that line.

        Raises:
            Broken: it ended in any other way.
        """
        self.ended(1, 2)
        line = self.error.strip().splitlines()[-1:]
        if not line or not line[0].startswith("harness: "):
            raise Broken(f"{self.words[0]} gave no line: {self.error[-300:]!r}")
        return line[0]

    def below(self, module: str) -> list[psutil.Process]:
        """Return the processes below it that run a module."""
        with suppress(psutil.Error):
            found = psutil.Process(self.process.pid).children(recursive=True)
            return [one for one in found if _runs(one, module)]
        return []

    @contextmanager
    def held(self) -> Iterator[bool]:
        """Have it stand still for the length of a with block, whoever is slow; yields whether it was at work."""
        self.process.send_signal(signal.SIGSTOP)
        try:
            yield waited(self, self._stands)
        finally:
            self.process.send_signal(signal.SIGCONT)

    def _stands(self) -> bool:
        with suppress(psutil.Error):
            return bool(psutil.Process(self.process.pid).status() == psutil.STATUS_STOPPED)
        return False

    def signalled(self, number: signal.Signals) -> str:
        """Send it a signal and wait until it, and all that it started, is gone; return what it printed.

        Raises:
            Over: it has ended by itself.
        """
        # Standing still it neither ends nor starts anything before the signal is there.
        with self.held() as at_work:
            below = self.below("")
            self.process.send_signal(number)
        if not at_work:
            for file in self._said:
                file.close()
            raise Over(f"{self.words[0]} was over before {number.name}")
        said = self.ended(0, *CODES[number])
        if self.process.returncode == 0 and 0 not in CODES[number]:
            raise Over(f"{self.words[0]} was over while {number.name} was on its way")
        _, left = psutil.wait_procs(below, timeout=PATIENCE)
        if left:
            raise Broken(f"{len(left)} processes outlived the command")
        return said


def _read(file: IO[str]) -> str:
    with file:
        file.seek(0)
        return file.read()


def _ready(largest: int | None) -> None:
    """Make a new process as one that a shell starts: Ctrl-C ends it; no file may grow beyond ``largest`` bytes."""
    signal.signal(signal.SIGINT, signal.default_int_handler)
    if largest is not None:
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (largest, largest))


def _runs(process: psutil.Process, module: str) -> bool:
    with suppress(psutil.Error):
        return not module or module in process.cmdline()
    return False


def waited(command: Command, there: Callable[[], object]) -> bool:
    """Wait until something is there while a command is at work; return whether it still is."""
    end = time.monotonic() + PATIENCE
    while not there() and command.alive():
        if time.monotonic() > end:
            raise Broken("nothing happened")
        time.sleep(0.005)
    return command.alive()


def hit(begin: Callable[[float], bool]) -> None:
    """Try until a fault was injected while the command was at work (``begin`` returns True).

    ``begin`` is given the share of the command's time that it may wait before the fault: less with each try, as the
    time that was measured may be that of a machine which did other things, too.
    """
    for number in range(AGAIN):
        with suppress(Over):
            if begin(0.75**number):
                return
    raise Broken("the command was always over before the fault")


# ------------------------------------------------------------------------------- places that fail


def may_mount() -> bool:
    """Return whether this process can have file systems of its own."""
    return os.geteuid() == 0 and shutil.which("mount") is not None


@contextmanager
def disk(folder: Path, size: int) -> Iterator[None]:
    """Have a file system of so many bytes at a folder."""
    folder.mkdir(exist_ok=True)
    mounted("-t", "tmpfs", "-o", f"size={size}", "none", str(folder))
    try:
        yield
    finally:
        subprocess.run(["umount", "-l", str(folder)], check=True)


def mounted(*words: str) -> None:
    """Call ``mount``."""
    subprocess.run(["mount", *words], check=True, capture_output=True)


def remounted(folder: Path, how: str) -> None:
    """Change a file system of ours: ``ro``, ``rw``, or ``size=…`` bytes."""
    end = time.monotonic() + 30
    while subprocess.run(
        ["mount", "-o", f"remount,{how}", str(folder)], capture_output=True
    ).returncode:
        if time.monotonic() > end:
            raise Broken(f"{folder} could not be remounted {how}")
        time.sleep(0.1)  # somebody still has a file open


def lock(folder: Path, locked: bool) -> None:
    """Have nothing made, renamed or removed in a folder and those in it, not even by root; or undo that."""
    for one in [folder, *(path for path in folder.rglob("*") if path.is_dir())]:
        if os.geteuid():
            one.chmod(0o555 if locked else 0o755)
        else:
            flag = "+i" if locked else "-i"
            # A folder may have been renamed since it was listed.
            subprocess.run(["chattr", flag, str(one)], capture_output=True)


def fill(folder: Path) -> None:
    """Write until the disk of a folder is full."""
    with suppress(OSError), (folder / "filler").open("wb", 0) as file:
        while True:
            file.write(bytes(4096))


# ------------------------------------------------------------------------------- clocks

_FAKETIME = sorted(Path("/usr/lib").glob("*/faketime/libfaketimeMT.so.1"))
CLOCK = (
    "libfaketime moves the wall clock by years, back or forth, in mid-run; then SIGKILL, and another clock"
    if _FAKETIME
    else "SIGKILL; then all files get times between 1970 and 2106"
)


def clock(path: Path, rng: Random) -> None:
    """Have the clock of every process with `clock_of` a path show another time from now on."""
    days = rng.choice((-1, 1)) * rng.randrange(1, 9_000)
    new = path.with_suffix(".new")
    new.write_text(f"{days:+}d\n")
    new.replace(path)


def clock_of(path: Path) -> dict[str, str]:
    """Return the environment of a process whose clock a file moves; none where that cannot be had."""
    if not _FAKETIME:
        return {}
    return {
        "LD_PRELOAD": str(_FAKETIME[0]),
        "FAKETIME_TIMESTAMP_FILE": str(path),
        "FAKETIME_NO_CACHE": "1",
        "FAKETIME_DONT_FAKE_MONOTONIC": "1",
        "NO_FAKE_STAT": "1",
    }


def aged(folder: Path, rng: Random) -> None:
    """Give all that lies in a folder other times."""
    for path in folder.rglob("*"):
        moment = rng.randrange(2**32)
        with suppress(OSError):
            os.utime(path, (moment, moment), follow_symlinks=False)
