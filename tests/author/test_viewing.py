"""The Inspect viewer shows our logs as it is told to, and what a model said stays text in it."""

import threading
import time
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer

import pytest
from browser import PATIENCE, chromium, needed
from cases import slow
from harness_errors import DatasetError, OutputError
from report_logs import items_of, scripted_log

from harness.author import view
from harness.cli.main import main
from harness.core.plugins import registry

HOSTILE = (
    "<script>window.pwned=1</script><img src=x onerror='window.pwned=1'> [x](javascript:window.pwned=1) "
    "<svg onload='window.pwned=1'>"
)


class Quiet(SimpleHTTPRequestHandler):
    def log_message(self, *_):
        pass


@contextmanager
def serving(folder):
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(folder)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/"
    finally:
        server.shutdown()
        server.server_close()


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """A static site with a log each of two benchmarks; half of their answers are hostile."""
    folder = tmp_path_factory.mktemp("viewer")
    for plugin in ("ltlbench", "tempobench"):
        targets = [item.target for _, item in items_of(plugin, n=4)]
        said = [f"Answer: {target}" for target in targets[:2]]
        scripted_log(folder / "logs", plugin, [*said, HOSTILE, f"{HOSTILE}\nAnswer: {targets[3]}"])
    view.bundle(folder / "logs", folder / "site")
    return folder / "site"


@pytest.fixture(scope="class")  # no longer: in its thread Inspect would patch asyncio
def page(site):
    needed()
    with serving(site) as address, chromium() as browser:
        page = browser.new_page(viewport={"width": 1600, "height": 900})
        page.set_default_timeout(PATIENCE)
        page.told = []
        page.on("pageerror", lambda error: page.told.append(str(error)))
        page.on("dialog", lambda dialog: (page.told.append("dialog"), dialog.dismiss()))
        page.on("request", lambda one: page.told.append(one.url) if foreign(one.url) else None)
        page.home = address
        yield page


def foreign(url):
    return not url.startswith(("http://127.0.0.1:", "data:", "blob:"))


def opened(page, site, plugin):
    (log,) = (site / "logs").glob(f"*_{plugin}_*.eval")
    page.goto(f"{page.home}#/tasks/{log.name}/samples")
    shown(page, "unparsed", items_of(plugin, n=4)[0][0])
    return log.name


def shown(page, *words):
    """Wait until the page shows all of some words; the viewer's policy forbids to wait in the page."""
    end = time.monotonic() + PATIENCE / 1000
    while time.monotonic() < end:
        text = page.inner_text("body").casefold()
        if all(word.casefold() in text for word in words):
            return
        page.wait_for_timeout(200)
    raise AssertionError((words, text))


class TestInABrowser:
    def drawn(self, page, plugin):
        """Whether all four rows, and the columns, are there."""
        ids = {own for own, _ in items_of(plugin, n=4)}
        rows = [row.split("\n") for row in page.get_by_role("row").all_inner_texts()]
        heads = page.get_by_role("columnheader").all_inner_texts()
        return (
            ids == {row[0] for row in rows if "0" in row and "1" in row} & ids
            and "unparsed" in f"{heads}".casefold()
        )

    @slow
    @pytest.mark.parametrize("plugin", ["ltlbench", "tempobench"])
    def test_the_list_has_our_columns_and_the_worst_first(self, page, site, plugin):
        opened(page, site, plugin)
        end = time.monotonic() + PATIENCE / 1000
        while not self.drawn(page, plugin) and time.monotonic() < end:
            page.wait_for_timeout(200)
        ids = {own for own, _ in items_of(plugin, n=4)}
        heads = [head.casefold() for head in page.get_by_role("columnheader").all_inner_texts()]
        for name in (*registry().get(plugin).benchmark.values, "unparsed", "target", "answer"):
            assert any(name.replace("_", " ") in head for head in heads), (name, heads)
        rows = [row.inner_text().split("\n") for row in page.get_by_role("row").all()]
        values = [[cell for cell in row if cell in ("0", "1")] for row in rows if row[0] in ids]
        assert [row[0] for row in values] == ["0", "1", "1", "1"]
        assert [row[-1] for row in values] == ["1", "0", "0", "0"]

    @slow
    def test_a_sample_says_why_and_its_hostile_answer_stays_text(self, page, site):
        name = opened(page, site, "ltlbench")
        for (own, _), why in zip(
            items_of("ltlbench", n=4)[2:], ("Unparsable", "Right"), strict=True
        ):
            page.goto(f"{page.home}#/tasks/{name}/samples/sample/{own}/1/")
            shown(page, own, "messages")
            page.get_by_text("Scoring", exact=True).first.click()
            shown(page, "explanation", why)
            page.get_by_text("Messages", exact=True).first.click()
            shown(page, "onerror=", "javascript:")
        assert page.evaluate("window.pwned") is None
        assert page.told == []


class TestBundle:
    def test_it_says_where_and_takes_no_place_that_is_taken(self, site, capsys, tmp_path):
        logs = site / "logs"
        assert main(["view", f"log_dir={logs}", f"bundle={tmp_path / 'new' / 'site'}"]) == 0
        assert capsys.readouterr().out.startswith(f"static site: {tmp_path / 'new' / 'site'} ")
        assert (tmp_path / "new/site/index.html").exists()
        assert [one.name for one in (tmp_path / "new").iterdir()] == ["site"]
        for place, why in (
            (tmp_path / "new/site", "exists already"),
            (logs / "inside", "cannot be a subdirectory of the log directory"),
        ):
            with pytest.raises(OutputError, match=why):
                view.bundle(logs, place)

    def test_without_logs_there_is_nothing_to_bundle(self, tmp_path):
        with pytest.raises(DatasetError, match="no log to bundle"):
            view.bundle(tmp_path, tmp_path.parent / "site")
        assert not list(tmp_path.iterdir())
