"""Chain-of-thought traces for supervised training: the engines' own solutions, each held against its item first.

The hook `trace` writes one, the hook `reread` reads it back by another way. What is not read back without a finding,
or does not score as right, is never written: it is an error of ours, and ends the command.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import harness_guard
from harness_errors import DatasetError, EngineError, OutputError, PluginError, SpecError

from harness.cli.command import Found, given, one_spec
from harness.core import provenance
from harness.core.feature_hooks import Warn
from harness.core.items import PUBLISHED, Item
from harness.core.plugins import Plugin, registry
from harness.core.schemas import schema_errors
from harness.core.spec import Spec
from harness.datasets import solution
from harness.datasets.export_items import Told, read, recognised
from harness.datasets.output_files import check_ending, copied, whole_file, with_manifest
from harness.datasets.plugin import check_reading

SECONDS = 60.0  # for an item of a file, in a worker

SPLIT = "train"  # where no other is asked for: runs are on "test"
_SHOWN = 300  # characters of a finding


def examined(plugin: str, data: Mapping[str, Any]) -> tuple[str | None, list[str]]:
    """Return the trace of an item, as `Item.to_dict` writes it, and what is wrong with it; for a guarded worker.

    Raises:
        HarnessError: it is no item of the plugin's; a hook failed.
    """
    owner, item = registry().get(plugin), Item.from_dict(data)
    for wrong in schema_errors(owner.benchmark.problem_schema, item.problem):
        raise DatasetError(f"item {item.id}: problem.{wrong}")
    return _examined(owner, item)


def _examined(plugin: Plugin, item: Item) -> tuple[str | None, list[str]]:
    text = solution.text_of(plugin, item)
    return text, [] if text is None else solution.findings(plugin, item, text)


def traces(
    plugin: Plugin, items: Iterable[Item], without: Told | None = None, *, foreign: bool = False
) -> Iterator[dict[str, Any]]:
    """Yield a record per item that has a trace, each re-read without a finding and scored as right.

    A record is ``{id, plugin, version, split, prompt, trace, target, messages}``; ``messages`` are the prompt as
    the user's and the trace as the assistant's turn. ``without`` takes the items that have no trace: adopted ones,
    whose labels are not ours, and those whose trace would be too long. ``foreign`` items, which come from a file,
    are worked on in a guarded worker.

    Raises:
        SpecError: the plugin cannot read traces back.
        PluginError: a trace was found wrong; or a hook failed.
    """
    name = plugin.benchmark.name
    if not plugin.has("reread"):
        lacks = "has no hook reread(), so nothing holds its traces against its items"
        raise SpecError(f"plugin '{name}' {lacks}")
    without = Told() if without is None else without
    for item in items:
        where = f"item {item.id} (index {item.index})"
        text, wrong = None, list[str]()
        if item.version != PUBLISHED and not foreign:
            text, wrong = _examined(plugin, item)
        elif item.version != PUBLISHED:
            call = (f"{__name__}:examined", name, item.to_dict())
            try:
                text, wrong = harness_guard.call(*call, seconds=SECONDS)
            except EngineError as error:
                raise EngineError(f"{where}: {error}") from error
        if text is None:
            without.add(where)
            continue
        if wrong:
            shown = " ".join(wrong[0].split())[:_SHOWN]
            raise PluginError(
                f"plugin '{name}': the trace of {where} does not hold, and none is written: {shown}"
            )
        question = {"role": "user", "content": item.prompt}
        yield {
            "id": item.id,
            "plugin": item.plugin,
            "version": item.version,
            "split": item.split,
            "prompt": item.prompt,
            "trace": text,
            "target": item.target,
            "messages": [question, {"role": "assistant", "content": text}],
        }


def write(plugin: Plugin, spec: Spec) -> dict[str, Any]:
    """Write the traces of a spec's items to ``spec.out``, a record a line, with a manifest beside it.

    Returns the manifest with ``out`` and ``manifest``, its path: ``items`` looked at, ``traces`` written,
    ``without`` (``{count, first}``: items that have none), ``unreadable`` for a dataset, ``characters``
    (``{longest, mean}``), ``sha256``, ``warnings``. Nothing stands under the name ``out`` before all of it is there.
    Raises OutputError where ``out`` exists or cannot be written, or not one item has a trace; and as `traces` does.
    """
    if not spec.out:
        raise SpecError("out=… is missing: the file to write, FILE.jsonl")
    path = Path(spec.out)
    check_ending(path, ".jsonl")
    try:
        with whole_file(path) as file:
            manifest: dict[str, Any] = {}
            sha = copied(file, _lines(plugin, spec, manifest))
            return {"out": str(path), **with_manifest(file, path, sha, manifest)}
    except OSError as error:
        why = error.strerror or error
        raise OutputError(f"{spec.out[:200]}: cannot be written: {why}") from None


def _lines(plugin: Plugin, spec: Spec, manifest: dict[str, Any]) -> Iterator[bytes]:
    """Yield the lines of a file, and put into the manifest what is said of them."""
    without, unreadable = Told(), Told()
    looked_at: Counter[str] = Counter()  # by split

    def items() -> Iterator[Item]:
        for item in read(plugin, recognised(spec), unreadable):
            looked_at[item.split] += 1
            yield item

    written = total = longest = 0
    for record in traces(plugin, items(), without, foreign=bool(spec.dataset)):
        size = len(record["trace"])
        written, total, longest = written + 1, total + size, max(longest, size)
        yield json.dumps(record, ensure_ascii=False).encode() + b"\n"
    if not written:
        raise OutputError(
            f"none of the {looked_at.total()} items has a trace: adopted items have none, nor do items whose trace "
            "would be too long; docs/traces.md says which"
        )
    # No canary: it marks what must not be trained on, and this is made for that.
    manifest |= {
        "spec": spec.data(),
        "fingerprint": spec.fingerprint,
        "versions": provenance.versions(plugin),
        "items": looked_at.total(),
        "traces": written,
        "without": without.data(),
        "characters": {"longest": longest, "mean": round(total / written, 1)},
        "warnings": [_TESTED] if "test" in looked_at else [],
    }
    manifest |= {"unreadable": unreadable.data()} if spec.dataset else {}


_TESTED = (
    "some of these items are of the split 'test', on which harness run evaluates; a model that is trained on "
    "them is to be evaluated on another seed= or split="
)


def text(written: dict[str, Any]) -> str:
    """Return what was written, as a terminal shows it."""
    size = written["characters"]
    lines = [
        f"{written['traces']} traces of {written['items']} items: {written['out']}",
        f"manifest: {written['manifest']}",
        f"characters: {size['mean']:,.0f} on average, {size['longest']:,} at most",
    ]
    meanings = {"without": "items without a trace", "unreadable": "records that are no items"}
    for kind, meaning in meanings.items():
        skipped = written.get(kind, {"count": 0})
        if skipped["count"]:
            first = skipped["first"][0]
            lines.append(f"left out: {skipped['count']} {meaning}; the first: {first}")
    return "\n".join(lines)


def command(words: Sequence[str], warn: Warn) -> Found:
    """Run ``harness traces``."""
    words = words if given(words) & {"split", "dataset"} else [*words, f"split={SPLIT}"]
    spec, plugin = one_spec(words, "traces")
    check_reading(spec)
    written = write(plugin, spec)
    for line in written["warnings"]:
        warn(f"warning: {line}")
    return written, 0
