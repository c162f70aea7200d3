"""The first hour of a new user, measured: what `make run` takes, on the oldest and the newest Python that are here.

    python benchmarks/first_hour.py [python=/usr/bin/python3.11 …]

The tracked files are copied as a clone would have them, and `make run` runs there with nothing of this environment.
Printed are the seconds of the whole (with pip's cache as it is), the megabytes on disk, and the seconds of the
commands that come first. Every ``pip install`` of the documents and of the program's messages has to find what it
names, as it is written (pip installs nothing: ``--dry-run``). A lean environment, the core and one benchmark, has to
run, too, and to say in a line what a model of a provider needs. The exit code is 1 where something fails or the
environment is larger than `MOST`; no time fails.
"""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

from wheels import ROOT, Broken, copied, say

from harness.cli.tables import grid

sys.path.insert(0, str(ROOT / "tests"))
SHOWN, TABLES = map(import_module, ("shell_examples", "shell_tables"))  # what documents show

MOST = 700  # megabytes of the environment that `make run` makes
GOAL = 60  # seconds for it where wheels are cached
OLDEST = (3, 11)
FIRST = (("--help",), ("list",), ("describe", "plugin=ltlbench"), ("run", "plugin=ltlbench", "n=5"))
LEAN = (
    "libs/errors",
    "libs/guard",
    "libs/answers",
    "libs/svg",
    "libs/pages",
    "libs/proof",
    ".",
    "plugins/timepuzzles",
)
PROVIDER = "anthropic"
INSTALL = re.compile(r"(?:python -m )?pip install (.*)")
# What messages name; those of missing extras are tried by extras.py, in environments that lack them.
NAMED = ("-e .", "-e plugins/ltlbench", "spottl", "'inspect_ai>=0.3.285'", "anthropic")


def pythons() -> dict[tuple[int, ...], Path]:
    """Return the Pythons on the path and of pyenv that can make environments, by version, oldest first."""
    root = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv"))
    folders = [Path(folder) for folder in os.environ["PATH"].split(os.pathsep)]
    folders += [Path("/usr/bin"), *root.glob("versions/*/bin")]
    installed: dict[tuple[int, ...], Path] = {}
    for path in (file for folder in folders for file in sorted(folder.glob("python3.1?"))):
        ask = "import ensurepip, sys; print(*sys.version_info[:3])"
        done = subprocess.run([path, "-c", ask], capture_output=True, text=True, check=False)
        version = tuple(map(int, done.stdout.split()))
        if version[:2] >= OLDEST and "shims" not in path.parts:
            installed.setdefault(version, path)
    return dict(sorted(installed.items()))


def megabytes(folder: Path) -> int:
    """Return what a folder takes on disk."""
    return int(say("du", "-sm", folder, folder=folder).split()[0])


def timed(*words: str | Path, folder: Path) -> float:
    """Run a command; return the seconds that it took."""
    start = time.monotonic()
    say(*words, folder=folder)
    return time.monotonic() - start


def lines() -> dict[str, str]:
    """Return what each ``pip install`` of documents and messages is to install, with where it stands."""
    outputs: dict[str, str] = {}
    for page in SHOWN.pages():
        for command in SHOWN.commands(page, (ROOT / page).read_text(encoding="utf-8")):
            text = command.text
            for rule in TABLES.FILLED:
                text = rule.of(page, text)
            if match := INSTALL.fullmatch(text):
                outputs.setdefault(match[1], f"{page}:{command.line}")
    return {**dict.fromkeys(NAMED, "a message"), **outputs}


def tried(folder: Path) -> int:
    """Have pip look for what documents tell to install, in a clone with its environment; return how many lines."""
    say(folder / ".venv/bin/harness", "new", "mybench", folder=folder)  # as docs/tutorial.md does
    for packages, where in lines().items():
        try:
            say(
                folder / ".venv/bin/python", "-m", "pip", "install", "--dry-run", "--quiet",
                *shlex.split(packages), folder=folder,
            )  # fmt: skip
        except Broken as error:
            raise Broken(f"{where}: pip install {packages}: {error}") from None
    return len(lines())


def rows(python: Path, folder: Path) -> Iterator[list[str]]:
    """Yield what was measured with one Python, each with the goal if there is one."""
    copied(folder)
    seconds = timed("make", "run", f"PYTHON={python}", folder=folder)
    size = megabytes(folder / ".venv")
    yield ["make run: seconds", f"{seconds:.0f}", str(GOAL)]
    yield ["make run: MB on disk", str(size), str(MOST)]
    if size > MOST:
        raise Broken(f"the environment takes {size} MB, more than {MOST}")
    harness = folder / ".venv" / "bin" / "harness"
    for words in FIRST:
        yield [
            f"harness {' '.join(words)}: seconds",
            f"{timed(harness, *words, folder=folder):.2f}",
            "",
        ]
    yield ["pip install … of documents and messages", str(tried(folder)), ""]
    lean = folder / "lean"
    say(python, "-m", "venv", lean, folder=folder)
    pip = (lean / "bin" / "python", "-m", "pip", "install", "--quiet", "-c", "constraints.txt")
    say(*pip, "setuptools", "wheel", folder=folder)
    say(
        *pip,
        "--no-build-isolation",
        *(word for part in LEAN for word in ("-e", f"./{part}")),
        folder=folder,
    )
    yield ["core and timepuzzles: MB on disk", str(megabytes(lean)), ""]
    words = ("run", "plugin=timepuzzles", "n=3")
    seconds = timed(lean / "bin" / "harness", *words, folder=folder)
    yield [f"harness {' '.join(words)} in it: seconds", f"{seconds:.2f}", ""]
    try:
        say(lean / "bin" / "harness", *words, f"model={PROVIDER}/a-model", folder=folder)
    except Broken as error:
        if f"pip install {PROVIDER}" not in str(error):
            raise
        yield ["a provider that is not installed", str(error).splitlines()[-1], ""]
    else:
        raise Broken(f"model={PROVIDER}/a-model ran without the package {PROVIDER}")


def main(words: list[str]) -> int:
    """Print a table for each Python; return the exit code."""
    named = [Path(word.removeprefix("python=")) for word in words]
    known = pythons()
    for python in named or dict.fromkeys([*known.values()][:: max(1, len(known) - 1)]):
        if shutil.which(str(python)) is None:
            print(
                f"first_hour: {python} is no program; known: {', '.join(map(str, known.values()))}"
            )
            return 2
        version = say(python, "--version", folder=Path.cwd()).strip()
        print(f"{version} at {python}", flush=True)
        with tempfile.TemporaryDirectory(prefix="first-hour-") as folder:
            try:
                table = [["what", "here", "goal"], *rows(python, Path(folder))]
            except Broken as error:
                print(f"FAILED: {error}")
                return 1
        print(grid(table), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
