"""How our readers read what real models wrote: makes docs/answers.md.

    python benchmarks/answers.py PATH/TO/DATA [--check]

The folder holds ``ltlbench/300_….csv`` with ``ltlbench/responses`` and ``vltl/published_answers``. Figures alone
reach the page, no reply does. ``--check`` changes nothing, and fails where the page is not what the files give.
"""

from __future__ import annotations

import csv
import json
import re
import sys
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from harness_vltl.answers import extraction
from harness_vltl.engines import spot
from harness_vltl.formulas.syntax import parse

from harness import Item
from harness.core.plugins import registry
from harness.core.spec import make
from harness.datasets import dataset

PAGE = Path(__file__).resolve().parents[1] / "docs" / "answers.md"
BEGIN = "<!-- made by benchmarks/answers.py -->"
GOLD = "translation_eval/nl2tl/gt_lifting/warehouse.jsonl"
_HEADINGS = re.compile(r"(?:\s*===[^=\n]*===)*\s*")
_SUMMARY = "self_consistency"  # these files hold summaries of votes, not replies


def table(first: str, rows: Mapping[str, Counter[str]], columns: tuple[str, ...]) -> str:
    """Return a table of counts with a row of their sums."""
    total = sum(rows.values(), Counter())
    head = f"|{first}|{'|'.join(columns)}|\n|---|{'---:|' * len(columns)}"
    lines = (
        f"|{name}|{'|'.join(f'{counts[column]:,}' for column in columns)}|"
        for name, counts in {**rows, "**all**": total}.items()
    )
    return "\n".join([head, *lines])


def ltlbench(folder: Path) -> Iterator[str]:
    """Yield the table of verdicts."""
    plugin = registry().get("ltlbench")
    csv.field_size_limit(10**8)
    rows: dict[str, Counter[str]] = {}
    for path in sorted(folder.glob("responses/*/*.csv")):
        if _SUMMARY in path.stem:
            continue
        source = folder / f"{path.parent.name}.csv"
        ids = [row["id"] for row in _csv(source)]
        loaded = dataset.load(plugin, make(plugin, {"dataset": str(source)}))
        items = dict(zip(ids, loaded, strict=True))
        model, _, asked = path.stem.partition("_")
        counts = rows.setdefault(f"{model}, {asked}", Counter())
        for row in _csv(path):
            counts += _read(plugin, items[row["id"]], row["prediction_raw"], row["prediction"])
    columns = (
        "replies", "empty", "headings alone", "unread with text", "read", "differ", "of these ours right",
        "published right",
    )  # fmt: skip
    yield table("ltlbench: model, asked", rows, columns)
    total = sum(rows.values(), Counter())
    text = total["replies"] - total["empty"] - total["headings alone"]
    share = total["unread with text"] / text
    yield f"Of {text:,} replies with text {share:.1%} stay unread."


def _csv(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def _read(plugin: Any, item: Item, reply: str, published: str) -> Counter[str]:
    """Count one reply: what became of it, and who was right where the published reader read otherwise."""
    verdict = plugin.call("score", item=item, completion=reply)
    counts = Counter({"replies": 1})
    if not reply.strip():
        return counts + Counter({"empty": 1})
    if verdict.outcome != "scored":
        kind = "headings alone" if _HEADINGS.fullmatch(reply) else "unread with text"
        return counts + Counter({kind: 1})
    counts["read"] += 1
    theirs = {1.0: "True", 0.0: "False"}.get(float(published))
    if theirs != verdict.answer:
        counts["differ"] += 1
        counts["of these ours right"] += item.target == verdict.answer
        counts["published right"] += item.target == theirs
    return counts


def grounding(folder: Path) -> Iterator[str]:
    """Yield the table of dictionaries, in raw chat completions."""
    rows: dict[str, Counter[str]] = {}
    for path in sorted(folder.glob("grounding_eval/*/*.jsonl")):
        name = f"{path.parent.name}, {path.stem.removeprefix('warehouse_')}"
        counts = rows.setdefault(name, Counter())
        for record in _jsonl(path):
            reply = record["response"]["body"]["choices"][0]["message"]["content"] or ""
            read = extraction.grounding(reply, "")
            counts["replies"] += 1
            counts["empty" if not reply.strip() else "read" if read else "unread with text"] += 1
    yield table(
        "vltl, grounding: model, prompt", rows, ("replies", "empty", "unread with text", "read")
    )


def translation(folder: Path) -> Iterator[str]:
    """Yield the table of formulas over propositions; a formula over other names is read and not equivalent."""
    rows: dict[str, Counter[str]] = {}
    golds = {record["id"]: record["masked_tl"] for record in _jsonl(folder / GOLD)}
    for path in sorted(folder.glob("translation_eval/*/*masked_nl/**/*.jsonl")):
        framework, sentences, model = path.relative_to(folder / "translation_eval").parts[:-1]
        name = f"{framework}, {sentences}, {model.removeprefix(f'{framework}_')}"
        counts = rows.setdefault(name, Counter())
        for record in _jsonl(path):
            words = golds[record["id"]]
            names = [word for word in words if word.startswith("prop_")]
            gold, reply = parse(" ".join(words), names), str(record["prediction"])
            read = extraction.formula(reply, "", names)
            counts["replies"] += 1
            if not isinstance(read, extraction.Answer):
                kind = (
                    "unread with text"
                    if any(map(reply.__contains__, names))
                    else "unread, no proposition"
                )
                counts[kind if reply.strip() else "empty"] += 1
                continue
            counts["read"] += 1
            counts["equivalent"] += spot.difference(gold, read.value) is None
            counts["the same words"] += reply.split() == words
    columns = (
        "replies", "empty", "unread, no proposition", "unread with text", "read", "equivalent", "the same words",
    )  # fmt: skip
    yield table("vltl, translation: framework, sentences, model", rows, columns)


def _jsonl(path: Path) -> Iterator[dict[str, Any]]:
    for line in path.read_text(encoding="utf-8").splitlines():
        yield json.loads(line)


def main(words: list[str]) -> int:
    """Write the page, or compare it."""
    folders = [Path(word) for word in words if not word.startswith("-")]
    if len(folders) != 1 or not (folders[0] / "ltlbench/responses").is_dir():
        sys.exit(
            "answers.py: give the folder that holds ltlbench/responses and vltl/published_answers"
        )
    vltl = folders[0] / "vltl/published_answers"
    parts = [*ltlbench(folders[0] / "ltlbench"), *grounding(vltl), *translation(vltl)]
    text = PAGE.read_text(encoding="utf-8")
    new = f"{text.partition(BEGIN)[0]}{BEGIN}\n\n" + "\n\n".join(parts) + "\n"
    if "--check" in words:
        return int(new != text)
    PAGE.write_text(new, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
