"""An item has one number, from 0, wherever a command names it: show, verify, run and report, score."""

import csv
import io
import json
import re
from contextlib import redirect_stdout

import pytest
from browser import Watched, chromium, needed
from cases import slow
from inspect_ai.log import read_eval_log
from report_logs import edited

from harness.cli.main import main
from harness.report import log_studies

N = 6


def said(*words):
    out = io.StringIO()
    with redirect_stdout(out):
        code = main(list(words))
    return code, out.getvalue()


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """A dataset whose item 3 has a wrong label, and the folder that it is in."""
    folder = tmp_path_factory.mktemp("numbers")
    file = folder / "items.jsonl"
    assert said("generate", "plugin=ltlbench", f"n={N}", f"out={file}")[0] == 0
    lines = [json.loads(line) for line in file.read_text().splitlines()]
    other = {"True": "False", "False": "True"}[lines[3]["target"]]
    lines[3] |= {"target": other, "id": ""}
    lines.reverse()  # so that no item's place is its index
    file.write_text("".join(json.dumps(line) + "\n" for line in lines))
    (folder / "items.jsonl.manifest.json").unlink(missing_ok=True)
    for path in folder.glob("*manifest*"):
        path.unlink()
    return folder, file


def numbered(logs):
    """Return the numbers of the items in the answers of a report."""
    out = logs.parent / "out"
    code, _ = said("report", str(logs), f"out={out}", "--json")
    assert code == 0
    with (out / "answers_ltlbench.csv").open(newline="") as file:
        return {row["id"]: row["item"] for row in csv.DictReader(file)}, out / "index.html"


@slow
def test_show_verify_run_and_report_number_a_datasets_items_alike(made):
    folder, file = made
    words = ["plugin=ltlbench", f"dataset={file}"]
    _, text = said("show", *words, f"n={N}")
    shown = {name: number for number, name in re.findall("── item ([0-9]+) · ([0-9a-f]+) ", text)}
    assert list(shown.values()) == [str(at) for at in range(N)]
    result = json.loads(said("show", *words, "index=2", "n=2", "--json")[1])
    assert result["positions"] == [2, 3]
    assert [shown[item["id"]] for item in result["items"]] == ["2", "3"]
    for number in ("0", "2", "5"):
        one = json.loads(said("show", *words, f"item={number}", "--json")[1])
        assert (one["positions"], shown[one["items"][0]["id"]]) == ([int(number)], number)
        again = said("show", *words, f"item={one['items'][0]['id']}")[1]
        assert f"── item {number} · " in again

    code, text = said("verify", *words)
    assert code == 1
    assert re.findall(r"^item (\d+), line (\d+) .*: label: ", text, re.M) == [("2", "3")]
    found = json.loads(said("verify", *words, "--json")[1])["findings"]
    assert [f["position"] for f in found if f["kind"] == "label"] == [2]

    logs = folder / "logs"
    assert said("run", *words, "model=harness/random", f"log_dir={logs}", "--json")[0] == 0
    numbers, page = numbered(logs)
    assert numbers == shown
    needed()
    with chromium() as browser:
        for width in (1280, 390):
            tab = Watched(browser).open(page, width)
            tab.evaluate("document.querySelectorAll('details.study').forEach(d => d.open = true)")
            ids = tab.locator("section.explorer .items .id").all_inner_texts()
            assert sorted(ids) == sorted(f"item {shown[name]} · {name}" for name in shown)


@slow
def test_generated_items_count_from_0_and_so_do_the_shards_of_a_run(tmp_path, shards_here):
    _, text = said("show", "plugin=ltlbench", "twins=no", f"n={N}")
    shown = {name: number for number, name in re.findall("── item ([0-9]+) · ([0-9a-f]+) ", text)}
    _, text = said("verify", "plugin=ltlbench", "twins=no", f"n={N}", "verbose=yes")
    findings = re.findall(r"^item (\d+) \(id ([0-9a-f]+)\)", text, re.M)
    assert findings
    assert all(shown[name] == number for number, name in findings)
    logs = tmp_path / "logs"
    words = [
        "run",
        "plugin=ltlbench",
        "twins=no",
        f"n={N}",
        "model=harness/random",
        f"log_dir={logs}",
        "--json",
    ]
    assert said(*words, "shards=2", "workers=1")[0] == 0
    (study,) = log_studies.load(log_studies.logs_of([str(logs)]), lambda line: None)
    assert {answer.id: str(answer.number) for answer in study.series[0].answers} == shown
    # The second part alone does not tell how many items are before it.
    second = next(
        path for path in logs.iterdir()
        if read_eval_log(str(path), header_only=True).eval.metadata["shards"]["number"] == 2
    )  # fmt: skip
    (study,) = log_studies.load([second], lambda line: None)
    assert {answer.number for answer in study.series[0].answers} == {None}


@pytest.mark.parametrize("change", ["limit", "shuffle", "missing"])
def test_a_log_that_may_lack_items_numbers_none(made, tmp_path, change):
    logs = tmp_path / "logs"
    assert (
        said("run", "plugin=ltlbench", "n=2", "model=harness/random", f"log_dir={logs}", "--json")[
            0
        ]
        == 0
    )
    (path,) = logs.iterdir()

    def changed(log):
        if change == "limit":
            log.eval.config.limit = (1, 3)
        elif change == "shuffle":
            log.eval.config.sample_shuffle = True
        else:
            log.eval.metadata["responses"] = {"items": 3}

    (study,) = log_studies.load([edited(path, changed)], lambda line: None)
    assert {answer.number for answer in study.series[0].answers} == {None}
