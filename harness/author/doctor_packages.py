"""What is installed, against what is required, optional, or pinned: from the metadata of packages alone."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from importlib import metadata
from pathlib import Path
from typing import NamedTuple

OWN = "temporal-harness"
_REQUIREMENT = re.compile(
    r"\s*([A-Za-z0-9][A-Za-z0-9._-]*)\s*(?:\[[^\]]*\])?\s*([^;]*?)\s*(?:;(.*))?"
)
_EXTRA = re.compile(r"""extra\s*==\s*["']([^"']+)["']""")


class Package(NamedTuple):
    """One requirement: what is asked for, and what is there (None: nothing)."""

    name: str
    wanted: str
    version: str | None

    @property
    def good(self) -> bool:
        """Whether it is there in a version that was asked for."""
        return self.version is not None and fits(self.version, self.wanted)

    def __str__(self) -> str:
        if self.version is None:
            return f"{self.name} is not installed"
        return f"{self.name} {self.version}" + ("" if self.good else f" (wanted: {self.wanted})")


def installed(name: str) -> str | None:
    """Return the version of a distribution, None where it is not there or its metadata cannot be read."""
    try:
        return metadata.version(name) or None
    except (metadata.PackageNotFoundError, ValueError, KeyError, TypeError, OSError):
        return None


def required(distribution: str) -> list[Package]:
    """Return what a distribution cannot do without."""
    return [package for extra, package in _requirements(distribution) if not extra]


def optional(distribution: str = OWN) -> dict[str, list[Package]]:
    """Return what each extra of a distribution asks for."""
    extras: dict[str, list[Package]] = {}
    for extra, package in _requirements(distribution):
        if extra:
            extras.setdefault(extra, []).append(package)
    return extras


def _requirements(distribution: str) -> Iterator[tuple[str, Package]]:
    try:
        lines = metadata.requires(distribution) or []
    except (metadata.PackageNotFoundError, ValueError, OSError):
        return
    for line in lines:
        match = _REQUIREMENT.fullmatch(line)
        if match is None:
            continue
        name, wanted, marker = match.groups()
        extra = _EXTRA.search(marker or "")
        if marker and not extra:  # for other systems or versions of Python, perhaps: pip knows
            continue
        yield extra[1] if extra else "", Package(name, wanted.strip("() "), installed(name))


def fits(version: str, wanted: str) -> bool:
    """Return whether a version is one that was asked for, as far as ``>=``, ``==`` and ``<`` can say."""
    return all(_allows(version, clause.strip()) for clause in wanted.split(","))


def _allows(version: str, clause: str) -> bool:
    match = re.fullmatch(r"(>=|==|<)\s*([0-9][0-9.]*)", clause)
    if match is None:
        return True
    ours, other = _numbers(version), _numbers(match[2])
    size = max(len(ours), len(other))
    ours += (0,) * (size - len(ours))
    other += (0,) * (size - len(other))
    return {">=": ours >= other, "==": ours == other, "<": ours < other}[match[1]]


def _numbers(version: str) -> tuple[int, ...]:
    match = re.match(r"\d+(?:\.\d+)*", version)
    return tuple(map(int, match[0].split("."))) if match else ()


def pinned(path: Path) -> list[Package]:
    """Return what a file of constraints pins, with what is there of it; nothing where there is no such file."""
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, ValueError):
        return []
    pairs = (line.partition("#")[0].strip().partition("==") for line in lines)
    return [Package(name, f"=={pin}", installed(name)) for name, equals, pin in pairs if equals]


def drifted(pins: Iterable[Package]) -> list[Package]:
    """Return what is installed in another version than the one pinned."""
    return [pin for pin in pins if pin.version not in (None, pin.wanted.removeprefix("=="))]
