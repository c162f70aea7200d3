"""The answers of real models that two benchmarks' authors published, scored anew: makes docs/published-answers.md.

    python benchmarks/published_answers.py PATH/TO/ltlbench PATH/TO/vltl [--check]

The first folder holds the published sets (``300_….csv``) and ``responses/SET/MODEL_STRATEGY.csv``, the second
``published_answers`` with VLTL-Bench's ``lifting_eval``, ``grounding_eval`` and ``translation_eval`` for the
warehouse. Figures alone reach the page, no answer does. ``--check`` changes nothing, and fails where the page is not
what the files give. Answers to self-consistency are left out: their files hold summaries of votes, not replies.
"""

from __future__ import annotations

import csv
import io
import json
import sys
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import redirect_stderr, redirect_stdout
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from harness_vltl.config import BENCHMARK as VLTL
from harness_vltl.published.convention import figures

from harness import Item, Row
from harness.cli.main import main as harness
from harness.core.plugins import registry
from harness.core.spec import make
from harness.datasets import dataset as datasets
from harness.run import stats

PAGE = Path(__file__).resolve().parents[1] / "docs" / "published-answers.md"
STRATEGIES = ("direct", "zero_shot_cot", "few_shot_cot", "least_to_most")
HEAD = (
    "|model|asked|published|unread there|ours|unparsed|of these empty|right only as published|only by ours|\n"
    "|---|---|---:|---:|---:|---:|---:|---:|---:|"
)
# The records that VLTL-Bench's models were asked about, with traces.
RECORDS = "translation_eval/nl2ltl/gt_masked_nl/nl2ltl_gpt-4.1-mini/warehouse.jsonl"


def published_share(path: Path) -> tuple[float, int]:
    """Return the accuracy of a file's own ``prediction`` column, and how often it is -1, nothing read.

    The published scorer takes -1 for False.
    """
    csv.field_size_limit(10**8)
    with path.open(encoding="utf-8", newline="") as file:
        rows = [(float(row["prediction"]), row["answer"]) for row in csv.DictReader(file)]
    right = [(prediction == 1) == (answer == "True") for prediction, answer in rows]
    return sum(right) / len(right), sum(prediction == -1 for prediction, _ in rows)


def scored(dataset: Path, responses: Path, logs: str, *more: str) -> dict[str, Any]:
    """Return what `harness score` finds of a file of answers (docs/json.md)."""
    out = io.StringIO()
    asked = more or ("plugin=ltlbench", "response=prediction_raw")
    words = [
        "score", *asked, f"dataset={dataset}", f"responses={responses}", "id=id",
        "convention=published", f"log_dir={logs}", "--json",
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
    share, unread_there = published_share(path)
    cells = [
        model, strategy, f"{share:.3f}", str(unread_there), interval(ours), str(unread),
        str(result["responses"]["empty"]), str(only_published), str(differences["right_wrong"]),
    ]  # fmt: skip
    return f"|{'|'.join(cells)}|"


def interval(found: Mapping[str, float]) -> str:
    """Return a mean with its 95 % interval."""
    return f"{found['value']:.3f} ({found['ci_low']:.3f}–{found['ci_high']:.3f})"


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


# -------------------------------------------------------------------------------------- VLTL-Bench


def replies(path: Path) -> Iterator[tuple[str, str]]:
    """Yield the number of a record and the reply, as the notebook takes them from a file of answers."""
    for line in path.read_text(encoding="utf-8").splitlines():
        record = json.loads(line)
        if "custom_id" in record:
            message = record["response"]["body"]["choices"][0]["message"]
            yield record["custom_id"].rpartition("-")[2], message["content"]
        else:
            said = record["prediction"] if "prediction" in record else record["grounded_sentence"]
            yield str(record["id"]), said if isinstance(said, str) else " ".join(said)


@cache
def items(records: Path, task: str) -> dict[str, Item]:
    """Return the items of the records by their numbers."""
    plugin = registry().get("vltl")
    loaded = datasets.load(plugin, make(plugin, {"dataset": str(records), "task": task}))
    return {item.notes["source_id"]: item for item in loaded}


def as_printed(path: Path, records: Path, task: str, names: tuple[str, ...]) -> list[str]:
    """Return figures of the notebook over all replies of a file, also to records that we do not score."""
    known = items(records, task)
    rows = [
        Row("", None, "scored", {}, extra=figures(known[number], reply))
        for number, reply in replies(path)
    ]
    metrics = {metric.name: metric for metric in VLTL.published}
    found = {name: stats.value_of(metrics[f"published_{name}"], rows) for name in names}
    return [
        f"{value * len(rows):.0f}" if name == "unparsed" else f"{value:.3f}" for name, value in found.items()
    ]  # fmt: skip


class Kind(NamedTuple):
    """One kind of VLTL-Bench's answers: where they are, and the columns of their table."""

    heading: str
    files: str
    task: str
    first: str
    theirs: Mapping[str, str]  # figures of the notebook
    ours: Mapping[str, str]  # beside `correct`


KINDS = (
    Kind("Lifting", "lifting_eval/*/warehouse.jsonl", "lift", "model",
         {"lifting": "similarity"}, {"lifting_iou": "IoU"}),
    Kind("Grounding", "grounding_eval/*/*.jsonl", "ground", "model, prompt",
         {"grounding": "propositions", "dictionary": "dictionaries", "unparsed": "unparsed there"},
         {"grounding": "propositions"}),
    Kind("Translation and verification", "translation_eval/**/warehouse.jsonl", "translate",
         "framework, sentences, model",
         {"similarity": "similarity", "part": "of the best part", "sat": "Sat", "unsat": "Unsat", "both": "Both",
          "unparsed": "unparsed there"}, {"both": "Both"}),
)  # fmt: skip


def vltl_row(path: Path, answers: Path, kind: Kind) -> str:
    """Return the line of a table for one file: their figures, then ours of the replies that we score."""
    parts = path.relative_to(answers).parts[1:]
    parts = parts[:-1] if path.stem == "warehouse" else (parts[0], path.stem)
    name = ", ".join(part.removeprefix(f"{parts[0]}_") for part in parts).replace("warehouse_", "")
    # only NL2TL answers in actions where it is given the sentences as they are
    task = "end_to_end" if parts == ("nl2tl", "raw_nl") else kind.task
    with tempfile.TemporaryDirectory() as logs:
        copy = Path(logs) / path.name
        lines = (json.dumps({"id": number, "response": reply}) for number, reply in replies(path))
        copy.write_text("\n".join(lines), encoding="utf-8")
        asked = ("plugin=vltl", f"task={task}", "response=response")
        result = scored(answers / RECORDS, copy, logs, *asked)
    metrics, differences = result["metrics"], result["published"]
    correct = metrics["correct"]
    cells = [
        name,
        *as_printed(path, answers / RECORDS, task, tuple(kind.theirs)),
        *(f"{metrics[name]['value']:.3f}" for name in kind.ours),
        interval(correct),
        str(differences["unparsed"]),
        str(differences["unparsed_right"] + differences["wrong_right"]),
        str(differences["right_wrong"]),
    ]
    return f"|{'|'.join(cells)}|"


def vltl_tables(folder: Path) -> Iterator[str]:
    """Yield the tables of VLTL-Bench's answers."""
    answers = folder / "published_answers"
    yield "## VLTL-Bench, warehouse\n\n500 sentences."
    for kind in KINDS:
        columns = [
            *(f"published: {name}" for name in kind.theirs.values()),
            *(f"ours: {name}" for name in kind.ours.values()),
            "ours: fully right", "unparsed", "right only as published", "only by ours",
        ]  # fmt: skip
        head = f"|{kind.first}|{'|'.join(columns)}|\n|---|{'---:|' * len(columns)}"
        rows = [vltl_row(path, answers, kind) for path in sorted(answers.glob(kind.files))]
        yield "\n".join([f"### {kind.heading}\n", head, *rows])


def page(ltlbench: Path, vltl: Path) -> str:
    """Return the whole page."""
    text = PAGE.read_text(encoding="utf-8")
    begin, end = "<!-- made by benchmarks/published_answers.py -->", "<!-- end -->"
    before, _, rest = text.partition(begin)
    made = "\n\n".join([*tables(ltlbench), *vltl_tables(vltl)])
    return f"{before}{begin}\n\n{made}\n\n{end}{rest.partition(end)[2]}"


def main(words: list[str]) -> int:
    """Write the page, or with ``--check`` say whether it is what the files give."""
    folders = [Path(word) for word in words if word != "--check"]
    needed = ("responses", "published_answers")
    if len(folders) != 2 or not all(
        (at / name).is_dir() for at, name in zip(folders, needed, strict=True)
    ):
        sys.exit(
            "usage: published_answers.py PATH/TO/ltlbench PATH/TO/vltl [--check]; "
            "the first folder holds responses/, the second published_answers/"
        )
    made = page(*folders)
    if "--check" in words:
        same = made == PAGE.read_text(encoding="utf-8")
        print(f"{PAGE.name}: {'as the files give it' if same else 'NOT what the files give'}")
        return int(not same)
    PAGE.write_text(made, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
