"""`harness completion`: what words there are, and that bash, zsh and fish really complete them."""

import os
import pty
import re
import select
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from cases import each, slow

from harness.author import completion
from harness.cli import main
from harness.cli.command import FLAGS, commands
from harness.core.features import keys_of
from harness.core.plugins import registry
from harness.run.strategies import STRATEGIES

BIN = Path(sys.executable).parent
LTL = ("run", "plugin=ltlbench")


def words(*typed):
    """Return the words offered for the last one typed, and those with what they mean."""
    lines = completion.answer(list(typed)).splitlines()
    return [line.partition("\t")[0] for line in lines]


def test_commands_and_flags_are_those_of_the_command_line():
    assert words("") == list(commands())
    assert words("--") == [flag for flag in FLAGS if flag.startswith("--")]
    assert words("--json", "li") == ["list"]
    assert "--minimal" in words("new", "x", "--m")
    assert words("run", "--json", "--j") == []


CHOSEN = ("plugin", "preset", "difficulty")


def test_keys_are_those_of_command_and_plugin():
    own = set(registry().get("ltlbench").benchmark.config_schema["properties"])
    assert set(words("run", "")) == {f"{key}=" for key in (*keys_of("run"), *CHOSEN)}
    assert set(words(*LTL, "")) == {f"{key}=" for key in (*keys_of("run"), *own, *CHOSEN[1:])}
    assert set(words("view", "")) == {f"{key}=" for key in keys_of("view")}
    assert words(*LTL, "operators=3", "operat") == []
    assert completion.FILES in words("report", "")
    assert words("list", "") == []


@each(
    "typed, offered",
    [
        (("run", "plugin=ltl"), ["plugin=ltlbench"]),
        (("run", "plugin=ltlbench,v"), ["plugin=ltlbench,vltl"]),
        ((*LTL, "task="), ["task=decide", "task=counterexample"]),
        ((*LTL, "task=decide,"), ["task=decide,counterexample"]),
        ((*LTL, "twins="), ["twins=true", "twins=false"]),
        ((*LTL, "preset="), [f"preset={one}" for one in ("paper", "paper_operators", "paper_events")]),
        (("run", "strategy=few"), ["strategy=few_shot", "strategy=few_shot_cot"]),
        (("run", "plugin=vltl", "strategy=stag"), ["strategy=staged"]),
        (("run", "plugin=vltl", "strategy=staged", "gold=l"), ["gold=lift"]),
        (("run", "logprobs="), ["logprobs=yes", "logprobs=no"]),
        (("run", "tools=w"), ["tools=web_search"]),
        (("run", "model=harness/r"), ["model=harness/reference", "model=harness/random"]),
        (("run", "convention=p"), ["convention=published"]),
        (("generate", "engine="), ["engine=local", "engine=ray"]),
        (("export", "to=h"), ["to=huggingface"]),
        (("show", "plugin=ltlbench", "format=s"), ["format=svg"]),
        (("plan", "plugin=ltlbench", "metrics=acc"), ["metrics=accuracy"]),
        (("check", "golden="), ["golden=check", "golden=write"]),
        (("run", "dataset=x"), [completion.FILES]),
        (("verify", "report=n"), ["report=none", completion.FILES]),
        (("completion", ""), ["bash", "zsh", "fish"]),
        (("run", "lt"), ["ltlbench"]),
        (("run", "ltlbench", "task=d"), ["task=decide"]),
        (("run", "ltlbench", "--operators", "3", "operat"), []),
        (("run", "ltlbench", "reasoning_ef"), ["reasoning_effort="]),
        (("run", "ltlbench", "verbosity="), ["verbosity=low", "verbosity=medium", "verbosity=high"]),
        (("run", "ltlbench", "parallel_tool_calls="), ["parallel_tool_calls=yes", "parallel_tool_calls=no"]),
        (("run", "ltlbench", "response_sch"), []),
        (("show", "ltlbench", "reasoning_ef"), []),
    ],
)  # fmt: skip
def test_values_are_those_that_there_are(typed, offered):
    assert words(*typed) == offered


def test_words_mean_something():
    (line,) = completion.answer(["run", "strategy=least"]).splitlines()
    assert line == f"strategy=least_to_most\t{STRATEGIES[-1].summary}"


@each(
    "typed",
    [
        (), ("nope", "x="), ("run", "="), ("run", "=x"), ("run", "plugin=nope", "task="), ("run", "nope="),
        ("run", "plugin=\udcff", "task="), ("view", "operators="), ("run", "plugin=ltlbench", "\x00=\x1b"),
        ("run", "plugin=," * 3_000, "task="), ("compare", "metrics="), ("completion", "bash", "x="),
    ],
)  # fmt: skip
def test_nonsense_is_no_error_and_no_word(capsys, typed):
    assert main.main(["__complete", *typed]) == 0
    out, err = capsys.readouterr()
    assert (out.strip(), err) == ("", "") or typed == ()


def test_a_plugin_that_fails_takes_only_its_own_words(toys, capfd):
    assert words("run", "plugin=toy_goo") == ["plugin=toy_good"]
    assert words("run", "plugin=toy_good", "style=") == ["style=plain", "style=polite"]
    assert words("run", "plugin=toy_nowhere", "style=") == []
    assert capfd.readouterr() == ("", "")


@each(
    "given, right",
    [((), "name one shell"), (("bahs",), "'bash'"), (("bash", "zsh"), "name one shell")],
)
def test_another_shell_is_refused(given, right, capsys):
    assert main.main(["completion", *given]) == 2
    assert right in capsys.readouterr().err


def test_no_word_needs_inspect():
    """It takes seconds to import; a key press waits for 0.2."""
    code = (
        "import sys; from harness.cli import main as cli; "
        "cli.main(['__complete', 'run', 'plugin=ltlbench', 'task=']); "
        "cli.main(['__complete', 'run', 'plugin=ltlbench', 'reasoning_effort=l']); "
        "assert 'inspect_ai' not in sys.modules"
    )
    words = [sys.executable, "-c", code]
    out = subprocess.run(words, capture_output=True, text=True, check=True)
    assert out.stdout.startswith("task=decide\t")
    assert out.stdout.endswith("reasoning_effort=low\t\n")


# ------------------------------------------------------------------------------- real shells


@pytest.fixture
def place(tmp_path):
    (tmp_path / "a file.csv").touch()
    (tmp_path / "data.csv").touch()
    (tmp_path / "sub").mkdir()
    return tmp_path


def shell(name):
    if shutil.which(name) is None:
        pytest.skip(f"there is no {name} on the path")
    return {**os.environ, "PATH": f"{BIN}:{os.environ['PATH']}", "HISTFILE": os.devnull}


ASKED = {
    "harness lis": "list",
    "harness run plugin=lt": "ltlbench",
    "harness run plugin=ltlbench task=decide,c": "decide,counterexample",
    "harness run dataset=a": "a file.csv",
    "harness report s": "sub",
}


@slow
def test_bash_completes(place):
    script = """
source <(harness completion bash)
complete -p harness
while read -r line; do
    COMP_LINE="$line" COMP_POINT=${#line} COMPREPLY=()
    _harness_complete harness
    printf '%s\\n' "${#COMPREPLY[@]} ${COMPREPLY[0]}"
done
"""
    done = subprocess.run(
        ["bash", "--norc", "-c", script], input="".join(f"{line}\n" for line in ASKED), env=shell("bash"),
        cwd=place, capture_output=True, text=True, check=True,
    )  # fmt: skip
    first, *found = done.stdout.splitlines()
    assert first == "complete -F _harness_complete harness"
    assert found == [f"1 {word}" for word in ASKED.values()]
    assert done.stderr == ""


def test_fish_completes(place):
    env = {**shell("fish"), "HOME": str(place), "XDG_CONFIG_HOME": str(place / ".config")}
    script = "harness completion fish | source; for line in $argv; complete -C $line; echo @@; end"
    done = subprocess.run(
        ["fish", "-c", script, *ASKED],
        env=env,
        cwd=place,
        capture_output=True,
        text=True,
        check=True,
    )
    found = [part.strip().split("\n") for part in done.stdout.split("@@\n")][:-1]
    assert [
        (len(part), part[0].partition("\t")[0].rpartition("=")[2].rstrip("/")) for part in found
    ] == [(1, word) for word in ASKED.values()]


@slow
@pytest.mark.parametrize(
    ("name", "start"),
    [
        (("bash", "--norc", "-i"), "source <(harness completion bash)"),
        (
            ("zsh", "-f", "-i"),
            "autoload -Uz compinit; compinit -u -D; source <(harness completion zsh)",
        ),
    ],
)
def test_the_tab_key_completes(place, name, start):
    typed = {
        "harness run plugin=lt\t": "harness run plugin=ltlbench",
        "harness run dataset=a\t": r"a\ file.csv",
    }
    with Typed(name, start, shell(name[0]), place) as terminal:
        for keys, line in typed.items():
            assert line in terminal.line(keys)


class Typed:
    """A shell on a terminal of its own."""

    def __init__(self, words, start, env, folder):
        self._pid, self._end = pty.fork()
        if self._pid == 0:
            os.chdir(folder)
            os.execvpe(words[0], words, {**env, "PS1": "$ ", "TERM": "dumb"})
        self._write(f"{start}; echo rea''dy\n")
        self._read("ready\r\n")

    def _write(self, keys):
        os.write(self._end, keys.encode())

    def _read(self, until, seconds=120):
        said, last = "", time.monotonic() + seconds
        while until not in said:
            assert time.monotonic() < last, said
            if select.select([self._end], [], [], 0.5)[0]:
                said += os.read(self._end, 65_536).decode(errors="replace")
        return said

    def line(self, keys):
        """Return the line as it is once the shell has completed it."""
        self._write(keys)
        # Ctrl-A and Ctrl-E: the line is not run but shown, and what came meanwhile is done with.
        self._write("\x01echo '<\x05>'\n")
        return re.findall(r"\n<(.*?)>\r\n", self._read(">\r\n"))[-1]

    def __enter__(self):
        return self

    def __exit__(self, *_):
        os.kill(self._pid, signal.SIGKILL)
        os.waitpid(self._pid, 0)
        os.close(self._end)
