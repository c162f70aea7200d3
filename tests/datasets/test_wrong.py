"""Published items whose label cannot be right: counted with a warning, left out, or both scores shown."""

import json
from dataclasses import replace

import pytest
from cases import slow

from harness import Item
from harness.cli.main import main
from harness.core.items import to_json

NAME = "toy_cutting"

pytestmark = pytest.mark.usefixtures("toys")


@pytest.fixture
def command(tmp_path, monkeypatch, capsys):
    """Run a command; return its exit code, what it printed, and its warnings."""
    monkeypatch.chdir(tmp_path)

    def call(*words):
        code = main([*map(str, words)])
        printed = capsys.readouterr()
        return code, printed.out, printed.err

    return call


@pytest.fixture
def dataset(command, tmp_path):
    """Ten items, the labels of the first two of which are another number, as their records say."""
    assert command("generate", NAME, "n=10", "out=made.jsonl")[0] == 0
    made = [
        Item.from_dict(json.loads(line))
        for line in (tmp_path / "made.jsonl").read_text().splitlines()
    ]
    wrong = {"wrong": ["the parts make another number"]}
    items = [
        replace(item, target="five" if item.target == "six" else "six", notes=wrong, id="")
        if at < 2
        else item
        for at, item in enumerate(made)
    ]
    path = tmp_path / "published.jsonl"
    path.write_text("".join(to_json(item) + "\n" for item in items))
    answers = [
        {"id": item.id, "response": f"Answer: {old.target}"}
        for item, old in zip(items, made, strict=True)
    ]
    (tmp_path / "answers.jsonl").write_text("".join(json.dumps(one) + "\n" for one in answers))
    return path


def scored(command, dataset, *words):
    answers = dataset.with_name("answers.jsonl")
    code, out, err = command("score", NAME, f"dataset={dataset}", f"responses={answers}", *words)
    assert code == 0, err
    return out


def result_of(command, dataset, *words):
    return json.loads(scored(command, dataset, "--json", *words))


def test_wrong_labels_are_counted_and_warned_of(command, dataset):
    result = result_of(command, dataset)
    assert result["wrong"] == {"labels": 2, "items": 10, "decision": "keep"}
    assert result["metrics"]["correct"]["value"] == 0.8
    assert result["without_wrong"] is None
    text = scored(command, dataset, "wrong=keep")
    assert "WARNING: 2 of 10 labels cannot be right by their own records" in text
    assert "wrong=drop leaves these items out" in text


def test_both_scores_are_shown(command, dataset):
    result = result_of(command, dataset, "wrong=both")
    assert (result["n"], result["metrics"]["correct"]["value"]) == (10, 0.8)
    without = result["without_wrong"]
    assert without["value"] == 1
    # Wilson's interval of eight right answers of eight: n / (n + 1.96²).
    assert without["ci_low"] == pytest.approx(8 / (8 + 1.959964**2), abs=1e-5)
    assert "correct without wrong labels" in scored(command, dataset, "wrong=both")


def test_items_with_wrong_labels_are_left_out_and_their_answers_are_none_too_many(command, dataset):
    result = result_of(command, dataset, "wrong=drop")
    assert result["wrong"] == {"labels": 2, "items": 10, "decision": "drop"}
    assert (result["n"], result["metrics"]["correct"]["value"]) == (8, 1)
    assert result["responses"]["unknown"]["count"] == 0
    text = scored(command, dataset, "wrong=drop")
    assert "2 of 10 labels" in text
    assert "these items are left out" in text


def test_which_items_a_run_has_is_part_of_its_fingerprint(command, dataset):
    kept, dropped = (result_of(command, dataset, f"wrong={word}") for word in ("keep", "drop"))
    assert kept["fingerprint"] != dropped["fingerprint"]


@pytest.mark.usefixtures("dataset")
def test_nothing_is_said_of_labels_that_may_be_right(command):
    words = ("dataset=made.jsonl", "model=harness/constant", "wrong=both")
    code, out, _ = command("run", NAME, *words, "--json")
    (result,) = json.loads(out)["results"]
    assert (code, result["without_wrong"]) == (0, None)
    assert result["wrong"] == {"labels": 0, "items": 10, "decision": "both"}
    assert "labels" not in command("run", NAME, *words)[1]


@pytest.mark.parametrize(("decision", "n", "value"), [("drop", 8, 1), ("both", 10, 0.8)])
def test_shards_add_up(command, dataset, shards_here, decision, n, value):
    result = result_of(command, dataset, f"wrong={decision}", "shards=2", "workers=1")
    assert result["wrong"] == {"labels": 2, "items": 10, "decision": decision}
    assert (result["n"], result["metrics"]["correct"]["value"]) == (n, value)
    assert (result["without_wrong"] or {}).get("value") == {"drop": None, "both": 1}[decision]


def test_a_log_scored_anew_keeps_the_decision(command, dataset):
    log = result_of(command, dataset, "wrong=both")["log"]
    again = json.loads(command("score", log, "--json")[1])
    assert again["wrong"]["decision"] == "both"
    assert again["without_wrong"]["value"] == 1


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["wrong=drip"], "wrong=drip; did you mean 'drop'?"),
        (["wrong=drop"], "no label can be right, and wrong=drop leaves nothing to ask"),
    ],
)
def test_what_cannot_be_is_said_in_a_line(command, dataset, words, message):
    head = dataset.read_text().splitlines()[:2]
    dataset.write_text("\n".join(head) + "\n")
    code, _, err = command("run", NAME, f"dataset={dataset}", "model=harness/constant", *words)
    assert code == 2
    assert message in err


def test_generated_items_have_no_wrong_labels_to_speak_of(command):
    code, _, err = command("run", NAME, "n=3", "wrong=drop")
    assert code == 2
    assert "wrong" in err


@slow
def test_where_no_other_item_has_a_score_no_second_one_is_promised(command, dataset):
    answers = dataset.with_name("answers.jsonl")
    dataset.write_text("\n".join(dataset.read_text().splitlines()[:2]) + "\n")
    answers.write_text("\n".join(answers.read_text().splitlines()[:2]) + "\n")
    _, out, _ = command("score", NAME, f"dataset={dataset}", f"responses={answers}", "wrong=both")
    assert "there is no score without them" in out
    assert "without wrong labels" not in out
