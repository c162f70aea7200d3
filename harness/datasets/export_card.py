"""The dataset card of a Hugging Face folder: Markdown in which foreign text stays text."""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import yaml
from harness_errors import SpecError
from harness_pages import templates

from harness.core.facts import printable
from harness.core.hookspecs import Benchmark
from harness.core.plugins import Plugin
from harness.core.words import parse
from harness.datasets import manifests
from harness.datasets.export_items import Profile
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

_SPECIAL = re.compile(
    r"[\\`*_\[\]<>|~&$@]|(?<![^ ])[#+=-](?= |$|[#+=-])|:(?=//)|(?<=\d)[.)](?= |$)"
)


@dataclass(frozen=True, slots=True)
class Card:
    """What a dataset card is made of, beside the plugin."""

    manifest: Mapping[str, Any]
    profile: Profile
    # What cheap answers score on some items (`harness.datasets.proofs.of_sample`).
    cheap: Mapping[str, Any]
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


def card(plugin: Plugin, card: Card) -> str:
    """Return the whole README.md; what is foreign in it went through `text`, `code` or `block`."""
    benchmark, profile, manifest = plugin.benchmark, card.profile, card.manifest
    page = templates(__package__).overlay(
        autoescape=False, trim_blocks=True, keep_trailing_newline=True
    )
    page.filters |= {"text": text, "code": code, "block": block, "share": "{:.1%}".format}
    page.filters["value"] = lambda number: "–" if number is None else f"{number:.3f}"
    features = sorted(profile.features.items())
    spec = card.source.get("spec") if card.source else manifest["spec"]
    return page.get_template("card.md.j2").render(
        benchmark=benchmark,
        card=card,
        profile=profile,
        manifest=manifest,
        canary=manifests.CANARY,
        front=_front(benchmark, card),
        versions=sorted(profile.versions),
        splits=sorted(profile.splits.items()),
        features=[
            (name, feature, _spread(feature, name in benchmark.tags, profile.items))
            for name, feature in features
        ],
        drawn=[name for name, _ in features if name in card.figures],
        labels=_labels(profile),
        **_baselines(plugin, card.cheap),
        made=_made(benchmark, spec) if spec else None,
        export_command=_export_command(benchmark, card.source) if card.source else "",
        unreadable=manifest.get("unreadable", {"count": 0}),
    )


def _front(benchmark: Benchmark, card: Card) -> str:
    licence = "unknown" if card.foreign else _LICENCES.get(benchmark.licence.lower())
    size = next((name for most, name in _SIZES if card.profile.items < most), "100M<n<1B")
    files = [
        {"split": split, "path": f"data/{split}-*.parquet"} for split in sorted(card.profile.splits)
    ]
    data: dict[str, Any] = {
        "pretty_name": printable(benchmark.name, 200),
        "license": licence or "other",
        **({} if licence else {"license_name": printable(benchmark.licence or "unknown", 200)}),
        "language": ["en"],
        "task_categories": ["question-answering"],
        "tags": [
            "temporal-reasoning",
            "evaluation",
            "temporal-harness",
            printable(benchmark.name, 200),
        ],
        "size_categories": [size],
        "configs": [{"config_name": "default", "data_files": files}],
    }
    return yaml.safe_dump(data, sort_keys=False, allow_unicode=True)


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


def _labels(profile: Profile) -> dict[str, Any] | None:
    """Return how many targets there are, the most frequent with their counts, and how many others."""
    counts = profile.targets.values
    if counts is None:
        return None
    often = [pair for pair in counts.items() if pair[1] > 1 or len(counts) <= FEW]
    often = sorted(often, key=lambda pair: (-pair[1], pair[0]))[:FEW]
    return {"different": len(counts), "often": often, "others": len(counts) - len(often)}


def _baselines(plugin: Plugin, cheap: Mapping[str, Any]) -> dict[str, Any]:
    """Return what cheap answers score: the rows and columns of two tables."""
    floors = {kind: row for kind, row in cheap.items() if isinstance(row, Mapping)}
    metrics = plugin.benchmark.metrics
    shortcuts = [(s, floors.get(f"{SHORTCUT}{s.name}")) for s in plugin.shortcuts()]
    return {
        "scored": cheap["items"],
        "floors": floors,
        "kinds": [kind for kind in floors if not kind.startswith(SHORTCUT)],
        "metrics": [m for m in metrics if any(m.name in row for row in floors.values())],
        "best_shortcut": cheap.get("best_shortcut"),
        "shortcuts": [(shortcut, row) for shortcut, row in shortcuts if row is not None],
    }


def _made(benchmark: Benchmark, data: Mapping[str, Any]) -> dict[str, Any]:
    """Return how the items of a spec are generated: commands (None: no line can say it), and what these need."""
    words, pruned = command(data, benchmark), "prune_model" in data
    if words is None:
        return {"lines": None}
    name = shlex.quote(benchmark.name)
    which = f"plugin={name} dataset=items.jsonl" if pruned else words
    lines = (
        f"harness generate {words} out=items.jsonl\n"
        f"harness export {which} to=huggingface out=folder"
    )
    return {"lines": lines, "files": _files(data, benchmark), "pruned": pruned}


def _export_command(benchmark: Benchmark, source: Mapping[str, Any]) -> str:
    words = [f"plugin={benchmark.name}", f"dataset={source['name']}"]
    words += [f"{key}={value}" for key, value in source["words"].items()]
    return f"harness export {shlex.join(words)} to=huggingface out=folder"


def text(value: object, limit: int = 2_000) -> str:
    """Return foreign text as one line of Markdown that shows as what it is: no mark-up, no HTML."""
    return _SPECIAL.sub(r"\\\g<0>", printable(str(value), limit).strip())


def code(value: object, limit: int = 2_000) -> str:
    """Return foreign text as Markdown code in a line."""
    shown = printable(str(value), limit).replace("|", "\\|")
    fence = "`" * (_longest(shown) + 1)
    pad = " " if shown[:1] in "` " or shown[-1:] in "` " else ""
    return f"{fence}{pad}{shown}{pad}{fence}"


def block(value: str, language: str = "") -> str:
    """Return text as a block of code that nothing within it can end."""
    lines = [printable(line, 20_000) for line in value.split("\n")]
    fence = "`" * max(3, _longest(value) + 1)
    return "\n".join([f"{fence}{language}", *lines, fence])


def _longest(value: str) -> int:
    return max((len(run) for run in re.findall(r"`+", value)), default=0)
