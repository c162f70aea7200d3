"""Runs that are interrupted, and go on: nothing lost, nothing counted or paid for twice, nothing mixed up."""

import gc
import json
import multiprocessing
import os
import shutil
import signal
import subprocess
import threading
from collections import Counter
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path

import pytest
from cases import each, slow
from children import forked, until
from inspect_ai import eval_retry
from inspect_ai.log import read_eval_log, write_eval_log
from openai_server import completion, failure, serving

from harness.cli.main import main
from harness.core import fresh
from harness.core.items import Item, to_json
from harness.core.plugins import registry
from harness.core.spec import make
from harness.report import log_studies
from harness.rerun import run_logs
from harness.run import evaluation

MODEL = "model=openai-api/local/test"
N = 6


class Provider:
    """The local server: how often each prompt was asked, and what becomes of the next ones."""

    def __init__(self):
        self.asked = Counter()
        self.act = lambda number: None
        self.lock = threading.Lock()

    def __call__(self, request, number):
        with self.lock:  # two requests at once have two numbers
            self.asked[request["messages"][-1]["content"]] += 1
            count = self.asked.total()
        return self.act(count) or completion("Answer: True")

    def begin(self, act=lambda number: None):
        self.asked.clear()
        self.act = act


@pytest.fixture(scope="module")
def server():
    provider = Provider()
    with serving(provider) as found, pytest.MonkeyPatch.context() as patch:
        patch.setenv("LOCAL_API_KEY", "none")
        patch.setenv("LOCAL_BASE_URL", found.url)
        yield provider


@pytest.fixture(scope="module")
def items(tmp_path_factory):
    path = tmp_path_factory.mktemp("items") / "items.jsonl"
    assert main(["generate", "plugin=ltlbench", f"n={N}", f"out={path}", "--json"]) == 0
    Path(f"{path}.manifest.json").unlink()  # it holds a checksum, and these tests change the file
    return path


@pytest.fixture
def run(capsys):
    """Call `harness run … --json`; return (exit code, the object on standard output, standard error)."""

    def call(folder, *words):
        capsys.readouterr()
        own = ["run", "plugin=ltlbench", MODEL, "max_connections=1", f"log_dir={folder}", "--json"]
        code = main([*own, *words])
        said = capsys.readouterr()
        return code, json.loads(said.out), said.err

    return call


def logs_in(folder):
    return sorted(folder.glob("*.eval"))


def counted(folder):
    """Return how many answers a report counts in each series of a folder's logs."""
    (study,) = log_studies.load(log_studies.logs_of([str(folder)]), lambda line: None)
    return [len(one.answers) for one in study.series]


@contextmanager
def snapshot(server, folder, place, after):
    """Copy the log to a place when `after` answers are in: what a SIGKILL would leave at that moment."""

    def act(number):
        if number == after + 1:
            place.mkdir(exist_ok=True)
            (log,) = logs_in(folder)
            shutil.copy(log, place / f"{after}-{log.name}")

    server.begin(act)
    yield
    server.begin()


@pytest.fixture
def half(server, run, base, items, tmp_path):
    """Return a folder with a log of a run that ends after some answers; without words it is that of the items."""

    def call(*words, after=3, place=tmp_path / "half"):
        if not words and after == 3:
            server.begin()
            return shutil.copytree(base, place)
        whole = tmp_path / f"whole-{after}"
        with snapshot(server, whole, place, after):
            code, _, _ = run(whole, *(words or [f"dataset={items}"]))
        assert code == 0
        return place

    return call


def words_of(folder):
    return ["run", "plugin=ltlbench", MODEL, f"n={N}", "max_connections=2", f"log_dir={folder}"]


# ------------------------------------------------------------------------------- being ended


def killed(server, folder, over):
    """Kill a process that writes every sample down at once."""
    server.begin(
        lambda count: over.wait(600) if count > 3 else None
    )  # no answer before it has ended

    def work():
        evaluation.FLUSHES = 1
        return main(words_of(folder))

    with forked(work, said := folder.parent / "said") as process:
        # Two at a time, and none is asked before one is judged and kept: by then three are.
        until(lambda: server.asked.total() >= 5 or not process.is_alive())
        process.kill()
        process.join(600)
    over.set()
    assert (process.exitcode, said.read_text()) == (-9, "")


def terminated(server, folder, over, capsys):
    """Have this process told to end; the log is written late: finished samples are in Inspect's buffer alone."""

    def late(count):
        if count == 5:
            os.kill(os.getpid(), signal.SIGTERM)
        if count > 3:
            over.wait(600)

    server.begin(late)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(evaluation, "FLUSHES", 1000)
        code = main(words_of(folder))
    over.set()
    out, err = capsys.readouterr()
    assert (code, out) == (143, "")
    (line,) = err.splitlines()
    assert "; finished samples are kept in" in line
    assert "the same command goes on with them" in line


@slow
@each("how", ["term", "kill"])  # the fork has what the other imported
def test_a_run_that_is_ended_goes_on_and_asks_no_finished_sample_again(
    server, run, capsys, tmp_path_factory, how
):
    folder, over = tmp_path_factory.mktemp("ended"), threading.Event()
    if how == "kill":
        killed(server, folder, over)
    else:
        terminated(server, folder, over, capsys)
    before = Counter(server.asked)
    (left,) = logs_in(folder)
    server.act = lambda count: None
    code, found, err = run(folder, f"n={N}")
    assert (code, found["results"][0]["n"], found["results"][0]["unscored"]) == (0, N, 0)
    assert f"going on with {left}: 3 of {N} samples are there" in err
    assert len(server.asked) == N
    again = [prompt for prompt, count in server.asked.items() if count > 1]
    assert len(again) <= 2  # those under way: at most max_connections
    assert set(again) <= set(before)
    assert max(server.asked.values()) <= 2
    (log,) = logs_in(folder)  # the half one is in it
    assert log != left
    assert [path.name for path in folder.iterdir()] == [log.name]
    assert counted(folder) == [N]
    assert sum(u.output_tokens for u in read_eval_log(str(log)).stats.model_usage.values()) == 2 * N


@slow
def test_what_reached_the_log_is_every_finished_sample(server, run, half):
    folder = half(after=4)
    (log,) = logs_in(folder)
    kept = read_eval_log(str(log))
    assert (kept.status, len(kept.samples)) == ("started", 4)


@slow
def test_a_run_goes_on_twice_and_is_counted_once(server, run, half, items, tmp_path):
    folder, place = half(after=2), tmp_path / "again"
    (first,) = logs_in(folder)

    def second(number):
        if number == 3:  # of the second try, which has 2 of its own by then
            place.mkdir()
            shutil.copy(first, place)
            shutil.copy(*set(logs_in(folder)) - {first}, place)

    server.begin(second)
    assert run(folder, f"dataset={items}")[0] == 0
    assert server.asked.total() == N - 2
    assert len(logs_in(place)) == 2
    server.begin()
    code, _, err = run(place, f"dataset={items}")
    assert (code, f"4 of {N} samples are there" in err) == (0, True)
    assert server.asked.total() == N - 4
    assert len(logs_in(place)) == 1
    assert counted(place) == [N]


def test_a_finished_run_is_not_paid_for_again(server, run, items, tmp_path):
    server.begin()
    first = run(tmp_path, f"dataset={items}")
    assert first[0] == 0
    (log,) = logs_in(tmp_path)
    code, found, err = run(tmp_path, f"dataset={items}")
    assert (code, found) == first[:2]
    assert err == f"this run is finished: {log}; nothing is asked, again=yes asks anew\n"
    assert server.asked.total() == N
    assert logs_in(tmp_path) == [log]
    copy = shutil.copy(items, tmp_path / "copy.jsonl")  # the same run, wherever the file lies
    assert run(tmp_path, f"dataset={copy}") == (code, found, err)
    assert server.asked.total() == N
    for word, times in (("again=yes", 2), ("resume=no", 3)):
        assert run(tmp_path, f"dataset={items}", word)[0] == 0
        assert set(server.asked.values()) == {times}
    assert counted(tmp_path) == [N, N, N]
    run(tmp_path, f"dataset={items}", "temperature=0.5")  # another run
    assert server.asked.total() == 4 * N


def test_again_goes_on_with_a_run_that_is_not_finished(server, run, half, items):
    folder = half()
    server.begin()
    _, _, err = run(folder, f"dataset={items}", "again=yes")
    assert "going on with" in err
    assert server.asked.total() == N - 3


def test_the_embedded_models_cost_nothing_and_run_again(tmp_path):
    for count in (1, 2):
        assert main(["run", "plugin=ltlbench", "n=2", f"log_dir={tmp_path}"]) == 0
        assert len(logs_in(tmp_path)) == count


def test_no_resume_starts_anew_and_leaves_the_half_log_alone(server, run, half, items):
    folder = half()
    (left,) = logs_in(folder)
    content = left.read_bytes()
    _, _, err = run(folder, f"dataset={items}", "resume=no")
    assert "going on" not in err
    assert server.asked.total() == N
    assert left.read_bytes() == content
    server.begin()
    run(folder, f"dataset={items}")  # one of the two is finished
    assert server.asked.total() == 0
    assert left.exists()


@slow
def test_the_same_command_asks_again_only_for_what_the_provider_failed_on(
    server, run, items, tmp_path
):
    server.begin(lambda number: failure(400) if number in (2, 5) else None)
    code, found, _ = run(tmp_path, f"dataset={items}")
    assert (code, found["results"][0]["unscored"]) == (1, 2)
    server.begin()
    code, found, err = run(tmp_path, f"dataset={items}")
    assert (code, found["results"][0]["unscored"]) == (0, 0)
    assert f"4 of {N} samples are there" in err
    assert list(server.asked.values()) == [1, 1]
    assert counted(tmp_path) == [N]
    server.begin()
    run(tmp_path, f"dataset={items}")
    assert server.asked.total() == 0


@slow
def test_a_sweep_that_is_interrupted_repeats_no_run_that_is_finished(server, run, tmp_path):
    words = ("n=3", "seed=1,2,3", "max_retries=0")
    over = threading.Event()

    def interrupt(number):
        if number == 5:
            os.kill(os.getpid(), signal.SIGINT)
            over.wait(120)  # no answer comes before the interrupt is heeded

    server.begin(interrupt)
    code, _, _ = run(tmp_path, *words)
    over.set()
    assert code == 130
    assert len(logs_in(tmp_path)) == 2
    server.act = lambda number: None
    code, found, err = run(tmp_path, *words)
    assert (code, len(set(found["logs"])), len(logs_in(tmp_path))) == (0, 3, 3)
    assert f"this run is finished: {logs_in(tmp_path)[0]}; nothing is asked" in err
    assert sorted(server.asked.values()) == [*[1] * 8, 2]  # the one under way
    assert [one["n"] for one in found["results"]] == [3, 3, 3]
    assert not list(tmp_path.glob(".*"))
    server.begin(lambda number: failure(400) if number == 5 else None)
    assert run(tmp_path, *words, "again=yes")[0] == 1
    assert server.asked.total() == 9


@slow
@pytest.mark.parametrize("key", ["samples", "epochs"])
def test_several_answers_go_on_within_an_item(server, run, half, tmp_path, key):
    words = ("n=2", f"{key}=3")
    folder = half(*words, after=4)
    code, found, err = run(folder, *words)
    assert (code, server.asked.total()) == (0, 2)
    assert "4 of 6 samples are there" in err
    (log,) = logs_in(folder)
    assert len({(one.id, one.epoch) for one in read_eval_log(str(log)).samples}) == 6
    assert found["results"][0]["n"] == 2


@slow
def test_another_number_of_epochs_is_another_run(server, run, half):
    folder = half("n=2", "epochs=3", after=4)
    (left,) = logs_in(folder)
    server.begin()
    code, found, _ = run(folder, "n=2", "epochs=2")
    assert (code, server.asked.total(), left.exists()) == (0, 4, True)
    assert found["results"][0]["repeats"]["epochs"] == 2


@slow
def test_an_answer_of_an_epoch_that_failed_is_told_of_and_asked_again_alone(server, run, tmp_path):
    words = ("n=2", "epochs=3")
    server.begin(lambda number: failure(400) if number == 2 else None)
    code, found, _ = run(tmp_path, *words)
    (result,) = found["results"]
    assert (code, result["n"], result["unscored"], result["failed"]) == (1, 2, 0, 1)
    assert result["errors"]
    server.begin()
    code, found, err = run(tmp_path, *words)
    assert (code, server.asked.total(), found["results"][0]["failed"]) == (0, 1, 0)
    assert "5 of 6 samples are there" in err
    assert counted(tmp_path) == [2]


@slow
def test_fewer_connections_are_the_same_run_and_the_model_given_now_is_asked(
    server, run, half, items, monkeypatch
):
    folder = half()
    other = Provider()
    with serving(other) as found:
        monkeypatch.setenv("LOCAL_BASE_URL", found.url)
        run(folder, f"dataset={items}", "max_retries=1")
    assert (server.asked.total(), other.asked.total()) == (0, N - 3)


# ------------------------------------------------------------------------------- nothing mixed up


def records(items):
    return [Item.from_dict(json.loads(line)) for line in items.read_text().splitlines()]


def write(path, found):
    path.write_text("".join(f"{to_json(item)}\n" for item in found))


def another():
    plugin = registry().get("ltlbench")
    return next(iter(fresh.items(plugin, make(plugin, {"n": 1, "seed": 9}))))


def flipped(item):
    return replace(
        item, target={"True": "False", "False": "True"}[item.target.split(":")[0]], id=""
    )


def reworded(item):
    return replace(item, prompt=f"{item.prompt}\n\nTake care.", id="")


def noted(item):
    return replace(item, features={**item.features, "operators": 99})


@slow
@each(
    "name, change, said",
    [
        ("a record", lambda found: [*found[:-1], another()], True),
        ("a label", lambda found: [flipped(found[0]), *found[1:]], True),
        ("a prompt", lambda found: [*found[:-1], reworded(found[-1])], True),
        (
            "a feature, which is no part of the id",
            lambda found: [noted(found[0]), *found[1:]],
            True,
        ),
        ("the order", lambda found: found[::-1], True),
        ("one less", lambda found: found[:-1], True),
    ],
)
def test_answers_are_never_mixed_with_a_changed_dataset(
    server, run, base, items, tmp_path_factory, name, change, said
):
    changed = change(records(items))
    assert_all_anew(server, run, base, items, tmp_path_factory.mktemp("x"), changed, said)


@pytest.fixture(scope="module")
def base(server, items, tmp_path_factory):
    """A half log of `items`, made once."""
    whole, place = tmp_path_factory.mktemp("whole"), tmp_path_factory.mktemp("base")
    with snapshot(server, whole, place, 3):
        words = [MODEL, "max_connections=1", f"log_dir={whole}", f"dataset={items}"]
        assert main(["run", "plugin=ltlbench", *words]) == 0
    return place


def assert_all_anew(server, run, base, items, folder, changed, said):
    shutil.copytree(base, folder, dirs_exist_ok=True)
    (left,) = logs_in(folder)
    content = left.read_bytes()
    kept = items.read_text()
    try:
        write(items, changed)
        server.begin()
        code, found, err = run(folder, f"dataset={items}")
    finally:
        items.write_text(kept)
    assert (code, found["results"][0]["n"]) == (0, len(changed))
    assert server.asked == Counter(item.prompt for item in changed)
    assert ("but of other items" in err) == said
    assert left.read_bytes() == content
    (log,) = set(logs_in(folder)) - {left}
    samples = read_eval_log(str(log)).samples
    assert sorted((one.input, one.target) for one in samples) == sorted(
        (item.prompt, item.target) for item in changed
    )
    right = sum(item.target == "True" for item in changed) / len(changed)
    assert found["results"][0]["metrics"]["accuracy"]["value"] == pytest.approx(right, abs=1e-5)


@slow
@each(
    "word",
    [
        "seed=2",
        "operators=2",
        "temperature=0.5",
        "strategy=cot",
        "logprobs=true",
        "model=openai-api/local/other",
    ],
)
def test_other_words_are_another_run(server, run, generated, tmp_path_factory, word):
    folder = tmp_path_factory.mktemp("x")
    shutil.copytree(generated, folder, dirs_exist_ok=True)
    (left,) = logs_in(folder)
    content = left.read_bytes()
    server.begin()
    words = {one.partition("=")[0]: one for one in (f"n={N}", "seed=1", MODEL, word)}
    own = ["run", "plugin=ltlbench", "max_connections=1", f"log_dir={folder}"]
    assert main([*own, *words.values()]) == 0
    assert server.asked.total() == len(server.asked) == N
    assert left.read_bytes() == content


@pytest.fixture(scope="module")
def generated(server, tmp_path_factory):
    """A half log of generated items, made once."""
    whole, place = tmp_path_factory.mktemp("whole"), tmp_path_factory.mktemp("generated")
    with snapshot(server, whole, place, 3):
        words = [MODEL, "max_connections=1", f"log_dir={whole}", f"n={N}", "seed=1"]
        assert main(["run", "plugin=ltlbench", *words]) == 0
    return place


@slow
def test_a_wrapper_that_changes_prompts_or_another_version_of_the_plugin_makes_another_run(
    server, run, generated, tmp_path, monkeypatch
):
    plugin = registry().get("ltlbench")
    shutil.copytree(generated, tmp_path, dirs_exist_ok=True)
    generate = plugin.hooks.generate
    with monkeypatch.context() as patch:
        patch.setattr(plugin.hooks, "generate", lambda **own: reworded(generate(**own)))
        server.begin()
        run(tmp_path, f"n={N}", "seed=1")
    assert server.asked.total() == N
    assert all(prompt.endswith("Take care.") for prompt in server.asked)
    newer = replace(plugin, benchmark=replace(plugin.benchmark, version="999"))
    with monkeypatch.context() as patch:
        patch.setitem(registry().benchmarks, "ltlbench", newer)
        patch.setattr(
            plugin.hooks, "generate", lambda **own: replace(generate(**own), version="999")
        )
        server.begin()
        run(tmp_path, f"n={N}", "seed=1")
    assert server.asked.total() == N
    server.begin()
    run(tmp_path, f"n={N}", "seed=1")
    assert server.asked.total() == N - 3  # the half log is as good as before


@slow
def test_inspects_own_retry_after_a_change_reuses_equal_items_only(server, half, items, tmp_path):
    words = ["run", "plugin=ltlbench", MODEL, "max_connections=1"]
    path = tmp_path / "d.jsonl"
    shutil.copy(items, path)
    whole, place = tmp_path / "w", tmp_path / "p"
    with snapshot(server, whole, place, 3):
        assert main([*words, f"dataset={path}", f"log_dir={whole}"]) == 0
        first = list(server.asked)[:3]
    found = [flipped(item) if item.prompt == first[0] else item for item in records(path)]
    write(path, found)
    server.begin()
    (left,) = logs_in(place)
    (log,) = eval_retry(str(left), log_dir=str(tmp_path / "r"), display="none")
    assert set(server.asked) == {item.prompt for item in found} - set(first[1:])
    assert sorted((s.input, s.target) for s in log.samples) == sorted(
        (item.prompt, item.target) for item in found
    )
    # A log of other items is not taken for one of the old, whatever mark Inspect handed on.
    shutil.copy(log.location, place)
    write(path, records(items))
    server.begin()
    main([*words, f"dataset={path}", f"log_dir={place}"])
    assert server.asked.total() == N - 3


# ------------------------------------------------------------------------------- which log


@slow
@each("now", [0, 2_000_000_000, 4_000_000_000])
def test_no_clock_says_which_log_is_gone_on_with(server, run, base, two, tmp_path_factory, now):
    folder = tmp_path_factory.mktemp("x")
    shutil.copytree(two, folder, dirs_exist_ok=True)
    few, more = logs_in(folder)
    os.utime(few, (now, now))
    os.utime(more, (2_000_000_000, 2_000_000_000))
    log = read_eval_log(str(few))
    log.eval.created = "2099-01-01T00:00:00+00:00" if now else "1970-01-01T00:00:00+00:00"
    write_eval_log(log, str(few))
    os.utime(few, (now, now))
    server.begin()
    _, _, err = run(folder, f"n={N}", "seed=1")
    assert f"going on with {more}: 5 of {N}" in err
    assert server.asked.total() == 1


@pytest.fixture(scope="module")
def two(server, generated, tmp_path_factory):
    """Two half logs of one command, of 3 and 5 samples."""
    whole, place = tmp_path_factory.mktemp("whole"), tmp_path_factory.mktemp("two")
    shutil.copytree(generated, place, dirs_exist_ok=True)
    with snapshot(server, whole, place, 5):
        words = [MODEL, "max_connections=1", f"log_dir={whole}", f"n={N}", "seed=1"]
        assert main(["run", "plugin=ltlbench", *words]) == 0
    return place


def test_a_run_that_another_process_is_at_is_refused(server, run, tmp_path, capsys):
    begun = multiprocessing.Event()

    def the_same():
        assert begun.wait(600)
        return main(["run", "plugin=ltlbench", MODEL, f"log_dir={tmp_path}", "n=2"])

    def begin_the_same(number):
        begun.set()
        second.join(600)

    with forked(the_same, said := tmp_path.parent / "said") as second:
        server.begin(begin_the_same)
        code, _, _ = run(tmp_path, "n=2")
    assert (code, server.asked.total(), len(logs_in(tmp_path))) == (0, 2, 1)
    assert second.exitcode == 1
    assert said.read_text() == (
        f"harness: {tmp_path}: another process is at this run; wait for it, or use another log_dir=\n"
    )
    assert not list(tmp_path.glob(".*.lock"))


def test_a_lock_that_a_killed_process_left_is_none(server, run, generated, tmp_path):
    shutil.copytree(generated, tmp_path, dirs_exist_ok=True)
    server.begin(lambda number: os.kill(os.getpid(), signal.SIGINT) if number == 1 else None)
    run(tmp_path, f"n={N}", "seed=1")
    for lock in ("a" * 32, "b"):
        (tmp_path / f".{lock}.lock").touch()
    server.begin()
    assert run(tmp_path, f"n={N}", "seed=1")[0] == 0
    assert server.asked.total() < N


@slow
def test_a_damaged_log_is_one_line_and_a_foreign_mark_is_none(server, run, generated, tmp_path):
    (left,) = logs_in(generated)
    data = left.read_bytes()
    damaged = {
        "cut.eval": data[: len(data) // 2],
        "empty.eval": b"",
        "text.eval": b"no log",
        "zeros.eval": data[:100] + bytes(len(data) - 100),
    }
    for name, content in damaged.items():
        (tmp_path / name).write_bytes(content)
    (tmp_path / ".hidden.eval").write_bytes(b"")
    (tmp_path / "folder.eval").mkdir()
    for at, mark in enumerate([3, {}, {"run": "../x", "digest": "y"}, {"run": 1, "digest": []}]):
        log = read_eval_log(str(left))
        log.eval.metadata[run_logs.MARK] = mark
        write_eval_log(log, str(tmp_path / f"mark{at}.eval"))
    server.begin()
    code, _, err = run(tmp_path, f"n={N}", "seed=1")
    assert (code, server.asked.total()) == (0, N)
    lines = err.splitlines()
    assert [sum(name in line for line in lines) for name in [*damaged, "folder.eval"]] == [1] * 5
    assert all(line.startswith("warning: ") for line in lines)
    assert not (tmp_path.parent / "x").exists()


# ------------------------------------------------------------------------------- a place that fails


@contextmanager
def small_disk(folder):
    folder.mkdir()
    words = ["mount", "-t", "tmpfs", "-o", "size=1m", "none", folder]
    if os.geteuid() or subprocess.run(words, capture_output=True).returncode:
        pytest.skip("a file system of its own takes root")
    try:
        yield
    finally:
        subprocess.run(["umount", "-l", folder], check=True)


# Inspect does not close the temporary file of a log that it fails to write.
leaky = pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")


@slow
@leaky
def test_a_full_disk_is_one_line_and_the_run_goes_on_when_there_is_room(server, run, tmp_path):
    folder = tmp_path / "disk"

    def fill(number):
        with suppress(OSError), (folder / "x").open("wb", 0) as file:
            while number == 4:
                file.write(bytes(4096))

    with small_disk(folder):
        server.begin(fill)
        for _ in range(2):  # as often as one tries
            code, found, _ = run(folder, f"n={N}")
            assert (code, server.asked.total()) == (1, 4)
            assert "No space left on device" in found["error"]["message"]
            assert f"kept in {logs_in(folder)[0]}" in found["error"]["message"]
        (folder / "x").unlink()
        code, _, err = run(folder, f"n={N}")
        assert (code, f"3 of {N} samples" in err) == (0, True)
        assert sorted(server.asked.values()) == [*[1] * (N - 1), 2]  # the one under way
        assert counted(folder) == [N]
    gc.collect()


def lock_folder(folder, locked):
    """Make a folder read-only, for root too, or undo it."""
    if os.geteuid():
        folder.chmod(0o555 if locked else 0o755)
        return
    word = "+i" if locked else "-i"
    if subprocess.run(["chattr", word, folder], capture_output=True).returncode:
        pytest.skip("this file system cannot make a folder read-only for root")


@slow
@leaky
def test_a_folder_that_turns_read_only_ends_the_run_before_more_answers_are_paid_for(
    server, run, tmp_path
):
    folder = tmp_path / "logs"
    folder.mkdir()
    lock_folder(folder, True)
    lock_folder(folder, False)
    server.begin(lambda number: lock_folder(folder, True) if number == 4 else None)
    try:
        code, found, _ = run(folder, f"n={N}")
        assert (code, server.asked.total()) == (1, 4)
        assert f"kept in {logs_in(folder)[0]}" in found["error"]["message"]
        code, found, _ = run(folder, f"n={N}")
        assert (code, server.asked.total()) == (1, 4)
        assert "cannot be written" in found["error"]["message"]
    finally:
        lock_folder(folder, False)
    code, _, err = run(folder, f"n={N}")
    assert (code, f"3 of {N} samples" in err) == (0, True)
    assert sorted(server.asked.values()) == [*[1] * (N - 1), 2]
    gc.collect()
