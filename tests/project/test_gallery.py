"""The gallery, and the pages about benchmarks and published sets: what they quote is what the code gives."""

import base64
import csv
import json
import os
import re
import shlex
import subprocess
import sys
from collections import Counter
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree as ET

import gallery
import markdown
import pytest
from cases import each, slow
from drawn import parsed
from harness_svg.drawing import Drawing

import harness
from harness import Item, Row
from harness.cli import main
from harness.core.plugins import registry
from harness.run import judging

pytestmark = slow

DOCS = Path(__file__).parents[2] / "docs"
DATA = Path(__file__).parents[3] / "shared/data"
EXTENSIONS = ("sane_lists", "tables", "toc", "pymdownx.highlight", "pymdownx.superfences")
FENCE = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
BENCHMARKS = ("ltlbench", "tempobench", "timepuzzles", "vltl")
HOSTILE = (
    "</code></pre></details><script>alert(1)</script>\n\n# Heading\n\n```\n~~~\n\n\n"
    "![x](javascript:1) <img src=x onerror=1> &lt; &#60; {{ 1 }} {% x %} [[a]] *a* | b |\n\n---\n  \t\u4e2d\n"
)
needs_data = pytest.mark.skipif(
    not (DATA / "ltlbench").is_dir(), reason="the published files are not beside the project"
)


@pytest.fixture(scope="module")
def pages():
    return gallery.pages()


def shown(capsys, command):
    """Return the only item that a command of a page prints."""
    program, *words = shlex.split(command)
    assert program == "harness"
    assert main.main([*words, "--json"]) == 0
    (item,) = json.loads(capsys.readouterr().out)["items"]
    return Item.from_dict(item)


def drawing(item):
    return registry().get(item.plugin).call("render", item=item, format="svg")


# The gallery.


def sections(page):
    """Return, per item of a page, its command and what its blocks of HTML hold."""
    for section in page.split("\n## ")[1:]:
        ((kind, command),) = FENCE.findall(section)
        assert kind == "bash"
        html = [ET.fromstring(line) for line in section.splitlines() if line.startswith("<")]
        yield command, held(html)


def held(html):
    found = {}
    for block in html:
        title = block.findtext("summary")
        if title == "Features":
            rows = [[cell.text for cell in row] for row in block.iterfind("table/tbody/tr")]
            found[title] = dict(rows)
        elif title:
            found[title] = block.findtext("pre/code")
        elif (image := block.find("img")) is not None:
            head, data = image.get("src").split(",")
            assert head == "data:image/svg+xml;base64"
            found["drawing"] = base64.b64decode(data, validate=True).decode()
            found["alt"] = image.get("alt")
        else:
            found["id"] = block.findtext("code")
    return found


@pytest.mark.parametrize("name", BENCHMARKS)
def test_every_item_is_what_its_command_gives(pages, name, capsys):
    found = list(sections(pages[f"gallery/{name}.md"]))
    assert len(found) == len(gallery.ENTRIES[name]) == 6
    for command, there in found:
        item = shown(capsys, command)
        assert item.plugin == name
        assert there["id"] == item.id
        assert there["Prompt"] == item.prompt
        assert there["Gold answer"] == item.target
        assert there["Features"] == {key: str(value) for key, value in item.features.items()}
        assert there["drawing"] == drawing(item)
        title = parsed(there["drawing"]).findtext("{http://www.w3.org/2000/svg}title")
        assert there["alt"] == title
        for line, (key, part) in zip(
            there["Certificate, in short"].splitlines(), item.certificate.items(), strict=True
        ):
            assert f"{key}: {json.dumps(part, ensure_ascii=False)}".startswith(
                line.removesuffix("…")
            )
            assert len(line) <= len(key) + gallery.LONGEST + 3


def test_the_items_are_many_sided(pages):
    seen = [
        there["id"] for name in BENCHMARKS for _, there in sections(pages[f"gallery/{name}.md"])
    ]
    assert len({*seen}) == len(seen) == 24
    for name in BENCHMARKS:
        titles = [entry.title for entry in gallery.ENTRIES[name]]
        assert len({*titles}) == len(titles)
        assert f"[{name}]({name}.md)" in pages["gallery/index.md"]
        assert all(f"- {title}\n" in pages["gallery/index.md"] for title in titles)
    tasks = {entry.settings.get("task") for entry in gallery.ENTRIES["vltl"]}
    assert tasks >= {"lift", "translate", "ground", "verify"}


def test_the_pages_are_the_same_in_another_process(pages):
    code = (
        "import gallery, json\n"
        "gallery.ENTRIES = {k: v for k, v in gallery.ENTRIES.items() if k in ('ltlbench', 'tempobench')}\n"
        "print(json.dumps(gallery.pages()))"
    )
    path = os.pathsep.join([str(DOCS / "site"), *filter(None, [os.environ.get("PYTHONPATH")])])
    done = subprocess.run(
        [sys.executable, "-c", code], env={**os.environ, "PYTHONHASHSEED": "7", "PYTHONPATH": path},
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    again = json.loads(done.stdout)
    for name in ("ltlbench", "tempobench"):
        assert again[f"gallery/{name}.md"] == pages[f"gallery/{name}.md"]


def rendered(page):
    """Return a page as the site's Markdown makes it, in one element."""
    html = markdown.markdown(page, extensions=EXTENSIONS)
    return ET.fromstring(f"<div>{html}</div>")


def test_a_page_is_well_formed_with_ids_of_its_own_and_one_frame_per_text(pages):
    for name in BENCHMARKS:
        root = rendered(pages[f"gallery/{name}.md"])
        ids = [one.get("id") for one in root.iter() if one.get("id")]
        assert len({*ids}) == len(ids) == 7
        assert len(list(root.iter("details"))) == 24
        assert len(list(root.iter("img"))) == 6
        assert not {one.tag for one in root.iter()} & {"script", "style", "iframe", "object", "svg"}


def hostile_item():
    item = harness.load("ltlbench")[0]
    return replace(
        item, id=HOSTILE, prompt=HOSTILE, target=HOSTILE, certificate={HOSTILE: [HOSTILE]},
        features={HOSTILE[:60]: HOSTILE[:150]},
    )  # fmt: skip


def test_hostile_text_stays_text():
    drawn = Drawing(100, 50, HOSTILE)
    drawn.text(1, 20, HOSTILE)
    page = "\n\n".join(["# Title", *gallery.blocks(hostile_item(), drawn.svg()), "*last*"])
    root = rendered(page)
    kinds = [one.tag for one in root]
    assert kinds == ["h1", "p", "details", "p", "details", "details", "details", "p"]
    assert {one.tag for one in root.iter()} == {
        "div", "h1", "p", "code", "details", "summary", "pre", "img", "em",
        "table", "thead", "tbody", "tr", "th", "td",
    }  # fmt: skip
    assert all(set(one.attrib) <= {"id", "style", "src", "alt", "loading"} for one in root.iter())
    found = held(list(root)[1:-1])
    assert found["Prompt"] == found["Gold answer"] == found["id"] == HOSTILE
    assert found["Features"] == {HOSTILE[:60]: HOSTILE[:150]}
    assert found["Certificate, in short"].startswith(HOSTILE)
    assert found["drawing"] == drawn.svg()
    assert "<script" not in page
    assert "onerror=1>" not in page


def test_what_is_no_text_is_replaced_and_what_is_not_drawn_is_left_out():
    item = replace(
        harness.load("ltlbench")[0], prompt="a\x00b\x1bc\u202ed\ud800e", certificate=None
    )
    found = held([ET.fromstring(block) for block in gallery.blocks(item, None)])
    assert found["Prompt"] == "a\ufffdb\ufffdc\ufffdd\ufffde"
    assert found["Certificate, in short"] == ": null"
    assert "drawing" not in found


@each(
    "settings, words",
    [
        ({}, []),
        ({"families": ["lift", "latch"]}, ["families=lift,latch"]),
        ({"facts": "my $(facts) 'a'; rm.csv"}, ["facts=my $(facts) 'a'; rm.csv"]),
        ({"trivial": 0.5, "suite": False}, ["trivial=0.5", "suite=False"]),
    ],
)
def test_a_command_is_one_for_a_shell(settings, words):
    command = gallery.command("vltl", gallery.Entry("t", "n", settings, 3))
    assert shlex.split(command) == ["harness", "show", "plugin=vltl", *words, "item=3"]


# The pages that explain a benchmark.


def page(name):
    return (DOCS / f"{name}.md").read_text(encoding="utf-8")


def code_of(name):
    (code,) = [text for kind, text in FENCE.findall(page(name)) if kind == "python"]
    return code


def run(code, folder, monkeypatch):
    """Run the lines of a page as a script, in a folder of their own."""
    monkeypatch.chdir(folder)
    exec(compile(code, "page.md", "exec"), {"__name__": "__main__"})


@pytest.mark.parametrize("name", BENCHMARKS)
def test_what_a_page_quotes_is_the_item(name, capsys):
    text = page(f"explain-{name}")
    command = re.search(r"^    (harness show .+)$", text, re.MULTILINE)[1]
    item = shown(capsys, command)
    quoted = 0
    for kind, block in FENCE.findall(text):
        if kind == "text" and block.strip() != item.target:
            for part in block.strip().split("\n\n"):
                assert f"\n{part}\n" in f"\n{item.prompt}\n", part
                quoted += 1
        elif kind == "json" and block.strip() != item.target:
            for key, value in json.loads(block).items():
                assert item.certificate[key] == value
                quoted += 1
    assert quoted >= 3
    assert item.target in text
    assert (DOCS / f"explain-{name}.svg").read_text(encoding="utf-8").strip() == drawing(item)


@pytest.mark.parametrize("name", BENCHMARKS)
def test_the_check_of_a_page_passes(name, tmp_path, monkeypatch):
    run(code_of(f"explain-{name}"), tmp_path, monkeypatch)
    assert not list(tmp_path.iterdir())


def spoiled(name, certificate):
    """Return a certificate that does not prove its label."""
    if name == "ltlbench":
        return certificate | {"violation": {"prefix": [1], "cycle": [2]}}
    if name == "tempobench":
        return {"counterfactuals": certificate["counterfactuals"][:1]}
    return certificate | {"satisfying": certificate["satisfying"] + certificate["violating"][:1]}


@each("name", ["ltlbench", "tempobench", "vltl"])
def test_the_check_of_a_page_fails_for_another_certificate(name, tmp_path):
    with pytest.MonkeyPatch.context() as patch:
        code = code_of(f"explain-{name}")
        index = int(re.search(r"harness\.load\(.+\)\[(\d+)\]", code)[1])
        words = re.search(r"^    harness show .+$", page(f"explain-{name}"), re.MULTILINE)[0]
        assert f" item={index}" in words
        settings = re.search(r"^settings = .+$", code, re.MULTILINE)
        exec(settings[0] if settings else "", known := {"harness": harness})
        item = eval(re.search(r"harness\.load\(.+\)\[\d+\]", code)[0], known)
        wrong = replace(item, certificate=spoiled(name, item.certificate))
        patch.setattr(harness, "load", lambda *_, **__: {index: wrong})
        with pytest.raises(AssertionError):
            run(code, tmp_path, patch)


# What is wrong in the published sets.


SETS = "published-sets"
LTL = ("2_events_2", "2_events_9", "3_events_2", "9_events_2")


def cells(row):
    """Return the cells of the row of the page that begins so."""
    (line,) = [line for line in page(SETS).splitlines() if line.startswith(f"|{row}")]
    return [cell.strip() for cell in line.strip("|").split("|")]


def counted(entry):
    """Return the numbers at the end of the row of the page that begins so."""
    return numbers(cells(entry)[-1])


def numbers(text):
    return [int(one.replace(",", "")) for one in re.findall(r"\d[\d,]*", text)]


def block(word):
    """Return the lines of Python on the page that hold a word."""
    (code,) = [
        text for kind, text in FENCE.findall(page(SETS)) if kind == "python" and word in text
    ]
    return code


@pytest.fixture
def files(tmp_path):
    """The published files, in a folder of their own: PATH/TO."""
    folder = tmp_path / "PATH/TO"
    folder.mkdir(parents=True)
    for path in (*DATA.glob("*/*"), *DATA.glob("ltlbench/responses/*")):
        if path.is_file():
            (folder / path.name).symlink_to(path)
    return tmp_path


@each("word", ["precision, recall", "figures(", "extracted(", "sxtwl", "crossing", "idle_event"])
def test_lines_without_a_file_print_what_the_page_says(word, tmp_path, capsys):
    with pytest.MonkeyPatch.context() as patch:
        run(block(word), tmp_path, patch)
    printed = capsys.readouterr().out
    told = re.findall(r"print\(.+  # (.+)$", block(word), re.MULTILINE)
    there = [f"```text\n{printed}```", f"| --- |\n{printed}\n"]  # a block, or a table
    assert printed.splitlines() == told or any(one in page(SETS) for one in there)


@pytest.fixture(scope="module")
def ltlbench():
    """The four published files as items, by the beginning of their names."""
    return {
        name: list(harness.load("ltlbench", dataset=DATA / f"ltlbench/300_{name}_formula_len.csv"))
        for name in LTL
    }


@needs_data
def test_lines_with_published_files_print_what_the_page_says(ltlbench, files, capsys, monkeypatch):
    run(block("published_both"), files, monkeypatch)
    assert f"prints `{capsys.readouterr().out.strip()}`" in page(SETS)
    found = [counts(name, ltlbench, files, capsys) for name in LTL]
    assert sum(struck for struck, _ in found) == counted("right with all operators")[0]
    assert sum(one for _, one in found) == counted("only one path")[0]


@needs_data
def test_not_both_is_called_neither_as_often_as_the_page_says():
    found = 0
    for name in ("warehouse", "traffic_light", "search_and_rescue"):
        for line in (DATA / f"vltl/{name}.jsonl").read_text().splitlines():
            record = json.loads(line)
            formula = " ".join(record["grounded_tl"])
            found += "neither" in record["sentence"] and "not ( prop_1 and prop_2 )" in formula
    assert counted('"whenever neither') == [found]


def counts(name, ltlbench, files, capsys):
    """Return what the page's lines count in a file, having seen that the page says so."""
    with pytest.MonkeyPatch.context() as patch:
        if name != LTL[0]:  # the first is read as the page says
            patch.setattr(harness, "load", lambda *_, **__: ltlbench[name])
        run(block("struck_out"), files, patch)
    printed = capsys.readouterr().out.strip()
    assert f"`{printed}`" in page(SETS)
    return numbers(printed)


@needs_data
def test_weaknesses_and_readings_of_ltlbench_are_those_of_the_page(ltlbench):
    own = registry().get("ltlbench")
    kinds, against = Counter(), Counter()
    for item in (one for items in ltlbench.values() for one in items):
        kinds.update(one["kind"] for one in own.call("audit", item=item))
        for readings in own.call("readings", item=item).values():
            against.update(reading for reading, agrees in readings.items() if not agrees)
    parts = [kinds[kind] for kind in ("valid", "unsatisfiable", "initial_event", "any_graph")]
    assert counted("the graph cannot") == [*parts, sum(parts)]
    assert counted("`frozen`") == [kinds["frozen"]]
    assert counted("labels that the code") == [against["first matching case arm"]]
    other = ("path ends, next is false there", "some path", "later moments only")
    assert counted("labels that depend") == [against[one] for one in other]


@needs_data
def test_the_audit_prints_the_lines_that_the_page_quotes(files, capsys, monkeypatch):
    monkeypatch.chdir(files)
    command, quoted = re.search(
        r"^    (harness verify .+?)$.+?```text\n(.+?)```", page(SETS), re.M | re.S
    ).groups()
    assert main.main([*shlex.split(command)[1:], "report=none"]) == 1  # weaknesses that are grave
    lines = [line.rstrip() for line in capsys.readouterr().out.splitlines()]
    assert {*quoted.splitlines()} <= {*lines}


@needs_data
def test_one_good_trace_of_vltl_bench_is_none():
    own = registry().get("vltl")
    items = harness.load("vltl", dataset=DATA / "vltl/traffic_light.jsonl", task="verify")
    item = items[518]
    assert item.notes["source_id"] == "6611"
    assert item.target == "satisfied"
    for engine in ("evaluator", "spot"):
        assert own.call("solve", problem=item.problem, engine=engine).answer == "violated"
    names = ("warehouse", "traffic_light", "search_and_rescue")
    sizes = [(DATA / f"vltl/{name}.jsonl").read_bytes().count(b"\n") for name in names]
    assert sizes == [976, 790, 551]
    assert f"{sum(sizes):,} records" in page(SETS)


def scored(plugin, pairs):
    """Return the metrics of some answers, as the tables of the page have them; judged as every run judges."""
    own = registry().get(plugin)
    rows = []
    for item, completion in pairs:
        said = judging.judged(own, item, completion)
        rows.append(
            Row(item.target, said.answer, said.outcome, said.value, item.features, extra=said.extra)
        )
    found = {}
    for metric in (*own.benchmark.metrics, *own.benchmark.published):
        if metric.compute:
            value = metric.compute(rows)
        else:
            each_one = [
                metric.each(row) if metric.each else row.value.get(metric.name) for row in rows
            ]
            real = [one for one in each_one if one is not None]
            value = sum(real) / len(real) if real else float("nan")
        found[metric.name] = f"{value:.3f}"
    return found


@each(
    "plugin, lines, answered",
    [
        (
            "tempobench",
            "silent",
            {key: {"label": "per_step"} for key in ("rubbish", "silent", "beyond")},
        ),
        ("timepuzzles", "dash", {"next": {}, "dash": {}, "none": {"solutions": "0", "n": 20}}),
    ],
)
def test_answers_of_the_page_are_scored_as_it_says(plugin, lines, answered, tmp_path):
    made = {}

    def load(name, **settings):
        """Make items once, for the page's lines and for what comes after them."""
        return made.setdefault(str(settings), list(whole(name, **settings)))

    whole = harness.load
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(harness, "load", load)
        run(block(f'open("{lines}.jsonl"'), tmp_path, patch)
    for name, settings in answered.items():
        same_figures(plugin, name, settings, made[str(settings)], tmp_path)


def same_figures(plugin, name, settings, items, folder):
    words = [f"plugin={plugin}", *(f"{key}={value}" for key, value in settings.items())]
    command = f"    harness score {' '.join(words)} responses={name}.jsonl convention=published\n"
    assert command in page(SETS)
    answers = [json.loads(line) for line in (folder / f"{name}.jsonl").read_text().splitlines()]
    assert [answer["id"] for answer in answers] == [item.id for item in items]
    found = scored(
        plugin, [(item, one["response"]) for item, one in zip(items, answers, strict=True)]
    )
    first = {"tempobench": "answers|`correct`", "timepuzzles": "answers|`exact`"}[plugin]
    columns = [cell.strip("`") for cell in cells(first)[1:]]
    assert cells(name)[1:] == [found[column] for column in columns]


@needs_data
def test_the_published_scorer_of_ltlbench_gives_what_the_page_quotes(ltlbench):
    path = DATA / "ltlbench/responses/300_2_events_2_deepseek-reasoner_direct.csv"
    with path.open(newline="", encoding="utf-8") as file:
        answers = {row["id"]: row["prediction_raw"] for row in csv.DictReader(file)}
    items = ltlbench["2_events_2"]
    found = scored("ltlbench", [(item, answers[item.notes["source_id"]]) for item in items])
    quoted = re.findall(r"^(\w+) +(\d\.\d+)$", page(SETS), re.MULTILINE)
    names = ("accuracy", "published_accuracy", "published_auc")
    assert quoted == [(name, found[name]) for name in names]
