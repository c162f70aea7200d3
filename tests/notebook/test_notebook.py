"""`harness.load` and `harness.evaluate`: items and runs for notebooks, and how they look there."""

import ast
import asyncio
import builtins
import doctest
import inspect
import json
import os
import re
import signal
import subprocess
import sys
import threading
import time
from contextlib import suppress
from html.parser import HTMLParser
from pathlib import Path

import numpy as np
import psutil
import pytest
from cases import each, slow
from report_logs import scripted_log

import harness
from harness import DatasetError, EngineError, ExhaustedError, HarnessError, Item, SpecError
from harness.cli import main
from harness.core import fresh, plugins, spec
from harness.core.hookspecs import Row
from harness.core.installed import GROUP
from harness.core.items import to_json
from harness.core.plugins import registry
from harness.notebook import displays, frames, notebook
from harness.report import numbers
from harness.report.model import Answer
from harness.rerun import log_rows
from harness.run import progress

FEW = {"operators": 2, "n": 6}


@pytest.fixture(autouse=True)
def _elsewhere(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


@pytest.fixture(scope="module")
def swept(tmp_path_factory):
    """Three runs of a model that is right by chance."""
    folder = tmp_path_factory.mktemp("logs")
    return harness.evaluate(
        "ltlbench", n=6, operators=[1, 2, 3], model="harness/random", log_dir=folder
    )


# ------------------------------------------------------------------------------- items


@slow
def test_the_examples_of_the_documentation_are_true():
    page = Path(harness.__file__).parents[1] / "docs/notebooks.md"
    for found in (doctest.testmod(notebook), doctest.testfile(str(page), module_relative=False)):
        assert found.attempted > 5
        assert found.failed == 0


def test_items_are_those_of_the_command_line(capsys):
    main.main(["show", "plugin=ltlbench", "operators=2", "n=6", "seed=3", "split=train", "--json"])
    shown = json.loads(capsys.readouterr().out)["items"]
    items = harness.load("ltlbench", **FEW, seed=3, split="train")
    assert [item.to_dict() for item in items] == shown
    assert (
        items.spec.fingerprint
        == spec.make(registry().get("ltlbench"), {**FEW, "seed": 3, "split": "train"}).fingerprint
    )


def test_items_are_an_immutable_sequence():
    items = harness.load("ltlbench", **FEW)
    whole = list(items)
    assert len(items) == len(whole) == 6
    assert [items[-1], items[-6], items[np.int64(2)]] == [whole[5], whole[0], whole[2]]
    for part in (
        slice(2, 4),
        slice(None, None, -2),
        slice(-3, None),
        slice(4, 99),
        slice(9, 12),
        slice(5, 1),
    ):
        assert list(items[part]) == whole[part]
        assert isinstance(items[part], notebook.Items)
    assert whole[3] in items
    assert items.index(whole[3]) == 3
    assert list(reversed(items)) == whole[::-1]
    for wrong in (6, -7, 10**30):
        with pytest.raises(IndexError, match="there are 6, counted from 0"):
            items[wrong]
    for wrong in ("0", 1.0, None):
        with pytest.raises(TypeError):
            items[wrong]
    with pytest.raises(TypeError):
        items[0] = whole[0]


def test_items_are_made_when_asked_for():
    items = harness.load("ltlbench", n=10**9, operators=30)
    assert items[2].index == 2
    assert len(items) == 10**9
    assert len(items._items) == 3
    assert [item.index for item in items[4:6]] == [4, 5]


def test_items_that_there_are_not_enough_of_keep_what_there_is(toys):
    items = harness.load("toy_good", top=1, n=1_000)
    with pytest.raises(ExhaustedError, match="distinct items, 1000 were asked for"):
        list(items)
    there = len(items._items)
    assert there > 0
    assert items[there - 1].index == there - 1
    with pytest.raises(ExhaustedError):
        items[there]


def test_an_interrupted_sequence_goes_on(monkeypatch):
    items = harness.load("ltlbench", **FEW)
    one = fresh.item_at

    def stop(plugin, own, index, attempt=0):
        if index == 3:
            raise KeyboardInterrupt
        return one(plugin, own, index, attempt)

    with monkeypatch.context() as patch:
        patch.setattr(fresh, "item_at", stop)
        with pytest.raises(KeyboardInterrupt):
            list(items)
    assert [item.id for item in items] == [item.id for item in harness.load("ltlbench", **FEW)]


def test_threads_share_one_sequence():
    items = harness.load("ltlbench", n=40, operators=2)
    found = []
    threads = [
        threading.Thread(target=lambda: found.append([item.id for item in items])) for _ in range(4)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [[item.id for item in items]] * 4


def test_a_dataset_is_read_as_far_as_is_asked(tmp_path):
    items = list(harness.load("ltlbench", **FEW))
    lines = [*map(to_json, items[:4]), "{broken", to_json(items[5])]
    path = tmp_path / "d.jsonl"
    path.write_text("\n".join(lines) + "\n")
    found = harness.load("ltlbench", dataset=path)
    assert found[3] == items[3]
    assert list(found[:4]) == items[:4]
    for ask in (lambda: found[4], lambda: len(found), lambda: list(found), lambda: found[-1]):
        with pytest.raises(DatasetError, match="5"):
            ask()
    assert found[0] == items[0]
    path.write_text("\n".join(lines[:4]) + "\n")
    found = harness.load("ltlbench", dataset=str(path), n=3)
    assert (len(found), found[-1]) == (3, items[2])
    with pytest.raises(DatasetError):
        harness.load("ltlbench", dataset="nowhere.jsonl")[0]


@each(
    "given, right",
    [
        ({"plugin": "ltlbnch"}, "no plugin 'ltlbnch'; did you mean 'ltlbench'?"),
        ({"operatos": 3}, "unknown key 'operatos' for plugin ltlbench; did you mean 'operators'?"),
        ({"operators": "many"}, "operators=many: "),
        ({"operators": 0}, "operators=0: "),
        ({"operators": [1, 2]}, "operators=[1, 2]: one value of each key is taken, not a sweep"),
        ({"operators": []}, "operators=[]: a sweep of nothing"),
        ({"operators": object}, "not a JSON value"),
        ({"operators": float("nan")}, "operators=nan: not a JSON value"),
        ({"n": 0}, "n=0: the least is 1"),
        ({"n": "5"}, "n=5: expected an integer"),
        ({"n": True}, "n=True: expected an integer"),
        ({"seed": -1}, "seed=-1: the least is 0"),
        ({"split": 3}, "split=3: expected a string"),
        ({"split": "\udc80"}, "not text in UTF-8"),
        ({"preset": "papr"}, "no preset 'papr'; did you mean 'paper'?"),
        ({"preset": "paper_operators"}, "one value of each key is taken"),
        ({"preset": ["paper", "paper"]}, "preset takes one name"),
        ({"model": "openai/gpt-5"}, "'model' does not apply"),
        ({"out": "x.jsonl"}, "'out' does not apply"),
        ({"dataset": "x.jsonl", "seed": 1}, "'seed' has no effect with dataset"),
        ({"dataset": "x.jsonl", "format": "ltlbench_csw"}, "did you mean 'ltlbench_csv'?"),
    ],
)
def test_wrong_settings_are_refused_in_one_line(given, right):
    given = {"plugin": "ltlbench", **given}
    with pytest.raises(HarnessError) as caught:
        harness.load(**given)
    assert right in str(caught.value)
    assert "\n" not in str(caught.value)


def test_values_of_numpy_and_paths_are_taken(tmp_path):
    assert (
        harness.load("ltlbench", operators=np.int64(2), n=np.int32(6))[5]
        == harness.load("ltlbench", **FEW)[5]
    )
    points = notebook.sweep(["ltlbench"], {"operators": np.arange(1, 4), "n": (2, 3)})
    assert [(one.values["operators"], one.values["n"]) for one in points] == [
        (operators, n) for operators in (1, 2, 3) for n in (2, 3)
    ]
    assert json.dumps(points)


def test_a_key_that_takes_a_list_is_swept_by_lists_of_lists():
    axes = {"strategy": "staged", "gold": [["lift"], ["lift", "ground"]], "n": range(1, 3)}
    points = notebook.sweep(["vltl"], axes)
    assert [one.values["gold"] for one in points[::2]] == [["lift"], ["lift", "ground"]]
    (point,) = notebook.sweep(["vltl"], {"strategy": "staged", "gold": ["lift"]})
    assert point.values["gold"] == ["lift"]
    with pytest.raises(SpecError, match="more than 10000 runs"):
        notebook.sweep(["vltl"], {"seed": range(101), "n": range(1, 102)})
    with pytest.raises(SpecError, match="a sweep of nothing"):
        harness.evaluate([])


def test_a_preset_is_a_sweep_where_it_is_one():
    points = notebook.sweep(["ltlbench"], {"preset": "paper_operators", "n": 3})
    assert len(points) > 1
    assert {one.values["n"] for one in points} == {3}
    (point,) = notebook.sweep(["ltlbench"], {"preset": "paper_operators", "operators": 2})
    assert point.values["operators"] == 2


def test_an_items_frame_has_all_of_it():
    items = harness.load("ltlbench", **FEW)
    frame = items.frame()
    assert list(frame["id"]) == [item.id for item in items]
    assert list(frame["problem"]) == [item.problem for item in items]
    assert (frame["operators"] == 2).all()
    assert list(frame.columns[:5]) == ["id", "index", "seed", "split", "target"]
    assert len(harness.load("ltlbench", **FEW)[:0].frame()) == 0


def test_a_feature_with_the_name_of_a_column_keeps_apart():
    item = Item("p", "1", "q", "t", {}, features={"index": 7, "size": 8})
    row = frames.of_items([item]).iloc[0]
    assert (row["index"], row["index (feature)"], row["size"]) == (0, 7, 8)


@slow
def test_without_pandas_one_line_says_how_to_get_it(monkeypatch, swept):
    true = builtins.__import__

    def without(name, *rest):
        if name.partition(".")[0] == "pandas":
            raise ModuleNotFoundError("No module named 'pandas'", name="pandas")
        return true(name, *rest)

    monkeypatch.setattr(builtins, "__import__", without)
    for one in (swept, harness.load("ltlbench", **FEW)):
        with pytest.raises(EngineError, match=r"frame\(\) needs pandas: pip install 'pandas>=2.2'"):
            one.frame()


# ------------------------------------------------------------------------------- evaluations


@slow
def test_results_are_those_of_the_command_line(capsys, swept):
    main.main(
        ["run", "plugin=ltlbench", "n=6", "operators=1,2,3", "model=harness/random", "--json"]
    )
    found = json.loads(capsys.readouterr().out)
    assert [{**one, "log": ""} for one in swept.results] == [
        {**one, "log": ""} for one in found["results"]
    ]


def test_logs_are_inspects_own_and_stay_where_they_are(swept, tmp_path, monkeypatch):
    assert [log.status for log in swept.logs] == ["success"] * 3
    assert [len(log.samples) for log in swept.logs] == [6] * 3
    assert [Path(log.location) for log in swept.logs] == list(swept.paths)


def test_a_frame_has_a_row_per_judged_item(swept):
    frame = swept.frame()
    items = [item for size in (1, 2, 3) for item in harness.load("ltlbench", n=6, operators=size)]
    assert list(frame["id"]) == [item.id for item in items]
    assert list(frame["target"]) == [item.target for item in items]
    assert list(frame["config.operators"]) == [1] * 6 + [2] * 6 + [3] * 6
    assert (frame["right"] == "right").tolist() == (frame["answer"] == frame["target"]).tolist()
    means = frame.groupby("config.operators")["accuracy"].mean().round(6)
    assert list(means) == [one["metrics"]["accuracy"]["value"] for one in swept.results]
    assert set(frame["outcome"]) == {"scored"}
    assert "config.n" not in frame


def test_votes_and_unparsed_answers_are_one_row_each(tmp_path):
    said = [["Answer: True", "Answer: True", "Answer: False"], ["who knows"] * 3]
    path = scripted_log(tmp_path / "logs", "ltlbench", said)
    result = {**harness.run.results.result_of_log(harness.rerun.logs.header(path))}
    (first, second) = frames.judged([result], [path])
    assert first.row.answer == "True"
    assert [second.row.outcome, second.right, second.row.answer] == ["unparsed", "unparsed", None]


@each(
    "outcome, values, right",
    [("scored", (1.0, 0.0), "right"), ("scored", (0.0, 1.0), "partial"), ("scored", (0.0, 0.0), "wrong"),
     ("unparsed", (0.0, 0.0), "unparsed"), ("unscored", (), "unscored")],
)  # fmt: skip
def test_right_and_wrong_are_those_of_reports(outcome, values, right):
    benchmark = registry().get("ltlbench").benchmark
    row = Row("True", None, outcome, dict(zip(benchmark.values, values, strict=False)))
    assert log_rows.outcome(benchmark, row) == right
    assert numbers.outcome(benchmark, Answer(row, "x", "", 0)) == right


def test_a_log_that_is_gone_is_one_line_and_a_table_without_shares(tmp_path):
    found = harness.evaluate("ltlbench", n=2, log_dir="logs")
    for path in found.paths:
        path.unlink()
    for ask in (found.frame, lambda: found.logs):
        with pytest.raises(DatasetError) as caught:
            ask()
        assert "\n" not in str(caught.value)
    html = found._repr_html_()
    assert "accuracy" in html
    assert "No such file" in html


def test_nothing_is_run_where_anything_is_wrong():
    for wrong in (
        {"operators": [1, 99_999]},
        {"model": ["harness/random", "harness/nobody"]},
        {"tools": "web"},
    ):
        with pytest.raises(SpecError):
            harness.evaluate("ltlbench", n=1, **wrong)
    assert not Path("logs").exists()


def test_text_of_an_evaluation_is_the_command_lines(swept):
    assert "operators  n  accuracy  95 % interval" in str(swept)
    assert repr(swept).startswith("<3 runs: ltlbench · harness/random · n=6;")


# ------------------------------------------------------------------------------- event loops


@slow
def test_within_a_running_loop_runs_have_a_process_of_their_own(capfd):
    async def cell():
        found = harness.evaluate("ltlbench", n=2)
        with pytest.raises(SpecError, match="did you mean 'model'"):
            harness.evaluate("ltlbench", modle="x")
        return found, len(found.logs[0].samples), len(found.frame())

    found, samples, rows = asyncio.run(cell())
    assert [one["metrics"]["accuracy"]["value"] for one in found.results] == [1.0]
    assert samples == rows == 2
    assert not hasattr(asyncio, "_nest_patched")
    out, err = capfd.readouterr()
    # Every ten seconds it says how far it is, which a slow machine may take.
    assert (
        out,
        [line for line in err.splitlines() if not line.startswith(("1/2 · ", "2/2 · "))],
    ) == ("", [])


def test_without_a_terminal_a_long_run_says_how_far_it_is(monkeypatch, capsys):
    monkeypatch.setattr(progress, "_lasting", 0.0)
    harness.evaluate("ltlbench", n=3, model="harness/constant")
    said = capsys.readouterr().err.splitlines()
    assert [line.partition(" ")[0] for line in said] == ["1/3", "2/3", "3/3"]
    monkeypatch.setattr(progress, "_lasting", None)
    harness.evaluate("ltlbench", n=3, model="harness/constant")
    assert capsys.readouterr().err == ""


def test_threads_take_turns():
    found = {}

    def run(n):
        found[n] = harness.evaluate(
            "ltlbench", n=n, model="harness/constant", log_dir=f"logs-{n}"
        ).results

    threads = [threading.Thread(target=run, args=(n,)) for n in (2, 3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert {n: [one["n"] for one in results] for n, results in found.items()} == {2: [2], 3: [3]}


BEGUN = """
import os
import time
from pathlib import Path

from toy_base import Toy


class Begun(Toy):
    def draw(self, top, index, rng):
        Path(os.environ["TOY_BEGUN"], str(os.getpid())).touch()
        time.sleep(0.01)
        return super().draw(top, index, rng)


globals().update(Begun("toy_begun").hooks())
"""


@pytest.fixture
def begun(toys, tmp_path, monkeypatch):
    """Install a plugin that takes its time; in this folder each process is named that it is at work in."""
    site, folder = tmp_path / "site", tmp_path / "begun"
    info = site / "begun-0.1.dist-info"
    for one in (info, folder):
        one.mkdir(parents=True)
    (site / "toy_begun.py").write_text(BEGUN)
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: begun\nVersion: 0.1\n")
    (info / "entry_points.txt").write_text(f"[{GROUP}]\ntoy_begun = toy_begun\n")
    monkeypatch.setenv("TOY_BEGUN", str(folder))
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(site)
        plugins.registry.cache_clear()
        yield folder
    sys.modules.pop("toy_begun", None)
    plugins.registry.cache_clear()


def runs_of_their_own():
    found = []
    for one in psutil.Process().children():
        with suppress(psutil.NoSuchProcess):
            if "harness.rerun.own_process" in one.cmdline():
                found.append(str(one.pid))
    return found


@slow
def test_an_interrupt_ends_that_process(begun, capfd):
    """As a notebook's interrupt does: the process ends, and this one goes on."""
    seen = []

    def interrupt():  # once the run is at work: before, nobody would say that it is interrupted
        end = time.monotonic() + 300
        while not seen and time.monotonic() < end:
            seen.extend(one for one in runs_of_their_own() if Path(begun, one).exists())
            time.sleep(0.02)
        os.kill(os.getpid(), signal.SIGINT)

    async def cell():
        signal.signal(signal.SIGINT, signal.default_int_handler)  # asyncio.run has its own
        thread = threading.Thread(target=interrupt)
        thread.start()
        with pytest.raises(KeyboardInterrupt):
            harness.evaluate("toy_begun", n=100_000)
        thread.join()

    asyncio.run(cell())
    assert seen, "the run was never at work"
    out, err = capfd.readouterr()
    assert (out, err.splitlines()[-1][:11]) == ("", "interrupted")
    assert not runs_of_their_own()


def test_a_real_notebook_runs():
    reason = "is not installed: pip install nbclient ipykernel"
    nbclient = pytest.importorskip("nbclient", reason=f"nbclient {reason}")
    pytest.importorskip("ipykernel", reason=f"ipykernel {reason}")
    import nbformat

    cells = [
        "import harness; items = harness.load('ltlbench', n=3); items[0]",
        "found = harness.evaluate('ltlbench', n=2); found",
        "import asyncio; await asyncio.sleep(0); len(found.frame()), len(found.logs[0].samples)",
        "from harness.testing import conformance, registry",
        "conformance(registry().get('ltlbench'), n=2, only=('inspect',))['failures']",
        "hasattr(asyncio, '_nest_patched')",
    ]
    book = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(cell) for cell in cells])
    nbclient.NotebookClient(book, timeout=600, startup_timeout=300, kernel_name="python3").execute()
    shown = [cell.outputs[-1].data for cell in book.cells if cell.outputs]
    assert "img" in safe(shown[0]["text/html"]).tags
    assert "2 right" in "".join(safe(shown[1]["text/html"]).words)
    assert [one["text/plain"] for one in shown[2:]] == ["(2, 2)", "[]", "False"]


# ------------------------------------------------------------------------------- how it looks

EVIL = (
    "</pre></details><script>alert(1)</script><img src=x onerror=alert(2)>\" onmouseover='x' "
    "\x00\x1b[31m\ud800\u202e &lt;"
)


class Tags(HTMLParser):
    """What a browser would make of a text: its tags, and what is said in each."""

    def __init__(self, html):
        super().__init__()
        self.tags, self.attributes, self.open, self.words = set(), set(), [], []
        self.feed(html)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag, attrs):
        self.tags.add(tag)
        self.attributes |= {name for name, _ in attrs}
        for name, value in attrs:
            assert name != "src" or value.startswith("data:image/svg+xml;base64,")
        if tag not in ("img", "br"):
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.words.append(data)


TAGS = {"div", "style", "p", "b", "br", "span", "code", "pre", "details", "summary", "img", "table", "thead",
        "tbody", "tr", "th", "td"}  # fmt: skip
ATTRIBUTES = {"class", "dir", "open", "src", "alt", "scope", "role", "aria-label", "style"}


def safe(html):
    found = Tags(html)
    assert found.tags <= TAGS
    assert found.attributes <= ATTRIBUTES
    html.encode()
    assert not re.search("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e]", html)
    return found


def test_an_item_shows_prompt_features_and_drawing_and_hides_its_target():
    for name in ("ltlbench", "vltl"):
        item = harness.load(name, n=1)[0]
        html = item._repr_html_()
        found = safe(html)
        assert "img" in found.tags
        assert item.prompt in found.words
        assert all(name in html for name in item.features)
        assert re.search(r"<details><summary>Target</summary><pre dir='auto'>", html)
        assert found.words.count("Certificate") == 1


def test_an_item_without_its_plugin_is_shown_without_a_drawing():
    item = Item(
        "nobody", "1", "a <b>question</b>", "t", {}, certificate={"x": ["y"]}, features={"n": 1}
    )
    html = item._repr_html_()
    assert "img" not in safe(html).tags
    assert "a &lt;b&gt;question&lt;/b&gt;" in html


@each(
    "field",
    [
        "plugin",
        "version",
        "prompt",
        "target",
        "problem",
        "certificate",
        "features",
        "split",
        "id",
        "notes",
    ],
)
def test_a_hostile_item_is_text(field):
    value = {"features": {EVIL: EVIL}, "notes": {EVIL: EVIL}}.get(field, EVIL)
    item = Item(
        **{
            "plugin": "p",
            "version": "1",
            "prompt": "q",
            "target": "t",
            "problem": {},
            "id": "x",
            field: value,
        }
    )
    assert "script" not in safe(displays.item(item)).tags
    items = notebook.Items(registry().get("ltlbench"), harness.load("ltlbench").spec, [item])
    safe(items._repr_html_())


def test_a_long_item_is_cut():
    item = Item("p", "1", "q" * 10**6, "t", {}, certificate=["x"] * 10**5, id="x")
    assert len(item._repr_html_()) < 80_000


def test_a_sequence_shows_its_first_items():
    html = harness.load("ltlbench", n=25, operators=2)._repr_html_()
    found = safe(html)
    assert html.count("<tr>") == 11
    assert "the first 10 are shown" in found.words
    assert "25 items of ltlbench" in "".join(found.words)
    safe(harness.load("ltlbench", n=3)[:0]._repr_html_())


def test_an_evaluation_shows_intervals_floors_and_outcomes(swept):
    html = swept._repr_html_()
    words = "".join(safe(html).words)
    for one in swept.results:
        value = one["metrics"]["accuracy"]
        assert (
            f"{value['value']:.3f}{value['ci_low']:.3f} – {value['ci_high']:.3f}floor 0.500"
            in words
        )
        right = round(value["value"] * 6)
        counts = {"right": right, "wrong": 6 - right}  # what did not occur is not told
        assert " · ".join(f"{n} {name}" for name, n in counts.items() if n) in words
    alone = notebook.Evaluation(swept.points[:1], swept.results[:1])
    words = "".join(safe(alone._repr_html_()).words)
    assert "95 % interval" in words
    assert "majority floor" in words


def test_an_evaluation_says_what_was_lost_and_who_the_reference_is(swept):
    one = {**swept.results[0], "model": "harness/reference", "unscored": 2, "errors": [f"2 × {EVIL}"],
           "config": {"k": EVIL}, "strategy": EVIL}  # fmt: skip
    for results in ([one], [one, swept.results[1]]):
        words = "".join(safe(notebook.Evaluation((), results)._repr_html_()).words)
        assert "WARNING: 2 items are unscored" in words
        assert "symbolic reference, not a language model" in words


# ------------------------------------------------------------------------------- public names


def test_public_names_are_lazy_and_listed():
    code = (
        "import sys, harness; assert 'harness.notebook.notebook' not in sys.modules; "
        "assert 'yaml' not in sys.modules; "
        "assert {'load', 'evaluate'} <= set(dir(harness)); harness.load; "
        "assert 'inspect_ai' not in sys.modules; assert 'pandas' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
    with pytest.raises(AttributeError, match="no attribute 'laod'; did you mean 'load'"):
        harness.laod  # noqa: B018
    with pytest.raises(ImportError, match="cannot import name 'evalaute'"):
        from harness import evalaute  # noqa: F401


@slow
def test_a_type_checker_sees_the_lazy_names():
    """`mypy --strict` over the whole package is part of `make lint`; this is that nothing hides from it."""
    tree = ast.parse(Path(harness.__file__).read_text())
    (only,) = (
        one
        for one in tree.body
        if isinstance(one, ast.If) and ast.unparse(one.test) == "TYPE_CHECKING"
    )
    seen = {(name.asname, one.module) for one in only.body for name in one.names}
    assert seen == set(harness._LAZY.items())
    assert not any(
        isinstance(one, ast.FunctionDef) and one.name == "__getattr__" for one in tree.body
    )
    for function in (harness.load, harness.evaluate):
        assert "Any" not in inspect.signature(function).return_annotation
