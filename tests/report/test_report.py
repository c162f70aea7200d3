"""``harness report``: what it refuses and leaves behind, what it writes whole, and what stays the same."""

import csv
import io
import json
import math
import os
import re
import shutil
import signal
import subprocess
import sys
import time
import tomllib
import zipfile
from contextlib import contextmanager, redirect_stderr, redirect_stdout, suppress
from html.parser import HTMLParser
from pathlib import Path
from xml.etree import ElementTree

import pytest
from cases import each, slow
from children import until
from report_logs import edited, items_of, scripted_log

from harness.cli.main import main
from harness.core.facts import printable
from harness.report import figures
from harness.report import report as command
from harness.rerun import log_samples

ROOT = Path(__file__).parents[2]

EVIL = "<script>window.pwned=1</script><img src=x onerror=alert(1)>"


def run(*words, as_json=True):
    """Run the command in this process; return its code, what it printed, and its lines of complaint."""
    out, err = io.StringIO(), io.StringIO()
    with redirect_stdout(out), redirect_stderr(err):
        code = main(["report", *map(str, words), *(["--json"] if as_json else [])])
    return code, out.getvalue(), err.getvalue().splitlines()


def report(*words):
    """Run the command, which must succeed without a word of complaint; return what it says, strictly JSON."""
    code, out, err = run(*words)
    assert (code, err) == (0, [])
    return json.loads(out, parse_constant=pytest.fail)


def refused(*words, before=None):
    """Run the command, which must refuse in one printable line and change nothing; return the line."""
    before = before or everything(Path.cwd())
    code, out, err = run(*words)
    assert code in (1, 2)
    assert len(err) == 1
    assert err[0].isprintable()
    assert len(err[0]) < 900
    assert printable(json.loads(out)["error"]["message"], 900) == err[0].removeprefix("harness: ")
    assert everything(Path.cwd()) == before
    return err[0]


def everything(folder):
    """Return all files below a folder with their bytes, folders and links with None."""
    return {
        str(path.relative_to(folder)): path.read_bytes()
        if path.is_file() and not path.is_symlink()
        else None
        for path in sorted(folder.rglob("*"))
    }


def strict(path):
    return json.loads(path.read_text(), parse_constant=pytest.fail)


def rows(found, name="results", study=0):
    (table,) = (
        one for one in found["studies"][study]["tables"] if one["name"] == f"ltlbench_{name}"
    )
    return [dict(zip(table["head"], row, strict=True)) for row in table["rows"]]


@pytest.fixture(scope="module", autouse=True)
def _each_figure_is_drawn_once():
    """The same figure is the same bytes however often it is drawn: test_figures."""
    known, draw = {}, figures.draw

    def drawn(figure):
        name = repr(figure)
        known[name] = known.get(name) or draw(figure)
        return known[name]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(figures, "draw", drawn)
        yield


@pytest.fixture(scope="module")
def log(tmp_path_factory):
    """A log of five items: right, right, wrong, unparsed, and one that says something hostile."""
    gold = [item.target for _, item in items_of("ltlbench", n=5, seed=3)]
    wrong = {"True": "False", "False": "True"}[gold[2]]
    said = [f"Answer: {gold[0]}", f"{EVIL} Answer: {gold[1]}", f"Answer: {wrong}", "?", EVIL]
    return scripted_log(tmp_path_factory.mktemp("logs"), "ltlbench", said, seed=3)


@pytest.fixture(scope="module")
def made(log, tmp_path_factory):
    """The report on it."""
    out = tmp_path_factory.mktemp("made") / "out"
    return out, report(log, f"out={out}")


def single(log):
    """Leave one item: of it there are few figures."""
    log.samples, log.eval.dataset.samples = log.samples[:1], 1


@pytest.fixture
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def copy(here, log):
    """Return the function that makes a changed copy of the log."""

    def make(change=None, name="copy.eval"):
        path = here / name
        path.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(log, path)
        return edited(path, change) if change else path

    return make


# ------------------------------------------------------------------------------- the words


def test_words_that_cannot_be_done_are_refused_in_one_line(here, log):
    (here / "empty").mkdir()
    for words, why in [
        ([], "no log is named"),
        (["out=x"], "no log is named"),
        (["out=x", "items=3"], "no log is named"),
        ([log, "outt=x"], "unknown key 'outt' for harness report; did you mean 'out'"),
        ([log, "out=x", "\x1b[31m=1"], "unknown key"),
        ([log, "out=x", "out=y"], "given twice"),
        ([log, "out="], "empty"),
        (["nowhere", "out=x"], "nowhere: there is no such file"),
        ([log, "nowhere", "out=x"], "nowhere: there is no such file"),
        (["empty", "out=x"], "holds no log"),
        (["y" * 300, "out=x"], "too long"),
        (["a\0b", "out=x"], "there is no such file"),
        *(
            ([log, "out=x", f"items={n}"], "expected a number from 0 to 5000")
            for n in ("-1", "abc", "999999", "5001", "1.5", "1e3", "٣", "1,2", "9" * 5000)
        ),
    ]:
        assert why in refused(*words), words


@slow
def test_a_place_that_holds_anything_but_a_report_is_refused_before_the_work(here, log, made):
    (here / "file").write_text("mine")
    (here / "other").mkdir()
    (here / "other" / "thesis.tex").write_text("mine")
    for at, said in enumerate(("[]", '"x"', "{", '{"made_by": 1}', "9" * 5000, "[" * 100_000, "")):
        (here / f"fake{at}").mkdir()
        (here / f"fake{at}" / "report.json").write_text(said)
    shutil.copytree(made[0], here / "kept")
    (here / "kept" / "thesis.tex").write_text("mine")
    (here / "loop").symlink_to("loop")
    before = everything(here)
    for out, why in [
        ("file", "there is a file of that name"),
        ("file/x", "'file' is no folder"),
        ("file/x/y", "'file' is no folder"),
        ("loop/x", "'loop' is no folder"),
        ("other", "something else than a report"),
        *((f"fake{at}", "something else than a report") for at in range(7)),
        ("kept", "'thesis.tex', which would be lost"),
        (".", "you are in that folder"),
        ("./", "you are in that folder"),
        ("..", "you are in that folder"),
        ("a\0b", "embedded null"),
        ("/dev/null/x", "'null' is no folder"),
        ("x" * 256, "too long"),
        (f"new/parents/{'x' * 256}/y", "too long"),
        ("x/" * 3000, "too long"),
    ]:
        # The log is none: had it been read, that would be what is told.
        line = refused("nowhere.eval", f"out={out}", before=before)
        assert line.startswith("harness: out="), line
        assert why in line, line


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_folder_that_may_not_be_written_to(here, log):
    (here / "locked").mkdir(mode=0o500)
    assert "Permission denied" in refused(log, "out=locked/out")


# -------------------------------------------------------------------------------- the logs


def zipped(path, **members):
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in members.items():
            archive.writestr(f"{name}.json", data)


def bomb(path):
    with (
        zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive,
        archive.open("header.json", "w", force_zip64=True) as file,
    ):
        file.write(bytes(11_000_000))


def scores(log):
    return [one.scores["verdict"] for one in log.samples]


def valued(**values):
    def change(log):
        for one in scores(log):
            one.value = values

    return change


def of_run(**facts):
    return lambda log: log.eval.metadata.update(facts)


def foreign(log):
    log.eval.metadata, log.eval.task = None, "theirs\x1b[2J"


def emptied(log):
    log.samples, log.eval.dataset.samples = [], 0


SPOILT = [
    ("cut.eval", lambda path: path.write_bytes(path.read_bytes()[:3000]), "not a readable Inspect log"),
    ("empty.eval", lambda path: path.write_bytes(b""), "not a readable Inspect log"),
    ("text.eval", lambda path: path.write_text("hello"), "not a readable Inspect log"),
    ("zip.eval", lambda path: zipped(path, x="y"), "not a readable Inspect log"),
    ("bomb.eval", bomb, "a header of 11000000 bytes"),
    ("bare.json", lambda path: path.write_text("{}"), "bare.json"),
    ("deep.json", lambda path: path.write_text("[" * 100_000), "deep.json"),
    ("theirs.eval", lambda path: edited(path, foreign), "'theirs\\x1b[2J', which is none of the harness's"),
    ("gone.eval", lambda path: edited(path, of_run(plugin="gone\n<b>")), "no plugin 'gone\\n<b>'"),
    ("other.eval", lambda path: edited(path, of_run(plugin="vltl")), "does not hold an item of vltl"),
    ("none.eval", lambda path: edited(path, emptied), "the log holds no samples"),
    ("half.eval", lambda path: edited(path, valued(accuracy=1.0)), "lacks the value 'label'"),
    ("a\n<script>.eval", lambda path: path.write_text(""), "a\\n<script>.eval: not a readable"),
]  # fmt: skip


@slow
@each("name, spoil, why", SPOILT)
def test_a_log_that_cannot_be_read_is_told_in_one_line_and_nothing_is_left(
    here, log, copy, monkeypatch, name, spoil, why
):
    monkeypatch.setattr(log_samples, "MAX_HEADER", 10_000_000)
    path = copy(name=name)
    spoil(path)
    try:
        line = refused(log, path, "out=out")
    finally:
        path.unlink()
    assert why in line
    assert not list(here.glob(".report-*"))


def unjudged(log):
    for sample in log.samples:
        sample.scores = {}


def nan(log):
    for one in scores(log):
        one.value = dict.fromkeys(one.value, math.nan)


def unread(log):
    for one in scores(log):
        one.value, one.answer = {"accuracy": 0.0, "label": 0.0}, None
        one.metadata = {**one.metadata, "outcome": "unparsed"}


def sure(p):
    def change(log):
        for one in scores(log):
            one.metadata["probability"] = p

    return change


def mixed(log):
    """Features that are numbers here and words there, absurdly large, not finite, or hostile."""
    for at, sample in enumerate(log.samples):
        sample.metadata["features"] |= {
            "events": ["3", 4, "x", 5.5, True][at], "operators": [1, "many", True, -2.5, None][at],
            "depth": [1e300, -1e300, 0, 1, 2][at], "edges": [math.nan, math.inf, 1, 2, 3][at],
            "=evil()": "@x", "<b>": at * 1e307, "list": [1],
        }  # fmt: skip


@slow
def test_odd_logs_give_numbers_where_there_are_some_and_none_where_there_are_not(copy):
    for change in (unjudged, nan):
        row, *floors = rows(found := report(copy(change)))
        assert list(row.values())[1:] == [0, None, None, 5]
        assert all("floor" in one["series"] for one in floors)
        (row,) = rows(found, "outcomes")
        assert list(row.values())[1:] == [5, 0, 0, 0, 0, 5]
    row = rows(found := report(copy(unread)))[0]
    assert (row["n"], row["unscored"]) == (5, 0)
    assert (row["accuracy"]["value"], row["unparsed"]["value"]) == (0, 1)
    assert list(rows(found, "outcomes")[0].values())[1:] == [5, 0, 0, 0, 5, 0]
    plain = rows(report(copy()))[0]["auc"]
    for p in (math.nan, "0.5", [1], 7, -1):
        assert rows(report(copy(sure(p))))[0]["auc"] == plain, p
    assert rows(report(copy(mixed)))[0]["accuracy"]["value"] == 0.4
    odd = of_run(config={"x": math.nan}, floors={"majority": {"accuracy": math.inf}})
    assert rows(report(copy(odd)))[0]["accuracy"]["value"] == 0.4
    row = rows(report(copy(single)))[0]
    assert row["n"] == 1
    assert "auc" not in row  # of one class there is none


def test_numbers_too_large_for_a_mean_are_no_traceback(copy):
    code, _, err = run(copy(valued(accuracy=1e308, label=1e308)))
    assert (code, len(err)) in [(0, 0), (1, 1), (2, 1)]


def test_a_killed_run_says_what_it_lacks(copy):
    def kill(log):
        log.status, log.samples = "started", log.samples[:3]

    found = report(copy(kill))
    assert rows(found)[0]["n"] == 3
    (line,) = found["studies"][0]["warnings"]
    assert "2 of 5 items were never asked (the run's status is started)" in line


def test_one_log_counts_once_however_it_is_named(copy, here):
    path = copy(name="a/b/c.eval")
    found = report(path, "a", f"{here}/a/../a/b/c.eval", "a/b")
    assert [one["answers"] for one in found["studies"][0]["series"]] == [5]
    shutil.copy(path, here / "a" / "twin.eval")
    code, out, err = run("a")
    assert code == 0
    assert len(err) == 1
    assert "is a copy of" in err[0]
    assert [one["answers"] for one in json.loads(out)["studies"][0]["series"]] == [5]


def test_logs_of_one_run_that_differ_are_no_copies_though_of_one_size(copy):
    path, other = copy(), copy(name="b.eval")
    with zipfile.ZipFile(path) as archive:
        members = {one.filename: archive.read(one) for one in archive.infolist()}
    for out, change in ((path, False), (other, True)):
        with zipfile.ZipFile(out, "w") as archive:  # stored: of one size whatever is in it
            for name, data in members.items():
                swapped = data.replace(b'"accuracy":1.0', b'"accuracy":0.0')
                swapped = swapped.replace(b'"accuracy": 1.0', b'"accuracy": 0.0')
                archive.writestr(name, swapped if change else data)
    assert path.stat().st_size == other.stat().st_size
    assert path.read_bytes() != other.read_bytes()
    (study,) = report(path, other)["studies"]
    assert {one["label"] for one in study["series"]} == {"acme/wise-1", "acme/wise-1 (same run)"}
    assert "the same answers, judged more than once" in study["warnings"][0]


def test_two_conventions_are_two_series_and_a_warning(copy):
    def published(log):
        log.eval.task_args["convention"], log.eval.eval_id = "published", "another"

    (study,) = report(copy(), copy(published, "b.eval"))["studies"]
    assert [one["label"] for one in study["series"]] == [
        "acme/wise-1 · harness",
        "acme/wise-1 · published",
    ]
    assert any("different conventions: harness, published" in line for line in study["warnings"])


# ----------------------------------------------------------------------------- the terminal


def table_of(tables, name):
    return next(table for table in tables if table["name"].endswith(name))


def test_without_a_place_there_are_tables_only_and_nothing_is_written(here, log, made):
    before = everything(here)
    code, short, err = run(log, as_json=False)
    code, text, err = run(log, "verbose=yes", as_json=False)
    assert (code, err, everything(here)) == (0, [], before)
    lines = [re.split(" {2,}", line) for line in short.splitlines()]
    at = next(at for at, line in enumerate(lines) if line[0] == "series")
    assert lines[at] == [
        "series",
        "n",
        "accuracy",
        "95 % interval",
        "best floor",
        "above shortcut",
        "95 % interval",
        "unparsed",
        "unscored",
    ]
    results = table_of(made[1]["studies"][0]["tables"], "results")
    for line, row in zip(lines[at + 2 :], results["rows"], strict=False):
        if row[1] is not None:
            value = row[2]
            assert line[1:4] == [
                str(row[1]), f"{value['value']:.3f}", f"{value['low']:.3f} – {value['high']:.3f}"
            ]  # fmt: skip
    assert "verbose=yes" in short
    assert "Outcomes" in text
    assert "Outcomes" not in short
    lines = [re.sub(" {2,}", "  ", line).strip() for line in text.splitlines()]
    for table in made[1]["studies"][0]["tables"]:
        assert table["title"] in lines
        for row in table["rows"]:
            if str(row[0]).startswith("acme"):
                numbers = [
                    f"{cell['value']:.3f}".replace("-", "−")
                    for cell in row
                    if isinstance(cell, dict)
                ]
                assert any(
                    line.startswith(str(row[0])) and all(number in line or "<0.001" in line for number in numbers)
                    for line in lines
                ), row  # fmt: skip
    assert "\x1b" not in text
    assert "out=DIR" in text.splitlines()[-1]


def test_json_says_the_same_with_a_place_and_without(log, made):
    found = report(log)
    assert found["out"] is found["page"] is None
    assert found["studies"] == made[1]["studies"] == strict(made[0] / "report.json")["studies"]


# ------------------------------------------------------------------------------ the folder


class Tags(HTMLParser):
    """Which elements a page has, and which attributes."""

    def __init__(self, text):
        super().__init__()
        self.tags, self.attributes = set(), set()
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        self.tags.add(tag)
        self.attributes |= {name for name, _ in attrs}


@slow
def test_hostile_names_and_answers_are_text_wherever_they_go(copy, here):
    def hostile(log):
        log.eval.model = f"{EVIL}\n\x1b[31m{'m' * 300}"
        log.eval.metadata["strategy"] = '=HYPERLINK("x")'
        for sample in log.samples:
            sample.id = f"=<b>\n{sample.id}"
            sample.metadata["features"]["@SUM(1)"] = "+1+1"
        mixed(log)

    paths = [
        copy(hostile, f"a\n{EVIL[:30].replace('/', '')}.eval"),
        copy(lambda log: setattr(log.eval, "eval_id", "z"), f"{'n' * 200}.eval"),
    ]
    out = here / "a\n<b>=out"
    code, text, err = run(*paths, f"out={out}", as_json=False)
    assert (code, err) == (0, [])
    assert all(char.isprintable() or char == "\n" for char in text)
    names = {str(path.relative_to(out)) for path in out.rglob("*") if path.is_file()}
    assert all(
        re.fullmatch(r"(tables|figures)/[a-z0-9_]+\.(csv|md|tex|svg|png)|answers_ltlbench\.csv"
                     r"|index\.html|report\.json", name)
        for name in names
    )  # fmt: skip
    page = Tags((out / "index.html").read_text())
    assert page.tags.isdisjoint({"b", "iframe", "object", "embed", "link", "base"})
    assert not any(name.startswith("on") for name in page.attributes)
    assert "window.pwned=1</script>" not in (out / "index.html").read_text()
    for path in out.rglob("*.svg"):
        tags = {one.tag.rpartition("}")[2] for one in ElementTree.parse(path).iter()}
        assert tags.isdisjoint({"script", "foreignObject", "a", "b"})
    for path in out.rglob("*.csv"):
        with path.open(newline="") as file:
            for row in csv.reader(file):
                for text in row:
                    assert not text.startswith(("=", "+", "@", "\t", "\r")), (path.name, text)
    strict(out / "report.json")


@slow
def test_an_earlier_report_is_replaced_whole_and_its_link_stays(copy, here, made):
    shutil.copytree(made[0], here / "real")
    (here / "out").symlink_to("real")
    code, text, err = run(copy(single), "out=out", as_json=False)
    assert (code, err) == (0, [])
    assert "out/index.html" in text.splitlines()[-1]
    assert (here / "out").is_symlink()
    names = set(everything(here / "real"))
    assert names < set(everything(made[0]))  # of one item there are fewer figures
    written = strict(here / "real" / "report.json")["studies"][0]
    assert {f"tables/{table['name']}.csv" for table in written["tables"]} == {
        name for name in names if name.endswith(".csv") and "/" in name
    }
    assert sorted(path.name for path in here.iterdir()) == ["copy.eval", "out", "real"]


def test_a_report_may_lie_among_its_logs(copy, here):
    copy(single, "logs/a.eval")
    first = report("logs", "out=logs/new/out")
    assert report("logs")["studies"] == first["studies"]


LEFT = ".*.report-in-work"


@contextmanager
def half_way(log, here):
    """A report in a process of its own that stands still with its first figure written; yields its id."""
    child = os.fork()
    if not child:
        os.setsid()
        command._write_text = held
        code = 0
        try:
            code = main(["report", str(log), "out=out", "--json"])
        finally:
            os._exit(code)
    try:
        until(lambda: list(here.glob(f"{LEFT}/new/figures/*.svg")))
        yield child
    finally:
        with suppress(ProcessLookupError):
            os.kill(child, signal.SIGKILL)


def held(path, text, put=command._write_text):
    """Write a file of a report; after a figure no more comes."""
    put(path, text)
    if path.suffix == ".svg":
        time.sleep(600)


@pytest.mark.parametrize(
    ("how", "earlier"),
    [
        (signal.SIGKILL, True),
        (signal.SIGTERM, True),
        (signal.SIGINT, False),
    ],
)
def test_a_kill_leaves_no_half_written_report_and_the_next_run_cleans_up(
    here, copy, made, how, earlier
):
    out, log = here / "out", copy(single)
    if earlier:
        shutil.copytree(made[0], out)
    before = everything(out)
    with half_way(log, here) as child:
        # Another run meanwhile takes nothing away from one that is at work.
        assert report(log, "out=other")["studies"]
        assert len(list(here.glob(LEFT))) == 1
        os.kill(child, how)
        status = os.waitpid(child, 0)[1]
    killed = how == signal.SIGKILL
    assert os.waitstatus_to_exitcode(status) == (-9 if killed else 128 + how)
    assert everything(out) == before
    assert len(list(here.glob(LEFT))) == killed
    assert report(log, "out=out")["studies"] == strict(out / "report.json")["studies"]
    assert rows(strict(out / "report.json"))[0]["n"] == 1
    assert sorted(path.name for path in here.iterdir()) == ["copy.eval", "other", "out"]


def test_a_report_that_was_moved_aside_when_a_kill_came_is_put_back(here, copy, made):
    out, log = here / "out", copy(single)
    shutil.copytree(made[0], out)
    before = everything(out)
    child = os.fork()
    if not child:
        rename = Path.rename

        def moved(path, target):
            rename(path, target)
            os.kill(os.getpid(), signal.SIGKILL)

        Path.rename = moved
        main(["report", str(log), "out=out", "--json"])
        os._exit(0)
    assert os.WIFSIGNALED(os.waitpid(child, 0)[1])
    assert not out.exists()
    with suppress(ValueError), command.replaced("out"):
        raise ValueError
    assert everything(out) == before
    assert sorted(path.name for path in here.iterdir()) == ["copy.eval", "out"]


# ------------------------------------------------------------------------------ determinism


@slow
def test_another_process_with_another_seed_of_hashes_writes_the_same_bytes(here, log, made):
    told = {"PYTHONHASHSEED": "4711", "TZ": "Asia/Tokyo", "LC_ALL": "C"}
    words = [sys.executable, "-m", "harness.cli", "report", str(log), "out=out"]
    subprocess.run(words, check=True, capture_output=True, env={**os.environ, **told})
    assert everything(here / "out") == everything(made[0])


def test_the_order_of_the_logs_is_that_of_the_series_and_changes_no_number(copy):
    def other(log):
        log.eval.model, log.eval.eval_id = "acme/other", "other"
        log.samples.reverse()

    a, b = copy(), copy(other, "b.eval")
    ahead, back = report(a, b)["studies"][0], report(b, a)["studies"][0]
    assert [one["label"] for one in back["series"]] == [one["label"] for one in ahead["series"]][
        ::-1
    ]
    assert [(one["name"], one["head"]) for one in back["tables"]] == [
        (one["name"], one["head"]) for one in ahead["tables"]
    ]
    for one, two in zip(ahead["tables"], back["tables"], strict=True):
        lines = [sorted(json.dumps(row) for row in table["rows"]) for table in (one, two)]
        assert lines[0] == lines[1], one["name"]


def test_the_mark_by_which_a_report_is_known_is_what_is_written(made):
    assert (made[0] / "report.json").read_text().startswith('{\n "made_by": "harness report"')
    assert strict(made[0] / "report.json")["made_by"] == command.MARK


@slow
def test_a_library_that_is_missing_is_said_with_how_to_get_it():
    lines = [
        ["report", "nothing.eval"],
        ["compare", "a.eval", "b.eval"],
        ["plan", "plugin=ltlbench", "d=0.1"],
    ]
    code = (
        "import sys; sys.modules['scipy'] = None; from harness.cli.main import main; "
        f"print([main(words) for words in {lines}])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.stdout == "[1, 1, 1]\n"
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    wanted = " ".join(f"'{name}'" for name in project["optional-dependencies"]["report"])
    assert done.stderr == f"harness: this needs scipy: pip install {wanted}\n" * 3
