"""The command `doctor`: what of the harness works here, what is missing, and how to get it."""

from __future__ import annotations

import os
import platform
import shutil
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from typing import Any

from harness_errors import HarnessError

from harness import __version__
from harness.author import doctor_engines, doctor_packages
from harness.author.doctor_engines import Check, ask, needs
from harness.author.doctor_packages import Package
from harness.cli.colour import alarm, wanted
from harness.cli.command import Found, values_of
from harness.cli.tables import paragraph
from harness.core.feature_hooks import Warn
from harness.datasets.extras import OWN, command_for

KEYS = ("plugin", "log_dir")
OLDEST = (3, 11)
LITTLE = 2 * 1024**3  # bytes of memory: less is worth a note
SHOWN = 5  # packages named in a line


def examine(words: Sequence[str]) -> dict[str, Any]:
    """Return all checks, and which of them are broken (see docs/json.md).

    Raises:
        SpecError: a word that is neither ``plugin=NAME`` nor ``log_dir=DIR``, or names no plugin.
    """
    values = values_of(words, KEYS)
    names = values["plugin"].split(",") if "plugin" in values else []
    checks = [
        *_versions(),
        *doctor_engines.checks(names),
        *_optional(),
        *_machine(Path(values.get("log_dir", "logs"))),
        *_checkout(),
    ]
    broken = [f"{check.area}: {check.name}" for check in checks if check.state == "broken"]
    return {"healthy": not broken, "broken": broken, "checks": [asdict(check) for check in checks]}


OPTIONAL = "optional parts"


def text(report: Mapping[str, Any], verbose: bool = False) -> str:
    """Return the checks under the names of their areas, and what sums up; unless ``verbose``, what passes by name."""
    lines: list[str] = []
    for area, group in groupby(report["checks"], itemgetter("area")):
        checks = list(group)
        lines += ["", area]
        if not verbose:
            passed = [check["name"] for check in checks if check["state"] == "ok"]
            lines += [paragraph(f"  ok    {', '.join(passed)}")] if passed else []
            checks = [check for check in checks if check["state"] != "ok"]
        if not verbose and area == OPTIONAL:
            missing = ", ".join(check["name"] for check in checks if check["state"] == "note")
            said = f"  note  not installed: {missing}; verbose=yes says how to get them"
            lines += [paragraph(said)] if missing else []
            checks = [check for check in checks if check["state"] != "note"]
        for check in checks:
            sign = {"ok": "  ok    ", "note": "  note  ", "broken": "FAIL    "}[check["state"]]
            line = f"{sign}{check['name']}: {check['said']}"
            lines.append(alarm(line) if check["state"] == "broken" else line)
            lines += [f"          {check['remedy']}"] if check["remedy"] else []
    broken = report["broken"]
    summary = f"{len(broken)} broken: {'; '.join(broken)}" if broken else "all that is needed works"
    return "\n".join([*lines[1:], "", summary])


# ------------------------------------------------------------------------------- versions


def _versions() -> Iterator[Check]:
    area = "versions"
    new = sys.version_info >= OLDEST
    yield Check(
        area, "Python", "ok" if new else "broken", f"{platform.python_version()} at {sys.executable}",
        "" if new else f"install Python {OLDEST[0]}.{OLDEST[1]} or newer",
    )  # fmt: skip
    version, where = doctor_packages.installed(OWN), Path(__file__).parents[1]
    if version is None:
        yield Check(
            area,
            "harness",
            "broken",
            f"{__version__} in {where}, but not installed as a package: its plugins are not found",
            "pip install -e . in a checkout",
        )
    else:
        yield Check(area, "harness", "ok", f"{version} in {where}")
    yield from needs(area, OWN)
    for name, question, said, remedy in (
        ("Inspect", "inspect", "", "pip install 'inspect_ai>=0.3.285'"),
        ("guarded worker", "alive", "answers with Python ", "engines run in such processes: see what the line says"),
    ):  # fmt: skip
        try:
            yield Check(area, name, "ok", f"{said}{ask(question)}")
        except HarnessError as error:
            yield Check(area, name, "broken", str(error), remedy)


# ------------------------------------------------------------------------------- the rest


def _optional() -> Iterator[Check]:
    for extra, packages in sorted(doctor_packages.optional().items()):
        bad = [package for package in packages if not package.good]
        remedy = command_for(extra) if bad else ""
        yield Check(OPTIONAL, extra, "note" if bad else "ok", _few(bad or packages), remedy)
    for program, use in (("docker", "tools=code"), ("chromium", "tests of pages")):
        where = shutil.which(program)
        said = where or f"not on the path; {use} needs it"
        yield Check(OPTIONAL, program, "ok" if where else "note", said)


def _few(packages: Sequence[Package]) -> str:
    listed = ", ".join(map(str, packages[:SHOWN]))
    return listed + (f" and {len(packages) - SHOWN} more" if len(packages) > SHOWN else "")


def _machine(log_dir: Path) -> Iterator[Check]:
    area = "this machine"
    yield _writable(area, log_dir)
    affinity = getattr(os, "sched_getaffinity", None)
    cores = len(affinity(0)) if affinity else os.cpu_count() or 1
    yield Check(area, "processors", "ok", f"{cores}; workers=N takes fewer")
    with suppress(AttributeError, OSError, ValueError):  # a system that does not say
        memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
        little = memory < LITTLE
        warning = ": an engine may use 2, a worker that generates 8" if little else ""
        size = f"{memory / 1024**3:.1f} GiB{warning}"
        yield Check(area, "memory", "note" if little else "ok", size)
    yield _terminal(area)


def _writable(area: str, log_dir: Path) -> Check:
    """Return whether logs can be written; a directory that is not there yet is not made."""
    place = log_dir.absolute()
    try:
        place = _existing(place)
        with tempfile.TemporaryFile(dir=place):
            pass
    except (OSError, ValueError) as error:
        why = error.strerror if isinstance(error, OSError) else str(error)
        reason = f"{str(log_dir)[:200]}: cannot be written: {why}"
        return Check(area, "logs", "broken", reason, "give a directory that can: log_dir=DIR")
    remark = "" if place == log_dir.absolute() else ", made by the first run"
    return Check(area, "logs", "ok", f"{str(log_dir)[:200]} can be written{remark}")


def _existing(place: Path) -> Path:
    """Return a path, or the nearest one above it that is there; raises OSError where it could not be made."""
    while place != place.parent:
        try:
            place.lstat()
        except FileNotFoundError:
            place = place.parent
        else:
            break
    return place


def _terminal(area: str) -> Check:
    encoding = (sys.stdout.encoding or "ascii").lower()
    reason = "NO_COLOR or TERM says so" if sys.stdout.isatty() else "output is no terminal"
    colours = "colours" if wanted(sys.stdout) else f"no colours: {reason}"
    good = encoding.replace("-", "") == "utf8"
    remedy = "" if good else "export PYTHONUTF8=1: characters beyond it are shown as escapes"
    return Check(area, "terminal", "ok" if good else "note", f"{colours}; {encoding}", remedy)


def _checkout() -> Iterator[Check]:
    """Compare what is installed with the versions that a checkout pins; elsewhere there is nothing to compare."""
    root = Path(__file__).parents[2]
    pins = doctor_packages.pinned(root / "constraints.txt")
    if not pins:
        return
    state, remedy = "ok", ""
    said = f"the {sum(pin.version is not None for pin in pins)} packages that are installed are as pinned"
    if bad := doctor_packages.drifted(pins):
        state, remedy = "note", f"make setup in {root}"
        said = f"{len(bad)} of {len(pins)} packages are not as pinned: {_few(bad)}"
    yield Check("checkout", "constraints.txt", state, said, remedy)


def command(words: Sequence[str], warn: Warn) -> Found:
    """Run ``harness doctor``; it fails where something that is needed does not work."""
    report = examine(words)
    return report, int(not report["healthy"])
