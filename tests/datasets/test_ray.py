"""The Ray engine, on a cluster of three nodes on this machine: a node is lost in mid-run, and nothing else is."""

import json
import os
import re
import subprocess
import sys
import time
from contextlib import suppress
from importlib import import_module
from pathlib import Path

import psutil
import pytest

from harness.cli.main import main
from harness.core.installed import GROUP

pytest.importorskip("ray", reason="needs the extra ray")
pytestmark = pytest.mark.filterwarnings("ignore")  # Ray's own; ours run in processes of their own

COMMAND = [sys.executable, "-W", "error", "-m", "harness.cli"]
KEY = "sk-test-0f9a-marked"
WORDS = ["generate", "plugin=toy_gated", "top=12", "n=90", "shards=9"]
PATIENCE = 300  # seconds that anything may take on a busy machine
# The same patience of Ray, which gives up what is slow, and ends what runs where memory is short.
SETTINGS = {
    "RAY_USAGE_STATS_ENABLED": "0",
    "RAY_gcs_server_port_wait_time_s": "120",
    "RAY_raylet_start_wait_time_s": "120",
    "RAY_worker_register_timeout_seconds": "300",
    "RAY_health_check_timeout_ms": "120000",
    "RAY_memory_monitor_refresh_ms": "0",
}
LATE = "timed out during startup"  # what Ray says of a node that half a minute did not suffice for

# In the middle of a shard of ten items it waits for a file, where it is told of one.
GATED = """
import os, time
from toy_base import Toy

class Gated(Toy):
    def draw(self, top, index, rng):
        gate = os.environ.get("HARNESS_TOY_GATE")
        while gate and index % 10 == 5 and not os.path.exists(gate):
            time.sleep(0.02)
        return super().draw(top, index, rng)

globals().update(Gated(__name__).hooks())
"""


@pytest.fixture(scope="module")
def site(toys, tmp_path_factory):
    folder = tmp_path_factory.mktemp("site")
    import_module("toy_sharding").install(folder)
    (folder / "toy_gated.py").write_text(GATED)
    info = folder / "gated-0.1.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: gated\nVersion: 0.1\n")
    (info / "entry_points.txt").write_text(f"[{GROUP}]\ntoy_gated = toy_gated\n")
    return f"{folder}:{toys.path}"


@pytest.fixture(scope="module")
def cluster(site):
    """Three nodes of one processor each; their processes know where the toys lie, and no key."""
    from ray.cluster_utils import Cluster

    before = set(psutil.Process().children(recursive=True))
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYTHONPATH", site)
        for name, value in SETTINGS.items():
            patch.setenv(name, value)
        patch.delenv("OPENAI_API_KEY", raising=False)
        node = {"num_cpus": 1, "object_store_memory": 80_000_000}
        head = {**node, "include_dashboard": False}
        found = there(lambda: Cluster(initialize_head=True, head_node_args=head))
        for _ in range(2):
            there(lambda: found.add_node(wait=False, **node))
        found.wait_for_nodes(PATIENCE)
        yield found
        own = psutil.Process().children(recursive=True)
        # Not the guarded workers of other tests, nor of this process.
        raylets = [one for one in own if one not in before and not guarded(one)]
        found.shutdown()
    gone(lambda: [one for one in raylets if one.is_running() and not zombie(one)])


def there(begin):
    """Begin a node of a cluster; where Ray gave one up because the machine is slow, another."""
    for _ in range(5):
        try:
            return begin()
        except Exception as error:
            if LATE not in str(error):
                raise
    raise AssertionError("Ray gave up every node that it started")


def guarded(process):
    with suppress(psutil.Error):
        return "harness_guard.worker" in process.cmdline()
    return False


def zombie(process):
    with suppress(psutil.Error):
        return process.status() == psutil.STATUS_ZOMBIE
    return True


def gone(left):
    deadline = time.monotonic() + PATIENCE
    while found := left():
        assert time.monotonic() < deadline, found
        time.sleep(0.1)


@pytest.fixture
def start(site, tmp_path, monkeypatch):
    """Start a command whose environment holds a key, and a mark that guarded workers hand on."""
    monkeypatch.chdir(tmp_path)
    mark = f"{time.time_ns()}"
    children = []

    def run(*words, gate="", arguments=COMMAND):
        own = {
            "PYTHONPATH": site,
            "OPENAI_API_KEY": KEY,
            "HARNESS_TOY_GATE": gate,
            "HARNESS_MARK": mark,
        }
        child = subprocess.Popen(
            [*arguments, *words], env={**os.environ, **SETTINGS, **own},
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        )  # fmt: skip
        children.append(child)
        return child

    run.mark = mark
    yield run
    for child in children:
        if child.poll() is None:
            child.kill()
            child.communicate()


def finish(child):
    out, err = child.communicate(timeout=PATIENCE)
    return child.returncode, out, err


def ours(err):
    """Return standard error without what Ray's native code says from threads of its own, when it happens to."""
    return [line for line in err.splitlines() if not re.search(r"\.(cc|h):\d+: ", line)]


def marked(mark):
    found = []
    for one in psutil.process_iter():
        with suppress(psutil.Error):
            if (
                one.environ().get("HARNESS_MARK") == mark
                and "harness_guard.worker" in one.cmdline()
            ):
                found.append(one.pid)
    return found


def parts(folder):
    return {path.name: path.read_bytes() for path in Path(folder).iterdir()}


ALONE = """
import functools, sys
import ray._private.services as services
services.find_gcs_addresses = functools.cache(lambda *_: set())  # clusters of others on this machine
from harness.cli.main import main
for address in sys.argv.pop().split():
    print(main([*sys.argv[1:], f"address={address}"]))
"""


def test_no_cluster_is_one_line(start, monkeypatch, tmp_path):
    monkeypatch.setenv("RAY_TMPDIR", str(tmp_path))
    places = ["auto", "127.0.0.1:1", "host.invalid:99999", "ray://127.0.0.1:1", "nonsense"]
    words = [*WORDS, "engine=ray", "out=d", " ".join(places)]
    code, out, err = finish(start(*words, arguments=[sys.executable, "-c", ALONE]))
    assert (code, out) == (0, "2\n" * 5), err
    lines = err.splitlines()
    assert len(lines) == 5, err
    for address, line in zip(places, lines, strict=True):
        assert f"harness: address={address}: no Ray cluster there" in line
    assert not Path("d").exists()


def test_a_node_is_lost_in_mid_run(cluster, start):
    """Its tasks are begun anew elsewhere; the bytes, and the manifest, are those of this machine's own workers."""
    gate = Path("gate").absolute()
    child = start(*WORDS, "engine=ray", f"address={cluster.address}", "out=far", gate=str(gate))
    # One task for each processor, of which a node has one: each holds a shard, and goes no further than its middle.
    work, deadline = Path("far", ".work"), time.monotonic() + PATIENCE
    while len(list(work.glob("*.partial/items.partial"))) < 3:
        assert child.poll() is None, child.stderr.read()
        assert time.monotonic() < deadline, sorted(work.rglob("*"))
        time.sleep(0.02)
    cluster.remove_node(next(iter(cluster.worker_nodes)), allow_graceful=False)
    assert not Path("far", "manifest.json").exists()
    gate.touch()
    code, out, err = finish(child)
    assert (code, ours(err)) == (0, []), err
    assert out.splitlines()[0] == "90 items: far"
    assert finish(start(*WORDS, "workers=2", "out=near"))[0] == 0
    assert parts("far") == parts("near")
    items = b"".join(data for name, data in sorted(parts("far").items()) if name != "manifest.json")
    assert len({json.loads(line)["id"] for line in items.splitlines()}) == 90
    gone(lambda: marked(start.mark))


SPY = """
import os, sys
from harness.datasets.engines_ray import Cluster
one = Cluster(sys.argv[1], 1)
import ray
from ray._common.usage import usage_lib
told = [one.call("os:getenv", name) for name in ("OPENAI_API_KEY", "HARNESS_MARK")]
there = ray.get(ray.remote(lambda: [dict(os.environ), os.getpid()]).remote())
assert not [value for value in there[0].values() if value == sys.argv[2]]
assert not usage_lib.usage_stats_enabled()
assert os.path.basename(sys.executable) and there[1] != os.getpid()
one.close()
print(told)
"""


def test_no_key_goes_into_the_cluster_and_nothing_out_of_it(cluster, start):
    child = start(cluster.address, KEY, arguments=[sys.executable, "-c", SPY])
    code, out, err = finish(child)
    assert code == 0, err
    assert out == f"[None, '{start.mark}']\n"
    logs = Path(cluster.head_node.get_session_dir_path())
    files = [path for path in logs.rglob("*") if path.is_file() and not path.is_symlink()]
    assert len(files) > 5
    assert not [path for path in files if KEY.encode() in read(path)]


def read(path):
    with suppress(FileNotFoundError):  # Ray removes some of them
        return path.read_bytes()
    return b""


def test_a_failing_plugin_is_one_line(cluster, start):
    words = ["generate", "plugin=toy_raising_here", "n=40", "shards=4", "engine=ray", "out=d"]
    code, out, err = finish(start(*words, f"address={cluster.address}"))
    assert (code, out) == (2, "")
    # Of tasks that are under way when it ends Ray may say, from a thread of its own, that nobody hears of them.
    assert ours(err) == [
        "harness: part-00001-of-00004, index 13: plugin 'toy_raising_here': generate() failed: "
        "ZeroDivisionError: no such sum"
    ]


def test_one_file_and_a_cluster_of_its_own(start):
    words = ["generate", "plugin=toy_good", "n=100"]
    code, err = 1, LATE
    for _ in range(5):
        if code and LATE in err:
            far = start(*words, "engine=ray", "address=local", "workers=1", "out=far.jsonl")
            code, _, err = finish(far)
    assert (code, ours(err)) == (0, []), err
    assert main([*words, "out=near.jsonl"]) == 0
    assert Path("far.jsonl").read_bytes() == Path("near.jsonl").read_bytes()
    gone(lambda: marked(start.mark))


def test_a_node_that_does_not_come_up_is_one_line(monkeypatch, capsys, tmp_path):
    def init(**_):  # what ray.init raises has no class of its own
        raise Exception("The current node timed out during startup.\nMore of it")

    monkeypatch.setattr("ray.init", init)
    monkeypatch.chdir(tmp_path)
    words = ["generate", "plugin=ltlbench", "n=4", "engine=ray", "address=local", "out=d"]
    assert main(words) == 2
    _, err = capsys.readouterr()
    assert err.startswith(
        "harness: address=local: no Ray cluster there (The current node timed out"
    )
    assert len(err.splitlines()) == 1
    assert not Path("d").exists()


def test_without_ray_it_is_one_line(monkeypatch, capsys, tmp_path):
    monkeypatch.setitem(sys.modules, "ray", None)
    monkeypatch.chdir(tmp_path)
    assert main(["generate", "plugin=ltlbench", "n=4", "engine=ray", "out=d"]) == 2
    _, err = capsys.readouterr()
    assert err.startswith("harness: engine=ray needs the package ray: pip install 'ray>=2.40' (")
    assert len(err.splitlines()) == 1
    assert not Path("d").exists()


BOTH = """
import sys
from harness.cli.main import main
for words in (["run", "shards=2", "log_dir=logs"], ["verify", "report=none"]):
    assert main([*words, *sys.argv[1:]]) == 0, words
"""


def test_an_evaluation_in_shards_and_an_audit_run_on_the_nodes(cluster, start):
    words = ["plugin=ltlbench", "n=6", "engine=ray", f"address={cluster.address}", "--json"]
    code, out, err = finish(start(*words, arguments=[sys.executable, "-c", BOTH]))
    assert code == 0, err
    ran, verified = map(json.loads, out.splitlines())
    (result,) = ran["results"]
    assert (result["n"], result["metrics"]["accuracy"]["value"], result["failed"]) == (6, 1.0, 0)
    assert len(result["shards"]) == len(list(Path("logs").glob("*.eval"))) == 2
    assert verified["agree"] == 6
