"""The page of a report as text: what it says, where it links, and that foreign text stays text."""

import base64
import hashlib
import json
import re
from dataclasses import replace
from html.parser import HTMLParser

import pytest
from cases import each, slow

from harness.core.plugins import registry
from harness.report import figures
from harness.report.model import (
    Answer,
    Curve,
    Estimate,
    Figure,
    LogFacts,
    Panel,
    Row,
    Section,
    Series,
    Study,
    Summary,
    Table,
)  # fmt: skip
from harness.report.page import explorer, page
from harness.report.page.explorer import explanation

EVIL = (
    "</script><script>window.pwned=1</script><img src=x onerror=window.pwned=1>"
    "[x](javascript:window.pwned=1)\"'&amp;\u2028<svg onload=window.pwned=1><!--"
)
VOID = {"meta", "img", "br", "hr", "input", "link", "wbr"}


class Tree(HTMLParser):
    """Elements, attributes and the text of a page; refuses tags that do not match."""

    def __init__(self, text):
        super().__init__(convert_charrefs=True)
        self.found, self.open, self.said = [], [], {}
        self.feed(text)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag, attrs):
        self.found.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.found.append((tag, dict(attrs)))

    def handle_endtag(self, tag):
        assert self.open.pop() == tag, tag

    def handle_data(self, data):
        for tag in set(self.open):
            self.said[tag] = self.said.get(tag, "") + data

    def all(self, tag):
        return [attrs for name, attrs in self.found if name == tag]


def estimate(value, low=None, high=None, n=10):
    return Estimate(value, low, high, n, "Wilson")


def study_of(word="toy", series=("wise-1",)):
    benchmark = replace(registry().get("ltlbench").benchmark, summary=f"about {word}")
    row = Row("True", word, "scored", {"accuracy": 1.0}, {"kind": word, "size": 3})
    log = LogFacts(
        path=f"logs/{word}.eval", plugin="ltlbench", version="1.1", model=word, created="2026-11-21T21:05:01+00:00",
        status="success", asked={"strategy": "cot", "tools": word}, config={}, dataset=None, items_digest="", n=1,
        floors={}, versions={}, wrappers={},
    )  # fmt: skip
    answers = [Answer(row, "item", "item", 0)]
    lines = [Series(label, "model", label, {}, (0,), answers) for label in series]
    return Study(benchmark, (log,), tuple(lines), {}, (f"warned of {word}", f"{word} is odd"))


def summary_of(word="toy", **options):
    table = Table(
        "toy_results", f"Table {word}", ("series", "n", "score", "p"),
        ((word, 1_234, estimate(0.71349, 0.66, 0.761), estimate(None)),
         ("majority floor", None, estimate(0.5), estimate(-0.25, -0.5, -0.0001))), f"note {word}",
    )  # fmt: skip
    curve = Curve(word, (estimate(0.5, 0.4, 0.6), estimate(0.7)))
    panel = Panel("score", word, "score", places=("a", word), curves=(curve,))
    figure = Figure(
        "toy_plot", f"Figure {word}", "bars", (panel,), f"Bars of {word}", f"caption {word}"
    )
    section = Section(f"Section {word}", (table,), (figure,), f"said {word}")
    return Summary(study_of(word, **options), (section,))


def entry_of(word="toy", own="item"):
    return {
        "id": own, "prompt": word, "target": word, "features": {word: word, "size": 3}, "drawing": None,
        "solution": word,
        "answers": [{"series": 0, "outcome": "wrong", "values": {"accuracy": 0.0}, "answer": word,
                     "completion": word, "explanation": explanation(word), "reason": word}],
    }  # fmt: skip


def made(word="toy", entries=None, **options):
    summary = summary_of(word, **options)
    drawn = {one.name: figures.draw(one) for section in summary.sections for one in section.figures}
    found = {"ltlbench": ([entry_of(word)], 1)} if entries is None else entries
    return page.page([summary], drawn, found, f"Report {word}")


@pytest.fixture(scope="module")
def text():
    return made()


def embedded(text):
    found = re.search(
        r'<script type="application/json" id="study-0-items-data">(.*?)</script>', text, re.DOTALL
    )
    return json.loads(found[1])


def test_the_page_is_one_file_whose_policy_lets_its_own_script_run_alone(text):
    tree = Tree(text)
    policy = next(
        m["content"] for m in tree.all("meta") if m.get("http-equiv") == "Content-Security-Policy"
    )
    rules = {rule.split()[0]: rule.split()[1:] for rule in policy.split(";")}
    scripts = re.findall(r"<script>(.*?)</script>", text, re.DOTALL)
    digests = [base64.b64encode(hashlib.sha256(one.encode()).digest()).decode() for one in scripts]
    assert rules["script-src"] == [f"'sha256-{one}'" for one in digests]
    assert len(scripts) == 1
    assert rules["default-src"] == rules["base-uri"] == rules["form-action"] == ["'none'"]
    assert rules["img-src"] == ["data:"]
    assert not re.search(r'(?:src|href)="?(?:https?:)?//', text)
    assert "@import" not in text


def test_the_page_says_what_it_is_made_of(text):
    tree = Tree(text)
    assert tree.all("html")[0]["lang"] == "en"
    assert len(tree.all("h1")) == 1
    assert tree.said["title"] == tree.said["h1"] == "Report toy"
    for words in ("about toy", "Section toy", "said toy", "Table toy", "note toy", "Figure toy", "caption toy",
                  "ltlbench: warned of toy", "ltlbench: toy is odd", "logs/toy.eval", "version 1.1",
                  "strategy cot, tools toy",
                  "How these numbers are made", "Above the shortcut", "All 1 items."):  # fmt: skip
        assert words in tree.said["body"], words
    hrefs = [a["href"] for a in tree.all("a")]
    for end in ("tables/toy_results.csv", "tables/toy_results.md", "tables/toy_results.tex",
                "figures/toy_plot.svg", "figures/toy_plot.png", "answers_ltlbench.csv"):  # fmt: skip
        assert end in hrefs
    ids = [attrs["id"] for _, attrs in tree.found if "id" in attrs]
    assert len(ids) == len(set(ids))
    assert {href[1:] for href in hrefs if href.startswith("#")} <= set(ids)
    pictures = [attrs for _, attrs in tree.found if attrs.get("role") == "img"]
    assert [one["aria-label"] for one in pictures] == ["Bars of toy"]
    assert all(one["aria-hidden"] == "true" for one in tree.all("svg"))
    assert len(tree.all("caption")) == len(tree.all("table"))
    assert all("scope" in th for th in tree.all("th"))


def test_numbers_have_intervals_and_what_is_undefined_is_a_dash(text):
    rows = [
        re.sub(r"\s*<[^>]+>\s*", "|", row).strip("|")
        for row in re.findall(r"<tr[ >].*?</tr>", text, re.DOTALL)
    ]
    rows = [
        re.sub(r"\|+", "|", row.partition(">")[2] if row.startswith("<tr") else row) for row in rows
    ]
    assert "toy|1,234|0.713|0.660 – 0.761|–" in rows
    assert "majority floor|–|0.500|−0.250|−0.500 – 0.000" in rows
    assert '<tr class="floor">' in text
    assert 'title="n = 10, Wilson"' in text
    assert 'title="not defined, n = 10"' in text


@each("value, shown", [
    (None, "–"), (float("nan"), "–"), (float("inf"), "–"), (0.0, "0.000"), (-0.0, "0.000"), (-0.0004, "0.000"),
    (-0.0006, "−0.001"), (1234.5678, "1,234.568"), (1.0, "1.000"),
])  # fmt: skip
def test_a_number_is_shown_as_what_it_is(value, shown):
    assert page._cell(Estimate(value), 3)["text"] == shown


def test_cells_that_are_no_estimates():
    assert page._cell(None, 3)["text"] == "–"
    assert page._cell(0, 3)["text"] == "0"
    assert page._cell("", 3)["text"] == ""


@slow
def test_foreign_text_is_never_more_than_text():
    hostile, plain = made(EVIL, series=(EVIL,)), made()
    found, usual = Tree(hostile), Tree(plain)
    # A drawing of longer words has other shapes; what is in it is what any drawing has.
    shapes = {"svg", "g", "path", "defs", "use", "clippath", "rect", "text", "tspan", "wbr", "span"}
    outside = [[tag for tag, _ in one.found if tag not in shapes] for one in (found, usual)]
    assert outside[0] == outside[1]
    for _, attrs in found.found:
        assert not [key for key in attrs if key.startswith("on")]
        assert not str(attrs.get("href", "")).startswith("javascript")
    assert found.said["h1"] == f"Report {EVIL}"
    data = embedded(hostile)
    assert data["series"][0]["label"] == EVIL
    assert data["entries"][0]["prompt"] == data["entries"][0]["answers"][0]["completion"] == EVIL
    for block in re.findall(
        r'<script type="application/json"[^>]*>(.*?)</script>', hostile, re.DOTALL
    ):
        assert not set(block) & set("<>&\u2028\u2029")


def test_what_utf8_cannot_say_is_replaced():
    made("half \ud800").encode()


def test_the_same_data_makes_the_same_page(text):
    assert made() == text


def test_a_study_without_items_or_figures_has_neither_explorer_nor_gap():
    summary = summary_of()
    bare = page.page([summary], {}, {}, "bare")
    tree = Tree(bare)
    assert not tree.all("svg")
    assert "figures/" not in bare
    assert len(tree.all("script")) == 1
    assert "study-0-items" not in bare
    assert len(Tree(page.page([summary], {}, {"ltlbench": ([], 0)}, "none")).all("script")) == 1
    Tree(page.page([replace(summary, sections=())], {}, {}, "none"))
    empty = Section("Empty", (Table("empty", "Empty", ("a", "b"), ()),))
    Tree(page.page([replace(summary, sections=(empty,))], {}, {}, "none"))


def test_long_tables_and_many_warnings_are_cut_and_say_so():
    rows = tuple((f"row {i}", i) for i in range(page.ROWS + 7))
    table = Table("long", "Long", ("name", "n"), rows)
    study = replace(study_of(), warnings=tuple(f"odd {i}" for i in range(100)))
    summary = Summary(study, (Section("S", (table,)),))
    text = page.page([summary], {}, {}, "long")
    assert "7 more rows are in the files." in text
    assert f"row {page.ROWS - 1}<" in text
    assert f"row {page.ROWS}<" not in text
    assert f"… and {100 - page.LISTED} more" in text


def results(task, *rows, metric="score"):
    head = ("series", "n", metric, "unparsed")
    return Table(f"results_{task}", f"Results: {task}", head, rows)


def test_the_headline_of_several_tasks_stands_first_and_floors_last():
    low = ("constant floor", None, estimate(0.25), None)
    one = results("lift", ("m-1", 9, estimate(0.5, 0.4, 0.6), estimate(0.0)), low)
    two = results("ground", ("m-1", 9, estimate(0.125), None), ("m-2", 9, estimate(None), None))
    every = replace(one, name="results_lift_all_metrics", title="Results: lift: all metrics")
    summary = Summary(study_of(), (Section("Results", (one, every, two)),))
    text = page.page([summary], {}, {}, "glance")
    rows = re.findall(r"<tr.*?</tr>", text.partition("</table>")[0], re.DOTALL)
    told = [re.sub(r"(\s*<[^>]+>\s*)+", "|", row).strip("|") for row in rows]
    assert told == ["series|lift|ground", "m-1|0.500|0.125", "m-2|–|–", "constant floor|0.250|–"]
    assert "score at a glance" in text
    alone = Summary(study_of(), (Section("Results", (one, every)),))
    assert "at a glance" not in page.page([alone], {}, {}, "one")


def test_long_tables_and_those_of_all_metrics_are_folded_but_the_first_results_never():
    def table(name, rows):
        return Table(name, f"T {name}", ("series", "n"), tuple((f"r{i}", i) for i in range(rows)))

    first = Section("Results", (table("results", 30), table("results_all_metrics", 2)))
    later = Section("Later", (table("short", page.FOLDED), table("long", page.FOLDED + 1)))
    text = page.page([Summary(study_of(), (first, later))], {}, {}, "folded")
    Tree(text)
    found = re.findall(r'<details class="folded"><summary>(.*?)</summary>', text)
    assert [re.sub("<[^>]+>", "", one) for one in found] == [
        "Table: T results_all_metrics (2 rows, 2 columns)",
        "Table: T long (13 rows, 2 columns)",
    ]


def test_a_figure_stands_with_the_tables_of_its_numbers_and_a_note_is_said_once():
    def table(name):
        return Table(name, name, ("a",), (("b",),), "the same note")

    panel = Panel("p", places=("a",), curves=(Curve("m", (estimate(0.5),)),))
    plots = [Figure(f"{n}_plot", n, "bars", (panel,), n, "the same note") for n in ("x", "x_y")]
    tables = [table(name) for name in ("x", "x_all_metrics", "x_y", "other")]
    drawn = {one.name: figures.draw(one) for one in plots}
    section = Section("S", tuple(tables), tuple(plots))
    found = [
        (figure and figure.name, [one.name for one in own])
        for figure, own in page._pieces(section, drawn)
    ]
    assert found == [("x_plot", ["x", "x_all_metrics"]), ("x_y_plot", ["x_y"]), (None, ["other"])]
    text = page.page([Summary(study_of(), (section,))], drawn, {}, "notes")
    assert text.count("the same note") == 1


@each("value, shown", [(0.0, "<0.001"), (0.00099, "<0.001"), (0.001, "0.001"), (None, "–")])
def test_a_tiny_p_value_is_only_said_to_be_small(value, shown):
    assert page._cell(Estimate(value, method="two-sided p"), 3)["text"] == shown
    assert page._cell(Estimate(0.0), 3)["text"] == "0.000"


def test_every_heading_of_a_section_links_to_itself_and_any_floor_is_known(text):
    tree = Tree(text)
    headings = {
        attrs["id"] for tag in ("h2", "h3") for attrs in tree.all(tag) if attrs["id"] != "made"
    }
    links = {a["href"][1:] for a in tree.all("a") if a.get("class") == "here"}
    assert headings - {"warnings"} == links
    for label in ("constant floor", "majority and constant floor"):
        assert page._is_floor(label)
    assert not page._is_floor("a floor plan")


def test_every_metric_that_is_shown_is_explained_and_no_other():
    summary = summary_of()
    benchmark = summary.study.benchmark
    assert page.glossary(summary) == []
    heads = ("series", "n", "macro_f1", "accuracy", "label")
    rows = (("harness/x (baseline, not a language model)", 1, *[estimate(0.5)] * 3),)
    shown = Section("S", (Table("t", "T", heads, rows), Table("u", "U", ("metric",), (("auc",),))))
    study = replace(summary.study, series=(
        replace(summary.study.series[0], label="harness/x", kind="baseline"),
    ))  # fmt: skip
    known = replace(summary, study=study, sections=(shown,))
    meant = {metric.name: metric.summary for metric in benchmark.metrics}
    found = page.glossary(known)
    assert [term[0] for term in found] == ["accuracy", "macro_f1", "auc", "label", "(baseline)"]
    assert [term[1] for term in found[:3]] == [meant[term[0]] for term in found[:3]]
    assert [term[2] for term in found] == [True, False, False, False, False]
    bare = replace(
        known, study=replace(study, benchmark=replace(benchmark, metrics=benchmark.metrics[:1]))
    )
    assert ("label", "mean of the value label that each answer gets", False) in page.glossary(bare)
    text = page.page([known], {}, {}, "title")
    assert "What the metrics mean" in text
    assert '<dt>accuracy <span class="tag">headline</span></dt>' in text
    assert "harness/x (baseline)" in Tree(text).said["th"]
    assert "baseline, not a language model" not in text


@each("text, parts", [
    ("recorded/model-a", [("recorded/", True), ("model-a", True)]), ("all models", []), (None, []), ("", []), (1, []),
    ("x/a-very-long-name-that-is-broken", [("x/", True), ("a-very-long-name-that-is-broken", False)]),
    ("a-b" * 20, [("a-b" * 20, False)]), ("x_y " * 99, [("x_y " * 99, False)]), ("m" * 19, [("m" * 19, False)]),
    ("a_b c", []), ("some_name_of_many_words-1", [("some_", True), ("name_", True), ("of_", True), ("many_", True),
     ("words-1", True)]), ("<b>-</b>", [("<b>-</", True), ("b>", True)]),
])  # fmt: skip
def test_a_short_name_is_broken_between_its_words_alone(text, parts):
    assert page.parts(text) == parts
    assert "".join(part for part, _ in parts) in (text, "")


def test_the_page_stays_below_its_size(monkeypatch):
    monkeypatch.setattr(page, "MOST", 50_000)
    found = [entry_of("x" * 500, f"item{i}") for i in range(100)]
    text = made(entries={"ltlbench": (found, 900)})
    kept = embedded(text)["entries"]
    assert kept == explorer.within_size(found, 50_000) == found[: len(kept)]
    assert 3 < len(kept) < 20
    assert f"{len(kept)} of 900 items, of every kind; they are no random sample." in text
