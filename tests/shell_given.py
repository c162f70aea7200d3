"""The files that documents' commands work on and do not make: real ones, made when a command names one."""

from __future__ import annotations

import csv
import json
import shutil
from collections.abc import Callable
from pathlib import Path

from report_logs import items_of, run_log, scripted_log
from shell_examples import ROOT, blocks
from tp_published import case_of, record

from harness.cli import main

Maker = Callable[[Path], None]
PUBLISHED = "300_2_events_2_formula_len.csv"


def exported(plugin: str, *words: str) -> Maker:
    """Two items of ours in a benchmark's published form (or another that ``words`` name)."""

    def make(path: Path) -> None:
        assert main.main(["export", f"plugin={plugin}", "n=2", f"out={path}", *words]) == 0

    return make


def published(plugin: str, *words: str) -> Maker:
    return exported(plugin, "to=published", *words)


def pairs(path: Path) -> None:
    """Two sentences with their formulas, in a table without a header or as JSON lines."""
    known = [("Whenever a holds, b holds as well.", "G(a -> b)"), ("In the end, c.", "F G c")]
    if path.suffix == ".jsonl":
        lines = [json.dumps({"en": sentence, "ltl": formula}) for sentence, formula in known]
    else:
        lines = [f'"{sentence}";"{formula}"' for sentence, formula in known]
    path.write_text("\n".join(lines) + "\n")


def puzzles(path: Path) -> None:
    """Records as the authors' generator writes them, without a prompt."""
    month = record(case_of("month"), case_of("explicit_year"))
    path.write_text(
        json.dumps([month, record(case_of("decade"), case_of("event", name="leap_year"))])
    )


def answers(plugin: str = "ltlbench", text: str = "Answer: True", **keys: object) -> Maker:
    """A file with an answer to each item of a dataset, or to two fresh ones."""

    def make(path: Path) -> None:
        said = [{"id": own, "response": text} for own, _ in items_of(plugin, **({"n": 2} | keys))]
        with path.open("w", encoding="utf-8") as file:
            if path.suffix == ".csv":
                writer = csv.DictWriter(file, ["id", "response"])
                writer.writeheader()
                writer.writerows(said)
            else:
                file.writelines(json.dumps(one) + "\n" for one in said)

    return make


def study(path: Path) -> None:
    """A small file of runs."""
    path.write_text("runs: [{plugin: ltlbench, n: 2}, {plugin: timepuzzles, n: 1}]")


def prices(path: Path) -> None:
    """What a model costs."""
    path.write_text("openai/gpt-5: {input: 1.25, output: 10}")


def log(model: str, **keys: object) -> Maker:
    """A log of a run of ltlbench."""

    def make(path: Path) -> None:
        path.parent.mkdir(exist_ok=True)
        run_log(path.parent, "ltlbench", model, **({"n": 2} | keys)).rename(path)

    return make


def recorded(model: str, answer: str) -> Maker:
    """A log of answers that a model gave, as ``harness score`` writes it."""

    def make(path: Path) -> None:
        scripted_log(path.parent, "ltlbench", lambda item: answer, model, n=16).rename(path)

    return make


def searched(path: Path) -> None:
    """The last log that a command before has written."""
    shutil.copy(max(path.parent.glob("*.eval"), key=lambda one: one.stat().st_mtime_ns), path)


def contexts(path: Path) -> None:
    """What a search found for each of two puzzles."""
    found = [{"id": item.id, "context": "Some page."} for _, item in items_of("timepuzzles", n=2)]
    path.write_text("".join(json.dumps(one) + "\n" for one in found), encoding="utf-8")


def logs(path: Path) -> None:
    """A folder of logs: two models on the same items."""
    path.mkdir(exist_ok=True)
    recorded("acme/small-1", "Answer: True")(path / "small.eval")
    recorded("acme/large-2", "Answer: False")(path / "large.eval")


def some_of(folder: str, *names: str) -> Maker:
    """A folder with files of the repository."""

    def make(path: Path) -> None:
        path.mkdir()
        for name in names:
            shutil.copy(ROOT / folder / name, path)

    return make


def of_page(page: str, language: str) -> Maker:
    """The file that the page itself shows."""

    def make(path: Path) -> None:
        (shown,) = (
            one for one in blocks(page, (ROOT / page).read_text()) if one.language == language
        )
        path.write_text("\n".join(shown.lines) + "\n", encoding="utf-8")

    return make


def machines(path: Path) -> None:
    """A folder with a machine in HOA, as a prompt has it."""
    path.mkdir()
    ((_, item),) = items_of("tempobench", n=1)
    (path / "one.hoa").write_text(item.problem["hoa"])


def arbiter(path: Path) -> None:
    shutil.copy(ROOT / "plugins/tempobench/harness_tempobench/specs/simple_arbiter.tlsf", path)


GIVEN: dict[str, dict[str, Maker]] = {
    "README.md": {
        PUBLISHED: published("ltlbench"),
        "study.yaml": study,
        "logs/A.eval": log("harness/constant"),
        "logs/B.eval": log("harness/random"),
    },
    "docs/audits.md": {PUBLISHED: published("ltlbench"), "published.csv": published("ltlbench", "seed=1")},
    "docs/comparing.md": {
        "small.eval": recorded("acme/small-1", "Answer: True"),
        "large.eval": recorded("acme/large-2", "Answer: False"),
        "epochs.eval": log("harness/random", n=16, seed=1, epochs=3),
        "logs/": logs,
    },
    "docs/export.md": {"300_2_events.csv": published("ltlbench")},
    "docs/guide.md": {"logs/SEARCHED.eval": searched, "prices.yaml": prices, "study.yaml": study},
    "docs/published-sets.md": {
        PUBLISHED: published("ltlbench"),
        "300_2_events_2_deepseek-reasoner_direct.csv": answers(dataset=PUBLISHED),
        "rubbish.jsonl": answers("tempobench", label="per_step"),
        "silent.jsonl": answers("tempobench", label="per_step"),
        "beyond.jsonl": answers("tempobench", label="per_step"),
        "next.jsonl": answers("timepuzzles"),
        "dash.jsonl": answers("timepuzzles"),
        "none.jsonl": answers("timepuzzles", solutions="0"),
        "traffic_light.jsonl": published("vltl", "format=vltl_jsonl", "task=lift"),
    },
    "docs/reports.md": {"logs": logs},
    "docs/scale.md": {"said.jsonl": answers(dataset="data/ltl")},
    "docs/scoring.md": {
        "items.jsonl": exported("ltlbench"),
        "answers.csv": answers(dataset="items.jsonl"),
        "run.eval": log("harness/random", seed=7, operators=3),
        "logs/A.eval": log("harness/constant"),
    },
    "docs/traces.md": {"items.jsonl": exported("timepuzzles")},
    "plugins/ltlbench/README.md": {PUBLISHED: published("ltlbench")},
    "plugins/tempobench/README.md": {
        "specs=specs": some_of("plugins/tempobench/harness_tempobench/specs", "latch.tlsf"),
        "machines=machines": machines,
        "causal-done.jsonl": published("tempobench", "format=tempobench_jsonl"),
        "raw.jsonl": published("tempobench", "format=tempobench_raw", "task=tte"),
        "arbiter.tlsf": arbiter,
    },
    "plugins/timepuzzles/README.md": {"puzzles.json": puzzles, "search.jsonl": contexts},
    "plugins/vltl/README.md": {
        "warehouse.jsonl": published("vltl", "format=vltl_jsonl", "task=lift"),
        "answers.jsonl": answers("vltl", dataset="warehouse.jsonl", task="translate"),
        "pairs.csv": pairs,
        "pairs.txt": pairs,
        "pairs.jsonl": pairs,
        "replies.jsonl": answers("vltl", "Answer: F a", dataset="pairs.jsonl", task="translate"),
    },
    "plugins/vltl/SCENARIOS.md": {"lab.yaml": of_page("plugins/vltl/SCENARIOS.md", "yaml")},
}  # fmt: skip
