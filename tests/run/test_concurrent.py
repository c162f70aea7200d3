"""Two processes and one output; files as Excel writes them; a port that is taken."""

import fcntl
import json
import socket

import pytest

from harness.cli.main import main


def words(path, n=4):
    return ["generate", "plugin=ltlbench", f"n={n}", f"out={path}"]


def test_a_second_writer_is_turned_away_and_the_first_undisturbed(tmp_path, capsys):
    path = tmp_path / "c.jsonl"
    partial = tmp_path / "c.jsonl.partial"
    with partial.open("ab") as first:
        fcntl.flock(first, fcntl.LOCK_EX)
        assert main(words(path)) == 1
        assert "another process is writing this dataset" in capsys.readouterr().err
        assert partial.exists()
    assert main(words(path)) == 0
    assert not partial.exists()
    manifest = json.loads((tmp_path / "c.jsonl.manifest.json").read_text())
    assert manifest["items"] == len(path.read_text().splitlines()) == 4


def test_a_byte_order_mark_is_not_part_of_the_data(tmp_path, capsys):
    path = tmp_path / "c.jsonl"
    assert main(words(path)) == 0
    marked = tmp_path / "marked.jsonl"
    marked.write_bytes(b"\xef\xbb\xbf" + path.read_bytes())
    assert main(["verify", "plugin=ltlbench", f"dataset={marked}", "report=none"]) == 0


@pytest.mark.parametrize("field", ["id", "certificate"])
def test_an_item_of_ours_that_lacks_its_evidence_is_a_finding(tmp_path, capsys, field):
    path = tmp_path / "c.jsonl"
    assert main(words(path)) == 0
    lines = [json.loads(line) for line in path.read_text().splitlines()]
    lines[0].pop(field)
    bare = tmp_path / "bare.jsonl"
    bare.write_text("".join(json.dumps(line) + "\n" for line in lines))
    capsys.readouterr()
    assert main(["verify", "plugin=ltlbench", f"dataset={bare}", "report=none", "--json"]) == 1
    assert field in json.loads(capsys.readouterr().out)["findings"][0]["message"]


def test_a_port_that_is_taken_is_one_line(tmp_path, capsys):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        assert main(["view", f"log_dir={tmp_path}", f"port={port}", "--json"]) == 1
    out, err = capsys.readouterr()
    assert "cannot listen" in json.loads(out)["error"]["message"]
    assert len(err.strip().splitlines()) == 1


def test_shots_without_examples_is_refused(capsys):
    assert main(["run", "plugin=ltlbench", "shots=3"]) == 2
    assert "'shots' has no effect with strategy=direct" in capsys.readouterr().err
