"""Where items come from: the versions behind a label."""

from __future__ import annotations

import platform
import re
from importlib import metadata

from harness.core.plugins import Plugin


def versions(plugin: Plugin) -> dict[str, str]:
    """Return the versions of everything a label depends on: us, the plugin, what it requires."""
    names = {"temporal-harness", "pluggy", plugin.distribution} - {""}
    for name in [plugin.distribution] if plugin.distribution else []:
        for requirement in metadata.requires(name) or []:
            if "extra ==" not in requirement:
                names.add(re.split(r"[^\w.-]", requirement)[0])
    known = {"python": platform.python_version(), plugin.benchmark.name: plugin.benchmark.version}
    known |= {f"wrapper {name}": version for name, version in plugin.wrappers.items()}
    for name in sorted(names):
        try:
            known[name] = metadata.version(name)
        except metadata.PackageNotFoundError:
            continue
    return known
