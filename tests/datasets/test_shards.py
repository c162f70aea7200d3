"""Datasets in shards: the bytes of the single file, whoever makes them and whatever happens on the way."""

import fcntl
import hashlib
import io
import json
import os
import resource
import shutil
import signal
import subprocess
import sys
import threading
from contextlib import nullcontext
from importlib import import_module
from pathlib import Path

import pytest
from cases import each, slow
from children import COMMAND, QUIET, ended, started, until

from harness.cli.main import main
from harness.core import plugins
from harness.core.installed import GROUP
from harness.core.items import Item, digest
from harness.core.plugins import registry
from harness.core.spec import make
from harness.datasets import engines, progress, shard_steps, shards, uniqueness
from harness.datasets.progress import Making

MANY = [
    "plugin=ltlbench",
    "operators=1",
    "events=3",
    "twins=false",
    "n=400",
]  # 59 of them are drawn again


@pytest.fixture(autouse=True)
def _elsewhere(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


# Draws the first 7 of 30 items, of each shard, and waits with the next until a file is there.
HELD = """
import os, time
from pathlib import Path
from toy_base import Toy


class Held(Toy):
    def draw(self, top, index, rng):
        gate = Path(os.environ.get("HARNESS_TOY_GATE", "/"))
        for _ in range(30_000 if index % 30 >= 7 else 0):
            if gate.exists():
                break
            time.sleep(0.01)
        return super().draw(top, index, rng)


globals().update(Held(__name__).hooks())
"""


@pytest.fixture(scope="module")
def site(toys, tmp_path_factory):
    """Install the toys of this module beside the others; return what another process needs to find them all."""
    folder = tmp_path_factory.mktemp("site")
    import_module("toy_sharding").install(folder)
    (folder / "toy_held.py").write_text(HELD)
    info = folder / "held-0.1.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: held\nVersion: 0.1\n")
    (info / "entry_points.txt").write_text(f"[{GROUP}]\ntoy_held = toy_held\n")
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(folder)
        plugins.registry.cache_clear()
        yield f"{folder}:{toys.path}"
    plugins.registry.cache_clear()


@pytest.fixture(scope="module")
def pool(site):
    """Workers for all tests: it takes longer to start them than to make what they make here."""
    engine = engines.Local(2)
    yield engine
    engine.close()


@pytest.fixture
def harness(pool, capsys, monkeypatch):
    """Run one command in this process, its work in the shared workers; return code, result and what it said."""
    monkeypatch.setattr(engines, "chosen", lambda options, shared=False: nullcontext(pool))
    monkeypatch.setattr(progress, "SELDOM", float("inf"))  # a slow machine would have more to say

    def run(*words):
        code = main([*words, "--json"])
        out, err = capsys.readouterr()
        assert len(err.strip().splitlines()) <= 1, err
        return code, json.loads(out), err.strip()

    return run


@pytest.fixture
def generate(harness):
    def run(*words, out="d"):
        return harness("generate", *words, f"out={out}")

    return run


@pytest.fixture
def refused(generate):
    def run(*words, out="d"):
        code, found, said = generate(*words, out=out)
        assert code in (1, 2), found
        assert said == f"harness: {found['error']['message']}"
        return found["error"]["message"]

    return run


@pytest.fixture(scope="module")
def many(tmp_path_factory):
    path = tmp_path_factory.mktemp("many") / "one.jsonl"
    assert main(["generate", *MANY, "workers=1", f"out={path}"]) == 0
    return path


def toy(*words, n=60, shards=4, name="good"):
    return [f"plugin=toy_{name}", f"n={n}", f"shards={shards}", *words]


def fingerprint():
    return make(registry().get("toy_good"), {"n": 60}).fingerprint


def joined(folder="d"):
    return b"".join(path.read_bytes() for path in sorted(Path(folder).glob("part-*")))


def manifest(folder="d"):
    return json.loads(Path(folder, "manifest.json").read_text())


def single(harness, *words, out="one.jsonl"):
    words = [word for word in words if not word.startswith("shards=")]
    code, found, _ = harness("generate", *words, "workers=1", f"out={out}")
    assert code == 0, found
    return Path(out).read_bytes()


class TestTheSameBytes:
    @slow
    def test_as_one_file_where_many_problems_come_again(self, generate, many, capsys):
        for number in (1, 7):
            assert generate(*MANY, f"shards={number}", out=f"d{number}")[0] == 0
            assert joined(f"d{number}") == many.read_bytes()
            made = manifest(f"d{number}")
            assert made["targets"] == {"False": 200, "True": 200}
            one = json.loads(many.with_name("one.jsonl.manifest.json").read_text())
            for key in ("spec", "fingerprint", "versions", "items", "targets", "draws", "rejected"):
                assert made[key] == one[key], key
        items = map(json.loads, joined("d7").splitlines())
        assert sum(item["attempt"] > 0 for item in items) == 73

    def test_one_file_made_by_workers(self, generate, many):
        code, _, _ = generate(*MANY, "workers=2", out="two.jsonl")
        assert (code, Path("two.jsonl").read_bytes()) == (0, many.read_bytes())

    @slow
    def test_in_any_order_of_finishing_and_by_any_hash_seed(self, many, tmp_path):
        """A process of its own: other workers, another hash seed, the last shard's workers the first to be done."""
        done = subprocess.run(
            [sys.executable, "-c", OTHER_ORDER, *MANY, "shards=5", f"out={tmp_path}/d"],
            env={**os.environ, "PYTHONHASHSEED": "77", "LC_ALL": "C", "TZ": "Asia/Tokyo"},
            capture_output=True, text=True,
        )  # fmt: skip
        assert (done.returncode, done.stderr) == (0, "")
        assert joined() == many.read_bytes()

    @each("name", ["tempobench", "timepuzzles", "vltl"])
    def test_every_benchmark(self, generate, harness, name):
        words = [f"plugin={name}", "n=12"]
        assert generate(*words, "shards=3", out=name)[0] == 0
        assert joined(name) == single(harness, *words, out=f"{name}.jsonl")

    def test_without_uniqueness(self, generate, harness):
        words = toy("top=1", "unique=false", n=50)
        assert generate(*words)[0] == 0
        assert joined() == single(harness, *words)

    def test_as_many_shards_as_items_and_the_usual_number(self, generate, harness):
        assert generate(*toy(n=5, shards=5))[0] == 0
        assert [one["items"] for one in manifest()["shards"]] == [1] * 5
        assert [len(shards.plan(n, None)) for n in (1, 100, 101, 10**4, 10**6, 10**10)] == [
            1, 1, 2, 16, 100, 100_000,
        ]  # fmt: skip
        sizes = [shard.stop - shard.start for shard in shards.plan(1000, 7)]
        assert (sum(sizes), max(sizes) - min(sizes)) == (1000, 1)


OTHER_ORDER = f"""
import sys, time
from harness.cli import main as cli
from harness.datasets import engines
{QUIET}
call, ended = engines.Local.call, []
def late(self, function, job, *more, **limits):
    while job.get("start", 1) == 0 and ended.count(function) < 4:
        time.sleep(0.005)
    try:
        return call(self, function, job, *more, **limits)
    finally:
        ended.append(function)
engines.Local.call = late
code = cli.main(["generate", *sys.argv[1:], "workers=2", "--json"])
sys.exit(code)
"""


DAMAGE = {
    "a line torn": ("draft", lambda w: torn_draft(w, b'{"plugin": "toy_g')),
    "a tail of zeros": ("draft", lambda w: torn_draft(w, bytes(4096))),
    "a line of another item": ("draft", lambda w: torn_draft(w, None)),
    "no identities": ("draws", lambda w: (w / f"{FIRST}.ids").unlink()),
    "identities cut off": ("draws", lambda w: os.truncate(w / f"{FIRST}.ids", 100)),
    "identities of nothing": ("draws", lambda w: (w / f"{FIRST}.ids").write_bytes(bytes(540))),
    "facts torn": ("draws", lambda w: os.truncate(w / f"{FIRST}.json", 30)),
    "facts empty": ("finish", lambda w: os.truncate(w / f"{FIRST}.json", 0)),
    "facts of another form": ("finish", lambda w: (w / f"{FIRST}.json").write_text("[1]")),
    "a draft cut off": ("finish", lambda w: os.truncate(w / f"{FIRST}.jsonl", 100)),
    "no draft": ("finish", lambda w: (w / f"{FIRST}.jsonl").unlink()),
    "no facts": ("finish", lambda w: (w / f"{FIRST}.json").unlink()),
    "redrawn torn": ("finish", lambda w: os.truncate(w / "redrawn.json", 9)),
    "redrawn of nothing": ("finish", lambda w: (w / "redrawn.json").write_bytes(bytes(9))),
    "redrawn no list": ("finish", lambda w: (w / "redrawn.json").write_text('{"a": 1}')),
    "redrawn and identities gone": ("finish2", lambda w: both(w, "redrawn.json", f"{FIRST}.ids")),
    "a finished shard gone": ("finish2", lambda w: (w.parent / f"{FIRST}.jsonl").unlink()),
    "a finished shard cut off": ("finish2", lambda w: os.truncate(w.parent / f"{FIRST}.jsonl", 7)),
    "a finished shard's note torn": ("finish2", lambda w: os.truncate(w / f"{FIRST}.done", 7)),
    "what a killed process left": ("finish", lambda w: litter(w)),
}  # fmt: skip


def settled():
    """Wait for the threads of a command that has ended: in its own process they would have ended with it."""
    until(lambda: not any("_serve" in one.name for one in threading.enumerate()))


class TestResumed:
    """By states made by hand, and by processes that are killed at any moment."""

    WORDS = toy("top=12", n=90, shards=3)  # 169 problems: two dozen come again

    @pytest.fixture
    def whole(self, generate):
        assert generate(*self.WORDS, out="whole")[0] == 0
        return joined("whole"), Path("whole", "manifest.json").read_bytes()

    @pytest.fixture
    def stopped(self, generate, pool, monkeypatch):
        """Make a folder in which work stopped before the function named (at its first shard, or a later one)."""

        def run(function, after=0):
            done, call = [], pool.call

            def stopping(name, job, *more, **limits):
                own = name.endswith(f":{function}")
                if own and job.get("start", 0) >= 30 * after:  # 30 items are a shard
                    until(lambda: len(done) == after)
                    raise KeyboardInterrupt
                try:
                    return call(name, job, *more, **limits)
                finally:
                    done.extend([name] * own)

            with monkeypatch.context() as patch:
                patch.setattr(pool, "call", stopping)
                code, found, _ = generate(*self.WORDS)
                settled()  # none would begin another shard when the workers are those of all again
            assert code == 130
            assert "kept in d; the same command goes on" in found["error"]["message"]
            assert not Path("d", "manifest.json").exists()

        return run

    def goes_on(self, generate, whole):
        settled()
        code, found, said = generate(*self.WORDS)
        assert (code, said) == (0, ""), found
        assert (joined(), Path("d", "manifest.json").read_bytes()) == whole
        assert len([*Path("d").iterdir()]) == 4

    @slow
    @each(
        "function, after", [("draft", 0), ("draft", 1), ("draws", 0), ("finish", 0), ("finish", 2)]
    )
    def test_after_every_step(self, generate, whole, stopped, function, after):
        shutil.rmtree("d", ignore_errors=True)
        stopped(function, after)
        self.goes_on(generate, whole)

    @slow
    @each("name", list(DAMAGE))
    def test_after_damage(self, generate, whole, stopped, name):
        shutil.rmtree("d", ignore_errors=True)
        step, damage = DAMAGE[name]
        stopped(step.rstrip("2"), 2 if step.endswith("2") else 0)
        damage(Path("d", ".work"))
        self.goes_on(generate, whole)

    def test_a_draft_that_was_changed_is_told_and_made_anew(
        self, generate, refused, whole, stopped
    ):
        stopped("finish")
        path = Path("d", ".work", f"{FIRST}.jsonl")
        path.write_bytes(path.read_bytes().replace(b"plus", b"pius", 1))
        assert "changed since it was written; the same command makes it anew" in refused(
            *self.WORDS
        )
        self.goes_on(generate, whole)

    def test_what_was_drafted_is_not_drafted_again(
        self, generate, whole, stopped, pool, monkeypatch
    ):
        stopped("finish", 1)
        asked, call = [], pool.call
        monkeypatch.setattr(
            pool, "call", lambda name, *args, **how: asked.append(name) or call(name, *args, **how)
        )
        self.goes_on(generate, whole)
        assert {name.rpartition(":")[2] for name in asked} == {"finish"}

    @slow
    def test_killed_again_and_again(self, site, generate):
        """At a step that it begins while workers are at another, and while all of them draw."""
        words = toy("top=12", n=90, shards=3, name="held")
        words = ["generate", *words, "workers=2", "out=d"]
        environment = {**os.environ, "PYTHONPATH": site}
        with started(
            *COMMAND, *words, env={**environment, "HARNESS_TOY_GATE": str(Path("never").absolute())}
        ) as child:
            until(lambda: drafted(3, 0), child)
            child.kill()
            ended(child)
        assert child.returncode == -signal.SIGKILL
        for step in ("draft 1", "draws 0", "finish 1"):
            with started(sys.executable, "-c", KILLED, step, *words, env=environment) as child:
                ended(child)
            assert child.returncode == -signal.SIGKILL, step
            assert not Path("d/manifest.json").exists()
        words = toy("top=12", n=90, shards=3, name="held")
        for out in ("d", "whole"):
            code, found, said = generate(*words, out=out)
            assert (code, said) == (0, ""), found
        assert (joined(), manifest()) == (joined("whole"), manifest("whole"))


# The command, which is killed as it asks its workers for a step of one more shard than it may.
KILLED = f"""
import os, signal, sys
from harness.cli import main as cli
from harness.datasets import engines
{QUIET}
(step, most), call, asked = sys.argv.pop(1).split(), engines.Local.call, []
def killed(self, name, *args, **limits):
    asked.append(name)
    if name.endswith(f":{{step}}") and asked.count(name) > int(most):
        os.kill(os.getpid(), signal.SIGKILL)
    return call(self, name, *args, **limits)
engines.Local.call = killed
sys.exit(cli.main())
"""

FIRST = "part-00000-of-00003"


def drafted(shards, *numbers):
    """Return whether all that some shards are held at is on the disk."""
    names = [f"part-{number:05}-of-{shards:05}.partial" for number in numbers]
    paths = [Path("d", ".work", name, "items.partial") for name in names]
    return all(path.exists() and path.read_bytes().count(b"\n") == 7 for path in paths)


def torn_draft(work, tail):
    """Put a finished draft back to where it was when half of it was made, and something after that."""
    folder = work / f"{FIRST}.partial"
    shutil.copytree(work.parent.parent / "whole", work / "copy")
    lines = (work / "copy" / f"{FIRST}.jsonl").read_bytes().splitlines(keepends=True)
    shutil.rmtree(work / "copy")
    folder.mkdir(exist_ok=True)
    # As a draft has them: what comes again is not drawn again yet.
    good = [line for line in lines[:9] if json.loads(line)["attempt"] == 0]
    upto = next(i for i, line in enumerate(lines) if json.loads(line)["attempt"] or i == 9)
    assert good
    tail = lines[upto + 3] if tail is None else tail
    (folder / "items.partial").write_bytes(b"".join(lines[:upto]) + tail)
    (folder / "ids.partial").write_bytes(b"nothing of use")


def both(work, *names):
    for name in names:
        (work / name).unlink()


def litter(work):
    (work / "harness-abc").mkdir()
    (work / "harness-abc" / "shard").write_bytes(bytes(1000))
    (work / f".{FIRST}.json.0123.new").write_text("{")
    (work / f"{FIRST}.partial" / "items.partial").write_bytes(b"{")


class TestFolders:
    @each("words, message", [
        (["n=61"], "unfinished dataset with other settings; remove it"),
        (["seed=1"], "unfinished dataset with other settings"),
        (["to=parquet"], "unfinished dataset with other settings"),
        (["shards=5"], "unfinished dataset with other settings"),
    ])  # fmt: skip
    def test_an_unfinished_folder_of_other_settings(self, refused, words, message):
        Path("d", ".work").mkdir(parents=True, exist_ok=True)
        mark = {"fingerprint": fingerprint(), "to": "jsonl", "shards": 4}
        Path("d", ".work", "spec.json").write_text(json.dumps(mark))
        given = {word.split("=")[0]: word for word in [*toy(), *words]}
        assert message in refused(*given.values())

    @each("name, text", [("notes.txt", "mine"), (".work/other", "x"), ("part-0.jsonl", "")])
    def test_a_folder_of_something_else(self, refused, name, text):
        shutil.rmtree("d", ignore_errors=True)
        Path("d", name).parent.mkdir(parents=True)
        Path("d", name).write_text(text)
        assert "exists and is not empty" in refused(*toy())
        assert Path("d", name).read_text() == text

    def test_a_finished_folder_is_left_alone_or_tidied(self, generate, refused):
        assert generate(*toy())[0] == 0
        before = {path: path.read_bytes() for path in Path("d").iterdir()}
        assert "holds a dataset; choose another out= or remove it" in refused(*toy())
        assert "holds a dataset" in refused(*toy("seed=1"))
        # Killed between the manifest and the tidying up.
        mark = {"fingerprint": manifest()["fingerprint"], "to": "jsonl", "shards": 4}
        Path("d", ".work").mkdir()
        Path("d", ".work", "spec.json").write_text(json.dumps(mark))
        Path("d", ".work", "redrawn.json").write_text("[")
        assert generate(*toy())[0] == 0
        assert {path: path.read_bytes() for path in Path("d").iterdir()} == before

    def test_what_is_killed_while_it_tidies_up_is_tidied_up_after(self, generate, monkeypatch):
        """Whatever the order in which a disk lists a folder: its owner is known to the last."""
        removed, remove = [], shards.Storage.remove

        def dying(store, name):
            if removed:
                raise KeyboardInterrupt
            removed.extend([name] if Path("d", "manifest.json").exists() else [])
            remove(store, name)

        with monkeypatch.context() as patch:
            patch.setattr(shards.Storage, "remove", dying)
            assert generate(*toy())[0] == 130
        assert removed
        assert Path("d", ".work").exists()
        assert generate(*toy())[0] == 0
        assert not Path("d", ".work").exists()

    def test_two_at_once(self, generate, refused, pool, monkeypatch):
        Path("d", ".work").mkdir(parents=True)
        mark = {"fingerprint": fingerprint(), "to": "jsonl", "shards": 4}
        Path("d", ".work", "spec.json").write_text(json.dumps(mark))
        with Path("d", ".work", "lock").open("w") as held:
            fcntl.flock(held, fcntl.LOCK_EX)
            assert "another process is writing this dataset" in refused(*toy())
        assert generate(*toy())[0] == 0

    @each("name", [
        ".work", ".work/lock", ".work/{}.partial", ".work/{}.partial/items.partial",
        ".work/{}.partial/ids.partial", ".work/{}.partial/lock",
    ])  # fmt: skip
    def test_links_lead_nowhere(self, refused, name):
        shutil.rmtree("d", ignore_errors=True)
        victim = Path("victim")
        victim.unlink(missing_ok=True)
        victim.write_text("precious")
        Path("elsewhere").mkdir(exist_ok=True)
        link = Path("d", name.format("part-00000-of-00004"))
        link.parent.mkdir(parents=True)
        if name != ".work":
            mark = {"fingerprint": fingerprint(), "to": "jsonl", "shards": 4}
            Path("d", ".work", "spec.json").write_text(json.dumps(mark))
        folder = name in (".work", ".work/{}.partial")
        link.symlink_to(Path("elsewhere" if folder else "victim").absolute())
        assert "is a link" in refused(*toy())
        assert victim.read_text() == "precious"
        assert not [*Path("elsewhere").iterdir()]

    @each("words, out, message", [
        (["shards=0"], "d", "shards=0: the least is 1"),
        (["shards=61"], "d", "shards=61: at most 60 for 60 items"),
        (["shards=x"], "d", "shards=x: expected an integer"),
        (["n=1000001", "shards=2"], "d", "shards=2: at least 3 for 1000001 items"),
        (["to=csv"], "d", "to=csv: shards are jsonl or parquet"),
        (["to=parquet", "seed=9223372036854775808"], "d", "at most 9223372036854775807 with to=parquet"),
        (["workers=0"], "d", "workers=0: the least is 1"),
        (["workers=10001"], "d", "workers=10001: at most 10000"),
        (["workers=" + "9" * 500], "d", "at most 10000"),
        (["engine=slurm"], "d", "engine=slurm; known: local, ray"),
        (["address=auto"], "d", "it goes with engine=ray"),
        ([], "d.jsonl", "shards=4 goes with a folder"),
        ([], "d.csv", "expected a name that ends in .jsonl, or a folder's"),
        ([], "x" * 300 + ".d", "expected a name that ends in .jsonl, or a folder's"),
        ([], "x" * 300, "File name too long"),
        ([], "/dev/null/d", "Not a directory"),
        ([], "file", "Not a directory"),
        ([], "s3://bucket/d.jsonl", "expected a name that ends in .jsonl, or a folder's"),
        ([], "nosuch://bucket/d", "Protocol not known: nosuch"),
        (["top=1"], "d", "these settings can yield 4 distinct items, 60 were asked for"),
    ])  # fmt: skip
    def test_bad_settings(self, refused, words, out, message):
        Path("file").write_text("")
        given = {word.split("=")[0]: word for word in [*toy(), *words]}
        assert message in refused(*given.values(), out=out)
        assert not Path("d").exists()


class TestFaults:
    @slow
    def test_a_worker_that_is_killed_while_it_drafts(self, site, generate, monkeypatch):
        """It is replaced, and nothing is made twice or left out."""
        gate = Path("gate").absolute()
        environment = {**os.environ, "PYTHONPATH": site, "HARNESS_TOY_GATE": str(gate)}
        words = toy(n=60, shards=2, name="held")
        with started(*COMMAND, "generate", *words, "workers=2", "out=d", env=environment) as child:
            until(lambda: drafted(2, 0, 1), child)
            (victim, *_) = workers_of(child.pid)
            os.kill(victim, signal.SIGKILL)
            gate.touch()
            _, said = ended(child)
        assert (child.returncode, said) == (0, "")
        assert generate(*words, out="whole")[0] == 0
        assert joined() == joined("whole")
        assert manifest() == manifest("whole")

    def test_a_plugin_that_fails_at_one_index(self, refused):
        """The line says where, and what came before is kept."""
        said = refused(*toy(n=40, shards=4, name="raising_here"))
        assert said == (
            "part-00001-of-00004, index 13: plugin 'toy_raising_here': generate() failed: "
            "ZeroDivisionError: no such sum"
        )
        kept = Path("d", ".work", "part-00001-of-00004.partial", "items.partial").read_text()
        assert [json.loads(line)["index"] for line in kept.splitlines()] == [10, 11, 12]
        assert "index 13: plugin 'toy_raising_here'" in refused(
            *[word for word in toy(n=40, name="raising_here") if "shards" not in word],
            "workers=2", out="one.jsonl",
        )  # fmt: skip
        assert len(Path("one.jsonl.partial").read_text().splitlines()) == 13

    @slow
    def test_a_plugin_that_kills_its_worker_at_one_index(self, refused):
        said = refused(*toy(n=40, shards=4, name="dying_here"))
        assert said == (
            "part-00001-of-00004, from index 13 on: harness.datasets.shard_draft:draft was killed by signal 9 "
            "(SIGKILL); what is finished is kept"
        )

    @slow
    def test_a_full_disk(self, site, generate, tmp_path):
        """A limit on the size of files fails as a full disk does: at some write, in mid-line."""

        def limit():
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            resource.setrlimit(resource.RLIMIT_FSIZE, (4_000, 4_000))

        words = toy(n=60, shards=2)
        # First, so that the process with the limit compiles no module: it would leave a torn one.
        assert generate(*words, out="whole")[0] == 0
        done = subprocess.run(
            [*COMMAND, "generate", *words, "workers=1", "out=d"],
            env={**os.environ, "PYTHONPATH": site}, preexec_fn=limit, capture_output=True, text=True,
        )  # fmt: skip
        assert (done.returncode, done.stdout) == (1, "")
        assert (
            done.stderr
            == "harness: d/.work/part-00000-of-00002.jsonl: File too large\n".replace(
                "d/.work", f"{tmp_path}/d/.work"
            )
        )
        assert generate(*words)[0] == 0
        assert joined() == joined("whole")

    def test_a_disk_that_is_full_when_problems_are_sorted(self, generate, refused, monkeypatch):
        def full(*_):
            raise OSError(28, "No space left on device")

        words = toy("top=12", n=90, shards=3)
        with monkeypatch.context() as patch:
            patch.setattr(uniqueness.Index, "add", full)
            assert refused(*words) == "d: No space left on device; what is finished is kept"
        assert generate(*words)[0] == 0
        assert generate(*words, out="whole")[0] == 0
        assert joined() == joined("whole")

    @pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
    def test_a_folder_that_cannot_be_written(self, refused):
        Path("d").mkdir(mode=0o500)
        assert "Permission denied" in refused(*toy())
        Path("d").chmod(0o700)


def workers_of(pid):
    import psutil

    return [
        one.pid for one in psutil.Process(pid).children() if "harness_guard.worker" in one.cmdline()
    ]


class TestParquet:
    def test_the_columns_are_those_of_all_items(self, generate, harness):
        """One shard has integers where another has floats, and lacks a feature that another has."""
        import pyarrow.parquet as parquet

        words = toy("to=parquet", n=40, shards=4, name="mixed")
        assert generate(*words)[0] == 0
        files = sorted(Path("d").glob("*.parquet"))
        schemas = [parquet.read_schema(path) for path in files]
        assert len(files) == 4
        assert all(schema.equals(schemas[0], check_metadata=True) for schema in schemas)
        kinds = {field.name: str(field.type) for field in schemas[0]}
        assert kinds["feature_number"] == "double"
        assert kinds["feature_late"] == "string"
        assert kinds["feature_digits"] == "int64"
        assert schemas[0].metadata[b"harness.canary"].startswith(b"harness-canary")
        rows = [row for path in files for row in parquet.read_table(path).to_pylist()]
        assert [row["index"] for row in rows] == list(range(40))
        assert [row["feature_late"] for row in rows] == [None] * 30 + ["yes"] * 10
        assert harness("export", "plugin=toy_mixed", "dataset=d", "out=e.jsonl")[0] == 0
        assert len(Path("e.jsonl").read_text().splitlines()) == 40

    def test_what_is_drawn_again_counts_for_the_columns(self, generate):
        import pyarrow.parquet as parquet

        words = toy("top=12", n=90, shards=3)
        assert generate(*words, "to=parquet")[0] == 0
        assert generate(*words, out="lines")[0] == 0
        ids = [
            one for path in sorted(Path("d").glob("*.parquet"))
            for one in parquet.read_table(path, columns=["id"])["id"].to_pylist()
        ]  # fmt: skip
        assert ids == [json.loads(line)["id"] for line in joined("lines").splitlines()]
        assert {k: v for k, v in manifest().items() if k not in ("shards", "sha256")} == {
            k: v for k, v in manifest("lines").items() if k not in ("shards", "sha256")
        }


BAD = {
    "a shard changed": (lambda d: change(d), "contents do not match the checksum in manifest.json"),
    "a shard gone": (lambda d: second(d).unlink(), "it is not there; manifest.json names it"),
    "a shard that is a pipe": (lambda d: piped(second(d)), "not a regular file"),
    "a shard that is a folder": (lambda d: (second(d).unlink(), second(d).mkdir()), "not a regular file"),
    "no manifest": (lambda d: (d / "manifest.json").unlink(), "no manifest.json: not a dataset"),
    "an unfinished one": (lambda d: (d / "manifest.json").rename(d / ".m"), "the same harness generate"),
    "a manifest that is a pipe": (lambda d: piped(d / "manifest.json"), "not a regular file"),
    "torn": (lambda d: os.truncate(d / "manifest.json", 200), "not a readable manifest"),
    "empty": (lambda d: os.truncate(d / "manifest.json", 0), "not a readable manifest"),
    "huge": (lambda d: os.truncate(d / "manifest.json", 2**27), "not a readable manifest"),
    "deep": (lambda d: (d / "manifest.json").write_text("[" * 10**5), "not a readable manifest"),
    "a list": (lambda d: (d / "manifest.json").write_text("[]"), "not a readable manifest"),
    "of another": (lambda d: edit(d, lambda m: m["spec"].update(plugin="vl\x1btl")), "was made for plugin"),
    "less": (lambda d: edit(d, lambda m: m["shards"].pop()), "not a readable manifest"),
    "swapped": (lambda d: edit(d, lambda m: m["shards"].reverse()), "not a readable manifest"),
    "counts": (lambda d: edit(d, lambda m: miscount(m)), "6 records, the manifest says 7"),
    **{
        f"a file named {name!a}": (
            lambda d, name=name: edit(d, lambda m: m["shards"][0].update(file=name)),
            "not a readable manifest",
        )
        for name in (
            "../evil", "/etc/passwd", "..", ".", "", "a\x00b", "a/b", "a\\b", ".hidden", 5, None,
            "x" * 300, "a\nb", ["x"],
        )
    },
    **{
        f"items {value!r}": (
            lambda d, value=value: edit(d, lambda m: m["shards"][0].update(items=value)),
            "not a readable manifest",
        )
        for value in (-1, True, "10", 1e9, None, 10**30)
    },
}  # fmt: skip


class TestRead:
    @pytest.fixture
    def made(self, generate):
        # Fewer items than generic shortcuts are learnt from: that takes longer than all else here.
        assert generate(*toy(n=18, shards=3))[0] == 0
        return Path("d")

    def test_the_manifest(self, made):
        found = manifest()
        assert found["items"] == 18
        assert sum(found["targets"].values()) == 18
        for one in found["shards"]:
            data = (made / one["file"]).read_bytes()
            assert one == {
                "file": one["file"], "items": 6, "bytes": len(data),
                "sha256": hashlib.sha256(data).hexdigest(),
            }  # fmt: skip
        assert found["sha256"] == digest([one["sha256"] for one in found["shards"]])
        assert str(Path.cwd()) not in Path("d", "manifest.json").read_text()

    @slow
    def test_by_every_command(self, made, harness):
        own = ["plugin=toy_good", "dataset=d"]

        def ran(*words):
            code, found, _ = harness(*words)
            assert code == 0, found
            return found.get("results", [found])[0]["n"]

        assert harness("verify", *own, "report=none")[1]["items"] == 18
        assert ran("run", *own, "log_dir=logs") == 18
        assert ran("run", *own, "n=12", "log_dir=few") == 12
        items = [Item(**json.loads(line)) for line in joined().splitlines()]
        Path("said.jsonl").write_text(
            "".join(json.dumps({"id": item.id, "response": item.target}) + "\n" for item in items)
        )
        assert ran("score", *own, "responses=said.jsonl", "log_dir=scored") == 18
        assert harness("export", *own, "out=e.jsonl")[0] == 0
        assert Path("e.jsonl").read_bytes() == joined()
        code, found, _ = harness("show", *own, "index=15")
        assert (code, found["items"][0]["id"]) == (0, items[15].id)

    def test_through_a_url(self, made, harness):
        found = harness(
            "verify", "plugin=toy_good", f"dataset=file://{made.absolute()}", "report=none"
        )
        assert found[1]["items"] == 18

    @each("name", list(BAD))
    def test_what_was_changed_is_told(self, made, harness, name):
        shutil.rmtree("bad", ignore_errors=True)
        shutil.copytree("d", "bad")
        spoil, message = BAD[name]
        spoil(Path("bad"))
        code, found, said = harness("verify", "plugin=toy_good", "dataset=bad", "report=none")
        assert code in (1, 2), found
        told = found["error"]["message"] if "error" in found else str(found)
        assert message in told
        assert "\x1b" not in said


def second(folder):
    return folder / "part-00001-of-00003.jsonl"


def change(folder):
    path = second(folder)
    path.write_bytes(path.read_bytes().replace(b"plus", b"pius", 1))


def piped(path):
    path.unlink()
    os.mkfifo(path)


def edit(folder, how):
    found = manifest(folder)
    how(found)
    Path(folder, "manifest.json").write_text(json.dumps(found))


def miscount(found):
    found["shards"][0]["items"] += 1
    found["items"] += 1


class Terminal(io.StringIO):
    def isatty(self):
        return True


class TestProgress:
    def at(self, stream, times):
        making = Making(1000, 100, stream, iter(times).__next__)
        with making:
            for items in (200, 300, 400):
                making.at(items, items * 2, items)
        return stream.getvalue()

    def test_a_line_on_a_terminal_that_goes_away(self):
        said = self.at(Terminal(), [0, 10, 10, 20, 20, 20.05, 20.05])
        assert said == (
            "\r200/1000 items · 10.0/s · 1:20 left · rejected 50.0%\x1b[K"
            "\r300/1000 items · 10.0/s · 1:10 left · rejected 50.0%\x1b[K\r\x1b[K"
        )

    def test_seldom_a_line_in_a_file(self):
        assert self.at(io.StringIO(), [0, 10, 29, 31, 31]) == (
            "400/1000 items · 9.7/s · 1:02 left · rejected 50.0%\n"
        )

    def test_nothing_to_tell_yet(self):
        assert Making(10, clock=lambda: 0.0).line() == "0/10 items · 0.0/s · ? left"

    @slow
    def test_a_command_shows_how_far_its_workers_are(self, monkeypatch, capsys, pool, tmp_path):
        gate = tmp_path / "gate"

        class Screen(Terminal):
            def write(self, text):
                if "\r14/60 items" in text:  # of two shards, at both of which somebody is
                    gate.touch()
                return super().write(text)

        monkeypatch.setenv("HARNESS_TOY_GATE", str(gate))
        for name in ("EVERY", "SELDOM"):
            monkeypatch.setattr(progress, name, 0.0)
        monkeypatch.setattr(shard_steps, "EVERY", 0.05)
        screen = Screen()
        with monkeypatch.context() as patch:
            patch.setattr(engines, "chosen", lambda options, shared=False: nullcontext(pool))
            patch.setattr("sys.stderr", screen)
            assert main(["generate", "plugin=toy_held", "n=60", "shards=2", "out=d"]) == 0
        painted = screen.getvalue().split("\r")
        counts = [int(line.split("/")[0]) for line in painted if "rejected" in line]
        assert counts == sorted(counts)
        assert counts[-1] == 60
        assert 14 in counts
        assert painted[-1] == "\x1b[K"
        assert painted[-2].startswith("60/60 items in their places")
        assert "\x1b" not in capsys.readouterr().out
