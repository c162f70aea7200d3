"""The answers of real models that LTLBench's authors published, scored anew: makes docs/published-answers.md.

    python benchmarks/published_answers.py PATH/TO/ltlbench [--check]

The folder holds the published sets (``300_….csv``) and ``responses/SET/MODEL_STRATEGY.csv``. Figures alone reach the
page, no answer does. ``--check`` changes nothing, and fails where the page is not what the files give. Answers to
self-consistency are left out: their files hold summaries of votes, not replies.
"""

from __future__ import annotations

import csv
import io
import json
import sys
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from typing import Any

from harness.cli.main import main as harness

PAGE = Path(__file__).resolve().parents[1] / "docs" / "published-answers.md"
STRATEGIES = ("direct", "zero_shot_cot", "few_shot_cot", "least_to_most")
HEAD = (
    "| model | asked | as published | ours (95 % interval) | unparsed, of these empty | right only as published | "
    "right only by ours |\n| --- | --- | ---: | ---: | ---: | ---: | ---: |"
)


def published_share(path: Path) -> float:
    """Return the accuracy of a file's own ``prediction`` column; its scorer takes -1 (nothing read) for False."""
    csv.field_size_limit(10**8)
    with path.open(encoding="utf-8", newline="") as file:
        right = [
            (float(row["prediction"]) == 1) == (row["answer"] == "True")
            for row in csv.DictReader(file)
        ]
    return sum(right) / len(right)


def scored(dataset: Path, responses: Path, logs: str) -> dict[str, Any]:
    """Return what `harness score` finds of a file of answers (docs/json.md)."""
    out = io.StringIO()
    words = [
        "score", "plugin=ltlbench", f"dataset={dataset}", f"responses={responses}", "id=id",
        "response=prediction_raw", "convention=published", f"log_dir={logs}", "--json",
    ]  # fmt: skip
    with redirect_stdout(out), redirect_stderr(io.StringIO()):
        harness(words)
    result: dict[str, Any] = json.loads(out.getvalue())
    if "error" in result:
        sys.exit(f"{responses}: {result['error']['message']}")
    return result


def row(path: Path, result: Mapping[str, Any]) -> str:
    """Return the line of a table for one file of answers."""
    model, strategy = next(
        (path.stem.removesuffix(f"_{name}"), name) for name in STRATEGIES if path.stem.endswith(f"_{name}")
    )  # fmt: skip
    ours, differences = result["metrics"]["accuracy"], result["published"]
    only_published = differences["unparsed_right"] + differences["wrong_right"]
    unread = round(result["unparsed"] * result["n"])
    return (
        f"| {model} | {strategy.replace('_', ' ')} | {published_share(path):.3f} "
        f"| {ours['value']:.3f} ({ours['ci_low']:.3f} – {ours['ci_high']:.3f}) "
        f"| {unread}, {result['responses']['empty']} | {only_published} | {differences['right_wrong']} |"
    )


def tables(folder: Path) -> Iterator[str]:
    """Yield a heading, the floors and a table for each published set that has answers."""
    for answers in sorted(path for path in (folder / "responses").iterdir() if path.is_dir()):
        dataset = folder / f"{answers.name}.csv"
        _, events, _, operators, *_ = answers.name.split("_")
        files = [answers / path.name for path in sorted(answers.glob("*.csv"))]
        files = [
            path for path in files if path.stem.endswith(tuple(f"_{name}" for name in STRATEGIES))
        ]
        with tempfile.TemporaryDirectory() as logs:
            results = {path: scored(dataset, path, logs) for path in files}
        n, floors = next((result["n"], result["floors"]) for result in results.values())
        shown = ", ".join(
            f"{kind} {floors[kind]['accuracy']:.3f}" for kind in ("majority", "random")
        )
        lines = "\n".join(row(path, result) for path, result in results.items())
        yield f"## {events} events, {operators} operators\n\n{n} problems. Floors: {shown}.\n\n{HEAD}\n{lines}"


def page(folder: Path) -> str:
    """Return the whole page."""
    text = PAGE.read_text(encoding="utf-8")
    begin, end = "<!-- made by benchmarks/published_answers.py -->", "<!-- end -->"
    before, _, rest = text.partition(begin)
    return (
        f"{before}{begin}\n\n" + "\n\n".join(tables(folder)) + f"\n\n{end}" + rest.partition(end)[2]
    )


def main(words: list[str]) -> int:
    """Write the page, or with ``--check`` say whether it is what the files give."""
    folders = [Path(word) for word in words if word != "--check"]
    if len(folders) != 1 or not (folders[0] / "responses").is_dir():
        sys.exit(
            "usage: published_answers.py PATH/TO/ltlbench [--check]; the folder holds responses/"
        )
    made = page(folders[0])
    if "--check" in words:
        same = made == PAGE.read_text(encoding="utf-8")
        print(f"{PAGE.name}: {'as the files give it' if same else 'NOT what the files give'}")
        return int(not same)
    PAGE.write_text(made, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
