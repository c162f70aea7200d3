"""Items out: JSON lines, Parquet, a Hugging Face folder, and the published formats."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from random import Random
from typing import Any

from harness_errors import OutputError, PluginError, SpecError, did_you_mean

from harness.cli.command import Found, one_spec
from harness.core import facts
from harness.core.feature_hooks import Warn
from harness.core.items import Item
from harness.core.plugins import Plugin
from harness.core.spec import MANIFEST, Spec, checksum
from harness.datasets import (
    dataset,
    export_card,
    export_items,
    export_parquet,
    export_plots,
    manifests,
    proofs,
    reading,
)
from harness.datasets.export_items import Profile, Spool, Told
from harness.datasets.features import FEW
from harness.datasets.output_files import (
    check_ending,
    checksum_of,
    copied,
    sync,
    whole_file,
    whole_folder,
    with_manifest,
    write_new,
)
from harness.datasets.sharded import is_sharded
from harness.datasets.storage import Storage, hidden

FIGURES = 24  # features that are drawn, in the order of their names
_SEED = 20240229  # of the sample that baselines are scored on
_PARTS = frozenset({"README.md", "manifest.json", "data", "figures"})


def export(plugin: Plugin, spec: Spec) -> dict[str, Any]:
    """Write the items of a spec, generated or read, to ``spec.out`` in the form ``spec.to``.

    Returns the manifest with ``out``, ``to``, ``manifest`` (its path), ``files`` (name → SHA-256)
    and, for ``published``, ``format`` and ``unsaid`` (items that the format cannot say: ``count``,
    ``first``). A record that cannot be read is counted under ``unreadable``, with its reason.
    Nothing stands under the name ``out`` before it is complete.

    Raises:
        SpecError: ``out``, ``to`` or ``format`` is missing or does not fit; a package is missing.
        DatasetError: the dataset cannot be read, or holds no item.
        OutputError: ``out`` exists, or cannot be written.
        PluginError: the plugin broke the contract.
    """
    if not spec.out:
        raise SpecError("out=… is missing: the file or folder to write")
    if spec.to not in _KINDS:
        raise SpecError(f"to={spec.to[:80]}; {did_you_mean(spec.to, _KINDS)}")
    if spec.prune_model and not spec.dataset:
        why = "'prune_model' does not apply here; generate with it, then export dataset=…"
        raise SpecError(why)
    if spec.format is not None and not spec.dataset and spec.to != "published":
        why = f"'format' has no effect with to={spec.to}: the items are not read from a file"
        raise SpecError(why)
    path = Path(spec.out)
    try:
        exported = _KINDS[spec.to](plugin, spec, path)
    except OSError as error:
        reason = error.strerror or error
        raise OutputError(f"{spec.out[:200]}: cannot be written: {reason}") from None
    return {"out": str(path), "to": spec.to, **exported}


def _jsonl(plugin: Plugin, spec: Spec, path: Path) -> dict[str, Any]:
    check_ending(path, ".jsonl")
    if not spec.dataset:
        manifest = dataset.write(plugin, spec, path)
        facts = {"files": {path.name: manifest["sha256"]}}
        return {"manifest": str(reading.manifest_path(path)), **facts, **manifest}
    notes, profile = Told(), Profile(plugin)

    def lines() -> Iterator[bytes]:
        for item in export_items.read(plugin, spec, notes):
            text = export_items.line(item)
            profile.add(item, text)
            yield text

    with whole_file(path) as file:
        sha = copied(file, lines())
        return with_manifest(file, path, sha, export_items.manifest(plugin, spec, profile, notes))


def _parquet(plugin: Plugin, spec: Spec, path: Path) -> dict[str, Any]:
    check_ending(path, ".parquet")
    export_parquet.needed("pyarrow", "to=parquet")
    notes, profile = Told(), Profile(plugin)
    with whole_file(path) as file, Spool(path.parent) as spool:
        spool.fill(export_items.read(plugin, spec, notes), profile)
        export_parquet.write(file, spool.items(), profile.features, _facts(profile))
        sha = checksum_of(file)
        manifest = export_items.manifest(plugin, spec, profile, notes, ("pyarrow",))
        facts = {"items_sha256": profile.sha.hexdigest()}
        return with_manifest(file, path, sha, manifest | facts)


def _facts(profile: Profile) -> dict[str, str]:
    """Return what a Parquet file says in its own metadata: nothing that depends on where files lie."""
    return {"harness.canary": manifests.CANARY, "harness.items_sha256": profile.sha.hexdigest()}


def _published(plugin: Plugin, spec: Spec, path: Path) -> dict[str, Any]:
    name = _format(plugin, spec)
    kind = next((kind for kind in _FORMS if name.endswith(f"_{kind}")), "jsonl")
    check_ending(path, f".{kind}")
    notes, unsaid, profile = Told(), Told(), Profile(plugin)

    def records() -> Iterator[dict[str, Any]]:
        for item in export_items.read(plugin, export_items.recognised(spec), notes):
            profile.add(item, export_items.line(item))
            record = plugin.call_json("publish", item=item, format=name, record={})
            if record is None:
                unsaid.add(f"item {item.id} (index {item.index})")
            else:
                yield record
        if unsaid.count == profile.items:
            raise OutputError(
                f"format {name} can say none of the {unsaid.count} items; what it can say, and with which "
                f"settings, is in the README of the plugin {plugin.benchmark.name}"
            )

    with whole_file(path) as file:
        sha = copied(file, _FORMS[kind](plugin, records()))
        manifest = export_items.manifest(plugin, spec, profile, notes)
        facts = {"format": name, "unsaid": unsaid.data(), "records": profile.items - unsaid.count}
        return with_manifest(file, path, sha, manifest | facts)


def _format(plugin: Plugin, spec: Spec) -> str:
    known = plugin.benchmark.dataset_formats
    if not plugin.has("publish") or not known:
        raise SpecError(f"to=published: {plugin.benchmark.name} writes no published format")
    if spec.format is None and len(known) == 1:
        return known[0]
    if spec.format is None:
        raise SpecError(f"format=… is missing; known: {', '.join(sorted(known))}")
    if spec.format not in known:
        raise SpecError(f"format={spec.format[:80]}; {did_you_mean(spec.format, known)}")
    return str(spec.format)


def _as_csv(plugin: Plugin, records: Iterable[dict[str, Any]]) -> Iterator[bytes]:
    """Yield a head and the rows; what is not a string stands as JSON."""
    head: list[str] = []
    for number, record in enumerate(records, 1):
        if not head:
            head = list(record)
            yield _row(head)
        if set(record) != set(head):
            raise PluginError(
                f"plugin '{plugin.benchmark.name}': publish() returned other fields for record {number} "
                f"({', '.join(record)[:100]}) than for the first ({', '.join(head)[:100]})"
            )
        values = (record[key] for key in head)
        yield _row(v if isinstance(v, str) else json.dumps(v, ensure_ascii=False) for v in values)


def _row(values: Iterable[str]) -> bytes:
    file, cells = io.StringIO(), list(values)
    # A bare carriage return ends a line for those who read it: it needs the quotes, too.
    if any("\r" in cell for cell in cells):
        csv.writer(file, lineterminator="\n", quoting=csv.QUOTE_ALL).writerow(cells)
    else:
        csv.writer(file, lineterminator="\n").writerow(cells)
    return file.getvalue().encode()


def _as_jsonl(plugin: Plugin, records: Iterable[dict[str, Any]]) -> Iterator[bytes]:
    for record in records:
        yield json.dumps(record, ensure_ascii=False).encode() + b"\n"


def _as_json(plugin: Plugin, records: Iterable[dict[str, Any]]) -> Iterator[bytes]:
    before = b"[\n"
    for record in records:
        yield before + json.dumps(record, ensure_ascii=False).encode()
        before = b",\n"
    yield b"\n]\n"


_FORMS: dict[str, Callable[[Plugin, Iterable[dict[str, Any]]], Iterator[bytes]]] = {
    "csv": _as_csv, "jsonl": _as_jsonl, "json": _as_json,
}  # fmt: skip


def _huggingface(plugin: Plugin, spec: Spec, path: Path) -> dict[str, Any]:
    for name in ("pyarrow", "matplotlib"):
        export_parquet.needed(name, "to=huggingface")
    notes, profile = Told(), Profile(plugin)
    with whole_folder(path, _PARTS) as folder, Spool(folder) as spool:
        spool.fill(export_items.read(plugin, spec, notes), profile)
        _check_splits(profile)
        sample = _data(folder / "data", spool, profile)
        figures = _figures(folder / "figures", profile)
        files = {
            str(file.relative_to(folder)): checksum(file)
            for file in sorted([*folder.glob("data/*"), *folder.glob("figures/*")])
        }
        packages = ("pyarrow", "matplotlib")
        manifest = export_items.manifest(plugin, spec, profile, notes, packages)
        source = _source(spec) if spec.dataset else None
        if source:
            manifest["spec"]["dataset"] = source["name"]  # others read it: not where it lies here
        manifest |= {"sha256": profile.sha.hexdigest(), "files": files}
        manifest |= proofs.of_sample(plugin, sample, bool(spec.dataset))
        manifest |= {"source": source} if source else {}
        foreign = set(profile.versions) != {spec.version}
        card = export_card.Card(
            manifest, profile, manifest["baselines"], figures, files, foreign, source
        )
        write_new(folder / "README.md", export_card.card(plugin, card).encode())
        text = manifests.text(manifest)
        write_new(folder / "manifest.json", text.encode())
    return {"manifest": str(path / "manifest.json"), **manifest}


def _check_splits(profile: Profile) -> None:
    """Refuse the names that Hugging Face does not take for splits."""
    for split in profile.splits:
        if not (split.replace("_", "").isalnum() and split.isascii()) or split == "all":
            raise OutputError(
                f"split '{split[:60]}': Hugging Face takes letters, digits and _ only, and not 'all'"
            )


def _data(folder: Path, spool: Spool, profile: Profile) -> list[Item]:
    """Write a Parquet file per split; return the items that baselines are scored on."""
    folder.mkdir()
    # By chance, not every tenth: labels may be balanced by index.
    chosen = set(Random(_SEED).sample(range(profile.items), min(profile.items, export_card.SAMPLE)))
    sample: list[Item] = []
    for split in sorted(profile.splits):
        numbered = ((at, item) for at, item in enumerate(spool.items()) if item.split == split)

        def items(numbered: Iterable[tuple[int, Item]] = numbered) -> Iterator[Item]:
            for at, item in numbered:
                profile.bin(item)
                if at in chosen:
                    sample.append(item)
                yield item

        with (folder / f"{split}-00000-of-00001.parquet").open("xb") as file:
            export_parquet.write(file, items(), profile.features, _facts(profile))
            sync(file)
    return sample


def _figures(folder: Path, profile: Profile) -> dict[str, str]:
    """Draw labels and features; return feature → file name, the labels under ``""``."""
    folder.mkdir()
    names: dict[str, str] = {}
    targets = profile.targets.values
    if targets and 1 < len(targets) <= FEW:
        names[""] = "labels.svg"
        write_new(folder / names[""], export_plots.bars("labels", targets))
    for number, (name, feature) in enumerate(sorted(profile.features.items())[:FIGURES]):
        drawn = export_plots.feature(name, feature)
        if drawn is not None:
            names[name] = f"feature-{number:02d}.svg"
            write_new(folder / names[name], drawn)
    return names


def _source(spec: Spec) -> dict[str, Any]:
    """Return what there is to say of the file that was read."""
    path = Path(hidden(spec.dataset))
    words = {key: spec.config[key] for key in spec.adopting}
    words |= {key: spec.options[key] for key in ("n", "format") if spec.options[key] is not None}
    if is_sharded(spec.dataset):  # its manifest was held against the shards when they were read
        manifest = json.loads(Storage(spec.dataset).read(MANIFEST) or b"{}")
        facts = {key: manifest[key] for key in ("sha256", "spec")}
        return {"name": path.name, "words": words, "shards": len(manifest["shards"]), **facts}
    source = {"name": path.name, "sha256": checksum(path), "words": words}
    beside = reading.manifest_path(path)
    if beside.exists():  # it was held against the file when that was read
        source["spec"] = json.loads(beside.read_text(encoding="utf-8"))["spec"]
    return source


_KINDS: dict[str, Callable[[Plugin, Spec, Path], dict[str, Any]]] = {
    "jsonl": _jsonl, "parquet": _parquet, "huggingface": _huggingface, "published": _published,
}  # fmt: skip


def command(words: Sequence[str], warn: Warn) -> Found:
    """Run ``harness export``."""
    spec, plugin = one_spec(words, "export")
    exported = export(plugin, spec)
    for line in facts.warnings(exported.get("plugin")):
        warn(line)
    return exported, 0
