"""Datasets: no duplicates, no half files, the same bytes after any interruption, no bad record."""

import csv
import ctypes
import json
import os
import resource
import signal
import subprocess
import sys
from itertools import islice
from pathlib import Path

import pytest
from cases import each, slow, some
from children import ended, started, until
from harness_errors import DatasetError, ExhaustedError, HarnessError, OutputError, PluginError
from inspect_ai.log import read_eval_log

from harness.cli.main import main
from harness.core import fresh, plugins
from harness.core.items import Item, sample_ids
from harness.core.spec import make
from harness.datasets import dataset, reading
from harness.run import inspect_task


@pytest.fixture
def good(toys):
    return toys("Good")


def spec_of(plugin, **values):
    return make(plugin, values)


def written(plugin, path, **values):
    dataset.write(plugin, spec_of(plugin, **values), path)
    return path


def read(plugin, path, **values):
    return list(reading.records(plugin, spec_of(plugin, dataset=str(path), **values)))


def lines_of(path):
    return path.read_text(encoding="utf-8").splitlines(keepends=True)


class TestFresh:
    def test_items_are_those_of_their_indices(self, good):
        spec = spec_of(good, n=5, unique=False)
        assert list(fresh.items(good, spec)) == [fresh.item_at(good, spec, i) for i in range(5)]

    def test_items_say_where_they_come_from(self, good):
        spec = spec_of(good, n=3, seed=4, split="train")
        items = list(fresh.items(good, spec))
        assert [(i.index, i.seed, i.split, i.attempt) for i in items] == [
            (n, 4, "train", 0) for n in range(3)
        ]

    def test_a_small_space_is_used_up_to_the_last(self, good):
        items = list(fresh.items(good, spec_of(good, top=2, n=9)))
        assert sorted((i.problem["a"], i.problem["b"]) for i in items) == [
            (a, b) for a in range(3) for b in range(3)
        ]
        assert max(item.attempt for item in items) > 0

    def test_a_redrawn_item_can_be_made_again_alone(self, good):
        spec = spec_of(good, top=2, n=9)
        for item in fresh.items(good, spec):
            assert fresh.item_at(good, spec, item.index, item.attempt) == item

    def test_more_than_there_are(self, good):
        made = fresh.items(good, spec_of(good, top=1, n=5))
        assert len(list(islice(made, 4))) == 4
        with pytest.raises(
            ExhaustedError, match="can yield 4 distinct items, 5 were asked for; use n=4"
        ):
            next(made)

    def test_more_than_there_are_where_nobody_counted(self, toys, monkeypatch):
        monkeypatch.setattr(fresh, "LIMIT", 400)
        plugin = toys("Uncounted")
        with pytest.raises(
            ExhaustedError, match="index 4 in 400 draws after 4 items; use n=4 or less"
        ):
            list(fresh.items(plugin, spec_of(plugin, top=1, n=5)))

    def test_duplicates_when_asked_for(self, good):
        items = list(fresh.items(good, spec_of(good, top=1, n=9, unique=False)))
        assert len({item.problem_id for item in items}) < 9
        ids = sample_ids(items)
        assert len(set(ids)) == 9
        assert {own.partition("-")[0] for own in ids} == {item.id for item in items}


class TestWrite:
    def test_what_is_written_is_read(self, good, tmp_path):
        path = written(good, tmp_path / "deep" / "d.jsonl", n=7)
        assert read(good, path) == list(fresh.items(good, spec_of(good, n=7)))
        assert sorted(p.name for p in path.parent.iterdir()) == ["d.jsonl", "d.jsonl.manifest.json"]

    def test_the_manifest_says_what_was_made_by_what(self, toys, tmp_path):
        plugin = plugins.registry().get("toy_good")
        path = written(plugin, tmp_path / "d.jsonl", n=7, seed=3)
        manifest = json.loads(reading.manifest_path(path).read_text())
        assert manifest["spec"] == {
            "plugin": "toy_good",
            "version": "0.1",
            "config": {"top": 99_999, "style": "plain"},
            "n": 7, "seed": 3, "split": "test", "unique": True, "wrappers": {"toy_wrapper": "0.1"},
        }  # fmt: skip
        assert manifest["fingerprint"] == spec_of(plugin, n=7, seed=3).fingerprint
        assert manifest["items"] == manifest["draws"] == sum(manifest["targets"].values()) == 7
        assert {"python", "temporal-harness", "toy_good", "toys"} <= set(manifest["versions"])
        assert manifest["canary"].startswith("harness-canary ")

    def test_the_same_settings_give_the_same_bytes(self, good, tmp_path):
        one, two = (written(good, tmp_path / name, n=20) for name in ("1.jsonl", "2.jsonl"))
        assert one.read_bytes() == two.read_bytes()
        manifests = [reading.manifest_path(path).read_bytes() for path in (one, two)]
        assert manifests[0] == manifests[1]

    def test_an_existing_output_is_left_alone(self, good, tmp_path):
        path = tmp_path / "d.jsonl"
        path.write_text("mine")
        with pytest.raises(OutputError, match="exists; choose another out= or remove it"):
            written(good, path)
        assert path.read_text() == "mine"
        assert list(tmp_path.iterdir()) == [path]

    def test_a_link_that_leads_nowhere_is_left_alone(self, good, tmp_path):
        path = tmp_path / "d.jsonl"
        path.symlink_to("nowhere")
        with pytest.raises(OutputError, match="exists; choose another out= or remove it"):
            written(good, path)
        assert list(tmp_path.iterdir()) == [path]
        assert path.is_symlink()

    @pytest.fixture
    def partial(self, good, tmp_path, monkeypatch):
        """Stop after 12 of 20 items; return the path of the dataset that is not there yet."""
        whole = fresh.items

        def stopping(*given, **options):
            yield from islice(whole(*given, **options), 12)
            raise KeyboardInterrupt

        path = tmp_path / "d.jsonl"
        with monkeypatch.context() as patch:
            patch.setattr(fresh, "items", stopping)
            with pytest.raises(KeyboardInterrupt):
                written(good, path, n=20)
        assert not path.exists()
        assert len(lines_of(tmp_path / "d.jsonl.partial")) == 12
        return path

    def resumed(self, good, path, monkeypatch):
        """Finish the dataset; return how many items had to be made for that."""
        made = []
        one = fresh.item_at
        with monkeypatch.context() as patch:
            patch.setattr(fresh, "item_at", lambda *a: made.append(a) or one(*a))
            written(good, path, n=20)
        whole = written(good, path.with_name("whole.jsonl"), n=20)
        assert path.read_bytes() == whole.read_bytes()
        pairs = (reading.manifest_path(p).read_text() for p in (path, whole))
        assert len(set(pairs)) == 1
        assert not list(path.parent.glob("*.partial*"))
        return len(made)

    def test_finished_items_are_not_made_again(self, good, partial, monkeypatch):
        assert self.resumed(good, partial, monkeypatch) == 8

    @pytest.mark.parametrize(
        "junk",
        [b'{"plugin": "toy_go', b"\x00" * 40, b"\x00\n", b"\xff\n", b"[]\n", b'{"plugin": 3}\n'],
    )
    def test_a_torn_end_is_cut_off(self, good, partial, monkeypatch, junk):
        with partial.with_name("d.jsonl.partial").open("ab") as file:
            file.write(junk)
        assert self.resumed(good, partial, monkeypatch) == 8

    def test_a_last_line_without_its_end_is_made_again(self, good, partial, monkeypatch):
        torn = partial.with_name("d.jsonl.partial")
        os.truncate(torn, torn.stat().st_size - 1)
        assert self.resumed(good, partial, monkeypatch) == 9

    def test_a_partial_of_other_settings_is_left_alone(self, good, partial):
        with pytest.raises(
            OutputError, match="belongs to a dataset with other settings; remove it"
        ):
            written(good, partial, n=20, seed=1)
        assert len(lines_of(partial.with_name("d.jsonl.partial"))) == 12

    @pytest.mark.parametrize("text", ["", "[]", "3", '{"no": "fingerprint"}'])
    def test_a_partial_of_unknown_settings_is_left_alone(self, good, partial, text):
        partial.with_name("d.jsonl.partial.json").write_text(text)
        with pytest.raises(OutputError, match="belongs to a dataset with other settings"):
            written(good, partial, n=20)

    def test_other_settings_where_nothing_was_made_yet(self, good, partial):
        partial.with_name("d.jsonl.partial").unlink()
        assert len(read(good, written(good, partial, n=2, seed=1))) == 2

    def test_nothing_is_left_where_the_first_item_is_refused(self, toys, tmp_path, monkeypatch):
        def refuse(*_):
            raise ExhaustedError("nothing to be found")

        monkeypatch.setattr(fresh, "item_at", refuse)
        with pytest.raises(ExhaustedError, match="nothing to be found"):
            written(toys("Good"), tmp_path / "d.jsonl", n=3)
        assert list(tmp_path.iterdir()) == []

    def test_items_that_are_not_json_are_refused(self, toys, tmp_path):
        plugin = toys("NanFeature")
        said = r"'toy_nan_feature': generate\(\) returned features that are not JSON: ValueError"
        with pytest.raises(PluginError, match=said):
            written(plugin, tmp_path / "d.jsonl")
        assert not (tmp_path / "d.jsonl").exists()

    def test_a_name_too_long(self, good, tmp_path):
        with pytest.raises(OutputError, match="cannot be written: File name too long"):
            written(good, tmp_path / ("x" * 300 + ".jsonl"))

    def test_a_directory_that_is_a_file(self, good, tmp_path):
        (tmp_path / "file").write_text("")
        with pytest.raises(OutputError, match="cannot be written: File exists"):
            written(good, tmp_path / "file" / "d.jsonl")


HERE = Path(__file__).parents[1]

# The command, with a plugin that draws 20 items and waits with the next until a file is there.
HELD = """
import sys, time
from pathlib import Path
import toy_defects
from children import QUIET
from harness.cli import main as cli

draw, gate = toy_defects.Slow.draw, Path(sys.argv.pop(1))


def held(self, top, index, rng):
    for _ in range(30_000 if index == 20 else 0):
        if gate.exists():
            break
        time.sleep(0.01)
    return draw(self, top, index, rng)


toy_defects.Slow.draw = held
exec(QUIET)
sys.exit(cli.main())
"""


def generating(toys, path, gate="/", before=None):
    words = [HELD, gate, "generate", "plugin=toy_slow", "n=60", f"out={path}"]
    environment = {**os.environ, "PYTHONPATH": f"{toys.path}:{HERE}"}
    return started(sys.executable, "-c", *words, env=environment, preexec_fn=before)


def at_work(path, child):
    """Wait until the first lines are on the disk."""
    partial = path.with_name(path.name + ".partial")
    until(lambda: partial.exists() and partial.stat().st_size, child)


class TestKilled:
    """In processes of their own, which somebody or something stops."""

    def finished(self, toys, path):
        """Run the same command again, here, and hold what it makes against an uninterrupted run."""
        assert main(["generate", "plugin=toy_slow", "n=60", f"out={path}"]) == 0
        plugin = toys("Slow")
        whole = written(plugin, path.with_name("whole.jsonl"), n=60)
        return path.read_bytes() == whole.read_bytes() and len(read(plugin, path)) == 60

    @slow
    def test_killed_in_mid_write(self, toys, tmp_path):
        path = tmp_path / "d.jsonl"
        with generating(toys, path, tmp_path / "never") as child:
            at_work(path, child)
            child.kill()
            ended(child)
        assert child.returncode == -signal.SIGKILL
        assert not path.exists()
        torn = path.with_name("d.jsonl.partial").read_bytes()
        assert 0 < torn.count(b"\n") < 60
        assert self.finished(toys, path)

    @slow
    def test_interrupted(self, toys, tmp_path):
        path = tmp_path / "d.jsonl"
        with generating(toys, path, tmp_path / "never") as child:
            at_work(path, child)
            child.send_signal(signal.SIGINT)
            out, said = ended(child)
        assert (child.returncode, out) == (130, "")
        assert said.startswith("harness: interrupted")
        assert said.count("\n") == 1
        assert not path.exists()
        assert path.with_name("d.jsonl.partial").stat().st_size
        assert self.finished(toys, path)

    @slow
    def test_disk_full(self, toys, tmp_path):
        """A limit on the size of files fails as a full disk does: at some write, in mid-line."""

        def limit():
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            resource.setrlimit(resource.RLIMIT_FSIZE, (10_000, 10_000))

        path = tmp_path / "d.jsonl"
        with generating(toys, path, before=limit) as child:
            out, said = ended(child)
        assert (child.returncode, out) == (1, "")
        assert said == (
            f"harness: {path}: cannot be written: File too large; what is finished is kept in "
            "d.jsonl.partial, the same command goes on from there\n"
        )
        assert path.with_name("d.jsonl.partial").stat().st_size == 10_000
        assert self.finished(toys, path)

    @slow
    def test_directory_without_write_permission(self, toys, tmp_path):
        folder = tmp_path / "closed"
        folder.mkdir(mode=0o555)
        path = folder / "d.jsonl"
        with generating(toys, path, before=as_others) as child:
            out, said = ended(child)
        assert (child.returncode, out) == (1, "")
        assert said == f"harness: {path}: cannot be written: Permission denied\n"


KILLING = """
import json, os, random, signal, sys
from pathlib import Path
from children import killed_at, steps_of
from harness.datasets import dataset
from harness.core.plugins import registry
from harness.core.spec import make

folder, kills = Path(sys.argv[1]), int(sys.argv[2])
plugin = registry().get("toy_good")
spec = make(plugin, {"n": 120, "top": 30})
rng = random.Random(sys.argv[3])


def write(name):
    dataset.write(plugin, spec, folder / name)


def written(name, step=None):
    child = os.fork()
    if child:
        return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    try:
        if step:
            killed_at(step)
        write(name)
    except BaseException as error:
        print(error, file=sys.stderr, flush=True)
        os._exit(1)
    os._exit(0)


def complete(name):
    return (folder / name).exists() and not (folder / f"{name}.partial.json").exists()


write("whole.jsonl")  # all is imported from here on
undisturbed = steps_of(lambda: write("counted.jsonl"))
found = {"killed": 0, "datasets": 0, "torn": 0}
while found["killed"] < kills:
    name = f"d{found['datasets']}.jsonl"
    # Till the file is whole; whoever comes after the last kill is left alone.
    while not complete(name):
        step = rng.randint(1, undisturbed) if found["killed"] < kills else None
        code = written(name, step)
        assert code == 0 or code == -signal.SIGKILL and step, code
        found["killed"] += code != 0
        found["torn"] += (folder / f"{name}.partial").exists()
    found["datasets"] += 1
print(json.dumps(found))
"""


@slow
def test_killed_fifty_times_at_random_it_ends_with_the_same_bytes(toys, tmp_path):
    kills = max(some(50), 12)
    done = subprocess.run(
        [sys.executable, "-c", KILLING, str(tmp_path), str(kills), "6"],
        env={**os.environ, "PYTHONPATH": f"{toys.path}:{HERE}"},
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    found = json.loads(done.stdout)
    assert found["killed"] == kills
    assert found["torn"] > kills // 10
    names = [f"d{number}.jsonl" for number in range(found["datasets"])]
    for end in ("", ".manifest.json"):
        made = {
            (tmp_path / (name + end)).read_bytes()
            for name in ["whole.jsonl", "counted.jsonl", *names]
        }
        assert len(made) == 1
    # And nothing else is left, however it was killed.
    assert len(list(tmp_path.iterdir())) == 2 * (len(names) + 2)


KILL_AT = [
    "replace",
    "write_json",
    "_resume",
    "_append",
    "manifest_path",
    "Path.rename",
    "Path.replace",
    "Path.unlink",
]


@pytest.mark.parametrize("after", [False, True])
@each("name", KILL_AT)
def test_killed_at_every_step(good, tmp_path_factory, name, after):
    """Before and after every step that touches the disk, the last ones included."""
    path = tmp_path_factory.mktemp("steps") / "d.jsonl"
    whole = written(good, path.with_name("whole.jsonl"), n=9)
    owner, _, method = name.rpartition(".")
    where = Path if owner else dataset
    usual = getattr(where, method)
    for turn in range(1, 4):
        reading.manifest_path(path).unlink(missing_ok=True)
        path.unlink(missing_ok=True)

        def stopping(*given, left=[turn], **options):  # noqa: B006 (it counts)
            left[0] -= 1
            if not left[0] and not after:
                raise Killed
            found = usual(*given, **options)
            if not left[0]:
                raise Killed
            return found

        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(where, method, stopping)
            try:
                written(good, path, n=9)
            except Killed:
                patch.undo()
                if not path.exists() or path.with_name("d.jsonl.partial.json").exists():
                    written(good, path, n=9)
        assert path.read_bytes() == whole.read_bytes()
        assert reading.manifest_path(path).read_bytes() == reading.manifest_path(whole).read_bytes()
        assert len(list(path.parent.iterdir())) == 4


class Killed(BaseException):
    """What a kill is to a test that stays alive itself."""


@slow
def test_a_second_writer_is_refused_and_the_first_goes_on(toys, tmp_path):
    path, gate = tmp_path / "d.jsonl", tmp_path / "gate"
    with generating(toys, path, gate) as first:
        at_work(path, first)
        with pytest.raises(
            OutputError, match="another process is writing this dataset; wait for it"
        ):
            written(toys("Slow"), path, n=60)
        gate.touch()
        ended(first)
    assert first.returncode == 0
    whole = written(toys("Slow"), tmp_path / "whole.jsonl", n=60)
    assert path.read_bytes() == whole.read_bytes()


def test_what_is_finished_is_not_taken_for_something_else(good, tmp_path):
    path = written(good, tmp_path / "d.jsonl", n=5)
    head = path.with_name("d.jsonl.partial.json")
    for text in ("", "{}", '{"fingerprint": "another"}'):
        head.write_text(text)
        with pytest.raises(OutputError, match="exists; choose another out="):
            written(good, path, n=5)
        assert head.read_text() == text
    assert len(list(tmp_path.iterdir())) == 3


def as_others():
    """Give up root's right to write where permissions forbid it; it ends with the next exec."""
    if os.getuid() == 0:
        drop, dac_override = 24, 1  # PR_CAPBSET_DROP, CAP_DAC_OVERRIDE
        if ctypes.CDLL(None).prctl(drop, dac_override, 0, 0, 0):
            raise OSError("root cannot give up its rights here")


class TestRead:
    @pytest.fixture
    def path(self, good, tmp_path):
        return written(good, tmp_path / "d.jsonl", n=4)

    def refusal(self, plugin, path):
        with pytest.raises(DatasetError) as caught:
            read(plugin, path)
        return str(caught.value)

    def change(self, path, number, edit):
        """Replace line ``number`` by ``edit(line)`` in a dataset that has no manifest."""
        reading.manifest_path(path).unlink(missing_ok=True)
        lines = lines_of(path)
        lines[number] = edit(lines[number])
        path.write_text("".join(lines), encoding="utf-8")

    def error(self, plugin, path):
        """Read what can be read; return the one error among the records."""
        found = read(plugin, path)
        errors = [one for one in found if isinstance(one, HarnessError)]
        assert len(found) - len(errors) == len(lines_of(path)) - 1
        (error,) = errors
        with pytest.raises(DatasetError) as caught:
            dataset.load(plugin, spec_of(plugin, dataset=str(path)))
        assert str(caught.value) == str(error)
        return str(error)

    def test_the_first_n(self, good, path):
        assert [item.index for item in read(good, path, n=2)] == [0, 1]

    def test_a_single_changed_byte(self, good, path):
        data = path.read_bytes()
        path.write_bytes(data.replace(b"toy_good", b"toy_goad", 1))
        assert self.refusal(good, path) == (
            f"{path}: contents do not match the checksum in d.jsonl.manifest.json"
        )

    def test_a_missing_last_line(self, good, path):
        path.write_text("".join(lines_of(path)[:-1]))
        assert "do not match the checksum" in self.refusal(good, path)

    @pytest.mark.parametrize("text", ["", "{", "[]", "{}", '{"spec": 3, "sha256": ""}', "\xff"])
    def test_an_unreadable_manifest(self, good, path, text):
        reading.manifest_path(path).write_text(text, encoding="latin-1")
        assert "d.jsonl.manifest.json: not a readable manifest" in self.refusal(good, path)

    def test_a_dataset_of_another_plugin(self, toys, path):
        other = toys("Slow")
        assert self.refusal(other, path) == (
            f"{path} was made for plugin 'toy_good', not 'toy_slow'"
        )
        reading.manifest_path(path).unlink()
        assert str(read(other, path)[0]) == f"{path}:1: made for plugin 'toy_good', not 'toy_slow'"

    def test_a_dataset_of_another_version(self, good, path):
        self.change(path, 1, lambda line: line.replace('"version":"0.1"', '"version":"0.0"'))
        assert self.error(good, path) == (
            f"{path}:2: made by toy_good 0.0, installed is 0.1; "
            "generate it again or install that version"
        )

    def test_a_tampered_target(self, good, path):
        target = json.loads(lines_of(path)[2])["target"]
        other = "zero" if target != "zero" else "one"
        self.change(
            path, 2, lambda line: line.replace(f'"target":"{target}"', f'"target":"{other}"')
        )
        assert f"{path}:3: item id " in self.error(good, path)
        assert "does not match its content" in self.error(good, path)

    def test_a_problem_off_the_schema(self, good, path):
        def edit(line):
            item = json.loads(line) | {"problem": {"a": -1, "b": 0}, "id": ""}
            return json.dumps(Item(**item).to_dict()) + "\n"

        self.change(path, 0, edit)
        assert self.error(good, path) == f"{path}:1: problem.a: -1 is less than the minimum of 0"

    @pytest.mark.parametrize(
        ("edit", "message"),
        [
            (lambda line: line[:-30] + "\n", "not a line of JSON"),
            (lambda line: "null\n", "NoneType instead of an object"),
            (lambda line: "[" * 100_000 + "\n", "not a line of JSON"),
            (lambda line: "{}\n", "not a record that plugin 'toy_good' knows (fields: )"),
            (lambda line: '{"q": 1}\n', "not a record that plugin 'toy_good' knows (fields: q)"),
            (lambda line: '{"x": 1, "y": "?"}\n', "x and y must be natural numbers"),
            (lambda line: line.replace('"index":1', '"index":NaN'), "not a line of JSON"),
            (lambda line: line.replace("What", "\\ud800"), "holds half of a character"),
            (lambda line: line.replace('"seed":0', '"seed":"0"'), "item field 'seed' is str"),
            (lambda line: line.replace('"seed":0', '"sea":0'), "item has an unknown field 'sea'"),
        ],
    )
    def test_a_bad_record_is_named_with_its_line(self, good, path, edit, message):
        self.change(path, 1, edit)
        assert self.error(good, path).startswith(f"{path}:2: {message}")

    def test_a_file_cut_off_in_mid_line(self, good, path):
        self.change(path, 3, lambda line: line[:40])
        assert self.error(good, path) == (
            f"{path}:4: not a line of JSON (the file ends in mid-line: cut off?)"
        )

    def test_the_same_item_twice(self, good, path):
        first = lines_of(path)[0]
        self.change(path, 2, lambda line: first)
        own = json.loads(first)["id"]
        assert self.error(good, path) == f"{path}:3: id '{own}' was used before at {path}:1"

    def test_blank_lines_are_nothing(self, good, path):
        self.change(path, 1, lambda line: "\n \n" + line)
        assert len(read(good, path)) == 4

    @pytest.mark.parametrize("name", ["d.jsonl", "d.csv"])
    @pytest.mark.parametrize("text", ["", "\n\n"])
    def test_an_empty_file(self, good, tmp_path, name, text):
        path = tmp_path / "empty" / name
        path.parent.mkdir()
        path.write_text(text)
        assert self.refusal(good, path) == f"{path}: the dataset is empty"

    def test_nothing_there(self, good, tmp_path):
        assert (
            self.refusal(good, tmp_path / "no.jsonl") == f"there is no file {tmp_path / 'no.jsonl'}"
        )

    def test_a_directory(self, good, tmp_path):
        assert self.refusal(good, tmp_path).startswith(f"{tmp_path}: no manifest.json")

    def test_below_a_file(self, good, path):
        assert self.refusal(good, path / "d.jsonl").endswith("cannot be read: Not a directory")

    def test_a_name_too_long(self, good, tmp_path):
        assert self.refusal(good, tmp_path / ("x" * 300)).endswith(
            "cannot be read: File name too long"
        )


class TestAdopt:
    def csv(self, path, rows):
        with path.open("w", newline="") as file:
            csv.writer(file).writerows(rows)
        return path

    def test_csv(self, good, tmp_path):
        path = self.csv(tmp_path / "d.csv", [["x", "y"], ["5", "6"], ["1", "1"]])
        assert [(item.problem, item.target) for item in read(good, path)] == [
            ({"a": 5, "b": 6}, "four"),
            ({"a": 1, "b": 1}, "two"),
        ]

    def test_jsonl(self, good, tmp_path):
        path = tmp_path / "d.jsonl"
        path.write_text('{"x": 5, "y": 6}\n')
        assert read(good, path)[0].target == "four"

    @pytest.mark.parametrize(
        ("rows", "message"),
        [
            ([["x", "y"], ["1", "1"], ["5"]], "record 2: has 1 of 2 fields"),
            ([["x", "y"], ["1", "1"], ["5", "6", "7"]], "record 2: has 3 fields, expected 2"),
            ([["x", "y"], ["1", "1"], ["5", "-6"]], "record 2: x and y must be natural numbers"),
            ([["x", "y"], ["1", "1"], ["1", "1"]], "was used before at"),
            ([["x", "z"], ["1", "1"]], "not a record that plugin 'toy_good' knows (fields: x, z)"),
        ],
    )
    def test_a_bad_record(self, good, tmp_path, rows, message):
        found = read(good, self.csv(tmp_path / "d.csv", rows))
        assert isinstance(found[-1], DatasetError)
        assert message in str(found[-1])
        assert str(found[-1]).startswith(f"{tmp_path / 'd.csv'}: record {len(rows) - 1}: ")

    def test_a_key_says_how_records_are_adopted(self, toys, tmp_path):
        staged = toys("Staged")
        path = self.csv(tmp_path / "d.csv", [["x", "y"], ["5", "6"]])
        (plain,), (polite,) = read(staged, path), read(staged, path, style="polite")
        assert ("Please" in plain.prompt, "Please" in polite.prompt) == (False, True)

    @pytest.mark.parametrize("broken", [False, True])
    def test_a_key_for_adopting_has_no_effect_on_items_of_ours(self, toys, tmp_path, broken):
        staged = toys("Staged")
        path = written(staged, tmp_path / "d.jsonl", n=2)
        assert len(read(staged, path)) == 2
        if broken:
            reading.manifest_path(path).unlink()
            path.write_text(path.read_text().replace('"version":"0.1"', '"version":"9"'))
        with pytest.raises(DatasetError) as caught:
            read(staged, path, style="polite")
        assert (
            str(caught.value) == f"'style' has no effect: {path} holds items, not published records"
        )

    def test_a_file_of_both_is_read(self, toys, tmp_path):
        staged = toys("Staged")
        path = written(staged, tmp_path / "d.jsonl", n=1)
        reading.manifest_path(path).unlink()
        with path.open("a") as file:
            file.write('{"x": 5, "y": 6}\n')
        assert "Please" in read(staged, path, style="polite")[1].prompt

    @slow
    def test_a_run_and_its_retry_adopt_alike(self, toys, tmp_path, capsys):
        path = self.csv(tmp_path / "d.csv", [["x", "y"], ["5", "6"], ["1", "1"]])
        words = [f"dataset={path}", "style=polite,plain", f"log_dir={tmp_path / 'logs'}"]
        assert main(["run", "plugin=toy_staged", *words, "--json"]) == 0
        polite, plain = json.loads(capsys.readouterr().out)["results"]
        assert (polite["config"], plain["config"]) == ({"style": "polite"}, {"style": "plain"})
        assert polite["fingerprint"] != plain["fingerprint"]
        log = read_eval_log(polite["log"])
        assert log.eval.task_args == {"dataset": str(path), "style": "polite"}
        assert log.eval.metadata["config"] == {"style": "polite"}
        again = inspect_task.from_params("toy_staged", log.eval.task_args)
        assert {s.input for s in again.dataset} == {s.input for s in log.samples}
        assert all("Please" in sample.input for sample in log.samples)
