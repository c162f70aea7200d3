"""`harness new`: what is written works as it is, under any name; what cannot be written is one line, and nothing."""

import ast
import errno
import json
import os
import re
import subprocess
import sys
import tomllib
from importlib import import_module, invalidate_caches
from pathlib import Path

import harness_guard
import pytest
from cases import each, slow

from harness.author import new as scaffold
from harness.author.new import LONGEST
from harness.cli import main
from harness.core import plugins

ROOT = Path(__file__).parents[2]
TEMPLATES = ROOT / "harness/author/templates"
BIN = Path(sys.executable).parent
LONG = "q" * LONGEST
PACKAGE = {
    "__init__.py", "certificate.py", "config.py", "generate.py", "golden.json", "plugin.py", "problem.py", "py.typed",
    "reading.py", "shortcuts.py", "wording.py", "engines/__init__.py", "engines/closure.py", "engines/orders.py",
    "answers/__init__.py", "answers/explain.py", "answers/extraction.py", "answers/score.py", "traces/__init__.py",
    "traces/reader.py",
}  # fmt: skip


@pytest.fixture(autouse=True)
def _elsewhere(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def new(capsys):
    """Run `harness new` with these words; return exit code, JSON or text, and standard error."""

    def call(*words):
        code = main.main(["new", *words])
        said = capsys.readouterr()
        assert "Traceback" not in said.err
        return code, json.loads(said.out) if "--json" in words else said.out, said.err

    return call


def files(folder):
    return {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}


# ------------------------------------------------------------------------------ what is written


def test_a_package_is_written_whole(new, tmp_path):
    before = (set(sys.modules), list(sys.path))
    code, found, err = new("whenbench", "--json")
    assert (code, err) == (0, "")
    assert (found["name"], found["out"], found["minimal"]) == ("whenbench", "whenbench", False)
    own = {f"harness_whenbench/{name}" for name in PACKAGE}
    tests = {
        f"tests/test_{name}.py" for name in ("conformance", "engines", "reading", "score", "traces")
    }
    assert {*found["files"]} == own | tests | {"pyproject.toml", "README.md", ".gitignore"}
    assert files(tmp_path / "whenbench") == {*found["files"]}
    assert [path.name for path in tmp_path.iterdir()] == ["whenbench"]
    assert found["next"][0] == "python -m pip install -e ./whenbench"
    assert sys.path == before[1]
    assert not [name for name in {*sys.modules} - before[0] if "whenbench" in name]


def test_one_file_is_written_whole(new, tmp_path):
    code, text, err = new("whenbench", "--minimal", f"out={tmp_path / 'here'}", "licence=MIT")
    assert (code, err) == (0, "")
    assert files(tmp_path / "here") == {"whenbench.py", "pyproject.toml", "golden.json"}
    assert (
        text.splitlines()[0]
        == f"plugin 'whenbench' (one file, MIT) in {tmp_path / 'here'}: 3 files"
    )
    assert f"  python -m pip install -e {tmp_path / 'here'}" in text
    said = [path.read_text() for path in (tmp_path / "here").iterdir()]
    assert not any("Apache" in one for one in said)
    assert sum("MIT" in one for one in said) == 2


@pytest.mark.parametrize("minimal", ["yes", "no"])
def test_whatever_the_name_it_is_clean(new, tmp_path, minimal):
    """Formatted and linted by its own settings: a name changes the length and the order of lines."""
    for name in ("zz", LONG):
        assert new(name, f"minimal={minimal}")[0] == 0
        texts = [path.read_text() for path in (tmp_path / name).rglob("*") if path.is_file()]
        assert not any("mybench" in text for text in texts)
        assert not re.search(r"https?://|/tmp|/work", "".join(texts))
    for words in (["check", "--no-cache", "."], ["format", "--no-cache", "--check", "."]):
        done = subprocess.run([BIN / "ruff", *words], capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout


@slow
def test_it_is_typed_strictly(new, tmp_path):
    """Held against the interface of the harness that plugins see, which is read from its sources."""
    new("whenbench")
    new("daybench", "--minimal")
    (tmp_path / "path/harness/core").mkdir(parents=True)
    for name in ("__init__", "core/__init__", "core/hookspecs", "core/items"):
        (tmp_path / f"path/harness/{name}.py").symlink_to(ROOT / f"harness/{name}.py")
    for name in ("errors", "answers"):
        (tmp_path / f"path/harness_{name}").symlink_to(ROOT / f"libs/{name}/harness_{name}")
    words = [
        "--config-file",
        "whenbench/pyproject.toml",
        "--follow-imports",
        "silent",
        "--cache-dir",
        os.devnull,
    ]
    done = subprocess.run(
        [BIN / "mypy", *words, "whenbench/harness_whenbench", "daybench/daybench.py"],
        env={**os.environ, "MYPYPATH": "path"}, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout
    assert "no issues found in 19 source files" in done.stdout


def installed(folder, name, module):
    """Put a project where Python finds it, as `pip install -e` does; return what goes onto the path."""
    info = folder.parent / f"{name}_site" / f"harness_{name}-0.1.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: harness-{name}\nVersion: 0.1\n")
    (info / "entry_points.txt").write_text(f"[harness]\n{name} = {module}\n")
    return [str(folder), str(info.parent)]


@slow
def test_one_file_passes_every_check(new, tmp_path, monkeypatch, capsys):
    for name in ("harness.run.evaluation", "sklearn.ensemble", "sklearn.linear_model"):
        import_module(name)  # the check is a fork, and has it then
    _, found, _ = new("daybench", "--minimal", "--json")
    for place in installed(tmp_path / "daybench", "daybench", found["module"]):
        monkeypatch.syspath_prepend(place)
    plugins.registry.cache_clear()
    try:
        with harness_guard.Guard(workers=1) as pool:
            monkeypatch.setattr(harness_guard, "_shared", pool)
            assert main.main(["check", "plugin=daybench", "n=21", "--json"]) == 0
    finally:
        plugins.registry.cache_clear()
        sys.modules.pop("daybench", None)
        invalidate_caches()
    report = json.loads(capsys.readouterr().out)
    assert report["failures"] == []
    notes = {check["name"]: check["note"] for check in report["checks"]}
    assert notes["inspect"].startswith("harness/reference 1.00, ")
    assert notes["golden"] == "5 items of version 0.1"


@slow
def test_the_tests_of_a_package_pass(new, tmp_path):
    """All but one, which runs Inspect, as the tutorial does."""
    _, found, _ = new("whenbench", "--json")
    path = installed(tmp_path / "whenbench", "whenbench", found["module"])
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "--deselect",
         "tests/test_conformance.py::test_conformance[{}-()]"],
        cwd=tmp_path / "whenbench", env={**os.environ, "PYTHONPATH": os.pathsep.join(path)},
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout
    assert re.search(r"^\d\d passed, 1 deselected in", done.stdout, re.MULTILINE)


def test_warnings_that_are_inspects_own_are_let_through():
    """In a new package as here, where a run of Inspect shows that no more are needed."""
    said = [
        tomllib.loads((folder / "pyproject.toml").read_text())["tool"]["pytest"]["ini_options"]
        for folder in (TEMPLATES / "package", ROOT)
    ]
    assert said[0]["filterwarnings"] == said[1]["filterwarnings"]


def test_engines_share_no_code():
    """Each imports names of labels and errors, and nothing of the other's."""
    folder = TEMPLATES / "package/harness_mybench"
    for name in ("closure", "orders"):
        tree = ast.parse((folder / f"engines/{name}.py").read_text())
        own = {node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
        assert own == {
            "__future__",
            "collections.abc",
            "typing",
            "harness",
            "harness_mybench.problem",
        }
    said, read = ((folder / f"{name}.py").read_text() for name in ("wording", "reading"))
    assert "import" not in re.sub(
        r"from (__future__|random|string|typing) import|import re\b|never imported", "", said + read
    )


# ---------------------------------------------------------------------------- what is refused


NAMES = [
    ("class", "'class' is a word of Python; choose another name, as class_bench"),
    ("My-Bench", "'my_bench' would do"),
    ("9lives", "'lives' would do"),
    ("Zeit_ö", "cannot be the name of a plugin: 2 to 30 small letters, digits and _, a letter first"),
    ("Zeit_ö", "; 'zeit' would do"),
    ("\x1b[31m", "'\\x1b[31m' cannot be the name of a plugin"),
    ("x", "2 to 30 small letters"),
    (LONG + "q", "2 to 30 small letters"),
    ("../up", "cannot be the name of a plugin"),
    ("ltlbench", "a plugin 'ltlbench' is installed already; choose another name, as ltlbench_2"),
    ("logic", "a distribution 'harness-logic' is installed already"),
    ("golden", "'golden' is a word of the harness itself"),
    ("harness", "'harness' is a word of the harness itself"),
]  # fmt: skip
SETTINGS = [
    ([], "harness new takes a name: harness new mybench [out=FOLDER] [--minimal]"),
    (["aa", "bb"], "harness new takes one name, got 2"),
    (["aa", "ot=x"], "unknown key 'ot'; did you mean 'out'?"),
    (["aa", "out=x", "out=y"], "'out' is given twice"),
    (["aa", "out="], "out=: a value is empty"),
    (["aa", "out=a\x00b"], "cannot be looked at: a path cannot hold a null byte"),
    (["aa", "minimal=perhaps"], "minimal=perhaps: expected yes or no"),
    (["aa", "licence=M\nT"], "expected an SPDX identifier such as Apache-2.0"),
    (["aa", 'licence=MIT" }'], "expected an SPDX identifier such as Apache-2.0"),
    (["aa", "--minimall"], "unknown option '--minimall'; did you mean '--minimal'?"),
    (["calendar", "--minimal"], "'calendar' is a module of Python's own"),
    (["numpy", "--minimal"], "a module 'numpy' is there already"),
]
PLACES = [
    ("full", "full exists and is not empty; give out= another folder"),
    ("file", "file is a file or a link"),
    ("link", "link is a file or a link"),
    ("dangling", "dangling is a file or a link"),
    ("none/aa", "there is no folder none to write it into"),
    ("file/aa", "there is no folder file to write it into"),
    (".", ". is the folder you are in"),
    ("/proc/aa", "/proc/aa: cannot be written: "),
    ("n" * 300, "File name too long"),
]


def refused(new, tmp_path, *words):
    """Return the one line that is said, nothing having been written."""
    before = sorted(tmp_path.rglob("*"))
    code, out, err = new(*words)
    assert code in (1, 2)
    assert out == ""
    assert sorted(tmp_path.rglob("*")) == before
    (line,) = err.splitlines()
    return line


@each("name, said", NAMES)
def test_a_name_that_cannot_be(new, tmp_path, name, said):
    assert said in refused(new, tmp_path, name)


@each("words, said", SETTINGS)
def test_a_setting_that_cannot_be(new, tmp_path, words, said):
    assert said in refused(new, tmp_path, *words)


@each("out, said", PLACES)
def test_a_place_that_cannot_be(new, tmp_path, out, said):
    (tmp_path / "full").mkdir(exist_ok=True)
    (tmp_path / "full/a").touch()
    (tmp_path / "file").touch()
    for link, target in (("link", "full"), ("dangling", "nowhere")):
        if not (tmp_path / link).is_symlink():
            (tmp_path / link).symlink_to(target)
    assert said in refused(new, tmp_path, "aa", f"out={out}")


def test_an_empty_folder_may_be_there(new, tmp_path):
    (tmp_path / "aa").mkdir()
    assert new("aa", "--minimal")[0] == 0
    assert files(tmp_path / "aa") == {"aa.py", "pyproject.toml", "golden.json"}


# ------------------------------------------------------------------------------ half way through


def test_a_disk_that_is_full_leaves_nothing(new, tmp_path, monkeypatch):
    write = Path.write_text

    def full(path, *args, **options):
        if path.name == "reading.py":
            raise OSError(errno.ENOSPC, "No space left on device")
        return write(path, *args, **options)

    monkeypatch.setattr(Path, "write_text", full)
    assert refused(new, tmp_path, "aa") == "harness: aa: cannot be written: No space left on device"


def test_ctrl_c_leaves_nothing(tmp_path, monkeypatch):
    def interrupted(folder, *_):
        assert files(folder) >= {"pyproject.toml", "harness_aa/plugin.py"}
        raise KeyboardInterrupt

    monkeypatch.setattr(scaffold, "_golden", interrupted)
    assert main.main(["new", "aa"]) == 130
    assert list(tmp_path.iterdir()) == []


def test_what_somebody_else_put_there_meanwhile_stays(new, tmp_path, monkeypatch):
    golden = scaffold._golden

    def slow(*arguments):
        (tmp_path / "aa").mkdir()
        (tmp_path / "aa/theirs").touch()
        return golden(*arguments)

    monkeypatch.setattr(scaffold, "_golden", slow)
    code, _, err = new("aa")
    assert (code, err) == (1, "harness: aa exists and is not empty; give out= another folder\n")
    assert files(tmp_path) == {"aa/theirs"}
