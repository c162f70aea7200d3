"""The complete certificates of a dataset's labels, each checked by `harness_proof` before it is counted.

A plugin writes certificates with the hook `prove`. The checker knows no plugin and no engine, and reads the prompt
itself: what it proves, it proves again on any machine from the file that ``out=`` names.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import harness_guard
import harness_proof
from harness_errors import EngineError, OutputError, PluginError, SpecError

from harness.cli.command import Found, one_spec
from harness.core import provenance
from harness.core.feature_hooks import Warn
from harness.core.items import Item
from harness.core.plugins import Plugin, one_line, registry
from harness.core.spec import Spec
from harness.datasets.export_items import Told, read, recognised
from harness.datasets.output_files import check_ending, copied, whole_file, with_manifest
from harness.datasets.plugin import check_reading

SECONDS = 60.0  # for an item of a file, in a worker
SHOWN = 5  # items that a terminal shows
OUTCOMES = (harness_proof.PROVED, harness_proof.REFUTED, harness_proof.UNCHECKED)


def certificate(plugin: str, data: dict[str, Any]) -> dict[str, Any] | None:
    """Return the certificate of an item, as `Item.to_dict` writes it; for a guarded worker."""
    found: dict[str, Any] | None = registry().get(plugin).call("prove", item=Item.from_dict(data))
    return found


def prove(plugin: Plugin, spec: Spec) -> dict[str, Any]:
    """Check the certificate of each item of a spec; write them to ``spec.out`` if that is given.

    Returns:
        ``items`` and, of these, how many are ``proved``, ``refuted``, ``not checkable``; how many proofs are
        ``given`` facts that their certificates name; ``why`` has the first of those that are not proved,
        ``unreadable`` the records of a dataset that cannot be read. Where a file is written, ``out`` and the
        ``manifest`` beside it, too.

    Raises:
        SpecError: the plugin writes no certificates, or ``out`` is misnamed.
        DatasetError: the dataset cannot be read.
        OutputError: ``out`` exists or cannot be written.
        PluginError: the hook failed, or returned what is not JSON.
    """
    if not plugin.has("prove"):
        name = plugin.benchmark.name
        raise SpecError(f"plugin '{name}' has no hook prove(), so its labels have no certificates")
    tally = _Tally(plugin, spec)
    if not spec.out:
        for _ in tally.records():
            pass
        return tally.found()
    path = Path(spec.out)
    check_ending(path, ".jsonl")
    try:
        with whole_file(path) as file:
            lines = (json.dumps(record, ensure_ascii=False).encode() for record in tally.records())
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


class _Tally:
    """The items of one command, and what became of their labels."""

    def __init__(self, plugin: Plugin, spec: Spec) -> None:
        self.plugin, self.spec = plugin, spec
        self.outcomes: Counter[str] = Counter()
        self.why, self.unreadable = Told(), Told()
        self.given = 0

    def records(self) -> Iterator[dict[str, Any]]:
        """Yield a record per item, as `harness_proof.outcome` takes it."""
        for item in read(self.plugin, recognised(self.spec), self.unreadable):
            record = {
                "id": item.id,
                "plugin": item.plugin,
                "prompt": item.prompt,
                "target": item.target,
                "proof": self._certificate(item),
            }
            try:
                read_back = json.loads(json.dumps(record))  # as it comes out of a file
            except (TypeError, ValueError, RecursionError) as error:
                raise PluginError(
                    f"plugin '{item.plugin}': prove() of item {item.index} is not JSON: {one_line(error)}"
                ) from error
            outcome, why = harness_proof.outcome(read_back)
            self.outcomes[outcome] += 1
            if outcome == harness_proof.PROVED:
                self.given += bool(why)
            else:
                self.why.add(f"item {item.id} (index {item.index}): {outcome}: {why}")
            yield record

    def _certificate(self, item: Item) -> Any:
        if not self.spec.dataset:
            return self.plugin.call("prove", item=item)
        call = (f"{__name__}:certificate", self.plugin.benchmark.name, item.to_dict())
        try:
            return harness_guard.call(*call, seconds=SECONDS)
        except EngineError as error:
            self.why.add(f"item {item.id} (index {item.index}): its certificate failed: {error}")
            return None

    def found(self) -> dict[str, Any]:
        """Return what became of all of them."""
        return {
            "items": self.outcomes.total(),
            **{outcome: self.outcomes[outcome] for outcome in OUTCOMES},
            "given": self.given,
            "why": self.why.data(),
            "unreadable": self.unreadable.data(),
        }


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
        lines.append(f"records that cannot be read: {count}; the first: {first}")
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
