"""What makes processes of our own start and end sooner: commands, shards, workers, the tests; never a host's."""

from __future__ import annotations

import gc
import sys
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from importlib import import_module, metadata
from typing import Any

OURS = ("harness", "temporal-harness")
"""Our package, and the distribution that it comes with."""

_FIRST = (
    50_000  # objects made before the first look for cycles; Python's own 700 is for small programs
)
_settled = False


def settle() -> None:
    """Take a process for our own: look for cyclic garbage, and through all packages installed, less often.

    Garbage is a fifth of the time that importing Inspect takes; for the log of each run Inspect asks which
    distribution the package `harness` comes from, which takes a third of a second where many are installed.
    """
    global _settled
    if _settled:
        return
    _settled = True
    gc.set_threshold(_FIRST, 20, 20)
    scan = cache(lambda path: _all_packages())
    metadata.packages_distributions = lambda: _Packages(lambda: scan(tuple(sys.path)))


def hush() -> None:
    """Before a run: spare Inspect what takes long and nobody sees, where this process is our own."""
    if _settled:
        from harness.run import compat

        compat.read_known_models_quickly()
        compat.lay_out_no_hidden_table()
        _import_agent_protocol(compat.AGENT_PROTOCOL)


def _import_agent_protocol(module: str) -> None:
    """Import what Inspect's agent server speaks, as each run does, without a search for docstrings in its source.

    That search, for 270 models whose descriptions nobody reads, is half of the time that the import takes.
    """
    if module in sys.modules:
        return
    import pydantic

    names, whole = vars(pydantic), pydantic.ConfigDict
    try:
        names["ConfigDict"] = _without_docstrings
        import_module(module)
    except ImportError:  # an Inspect without it
        return
    finally:
        names["ConfigDict"] = whole


def _without_docstrings(**settings: Any) -> dict[str, Any]:
    return {name: value for name, value in settings.items() if name != "use_attribute_docstrings"}


_all_packages = metadata.packages_distributions


class _Packages(Mapping[str, list[str]]):
    """Which distributions each package comes from; ours is known, the others are looked for when asked for."""

    def __init__(self, scan: Callable[[], Mapping[str, list[str]]]) -> None:
        self._scan = scan

    def __getitem__(self, name: str) -> list[str]:
        package, distribution = OURS
        if name == package and _installed(distribution):
            return [distribution]
        return list(self._scan()[name])

    def __iter__(self) -> Iterator[str]:
        return iter(self._scan())

    def __len__(self) -> int:
        return len(self._scan())


def _installed(distribution: str) -> bool:
    try:
        metadata.distribution(distribution)
    except metadata.PackageNotFoundError:
        return False
    return True
