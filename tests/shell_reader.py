"""Somebody who follows a document: types every command of it, or looks whether it could be typed."""

import io
import re
import runpy
import shlex
import subprocess
import sys
import tomllib
from contextlib import redirect_stderr, redirect_stdout
from importlib.util import find_spec

import harness_guard
import pytest
from openai_server import completion, response
from shell_checks import (
    accepted,
    known_extras,
    known_module,
    known_to_inspect,
    known_to_ray,
    make_target,
)
from shell_examples import ROOT, Command, commands
from shell_given import GIVEN
from shell_tables import FILLED, LISTED, NEEDED, SMALLER

from harness.cli import command as cli_command
from harness.cli import main
from harness.core import features, plugins


def by(rules, page, text):
    for rule in rules:
        text = rule.of(page, text)
    return text


def forget():
    """Forget what is installed, so that the next one who asks looks again."""
    asked = (features.features, features.options, features.settings, features.reserved)
    for known in (plugins.registry, cli_command.group, *asked):
        known.cache_clear()


def named(file, text):
    return re.search(rf"(?<![\w./-]){re.escape(file)}(?![\w.-])", text)


def answer(request, number):
    """What the models of all providers answer, in both of OpenAI's protocols; after a search where they may."""
    if "input" not in request:
        return completion("Answer: True")
    search = any(tool["type"].startswith("web_search") for tool in request.get("tools", ()))
    return response("Answer: True", ("A page", "https://a.example/") if search else None)


class Reader:
    """Who does what a page says, from top to bottom."""

    def __init__(self, folder, patch, stack, url):
        self.folder, self.patch, self.stack, self.url = folder, patch, stack, url
        self.printed = {}
        self.installed = set()

    def follow(self, page, text):
        if page.startswith("harness/author/templates/"):  # it lies in what `harness new` writes
            self.quiet(main.main, ["new", "mybench"])
            self.folder /= "mybench"
            self.patch.chdir(self.folder)
        for command in commands(page, text):
            try:
                self.do(command)
            except BaseException as error:
                error.add_note(str(command))
                raise

    def do(self, command):
        text = by(FILLED, command.page, command.text)
        self.given(command.page, text)
        if ours := Command(command.page, command.line, text).words:
            accepted(ours)
        if re.search(r"(?<![=\w])ray ", text) and find_spec("ray"):
            known_to_ray(text)
        if command.text in LISTED:
            return
        program = re.search(r"(?:^|/| )(harness|[a-z]+)(?= |$)", text)[1]
        act = getattr(self, f"_{program}", None)
        assert act, f"{command}: neither run nor in LISTED"
        act(command, text)

    def given(self, page, text):
        """Make the files that a command names and no command before it has made."""
        for name, make in GIVEN.get(page, {}).items():
            path = self.folder / name.rpartition("=")[2]
            if named(name, text) and not path.exists():
                path.parent.mkdir(exist_ok=True)
                self.quiet(make, path)

    def quiet(self, act, *arguments):
        """Call a function, and return what it returns and prints."""
        with redirect_stdout(io.StringIO()) as out, redirect_stderr(out):
            found = act(*arguments)
        return found, out.getvalue()

    def _harness(self, command, text):
        if command.inline:
            return
        text = by(SMALLER, command.page, text).replace("{server}", self.url)
        words = shlex.split(text)[1:]
        for name, library in NEEDED.items():
            if f"plugin={name}" in words and find_spec(library) is None:
                return
        code, said = self.quiet(main.main, words)
        assert code == 0, f"{text}\n{said}"
        self.printed[command.text] = said

    def _make(self, command, text):
        said = make_target(text)
        ours = re.findall(r"^\S*bin/(harness .+)$", said, re.MULTILINE)
        for one in ours:
            accepted(one)
            self._harness(command, one)

    def _pip(self, command, text):
        here = self.folder if (self.folder / "pyproject.toml").exists() else ROOT
        for folder in known_extras(text, here):
            if not command.inline:
                self.install(folder)

    def install(self, folder):
        """Do what `pip install` does, as far as plugins are concerned: test_examples.py calls the real one."""
        project = tomllib.loads((folder / "pyproject.toml").read_text())["project"]
        info = (
            self.folder / f"site/{project['name'].replace('-', '_')}-{project['version']}.dist-info"
        )
        info.mkdir(parents=True)
        (info / "METADATA").write_text(
            f"Metadata-Version: 2.1\nName: {project['name']}\nVersion: {project['version']}\n"
        )
        lines = []
        for group, points in project["entry-points"].items():
            lines += [f"[{group}]", *(f"{name} = {module}" for name, module in points.items())]
        (info / "entry_points.txt").write_text("\n".join(lines) + "\n")
        for path in (info.parent, folder):
            self.patch.syspath_prepend(path)
        self.installed.add(str(folder))
        self.patch.setattr(
            harness_guard, "_shared", self.stack.enter_context(harness_guard.Guard(workers=1))
        )
        forget()

    def _python(self, command, text):
        if "PYTHONPATH" in text:
            text = text[text.index("python ") :]
        known_module(text)
        if not command.inline:
            module, *words = shlex.split(text)[2:]
            self.patch.setattr(sys, "argv", [module, *words])
            self.patch.delitem(sys.modules, f"{module}.__main__", raising=False)  # of another test
            with pytest.raises(SystemExit) as ended:
                self.quiet(lambda: runpy.run_module(module, run_name="__main__"))
            assert ended.value.code in (0, None)

    def _inspect(self, command, text):
        known_to_inspect(text)
        if not command.inline:
            from inspect_ai._cli.main import inspect

            words = shlex.split(by(SMALLER, command.page, text))[1:]
            with pytest.raises(SystemExit) as ended:
                self.quiet(inspect.main, words)
            assert ended.value.code == 0

    def _export(self, command, text):
        for word in shlex.split(by(SMALLER, command.page, text))[1:]:
            name, _, value = word.partition("=")
            self.patch.setenv(name, value.replace("{server}", self.url))

    def _cat(self, command, text):
        subprocess.run(["sh", "-c", text], cwd=self.folder, check=True)

    def _cd(self, command, text):
        assert (ROOT / text.split()[1]).is_dir(), f"no such folder: {text}"

    def _source(self, command, text):
        if text.startswith("source <("):  # its words are ours, and accepted by now
            return
        assert text == "source .venv/bin/activate", f"what does {text} activate?"
        assert ".venv/bin/harness run" in make_target("make run"), "make has another place"


def in_order(lines, printed):
    """Find each line, … standing for anything, below the one before it."""
    at = 0
    for line in filter(str.strip, lines):
        pattern = ".*".join(re.escape(part) for part in line.strip().split("…"))
        found = re.compile(rf"^\s*{pattern}\s*$", re.MULTILINE).search(printed, at)
        assert found, f"nothing printed reads '{line}', from here on:\n{printed[at:]}"
        at = found.end()
