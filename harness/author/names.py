"""Which names a new plugin may have: none that something else here answers to."""

from __future__ import annotations

import re
import sys
from importlib import metadata, util
from keyword import iskeyword

from harness_errors import SpecError

from harness.core.features import reserved

LONGEST = 30  # characters: what is made of it has to fit into the lines of the templates
_NAME = re.compile(rf"[a-z][a-z0-9_]{{1,{LONGEST - 1}}}")


def check(name: str, package: str) -> None:
    """Refuse a name that is none, or that is taken.

    Args:
        name: what the benchmark is to be called.
        package: the top-level module that is to hold it.

    Raises:
        SpecError: what is wrong with the name, and what would be right.
    """
    if not _NAME.fullmatch(name):
        raise SpecError(
            f"'{ascii(name)[1:-1][:80]}' cannot be the name of a plugin: 2 to {LONGEST} small letters, "
            f"digits and _, a letter first{_hint(name)}"
        )
    if iskeyword(name):
        raise SpecError(f"'{name}' is a word of Python; choose another name, as {name}_bench")
    word = name in reserved() or name == "harness"
    reason = f"'{name}' is a word of the harness itself" if word else None
    for taken in (reason, _installed(name), _importable(package)):
        if taken:
            raise SpecError(f"{taken}; choose another name, as {name[: LONGEST - 3]}_2")


def _hint(name: str) -> str:
    """Return a name that would do and is like the one given, to follow what is wrong with it."""
    near = re.sub(r"[^a-z0-9]+", "_", name.casefold()).strip("_0123456789")[:LONGEST].rstrip("_")
    return f"; '{near}' would do" if _NAME.fullmatch(near) and not iskeyword(near) else ""


def _installed(name: str) -> str | None:
    """Say what is installed under the name of the plugin or of its distribution."""
    from harness.core.plugins import registry

    installed = registry()
    if name in {*installed.benchmarks, *installed.wrappers, *installed.failures}:
        return f"a plugin '{name}' is installed already"
    try:
        metadata.distribution(f"harness-{name}")
    except metadata.PackageNotFoundError:
        return None
    return f"a distribution 'harness-{name}' is installed already"


def _importable(package: str) -> str | None:
    """Say what is imported by the name of the new top-level module."""
    if package in sys.stdlib_module_names:
        return f"'{package}' is a module of Python's own"
    try:
        spec = util.find_spec(package)
    except (ImportError, ValueError):
        return None
    # A folder that just lies where Python looks is a module without a file.
    return f"a module '{package}' is there already" if spec and spec.origin else None
