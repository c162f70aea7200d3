"""What users install: wheels of all packages, in clean environments without a checkout, on every Python there is.

    python benchmarks/wheels.py [pythons=3.11,3.12,3.13] [check=yes]

Wheels are built from the tracked files alone, of the core, `libs/` and `plugins/`, and installed with the pinned
versions into an environment of each Python that is found here: on the path, or where pyenv keeps them. From an empty
folder `harness` then says whether all is well, generates, verifies and evaluates items of each benchmark and writes a
plugin; ``check=yes`` puts each benchmark, and the new plugin, through the conformance kit, which takes minutes. Every
Python has to make the same bytes. The exit code is 1 when anything fails, or when no Python is found.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PACKAGES = (
    ".",
    "libs/errors",
    "libs/guard",
    "libs/answers",
    "libs/svg",
    "libs/pages",
    "libs/logic",
    "libs/tlsf",
    "libs/proof",
    "plugins/ltlbench",
    "plugins/tempobench",
    "plugins/timepuzzles",
    "plugins/vltl",
)
PLUGINS = tuple(package.rpartition("/")[2] for package in PACKAGES if package.startswith("plugins"))
PYTHONS = "3.11,3.12,3.13"
DEFAULTS = {"pythons": PYTHONS, "check": "no"}
N = 20
PATIENCE = 900  # seconds for one command
_WHERE = (
    "import harness, importlib.util, sys; assert importlib.util.find_spec('harness_verifiers'); "
    "print(harness.__file__, '%d.%d.%d' % sys.version_info[:3])"
)


class Broken(Exception):
    """A command that did not end well; the text says which, and how."""


def say(*words: str | Path, folder: Path, **variables: str) -> str:
    """Run a command with nothing of this environment but its path and home; return what it printed."""
    kept = {key: os.environ[key] for key in ("PATH", "HOME", "LANG") if key in os.environ}
    done = subprocess.run(
        [str(word) for word in words],
        cwd=folder, env=kept | {"PIP_DISABLE_PIP_VERSION_CHECK": "1"} | variables,
        capture_output=True, text=True, timeout=PATIENCE, check=False,
    )  # fmt: skip
    if done.returncode:
        tail = "\n".join(f"{done.stdout}\n{done.stderr}".strip().splitlines()[-8:])
        raise Broken(f"{' '.join(map(str, words))}: exit code {done.returncode}\n{tail}")
    return done.stdout


def found(version: str) -> Path | None:
    """Return the interpreter of a version such as 3.12, or None."""
    root = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv"))
    named = [shutil.which(f"python{version}"), sys.executable]
    kept = sorted(root.glob(f"versions/{version}.*/bin/python{version}"))
    for one in [*(Path(name) for name in named if name), *kept]:
        told = subprocess.run(
            [one, "-c", "import sys; print('%d.%d' % sys.version_info[:2])"],
            capture_output=True, text=True, check=False,
        )  # fmt: skip
        if told.stdout.strip() == version:
            return one
    return None


def copied(folder: Path) -> None:
    """Copy the tracked files, as they are now, into a folder."""
    names = subprocess.run(
        ["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout
    for name in filter(None, names.split("\0")):
        if (ROOT / name).is_file():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, folder / name)


def build(folder: Path) -> list[Path]:
    """Build the wheels from the tracked files as they are now."""
    source, wheels = folder / "source", folder / "wheels"
    copied(source)
    for package in PACKAGES:
        say(
            sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--no-build-isolation",
            "--wheel-dir", wheels, source / package, folder=folder,
        )  # fmt: skip
    return sorted(wheels.glob("*.whl"))


def installed(python: Path, wheels: list[Path], folder: Path) -> Path:
    """Make an environment that holds the wheels; return its folder of programs."""
    say(python, "-m", "venv", folder / "env", folder=folder)
    programs = folder / "env" / "bin"
    pins = ROOT / "constraints.txt"
    say(programs / "python", "-m", "pip", "install", "--quiet", "-c", pins, *wheels, folder=folder)
    return programs


def used(programs: Path, folder: Path, check: bool) -> dict[str, str]:
    """Use what is installed from an empty folder; return the digest of each benchmark's items."""
    where = say(programs / "python", "-c", _WHERE, folder=folder)
    if not where.startswith(str(folder)):
        raise Broken(f"harness is not the one installed: {where}")
    harness = programs / "harness"
    say(harness, "doctor", folder=folder)
    digests = {}
    for plugin in PLUGINS:
        named, given = f"plugin={plugin}", "dataset=items.jsonl"
        say(harness, "generate", named, f"n={N}", "out=items.jsonl", folder=folder)
        digests[plugin] = hashlib.sha256((folder / "items.jsonl").read_bytes()).hexdigest()[:12]
        say(harness, "verify", named, given, "report=none", folder=folder)
        told = say(harness, "run", named, given, "--json", folder=folder)
        (result,) = json.loads(told)["results"]
        if (result["n"], result["failed"]) != (N, 0):
            raise Broken(f"run of {plugin}: {result['n']} items, {result['failed']} failed")
        for left in folder.glob("items.jsonl*"):
            left.unlink()
        if check:
            say(harness, "check", named, folder=folder)
    say(harness, "new", "mybench", folder=folder)
    if check:
        options = ("--quiet", "--no-deps", "--no-build-isolation")
        say(programs / "python", "-m", "pip", "install", "--quiet", "setuptools", folder=folder)
        say(programs / "python", "-m", "pip", "install", *options, "./mybench", folder=folder)
        say(harness, "check", "plugin=mybench", folder=folder)
    return digests


def table(versions: list[str], check: bool) -> Iterator[tuple[str, str, dict[str, str]]]:
    """Yield a version, what became of it, and the digests of its items."""
    with tempfile.TemporaryDirectory(prefix="wheels-") as name:
        folder = Path(name)
        wheels = build(folder)
        print(f"{len(wheels)} wheels: {', '.join(wheel.name for wheel in wheels)}", flush=True)
        for version in versions:
            python = found(version)
            if python is None:
                yield version, "not found here", {}
                continue
            place = folder / version
            place.mkdir()
            try:
                digests = used(installed(python, wheels, place), place, check)
            except Broken as error:
                yield version, f"FAILED: {error}", {}
            else:
                yield version, "installed, and everything works", digests


def main(words: list[str]) -> int:
    """Print a line for each Python; return the exit code."""
    given = dict(word.partition("=")[::2] for word in words)
    if unknown := set(given) - set(DEFAULTS):
        print(f"wheels: unknown {', '.join(sorted(unknown))}; known: {', '.join(DEFAULTS)}")
        return 2
    given = DEFAULTS | given
    versions = given["pythons"].split(",")
    if given["check"] not in ("yes", "no") or not all(
        re.fullmatch(r"3\.\d+", one) for one in versions
    ):
        print(
            f"wheels: expected pythons={PYTHONS} and check=yes or check=no, not {' '.join(words)}"
        )
        return 2
    kept: dict[str, dict[str, str]] = {}
    failed = False
    for version, what, digests in table(versions, given["check"] == "yes"):
        print(f"Python {version}: {what}", *(f"{k} {v}" for k, v in digests.items()), flush=True)
        failed |= what.startswith("FAILED")
        if digests:
            kept[version] = digests
    if len({tuple(digests.items()) for digests in kept.values()}) > 1:
        print("FAILED: not every Python makes the same items")
        failed = True
    return 1 if failed or not kept else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
