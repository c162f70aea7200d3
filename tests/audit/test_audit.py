"""The audit: every kind of finding, the report on disk and on the page, corrected datasets."""

import csv
import io
import json
import random
from contextlib import closing
from html.parser import HTMLParser
from pathlib import Path

import harness_guard
import pytest
from browser import Watched, chromium, needed
from cases import SHARE, each, slow

from harness import DatasetError, HarnessError, Item, OutputError, SpecError
from harness.audit import report as audit_page
from harness.audit import shortcuts as audit_shortcuts
from harness.audit import text as audit_text
from harness.audit import verify, writers
from harness.audit.findings import GRAVE, KINDS, Constants, Findings, Labels, Readings, Seen
from harness.audit.verify import audit
from harness.cli import main
from harness.core import fresh, plugins
from harness.core.installed import GROUP
from harness.core.spec import make
from harness.datasets import surface
from harness.datasets.engines import ordered
from harness.datasets.reading import Reasons

PUBLISHED = Path(__file__).parents[3] / "shared/data/ltlbench"

# Is a + b even? Numbers from 1000 on are signs to the engines, below, of what to do wrong.
TOY = """
import os
from dataclasses import replace
from harness import Abstained, Benchmark, DatasetError, EngineError, Item, Metric, Solution, Verdict
from harness import Shortcut, Weakness, hookimpl

@hookimpl
def describe():
    numbers = {"type": "object", "required": ["a", "b"], "additionalProperties": False,
               "properties": {k: {"type": "integer", "minimum": 0} for k in "ab"}}
    return Benchmark(
        name="toy_audit", version="2", summary="even sums", engines=("sum", "last", "third"),
        config_schema={"type": "object", "properties": {"top": {"type": "integer", "default": 99}}},
        values=("right",),
        metrics=(Metric("right", "share"), Metric("double", "each", each=lambda r: 2 * r.value["right"])),
        headline="right", choices=("yes", "no"), problem_schema=numbers, answer_schema={"enum": ["yes", "no"]},
        dataset_formats=("toy_flat",), weaknesses={
            "nothing_to_add": Weakness("b is 0", "grave"), "unused": Weakness("never", "note"),
            "fat": Weakness("b is 88", "by_design"), "thin": Weakness("b is 11", "note")})

def word(even):
    return "yes" if even else "no"

def made(a, b, target, **more):
    return Item("toy_audit", more.pop("version", "2"), prompt=more.pop("prompt", f"Is {a} + {b} even?"),
                target=target, problem={"a": a, "b": b}, **more)

@hookimpl
def generate(config, index, rng, salt):
    a, b = rng.randint(1, config["top"]), rng.randint(1, config["top"])
    return made(a, b, word((a + b) % 2 == 0), certificate={"sum": a + b})

@hookimpl
def solve(problem, engine):
    a, b = problem["a"], problem["b"]
    if a == 1000 or (a == 1001 and engine != "sum"):
        raise Abstained("too large")
    if a == 1002 and engine == "last":
        os._exit(3)
    if a == 1003 and engine == "last":
        raise ZeroDivisionError
    wrong = a == 1004 and engine == "last" or a == 1005 and engine == "sum"
    answer = "perhaps" if a == 1006 and engine == "third" else word((a + b) % 2 == wrong)
    return Solution(answer, engine, {"sum": a + b})

@hookimpl
def read(prompt):
    words = prompt.split()
    if words[:1] != ["Is"]:
        return None
    return {"a": int(words[1]), "b": int(words[3])}

@hookimpl
def score(item, completion):
    said = completion.removeprefix("Answer: ").strip()
    if item.problem["a"] == 1007:
        return Verdict("unscored", {}, explanation="the judge is out")
    if said not in ("yes", "no"):
        return Verdict("unparsed", {"right": 0.0}, explanation="neither yes nor no")
    truth = word(sum(item.problem.values()) % 2 == 0)
    if item.problem["a"] == 1009 and item.target != truth:
        return Verdict("unscored", {}, explanation="the label is wrong")
    if item.problem["a"] == 1010:  # knows better than the label
        return Verdict("scored", {"right": float(said == truth)}, said, "by the problem")
    sum_ = (item.certificate or {}).get("sum")
    value = {"right": float(said == item.target)}
    return Verdict("scored", value, said, f"{said} against {item.target}: the sum is {sum_}")

@hookimpl
def check(item):
    return [] if item.certificate["sum"] == item.problem["a"] + item.problem["b"] else ["another sum"]

@hookimpl
def adopt(record, config, format):
    if "sum" not in record or format not in ("", "toy_flat"):
        return None
    try:
        a, b = map(int, record["sum"].split("+"))
    except ValueError:
        raise DatasetError(f"sum {record['sum']!r} is no sum") from None
    notes = {"source_id": record["id"], "format": "toy_flat"}
    if "never" in str(record.get("note")):
        notes["wrong"] = ["it is never so"]
    if "odd" in str(record.get("note")):
        notes["findings"] = ["the note says otherwise"]
    return made(a, b, record["label"], version="published", prompt=record["text"], notes=notes)

@hookimpl
def publish(item, format, record):
    if item.problem["b"] == 77:
        return None
    return {**record, "label": item.target}

@hookimpl
def audit(item):
    if item.problem["a"] == 1008:
        return [{"kind": "unheard_of", "message": "x"}]
    b = item.problem["b"]
    kind = {0: "nothing_to_add", 88: "fat", 11: "thin"}.get(b)
    return [{"kind": kind, "message": f"b is {b}"}] if kind else []

@hookimpl
def shortcuts():
    return (
        Shortcut("first", "Whether a is even.", "b"),
        Shortcut("peek", "The label, if it is there.", "all"),
        Shortcut("other", "For other items.", "all", ("no such task",)),
    )

@hookimpl
def shortcut(item, name, rng):
    if item.problem["a"] == 1011:
        os._exit(3)
    even = item.problem["a"] % 2 == 0
    return f"Answer: {word(even) if name == 'first' else item.target or item.notes.get('label', 'no')}"

@hookimpl
def readings(item):
    a, b = item.problem["a"], item.problem["b"]
    return {"zero": {"even": True, "neither": b != 0}, "sign": {"plus": True, "minus": True}}
"""


@pytest.fixture(scope="module")
def toy(tmp_path_factory):
    """The toy, installed: engines run in workers, which load plugins by themselves."""
    folder = tmp_path_factory.mktemp("site")
    (folder / "toy_audit.py").write_text(TOY)
    info = folder / "toy_audit-0.1.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: toy_audit\nVersion: 0.1\n")
    (info / "entry_points.txt").write_text(f"[{GROUP}]\ntoy_audit = toy_audit\n")
    with pytest.MonkeyPatch.context() as patch, harness_guard.Guard(workers=1) as pool:
        patch.syspath_prepend(folder)
        plugins.registry.cache_clear()
        patch.setattr(harness_guard, "_shared", pool)
        yield plugins.registry().get("toy_audit")
    plugins.registry.cache_clear()


@pytest.fixture(autouse=True)
def _elsewhere(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


@pytest.fixture(autouse=True)
def _patient(monkeypatch):
    """A machine that stands still for a while is no finding."""
    monkeypatch.setattr("harness.audit.verify.SECONDS", 600)


def record(number, a, b, label=None, **more):
    label = label or ("yes" if (a + b) % 2 == 0 else "no")
    return {
        "id": str(number),
        "text": f"Is {a} + {b} even?",
        "sum": f"{a}+{b}",
        "label": label,
        **more,
    }


def lines(*records):
    return "".join(
        (r if isinstance(r, str) else json.dumps(r, ensure_ascii=False)) + "\n" for r in records
    )


def table(*records, end="\n"):
    file = io.StringIO()
    writer = csv.DictWriter(file, list(records[0]), lineterminator=end)
    writer.writeheader()
    writer.writerows(records)
    return file.getvalue()


def audited(toy, content, name="d.jsonl", **keys):
    Path(name).write_bytes(content.encode() if isinstance(content, str) else content)
    keys = {"report": "none", **keys}
    return audit(toy, make(toy, {"dataset": name, **keys}))


def kinds(found):
    return [one["kind"] for one in found["findings"]]


SOUND = [record(n, 10 + n, 5) for n in range(4)]


class TestFindings:
    def test_sound_items_agree_by_every_engine(self, toy):
        found = audited(toy, lines(*SOUND))
        assert (found["records"], found["items"], found["agree"], found["findings"]) == (
            4,
            4,
            4,
            [],
        )
        assert found["grave"] == 0
        assert found["engines"]["last"] == {
            "agree": 4,
            "contradict": 0,
            "abstain": 0,
            "fail": 0,
            "unscored": 0,
        }
        assert found["prompts"] == {"same": 4, "other": 0, "nothing": 0, "failed": 0}
        assert found["formats"] == {"toy_flat": 4}

    def test_a_wrong_label_has_its_evidence(self, toy):
        found = audited(toy, lines(*SOUND, record(9, 3, 4, "yes")))
        assert (found["agree"], found["wrong"]) == (4, 1)
        (one,) = found["findings"]
        assert one["where"] == "d.jsonl:5"
        assert (one["position"], one["source_id"], one["kind"]) == (4, "9", "label")
        assert one["message"] == "label yes, sum derives no; so does last, third"
        judged = "The label, judged as an answer:\n\nyes against no: the sum is 7"
        assert one["evidence"] == f"{judged}\n\nsum's certificate: " + '{"sum":7}'
        assert (one["label"], one["derived"], one["engines"]) == (
            "yes",
            "no",
            ["sum", "last", "third"],
        )

    @slow
    @each(
        ("given", "states", "expected"),
        [
            (record(1, 1000, 1), {"undecided": 1}, ["undecided"]),
            (record(1, 1001, 1), {"agree": 1}, []),
            (record(1, 1001, 1, "no"), {"wrong": 1}, ["label"]),
            (record(1, 1002, 1), {"agree": 1}, ["engine"]),
            (record(1, 1003, 1), {"agree": 1}, ["engine"]),
            (record(1, 1004, 1), {"wrong": 1}, ["label"]),
            (record(1, 1006, 1), {"agree": 1}, ["engine"]),
            (record(1, 1007, 1), {"unscored": 1}, ["unscored"] * 3),
            (record(1, 1008, 1), {"agree": 1}, ["hook"]),
            (record(1, 1009, 1, "no"), {"wrong": 1}, ["label"]),
            (record(1, 1010, 1, "yes"), {"wrong": 1}, ["label"]),
            (record(1, 5, 1, text="What?"), {"agree": 1}, ["unread"]),
            (record(1, 5, 1, text="Is 5 + 2 even?"), {"agree": 1}, ["prompt"]),
            (record(1, 5, 1, text="Is five + 2 even?"), {"agree": 1}, ["hook"]),
            (record(1, 5, 1, note="odd"), {"agree": 1}, ["record"]),
            (
                record(1, 5, 1, note="odd", text="Is 5 + 2 even?"),
                {"agree": 1},
                ["record", "prompt"],
            ),
            (record(1, 5, 1, note="never"), {"wrong": 1}, ["label"]),
            (record(1, 1000, 1, note="never"), {"wrong": 1}, ["label"]),
            (record(1, 5, 1, "no", note="never"), {"wrong": 1}, ["label"]),
            (record(1, 5, 0), {"agree": 1}, ["weakness"]),
            (record(1, 5, 88), {"agree": 1}, ["by_design"]),
            (record(1, 5, 11), {"agree": 1}, ["note"]),
            (record(1, 5, 1, "maybe"), {"wrong": 1}, ["label"]),
            ("{", {"unreadable": 1}, ["unreadable"]),
            ("[]", {"unreadable": 1}, ["unreadable"]),
            ({"other": 1}, {"unreadable": 1}, ["unreadable"]),
            ({**record(1, 5, 1), "sum": "5-1"}, {"unreadable": 1}, ["unreadable"]),
        ],
    )
    def test_every_kind(self, toy, given, states, expected):
        found = audited(toy, lines(record(0, 900, 901), given))
        counted = {k: found[k] for k in ("agree", "wrong", "undecided", "unscored", "unreadable")}
        states = {"agree": 0, **states}
        states["agree"] += 1
        assert {k: v for k, v in counted.items() if v} == states
        assert kinds(found) == expected
        assert set(expected) <= set(KINDS)
        assert sum(found[k] for k in ("agree", "wrong", "undecided", "unscored")) == found["items"]

    @slow
    def test_a_crash_costs_one_engine_its_opinion(self, toy):
        found = audited(toy, lines(record(1, 1002, 1), record(2, 3, 4)))
        assert [found["engines"][n]["agree"] for n in ("sum", "last", "third")] == [2, 1, 2]
        assert "exited with code 3" in found["findings"][0]["message"]

    def test_what_the_prompt_alone_says_is_solved_too(self, toy):
        (one,) = audited(toy, lines(record(1, 5, 1, text="Is 5 + 2 even?")))["findings"]
        assert "b: the prompt has 2, the formal problem 1" in one["message"]
        assert "sum derives no, against the label" in one["evidence"]

    def test_engines_that_disagree_correct_nothing(self, toy):
        found = audited(toy, lines(record(1, 1005, 1), record(2, 1004, 1)), corrected="f.jsonl")
        assert (found["wrong"], found["changed"]) == (2, 0)
        assert "the label is right by last, third" in found["findings"][0]["message"]

    def test_engines_have_a_table_where_one_does_not_agree_with_every_label(self, toy):
        right = audited(toy, lines(record(1, 3, 4), record(2, 3, 5)))
        wrong = audited(toy, lines(record(1, 3, 4), record(2, 3, 5, "no")))
        assert "(each agrees with every label)" in audit_text.text(right)
        for shown in (audit_text.text(right, True), audit_text.text(wrong)):
            assert "contradict" in shown
            assert "each agrees" not in shown

    def test_duplicates_and_contradictions(self, toy):
        found = audited(toy, lines(
            record(1, 3, 4), record(2, 3, 4), record(3, 3, 4, "yes"), record(4, 3, 8, text="Is 3 + 4 even?"),
        ))  # fmt: skip
        assert found["duplicates"] == {"problem": 2, "prompt": 3, "contradicting": 1}
        said = [
            (f["position"], f["kind"], f["message"])
            for f in found["findings"]
            if f["kind"] != "prompt"
        ]
        assert said[0] == (1, "duplicate", "same problem and prompt as d.jsonl:1")
        which = "which has the label no; this one has yes"
        assert said[1] == (2, "contradiction", f"same problem and prompt as d.jsonl:1, {which}")
        assert said[3] == (3, "duplicate", "same prompt as d.jsonl:1")

    def test_an_id_used_twice_is_a_finding_and_the_item_audited(self, toy):
        found = audited(toy, lines(record(1, 3, 4), record(1, 3, 5, "no")))
        assert (found["wrong"], sorted(kinds(found))) == (1, ["id", "label"])

    def test_items_of_ours_are_held_against_their_certificates(self, toy):
        made = fresh.item_at(toy, make(toy, {}), 0)
        assert audited(toy, lines(made.to_dict()))["grave"] == 0
        from dataclasses import replace

        for change, expected in [
            ({"certificate": {"sum": 100}}, "certificate"),
            ({"certificate": None}, "certificate"),
            ({"prompt": "What?"}, "prompt"),
        ]:
            found = audited(toy, lines(replace(made, **change, id="").to_dict()))
            assert kinds(found) == [expected]
            assert found["grave"] == 1

    def test_readings_side_by_side(self, toy):
        found = audited(toy, lines(*SOUND, record(8, 4, 0)))["readings"]
        assert found["zero"]["readings"]["even"] == {"agree": 5, "contradict": 0, "against": []}
        assert found["zero"]["readings"]["neither"] == {
            "agree": 4,
            "contradict": 1,
            "against": ["d.jsonl:5"],
        }
        assert (found["zero"]["follows"], found["zero"]["differ"]) == ("even", 1)
        assert (found["sign"]["follows"], found["sign"]["differ"]) == ("undetermined", 0)

    def test_a_record_that_speaks_against_its_label(self, toy):
        (one,) = audited(toy, lines(record(1, 5, 1, note="never")), corrected="f.jsonl")["findings"]
        assert one["message"].startswith(
            "label yes cannot be right: it is never so; the label is right by"
        )
        assert one["evidence"] == "it is never so"
        assert json.loads(Path("f.jsonl").read_text())["label"] == "yes"
        Path("f.jsonl").unlink()
        Path("f.jsonl.changes.jsonl").unlink()
        (one,) = audited(toy, lines(record(1, 5, 1, "no", note="never")), corrected="f.jsonl")[
            "findings"
        ]
        assert one["evidence"].startswith("it is never so\nThe label, judged as an answer")
        assert json.loads(Path("f.jsonl").read_text())["label"] == "yes"

    def test_its_certificate_does_not_say_that_once_more(self, toy):
        made = fresh.item_at(toy, make(toy, {}), 0)
        data = made.to_dict() | {"certificate": {"sum": 100}}
        data.pop("id")
        for notes, expected in [
            ({"wrong": ["never"]}, ["label"]),
            ({"wrong": 1, "findings": "x"}, ["certificate"]),  # not of that form: nothing was noted
        ]:
            assert (
                kinds(audited(toy, lines(Item(**{**data, "notes": notes}).to_dict()))) == expected
            )

    @each(
        ("content", "message"),
        [
            (
                "{\n",
                "d.jsonl: its only record cannot be understood; the first: d.jsonl: record 1: ",
            ),
            (b"\x00\xff\x1b[31m\n", "d.jsonl: its only record cannot be understood; the first: "),
            (
                lines({"other": 1}, {"\x1b[2Jevil": 1}),
                "d.jsonl: none of its 2 records can be understood; ",
            ),
        ],
    )
    def test_a_file_of_something_else_is_one_line(self, toy, content, message):
        with pytest.raises(DatasetError) as caught:
            audited(toy, content, report="r")
        assert str(caught.value).startswith(message)
        assert str(caught.value).isprintable()
        assert [p.name for p in Path().iterdir()] == ["d.jsonl"]

    def test_balance_order_and_constants(self, toy):
        found = audited(toy, lines(*SOUND))
        assert found["labels"]["counts"] == {"no": 2, "yes": 2}
        assert found["labels"]["order"]["repeats"] == 0
        assert found["labels"]["order"]["chance"] == pytest.approx(1 / 3)
        assert found["constants"]["yes"] == {"items": 4, "metrics": {"right": 0.5, "double": 1.0}}

    def test_fresh_items_need_no_report(self, toy):
        found = audit(toy, make(toy, {"n": 3}))
        assert (found["agree"], found["report"], found["dataset"]) == (3, None, None)
        assert list(Path().iterdir()) == []


class TestTallies:
    @each(
        ("rows", "follows", "share", "left_out"),
        [
            ([(19, True, False, False), (1, False, True, False)], "a", 0.95, 0),
            ([(18, True, False, False), (1, False, True, False)], "undetermined", 18 / 19, 0),
            ([(10, True, False, False), (9, False, False, True)], "a", 1.0, 9),
            # What one reading explains is no error of the data, whatever the engines' reading is.
            ([(10, False, True, True), (1, True, True, False)], "b", 1.0, 0),
            ([(5, False, False, True)], "undetermined", None, 5),
            ([(5, False, False, False)], "undetermined", 0.0, 0),
        ],
    )
    def test_what_the_data_follows(self, rows, follows, share, left_out):
        readings = Readings()
        for times, a, b, wrong in rows:
            for _ in range(times):
                readings.item("x", {"q": {"a": a, "b": b}}, wrong)
        readings.item("x", {"q": {"a": False, "b": True}}, True, True)  # by its own record
        found = readings.summary()["q"]
        assert (found["follows"], found["share"], found["left_out"]) == (
            follows,
            share,
            left_out + 1,
        )

    def test_labels_in_blocks_are_seen(self, tmp_path):
        class One:
            def __init__(self, target):
                self.target = target

        with closing(Seen(tmp_path / "a")) as seen:
            labels = Labels(seen)
            for target in ["True"] * 50 + ["False: (event1)"] * 50:
                labels.item(One(target))
            order = labels.summary()["order"]
        assert order["repeats"] == pytest.approx(98 / 99)
        assert order["z"] > 4

    def test_many_labels_are_counted_and_not_listed(self, tmp_path):
        class One:
            def __init__(self, target):
                self.target = target

        with closing(Seen(tmp_path / "a")) as seen:
            labels = Labels(seen)
            for number in range(100):
                labels.item(One(f"{number}"))
            found = labels.summary()
        assert found == {
            "distinct": 100,
            "counts": None,
            "order": {"repeats": 0, "chance": 0, "z": None},
        }

    def test_nothing_is_counted_of_nothing(self, tmp_path):
        with closing(Seen(tmp_path / "a")) as seen:
            order = Labels(seen).summary()["order"]
        assert order == {"repeats": None, "chance": None, "z": None}
        assert (Readings().summary(), Constants().summary(), Reasons().summary()) == ({}, {}, {})

    def test_reasons_are_counted_whatever_the_names(self):
        reasons = Reasons()
        for number in range(200):
            reasons.add(f"column '{number}' of {number} is missing")
            reasons.add(chr(0x4E00 + number))
        found = reasons.summary()
        assert found["column '…' of # is missing"] == 200
        assert found["other reasons"] == 151
        assert len(found) == 51

    def test_the_gravest_come_first_where_there_is_no_room(self, tmp_path):
        findings = Findings(tmp_path / "f")
        for kind in ("duplicate", "weakness", "label", "duplicate", "label"):
            findings.add(0, "x", None, kind, kind)
        assert [f["kind"] for f in findings.gravest(3)] == ["weakness", "label", "label"]
        assert len(list(findings.gravest(9))) == findings.total == 5
        findings.close()

    def test_what_shows_nothing_false_is_not_grave(self):
        assert set(KINDS) - set(GRAVE) == {
            "undecided",
            "declined",
            "unread",
            "duplicate",
            "by_design",
            "note",
        }

    @each(("b", "grave"), [(0, True), (88, False), (11, False)])
    def test_only_grave_weaknesses_change_the_exit_code_and_have_that_heading(self, toy, b, grave):
        Path("d.jsonl").write_text(lines(record(1, 5, b)))
        report, code = verify.command(["plugin=toy_audit", "dataset=d.jsonl", "report=r"], print)
        assert code == report["grave"] == int(grave)
        heading, page = (
            "Items that do not measure what they claim",
            Path("r/index.html").read_text(),
        )
        weak, _, others = page.partition(heading)[2].partition("Weak by design, and notes")
        kind = {0: "nothing_to_add", 88: "fat", 11: "thin"}[b]
        row = f"<tr><td>{kind}</td>"
        assert (row in weak, row in others) == (grave, not grave)
        head = "grave weakness" if grave else "other weakness"
        table = next(part for part in audit_text.text(report).split("\n\n") if kind in part)
        assert table.startswith(head)
        assert report["weaknesses"][kind]["items"] == 1

    def test_results_come_in_order_and_few_ahead(self):
        begun = []

        def tasks():
            for number in range(200):
                begun.append(number)
                yield number

        for task, result in ordered(lambda x: x * x, tasks(), 3):
            assert result == task * task
            assert len(begun) <= task + 3 * 8 + 1
        assert task == 199

    def test_a_defect_of_ours_is_not_hidden(self):
        with pytest.raises(ZeroDivisionError):
            list(ordered(lambda x: 1 // x, [1, 0], 1))


class Page(HTMLParser):
    """What elements a page has, and the text of its findings."""

    def __init__(self, text):
        super().__init__()
        self.tags, self.cells, self.attributes = [], [], []
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        self.attributes += [name for name, _ in attrs]

    def handle_data(self, data):
        self.cells.append(data)


def told(n):
    """Items whose prompt says in a word what the label is: yes for one in four, in which a is odd, as b always is."""
    return [
        record(
            n, 2 * n if n % 4 else 2 * n + 1, 1 + 2 * n, text=f"{'fine' if n % 4 else 'bad'} w{n}"
        )
        for n in range(n)
    ]


class TestShortcuts:
    @pytest.fixture(scope="class")
    @classmethod
    def eighty(cls, toy, tmp_path_factory):
        """Return what is found of 80 items, and the folder of the report."""
        with pytest.MonkeyPatch.context() as patch:
            patch.chdir(tmp_path_factory.mktemp("eighty"))
            return audited(toy, lines(*told(80)), report="r"), Path("r").absolute()

    @slow
    def test_what_they_win_is_counted_on_the_set_itself(self, eighty):
        found, _ = eighty
        cheap = found["shortcuts"]
        assert (cheap["metric"], cheap["sample"], cheap["note"]) == ("right", 80, "")
        scores = {score["name"]: score for score in cheap["scores"]}
        assert next(iter(scores)) == "word_bag"
        assert (scores["word_bag"]["generic"], scores["word_bag"]["value"]) == (True, 1)
        assert scores["word_bag"]["ci_low"] > 0.9
        # a is even where the sum is odd.
        assert (scores["first"]["generic"], scores["first"]["value"], scores["first"]["items"]) == (
            False,
            0,
            80,
        )
        assert (
            scores["peek"]["value"] == sum(n % 4 != 0 for n in range(80)) / 80
        )  # no label is there
        assert "other" not in scores

    def test_few_stand_in_the_terminal_all_on_the_page(self, eighty):
        found, folder = eighty
        short, full = audit_text.text(found), audit_text.text(found, True)
        head = next(line for line in short.splitlines() if line.startswith("shortcut "))
        assert head.split() == ["shortcut", "items", "right", "95", "%", "how", "it", "answers"]
        assert "word_bag (generic)" in short
        assert "… 4 more (verbose=yes)" in short
        page = (folder / "index.html").read_text()
        for name in ("first", "peek", *(s.name for s in surface.GENERIC)):
            assert f"\n{name} " in full
            assert f"<tr><td>{name}</td>" in page
        assert json.loads((folder / "audit.json").read_text())["shortcuts"] == found["shortcuts"]

    @slow
    def test_one_that_ends_its_worker_costs_one_item(self, toy):
        found = audited(toy, lines(record(1, 3, 4), record(2, 1011, 4), record(3, 3, 5)))
        scores = {score["name"]: score["items"] for score in found["shortcuts"]["scores"]}
        assert scores == {"first": 2, "peek": 2}
        assert (
            found["shortcuts"]["note"]
            == "generic shortcuts are not applicable: fewer than 20 items"
        )
        assert "generic shortcuts are not applicable" in audit_text.text(found)

    def test_of_many_items_a_random_sample_in_their_order(self, monkeypatch):
        monkeypatch.setattr(audit_shortcuts, "MOST", 50)
        sample, again = audit_shortcuts.Sample(), audit_shortcuts.Sample()
        for position in range(1000):
            item = Item("toy", "1", prompt="p", target="t", problem=position)
            sample.add(position, item)
            again.add(position, item)
        kept = [item.problem for item in sample.items]
        assert len(kept) == 50
        assert kept == sorted(kept) == [item.problem for item in again.items]
        assert 300 < sum(kept) / 50 < 700


class TestReport:
    def test_every_finding_is_in_the_file(self, toy):
        found = audited(
            toy, lines(*[record(n, n, 0) for n in range(15)]), name="many.jsonl", report=None
        )
        assert found["report"] == {
            "json": "audits/many/audit.json",
            "page": "audits/many/index.html",
        }
        kept = json.loads(Path("audits/many/audit.json").read_text())
        assert len(kept["findings"]) == kept["findings_total"] == 15
        assert kept["findings"] == found["findings"]
        assert sorted(p.name for p in Path("audits/many").iterdir()) == ["audit.json", "index.html"]

    def test_nothing_of_a_record_is_more_than_text(self, toy):
        evil = "</pre></td></script><script>alert(1)</script><img src=x onerror=alert(2)>\u2028\x00{{ 7 * 7 }}"
        audited(toy, lines(record(1, 3, 4, evil), record(2, 1003, 3, evil), '{"<script>": 1}'),
                name="<b>&'x.jsonl", report="r")  # fmt: skip
        text = Path("r/index.html").read_text()
        page = Page(text)
        assert page.tags.count("script") == 1
        assert not {"img", "b>&'x.jsonl"} & set(page.tags)
        assert not [
            name for name in page.attributes if name.startswith("on") or name in ("src", "href")
        ]
        assert any("<script>alert(1)</script>" in cell for cell in page.cells)
        assert "{{ 7 * 7 }}" in text
        assert "http" not in text.replace("http-equiv", "")
        assert "default-src 'none'" in text

    def test_the_page_says_that_it_holds_not_all(self, toy, monkeypatch):
        monkeypatch.setattr(audit_page, "MOST", 5)
        audited(toy, lines(*[record(n, n, 0) for n in range(9)]), report="r")
        text = Path("r/index.html").read_text()
        assert "These are 5 of 9 findings" in text
        assert text.count("<tr data-kind") == 5

    def test_long_evidence_is_cut_on_the_page_alone(self, toy, monkeypatch):
        monkeypatch.setattr(audit_page, "LONG", 10)
        audited(toy, lines(record(1, 3, 4, "x" * 50_000)), report="r")
        text = Path("r/index.html").read_text()
        assert "label xxxx… (" in text
        assert "The label,… (" in text
        assert "x" * 50_000 in Path("r/audit.json").read_text()

    def test_only_a_report_of_ours_is_replaced(self, toy):
        for wrong in (3, 0):
            audited(toy, lines(record(1, 3, 4), *[record(9, 3, 5, "no")] * bool(wrong)), report="r")
        assert json.loads(Path("r/audit.json").read_text())["wrong"] == 0
        Path("r/audit.json").unlink()  # a kill between the two files
        audited(toy, lines(*SOUND), report="r")
        ours = Path("r/audit.json").read_text()
        for name, text in [
            ("index.html", "<title>Audit of my house</title>"),
            ("audit.json", "{}"),
            ("audit.json", '{\n "plugin": "x",\n "records": 3\n}'),
            ("audit.json", json.dumps(ours)),
            ("audit.json", "\udcff"),
        ]:
            folder = Path(f"o{len(list(Path().iterdir()))}")
            folder.mkdir()
            (folder / name).write_text(text, errors="surrogateescape")
            with pytest.raises(
                OutputError, match=r"^o\d/.* was not written by an audit; choose another"
            ):
                audited(toy, lines(*SOUND), report=str(folder))
            assert [p.name for p in folder.iterdir()] == [name]
            assert (folder / name).read_text(errors="surrogateescape") == text

    def test_the_gravest_come_first_on_the_page(self, toy):
        audited(toy, lines(record(1, 5, 0), record(2, 1000, 1), record(3, 3, 4, "yes")), report="r")
        text = Path("r/index.html").read_text()
        kinds = [part.split('"')[0] for part in text.split('<tr data-kind="')[1:]]
        assert kinds == ["label", "weakness", "undecided"]

    @slow
    def test_the_page_filters_and_sorts_in_a_browser(self, toy):
        needed()
        given = [record(n, n, 0, "no" if n % 2 else "yes") for n in range(6)]
        audited(toy, lines(*given, record(9, 1000, 1)), report="r")
        with chromium() as browser:
            seen = Watched(browser)
            tab = seen.open(Path("r/index.html").resolve())
            rows = tab.locator("#findings tbody tr")
            every = rows.count()
            labels = tab.locator("#findings tbody tr[data-kind=weakness]").count()
            assert tab.locator("#shown").text_content() == f"{every} of {every} shown"
            tab.get_by_label("kind of finding").select_option("weakness")
            assert tab.locator("#shown").text_content() == f"{labels} of {every} shown"
            assert 0 < labels < every
            assert tab.locator("#findings tbody tr:visible").count() == labels
            tab.get_by_label("kind of finding").select_option("")
            tab.get_by_label("filter by text").fill("no such words")
            tab.get_by_text(f"0 of {every} shown", exact=True).wait_for()
            tab.get_by_label("filter by text").fill("")
            tab.get_by_text(f"{every} of {every} shown", exact=True).wait_for()
            head = tab.get_by_role("button", name="item")
            places = "[...document.querySelectorAll('#findings tbody tr')].map((one) => +one.dataset.position)"
            head.click()
            assert tab.evaluate(places) == sorted(tab.evaluate(places))
            head.click()
            assert tab.evaluate(places) == sorted(tab.evaluate(places), reverse=True)
            assert seen.quiet()

    def test_a_little_markdown_in_evidence(self):
        text = "**no**: `a <b> **c**` <i> 2**3**4 ** x ** `` **a\nb**"
        assert audit_page._marked(text) == (
            "<b>no</b>: <code>a &lt;b&gt; **c**</code> &lt;i&gt; 2**3**4 ** x ** `` **a\nb**"
        )

    def test_what_steers_a_terminal_is_escaped(self, toy, capsys):
        evil = "\x1b]0;evil\x07\x9b2J\u202e\n0 wrong"
        given = [
            record(evil, 3, 4, evil),
            {evil: 1},
            record(2, 3, 4),
            {**record(3, 1, 1), "sum": evil},
        ]
        Path("d.jsonl").write_text(lines(*given))
        main.main(["verify", "plugin=toy_audit", "dataset=d.jsonl", "report=none"])
        out, _ = capsys.readouterr()
        assert out.replace("\n", "").isprintable()
        assert "\\x1b]0;evil" in out
        assert "\n0 wrong" not in out

    def test_where_it_cannot_be_written_is_known_at_once(self, toy):
        Path("taken").write_text("")
        with pytest.raises(OutputError, match=r"^taken: the report cannot be written: "):
            audited(toy, lines(*SOUND), report="taken")

    def test_no_room_for_temporary_files_is_one_line(self, toy, monkeypatch):
        def full(*_, **__):
            raise OSError(28, "No space left on device")

        monkeypatch.setattr(Findings, "add", full)
        with pytest.raises(
            OutputError, match=r"^the audit's temporary files in .* failed: .*No space"
        ):
            audited(toy, lines(record(1, 3, 4, "yes")), report="r", corrected="f.jsonl")
        assert [p.name for p in Path().iterdir()] == ["d.jsonl"]

    def test_a_file_that_cannot_be_read_leaves_no_trace(self, toy):
        with pytest.raises(HarnessError, match="the dataset is empty"):
            audited(toy, "", report="r", corrected="f.jsonl")
        assert sorted(p.name for p in Path().iterdir()) == ["d.jsonl"]

    def test_half_a_character_is_no_obstacle(self, toy):
        text = lines(record(1, 3, 4), record(2, 3, 5, "no")).replace(
            '"label"', '"\\ud800": "\\udc01", "label"'
        )
        found = audited(toy, text, report="r", corrected="f.jsonl")
        assert found["changed"] == 1
        assert json.loads(Path("f.jsonl").read_text().splitlines()[0]) == json.loads(
            text.splitlines()[0]
        )

    @pytest.mark.parametrize("words", [["out=f.jsonl"], ["--out", "f.jsonl"]])
    def test_out_is_no_name_of_it(self, toy, capsys, words):
        Path("d.jsonl").write_text(lines(record(8, 3, 4, "yes")))
        assert main.main(["verify", "plugin=toy_audit", "dataset=d.jsonl", *words]) == 2
        assert capsys.readouterr().err == "harness: unknown key 'out'; did you mean 'corrected'?\n"
        assert sorted(path.name for path in Path().iterdir()) == ["d.jsonl"]

    def test_in_the_terminal(self, toy, capsys):
        Path("d.jsonl").write_text(lines(*SOUND, record(8, 3, 4, "yes"), record(9, 8, 0), "{"))
        assert (
            main.main(["verify", "plugin=toy_audit", "dataset=d.jsonl", "corrected=f.jsonl"]) == 1
        )
        out, err = capsys.readouterr()
        assert err == ""
        for said in (
            "toy_audit: 6 items, labels: 5 agree, 1 wrong (1 by every engine), 0 undecided, 0 unscored; "
            "unreadable records: 1",
            "the data follows: even (100.0% of labels hold)",
            "the data follows: undetermined (100.0% of labels hold under the best)",
            "nothing_to_add  1      16.7%  b is 0",
            "line 5 (id 8): label: label yes, sum derives no",
            "report: audits/d/index.html",
            "corrected: f.jsonl (1 label changed, 1 unreadable left out; see f.jsonl.changes.jsonl)",
        ):
            assert said in out

    @each(
        ("content", "code"),
        [
            (lines(*SOUND), 0),
            (lines(*SOUND, record(8, 8, 88), record(9, 8, 88)), 0),
            (lines(*SOUND, record(9, 3, 4, "yes")), 1),
            (lines(*SOUND, "{"), 1),
            (lines(*SOUND, record(9, 5, 1, text="Is 5 + 2 even?")), 1),
            (lines(*SOUND, record(9, 5, 1, text="?"), record(8, 1000, 1)), 0),
            (lines(*SOUND, record(9, 1003, 1)), 1),
            (lines(*SOUND, SOUND[0]), 1),
        ],
    )
    def test_the_exit_code(self, toy, capsys, content, code):
        Path("d.jsonl").write_text(content)
        words = ["verify", "plugin=toy_audit", "dataset=d.jsonl", "report=none", "--json"]
        assert main.main(words) == code
        assert json.loads(capsys.readouterr().out)["grave"] == code


ODD = {"note": 'a, "b"\r and\nmore', "empty": ""}


class TestCorrected:
    @each(
        ("name", "content", "read"),
        [
            ("d.jsonl", lambda rs: lines(*rs), lambda t: [json.loads(x) for x in t.splitlines()]),
            ("d.csv", lambda rs: table(*rs), None),
            ("d.csv", lambda rs: table(*rs, end="\r\n"), None),
            ("d.json", lambda rs: json.dumps(rs), json.loads),
            (
                "d.json",
                lambda rs: json.dumps({"v": [1], "rows": rs, "by": {"x": None}}),
                lambda t: json.loads(t)["rows"],
            ),
        ],
    )
    def test_all_but_the_label_stays(self, toy, name, content, read):
        for path in Path().iterdir():
            path.unlink()
        rows = [record(n, n, 4, **ODD) for n in range(6)]
        rows[1]["label"], rows[4]["label"] = "yes", "no"
        found = audited(toy, content(rows), name=name, corrected=f"f{Path(name).suffix}")
        assert (found["wrong"], found["changed"], found["kept"], found["left_out"]) == (2, 2, 6, 0)
        text = Path(found["corrected"]).read_bytes().decode()
        read = read or (lambda t: list(csv.DictReader(io.StringIO(t, newline=""))))
        right = [record(n, n, 4, **ODD) for n in range(6)]
        assert read(text) == right
        if name == "d.json" and text.startswith("{"):
            assert {k: v for k, v in json.loads(text).items() if k != "rows"} == {
                "v": [1],
                "by": {"x": None},
            }
        if name == "d.csv":
            assert text == content(right)
        changes = [json.loads(line) for line in Path(found["changes"]).read_text().splitlines()]
        assert [c["source_id"] for c in changes] == ["1", "4"]
        assert changes[0]["fields"] == {"label": {"old": "yes", "new": "no"}}
        assert changes[0]["engines"] == ["sum", "last", "third"]
        assert "the sum is 5" in changes[0]["evidence"]
        again = audit(toy, make(toy, {"dataset": found["corrected"], "report": "none"}))
        assert (again["wrong"], again["agree"]) == (0, 6)
        assert len(list(Path().iterdir())) == 3

    def test_a_single_record_stays_one(self, toy):
        found = audited(toy, json.dumps(record(1, 3, 4, "yes")), name="d.json", corrected="f.json")
        assert found["changed"] == 1
        assert json.loads(Path("f.json").read_text()) == record(1, 3, 4)

    def test_an_item_of_ours_gets_a_new_id(self, toy):
        audit(toy, make(toy, {"n": 1}))
        made = fresh.item_at(toy, make(toy, {}), 0)
        from dataclasses import replace

        wrong = replace(made, target="yes" if made.target == "no" else "no", id="")
        found = audited(toy, lines(wrong.to_dict()), corrected="f.jsonl")
        assert found["changed"] == 1
        assert json.loads(Path("f.jsonl").read_text())["id"] == made.id
        assert audit(toy, make(toy, {"dataset": "f.jsonl", "report": "none"}))["grave"] == 0

    def test_what_the_format_cannot_say_is_said(self, toy):
        found = audited(toy, lines(record(1, 3, 77, "no"), "{"), corrected="f.jsonl")
        assert (found["wrong"], found["changed"], found["left_out"]) == (1, 0, 1)
        changes = [json.loads(line) for line in Path(found["changes"]).read_text().splitlines()]
        assert changes[0]["not_corrected"] == "the published format cannot say the derived label"
        assert changes[1]["where"] == "d.jsonl:2"
        assert changes[1]["left_out"].startswith("d.jsonl:2: ")

    def test_one_engine_alone_corrects_nothing(self, toy):
        found = audited(toy, lines(record(1, 1001, 1, "no")), corrected="f.jsonl")
        assert (found["wrong"], found["changed"]) == (1, 0)

    @each(
        ("keys", "message"),
        [
            ({"corrected": "d.jsonl"}, "d.jsonl exists"),
            ({"corrected": "there.jsonl"}, "there.jsonl exists"),
            ({"corrected": "had.jsonl"}, "had.jsonl.changes.jsonl exists"),
            ({"corrected": "f.csv"}, "corrected=f.csv: expected a name that ends in .jsonl"),
            ({"corrected": "f.jsonl", "n": 1}, "corrected= does not go with n="),
            ({"corrected": "there.jsonl/f.jsonl"}, "cannot be written: "),
            ({"format": "toy_fat"}, "did you mean 'toy_flat'"),
        ],
    )
    def test_what_cannot_be_is_refused_before_work_begins(self, toy, keys, message):
        Path("there.jsonl").write_text("")
        Path("had.jsonl.changes.jsonl").write_text("")
        with pytest.raises(HarnessError) as caught:
            audited(toy, lines(record(1, 3, 4, "yes")), **keys)
        assert message in str(caught.value)
        assert "\n" not in str(caught.value)
        assert not list(Path().glob(".*")) + list(Path().glob("f.*"))

    def test_what_a_kill_left_is_taken_over(self, toy):
        left = [Path("f.jsonl.partial"), Path("f.jsonl.changes.jsonl.partial")]
        for path in left:
            path.write_text("half a re")
        with writers.hold(Path("f.jsonl")):
            with pytest.raises(
                OutputError, match=r"^f.jsonl.partial: another process is writing it"
            ):
                audited(toy, lines(*SOUND), corrected="f.jsonl")
            assert all(path.exists() for path in left)
        audited(toy, lines(*SOUND), corrected="f.jsonl")
        assert Path("f.jsonl").read_text() == lines(*SOUND)
        assert sorted(p.name for p in Path().iterdir()) == [
            "d.jsonl",
            "f.jsonl",
            "f.jsonl.changes.jsonl",
        ]

    def test_what_is_another_commands_is_not_taken_over(self, toy):
        Path("f.jsonl.partial.json").write_text("{}")
        with pytest.raises(OutputError, match="a dataset that generate has not finished"):
            audited(toy, lines(*SOUND), corrected="f.jsonl")
        Path("precious").write_text("x")
        Path("g.jsonl.changes.jsonl.partial").symlink_to("precious")
        with pytest.raises(OutputError, match="is a link"):
            audited(toy, lines(*SOUND), corrected="g.jsonl")
        assert Path("precious").read_text() == "x"
        assert not Path("g.jsonl.partial").exists()

    def test_fresh_items_have_nothing_to_correct(self, toy):
        with pytest.raises(SpecError, match="there is no dataset="):
            audit(toy, make(toy, {"n": 1, "corrected": "f.jsonl"}))

    def test_where_reading_ends_early_nothing_is_written(self, toy):
        text = table(*SOUND) + '9,"torn'
        with pytest.raises(HarnessError, match="corrected= would lose the rest"):
            audited(toy, text, name="d.csv", corrected="f.csv")
        assert [p.name for p in Path().iterdir()] == ["d.csv"]


@pytest.mark.skipif(not PUBLISHED.is_dir(), reason=f"no published data at {PUBLISHED}")
def test_a_hundred_flipped_labels_are_all_found(monkeypatch):
    """Of the published file the smallest set; each copy's flip at another place, all in one file."""
    path = PUBLISHED / "300_2_events_2_formula_len.csv"
    csv.field_size_limit(10**7)
    with path.open(newline="", encoding="utf-8-sig") as file:
        right = list(csv.DictReader(file))[:: min(SHARE, 4)]
    rows = [dict(row) for row in right]
    flipped = sorted(random.Random(6).sample(range(len(rows)), len(rows) // 3))
    for place in flipped:
        rows[place]["answer"] = {"True": "False", "False": "True"}[rows[place]["answer"]]
    Path("d.csv").write_text(table(*rows), newline="")
    plugin = plugins.registry().get("ltlbench")
    found = audit(
        plugin, make(plugin, {"dataset": "d.csv", "corrected": "f.csv", "report": "none"})
    )
    labels = [f["position"] for f in found["findings"] if f["kind"] == "label"]
    assert labels == flipped
    with Path("f.csv").open(newline="") as fixed:
        assert list(csv.DictReader(fixed)) == right
