"""From logs to studies: the rows are those of the run, and what belongs together is together."""

import io
import json
import os
import re
import shutil
import zipfile
from dataclasses import replace
from pathlib import Path

import pytest
from cases import each, slow
from harness_errors import DatasetError
from inspect_ai import eval_retry
from inspect_ai.log import (
    EvalError,
    read_eval_log,
    read_eval_log_sample_summaries,
    write_eval_log,
)
from inspect_ai.scorer import SampleScore
from openai_server import completion
from report_logs import edited, items_of, run_log, scripted_log

from harness.core.plugins import registry
from harness.report import log_studies
from harness.report.labels import shortened
from harness.report.model import ASKED, LogFacts
from harness.rerun import log_rows, log_samples, logs
from harness.rerun.rescore import rescore
from harness.run import metrics

HOSTILE = '\x1b[2J<script>alert(1)</script> | "; --'


def told(study):
    return "\n".join(study.warnings)


def studies(*paths):
    said = []
    return log_studies.load(list(paths), said.append), said


def study_of(*paths):
    (found,), said = studies(*paths)
    assert said == []
    return found


def rows_of(path):
    """The rows that the run's own metrics saw, by sample id."""
    log = read_eval_log(str(path), resolve_attachments="full")
    if log.eval.config.epochs > 1:
        facts = {one.id: one.metadata for one in log.samples}
        scores = {one.sample_id: one for one in log.reductions[0].samples}
    else:
        facts = {one.id: one.metadata for one in log.samples}
        scores = {one.id: one.scores["verdict"] for one in log.samples}
    kept = {
        own: metrics.rows_of([SampleScore(score=one, sample_metadata=facts[own])])
        for own, one in scores.items()
    }
    return {str(own): row for own, rows in kept.items() for row in rows}


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("logs")


@pytest.fixture(scope="module")
def scripted(folder):
    """Right, wrong, unreadable, empty, hostile."""
    said = ["Answer: True", "Answer: False", "I cannot tell.", "", HOSTILE * 200]
    return scripted_log(folder / "scripted", "ltlbench", said, model="acme/wise-1")


@pytest.fixture(scope="module")
def sweep(folder):
    return [run_log(folder / "sweep", "ltlbench", n=3, operators=k) for k in (1, 2)]


@pytest.fixture
def copy(tmp_path, scripted):
    """A copy of the scripted log, changed."""

    def make(change=lambda log: None, name="copy.eval", source=scripted):
        path = tmp_path / name
        shutil.copy(source, path)
        return edited(path, change)

    return make


def test_rows_are_those_that_the_run_saw(scripted):
    study = study_of(scripted)
    (series,) = study.series
    assert {one.id: one.row for one in series.answers} == rows_of(scripted)
    assert [one.id for one in series.answers] == sorted(one.id for one in series.answers)
    assert sorted(one.row.outcome for one in series.answers) == ["scored"] * 2 + ["unparsed"] * 3
    assert all(one.source == one.id and one.log == 0 for one in series.answers)
    assert (series.label, series.kind, series.model) == ("acme/wise-1", "model", "acme/wise-1")
    assert study.warnings == ()


def test_texts_that_a_summary_cuts_are_read_whole(folder):
    dates = ", ".join(f"19{year:02}-01-{day:02}" for year in range(10) for day in range(1, 29))
    path = scripted_log(folder / "long", "timepuzzles", [f"Answer: {dates}", "Answer: none", None])
    (short,) = [one for one in read_eval_log_sample_summaries(str(path))
                if one.scores["verdict"].answer != "none"]  # fmt: skip
    assert len(short.scores["verdict"].answer) <= 1024
    study = study_of(path)
    found = {one.id: one.row for one in study.series[0].answers}
    assert found == rows_of(path)
    assert max(len(row.answer) for row in found.values()) > 3000
    assert "1 of 3 items had no recorded answer" in told(study)


def test_a_features_table_that_a_summary_drops_is_read_whole(copy):
    def widen(log):
        log.samples[0].metadata["features"] |= {f"feature {at}": at for at in range(200)}

    path = copy(widen)
    found = {one.id: one.row for one in study_of(path).series[0].answers}
    assert found == rows_of(path)
    assert max(len(row.features) for row in found.values()) > 200


@each("limit", [log_samples.MAX_RECORD, 100])
def test_a_sample_however_large_is_read_whole(copy, monkeypatch, limit):
    def lengthen(log):
        score = log.samples[0].scores["verdict"]
        score.answer = "x" * 3000
        score.metadata["vote"] = "y z " * 3000

    path = copy(lengthen)
    expected = {one.id: one.row for one in study_of(path).series[0].answers}
    with monkeypatch.context() as patch:
        patch.setattr(log_samples, "MAX_RECORD", limit)
        places = [(own, 1) for own in expected]
        raws = list(log_samples.full(path, places))
    log = read_eval_log(str(path), resolve_attachments="full")
    whole = {one.id: log_samples.as_raw(one) for one in log.samples}
    assert {raw["id"]: raw["metadata"] for raw in raws} == {
        own: one["metadata"] for own, one in whole.items()
    }
    for raw in raws:
        mine, theirs = (one["scores"]["verdict"] for one in (raw, whole[raw["id"]]))
        assert {key: mine.get(key) for key in theirs} == theirs
    assert expected == rows_of(path)


def test_blanks_that_a_summary_folds_are_as_the_run_saw_them(copy):
    def spread(log):
        log.samples[0].target = "a\n  b"
        score = log.samples[0].scores["verdict"]
        score.answer, score.metadata["target"] = "a\n  b", "a\n  b"

    path = copy(spread)
    found = {one.id: one.row for one in study_of(path).series[0].answers}
    assert found == rows_of(path)
    assert "a\n  b" in {row.answer for row in found.values()}


@slow
def test_several_samples_are_one_answer_by_the_vote_of_the_run(folder):
    yes, no, what = "Answer: True", "Answer: False", "?"
    said = [[yes, no, yes], [no, no, yes], [what, what, what], [what, no, yes], [yes, what, what]]
    path = scripted_log(folder / "votes", "ltlbench", said)
    study = study_of(path)
    found = {one.id: one.row for one in study.series[0].answers}
    assert found == rows_of(path)
    ids = [own for own, _ in items_of("ltlbench")]
    assert [found[own].answer for own in ids] == ["True", "False", None, "False", "True"]
    samples = [(one.id, one.epoch) for _, one in log_studies.contents(study, ids[:2])]
    assert samples == [(own, epoch) for own in sorted(ids[:2]) for epoch in (1, 2, 3)]

    def lose(log):
        """One item lost two of its three samples, another all."""
        for one in log.samples:
            if (one.id, one.epoch) in [(ids[0], 1), (ids[0], 3)] or one.id == ids[1]:
                one.scores, one.error = None, EvalError(message="", traceback="", traceback_ansi="")

    found = {one.id: one.row for one in study_of(edited(path, lose)).series[0].answers}
    assert (found[ids[0]].answer, found[ids[0]].extra["of"]) == ("False", 1)
    assert (found[ids[1]].outcome, found[ids[1]].value) == ("unscored", {})


def test_constant_answers_are_kept_once_an_item(scripted, sweep):
    study = study_of(scripted, *sweep)
    ids = {one.id for series in study.series for one in series.answers}
    assert set(study.constants) == ids
    for series in study.series:
        for one in series.answers:
            rows = study.constants[one.id]
            assert {"True", "False"} < set(rows)
            for choice in ("True", "False"):
                assert rows[choice].value["label"] == float(choice == one.row.target)


def test_a_sweep_is_one_series_and_items_asked_again_are_the_next_run(sweep, tmp_path):
    # Logs tell the second they were begun in; two may be of one.
    again = edited(
        run_log(tmp_path, "ltlbench", n=3, operators=2),
        lambda log: setattr(log.eval, "created", "2100-01-01T00:00:00+00:00"),
    )
    cot = run_log(tmp_path, "ltlbench", n=3, operators=2, strategy="cot", gold=None)
    study = study_of(again, *sweep, cot)
    assert [(one.label, one.logs, one.kind) for one in study.series] == [
        ("harness/random · direct · n 6", (1, 2), "baseline"),
        ("harness/random · direct · n 3", (0,), "baseline"),
        ("harness/random · cot", (3,), "baseline"),
    ]
    assert [len(one.answers) for one in study.series] == [6, 3, 3]
    assert len({one.id for one in study.series[0].answers}) == 6
    assert {study.logs[one.log].config["operators"] for one in study.series[0].answers} == {1, 2}
    assert "3 of 6 are in all of them" in told(study)


def test_a_log_counts_once_however_often_it_is_named(scripted, tmp_path):
    shutil.copy(scripted, tmp_path / "same.eval")
    (study,), said = studies(scripted, scripted.parent / ".." / scripted.parent.name / scripted.name,
                             tmp_path / "same.eval")  # fmt: skip
    assert len(study.logs) == 1
    assert len(said) == 1
    assert "is a copy of" in said[0]
    assert len(log_studies.logs_of([str(scripted), str(scripted), str(scripted.parent)])) == 1


def test_answers_judged_anew_are_a_series_that_says_so_and_never_a_run(scripted, copy, tmp_path):
    for convention in ("published", None, None):
        rescore(scripted, tmp_path, convention, lambda line: None)
    published, second, third = (
        tmp_path / f"{scripted.stem}-scored{end}.eval" for end in ("", "-2", "-3")
    )
    study = study_of(scripted, published)
    assert [(one.label, one.again) for one in study.series] == [
        ("acme/wise-1 · harness", False), ("acme/wise-1 · published", True),
    ]  # fmt: skip
    assert "judged more than once; they are no independent runs" in told(study)
    assert "different conventions: harness, published" in told(study)
    labels = [
        ("acme/wise-1", False), ("acme/wise-1 (judged anew)", True), ("acme/wise-1 (judged anew 2)", True),
    ]  # fmt: skip
    for paths in ((scripted, second, third), (third, second, scripted)):
        study = study_of(*paths)
        assert [(one.label, one.again) for one in study.series] == labels
        labels.reverse()
        assert study.logs[study.series[0].logs[0]].path == str(paths[0])
        assert told(study).count("judged more than once") == 1
    assert [(one.label, one.again) for one in study_of(second).series] == labels[:1]

    # A run of its own is one, judged anew or not; the same run in another file is none.
    def another(log):
        log.eval.metadata["responses"]["sha256"] = log.eval.task_id = "1"

    run = copy(another)
    assert [(one.label, one.again) for one in study_of(second, run).series] == [
        ("acme/wise-1 · run 1", False), ("acme/wise-1 · run 2", False),
    ]  # fmt: skip
    write_eval_log(read_eval_log(str(scripted)), str(tmp_path / "log.json"))
    study = study_of(scripted, tmp_path / "log.json")
    assert {one.label for one in study.series} == {"acme/wise-1", "acme/wise-1 (same run)"}
    assert "judged more than once" in told(study)


def test_answers_that_were_scored_twice_are_no_two_runs(scripted, copy):
    study = study_of(scripted, copy(lambda log: setattr(log.eval, "eval_id", "other")))
    assert {one.label for one in study.series} == {"acme/wise-1", "acme/wise-1 (same run)"}
    assert "judged more than once" in told(study)


@slow
def test_a_retry_goes_on_with_its_run(tmp_path, client):
    state = {"broken": True}

    def behaviour(request, number):
        return (400, b"{}") if state["broken"] and number < 2 else completion("Answer: True")

    client(behaviour)
    first = run_log(
        tmp_path, "ltlbench", "openai-api/local/m", n=4, max_retries=0, max_connections=1
    )
    (series,) = study_of(first).series
    assert sorted(one.row.outcome for one in series.answers) == ["scored"] * 2 + ["unscored"] * 2
    state["broken"] = False
    (log,) = eval_retry(str(first), log_dir=str(tmp_path), display="none")
    for paths in ((first, Path(log.location)), (Path(log.location), first)):
        study = study_of(*paths)
        (series,) = study.series
        assert (series.label, len(series.logs)) == ("openai-api/local/m", 2)
        assert [one.row.outcome for one in series.answers] == ["scored"] * 4
        assert study.warnings == ()


def of_items(name, config=None, features=None, dataset=None, ids=None):
    """Make a log that of other items, with this configuration and these features."""

    def change(log):
        log.eval.eval_id = log.eval.task_id = name
        metadata = log.eval.metadata
        metadata["responses"]["sha256"] = name
        metadata["config"] = {**({} if dataset else metadata["config"]), **(config or {})}
        if dataset:
            metadata["dataset"] = dataset
        for at, sample in enumerate(log.samples):
            sample.id = f"{sample.id}-{ids or name}"
            found = sample.metadata["features"] | (features or {})
            sample.metadata["features"] = {
                key: one for key, one in found.items() if one is not None or at
            }

    return change


@slow
@each("one, other, labels", [
    ({"config": {"operators": 5}}, {"config": {"operators": 1}}, [""]),
    ({"config": {"operators": 5, "events": 2}}, {}, [""]),
    ({"config": {"edge_probability": 1}}, {"config": {"edge_probability": 1.0}}, [""]),
    ({"config": {"task": "decide"}}, {"config": {"task": "counterexample"}}, ["task=decide", "task=counterexample"]),
    ({"config": {"wording": "can", "task": "count"}}, {}, ["task=count · wording=can", "task=decide · wording=must"]),
    ({"config": {"twins": False}}, {}, ["twins=false", "twins=true"]),
    ({"config": {"logic": [HOSTILE * 9, "b"]}}, {},
     ["logic=" + shortened(json.dumps([HOSTILE * 9, "b"], separators=(",", ":")), 60), "logic=paper"]),
    # A feature by which no table splits, and one that an item lacks, keep nothing apart.
    ({"config": {"edges": 2}}, {"config": {"edges": 3}}, ["edges=2", "edges=3"]),
    ({"config": {"operators": 7}, "features": {"operators": None}}, {}, ["operators=7", "operators=5"]),
    ({"dataset": "d/x.csv"}, {}, ["dataset=x.csv", ""]),
    ({"dataset": "d/x.csv"}, {"dataset": "d/y.csv"}, ["dataset=x.csv", "dataset=y.csv"]),
    ({"dataset": "d/x.csv"}, {"dataset": "e/x.csv"}, ["dataset=d/x.csv", "dataset=e/x.csv"]),
    ({"dataset": "d/x.csv"}, {"dataset": "d/y.csv", "features": {"operators": 7}}, [""]),
    ({"dataset": "d/x.csv"}, {"dataset": "d/y.csv", "features": {"edges": 7}}, ["dataset=x.csv", "dataset=y.csv"]),
    ({"dataset": "d/x.csv", "ids": "1"}, {"dataset": "/abs/x.csv", "ids": "1"}, ["run 1", "run 2"]),
    ({"dataset": "d/x.csv"}, {"dataset": "d/x.csv"}, [""]),
])  # fmt: skip
def test_only_kinds_of_items_that_tables_keep_apart_are_one_series(copy, one, other, labels):
    study = study_of(copy(of_items("a", **one), "a.eval"), copy(of_items("b", **other), "b.eval"))
    assert [series.label for series in study.series] == [
        f"acme/wise-1{' · ' if label else ''}{label}" for label in labels
    ]
    assert [len(series.answers) for series in study.series] == [10 // len(labels)] * len(labels)


def test_settings_tell_series_of_all_models_apart_by_the_same_keys(copy):
    def of(model, task):
        def change(log):
            of_items(f"{model}{task}", {"task": task, "operators": len(model)})(log)
            log.eval.model = model

        return copy(change, f"{model}{task}.eval")

    study = study_of(of("a", "x"), of("aa", "x"), of("aa", "y"), of("aaa", "y"))
    assert [(one.label, dict(one.settings)) for one in study.series] == [
        ("a · task=x", {"task": "x"}), ("aa · task=x", {"task": "x"}),
        ("aa · task=y", {"task": "y"}), ("aaa · task=y", {"task": "y"}),
    ]  # fmt: skip


def test_a_sweep_and_its_answers_judged_anew_stay_two_series(copy):
    def of(operators, name, anew=False):
        def change(log):
            of_items(f"{operators}", {"operators": operators})(log)
            if anew:
                log.eval.metadata["rescored"] = {}
                log.samples[0].scores["verdict"].explanation = "again"

        return copy(change, name)

    study = study_of(of(1, "a.eval"), of(2, "b.eval"), of(1, "c.eval", True), of(2, "d.eval", True))
    assert [(one.label, one.logs, one.again) for one in study.series] == [
        ("acme/wise-1", (0, 1), False), ("acme/wise-1 (judged anew)", (2, 3), True),
    ]  # fmt: skip


def test_facts_of_a_log(scripted):
    (facts,) = study_of(scripted).logs
    header = read_eval_log(str(scripted), header_only=True)
    assert isinstance(facts, LogFacts)
    assert tuple(facts.asked) == ASKED
    assert facts.asked == {
        "strategy": "recorded", "tools": "none", "context": "none", "structured": "no",
        "gold": "none", "generation": "none", "wrappers": "none", "convention": "harness",
    }  # fmt: skip
    assert (facts.n, facts.status, facts.model) == (5, "success", "acme/wise-1")
    assert facts.version == registry().get("ltlbench").benchmark.version
    assert facts.config == header.eval.metadata["config"]
    assert facts.floors == header.eval.metadata["floors"]
    assert facts.items_digest == header.eval.metadata["items_digest"]


@each("model, kind", [
    ("harness/reference", "reference"), ("harness/constant", "baseline"), ("harness/random", "baseline"),
    ("recorded/x", "recorded"), ("openai/gpt-5", "model"), ("harnessed/x", "model"),
])  # fmt: skip
def test_kinds(copy, model, kind):
    path = copy(lambda log: setattr(log.eval, "model", model))
    assert study_of(path).series[0].kind == kind


def asked(**facts):
    def change(log):
        log.eval.metadata |= facts

    return change


@each("facts, label", [
    ({"tools": "web_search"}, "acme/wise-1 · tools=web_search"),
    ({"context": {"file": "/a/b/found.jsonl", "sha256": "abcdef0123"}}, "acme/wise-1 · context=found.jsonl (abcdef)"),
    ({"structured": {"without": 0}}, "acme/wise-1 · structured=yes"),
    ({"gold": ["grounding", "lifting"]}, "acme/wise-1 · gold=grounding,lifting"),
    ({"strategy": HOSTILE}, "acme/wise-1 · \\x1b" + HOSTILE[1:]),
])  # fmt: skip
def test_labels_say_what_differs(scripted, copy, facts, label):
    def change(log):
        asked(**facts)(log)
        log.eval.eval_id = "other"

    study = study_of(scripted, copy(change))
    assert study.series[1].label == label


def test_hostile_names_are_unique_printable_labels(scripted, copy):
    def named(model):
        def change(log):
            log.eval.model, log.eval.eval_id = model, f"other {len(model)}"

        return change

    long = ["m" * 300 + end for end in ("a", "bb")]
    paths = [copy(named(one), f"{at}.eval") for at, one in enumerate((HOSTILE, *long))]
    labels = [one.label for one in study_of(scripted, *paths).series]
    assert len(set(labels)) == 4
    assert all(label.isprintable() and len(label) < 220 for label in labels)


def test_sources_are_the_plugins_else_the_family_else_the_item(tmp_path, monkeypatch):
    path = run_log(tmp_path, "timepuzzles", n=4, mode="implicit")
    owner = registry().get("timepuzzles")
    answers = study_of(path).series[0].answers
    families = {one.id: one.metadata["family"] for one in read_eval_log_sample_summaries(str(path))}
    assert {one.id: one.source for one in answers} == families

    def with_sources(*names):
        own = replace(owner, benchmark=replace(owner.benchmark, sources=names))
        monkeypatch.setitem(registry().benchmarks, "timepuzzles", own)
        return {one.id: one.source for one in study_of(path).series[0].answers}

    clues = {one.id: one.row.features["clues"] for one in answers}
    assert with_sources("clues") == {own: str(one) for own, one in clues.items()}
    assert with_sources("clues", "no such") == families
    drawn = {one.id: json.loads(one.metadata["notes"])["draws"]
             for one in read_eval_log_sample_summaries(str(path))}  # fmt: skip
    assert with_sources("draws", "clues") == {own: f"{drawn[own]}\x1f{clues[own]}" for own in clues}

    def one_family(log):
        for at, sample in enumerate(log.samples):
            sample.metadata["family"] = "0" * 12
            sample.metadata["features"]["clues"] = at

    edited(path, one_family)
    assert set(with_sources("clues").values()) == {"0"}


def test_what_could_not_be_scored_is_unscored_not_wrong(copy):
    def change(log):
        first, second, third, *_ = log.samples
        first.scores, first.error = None, EvalError(message="x", traceback="", traceback_ansi="")
        second.scores["verdict"].value = float("nan")
        third.scores["verdict"].value |= {"accuracy": float("nan")}

    path = copy(change)
    rows = {one.id: one.row for one in study_of(path).series[0].answers}
    log = read_eval_log(str(path))
    for sample in log.samples[:3]:
        row = rows[sample.id]
        assert (row.outcome, row.value, row.answer) == ("unscored", {}, None)
        assert (row.target, row.features) == (sample.target, sample.metadata["features"])
    assert all(rows[sample.id].outcome != "unscored" for sample in log.samples[3:])


def test_why_items_could_not_be_scored_is_told(copy):
    def change(log):
        for sample in log.samples[:3]:
            sample.scores = None
            trace = (
                "harness.X\nrequests failed: cannot connect to http://x:1/v1: Connection refused"
            )
            sample.error = EvalError(message="RetryError", traceback=trace, traceback_ansi="")
        log.samples[2].error = EvalError(message="cut off", traceback="", traceback_ansi="")

    (line,) = study_of(copy(change)).warnings
    assert "3 of 5 items have answers that could not be scored; these are in no number: " in line
    assert line.endswith("2 × cannot connect to http://x:1/v1: Connection refused, 1 × cut off")


def test_a_run_that_did_not_end_says_what_was_never_asked(copy):
    def stop(log):
        log.status = "cancelled"
        log.samples = log.samples[:2]

    study = study_of(copy(stop))
    assert len(study.series[0].answers) == 2
    assert "3 of 5 items were never asked (the run's status is cancelled)" in told(study)
    study = study_of(copy(lambda log: setattr(log, "status", "error"), "b.eval"))
    assert "the run did not end (status error)" in told(study)


def rezipped(path, keep, changed=()):
    """Write an archive anew with some of its members."""
    with zipfile.ZipFile(path) as old:
        parts = {name: old.read(name) for name in old.namelist() if keep(name)}
    with zipfile.ZipFile(path, "w") as new:
        for name, data in {**parts, **dict(changed)}.items():
            new.writestr(name, data)
    return path


def test_a_run_that_was_killed_is_read_from_its_journal(sweep, tmp_path):
    path = tmp_path / "killed.eval"
    shutil.copy(sweep[0], path)
    expected = study_of(path).series[0].answers
    rezipped(path, lambda name: name not in ("summaries.json", "header.json", "reductions.json"))
    study = study_of(path)
    assert study.series[0].answers == expected
    assert (study.logs[0].status, told(study)) == ("started", f"{path.name}: the run did not end "
                                                   "(status started); what there is of it counts")  # fmt: skip


def test_what_a_reader_has_to_know_is_told(scripted, copy):
    def change(log):
        log.eval.eval_id = "other"
        log.eval.metadata["versions"] |= {"ltlbench": "0.9"}
        for sample in log.samples:
            sample.id = f"{sample.id}-2"
            sample.metadata["version"] = "0.9"

    study = study_of(scripted, copy(change))
    assert len(study.series) == 1
    version = study.benchmark.version
    for line in (
        f"different versions of ltlbench: 0.9, {version}",
        f"copy.eval: judged by ltlbench 0.9, installed is {version}",
    ):
        assert line in told(study)
    assert all(line.isprintable() for line in study.warnings)


def test_what_was_asked_through_a_wrapper_is_another_series(scripted, copy):
    """It may have asked, or scored, in its own way: its items can be others, so nothing else keeps them apart."""

    def change(log):
        log.eval.eval_id = "other"
        log.eval.metadata["wrappers"] = {"meddler": "2.0", "\x1b[1m": "1"}
        for sample in log.samples:
            sample.id = f"{sample.id}-2"

    study = study_of(scripted, copy(change))
    assert [one.label for one in study.series] == [
        "acme/wise-1", "acme/wise-1 · wrappers=\\x1b[1m 1, meddler 2.0",
    ]  # fmt: skip
    assert "may have changed anything: \\x1b[1m 1, meddler 2.0" in told(study)
    assert "the 2 series did not answer the same items: 0 of 10" in told(study)
    assert all(line.isprintable() for line in study.warnings)


def test_a_model_asked_with_other_settings_is_another_series_and_says_so(scripted, copy):
    def change(log):
        log.eval.eval_id = "other"
        log.eval.model_generate_config.temperature = 0.5
        log.eval.model_generate_config.max_retries = 7  # says nothing of what was answered
        log.eval.model_args = {"effort": "\x1b[1m"}

    first, second = study_of(scripted, copy(change)).series
    assert (first.label, first.asked["generation"]) == ("acme/wise-1", "none")
    assert second.label == "acme/wise-1 · effort=\\x1b[1m temperature=0.5"


def test_settings_that_all_series_share_are_no_part_of_a_name(scripted, copy):
    def of(heat, system):
        def change(log):
            log.eval.eval_id = log.eval.metadata["responses"]["sha256"] = f"{heat}{system}"
            log.eval.model_generate_config.temperature = heat
            log.eval.model_generate_config.max_tokens = 99
            log.eval.model_generate_config.system_message = system

        return copy(change, f"{heat}{system[-1]}.eval")

    study = study_of(of(0.1, "be brief"), of(0.7, "be brief"))
    assert [one.label for one in study.series] == [
        "acme/wise-1 · temperature=0.1", "acme/wise-1 · temperature=0.7",
    ]  # fmt: skip
    # What two settings differ in may lie beyond all that a label has room for.
    study = study_of(of(0.1, "x" * 500 + "a"), of(0.1, "x" * 500 + "b"))
    assert len({one.label for one in study.series}) == 2


@slow
@each("one, other, ends", [
    ({"created": "2026-01-01T10:00:00+00:00"}, {"created": "2026-01-02T10:00:00+00:00"},
     ["2026-01-01", "2026-01-02"]),
    ({"created": "2026-01-01T10:00:00+00:00"}, {"created": "2026-01-01T10:07:00+00:00"},
     ["2026-01-01 10:00", "2026-01-01 10:07"]),
    ({"created": "2026-01-01T10:00:00+00:00"}, {"created": "2026-01-01T10:00:03+00:00"},
     ["2026-01-01 10:00:00", "2026-01-01 10:00:03"]),
    ({"seed": 1}, {"seed": 2}, ["seed 1", "seed 2"]),
    ({"seed": 1}, {}, ["seed 1", ""]),
    ({"kept": 4}, {"seed": 2}, ["n 4", "n 5"]),
    ({}, {}, ["run 1", "run 2"]),
])  # fmt: skip
def test_runs_of_the_same_thing_are_told_apart_by_what_differs(copy, one, other, ends):
    def of(name, facts):
        def change(log):
            log.eval.eval_id = log.eval.task_id = log.eval.metadata["responses"]["sha256"] = name
            log.eval.created = facts.get("created", "2026-01-01T10:00:00+00:00")
            log.eval.task_args = {key: facts[key] for key in ("seed",) if key in facts}
            del log.samples[facts.get("kept", 10) :]

        return copy(change, f"{name}.eval")

    labels = [series.label for series in study_of(of("a", one), of("b", other)).series]
    assert labels == [" · ".join(part for part in ("acme/wise-1", end) if part) for end in ends]


def test_logs_that_contradict_each_other_are_refused(scripted, copy):
    def change(log):
        log.eval.eval_id = "other"
        log.samples[0].target = HOSTILE
        log.samples[0].scores["verdict"].metadata["target"] = HOSTILE

    with pytest.raises(DatasetError, match=r"copy\.eval: item '.*' has the target '\\x1b.*it has"):
        studies(scripted, copy(change))


def test_verdicts_of_a_scorer_with_other_values_are_refused(copy):
    def change(log):
        for sample in log.samples:
            del sample.scores["verdict"].value["label"]

    with pytest.raises(DatasetError, match=r"lacks the value 'label'.*harness score LOG"):
        studies(copy(change))


def test_json_logs_say_the_same(scripted, tmp_path):
    path = tmp_path / "log.json"
    write_eval_log(read_eval_log(str(scripted)), str(path))
    (tmp_path / "else.json").write_text('{"items": []}')
    (tmp_path / ".hidden.eval").write_text("")
    assert log_studies.logs_of([str(tmp_path)]) == [path]
    mine, theirs = study_of(path), study_of(scripted)
    assert mine.series == theirs.series
    assert mine.constants == theirs.constants
    ids = {mine.series[0].answers[1].id}
    ((_, one),) = log_studies.contents(mine, ids)
    assert one.id in ids


def test_contents_are_whole_samples_of_all_series(scripted, sweep, copy):
    other = copy(lambda log: setattr(log.eval, "model", "b/c") or setattr(log.eval, "eval_id", "b"))
    study = study_of(scripted, *sweep, other)
    ids = [one.id for one in study.series[0].answers][1:3]
    found = list(log_studies.contents(study, {*ids, "no such item"}))
    assert [(index, one.id) for index, one in found] == [
        (at, own) for at, series in enumerate(study.series) for own in ids
        if own in {one.id for one in series.answers}
    ]  # fmt: skip
    whole = {
        one.id: one for one in read_eval_log(str(scripted), resolve_attachments="full").samples
    }
    for _, one in found[:2]:
        assert one.output.completion == whole[one.id].output.completion
        assert one.scores["verdict"].explanation == whole[one.id].scores["verdict"].explanation
        assert (one.input, one.events) == (whole[one.id].input, [])


def test_several_plugins_are_several_studies(scripted, tmp_path):
    other = run_log(tmp_path, "vltl", n=2)
    found, _ = studies(other, scripted)
    assert [one.benchmark.name for one in found] == ["vltl", "ltlbench"]


# ------------------------------------------------------------------------- what is no log of ours


def refusal(call):
    with pytest.raises(DatasetError) as caught:
        call()
    text = str(caught.value)
    assert text.isprintable()
    assert len(text) < 700
    return text


def in_summaries(data):
    return lambda path: rezipped(
        path, lambda name: name != "summaries.json", [("summaries.json", data)]
    )


def in_header(change):
    return lambda path: edited(path, change)


def without_samples(log):
    log.samples = []


BAD = {
    "no zip": (lambda path: path.write_text("hello"), "not a readable Inspect log"),
    "empty": (lambda path: path.write_bytes(b""), "not a readable Inspect log"),
    "cut off": (lambda path: path.write_bytes(path.read_bytes()[:-700]), "not a readable Inspect log"),
    "damaged": (lambda path: path.write_bytes(path.read_bytes()[:900] + b"x" * 5000), "not a readable"),
    "other zip": (lambda path: rezipped(path, lambda name: False, [("a", "b")]), "not a readable"),
    "no list": (in_summaries("{}"), "expected \\[, found {"),
    "nothing": (in_summaries(""), "cut off"),
    "blank": (in_summaries(" \n"), "cut off"),
    "numbers": (in_summaries("[1]"), "expected an object"),
    "not closed": (in_summaries('[{"id": "x"'), "cut off"),
    "no comma": (in_summaries('[{"id": "x", "epoch": 1, "metadata": {"plugin": "ltlbench"}} {}]'), "expected"),
    "trailing comma": (in_summaries('[{"id": "x", "epoch": 1, "metadata": {"plugin": "ltlbench"}},]'), "expected"),
    "deep": (in_summaries('[{"a": ' + "[" * 200_000), "not a readable"),
    "no id": (in_summaries("[{}]"), "a sample without an id"),
    "not ours": (in_summaries('[{"id": "\\u001b[1m", "epoch": 1}]'), "does not hold an item of ltlbench"),
    "none": (in_summaries("[ ]"), "the log holds no samples"),
    "no samples": (in_header(without_samples), "the log holds no samples"),
    "no plugin": (in_header(lambda log: setattr(log.eval, "metadata", {})), "none of the harness's"),
    "odd plugin": (in_header(asked(plugin=["ltlbench"])), "none of the harness's"),
    "not installed": (in_header(asked(plugin="ltlbenhc\x1b")), "no plugin 'ltlbenhc"),
    "other plugin": (in_header(asked(plugin="vltl")), "does not hold an item of vltl"),
}  # fmt: skip


@pytest.mark.parametrize("name", BAD)
def test_what_is_no_log_of_ours_is_told_in_one_line(scripted, tmp_path, name):
    spoil, why = BAD[name]
    path = tmp_path / f"bad\n\x1b[2J{'x' * 100}.eval"
    shutil.copy(scripted, path)
    spoil(path)
    text = refusal(lambda: studies(path))
    assert "bad\\n\\x1b[2Jxxx" in text
    assert re.search(why, text)


def test_words_that_name_no_log(tmp_path):
    (tmp_path / "empty").mkdir()
    other = tmp_path / "other.json"
    other.write_text('{"version": 2, "items": []}')
    text = tmp_path / "log.txt"
    text.write_text("")
    os.mkfifo(tmp_path / "pipe.eval")
    (tmp_path / "zero.eval").symlink_to("/dev/zero")
    for word, why in [
        (tmp_path / "missing.eval", "there is no such file"),
        (tmp_path / "empty", "holds no log"),
        ("", "the name of a log is empty"),
        (tmp_path / "pipe.eval", "neither a file nor a directory"),
        (tmp_path / "zero.eval", "neither a file nor a directory"),
        ("/dev/null", "neither a file nor a directory"),
        (f"{tmp_path}/a\0b", ""),
        (f"{tmp_path}/{'x' * 5000}", ""),
    ]:
        assert why in refusal(lambda word=word: log_studies.logs_of([str(word)]))
    assert "no log is named" in refusal(lambda: log_studies.logs_of([]))
    assert "not a readable Inspect log" in refusal(lambda: studies(other))
    assert "neither .eval nor .json" in refusal(lambda: studies(text))


def test_more_than_is_read_is_refused(scripted, monkeypatch):
    monkeypatch.setattr(log_samples, "MAX_SAMPLES", 4)
    assert "more than 4 samples" in refusal(lambda: studies(scripted))
    monkeypatch.undo()
    monkeypatch.setattr(log_samples, "CHUNK", 100)
    monkeypatch.setattr(log_samples, "MAX_RECORD", 1000)
    assert "not JSON, or too long" in refusal(lambda: studies(scripted))
    monkeypatch.undo()
    monkeypatch.setattr(logs, "MAX_SUMMARIES", 1000)
    assert "'summaries.json' in it holds" in refusal(lambda: studies(scripted))
    monkeypatch.undo()
    monkeypatch.setattr(log_samples, "MAX_HEADER", 1000)
    assert "at most 1000" in refusal(lambda: studies(scripted))


LISTS = ([], [{}], [{"a": [1, "]}", "é測\U0001f600"], "b": {"c": None}}, {"x": -1.5e300}] * 3)


@pytest.mark.parametrize("chunk", [1, 2, 7, 1000])
def test_a_list_is_read_the_same_in_any_pieces(monkeypatch, chunk):
    monkeypatch.setattr(log_samples, "CHUNK", chunk)
    for value in LISTS:
        for indent in (None, 2):
            text = json.dumps(value, ensure_ascii=False, indent=indent)
            stream = io.BytesIO(f" {text}\n".encode())
            assert list(log_samples._elements(stream)) == value


def test_the_later_of_two_tries_stands(copy):
    path = copy()
    with zipfile.ZipFile(path) as archive:
        found = json.loads(archive.read("summaries.json"))
    later = json.loads(json.dumps(found[0]))
    later["scores"]["verdict"] |= {"value": float("nan"), "answer": None}
    rezipped(
        path,
        lambda name: name != "summaries.json",
        [("summaries.json", json.dumps([*found, later]))],
    )
    rows = {one.id: one.row.outcome for one in study_of(path).series[0].answers}
    assert rows[found[0]["id"]] == "unscored"
    assert len(rows) == 5


def test_equal_parts_are_shared_and_unlike_ones_are_not(sweep):
    pool = log_rows.Pool()
    one, other = {"a": 1}, {"a": True}
    assert pool.object(one) is one
    assert pool.object({"a": 1}) is one
    assert pool.object(other) is other
    answers = study_of(*sweep).series[0].answers
    right = [one.row.value for one in answers if one.row.value["accuracy"] == 1]
    assert len({id(value) for value in right}) <= 1
