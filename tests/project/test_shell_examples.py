"""Every shell command that the documents show is run, or stands with its reason in shell_tables.

A page is followed from top to bottom in an empty folder: what one command writes is there for the next. Commands of
ours are `harness.cli.main.main` with the words of the line; first these words, as they are written, pass the real
parser. Commands in running text are not run, but their words pass it, too.
tests/author/test_tutorial.py follows docs/tutorial.md.
"""

import re
import shlex
import subprocess
import sys
from contextlib import ExitStack
from itertools import takewhile

import pytest
from cases import each, slow
from harness_errors import HarnessError
from openai_server import serving
from shell_examples import ROOT, Command, blocks, commands, pages, settings
from shell_given import GIVEN
from shell_reader import Reader, answer, by, forget, in_order, named
from shell_tables import FILLED, LEFT, LISTED, MADE, NO_SETTINGS, PRINTED, SMALLER

from harness.cli import main
from harness.cli.command import commands as known_commands
from harness.core import plugins
from harness.core.words import build

TUTORIAL = "docs/tutorial.md"
TEXTS = {page: (ROOT / page).read_text(encoding="utf-8") for page in pages()}


@pytest.fixture
def reader(tmp_path, monkeypatch):
    """Somebody who follows a page, with providers of models on the loopback."""
    with serving(answer) as server, ExitStack() as stack:
        for name in ("OPENAI", "TOGETHER", "LOCAL"):
            monkeypatch.setenv(f"{name}_API_KEY", "none")
            monkeypatch.setenv(f"{name}_BASE_URL", server.url)
        monkeypatch.chdir(tmp_path)
        known, reader = set(sys.modules), Reader(tmp_path, monkeypatch, stack, server.url)
        yield reader
    for name in set(sys.modules) - known:
        place = getattr(sys.modules[name], "__file__", None) or ""
        if place.startswith(tuple(f"{folder}/" for folder in reader.installed)):
            del sys.modules[name]
    forget()


@pytest.mark.parametrize(
    "page",
    [
        pytest.param(page, marks=() if page == "README.md" else slow)
        for page in TEXTS
        if page != TUTORIAL
    ],
)
def test_the_commands_of_a_page_do_what_it_says(page, reader):
    reader.follow(page, TEXTS[page])
    for block in blocks(page, TEXTS[page]):
        if (page, block.first) in MADE:
            for line in takewhile(str.strip, block.lines):
                assert [*reader.folder.glob(line.split()[0])], line
        elif text := PRINTED.get((page, block.first)) or above(page, block):
            in_order(block.lines, reader.printed[text])


def above(page, block):
    """Return the command that prints a block called `text`: the last one above it."""
    if block.language != "text" or (page, block.first) in LEFT:
        return None
    before = [
        one.text for one in commands(page, TEXTS[page]) if one.line < block.line and not one.inline
    ]
    return before[-1]


def test_the_kit_explains_a_failure_in_the_words_of_its_page(reader):
    """What docs/conformance.md shows is found after the tutorial's first change."""
    (change, *_) = (one for one in blocks(TUTORIAL, TEXTS[TUTORIAL]) if one.language == "diff")
    (added,) = (line[1:] for line in change.lines if line.startswith("+"))
    (before,) = (line[1:] for line in change.lines[3:4])
    reader.quiet(main.main, ["new", "mybench"])
    wording = reader.folder / change.lines[0].removeprefix("--- ")
    wording.write_text(wording.read_text().replace(before, f"{before}\n{added}"))
    reader.install(reader.folder / "mybench")
    code, said = reader.quiet(main.main, ["check", "plugin=mybench", "n=20", "only=read"])
    page = "docs/conformance.md"
    (shown,) = (one for one in blocks(page, TEXTS[page]) if one.first.startswith("FAIL"))
    assert code == 1
    in_order(shown.lines, said)


def test_the_tutorials_test_takes_every_command_of_it():
    block = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
    taken = [
        line
        for kind, text in block.findall(TEXTS[TUTORIAL])
        if kind == "bash"
        for line in text.splitlines()
    ]
    assert [one.text for one in commands(TUTORIAL, TEXTS[TUTORIAL]) if not one.inline] == taken


# ------------------------------------------------------------------------------- nothing is left out, nothing dead


def every_command():
    return [
        command
        for page, text in TEXTS.items()
        if page != TUTORIAL
        for command in commands(page, text)
    ]


def test_every_rule_of_the_tables_has_something_to_replace():
    used = set()
    for command in every_command():
        text = command.text
        rules = FILLED if command.inline or command.text in LISTED else (*FILLED, *SMALLER)
        for rule in rules:
            changed = rule.of(command.page, text)
            used |= {rule} if changed != text else set()
            text = changed
    assert [rule for rule in (*FILLED, *SMALLER) if rule not in used] == []
    assert all(rule.reason for rule in (*FILLED, *SMALLER))


def test_every_entry_of_the_tables_is_a_command_a_file_or_a_block_of_a_page():
    assert set(LISTED) <= {command.text for command in every_command()}
    assert all(LISTED.values())
    texts = {}
    for command in every_command():
        texts.setdefault(command.page, []).append(by(FILLED, command.page, command.text))
    for page, files in GIVEN.items():
        for name in files:
            assert any(named(name, text) for text in texts[page]), f"{page} names no {name}"
    shown = {(page, one.first) for page, text in TEXTS.items() for one in blocks(page, text)}
    assert {*PRINTED, *MADE, *LEFT} <= shown


def test_every_block_is_of_commands_or_of_a_language_or_accounted_for():
    for page, text in TEXTS.items():
        for block in blocks(page, text):
            plain = block.language in ("", "text", "txt", "plain") and not (
                block.shell or block.python
            )
            if plain and page != TUTORIAL and "RayJob" not in "".join(block.lines):
                known = above(page, block) or (page, block.first) in {*PRINTED, *MADE, *LEFT}
                assert known, f"{page}:{block.line}: {block.first}"


def test_the_script_for_slurm_is_one():
    page = "docs/scale.md"
    (script,) = (one for one in blocks(page, TEXTS[page]) if one.lines[0].strip() == "#!/bin/bash")
    text = "\n".join(line.removeprefix("    ") for line in script.lines)
    subprocess.run(["bash", "-n"], input=text, text=True, check=True)
    with pytest.raises(subprocess.CalledProcessError):
        subprocess.run(
            ["bash", "-n"], input=f"{text} 'x", text=True, check=True, stderr=subprocess.DEVNULL
        )


def test_settings_in_running_text_are_those_of_a_command_or_a_benchmark():
    every = {key for command in known_commands().values() for key in command.keys} | {"preset"}
    unknown = {}
    for page, text in TEXTS.items():
        for line, words in settings(text):
            if not any(takes(name, words, every) for name in plugins.registry().benchmarks):
                unknown.setdefault(words, f"{page}:{line}")
    assert {words: where for words, where in unknown.items() if words not in NO_SETTINGS} == {}
    assert set(NO_SETTINGS) <= set(unknown)


def takes(name, words, keys):
    """Return whether the parser takes some words for a benchmark, with stages where they are needed."""
    words = [word for word in shlex.split(words) if not word.startswith("plugin=")]
    stages = ["strategy=staged"] if words and words[0].startswith("gold=") else []
    try:
        return bool(build(plugins.registry(), [f"plugin={name}", *words, *stages], keys))
    except HarnessError:
        return False


# ------------------------------------------------------------------------------- the tools above see what they should


def extracted(text):
    return [(one.line, one.text, one.inline) for one in commands("x.md", text)]


@each(
    "text, found",
    [
        ("", []),
        ("harness run is no code\n", []),
        ("a\n\n    harness list   # all\n", [(3, "harness list", False)]),
        ("a\n    harness list\n", []),  # a line of the paragraph
        ("```\nharness list\n```\n", [(2, "harness list", False)]),
        ("````sh\n$ harness list\nx  y\n$ make x\n````\n", [(2, "harness list", False), (4, "make x", False)]),
        ("~~~bash\nfoo --bar\n~~~\n", [(2, "foo --bar", False)]),  # a program that nobody knows is one all the same
        ("```sh\nmake run \\\n n=1 \\\n # no\n\nmake x\n```", [(2, "make run n=1", False), (6, "make x", False)]),
        ("    # first\n    harness list\n    #SBATCH -n 8\n", [(2, "harness list", False)]),
        ("    a: b\n    entrypoint: harness run plugin=x\n", [(2, "harness run plugin=x", False)]),
        ("    a  b\n    -  -\n\n    harness list\n", [(4, "harness list", False)]),
        ("    import harness\n    harness.load()\n", []),
        ("```python\nharness = 1\n```\n", []),
        ("A `harness run\nn=3`, ``make x``, `harness/x`.", [(1, "harness run n=3", True), (2, "make x", True)]),
        ("`cd a && pip install -e .`", [(1, "cd a", True), (1, "pip install -e .", True)]),
        ("`source <(harness completion bash)`", [(1, "source <(harness completion bash)", True)]),
        ("A `tick\n\nthat never ends, and `harness list`", [(3, "harness list", True)]),
        ("'options={a: 1}' `harness run 'options={a: 1}'`", [(1, "harness run 'options={a: 1}'", True)]),
    ],
)  # fmt: skip
def test_commands_are_found_wherever_they_stand(text, found):
    assert extracted(text) == found


def test_a_fence_that_is_never_closed_is_an_error():
    with pytest.raises(ValueError, match="line 2: a fence"):
        commands("x.md", "a\n```sh\nharness list\n")


@each(
    "text, message",
    [
        ("harness lst", "lst"),
        ("harness run plugin=ltlbench operatos=3", "did you mean 'operators'"),
        ("harness run plugin=ltlbench operators=many", "'integer'"),
        ("harness run plugin=ltlbnch", "did you mean 'ltlbench'"),
        ("harness list ltlbench", "takes no 'ltlbench'"),
        ("harness report logs ouut=x", "no such keys"),
        ("harness list --jsn", "--jsn"),
        ("harness run plugin=ltlbench n=2 dataset=none.csv", "none.csv"),  # a file that nobody makes
        ("make nothing", "nothing"),
        ("pip install 'temporal-harness[nothing]'", "nothing"),
        ("pip install left-pad", "left-pad"),
        ("pip install ./examples/nothing", "nothing"),
        ("python benchmarks/nothing.py", "nothing.py"),
        ("python -m nothing_at_all", "nothing_at_all"),
        ("inspect nothing", "nothing"),
        ("inspect score LOG --skorer harness/verdict", "skorer"),
        ("kubectl apply -f job.yaml", "neither run nor in LISTED"),
        ("source elsewhere/bin/activate", "elsewhere"),
        ("cd nowhere", "nowhere"),
    ],
)  # fmt: skip
def test_a_wrong_command_is_not_passed_over(text, message, reader):
    with pytest.raises((Exception, SystemExit)) as caught:
        reader.do(Command("x.md", 1, text))
    assert message in f"{type(caught.value)} {caught.value!r} {caught.value}"


@pytest.mark.parametrize(
    ("text", "message"), [("ray strat --head", "strat"), ("ray start --hed", "--hed")]
)
def test_a_wrong_command_of_ray_is_not_passed_over(text, message, reader):
    pytest.importorskip("ray", reason="needs the extra ray")
    with pytest.raises((Exception, SystemExit)) as caught:
        reader.do(Command("x.md", 1, text))
    assert message in f"{type(caught.value)} {caught.value!r}"


def test_a_line_that_was_not_printed_is_missed():
    in_order(["a", "", "c … e"], " a\nb\nc d e\n")
    for lines in (["b", "a"], ["a b"], ["c"], ["c … f"]):
        with pytest.raises(AssertionError, match="nothing printed reads"):
            in_order(lines, "a\nb\nc d e\n")
