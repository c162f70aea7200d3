"""What is known of a command without running it: that its words, its target, its extras are there."""

from __future__ import annotations

import os
import shlex
import subprocess
import tomllib
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from types import SimpleNamespace

from shell_examples import ROOT
from shell_tables import FOREIGN, NEEDED

from harness.cli.command import FLAGS, WORDS, commands
from harness.core import plugins
from harness.core.spec import find
from harness.core.words import build, parse

# Commands that take words without `=`.
POSITIONAL = {"score", "report", "compare", "new", "completion"}


def accepted(text):
    """Put the words of a command of ours to the parser; raise what it has against them."""
    name, *rest = shlex.split(text)[1:]
    if name.startswith("-"):
        assert name in FLAGS
        return
    command = commands()[name]
    words = command.settled([word for word in rest if word not in (*FLAGS, *WORDS)])
    settings = [word for word in words if "=" in word]
    for word in words:
        assert word in settings or name in POSITIONAL, f"harness {name} takes no '{word}'"
    given = parse(settings)
    if "plugin" in given:
        for plugin in given["plugin"] if command.late else ():
            find(registry(plugin).get(plugin).benchmark, given)
        assert build(registry(*given["plugin"]), settings, (*command.keys, "preset"))
    else:
        assert {*given} <= {*command.keys}, f"harness {name} has no such keys: {given}"


def registry(name):
    """Return the registry, or what a plugin says of itself where its library is missing."""
    found = plugins.registry()
    if name not in found.failures or name not in NEEDED:
        return found
    benchmark = import_module(f"harness_{name}.config").BENCHMARK
    one = SimpleNamespace(benchmark=benchmark, wrappers={})
    return SimpleNamespace(get={name: one}.__getitem__, benchmarks={name: benchmark})


def make_target(text):
    """Let make say what it would do; return that."""
    words = shlex.split(text)
    kept = {
        key: value for key, value in os.environ.items() if not key.startswith(("MAKE", "MFLAGS"))
    }
    done = subprocess.run(
        ["make", "-n", *words[1:]], cwd=ROOT, env=kept, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@cache
def projects():
    """Return what each pyproject of the tree says, by distribution, with its folder."""
    files = [ROOT / "pyproject.toml", *ROOT.glob("*/*/pyproject.toml")]
    found = [(path.parent, tomllib.loads(path.read_text())["project"]) for path in files]
    return {project["name"]: (folder, project) for folder, project in found}


def known_extras(text, here):
    """Hold what pip is to install against the pyproject files; return the folders among it."""
    words = shlex.split(text)
    wanted = [word for word in words[words.index("install") + 1 :] if not word.startswith("-")]
    folders = []
    for word in wanted:
        name, _, extras = word.rstrip("]").partition("[")
        if name.startswith("."):
            folder = (here / name).resolve()
            folders.append(folder)
            project = tomllib.loads((folder / "pyproject.toml").read_text())["project"]
        elif name.startswith(("temporal-harness", "harness-")):
            project = projects()[name][1]
        else:
            assert name in FOREIGN, f"what is {name}?"
            continue
        assert {*extras.split(",")} - {""} <= {*project.get("optional-dependencies", {})}, word
    return folders


def known_module(text):
    """Hold what Python is to run against the files and modules that there are."""
    words = shlex.split(text)
    words = words[next(at for at, word in enumerate(words) if word.startswith("python")) + 1 :]
    if words[0] == "-c":
        compile(words[1], "<example>", "exec")
    elif words[0] == "-m":
        assert find_spec(words[1]), words[1]
    else:
        assert (ROOT / words[0]).is_file(), words[0]


def known_to_inspect(text):
    """Hold a command of Inspect against its own parser."""
    from inspect_ai._cli.main import inspect

    name, *rest = shlex.split(text)[1:]
    command = inspect.commands[name]
    if rest:
        command.make_context(name, rest)


def known_to_ray(text):
    """Hold a command of Ray, with its options, against Ray's own parser."""
    from ray.scripts.scripts import cli

    words = shlex.split(text)
    command, name, rest = cli, "ray", words[words.index("ray") + 1 :]
    while rest and not rest[0].startswith("-"):
        name, rest = rest[0], rest[1:]
        command = command.commands[name]
    if rest:
        command.make_context(name, rest)
