"""Engines that crash, hang and eat memory: one item, one outcome, a new worker, and the run goes on."""

import json
import os
import sys
import time
import tracemalloc
from dataclasses import replace
from pathlib import Path

import harness_guard
import pytest
from cases import slow
from harness_tempobench import hoa
from harness_tempobench.machine import Machine
from harness_vltl.engines import equivalence
from inspect_ai.log import read_eval_log

from harness import EngineError
from harness.audit import verify
from harness.cli.main import main
from harness.core import fresh, plugins
from harness.core.installed import GROUP
from harness.core.items import to_json
from harness.core.spec import make
from harness.run import models

TESTS = Path(__file__).parents[1]
TOY = "toy_engines"
SECONDS = 0.5  # for a call that hangs; all others have the time that they need
PATIENCE = 300  # seconds for what a machine that is busy, or stalls, does in the end
NONE = dict.fromkeys(("agree", "contradict", "abstain", "fail", "unscored"), 0)


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """A directory that is to Python what site-packages is after `pip install` of the toy."""
    folder = tmp_path_factory.mktemp("site")
    (folder / "engines_toy.py").write_text(
        f"import toy_engines\n\nglobals().update(toy_engines.Engines({TOY!r}).hooks())\n"
    )
    info = folder / "engines_toy-0.1.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: engines-toy\nVersion: 0.1\n")
    (info / "entry_points.txt").write_text(f"[{GROUP}]\n{TOY} = engines_toy\n")
    return folder


@pytest.fixture(scope="module")
def toy(site):
    """The toy, installed, and its module."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("HARNESS_HOOK_SECONDS", str(PATIENCE))
        for path in (TESTS, TESTS / "toys", site):
            patch.syspath_prepend(path)
        plugins.registry.cache_clear()
        yield __import__("toy_engines")
    for name in ("toy_engines", "engines_toy", "toy_base"):
        sys.modules.pop(name, None)
    plugins.registry.cache_clear()


@pytest.fixture(autouse=True)
def workers(monkeypatch):
    """A pool of this test's own; when it is closed, nothing that any worker started runs on."""
    mark = f"{os.getpid()}-{time.monotonic_ns()}"
    monkeypatch.setenv("HARNESS_MARK", mark)
    with harness_guard.Guard(workers=1) as pool:
        monkeypatch.setattr(harness_guard, "_shared", pool)
        yield pool
    assert gone(mark)


def marked(mark):
    """Return the processes that have a mark in their environment, zombies left out: they have none."""
    found = []
    for path in Path("/proc").glob("[0-9]*/environ"):
        try:
            if f"HARNESS_MARK={mark}".encode() in path.read_bytes().split(b"\0"):
                found.append(int(path.parent.name))
        except OSError:
            continue
    return [pid for pid in found if pid != os.getpid()]


def gone(mark):
    deadline = time.monotonic() + PATIENCE
    while marked(mark) and time.monotonic() < deadline:
        time.sleep(0.05)
    return not marked(mark)


@pytest.fixture
def harness(capfd, monkeypatch):
    monkeypatch.setattr(verify, "SECONDS", PATIENCE)
    monkeypatch.setattr(models, "SECONDS", PATIENCE)

    def command(*words, plugin=TOY):
        code = main([words[0], f"plugin={plugin}", *words[1:], "--json"])
        out, err = capfd.readouterr()
        assert "Traceback" not in err
        return code, json.loads(out), err

    return command


class Clock:
    """Stands still for work that is honest, however slow, and is past every limit once a call hangs."""

    def __init__(self, hanging):
        self._hanging = hanging

    def monotonic(self):
        return 1e6 * len(list(self._hanging.iterdir()))


@pytest.fixture
def hang(harness, monkeypatch, tmp_path):
    """A guarded call of an audit or a model has `SECONDS`, by a clock that only moves when one hangs."""
    hanging = tmp_path / "hanging"
    hanging.mkdir()
    monkeypatch.setenv("HARNESS_HANGS", str(hanging))
    monkeypatch.setattr(harness_guard, "time", Clock(hanging))
    monkeypatch.setattr(verify, "SECONDS", SECONDS)
    monkeypatch.setattr(models, "SECONDS", SECONDS)
    request = (
        harness_guard._request
    )  # by which a worker knows when to end itself, by the true clock
    monkeypatch.setattr(
        harness_guard,
        "_request",
        lambda name, args, _, memory: request(name, args, PATIENCE, memory),
    )


def samples_of(found):
    """Return of each sample, in the order of the items, its problem's fault, its score and what failed it."""
    (log,) = found["logs"]
    log = read_eval_log(log)
    samples = {sample.id: sample for sample in log.samples}
    for own in log.eval.dataset.sample_ids:
        sample = samples[own]
        (score,) = (sample.scores or {"": None}).values()
        yield json.loads(sample.metadata["problem"]).get("fault"), score, sample.error


RUN = ["faults=segfault,hog,hang_natively", "n=7"]
INSIDE = ["faults=segfault,hang_natively", "n=5"]


@slow
def test_a_run_goes_on_when_the_engine_of_a_scorer_fails(toy, harness, tmp_path, workers):
    code, found, _ = harness(
        "run", "hook=score", *RUN, "model=harness/reference", f"log_dir={tmp_path}"
    )
    (result,) = found["results"]
    assert (code, result["n"], result["unscored"], result["unparsed"]) == (1, 7, 3, 0)
    assert result["metrics"]["correct"]["value"] == 1
    for fault, score, error in samples_of(found):
        assert error is None
        if fault is None:
            assert score.value == {"correct": 1, "unparsed": 0}
            continue
        assert score.metadata["outcome"] == "unscored"
        name = toy.parts(fault)[0]
        said = "**Could not be scored** (not the model's fault): "
        assert score.explanation.startswith(f"{said}guard_targets:{name} {toy.FAULTS[fault]}")
    assert workers.call("guard_targets:echo", 1) == 1


@slow
def test_recorded_answers_are_scored_as_a_run_is(toy, harness, tmp_path):
    items, answers = tmp_path / "items.jsonl", tmp_path / "answers.jsonl"
    assert harness("generate", "hook=score", *RUN, f"out={items}")[0] == 0
    told = [json.loads(line) for line in items.read_text().splitlines()]
    rows = [{"id": one["id"], "response": f"Answer: {one['target']}"} for one in told]
    answers.write_text("".join(json.dumps(row) + "\n" for row in rows))
    code, found, _ = harness(
        "score", f"dataset={items}", f"responses={answers}", f"log_dir={tmp_path}"
    )
    assert (code, found["n"], found["unscored"], found["unparsed"]) == (1, 7, 3, 0)
    assert found["metrics"]["correct"]["value"] == 1
    assert sorted(line.split("guard_targets:")[1].split()[0] for line in found["errors"]) == sorted(
        toy.parts(fault)[0] for fault in RUN[0].removeprefix("faults=").split(",")
    )


@slow
@pytest.mark.usefixtures("hang")
def test_a_run_goes_on_when_an_engine_takes_the_worker_with_it(toy, harness, tmp_path):
    code, found, _ = harness(
        "run", "hook=inside", *INSIDE, "model=harness/reference", f"log_dir={tmp_path}"
    )
    (result,) = found["results"]
    assert (code, result["n"], result["unscored"]) == (1, 5, 2)
    for fault, score, error in samples_of(found):
        if fault is None:
            assert (score.value, error) == ({"correct": 1, "unparsed": 0}, None)
        else:
            said = toy.FAULTS[fault].replace("0.4", f"{SECONDS}")
            assert f"harness.run.reference:answer {said}" in error.message
            assert score is None


@slow
@pytest.mark.parametrize("hook", ["solve", "inside"])
def test_an_audit_names_each_engine_that_failed_and_loses_no_opinion(toy, harness, request, hook):
    if hook == "inside":
        request.getfixturevalue("hang")
    faults = list(toy.FAULTS) if hook == "solve" else INSIDE[0].removeprefix("faults=").split(",")
    words = [f"faults={','.join(faults)}"] if hook == "inside" else []
    code, found, _ = harness("verify", f"hook={hook}", f"n={2 * len(faults)}", *words)
    failing, other = ("arithmetic", "digits")[:: 1 if hook == "solve" else -1]
    many = len(faults)
    assert code == 1  # an engine of ours that failed is a finding
    assert (found["agree"], found["kinds"]) == (2 * many, {"engine": many})
    assert found["engines"][failing] == {**NONE, "agree": many, "fail": many}
    assert found["engines"][other] == {**NONE, "agree": 2 * many}
    assert found["prompts"]["same"] == 2 * many
    for finding, fault in zip(found["findings"], faults, strict=True):
        own = (
            f"guard_targets:{toy.parts(fault)[0]}"
            if hook == "solve"
            else "harness.audit.item:examine"
        )
        said = (
            toy.FAULTS[fault] if hook == "solve" else toy.FAULTS[fault].replace("0.4", f"{SECONDS}")
        )
        assert finding["message"].startswith(f"{failing}: {own} {said}")
        assert finding["where"] == f"item {2 * faults.index(fault) + 1}"


@slow
def test_an_audit_goes_on_when_the_scorer_cannot_judge(toy, harness):
    code, found, _ = harness("verify", "hook=score", "faults=segfault", "n=3")
    assert (code, found["agree"], found["unscored"], found["wrong"]) == (1, 2, 1, 0)
    assert found["kinds"] == {"unscored": 2}
    assert {one["message"].partition(": ")[2] for one in found["findings"]} == {
        f"guard_targets:segfault {toy.FAULTS['segfault']}"
    }


@slow
def test_an_engine_that_kills_its_parent_costs_an_audit_one_opinion(toy, harness):
    code, found, _ = harness("verify", "hook=solve", "faults=kill_parent", "n=3")
    assert (code, found["agree"], found["kinds"]) == (1, 3, {"engine": 1})
    assert found["findings"][0]["message"] == (
        "arithmetic: harness.audit.item:examine was killed by signal 9 (SIGKILL)"
    )


def test_a_crash_in_generation_is_one_line_and_keeps_what_is_finished(
    toy, harness, tmp_path, monkeypatch
):
    out = tmp_path / "items.jsonl"
    words = ["hook=generate", "faults=segfault", "n=5", f"out={out}"]
    for _ in range(2):  # the same command tries the same item again
        code, found, err = harness("generate", *words)
        assert code == 1
        assert found["error"]["kind"] == "EngineError"
        assert found["error"]["message"] == (
            f"plugin '{TOY}': item 1 cannot be generated: "
            f"guard_targets:segfault {toy.FAULTS['segfault']}"
        )
        assert err == f"harness: {found['error']['message']}\n"
        assert not out.exists()
        (line,) = out.with_name("items.jsonl.partial").read_text().splitlines()
        assert json.loads(line)["index"] == 0
    # An engine that was mended: what is finished stays, and the rest comes.
    monkeypatch.setattr(toy.Engines, "befall", lambda *_: None)
    assert harness("generate", *words)[0] == 0
    assert out.read_text().splitlines()[0] == line
    assert len(out.read_text().splitlines()) == 5


def examined(plugin, item, unbounded=None):
    """Return what an audit's worker says of Spot's opinion, its own bounds lifted if so asked."""
    call = ("harness.audit.item:examine", plugin, item.to_dict(), ["engine:spot"])
    if unbounded is None:
        return harness_guard.call(call[0], *call[1:], seconds=PATIENCE)["engine:spot"]
    limits, within = unbounded
    return harness_guard.call(
        "guard_targets:unbounded", call[0], limits, *call[1:], seconds=within
    )["engine:spot"]


@pytest.fixture
def made(monkeypatch):
    monkeypatch.syspath_prepend(TESTS)

    def one(name, **config):
        plugin = plugins.registry().get(name)
        return plugin, next(fresh.items(plugin, make(plugin, {"n": 1, **config})))

    return one


@slow
def test_real_spot_without_its_bounds_costs_one_opinion(made):
    _, item = made("ltlbench")
    formula = ["F", 1]
    for event in range(2, 25):  # !(F e1 & … & F e24) would take all memory
        formula = ["&", ["F", event], formula]
    problem = {**item.problem, "events": 30, "initial": 1, "formula": ["!", formula]}
    hard = replace(item, problem=problem, id="")
    assert examined("ltlbench", hard)["opinion"] == "abstain"
    with pytest.raises(EngineError, match=r"^guard_targets:unbounded ran longer than 0.8 s$"):
        examined("ltlbench", hard, ({}, 0.8))
    assert examined("ltlbench", item)["opinion"] == "agree"


@slow
def test_real_spot_without_its_bounds_in_a_worker_of_a_worker(made):
    _, item = made("tempobench", task="tce", length=4)
    inputs = [f"i{number}" for number in range(12)]
    rows = [
        tuple(((state + letter % 2) % 200, letter >> 1 & 1) for letter in range(1 << 12))
        for state in range(200)
    ]
    text = hoa.write(Machine(tuple(inputs), ("o",), 0, tuple(rows)))
    effect = {"output": "o", "value": True, "step": 1}
    trace = [["i0"], ["i1", "o"]]
    problem = {"task": "tce", "hoa": text, "trace": trace, "effect": effect, "label": "full"}
    wide = replace(item, problem=problem, id="")
    found = examined("tempobench", wide, ({"seconds": 1, "memory_mb": 2048}, PATIENCE))
    assert found == {"opinion": "fail", "message": "guard_targets:unbounded ran longer than 1 s"}
    assert examined("tempobench", wide) == {
        "opinion": "abstain",
        "message": "spot: 200 states and 12 inputs are beyond its bounds",
    }
    assert examined("tempobench", item)["opinion"] == "agree"


@slow
def test_an_answer_that_spot_cannot_compare_is_unscored(made, monkeypatch):
    monkeypatch.setattr(equivalence, "SECONDS", PATIENCE)  # it is its effort that is to end it
    plugin, item = made("vltl", task="translate")
    wide = " & ".join(f"((q{i} U (r{i} U s{i})) | G (s{i} -> F q{i}))" for i in range(11))
    said = f"Answer: ({item.target}) & !(({wide}) & (a U b) & G !b)"  # it means the same
    verdict = plugin.call("score", item=item, completion=said)
    assert (verdict.outcome, "effort over" in verdict.explanation) == ("unscored", True)
    real, limits = harness_guard.call, {"seconds": 1, "memory_mb": 4096}
    with monkeypatch.context() as patch:
        patch.setattr(
            harness_guard,
            "call",
            lambda function, *args, **_: real(
                "guard_targets:unbounded", function, limits, *args, **limits
            ),
        )
        verdict = plugin.call("score", item=item, completion=f"{said} ")
    assert verdict.outcome == "unscored"
    assert verdict.explanation == "`guard_targets:unbounded ran longer than 1 s`"
    assert (
        plugin.call("score", item=item, completion=f"Answer: {item.target}").value["correct"] == 1
    )


@slow
def test_a_huge_or_deep_record_is_one_line_in_little_memory(made, harness, tmp_path):
    _, item = made("ltlbench")
    path = tmp_path / "items.jsonl"
    bad = replace(item, problem={**item.problem, "edges": ["x"] * 200_000}, id="")
    deep = to_json(item).replace('"notes":{', '"notes":{"deep":' + "[" * 700 + "]" * 700 + ",", 1)
    deep = deep.replace(",}", "}")
    path.write_text(f"{to_json(bad)}\n{deep}\n{to_json(item)}\n")
    tracemalloc.start()
    code, found, _ = harness("verify", f"dataset={path}", plugin="ltlbench")
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert (found["records"], found["unreadable"], found["agree"]) == (3, 2, 1)
    assert [one["message"] for one in found["findings"] if one["kind"] == "unreadable"] == [
        "problem.edges.0: 'x' is not of type 'array'",
        "nested more than 500 levels deep",
    ]
    assert code == 1
    assert most < 100_000_000
