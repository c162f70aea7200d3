"""Runs in shards: many logs, one result; finished shards are kept, and no answer is asked for twice."""

import json
import os
import signal
import threading
import time
import zipfile
from collections import Counter
from contextlib import suppress
from pathlib import Path

import psutil
import pytest
from cases import each, slow
from children import forked
from harness_errors import SpecError
from openai_server import completion, failure, serving

from harness.cli.main import main
from harness.core.plugins import registry
from harness.core.spec import make
from harness.datasets.engines import Local
from harness.report import log_studies
from harness.rerun import run_shards, shard_process, slices
from harness.run import inspect_task

# Some items are drawn again, and worked examples have problems that items have, too.
KEYS = ("plugin=ltlbench", "events=2", "operators=1", "twins=false", "n=12", "seed=3")


@pytest.fixture
def call(capsys):
    """Call a command with --json; return (exit code, the object on standard output, standard error)."""

    def run(*words):
        capsys.readouterr()
        code = main([*words, "--json"])
        found = capsys.readouterr()
        return code, json.loads(found.out), found.err

    return run


def logs_in(folder):
    return sorted(Path(folder).glob("*.eval"))


def same(one, other):
    """Return what of two results differs, apart from where the logs lie."""
    aside = {"log", "shards", "fingerprint"}
    return {key for key in one if key not in aside and one[key] != other[key]}


@slow
def test_shards_together_are_the_run_in_one_log(call, shards_here, tmp_path):
    words = (*KEYS, "strategy=few_shot")
    _, one, _ = call("run", *words, f"log_dir={tmp_path / 'one'}")
    code, many, said = call("run", *words, f"log_dir={tmp_path / 'many'}", "shards=2", "workers=1")
    assert code == 0
    (whole,), (parts,) = one["results"], many["results"]
    assert not same(whole, parts)
    assert parts["n"] == 12
    assert [Path(log) for log in many["logs"]] == [Path(log) for log in parts["shards"]]
    assert len(logs_in(tmp_path / "many")) == 2
    assert "[2/2] shard" in said
    assert not list((tmp_path / "many").glob(".shards*"))
    (study,) = log_studies.load(logs_in(tmp_path / "many") + logs_in(tmp_path / "one"), print)
    first, second = study.series
    assert [one.id for one in first.answers] == [one.id for one in second.answers]


def test_twins_of_items_of_any_shard_are_no_worked_examples():
    """What the shards are told to avoid leads each of them to the examples of the whole run."""
    plugin = registry().get("ltlbench")
    spec = make(plugin, {"events": 8, "operators": 3, "strategy": "few_shot", "shots": 3})
    four = inspect_task.examples(plugin, spec, 4, lambda problem: False)[0]
    elsewhere = four[
        3
    ].problem_id  # an item of another shard, twin of what would be the last example
    whole, _ = inspect_task.examples(plugin, spec, 3, elsewhere.__eq__)
    avoided = run_shards._avoided(plugin, spec, elsewhere.__eq__)
    shard, _ = inspect_task.examples(plugin, spec, 3, avoided.__contains__)
    assert [item.id for item in shard] == [item.id for item in whole]
    assert four[2].id not in {item.id for item in whole}


@slow
def test_epochs_in_shards_are_those_of_one_log(call, shards_here, tmp_path):
    words = (*KEYS[:-2], "n=4", "seed=3", "epochs=3", "model=harness/random")
    _, one, _ = call("run", *words, f"log_dir={tmp_path / 'one'}")
    _, many, _ = call("run", *words, f"log_dir={tmp_path / 'many'}", "shards=2", "workers=1")
    (whole,), (parts,) = one["results"], many["results"]
    assert not same(whole, parts)
    assert parts["repeats"]["epochs"] == 3


@slow
def test_recorded_answers_in_shards_are_counted_once(call, shards_here, tmp_path):
    data, said = tmp_path / "items", tmp_path / "said.jsonl"
    assert main(["generate", *KEYS, "shards=2", "workers=1", f"out={data}"]) == 0
    lines = [line for part in sorted(data.glob("part*")) for line in part.read_text().splitlines()]
    items = [json.loads(line) for line in lines]
    answers = [{"id": item["id"], "response": f"Answer: {item['target']}"} for item in items]
    # Of the first shard nobody answered anything; of the second, one is left out, one comes twice.
    answers = [*answers[6:11], answers[8], {"id": "nobody", "response": "True"}]
    said.write_text("".join(json.dumps(one) + "\n" for one in answers) + "{\n")
    words = (
        "score",
        "plugin=ltlbench",
        f"dataset={data}",
        f"responses={said}",
        "convention=published",
    )
    code, one, _ = call(*words, f"log_dir={tmp_path / 'one'}")
    again, many, _ = call(*words, f"log_dir={tmp_path / 'many'}", "shards=2", "workers=1")
    assert (code, again) == (1, 1)
    assert not same(one, many) - {"responses", "view", "dataset"}
    counts = {key: many["responses"][key] for key in one["responses"]}
    for told in (one["responses"], counts):
        for key in ("file", "missing"):
            told[key] = told[key]["count"] if key == "missing" else ""
    assert counts == one["responses"]


class Provider:
    """The local server: how often each prompt was asked; ``act`` may answer in another way.

    It is given the request's number, from 1, and its prompt; what it raises is kept for the test.
    """

    def __init__(self):
        self.asked = Counter()
        self.act = lambda number, prompt: None
        self.raised = []

    def __call__(self, request, number):
        prompt = request["messages"][-1]["content"]
        self.asked[prompt] += 1
        try:
            return self.act(number + 1, prompt) or completion("Answer: True")
        except BaseException as error:
            self.raised.append(error)
            raise


@pytest.fixture
def provider(monkeypatch):
    own = Provider()
    with serving(own) as found:
        monkeypatch.setenv("LOCAL_API_KEY", "none")
        monkeypatch.setenv("LOCAL_BASE_URL", found.url)
        yield own


ASK = ("run", *KEYS, "model=openai-api/local/test", "max_connections=1", "shards=2", "workers=1")


PROCESS = Local.process


def driver(folder):
    """Run the shards, each in a process of its own."""
    Local.process = PROCESS
    return main([*ASK, f"log_dir={folder}"])


def until(true, what):
    end = time.monotonic() + 120
    while not true():
        assert time.monotonic() < end, what
        time.sleep(0.05)


def ended(processes):
    """Wait until none of these processes runs any more."""

    def runs(one):
        with suppress(psutil.NoSuchProcess):
            return psutil.Process(one).status() != psutil.STATUS_ZOMBIE
        return False

    until(lambda: not any(map(runs, processes)), "a process does not end")


def shards_of(process):
    """Return the processes that run its shards now."""
    found = []
    for one in psutil.Process(process).children():
        with suppress(psutil.NoSuchProcess, psutil.ZombieProcess):
            if "harness.rerun.shard_process" in one.cmdline():
                found.append(one.pid)
    return found


def kept(folder):
    """Return how many finished samples all logs have, as they lie on the disk at this moment."""
    found = 0
    for log in logs_in(folder):
        with suppress(zipfile.BadZipFile, OSError), zipfile.ZipFile(log) as archive:
            found += sum(name.startswith("samples/") for name in archive.namelist())
    return found


def first_alone(self, request, module):
    """Run the first shard in this process, and be interrupted at the second."""
    if request["values"]["shard"].startswith("1/"):
        return shard_process._evaluate(request)
    raise KeyboardInterrupt


def test_a_killed_run_goes_on_and_asks_nothing_twice(
    call, shards_here, provider, monkeypatch, tmp_path
):
    with monkeypatch.context() as patch:
        patch.setattr(Local, "process", first_alone)
        assert call(*ASK, f"log_dir={tmp_path}")[0] == 130
    assert provider.asked.total() == kept(tmp_path) == 6
    below, over = [], threading.Event()

    def slow(number, _):
        if provider.asked.total() == 8:
            # A request says that the answer before it arrived, not that it is written down.
            until(lambda: kept(tmp_path) == 7, "the seventh answer is not kept")
            below.extend(shards_of(process.pid))
            process.kill()
            ended(below)
            over.set()

    provider.act = slow
    with forked(
        lambda: driver(tmp_path), tmp_path.parent / "said"
    ) as process:  # of the second shard
        process.join(600)
    assert over.wait(150), provider.raised  # until then the shard writes its log
    assert len(below) == 1
    provider.act = lambda number, prompt: None
    before = provider.asked.copy()
    (left,) = call(*ASK, f"log_dir={tmp_path}", "dry_run=yes")[1]["dry_run"]
    assert (left["calls"], left["there"]) == (5, 7)
    code, found, said = call(*ASK, f"log_dir={tmp_path}")
    assert code == 0
    assert "1 of 2 shards are finished" in said
    twice = [prompt for prompt, count in provider.asked.items() if count > 1]
    assert len(twice) <= 1  # the one that was under way
    assert before.total() == 8
    assert len(provider.asked) == found["results"][0]["n"] == 12
    (study,) = log_studies.load(logs_in(tmp_path), print)
    (series,) = study.series
    assert len(series.answers) == 12
    known = provider.asked.total()
    code, again, said = call(*ASK, f"log_dir={tmp_path}")
    assert (code, again, provider.asked.total()) == (0, found, known)
    assert f"this run is finished in {tmp_path}; nothing is asked, again=yes asks anew" in said
    assert call(*ASK, f"log_dir={tmp_path}", "again=yes")[0] == 0
    assert provider.asked.total() == known + 12


@slow
def test_ctrl_c_stops_the_shards_and_a_shard_whose_process_dies_is_begun_again(
    provider, capsys, tmp_path
):
    own = os.getpid()
    seen = []

    def kill(number, _):
        if number == 3:
            until(lambda: kept(tmp_path) == 2, "the second answer is not kept")
            seen.extend(shards_of(own))
            os.kill(seen[-1], signal.SIGKILL)
        if number == 5:  # the shard's second try
            seen.extend(shards_of(own))
            os.kill(own, signal.SIGINT)
            ended(seen)  # without an answer: it asks nothing more

    provider.act = kill
    code = main([*ASK, f"log_dir={tmp_path}"])
    _, said = capsys.readouterr()
    assert not provider.raised
    assert code == 130
    assert said.splitlines()[-1].startswith("harness: interrupted")
    assert "Traceback" not in said
    assert provider.asked.total() == 5
    assert len([prompt for prompt, count in provider.asked.items() if count > 1]) <= 1
    assert len(set(seen)) == 2
    ended(seen)


@slow
def test_samples_without_an_answer_are_asked_for_again_and_told_of(
    call, shards_here, provider, tmp_path
):
    bad = []

    def refuse(number, prompt):
        bad.append(prompt) if not bad else None
        return failure(400, "not this one") if prompt == bad[0] else None

    provider.act = refuse
    code, found, _ = call(*ASK, f"log_dir={tmp_path}")
    assert code == 1
    (result,) = found["results"]
    assert (result["n"], result["unscored"], result["failed"]) == (12, 1, 1)
    assert "not this one" in result["errors"][0]
    assert provider.asked[bad[0]] == 3
    assert {count for prompt, count in provider.asked.items() if prompt != bad[0]} == {1}
    provider.act = lambda number, prompt: None
    (left,) = call(*ASK, f"log_dir={tmp_path}", "dry_run=yes")[1]["dry_run"]
    assert (left["calls"], left["there"]) == (1, 11)
    code, found, said = call(*ASK, f"log_dir={tmp_path}")
    assert code == 0
    assert "1 of 2 shards are finished" in said
    assert provider.asked[bad[0]] == 4
    assert {count for prompt, count in provider.asked.items() if prompt != bad[0]} == {1}
    (study,) = log_studies.load(logs_in(tmp_path), print)
    (series,) = study.series
    assert Counter(one.row.outcome for one in series.answers) == {"scored": 12}


@each(
    "words, message",
    [
        (["shards=13"], "shards=13: at most 12, the number of items"),
        (["shards=0"], "shards=0: the least is 1"),
        (["shards=2", "unique=false"], "leave unique=false out"),
        (["workers=2"], "workers=2 goes with shards=N"),
        (["engine=ray"], "engine=ray goes with shards=N"),
        (["shards=2", "engine=slurm"], "engine=slurm; known: local, ray"),
        (["shards=2", "address=auto"], "it goes with engine=ray"),
        (["shard=1/2"], "'shard' does not apply"),
        (["shards=2", "model=nobody/x"], "nobody"),
    ],
)
def test_what_does_not_go_with_shards_is_one_line(call, tmp_path, words, message):
    code, found, _ = call("run", *KEYS, f"log_dir={tmp_path / 'logs'}", *words)
    assert code == 2
    assert message in found["error"]["message"]
    assert not logs_in(tmp_path / "logs")


def test_more_items_than_there_are_is_one_line_at_once(call, tmp_path):
    words = (
        "plugin=ltlbench",
        "events=2",
        "operators=1",
        "twins=false",
        "n=1000000000",
        "shards=2",
    )
    code, found, _ = call("run", *words, f"log_dir={tmp_path / 'logs'}")
    assert (code, found["error"]["kind"]) == (2, "ExhaustedError")
    assert "can yield 128 distinct items" in found["error"]["message"]


def test_answers_in_shards_need_a_dataset(call, tmp_path):
    said = tmp_path / "said.jsonl"
    said.write_text('{"id": "x", "response": "True"}\n')
    code, found, _ = call("score", *KEYS, f"responses={said}", "shards=2", f"log_dir={tmp_path}")
    assert (code, found["error"]["kind"]) == (2, "SpecError")
    assert "needs dataset=" in found["error"]["message"]


def test_slices_cover_all_positions_once_and_bad_ones_are_refused():
    for total, shards in ((24, 1), (24, 7), (24, 24), (1_000_003, 999)):
        parts = [slices.of(number, shards, total) for number in range(1, shards + 1)]
        assert [place for part in parts for place in part] == list(range(total))
        assert max(map(len, parts)) - min(map(len, parts)) <= 1
    plugin = registry().get("ltlbench")
    for bad in ("0/3", "4/3", "a", "1/0", "1/3/3", "1" * 30, "-1/3"):
        with pytest.raises(SpecError, match="expected k/N"):
            slices.places(make(plugin, {"n": 9, "shard": bad}))
    with pytest.raises(SpecError, match="expected index:attempt"):
        list(slices.items(plugin, make(plugin, {"n": 9, "shard": "1/3", "redrawn": "1:x"})))


def test_whatever_decides_a_log_tells_one_set_of_shards_from_another(tmp_path, monkeypatch):
    plugin, data, context = registry().get("ltlbench"), tmp_path / "d.jsonl", tmp_path / "c.txt"
    assert main(["generate", "plugin=ltlbench", "n=3", f"out={data}"]) == 0
    Path(f"{data}.manifest.json").unlink()
    context.write_text("one")
    words = {"dataset": str(data), "context": str(context), "shards": 2, "log_dir": "logs"}

    def known():
        spec = make(plugin, words)
        return run_shards._place(spec, run_shards.prepare(plugin, spec, None))

    first = known()
    assert known() == first
    monkeypatch.chdir(tmp_path)
    Path("link.jsonl").symlink_to(data)
    words |= {"dataset": "link.jsonl", "context": "c.txt"}
    assert known() == first  # the same files by other paths
    items = [json.loads(line) for line in data.read_text().splitlines()]
    items[0]["features"]["operators"] = 99  # no part of the id
    data.write_text("".join(json.dumps(item) + "\n" for item in items))
    second = known()
    context.write_text("two")
    third = known()
    monkeypatch.setitem(plugin.wrappers, "toy", "1.0")
    assert len({first, second, third, known()}) == 4
