"""docs/tutorial.md, followed to the letter: every command is run, every change is made, what it shows is seen.

The plugin is installed by pip where the reader's would be: in an environment of its own, on top of this one, which
stays as it is. There `harness show` runs, which finds it; the other commands run in this process, with that
environment's packages in sight: a command is `harness.cli.main.main` with the words of the line, and nothing else.
"""

import importlib
import os
import re
import shlex
import site
import subprocess
import sys
from pathlib import Path

import harness_guard
import pytest
from cases import slow

from harness.cli import main
from harness.core import plugins

PAGE = Path(__file__).parents[2] / "docs/tutorial.md"
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
PROGRAM = "#!{python}\nimport sys\nfrom harness.cli.main import main\nsys.exit(main())\n"
FAILING = {"harness check plugin=mybench n=20 only=read,golden": 1}  # the others end well


def environment(folder):
    """Make an environment that has all this one has, and a place of its own for what is installed."""
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", folder], check=True)
    (packages,) = folder.glob("lib/python*/site-packages")
    here = Path(pytest.__file__).parents[1]
    (packages / "below.pth").write_text(f"import site; site.addsitedir({str(here)!r})\n")
    program = folder / "bin/harness"
    program.write_text(PROGRAM.format(python=folder / "bin/python"))
    program.chmod(0o755)
    return packages


class Reader:
    """Somebody who does what the page says."""

    def __init__(self, tmp_path, patch, capsys):
        self.folder, self.patch, self.capsys = tmp_path / "mine", patch, capsys
        self.folder.mkdir()
        self.bin = tmp_path / "venv/bin"
        self.packages = environment(tmp_path / "venv")
        patch.chdir(self.folder)

    def run(self, line):
        """Run one command, and return its exit code and what it prints."""
        words = shlex.split(line)
        if words[0] == "harness" and words[1] != "show":
            return self.called(words[1:])
        path = f"{self.bin}{os.pathsep}{os.environ['PATH']}"
        # pip looks neither for its next version nor for conflicts among all that is here already.
        spared = {"PIP_DISABLE_PIP_VERSION_CHECK": "1", "PIP_NO_WARN_CONFLICTS": "0"}
        done = subprocess.run(
            words, env={**os.environ, **spared, "PATH": path}, stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT, text=True, check=False,
        )  # fmt: skip
        return done.returncode, done.stdout

    def called(self, words):
        """Call the command here, with what the reader has installed in sight."""
        for name in ("harness.run.evaluation", "sklearn.ensemble", "sklearn.linear_model"):
            importlib.import_module(name)  # a check is a fork, and has it
        path = list(sys.path)
        sys.path.append(str(self.packages))
        for own in self.packages.glob("__editable__*.pth"):
            site.addpackage(str(self.packages), own.name, None)
        importlib.invalidate_caches()
        plugins.registry.cache_clear()
        self.patch.setattr(sys, "executable", str(self.bin / "python"))
        # What is written twice in a second would be taken for what it was.
        self.patch.setattr(sys, "dont_write_bytecode", True)
        try:
            with harness_guard.Guard(workers=1) as pool:
                self.patch.setattr(harness_guard, "_shared", pool)
                code = main.main(words)
        finally:
            self.patch.undo()
            self.patch.chdir(self.folder)
            self.leave(path)
        said = self.capsys.readouterr()
        return code, said.out + said.err

    def leave(self, path):
        """Forget what was installed."""
        sys.path[:] = path
        sys.meta_path[:] = [one for one in sys.meta_path if "mybench" not in str(one)]
        for name in [one for one in sys.modules if "harness_mybench" in one]:
            del sys.modules[name]
        plugins.registry.cache_clear()

    def edit(self, text):
        """Make the one change that a diff block says; its context must be there once."""
        head, *lines = text.splitlines()
        path = self.folder / head.removeprefix("--- ")
        old = "".join(f"{line[1:]}\n" for line in lines if line[:1] in " -")
        new = "".join(f"{line[1:]}\n" for line in lines if line[:1] in " +")
        said = path.read_text()
        assert old != new
        assert said.count(old) == 1, f"{path.name} does not hold once:\n{old}"
        path.write_text(said.replace(old, new))


@slow
def test_the_tutorial_holds_to_the_letter(tmp_path, capsys):
    with pytest.MonkeyPatch.context() as patch:
        reader = Reader(tmp_path, patch, capsys)
        printed, told = "", []
        for kind, text in BLOCK.findall(PAGE.read_text(encoding="utf-8")):
            told.append(kind)
            if kind == "bash":
                printed = ""
                for line in text.splitlines():
                    code, out = reader.run(line)
                    assert code == FAILING.get(line, 0), f"{line}\n{out}"
                    printed += out
            elif kind == "diff":
                reader.edit(text)
            else:
                assert kind == "text"
                seen(text.splitlines(), printed)
        assert told.count("bash") == 8
        assert {"bash", "diff", "text"} == {*told}
    assert (reader.folder / "report/index.html").stat().st_size > 10_000
    assert not any("mybench" in str(one) for one in sys.path)


def seen(lines, printed):
    """Find each line, … standing for anything, below the one before it."""
    at = 0
    for line in lines:
        pattern = ".*".join(re.escape(part) for part in line.split("…"))
        found = re.compile(rf"^{pattern}\s*$", re.MULTILINE).search(printed, at)
        assert found, f"nothing printed reads '{line}', from here on:\n{printed[at:]}"
        at = found.end()


def test_a_line_that_was_not_printed_is_missed():
    seen(["a", "c … e"], "a\nb\nc d e\n")
    for lines in (["b", "a"], ["a b"], ["c"], ["c … f"]):
        with pytest.raises(AssertionError, match="nothing printed reads"):
            seen(lines, "a\nb\nc d e\n")


def test_what_the_page_links_and_names_is_there():
    text = PAGE.read_text(encoding="utf-8")
    package = PAGE.parents[1] / "harness/author/templates/package/harness_mybench"
    for name in set(re.findall(r"`([\w/]+\.py)`", text)) - {"tests/author/test_tutorial.py"}:
        assert (package / name).exists()
