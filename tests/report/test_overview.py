"""What a report opens with: models by benchmarks, the best in bold only where tests say so, short on a phone."""

import json
import re
import shutil
from functools import cache

import pytest
from browser import Watched, chromium, needed
from cases import slow

from harness.cli.main import main
from harness.report import log_studies
from harness.report.report import report
from harness.report.summary import overview

N = 20

TEXTS = """(boxes, inner) => boxes.map((box) =>
    [...box.querySelectorAll(inner)].map((text) => text.innerText ?? text.textContent))"""


@pytest.fixture(scope="module")
def items(tmp_path_factory):
    file = tmp_path_factory.mktemp("items") / "items.jsonl"
    assert main(["generate", "plugin=ltlbench", f"n={N}", f"out={file}", "--json"]) == 0
    return file


@pytest.fixture(scope="module")
def score(items, tmp_path_factory):
    """Return the log of a model that is right on so many of the items, made once."""
    records = [json.loads(line) for line in items.read_text().splitlines()]
    other = {"True": "False", "False": "True"}
    folder = tmp_path_factory.mktemp("scored")

    @cache
    def log(model, count):
        said, logs = folder / f"{model}.jsonl", folder / f"{model}-{count}"
        targets = [record["target"] for record in records]
        texts = [t if at < count else other[t] for at, t in enumerate(targets)]
        said.write_text(
            "".join(
                json.dumps({"id": record["id"], "response": f"Answer: {text}"}) + "\n"
                for record, text in zip(records, texts, strict=True)
            )
        )
        words = [f"dataset={items}", f"responses={said}", f"model={model}", f"log_dir={logs}"]
        assert main(["score", "plugin=ltlbench", *words, "--json"]) == 0
        return next(logs.glob("*.eval"))

    return log


@pytest.fixture
def answered(score, tmp_path):
    """Have models of some names be right on so many of the items; return the folder of the logs."""

    def call(**right):
        for model, count in right.items():
            shutil.copy(score(model, count), tmp_path)
        return tmp_path

    return call


def seen_of(folder):
    found = overview(log_studies.load(log_studies.logs_of([str(folder)]), lambda line: None))
    return found.table, {found.table.rows[row][0] for row, _ in found.bold}


@slow
def test_the_best_is_bold_where_it_is_better_than_every_other(answered, capsys):
    table, bold = seen_of(answered(worst=2, best=19, middle=8))
    assert table.head == ("model", "ltlbench: accuracy")
    values = {row[0]: row[1].value for row in table.rows}
    assert values.pop("best floor") >= 0.5
    assert values == {
        "recorded/best": 19 / N, "recorded/middle": 8 / N, "recorded/worst": 2 / N,
    }  # fmt: skip
    assert all(row[1].low < row[1].value < row[1].high for row in table.rows[:-1])
    assert bold == {"recorded/best"}


def test_none_is_bold_where_the_two_best_are_close_or_alone(answered, capsys):
    assert seen_of(answered(best=19, second=18, worst=2))[1] == set()


@slow
def test_none_is_bold_where_tests_of_several_tell_too_little(answered, capsys):
    # Six against none of 20, and Holm's correction over two tests: p = 0.03125 twice is not below 0.05.
    assert seen_of(answered(middle=8, worst=2, bad=2))[1] == set()


@slow
def test_embedded_models_are_never_the_best(answered, tmp_path, capsys):
    folder = answered(middle=8)
    words = ["run", "plugin=ltlbench", f"n={N}", f"log_dir={folder}"]
    assert main([*words, "model=harness/reference"]) == 0
    table, bold = seen_of(folder)
    assert [row[0] for row in table.rows] == [
        "recorded/middle", "harness/reference (symbolic reference)", "best floor",
    ]  # fmt: skip
    assert bold == set()


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """A report of four benchmarks, two models and two strategies."""
    needed()
    folder = tmp_path_factory.mktemp("four")
    logs = str(folder / "logs")
    plugins = "plugin=ltlbench,tempobench,timepuzzles,vltl"
    for model in ("reference", "random"):
        words = ["run", plugins, "n=2", f"model=harness/{model}", "strategy=direct,cot"]
        assert main([*words, f"log_dir={logs}", "--json"]) == 0
    report([logs, f"out={folder / 'out'}"], print)
    return folder / "out" / "index.html"


@pytest.fixture(scope="class")
def watched(made):
    """One browser for all of them: to start one takes longer than a test."""
    with chromium() as browser:
        yield Watched(browser)


class TestInABrowser:
    @slow
    @pytest.mark.parametrize("width", [390, 1280])
    def test_the_page_opens_short_with_all_benchmarks_in_one_table(self, made, watched, width):
        tab = watched.open(made, width)
        assert tab.evaluate("document.documentElement.scrollHeight") <= 8_000
        assert tab.evaluate("document.documentElement.scrollWidth") == width
        table = tab.locator("main table").first
        assert table.is_visible()
        heads = table.locator("thead th").all_inner_texts()
        assert [head.partition(":")[0] for head in heads] == [
            "model", "ltlbench", "tempobench", "timepuzzles", "vltl",
        ]  # fmt: skip
        names = table.locator("tbody th").all_inner_texts()
        assert len(set(names)) == 5
        assert names[-1] == "best floor"
        rows = table.locator("tbody tr").all()
        assert all(re.search(r"\d – \d", cell) for cell in rows[0].locator("td").all_inner_texts())
        assert not table.locator("strong").count()
        assert not tab.locator("text=Outcomes").last.is_visible()
        tab.evaluate("location.hash = 'study-3-0'")  # what a link leads to is opened
        tab.locator("#study-3-0").wait_for(state="visible")
        assert tab.evaluate("scrollY") > 0

    @slow
    @pytest.mark.parametrize("width", [390, 1280])
    def test_models_are_named_once_series_differently_and_zeros_are_seen(
        self, made, watched, width
    ):
        tab = watched.open(made, width)
        head = tab.locator("header .dim").inner_text()
        assert head == "16 series of 2 models: harness/reference, harness/random"
        tab.evaluate(
            "document.querySelectorAll('main details').forEach((box) => { box.open = true; })"
        )
        # All of a kind are asked for at once: each question to the browser takes longer than its answer.
        for names in tab.locator(".legend").evaluate_all(TEXTS, "li"):
            assert len(names) == len(set(names))
        for rows in tab.locator("figure svg").evaluate_all(TEXTS, "g[id*='ytick_']"):
            assert len(rows) == len(set(rows))  # names of rows end at one place
        zeros = tab.locator("svg [id*='-zero-'] path").all()
        assert zeros
        assert all(mark.bounding_box()["width"] > 1 for mark in zeros)
        assert set(tab.locator("svg [id*='-value-'] text").all_text_contents()) == {"0"}
        notes = tab.locator("main .note", has_text="A fit takes a language model")
        assert all(note.is_visible() for note in notes.all())
        assert notes.count() >= 4
        assert not tab.locator("svg [id*='-fit-']").count()
