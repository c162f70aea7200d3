"""`harness compare`: which items are compared, what is refused, and that the numbers are those worked out by hand."""

import json
import math
import shutil
from dataclasses import replace
from pathlib import Path

import pytest
from cases import each, slow
from harness_errors import HarnessError
from report_logs import edited, items_of, scripted_log

from harness.cli.main import main
from harness.core.plugins import registry
from harness.report import log_studies
from harness.report.compare import compare, task_warnings
from harness.report.compare_pair import comparison, on_common_items
from harness.report.text import chance, number, signed, span
from harness.report.text import compare as text_of

N = 12
OTHER = {"True": "False", "False": "True"}


def answers(items, right, unread=()):
    """Completions that are right at the places named, unreadable at others, wrong elsewhere."""
    return [
        "no idea"
        if at in unread
        else f"Answer: {item.target if at in right else OTHER[item.target]}"
        for at, (_, item) in enumerate(items)
    ]


@pytest.fixture(scope="module")
def items():
    return items_of("ltlbench", n=N)


@pytest.fixture(scope="module")
def folder(tmp_path_factory, items):
    """Logs: a is right on 0-3, b on 2-11 but for 5 (unreadable), c holds 6 of the items, d other ones."""
    path = tmp_path_factory.mktemp("logs")
    logs = {
        "a": scripted_log(path / "a", "ltlbench", answers(items, {0, 1, 2, 3}), "acme/a"),
        "b": scripted_log(path / "b", "ltlbench", answers(items, set(range(2, N)), {5}), "acme/b"),
        "c": scripted_log(
            path / "c", "ltlbench",
            [one if at < 6 else None for at, one in enumerate(answers(items, {0, 1, 2, 3, 4, 5}))], "acme/c",
        ),
        "d": scripted_log(path / "d", "ltlbench", ["Answer: True"] * 4, "acme/d", operators=1),
    }  # fmt: skip
    for name, log in logs.items():
        log.rename(path / f"{name}.eval")
    return path


def copied(folder, path, model):
    """The log b as that of another model."""
    log = Path(shutil.copy(folder / "b.eval", path / "copy.eval"))

    def rename(found):
        found.eval.model, found.eval.eval_id = model, model

    return edited(log, rename)


def done(folder, *names, words=()):
    heard = []
    found = compare([*(str(folder / f"{name}.eval") for name in names), *words], heard.append)
    assert heard == [f"warning: {line}" for line in found["warnings"]]
    return found


@slow
def test_the_numbers_of_a_pair_are_those_worked_out_by_hand(folder, items):
    found = done(folder, "a", "b", words=["metrics=accuracy"])
    assert [one["label"] for one in found["series"]] == ["acme/a", "acme/b"]
    (pair,) = found["pairs"]
    # b is right on 2-4 and 6-11: both on 2 and 3, only a on 0 and 1, only b on 4 and 6-11, neither on 5.
    assert pair["right"] == {"both": 2, "only_a": 2, "only_b": 7, "neither": 1}
    assert (pair["n"], pair["common"], pair["unscored"], pair["sources"]) == (N, N, 0, None)
    assert (pair["unparsed_a"], pair["unparsed_b"]) == (0, round(1 / N, 6))
    (one,) = pair["metrics"]
    assert (one["a"], one["b"], one["difference"]) == (round(4 / N, 6), 0.75, round(5 / N, 6))
    assert one["test"] == "exact McNemar"
    # Two-sided binomial of 2 among 9: 2 (1 + 9 + 36) / 512.
    assert math.isclose(one["p"], 2 * 46 / 512, rel_tol=1e-5)
    assert one["p_holm"] == one["p"]
    assert one["ci_low"] < one["difference"] < one["ci_high"]
    assert one["verdict"] == "no difference shown"
    assert found["comparisons"] == 1
    differ = {items[at][0] for at in (0, 1, 4, *range(6, N))}
    assert {item["id"] for item in pair["items"]} == differ
    assert pair["items_total"] == 9
    first = next(item for item in pair["items"] if item["id"] == items[0][0])
    assert (first["answer_a"], first["outcome_a"], first["outcome_b"]) == (
        items[0][1].target,
        "right",
        "wrong",
    )
    assert first["features"]["operators"] == items[0][1].features["operators"]


def test_swapping_the_logs_turns_the_signs_and_nothing_else(folder):
    there, back = (
        done(folder, *names, words=["metrics=accuracy,macro_f1"])["pairs"][0]
        for names in ("ab", "ba")
    )
    for one, other in zip(there["metrics"], back["metrics"], strict=True):
        assert (one["a"], one["b"], one["p"]) == (other["b"], other["a"], other["p"])
        assert one["difference"] == -other["difference"]
    one, other = (pair["metrics"][0] for pair in (there, back))
    assert math.isclose(one["ci_low"], -other["ci_high"], abs_tol=1e-6)
    assert [item["id"] for item in there["items"]] == [item["id"] for item in back["items"]]


def test_only_items_that_both_have_are_compared_and_it_is_told(folder):
    found = done(folder, "a", "c", words=["metrics=accuracy"])
    (pair,) = found["pairs"]
    assert (pair["n_a"], pair["n_b"], pair["common"], pair["n"]) == (N, 6, 6, 6)
    assert pair["right"] == {"both": 4, "only_a": 0, "only_b": 2, "neither": 0}
    assert pair["metrics"][0]["a"] == round(4 / 6, 6)
    assert any("6 items in common of 12 and 6" in line for line in found["warnings"])


def test_unscored_items_are_left_out_counted_and_told(folder, items, tmp_path):
    log = scripted_log(tmp_path, "ltlbench", answers(items, set(range(N))), "acme/e")

    def fail(log):
        log.samples[0].scores["verdict"].value = math.nan
        log.samples[0].scores["verdict"].metadata["outcome"] = "unscored"

    edited(log, fail)
    found = done(folder, "a", words=[str(log), "metrics=accuracy"])
    (pair,) = found["pairs"]
    assert (pair["common"], pair["n"], pair["unscored"]) == (N, N - 1, 1)
    assert pair["metrics"][0]["n"] == N - 1
    assert pair["metrics"][0]["b"] == 1
    assert any("1 of 12 items are unscored" in line for line in found["warnings"])


def test_holm_counts_every_comparison_of_the_call(folder):
    found = done(folder, "a", "b", "c", words=["metrics=accuracy,label"])
    assert len(found["pairs"]) == 3
    assert found["comparisons"] == 6
    given = sorted(one["p"] for pair in found["pairs"] for one in pair["metrics"])
    least = min(one["p_holm"] for pair in found["pairs"] for one in pair["metrics"])
    assert math.isclose(least, min(1, 6 * given[0]), rel_tol=1e-4)


def test_what_shows_nothing_new_is_not_compared_unless_asked_for(folder):
    found = done(folder, "a", "b")
    (pair,) = found["pairs"]
    # On task=decide the label is what is right, and there is no path that could go unread.
    assert pair["not_compared"] == [
        {"metric": "label", "why": "the same as accuracy on every item"},
        {"metric": "path_unread", "why": "0 for every answer"},
    ]
    assert [one["metric"] for one in pair["metrics"]] == ["accuracy", "macro_f1", "pairs", "auc"]
    assert found["comparisons"] == 4
    least = min(one["p"] for one in pair["metrics"])
    assert math.isclose(
        min(one["p_holm"] for one in pair["metrics"]), min(1, 4 * least), rel_tol=1e-4
    )
    text = text_of(found)
    assert "\nlabel: the same as accuracy on every item; not compared\n" in text
    assert "\npath_unread: 0 for every answer; not compared\n" in text
    asked = done(folder, "a", "b", words=["metrics=label,path_unread,accuracy"])
    (pair,) = asked["pairs"]
    assert pair["not_compared"] == []
    assert [one["metric"] for one in pair["metrics"]] == ["label", "path_unread", "accuracy"]
    assert asked["comparisons"] == 3


@slow
def test_the_headline_is_compared_even_where_all_are_right(folder, items, tmp_path):
    logs = [
        str(
            scripted_log(tmp_path / name, "ltlbench", answers(items, set(range(N))), f"acme/{name}")
        )
        for name in "xy"
    ]
    (pair,) = compare(logs, lambda line: None)["pairs"]
    assert pair["metrics"][0]["metric"] == "accuracy"
    assert pair["metrics"][0]["p"] == 1
    assert pair["not_compared"][0] == {"metric": "label", "why": "1 for every answer"}


def test_metrics_beyond_the_first_eight_are_told_apart(folder):
    benchmark = registry().get("ltlbench").benchmark
    known = {metric.name: metric for metric in benchmark.metrics}
    many = [known["accuracy"], *(replace(known["macro_f1"], name=f"m{at}") for at in range(9))]
    study = log_studies.load([folder / "a.eval", folder / "b.eval"], lambda line: None)[0]
    found = comparison(benchmark, on_common_items(*study.series), many, named=False)
    assert [one["metric"] for one in found["metrics"]] == [one.name for one in many[:8]]
    assert found["not_compared"] == [
        {"metric": name, "why": "beyond the first 8"} for name in ("m7", "m8")
    ]


def test_items_of_several_tasks_are_told(folder, tmp_path):
    def some(log):
        for sample in log.samples:
            sample.metadata["features"]["task"] = "decide"
        log.samples[0].metadata["features"]["task"] = "count\x1b[2J"

    logs = [str(tmp_path / f"{name}.eval") for name in "ab"]
    for log in logs:
        edited(shutil.copy(folder / Path(log).name, log), some)
    heard = []
    compare([*logs, "metrics=accuracy"], heard.append)
    (line,) = (line for line in heard if "taken together" in line)
    assert line.startswith("warning: items of 2 tasks are taken together (count")
    assert line.endswith(f", decide {N - 1})")
    assert "\x1b" not in line
    assert not any("together" in line for line in done(folder, "a", "b")["warnings"])
    (line,) = task_warnings(f"t{at}" for at in range(10))
    assert line.endswith("t7 1, …)")


def test_the_headline_comes_first_and_undefined_metrics_are_named(folder):
    (pair,) = done(folder, "a", "b")["pairs"]
    names = [one["metric"] for one in pair["metrics"]]
    assert names[0] == "accuracy"
    assert len(names) <= 8
    assert set(names).isdisjoint(pair["undefined"])
    assert all(one["a"] is not None for one in pair["metrics"])


@slow
def test_a_clear_difference_is_called_better_by_the_side_that_has_it(tmp_path, items):
    logs = [
        scripted_log(tmp_path / name, "ltlbench", answers(items, right), f"acme/{name}")
        for name, right in (("good", set(range(N))), ("bad", set()))
    ]
    words = [*map(str, logs), "metrics=accuracy,label"]
    found = compare(words, lambda line: None)
    first, second = found["pairs"][0]["metrics"]
    assert first["p"] == float(f"{2 / 2**N:.6g}")
    assert first["verdict"].startswith("A is better by 1.000 (")
    assert second["verdict"].startswith("A is higher by 1.000 (")
    assert first["verdict"].endswith("p = 0.00098 after Holm")
    back = compare([*map(str, reversed(logs)), "metrics=accuracy"], lambda line: None)
    assert back["pairs"][0]["metrics"][0]["verdict"].startswith("B is better by 1.000 (")


def all_the_same(model, value):
    """Return what makes a log that of a model of which all answers score this, with two items a family."""

    def change(log):
        log.eval.model, log.eval.eval_id = model, model
        for at, sample in enumerate(log.samples):
            sample.metadata["family"] = f"{at // 2}" * 12
            score = sample.scores["verdict"]
            score.value = dict.fromkeys(score.value, value)

    return change


def test_items_that_share_a_source_are_flipped_together(folder, tmp_path):
    logs = []
    for name, value in (("x", 1.0), ("y", 0.0)):
        logs.append(shutil.copy(folder / "b.eval", tmp_path / f"{name}.eval"))
        edited(logs[-1], all_the_same(f"acme/{name}", value))
    found = compare([*map(str, logs), "metrics=accuracy"], lambda line: None)
    (pair,) = found["pairs"]
    assert (pair["n"], pair["sources"]) == (N, N // 2)
    (one,) = pair["metrics"]
    assert one["test"] == "paired permutation of sources"
    assert one["p"] == 2 / 2 ** (N // 2)  # six sources, all in one direction
    assert any("share sources" in line for line in found["warnings"])


def of_plugin(name):
    """Return what makes a log that of another benchmark."""

    def change(log):
        log.eval.metadata["plugin"], log.eval.eval_id = name, name
        for sample in log.samples:
            sample.metadata["plugin"] = name
            values = registry().get(name).benchmark.values
            sample.scores["verdict"].value = dict.fromkeys(values, 1.0)

    return change


def test_probabilities_are_not_compared_with_labels(folder, tmp_path):
    log = copied(folder, tmp_path, "acme/p")

    def change(log):
        for sample in log.samples:
            sample.scores["verdict"].metadata["probability"] = 0.75

    edited(log, change)
    found = done(folder, "a", words=[str(log), "metrics=auc,accuracy"])
    auc, accuracy = found["pairs"][0]["metrics"]
    assert (auc["hard_labels"], auc["p"], accuracy["hard_labels"]) == (["A"], None, [])
    assert auc["verdict"] == "no comparison: A is from labels only, the other from probabilities"
    assert (found["comparisons"], accuracy["p"]) == (1, accuracy["p_holm"])
    assert "auc (hard labels)  " in text_of(done(folder, "a", "b", words=["metrics=auc"]))


@each(
    "names, words, said",
    [
        ("", [], "no log is named: harness compare LOG_A LOG_B"),
        ("a", [], "only one series of answers is in these logs (acme/a)"),
        ("ad", [], "no item in common (operators="),
        ("ab", ["metrics=acuracy"], "did you mean 'accuracy'?"),
        ("ab", ["metrics="], "a value is empty"),
        ("ab", ["metric=accuracy"], "unknown key 'metric' for harness compare; did you mean 'metrics'?"),
        ("ab", ["nowhere.eval"], "no such file"),
        ("ab", [""], "the name of a log is empty"),
        ("ab", ["/dev/zero"], "neither a file nor a directory"),
        ("ab", ["="], "'=' is not key=value"),
        ("ab", ["plugin="], "a value is empty"),
        ("ab", ["metrics=" + "x" * 10_000], "metric"),
        ("ab", ["plugin=" + "é" * 10_000], "no log here is of plugin=éé"),
        ("ab", ["x" * 10_000], "too long"),
        ("ab", ["a\0=b"], "unknown key"),
        ("ab", ["metrics=\ud800"], "metric"),
    ],
)  # fmt: skip
def test_what_cannot_be_compared_is_one_clear_line(folder, names, words, said):
    with pytest.raises(HarnessError) as caught:
        done(folder, *names, words=words)
    assert said in str(caught.value)
    assert "\n" not in str(caught.value)


@slow
def test_logs_of_two_plugins_or_conventions_are_refused(folder, tmp_path):
    other = copied(folder, tmp_path, "acme/o").rename(tmp_path / "other.eval")
    edited(other, of_plugin("timepuzzles"))
    with pytest.raises(
        HarnessError, match=r"of 2 plugins \(ltlbench, timepuzzles\): .* plugin=ltlbench$"
    ):
        done(folder, "a", "b", words=[str(other)])
    found = done(folder, "a", "b", words=[str(other), "plugin=ltlbench", "metrics=accuracy"])
    assert found == done(folder, "a", "b", words=["metrics=accuracy"])
    with pytest.raises(HarnessError, match="only one series of answers"):
        done(folder, "a", "b", words=[str(other), "plugin=timepuzzles"])
    with pytest.raises(
        HarnessError, match=r"no log here is of plugin=vltl: they are of ltlbench, timepuzzles$"
    ):
        done(folder, "a", words=[str(other), "plugin=vltl"])
    published = copied(folder, tmp_path, "acme/p")
    edited(published, lambda log: log.eval.task_args.update(convention="published"))
    with pytest.raises(HarnessError, match=r"different conventions \(harness, published\)"):
        done(folder, "a", words=[str(published)])


def test_one_item_with_two_targets_is_refused(folder, tmp_path):
    log = copied(folder, tmp_path, "acme/t")

    def change(log):
        sample = log.samples[0]
        sample.target = sample.scores["verdict"].metadata["target"] = OTHER[sample.target]

    edited(log, change)
    with pytest.raises(HarnessError, match="has the target"):
        done(folder, "a", words=[str(log)])


def test_versions_and_wrappers_that_may_matter_are_told(folder, tmp_path):
    log = copied(folder, tmp_path, "acme/v")

    def change(log):
        log.eval.metadata["versions"]["temporal-harness"] = "0.0.1"
        log.eval.metadata["wrappers"] = {"loud": "1.0"}

    edited(log, change)
    told = "\n".join(done(folder, "a", words=[str(log)])["warnings"])
    assert "versions of temporal-harness differ: 0.0.1, " in told
    assert "loud 1.0" in told


def test_one_model_under_two_settings_is_refused_with_what_differs(folder, tmp_path):
    log = copied(folder, tmp_path, "acme/b")

    def change(log):
        log.eval.metadata["config"] |= {"task": "count", "operators": 9}
        for sample in log.samples:
            sample.id = f"{sample.id}-2"

    edited(log, change)
    with pytest.raises(HarnessError) as caught:
        done(folder, "b", words=[str(log)])
    assert (
        "'acme/b · task=decide' and 'acme/b · task=count' have no item in common "
        "(operators=5 task=decide / operators=9 task=count)" in str(caught.value)
    )


def test_series_without_common_items_are_told_where_others_can_be_compared(folder):
    found = done(folder, "a", "b", "d", words=["metrics=accuracy"])
    assert len(found["pairs"]) == 1
    assert sum(line.startswith("not compared: ") for line in found["warnings"]) == 2


def test_the_text_says_it_all_and_foreign_words_steer_no_terminal(folder, items, tmp_path):
    hostile = answers(items, {0})
    log = scripted_log(tmp_path, "ltlbench", hostile, "acme/\x1b[2J<script>")
    text = text_of(done(folder, "b", words=[str(log), "metrics=accuracy,auc"]))
    assert "\x1b" not in text
    assert "right by accuracy: both 0, only A 9, only B 1, neither 2" in text
    assert "right in only one of the two: 10 items\n" in text
    assert "unparsed: A 0.083, B 0.000" in text
    head = text.split("\nmetric ")[1].splitlines()[0]
    assert head.split() == [
        "A",
        "B",
        "B",
        "−",
        "A",
        "95",
        "%",
        "interval",
        "p",
        "p",
        "(Holm)",
        "n",
        "test",
    ]


def test_the_command_prints_json_and_exits_with_0(folder, capsys):
    assert main(["compare", str(folder / "a.eval"), str(folder / "b.eval"), "--json"]) == 0
    said = capsys.readouterr()
    found = json.loads(said.out)
    assert set(found) == {
        "plugin", "headline", "level", "series", "comparisons", "pairs", "warnings",
    }  # fmt: skip
    again = compare([str(folder / "a.eval"), str(folder / "b.eval")], lambda line: None)
    assert json.loads(json.dumps(again)) == found
    assert main(["compare", str(folder / "a.eval")]) == 2
    assert capsys.readouterr().err.count("\n") == 1


@each(
    "made, text",
    [
        (number(None), "–"), (number(0.0), "0.000"), (signed(-0.05), "−0.050"), (signed(None), "–"),
        (span(None, 1), "–"), (span(-0.1, 0.2), "−0.100 – 0.200"), (chance(0), "< 0.0001"), (chance(0.0421), "0.042"),
        (chance(1.0), "1"), (chance(None), "–"),
    ],
)  # fmt: skip
def test_undefined_numbers_are_dashes(made, text):
    assert made == text
