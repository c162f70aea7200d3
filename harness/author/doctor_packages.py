"""What is installed, against what is required, optional, or pinned: from the metadata of packages alone."""

from __future__ import annotations

from collections.abc import Iterable
from importlib import metadata
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple

from packaging.requirements import InvalidRequirement, Requirement
from packaging.specifiers import SpecifierSet

from harness.datasets.extras import OWN

# Packages that other installers bring as a module alone, without a distribution: Spot by conda, or built by hand.
MODULES = {"spottl": "spot"}


class Package(NamedTuple):
    """One requirement: what is asked for, and what is there (None: nothing, or a module of `MODULES` alone)."""

    name: str
    wanted: str
    version: str | None

    @property
    def good(self) -> bool:
        """Whether it is there in a version that was asked for."""
        if self.version is None:
            return self._module() is not None
        return SpecifierSet(self.wanted).contains(self.version, prereleases=True)

    def __str__(self) -> str:
        if self.version is None:
            module = self._module()
            return f"module {module}" if module else f"{self.name} is not installed"
        return f"{self.name} {self.version}" + ("" if self.good else f" (wanted: {self.wanted})")

    def _module(self) -> str | None:
        module = MODULES.get(self.name)
        return module if module and find_spec(module) else None


def installed(name: str) -> str | None:
    """Return the version of a distribution, None where it is not there or its metadata cannot be read."""
    try:
        return metadata.version(name) or None
    except (metadata.PackageNotFoundError, ValueError, KeyError, TypeError, OSError):
        return None


def required(distribution: str, extra: str = "") -> list[Package]:
    """Return what a distribution cannot do without on this system; of an extra, what that asks for beside."""
    try:
        lines = metadata.requires(distribution) or []
    except (metadata.PackageNotFoundError, ValueError, OSError):
        return []
    packages = []
    for line in lines:
        try:
            wanted = Requirement(line)
        except InvalidRequirement:
            continue
        plain = wanted.marker is None or wanted.marker.evaluate({"extra": ""})
        beside = not plain and wanted.marker and wanted.marker.evaluate({"extra": extra})
        asked = beside if extra else plain
        if asked:
            packages.append(Package(wanted.name, str(wanted.specifier), installed(wanted.name)))
    return packages


def optional() -> dict[str, list[Package]]:
    """Return what each extra of ours asks for, other extras left out."""
    names = metadata.metadata(OWN).get_all("Provides-Extra") or ()
    return {
        name: [package for package in required(OWN, name) if package.name != OWN] for name in names
    }


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
