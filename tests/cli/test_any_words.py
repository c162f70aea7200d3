"""Whatever is typed: a documented exit code, one line where it fails, and never a traceback."""

import random
from pathlib import Path

import pytest
from cases import SHARE, slow

from harness.cli import main
from harness.cli.command import commands

VALUES = [
    *("", " ", "-1", "0", "1", "1e9", "1e999", "abc", "nan", "-inf", "99999999999999999999", "yes", "null", "[]"),
    *("{}", "[1,2", "{a: 1}", "1,2", ",", "=", "日本", "\x1b[31m", "\n", "\u202e", "💥", "'", '"', "&x", "*x"),
    *("!!python/object:os.system", "x" * 5000, "2024-13-45", "\udcff", "%s", "{0}", "--json", "-", "\0"),
]  # fmt: skip
PATHS = [
    *("d.jsonl", "empty.jsonl", "binary.jsonl", "binary.eval", "binary", "folder", "folder.jsonl", "dangling", "l"),
    *("nowhere/x.jsonl", ".", "..", "/dev/null", "~", "~nobody99/x", "file://d.jsonl", "x" * 300, "ü ñ.jsonl"),
]  # fmt: skip
# These read words and files as the others do, and start neither a run, nor workers, nor a server.
QUICK = [
    "list",
    "describe",
    "show",
    "generate",
    "export",
    "traces",
    "prove",
    "new",
    "completion",
    "view",
    "score",
]


def words_of(rng):
    """Return a command with a few words that make sense, and a few that do not."""
    name = rng.choice(QUICK)
    command = commands()[name]
    words = [f"out={rng.choice(PATHS)}"] if rng.random() < 0.4 else []
    if name == "view":
        words.append("port=0")  # never one that is listened on
    if command.settings and rng.random() < 0.9:
        words += ["plugin=toy_good"] + ["n=1"] * ("n" in command.keys)
    for _ in range(rng.randint(0, 2)):
        key, value = rng.choice([*command.keys, "tpo", ""]), rng.choice([*VALUES, *PATHS])
        words += rng.choice([[f"{key}={value}"], [f"--{key}", value], [value]])
    return [name, *words, *["--json"] * (rng.random() < 0.1)]


@slow
@pytest.mark.parametrize("seed", range(20 // min(SHARE, 4)))
def test_any_words(toys, capsys, tmp_path, monkeypatch, seed):
    monkeypatch.chdir(tmp_path)
    Path("empty.jsonl").touch()
    for name in ("binary.jsonl", "binary.eval", "binary"):
        Path(name).write_bytes(bytes(range(256)) * 9)
    for name in ("folder", "folder.jsonl"):
        Path(name).mkdir()
    Path("dangling").symlink_to("nowhere-either")
    Path("l").symlink_to("l")
    rng = random.Random(seed)
    for _ in range(15):
        words = words_of(rng)
        code = main.main(words)
        out, err = capsys.readouterr()
        assert code in (0, 1, 2), words
        lines = [line for line in err.splitlines() if line.startswith("harness: ")]
        failed = code == 2 or (code == 1 and not out)
        assert len(lines) == failed or "--json" in words, (words, err)
        assert all(len(line) < 700 for line in lines), words
        assert bool(out) != failed or "--json" in words, (words, out)
