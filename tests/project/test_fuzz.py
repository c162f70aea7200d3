"""A short run of what `make fuzz` runs for hours, and every input that it ever found a fault with."""

import gc
import json
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from random import Random

import pytest
from cases import each, slow
from fuzzing import seeds
from fuzzing.mutation import data_of, mutated
from fuzzing.target import Broken, Target, finding, require
from fuzzing.targets import TARGETS
from harness_errors import DatasetError, SpecError
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pace import within

from harness.aids import pruning
from harness.cli.main import main
from harness.core.items import Item
from harness.core.plugins import registry
from harness.core.spec import make
from harness.core.words import build
from harness.datasets import reading

# Inspect leaves a damaged archive open until it is collected, which is seen to where it was read.
pytestmark = pytest.mark.filterwarnings(
    "ignore::pytest.PytestUnraisableExceptionWarning", "ignore::ResourceWarning"
)
RUNS = 20
SLOW = {
    "certificate_timepuzzles": 4,
    "log": 8,
    "dataset": 12,
    "adopt": 20,
    "parquet": 20,
    "scenario": 15,
    "hoa": 20,
}
GROUPS = ("answers", "certificate", "read_", "adopt", "stages")


def of(*prefixes, others=False):
    return [t for n, t in TARGETS.items() if n.startswith(prefixes) is not others]


def runs(target):
    return next((count for name, count in SLOW.items() if target.name.startswith(name)), RUNS)


def fuzz(targets):
    """Run each target's seeds and mutations of them, the same ones every time."""
    failed = []
    for target in targets:
        rng = Random(target.name)
        inputs = rng.sample(target.seeds, min(4, len(target.seeds)))
        inputs += [target.mutate(rng, rng.choice(target.seeds)) for _ in range(runs(target))]
        for data in inputs:
            try:
                target.run(data)
            except Exception as error:
                failed.append(f"{target.name}: {finding(error)}: {data[:300]!r}")
    if any("log" in target.name for target in targets):
        gc.collect()
    if failed:
        pytest.fail("\n".join(failed), False)


@slow
def test_no_mutation_of_what_the_core_reads_breaks_its_readers():
    fuzz(of("words", "records", "dataset", "manifest", "item", "parquet", "responses", "plain"))


@slow
def test_no_mutation_of_a_log_breaks_a_reader_of_logs():
    fuzz(of("log"))


@slow
def test_no_mutation_of_formal_text_breaks_its_readers_and_what_is_read_is_written_and_read_again():
    core = (
        "words",
        "records",
        "dataset",
        "manifest",
        "item",
        "parquet",
        "responses",
        "plain",
        "log",
    )
    fuzz(
        [t for t in of(*GROUPS, others=True) if not t.name.startswith(core) or t.name == "ltl_spot"]
    )


@slow
def test_no_answer_is_left_without_a_verdict_that_keeps_the_contract():
    fuzz(of("answers", "stages"))


@slow
def test_no_prompt_certificate_or_record_breaks_the_hook_that_reads_it():
    fuzz(of("read_", "certificate", "adopt"))


def _look(target):
    """Return a property for hypothesis: a target takes any string of its words."""
    tokens = st.lists(st.sampled_from(target.words) | st.text(max_size=4), max_size=30)
    head = st.binary(min_size=target.prefix, max_size=target.prefix)

    @settings(max_examples=15, derandomize=True, database=None, deadline=None,
              suppress_health_check=list(HealthCheck))  # fmt: skip
    @given(head, tokens, st.sampled_from(["", " ", "\n"]))
    def look(head, words, between):
        target.run(head + data_of(between.join(words)))

    return look


@slow
def test_no_string_of_words_that_mean_something_breaks_a_reader():
    for target in TARGETS.values():
        if target.kind == "text" and target.name not in ("dataset", "responses", "ltl_spot"):
            _look(target)()


# ------------------------------------------------------------------- the fuzzer itself can find


def _raises(data):
    require(b"  " not in data, "two blanks")


@slow
def test_a_violated_property_a_slow_reader_and_a_stuck_one_are_found(monkeypatch):
    toy = Target("toy", _raises, lambda: [b"a b"], ("  ",))
    rng, found = Random(0), set()
    for _ in range(300):
        try:
            toy.run(toy.mutate(rng, b"a b"))
        except Broken as error:
            found.add(finding(error))
    assert len(found) == 1
    slow = Target("slow", lambda data: sum(range(3_000_000)), lambda: [b""], seconds=0.001)
    with pytest.raises(Broken, match="of the processor"):
        slow.run(b"")
    monkeypatch.setattr("fuzzing.target.HANGS", 0.05)
    with pytest.raises(Broken, match="is not done"):
        Target("stuck", lambda data: [None for _ in iter(int, 1)], lambda: [b""]).run(b"")


@slow
def test_mutations_are_many_bounded_and_the_same_for_the_same_seed():
    texts = [mutated(Random(i), "G (a -> F b)", ["[] p"], ("U", "X")) for i in range(500)]
    assert texts == [mutated(Random(i), "G (a -> F b)", ["[] p"], ("U", "X")) for i in range(500)]
    assert len(set(texts)) > 400
    assert max(map(len, texts)) <= 60_000
    for target in TARGETS.values():
        assert target.mutate(Random(1), target.seeds[0]) == target.mutate(
            Random(1), target.seeds[0]
        )


# -------------------------------------------------------------------------- what was found once

FOUND = {
    "a line separator within a quoted word made a message of two lines": (
        "tlsf", 'INFO {\n  DESCRIPTION "Shif\u2028 register"\n}'.encode()),
    "a mark at the very end was none, but with a line end behind it": (
        "answers_ltlbench_decide", b"?The answer is\n\nTrue\n\nExplanation: clue 1 holds,\n\nSo the final ANSWER "),
    "line ends of Windows hid a second verdict": (
        "answers_tempobench_tte",
        b'\3```\n{"step_0": {"current state": 0, "defining inputs": "toggle and !clear", "next state": 1}, '
        b'"accepted": "no"}\n```json\nAccepted: yes\nHere:'),
    "empty cells of a table took a power of their number": ("dates", b"|  " * 800 + b"| x" + b"|  " * 500),
    "the same in an answer": ("answers_timepuzzles_implicit", b"\0Answer: " + b"|  " * 800 + b"| x" + b"|  " * 500),
    "slashes in broken JSON took the square of their number": (
        "answers_vltl_ground", b'\0{' + b"/" * 16_000 + b'"prop_1": "get_help"}'),
    "a run of blanks between two marks took the square of its length": (
        "answers_ltlbench_counterexample", b"\0Answer:" + b" " * 5000 + b"\n\n**Answer:** False: (event3, event1)\n"),
    "signs within a word took the square of their number": (
        "answers_vltl_lift", b"\0Answer: There is" + b'"' * 20_000 + b"a prop_1"),
    "full stops took the square of their number": (
        "answers_vltl_translate", b"\0" + b"." * 19_000 + b"X prop_1"),
    "each blank behind a mark was looked at nine hundred times": (
        "answers_vltl_translate", b"\0\\boxed{F prop_1}" + b" " * 60_000),
    "a prompt was read as a problem that the schema refuses": (
        "read_vltl", b"Task: mark the atomic propositions of a requirement.\nScenario: warehouse\nRequirement: "
                     + b"the " * 5000 + b"\n"),
    "a prompt with half of a character was read as a problem that nothing can hold": (
        "read_vltl", b"Task: mark the atomic propositions of a requirement.\nScenario: warehouse\n"
                     b"Requirement: the l\x80tter\n"),
}  # fmt: skip


@each("what", FOUND)
def test_what_was_found_once_stays_mended(what):
    name, data = FOUND[what]
    TARGETS[name].run(data)


def _tampered(item, **changes):
    node = {**item.certificate["derivation"][0], **changes}
    return replace(item, certificate={**item.certificate, "derivation": [node]})


DEEP = ["!", "a"]
for _ in range(5_000):
    DEEP = ["!", DEEP]


@each(
    "changes",
    [
        {"form": "{agent} {cthe:ing}"},
        {"form": "{a:none}"},
        {"form": "{agent} " * 40},
        {"form": ["{a}"]},
        {"formula": DEEP},
        {"slots": {"a": "(x+x+)+y", "b": "(", "c": "\\"}},
        {"condition": "R1", "slots": {"a": "R1", "b": "R1", "c": "R1"}},
    ],
)
def test_a_derivation_that_is_no_template_is_refused_soon(changes):
    # A foreign form became a pattern, which raised or took for ever.
    item = _tampered(seeds.items("vltl_translate")[0], **changes)

    def look(data):
        found = seeds.plugin("vltl").hooks.check(item=item)
        require(found and all(isinstance(one, str) for one in found), f"check() returned {found}")

    Target("derivation", look, lambda: [b""]).run(b"")


def test_conditions_that_refer_to_one_another_do_not_double_the_work():
    item = seeds.items("vltl_translate")[0]
    node = {**item.certificate["derivation"][0], "form": None}
    nodes = [
        {**node, "condition": f"R{i}" if i else "", "slots": dict.fromkeys("abc", f"R{i + 1}")}
        for i in range(40)
    ]
    found = replace(item, certificate={**item.certificate, "derivation": nodes})
    assert seeds.plugin("vltl").hooks.check(item=found) == [
        "a derivation of more than 13 templates"
    ]


def test_a_number_beyond_all_bounds_makes_no_item():
    data = seeds.items("ltlbench_decide")[0].to_dict()
    for name in ("certificate", "features", "notes", "problem"):
        with pytest.raises(DatasetError, match="item is not JSON: Out of range"):
            Item.from_dict(data | {name: {"a": json.loads("1e999")}, "id": ""})
        with pytest.raises(DatasetError, match="item is not JSON: Object of type timedelta"):
            Item.from_dict(data | {name: {"a": timedelta(1)}, "id": ""})  # as Parquet gives it


def test_a_column_of_bytes_is_a_record_that_cannot_be_used(tmp_path):
    pa = pytest.importorskip("pyarrow", reason="needs pyarrow")
    parquet = pytest.importorskip("pyarrow.parquet", reason="needs pyarrow")
    path, plugin, words = (
        tmp_path / "d.parquet",
        seeds.plugin("ltlbench"),
        ["plugin=ltlbench", "n=1"],
    )
    assert main(["export", *words, "to=parquet", f"out={path}"]) == 0
    Path(f"{path}.manifest.json").unlink()
    whole = parquet.read_table(path)
    place = whole.schema.get_field_index("target")
    own = whole.set_column(place, "target", whole["target"].cast(pa.binary()))
    parquet.write_table(own, path)
    (found,) = reading.entries(plugin, make(plugin, {"dataset": str(path)}))
    assert found.item is None
    assert str(found.error).startswith(f"{path}")


def test_a_manifest_nested_without_end_is_one_line(tmp_path):
    path, plugin = tmp_path / "d.jsonl", seeds.plugin("ltlbench")
    assert main(["generate", "plugin=ltlbench", "n=1", f"out={path}"]) == 0
    Path(f"{path}.manifest.json").write_text('{"spec": ' + "[" * 100_000)
    with pytest.raises(DatasetError, match=r"manifest\.json: not a readable manifest"):
        list(reading.entries(plugin, make(plugin, {"dataset": str(path)})))


@slow
def test_a_file_of_commas_takes_time_in_proportion_to_its_length(tmp_path):
    """Each of its records is none; to tell where it was took a look at all that lay before it."""
    path, plugin = tmp_path / "d.json", seeds.plugin("ltlbench")
    path.write_text('{"a": [{}' + "," * 30_000 + '"a, 1e5, {\\"b\\": ", {"c" "d"}]}')
    with within(5):  # 0.3 s; it was half a minute
        found = list(reading.entries(plugin, make(plugin, {"dataset": str(path)})))
    assert len(found) == 30_002


def test_letters_that_are_others_only_to_a_pattern_make_no_words():
    """To a pattern that ignores case ı is an i and ſ is an s."""
    vltl, ltlbench = (seeds.plugin(name) for name in ("vltl", "ltlbench"))
    item = seeds.items("vltl_translate")[0]
    verdict = vltl.hooks.score(item=item, completion="LTL: a weak untıl b")
    assert (verdict.outcome, "ı" in verdict.explanation) == ("unparsed", True)
    item = seeds.items("ltlbench_decide")[0]
    for word in ("falſo", "falſch", "vraı"):
        assert ltlbench.hooks.score(item=item, completion=f"Answer: {word}").outcome == "unparsed"
    assert ltlbench.hooks.score(item=item, completion="Answer: Falso").answer == "False"
    assert pruning.decision_in("yeſ") == pruning.UNCLEAR
    assert pruning.decision_in("YES") == pruning.KEEP


def test_brackets_without_end_are_a_word_at_once():
    with within(2), pytest.raises(SpecError, match="seed"):  # 0.01 s; it was 5 s
        build(registry(), ["plugin=vltl", f"seed={'{' * 15_000}"], ("seed",))


def test_half_of_a_character_in_a_dataset_is_refused_in_the_record_that_holds_it(tmp_path):
    from harness.core.spec import make
    from harness.datasets.reading import entries

    item = seeds.items("ltlbench_decide")[0]
    rows = [{**item.to_dict(), "notes": {"by": "\ud83d"}}, item.to_dict()]
    path = tmp_path / "x.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    plugin = seeds.plugin("ltlbench")
    found = list(entries(plugin, make(plugin, {"dataset": str(path)})))
    assert str(found[0].error) == f"{path}:1: holds half of a character (\\ud83d), which is no text"
    assert found[0].item is None
    assert found[1].item == item


def test_half_of_a_character_in_an_answer_from_elsewhere_does_not_make_it_a_question(tmp_path):
    from harness.rerun.responses import Source

    path = tmp_path / "x.jsonl"
    path.write_text(json.dumps({"id": "1", "response": "Answer: True \ud83d"}) + "\n")
    (reply,) = Source(path).replies()
    assert reply.text == "Answer: True \ufffd"
    item = seeds.items("ltlbench_decide")[0]
    assert seeds.plugin("ltlbench").hooks.score(item=item, completion=reply.text).answer == "True"
