"""The packages that optional parts need."""

from __future__ import annotations

from collections.abc import Iterator
from importlib import metadata

OWN = "temporal-harness"


def command_for(extra: str) -> str:
    """Return the command that installs what an extra of ours asks for, whether from a checkout or from a wheel.

    It names the packages: ``temporal-harness[EXTRA]`` would be looked for on a package index.
    """
    return "pip install " + " ".join(f"'{name}'" for name in dict.fromkeys(_wanted(extra)))


def _wanted(extra: str) -> Iterator[str]:
    """Yield the packages of an extra, those of extras of ours that it stands for among them."""
    for line in metadata.requires(OWN) or ():
        name, _, marker = line.partition(";")
        if f'extra == "{extra}"' in marker:
            project, _, inner = name.strip().rstrip("]").partition("[")
            if project == OWN:
                yield from (package for part in inner.split(",") for package in _wanted(part))
            else:
                yield name.strip()
