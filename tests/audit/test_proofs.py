"""`harness prove`: certificates are counted as the checker finds them, and its file needs nothing of ours."""

import gzip
import json
import subprocess
import sys
from pathlib import Path

import harness_proof
import pytest
from cases import SHARE, slow
from proof_changes import some_records

from harness.audit import verify
from harness.cli import main

FOLDER = Path(harness_proof.__file__).parents[1]
PUBLISHED = Path(__file__).parents[3] / "shared/data/ltlbench"


@pytest.fixture(autouse=True)
def _folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


def prove(capsys, *words):
    code = main.main(["prove", *words, "--json"])
    return code, json.loads(capsys.readouterr().out)


def checked(name):
    words = [sys.executable, "-S", "-m", "harness_proof", str(Path(name).absolute())]
    return subprocess.run(words, cwd=FOLDER, capture_output=True, text=True, check=False)


def test_the_file_is_proved_without_us(capsys):
    code, found = prove(capsys, "plugin=ltlbench", "n=12", "out=proofs.jsonl")
    assert (code, found["items"], found["proved"]) == (0, 12, 12)
    assert found["why"] == found["unreadable"] == {"count": 0, "first": []}
    Path("proofs.jsonl.gz").write_bytes(gzip.compress(Path("proofs.jsonl").read_bytes()))
    for name in ("proofs.jsonl", "proofs.jsonl.gz"):
        done = checked(name)
        assert done.stdout.endswith(": 12 items: 12 proved, 0 refuted, 0 not checkable\n")
        assert (done.returncode, done.stderr) == (0, "")
    assert main.main(["prove", "plugin=ltlbench", "n=12", "out=proofs.jsonl"]) == 1
    assert "proofs.jsonl" in capsys.readouterr().err


def test_a_wrong_label_is_refuted_or_has_no_certificate(capsys):
    assert main.main(["generate", "plugin=ltlbench", "n=8", "out=d.jsonl"]) == 0
    lines = []
    for line in Path("d.jsonl").read_text().splitlines():
        record = json.loads(line)
        record["target"] = "False" if record["target"] == "True" else "True"
        lines.append(json.dumps({**record, "id": ""}))
    Path("wrong.jsonl").write_text("\n".join(lines) + "\n")
    capsys.readouterr()
    code, found = prove(capsys, "plugin=ltlbench", "dataset=wrong.jsonl")
    assert (code, found["items"], found["proved"]) == (1, 8, 0)
    assert found["refuted"] == found["not checkable"] == 4  # twins: half of the labels are True
    assert main.main(["prove", "plugin=ltlbench", "dataset=wrong.jsonl"]) == 1
    text = capsys.readouterr().out
    assert text.startswith("8 items: 0 proved, 4 refuted, 4 not checkable\n")
    assert text.endswith("… and 3 more\n")


@slow
def test_manifests_and_cards_say_how_many_labels_are_proved(capsys):
    pytest.importorskip("pyarrow")
    told = {"items": 6, "proved": 6, "refuted": 0, "not checkable": 0}
    words = ["plugin=ltlbench", "n=6"]
    for name in ("d.jsonl", "shards"):
        assert (
            main.main(
                ["generate", *words, f"out={name}", *(["shards=2"] if name == "shards" else [])]
            )
            == 0
        )
    for name in ("d.jsonl.manifest.json", "shards/manifest.json"):
        assert json.loads(Path(name).read_text())["proofs"] == told
    lines = [json.loads(line) for line in Path("d.jsonl").read_text().splitlines()]
    lines[0] |= {"target": "False" if lines[0]["target"] == "True" else "True", "id": ""}
    Path("wrong.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    for source, proved in ((words, 6), (["plugin=ltlbench", "dataset=wrong.jsonl"], 5)):
        assert main.main(["export", *source, "to=huggingface", f"out=card{proved}"]) == 0
        assert (
            json.loads(Path(f"card{proved}/manifest.json").read_text())["proofs"]["proved"]
            == proved
        )
        assert (
            f"Of 6 of the items, {proved} labels are proved"
            in Path(f"card{proved}/README.md").read_text()
        )


def test_an_audit_counts_proofs_and_names_a_refuted_one_of_a_right_label(capsys, monkeypatch):
    assert main.main(["generate", "plugin=ltlbench", "n=4", "out=d.jsonl"]) == 0
    words = ["verify", "plugin=ltlbench", "dataset=d.jsonl", "report=none", "--json"]
    capsys.readouterr()
    assert main.main(words) == 0
    assert json.loads(capsys.readouterr().out)["proofs"] == {
        "proved": 4, "refuted": 0, "not checkable": 0,
    }  # fmt: skip
    examine = verify.examine
    refuted = {"proof": {"outcome": "refuted", "why": "the formula holds on the path"}}
    monkeypatch.setattr(verify, "examine", lambda *given: {**examine(*given), **refuted})
    assert main.main(words) == 1
    found = json.loads(capsys.readouterr().out)
    assert (found["proofs"]["refuted"], found["agree"], found["grave"]) == (4, 4, 4)
    message = "the proof of the label is refuted: the formula holds on the path"
    assert {(one["kind"], one["message"]) for one in found["findings"]} == {
        ("certificate", message)
    }
    main.main([word for word in words if word != "--json"])
    line = "labels by their complete certificates: 0 proved, 4 refuted, 0 not checkable"
    assert line in capsys.readouterr().out


def test_a_benchmark_without_certificates_says_so(toys, capsys):
    assert main.main(["generate", "plugin=toy_good", "n=2", "out=d.jsonl"]) == 0
    assert json.loads(Path("d.jsonl.manifest.json").read_text())["proofs"] is None
    assert main.main(["prove", "plugin=toy_good"]) == 2
    said = "plugin 'toy_good' has no hook prove(), so its labels have no certificates"
    assert said in capsys.readouterr().err


@slow
@pytest.mark.skipif(not PUBLISHED.is_dir(), reason=f"no published data in {PUBLISHED}")
@pytest.mark.parametrize(
    "name", ["300_3_events_2_formula_len.csv", "300_9_events_2_formula_len.csv"]
)
def test_every_published_label_is_proved(capsys, name):
    Path(name).write_text(some_records(PUBLISHED / name), "utf-8", newline="")
    code, found = prove(capsys, "plugin=ltlbench", f"dataset={name}")
    count = -(-300 // SHARE)
    assert (code, found["items"], found["proved"]) == (0, count, count)
