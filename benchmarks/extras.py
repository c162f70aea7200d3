"""Every extra with its pins: what pip finds for each, and the tests of those that `make test` does not install.

    python benchmarks/extras.py [extras=fuzz,ray,trl,verifiers] [only=pins]

pip resolves each extra of ``pyproject.toml`` for a fresh environment, with the pins of ``constraints-EXTRA.txt``
where there is such a file, else of ``constraints.txt``, and what the program's messages tell to install. Then each of
``extras`` is installed into an environment of its own, and the tests that need it run there; one that is skipped for
a missing package is a failure. The exit code is 1 when anything fails.
"""

from __future__ import annotations

import re
import shlex
import sys
import tempfile
import tomllib
from collections.abc import Callable
from functools import partial
from pathlib import Path

from wheels import PACKAGES, ROOT, Broken, say

from harness.datasets.extras import command_for

# What of an extra is tried: files of tests, or a command for the Python of its environment.
TRIED = {
    "fuzz": ("-m", "fuzzing", "target=plain", "seconds=5", "engine=atheris"),
    "ray": ("-m", "pytest", "-rs", "tests/datasets/test_ray.py", "tests/project/test_shell_examples.py", "-k", "ray"),
    "trl": ("-m", "pytest", "-rs", "tests/training/test_trl.py"),
    "verifiers": ("-m", "pytest", "-rs", "tests/training/test_verifiers.py"),
}  # fmt: skip
TESTERS = ("pytest", "hypothesis")
ALSO = {"verifiers": ("torch", "-c", "constraints-trl.txt")}  # of other extras, for its tests
LACKING = re.compile(r"SKIPPED.*(not installed|needs the extra).*")


def pins(extra: str) -> Path:
    """Return the file that pins an extra."""
    file = ROOT / f"constraints-{extra}.txt"
    return file if file.exists() else ROOT / "constraints.txt"


def environment(folder: Path) -> Path:
    """Make an environment that can build our packages; return its Python."""
    say(sys.executable, "-m", "venv", folder, folder=folder.parent)
    python = folder / "bin" / "python"
    say(python, "-m", "pip", "install", "-q", "-c", pins(""), "setuptools", "wheel", folder=folder)
    return python


def install(python: Path, extra: str, *options: str) -> None:
    """Install our packages and an extra with its pins; raises `Broken` where pip finds no way to."""
    ours = [word for package in PACKAGES[1:] for word in ("-e", f"./{package}")]
    say(
        python, "-m", "pip", "install", "--quiet", "--no-build-isolation", *options, "-c", pins(extra),
        "-e", f".[{extra}]", *ours, *TESTERS, folder=ROOT,
    )  # fmt: skip


def told(python: Path, extra: str) -> None:
    """Have pip look for what a message tells to install where an extra is missing."""
    words = shlex.split(command_for(extra).removeprefix("pip install"))
    say(python, "-m", "pip", "install", "--quiet", "--dry-run", "--no-deps", *words, folder=ROOT)


def tried(extra: str, folder: Path) -> str:
    """Install an extra and run what needs it; return the last line that this printed, if any."""
    python = environment(folder)
    install(python, extra, *ALSO.get(extra, ()))
    printed = say(python, *TRIED[extra], folder=ROOT, PYTHONPATH=str(ROOT / "tests"))
    if lacking := LACKING.search(printed):
        raise Broken(f"{extra}: {lacking[0]}")
    return (printed.strip().splitlines() or ["ran"])[-1]


def fails(what: str, job: Callable[[], str | None]) -> bool:
    """Do something and print what came of it; return whether it failed."""
    try:
        print(f"{what}: {job() or 'found'}", flush=True)
    except Broken as error:
        print(f"{what}: FAILED: {error}", flush=True)
        return True
    return False


def main(words: list[str]) -> int:
    """Print a line for each extra; return the exit code."""
    given = {"extras": ",".join(TRIED), "only": ""}
    given |= dict(word.partition("=")[::2] for word in words)
    extras = [] if given["only"] == "pins" else given["extras"].split(",")
    if unknown := [name for name in extras if name not in TRIED] + [
        k for k in given if k not in ("extras", "only")
    ]:
        print(f"extras: '{unknown[0]}' is not known; known: extras={','.join(TRIED)} only=pins")
        return 2
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    failed = False
    with tempfile.TemporaryDirectory(prefix="extras-") as name:
        python = environment(Path(name, "pins"))
        for extra in project["optional-dependencies"]:
            failed |= fails(f"{extra}: pins", partial(install, python, extra, "--dry-run"))
            failed |= fails(f"{extra}: {command_for(extra)}", partial(told, python, extra))
        for extra in extras:
            failed |= fails(extra, partial(tried, extra, Path(name, extra)))
    return int(failed)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
