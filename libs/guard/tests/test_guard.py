import gc
import json
import os
import re
import resource
import signal
import struct
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

import harness_guard
import pytest
from cases import slow
from harness_errors import Abstained, EngineError, HarnessError, SpecError
from harness_guard import worker as guard_worker

HERE = str(Path(__file__).parents[3] / "tests")
PATIENCE = 120  # seconds for what a machine that is busy, or stalls, does in the end


class Patient(harness_guard.Guard):
    """A pool in which only a call that is to run out of time has little."""

    def call(self, function, *args, seconds=PATIENCE, memory_mb=2048):
        return super().call(function, *args, seconds=seconds, memory_mb=memory_mb)


def open_fds():
    return sorted(Path("/dev/fd").iterdir())


@pytest.fixture(autouse=True)
def _targets_importable(monkeypatch):
    monkeypatch.syspath_prepend(HERE)
    monkeypatch.setattr(harness_guard, "START_SECONDS", 2 * PATIENCE)


@pytest.fixture
def pool():
    with Patient(workers=1) as pool:
        yield pool


@pytest.fixture(scope="module")
def shared():
    """A pool for tests that leave a worker behind as good as new: most of their time is its start."""
    with Patient(workers=1) as pool:
        yield pool


@pytest.fixture
def _uncollected():
    """Files that tests before this one left to the collector are not closed in its midst."""
    gc.disable()
    yield
    gc.enable()


def run(pool, name, *args, **limits):
    return pool.call(f"guard_targets:{name}", *args, **limits)


def state(pid):
    """Return what ps says of a process: "" gone, "Z" dead and not waited for."""
    shown = subprocess.run(["ps", "-o", "stat=", "-p", str(pid)], capture_output=True, text=True)
    return shown.stdout.strip()[:1]


def comes(true):
    """Wait until something is so, and say whether it ever was."""
    deadline = time.monotonic() + PATIENCE
    while not true():
        if time.monotonic() > deadline:
            return False
        time.sleep(0.02)
    return True


def ends(pid):
    return comes(lambda: state(pid) in ("", "Z"))  # an orphan's zombie is for init to reap


CRASHES = [
    ("segfault", [], "was killed by signal 11 (SIGSEGV)"),
    ("abort_loudly", [], "was killed by signal 6 (SIGABRT); it last said: last words"),
    (
        "run_out",
        ["terminate called after throwing an instance of 'std::bad_alloc'"],
        "exceeded 2048 MB of memory",
    ),
    ("run_out", ["BDD error: Out of memory"], "exceeded 2048 MB of memory"),
    ("leave", [3], "exited with code 3"),
    ("leave", [0], "exited with code 0"),
    ("sys_exit", [4], "exited with code 4"),
    ("spin", [], "ran longer than 0.1 s"),
    ("spin_natively", [], "ran longer than 0.1 s"),
    ("close_pipes", [], "closed its pipe"),
    # A fork keeps the pipe open: the death is noticed all the same, and at once.
    ("forked", ["idles"], "was killed by signal 11 (SIGSEGV)"),
    ("scribble", ["\0\0\0\3abc"], "sent a reply that cannot be read"),
    ("scribble", ['\0\0\0\x16\0\0\0\1["ok", "a lie", 0]'], "sent a reply that cannot be read"),
    ("scribble", ["\xff\xff\xff\xffgarbage"], "ran longer than 0.1 s"),
]
REFUSALS = [
    ("recurse", [], "raised RecursionError: maximum recursion depth exceeded"),
    ("fail", ["ValueError", "two\nlines"], "raised ValueError: two lines"),
    ("echo", [], "raised TypeError: echo() missing 1 required positional argument: 'value'"),
    ("huge", [2**24], "returned 16.0 MB of JSON, more than 16 MB"),
    ("not_json", ["set"], "returned something that is not JSON: Object of type set"),
    ("not_json", ["nan"], "returned something that is not JSON: Out of range float"),
    ("not_json", ["nested"], "returned something that is not JSON: maximum recursion depth"),
    ("nothing", [], "cannot be imported: AttributeError: module 'guard_targets' has no attr"),
]


@pytest.mark.parametrize("value", [None, True, 0, -1.5, 10**300, "", "\ud800é\0", [], {"a": [{}]}])
def test_json_values_come_back_as_they_went(shared, value):
    assert run(shared, "echo", value) == value


@pytest.mark.parametrize("size", [0, 1, 65_530, 65_536, 1_000_000, 15_000_000])
def test_big_values_pass_in_both_directions(shared, size):
    assert run(shared, "echo", "x" * size) == "x" * size


@pytest.mark.parametrize(("name", "args", "message"), CRASHES)
def test_a_crash_is_one_error_and_the_next_call_has_a_new_worker(
    shared, monkeypatch, name, args, message
):
    if name == "close_pipes":  # it does not end: nothing is worth waiting for
        monkeypatch.setattr(harness_guard, "_ENDING", 0.2)
    before = shared.call("os:getpid")
    limit = 0.1 if "0.1" in message else PATIENCE
    with pytest.raises(EngineError) as caught:
        run(shared, name, *args, seconds=limit)
    assert str(caught.value) == f"guard_targets:{name} {message}"
    assert type(caught.value) is EngineError
    assert state(before) == ""
    assert shared.call("os:getpid") != before


@pytest.mark.parametrize(("name", "args", "message"), REFUSALS)
def test_a_failed_call_says_why_and_leaves_the_worker(shared, name, args, message):
    before = shared.call("os:getpid")
    with pytest.raises(EngineError, match=re.escape(f"guard_targets:{name} {message}")) as caught:
        run(shared, name, *args)
    assert "\n" not in str(caught.value)
    assert shared.call("os:getpid") == before


@pytest.mark.parametrize("name", ["nowhere.at.all:f", "json", "", ":", "json:", ".json:dumps"])
def test_an_unknown_function_is_named(shared, name):
    with pytest.raises(EngineError, match=re.escape(f"{name} cannot be imported: ")):
        shared.call(name)


@pytest.mark.skipif(sys.platform == "darwin", reason="RLIMIT_AS does not bind on macOS")
@pytest.mark.parametrize(("name", "most"), [("hog", 100), ("spot_hog", 400)])
def test_memory_is_limited_for_python_and_for_native_code(shared, name, most):
    if name == "spot_hog":
        pytest.importorskip("spot")
    before = shared.call("os:getpid")
    with pytest.raises(EngineError) as caught:
        run(shared, name, memory_mb=most)
    assert str(caught.value) == f"guard_targets:{name} exceeded {most} MB of memory"
    assert shared.call("os:getpid") != before


@slow
@pytest.mark.skipif(sys.platform == "darwin", reason="RLIMIT_AS does not bind on macOS")
def test_a_memory_limit_holds_for_its_own_call_only(shared):
    with pytest.raises(EngineError, match="exceeded 1 MB of memory"):
        run(shared, "echo", [1] * 1_000_000, memory_mb=1)
    worker = shared.call("os:getpid", memory_mb=60)
    assert len(run(shared, "echo", "x" * 15_000_000)) == 15_000_000
    assert shared.call("os:getpid") == worker


def test_a_worker_dumps_no_core(shared):
    assert shared.call("resource:getrlimit", resource.RLIMIT_CORE) == [0, 0]


def test_a_worker_is_replaced_when_it_has_grown_or_is_old(pool, monkeypatch):
    assert pool.call("os:getpid") == pool.call("os:getpid")
    old = pool.call("os:getpid")
    pool.call("guard_targets:echo", 1, memory_mb=25)  # half of it is less than Python needs
    old = pool.call("os:getpid")
    with pytest.raises(Abstained):
        pool.call("guard_targets:fail", "Abstained", "no", memory_mb=25)
    assert pool.call("os:getpid") != old
    assert harness_guard.MAX_CALLS == 5_000
    run(pool, "ages", 100)  # for as many calls would take a second
    pids = [pool.call("os:getpid") for _ in range(100)]
    assert len(set(pids)) == 2
    assert state(pids[0]) == ""


@pytest.mark.parametrize("argument", [{1}, float("nan"), "x" * 2**24])
def test_arguments_that_cannot_be_sent_are_refused(shared, argument):
    with pytest.raises(EngineError, match="guard_targets:echo was given "):
        run(shared, "echo", argument)


def test_deep_nesting_is_an_error_at_either_end(shared):
    with pytest.raises(EngineError, match="was given something that is not JSON: maximum rec"):
        run(shared, "echo", _deep(100_000))
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(20_000)
    try:
        # Python 3.11 writes and does not read it, 3.12 does neither, 3.13 both: never another end.
        found = _said_of(shared, 5_000)
        assert found in ("echo", "raised RecursionError", "was given something that is not JSON")
        assert found == "raised RecursionError" or sys.version_info >= (3, 12)
    finally:
        sys.setrecursionlimit(limit)
    assert run(shared, "echo", _deep(500)) == _deep(500)


def _said_of(shared, levels):
    try:
        assert run(shared, "echo", _deep(levels)) == _deep(levels)
    except EngineError as error:
        return re.sub("^guard_targets:echo |: .*$", "", str(error))
    return "echo"


def _deep(levels):
    nested = []
    for _ in range(levels):
        nested = [nested]
    return nested


@pytest.mark.parametrize("seconds", [0, -1, float("nan"), float("inf")])
def test_limits_must_make_sense(shared, seconds):
    with pytest.raises(ValueError, match="limits out of range"):
        run(shared, "echo", 1, seconds=seconds)
    with pytest.raises(ValueError, match="limits out of range"):
        run(shared, "echo", 1, memory_mb=0)


@pytest.mark.parametrize("kind", [Abstained, SpecError, HarnessError])
def test_our_own_errors_keep_class_and_message(shared, kind):
    with pytest.raises(HarnessError) as caught:
        run(shared, "fail", kind.__name__, "two\nlines: é")
    assert type(caught.value) is kind
    assert str(caught.value) == "two\nlines: é"


def test_an_error_class_of_a_plugin_becomes_an_engine_error(shared):
    with pytest.raises(HarnessError, match=r"^mine$") as caught:
        run(shared, "fail", "ForeignError", "mine")
    assert type(caught.value) is EngineError


def test_prints_do_not_disturb_the_protocol_or_block(shared, capfd):
    assert run(shared, "noise", 1_000) == [1_000, ""]
    assert run(shared, "noise", 1) == [1, ""]
    assert capfd.readouterr() == ("", "")


def test_closed_output_does_not_keep_the_parent_busy(shared, monkeypatch):
    woken = []
    receive = harness_guard._Worker._receive
    monkeypatch.setattr(
        harness_guard._Worker, "_receive", lambda *of: woken.append(1) or receive(*of)
    )
    run(shared, "close_prints")
    assert len(woken) < 10  # not all of the 0.2 s long, as a pipe that is at its end would


def test_a_worker_killed_between_calls_is_replaced_without_an_error(pool):
    for _ in range(3):
        worker = pool.call("os:getpid")
        os.kill(worker, signal.SIGKILL)
        assert comes(lambda: state(worker) == "Z")  # noqa: B023 (it is asked at once)
        assert pool.call("os:getpid") != worker
        assert state(worker) == ""


def test_what_a_crashed_worker_started_is_killed_too(pool):
    started = time.monotonic()
    with pytest.raises(EngineError, match=r"signal 6 .* it last said: \d+$") as caught:
        run(pool, "with_child", seconds=500)
    assert time.monotonic() - started < 400  # and it holds up nothing: it would, for 500 s
    assert ends(int(str(caught.value).split()[-1]))


def test_a_fork_that_comes_back_answers_nobody(pool):
    for _ in range(3):
        assert run(pool, "forked", "returns") == "returns"
        assert run(pool, "echo", "mine") == "mine"


@pytest.mark.skipif(sys.platform == "darwin", reason="macOS sends no signal to a group")
def test_what_a_worker_forked_dies_with_the_harness(tmp_path):
    call = f"guard_targets:forks_and_spins', '{tmp_path}', seconds=900"
    code = f"import harness_guard as guard; guard.call('{call})"
    env = {**os.environ, "PYTHONPATH": HERE}
    with killed([sys.executable, "-c", code], env=env):
        assert comes(lambda: len([*tmp_path.iterdir()]) == 2)
        pids = [path.name for path in tmp_path.iterdir()]
        assert all(comes(lambda pid=pid: state(pid) == "R") for pid in pids)
    assert all(ends(pid) for pid in pids)


@contextmanager
def killed(command, **options):
    """A process that is killed at the end of a with block, and in any case."""
    with subprocess.Popen(command, **options) as parent:
        try:
            yield parent
        finally:
            parent.kill()


@slow
def test_threads_get_their_own_outcomes_in_the_midst_of_crashes():
    def one(number):
        try:
            if number % 20 == 7:
                return run(pool, *[("segfault",), ("leave", 3), ("abort_loudly",)][number % 3])
            if number % 5 == 2:
                return run(pool, "fail", "Abstained", f"no {number}")
            return run(pool, "echo", [number] * (number * 10))
        except Abstained as error:
            return str(error)
        except EngineError as error:
            return re.search(r"signal \d+|code \d+", str(error))[0]

    def expected(number):
        if number % 20 == 7:
            return ["signal 11", "code 3", "signal 6"][number % 3]
        return f"no {number}" if number % 5 == 2 else [number] * (number * 10)

    def thread(start):
        return [one(number) == expected(number) for number in range(start, start + 25)]

    with Patient(workers=4) as pool, ThreadPoolExecutor(8) as threads:
        for outcome in threads.map(thread, range(0, 200, 25)):
            assert outcome == [True] * 25


def test_workers_outlive_the_thread_that_started_them(pool):
    with ThreadPoolExecutor(1) as threads:
        started = threads.submit(pool.call, "os:getpid").result()
    time.sleep(0.1)
    assert pool.call("os:getpid") == started


def test_no_more_workers_than_asked_for(tmp_path):
    with Patient(workers=2) as pool, ThreadPoolExecutor(6) as threads:
        started = time.monotonic()
        # The first two wait for each other, so there are two workers; each call then stays for 0.2 s.
        list(threads.map(lambda own: run(pool, "meets", str(tmp_path), own, 2), range(6)))
        assert time.monotonic() - started > 0.55
        assert len(pool._idle) == 2


@pytest.mark.usefixtures("_uncollected")
def test_nothing_is_left_open_or_running():
    before = open_fds()
    with Patient(workers=2) as pool:
        pids = [pool.call("os:getpid")]
        for name in ("segfault", "leave", "spin", "echo"):
            with pytest.raises(EngineError):
                run(pool, name, seconds=0.1)
            pids.append(pool.call("os:getpid"))
    assert [state(pid) for pid in pids] == [""] * 5
    assert open_fds() == before
    with pytest.raises(EngineError, match="the guard is closed"):
        run(pool, "echo", 1)


def test_closing_ends_a_call_under_way(tmp_path):
    begun = tmp_path / "begun"
    with ThreadPoolExecutor(1) as threads:
        with Patient(workers=1) as pool:
            waiting = threads.submit(run, pool, "telling", str(begun), "spin", seconds=900)
            assert comes(begun.exists)
        with pytest.raises(EngineError, match="SIGKILL"):
            waiting.result(timeout=PATIENCE)
    assert not pool._busy


@pytest.mark.usefixtures("_uncollected")
def test_a_worker_that_cannot_start_is_an_engine_error(pool, monkeypatch):
    before = open_fds()
    monkeypatch.setattr(sys, "executable", "/no/such/python")
    with pytest.raises(EngineError, match=r"cannot start a worker: .*No such file"):
        run(pool, "echo", 1)
    assert open_fds() == before


def test_ctrl_c_kills_the_worker_and_reaches_the_caller(pool, tmp_path):
    worker = pool.call("os:getpid")
    begun = tmp_path / "begun"

    def interrupt():  # once the call is under way: before, nobody would be there to catch it
        if comes(begun.exists):
            os.kill(os.getpid(), signal.SIGINT)

    thread = threading.Thread(target=interrupt)
    thread.start()
    with pytest.raises(KeyboardInterrupt):
        run(pool, "telling", str(begun), "spin", seconds=2 * PATIENCE)
    thread.join()
    assert state(worker) == ""
    assert pool.call("os:getpid") != worker


def test_secrets_stay_out_of_the_worker(pool, monkeypatch):
    for name in ("OPENAI_API_KEY", "HF_TOKEN", "AWS_SECRET_ACCESS_KEY", "SOMETHING_ELSE"):
        monkeypatch.setenv(name, "hunter2")
    seen = run(pool, "environment")
    assert "hunter2" not in seen.values()
    assert seen["PATH"] == os.environ["PATH"]
    ours = {name for name in seen if name.startswith("HARNESS_")}
    assert set(seen) - ours <= {*harness_guard._ENVIRONMENT, "PYTHONPATH"}


def test_what_a_plugin_tells_its_workers_reaches_the_next_call(pool, monkeypatch):
    monkeypatch.delenv("HARNESS_TOLD", raising=False)
    assert "HARNESS_TOLD" not in run(pool, "environment")
    worker = pool.call("os:getpid")
    monkeypatch.setenv("HARNESS_TOLD", "one")
    assert run(pool, "environment")["HARNESS_TOLD"] == "one"
    assert pool.call("os:getpid") != worker
    monkeypatch.setenv("HARNESS_TOLD", "two")
    assert run(pool, "environment")["HARNESS_TOLD"] == "two"


def test_a_fork_shares_no_worker_with_its_parent(pool, monkeypatch):
    warned = []
    monkeypatch.setattr(sys, "unraisablehook", warned.append)
    mine = pool.call("os:getpid")
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            os.write(writing, b"%d %d" % (pool.call("os:getpid"), len(warned)))
            pool.close()
        finally:
            os._exit(0)
    os.close(writing)
    with os.fdopen(reading) as pipe:
        theirs, warnings = map(int, pipe.read().split())
    os.waitpid(child, 0)
    assert theirs != mine
    assert warnings == 0
    assert ends(theirs)
    assert pool.call("os:getpid") == mine


PARENT = """
import sys
import harness_guard as guard
guard.call("guard_targets:telling", *sys.argv[1:3], *map(int, sys.argv[3:]), seconds=900)
"""


@pytest.mark.skipif(sys.platform == "darwin", reason="macOS: after the call's time limit")
@pytest.mark.parametrize(("call", "doing"), [(["sleep", "900"], "S"), (["spin_natively"], "R")])
def test_a_worker_dies_with_its_parent(tmp_path, call, doing):
    begun = tmp_path / "begun"
    command = [sys.executable, "-c", PARENT, str(begun), *call]
    with killed(command, env={**os.environ, "PYTHONPATH": HERE}):
        assert comes(begun.exists)
        worker = int(begun.read_text())
        assert comes(lambda: state(worker) == doing)
    assert ends(worker)


def test_an_idle_worker_ends_when_its_parent_exits():
    code = f'import harness_guard as guard; print(guard.call("os:getpid", seconds={PATIENCE}))'
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", code], capture_output=True, text=True, check=True
    )
    assert done.stderr == ""
    assert ends(int(done.stdout))


def test_a_worker_ends_itself_when_nobody_does():
    def frame(**request):
        data = json.dumps(request).encode()
        return struct.pack(">I", len(data)) + data

    spin = "guard_targets:spin_natively"
    (request, requests), (replies, reply) = os.pipe(), os.pipe()
    with subprocess.Popen(
        [sys.executable, "-m", "harness_guard.worker", str(request), str(reply)],
        pass_fds=(request, reply),
        stdin=subprocess.PIPE,
    ) as worker:
        os.write(requests, frame(load=spin, path=sys.path, seconds=PATIENCE))
        os.write(
            requests, frame(call=spin, args=[], memory_mb=500, seconds=0.3 - guard_worker._GRACE)
        )
        assert worker.wait(PATIENCE) == -signal.SIGALRM
    for fd in (request, requests, replies, reply):
        os.close(fd)


def test_spot_crashes_on_deep_formulas_and_the_run_goes_on(shared):
    pytest.importorskip("spot")
    with pytest.raises(EngineError, match="spot_formula was killed by signal 11"):
        run(shared, "spot_formula", "X" * 100_000 + "a")
    assert run(shared, "spot_formula", "XXa & Gb") == "XXa & Gb"


def test_the_module_has_a_pool_of_its_own():
    own = harness_guard.call("guard_targets:echo", {"a": [1]}, seconds=PATIENCE, memory_mb=500)
    assert own == {"a": [1]}
    with pytest.raises(EngineError, match="SIGSEGV"):
        harness_guard.call("guard_targets:segfault", seconds=PATIENCE)
