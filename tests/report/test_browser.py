"""The page of a report in a real browser: it opens from disk, asks for nothing, and foreign text does nothing."""

import base64
import json
from dataclasses import replace
from itertools import pairwise

import pytest
from browser import CONTRASTS, Watched, chromium, needed
from cases import slow

from harness.cli.main import main
from harness.core.plugins import registry
from harness.report import figures, log_studies
from harness.report.model import Curve, Estimate, Figure, Panel, Section, Study, Summary, Table
from harness.report.page import explorer, page
from harness.report.page.explorer import explanation
from harness.report.summary import summarise

EVIL = (
    "</script><script>window.pwned=1</script><img src=x onerror=window.pwned=1>"
    "[x](javascript:window.pwned=1) ![y](http://example.org/z.png) \"'&amp;\u2028<svg onload=window.pwned=1><!--"
)
DRAWN = (
    '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="20" onload="window.pwned=1"><script>window.pwned=1;'
    'parent.pwned=1</script><image href="http://example.org/a.png"/><rect width="40" height="20"/></svg>'
)  # fmt: skip
# Controls, links, regions and images that a screen reader could not name.
UNNAMED = """
[...document.querySelectorAll("input, select, button, summary, a, [role=region], [role=group], img, svg")]
  .filter((one) => !one.closest("[aria-hidden=true]"))
  .filter((one) => !one.labels?.length && !one.getAttribute("aria-label") && !one.alt && !one.textContent.trim())
  .map((one) => one.outerHTML.slice(0, 200))
"""


@pytest.fixture(scope="module")
def seen(studied):
    with chromium() as browser:
        yield Watched(browser)


@pytest.fixture(scope="module")
def studied(tmp_path_factory):
    """Thirty items of ltlbench as two models answered them, as far as a report has them."""
    needed()
    folder = tmp_path_factory.mktemp("browser")
    items = folder / "items.jsonl"
    assert main(["generate", "plugin=ltlbench", "n=30", f"out={items}", "--json"]) == 0
    records = [json.loads(line) for line in items.read_text().splitlines()]
    for model in ("wise-1", "bold-2"):
        said = folder / f"{model}.jsonl"
        texts = [answered(model, at, one["target"]) for at, one in enumerate(records)]
        lines = [
            {"id": one["id"], "response": text} for one, text in zip(records, texts, strict=True)
        ]
        said.write_text("".join(json.dumps(line) + "\n" for line in lines))
        words = [
            "score",
            "plugin=ltlbench",
            f"dataset={items}",
            f"responses={said}",
            f"model={model}",
        ]
        assert main([*words, f"log_dir={folder}", "--json"]) == 0
    (study,) = log_studies.load(log_studies.logs_of([str(folder)]), lambda line: None)
    return study, explorer.entries(study, 100)


def answered(model, at, target):
    """wise-1 is always right; bold-2 says True, but nothing readable on the first, and scripts on the second."""
    if model == "wise-1":
        return f"Answer: {target}"
    return {0: "I cannot tell.", 1: f"{EVIL}\nAnswer: True"}.get(at, "Answer: True")


def written(folder, summary, entries):
    drawn = {one.name: figures.draw(one) for part in summary.sections for one in part.figures}
    file = folder / "index.html"
    found = {summary.study.benchmark.name: entries}
    file.write_text(page.page([summary], drawn, found, "Two models"), encoding="utf-8")
    return file


@pytest.fixture(scope="module")
def file(studied, tmp_path_factory):
    study, entries = studied
    return written(tmp_path_factory.mktemp("page"), summarise(study, "ltlbench_"), entries)


def count(page):
    return page.locator("[role=status]").text_content()


@slow
def test_it_opens_and_asks_for_nothing(seen, file):
    tab = seen.open(file)
    assert tab.title() == "Two models"
    assert count(tab) == "30 of 30 items"
    assert tab.locator(".items > li").count() == 10
    assert tab.evaluate("performance.getEntriesByType('resource').length") == 0
    assert seen.quiet()


def test_filters_find_what_they_say(seen, file, studied):
    study, (entries, _) = studied
    bold = next(at for at, one in enumerate(study.series) if "bold-2" in one.label)
    outcomes = [
        next(a["outcome"] for a in one["answers"] if a["series"] == bold) for one in entries
    ]
    tab = seen.open(file)
    for value in ("right", "wrong", "unparsed", "unscored"):
        tab.get_by_label("Outcome", exact=True).select_option(value)
        tab.get_by_label("Outcome in").select_option(str(bold))
        assert count(tab) == f"{outcomes.count(value)} of 30 items"
    tab.get_by_role("button", name="Clear filters").click()
    assert count(tab) == "30 of 30 items"
    tab.get_by_label("Outcome", exact=True).select_option("disagree")
    assert count(tab) == f"{30 - outcomes.count('right')} of 30 items"
    tab.get_by_label("Outcome", exact=True).select_option("")
    tab.get_by_text("Filter by feature").click()
    depths = [one["features"]["depth"] for one in entries]
    tab.get_by_label("depth", exact=True).select_option(f"={depths[0]}")
    assert count(tab) == f"{depths.count(depths[0])} of 30 items"
    tab.get_by_role("button", name="Clear filters").click()
    tab.get_by_label("Search").fill(entries[7]["id"].upper())
    tab.get_by_text("1 of 30 items", exact=True).wait_for()
    tab.get_by_label("Search").fill("no such words")
    tab.get_by_text("0 of 30 items", exact=True).wait_for()
    tab.get_by_role("button", name="Clear filters").click()
    tab.get_by_label("Order").select_option("id")
    shown = tab.locator(".items .id").all_text_contents()
    ids = [text.rpartition(" · ")[2] for text in shown]
    assert ids == sorted(one["id"] for one in entries)[:10]
    numbers = {one["id"]: one["number"] for one in entries}
    assert shown == [f"item {numbers[name]} · {name}" for name in ids]
    for _ in range(2):
        tab.get_by_role("button", name="Show 10 more").click()
    assert tab.locator(".items > li").count() == 30
    assert not tab.get_by_role("button", name="more").is_visible()
    assert seen.quiet()


def test_an_item_opens_by_mouse_by_key_and_by_address(seen, file, studied):
    entry = studied[1][0][3]
    tab = seen.open(file)
    tab.locator(".items > li > details > summary").nth(3).click()
    opened = tab.locator(".opened")
    assert opened.locator("pre").first.text_content() == entry["prompt"]
    assert opened.locator(".answer").count() == 2
    tab.wait_for_url(f"**#item-{entry['id']}")  # the browser says so after the page
    assert (
        opened.locator("img").evaluate("(one) => one.decode().then(() => one.naturalWidth)") > 100
    )
    tab.locator(".items > li > details > summary").nth(4).focus()
    tab.keyboard.press("Enter")
    opened.nth(1).wait_for()
    assert seen.quiet()
    last = studied[1][0][29]["id"]
    tab.goto(f"{seen.address}#item-{last}")
    tab.locator("details[open] > summary:focus").wait_for()
    assert tab.evaluate("document.activeElement.closest('details').id") == f"item-{last}"
    tab = seen.open(file)
    tab.keyboard.press("Tab")
    assert tab.evaluate("document.activeElement.className") == "skip"
    assert tab.evaluate("getComputedStyle(document.activeElement).outlineStyle") == "solid"


def hostile(studied):
    """The same study with scripts wherever a model or a dataset has a say."""
    study, (entries, total) = studied
    series = [replace(one, label=f"{EVIL}{at}", model=EVIL) for at, one in enumerate(study.series)]
    logs = [replace(log, path=EVIL, model=EVIL, status=EVIL, created=EVIL) for log in study.logs]
    study = replace(study, series=tuple(series), logs=tuple(logs), warnings=(EVIL,))
    address = f"data:image/svg+xml;base64,{base64.b64encode(DRAWN.encode()).decode()}"
    spoiled = [
        entry | {
            "prompt": f"{EVIL}\n{at}", "target": EVIL, "solution": EVIL, "drawing": address,
            "features": {EVIL: f"{EVIL}{at % 2}", "__proto__": "x", "constructor": at, **entry["features"]},
            "answers": [
                one | {"answer": EVIL, "completion": EVIL, "explanation": explanation(EVIL), "reason": EVIL,
                       "values": {EVIL: 1, "__proto__": 2}}
                for one in entry["answers"]
            ],
        }
        for at, entry in enumerate(entries)
    ]  # fmt: skip
    spoiled[0]["id"] = f"{EVIL}#%"
    return study, (spoiled, total)


def test_foreign_text_does_nothing(seen, studied, tmp_path):
    study, entries = hostile(studied)
    table = Table("evil", EVIL, (EVIL, "n"), ((EVIL, 1),), EVIL)
    curve = Curve(EVIL, (Estimate(0.5, 0.4, 0.6), Estimate(0.7)))
    panel = Panel(EVIL, EVIL, EVIL, places=("a", EVIL), curves=(curve,))
    figure = Figure("drawn", EVIL, "bars", (panel,), EVIL, EVIL)
    study = replace(study, warnings=(*study.warnings, EVIL))
    summary = Summary(study, (Section(EVIL, (table,), (figure,), EVIL),))
    file = written(tmp_path, summary, entries)
    tab = seen.open(file)
    tab.get_by_text("Filter by feature").click()
    for at in range(3):
        tab.locator(".items > li > details > summary").nth(at).click()
    tab.locator(".opened").nth(2).wait_for()  # the page hears of a click later
    opened = tab.locator(".opened").first
    assert opened.locator("pre").first.text_content() == f"{EVIL}\n0"
    assert EVIL in opened.locator(".answer code").first.text_content()
    assert tab.locator("script").count() == 2
    assert (
        tab.locator(".explained a, .explained img, .explained svg, a[href^=javascript]").count()
        == 0
    )
    assert tab.evaluate("[...document.images].every((one) => one.src.startsWith('data:'))")
    assert tab.evaluate("window.pwned") is None
    tab.get_by_label("Search").fill("onload=window")
    tab.locator("select").and_(tab.get_by_label(EVIL, exact=True)).select_option(f"={EVIL}1")
    assert count(tab) == "15 of 30 items"
    assert tab.evaluate("window.pwned") is None
    assert seen.quiet()


def test_every_control_has_a_label_and_headings_have_an_order(seen, file):
    tab = seen.open(file)
    tab.locator(".items > li > details > summary").first.click()
    tab.locator(".opened").wait_for()
    assert tab.evaluate(UNNAMED) == []
    levels = tab.evaluate(
        "[...document.querySelectorAll('h1,h2,h3,h4,h5,h6')].map((one) => +one.tagName[1])"
    )
    assert levels.count(1) == 1
    assert all(after <= before + 1 for before, after in pairwise(levels))
    ids = tab.evaluate("[...document.querySelectorAll('[id]')].map((one) => one.id)")
    assert len(set(ids)) == len(ids)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_all_text_stands_out_and_nothing_is_wider_than_a_phone(seen, file, scheme):
    tab = seen.open(file, 390, scheme)
    tab.get_by_text("Filter by feature").click()
    for at in range(3):
        tab.locator(".items > li > details > summary").nth(at).click()
    tab.locator(".opened").nth(2).wait_for()
    assert tab.evaluate("document.documentElement.scrollWidth") == 390
    found = tab.evaluate(CONTRASTS)
    assert len(found) > 200
    assert [one for one in found if one[1] < 4.5] == []
    background = tab.evaluate("getComputedStyle(document.body).backgroundColor")
    assert (background == "rgb(20, 24, 29)") == (scheme == "dark")


def test_panels_stand_side_by_side_where_there_is_room_and_long_tables_are_closed(seen, file):
    tops = "[...document.querySelectorAll('.panels')[0].children].map((one) => one.offsetTop)"
    wide = seen.open(file).evaluate(tops)
    assert len(wide) == 3
    assert len(set(wide)) == 1
    seen.page.evaluate("for (const one of document.querySelectorAll('.section')) one.open = true")
    folded = seen.page.locator("details.folded:not(.glossary, .section, .study)")
    assert not folded.locator("table").first.is_visible()
    folded.locator("summary").first.click()
    assert folded.locator("table").first.is_visible()
    assert len(set(seen.open(file, 390).evaluate(tops))) == 3


def test_names_are_broken_between_words_and_a_long_one_leaves_room_for_numbers(seen, tmp_path):
    names = ("recorded/model-a", "harness/x (symbolic reference)", "m" * 60, "some_name_" * 6)
    rows = tuple((name, 12, Estimate(0.5, 0.25, 0.75, 12)) for name in names)
    section = Section("Results", (Table("results", "Results", ("series", "n", "score"), rows),))
    study = Study(registry().get("ltlbench").benchmark, (), (), {})
    (tmp_path / "index.html").write_text(page.page([Summary(study, (section,))], {}, {}, "t"))
    tab = seen.open(tmp_path / "index.html", 390)
    heads = tab.locator("tbody th")
    assert heads.first.inner_text() == "recorded/model-a"
    assert max(one.bounding_box()["width"] for one in heads.all()) < 260
    whole = tab.locator(".whole").all()
    assert len(whole) > 9
    assert all(one.evaluate("(one) => one.getClientRects().length") == 1 for one in whole)
    assert tab.locator("tbody td").nth(1).bounding_box()["x"] < 300


def test_what_the_metrics_mean_opens_and_stands_open_on_paper(seen, file):
    tab = seen.open(file)
    terms = tab.locator(".glossary")
    assert not terms.locator("dt").first.is_visible()
    terms.locator("summary").click()
    assert "accuracy headline" in terms.locator("dt").first.inner_text()
    terms.locator("summary").click()
    tab.emulate_media(media="print")
    assert terms.locator("summary").is_visible()
    shown = "(one) => one.checkVisibility({ contentVisibilityAuto: true })"
    assert terms.locator("dt").first.evaluate(shown)
    tab.emulate_media(media="screen")


@slow
def test_on_paper_there_are_tables_and_figures_and_no_controls(seen, file):
    tab = seen.open(file, scheme="dark")
    tab.emulate_media(media="print", color_scheme="dark")
    assert tab.locator("table.data").first.is_visible()
    assert tab.locator("figure svg").first.is_visible()
    assert not tab.locator("section.explorer").is_visible()
    assert not tab.locator("nav").is_visible()
    folded = tab.locator("details.folded td")
    assert folded.count() > 50
    assert folded.last.evaluate("(one) => one.checkVisibility({ contentVisibilityAuto: true })")
    tab.set_viewport_size({"width": 700, "height": 1000})
    assert tab.evaluate("document.documentElement.scrollWidth") == 700
    assert tab.evaluate("getComputedStyle(document.body).color") == "rgb(0, 0, 0)"
    assert tab.pdf()[:5] == b"%PDF-"
