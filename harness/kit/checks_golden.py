"""Conformance check of golden items: what an index yields is pinned to the plugin's version."""

from __future__ import annotations

import json
from importlib import import_module
from pathlib import Path

from harness_errors import OutputError

from harness.core import fresh
from harness.core.items import digest, items_version
from harness.core.plugins import Plugin, one_line
from harness.core.spec import make
from harness.kit.kit import Failure, Kit

GOLDEN = 5  # items per golden file


def golden_path(plugin: Plugin) -> Path:
    """Return where the golden items of a plugin lie: ``golden.json`` beside its module."""
    file = import_module(plugin.source).__file__
    assert file is not None
    return Path(file).with_name("golden.json")


def write_golden(kit: Kit) -> None:
    """Pin the first items of the default configuration to the version that decides them."""
    pins = {"version": items_version(kit.plugin.benchmark.version), "items": _golden_ids(kit)}
    text, path = json.dumps(pins, indent=2), golden_path(kit.plugin)
    try:
        path.write_text(text + "\n", encoding="utf-8")
    except OSError as error:
        raise OutputError(f"{path} cannot be written: {error.strerror}") from error


def _golden_ids(kit: Kit) -> list[str]:
    spec = make(kit.plugin, {"n": GOLDEN, "unique": False})
    version = items_version(kit.plugin.benchmark.version)
    return [digest(item.to_dict() | {"version": version}) for item in fresh.items(kit.plugin, spec)]


def golden(kit: Kit) -> str:
    """The first items of a version never change: golden.json beside the module pins them."""
    path, version = golden_path(kit.plugin), items_version(kit.plugin.benchmark.version)
    renew = "golden=write renews it"
    try:
        pinned = json.loads(path.read_text(encoding="utf-8"))
        pinned_version, pinned_items = pinned["version"], list(pinned["items"])
    except FileNotFoundError:
        missing = f"{path.name} is missing beside the plugin's module"
        raise Failure(f"{missing}; write it with golden=write") from None
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise Failure(f"{path.name} cannot be read: {one_line(error)}; {renew}") from error
    if pinned_version != version:
        wrong = f"is of version {pinned_version}, the plugin is {version}"
        raise Failure(f"{path.name} {wrong}; {renew}")
    now = _golden_ids(kit)
    if pinned_items != now:
        changed = [str(i) for i in range(len(now)) if pinned_items[i : i + 1] != now[i : i + 1]]
        which = f"items {', '.join(changed)} differ" if changed else "the number of items differs"
        wrong = f"{which} from {path.name} of version {version}"
        raise Failure(f"{wrong}: raise the version (first or second number), then golden=write")
    return f"{GOLDEN} items of version {version}"
