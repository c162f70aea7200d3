"""The command line: exit codes, one line per error, one JSON object per command, no slow import."""

import json
import os
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
from cases import slow

from harness.audit import verify
from harness.cli import main
from harness.cli.command import commands
from harness.run import models

COMMAND = [sys.executable, "-m", "harness.cli"]


@pytest.fixture(autouse=True)
def _elsewhere(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def harness(toys, capsys, monkeypatch):
    """Run one command in this process; return exit code, standard output and error."""

    # One item's share of an audit, or of a run, includes that a new worker loads all plugins.
    monkeypatch.setattr(verify, "SECONDS", 300)
    monkeypatch.setattr(models, "SECONDS", 300)

    def run(*words):
        code = main.main(words)
        out, err = capsys.readouterr()
        return code, out, err

    return run


@pytest.fixture
def shell(toys):
    """Run one command in a process of its own."""

    def run(*words, command=COMMAND, **options):
        given = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, **options}
        environment = {**os.environ, "PYTHONPATH": toys.path, **given.pop("env", {})}
        return subprocess.run([*command, *words], env=environment, timeout=300, **given)

    return run


def dataset(harness, name="d.jsonl", *words):
    assert harness("generate", "plugin=toy_good", "n=5", f"out={name}", *words)[0] == 0
    return Path(name)


BAD = [
    (["lst"], "no command 'lst'; did you mean 'list'?"),
    (["plugin=toy_good"], "no command 'plugin=toy_good'; known: check, compare, completion, describe, doctor,"),
    (["lst", "--help"], "no command 'lst'; did you mean 'list'?"),
    (["list", "--hlep"], "unknown option '--hlep'; did you mean '--help'?"),
    (["list", "--help=3"], "unknown option '--help=3'; did you mean '--help'?"),
    (["--", "list"], "unknown option '--'; known:"),
    (["list", "x" * 900], "harness list takes no settings, got 'xxx"),
    (["list", "n=3"], "harness list takes no settings, got 'n=3'"),
    (["show"], "plugin=… is missing; known: "),
    (["show", "plugin=toy_god"], "no plugin 'toy_god'; did you mean 'toy_good'?"),
    (["show", "plugin="], "plugin=: a value is empty"),
    (["show", "plugin=toy_good", "n"], "'n' is not key=value"),
    (["show", "plugin=toy_good", "n=0"], "n=0: the least is 1"),
    (["show", "plugin=toy_good", "n=x"], "n=x: expected an integer"),
    (["show", "plugin=toy_good", "n=1,2"], "one value of each key, got 2 combinations"),
    (["show", "plugin=toy_good", "n=1", "n=2"], "'n' is given twice"),
    (["show", "plugin=toy_good", "tpo=3"], "unknown key 'tpo' for plugin toy_good; did you mean"),
    (["show", "plugin=toy_good", "top=0"], "top=0: 0 is less than the minimum of 1"),
    (["show", "plugin=toy_good", "top=\n\n"], "top= : a value is empty"),
    (["show", "plugin=toy_good", "top=a\nb"], "top=a b: 'a b' is not of type 'integer'"),
    (["show", "plugin=toy_good", "top=.nan"], "top=nan: not a JSON value"),
    (["show", "plugin=toy_good", "top=" + "[" * 5000], "top=[[["),
    (["show", "plugin=toy_good", "style=rude"], "style=rude: 'rude' is not one of ['plain'"),
    (["show", "plugin=toy_good", "preset=smal"], "no preset 'smal'; did you mean 'small'?"),
    (["show", "plugin=toy_good", "preset=sizes"], "one value of each key, got 2 combinations"),
    (["show", "plugin=toy_good", "index=-1"], "index=-1: the least is 0"),
    (["show", "plugin=toy_good", "model=x"], "'model' does not apply to this command"),
    (["show", "plugin=toy_good", "format=sun"], "no format 'sun'; did you mean 'sum'?"),
    (["show", "plugin=toy_good", "top=1", "n=5"], "these settings can yield 4 distinct items"),
    (["show", "plugin=toy_good", "dataset=no.jsonl"], "there is no file no.jsonl"),
    (["show", "plugin=toy_good", "dataset=."], ".: no manifest.json: not a dataset in shards"),
    (["show", "plugin=toy_good", "dataset=" + "x" * 300], "xxxx"),
    (["generate", "plugin=toy_good"], "out=… is missing: FILE.jsonl, or a folder or URL"),
    (["generate", "plugin=toy_good", "out=d.csv"], "out=d.csv: expected a name that ends in .js"),
    (["generate", "plugin=toy_good", "out=a.jsonl,b.jsonl"], "one value of each key, got"),
    (["verify", "plugin=toy_good", "dataset=no.jsonl"], "there is no file no.jsonl"),
    (["verify", "plugin=toy_good", "corrected=x"], "corrected= writes a corrected dataset, and there"),
    (["check", "plugin=toy_good", "golden=renew"], "golden=renew: golden takes check or write"),
    (["describe", "plugin=toy_good", "n=3"], "'n' does not apply to this command"),
    (["run", "plugin=toy_good", "strategy=cott"], "no strategy 'cott'; did you mean 'cot'?"),
    (["run", "plugin=toy_good", "top=1", "n=50"], "these settings can yield 4 distinct items"),
    (["run", "plugin=toy_good", "format=sum"], "how a dataset is read: give dataset=FILE"),
    (["view", "log_dir=nowhere"], "no log directory nowhere; harness run writes one"),
    (["view", "log_dir=" + "x" * 300], "no log directory xxx"),
    (["view", "logdir=x"], "unknown key 'logdir'; did you mean 'log_dir'?"),
    (["view", "port=0"], "port=0: expected a number from 1 to 65535"),
    (["view", "port=http"], "port=http: expected a number from 1 to 65535"),
    (["view", "port=1,2"], "port=1,2: expected a number from 1 to 65535"),
]  # fmt: skip

FAILED = [
    (["generate", "plugin=toy_good", "n=2", "out=" + "x" * 300 + ".jsonl"], "File name too long"),
    (["generate", "plugin=toy_good", "n=2", "out=/dev/null/x.jsonl"], "cannot be written: "),
]


@pytest.mark.parametrize(
    ("words", "message", "expected"),
    [(w, m, 2) for w, m in BAD] + [(w, m, 1) for w, m in FAILED],
    ids=[" ".join(w)[:50].encode("unicode_escape").decode() for w, _ in BAD + FAILED],
)
def test_a_bad_value_is_one_line(harness, words, message, expected):
    code, out, err = harness(*words)
    assert (code, out) == (expected, "")
    assert err.startswith("harness: ")
    assert message in err
    assert err.count("\n") == 1
    assert len(err) < 500


@pytest.mark.parametrize(
    ("words", "message"), [BAD[0], BAD[3], BAD[7], BAD[20], BAD[27], FAILED[0]]
)
def test_an_error_is_one_json_object_too(harness, words, message):
    code, out, err = harness(*words, "--json")
    error = json.loads(out)["error"]
    assert message in error["message"]
    assert err == f"harness: {error['message']}\n"
    assert error["kind"].endswith("Error")
    assert out.count("\n") == 1
    assert code in (1, 2)


class TestGood:
    """What every command prints when all is well: text, or one JSON object."""

    def both(self, harness, *words, expected=0):
        code, text, said = harness(*words)
        assert (code, said) == (expected, "")
        code, out, said = harness(*words, "--json")
        assert (code, said) == (expected, "")
        assert out.count("\n") == 1
        return text, json.loads(out)

    def test_no_words(self, harness):
        text, found = self.both(harness)
        assert all(f"\n  {name} " in text for name in commands())
        assert found["help"] == text[:-1]

    @pytest.mark.parametrize("name", commands())
    @pytest.mark.parametrize("flag", ["-h", "--help"])
    def test_help(self, harness, name, flag):
        text, found = self.both(harness, name, flag)
        assert text.startswith(f"usage: harness {name}")
        assert found["help"] == text[:-1]
        assert all(key in text for key in commands()[name].keys)

    def test_version(self, harness):
        text, found = self.both(harness, "--version")
        assert text == f"harness {found['version']}\n"

    def test_list(self, harness):
        text, found = self.both(harness, "list")
        names = [plugin["name"] for plugin in found["plugins"]]
        assert {"toy_good", "toy_slow"} <= set(names)
        assert all(name in text for name in names)
        assert found["wrappers"] == ["toy_wrapper"]
        assert "wrappers: toy_wrapper" in text

    def test_describe(self, harness):
        text, found = self.both(harness, "describe", "plugin=toy_good", "top=9")
        assert found["presets"] == {"small": {"top": 9, "n": 5}, "sizes": {"top": [9, 99]}}
        assert found["capacity"] == 100
        assert "distinct items: 100" in text
        assert "sizes: top=9,99" in text
        assert "difficulty" not in text  # it has no levels
        assert "plain | polite" in text

    def test_show(self, harness):
        text, found = self.both(harness, "show", "plugin=toy_good", "n=2", "index=3")
        assert [item["index"] for item in found["items"]] == [3, 4]
        assert (found["draws"], found["rejected_share"]) == (2, 0.0)
        assert found["items"][1]["prompt"] in text
        assert f"target: {found['items'][0]['target']}" in text

    def test_show_shows_one_item_unless_told(self, harness):
        assert len(self.both(harness, "show", "plugin=toy_good")[1]["items"]) == 1
        assert len(self.both(harness, "show", "plugin=toy_good", "preset=small")[1]["items"]) == 5

    def test_show_in_a_format(self, harness):
        text, found = self.both(harness, "show", "plugin=toy_good", "format=sum")
        assert found["items"][0]["text"] in text
        assert " + " in text

    def test_show_a_dataset(self, harness):
        path = dataset(harness)
        _, found = self.both(harness, "show", "plugin=toy_good", f"dataset={path}", "index=4")
        lines = path.read_text().splitlines()
        assert found["items"] == [json.loads(lines[4])]
        code, _, said = harness("show", "plugin=toy_good", f"dataset={path}", "index=5")
        assert (code, said) == (2, "harness: index=5 is beyond the dataset's last item\n")

    def test_generate(self, harness):
        code, text, _ = harness("generate", "plugin=toy_good", "n=5", "out=a/text.jsonl")
        assert code == 0
        assert text.startswith("5 items: a/text.jsonl\nmanifest: a/text.jsonl.manifest.json\n")
        code, out, _ = harness("generate", "plugin=toy_good", "n=5", "out=a/json.jsonl", "--json")
        found = json.loads(out)
        assert (code, found["items"], found["out"]) == (0, 5, "a/json.jsonl")
        assert Path("a/text.jsonl").read_bytes() == Path("a/json.jsonl").read_bytes()
        code, _, said = harness("generate", "plugin=toy_good", "n=5", "out=a/text.jsonl")
        assert (code, said.count("\n")) == (1, 1)

    def test_verify(self, harness):
        text, found = self.both(harness, "verify", "plugin=toy_good", "n=3")
        assert (found["items"], found["agree"], found["wrong"]) == (3, 3, 0)
        assert "3 items, labels: 3 agree, 0 wrong" in text

    def test_verify_finds_a_wrong_label(self, harness):
        words = ("verify", "plugin=toy_good", "dataset=wrong.jsonl")
        item = json.loads(dataset(harness).read_text().splitlines()[0])
        from harness import Item

        target = "zero" if item["target"] != "zero" else "one"
        wrong = Item(**{**item, "target": target, "id": ""})
        Path("wrong.jsonl").write_text(json.dumps(wrong.to_dict()) + "\nnothing\n")
        text, found = self.both(harness, *words, expected=1)
        assert (found["agree"], found["wrong"], found["unreadable"]) == (0, 1, 1)
        assert {f["kind"] for f in found["findings"]} == {"label", "certificate", "unreadable"}
        assert f"label {target}, arithmetic derives {item['target']}" in text

    @slow
    def test_check_fails_by_name(self, harness):
        # no golden items are pinned for toys
        code, out, said = harness("check", "plugin=toy_good", "top=1", "n=3")
        assert (code, said) == (1, "")
        assert "FAIL  golden: " in out
        assert "checks failed\n" in out

    def test_run(self, harness):
        """The one run through Inspect here: a sweep with its progress on standard error."""
        code, out, said = harness("run", "plugin=toy_good", "n=3", "style=plain,polite", "--json")
        found = json.loads(out)
        assert code == 0
        assert [r["config"]["style"] for r in found["results"]] == ["plain", "polite"]
        assert [r["metrics"]["correct"]["value"] for r in found["results"]] == [1.0, 1.0]
        assert all(Path(log).is_file() for log in found["logs"])
        assert "[1/2]" in said
        assert "[2/2]" in said


# Each command after those that import less.
NO_INSPECT = """
import sys
from harness.cli.main import main
for words, slow in {lines}:
    code = main(words)
    found = slow & set(sys.modules)
    if found or code:
        sys.exit(f"{{words}} imported {{found}}, {{code}}")
"""
SLOW = {"inspect_ai", "numpy", "pandas"}
LINES = [
    *((words, {*SLOW, "jsonschema"}) for words in (["--version"], ["list"], ["--help"], ["run", "--help"])),
    (["show", "plugin=toy_good"], SLOW),
    (["generate", "plugin=toy_good", "n=2", "out=d.jsonl"], SLOW),
]  # fmt: skip


def test_quick_commands_import_nothing_slow_and_items_need_no_inspect(shell):
    code = NO_INSPECT.format(lines=LINES)
    done = shell(command=[sys.executable, "-c", code])
    assert (done.returncode, done.stderr) == (0, b"")


def test_ctrl_c_in_a_text_that_is_run_ends_with_its_code_and_not_by_a_signal(shell, tmp_path):
    """Python remembers that one came while it made a dataclass, say, and dies of SIGINT though it was caught."""
    (tmp_path / "kim-0.1.dist-info").mkdir()
    (tmp_path / "kim-0.1.dist-info" / "METADATA").write_text("Name: kim\nVersion: 0.1\n")
    (tmp_path / "kim-0.1.dist-info" / "entry_points.txt").write_text("[harness]\nkim = kim\n")
    (tmp_path / "kim.py").write_text("exec('raise KeyboardInterrupt')\n")
    done = shell("list", env={"PYTHONPATH": str(tmp_path)})
    assert (done.returncode, done.stderr) == (130, b"harness: interrupted\n")


@slow
def test_a_reader_that_has_seen_enough_is_no_error(shell):
    reading, writing = os.pipe()
    os.close(reading)
    try:
        for words in (["list"], ["--help"], ["show", "plugin=toy_good", "n=50", "--json"]):
            done = shell(*words, stdout=writing)
            assert (done.returncode, done.stderr) == (0, b"")
        done = shell("lst", "--json", stdout=writing)
        assert (done.returncode, done.stderr.count(b"\n")) == (2, 1)
        done = shell("lst", "--json", stderr=writing)
        assert (done.returncode, json.loads(done.stdout)["error"]["kind"]) == (2, "SpecError")
    finally:
        os.close(writing)


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
def test_standard_output_on_a_full_disk(shell):
    with Path("/dev/full").open("wb") as full:
        done = shell("list", stdout=full)
    assert done.returncode == 1
    assert done.stderr == (b"harness: standard output cannot be written: No space left on device\n")


@slow
@pytest.mark.parametrize("closed", ["<&-", ">&-", "2>&-", "<&- >&- 2>&-"])
def test_without_a_standard_stream_all_is_done_and_no_file_takes_its_place(
    shell, harness, tmp_path, closed
):
    path, words = tmp_path / "d.jsonl", ("generate", "plugin=toy_good", "n=2")
    assert harness(*words, f"out={path}")[0] == 0
    kept = path.read_bytes()
    path.unlink()
    call = shlex.join([*COMMAND, *words, f"out={path}"])
    done = shell(command=["sh", "-c", f"{call} {closed}"])
    assert (done.returncode, done.stderr) == (0, b"")
    assert path.read_bytes() == kept


def test_what_would_wait_for_ever_is_refused(harness, tmp_path):
    os.mkfifo(tmp_path / "study.yaml")
    code, _, err = harness("run", "study.yaml")
    assert (code, err) == (2, "harness: study.yaml: is no file\n")
    code, _, err = harness("run", "plugin=toy_good", "n=1", "max_samples=0")
    assert (code, err) == (2, "harness: max_samples=0: the least is 1\n")


def test_bytes_that_are_no_text(shell):
    done = shell("show", b"plugin=\xff", "--json")
    assert done.returncode == 2
    assert json.loads(done.stdout)["error"]["kind"] == "SpecError"
    assert b"plugin=\\udcff: not text in UTF-8" in done.stderr
    assert done.stderr.count(b"\n") == 1


@slow
def test_a_terminal_without_unicode(shell):
    done = shell("--help", env={"PYTHONIOENCODING": "ascii"})
    assert (done.returncode, done.stderr) == (0, b"")
    assert b"usage: harness COMMAND key=value \\u2026" in done.stdout
