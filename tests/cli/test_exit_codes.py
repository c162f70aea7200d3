"""The exit codes of every command, as docs/json.md has them."""

import json
import os
import shutil
import signal
import socket
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from cases import slow

import harness
from harness import Item
from harness.cli import main
from harness.cli.command import Command, commands

TOY = "plugin=toy_good"
# Nobody listens on the port 9 of this machine.
DEAD = ["model=openai-api/local/x", "max_retries=0"]

SUCCESS = {
    "run": [TOY, "n=2", "log_dir=new"],
    "list": [],
    "describe": [TOY],
    "show": [TOY],
    "generate": [TOY, "n=2", "out=new.jsonl"],
    "export": [TOY, "n=2", "out=new.jsonl"],
    "score": ["logs/good.eval", "log_dir=new"],
    "verify": [TOY, "n=2"],
    "traces": ["plugin=vltl", "n=2", "out=new.jsonl"],
    "prove": ["plugin=ltlbench", "n=2", "out=new.jsonl"],
    "report": ["logs/dead.eval"],  # what is unscored is told of
    "compare": ["logs/good.eval", "logs/constant.eval"],
    "plan": [TOY, "d=0.1"],
    "check": [TOY, "only=read", "n=2"],
    "new": ["kim", "out=new"],
    "doctor": ["plugin=toy_good", "log_dir=new"],
    "view": ["log_dir=logs", "bundle=new"],
    "completion": ["bash"],
}
FINDING = {
    "run": [TOY, "n=2", *DEAD, "log_dir=new"],
    "score": [TOY, "dataset=d.jsonl", "responses=some.jsonl", "log_dir=new"],
    "verify": [TOY, "dataset=wrong.jsonl", "report=none"],
    "prove": ["plugin=ltlbench", "dataset=mislabelled.jsonl"],
    "check": [TOY, "only=golden", "n=2"],
    "doctor": ["plugin=toy_good", "log_dir=d.jsonl"],
}
BAD = {
    **{name: ["plugin=nowhere"] for name in commands()},
    "score": ["missing.eval"],
    "report": ["missing.eval"],
    "compare": ["logs/good.eval"],
    "new": ["No Name"],
    "view": ["log_dir=missing"],
    "completion": ["cobol"],
    "doctor": ["log=missing"],
}
OUTPUT = {
    "run": [TOY, "n=2", "log_dir=d.jsonl"],
    "show": [TOY, "format=sum", "out=d.jsonl"],
    "generate": [TOY, "n=2", "out=d.jsonl"],
    "export": [TOY, "n=2", "out=d.jsonl"],
    "score": ["logs/good.eval", "log_dir=d.jsonl"],
    "verify": [TOY, "dataset=d.jsonl", "report=d.jsonl"],
    "traces": [TOY, "n=2", "out=d.jsonl"],
    "prove": ["plugin=ltlbench", "n=2", "out=d.jsonl"],
    "report": ["logs/good.eval", "out=d.jsonl"],
    "new": ["kim", "out=d.jsonl"],
    "view": ["log_dir=logs", "bundle=d.jsonl"],
}
CASES = [
    *((name, words, 0) for name, words in SUCCESS.items()),
    *((name, words, 1) for name, words in {**FINDING}.items()),
    *((name, words, 2) for name, words in BAD.items()),
    *((name, words, 1) for name, words in OUTPUT.items()),
]


@pytest.fixture(scope="module")
def files(toys, tmp_path_factory):
    """Return a folder with what the words above name."""
    folder = tmp_path_factory.mktemp("files")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        patch.setenv("LOCAL_API_KEY", "none")
        patch.setenv("LOCAL_BASE_URL", "http://127.0.0.1:9/v1")
        assert main.main(["generate", TOY, "n=2", "out=d.jsonl"]) == 0
        Path("logs").mkdir()
        runs = {"good": [], "constant": ["model=harness/constant"], "dead": DEAD}
        for name, words in runs.items():
            main.main(["run", TOY, "n=2", f"log_dir=of_{name}", *words])
            (log,) = Path(f"of_{name}").glob("*.eval")
            log.rename(f"logs/{name}.eval")
        items = [json.loads(line) for line in Path("d.jsonl").read_text().splitlines()]
        wrong = Item(
            **{**items[0], "target": "zero" if items[0]["target"] != "zero" else "one", "id": ""}
        )
        Path("wrong.jsonl").write_text(json.dumps(wrong.to_dict()))
        (item,) = harness.load("ltlbench", n=1)
        other = {"True": "False", "False": "True"}[item.target]
        mislabelled = replace(item, target=other, id="")
        Path("mislabelled.jsonl").write_text(json.dumps(mislabelled.to_dict()))
        Path("some.jsonl").write_text(json.dumps({"id": items[0]["id"], "response": "one"}))
    return folder


@pytest.fixture
def here(files, tmp_path, monkeypatch):
    shutil.copytree(files, tmp_path / "here")
    monkeypatch.chdir(tmp_path / "here")
    monkeypatch.setenv("LOCAL_API_KEY", "none")
    monkeypatch.setenv("LOCAL_BASE_URL", "http://127.0.0.1:9/v1")


def test_every_command_is_tried():
    assert set(SUCCESS) == set(BAD) == set(commands())
    findings = (
        Path(__file__)
        .parents[2]
        .joinpath("docs/json.md")
        .read_text()
        .partition("|command|finding|")[2]
    )
    named = {line.split("`")[1] for line in findings.splitlines() if line.startswith("|`")}
    assert named == set(FINDING)


@pytest.mark.parametrize(
    ("name", "words", "code"),
    CASES,
    ids=[f"{name}-{code}-{words[-1:]}" for name, words, code in CASES],
)
def test_exit_code(here, capsys, name, words, code):
    assert main.main([name, *words]) == code
    out, err = capsys.readouterr()
    done = code == 0 or (name in FINDING and words == FINDING[name])
    assert bool(out) == done
    assert done or err.startswith("harness: ")
    assert done or err.count("\n") == 1


@pytest.mark.parametrize("name", commands())
@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_ended_by_a_signal(here, capsys, monkeypatch, name, number, code):
    def body(self, ctx):
        signal.raise_signal(number)

    monkeypatch.setattr(Command, "invoke", body)
    assert main.main([name, *SUCCESS[name]]) == code
    out, err = capsys.readouterr()
    assert (out, err) == ("", f"harness: {'interrupted' if code == 130 else 'terminated'}\n")


@pytest.mark.parametrize("name", [name for name in commands() if name not in ("doctor", "run")])
def test_a_reader_that_has_seen_enough(here, capsys, monkeypatch, name):
    reading, writing = os.pipe()
    os.close(reading)
    with os.fdopen(writing, "w") as stream:
        monkeypatch.setattr(sys, "stdout", stream)
        assert main.main([name, *SUCCESS[name]]) == 0
    assert "harness: " not in capsys.readouterr().err


def test_the_viewer_is_closed_by_ctrl_c(here, monkeypatch):
    """That is how one ends it, and no failure."""
    monkeypatch.setattr("harness.run.compat.view", lambda **how: signal.raise_signal(signal.SIGINT))
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    assert main.main(["view", "log_dir=logs", f"port={port}"]) == 0


@slow
@pytest.mark.parametrize(
    ("words", "code"),
    [
        (["run", TOY, "n=2", *DEAD, "log_dir=new"], 1),
        (["score", "logs/dead.eval", "log_dir=new"], 1),
        (["report", "logs/dead.eval"], 0),
        (["compare", "logs/dead.eval", "logs/good.eval"], 2),
        (["plan", TOY, "d=0.1", "pilot=logs/dead.eval"], 2),
    ],
    ids=lambda words: words[0] if isinstance(words, list) else None,
)
def test_a_dead_server_is_named_as_the_cause(here, capsys, words, code):
    """It is neither an unfinished run nor an answer that could not be read."""
    assert main.main(words) == code
    said = "".join(capsys.readouterr())
    assert "cannot connect to http://127.0.0.1:9/v1: Connection refused" in said
    assert "unfinished" not in said
    assert "never asked" not in said
