"""The complete certificates of a dataset's labels, each checked before it is counted.

What is proved here is proved again on any machine, by `harness_proof` alone, from the file that ``out=`` names.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import harness_proof
from harness_errors import OutputError, SpecError

from harness.cli.command import Found, one_spec
from harness.core import provenance
from harness.core.feature_hooks import Warn
from harness.core.plugins import Plugin
from harness.core.spec import Spec
from harness.datasets.export_items import read, recognised
from harness.datasets.output_files import check_ending, copied, whole_file, with_manifest
from harness.datasets.plugin import check_reading
from harness.datasets.proofs import OUTCOMES, Tally

SHOWN = 5  # items that a terminal shows


def prove(plugin: Plugin, spec: Spec) -> dict[str, Any]:
    """Check the certificate of each item of a spec; write them to ``spec.out`` if that is given.

    Returns:
        ``items`` and, of these, how many are ``proved``, ``refuted``, ``not checkable``; how many proofs are
        ``given`` facts that their certificates name; ``why`` has the first of those that are not proved,
        ``unreadable`` the records of a dataset that cannot be read. Where a file is written, ``out`` and the
        ``manifest`` beside it, too.

    Raises `SpecError`: the plugin writes no certificates, or ``out`` is misnamed; `DatasetError`: the dataset
    cannot be read; `OutputError`: ``out`` exists or cannot be written; `PluginError`: the hook failed, or returned
    what is not JSON.
    """
    if not plugin.has("prove"):
        name = plugin.benchmark.name
        raise SpecError(f"plugin '{name}' has no hook prove(), so its labels have no certificates")
    tally = Tally(plugin, bool(spec.dataset))
    items = read(plugin, recognised(spec), tally.unreadable)
    if not spec.out:
        for item in items:
            tally.record(item)
        return tally.found()
    path = Path(spec.out)
    check_ending(path, ".jsonl")
    try:
        with whole_file(path) as file:
            lines = (
                json.dumps(record, ensure_ascii=False).encode()
                for record in map(tally.record, items)
            )
            sha = copied(file, (line + b"\n" for line in lines))
            manifest = {
                "spec": spec.data(),
                "fingerprint": spec.fingerprint,
                "versions": provenance.versions(plugin),
                **tally.found(),
            }
            return {"out": str(path), **with_manifest(file, path, sha, manifest)}
    except OSError as error:
        reason = error.strerror or error
        raise OutputError(f"{spec.out[:200]}: cannot be written: {reason}") from None


def text(found: dict[str, Any]) -> str:
    """Return what was found, as a terminal shows it."""
    told = ", ".join(f"{found[outcome]} {outcome}" for outcome in OUTCOMES)
    lines = [f"{found['items']} items: {told}"]
    if found["given"]:
        lines.append(f"{found['given']} of them given the facts that their certificates name")
    lines += found["why"]["first"][:SHOWN]
    if found["why"]["count"] > SHOWN:
        lines.append(f"… and {found['why']['count'] - SHOWN} more")
    if found["unreadable"]["count"]:
        count, first = found["unreadable"]["count"], found["unreadable"]["first"][0]
        lines.append(f"records left out: {count}; the first: {first}")
    if "out" in found:
        lines.append(
            f"certificates: {found['out']}; check them with `python -m harness_proof {found['out']}`"
        )
    return "\n".join(lines)


def command(words: Sequence[str], warn: Warn) -> Found:
    """Run ``harness prove``: exit code 1 if a certificate is refuted."""
    spec, plugin = one_spec(words, "prove")
    check_reading(spec)
    found = prove(plugin, spec)
    return found, 1 if found[harness_proof.REFUTED] else 0
