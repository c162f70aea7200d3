"""Answers produced elsewhere, scored as a live run would score them, and logs scored anew."""

import csv
import json
import os
import shutil
import signal
from pathlib import Path

import anyio
import pytest
from cases import each, slow
from inspect_ai import eval_retry
from inspect_ai.log import read_eval_log, write_eval_log
from openai_server import completion, failure, serving

from harness.cli.main import main
from harness.core import fresh
from harness.core.items import Verdict
from harness.core.plugins import registry
from harness.core.spec import make
from harness.datasets import dataset
from harness.rerun import text as text_of
from harness.rerun.conventions import conventions
from harness.rerun.recorded import Recorded, model_of
from harness.rerun.responses import Source
from harness.run import judging

DATA = Path(__file__).parents[3] / "shared/data/ltlbench"
PUBLISHED = DATA / "300_2_events_2_formula_len.csv"
needs_data = pytest.mark.skipif(not DATA.is_dir(), reason=f"no published data at {DATA}")
SAID = (
    "Answer: True", "Answer: False", "<think>\nis it False?\n</think>\n\nAnswer: True", "",
    "I cannot tell.", "False, surely.\n" + "so it goes. " * 90_000 + "\nAnswer: False",
)  # fmt: skip


@pytest.fixture
def harness(tmp_path, capsys):
    """Call a command with --json; return (exit code, the one JSON object, what went to stderr)."""

    def call(*words):
        capsys.readouterr()
        code = main([*map(str, words), "--json"])
        said = capsys.readouterr()
        return code, json.loads(said.out), said.err

    return call


@pytest.fixture(scope="module")
def log_dir(tmp_path_factory):
    return tmp_path_factory.mktemp("logs")


@pytest.fixture(scope="module")
def items(tmp_path_factory):
    """Six items of ltlbench, in a file."""
    path = tmp_path_factory.mktemp("items") / "items.jsonl"
    assert main(["generate", "plugin=ltlbench", "n=6", f"out={path}", "--json"]) == 0
    return path


def ids_of(items):
    return [json.loads(line)["id"] for line in items.read_text().splitlines()]


def scores_of(log):
    return {
        (one.id, one.epoch): (one.scores["verdict"].value, one.scores["verdict"].answer,
                              one.scores["verdict"].explanation, one.scores["verdict"].reason)
        for one in read_eval_log(log).samples
    }  # fmt: skip


def write_csv(path, rows, names=("id", "response")):
    with path.open("w", newline="", encoding="utf-8") as file:
        csv.writer(file).writerows([names, *rows])
    return path


def write_lines(path, rows):
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


@pytest.fixture
def score(harness, items, log_dir):
    def call(path, *words):
        own = ["plugin=ltlbench", f"dataset={items}", f"responses={path}", f"log_dir={log_dir}"]
        return harness("score", *own, *words)

    return call


@slow
def test_offline_scores_are_those_of_the_live_run_sample_by_sample(
    harness, score, items, tmp_path, client
):
    client(lambda request, number: completion(SAID[number % len(SAID)]))
    live_dir = tmp_path / "live"
    code, live, _ = harness(
        "run", "plugin=ltlbench", f"dataset={items}", "model=openai-api/local/test",
        "max_connections=1", f"log_dir={live_dir}",
    )  # fmt: skip
    assert code == 0
    (log,) = live["logs"]
    expected = scores_of(log)
    said = [(one.id, one.output.completion) for one in read_eval_log(log).samples]
    assert max(len(text) for _, text in said) > 1_000_000
    for file in (write_csv(tmp_path / "said.csv", reversed(said)), Path(log)):
        code, found, _ = score(file)
        assert code == 0
        assert scores_of(found["log"]) == expected
        assert found["metrics"] == live["results"][0]["metrics"]
        assert found["groups"] == live["results"][0]["groups"]
        assert found["floors"] == live["results"][0]["floors"]
    assert found["model"] == "recorded/openai-api/local/test"


def test_the_log_is_a_log_like_any_other(score, items, tmp_path, log_dir):
    own = ids_of(items)
    path = write_csv(tmp_path / "said.csv", [(i, "Answer: True") for i in own])
    code, found, _ = score(path, "model=acme/wise-1")
    assert (code, found["model"], found["strategy"]) == (0, "recorded/acme/wise-1", "recorded")
    log = read_eval_log(found["log"])
    assert (log.status, log.eval.model) == ("success", "recorded/acme/wise-1")
    assert log.eval.metadata["responses"] == found["responses"]
    assert [m.role for m in log.samples[0].messages] == ["user", "assistant"]
    assert log.samples[0].messages[0].text == log.samples[0].input
    # Nobody is asked when it is taken up again: the answers are read again.
    (again,) = eval_retry(found["log"], log_dir=str(tmp_path), display="none")
    assert again.status == "success"
    assert scores_of(again.location) == scores_of(found["log"])


def test_the_recorded_model_is_never_asked(tmp_path):
    with pytest.raises(Exception, match="names recorded answers, not a model"):
        anyio.run(model_of("gpt-5").api.generate, [], [], "none", None)


def test_what_does_not_match_is_left_out_and_told(score, items, tmp_path, capsys):
    own = ids_of(items)
    rows = [
        (own[0], "Answer: True"), (own[1], "Answer: True"), (own[1], "Answer: False"),
        (f"{own[2]}\x1b[2J", "Answer: True"), (f" {own[3]}", "Answer: True"), ("0", "x"), (own[4], ""),
    ]  # fmt: skip
    path = write_csv(tmp_path / "said.csv", rows)
    code, found, _ = score(path)
    told = found["responses"]
    assert code == 1
    assert (told["records"], told["items"], told["scored"], told["empty"]) == (7, 6, 2, 1)
    assert {kind: told[kind]["count"] for kind in ("unknown", "duplicate", "missing")} == {
        "unknown": 3, "duplicate": 1, "missing": 3,
    }  # fmt: skip
    assert told["unknown"]["examples"][0].startswith(f"'{own[2]}\\x1b[2J'")
    assert told["duplicate"]["examples"] == [f"'{own[1]}' ({path}: record 3)"]
    assert told["missing"]["examples"] == [f"'{one}'" for one in (own[2], own[3], own[5])]
    assert (found["n"], found["unparsed"], found["unscored"]) == (2, 0.5, 0)
    assert {one for one, _ in scores_of(found["log"])} == {own[0], own[4]}
    text = text_of.scored({**found, "view": ""})
    assert "id from 'id' (guessed), response from 'response' (guessed)" in text
    assert "2 of 6 items scored; 7 records read, 1 empty answers (unparsed)" in text
    for line in ("missing: 3 items", "unknown: 3 answers", "duplicate: 1 answers"):
        assert line in text


def test_draws_are_those_of_the_items_that_are_scored(harness, tmp_path, log_dir):
    plugin = registry().get("ltlbench")
    made = list(fresh.items(plugin, make(plugin, {"n": 6})))
    answers = [(made[at].id, "Answer: True") for at in (1, 4)]
    path = write_csv(tmp_path / "said.csv", answers)
    words = ("ltlbench", "n=6", f"responses={path}", f"log_dir={log_dir}")
    code, found, _ = harness("score", *words)
    drawn = [
        json.loads(one.metadata["notes"])["draws"] for one in read_eval_log(found["log"]).samples
    ]
    assert (code, len(drawn), found["draws"]) == (1, 2, sum(drawn))


def test_an_answer_that_is_not_there_is_no_empty_answer(score, items, tmp_path):
    own = ids_of(items)
    rows = [{"id": i, "response": "Answer: True"} for i in own]
    rows[0]["response"], rows[1]["response"] = None, ""
    code, found, _ = score(write_lines(tmp_path / "said.jsonl", rows))
    assert (code, found["n"], found["responses"]["empty"]) == (1, 5, 1)
    assert found["responses"]["missing"]["examples"] == [f"'{own[0]}' (its record holds null)"]
    sample = next(s for s in read_eval_log(found["log"]).samples if s.id == own[1])
    assert sample.scores["verdict"].reason == "no_response"


def test_bad_records_are_told_by_number_and_the_others_scored(score, items, tmp_path):
    own = ids_of(items)
    good = [json.dumps({"id": i, "response": "Answer: True"}) for i in own]
    bad = [
        "{", "[1]", '{"response": "x"}', '{"id": 1.5, "response": "x"}', '{"id": "", "response": "x"}',
        '{"id": true, "response": "x"}', '{"id": "a", "response": {"text": "x"}}', "[" * 100_000,
    ]  # fmt: skip
    path = tmp_path / "said.jsonl"
    path.write_text("\n".join([good[0], *bad, *good[1:]]))
    code, found, _ = score(path)
    told = found["responses"]["unreadable"]
    assert (code, found["n"], told["count"]) == (1, 6, len(bad))
    assert [example.split(": ")[0] for example in told["examples"]] == [
        f"{path}:{n}" for n in range(2, 7)
    ]


def lines(*rows):
    return "".join(json.dumps(row) + "\n" for row in rows)


@each(
    "name, text, words, said",
    [
        ("a.csv", "", [], "there are no responses in it"),
        ("a.csv", "id,response\n", [], "there are no responses in it"),
        ("a.csv", "who,what\n1,x\n", [], "no column looks like the id (columns: who, what); name it with id=COLUMN"),
        ("a.csv", "id,what\n1,x\n", [], "no column looks like the response (columns: id, what)"),
        ("a.csv", "id,what\n1,x\n", ["response=waht"], "has no field 'waht' for the response; did you mean 'what'?"),
        ("a.csv", "id,what\n1,x\n", ["response=id"], "'id' cannot be both the id and the response"),
        ("a.csv", "id,id,response\n1,2,x\n", [], "two columns are called 'id'"),
        ("a.csv", 'id,response\n1,"x', [], "cut off or malformed"),
        ("a.csv", b"id,response\n1,\xff\n", [], "not UTF-8"),
        ("a.csv", "id,response\n1,x,y\n", [], "has 3 fields, expected 2"),
        ("a.csv", "id,response\n1,x\n", [], "the first item's id is"),
        ("a.jsonl", "nothing\n", [], "not a line of JSON"),
        ("a.jsonl", lines({"id": 1, "response": 5}), [], "the response ('response') is int, expected text"),
        ("a.json", "{}", [], "not a readable Inspect log"),
        ("a.eval", "PK", [], "not a readable Inspect log"),
        ("a.csv", None, [], "no"),
        ("a.eval", None, [], "cannot be read: No such file"),
        ("a.csv", "id,response\n1,x\n", ["model=a\tb"], "printable"),
    ],
)  # fmt: skip
def test_no_file_of_answers_is_one_clear_line(score, tmp_path, name, text, words, said):
    path = tmp_path / name
    path.unlink(missing_ok=True)
    if text is not None:
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
    code, found, err = score(path, *words)
    assert code == 2
    assert said in found["error"]["message"]
    assert err.count("\n") == 1


def test_a_file_in_the_form_of_a_batch_is_read_by_paths(score, items, tmp_path):
    rows = [
        {"custom_id": i, "response": {"body": {"choices": [{"message": {"content": "Answer: True"}}]}}}
        for i in ids_of(items)
    ]  # fmt: skip
    path = write_lines(tmp_path / "batch.jsonl", rows)
    code, found, _ = score(path, "response=response.body.choices.0.message.content")
    assert (code, found["n"]) == (0, 6)
    assert found["responses"]["columns"]["id"] == "custom_id"
    assert found["responses"]["guessed"] == ["id"]
    code, found, _ = score(path, "response=response.body.choices.1.message.content")
    assert (code, "6 unreadable" in found["error"]["message"]) == (2, True)


@each(
    "names, chosen",
    [
        (("index", "answer", "prediction", "prediction_raw"), ("index", "prediction_raw")),
        (("id", "sample_id", "output", "response"), ("id", "response")),
        (("ID", "Model Output"), ("ID", "Model Output")),
        (("answer", "question", "id"), ("id", "answer")),
    ],
)
def test_columns_are_guessed_by_name(tmp_path, names, chosen):
    path = write_csv(tmp_path / "a.csv", [["x"] * len(names)], names)
    source = Source(path)
    (reply,) = source.replies()
    assert reply.error is None
    assert (source.columns["id"], source.columns["response"]) == chosen
    assert source.guessed == ("id", "response")


def test_a_column_of_labels_is_suspected(score, items, tmp_path):
    rows = [json.loads(line) for line in items.read_text().splitlines()]
    path = write_csv(tmp_path / "a.csv", [(r["id"], r["target"]) for r in rows], ("id", "answer"))
    _, found, _ = score(path)
    assert found["responses"]["labels_only"]
    assert "is 'answer' a column of labels?" in text_of.scored({**found, "view": ""})


def test_answers_to_another_question_are_not_scored(score, items, tmp_path):
    rows = [json.loads(line) for line in items.read_text().splitlines()]
    asked = [(r["id"], "Answer: True", f"Hello.\n\n{r['prompt']}\n") for r in rows]
    names = ("id", "response", "prompt")
    assert score(write_csv(tmp_path / "a.csv", asked, names))[0] == 0
    asked[0] = (asked[0][0], "Answer: True", asked[1][2])
    code, found, _ = score(write_csv(tmp_path / "b.csv", asked, names))
    assert (code, found["n"], found["responses"]["mismatched"]["count"]) == (1, 5, 1)
    other = [(i, said, "What is the capital of France?") for i, said, _ in asked]
    code, found, _ = score(write_csv(tmp_path / "c.csv", other, names))
    assert (code, "answers to another dataset?" in found["error"]["message"]) == (2, True)


def test_several_answers_an_item_are_voted_on(score, items, tmp_path):
    own = ids_of(items)
    rows = [(i, f"Answer: {said}") for said in ("True", "False", "False") for i in own]
    code, found, _ = score(write_csv(tmp_path / "b.csv", rows))
    assert (code, "epochs= if each counts, samples= if they vote" in found["error"]["message"]) == (
        2,
        True,
    )
    code, found, _ = score(write_csv(tmp_path / "a.csv", rows[:-1]), "samples=3")
    assert (code, found["n"]) == (1, 5)
    assert found["responses"]["missing"]["examples"] == [f"'{own[-1]}' (2 of 3 answers)"]
    assert {answer for _, answer, *_ in scores_of(found["log"]).values()} == {"True", "False"}
    (row,) = {found["metrics"]["accuracy"]["value"]} - {None}
    false = [json.loads(x)["target"] == "False" for x in items.read_text().splitlines()][:-1]
    assert row == pytest.approx(sum(false) / 5)


# ------------------------------------------------------------------------------- published data


def theirs(file):
    """The accuracy by the published column: 1 is True; 0 is False, and so is -1, for no answer."""
    with file.open(newline="") as handle:
        rows = list(csv.DictReader(handle))
    return sum((row["prediction"] == "1") == (row["answer"] == "True") for row in rows) / len(rows)


@slow
@needs_data
@each(
    "which, unparsed",
    [
        ("deepseek-reasoner_direct", (30, 17)),
        ("gpt-5-mini_few_shot_cot", (0, 0)),
        ("qwen-turbo_direct", (0, 0)),
    ],
)
def test_published_answers_give_the_published_figures(which, unparsed):
    file = DATA / f"responses/300_2_events_2_{which}.csv"
    plugin = registry().get("ltlbench")
    spec = make(plugin, {"dataset": str(PUBLISHED), "responses": str(file)})
    given = Recorded(dataset.load(plugin, spec), Source(file, None, None))
    pairs = given.answered.items()
    rows = [judging.row(plugin, item, given.text(own)) for own, item in pairs]
    told = conventions(plugin.benchmark, rows)
    assert (told["metric"], told["scored"]) == ("published_accuracy", 300)
    assert told["published"] == pytest.approx(theirs(file))
    assert (told["unparsed"], told["unparsed_right"]) == unparsed
    more = told["unparsed_right"] + told["wrong_right"] - told["right_wrong"]
    assert told["published"] - told["ours"] == pytest.approx(more / 300)


@slow
@needs_data
def test_the_difference_between_conventions_is_explained(harness, tmp_path):
    # Every fifth: the labels of a published set are in order.
    parts = [tmp_path / "items.csv", tmp_path / "said.csv"]
    whole = DATA / "responses/300_2_events_2_deepseek-reasoner_direct.csv"
    for source, part in zip((PUBLISHED, whole), parts, strict=True):
        with source.open(newline="") as handle:
            rows = list(csv.DictReader(handle))[::5]
        write_csv(part, [list(row.values()) for row in rows], list(rows[0]))
    code, found, _ = harness(
        "score", "plugin=ltlbench", f"dataset={parts[0]}", f"responses={parts[1]}",
        "convention=published", f"log_dir={tmp_path}",
    )  # fmt: skip
    assert code == 0
    told = found["published"]
    assert found["metrics"]["published_accuracy"]["value"] == pytest.approx(
        theirs(parts[1]), abs=1e-6
    )
    assert found["metrics"]["accuracy"]["value"] == pytest.approx(told["ours"], abs=1e-6)
    assert told["unparsed"] >= told["unparsed_right"] > 0
    assert found["responses"]["columns"]["response"] == "prediction_raw"
    text = text_of.scored({**found, "view": ""})
    line = f"{told['unparsed']} of 60 answers are unparsable; the published convention counts"
    assert f"{line} {told['unparsed_right']} of them as right" in text


@needs_data
def test_ids_of_published_records_are_text(harness, tmp_path):
    own = ["plugin=ltlbench", f"dataset={PUBLISHED}", "n=2", f"log_dir={tmp_path / 'l'}"]
    path = write_csv(tmp_path / "a.csv", [("0", "True"), ("00", "True"), ("01", "True")])
    code, found, _ = harness("score", *own, f"responses={path}")
    assert (code, found["n"], found["responses"]["unknown"]["count"]) == (1, 1, 2)
    wrong = DATA / "responses/300_2_events_2_qwen-turbo_direct.csv"
    own[1] = f"dataset={DATA / '300_2_events_9_formula_len.csv'}"
    code, found, _ = harness("score", *own, f"responses={wrong}")
    assert code == 2
    assert "'question' says was asked is not what the items" in found["error"]["message"]


# ------------------------------------------------------------------------------- logs anew


@pytest.fixture(scope="module")
def live_log(tmp_path_factory):
    """The log of a live run of four: right or wrong, unparsed, and one that failed."""

    def answer(request, number):
        return failure(400) if number == 3 else completion(SAID[number])

    folder = tmp_path_factory.mktemp("live")
    words = ["n=4", "model=openai-api/local/test", "max_connections=1", "seed=3"]
    with pytest.MonkeyPatch.context() as patch, serving(answer) as server:
        patch.setenv("LOCAL_API_KEY", "none")
        patch.setenv("LOCAL_BASE_URL", server.url)
        assert main(["run", "plugin=ltlbench", f"log_dir={folder}", *words, "--json"]) == 1
    return next(folder.glob("*.eval"))


@pytest.fixture
def log(live_log, tmp_path, monkeypatch):
    """A copy of it, and no key with which its model could be asked."""
    monkeypatch.delenv("LOCAL_API_KEY", raising=False)
    (tmp_path / "logs").mkdir()
    return Path(shutil.copy(live_log, tmp_path / "logs"))


@slow
def test_a_log_scored_anew_by_the_same_scorer_is_the_same(harness, log, tmp_path):
    before = log.read_bytes()
    old = harness("score", log)[1]
    code, found, err = harness("score", log, f"log_dir={tmp_path / 'new'}", "plugin=ltlbench")
    assert (code, err) == (1, "")
    assert found["changes"] == {"verdicts": 4, "changed": 0, "steps": [], "first": []}
    assert (found["n"], found["unscored"]) == (4, 1)
    assert found["metrics"] == old["metrics"]
    assert found["floors"] == old["floors"]
    assert log.read_bytes() == before
    assert Path(old["log"]).resolve() == log.with_name(f"{log.stem}-scored.eval")
    again = harness("score", log)[1]
    assert again["log"].endswith("-scored-2.eval")
    assert sorted(path.suffix for path in log.parent.iterdir()) == [".eval"] * 3


def test_changed_verdicts_are_summed_up_with_the_reason(harness, log, monkeypatch):
    plugin = registry().get("ltlbench")
    names = plugin.benchmark.values

    def call(self, hook, **arguments):
        if hook == "score" and not arguments["completion"].startswith("Answer: "):
            return Verdict("scored", dict.fromkeys(names, 1.0), "True", "**Right**: by decree")
        return original(self, hook, **arguments)

    original = type(plugin).call
    monkeypatch.setattr(type(plugin), "call", call)
    code, found, _ = harness("score", log, "convention=published")
    changes = found["changes"]
    assert code == 1
    assert (
        changes["changed"] == sum(one["count"] for one in changes["steps"]) == len(changes["first"])
    )
    assert all(one["to"] == "right" for one in changes["steps"])
    assert all(one["why"] == "Right: by decree" for one in changes["first"])
    assert found["published"]["scored"] == 3
    text = text_of.scored({**found, "view": ""})
    assert f"{changes['changed']} of 4 verdicts changed" in text


def test_a_log_of_an_older_plugin_is_scored_with_a_warning(harness, log):
    old = read_eval_log(str(log))
    for sample in old.samples:
        sample.metadata["version"] = "0.0.1"
    old.status = "cancelled"
    write_eval_log(old, str(log))
    _, found, err = harness("score", log)
    assert "warning: the items were made by ltlbench 0.0.1; they are scored by the installed" in err
    assert "warning: the run did not end (status cancelled)" in err
    assert found["n"] == 4


def spoiled(log, change):
    found = read_eval_log(str(log))
    change(found)
    path = log.with_name("spoiled.eval")
    write_eval_log(found, str(path))
    return path


def test_what_is_no_log_of_ours_is_one_clear_line(harness, log, tmp_path):
    def foreign(found):
        found.eval.metadata = {}

    def gone(found):
        found.eval.metadata["plugin"] = "ltlbnech"

    def bare(found):
        found.samples[0].metadata = {}

    text = tmp_path / "x.txt"
    text.write_text("no log")
    empty = tmp_path / "x.eval"
    empty.write_bytes(b"")
    cut = tmp_path / "cut.eval"
    cut.write_bytes(log.read_bytes()[:2000])
    cases = [
        ([tmp_path / "none.eval"], "cannot be read: No such file"),
        ([text], "its name ends in neither .eval nor .json"),
        ([tmp_path], "is a directory"),
        ([empty], "not a readable Inspect log"),
        ([cut], "not a readable Inspect log"),
        ([log, log], "one log at a time"),
        ([log, "n=3"], "'n' does not apply to a log"),
        ([log, "convention=publishd"], "did you mean 'published'?"),
        ([log, "plugin=vltl"], "a log of plugin 'ltlbench', not 'vltl'"),
        ([spoiled(log, foreign)], "none of the harness's"),
    ]
    for words, said in cases:
        code, found, err = harness("score", *words)
        assert (code, said in found["error"]["message"]) == (2, True), found
        assert err.count("\n") == 1
    for change, said in ((gone, "ltlbnech"), (bare, "does not hold the item")):
        code, found, _ = harness("score", spoiled(log, change))
        assert (code, said in found["error"]["message"]) == (2, True), found
    assert not list(log.parent.glob("*-scored*"))


@slow
def test_a_log_as_answers_leaves_out_what_failed(harness, log, tmp_path):
    words = ["plugin=ltlbench", "n=4", "seed=3", f"log_dir={tmp_path}"]
    code, found, _ = harness("score", *words, f"responses={log}")
    assert (code, found["n"], found["responses"]["missing"]["count"]) == (1, 3, 1)
    old = read_eval_log(str(log))
    as_json = tmp_path / "log.json"
    write_eval_log(old, str(as_json), format="json")
    other = harness("score", *words, f"responses={as_json}")[1]
    assert scores_of(other["log"]) == scores_of(found["log"])
    # A damaged sample inside a log whose head is whole.
    bad = tmp_path / "bad.eval"
    data = log.read_bytes()
    at = data.index(b"samples/") + 120
    bad.write_bytes(data[:at] + bytes(40) + data[at + 40 :])
    code, found, err = harness("score", *words, f"responses={bad}")
    assert (code, err.count("\n")) == (2, 1)
    assert "not a readable Inspect log" in found["error"]["message"]


def test_a_folder_that_cannot_be_written_is_one_clear_line(harness, log, tmp_path):
    place = tmp_path / "file"
    place.write_text("")
    code, found, _ = harness("score", log, f"log_dir={place}")
    assert (code, "cannot be written" in found["error"]["message"]) == (1, True)


# ------------------------------------------------------------------------------- interrupted


def test_a_score_that_is_interrupted_leaves_nothing_and_the_next_is_as_if_it_never_was(
    harness, items, tmp_path, monkeypatch
):
    plugin = registry().get("ltlbench")
    judge, seen = plugin.hooks.score, []
    place = tmp_path / "logs"
    said = write_csv(tmp_path / "said.csv", [(own, "Answer: True") for own in ids_of(items)])
    words = [
        "score",
        "plugin=ltlbench",
        f"dataset={items}",
        f"responses={said}",
        f"log_dir={place}",
    ]

    def interrupted(**arguments):
        if place.exists():  # the floors' answers are judged before the log begins
            seen.append(list(place.glob("*")))
        if len(seen) == 3:
            os.kill(os.getpid(), signal.SIGINT)
        return judge(**arguments)

    with monkeypatch.context() as patch:
        patch.setattr(plugin.hooks, "score", interrupted)
        code, found, _ = harness(*words)
    assert code == 130
    assert found["error"]["kind"] == "Interrupted"
    assert not any(seen)
    assert not list(place.iterdir())
    logs = [harness(*words)[1]["log"] for _ in range(2)]
    assert scores_of(logs[0]) == scores_of(logs[1])
    assert [read_eval_log(log).status for log in logs] == ["success"] * 2
    assert sorted(map(str, place.iterdir())) == sorted(logs)


def test_recorded_answers_that_could_not_be_scored_are_told_from_the_log_in_its_place(
    harness, items, tmp_path, monkeypatch
):
    plugin = registry().get("ltlbench")
    said = write_csv(tmp_path / "said.csv", [(own, "Answer: True") for own in ids_of(items)])
    judge = plugin.hooks.score

    def broken(**arguments):
        if arguments["completion"] == "Answer: True":
            raise ZeroDivisionError("our own fault")
        return judge(**arguments)

    monkeypatch.setattr(plugin.hooks, "score", broken)
    code, found, _ = harness(
        "score", "plugin=ltlbench", f"dataset={items}", f"responses={said}", f"log_dir={tmp_path}"
    )
    assert (code, found["unscored"]) == (1, 6)
    assert "our own fault" in found["errors"][0]
