"""Which pins lag behind, and what holds each back: a package that wants less, an older Python, or code of ours.

    python benchmarks/pins.py [constraints.txt …]

For each file of constraints: the pins that are not the newest version that the oldest Python promised can have, as
pip finds it. The reasons come from the metadata of what is installed here, and from `OURS`. It changes nothing.
"""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from importlib import metadata
from pathlib import Path

from packaging.requirements import InvalidRequirement, Requirement
from packaging.utils import canonicalize_name
from packaging.version import Version

from harness.cli.tables import grid

ROOT = Path(__file__).resolve().parents[1]
OLDEST = "3.11"  # the Python whose first release must do
# Bounds that our own code sets, and the private or deprecated thing behind each.
OURS = {
    "inspect-ai": "private names of it in harness/run/compat.py (tests/run/test_compat.py says what breaks)",
    "mkdocs": "docs/site is built on plugins that its next major version ends",
    "verifiers": "harness/training/verifiers.py uses verifiers.v1, of which it promises nothing yet",
    "setuptools": "pip's `-e` without isolation, and pkg_resources, which pyModelChecking's build wants",
}


def pins(path: Path) -> dict[str, str]:
    """Return the pins that a file itself holds."""
    lines = path.read_text(encoding="utf-8").splitlines()
    return dict(line.split("==") for line in lines if "==" in line)


def newest(name: str, python: str = "") -> str | None:
    """Return the newest version that pip finds for a version of Python, else for any; None where it finds none."""
    options = ["--python-version", python, "--only-binary=:all:"] if python else []
    words = [sys.executable, "-m", "pip", "index", "versions", name, *options]
    printed = subprocess.run(words, capture_output=True, text=True, check=False).stdout
    match = re.match(r"\S+ \((\S+)\)", printed)
    return match[1] if match else None


def bounds() -> dict[str, list[tuple[str, Requirement]]]:
    """Return who asks for which versions of a package, of all that is installed here."""
    requirements: dict[str, list[tuple[str, Requirement]]] = {}
    for distribution in metadata.distributions():
        for line in distribution.requires or ():
            try:
                wanted = Requirement(line)
            except InvalidRequirement:
                continue
            if wanted.marker is None or wanted.marker.evaluate({"extra": ""}):
                requirements.setdefault(canonicalize_name(wanted.name), []).append(
                    (distribution.name, wanted)
                )
    return requirements


def reasons(
    name: str, latest: str, asked: dict[str, list[tuple[str, Requirement]]]
) -> Iterator[str]:
    """Yield what keeps a package from its newest version."""
    wanted = asked.get(canonicalize_name(name), ())
    bound = [
        f"{owner} wants {w.specifier}"
        for owner, w in wanted
        if not w.specifier.contains(latest, prereleases=True)
    ]
    yield from bound
    if why := OURS.get(canonicalize_name(name)):
        yield why
    elif not bound:
        installed = canonicalize_name(name) in asked
        yield "no bound that we know: try it" if installed else "its extra is not installed here"


def lagging(path: Path) -> list[list[str]]:
    """Return a row for each pin of a file that lags behind: package, pin, newest, newest of any Python, reasons."""
    pinned, asked = pins(path), bounds()
    with ThreadPoolExecutor(8) as pool:
        found = dict(
            zip(
                pinned,
                pool.map(lambda name: newest(name, OLDEST) or newest(name), pinned),
                strict=True,
            )
        )
    rows = []
    for name, latest in found.items():
        if latest is None or Version(latest) <= Version(pinned[name]):
            continue
        rows.append(
            [
                name,
                pinned[name],
                latest,
                "; ".join(reasons(name, latest, asked)),
            ]
        )
    return rows


def main(words: list[str]) -> int:
    """Print a table for each file of constraints."""
    for path in [Path(word) for word in words] or sorted(ROOT.glob("constraints*.txt")):
        rows = lagging(path)
        print(f"{path.name}: {len(rows)} of {len(pins(path))} pins lag behind")
        if rows:
            print(grid([["package", "pin", f"newest for {OLDEST}", "held back by"], *rows]))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
