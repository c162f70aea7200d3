"""The dataset card of a Hugging Face folder: Markdown in which foreign text stays text."""

from __future__ import annotations

import json
import shlex
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import yaml
from harness_errors import SpecError

from harness.core.facts import printable
from harness.core.hookspecs import Benchmark
from harness.core.plugins import Plugin
from harness.core.words import parse
from harness.datasets import manifests
from harness.datasets.export_items import Profile
from harness.datasets.export_markdown import block, code, table, text
from harness.datasets.features import FEW, Feature
from harness.run.floors import SHORTCUT

TOP = 5
SAMPLE = 1_000  # items that constant answers are scored on

# What Hugging Face calls the licences that it has a name of its own for.
_LICENCES = {
    "gpl-3.0-or-later": "gpl-3.0", "gpl-3.0-only": "gpl-3.0", "gpl-3.0": "gpl-3.0", "apache-2.0": "apache-2.0",
    "mit": "mit", "cc0-1.0": "cc0-1.0", "cc-by-4.0": "cc-by-4.0", "cc-by-sa-4.0": "cc-by-sa-4.0",
    "bsd-3-clause": "bsd-3-clause",
}  # fmt: skip
_SIZES = (
    (1_000, "n<1K"), (10_000, "1K<n<10K"), (100_000, "10K<n<100K"), (1_000_000, "100K<n<1M"),
    (10_000_000, "1M<n<10M"), (100_000_000, "10M<n<100M"),
)  # fmt: skip
_FIELDS = (
    ("id", "string", "identity of the item: a hash of problem, prompt and target, after its family"),
    ("plugin", "string", "the benchmark that the item belongs to"),
    ("version", "string", "the version of the benchmark that made it, or `published` where it was adopted"),
    ("prompt", "string", "the complete prompt"),
    ("target", "string", "the right answer, in the form that the prompt asks for"),
    ("family", "string", "shared by the forms that one problem is put in; empty if it has one form only"),
    ("split", "string", "the split; items of different splits are drawn independently"),
    ("seed, index, attempt", "int64", "where the item stands in its generation"),
    ("problem", "string (JSON)", "the formal problem, from which engines derive the answer"),
    ("certificate", "string (JSON)", "evidence that proves the target without an engine, or null"),
    ("notes", "string (JSON)", "where the item came from"),
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Card:
    """What a dataset card is made of, beside the plugin."""

    manifest: Mapping[str, Any]
    profile: Profile
    cheap: Mapping[
        str, Any
    ]  # what cheap answers score on some items (`harness.datasets.proofs.of_sample`)
    figures: Mapping[str, str]  # feature → file name; the labels under ""
    files: Mapping[str, str]  # file of the data → its sha256
    foreign: bool = False  # items were adopted, not made by the benchmark
    source: Mapping[str, Any] | None = None  # of what was read: name, sha256, words, spec (if ours)


def command(data: Mapping[str, Any], benchmark: Benchmark) -> str | None:
    """Return the command that generates the items of a spec, given as `Spec.data`; None: no line can say it.

    Settings that are the default of the plugin's version are left out. In place of a file stands
    the word FILE_<key>: its content counts, not its name.
    """
    properties = benchmark.config_schema["properties"]
    words = [f"plugin={benchmark.name}"]
    try:
        files = _files(data, benchmark)
        for key, value in data["config"].items():
            if value != properties[key]["default"]:
                words.append(_word(key, f"FILE_{key}" if key in files else value))
        words += [_word(key, data[key]) for key in ("n", "seed", "split")]
        words += [] if data["unique"] else ["unique=false"]
        words += [_word(k, data[k]) for k in ("prune_model",) if k in data]
    except (KeyError, TypeError, AttributeError, SpecError):
        return None
    return " ".join(map(shlex.quote, words))


def _files(data: Mapping[str, Any], benchmark: Benchmark) -> dict[str, str]:
    """Return the settings that name a file, with the digest of its content."""
    properties = benchmark.config_schema["properties"]
    return {
        key: str(value)
        for key, value in data["config"].items()
        if properties.get(key, {}).get("format") == "path"
        and value not in ("", *properties[key].get("x-names", ()))
    }


def _word(key: str, value: Any) -> str:
    """Return ``key=value`` as the command line reads it back."""
    shown = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    if parse([f"{key}={shown}"]) != {key: [shown]}:
        raise SpecError(f"{key}: the value cannot stand in one word")
    return f"{key}={shown}"


def card(plugin: Plugin, card_facts: Card) -> str:
    """Return the whole README.md."""
    benchmark = plugin.benchmark
    parts = [
        _front(benchmark, card_facts),
        f"# {text(benchmark.name)}: {text(benchmark.summary)}",
        _summary(benchmark, card_facts),
        f"## Canary\n\nPlease keep this line out of training data, and with it everything here:\n\n"
        f"{block(manifests.CANARY)}",
        _loading(card_facts),
        _fields(),
        _features(benchmark, card_facts),
        _labels(card_facts),
        _baselines(plugin, card_facts),
        _proofs(benchmark, card_facts.manifest["proofs"]),
        _again(benchmark, card_facts),
        _left_out(card_facts),
        _rights(benchmark, card_facts),
    ]
    return "\n\n".join(part for part in parts if part) + "\n"


def _front(benchmark: Benchmark, card: Card) -> str:
    licence = "unknown" if card.foreign else _LICENCES.get(benchmark.licence.lower())
    size = next((name for most, name in _SIZES if card.profile.items < most), "100M<n<1B")
    data: dict[str, Any] = {
        "pretty_name": printable(benchmark.name, 200),
        "license": licence or "other",
        **({} if licence else {"license_name": printable(benchmark.licence or "unknown", 200)}),
        "language": ["en"],
        "task_categories": ["question-answering"],
        "tags": ["temporal-reasoning", "evaluation", "temporal-harness", printable(benchmark.name, 200)],
        "size_categories": [size],
        "configs": [
            {
                "config_name": "default",
                "data_files": [
                    {"split": split, "path": f"data/{split}-*.parquet"}
                    for split in sorted(card.profile.splits)
                ],
            }
        ],
    }  # fmt: skip
    return f"---\n{yaml.safe_dump(data, sort_keys=False, allow_unicode=True)}---"


def _summary(benchmark: Benchmark, card: Card) -> str:
    profile = card.profile
    versions = ", ".join(code(version) for version in sorted(profile.versions))
    splits = ", ".join(f"{code(s)} ({n})" for s, n in sorted(profile.splits.items()))
    lines = [
        f"{profile.items} items of the benchmark {code(benchmark.name)}, version {versions}; splits: {splits}.",
        "Written by `harness export to=huggingface` of temporal-harness; all numbers here were counted on these "
        "items, and are also in `manifest.json`.",
    ]
    engines = ", ".join(code(engine) for engine in benchmark.engines)
    if card.foreign:
        lines.append(
            "Prompts and labels are as published and were **not** checked by this export: "
            f"`harness verify plugin={text(benchmark.name)} dataset=…` derives every label anew ({engines})."
        )
    else:
        lines.append(
            f"Each item holds its formal problem and a certificate, so that the label can be checked without us; "
            f"`harness verify` derives every label anew with each engine ({engines})."
        )
    return "\n\n".join(lines)


def _loading(card: Card) -> str:
    split = min(card.profile.splits)
    python = (
        "import json\nfrom datasets import load_dataset\n\n"
        f'items = load_dataset("path/to/this/folder", split="{split}")\n'
        'print(items[0]["prompt"], items[0]["target"])\n'
        'problem = json.loads(items[0]["problem"])'
    )
    return f"## How to load\n\n{block(python, 'python')}"


def _fields() -> str:
    rows = [
        [", ".join(f"`{n}`" for n in name.split(", ")), kind, what] for name, kind, what in _FIELDS
    ]
    rows.append(["`feature_…`", "by feature", "see below; null where an item has no such feature"])
    return f"## Fields\n\n{table(('field', 'type', 'what it holds'), rows)}"


def _features(benchmark: Benchmark, card: Card) -> str:
    features = sorted(card.profile.features.items())
    if not features:
        return ""
    items = card.profile.items
    rows = [
        [
            code(f"feature_{name}"),
            feature.kind,
            str(feature.count),
            _spread(feature, name in benchmark.tags, items),
        ]
        for name, feature in features
    ]
    drawn = [
        f"![{text(name, 80)}](figures/{card.figures[name]})"
        for name, _ in features
        if name in card.figures
    ]
    head = ("feature", "type", "items", "distribution")
    return "\n\n".join(["## Features", table(head, rows), *([" ".join(drawn)] if drawn else [])])


def _spread(feature: Feature, tags: bool, items: int) -> str:
    """Return how the values of a feature are spread, in a table's cell."""
    if feature.numeric:
        middle = "" if feature.mean is None else f", mean {feature.mean:.4g}"
        return text(f"{_number(feature.low)} … {_number(feature.high)}{middle}")
    if feature.kind == "json":
        return "nested or mixed"
    if feature.counts.values is None:
        return "many or long texts"
    counts = sorted(feature.counts.values.items(), key=lambda pair: (-pair[1], str(pair[0])))
    shown = ", ".join(f"{code(v, 60)} {n / items:.1%}" for v, n in counts[:TOP])
    more = f", {len(counts) - TOP} others" if len(counts) > TOP else ""
    return f"{'by word: ' if tags else ''}{shown}{more}"


def _number(value: float | None) -> str:
    return str(value) if isinstance(value, int) else f"{value:.6g}"


def _labels(card: Card) -> str:
    counts = card.profile.targets.values
    if counts is None:
        return "## Labels\n\nToo many or too long to be counted one by one."
    items = card.profile.items
    often = [pair for pair in counts.items() if pair[1] > 1 or len(counts) <= FEW]
    ordered = sorted(often, key=lambda pair: (-pair[1], pair[0]))
    rows = [[code(target), str(n), f"{n / items:.1%}"] for target, n in ordered[:FEW]]
    more = len(counts) - len(rows)
    parts = [
        "## Labels",
        f"{len(counts)} different targets. Of one with more than a verdict, what stands before the colon counts.",
        *([table(("target", "items", "share"), rows)] if rows else []),
        *([f"{more} others, {'less often' if rows else 'each of one item'}."] if more else []),
        *([f"![labels](figures/{card.figures['']})"] if "" in card.figures else []),
    ]  # fmt: skip
    return "\n\n".join(parts)


def _baselines(plugin: Plugin, card: Card) -> str:
    benchmark, scored = plugin.benchmark, card.cheap["items"]
    floors = {kind: row for kind, row in card.cheap.items() if isinstance(row, Mapping)}
    if not floors:
        return "## Baselines\n\nThe benchmark names no answer that could be given without reading the problem."
    kinds = [kind for kind in floors if not kind.startswith(SHORTCUT)]
    metrics = [m for m in benchmark.metrics if any(m.name in row for row in floors.values())]
    rows = [
        [code(m.name), *(_value(floors[kind].get(m.name)) for kind in kinds), text(m.summary)]
        for m in metrics
    ]
    choices = ", ".join(code(choice, 60) for choice in benchmark.choices) or "none"
    part = "" if scored == card.profile.items else f"{scored} of the "
    parts = [
        "## Baselines",
        f"What answers given without reading the problem score on {part}{card.profile.items} items: the best "
        f"constant (majority), the first one (constant) and a random one (of: {choices}; a task may have "
        "its own). Each was really scored.",
        table(("metric", *kinds, "what it is"), rows),
    ]
    if "best_shortcut" in card.cheap:
        names = [metric.name for metric in metrics]
        cheap = [
            [code(s.name), *(_value(floors[f"{SHORTCUT}{s.name}"].get(name)) for name in names),
             text(s.summary), text(s.ignores)]
            for s in plugin.shortcuts() if f"{SHORTCUT}{s.name}" in floors
        ]  # fmt: skip
        best = text(card.cheap["best_shortcut"])
        parts += [
            "Shortcuts use a part of the problem only. A score below the best of them, or of the constant answers "
            f"(here: {best}), shows no reasoning.",
            table(("shortcut", *names, "how it answers", "what it ignores"), cheap),
        ]
    return "\n\n".join(parts)


def _value(number: float | None) -> str:
    return "–" if number is None else f"{number:.3f}"


def _proofs(benchmark: Benchmark, proofs: Mapping[str, int] | None) -> str:
    if proofs is None:
        return ""
    return (
        f"## Proofs\n\nOf {proofs['items']} of the items, {proofs['proved']} labels are proved by certificates that "
        f"a small program checks without an engine, {proofs['refuted']} refuted, {proofs['not checkable']} not "
        f"checkable. `harness prove plugin={text(benchmark.name)} dataset=…` says so of all."
    )


def _again(benchmark: Benchmark, card: Card) -> str:
    manifest = card.manifest
    parts = ["## How to make it again, byte for byte"]
    parts += _from_file(benchmark, card) if card.source else _made(benchmark, manifest["spec"])
    parts.append("With these versions:")
    versions = manifest["versions"].items()
    parts.append(table(("what", "version"), [[text(k), code(v)] for k, v in versions]))
    parts.append("Checksums (SHA-256):")
    sums = [[code(name), code(checksum)] for name, checksum in card.files.items()]
    sums.append(["all items as JSON lines (`to=jsonl`)", code(manifest["sha256"])])
    parts.append(table(("file", "checksum"), sums))
    parts.append(
        "The Parquet files depend on the version of pyarrow, the figures on that of matplotlib, and the JSON lines "
        "on neither."
    )
    return "\n\n".join(parts)


def _made(benchmark: Benchmark, data: Mapping[str, Any]) -> list[str]:
    """Return what says how the items of a spec are generated."""
    words = command(data, benchmark)
    if words is None:
        return ["No command line can say these settings; they are in `manifest.json` under `spec`."]
    lines = [
        f"harness generate {words} out=items.jsonl",
        "harness export plugin="
        + shlex.quote(benchmark.name)
        + " dataset=items.jsonl to=huggingface out=folder",
    ]
    if "prune_model" not in data:
        lines[1] = f"harness export {words} to=huggingface out=folder"
    parts = [block("\n".join(lines), "sh")]
    files = _files(data, benchmark)
    parts += [
        f"{code('FILE_' + key)} has the content with digest {code(d)}." for key, d in files.items()
    ]
    if "prune_model" in data:
        parts.append("Items were dropped by a model's replies, which need not come the same again.")
    return parts


def _from_file(benchmark: Benchmark, card: Card) -> list[str]:
    source = card.source or {}
    words = [f"plugin={benchmark.name}", f"dataset={source['name']}"]
    words += [f"{key}={value}" for key, value in source["words"].items()]
    line = " ".join(map(shlex.quote, words))
    kind = "file" if "shards" not in source else f"dataset in {source['shards']} shards"
    parts = [
        f"From the {kind} {code(source['name'])} with SHA-256 {code(source['sha256'])}:",
        block(f"harness export {line} to=huggingface out=folder", "sh"),
    ]
    if source.get("spec"):
        parts += ["That file was made by:", *_made(benchmark, source["spec"])]
    return parts


def _left_out(card: Card) -> str:
    unreadable = card.manifest.get("unreadable", {"count": 0})
    if not unreadable["count"]:
        return ""
    rows = "\n".join(f"- {text(message)}" for message in unreadable["first"])
    more = unreadable["count"] - len(unreadable["first"])
    rest = f"\n- … and {more} more" if more else ""
    return f"## Left out\n\n{unreadable['count']} records became no items:\n\n{rows}{rest}"


def _rights(benchmark: Benchmark, card: Card) -> str:
    stated = f"The benchmark states: {text(benchmark.licence or 'nothing')}."
    if card.foreign:
        stated = (
            "The items are someone else's: the licence of the dataset they were read from applies, and is not "
            f"known here. (The plugin that read them: {text(benchmark.licence or 'no licence stated')}.)"
        )
    cite = block(benchmark.citation or "none stated")
    whose = "Of the benchmark that read it; cite its publishers, too.\n\n" if card.foreign else ""
    return f"## Licence\n\n{stated}\n\n## Citation\n\n{whose}{cite}"
