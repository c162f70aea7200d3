"""`harness show`: which item is meant by `item=`, and what is written by `out=`."""

import json
from pathlib import Path

import pytest
from cases import each, slow
from drawn import parsed

from harness import Item
from harness.cli import main
from harness.core.items import sample_ids
from harness.core.plugins import registry
from harness.core.spec import make
from harness.datasets.dataset import load

VERIFY = ("plugin=vltl", "task=verify")
THIRTEEN = (*VERIFY, "n=13")
DRAWN = (*VERIFY, "format=svg")


@pytest.fixture(autouse=True)
def _elsewhere(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def show(capsys):
    def run(*words):
        code = main.main(("show", *words))
        out, err = capsys.readouterr()
        return code, out, err

    return run


@pytest.fixture(scope="module")
def ids():
    plugin = registry().get("vltl")
    return sample_ids(load(plugin, make(plugin, {"task": "verify", "n": 13})))


def names(folder="."):
    return sorted(path.name for path in Path(folder).iterdir())


def chosen(show, *words):
    code, out, err = show(*words, "--json")
    assert (code, err) == (0, "")
    (item,) = json.loads(out)["items"]
    return item


def refused(show, *words, code=2):
    found, out, err = show(*words)
    assert (found, out, err.count("\n")) == (code, "", 1), (out, err)
    return err.removeprefix("harness: ").rstrip("\n")


@slow
def test_an_item_is_chosen_by_index_id_or_the_beginning_of_one(show, ids):
    for at in (0, 7, 12):
        item = chosen(show, *THIRTEEN, f"item={at}")
        assert (item["index"], item["id"]) == (at, ids[at])
    for at, cut in ((0, None), (9, None), (9, 12), (12, 8)):
        assert chosen(show, *THIRTEEN, f"item={ids[at][:cut]}")["index"] == at
    assert "rejected: " in show(*VERIFY, "item=3")[1]


def test_a_number_that_is_no_index_may_begin_an_id(show):
    plugin = registry().get("vltl")
    for seed in range(40):
        listed = sample_ids(load(plugin, make(plugin, {"task": "verify", "seed": seed, "n": 5})))
        own = [one for one in listed if one[:4].isdecimal() and int(one[:4]) >= 5]
        if own:
            break
    words = (*VERIFY, f"seed={seed}", "n=5", f"item={own[0][:4]}")
    assert chosen(show, *words)["id"] == own[0]


def test_the_first_n_are_searched(show, ids):
    assert chosen(show, *VERIFY, "n=9", f"item={ids[8][:10]}")["index"] == 8
    said = refused(show, *VERIFY, "n=8", f"item={ids[8]}")
    assert said == (
        f"item={ids[8]}: no such id or index among the 8 items of these settings that were searched; "
        "a larger n= searches more"
    )


def test_a_dataset_is_searched_whole(show, ids):
    assert main.main(("generate", *VERIFY, "n=12", "out=d.jsonl")) == 0
    show()
    for word in ("11", ids[11], ids[11][:9]):
        assert chosen(show, "plugin=vltl", "dataset=d.jsonl", f"item={word}")["id"] == ids[11]
    said = refused(show, "plugin=vltl", "dataset=d.jsonl", f"item={ids[12]}")
    assert said.endswith("no such id or index among the 12 items of d.jsonl that were searched")
    said = refused(show, "plugin=vltl", "dataset=d.jsonl", "n=3", "item=11")
    assert said.endswith(
        "among the 3 items of d.jsonl that were searched, 0 to 2; a larger n= searches more"
    )
    code, out, _ = show("plugin=vltl", "dataset=d.jsonl", "format=svg", "item=2", "out=a.svg")
    assert (code, out) == (0, f"item {ids[2]}: a.svg\n")


def test_what_begins_several_ids_is_refused(show):
    assert main.main(("generate", *VERIFY, "n=2", "out=d.jsonl")) == 0
    show()
    items = [
        Item.from_dict({**json.loads(line), "family": "fedcba987654", "id": ""})
        for line in Path("d.jsonl").read_text().splitlines()
    ]
    Path("kin.jsonl").write_text("".join(json.dumps(item.to_dict()) + "\n" for item in items))
    words = ("plugin=vltl", "dataset=kin.jsonl")
    first, second = (item.id for item in items)
    assert chosen(show, *words, f"item={first}")["id"] == first
    said = refused(show, *words, "item=fedc")
    assert said == (
        f"item=fedc: 2 of the 2 items of kin.jsonl that were searched begin so: {first}, {second}"
    )


BAD = [
    (("item=13",), "item=13: no such index among the 13 items of these settings that were searched, 0 to 12"),
    (("item=zz",), "item=zz: expected an index, or an id or at least its first 4 characters"),
    (("item=-1",), "item=-1: expected an index"),
    (("item=zzzz",), "item=zzzz: no such id or index among the 13 items"),
    (("item=\x1b[31mzzzz",), "item=\\x1b[31mzzzz: no such id"),
    (("item=²²²²",), "item=²²²²: no such id"),
    (("item=" + "9" * 3000,), "9999…: no such id"),
    (("item=0", "index=2"), "item= and index= both say which item; give one of them"),
    (("item=0,1",), "got 2 combinations"),
    (("item=",), "item=: a value is empty"),
    (("format=svg", "out=a.svg"), "out=FILE takes one item, got 13; choose one with item= or n=1"),
    (("out=a.svg",), "out=FILE is for items in a format: give format=, too"),
    (("format=sgv", "out=a.svg"), "no format 'sgv'; did you mean 'svg'?"),
]  # fmt: skip


@slow
def test_a_choice_that_is_none_is_refused_in_one_line(show):
    for words, message in BAD:
        said = refused(show, *THIRTEEN, *words)
        assert message in said, (words, said)
    assert names() == []


def test_a_drawing_is_written_whole_and_says_where(show, ids):
    code, out, err = show(*DRAWN, "item=4", "out=new/folder/a.svg")
    assert (code, out, err) == (0, f"item {ids[4]}: new/folder/a.svg\n", "")
    text = Path("new/folder/a.svg").read_text(encoding="utf-8")
    parsed(text)
    assert names("new/folder") == ["a.svg"]
    found = json.loads(show(*DRAWN, "item=4", "out=b.svg", "--json")[1])
    assert found["out"] == "b.svg"
    assert found["items"] == [{"id": ids[4], "text": text}]
    assert text in show(*DRAWN, "item=4")[1]


def test_other_formats_are_written_too(show):
    assert show(*VERIFY, "format=json", "out=a.json")[0] == 0
    assert json.loads(Path("a.json").read_text())["task"] == "verify"


def test_nothing_that_exists_is_replaced(show):
    Path("a.svg").write_text("mine")
    Path("folder").mkdir()
    Path("link.svg").symlink_to("nowhere")
    assert (
        refused(show, *DRAWN, "out=a.svg", code=1)
        == "a.svg exists; choose another out= or remove it"
    )
    assert "link.svg exists" in refused(show, *DRAWN, "out=link.svg", code=1)
    said = refused(show, *DRAWN, "out=folder", code=1)
    assert said == "folder is a directory; out= takes the name of a new file"
    assert Path("a.svg").read_text() == "mine"
    assert names("folder") == []


@each("out, why", [
    ("a.svg/b.svg", "a.svg/b.svg: cannot be written: "), ("x" * 300, "cannot be written: File name too long"),
    ("/proc/nothing/a.svg", "cannot be written: "),
])  # fmt: skip
def test_what_cannot_be_written_is_said_in_one_line(show, out, why):
    Path("a.svg").write_text("mine")
    assert why in refused(show, *DRAWN, f"out={out}", code=1)
    assert names() == ["a.svg"]


def test_an_item_without_a_drawing_says_so(show):
    assert main.main(("generate", *VERIFY, "n=1", "out=d.jsonl")) == 0
    show()
    item = json.loads(Path("d.jsonl").read_text())
    bare = Item.from_dict({**item, "certificate": None, "id": ""})
    Path("bare.jsonl").write_text(json.dumps(bare.to_dict()) + "\n")
    words = ("plugin=vltl", "dataset=bare.jsonl", "format=svg")
    assert show(*words) == (0, f"item {bare.id} has no drawing\n", "")
    assert chosen(show, *words)["text"] is None
    assert refused(show, *words, "out=a.svg") == f"item {bare.id} has no drawing"
    assert not Path("a.svg").exists()


def test_help_names_the_keys(show):
    out = show("--help")[1]
    assert all(key in out for key in ("item", "out", "format=svg"))
