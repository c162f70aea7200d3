"""Traces for training: only what its reader finds no fault with and what scores as right is ever written."""

import json
import re
from contextlib import suppress
from dataclasses import replace
from importlib import import_module
from random import Random
from types import ModuleType, SimpleNamespace

import pytest
from cases import each, slow
from harness_answers.trace_lines import MAX_TEXT, Lines, WrongTraceError, findings
from harness_errors import HarnessError, OutputError, PluginError, SpecError

from harness import Verdict
from harness.cli import main
from harness.core import fresh, plugins
from harness.core.hookspecs import hookimpl
from harness.core.items import to_json
from harness.core.spec import make
from harness.datasets import dataset, solution
from harness.datasets.export_items import Told
from harness.kit.checks_traces import mutants
from harness.kit.checks_traces import traces as check_traces
from harness.kit.kit import Failure, Kit
from harness.training import traces

HOOKS = ("trace", "reread")


def toy(hooks=HOOKS, *, drop=(), **changes):
    """A toy that shows its sums; ``changes`` replace hooks, of which it has the ones named."""

    class Shown(import_module("toy_base").Toy):
        @hookimpl
        def trace(self, item):
            a, b = item.problem["a"], item.problem["b"]
            lines = [f"{a} plus {b} is {a + b}.", f"Its rest by 7 is {(a + b) % 7}."]
            return "\n".join([*lines, f"Answer: {item.target}"])

        @hookimpl
        def reread(self, item, text):
            return findings(text, lambda lines: self.read_lines(item, lines))

        def read_lines(self, item, lines):
            a, b = item.problem["a"], item.problem["b"]
            if lines.next() != f"{a} plus {b} is {sum((a, b))}.":
                raise lines.wrong("the sum is another")
            rest = int(lines.take(r"Its rest by 7 is ([0-6])\.")[1])
            if (a + b - rest) % 7:
                raise lines.wrong("the rest is another")
            word = import_module("toy_base").WORDS[rest]
            if lines.next() != f"Answer: {word}":
                raise lines.wrong("the answer is another")

    for name, change in changes.items():
        setattr(Shown, name, hookimpl(change))
    own = Shown("toy_shown")
    module = ModuleType("toy_shown")
    vars(module).update(own.hooks(), **{hook: getattr(own, hook) for hook in hooks})
    for hook in drop:
        delattr(module, hook)
    return plugins.load([("toy_shown", lambda: module, "", "toy_shown")])


@pytest.fixture
def shown(toys):
    return toy().get("toy_shown")


def items_of(plugin, **values):
    return list(fresh.items(plugin, make(plugin, {"n": 5, "split": "train", **values})))


def write(plugin, out, **values):
    return traces.write(plugin, make(plugin, {"n": 5, "split": "train", "out": str(out), **values}))


class TestRecords:
    def test_a_record_is_what_trainers_take(self, shown):
        items = items_of(shown)
        for item, record in zip(items, traces.traces(shown, items), strict=True):
            assert list(record) == [
                *("id", "plugin", "version", "split", "prompt", "trace", "target", "messages")
            ]
            assert (record["id"], record["split"]) == (item.id, "train")
            assert record["trace"].endswith(f"\nAnswer: {item.target}")
            assert record["messages"] == [
                {"role": "user", "content": item.prompt},
                {"role": "assistant", "content": record["trace"]},
            ]

    def test_what_the_reader_finds_is_never_yielded(self, toys):
        def wrong(self, item):
            return f"1 plus 1 is 3.\nIts rest by 7 is 3.\nAnswer: {item.target}"

        plugin = toy(trace=wrong).get("toy_shown")
        with pytest.raises(PluginError, match=r"'toy_shown': the trace of item .* the sum is anot"):
            list(traces.traces(plugin, items_of(plugin)))

    def test_what_scores_as_wrong_is_never_yielded_whatever_the_reader_says(self, toys):
        def wrong(self, item):
            return f"So much for that.\nAnswer: {'six' if item.target == 'one' else 'one'}"

        plugin = toy(trace=wrong, reread=lambda self, item, text: []).get("toy_shown")
        with pytest.raises(PluginError, match="as an answer it is wrong: one, it is "):
            list(traces.traces(plugin, items_of(plugin)))

    def test_nor_what_cannot_be_scored(self, toys):
        def mute(self, item, completion):
            return Verdict("unscored", {}, None, "nobody is at home")

        plugin = toy(score=mute).get("toy_shown")
        with pytest.raises(PluginError, match="as an answer it is unscored: nobody is at home"):
            list(traces.traces(plugin, items_of(plugin)))

    def test_items_without_a_trace_are_counted_and_told(self, toys):
        base = toy().get("toy_shown")
        right = {item.index: base.call("trace", item=item) for item in items_of(base)}
        plugin = toy(trace=lambda self, item: None if item.index % 2 else right[item.index]).get(
            "toy_shown"
        )
        without = Told()
        found = list(traces.traces(plugin, items_of(plugin), without))
        assert (len(found), without.count) == (3, 2)
        assert without.first[0].endswith("(index 1)")

    def test_one_that_is_too_long_is_none(self, shown, monkeypatch):
        monkeypatch.setattr(solution, "MAX_CHARACTERS", 20)
        without = Told()
        assert list(traces.traces(shown, items_of(shown), without)) == []
        assert without.count == 5

    def test_adopted_items_have_none_for_their_labels_are_not_ours(self, shown):
        items = [replace(item, version="published", id="") for item in items_of(shown)]
        without = Told()
        assert list(traces.traces(shown, items, without)) == []
        assert without.count == len(items)

    def test_without_a_reader_there_are_no_traces(self, toys):
        plugin = toy(hooks=()).get("toy_shown")
        with pytest.raises(SpecError, match=r"has no hook reread\(\)"):
            list(traces.traces(plugin, items_of(plugin)))

    def test_without_a_writer_the_worked_solution_is_one_if_the_reader_says_so(self, toys):
        def reread(self, item, text):
            total = sum(item.problem.values())
            right = f"The sum is {total}.\nAnswer: {item.target}"
            return [] if text == right else ["no"]

        plugin = toy(hooks=("reread",), reread=reread).get("toy_shown")
        assert len(list(traces.traces(plugin, items_of(plugin)))) == 5
        strict = toy(hooks=("reread",), reread=lambda self, item, text: ["no step"]).get(
            "toy_shown"
        )
        with pytest.raises(PluginError, match="no step"):
            list(traces.traces(strict, items_of(strict)))

    def test_a_writer_without_a_reader_is_not_loaded(self, toys):
        found = toy(hooks=("trace",))
        assert "lacks the hook reread()" in found.failures["toy_shown"]

    @each(
        "change, said",
        [
            ({"trace": lambda self, item: 7}, r"trace\(\) returned int"),
            ({"trace": lambda self, item: 1 / 0}, r"trace\(\) failed: ZeroDivisionError"),
            ({"reread": lambda self, item, text: None}, r"reread\(\) returned None, expected"),
            ({"reread": lambda self, item, text: "fine"}, r"reread\(\) returned str 'fine'"),
            ({"reread": lambda self, item, text: [1]}, r"reread\(\) returned list"),
            ({"reread": lambda self, item, text: {}[0]}, r"reread\(\) failed: KeyError"),
        ],
    )
    def test_a_hook_that_breaks_the_contract_is_named(self, toys, change, said):
        plugin = toy(**change).get("toy_shown")
        with pytest.raises(PluginError, match=said):
            list(traces.traces(plugin, items_of(plugin)))


class TestFiles:
    def test_lines_and_manifest(self, shown, tmp_path):
        found = write(shown, tmp_path / "a.jsonl")
        lines = (tmp_path / "a.jsonl").read_text().splitlines()
        records = [json.loads(line) for line in lines]
        assert [record["id"] for record in records] == [item.id for item in items_of(shown)]
        manifest = json.loads((tmp_path / "a.jsonl.manifest.json").read_text())
        assert {**manifest, **found} == found
        assert (found["items"], found["traces"], found["without"]["count"]) == (5, 5, 0)
        sizes = [len(record["trace"]) for record in records]
        assert found["characters"] == {"longest": max(sizes), "mean": round(sum(sizes) / 5, 1)}
        assert "canary" not in found  # it marks what is not to be trained on
        assert sorted(path.name for path in tmp_path.iterdir()) == [
            "a.jsonl",
            "a.jsonl.manifest.json",
        ]

    def test_the_same_again_byte_for_byte(self, shown, tmp_path):
        write(shown, tmp_path / "a.jsonl", seed=3)
        write(shown, tmp_path / "b.jsonl", seed=3)
        assert (tmp_path / "a.jsonl").read_bytes() == (tmp_path / "b.jsonl").read_bytes()

    def test_items_of_a_file_are_worked_on_in_a_worker(self, tmp_path, monkeypatch):
        plugin = plugins.registry().get("ltlbench")
        dataset.write(
            plugin, make(plugin, {"n": 6, "split": "train", "operators": 2}), tmp_path / "in.jsonl"
        )
        spec = make(
            plugin, {"dataset": str(tmp_path / "in.jsonl"), "out": str(tmp_path / "o.jsonl")}
        )
        # Nothing of the plugin is called in this process but what reads the file.
        hooks = dict.fromkeys(vars(plugin.hooks)) | {"reread": plugin.hooks.reread}
        found = traces.write(replace(plugin, hooks=SimpleNamespace(**hooks)), spec)
        assert (found["traces"], found["unreadable"]) == (6, {"count": 0, "first": []})
        assert found["warnings"] == []

    @each(
        "change, said",
        [
            (lambda item: replace(item, problem={"task": "decide"}, id=""), "problem."),
            (
                lambda item: replace(item, target="Maybe", id=""),
                "does not hold, and none is written",
            ),
            (lambda item: replace(item, prompt="What?", id=""), "none of the 1 items has a trace"),
        ],
    )
    def test_an_item_of_a_file_that_is_not_ours_is_one_line(self, tmp_path, change, said):
        plugin = plugins.registry().get("ltlbench")
        (item,) = items_of(plugin, n=1)
        (tmp_path / "in.jsonl").write_text(to_json(change(item)) + "\n")
        out = tmp_path / "o.jsonl"
        with pytest.raises(HarnessError, match=re.escape(said)) as error:
            traces.write(
                plugin, make(plugin, {"dataset": str(tmp_path / "in.jsonl"), "out": str(out)})
            )
        assert "\n" not in str(error.value)
        assert not out.exists()

    def test_a_published_file_has_no_traces(self, shown, tmp_path):
        (tmp_path / "in.csv").write_text("x,y\n1,2\n3,4\n")
        spec = make(shown, {"dataset": str(tmp_path / "in.csv"), "out": str(tmp_path / "o.jsonl")})
        with pytest.raises(OutputError, match="none of the 2 items has a trace"):
            traces.write(replace_published(shown), spec)
        assert [path.name for path in tmp_path.iterdir()] == ["in.csv"]

    def test_a_trace_that_does_not_hold_leaves_no_file(self, toys, tmp_path):
        base = toy().get("toy_shown")
        right = {item.index: base.call("trace", item=item) for item in items_of(base)}

        def late(self, item):
            return right[item.index] if item.index < 4 else "Answer: one"

        plugin = toy(trace=late).get("toy_shown")
        with pytest.raises(PluginError, match="does not hold, and none is written"):
            write(plugin, tmp_path / "a.jsonl")
        assert list(tmp_path.iterdir()) == []

    def test_an_existing_file_is_left_alone(self, shown, tmp_path):
        (tmp_path / "a.jsonl").write_text("mine")
        with pytest.raises(OutputError, match="exists"):
            write(shown, tmp_path / "a.jsonl")
        assert (tmp_path / "a.jsonl").read_text() == "mine"

    @each("out, said", [("a.json", r"ends in \.jsonl"), ("a", r"ends in \.jsonl")])
    def test_a_name_that_is_none(self, shown, tmp_path, out, said):
        with pytest.raises(SpecError, match=said):
            write(shown, tmp_path / out)

    def test_a_folder_that_cannot_be_written(self, shown, tmp_path):
        (tmp_path / "file").write_text("")
        with pytest.raises(OutputError, match="cannot be written"):
            write(shown, tmp_path / "file" / "a.jsonl")


def replace_published(plugin):
    """The toy's adopted items are of its own version: say that they were published."""

    def adopt(**arguments):
        found = plugin.hooks.adopt(**arguments)
        return found if found is None else replace(found, version="published", id="")

    return replace(plugin, hooks=SimpleNamespace(**{**vars(plugin.hooks), "adopt": adopt}))


class TestCommand:
    def run(self, capsys, *words):
        code = main.main(["traces", *words])
        return code, *capsys.readouterr()

    def test_the_split_is_train_where_none_is_given(self, capsys, tmp_path):
        out = tmp_path / "a.jsonl"
        code, said, err = self.run(capsys, "plugin=ltlbench", "n=4", f"out={out}", "--json")
        found = json.loads(said)
        assert (code, err, found["spec"]["split"]) == (0, "", "train")
        assert {json.loads(line)["split"] for line in out.read_text().splitlines()} == {"train"}

    def test_traces_of_what_is_tested_on_come_with_a_warning(self, capsys, tmp_path):
        words = ("plugin=ltlbench", "n=2", "split=test", f"out={tmp_path / 'a.jsonl'}")
        code, said, err = self.run(capsys, *words)
        assert code == 0
        assert said.startswith("2 traces of 2 items")
        assert err.startswith("warning: some of these items are of the split 'test'")

    def test_what_has_no_trace_is_said(self, capsys, tmp_path, monkeypatch):
        monkeypatch.setattr(solution, "MAX_CHARACTERS", 480)
        words = (
            "plugin=ltlbench",
            "n=12",
            "twins=no",
            "events=3",
            "operators=3",
            f"out={tmp_path / 'a.jsonl'}",
        )
        code, said, _ = self.run(capsys, *words)
        assert code == 0
        assert "items without a trace; the first: item " in said

    @each(
        "words, said",
        [
            ((), "plugin=… is missing"),
            (("plugin=ltlbench",), "out=… is missing"),
            (("plugin=ltlbnch", "out=a.jsonl"), "did you mean"),
            (("plugin=ltlbench", "out=a.jsonl", "to=parquet"), "'to' does not apply"),
            (("plugin=ltlbench", "out=a.jsonl", "splt=x"), "did you mean 'split'"),
            (("plugin=ltlbench", "out=a.jsonl", "format=ltlbench_csv"), "give dataset=FILE"),
            (("plugin=ltlbench", "out=a.jsonl", "operators=3,4"), "takes one value of each key"),
            (("plugin=ltlbench", "out=a.jsonl", "dataset=none.jsonl"), "none.jsonl"),
        ],
    )
    def test_bad_input_is_one_line(self, capsys, tmp_path, words, said):
        with pytest.MonkeyPatch.context() as patch:
            patch.chdir(tmp_path)
            code, out, err = self.run(capsys, *words)
            assert (code, out, err.count("\n")) == (2, "", 1)
            assert said in err
            assert list(tmp_path.iterdir()) == []


class TestConformance:
    def kit(self, found):
        plugin = found.get("toy_shown")
        spec = make(plugin, {"n": 6})
        return Kit(plugin, spec, list(fresh.items(plugin, spec)))

    def test_a_strict_reader_passes(self, toys):
        assert check_traces(self.kit(toy())).startswith("6 of 6 items have one, ")

    def test_a_plugin_without_traces_passes(self, toys):
        assert check_traces(self.kit(toy(hooks=()))) == "has no traces"

    @each(
        "change, said",
        [
            ({"reread": lambda self, item, text: []}, "does not see a change"),
            ({"reread": lambda self, item, text: ["bad"]}, "its trace does not hold: 'bad'"),
            ({"trace": lambda self, item: "Answer: one"}, "its trace does not hold"),
            ({"trace": lambda self, item: 3}, r"returned int"),
            ({"reread": lambda self, item, text: [] if "Its rest" in text else ["no"]}, "a change"),
        ],
    )
    def test_a_lax_reader_or_a_wrong_trace_fails(self, toys, change, said):
        with pytest.raises(Failure, match=said):
            check_traces(self.kit(toy(**change)))


class TestMutants:
    TEXT = "Step 1: at 09, 2, 3 it is true.\nStep 2: never.\nAnswer: True"

    def test_each_is_one_change(self):
        found = dict(mutants(self.TEXT, "nothing"))
        assert len(found) == len(set(found.values()))
        assert self.TEXT not in found.values()
        assert found["number 09 → 10"].startswith("Step 1: at 10,")
        assert "it is false." in found["word true → false"]
        assert found["line 2 left out"] == self.TEXT.replace("Step 2: never.\n", "")
        assert found["lines 1 and 2 swapped"].startswith("Step 2: never.\nStep 1")
        assert found["answer → 'nothing'"].endswith("Answer: nothing")
        assert "at 09, 2, it" not in found["number 3 → 4"]
        assert any(what.startswith("entry left out") for what in found)


class TestLines:
    def test_one_after_the_other_to_the_end(self):
        lines = Lines("a\nb")
        assert (lines.next(), lines.left, lines.maybe("x"), lines.maybe("b")[0]) == (
            "a",
            1,
            None,
            "b",
        )
        lines.end()
        with pytest.raises(WrongTraceError, match="line 3 is missing"):
            lines.next()
        with pytest.raises(WrongTraceError, match="line 3 is missing"):
            lines.take("c")

    @each(
        "text, read, said",
        [
            ("a\nb", lambda lines: lines.next(), "line 2: the trace goes on"),
            ("a", lambda lines: lines.take("b"), "line 1 is missing or not"),
            ("a", lambda lines: {}["k"], "line 0: it cannot be held"),
            ("a", lambda lines: int(lines.next()), "line 1: it cannot be held"),
            ("x" * (MAX_TEXT + 1), lambda lines: lines.next(), "has 200001 characters"),
        ],
    )
    def test_the_first_thing_that_is_wrong(self, text, read, said):
        (wrong,) = findings(text, read)
        assert said in wrong

    def test_other_errors_are_our_own_and_pass(self):
        with pytest.raises(AttributeError):
            findings("a", lambda lines: lines.nothing)


PLUGINS = ("ltlbench", "tempobench", "timepuzzles", "vltl")


@pytest.fixture(scope="module")
def told():
    """Plugin, item and trace, of items of all benchmarks."""
    found = []
    for name in PLUGINS:
        plugin = plugins.registry().get(name)
        found += [(plugin, item, solution.text_of(plugin, item)) for item in items_of(plugin, n=3)]
    return [one for one in found if one[2] is not None]


class TestAllPlugins:
    @slow
    def test_any_text_is_read_and_none_but_the_trace_is_accepted(self, told):
        rng = Random(5)
        for plugin, item, text in told:
            texts = ["", "\n", "Answer: True", item.prompt, item.target, f"Answer: {item.target}"]
            texts += [text + "\n", "\n" + text, text.upper(), text * 2, text.replace(" ", "  ")]
            texts += [text.replace("1", "١"), text.replace("\n", "\r\n"), text + "\x00"]
            texts += ["(" * 50_000, "\n" * 100_000, "9" * 100_000, text.replace("1", "9" * 5000)]
            for _ in range(20):
                at = rng.randrange(len(text))
                texts.append(text[:at] + chr(rng.randrange(1, 0x3000)) + text[at + 1 :])
                texts.append(text[:at])
            for other in texts:
                if other != text:
                    assert plugin.call("reread", item=item, text=other), (item.id, other[:200])

    def test_the_trace_of_another_item_is_not_accepted(self, told):
        for plugin, item, own in told:
            for _, _, text in told:
                assert bool(plugin.call("reread", item=item, text=text)) is (text != own)

    def test_an_item_that_is_broken_is_a_finding_or_an_error_of_ours(self, told):
        for plugin, item, text in told:
            nothing = {"clues": None, "formula": 7, "hoa": "", "sentence": "No."}
            for problem in ({}, {"task": "none"}, {**item.problem, **nothing}):
                broken = replace(item, problem=problem, id="")
                with suppress(HarnessError):  # of one line: test_plugin_faults holds that
                    assert plugin.call("reread", item=broken, text=text)

    @slow
    def test_few_shot_examples_are_untouched(self):
        """What `explain` says is part of prompts: a trace is beside it, and says the answer."""
        for name in PLUGINS:
            plugin = plugins.registry().get(name)
            for item in items_of(plugin, n=2):
                told = plugin.call("explain", item=item)
                assert "Answer:" not in (told or "")
